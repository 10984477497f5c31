//! Flak Fire at helicopters (27.2) and its effects (26.4.7, 27.3).

use kernel::{Refusal, Stop};

use super::{
    Leg,
    flight::{abort, lose_step},
};
use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::Frame,
    pack::AntiAircraftResult,
    play::{At, Cx, Play, Question, seat},
    rules::Wurzburg,
    state::{Standing, State},
    units::{Side, Symbol, UnitId},
};

fn flyer(s: &State) -> Option<UnitId> {
    s.sky.flight.as_ref().map(|flight| flight.unit)
}

fn owner(rules: &Wurzburg, s: &State) -> Side {
    flyer(s).map_or(Side::Wp, |unit| rules.counter(unit).side)
}

/// The true strength against the flying unit.
fn strength(rules: &Wurzburg, s: &State) -> (bool, u8) {
    flyer(s).map_or((false, 0), |unit| rules.helicopter_flak(s, rules.counter(unit).side, s.unit(unit).hex))
}

/// 27.2.2: roll with the announced strength.
pub(super) fn roll(play: &mut Play, side: Side, announced: u8) -> Result<AntiAircraftResult, Stop> {
    let modifier = i8::try_from(announced).unwrap_or(i8::MAX);
    let roll = play.roll(side, modifier, "roll.flak", "27.2.2")?;
    let modified = modifier.saturating_add(roll as i8);
    let result = play.rules.tables.anti_aircraft.result(modified);
    play.tell(Event::AntiAircraft { side, sam: false, strength: announced, roll, modified, result });
    Ok(result)
}

/// 27.2.2: the only choice is the announced strength.
#[derive(Debug)]
pub struct FlakFire;

impl Question<Wurzburg> for FlakFire {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(owner(rules, s).enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let most = strength(cx.rules, cx.s).1;
        let flight = flyer(cx.s).map(|unit| unit.0);
        let always =
            !cx.s.standing.is_empty() && cx.s.standing.would_hold(seat(cx.side), &Standing::FullFlak, flight);
        (most == 0 || always).then_some(Action::Flak(most))
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend((0..=strength(cx.rules, cx.s).1).rev().map(Action::Flak));
            out.push(Action::Always);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Always => Ok(()),
            Action::Flak(announced) => {
                let most = strength(cx.rules, cx.s).1;
                if *announced > most {
                    return cx.rules.no("27.2.2", "air.flak").number("most", i64::from(most)).into();
                }
                Ok(())
            }
            Action::Hold | Action::Done => cx.rules.no("27.2.2", "air.must_fire").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Some(unit) = flyer(play.s) else { return Ok(()) };
        let announced = match action {
            Action::Always => {
                play.s.standing.give(seat(side), Standing::FullFlak, Some(unit.0));
                strength(play.rules, play.s).1
            }
            Action::Flak(announced) => *announced,
            _ => return Ok(()),
        };
        let result = roll(play, side, announced)?;
        let home = play.s.sky.flight.as_ref().is_some_and(super::Flight::bound_home);
        match result {
            AntiAircraftResult::NoEffect => choose(play, unit),
            AntiAircraftResult::HitCheckOrAbort if !home => play.push(Frame::FlakChoice),
            AntiAircraftResult::HitCheckOrAbort => {}
            AntiAircraftResult::HitCheckAndAbort => {
                hit_check(play, unit)?;
                if !home && play.s.sky.flight.is_some() {
                    abort(play, side.enemy());
                }
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.flak", "27.2.2")
    }
}

/// 25.2: attack helicopters may abort after any combat; utility units only by a result.
fn choose(play: &mut Play, unit: UnitId) {
    let flight = play.s.sky.flight.as_ref();
    let open = flight.is_some_and(|flight| flight.leg == Leg::Out && !flight.aborted);
    if open && play.rules.counter(unit).symbol == Symbol::AttackHelicopter {
        play.push(Frame::OnTheWay);
    }
}

/// 27.3.1: the firing player rolls; a loaded utility unit also loses a passenger step (26.4.7).
fn hit_check(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let side = play.rules.counter(unit).side.enemy();
    let defense = play.rules.helicopter_defense(play.s, unit);
    let roll = play.roll(side, 0, "roll.hit_check", "27.3.1")?;
    let lost = roll >= defense;
    play.tell(Event::HitCheck { side, roll, defense, lost });
    if !lost {
        return Ok(());
    }
    let left = lose_step(play, unit);
    let loaded = play.s.sky.flight.as_ref().is_some_and(|f| matches!(f.leg, Leg::Loaded | Leg::Returning));
    if loaded && left {
        play.push(Frame::PassengerLoss);
    }
    if !left {
        // All passengers are lost too.
        let flight = play.s.sky.flight.take();
        if let Some(flight) = flight.filter(|_| loaded) {
            for passenger in &flight.passengers {
                let steps = play.s.unit(passenger).steps;
                play.lose_otherwise(passenger, steps);
            }
        }
    }
    Ok(())
}

/// 27.3: undergo the Hit Check and continue, or abort.
#[derive(Debug)]
pub struct FlakChoice;

impl Question<Wurzburg> for FlakChoice {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(owner(rules, s))
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([Action::GoOn, Action::Abort]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if matches!(action, Action::GoOn | Action::Abort) { Ok(()) } else { Err(cx.rules.not_now()) }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Some(unit) = flyer(play.s) else { return Ok(()) };
        if *action == Action::Abort {
            abort(play, side);
            return Ok(());
        }
        let before = play.s.unit(unit).steps;
        hit_check(play, unit)?;
        if play.s.sky.flight.is_some() && play.s.unit(unit).steps < before {
            choose(play, unit);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.flak_choice", "27.3")
    }
}

/// 26.4.7 item 5: the firing player chooses the passengers that lose a step.
#[derive(Debug)]
pub struct PassengerLoss;

fn aboard(s: &State) -> Units {
    let flight = s.sky.flight.as_ref();
    flight.map_or_else(Units::new, |flight| {
        flight.passengers.iter().filter(|unit| s.unit(*unit).steps > 0).collect()
    })
}

impl Question<Wurzburg> for PassengerLoss {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(owner(rules, s).enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        match aboard(cx.s)[..] {
            [] => Some(Action::Done),
            [unit] => Some(Action::Lose(unit)),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(aboard(cx.s).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && aboard(cx.s).contains(&unit)
        {
            out.push(Action::Lose(unit));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Lose(unit) if aboard(cx.s).contains(unit) => Ok(()),
            Action::Lose(unit) => cx.rules.no("26.4.7", "air.not_aboard").unit("unit", *unit).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Action::Lose(unit) = action else { return Ok(()) };
        play.lose_otherwise(*unit, 1);
        if play.s.unit(*unit).steps == 0
            && let Some(flight) = &mut play.s.sky.flight
        {
            flight.passengers.remove(*unit);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.passenger_loss", "26.4.7")
    }
}
