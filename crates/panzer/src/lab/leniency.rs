//! What a lab file of this game may leave out (`kernel::lab::adapter`): the end of a step in which nothing is left to
//! do, the plain "no" to a question. Also what it may write although the side was not asked.

use kernel::{
    Dice, Log, Refusal, Seat, Stop,
    lab::{
        Leniency, Next,
        adapter::{By, Last, Said},
    },
};
use rulebook::flow;
use serde_json::Value;

use crate::{
    action::{Action, Subject},
    air,
    event::Event,
    frame::Frame,
    overwatch,
    play::{At, Cx, Play, seat, side},
    rules::Panzer,
    state::{Flags, State},
};

/// Where the file starts.
#[derive(Clone, Copy, Debug)]
pub struct LabFile {
    pub turn: u8,
    /// It begins where something is carried out, not with Commands: every step waits to be passed.
    pub stated: bool,
    /// It begins with the Adjustment Phase.
    pub adjusts: bool,
}

impl LabFile {
    /// The waiting question, if there is one.
    fn cx<'a>(rules: &'a Panzer, s: &'a State) -> Option<Cx<'a>> {
        let frame = s.top();
        let side = flow::asks(rules, s, frame).filter(|_| s.ending.is_none())?;
        Some(Cx { rules, s, side, frame })
    }
}

/// A "no" to a question.
fn declines(action: &Action) -> bool {
    matches!(action, Action::Hold | Action::HoldMove | Action::Decline)
}

/// The answer assumed when a file skips a question: "no", or the obvious continuation.
fn plain_answer(cx: &Cx) -> Option<By<LabFile>> {
    let s = cx.s;
    if cx.frame == Frame::Misdirect {
        // Only if there is no real choice.
        let mut impacts = Vec::new();
        flow::options(cx, Subject::Phase, &mut impacts);
        return if impacts.len() == 1 { impacts.pop().map(|impact| (seat(cx.side), impact)) } else { None };
    }
    let all = [
        Action::Hold,
        Action::Decline,
        Action::GoOn,
        Action::Stop,
        Action::FlyOn,
        Action::Spread(smallvec::SmallVec::new()),
        Action::Occupy(smallvec::SmallVec::new()),
        Action::Support(s.assault.target),
        Action::Primary(s.assault.fighting.first().copied().unwrap_or(crate::units::UnitId::NONE)),
        Action::Done,
    ];
    let answer = all.into_iter().find(|action| flow::check(cx, action).is_ok());
    answer.map(|action| (seat(cx.side), action))
}

/// Is there more of a written move, whose unit has come to no harm?
fn goes_on(s: &State) -> bool {
    let hurt = Flags(
        Flags::SUPPRESSED.0
            | Flags::DAMAGED.0
            | Flags::TURRET.0
            | Flags::HULL.0
            | Flags::TRACK.0
            | Flags::BAILED.0,
    );
    !s.walk.plan.is_empty() && !s.unit(s.walk.unit).is(hurt)
}

impl Leniency for LabFile {
    type Rules = Panzer;
    /// The steps of a whole turn of the Advanced Game, with a question in each of them.
    const MOST_PASSED: usize = 64;
    const LATER_STEPS: bool = true;
    const ROLLS_AHEAD: bool = true;

    fn check(&self, rules: &Panzer, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        rules.check(s, seat, action)
    }

    fn decide(
        &self,
        rules: &Panzer,
        s: &mut State,
        (seat, action): &By<Self>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let frame = s.top();
        crate::flow::decide(&mut Play { rules, s, dice, log }, At { side: side(*seat), frame }, action)?;
        s.stamp.renew();
        Ok(())
    }

    fn next(&self, rules: &Panzer, s: &State) -> Next<Action> {
        // 7.2: whoever is asked knows its own hidden units.
        let asked = flow::asks(rules, s, s.top());
        let world = asked.map_or(std::borrow::Cow::Borrowed(s), |side| rules.world(s, side));
        match Self::cx(rules, &world) {
            Some(cx) => flow::forced(&cx).map_or(Next::Choice, |action| Next::Forced(seat(cx.side), action)),
            None if s.ending.is_some() => Next::Choice,
            None => Next::Runs,
        }
    }

    fn run(
        &self,
        rules: &Panzer,
        s: &mut State,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        flow::run_top::<Panzer>(&mut Play { rules, s, dice, log })?;
        s.stamp.renew();
        Ok(true)
    }

    /// A file that starts in a phase proceeds step by step: a step in which nothing is left to do is not passed
    /// automatically, so that questions about it can be asked. On a map without vehicles nothing proceeds
    /// automatically.
    fn waits(&self, rules: &Panzer, s: &State, _: Option<&Last<Self>>) -> bool {
        let Some(cx) = Self::cx(rules, s) else { return false };
        let mut enemies = rules.units_of(cx.side.enemy()).iter();
        match cx.frame {
            Frame::DirectFire(_)
            | Frame::Movement(_)
            | Frame::Assault(_)
            | Frame::Indirect(_)
            | Frame::Air
            | Frame::Overwatch { passed: false, .. } => self.stated && self.turn == s.turn && !s.staying,
            Frame::Flight => s.air.flight.bound == 0, // in each hex, as the file tells it
            Frame::Commands => !enemies.any(|unit| rules.commandable(s, *unit)),
            _ => false,
        }
    }

    /// Overwatch, anti-aircraft fire and showing Commands are asked for whenever the other side might think they are
    /// possible. A lab file has no opponent to bluff.
    fn decoy_answer(&self, rules: &Panzer, s: &State) -> Option<By<Self>> {
        // 7.2: its own hidden units are asked, too.
        let side = flow::asks(rules, s, s.top())?;
        let world = rules.world(s, side);
        let s = &*world;
        let cx = Self::cx(rules, s)?;
        let moves = |unit| s.unit(unit).command.moves();
        let (pointless, no) = match cx.frame {
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => {
                (!overwatch::possible(&cx, false), Action::Hold)
            }
            Frame::AaWindow => (air::could_fire(&cx, false).next().is_none(), Action::Hold),
            Frame::ShowCommand => (!moves(s.fire.showing()), Action::Decline),
            Frame::AirShow => (!moves(s.air.strike.target), Action::Decline),
            Frame::AssaultShow => (!moves(s.assault.target), Action::Decline),
            Frame::LandShow => (!s.indirect.landing.last().is_some_and(|l| moves(l.target)), Action::Decline),
            _ => (false, Action::Done),
        };
        pointless.then_some((seat(cx.side), no))
    }

    fn no(&self, rules: &Panzer, s: &State, wanted: &Action) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let asks = matches!(
            cx.frame,
            Frame::Begin
                | Frame::Misdirect
                | Frame::Overwatch { .. }
                | Frame::Window(_)
                | Frame::Answer { .. }
                | Frame::ShowCommand
                | Frame::Revise
                | Frame::FaceOut
                | Frame::Overruns
                | Frame::Spread
                | Frame::Support
                | Frame::NamePrimary
                | Frame::AssaultShow
                | Frame::LandShow
                | Frame::Load
                | Frame::Flight
                | Frame::AaWindow
                | Frame::AirShow
                | Frame::Occupy
                | Frame::Pivot(_)
                | Frame::FullCover(_)
        );
        // 4.2.1: a decision of a later phase ends the placing of Commands, for both sides.
        let places = matches!(wanted, Action::Command { .. } | Action::Share { .. } | Action::Done);
        // A decision that is illegal here may be meant for a later step; a "no" is not meant for a later question.
        let passes = (asks || cx.frame == Frame::Commands && !places) && !declines(wanted);
        if passes { plain_answer(&cx) } else { None }
    }

    /// A written move goes on after fire that did nothing to it, the first named of several attackers leads, and shells that go
    /// astray fall on the only friend who is near.
    fn before_ask(&self, rules: &Panzer, s: &State) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let goes_on = match cx.frame {
            Frame::Revise => goes_on(s),
            Frame::NamePrimary | Frame::Overruns | Frame::Misdirect => true,
            _ => false,
        };
        let answer = plain_answer(&cx).filter(|_| goes_on)?;
        (answer.1 != Action::Stop).then_some(answer)
    }

    /// Who leads an attack and whether a Command is shown are answered plainly at once if they are not mentioned, so that the decision
    /// tells everything that came of it. Questions with a choice of their own (who enters a hex, where further hits go, Overwatch)
    /// wait: a line about something that nobody was asked may still stand before the answer.
    fn passed_over(&self, rules: &Panzer, s: &State) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let plain = match cx.frame {
            Frame::Misdirect
            | Frame::ShowCommand
            | Frame::NamePrimary
            | Frame::AssaultShow
            | Frame::LandShow
            | Frame::AirShow => true,
            // 6.8: one `done` stands for the whole phase with which the file begins.
            Frame::Pivot(_) | Frame::FullCover(_) => self.adjusts && self.turn == s.turn,
            _ => false,
        };
        plain_answer(&cx).filter(|_| plain)
    }

    /// 6.5.2.6: a bail-out test for which the file has no die waits, as examples end with the damage.
    fn phase_ends(&self, s: &State) -> bool {
        s.top() == Frame::BailOut
    }

    fn pause(&self, s: &mut State) -> bool {
        s.frames.push(Frame::Begin);
        s.stamp.renew();
        true
    }

    /// A waiting step is passed by any later decision, of either side.
    fn leave(&self, _: &Panzer, _: &State, _: Seat, held: Option<&By<Self>>) -> Option<By<Self>> {
        held.cloned()
    }

    fn recalls(&self, _: &Action) -> bool {
        false
    }

    /// The side was not asked, because it could do nothing: the decision may still be written. So may the `done` of an
    /// Indirect Fire Step that ended automatically, while direct fire cannot end yet.
    fn already_done(&self, rules: &Panzer, s: &State, _: &mut Vec<Value>, said: Said, walked: bool) -> bool {
        let Ok(action) = crate::notation::read(rules, s, side(said.seat), said.text) else { return false };
        let Some(cx) = Self::cx(rules, s) else { return false };
        let begins = matches!(cx.frame, Frame::DirectFire(_))
            && rules.indirect_fire()
            && !rules.units_of(cx.side).iter().any(|unit| s.triggers.contains(*unit));
        let own = cx.side == side(said.seat);
        let ended = action == Action::Done && begins && (own || walked);
        walked && declines(&action) || ended
    }

    /// 6.5.2.6: `no effect` after a shot is about the target's Command, not about the facing of a unit that has left its
    /// vehicle by the same shot.
    fn echoes(&self, _: &Panzer, s: &State, told: &[Value], said: Said) -> bool {
        let declined = told.iter().any(|fact| fact.get("kind").is_some_and(|kind| kind == "decline"));
        s.top() == Frame::FaceOut
            && declined
            && said.text.trim() != "keep"
            && matches!(said.text.split_whitespace().next(), Some("no" | "no_effect" | "decline" | "refuse"))
    }

    fn unasked(&self, rules: &Panzer, s: &State, (seat, action): &By<Self>) -> Option<Refusal> {
        super::unasked::why(rules, s, side(*seat), action)
    }

    fn also(&self, _: &State, refusal: &Refusal) -> &'static [&'static str] {
        super::also::also(&refusal.why.key)
    }

    fn normal(&self, value: Value) -> Value {
        super::also::normal(value)
    }

    /// `done` in a window for fire is `hold`; a passenger that gets off a vehicle with a Move does so in the course of it
    /// (6.6.7.1.1).
    fn intended_line(&self, rules: &Panzer, s: &State, said: Said, refusal: &Refusal) -> Option<String> {
        let window = matches!(
            s.top(),
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } | Frame::AaWindow
        );
        if window && said.text.trim() == "done" {
            return Some("hold".to_owned());
        }
        let Ok(Action::Dismount { unit, .. } | Action::DismountAssault { unit, .. }) =
            crate::notation::read(rules, s, side(said.seat), said.text)
        else {
            return None;
        };
        let vehicle = rules.carried_by(s, unit)?;
        if refusal.rule != "6.6.7.1.1" || !rules.has_yet_to_move(s, vehicle) {
            return None;
        }
        Some(format!("move {} {}", rules.id(vehicle), said.text.trim()))
    }
}
