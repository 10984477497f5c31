//! Decisions to text.

use hexgrid::HexId;

use crate::{
    action::{Action, Commit, Part, Parts, Payload, Who},
    deployment::Layout,
    engineers::HERE,
    report::payer_word,
    rules::Wurzburg,
    state::{Payer, Variant},
    units::UnitId,
};

/// A decision in canonical notation.
pub fn write(rules: &Wurzburg, action: &Action) -> String {
    let unit = |unit: &UnitId| rules.id(*unit).to_owned();
    let hex = |hex: HexId| rules.field.label(hex).to_owned();
    match action {
        Action::Done => "done".into(),
        Action::Pass => "pass".into(),
        Action::Plan { formation, kind, payer } => {
            let name = &rules.formation(*formation).id;
            match payer {
                Payer::None => format!("plan {name} {}", kind.word()),
                payer => format!("plan {name} {} by {}", kind.word(), payer_word(rules, *payer)),
            }
        }
        Action::Effort(formation) => format!("effort {}", rules.formation(*formation).id),
        Action::PostponeEffort => "postpone effort".into(),
        Action::TakeBackEffort => "take back effort".into(),
        Action::Activate(formation) => format!("activate {}", rules.formation(*formation).id),
        Action::Lead(lead) => format!("lead {}", unit(lead)),
        Action::Commit(commit) => write_commit(rules, commit),
        Action::March { formation, base, units, rally, airmobile } => {
            let mut text = String::from("march");
            match (formation.some(), base) {
                (Some(formation), true) => {
                    text.push_str(&format!(" base {}", rules.formation(formation).id));
                }
                (Some(formation), false) => text.push_str(&format!(" {}", rules.formation(formation).id)),
                _ => {}
            }
            if formation.some().is_some() && !units.is_empty() {
                text.push_str(" with");
            }
            if !units.is_empty() {
                text = format!("{text} {}", write_parts(rules, units));
            }
            if let Some(rally) = rally.some() {
                text.push_str(&format!(" rally {}", hex(rally)));
            }
            if *airmobile {
                text.push_str(" airmobile");
            }
            text
        }
        Action::Move { parts, path } => {
            let mut text = format!("move {}", write_parts(rules, parts));
            for to in path {
                text.push_str(&format!(" {}", hex(*to)));
            }
            text
        }
        Action::Ferry { parts, with, to } => {
            let head = format!("ferry {} with", write_parts(rules, parts));
            format!("{} to {}", joined(&head, with.iter().map(unit)), hex(*to))
        }
        Action::Cross(site) => format!("cross {}", hex(*site)),
        Action::Land { part, to } => format!("land {} {}", write_part(rules, *part), hex(*to)),
        Action::Raze { side, to } => match to.some() {
            Some(to) => format!("raze {} engineer {}", rules.field.side_label(*side), hex(to)),
            None => format!("raze {}", rules.field.side_label(*side)),
        },
        Action::Abandon { unit: engineer, to } => format!("abandon {} {}", unit(engineer), hex(*to)),
        Action::Place { work, hex: at } => format!("place {} {}", work.key(), hex(*at)),
        Action::Combine(units) => joined("combine", units.iter().map(unit)),
        Action::Transfer { part, to } => format!("transfer {} to {}", write_part(rules, *part), unit(to)),
        Action::Row { unit: of, ten } => format!("row {} {}", unit(of), if *ten { "ten" } else { "five" }),
        Action::Return { unit: hq, hex: at } => match at.some() {
            Some(at) => format!("return {} {}", unit(hq), hex(at)),
            None => format!("return {}", unit(hq)),
        },
        Action::Clean { hq, hex: at } => format!("clean {} {}", unit(hq), hex(*at)),
        Action::Attach { formation, to } => {
            format!("attach {} to {}", rules.formation(*formation).id, rules.formation(*to).id)
        }
        Action::DeployAll(Layout::Listed) => "deploy".into(),
        Action::DeployAll(Layout::Forward) => "deploy forward".into(),
        Action::Deploy { unit: of, hex: at } => format!("deploy {} {}", unit(of), hex(*at)),
        Action::RemovePosition(at) => format!("remove position {}", hex(*at)),
        Action::Remove(dummy) => format!("remove {}", unit(dummy)),
        Action::GoOn => "go on".into(),
        Action::Stop => "stop".into(),
        Action::Objective(to) => format!("objective {}", hex(*to)),
        Action::Keep => "keep".into(),
        Action::Mask(parts) => format!("mask {}", write_parts(rules, parts)),
        Action::React { parts, payer, path } => {
            let mut text = format!("react {}", write_parts(rules, parts));
            if *payer != Payer::None {
                text.push_str(&format!(" by {}", payer_word(rules, *payer)));
            }
            if !path.is_empty() {
                text.push_str(" via");
                for to in path {
                    text.push_str(&format!(" {}", hex(*to)));
                }
            }
            text
        }
        Action::Recon { hex: at, payer } => format!("recon {} by {}", hex(*at), payer_word(rules, *payer)),
        Action::Strike { what, hex: at, hq, with, air } => {
            let head = match what {
                Payload::Fire => format!("strike {}", hex(*at)),
                Payload::Adm => format!("adm {}", hex(*at)),
                Payload::GasPersistent => format!("gas {} persistent", hex(*at)),
                Payload::GasNonPersistent => format!("gas {} non-persistent", hex(*at)),
            };
            if *air > 0 {
                format!("{head} by {} air {air}", unit(hq))
            } else {
                format!("{head} by {} with {}", unit(hq), write_parts(rules, with))
            }
        }
        Action::Profile { profile, at } => match at.some() {
            Some(at) => format!("profile {} at {}", profile.key(), hex(at)),
            None => format!("profile {}", profile.key()),
        },
        Action::Sam => "sam".into(),
        Action::Flak(strength) => format!("flak {strength}"),
        Action::Abort => "abort".into(),
        Action::Counter { target, hq, gun, spotter } => {
            format!("counter {} by {} with {} spotter {}", unit(target), unit(hq), unit(gun), unit(spotter))
        }
        Action::ReconBridge { side, payer } => {
            format!("recon {} by {}", rules.field.side_label(*side), payer_word(rules, *payer))
        }
        Action::StrikeBridge { side, hq, with, air } => {
            let head = format!("strike {} by {}", rules.field.side_label(*side), unit(hq));
            if *air > 0 {
                format!("{head} air {air}")
            } else {
                format!("{head} with {}", write_parts(rules, with))
            }
        }
        Action::Call { hq, with } => format!("call {} with {}", unit(hq), write_parts(rules, with)),
        Action::Jam(hq) => format!("jam {}", unit(hq)),
        Action::Fire { target, with } => {
            let gun = |part: &Part| match part.steps {
                Some(steps) => format!("{}:{steps}", rules.id(part.unit)),
                None => rules.id(part.unit).to_owned(),
            };
            let head = format!("fire {} with", hex(*target));
            joined(&head, with.iter().map(gun))
        }
        Action::Hold => "hold".into(),
        Action::Stand => "stand".into(),
        Action::Elect => "retreat".into(),
        Action::Cover(cover) => format!("cover {}", unit(cover)),
        Action::Lose(lost) => format!("lose {}", unit(lost)),
        Action::Retreat { part, to } => {
            let to = to.some().map_or_else(|| "off".to_owned(), hex);
            format!("retreat {} {to}", write_part(rules, *part))
        }
        Action::Advance(part) => format!("advance {}", write_part(rules, *part)),
        Action::Exit(units) => joined("exit", units.iter().map(unit)),
        Action::Storm { units, combined } => {
            let text = joined("storm", units.iter().map(unit));
            if *combined { format!("{text} combined") } else { text }
        }
        Action::Fight => "fight".into(),
        Action::Charge => "charge".into(),
        Action::ChargeTo(to) => format!("charge to {}", hex(*to)),
        Action::Withdraw(to) => format!("withdraw {}", hex(*to)),
        Action::WithdrawApart(list) => {
            joined("withdraw", list.iter().map(|(who, to)| format!("{} {}", unit(who), hex(*to))))
        }
        Action::Smoke(engineer) => format!("smoke {}", unit(engineer)),
        Action::Always => "always".into(),
        Action::Screen(units) => joined("screen", units.iter().map(unit)),
        Action::Work { unit: engineer, work, side, to } => {
            let mut text = format!("work {} {}", unit(engineer), work.key());
            if *side != HERE {
                text.push_str(&format!(" {}", rules.field.side_label(*side)));
            }
            if let Some(to) = to.some() {
                text.push_str(&format!(" to {}", hex(to)));
            }
            text
        }
        Action::Blow(side) => format!("blow {}", rules.field.side_label(*side)),
        Action::Fly(path) => joined("fly", path.iter().map(|at| hex(*at))),
        Action::Home => "home".into(),
        Action::Lift { parts, lz, via, approach, helicopters } => {
            let mut text = format!("lift {} to {}", write_parts(rules, parts), hex(*lz));
            if *helicopters > 0 {
                text.push_str(&format!(" with {helicopters}"));
            }
            for (word, way) in [("approach", approach), ("via", via)] {
                if !way.is_empty() {
                    text = joined(&format!("{text} {word}"), way.iter().map(|at| hex(*at)));
                }
            }
            text
        }
        Action::Paradrop => "paradrop".into(),
        Action::Drop { unit: who, hex: at } => format!("drop {} {}", unit(who), hex(*at)),
    }
}

fn joined(head: &str, words: impl Iterator<Item = String>) -> String {
    let mut text = head.to_owned();
    for word in words {
        text.push(' ');
        text.push_str(&word);
    }
    text
}

/// `24mrr-a`, `2 of 24mrr-a`
pub fn write_part(rules: &Wurzburg, part: Part) -> String {
    match part.steps {
        Some(steps) => format!("{steps} of {}", rules.id(part.unit)),
        None => rules.id(part.unit).to_owned(),
    }
}

fn write_parts(rules: &Wurzburg, parts: &Parts) -> String {
    parts.iter().map(|part| write_part(rules, *part)).collect::<Vec<_>>().join(" ")
}

fn write_commit(rules: &Wurzburg, commit: &Commit) -> String {
    let mut text = commit.kind.word().to_owned();
    for (n, force) in commit.forces.iter().enumerate() {
        text.push_str(if n == 0 { " " } else { " and " });
        match force.who {
            Who::Formation(formation) => text.push_str(&rules.formation(formation).id),
            Who::Lead(lead) => text.push_str(&write_part(rules, lead)),
        }
        if !force.with.is_empty() {
            text = format!("{text} with {}", write_parts(rules, &force.with));
        }
        if force.payer != Payer::None {
            text.push_str(&format!(" by {}", payer_word(rules, force.payer)));
        }
    }
    match (commit.bridge, commit.objective.some()) {
        (Some(side), Some(hex)) => {
            let (bridge, hex) = (rules.field.side_label(side), rules.field.label(hex));
            text.push_str(&format!(" objective {bridge} marker {hex}"));
        }
        (None, Some(hex)) => text.push_str(&format!(" objective {}", rules.field.label(hex))),
        _ => {}
    }
    if commit.variant != Variant::Plain {
        text.push(' ');
        text.push_str(commit.variant.key());
    }
    if commit.airmobile {
        text.push_str(" airmobile");
    }
    text
}
