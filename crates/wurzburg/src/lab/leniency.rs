//! What a lab file of this game may leave out between two decisions (`kernel::lab::adapter`): the plain "no" to a
//! question, the end of a step.

use rulebook::flow::{asks, question, run_top};
use serde_json::Value;
use smallvec::SmallVec;

use kernel::{
    Dice, Log, Refusal, Seat, Stop,
    lab::{
        Leniency, Next,
        adapter::{By, Last, Said},
    },
};

use crate::{
    action::{Action, Force, Who},
    event::Event,
    flow,
    frame::Frame,
    play::{Cx, Play, seat, side},
    rules::Wurzburg,
    state::{OpKind, Payer, Plan, State, Variant},
    units::{FormationId, Side, UnitId},
};

/// A file proceeds step by step.
#[derive(Clone, Debug)]
pub struct LabFile {
    /// Formations whose plan the file does not state: whatever a step has them do was planned and paid for.
    pub unsaid: Vec<bool>,
}

impl LabFile {
    /// The plans that a decision implies.
    fn plans(&self, s: &State, action: &Action) -> SmallVec<[(FormationId, OpKind); 2]> {
        let named: SmallVec<[(FormationId, OpKind); 2]> = match action {
            Action::Commit(commit) => {
                let formation = |force: &Force| match force.who {
                    Who::Formation(formation) => Some((formation, commit.kind)),
                    Who::Lead(_) => None,
                };
                commit.forces.iter().filter_map(formation).collect()
            }
            Action::March { formation, base: false, .. } => {
                formation.some().map(|formation| (formation, OpKind::March)).into_iter().collect()
            }
            _ => SmallVec::new(),
        };
        let unsaid = |(formation, kind): &(FormationId, OpKind)| {
            let plan = &s.formation(*formation).plan;
            self.unsaid.get(formation.index()) == Some(&true) && !plan.executed && plan.kind != *kind
        };
        named.into_iter().filter(unsaid).collect()
    }

    fn plan(&self, s: &mut State, action: &Action) {
        for (formation, kind) in self.plans(s, action) {
            let payer = if kind == OpKind::March { Payer::None } else { Payer::OffMap };
            s.formation_mut(formation).plan = Plan { kind, payer, executed: false };
        }
    }
}

/// The first thing that is offered at a question.
fn first_option(cx: &Cx) -> Option<Action> {
    let question = question::<Wurzburg>(cx.frame)?;
    let (mut subjects, mut options) = (Vec::new(), Vec::new());
    question.subjects(cx, &mut subjects);
    question.options(cx, *subjects.first()?, &mut options);
    options.into_iter().next()
}

/// The side that would have to pay for a decision that names no payer.
fn unpaid(rules: &Wurzburg, s: &State, action: &Action) -> Option<Side> {
    let active = || s.active.some().map(|active| rules.formation(active).side);
    match action {
        Action::React { parts, payer: Payer::None, .. } => Some(rules.counter(parts.first()?.unit).side),
        Action::Plan { formation, payer: Payer::None, .. } => Some(rules.formation(*formation).side),
        Action::Recon { payer: Payer::None, .. } | Action::ReconBridge { payer: Payer::None, .. } => active(),
        Action::Commit(commit) if commit.forces.iter().any(|force| force.payer == Payer::None) => active(),
        _ => None,
    }
}

fn paid_by(action: &Action, hq: Payer) -> Action {
    let mut action = action.clone();
    match &mut action {
        Action::React { payer, .. }
        | Action::Plan { payer, .. }
        | Action::Recon { payer, .. }
        | Action::ReconBridge { payer, .. } => *payer = hq,
        Action::Commit(commit) => {
            for force in commit.forces.iter_mut().filter(|force| force.payer == Payer::None) {
                force.payer = hq;
            }
        }
        _ => {}
    }
    action
}

/// Where a unit is that was named.
fn place_of(rules: &Wurzburg, s: &State, word: &str) -> Option<hexgrid::HexId> {
    s.unit(rules.named(word)?).hex.some()
}

impl Leniency for LabFile {
    type Rules = Wurzburg;

    fn check(&self, rules: &Wurzburg, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        if self.plans(s, action).is_empty() {
            return flow::check(rules, s, seat, action);
        }
        let mut planned = s.draft();
        self.plan(&mut planned, action);
        flow::check(rules, &planned, seat, action)
    }

    /// A decision for which somebody must pay, without the payer: the first HQ that may.
    fn complete(&self, rules: &Wurzburg, s: &State, action: Action) -> Action {
        let Some(side) = unpaid(rules, s, &action) else { return action };
        let legal = |action: &Action| self.check(rules, s, seat(side), action).is_ok();
        if legal(&action) {
            return action;
        }
        let hqs = rules.hqs.iter().filter(|hq| rules.counter(**hq).side == side);
        let paid = hqs.map(|hq| paid_by(&action, Payer::Hq(*hq))).find(legal);
        paid.unwrap_or(action)
    }

    fn decide(
        &self,
        rules: &Wurzburg,
        s: &mut State,
        (seat, action): &By<Self>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.plan(s, action);
        flow::apply(&mut Play { rules, s, dice, log }, side(*seat), action)?;
        s.rest();
        Ok(())
    }

    fn next(&self, rules: &Wurzburg, s: &State) -> Next<Action> {
        let frame = s.top();
        if s.ending.is_some() {
            return Next::Choice;
        }
        let Some(side) = asks(rules, s, frame) else { return Next::Runs };
        let forced = rulebook::flow::forced(&Cx { rules, s, side, frame });
        forced.map_or(Next::Choice, |action| Next::Forced(seat(side), action))
    }

    fn run(
        &self,
        rules: &Wurzburg,
        s: &mut State,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        let ran = run_top::<Wurzburg>(&mut Play { rules, s, dice, log })?;
        s.rest();
        Ok(ran)
    }

    /// A phase or segment that would end automatically waits to be passed.
    fn waits(&self, _: &Wurzburg, s: &State, _: Option<&Last<Self>>) -> bool {
        matches!(
            s.top(),
            Frame::Planning
                | Frame::Maneuver
                | Frame::Operations
                | Frame::Movement
                | Frame::Reaction
                | Frame::Recon
                | Frame::Strike
                | Frame::Demolition
                | Frame::Reserve(_)
                | Frame::Engineering(_)
        )
    }

    /// A phase that rolls dice of which the file has none waits for `done`, and so does the Shatter check.
    fn phase_ends(&self, s: &State) -> bool {
        matches!(s.top(), Frame::Sequence | Frame::Reorganization) && s.ending.is_none()
    }

    /// A file that begins with something that rolls dice waits for `done`.
    fn pause(&self, s: &mut State) -> bool {
        s.frames.push(Frame::Begin(s.initiative));
        s.rest();
        true
    }

    /// 46.6.3, 40.4: `move A 1015 1115 1215` of a unit beside the map: it enters by the first hex and goes on.
    fn parts(&self, said: Said) -> Vec<Vec<String>> {
        let words: Vec<&str> = said.text.split_whitespace().collect();
        let hexes = words.iter().rev().take_while(|word| word.bytes().all(|b| b.is_ascii_digit())).count();
        let at = words.len() - hexes;
        if words.first() != Some(&"move") || hexes < 2 || at < 2 {
            return Vec::new();
        }
        let who = words[..at].join(" ");
        vec![vec![format!("{who} {}", words[at]), format!("{who} {}", words[at + 1..].join(" "))]]
    }

    fn also(&self, _: &State, refusal: &Refusal) -> &'static [&'static str] {
        super::also::also(&refusal.rule, &refusal.why.key)
    }

    /// 42.0 step 4, 43.0 step 2: a move into the Objective Hex of an Overrun or a Close Attack is the storm.
    fn intended_line(&self, rules: &Wurzburg, s: &State, said: Said, _: &Refusal) -> Option<String> {
        let storms = matches!(s.op.variant, Variant::Overrun | Variant::Close) && s.top() == Frame::Movement;
        let objective = rules.field.label(s.op.objective.some().filter(|_| storms)?);
        let entering = |text: &str| {
            let (who, hex) = text.strip_prefix("move ")?.rsplit_once(' ')?;
            let who = who.trim_end_matches(" to").trim_end_matches(" ->");
            let named = who.split_whitespace().all(|word| rules.named(word).is_some());
            (named && hex == objective).then(|| who.to_owned())
        };
        // All enter at the same time: those that the next lines move there, too.
        let mut units = entering(said.text)?;
        let mut then = said.then.iter().filter(|(seat, _)| *seat == said.seat).peekable();
        while let Some(more) = then.peek().and_then(|(_, text)| entering(text)) {
            units = format!("{units} {more}");
            then.next();
        }
        let combine = then.peek().is_some_and(|(_, text)| text.starts_with("combine "));
        Some(format!("storm {units}{}", if combine { " combined" } else { "" }))
    }

    fn normal(&self, value: Value) -> Value {
        super::also::normal(value)
    }

    fn no(&self, rules: &Wurzburg, s: &State, _: &Action) -> Option<By<Self>> {
        let frame = s.top();
        let question = question::<Wurzburg>(frame).filter(|_| s.ending.is_none())?;
        let side = question.asks(rules, s, frame)?;
        let no = match frame {
            // 27.2.2: who says nothing announces the true strength. 12.3.2: the marker lies on the regiment's first unit.
            Frame::FlakFire | Frame::DropFlak(_) | Frame::Leads | Frame::ShiftLead(_) => {
                first_option(&Cx { rules, s, side, frame })
            }
            // 42.0, 43.0: everybody fires but the artillery, which is marked for it (22.5).
            Frame::PointBlank { .. } => match first_option(&Cx { rules, s, side, frame })? {
                Action::Fire { target, mut with } => {
                    with.retain(|part| !rules.counter(part.unit).symbol.artillery());
                    Some(if with.is_empty() { Action::Hold } else { Action::Fire { target, with } })
                }
                action => Some(action),
            },
            // 27.1: nobody fires a SAM unasked. 27.3: who does not abort goes on.
            Frame::AntiAircraft => match first_option(&Cx { rules, s, side, frame }) {
                Some(Action::Sam) => Some(Action::Hold),
                flak => flak,
            },
            Frame::AirChoice | Frame::FlakChoice => Some(Action::GoOn),
            // 42.0 step 4: a force of which the file does not say that it charges through fights to the finish.
            Frame::Overrun => Some(Action::Fight),
            // 18.3.3: of units with identical counters it makes no difference which loses the step.
            Frame::Loss => {
                let (_, units) = rules.strongest(s);
                let pool = |unit: &UnitId| rules.counter(*unit).pool;
                let alike = units.iter().all(|unit| pool(unit) == pool(&units[0]) && pool(unit) != u8::MAX);
                if alike { units.first().map(|unit| Action::Lose(*unit)) } else { None }
            }
            _ => question.no(),
        };
        no.map(|action| (seat(side), action))
    }

    /// 27.2.2, 27.3.2: a flight or an air strike of which no more is said goes on through the Flak.
    fn passed_over(&self, rules: &Wurzburg, s: &State) -> Option<By<Self>> {
        let flies = matches!(
            s.top(),
            Frame::FlakFire
                | Frame::FlakChoice
                | Frame::OnTheWay
                | Frame::DropFlak(_)
                | Frame::AntiAircraft
                | Frame::AirChoice
        );
        flies.then(|| self.no(rules, s, &Action::Done)).flatten()
    }

    /// Judged where it would have been asked for: a reaction that was jammed, an advance into a city that took no hit, cavalry
    /// that may not screen, a second attempt to jam.
    fn unasked(&self, rules: &Wurzburg, s: &State, (seat, action): &By<Self>) -> Option<Refusal> {
        let frame = match action {
            _ if s.op.members.is_empty() => return None,
            Action::React { .. } => Frame::Reaction,
            Action::Advance(_) => Frame::Advance,
            Action::Screen(units) => {
                let at = s.unit(*units.first()?).hex;
                let near =
                    |unit: &UnitId| at.some().is_some_and(|at| rules.field.adjacent(s.unit(*unit).hex, at));
                if s.op.tried.iter().any(|unit| near(&unit)) {
                    return Some(rules.no("41.2.1", "screen.again").unit("unit", units[0]).into());
                }
                Frame::Screen(s.unit(s.op.moved.iter().find(near)?).hex)
            }
            Action::Jam(hq) => return Some(rules.no("39.2", "jam.once").unit("unit", *hq).into()),
            _ => return None,
        };
        let cx = Cx { rules, s, side: side(*seat), frame };
        question::<Wurzburg>(frame)?.check(&cx, action).err().filter(|refusal| !refusal.is_out_of_turn())
    }

    /// 16.8.1: to stop where the move has ended anyway changes nothing. 27.2: Flak of no strength is rolled by itself.
    fn already_done(&self, rules: &Wurzburg, s: &State, told: &mut Vec<Value>, said: Said, _: bool) -> bool {
        let mut words = said.text.split_whitespace();
        match words.next() {
            Some("stop") => s.top() == Frame::Movement,
            // 43.0 step 2: it entered with the others.
            Some("move") => {
                let at = words.next_back();
                // A counter that is gone combined with another.
                let entered = |word: &str| {
                    rules.named(word).is_some()
                        && place_of(rules, s, word).is_none_or(|hex| at == Some(rules.field.label(hex)))
                };
                matches!(s.op.variant, Variant::Overrun | Variant::Close)
                    && at == s.op.objective.some().map(|hex| rules.field.label(hex))
                    && words.filter(|word| !["to", "->"].contains(word)).all(entered)
            }
            // 43.0 step 2: they combined as they entered.
            Some("combine") => {
                let storms = matches!(s.op.variant, Variant::Overrun | Variant::Close);
                storms
                    && words.all(|word| {
                        place_of(rules, s, word).is_none_or(|at| s.op.objective.some() == Some(at))
                    })
            }
            Some("flak") if s.top() != Frame::FlakFire => {
                let fired = told.iter().position(|data| data.get("kind").is_some_and(|kind| kind == "flak"));
                fired.map(|n| told.remove(n)).is_some()
            }
            _ => false,
        }
    }
}
