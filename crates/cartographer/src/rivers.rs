//! Rivers along hexsides, gorges through hexes, bridges and lakes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use crate::{
    Error,
    grid::{self, Corner, Cost, Edge, Hex, Line, Point, edge},
    source::{Bank, Reach, ReachClass},
    world::{Piece, STEP, Step, World, course_cost, middle, within},
};

/// Where the previous reach of a river ended.
#[derive(Clone, Copy)]
enum End {
    Corner(Corner),
    Hex(Hex),
}

/// Cheapest course to each corner, and the step that led there.
struct Courses {
    cost: BTreeMap<Corner, f64>,
    back: HashMap<Corner, (Corner, Step)>,
}

impl Courses {
    fn trace(&self, mut k: Corner) -> Vec<(Corner, Corner, Step)> {
        let mut out = Vec::new();
        while let Some(&(p, step)) = self.back.get(&k) {
            out.push((p, k, step));
            k = p;
        }
        out.reverse();
        out
    }
}

/// One reach that follows hexsides, with everything that its course must respect.
struct SideReach<'w, 'a> {
    w: &'w World<'a>,
    river: usize,
    line: Line,
    banks: BTreeMap<Hex, Bank>,
    through: BTreeSet<Hex>,
    near: BTreeSet<Corner>,
    known: HashMap<(Edge, bool), f64>,
}

impl SideReach<'_, '_> {
    /// The cost of running from one corner to the next: distance from the true course, and a large penalty for leaving
    /// a place on the wrong bank.
    fn side_cost(&mut self, a: Corner, b: Corner, e: Edge) -> f64 {
        if let Some(c) = self.known.get(&(e, a < b)) {
            return *c;
        }
        let mut c = course_cost(self.line.distance(middle(a, b)));
        let (left, right) = left_right(a, b, e);
        if self.banks.get(&left) == Some(&Bank::Right) || self.banks.get(&right) == Some(&Bank::Left) {
            c += WRONG_BANK;
        }
        if self.through.contains(&e.0) || self.through.contains(&e.1) {
            c += 50.0;
        }
        if self.w.river_sides.get(&e).is_some_and(|(r, _)| *r != self.river) {
            c += 6.0;
        }
        if self.w.hexset.contains(&e.0) != self.w.hexset.contains(&e.1) {
            c += 1.5;
        }
        self.known.insert((e, a < b), c);
        c
    }

    fn courses(&mut self, sources: &BTreeMap<Corner, f64>) -> Courses {
        let mut cost = sources.clone();
        let mut back = HashMap::new();
        let mut queue: BinaryHeap<Reverse<(Cost, Corner)>> =
            cost.iter().map(|(k, c)| Reverse((Cost(*c), *k))).collect();
        while let Some(Reverse((Cost(c), k))) = queue.pop() {
            if c > cost[&k] {
                continue;
            }
            let mut next: Vec<(Corner, Step, f64)> = Vec::new();
            for &(q, e) in &self.w.corners[&k] {
                if self.near.contains(&q) {
                    next.push((q, Step::Side(e), c + self.side_cost(k, q, e)));
                }
            }
            for &h in &self.through {
                let around = grid::corners(h);
                if around.contains(&k) {
                    for q in around.into_iter().filter(|q| *q != k) {
                        let d = self.line.distance(middle(k, q));
                        let length = grid::dist(grid::corner_point(k), grid::corner_point(q));
                        next.push((q, Step::Through(h), c + 0.5 + 0.2 * length + 1.5 * d * d));
                    }
                }
            }
            for (q, step, n) in next {
                if cost.get(&q).is_none_or(|old| n < old - 1e-12) {
                    cost.insert(q, n);
                    back.insert(q, (k, step));
                    queue.push(Reverse((Cost(n), q)));
                }
            }
        }
        Courses { cost, back }
    }
}

/// More than the cost of any course with all places on the right bank.
const WRONG_BANK: f64 = 500.0;
const TOO_DEAR: f64 = 400.0;

/// The hexes on the left and right of the directed hexside.
fn left_right(a: Corner, b: Corner, e: Edge) -> (Hex, Hex) {
    let (a, b) = (grid::corner_point(a), grid::corner_point(b));
    let c = grid::centre(e.0);
    let cross = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    if cross > 0.0 { (e.0, e.1) } else { (e.1, e.0) }
}

impl World<'_> {
    /// Lays every river, the receiving river before its tributaries.
    pub fn lay_rivers(&mut self) -> Result<(), Error> {
        let index: HashMap<&str, usize> =
            self.src.rivers.river.iter().enumerate().map(|(i, r)| (r.name.as_str(), i)).collect();
        let mut into = Vec::new();
        for r in &self.src.rivers.river {
            into.push(match &r.into {
                None => None,
                Some(name) => Some(*index.get(name.as_str()).ok_or_else(|| Error::Field {
                    file: "rivers.toml",
                    item: r.name.clone(),
                    why: format!("into = \"{name}\": no such river"),
                })?),
            });
        }
        let mut order: Vec<usize> = Vec::new();
        for i in 0..into.len() {
            let mut way = vec![i];
            while let Some(next) = into[way[way.len() - 1]] {
                if way.contains(&next) {
                    return Err(Error::Field {
                        file: "rivers.toml",
                        item: self.src.rivers.river[next].name.clone(),
                        why: "flows into itself".to_owned(),
                    });
                }
                way.push(next);
            }
            for r in way.into_iter().rev() {
                if !order.contains(&r) {
                    order.push(r);
                }
            }
        }
        for r in order {
            self.lay_river(r, into[r])?;
        }
        Ok(())
    }

    fn lay_river(&mut self, river: usize, into: Option<usize>) -> Result<(), Error> {
        let src = self.src;
        let reaches = &src.rivers.river[river].reach;
        let mut end = None;
        for (i, reach) in reaches.iter().enumerate() {
            let points = self.points(&reach.points);
            let mouth = into.filter(|_| i + 1 == reaches.len());
            match reach.class {
                ReachClass::Minor => end = None,
                ReachClass::Valley => {
                    let hexes = self.valley(river, reach, &points)?;
                    end = hexes.last().map(|h| End::Hex(*h));
                    if let (Some(target), Some(&last)) = (mouth, hexes.last()) {
                        self.check_mouth(river, target, last);
                    }
                    self.river_pieces[river].push(Piece::Valley(hexes));
                }
                ReachClass::River | ReachClass::Meuse => {
                    let steps = self.sides(river, reach, &points, end, mouth)?;
                    end = steps.last().map(|s| End::Corner(s.1));
                    if !steps.is_empty() {
                        self.river_pieces[river].push(Piece::Sides(steps));
                    }
                }
            }
        }
        Ok(())
    }

    fn check_mouth(&mut self, river: usize, into: usize, last: Hex) {
        let touches = grid::corners(last).iter().any(|k| self.river_corners[into].contains(k));
        let valley: BTreeSet<Hex> = self.river_pieces[into]
            .iter()
            .filter_map(|p| match p {
                Piece::Valley(hexes) => Some(hexes.iter().copied()),
                Piece::Sides(_) => None,
            })
            .flatten()
            .collect();
        if !touches && !valley.contains(&last) && !grid::neighbours(last).iter().any(|n| valley.contains(n)) {
            let rivers = &self.src.rivers.river;
            self.problems
                .push(format!("river {} does not reach the {}", rivers[river].name, rivers[into].name));
        }
    }

    fn banks(&self, reach: &Reach) -> Result<(BTreeMap<Hex, Bank>, BTreeSet<Hex>), Error> {
        let (mut banks, mut through) = (BTreeMap::new(), BTreeSet::new());
        for (name, bank) in &reach.places {
            let h = self.place(name, "rivers.toml")?.hex;
            if *bank == Bank::Through {
                through.insert(h);
            } else {
                banks.insert(h, *bank);
            }
        }
        Ok((banks, through))
    }

    /// The hexes that a gorge runs through.
    fn valley(&mut self, river: usize, reach: &Reach, points: &[Point]) -> Result<Vec<Hex>, Error> {
        let line = Line::new(points, STEP);
        let (banks, through) = self.banks(reach)?;
        let mut hexes: Vec<Hex> = Vec::new();
        for p in &line.0 {
            let h = grid::hex_at(*p);
            if hexes.last() != Some(&h) {
                // A course that returns to a hex has made a loop too small for the map.
                match hexes.iter().position(|x| *x == h) {
                    Some(i) => hexes.truncate(i + 1),
                    None => hexes.push(h),
                }
            }
        }
        // A hex that is only clipped at a corner is not part of the gorge.
        let mut i = 1;
        while i + 1 < hexes.len() {
            let (a, b, c) = (hexes[i - 1], hexes[i], hexes[i + 1]);
            if grid::adjacent(a, c) && !through.contains(&b) && line.distance(grid::centre(b)) > 0.28 {
                hexes.remove(i);
            } else {
                i += 1;
            }
        }
        if hexes.iter().any(|h| !banks.contains_key(h)) {
            hexes.retain(|h| !banks.contains_key(h));
        }
        for w in hexes.windows(2) {
            if !grid::adjacent(w[0], w[1]) {
                self.problems.push(format!(
                    "the gorge of the {} is broken between {} and {}",
                    self.src.rivers.river[river].name,
                    self.fit.label(w[0]),
                    self.fit.label(w[1])
                ));
            }
        }
        for &h in &hexes {
            self.through.entry(h).or_default().insert(river);
            if self.hexset.contains(&h) {
                self.valley.insert(h);
            }
            self.river_corners[river].extend(grid::corners(h));
        }
        Ok(hexes)
    }

    /// The hexsides that a river follows.
    fn sides(
        &mut self,
        river: usize,
        reach: &Reach,
        points: &[Point],
        end: Option<End>,
        mouth: Option<usize>,
    ) -> Result<Vec<(Corner, Corner, Step)>, Error> {
        let name = &self.src.rivers.river[river].name;
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
            return Err(Error::Field {
                file: "rivers.toml",
                item: name.clone(),
                why: "a reach without points".to_owned(),
            });
        };
        let line = Line::new(points, STEP);
        let (lo, hi) = line.bounds(2.5);
        let (banks, through) = self.banks(reach)?;
        let near: BTreeSet<Corner> =
            self.corners.keys().copied().filter(|k| within(grid::corner_point(*k), lo, hi)).collect();
        let from = |k: Corner, p: Point| grid::dist(grid::corner_point(k), p);
        let around = |p: Point| -> BTreeMap<Corner, f64> {
            near.iter().filter(|k| from(**k, p) < 1.0).map(|k| (*k, 3.0 * from(*k, p))).collect()
        };
        let sources: BTreeMap<Corner, f64> = match end {
            Some(End::Corner(k)) => BTreeMap::from([(k, 0.0)]),
            Some(End::Hex(h)) => grid::corners(h).into_iter().map(|k| (k, 2.0 * from(k, first))).collect(),
            None => around(first),
        };
        let mut targets = BTreeMap::new();
        if let Some(into) = mouth {
            targets = self.river_corners[into]
                .iter()
                .filter(|k| near.contains(k) && from(**k, last) < 2.2)
                .map(|k| (*k, 2.5 * from(*k, last)))
                .collect();
            if targets.is_empty() {
                self.problems.push(format!("river {name}: mouth not found"));
            }
        }
        if targets.is_empty() {
            targets = around(last);
        }
        let mut vias = Vec::new();
        for s in reach.via.as_ref().unwrap_or(&self.src.rivers.river[river].via) {
            vias.push(self.edge(s, "rivers.toml")?);
        }
        let mut work = SideReach { w: self, river, line, banks, through, near, known: HashMap::new() };
        // Each stated hexside may be passed in either direction: keep the best few courses so far.
        let mut states: Vec<(BTreeMap<Corner, f64>, Vec<(Corner, Corner, Step)>)> =
            vec![(sources, Vec::new())];
        for e in vias {
            let Some((a, b)) = grid::side_corners(e.0, e.1) else { continue };
            let mut next = Vec::new();
            for (from, path) in &states {
                let found = work.courses(from);
                for (x, y) in [(a, b), (b, a)] {
                    if let Some(c) = found.cost.get(&x) {
                        let leg = found.trace(x);
                        if leg.iter().all(|s| s.2 != Step::Side(e)) {
                            let mut path = path.clone();
                            path.extend(leg);
                            path.push((x, y, Step::Side(e)));
                            next.push((c + work.side_cost(x, y, e), path, y));
                        }
                    }
                }
            }
            next.sort_by(|a, b| a.0.total_cmp(&b.0));
            next.truncate(4);
            states = next.into_iter().map(|(c, path, y)| (BTreeMap::from([(y, c)]), path)).collect();
        }
        let mut best: Option<(f64, Vec<(Corner, Corner, Step)>)> = None;
        for (from, path) in &states {
            let found = work.courses(from);
            for (k, extra) in &targets {
                if let Some(c) = found.cost.get(k)
                    && best.as_ref().is_none_or(|b| c + extra < b.0)
                {
                    let mut path = path.clone();
                    path.extend(found.trace(*k));
                    best = Some((c + extra, path));
                }
            }
        }
        let Some((cost, steps)) = best else {
            self.problems.push(format!("river {name}: no course reaches its end"));
            return Ok(Vec::new());
        };
        if cost > TOO_DEAR {
            self.problems.push(format!("river {name}: a place is left on the wrong bank"));
        }
        for &(a, b, step) in &steps {
            match step {
                Step::Side(e) => {
                    if self.hexset.contains(&e.0) || self.hexset.contains(&e.1) {
                        self.river_sides.insert(e, (river, reach.class == ReachClass::Meuse));
                    }
                }
                Step::Through(h) => {
                    self.through.entry(h).or_default().insert(river);
                }
            }
            self.river_corners[river].extend([a, b]);
        }
        Ok(steps)
    }

    fn river_index(&self, name: &str, file: &'static str, item: &str) -> Result<usize, Error> {
        self.src.rivers.river.iter().position(|r| r.name == name).ok_or_else(|| Error::Field {
            file,
            item: item.to_owned(),
            why: format!("river = \"{name}\": no such river"),
        })
    }

    /// Puts each bridge on its stated hexside, or on the nearest one of its river.
    pub fn lay_bridges(&mut self) -> Result<(), Error> {
        let src = self.src;
        for b in &src.rivers.bridge {
            let river = self.river_index(&b.river, "rivers.toml", &b.place)?;
            let at = if let Some(text) = &b.hexside {
                let e = self.edge(text, "rivers.toml")?;
                if !self.river_sides.contains_key(&e) {
                    self.problems.push(format!("bridge {}: {text} is not a river hexside", b.place));
                    continue;
                }
                e
            } else {
                let near = b.near.as_ref().map(|h| self.hex(h, "rivers.toml")).transpose()?;
                let p = self.fit.plane(b.lat, b.lon);
                let found = self
                    .river_sides
                    .iter()
                    .filter(|(e, (r, _))| *r == river && self.inside(**e) && !self.bridges.contains_key(e))
                    .filter(|(e, _)| near.is_none_or(|h| e.0 == h || e.1 == h))
                    .map(|(e, _)| (Cost(grid::dist(grid::side_middle(*e), p)), *e))
                    .min();
                match found {
                    None => {
                        self.problems.push(format!("bridge {} over the {}: no hexside", b.place, b.river));
                        continue;
                    }
                    // There the river does not follow hexsides.
                    Some((d, _)) if d.0 > 1.6 => continue,
                    Some((_, e)) => e,
                }
            };
            self.bridges.insert(at, b.clone());
        }
        Ok(())
    }

    /// Turns river hexsides into lakes.
    pub fn lay_lakes(&mut self) -> Result<(), Error> {
        let src = self.src;
        for (i, lake) in src.features.lake.iter().enumerate() {
            for s in &lake.hexsides {
                let e = self.edge(s, "features.toml")?;
                if !self.river_sides.contains_key(&e) {
                    self.problems.push(format!("lake {}: {s} is not a hexside of the river", lake.name));
                }
                self.lakes.insert(e, i);
            }
            let river = self.river_index(&lake.river, "features.toml", &lake.name)?;
            for p in &lake.near {
                let p = self.plane(p);
                let found = self
                    .river_sides
                    .iter()
                    .filter(|(e, (r, _))| *r == river && self.inside(**e))
                    .filter(|(e, _)| !self.lakes.contains_key(e) && !self.bridges.contains_key(e))
                    .map(|(e, _)| (Cost(grid::dist(grid::side_middle(*e), p)), *e))
                    .min();
                if let Some((d, e)) = found
                    && d.0 < 1.5
                {
                    self.lakes.insert(e, i);
                }
            }
        }
        Ok(())
    }

    /// Drops bridges that no road uses, unless a rulebook states them.
    pub fn drop_idle_bridges(&mut self) {
        let idle: Vec<Edge> = self.bridges.keys().filter(|e| !self.roads.contains_key(e)).copied().collect();
        for e in idle {
            let b = &self.bridges[&e];
            if b.stated || b.number.is_some() {
                self.problems.push(format!(
                    "bridge {} at {} has no road",
                    b.place,
                    self.fit.edge_label(edge(e.0, e.1))
                ));
            } else {
                self.bridges.remove(&e);
            }
        }
    }
}
