//! The map during compilation: places, the graph of hexsides, and every layer once it is decided.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use crate::{
    Error,
    fit::Fit,
    grid::{self, Corner, Cost, Edge, Hex, Line, Point, edge},
    source::{self, LatLon, RoadClass, Sources},
};

/// A gazetteer row with the hex it falls into.
#[derive(Debug)]
pub struct Located {
    pub row: source::Place,
    pub hex: Hex,
}

/// The terrain of a hex's ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    Clear,
    LightWoods,
    Forest,
    WoodedRough,
}

impl Ground {
    pub const fn id(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::LightWoods => "light_woods",
            Self::Forest => "forest",
            Self::WoodedRough => "wooded_rough",
        }
    }
}

/// Size of a settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    None,
    Village,
    Town,
    City,
}

impl Size {
    pub fn parse(s: &str) -> Option<Self> {
        Some(match s {
            "none" => Self::None,
            "village" => Self::Village,
            "town" => Self::Town,
            "city" => Self::City,
            _ => return None,
        })
    }

    pub const fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Village => "village",
            Self::Town => "town",
            Self::City => "city",
        }
    }
}

/// One stretch of a river on the map.
#[derive(Debug)]
pub enum Piece {
    Sides(Vec<(Corner, Corner, Step)>),
    Valley(Vec<Hex>),
}

/// How a river gets from one corner to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Side(Edge),
    Through(Hex),
}

/// A road that leaves the map.
#[derive(Clone, Debug)]
pub struct Exit {
    pub class: RoadClass,
    pub to: String,
}

#[derive(Debug)]
pub struct World<'a> {
    pub src: &'a Sources,
    pub fit: Fit,
    pub hexes: Vec<Hex>,
    pub hexset: BTreeSet<Hex>,
    /// The map with a margin of two hexes, so that lines may leave it and return.
    pub wide: BTreeSet<Hex>,
    pub problems: Vec<String>,
    pub places: Vec<Located>,
    by_name: HashMap<String, usize>,
    by_folded: HashMap<String, usize>,
    pub corners: BTreeMap<Corner, Vec<(Corner, Edge)>>,
    // rivers
    pub river_sides: BTreeMap<Edge, (usize, bool)>,
    pub river_pieces: Vec<Vec<Piece>>,
    pub through: BTreeMap<Hex, BTreeSet<usize>>,
    pub valley: BTreeSet<Hex>,
    pub river_corners: Vec<BTreeSet<Corner>>,
    pub bridges: BTreeMap<Edge, source::Bridge>,
    pub lakes: BTreeMap<Edge, usize>,
    // ground
    pub ground: BTreeMap<Hex, Ground>,
    pub wooded_rough: BTreeSet<Hex>,
    pub towns: BTreeMap<Hex, (Size, String)>,
    pub names: BTreeMap<Hex, Vec<(Size, String)>>,
    // roads
    pub roads: BTreeMap<Edge, RoadClass>,
    pub exits: BTreeMap<(Hex, Hex), Exit>,
    pub kept_roads: BTreeSet<Edge>,
    // military
    pub front: Vec<Edge>,
    pub german: BTreeSet<Hex>,
    pub westwall: BTreeSet<Hex>,
    pub boundaries: Vec<Vec<Edge>>,
    pub areas: BTreeMap<String, BTreeSet<Hex>>,
    pub entries: Vec<(Hex, source::Entry)>,
    pub victory: BTreeMap<Hex, (String, String)>,
    pub dumps: Vec<(Hex, usize)>,
}

impl<'a> World<'a> {
    pub fn new(src: &'a Sources) -> Result<Self, Error> {
        let fit = Fit::new(&src.fit);
        let hexes = fit.all_hexes();
        let hexset: BTreeSet<Hex> = hexes.iter().copied().collect();
        let mut wide = hexset.clone();
        for _ in 0..2 {
            let ring: Vec<Hex> = wide.iter().flat_map(|h| grid::neighbours(*h)).collect();
            wide.extend(ring);
        }
        let mut corners: BTreeMap<Corner, Vec<(Corner, Edge)>> = BTreeMap::new();
        let mut done = BTreeSet::new();
        for &h in &wide {
            for n in grid::neighbours(h) {
                let e = edge(h, n);
                if let Some((a, b)) = grid::side_corners(h, n)
                    && done.insert(e)
                {
                    corners.entry(a).or_default().push((b, e));
                    corners.entry(b).or_default().push((a, e));
                }
            }
        }
        let rivers = src.rivers.river.len();
        let mut w = Self {
            src,
            fit,
            hexes,
            hexset,
            wide,
            problems: Vec::new(),
            places: Vec::new(),
            by_name: HashMap::new(),
            by_folded: HashMap::new(),
            corners,
            river_sides: BTreeMap::new(),
            river_pieces: (0..rivers).map(|_| Vec::new()).collect(),
            through: BTreeMap::new(),
            valley: BTreeSet::new(),
            river_corners: vec![BTreeSet::new(); rivers],
            bridges: BTreeMap::new(),
            lakes: BTreeMap::new(),
            ground: BTreeMap::new(),
            wooded_rough: BTreeSet::new(),
            towns: BTreeMap::new(),
            names: BTreeMap::new(),
            roads: BTreeMap::new(),
            exits: BTreeMap::new(),
            kept_roads: BTreeSet::new(),
            front: Vec::new(),
            german: BTreeSet::new(),
            westwall: BTreeSet::new(),
            boundaries: Vec::new(),
            areas: BTreeMap::new(),
            entries: Vec::new(),
            victory: BTreeMap::new(),
            dumps: Vec::new(),
        };
        w.load_places()?;
        Ok(w)
    }

    fn load_places(&mut self) -> Result<(), Error> {
        for row in &self.src.places {
            let fitted = self.fit.hex(row.lat, row.lon);
            let hex = if row.pin.is_empty() {
                if !row.hex.is_empty() && self.fit.parse(&row.hex) != Some(fitted) {
                    self.problems.push(format!(
                        "gazetteer.csv: {} is listed in {} but falls into {}",
                        row.name,
                        row.hex,
                        self.fit.label(fitted)
                    ));
                }
                fitted
            } else {
                self.hex(&row.pin, "gazetteer.csv")?
            };
            if Size::parse(&row.class).is_none() {
                return Err(Error::Field {
                    file: "gazetteer.csv",
                    item: row.name.clone(),
                    why: format!("class '{}': expected none, village, town or city", row.class),
                });
            }
            let index = self.places.len();
            if self.by_name.insert(row.name.clone(), index).is_some() {
                return Err(Error::Field {
                    file: "gazetteer.csv",
                    item: row.name.clone(),
                    why: "listed twice".to_owned(),
                });
            }
            self.by_folded.insert(fold(&row.name), index);
            self.places.push(Located { row: row.clone(), hex });
        }
        Ok(())
    }

    /// A hex by its printed number.
    pub fn hex(&self, label: &str, file: &'static str) -> Result<Hex, Error> {
        self.fit.parse(label).ok_or_else(|| Error::Field {
            file,
            item: label.to_owned(),
            why: "not a hex number: expected E or W and four digits".to_owned(),
        })
    }

    /// A hexside written as `E1005/E1006`.
    pub fn edge(&self, text: &str, file: &'static str) -> Result<Edge, Error> {
        let bad = |why: &str| Error::Field { file, item: text.to_owned(), why: why.to_owned() };
        let (a, b) =
            text.split_once('/').ok_or_else(|| bad("a hexside is written as two hexes: E1005/E1006"))?;
        let (a, b) = (self.hex(a, file)?, self.hex(b, file)?);
        if grid::adjacent(a, b) { Ok(edge(a, b)) } else { Err(bad("the two hexes are not neighbours")) }
    }

    /// A place of the gazetteer; accents may be left out.
    pub fn place(&self, name: &str, file: &'static str) -> Result<&Located, Error> {
        self.by_name
            .get(name)
            .or_else(|| self.by_folded.get(&fold(name)))
            .map(|i| &self.places[*i])
            .ok_or_else(|| Error::Field {
                file,
                item: name.to_owned(),
                why: "no such place in gazetteer.csv".to_owned(),
            })
    }

    pub fn plane(&self, p: &LatLon) -> Point {
        self.fit.plane(p[0], p[1])
    }

    pub fn points(&self, line: &[LatLon]) -> Vec<Point> {
        line.iter().map(|p| self.plane(p)).collect()
    }

    /// Whether both hexes of a hexside are on the map.
    pub fn inside(&self, e: Edge) -> bool {
        self.hexset.contains(&e.0) && self.hexset.contains(&e.1)
    }

    /// Forest or Wooded Rough.
    pub fn is_deep_wood(&self, h: Hex) -> bool {
        self.ground.get(&h).is_some_and(|ground| *ground >= Ground::Forest)
    }

    /// Can no road cross here? True for water without a bridge.
    pub fn blocked(&self, a: Hex, b: Hex) -> bool {
        let e = edge(a, b);
        self.lakes.contains_key(&e) || self.river_sides.contains_key(&e) && !self.bridges.contains_key(&e)
    }

    /// A free line (front, boundary, border) snapped to hexsides, following the preferred ones where possible.
    pub fn snap(&self, line: &[LatLon], prefer: &BTreeSet<Edge>) -> Vec<Edge> {
        let points = self.points(line);
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
            return Vec::new();
        };
        let line = Line::new(&points, STEP);
        let (lo, hi) = line.bounds(2.0);
        let near: BTreeSet<Corner> =
            self.corners.keys().copied().filter(|k| within(grid::corner_point(*k), lo, hi)).collect();
        // A line that begins outside the margin starts at the nearest corner.
        let ends = |p: Point| -> BTreeMap<Corner, f64> {
            let dist = |k: &Corner| grid::dist(grid::corner_point(*k), p);
            let close: BTreeMap<Corner, f64> =
                near.iter().filter(|k| dist(k) < 1.3).map(|k| (*k, 3.0 * dist(k))).collect();
            if close.is_empty() {
                near.iter()
                    .min_by(|a, b| dist(a).total_cmp(&dist(b)))
                    .map(|k| (*k, 0.0))
                    .into_iter()
                    .collect()
            } else {
                close
            }
        };
        let targets = ends(last);
        let mut cost = ends(first);
        let mut back: HashMap<Corner, (Corner, Edge)> = HashMap::new();
        let mut queue: BinaryHeap<Reverse<(Cost, Corner)>> =
            cost.iter().map(|(k, c)| Reverse((Cost(*c), *k))).collect();
        let mut known: HashMap<Edge, f64> = HashMap::new();
        while let Some(Reverse((Cost(c), k))) = queue.pop() {
            if c > cost[&k] {
                continue;
            }
            for &(q, e) in &self.corners[&k] {
                if !near.contains(&q) {
                    continue;
                }
                let step = *known.entry(e).or_insert_with(|| {
                    let d = line.distance(middle(k, q));
                    course_cost(d) * if prefer.contains(&e) { 0.12 } else { 1.0 }
                });
                if cost.get(&q).is_none_or(|old| c + step < *old) {
                    cost.insert(q, c + step);
                    back.insert(q, (k, e));
                    queue.push(Reverse((Cost(c + step), q)));
                }
            }
        }
        let Some(mut k) = targets
            .iter()
            .filter_map(|(k, extra)| cost.get(k).map(|c| (Cost(c + extra), *k)))
            .min()
            .map(|(_, k)| k)
        else {
            return Vec::new();
        };
        let mut out = Vec::new();
        while let Some((p, e)) = back.get(&k) {
            out.push(*e);
            k = *p;
        }
        out.reverse();
        out
    }
}

/// Distance between the sample points of a line.
pub const STEP: f64 = 0.08;

/// The cost of a hexside at this distance from the true course: near the course its length counts, away from it the
/// distance.
pub fn course_cost(d: f64) -> f64 {
    0.577 * (0.35 + 3.2 * d * d + 0.4 * d)
}

pub fn middle(a: Corner, b: Corner) -> Point {
    grid::midpoint(grid::corner_point(a), grid::corner_point(b))
}

pub fn within(p: Point, lo: Point, hi: Point) -> bool {
    lo.0 <= p.0 && p.0 <= hi.0 && lo.1 <= p.1 && p.1 <= hi.1
}

/// A name without accents, so that sources may be typed on any keyboard.
pub fn fold(s: &str) -> String {
    s.chars()
        .flat_map(|c| match c {
            'ü' | 'û' | 'Ü' => vec!['u'],
            'ö' | 'ô' | 'Ö' => vec!['o'],
            'ä' | 'â' | 'à' | 'Ä' => vec!['a'],
            'ß' => vec!['s', 's'],
            'é' | 'è' | 'ê' | 'ë' | 'É' => vec!['e'],
            'î' | 'ï' => vec!['i'],
            'ç' => vec!['c'],
            c => c.to_lowercase().collect(),
        })
        .collect()
}
