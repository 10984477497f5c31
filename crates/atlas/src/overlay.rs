//! Overlays: a small file that corrects a map, as when a player compares the pack with the boxed game.
//!
//! An overlay is the `[map]` table of a TOML file, with the same keys as the pack's own files; `[map.remove]` removes.
//! It is applied to a copy and validated, so that a map is never left half corrected.

use std::{collections::BTreeMap, fmt};

use hexgrid::{HexId, SideId};
use serde::Deserialize;

use crate::{
    format::{MapError, MapFile, Text},
    map::{BridgeId, BridgeKind, Map},
    validate::Finding,
};

/// One change made by an overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The hex, hexside or item: `E2115`, `E1005/E1006`, `place bastogne`.
    pub what: String,
    pub before: String,
    pub after: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let or_none = |s: &str| if s.is_empty() { "nothing".to_owned() } else { s.to_owned() };
        write!(f, "{}: {} → {}", self.what, or_none(&self.before), or_none(&self.after))
    }
}

impl Map {
    /// Applies the `[map]` table of an overlay file and lists what it changed. Other tables of the file are ignored
    /// here. The map is untouched if the overlay is invalid or makes the map invalid.
    pub fn apply_overlay(&mut self, file: &str, text: &str) -> Result<Vec<Change>, MapError> {
        #[derive(Deserialize)]
        struct Overlay {
            map: Option<MapFile>,
        }
        let at = Text { file, text };
        let Some(overlay) = at.parse::<Overlay>(text)?.map else { return Ok(Vec::new()) };
        if let Some(grid) = &overlay.grid {
            return Err(at.at(grid, "map.grid: an overlay cannot change the grid"));
        }
        for (key, set) in [
            ("terrain_kind", !overlay.terrain_kind.is_empty()),
            ("hexside_kind", !overlay.hexside_kind.is_empty()),
            ("road_class", !overlay.road_class.is_empty()),
            ("factions", overlay.factions.is_some()),
            ("rows", overlay.rows.is_some()),
            ("columns", overlay.columns.is_some()),
        ] {
            if set {
                return Err(at.error(None, format!("map.{key}: an overlay cannot change it")));
            }
        }
        let mut corrected = self.clone();
        corrected.remove(at, &overlay)?;
        // What an overlay states without a source of its own has the overlay as its source.
        let default = std::mem::replace(&mut corrected.default_source, format!("overlay {file}"));
        corrected.add(at, &overlay)?;
        corrected.check_references(at)?;
        corrected.default_source = default;
        let known: Vec<Finding> = self.validate();
        if let Some(new) = corrected.validate().into_iter().find(|f| !known.contains(f)) {
            return Err(at.error(None, format!("the corrected map would not be sound: {new}")));
        }
        let changes = self.diff(&corrected);
        *self = corrected;
        Ok(changes)
    }

    /// Completes the `[map]` table of a lab file that changes this map: a hex that is given another terrain loses the settlement
    /// and what else would hide it. (In a correction of a pack they stay: it states its ground and its settlement separately.)
    pub fn remove_replaced_features(&self, written: &mut toml::Table) -> Result<(), String> {
        use toml::{Table, Value};
        let Some(Value::Table(given)) = written.get("terrain") else { return Ok(()) };
        let mut gone: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (kind, hexes) in given {
            // What is added to a ground, such as a bridge, replaces nothing; a settlement replaces another by itself.
            if self.terrain_id(kind).is_none_or(|id| self.terrain_kind(id).layer != crate::Layer::Ground) {
                continue;
            }
            for label in hexes.as_array().into_iter().flatten().filter_map(Value::as_str) {
                let Ok(hex) = self.hex(label) else { continue };
                let here = self.terrain(hex).iter().map(|id| self.terrain_kind(id));
                for old in here.filter(|old| old.layer != crate::Layer::Ground) {
                    gone.entry(old.id.clone()).or_default().push(label.into());
                }
            }
        }
        // What the file states itself is not taken away again.
        for (kind, labels) in &mut gone {
            let stated = given.get(kind).and_then(Value::as_array);
            labels.retain(|label| stated.is_none_or(|list| !list.contains(label)));
        }
        gone.retain(|_, labels| !labels.is_empty());
        if gone.is_empty() {
            return Ok(());
        }
        let Value::Table(remove) = written.entry("remove").or_insert_with(|| Value::Table(Table::new()))
        else {
            return Err("map.remove: expected a table".into());
        };
        let Value::Table(terrain) = remove.entry("terrain").or_insert_with(|| Value::Table(Table::new()))
        else {
            return Err("map.remove.terrain: expected lists of hexes".into());
        };
        for (kind, labels) in gone {
            match terrain.entry(kind).or_insert_with(|| Value::Array(Vec::new())) {
                Value::Array(list) => list.extend(labels),
                _ => return Err("map.remove.terrain: expected lists of hexes".into()),
            }
        }
        Ok(())
    }

    fn remove(&mut self, at: Text, overlay: &MapFile) -> Result<(), MapError> {
        let r = &overlay.remove;
        for (kind, hexes) in &r.terrain {
            let id = self.terrain_named(at, kind)?;
            if self.terrain_kind(id).layer == crate::Layer::Ground {
                let why =
                    format!("map.remove.terrain.{}: a ground is not removed: set another", kind.get_ref());
                return Err(at.at(kind, why));
            }
            for hex in hexes {
                let hex = self.hex_at(at, hex)?;
                self.terrain[hex.index()].remove(id);
            }
        }
        for (kind, sides) in &r.hexside {
            let id = self.hexside_named(at, kind)?;
            for label in sides {
                let side = self.side_at(at, label)?;
                let side_here = &mut self.sides[side.index()];
                side_here.kinds.remove(id);
                if side_here.kinds.0 == 0 {
                    side_here.uphill = None;
                }
                for w in &mut self.watercourses {
                    w.hexsides.retain(|s| *s != side);
                }
                for a in &mut self.areas {
                    if a.kind == kind.get_ref().as_str() {
                        a.line.retain(|s| *s != side);
                    }
                }
            }
        }
        for label in &r.bridge {
            let side = self.side_at(at, label)?;
            let Some(id) = self.sides[side.index()].bridge else {
                return Err(at.at(label, format!("map.remove.bridge: no bridge on {}", label.get_ref())));
            };
            self.remove_bridge(id);
        }
        for chain in &r.road {
            for pair in chain.windows(2) {
                let side = self.step_at(at, &pair[0], &pair[1])?;
                self.sides[side.index()].road = None;
            }
        }
        for label in &r.victory {
            let hex = self.hex_at(at, label)?;
            self.victory.retain(|v| v.hex != hex);
        }
        for label in &r.supply {
            let hex = self.hex_at(at, label)?;
            self.supply.retain(|s| s.hex != hex);
        }
        for id in &r.place {
            let before = self.places.len();
            self.places.retain(|p| p.id != *id.get_ref());
            if before == self.places.len() {
                return Err(at.at(id, format!("map.remove.place: no place '{}'", id.get_ref())));
            }
        }
        for id in &r.area {
            let before = self.areas.len();
            self.areas.retain(|a| a.id != *id.get_ref());
            if before == self.areas.len() {
                return Err(at.at(id, format!("map.remove.area: no area '{}'", id.get_ref())));
            }
        }
        Ok(())
    }

    fn remove_bridge(&mut self, id: BridgeId) {
        let gone = self.bridges.remove(id.0 as usize);
        self.sides[gone.side.index()].bridge = None;
        for (i, b) in self.bridges.iter().enumerate().skip(id.0 as usize) {
            self.sides[b.side.index()].bridge = Some(BridgeId(i as u16));
        }
    }

    /// What differs between two maps of the same board.
    pub fn diff(&self, other: &Self) -> Vec<Change> {
        let mut out = Vec::new();
        let mut note = |what: String, before: String, after: String| {
            if before != after {
                out.push(Change { what, before, after });
            }
        };
        for hex in self.board.ids() {
            note(self.label(hex).to_owned(), self.describe_hex(hex), other.describe_hex(hex));
        }
        for side in self.board.side_ids() {
            note(self.side_label(side), self.describe_side(side), other.describe_side(side));
        }
        let lists: [fn(&Map) -> Vec<(String, String)>; 5] = [
            |m| {
                m.places
                    .iter()
                    .map(|p| (format!("place {}", p.id), format!("{} in {}", p.name.en, m.label(p.hex))))
                    .collect()
            },
            |m| m.areas.iter().map(|a| (format!("area {}", a.id), m.describe_area(a))).collect(),
            |m| m.entries.iter().map(|e| (format!("entry {}", e.id), m.describe_hexes(&e.hexes))).collect(),
            |m| {
                let at = |f: &crate::Feature| format!("{:?}", f.at);
                m.features.iter().map(|f| (format!("feature {} {}", f.kind, f.id), at(f))).collect()
            },
            |m| {
                m.watercourses
                    .iter()
                    .map(|w| (format!("river {}", w.id), format!("{} hexsides", w.hexsides.len())))
                    .collect()
            },
        ];
        for list in lists {
            let (before, after) = (list(self), list(other));
            let find = |rows: &[(String, String)], key: &str| {
                rows.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone()).unwrap_or_default()
            };
            for (key, value) in &before {
                note(key.clone(), value.clone(), find(&after, key));
            }
            for (key, value) in after.iter().filter(|(k, _)| !before.iter().any(|(b, _)| b == k)) {
                note(key.clone(), String::new(), value.clone());
            }
        }
        out
    }

    fn describe_hexes(&self, hexes: &[HexId]) -> String {
        hexes.iter().map(|h| self.label(*h)).collect::<Vec<_>>().join(" ")
    }

    fn describe_area(&self, a: &crate::Area) -> String {
        let hexes: Vec<HexId> = a.hexes.iter().collect();
        let line: Vec<String> = a.line.iter().map(|s| self.side_label(*s)).collect();
        format!("{} {} {}", a.kind, self.describe_hexes(&hexes), line.join(" ")).trim().to_owned()
    }

    /// A hex in words: its terrain, height, holder, and what it counts for.
    fn describe_hex(&self, hex: HexId) -> String {
        let mut words: Vec<String> = vec![self.terrain_kind(self.ground(hex)).id.clone()];
        let rest = self.terrain(hex).iter().filter(|k| *k != self.ground(hex));
        words.extend(rest.map(|k| self.terrain_kind(k).id.clone()));
        if self.elevation(hex) != 0 {
            words.push(format!("height {}", self.elevation(hex)));
        }
        if let Some(f) = self.control(hex) {
            words.push(format!("held by {}", self.factions[f.0 as usize]));
        }
        if self.victory.iter().any(|v| v.hex == hex) {
            words.push("Victory Hex".to_owned());
        }
        for s in self.supply.iter().filter(|s| s.hex == hex) {
            words.push(format!("supply for {}", self.factions[s.side.0 as usize]));
        }
        words.join(", ")
    }

    /// A hexside in words.
    fn describe_side(&self, side: SideId) -> String {
        let s = self.side(side);
        let mut words: Vec<String> = s.kinds.iter().map(|k| self.hexside_kind(k).id.clone()).collect();
        if let Some(high) = s.uphill {
            words.push(format!("up to {}", self.label(high)));
        }
        if let Some(b) = self.bridge(side) {
            let what = match b.kind {
                BridgeKind::Road => "bridge",
                BridgeKind::Railroad => "railroad bridge",
                BridgeKind::Ferry => "ferry",
            };
            words.push(format!("{what} ({:?})", b.state).to_lowercase());
        }
        if let Some(r) = s.road {
            words.push(format!("{} road", self.road_class(r).id));
        }
        words.join(", ")
    }
}
