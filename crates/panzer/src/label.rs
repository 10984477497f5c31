//! The labels of buttons whose notation names what is neither a counter nor a place: aircraft and batteries off the board.

use kernel::Message;

use crate::{action::Action, indirect::Source, notation::facing_word, rules::Panzer};

pub fn label(rules: &Panzer, action: &Action) -> Option<Message> {
    let battery = |n: u8| rules.source_words(Source::Battery(n));
    match action {
        Action::Load { craft, rockets } => {
            let key = if *rockets { "button.load_rockets" } else { "button.load_bombs" };
            Some(Message::new(key).text("craft", rules.craft_title(*craft)))
        }
        Action::Fly(fly) => Some(
            Message::new("button.fly")
                .text("craft", rules.craft_title(fly.craft))
                .place("hex", rules.field.label(fly.hex))
                .term("toward", format!("facing.{}", facing_word(fly.facing)))
                .term("speed", format!("speed.{}", fly.speed.key()))
                .term("altitude", format!("altitude.{}", fly.altitude.key())),
        ),
        Action::Register { battery: n, point } => {
            let message = Message::new("button.register").with("source", battery(*n));
            Some(message.place("hex", rules.field.label(*point)))
        }
        Action::Announce { battery: n } => Some(Message::new("button.announce").with("source", battery(*n))),
        _ => None,
    }
}
