//! Where the file starts, and the position there.

use kernel::{SetupError, lab::Head};
use toml::{Table, Value};

use super::{side_named, unit::Piece};
use crate::{
    frame::{Frame, Player},
    hidden,
    indirect::{Area, Mission},
    pack::{
        Side,
        advanced::{HindranceKind, Sheaf},
    },
    phase::{self, Phase},
    rules::Panzer,
    setup,
    state::{Command, Flags, Place, State},
    units::UnitId,
};

/// Where the file starts in the sequence of play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub turn: u8,
    pub phase: Phase,
    /// In the Overwatch part of the Combat Phase (4.4.2).
    pub overwatch: bool,
    /// In the Indirect Fire Step (6.5.1).
    pub indirect: bool,
    /// Whose step it is.
    pub side: Side,
    pub first: Side,
}

pub(super) fn moment(rules: &Panzer, head: &Head, pieces: &[Piece]) -> Result<Moment, SetupError> {
    let turn = head.turn.unwrap_or(1);
    let turn = u8::try_from(turn)
        .ok()
        .filter(|turn| (1..=rules.scenario.turns).contains(turn))
        .ok_or_else(|| SetupError::Bad(format!("turn: {turn} is not from 1 to {}", rules.scenario.turns)))?;
    let given = |wanted: fn(Command) -> bool| {
        pieces
            .iter()
            .find(|piece| piece.command.is_some_and(wanted))
            .map(|piece| rules.vehicle(piece.unit).side)
    };
    let (phase, overwatch, acts) = match head.phase {
        Some(name) => {
            let (phase, overwatch) = named(name)?;
            (phase, overwatch, None)
        }
        // A file that names no phase starts where its Commands are carried out.
        None => match (given(Command::fires), given(Command::moves)) {
            (Some(side), _) => (Phase::Combat, false, Some(side)),
            (None, Some(side)) => (Phase::Movement, false, Some(side)),
            (None, None) => (Phase::Command, false, None),
        },
    };
    let by_command = match phase {
        Phase::Combat if overwatch => given(|command| command == Command::Overwatch),
        Phase::Combat => given(Command::fires),
        Phase::Movement => given(Command::moves),
        _ => None,
    };
    let stated = head.side.and_then(side_named);
    let side = stated.or(acts).or(by_command).unwrap_or_default();
    Ok(Moment {
        turn,
        phase,
        overwatch,
        indirect: head.phase.is_some_and(|name| name.to_lowercase().contains("indirect")),
        side,
        first: if phase == Phase::Movement && !overwatch { side.enemy() } else { side },
    })
}

fn named(name: &str) -> Result<(Phase, bool), SetupError> {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    let plain = plain.strip_suffix("_phase").or(plain.strip_suffix("_step")).unwrap_or(&plain);
    match plain {
        "direct_fire" | "fire" => return Ok((Phase::Combat, false)),
        "overwatch" | "overwatch_fire" => return Ok((Phase::Combat, true)),
        "commands" | "place_commands" => return Ok((Phase::Command, false)),
        "indirect" | "indirect_fire" => return Ok((Phase::Combat, false)),
        "air" => return Ok((Phase::FirstAir, false)),
        "move" => return Ok((Phase::Movement, false)),
        "assault" | "close_assault" | "hand_to_hand" => return Ok((Phase::Movement, true)),
        _ => {}
    }
    let known = || {
        let names = Phase::ALL.map(Phase::key).join(", ");
        format!("{names}, indirect, direct_fire, overwatch, assault")
    };
    let found = Phase::ALL.into_iter().find(|phase| phase.key() == plain);
    found.map(|phase| (phase, false)).ok_or_else(|| SetupError::Unknown {
        what: "phase",
        name: name.into(),
        known: known(),
    })
}

fn bad(what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(what.to_string())
}

/// The position: vehicles where the file puts them, wrecks, and the frames of the phase.
pub(super) fn lay(rules: &Panzer, head: &Table, pieces: &[Piece], at: &Moment) -> Result<State, SetupError> {
    let mut s = setup::start(rules);
    s.frames.clear();
    let stated = |unit: &UnitId| pieces.iter().any(|piece| piece.unit == *unit);
    let mut hidden = hidden::reveal_all(&mut s);
    hidden.retain(|unit| !stated(unit));
    s.turn = at.turn;
    let first = match head.get("first") {
        None => at.first,
        Some(value) => {
            let name = value.as_str().unwrap_or_default();
            side_named(name)
                .ok_or_else(|| bad(format!("first: `{name}` is no side; there is axis, allied")))?
        }
    };
    s.first = Some(first);
    for piece in pieces {
        place(rules, &mut s, piece)?;
    }
    for piece in pieces {
        transport(rules, &mut s, piece)?;
    }
    for unit in s.ids() {
        let u = s.unit_mut(unit);
        if u.is(Flags::IMPROVED) {
            u.open_side = u.facing.opposite(); // 6.1.4.3.7
        }
    }
    for piece in pieces {
        if let Some(side) = piece.open_side {
            s.unit_mut(piece.unit).open_side = side;
        }
    }
    // 7.2: what is aboard a hidden unit is hidden with it.
    hidden.extend(pieces.iter().filter(|piece| piece.hidden).map(|piece| piece.unit));
    let aboard = s.ids().filter(|unit| hidden.contains(&s.unit(*unit).aboard) && !hidden.contains(unit));
    let aboard: Vec<UnitId> = aboard.collect();
    hidden.extend(aboard);
    rules.lay_under(&mut s);
    super::air::lay(rules, head, &mut s)?;
    wrecks(rules, head, &mut s)?;
    areas(rules, head, &mut s)?;
    hindrances(rules, head, &mut s)?;
    missions(rules, head, &mut s, at)?;
    super::advanced::plots(rules, head, &mut s)?;
    hidden::hide(&mut s, &hidden);
    crate::adjustment::start_turn(rules, &mut s);
    s.first = Some(first);
    rules.look(&mut s);
    hidden::look(rules, &mut s);
    s.phase = at.phase;
    if !matches!(at.phase, Phase::Spotting | Phase::Command | Phase::Initiative) {
        s.committed = [true; 2];
        usual_commands(rules, &mut s, pieces, at);
    }
    s.frames.push(Frame::Sequence);
    let steps = phase::steps(at.phase, rules.advanced.is_some());
    let player = if at.side == first { Player::First } else { Player::Second };
    let begins = match at.phase {
        // 6.5.1: indirect fire comes before all direct fire; a file names it.
        Phase::Combat if at.indirect && rules.advanced.is_some() => Frame::Planned(player),
        Phase::Combat if at.overwatch => Frame::OpenOverwatch,
        Phase::Combat => Frame::DirectFire(player),
        // 6.6.1: assaults come before all movement.
        Phase::Movement if at.overwatch && rules.advanced.is_some() => Frame::Assault(player),
        Phase::Movement => Frame::OpenMovement(player),
        _ => steps[0],
    };
    let skip = steps.iter().position(|frame| *frame == begins).unwrap_or(0);
    s.frames.extend(steps.iter().skip(skip).rev().copied());
    // The file announces planned fire that is due; what it does not announce begins at the end of the step
    // (6.5.1.11.2).
    if let (Some(Frame::Planned(_)), false) = (s.frames.last(), s.indirect.plots.is_empty()) {
        let top = s.frames.len();
        s.frames.swap(top - 1, top - 2);
    }
    if at.phase.of_air() && s.air.flight.active {
        s.frames.push(Frame::Flight);
    }
    if at.phase == Phase::Combat {
        for unit in s.ids() {
            if s.unit(unit).is(Flags::FIRED) {
                // 6.6.7.2: passengers are part of their vehicle.
                s.triggers.insert(s.unit(unit).aboard.some().unwrap_or(unit));
            }
        }
    }
    if matches!(at.phase, Phase::Spotting | Phase::Initiative | Phase::Adjustment) {
        s.frames.push(Frame::Begin);
    }
    Ok(s)
}

fn place(rules: &Panzer, s: &mut State, piece: &Piece) -> Result<(), SetupError> {
    let id = rules.id(piece.unit).to_owned();
    if let Some(label) = &piece.hex {
        let hex =
            rules.field.find(label).ok_or_else(|| bad(format!("unit {id}: no hex {label} on this map")))?;
        let u = s.unit_mut(piece.unit);
        (u.hex, u.place) = (hex, Place::Map);
    }
    let u = s.unit_mut(piece.unit);
    u.facing = piece.facing.unwrap_or(u.facing);
    u.spot = piece.spot.unwrap_or(u.spot);
    u.flags.0 |= piece.flags.0;
    u.command = piece.command.unwrap_or(u.command);
    u.group = piece.group;
    match piece.place {
        None | Some(Place::Map) => {}
        Some(gone) => {
            if gone.eliminated()
                && let Some(hex) = u.hex.some()
            {
                s.wrecks.insert(hex);
                if gone == Place::BrewedUp {
                    s.smoke.insert(hex);
                }
            }
            let u = s.unit_mut(piece.unit);
            (u.place, u.hex) = (gone, hexgrid::HexId::NONE);
        }
    }
    Ok(())
}

/// Passengers are in their vehicle's hex; a unit on the map has its ammunition there (5.16.2.4) unless the file says
/// that it is away from it.
fn transport(rules: &Panzer, s: &mut State, piece: &Piece) -> Result<(), SetupError> {
    if rules.advanced.is_none() {
        return Ok(());
    }
    let id = rules.id(piece.unit).to_owned();
    let find =
        |name: &String| rules.named(name).ok_or_else(|| bad(format!("unit {id}: there is no unit {name}")));
    if let Some(vehicle) = &piece.aboard {
        let vehicle = find(vehicle)?;
        let (place, hex, facing) = (s.unit(vehicle).place, s.unit(vehicle).hex, s.unit(vehicle).facing);
        let u = s.unit_mut(piece.unit);
        (u.aboard, u.hauler, u.place, u.hex, u.facing) = (vehicle, vehicle, place, hex, facing);
    }
    if let Some(hauler) = &piece.hauler {
        s.unit_mut(piece.unit).hauler = find(hauler)?;
    }
    let u = s.unit_mut(piece.unit);
    u.store = if piece.aboard.is_none() && !piece.away { u.hex } else { hexgrid::HexId::NONE };
    Ok(())
}

/// `ko = ["C3"]`, `bu = ["D4"]` (also `smoke`), `wrecks = { "C3" = "ko" }`.
fn wrecks(rules: &Panzer, head: &Table, s: &mut State) -> Result<(), SetupError> {
    let mut add = |field: &str, label: &str, burning: bool| {
        let hex =
            rules.field.find(label).ok_or_else(|| bad(format!("{field}: no hex {label} on this map")))?;
        s.wrecks.insert(hex);
        if burning {
            s.smoke.insert(hex);
        }
        Ok(())
    };
    for (field, burning) in [("ko", false), ("bu", true), ("smoke", true)] {
        // In the Advanced Game smoke is that of shells.
        let Some(value) = head.get(field).filter(|_| field != "smoke" || rules.advanced.is_none()) else {
            continue;
        };
        let list = value.as_array().ok_or_else(|| bad(format!("{field}: must be a list of hexes")))?;
        for label in list {
            add(field, label.as_str().unwrap_or_default(), burning)?;
        }
    }
    match head.get("wrecks") {
        None => {}
        Some(Value::Table(table)) => {
            for (label, kind) in table {
                let burning = match kind.as_str() {
                    Some("ko") => false,
                    Some("bu") => true,
                    _ => return Err(bad(format!("wrecks.{label}: must be \"ko\" or \"bu\""))),
                };
                add("wrecks", label, burning)?;
            }
        }
        Some(Value::Array(list)) => {
            for label in list {
                add("wrecks", label.as_str().unwrap_or_default(), false)?;
            }
        }
        Some(_) => return Err(bad("wrecks: must be a table such as { \"C3\" = \"ko\" }")),
    }
    Ok(())
}

/// `[[area]]`: smoke or a barrage of one mission, `kind`, `hexes`, `sheaf` (6.1.4.3.10).
fn areas(rules: &Panzer, head: &Table, s: &mut State) -> Result<(), SetupError> {
    let Some(list) = head.get("area") else { return Ok(()) };
    let list = list.as_array().ok_or_else(|| bad("area: write [[area]]"))?;
    for value in list {
        let table = value.as_table().ok_or_else(|| bad("area: write [[area]]"))?;
        let word = |key: &str| table.get(key).and_then(Value::as_str);
        let open = match word("sheaf") {
            None | Some("closed") => false,
            Some("open") => true,
            Some(other) => return Err(bad(format!("area: sheaf `{other}`; there is closed, open"))),
        };
        let kind = match (word("kind"), open) {
            (Some("smoke"), true) => HindranceKind::SmokeOpen,
            (Some("smoke"), false) => HindranceKind::SmokeClosed,
            (Some("barrage"), true) => HindranceKind::BarrageOpen,
            (Some("barrage"), false) => HindranceKind::BarrageClosed,
            (Some("fire" | "on_fire"), _) => HindranceKind::OnFire,
            (Some("dust"), _) => HindranceKind::Dust,
            _ => return Err(bad("area: kind must be smoke, barrage, fire or dust")),
        };
        let mut hexes = Vec::new();
        // `point`: the hexes of a battery's sheaf around it (6.5.1.5).
        if let Some(label) = word("point") {
            let sheaf = if open { Sheaf::Open } else { Sheaf::Closed };
            let point = rules.field.find(label);
            let point = point.ok_or_else(|| bad(format!("area: no hex {label} on this map")))?;
            hexes.extend(rules.pattern(point, sheaf, 0));
        }
        let one = table.get("hex").map(|hex| vec![hex.clone()]);
        let labels = table.get("hexes").and_then(Value::as_array).or(one.as_ref());
        if hexes.is_empty() && labels.is_none() {
            return Err(bad("area: hexes is missing"));
        }
        for label in labels.into_iter().flatten() {
            let label = label.as_str().unwrap_or_default();
            hexes.push(
                rules.field.find(label).ok_or_else(|| bad(format!("area: no hex {label} on this map")))?,
            );
        }
        let off = table.get("off") == Some(&Value::Boolean(true));
        if matches!(kind, HindranceKind::OnFire | HindranceKind::Dust) {
            // 5.11: each hex of fire or dust is an occurrence of its own.
            for hex in hexes {
                if kind == HindranceKind::OnFire {
                    s.works.set_on_fire(hex, 0);
                }
                s.indirect.areas.push(Area {
                    mission: 0,
                    kind,
                    hexes: smallvec::smallvec![hex],
                    off,
                    young: false,
                });
            }
            continue;
        }
        s.indirect.areas.push(Area { mission: 0, kind, hexes: hexes.into(), off, young: false });
    }
    Ok(())
}

/// `smoke = ["E7"]`, `barrage = ["E7"]`: the effect of one mission with a Closed sheaf; `{ "E7" = "open" }` names the
/// sheaf. `dust = ["E7"]` puts dust in each hex.
fn hindrances(rules: &Panzer, head: &Table, s: &mut State) -> Result<(), SetupError> {
    if rules.advanced.is_none() {
        return Ok(());
    }
    let find = |field: &str, label: &str| {
        rules.field.find(label).ok_or_else(|| bad(format!("{field}: no hex {label} on this map")))
    };
    let kinds = [
        ("smoke", [HindranceKind::SmokeClosed, HindranceKind::SmokeOpen]),
        ("barrage", [HindranceKind::BarrageClosed, HindranceKind::BarrageOpen]),
        ("dust", [HindranceKind::Dust; 2]),
    ];
    for (field, kinds) in kinds {
        let mut hexes = [Vec::new(), Vec::new()];
        match head.get(field) {
            None => continue,
            Some(Value::Array(list)) => {
                for label in list {
                    hexes[0].push(find(field, label.as_str().unwrap_or_default())?);
                }
            }
            Some(Value::Table(table)) => {
                for (label, sheaf) in table {
                    let open = match sheaf.as_str() {
                        Some("closed") => 0,
                        Some("open") => 1,
                        _ => return Err(bad(format!("{field}.{label}: must be \"closed\" or \"open\""))),
                    };
                    hexes[open].push(find(field, label)?);
                }
            }
            Some(_) => return Err(bad(format!("{field}: must be a list of hexes"))),
        }
        for (kind, hexes) in kinds.into_iter().zip(hexes) {
            // 5.11: each hex of dust is an occurrence of its own.
            let parts = if kind == HindranceKind::Dust { 1 } else { hexes.len().max(1) };
            for hexes in hexes.chunks(parts) {
                let hexes = hexes.iter().copied().collect();
                s.indirect.areas.push(Area { mission: 0, kind, hexes, off: false, young: false });
            }
        }
    }
    Ok(())
}

/// `[[mission]]`: fire of the turn before, to be continued, adjusted or checked (6.5.1.8): `observer`, `sources`, `hex`, `sheaf`, `kind`.
/// In a file that begins after the Indirect Fire Step it is that of this turn (6.6.6). Its smoke or barrage lies on the map.
fn missions(rules: &Panzer, head: &Table, s: &mut State, at: &Moment) -> Result<(), SetupError> {
    let fired = match at.phase {
        Phase::Combat => !at.indirect,
        Phase::Movement | Phase::SecondAir | Phase::Adjustment => true,
        _ => false,
    };

    let Some(list) = head.get("mission").or_else(|| head.get("missions")) else { return Ok(()) };
    let list = list.as_array().ok_or_else(|| bad("mission: write [[mission]]"))?;
    for (n, value) in list.iter().enumerate() {
        let table = value.as_table().ok_or_else(|| bad("mission: write [[mission]]"))?;
        let known = ["id", "observer", "sources", "source", "hex", "sheaf", "kind", "shells"];
        if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
            let (name, known) = (key.clone(), known.join(", "));
            return Err(SetupError::Unknown { what: "field of a mission", name, known });
        }
        let word = |key: &str| table.get(key).and_then(Value::as_str);
        let id = match word("id") {
            Some(id) => {
                crate::notation::call::mission(id).map_err(|_| bad(format!("mission: id `{id}`; M1")))?
            }
            None => n as u8 + 1,
        };
        let observer = word("observer").unwrap_or_default();
        let observer =
            rules.named(observer).ok_or_else(|| bad(format!("mission: there is no unit `{observer}`")))?;
        let label = word("hex").unwrap_or_default();
        let point =
            rules.field.find(label).ok_or_else(|| bad(format!("mission: no hex {label} on this map")))?;
        let mut words: Vec<&str> = match table.get("sources").or_else(|| table.get("source")) {
            Some(Value::String(one)) => vec![one.as_str()],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => return Err(bad("mission: sources is missing")),
        };
        for key in ["kind", "shells", "sheaf"] {
            words.extend(word(key).into_iter().flat_map(str::split_whitespace));
        }
        let order =
            crate::notation::call::read(rules, crate::action::CallOrder::new(observer, point), &words)
                .map_err(|refusal| bad(format!("mission: {}", refusal.why.key)))?;
        let seen = s.unit(observer).hex.some().map_or(0, |hex| rules.field.range(hex, point) as u8);
        let mission = Mission {
            id,
            side: rules.vehicle(observer).side,
            observer,
            point,
            sheaf: order.sheaf,
            direction: order.direction,
            smoke: order.smoke,
            light: order.light,
            sources: order.sources,
            turn: if fired { s.turn } else { s.turn.saturating_sub(1) },
            danger_close: false,
            planned: false,
            seen,
            limited: crate::indirect::Sources::new(),
        };
        s.indirect.last = s.indirect.last.max(id);
        for source in mission.sources.iter().filter(|_| !mission.light) {
            let kind = mission.leaves(*source);
            let hexes = rules.source_pattern(&mission, *source, point);
            let off = mission.smoke && !fired; // 6.8.4
            let areas = &mut s.indirect.areas;
            // Several sources are one occurrence (5.11).
            match areas.iter().position(|area| area.mission == id && area.kind == kind) {
                Some(area) => areas.extend(area, &hexes),
                None => areas.push(Area { mission: id, kind, hexes, off, young: false }),
            }
        }
        s.indirect.missions.push(mission);
    }
    Ok(())
}

/// A vehicle of the acting side without a Command in the file has the one that the step needs.
fn usual_commands(rules: &Panzer, s: &mut State, pieces: &[Piece], at: &Moment) {
    for unit in s.ids() {
        let told = pieces.iter().any(|piece| piece.unit == unit && piece.command.is_some());
        // 6.7.4: anti-aircraft units are on Overwatch by default.
        let aa = rules.piece(unit).is_some_and(|piece| piece.aa.is_some());
        if at.phase.of_air() && !told && aa && Some(rules.vehicle(unit).side) != rules.air_side() {
            s.unit_mut(unit).command = Command::Overwatch;
        }
        if told || rules.vehicle(unit).side != at.side || !s.unit(unit).on_map() {
            continue;
        }
        let command = match at.phase {
            Phase::Combat if at.overwatch => Command::Overwatch,
            // 6.5.1: observers watch, guns and mortars fire.
            Phase::Combat if at.indirect && rules.observes(unit).is_some() => Command::Overwatch,
            Phase::Combat if at.indirect && rules.source_of(unit).is_some() => Command::Fire,
            Phase::Combat if rules.has_target(s, unit) => Command::Fire,
            Phase::Movement if !s.unit(unit).is(Flags::FIRED) => Command::Move,
            Phase::Movement => Command::ShortHalt,
            _ => Command::NoCommand,
        };
        if rules.may_command(s, unit, command).is_ok() {
            s.unit_mut(unit).command = command;
        }
    }
}
