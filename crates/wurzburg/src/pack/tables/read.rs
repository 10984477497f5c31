//! Reads the table files into [`Tables`].

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::forces::{Forces, FormationId, TypeId, find};
use super::super::kinds::{Nation, Purse, Ratio, Terrain};
use super::super::{PackError, PackFiles};
use super::{
    AdmGas, AirCall, Amphibious, ArtilleryPool, Avoid, BridgeFactor, BridgeStrike, CounterBattery, Effect,
    FireEffects, Jamming, Movement, Recon, Rolls, SpecialAir, SpecialStrike, Support, Tables, TerrainRow,
    TurnBox,
};

/// The tables of one file, each without the keys that are only for readers.
struct File {
    path: &'static str,
    tables: toml::Table,
}

impl File {
    fn open(files: &PackFiles, path: &'static str) -> Result<File, PackError> {
        Ok(File { path, tables: files.parse(path)? })
    }

    /// A table by its dotted name.
    fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, PackError> {
        let wrong = |why: String| PackError::at(format!("{}: {name}", self.path), why);
        let mut table = &self.tables;
        for part in name.split('.') {
            let next = table.get(part).and_then(toml::Value::as_table);
            table = next.ok_or_else(|| wrong("the table is missing".into()))?;
        }
        let mut table = table.clone();
        if table.remove("rule").and_then(|r| r.as_str().map(str::is_empty)) != Some(false) {
            return Err(wrong("rule: say which rule uses the table".into()));
        }
        if table.remove("marks").is_none() {
            return Err(wrong("marks: say which figures are attested".into()));
        }
        table.remove("why");
        table.try_into().map_err(|e: toml::de::Error| wrong(e.message().to_owned()))
    }

    fn wrong(&self, name: &str, why: impl Into<String>) -> PackError {
        PackError::at(format!("{}: {name}", self.path), why)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCrt {
    hit_modifier: [i8; 10],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInitiative {
    wp: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAirCall {
    nato: [String; 10],
    wp: [String; 10],
    points: [u8; 2],
    adm_or_gas_points: [u8; 2],
    special: Vec<RawSpecial>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSpecial {
    strike: SpecialStrike,
    nation: Nation,
    aircraft: String,
    spends: Purse,
}

/// A table with a single range of rolls under any name.
#[derive(Deserialize)]
#[serde(transparent)]
struct OneRange(BTreeMap<String, Rolls>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTerrain {
    mp: u8,
    close: bool,
    zoc: bool,
    strike: RawStrike,
    other: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStrike {
    armor: u8,
    infantry: u8,
    engineer: u8,
    artillery: u8,
    hq: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawImproved {
    strike: u8,
    other: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHexside {
    saale_unbridged: u8,
    bridge: u8,
    slope_up: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRoad {
    autobahn: Ratio,
    bundesstrasse: Ratio,
    minor: Ratio,
    minor_into_town_or_city: u8,
    reaction_along_any: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMarker {
    obstacle: u8,
    smoke: u8,
    minefield_forced_exit: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEffects {
    cap: u8,
    rows: Vec<RawEffect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEffect {
    id: Effect,
    direct: Option<Ratio>,
    indirect: Option<Ratio>,
    air: Option<Ratio>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSupport {
    rows: Vec<Support>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAdmGas {
    least_fire_strength: u8,
    least_air_steps: u8,
    adm_artillery: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPools {
    always: BTreeMap<String, Vec<String>>,
    limited: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRetreat {
    avoid: Vec<Avoid>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEngineering {
    ferry_steps: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTurns {
    boxes: Vec<TurnBox>,
}

pub(in super::super) fn read(files: &PackFiles, forces: &Forces) -> Result<Tables, PackError> {
    let dice = File::open(files, "tables/dice.toml")?;
    let ground = File::open(files, "tables/terrain.toml")?;
    let fire = File::open(files, "tables/fire.toml")?;
    let play = File::open(files, "tables/play.toml")?;
    let range = |name: &str, key: &str| {
        let table: OneRange = dice.get(name)?;
        table.0.get(key).copied().ok_or_else(|| dice.wrong(name, format!("{key} is missing")))
    };
    let recon: Recon = dice.get("recon")?;
    let rows = [&recon.clear, &recon.light_woods, &recon.heavy_woods, &recon.town, &recon.city, &recon.empty];
    if rows.iter().any(|row| row.len() != recon.bands.len()) {
        return Err(dice.wrong("recon", "every row has a number for each band"));
    }
    let counter_battery = |name: &str| {
        let table: CounterBattery = dice.get(name)?;
        if [&table.towed, &table.self_propelled, &table.rocket].iter().any(|r| r.len() != table.bands.len()) {
            return Err(dice.wrong(name, "every row has a number for each band"));
        }
        Ok(table)
    };
    let jamming: Jamming = dice.get("jamming")?;
    if jamming.rows.is_empty() {
        return Err(dice.wrong("jamming", "rows are missing"));
    }
    Ok(Tables {
        crt: dice.get::<RawCrt>("crt")?.hit_modifier,
        initiative_wp: dice.get::<RawInitiative>("initiative")?.wp,
        counter_battery_us: counter_battery("counter_battery.us")?,
        counter_battery_others: counter_battery("counter_battery.others")?,
        amphibious: amphibious(&dice)?,
        air_call: air_call(&dice, forces)?,
        anti_aircraft: dice.get("anti_aircraft")?,
        mine_attack: dice.get("mine_attack")?,
        demolition: dice.get("demolition")?,
        bridge_strike: bridge_strike(&dice)?,
        jamming,
        screening: dice.get("screening")?,
        gegenangriff: range("gegenangriff", "reversed")?,
        contamination: range("contamination_check", "contaminated")?,
        gas_step_lost: range("gas_attack", "step_lost")?,
        revelation: dice.get("revelation")?,
        disorganized: range("disorganization", "eliminated")?,
        solitaire_dummy_minefield: range("solitaire_minefield", "dummy")?,
        recon,
        terrain: terrain(&ground)?,
        improved_position: improved_position(&ground)?,
        movement: movement(&ground)?,
        off_map: ground.get("off_map")?,
        fire_effects: fire_effects(&fire)?,
        support: fire.get::<RawSupport>("fire_support")?.rows,
        adm_gas: adm_gas(&fire, forces)?,
        artillery_pool: artillery_pool(&fire, forces)?,
        flak: fire.get("flak")?,
        retreat: fire.get::<RawRetreat>("retreat")?.avoid,
        operations: play.get("operations")?,
        stacking: play.get("stacking")?,
        main_effort: play.get("main_effort")?,
        command: play.get("command")?,
        dummies: play.get("dummies")?,
        ferry_steps: play.get::<RawEngineering>("engineering")?.ferry_steps,
        victory: play.get("victory")?,
        turns: play.get::<RawTurns>("turns")?.boxes,
    })
}

fn amphibious(dice: &File) -> Result<Amphibious, PackError> {
    let table: Amphibious = dice.get("amphibious_crossing")?;
    if table.steps.is_empty() {
        return Err(dice.wrong("amphibious_crossing", "steps are missing"));
    }
    Ok(table)
}

fn bridge_strike(dice: &File) -> Result<BridgeStrike, PackError> {
    let table: BridgeStrike = dice.get("bridge_strike")?;
    let BridgeFactor { autobahn, road, military } = table.factor;
    if [autobahn, road, military].contains(&0) {
        return Err(dice.wrong("bridge_strike", "factor: at least 1"));
    }
    Ok(table)
}

fn air_call(dice: &File, forces: &Forces) -> Result<AirCall, PackError> {
    let raw: RawAirCall = dice.get("air_call")?;
    let find = |id: &str| {
        let i = find(&forces.types, |t| &t.id, id, "type").map_err(|why| dice.wrong("air_call", why))?;
        Ok::<TypeId, PackError>(TypeId(i as u8))
    };
    let row = |ids: &[String; 10]| {
        let mut row = [TypeId(0); 10];
        for (cell, id) in row.iter_mut().zip(ids) {
            *cell = find(id)?;
        }
        Ok::<[TypeId; 10], PackError>(row)
    };
    let special = raw.special.iter().map(|s| {
        let aircraft = find(&s.aircraft)?;
        Ok(SpecialAir { strike: s.strike, nation: s.nation, aircraft, spends: s.spends })
    });
    Ok(AirCall {
        // In the order of `Side`.
        aircraft: [row(&raw.wp)?, row(&raw.nato)?],
        points: raw.points,
        adm_or_gas_points: raw.adm_or_gas_points,
        special: special.collect::<Result<_, PackError>>()?,
    })
}

fn terrain(ground: &File) -> Result<[TerrainRow; 5], PackError> {
    let mut rows = [TerrainRow { mp: 0, close: false, zoc: false, strike: [0; 5], other: 0 }; 5];
    for kind in Terrain::ALL {
        let raw: RawTerrain = ground.get(&format!("terrain.{}", kind.key()))?;
        let RawStrike { armor, infantry, engineer, artillery, hq } = raw.strike;
        rows[kind.index()] = TerrainRow {
            mp: raw.mp,
            close: raw.close,
            zoc: raw.zoc,
            // In the order of `Column`.
            strike: [armor, infantry, engineer, artillery, hq],
            other: raw.other,
        };
    }
    Ok(rows)
}

fn improved_position(ground: &File) -> Result<u8, PackError> {
    let raw: RawImproved = ground.get("improved_position")?;
    if raw.other != 0 {
        let why = "other: an Improved Position helps against Offensive Fire and Strikes only (35.0)";
        return Err(ground.wrong("improved_position", why));
    }
    Ok(raw.strike)
}

fn movement(ground: &File) -> Result<Movement, PackError> {
    let side: RawHexside = ground.get("hexside")?;
    let road: RawRoad = ground.get("road")?;
    let marker: RawMarker = ground.get("marker")?;
    let quarters = |r: Ratio| {
        let why = "a road costs a whole number of quarters of a Movement Point";
        r.quarters().filter(|q| *q > 0).ok_or_else(|| ground.wrong("road", why))
    };
    Ok(Movement {
        saale_unbridged: side.saale_unbridged,
        bridge: side.bridge,
        slope_up: side.slope_up,
        // In the order of `Road`.
        road_quarters: [quarters(road.autobahn)?, quarters(road.bundesstrasse)?, quarters(road.minor)?],
        minor_into_town_or_city: road.minor_into_town_or_city,
        reaction_along_any: road.reaction_along_any,
        obstacle: marker.obstacle,
        smoke: marker.smoke,
        minefield_forced_exit: marker.minefield_forced_exit,
    })
}

fn fire_effects(fire: &File) -> Result<FireEffects, PackError> {
    let raw: RawEffects = fire.get("fire_effects")?;
    let mut factors = [[Ratio::ONE; 3]; 16];
    for effect in Effect::ALL {
        let mut rows = raw.rows.iter().filter(|r| r.id == effect);
        let (Some(row), None) = (rows.next(), rows.next()) else {
            return Err(fire.wrong("fire_effects", format!("{}: expected once", effect.key())));
        };
        let or_one = |r: Option<Ratio>| r.unwrap_or(Ratio::ONE);
        // In the order of `FireMode`.
        factors[effect as usize] = [or_one(row.direct), or_one(row.indirect), or_one(row.air)];
    }
    Ok(FireEffects { factors, cap: raw.cap })
}

fn adm_gas(fire: &File, forces: &Forces) -> Result<AdmGas, PackError> {
    let raw: RawAdmGas = fire.get("adm_gas")?;
    let find = |id: &String| {
        let i = find(&forces.types, |t| &t.id, id, "type").map_err(|why| fire.wrong("adm_gas", why))?;
        Ok(TypeId(i as u8))
    };
    Ok(AdmGas {
        least_fire_strength: raw.least_fire_strength,
        least_air_steps: raw.least_air_steps,
        adm_artillery: raw.adm_artillery.iter().map(find).collect::<Result<_, PackError>>()?,
    })
}

fn artillery_pool(fire: &File, forces: &Forces) -> Result<BTreeMap<FormationId, ArtilleryPool>, PackError> {
    let raw: RawPools = fire.get("artillery_pool")?;
    let formation = |id: &String| {
        let i = find(&forces.formations, |f| &f.id, id, "formation");
        Ok::<FormationId, PackError>(FormationId(i.map_err(|why| fire.wrong("artillery_pool", why))? as u8))
    };
    let mut pools: BTreeMap<FormationId, ArtilleryPool> = BTreeMap::new();
    for (hq, list) in &raw.always {
        pools.entry(formation(hq)?).or_default().always =
            list.iter().map(formation).collect::<Result<_, _>>()?;
    }
    for (hq, list) in &raw.limited {
        pools.entry(formation(hq)?).or_default().limited =
            list.iter().map(formation).collect::<Result<_, _>>()?;
    }
    Ok(pools)
}
