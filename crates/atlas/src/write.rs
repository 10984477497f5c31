//! Writes a [`Map`] back to files, always in the same order: loading and writing again gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use hexgrid::{HexId, SideId};

use crate::{
    map::{BoardPoint, Layer, Map, Props, RoadId, Spot, TerrainId},
    names::Names,
};

/// Labels per line.
const PER_LINE: usize = 16;

impl Map {
    /// Everything except the head (grid and kinds), as file names and texts. `note` goes to the top of each file.
    pub fn to_files(&self, note: &str) -> Vec<(&'static str, String)> {
        let head = note.lines().fold(String::new(), |head, line| head + "# " + line + "\n");
        [
            ("terrain.toml", self.write_terrain()),
            ("water.toml", self.write_water()),
            ("roads.toml", self.write_roads()),
            ("places.toml", self.write_places()),
            ("areas.toml", self.write_areas()),
        ]
        .map(|(file, body)| (file, format!("{head}\n{}\n", body.trim())))
        .into()
    }

    fn write_terrain(&self) -> String {
        let mut out = format!("default = {}\n", quote(&self.terrain_kinds[0].id));
        out += "\n[terrain]\n";
        for (i, kind) in self.terrain_kinds.iter().enumerate() {
            let here = |h: &HexId| self.terrain(*h).contains(TerrainId(i as u8));
            if i > 0 || kind.layer != Layer::Ground {
                list(&mut out, &kind.id, self.board.ids().filter(here).map(|h| self.label(h).to_owned()));
            }
        }
        let mut heights: BTreeMap<i16, Vec<String>> = BTreeMap::new();
        for h in self.board.ids().filter(|h| self.elevation(*h) != 0) {
            heights.entry(self.elevation(h)).or_default().push(self.label(h).to_owned());
        }
        if !heights.is_empty() {
            out += "\n[elevation]\n";
            for (height, hexes) in heights {
                list(&mut out, &quote(&height.to_string()), hexes);
            }
        }
        out += "\n[held]\n";
        for (i, faction) in self.factions.iter().enumerate() {
            let held = self.board.ids().filter(|h| self.control(*h).is_some_and(|f| f.0 as usize == i));
            list(&mut out, faction, held.map(|h| self.label(h).to_owned()));
        }
        out += "\n[source]\n";
        let mut sources: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (h, s) in &self.hex_sources {
            sources.entry(s).or_default().push(self.label(*h).to_owned());
        }
        for (e, s) in &self.side_sources {
            sources.entry(s).or_default().push(self.side_label(*e));
        }
        for (source, labels) in sources {
            list(&mut out, &quote(source), labels);
        }
        out
    }

    fn write_water(&self) -> String {
        let mut out = String::new();
        let mut slopes: Vec<SideId> =
            self.board.side_ids().filter(|e| self.side(*e).uphill.is_some()).collect();
        slopes.sort_by_key(|e| self.side_key(*e));
        let slopes = slopes.into_iter().filter_map(|e| {
            let high = self.side(e).uphill?;
            let low = self.board.side_hexes(e).into_iter().flatten().find(|h| *h != high)?;
            Some(format!("{}>{}", self.label(low), self.label(high)))
        });
        list(&mut out, "uphill", slopes);
        if !out.is_empty() {
            out += "\n";
        }
        out += "[hexside]\n";
        for (i, kind) in self.hexside_kinds.iter().enumerate() {
            let here = |e: &SideId| self.side(*e).kinds.iter().any(|k| k.0 as usize == i);
            list(&mut out, &kind.id, self.sorted_sides(self.board.side_ids().filter(here)));
        }
        out += "\n[bridge]\n";
        let mut bridges: Vec<_> = self.bridges.iter().map(|b| (self.side_key(b.side), b)).collect();
        bridges.sort_by_key(|(key, _)| *key);
        for (_, b) in bridges {
            let mut fields = vec![format!("name = {}", names(&b.name))];
            if b.kind != crate::BridgeKind::Road {
                fields.push(format!("kind = \"{}\"", b.kind.id()));
            }
            if b.state != crate::BridgeState::Intact {
                let state = if b.state == crate::BridgeState::Blown { "blown" } else { "under_construction" };
                fields.push(format!("state = \"{state}\""));
            }
            if let Some(n) = b.number {
                fields.push(format!("number = {n}"));
            }
            if !b.props.is_empty() {
                let props: Vec<String> =
                    b.props.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                fields.push(format!("props = {{ {} }}", props.join(", ")));
            }
            self.push_source(&mut fields, &b.source);
            let _ = writeln!(out, "{} = {{ {} }}", quote(&self.side_label(b.side)), fields.join(", "));
        }
        for w in &self.watercourses {
            out += "\n[[watercourse]]\n";
            let _ = writeln!(out, "id = {}\nname = {}", quote(&w.id), names(&w.name));
            if let Some(into) = &w.into {
                let _ = writeln!(out, "into = {}", quote(into));
            }
            self.write_source(&mut out, &w.source);
            list(&mut out, "hexsides", w.hexsides.iter().map(|e| self.side_label(*e)));
            list(&mut out, "through", w.through.iter().map(|h| self.label(*h).to_owned()));
            if !w.course.is_empty() {
                out += "course = [\n";
                for line in &w.course {
                    let _ = writeln!(out, "    {},", points(line));
                }
                out += "]\n";
            }
        }
        out
    }

    fn write_roads(&self) -> String {
        let mut out = "[road]\n".to_owned();
        for (i, class) in self.road_classes.iter().enumerate() {
            let chains = self.chains(RoadId(i as u8));
            if chains.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{} = [", class.id);
            for chain in chains {
                let labels: Vec<String> = chain.iter().map(|h| quote(self.label(*h))).collect();
                let _ = writeln!(out, "    [{}],", labels.join(", "));
            }
            out += "]\n";
        }
        out += "\n[road_exit]\n";
        for f in self.features_of("road_exit") {
            if let Spot::Hexside(side) = f.at
                && let Some(road) = self.side(side).road
            {
                let class = quote(&self.road_class(road).id);
                let _ = writeln!(
                    out,
                    "{} = {{ class = {class}, to = {} }}",
                    quote(&self.side_label(side)),
                    names(&f.name)
                );
            }
        }
        out
    }

    /// The roads of one class as chains of hexes: from crossing to crossing, then the rings.
    fn chains(&self, class: RoadId) -> Vec<Vec<HexId>> {
        let mut joined: BTreeMap<HexId, BTreeSet<HexId>> = BTreeMap::new();
        for side in self.board.side_ids().filter(|e| self.side(*e).road == Some(class)) {
            if let [Some(a), Some(b)] = self.board.side_hexes(side) {
                joined.entry(a).or_default().insert(b);
                joined.entry(b).or_default().insert(a);
            }
        }
        let degree: BTreeMap<HexId, usize> = joined.iter().map(|(h, n)| (*h, n.len())).collect();
        let ends = degree.iter().filter(|(_, n)| **n != 2).map(|(h, _)| *h);
        let starts: Vec<HexId> = ends.chain(degree.keys().copied()).collect();
        let mut out = Vec::new();
        for start in starts {
            while let Some(mut next) = joined[&start].first().copied() {
                let mut chain = vec![start];
                loop {
                    let here = chain[chain.len() - 1];
                    for (a, b) in [(here, next), (next, here)] {
                        if let Some(n) = joined.get_mut(&a) {
                            n.remove(&b);
                        }
                    }
                    chain.push(next);
                    match joined[&next].first() {
                        Some(n) if degree[&next] == 2 => next = *n,
                        _ => break,
                    }
                }
                out.push(chain);
            }
        }
        out
    }

    fn write_places(&self) -> String {
        let mut out = "place = [\n".to_owned();
        let layout = hexgrid::Layout::new(self.board.orientation(), 1.0);
        for p in &self.places {
            let mut fields = vec![
                format!("id = {}", quote(&p.id)),
                format!("hex = {}", quote(self.label(p.hex))),
                format!("name = {}", names(&p.name)),
                format!("class = {}", quote(&p.class)),
                format!("importance = {}", p.importance),
            ];
            if let Some([x, y]) = p.at {
                let c = layout.centre(self.board.hex(p.hex));
                fields.push(format!("at = {}", point([x - c.x as f32, y - c.y as f32])));
            }
            self.push_source(&mut fields, &p.source);
            let _ = writeln!(out, "    {{ {} }},", fields.join(", "));
        }
        out + "]\n"
    }

    fn write_areas(&self) -> String {
        let mut out = String::new();
        for (i, faction) in self.factions.iter().enumerate() {
            let sources: Vec<String> = self
                .supply
                .iter()
                .filter(|s| s.side.0 as usize == i)
                .map(|s| self.label(s.hex).to_owned())
                .collect();
            if !sources.is_empty() {
                list(&mut out, &format!("supply.{faction}"), sources);
            }
        }
        for v in &self.victory {
            let _ = writeln!(
                out,
                "\n[[victory]]\nhex = {}\nplace = {}",
                quote(self.label(v.hex)),
                quote(&v.place)
            );
            self.write_source(&mut out, &v.source);
        }
        for e in &self.entries {
            let _ = writeln!(out, "\n[[entry]]\nid = {}", quote(&e.id));
            write_name(&mut out, &e.name);
            let _ = writeln!(out, "side = {}", quote(&self.factions[e.side.0 as usize]));
            if let Some(sector) = &e.sector {
                let _ = writeln!(out, "sector = {}", quote(sector));
            }
            list(&mut out, "hexes", e.hexes.iter().map(|h| self.label(*h).to_owned()));
            self.write_source(&mut out, &e.source);
            write_props(&mut out, &e.props);
        }
        for b in &self.boxes {
            let _ = writeln!(out, "\n[[box]]\nid = {}\nname = {}", quote(&b.id), names(&b.name));
            list(&mut out, "adjacent", b.adjacent.iter().cloned());
            list(&mut out, "entries", b.entries.iter().cloned());
            if b.blocking {
                out += "blocking = true\n";
            }
            self.write_source(&mut out, &b.source);
            write_props(&mut out, &b.props);
        }
        for a in &self.areas {
            let _ = writeln!(out, "\n[[area]]\nid = {}\nkind = {}", quote(&a.id), quote(&a.kind));
            write_name(&mut out, &a.name);
            list(&mut out, "hexes", a.hexes.iter().map(|h| self.label(h).to_owned()));
            list(&mut out, "line", a.line.iter().map(|e| self.side_label(*e)));
            self.write_source(&mut out, &a.source);
            write_props(&mut out, &a.props);
        }
        for f in self.features.iter().filter(|f| f.kind != "road_exit") {
            let _ = writeln!(out, "\n[[feature]]\nkind = {}", quote(&f.kind));
            if !f.id.is_empty() {
                let _ = writeln!(out, "id = {}", quote(&f.id));
            }
            write_name(&mut out, &f.name);
            let _ = match &f.at {
                Spot::Hex(h) => writeln!(out, "hex = {}", quote(self.label(*h))),
                Spot::Hexside(e) => writeln!(out, "hexside = {}", quote(&self.side_label(*e))),
                Spot::Line(line) => writeln!(out, "line = {}", points(line)),
            };
            self.write_source(&mut out, &f.source);
            write_props(&mut out, &f.props);
        }
        out
    }

    fn write_source(&self, out: &mut String, source: &str) {
        if source != self.default_source {
            let _ = writeln!(out, "source = {}", quote(source));
        }
    }

    fn push_source(&self, fields: &mut Vec<String>, source: &str) {
        if source != self.default_source {
            fields.push(format!("source = {}", quote(source)));
        }
    }

    /// Orders hexsides as a reader looks for them: by their hexes.
    fn side_key(&self, side: SideId) -> (HexId, HexId) {
        let [a, b] = self.board.side_hexes(side).map(|h| h.unwrap_or(HexId::NONE));
        (a.min(b), a.max(b))
    }

    fn sorted_sides(&self, sides: impl Iterator<Item = SideId>) -> Vec<String> {
        let mut sides: Vec<SideId> = sides.collect();
        sides.sort_by_key(|e| self.side_key(*e));
        sides.into_iter().map(|e| self.side_label(e)).collect()
    }
}

/// A TOML string.
fn quote(s: &str) -> String {
    toml::Value::String(s.to_owned()).to_string()
}

fn names(n: &Names) -> String {
    if n.ko.is_empty() && n.ja.is_empty() && n.local.is_empty() {
        return quote(&n.en);
    }
    let mut fields = vec![format!("en = {}", quote(&n.en))];
    for (key, value) in [("ko", &n.ko), ("ja", &n.ja), ("local", &n.local)] {
        if !value.is_empty() {
            fields.push(format!("{key} = {}", quote(value)));
        }
    }
    format!("{{ {} }}", fields.join(", "))
}

fn write_name(out: &mut String, n: &Names) {
    if !n.is_empty() {
        let _ = writeln!(out, "name = {}", names(n));
    }
}

fn write_props(out: &mut String, props: &Props) {
    if !props.is_empty() {
        let fields: Vec<String> = props.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        let _ = writeln!(out, "props = {{ {} }}", fields.join(", "));
    }
}

/// A list of labels under a key, broken into lines; nothing for no labels.
fn list(out: &mut String, key: &str, labels: impl IntoIterator<Item = String>) {
    let labels: Vec<String> = labels.into_iter().map(|l| quote(&l)).collect();
    match labels.len() {
        0 => {}
        n if n <= PER_LINE => {
            let _ = writeln!(out, "{key} = [{}]", labels.join(", "));
        }
        _ => {
            let _ = writeln!(out, "{key} = [");
            for line in labels.chunks(PER_LINE) {
                let _ = writeln!(out, "    {},", line.join(", "));
            }
            *out += "]\n";
        }
    }
}

fn points(line: &[BoardPoint]) -> String {
    let points: Vec<String> = line.iter().map(|p| point(*p)).collect();
    format!("[{}]", points.join(", "))
}

/// A point to two decimals, a hundredth of a hex: finer than a printed line.
fn point([x, y]: BoardPoint) -> String {
    format!("[{}, {}]", hundredths(x), hundredths(y))
}

fn hundredths(x: f32) -> String {
    let text = format!("{x:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}
