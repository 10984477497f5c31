//! `[[unit]]`: a counter of the pack, or one whose figures the file gives.

use kernel::{SetupError, lab::REMARKS};
use toml::{Table, Value};

use super::{bad, named, side_named};
use crate::{
    pack::PieceId,
    rules::Wurzburg,
    state::{Flags, Place},
    units::{Counter, Pool, Side, Symbol, UnitId},
};

/// What a file says about a counter besides its figures.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub unit: UnitId,
    pub hex: Option<String>,
    pub steps: Option<u8>,
    pub flags: Flags,
    pub dummy: bool,
    /// It takes part in the operation that is under way (13.0).
    pub participates: bool,
    pub place: Option<Place>,
    pub mp: Option<u8>,
    /// The turn in which an HQ returns (30.4.1).
    pub turn: Option<u8>,
}

const KEYS: [&str; 31] = [
    "id",
    "pack",
    "side",
    "nation",
    "hex",
    "type",
    "symbol",
    "formation",
    "steps",
    "max_steps",
    "attack",
    "defense",
    "range",
    "cp",
    "rp",
    "command_range",
    "thermal",
    "airmobile",
    "leg",
    "dag",
    "state",
    "dummy",
    "used",
    "disrupted",
    "fired",
    "contaminated",
    "masked",
    "place",
    "turn",
    "main",
    "name",
];

const PLACES: [(&str, Place); 13] = [
    ("spare", Place::Spare),
    ("five", Place::FiveRow),
    ("ten", Place::TenRow),
    ("exited", Place::Exited),
    ("dead", Place::Dead),
    ("ready", Place::Ready),
    ("rearm_refuel", Place::Rearm),
    ("recovery", Place::Recovery),
    ("waiting", Place::Waiting),
    ("column", Place::Column),
    ("later", Place::Later),
    ("track", Place::Track),
    ("bridge", Place::Bridge),
];

/// `Ready Box`, `off-map`: a place by its name or as it is printed. Airmobile units off the map wait to be flown in.
fn place_named(name: &str) -> Option<Place> {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let ends = ["_box", "_row"];
    let name = ends.into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let name = match name {
        "off_map" | "offmap" => "column",
        "rearm" | "refuel" | "rearm_and_refuel" => "rearm_refuel",
        "turn_track" | "game_turn_track" => "track",
        "off_map_display" | "display" => "five",
        name => name,
    };
    PLACES.iter().find(|(key, _)| *key == name).map(|(_, place)| *place)
}

fn text<'a>(id: &str, table: &'a Table, key: &str) -> Result<Option<&'a str>, SetupError> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(bad(format!("unit {id}: {key} must be a text, not {other}"))),
    }
}

fn number(id: &str, table: &Table, key: &str) -> Result<Option<u8>, SetupError> {
    match table.get(key) {
        None => Ok(None),
        Some(value) => match value.as_integer().and_then(|n| u8::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => Err(bad(format!("unit {id}: {key} must be a small number, not {value}"))),
        },
    }
}

fn flag(id: &str, table: &Table, key: &str) -> Result<Option<bool>, SetupError> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::Boolean(yes)) => Ok(Some(*yes)),
        Some(other) => Err(bad(format!("unit {id}: {key} must be true or false, not {other}"))),
    }
}

/// Reads every unit. `alone`: the file starts without a scenario, and the other counters of a pool are available.
pub(super) fn read_all(
    tables: &[&Table],
    rules: &mut Wurzburg,
    alone: bool,
) -> Result<Vec<Piece>, SetupError> {
    let mut pieces: Vec<Piece> = Vec::new();
    // Counters that a unit of the file names.
    let said = |table: &&Table| {
        let id = table.get("pack").or_else(|| table.get("id")).and_then(Value::as_str);
        id.and_then(|id| rules.pack.find_piece(id))
    };
    let mut taken: Vec<PieceId> = tables.iter().filter_map(said).collect();
    for (n, table) in tables.iter().enumerate() {
        let id = match table.get("id").or_else(|| table.get("pack")) {
            Some(Value::String(id)) if !id.is_empty() && !id.contains(char::is_whitespace) => id.clone(),
            _ => return Err(bad(format!("unit {}: id is missing; write id = \"24mrr-a\"", n + 1))),
        };
        let known = |key: &str| KEYS.contains(&key) || REMARKS.contains(&key);
        if let Some(key) = table.keys().find(|key| !known(key)) {
            return Err(SetupError::Unknown {
                what: "field of a unit",
                name: key.clone(),
                known: KEYS.join(", "),
            });
        }
        let unit = counter(&id, table, rules, if alone { Some(&taken[..]) } else { None })?;
        taken.extend(rules.piece_of(unit));
        pieces.push(piece(&id, table, unit)?);
    }
    if alone {
        // The other counters of each pool are available for splits and dummies (11.1).
        for unit in (0..rules.counters.len() as u16).map(UnitId) {
            let Some(piece) = rules.piece_of(unit) else { continue };
            // 25.1, 26.2: helicopter units are formed on the track from counters of their type.
            if rules.pack.type_of(piece).symbol.helicopter() {
                let kind = rules.pack.piece(piece).unit_type;
                let mates: Vec<_> =
                    rules.pack.piece_ids().filter(|mate| rules.pack.piece(*mate).unit_type == kind).collect();
                for mate in mates {
                    if rules.unit_of_piece(mate).is_none() {
                        rules.add_piece(mate)?;
                    }
                }
            }
            let Some(pool) = rules.pack.piece(piece).pool else { continue };
            for mate in rules.pack.pool(pool).pieces.clone() {
                if rules.unit_of_piece(mate).is_none() {
                    rules.add_piece(mate)?;
                }
            }
        }
    }
    if alone {
        spares(rules)?;
    }
    // Steps that split off from a unit go to counters with the same figures (11.5).
    let listed: Vec<UnitId> = pieces.iter().map(|piece| piece.unit).collect();
    for unit in &listed {
        let model = rules.counter(*unit).clone();
        let Some(pool) = rules.pools.get(usize::from(model.pool)) else { continue };
        for mate in pool.units.clone().into_iter().filter(|mate| !listed.contains(mate)) {
            let counter = &mut rules.counters[mate.index()];
            let (id, label, hq) = (counter.id.clone(), counter.label.clone(), counter.hq);
            *counter = Counter { id, label, hq, ..model.clone() };
        }
    }
    Ok(pieces)
}

/// 11.1.3: units that are not in the pack have as many counters as their formation would: three in a regiment of the Warsaw Pact,
/// one for each step in NATO.
fn spares(rules: &mut Wurzburg) -> Result<(), SetupError> {
    for n in 0..rules.pools.len() {
        let units = rules.pools[n].units.clone();
        let Some(first) = units.first() else { continue };
        let model = rules.counter(*first).clone();
        if !model.symbol.maneuver() || units.iter().any(|unit| rules.piece_of(*unit).is_some()) {
            continue;
        }
        let usual = match model.side {
            Side::Wp => 3,
            Side::Nato => usize::from(model.max_steps),
        };
        let mut number = 1;
        for _ in units.len()..usual {
            let id = loop {
                number += 1;
                let id = format!("{}-{number}", model.id);
                if rules.named(&id).is_none() {
                    break id;
                }
            };
            rules.add_counter(Counter { id: id.clone(), label: id, ..model.clone() }, None)?;
        }
    }
    Ok(())
}

/// The counter: of the table, of the pack, or a new one.
fn counter(
    id: &str,
    table: &Table,
    rules: &mut Wurzburg,
    taken: Option<&[PieceId]>,
) -> Result<UnitId, SetupError> {
    let pack = text(id, table, "pack")?;
    let from = pack.unwrap_or(id);
    let known = |from: &str| rules.named(from).is_some() || rules.pack.find_piece(from).is_some();
    let guards = if known(from) { None } else { named::counter_id(rules, from).filter(|id| known(id)) };
    let from = guards.as_deref().unwrap_or(from);
    let unit = match (rules.named(from), rules.pack.find_piece(from)) {
        (Some(unit), _) => unit,
        (None, Some(piece)) => match rules.unit_of_piece(piece) {
            Some(unit) => unit,
            None => rules.add_piece(piece)?,
        },
        (None, None) if table.contains_key("pack") => {
            return Err(bad(format!("unit {id}: there is no counter `{from}` in the pack")));
        }
        (None, None)
            if !["type", "side", "nation", "formation"].iter().any(|key| table.contains_key(*key)) =>
        {
            return Err(bad(format!(
                "unit {id}: there is no counter `{id}` in the pack; for a new one write its type or side"
            )));
        }
        (None, None) => match meant(id, table, rules, taken)? {
            Some(piece) => match rules.unit_of_piece(piece) {
                Some(unit) => unit,
                None => rules.add_piece(piece)?,
            },
            None => written(id, table, rules)?,
        },
    };
    // The steps call a counter of the pack by the id of the file.
    if !rules.counter(unit).id.eq_ignore_ascii_case(id) {
        if rules.named(id).is_some() {
            return Err(bad(format!("unit {id}: there is another counter of this id")));
        }
        id.clone_into(&mut rules.counters[unit.index()].id);
        // As many steps as a stack may have, where the printed counters hold fewer.
        let (limit, steps) =
            (rules.step_limit(rules.counter(unit).side), number(id, table, "steps")?.unwrap_or(0));
        let most = &mut rules.counters[unit.index()].max_steps;
        *most = (*most).max(steps.min(limit));
    }
    figures(id, table, rules, unit)?;
    Ok(unit)
}

/// The counter of the pack that a file means by type and formation: of the formation's own counters, so that its steps can be split.
fn meant(
    id: &str,
    table: &Table,
    rules: &Wurzburg,
    taken: Option<&[PieceId]>,
) -> Result<Option<PieceId>, SetupError> {
    let (Some(taken), Some(name)) = (taken, text(id, table, "formation")?) else { return Ok(None) };
    let Some(formation) = named::formation(rules, name) else { return Ok(None) };
    Ok(named::piece(rules, table, formation, taken))
}

/// A counter that is not in the pack: of a type of the pack, in a formation of the pack.
fn written(id: &str, table: &Table, rules: &mut Wurzburg) -> Result<UnitId, SetupError> {
    let side = match text(id, table, "side")? {
        Some(name) => side_named(name).ok_or_else(|| bad(format!("unit {id}: there is no side `{name}`")))?,
        None => Side::Wp,
    };
    let usual = match side {
        Side::Wp => "wp-bmp",
        Side::Nato => "us-m2",
    };
    let kind = text(id, table, "type")?.unwrap_or(usual);
    let of = text(id, table, "formation")?.and_then(|name| named::formation(rules, name));
    let nation = of.map(|formation| rules.formation(formation).nation.key().to_lowercase());
    let kind_id = rules
        .pack
        .find_type(&kind.to_lowercase())
        .or_else(|| called(rules, kind, table, nation))
        .ok_or_else(|| {
        let known: Vec<&str> = rules.pack.forces.types.iter().map(|t| t.id.as_str()).collect();
        SetupError::Unknown { what: "type of unit", name: kind.into(), known: known.join(", ") }
    })?;
    let kind = rules.pack.unit_type(kind_id).clone();
    let side = kind.nation.map_or(side, crate::units::Nation::side);
    let called_after = text(id, table, "formation")?.unwrap_or_else(|| usual_formation(&kind, side));
    let formation = named::formation(rules, called_after).ok_or_else(|| SetupError::Unknown {
        what: "formation",
        name: called_after.into(),
        known: rules.formations.iter().map(|f| f.id.clone()).collect::<Vec<_>>().join(", "),
    })?;
    let max_steps = number(id, table, "max_steps")?.unwrap_or(match kind.symbol {
        symbol if symbol.helicopter() => kind.max_steps.unwrap_or(1),
        Symbol::Hq | Symbol::Engineer => 1,
        _ => rules.step_limit(side),
    });
    // Units of one kind and formation share their steps (11.5).
    let pool_id = format!("{called_after}/{}", kind.id);
    let pool = if max_steps < 2 {
        u8::MAX
    } else {
        let at = rules.pools.iter().position(|pool| pool.id == pool_id).unwrap_or_else(|| {
            rules.pools.push(Pool { id: pool_id.clone(), formation, steps: 0, max_steps, units: Vec::new() });
            rules.pools.len() - 1
        });
        at as u8
    };
    let nation = kind.nation.unwrap_or(rules.formation(formation).nation);
    let counter = Counter {
        id: id.to_owned(),
        label: id.to_owned(),
        side,
        formation,
        pool,
        max_steps,
        dag: kind.id.ends_with("-dag"),
        main: kind.id.contains("-main") || kind.id == "wp-hq-35gaab",
        ..Counter::of_type(&kind, nation)
    };
    rules.add_counter(counter, None)
}

/// A type by its vehicle or by a player's name for it: `M1`, `Bradley`, `leopard_2`; the nation that is written, or else
/// that of the formation, decides between several.
fn called(
    rules: &Wurzburg,
    name: &str,
    table: &Table,
    nation: Option<String>,
) -> Option<crate::pack::TypeId> {
    use named::plain;
    let wanted = named::vehicle(name);
    let nation = table.get("nation").and_then(Value::as_str).map(str::to_lowercase).or(nation);
    let side = table.get("side").and_then(Value::as_str).map(str::to_lowercase);
    let fits = |kind: &&crate::pack::UnitType| {
        let id = kind.id.split_once('-').map_or(kind.id.as_str(), |(_, name)| name);
        plain(&kind.vehicle) == wanted || plain(id) == wanted
    };
    let of = |kind: &&crate::pack::UnitType| {
        let prefix = kind.id.split('-').next().unwrap_or_default();
        nation.as_deref().or(side.as_deref()).is_some_and(|word| word == prefix)
    };
    let mut all = rules.pack.forces.types.iter().filter(fits);
    let first = all.clone().find(of).or_else(|| all.next())?;
    rules.pack.find_type(&first.id)
}

/// The default formation of a unit: one of its nation.
fn usual_formation(kind: &crate::pack::UnitType, side: Side) -> &'static str {
    use crate::units::Nation;
    match (kind.nation, side) {
        (Some(Nation::Wg), _) => "36PzB",
        (Some(Nation::Ca), _) => "4CMBG",
        (_, Side::Nato) => "3/3",
        (_, Side::Wp) => "24MRR",
    }
}

/// Figures that the file gives instead of the printed ones.
fn figures(id: &str, table: &Table, rules: &mut Wurzburg, unit: UnitId) -> Result<(), SetupError> {
    let symbol = match text(id, table, "symbol")? {
        None => None,
        Some(name) => {
            Some(Symbol::parse(name).ok_or_else(|| bad(format!("unit {id}: there is no symbol `{name}`")))?)
        }
    };
    let formation = match text(id, table, "formation")? {
        None => None,
        Some(name) => Some(
            named::formation(rules, name).ok_or_else(|| bad(format!("unit {id}: no formation `{name}`")))?,
        ),
    };
    if let Some(formation) = formation {
        rules.in_play[formation.index()] = true;
    }
    let counter = &mut rules.counters[unit.index()];
    counter.symbol = symbol.unwrap_or(counter.symbol);
    counter.formation = formation.unwrap_or(counter.formation);
    let set = |field: &mut u8, key: &str| -> Result<(), SetupError> {
        *field = number(id, table, key)?.unwrap_or(*field);
        Ok(())
    };
    set(&mut counter.attack, "attack")?;
    set(&mut counter.defense, "defense")?;
    set(&mut counter.range, "range")?;
    set(&mut counter.cp, "cp")?;
    set(&mut counter.rp, "rp")?;
    set(&mut counter.command_range, "command_range")?;
    set(&mut counter.max_steps, "max_steps")?;
    counter.thermal = flag(id, table, "thermal")?.unwrap_or(counter.thermal);
    counter.airmobile = flag(id, table, "airmobile")?.unwrap_or(counter.airmobile);
    counter.leg = flag(id, table, "leg")?.unwrap_or(counter.leg);
    counter.dag = flag(id, table, "dag")?.unwrap_or(counter.dag);
    counter.main = flag(id, table, "main")?.unwrap_or(counter.main);
    Ok(())
}

fn piece(id: &str, table: &Table, unit: UnitId) -> Result<Piece, SetupError> {
    let mut flags = Flags(0);
    let mut dummy = flag(id, table, "dummy")?.unwrap_or(false);
    for (key, bits) in [
        ("used", Flags::USED.0),
        ("disrupted", Flags::DISRUPTED.0 | Flags::USED.0),
        ("fired", Flags::FIRED.0),
        ("contaminated", Flags::CONTAMINATED.0),
        ("masked", Flags::MASKED.0),
    ] {
        if flag(id, table, key)?.unwrap_or(false) {
            flags.0 |= bits;
        }
    }
    let mut participates = false;
    let states: Vec<&str> = match table.get("state") {
        None => Vec::new(),
        Some(Value::String(state)) => vec![state],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(other) => return Err(bad(format!("unit {id}: state must be a list, not {other}"))),
    };
    for state in states {
        flags.0 |= match state.to_lowercase().replace(['-', ' '], "_").as_str() {
            "used" => Flags::USED.0,
            "disrupted" => Flags::DISRUPTED.0 | Flags::USED.0,
            "fired" => Flags::FIRED.0,
            "contaminated" => Flags::CONTAMINATED.0,
            "masked" => Flags::MASKED.0,
            "layer" => Flags::LAYER.0,
            "dummy" => {
                dummy = true;
                0
            }
            "participating" => {
                participates = true;
                0
            }
            // What a table shows of a unit and what follows from the rest of the file.
            "unused" => 0,
            state if state.starts_with("command_") => 0,
            _ => {
                return Err(SetupError::Unknown {
                    what: "state",
                    name: state.into(),
                    known: "used, disrupted, fired, contaminated, masked, dummy, layer".into(),
                });
            }
        };
    }
    let place = match text(id, table, "place")? {
        None => None,
        Some(name) => {
            Some(place_named(name).ok_or_else(|| bad(format!("unit {id}: there is no place `{name}`")))?)
        }
    };
    Ok(Piece {
        unit,
        hex: text(id, table, "hex")?.map(str::to_owned),
        steps: number(id, table, "steps")?,
        flags,
        dummy,
        participates,
        place,
        mp: None,
        turn: number(id, table, "turn")?,
    })
}
