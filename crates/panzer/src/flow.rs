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
        Frame::AssaultShow => Some(rules.vehicle(s.assault.target).side),
        Frame::ShowCommand => Some(rules.vehicle(s.fire.showing()).side),
        Frame::HitAngle => Some(rules.vehicle(s.fire.struck()).side),
        Frame::Revise | Frame::Overruns => Some(rules.vehicle(s.walk.unit).side),
        Frame::FaceOut => s.landed.last().map(|unit| rules.vehicle(*unit).side),
        Frame::Window(_) => Some(rules.vehicle(s.walk.unit).side.enemy()),
        Frame::Sequence
        | Frame::Spotting
        | Frame::Initiative
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

/// The one thing that can be done, if there is only one: nobody is asked then.
pub fn forced(cx: &Cx) -> Option<Action> {
    match cx.frame {
        Frame::Commands => command::forced(cx),
        Frame::Pivot(_) | Frame::FullCover(_) => rest::forced(cx),
        Frame::DirectFire(_) => fire::forced(cx),
        Frame::Assault(_) | Frame::NamePrimary => assault::forced(cx),
        Frame::Indirect(_) => indirect::forced(cx),
        Frame::Load | Frame::Air | Frame::AaWindow => air::forced(cx),
        Frame::Movement(_) => movement::forced(cx),
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => overwatch::forced(cx),
        _ => None,
    }
}

/// Step one of choosing.
pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    match cx.frame {
        Frame::SetUp(_) => setup::subjects(cx, out),
        Frame::Commands => command::subjects(cx, out),
        Frame::Pivot(_) | Frame::FullCover(_) => rest::subjects(cx, out),
        Frame::ChooseOrder(_) => initiative::subjects(out),
        Frame::DirectFire(_) => {
            // Whoever must fire does so first; passengers need not (6.6.7.2).
            if fire::check(cx, &Action::Done).is_ok() {
                out.push(Subject::Phase);
            }
            fire::subjects(cx, out);
            if out.is_empty() {
                out.push(Subject::Phase);
            }
        }
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => overwatch::subjects(cx, out),
        Frame::Movement(_) | Frame::Revise => movement::subjects(cx, out),
        Frame::Indirect(_) | Frame::LandShow | Frame::Misdirect => indirect::subjects(cx, out),
        Frame::Load | Frame::Air | Frame::Flight | Frame::AaWindow | Frame::AirShow => {
            air::subjects(cx, out);
        }
        Frame::Assault(_) | Frame::NamePrimary | Frame::AssaultShow | Frame::Occupy => {
            assault::subjects(cx, out);
        }
        _ => out.push(Subject::Phase),
    }
}

/// Step two of choosing.
pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match cx.frame {
        Frame::SetUp(_) => setup::options(cx, subject, out),
        Frame::Plot(_) => indirect::plan::options(cx, subject, out),
        Frame::Commands => command::options(cx, subject, out),
        Frame::Pivot(_) | Frame::FullCover(_) => rest::options(cx, subject, out),
        Frame::ChooseOrder(_) => initiative::options(subject, out),
        Frame::DirectFire(_) if subject == Subject::Phase => {
            out.extend(fire::check(cx, &Action::Done).is_ok().then_some(Action::Done));
        }
        Frame::DirectFire(_) => fire::options(cx, subject, out),
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => {
            overwatch::options(cx, subject, out);
        }
        Frame::Movement(_) | Frame::Revise => movement::options(cx, subject, out),
        Frame::Indirect(_) | Frame::LandShow | Frame::Misdirect => indirect::options(cx, subject, out),
        Frame::Load | Frame::Air | Frame::Flight | Frame::AaWindow | Frame::AirShow => {
            air::options(cx, subject, out);
        }
        Frame::Assault(_) | Frame::NamePrimary | Frame::AssaultShow | Frame::Occupy => {
            assault::options(cx, subject, out);
        }
        _ if subject != Subject::Phase => {}
        Frame::ShowCommand => {
            let moves = cx.s.unit(cx.s.fire.showing()).command.moves();
            out.extend(moves.then_some(Action::Show));
            out.push(Action::Decline);
        }
        Frame::HitAngle => out.extend(fire::angles(cx.rules, cx.s).into_iter().map(Action::Angle)),
        Frame::Spread => fire::spreads(cx, out),
        Frame::Overruns => crate::overrun::options(cx, out),
        Frame::FaceOut => bail::options(cx, out),
        Frame::Begin => out.push(Action::Done),
        _ => {}
    }
}

/// May it be done?
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match cx.frame {
        Frame::SetUp(_) => setup::check(cx, action),
        Frame::Plot(_) => indirect::plan::check(cx, action),
        Frame::Commands => command::check(cx, action),
        Frame::Pivot(_) | Frame::FullCover(_) => rest::check(cx, action),
        Frame::ChooseOrder(_) => initiative::check(cx, action),
        Frame::DirectFire(_) => fire::check(cx, action),
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => overwatch::check(cx, action),
        Frame::Movement(_) | Frame::Revise => movement::check(cx, action),
        Frame::Indirect(_) | Frame::LandShow | Frame::Misdirect => indirect::check(cx, action),
        Frame::Load | Frame::Air | Frame::Flight | Frame::AaWindow | Frame::AirShow => air::check(cx, action),
        Frame::Assault(_) | Frame::NamePrimary | Frame::AssaultShow | Frame::Occupy => {
            assault::check(cx, action)
        }
        Frame::ShowCommand => match action {
            Action::Decline => Ok(()),
            Action::Show if cx.s.unit(cx.s.fire.showing()).command.moves() => Ok(()),
            Action::Show => {
                cx.rules.no("4.4.3.2.2", "show.not_moving").unit("unit", cx.s.fire.showing()).into()
            }
            _ => Err(cx.rules.not_now()),
        },
        Frame::HitAngle => match action {
            Action::Angle(angle) if fire::angles(cx.rules, cx.s).contains(angle) => Ok(()),
            _ => Err(cx.rules.not_now()),
        },
        Frame::Spread => fire::check_spread(cx, action),
        Frame::Overruns => crate::overrun::check(cx, action),
        Frame::FaceOut => bail::check(cx, action),
        Frame::Begin if *action == Action::Done => Ok(()),
        _ => Err(cx.rules.not_now()),
    }
}

/// Do it; it has been checked. The frame is still on the stack: who is done with it pops it.
pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    match frame {
        Frame::SetUp(_) => setup::apply(play, side, action),
        Frame::Plot(_) => indirect::plan::apply(play, action),
        Frame::Commands => command::apply(play, side, action),
        Frame::Pivot(_) | Frame::FullCover(_) => rest::apply(play, action),
        Frame::ChooseOrder(_) => initiative::apply(play, side, action),
        Frame::DirectFire(_) => match action {
            Action::Fire { target, shots } => {
                fire::declare(play, fire::Kind::Direct, *target, shots, &[]);
            }
            Action::Smoke { unit, hex } => fire::smoke::fire(play, *unit, *hex)?,
            Action::Discharge { unit } => fire::smoke::discharge(play, *unit)?,
            _ => play.pop(),
        },
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => {
            overwatch::apply(play, frame, side, action);
        }
        Frame::Movement(_) | Frame::Revise => movement::apply(play, side, action)?,
        Frame::Indirect(_) | Frame::LandShow | Frame::Misdirect => {
            indirect::apply(play, frame, side, action)?;
        }
        Frame::Load | Frame::Air | Frame::Flight | Frame::AaWindow | Frame::AirShow => {
            air::apply(play, frame, action)?;
        }
        Frame::Assault(_) if matches!(action, Action::Demolish { .. }) => {
            if let Action::Demolish { hex, units } = action {
                works::demolish(play, *hex, units)?; // 7.19
            }
        }
        Frame::Assault(_) | Frame::NamePrimary | Frame::AssaultShow | Frame::Occupy => {
            assault::apply(play, frame, action)?;
        }
        Frame::Overruns => crate::overrun::apply(play, action),
        Frame::FaceOut => bail::apply(play, action),
        Frame::ShowCommand => {
            play.pop();
            fire::show(play, *action == Action::Show);
        }
        Frame::HitAngle => {
            play.pop();
            if let Action::Angle(angle) = action {
                fire::angle(play, *angle);
            }
        }
        Frame::Spread => {
            play.pop();
            fire::spread(play, action);
        }
        _ => play.pop(),
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
        // The rest asks somebody.
        _ => {}
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
        indirect::settle_smoke(play); // 6.1.4.3.10: smoke fired directly hinders from now on
    }
    play.then(phase::steps(phase, play.rules.advanced.is_some()));
}

/// It is somebody else's turn.
pub fn not_your_turn() -> Refusal {
    Refusal::out_of_turn("-", Message::new("no.not_your_turn"))
}
