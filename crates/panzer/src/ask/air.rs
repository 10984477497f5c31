//! Questions about aircraft (6.7).

use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    air::{Approach, Arms, Craft, Flight},
    notation::{facing_name, read_facing},
    pack::advanced::{Altitude, Speed, lookup::outcome},
    play::seat,
    rules::Panzer,
    state::State,
};

/// The position of an aircraft in a question: in flight, or as the words say (`at C5 facing NE low fast suppressed`).
struct Asked {
    craft: Craft,
    n: u8,
    flight: Flight,
    arms: Option<Arms>,
    level: bool,
    moving: bool,
    limited: bool,
    range: Option<u8>,
}

fn craft(rules: &Panzer, s: &State, name: &str) -> Result<(u8, Craft), Ask> {
    let found = rules.craft_named(s, name);
    let n = found.ok_or_else(|| {
        let known: Vec<String> = s.air.craft.iter().map(|craft| rules.craft_name(craft)).collect();
        Ask::Bad(format!("no aircraft `{name}`; there is {}", known.join(", ")))
    })?;
    Ok((n, s.air.craft[usize::from(n)]))
}

fn read(s: &State, (n, craft): (u8, Craft), words: &mut Words) -> Result<Asked, Ask> {
    let here = s.air.flight.active && s.air.flight.craft == n;
    let flight = if here { s.air.flight.clone() } else { Flight { craft: n, ..Flight::default() } };
    let mut asked =
        Asked { craft, n, flight, arms: None, level: false, moving: false, limited: false, range: None };
    while let Some(word) = words.peek().map(str::to_lowercase) {
        words.next()?;
        if let Some(speed) = Speed::parse(&word) {
            asked.flight.speed = speed;
            continue;
        }
        if let Some(altitude) = Altitude::parse(&word) {
            asked.flight.altitude = altitude;
            continue;
        }
        match word.as_str() {
            "strafe" | "strafing" => asked.arms = Some(Arms::Strafing),
            "bomb" | "bombs" | "dive" => asked.arms = Some(Arms::Bombs),
            "rocket" | "rockets" => asked.arms = Some(Arms::Rockets),
            "level" => asked.level = true,
            "moving" => asked.moving = true,
            "limited" => asked.limited = true,
            "suppressed" => asked.craft.flags.0 |= crate::state::Flags::SUPPRESSED_ON.0,
            "damaged" => asked.craft.damaged = asked.craft.damaged.max(1),
            "at" | "over" | "from" => asked.flight.hex = words.hex()?,
            "facing" | "face" => {
                let word = words.next()?;
                let facing = read_facing(&word).ok_or_else(|| Ask::Bad(format!("`{word}` is no facing")))?;
                asked.flight.facing = facing;
            }
            "range" => {
                let word = words.next()?;
                let range = word.parse().map_err(|_| Ask::Bad(format!("range `{word}` is no number")))?;
                asked.range = Some(range);
            }
            _ => {
                return Err(Ask::Bad(format!(
                    "`{word}` is not understood; there is low, medium, high, slow, fast, strafe, bomb, level, rocket, at HEX, facing D, range N, moving, suppressed, damaged, limited"
                )));
            }
        }
    }
    Ok(asked)
}

fn chances(n: i16, s: i16, net: i16) -> Value {
    let mut chances = [0u32; 3];
    for roll in 1..=100i16 {
        chances[outcome((n, s), roll + net) as usize] += 1;
    }
    let part = |n: usize| f64::from(chances[n]) / 100.0;
    json!({ "no_effect": part(0), "suppressed": part(1), "effective": part(2) })
}

/// `air`, `air K1`, `air K1 -> B strafe low fast …` (6.7.3).
pub fn air(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    if words.peek().is_none() {
        let all: Vec<Value> = (0..s.air.craft.len() as u8).map(|n| state(rules, s, viewer, n)).collect();
        return Ok(
            json!({ "aircraft": all, "side": rules.air_side().map(crate::pack::Side::key), "rule": "6.7" }),
        );
    }
    let name = words.next()?;
    let (n, found) = craft(rules, s, &name)?;
    if words.peek().is_none() {
        return Ok(state(rules, s, viewer, n));
    }
    let _ = words.take("->");
    let target = words.unit()?;
    let mut asked = read(s, (n, found), words)?;
    let arms = asked.arms.unwrap_or(Arms::Strafing);
    let dive = arms == Arms::Bombs && rules.dives(&asked.craft, &asked.flight, asked.level);
    let altitude = if dive { Altitude::Low } else { asked.flight.altitude };
    let t = s.unit(target);
    let hex = t.hex.some().ok_or_else(|| Ask::Bad(format!("{} is not on the map", rules.id(target))))?;
    let range = match (asked.range, asked.flight.hex.some()) {
        (Some(range), _) => range,
        (None, Some(from)) => rules.field.range(from, hex) as u8,
        (None, None) if arms == Arms::Rockets => 2,
        (None, None) => 1,
    };
    let legal = match arms {
        Arms::Strafing | Arms::Rockets => asked.flight.altitude == Altitude::Low,
        Arms::Bombs => dive || asked.flight.altitude != Altitude::Low,
    };
    if asked.flight.hex.some().is_none() {
        asked.flight.hex = hex;
    }
    let how = Approach { craft: asked.craft, arms, altitude, speed: asked.flight.speed, range };
    let known = rules.knows_command(s, viewer, target) && t.command.moves();
    let moving = asked.moving || known && rules.is_vehicle(target);
    let Some(aim) = rules.air_aim(s, &how, target, moving) else {
        return Ok(json!({ "possible": false, "rule": arms.rule() }));
    };
    let mut modifiers = Vec::new();
    let mut add =
        |key: &str, value: i8| modifiers.push(json!({ "cause": key, "value": value, "rule": "6.7.3.5" }));
    rules.air_line(&how, |cause, value| add(cause.key(), value));
    rules.air_target(s, target, moving, |cause, value| add(cause.key(), value));
    let pattern =
        rules.air_pattern(arms, asked.flight.altitude, asked.flight.speed, dive, hex, asked.flight.facing);
    let letter = format!("{:?}", aim.target);
    Ok(json!({
        "possible": legal, "rule": arms.rule(), "weapon": arms.key(), "dive": dive, "range": range,
        "altitude": altitude.key(), "speed": asked.flight.speed.key(), "range_factor": aim.factor.key(),
        "gpf": aim.gpf, "gpd": aim.gpd, "type": letter, "defense": format!("{}{letter}", aim.gpd),
        "modifiers": modifiers, "net": aim.net, "n": aim.n, "s": aim.s, "small_arms": aim.effectiveness.is_none(),
        "effectiveness": aim.effectiveness, "chances": chances(aim.n, aim.s, aim.net),
        "pattern": pattern.iter().map(|hex| rules.field.label(*hex)).collect::<Vec<_>>(),
    }))
}

/// The state of an aircraft, as far as the viewer may know its load (6.7.1).
fn state(rules: &Panzer, s: &State, viewer: Viewer, n: u8) -> Value {
    let craft = &s.air.craft[usize::from(n)];
    let (Some(def), Some(card)) = (rules.craft_def(craft), rules.craft_card(craft)) else {
        return Value::Null;
    };
    let mut answer = json!({
        "aircraft": rules.craft_name(craft), "card": card.name, "side": def.side.key(), "grade": def.grade,
        "gpd": card.gpd.value, "slow_only": !card.fast || craft.damaged > 0, "dive_bomber": card.dive_bomber,
        "suppressed": craft.suppressed(), "damaged": craft.damaged, "gone": craft.gone,
        "available": rules.may_fly(s, craft), "appeared": craft.appeared, "flown": craft.flown,
        "left_by": craft.left_by.map(crate::air::Edge::key), "rule": "6.7.2",
    });
    if let Some((_, flight)) = rules.flying(s).filter(|(_, flight)| flight.craft == n) {
        answer["flight"] = json!({
            "hex": rules.field.label(flight.hex), "facing": facing_name(flight.facing),
            "speed": flight.speed.key(), "altitude": flight.altitude.key(), "turned": flight.turned,
            "target": flight.target.some().map(|unit| rules.id(unit)), "count": flight.count,
            "needed": rules.air_needed(craft, flight),
        });
    }
    if viewer.knows(seat(def.side)) {
        answer["attacks"] =
            json!({ "strafing": craft.left[0], "bombs": craft.left[1], "rockets": craft.left[2] });
        answer["load"] = json!(if rules.armed_with(craft, Arms::Rockets) { "rockets" } else { "bombs" });
    }
    answer
}

/// `acquire K1 B …`: the hexes that must be flown, and whether the target can be seen (6.7.3.1.1). Without a target:
/// the range alone.
pub fn acquire(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let name = words.next()?;
    let found = craft(rules, s, &name)?;
    let target = words.peek().and_then(|word| rules.named(word));
    if target.is_some() {
        words.next()?;
    }
    let asked = read(s, found, words)?;
    let needed = rules.air_needed(&asked.craft, &asked.flight);
    let mut answer = json!({ "needed": needed, "altitude": asked.flight.altitude.key(),
                             "speed": asked.flight.speed.key(), "rule": "6.7.3.1.1" });
    if let (Some(target), Some(hex)) = (target, asked.flight.hex.some()) {
        let t = s.unit(target);
        let board = &rules.field.board;
        let in_arc = crate::fire::bearing::in_sector(asked.flight.facing, board.hex(hex), board.hex(t.hex));
        let sees = rules.air_sees(s, hex, asked.flight.altitude, t.hex);
        let needs_fo = rules.air_needs_fo(s, target);
        let side = rules.air_side().unwrap_or_default();
        let fo = rules.air_fo(s, side, target);
        let mine = asked.flight.target == target && asked.n == s.air.flight.craft;
        let count = if mine { asked.flight.count } else { 0 };
        answer["in_arc"] = json!(in_arc);
        answer["los"] = json!(sees);
        answer["needs_fo"] = json!(needs_fo);
        answer["fo"] = json!(fo.map(|unit| rules.id(unit)));
        answer["count"] = json!(count);
        answer["acquired"] = json!(count >= needed);
        answer["range"] = json!(rules.field.range(hex, t.hex));
        answer["possible"] = json!(in_arc && sees && (!needs_fo || fo.is_some()));
    }
    Ok(answer)
}

/// `aa F1 -> K1 at C5 low fast …`: AA fire at an aircraft (6.7.4.2).
pub fn aa(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let _ = words.take("->");
    let name = words.next()?;
    let found = craft(rules, s, &name)?;
    let mut asked = read(s, found, words)?;
    let game =
        rules.advanced.as_deref().ok_or_else(|| Ask::Bad("aa: only in the Advanced Game (6.7)".into()))?;
    let Some(aa) = game.pieces[unit.index()].aa else {
        return Ok(json!({ "possible": false, "rule": "6.7.4" }));
    };
    let from =
        s.unit(unit).hex.some().ok_or_else(|| Ask::Bad(format!("{} is not on the map", rules.id(unit))))?;
    if asked.flight.hex.some().is_none() {
        asked.flight.hex = from;
    }
    let needed = game.tables().tracking(asked.flight.altitude, asked.flight.speed, s.unit(unit).suppressed());
    let tracked = rules.aa_count(&s.air.flight, unit);
    // A question about a hypothetical place assumes that the aircraft has been tracked.
    let here = s.air.flight.active && s.air.flight.craft == asked.n && asked.flight.hex == s.air.flight.hex;
    let mut flight = asked.flight.clone();
    if !here {
        flight.tracked.clear();
        flight.tracked.push((unit, u8::MAX));
    }
    let bar = rules.may_fire_aa(s, unit, &flight, true).err();
    let mut answer = json!({
        "tracking": needed, "needed": needed, "tracked": if here { json!(tracked) } else { Value::Null },
        "aa_modifier": aa.row.modifier, "vs_high": aa.row.vs_high, "possible": bar.is_none(),
        "rule": bar.map_or_else(|| "6.7.4.2".to_owned(), |bar| bar.refuse(rules, unit).rule.to_string()),
    });
    if rules.knows_command(s, viewer, unit) {
        answer["command"] = json!(s.unit(unit).command.key());
    }
    let range = asked.range.map_or_else(|| rules.field.range(from, flight.hex), u32::from);
    let Some((factor, gpf)) = aa.row.row.at(range.max(1)) else { return Ok(answer) };
    let (mut modifiers, mut net) = (Vec::new(), 0_i16);
    rules.aa_modifiers(s, unit, flight.altitude, flight.speed, factor, asked.limited, |cause, value| {
        net += i16::from(value);
        modifiers.push(json!({ "cause": cause.key(), "value": value, "rule": "6.7.4.2" }));
    });
    let gpd = rules.craft_card(&asked.craft).map_or(1, |card| card.gpd.value);
    let (n, suppressed) = game.tables().gp_cell(gpf, gpd);
    let more = json!({ "range": range, "range_factor": factor.key(), "gpf": gpf, "gpd": gpd, "modifiers": modifiers,
                       "net": net, "n": n, "s": suppressed, "chances": chances(n, suppressed, net) });
    if let (Value::Object(into), Value::Object(more)) = (&mut answer, more) {
        into.extend(more);
    }
    Ok(answer)
}
