//! The one table from frames to what they do, and the sequence of play (4.0).

use kernel::{Message, Refusal, Stop};
use rulebook::flow::{Does, Flow, Question};

use crate::{
    action::{Action, Subject},
    adjustment, air, assault, bail, command,
    event::Event,
    fire, formation,
    frame::Frame,
    hidden, indirect, initiative, morale, movement, overrun, overwatch,
    pack::Side,
    phase::{self, Phase},
    play::{At, Cx, Play},
    refusal::unread,
    rest,
    rules::Panzer,
    setup, show, spotting,
    state::State,
    suppress,
    units::UnitSet,
    works,
};

impl Flow for Panzer {
    type Frame = Frame;
    type Side = Side;
    type Play<'a> = Play<'a>;
    const PHASE: Subject = Subject::Phase;

    fn does(frame: Frame) -> Does<Panzer> {
        use Does::{Asks, Runs};
        match frame {
            Frame::Sequence => Runs(|play, _| {
                next_phase(play);
                Ok(())
            }),
            Frame::Begin => Asks(&Begin),
            Frame::SetUp(_) => Asks(&setup::SetUp),
            Frame::Plot(_) => Asks(&indirect::plan::Planning),

            Frame::Spotting => Runs(|play, _| {
                spotting::phase(play);
                Ok(())
            }),
            Frame::Available => Runs(|play, _| {
                formation::determine(play);
                Ok(())
            }),
            Frame::Commands => Asks(&command::Commands),
            Frame::Initiative => Runs(|play, _| initiative::roll(play)),
            Frame::ChooseOrder(_) => Asks(&initiative::Order),
            Frame::Pair(_) => Runs(|play, frame| {
                if let Frame::Pair(pair) = frame {
                    initiative::take_turn(play, pair);
                }
                Ok(())
            }),

            Frame::Indirect(_) => Asks(&indirect::Calls),
            Frame::Misdirect => Asks(&indirect::Misdirect),
            Frame::IndirectEnd => Runs(|play, _| {
                indirect::settle_smoke(play);
                Ok(())
            }),
            Frame::Planned(_) => Runs(|play, frame| match frame {
                Frame::Planned(player) => indirect::plan::run(play, player),
                _ => Ok(()),
            }),
            Frame::Land => Runs(|play, _| indirect::next(play)),
            Frame::LandShow => Asks(&show::AT_SHELLS),
            Frame::LandHit => Runs(|play, _| indirect::hit(play)),

            Frame::DirectFire(_) => Asks(&fire::DirectFire),
            Frame::Shot => Runs(|play, _| fire::next_shot(play)),
            Frame::ShowCommand => Asks(&show::AT_FIRE),
            Frame::Spread => Asks(&fire::Spread),
            Frame::Strike => Runs(|play, _| {
                fire::strike(play);
                Ok(())
            }),
            Frame::HitAngle => Asks(&fire::HitAngle),
            Frame::Location { .. } => Runs(|play, frame| match frame {
                Frame::Location { angle } => fire::locate(play, angle),
                _ => Ok(()),
            }),
            Frame::Penetration { .. } => Runs(|play, frame| {
                if let Frame::Penetration { rear } = frame {
                    fire::penetrate(play, rear);
                }
                Ok(())
            }),
            Frame::Splash => Runs(|play, _| fire::splash(play)),
            Frame::BailOut => Runs(|play, _| bail::run(play)),
            Frame::FaceOut => Asks(&bail::FaceOut),
            Frame::EndStep => Runs(|play, _| {
                // 4.4.3.2.2: smoke made in this step hinders from now on.
                play.s.new_smoke.clear();
                indirect::settle_dust(play);
                play.s.aimed = UnitSet::EMPTY;
                morale::checks(play)
            }),
            Frame::OpenOverwatch => Runs(|play, _| {
                overwatch::open(play);
                Ok(())
            }),
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => Asks(&overwatch::Overwatch),

            Frame::Assault(_) => Asks(&assault::Assaults),
            Frame::AssaultNext => Runs(|play, _| assault::next(play)),
            Frame::NamePrimary => Asks(&assault::NamePrimary),
            Frame::AssaultShow => Asks(&show::AT_ASSAULT),
            Frame::Support => Asks(&assault::Support),
            Frame::Fight => Runs(|play, _| assault::fight(play)),
            Frame::Occupy => Asks(&assault::Occupy),

            Frame::OpenMovement(_) => Runs(|play, frame| {
                if let Frame::OpenMovement(player) = frame {
                    movement::open(play, player);
                }
                Ok(())
            }),
            Frame::Movement(_) => Asks(&movement::Movement),
            Frame::Walk => Runs(|play, _| movement::step(play)),
            Frame::Revise => Asks(&movement::Revise),
            Frame::Overruns => Asks(&overrun::Overruns),
            Frame::OverrunAttack => Runs(|play, _| overrun::strike(play)),
            Frame::Dig => Runs(|play, _| {
                works::dig(play);
                Ok(())
            }),

            Frame::Load => Asks(&air::Load),
            Frame::Air => Asks(&air::Sorties),
            Frame::Flight => Asks(&air::Flying),
            Frame::AaWindow => Asks(&air::AaFire),
            Frame::FlyOn => Runs(|play, _| {
                air::window(play);
                Ok(())
            }),
            Frame::AirNext => Runs(|play, _| air::next(play)),
            Frame::AirShow => Asks(&show::AT_STRIKE),
            Frame::AirHit => Runs(|play, _| air::hit(play)),

            Frame::Pivot(_) => Asks(&rest::Pivot),
            Frame::FullCover(_) => Asks(&rest::FullCover),
            Frame::Recovery => Runs(|play, _| {
                suppress::recover(play)?;
                air::recover(play)?;
                morale::recover(play)
            }),
            Frame::Adjustment => Runs(|play, _| {
                adjustment::counters(play);
                Ok(())
            }),
            Frame::EndTurn => Runs(|play, _| {
                adjustment::end_turn(play);
                Ok(())
            }),
        }
    }

    fn top(play: &Play) -> Option<Frame> {
        play.s.ending.is_none().then(|| play.s.top())
    }

    fn take_off(play: &mut Play, frame: Frame) {
        if frame != Frame::Sequence {
            play.pop();
        }
    }

    fn position<'a>(play: &'a Play) -> (&'a Panzer, &'a State) {
        (play.rules, play.s)
    }

    fn reach(play: &mut Play, question: &dyn Question<Panzer>, at: At) -> Option<Action> {
        // Results that were cached for the previous position are not valid for this one.
        play.s.stamp.renew();
        let world = play.rules.world(play.s, at.side);
        let cx = Cx { rules: play.rules, s: &world, side: at.side, frame: at.frame };
        let action = unread(|| question.forced(&cx))?;
        let carries_out_commands = matches!(
            at.frame,
            Frame::DirectFire(_) | Frame::Movement(_) | Frame::Assault(_) | Frame::Indirect(_)
        );
        if carries_out_commands {
            // Binding Commands (4.2.1): if no unit is left to fire or to move, this reveals which Commands the others do not have.
            play.log.reveal();
        }
        Some(action)
    }

    fn not_now(&self) -> Refusal {
        self.not_now()
    }
}

/// Applies a decision that has been checked: hidden units that act come into view first (7.2).
pub(crate) fn decide(play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
    hidden::acts(play, at.side, action);
    rulebook::flow::apply::<Panzer>(play, at, action)?;
    hidden::acted(play);
    Ok(())
}

/// A lab file that begins in a phase without decisions: waits for `done`.
#[derive(Debug)]
struct Begin;

impl Question<Panzer> for Begin {
    fn asks(&self, _: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(s.first.unwrap_or_default())
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
