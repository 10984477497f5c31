//! The tables of both editions. The 1st is the 2nd with `tables/1e.toml` merged over it.

use rulebook::changes::merge;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::doc::Doc;
use super::error::PackError;
use super::ids::Edition;
use super::load::Index;
use super::raw::{RawByGround, RawCost, RawHexside, RawRoad, RawTerrain};
use super::tables::{
    CombatResult, CombatResultsTable, DefenseRow, DefensiveArtillery, DefensiveFire, DeterminedDefense,
    DieTable, Disengagement, DisengagementRow, FireFight, Fuel, FuelResult, MoraleDrm, Odds, ResultEffect,
    Surrender, Tables,
};
use super::terrain::{Cost, HexsideFeature, HexsideRow, Road, RoadRow, Terrain, TerrainEffects, TerrainRow};
use super::unit::Army;

pub(super) fn tables(doc: &Doc, index: &Index<'_>) -> Result<[Tables; 2], PackError> {
    let second = edition(Edition::Second, doc.tables[0].clone(), index)?;
    let mut merged = doc.tables[0].clone();
    merge(&mut merged, &doc.tables[1]);
    let first = edition(Edition::First, merged, index)?;
    Ok([second, first])
}

/// Takes the groups of one edition out of its table, one after the other.
struct Groups {
    file: String,
    table: Table,
    sources: Vec<(String, String)>,
}

impl Groups {
    fn error(&self, group: &str, message: impl Into<String>) -> PackError {
        PackError::new(&self.file, format!("[{group}]"), message)
    }

    fn raw(&mut self, group: &str) -> Result<Table, PackError> {
        match self.table.remove(group) {
            Some(Value::Table(table)) => Ok(table),
            _ => Err(self.error(group, "this table is missing")),
        }
    }

    /// A group without its `source`, which is recorded.
    fn cited(&mut self, group: &str) -> Result<Table, PackError> {
        let mut table = self.raw(group)?;
        match table.remove("source") {
            Some(Value::String(source)) if !source.is_empty() => {
                self.sources.push((group.to_owned(), source));
                Ok(table)
            }
            _ => Err(self.error(group, "needs a `source`")),
        }
    }

    fn take<T: DeserializeOwned>(&mut self, group: &str) -> Result<T, PackError> {
        let table = self.cited(group)?;
        Value::Table(table).try_into().map_err(|e: toml::de::Error| self.error(group, e.to_string()))
    }

    /// Removes one key of a group's table and reads it.
    fn key<T: DeserializeOwned>(&self, group: &str, table: &mut Table, key: &str) -> Result<T, PackError> {
        table
            .remove(key)
            .ok_or_else(|| self.error(group, format!("needs `{key}`")))?
            .try_into()
            .map_err(|e: toml::de::Error| self.error(group, format!("`{key}`: {e}")))
    }

    /// `low` and `cells`.
    fn die<T: DeserializeOwned>(
        &self,
        group: &str,
        table: &mut Table,
        cells: &str,
    ) -> Result<DieTable<T>, PackError> {
        let low: i8 = match table.get("low") {
            Some(value) => value
                .clone()
                .try_into()
                .map_err(|e: toml::de::Error| self.error(group, format!("`low`: {e}")))?,
            None => 1,
        };
        let cells: Vec<T> = self.key(group, table, cells)?;
        if cells.is_empty() {
            return Err(self.error(group, "a die table needs cells"));
        }
        Ok(DieTable { low, cells })
    }

    fn rest<T: DeserializeOwned>(&self, group: &str, mut table: Table) -> Result<T, PackError> {
        table.remove("low");
        Value::Table(table).try_into().map_err(|e: toml::de::Error| self.error(group, e.to_string()))
    }
}

fn edition(edition: Edition, table: Table, index: &Index<'_>) -> Result<Tables, PackError> {
    let file = format!("tables/{}.toml", edition.key());
    let mut g = Groups { file, table, sources: Vec::new() };
    let crt = crt(&mut g)?;
    let results = results(&mut g)?;
    let shifts = g.take("shifts")?;
    let fire_fight = fire_fight(&mut g)?;
    let determined_defense = determined_defense(&mut g)?;
    let disengagement = disengagement(&mut g)?;
    let surrender = surrender(&mut g)?;
    let fuel = fuel(&mut g, index)?;
    let bridge = g.take("bridge")?;
    let (jabos, _): (_, Nothing) = die_group(&mut g, "jabos")?;
    let (air, from): (_, FromTurn) = die_group(&mut g, "air")?;
    let defensive_artillery = defensive_artillery(&mut g)?;
    let (von_der_heydte, drop): (_, OnTurn) = die_group(&mut g, "von_der_heydte")?;
    let rally = g.take("rally")?;
    let special = g.take("special")?;
    let stacking = g.take("stacking")?;
    let advance = g.take("advance")?;
    let movement = g.take("movement")?;
    let artillery_supply = g.take("artillery_supply")?;
    let markers = g.take("markers")?;
    let victory = g.take("victory")?;
    let terrain = terrain(&mut g)?;
    if let Some(unknown) = g.table.keys().next() {
        return Err(g.error(unknown, "there is no such table"));
    }
    Ok(Tables {
        crt,
        results,
        shifts,
        fire_fight,
        determined_defense,
        disengagement,
        surrender,
        fuel,
        bridge,
        jabos,
        air,
        air_from_turn: from.from_turn,
        defensive_artillery,
        von_der_heydte,
        von_der_heydte_turn: drop.turn,
        rally,
        special,
        stacking,
        advance,
        movement,
        artillery_supply,
        markers,
        victory,
        terrain,
        sources: g.sources,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FromTurn {
    from_turn: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OnTurn {
    turn: u8,
}

/// A group that is one die table and a few further keys.
fn die_group<T: DeserializeOwned, R: DeserializeOwned>(
    g: &mut Groups,
    group: &str,
) -> Result<(DieTable<T>, R), PackError> {
    let mut table = g.cited(group)?;
    let die = g.die(group, &mut table, "cells")?;
    Ok((die, g.rest(group, table)?))
}

fn crt(g: &mut Groups) -> Result<CombatResultsTable, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct RawCrt {
        columns: Vec<String>,
        rows: Vec<Vec<CombatResult>>,
    }
    let raw: RawCrt = g.take("crt")?;
    let mut columns = Vec::new();
    for name in &raw.columns {
        let odds = name
            .split_once('-')
            .and_then(|(a, d)| Some(Odds { attack: a.parse().ok()?, defense: d.parse().ok()? }));
        let odds = odds.filter(|o| o.attack > 0 && o.defense > 0);
        columns.push(odds.ok_or_else(|| g.error("crt", format!("`{name}` is not odds, e.g. 3-1")))?);
    }
    // Columns increase by one ratio at a time; shifts beyond the ends rely on it (14.5).
    let ladder = columns.windows(2).all(|pair| match (pair[0], pair[1]) {
        (Odds { attack: 1, defense: d1 }, Odds { attack: 1, defense: d2 }) => d1 == d2 + 1,
        (Odds { attack: a1, defense: 1 }, Odds { attack: a2, defense: 1 }) => a2 == a1 + 1,
        _ => false,
    });
    if !ladder || columns.is_empty() {
        return Err(g.error("crt", "columns must climb one ratio at a time, e.g. 1-2, 1-1, 2-1"));
    }
    let wide = raw.rows.iter().all(|row| row.len() == columns.len());
    let rows: Result<[Vec<CombatResult>; 6], _> = raw.rows.try_into();
    match rows {
        Ok(rows) if wide => Ok(CombatResultsTable { columns, rows }),
        _ => Err(g.error("crt", "needs six rows, each with a result for every column")),
    }
}

fn results(g: &mut Groups) -> Result<[ResultEffect; 15], PackError> {
    let table = g.cited("results")?;
    let mut effects = [None; 15];
    for (name, value) in table {
        let error = |e: toml::de::Error| PackError::new(&g.file, "[results]", format!("`{name}`: {e}"));
        let code: CombatResult = Value::String(name.clone()).try_into().map_err(error)?;
        let effect: ResultEffect = value.try_into().map_err(error)?;
        effects[code.index()] = Some(effect);
    }
    let mut all = [ResultEffect::default(); 15];
    for (slot, effect) in all.iter_mut().zip(effects) {
        *slot = effect.ok_or_else(|| g.error("results", "every result code needs an entry"))?;
        check_steps(g, "results", slot.attacker_steps, slot.defender_steps)?;
    }
    Ok(all)
}

/// Each step lost is a question of its own, for which the combat has room.
fn check_steps(g: &Groups, group: &str, attacker: u8, defender: u8) -> Result<(), PackError> {
    const MOST: u8 = 2;
    if attacker <= MOST && defender <= MOST {
        return Ok(());
    }
    Err(g.error(group, format!("a side loses at most {MOST} steps by one result")))
}

fn fire_fight(g: &mut Groups) -> Result<FireFight, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rest {
        drm: MoraleDrm,
        elite_must_be_tank: bool,
        tank_quality_drm: i8,
    }
    let (table, rest): (_, Rest) = die_group(g, "fire_fight")?;
    Ok(FireFight {
        table,
        drm: rest.drm,
        elite_must_be_tank: rest.elite_must_be_tank,
        tank_quality_drm: rest.tank_quality_drm,
    })
}

fn determined_defense(g: &mut Groups) -> Result<DeterminedDefense, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rest {
        drm: MoraleDrm,
        minus_dcb: bool,
        only_in_cover: bool,
        city_drm: i8,
        tank_quality_drm: i8,
        red_tq_drm: i8,
    }
    let (table, rest): (DieTable<DefenseRow>, Rest) = die_group(g, "determined_defense")?;
    for row in &table.cells {
        check_steps(g, "determined_defense", row.attacker_steps, row.defender_steps)?;
    }
    Ok(DeterminedDefense {
        table,
        drm: rest.drm,
        minus_dcb: rest.minus_dcb,
        only_in_cover: rest.only_in_cover,
        city_drm: rest.city_drm,
        tank_quality_drm: rest.tank_quality_drm,
        red_tq_drm: rest.red_tq_drm,
    })
}

fn disengagement(g: &mut Groups) -> Result<Disengagement, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rest {
        drm: MoraleDrm,
        tank_or_recon_drm: i8,
        failure_keeps_engaged: bool,
    }
    let (table, rest): (DieTable<DisengagementRow>, Rest) = die_group(g, "disengagement")?;
    Ok(Disengagement {
        table,
        drm: rest.drm,
        tank_or_recon_drm: rest.tank_or_recon_drm,
        failure_keeps_engaged: rest.failure_keeps_engaged,
    })
}

fn surrender(g: &mut Groups) -> Result<Surrender, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rest {
        allied_drm: i8,
        allied_drm_from_turn: u8,
        limit_all_green: u8,
        limit_normal: u8,
        limit_with_elite: u8,
    }
    let (table, rest): (_, Rest) = die_group(g, "surrender")?;
    Ok(Surrender {
        table,
        allied_drm: rest.allied_drm,
        allied_drm_from_turn: rest.allied_drm_from_turn,
        limit_all_green: rest.limit_all_green,
        limit_normal: rest.limit_normal,
        limit_with_elite: rest.limit_with_elite,
    })
}

fn fuel(g: &mut Groups, index: &Index<'_>) -> Result<Fuel, PackError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum RawFuel {
        None,
        OneOf(Vec<String>),
        Both([String; 2]),
        WestMap(Army),
        AnyPanzer(Army),
        WestOfOurthe(Army),
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct RawTables {
        first_turn: u8,
        drm: i8,
        drm_from_turn: u8,
        table1: Vec<RawFuel>,
        table2: Vec<RawFuel>,
    }
    let raw: RawTables = g.take("fuel")?;
    let resolve = |rows: &[RawFuel]| -> Result<DieTable<FuelResult>, String> {
        let mut cells = Vec::new();
        for row in rows {
            cells.push(match row {
                RawFuel::None => FuelResult::NoShortage,
                RawFuel::OneOf(names) => match &names[..] {
                    [only] => FuelResult::OneOf(index.formation(only)?, None),
                    [a, b] => FuelResult::OneOf(index.formation(a)?, Some(index.formation(b)?)),
                    _ => return Err("`one_of` names one or two formations".into()),
                },
                RawFuel::Both([a, b]) => FuelResult::Both(index.formation(a)?, index.formation(b)?),
                RawFuel::WestMap(army) => FuelResult::WestMap(*army),
                RawFuel::AnyPanzer(army) => FuelResult::AnyPanzerDivision(*army),
                RawFuel::WestOfOurthe(army) => FuelResult::WestOfOurthe(*army),
            });
        }
        if cells.len() != 7 {
            return Err("a fuel table has seven rows, for a modified die of 1 to 7".into());
        }
        Ok(DieTable { low: 1, cells })
    };
    let table1 = resolve(&raw.table1).map_err(|m| g.error("fuel", m))?;
    let table2 = resolve(&raw.table2).map_err(|m| g.error("fuel", m))?;
    Ok(Fuel {
        first_turn: raw.first_turn,
        drm: raw.drm,
        drm_from_turn: raw.drm_from_turn,
        tables: [table1, table2],
    })
}

fn defensive_artillery(g: &mut Groups) -> Result<DefensiveArtillery, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rest {
        max_units: u8,
        second_unit_drm: i8,
    }
    let group = "defensive_artillery";
    let mut table = g.cited(group)?;
    let german: DieTable<DefensiveFire> = g.die(group, &mut table, "german")?;
    let allied: DieTable<DefensiveFire> = g.die(group, &mut table, "allied")?;
    let rest: Rest = g.rest(group, table)?;
    Ok(DefensiveArtillery {
        max_units: rest.max_units,
        second_unit_drm: rest.second_unit_drm,
        tables: [german, allied],
    })
}

/// Converts movement points to quarter points.
fn quarters(points: f64) -> Result<u8, String> {
    let quarters = points * 4.0;
    if (0.0..=200.0).contains(&quarters) && quarters.fract() == 0.0 {
        Ok(quarters as u8)
    } else {
        Err(format!("a cost of {points} is not a whole number of quarters"))
    }
}

fn cost(raw: &RawCost) -> Result<Cost, String> {
    match raw {
        RawCost::Points(points) => quarters(*points).map(Cost::Quarters),
        RawCost::Word(word) => match word.as_str() {
            "tactical" => Ok(Cost::Tactical),
            "other" => Ok(Cost::OtherTerrain),
            "prohibited" => Ok(Cost::Prohibited),
            _ => Err(format!("`{word}` is no cost: a number, \"tactical\", \"other\" or \"prohibited\"")),
        },
    }
}

fn both(raw: &RawByGround<RawCost>) -> Result<[Cost; 2], String> {
    Ok([cost(&raw.mud)?, cost(&raw.frozen)?])
}

/// One row of each enum variant, in order.
fn rows<K: Copy, R, T, const N: usize>(
    g: &mut Groups,
    group: &str,
    keys: [K; N],
    name: impl Fn(K) -> String,
    make: impl Fn(&R) -> Result<T, String>,
    source: impl Fn(&R) -> &str,
) -> Result<[T; N], PackError>
where
    R: DeserializeOwned,
{
    let mut table = g.raw(group)?;
    let mut rows = Vec::with_capacity(N);
    for key in keys {
        let name = name(key);
        let full = format!("{group}.{name}");
        let raw: R = g.key(&full, &mut table, &name)?;
        rows.push(make(&raw).map_err(|m| g.error(&full, m))?);
        g.sources.push((full, source(&raw).to_owned()));
    }
    if let Some(unknown) = table.keys().next() {
        return Err(g.error(&format!("{group}.{unknown}"), "there is no such row"));
    }
    rows.try_into().map_err(|_| g.error(group, "rows are missing"))
}

fn terrain(g: &mut Groups) -> Result<TerrainEffects, PackError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct CombatBonus {
        improved_position_dcb: u8,
        silhouette_dcb_cap: u8,
        dcb_capped_by_defense: bool,
    }
    let terrain = rows(
        g,
        "terrain",
        Terrain::ALL,
        |t| t.key().to_owned(),
        |raw: &RawTerrain| {
            let dcb = match (raw.dcb, raw.dcb_german, raw.dcb_allied) {
                (Some(dcb), None, None) => [dcb, dcb],
                (None, Some(german), Some(allied)) => [german, allied],
                _ => return Err("needs `dcb`, or `dcb_german` and `dcb_allied`".into()),
            };
            Ok(TerrainRow {
                foot: both(&raw.foot)?,
                mech: both(&raw.mech)?,
                vehicles_by_road_only: raw.vehicles_by_road_only,
                dcb,
                armor_shift: raw.armor_shift.into(),
                attack_out_halved: raw.attack_out_halved,
                drop_zone: raw.drop_zone,
            })
        },
        |raw| &raw.source,
    )?;
    let roads = rows(
        g,
        "road",
        Road::ALL,
        |r| r.key().to_owned(),
        |raw: &RawRoad| {
            Ok(RoadRow {
                foot: quarters(raw.foot)?,
                mech: [quarters(raw.mech.mud)?, quarters(raw.mech.frozen)?],
                advance_bonus: raw.advance_bonus,
            })
        },
        |raw| &raw.source,
    )?;
    let hexsides = rows(
        g,
        "hexside",
        HexsideFeature::ALL,
        |h| h.key().to_owned(),
        |raw: &RawHexside| {
            Ok(HexsideRow {
                infantry: cost(&raw.infantry)?,
                vehicle: cost(&raw.vehicle)?,
                attack_halved: raw.attack_halved,
                attack_prohibited: raw.attack_prohibited,
                retreat_eliminates: raw.retreat_eliminates,
            })
        },
        |raw| &raw.source,
    )?;
    let bonus: CombatBonus = g.take("combat_bonus")?;
    Ok(TerrainEffects {
        terrain,
        roads,
        hexsides,
        improved_position_dcb: bonus.improved_position_dcb,
        silhouette_dcb_cap: bonus.silhouette_dcb_cap,
        dcb_capped_by_defense: bonus.dcb_capped_by_defense,
    })
}
