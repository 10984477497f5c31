//! Reads the cards of the Advanced Game: `packs/panzer/cards/advanced`.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use super::weapons::{RawAa, RawWeapon, check_row};
use super::{
    Advanced, AdvancedTables, AirRole, AirWeapon, AircraftCard, AmmoLimit, Armor, BatteryCard, BatteryClass,
    CrewServed, CrewServedCard, FootDefense, FootMovement, GpDefense, GpRow, Grade, Label, LegCard, LegSize,
    May, Mission, Month, Mounted, Portee, Rate, Rockets, Room, Speed, SpotSize, TargetType, TowedCard,
    Troops, VehicleCard, Weapon,
};
use crate::pack::cards::{self as basic, RawVehicle};
use crate::pack::{Card, FieldOfFire, Movement, Nation, PackError, PackFiles, Traction};

/// The entries of a card file, each with its place for errors.
fn entries<T: DeserializeOwned>(
    files: &PackFiles,
    file: &str,
    list: &str,
) -> Result<Vec<(String, toml::Table, T)>, PackError> {
    let path = format!("cards/advanced/{file}.toml");
    let mut parsed: toml::Table = files.parse(&path)?;
    let list = parsed.remove(list).ok_or_else(|| PackError::at(&path, format!("no [[{list}]]")))?;
    let list: Vec<toml::Table> = list.try_into().map_err(|e| PackError::at(&path, bad(&e)))?;
    let mut out: Vec<(String, toml::Table, T)> = Vec::new();
    for printed in list {
        let id = printed.get("id").and_then(toml::Value::as_str).unwrap_or("?").to_owned();
        let at = format!("{path}: {id}");
        super::check::marks(&printed).map_err(|why| PackError::at(&at, why))?;
        if out.iter().any(|(other, ..)| *other == at) {
            return Err(PackError::at(&at, "there is another card with this id"));
        }
        let card = printed.clone().try_into().map_err(|e| PackError::at(&at, bad(&e)))?;
        out.push((at, printed, card));
    }
    Ok(out)
}

fn bad(e: &toml::de::Error) -> String {
    e.message().to_owned()
}

impl<'de> Deserialize<'de> for FootMovement {
    /// `2L 3`: cross-country, Quickmarch.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parse = || {
            let (cross_country, quickmarch) = text.split_once("L ")?;
            Some(FootMovement {
                cross_country: cross_country.parse().ok()?,
                quickmarch: quickmarch.parse().ok()?,
            })
        };
        let why =
            || serde::de::Error::custom(format!("movement: `{text}`: expected such as `2L 3` (6.6.4.1)"));
        parse().ok_or_else(why)
    }
}

/// A wheeled factor as text: `6W 13-20` (6.6.4.4).
fn wheeled(text: &str) -> Option<Movement> {
    let (cross_country, rest) = text.split_once("W ")?;
    let (path, road) = rest.split_once('-')?;
    Some(Movement {
        cross_country: cross_country.parse().ok()?,
        traction: Traction::Wheeled,
        path: path.parse().ok()?,
        road: road.parse().ok()?,
    })
}

#[derive(Debug, Deserialize)]
struct RawExtension {
    id: String,
    extends: bool,
    available_from: Option<Month>,
    crew: u8,
    transport: Room,
    covered_transport: bool,
    gpd: GpDefense,
    close_assault_c: bool,
    overhead_cover: bool,
    weapons: Vec<RawMounted>,
    coax_mg: bool,
    aa: Option<RawAa>,
    portee: Option<Portee>,
    without_radio: bool,
    brew_up_mark: bool,
    smoke_dischargers: Option<String>,
    #[serde(default)]
    rare: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMounted {
    weapon: String,
    field_of_fire: FieldOfFire,
    turret_turn: u16,
    #[serde(default)]
    ammo_limit: AmmoLimit,
    #[serde(default)]
    dual_fire: bool,
    #[serde(default)]
    hull_down_restricted: bool,
    #[serde(default)]
    aa: bool,
}

#[derive(Debug, Deserialize)]
struct RawFootDefense {
    none: u8,
    light: u8,
    medium: u8,
    heavy: u8,
    #[serde(rename = "type")]
    target: TargetType,
    full_cover_bonus: u8,
}

impl RawFootDefense {
    fn read(&self) -> Result<FootDefense, String> {
        let by_cover = [self.none, self.light, self.medium, self.heavy];
        // 6.5.4.2.2: always S; more cover never gives a lower defense.
        if self.target != TargetType::S || !by_cover.is_sorted() || self.none == 0 || self.heavy > 10 {
            return Err("gpd: type S, from 1 to 10, rising with cover (6.5.4.2.2)".into());
        }
        if !(1..=2).contains(&self.full_cover_bonus) {
            return Err("gpd.full_cover_bonus: expected 1 or 2 (6.5.4.2.2)".into());
        }
        Ok(FootDefense { by_cover, full_cover: self.full_cover_bonus })
    }
}

#[derive(Debug, Deserialize)]
struct RawTowed {
    id: String,
    #[serde(default)]
    card: String,
    name: String,
    nation: Nation,
    years: [u16; 2],
    available_from: Option<Month>,
    weapon: String,
    rate_of_fire: Rate,
    size: SpotSize,
    movement: FootMovement,
    passenger: Room,
    ammo_limit: AmmoLimit,
    crew: u8,
    field_of_fire: FieldOfFire,
    gpd: RawFootDefense,
    aa: Option<RawAa>,
    #[serde(default)]
    platform_mount: bool,
    points: u16,
}

#[derive(Debug, Deserialize)]
struct RawLeg {
    id: String,
    #[serde(default)]
    card: String,
    name: String,
    nation: Nation,
    kind: LegSize,
    years: [u16; 2],
    available_from: Option<Month>,
    movement: FootMovement,
    movement_with_weapon: Option<FootMovement>,
    motorcycle: Option<String>,
    size: SpotSize,
    passenger: Room,
    gp: GpRow,
    small_arms: bool,
    gpd: RawFootDefense,
    reduces_to: Option<String>,
    #[serde(default)]
    labels: Vec<Label>,
    default_grade: Grade,
    points: u16,
}

#[derive(Debug, Deserialize)]
struct RawCrewServed {
    #[serde(default)]
    card: String,
    nation: Nation,
    kind: CrewServed,
    years: [u16; 2],
    available_from: Option<Month>,
    may: May,
    #[serde(default)]
    ammo_limit: AmmoLimit,
    gp_fixed: Option<u8>,
    points: u16,
}

#[derive(Debug, Deserialize)]
struct RawBattery {
    id: String,
    #[serde(default)]
    card: String,
    nation: Nation,
    class: BatteryClass,
    guns: String,
    gp_if: GpRow,
    gp_effectiveness_max: u8,
    missions: Vec<Mission>,
    ammo_limit: AmmoLimit,
    points: u16,
}

#[derive(Debug, Deserialize)]
struct RawAircraft {
    id: String,
    name: String,
    nation: Nation,
    role: AirRole,
    years: [u16; 2],
    available_from: Option<Month>,
    gpd: GpDefense,
    speeds: Vec<Speed>,
    dive_bomber: bool,
    strafing: RawAirWeapon,
    bombs: Option<RawAirWeapon>,
    rockets: Option<RawRockets>,
    points: u16,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAirWeapon {
    factor: u8,
    #[serde(default)]
    small_arms: bool,
    effectiveness_max: Option<u8>,
    attacks: u8,
}

impl RawAirWeapon {
    fn read(self, what: &str) -> Result<AirWeapon, String> {
        if self.small_arms == self.effectiveness_max.is_some() {
            return Err(format!("{what}: small_arms or effectiveness_max (6.5.4.4.2)"));
        }
        if self.attacks == 0 || !(1..=15).contains(&self.factor) {
            return Err(format!("{what}: at least one attack, a factor of 1 to 15 (5.16.2.6, 6.5.4.4)"));
        }
        Ok(AirWeapon { factor: self.factor, effectiveness: self.effectiveness_max, attacks: self.attacks })
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRockets {
    range: [u8; 5],
    factor: [u8; 5],
    min_range: u8,
    effectiveness_max: u8,
    attacks: u8,
}

#[derive(Debug, Deserialize)]
struct TroopsFile {
    troops: Vec<RawTroops>,
}

#[derive(Debug, Deserialize)]
struct RawTroops {
    id: String,
    nation: Nation,
    years: [u16; 2],
    grade: Grade,
}

pub(super) fn read(files: &PackFiles, basic: &[Card], weapons: Vec<Weapon>) -> Result<Advanced, PackError> {
    let find = |id: &str| {
        let place = weapons.iter().position(|w| w.id == id);
        place.ok_or_else(|| format!("no weapon `{id}`"))
    };
    let mut vehicles = Vec::new();
    for (at, printed, raw) in entries::<RawExtension>(files, "vehicles", "vehicle")? {
        vehicles.push(vehicle(raw, printed, basic, &weapons, &find).map_err(|why| PackError::at(&at, why))?);
    }
    for card in basic {
        if !vehicles.iter().any(|v: &VehicleCard| v.base.id == card.id) {
            let why = format!("the Basic Game's card {} is not extended", card.id);
            return Err(PackError::at("cards/advanced/vehicles.toml", why));
        }
    }
    let mut towed = Vec::new();
    for (at, _, raw) in entries::<RawTowed>(files, "towed", "towed")? {
        towed.push(gun(raw, &find).map_err(|why| PackError::at(&at, why))?);
    }
    let mut leg = Vec::new();
    for (at, _, raw) in entries::<RawLeg>(files, "leg", "leg")? {
        leg.push(foot(raw).map_err(|why| PackError::at(&at, why))?);
    }
    let mut crew_served = Vec::new();
    for (at, printed, raw) in entries::<RawCrewServed>(files, "crew_served", "crew_served")? {
        crew_served.push(served(raw, printed).map_err(|why| PackError::at(&at, why))?);
    }
    let mut batteries = Vec::new();
    for (at, _, raw) in entries::<RawBattery>(files, "batteries", "battery")? {
        check_row("gp_if", &raw.gp_if).map_err(|why| PackError::at(&at, why))?;
        batteries.push(BatteryCard {
            id: raw.id,
            card: raw.card,
            nation: raw.nation,
            class: raw.class,
            guns: raw.guns,
            gp: raw.gp_if,
            effectiveness: raw.gp_effectiveness_max,
            missions: raw.missions,
            ammo: raw.ammo_limit,
            points: raw.points,
        });
    }
    let mut aircraft = Vec::new();
    for (at, _, raw) in entries::<RawAircraft>(files, "aircraft", "aircraft")? {
        aircraft.push(plane(raw).map_err(|why| PackError::at(&at, why))?);
    }
    let troops: TroopsFile = files.parse("cards/advanced/grades.toml")?;
    let troops = troops
        .troops
        .into_iter()
        .map(|t| Troops { id: t.id, nation: t.nation, years: t.years, grade: t.grade })
        .collect();
    Ok(Advanced {
        weapons,
        vehicles,
        towed,
        leg,
        crew_served,
        batteries,
        aircraft,
        troops,
        tables: AdvancedTables::default(),
        scenarios: Vec::new(),
    })
}

fn vehicle(
    raw: RawExtension,
    printed: toml::Table,
    basic: &[Card],
    weapons: &[Weapon],
    find: &impl Fn(&str) -> Result<usize, String>,
) -> Result<VehicleCard, String> {
    let extended = basic.iter().find(|c| c.id == raw.id);
    let mut base = match (raw.extends, extended) {
        (true, Some(card)) => card.clone(),
        (true, None) => return Err("extends: the Basic Game has no card of this id".into()),
        (false, Some(_)) => return Err("extends: the Basic Game has a card of this id".into()),
        (false, None) => {
            let whole: RawVehicle = printed.clone().try_into().map_err(|e| bad(&e))?;
            basic::base(whole, printed)?
        }
    };
    let mut mounted = Vec::new();
    base.mounts.clear();
    for m in raw.weapons {
        let place = find(&m.weapon)?;
        let weapon = &weapons[place];
        let raw_mount = basic::RawMount::new(m.weapon, m.field_of_fire, m.turret_turn);
        base.mounts.push(basic::mount(raw_mount, &weapon.name, weapon.ap.map(|a| a.row))?);
        ammo_fits(&m.ammo_limit, weapon)?;
        mounted.push(Mounted {
            weapon: place,
            field_of_fire: m.field_of_fire,
            turret_turn: m.turret_turn,
            ammo: m.ammo_limit,
            dual_fire: m.dual_fire,
            hull_down_restricted: m.hull_down_restricted,
            aa: m.aa,
        });
    }
    if base.armed == mounted.is_empty() {
        return Err("armed: a combat vehicle has a weapon, another has none (4.1.1)".into());
    }
    let dischargers = match raw.smoke_dischargers.as_deref() {
        None => None,
        Some(text) => {
            let number = text.strip_prefix('D').and_then(|n| n.parse().ok());
            Some(number.ok_or_else(|| format!("smoke_dischargers: `{text}`: expected such as D4 (7.9)"))?)
        }
    };
    let armor = armor(&base.printed)?;
    Ok(VehicleCard {
        base,
        extends: raw.extends,
        from: raw.available_from,
        crew: raw.crew,
        transport: raw.transport,
        covered_transport: raw.covered_transport,
        gpd: raw.gpd,
        close_assault_c: raw.close_assault_c,
        overhead_cover: raw.overhead_cover,
        weapons: mounted,
        coax_mg: raw.coax_mg,
        armor,
        aa: raw.aa.map(|aa| aa.read()).transpose()?,
        portee: raw.portee,
        without_radio: raw.without_radio,
        brew_up_mark: raw.brew_up_mark,
        smoke_dischargers: dischargers,
        rare: raw.rare,
    })
}

/// 5.16.2: a limit must be for an ammunition that the weapon has.
fn ammo_fits(limit: &AmmoLimit, weapon: &Weapon) -> Result<(), String> {
    let wrong = [
        (limit.apcr.is_some() && weapon.apcr.is_none(), "A"),
        (limit.heat.is_some() && weapon.heat.is_none(), "H"),
        (limit.smoke.is_some() && !weapon.smoke, "S"),
    ];
    match wrong.iter().find(|(wrong, _)| *wrong) {
        Some((_, letter)) => {
            Err(format!("ammo_limit {letter}: {} has no such ammunition (5.16.2)", weapon.id))
        }
        None => Ok(()),
    }
}

/// 6.5.2.3; vehicles without armor have no tables.
fn armor(printed: &toml::Table) -> Result<Option<Armor>, String> {
    let (Some(front_rear), Some(sides)) = (printed.get("armor_front_rear"), printed.get("armor_sides"))
    else {
        return Ok(None);
    };
    let cell = |table: &toml::Value, what: &str, slope: &str, place: &str| {
        let number = table.get(slope).and_then(|t| t.get(place)).and_then(toml::Value::as_integer);
        let number = number.and_then(|n| u8::try_from(n).ok());
        number.ok_or_else(|| format!("{what}.{slope}.{place}: expected a number (6.5.2.3)"))
    };
    let mut armor = Armor::default();
    for (i, slope) in ["level", "rising", "falling"].into_iter().enumerate() {
        for (j, place) in ["TF", "TR", "HF", "HR"].into_iter().enumerate() {
            armor.front_rear[i][j] = cell(front_rear, "armor_front_rear", slope, place)?;
        }
        for (j, place) in ["TF", "TS", "TR", "HF", "HS", "HR"].into_iter().enumerate() {
            armor.sides[i][j] = cell(sides, "armor_sides", slope, place)?;
        }
    }
    let deck = printed.get("armor_deck").and_then(toml::Value::as_integer);
    armor.deck =
        deck.and_then(|n| u8::try_from(n).ok()).ok_or("armor_deck: expected a number (6.5.2.2.2)")?;
    Ok(Some(armor))
}

fn gun(raw: RawTowed, find: &impl Fn(&str) -> Result<usize, String>) -> Result<TowedCard, String> {
    if raw.movement.quickmarch != 0 {
        return Err("movement: guns do not quickmarch: expected such as `1L 0` (6.6.5)".into());
    }
    if raw.ammo_limit.basic.is_none() {
        return Err("ammo_limit: every towed unit has a basic limit (5.16.2.4)".into());
    }
    if raw.size == SpotSize::Vehicle || raw.passenger.leg == 0 {
        return Err("size: S or L; passenger: the crew takes Leg room (5.2)".into());
    }
    Ok(TowedCard {
        weapon: find(&raw.weapon)?,
        id: raw.id,
        card: raw.card,
        name: raw.name,
        nation: raw.nation,
        years: raw.years,
        from: raw.available_from,
        rate: raw.rate_of_fire,
        size: raw.size,
        movement: raw.movement,
        passenger: raw.passenger,
        ammo: raw.ammo_limit,
        crew: raw.crew,
        field_of_fire: raw.field_of_fire,
        gpd: raw.gpd.read()?,
        aa: raw.aa.map(|aa| aa.read()).transpose()?,
        platform_mount: raw.platform_mount,
        points: raw.points,
    })
}

fn foot(raw: RawLeg) -> Result<LegCard, String> {
    check_row("gp", &raw.gp)?;
    if !raw.small_arms {
        return Err("small_arms: the inherent weapon of a Leg unit is Small Arms (5.7)".into());
    }
    if (raw.kind == LegSize::Squad) != raw.reduces_to.is_some() {
        return Err("reduces_to: squads have it, and nobody else (5.1.1)".into());
    }
    let motorcycle = raw.motorcycle.map(|text| {
        wheeled(&text).ok_or_else(|| format!("motorcycle: `{text}`: expected such as `6W 13-20` (6.6.4.4)"))
    });
    Ok(LegCard {
        gpd: raw.gpd.read()?,
        motorcycle: motorcycle.transpose()?,
        with_weapon: raw.movement_with_weapon.unwrap_or(raw.movement),
        id: raw.id,
        card: raw.card,
        name: raw.name,
        nation: raw.nation,
        size: raw.kind,
        years: raw.years,
        from: raw.available_from,
        movement: raw.movement,
        spotted_as: raw.size,
        passenger: raw.passenger,
        gp: raw.gp,
        reduces_to: raw.reduces_to,
        labels: raw.labels,
        usual_grade: raw.default_grade,
        points: raw.points,
    })
}

fn served(raw: RawCrewServed, printed: toml::Table) -> Result<CrewServedCard, String> {
    let rows: RawWeapon = printed.try_into().map_err(|e| bad(&e))?;
    let mut weapon = super::weapons::weapon(rows)?;
    weapon.flamethrower = raw.kind == CrewServed::Flamethrower; // 5.1.3.5
    Ok(CrewServedCard {
        id: weapon.id.clone(),
        card: raw.card,
        name: weapon.name.clone(),
        nation: raw.nation,
        kind: raw.kind,
        years: raw.years,
        from: raw.available_from,
        weapon,
        may: raw.may,
        ammo: raw.ammo_limit,
        gp_fixed: raw.gp_fixed,
        points: raw.points,
    })
}

fn plane(raw: RawAircraft) -> Result<AircraftCard, String> {
    if raw.gpd.target != TargetType::S {
        return Err("gpd: aircraft are of type S (6.5.4.2.4)".into());
    }
    if !raw.speeds.contains(&Speed::Slow) {
        return Err("speeds: every aircraft flies Slow, some also Fast (6.7.2.2)".into());
    }
    if raw.bombs.is_some() && raw.rockets.is_some() {
        return Err("bombs or rockets: the pack's aircraft carry one of them (6.7.1)".into());
    }
    let rockets = match raw.rockets {
        None => None,
        Some(r) => {
            let row = GpRow { range: r.range, factor: r.factor, min_range: r.min_range };
            check_row("rockets", &row)?;
            Some(Rockets { row, effectiveness: r.effectiveness_max, attacks: r.attacks })
        }
    };
    Ok(AircraftCard {
        strafing: raw.strafing.read("strafing")?,
        bombs: raw.bombs.map(|b| b.read("bombs")).transpose()?,
        rockets,
        fast: raw.speeds.contains(&Speed::Fast),
        id: raw.id,
        name: raw.name,
        nation: raw.nation,
        role: raw.role,
        years: raw.years,
        from: raw.available_from,
        gpd: raw.gpd,
        dive_bomber: raw.dive_bomber,
        points: raw.points,
    })
}
