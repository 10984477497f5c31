//! Pivot and Full Cover (6.8.1, 6.8.2): one side after the other, in the Adjustment Phase.

use hexgrid::Direction;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

impl Panzer {
    /// A dismounted Leg unit or a detached towed unit.
    pub fn on_foot(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.on_map() && !u.passenger() && !self.is_vehicle(unit)
    }

    /// 6.1.4.2: whether the unit may be in Full Cover in its hex.
    pub fn may_take_cover(&self, s: &State, unit: UnitId) -> bool {
        self.on_foot(s, unit) && self.chart(s, unit).is_some_and(|chart| chart.full_cover)
    }
}

/// What both questions share: a side without such units is not asked; units act one by one.
fn forced(cx: &Cx, acts: fn(&Cx, UnitId) -> bool) -> Option<Action> {
    let nobody =
        !cx.rules.hides(cx.s, cx.side) && !cx.rules.units_of(cx.side).iter().any(|unit| acts(cx, *unit)); // 7.2
    nobody.then_some(Action::Done)
}

fn subjects(cx: &Cx, acts: fn(&Cx, UnitId) -> bool, out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
    let mine = cx.rules.units_of(cx.side).iter().filter(|unit| acts(cx, **unit));
    out.extend(mine.map(|unit| Subject::Unit(*unit)));
}

/// 6.8.1: units on foot and guns may turn.
#[derive(Debug)]
pub struct Pivot;

fn turns(cx: &Cx, unit: UnitId) -> bool {
    cx.rules.on_foot(cx.s, unit)
}

impl Question<Panzer> for Pivot {
    fn asks(&self, _: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        frame.player().and_then(|player| s.side_of(player))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        forced(cx, turns)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        subjects(cx, turns, out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side && turns(cx, unit) => {
                let now = cx.s.unit(unit).facing;
                let others = Direction::ALL.into_iter().filter(|facing| *facing != now);
                out.extend(others.map(|facing| Action::Pivot { unit, facing }));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Pivot { unit, .. } => {
                cx.rules.own(cx.side, *unit)?;
                if turns(cx, *unit) {
                    Ok(())
                } else {
                    cx.rules.no("6.8.1", "rest.on_foot").unit("unit", *unit).into()
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Pivot { unit, facing } = action {
            play.s.unit_mut(*unit).facing = *facing;
            play.tell(Event::Turned { unit: *unit, facing: *facing, cost: 0 });
        } else {
            play.pop();
        }
        Ok(())
    }
}

/// 6.8.2: units go into Full Cover or leave it.
#[derive(Debug)]
pub struct FullCover;

fn takes_cover(cx: &Cx, unit: UnitId) -> bool {
    cx.rules.may_take_cover(cx.s, unit)
}

impl Question<Panzer> for FullCover {
    fn asks(&self, _: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        frame.player().and_then(|player| s.side_of(player))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        forced(cx, takes_cover)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        subjects(cx, takes_cover, out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side && takes_cover(cx, unit) => {
                out.push(Action::Cover { unit, on: !cx.s.unit(unit).is(Flags::FULL_COVER) });
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Cover { unit, .. } => {
                cx.rules.own(cx.side, *unit)?;
                match () {
                    () if !cx.rules.on_foot(cx.s, *unit) => {
                        cx.rules.no("6.1.4.2", "rest.on_foot").unit("unit", *unit).into()
                    }
                    () if !takes_cover(cx, *unit) => {
                        cx.rules.no("6.1.4.2", "rest.no_cover").unit("unit", *unit).into()
                    }
                    () => Ok(()),
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Cover { unit, on } = action {
            let u = play.s.unit_mut(*unit);
            if *on {
                u.set(Flags::FULL_COVER);
            } else {
                u.clear(Flags::FULL_COVER);
            }
            play.tell(Event::FullCover { unit: *unit, on: *on });
        } else {
            play.pop();
        }
        Ok(())
    }
}
