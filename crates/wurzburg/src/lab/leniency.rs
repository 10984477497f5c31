//! What a lab file of this game may leave out between two decisions (`kernel::lab::adapter`): the plain "no" to a
//! question, the end of a step.

use smallvec::SmallVec;

use kernel::{
    Dice, Log, Refusal, Seat, Stop,
    lab::{
        Leniency, Next,
        adapter::{By, Last},
    },
};

use crate::{
    action::{Action, Force, Who},
    event::Event,
    flow::{self, Does},
    frame::Frame,
    play::{Cx, Play, seat, side},
    rules::Wurzburg,
    state::{OpKind, Payer, Plan, State},
    units::FormationId,
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
        match flow::does(frame) {
            _ if s.ending.is_some() => Next::Choice,
            Does::Runs(_) => Next::Runs,
            Does::Asks(question) => {
                let side = question.asks(rules, s, frame);
                let forced = question.forced(&Cx { rules, s, side, frame });
                forced.map_or(Next::Choice, |action| Next::Forced(seat(side), action))
            }
        }
    }

    fn run(
        &self,
        rules: &Wurzburg,
        s: &mut State,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        let ran = flow::run_top(&mut Play { rules, s, dice, log })?;
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

    /// A file that starts with something that rolls dice waits for `done`.
    fn pause(&self, s: &mut State) -> bool {
        s.frames.push(Frame::Begin(s.initiative));
        s.rest();
        true
    }

    fn also(&self, _: &State, refusal: &Refusal) -> &'static [&'static str] {
        super::also::also(&refusal.why.key)
    }

    fn normal(&self, value: serde_json::Value) -> serde_json::Value {
        super::also::normal(value)
    }

    fn no(&self, rules: &Wurzburg, s: &State, _: &Action) -> Option<By<Self>> {
        let frame = s.top();
        let question = flow::question(frame).filter(|_| s.ending.is_none())?;
        let side = question.asks(rules, s, frame);
        question.no().map(|action| (seat(side), action))
    }
}
