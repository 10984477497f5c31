//! A map defined hex by hex: `draft_map.toml` says what is in each hex and on each hexside, the other sources give
//! names, positions and courses. It works for any board; its labels are those of the map's head.

mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use hexgrid::{Board, HexId, Layout, Point, SideId, Vertex};
use rows::{Draft, Features, HexRow, Rivers};

use crate::{
    Error,
    emit::{quote, slug},
    georef::Georeference,
    source::{self, NameKind, NameRow, Place, csv_file, toml_file},
};

/// The file that identifies a source folder of this kind.
pub const FILE: &str = "draft_map.toml";

/// A place in the pack format: its id and names, its hex, its class and importance, and where exactly it lies.
pub fn place_row(
    (board, layout): (&Board, &Layout),
    (id, names): (&str, &str),
    hex: HexId,
    (class, importance): (&str, u8),
    at: Point,
    source: &str,
) -> String {
    let mut row = format!(
        "[[place]]\nid = {}\nhex = {}\nname = {names}\nclass = {}\nimportance = {importance}\nsource = {}\n",
        quote(id),
        quote(board.label(hex)),
        quote(class),
        quote(source)
    );
    // A pinned place may really lie just over the border of its hex: then it is drawn in the middle.
    if board.id(layout.hex_at(at)) == Some(hex) {
        let c = layout.centre(board.hex(hex));
        let _ = writeln!(row, "at = [{:.2}, {:.2}]", at.x - c.x, at.y - c.y);
    }
    row
}

struct Compiler {
    geo: Georeference,
    draft: Draft,
    rivers: Rivers,
    features: Features,
    places: Vec<Place>,
    names: BTreeMap<(NameKind, String), NameRow>,
    problems: Vec<String>,
}

/// The map as one text in the pack format, without its head.
pub fn emit(dir: &Path, head: &str) -> Result<String, Error> {
    let mut problems = Vec::new();
    // v of the fit grows north, y of the board south.
    let scale = [3f64.sqrt(), -1.5];
    let mut c = Compiler {
        geo: Georeference::read(dir, head, scale, &mut problems)?,
        draft: toml_file(dir, FILE)?,
        rivers: toml_file(dir, "rivers.toml")?,
        features: toml_file(dir, "features.toml")?,
        places: csv_file(dir, "gazetteer.csv")?,
        names: source::names(dir)?,
        problems,
    };
    let mut o = String::new();
    c.tables(&mut o);
    c.sources(&mut o);
    c.place_rows(&mut o);
    c.waters(&mut o);
    c.areas(&mut o);
    c.edges(&mut o);
    if c.problems.is_empty() { Ok(o) } else { Err(Error::Problems(c.problems)) }
}

pub(crate) fn list<T: AsRef<str>>(labels: impl IntoIterator<Item = T>) -> String {
    let labels: Vec<String> = labels.into_iter().map(|l| quote(l.as_ref())).collect();
    format!("[{}]", labels.join(", "))
}

impl Compiler {
    fn place(&self, what: (&str, &str), hex: HexId, class: (&str, u8), at: Point, source: &str) -> String {
        place_row((&self.geo.board, &self.geo.layout), what, hex, class, at, source)
    }

    /// A name in every language, as the name list gives it.
    fn name_of(&mut self, kind: NameKind, name: &str) -> String {
        let Some(row) = self.names.get(&(kind, name.to_owned())) else {
            self.problems.push(format!("names.csv: no {kind:?} '{name}'"));
            return quote(name);
        };
        row.to_toml()
    }

    fn tables(&mut self, o: &mut String) {
        let hexes = |f: &dyn Fn(&HexRow) -> bool| list(self.draft.hex.iter().filter(|h| f(h)).map(|h| &h.id));
        let _ = writeln!(o, "[terrain]");
        for ground in ["woods", "polder", "marsh"] {
            let _ = writeln!(o, "{ground} = {}", hexes(&|h| h.terrain == ground && !h.woods));
        }
        let _ = writeln!(o, "polder_woods = {}", hexes(&|h| h.terrain == "polder" && h.woods));
        for size in ["village", "town", "city"] {
            let _ = writeln!(o, "{size} = {}", hexes(&|h| h.town.as_deref() == Some(size)));
        }
        let _ = writeln!(
            o,
            "[held]\nallied = {}\ngerman = {}\n[hexside]",
            hexes(&|h| h.allied_17_sep),
            hexes(&|h| !h.allied_17_sep)
        );
        for water in ["major_river", "minor_river", "canal", "lake"] {
            let here = self.draft.side.iter().filter(|s| s.water.as_deref() == Some(water));
            let _ = writeln!(o, "{water} = {}", list(here.map(|s| &s.id)));
        }
        let _ = writeln!(o, "[road]");
        for class in ["primary", "secondary", "minor"] {
            let here = self.draft.side.iter().filter(|s| s.road.as_deref() == Some(class));
            let pairs: Vec<String> = here.map(|s| list(s.id.split('/'))).collect();
            let _ = writeln!(o, "{class} = [{}]", pairs.join(", "));
        }
        let mut supply: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
        for e in &self.draft.entry {
            supply.entry(&e.side).or_default().extend(&e.road_hexes);
        }
        let _ = writeln!(o, "[supply]");
        for (side, hexes) in supply {
            let _ = writeln!(o, "{side} = {}", list(hexes));
        }
        self.crossings(o);
        let _ = writeln!(o, "[road_exit]");
        for i in 0..self.draft.exit_road.len() {
            let x = &self.draft.exit_road[i];
            let (key, class, to) =
                (format!("{}:{}", x.hex, x.direction.to_lowercase()), x.road.clone(), x.to.clone());
            let to = self.name_of(NameKind::Place, &to);
            let _ = writeln!(o, "{} = {{ class = {}, to = {to} }}", quote(&key), quote(&class));
        }
    }

    /// Bridges and ferries.
    fn crossings(&mut self, o: &mut String) {
        let _ = writeln!(o, "[bridge]");
        for i in 0..self.draft.side.len() {
            let s = &self.draft.side[i];
            let Some((name, kind)) = s.crossing() else { continue };
            let row = self.rivers.bridge.iter().find(|b| b.place == *name);
            let source = match (s.bridge_stated, row) {
                (true, _) => "rules errata".to_owned(),
                (false, Some(b)) if !b.source.is_empty() => b.source.clone(),
                _ => "history".to_owned(),
            };
            let mut fields = vec![format!("kind = {}", quote(kind)), format!("source = {}", quote(&source))];
            if let Some(state) = &s.bridge_state {
                fields.push(format!("state = {}", quote(state)));
            }
            let mut props = Vec::new();
            if s.no_demolition {
                props.push("no_demolition = true".to_owned());
            }
            if let Some(rule) = &s.bridge_rule {
                props.push(format!("rule = {}", quote(rule)));
            }
            if !props.is_empty() {
                fields.push(format!("props = {{ {} }}", props.join(", ")));
            }
            let (id, name) = (s.id.clone(), name.clone());
            fields.push(format!("name = {}", self.name_of(NameKind::Text, &name)));
            let _ = writeln!(o, "{} = {{ {} }}", quote(&id), fields.join(", "));
        }
    }

    /// Sources of hexes and hexsides that stated facts fix.
    fn sources(&self, o: &mut String) {
        let mut sources: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for c in &self.geo.control {
            let source = if c.states.starts_with("play report") {
                "report".to_owned()
            } else {
                format!("rules: {}", c.states)
            };
            let labels = if c.kind == "side" { vec![c.hexes.join("/")] } else { c.hexes.clone() };
            sources.entry(source).or_default().extend(labels);
        }
        let _ = writeln!(o, "[source]");
        for (source, labels) in sources {
            let _ = writeln!(o, "{} = {}", quote(&source), list(labels));
        }
    }

    fn place_rows(&mut self, o: &mut String) {
        let victory: BTreeSet<String> = self.features.victory.iter().flat_map(|v| v.places.clone()).collect();
        let mut rows: Vec<(u8, String, String)> = Vec::new();
        for i in 0..self.places.len() {
            let p = self.places[i].clone();
            let Ok(hex) = self.geo.board.find(&p.hex) else { continue };
            let importance = match p.class.as_str() {
                "city" => 0,
                _ if victory.contains(&p.name) => 1,
                "town" => 2,
                "village" => 3,
                _ => 4,
            };
            let class = if p.class == "none" { "hamlet" } else { &p.class };
            let source =
                if p.pin.is_empty() { p.source.as_str() } else { "pinned: a stated fact or a river's bank" };
            let at = self.geo.point([p.lat, p.lon]);
            let names = self.name_of(NameKind::Place, &p.name);
            rows.push((
                importance,
                p.name.clone(),
                self.place((&slug(&p.name), &names), hex, (class, importance), at, source),
            ));
        }
        rows.sort();
        for (_, _, row) in rows {
            o.push_str(&row);
        }
        for i in 0..self.features.landmark.len() {
            let l = &self.features.landmark[i];
            let (name, at) = (l.name.clone(), self.geo.point([l.lat, l.lon]));
            let class = l.class.clone().unwrap_or_else(|| "region".to_owned());
            if let Some(hex) = self.geo.hex_at(at) {
                let names = self.name_of(NameKind::Text, &name);
                o.push_str(&self.place((&slug(&name), &names), hex, (&class, 1), at, "history"));
            }
        }
    }

    fn waters(&mut self, o: &mut String) {
        for i in 0..self.rivers.river.len() {
            let r = &self.rivers.river[i];
            let (name, into) = (r.name.clone(), r.into.clone());
            let line: Vec<Point> =
                r.reach.iter().flat_map(|x| &x.points).map(|p| self.geo.point(*p)).collect();
            let streams: Vec<String> = r
                .reach
                .iter()
                .filter(|x| x.class == "stream")
                .map(|x| {
                    let points = x.points.iter().map(|p| self.geo.point(*p));
                    let points: Vec<String> = points.map(|p| format!("[{:.2}, {:.2}]", p.x, p.y)).collect();
                    format!("[{}]", points.join(", "))
                })
                .collect();
            let mine = self.draft.side.iter().filter(|s| s.river.as_ref() == Some(&name));
            let mut sides = Vec::new();
            for s in mine {
                match self.geo.board.find_side(&s.id) {
                    Ok(side) => sides.push(side),
                    Err(e) => self.problems.push(e.to_string()),
                }
            }
            let sides = downstream(&self.geo.board, &self.geo.layout, sides, &line);
            let through =
                self.draft.hex.iter().filter(|h| h.river_through.contains(&name)).map(|h| h.id.clone());
            let through: Vec<String> = through.collect();
            if sides.is_empty() && through.is_empty() && streams.is_empty() {
                continue;
            }
            let labels: Vec<String> = sides.iter().map(|s| self.side_label(*s)).collect();
            let names = self.name_of(NameKind::River, &name);
            let _ = writeln!(o, "[[watercourse]]\nid = {}\nname = {names}", quote(&slug(&name)));
            if let Some(into) = into {
                let _ = writeln!(o, "into = {}", quote(&slug(&into)));
            }
            let _ = writeln!(o, "source = \"history\"\nhexsides = {}", list(labels));
            let _ = writeln!(o, "through = {}\ncourse = [{}]", list(through), streams.join(", "));
        }
    }

    fn side_label(&self, side: SideId) -> String {
        let hexes = self.geo.board.side_hexes(side).into_iter().flatten().map(|h| self.geo.board.label(h));
        hexes.collect::<Vec<_>>().join("/")
    }

    fn areas(&mut self, o: &mut String) {
        for i in 0..self.features.town_hexes.len() {
            let t = &self.features.town_hexes[i];
            let (name, hexes, source) = (t.place.clone(), list(&t.hexes), quote(&t.source));
            let names = self.name_of(NameKind::Place, &name);
            let id = quote(&format!("town-{}", slug(&name)));
            let _ = writeln!(
                o,
                "[[area]]\nid = {id}\nkind = \"town\"\nname = {names}\nhexes = {hexes}\nsource = {source}"
            );
        }
        for i in 0..self.features.landing.len() {
            let z = &self.features.landing[i];
            let (id, army, hexes, source) = (z.id.clone(), quote(&z.army), list(&z.hexes), quote(&z.source));
            let names = self.name_of(NameKind::Text, &format!("Landing zone {id}"));
            let _ = writeln!(
                o,
                "[[area]]\nid = {}\nkind = \"landing_zone\"\nname = {names}\nhexes = {hexes}\nprops = {{ letter = {}, army = {army} }}\nsource = {source}",
                quote(&format!("landing-{}", slug(&id))),
                quote(&id),
            );
        }
        let front = self.name_of(NameKind::Text, "Front");
        let _ = writeln!(
            o,
            "[[area]]\nid = \"front\"\nkind = \"front\"\nname = {front}\nline = {}\nsource = \"rules: the set-up card\"",
            list(&self.draft.front_17_sep.sides)
        );
        for i in 0..self.features.border.len() {
            let b = &self.features.border[i];
            let name = b.name.clone();
            let points: Vec<String> = b
                .line
                .iter()
                .map(|p| self.geo.point(*p))
                .map(|p| format!("[{:.2}, {:.2}]", p.x, p.y))
                .collect();
            let names = self.name_of(NameKind::Text, &name);
            let _ = writeln!(
                o,
                "[[feature]]\nkind = \"border\"\nid = {}\nname = {names}\nline = [{}]\nsource = \"history\"",
                quote(&slug(&name)),
                points.join(", ")
            );
        }
    }

    /// Entry areas, the holding box, Victory Hexes, Unknown markers and Supply Heads.
    fn edges(&mut self, o: &mut String) {
        for e in &self.draft.entry {
            let _ = writeln!(
                o,
                "[[entry]]\nid = {}\nside = {}\nhexes = {}\nprops = {{ road_hexes = {} }}\nsource = {}",
                quote(&e.id),
                quote(&e.side),
                list(&e.hexes),
                list(&e.road_hexes),
                quote(&e.source)
            );
        }
        for i in 0..self.features.r#box.len() {
            let b = &self.features.r#box[i];
            let (id, leads_to, source) = (b.id.clone(), quote(&b.leads_to), quote(&b.source));
            let names = self.name_of(NameKind::Text, &format!("{id} Holding Box"));
            let _ = writeln!(
                o,
                "[[box]]\nid = {}\nname = {names}\nentries = [{leads_to}]\nsource = {source}",
                quote(&id)
            );
        }
        for h in self.draft.hex.iter().filter(|h| h.victory) {
            let v = self.features.victory.iter().find(|v| v.places.contains(&h.name));
            let _ = writeln!(
                o,
                "[[victory]]\nhex = {}\nplace = {}\nsource = {}",
                quote(&h.id),
                quote(&slug(&h.name)),
                quote(v.map_or("estimate", |v| &v.source))
            );
        }
        for i in 0..self.draft.hex.len() {
            let h = &self.draft.hex[i];
            let id = h.id.clone();
            let head = h.supply_head.as_ref().map(|who| ("supply_head", format!("Supply Head {who}")));
            let unknown = h.unknown.then(|| ("unknown", "Unknown".to_owned()));
            for (kind, name) in [head, unknown].into_iter().flatten() {
                let names = self.name_of(NameKind::Text, &name);
                let _ = writeln!(
                    o,
                    "[[feature]]\nkind = \"{kind}\"\nid = \"{kind}-{id}\"\nname = {names}\nhex = \"{id}\"\nsource = \"rules: the set-up card\""
                );
            }
        }
    }
}

/// Hexsides of one river in the order of its course: each piece as a chain, oriented with the line.
pub(crate) fn downstream(
    board: &Board,
    layout: &Layout,
    mut sides: Vec<SideId>,
    line: &[Point],
) -> Vec<SideId> {
    let ends = |s: SideId| board.hexside(s).vertices();
    let along = |v: Vertex| progress(line, layout.vertex(v));
    let mut pieces: Vec<(f64, Vec<SideId>)> = Vec::new();
    while !sides.is_empty() {
        // The loose end farthest upstream; a ring has none and may begin anywhere.
        let meets = |v: Vertex| sides.iter().filter(|s| ends(**s).contains(&v)).count();
        let loose = sides.iter().flat_map(|s| ends(*s)).filter(|v| meets(*v) == 1);
        let start = loose.min_by(|a, b| along(*a).total_cmp(&along(*b)));
        let mut at = start.unwrap_or_else(|| ends(sides[0])[0]);
        let begin = along(at);
        let mut chain = Vec::new();
        while let Some(i) = sides.iter().position(|s| ends(*s).contains(&at)) {
            let side = sides.swap_remove(i);
            let [a, b] = ends(side);
            at = if a == at { b } else { a };
            chain.push(side);
        }
        if along(at) < begin {
            chain.reverse();
        }
        pieces.push((begin.min(along(at)), chain));
    }
    pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
    pieces.into_iter().flat_map(|(_, chain)| chain).collect()
}

/// Distance from a point to a segment.
pub(crate) fn segment_distance(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = dx * dx + dy * dy;
    let t =
        if length == 0.0 { 0.0 } else { (((p.x - a.x) * dx + (p.y - a.y) * dy) / length).clamp(0.0, 1.0) };
    p.distance(a.lerp(b, t))
}

/// How far along a line its nearest point to `p` lies.
fn progress(line: &[Point], p: Point) -> f64 {
    let (mut best, mut at, mut done) = (f64::INFINITY, 0.0, 0.0);
    for w in line.windows(2) {
        let (dx, dy) = (w[1].x - w[0].x, w[1].y - w[0].y);
        let length = dx.hypot(dy);
        let t = if length == 0.0 {
            0.0
        } else {
            (((p.x - w[0].x) * dx + (p.y - w[0].y) * dy) / (length * length)).clamp(0.0, 1.0)
        };
        let d = p.distance(w[0].lerp(w[1], t));
        if d < best {
            (best, at) = (d, done + t * length);
        }
        done += length;
    }
    at
}
