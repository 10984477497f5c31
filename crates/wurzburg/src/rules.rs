//! The contract with the kernel: every question and every decision goes to the question of the frame that waits.

use hexgrid::{Direction, HexId, HexSet};
use kernel::{
    Ask, Dice, Entry, Log, Message, Outcome, Pending, Prompt, Refusal, Rules, Seat, Secrecy, SetupError,
    Stop, Template, Verdict, View, Viewer,
};

use rand_core::RngCore;

use crate::{
    action::{Action, Subject, Work},
    event::Event,
    field::{DRY, Edge, Field, Terrain},
    flow,
    frame::Frame,
    pack::{HelicopterProfile, Pack, PieceId, Scenario, Tables},
    play::{Cx, Play, seat, side},
    state::State,
    units::{Counter, Formation, FormationId, MAX_UNITS, Pool, Side, Symbol, UnitId},
};

/// Optional rules and readings that a table may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// 42.0
    pub overrun: bool,
    /// 43.0
    pub close_attack: bool,
    /// 44.0
    pub gas: bool,
    /// 11.1: the players form and place their own units.
    pub free_setup: bool,
    /// The scenario's short version, where it has one (46).
    pub short: bool,
}

/// Their names, each with its rule.
pub const OPTIONS: [(&str, &str); 5] = [
    ("overrun", "42.0"),
    ("close_attack", "43.0"),
    ("gas", "44.0"),
    ("free_setup", "11.1"),
    ("short", "8.6"),
];

impl Options {
    pub fn read<S: AsRef<str>>(names: &[S]) -> Result<Options, SetupError> {
        let mut options = Options::default();
        for name in names {
            match name.as_ref() {
                "overrun" => options.overrun = true,
                "close_attack" => options.close_attack = true,
                "gas" => options.gas = true,
                "free_setup" => options.free_setup = true,
                "short" => options.short = true,
                other => {
                    return Err(SetupError::Unknown {
                        what: "option",
                        name: other.to_owned(),
                        known: OPTIONS.map(|(id, _)| id).join(", "),
                    });
                }
            }
        }
        Ok(options)
    }
}

/// The rules of one table: pack, ground and scenario, with everything worked out beforehand.
#[derive(Debug)]
pub struct Wurzburg {
    pub pack: &'static Pack,
    pub map: atlas::Map,
    pub field: Field,
    pub tables: &'static Tables,
    pub scenario: Scenario,
    pub options: Options,
    /// The position says whether it is night, and not the Game Turn Track.
    pub always_night: Option<bool>,
    pub counters: Vec<Counter>,
    pub formations: Vec<Formation>,
    pub pools: Vec<Pool>,
    /// Formations with a counter in this game.
    pub in_play: Vec<bool>,
    /// The counters of HQs, in order of [`State::hqs`].
    pub hqs: Vec<UnitId>,
    /// The hexes in play.
    pub area: HexSet,
    /// Cities, and hexes that are scored (6.3.4, 46.7).
    pub holdable: Vec<HexId>,
    /// Civil bridges inside the WP set-up zone, by number (38.1.2).
    pub wp_bridges: Vec<u16>,
    /// Where a side may put field works before play (35.0, 36.0, 37.1).
    pub works_zone: [HexSet; 2],
    pub mines_zone: [HexSet; 2],
    /// Edge hexes by which units on the display may enter (40.3.1).
    pub display_entries: [HexSet; 2],
    /// Edge hexes by which helicopters come and go (25.2.1).
    pub helicopter_edges: [HexSet; 2],
    by_side: [Vec<UnitId>; 2],
    by_formation: Vec<Vec<UnitId>>,
    pieces: Vec<Option<PieceId>>,
    /// The scenario's zones and edges do not belong to this map.
    lab_map: bool,
}

impl Field {
    /// The ground of a map that uses the kinds of `packs/wurzburg/map/map.toml`.
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
        pack: &'static Pack,
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
    pub(crate) fn bare(
        pack: &'static Pack,
        map: atlas::Map,
        options: Options,
    ) -> Result<Wurzburg, SetupError> {
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

    fn blank(pack: &'static Pack, map: atlas::Map, mut scenario: Scenario, options: Options) -> Wurzburg {
        if let Some(short) = scenario.short_version.filter(|_| options.short) {
            scenario.turns = short.turns;
            for level in &mut scenario.levels {
                level.min = level.min.saturating_add(short.levels_shift);
                level.max = level.max.saturating_add(short.levels_shift);
            }
        }
        let field = Field::from_map(&map);
        Wurzburg {
            pack,
            map,
            field,
            tables: &pack.tables,
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
            helicopter_edges: [HexSet::EMPTY; 2],
            by_side: [Vec::new(), Vec::new()],
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

    /// What follows from the map and the scenario: hexes that can be held, bridges of the WP zone.
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
        self.helicopter_edges = self.edges_for_helicopters(&self.display_entries);
    }

    /// The ground that is WP's when play begins.
    pub fn wp_zone(&self) -> HexSet {
        if self.lab_map { HexSet::EMPTY } else { self.setup_ground(Side::Wp) }
    }

    /// The hexes of a zone and those next to them.
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

    /// 4.5: a counter of the pack, which holds the errata.
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
            vehicle: kind.vehicle.clone(),
            kind: kind.id.clone(),
            side: piece.side,
            nation: piece.nation,
            formation: piece.formation,
            symbol: kind.symbol,
            pool,
            max_steps: piece.max_steps,
            attack: kind.attack,
            defense: kind.defense,
            range: kind.range,
            cp: kind.cp,
            rp: kind.rp,
            command_range: kind.command_range,
            ew: kind.ew_asset,
            thermal: kind.thermal,
            airmobile: kind.airmobile,
            airborne: kind.airborne,
            profiles: HelicopterProfile::ALL.map(|profile| kind.helicopter_profile(profile)),
            leg: kind.leg,
            dag: piece.dag,
            adm: kind.adm,
            gas: kind.gas,
            main: piece.id.ends_with("-main") || kind.id == "wp-hq-35gaab",
            hq: u8::MAX,
        };
        self.add_counter(counter, Some(id))
    }

    /// Adds a counter: of the pack, or one that a lab file writes.
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
        self.by_side[counter.side.index()].push(unit);
        self.counters.push(counter);
        self.pieces.push(piece);
        Ok(unit)
    }

    #[inline]
    pub fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    #[inline]
    pub fn formation(&self, id: FormationId) -> &Formation {
        &self.formations[id.index()]
    }

    #[inline]
    pub fn units_of(&self, side: Side) -> &[UnitId] {
        &self.by_side[side.index()]
    }

    /// The counters of a formation itself, wherever they are.
    #[inline]
    pub fn counters_of(&self, formation: FormationId) -> &[UnitId] {
        &self.by_formation[formation.index()]
    }

    pub fn id(&self, unit: UnitId) -> &str {
        &self.counter(unit).id
    }

    /// The counter of that name; upper and lower case are the same.
    pub fn named(&self, id: &str) -> Option<UnitId> {
        let at = self.counters.iter().position(|counter| counter.id.eq_ignore_ascii_case(id))?;
        Some(UnitId(at as u16))
    }

    pub fn formation_named(&self, id: &str) -> Option<FormationId> {
        let at = self.formations.iter().position(|formation| formation.id.eq_ignore_ascii_case(id))?;
        Some(FormationId(at as u8))
    }

    /// The counter of a piece of the pack.
    pub fn unit_of_piece(&self, piece: PieceId) -> Option<UnitId> {
        self.pieces.iter().position(|p| *p == Some(piece)).map(|at| UnitId(at as u16))
    }

    /// The piece of the pack that a counter is.
    pub fn piece_of(&self, unit: UnitId) -> Option<PieceId> {
        self.pieces.get(unit.index()).copied().flatten()
    }

    /// Is a hex on the edge of the ground that is played on (18.4.7)?
    pub fn edge_hex(&self, hex: HexId) -> bool {
        let off =
            |direction| self.field.neighbour(hex, direction).is_none_or(|other| !self.area.contains(other));
        Direction::ALL.into_iter().any(off)
    }

    /// 11.2: does a side see the steps of an enemy unit?
    pub fn detected(&self, s: &State, side: Side, unit: UnitId) -> bool {
        let u = s.unit(unit);
        if !u.on_map() {
            return true;
        }
        // 11.2.3: air and helicopter units are open.
        if !self.counter(unit).symbol.ground() || self.next_to(s, u.hex, side) {
            return true;
        }
        let active = s.active.some().map(|active| self.formation(active).side);
        active == Some(side) && s.acquired.contains(&u.hex)
    }

    /// Do all know a unit's steps because it cannot have any other number?
    pub fn always_known(&self, unit: UnitId) -> bool {
        matches!(self.counter(unit).symbol, Symbol::Hq | Symbol::Engineer)
            || self.counter(unit).pool == u8::MAX
    }

    pub(crate) fn cx<'a>(&'a self, s: &'a State, seat: Seat) -> Option<Cx<'a>> {
        let frame = s.top();
        if s.ending.is_some() || seat.0 > 1 {
            return None;
        }
        let side = side(seat);
        (flow::asks(self, s, frame) == Some(side)).then_some(Cx { rules: self, s, side, frame })
    }

    /// Number of a river hexside named by its two hexes.
    pub fn river_named(&self, label: &str) -> Option<u16> {
        let side = self.field.board.find_side(label).ok()?;
        Some(self.field.river_of(side)).filter(|n| *n != DRY)
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

impl Rules for Wurzburg {
    type State = State;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, s: &State) -> Pending {
        if let Some(ending) = s.ending {
            return Pending::Over(Outcome {
                winner: ending.winner.map(seat),
                why: crate::report::ending(self, &ending),
                rule: "46.7".into(),
            });
        }
        // A state at rest always waits for somebody: `flow::settle` runs until it does.
        Pending::One(seat(flow::asks(self, s, s.top()).unwrap_or_default()))
    }

    fn prompt(&self, s: &State, seat: Seat) -> Prompt {
        crate::report::prompt(self, s, side(seat))
    }

    fn subjects(&self, s: &State, seat: Seat, out: &mut Vec<Subject>) {
        if let Some(cx) = self.cx(s, seat)
            && let Some(question) = flow::question(cx.frame)
        {
            crate::refusal::quietly(|| question.subjects(&cx, out));
        }
    }

    fn options(&self, s: &State, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        if let Some(cx) = self.cx(s, seat)
            && let Some(question) = flow::question(cx.frame)
        {
            crate::refusal::quietly(|| question.options(&cx, subject, out));
        }
    }

    fn template(&self, s: &State, seat: Seat, action: &Action) -> Option<Template> {
        crate::table::template(&self.cx(s, seat)?, action)
    }

    fn label(&self, _: &State, _: Seat, action: &Action) -> Option<Message> {
        crate::table::label(self, action)
    }

    fn sample(&self, s: &State, seat: Seat, action: &mut Action, rng: &mut dyn RngCore) -> bool {
        if let Some(cx) = self.cx(s, seat) {
            crate::table::sample(self, &cx, action, rng);
        }
        true
    }

    fn verdict(&self, s: &State, seat: Seat, action: &Action) -> Verdict {
        flow::check(self, s, seat, action).into()
    }

    fn apply(
        &self,
        s: &mut State,
        seat: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        flow::check(self, s, seat, action)?;
        let play = &mut Play { rules: self, s, dice, log };
        flow::apply(play, side(seat), action)?;
        flow::settle(play)?;
        play.s.stamp.renew();
        Ok(())
    }

    fn secrecy(&self, before: &State, _: Seat, action: &Action) -> Secrecy {
        match before.top() {
            // 12.3: plans are hidden; payers stay so.
            Frame::Planning if matches!(action, Action::Attach { .. }) => Secrecy::Open,
            Frame::Planning => Secrecy::UntilOver,
            // 37.1: whether a minefield is real is hidden.
            Frame::Works(_) => Secrecy::UntilOver,
            _ => match action {
                Action::Work { work: Work::Mine | Work::DummyMine, .. } => Secrecy::UntilOver,
                // 27.2.2: whoever always announces the true strength does not say so.
                Action::Always => Secrecy::UntilOver,
                // 14.4: how many steps are masked is hidden.
                Action::Mask(parts) if parts.iter().any(|part| part.steps.is_some()) => Secrecy::UntilOver,
                // 11.1, 11.7: how many steps go over is hidden.
                Action::Land { .. } | Action::Transfer { .. } => Secrecy::UntilOver,
                Action::Ferry { parts, .. } if parts.iter().any(|part| part.steps.is_some()) => {
                    Secrecy::UntilOver
                }
                // 11.5: the steps that part are hidden.
                Action::Move { parts, .. } if parts.iter().any(|part| part.steps.is_some()) => {
                    Secrecy::UntilOver
                }
                _ => Secrecy::Open,
            },
        }
    }

    fn resample(&self, s: &State, viewer: Viewer, rng: &mut dyn rand_core::RngCore) -> Option<State> {
        Some(crate::resample::resample(self, s, viewer, rng))
    }

    fn view(&self, s: &State, viewer: Viewer) -> View {
        crate::view::view(self, s, viewer)
    }

    fn turn(&self, s: &State) -> u16 {
        s.turn.into()
    }

    fn report(&self, after: &State, event: &kernel::log::Event<Event>, out: &mut Vec<Entry>) {
        crate::report::report(self, after, event, out);
    }

    fn ask(&self, s: &State, viewer: Viewer, question: &str) -> Result<serde_json::Value, Ask> {
        crate::ask::ask(self, s, viewer, question)
    }

    fn brief(&self, s: &State, seat: Seat) -> kernel::Brief {
        crate::brief::brief(self, s, seat)
    }

    fn notate(&self, _: &State, action: &Action) -> String {
        crate::notation::write(self, action)
    }

    fn parse(&self, s: &State, _: Seat, text: &str) -> Result<Action, Refusal> {
        crate::notation::read(self, s, text)
    }

    fn notate_subject(&self, _: &State, subject: Subject) -> String {
        match subject {
            Subject::Phase => "phase".into(),
            Subject::Unit(unit) => self.id(unit).to_owned(),
            Subject::Hex(hex) => format!("hex {}", self.field.label(hex)),
            Subject::Formation(formation) => format!("formation {}", self.formation(formation).id),
            Subject::Side(side) => format!("side {}", self.field.side_label(side)),
        }
    }

    fn parse_subject(&self, _: &State, text: &str) -> Result<Subject, Refusal> {
        let no = |key: &'static str, text: &str| Refusal::plain(Message::new(key).text("text", text));
        match text.trim().split_once(' ') {
            Some(("hex", label)) => {
                self.field.find(label.trim()).map(Subject::Hex).ok_or_else(|| no("no.hex", label))
            }
            Some(("formation", id)) => {
                self.formation_named(id.trim()).map(Subject::Formation).ok_or_else(|| no("no.formation", id))
            }
            Some(("side", label)) => {
                let side = self.field.board.find_side(label.trim()).ok();
                side.map(Subject::Side).ok_or_else(|| no("no.hexside", label))
            }
            _ if text.trim() == "phase" => Ok(Subject::Phase),
            _ => self.named(text.trim()).map(Subject::Unit).ok_or_else(|| no("no.unit", text)),
        }
    }
}
