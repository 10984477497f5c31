//! Messages and facts of works, buildings, mines and fires.

use kernel::Message;
use serde_json::{Value, json};

use crate::{event::Event, pack::Side, report_advanced::outcome_key, rules::Panzer, units::UnitId};

/// The side, the message and the facts of an event.
pub fn line(rules: &Panzer, event: &Event) -> (Option<Side>, Message, Value) {
    let id = |unit: UnitId| rules.id(unit).to_owned();
    let of = |unit: UnitId| Some(rules.vehicle(unit).side);
    let about = |key: &'static str, unit: UnitId| Message::new(key).unit("unit", id(unit));
    let label = |hex| rules.field.label(hex).to_owned();
    match *event {
        Event::SettledIn { unit, kind } => {
            let message = about("log.settled_in", unit).term("work", format!("work.{}", kind.key()));
            (of(unit), message, json!({ "kind": "settled_in", "unit": id(unit), "work": kind.key() }))
        }
        Event::WorkGone { hex, kind } => {
            let message = Message::new("log.work_gone")
                .place("hex", label(hex))
                .term("work", format!("work.{}", kind.key()));
            (None, message, json!({ "kind": "work_gone", "hex": label(hex), "work": kind.key() }))
        }
        Event::Dug { unit, hex, progress, complete } => {
            let key = if complete { "log.dug" } else { "log.digs" };
            let message = about(key, unit).place("hex", label(hex)).number("progress", progress);
            let data = json!({ "kind": "dig", "unit": id(unit), "hex": label(hex), "progress": progress,
                               "complete": complete });
            (of(unit), message, data)
        }
        Event::DoorTest { unit, roll, total, most, harmed } => {
            let key = if harmed { "log.door_harm" } else { "log.door_safe" };
            let message = about(key, unit).number("total", total).number("most", most);
            let data = json!({ "kind": "building", "unit": id(unit), "roll": roll, "total": total,
                               "hit_max": most, "harmed": harmed });
            (of(unit), message, data)
        }
        Event::Door { unit, inside, cost } => {
            let key = if inside { "log.door_in" } else { "log.door_out" };
            (
                of(unit),
                about(key, unit),
                json!({ "kind": "door", "unit": id(unit), "inside": inside, "cost": cost }),
            )
        }
        Event::Floor { unit, up, cost } => {
            let key = if up { "log.floor_up" } else { "log.floor_down" };
            (of(unit), about(key, unit), json!({ "kind": "floor", "unit": id(unit), "up": up, "cost": cost }))
        }
        Event::TerrainAttacked { hex, target, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.terrain.{}", outcome_key(outcome)))
                .place("hex", label(hex))
                .term("work", format!("work.{}", target.key()))
                .number("total", total);
            let data = json!({ "kind": "terrain", "hex": label(hex), "terrain": target.key(), "gpf": gpf,
                               "gpd": gpd, "net": net, "roll": roll, "total": total,
                               "outcome": outcome_key(outcome) });
            (None, message, data)
        }
        Event::TerrainDestroyed { hex, target } => {
            let message = Message::new("log.terrain_destroyed")
                .place("hex", label(hex))
                .term("work", format!("work.{}", target.key()));
            (
                None,
                message,
                json!({ "kind": "terrain_destroyed", "hex": label(hex), "terrain": target.key() }),
            )
        }
        Event::Dust { hex } => {
            let message = Message::new("log.dust").place("hex", label(hex));
            (None, message, json!({ "kind": "dust", "hex": label(hex) }))
        }
        Event::FireStarted { hex } => {
            let message = Message::new("log.fire_started").place("hex", label(hex));
            (None, message, json!({ "kind": "fire_started", "hex": label(hex) }))
        }
        Event::Mined { unit, hex, gpf, gpd, roll, outcome } => {
            let message = Message::new(format!("log.mined.{}", outcome_key(outcome)))
                .unit("unit", id(unit))
                .place("hex", label(hex));
            let data = json!({ "kind": "mines", "unit": id(unit), "hex": label(hex), "gpf": gpf, "gpd": gpd,
                               "roll": roll, "total": roll, "outcome": outcome_key(outcome) });
            (of(unit), message, data)
        }
        Event::Uncovered { unit, hex, facing } => {
            let message = about("log.uncovered", unit).place("hex", label(hex));
            let facing = crate::notation::facing_name(facing);
            let data = json!({ "kind": "uncover", "unit": id(unit), "to": label(hex), "facing": facing });
            (of(unit), message, data)
        }
        Event::MinesFound { hex } => {
            let message = Message::new("log.mines_found").place("hex", label(hex));
            (None, message, json!({ "kind": "mines_found", "hex": label(hex) }))
        }
        Event::Cleared { unit, hex, done } => {
            let key = if done { "log.mines_cleared" } else { "log.mines_clearing" };
            let message = about(key, unit).place("hex", label(hex));
            (
                of(unit),
                message,
                json!({ "kind": "clearing", "unit": id(unit), "hex": label(hex), "done": done }),
            )
        }
        _ => crate::report_air::line(rules, event),
    }
}
