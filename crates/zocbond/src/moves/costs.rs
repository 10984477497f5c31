//! The cost of each step for each kind of mover, as far as terrain and bridges decide it. Units are not considered
//! here; they are the [`Obstacles`](super::Obstacles) of a search. Rows are computed when a search first reaches a hex,
//! and kept until the state of the bridges there changes.

use hexgrid::{Direction, HexId};

use super::{ASK, Guide};
use crate::{Bridges, HEXES, Span, Stamp};

/// The index of a hex in arrays of [`HEXES`]; [`HexId::NONE`] gets the last one, which no board uses.
#[inline]
pub(crate) fn at(hex: HexId) -> usize {
    hex.index() % HEXES
}

/// Padding at both ends of arrays of all hexes, for neighbours that would be beyond them.
pub const MARGIN: usize = 128;

/// A word about the neighbours of a hex has a byte for each; this is the byte of each direction. The order is that of
/// an array of all hexes: first the neighbours in the hex's own column, around its own byte, then those in the column
/// before it, then those in the column after it. So a word can be read from an array in three pieces.
pub const NEIGHBOUR_BYTES: [u8; 6] = [3, 5, 4, 1, 6, 7];

/// The direction of a byte, if it has one.
#[inline]
pub(crate) fn direction_at(place: u8) -> Option<Direction> {
    const DIRECTIONS: [Option<Direction>; 8] = {
        let mut all = [None; 8];
        let mut index = 0;
        while index < NEIGHBOUR_BYTES.len() {
            all[NEIGHBOUR_BYTES[index] as usize] = Some(Direction::from_index(index));
            index += 1;
        }
        all
    };
    DIRECTIONS[usize::from(place) % DIRECTIONS.len()]
}

/// The offsets of a hex's neighbours in an array of all hexes, plus [`MARGIN`], in the order of [`NEIGHBOUR_BYTES`]. On
/// a board numbered by columns all hexes share two patterns, and data about the neighbours is found without a table of
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pattern(pub [u8; 8]);

impl Pattern {
    /// The pattern of a hex, if its neighbours are in consecutive positions: the first and the fourth next to the hex,
    /// the others in pairs. Neighbours off the map may be anywhere, since no step leads there.
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
        for (place, offset) in NEIGHBOUR_BYTES.iter().zip([1, before + 1, before, -1, after, after + 1]) {
            pattern.0[usize::from(*place)] = u8::try_from(offset + MARGIN as i32).ok()?;
        }
        Some(pattern)
    }

    /// The offsets at which the adjacent hexes of the column before and of the column after begin.
    #[inline]
    pub fn columns(&self) -> (usize, usize) {
        let [.., before, _, after, _] = self.0;
        (before.into(), after.into())
    }
}

/// The six steps out of a hex, in one word: a byte for each ([`NEIGHBOUR_BYTES`]), and in the lowest [`Row::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(pub u64);

impl Row {
    pub const SPECIAL: u8 = PATTERNS as u8;
    /// A row that has not been computed yet.
    pub const UNKNOWN: Row = Row::new([ASK; 6], Row::SPECIAL);

    const fn new(steps: [u8; 6], kind: u8) -> Row {
        let [a, b, c, d, e, f] = steps;
        Row(u64::from_le_bytes([kind, d, 0, a, c, b, e, f]))
    }

    /// Costs by direction; [`SHUT`](super::SHUT) where this kind of movement is never possible; [`ASK`] where it
    /// depends on the unit whether the step is possible and what it costs.
    pub fn steps(self) -> [u8; 6] {
        NEIGHBOUR_BYTES.map(|place| self.step(place))
    }

    /// The cost of the step whose byte has this index.
    #[inline]
    pub fn step(self, place: u8) -> u8 {
        (self.0 >> (8 * (place % 8))) as u8
    }

    /// The index of the row's [`Pattern`]; or [`Row::SPECIAL`] if a step must be asked about or no pattern fits.
    #[inline]
    pub fn kind(self) -> u8 {
        self.0 as u8
    }
}

/// The steps according to one terrain chart: a table of rows for each kind of mover.
#[derive(Debug)]
pub struct StepCosts<B: Span, const KINDS: usize> {
    kept: Kept<B>,
    rows: [Rows; KINDS],
    patterns: Patterns,
}

impl<B: Span, const KINDS: usize> Default for StepCosts<B, KINDS> {
    fn default() -> Self {
        StepCosts {
            kept: Kept::default(),
            rows: std::array::from_fn(|_| Rows::default()),
            patterns: Patterns::default(),
        }
    }
}

/// How many patterns rows can name: a power of two. Hexes of a board that needs more are treated as special.
pub const PATTERNS: usize = 4;

/// The patterns that rows name; unused ones are empty.
pub type Patterns = [Pattern; PATTERNS];

/// The steps of one kind of mover.
#[derive(Debug)]
pub struct Steps<'a> {
    pub rows: &'a mut [Row; HEXES],
    pub patterns: &'a mut Patterns,
}

/// The rows of one kind of mover, by hex.
#[derive(Debug)]
struct Rows(Box<[Row; HEXES]>);

impl Default for Rows {
    fn default() -> Self {
        let rows = vec![Row::UNKNOWN; HEXES].into_boxed_slice();
        Rows(rows.try_into().expect("there are as many as that"))
    }
}

impl<B: Span, const KINDS: usize> StepCosts<B, KINDS> {
    /// The steps of one kind of mover in a position. `table` is the stamp of the rules and this chart, `position` that
    /// of the position; `ends` are the two hexes of each bridge.
    pub fn steps(
        &mut self,
        table: Stamp,
        position: Stamp,
        bridges: &Bridges<B>,
        ends: &[[HexId; 2]],
        kind: usize,
    ) -> Steps<'_> {
        self.update(table, position, bridges, ends);
        Steps { rows: &mut self.rows[kind].0, patterns: &mut self.patterns }
    }

    fn update(&mut self, table: Stamp, position: Stamp, bridges: &Bridges<B>, ends: &[[HexId; 2]]) {
        let StepCosts { kept, rows, patterns } = self;
        kept.update(table, position, bridges, ends, |hex| match hex {
            Some(hex) => rows.iter_mut().for_each(|rows| rows.0[at(hex)] = Row::UNKNOWN),
            None => {
                for rows in rows.iter_mut() {
                    rows.0.fill(Row::UNKNOWN);
                }
                *patterns = Patterns::default();
            }
        });
    }
}

/// What the stored rows are valid for.
#[derive(Debug)]
struct Kept<B: Span> {
    /// The table and the bridges.
    of: Option<(Stamp, Bridges<B>)>,
    /// The position for which the bridges were last compared.
    seen: Option<Stamp>,
}

impl<B: Span> Default for Kept<B> {
    fn default() -> Self {
        Kept { of: None, seen: None }
    }
}

impl<B: Span> Kept<B> {
    /// Calls `forget` with the hexes of bridges whose state has changed, or with none if all rows belong to another
    /// table.
    fn update(
        &mut self,
        table: Stamp,
        position: Stamp,
        bridges: &Bridges<B>,
        ends: &[[HexId; 2]],
        mut forget: impl FnMut(Option<HexId>),
    ) {
        if self.seen.is_some_and(|seen| seen.same(position)) {
            return;
        }
        self.seen = Some(position);
        let Some((_, before)) = self.of.as_mut().filter(|(of, _)| of.same(table)) else {
            forget(None);
            self.of = Some((table, *bridges));
            return;
        };
        if before.untouched(bridges) {
            return;
        }
        for ((before, now), ends) in before.iter().zip(bridges).zip(ends) {
            if before.intact() != now.intact() {
                for hex in ends {
                    forget(Some(*hex));
                }
            }
        }
        *before = *bridges;
    }
}

/// What the terrain says about the six steps out of each hex, as values of the game: a row for each hex and kind of
/// mover, computed when it is first needed and kept until the state of the bridges there changes.
#[derive(Debug)]
pub struct LandSteps<T, B: Span, const KINDS: usize> {
    kept: Kept<B>,
    rows: [Vec<Option<[T; 6]>>; KINDS],
}

impl<T, B: Span, const KINDS: usize> Default for LandSteps<T, B, KINDS> {
    fn default() -> Self {
        LandSteps { kept: Kept::default(), rows: std::array::from_fn(|_| Vec::new()) }
    }
}

impl<T: Copy, B: Span, const KINDS: usize> LandSteps<T, B, KINDS> {
    /// To be called before rows are read for another position; see [`StepCosts::steps`].
    pub fn update(&mut self, table: Stamp, position: Stamp, bridges: &Bridges<B>, ends: &[[HexId; 2]]) {
        let rows = &mut self.rows;
        self.kept.update(table, position, bridges, ends, |hex| match hex {
            Some(hex) => rows.iter_mut().for_each(|rows| {
                if let Some(row) = rows.get_mut(hex.index()) {
                    *row = None;
                }
            }),
            None => rows.iter_mut().for_each(Vec::clear),
        });
    }

    /// The steps out of a hex for one kind of mover, if they have been computed.
    #[inline]
    pub fn known(&self, kind: usize, hex: HexId) -> Option<&[T; 6]> {
        self.rows[kind].get(hex.index())?.as_ref()
    }

    /// The steps out of a hex for one kind of mover.
    #[inline]
    pub fn row(&mut self, kind: usize, hex: HexId, work_out: impl FnOnce() -> [T; 6]) -> &[T; 6] {
        let rows = &mut self.rows[kind];
        if rows.len() <= hex.index() {
            rows.resize(HEXES, None);
        }
        rows[hex.index()].get_or_insert_with(work_out)
    }
}

impl Steps<'_> {
    /// The steps out of a hex.
    pub fn row<G: Guide>(&mut self, guide: &G, hex: HexId) -> Row {
        let row = self.rows[at(hex)];
        if row == Row::UNKNOWN { self.work_out(guide, hex) } else { row }
    }

    #[cold]
    fn work_out<G: Guide>(&mut self, guide: &G, hex: HexId) -> Row {
        let steps = guide.land_steps(hex);
        let row = if steps.contains(&ASK) {
            Row::new(steps, Row::SPECIAL)
        } else {
            // Use the neighbours on the whole board: hexes out of play then make no additional patterns, and no step
            // leads there.
            let pattern = Pattern::of(hex, guide.topology().around_on_board(hex));
            let kind = pattern.and_then(|pattern| self.name(pattern)).unwrap_or(Row::SPECIAL);
            Row::new(steps, kind)
        };
        self.rows[at(hex)] = row;
        row
    }

    /// The index of a pattern, which is added if there is room for it.
    fn name(&mut self, pattern: Pattern) -> Option<u8> {
        let unused = Pattern::default();
        let place = self.patterns.iter().position(|known| *known == pattern || *known == unused)?;
        self.patterns[place] = pattern;
        Some(place as u8)
    }
}
