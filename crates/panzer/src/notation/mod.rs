//! The canonical notation, in both directions (`docs/NOTATION.md`). Reading is lenient: several spellings are accepted,
//! but only one is written.

mod air;
pub(crate) mod call;
mod moves;
pub(crate) mod plot;
mod read;
mod spelling;
mod write;

use hexgrid::{Direction, HexId};
use kernel::{Message, Refusal};

use crate::{
    piece::Ammo,
    rules::Panzer,
    state::{Command, Place, State},
    units::UnitId,
};

pub use read::read;
pub use write::write;

/// A facing as written in answers: `N`, `NE`, `SE`, `S`, `SW`, `NW`.
pub fn facing_name(facing: Direction) -> &'static str {
    const NAMES: [&str; 6] = ["N", "NE", "SE", "S", "SW", "NW"];
    NAMES[facing.index()]
}

/// A facing as written in the notation, in lower case.
pub(crate) fn facing_word(facing: Direction) -> &'static str {
    const WORDS: [&str; 6] = ["n", "ne", "se", "s", "sw", "nw"];
    WORDS[facing.index()]
}

/// Reads a facing: a point of the compass in upper or lower case, or 1 to 6 clockwise from north.
pub fn read_facing(text: &str) -> Option<Direction> {
    if let Some(n) = text.parse::<usize>().ok().filter(|n| (1..=6).contains(n)) {
        return Some(Direction::from_index(n - 1));
    }
    let short: String = match text.to_lowercase().replace(['-', '_'], "").as_str() {
        "north" => "n".into(),
        "south" => "s".into(),
        "northeast" => "ne".into(),
        "southeast" => "se".into(),
        "southwest" => "sw".into(),
        "northwest" => "nw".into(),
        _ => text.into(),
    };
    Direction::ALL.into_iter().find(|d| facing_name(*d).eq_ignore_ascii_case(&short))
}

/// Who gets off if a portee is named: its gun (5.2.1).
pub(super) fn rider(rules: &Panzer, s: &State, unit: UnitId) -> UnitId {
    let gun = rules.piece(unit).and_then(|piece| piece.portee).map(|portee| portee.gun);
    gun.filter(|gun| s.unit(*gun).place == Place::Portee).unwrap_or(unit)
}

/// A Command as lab files and people write it.
pub fn read_command(text: &str) -> Option<Command> {
    match text.to_lowercase().replace([' ', '-'], "_").as_str() {
        "fire" | "f" => Some(Command::Fire),
        "move" | "m" => Some(Command::Move),
        "short_halt" | "shorthalt" | "sh" => Some(Command::ShortHalt),
        "overwatch" | "ow" => Some(Command::Overwatch),
        "no_command" | "none" | "nc" | "n/c" => Some(Command::NoCommand),
        _ => None,
    }
}

pub(crate) fn refuse<T>(key: &'static str, text: &str) -> Result<T, Refusal> {
    Err(Refusal::plain(Message::new(key).text("text", text)))
}

/// A weapon by its number from 1, its id or name, or that of the crew-served weapon; part of the name is enough (`mg`).
pub fn arm_named(rules: &Panzer, unit: UnitId, text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return number.checked_sub(1);
    }
    let plain =
        |text: &str| text.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let wanted = plain(text);
    if wanted.is_empty() {
        return None;
    }
    let names: Vec<[String; 3]> = match rules.piece(unit) {
        Some(piece) => {
            let attached = &rules.def(unit).extras.attached;
            let own = piece.arms.iter().filter(|arm| arm.attached.is_none()).count();
            let card = |n: usize| n.checked_sub(own).and_then(|n| attached.get(n)).map_or("", String::as_str);
            let arms = piece.arms.iter().enumerate();
            arms.map(|(n, arm)| [plain(&arm.weapon.id), plain(&arm.weapon.name), plain(card(n))]).collect()
        }
        None => {
            let mounts = &rules.card(unit).mounts;
            let guns = rules.vehicle(unit).guns.iter().map(|gun| &mounts[usize::from(gun.mount)]);
            guns.map(|mount| [plain(&mount.weapon), plain(&mount.name), String::new()]).collect()
        }
    };
    let whole = |names: &[String; 3]| names.contains(&wanted);
    let part = |names: &[String; 3]| names.iter().any(|name| name.contains(&wanted));
    names.iter().position(whole).or_else(|| names.iter().position(part)).map(|n| n as u8)
}

/// AP at vehicles if the weapon has it, otherwise GP (6.5.2, 6.5.4).
pub fn usual_ammo(rules: &Panzer, unit: UnitId, gun: u8, target: UnitId) -> Ammo {
    let Some(piece) = rules.piece(unit) else { return Ammo::Ap };
    let arms = || piece.arms.iter();
    let ap = rules.ap_row(unit, gun, Ammo::Ap).is_some()
        || arms().enumerate().any(|(n, _)| rules.ap_row(unit, n as u8, Ammo::Ap).is_some());
    let heat = arms().enumerate().any(|(n, _)| rules.ap_row(unit, n as u8, Ammo::Heat).is_some());
    match () {
        () if !rules.is_vehicle(target) => Ammo::Gp,
        () if ap => Ammo::Ap,
        () if heat => Ammo::Heat,
        () => Ammo::Gp,
    }
}

/// The first weapon that has the ammunition, bears on the target and is in range; otherwise the first that has it.
pub fn usual_arm(rules: &Panzer, s: &State, unit: UnitId, target: UnitId, ammo: Ammo) -> u8 {
    let (from, to) = (s.unit(unit).hex, s.unit(target).hex);
    let count = rules.vehicle(unit).guns.len() as u8;
    let has = |gun: &u8| match ammo {
        Ammo::Gp => rules.gp_row(s, unit, *gun).is_some(),
        ammo => rules.ap_row(unit, *gun, ammo).is_some(),
    };
    let able = |gun: &u8| {
        if from == HexId::NONE || to == HexId::NONE {
            return false;
        }
        let range = rules.field.range(from, to);
        let reaches = match ammo {
            Ammo::Gp => rules.gp_row(s, unit, *gun).is_some_and(|row| row.at(range.max(1)).is_some()),
            ammo => rules.ap_row(unit, *gun, ammo).is_some_and(|row| row.factor(range).is_some()),
        };
        reaches && rules.gun(unit, *gun).is_some_and(|gun| rules.bears(s, unit, gun, to))
    };
    (0..count).find(able).or_else(|| (0..count).find(has)).unwrap_or(0)
}

/// The first gun that bears on the target and is in range; otherwise the first.
pub fn usual_gun(rules: &Panzer, s: &State, unit: UnitId, target: UnitId) -> u8 {
    let (from, to) = (s.unit(unit).hex, s.unit(target).hex);
    if from == HexId::NONE || to == HexId::NONE {
        return 0;
    }
    let range = rules.field.range(from, to);
    let guns = &rules.vehicle(unit).guns;
    let able = guns.iter().position(|gun| gun.maximum_range() >= range && rules.bears(s, unit, gun, to));
    able.unwrap_or(0) as u8
}
