//! The one table from frames to what they do: run by themselves, or ask somebody ([`rulebook::flow`]). Adding a frame means
//! adding its line here; nothing else lists them.

use kernel::{Message, Refusal, Seat, Stop};
use rulebook::flow::{self, Does, Flow, Question};

use crate::{
    action::{Action, Subject},
    air, attach, cavalry, crossing, engineers, entry, fire,
    frame::Frame,
    gas, jamming, maneuver, movement, operation, planning,
    play::{At, Cx, Play},
    reaction, recon,
    rules::Wurzburg,
    shatter, smoke, stacking,
    state::State,
    storm, support, turn,
    units::Side,
    works,
};

impl Flow for Wurzburg {
    type Frame = Frame;
    type Side = Side;
    type Play<'a> = Play<'a>;
    const PHASE: Subject = Subject::Phase;

    fn does(frame: Frame) -> Does<Wurzburg> {
        use Does::{Asks, Runs};
        match frame {
            Frame::Sequence => Runs(|play, _| {
                turn::next(play);
                Ok(())
            }),
            Frame::Begin(_) => Asks(&Begin),
            Frame::Planning => Asks(&planning::Planning),
            Frame::EndPlanning => Runs(|play, _| {
                planning::close(play);
                Ok(())
            }),
            Frame::Initiative => Runs(|play, _| maneuver::initiative(play, false)),
            Frame::Maneuver => Asks(&maneuver::Maneuver),
            Frame::Segment(_) => Runs(|play, frame| {
                if let Frame::Segment(segment) = frame {
                    maneuver::segment(play, segment);
                }
                Ok(())
            }),
            Frame::Leads => Asks(&maneuver::Leads),
            Frame::ShiftLead(_) => Asks(&maneuver::ShiftLead),
            Frame::Operations => Asks(&operation::Operations),
            Frame::EndCycle => Runs(|play, _| {
                maneuver::end_cycle(play);
                Ok(())
            }),
            Frame::ReserveInitiative => Runs(|play, _| maneuver::initiative(play, true)),
            Frame::Reserve(_) => Asks(&operation::Reserve),
            Frame::Ready => Runs(|play, _| {
                turn::make_ready(play);
                Ok(())
            }),
            Frame::Decontaminate(_) => Asks(&gas::Decontaminate),
            Frame::Reorganization => Runs(|play, _| turn::reorganize(play)),
            Frame::HqReturn(_) => Asks(&shatter::HqReturn),
            Frame::Points => Runs(|play, _| {
                turn::points(play);
                Ok(())
            }),
            Frame::Attach => Asks(&attach::Attach),
            Frame::Smoke => Asks(&smoke::Smoke),
            Frame::Rows(_) => Asks(&entry::Rows),
            Frame::EndTurn => Runs(|play, _| {
                turn::end_turn(play);
                Ok(())
            }),
            Frame::Step(_) => {
                Runs(|play, frame| if let Frame::Step(n) = frame { operation::step(play, n) } else { Ok(()) })
            }
            Frame::Movement => Asks(&movement::Movement),
            Frame::Walk(_) => {
                Runs(
                    |play, frame| {
                        if let Frame::Walk(stage) = frame { movement::run(play, stage) } else { Ok(()) }
                    },
                )
            }
            Frame::Infiltration => Asks(&fire::Infiltration),
            Frame::GoOn => Asks(&movement::Decide),
            Frame::NewObjective => Asks(&movement::NewObjective),
            Frame::Mask(..) => Asks(&stacking::Mask),
            Frame::Recon => Asks(&recon::Recon),
            Frame::Strike => Asks(&support::Strike),
            Frame::EndStrikes => Runs(|play, _| {
                support::close_strikes(play);
                Ok(())
            }),
            Frame::AirProfile => Asks(&support::ChooseProfile),
            Frame::AntiAircraft => Asks(&support::AntiAircraft),
            Frame::AirChoice => Asks(&support::AirChoice),
            Frame::AirStrike => Runs(|play, _| support::air_strike(play)),
            Frame::Contamination => Runs(|play, _| gas::segment(play)),
            Frame::Disrupt(_) => Runs(|play, frame| {
                if let Frame::Disrupt(kind) = frame {
                    support::disrupt(play, kind);
                }
                Ok(())
            }),
            Frame::CounterBattery => Asks(&support::CounterBattery),
            Frame::Jamming => Asks(&jamming::Jamming),
            Frame::Call(_) => Asks(&support::Call),
            Frame::Reaction => Asks(&reaction::Reaction),
            Frame::DefensiveFire => Asks(&fire::Defensive),
            Frame::OffensiveFire => Asks(&fire::Offensive),
            Frame::Stand => Asks(&fire::Stand),
            Frame::Cover => Asks(&fire::Cover),
            Frame::Absorb => Runs(|play, _| {
                fire::absorb(play);
                Ok(())
            }),
            Frame::Loss => Asks(&fire::Loss),
            Frame::Retreat => Asks(&fire::Retreat),
            Frame::RetreatFire => Asks(&fire::RetreatFire),
            Frame::Advance => Asks(&fire::Advance),
            Frame::Overrun => Asks(&storm::Overrun),
            Frame::PointBlank { .. } => Asks(&storm::PointBlank),
            Frame::Round => Runs(|play, _| storm::round(play)),
            Frame::Withdraw(_) => Asks(&storm::Withdraw),
            Frame::Charge => Asks(&storm::Charge),
            Frame::Screen(_) => Asks(&cavalry::Screen),
            Frame::ScreenRetreat => Asks(&cavalry::ScreenRetreat),
            Frame::Landing => Asks(&crossing::Landing),
            Frame::Works(_) => Asks(&works::Works),
            Frame::Engineering(_) => Asks(&engineers::Engineering),
            Frame::Demolition => Asks(&engineers::Demolition),
            Frame::Fly => Asks(&air::Fly),
            Frame::Flight => Runs(|play, _| air::run(play)),
            Frame::OnTheWay => Asks(&air::OnTheWay),
            Frame::FlakFire => Asks(&air::FlakFire),
            Frame::FlakChoice => Asks(&air::FlakChoice),
            Frame::PassengerLoss => Asks(&air::PassengerLoss),
            Frame::FlyHome(_) => Asks(&air::FlyHome),
            Frame::Raid => Runs(|play, _| air::raid(play)),
            Frame::Paradrop => Asks(&air::Declare),
            Frame::Drop => Asks(&air::Drop),
            Frame::DropFlak(_) => Asks(&air::DropFlak),
            Frame::Disorganization => Runs(|play, _| air::disorganize(play)),
        }
    }

    fn top(play: &Play) -> Option<Frame> {
        play.s.ending.is_none().then(|| play.s.top())
    }

    fn take_off(play: &mut Play, frame: Frame) {
        play.s.changing = true;
        if frame != Frame::Sequence {
            play.pop();
        }
    }

    fn position<'a>(play: &'a Play) -> (&'a Wurzburg, &'a State) {
        (play.rules, play.s)
    }

    fn reach(play: &mut Play, question: &dyn Question<Wurzburg>, at: At) -> Option<Action> {
        play.s.rest();
        let action = crate::refusal::quietly(|| question.forced(&play.cx(at.side)))?;
        play.s.changing = true;
        Some(action)
    }

    fn not_now(&self) -> Refusal {
        self.not_now()
    }
}

/// May it be done?
pub fn check(rules: &Wurzburg, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
    let cx = rules.cx(s, seat).ok_or_else(not_your_turn)?;
    // Most of what is asked is legal: the words are looked for only where it is not.
    if crate::refusal::quietly(|| flow::check(&cx, action)).is_ok() {
        return Ok(());
    }
    flow::check(&cx, action)
}

/// Do it; it has been checked.
pub fn apply(play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
    play.s.changing = true;
    let frame = play.s.top();
    flow::apply(play, At { side, frame }, action)
}

/// Run until a side must decide or the game is over.
pub fn settle(play: &mut Play) -> Result<(), Stop> {
    flow::settle::<Wurzburg>(play)?;
    if play.s.ending.is_some() {
        play.s.rest();
    }
    Ok(())
}

/// It is somebody else's turn.
pub fn not_your_turn() -> Refusal {
    Refusal::out_of_turn("-", Message::new("no.not_your_turn"))
}

/// A lab file that starts in a phase without decisions waits for `done`.
#[derive(Debug)]
struct Begin;

impl Question<Wurzburg> for Begin {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::Begin(side) = frame { side } else { Side::Wp })
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        out.extend((subject == Subject::Phase).then_some(Action::Done));
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if *action == Action::Done { Ok(()) } else { Err(cx.rules.not_now()) }
    }

    fn apply(&self, play: &mut Play, _: At, _: &Action) -> Result<(), Stop> {
        play.pop();
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.begin", "9.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
