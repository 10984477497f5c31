//! The walk along a line, obstacle by obstacle (4.1.4.2).

use std::ops::ControlFlow;

use hexgrid::{Direction, HexId, HexSet};

use super::{
    Cell, Lie, Los, NOTHING, Obstacle, Sight,
    lines::{Line, Pass},
};

/// The relation of an obstacle to the two units (4.1.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Higher than both: blocks.
    Above,
    /// As high as the higher, and higher than the lower: blocks.
    Level,
    /// Not higher than either: does not block.
    Below,
    /// Between the two heights: hides this many hexes behind it.
    Between { zone: u8, hidden: bool },
    /// A hex of a continuous slope down toward the lower unit: does not block.
    Slope,
}

impl Relation {
    pub const fn blocks(self) -> bool {
        matches!(self, Relation::Above | Relation::Level | Relation::Between { hidden: true, .. })
    }

    pub const fn rule(self) -> &'static str {
        match self {
            Relation::Above => "4.1.4.2.1",
            Relation::Level => "4.1.4.2.2",
            Relation::Below => "4.1.4.2.3",
            Relation::Between { .. } => "4.1.4.2.4",
            Relation::Slope => "4.1.4.1.5.1",
        }
    }

    /// How close this relation comes to blocking: the answer for a clear line cites the closest.
    const fn weight(self) -> u8 {
        match self {
            Relation::Below => 0,
            Relation::Slope => 1,
            Relation::Between { .. } => 2,
            Relation::Above | Relation::Level => 3,
        }
    }
}

/// An obstacle on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    pub obstacle: Obstacle,
    pub top: i8,
    /// From the higher unit: to the obstacle's hex, or to the near hex of its hexside (4.1.4.2.4).
    pub range: u16,
    pub relation: Relation,
    /// Set if units see past the terrain of the hex along a road or path (4.1.4.1.3, 4.1.4.1.7).
    pub along_road: Option<&'static str>,
}

/// The two units, the higher first; units of equal height in the order of their hexes, so that a line is the same in
/// both directions.
#[derive(Clone, Copy)]
struct Ends<'a> {
    high: Cell,
    low: Cell,
    hi: i8,
    lo: i8,
    /// From the higher to the lower.
    line: Line<'a>,
}

impl Los {
    #[inline]
    fn ends(&self, a: HexId, b: HexId) -> Ends<'_> {
        self.ends_at((a, self.height(a)), (b, self.height(b)))
    }

    /// The same for units at given heights.
    #[inline]
    fn ends_at(&self, (a, hi): (HexId, i8), (b, lo): (HexId, i8)) -> Ends<'_> {
        let (high, low, hi, lo) =
            if hi > lo || (hi == lo && a < b) { (a, b, hi, lo) } else { (b, a, lo, hi) };
        let line = self.lines.line(self.board.hex(low) - self.board.hex(high));
        Ends { high: self.cells[high.index()], low: self.cells[low.index()], hi, lo, line }
    }

    /// Whether the line is clear, without the reason.
    pub(super) fn sees(&self, a: HexId, b: HexId) -> bool {
        a == b || self.is_open(&self.ends(a, b), |met| met.relation)
    }

    /// Whether the line is clear between units at these heights: on an upper floor or a roof (6.1.4.3.1).
    pub fn clear_at(&self, a: (HexId, i8), b: (HexId, i8)) -> bool {
        a.0 == b.0 || self.is_open(&self.ends_at(a, b), |met| met.relation)
    }

    /// The same where some hexes have lost their terrain (6.1.4.3.9).
    pub fn clear_over(&self, a: (HexId, i8), b: (HexId, i8), flat: &HexSet) -> bool {
        if a.0 == b.0 {
            return true;
        }
        let ends = self.ends_at(a, b);
        self.is_open(&ends, |met| match met.obstacle {
            Obstacle::Hex(hex) if flat.contains(hex) => self.relation(&ends, self.lie(hex).ground, met.range),
            _ => met.relation,
        })
    }

    /// Whether nothing blocks the line between the ends; `relation` says how an obstacle on it counts.
    #[inline]
    fn is_open(&self, ends: &Ends, relation: impl Fn(&Met) -> Relation) -> bool {
        let bed = match self.gully(ends) {
            Gully::Hides(_) => return false,
            Gully::Bed => true,
            Gully::No => false,
        };
        // An obstacle no higher than both does not block (4.1.4.2.3), so it is skipped.
        let walked = self.walk(ends, bed, ends.lo, |met| {
            if relation(&met).blocks() { ControlFlow::Break(met) } else { ControlFlow::Continue(()) }
        });
        walked.is_continue()
    }

    /// See [`Los::between`].
    pub(super) fn sight(&self, a: HexId, b: HexId) -> Sight {
        if a == b {
            return Sight { clear: true, blocked_by: None, case: "4.1.4" };
        }
        let ends = self.ends(a, b);
        let bed = match self.gully(&ends) {
            Gully::Hides(hex) => {
                return Sight { clear: false, blocked_by: Some(Obstacle::Hex(hex)), case: "4.1.4.1.6" };
            }
            Gully::Bed => true,
            Gully::No => false,
        };
        let mut clear = Sight { clear: true, blocked_by: None, case: "4.1.4.2.3" };
        let mut weight = 0;
        if bed {
            clear.case = "4.1.4.1.6";
        } else if self.lie(a).top > ends.hi || self.lie(b).top > ends.hi {
            clear.case = "4.1.4.2.5"; // one hex into or out of blocking terrain
        }
        let walked = self.walk(&ends, bed, NOTHING, |met| {
            if met.relation.blocks() {
                return ControlFlow::Break(met);
            }
            if let Some(rule) = met.along_road {
                (clear.case, weight) = (rule, 3);
            } else if met.relation.weight() > weight {
                (clear.case, weight) = (met.relation.rule(), met.relation.weight());
            }
            ControlFlow::Continue(())
        });
        match walked {
            ControlFlow::Break(met) => {
                Sight { clear: false, blocked_by: Some(met.obstacle), case: met.relation.rule() }
            }
            ControlFlow::Continue(()) => clear,
        }
    }

    /// Every obstacle on the line, whatever its effect, in order from the higher unit.
    pub fn obstacles(&self, a: HexId, b: HexId) -> Vec<Met> {
        let mut all = Vec::new();
        if a != b {
            let ends = self.ends(a, b);
            let bed = matches!(self.gully(&ends), Gully::Bed);
            // Nothing stops this walk.
            let _ = self.walk(&ends, bed, NOTHING, |met| {
                all.push(met);
                ControlFlow::Continue(())
            });
        }
        all
    }

    /// 4.1.4.1.6: between a gully and a place at most one level above it, only adjacent units see each other, and units
    /// in one straight gully.
    fn gully(&self, ends: &Ends) -> Gully {
        let of = |cell: Cell| &self.lies[cell.index()];
        let (high, low) = (of(ends.high), of(ends.low));
        let hides = |gully: i8, other: i8| other <= gully + 1;
        let hidden = if low.gully && hides(ends.lo, ends.hi) {
            low.hex
        } else if high.gully && hides(ends.hi, ends.lo) {
            high.hex
        } else {
            return Gully::No;
        };
        let straight_bed = || {
            let Some(way) = ends.line.row else { return false };
            let mut at = ends.high;
            (0..=ends.line.range).all(|_| {
                let bed = of(at).bed;
                at = self.next(at, way);
                bed
            })
        };
        if high.gully && low.gully && straight_bed() {
            Gully::Bed
        } else if ends.line.range > 1 {
            Gully::Hides(hidden)
        } else {
            Gully::No
        }
    }

    /// Calls `visit` for every obstacle that reaches above a height, from the higher unit to the lower, until it breaks.
    #[inline]
    fn walk(
        &self,
        ends: &Ends,
        bed: bool,
        above: i8,
        mut visit: impl FnMut(Met) -> ControlFlow<Met>,
    ) -> ControlFlow<Met> {
        let mut here = ends.high;
        // The range of `here` from the higher unit.
        let mut at = 0;
        for (pass, range) in ends.line.steps() {
            // 4.1.4.1.5.1: whether `next` is reached down a slope; such a run may begin anywhere on the line.
            let (next, run) = match pass {
                Pass::Cross(d) => {
                    let next = self.next(here, d);
                    if self.highest[next.index()] > above
                        && let Some(top) = self.lies[here.index()].sides[d.index()].top
                    {
                        visit(self.hexside(ends, [here, next], top, at))?;
                    }
                    (next, self.falls(here, d))
                }
                // A hexside that is touched only at its end point is not crossed (4.1.4.2.6; docs/RULINGS.md).
                Pass::Corner(d) => (self.next(here, d), self.falls(here, d)),
                Pass::Along(left) => {
                    let right = left.clockwise();
                    let beside = [left, right].map(|d| self.next(here, d));
                    // 4.1.4.2.6: the line meets both hexes of the hexside, and what is on it.
                    if beside.iter().any(|cell| self.highest[cell.index()] > above) {
                        let across = right.clockwise();
                        if let Some(top) = self.lies[beside[0].index()].sides[across.index()].top {
                            visit(self.hexside(ends, beside, top, at + 1))?;
                        }
                        for (cell, d) in beside.into_iter().zip([left, right]) {
                            self.hex(ends, bed, cell, at + 1, self.falls(here, d), &mut visit)?;
                        }
                    }
                    // The slope goes down on both sides, as far as there is ground.
                    let run = beside
                        .into_iter()
                        .zip([right, left])
                        .all(|(cell, on)| self.lies[cell.index()].hex == HexId::NONE || self.falls(cell, on));
                    (self.next(beside[0], right), run)
                }
            };
            // 4.1.4.2.5: the terrain of the two units' own hexes is not an obstacle; the hexsides around them are.
            if self.highest[next.index()] > above && next != ends.low {
                self.hex(ends, bed, next, range, run, &mut visit)?;
            }
            (here, at) = (next, range);
        }
        ControlFlow::Continue(())
    }

    /// Down a slope to the next hex.
    #[inline]
    fn falls(&self, from: Cell, direction: Direction) -> bool {
        let (lie, to) = (&self.lies[from.index()], self.next(from, direction));
        lie.sides[direction.index()].slope && self.lies[to.index()].elevation < lie.elevation
    }

    /// A hex on the line, if it can be an obstacle.
    fn hex(
        &self,
        ends: &Ends,
        bed: bool,
        cell: Cell,
        range: u16,
        run: bool,
        visit: &mut impl FnMut(Met) -> ControlFlow<Met>,
    ) -> ControlFlow<Met> {
        let lie = &self.lies[cell.index()];
        // Units in one straight gully see each other along it (4.1.4.1.6).
        if !lie.obstacle || bed && lie.bed {
            return ControlFlow::Continue(());
        }
        let mut top = lie.top;
        let mut along_road = None;
        if lie.top > lie.ground && lane(ends, lie) {
            top = lie.ground; // 4.1.4.1.3, 4.1.4.1.7
            along_road = Some(if lie.grove { "4.1.4.1.7" } else { "4.1.4.1.3" });
        }
        let relation = if run && top == lie.ground {
            Relation::Slope // 4.1.4.1.5.1
        } else if along_road.is_some() && top < 1 {
            Relation::Below
        } else {
            self.relation(ends, top, range)
        };
        visit(Met { obstacle: Obstacle::Hex(lie.hex), top, range, relation, along_road })
    }

    /// A crest or hedgerow. The range is that of the near hex: the hidden zone begins with the far one (4.1.4.2.4;
    /// docs/RULINGS.md).
    fn hexside(&self, ends: &Ends, cells: [Cell; 2], top: i8, range: u16) -> Met {
        let [a, b] = cells.map(|cell| self.lies[cell.index()].hex);
        let relation = self.relation(ends, top, range);
        Met { obstacle: Obstacle::Hexside(a, b), top, range, relation, along_road: None }
    }

    /// 4.1.4.2: the relation of an obstacle of this height to the two units.
    #[inline]
    fn relation(&self, ends: &Ends, top: i8, range: u16) -> Relation {
        if top <= ends.lo {
            return Relation::Below; // 4.1.4.2.3
        }
        if top > ends.hi {
            return Relation::Above; // 4.1.4.2.1
        }
        if top == ends.hi {
            return Relation::Level; // 4.1.4.2.2
        }
        let zone = self.blind_zone(ends.hi - top, ends.lo, range);
        let hidden = range < ends.line.range && ends.line.range <= range + zone;
        Relation::Between { zone: zone.min(u16::from(u8::MAX)) as u8, hidden } // 4.1.4.2.4
    }

    /// 4.1.4.2.4: hexes hidden behind an obstacle this far below the higher unit, at this range from it.
    fn blind_zone(&self, below: i8, lower: i8, range: u16) -> u16 {
        let Some(base) = self.figures.divisors.get((below - 1) as usize) else { return 1 };
        // 4.1.4.2.4.1
        let divisor = (i16::from(*base) + i16::from(lower)).max(2) as u16;
        (range / divisor).max(1)
    }

    /// Every hex that the line passes through or along, including both ends.
    pub(crate) fn hexes_on(&self, a: HexId, b: HexId, mut each: impl FnMut(HexId)) {
        for step in self.board.line(a, b) {
            match step {
                hexgrid::BoardLineStep::Hex { hex, .. } => hex.into_iter().for_each(&mut each),
                hexgrid::BoardLineStep::Along { left, right, .. } => {
                    left.into_iter().chain(right).for_each(&mut each);
                }
                hexgrid::BoardLineStep::Vertex { .. } => {}
            }
        }
    }
}

/// A road or path enters and leaves a hex of a straight row of hexes by the hexsides that the line crosses.
fn lane(ends: &Ends, lie: &Lie) -> bool {
    let Some(way) = ends.line.row else { return false };
    [way, way.opposite()].into_iter().all(|d| lie.sides[d.index()].lane)
}

/// The effect of gullies on a line (4.1.4.1.6).
enum Gully {
    No,
    /// Both units are in one straight bed.
    Bed,
    /// The gully in this hex hides the unit in it.
    Hides(HexId),
}
