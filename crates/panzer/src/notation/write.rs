//! Decisions to text.

use crate::{
    action::Action, assault::Attacker, fire::shot_words, indirect::Source, rules::Panzer, state::State,
    units::UnitId,
};

use super::{
    air, call, facing_word,
    moves::{way, write_move},
    plot,
};

pub fn write(rules: &Panzer, s: &State, action: &Action) -> String {
    match action {
        Action::Done => "done".into(),
        Action::Deploy => "deploy".into(),
        Action::DeployAs(stance) => format!("deploy {}", stance.key()),
        Action::Place { unit, hex, facing } => {
            format!("place {} {} {}", rules.id(*unit), rules.field.label(*hex), facing_word(*facing))
        }
        Action::Command { unit, command } => format!("command {} {}", rules.id(*unit), command.key()),
        Action::Order { first: true } => "first".into(),
        Action::Order { first: false } => "second".into(),
        Action::Fire { target, shots } => {
            let mut text = format!("fire {} with", rules.id(*target));
            for shot in shots {
                text.push(' ');
                text.push_str(&shot_words(rules, *shot));
            }
            text
        }
        Action::Smoke { unit, hex } => {
            format!("smoke {} with {}", rules.field.label(*hex), rules.id(*unit))
        }
        Action::Discharge { unit } => format!("discharge {}", rules.id(*unit)),
        Action::Hold => "hold".into(),
        Action::HoldMove => "hold move".into(),
        Action::HoldAll => "hold all".into(),
        Action::Show => "show".into(),
        Action::Decline => "no effect".into(),
        Action::Angle(angle) => angle.key().into(),
        Action::Spread(targets) if targets.is_empty() => "spread none".into(),
        Action::Spread(targets) => {
            targets.iter().fold("spread".to_owned(), |text, unit| format!("{text} {}", rules.id(*unit)))
        }
        Action::Share { units, command } => {
            let start = format!("command {}", command.key());
            units.iter().fold(start, |text, unit| format!("{text} {}", rules.id(unit)))
        }
        Action::Pivot { unit, facing } => {
            // With its hex, so that the facing can be chosen by pointing.
            let label = s.unit(*unit).hex.some().map_or("", |hex| rules.field.label(hex));
            format!("pivot {} {label} {}", rules.id(*unit), facing_word(*facing)).replace("  ", " ")
        }
        Action::Cover { unit, on } => format!("cover {} {}", rules.id(*unit), if *on { "on" } else { "off" }),
        Action::Assault { target, attackers } => write_assault(rules, *target, attackers),
        Action::Call(order) => call::write(rules, order),
        Action::Mission { id, go: true, smoke } => {
            format!("continue M{id} {}", if *smoke { "smoke" } else { "gp" })
        }
        Action::Mission { id, go: false, .. } => format!("check M{id}"),
        Action::Plot(plot) => plot::write(rules, plot),
        Action::Register { battery, point } => {
            format!("register {} {}", rules.source_name(Source::Battery(*battery)), rules.field.label(*point))
        }
        Action::Announce { battery } => {
            format!("announce {}", rules.source_name(Source::Battery(*battery)))
        }
        Action::Impact(unit) => format!("impact {}", rules.id(*unit)),
        Action::Demolish { .. }
        | Action::Load { .. }
        | Action::Fly(_)
        | Action::FlyOn
        | Action::FlyTo(_)
        | Action::FlyTurn { .. }
        | Action::Acquire(_)
        | Action::AirAttack { .. }
        | Action::Aa(_) => air::write(rules, action),
        Action::Support(unit) => match unit.some() {
            Some(unit) => format!("support {}", rules.id(unit)),
            None => "support none".into(),
        },
        Action::Primary(unit) => format!("primary {}", rules.id(*unit)),
        Action::Occupy(units) if units.is_empty() => "occupy none".into(),
        Action::Occupy(units) => {
            units.iter().fold("occupy".to_owned(), |text, unit| format!("{text} {}", rules.id(*unit)))
        }
        Action::Move(order) => write_move(rules, s, order),
        Action::Go(go) => {
            let mut text = format!("move {}{}", rules.id(go.unit), way(go.along));
            if let Some(entry) = go.entry.some() {
                text.push(' ');
                text.push_str(rules.field.label(entry));
            }
            text.push_str(&format!(" to {} {}", rules.field.label(go.to), facing_word(go.facing)));
            text
        }
        Action::Stay { unit } => format!("stay {}", rules.id(*unit)),
        Action::Dismount { unit, hex, facing } => {
            format!("dismount {} {} {}", rules.id(*unit), rules.field.label(*hex), facing_word(*facing))
        }
        Action::DismountAssault { unit, hex, facing, target } => {
            let (label, facing) = (rules.field.label(*hex), facing_word(*facing));
            format!("dismount {} {label} {facing} assault {}", rules.id(*unit), rules.id(*target))
        }
        Action::Overruns { target, units } if units.is_empty() => {
            format!("overrun {} alone", rules.id(*target))
        }
        Action::Overruns { target, units } => {
            let start = format!("overrun {} with", rules.id(*target));
            units.iter().fold(start, |text, unit| format!("{text} {}", rules.id(*unit)))
        }
        Action::GoOn => "go on".into(),
        Action::Stop => "stop".into(),
    }
}

/// Runs of attackers that advance to the same hex; `here` ends a run that stays in place, if others follow.
fn write_assault(rules: &Panzer, target: UnitId, attackers: &[Attacker]) -> String {
    let mut text = format!("assault {} with", rules.id(target));
    for (n, a) in attackers.iter().enumerate() {
        text.push(' ');
        text.push_str(rules.id(a.unit));
        let next = attackers.get(n + 1);
        if next.is_some_and(|next| next.advance == a.advance) {
            continue;
        }
        match a.advance.some() {
            Some(hex) => text.push_str(&format!(" from {}", rules.field.label(hex))),
            None if next.is_some() => text.push_str(" here"),
            None => {}
        }
    }
    text
}
