//! Prepares attacks one after the other, the best first: a unit used in one is not available for the next.

use std::collections::BTreeMap;

use hexgrid::HexId;

/// An attack that could be prepared.
#[derive(Clone, Debug)]
pub struct Proposal<Spot, Unit> {
    pub target: HexId,
    pub spots: Vec<Spot>,
    pub guns: Vec<Unit>,
    /// Its value, and the chance that the hex is captured.
    pub value: f32,
    pub falls: f32,
    /// Number of attacks already prepared when it was evaluated.
    pub round: usize,
}

/// The attacks prepared so far.
#[derive(Clone, Debug)]
pub struct Prepared<Unit> {
    /// Units that have a task.
    pub units: Vec<Unit>,
    /// Artillery that is reserved.
    pub guns: Vec<Unit>,
    pub targets: Vec<HexId>,
    /// The targets that will probably be captured.
    pub beaten: Vec<HexId>,
}

/// The position in which attacks are prepared.
pub trait Field {
    type Spot;
    type Unit: Copy;
    /// The best attack on a hex by free units; `prepared` says which are not free.
    fn propose(
        &self,
        target: HexId,
        spots: &[Self::Spot],
        prepared: &Prepared<Self::Unit>,
    ) -> Option<Proposal<Self::Spot, Self::Unit>>;
    /// Sends a unit to its place; returns the unit if it went.
    fn send(&mut self, spot: &Self::Spot) -> Option<Self::Unit>;
    /// Did something happen that requires a new plan?
    fn unforeseen(&self) -> bool;
}

/// Which attacks are worth preparing.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub attacks: usize,
    /// From this value on.
    pub worth: f32,
    /// With at least this chance an attack is assumed to succeed.
    pub counted_on: f32,
}

/// Prepares attacks from these spots until none is worthwhile.
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
            // A unit that it relied on may have another task by now.
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
