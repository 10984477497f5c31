//! Who is asked what: the frame on top of the stack decides which module answers, and frames that need nobody run by
//! themselves until somebody must decide.

use kernel::{Message, Refusal, Stop};

use crate::{
    action::{Action, Subject},
    adjustment, air, assault, bail, command,
    event::Event,
    fire, formation,
    frame::{Frame, Player},
    indirect, initiative, movement, overwatch,
    pack::Side,
    phase::{self, Phase},
    play::{Cx, Play},
    refusal::unread,
    rest,
    rules::Panzer,
    setup, spotting,
    state::State,
    suppress,
    units::UnitSet,
    works,
};

/// Who decides at a frame; none for those that run by themselves. Commands are placed by both (4.2.1): the first that
/// has not yet.
pub fn asks(rules: &Panzer, s: &State, frame: Frame) -> Option<Side> {
    let side = |player| match player {
        Player::First => s.first,
        Player::Second => s.second(),
    };
    match frame {
        Frame::Begin => Some(s.first.unwrap_or_default()),
        Frame::SetUp(side) | Frame::Plot(side) | Frame::ChooseOrder(side) | Frame::Movement(side) => {
            Some(side)
        }
        Frame::Overwatch { side, .. } | Frame::Answer { side, .. } => Some(side),
        Frame::Commands => Side::ALL.into_iter().find(|side| !s.committed[side.index()]),
        Frame::Pivot(player) | Frame::FullCover(player) => side(player),
        Frame::Spread => s.fire.shot().map(|shot| rules.vehicle(shot.unit).side),
        Frame::DirectFire(player) | Frame::Assault(player) | Frame::Indirect(player) => side(player),
        Frame::LandShow | Frame::Misdirect => indirect::asked(rules, s, frame),
        Frame::Load | Frame::Air | Frame::Flight | Frame::AaWindow | Frame::AirShow => {
            air::asked(rules, s, frame)
        }
        Frame::NamePrimary | Frame::Occupy => Some(assault::attacking(rules, s)),
        Frame::Support | Frame::AssaultShow => Some(rules.vehicle(s.assault.target).side),
        Frame::ShowCommand => Some(rules.vehicle(s.fire.showing()).side),
        Frame::HitAngle => Some(rules.vehicle(s.fire.struck()).side),
        Frame::Revise | Frame::Overruns => Some(rules.vehicle(s.walk.unit).side),
        Frame::FaceOut => s.landed.last().map(|unit| rules.vehicle(*unit).side),
        Frame::Window(_) => Some(rules.vehicle(s.walk.unit).side.enemy()),
        Frame::Sequence
        | Frame::Spotting
        | Frame::Initiative
        | Frame::Pair(_)
        | Frame::EndStep
        | Frame::OpenOverwatch
        | Frame::Shot
        | Frame::Penetration { .. }
        | Frame::Strike
        | Frame::Location { .. }
        | Frame::BailOut
        | Frame::Splash
        | Frame::OverrunAttack
        | Frame::AssaultNext
        | Frame::IndirectEnd
        | Frame::Planned(_)
        | Frame::Land
        | Frame::LandHit
        | Frame::Fight
        | Frame::FlyOn
        | Frame::AirNext
        | Frame::AirHit
        | Frame::Available
        | Frame::Dig
        | Frame::Recovery
        | Frame::OpenMovement(_)
        | Frame::Walk
        | Frame::Adjustment
        | Frame::EndTurn => None,
    }
}

/// What is asked at a frame: the module that knows the answers. Every frame is named here, so that a new one cannot be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Begin,
    SetUp,
    Plot,
    Commands,
    Order,
    Indirect,
    Air,
    DirectFire,
    Overwatch,
    ShowCommand,
    HitAngle,
    Spread,
    FaceOut,
    Assault,
    Movement,
    Overruns,
    Rest,
}

/// The question of a frame; none for those that run by themselves.
const fn question(frame: Frame) -> Option<Question> {
    Some(match frame {
        Frame::Begin => Question::Begin,
        Frame::SetUp(_) => Question::SetUp,
        Frame::Plot(_) => Question::Plot,
        Frame::Commands => Question::Commands,
        Frame::ChooseOrder(_) => Question::Order,
        Frame::Indirect(_) | Frame::LandShow | Frame::Misdirect => Question::Indirect,
        Frame::Load | Frame::Air | Frame::Flight | Frame::AaWindow | Frame::AirShow => Question::Air,
        Frame::DirectFire(_) => Question::DirectFire,
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => Question::Overwatch,
        Frame::ShowCommand => Question::ShowCommand,
        Frame::HitAngle => Question::HitAngle,
        Frame::Spread => Question::Spread,
        Frame::FaceOut => Question::FaceOut,
        Frame::Assault(_) | Frame::Support | Frame::NamePrimary | Frame::AssaultShow | Frame::Occupy => {
            Question::Assault
        }
        Frame::Movement(_) | Frame::Revise => Question::Movement,
        Frame::Overruns => Question::Overruns,
        Frame::Pivot(_) | Frame::FullCover(_) => Question::Rest,
        Frame::Sequence
        | Frame::Spotting
        | Frame::Initiative
        | Frame::Pair(_)
        | Frame::EndStep
        | Frame::OpenOverwatch
        | Frame::Shot
        | Frame::Penetration { .. }
        | Frame::Strike
        | Frame::Location { .. }
        | Frame::BailOut
        | Frame::Splash
        | Frame::OverrunAttack
        | Frame::AssaultNext
        | Frame::IndirectEnd
        | Frame::Planned(_)
        | Frame::Land
        | Frame::LandHit
        | Frame::Fight
        | Frame::FlyOn
        | Frame::AirNext
        | Frame::AirHit
        | Frame::Available
        | Frame::Dig
        | Frame::Recovery
        | Frame::OpenMovement(_)
        | Frame::Walk
        | Frame::Adjustment
        | Frame::EndTurn => return None,
    })
}

/// The one thing that can be done, if there is only one: nobody is asked then.
pub fn forced(cx: &Cx) -> Option<Action> {
    match question(cx.frame)? {
        Question::Commands => command::forced(cx),
        Question::Rest => rest::forced(cx),
        Question::DirectFire => fire::forced(cx),
        Question::Assault => assault::forced(cx),
        Question::Indirect => indirect::forced(cx),
        Question::Air => air::forced(cx),
        Question::Movement => movement::forced(cx),
        Question::Overwatch => overwatch::forced(cx),
        Question::Begin
        | Question::SetUp
        | Question::Plot
        | Question::Order
        | Question::ShowCommand
        | Question::HitAngle
        | Question::Spread
        | Question::FaceOut
        | Question::Overruns => None,
    }
}

/// Step one of choosing.
pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    let Some(question) = question(cx.frame) else { return };
    match question {
        Question::SetUp => setup::subjects(cx, out),
        Question::Commands => command::subjects(cx, out),
        Question::Rest => rest::subjects(cx, out),
        Question::Order => initiative::subjects(out),
        Question::DirectFire => {
            // Whoever must fire does so first; passengers need not (6.6.7.2).
            if fire::check(cx, &Action::Done).is_ok() {
                out.push(Subject::Phase);
            }
            fire::subjects(cx, out);
            if out.is_empty() {
                out.push(Subject::Phase);
            }
        }
        Question::Overwatch => overwatch::subjects(cx, out),
        Question::Movement => movement::subjects(cx, out),
        Question::Indirect => indirect::subjects(cx, out),
        Question::Air => air::subjects(cx, out),
        Question::Assault => assault::subjects(cx, out),
        Question::Begin
        | Question::Plot
        | Question::ShowCommand
        | Question::HitAngle
        | Question::Spread
        | Question::FaceOut
        | Question::Overruns => out.push(Subject::Phase),
    }
}

/// Step two of choosing.
pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    let Some(question) = question(cx.frame) else { return };
    let phase = subject == Subject::Phase;
    match question {
        Question::SetUp => setup::options(cx, subject, out),
        Question::Plot => indirect::plan::options(cx, subject, out),
        Question::Commands => command::options(cx, subject, out),
        Question::Rest => rest::options(cx, subject, out),
        Question::Order => initiative::options(subject, out),
        Question::DirectFire if phase => {
            out.extend(fire::check(cx, &Action::Done).is_ok().then_some(Action::Done));
        }
        Question::DirectFire => fire::options(cx, subject, out),
        Question::Overwatch => overwatch::options(cx, subject, out),
        Question::Movement => movement::options(cx, subject, out),
        Question::Indirect => indirect::options(cx, subject, out),
        Question::Air => air::options(cx, subject, out),
        Question::Assault => assault::options(cx, subject, out),
        Question::ShowCommand if phase => {
            let moves = cx.s.unit(cx.s.fire.showing()).command.moves();
            out.extend(moves.then_some(Action::Show));
            out.push(Action::Decline);
        }
        Question::HitAngle if phase => {
            out.extend(fire::angles(cx.rules, cx.s).into_iter().map(Action::Angle));
        }
        Question::Spread if phase => fire::spreads(cx, out),
        Question::Overruns if phase => crate::overrun::options(cx, out),
        Question::FaceOut if phase => bail::options(cx, out),
        Question::Begin if phase => out.push(Action::Done),
        // These have one subject, the phase.
        Question::ShowCommand
        | Question::HitAngle
        | Question::Spread
        | Question::Overruns
        | Question::FaceOut
        | Question::Begin => {}
    }
}

/// May it be done?
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    let Some(question) = question(cx.frame) else { return Err(cx.rules.not_now()) };
    match question {
        Question::SetUp => setup::check(cx, action),
        Question::Plot => indirect::plan::check(cx, action),
        Question::Commands => command::check(cx, action),
        Question::Rest => rest::check(cx, action),
        Question::Order => initiative::check(cx, action),
        Question::DirectFire => fire::check(cx, action),
        Question::Overwatch => overwatch::check(cx, action),
        Question::Movement => movement::check(cx, action),
        Question::Indirect => indirect::check(cx, action),
        Question::Air => air::check(cx, action),
        Question::Assault => assault::check(cx, action),
        Question::ShowCommand => match action {
            Action::Decline => Ok(()),
            Action::Show if cx.s.unit(cx.s.fire.showing()).command.moves() => Ok(()),
            Action::Show => {
                cx.rules.no("4.4.3.2.2", "show.not_moving").unit("unit", cx.s.fire.showing()).into()
            }
            _ => Err(cx.rules.not_now()),
        },
        Question::HitAngle => match action {
            Action::Angle(angle) if fire::angles(cx.rules, cx.s).contains(angle) => Ok(()),
            _ => Err(cx.rules.not_now()),
        },
        Question::Spread => fire::check_spread(cx, action),
        Question::Overruns => crate::overrun::check(cx, action),
        Question::FaceOut => bail::check(cx, action),
        Question::Begin if *action == Action::Done => Ok(()),
        Question::Begin => Err(cx.rules.not_now()),
    }
}

/// Do it; it has been checked. The frame is still on the stack: who is done with it pops it.
pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    let Some(question) = question(frame) else { return Ok(()) };
    match question {
        Question::SetUp => setup::apply(play, side, action),
        Question::Plot => indirect::plan::apply(play, action),
        Question::Commands => command::apply(play, side, action),
        Question::Rest => rest::apply(play, action),
        Question::Order => initiative::apply(play, side, action),
        Question::DirectFire => match action {
            Action::Fire { target, shots } => {
                fire::declare(play, fire::Kind::Direct, *target, shots, &[]);
            }
            Action::Smoke { unit, hex } => fire::smoke::fire(play, *unit, *hex)?,
            Action::Discharge { unit } => fire::smoke::discharge(play, *unit)?,
            _ => play.pop(),
        },
        Question::Overwatch => overwatch::apply(play, frame, side, action),
        Question::Movement => movement::apply(play, side, action)?,
        Question::Indirect => indirect::apply(play, frame, side, action)?,
        Question::Air => air::apply(play, frame, action)?,
        Question::Assault => match action {
            Action::Demolish { hex, units } => works::demolish(play, *hex, units)?, // 7.19
            action => assault::apply(play, frame, action)?,
        },
        Question::Overruns => crate::overrun::apply(play, action),
        Question::FaceOut => bail::apply(play, action),
        Question::ShowCommand => {
            play.pop();
            fire::show(play, *action == Action::Show);
        }
        Question::HitAngle => {
            play.pop();
            if let Action::Angle(angle) = action {
                fire::angle(play, *angle);
            }
        }
        Question::Spread => {
            play.pop();
            fire::spread(play, action);
        }
        Question::Begin => play.pop(),
    }
    Ok(())
}

/// Frames that need nobody; the frame has been taken off the stack.
fn run(play: &mut Play, frame: Frame) -> Result<(), Stop> {
    match frame {
        Frame::Sequence => next_phase(play),
        Frame::Spotting => spotting::phase(play),
        Frame::Initiative => initiative::roll(play)?,
        Frame::EndStep => {
            // 4.4.3.2.2: smoke made in this step hinders from now on.
            play.s.new_smoke.clear();
            indirect::settle_dust(play);
            play.s.aimed = UnitSet::EMPTY;
            crate::morale::checks(play)?;
        }
        Frame::Pair(pair) => initiative::take_turn(play, pair),
        Frame::OpenOverwatch => overwatch::open(play),
        Frame::Shot => fire::next_shot(play)?,
        Frame::AssaultNext => assault::next(play)?,
        Frame::Splash => fire::splash(play)?,
        Frame::OverrunAttack => crate::overrun::strike(play)?,
        Frame::IndirectEnd => indirect::settle_smoke(play),
        Frame::Planned(player) => indirect::plan::run(play, player)?,
        Frame::Land => indirect::next(play)?,
        Frame::LandHit => indirect::hit(play)?,
        Frame::FlyOn => air::window(play),
        Frame::AirNext => air::next(play)?,
        Frame::AirHit => air::hit(play)?,
        Frame::Fight => assault::fight(play)?,
        Frame::Penetration { rear } => fire::penetrate(play, rear),
        Frame::Strike => fire::strike(play),
        Frame::Location { angle } => fire::locate(play, angle)?,
        Frame::BailOut => bail::run(play)?,
        Frame::Available => formation::determine(play),
        Frame::Dig => works::dig(play),
        Frame::Recovery => {
            suppress::recover(play)?;
            air::recover(play)?;
            crate::morale::recover(play)?;
        }
        Frame::OpenMovement(player) => movement::open(play, player),
        Frame::Walk => movement::step(play)?,
        Frame::Adjustment => adjustment::counters(play),
        Frame::EndTurn => adjustment::end_turn(play),
        // These ask somebody.
        Frame::Begin
        | Frame::SetUp(_)
        | Frame::Plot(_)
        | Frame::Commands
        | Frame::ChooseOrder(_)
        | Frame::Indirect(_)
        | Frame::LandShow
        | Frame::Misdirect
        | Frame::Load
        | Frame::Air
        | Frame::Flight
        | Frame::AaWindow
        | Frame::AirShow
        | Frame::DirectFire(_)
        | Frame::Overwatch { .. }
        | Frame::Window(_)
        | Frame::Answer { .. }
        | Frame::ShowCommand
        | Frame::HitAngle
        | Frame::Spread
        | Frame::FaceOut
        | Frame::Assault(_)
        | Frame::Support
        | Frame::NamePrimary
        | Frame::AssaultShow
        | Frame::Occupy
        | Frame::Movement(_)
        | Frame::Revise
        | Frame::Overruns
        | Frame::Pivot(_)
        | Frame::FullCover(_) => {}
    }
    Ok(())
}

/// Run the frame on top of the stack, which needs nobody.
pub fn run_top(play: &mut Play) -> Result<(), Stop> {
    let frame = play.s.top();
    if frame != Frame::Sequence {
        play.pop();
    }
    run(play, frame)
}

/// Run until somebody must decide or the game is over.
pub fn settle(play: &mut Play) -> Result<(), Stop> {
    while play.s.ending.is_none() {
        let frame = play.s.top();
        let Some(side) = asks(play.rules, play.s, frame) else {
            run_top(play)?;
            continue;
        };
        // What was worked out for the position before does not hold for this one.
        play.s.stamp.renew();
        let Some(action) = unread(|| forced(&play.cx(side))) else { return Ok(()) };
        if matches!(frame, Frame::DirectFire(_) | Frame::Movement(_) | Frame::Assault(_) | Frame::Indirect(_))
        {
            // Binding Commands (4.2.1): that nobody is left to fire or to move tells what the others have not.
            play.log.reveal();
        }
        apply(play, frame, side, &action)?;
    }
    Ok(())
}

/// 4.0: on to the next phase, or the next turn.
fn next_phase(play: &mut Play) {
    let mut phase = play.s.phase.next().unwrap_or(Phase::Spotting);
    while phase.of_air() && !play.rules.air_war() {
        phase = phase.next().unwrap_or(Phase::Spotting);
    }
    begin(play, phase);
}

/// Open a phase: its steps go on the stack.
pub fn begin(play: &mut Play, phase: Phase) {
    play.s.phase = phase;
    play.tell(Event::Phase { phase });
    play.s.works.mined = UnitSet::EMPTY; // 7.31: once in a phase
    if phase == Phase::Combat {
        play.s.triggers = UnitSet::EMPTY;
        indirect::new_turn(play);
    }
    play.s.indirect.barraged.clear();
    if phase == Phase::Movement {
        play.s.assault.supported = UnitSet::EMPTY; // 6.6.1.1.2
        indirect::settle_smoke(play); // 6.1.4.3.10: smoke fired directly hinders from now on
    }
    let steps = phase::steps(phase, play.rules.advanced.is_some());
    if play.s.pairs.is_empty() || !matches!(phase, Phase::Combat | Phase::Movement) {
        play.then(steps);
    } else {
        play.then(&phase::staggered(steps, play.s.pairs.len() as u8));
    }
}

/// It is somebody else's turn.
pub fn not_your_turn() -> Refusal {
    Refusal::out_of_turn("-", Message::new("no.not_your_turn"))
}
