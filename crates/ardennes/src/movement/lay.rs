//! How the land lies at this moment: what each step costs each kind of mover with bridges and army boundaries as they are.
//! Nobody's units count here; they are the [`Obstacles`](super::obstacles::Obstacles) of a search. Rows are worked out
//! when a search first comes to a hex, and kept as long as the bridges there stand or fall as they do.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};

use super::profile::Profile;
use crate::{
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridges, State},
    terrain::{ASK, Mover, NEVER, SHUT},
};

/// Room for every hex of a board: a power of two, so that no index needs to be checked.
pub(super) const HEXES: usize = HexSet::CAPACITY;

/// A hex's place in arrays of [`HEXES`]. [`HexId::NONE`] shares the last one, which no board reaches.
#[inline]
pub(super) fn at(hex: HexId) -> usize {
    hex.index() % HEXES
}

/// The six steps out of a hex, in one word.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(super) struct Row {
    /// Quarter points by direction; [`SHUT`] where nobody goes by this kind of movement, or where it is asked.
    pub steps: [u8; 6],
    /// Bit `d`: whether the step in direction `d` is made, and at what cost, depends on the unit. Or [`Row::UNKNOWN`]'s.
    pub ask: u8,
    /// No step costs less, but perhaps one that is asked.
    pub cheapest: u8,
}

impl Row {
    /// Not worked out yet.
    const UNKNOWN: Row = Row { steps: [SHUT; 6], ask: 0x80, cheapest: 0 };

    fn is_known(&self) -> bool {
        self.ask & Self::UNKNOWN.ask == 0
    }
}

/// The land by one chart: a table of rows for each kind of mover.
#[derive(Debug, Default)]
pub(super) struct Lay {
    /// The table and the bridges for which the rows hold.
    of: Option<(Stamp, Bridges)>,
    /// The position for which the bridges were last compared.
    seen: Option<Stamp>,
    rows: [Rows; Mover::ALL.len()],
}

/// The rows of one kind of mover.
#[derive(Debug)]
struct Rows(Box<[Row; HEXES]>);

impl Default for Rows {
    fn default() -> Self {
        let rows = vec![Row::UNKNOWN; HEXES].into_boxed_slice();
        Rows(rows.try_into().expect("there are as many as that"))
    }
}

thread_local! {
    /// In mud and frost, without and with army boundaries (11.10).
    static LAYS: RefCell<[Option<Lay>; 4]> = RefCell::default();
}

/// Look at the land of the side that moves.
pub(super) fn with_lay<T>(rules: &Ardennes, s: &State, p: &Profile, look: impl FnOnce(&mut Lay) -> T) -> T {
    LAYS.with_borrow_mut(|lays| {
        let lay = lays[rules.ground(s) as usize * 2 + usize::from(p.boundaries)].get_or_insert_default();
        lay.update(rules, s);
        look(lay)
    })
}

impl Lay {
    fn update(&mut self, rules: &Ardennes, s: &State) {
        if self.seen.is_some_and(|seen| seen.same(s.stamp)) {
            return;
        }
        self.seen = Some(s.stamp);
        let Some((_, bridges)) = self.of.as_mut().filter(|(table, _)| table.same(rules.stamp)) else {
            return self.begin(rules, s);
        };
        if bridges.untouched(&s.bridges) {
            return;
        }
        for ((before, now), ends) in bridges.iter().zip(s.bridges.iter()).zip(&rules.land.bridges) {
            if before.intact() != now.intact() {
                for rows in &mut self.rows {
                    for hex in ends {
                        rows.0[at(*hex)] = Row::UNKNOWN;
                    }
                }
            }
        }
        *bridges = s.bridges;
    }

    fn begin(&mut self, rules: &Ardennes, s: &State) {
        for rows in &mut self.rows {
            rows.0.fill(Row::UNKNOWN);
        }
        self.of = Some((rules.stamp, s.bridges));
    }

    /// The steps out of a hex, if they are known; else a row that asks about something.
    #[inline]
    pub fn quick_row(&self, mover: Mover, hex: HexId) -> Row {
        self.rows[mover as usize].0[at(hex)]
    }

    /// The steps out of a hex.
    pub fn row(&mut self, rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        let row = self.quick_row(p.mover, hex);
        if row.is_known() { row } else { self.work_out(rules, s, p, hex) }
    }

    #[cold]
    fn work_out(&mut self, rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        let anybody = p.anybody();
        let table = rules.land.steps(p.mover, rules.ground(s))[hex.index()];
        let mut row = Row { ask: 0, ..Row::UNKNOWN };
        for direction in Direction::ALL {
            let step = match table[direction.index()] {
                ASK => rules.step_of_anybody(s, &anybody, hex, direction),
                known => known,
            };
            if step == ASK {
                row.ask |= 1 << direction.index();
            } else {
                row.steps[direction.index()] = step;
            }
        }
        row.cheapest = row.steps.into_iter().min().unwrap_or(SHUT);
        self.rows[p.mover as usize].0[at(hex)] = row;
        row
    }
}

impl Profile {
    /// A unit that moves the same way, without anything of its own.
    fn anybody(&self) -> Profile {
        Profile {
            start: HexId::NONE,
            origin: HexId::NONE,
            shift: false,
            may_cross: false,
            leave: 0,
            echternach: false,
            vehicle: matches!(self.mover, Mover::Vehicle | Mover::TacticalVehicle),
            ..*self
        }
    }
}

impl Ardennes {
    /// A step that depends on a bridge or a boundary, as they are.
    fn step_of_anybody(&self, s: &State, p: &Profile, from: HexId, direction: Direction) -> u8 {
        let edge = self.land.edge(from, direction);
        let crossing = Self::crossing_of(s, edge);
        // 11.4, 11.6: from an adjacent start, by Tactical Movement; 1E 11.4: by any. 22.2: artillery shifts into any hex.
        let crosses = match p.mover {
            Mover::Tactical => true,
            Mover::Foot | Mover::MechInfantry => self.first_edition(),
            Mover::Vehicle | Mover::TacticalVehicle | Mover::March => false,
        };
        let dear = !p.free && self.land.hex(edge.to).enter[p.cost] == NEVER && !crossing.road;
        if crosses && crossing.hard() || dear {
            return ASK;
        }
        if self.crossing_bar(s, p, from, direction, false).is_err() {
            return SHUT;
        }
        if p.free { 0 } else { self.terrain_cost(p, edge, crossing.road).min(SHUT) }
    }
}
