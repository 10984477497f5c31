//! The position of the file, and where it starts in the Sequence of Play.

use hexgrid::HexId;
use kernel::{SetupError, lab::Head};
use toml::{Table, Value};

use super::{bad, side_named, unit::Piece};
use crate::{
    frame::{Frame, Segment},
    pack::{PointKind, Purse},
    rules::Wurzburg,
    setup,
    state::{Charges, Chit, Ew, Mine, OpKind, Payer, Place, Plan, State},
    turn::{self, Phase},
    units::{FormationId, Side, UnitId},
};

/// Where the file starts.
enum Moment {
    Planning,
    Maneuver,
    /// In a segment of a cycle.
    Segment(FormationId, Segment),
    Reserve(Side),
    /// Before play: field works.
    Works(Side),
    /// Just before a phase that rolls dice or asks nothing.
    Before(Phase),
}

pub(super) fn lay(
    rules: &Wurzburg,
    table: &Table,
    head: &Head,
    pieces: &[Piece],
) -> Result<State, SetupError> {
    let mut s = if head.scenario.is_some() { setup::start(rules) } else { setup::empty(rules) };
    s.frames.clear();
    s.turn = head.turn.map_or(1, |turn| turn.min(99) as u8);
    for piece in pieces {
        place(rules, &mut s, piece)?;
    }
    markers(rules, table, &mut s)?;
    bridges(rules, table, &mut s)?;
    setup::take_control(rules, &mut s);
    if let Some(Value::Table(list)) = table.get("control") {
        for (label, side) in list {
            let hex = hex(rules, "control", label)?;
            let side = side.as_str().and_then(side_named).ok_or_else(|| bad("control: there is wp, nato"))?;
            if let Some(n) = rules.holdable.iter().position(|held| *held == hex) {
                s.control[n] = side;
            }
        }
    }
    let turn = s.turn;
    turn::restore(rules, &mut s, turn);
    if head.scenario.is_none() {
        for side in &mut s.sides {
            (side.off_map_cp, side.off_map_rp) = (0, 0);
        }
    }
    points(rules, table, &mut s)?;
    formations(rules, table, &mut s, head.scenario.is_none())?;
    events_before(rules, table, &mut s)?;
    let moment = moment(rules, table, head, &s)?;
    s.frames.push(Frame::Sequence);
    let wanted = head.side.and_then(side_named);
    if let Some(side) = table.get("initiative").and_then(Value::as_str) {
        s.initiative = side_named(side).ok_or_else(|| bad("initiative: there is wp, nato"))?;
    } else if let Some(side) = wanted {
        s.initiative = side;
    }
    match moment {
        Moment::Planning => {
            s.phase = Phase::Planning;
            s.frames.extend([Frame::EndPlanning, Frame::Planning]);
        }
        Moment::Maneuver => {
            s.phase = Phase::Maneuver;
            s.frames.push(Frame::Maneuver);
        }
        Moment::Segment(formation, segment) => {
            s.phase = Phase::Maneuver;
            s.active = formation;
            s.formation_mut(formation).activated = true;
            s.initiative = rules.formation(formation).side;
            usual_leads(rules, &mut s);
            // 29.5: after the Activation Segment it has been declared.
            let side = rules.formation(formation).side;
            if segment != Segment::Activation
                && table.contains_key("paradrop")
                && rules.may_declare_drop(&s, side)
            {
                s.sky.paradrop = true;
                s.sides[side.index()].paradrop_used = true;
            }
            s.frames.extend([Frame::Maneuver, Frame::EndCycle]);
            for later in Segment::ALL.into_iter().rev().take_while(|later| *later != segment) {
                s.frames.push(Frame::Segment(later));
            }
            s.frames.push(match segment {
                Segment::Operations => Frame::Operations,
                other => Frame::Segment(other),
            });
            super::operation::resume(rules, table, head.phase.unwrap_or_default(), &mut s)?;
        }
        Moment::Reserve(side) => {
            s.phase = Phase::Reserve;
            usual_leads(rules, &mut s);
            s.frames.extend([Frame::Reserve(side.enemy()), Frame::Reserve(side)]);
        }
        Moment::Works(side) => s.frames.push(Frame::Works(side)),
        Moment::Before(phase) => {
            s.phase =
                Phase::ALL.into_iter().find(|p| p.next() == Some(phase)).unwrap_or(Phase::Reorganization);
            s.frames.push(Frame::Begin(wanted.unwrap_or_default()));
        }
    }
    Ok(s)
}

fn hex(rules: &Wurzburg, field: &str, label: &str) -> Result<HexId, SetupError> {
    rules.field.find(label).ok_or_else(|| bad(format!("{field}: there is no hex {label} on this map")))
}

fn list<'a>(table: &'a Table, field: &str) -> Result<Vec<&'a str>, SetupError> {
    match table.get(field) {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one]),
        Some(Value::Array(list)) => Ok(list.iter().filter_map(Value::as_str).collect()),
        Some(_) => Err(bad(format!("{field}: must be a list"))),
    }
}

/// 11.1.4: artillery of which there is one counter has all its steps on it.
fn all_on_one(rules: &Wurzburg, unit: UnitId) -> Option<u8> {
    let counter = rules.counter(unit);
    let pool = rules.pools.get(usize::from(counter.pool)).filter(|_| counter.symbol.artillery())?;
    (pool.units.len() == 1 && pool.steps > 0).then(|| pool.steps.min(counter.max_steps))
}

fn place(rules: &Wurzburg, s: &mut State, piece: &Piece) -> Result<(), SetupError> {
    let id = rules.id(piece.unit).to_owned();
    let at = match &piece.hex {
        None => None,
        Some(label) => Some(hex(rules, &format!("unit {id}"), label)?),
    };
    let usual = match s.unit(piece.unit).steps {
        0 => all_on_one(rules, piece.unit).unwrap_or(1),
        steps => steps,
    };
    let steps = if piece.dummy { 0 } else { piece.steps.unwrap_or(usual) };
    // 25.1: on the track a counter may hold any number of steps.
    let boxed = rules.counter(piece.unit).symbol.helicopter() && at.is_none();
    if steps > rules.counter(piece.unit).max_steps && !boxed {
        return Err(bad(format!("unit {id}: at most {} steps (5.0)", rules.counter(piece.unit).max_steps)));
    }
    if let Some(at) = at {
        s.put(piece.unit, Place::Map, at);
    }
    if let Some(mut place) = piece.place {
        if place == Place::Column && rules.counter(piece.unit).airmobile {
            place = Place::Waiting; // 29.7
        }
        s.put(piece.unit, place, if place == Place::Map { s.unit(piece.unit).hex } else { HexId::NONE });
    }
    let u = s.unit_mut(piece.unit);
    u.steps = steps;
    u.flags.0 |= piece.flags.0;
    if u.place == Place::Spare {
        u.steps = 0;
    }
    if let Some(turn) = piece.turn {
        u.turn = turn;
    }
    if let Some(mp) = piece.mp {
        u.mp = mp;
    }
    if piece.participates {
        s.op.members.insert(piece.unit);
        s.op.side = rules.counter(piece.unit).side;
    }
    Ok(())
}

fn markers(rules: &Wurzburg, table: &Table, s: &mut State) -> Result<(), SetupError> {
    match table.get("improved_position") {
        None => {}
        Some(Value::Table(list)) => {
            for (label, side) in list {
                let at = hex(rules, "improved_position", label)?;
                let side = side.as_str().and_then(side_named);
                let side = side.ok_or_else(|| bad("improved_position: { \"2916\" = \"nato\" }"))?;
                s.change_mark(at, |mark| mark.improved = Some(side));
            }
        }
        Some(_) => return Err(bad("improved_position: must be a table such as { \"2916\" = \"nato\" }")),
    }
    for label in list(table, "obstacle")? {
        let at = hex(rules, "obstacle", label)?;
        s.change_mark(at, |mark| mark.obstacle = true);
    }
    for label in list(table, "smoke")? {
        let at = hex(rules, "smoke", label)?;
        s.change_mark(at, |mark| mark.smoke = true);
    }
    for (field, mine) in [("minefield", Mine::Real), ("dummy_minefield", Mine::Dummy)] {
        match table.get(field) {
            Some(Value::Table(list)) => {
                for (label, side) in list {
                    let at = hex(rules, field, label)?;
                    let owner = side.as_str().and_then(side_named).unwrap_or_default();
                    s.change_mark(at, |mark| (mark.mine, mark.mine_owner) = (mine, owner));
                }
            }
            _ => {
                for label in list(table, field)? {
                    let at = hex(rules, field, label)?;
                    s.change_mark(at, |mark| (mark.mine, mark.mine_owner) = (mine, Side::Nato));
                }
            }
        }
    }
    match table.get("gas") {
        None => {}
        Some(Value::Table(list)) => {
            for (label, kind) in list {
                let at = hex(rules, "gas", label)?;
                let persistent = match kind.as_str() {
                    Some("persistent") => true,
                    Some("non_persistent" | "non-persistent") => false,
                    _ => return Err(bad("gas: there is persistent, non_persistent")),
                };
                s.change_mark(at, |mark| {
                    if persistent {
                        mark.gas_persistent = true;
                    } else {
                        mark.gas_non_persistent = true;
                    }
                });
            }
        }
        Some(_) => return Err(bad("gas: must be a table such as { \"5719\" = \"persistent\" }")),
    }
    for label in list(table, "acquired")? {
        s.acquired.push(hex(rules, "acquired", label)?);
    }
    Ok(())
}

fn bridges(rules: &Wurzburg, table: &Table, s: &mut State) -> Result<(), SetupError> {
    let river = |field: &str, label: &str| {
        rules.river_named(label).ok_or_else(|| bad(format!("{field}: no river on the hexside {label}")))
    };
    for label in list(table, "blown")? {
        setup::blow(s, river("blown", label)?);
    }
    // `bridge = { "2020/2120" = "blown" }` of a map.
    for (n, side) in rules.field.river_sides.iter().enumerate() {
        if rules.map.bridge(*side).is_some_and(|bridge| bridge.state == atlas::BridgeState::Blown) {
            setup::blow(s, n as u16);
        }
    }
    match table.get("military_bridge") {
        None => {}
        Some(Value::Table(list)) => {
            for (label, side) in list {
                let n = river("military_bridge", label)?;
                let word = side.as_str().unwrap_or_default();
                // A side or nation, or the engineer that maintains it (34.3).
                let Some(purse) = purse_named(word) else {
                    let unit = rules.named(word);
                    let unit = unit.ok_or_else(|| bad(format!("military_bridge: what is `{word}`?")))?;
                    maintain(rules, s, n, unit);
                    continue;
                };
                s.crossings[usize::from(n)].military = Some(purse);
            }
        }
        Some(_) => {
            for label in list(table, "military_bridge")? {
                let n = river("military_bridge", label)?;
                s.crossings[usize::from(n)].military = Some(Purse::Wp);
            }
        }
    }
    if let Some(Value::Table(list)) = table.get("charges") {
        for (label, state) in list {
            let n = river("charges", label)?;
            s.crossings[usize::from(n)].charges = match state.as_str() {
                Some("ready") => Charges::Ready,
                Some("spent") => Charges::Spent,
                Some("cut") => Charges::Cut,
                _ => return Err(bad("charges: there is ready, spent, cut")),
            };
            let crossing = &mut s.crossings[usize::from(n)];
            crossing.crossed = crossing.charges == Charges::Cut;
        }
    }
    Ok(())
}

/// The nation whose Bridging Point a word means: NATO's is American unless a nation is named.
fn purse_named(word: &str) -> Option<Purse> {
    let nation = Purse::parse(&word.to_uppercase());
    nation.or_else(|| {
        side_named(word).map(|side| match side {
            Side::Wp => Purse::Wp,
            Side::Nato => Purse::Us,
        })
    })
}

/// The engineer is placed on the hexside and maintains the bridge.
fn maintain(rules: &Wurzburg, s: &mut State, n: u16, unit: crate::units::UnitId) {
    let crossing = &mut s.crossings[usize::from(n)];
    (crossing.military, crossing.engineer) = (Some(rules.counter(unit).nation.purse()), Some(unit));
    let banks = rules.banks(rules.field.river_sides[usize::from(n)]);
    s.put(unit, Place::Bridge, banks.first().copied().unwrap_or(HexId::NONE));
    s.unit_mut(unit).steps = 1;
}

/// `points = { wp = { air = 2 }, us = { adm = 1 } }`, `sam = { wp = 5 }`, `ew = ["39gmrd-hq-for"]`.
fn support_points(rules: &Wurzburg, table: &Table, s: &mut State) -> Result<(), SetupError> {
    if let Some(value) = table.get("points") {
        let Value::Table(list) = value else {
            return Err(bad("points: must be a table such as { wp = { air = 2 } }"));
        };
        for (name, kinds) in list {
            let purse = Purse::parse(&name.to_uppercase());
            let purse = purse.ok_or_else(|| bad("points: there is wp, us, wg, ca"))?;
            let kinds = kinds.as_table().ok_or_else(|| bad(format!("points.{name}: must be a table")))?;
            for (kind, value) in kinds {
                let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
                let n = n.ok_or_else(|| bad(format!("points.{name}.{kind}: must be a number")))?;
                let points = &mut s.points[purse.index()];
                *match PointKind::parse(kind) {
                    Some(PointKind::Air) => &mut points.air,
                    Some(PointKind::Mine) => &mut points.mine,
                    Some(PointKind::Adm) => &mut points.adm,
                    Some(PointKind::Bridging) => &mut points.bridging,
                    Some(PointKind::GasPersistent) => &mut points.gas_persistent,
                    Some(PointKind::GasNonPersistent) => &mut points.gas_non_persistent,
                    None => return Err(bad(format!("points.{name}: there are no points called {kind}"))),
                } = n;
            }
        }
    }
    if let Some(Value::Table(list)) = table.get("sam") {
        for (name, value) in list {
            let side = side_named(name).ok_or_else(|| bad("sam: there is wp, nato"))?;
            let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
            s.sides[side.index()].sam = n.ok_or_else(|| bad("sam: must be a number"))?;
        }
    }
    for name in list(table, "ew")? {
        let unit = rules.named(name).ok_or_else(|| bad(format!("ew: there is no HQ `{name}`")))?;
        let hq = s.hqs.get_mut(usize::from(rules.counter(unit).hq));
        hq.ok_or_else(|| bad(format!("ew: {name} is no HQ")))?.ew = Ew::Unused;
    }
    Ok(())
}

fn points(rules: &Wurzburg, table: &Table, s: &mut State) -> Result<(), SetupError> {
    support_points(rules, table, s)?;
    for (field, cp) in [("off_map_cp", true), ("off_map_rp", false)] {
        let Some(value) = table.get(field) else { continue };
        let Value::Table(list) = value else {
            return Err(bad(format!("{field}: must be a table such as {{ wp = 1, nato = 2 }}")));
        };
        for (name, value) in list {
            let side = side_named(name).ok_or_else(|| bad(format!("{field}: there is wp, nato")))?;
            let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
            let n = n.ok_or_else(|| bad(format!("{field}.{name}: must be a number")))?;
            let state = &mut s.sides[side.index()];
            *(if cp { &mut state.off_map_cp } else { &mut state.off_map_rp }) = n;
        }
    }
    for (field, cp) in [("cp", true), ("rp", false)] {
        let Some(value) = table.get(field) else { continue };
        let Value::Table(list) = value else {
            return Err(bad(format!("{field}: must be a table such as {{ \"3-3-hq\" = 1 }}")));
        };
        for (name, value) in list {
            let unit = rules.named(name).ok_or_else(|| bad(format!("{field}: there is no HQ `{name}`")))?;
            let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
            let n = n.ok_or_else(|| bad(format!("{field}.{name}: must be a number")))?;
            let hq = s.hqs.get_mut(usize::from(rules.counter(unit).hq));
            let hq = hq.ok_or_else(|| bad(format!("{field}: {name} is no HQ")))?;
            *(if cp { &mut hq.cp } else { &mut hq.rp }) = n;
        }
    }
    Ok(())
}

fn formation(rules: &Wurzburg, field: &str, name: &str) -> Result<FormationId, SetupError> {
    super::named::formation(rules, name)
        .ok_or_else(|| bad(format!("{field}: there is no formation `{name}`")))
}

fn formations(rules: &Wurzburg, table: &Table, s: &mut State, alone: bool) -> Result<(), SetupError> {
    let pairs = |field: &str| match table.get(field) {
        None => Ok(Vec::new()),
        Some(Value::Table(list)) => Ok(list
            .iter()
            .map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()))
            .collect::<Vec<_>>()),
        Some(_) => Err(bad(format!("{field}: must be a table"))),
    };
    for (name, to) in pairs("attached")? {
        s.formation_mut(formation(rules, "attached", &name)?).attached = formation(rules, "attached", &to)?;
    }
    for name in list(table, "shattered")? {
        s.formation_mut(formation(rules, "shattered", name)?).shattered = true;
    }
    if alone {
        // 12.4: every WP division starts with its chit.
        for n in 0..s.formations.len() {
            if rules.formations[n].main_effort && rules.in_play[n] {
                s.formations[n].chit = Chit::Held;
            }
        }
    }
    for (name, word) in pairs("effort")? {
        let id = formation(rules, "effort", &name)?;
        s.formation_mut(id).chit = match word.as_str() {
            "held" => Chit::Held,
            "laid" => Chit::Laid(s.turn),
            "next" => Chit::Laid(s.turn + 1),
            "shown" => Chit::Shown(s.turn),
            "spent" => Chit::Spent,
            _ => return Err(bad("effort: there is held, laid, next, shown, spent")),
        };
    }
    for (name, plan) in pairs("plan")? {
        let id = formation(rules, "plan", &name)?;
        let plan = plan.to_lowercase();
        let plan = crate::spelling::usual(&plan.split_whitespace().collect::<Vec<_>>()).join(" ");
        let (kind, payer) = plan.split_once(" by ").unwrap_or((&plan, ""));
        let kind = OpKind::read(kind.trim())
            .ok_or_else(|| bad(format!("plan.{name}: there is march, hasty, assault, reserve")))?;
        let payer = match payer.trim() {
            "" if kind == OpKind::March => Payer::None,
            "" | "off-map" => Payer::OffMap,
            "main-effort" => Payer::MainEffort,
            hq => {
                Payer::Hq(rules.named(hq).ok_or_else(|| bad(format!("plan.{name}: there is no HQ `{hq}`")))?)
            }
        };
        s.formation_mut(id).plan = Plan { kind, payer, executed: false };
    }
    for (name, label) in pairs("lead")? {
        let id = formation(rules, "lead", &name)?;
        // The marker lies on the Lead Unit, which may be named instead of its hex.
        let at = rules.named(&label).map(|unit| s.unit(unit).hex).filter(|at| at.some().is_some());
        s.formation_mut(id).lead = match at {
            Some(at) => at,
            None => hex(rules, "lead", &label)?,
        };
    }
    Ok(())
}

/// What has happened this turn: `activated`, `executed`, `entered`, and what is still available.
fn events_before(rules: &Wurzburg, table: &Table, s: &mut State) -> Result<(), SetupError> {
    for name in list(table, "activated")? {
        s.formation_mut(formation(rules, "activated", name)?).activated = true;
    }
    for name in list(table, "executed")? {
        s.formation_mut(formation(rules, "executed", name)?).plan.executed = true;
    }
    let numbers = |field: &str| -> Result<Vec<(String, u8)>, SetupError> {
        let Some(value) = table.get(field) else { return Ok(Vec::new()) };
        let list = value.as_table().ok_or_else(|| bad(format!("{field}: must be a table")))?;
        let read = |(key, value): (&String, &Value)| {
            let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
            n.map(|n| (key.clone(), n)).ok_or_else(|| bad(format!("{field}.{key}: must be a number")))
        };
        list.iter().map(read).collect()
    };
    for (label, count) in numbers("entered")? {
        s.entered.push((hex(rules, "entered", &label)?, count));
    }
    for (name, count) in numbers("smoke_markers")? {
        let side = side_named(&name).ok_or_else(|| bad("smoke_markers: there is wp, nato"))?;
        s.sides[side.index()].smoke = count;
    }
    match table.get("gas_used") {
        None | Some(Value::Boolean(false)) => {}
        // 44.2.3: WP has spent a Gas Point, for which NATO gets a Victory Point (44.7).
        Some(Value::Boolean(true)) => {
            s.sides[Side::Nato.index()].gas += u16::from(rules.tables.victory.gas_point_spent);
        }
        Some(other) => return Err(bad(format!("gas_used: must be true or false, not {other}"))),
    }
    let Some(value) = table.get("field_works") else { return Ok(()) };
    let sides = value
        .as_table()
        .ok_or_else(|| bad("field_works: must be a table such as { nato = { mine = 2 } }"))?;
    for (name, kinds) in sides {
        let side = side_named(name).ok_or_else(|| bad("field_works: there is wp, nato"))?;
        let kinds = kinds.as_table().ok_or_else(|| bad(format!("field_works.{name}: must be a table")))?;
        let works = &mut s.sides[side.index()].works;
        for (kind, value) in kinds {
            let n = value.as_integer().and_then(|n| u8::try_from(n).ok());
            let n = n.ok_or_else(|| bad(format!("field_works.{name}.{kind}: must be a number")))?;
            *match kind.as_str() {
                "improve" | "improved_position" => &mut works.improved,
                "obstacle" => &mut works.obstacles,
                "mine" => &mut works.mines,
                "dummy_mine" => &mut works.dummy_mines,
                "road_bridge" => &mut works.road_bridges,
                "autobahn_bridge" => &mut works.autobahn_bridges,
                _ => {
                    return Err(bad(
                        "field_works: there is improve, obstacle, mine, dummy_mine, road_bridge, autobahn_bridge",
                    ));
                }
            } = n;
        }
    }
    Ok(())
}

/// A regiment without a marker in the file has one on its first unit.
fn usual_leads(rules: &Wurzburg, s: &mut State) {
    for n in 0..s.formations.len() as u8 {
        let id = FormationId(n);
        if rules.planned(s, id) && s.formation(id).lead == HexId::NONE {
            let first = rules.units_of_formation(s, id).find(|unit| s.unit(*unit).on_map());
            if let Some(unit) = first {
                s.formation_mut(id).lead = s.unit(unit).hex;
            }
        }
    }
}

fn moment(rules: &Wurzburg, table: &Table, head: &Head, s: &State) -> Result<Moment, SetupError> {
    let active = match table.get("active") {
        None => None,
        Some(value) => {
            let name = value.as_str().unwrap_or_default();
            let id = formation(rules, "active", name)?;
            // A regiment means its division.
            Some(rules.cycle_of(s, id).unwrap_or(id))
        }
    };
    let side = head.side.and_then(side_named);
    let usual_active = || {
        let side = side.unwrap_or_default();
        let mut mine = rules.units_of(side).iter().copied().filter(|unit| s.unit(*unit).on_map());
        mine.find_map(|unit| rules.cycle_of(s, rules.counter(unit).formation))
    };
    let phase = head.phase.map(|phase| phase.trim().to_lowercase().replace([' ', '-'], "_"));
    let phase = phase.as_deref().map(|phase| {
        let ends = ["_segment", "_phase", "_step"];
        ends.into_iter().find_map(|end| phase.strip_suffix(end)).unwrap_or(phase)
    });
    let segment = |segment| match active.or_else(usual_active) {
        Some(formation) => Moment::Segment(formation, segment),
        None => Moment::Maneuver,
    };
    Ok(match phase {
        Some("planning" | "wp_planning") => Moment::Planning,
        Some("maneuver") if active.is_none() => Moment::Maneuver,
        Some("maneuver" | "operations" | "movement") | None => segment(Segment::Operations),
        Some(phase) if super::operation::is_fire(phase) => segment(Segment::Operations),
        Some("activation") => segment(Segment::Activation),
        Some("reconnaissance" | "recon") => segment(Segment::Reconnaissance),
        Some("strike" | "strikes") => segment(Segment::Strike),
        Some("demolition" | "bridge_demolition") => segment(Segment::BridgeDemolition),
        Some("contamination") => segment(Segment::Contamination),
        Some("setup" | "set-up" | "set_up") => Moment::Works(side.unwrap_or(Side::Nato)),
        Some("reserve") => Moment::Reserve(side.unwrap_or_default()),
        Some("engineering") => Moment::Before(Phase::Engineering),
        Some("reorganization" | "decontamination") => Moment::Before(Phase::Reorganization),
        Some("reinforcement") => Moment::Before(Phase::Reinforcement),
        Some("initiative") => Moment::Before(Phase::Maneuver),
        Some(other) => {
            return Err(SetupError::Unknown {
                what: "phase",
                name: other.to_owned(),
                known: "setup, reinforcement, planning, initiative, maneuver, activation, reconnaissance, strike, operations, demolition, contamination, reserve, engineering, reorganization"
                    .into(),
            });
        }
    })
}
