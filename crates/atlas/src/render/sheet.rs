//! The sheet of paper: positions of the hexes, corners and hexsides of a map on it.

use hexgrid::{Direction, HexId, Layout, Point, SideId};

use super::geom::{HEX, P, Rect, noise, p, swing};
use crate::map::{BoardPoint, Map, Side};
use crate::names::Lang;

/// A map laid out on paper.
#[derive(Debug)]
pub(crate) struct Sheet<'a> {
    pub map: &'a Map,
    pub lang: Lang,
    pub layout: Layout,
    pub centre: Vec<P>,
    /// Clockwise; the side in direction `d` runs from corner `d - 1` to corner `d`.
    pub corners: Vec<[P; 6]>,
    /// Number of each corner in `vertices`; shared by the hexes that meet there.
    pub vertex: Vec<[u32; 6]>,
    pub vertices: Vec<P>,
    /// The two vertices of each hexside of the board, the lower number first.
    side_pairs: Vec<(u32, u32)>,
    /// How many hexes meet at each vertex.
    meeting: Vec<u8>,
    /// The neat line: the box around all hexes.
    pub frame: Rect,
    /// The part of the frame that is drawn.
    pub view: Rect,
    /// Desert: the ground that fills the map is drawn in the style `desert`.
    pub desert: bool,
}

fn from_point(q: Point) -> P {
    p(q.x, q.y)
}

impl<'a> Sheet<'a> {
    pub fn new(map: &'a Map, lang: Lang) -> Self {
        let board = &map.board;
        let hexes = || board.ids().map(|id| board.hex(id));
        let layout = Layout::new(board.orientation(), HEX / 3f64.sqrt()).fitted(hexes(), 0.0);
        let centre: Vec<P> = hexes().map(|h| from_point(layout.centre(h))).collect();
        let corners: Vec<[P; 6]> = hexes().map(|h| layout.corners(h).map(from_point)).collect();
        let mut ids = std::collections::HashMap::new();
        let mut vertices = Vec::new();
        let vertex: Vec<[u32; 6]> = corners
            .iter()
            .map(|c| {
                c.map(|q| {
                    let key = ((q.x * 4.0).round() as i64, (q.y * 4.0).round() as i64);
                    *ids.entry(key).or_insert_with(|| {
                        vertices.push(q);
                        vertices.len() as u32 - 1
                    })
                })
            })
            .collect();
        let mut meeting = vec![0; vertices.len()];
        for v in vertex.iter().flatten() {
            meeting[*v as usize] += 1;
        }
        let mut side_pairs = vec![(0, 0); board.side_count()];
        for id in board.ids() {
            for (d, side) in board.sides(id).iter().enumerate() {
                let (a, b) = (vertex[id.index()][(d + 5) % 6], vertex[id.index()][d]);
                side_pairs[side.index()] = (a.min(b), a.max(b));
            }
        }
        let desert = map.terrain_kinds.first().is_some_and(|k| k.style == "desert");
        let frame = if corners.is_empty() {
            Rect::around(p(0.0, 0.0), HEX, HEX)
        } else {
            Rect::of(corners.iter().flatten().copied())
        };
        Self {
            map,
            lang,
            layout,
            centre,
            corners,
            vertex,
            vertices,
            side_pairs,
            meeting,
            frame,
            view: frame,
            desert,
        }
    }

    /// Colour of bare ground, and of halos around things on it.
    pub fn paper(&self) -> &'static str {
        if self.desert { "#ebdab3" } else { "#ece7d8" }
    }

    /// The two ends of a hexside.
    pub fn side_ends(&self, hex: usize, d: usize) -> (P, P) {
        (self.corners[hex][(d + 5) % 6], self.corners[hex][d])
    }

    /// The two vertices of a hexside, in an order that does not depend on the hex.
    pub fn side_vertices(&self, side: SideId) -> (u32, u32) {
        self.side_pairs[side.index()]
    }

    /// The hexside of a hex in a direction.
    pub fn side_id(&self, hex: usize, d: usize) -> SideId {
        self.map.board.side(HexId(hex as u16), Direction::from_index(d))
    }

    pub fn side(&self, hex: usize, d: usize) -> Side {
        self.map.side(self.side_id(hex, d))
    }

    /// A hexside as one of its hexes on the board and the direction from it.
    pub fn hex_of_side(&self, side: SideId) -> Option<(usize, usize)> {
        let [a, b] = self.map.board.side_hexes(side);
        let d = self.map.board.hexside(side).direction();
        match (a, b) {
            (Some(a), _) => Some((a.index(), d.index())),
            (None, Some(b)) => Some((b.index(), d.opposite().index())),
            (None, None) => None,
        }
    }

    /// Converts a point of the pack to the sheet.
    pub fn point(&self, q: BoardPoint) -> P {
        let o = self.layout.origin;
        p(o.x + f64::from(q[0]) * self.layout.size, o.y + f64::from(q[1]) * self.layout.size)
    }

    pub fn side_mid(&self, hex: usize, d: usize) -> P {
        let (a, b) = self.side_ends(hex, d);
        a.lerp(b, 0.5)
    }

    pub fn neighbour(&self, hex: usize, d: usize) -> Option<usize> {
        self.map.board.neighbour(HexId(hex as u16), Direction::from_index(d)).map(HexId::index)
    }

    /// The hex of the board under a point.
    pub fn hex_at(&self, q: P) -> Option<usize> {
        let hex = self.layout.hex_at(Point::new(q.x, q.y));
        self.map.board.id(hex).map(HexId::index)
    }

    /// Whether a vertex lies on the edge of the board.
    pub fn on_edge(&self, v: u32) -> bool {
        self.meeting[v as usize] < 3
    }

    /// A vertex displaced a little, so that lines along hexsides look natural.
    pub fn soft_vertex(&self, v: u32) -> P {
        let q = self.vertices[v as usize];
        q + p(swing(i64::from(v), 1, 11), swing(i64::from(v), 2, 11)) * (0.045 * HEX)
    }

    /// Points along a hexside between its soft vertices (from the lower to the higher vertex number), with a meander.
    pub fn soft_side(&self, side: (u32, u32), meander: f64) -> [P; 5] {
        let (a, b) = (self.soft_vertex(side.0), self.soft_vertex(side.1));
        let n = (b - a).unit().right();
        let key = (i64::from(side.0), i64::from(side.1));
        let s = if swing(key.0, key.1, 12) > 0.0 { 1.0 } else { -1.0 };
        let bend = |k: u32| 0.55 + 0.45 * swing(key.0, key.1, 13 + k).abs();
        [
            a,
            a.lerp(b, 0.27) + n * (s * meander * bend(0)),
            a.lerp(b, 0.5) + n * (meander * 0.35 * swing(key.0, key.1, 16)),
            a.lerp(b, 0.73) - n * (s * meander * bend(1)),
            b,
        ]
    }

    /// Name of a thing in the language of the picture.
    pub fn word<'n>(&self, names: &'n crate::names::Names) -> &'n str {
        names.get(self.lang)
    }

    /// Could something within `r` of `q` be visible in the part that is drawn?
    pub fn sees(&self, q: P, r: f64) -> bool {
        self.view.grown(r).contains(q)
    }
}

/// A small displacement by position that makes lines look hand-drawn; the same at the same place for every line.
pub(crate) fn wobble(q: P) -> P {
    let (x, y) = (q.x / 31.0, q.y / 31.0);
    q + p(noise(x, y, 21), noise(x, y, 22)) * 2.6
}
