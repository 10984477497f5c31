//! Roads: lists of places become chains of hexsides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use crate::{
    Error,
    grid::{self, Edge, Hex, edge},
    source::{Road, RoadClass},
    world::{Exit, World},
};

impl World<'_> {
    /// Lays all roads, the primary ones first, so that lesser roads join them.
    pub fn lay_roads(&mut self) -> Result<(), Error> {
        let src = self.src;
        let mut order: Vec<&Road> = src.roads.iter().collect();
        order.sort_by_key(|r| r.class);
        for road in order {
            let mut path = Vec::new();
            for s in &road.path {
                path.push(self.hex(s, "roads.toml")?);
            }
            for w in path.windows(2) {
                if !grid::adjacent(w[0], w[1]) || self.blocked(w[0], w[1]) {
                    self.problems.push(format!(
                        "road {}: {} and {} cannot be joined",
                        road.name,
                        self.fit.label(w[0]),
                        self.fit.label(w[1])
                    ));
                    continue;
                }
                if road.class == RoadClass::Forest && !w.iter().any(|h| self.is_deep_wood(*h)) {
                    self.problems.push(format!(
                        "road {}: no forest at {} and {}",
                        road.name,
                        self.fit.label(w[0]),
                        self.fit.label(w[1])
                    ));
                }
                let e = edge(w[0], w[1]);
                self.pave(e, road.class);
                self.kept_roads.insert(e);
            }
            for pair in road.places.windows(2) {
                self.route(road, &pair[0], &pair[1])?;
            }
        }
        self.prune();
        Ok(())
    }

    fn pave(&mut self, e: Edge, class: RoadClass) {
        let road = self.roads.entry(e).or_insert(class);
        *road = (*road).min(class);
    }

    /// If three adjacent hexes are all connected with each other, drops the least needed secondary hexside.
    fn prune(&mut self) {
        loop {
            let mut joined: BTreeMap<Hex, BTreeSet<Hex>> = BTreeMap::new();
            for &(a, b) in self.roads.keys() {
                joined.entry(a).or_default().insert(b);
                joined.entry(b).or_default().insert(a);
            }
            let count = |e: Edge, f: &dyn Fn(&Hex) -> bool| usize::from(f(&e.0)) + usize::from(f(&e.1));
            let least = self
                .roads
                .iter()
                .filter(|(e, c)| {
                    **c != RoadClass::Primary
                        && !self.bridges.contains_key(e)
                        && !self.kept_roads.contains(e)
                        && !joined[&e.0].is_disjoint(&joined[&e.1])
                })
                .map(|(e, _)| {
                    let towns = count(*e, &|h| self.towns.contains_key(h));
                    let names = count(*e, &|h| self.names.contains_key(h));
                    (towns, names, Reverse(joined[&e.0].len() + joined[&e.1].len()), *e)
                })
                .min();
            let Some((_, _, _, e)) = least else { return };
            self.roads.remove(&e);
        }
    }

    /// Lays a road between two consecutive places of a list; off the map if one of them is.
    fn route(&mut self, road: &Road, a: &str, b: &str) -> Result<(), Error> {
        let (a, b) = (self.place(a, "roads.toml")?, self.place(b, "roads.toml")?);
        let on = |h: &Hex| self.hexset.contains(h);
        let (a, b) = match (on(&a.hex), on(&b.hex)) {
            (false, false) => return Ok(()),
            (false, true) => (b, a),
            _ => (a, b),
        };
        let leaves = !on(&b.hex);
        let from = grid::centre(a.hex);
        let to = if leaves { self.fit.plane(b.row.lat, b.row.lon) } else { grid::centre(b.hex) };
        // Costs are whole millionths: routes of equal cost then tie on every machine, and the smaller hex wins.
        let mut cost: HashMap<Hex, u64> = HashMap::from([(a.hex, 0)]);
        let mut back: HashMap<Hex, Hex> = HashMap::new();
        let mut queue = BinaryHeap::from([Reverse((0, a.hex))]);
        let mut goal = None;
        while let Some(Reverse((c, h))) = queue.pop() {
            if c > cost[&h] {
                continue;
            }
            if if leaves { !on(&h) } else { h == b.hex } {
                goal = Some(h);
                break;
            }
            for n in grid::neighbours(h) {
                if !self.wide.contains(&n) || !leaves && !on(&n) || self.blocked(h, n) {
                    continue;
                }
                let p = grid::centre(n);
                let d = grid::segment_distance(p, from, to);
                let e = edge(h, n);
                let mut step = 1.0 + 0.9 * d * d + 0.25 * d;
                if self.wooded_rough.contains(&n) {
                    step += 0.35;
                }
                if let Some(old) = self.roads.get(&e) {
                    step *= if *old == RoadClass::Primary || road.class != RoadClass::Primary {
                        0.62
                    } else {
                        0.8
                    };
                }
                if self.bridges.contains_key(&e) {
                    step += 0.05;
                }
                if leaves && !on(&n) {
                    step += 0.6 * grid::dist(p, to) * 0.2;
                }
                let total = c + (step * 1e6).round() as u64;
                if cost.get(&n).is_none_or(|old| total < *old) {
                    cost.insert(n, total);
                    back.insert(n, h);
                    queue.push(Reverse((total, n)));
                }
            }
        }
        let Some(goal) = goal else {
            let problem = format!("road {}: no way from {} to {}", road.name, a.row.name, b.row.name);
            self.problems.push(problem);
            return Ok(());
        };
        let mut path = vec![goal];
        while let Some(p) = back.get(&path[path.len() - 1]) {
            path.push(*p);
        }
        path.reverse();
        let to = b.row.name.clone();
        let direct = grid::distance(a.hex, goal);
        if (path.len() - 1) as f64 > f64::from(direct) * 1.6 + 2.0 {
            let problem = format!(
                "road {} - {}: a detour of {} hexes for {direct}",
                a.row.name,
                b.row.name,
                path.len() - 1
            );
            self.problems.push(problem);
        }
        for w in path.windows(2) {
            if self.hexset.contains(&w[0]) && self.hexset.contains(&w[1]) {
                self.pave(edge(w[0], w[1]), road.class);
            } else {
                let (on, off) = if self.hexset.contains(&w[0]) { (w[0], w[1]) } else { (w[1], w[0]) };
                if self.exits.get(&(on, off)).is_none_or(|x| x.class != RoadClass::Primary) {
                    self.exits.insert((on, off), Exit { class: road.class, to: to.clone() });
                }
            }
        }
        Ok(())
    }
}
