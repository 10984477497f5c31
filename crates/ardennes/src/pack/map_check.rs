//! Checks the pack against the map: every hex it names exists, units are where they may be, and data that both contain
//! (Entry Hexes, Victory Hexes, areas, bridges) is the same.

use std::collections::BTreeSet;

use atlas::Map;
use hexgrid::{HexId, HexSet};

use super::Pack;
use super::check::{Finding, Findings};
use super::ids::{HexRef, Side};
use super::scenario::Scenario;
use super::terrain::Terrain;

/// Checks a pack against the map it is played on; empty if they agree.
pub fn check_map(pack: &Pack, map: &Map) -> Vec<Finding> {
    let mut at = Ground { map, found: Findings { list: Vec::new() } };
    entries(pack, &mut at);
    victory_hexes(pack, &mut at);
    areas(pack, &mut at);
    places(pack, &mut at);
    for scenario in &pack.scenarios {
        placements(pack, scenario, &mut at);
        bridges(scenario, &mut at);
    }
    at.found.list
}

/// The map, and the findings about the pack's view of it.
struct Ground<'a> {
    map: &'a Map,
    found: Findings,
}

impl Ground<'_> {
    fn hex(&mut self, hex: HexRef, item: &str) -> Option<HexId> {
        let id = self.map.hex(&hex.to_string()).ok();
        if id.is_none() {
            self.found.error(item, format!("{hex} is not on the map"));
        }
        id
    }

    fn set(&mut self, hexes: &[HexRef], item: &str) -> BTreeSet<HexId> {
        hexes.iter().filter_map(|&hex| self.hex(hex, item)).collect()
    }

    fn has(&self, hex: HexId, terrain: Terrain) -> bool {
        let kind = self.map.terrain_id(terrain.key());
        kind.is_some_and(|kind| self.map.terrain(hex).contains(kind))
    }

    /// Both lists of hexes must be the same; the rules use the pack's.
    fn same(&mut self, item: &str, ours: &BTreeSet<HexId>, theirs: &HexSet) {
        let theirs: BTreeSet<HexId> = theirs.iter().collect();
        let labels = |only: Vec<HexId>| {
            only.into_iter().map(|h| self.map.label(h).to_owned()).collect::<Vec<_>>().join(" ")
        };
        let only_pack = labels(ours.difference(&theirs).copied().collect());
        let only_map = labels(theirs.difference(ours).copied().collect());
        if !only_pack.is_empty() {
            self.found.warn(item, format!("the map does not have {only_pack}"));
        }
        if !only_map.is_empty() {
            self.found.warn(item, format!("only the map has {only_map}"));
        }
    }
}

fn entries(pack: &Pack, at: &mut Ground<'_>) {
    for entry in &pack.entries {
        let item = format!("entry {}", entry.letter);
        let Some(hex) = at.hex(entry.hex, &item) else { continue };
        if !at.map.board.is_edge(hex) {
            at.found.error(&item, "is not on the map edge (3.2)");
        }
        let Some(theirs) = at.map.entry(&entry.letter.to_string()) else {
            at.found.error(&item, "the map has no such entry");
            continue;
        };
        if theirs.hexes != [hex] {
            at.found.error(&item, "lies elsewhere on the map");
        }
        let sector = entry.off_map_box.map(|b| pack.boxes[b.index()].id.as_str());
        let same = match (&theirs.sector, sector) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (None, None) => true,
            _ => false,
        };
        if !same {
            at.found.error(&item, "belongs to another box on the map");
        }
        if !at.map.supply.iter().any(|s| s.hex == hex) {
            at.found.error(&item, "is no supply source on the map (23.2)");
        }
        if at.map.roads_of(hex).next().is_none() {
            at.found.error(&item, "has no road");
        }
    }
    if at.map.entries.len() != pack.entries.len() {
        at.found.error("entries", "the map has more of them");
    }
}

fn victory_hexes(pack: &Pack, at: &mut Ground<'_>) {
    let hexes: Vec<HexRef> = pack.victory_hexes.iter().map(|v| v.hex).collect();
    let ours = at.set(&hexes, "victory_hex");
    let theirs = at.map.victory_hexes();
    at.same("victory_hex", &ours, &theirs);
}

fn areas(pack: &Pack, at: &mut Ground<'_>) {
    let german = at.map.faction_id("german");
    for area in &pack.areas {
        let label = &pack.formation(area.formation).label;
        let item = format!("area {}", pack.formation(area.formation).id);
        let hexes = at.set(&area.hexes, &item);
        let closed = at.set(&area.closed_to_red, &item);
        for &hex in &hexes {
            // 31.1: only the 26th VG has hexes west of the Our, those closed to its red codes.
            if !closed.contains(&hex) && at.map.control(hex) != german {
                let name = at.map.label(hex).to_owned();
                at.found.error(&item, format!("{name} is not German on 16 December"));
            }
        }
        for &hex in &closed {
            if !at.has(hex, Terrain::WoodedRough) {
                let name = at.map.label(hex).to_owned();
                at.found.error(&item, format!("{name} is not Wooded Rough (31.1)"));
            }
        }
        let theirs = at
            .map
            .areas_of("setup")
            .find(|a| a.props.get("division").and_then(toml::Value::as_str) == Some(label))
            .map(|a| a.hexes);
        match theirs {
            Some(theirs) => at.same(&item, &hexes, &theirs),
            None => at.found.warn(&item, "the map has no set-up area of this division"),
        }
        for rear in at.map.areas_of("rear") {
            if hexes.iter().any(|&hex| rear.hexes.contains(hex)) {
                at.found.warn(&item, "part of it is Rear Zone on the map (29.3)");
            }
        }
    }
}

fn places(pack: &Pack, at: &mut Ground<'_>) {
    let places = &pack.places;
    let ours = at.set(&places.bottleneck, "bottleneck");
    if let Some(theirs) = at.map.area("bottleneck").map(|a| a.hexes) {
        at.same("bottleneck", &ours, &theirs);
    }
    for (hex, terrain) in [(places.st_vith, Terrain::Town)]
        .into_iter()
        .chain(places.bastogne.iter().map(|&hex| (hex, Terrain::Town)))
    {
        if let Some(id) = at.hex(hex, "places")
            && !at.has(id, terrain)
        {
            at.found.error("places", format!("{hex} is no {}", terrain.key()));
        }
    }
    at.set(&places.fuel_dumps, "fuel_dumps");
    at.set(&places.roadblocks_1e, "roadblocks_1e");
    let [from, to] = places.echternach_crossing;
    let crossing = (at.hex(from, "echternach_crossing"), at.hex(to, "echternach_crossing"));
    if let (Some(from), Some(to)) = crossing {
        let water = at.map.water_kinds();
        let side = at.map.board.side_between(from, to).map(|s| at.map.side(s));
        if !side.is_some_and(|s| s.kinds.intersects(water)) {
            at.found.error("echternach_crossing", "there is no river to cross (29.2)");
        }
    }
    bridge(places.ouren, "ouren", at);
    // Between the 6th Panzer, the 5th Panzer and the 7th Army (11.10).
    if at.map.areas_of("army_boundary").filter(|a| !a.line.is_empty()).count() != 2 {
        at.found.error("army_boundary", "the map needs two of them (11.10)");
    }
}

/// A bridge must stand between the two hexes.
fn bridge([a, b]: [HexRef; 2], item: &str, at: &mut Ground<'_>) {
    if let (Some(one), Some(other)) = (at.hex(a, item), at.hex(b, item)) {
        let side = at.map.board.side_between(one, other);
        if side.is_none_or(|side| at.map.bridge(side).is_none()) {
            at.found.error(item, format!("there is no bridge between {a} and {b}"));
        }
    }
}

fn bridges(scenario: &Scenario, at: &mut Ground<'_>) {
    for one in &scenario.bridges {
        bridge(one.hexes, &format!("scenario {}", scenario.id), at);
    }
}

fn placements(pack: &Pack, scenario: &Scenario, at: &mut Ground<'_>) {
    let item = format!("scenario {}", scenario.id);
    let german = at.map.faction_id("german");
    for placed in &scenario.placements {
        let unit = pack.unit(placed.unit);
        let Some(hex) = at.hex(placed.hex, &item) else { continue };
        // Vehicles can be there only by road (11.5, 11.6).
        let rough = [Terrain::Forest, Terrain::WoodedRough, Terrain::WestWall];
        if unit.category.vehicle
            && rough.iter().any(|&t| at.has(hex, t))
            && at.map.roads_of(hex).next().is_none()
        {
            at.found.error(&item, format!("{} cannot be in roadless {}", unit.id, placed.hex));
        }
        if scenario.turn_one_rules && unit.side == Side::Allied && at.map.control(hex) == german {
            at.found.error(&item, format!("{} stands in German {}", unit.id, placed.hex));
        }
    }
    for &hex in &scenario.german_control {
        at.hex(hex, &item);
    }
    // No Improved Position in a Village, Town or City (15.8).
    for &position in &scenario.improved_positions {
        if let Some(hex) = at.hex(position, &item)
            && at.map.settlement(hex).is_some()
        {
            at.found.error(&item, format!("no Improved Position is possible in {position}"));
        }
    }
}
