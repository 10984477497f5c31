//! The one table from frames to what they do: run automatically, or ask a side. Adding a frame means adding its line
//! here; nothing else lists them.

use kernel::{Message, Refusal, Seat, Stop};

use crate::{
    action::Action,
    air, attach, cavalry, crossing, engineers, entry, fire,
    frame::Frame,
    gas, jamming, maneuver, movement, operation, planning,
    play::{Cx, Play, Question},
    reaction, recon,
    rules::Wurzburg,
    shatter, smoke, stacking,
    state::State,
    storm, support, turn,
    units::Side,
    works,
};

/// What a frame does.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// Runs; its frame has already been popped.
    Runs(fn(&mut Play, Frame) -> Result<(), Stop>),
    Asks(&'static dyn Question),
}

/// What each frame does.
pub fn does(frame: Frame) -> Does {
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

/// The question of a frame; `None` if it runs automatically.
pub fn question(frame: Frame) -> Option<&'static dyn Question> {
    match does(frame) {
        Does::Asks(question) => Some(question),
        Does::Runs(_) => None,
    }
}

/// Who decides at a frame.
pub fn asks(rules: &Wurzburg, s: &State, frame: Frame) -> Option<Side> {
    Some(question(frame)?.asks(rules, s, frame))
}

/// May it be done?
pub fn check(rules: &Wurzburg, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
    let cx = rules.cx(s, seat).ok_or_else(not_your_turn)?;
    let Some(question) = question(cx.frame) else { return Err(rules.not_now()) };
    // Most checked actions are legal: the reason is built only if one is not.
    if crate::refusal::quietly(|| question.check(&cx, action)).is_ok() {
        return Ok(());
    }
    question.check(&cx, action)
}

/// Do it; it has been checked.
pub fn apply(play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
    play.s.changing = true;
    match question(play.s.top()) {
        Some(question) => question.apply(play, side, action),
        None => Ok(()),
    }
}

/// Run the frame on top of the stack; returns false if it asks a side.
pub fn run_top(play: &mut Play) -> Result<bool, Stop> {
    let frame = play.s.top();
    let Does::Runs(run) = does(frame) else { return Ok(false) };
    play.s.changing = true;
    if frame != Frame::Sequence {
        play.pop();
    }
    run(play, frame)?;
    Ok(true)
}

/// Run until a side must decide or the game is over.
pub fn settle(play: &mut Play) -> Result<(), Stop> {
    while play.s.ending.is_none() {
        if run_top(play)? {
            continue;
        }
        play.s.rest();
        let frame = play.s.top();
        let Some(question) = question(frame) else { return Ok(()) };
        let side = question.asks(play.rules, play.s, frame);
        let Some(action) = crate::refusal::quietly(|| question.forced(&play.cx(side))) else { return Ok(()) };
        apply(play, side, &action)?;
    }
    play.s.rest();
    Ok(())
}

/// It is somebody else's turn.
pub fn not_your_turn() -> Refusal {
    Refusal::out_of_turn("-", Message::new("no.not_your_turn"))
}

/// A lab file that starts in a phase without decisions waits for `done`.
#[derive(Debug)]
struct Begin;

impl Question for Begin {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Side {
        if let Frame::Begin(side) = frame { side } else { Side::Wp }
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<crate::action::Subject>) {
        out.push(crate::action::Subject::Phase);
    }

    fn options(&self, _: &Cx, subject: crate::action::Subject, out: &mut Vec<Action>) {
        if subject == crate::action::Subject::Phase {
            out.push(Action::Done);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if *action == Action::Done { Ok(()) } else { Err(cx.rules.not_now()) }
    }

    fn apply(&self, play: &mut Play, _: Side, _: &Action) -> Result<(), Stop> {
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
