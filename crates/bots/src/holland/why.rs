//! One sentence for the log (message keys `why.*` of the game's catalogue).

use ::holland::Holland;
use hexgrid::HexId;
use kernel::{Arg, Message};

/// `Attacks Best at 4-1 (55% to take it).`
pub fn attack(rules: &Holland, target: HexId, column: u8, falls: f32) -> Message {
    let odds = rules.pack.tables.crt.columns.get(usize::from(column)).cloned().unwrap_or_default();
    Message::new("why.attack")
        .place("target", rules.label(target))
        .text("odds", odds)
        .number("percent", (falls * 100.0).round() as i64)
}

/// What a Movement Phase aims for.
pub fn movement(rules: &Holland, attacks: &[HexId], aim: Option<HexId>) -> Message {
    let list =
        Arg::List(attacks.iter().take(4).map(|hex| Arg::Place(rules.label(*hex).to_owned())).collect());
    match (attacks.is_empty(), aim) {
        (false, Some(aim)) => {
            Message::new("why.gather_for").with("targets", list).place("aim", rules.label(aim))
        }
        (false, None) => Message::new("why.gather").with("targets", list),
        (true, Some(aim)) => Message::new("why.march").place("aim", rules.label(aim)),
        (true, None) => Message::new("why.hold"),
    }
}

pub fn bridge(rules: &Holland, key: &'static str, bridge: u16) -> Message {
    Message::new(key).place("hexside", rules.bridge_label(bridge))
}

pub fn place(rules: &Holland, key: &'static str, hex: HexId) -> Message {
    Message::new(key).place("hex", rules.label(hex))
}
