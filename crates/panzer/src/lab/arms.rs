//! Weapons and armor of an Advanced card that a file gives to one unit: as the pack writes them, or as cards print them.

use kernel::SetupError;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::cards;
use crate::{
    pack::{
        FieldOfFire,
        advanced::{Advanced, AmmoLimit, ApAmmo, Armor, GpRow, Weapon},
    },
    piece::{self, Arm, HalfSquad, Piece},
};

/// Fields that this reader knows, besides those that the Basic Game has too.
pub(super) const FIELDS: [&str; 20] = [
    "armor_front_rear",
    "armor_sides",
    "armor_deck",
    "ammo_limit",
    "apcr",
    "hvap",
    "heat",
    "gp_df",
    "gp_if",
    "gp_indirect",
    "gpf",
    "gp_factor",
    "min_range",
    "smoke",
    "smoke_dischargers",
    "dischargers",
    "reduces_to",
    // Figures without a rule.
    "crew",
    "weight_t",
    "stabilization",
];

fn bad(unit: &str, what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(format!("unit {unit}: {what}"))
}

fn number(id: &str, key: &str, value: &Value) -> Result<u8, SetupError> {
    let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
    n.ok_or_else(|| bad(id, format!("{key} must be a number from 0 to 255")))
}

fn parse<T: DeserializeOwned>(id: &str, key: &str, value: &Value) -> Result<T, SetupError> {
    value.clone().try_into().map_err(|e: toml::de::Error| bad(id, format!("{key}: {}", e.message())))
}

/// A weapon of a `weapons` list that names one of the pack, not one written out.
pub(super) fn of_pack(value: &Value) -> bool {
    value.is_str() || value.get("weapon").is_some()
}

/// Changes what the file states.
pub(super) fn read(piece: &mut Piece, pack: &Advanced, id: &str, table: &Table) -> Result<(), SetupError> {
    if let Some(list) = table.get("weapons").and_then(Value::as_array).filter(|list| list.iter().any(of_pack))
    {
        weapons(piece, pack, id, list)?;
    }
    if let Some(arm) = piece.arms.first_mut() {
        shots(arm, id, table)?;
    }
    if let Some(value) = table.get("smoke_dischargers").or_else(|| table.get("dischargers")) {
        piece.dischargers = Some(number(id, "smoke_dischargers", value)?);
    }
    if let Some(name) = table.get("reduces_to").and_then(Value::as_str) {
        let half = pack.leg(name).ok_or_else(|| bad(id, format!("reduces_to: there is no card `{name}`")))?;
        piece.half =
            Some(HalfSquad { gp: half.gp, gpd: half.gpd, passenger: half.passenger, points: half.points });
    }
    armor(piece, id, table)
}

/// `weapons = ["2pdr", "mg_single"]`, or as the pack writes them: `[{ weapon = "2pdr", turret_turn = 2 }]`. They
/// replace those of the card; crew-served weapons stay.
fn weapons(piece: &mut Piece, pack: &Advanced, id: &str, list: &[Value]) -> Result<(), SetupError> {
    let old = std::mem::take(&mut piece.arms);
    let (attached, own): (Vec<Arm>, Vec<Arm>) = old.into_iter().partition(|arm| arm.attached.is_some());
    for (n, value) in list.iter().enumerate() {
        let name = value.as_str().or_else(|| value.get("weapon").and_then(Value::as_str)).unwrap_or_default();
        let wanted = cards::plain(name);
        let same =
            |w: &&Weapon| w.id == name || cards::plain(&w.id) == wanted || cards::plain(&w.name) == wanted;
        let weapon = pack.weapons.iter().find(same).ok_or_else(|| SetupError::Unknown {
            what: "weapon",
            name: name.into(),
            known: pack.weapons.iter().map(|w| w.id.as_str()).collect::<Vec<_>>().join(", "),
        })?;
        // Mounted as the weapon in its place on the card, unless the file says how.
        let mut made = match own.get(n) {
            Some(arm) => {
                Arm { rate: weapon.rate, weapon: weapon.clone(), ammo: AmmoLimit::default(), ..arm.clone() }
            }
            None => piece::arm(weapon.clone(), FieldOfFire::All, AmmoLimit::default()),
        };
        if let Some(table) = value.as_table() {
            mounting(&mut made, id, table)?;
        }
        piece.arms.push(made);
    }
    piece.arms.extend(attached);
    Ok(())
}

/// How a weapon is mounted.
fn mounting(arm: &mut Arm, id: &str, table: &Table) -> Result<(), SetupError> {
    if let Some(value) = table.get("field_of_fire") {
        arm.arc = parse(id, "field_of_fire", value)?;
    }
    if let Some(value) = table.get("turret_turn").or_else(|| table.get("tt")) {
        let turn =
            value.as_integer().and_then(|n| u16::try_from(n).ok()).filter(|n| matches!(n, 0..=3 | 360));
        arm.turret_turn = turn.ok_or_else(|| bad(id, "turret_turn must be 0, 1, 2, 3 or 360"))?;
        if arm.turret_turn > 0 && !table.contains_key("field_of_fire") {
            arm.arc = FieldOfFire::All;
        }
    }
    // 4.4.3.1.3: without a turret only front or rear.
    if arm.turret_turn == 0 && arm.arc == FieldOfFire::All {
        arm.arc = FieldOfFire::Front;
    }
    if let Some(value) = table.get("ammo_limit") {
        arm.ammo = parse(id, "ammo_limit", value)?;
    }
    for (key, flag) in [("dual_fire", &mut arm.dual), ("hull_down_restricted", &mut arm.hull_restricted)] {
        if let Some(value) = table.get(key) {
            *flag = parse(id, key, value)?;
        }
    }
    Ok(())
}

/// The rows of the first weapon.
fn shots(arm: &mut Arm, id: &str, table: &Table) -> Result<(), SetupError> {
    if ["field_of_fire", "turret_turn", "tt", "ammo_limit"].iter().any(|key| table.contains_key(*key)) {
        mounting(arm, id, table)?;
    }
    let weapon = &mut arm.weapon;
    // `range` and `penetration` of the unit itself are those of its AP row.
    if table.contains_key("penetration") || table.contains_key("range") && weapon.ap.is_some() {
        ap_row(&mut weapon.ap, id, "penetration", &Value::Table(table.clone()))?;
    }
    for (keys, row) in [
        (["ap", "ap"], &mut weapon.ap),
        (["apcr", "hvap"], &mut weapon.apcr),
        (["heat", "heat"], &mut weapon.heat),
    ] {
        if let Some(value) = keys.iter().find_map(|key| table.get(*key)) {
            ap_row(row, id, keys[0], value)?;
        }
    }
    if let Some(value) = table.get("gp_df") {
        weapon.gp = Some(parse(id, "gp_df", value)?);
    }
    for key in ["gp_if", "gp_indirect"] {
        if let Some(value) = table.get(key) {
            weapon.gp_indirect = Some(parse(id, key, value)?);
        }
    }
    if let Some(value) = table.get("gpf").or_else(|| table.get("gp_factor")) {
        let factor = number(id, "gpf", value)?;
        let row: &mut GpRow =
            weapon.gp.as_mut().ok_or_else(|| bad(id, "gpf: it has no GP weapon (6.5.4)"))?;
        row.factor = [factor; 5];
    }
    if let Some(value) = table.get("min_range") {
        let least = number(id, "min_range", value)?;
        for row in [&mut weapon.gp, &mut weapon.gp_indirect].into_iter().flatten() {
            row.min_range = least; // 5.6
        }
    }
    if let Some(value) = table.get("smoke") {
        weapon.smoke = parse(id, "smoke", value)?;
    }
    Ok(())
}

/// `{ range = [...], penetration = [...] }`; one penetration is that of every range factor. `false`: there is none.
fn ap_row(row: &mut Option<ApAmmo>, id: &str, key: &str, value: &Value) -> Result<(), SetupError> {
    let table = match value {
        Value::Table(table) => table,
        Value::Boolean(false) => {
            *row = None;
            return Ok(());
        }
        _ => return Err(bad(id, format!("{key} must be a table with range and penetration"))),
    };
    let mut made = row.unwrap_or_default();
    match table.get("penetration") {
        None => {}
        Some(value @ Value::Integer(_)) => made.row.penetration = [number(id, "penetration", value)?; 5],
        Some(value) => made.row.penetration = parse(id, "penetration", value)?,
    }
    if let Some(value) = table.get("range") {
        made.row.range = parse(id, "range", value)?;
    }
    if let Some(value) = table.get("energy").and_then(Value::as_str) {
        made.ce = value.eq_ignore_ascii_case("CE"); // 6.5.2.3.4
    }
    if made.row.range[4] == 0 || !made.row.range.is_sorted() {
        return Err(bad(id, format!("{key}.range must be five numbers that do not fall from P to E")));
    }
    *row = Some(made);
    Ok(())
}

/// `armor_front_rear`, `armor_sides` by slope and location, or by location alone; `armor = { TF = 8, … }` is for every
/// angle (6.5.2.3).
fn armor(piece: &mut Piece, id: &str, table: &Table) -> Result<(), SetupError> {
    const FRONT_REAR: [&str; 4] = ["TF", "TR", "HF", "HR"];
    const SIDES: [&str; 6] = ["TF", "TS", "TR", "HF", "HS", "HR"];
    let mut made: Armor = piece.armor.unwrap_or_default();
    let mut given = false;
    for key in ["armor", "armor_front_rear", "armor_sides"] {
        let Some(Value::Table(rows)) = table.get(key).filter(|value| by_location(value)) else { continue };
        given = true;
        for (n, slope) in ["level", "rising", "falling"].into_iter().enumerate() {
            let row = rows.get(slope).and_then(Value::as_table).unwrap_or(rows);
            if key != "armor_sides" {
                cells(&mut made.front_rear[n], &FRONT_REAR, row, id)?;
            }
            if key != "armor_front_rear" {
                cells(&mut made.sides[n], &SIDES, row, id)?;
            }
        }
    }
    if let Some(value) = table.get("armor_deck") {
        made.deck = number(id, "armor_deck", value)?;
        given = true;
    }
    if given {
        piece.armor = Some(made);
    }
    Ok(())
}

/// Armor by location, not the two figures of the Basic Game.
pub(super) fn by_location(value: &Value) -> bool {
    let place = |key: &String| key.chars().all(|c| c.is_ascii_uppercase());
    let slope = |key: &String| matches!(key.as_str(), "level" | "rising" | "falling");
    value.as_table().is_some_and(|table| table.keys().any(|key| place(key) || slope(key)))
}

fn cells(row: &mut [u8], places: &[&str], table: &Table, id: &str) -> Result<(), SetupError> {
    for (cell, place) in row.iter_mut().zip(places) {
        if let Some(value) = table.get(*place) {
            *cell = number(id, place, value)?;
        }
    }
    Ok(())
}
