//! Smoke markers (6.3.3): if the scenario gives any, a side places them on engineers of the activated chain.

use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::State,
    units::{Side, Symbol, UnitId},
};

/// 6.3.3: a Smoke marker on an engineer, or none.
#[derive(Debug)]
pub struct Smoke;

fn check(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, unit)?;
    let no = |key| rules.no("6.3.3", key).unit("unit", unit).into();
    if cx.s.sides[cx.side.index()].smoke == 0 {
        return no("smoke.none_left");
    }
    let u = cx.s.unit(unit);
    if rules.counter(unit).symbol != Symbol::Engineer || !u.on_map() || cx.s.smoke(u.hex) {
        return no("smoke.place");
    }
    if !rules.activates_with(cx.s, unit, cx.s.active) {
        return no("smoke.not_active");
    }
    Ok(())
}

fn able(cx: &Cx) -> Units {
    if cx.s.sides[cx.side.index()].smoke == 0 {
        return Units::new();
    }
    cx.rules.engineers(cx.side).iter().copied().filter(|unit| check(cx, *unit).is_ok()).collect()
}

impl Question<Wurzburg> for Smoke {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.active.some().map_or(Side::Wp, |active| rules.formation(active).side))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        able(cx).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(able(cx).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if check(cx, unit).is_ok() => out.push(Action::Smoke(unit)),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Smoke(unit) => check(cx, *unit),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        let Action::Smoke(unit) = action else {
            play.pop();
            return Ok(());
        };
        let hex = play.s.unit(*unit).hex;
        play.s.sides[side.index()].smoke -= 1;
        play.s.change_mark(hex, |mark| mark.smoke = true);
        play.tell(Event::Smoke { hex, built: true });
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.smoke", "6.3.3")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
