//! The requirements of any playable map, item by item.

use std::collections::VecDeque;

use hexgrid::{HexId, HexSet};

use super::Report;
use crate::{BridgeKind, FactionId, Finding, Map, RoadId, validate::UnionFind};

pub(super) fn check(map: &Map, report: &mut Report) {
    let findings = map.validate();
    report.add(findings.is_empty(), format!("the map is sound ({} findings)", findings.len()), "");
    for f in &findings {
        report.add(false, f.to_string(), "");
    }
    roads(map, report);
    rivers(map, &findings, report);
    setup_areas(map, report);
    names(map, report);
}

fn roads(map: &Map, report: &mut Report) {
    let water = map.water_kinds();
    for h in map.board.ids().filter(|h| map.settlement(*h).is_some()) {
        let name = map.places_in(h).next().map_or("the settlement", |p| &p.name.en);
        report.add(map.roads_of(h).next().is_some(), format!("{name} ({}) is on a road", map.label(h)), "");
    }
    for b in &map.bridges {
        let s = map.side(b.side);
        let ok = s.road.is_some() == (b.kind == BridgeKind::Road) && s.kinds.intersects(water);
        let what = if b.kind == BridgeKind::Road { "carries a road" } else { "leads without a road" };
        report.add(
            ok,
            format!("the bridge {} at {} {what} over water", b.name.en, map.side_label(b.side)),
            "",
        );
    }
    for side in map.board.side_ids() {
        let s = map.side(side);
        if s.road.is_some() && s.kinds.intersects(water) {
            report.add(
                s.bridge.is_some(),
                format!("the road over water at {} has a bridge", map.side_label(side)),
                "",
            );
        }
    }
    let best = RoadId(0);
    let mut pieces = UnionFind::default();
    let mut first = None;
    let mut cut = Vec::new();
    for h in map.board.ids() {
        for (d, road) in map.roads_of(h) {
            if road == best
                && let Some(n) = map.board.neighbour(h, d)
            {
                pieces.join(h, n);
                first.get_or_insert(h);
            }
        }
    }
    if let Some(first) = first {
        let main = pieces.root(first);
        // A road may also be connected to the rest beyond the map's edge.
        let paved: Vec<HexId> = map.board.ids().filter(|h| pieces.known(*h)).collect();
        let leaves =
            |h: HexId| map.roads_of(h).any(|(d, r)| r == best && map.board.neighbour(h, d).is_none());
        let outlets: Vec<HexId> =
            paved.iter().copied().filter(|h| leaves(*h)).map(|h| pieces.root(h)).collect();
        for h in paved {
            let root = pieces.root(h);
            if root != main && !outlets.contains(&root) {
                cut.push(map.label(h));
            }
        }
    }
    report.add(cut.is_empty(), format!("all primary roads are connected (cut off: {})", cut.join(" ")), "");
    // Bridges count as intact, because they can be rebuilt.
    for (i, faction) in map.factions.iter().enumerate() {
        let sources = map.supply.iter().filter(|s| s.side == FactionId(i as u8)).map(|s| s.hex);
        let reached = by_road(map, sources);
        for v in &map.victory {
            let ok = reached.contains(v.hex);
            report.add(
                ok,
                format!(
                    "Victory Hex {} ({}) is reached by road from {faction} supply",
                    map.label(v.hex),
                    v.place
                ),
                "",
            );
        }
        for e in map.entries.iter().filter(|e| e.side.0 as usize == i) {
            // An entry area needs one road onto the map along its stretch of the edge.
            let leaves = e.hexes.iter().any(|h| {
                map.roads_of(*h).any(|(d, _)| map.board.neighbour(*h, d).is_none()) && reached.contains(*h)
            });
            report.add(leaves, format!("a road comes onto the map at Entry Hex {}", e.id), "");
        }
    }
}

/// The hexes that can be reached by road.
fn by_road(map: &Map, sources: impl Iterator<Item = HexId>) -> HexSet {
    let mut queue: VecDeque<HexId> = sources.collect();
    let mut seen: HexSet = queue.iter().copied().collect();
    while let Some(h) = queue.pop_front() {
        for (d, _) in map.roads_of(h) {
            if let Some(n) = map.board.neighbour(h, d)
                && seen.insert(n)
            {
                queue.push_back(n);
            }
        }
    }
    seen
}

fn rivers(map: &Map, findings: &[Finding], report: &mut Report) {
    for w in map.watercourses.iter().filter(|w| !w.hexsides.is_empty() || !w.through.is_empty()) {
        let bad = findings.iter().any(|f| f.what == w.id);
        report.add(!bad, format!("the {} is one continuous river and reaches its mouth", w.name.en), "");
    }
}

fn setup_areas(map: &Map, report: &mut Report) {
    let parts = map.army_parts();
    let mut army_of_part: Vec<Option<&str>> = Vec::new();
    for area in map.areas_of("setup") {
        let name = &area.name.en;
        report.add(
            area.hexes.len() >= 5,
            format!("{name} has a set-up area ({} hexes)", area.hexes.len()),
            "",
        );
        for h in &area.hexes {
            report.add(map.enterable(h), format!("{name} can stand in {}", map.label(h)), "");
        }
        let army = area.props.get("army").and_then(|v| v.as_str()).unwrap_or("");
        let ok = area.hexes.iter().all(|h| match parts[h.index()] {
            None => true,
            Some(part) => {
                let part = part as usize;
                army_of_part.resize(army_of_part.len().max(part + 1), None);
                *army_of_part[part].get_or_insert(army) == army
            }
        });
        report.add(ok, format!("{name} sets up on the {army}'s side of the boundaries"), "");
    }
    for e in &map.entries {
        for h in &e.hexes {
            report.add(
                map.enterable(*h),
                format!("Entry Hex {} ({}) can be entered", e.id, map.label(*h)),
                "",
            );
        }
    }
}

/// Everything shown to people has a name in each language; designations such as those of divisions are the same in all.
fn names(map: &Map, report: &mut Report) {
    let places = map.places.iter().map(|p| &p.name);
    let rivers = map.watercourses.iter().map(|w| &w.name);
    let bridges = map.bridges.iter().map(|b| &b.name);
    let boxes = map.boxes.iter().map(|b| &b.name);
    let areas = map.areas.iter().filter(|a| a.kind != "setup").map(|a| &a.name);
    let marks = map.features.iter().map(|f| &f.name);
    for name in places.chain(rivers).chain(bridges).chain(boxes).chain(areas).chain(marks) {
        let ok = !name.en.is_empty() && !name.ko.is_empty() && !name.ja.is_empty();
        report.add(ok, format!("{} has a name in English, Korean and Japanese", name.en), "");
    }
}

impl Map {
    /// The army sector behind the front in which each hex lies, as the army boundaries divide it, counted from the
    /// north.
    pub(crate) fn army_parts(&self) -> Vec<Option<u8>> {
        let mut parts = vec![None; self.board.len()];
        let walls: Vec<_> = self.areas_of("army_boundary").flat_map(|a| a.line.iter().copied()).collect();
        let Some(holder) =
            self.areas_of("rear").next().and_then(|a| a.hexes.iter().next()).and_then(|h| self.control(h))
        else {
            return parts;
        };
        // The rear edge, from north to south: its hexes in the first line of the grid.
        let mut starts: Vec<HexId> = self.board.ids().filter(|h| self.first_line(*h)).collect();
        starts.reverse();
        let mut next = 0;
        for start in starts {
            if parts[start.index()].is_some() {
                continue;
            }
            let mut stack = vec![start];
            parts[start.index()] = Some(next);
            while let Some(h) = stack.pop() {
                for (d, n) in self.board.neighbours(h) {
                    if parts[n.index()].is_none()
                        && self.control(n) == Some(holder)
                        && !walls.contains(&self.board.side(h, d))
                    {
                        parts[n.index()] = Some(next);
                        stack.push(n);
                    }
                }
            }
            next += 1;
        }
        parts
    }

    fn first_line(&self, hex: HexId) -> bool {
        let labels = self.board.labels();
        let first = &labels.sheets()[0];
        labels.numbers(self.board.hex(hex)).is_some_and(|(s, line, _)| s == first && line == first.lines.0)
    }
}
