//! How the land lies at this moment: what each step costs each kind of mover with bridges and army boundaries as they are.
//! Nobody's units count here; they are the [`Obstacles`](super::obstacles::Obstacles) of a search. Rows are worked out
//! when a search first comes to a hex, and kept as long as the bridges there stand or fall as they do.

use std::cell::RefCell;

use hexgrid::{Direction, HexId};

use super::profile::Profile;
use crate::{
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridges, State},
    terrain::{ASK, HEXES, Mover, NEVER, SHUT},
};

/// A hex's place in arrays of [`HEXES`]. [`HexId::NONE`] shares the last one, which no board reaches.
#[inline]
pub(super) fn at(hex: HexId) -> usize {
    hex.index() % HEXES
}

/// Room on both sides of arrays of all hexes, for neighbours that would lie beyond them.
pub(super) const MARGIN: usize = 128;

/// In a word about the neighbours of a hex, a byte for each, this is the byte of each direction: as they stand in an array
/// of all hexes, those of the hex's own column around its own byte, then the column before it and the column after it. So
/// what is known about them is read in three pieces.
pub(super) const PLACES: [u8; 6] = [3, 5, 4, 1, 6, 7];

/// The direction of a byte, if it has one.
#[inline]
pub(super) fn direction_at(place: u8) -> Option<Direction> {
    const DIRECTIONS: [Option<Direction>; 8] = {
        let mut all = [None; 8];
        let mut index = 0;
        while index < PLACES.len() {
            all[PLACES[index] as usize] = Some(Direction::from_index(index));
            index += 1;
        }
        all
    };
    DIRECTIONS[usize::from(place) % DIRECTIONS.len()]
}

/// Where the neighbours of a hex stand in an array of all hexes, in the order of [`PLACES`]: how far before or after the hex
/// itself, and [`MARGIN`]. On a board that is numbered by columns all hexes share two patterns, and what is known about the
/// neighbours is found without a table of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern(pub [u8; 8]);

impl Pattern {
    /// The pattern of a hex, if its neighbours stand side by side: the first and the fourth next to it, the others in pairs.
    /// Off the map anything will do, since no step leads there.
    pub fn of(hex: HexId, neighbours: &[HexId; 6]) -> Option<Pattern> {
        let offset = |to: HexId| i32::from(to.0) - i32::from(hex.0);
        let pair = |low: HexId, high: HexId| match (low.some(), high.some()) {
            (Some(low), Some(high)) => (offset(high) == offset(low) + 1).then(|| offset(low)),
            (Some(low), None) => Some(offset(low)),
            (None, Some(high)) => Some(offset(high) - 1),
            (None, None) => Some(0),
        };
        let [d0, d1, d2, d3, d4, d5] = *neighbours;
        let (before, after) = (pair(d2, d1)?, pair(d4, d5)?);
        let beside =
            d0.some().is_none_or(|d0| offset(d0) == 1) && d3.some().is_none_or(|d3| offset(d3) == -1);
        if !beside {
            return None;
        }
        let mut pattern = Pattern::default();
        for (place, offset) in PLACES.iter().zip([1, before + 1, before, -1, after, after + 1]) {
            pattern.0[usize::from(*place)] = u8::try_from(offset + MARGIN as i32).ok()?;
        }
        Some(pattern)
    }

    /// Where the column before and the column after begin to touch the hex.
    #[inline]
    pub fn columns(&self) -> (usize, usize) {
        let [.., before, _, after, _] = self.0;
        (before.into(), after.into())
    }
}

/// The six steps out of a hex, in one word: a byte for each at its [place](PLACES), and in the lowest [`Row::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row(pub u64);

impl Row {
    pub const SPECIAL: u8 = PATTERNS as u8;
    /// Not worked out yet.
    pub const UNKNOWN: Row = Row::new([ASK; 6], Row::SPECIAL);

    const fn new(steps: [u8; 6], kind: u8) -> Row {
        let [a, b, c, d, e, f] = steps;
        Row(u64::from_le_bytes([kind, d, 0, a, c, b, e, f]))
    }

    /// Quarter points by direction; [`SHUT`] where nobody goes by this kind of movement; [`ASK`] where whether the step is
    /// made, and at what cost, depends on the unit.
    pub fn steps(self) -> [u8; 6] {
        PLACES.map(|place| self.step(place))
    }

    /// The step whose byte is at this place.
    #[inline]
    pub fn step(self, place: u8) -> u8 {
        (self.0 >> (8 * (place % 8))) as u8
    }

    /// Which of the [`Pattern`]s; or [`Row::SPECIAL`] where a step must be asked about or no pattern fits.
    #[inline]
    pub fn kind(self) -> u8 {
        self.0 as u8
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
    patterns: Patterns,
}

/// How many patterns rows can name: a power of two. The hexes of a board that needs more are treated as special.
pub(super) const PATTERNS: usize = 4;

/// The patterns that rows name; unused ones are empty.
pub(super) type Patterns = [Pattern; PATTERNS];

/// The steps of one kind of mover.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    pub rows: &'a mut [Row; HEXES],
    pub patterns: &'a mut Patterns,
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
pub(super) fn with_steps<T>(
    rules: &Ardennes,
    s: &State,
    p: &Profile,
    look: impl FnOnce(&mut Steps) -> T,
) -> T {
    LAYS.with_borrow_mut(|lays| {
        let lay = lays[rules.ground(s) as usize * 2 + usize::from(p.boundaries)].get_or_insert_default();
        lay.update(rules, s);
        look(&mut Steps { rows: &mut lay.rows[p.mover as usize].0, patterns: &mut lay.patterns })
    })
}

impl Lay {
    fn update(&mut self, rules: &Ardennes, s: &State) {
        if self.seen.is_some_and(|seen| seen.same(s.stamp())) {
            return;
        }
        self.seen = Some(s.stamp());
        let Some((_, bridges)) = self.of.as_mut().filter(|(table, _)| table.same(rules.stamp)) else {
            return self.begin(rules, s);
        };
        if bridges.untouched(s.bridges()) {
            return;
        }
        for ((before, now), ends) in bridges.iter().zip(s.bridges()).zip(&rules.land.bridges) {
            if before.intact() != now.intact() {
                for rows in &mut self.rows {
                    for hex in ends {
                        rows.0[at(*hex)] = Row::UNKNOWN;
                    }
                }
            }
        }
        *bridges = *s.bridges();
    }

    fn begin(&mut self, rules: &Ardennes, s: &State) {
        for rows in &mut self.rows {
            rows.0.fill(Row::UNKNOWN);
        }
        self.patterns = Patterns::default();
        self.of = Some((rules.stamp, *s.bridges()));
    }
}

impl Steps<'_> {
    /// The steps out of a hex.
    pub fn row(&mut self, rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        let row = self.rows[at(hex)];
        if row == Row::UNKNOWN { self.work_out(rules, s, p, hex) } else { row }
    }

    #[cold]
    fn work_out(&mut self, rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        let anybody = p.anybody();
        let table = rules.land.steps(p.mover, rules.ground(s))[hex.index()];
        let steps = Direction::ALL.map(|direction| match table[direction.index()] {
            ASK => rules.step_of_anybody(s, &anybody, hex, direction),
            known => known,
        });
        let row = if steps.contains(&ASK) {
            Row::new(steps, Row::SPECIAL)
        } else {
            // Of the whole map: what is out of play makes no new patterns, and no step leads there.
            let pattern = Pattern::of(hex, rules.map.board.neighbour_row(hex));
            let kind = pattern.and_then(|pattern| self.name(pattern)).unwrap_or(Row::SPECIAL);
            Row::new(steps, kind)
        };
        self.rows[at(hex)] = row;
        row
    }

    /// The place of a pattern among all, if there is room for it.
    fn name(&mut self, pattern: Pattern) -> Option<u8> {
        let unused = Pattern::default();
        let place = self.patterns.iter().position(|known| *known == pattern || *known == unused)?;
        self.patterns[place] = pattern;
        Some(place as u8)
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
