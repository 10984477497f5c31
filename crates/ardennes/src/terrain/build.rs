//! Builds [`Land`] from the map, once when a table is opened.

use atlas::Map;
use hexgrid::{Direction, HexId, HexSet};
use zocbond::{
    Topology,
    combat::home::{WayHome, ways_home},
};

use super::{
    ASK, COLOUR_REACH, Class, Edge, EdgeBits, HexLand, Land, Mover, NEVER, RETREAT_REACH, SHUT, VictorySite,
    cost_index,
};
use crate::pack::{
    BoxId, Cost, Edition, Ground, Maps, Pack, Part, Road, Scenario, Side, Tables, Terrain, VictoryKind,
};

impl Land {
    /// Computes everything for a map, what of it a scenario plays on, an edition and its readings.
    pub fn new(
        map: &Map,
        pack: &Pack,
        scenario: &Scenario,
        edition: Edition,
        rivers_break_hexside_bonds: bool,
    ) -> Land {
        let tables = pack.tables(edition);
        let board = &map.board;
        let col_row = |hex: HexId| board.label(hex).parse::<crate::pack::HexRef>().ok();
        let west_map: HexSet = board.ids().filter(|h| col_row(*h).is_some_and(|r| !r.is_east())).collect();
        let in_play: HexSet = match (&scenario.part, scenario.maps) {
            // S1.1
            (Some(part), _) => {
                board.ids().filter(|h| col_row(*h).is_some_and(|r| part.contains(r))).collect()
            }
            (None, Maps::Both) => board.all(),
            (None, Maps::East) => &board.all() - &west_map,
        };
        let mut land = Land {
            hexes: board.ids().map(|hex| hex_land(map, hex, tables)).collect(),
            edges: Vec::with_capacity(board.len()),
            topology: Topology::new(board, &in_play),
            steps: std::array::from_fn(|_| Vec::new()),
            exits: [HexSet::EMPTY; 2],
            antwerp_exits: HexSet::EMPTY,
            road_into: Vec::new(),
            in_play,
            west_map,
            west_of_ourthe: HexSet::EMPTY,
            west_of_meuse: HexSet::EMPTY,
            sources: [HexSet::EMPTY; 2],
            ways_home: std::array::from_fn(|_| std::array::from_fn(|_| Vec::new())),
            towns: HexSet::EMPTY,
            settlements: HexSet::EMPTY,
            entries: Vec::new(),
            entry_hexes: HexSet::EMPTY,
            rebuild_sites: Vec::new(),
            exit_box: vec![None; board.len()],
            near_exit: HexSet::EMPTY,
            west_edge: HexSet::EMPTY,
            st_vith: None,
            bottleneck: HexSet::EMPTY,
            slow: [HexSet::EMPTY; 2],
            areas: Vec::new(),
            areas_closed_to_red: Vec::new(),
            set_up: HexSet::EMPTY,
            rear_zone: HexSet::EMPTY,
            river_through: HexSet::EMPTY,
            bridges: Vec::new(),
            ouren: None,
            echternach: None,
            dump_sites: Vec::new(),
            victory: Vec::new(),
            bastogne: HexSet::EMPTY,
        };
        land.lay_edges(map, tables);
        land.compute_bonds(edition, rivers_break_hexside_bonds);
        land.lay_places(map, pack);
        if let Some(part) = &scenario.part {
            land.limit_to_part(map, part);
        }
        land.compute_exit_boxes(map, pack, edition);
        land.west_of_meuse = match map.area("west-of-the-meuse") {
            Some(zone) => &zone.hexes & &in_play,
            None => land.flood_west_of_meuse(),
        };
        land.compute_steps(edition);
        for side in Side::ALL {
            land.ways_home[side.index()] = [false, true].map(|vehicle| land.find_ways_home(side, vehicle));
        }
        let sites = &land.towns | &land.entry_hexes;
        land.rebuild_sites =
            sites.iter().map(|hex| (hex, board.range(hex, COLOUR_REACH).collect())).collect();
        // 1E 6.5: Victory Hexes count as west of the Ourthe.
        land.west_of_ourthe = map.area("west-of-the-ourthe").map_or(HexSet::EMPTY, |zone| zone.hexes);
        land.west_of_ourthe.union_with(&land.victory.iter().map(|site| site.hex).collect());
        land
    }

    fn find_ways_home(&self, side: Side, vehicle: bool) -> Vec<WayHome> {
        let open = |hex: HexId| {
            let land = self.hex(hex);
            if vehicle { land.on_wheels | land.by_bridge } else { land.on_foot }
        };
        let by_bridge = |hex: HexId| if vehicle { self.hex(hex).by_bridge } else { 0 };
        ways_home(&self.topology, &self.sources[side.index()], open, by_bridge)
    }

    fn lay_edges(&mut self, map: &Map, tables: &Tables) {
        let board = &map.board;
        let kind = |id| map.hexside_id(id);
        let (river, meuse, lake) = (kind("river"), kind("meuse"), kind("lake"));
        let primary = map.road_id("primary");
        let has_primary: HexSet = board
            .ids()
            .filter(|&hex| {
                primary.is_some()
                    && Direction::ALL.into_iter().any(|d| map.side_toward(hex, d).road == primary)
            })
            .collect();
        for hex in board.ids() {
            let edges = Direction::ALL.map(|direction| {
                let side = map.side_toward(hex, direction);
                let to = board.neighbour(hex, direction).filter(|to| self.in_play.contains(*to));
                let has = |kind: Option<atlas::HexsideId>| kind.is_some_and(|k| side.kinds.contains(k));
                let (here, there) = (&self.hexes[hex.index()], to.map(|t| &self.hexes[t.index()]));
                let either = |test: &dyn Fn(&HexLand) -> bool| test(here) || there.is_some_and(test);
                let mut bits = EdgeBits::default();
                bits.set(EdgeBits::RIVER, has(river) || has(meuse));
                bits.set(EdgeBits::MEUSE, has(meuse));
                bits.set(EdgeBits::LAKE, has(lake));
                bits.set(EdgeBits::WOODED_ROUGH, either(&|h| h.is(Terrain::WoodedRough)));
                let by_road = |h: &HexLand| {
                    let only = |t: Terrain| tables.terrain.row(t).vehicles_by_road_only;
                    only(h.ground) || (h.west_wall && only(Terrain::WestWall))
                };
                bits.set(EdgeBits::BY_ROAD_ONLY, either(&by_road));
                let mut road = [NEVER; 4];
                if let (Some(class), Some(to)) = (side.road, to) {
                    let deep = matches!(self.hex(to).ground, Terrain::Forest | Terrain::WoodedRough);
                    // 11.8
                    let class = match (Some(class) == primary, deep && !has_primary.contains(to)) {
                        (true, _) => Road::Primary,
                        (false, true) => Road::ForestRoad,
                        (false, false) => Road::Secondary,
                    };
                    let row = &tables.terrain.roads[class.index()];
                    road = [row.foot, row.foot, row.mech[0], row.mech[1]];
                    bits.set(EdgeBits::ROAD, true);
                    bits.set(EdgeBits::ROAD_BONUS, row.advance_bonus);
                }
                Edge {
                    to: to.unwrap_or(HexId::NONE),
                    bridge: side.bridge.map_or(u16::MAX, |b| b.0),
                    bits,
                    road,
                }
            });
            let which = |test: &dyn Fn(&Edge) -> bool| {
                (0..6)
                    .filter(|d| edges[*d].to != HexId::NONE && test(&edges[*d]))
                    .fold(0, |set, d| set | 1 << d)
            };
            let dry = |edge: &Edge| !edge.is(EdgeBits::LAKE);
            let land = &mut self.hexes[hex.index()];
            land.roads = which(&|edge| edge.is(EdgeBits::ROAD));
            land.dry_roads = which(&|edge| edge.is(EdgeBits::ROAD) && !edge.is(EdgeBits::RIVER));
            land.bridge_roads =
                which(&|edge| edge.is(EdgeBits::ROAD) && edge.is(EdgeBits::RIVER) && edge.bridge().is_some());
            land.on_foot = which(&dry);
            land.by_bridge = which(&|edge| edge.bridge().is_some());
            land.on_wheels = which(&|edge| {
                let firm = edge.is(EdgeBits::ROAD) || !edge.is(EdgeBits::BY_ROAD_ONLY);
                dry(edge) && edge.bridge().is_none() && !edge.is(EdgeBits::RIVER) && firm
            });
            self.edges.push(edges);
        }
        self.road_into = board
            .ids()
            .map(|hex| {
                let mut best = [NEVER; 4];
                for (d, edge) in self.edges(hex).iter().enumerate() {
                    let Some(from) = edge.to.some() else { continue };
                    for (best, road) in best.iter_mut().zip(self.edges(from)[(d + 3) % 6].road) {
                        *best = road.min(*best);
                    }
                }
                best
            })
            .collect();
        for area in map.areas_of("army_boundary") {
            for side in &area.line {
                if let [Some(a), Some(b)] = board.side_hexes(*side) {
                    self.mark(a, b, EdgeBits::BOUNDARY);
                    self.mark(b, a, EdgeBits::BOUNDARY);
                }
            }
        }
    }

    fn mark(&mut self, from: HexId, to: HexId, bits: EdgeBits) {
        if let Some(edge) = self.edges[from.index()].iter_mut().find(|edge| edge.to == to) {
            edge.bits.set(bits, true);
        }
    }

    /// Computes what the map alone determines about every step.
    fn compute_steps(&mut self, edition: Edition) {
        for mover in Mover::ALL {
            for ground in [Ground::Mud, Ground::Frozen] {
                let table = (0..self.edges.len())
                    .map(|hex| self.edges[hex].map(|edge| self.step(&edge, mover, ground, edition)));
                self.steps[mover as usize * 2 + ground as usize] = table.collect();
            }
        }
    }

    fn step(&self, edge: &Edge, mover: Mover, ground: Ground, edition: Edition) -> u8 {
        let Some(to) = edge.to.some() else { return SHUT };
        let road = edge.is(EdgeBits::ROAD);
        let vehicle = matches!(mover, Mover::Vehicle | Mover::TacticalVehicle);
        let barred = edge.is(EdgeBits::LAKE)
            || mover == Mover::March && !road
            || vehicle && edge.is(EdgeBits::BY_ROAD_ONLY) && !road;
        if barred {
            return SHUT;
        }
        let river = edge.is(EdgeBits::RIVER);
        let rough = edge.is(EdgeBits::WOODED_ROUGH) && !road;
        // 11.4, 11.6: from an adjacent start. 1E 11.4: without Tactical Movement.
        let crosses = match mover {
            Mover::Tactical => true,
            Mover::Foot | Mover::MechInfantry => edition == Edition::First,
            Mover::Vehicle | Mover::TacticalVehicle | Mover::March => false,
        };
        if river && edge.bridge().is_none() || rough {
            return if crosses { ASK } else { SHUT };
        }
        if river || edge.is(EdgeBits::BOUNDARY) {
            return ASK;
        }
        if matches!(mover, Mover::Tactical | Mover::TacticalVehicle) {
            return 0;
        }
        let class = if mover == Mover::Foot { Class::Foot } else { Class::Mechanized };
        let index = cost_index(class, ground);
        let off_road = self.hex(to).enter[index];
        // A cost of SHUT or more would not be a cost; none of the chart comes near it.
        if road { edge.road[index].min(off_road) } else { off_road }.min(SHUT)
    }

    /// 9.4 and 10.3.
    fn compute_bonds(&mut self, edition: Edition, rivers_break: bool) {
        let rough = |land: &HexLand| land.is(Terrain::WoodedRough);
        for index in 0..self.hexes.len() {
            let edges = self.edges[index];
            let here = self.hexes[index];
            let (mut axes, mut sides, mut silhouette) = (0, 0, 0);
            for d in 0..3 {
                let (near, far) = (&edges[d], &edges[d + 3]);
                let both = |bits| near.is(bits) && far.is(bits);
                let broken_by_rough = match edition {
                    Edition::Second => both(EdgeBits::WOODED_ROUGH),
                    Edition::First => rough(&here),
                };
                if !both(EdgeBits::RIVER) && !broken_by_rough {
                    axes |= 1 << d;
                }
            }
            for (d, edge) in edges.iter().enumerate() {
                let Some(there) = edge.to.some().map(|to| &self.hexes[to.index()]) else { continue };
                let broken = rough(&here) && rough(there) || rivers_break && edge.is(EdgeBits::RIVER);
                if !broken {
                    sides |= 1 << d;
                }
                let free = edition == Edition::First || !edge.is(EdgeBits::WOODED_ROUGH);
                if free || edge.is(EdgeBits::ROAD) {
                    silhouette |= 1 << d;
                }
            }
            let land = &mut self.hexes[index];
            (land.bond_axes, land.bond_sides, land.silhouette_zoc) = (axes, sides, silhouette);
        }
    }

    fn lay_places(&mut self, map: &Map, pack: &Pack) {
        let board = &map.board;
        let in_play = self.in_play;
        let find =
            |hex: crate::pack::HexRef| board.find(&hex.to_string()).ok().filter(|hex| in_play.contains(*hex));
        for source in &map.supply {
            let side = match map.factions.get(source.side.0 as usize).map(String::as_str) {
                Some("german") => Side::German,
                _ => Side::Allied,
            };
            if in_play.contains(source.hex) {
                self.sources[side.index()].insert(source.hex);
            }
        }
        self.towns = in_play.iter().filter(|hex| self.hex(*hex).town_or_city()).collect();
        self.settlements = in_play.iter().filter(|hex| self.hex(*hex).settlement.is_some()).collect();
        self.entries = pack.entries.iter().map(|e| find(e.hex)).collect();
        self.entry_hexes = self.entries.iter().flatten().copied().collect();
        self.st_vith = find(pack.places.st_vith);
        self.bottleneck = pack.places.bottleneck.iter().filter_map(|h| find(*h)).collect();
        let set = |hexes: &[crate::pack::HexRef]| hexes.iter().filter_map(|h| find(*h)).collect();
        self.areas = pack.areas.iter().map(|a| set(&a.hexes)).collect();
        self.areas.iter().for_each(|area| self.set_up.union_with(area));
        self.areas_closed_to_red = pack.areas.iter().map(|a| set(&a.closed_to_red)).collect();
        for area in map.areas_of("rear") {
            self.rear_zone.union_with(&area.hexes);
        }
        self.rear_zone.intersect_with(&in_play);
        self.river_through = map.watercourses.iter().flat_map(|w| w.through.iter().copied()).collect();
        self.bridges = map
            .bridges
            .iter()
            .map(|bridge| board.side_hexes(bridge.side).map(|hex| hex.unwrap_or(HexId::NONE)))
            .collect();
        let pair = |[a, b]: [crate::pack::HexRef; 2]| Some([find(a)?, find(b)?]);
        self.ouren = pair(pack.places.ouren).and_then(|[a, b]| self.between(a, b)?.bridge());
        self.echternach = pair(pack.places.echternach_crossing);
        self.dump_sites = pack.places.fuel_dumps.iter().filter_map(|h| find(*h)).collect();
        self.slow[Side::German.index()] = self.bottleneck;
        self.slow[Side::German.index()].extend(self.dump_sites.iter().copied());
        let site = |v: &crate::pack::VictoryHex| {
            Some(VictorySite { hex: find(v.hex)?, kind: v.kind, points: v.points })
        };
        self.victory = pack.victory_hexes.iter().filter_map(site).collect();
        self.bastogne = set(&pack.places.bastogne);
    }

    /// S1.1, S1.3: sources and Victory Hexes of a part of the map.
    fn limit_to_part(&mut self, map: &Map, part: &Part) {
        let find = |hex: &crate::pack::HexRef| map.board.find(&hex.to_string()).ok();
        self.sources = part.sources.each_ref().map(|hexes| hexes.iter().filter_map(find).collect());
        let site = |hex| VictorySite { hex, kind: VictoryKind::Town, points: 1 };
        self.victory = part.objectives.iter().filter_map(find).map(site).collect();
    }

    /// 11.9: the Off-Map Box beyond each stretch of the south, west or north edge, as drawn on the map; on a map that
    /// draws none, the Box of the nearest Allied Entry Hex on the same edge.
    fn compute_exit_boxes(&mut self, map: &Map, pack: &Pack, edition: Edition) {
        use hexgrid::Compass;
        let board = &map.board;
        let stretches: Vec<(BoxId, HexSet)> = map
            .areas_of("edge")
            .filter_map(|area| {
                let id = area.id.strip_prefix("edge-")?;
                let at = pack.boxes.iter().position(|b| b.id == id)?;
                Some((BoxId(at as u8), area.hexes))
            })
            .collect();
        let orientation = board.orientation();
        let open = |land: &Land, hex: HexId, points: &[Compass]| {
            points.iter().any(|point| {
                orientation.direction(*point).is_some_and(|d| land.edge(hex, d).to == HexId::NONE)
            })
        };
        let both_open = |land: &Land, hex: HexId, points: &[Compass]| {
            points.iter().all(|point| {
                orientation.direction(*point).is_none_or(|d| land.edge(hex, d).to == HexId::NONE)
            })
        };
        let edges_of = |land: &Land, hex: HexId| {
            [
                open(land, hex, &[Compass::N]),
                open(land, hex, &[Compass::S]),
                both_open(land, hex, &[Compass::SW, Compass::NW]),
            ]
        };
        let doors: Vec<(HexId, BoxId, [bool; 3])> = pack
            .entries
            .iter()
            .zip(&self.entries)
            .filter(|(def, _)| def.side == Side::Allied)
            .filter_map(|(def, hex)| Some(((*hex)?, def.off_map_box?)))
            .map(|(hex, id)| (hex, id, edges_of(self, hex)))
            .collect();
        for hex in &self.in_play {
            let mine = edges_of(self, hex);
            if mine[2] {
                self.west_edge.insert(hex);
            }
            let shared = |theirs: &[bool; 3]| (0..3).any(|e| mine[e] && theirs[e]);
            let drawn = stretches.iter().find(|(_, hexes)| hexes.contains(hex)).map(|(id, _)| *id);
            let nearest = || {
                let doors = doors.iter().filter(|(_, _, theirs)| shared(theirs));
                doors.min_by_key(|(door, ..)| board.distance(hex, *door)).map(|(_, id, _)| *id)
            };
            self.exit_box[hex.index()] = if stretches.is_empty() { nearest() } else { drawn };
            if self.exit_box[hex.index()].is_some() {
                self.exits[Side::Allied.index()].insert(hex);
                self.near_exit.extend(board.range(hex, RETREAT_REACH));
            }
            let antwerp = match edition {
                Edition::Second => self.entry_at(hex).is_some_and(|e| pack.entries[e.index()].antwerp_exit),
                Edition::First => self.west_map.contains(hex) && Self::first_edition_exit(map, hex, mine),
            };
            if antwerp {
                self.antwerp_exits.insert(hex);
            }
            if antwerp {
                self.exits[Side::German.index()].insert(hex);
            }
        }
    }

    /// 1E 11.9: the edge of the West map from W3420 round to Liège.
    fn first_edition_exit(map: &Map, hex: HexId, [north, _, west]: [bool; 3]) -> bool {
        const FIRST_ROW: u8 = 20;
        let at = |hex: HexId| map.label(hex).parse::<crate::pack::HexRef>().ok();
        let liege = map.area("town-liege").map(|area| area.hexes).unwrap_or_default();
        let east_end = liege.iter().filter_map(at).map(|hex| hex.col).min();
        at(hex).is_some_and(|hex| {
            west && hex.row >= FIRST_ROW || north && east_end.is_some_and(|col| hex.col >= col)
        })
    }

    /// The hexes that can be reached from the west edge without crossing the Meuse.
    fn flood_west_of_meuse(&self) -> HexSet {
        let has_meuse = self.edges.iter().flatten().any(|edge| edge.is(EdgeBits::MEUSE));
        if !has_meuse {
            return self.in_play; // a small map without the Meuse restricts nobody
        }
        let mut reached = HexSet::EMPTY;
        // The westernmost hexes that touch no Meuse hexside.
        let mut open: Vec<HexId> = self.west_edge.iter().take(1).collect();
        while let Some(hex) = open.pop() {
            if reached.insert(hex) {
                let dry = |edge: &&Edge| !edge.is(EdgeBits::MEUSE);
                open.extend(self.edges(hex).iter().filter(dry).filter_map(|edge| edge.to.some()));
            }
        }
        reached
    }
}

fn hex_land(map: &Map, hex: HexId, tables: &Tables) -> HexLand {
    let set = map.terrain(hex);
    let has = |terrain: Terrain| map.terrain_id(terrain.key()).is_some_and(|id| set.contains(id));
    let grounds = [Terrain::WoodedRough, Terrain::Forest, Terrain::LightWoods];
    let ground = grounds.into_iter().find(|t| has(*t)).unwrap_or(Terrain::Clear);
    let settlement = [Terrain::City, Terrain::Town, Terrain::Village].into_iter().find(|t| has(*t));
    let west_wall = has(Terrain::WestWall);
    let rows = || {
        std::iter::once(ground)
            .chain(settlement)
            .chain(west_wall.then_some(Terrain::WestWall))
            .map(|t| tables.terrain.row(t))
    };
    let enter = |pick: &dyn Fn(&crate::pack::TerrainRow) -> Cost| {
        // A settlement's own cost applies if it has one; otherwise the cost of its terrain.
        let of = |terrain: Terrain| pick(tables.terrain.row(terrain));
        let cost = settlement.map(of).filter(|c| *c != Cost::OtherTerrain).unwrap_or_else(|| of(ground));
        match cost {
            Cost::Quarters(quarters) => quarters,
            _ => NEVER,
        }
    };
    let bonus = |side: Side| rows().map(|row| row.dcb[side.index()]).max().unwrap_or(0);
    HexLand {
        ground,
        settlement,
        west_wall,
        enter: [enter(&|r| r.foot[0]), enter(&|r| r.foot[1]), enter(&|r| r.mech[0]), enter(&|r| r.mech[1])],
        dcb: [bonus(Side::German), bonus(Side::Allied)],
        armor_shift: rows().all(|row| row.armor_shift != crate::pack::ArmorShift::No),
        drop_zone: settlement.is_none() && !west_wall && tables.terrain.row(ground).drop_zone,
        bond_axes: 0,
        bond_sides: 0,
        silhouette_zoc: 0,
        roads: 0,
        dry_roads: 0,
        bridge_roads: 0,
        on_foot: 0,
        on_wheels: 0,
        by_bridge: 0,
    }
}
