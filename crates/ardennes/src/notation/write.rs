//! Writes decisions as text.

use std::fmt::Write as _;

use hexgrid::HexId;

use crate::{
    action::{Action, Attack, Mode, Move, Path},
    pack::UnitId,
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// The notation of a decision.
pub fn write(rules: &Ardennes, s: &State, action: &Action) -> String {
    let unit = |id: UnitId| rules.pack.unit(id).id.as_str();
    let hex = |hex: HexId| rules.label(hex);
    let bridge = |id: u16| hexside(rules, id);
    let list = |ids: &[UnitId]| ids.iter().map(|id| unit(*id)).collect::<Vec<_>>().join(" ");
    match action {
        Action::Done => "done".into(),
        Action::Deploy => "deploy".into(),
        Action::DeployArmor => "deploy armor".into(),
        Action::Place { unit: u, hex: h } => format!("place {} {}", unit(*u), hex(*h)),
        Action::Ready { unit: u } => format!("ready {}", unit(*u)),
        Action::Fuel { formation } => format!("fuel {}", rules.pack.formation(*formation).id),
        Action::Blow { bridge: b, unit: None } => format!("blow {}", bridge(*b)),
        Action::Blow { bridge: b, unit: Some(u) } => format!("blow {} with {}", bridge(*b), unit(*u)),
        Action::HoldFire => "hold fire".into(),
        Action::Repair { bridge: b } => format!("repair {}", bridge(*b)),
        Action::Burn { hex: h } => format!("burn {}", hex(*h)),
        Action::Move(step) => write_move(rules, s, step),
        Action::Halt => "halt".into(),
        Action::Infiltrate { attempt: true } => "infiltrate".into(),
        Action::Infiltrate { attempt: false } => "no infiltration".into(),
        Action::Send { unit: u, to } => format!("send {} {}", unit(*u), rules.pack.boxes[to.index()].id),
        Action::Block { unit: u, entry } => {
            format!("block {} at {}", unit(*u), rules.pack.entries[entry.index()].letter)
        }
        Action::Dig { unit: u } => format!("dig {}", unit(*u)),
        Action::Finish { unit: u } => format!("finish {}", unit(*u)),
        Action::Fill { unit: u } => format!("fill {}", unit(*u)),
        Action::SpendFuel { spend } => if *spend { "spend fuel" } else { "keep fuel" }.into(),
        Action::Load { unit: u } => format!("load {}", unit(*u)),
        Action::Unload { unit: u } => format!("unload {}", unit(*u)),
        Action::Night { units } => format!("night {}", list(units)),
        Action::Drop { unit: u, hex: h } => format!("drop {} {}", unit(*u), hex(*h)),
        Action::Air => "air".into(),
        Action::Breakdown { unit: u, whole: false } => format!("breakdown {}", unit(*u)),
        Action::Breakdown { unit: u, whole: true } => format!("breakdown {} whole", unit(*u)),
        Action::Recombine { unit: u } => format!("recombine {}", unit(*u)),
        Action::Disengage { units } => format!("disengage {}", list(units)),
        Action::Attack(attack) => write_attack(rules, attack),
        Action::CallOff => "call off".into(),
        Action::GoOn => "go on".into(),
        Action::Support { units, air } => {
            let mut text = String::from("support");
            for id in units {
                let _ = write!(text, " {}", unit(*id));
            }
            if *air {
                text.push_str(" air");
            }
            text
        }
        Action::NoSupport => "no support".into(),
        Action::Press { lead } => format!("press lead {}", unit(*lead)),
        Action::Engage => "engage".into(),
        Action::SlipAway => "slip away".into(),
        Action::Accept => "accept".into(),
        Action::Lose { unit: u } => format!("lose {}", unit(*u)),
        Action::Remnant { form: true } => "remnant".into(),
        Action::Remnant { form: false } => "no remnant".into(),
        Action::Stand { lead } => format!("stand lead {}", unit(*lead)),
        Action::GiveWay => "give way".into(),
        Action::Retreat { unit: u, path, out } => {
            let mut text = format!("retreat {}", unit(*u));
            write_path(rules, s.unit(*u).hex().unwrap_or(HexId::NONE), path, &mut text);
            if *out {
                text.push_str(" out");
            }
            text
        }
        Action::Remove { unit: u } => format!("remove {}", unit(*u)),
        Action::Advantage { unit: u } => format!("advantage {}", unit(*u)),
        Action::Advance { unit: u, path } => {
            let mut text = format!("advance {}", unit(*u));
            if let Some(from) = s.unit(*u).hex() {
                write_path(rules, from, path, &mut text);
            } else {
                // 13.8: from a Blocking Position the first hex is the Entry Hex, the target.
                let _ = write!(text, " {}", hex(s.combat.target));
                write_path(rules, s.combat.target, path, &mut text);
            }
            text
        }
        Action::Stay => "stay".into(),
        Action::Traffic { number, hex: h } => format!("traffic {number} {}", hex(*h)),
        Action::Roadblock { hex: h } => format!("roadblock {}", hex(*h)),
        Action::Lift { hex: h } => format!("lift {}", hex(*h)),
        Action::Antwerp { unit: u } => format!("antwerp {}", unit(*u)),
        Action::Replace { unit: u, hex: HexId::NONE } => format!("replace {}", unit(*u)),
        Action::Replace { unit: u, hex: h } => format!("replace {} {}", unit(*u), hex(*h)),
    }
}

fn write_move(rules: &Ardennes, s: &State, step: &Move) -> String {
    let units: Vec<&str> = step.units.iter().map(|u| rules.pack.unit(*u).id.as_str()).collect();
    let mut text = format!("move {}", units.join("+"));
    let from = if step.entry == HexId::NONE {
        step.units.first().and_then(|u| s.unit(*u).hex()).unwrap_or(HexId::NONE)
    } else {
        let _ = write!(text, " {}", rules.label(step.entry));
        step.entry
    };
    if step.path.is_empty() {
        if step.to != from {
            let _ = write!(text, " {}", rules.label(step.to));
        }
    } else {
        write_path(rules, from, &step.path, &mut text);
    }
    if step.mode != Mode::Normal {
        let _ = write!(text, " {}", step.mode.word());
    }
    if step.out {
        text.push_str(" out");
    }
    text
}

fn write_path(rules: &Ardennes, from: HexId, path: &Path, text: &mut String) {
    let mut at = from;
    for direction in path.iter() {
        let next = (at != HexId::NONE).then(|| rules.land.neighbour(at, direction)).flatten();
        let Some(next) = next else { break };
        at = next;
        let _ = write!(text, " {}", rules.label(at));
    }
}

fn write_attack(rules: &Ardennes, attack: &Attack) -> String {
    let mut text = format!("attack {}", rules.label(attack.target));
    let mut words = |word: &str, units: &[UnitId]| {
        if !units.is_empty() {
            let _ = write!(text, " {word}");
            for unit in units {
                let _ = write!(text, " {}", rules.pack.unit(*unit).id);
            }
        }
    };
    words("with", &attack.units);
    words("artillery", &attack.artillery);
    if attack.air {
        text.push_str(" air");
    }
    if attack.surprise {
        text.push_str(" surprise");
    }
    text
}

/// A bridge as its two hexes.
pub fn hexside(rules: &Ardennes, bridge: u16) -> String {
    match rules.land.bridges.get(bridge as usize) {
        Some([a, b]) => format!("{}/{}", rules.label(*a), rules.label(*b)),
        None => "-".into(),
    }
}

pub fn write_subject(rules: &Ardennes, subject: Subject) -> String {
    match subject {
        Subject::Phase => "phase".into(),
        Subject::Unit(unit) => format!("unit {}", rules.pack.unit(unit).id),
        Subject::Hex(hex) => format!("hex {}", rules.label(hex)),
        Subject::Bridge(bridge) => format!("bridge {}", hexside(rules, bridge)),
    }
}
