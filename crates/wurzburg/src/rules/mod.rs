//! The implementation of the kernel's trait: every question and every decision goes to the question of the waiting
//! frame.

mod build;

use std::sync::{Arc, OnceLock};

use hexgrid::{Direction, HexId, HexSet};
use kernel::{
    Ask, Dice, Entry, Log, Message, Outcome, Pending, Prompt, Refusal, Rules, Seat, Secrecy, SetupError,
    Stop, Template, Verdict, View, Viewer,
};

use rand_core::RngCore;

use crate::{
    action::{Action, Force, Subject, Work},
    event::Event,
    field::{DRY, Field},
    flow,
    frame::Frame,
    movement::Ground,
    pack::{Pack, PieceId, Scenario, Tables},
    play::{Cx, Play, seat, side},
    state::State,
    units::{Counter, Formation, FormationId, Pool, Side, Symbol, UnitId, UnitSet},
};

/// Optional rules and readings of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// 42.0
    pub overrun: bool,
    /// 43.0
    pub close_attack: bool,
    /// 44.0
    pub gas: bool,
    /// 11.1: players form and place their own units.
    pub free_setup: bool,
    /// The scenario's short version, if it has one (46).
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

/// The rules of one table: pack, terrain and scenario, with everything precomputed.
#[derive(Debug)]
pub struct Wurzburg {
    pub pack: Arc<Pack>,
    pub map: atlas::Map,
    pub field: Field,
    pub tables: Arc<Tables>,
    pub scenario: Scenario,
    pub options: Options,
    /// Set if the position, not the Game Turn Track, says whether it is night.
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
    /// Cities, and hexes that score (6.3.4, 46.7).
    pub holdable: Vec<HexId>,
    /// Civil bridges inside the WP set-up zone, by number (38.1.2).
    pub wp_bridges: Vec<u16>,
    /// Where a side may place field works before play (35.0, 36.0, 37.1).
    pub works_zone: [HexSet; 2],
    pub mines_zone: [HexSet; 2],
    /// Edge hexes by which units on the display may enter (40.3.1).
    pub display_entries: [HexSet; 2],
    /// Entry zones by the number of the arrival, then those of the display of each side (46.6.2, 40.3.1).
    pub entry_zones: Vec<HexSet>,
    /// The distance of each hex from each of them.
    pub entry_distances: Vec<OnceLock<Box<[u16]>>>,
    /// Edge hexes by which helicopters enter and leave (25.2.1).
    pub helicopter_edges: [HexSet; 2],
    by_side: [Vec<UnitId>; 2],
    /// Those of them that stand on the ground, and the engineers.
    ground: [UnitSet; 2],
    engineers: [Vec<UnitId>; 2],
    /// The cost of each hexside where nothing but terrain matters.
    pub(crate) grounds: Vec<[Ground; 6]>,
    by_formation: Vec<Vec<UnitId>>,
    pieces: Vec<Option<PieceId>>,
    /// The scenario's zones and edges do not apply to this map.
    lab_map: bool,
}

impl Wurzburg {
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

    /// The ground units of a side, wherever they are.
    #[inline]
    pub fn ground_units(&self, side: Side) -> &UnitSet {
        &self.ground[side.index()]
    }

    #[inline]
    pub fn engineers(&self, side: Side) -> &[UnitId] {
        &self.engineers[side.index()]
    }

    /// The counters of a formation itself, wherever they are.
    #[inline]
    pub fn counters_of(&self, formation: FormationId) -> &[UnitId] {
        &self.by_formation[formation.index()]
    }

    pub fn id(&self, unit: UnitId) -> &str {
        &self.counter(unit).id
    }

    /// The counter with this id, ignoring case.
    pub fn named(&self, id: &str) -> Option<UnitId> {
        let at = self.counters.iter().position(|counter| counter.id.eq_ignore_ascii_case(id))?;
        Some(UnitId(at as u16))
    }

    /// A formation by its id, or by its designation with or without the Guards in it.
    pub fn formation_named(&self, id: &str) -> Option<FormationId> {
        let exact = self.formations.iter().position(|formation| formation.id.eq_ignore_ascii_case(id));
        let guards = || {
            let wanted = crate::spelling::without_guards(id)?;
            let same = |f: &Formation| crate::spelling::without_guards(&f.id).is_some_and(|id| id == wanted);
            let mut found = self.formations.iter().enumerate().filter(|(_, f)| same(f)).map(|(n, _)| n);
            found.next().filter(|_| found.next().is_none())
        };
        exact.or_else(guards).map(|n| FormationId(n as u8))
    }

    /// The counter of a piece of the pack.
    pub fn unit_of_piece(&self, piece: PieceId) -> Option<UnitId> {
        self.pieces.iter().position(|p| *p == Some(piece)).map(|at| UnitId(at as u16))
    }

    /// The piece of the pack that a counter is.
    pub fn piece_of(&self, unit: UnitId) -> Option<PieceId> {
        self.pieces.get(unit.index()).copied().flatten()
    }

    /// Whether a hex is on the edge of the area in play (18.4.7).
    pub fn edge_hex(&self, hex: HexId) -> bool {
        let off =
            |direction| self.field.neighbour(hex, direction).is_none_or(|other| !self.area.contains(other));
        Direction::ALL.into_iter().any(off)
    }

    /// 11.2: whether a side sees the steps of an enemy unit.
    pub fn detected(&self, s: &State, side: Side, unit: UnitId) -> bool {
        let u = s.unit(unit);
        if !u.on_map() {
            return true;
        }
        // 11.2.3: air and helicopter units are never hidden.
        if !self.counter(unit).symbol.ground() || self.next_to(s, u.hex, side) {
            return true;
        }
        let active = s.active.some().map(|active| self.formation(active).side);
        active == Some(side) && s.acquired.contains(&u.hex)
    }

    /// Whether a unit's steps are public because it cannot have any other number.
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
        (rulebook::flow::asks(self, s, frame) == Some(side)).then_some(Cx { rules: self, s, side, frame })
    }

    /// Number of a river hexside named by its two hexes.
    pub fn river_named(&self, label: &str) -> Option<u16> {
        let side = self.field.board.find_side(label).ok()?;
        Some(self.field.river_of(side)).filter(|n| *n != DRY)
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
        Pending::One(seat(rulebook::flow::asks(self, s, s.top()).unwrap_or_default()))
    }

    fn prompt(&self, s: &State, seat: Seat) -> Prompt {
        crate::report::prompt(self, s, side(seat))
    }

    fn subjects(&self, s: &State, seat: Seat, out: &mut Vec<Subject>) {
        if let Some(cx) = self.cx(s, seat) {
            crate::refusal::quietly(|| rulebook::flow::subjects(&cx, out));
        }
    }

    fn options(&self, s: &State, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        if let Some(cx) = self.cx(s, seat) {
            crate::refusal::quietly(|| rulebook::flow::options(&cx, subject, out));
        }
    }

    fn template(&self, s: &State, seat: Seat, action: &Action) -> Option<Template> {
        crate::table::template(&self.cx(s, seat)?, action)
    }

    fn covers(&self, s: &State, seat: Seat, listed: &Action, action: &Action) -> bool {
        let Some(cx) = self.cx(s, seat) else { return false };
        crate::refusal::quietly(|| crate::table::covers(&cx, listed, action))
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
        flow::settle(play)
    }

    fn secrecy(&self, before: &State, _: Seat, action: &Action) -> Secrecy {
        match before.top() {
            // 12.3: plans are hidden; payers stay hidden.
            Frame::Planning if matches!(action, Action::Attach { .. }) => Secrecy::Open,
            Frame::Planning => Secrecy::UntilOver,
            // 37.1: whether a minefield is real is hidden.
            Frame::Works(_) => Secrecy::UntilOver,
            _ => match action {
                Action::Work { work: Work::Mine | Work::DummyMine, .. } => Secrecy::UntilOver,
                // 27.2.2: always announcing the true strength must not be known.
                Action::Always => Secrecy::UntilOver,
                // 14.4: how many steps are masked is hidden.
                Action::Mask(parts) if parts.iter().any(|part| part.steps.is_some()) => Secrecy::UntilOver,
                // 11.1, 11.7: the number of transferred steps is hidden.
                Action::Land { .. } | Action::Transfer { .. } => Secrecy::UntilOver,
                Action::Ferry { parts, .. } if parts.iter().any(|part| part.steps.is_some()) => {
                    Secrecy::UntilOver
                }
                // 11.5: the number of steps that split off is hidden.
                Action::Move { parts, .. }
                | Action::React { parts, .. }
                | Action::March { units: parts, .. }
                    if parts.iter().any(|part| part.steps.is_some()) =>
                {
                    Secrecy::UntilOver
                }
                Action::Commit(commit)
                    if commit.forces.iter().flat_map(Force::parts).any(|part| part.steps.is_some()) =>
                {
                    Secrecy::UntilOver
                }
                Action::Advance(part) | Action::Retreat { part, .. } if part.steps.is_some() => {
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
