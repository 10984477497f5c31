//! The labels of buttons whose notation names what is neither a counter nor a place: aircraft and batteries off the board.

use hexgrid::HexId;
use kernel::Message;

use crate::{
    action::Action, air::Arms, indirect::Source, notation::facing_word, rules::Panzer, state::State,
};

pub fn label(rules: &Panzer, s: &State, action: &Action) -> Option<Message> {
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
        Action::FlyTo(HexId::NONE) => Some(Message::new("button.fly_off")),
        Action::FlyTo(hex) => Some(Message::new("button.fly_to").place("hex", rules.field.label(*hex))),
        Action::Register { battery: n, point } => {
            let message = Message::new("button.register").with("source", battery(*n));
            Some(message.place("hex", rules.field.label(*point)))
        }
        Action::Plot(plot) => {
            let [segment] = plot.segments[..] else { return None };
            Some(Message::new("button.plot").place("hex", rules.field.label(segment.point)))
        }
        // 6.7.3.3
        Action::AirAttack { arms: Arms::Bombs, level: false } if !rules.may_dive(s) => {
            Some(Message::new("action.bomb_level"))
        }
        Action::Aa(_) => Some(Message::new("button.aa")),
        Action::Announce { battery: n } => Some(Message::new("button.announce").with("source", battery(*n))),
        _ => None,
    }
}
