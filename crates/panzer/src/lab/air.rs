//! `[[aircraft]]`: aircraft of the pack, or with figures given in the file (6.7).

use kernel::SetupError;
use toml::{Table, Value};

use super::side_named;
use crate::{
    air::Edge,
    notation::read_facing,
    pack::{
        Scenario,
        advanced::{Advanced, AircraftCard, AircraftDef, Altitude, GpRow, Grade, Rockets, Speed, TargetType},
    },
    rules::Panzer,
    state::{Flags, State},
};

const KNOWN: [&str; 27] = [
    "type",
    "id",
    "side",
    "card",
    "count",
    "grade",
    "first_turn",
    "strafing",
    "bombs",
    "rockets",
    "load",
    "suppressed",
    "damaged",
    "appeared",
    "flown",
    "left_by",
    "gone",
    "gpd",
    "fast",
    "dive_bomber",
    "points",
    "hex",
    "facing",
    "speed",
    "altitude",
    "name",
    "turned",
];

fn bad(what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(what.to_string())
}

fn tables(head: &Table) -> Result<Vec<&Table>, SetupError> {
    let Some(value) = head.get("aircraft") else { return Ok(Vec::new()) };
    let wrong = || bad("aircraft: write [[aircraft]]");
    value.as_array().ok_or_else(wrong)?.iter().map(|v| v.as_table().ok_or_else(wrong)).collect()
}

fn small(what: &str, value: &Value) -> Result<u8, SetupError> {
    let number = value.as_integer().and_then(|n| u8::try_from(n).ok());
    number.ok_or_else(|| bad(format!("aircraft: {what} must be a number from 0 to 255")))
}

/// A weapon: only the number of attacks, or a table with `factor`, `effectiveness`, `attacks`.
fn weapon(what: &str, value: &Value, attacks: &mut u8) -> Result<Option<(u8, Option<u8>)>, SetupError> {
    match value {
        Value::Table(table) => {
            if let Some(value) = table.get("attacks") {
                *attacks = small(what, value)?;
            } else if *attacks == 0 {
                *attacks = 1;
            }
            let factor = table.get("factor").filter(|factor| factor.is_integer());
            let factor = factor.map(|value| small(what, value)).transpose()?;
            let effectiveness = table.get("effectiveness").map(|value| small(what, value)).transpose()?;
            Ok(factor.map(|factor| (factor, effectiveness)))
        }
        value => {
            *attacks = small(what, value)?;
            Ok(None)
        }
    }
}

/// Add the aircraft of the head to the scenario.
pub(super) fn head(head: &Table, scenario: &mut Scenario, pack: &Advanced) -> Result<(), SetupError> {
    for table in tables(head)? {
        let remark = |key: &str| kernel::lab::REMARKS.contains(&key);
        if let Some(key) = table.keys().find(|key| !KNOWN.contains(&key.as_str()) && !remark(key)) {
            let (name, known) = (key.clone(), KNOWN.join(", "));
            return Err(SetupError::Unknown { what: "field of an aircraft", name, known });
        }
        let text = |key: &str| table.get(key).and_then(Value::as_str);
        let id = text("id").ok_or_else(|| bad("aircraft: id is missing"))?;
        let plain = |text: &str| text.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
        let nation = text("side");
        let found = text("card").or(text("type")).map(|name| {
            let same = |a: &&AircraftCard| {
                a.id == name || plain(&a.id) == plain(name) || plain(&a.name) == plain(name)
            };
            // `Stuka` and `Hurricane`: the first of that name, if possible of the file's nation.
            let wanted = if plain(name) == "stuka" { "ju87".to_owned() } else { plain(name) };
            let begins = |a: &&AircraftCard| wanted.len() > 2 && plain(&a.name).starts_with(&wanted);
            let own = |a: &&AircraftCard| super::cards::fits(nation, a.nation);
            let all = || pack.aircraft.iter();
            let named =
                all().find(same).or_else(|| all().filter(own).find(begins)).or_else(|| all().find(begins));
            named.ok_or_else(|| SetupError::Unknown {
                what: "aircraft",
                name: name.to_owned(),
                known: pack.aircraft.iter().map(|a| a.id.as_str()).collect::<Vec<_>>().join(", "),
            })
        });
        let side = text("side").and_then(side_named);
        let usual = || pack.aircraft.iter().find(|a| side.is_none_or(|side| a.nation.side() == side));
        let base = found.transpose()?.or_else(usual).ok_or_else(|| bad("aircraft: card is missing"))?;
        let mut card = base.clone();
        card.id = format!("lab:{id}");
        let [mut strafing, mut bombs, mut rockets] = [
            card.strafing.attacks,
            card.bombs.map_or(0, |b| b.attacks),
            card.rockets.map_or(0, |r| r.attacks),
        ];
        if let Some(value) = table.get("strafing")
            && let Some((factor, effectiveness)) = weapon("strafing", value, &mut strafing)?
        {
            (card.strafing.factor, card.strafing.effectiveness) = (factor, effectiveness);
        }
        if let Some(value) = table.get("bombs") {
            let made = weapon("bombs", value, &mut bombs)?;
            if let Some((factor, effectiveness)) = made {
                let mut load = card.bombs.unwrap_or_default();
                (load.factor, load.effectiveness) =
                    (factor, effectiveness.or(load.effectiveness).or(Some(9)));
                card.bombs = Some(load);
            }
        }
        if let Some(value) = table.get("rockets") {
            let made = weapon("rockets", value, &mut rockets)?;
            let row = value.as_table().filter(|t| t.contains_key("range"));
            if let Some(row) = row {
                let mut plain = row.clone();
                plain.remove("attacks");
                plain.remove("effectiveness");
                let row: GpRow = Value::Table(plain)
                    .try_into()
                    .map_err(|e: toml::de::Error| bad(format!("aircraft: rockets: {}", e.message())))?;
                let most = value.get("effectiveness").map(|v| small("rockets", v)).transpose()?;
                card.rockets = Some(Rockets { row, effectiveness: most.unwrap_or(5), attacks: rockets });
            } else if let (Some((factor, most)), Some(old)) = (made, card.rockets) {
                let row = GpRow { factor: [factor; 5], ..old.row };
                card.rockets = Some(Rockets { row, effectiveness: most.unwrap_or(old.effectiveness), ..old });
            }
        }
        match table.get("gpd") {
            None => {}
            Some(Value::Integer(n)) => card.gpd.value = u8::try_from(*n).unwrap_or(1).clamp(1, 10),
            Some(Value::String(text)) => {
                let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
                card.gpd.value = digits.parse().map_err(|_| bad("aircraft: gpd must be such as \"3S\""))?;
                card.gpd.target = TargetType::S;
            }
            Some(_) => return Err(bad("aircraft: gpd must be such as \"3S\"")),
        }
        for (key, field) in [("fast", &mut card.fast), ("dive_bomber", &mut card.dive_bomber)] {
            if let Some(Value::Boolean(yes)) = table.get(key) {
                *field = *yes;
            }
        }
        if let Some(value) = table.get("points") {
            card.points = u16::from(small("points", value)?);
        }
        let grade = match text("grade") {
            None => Grade::default(),
            Some("regular") => Grade::Regulars,
            Some(name) => {
                Grade::parse(&name.to_lowercase()).ok_or_else(|| bad(format!("aircraft: grade `{name}`")))?
            }
        };
        let first_turn = match table.get("first_turn") {
            None => [1, u8::MAX],
            Some(Value::Array(pair)) if pair.len() == 2 => {
                [small("first_turn", &pair[0])?, small("first_turn", &pair[1])?]
            }
            Some(value) => [small("first_turn", value)?, u8::MAX],
        };
        let def = AircraftDef {
            id: id.to_owned(),
            side: side.unwrap_or(base.nation.side()),
            card: card.id.clone(),
            count: table.get("count").map_or(Ok(1), |value| small("count", value))?.max(1),
            grade,
            first_turn,
            strafing,
            bombs,
            rockets,
        };
        let Some(extras) = scenario.advanced.as_deref_mut() else { return Ok(()) };
        extras.aircraft_cards.push(card);
        extras.aircraft.push(def);
    }
    Ok(())
}

/// Set the state of each aircraft as the head says.
pub(super) fn lay(rules: &Panzer, head: &Table, s: &mut State) -> Result<(), SetupError> {
    for table in tables(head)? {
        let text = |key: &str| table.get(key).and_then(Value::as_str);
        let id = text("id").unwrap_or_default();
        let named = |n: &usize| rules.craft_def(&s.air.craft[*n]).is_some_and(|def| def.id == id);
        let all: Vec<usize> = (0..s.air.craft.len()).filter(named).collect();
        for n in all {
            let craft = &mut s.air.craft[n];
            match table.get("suppressed") {
                None | Some(Value::Boolean(false)) => {}
                Some(Value::String(side)) if side.eq_ignore_ascii_case("off") => {
                    craft.flags.0 |= Flags::SUPPRESSED_OFF.0;
                }
                Some(_) => craft.flags.0 |= Flags::SUPPRESSED_ON.0,
            }
            craft.damaged = match table.get("damaged") {
                None | Some(Value::Boolean(false)) => 0,
                Some(Value::Boolean(true)) => 1,
                Some(value) => small("damaged", value)?,
            };
            for (key, field) in [("appeared", &mut craft.appeared), ("flown", &mut craft.flown)] {
                if let Some(value) = table.get(key) {
                    *field = small(key, value)?;
                }
            }
            if craft.flown > 0 && craft.appeared == 0 {
                craft.appeared = craft.flown;
            }
            if let Some(name) = text("left_by") {
                let edge = Edge::ALL.into_iter().find(|edge| edge.key().eq_ignore_ascii_case(name));
                craft.left_by = Some(edge.ok_or_else(|| bad(format!("aircraft: edge `{name}`")))?);
            }
            if let Some(load) = text("load") {
                craft.rockets = load.starts_with("rocket");
            }
            craft.gone |= table.get("gone") == Some(&Value::Boolean(true));
            if let Some(label) = text("hex") {
                let hex = rules.field.find(label);
                let hex = hex.ok_or_else(|| bad(format!("aircraft: no hex {label} on this map")))?;
                let flight = &mut s.air.flight;
                (flight.active, flight.craft, flight.hex, flight.hexes) = (true, n as u8, hex, 1);
                if let Some(facing) = text("facing").and_then(read_facing) {
                    flight.facing = facing;
                }
                if let Some(speed) = text("speed") {
                    flight.speed =
                        Speed::parse(speed).ok_or_else(|| bad("aircraft: speed is slow or fast"))?;
                }
                if let Some(altitude) = text("altitude") {
                    let found = Altitude::parse(altitude);
                    flight.altitude =
                        found.ok_or_else(|| bad("aircraft: altitude is low, medium or high"))?;
                }
                flight.turned = table.get("turned") == Some(&Value::Boolean(true));
                craft.flown = s.turn;
                craft.appeared = craft.appeared.max(1);
            }
        }
    }
    Ok(())
}
