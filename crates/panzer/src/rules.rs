//! The implementation of the kernel's trait: every question and every decision goes to the module of the waiting frame.

use std::sync::Arc;

use hexgrid::{Direction, HexId, HexSet};
use kernel::{
    Ask, Dice, Entry, Log, Message, Outcome, Pending, Prompt, Refusal, Rules, Seat, Secrecy, SetupError,
    Stamp, Stop, Template, Verdict, View, Viewer,
};
use rulebook::flow::{self, At};

use crate::{
    action::{Action, Subject},
    command,
    event::Event,
    field::{Edge, Field},
    fire,
    frame::Frame,
    los::Los,
    pack::{Card, Pack, Scenario, ScenarioExtras, Side, Start, Tables, UnitDef, advanced::FeatureKind},
    piece::{self, AdvancedGame, Piece},
    play::{Cx, Play, seat, side},
    refusal::unread,
    state::{Command, Flags, Place, State},
    units::{Gun, MAX_UNITS, UnitId, UnitSet, Vehicle},
};

/// Optional readings of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The winner of the initiative chooses the First Player.
    pub initiative_choice: bool,
    /// Brew-Up smoke hinders every line of sight over its hex, at any height.
    pub smoke_at_any_height: bool,
    /// Optional rules of chapter 7 in force, by their bit.
    pub chapter_7: u64,
}

/// Their names, each with its rule.
pub const OPTIONS: [(&str, &str); 2] = [("initiative_choice", "4.3.1"), ("smoke_at_any_height", "4.4.3.2.2")];

/// The optional rules of chapter 7, for the Advanced Game only: names and numbers.
pub const CHAPTER_7: [(&str, &str); 22] = [
    ("morale", "7.1"),
    ("hidden_units", "7.2"),
    ("tank_fright", "7.6"),
    ("dischargers", "7.9"),
    ("brew_up_modifier", "7.11"),
    ("variable_penetration", "7.12"),
    ("ce_gp_fire", "7.15"),
    ("platform_mounts", "7.16"),
    ("weapon_loss", "7.17"),
    ("pinning_fire", "7.18"),
    ("engineers_terrain", "7.19"),
    ("variable_track_damage", "7.21"),
    ("infantry_smoke", "7.22"),
    ("scatter", "7.26"),
    ("illumination", "7.27"),
    ("bogging", "7.29"),
    ("mines", "7.31"),
    ("fires", "7.35"),
    ("night", "7.36"),
    ("recon_by_fire", "7.37"),
    ("staggered_initiative", "7.42"),
    ("command_span", "7.52"),
];

/// The bit of an optional rule, by its name or its number such as `7.31`.
pub fn optional_bit(name: &str) -> Option<u64> {
    let (_, rule) = CHAPTER_7.iter().find(|(id, rule)| *id == name || *rule == name)?;
    let number: u32 = rule.strip_prefix("7.")?.parse().ok()?;
    Some(1 << number)
}

impl Options {
    pub fn read<S: AsRef<str>>(names: &[S]) -> Result<Options, SetupError> {
        let mut options = Options::default();
        for name in names {
            match name.as_ref() {
                "initiative_choice" => options.initiative_choice = true,
                "smoke_at_any_height" => options.smoke_at_any_height = true,
                other => match optional_bit(other) {
                    Some(bit) => options.chapter_7 |= bit,
                    None => {
                        let known = OPTIONS.iter().chain(&CHAPTER_7).map(|(id, _)| *id);
                        return Err(SetupError::Unknown {
                            what: "option",
                            name: other.to_owned(),
                            known: known.collect::<Vec<_>>().join(", "),
                        });
                    }
                },
            }
        }
        Ok(options)
    }
}

/// How a held vehicle enters the map (4.5.1.1.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    pub turn: u8,
    pub hexes: Vec<HexId>,
    pub facing: Direction,
}

/// The rules of one table: pack, terrain and scenario, with everything precomputed.
#[derive(Debug)]
pub struct Panzer {
    pub pack: Arc<Pack>,
    /// The pack's cards, and those defined in a lab file.
    pub cards: Vec<Card>,
    pub map: atlas::Map,
    pub field: Field,
    pub los: Los,
    pub scenario: Scenario,
    pub options: Options,
    pub(crate) entries: Vec<Option<Gate>>,
    /// Hexes of each objective (3.6).
    pub(crate) objectives: Vec<HexSet>,
    /// Where each side may set up freely; empty: as listed.
    pub(crate) zones: [HexSet; 2],
    /// Edge hexes by which each side's vehicles leave for points.
    pub(crate) exits: [HexSet; 2],
    vehicles: Vec<Vehicle>,
    by_side: [Vec<UnitId>; 2],
    /// The same as sets.
    sides: [UnitSet; 2],
    /// Range Factors at which a shot may be impossible (4.4.3.2.3).
    pub(crate) doubtful: [bool; 5],
    /// Costs of crossing each hexside, by traction, across country and along roads.
    pub(crate) steps: [Vec<u8>; 12],
    /// The Advanced Game's part, if this is a table of it.
    pub advanced: Option<Box<AdvancedGame>>,
    /// There are tracks on the map (4.5.1.1.11).
    pub(crate) tracks: bool,
    /// Identifies the rules of this table, for results cached between questions.
    pub(crate) stamp: Stamp,
}

fn find_in(field: &Field, label: &str) -> Option<HexId> {
    field.find(label)
}

impl Panzer {
    pub fn new(
        pack: &Arc<Pack>,
        cards: Vec<Card>,
        (map, field): (atlas::Map, Field),
        mut scenario: Scenario,
        options: Options,
    ) -> Result<Panzer, SetupError> {
        crate::portee::add_guns(pack, &cards, &mut scenario); // 5.2.1
        let bad = |what: String| SetupError::Bad(format!("scenario {}: {what}", scenario.id));
        if scenario.units.len() > MAX_UNITS {
            return Err(bad(format!("{} vehicles: at most {MAX_UNITS} are possible", scenario.units.len())));
        }
        let find = |label: &String| {
            field.find(label).ok_or_else(|| bad(format!("there is no hex {label} on its map")))
        };
        let set = |labels: &[String]| -> Result<HexSet, SetupError> {
            let mut set = HexSet::EMPTY;
            for label in labels {
                set.insert(find(label)?);
            }
            Ok(set)
        };
        let mut vehicles = Vec::new();
        let mut entries = Vec::new();
        let mut by_side = [Vec::new(), Vec::new()];
        let mut sides = [UnitSet::EMPTY; 2];
        for (n, unit) in scenario.units.iter().enumerate() {
            let card = cards.iter().position(|card| card.id == unit.card);
            let card =
                card.ok_or_else(|| bad(format!("{}: there is no data card `{}`", unit.id, unit.card)))?;
            if scenario.units[..n].iter().any(|other| other.id == unit.id) {
                return Err(bad(format!("two vehicles are called {}", unit.id)));
            }
            // 1.5, 1.6: all properties of a vehicle come from its card, which several may share.
            vehicles.push(Vehicle::new(unit.side, card, &cards[card]));
            by_side[unit.side.index()].push(UnitId(n as u8));
            sides[unit.side.index()].insert(UnitId(n as u8));
            entries.push(match &unit.start {
                Start::At { hex, .. } => {
                    find(hex)?;
                    None
                }
                Start::Enters { turn, hexes, facing } => Some(Gate {
                    turn: *turn,
                    hexes: hexes.iter().map(find).collect::<Result<_, _>>()?,
                    facing: *facing,
                }),
            });
        }
        let objectives = scenario.objectives.iter().map(|o| set(&o.hexes)).collect::<Result<_, _>>()?;
        let zones = [set(&scenario.zones[0])?, set(&scenario.zones[1])?];
        let exits = [set(&scenario.victory.exit_hexes[0])?, set(&scenario.victory.exit_hexes[1])?];
        let mut field = field;
        for feature in scenario.advanced.iter().flat_map(|extras| &extras.features) {
            for label in &feature.hexes {
                let hex = find_in(&field, label)
                    .ok_or_else(|| bad(format!("there is no hex {label} on its map")))?;
                if feature.kind == FeatureKind::Ditch {
                    field.ground_mut(hex).ditch = true; // 6.1.4.3.4
                }
            }
        }
        let los = Los::new(&field, &pack.tables);
        let mut rules = Panzer {
            pack: Arc::clone(pack),
            cards,
            map,
            field,
            los,
            scenario,
            options,
            entries,
            objectives,
            zones,
            exits,
            vehicles,
            by_side,
            sides,
            doubtful: std::array::from_fn(|factor| pack.tables.ap_hit.iter().any(|row| row[factor] == 0)),
            steps: Default::default(),
            advanced: None,
            tracks: false,
            stamp: Stamp::default(),
        };
        if let Some(extras) = rules.scenario.advanced.clone() {
            rules.open_advanced(*extras)?;
        }
        rules.measure_steps();
        Ok(rules)
    }

    /// 5.0: set up what the Advanced Game knows about the units.
    fn open_advanced(&mut self, extras: ScenarioExtras) -> Result<(), SetupError> {
        let pack = &self.pack.advanced;
        let base = |id: &str| {
            let card = self.cards.iter().find(|card| card.id == id);
            let base = card.and_then(|card| card.printed.get("based_on")).and_then(toml::Value::as_str);
            base.unwrap_or(id).to_owned()
        };
        for rule in &extras.optional {
            self.options.chapter_7 |= optional_bit(rule).unwrap_or(0);
        }
        let game = AdvancedGame::new(pack, extras, &self.scenario, base)
            .map_err(|why| SetupError::Bad(format!("scenario {}: {why}", self.scenario.id)))?;
        for (n, piece) in game.pieces.iter().enumerate() {
            let def = &self.scenario.units[n];
            let vehicle = &mut self.vehicles[n];
            if let Some(card) = pack.unit(&def.card)
                && let Some(movement) = piece::movement(pack, card, def)
            {
                vehicle.movement = movement;
            }
            vehicle.stacks = !piece.leg(); // 5.13
        }
        self.advanced = Some(Box::new(game));
        self.pair_portees();
        self.arm_guns();
        Ok(())
    }

    /// A gun for each weapon, in the same order.
    pub(crate) fn arm_guns(&mut self) {
        let Some(game) = &self.advanced else { return };
        for (vehicle, piece) in self.vehicles.iter_mut().zip(&game.pieces) {
            vehicle.guns = piece.arms.iter().enumerate().map(|(n, arm)| Gun::of_arm(n as u8, arm)).collect();
        }
    }

    /// Is an optional rule of chapter 7 in force?
    #[inline]
    pub const fn optional(&self, number: u32) -> bool {
        // 7.6: tank fright is a part of morale.
        let morale = number == 1 && self.options.chapter_7 >> 6 & 1 == 1;
        morale || self.options.chapter_7 >> number & 1 == 1
    }

    /// What the Advanced Game knows about a unit.
    #[inline]
    pub fn piece(&self, unit: UnitId) -> Option<&Piece> {
        self.advanced.as_ref().map(|game| &game.pieces[unit.index()])
    }

    /// A vehicle, not a Leg or towed unit.
    #[inline]
    pub fn is_vehicle(&self, unit: UnitId) -> bool {
        self.piece(unit).is_none_or(Piece::vehicle)
    }

    #[inline]
    pub fn tables(&self) -> &Tables {
        &self.pack.tables
    }

    #[inline]
    pub fn vehicle(&self, unit: UnitId) -> &Vehicle {
        &self.vehicles[unit.index()]
    }

    #[inline]
    pub fn units_of(&self, side: Side) -> &[UnitId] {
        &self.by_side[side.index()]
    }

    #[inline]
    pub fn set_of(&self, side: Side) -> UnitSet {
        self.sides[side.index()]
    }

    pub fn def(&self, unit: UnitId) -> &UnitDef {
        &self.scenario.units[unit.index()]
    }

    pub fn id(&self, unit: UnitId) -> &str {
        &self.def(unit).id
    }

    pub fn card(&self, unit: UnitId) -> &Card {
        &self.cards[self.vehicle(unit).card]
    }

    /// The vehicle with this id.
    pub fn named(&self, id: &str) -> Option<UnitId> {
        self.scenario.units.iter().position(|unit| unit.id == id).map(|n| UnitId(n as u8))
    }

    /// Whether a path, road or track leads through the hex.
    pub fn on_way(&self, hex: HexId) -> bool {
        Direction::ALL.into_iter().any(|d| self.field.edge(hex, d).any(Edge::WAY))
    }

    pub(crate) fn cx<'a>(&'a self, s: &'a State, seat: Seat) -> Option<Cx<'a>> {
        let frame = s.top();
        if s.ending.is_some() || seat.0 > 1 {
            return None;
        }
        let side = side(seat);
        let asked = match frame {
            Frame::Commands => !s.committed[side.index()],
            _ => flow::asks(self, s, frame) == Some(side),
        };
        asked.then_some(Cx { rules: self, s, side, frame })
    }
}

impl Panzer {
    /// Is the action legal, as far as its side can know?
    pub(crate) fn check(&self, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let world = self.world(s, side(seat));
        flow::check(&self.cx(&world, seat).ok_or_else(crate::flow::not_your_turn)?, action)
    }
}

impl Rules for Panzer {
    type State = State;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, s: &State) -> Pending {
        if let Some(ending) = s.ending {
            return Pending::Over(Outcome {
                winner: ending.winner.map(seat),
                why: crate::report::ending(self, &ending),
                rule: "4.6.2".into(),
            });
        }
        match s.top() {
            Frame::Commands => Pending::Each(command::awaited(s)), // 4.2.1
            // A settled state always waits for a seat: `flow::settle` runs until it does.
            frame => Pending::One(seat(flow::asks(self, s, frame).unwrap_or_default())),
        }
    }

    fn prompt(&self, s: &State, seat: Seat) -> Prompt {
        crate::report::prompt(self, &self.world(s, side(seat)), side(seat))
    }

    fn subjects(&self, s: &State, seat: Seat, out: &mut Vec<Subject>) {
        if let Some(cx) = self.cx(&self.world(s, side(seat)), seat) {
            unread(|| flow::subjects(&cx, out));
        }
    }

    fn options(&self, s: &State, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        if let Some(cx) = self.cx(&self.world(s, side(seat)), seat) {
            unread(|| flow::options(&cx, subject, out));
        }
    }

    fn label(&self, s: &State, _: Seat, action: &Action) -> Option<kernel::Message> {
        crate::label::label(self, s, action)
    }

    fn template(&self, s: &State, seat: Seat, action: &Action) -> Option<Template> {
        let world = self.world(s, side(seat));
        let cx = self.cx(&world, seat)?;
        fire::template(&cx, action)
            .or_else(|| crate::indirect::template(&cx, action))
            .or_else(|| crate::air::template(&cx, action))
    }

    fn sample(&self, s: &State, seat: Seat, action: &mut Action, rng: &mut dyn rand_core::RngCore) -> bool {
        self.cx(&self.world(s, side(seat)), seat).is_some_and(|cx| fire::fill(&cx, action, rng))
    }

    fn verdict(&self, s: &State, seat: Seat, action: &Action) -> Verdict {
        self.check(s, seat, action).into()
    }

    fn apply(
        &self,
        s: &mut State,
        seat: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.check(s, seat, action)?;
        let at = At { side: side(seat), frame: s.top() };
        let play = &mut Play { rules: self, s, dice, log };
        crate::flow::decide(play, at, action)?;
        flow::settle::<Panzer>(play)?;
        play.s.stamp.renew();
        Ok(())
    }

    fn covers(&self, s: &State, seat: Seat, listed: &Action, action: &Action) -> bool {
        crate::covers::covers(self, &self.world(s, side(seat)), listed, action)
    }

    fn secrecy(&self, before: &State, seat: Seat, action: &Action) -> Secrecy {
        if let Some(secrecy) = self.veiled(before, seat, action) {
            return secrecy; // 7.2
        }
        // 4.2.1: Commands stay hidden until they are carried out, which may be never.
        match (before.top(), action) {
            (Frame::Commands, Action::Command { unit, .. }) => Secrecy::UntilDisclosed(unit.index() as u32),
            (Frame::Commands | Frame::Plot(_) | Frame::Load, _) => Secrecy::UntilOver, // 6.7.1
            _ => Secrecy::Open,
        }
    }

    /// 4.2.1, 7.2: redraw the Commands of the other side that have not been shown, and the places of its hidden units.
    fn resample(&self, s: &State, viewer: Viewer, rng: &mut dyn rand_core::RngCore) -> Option<State> {
        let mut other = s.clone();
        for side in Side::ALL.into_iter().filter(|side| !viewer.knows(seat(*side))) {
            for unit in self.units_of(side) {
                let u = other.unit_mut(*unit);
                if matches!(u.place, Place::Map | Place::Held | Place::Hidden) && !u.is(Flags::REVEALED) {
                    u.command = Command::ALL[rng.next_u32() as usize % Command::ALL.len()];
                }
            }
            self.hide_elsewhere(&mut other, side, rng);
        }
        other.stamp.renew();
        Some(other)
    }

    fn view(&self, s: &State, viewer: Viewer) -> View {
        crate::view::view(self, &self.seen_by(s, viewer), viewer)
    }

    fn turn(&self, s: &State) -> u16 {
        s.turn.into()
    }

    fn survey(&self, s: &State) -> kernel::Survey {
        crate::study::survey(self, &self.bare(s))
    }

    fn report(&self, after: &State, event: &kernel::log::Event<Event>, out: &mut Vec<Entry>) {
        crate::report::report(self, after, event, out);
    }

    fn ask(&self, s: &State, viewer: Viewer, question: &str) -> Result<serde_json::Value, Ask> {
        crate::ask::ask(self, &self.seen_by(s, viewer), viewer, question)
    }

    fn brief(&self, s: &State, seat: Seat) -> kernel::Brief {
        crate::brief::brief(self, &self.world(s, side(seat)), seat)
    }

    fn notate(&self, s: &State, action: &Action) -> String {
        crate::notation::write(self, &self.bare(s), action)
    }

    fn parse(&self, s: &State, seat: Seat, text: &str) -> Result<Action, Refusal> {
        crate::notation::read(self, &self.world(s, side(seat)), side(seat), text)
    }

    fn notate_subject(&self, _: &State, subject: Subject) -> String {
        match subject {
            Subject::Phase => "phase".into(),
            Subject::Unit(unit) => self.id(unit).to_owned(),
            Subject::Target(unit) => format!("target {}", self.id(unit)),
        }
    }

    fn parse_subject(&self, _: &State, text: &str) -> Result<Subject, Refusal> {
        let unit =
            |id: &str| self.named(id).ok_or_else(|| Refusal::plain(Message::new("no.unit").text("text", id)));
        match text.trim().split_once(' ') {
            Some(("target", id)) => unit(id.trim()).map(Subject::Target),
            Some(("unit", id)) => unit(id.trim()).map(Subject::Unit),
            _ if text.trim() == "phase" => Ok(Subject::Phase),
            _ => unit(text.trim()).map(Subject::Unit),
        }
    }
}
