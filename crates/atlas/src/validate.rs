//! Requirements of any map, whatever its game: unbroken chains, bridges on water, places on hexes.

use std::collections::BTreeMap;
use std::fmt;

use hexgrid::{HexId, Vertex};

use crate::map::{BridgeKind, Layer, Map, Watercourse};

/// A fault of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The hex, hexside or item.
    pub what: String,
    pub why: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

impl Map {
    /// All faults of the map; empty if there are none.
    pub fn validate(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        self.validate_hexes(&mut found);
        self.validate_sides(&mut found);
        self.validate_roads(&mut found);
        for w in &self.watercourses {
            self.validate_river(w, &mut found);
        }
        self.validate_lists(&mut found);
        found
    }

    fn validate_hexes(&self, found: &mut Vec<Finding>) {
        for hex in self.board.ids() {
            let kinds: Vec<Layer> = self.terrain(hex).iter().map(|k| self.terrain_kind(k).layer).collect();
            let count = |layer: Layer| kinds.iter().filter(|l| **l == layer).count();
            if count(Layer::Ground) != 1 || !self.terrain(hex).contains(self.ground(hex)) {
                found.push(finding(self.label(hex), "must have exactly one ground"));
            }
            if count(Layer::Settlement) > 1 {
                found.push(finding(self.label(hex), "has more than one settlement"));
            }
        }
    }

    fn validate_sides(&self, found: &mut Vec<Finding>) {
        let (water, lakes) = (self.water_kinds(), self.lake_kinds());
        for side in self.board.side_ids() {
            let s = self.side(side);
            let wet = s.kinds.intersects(water);
            let label = || self.side_label(side);
            if s.kinds.0.count_ones() > 1 && (s.kinds.0 & water.0).count_ones() > 1 {
                found.push(finding(label(), "has two kinds of water"));
            }
            if s.uphill.is_some() && s.kinds.0 == 0 {
                found.push(finding(label(), "goes uphill, but no hexside kind says what it is"));
            }
            if s.bridge.is_some() && !wet {
                found.push(finding(label(), "a bridge without water under it"));
            }
            if s.bridge.is_some() && s.kinds.intersects(lakes) {
                found.push(finding(label(), "a bridge over a lake"));
            }
            if s.road.is_some() && wet && s.bridge.is_none() {
                found.push(finding(label(), "a road over water without a bridge"));
            }
        }
        for (i, b) in self.bridges.iter().enumerate() {
            if b.kind != BridgeKind::Road && self.side(b.side).road.is_some() {
                found.push(finding(
                    self.side_label(b.side),
                    format!("a road over a {} crossing", b.kind.id()),
                ));
            }
            if self.side(b.side).bridge.is_none_or(|id| id.0 as usize != i) {
                found.push(finding(self.side_label(b.side), "two bridges on one hexside"));
            }
            if let Some(n) = b.number
                && self.bridges.iter().filter(|x| x.number == Some(n)).count() > 1
            {
                found.push(finding(self.side_label(b.side), format!("bridge number {n} is given twice")));
            }
        }
    }

    /// A road ends at a place, a crossing or the edge of the map, and no road is cut off from the rest.
    fn validate_roads(&self, found: &mut Vec<Finding>) {
        let mut pieces = UnionFind::default();
        let mut first = None;
        for hex in self.board.ids() {
            let roads: Vec<_> = self.roads_of(hex).collect();
            for (d, _) in &roads {
                if let Some(n) = self.board.neighbour(hex, *d) {
                    pieces.join(hex, n);
                }
            }
            if roads.is_empty() {
                continue;
            }
            first.get_or_insert(hex);
            let anchored = self.settlement(hex).is_some()
                || self.board.is_edge(hex)
                || self.places.iter().any(|p| p.hex == hex)
                || self.supply.iter().any(|s| s.hex == hex);
            if roads.len() == 1 && !anchored {
                found.push(finding(self.label(hex), "a road ends here at nothing"));
            }
        }
        let Some(first) = first else { return };
        let main = pieces.root(first);
        let mut reported = Vec::new();
        for hex in self.board.ids().filter(|h| self.roads_of(*h).next().is_some()) {
            let root = pieces.root(hex);
            // A small inline map may show two roads that meet beyond it: then each piece touches the edge.
            if root != main && !reported.contains(&root) && !self.piece_touches_edge(&mut pieces, root) {
                reported.push(root);
                found.push(finding(self.label(hex), "a road that is cut off from the others"));
            }
        }
    }

    fn piece_touches_edge(&self, pieces: &mut UnionFind<HexId>, root: HexId) -> bool {
        self.board.ids().any(|h| self.board.is_edge(h) && pieces.known(h) && pieces.root(h) == root)
    }

    /// A river's hexsides and the hexes it runs through form one chain, or pieces that leave by the map's edge, and it
    /// reaches the river it flows into.
    fn validate_river(&self, w: &Watercourse, found: &mut Vec<Finding>) {
        let water = self.water_kinds();
        for side in &w.hexsides {
            if !self.side(*side).kinds.intersects(water) {
                found.push(finding(&w.id, format!("{} is not a water hexside", self.side_label(*side))));
            }
        }
        let mut pieces = UnionFind::default();
        let mut corners: Vec<Vertex> = Vec::new();
        for chain in self.river_links(w) {
            for v in &chain {
                pieces.join(chain[0], *v);
            }
            corners.extend(chain);
        }
        // Hexsides shared with another river are listed under that river, but still connect the pieces of this one.
        let others: Vec<[Vertex; 2]> = self
            .board
            .side_ids()
            .filter(|s| self.side(*s).kinds.intersects(water))
            .map(|s| self.board.hexside(s).vertices())
            .collect();
        let mut near = corners.clone();
        for [a, b] in &others {
            if corners.contains(a) || corners.contains(b) {
                near.extend([*a, *b]);
            }
        }
        for [a, b] in others.iter().filter(|ends| ends.iter().all(|v| near.contains(v))) {
            pieces.join(*a, *b);
        }
        let mut roots: BTreeMap<Vertex, bool> = BTreeMap::new();
        for v in &corners {
            let root = pieces.root(*v);
            *roots.entry(root).or_default() |= self.at_edge(*v);
        }
        // A reach that is too small for the map is only drawn (`course`); it may lie between two pieces.
        if w.course.is_empty() && roots.len() > 1 && roots.values().any(|edge| !edge) {
            found.push(finding(&w.id, format!("is not one continuous river but {} pieces", roots.len())));
        }
        if let Some(into) = w.into.as_ref().and_then(|id| self.watercourses.iter().find(|x| x.id == *id)) {
            let target: Vec<Vertex> = self.river_links(into).into_iter().flatten().collect();
            let meets = corners.iter().any(|v| target.contains(v));
            // The mouth may be on the very edge of the map, where hexsides are not part of the map.
            let edge = corners.iter().any(|v| self.at_edge(*v)) && target.iter().any(|v| self.at_edge(*v));
            if !corners.is_empty() && !target.is_empty() && !meets && !edge {
                found.push(finding(&w.id, format!("does not reach the {}", into.name.en)));
            }
        }
    }

    /// The corners that each hexside or hex of a river joins.
    pub(crate) fn river_links(&self, w: &Watercourse) -> Vec<Vec<Vertex>> {
        let sides = w.hexsides.iter().map(|s| self.board.hexside(*s).vertices().to_vec());
        let through = w.through.iter().map(|h| {
            hexgrid::Direction::ALL.into_iter().map(|d| Vertex::new(self.board.hex(*h), d)).collect()
        });
        sides.chain(through).collect()
    }

    /// Whether a corner touches a hex beyond the map.
    pub(crate) fn at_edge(&self, v: Vertex) -> bool {
        v.hexes().iter().any(|h| self.board.id(*h).is_none())
    }

    fn validate_lists(&self, found: &mut Vec<Finding>) {
        for e in &self.entries {
            for hex in e.hexes.iter().filter(|h| !self.board.is_edge(**h)) {
                found.push(finding(
                    format!("entry {}", e.id),
                    format!("{} is not on the map's edge", self.label(*hex)),
                ));
            }
        }
        for b in &self.boxes {
            for other in b.adjacent.iter().filter_map(|id| self.off_map_box(id)) {
                if !other.adjacent.contains(&b.id) {
                    found.push(finding(
                        format!("box {}", b.id),
                        format!("{} does not name it as its neighbour", other.id),
                    ));
                }
            }
        }
        for a in self.areas.iter().filter(|a| a.kind != "lake") {
            let mut pieces = UnionFind::default();
            for side in &a.line {
                let [x, y] = self.board.hexside(*side).vertices();
                pieces.join(x, y);
            }
            let mut roots: BTreeMap<Vertex, bool> = BTreeMap::new();
            for v in a.line.iter().flat_map(|s| self.board.hexside(*s).vertices()) {
                let root = pieces.root(v);
                *roots.entry(root).or_default() |= self.at_edge(v);
            }
            if roots.len() > 1 && roots.values().any(|edge| !edge) {
                found.push(finding(format!("area {}", a.id), "its line is broken"));
            }
        }
        for v in self.victory.iter().filter(|v| !v.place.is_empty() && self.place(&v.place).is_none()) {
            found.push(finding(self.label(v.hex), format!("Victory Hex of an unknown place '{}'", v.place)));
        }
    }
}

fn finding(what: impl Into<String>, why: impl Into<String>) -> Finding {
    Finding { what: what.into(), why: why.into() }
}

/// Which items are connected, directly or through others (union-find).
#[derive(Debug)]
pub(crate) struct UnionFind<T>(BTreeMap<T, T>);

impl<T> Default for UnionFind<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Copy + Ord> UnionFind<T> {
    pub fn known(&self, x: T) -> bool {
        self.0.contains_key(&x)
    }

    pub fn root(&mut self, x: T) -> T {
        let mut root = x;
        while let Some(&up) = self.0.get(&root)
            && up != root
        {
            root = up;
        }
        self.0.insert(x, root);
        root
    }

    pub fn join(&mut self, a: T, b: T) {
        let (a, b) = (self.root(a), self.root(b));
        self.0.insert(a, b);
        self.0.entry(b).or_insert(b);
    }
}
