//! The routes of a retreat, cached for the position in which they were found: whether somebody must choose, what may be
//! chosen and whether the choice is legal all come from one search.

use std::cell::RefCell;

use zocbond::combat::retreat::best_routes;

use super::retreat::{Ezoc, Route, Want, search};
use crate::{pack::UnitId, rules::Ardennes, stamp::Stamp, state::State};

/// Units of one combat that may have to retreat, and both lengths of a disengagement.
const KEPT: usize = 8;
/// Initial capacity for the routes of each unit: few retreats have more to choose from.
const ROUTES: usize = 64;

/// A retreat: position, unit, length, treatment of EZOC, number of units in the party.
type Key = (Stamp, UnitId, u8, Ezoc, usize);

#[derive(Default)]
struct Known {
    slots: [(Option<Key>, Vec<Route>); KEPT],
    next: usize,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Calls a function with the routes that meet the priorities of 17.1 best. None: the unit is eliminated if it must
/// retreat.
pub(super) fn with_routes<T>(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    want: Want,
    look: impl FnOnce(&[Route]) -> T,
) -> T {
    KNOWN.with_borrow_mut(|known| {
        let same = |(stamp, who, hexes, ezoc, party): &Key| {
            stamp.same(s.stamp())
                && (*who, *hexes, *ezoc, *party) == (unit, want.hexes, want.ezoc, want.party.len())
        };
        let at =
            known.slots.iter().position(|(key, _)| key.as_ref().is_some_and(same)).unwrap_or_else(|| {
                let at = known.next;
                known.next = (at + 1) % KEPT;
                let (key, routes) = &mut known.slots[at];
                *key = Some((s.stamp(), unit, want.hexes, want.ezoc, want.party.len()));
                routes.clear();
                routes.reserve(ROUTES);
                search(rules, s, unit, want, |search| best_routes(search, routes));
                at
            });
        look(&known.slots[at].1)
    })
}
