//! The game as the kernel sees it.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::board::{Board, BoxInfo};
use kernel::log::Event as Logged;
use kernel::{
    Ask, Dice, Entry, Erased, Game, GameInfo, Log, Message, Outcome, Pending, Prompt, Refusal, Rules,
    ScenarioInfo, Seat, SeatInfo, Setup, SetupError, Slot, SlotKind, Stop, Table, Template, Tie, TieKind,
    Verdict, View, Viewer,
};
use rand_core::RngCore;
use rulebook::{Title, bench, flow};
use serde_json::Value;
use zocbond::{Piece, UnitId};

use crate::action::{Action, Subject};
use crate::event::{Event, report, seat, side_of};
use crate::flow::Play;
use crate::frame::{Frame, Mode};
use crate::options::{Options, Switch};
use crate::pack::{Pack, Side};
use crate::state::{Ending, Fighters, State};
use crate::world::Holland;

impl Rules for Holland {
    type State = State;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, s: &State) -> Pending {
        match (self.awaited(s), s.winner) {
            (Some(seat), _) => Pending::One(seat),
            (None, winner) => {
                let (side, ending) = winner.unwrap_or((Side::German, Ending::LastTurn));
                let (why, rule) = self.reason(s, ending);
                Pending::Over(Outcome { winner: Some(seat(side)), why, rule: rule.to_owned() })
            }
        }
    }

    fn prompt(&self, s: &State, who: Seat) -> Prompt {
        if self.awaited(s) != Some(who) {
            return Prompt::new(Message::new("prompt.wait"), "-");
        }
        let question = s.frame().stage().and_then(flow::question::<Holland>);
        let (key, rule) = match question {
            Some(question) => question.prompt(),
            None => ("prompt.wait", "-"),
        };
        Prompt::new(self.whereabouts(s, Message::new(key)), rule)
    }

    fn subjects(&self, s: &State, who: Seat, out: &mut Vec<Subject>) {
        if let Some(cx) = self.cx(s, who) {
            flow::subjects(&cx, out);
        }
    }

    fn one_subject(
        &self,
        s: &State,
        who: Seat,
        out: &mut Vec<Subject>,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Subject> {
        flow::one_subject(&self.cx(s, who)?, out, choose)
    }

    fn options(&self, s: &State, who: Seat, subject: Subject, out: &mut Vec<Action>) {
        if let Some(cx) = self.cx(s, who) {
            flow::options(&cx, subject, out);
        }
    }

    fn template(&self, s: &State, who: Seat, action: &Action) -> Option<Template> {
        let Action::Attack { target, .. } = action else { return None };
        let units = self.attackers(s, side_of(who), *target);
        let names: Vec<String> = units.iter().map(|u| self.counter(*u).id.clone()).collect();
        // 10.2: only a unit of a formation other than that of another attacker can be attached
        let formations: Vec<u8> = units.iter().map(|u| self.formation(s, *u)).collect();
        let of_others = |i: usize| formations.iter().any(|f| *f != formations[i]);
        let attached: Vec<String> =
            names.iter().enumerate().filter(|(i, _)| of_others(*i)).map(|(_, name)| name.clone()).collect();
        let mut groups: Vec<(u8, Vec<String>)> = Vec::new();
        for (formation, name) in formations.iter().zip(&names) {
            match groups.iter_mut().find(|(of, _)| of == formation) {
                Some((_, group)) => group.push(name.clone()),
                None => groups.push((*formation, vec![name.clone()])),
            }
        }
        let groups = groups.into_iter().map(|(_, group)| group).collect();
        let among = |slot| Tie { slot, on: 0, kind: TieKind::Among, groups: Vec::new() };
        let slot = |words: String, label: &str, (candidates, min, max), suggested: Vec<String>| Slot {
            words,
            kind: SlotKind::Units,
            label: label.into(),
            candidates,
            min,
            max,
            suggested,
        };
        let lead = self.best_lead(s, &units).map(|u| self.counter(u).id.clone());
        let words = format!("attack {} with", self.label(*target));
        Some(Template {
            parts: vec![
                slot(words, "slot.attackers", (names.clone(), 1, names.len() as u16), names.clone()),
                slot("lead".into(), "slot.lead", (names, 1, 1), lead.into_iter().collect()),
                slot("attached".into(), "slot.attached", (attached, 0, 1), Vec::new()),
            ],
            // 10.2: both attack, and are not of the same formation
            ties: vec![among(1), among(2), Tie { slot: 2, on: 1, kind: TieKind::Apart, groups }],
        })
    }

    fn sample(&self, s: &State, who: Seat, action: &mut Action, rng: &mut dyn RngCore) -> bool {
        let Action::Attack { target, with, lead, attached } = action else { return true };
        if !with.is_empty() {
            return true;
        }
        *with = self.attackers(s, side_of(who), *target);
        let keep = rng.next_u32() | rng.next_u32();
        let mut n = 0;
        with.retain(|_| {
            n += 1;
            keep >> (n % 32) & 1 == 1
        });
        let Some(best) = self.best_lead(s, with) else { return false };
        *lead = Some(best);
        let formation = self.formation(s, best);
        let others: Fighters = with.iter().copied().filter(|u| self.formation(s, *u) != formation).collect();
        if !others.is_empty() {
            *attached = Some(others[rng.next_u32() as usize % others.len()]);
        }
        self.check(s, who, action).is_ok()
    }

    /// Lists hold one path to each other hex, for a single unit in the first of the modes that lead there; an action may
    /// also take other units along, use other paths and modes, or return to the start.
    fn covers(&self, s: &State, _: Seat, listed: &Action, action: &Action) -> bool {
        match (listed, action) {
            (
                Action::Move { unit, also, mode, path },
                Action::Move { unit: other, also: more, mode: how, path: way },
            ) => {
                let back = way.last().copied() == s.unit(*other).hex();
                // A unit that was halted goes on as it moved before, whether or not that is named.
                let as_before = *how == Mode::Normal && matches!(s.frame(), Frame::Halted { .. });
                (mode <= how || as_before)
                    && (back || path.last() == way.last())
                    && std::iter::once(unit).chain(also.iter()).all(|u| u == other || more.contains(*u))
            }
            (
                Action::MoveOut { unit, mode, path, .. },
                Action::MoveOut { unit: other, also, mode: how, path: way },
            ) => mode == how && path.last() == way.last() && (unit == other || also.contains(*unit)),
            // `done` when a mover that was stopped is asked whether it goes on.
            (Action::Halt, Action::Done) => matches!(s.frame(), Frame::Halted { .. }),
            // The bridge need not be named if only one is in question.
            (Action::Hold, Action::HoldAt(_)) => true,
            _ => listed == action,
        }
    }

    fn verdict(&self, s: &State, who: Seat, action: &Action) -> Verdict {
        self.check(s, who, action).into()
    }

    fn apply(
        &self,
        s: &mut State,
        who: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.check(s, who, action)?;
        s.field.forget_changes();
        let mut play = Play { rules: self, s, dice, log };
        play.decide(action)?;
        play.settle()
    }

    fn view(&self, s: &State, viewer: Viewer) -> View {
        self.make_view(s, viewer)
    }

    fn resample(&self, s: &State, viewer: Viewer, rng: &mut dyn RngCore) -> Option<State> {
        self.deal_anew(s, viewer, rng)
    }

    fn turn(&self, s: &State) -> u16 {
        s.turn.into()
    }

    fn report(&self, _: &State, event: &Logged<Event>, out: &mut Vec<Entry>) {
        report(self, event, out);
    }

    fn ask(&self, s: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        self.answer(s, viewer, question)
    }

    fn brief(&self, s: &State, who: Seat) -> kernel::Brief {
        self.brief_for(s, who)
    }

    fn notate(&self, _: &State, action: &Action) -> String {
        self.write_action(action)
    }

    fn parse(&self, s: &State, _: Seat, text: &str) -> Result<Action, Refusal> {
        let action = self.read_action(text).or_else(|why| self.read_stand(s, text).ok_or(why))?;
        Ok(self.in_full(s, action))
    }

    fn notate_subject(&self, _: &State, subject: Subject) -> String {
        self.write_subject(subject)
    }

    fn parse_subject(&self, _: &State, text: &str) -> Result<Subject, Refusal> {
        self.read_subject(text)
    }
}

impl Holland {
    /// Where the question is, as a prompt tells it.
    fn whereabouts(&self, s: &State, message: Message) -> Message {
        match s.frame() {
            Frame::Combat(combat) => message.place("hex", self.label(combat.target)),
            Frame::Demolition { bridge, .. } => message.place("bridge", self.bridge_label(*bridge)),
            Frame::Halted { party, .. } => match party.units.first() {
                Some(unit) => message.unit("unit", self.counter(*unit).id.clone()),
                None => message,
            },
            _ => message,
        }
    }

    /// The best Lead Unit of these: of the formation with most factors, the one with the best morale (10.2).
    pub fn best_lead(&self, s: &State, with: &[UnitId]) -> Option<UnitId> {
        let strength = |formation: u8| -> u16 {
            let mine = with.iter().filter(|u| self.formation(s, **u) == formation);
            mine.map(|u| u16::from(self.face(s, *u).attack)).sum()
        };
        with.iter().copied().max_by_key(|u| {
            let c = self.counter(*u);
            (!c.support, strength(self.formation(s, *u)), c.morale, std::cmp::Reverse(u.0))
        })
    }
}

/// The catalogue's entry.
#[derive(Debug)]
pub struct Holland44 {
    info: GameInfo,
    pack: Arc<Pack>,
    map: Arc<Map>,
}

const MINUTES_PER_TURN: u16 = 20;

impl Holland44 {
    pub fn new() -> Result<Holland44, SetupError> {
        let pack = Arc::new(Pack::embedded().map_err(SetupError::bad)?.clone());
        let map = Arc::new(atlas::packs::holland44_map().map_err(SetupError::bad)?.clone());
        let scenario = |s: &crate::pack::Scenario| {
            let turns = u16::from(s.last_turn - s.first_turn) + 1;
            ScenarioInfo {
                id: s.id.clone(),
                name: format!("scenario.{}", s.id),
                about: format!("scenario.{}.about", s.id),
                turns,
                first: s.first_turn.into(),
                minutes: s.minutes.unwrap_or(turns * MINUTES_PER_TURN),
                editions: Vec::new(),
            }
        };
        let info = GameInfo {
            id: "holland44".into(),
            name: "game.name".into(),
            about: "game.about".into(),
            seats: vec![SeatInfo::new("allied", "#5a6b3b"), SeatInfo::new("german", "#5b6168")],
            editions: vec!["1e".into()],
            scenarios: pack.scenarios.iter().map(scenario).collect(),
            secrets: false,
            overlays: crate::overlays::infos(),
            overlay: true,
            looks: crate::looks::looks(),
            options: Options::list(&pack),
            ..GameInfo::default()
        };
        Ok(Holland44 { info, pack, map })
    }

    pub fn rules(&self, setup: &Setup) -> Result<Arc<Holland>, SetupError> {
        let (pack, map) = match &setup.overlay {
            Some(overlay) => {
                let (pack, map, _) = self.corrected(overlay)?;
                (pack, map)
            }
            None => (self.pack.clone(), self.map.clone()),
        };
        let known: Vec<&str> = pack.scenarios.iter().map(|s| s.id.as_str()).collect();
        let scenario = pack.scenario(&setup.scenario).cloned().ok_or_else(|| {
            SetupError::Bad(format!("no scenario `{}`; there is {}", setup.scenario, known.join(", ")))
        })?;
        let options = Options::read(&setup.options).map_err(|name| SetupError::Unknown {
            what: "option",
            name,
            known: Options::known(),
        })?;
        Ok(Arc::new(Holland::with(pack, map, scenario, options)))
    }

    pub(crate) fn pack(&self) -> &Arc<Pack> {
        &self.pack
    }

    pub(crate) fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Pack and map with an overlay applied, and the changes it makes.
    fn corrected(&self, overlay: &str) -> Result<(Arc<Pack>, Arc<Map>, Vec<String>), SetupError> {
        let (mut pack, mut map) = (Arc::clone(&self.pack), Arc::clone(&self.map));
        let of_map = Arc::make_mut(&mut map).apply_overlay("overlay", overlay).map_err(SetupError::bad)?;
        let of_pack = Arc::make_mut(&mut pack).apply_overlay(overlay).map_err(SetupError::bad)?;
        let lines = of_map.iter().map(ToString::to_string);
        Ok((pack, map, lines.chain(of_pack.iter().map(ToString::to_string)).collect()))
    }
}

/// The state before the first decision.
pub fn start(rules: &Holland) -> Result<State, SetupError> {
    let mut state = rules.first_state();
    // No die is rolled before the first landing.
    let (mut dice, mut log) = (Dice::scripted(Vec::new()), Log::default());
    rules.begin(&mut state, &mut dice, &mut log).map_err(SetupError::bad)?;
    Ok(state)
}

impl Game for Holland44 {
    fn seat(&self, name: &str) -> Option<Seat> {
        let key = rulebook::lab::side_1944(name)?;
        crate::pack::Side::ALL.into_iter().find(|side| side.key() == key).map(crate::event::seat)
    }

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn secrets(&self, setup: &Setup) -> bool {
        // 25.5: nothing but the Unknown units is ever hidden, and only from those who may not look (H-20).
        Options::read(&setup.options).is_ok_and(|options| options.has(Switch::RevealedByAttack))
    }

    fn open(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
        let rules = self.rules(setup)?;
        let state = start(&rules)?;
        Ok(Box::new(Erased::new(rules, state)))
    }

    fn lab(&self, head: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, SetupError> {
        crate::lab::open(self, head)
    }

    fn messages(&self, language: &str) -> Option<&'static str> {
        match language {
            "en" => Some(include_str!("../../../packs/holland44/i18n/en.toml")),
            "ko" => Some(include_str!("../../../packs/holland44/i18n/ko.toml")),
            "ja" => Some(include_str!("../../../packs/holland44/i18n/ja.toml")),
            _ => None,
        }
    }

    fn board(&self, setup: &Setup) -> Result<Board, SetupError> {
        let rules = self.rules(setup)?;
        let areas = rules.pack.areas.iter().map(|a| BoxInfo {
            id: format!("box:{}", a.id),
            name: format!("box.{}", a.id),
            at: None,
        });
        let others = ["holding", "airlanding", "due", "dead"].map(BoxInfo::new);
        let terrain = |hex| rulebook::terrain_of(&rules.map, hex);
        let hexes = rules.land.in_play.iter();
        Ok(rulebook::board(&rules.map, hexes, terrain, areas.chain(others).collect()))
    }

    fn overlay_changes(&self, overlay: &str) -> Result<Vec<String>, SetupError> {
        self.corrected(overlay).map(|(_, _, changes)| changes)
    }

    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, SetupError> {
        let rules = self.rules(setup)?;
        Ok(atlas::Plan::picture(&rules.map, rules.land.in_play.iter(), language))
    }
}

/// Holland '44 in the list of games.
#[derive(Clone, Copy, Debug)]
pub struct HollandTitle;

impl Title for HollandTitle {
    fn id(&self) -> &'static str {
        "holland44"
    }

    fn game(&self) -> Result<Arc<dyn Game>, SetupError> {
        Ok(Arc::new(Holland44::new()?))
    }

    fn map(&self) -> Result<&'static Map, SetupError> {
        atlas::packs::holland44_map().map_err(SetupError::bad)
    }

    fn sheet(&self) -> render::Options {
        render::Options { hex_km: Some(1.97), north: -0.4, ..Default::default() }
    }

    fn check_map(&self) -> Result<Report, SetupError> {
        let (file, facts) = atlas::packs::HOLLAND44_FACTS;
        self.map()?.check(file, facts).map_err(SetupError::bad)
    }

    fn check_pack(&self) -> Vec<String> {
        match (Pack::embedded(), self.map()) {
            (Ok(pack), Ok(map)) => pack.check(map),
            (Err(error), _) => vec![error.to_string()],
            (_, Err(error)) => vec![error.to_string()],
        }
    }

    fn bench(&self, request: &bench::Request) -> Result<bench::Figures, SetupError> {
        let setup = request.setup(self.id(), "campaign");
        let rules = Holland44::new()?.rules(&setup)?;
        bench::measure(request, setup, &*rules, &start(&rules)?)
    }
}
