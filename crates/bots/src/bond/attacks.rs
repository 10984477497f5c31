//! Attacks are prepared one after the other, the best first: units of one are not there for the next.

use std::collections::BTreeMap;

use hexgrid::HexId;

/// An attack that could be prepared.
#[derive(Clone, Debug)]
pub struct Proposal<Spot, Unit> {
    pub target: HexId,
    pub spots: Vec<Spot>,
    pub guns: Vec<Unit>,
    /// What it is worth, and the chance that the hex falls.
    pub value: f32,
    pub falls: f32,
    /// Attacks prepared when it was worked out.
    pub round: usize,
}

/// What has been prepared.
#[derive(Clone, Debug)]
pub struct Prepared<Unit> {
    /// Units that have their task.
    pub units: Vec<Unit>,
    /// Guns that are spoken for.
    pub guns: Vec<Unit>,
    pub targets: Vec<HexId>,
    /// Of the targets, those that will probably fall.
    pub beaten: Vec<HexId>,
}

/// Where somebody prepares attacks.
pub trait Field {
    type Spot;
    type Unit: Copy;
    /// The best attack on a hex with whoever is free; `prepared` says who is not.
    fn propose(
        &self,
        target: HexId,
        spots: &[Self::Spot],
        prepared: &Prepared<Self::Unit>,
    ) -> Option<Proposal<Self::Spot, Self::Unit>>;
    /// Send somebody to his place; who went, if he did.
    fn send(&mut self, spot: &Self::Spot) -> Option<Self::Unit>;
    /// Something has happened that must be thought about first.
    fn unforeseen(&self) -> bool;
}

/// Which attacks are worth preparing.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub attacks: usize,
    /// From this value on.
    pub worth: f32,
    /// With this chance an attack is counted on.
    pub counted_on: f32,
}

/// Prepare attacks from these spots until none is worth it.
pub fn prepare<F: Field>(
    field: &mut F,
    spots: &BTreeMap<HexId, Vec<F::Spot>>,
    busy: Vec<F::Unit>,
    limits: Limits,
) -> Prepared<F::Unit> {
    let mut prepared = Prepared { units: busy, guns: Vec::new(), targets: Vec::new(), beaten: Vec::new() };
    let mut proposals: Vec<Proposal<F::Spot, F::Unit>> = Vec::new();
    for (target, spots) in spots {
        proposals.extend(field.propose(*target, spots, &prepared));
    }
    while prepared.targets.len() < limits.attacks && !field.unforeseen() {
        let best = (0..proposals.len()).max_by(|a, b| proposals[*a].value.total_cmp(&proposals[*b].value));
        let Some(best) = best.filter(|i| proposals[*i].value > limits.worth) else { break };
        let proposal = proposals.swap_remove(best);
        if proposal.round < prepared.targets.len() {
            // Somebody it counted on may have another task by now.
            let again = field.propose(proposal.target, &spots[&proposal.target], &prepared);
            proposals.extend(again);
            continue;
        }
        for spot in &proposal.spots {
            prepared.units.extend(field.send(spot));
        }
        prepared.guns.extend(&proposal.guns);
        prepared.targets.push(proposal.target);
        if proposal.falls >= limits.counted_on {
            prepared.beaten.push(proposal.target);
        }
    }
    prepared
}
