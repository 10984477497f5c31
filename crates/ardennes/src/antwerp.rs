//! The Antwerp defense (27.3): British units that must leave the map once Germans have exited it.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Maps, Side, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// 27.3: units leave for Antwerp.
#[derive(Debug)]
pub struct Antwerp;

impl Question<Ardennes> for Antwerp {
    fn asks(&self, _: &Ardennes, _: &State, _: Frame) -> Option<Side> {
        Some(Side::Allied)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        // Asked at the end of a German turn, while Antwerp is too weak and there is a choice of units to send.
        if cx.s.side != Side::German || !insufficient(cx.rules, cx.s) {
            return Some(Action::Done);
        }
        let mut able = candidates(cx);
        match (able.next(), able.next()) {
            (None, _) => Some(Action::Done),
            (Some(unit), None) => Some(Action::Antwerp { unit }),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(candidates(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && able(cx, unit)
        {
            out.push(Action::Antwerp { unit });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Antwerp { unit } if cx.rules.counter(unit).side != cx.side => {
                Err(cx.rules.refuse_owner(unit, cx.side))
            }
            Action::Antwerp { unit } if able(cx, unit) => Ok(()),
            Action::Antwerp { unit } => cx.rules.no("27.3", "antwerp.who").unit("unit", unit).into(),
            // The Allied player must make Antwerp strong enough.
            Action::Done => cx
                .rules
                .no("27.3", "antwerp.must")
                .number("has", defense(cx.rules, cx.s))
                .number("needed", needed(cx.rules, cx.s))
                .into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Antwerp { unit } = *action else {
            play.pop();
            return Ok(());
        };
        send(play, unit);
        Ok(())
    }
}

/// The unit goes to the Antwerp Box permanently; step losses stay.
fn send(play: &mut Play, unit: UnitId) {
    let reduced = play.s.unit(unit).is(Flags::REDUCED);
    play.rules.take_off(play.s, unit, Place::Antwerp);
    if reduced {
        play.s.unit_mut(unit).flags.set(Flags::REDUCED);
    }
    play.tell(Event::ToAntwerp { unit });
}

/// 27.3: must British reinforcements go to the Antwerp Box?
pub fn insufficient(rules: &Ardennes, s: &State) -> bool {
    // 1E 27.3 has no Antwerp defense; without the West map no unit gets there.
    !rules.british_stay_bound()
        && rules.scenario.maps == Maps::Both
        && s.exited_attack > 0
        && defense(rules, s) < needed(rules, s)
}

/// The defense factors of the Allied units in the Box.
pub fn defense(rules: &Ardennes, s: &State) -> u16 {
    let there = |unit: &UnitId| s.unit(*unit).place() == Place::Antwerp;
    rules.units_of(Side::Allied).filter(there).map(|unit| u16::from(rules.factors(s, unit).defense)).sum()
}

/// The defense factors that Antwerp needs against the German units that have exited.
pub fn needed(rules: &Ardennes, s: &State) -> u16 {
    s.exited_attack + u16::from(rules.tables().victory.antwerp_margin)
}

fn able(cx: &Cx, unit: UnitId) -> bool {
    let counter = cx.rules.counter(unit);
    counter.side == Side::Allied && counter.british && cx.s.unit(unit).hex().is_some()
}

fn candidates(cx: &Cx) -> impl Iterator<Item = UnitId> {
    cx.rules.units_of(Side::Allied).filter(move |unit| able(cx, *unit))
}
