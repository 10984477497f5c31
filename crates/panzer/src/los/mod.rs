//! Line of sight (4.1.4): what a straight line between the centres of two hexes meets, and whether that blocks it.
//!
//! Nothing of this changes while a game is played (vehicles and wrecks have no height, smoke only hinders), so what can be
//! seen from a hex is worked out once, when it is first asked for, and kept as a set.

mod line;
mod section;

use std::sync::OnceLock;

use hexgrid::{Board, HexId, HexSet};

use crate::field::{Edge, Field, Terrain};
use crate::pack::{SightFigures, Tables};

pub use line::{Met, Relation};
pub use section::{Section, SectionObstacle, SectionStep};

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

/// What sight needs to know of a hex.
#[derive(Clone, Copy, Debug)]
struct Lie {
    /// Of the hill (4.1.4.1.4).
    elevation: i8,
    /// Of the ground that a vehicle stands on: one less in a gully.
    ground: i8,
    /// Of what stands on the ground.
    top: i8,
    /// Whether the hex can be an obstacle at all (4.1.4.1.1, 4.1.4.1.2).
    obstacle: bool,
    /// The bed of a gully runs through the hex, under a bridge or not.
    bed: bool,
    /// A vehicle here stands in the gully.
    gully: bool,
    grove: bool,
}

/// What sight needs to know of a hexside.
#[derive(Clone, Copy, Debug, Default)]
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
    lies: Vec<Lie>,
    sides: Vec<Side>,
    figures: SightFigures,
    rows: Vec<OnceLock<Box<HexSet>>>,
}

impl Los {
    pub fn new(field: &Field, tables: &Tables) -> Los {
        let figures = tables.sight;
        let lies: Vec<Lie> = field
            .hexes()
            .map(|hex| {
                let g = field.ground(hex);
                let ground = field.height(hex);
                let own = tables.terrain[g.terrain as usize].height;
                let rise = match g.terrain {
                    t if t.building() => own * g.storeys.max(1) as i8, // 4.1.4.1.3
                    Terrain::Gully => 0,
                    _ => own.max(0), // 4.1.4.1.1
                };
                let bed = g.terrain == Terrain::Gully;
                Lie {
                    elevation: g.elevation,
                    ground,
                    top: ground + rise,
                    obstacle: rise >= 1 || ground >= 1, // 4.1.4.1.2
                    bed,
                    gully: bed && !g.bridge,
                    grove: g.terrain.grove(),
                }
            })
            .collect();
        let sides = field
            .board
            .side_ids()
            .map(|side| {
                let [Some(a), Some(b)] = field.board.side_hexes(side) else { return Side::default() };
                let edge = field.edge(a, field.board.hexside(side).direction());
                // 4.1.4.1.5, 4.1.4.1.10: from the higher of both hexes.
                let base = field.elevation(a).max(field.elevation(b));
                let crest = edge.any(Edge::CREST).then_some(base + figures.crest);
                let hedgerow = edge.any(Edge::HEDGEROW).then_some(base + figures.hedgerow);
                Side {
                    top: crest.max(hedgerow),
                    slope: edge.any(Edge::SLOPE),
                    lane: edge.any(Edge::ROAD.with(Edge::PATH)),
                }
            })
            .collect();
        let rows = vec![OnceLock::new(); field.count()];
        Los { board: field.board.clone(), lies, sides, figures, rows }
    }

    /// Can units in these hexes see each other (range apart)?
    #[inline]
    pub fn clear(&self, a: HexId, b: HexId) -> bool {
        self.visible_from(a).contains(b)
    }

    /// Every hex with a line of sight to this one, itself included.
    #[inline]
    pub fn visible_from(&self, hex: HexId) -> &HexSet {
        self.rows[hex.index()].get_or_init(|| {
            // Sight is mutual (4.1.4): what another hex has found out already need not be worked out again.
            let seen = |other: &HexId| match self.rows[other.index()].get() {
                Some(row) => row.contains(hex),
                None => self.sight(hex, *other).clear,
            };
            Box::new(self.board.ids().filter(seen).collect())
        })
    }

    /// Works out what can be seen from every hex, so that nobody waits for it later.
    pub fn prepare(&self) {
        for hex in self.board.ids() {
            self.visible_from(hex);
        }
    }

    /// The whole answer, with what blocks and why. The same both ways (4.1.4).
    #[inline]
    pub fn between(&self, a: HexId, b: HexId) -> Sight {
        self.sight(a, b)
    }

    /// How many of these Brew-Up smoke hexes hinder fire between the two (4.4.3.2.2, 4.1.4.1.9).
    pub fn smoke(&self, a: HexId, b: HexId, smoke: &HexSet) -> u8 {
        if smoke.is_empty() {
            return 0;
        }
        let mut count = 0;
        self.hexes_on(a, b, |hex| count += u8::from(smoke.contains(hex) && self.smoke_hinders(a, b, hex)));
        count
    }

    /// Smoke no higher than both units hinders nobody (4.1.4.2.3; docs/RULINGS.md).
    fn smoke_hinders(&self, a: HexId, b: HexId, smoke: HexId) -> bool {
        let lower = self.lies[a.index()].ground.min(self.lies[b.index()].ground);
        self.lies[smoke.index()].ground + self.figures.smoke > lower
    }

    /// Height of a vehicle in a hex (4.1.4.1).
    pub fn height(&self, hex: HexId) -> i8 {
        self.lies[hex.index()].ground
    }
}
