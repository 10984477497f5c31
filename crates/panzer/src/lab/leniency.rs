//! What a lab file of this game may leave out (`kernel::lab::adapter`): the end of a step in which nothing is left to do, the plain
//! "no" to a question. And what it may write although nobody was asked.

use kernel::{
    Dice, Log, Refusal, Seat, Stop,
    lab::{
        Leniency, Next,
        adapter::{By, Last, Said},
    },
};
use serde_json::Value;

use crate::{
    action::Action,
    air,
    event::Event,
    flow,
    frame::Frame,
    overwatch,
    play::{Cx, Play, seat, side},
    rules::Panzer,
    state::State,
};

/// Where the file begins.
#[derive(Clone, Copy, Debug)]
pub struct LabFile {
    pub turn: u8,
    /// It begins where something is carried out, not with Commands: every step waits to be passed.
    pub stated: bool,
}

impl LabFile {
    /// The question that waits, if one does.
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

impl Leniency for LabFile {
    type Rules = Panzer;
    /// The steps of a whole turn of the Advanced Game, with a question in each of them.
    const MOST_PASSED: usize = 64;
    const LATER_STEPS: bool = true;

    fn check(&self, rules: &Panzer, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        flow::check(&rules.cx(s, seat).ok_or_else(flow::not_your_turn)?, action)
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
        flow::apply(&mut Play { rules, s, dice, log }, frame, side(*seat), action)?;
        s.stamp.renew();
        Ok(())
    }

    fn next(&self, rules: &Panzer, s: &State) -> Next<Action> {
        match Self::cx(rules, s) {
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
        flow::run_top(&mut Play { rules, s, dice, log })?;
        s.stamp.renew();
        Ok(true)
    }

    /// A file that begins in a phase goes on step by step: a step in which nobody has anything left to do is not passed by
    /// itself, so that what was done in it can be asked about. On a map without vehicles nothing goes on by itself.
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
            Frame::Commands => !enemies.any(|unit| rules.commandable(s, *unit)),
            _ => false,
        }
    }

    /// Overwatch, anti-aircraft fire and Commands are asked for whenever the other side may think that there is something to
    /// ask for. A file deceives nobody.
    fn moot(&self, rules: &Panzer, s: &State) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let moves = |unit| s.unit(unit).command.moves();
        let (moot, no) = match cx.frame {
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => {
                (!overwatch::possible(&cx, false), Action::Hold)
            }
            Frame::AaWindow => (air::could_fire(&cx, false).next().is_none(), Action::Hold),
            Frame::ShowCommand => (!moves(s.fire.showing()), Action::Decline),
            Frame::AirShow => (!moves(s.air.strike.target), Action::Decline),
            _ => (false, Action::Done),
        };
        moot.then_some((seat(cx.side), no))
    }

    fn no(&self, rules: &Panzer, s: &State, wanted: &Action) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let none = Action::Spread(smallvec::SmallVec::new());
        let nobody = Action::Occupy(smallvec::SmallVec::new());
        let support = Action::Support(s.assault.target);
        let lead = Action::Primary(s.assault.fighting.first().copied().unwrap_or(crate::units::UnitId::NONE));
        let all = [
            Action::Hold,
            Action::Decline,
            Action::GoOn,
            Action::Stop,
            none,
            nobody,
            support,
            lead,
            Action::Done,
        ];
        let asks = matches!(
            cx.frame,
            Frame::Overwatch { .. }
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
                | Frame::AaWindow
                | Frame::AirShow
                | Frame::Occupy
                | Frame::Pivot(_)
                | Frame::FullCover(_)
        );
        // A decision that breaks a rule here may be meant for a later step; a "no" is not meant for a later question.
        let passes = asks && !declines(wanted);
        let no = all.into_iter().filter(|_| passes).find(|action| flow::check(&cx, action).is_ok());
        no.map(|action| (seat(cx.side), action))
    }

    /// A step that waits is passed by whatever comes later, whoever does it.
    fn leave(&self, _: &Panzer, _: &State, _: Seat, held: Option<&By<Self>>) -> Option<By<Self>> {
        held.cloned()
    }

    fn recalls(&self, _: &Action) -> bool {
        false
    }

    /// Nobody was asked, as nobody could: it may be written all the same.
    fn already(&self, rules: &Panzer, s: &State, _: &mut Vec<Value>, said: Said, walked: bool) -> bool {
        let action = crate::notation::read(rules, s, side(said.seat), said.text);
        walked && action.is_ok_and(|action| declines(&action))
    }

    fn also(&self, _: &State, refusal: &Refusal) -> &'static [&'static str] {
        super::also::also(&refusal.why.key)
    }

    fn normal(&self, value: Value) -> Value {
        super::also::normal(value)
    }

    /// `done` in a window for fire is `hold`.
    fn meant(&self, _: &Panzer, s: &State, said: Said, _: &Refusal) -> Option<String> {
        let window = matches!(
            s.top(),
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } | Frame::AaWindow
        );
        (window && said.text.trim() == "done").then(|| "hold".to_owned())
    }
}
