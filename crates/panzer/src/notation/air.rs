//! The notation of aircraft (6.7) and of engineers' work (7.19).

use hexgrid::{Direction, HexId};
use kernel::Refusal;

use crate::{
    action::{Action, Fly},
    air::Arms,
    notation::{facing_word, read_facing, refuse},
    pack::advanced::{Altitude, Speed},
    rules::Panzer,
    state::State,
};

pub fn write(rules: &Panzer, action: &Action) -> String {
    match action {
        Action::Demolish { hex, units } => {
            let start = format!("demolish {} with", rules.field.label(*hex));
            units.iter().fold(start, |text, unit| format!("{text} {}", rules.id(*unit)))
        }
        Action::Load { craft, rockets } => {
            format!("load {} {}", rules.craft_label(*craft), if *rockets { "rockets" } else { "bombs" })
        }
        Action::Fly(order) => format!(
            "fly {} at {} {} {} {}",
            rules.craft_label(order.craft),
            rules.field.label(order.hex),
            facing_word(order.facing),
            order.speed.key(),
            order.altitude.key()
        ),
        Action::FlyOn => "on".into(),
        Action::FlyTo(HexId::NONE) => "on off".into(),
        Action::FlyTo(hex) => format!("on {}", rules.field.label(*hex)),
        Action::FlyTurn { left } => if *left { "turn left" } else { "turn right" }.into(),
        Action::Acquire(unit) => format!("acquire {}", rules.id(*unit)),
        Action::AirAttack { arms: Arms::Strafing, .. } => "strafe".into(),
        Action::AirAttack { arms: Arms::Rockets, .. } => "rocket".into(),
        Action::AirAttack { arms: Arms::Bombs, level } => if *level { "bomb level" } else { "bomb" }.into(),
        Action::Aa(units) => {
            units.iter().fold("aa".to_owned(), |text, unit| format!("{text} {}", rules.id(*unit)))
        }
        _ => String::new(),
    }
}

/// `None` if these words are not a decision of this kind.
pub fn read(rules: &Panzer, s: &State, words: &[&str]) -> Option<Result<Action, Refusal>> {
    let unit = |id: &str| match rules.named(id) {
        Some(unit) => Ok(unit),
        None => refuse("no.unit", id),
    };
    let craft = |name: &str| match rules.craft_named(s, name) {
        Some(craft) => Ok(craft),
        None => refuse("no.craft", name),
    };
    Some(match words[..] {
        ["demolish", label, "with", ref ids @ ..] if !ids.is_empty() => {
            let hex = rules.field.find(label).map_or_else(|| refuse("no.hex", label), Ok);
            let units = ids.iter().map(|id| unit(id)).collect::<Result<_, _>>();
            hex.and_then(|hex| units.map(|units| Action::Demolish { hex, units }))
        }
        ["load", name, what @ ("rockets" | "rocket" | "bombs" | "bomb")] => {
            craft(name).map(|craft| Action::Load { craft, rockets: what.starts_with("rocket") })
        }
        ["on"] | ["fly" | "straight", "on"] => Ok(Action::FlyOn),
        ["on", "off"] => Ok(Action::FlyTo(HexId::NONE)),
        ["on", label] | ["on", "to", label] => {
            rules.field.find(label).map_or_else(|| refuse("no.hex", label), Ok).map(Action::FlyTo)
        }
        ["fly", name, ref rest @ ..] => craft(name).and_then(|craft| read_fly(rules, craft, rest)),
        ["turn", "left"] => Ok(Action::FlyTurn { left: true }),
        ["turn", "right"] => Ok(Action::FlyTurn { left: false }),
        ["acquire", id] => unit(id).map(Action::Acquire),
        ["strafe" | "strafing"] => Ok(Action::AirAttack { arms: Arms::Strafing, level: false }),
        ["bomb" | "bombs" | "dive"] => Ok(Action::AirAttack { arms: Arms::Bombs, level: false }),
        ["bomb" | "bombs", "level"] => Ok(Action::AirAttack { arms: Arms::Bombs, level: true }),
        ["rocket" | "rockets"] => Ok(Action::AirAttack { arms: Arms::Rockets, level: false }),
        ["aa", ref ids @ ..] if !ids.is_empty() => {
            ids.iter().map(|id| unit(id)).collect::<Result<_, _>>().map(Action::Aa)
        }
        _ => return None,
    })
}

/// `at 1A8 NE slow low`
fn read_fly(rules: &Panzer, craft: u8, words: &[&str]) -> Result<Action, Refusal> {
    let mut order =
        Fly { craft, hex: HexId::NONE, facing: Direction::D0, speed: Speed::Slow, altitude: Altitude::Low };
    for word in words.iter().filter(|word| !matches!(**word, "at" | "from" | "facing" | "face" | "and")) {
        let plain = word.to_lowercase();
        if let Some(speed) = Speed::parse(&plain) {
            order.speed = speed;
        } else if let Some(altitude) = Altitude::parse(&plain) {
            order.altitude = altitude;
        } else if let Some(facing) = read_facing(word).filter(|_| rules.field.find(word).is_none()) {
            order.facing = facing;
        } else if let Some(hex) = rules.field.find(word) {
            order.hex = hex;
        } else {
            return refuse("no.hex", word);
        }
    }
    if order.hex == HexId::NONE {
        return refuse("no.hex", "");
    }
    Ok(Action::Fly(order))
}
