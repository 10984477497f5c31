//! All counters of a table, and the counters in each hex.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::{
    state::{Place, Unit},
    units::UnitId,
};

/// End of a chain.
const NOBODY: UnitId = UnitId(u16::MAX);

/// The counters by number. Those in a hex are linked in the order of their numbers, so that the counters of a hex are
/// found without examining all of them. Only [`Roster::put`] and [`Roster::replace`] change the place of a counter: the
/// place and hex of a [`Unit`] can be read but not written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Unit>", into = "Vec<Unit>")]
pub struct Roster {
    units: Vec<Unit>,
    /// The first counter of each hex, up to the highest hex ever occupied.
    first: Vec<UnitId>,
    /// The next one in the same hex.
    next: Vec<UnitId>,
}

impl From<Vec<Unit>> for Roster {
    fn from(units: Vec<Unit>) -> Roster {
        let mut roster = Roster { first: Vec::new(), next: vec![NOBODY; units.len()], units };
        for n in 0..roster.units.len() as u16 {
            roster.link(UnitId(n));
        }
        roster
    }
}

impl From<Roster> for Vec<Unit> {
    fn from(roster: Roster) -> Vec<Unit> {
        roster.units
    }
}

/// The links follow from the counters, so they are not compared.
impl PartialEq for Roster {
    fn eq(&self, other: &Roster) -> bool {
        self.units == other.units
    }
}

impl std::ops::Deref for Roster {
    type Target = [Unit];

    #[inline]
    fn deref(&self) -> &[Unit] {
        &self.units
    }
}

impl<'a> IntoIterator for &'a Roster {
    type Item = &'a Unit;
    type IntoIter = std::slice::Iter<'a, Unit>;

    fn into_iter(self) -> Self::IntoIter {
        self.units.iter()
    }
}

impl Roster {
    #[inline]
    pub fn get_mut(&mut self, id: UnitId) -> &mut Unit {
        &mut self.units[id.index()]
    }

    /// Move a counter to another place.
    pub fn put(&mut self, id: UnitId, place: Place, hex: HexId) {
        self.unlink(id);
        self.units[id.index()].lay(place, hex);
        self.link(id);
    }

    /// Replace a counter, including its place.
    pub fn replace(&mut self, id: UnitId, unit: Unit) {
        self.unlink(id);
        self.units[id.index()] = unit;
        self.link(id);
    }

    /// The counters on the map in a hex, in the order of their numbers.
    #[inline]
    pub fn in_hex(&self, hex: HexId) -> impl Iterator<Item = UnitId> + use<'_> {
        let mut at = self.first.get(hex.index()).copied().unwrap_or(NOBODY);
        std::iter::from_fn(move || {
            let here = at;
            at = *self.next.get(here.index())?;
            Some(here)
        })
    }

    /// The link in the chain of a hex that leads to a counter, or would if it were there.
    fn slot(&mut self, hex: HexId, id: UnitId) -> &mut UnitId {
        let (mut before, mut at) = (None, self.first[hex.index()]);
        while at.0 < id.0 {
            before = Some(at);
            at = self.next[at.index()];
        }
        match before {
            None => &mut self.first[hex.index()],
            Some(before) => &mut self.next[before.index()],
        }
    }

    fn link(&mut self, id: UnitId) {
        let unit = &self.units[id.index()];
        let Some(hex) = unit.hex.some().filter(|_| unit.on_map()) else { return };
        if self.first.len() <= hex.index() {
            self.first.resize(hex.index() + 1, NOBODY);
        }
        let after = std::mem::replace(self.slot(hex, id), id);
        self.next[id.index()] = after;
    }

    fn unlink(&mut self, id: UnitId) {
        let unit = &self.units[id.index()];
        let Some(hex) = unit.hex.some().filter(|_| unit.on_map()) else { return };
        let after = self.next[id.index()];
        *self.slot(hex, id) = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After any sequence of moves, the chain of a hex equals what a scan of all counters finds.
    #[test]
    fn chains_are_what_all_counters_say() {
        let mut roster = Roster::from(vec![Unit::OFF; 40]);
        let mut number = 1u32;
        let mut random = |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % below
        };
        for _ in 0..2000 {
            let id = UnitId(random(40) as u16);
            match random(4) {
                0 => roster.put(id, Place::Column, HexId(random(9) as u16)),
                1 => roster.put(id, Place::Spare, HexId::NONE),
                _ => roster.put(id, Place::Map, HexId(random(9) as u16)),
            }
            for hex in (0..9).map(HexId) {
                let plain = |n: &u16| roster[usize::from(*n)].on_map() && roster[usize::from(*n)].hex == hex;
                let here: Vec<UnitId> = (0..40).filter(plain).map(UnitId).collect();
                assert_eq!(roster.in_hex(hex).collect::<Vec<_>>(), here);
            }
        }
        assert_eq!(roster, Roster::from(Vec::from(roster.clone())));
        assert_eq!(roster.in_hex(HexId::NONE).count(), 0);
    }
}
