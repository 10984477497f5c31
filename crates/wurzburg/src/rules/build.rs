//! Builds the rules of a table: from a scenario, or empty for a lab file.

use std::sync::{Arc, OnceLock};

use hexgrid::{Direction, HexId, HexSet};
use kernel::SetupError;

use super::{Options, Wurzburg};
use crate::{
    field::{Edge, Field, Terrain},
    pack::{Pack, PieceId, Scenario},
    units::{Counter, Formation, FormationId, MAX_UNITS, Pool, Side, Symbol, UnitId, UnitSet},
};

impl Field {
    /// The terrain of a map that uses the kinds of `packs/wurzburg/map/map.toml`.
    pub fn from_map(map: &atlas::Map) -> Field {
        let mut field = Field::level(map.board.clone());
        let kinds = [
            (Edge::MAIN, map.hexside_id("main")),
            (Edge::SAALE, map.hexside_id("saale")),
            (Edge::IMPASSABLE, map.hexside_id("impassable_slope")),
        ];
        let roads = [
            (Edge::AUTOBAHN, map.road_id("autobahn")),
            (Edge::BUNDESSTRASSE, map.road_id("bundesstrasse")),
            (Edge::MINOR, map.road_id("minor")),
        ];
        for hex in map.board.ids() {
            field.set_terrain(hex, Pack::terrain_of(map, hex));
            for direction in Direction::ALL {
                let side = map.side_toward(hex, direction);
                let mut edge = Edge::default();
                for (flag, kind) in kinds {
                    if kind.is_some_and(|kind| side.kinds.contains(kind)) {
                        edge = edge.with(flag);
                    }
                }
                if let Some((flag, _)) = roads.iter().find(|(_, road)| road.is_some() && *road == side.road) {
                    edge = edge.with(*flag);
                    if edge.any(Edge::RIVER) {
                        edge = edge.with(Edge::CIVIL); // 17.3
                    }
                }
                if side.bridge.is_some() && edge.any(Edge::RIVER) {
                    edge = edge.with(Edge::CIVIL);
                }
                if side.uphill.is_some() && side.uphill == map.board.neighbour(hex, direction) {
                    edge = edge.with(Edge::UP);
                }
                if map.board.neighbour(hex, direction).is_none() {
                    let here = &mut field.exits[hex.index()];
                    *here = here.with(edge);
                    continue;
                }
                field.add_edge(hex, direction, edge);
            }
        }
        field.number_rivers();
        field
    }
}

impl Wurzburg {
    pub fn new(
        pack: &Arc<Pack>,
        map: atlas::Map,
        scenario: Scenario,
        options: Options,
    ) -> Result<Wurzburg, SetupError> {
        let mut rules = Wurzburg::blank(pack, map, scenario, options);
        let mut wanted: Vec<PieceId> = Side::ALL
            .into_iter()
            .flat_map(|side| rules.scenario.side(side).pieces.clone())
            .chain(rules.scenario.spare.clone())
            .chain(rules.helicopter_pieces())
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        for piece in wanted {
            rules.add_piece(piece)?;
        }
        rules.settle_ground();
        Ok(rules)
    }

    /// A table of a lab file: a map, and no counters yet.
    pub(crate) fn bare(pack: &Arc<Pack>, map: atlas::Map, options: Options) -> Result<Wurzburg, SetupError> {
        let first =
            pack.scenarios.first().ok_or_else(|| SetupError::Bad("the pack has no scenario".into()))?;
        let cycles = Side::ALL.map(|side| {
            let own = |id: &FormationId| pack.formation(*id).activates && pack.formation(*id).side == side;
            pack.formation_ids().filter(own).collect()
        });
        let mut scenario = first.clone();
        scenario.id = "lab".into();
        (scenario.turns, scenario.start_box) = (20, 1);
        scenario.area = map.board.all();
        scenario.zones.clear();
        scenario.left_out.clear();
        scenario.optional.clear();
        scenario.setup.clear();
        scenario.spare.clear();
        scenario.plan.clear();
        scenario.victory.clear();
        scenario.automatic.clear();
        scenario.arrivals.clear();
        scenario.attached.clear();
        scenario.strength.clear();
        scenario.fog_turns.clear();
        scenario.cycles = cycles;
        let mut rules = Wurzburg::blank(pack, map, scenario, options);
        rules.lab_map = true;
        Ok(rules)
    }

    fn blank(pack: &Arc<Pack>, map: atlas::Map, mut scenario: Scenario, options: Options) -> Wurzburg {
        if let Some(short) = scenario.short_version.filter(|_| options.short) {
            scenario.turns = short.turns;
            for level in &mut scenario.levels {
                level.min = level.min.saturating_add(short.levels_shift);
                level.max = level.max.saturating_add(short.levels_shift);
            }
        }
        let field = Field::from_map(&map);
        Wurzburg {
            pack: Arc::clone(pack),
            map,
            field,
            tables: Arc::clone(&pack.tables),
            area: scenario.area,
            scenario,
            options,
            always_night: None,
            counters: Vec::new(),
            formations: pack.formation_ids().map(|id| formation(pack, id)).collect(),
            pools: Vec::new(),
            in_play: vec![false; pack.forces.formations.len()],
            hqs: Vec::new(),
            holdable: Vec::new(),
            wp_bridges: Vec::new(),
            works_zone: [HexSet::EMPTY; 2],
            mines_zone: [HexSet::EMPTY; 2],
            display_entries: [HexSet::EMPTY; 2],
            entry_zones: Vec::new(),
            entry_distances: Vec::new(),
            helicopter_edges: [HexSet::EMPTY; 2],
            by_side: [Vec::new(), Vec::new()],
            ground: [UnitSet::EMPTY; 2],
            engineers: [Vec::new(), Vec::new()],
            grounds: Vec::new(),
            by_formation: vec![Vec::new(); pack.forces.formations.len()],
            pieces: Vec::new(),
            lab_map: false,
        }
    }

    /// The counters of every helicopter type that the scenario gives (25.1, 26.2).
    fn helicopter_pieces(&self) -> Vec<PieceId> {
        let given = |kind: &crate::pack::TypeId| {
            Side::ALL.into_iter().any(|side| {
                let setup = self.scenario.side(side);
                setup.helicopters.iter().any(|(of, _)| of == kind)
                    || setup.helicopters_later.iter().any(|(_, of, _)| of == kind)
            })
        };
        self.pack.piece_ids().filter(|piece| given(&self.pack.piece(*piece).unit_type)).collect()
    }

    /// What follows from the map and the scenario: hexes that can be held, bridges in the WP zone.
    pub(crate) fn settle_ground(&mut self) {
        use crate::pack::VictoryWhat;
        self.by_formation.iter_mut().for_each(Vec::clear);
        for (n, counter) in self.counters.iter().enumerate() {
            self.by_formation[counter.formation.index()].push(UnitId(n as u16));
        }
        let cities = self.area.iter().filter(|hex| self.field.terrain(*hex) == Terrain::City);
        let mut holdable: Vec<HexId> = cities.collect();
        for rule in &self.scenario.victory {
            if let VictoryWhat::Control { hexes } | VictoryWhat::ControlAll { hexes } = &rule.what {
                holdable.extend(hexes);
            }
        }
        holdable.sort_unstable();
        holdable.dedup();
        self.holdable = holdable;
        let zone = self.wp_zone();
        self.wp_bridges = (0..self.field.river_sides.len() as u16)
            .filter(|n| {
                let hexes = self.field.board.side_hexes(self.field.river_sides[usize::from(*n)]);
                hexes.into_iter().flatten().all(|hex| zone.contains(hex))
            })
            .collect();
        if !self.lab_map {
            self.display_entries = Side::ALL.map(|side| self.scenario.side(side).edges);
            self.works_zone = Side::ALL.map(|side| self.setup_ground(side));
            self.mines_zone = self.works_zone.map(|zone| self.with_neighbours(&zone));
        }
        if self.lab_map {
            // 40.3.1: the display of a side is behind its own map edge.
            self.display_entries = self.edges_for_helicopters(&[HexSet::EMPTY; 2]);
        }
        self.grounds = self.field.board.ids().map(|hex| self.ground(hex)).collect();
        self.entry_zones = self.all_entry_zones();
        self.entry_distances = self.entry_zones.iter().map(|_| OnceLock::new()).collect();
        self.helicopter_edges = self.edges_for_helicopters(&self.display_entries);
    }

    /// The area that belongs to WP when play begins.
    pub fn wp_zone(&self) -> HexSet {
        if self.lab_map { HexSet::EMPTY } else { self.setup_ground(Side::Wp) }
    }

    /// The hexes of a zone and those adjacent to them.
    fn with_neighbours(&self, zone: &HexSet) -> HexSet {
        let mut wide = *zone;
        for hex in zone {
            for near in self.field.board.neighbour_row(hex) {
                if self.area.contains(*near) {
                    wide.insert(*near);
                }
            }
        }
        wide
    }

    /// The hexes in which a side may set up any of its units.
    fn setup_ground(&self, side: Side) -> HexSet {
        let mut zone = HexSet::EMPTY;
        for piece in &self.scenario.side(side).pieces {
            if let Some(own) = self.scenario.setup_zone(&self.pack.forces, *piece) {
                zone.union_with(&own);
            }
        }
        zone
    }

    /// 4.5: a counter of the pack, which includes the errata.
    pub(crate) fn add_piece(&mut self, id: PieceId) -> Result<UnitId, SetupError> {
        let piece = self.pack.piece(id);
        let kind = self.pack.type_of(id);
        let pool = match piece.pool {
            None => u8::MAX,
            Some(pool) => {
                let name = &self.pack.pool(pool).id;
                let at = self.pools.iter().position(|p| p.id == *name).unwrap_or_else(|| {
                    self.pools.push(Pool {
                        id: name.clone(),
                        formation: piece.formation,
                        steps: self.scenario.pool_steps(&self.pack.forces, pool),
                        max_steps: piece.max_steps,
                        units: Vec::new(),
                    });
                    self.pools.len() - 1
                });
                at as u8
            }
        };
        let counter = Counter {
            id: piece.id.clone(),
            label: piece.label.clone(),
            side: piece.side,
            formation: piece.formation,
            pool,
            max_steps: piece.max_steps,
            dag: piece.dag,
            main: piece.id.ends_with("-main") || kind.id == "wp-hq-35gaab",
            ..Counter::of_type(kind, piece.nation)
        };
        self.add_counter(counter, Some(id))
    }

    /// Add a counter: of the pack, or defined in a lab file.
    pub(crate) fn add_counter(
        &mut self,
        mut counter: Counter,
        piece: Option<PieceId>,
    ) -> Result<UnitId, SetupError> {
        let unit = UnitId(self.counters.len() as u16);
        if unit.index() >= MAX_UNITS {
            return Err(SetupError::Bad(format!("at most {MAX_UNITS} counters are possible")));
        }
        if counter.symbol == Symbol::Hq {
            counter.hq = self.hqs.len() as u8;
            self.hqs.push(unit);
        }
        if let Some(pool) = self.pools.get_mut(usize::from(counter.pool)) {
            pool.units.push(unit);
        }
        self.in_play[counter.formation.index()] = true;
        let side = counter.side.index();
        self.by_side[side].push(unit);
        if counter.symbol.ground() {
            self.ground[side].insert(unit);
        }
        if counter.symbol == Symbol::Engineer {
            self.engineers[side].push(unit);
        }
        self.counters.push(counter);
        self.pieces.push(piece);
        Ok(unit)
    }
}

fn formation(pack: &Pack, id: FormationId) -> Formation {
    let f = pack.formation(id);
    Formation {
        id: f.id.clone(),
        side: f.side,
        nation: f.nation,
        echelon: f.echelon,
        kind: f.kind,
        parent: f.parent.unwrap_or_default(),
        base: f.base,
        activates: f.activates,
        independent: f.attaches_to.is_some(),
        main_effort: f.main_effort,
        shatter: f.shatter,
        shatter_as_one: f.shatter_as_one,
    }
}
