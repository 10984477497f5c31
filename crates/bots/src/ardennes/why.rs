//! One sentence for the log (message keys `why.*` of the game's catalogue).

use ::ardennes::{Ardennes, combat::strength, pack::UnitId};
use hexgrid::HexId;
use kernel::{Arg, Message};

/// `Attacks Clervaux at 4-1 with two shifts to open the Bastogne road.`
pub fn attack(
    rules: &Ardennes,
    target: HexId,
    rung: i16,
    shift: i8,
    falls: f32,
    aim: Option<HexId>,
) -> Message {
    let (attack, defense) = strength::odds(rung - i16::from(shift));
    let key = match (aim, shift) {
        (Some(_), 1..) => "why.attack_right_for",
        (Some(_), 0) => "why.attack_for",
        (Some(_), _) => "why.attack_left_for",
        (None, 1..) => "why.attack_right",
        (None, 0) => "why.attack",
        (None, _) => "why.attack_left",
    };
    let mut message = Message::new(key)
        .place("target", rules.label(target))
        .text("odds", format!("{attack}-{defense}"))
        .number("shifts", i64::from(shift.unsigned_abs()))
        .number("percent", (falls * 100.0).round() as i64);
    if let Some(aim) = aim {
        message = message.place("aim", rules.label(aim));
    }
    message
}

/// What a Movement Phase aims for.
pub fn movement(rules: &Ardennes, attacks: &[HexId], aim: Option<HexId>, holds: bool) -> Message {
    let list =
        Arg::List(attacks.iter().take(4).map(|hex| Arg::Place(rules.label(*hex).to_owned())).collect());
    match (attacks.is_empty(), aim) {
        (false, Some(aim)) => {
            Message::new("why.gather_for").with("targets", list).place("aim", rules.label(aim))
        }
        (false, None) => Message::new("why.gather").with("targets", list),
        (true, Some(aim)) if holds => Message::new("why.cover").place("aim", rules.label(aim)),
        (true, Some(aim)) => Message::new("why.march").place("aim", rules.label(aim)),
        (true, None) => Message::new("why.hold"),
    }
}

pub fn unit(rules: &Ardennes, key: &'static str, unit: UnitId) -> Message {
    Message::new(key).unit("unit", rules.pack.unit(unit).id.clone())
}

pub fn place(rules: &Ardennes, key: &'static str, hex: HexId) -> Message {
    Message::new(key).place("hex", rules.label(hex))
}
