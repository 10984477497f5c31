//! Line of sight (4.1.4): what a straight line between the centres of two hexes meets, and whether it is blocked.
//!
//! Nothing here changes during a game (vehicles and wrecks have no height, smoke only hinders), so the hexes visible
//! from a hex are computed once it has been queried often enough, and kept as a set.

mod line;
mod lines;
mod section;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

use hexgrid::{Board, Direction, Hex, HexId, HexSet};

use crate::field::{Edge, Field, Terrain};
use crate::pack::{SightFigures, Tables};

pub use line::{Met, Relation};
use lines::Lines;
pub use section::{Section, SectionObstacle, SectionStep};

/// One end of a line: a hex, and the height of the unit in it.
pub type End = (HexId, i8);

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    Hex(HexId),
    Hexside(HexId, HexId),
}

impl Obstacle {
    /// `T7`, or `T7/U6` for a hexside.
    pub fn label(self, field: &Field) -> String {
        match self {
            Obstacle::Hex(hex) => field.label(hex).to_owned(),
            Obstacle::Hexside(a, b) => {
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                format!("{}/{}", field.label(a), field.label(b))
            }
        }
    }
}

/// What a line of sight meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    pub clear: bool,
    pub blocked_by: Option<Obstacle>,
    /// The rule that decided, such as `4.1.4.2.4`.
    pub case: &'static str,
}

/// A cell of the rectangle around the board, in which neighbours have fixed offsets. Cells off the board exist too, and
/// are not obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell(u32);

impl Cell {
    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What line of sight needs to know about a hex.
#[derive(Clone, Copy, Debug)]
struct Lie {
    hex: HexId,
    /// Of the hill (4.1.4.1.4).
    elevation: i8,
    /// The level of a vehicle in it: one less in a gully.
    ground: i8,
    /// The top of what stands on the ground.
    top: i8,
    /// Whether the hex can be an obstacle at all (4.1.4.1.1, 4.1.4.1.2).
    obstacle: bool,
    /// The bed of a gully runs through the hex, under a bridge or not.
    bed: bool,
    /// A vehicle here stands in the gully.
    gully: bool,
    grove: bool,
    sides: [Side; 6],
}

/// Off the board.
const BESIDE: Lie = Lie {
    hex: HexId::NONE,
    elevation: 0,
    ground: 0,
    top: 0,
    obstacle: false,
    bed: false,
    gully: false,
    grove: false,
    sides: [Side { top: None, slope: false, lane: false }; 6],
};

/// What line of sight needs to know about a hexside.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Top of a crest or hedgerow; `None` where there is neither.
    top: Option<i8>,
    slope: bool,
    /// A road or path crosses it (4.1.4.1.3, 4.1.4.1.7).
    lane: bool,
}

/// Line of sight over one field.
#[derive(Clone, Debug)]
pub struct Los {
    board: Board,
    lines: Lines,
    /// The cell of each hex, and the offset of the next cell in each direction.
    cells: Vec<Cell>,
    ways: [u32; 6],
    lies: Vec<Lie>,
    /// The height of the highest obstacle in a cell or on its hexsides: most cells have none.
    highest: Vec<i8>,
    figures: SightFigures,
    rows: Vec<Row>,
}

/// The hexes visible from a hex, once known, and the number of single queries before.
#[derive(Debug, Default)]
struct Row {
    known: OnceLock<Box<HexSet>>,
    asked: AtomicU16,
}

impl Clone for Row {
    fn clone(&self) -> Row {
        Row { known: self.known.clone(), asked: AtomicU16::default() }
    }
}

/// After this many queries of single lines, everything visible from a hex is computed, which is then cheaper.
const ENOUGH: u16 = 500;

/// There is no obstacle in the cell.
const NOTHING: i8 = i8::MIN;

impl Los {
    pub fn new(field: &Field, tables: &Tables) -> Los {
        let board = &field.board;
        let hexes = || board.ids().map(|id| board.hex(id));
        let span = |of: fn(Hex) -> i16| {
            let (least, most) = hexes().map(of).fold((i16::MAX, i16::MIN), |(a, b), x| (a.min(x), b.max(x)));
            (least, (most - least) as u16)
        };
        let ((q, wide), (r, high), (_, aslant)) = (span(|h| h.q), span(|h| h.r), span(|h| h.q + h.r));
        // A ring of cells around the board, so that every hex has six neighbours.
        let width = u32::from(wide) + 3;
        let cells: Vec<Cell> =
            hexes().map(|hex| Cell((hex.r - r + 1) as u32 * width + (hex.q - q + 1) as u32)).collect();
        let ways = Direction::ALL.map(|d| {
            let step = Hex::step(d);
            (step.r as u32).wrapping_mul(width).wrapping_add(step.q as u32)
        });
        let size = (width * (u32::from(high) + 3)) as usize;
        let (mut lies, mut highest) = (vec![BESIDE; size], vec![NOTHING; size]);
        for (hex, cell) in board.ids().zip(&cells) {
            let lie = lie(field, tables, hex);
            let own = if lie.obstacle { lie.top } else { NOTHING };
            let sides = lie.sides.iter().filter_map(|side| side.top).max();
            highest[cell.index()] = own.max(sides.unwrap_or(NOTHING));
            lies[cell.index()] = lie;
        }
        Los {
            board: board.clone(),
            lines: Lines::new(wide.max(high).max(aslant)),
            cells,
            ways,
            lies,
            highest,
            figures: tables.sight,
            rows: vec![Row::default(); field.count()],
        }
    }

    #[inline]
    fn lie(&self, hex: HexId) -> &Lie {
        &self.lies[self.cells[hex.index()].index()]
    }

    /// The adjacent cell; a step off the ring around the board is never taken.
    #[inline]
    fn next(&self, cell: Cell, direction: Direction) -> Cell {
        Cell(cell.0.wrapping_add(self.ways[direction.index()]))
    }

    /// Whether units in these hexes can see each other, apart from range.
    #[inline]
    pub fn clear(&self, a: HexId, b: HexId) -> bool {
        let [from, to] = [a, b].map(|hex| &self.rows[hex.index()]);
        match (from.known.get(), to.known.get()) {
            (Some(row), _) => row.contains(b),
            (None, Some(row)) => row.contains(a), // 4.1.4: sight is mutual
            (None, None) => {
                // The count may miss some queries, which does no harm.
                let asked = from.asked.load(Ordering::Relaxed);
                from.asked.store(asked.saturating_add(1), Ordering::Relaxed);
                if asked < ENOUGH { self.sees(a, b) } else { self.visible_from(a).contains(b) }
            }
        }
    }

    /// Every hex with a line of sight to this one, itself included.
    #[inline]
    pub fn visible_from(&self, hex: HexId) -> &HexSet {
        self.rows[hex.index()].known.get_or_init(|| {
            // Sight is mutual (4.1.4): results of other hexes need not be computed again.
            let seen = |other: &HexId| match self.rows[other.index()].known.get() {
                Some(row) => row.contains(hex),
                None => self.sees(hex, *other),
            };
            Box::new(self.board.ids().filter(seen).collect())
        })
    }

    /// The same, computed from scratch.
    pub fn look_from(&self, hex: HexId) -> HexSet {
        self.board.ids().filter(|other| self.sees(hex, *other)).collect()
    }

    /// Computes what is visible from every hex, so that no later query has to wait.
    pub fn prepare(&self) {
        for hex in self.board.ids() {
            self.visible_from(hex);
        }
    }

    /// The complete answer, with what blocks and why. The same in both directions (4.1.4).
    #[inline]
    pub fn between(&self, a: HexId, b: HexId) -> Sight {
        self.sight(a, b)
    }

    /// How many of these Brew-Up smoke hexes hinder fire between the two (4.4.3.2.2, 4.1.4.1.9); `at_any_height`:
    /// including those lower than both units.
    pub fn smoke(&self, a: End, b: End, smoke: &HexSet, at_any_height: bool) -> u8 {
        if smoke.is_empty() {
            return 0;
        }
        let lower = a.1.min(b.1);
        let hinders = |hex| smoke.contains(hex) && (at_any_height || self.smoke_hinders(lower, hex));
        let mut count = 0;
        self.hexes_on(a.0, b.0, |hex| count += u8::from(hinders(hex)));
        count
    }

    /// Smoke no higher than the lower of both units does not hinder (4.1.4.2.3; docs/RULINGS.md).
    fn smoke_hinders(&self, lower: i8, smoke: HexId) -> bool {
        self.height(smoke) + self.figures.smoke > lower
    }

    /// The highest point of a hex: the top of trees or buildings (6.7.3.1.3).
    pub fn top(&self, hex: HexId) -> i8 {
        self.lie(hex).top
    }

    /// Height of a vehicle in a hex (4.1.4.1).
    pub fn height(&self, hex: HexId) -> i8 {
        self.lie(hex).ground
    }
}

fn lie(field: &Field, tables: &Tables, hex: HexId) -> Lie {
    let g = field.ground(hex);
    let ground = field.height(hex);
    let own = tables.terrain[g.terrain as usize].height;
    let rise = match g.terrain {
        t if t.building() => own * g.storeys.max(1) as i8, // 4.1.4.1.3
        Terrain::Gully => 0,
        _ => own.max(0), // 4.1.4.1.1
    };
    let bed = g.terrain == Terrain::Gully || g.ditch; // 4.1.4.1.6, 6.1.4.3.4
    let side = |direction| {
        let edge = field.edge(hex, direction);
        let other = field.neighbour(hex, direction);
        // 4.1.4.1.5, 4.1.4.1.10: from the higher of both hexes.
        let base = other.map(|other| field.elevation(hex).max(field.elevation(other)));
        let crest = base.filter(|_| edge.any(Edge::CREST)).map(|base| base + tables.sight.crest);
        let hedgerow = base.filter(|_| edge.any(Edge::HEDGEROW)).map(|base| base + tables.sight.hedgerow);
        Side {
            top: crest.max(hedgerow),
            slope: edge.any(Edge::SLOPE),
            lane: edge.any(Edge::ROAD.with(Edge::PATH)),
        }
    };
    Lie {
        hex,
        elevation: g.elevation,
        ground,
        top: ground + rise, // 4.1.4.1, 4.1.4.1.4: what stands on a hill stands on top of it
        obstacle: rise >= 1 || ground >= 1, // 4.1.4.1.2
        bed,
        gully: g.terrain == Terrain::Gully && !g.bridge || g.ditch,
        grove: g.terrain.grove(),
        sides: Direction::ALL.map(side),
    }
}
