//! The front of the first morning, the fortified line, army boundaries, set-up areas; entries and Victory Hexes.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Error,
    grid::{self, Edge, Hex, Line, edge},
    source::RoadClass,
    world::{Size, World},
};

/// Rivers that the front of 16 December follows.
const FRONT_RIVERS: [&str; 3] = ["Our", "Sauer", "Moselle"];

impl World<'_> {
    pub fn lay_military(&mut self) -> Result<(), Error> {
        self.lay_front();
        self.lay_westwall()?;
        for b in &self.src.features.army_boundary {
            let sides = self.snap(&b.line, &BTreeSet::new());
            self.boundaries.push(sides.into_iter().filter(|e| self.inside(*e)).collect());
        }
        self.lay_areas()
    }

    fn lay_front(&mut self) {
        let rivers: BTreeSet<Edge> = self
            .river_sides
            .iter()
            .filter(|(_, (r, _))| FRONT_RIVERS.contains(&self.src.rivers.river[*r].name.as_str()))
            .map(|(e, _)| *e)
            .collect();
        self.front = self.snap(&self.src.military.front.line, &rivers);
        let wall: BTreeSet<Edge> = self.front.iter().copied().collect();
        let seeds: Vec<Hex> = self.hexes.iter().copied().filter(|h| h.0 == self.fit.first_column()).collect();
        self.german = self.flood(&seeds, &self.hexset, &wall);
        if self.german.len() * 2 > self.hexes.len() {
            self.problems.push(format!("the front line leaks: {} German hexes", self.german.len()));
        }
    }

    /// The hexes of `ground` that can be reached without crossing a wall.
    pub fn flood(&self, seeds: &[Hex], ground: &BTreeSet<Hex>, wall: &BTreeSet<Edge>) -> BTreeSet<Hex> {
        let mut seen: BTreeSet<Hex> = seeds.iter().copied().collect();
        let mut stack = seeds.to_vec();
        while let Some(h) = stack.pop() {
            for n in grid::neighbours(h) {
                if ground.contains(&n) && !wall.contains(&edge(h, n)) && seen.insert(n) {
                    stack.push(n);
                }
            }
        }
        seen
    }

    fn lay_westwall(&mut self) -> Result<(), Error> {
        let d = &self.src.military.westwall;
        // With points 0.05 apart, a hex with fewer than nine is only clipped.
        let mut count: BTreeMap<Hex, usize> = BTreeMap::new();
        for p in Line::new(&self.points(&d.line), 0.05).0 {
            *count.entry(grid::hex_at(p)).or_default() += 1;
        }
        let mut wall: BTreeSet<Hex> =
            count.into_iter().filter(|(h, n)| *n >= 9 && self.hexset.contains(h)).map(|(h, _)| h).collect();
        for s in &d.remove {
            wall.remove(&self.hex(s, "westwall.toml")?);
        }
        for s in &d.add {
            wall.insert(self.hex(s, "westwall.toml")?);
        }
        wall.retain(|h| {
            !self.wooded_rough.contains(h) && self.towns.get(h).is_none_or(|t| t.0 <= Size::Village)
        });
        self.westwall = wall;
        Ok(())
    }

    fn lay_areas(&mut self) -> Result<(), Error> {
        let src = self.src;
        for s in &src.features.setup {
            for label in &s.hexes {
                let hex = self.hex(label, "features.toml")?;
                self.areas.entry(s.division.clone()).or_default().insert(hex);
            }
        }
        Ok(())
    }

    pub fn lay_edges(&mut self) -> Result<(), Error> {
        let src = self.src;
        for e in &src.features.entry {
            let h = match (&e.hex, &e.road_to, &e.from_place) {
                (Some(h), _, _) => self.hex(h, "features.toml")?,
                (None, Some(to), Some(from)) => {
                    let from = self.place(from, "features.toml")?.hex;
                    let found = self
                        .exits
                        .iter()
                        .filter(|(_, x)| x.to == *to)
                        .map(|((on, _), x)| (x.class != RoadClass::Primary, grid::distance(*on, from), *on))
                        .min();
                    let Some((_, _, h)) = found else {
                        self.problems.push(format!("entry {}: no road leaves toward {to}", e.id));
                        continue;
                    };
                    h
                }
                _ => {
                    return Err(Error::Field {
                        file: "features.toml",
                        item: format!("entry {}", e.id),
                        why: "give hex, or road_to with from_place".to_owned(),
                    });
                }
            };
            if grid::neighbours(h).iter().all(|n| self.hexset.contains(n)) {
                self.problems.push(format!(
                    "entry {} at {} is not on the map's edge",
                    e.id,
                    self.fit.label(h)
                ));
            }
            self.entries.push((h, e.clone()));
        }
        for v in &src.features.victory {
            for name in &v.places {
                let mut hexes: Vec<Hex> =
                    self.towns.iter().filter(|(_, t)| t.1 == *name).map(|(h, _)| *h).collect();
                if hexes.is_empty() {
                    hexes.push(self.place(name, "features.toml")?.hex);
                }
                for h in hexes {
                    self.victory.insert(h, (name.clone(), v.source.clone()));
                }
            }
        }
        for (i, d) in src.features.dump.iter().enumerate() {
            self.dumps.push((self.fit.hex(d.lat, d.lon), i));
        }
        Ok(())
    }

    /// A border as a chain of hexsides on the map.
    pub fn border(&self, index: usize) -> Vec<Edge> {
        let b = &self.src.features.border[index];
        let prefer: BTreeSet<Edge> = self
            .river_sides
            .iter()
            .filter(|(_, (r, _))| b.follows.contains(&self.src.rivers.river[*r].name))
            .map(|(e, _)| *e)
            .collect();
        self.snap(&b.line, &prefer).into_iter().filter(|e| self.inside(*e)).collect()
    }
}
