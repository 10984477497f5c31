//! The game cards: tables of `packs/panzer/tables`.

use serde::Deserialize;

use super::{Cover, Modifiers, PackError, PackFiles, SightFigures, Tables, TerrainEffects};
use crate::field::Terrain;

#[derive(Debug, Deserialize)]
struct HitFile {
    row: Vec<HitRow>,
}

#[derive(Debug, Deserialize)]
struct HitRow {
    net: i8,
    hit: [u8; 5],
}

#[derive(Debug, Deserialize)]
struct SpotFile {
    row: Vec<SpotRow>,
}

#[derive(Debug, Deserialize)]
struct SpotRow {
    net: i8,
    #[serde(rename = "V")]
    vehicle: u8,
}

#[derive(Debug, Deserialize)]
struct TerrainFile {
    terrain: Vec<RawTerrain>,
    hexside: Vec<RawSide>,
    counter: Vec<RawCounter>,
}

#[derive(Debug, Deserialize)]
struct RawTerrain {
    id: String,
    height: i8,
    cover_spot: RawCover,
    cover_combat: RawCover,
    cost: Cost,
    turn: u8,
}

/// `other` has the cover of the hex's other terrain (4.1.3), which only roads use.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawCover {
    None,
    Light,
    Medium,
    Heavy,
    Other,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Cost {
    #[serde(rename = "T")]
    tracked: i8,
    #[serde(rename = "H")]
    half_tracked: i8,
    #[serde(rename = "W")]
    wheeled: i8,
}

impl Cost {
    /// By traction; prohibited is -1 in the file.
    fn by_traction(self) -> [Option<u8>; 3] {
        [self.tracked, self.half_tracked, self.wheeled].map(|cost| u8::try_from(cost).ok())
    }
}

#[derive(Debug, Deserialize)]
struct RawSide {
    id: String,
    extra: Option<Cost>,
    height: Option<i8>,
}

#[derive(Debug, Deserialize)]
struct RawCounter {
    id: String,
    height: i8,
    enter: u8,
    turn: u8,
}

#[derive(Debug, Deserialize)]
struct ModifierFile {
    spotting: SpotModifiers,
    ap_hit: HitModifiers,
    damage: Damage,
    stacking: Stacking,
}

#[derive(Debug, Deserialize)]
struct SpotModifiers {
    light_cover: i8,
    medium_cover: i8,
    heavy_cover: i8,
    spot_move: i8,
    spot_fire: i8,
}

#[derive(Debug, Deserialize)]
struct HitModifiers {
    light_cover: i8,
    medium_cover: i8,
    heavy_cover: i8,
    target_moving: i8,
    short_halt: i8,
    shooter_damaged: i8,
    brew_up_smoke: i8,
    overwatch: i8,
    overwatch_adjust: i8,
}

#[derive(Debug, Deserialize)]
struct Damage {
    damaged: u8,
    knocked_out: u8,
    brewed_up: u8,
}

#[derive(Debug, Deserialize)]
struct Stacking {
    overstacked: u8,
}

#[derive(Debug, Deserialize)]
struct SightFile {
    divisors: [u8; 3],
}

pub(super) fn read(files: &PackFiles) -> Result<Tables, PackError> {
    let terrain: TerrainFile = files.parse("tables/terrain.toml")?;
    let modifiers: ModifierFile = files.parse("tables/modifiers.toml")?;
    let sight: SightFile = files.parse("tables/sight.toml")?;
    let at = "tables/terrain.toml";
    let line = |id: &str| {
        let raw = terrain.terrain.iter().find(|t| t.id == id);
        raw.ok_or_else(|| PackError::at(at, format!("terrain `{id}` is missing")))
    };
    let effects = |id: &str| line(id).map(effects);
    let side = |id: &str| {
        let raw = terrain.hexside.iter().find(|s| s.id == id);
        raw.ok_or_else(|| PackError::at(at, format!("hexside `{id}` is missing")))
    };
    let extra = |id: &str| {
        let extra = side(id)?.extra;
        extra
            .map(Cost::by_traction)
            .ok_or_else(|| PackError::at(at, format!("hexside {id}: extra is missing")))
    };
    let height = |id: &str| {
        side(id)?.height.ok_or_else(|| PackError::at(at, format!("hexside {id}: height is missing")))
    };
    let smoke = terrain.counter.iter().find(|c| c.id == "brew_up_smoke");
    let smoke = smoke.ok_or_else(|| PackError::at(at, "counter `brew_up_smoke` is missing"))?;
    let mut chart = [TerrainEffects::default(); Terrain::ALL.len()];
    for t in Terrain::ALL {
        chart[t as usize] = effects(t.key())?;
    }
    let (spot, hit) = (&modifiers.spotting, &modifiers.ap_hit);
    Ok(Tables {
        ap_hit: hits(files)?,
        spotting: spotting(files)?,
        terrain: chart,
        alley: effects("alley")?,
        bridge: effects("bridge")?,
        road: effects("road")?,
        wall: extra("wall")?,
        hedgerow: extra("hedgerow")?,
        defilade: extra("defilade")?,
        levels: [extra("slope_or_crest_1_level")?, extra("slope_or_crest_2_levels")?],
        modifiers: Modifiers {
            spot_cover: [0, spot.light_cover, spot.medium_cover, spot.heavy_cover],
            spot_move: spot.spot_move,
            spot_fire: spot.spot_fire,
            hit_cover: [0, hit.light_cover, hit.medium_cover, hit.heavy_cover],
            target_moving: hit.target_moving,
            short_halt: hit.short_halt,
            shooter_damaged: hit.shooter_damaged,
            brew_up_smoke: hit.brew_up_smoke,
            overwatch: hit.overwatch,
            overwatch_adjust: hit.overwatch_adjust,
            damaged: modifiers.damage.damaged,
            knocked_out: modifiers.damage.knocked_out,
            brewed_up: modifiers.damage.brewed_up,
            overstacked: modifiers.stacking.overstacked,
            smoke_enter: smoke.enter,
            smoke_turn: smoke.turn,
        },
        sight: SightFigures {
            crest: height("crest")?,
            hedgerow: height("hedgerow")?,
            smoke: smoke.height,
            divisors: sight.divisors,
        },
    })
}

fn effects(raw: &RawTerrain) -> TerrainEffects {
    let cover = |raw: &RawCover| match raw {
        RawCover::None | RawCover::Other => Cover::None,
        RawCover::Light => Cover::Light,
        RawCover::Medium => Cover::Medium,
        RawCover::Heavy => Cover::Heavy,
    };
    TerrainEffects {
        height: raw.height,
        cover_spot: cover(&raw.cover_spot),
        cover_combat: cover(&raw.cover_combat),
        cost: raw.cost.by_traction(),
        turn: raw.turn,
    }
}

/// 4.4.3.2.3: rows +5 to -10.
fn hits(files: &PackFiles) -> Result<[[u8; 5]; 16], PackError> {
    let path = "tables/ap_hit.toml";
    let file: HitFile = files.parse(path)?;
    let mut table = [[0; 5]; 16];
    for (row, net) in table.iter_mut().zip((-10..=5).rev()) {
        let found = file.row.iter().find(|r| r.net == net);
        *row = found
            .ok_or_else(|| PackError::at(path, format!("row {net} is missing: expected +5 to -10")))?
            .hit;
    }
    Ok(table)
}

/// 4.1.3: rows +2 to -5.
fn spotting(files: &PackFiles) -> Result<[u8; 8], PackError> {
    let path = "tables/spotting.toml";
    let file: SpotFile = files.parse(path)?;
    let mut table = [0; 8];
    for (cell, net) in table.iter_mut().zip((-5..=2).rev()) {
        let found = file.row.iter().find(|r| r.net == net);
        *cell = found
            .ok_or_else(|| PackError::at(path, format!("row {net} is missing: expected +2 to -5")))?
            .vehicle;
    }
    Ok(table)
}
