//! One sentence for the log (message keys `why.*` of the game's catalogue).

use ::panzer::{Panzer, units::UnitId};
use hexgrid::HexId;
use kernel::Message;

use super::{manoeuvre::Best, picture::Picture};

/// What a Command Phase aims for.
pub fn orders(rules: &Panzer, fires: u32, watches: u32, moves: u32, aim: Option<HexId>) -> Message {
    let key = match (moves, aim) {
        (0, _) => "why.stand",
        (_, Some(_)) => "why.orders_for",
        (_, None) => "why.orders",
    };
    let message = Message::new(key).number("fires", fires).number("watches", watches).number("moves", moves);
    match aim {
        Some(hex) if moves > 0 => message.place("aim", rules.field.label(hex)),
        _ => message,
    }
}

/// Fire at a target, and the chance that it is out of the game.
pub fn fire(rules: &Panzer, key: &'static str, target: UnitId, shots: usize, kill: f32) -> Message {
    Message::new(key)
        .unit("target", rules.id(target))
        .number("shots", shots as i64)
        .number("percent", (kill * 100.0).round() as i64)
}

/// Why a vehicle moves somewhere.
pub fn moves(picture: &Picture, unit: UnitId, best: &Best) -> Option<Message> {
    let rules = &*picture.commander.rules;
    let u = picture.s.unit(unit);
    let message = |key: &'static str| {
        Message::new(key).unit("unit", rules.id(unit)).place("hex", rules.field.label(best.hex))
    };
    let (offense, target) = picture.offense(unit, best.hex, best.facing);
    let (pull, _) = picture.pull(unit, best.hex);
    if let Some(target) = target.filter(|_| offense > 2.0) {
        return Some(message("why.move_shot").unit("target", rules.id(target)));
    }
    if let Some(aim) = best.aim.filter(|_| !u.on_map() || pull > picture.pull(unit, u.hex).0) {
        let aim = picture.commander.lore.aims[aim].hex;
        return Some(message("why.move_aim").place("aim", rules.field.label(aim)));
    }
    u.on_map().then(|| message("why.move_cover"))
}
