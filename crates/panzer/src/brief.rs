//! Facts relevant to a question before it is answered (`kernel::Brief`): the chances of reaction fire, the number of
//! Commands left.

use kernel::{
    Brief, Message, Seat,
    brief::{by_dice, by_sheets},
};

use crate::{
    frame::Frame,
    play::side,
    rules::Panzer,
    state::{Command, State},
    units::UnitId,
};

pub fn brief(rules: &Panzer, s: &State, seat: Seat) -> Brief {
    if rules.cx(s, seat).is_none() {
        return Brief::default();
    }
    let mut brief = Brief::default();
    match s.top() {
        // 4.2.1
        Frame::Commands => {
            let own = rules.units_of(side(seat)).iter();
            let waits =
                |unit: UnitId| s.unit(unit).command == Command::NoCommand && rules.commandable(s, unit);
            let count = own.filter(|unit| waits(**unit)).count();
            brief.fact(Message::new("brief.uncommanded"), count.to_string(), "4.2");
        }
        // 4.4.2: reaction fire: the side's own guns against targets in sight.
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => {
            brief.answers = by_sheets(rules, s, seat, &["sheet.number", "sheet.numbers"]);
            if brief.answers.is_empty() {
                brief.fact(Message::new("brief.can_fire"), "0".to_owned(), "4.4.2");
            } else {
                brief.columns.push(Message::new("brief.needed"));
            }
        }
        // 4.4.3.2.4: the vehicle that is hit is the side's own.
        Frame::HitAngle => brief.answers = by_dice(rules, s, seat, |_| 0.0),
        _ => {}
    }
    brief
}
