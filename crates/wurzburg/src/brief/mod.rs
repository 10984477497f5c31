//! Facts relevant to a question before it is answered (`kernel::Brief`). Dice are tried only if they depend on nothing
//! that the enemy hides.

mod fight;
mod sky;

use kernel::{Brief, BriefAnswer, Message, Rules, Seat, brief::by_dice, view::Chance};

use crate::{
    action::Action,
    engineers::set_charges_number,
    frame::Frame,
    play::side,
    rules::Wurzburg,
    state::{Place, State},
    support::{Answer, best_batteries},
    units::Side,
};

/// The weight of a step in the tone of a chance.
const STEP: f32 = 0.3;

pub fn brief(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    if rules.cx(s, seat).is_none() {
        return Brief::default();
    }
    match s.top() {
        Frame::AirProfile => return sky::profiles(rules, s, seat),
        Frame::AirChoice => return sky::hit_check(rules, s),
        Frame::FlakChoice => return sky::helicopter_check(rules, s),
        Frame::OnTheWay => return sky::on_the_way(rules, s, seat),
        Frame::AntiAircraft | Frame::FlakFire | Frame::DropFlak(_) => {
            return sky::anti_aircraft(rules, s, seat);
        }
        Frame::Stand => return fight::stand(rules, s),
        Frame::Jamming => return fight::jamming(rules, s, seat),
        Frame::CounterBattery => return batteries(rules, s),
        Frame::Demolition => return demolitions(rules, s, seat),
        Frame::Works(_) => return works(s, side(seat)),
        _ => {}
    }
    if !matches!(s.top(), Frame::Withdraw(_)) {
        return Brief::default();
    }
    // Only the side's own steps: those of the enemy may be hidden.
    let own = |s: &State| -> f32 {
        let units = rules.units_of(side(seat)).iter().map(|unit| s.unit(*unit));
        units.filter(|unit| unit.place == Place::Map).map(|unit| f32::from(unit.steps) * STEP).sum()
    };
    Brief { answers: by_dice(rules, s, seat, own), ..Brief::default() }
}

/// The answer with the chance of the better of two results.
fn answer(rules: &Wurzburg, s: &State, action: &Action, p: f64, keys: [&'static str; 2]) -> BriefAnswer {
    let chance = |key: &'static str, p, tone| Chance { label: Message::new(key), p, tone };
    let mut chances = vec![chance(keys[0], 1.0 - p, -1.0), chance(keys[1], p, 1.0)];
    chances.retain(|chance| chance.p > 0.0);
    BriefAnswer { action: rules.notate(s, action), chances, ..BriefAnswer::default() }
}

/// The chance to roll the number or more.
fn at_least(number: u8, modifier: i8) -> f64 {
    (1..=10).filter(|roll| roll + i32::from(modifier) >= i32::from(number)).count() as f64 / 10.0
}

/// 23.4.2: whether the target is found.
fn batteries(rules: &Wurzburg, s: &State) -> Brief {
    let answers = best_batteries(rules, s, s.support.battery.side).map(|found| {
        let Answer { target, hq, gun, spotter, number } = found;
        let action = Action::Counter { target, hq, gun, spotter };
        answer(rules, s, &action, at_least(number, 0), ["sheet.missed", "sheet.acquired"])
    });
    Brief { answers: answers.collect(), ..Brief::default() }
}

/// 38.1: whether the set charges blow the bridge.
fn demolitions(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let (mut subjects, mut options) = (Vec::new(), Vec::new());
    rules.subjects(s, seat, &mut subjects);
    for subject in subjects {
        rules.options(s, seat, subject, &mut options);
    }
    let answers = options.iter().filter_map(|action| {
        let Action::Blow(bridge) = action else { return None };
        let (number, modifier) = set_charges_number(rules, s, *bridge);
        let p = at_least(number, modifier);
        Some(answer(rules, s, action, p, ["sheet.charges_fail", "sheet.charges_blow"]))
    });
    Brief { answers: answers.collect(), ..Brief::default() }
}

/// How many field works are left to place, and bridges that may still be down when play begins.
fn works(s: &State, side: Side) -> Brief {
    let mut brief = Brief::default();
    let works = &s.sides[side.index()].works;
    let kinds = [
        ("marker.improved_position", works.improved, "35.0"),
        ("marker.obstacle", works.obstacles, "36.0"),
        ("marker.minefield_real", works.mines, "37.1"),
        ("marker.minefield_dummy", works.dummy_mines, "37.1"),
        ("sheet.bridges_left", works.road_bridges, "38.1"),
        ("sheet.autobahn_bridges_left", works.autobahn_bridges, "38.1"),
    ];
    for (key, number, rule) in kinds.into_iter().filter(|(_, number, _)| *number > 0) {
        brief.fact(Message::new(key), number.to_string(), rule);
    }
    brief
}
