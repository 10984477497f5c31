//! Data cards: weapons and the vehicles that carry them (1.5, 1.6).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{ApRow, Card, FieldOfFire, Kind, Mount, Movement, Nation, PackError, PackFiles};

#[derive(Debug, Deserialize)]
struct WeaponFile {
    weapon: Vec<RawWeapon>,
}

/// The fields of a weapon that the Basic Game reads; the other ammunition rows belong to the Advanced Game.
#[derive(Debug, Deserialize)]
struct RawWeapon {
    id: String,
    name: String,
    ap: Option<ApRow>,
}

#[derive(Debug, Deserialize)]
struct VehicleFile {
    vehicle: Vec<toml::Table>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawVehicle {
    id: String,
    #[serde(default)]
    card: String,
    name: String,
    nation: Nation,
    kind: Kind,
    years: [u16; 2],
    movement: Movement,
    #[serde(default)]
    open_top: bool,
    size: i8,
    basic_armor: Armor,
    armed: bool,
    #[serde(default)]
    mounts: Vec<RawMount>,
    #[serde(default)]
    stabilization: u8,
    points: u16,
}

#[derive(Debug, Deserialize)]
struct Armor {
    front: u8,
    rear: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawMount {
    weapon: String,
    field_of_fire: FieldOfFire,
    turret_turn: u16,
    #[serde(default)]
    coax: bool,
}

impl RawMount {
    /// A mount that is not a coaxial weapon.
    pub(super) fn new(weapon: String, field_of_fire: FieldOfFire, turret_turn: u16) -> RawMount {
        RawMount { weapon, field_of_fire, turret_turn, coax: false }
    }
}

pub(super) fn read(files: &PackFiles) -> Result<Vec<Card>, PackError> {
    let weapons: WeaponFile = files.parse("cards/weapons.toml")?;
    let weapons: BTreeMap<&str, &RawWeapon> = weapons.weapon.iter().map(|w| (w.id.as_str(), w)).collect();
    let mut cards: Vec<Card> = Vec::new();
    let of_vehicles = |path: &str| path != "cards/weapons.toml" && !path.starts_with("cards/advanced/");
    for (path, text) in files.folder("cards").filter(|(path, _)| of_vehicles(path)) {
        let file: VehicleFile = rulebook::files::parse(path, text)?;
        for printed in file.vehicle {
            let id = printed.get("id").and_then(toml::Value::as_str).unwrap_or("?");
            let at = format!("{path}: {id}");
            let raw: RawVehicle =
                printed.clone().try_into().map_err(|e: toml::de::Error| PackError::at(&at, e.message()))?;
            let card = card(raw, printed, &weapons).map_err(|why| PackError::at(&at, why))?;
            if cards.iter().any(|other| other.id == card.id) {
                return Err(PackError::at(&at, "there is another card with this id"));
            }
            cards.push(card);
        }
    }
    Ok(cards)
}

fn card(
    mut raw: RawVehicle,
    printed: toml::Table,
    weapons: &BTreeMap<&str, &RawWeapon>,
) -> Result<Card, String> {
    let mounts = std::mem::take(&mut raw.mounts);
    let mut card = base(raw, printed)?;
    for m in mounts {
        let weapon =
            weapons.get(m.weapon.as_str()).ok_or_else(|| format!("mounts: no weapon `{}`", m.weapon))?;
        card.mounts.push(mount(m, &weapon.name, weapon.ap)?);
    }
    if card.armed == card.mounts.is_empty() {
        return Err("armed: a combat vehicle has a weapon, another has none (4.1.1)".into());
    }
    Ok(card)
}

/// A weapon as mounted on a vehicle.
pub(super) fn mount(m: RawMount, name: &str, ap: Option<ApRow>) -> Result<Mount, String> {
    if !matches!(m.turret_turn, 0..=3 | 360) {
        return Err(format!("turret_turn = {}: expected 0, 1, 2, 3 or 360 (4.4.3.1)", m.turret_turn));
    }
    if (m.turret_turn == 0) == (m.field_of_fire == FieldOfFire::All) {
        return Err("field_of_fire: front or rear for a gun without traverse, else 360 (4.4.3.1)".into());
    }
    if let Some(ap) = &ap
        && !(ap.range.is_sorted() && ap.penetration.is_sorted_by(|a, b| a >= b))
    {
        return Err(format!("weapon {}: ap: ranges grow and penetration falls from P to E", m.weapon));
    }
    Ok(Mount {
        weapon: m.weapon,
        name: name.to_owned(),
        turret_turn: m.turret_turn,
        field_of_fire: m.field_of_fire,
        ap,
        coax: m.coax,
    })
}

/// A card without its weapons.
pub(super) fn base(raw: RawVehicle, printed: toml::Table) -> Result<Card, String> {
    if !(-2..=2).contains(&raw.size) {
        return Err(format!("size = {}: expected -2 to 2 (4.4.3.2.2)", raw.size));
    }
    if raw.years[0] > raw.years[1] {
        return Err("years: expected [first, last]".into());
    }
    Ok(Card {
        id: raw.id,
        card: raw.card,
        name: raw.name,
        nation: raw.nation,
        kind: raw.kind,
        years: raw.years,
        movement: raw.movement,
        open_top: raw.open_top,
        size: raw.size,
        armor: [raw.basic_armor.front, raw.basic_armor.rear],
        armed: raw.armed,
        mounts: Vec::new(),
        stabilization: raw.stabilization,
        points: raw.points,
        printed,
    })
}
