//! The contract with the kernel: every question and every decision goes to the module of the current frame.

use std::sync::Arc;

use atlas::Map;
use hexgrid::HexId;
use kernel::{
    Ask, Dice, Entry, Log, Message, Outcome, Pending, Prompt, Refusal, Rules, Seat, Stop, Template, Verdict,
    View, Viewer,
};
use zocbond::{MAX_BRIDGES, MAX_HEXES, MAX_UNITS, UnitSet, stacking::Weight};

use crate::{
    action::{Action, Attack, Supporters},
    counter::Counter,
    event::Event,
    flow,
    frame::Frame,
    movement,
    options::Options,
    pack::{Edition, Pack, Scenario, Side, Tables, Tag, UnitDef, UnitId},
    play::{At, Cx, Play, seat, side},
    stacking::{self, KINDS, Load},
    stamp::Stamp,
    state::State,
    subject::Subject,
    terrain::Land,
};

/// How a lab file spells hexes (`docs/LAB.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelStyle {
    /// As the map prints them.
    #[default]
    Printed,
    /// Without the East map's letter.
    Bare,
    /// With the letter, on a map that is written without it.
    Lettered,
}

/// The rules of one table: pack, map, edition, options and scenario, with all derived tables.
#[derive(Debug)]
pub struct Ardennes {
    pub pack: Arc<Pack>,
    pub map: Arc<Map>,
    pub land: Land,
    pub edition: Edition,
    pub options: Options,
    pub scenario: Scenario,
    /// How answers spell hexes.
    pub label_style: LabelStyle,
    pub(crate) counters: Vec<Counter>,
    /// What each counter adds to a stack: front side, and reduced side (8.1).
    pub(crate) loads: Vec<[Load; 2]>,
    /// The same loads packed for addition, and the capacity of a hex.
    pub(crate) weights: Vec<[Weight; 2]>,
    pub(crate) weight_limits: Weight,
    /// The weights that most units have.
    pub(crate) kinds: [Weight; KINDS],
    pub(crate) by_side: [Vec<UnitId>; 2],
    /// Units of each side as sets.
    pub(crate) sides: [UnitSet; 2],
    /// Artillery units of each side (22.6).
    pub(crate) guns: [UnitSet; 2],
    /// The turn on which each unit arrives, or a turn that never comes (13.1).
    pub(crate) arrival_turns: Vec<u8>,
    /// The scenario's placements on the map in play (31.1).
    pub(crate) deployment: Vec<(UnitId, HexId)>,
    /// Distinguishes these rules from all others in caches.
    pub(crate) stamp: Stamp,
}

impl Ardennes {
    pub fn new(
        pack: Arc<Pack>,
        map: Arc<Map>,
        edition: Edition,
        scenario: Scenario,
        options: Options,
    ) -> Result<Ardennes, kernel::SetupError> {
        let limit = |what: &str, count: usize, limit: usize| {
            if count > limit {
                return Err(kernel::SetupError::Bad(format!("{count} {what}: at most {limit} are possible")));
            }
            Ok(())
        };
        limit("units", pack.units.len(), MAX_UNITS)?;
        limit("hexes", map.board.len(), MAX_HEXES)?;
        limit("bridges", map.bridges.len(), MAX_BRIDGES)?;
        let mut land = Land::new(&map, &pack, &scenario, edition, options.rivers_break_hexside_bonds);
        if scenario.victory.counts_exits() {
            // 31.2, 31.4: Germans leave by the west edge of the maps in play.
            let west = land.west_edge;
            land.exits[Side::German.index()].union_with(&west);
        }
        let counters: Vec<Counter> = pack.units.iter().map(|def| Counter::new(def, edition)).collect();
        let of = |side: Side| {
            let ids = 0..counters.len() as u16;
            ids.map(UnitId).filter(|u| counters[u.index()].side == side).collect()
        };
        let by_side: [Vec<UnitId>; 2] = [of(Side::German), of(Side::Allied)];
        let sides = by_side.each_ref().map(|units| units.iter().copied().collect());
        let guns = by_side
            .each_ref()
            .map(|units| units.iter().copied().filter(|u| counters[u.index()].artillery).collect());
        let in_play = |hex: crate::pack::HexRef| {
            map.board.find(&hex.to_string()).ok().filter(|hex| land.in_play.contains(*hex))
        };
        let deployment = scenario.placements.iter().filter_map(|p| Some((p.unit, in_play(p.hex)?))).collect();
        let arrival_turn = |(def, counter): (&UnitDef, &Counter)| match scenario.airborne {
            Some(airborne) if counter.has(Tag::Airborne) => airborne.turn,
            _ => def.arrival().map_or(u8::MAX, |arrival| arrival.turn),
        };
        let loads: Vec<[Load; 2]> = counters.iter().map(Load::of).collect();
        Ok(Ardennes {
            weights: loads.iter().map(|sides| sides.map(stacking::weight)).collect(),
            weight_limits: stacking::weight_limits(&pack.tables(edition).stacking),
            kinds: Weight::most_common(loads.iter().flatten().map(|load| stacking::weight(*load))),
            arrival_turns: pack.units.iter().zip(&counters).map(arrival_turn).collect(),
            loads,
            pack,
            map,
            land,
            edition,
            options,
            scenario,
            counters,
            by_side,
            sides,
            guns,
            deployment,
            label_style: LabelStyle::default(),
            stamp: Stamp::default(),
        })
    }

    pub fn tables(&self) -> &Tables {
        self.pack.tables(self.edition)
    }

    /// The label of a hex; a dash for [`HexId::NONE`].
    pub fn label(&self, hex: HexId) -> &str {
        hex.some().map_or("-", |hex| self.map.board.label(hex))
    }

    /// Distance in hexes, ignoring terrain.
    pub fn distance(&self, a: HexId, b: HexId) -> u32 {
        self.map.board.distance(a, b)
    }

    fn cx<'a>(&'a self, s: &'a State, seat: Seat) -> Option<Cx<'a>> {
        let frame = s.top();
        let asked = rulebook::flow::asks(self, s, frame)?;
        (s.ending.is_none() && asked == side(seat)).then_some(Cx { rules: self, s, side: asked, frame })
    }
}

/// The refusal of a decision that is not asked for now, citing the rule that says when it is.
pub(crate) fn of_its_rule(refusal: Refusal, action: &Action) -> Refusal {
    if refusal.is_out_of_turn() { Refusal::out_of_turn(action.rule(), refusal.why) } else { refusal }
}

pub(crate) fn not_your_turn(action: &Action) -> Refusal {
    Refusal::out_of_turn(action.rule(), Message::new("no.not_your_turn"))
}

impl Ardennes {
    /// Skips steps of a phase that their owner may leave with `done` and that come before the one a decision belongs
    /// to: an attack ends disengagement (20.1), a move ends the Bridge Phase. Returns the position in which the
    /// decision is asked for; none if something else is decided or rolled first. Not inlined, to keep a whole `State`
    /// off the caller's stack.
    #[inline(never)]
    fn skip_to(&self, s: &State, seat: Seat, action: &Action) -> Option<State> {
        let mut later = *s;
        let (mut dice, mut log) = (Dice::scripted(Vec::new()), Log::default());
        let cx = self.cx(&later, seat)?;
        let frame = cx.frame;
        let skippable = matches!(frame, Frame::ReadyArtillery { .. } | Frame::Bridges | Frame::Disengage);
        if !skippable || *action == Action::Done || rulebook::flow::check(&cx, &Action::Done).is_err() {
            return None;
        }
        let play = &mut Play { rules: self, s: &mut later, dice: &mut dice, log: &mut log };
        rulebook::flow::apply::<Ardennes>(play, At { side: side(seat), frame }, &Action::Done).ok()?;
        flow::settle(play).ok()?;
        let cx = self.cx(&later, seat)?;
        match rulebook::flow::check(&cx, action) {
            Err(refusal) if refusal.is_out_of_turn() => self.skip_to(&later, seat, action),
            _ => Some(later),
        }
    }
}

impl Ardennes {
    /// Advances to the position in which the decision is asked for; returns the refusal if there is none.
    #[inline(never)]
    fn skip_or_refuse(
        &self,
        s: &mut State,
        seat: Seat,
        action: &Action,
        refusal: Refusal,
    ) -> Result<(), Refusal> {
        let later = refusal.is_out_of_turn().then(|| self.skip_to(s, seat, action)).flatten();
        *s = later.ok_or_else(|| of_its_rule(refusal, action))?;
        Ok(())
    }
}

impl Rules for Ardennes {
    type State = State;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, s: &State) -> Pending {
        if let Some(ending) = s.ending {
            let why = Message::new(format!("victory.{}", crate::report::condition_key(ending.by)));
            let rule = crate::report::condition_rule(ending.by).to_owned();
            return Pending::Over(Outcome { winner: ending.winner.map(seat), why, rule });
        }
        // A settled state always waits for somebody: `flow::settle` runs until it does.
        Pending::One(seat(rulebook::flow::asks(self, s, s.top()).unwrap_or(s.side)))
    }

    fn prompt(&self, s: &State, _: Seat) -> Prompt {
        crate::report::prompt(self, s)
    }

    fn subjects(&self, s: &State, seat: Seat, out: &mut Vec<Subject>) {
        if let Some(cx) = self.cx(s, seat) {
            rulebook::flow::subjects(&cx, out);
        }
    }

    fn one_subject(
        &self,
        s: &State,
        seat: Seat,
        out: &mut Vec<Subject>,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Subject> {
        rulebook::flow::one_subject(&self.cx(s, seat)?, out, choose)
    }

    fn options(&self, s: &State, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        if let Some(cx) = self.cx(s, seat) {
            rulebook::flow::options(&cx, subject, out);
        }
    }

    fn template(&self, s: &State, seat: Seat, action: &Action) -> Option<Template> {
        crate::combat::template(&self.cx(s, seat)?, action)
    }

    fn sample(&self, s: &State, seat: Seat, action: &mut Action, rng: &mut dyn rand_core::RngCore) -> bool {
        // Only attacks and their support have open parts.
        if !matches!(action, Action::Attack(_) | Action::Support { .. }) {
            return true;
        }
        self.cx(s, seat).is_some_and(|cx| crate::combat::sample(&cx, action, rng))
    }

    fn verdict(&self, s: &State, seat: Seat, action: &Action) -> Verdict {
        match self.cx(s, seat) {
            Some(cx) => match rulebook::flow::check(&cx, action) {
                Err(refusal) if refusal.is_out_of_turn() => match self.skip_to(s, seat, action) {
                    Some(later) => self.verdict(&later, seat, action),
                    None => Verdict::Illegal(of_its_rule(refusal, action)),
                },
                result => result.into(),
            },
            None => Verdict::Illegal(not_your_turn(action)),
        }
    }

    fn apply(
        &self,
        s: &mut State,
        seat: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let Some(cx) = self.cx(s, seat) else {
            return Err(not_your_turn(action).into());
        };
        let frame = cx.frame;
        if let (Frame::Movement, Action::Move(mv)) = (frame, action) {
            // The move is planned once, where it is made; it is refused there before anything changes.
            let play = &mut Play { rules: self, s, dice, log };
            movement::go(play, side(seat), mv)?;
            return flow::settle(play);
        }
        if let Err(refusal) = rulebook::flow::check(&cx, action) {
            self.skip_or_refuse(s, seat, action, refusal)?;
            return self.apply(s, seat, action, dice, log);
        }
        let play = &mut Play { rules: self, s, dice, log };
        rulebook::flow::apply::<Ardennes>(play, At { side: side(seat), frame }, action)?;
        flow::settle(play)?;
        Ok(())
    }

    fn covers(&self, s: &State, seat: Seat, listed: &Action, action: &Action) -> bool {
        self.cx(s, seat).is_some_and(|cx| crate::covers::covers(&cx, listed, action))
    }

    fn secrecy(&self, before: &State, _: Seat, action: &Action) -> kernel::Secrecy {
        match (before.top(), action) {
            // 32.1: the die of this decision determines which fuel dump is real.
            (Frame::HideFuelDumps, _) => kernel::Secrecy::UntilOver,
            // 14.4: the defender decides about the bridge before learning of artillery and air support.
            (_, Action::Attack(attack))
                if crate::combat::attack_support::keeps_plan(self, before, attack) =>
            {
                kernel::Secrecy::UntilDisclosed(crate::combat::attack_support::PLAN)
            }
            _ => kernel::Secrecy::Open,
        }
    }

    /// An attack without the support that is planned for it.
    fn redacted(&self, before: &State, _: Seat, action: &Action) -> Option<String> {
        let Action::Attack(attack) = action else { return None };
        let open = Attack { artillery: Supporters::new(), air: false, ..*attack };
        Some(self.notate(before, &Action::Attack(open)))
    }

    /// 32.1: only the real fuel dump is ever hidden, and only from the German player.
    fn resample(&self, s: &State, viewer: Viewer, rng: &mut dyn rand_core::RngCore) -> Option<State> {
        let secret =
            !viewer.knows(seat(Side::Allied)) && s.dumps.iter().any(|dump| dump.real && !dump.revealed);
        secret.then(|| {
            let mut other = *s;
            let hidden: Vec<usize> = (0..s.dumps.len()).filter(|at| !s.dumps[*at].revealed).collect();
            // Not empty: one of them is real.
            let real = hidden[rng.next_u32() as usize % hidden.len()];
            for at in hidden {
                other.dumps[at].real = at == real;
            }
            other.field.renew_stamp();
            other
        })
    }

    fn turn(&self, state: &State) -> u16 {
        state.turn.into()
    }

    fn survey(&self, state: &State) -> kernel::Survey {
        crate::study::survey(self, state)
    }

    fn view(&self, s: &State, viewer: Viewer) -> View {
        crate::view::view(self, s, viewer)
    }

    fn changes(&self, before: &State, after: &State, viewer: Viewer) -> Option<kernel::view::Changes> {
        Some(crate::changes::changes(self, before, after, viewer))
    }

    fn report(&self, after: &State, event: &kernel::log::Event<Event>, out: &mut Vec<Entry>) {
        crate::report::report(self, after, event, out);
    }

    fn ask(&self, s: &State, viewer: Viewer, question: &str) -> Result<serde_json::Value, Ask> {
        crate::ask::ask(self, s, viewer, question)
    }

    fn brief(&self, s: &State, seat: Seat) -> kernel::Brief {
        self.cx(s, seat).map_or_else(kernel::Brief::default, |cx| crate::brief::brief(&cx))
    }

    fn notate(&self, s: &State, action: &Action) -> String {
        crate::notation::write(self, s, action)
    }

    fn parse(&self, s: &State, seat: Seat, text: &str) -> Result<Action, Refusal> {
        crate::notation::read(self, s, side(seat), text)
    }

    fn notate_subject(&self, _: &State, subject: Subject) -> String {
        crate::notation::write_subject(self, subject)
    }

    fn parse_subject(&self, _: &State, text: &str) -> Result<Subject, Refusal> {
        crate::notation::read_subject(self, text)
    }
}
