//! The map as the rules read it: for every hex and hexside the costs, bonuses and prohibitions of the Terrain
//! Effects Chart, worked out once when a table is opened.

use atlas::Map;
use hexgrid::{Direction, HexId, HexSet};

use crate::pack::{
    AreaId, BoxId, Cost, Edition, EntryId, Ground, HexsideFeature, Maps, Pack, Road, Side, Tables, Terrain,
};

/// A cost that no movement points pay.
pub const NEVER: u8 = u8::MAX;

/// Movement classes of the chart (2.4, 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Foot,
    Mechanized,
}

/// Index into the cost arrays: class, then ground.
#[inline]
pub const fn cost_index(class: Class, ground: Ground) -> usize {
    class as usize * 2 + ground as usize
}

/// Kinds of movers that the tables of steps tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    Foot,
    MechInfantry,
    Vehicle,
    /// Strategic Movement and Trucks: by road at Mechanized rates (12.1, 12.62).
    March,
}

/// A step that no unit of the kind ever makes, but perhaps by Tactical Movement.
pub const SHUT: u8 = u8::MAX;
/// A step that depends on a bridge, an army boundary or the like: ask the rules.
pub const ASK: u8 = u8::MAX - 1;

/// Facts about a hexside, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeBits(pub u16);

impl EdgeBits {
    /// River, the Meuse included.
    pub const RIVER: EdgeBits = EdgeBits(1);
    pub const MEUSE: EdgeBits = EdgeBits(1 << 1);
    pub const LAKE: EdgeBits = EdgeBits(1 << 2);
    /// A road of any class crosses it.
    pub const ROAD: EdgeBits = EdgeBits(1 << 3);
    /// … and gives the Road Bonus to an advance into the far hex (19.1).
    pub const ROAD_BONUS: EdgeBits = EdgeBits(1 << 4);
    /// One of the two hexes is Wooded Rough (11.6).
    pub const WOODED_ROUGH: EdgeBits = EdgeBits(1 << 5);
    /// Forest, West Wall or Wooded Rough on either side: vehicles only by road (11.5).
    pub const BY_ROAD_ONLY: EdgeBits = EdgeBits(1 << 6);
    /// An army boundary (11.10).
    pub const BOUNDARY: EdgeBits = EdgeBits(1 << 7);

    #[inline]
    pub const fn any(self, other: EdgeBits) -> bool {
        self.0 & other.0 != 0
    }

    fn set(&mut self, other: EdgeBits, on: bool) {
        if on {
            self.0 |= other.0;
        }
    }
}

/// A hexside seen from one of its hexes.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The hex beyond; [`HexId::NONE`] off the map in play.
    pub to: HexId,
    /// Index of the bridge on it, `u16::MAX` for none.
    bridge: u16,
    pub bits: EdgeBits,
    /// Quarter points to enter the hex beyond along the road, by [`cost_index`]; [`NEVER`] without a road.
    pub road: [u8; 4],
}

impl Edge {
    #[inline]
    pub const fn is(&self, bits: EdgeBits) -> bool {
        self.bits.any(bits)
    }

    #[inline]
    pub const fn bridge(&self) -> Option<u16> {
        if self.bridge == u16::MAX { None } else { Some(self.bridge) }
    }
}

/// A hex.
#[derive(Clone, Copy, Debug)]
pub struct HexLand {
    pub ground: Terrain,
    /// Village, Town or City.
    pub settlement: Option<Terrain>,
    pub west_wall: bool,
    /// Quarter points to enter it off the road, by [`cost_index`]; [`NEVER`] where only Tactical Movement enters.
    pub enter: [u8; 4],
    /// Most favourable terrain bonus by defending side (15.1), without Improved Position.
    pub dcb: [u8; 2],
    /// An Armor Shift against a defender here is possible (21.3).
    pub armor_shift: bool,
    /// Von der Heydte may land here (27.2).
    pub drop_zone: bool,
    /// Bit `d` (0–2): a Hex Bond may run through this hex from direction `d` to the opposite one (10.3).
    pub bond_axes: u8,
    /// Bit `d` (0–5): a Hexside Bond may run along the side in direction `d` (10.3).
    pub bond_sides: u8,
    /// Bit `d`: the ZOC of silhouette tanks here reaches the neighbour in direction `d` (9.4).
    pub silhouette_zoc: u8,
    /// Bit `d`: a road leaves in direction `d`.
    pub roads: u8,
}

impl HexLand {
    pub fn is(&self, terrain: Terrain) -> bool {
        self.ground == terrain
            || self.settlement == Some(terrain)
            || (terrain == Terrain::WestWall && self.west_wall)
    }

    /// City or Town (13.2, 23.3, 25.22).
    pub fn town_or_city(&self) -> bool {
        matches!(self.settlement, Some(Terrain::Town | Terrain::City))
    }

    pub fn has_road(&self) -> bool {
        self.roads != 0
    }
}

/// The whole map in play.
#[derive(Debug)]
pub struct Land {
    pub hexes: Vec<HexLand>,
    pub edges: Vec<[Edge; 6]>,
    /// For each kind of mover and ground the cost of each step, as far as the map alone decides it.
    steps: [Vec<[u8; 6]>; 8],
    /// Hexes from which a side may leave the map (11.9, 31.2).
    pub exits: [HexSet; 2],
    /// … those by which Germans leave for Antwerp (11.9).
    pub antwerp_exits: HexSet,
    /// Quarter points to enter a hex along its best road, by [`cost_index`]; [`NEVER`] without one (13.1).
    pub road_into: Vec<[u8; 4]>,
    /// The hexes in play: all, or the East map's (31.2).
    pub in_play: HexSet,
    /// West map hexes (6.4, 30.2).
    pub west_map: HexSet,
    /// West of the Ourthe (1E 6.5); Victory Hexes count as such.
    pub west_of_ourthe: HexSet,
    /// West of the Meuse (27.3).
    pub west_of_meuse: HexSet,
    /// Supply sources of a side (23.2).
    pub sources: [HexSet; 2],
    /// Entry Hexes by [`EntryId`]; none where the map in play lacks it.
    pub entries: Vec<Option<HexId>>,
    /// The Off-Map Box beyond an edge hex (11.9).
    pub exit_box: Vec<Option<BoxId>>,
    /// West edge of the map in play (31.2).
    pub west_edge: HexSet,
    /// St-Vith and the Bottleneck hexes (24.7).
    pub st_vith: Option<HexId>,
    pub bottleneck: HexSet,
    /// German set-up areas by [`AreaId`] (31.1), and those closed to red-coded units.
    pub areas: Vec<HexSet>,
    pub areas_closed_to_red: Vec<HexSet>,
    /// Hexes behind the set-up areas (29.3).
    pub rear_zone: HexSet,
    /// Through whose middle a river flows (3.3, 7.7).
    pub river_through: HexSet,
    /// The two hexes of each bridge.
    pub bridges: Vec<[HexId; 2]>,
    /// The Ouren bridge (7.8).
    pub ouren: Option<u16>,
    /// 29.2: from, to.
    pub echternach: Option<[HexId; 2]>,
    /// 32.1
    pub dump_sites: Vec<HexId>,
    /// Victory Hexes in play (30.1).
    pub victory: Vec<VictorySite>,
    /// 31.5
    pub bastogne: HexSet,
}

/// A Victory Hex on the map in play.
#[derive(Clone, Copy, Debug)]
pub struct VictorySite {
    pub hex: HexId,
    pub kind: crate::pack::VictoryKind,
    pub points: u8,
}

impl Land {
    #[inline]
    pub fn hex(&self, hex: HexId) -> &HexLand {
        &self.hexes[hex.index()]
    }

    #[inline]
    pub fn edges(&self, hex: HexId) -> &[Edge; 6] {
        &self.edges[hex.index()]
    }

    #[inline]
    pub fn edge(&self, hex: HexId, direction: Direction) -> &Edge {
        &self.edges[hex.index()][direction.index()]
    }

    /// The table of steps for a kind of mover: cost, [`SHUT`] or [`ASK`] by hex and direction.
    #[inline]
    pub fn steps(&self, mover: Mover, ground: Ground) -> &[[u8; 6]] {
        &self.steps[mover as usize * 2 + ground as usize]
    }

    /// The neighbour in a direction, if it is in play.
    #[inline]
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        self.edge(hex, direction).to.some()
    }

    /// The neighbours in play.
    #[inline]
    pub fn neighbours(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        self.edges[hex.index()].iter().filter_map(|edge| edge.to.some())
    }

    /// The direction from a hex to its neighbour.
    #[inline]
    pub fn direction(&self, from: HexId, to: HexId) -> Option<Direction> {
        let index = self.edges[from.index()].iter().position(|edge| edge.to == to)?;
        Some(Direction::from_index(index))
    }

    /// The hexside between two neighbours, seen from the first.
    #[inline]
    pub fn between(&self, from: HexId, to: HexId) -> Option<&Edge> {
        self.edges[from.index()].iter().find(|edge| edge.to == to)
    }

    /// The Entry Hex standing on a hex.
    pub fn entry_at(&self, hex: HexId) -> Option<EntryId> {
        self.entries.iter().position(|e| *e == Some(hex)).map(|i| EntryId(i as u8))
    }

    pub fn entry_hex(&self, entry: EntryId) -> Option<HexId> {
        self.entries.get(entry.index()).copied().flatten()
    }

    /// Set-up areas that hold a hex (31.1); two divisions may share one.
    pub fn areas_of(&self, hex: HexId) -> impl Iterator<Item = AreaId> + '_ {
        self.areas.iter().enumerate().filter(move |(_, a)| a.contains(hex)).map(|(i, _)| AreaId(i as u8))
    }

    /// Works everything out for a map, the maps in play, an edition and its readings.
    pub fn new(
        map: &Map,
        pack: &Pack,
        maps: Maps,
        edition: Edition,
        rivers_break_hexside_bonds: bool,
    ) -> Land {
        let tables = pack.tables(edition);
        let board = &map.board;
        let col_row = |hex: HexId| board.label(hex).parse::<crate::pack::HexRef>().ok();
        let west_map: HexSet = board.ids().filter(|h| col_row(*h).is_some_and(|r| !r.is_east())).collect();
        let in_play: HexSet = match maps {
            Maps::Both => board.all(),
            Maps::East => &board.all() - &west_map,
        };
        let mut land = Land {
            hexes: board.ids().map(|hex| hex_land(map, hex, tables)).collect(),
            edges: Vec::with_capacity(board.len()),
            steps: std::array::from_fn(|_| Vec::new()),
            exits: [HexSet::EMPTY; 2],
            antwerp_exits: HexSet::EMPTY,
            road_into: Vec::new(),
            in_play,
            west_map,
            west_of_ourthe: HexSet::EMPTY,
            west_of_meuse: HexSet::EMPTY,
            sources: [HexSet::EMPTY; 2],
            entries: Vec::new(),
            exit_box: vec![None; board.len()],
            west_edge: HexSet::EMPTY,
            st_vith: None,
            bottleneck: HexSet::EMPTY,
            areas: Vec::new(),
            areas_closed_to_red: Vec::new(),
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
        land.lay_bonds(edition, rivers_break_hexside_bonds);
        land.lay_places(map, pack);
        land.lay_edges_of_the_map(map, pack, maps, edition);
        land.west_of_meuse = match map.area("west-of-the-meuse") {
            Some(zone) => &zone.hexes & &in_play,
            None => land.flood_west_of_meuse(),
        };
        land.lay_steps(edition);
        // 1E 6.5: Victory Hexes count as west of the Ourthe.
        land.west_of_ourthe = map.area("west-of-the-ourthe").map_or(HexSet::EMPTY, |zone| zone.hexes);
        land.west_of_ourthe.union_with(&land.victory.iter().map(|site| site.hex).collect());
        land
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
            self.hexes[hex.index()].roads =
                (0..6).filter(|d| edges[*d].is(EdgeBits::ROAD)).fold(0, |set, d| set | 1 << d);
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

    /// What the map alone says of every step.
    fn lay_steps(&mut self, edition: Edition) {
        for mover in [Mover::Foot, Mover::MechInfantry, Mover::Vehicle, Mover::March] {
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
        let class = if mover == Mover::Foot { Class::Foot } else { Class::Mechanized };
        let infantry = matches!(mover, Mover::Foot | Mover::MechInfantry);
        let barred = edge.is(EdgeBits::LAKE)
            || mover == Mover::March && !road
            || mover == Mover::Vehicle && edge.is(EdgeBits::BY_ROAD_ONLY) && !road;
        if barred {
            return SHUT;
        }
        let river = edge.is(EdgeBits::RIVER);
        let rough = edge.is(EdgeBits::WOODED_ROUGH) && !road;
        // 1E 11.4: from an adjacent start, without Tactical Movement.
        let crossing = infantry && edition == Edition::First;
        if river && edge.bridge().is_none() || rough {
            return if crossing { ASK } else { SHUT };
        }
        if river || edge.is(EdgeBits::BOUNDARY) {
            return ASK;
        }
        let index = cost_index(class, ground);
        let off_road = self.hex(to).enter[index];
        // A cost beyond ASK would be no cost; none of the chart comes near.
        if road { edge.road[index].min(off_road) } else { off_road }
    }

    /// 9.4 and 10.3.
    fn lay_bonds(&mut self, edition: Edition, rivers_break: bool) {
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
        self.entries = pack.entries.iter().map(|e| find(e.hex)).collect();
        self.st_vith = find(pack.places.st_vith);
        self.bottleneck = pack.places.bottleneck.iter().filter_map(|h| find(*h)).collect();
        let set = |hexes: &[crate::pack::HexRef]| hexes.iter().filter_map(|h| find(*h)).collect();
        self.areas = pack.areas.iter().map(|a| set(&a.hexes)).collect();
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
        let site = |v: &crate::pack::VictoryHex| {
            Some(VictorySite { hex: find(v.hex)?, kind: v.kind, points: v.points })
        };
        self.victory = pack.victory_hexes.iter().filter_map(site).collect();
        self.bastogne = set(&pack.places.bastogne);
    }

    /// 11.9: the Off-Map Box beyond each stretch of the south, west or north edge, as the map draws it; on a map that
    /// draws none, that of the nearest Allied Entry Hex on the same edge.
    fn lay_edges_of_the_map(&mut self, map: &Map, pack: &Pack, maps: Maps, edition: Edition) {
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
            }
            let antwerp = match edition {
                Edition::Second => self.entry_at(hex).is_some_and(|e| pack.entries[e.index()].antwerp_exit),
                Edition::First => self.west_map.contains(hex) && Self::first_edition_exit(map, hex, mine),
            };
            if antwerp {
                self.antwerp_exits.insert(hex);
            }
            if antwerp || maps == Maps::East && mine[2] {
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

    /// What can be reached from the west edge without crossing the Meuse.
    fn flood_west_of_meuse(&self) -> HexSet {
        let has_meuse = self.edges.iter().flatten().any(|edge| edge.is(EdgeBits::MEUSE));
        if !has_meuse {
            return self.in_play; // a small map without it binds nobody
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
        // A settlement's own cost counts where it has one; otherwise the ground's.
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
    }
}

/// Rows of the chart that are about hexsides, as the combat rules ask for them.
pub fn hexside_feature(edge: &Edge) -> Option<HexsideFeature> {
    if edge.is(EdgeBits::LAKE) {
        Some(HexsideFeature::Lake)
    } else if edge.is(EdgeBits::MEUSE) {
        Some(HexsideFeature::Meuse)
    } else if edge.is(EdgeBits::RIVER) {
        Some(HexsideFeature::River)
    } else if edge.is(EdgeBits::WOODED_ROUGH) && !edge.is(EdgeBits::ROAD) {
        Some(HexsideFeature::WoodedRough)
    } else {
        None
    }
}
