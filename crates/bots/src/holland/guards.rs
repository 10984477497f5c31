//! Who stays: with a Supply Head, since the enemy only has to walk into the hex of one that is alone (18.3.1), and in a hex
//! that counts only while a unit is there (S3.4, S4.4).

use ::holland::{Holland, State, pack::Side};
use hexgrid::HexId;
use zocbond::{Piece, UnitId};

use super::{
    lore::Kind,
    manoeuvre::Draft,
    sight::{self, Who},
    staff::Staff,
};
use crate::bond::arrival::TURN;

/// How many turns ahead enemies are looked for, and those of them within which a Head needs its guard.
const AHEAD: f32 = 1.6;
const SOON: f32 = 1.3;

/// Units that must stay where they are: with a Supply Head that the enemy could reach in its next turn, with the Head, and
/// as Allies in a hex that counts only while a unit is there. In each hex the unit stays that is the least use elsewhere.
pub fn guards(staff: &Staff, s: &State, side: Side) -> Vec<UnitId> {
    let rules = &*staff.rules;
    let mut out = Vec::new();
    let held = staff.lore.aims.iter().filter(|aim| aim.kind == Kind::Hold && side == Side::Allied);
    out.extend(held.flat_map(|aim| &aim.hexes).filter_map(|hex| guard(rules, s, side, *hex)));
    let heads: Vec<(UnitId, HexId)> = s
        .field
        .in_game(side)
        .iter()
        .filter(|unit| rules.counter(*unit).supply_head_piece)
        .filter_map(|unit| Some((unit, s.unit(unit).hex()?)))
        .collect();
    if heads.is_empty() {
        return out;
    }
    let enemy = sight::arrivals(staff, s, side.enemy(), Who::Everybody, AHEAD);
    for (head, hex) in heads.into_iter().filter(|(_, hex)| enemy.at(*hex) < (SOON * f32::from(TURN)) as u16) {
        if let Some(guard) = guard(rules, s, side, hex) {
            out.extend([guard, head]);
        }
    }
    out
}

/// The unit in a hex that is the least use elsewhere.
fn guard(rules: &Holland, s: &State, side: Side, hex: HexId) -> Option<UnitId> {
    rules.stack(s, side, hex).filter(|unit| defends(rules, *unit)).min_by_key(|unit| {
        let face = rules.face(s, *unit);
        let order = s.unit(*unit).good_order();
        (!order, u16::from(face.attack), std::cmp::Reverse(u16::from(face.defense)), unit.0)
    })
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
