//! Facts about distances, the chief terrain of hexes, hexsides and roads between hexes.

use std::collections::VecDeque;

use hexgrid::{HexId, HexSet, SideId};

use super::fact::Fact;
use super::facts::Answer;
use crate::{Map, RoadId, Side};

impl Map {
    pub(super) fn holds_of_hexes(&self, fact: &Fact) -> Answer {
        Ok(match fact {
            Fact::NotAdjacent { hexes: [a, b] } => (
                self.board.side_between(self.find(a)?, self.find(b)?).is_none(),
                format!("{a} and {b} share no hexside"),
            ),
            Fact::Distance { hexes: [a, b], is } => {
                let n = self.board.distance(self.find(a)?, self.find(b)?);
                (n == *is, format!("{a} and {b} are {is} hexes apart ({n})"))
            }
            Fact::HexCount { count } => {
                (self.board.len() == *count, format!("the map has {count} hexes ({})", self.board.len()))
            }
            Fact::ChiefTerrain { hexes, any } => {
                let mut wrong = Vec::new();
                for label in hexes {
                    let is = self.chief_terrain(self.find(label)?);
                    if !any.iter().any(|t| t == is) {
                        wrong.push(format!("{label} is {is}"));
                    }
                }
                let what = format!("{} is {}", hexes.join(", "), any.join(" or "));
                (wrong.is_empty(), format!("{what} {}", wrong.join(", ")).trim().to_owned())
            }
            Fact::Neighbours { of, terrain, count } => {
                let near = self.board.neighbours(self.find(of)?).map(|(_, n)| self.chief_terrain(n));
                let n = near.filter(|t| terrain.iter().any(|x| x == t)).count();
                (n == *count, format!("{count} hexes beside {of} are {} ({n})", terrain.join(" or ")))
            }
            Fact::Hexside { hexside, is, not, uphill, not_uphill, bridge, road } => {
                let id = self.find_side(hexside)?;
                let side = self.side(id);
                let mut ok = bridge.is_none_or(|b| side.bridge.is_some() == b);
                if let Some(kind) = is {
                    ok &= self.has_kind(side, kind)?;
                }
                for kind in not {
                    ok &= !self.has_kind(side, kind)?;
                }
                if let Some(high) = uphill {
                    ok &= side.uphill == Some(self.find(high)?);
                }
                if let Some(high) = not_uphill {
                    ok &= side.uphill != Some(self.find(high)?);
                }
                if let Some(class) = road {
                    ok &= side.road.map_or("none", |r| self.road_class(r).id.as_str()) == class;
                }
                let wanted = [is, uphill, road].into_iter().flatten().map(String::as_str);
                let wanted: Vec<&str> = wanted.collect();
                (ok, format!("hexside {hexside} as stated: {}", wanted.join(", ")))
            }
            Fact::HexsidesOf { hex, is, bridge, at_least } => {
                let h = self.find(hex)?;
                let mut n = 0;
                for s in self.board.sides(h) {
                    let side = self.side(*s);
                    let fits = self.has_kind(side, is)? && bridge.is_none_or(|b| side.bridge.is_some() == b);
                    n += usize::from(fits);
                }
                (n >= *at_least, format!("{hex} has {at_least} hexsides of {is} ({n})"))
            }
            Fact::RoadPath { from, to, classes, hexes } => {
                let mut roads = Vec::new();
                for class in classes {
                    roads.push(self.find_road(class)?);
                }
                let n = self.road_steps(self.find(from)?, self.find(to)?, &roads);
                let found = n.map_or("none".to_owned(), |n| n.to_string());
                (
                    n == Some(*hexes),
                    format!("{} from {from} to {to} in {hexes} hexes ({found})", classes.join(" or ")),
                )
            }
            Fact::InArea { area, hexes } => {
                let here = self.area(area).ok_or_else(|| format!("no area '{area}'"))?;
                let mut ok = true;
                for label in hexes {
                    ok &= here.hexes.contains(self.find(label)?);
                }
                (ok, format!("{} lie in {area}", hexes.join(", ")))
            }
            Fact::NoRoadOf { area, class } => {
                let here = self.area(area).ok_or_else(|| format!("no area '{area}'"))?.hexes;
                let class_id = self.find_road(class)?;
                let inside =
                    |s: SideId| self.board.side_hexes(s).into_iter().flatten().all(|h| here.contains(h));
                let ok = !self.board.side_ids().any(|s| inside(s) && self.side(s).road == Some(class_id));
                (ok, format!("no {class} road between hexes of {area}"))
            }
            Fact::RoadNear { hex, class, within } => {
                let (h, class_id) = (self.find(hex)?, self.find_road(class)?);
                let near = |x: &HexId| self.board.distance(*x, h) <= *within;
                let ok = self.board.ids().filter(near).any(|x| self.roads_of(x).any(|(_, r)| r == class_id));
                (ok, format!("a {class} road within {within} hexes of {hex}"))
            }
            Fact::Halves { rivers, count } => {
                let walls = self.hexsides_of_rivers(rivers);
                let mut seen = HexSet::new();
                let mut parts = 0;
                for start in self.board.ids() {
                    if !seen.insert(start) {
                        continue;
                    }
                    parts += 1;
                    let mut stack = vec![start];
                    while let Some(h) = stack.pop() {
                        for (d, n) in self.board.neighbours(h) {
                            if !walls.contains(&self.board.side(h, d)) && seen.insert(n) {
                                stack.push(n);
                            }
                        }
                    }
                }
                (parts == *count, format!("{} parts the map into {count} ({parts})", rivers.join(", ")))
            }
            _ => return self.holds_of_crossings(fact),
        })
    }

    /// The terrain of a hex in a game where it has only one: the settlement, otherwise the ground.
    fn chief_terrain(&self, hex: HexId) -> &str {
        &self.terrain_kind(self.settlement(hex).unwrap_or_else(|| self.ground(hex))).id
    }

    fn has_kind(&self, side: Side, kind: &str) -> Result<bool, String> {
        let id = self.hexside_id(kind).ok_or_else(|| format!("no hexside kind '{kind}'"))?;
        Ok(side.kinds.contains(id))
    }

    fn find_road(&self, class: &str) -> Result<RoadId, String> {
        self.road_id(class).ok_or_else(|| format!("no road class '{class}'"))
    }

    /// Number of hexes along the shortest path by roads of these classes.
    fn road_steps(&self, from: HexId, to: HexId, classes: &[RoadId]) -> Option<u32> {
        let mut queue = VecDeque::from([(from, 0)]);
        let mut seen: HexSet = std::iter::once(from).collect();
        while let Some((h, n)) = queue.pop_front() {
            if h == to {
                return Some(n);
            }
            for (d, road) in self.roads_of(h) {
                if let Some(next) = self.board.neighbour(h, d).filter(|_| classes.contains(&road))
                    && seen.insert(next)
                {
                    queue.push_back((next, n + 1));
                }
            }
        }
        None
    }
}
