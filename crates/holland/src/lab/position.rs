//! Setting up the position of a lab file: units, markers, control, and the point in the sequence of play.

use hexgrid::{HexId, HexSet};
use kernel::SetupError;
use kernel::lab::Head;
use toml::Value;
use zocbond::{MarkerAt, Piece, UnitId};

use super::{Moment, bad, map::Written, side_named, unit::PieceDef, unknown};
use crate::frame::{Frame, Phase};
use crate::pack::{Side, Weather};
use crate::state::{Bridge, Marks, Order, Place, State};
use crate::world::Holland;

/// What a written map says about supply and banks.
pub fn bind_land(rules: &mut Holland, written: &Written) -> Result<(), SetupError> {
    let hexes = |list: &[String]| -> Result<Vec<HexId>, SetupError> {
        list.iter().map(|h| rules.map.hex(h).map_err(|e| bad(e.to_string()))).collect()
    };
    let banks = [hexes(&written.banks[0])?, hexes(&written.banks[1])?];
    let mut sources = Vec::new();
    for (side, list) in Side::ALL.into_iter().zip(&written.supply) {
        let entries = rules.land.areas.iter().any(|a| a.side == side && !a.hexes.is_empty());
        sources.push(match list {
            Some(list) => Some(hexes(list)?),
            None if entries => None,
            None => Some(Vec::new()),
        });
    }
    for (side, list) in Side::ALL.into_iter().zip(&written.supply) {
        let entries = rules.land.areas.iter().any(|a| a.side == side && !a.hexes.is_empty());
        rules.always_supplied[side.index()] = list.is_none() && !entries;
    }
    rules.lab_sources = [sources[0].take(), sources[1].take()];
    rules.sources = rules.all_sources();
    rules.land.north_of_waal.extend(banks[0].iter().copied().chain(banks[1].iter().copied()));
    rules.land.north_of_rhine.extend(banks[1].iter().copied());
    Ok(())
}

/// Rename pool counters to the ids that the file gives them.
pub fn rename_pool(rules: &mut Holland, pieces: &[PieceDef]) -> Result<(), SetupError> {
    for piece in pieces {
        let Some(counter) = piece.pool.as_ref().filter(|id| **id != piece.id) else { continue };
        if rules.unit_named(&piece.id).is_some() {
            return Err(bad(format!("unit {}: there is such a unit already", piece.id)));
        }
        if let Some(c) = rules.counters.iter_mut().find(|c| c.id == *counter) {
            c.id.clone_from(&piece.id);
        }
    }
    Ok(())
}

/// An empty position for the rules.
fn blank(rules: &Holland) -> State {
    let mut s = rules.first_state();
    for unit in rules.units() {
        rules.take_off(&mut s, unit, Place::Aside);
        s.unit_mut(unit).lost = 0;
        s.unit_mut(unit).parent = None;
    }
    s.unknown = HexSet::new();
    s
}

pub fn lay(
    rules: &Holland,
    head: &Head,
    table: &toml::Table,
    written: &Written,
    pieces: &[PieceDef],
    at: Moment,
    inline: bool,
) -> Result<State, SetupError> {
    let deployed = head.scenario.is_some() || pieces.is_empty() && !inline;
    let mut s = if deployed { rules.first_state() } else { blank(rules) };
    s.turn = at.turn;
    if let Some(weather) = table.get("weather") {
        s.weather = weather_of(weather)?;
    }
    let hex = |label: &str| rules.map.hex(label).map_err(|e| bad(e.to_string()));
    let listed = |name: &str, also: &[String]| -> Result<Vec<String>, SetupError> {
        let mut all: Vec<String> = also.to_vec();
        let wrong = || bad(format!("{name}: a list of words"));
        match table.get(name) {
            None | Some(Value::Table(_)) => {}
            Some(Value::String(one)) => all.push(one.clone()),
            Some(Value::Array(list)) => {
                for word in list {
                    all.push(word.as_str().ok_or_else(wrong)?.to_owned());
                }
            }
            Some(_) => return Err(wrong()),
        }
        Ok(all)
    };
    for label in listed("unknown", &written.unknown)? {
        s.unknown.insert(hex(&label)?);
    }
    // `{ "2010" = "garrison" }`: this counter lies there.
    let named = table.get("unknown").and_then(Value::as_table);
    let hidden = s.unknown.is_empty() && pieces.iter().any(PieceDef::is_unknown);
    if named.is_some() || hidden {
        s.garrisons = 0;
    }
    for (label, name) in named.into_iter().flatten() {
        let at = hex(label)?;
        s.unknown.insert(at);
        let unit = match name.as_str().unwrap_or_default() {
            "garrison" => {
                s.garrisons += 1;
                None
            }
            id => {
                let unit =
                    rules.unit_named(id).ok_or_else(|| unknown("unit", id, "garrison, the counters"))?;
                rules.put(&mut s, unit, Place::Unknown);
                Some(unit)
            }
        };
        if !s.dealt.0.push((at, unit)) {
            return Err(bad("unknown: there are not so many counters")); // 25.1
        }
    }
    s.looked = match table.get("looked") {
        None => false,
        Some(told) => told.as_bool().ok_or_else(|| bad("looked: true or false"))?,
    };
    if !s.unknown.is_empty() && named.is_none() {
        for unit in rules.units().filter(|u| rules.pack.unknown.units.contains(&rules.counter(*u).id)) {
            if s.unit(unit).at() == Place::Aside {
                rules.put(&mut s, unit, Place::Unknown);
            }
        }
    }
    if inline {
        for h in &rules.land.in_play {
            let named = rules.map.control(h).map(|f| rules.map.factions[f.0 as usize].as_str());
            if named == Some("allied") {
                s.field.set_control(h, Side::Allied);
            }
        }
    }
    for piece in pieces {
        place(rules, &mut s, piece).map_err(|e| bad(format!("unit {}: {e}", piece.id)))?;
    }
    if deployed {
        land_the_first(rules, &mut s, at);
    }
    if inline {
        claim(rules, &mut s);
        for i in 0..rules.land.bridges.len() {
            let b = &rules.land.bridges[i];
            *s.field.bridge_mut(i) = if b.blown_at_start {
                Bridge::Blown
            } else if b.can_be_blown {
                Bridge::Wired
            } else {
                Bridge::Intact
            };
        }
    }
    let bridges = table.get("bridges").and_then(Value::as_table).into_iter().flatten();
    let bridges = bridges.map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()));
    for (label, state) in written.bridges.clone().into_iter().chain(bridges) {
        set_bridge(rules, &mut s, &label, &state, at.side)?;
    }
    for bridge in 0..rules.land.bridges.len() as u16 {
        let repaired = matches!(s.field.bridge(bridge.into()), Bridge::Repair(..));
        if repaired && rules.column_at(&s, bridge) {
            rules.set_bridge(&mut s, bridge, Bridge::Repair(Side::Allied, 1));
            s.by_column.add(bridge); // 5.8
        }
    }
    for (label, number) in table.get("traffic").and_then(Value::as_table).into_iter().flatten() {
        let number = number.as_integer().and_then(|n| usize::try_from(n - 1).ok());
        let slot = number.and_then(|n| s.traffic.get_mut(n));
        *slot.ok_or_else(|| bad("traffic: markers are numbered from 1 to 6"))? = MarkerAt(hex(label)?);
    }
    for (i, label) in listed("traffic", &written.traffic)?.iter().enumerate() {
        let slot = s.traffic.get_mut(i).ok_or_else(|| bad("traffic: there are six markers"))?;
        *slot = MarkerAt(hex(label)?);
    }
    let control = table.get("control").and_then(Value::as_table).into_iter().flatten();
    let control = control.map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()));
    for (label, name) in written.control.clone().into_iter().chain(control) {
        let (at, side) = (hex(&label)?, side_named(&name)?);
        s.field.set_control(at, side);
    }
    rules.note_places(&mut s);
    for label in listed("attacked", &[])? {
        s.attacked.insert(hex(&label)?);
    }
    for (name, cut) in [("resupplied", false), ("out_of_supply", true)] {
        for id in listed(name, &[])? {
            let unit = supply_head(rules, &id)?;
            let list = if cut { &mut s.cut_off } else { &mut s.resupplied };
            if !list.contains(unit) && !list.push(unit) {
                return Err(SetupError::Bad(format!("{name}: too many units")));
            }
        }
    }
    s.landed_today = match table.get("landed_today") {
        None => false,
        Some(told) => told.as_bool().ok_or_else(|| bad("landed_today: true or false"))?,
    };
    // Units that start adjacent to an Unknown unit have not triggered it before.
    s.frames = vec![Frame::Phase(at.side, at.phase)];
    s.unopened = true;
    begin(rules, &mut s, table, at)?;
    Ok(s)
}

/// `"clear"` for the whole day, or both halves: `["clear", "overcast"]`, `{ am = "clear", pm = "overcast" }`.
fn weather_of(value: &Value) -> Result<[Weather; 2], SetupError> {
    let named = |value: Option<&Value>| {
        let name = value.and_then(Value::as_str).unwrap_or_default();
        let weather = Weather::ALL.into_iter().find(|w| name.trim().eq_ignore_ascii_case(w.key()));
        weather.ok_or_else(|| unknown("weather", name, "clear, cloudy, overcast"))
    };
    match value {
        Value::Array(halves) => Ok([named(halves.first())?, named(halves.get(1))?]),
        // A half that is not named is like the other one.
        Value::Table(halves) => {
            let (am, pm) = (halves.get("am"), halves.get("pm"));
            Ok([named(am.or(pm))?, named(pm.or(am))?])
        }
        one => Ok([named(Some(one))?; 2]),
    }
}

/// A small number: written as one, or for one side as `{ german = 3 }`.
fn number(table: &toml::Table, key: &str, side: Side) -> Result<Option<u8>, SetupError> {
    let Some(value) = table.get(key) else { return Ok(None) };
    let value = match value {
        Value::Table(sides) => match sides.get(side.key()) {
            Some(value) => value,
            None => return Ok(None),
        },
        value => value,
    };
    let written = value.as_integer().and_then(|n| u8::try_from(n).ok());
    let read = written.or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()));
    read.map(Some).ok_or_else(|| bad(format!("{key}: a number from 0 to 255")))
}

/// A Supply Head by its own name or that of its division (22.6).
fn supply_head(rules: &Holland, name: &str) -> Result<UnitId, SetupError> {
    let of = rules.pack.formations.iter().find(|f| f.id == name).and_then(|f| f.supply_head.as_deref());
    let head = rules.unit_named(of.unwrap_or(name));
    head.filter(|unit| rules.counter(*unit).supply_head_piece).ok_or_else(|| {
        let heads = rules.counters.iter().filter(|c| c.supply_head_piece).map(|c| c.id.as_str());
        let divisions =
            rules.pack.formations.iter().filter(|f| f.supply_head.is_some()).map(|f| f.id.as_str());
        unknown("Supply Head", name, &heads.chain(divisions).collect::<Vec<_>>().join(", "))
    })
}

/// 22.8: after the Airlanding Phase of turn 1 the first units stand where the set-up card puts them.
fn land_the_first(rules: &Holland, s: &mut State, at: Moment) {
    let order = |phase: Phase| Phase::ALL.iter().position(|p| *p == phase);
    let before = at.side == Side::Allied && order(at.phase) <= order(Phase::Airlanding);
    if s.turn > 1 || before {
        return;
    }
    for unit in rules.units() {
        let open = |hex: &HexId| !s.field.held(Side::German).contains(*hex) && rules.fits(s, unit, *hex);
        if s.unit(unit).at() == Place::Airlanding
            && let Some(hex) = rules.first_hexes(unit).iter().copied().find(open)
        {
            rules.put(s, unit, Place::Hex(hex));
            s.unit_mut(unit).mark(Marks::LANDED, at.side == Side::Allied);
        }
    }
}

/// What the phase has when it begins.
fn begin(rules: &Holland, s: &mut State, table: &toml::Table, at: Moment) -> Result<(), SetupError> {
    let held = at.phase == Phase::Airlanding && s.landed_today; // 22.1: one a day
    s.points = if held { 0 } else { rules.landing_points(s) };
    s.left = match at.phase {
        Phase::Replacement => rules.replacement_steps(s, at.side),
        _ => rules.pack.tables.artillery.german_ready,
    };
    s.air = rules.air_markers(s);
    let moved = rules.pack.tables.artillery.moved_markers;
    s.moved_markers = [moved.allied, moved.german];
    let number = |key: &str| number(table, key, at.side);
    if let Some(points) = number("airlanding_points")? {
        s.points = points;
    }
    // Air support is available if the file names weather or air, or starts from a scenario.
    if !["weather", "scenario"].iter().any(|key| table.contains_key(*key)) {
        s.air = 0;
    }
    if let Some(air) = number("air")? {
        s.air = air;
    }
    if let Some(steps) = number("replacements")? {
        s.left = steps;
    }
    if let Some(garrisons) = number("garrisons")? {
        s.garrisons = garrisons;
    }
    Ok(())
}

/// Hexes whose control a written map does not state belong to the side of the nearest unit (18.6 knows only who was
/// there last).
fn claim(rules: &Holland, s: &mut State) {
    let own: Vec<[Vec<HexId>; 1]> = Side::ALL
        .iter()
        .map(|side| {
            let mut at: Vec<HexId> = s.field.held(*side).iter().collect();
            at.extend(rules.lab_sources[side.index()].iter().flatten());
            [at]
        })
        .collect();
    let far = |side: Side, hex: HexId| {
        own[side.index()][0].iter().map(|h| rules.map.board.distance(*h, hex)).min().unwrap_or(u32::MAX)
    };
    for hex in &rules.land.in_play {
        if rules.map.control(hex).is_none()
            && !s.field.held(Side::German).contains(hex)
            && far(Side::Allied, hex) < far(Side::German, hex)
        {
            s.field.set_control(hex, Side::Allied);
        }
    }
}

fn set_bridge(
    rules: &Holland,
    s: &mut State,
    label: &str,
    state: &str,
    side: Side,
) -> Result<(), SetupError> {
    let at = rules.map.board.find_side(label).map_err(|e| bad(e.to_string()))?;
    let at = rules.land.bridges.iter().position(|b| b.side == at);
    let at = at.ok_or_else(|| bad(format!("no bridge at {label}")))?;
    let to = match state {
        "" => return Ok(()), // according to its water (5.1, 5.2)
        "intact" | "standing" | "unwired" => Bridge::Intact,
        "wired" => Bridge::Wired,
        "to_be_wired" => Bridge::ToBeWired,
        "intact_allied" | "allied" => Bridge::IntactAllied,
        "blown" | "destroyed" => Bridge::Blown,
        "under_construction" | "under_repair" | "repair" => Bridge::Repair(side, 1),
        other => {
            let known = "intact, wired, to_be_wired, intact_allied, blown, under_repair";
            return Err(unknown("bridge", other, known));
        }
    };
    rules.set_bridge(s, at as u16, to);
    Ok(())
}

/// A hex, a box or a pile.
fn place_named(rules: &Holland, at: &str) -> Result<Place, String> {
    Ok(match at {
        "airlanding" | "pool" | "landing" | "air" => Place::Airlanding,
        "holding" | "406" => Place::Holding,
        "dead" => Place::Dead,
        "due" => Place::Coming,
        "aside" => Place::Aside,
        "unknown" => Place::Unknown,
        _ => match at.strip_prefix("box:") {
            Some(area) => {
                let i = rules.pack.areas.iter().position(|a| a.id.eq_ignore_ascii_case(area));
                Place::Box(i.ok_or_else(|| format!("no area `{area}`"))? as u8)
            }
            None => {
                let hex = rules.map.hex(at).map_err(|e| e.to_string())?;
                if !rules.land.in_play.contains(hex) {
                    return Err(format!("{at} is not in play"));
                }
                Place::Hex(hex)
            }
        },
    })
}

fn place(rules: &Holland, s: &mut State, piece: &PieceDef) -> Result<(), String> {
    let unit = rules.unit_named(&piece.id).ok_or("no such unit")?;
    match &piece.at {
        Some(at) => {
            let to = place_named(rules, at)?;
            if let (Place::Hex(hex), true) = (to, piece.is_unknown()) {
                s.unknown.insert(hex);
                rules.put(s, unit, Place::Unknown);
                return Ok(());
            }
            if let Place::Hex(hex) = to {
                make_room(rules, s, unit, hex, piece);
            }
            rules.put(s, unit, to);
        }
        None if s.unit(unit).at() == Place::Aside => return Err("`hex` is missing".into()),
        None => {}
    }
    if piece.steps_lost > 0 {
        if piece.steps_lost >= rules.counter(unit).sides {
            return Err(format!("steps_lost: at most {}", rules.counter(unit).sides - 1));
        }
        s.unit_mut(unit).lost = piece.steps_lost;
    }
    if let Some(parent) = &piece.parent {
        let parent = rules.unit_named(parent).ok_or_else(|| format!("parent: no unit `{parent}`"))?;
        s.unit_mut(unit).parent = Some(parent);
    }
    for word in &piece.states {
        set_state(rules, s, unit, word)?;
    }
    if let Some(hex) = s.unit(unit).hex() {
        zocbond::board::reassess(rules, &mut s.field, hex);
    }
    Ok(())
}

/// Units of the other side that the scenario placed in the hex are removed, unless the unit landed on them.
fn make_room(rules: &Holland, s: &mut State, unit: UnitId, hex: HexId, piece: &PieceDef) {
    if piece.states.iter().any(|w| w == "on_enemy" || w == "landed_on_enemy") {
        return;
    }
    let side = rules.counter(unit).side;
    let others: Vec<UnitId> = s
        .field
        .stack(hex)
        .filter(|u| rules.counter(*u).side != side && !s.unit(*u).has(Marks::ON_ENEMY))
        .collect();
    for other in others {
        rules.take_off(s, other, Place::Aside);
    }
}

fn set_state(rules: &Holland, s: &mut State, unit: UnitId, word: &str) -> Result<(), String> {
    let (name, target) = word.split_once(':').map_or((word, None), |(n, t)| (n, Some(t)));
    let mark = match name {
        "engaged" | "eng" => Marks::ENGAGED,
        "scattered" => Marks::SCATTERED,
        "spent" => Marks::SPENT,
        "fired" => Marks::FIRED,
        "repl" | "replaced" | "replacement" => Marks::REPL,
        "moved" => Marks::MOVED,
        "gun_moved" | "prime_mover" | "moved_marker" | "artillery_moved" => Marks::GUN_MOVED,
        "on_enemy" | "landed_on_enemy" => Marks::ON_ENEMY,
        "landed" | "landed_this_turn" => Marks::LANDED,
        "entered" => Marks::ENTERED,
        "depleted" => Marks::DEPLETED,
        "free" => Marks::FREE,
        "dismounted" => Marks::DISMOUNTED,
        "retreated" => Marks::RETREATED,
        "fled" => Marks::FLED,
        "attacked" => Marks::ATTACKED,
        "ready" | "good_order" => {
            s.unit_mut(unit).mark(Marks::FIRED, false);
            return Ok(());
        }
        "oos" | "out_of_supply" | "oos_1" | "oos1" => {
            s.unit_mut(unit).oos = 1;
            return Ok(());
        }
        "oos_2" | "oos2" | "oos level 2" | "level_2" | "out_of_supply_2" => {
            s.unit_mut(unit).oos = 2;
            return Ok(());
        }
        "disrupted" => {
            rules.set_order(s, unit, Order::Disrupted);
            return Ok(());
        }
        "full_retreat" | "routed" | "broken" => {
            rules.set_order(s, unit, Order::FullRetreat);
            return Ok(());
        }
        "ferry" => {
            let from = s.unit(unit).hex().ok_or("state: ferry is for units on the map")?;
            let side = target.ok_or("state: ferry:HEX names the hex it points at")?;
            let to = rules.map.hex(side).map_err(|e| e.to_string())?;
            let d = rules.land.topology.direction(from, to).ok_or("state: ferry: the hexes do not touch")?;
            rules.set_ferry(s, unit, Some(rules.map.board.side(from, d)));
            return Ok(());
        }
        other => {
            return Err(format!(
                "state: unknown state `{other}`; there is disrupted, full_retreat, engaged, scattered, spent, fired, repl, \
                 reduced, moved, gun_moved, on_enemy, landed, depleted, dismounted, ferry:HEX, oos, oos_2, free"
            ));
        }
    };
    s.unit_mut(unit).mark(mark, true);
    Ok(())
}
