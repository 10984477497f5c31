//! Messages and facts of aircraft events.

use kernel::Message;
use serde_json::{Value, json};

use crate::{
    event::Event, notation::facing_name, pack::Side, report_advanced::outcome_key, rules::Panzer,
    units::UnitId,
};

/// The side, the message and the facts of an event.
pub fn line(rules: &Panzer, event: &Event) -> (Option<Side>, Message, Value) {
    let id = |unit: UnitId| rules.id(unit).to_owned();
    let of = |unit: UnitId| Some(rules.vehicle(unit).side);
    let side = rules.air_side();
    let name = |craft: u8| rules.craft_label(craft);
    let about = |key: &'static str, craft: u8| Message::new(key).text("craft", rules.craft_title(craft));
    let label = |hex| rules.field.label(hex).to_owned();
    match *event {
        Event::TookOff { craft, hex, facing } => {
            let message = about("log.air_enters", craft).place("hex", label(hex));
            let data = json!({ "kind": "fly", "aircraft": name(craft), "hex": label(hex),
                               "facing": facing_name(facing) });
            (side, message, data)
        }
        Event::FlewTo { craft, hex } => (
            side,
            about("log.air_on", craft).place("hex", label(hex)),
            json!({ "kind": "flies", "aircraft": name(craft), "hex": label(hex) }),
        ),
        Event::FlewOff { craft, edge } => (
            side,
            about("log.air_leaves", craft),
            json!({ "kind": "flew_off", "aircraft": name(craft), "edge": edge.key() }),
        ),
        Event::Acquires { craft, target, count, needed } => {
            let message = about("log.air_acquires", craft)
                .unit("target", id(target))
                .number("count", count)
                .number("needed", needed);
            let data = json!({ "kind": "acquire", "aircraft": name(craft), "target": id(target),
                               "count": count, "needed": needed, "acquired": count >= needed });
            (side, message, data)
        }
        Event::FoSpots { unit, target } => {
            let message = Message::new("log.fo_spots").unit("unit", id(unit)).unit("target", id(target));
            (of(unit), message, json!({ "kind": "fo_spots", "unit": id(unit), "target": id(target) }))
        }
        Event::AirStrike { craft, arms, hex, dive } => {
            let message = about("log.air_strike", craft)
                .place("hex", label(hex))
                .term("arms", format!("arms.{}", arms.key()));
            let data = json!({ "kind": "air_strike", "aircraft": name(craft), "hex": label(hex),
                               "weapon": arms.key(), "dive": dive });
            (side, message, data)
        }
        Event::AirAttack { craft, target, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.air.{}", outcome_key(outcome)))
                .text("craft", rules.craft_title(craft))
                .unit("target", id(target))
                .number("total", total);
            let data = json!({ "kind": "air", "aircraft": name(craft), "target": id(target), "gpf": gpf,
                               "gpd": gpd, "net": net, "roll": roll, "total": total,
                               "outcome": outcome_key(outcome) });
            (side, message, data)
        }
        Event::AaFire { unit, craft, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.aa.{}", outcome_key(outcome)))
                .unit("unit", id(unit))
                .text("craft", rules.craft_title(craft))
                .number("total", total);
            let data = json!({ "kind": "aa", "unit": id(unit), "aircraft": name(craft), "gpf": gpf, "gpd": gpd,
                               "net": net, "roll": roll, "total": total, "outcome": outcome_key(outcome) });
            (of(unit), message, data)
        }
        Event::CraftDamaged { craft } => {
            (side, about("log.air_damaged", craft), json!({ "kind": "air_damaged", "aircraft": name(craft) }))
        }
        Event::ShotDown { craft, hexes } => (
            side,
            about("log.shot_down", craft),
            json!({ "kind": "shot_down", "aircraft": name(craft), "hexes": hexes }),
        ),
        Event::Crashed { craft, hex } => (
            side,
            about("log.crashed", craft).place("hex", label(hex)),
            json!({ "kind": "crash", "aircraft": name(craft), "hex": label(hex) }),
        ),
        Event::CraftRecovery { craft, roll, most, recovered } => {
            let key = if recovered { "log.air_recovered" } else { "log.air_not_recovered" };
            let data = json!({ "kind": "recovery", "aircraft": name(craft), "roll": roll, "most": most,
                               "modifier": 0, "recovered": recovered });
            (side, about(key, craft).number("roll", roll).number("most", most), data)
        }
        Event::WeaponLost { unit, gun } => {
            let weapon = crate::report::gun_name(rules, unit, gun);
            let message = Message::new("log.weapon_lost")
                .unit("unit", id(unit))
                .with("weapon", crate::report::gun_words(rules, unit, gun));
            (of(unit), message, json!({ "kind": "weapon_lost", "unit": id(unit), "weapon": weapon }))
        }
        Event::Scattered { hex, hexes } => {
            let message = Message::new("log.scattered").place("hex", label(hex)).number("hexes", hexes);
            (None, message, json!({ "kind": "scatter", "hex": label(hex), "hexes": hexes }))
        }
        Event::Bogged { unit, free } => {
            let key = if free { "log.bogged_free" } else { "log.bogged" };
            let data = json!({ "kind": "bogging", "unit": id(unit), "free": free });
            (of(unit), Message::new(key).unit("unit", id(unit)), data)
        }
        Event::MoraleCheck { unit, roll, modifier, point, result } => {
            let message = Message::new(format!("log.morale.{}", result.key()))
                .unit("unit", id(unit))
                .number("total", i16::from(roll) + i16::from(modifier))
                .number("point", point);
            let data = json!({ "kind": "morale", "unit": id(unit), "roll": roll, "modifier": modifier,
                               "break_point": point, "result": result.key() });
            (of(unit), message, data)
        }
        Event::Rallied { unit, roll, modifier, most, recovered } => {
            let key = if recovered { "log.rallied" } else { "log.not_rallied" };
            let total = i16::from(roll) + i16::from(modifier);
            let message =
                Message::new(key).unit("unit", id(unit)).number("total", total).number("most", most);
            let data = json!({ "kind": "rally", "unit": id(unit), "roll": roll, "modifier": modifier,
                               "most": most, "recovered": recovered });
            (of(unit), message, data)
        }
        // The other events are reported with those of the Basic Game.
        _ => (None, Message::new("log.available"), json!({ "kind": "available" })),
    }
}
