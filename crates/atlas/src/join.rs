//! Boards joined into one map, as each scenario of a geomorphic game does.

use hexgrid::{Board, HexId, HexSet, Labels, Layout, SideId};

use crate::{
    format::MapError,
    map::{
        Area, BoardPoint, Bridge, Entry, Feature, Map, Place, Spot, SupplySource, VictoryHex, Watercourse,
    },
    names::Names,
};

/// The position of one board's hexes and points on the joined map.
struct PlacedBoard<'a> {
    board: &'a Map,
    /// The joined map's hex of each hex of the board.
    hexes: Vec<HexId>,
    sides: Vec<SideId>,
    turned: bool,
    from: hexgrid::Point,
    to: hexgrid::Point,
}

impl PlacedBoard<'_> {
    fn hex(&self, hex: HexId) -> HexId {
        self.hexes[hex.index()]
    }

    fn side(&self, side: SideId) -> SideId {
        self.sides[side.index()]
    }

    fn hex_set(&self, set: &HexSet) -> HexSet {
        set.iter().map(|h| self.hex(h)).collect()
    }

    fn sides(&self, sides: &[SideId]) -> Vec<SideId> {
        sides.iter().map(|s| self.side(*s)).collect()
    }

    fn point(&self, [x, y]: BoardPoint) -> BoardPoint {
        let sign = if self.turned { -1.0 } else { 1.0 };
        [
            (self.to.x + sign * (f64::from(x) - self.from.x)) as f32,
            (self.to.y + sign * (f64::from(y) - self.from.y)) as f32,
        ]
    }

    fn line(&self, line: &[BoardPoint]) -> Vec<BoardPoint> {
        line.iter().map(|p| self.point(*p)).collect()
    }

    /// Ids are made unique by the name of their board.
    fn id(&self, id: &str) -> String {
        format!("{}-{id}", self.board.id)
    }
}

impl Map {
    /// Joins boards. The sheets of `labels` say where each board lies and which way up; every hex keeps the label it
    /// has on its own board. Where boards overlap (the half hexes along their edges) the first one's terrain counts,
    /// and hexsides and roads of both. All boards must declare the same kinds.
    pub fn join(id: &str, name: Names, labels: Labels, boards: &[&Self]) -> Result<Self, MapError> {
        let error = |why: String| MapError { file: id.to_owned(), line: None, why };
        let Some(first) = boards.first() else { return Err(error("no boards to join".to_owned())) };
        let board = Board::full(labels).map_err(|e| error(e.to_string()))?;
        let mut joined = Self {
            id: id.to_owned(),
            name,
            terrain_kinds: first.terrain_kinds.clone(),
            hexside_kinds: first.hexside_kinds.clone(),
            road_classes: first.road_classes.clone(),
            factions: first.factions.clone(),
            default_source: first.default_source.clone(),
            ..Self::blank(board)
        };
        let mut covered = HexSet::new();
        for b in boards {
            let same = b.terrain_kinds == joined.terrain_kinds
                && b.hexside_kinds == joined.hexside_kinds
                && b.road_classes == joined.road_classes
                && b.factions == joined.factions;
            if !same {
                return Err(error(format!("{} and {} declare different kinds", first.id, b.id)));
            }
            let laid = joined.lay(b).map_err(error)?;
            for hex in b.board.ids() {
                if covered.insert(laid.hex(hex)) {
                    let to = laid.hex(hex).index();
                    joined.ground[to] = b.ground(hex);
                    joined.terrain[to] = b.terrain(hex);
                    joined.elevation[to] = b.elevation(hex);
                    joined.control[to] = b.control(hex);
                }
            }
            joined.copy_sides(&laid);
            joined.copy_lists(&laid);
        }
        if covered.len() < joined.board.len() {
            let bare = joined.board.ids().find(|h| !covered.contains(*h)).map_or("", |h| joined.label(h));
            return Err(error(format!("no board covers {bare}")));
        }
        Ok(joined)
    }

    /// Finds the position of a board by the labels of its hexes.
    fn lay<'a>(&self, b: &'a Map) -> Result<PlacedBoard<'a>, String> {
        let hexes = b
            .board
            .ids()
            .map(|h| self.board.find(b.label(h)))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| e.to_string())?;
        // On a board that is upside down, north and south are exchanged.
        let turned = b.board.ids().find_map(|h| {
            let (d, n) = b.board.neighbours(h).next()?;
            let way = self.board.direction_to(hexes[h.index()], hexes[n.index()])?;
            Some(way == d.opposite())
        });
        let turned = turned.unwrap_or(false);
        let sides = b
            .board
            .side_ids()
            .map(|s| {
                let side = b.board.hexside(s);
                let (hex, d) = match b.board.side_hexes(s) {
                    [Some(h), _] => (h, side.direction()),
                    [None, h] => (h.unwrap_or(HexId(0)), side.direction().opposite()),
                };
                self.board.side(hexes[hex.index()], if turned { d.opposite() } else { d })
            })
            .collect();
        let layout = Layout::new(b.board.orientation(), 1.0);
        let first = HexId(0);
        Ok(PlacedBoard {
            from: layout.centre(b.board.hex(first)),
            to: layout.centre(self.board.hex(hexes[first.index()])),
            board: b,
            hexes,
            sides,
            turned,
        })
    }

    fn copy_sides(&mut self, laid: &PlacedBoard) {
        let b = laid.board;
        for s in b.board.side_ids() {
            let old = b.side(s);
            let new = &mut self.sides[laid.side(s).index()];
            new.kinds.0 |= old.kinds.0;
            new.road = match (new.road, old.road) {
                (Some(x), Some(y)) => Some(x.min(y)),
                (x, y) => x.or(y),
            };
            new.uphill = new.uphill.or(old.uphill.map(|h| laid.hex(h)));
        }
        for bridge in &b.bridges {
            self.set_bridge(Bridge { side: laid.side(bridge.side), ..bridge.clone() });
        }
        for (h, source) in &b.hex_sources {
            self.hex_sources.insert(laid.hex(*h), source.clone());
        }
        for (s, source) in &b.side_sources {
            self.side_sources.insert(laid.side(*s), source.clone());
        }
    }

    fn copy_lists(&mut self, laid: &PlacedBoard) {
        let b = laid.board;
        self.places.extend(b.places.iter().map(|p| Place {
            id: laid.id(&p.id),
            hex: laid.hex(p.hex),
            at: p.at.map(|at| laid.point(at)),
            ..p.clone()
        }));
        self.watercourses.extend(b.watercourses.iter().map(|w| Watercourse {
            id: laid.id(&w.id),
            into: w.into.as_ref().map(|id| laid.id(id)),
            hexsides: laid.sides(&w.hexsides),
            through: w.through.iter().map(|h| laid.hex(*h)).collect(),
            course: w.course.iter().map(|line| laid.line(line)).collect(),
            ..w.clone()
        }));
        self.areas.extend(b.areas.iter().map(|a| Area {
            id: laid.id(&a.id),
            hexes: laid.hex_set(&a.hexes),
            line: laid.sides(&a.line),
            ..a.clone()
        }));
        self.entries.extend(b.entries.iter().map(|e| Entry {
            id: laid.id(&e.id),
            hexes: e.hexes.iter().map(|h| laid.hex(*h)).collect(),
            ..e.clone()
        }));
        self.victory.extend(b.victory.iter().map(|v| VictoryHex {
            hex: laid.hex(v.hex),
            place: laid.id(&v.place),
            ..v.clone()
        }));
        self.supply.extend(b.supply.iter().map(|s| SupplySource { hex: laid.hex(s.hex), ..s.clone() }));
        self.features.extend(b.features.iter().map(|f| Feature {
            at: match &f.at {
                Spot::Hex(h) => Spot::Hex(laid.hex(*h)),
                Spot::Hexside(s) => Spot::Hexside(laid.side(*s)),
                Spot::Line(line) => Spot::Line(laid.line(line)),
            },
            ..f.clone()
        }));
    }
}
