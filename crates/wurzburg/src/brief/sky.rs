//! What anti-aircraft fire may do, before one decides what flies and where: profiles, Hit Checks, the way of a flight.
//! Enemy units whose steps the seat does not know are counted apart, not guessed.

use hexgrid::HexId;
use kernel::{Brief, BriefAnswer, Message, Rules, Seat, Viewer, view::Chance};

use super::{answer, at_least};
use crate::{
    action::{Action, Subject},
    pack::{AirProfile, AntiAircraftResult, Ratio},
    play::side,
    rules::Wurzburg,
    state::State,
    units::Side,
};

/// The results of anti-aircraft fire, with the words for them and how good they are for the side that fires.
const RESULTS: [(AntiAircraftResult, &str, f32); 3] = [
    (AntiAircraftResult::NoEffect, "sheet.aa_nothing", -0.5),
    (AntiAircraftResult::HitCheckOrAbort, "sheet.aa_choice", 0.5),
    (AntiAircraftResult::HitCheckAndAbort, "sheet.aa_forced", 1.0),
];

/// Anti-aircraft fire as far as one side knows it.
#[derive(Clone, Copy, Debug, Default)]
struct Fire {
    strength: u8,
    /// Units in range whose steps are not known.
    unknown: u32,
    any: bool,
}

fn per_cent(p: f64) -> String {
    format!("{:.0} %", p * 100.0)
}

/// The chance of each result with this added to the die.
fn odds(rules: &Wurzburg, modifier: i8) -> [f64; 3] {
    let table = &rules.tables.anti_aircraft;
    RESULTS.map(|(result, ..)| {
        let rolls = (1..=10_i8).filter(|roll| table.result(modifier.saturating_add(*roll)) == result);
        rolls.count() as f64 / 10.0
    })
}

fn modifier(strength: u8) -> i8 {
    i8::try_from(strength).unwrap_or(i8::MAX)
}

/// 27.2.1: the Flak of the other side against a hex, by what this side knows.
fn flak(rules: &Wurzburg, s: &State, flyer: Side, hex: HexId, table: &[Ratio; 3], viewer: Viewer) -> Fire {
    let (any, strength) = rules.flak(&rules.seen(s, viewer), flyer.enemy(), hex, table);
    let unknown = rules.units_of(flyer.enemy()).iter().filter(|unit| {
        !rules.knows_steps(s, viewer, **unit) && rules.flak_of(s, **unit, hex, table).is_some()
    });
    Fire { strength, unknown: unknown.count() as u32, any }
}

/// 24.3: the air unit and its target; for each profile the hits if nothing is shot down before, and the chance that
/// anti-aircraft fire does anything.
pub fn profiles(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let mut brief = Brief::default();
    let Some(air) = &s.support.air else { return brief };
    let vehicle = rules.pack.unit_type(air.aircraft).vehicle.clone();
    let target =
        Message::new("sheet.air_target").text("aircraft", vehicle).place("hex", rules.field.label(air.hex));
    brief.fact(target, air.steps.to_string(), "24.2");
    brief.columns.push(Message::new("sheet.aa_risk"));
    let mut unknown = 0;
    let mut options = Vec::new();
    rules.options(s, seat, Subject::Phase, &mut options);
    for action in &options {
        let Action::Profile { profile, at: HexId::NONE } = action else { continue };
        let risk = if profile.low() {
            let table = &rules.tables.flak.air;
            let fire = flak(rules, s, air.side, air.hex, table, Viewer::Seat(seat));
            unknown = unknown.max(fire.unknown);
            if fire.any { 1.0 - odds(rules, modifier(fire.strength))[0] } else { 0.0 }
        } else {
            1.0 - odds(rules, sam(rules, s, air.side.enemy(), *profile))[0]
        };
        let chances = crate::table::profile_sheet(rules, s, Viewer::Seat(seat), air, *profile)
            .map(|sheet| sheet.chances);
        brief.answers.push(BriefAnswer {
            action: rules.notate(s, action),
            values: vec![per_cent(risk)],
            chances: chances.unwrap_or_default(),
            ..BriefAnswer::default()
        });
    }
    if unknown > 0 {
        brief.fact(Message::new("sheet.flak_unknown"), unknown.to_string(), "27.2.1");
    }
    brief
}

/// 27.1: what is added to the die of SAM Fire.
fn sam(rules: &Wurzburg, s: &State, side: Side, profile: AirProfile) -> i8 {
    let less = if profile.bomb() { 0 } else { rules.tables.anti_aircraft.sam_against_standoff };
    modifier(s.sides[side.index()].sam).saturating_add(less)
}

/// 27.3.1: the Hit Check of an air unit that goes on.
pub fn hit_check(rules: &Wurzburg, s: &State) -> Brief {
    let figures = s.support.air.as_ref().and_then(|air| rules.profile_of(air));
    check_of(rules, s, figures.map_or(11, |figures| figures.defense))
}

/// 27.3.1: the Hit Check of a helicopter unit that goes on.
pub fn helicopter_check(rules: &Wurzburg, s: &State) -> Brief {
    let Some(flight) = &s.sky.flight else { return Brief::default() };
    let mut brief = check_of(rules, s, rules.helicopter_defense(s, flight.unit));
    brief.fact(Message::new("sheet.steps_up"), s.unit(flight.unit).steps.to_string(), "27.3.1");
    brief
}

fn check_of(rules: &Wurzburg, s: &State, defense: u8) -> Brief {
    let lost = at_least(defense, 0);
    let go_on = answer(rules, s, &Action::GoOn, 1.0 - lost, ["sheet.step_lost", "sheet.no_loss"]);
    Brief { answers: vec![go_on], ..Brief::default() }
}

/// 27.1, 27.2.2: what SAM or Flak Fire of each strength does.
pub fn anti_aircraft(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let mut options = Vec::new();
    rules.options(s, seat, Subject::Phase, &mut options);
    let answers = options.iter().filter_map(|action| {
        let modifier = match action {
            Action::Flak(strength) => modifier(*strength),
            Action::Sam => sam(rules, s, side(seat), s.support.air?.profile?),
            _ => return None,
        };
        Some(BriefAnswer {
            action: rules.notate(s, action),
            chances: chances(odds(rules, modifier), 1.0),
            ..BriefAnswer::default()
        })
    });
    Brief { answers: answers.collect(), ..Brief::default() }
}

/// `eye`: 1 for the side that fires, -1 for the side that is fired at. From bad to good.
fn chances(odds: [f64; 3], eye: f32) -> Vec<Chance> {
    let all = RESULTS.iter().zip(odds).filter(|(_, p)| *p > 0.0);
    let mut list: Vec<Chance> =
        all.map(|((_, key, tone), p)| Chance { label: Message::new(*key), p, tone: eye * tone }).collect();
    list.sort_by(|a, b| a.tone.total_cmp(&b.tone));
    list
}

/// 25.2: the Flak on the hexes that are still ahead of an attack helicopter unit.
pub fn on_the_way(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let Some(flight) = &s.sky.flight else { return Brief::default() };
    let (_, ahead) = flight.track();
    let mut brief = Brief::default();
    let (hexes, odds) = way(rules, s, seat, ahead.get(1..).unwrap_or_default(), &mut brief);
    if hexes > 0 {
        brief.answers.push(BriefAnswer {
            action: rules.notate(s, &Action::GoOn),
            chances: chances(odds, -1.0),
            ..BriefAnswer::default()
        });
    }
    brief
}

/// The worst result of the Flak on a way: how many hexes are under fire, and the chance of each. Tells what is known.
fn way(rules: &Wurzburg, s: &State, seat: Seat, hexes: &[HexId], brief: &mut Brief) -> (u32, [f64; 3]) {
    let flak_table = &rules.tables.flak;
    let table = if rules.night(s) { &flak_table.helicopter_at_night } else { &flak_table.helicopter_by_day };
    // Nothing happens in any hex; nothing is forced in any hex.
    let (mut nothing, mut free) = (1.0, 1.0);
    let (mut under, mut unknown) = (0, 0);
    for hex in hexes {
        let fire = flak(rules, s, side(seat), *hex, table, Viewer::Seat(seat));
        if fire.any {
            let [none, _, forced] = odds(rules, modifier(fire.strength));
            nothing *= none;
            free *= 1.0 - forced;
            under += 1;
            unknown = unknown.max(fire.unknown);
        }
    }
    brief.fact(Message::new("sheet.flak_ahead"), under.to_string(), "27.2");
    if unknown > 0 {
        brief.fact(Message::new("sheet.flak_unknown"), unknown.to_string(), "27.2.1");
    }
    (under, [nothing, free - nothing, 1.0 - free])
}
