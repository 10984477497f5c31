//! Vehicles, hexes, Commands, victory.

use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::{movement::allowances, sight::cover_key, words::Words};
use crate::{
    field::Edge,
    notation::facing_name,
    pack::Side,
    play::seat,
    rules::Panzer,
    state::{Command, Flags, Place, Spot, State},
    units::UnitId,
    view::label,
};

/// `unit A`
pub fn unit(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let u = s.unit(unit);
    let mut marks = Vec::new();
    for (flag, name) in [
        (Flags::DAMAGED, "damaged"),
        (Flags::FIRED, "fired"),
        (Flags::MOVED, "moved"),
        (Flags::REVEALED, "revealed"),
    ] {
        if u.is(flag) {
            marks.push(name);
        }
    }
    match u.place {
        Place::KnockedOut => marks.push("ko"),
        Place::BrewedUp => marks.push("bu"),
        _ => {}
    }
    let mut answer = json!({
        "hex": label(rules, u.hex),
        "facing": facing_name(u.facing),
        "place": u.place.key(),
        "eliminated": u.place.eliminated(),
        "side": rules.vehicle(unit).side.key(),
        "card": rules.card(unit).id,
        "name": rules.card(unit).name,
        "formation": rules.def(unit).formation,
        "combat_unit": rules.armed(s, unit),
        "spot": if u.spot == Spot::None { Value::Null } else { json!(u.spot.key()) },
        "damaged": u.is(Flags::DAMAGED),
        "fired": u.is(Flags::FIRED),
        "moved": u.is(Flags::MOVED),
        "revealed": u.is(Flags::REVEALED),
        "state": marks,
        "spotted_by": s.spotters[unit.index()].iter().map(|by| rules.id(by)).collect::<Vec<_>>(),
        "armor": { "front": rules.vehicle(unit).armor[0], "rear": rules.vehicle(unit).armor[1] },
        "size": rules.vehicle(unit).size,
    });
    if let Some(piece) = rules.piece(unit) {
        super::advanced::unit(rules, s, unit, piece, &mut answer);
        answer["hidden"] = json!(s.veil(unit).is_some() || u.place == Place::Hidden); // 7.2
        // 6.2.1.1.3: who shares a Command is seen once both sides have placed theirs.
        if !viewer.knows(seat(rules.vehicle(unit).side)) && s.committed != [true; 2] {
            answer["group"] = Value::Null;
        }
    }
    if rules.knows_command(s, viewer, unit) {
        answer["command"] = json!(u.command.key());
        answer["allowance"] = allowances(rules, s, unit);
    }
    Ok(answer)
}

/// `card A`; `card G-4A` and `card panzerjaeger_i` are cards of the pack, without a unit.
pub fn card(rules: &Panzer, words: &mut Words) -> Result<Value, Ask> {
    let name = words.peek().unwrap_or_default().to_owned();
    if rules.named(&name).is_none() {
        let name = words.rest().join(" ");
        let card = crate::lab::find_card(&rules.cards, &name);
        let card = card.ok_or_else(|| Ask::Bad(format!("no vehicle and no card `{name}`")))?;
        return Ok(super::card::of_pack(rules, card));
    }
    let unit = words.unit()?;
    let mut answer = crate::view::card(rules.card(unit));
    answer["card"] = json!(super::card::view(rules, unit));
    Ok(answer)
}

/// `hex C3`: terrain, height, and the units in it.
pub fn hex(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.hex()?;
    let ground = rules.field.ground(hex);
    let effects = rules.effects(hex);
    let mut sides = serde_json::Map::new();
    for direction in hexgrid::Direction::ALL {
        let edge = rules.field.edge(hex, direction);
        let names = [
            (Edge::SLOPE, "slope"),
            (Edge::CREST, "crest"),
            (Edge::CLIFF, "cliff"),
            (Edge::WALL, "wall"),
            (Edge::HEDGEROW, "hedgerow"),
            (Edge::DEFILADE, "defilade"),
            (Edge::ROAD, "road"),
            (Edge::PATH, "path"),
            (Edge::TRACK, "track"),
        ];
        let here: Vec<&str> = names.iter().filter(|(bit, _)| edge.any(*bit)).map(|(_, name)| *name).collect();
        if !here.is_empty() {
            sides.insert(facing_name(direction).into(), json!(here));
        }
    }
    let wreck = match (s.wrecks.contains(hex), s.smoke.contains(hex)) {
        (false, _) => Value::Null,
        (true, false) => json!("ko"),
        (true, true) => json!("bu"),
    };
    let mut answer = json!({
        "terrain": ground.terrain.key(), "elevation": ground.elevation, "height": rules.field.height(hex),
        "storeys": ground.storeys, "bridge": ground.bridge, "sides": sides, "wreck": wreck,
        "smoke": s.smoke.contains(hex), "overstacked": rules.overstacked(s, hex),
        "units": s.in_hex(hex).map(|unit| rules.id(unit)).collect::<Vec<_>>(),
        "cover": { "spotting": cover_key(rules.spotting_cover(s, hex)), "combat": cover_key(rules.combat_cover(s, hex)) },
        "cost": { "T": effects.cost[0], "H": effects.cost[1], "W": effects.cost[2] }, "turn": effects.turn,
    });
    if rules.advanced.is_some() {
        super::works::hex(rules, s, viewer, hex, &mut answer);
    }
    Ok(answer)
}

/// `commands FORMATION`, a side, or a vehicle: which Commands each vehicle may be given, and why the others are not
/// allowed (4.2).
pub fn commands(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let name = words.rest().join(" ");
    let units: Vec<UnitId> = if let Some(unit) = rules.named(&name) {
        vec![unit]
    } else if let Some(side) = crate::lab::side_named(&name) {
        rules.units_of(side).to_vec()
    } else {
        s.ids().filter(|unit| name.is_empty() || rules.def(*unit).formation == name).collect()
    };
    if units.is_empty() {
        return Err(Ask::Bad(format!("no formation, side or vehicle `{name}`")));
    }
    let mut answer = serde_json::Map::new();
    for unit in &units {
        let (mut may, mut why) = (Vec::new(), serde_json::Map::new());
        for command in Command::ALL {
            match rules.may_command(s, *unit, command) {
                Ok(()) => may.push(command.key()),
                Err(refusal) => {
                    why.insert(command.key().into(), json!({ "rule": refusal.rule, "why": refusal.why.key }));
                }
            }
        }
        let mut line = json!({ "available": may, "refused": why });
        if rules.knows_command(s, viewer, *unit) {
            line["command"] = json!(s.unit(*unit).command.key());
        }
        answer.insert(rules.id(*unit).into(), line);
    }
    if let [unit] = units[..]
        && rules.named(&name).is_some()
        && let Some(line) = answer.remove(rules.id(unit))
    {
        return Ok(line);
    }
    let formation = rules.advanced.as_deref().filter(|_| rules.command_control()).and_then(|game| {
        let place = game.extras.formations.iter().position(|f| f.id == name)?;
        Some((place as u8, game.extras.formations[place].grade))
    });
    Ok(match formation {
        Some((formation, grade)) => json!({
            "vehicles": answer, "formation": name, "grade": grade, "active": rules.active_units(s, formation),
            "commands": rules.commands_of(s, formation), "available": rules.commands_of(s, formation),
            "range": rules.command_range(formation), "rule": "6.2.1.1",
        }),
        // 4.2: without command control every vehicle has its own Command.
        None => json!({ "vehicles": answer, "commands": units.len(), "rule": "4.2" }),
    })
}

/// `order`: turn, phase, First Player.
pub fn order(rules: &Panzer, s: &State) -> Value {
    json!({ "turn": s.turn, "last": rules.scenario.turns, "phase": s.phase.key(), "rule": s.phase.rule(),
            "first": s.first.map(Side::key), "second": s.second().map(Side::key) })
}

/// `victory`
pub fn victory(rules: &Panzer, s: &State) -> Value {
    let side = |side: Side| {
        let points = rules.points(s, side);
        let levels = &rules.scenario.victory.levels[side.index()];
        json!({ "points": points.total(), "eliminated": points.eliminated, "damaged": points.damaged,
                "exited": points.exited, "objectives": points.objectives,
                "levels": levels.iter().map(|(key, least)| json!({ "level": key, "lead": least })).collect::<Vec<_>>() })
    };
    let ending = rules.ending(s);
    let objectives: Vec<Value> = (rules.scenario.objectives.iter().enumerate())
        .map(|(n, objective)| {
            json!({ "id": objective.id, "hexes": objective.hexes, "control": s.control[n].side.map(Side::key),
                    "occupied": rules.occupant(s, n).map(Side::key),
                    "at_start": s.control[n].at_start.map(Side::key) })
        })
        .collect();
    let level = ending.winner.zip(ending.level).and_then(|(side, level)| {
        rules.scenario.victory.levels[side.index()].get(usize::from(level)).map(|(key, _)| key.clone())
    });
    json!({ "axis": side(Side::Axis), "allied": side(Side::Allied), "objectives": objectives,
            "winner": ending.winner.map(Side::key), "level": level, "over": s.ending.is_some(),
            "panel": crate::view::aims(rules) })
}
