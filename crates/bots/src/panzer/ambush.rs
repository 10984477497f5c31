//! Fear of ambushes (7.2): where enemies that are hidden may lie, as far as their opponent can know.

use ::panzer::{
    pack::{Cover, Side},
    state::{Place, Spot, State},
    units::UnitId,
};
use hexgrid::{Direction, HexId};

use super::{commander::Commander, gunnery::Stand};

/// The hexes where hidden enemies may lie, each with the strongest of them and the number to be expected there.
pub fn lurking(commander: &Commander, s: &State, side: Side) -> Vec<(Stand, f32)> {
    let rules = &*commander.rules;
    let mut found: Vec<(Stand, f32)> = Vec::new();
    if !rules.optional(2) || commander.weights.ambush <= 0.0 {
        return found;
    }
    let hides = |unit: &&UnitId| {
        let kind = commander.lore.kind(**unit);
        s.unit(**unit).place == Place::Hidden && kind.combat && kind.reach > 0 && !s.unit(**unit).passenger()
    };
    for unit in rules.units_of(side.enemy()).iter().filter(hides) {
        let fits = |hex: &HexId| {
            rules.spotting_cover(s, *hex) != Cover::None
                && rules.may_lie(*unit, *hex)
                && rules.may_stand(*unit, *hex)
                && s.in_hex(*hex).next().is_none()
                // One that is in plain view would have been spotted.
                && !spotted(commander, s, side, *unit, *hex)
        };
        let places: Vec<HexId> = rules.field.hexes().filter(fits).collect();
        let each = 1.0 / places.len().max(1) as f32;
        for hex in places {
            let stand = Stand {
                hex,
                shelter: commander.shelter(commander.lore.kind[unit.index()], hex),
                ..commander.stand(s, *unit)
            };
            match found.iter_mut().find(|(other, _)| other.hex == hex) {
                Some((other, number)) => {
                    *number += each;
                    if commander.lore.kind(*unit).reach > commander.lore.kind(other.unit).reach {
                        *other = stand;
                    }
                }
                None => found.push((stand, each)),
            }
        }
    }
    found
}

/// Would one of the side's units see an enemy there, though it has not acted?
fn spotted(commander: &Commander, s: &State, side: Side, unit: UnitId, hex: HexId) -> bool {
    let rules = &*commander.rules;
    let kind = commander.lore.kind[unit.index()];
    let stand = Stand { hex, shelter: commander.shelter(kind, hex), ..commander.stand(s, unit) };
    let sight = commander.seen_from(&stand, Spot::None);
    rules.units_of(side).iter().any(|own| {
        let u = s.unit(*own);
        u.on_map() && rules.field.range(u.hex, hex) <= sight && rules.los.clear(u.hex, hex)
    })
}

impl Commander {
    /// The facing from a hex that looks most toward another.
    pub fn toward(&self, from: HexId, to: HexId) -> Direction {
        let field = &self.rules.field;
        let range =
            |way: &Direction| field.neighbour(from, *way).map_or(u32::MAX, |hex| field.range(hex, to));
        Direction::ALL.into_iter().min_by_key(range).unwrap_or(Direction::D0)
    }
}
