//! Figures of an Advanced card that a file gives to one unit: as the pack writes them, or as cards print them.

use kernel::SetupError;
use toml::{Table, Value};

use crate::{
    pack::advanced::{FootDefense, GpDefense, Room, SpotSize, TargetType},
    piece::{Defense, Piece},
};

/// Fields that this reader knows.
pub(super) const FIELDS: [&str; 12] = [
    "transport",
    "passenger",
    "covered_transport",
    "close_assault_c",
    "overhead_cover",
    "coax_mg",
    "brew_up_mark",
    "without_radio",
    "platform_mount",
    "small_arms",
    "full_cover_bonus",
    "spotted_as",
];

fn bad(unit: &str, what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(format!("unit {unit}: {what}"))
}

fn number(id: &str, key: &str, value: &Value) -> Result<u8, SetupError> {
    let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
    n.ok_or_else(|| bad(id, format!("{key} must be a number from 0 to 255")))
}

/// `{ towed = 1, leg = 2 }`, or as cards print it: `"1-2"`.
fn room(id: &str, key: &str, value: &Value) -> Result<Room, SetupError> {
    let wrong = || bad(id, format!("{key} must be such as {{ towed = 1, leg = 2 }} or \"1-2\""));
    match value {
        Value::String(text) => {
            let (towed, leg) = text.split_once('-').ok_or_else(wrong)?;
            let part = |text: &str| text.trim().parse().map_err(|_| wrong());
            Ok(Room { towed: part(towed)?, leg: part(leg)? })
        }
        other => other.clone().try_into().map_err(|_| wrong()),
    }
}

/// `gpd = { value = 2, type = "P" }`, or by cover `{ none = 2, light = 4, medium = 6, heavy = 8 }`.
fn defense(id: &str, table: &Table, old: Defense) -> Result<Defense, SetupError> {
    if let Defense::Foot(mut foot) = old {
        let covers = ["none", "light", "medium", "heavy"];
        for (slot, key) in foot.by_cover.iter_mut().zip(covers) {
            if let Some(value) = table.get(key) {
                *slot = number(id, key, value)?;
            }
        }
        if let Some(value) = table.get("full_cover_bonus") {
            foot.full_cover = number(id, "full_cover_bonus", value)?;
        }
        return Ok(Defense::Foot(FootDefense { ..foot }));
    }
    let value = table.get("value").ok_or_else(|| bad(id, "gpd: value is missing"))?;
    let target = match table.get("type").and_then(Value::as_str) {
        Some("A" | "a") => TargetType::A,
        Some("P" | "p") => TargetType::P,
        _ => TargetType::S,
    };
    Ok(Defense::Vehicle(GpDefense { value: number(id, "gpd", value)?, target }))
}

/// Changes what the file states.
pub(super) fn read(piece: &mut Piece, id: &str, table: &Table) -> Result<(), SetupError> {
    for (key, flag) in [
        ("covered_transport", &mut piece.covered_transport),
        ("close_assault_c", &mut piece.close_assault_c),
        ("overhead_cover", &mut piece.overhead_cover),
        ("coax_mg", &mut piece.coax_mg),
        ("brew_up_mark", &mut piece.brew_up_mark),
        ("without_radio", &mut piece.without_radio),
        ("platform_mount", &mut piece.platform),
    ] {
        match table.get(key) {
            None => {}
            Some(Value::Boolean(yes)) => *flag = *yes,
            Some(_) => return Err(bad(id, format!("{key} must be true or false"))),
        }
    }
    if let Some(value) = table.get("transport") {
        piece.transport = room(id, "transport", value)?;
    }
    if let Some(value) = table.get("passenger") {
        piece.passenger = room(id, "passenger", value)?;
    }
    if let Some(Value::Table(gpd)) = table.get("gpd") {
        piece.gpd = defense(id, gpd, piece.gpd)?;
    }
    if let (Some(value), Defense::Foot(foot)) = (table.get("full_cover_bonus"), &mut piece.gpd) {
        foot.full_cover = number(id, "full_cover_bonus", value)?;
    }
    if let (Some(Value::Boolean(yes)), Some(arm)) = (table.get("small_arms"), piece.arms.first_mut()) {
        arm.weapon.small_arms = *yes;
    }
    if let Some(value) = table.get("spotted_as") {
        let size: Result<SpotSize, _> = value.clone().try_into();
        piece.spotted_as = size.map_err(|_| bad(id, "size must be V, L or S, or a number"))?;
    }
    Ok(())
}
