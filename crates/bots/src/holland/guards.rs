//! Who stays with the Supply Heads: the enemy only has to walk into the hex of one that is alone (18.3.1).

use ::holland::{Holland, State, pack::Side};
use hexgrid::HexId;
use zocbond::{Piece, UnitId};

use super::{
    manoeuvre::Draft,
    sight::{self, Who},
    staff::Staff,
};
use crate::bond::arrival::TURN;

/// How many turns ahead enemies are looked for, and those of them within which a Head needs its guard.
const AHEAD: f32 = 1.6;
const SOON: f32 = 1.3;

/// Units that must stay with a Supply Head which the enemy could reach in its next turn, and those Heads: for each the
/// unit in its hex that is the least use elsewhere.
pub fn guards(staff: &Staff, s: &State, side: Side) -> Vec<UnitId> {
    let rules = &*staff.rules;
    let heads: Vec<(UnitId, HexId)> = s
        .field
        .in_game(side)
        .iter()
        .filter(|unit| rules.counter(*unit).supply_head_piece)
        .filter_map(|unit| Some((unit, s.unit(unit).hex()?)))
        .collect();
    let mut out = Vec::new();
    if heads.is_empty() {
        return out;
    }
    let enemy = sight::arrivals(staff, s, side.enemy(), Who::Everybody, AHEAD);
    for (head, hex) in heads.into_iter().filter(|(_, hex)| enemy.at(*hex) < (SOON * f32::from(TURN)) as u16) {
        let guard = rules.stack(s, side, hex).filter(|unit| defends(rules, *unit)).min_by_key(|unit| {
            let face = rules.face(s, *unit);
            (
                !s.unit(*unit).good_order(),
                u16::from(face.attack),
                std::cmp::Reverse(u16::from(face.defense)),
                unit.0,
            )
        });
        if let Some(guard) = guard {
            out.extend([guard, head]);
        }
    }
    out
}

/// A unit that fights for the hex it is in.
pub fn defends(rules: &Holland, unit: UnitId) -> bool {
    let c = rules.counter(unit);
    !c.categories.artillery && !c.supply_head_piece && !c.categories.train
}

/// Is there a Supply Head in the hex that no other unit could defend?
pub fn unguarded(draft: &Draft, unit: UnitId, hex: HexId) -> bool {
    let rules = &*draft.staff.rules;
    let stack = || rules.stack(&draft.w, draft.side, hex).filter(|other| *other != unit);
    stack().any(|other| rules.counter(other).supply_head_piece) && !stack().any(|other| defends(rules, other))
}
