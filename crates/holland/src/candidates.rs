//! The units that might do something in a Movement Phase, kept from one decision to the next. While a side moves, the other stands:
//! after a decision only the units that it changed and those beside them are looked at again, and those off the map if something
//! changed at the edges.

use hexgrid::{HexId, HexSet};
use zocbond::{Bridges, List, MarkerAt, Piece, Stamp, UnitId, UnitSet};

use crate::pack::Side;
use crate::reach::Room;
use crate::state::{Bridge, Carried, EnteredAt, Ferried, Ferries, Marks, Place, State, Unit};
use crate::world::Holland;

/// The units of one side that are able to act, and the state of everything that decided so.
#[derive(Debug, Default)]
pub struct MoveCandidates {
    basis: Option<Basis>,
    /// By number: units of the side as they were when they were looked at.
    units: Vec<Unit>,
    in_game: UnitSet,
    off_map: UnitSet,
    able: UnitSet,
}

/// What bears on all units of a side alike.
#[derive(Debug)]
struct Basis {
    table: Stamp,
    side: Side,
    position: Stamp,
    turn: u8,
    /// Where the enemy stands.
    enemy: Stamp,
    bridges: Bridges<Bridge>,
    unknown: HexSet,
    traffic: [MarkerAt; 6],
    /// 17.2: there is a Moved marker left.
    gun_moves: bool,
    ferried: Ferried,
    carried: Carried,
    ferries: Ferries,
    /// 19.3
    entered_at: EnteredAt,
}

impl Basis {
    fn now(rules: &Holland, s: &State, side: Side) -> Basis {
        Basis {
            table: rules.stamp,
            side,
            position: s.field.stamp(),
            turn: s.turn,
            enemy: s.field.stands(side.enemy()),
            bridges: *s.field.bridges(),
            unknown: s.unknown,
            traffic: s.traffic,
            gun_moves: s.moved_markers[side.index()] > 0,
            ferried: s.ferried[side.index()],
            carried: s.carried,
            ferries: s.ferries,
            entered_at: s.entered_at,
        }
    }

    fn holds(&self, rules: &Holland, s: &State, side: Side) -> bool {
        let bridges = s.field.bridges();
        self.table.same(rules.stamp)
            && (self.side, self.turn) == (side, s.turn)
            && self.enemy.same(s.field.stands(side.enemy()))
            && (self.bridges.untouched(bridges) || self.bridges == *bridges)
            && self.unknown == s.unknown
            && self.traffic == s.traffic
            && self.gun_moves == (s.moved_markers[side.index()] > 0)
            && self.ferried == s.ferried[side.index()]
            && self.carried == s.carried
            && self.ferries == s.ferries
    }
}

impl MoveCandidates {
    /// Units that might do something.
    pub fn able(&mut self, rules: &Holland, s: &State, room: &Room, side: Side) -> &UnitSet {
        let look = |unit: UnitId| {
            // Units that have moved are looked at closely: they may still be rebuilt or merged.
            !s.unit(unit).has(Marks::MOVED) && rules.surely_moves(s, room, unit) || rules.could_move(s, unit)
        };
        match self.changed(rules, s, side) {
            Some(again) => {
                for unit in &again {
                    self.able.set(unit, s.field.in_game(side).contains(unit) && look(unit));
                }
            }
            None => self.able = s.field.in_game(side).iter().filter(|unit| look(*unit)).collect(),
        }
        debug_assert!({
            let plain = s.field.in_game(side).iter().filter(|unit| rules.could_move(s, *unit));
            plain.eq(&self.able)
        });
        &self.able
    }

    /// The units that must be looked at again; none if all must.
    fn changed(&mut self, rules: &Holland, s: &State, side: Side) -> Option<UnitSet> {
        let position = s.field.stamp();
        let Some(basis) = self.basis.as_mut().filter(|basis| basis.holds(rules, s, side)) else {
            self.basis = Some(Basis::now(rules, s, side));
            self.note_all(s, side);
            return None;
        };
        let mut again = UnitSet::EMPTY;
        if basis.position.same(position) {
            return Some(again);
        }
        let before = std::mem::replace(&mut basis.position, position);
        let edges = std::mem::replace(&mut basis.entered_at, s.entered_at) != s.entered_at;
        let changes = s.field.changes_since(before);
        let Some((units, stacks)) = changes.and_then(|changes| changes.units().zip(changes.stacks())) else {
            return self.changed_by_comparison(rules, s, side);
        };
        let own = |unit: &&UnitId| rules.counter(**unit).side == side;
        for unit in units.iter().filter(own) {
            again.insert(*unit);
            self.note(s, side, *unit);
        }
        for place in stacks {
            Self::add_around(rules, s, side, *place, &mut again);
        }
        let edges = edges || stacks.iter().any(|hex| rules.land.edges.contains(*hex));
        // What is open to them depends on who came before them (19.3), and on who is there.
        let waiting = self.off_map.iter().filter(|unit| edges || s.unit(*unit).at() == Place::Holding);
        again.extend(waiting);
        Some(again)
    }

    /// The same without knowing what changed.
    fn changed_by_comparison(&mut self, rules: &Holland, s: &State, side: Side) -> Option<UnitSet> {
        let mut again = UnitSet::EMPTY;
        let mut places = List::<_, 32>::new();
        let mut noted = true;
        for unit in &(&self.in_game | s.field.in_game(side)) {
            let (was, now) = (self.units[unit.index()], *s.unit(unit));
            if now.hex().is_none() {
                again.insert(unit);
            }
            if was != now {
                again.insert(unit);
                for hex in [was.hex(), now.hex()].into_iter().flatten() {
                    noted &= places.contains(hex) || places.push(hex);
                }
            }
        }
        self.note_all(s, side);
        for place in &places {
            Self::add_around(rules, s, side, *place, &mut again);
        }
        noted.then_some(again)
    }

    /// Units of the side in a hex and beside it.
    fn add_around(rules: &Holland, s: &State, side: Side, place: HexId, again: &mut UnitSet) {
        for hex in std::iter::once(place).chain(rules.land.topology.neighbours(place)) {
            if s.field.held(side).contains(hex) {
                again.extend(rules.stack(s, side, hex));
            }
        }
    }

    fn note_all(&mut self, s: &State, side: Side) {
        self.units.clear();
        self.units.extend_from_slice(s.field.units());
        self.in_game = *s.field.in_game(side);
        self.off_map = self.in_game.iter().filter(|unit| s.unit(*unit).hex().is_none()).collect();
    }

    fn note(&mut self, s: &State, side: Side, unit: UnitId) {
        let in_game = s.field.in_game(side).contains(unit);
        self.units[unit.index()] = *s.unit(unit);
        self.in_game.set(unit, in_game);
        self.off_map.set(unit, in_game && s.unit(unit).hex().is_none());
    }
}
