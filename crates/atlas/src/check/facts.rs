//! Facts that a file states about a map.

use std::collections::VecDeque;

use hexgrid::{HexId, HexSet, Layout, SideId};
use serde::Deserialize;
use toml::Spanned;

use super::Report;
use super::fact::{Bank, Edge, Fact};
use crate::{BridgeState, Entry, Map, MapError, Spot, TerrainId, format::Text, validate::UnionFind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fact: Vec<Spanned<toml::Table>>,
}

pub(super) fn check(map: &Map, file: &str, text: &str, report: &mut Report) -> Result<(), MapError> {
    let at = Text { file, text };
    for row in at.parse::<File>(text)?.fact {
        let mut table = row.get_ref().clone();
        let Some(toml::Value::String(source)) = table.remove("source") else {
            return Err(at.at(&row, "fact: source is missing: say where the fact is stated"));
        };
        let fact: Fact = table.try_into().map_err(|e| at.at(&row, format!("fact: {e}")))?;
        // A label or id that the map lacks makes its fact fail; it is not the file's mistake.
        let (ok, what) = map.holds(&fact).unwrap_or_else(|missing| (false, missing));
        report.add(ok, what, &source);
    }
    Ok(())
}

/// Whether a fact holds, in words; or what it names that the map does not have.
pub(super) type Answer = Result<(bool, String), String>;

impl Map {
    fn holds(&self, fact: &Fact) -> Answer {
        Ok(match fact {
            Fact::Adjacent { hexes: [a, b] } => (
                self.board.side_between(self.find(a)?, self.find(b)?).is_some(),
                format!("{a} and {b} share a hexside"),
            ),
            Fact::OnMap { hex } => (self.find(hex).is_ok(), format!("{hex} is on the map")),
            Fact::Alias { numbering, label, hex } => (
                self.alias(numbering, label) == Some(self.find(hex)?),
                format!("{label} of numbering {numbering} is {hex}"),
            ),
            Fact::Place { place } => (self.place(place).is_some(), format!("{place} is on the map")),
            Fact::PlaceIn { place, hex } => {
                let h = self.find(hex)?;
                let first =
                    self.places_in(h).next().is_none_or(|p| p.id == *place || self.hexes_of(place).len() > 1);
                (
                    self.town(place)?.contains(&h) && first,
                    format!("{place} lies in {hex} and gives it its name"),
                )
            }
            Fact::PlaceNear { place, hex, within } => {
                let h = self.find(hex)?;
                let near = self.town(place)?.iter().any(|t| self.board.distance(*t, h) <= *within);
                (near, format!("{place} lies within {within} of {hex}"))
            }
            Fact::Roads { place, hex, at_least } => {
                let hexes = match (place, hex) {
                    (Some(p), None) => self.town(p)?,
                    (None, Some(h)) => vec![self.find(h)?],
                    _ => return Err("roads: give place or hex".to_owned()),
                };
                let most = hexes.iter().map(|h| self.roads_of(*h).count()).max().unwrap_or(0);
                let name = place.as_ref().or(hex.as_ref()).map_or("", String::as_str);
                (most >= *at_least, format!("{name} has {at_least} roads (it has {most})"))
            }
            Fact::Route { name, places } => {
                for pair in places.windows(2) {
                    let (from, to) = (self.town(&pair[0])?, self.town(&pair[1])?);
                    let direct = self.board.distance(from[0], to[0]);
                    let length = self.road_length(&from, &to);
                    if length.is_none_or(|n| n > direct + direct / 2 + 2) {
                        let long = length
                            .map_or("no road".to_owned(), |n| format!("{n} hexes by road, {direct} direct"));
                        return Ok((false, format!("{name}: {} to {}: {long}", pair[0], pair[1])));
                    }
                }
                (true, format!("{name} can be driven"))
            }
            Fact::Victory { place, sheet } => {
                let victory = self.victory_hexes();
                let all = self
                    .town(place)?
                    .iter()
                    .all(|h| victory.contains(*h) && self.sheet(*h) == sheet.as_str());
                (all, format!("{place} is a Victory Hex on the {sheet} map"))
            }
            Fact::VictoryCount { sheet, at_least } => {
                let n = self.victory.iter().filter(|v| self.sheet(v.hex) == sheet.as_str()).count();
                (
                    n >= *at_least,
                    format!("the {sheet} map has at least {at_least} Victory Hexes (it has {n})"),
                )
            }
            _ => return self.holds_of_water(fact),
        })
    }

    fn holds_of_water(&self, fact: &Fact) -> Answer {
        Ok(match fact {
            Fact::Bridge { hexside, river, road } => {
                let side = self.find_side(hexside)?;
                let s = self.side(side);
                let over = river.as_ref().is_none_or(|r| self.flows(r, side));
                let ok = s.bridge.is_some()
                    && s.kinds.intersects(self.water_kinds())
                    && over
                    && (!road || s.road.is_some());
                (ok, format!("a bridge with a road on {hexside}"))
            }
            Fact::BridgeIn { hex, river, state, count } => {
                let h = self.find(hex)?;
                let all: Vec<SideId> =
                    self.board.sides(h).iter().copied().filter(|s| self.bridge(*s).is_some()).collect();
                let fits = |s: &&SideId| {
                    river.as_ref().is_none_or(|r| self.flows(r, **s))
                        && state.is_none_or(|state| self.bridge(**s).is_some_and(|b| b.state == state))
                };
                let n = all.iter().filter(fits).count();
                let ok = count.map_or(n > 0, |c| n == c);
                let wanted = count.map_or("a bridge hexside".to_owned(), |c| format!("{c} bridge hexsides"));
                (ok, format!("{hex} has {wanted} (it has {n})"))
            }
            Fact::NoBridge { hexside } => {
                let usable =
                    self.bridge(self.find_side(hexside)?).is_some_and(|b| b.state == BridgeState::Intact);
                (!usable, format!("no usable bridge on {hexside}"))
            }
            Fact::BridgeNumber { number, state, rivers } => {
                let found = self.bridges.iter().find(|b| b.number == Some(*number));
                let ok =
                    found.is_some_and(|b| b.state == *state && rivers.iter().any(|r| self.flows(r, b.side)));
                (ok, format!("bridge {number} is {state:?} over {}", rivers.join(" or ")))
            }
            Fact::BridgeBetween { number, hexes: [a, b] } => {
                let (a, b) = (self.find(a)?, self.find(b)?);
                let span = self.board.distance(a, b);
                let between = |h: HexId| self.board.distance(a, h) + self.board.distance(h, b) <= span + 3;
                let found = self.bridges.iter().find(|x| x.number == Some(*number));
                let ok =
                    found.is_some_and(|x| self.board.side_hexes(x.side).into_iter().flatten().all(between));
                (ok, format!("bridge {number} lies between {} and {}", self.label(a), self.label(b)))
            }
            Fact::BridgeOf { place, hexside } => {
                let sides = self.sides_of(place, hexside)?;
                (
                    sides.iter().any(|s| self.bridge(*s).is_some()),
                    format!("{place} has a bridge over the {hexside}"),
                )
            }
            Fact::OnKind { place, hexside } => {
                (!self.sides_of(place, hexside)?.is_empty(), format!("{place} lies on the {hexside}"))
            }
            Fact::River { hexside, river } => {
                let side = self.find_side(hexside)?;
                let ok = self.flows(river, side) && self.side(side).kinds.intersects(self.water_kinds());
                (ok, format!("{hexside} is a hexside of the {river}"))
            }
            Fact::OnRiver { hex, river } => {
                let h = self.find(hex)?;
                (
                    self.board.sides(h).iter().any(|s| self.flows(river, *s)),
                    format!("{hex} lies on the {river}"),
                )
            }
            Fact::RiverThrough { place, river } => {
                let h = self.town(place)?[0];
                let through = self.watercourses.iter().filter(|w| w.through.contains(&h));
                let named = |w: &&crate::Watercourse| river.as_ref().is_none_or(|r| w.id == *r);
                // 3.3: a river through the middle of a hex does not also run along its sides.
                let ok = through.clone().any(|w| named(&w))
                    && through
                        .filter(named)
                        .all(|w| !self.board.sides(h).iter().any(|s| w.hexsides.contains(s)));
                (ok, format!("the river runs through {place}, not along it"))
            }
            Fact::RiverOnMap { river } => {
                let ok = self.watercourses.iter().any(|w| w.id == *river && !w.hexsides.is_empty());
                (ok, format!("the {river} is on the map"))
            }
            Fact::RiverInCorner { river, sheet, rows_below } => {
                let w = self.watercourse(river)?;
                let hexes = w.hexsides.iter().flat_map(|s| self.board.side_hexes(*s)).flatten();
                let ok = hexes
                    .clone()
                    .all(|h| self.sheet(h) == sheet.as_str() && self.place_number(h) <= *rows_below)
                    && hexes.clone().any(|h| self.board.is_edge(h));
                (ok && hexes.count() > 0, format!("the {river} crosses the corner below row {rows_below}"))
            }
            Fact::Bank { place, river, bank } => {
                let place_hex = self.place(place).ok_or_else(|| format!("no place '{place}'"))?.hex;
                let votes = self.bank_votes(place_hex, self.watercourse(river)?);
                let side = if *bank == Bank::Left { "left" } else { "right" };
                let ok = if *bank == Bank::Left { votes > 0 } else { votes < 0 };
                (ok, format!("{place} is on the {side} bank of the {river}"))
            }
            Fact::BothBanks { place, hexside } => {
                let mut banks = UnionFind::default();
                let water = self.hexside_id(hexside).ok_or_else(|| format!("no hexside kind '{hexside}'"))?;
                for h in self.board.ids() {
                    for (d, n) in self.board.neighbours(h) {
                        if !self.side_toward(h, d).kinds.contains(water) {
                            banks.join(h, n);
                        }
                    }
                }
                let mut roots: Vec<HexId> = self.town(place)?.into_iter().map(|h| banks.root(h)).collect();
                roots.sort();
                roots.dedup();
                (roots.len() > 1, format!("{place} lies on both banks of the {hexside}"))
            }
            _ => return self.holds_of_hexes(fact),
        })
    }

    pub(super) fn holds_of_ground(&self, fact: &Fact) -> Answer {
        Ok(match fact {
            Fact::Terrain { hex, is, not } => {
                let h = self.find(hex)?;
                let has = |id: &String| Ok::<_, String>(self.terrain(h).contains(self.find_terrain(id)?));
                match (is, not) {
                    (Some(id), None) => (has(id)?, format!("{hex} is {id}")),
                    (None, Some(id)) => (!has(id)?, format!("{hex} is not {id}")),
                    _ => return Err("terrain: give is or not".to_owned()),
                }
            }
            Fact::TerrainRows { terrain, at_least } => {
                let id = self.find_terrain(terrain)?;
                let mut rows: Vec<u16> = self
                    .board
                    .ids()
                    .filter(|h| self.terrain(*h).contains(id))
                    .map(|h| self.place_number(h))
                    .collect();
                rows.sort_unstable();
                rows.dedup();
                (
                    rows.len() > *at_least,
                    format!("{terrain} reaches through more than {at_least} rows ({})", rows.len()),
                )
            }
            Fact::Settlement { place, is, hex, hexes } => {
                let id = self.find_terrain(is)?;
                let town = self.town(place)?;
                let connected = town.len() < 2
                    || town.iter().all(|h| town.iter().any(|n| self.board.distance(*h, *n) == 1));
                let ok = town.len() == *hexes
                    && connected
                    && town.iter().all(|h| self.settlement(*h) == Some(id))
                    && hex.as_ref().is_none_or(|h| self.find(h).is_ok_and(|h| town.contains(&h)));
                (ok, format!("{place} is a {is} of {hexes} hexes"))
            }
            Fact::Held { hex, side } => {
                let ok = self.control(self.find(hex)?).is_some_and(|f| self.factions[f.0 as usize] == *side);
                (ok, format!("{hex} is {side} on the first morning"))
            }
            Fact::Setup { hex, division } => (
                self.setup_area(division)?.hexes.contains(self.find(hex)?),
                format!("{hex} is in the area of {division}"),
            ),
            Fact::SetupTerrain { division, terrain, count } => {
                let id = self.find_terrain(terrain)?;
                let n =
                    self.setup_area(division)?.hexes.iter().filter(|h| self.terrain(*h).contains(id)).count();
                (n == *count, format!("the area of {division} has {count} hexes of {terrain} (it has {n})"))
            }
            Fact::SetupCrossesFront { division } => {
                let allied = self.faction_id("allied");
                let ok = self.setup_area(division)?.hexes.iter().any(|h| self.control(h) == allied);
                (ok, format!("the area of {division} reaches across the front"))
            }
            Fact::Bottleneck { count, place, within } => {
                let area = self.area("bottleneck").ok_or("no area 'bottleneck'")?;
                let town = self.town(place)?;
                let ok = area.hexes.len() == *count
                    && area.hexes.iter().all(|h| {
                        self.roads_of(h).next().is_some()
                            && town.iter().any(|t| self.board.distance(*t, h) <= *within)
                    });
                (ok, format!("{count} bottleneck hexes with roads near {place}"))
            }
            Fact::Area { id, hexes } => {
                let area = self.area(id).ok_or_else(|| format!("no area '{id}'"))?;
                let wanted = hexes.iter().map(|h| self.find(h)).collect::<Result<HexSet, _>>()?;
                (area.hexes == wanted, format!("{id} is {}", hexes.join(", ")))
            }
            Fact::Features { kind_is, hexes } => {
                let mut wanted = hexes.iter().map(|h| self.find(h)).collect::<Result<Vec<_>, _>>()?;
                let spot = |f: &crate::Feature| if let Spot::Hex(h) = f.at { Some(h) } else { None };
                let mut here: Vec<HexId> = self.features_of(kind_is).filter_map(spot).collect();
                here.sort();
                wanted.sort();
                (here == wanted, format!("{kind_is} in {} hexes and no other ({})", wanted.len(), here.len()))
            }
            _ => return self.holds_of_edges(fact),
        })
    }

    fn holds_of_edges(&self, fact: &Fact) -> Answer {
        Ok(match fact {
            Fact::Entry { id, hex, side, sector, edge } => {
                let e = self.find_entry(id)?;
                let at = hex.as_ref().map(|h| self.find(h)).transpose()?;
                let ok = at.is_none_or(|h| e.hexes.contains(&h))
                    && side.as_ref().is_none_or(|s| self.factions[e.side.0 as usize] == *s)
                    && (sector.is_none() || e.sector == *sector)
                    && edge.is_none_or(|edge| e.hexes.iter().all(|h| self.on_edge(*h, edge)))
                    && e.hexes.iter().all(|h| self.board.is_edge(*h));
                let words: Vec<&str> =
                    [hex, side, sector].into_iter().flatten().map(String::as_str).collect();
                (ok, format!("Entry Hex {id} on the map's edge: {}", words.join(", ")))
            }
            Fact::EntryHex { id, hex } => {
                let h = self.find(hex)?;
                let here: Vec<&str> =
                    self.entries.iter().filter(|e| e.hexes.contains(&h)).map(|e| e.id.as_str()).collect();
                (
                    here == [id.as_str()] && self.board.is_edge(h),
                    format!("{hex} is an edge hex of entry area {id} alone"),
                )
            }
            Fact::EntryNorthOf { id, hex } => {
                let row = self.place_number(self.find(hex)?);
                let ok = self.find_entry(id)?.hexes.iter().all(|h| self.place_number(*h) >= row);
                (ok, format!("Entry Hex {id} is not south of {hex}"))
            }
            Fact::EntriesOnSouthEdge { count, west_of } => {
                let limit = self.line_number(self.find(west_of)?);
                let here = |h: &HexId| {
                    self.on_edge(*h, Edge::South) && self.sheet(*h) == "E" && self.line_number(*h) <= limit
                };
                let n = self.entries.iter().filter(|e| e.hexes.iter().all(here)).count();
                (
                    n == *count,
                    format!("{count} Entry Hexes on the south edge east of {west_of} (there are {n})"),
                )
            }
            Fact::OffMapNeighbours { hex, at_least } => {
                let n = 6 - self.board.neighbours(self.find(hex)?).count();
                (n >= *at_least, format!("{hex} touches {at_least} hexes off the map (it touches {n})"))
            }
            Fact::TouchesEdge { place } => (
                self.town(place)?.iter().any(|h| self.board.is_edge(*h)),
                format!("{place} touches the map's edge"),
            ),
            Fact::BoxHasEntry { r#box } => {
                let ok = self.off_map_box(r#box).is_some_and(|b| !b.entries.is_empty() && b.blocking);
                (ok, format!("the {box} box has an Entry Hex and Blocking Positions"))
            }
            Fact::Boundary { between, north_of, within } => {
                let name = between.join(" / ");
                let area = self
                    .areas_of("army_boundary")
                    .find(|a| a.name.en == name)
                    .ok_or_else(|| format!("no boundary {name}"))?;
                let hexes: Vec<HexId> =
                    area.line.iter().flat_map(|s| self.board.side_hexes(*s)).flatten().collect();
                let mut ok = hexes.iter().any(|h| self.on_edge(*h, Edge::East));
                if let (Some(place), Some(within)) = (north_of, within) {
                    let town = self.town(place)?[0];
                    let mut near =
                        hexes.iter().filter(|h| self.board.distance(**h, town) <= *within).peekable();
                    ok &= near.peek().is_some()
                        && near.all(|h| self.place_number(*h) > self.place_number(town));
                }
                (ok, format!("the boundary {name} reaches the east edge"))
            }
            Fact::Armies { count } => {
                let n = self.army_parts().iter().flatten().max().map_or(0, |n| *n as usize + 1);
                (n == *count, format!("the boundaries part the German hexes into {count} armies ({n})"))
            }
            // Every other kind of fact was handled above.
            _ => (false, format!("{fact:?} is not tested")),
        })
    }

    pub(super) fn find(&self, label: &str) -> Result<HexId, String> {
        self.hex(label).map_err(|e| e.to_string())
    }

    pub(super) fn find_side(&self, label: &str) -> Result<SideId, String> {
        self.board.find_side(label).map_err(|e| e.to_string())
    }

    fn find_terrain(&self, id: &str) -> Result<TerrainId, String> {
        self.terrain_id(id).ok_or_else(|| format!("no terrain '{id}'"))
    }

    fn find_entry(&self, id: &str) -> Result<&Entry, String> {
        self.entry(id).ok_or_else(|| format!("no entry '{id}'"))
    }

    pub(super) fn watercourse(&self, id: &str) -> Result<&crate::Watercourse, String> {
        self.watercourses.iter().find(|w| w.id == id).ok_or_else(|| format!("no river '{id}'"))
    }

    fn setup_area(&self, division: &str) -> Result<&crate::Area, String> {
        self.areas_of("setup")
            .find(|a| a.name.en == division)
            .ok_or_else(|| format!("no set-up area of {division}"))
    }

    /// The hexsides of these rivers.
    pub(super) fn hexsides_of_rivers(&self, rivers: &[String]) -> Vec<SideId> {
        let named = self.watercourses.iter().filter(|w| rivers.contains(&w.id));
        named.flat_map(|w| w.hexsides.iter().copied()).collect()
    }

    /// The hexes of a place; never empty.
    pub(super) fn town(&self, place: &str) -> Result<Vec<HexId>, String> {
        let hexes = self.hexes_of(place);
        if hexes.is_empty() { Err(format!("no place '{place}'")) } else { Ok(hexes) }
    }

    /// Hexes along the shortest road between two towns.
    fn road_length(&self, from: &[HexId], to: &[HexId]) -> Option<u32> {
        let mut queue: VecDeque<(HexId, u32)> = from.iter().map(|h| (*h, 0)).collect();
        let mut seen: HexSet = from.iter().copied().collect();
        while let Some((h, n)) = queue.pop_front() {
            if to.contains(&h) {
                return Some(n);
            }
            for (d, _) in self.roads_of(h) {
                if let Some(next) = self.board.neighbour(h, d)
                    && seen.insert(next)
                {
                    queue.push_back((next, n + 1));
                }
            }
        }
        None
    }

    pub(super) fn flows(&self, river: &str, side: SideId) -> bool {
        self.watercourses.iter().any(|w| w.id == river && w.hexsides.contains(&side))
    }

    fn sides_of(&self, place: &str, kind: &str) -> Result<Vec<SideId>, String> {
        let kind = self.hexside_id(kind).ok_or_else(|| format!("no hexside kind '{kind}'"))?;
        let hexes = self.town(place)?;
        let sides = hexes.iter().flat_map(|h| *self.board.sides(*h));
        Ok(sides.filter(|s| self.side(*s).kinds.contains(kind)).collect())
    }

    fn numbers(&self, hex: HexId) -> (&str, u16, u16) {
        self.board
            .labels()
            .numbers(self.board.hex(hex))
            .map_or(("", 0, 0), |(s, line, place)| (&s.prefix, line, place))
    }

    /// The letter of the sheet that a hex is numbered on.
    fn sheet(&self, hex: HexId) -> &str {
        self.numbers(hex).0
    }

    fn line_number(&self, hex: HexId) -> u16 {
        self.numbers(hex).1
    }

    fn place_number(&self, hex: HexId) -> u16 {
        self.numbers(hex).2
    }

    fn on_edge(&self, hex: HexId, edge: Edge) -> bool {
        let layout = Layout::new(self.board.orientation(), 1.0);
        let at = |h: HexId| layout.centre(self.board.hex(h));
        let here = at(hex);
        let all = || self.board.ids().map(at);
        // Ragged edges: the outermost two half rows form the edge.
        match edge {
            Edge::North => here.y < all().map(|p| p.y).fold(f64::INFINITY, f64::min) + 1.0,
            Edge::South => here.y > all().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max) - 1.0,
            Edge::West => here.x < all().map(|p| p.x).fold(f64::INFINITY, f64::min) + 0.1,
            Edge::East => here.x > all().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max) - 0.1,
        }
    }

    /// The bank of a river on which a hex lies: left is positive. The hex's own hexsides on the river vote; a hex away
    /// from the river uses the nearest hexside.
    pub(super) fn bank_votes(&self, hex: HexId, river: &crate::Watercourse) -> i32 {
        let layout = Layout::new(self.board.orientation(), 1.0);
        let centre = layout.centre(self.board.hex(hex));
        let away = |s: &SideId| layout.side_midpoint(self.board.hexside(*s)).distance(centre);
        let own = |s: &SideId| self.board.sides(hex).contains(s);
        let nearest = river.hexsides.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)));
        let on_river = river.hexsides.iter().any(own);
        let ends = |i: usize| river.hexsides.get(i).map(|s| self.board.hexside(*s).vertices());
        let mut votes = 0;
        for (i, side) in river.hexsides.iter().enumerate() {
            if if on_river { !own(side) } else { Some(*side) != nearest } {
                continue;
            }
            let [a, b] = self.board.hexside(*side).vertices();
            // Downstream is towards the end shared with the next hexside, away from the end shared with the previous
            // one.
            let next = ends(i + 1).is_some_and(|n| n.contains(&b));
            let last = i > 0 && ends(i - 1).is_some_and(|n| n.contains(&a));
            let (from, to) = if next || last { (a, b) } else { (b, a) };
            let (from, to) = (layout.vertex(from), layout.vertex(to));
            let cross = (to.x - from.x) * (centre.y - from.y) - (to.y - from.y) * (centre.x - from.x);
            // y grows south on a board, so left of the stream is negative.
            votes += if cross < 0.0 { 1 } else { -1 };
        }
        votes
    }
}
