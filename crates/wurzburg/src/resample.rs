//! Another state that a viewer cannot tell from the real one.

use kernel::Viewer;
use rand_core::RngCore;

use crate::{
    play::seat,
    rules::Wurzburg,
    state::{Chit, Mine, OpKind, Payer, Place, State},
    units::{FormationId, Side, UnitId},
};

/// 12.4: it is hidden which division's Main Effort chit is face down.
fn shuffle_chits(state: &mut State, rng: &mut dyn RngCore) {
    let mut hidden: Vec<usize> = (0..state.formations.len())
        .filter(|n| matches!(state.formations[*n].chit, Chit::Held | Chit::Laid(_)))
        .collect();
    while hidden.len() > 1 {
        let (a, b) = (hidden.remove(0), hidden[rng.next_u32() as usize % hidden.len()]);
        let chit = state.formations[a].chit;
        state.formations[a].chit = state.formations[b].chit;
        state.formations[b].chit = chit;
    }
}

/// Other steps for undetected units (11.2), other plans (12.3), other real and dummy minefields (37.1).
pub fn resample(rules: &Wurzburg, state: &State, viewer: Viewer, rng: &mut dyn RngCore) -> State {
    let mut other = state.clone();
    for side in Side::ALL.into_iter().filter(|side| !viewer.knows(seat(*side))) {
        for pool in &rules.pools {
            let hidden: Vec<UnitId> = pool
                .units
                .iter()
                .copied()
                .filter(|unit| {
                    rules.counter(*unit).side == side
                        && state.unit(*unit).place == Place::Map
                        && !rules.knows_steps(state, viewer, *unit)
                })
                .collect();
            let total: u8 = hidden.iter().map(|unit| state.unit(*unit).steps).sum();
            let Some(last) = hidden.last() else { continue };
            let mut left = total;
            for unit in &hidden {
                let most = rules.counter(*unit).max_steps.min(left);
                let steps = if unit == last {
                    left.min(rules.counter(*unit).max_steps)
                } else {
                    (rng.next_u32() % (u32::from(most) + 1)) as u8
                };
                other.unit_mut(*unit).steps = steps;
                left -= steps;
            }
            if left > 0 {
                for unit in &hidden {
                    other.unit_mut(*unit).steps = state.unit(*unit).steps;
                }
            }
        }
        if side == Side::Wp {
            for n in 0..other.formations.len() as u8 {
                let id = FormationId(n);
                if rules.planned(state, id) && !rules.knows_plan(state, viewer, id) {
                    let f = other.formation_mut(id);
                    f.plan.kind = OpKind::ALL[rng.next_u32() as usize % 4];
                    f.plan.payer = if f.plan.kind == OpKind::March { Payer::None } else { Payer::OffMap };
                }
            }
            shuffle_chits(&mut other, rng);
        }
        for mark in &mut other.marks {
            if mark.mine_owner == side && mark.mine != Mine::None && !mark.mine_known {
                mark.mine = if rng.next_u32().is_multiple_of(2) { Mine::Real } else { Mine::Dummy };
            }
        }
    }
    other.stamp.renew();
    other
}
