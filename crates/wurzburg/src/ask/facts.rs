//! Questions about single facts: distances, the points of an HQ, what is left of a formation, chances of the smaller
//! tables.

use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::{Words, labels};
use crate::{
    frame::Frame,
    play::{Cx, seat},
    rules::Wurzburg,
    state::{Charges, Ew, Flags, Payer, Place, State},
    units::{Side, Symbol, UnitId, set_of},
};

fn share(count: usize) -> f64 {
    count as f64 / 10.0
}

fn at_least(number: i32, modifier: i32) -> f64 {
    share((1..=10).filter(|roll| roll + modifier >= number).count())
}

fn own(viewer: Viewer, side: Side) -> Result<(), Ask> {
    if viewer.knows(seat(side)) { Ok(()) } else { Err(Ask::Secret) }
}

/// `distance A B`, `distance A 2916`, `distance 2916 2918`: hexes, the first not counted (4.1.4.3, 22.2, 40.3).
pub fn distance(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let mut place = || {
        let word = words.next()?;
        match (rules.named(&word), rules.field.find(&word)) {
            (Some(unit), _) => Ok((Some(unit), s.unit(unit).hex)),
            (None, Some(hex)) => Ok((None, hex)),
            (None, None) => Err(Ask::Bad(format!("there is no unit and no hex `{word}`"))),
        }
    };
    let (a, b) = (place()?, place()?);
    let far = match (a, b) {
        ((Some(a), _), (Some(b), _)) => rules.apart(s, a, b),
        ((Some(a), _), (None, hex)) => rules.reach_of(s, a, hex),
        ((None, hex), (Some(b), _)) => rules.reach_of(s, b, hex),
        ((None, a), (None, b)) => Some(rules.field.distance(a, b)),
    };
    Ok(json!({ "distance": far }))
}

/// `hq 3-3-hq`
pub fn hq(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let counter = rules.counter(unit);
    let Some(state) = s.hqs.get(usize::from(counter.hq)) else {
        return Err(Ask::Bad(format!("{} is no HQ", counter.id)));
    };
    let open = counter.side == Side::Nato || viewer.knows(seat(Side::Wp));
    let ew = match state.ew {
        Ew::None => "none",
        Ew::Unused => "unused",
        Ew::Used => "used",
        Ew::Lost => "lost",
    };
    Ok(json!({
        "unit": counter.id, "formation": rules.formation(counter.formation).id, "cp": open.then_some(state.cp),
        "rp": state.rp, "ew": ew, "command_range": counter.command_range, "works": rules.hq_works(s, unit),
        "place": s.unit(unit).place.key(), "disrupted": s.unit(unit).is(Flags::DISRUPTED),
        "returns": (s.unit(unit).place == Place::Track).then(|| s.unit(unit).turn),
    }))
}

/// `shatter 24MRR`: steps left, the Shatter number, the chance of the next check (31.0).
pub fn shatter(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let id = words.formation()?;
    let steps = rules.maneuver_steps(s, id);
    let number = rules.tested(s, id);
    let shattered = s.formation(id).shattered;
    let checks = !shattered && number.is_some_and(|number| steps <= number);
    let chance = share((1..=10u32).filter(|roll| *roll > steps).count());
    Ok(json!({ "steps": steps, "number": number, "shattered": shattered, "checks": checks,
               "chance": if checks { chance } else { 0.0 } }))
}

/// 11.2.4: `steps 24MRR`: the remaining steps by type, which are public.
pub fn steps(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let id = words.formation()?;
    let mut types = serde_json::Map::new();
    let mut total = 0;
    // 31.1.1: some count together with everything below them.
    let whole = rules.formation(id).shatter_as_one;
    let counts = |unit: &UnitId| {
        let formation = rules.counter(*unit).formation;
        formation == id || whole && rules.below(s, formation, id)
    };
    for unit in s.ids().filter(counts) {
        let u = s.unit(unit);
        let left = if matches!(u.place, Place::Dead | Place::Spare | Place::Track) { 0 } else { u.steps };
        total += u32::from(left);
        let entry = types.entry(rules.counter(unit).kind.clone()).or_insert_with(|| json!(0));
        *entry = json!(entry.as_u64().unwrap_or(0) + u64::from(left));
    }
    Ok(json!({ "total": total, "types": types, "shattered": s.formation(id).shattered }))
}

/// `dummies 2/3`: for each type the counters, steps, dummies on the map and how many are allowed (11.3.3).
pub fn dummies(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let id = words.formation()?;
    own(viewer, rules.formation(id).side)?;
    let mut out = serde_json::Map::new();
    for pool in rules.pools.iter().filter(|pool| pool.formation == id) {
        let Some(first) = pool.units.first() else { continue };
        let here = |unit: &&UnitId| s.unit(**unit).on_map();
        let real: usize = pool.units.iter().filter(here).map(|u| usize::from(s.unit(*u).steps)).sum();
        let dummies = pool.units.iter().filter(|unit| s.unit(**unit).dummy()).count();
        let filled = pool.units.iter().filter(|unit| s.unit(**unit).steps > 0).count();
        let most = real.min(pool.units.len() - filled);
        out.insert(
            rules.counter(*first).kind.clone(),
            json!({ "counters": pool.units.len(), "steps": real, "dummies": dummies, "most": most }),
        );
    }
    Ok(Value::Object(out))
}

/// `turn`: the current point in the Sequence of Play.
pub fn turn(rules: &Wurzburg, s: &State) -> Value {
    let at = rules.turn_box(s.turn);
    json!({
        "turn": s.turn, "last": rules.scenario.turns, "day": at.map(|at| at.day), "hour": at.map(|at| at.hour),
        "night": rules.night(s), "fog": rules.fog(s), "phase": s.phase.key(),
        "active": s.active.some().map(|active| rules.formation(active).id.clone()),
        "initiative": s.initiative.word(),
    })
}

/// What Flak is fired at.
#[derive(Clone, Copy)]
enum Target {
    Air,
    Helicopter,
    Paradrop,
}

/// `flak 2309 wp air`, `helicopter` (the default), `paradrop`, in any order: the Flak Strength of a side against a target in a hex
/// (27.2.1).
pub fn flak(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let (mut hex, mut side, mut target) = (None, None, Target::Helicopter);
    while let Some(word) = words.peek() {
        match word {
            "air" | "aircraft" => target = Target::Air,
            "paradrop" => target = Target::Paradrop,
            "helicopter" | "helicopters" => target = Target::Helicopter,
            word => match (crate::lab::side_named(word), rules.named(word)) {
                (Some(named), _) => side = Some(named),
                // A helicopter that flies there.
                (None, Some(unit)) => side = Some(rules.counter(unit).side.enemy()),
                (None, None) => {
                    hex = Some(words.hex()?);
                    continue;
                }
            },
        }
        let _ = words.next();
    }
    let hex = hex.ok_or_else(|| Ask::Bad("which hex?".to_owned()))?;
    // If no side is named: the one that does not act now.
    let active = || s.active.some().map(|active| rules.formation(active).side.enemy());
    let side = side.or_else(active).ok_or_else(|| Ask::Bad("which side?".to_owned()))?;
    own(viewer, side)?;
    let flak = &rules.tables.flak;
    let table = match target {
        Target::Air => &flak.air,
        Target::Paradrop => &flak.paradrop,
        Target::Helicopter if rules.night(s) => &flak.helicopter_at_night,
        Target::Helicopter => &flak.helicopter_by_day,
    };
    let mut units = Vec::new();
    let mut sum = 0;
    for unit in rules.units_of(side) {
        if let Some((distance, twelfths)) = rules.flak_of(s, *unit, hex, table) {
            sum += twelfths;
            units.push(json!({ "unit": rules.id(*unit), "distance": distance,
                               "strength": f64::from(twelfths) / 12.0 }));
        }
    }
    let strength = sum / 12;
    let results: Vec<&str> = (1..=10)
        .map(|roll| rules.tables.anti_aircraft.result(i8::try_from(roll + strength).unwrap_or(i8::MAX)).key())
        .collect();
    Ok(
        json!({ "units": units, "sum": f64::from(sum) / 12.0, "strength": strength, "fires": !units.is_empty(),
               "results": results }),
    )
}

/// `protected A 3115`: whether a hex is protected for the unit (16.3).
pub fn protected(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let hex = words.hex()?;
    let side = rules.counter(unit).side;
    let near = rules.next_to(s, hex, side.enemy());
    Ok(json!({ "protected": near && rules.protected(s, side, &set_of([unit]), hex), "next_to_enemy": near }))
}

/// `observers 2508 for 1-3-hq`: the units that can observe a hex for an HQ (21.3), and whether a Strike is observed
/// (21.3.1).
pub fn observers(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.hex()?;
    words.take("for");
    let hq = words.unit()?;
    let near = rules.around(s, hex, rules.counter(hq).side);
    let able: Vec<&str> =
        near.iter().filter(|unit| rules.observes(s, hq, **unit, hex)).map(|unit| rules.id(*unit)).collect();
    Ok(json!({ "observers": able, "strike": rules.strike_observed(s, hq, hex),
               "acquired": s.acquired.contains(&hex) }))
}

/// `targets`: hexes that Defensive Fire may be aimed at now, the units subject to it and those that may fire (18.7).
pub fn targets(rules: &Wurzburg, s: &State) -> Value {
    use crate::fire::FireKind;
    let list = |units: &mut dyn Iterator<Item = UnitId>| {
        units.map(|unit| rules.id(unit).to_owned()).collect::<Vec<_>>()
    };
    let hexes = rules.defensive_hexes(s);
    let out: serde_json::Map<String, Value> = hexes
        .into_iter()
        .map(|hex| {
            let subject = list(&mut rules.subject_to(s, FireKind::Defensive, hex).iter());
            let guns = list(&mut rules.guns(s, FireKind::Defensive, hex).into_iter().map(|(unit, _)| unit));
            (rules.field.label(hex).to_owned(), json!({ "units": subject, "firers": guns }))
        })
        .collect();
    Value::Object(out)
}

/// `screening A B`: whether these units may screen against the moving force, the number to roll, the chance (41.2).
pub fn screening(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let mut units = Vec::new();
    while words.peek().is_some() {
        units.push(words.unit()?);
    }
    // Units of the Warsaw Pact are the force that is to be screened.
    let wp = |unit: &UnitId| rules.counter(*unit).side == Side::Wp;
    let mut force = if s.walk.force.is_empty() { s.op.screened } else { s.walk.force };
    if units.iter().any(wp) {
        force = set_of(units.iter().copied().filter(wp));
        units.retain(|unit| !wp(unit));
    }
    let bars: Vec<Value> = units
        .iter()
        .map(|unit| match rules.may_screen(s, *unit, &force) {
            Ok(()) => json!({ "unit": rules.id(*unit), "legal": true }),
            Err(no) => json!({ "unit": rules.id(*unit), "legal": false, "rule": no.rule, "why": no.why.key }),
        })
        .collect();
    let number = units
        .iter()
        .filter(|unit| s.unit(**unit).on_map())
        .map(|unit| rules.tables.screening.of(rules.field.terrain(s.unit(*unit).hex)))
        .min();
    Ok(json!({ "units": bars, "number": number, "chance": number.map(|n| at_least(i32::from(n), 0)) }))
}

/// `crossing [engineer]`: the steps that each roll of an Amphibious Crossing allows to cross (17.5).
pub fn crossing(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let table = &rules.tables.amphibious;
    // `crossing 2013`, `crossing A E`: with an engineer at the site or among the units.
    let mut engineer = false;
    while words.peek().is_some() {
        let is = |unit: UnitId| rules.counter(unit).symbol == Symbol::Engineer;
        if words.take("engineer") {
            engineer = true;
        } else if let Ok(unit) = words.unit() {
            engineer |= is(unit);
        } else {
            words.at -= 1;
            let hex = words.hex()?;
            engineer |= s.in_hex(hex).any(is);
        }
    }
    let modifier = if engineer { table.engineer_at_site } else { 0 };
    let steps: Vec<u8> = (1..=10i8).map(|roll| table.steps(roll + modifier)).collect();
    Ok(json!({ "modifier": modifier, "steps": steps }))
}

/// `demolition 2213/2313 [engineer]`: the number for set charges or engineer charges (38.1, 38.2).
pub fn demolition(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let word = words.next()?;
    let side = rules.field.board.find_side(&word);
    let side = side.map_err(|_| Ask::Bad(format!("there is no hexside `{word}`")))?;
    let table = &rules.tables.demolition;
    let engineer = words.take("engineer");
    let row = if engineer { table.engineer_charges } else { table.set_charges };
    let autobahn = rules.autobahn_bridge(side);
    let number = if autobahn { row.autobahn } else { row.road };
    let near = rules.banks(side).iter().any(|hex| rules.holds(s, *hex, Side::Wp));
    let modifier = if near && !engineer { table.set_charges_wp_unit_in_either_hex } else { 0 };
    let crossing = s.crossings.get(usize::from(rules.field.river_of(side)));
    // 38.1, 38.1.2: charges that are spent or cut allow no attempt.
    let charges = crossing.map_or(Charges::Spent, |crossing| crossing.charges);
    let legal = rules.civil_bridge(side)
        && crossing.is_some_and(|crossing| !crossing.blown)
        && (engineer || charges == Charges::Ready);
    let charges = match charges {
        Charges::Ready => "ready",
        Charges::Spent => "spent",
        Charges::Cut => "cut",
    };
    let chance = if legal { at_least(i32::from(number), i32::from(modifier)) } else { 0.0 };
    Ok(json!({ "number": number, "modifier": modifier, "autobahn": autobahn, "legal": legal,
               "charges": charges, "chance": chance }))
}

/// `mines [careful] [engineer]`: the chance that a step is lost (37.5).
pub fn mines(rules: &Wurzburg, words: &mut Words) -> Value {
    let table = &rules.tables.mine_attack;
    let mut modifier = 0;
    while words.peek().is_some() {
        if words.take("careful") {
            modifier += table.careful_exit;
        } else if words.take("engineer") {
            modifier += table.engineer_in_force;
        } else {
            break;
        }
    }
    let lost = |roll: &i8| table.result(roll + modifier) == crate::pack::MineResult::StepLost;
    json!({ "modifier": modifier, "chance": share((1..=10i8).filter(lost).count()) })
}

/// `reaction`: the forces that could react now, and the payers (19.0).
pub fn reaction(rules: &Wurzburg, s: &State, viewer: Viewer) -> Result<Value, Ask> {
    let side = s.op.side.enemy();
    own(viewer, side)?;
    let cx = Cx { rules, s, side, frame: Frame::Reaction };
    let all: Vec<Value> = crate::reaction::forces(&cx)
        .into_iter()
        .map(|(units, payer)| {
            let units: Vec<&str> = units.iter().map(|unit| rules.id(*unit)).collect();
            let by = (payer != Payer::None).then(|| crate::report::payer_word(rules, payer));
            json!({ "units": units, "by": by })
        })
        .collect();
    Ok(json!(all))
}

/// `calls offensive`, `calls defensive`: the HQs that may call in the current operation, and the units that may answer
/// (21.2).
pub fn calls(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let defensive = words.take("defensive");
    words.take("offensive");
    let side = if defensive { s.op.side.enemy() } else { s.op.side };
    own(viewer, side)?;
    let ids = |units: &[UnitId]| units.iter().map(|unit| rules.id(*unit).to_owned()).collect::<Vec<_>>();
    let hqs: Vec<Value> = rules
        .call_hqs(s, defensive)
        .into_iter()
        .map(|hq| {
            json!({ "hq": rules.id(hq), "artillery": ids(&rules.call_guns(s, hq, defensive)),
                    "helicopters": ids(&rules.call_helicopters(s, hq, defensive)) })
        })
        .collect();
    Ok(json!({ "limit": rules.call_limit(s, defensive), "hqs": hqs }))
}

/// `advances`: which units of the operation may advance into the Objective Hex, and why others may not (18.5).
pub fn advances(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let answer = |unit: UnitId| match rules.may_advance(s, unit) {
        Ok(()) => json!({ "legal": true }),
        Err(no) => json!({ "legal": false, "rule": no.rule, "why": no.why.key }),
    };
    if words.peek().is_some() {
        return Ok(answer(words.unit()?));
    }
    let all = s.op.members.iter().map(|unit| (rules.id(unit).to_owned(), answer(unit)));
    Ok(Value::Object(all.collect()))
}

/// `masks 6614`: the sets of units that the owner may mask (14.4).
pub fn masks(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.hex()?;
    let Some(side) = s.in_hex(hex).next().map(|unit| rules.counter(unit).side) else { return Ok(json!([])) };
    if rules.stack_legal(s, side, hex) {
        return Ok(json!([]));
    }
    let ways: Vec<Vec<&str>> = rules
        .maskings(s, side, hex)
        .into_iter()
        .map(|way| way.iter().map(|unit| rules.id(*unit)).collect())
        .collect();
    Ok(json!(ways))
}

/// `aircraft air-a10`: its profiles (24.3); `aircraft nato`: the aircraft of an Air Call, by die roll (24.2).
pub fn aircraft(rules: &Wurzburg, words: &mut Words) -> Result<Value, Ask> {
    let word = words.next()?;
    if let Some(side) = crate::lab::side_named(&word).filter(|_| word.len() < 5) {
        let table = &rules.tables.air_call;
        let all: Vec<&str> =
            (1..=10).map(|roll| rules.pack.unit_type(table.aircraft(side, roll)).id.as_str()).collect();
        return Ok(json!(all));
    }
    let kind = find_aircraft(rules, &word)?;
    let kind = rules.pack.unit_type(kind);
    let profiles: serde_json::Map<String, Value> = crate::pack::AirProfile::ALL
        .into_iter()
        .filter_map(|profile| {
            let of = kind.air_profile(profile)?;
            let figures = json!({ "attack": of.attack, "range": of.range, "defense": of.defense });
            Some((profile.key().to_owned(), figures))
        })
        .collect();
    Ok(json!({ "type": kind.id, "profiles": profiles }))
}

pub fn find_aircraft(rules: &Wurzburg, word: &str) -> Result<crate::pack::TypeId, Ask> {
    let long = format!("air-{}", word.to_lowercase().replace('-', ""));
    let found = rules.pack.find_type(word).or_else(|| rules.pack.find_type(&long));
    found.ok_or_else(|| Ask::Bad(format!("there is no aircraft `{word}`")))
}

/// `gas 5719`: the hexes of a Gas Zone around a hex (44.3).
pub fn gas(rules: &Wurzburg, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.hex()?;
    let around = rules.field.board.neighbour_row(hex).iter().copied().filter_map(hexgrid::HexId::some);
    let zone: Vec<hexgrid::HexId> = std::iter::once(hex).chain(around).collect();
    let city = zone.iter().any(|at| rules.field.terrain(*at) == crate::field::Terrain::City);
    Ok(json!({ "hexes": labels(rules, zone.into_iter()), "touches_city": city }))
}
