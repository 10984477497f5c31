//! Reads the tables of the Advanced Game.

use super::raw::{
    AirFile, ApFile, AssaultFile, BailFile, BailTest, CommandFile, GpFile, GradeFile, IndirectFile,
    MovementFile, SpotFile, TerrainFile,
};
use super::tables::{
    AirRow, AirTables, ApTables, AssaultTables, Bail, BuildingEntry, Chart, CloseAssaultRow, Entrenchment,
    GpTables, GradeRow, Hindrance, HullDownSearch, IndirectTables, MovementTables,
};
use super::{
    AdvancedTables, Altitude, Angle, CloseAssaultModifier, GpModifier, Grade, HandToHandModifier,
    HindranceKind, LegSize, Passenger, Response, ResponseModifier, Sheaf,
};
use crate::field::Terrain;
use crate::pack::{PackError, PackFiles};

pub(super) fn read(files: &PackFiles) -> Result<AdvancedTables, PackError> {
    let mut tables =
        AdvancedTables { optional: files.parse("tables/advanced/optional.toml")?, ..Default::default() };
    command(files, &mut tables)?;
    grades(files, &mut tables)?;
    tables.ap = ap(files)?;
    tables.gp = gp(files)?;
    tables.bail_out = bail_out(files)?;
    tables.indirect = indirect(files)?;
    tables.assault = assault(files)?;
    tables.movement = movement(files)?;
    tables.air = air(files)?;
    terrain(files, &mut tables)?;
    Ok(tables)
}

/// The entry of a list for `want`.
fn find<'a, T, K: PartialEq>(
    path: &str,
    list: &'a [T],
    key: impl Fn(&T) -> K,
    want: K,
    name: &str,
) -> Result<&'a T, PackError> {
    let mut found = list.iter().filter(|entry| key(entry) == want);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(PackError::at(path, format!("`{name}` is missing"))),
        (Some(_), Some(_)) => Err(PackError::at(path, format!("`{name}` is given twice"))),
    }
}

fn command(files: &PackFiles, tables: &mut AdvancedTables) -> Result<(), PackError> {
    let path = "tables/spotting.toml";
    let file: SpotFile = files.parse(path)?;
    for (row, net) in tables.spotting.iter_mut().zip((-5..=2).rev()) {
        let found = find(path, &file.row, |r| r.net, net, &format!("row {net}"))?;
        *row = [found.vehicle, found.large, found.small];
    }
    let path = "tables/advanced/command.toml";
    let file: CommandFile = files.parse(path)?;
    tables.spot_fire_small_arms = file.spotting.spot_fire_small_arms;
    tables.spotter_suppressed = file.spotting.spotter_suppressed;
    tables.spotter_full_cover = file.spotting.spotter_full_cover;
    tables.target_full_cover = file.spotting.target_full_cover;
    tables.command_range = file.command_range.modifier;
    tables.initiative = file.initiative.modifier;
    tables.least_commands = file.available.minimum;
    for grade in Grade::ALL {
        let row = find(path, &file.available.row, |r| r.grade, grade, grade.key())?;
        tables.available[grade.index()] = row.commands;
    }
    Ok(())
}

fn grades(files: &PackFiles, tables: &mut AdvancedTables) -> Result<(), PackError> {
    let path = "tables/advanced/grades.toml";
    let file: GradeFile = files.parse(path)?;
    for grade in Grade::ALL {
        let raw = find(path, &file.grade, |r| r.grade, grade, grade.key())?;
        tables.grades[grade.index()] = GradeRow {
            ap: raw.ap,
            gp: raw.gp,
            assault: raw.hth_ca,
            quickmarch: raw.quickmarch_max,
            recovery: raw.recovery_max,
            response: raw.if_response,
            bail_out: raw.bail_out,
        };
    }
    tables.recovery_command = file.recovery.command;
    tables.recovery_fired_at = file.recovery.fired_at;
    Ok(())
}

fn ap(files: &PackFiles) -> Result<ApTables, PackError> {
    let path = "tables/advanced/ap.toml";
    let file: ApFile = files.parse(path)?;
    let m = file.modifier;
    let mut tables = ApTables {
        shooter_suppressed: m.shooter_suppressed,
        ammo_limit: m.ammo_limit,
        both_limits: m.both_limits,
        transported_fire: m.transported_fire,
        heat_haze: m.heat_haze,
        heat_haze_range: m.heat_haze_range,
        dual_fire_same: m.dual_fire_same,
        dual_fire_other: m.dual_fire_other,
        shooter_hesitating: m.shooter_hesitating,
        shooter_broken: m.shooter_broken,
        soft_target_die: m.soft_target_die,
        ..ApTables::default()
    };
    for kind in HindranceKind::ALL {
        let raw = find(path, &file.hindrance, |h| h.id, kind, kind.key())?;
        tables.hindrances[kind.index()] = Hindrance { ap: raw.ap, gp: raw.gp, height: raw.height };
    }
    let hits = file.hits;
    for (name, list) in [("f3", &hits.f3), ("f2", &hits.f2), ("r2", &hits.r2), ("q2", &hits.q2)] {
        if list.len() != 100 {
            return Err(PackError::at(path, format!("hits.{name}: expected 100 cells (6.5.2.1)")));
        }
    }
    tables.two_hits = [hits.q2, hits.r2, hits.f2];
    tables.three_hits = hits.f3;
    for angle in Angle::ALL {
        let raw = find(path, &file.location, |l| l.angle, angle, angle.key())?;
        for (i, cell) in tables.locations[angle.index()].iter_mut().enumerate() {
            *cell = Some((raw.location[i], raw.star[i]));
        }
    }
    Ok(tables)
}

fn gp(files: &PackFiles) -> Result<GpTables, PackError> {
    let path = "tables/advanced/gp.toml";
    let file: GpFile = files.parse(path)?;
    let mut tables = GpTables {
        defense_min: file.defense.minimum,
        defense_max: file.defense.maximum,
        moving: file.defense.moving,
        covered_passenger: file.defense.covered_passenger,
        open_passenger: file.defense.open_passenger,
        damage_digit: file.vehicle.damage_digit,
        track_digit: file.vehicle.track_digit,
        turret_max: file.vehicle.turret_max,
        ..GpTables::default()
    };
    for (row, gpd) in tables.cells.iter_mut().zip(1..) {
        let raw = find(path, &file.row, |r| r.gpd, gpd, &format!("row {gpd}"))?;
        for (i, cell) in row.iter_mut().enumerate() {
            *cell = (raw.n[i], raw.s[i]);
        }
    }
    for m in GpModifier::ALL {
        let raw = find(path, &file.modifier, |r| r.id, m, m.key())?;
        tables.modifiers[m.index()] = [raw.df, raw.indirect, raw.air];
    }
    Ok(tables)
}

fn bail_out(files: &PackFiles) -> Result<Vec<Bail>, PackError> {
    let path = "tables/advanced/bail_out.toml";
    let file: BailFile = files.parse(path)?;
    let mut rows = Vec::new();
    for raw in file.row {
        let who: &[Passenger] = match raw.who.as_str() {
            "crew" => &[Passenger::Crew],
            "passenger" => &[Passenger::Leg, Passenger::Towed],
            "leg_passenger" => &[Passenger::Leg],
            "towed_passenger" => &[Passenger::Towed],
            other => {
                let why =
                    format!("who = `{other}`: expected crew, passenger, leg_passenger or towed_passenger");
                return Err(PackError::at(path, why));
            }
        };
        for &who in who {
            let row = Bail { result: raw.result, who, survives: raw.test == BailTest::Ge, value: raw.value };
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Values by the keys of an enum; every key must be present, and no other except `source`.
fn values<K: Copy, const N: usize>(
    path: &str,
    name: &str,
    table: &toml::Table,
    keys: [K; N],
    key: impl Fn(K) -> &'static str,
) -> Result<[i8; N], PackError> {
    let mut out = [0; N];
    for (to, k) in out.iter_mut().zip(keys) {
        let number = table.get(key(k)).and_then(toml::Value::as_integer).and_then(|n| i8::try_from(n).ok());
        *to = number.ok_or_else(|| PackError::at(path, format!("{name}.{}: expected a number", key(k))))?;
    }
    let known = |other: &String| other == "source" || keys.iter().any(|k| key(*k) == other);
    match table.keys().find(|other| !known(other)) {
        Some(other) => Err(PackError::at(path, format!("{name}.{other}: there is no such modifier"))),
        None => Ok(out),
    }
}

fn indirect(files: &PackFiles) -> Result<IndirectTables, PackError> {
    let path = "tables/advanced/indirect.toml";
    let file: IndirectFile = files.parse(path)?;
    let mut tables = IndirectTables {
        modifiers: values(path, "modifier", &file.modifier, ResponseModifier::ALL, ResponseModifier::key)?,
        fo_sources: file.sources.fo,
        command_sources: file.sources.command,
        recon_sources: file.sources.recon,
        adjust: file.limits.adjust,
        planned_adjust: file.limits.planned_adjust,
        danger_close: file.limits.danger_close,
        planned_turns: file.limits.planned_turns,
        planned_slip: file.limits.planned_slip,
        planned_rest: file.limits.planned_rest,
        ..IndirectTables::default()
    };
    for row in Response::ALL {
        tables.response[row.index()] = find(path, &file.response, |r| r.observer, row, row.key())?.factor;
    }
    for sheaf in Sheaf::ALL {
        let raw = find(path, &file.sheaf, |s| s.id, sheaf, sheaf.key())?;
        tables.sheaf[sheaf.index()].clone_from(&raw.offsets);
        if sheaf == Sheaf::ClosedLinear {
            let line = raw.line;
            tables.line =
                line.ok_or_else(|| PackError::at(path, "sheaf closed_linear: line is missing (6.5.1.5)"))?;
        } else if !raw.offsets.contains(&(0, 0)) {
            let why = format!("sheaf {}: the target point is part of it (6.5.1.5)", sheaf.key());
            return Err(PackError::at(path, why));
        }
    }
    Ok(tables)
}

fn assault(files: &PackFiles) -> Result<AssaultTables, PackError> {
    let path = "tables/advanced/assault.toml";
    let file: AssaultFile = files.parse(path)?;
    let (close, hand) = (&file.close_assault_modifier, &file.hand_to_hand_modifier);
    let mut tables = AssaultTables {
        close_modifiers: values(
            path,
            "close_assault_modifier",
            close,
            CloseAssaultModifier::ALL,
            CloseAssaultModifier::key,
        )?,
        hand_modifiers: values(
            path,
            "hand_to_hand_modifier",
            hand,
            HandToHandModifier::ALL,
            HandToHandModifier::key,
        )?,
        close: [CloseAssaultRow::default(); 3],
        gpd_max: file.limits.gpd_max,
        height: file.limits.height,
        advance_cost: file.limits.advance_cost,
        support_squad: file.limits.support_squad,
        support_half_squad: file.limits.support_half_squad,
        overrun_range: file.overrun.range,
        overrun_factor_max: file.overrun.factor_max,
    };
    for size in LegSize::ALL {
        let raw = find(path, &file.close_assault, |c| c.attacker, size, size.key())?;
        tables.close[size as usize] = CloseAssaultRow { gpf: raw.gpf, brew_up: raw.brew_up_max };
    }
    Ok(tables)
}

fn movement(files: &PackFiles) -> Result<MovementTables, PackError> {
    let path = "tables/advanced/movement.toml";
    let file: MovementFile = files.parse(path)?;
    let mut building_entry = [BuildingEntry::default(); 3];
    for (to, name) in building_entry.iter_mut().zip(["wood", "brick", "stone"]) {
        let raw = find(path, &file.building_entry, |b| b.building.clone(), name.to_owned(), name)?;
        *to = BuildingEntry { hit_max: raw.hit_max, track_max: raw.track_max };
    }
    Ok(MovementTables {
        crawl: file.foot.crawl,
        manhandle: file.foot.manhandle,
        building_step: file.foot.building_step,
        quickmarch_height: file.foot.quickmarch_height,
        height_leg: file.height_per_hex.leg,
        height_weapon_section: file.height_per_hex.weapon_section,
        height_towed: file.height_per_hex.towed,
        height_motorcycle: file.height_per_hex.motorcycle,
        shell_smoke: file.smoke.shell_smoke,
        dust: file.smoke.dust,
        entrenchment: Entrenchment {
            turns: file.entrenchment.turns,
            engineer_turns: file.entrenchment.engineer_turns,
            engineer_finishes: file.entrenchment.engineer_finishes,
        },
        hull_down: HullDownSearch {
            partial: file.hull_down.partial,
            size: file.hull_down.size,
            grade: file.hull_down.grade,
        },
        building_gpd_factor: file.building.gpd_factor,
        building_entry,
    })
}

fn air(files: &PackFiles) -> Result<AirTables, PackError> {
    let path = "tables/advanced/air.toml";
    let file: AirFile = files.parse(path)?;
    let mut altitude = [AirRow::default(); Altitude::ALL.len()];
    for a in Altitude::ALL {
        let raw = find(path, &file.altitude, |r| r.id, a, a.key())?;
        altitude[a.index()] =
            AirRow { acquisition: raw.acquisition, tracking: raw.tracking, base_height: raw.base_height };
    }
    Ok(AirTables {
        altitude,
        aa_vs_fast: file.aa.fast,
        aa_vs_high: file.aa.high,
        aa_vs_low: file.aa.low,
        loiter_turns: file.limits.loiter_turns,
        suppressed_multiplier: file.limits.suppressed_multiplier,
        damage_to_eliminate: file.limits.damage_to_eliminate,
        crash_factor: file.limits.crash_factor,
        slow_turns: file.limits.slow_turns,
        rocket_range: file.limits.rocket_range,
        strafing_slow: file.limits.strafing_slow,
        strafing_fast: file.limits.strafing_fast,
    })
}

fn terrain(files: &PackFiles, tables: &mut AdvancedTables) -> Result<(), PackError> {
    let path = "tables/terrain.toml";
    let file: TerrainFile = files.parse(path)?;
    let line = |id: &str| -> Result<Chart, PackError> {
        let raw = find(path, &file.terrain, |t| t.id.clone(), id.to_owned(), id)?;
        Ok(Chart {
            height: raw.height,
            cover_spot: raw.cover_spot.read(),
            cover_combat: raw.cover_combat.read(),
            cost: raw.cost.all(),
            turn: raw.turn,
            hull_down: u8::try_from(raw.hull_down_max).ok(),
            support: raw.support,
            gpd: u8::try_from(raw.gpd).ok(),
            quickmarch: raw.quickmarch,
            dust: raw.dust,
            full_cover: raw.full_cover,
            aircraft_need_fo: raw.aircraft_need_fo,
        })
    };
    for t in Terrain::ALL {
        tables.terrain[t as usize] = line(t.key())?;
    }
    tables.alley = line("alley")?;
    tables.bridge = line("bridge")?;
    tables.road = line("road")?;
    tables.path = line("path")?;
    tables.track = line("track")?;
    tables.rubble = line("rubble")?;
    tables.improved_position = line("improved_position")?;
    tables.block = line("block")?;
    tables.ditch = line("ditch")?;
    tables.wire = line("wire")?;
    tables.mines = line("mines")?;
    let side = |id: &str| -> Result<[Option<u8>; 3], PackError> {
        let raw = find(path, &file.hexside, |s| s.id.clone(), id.to_owned(), id)?;
        let extra =
            raw.extra.ok_or_else(|| PackError::at(path, format!("hexside {id}: extra is missing")))?;
        let [_, _, _, motorcycle, leg, gun] = extra.all();
        Ok([motorcycle, leg, gun])
    };
    tables.wall = side("wall")?;
    tables.hedgerow = side("hedgerow")?;
    tables.defilade = side("defilade")?;
    tables.levels = [side("slope_or_crest_1_level")?, side("slope_or_crest_2_levels")?];
    Ok(())
}
