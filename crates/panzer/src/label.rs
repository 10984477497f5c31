//! The labels of buttons whose notation names what is neither a counter nor a place: aircraft and batteries off the board.

use hexgrid::HexId;
use kernel::Message;

use crate::{
    action::{Action, Part},
    air::Arms,
    indirect::Source,
    notation::facing_word,
    piece::UnitKind,
    rules::Panzer,
    state::{Place, State},
    units::UnitId,
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
        // 6.5.1.8, 6.5.1.9: missions have no counters to point at.
        Action::Call(order) if order.adjusts > 0 => {
            Some(Message::new("button.adjust").place("hex", rules.field.label(order.point)))
        }
        Action::Mission { id, go, smoke } => {
            let m = rules.mission(s, *id)?;
            let key = match (go, *smoke && !m.light) {
                (false, _) => "button.check",
                (true, false) => "button.continue",
                (true, true) => "button.continue_smoke",
            };
            Some(Message::new(key).place("hex", rules.field.label(m.point)))
        }
        // 6.6.7.1.1: a gun is limbered and unlimbered.
        Action::Move(order) if order.plan.len() == 1 => match order.plan.get(0) {
            Some(Part::Mount(other)) => tow(rules, order.unit, other),
            Some(Part::Dismount { unit, hex, .. }) => unlimber(rules, s, unit, hex),
            _ => None,
        },
        Action::Dismount { unit, hex, .. } => unlimber(rules, s, *unit, *hex),
        Action::Announce { battery: n } => Some(Message::new("button.announce").with("source", battery(*n))),
        _ => None,
    }
}

/// A towed unit is taken in tow, or loaded on its portee (5.2.1); Leg units mount, in the words of the client.
fn tow(rules: &Panzer, one: UnitId, other: UnitId) -> Option<Message> {
    let gun = |unit: &UnitId| rules.piece(*unit).is_some_and(|piece| piece.kind == UnitKind::Towed);
    let unit = [one, other].into_iter().find(gun)?;
    let vehicle = if unit == one { other } else { one };
    let portee = rules.piece(unit).is_some_and(|piece| piece.carrier == Some(vehicle));
    let key = if portee { "button.load" } else { "button.tow" };
    Some(Message::new(key).unit("unit", rules.id(unit)).unit("vehicle", rules.id(vehicle)))
}

fn unlimber(rules: &Panzer, s: &State, unit: UnitId, hex: HexId) -> Option<Message> {
    rules.piece(unit).filter(|piece| piece.kind == UnitKind::Towed)?;
    let key = if s.unit(unit).place == Place::Portee { "button.unload" } else { "button.unlimber" };
    Some(Message::new(key).unit("unit", rules.id(unit)).place("hex", rules.field.label(hex)))
}
