//! Pivot and Full Cover (6.8.1, 6.8.2): one side after the other, in the Adjustment Phase.

use hexgrid::Direction;
use kernel::Refusal;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    play::{Cx, Play},
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

    /// 6.1.4.2: may the unit be in Full Cover where it is?
    pub fn may_take_cover(&self, s: &State, unit: UnitId) -> bool {
        self.on_foot(s, unit) && self.chart(s, unit).is_some_and(|chart| chart.full_cover)
    }
}

fn acts(cx: &Cx, unit: UnitId) -> bool {
    match cx.frame {
        Frame::Pivot(_) => cx.rules.on_foot(cx.s, unit),
        _ => cx.rules.may_take_cover(cx.s, unit),
    }
}

/// A side without such units is not asked.
pub fn forced(cx: &Cx) -> Option<Action> {
    let nobody = !cx.rules.units_of(cx.side).iter().any(|unit| acts(cx, *unit));
    nobody.then_some(Action::Done)
}

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
    let mine = cx.rules.units_of(cx.side).iter().filter(|unit| acts(cx, **unit));
    out.extend(mine.map(|unit| Subject::Unit(*unit)));
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match subject {
        Subject::Phase => out.push(Action::Done),
        Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side && acts(cx, unit) => {
            let u = cx.s.unit(unit);
            if matches!(cx.frame, Frame::Pivot(_)) {
                let others = Direction::ALL.into_iter().filter(|facing| *facing != u.facing);
                out.extend(others.map(|facing| Action::Pivot { unit, facing }));
            } else {
                out.push(Action::Cover { unit, on: !u.is(Flags::FULL_COVER) });
            }
        }
        _ => {}
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Done => Ok(()),
        Action::Pivot { unit, .. } if matches!(cx.frame, Frame::Pivot(_)) => {
            cx.rules.own(cx.side, *unit)?;
            if acts(cx, *unit) {
                Ok(())
            } else {
                cx.rules.no("6.8.1", "rest.on_foot").unit("unit", *unit).into()
            }
        }
        Action::Cover { unit, .. } if matches!(cx.frame, Frame::FullCover(_)) => {
            cx.rules.own(cx.side, *unit)?;
            if !cx.rules.on_foot(cx.s, *unit) {
                return cx.rules.no("6.1.4.2", "rest.on_foot").unit("unit", *unit).into();
            }
            if acts(cx, *unit) {
                Ok(())
            } else {
                cx.rules.no("6.1.4.2", "rest.no_cover").unit("unit", *unit).into()
            }
        }
        _ => Err(cx.rules.not_now()),
    }
}

pub fn apply(play: &mut Play, action: &Action) {
    match action {
        Action::Pivot { unit, facing } => {
            play.s.unit_mut(*unit).facing = *facing;
            play.tell(Event::Turned { unit: *unit, facing: *facing, cost: 0 });
        }
        Action::Cover { unit, on } => {
            let u = play.s.unit_mut(*unit);
            if *on {
                u.set(Flags::FULL_COVER);
            } else {
                u.clear(Flags::FULL_COVER);
            }
            play.tell(Event::FullCover { unit: *unit, on: *on });
        }
        _ => play.pop(),
    }
}
