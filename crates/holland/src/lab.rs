//! Positions of lab files: units of the pack by id, on the game's own map.

use std::sync::Arc;

use kernel::lab::Head;
use kernel::{Erased, Setup, SetupError, Table};
use toml::Value;
use zocbond::MarkerAt;

use crate::frame::{Frame, Phase};
use crate::game::Holland44;
use crate::pack::{Side, Weather};
use crate::state::{Bridge, Marks, Order, Place, State};
use crate::world::Holland;

fn bad(why: impl Into<String>) -> SetupError {
    SetupError::Bad(why.into())
}

fn unknown(what: &'static str, name: &str, known: &str) -> SetupError {
    SetupError::Unknown { what, name: name.into(), known: known.into() }
}

const PHASES: [Phase; 7] = [
    Phase::Replacement,
    Phase::Artillery,
    Phase::Bridge,
    Phase::Airlanding,
    Phase::Movement,
    Phase::Combat,
    Phase::Traffic,
];

pub fn open(game: &Holland44, head: &toml::Table) -> Result<Box<dyn Table>, SetupError> {
    let fields = Head::read(head)?;
    fields.only(&["weather", "unknown", "bridges", "traffic", "airlanding_points", "air", "control"])?;
    let scenario = fields.scenario.unwrap_or("campaign").to_owned();
    let rules = game.rules(&Setup { game: "holland44".into(), scenario, ..Setup::default() })?;
    let mut s = rules.first_state();
    let empty = !fields.units.is_empty();
    if empty {
        for unit in rules.units() {
            rules.take_off(&mut s, unit, Place::Aside);
            s.unit_mut(unit).lost = 0;
        }
        s.unknown = hexgrid::HexSet::new();
    }
    if let Some(turn) = fields.turn {
        if turn == 0 || turn > rules.pack.turns.len() as u16 {
            return Err(bad(format!("turn: {turn} is not from 1 to {}", rules.pack.turns.len())));
        }
        s.turn = turn as u8;
    }
    if let Some(name) = head.get("weather").and_then(Value::as_str) {
        let weather = Weather::ALL.into_iter().find(|w| w.key() == name);
        s.weather = [weather.ok_or_else(|| unknown("weather", name, "clear, cloudy, overcast"))?; 2];
    }
    for label in head.get("unknown").and_then(Value::as_array).into_iter().flatten() {
        let hex = rules.map.hex(label.as_str().unwrap_or_default()).map_err(|e| bad(e.to_string()))?;
        s.unknown.insert(hex);
        for unit in rules.units().filter(|u| rules.pack.unknown.units.contains(&rules.counter(*u).id)) {
            if s.unit(unit).at() == Place::Aside {
                rules.put(&mut s, unit, Place::Unknown);
            }
        }
    }
    for unit in &fields.units {
        place(&rules, &mut s, unit)?;
    }
    if let Some(bridges) = head.get("bridges").and_then(Value::as_table) {
        for (label, state) in bridges {
            let side = rules.map.board.find_side(label).map_err(|e| bad(e.to_string()))?;
            let at = rules.land.bridges.iter().position(|b| b.side == side);
            let at = at.ok_or_else(|| bad(format!("no bridge at {label}")))?;
            let to = match state.as_str().unwrap_or_default() {
                "intact" => Bridge::Intact,
                "wired" => Bridge::Wired,
                "intact_allied" => Bridge::IntactAllied,
                "blown" => Bridge::Blown,
                other => return Err(unknown("bridge", other, "intact, wired, intact_allied, blown")),
            };
            rules.set_bridge(&mut s, at as u16, to);
        }
    }
    if let Some(traffic) = head.get("traffic").and_then(Value::as_array) {
        for (i, label) in traffic.iter().take(6).enumerate() {
            let hex = rules.map.hex(label.as_str().unwrap_or_default()).map_err(|e| bad(e.to_string()))?;
            s.traffic[i] = MarkerAt(hex);
        }
    }
    if let Some(control) = head.get("control").and_then(Value::as_table) {
        for (label, name) in control {
            let hex = rules.map.hex(label).map_err(|e| bad(e.to_string()))?;
            let side = side_named(name.as_str().unwrap_or_default())?;
            s.field.set_control(hex, side);
            if side == Side::Allied {
                s.taken.insert(hex);
            }
        }
    }
    let side = fields.side.map_or(Ok(Side::Allied), side_named)?;
    let name = fields.phase.unwrap_or("movement");
    let phase = PHASES
        .into_iter()
        .find(|p| p.key() == name)
        .ok_or_else(|| unknown("phase", name, &PHASES.map(Phase::key).join(", ")))?;
    s.frames = vec![Frame::Phase(side, phase)];
    s.points = rules.landing_points(&s);
    s.left = rules.pack.tables.artillery.german_ready;
    let air = rules.pack.tables.weather.air_support;
    s.air = rules.weather(&s).map_or(0, |w| air.of(w));
    let table = rules.pack.tables.artillery;
    s.moved_markers = [table.moved_markers.allied, table.moved_markers.german];
    let number = |key: &str| head.get(key).and_then(Value::as_integer).and_then(|n| u8::try_from(n).ok());
    if let Some(points) = number("airlanding_points") {
        s.points = points;
    }
    if let Some(air) = number("air") {
        s.air = air;
    }
    Ok(Box::new(Erased::new(Arc::clone(&rules), s)))
}

fn side_named(name: &str) -> Result<Side, SetupError> {
    Side::ALL.into_iter().find(|s| s.key() == name).ok_or_else(|| unknown("side", name, "allied, german"))
}

/// `[[unit]]`: `id`, `hex` (or `at` = a box: `airlanding`, `holding`, `box:A`), `steps_lost`, `state`.
fn place(rules: &Holland, s: &mut State, table: &toml::Table) -> Result<(), SetupError> {
    let text = |name: &str| table.get(name).and_then(Value::as_str);
    let id = text("id").ok_or_else(|| bad("unit: `id` is missing"))?;
    let unit = rules.unit_named(id).ok_or_else(|| unknown("unit", id, "the units of packs/holland44"))?;
    let at = text("hex").or(text("at")).ok_or_else(|| bad(format!("unit {id}: `hex` is missing")))?;
    let to = match at {
        "airlanding" => Place::Airlanding,
        "holding" => Place::Holding,
        "dead" => Place::Dead,
        _ => match at.strip_prefix("box:") {
            Some(area) => {
                let i = rules.pack.areas.iter().position(|a| a.id == area);
                Place::Box(i.ok_or_else(|| unknown("area", area, "A to O"))? as u8)
            }
            None => Place::Hex(rules.map.hex(at).map_err(|e| bad(e.to_string()))?),
        },
    };
    rules.put(s, unit, to);
    if let Some(lost) = table.get("steps_lost").and_then(Value::as_integer) {
        s.unit_mut(unit).lost =
            u8::try_from(lost).ok().filter(|n| *n < rules.counter(unit).sides).ok_or_else(|| {
                bad(format!("unit {id}: steps_lost = {lost}: at most {}", rules.counter(unit).sides - 1))
            })?;
    }
    for word in table.get("state").and_then(Value::as_array).into_iter().flatten() {
        let u = s.unit_mut(unit);
        match word.as_str().unwrap_or_default() {
            "engaged" => u.mark(Marks::ENGAGED, true),
            "scattered" => u.mark(Marks::SCATTERED, true),
            "spent" => u.mark(Marks::SPENT, true),
            "fired" => u.mark(Marks::FIRED, true),
            "repl" => u.mark(Marks::REPL, true),
            "moved" => u.mark(Marks::MOVED, true),
            "on_enemy" => u.mark(Marks::ON_ENEMY, true),
            "out_of_supply" => u.oos = 1,
            "out_of_supply_2" => u.oos = 2,
            "disrupted" => rules.set_order(s, unit, Order::Disrupted),
            "full_retreat" => rules.set_order(s, unit, Order::FullRetreat),
            other => {
                let known = "engaged, scattered, spent, fired, repl, moved, on_enemy, out_of_supply, out_of_supply_2, \
                             disrupted, full_retreat";
                return Err(unknown("state", other, known));
            }
        }
    }
    Ok(())
}
