//! Overwatch Fire (4.4.2): after all Direct Fire, during enemy movement, and in answer to Overwatch itself.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Subject},
    event::Event,
    fire::{self, Candidate, Kind},
    frame::{Frame, Trigger},
    pack::Side,
    play::{At, Cx, Play, seat},
    rules::Panzer,
    state::{Flags, Hold, State},
    units::UnitSet,
};

/// Whether this side could fire Overwatch now, as far as the other side can know. The question is asked whenever a
/// vehicle with a hidden Command could fire, whatever that Command is: otherwise the question itself would reveal it.
/// Without `supposed`: whether it really can.
pub(crate) fn possible(cx: &Cx, supposed: bool) -> bool {
    let who = Candidate { rules: cx.rules, s: cx.s, kind: Kind::Overwatch, supposed };
    let targets = cx.s.triggers.and(cx.rules.set_of(cx.side.enemy()));
    let mine = cx.rules.units_of(cx.side);
    targets.iter().any(|target| {
        mine.iter().any(|unit| !cx.s.unit(*unit).is(Flags::REVEALED) && who.may_fire(*unit, target))
    })
}

/// What a decision to hold depends on: which vehicles a side still has.
fn in_play(rules: &Panzer, s: &State, side: Side) -> UnitSet {
    let mut set = UnitSet::EMPTY;
    for unit in rules.set_of(side).iter().filter(|unit| s.unit(*unit).on_map()) {
        set.insert(unit);
    }
    set
}

/// 4.4.2: Overwatch Fire, or none.
#[derive(Debug)]
pub struct Overwatch;

impl Question<Panzer> for Overwatch {
    fn asks(&self, rules: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        match frame {
            Frame::Overwatch { side, .. } | Frame::Answer { side, .. } => Some(side),
            _ => Some(rules.vehicle(s.walk.unit).side.enemy()),
        }
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (seat, mine) = (seat(cx.side), in_play(cx.rules, cx.s, cx.side));
        let holds = cx.s.standing.would_hold(seat, &Hold::Step, mine)
            || cx.s.standing.would_hold(seat, &Hold::Move, (cx.s.walk.unit.index(), mine))
                && matches!(cx.frame, Frame::Window(_));
        // 7.2: a side with hidden units is always asked: where they are must not be told by the question.
        let could = || cx.rules.lies_in_wait(cx.s, cx.side) || possible(cx, true);
        (holds || !could()).then_some(Action::Hold)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        fire::subjects(cx, out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                out.push(Action::Hold);
                out.extend(more_to_come(cx.frame).then_some(Action::HoldMove));
                out.push(Action::HoldAll);
            }
            _ => fire::options(cx, subject, out),
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Hold | Action::HoldAll => Ok(()), // 4.4.2: always voluntary
            Action::HoldMove if more_to_come(cx.frame) => Ok(()),
            Action::Fire { target, shots } => fire::check_shots(cx, *target, shots),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        match action {
            Action::Fire { target, shots } => {
                // 4.4.2: an Overwatch shot is itself a trigger for the other side.
                let answer = match at.frame {
                    Frame::Overwatch { .. } => Frame::Overwatch { side: at.side.enemy(), passed: false },
                    _ => Frame::Answer { side: at.side.enemy(), passed: false },
                };
                if let Frame::Window(trigger) = at.frame {
                    play.s.walk.interrupted = true;
                    play.tell(Event::Interrupted { unit: *target, trigger });
                }
                fire::declare(play, Kind::Overwatch, *target, shots, &[answer]);
            }
            _ => {
                let mine = in_play(play.rules, play.s, at.side);
                if *action == Action::HoldMove {
                    play.s.standing.give(seat(at.side), Hold::Move, (play.s.walk.unit.index(), mine));
                }
                if *action == Action::HoldAll {
                    play.s.standing.give(seat(at.side), Hold::Step, mine);
                    play.tell(Event::Held { side: at.side });
                }
                // 4.4.2, 4.5: both sides alternate until neither declares; every vehicle that has fired may be
                // answered.
                match at.frame {
                    Frame::Overwatch { passed: false, .. } => {
                        play.then(&[Frame::Overwatch { side: at.side.enemy(), passed: true }]);
                    }
                    Frame::Answer { passed: false, .. } => {
                        play.then(&[Frame::Answer { side: at.side.enemy(), passed: true }]);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Whether the moving vehicle will trigger Overwatch again.
fn more_to_come(frame: Frame) -> bool {
    matches!(frame, Frame::Window(trigger) if trigger != Trigger::Stay)
}

/// First Player declares first.
pub fn open(play: &mut Play) {
    play.s.standing.end_where(|_, _| true);
    play.s.aimed = crate::units::UnitSet::EMPTY;
    if let Some(side) = play.s.first {
        play.then(&[Frame::Overwatch { side, passed: false }]);
    }
}
