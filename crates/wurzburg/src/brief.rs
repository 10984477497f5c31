//! Facts relevant to a question before it is answered (`kernel::Brief`). Dice are tried only if they depend on nothing
//! that the enemy hides.

use hexgrid::HexId;
use kernel::{Brief, BriefAnswer, Message, Rules, Seat, brief::by_dice, view::Chance};

use crate::{
    action::{Action, Subject},
    engineers::set_charges_number,
    frame::Frame,
    pack::{AirProfile, AntiAircraftResult},
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
        Frame::AirProfile => return profiles(rules, s),
        Frame::AirChoice => return hit_check(rules, s),
        Frame::AntiAircraft | Frame::FlakFire | Frame::DropFlak(_) => return anti_aircraft(rules, s, seat),
        Frame::CounterBattery => return batteries(rules, s),
        Frame::Demolition => return demolitions(rules, s, seat),
        Frame::Works(_) => return works(s, side(seat)),
        _ => {}
    }
    if !matches!(s.top(), Frame::Jamming | Frame::Stand | Frame::Withdraw(_)) {
        return Brief::default();
    }
    // Only the side's own steps: those of the enemy may be hidden.
    let own = |s: &State| -> f32 {
        let units = rules.units_of(side(seat)).iter().map(|unit| s.unit(*unit));
        units.filter(|unit| unit.place == Place::Map).map(|unit| f32::from(unit.steps) * STEP).sum()
    };
    Brief { answers: by_dice(rules, s, seat, own), ..Brief::default() }
}

/// 24.3: the air unit and its target, and the hits by each profile if nothing is shot down before.
fn profiles(rules: &Wurzburg, s: &State) -> Brief {
    let mut brief = Brief::default();
    let Some(air) = &s.support.air else { return brief };
    let vehicle = rules.pack.unit_type(air.aircraft).vehicle.clone();
    let target =
        Message::new("sheet.air_target").text("aircraft", vehicle).place("hex", rules.field.label(air.hex));
    brief.fact(target, air.steps.to_string(), "24.2");
    for profile in [AirProfile::LowBomb, AirProfile::HighBomb] {
        let Some(sheet) = crate::table::profile_sheet(rules, s, air, profile) else { continue };
        let action = Action::Profile { profile, at: HexId::NONE };
        brief.answers.push(BriefAnswer {
            action: rules.notate(s, &action),
            chances: sheet.chances,
            ..BriefAnswer::default()
        });
    }
    brief
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

/// 27.3.1: the Hit Check of an air unit that goes on.
fn hit_check(rules: &Wurzburg, s: &State) -> Brief {
    let figures = s.support.air.as_ref().and_then(|air| rules.profile_of(air));
    let lost = figures.map_or(0.0, |figures| at_least(figures.defense, 0));
    let go_on = answer(rules, s, &Action::GoOn, 1.0 - lost, ["sheet.step_lost", "sheet.no_loss"]);
    Brief { answers: vec![go_on], ..Brief::default() }
}

/// 27.1, 27.2.2: what SAM or Flak Fire of each strength does.
fn anti_aircraft(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let table = &rules.tables.anti_aircraft;
    let standoff = s.support.air.and_then(|air| air.profile).is_some_and(|profile| !profile.bomb());
    let results = [
        (AntiAircraftResult::NoEffect, "sheet.aa_nothing", -0.5),
        (AntiAircraftResult::HitCheckOrAbort, "sheet.aa_choice", 0.5),
        (AntiAircraftResult::HitCheckAndAbort, "sheet.aa_forced", 1.0),
    ];
    let mut options = Vec::new();
    rules.options(s, seat, Subject::Phase, &mut options);
    let answers = options.iter().filter_map(|action| {
        let modifier = match action {
            Action::Flak(strength) => i8::try_from(*strength).unwrap_or(i8::MAX),
            Action::Sam => {
                let sam = i8::try_from(s.sides[side(seat).index()].sam).unwrap_or(i8::MAX);
                sam.saturating_add(if standoff { table.sam_against_standoff } else { 0 })
            }
            _ => return None,
        };
        let chances = results.iter().map(|(result, key, tone)| {
            let rolls =
                (1..=10_i8).filter(|roll| table.result(modifier.saturating_add(*roll)) == *result).count();
            Chance { label: Message::new(*key), p: rolls as f64 / 10.0, tone: *tone }
        });
        Some(BriefAnswer {
            action: rules.notate(s, action),
            chances: chances.filter(|chance| chance.p > 0.0).collect(),
            ..BriefAnswer::default()
        })
    });
    Brief { answers: answers.collect(), ..Brief::default() }
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
