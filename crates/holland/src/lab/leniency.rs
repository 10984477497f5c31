//! What a lab file of this game may leave out (`kernel::lab::adapter`). What is legal is the same as at any table, but
//! a file may write a decision that was already taken for its side, and skip a question that has a plain "no".

use kernel::{
    Dice, Log, Refusal, RefusalKind, Seat, Stop, Verdict,
    lab::{
        Leniency, Next,
        adapter::{By, Last, Said, one_by_one},
    },
};
use rulebook::flow;
use serde_json::Value;
use zocbond::Piece;

use super::{Moment, also::also, words};
use crate::{
    action::Action,
    event::{Event, seat},
    flow::{Cx, Play},
    frame::{CombatStep, Frame, Phase},
    pack::Side,
    state::State,
    world::Holland,
};

/// Where the file starts: this phase ends only with `done`.
#[derive(Clone, Copy, Debug)]
pub struct LabFile {
    pub begins: Moment,
}

impl LabFile {
    fn is_first_phase(&self, s: &State, side: Side, phase: Phase) -> bool {
        self.begins == Moment { turn: s.turn, side, phase }
    }
}

impl Leniency for LabFile {
    type Rules = Holland;
    const ROLLS_AHEAD: bool = true;

    fn check(&self, rules: &Holland, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        rules.check(s, seat, action)
    }

    /// What the first phase does at its start is postponed until something depends on it.
    fn decide(
        &self,
        rules: &Holland,
        s: &mut State,
        (_, action): &By<Self>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        if s.unopened
            && let Frame::Phase(side, phase) = *s.frame()
            && matches!(action, Action::Repair(_) | Action::Done)
        {
            rules.open_phase(s, side, phase, log);
        }
        Play { rules, s, dice, log }.decide(action)
    }

    fn next(&self, rules: &Holland, s: &State) -> Next<Action> {
        if let Frame::Phase(side, phase) = *s.frame()
            && self.is_first_phase(s, side, phase)
        {
            return Next::Choice;
        }
        let Some((side, stage)) = rules.decider(s).zip(s.frame().stage()) else { return Next::Choice };
        if flow::asks(rules, s, stage).is_none() {
            return Next::Runs;
        }
        let cx = Cx { rules, s, side, frame: stage };
        flow::forced(&cx).map_or(Next::Choice, |action| Next::Forced(seat(side), action))
    }

    fn run(
        &self,
        rules: &Holland,
        s: &mut State,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        flow::run_top::<Holland>(&mut Play { rules, s, dice, log })
    }

    /// A file need not know which side has nothing left to do in a Movement or Combat Phase, and may write a retreat
    /// even if there is only one path.
    fn waits(&self, _: &Holland, s: &State, _: Option<&Last<Self>>) -> bool {
        match s.frame() {
            Frame::Phase(_, Phase::Movement | Phase::Combat) | Frame::Flight(_) => true,
            Frame::Phase(_, Phase::Traffic) => s.traffic.iter().any(|marker| marker.hex().is_none()),
            Frame::Combat(c) => c.step == CombatStep::Retreat,
            _ => false,
        }
    }

    fn no(&self, rules: &Holland, s: &State, wanted: &Action) -> Option<By<Self>> {
        let question = flow::question::<Holland>(s.frame().stage()?)?;
        let action = match s.frame() {
            Frame::Phase(
                _,
                Phase::Weather | Phase::Replacement | Phase::Artillery | Phase::Bridge | Phase::Airlanding,
            ) => Action::Done,
            // A retreat that is written out says how long it is.
            Frame::Combat(c) if c.step == CombatStep::Length => Action::Length(length_of(rules, s, wanted)?),
            _ => question.no()?,
        };
        Some((rules.awaited(s)?, action))
    }

    /// An attached unit need not be named.
    fn complete(&self, rules: &Holland, s: &State, action: Action) -> Action {
        match action {
            Action::Attack { target, with, lead: Some(lead), attached: None } => {
                let attached = rules.best_attached(s, &with, lead, target);
                Action::Attack { target, with, lead: Some(lead), attached }
            }
            Action::Planned { target, with, lead: Some(lead), attached: None, guns, air } => {
                let attached = rules.best_attached(s, &with, lead, target);
                Action::Planned { target, with, lead: Some(lead), attached, guns, air }
            }
            other => other,
        }
    }

    /// Before questions about the result of an attack, the attack is rolled.
    fn before_ask(&self, rules: &Holland, s: &State) -> Option<By<Self>> {
        self.passed_over(rules, s)
    }

    /// An attack that names no support has none (9.4).
    fn passed_over(&self, rules: &Holland, s: &State) -> Option<By<Self>> {
        let bare = matches!(s.frame(), Frame::Combat(c) if c.step == CombatStep::Support && c.plan.is_none());
        bare.then(|| self.no(rules, s, &Action::Done)).flatten()
    }

    /// The answer to a question that did not come up, or that was answered automatically.
    fn already_done(&self, _: &Holland, s: &State, told: &mut Vec<Value>, said: Said, _: bool) -> bool {
        let words: Vec<&str> = said.text.split_whitespace().collect();
        let event = |kinds: &[&str], unit: Option<&str>| {
            told.iter().position(|data| {
                let text = |name: &str| data.get(name).and_then(Value::as_str);
                text("kind").is_some_and(|kind| kinds.contains(&kind))
                    && (unit.is_none() || text("unit") == unit)
            })
        };
        let at = match words[..] {
            ["lose", unit] => event(&["lost", "eliminated"], Some(unit)),
            ["support"] | ["no", "support"] => event(&["result"], None),
            ["give", "way"] | ["give-way"] => {
                // Nobody could stand; but not before the steps are lost that come first (11.1).
                let too_early = matches!(s.frame(), Frame::Combat(c) if !matches!(
                    c.step,
                    CombatStep::Length | CombatStep::Retreat | CombatStep::Advance(_) | CombatStep::Breakthrough
                ));
                return !told.is_empty() && !too_early;
            }
            ["stay"] => return !matches!(s.frame(), Frame::Combat(_)),
            ["remnant" | "remnant-formed"] => return true,
            _ => None,
        };
        at.map(|at| told.remove(at)).is_some()
    }

    /// A unit that has nothing but Tactical Movement, or crosses water that only Tactical Movement crosses, need not say that it
    /// uses it.
    fn intended_line(&self, _: &Holland, _: &State, said: Said, refusal: &Refusal) -> Option<String> {
        let other = refusal.kind == RefusalKind::OtherMode && said.text.trim_start().starts_with("move ");
        other.then(|| format!("{} tactical", said.text.trim()))
    }

    /// What forbids the move in the unit's only mode, apart from its length.
    fn stands_for(&self, intended: &Verdict) -> bool {
        !matches!(intended, Verdict::Illegal(why) if why.kind == RefusalKind::TooFar)
    }

    /// Units that advance or retreat together.
    fn parts(&self, said: Said) -> Vec<Vec<String>> {
        let is_label = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        one_by_one(said.text, &["retreat", "advance", "withdraw"], is_label).into_iter().collect()
    }

    fn also(&self, s: &State, refusal: &Refusal) -> &'static [&'static str] {
        also(&refusal.why.key, &refusal.rule, s.frame())
    }

    fn normal(&self, value: Value) -> Value {
        words::normal(value)
    }

    fn without_unmentioned(&self, answer: Value, expect: &Value) -> Value {
        words::without_unmentioned(answer, expect)
    }
}

/// The number of hexes of a retreat in the file (13.1).
fn length_of(rules: &Holland, s: &State, wanted: &Action) -> Option<u8> {
    match wanted {
        Action::RetreatOut { .. } => Some(2),
        Action::Retreat { unit, path } => match path[..] {
            [to] => u8::try_from(rules.map.board.distance(s.unit(*unit).hex()?, to)).ok(),
            _ => u8::try_from(path.len()).ok(),
        },
        _ => None,
    }
}
