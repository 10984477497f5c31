//! The walk along a line, obstacle by obstacle (4.1.4.2).

use std::ops::ControlFlow;

use hexgrid::{Direction, HexId, Move, Moves};

use super::{Los, Obstacle, Sight};

/// What an obstacle is to the two units (4.1.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Higher than both: blocks.
    Above,
    /// As high as the higher, and higher than the lower: blocks.
    Level,
    /// Not higher than either: does not block.
    Below,
    /// Between the two: hides so many hexes behind it.
    Between { zone: u8, hidden: bool },
    /// A hex of a continuous slope down from the higher unit: does not block.
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

    /// How much a clear line owes to this relation: the answer cites the one that came nearest to blocking.
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
    /// What stands in the hex is seen past along a road or path (4.1.4.1.3, 4.1.4.1.7).
    pub along_road: Option<&'static str>,
}

/// The two units, the higher first; equally high ones in the order of their hexes, so that a line is the same both ways.
#[derive(Clone, Copy, Debug)]
struct Ends {
    high: HexId,
    low: HexId,
    hi: i8,
    lo: i8,
    range: u16,
    /// Set if the line is a straight row of hexes.
    row: Option<Direction>,
}

impl Los {
    fn ends(&self, a: HexId, b: HexId) -> Ends {
        let (ha, hb) = (self.lies[a.index()].ground, self.lies[b.index()].ground);
        let (high, low, hi, lo) =
            if ha > hb || (ha == hb && a < b) { (a, b, ha, hb) } else { (b, a, hb, ha) };
        let step = self.board.hex(low) - self.board.hex(high);
        let row = match (step.q, step.r) {
            (0, r) if r < 0 => Some(Direction::D0),
            (0, r) if r > 0 => Some(Direction::D3),
            (q, 0) if q > 0 => Some(Direction::D2),
            (q, 0) if q < 0 => Some(Direction::D5),
            (q, r) if q == -r && q > 0 => Some(Direction::D1),
            (q, r) if q == -r && q < 0 => Some(Direction::D4),
            _ => None,
        };
        Ends { high, low, hi, lo, range: self.board.distance(a, b) as u16, row }
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
        } else if self.lies[a.index()].top > ends.hi || self.lies[b.index()].top > ends.hi {
            clear.case = "4.1.4.2.5"; // one hex into or out of blocking terrain
        }
        let blocked = self.walk(&ends, bed, |met| {
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
        match blocked {
            Some(met) => Sight { clear: false, blocked_by: Some(met.obstacle), case: met.relation.rule() },
            None => clear,
        }
    }

    /// Every obstacle on the line, whatever it does, in order from the higher unit.
    pub fn obstacles(&self, a: HexId, b: HexId) -> Vec<Met> {
        let mut all = Vec::new();
        if a != b {
            let ends = self.ends(a, b);
            let bed = matches!(self.gully(&ends), Gully::Bed);
            self.walk(&ends, bed, |met| {
                all.push(met);
                ControlFlow::Continue(())
            });
        }
        all
    }

    /// 4.1.4.1.6: between a gully and whatever is at most one level above it, only neighbours see each other, and
    /// units in one straight bed.
    fn gully(&self, ends: &Ends) -> Gully {
        let of = |hex: HexId| &self.lies[hex.index()];
        let (high, low) = (of(ends.high), of(ends.low));
        let hides = |gully: i8, other: i8| other <= gully + 1;
        let hidden = if low.gully && hides(ends.lo, ends.hi) {
            ends.low
        } else if high.gully && hides(ends.hi, ends.lo) {
            ends.high
        } else {
            return Gully::No;
        };
        let straight_bed = || {
            let Some(way) = ends.row else { return false };
            let mut at = Some(ends.high);
            for _ in 0..=ends.range {
                match at {
                    Some(hex) if of(hex).bed => at = self.board.neighbour(hex, way),
                    _ => return false,
                }
            }
            true
        };
        if high.gully && low.gully && straight_bed() {
            Gully::Bed
        } else if ends.range > 1 {
            Gully::Hides(hidden)
        } else {
            Gully::No
        }
    }

    /// Calls `visit` for every obstacle from the higher unit to the lower until it breaks.
    fn walk(&self, ends: &Ends, bed: bool, mut visit: impl FnMut(Met) -> ControlFlow<Met>) -> Option<Met> {
        let board = &self.board;
        let mut here = ends.high;
        // 4.1.4.1.5.1: the run of slopes down from the higher unit's hex is unbroken so far.
        let mut run = true;
        for step in Moves::new(board.hex(ends.high), board.hex(ends.low)) {
            match step {
                Move::Cross(d) => {
                    let side = &self.sides[board.side(here, d).index()];
                    let next = board.neighbour(here, d)?;
                    if let Some(top) = side.top {
                        let met = self.hexside(ends, here, next, top);
                        if let ControlFlow::Break(met) = visit(met) {
                            return Some(met);
                        }
                    }
                    run = run && side.slope && self.falls(here, next);
                    if next != ends.low
                        && let ControlFlow::Break(met) = self.hex(ends, bed, next, run, &mut visit)
                    {
                        return Some(met);
                    }
                    here = next;
                }
                // A hexside that is met in its end point only is not crossed (4.1.4.2.6; docs/RULINGS.md).
                Move::Corner { into, .. } => {
                    let next = board.neighbour(here, into)?;
                    run = run && self.sides[board.side(here, into).index()].slope && self.falls(here, next);
                    if next != ends.low
                        && let ControlFlow::Break(met) = self.hex(ends, bed, next, run, &mut visit)
                    {
                        return Some(met);
                    }
                    here = next;
                }
                // 4.1.4.2.6: both hexes of the hexside are met, and what lies on it.
                Move::Along { left, right } => {
                    let beside = [board.neighbour(here, left), board.neighbour(here, right)];
                    if let [Some(a), Some(b)] = beside
                        && let Some(top) = board.side_between(a, b).and_then(|s| self.sides[s.index()].top)
                    {
                        let met = self.hexside(ends, a, b, top);
                        if let ControlFlow::Break(met) = visit(met) {
                            return Some(met);
                        }
                    }
                    let mut on = run;
                    for (hex, d) in beside.into_iter().zip([left, right]) {
                        let Some(hex) = hex else { continue };
                        let down =
                            run && self.sides[board.side(here, d).index()].slope && self.falls(here, hex);
                        on &= down;
                        if let ControlFlow::Break(met) = self.hex(ends, bed, hex, down, &mut visit) {
                            return Some(met);
                        }
                    }
                    let next = board.id(board.hex(here).neighbour(left).neighbour(right))?;
                    let falls = |hex: Option<HexId>, d: Direction| {
                        hex.is_none_or(|hex| {
                            self.sides[board.side(hex, d).index()].slope && self.falls(hex, next)
                        })
                    };
                    run = on && falls(beside[0], right) && falls(beside[1], left);
                    if next != ends.low
                        && let ControlFlow::Break(met) = self.hex(ends, bed, next, run, &mut visit)
                    {
                        return Some(met);
                    }
                    here = next;
                }
            }
        }
        None
    }

    #[inline]
    fn falls(&self, from: HexId, to: HexId) -> bool {
        self.lies[to.index()].elevation < self.lies[from.index()].elevation
    }

    /// A hex on the line, if it can be an obstacle.
    #[inline]
    fn hex(
        &self,
        ends: &Ends,
        bed: bool,
        hex: HexId,
        run: bool,
        visit: &mut impl FnMut(Met) -> ControlFlow<Met>,
    ) -> ControlFlow<Met> {
        let lie = &self.lies[hex.index()];
        // Units in one straight bed see each other along it (4.1.4.1.6).
        if !lie.obstacle || bed && lie.bed {
            return ControlFlow::Continue(());
        }
        let mut top = lie.top;
        let mut along_road = None;
        if lie.top > lie.ground && self.lane(ends, hex) {
            top = lie.ground; // 4.1.4.1.3, 4.1.4.1.7
            along_road = Some(if lie.grove { "4.1.4.1.7" } else { "4.1.4.1.3" });
        }
        let range = self.board.distance(ends.high, hex) as u16;
        let relation = if run && top == lie.ground {
            Relation::Slope // 4.1.4.1.5.1
        } else if along_road.is_some() && top < 1 {
            Relation::Below
        } else {
            self.relation(ends, top, range)
        };
        visit(Met { obstacle: Obstacle::Hex(hex), top, range, relation, along_road })
    }

    /// A crest or hedgerow; its hexes are given in any order.
    fn hexside(&self, ends: &Ends, a: HexId, b: HexId, top: i8) -> Met {
        // Counted to the near hex: what is hidden begins with the far one (4.1.4.2.4; docs/RULINGS.md).
        let range = self.board.distance(ends.high, a).min(self.board.distance(ends.high, b)) as u16;
        let relation = self.relation(ends, top, range);
        Met { obstacle: Obstacle::Hexside(a, b), top, range, relation, along_road: None }
    }

    /// A road or path enters and leaves a hex of a straight row of hexes by the hexsides that the line crosses.
    fn lane(&self, ends: &Ends, hex: HexId) -> bool {
        let Some(way) = ends.row else { return false };
        [way, way.opposite()].into_iter().all(|d| self.sides[self.board.side(hex, d).index()].lane)
    }

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
        let hidden = range < ends.range && ends.range <= range + zone;
        Relation::Between { zone: zone.min(u16::from(u8::MAX)) as u8, hidden } // 4.1.4.2.4
    }

    /// 4.1.4.2.4: hexes hidden behind an obstacle so far below the higher unit, at this range from it.
    fn blind_zone(&self, below: i8, lower: i8, range: u16) -> u16 {
        let Some(base) = self.figures.divisors.get((below - 1) as usize) else { return 1 };
        // 4.1.4.2.4.1
        let divisor = (i16::from(*base) + i16::from(lower)).max(2) as u16;
        (range / divisor).max(1)
    }

    /// Every hex that the line passes through or along, both ends included.
    pub(super) fn hexes_on(&self, a: HexId, b: HexId, mut each: impl FnMut(HexId)) {
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

/// What gullies do to a line (4.1.4.1.6).
enum Gully {
    No,
    /// Both units are in one straight bed.
    Bed,
    /// The gully in this hex hides whoever is in it.
    Hides(HexId),
}
