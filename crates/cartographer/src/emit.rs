//! Writes the compiled world in the map-pack format, unsorted: `atlas` reads it, applies the corrections and writes the
//! pack's files in their final order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::{
    grid::{self, DIRECTIONS, Edge, Hex, Point},
    source::{NameKind, NameRow, ReachClass},
    world::{Ground, Piece, Size, Step, World, fold},
};

impl World<'_> {
    /// The map as one text in the pack format, without its head.
    pub fn emit(&self) -> String {
        let mut o = String::new();
        self.emit_tables(&mut o);
        self.emit_places(&mut o);
        self.emit_waters(&mut o);
        self.emit_areas(&mut o);
        self.emit_edges(&mut o);
        o
    }

    fn labels<'h>(&self, hexes: impl IntoIterator<Item = &'h Hex>) -> String {
        let labels: Vec<String> = hexes.into_iter().map(|h| quote(&self.fit.label(*h))).collect();
        format!("[{}]", labels.join(", "))
    }

    fn side_list<'h>(&self, sides: impl IntoIterator<Item = &'h Edge>) -> String {
        let labels: Vec<String> = sides.into_iter().map(|e| quote(&self.fit.edge_label(*e))).collect();
        format!("[{}]", labels.join(", "))
    }

    /// What hexes and hexsides are.
    fn emit_tables(&self, o: &mut String) {
        let _ = writeln!(o, "[terrain]");
        for ground in [Ground::LightWoods, Ground::Forest, Ground::WoodedRough] {
            let here = self.ground.iter().filter(|(_, g)| **g == ground).map(|(h, _)| h);
            let _ = writeln!(o, "{} = {}", ground.id(), self.labels(here));
        }
        for size in [Size::Village, Size::Town, Size::City] {
            let here = self.towns.iter().filter(|(_, t)| t.0 == size).map(|(h, _)| h);
            let _ = writeln!(o, "{} = {}", size.id(), self.labels(here));
        }
        let _ = writeln!(o, "west_wall = {}", self.labels(&self.westwall));
        let allied: BTreeSet<Hex> = self.hexset.difference(&self.german).copied().collect();
        let _ =
            writeln!(o, "[held]\ngerman = {}\nallied = {}", self.labels(&self.german), self.labels(&allied));
        let _ = writeln!(o, "[hexside]");
        let kind = |e: &Edge, meuse: bool| match (self.lakes.contains_key(e), meuse) {
            (true, _) => "lake",
            (_, true) => "meuse",
            _ => "river",
        };
        for k in ["river", "meuse", "lake"] {
            let here = self.river_sides.iter().filter(|(e, (_, m))| self.inside(**e) && kind(e, *m) == k);
            let _ = writeln!(o, "{k} = {}", self.side_list(here.map(|(e, _)| e)));
        }
        let _ = writeln!(o, "[bridge]");
        for (e, b) in &self.bridges {
            let mut fields = vec![format!("name = {}", self.names(&b.place))];
            if let Some(state) = &b.state {
                fields.push(format!("state = {}", quote(state)));
            }
            if let Some(n) = b.number {
                fields.push(format!("number = {n}"));
            }
            let source = match (b.stated, b.source.is_empty()) {
                (_, false) => b.source.as_str(),
                (true, true) => "rules",
                (false, true) => "history",
            };
            fields.push(format!("source = {}", quote(source)));
            let _ = writeln!(o, "{} = {{ {} }}", quote(&self.fit.edge_label(*e)), fields.join(", "));
        }
        let _ = writeln!(o, "[road]");
        for class in ["primary", "secondary"] {
            let pairs: Vec<String> = self
                .roads
                .iter()
                .filter(|(_, c)| c.id() == class)
                .map(|(e, _)| format!("[{}, {}]", quote(&self.fit.label(e.0)), quote(&self.fit.label(e.1))))
                .collect();
            let _ = writeln!(o, "{class} = [{}]", pairs.join(", "));
        }
        let _ = writeln!(o, "[road_exit]");
        for ((on, off), x) in &self.exits {
            if let Some(d) = grid::direction(*on, *off) {
                let _ = writeln!(
                    o,
                    "\"{}:{}\" = {{ class = \"{}\", to = {} }}",
                    self.fit.label(*on),
                    DIRECTIONS[d],
                    x.class.id(),
                    self.names(&x.to)
                );
            }
        }
        let mut supply: BTreeMap<&str, Vec<Hex>> = BTreeMap::new();
        for (h, e) in &self.entries {
            supply.entry(&e.side).or_default().push(*h);
        }
        let _ = writeln!(o, "[supply]");
        for (side, hexes) in supply {
            let _ = writeln!(o, "{side} = {}", self.labels(&hexes));
        }
        self.emit_sources(o);
    }

    /// Hexes and hexsides that a rulebook or a report fixes.
    fn emit_sources(&self, o: &mut String) {
        let mut sources: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for c in &self.src.fit.control {
            let source = if c.states.starts_with("play report") {
                "report".to_owned()
            } else {
                format!("rules: {}", c.states)
            };
            // The fit continues the East map's numbering on the West map.
            let hexes = c.hexes.iter().filter_map(|h| self.fit.parse(h)).map(|h| self.fit.label(h));
            let labels: Vec<String> =
                if c.kind == "side" { vec![hexes.collect::<Vec<_>>().join("/")] } else { hexes.collect() };
            sources.entry(source).or_default().extend(labels);
        }
        for x in self.src.features.wooded_rough.iter().filter(|x| x.source != "estimate") {
            sources.entry(format!("{}: {}", x.source, x.why)).or_default().extend(x.hexes.iter().cloned());
        }
        let _ = writeln!(o, "[source]");
        for (source, labels) in sources {
            let labels: Vec<String> = labels.iter().map(|l| quote(l)).collect();
            let _ = writeln!(o, "{} = [{}]", quote(&source), labels.join(", "));
        }
    }

    fn emit_places(&self, o: &mut String) {
        let victory: BTreeSet<&String> = self.victory.values().map(|v| &v.0).collect();
        let mut rows: Vec<(u8, &str, String)> = Vec::new();
        for p in self.places.iter().filter(|p| self.hexset.contains(&p.hex)) {
            let size = Size::parse(&p.row.class).unwrap_or(Size::None);
            let importance = match size {
                Size::City => 0,
                _ if victory.contains(&p.row.name) => 1,
                Size::Town => 2,
                Size::Village => 3,
                Size::None => 4,
            };
            let class = if size == Size::None { "hamlet" } else { size.id() };
            let at = self.fit.plane(p.row.lat, p.row.lon);
            let source = if p.row.pin.is_empty() {
                p.row.source.as_str()
            } else {
                "pinned: a stated fact or a river's bank"
            };
            rows.push((
                importance,
                &p.row.name,
                self.place_row(&p.row.name, p.hex, class, importance, at, source),
            ));
        }
        rows.sort();
        let mut out: Vec<String> = rows.into_iter().map(|(_, _, row)| row).collect();
        for l in &self.src.features.landmark {
            let at = self.fit.plane(l.lat, l.lon);
            let h = grid::hex_at(at);
            if self.hexset.contains(&h) {
                out.push(self.place_row(
                    &l.name,
                    h,
                    l.class.as_deref().unwrap_or("region"),
                    1,
                    at,
                    "history",
                ));
            }
        }
        for row in out {
            o.push_str(&row);
        }
    }

    fn place_row(
        &self,
        name: &str,
        hex: Hex,
        class: &str,
        importance: u8,
        at: Point,
        source: &str,
    ) -> String {
        let mut row = format!(
            "[[place]]\nid = {}\nhex = {}\nname = {}\nclass = {}\nimportance = {importance}\n",
            quote(&slug(name)),
            quote(&self.fit.label(hex)),
            self.names(name),
            quote(class)
        );
        // A pinned place may really lie just over the border of its hex: then it is drawn in the middle.
        if grid::hex_at(at) == hex {
            let (p, c) = (board_point(at), board_point(grid::centre(hex)));
            let _ = writeln!(row, "at = [{:.2}, {:.2}]", p.0 - c.0, p.1 - c.1);
        }
        let _ = writeln!(row, "source = {}", quote(source));
        row
    }

    fn emit_waters(&self, o: &mut String) {
        for (i, r) in self.src.rivers.river.iter().enumerate() {
            let (mut sides, mut through): (Vec<Edge>, Vec<Hex>) = (Vec::new(), Vec::new());
            for piece in &self.river_pieces[i] {
                match piece {
                    Piece::Valley(hexes) => through.extend(hexes),
                    Piece::Sides(steps) => {
                        for (_, _, step) in steps {
                            match step {
                                Step::Side(e) => sides.push(*e),
                                Step::Through(h) => through.push(*h),
                            }
                        }
                    }
                }
            }
            // A hexside shared by two rivers belongs to the one that kept it.
            sides.retain(|e| self.inside(*e) && self.river_sides.get(e).is_some_and(|(r, _)| *r == i));
            through.retain(|h| self.hexset.contains(h));
            let course: Vec<String> = r
                .reach
                .iter()
                .filter(|reach| matches!(reach.class, ReachClass::Minor | ReachClass::Valley))
                .map(|reach| points(&self.points(&reach.points)))
                .collect();
            let _ = writeln!(
                o,
                "[[watercourse]]\nid = {}\nname = {}",
                quote(&slug(&r.name)),
                self.name_of(NameKind::River, &r.name)
            );
            if let Some(into) = &r.into {
                let _ = writeln!(o, "into = {}", quote(&slug(into)));
            }
            let _ = writeln!(
                o,
                "hexsides = {}\nthrough = {}\ncourse = [{}]\nsource = \"history\"",
                self.side_list(&sides),
                self.labels(&through),
                course.join(", ")
            );
        }
    }

    fn emit_areas(&self, o: &mut String) {
        let f = &self.src.features;
        let none = BTreeSet::new();
        let mut rear = self.german.clone();
        for s in &f.setup {
            let hexes = self.areas.get(&s.division).unwrap_or(&none);
            rear.retain(|h| !hexes.contains(h));
            let source = if s.source.is_empty() {
                "estimate: corps and army by history, outline drawn here"
            } else {
                &s.source
            };
            let _ = writeln!(
                o,
                "[[area]]\nid = {}\nkind = \"setup\"\nname = {}\nhexes = {}\nprops = {{ division = {}, corps = {}, army = {}, side = \"german\" }}\nsource = {}",
                quote(&format!("setup-{}", slug(&s.division))),
                quote(&s.division),
                self.labels(hexes),
                quote(&s.division),
                quote(&s.corps),
                quote(&s.army),
                quote(source)
            );
        }
        let area = |o: &mut String, id: &str, kind: &str, name: &str, hexes: &BTreeSet<Hex>, source: &str| {
            let _ = writeln!(
                o,
                "[[area]]\nid = {}\nkind = {}\nname = {}\nhexes = {}\nsource = {}",
                quote(id),
                quote(kind),
                self.names(name),
                self.labels(hexes),
                quote(source)
            );
        };
        let behind = "rules 29.3: the German hexes behind the divisional areas";
        area(o, "rear", "rear", "Rear Zone", &rear, behind);
        for t in &f.town_hexes {
            let hexes: BTreeSet<Hex> = t.hexes.iter().filter_map(|h| self.fit.parse(h)).collect();
            area(o, &format!("town-{}", slug(&t.place)), "town", &t.place, &hexes, &t.source);
        }
        let bottleneck: BTreeSet<Hex> = f.bottleneck.hexes.iter().filter_map(|h| self.fit.parse(h)).collect();
        area(o, "bottleneck", "bottleneck", "St-Vith Bottleneck", &bottleneck, &f.bottleneck.source);
        let west = self.west_of_the_meuse();
        area(
            o,
            "west-of-the-meuse",
            "zone",
            "West of the Meuse",
            &west,
            "rules 27.3: the bank; estimate: the map's west edge",
        );
        let ourthe = self.west_of_the_ourthe();
        let source = "rules 1E 6.5: the river; estimate: south of its spring, the column of the spring";
        area(o, "west-of-the-ourthe", "zone", "West of the Ourthe", &ourthe, source);
        area(o, "exit-1e", "exit_1e", "Exit to Antwerp", &self.exit_edge(), &f.exit_edge.source);
        for (name, sector) in self.edge_sectors() {
            let id = format!("edge-{}", slug(&name));
            area(
                o,
                &id,
                "edge",
                &name,
                &sector,
                "rules 11.9: the box of each stretch of the edge; estimate: where they part",
            );
        }
        let line = |o: &mut String, id: &str, kind: &str, name: &str, sides: &[Edge], source: &str| {
            let _ = writeln!(
                o,
                "[[area]]\nid = {}\nkind = {}\nname = {}\nline = {}\nsource = {}",
                quote(id),
                quote(kind),
                self.names(name),
                self.side_list(sides),
                quote(source)
            );
        };
        for (b, sides) in f.army_boundary.iter().zip(&self.boundaries) {
            let name = format!("{} / {}", b.between[0], b.between[1]);
            line(o, &format!("boundary-{}", slug(&name)), "army_boundary", &name, sides, &b.source);
        }
        let front: Vec<Edge> = self.front.iter().copied().filter(|e| self.inside(*e)).collect();
        line(o, "front", "front", "Front, 16 December", &front, "history");
        for (i, b) in f.border.iter().enumerate() {
            line(o, &format!("border-{}", slug(&b.name)), "border", &b.name, &self.border(i), "history");
        }
        for (i, l) in f.lake.iter().enumerate() {
            let sides: Vec<Edge> = self.lakes.iter().filter(|(_, n)| **n == i).map(|(e, _)| *e).collect();
            line(o, &format!("lake-{}", slug(&l.name)), "lake", &l.name, &sides, &l.source);
        }
    }

    /// Entries, boxes, Victory Hexes and dumps.
    fn emit_edges(&self, o: &mut String) {
        let f = &self.src.features;
        for (h, e) in &self.entries {
            let name =
                self.names.get(h).and_then(|n| n.iter().max_by_key(|n| n.0)).map_or("", |n| n.1.as_str());
            let _ = writeln!(
                o,
                "[[entry]]\nid = {}\nside = {}\nhexes = {}\nname = {}\nsource = {}",
                quote(&e.id),
                quote(&e.side),
                self.labels([h]),
                self.names(name),
                quote(&e.source)
            );
            if let Some(sector) = &e.sector {
                let _ = writeln!(o, "sector = {}", quote(sector));
            }
        }
        for b in &f.r#box {
            let list = |ids: &[String]| ids.iter().map(|s| quote(s)).collect::<Vec<_>>().join(", ");
            let entries: Vec<String> = self
                .entries
                .iter()
                .filter(|(_, e)| e.sector.as_ref() == Some(&b.id))
                .map(|(_, e)| e.id.clone())
                .collect();
            let _ = writeln!(
                o,
                "[[box]]\nid = {}\nname = {}\nadjacent = [{}]\nentries = [{}]\nblocking = {}\nsource = {}",
                quote(&b.id),
                toml::Value::Table(b.name.clone()),
                list(&b.adjacent),
                list(&entries),
                b.blocking,
                quote(&b.source)
            );
        }
        for (h, (place, source)) in &self.victory {
            let _ = writeln!(
                o,
                "[[victory]]\nhex = {}\nplace = {}\nsource = {}",
                quote(&self.fit.label(*h)),
                quote(&slug(place)),
                quote(source)
            );
        }
        for (h, i) in &self.dumps {
            let d = &f.dump[*i];
            let _ = writeln!(
                o,
                "[[feature]]\nkind = \"fuel_dump\"\nid = {}\nname = {}\nhex = {}\nsource = {}",
                quote(&d.id),
                self.names(&d.note),
                quote(&self.fit.label(*h)),
                quote(&d.source)
            );
        }
    }

    /// The hexes on the far bank of the Meuse, where British units are (27.3).
    fn west_of_the_meuse(&self) -> BTreeSet<Hex> {
        let wall: BTreeSet<Edge> =
            self.river_sides.iter().filter(|(_, (_, m))| *m).map(|(e, _)| *e).collect();
        let corner = self.hexset.iter().copied().max_by_key(|h| (h.0, h.1));
        corner.map(|h| self.flood(&[h], &self.hexset, &wall)).unwrap_or_default()
    }

    /// The hexes west of the Ourthe and its west branch (1E 6.5); beyond the Meuse, all hexes are.
    fn west_of_the_ourthe(&self) -> BTreeSet<Hex> {
        let ours =
            |r: usize| matches!(self.src.rivers.river[r].name.as_str(), "Ourthe" | "Ourthe, west branch");
        let wall: BTreeSet<Edge> =
            self.river_sides.iter().filter(|(_, (r, meuse))| ours(*r) || *meuse).map(|(e, _)| *e).collect();
        let branch = self.src.rivers.river.iter().position(|r| r.name == "Ourthe, west branch");
        let spring = branch.and_then(|i| {
            self.river_pieces[i].iter().find_map(|piece| match piece {
                Piece::Sides(steps) => steps.iter().find_map(|(_, _, step)| match step {
                    Step::Side(e) => Some(e.0.min(e.1)),
                    Step::Through(_) => None,
                }),
                Piece::Valley(_) => None,
            })
        });
        let Some(spring) = spring else { return BTreeSet::new() };
        // South of the spring no river separates east from west: its column does.
        let ground: BTreeSet<Hex> =
            self.hexset.iter().copied().filter(|h| h.1 > spring.1 || h.0 > spring.0).collect();
        let last = self.hexset.iter().map(|h| h.0).max().unwrap_or_default();
        let mut west = self.flood(&[(last, *self.fit.rows().start())], &ground, &wall);
        west.extend(self.west_of_the_meuse());
        west
    }

    /// The first edition's exit: along the edge from its stated hex north and east to the stated town.
    fn exit_edge(&self) -> BTreeSet<Hex> {
        let exit = &self.src.features.exit_edge;
        let row = self.fit.parse_1e(&exit.from_1e).map_or(0, |h| h.1);
        let last = self.hexset.iter().map(|h| h.0).max().unwrap_or_default();
        let high = *self.fit.rows().end();
        let town = |h: &Hex| self.towns.get(h).is_some_and(|t| t.1 == exit.to);
        let east = self.hexset.iter().filter(|h| h.1 == high && town(h)).map(|h| h.0).min().unwrap_or(last);
        let edge = |h: &&Hex| h.0 == last && h.1 >= row || h.1 == high && h.0 >= east;
        self.hexset.iter().filter(edge).copied().collect()
    }

    /// The edge hexes by the box behind them: that of the nearest entry along the edge. No unit leaves by the east
    /// edge.
    fn edge_sectors(&self) -> BTreeMap<String, BTreeSet<Hex>> {
        let last = self.hexset.iter().map(|h| h.0).max().unwrap_or_default();
        let rows = self.fit.rows();
        let (low, high) = (*rows.start(), *rows.end());
        let columns = self.fit.first_column()..=last;
        let south = columns.clone().map(|c| (c, low));
        let west = (low + 1..high).map(|r| (last, r));
        let north = columns.rev().map(|c| (c, high));
        let walk: Vec<Hex> = south.chain(west).chain(north).collect();
        let posts: Vec<(usize, &String)> = self
            .entries
            .iter()
            .filter_map(|(h, e)| Some((walk.iter().position(|x| x == h)?, e.sector.as_ref()?)))
            .collect();
        let mut out: BTreeMap<String, BTreeSet<Hex>> = BTreeMap::new();
        for (i, h) in walk.iter().enumerate() {
            if let Some((_, sector)) = posts.iter().min_by_key(|(p, _)| p.abs_diff(i)) {
                out.entry((*sector).clone()).or_default().insert(*h);
            }
        }
        out
    }

    /// A name in every language, as the name list gives it.
    fn name_of(&self, kind: NameKind, name: &str) -> String {
        self.src.names.get(&(kind, name.to_owned())).map_or_else(|| quote(name), NameRow::to_toml)
    }

    /// The name of a place, or of something that is named like one.
    fn names(&self, name: &str) -> String {
        let known = |kind| self.src.names.contains_key(&(kind, name.to_owned()));
        self.name_of(if known(NameKind::Place) { NameKind::Place } else { NameKind::Text }, name)
    }
}

/// From the compiler's plane to the board coordinates of `atlas`: hex circumradii, y south, from the hex in column 0,
/// row 0.
fn board_point(p: Point) -> Point {
    let scale = 3f64.sqrt();
    (p.0 * scale, -(p.1 + 0.5) * scale)
}

fn points(line: &[Point]) -> String {
    let points: Vec<String> =
        line.iter().map(|p| board_point(*p)).map(|(x, y)| format!("[{x:.2}, {y:.2}]")).collect();
    format!("[{}]", points.join(", "))
}

pub fn quote(s: &str) -> String {
    toml::Value::String(s.to_owned()).to_string()
}

/// An id: lower case, without accents, words joined by hyphens.
pub fn slug(name: &str) -> String {
    let folded = fold(name);
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-")
}
