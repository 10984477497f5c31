//! The map of Würzburg, which is defined hex by hex like [`crate::draft`], with additional data: slopes with a higher
//! side, numbered roads, garrisons and a border between two states.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use hexgrid::{HexId, Point, SideId};
use serde::Deserialize;

use crate::{
    Error, draft,
    draft::{downstream, list},
    emit::quote,
    georef::Georeference,
    source::{self, LatLon, NameKind, NameRow, csv_file, toml_file},
};

/// The file that identifies a source folder of this kind.
pub const SLOPES: &str = "slopes.toml";

#[derive(Debug, Deserialize)]
struct Draft {
    hex: Vec<HexRow>,
    side: Vec<SideRow>,
    exit_road: Vec<ExitRow>,
    edge: Vec<EdgeRow>,
    off_map: Vec<OffMapRow>,
}

#[derive(Debug, Deserialize)]
struct HexRow {
    id: String,
    terrain: String,
    /// The terrain under and around a town, if it is not clear.
    ground: Option<String>,
    stated: Option<String>,
    #[serde(default)]
    gdr: bool,
}

#[derive(Debug, Deserialize)]
struct SideRow {
    id: String,
    water: Option<String>,
    river: Option<String>,
    road: Option<String>,
    #[serde(default)]
    road_number: Vec<String>,
    bridge: Option<String>,
    #[serde(default)]
    bridge_stated: bool,
    slope_up: Option<String>,
    #[serde(default)]
    impassable: bool,
    #[serde(default)]
    border: bool,
}

#[derive(Debug, Deserialize)]
struct ExitRow {
    hex: String,
    direction: String,
    road: String,
    to: String,
}

#[derive(Debug, Deserialize)]
struct EdgeRow {
    id: String,
    friendly: String,
    hexes: Vec<String>,
    source: String,
}

#[derive(Debug, Deserialize)]
struct OffMapRow {
    id: String,
    side: String,
}

#[derive(Debug, Deserialize)]
struct Rivers {
    river: Vec<River>,
}

#[derive(Debug, Deserialize)]
struct River {
    name: String,
    into: Option<String>,
    reach: Vec<Reach>,
}

#[derive(Debug, Deserialize)]
struct Reach {
    class: String,
    points: Vec<LatLon>,
}

#[derive(Debug, Deserialize)]
struct Features {
    town_hexes: Vec<source::TownHexes>,
    landmark: Vec<source::Landmark>,
    site: Vec<Site>,
}

#[derive(Debug, Deserialize)]
struct Site {
    name: String,
    lat: f64,
    lon: f64,
    side: String,
}

#[derive(Debug, Deserialize)]
struct PlaceRow {
    name: String,
    lat: f64,
    lon: f64,
    population: Option<u32>,
    hex: String,
    class: String,
    source: String,
}

struct Compiler {
    geo: Georeference,
    draft: Draft,
    rivers: Rivers,
    features: Features,
    places: Vec<PlaceRow>,
    names: BTreeMap<(NameKind, String), NameRow>,
    problems: Vec<String>,
}

/// The map as one text in the pack format, without its head.
pub fn emit(dir: &Path, head: &str) -> Result<String, Error> {
    let mut problems = Vec::new();
    // u of the fit grows to map west, v to map south.
    let scale = [-(3f64.sqrt()), 1.5];
    let mut c = Compiler {
        geo: Georeference::read(dir, head, scale, &mut problems)?,
        draft: toml_file(dir, draft::FILE)?,
        rivers: toml_file(dir, "rivers.toml")?,
        features: toml_file(dir, "features.toml")?,
        places: csv_file(dir, "gazetteer.csv")?,
        names: source::names(dir)?,
        problems,
    };
    let mut o = String::new();
    c.slopes(&mut o);
    c.tables(&mut o);
    c.place_rows(&mut o);
    c.waters(&mut o);
    c.areas(&mut o);
    c.edges(&mut o);
    if c.problems.is_empty() { Ok(o) } else { Err(Error::Problems(c.problems)) }
}

impl Compiler {
    /// A name in every language, as the name list gives it.
    fn name_of(&self, kind: NameKind, name: &str) -> String {
        let known = |kind| self.names.get(&(kind, name.to_owned()));
        let Some(row) = known(kind).or_else(|| known(NameKind::Place)).or_else(|| known(NameKind::Text))
        else {
            return quote(name);
        };
        row.to_toml()
    }

    fn slopes(&self, o: &mut String) {
        let up = self.draft.side.iter().filter_map(|s| {
            let high = s.slope_up.as_ref()?;
            let low = s.id.split('/').find(|h| h != high)?;
            Some(format!("{low}>{high}"))
        });
        let _ = writeln!(o, "uphill = {}", list(up));
    }

    fn tables(&self, o: &mut String) {
        let _ = writeln!(o, "[terrain]");
        for ground in ["light_woods", "heavy_woods"] {
            let here = |h: &&HexRow| h.terrain == ground || h.ground.as_deref() == Some(ground);
            let _ = writeln!(o, "{ground} = {}", list(self.draft.hex.iter().filter(here).map(|h| &h.id)));
        }
        for size in ["town", "city"] {
            let here = self.draft.hex.iter().filter(|h| h.terrain == size);
            let _ = writeln!(o, "{size} = {}", list(here.map(|h| &h.id)));
        }
        let sides =
            |f: &dyn Fn(&SideRow) -> bool| list(self.draft.side.iter().filter(|s| f(s)).map(|s| &s.id));
        let _ = writeln!(o, "[hexside]");
        for water in ["main", "saale"] {
            let _ = writeln!(o, "{water} = {}", sides(&|s| s.water.as_deref() == Some(water)));
        }
        let _ = writeln!(o, "slope = {}", sides(&|s| s.slope_up.is_some() && !s.impassable));
        let _ = writeln!(o, "impassable_slope = {}", sides(&|s| s.impassable));
        let _ = writeln!(o, "[road]");
        for class in ["autobahn", "bundesstrasse", "minor"] {
            let here = self.draft.side.iter().filter(|s| s.road.as_deref() == Some(class));
            let pairs: Vec<String> = here.map(|s| list(s.id.split('/'))).collect();
            let _ = writeln!(o, "{class} = [{}]", pairs.join(", "));
        }
        let _ = writeln!(o, "[road_exit]");
        for x in &self.draft.exit_road {
            let key = quote(&format!("{}:{}", x.hex, x.direction.to_lowercase()));
            let to = self.name_of(NameKind::Place, &x.to);
            let _ = writeln!(o, "{key} = {{ class = {}, to = {to} }}", quote(&x.road));
        }
        let _ = writeln!(o, "[bridge]");
        for s in &self.draft.side {
            let Some(name) = &s.bridge else { continue };
            let source = if s.bridge_stated { ", source = \"rules\"" } else { "" };
            let name = self.name_of(NameKind::Text, name);
            let _ = writeln!(o, "{} = {{ name = {name}{source} }}", quote(&s.id));
        }
        let mut sources: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for h in &self.draft.hex {
            match h.stated.as_deref() {
                Some("rules") => sources.entry("rules").or_default().push(&h.id),
                Some(_) => sources.entry("reading of a worked example").or_default().push(&h.id),
                None => {}
            }
        }
        let _ = writeln!(o, "[source]");
        for (source, hexes) in sources {
            let _ = writeln!(o, "{} = {}", quote(source), list(hexes));
        }
    }

    fn place_rows(&mut self, o: &mut String) {
        let mut rows: Vec<(u8, String, String)> = Vec::new();
        let mut ids = BTreeSet::new();
        for p in self.places.iter().filter(|p| p.class != "none") {
            let Ok(hex) = self.geo.board.find(&p.hex) else { continue };
            let importance = match p.class.as_str() {
                "city" => 0,
                "town" if p.population.is_some_and(|n| n >= 5000) => 1,
                "town" => 2,
                _ => 3,
            };
            if !ids.insert(id(&p.name)) {
                self.problems.push(format!("gazetteer.csv: {} has the id of another place", p.name));
            }
            let at = self.geo.point([p.lat, p.lon]);
            let names = self.name_of(NameKind::Place, &p.name);
            let row = self.place((&id(&p.name), &names), hex, (&p.class, importance), at, &p.source);
            rows.push((importance, p.name.clone(), row));
        }
        rows.sort();
        o.extend(rows.into_iter().map(|(_, _, row)| row));
        for l in &self.features.landmark {
            let at = self.geo.point([l.lat, l.lon]);
            let class = l.class.as_deref().unwrap_or("region");
            if let Some(hex) = self.geo.hex_at(at) {
                let names = self.name_of(NameKind::Text, &l.name);
                let importance = if class == "region" { 1 } else { 3 };
                let id = format!("{}-{class}", id(&l.name));
                o.push_str(&self.place((&id, &names), hex, (class, importance), at, "estimate"));
            }
        }
    }

    fn place(&self, what: (&str, &str), hex: HexId, class: (&str, u8), at: Point, source: &str) -> String {
        draft::place_row((&self.geo.board, &self.geo.layout), what, hex, class, at, source)
    }

    fn waters(&mut self, o: &mut String) {
        for r in &self.rivers.river {
            let line: Vec<Point> =
                r.reach.iter().flat_map(|x| &x.points).map(|p| self.geo.point(*p)).collect();
            let courses: Vec<String> = r
                .reach
                .iter()
                .filter(|x| x.class == "minor")
                .map(|x| {
                    let points = x.points.iter().map(|p| self.geo.point(*p));
                    let points: Vec<String> = points.map(|p| format!("[{:.2}, {:.2}]", p.x, p.y)).collect();
                    format!("[{}]", points.join(", "))
                })
                .collect();
            let mine = self.draft.side.iter().filter(|s| s.river.as_ref() == Some(&r.name));
            let sides: Vec<SideId> = mine.filter_map(|s| self.geo.board.find_side(&s.id).ok()).collect();
            let sides = downstream(&self.geo.board, &self.geo.layout, sides, &line);
            let labels = sides.iter().map(|s| {
                let hexes =
                    self.geo.board.side_hexes(*s).into_iter().flatten().map(|h| self.geo.board.label(h));
                hexes.collect::<Vec<_>>().join("/")
            });
            let names = self.name_of(NameKind::River, &r.name);
            let _ = writeln!(o, "[[watercourse]]\nid = {}\nname = {names}", quote(&id(&r.name)));
            if let Some(into) = &r.into {
                let _ = writeln!(o, "into = {}", quote(&id(into)));
            }
            let _ = writeln!(o, "source = \"history\"\nhexsides = {}", list(labels));
            let _ = writeln!(o, "course = [{}]", courses.join(", "));
        }
    }

    fn areas(&self, o: &mut String) {
        let area = |o: &mut String, id: &str, kind: &str, name: &str, hexes: String, source: &str| {
            let _ = writeln!(
                o,
                "[[area]]\nid = {}\nkind = {}\nname = {name}\nhexes = {hexes}\nsource = {}",
                quote(id),
                quote(kind),
                quote(source)
            );
        };
        for t in &self.features.town_hexes {
            let name = self.name_of(NameKind::Place, &t.place);
            area(o, &format!("town-{}", id(&t.place)), "town", &name, list(&t.hexes), &t.source);
        }
        let gdr = list(self.draft.hex.iter().filter(|h| h.gdr).map(|h| &h.id));
        area(
            o,
            "gdr",
            "gdr",
            "{ en = \"GDR\", ko = \"동독\", ja = \"東独\", local = \"DDR\" }",
            gdr,
            "history",
        );
        let border = self.draft.side.iter().filter(|s| s.border);
        let border: Vec<SideId> = border.filter_map(|s| self.geo.board.find_side(&s.id).ok()).collect();
        let border = downstream(&self.geo.board, &self.geo.layout, border, &[]);
        let labels = border.iter().map(|s| {
            let hexes = self.geo.board.side_hexes(*s).into_iter().flatten().map(|h| self.geo.board.label(h));
            hexes.collect::<Vec<_>>().join("/")
        });
        let _ = writeln!(
            o,
            "[[area]]\nid = \"inner-german-border\"\nkind = \"border\"\nname = {}\nline = {}\nsource = \"history\"",
            self.name_of(NameKind::Text, "inner German border"),
            list(labels)
        );
        let mut routes: BTreeMap<(char, u16), BTreeSet<&str>> = BTreeMap::new();
        for s in &self.draft.side {
            for number in &s.road_number {
                let class = number.chars().next().unwrap_or('?');
                let n = number.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
                routes.entry((class, n)).or_default().extend(s.id.split('/'));
            }
        }
        for ((class, n), hexes) in routes {
            let name = quote(&format!("{class} {n}"));
            let names = format!("{{ en = {name}, ko = {name}, ja = {name} }}");
            let id = format!("route-{}-{n}", class.to_ascii_lowercase());
            area(o, &id, "route", &names, list(hexes), "history");
        }
    }

    /// Map edges, off-map displays, garrisons.
    fn edges(&self, o: &mut String) {
        for e in &self.draft.edge {
            let names = self.name_of(NameKind::Text, &format!("edge {}", e.id));
            let _ = writeln!(
                o,
                "[[area]]\nid = {}\nkind = \"edge\"\nname = {names}\nhexes = {}\nsource = {}",
                quote(&format!("edge-{}", e.id.replace('_', "-"))),
                list(&e.hexes),
                quote(&e.source)
            );
            if !e.friendly.is_empty() {
                let _ = writeln!(o, "props = {{ friendly = {} }}", quote(&e.friendly));
            }
        }
        for b in &self.draft.off_map {
            let id = b.id.replace('_', "-");
            let other =
                if id.ends_with("five") { id.replace("five", "ten") } else { id.replace("ten", "five") };
            let _ = writeln!(
                o,
                "[[box]]\nid = {}\nname = {}\nadjacent = [{}]\nprops = {{ side = {} }}\nsource = \"rules 40.1\"",
                quote(&id),
                self.name_of(NameKind::Text, &format!("display {id}")),
                quote(&other),
                quote(&b.side)
            );
        }
        for s in &self.features.site {
            let Some(hex) = self.geo.hex_at(self.geo.point([s.lat, s.lon])) else { continue };
            let kind = match s.name.as_str() {
                name if name.contains("airfield") => "airfield",
                name if name.contains("training") => "training_area",
                _ => "barracks",
            };
            let _ = writeln!(
                o,
                "[[feature]]\nkind = \"{kind}\"\nid = {}\nname = {}\nhex = {}\nprops = {{ nation = {} }}\nsource = \"history\"",
                quote(&id(&s.name)),
                self.name_of(NameKind::Text, &s.name),
                quote(self.geo.board.label(hex)),
                quote(&s.side)
            );
        }
    }
}

/// An id: lower case, umlauts written out (so that Gädheim is not Gadheim), words joined by hyphens.
fn id(name: &str) -> String {
    let plain =
        name.to_lowercase().replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss");
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-")
}
