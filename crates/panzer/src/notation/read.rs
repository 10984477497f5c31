//! Text to decisions.

use hexgrid::HexId;
use kernel::Refusal;

use crate::{
    action::{Action, CallOrder, Move, Part, Plan, Shot, Shots},
    assault::{Attacker, Attackers},
    pack::{Side, advanced::Angle},
    piece::Ammo,
    rules::Panzer,
    state::State,
    units::{UnitId, UnitSet},
};

use super::{
    air, arm_named, call,
    moves::{read_landing, read_move},
    plot, read_command, read_facing, refuse, rider, spelling, usual_ammo, usual_arm, usual_gun,
};

pub fn read(rules: &Panzer, s: &State, side: Side, text: &str) -> Result<Action, Refusal> {
    let spaced = text.replace("->", " -> ").replace([',', '+'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let words = spelling::plain(&words);
    if let Some(action) = air::read(rules, s, &words) {
        return action;
    }
    let unit = |id: &str| match rules.named(id) {
        Some(unit) => Ok(unit),
        None => refuse("no.unit", id),
    };
    let hex = |label: &str| match rules.field.find(label) {
        Some(hex) => Ok(hex),
        None => refuse("no.hex", label),
    };
    // A hex, or that of a unit.
    let place = |name: &str| match rules.named(name).filter(|_| rules.field.find(name).is_none()) {
        Some(unit) => s.unit(unit).hex.some().map_or_else(|| hex(name), Ok),
        None => hex(name),
    };
    let facing = |word: &str| match read_facing(word) {
        Some(facing) => Ok(facing),
        None => refuse("no.facing", word),
    };
    Ok(match words[..] {
        ["done" | "pass" | "commit"] => Action::Done,
        ["deploy"] => Action::Deploy,
        ["deploy", name] => match crate::deployment::Stance::parse(name) {
            Some(stance) => Action::DeployAs(stance),
            None => return refuse("no.deployment", name),
        },
        ["place", id, label, face] => {
            Action::Place { unit: unit(id)?, hex: hex(label)?, facing: facing(face)? }
        }
        ["place", id, label] => {
            let unit = unit(id)?;
            Action::Place { unit, hex: hex(label)?, facing: s.unit(unit).facing }
        }
        ["command", name, ref ids @ ..]
            if !ids.is_empty() && rules.named(name).is_none() && read_command(name).is_some() =>
        {
            let command = read_command(name).unwrap_or_default();
            let mut units = UnitSet::EMPTY;
            for id in ids {
                units.insert(unit(id)?);
            }
            match (units.len(), units.iter().next()) {
                (1, Some(unit)) => Action::Command { unit, command },
                _ => Action::Share { units, command },
            }
        }
        ["spread", "none"] | ["spread"] => Action::Spread(smallvec::SmallVec::new()),
        ["spread", ref ids @ ..] => Action::Spread(ids.iter().map(|id| unit(id)).collect::<Result<_, _>>()?),
        ["pivot", id, face] | ["pivot", id, _, face] => {
            Action::Pivot { unit: unit(id)?, facing: facing(face)? }
        }
        ["cover" | "full_cover", id] | ["cover" | "full_cover", id, "on"] => {
            Action::Cover { unit: unit(id)?, on: true }
        }
        ["cover" | "full_cover", id, "off"] => Action::Cover { unit: unit(id)?, on: false },
        ["command", ref ids @ .., name]
            if ids.len() > 1
                && read_command(name).is_some()
                && ids.iter().all(|id| rules.named(id).is_some()) =>
        {
            let command = read_command(name).unwrap_or_default();
            let mut units = UnitSet::EMPTY;
            for id in ids {
                units.insert(unit(id)?);
            }
            Action::Share { units, command }
        }
        ["command", id, ref name @ ..] if !name.is_empty() => {
            let name = name.join("_");
            match read_command(&name) {
                Some(command) => Action::Command { unit: unit(id)?, command },
                None => return refuse("no.command_name", &name),
            }
        }
        ["first"] => Action::Order { first: true },
        ["second"] => Action::Order { first: false },
        ["hold" | "hold_fire"] | ["hold", "fire"] | ["no", "overwatch"] => Action::Hold,
        ["hold", "move"] => Action::HoldMove,
        ["hold", "all"] => Action::HoldAll,
        ["show" | "reveal"] => Action::Show,
        ["no", "effect"] | ["decline" | "no_effect" | "refuse" | "keep"] => Action::Decline,
        ["overrun", target, "alone"] => {
            Action::Overruns { target: unit(target)?, units: smallvec::SmallVec::new() }
        }
        ["overrun", target, "with", ref ids @ ..] => Action::Overruns {
            target: unit(target)?,
            units: ids.iter().map(|id| unit(id)).collect::<Result<_, _>>()?,
        },
        ["front"] => Action::Angle(Angle::Front),
        ["rear"] => Action::Angle(Angle::Rear),
        ["front_side" | "front/side"] | ["front", "side"] => Action::Angle(Angle::FrontSide),
        ["rear_side" | "rear/side"] | ["rear", "side"] => Action::Angle(Angle::RearSide),
        ["assault", target, "with", ref rest @ ..] => read_assault(rules, s, unit(target)?, rest)?,
        ["call", observer, "on", label, "with", ref rest @ ..] => {
            let observer = unit(observer)?;
            let order = CallOrder::new(observer, place(label)?);
            Action::Call(call::read(rules, order, rest)?)
        }
        ["adjust", mission, "to", label, ref rest @ ..] => {
            let id = call::mission(mission)?;
            let Some(m) = rules.mission(s, id) else { return refuse("no.mission", mission) };
            let order = CallOrder {
                sources: m.sources.clone(),
                sheaf: m.sheaf,
                direction: m.direction,
                smoke: m.smoke,
                light: m.light,
                adjusts: id,
                ..CallOrder::new(m.observer, place(label)?)
            };
            Action::Call(call::read(rules, order, rest)?)
        }
        ["continue", mission, ref shell @ ..] => {
            let id = call::mission(mission)?;
            let smoke = match shell {
                ["smoke"] => true,
                ["gp"] => false,
                _ => rules.mission(s, id).is_some_and(|m| m.smoke),
            };
            Action::Mission { id, go: true, smoke }
        }
        ["check", mission] => Action::Mission { id: call::mission(mission)?, go: false, smoke: false },
        ["plot", name, ref rest @ ..] => Action::Plot(plot::read(rules, name, rest)?),
        ["register", name, label] => {
            Action::Register { battery: plot::battery(rules, name)?, point: hex(label)? }
        }
        ["announce", name] | ["announce", name, "early" | "now" | "late"] => {
            Action::Announce { battery: plot::battery(rules, name)? }
        }
        ["smoke", label, "with", id] | ["smoke", label, id] => {
            Action::Smoke { unit: unit(id)?, hex: hex(label)? }
        }
        ["discharge", id] => Action::Discharge { unit: unit(id)? },
        ["impact", id] => Action::Impact(unit(id)?),
        ["support", "none"] | ["no", "support"] => Action::Support(UnitId::NONE),
        ["support"] => Action::Support(s.assault.target),
        ["support", id] => Action::Support(unit(id)?),
        ["primary", id] => Action::Primary(unit(id)?),
        ["occupy", "none"] | ["occupy"] => Action::Occupy(smallvec::SmallVec::new()),
        ["occupy", ref ids @ ..] => Action::Occupy(ids.iter().map(|id| unit(id)).collect::<Result<_, _>>()?),
        ["stay", id] => Action::Stay { unit: unit(id)? },
        ["go", "on"] => Action::GoOn,
        ["stop" | "halt"] => Action::Stop,
        ["turn", id, face] => {
            let plan = Plan::from_iter([Part::Turn(facing(face)?)]);
            Action::Move(Move { unit: unit(id)?, along: false, entry: HexId::NONE, plan })
        }
        // `mount D1 T1`: the passenger's own move.
        ["mount", id, vehicle] => {
            let plan = Plan::from_iter([Part::Mount(unit(vehicle)?)]);
            Action::Move(Move { unit: unit(id)?, along: false, entry: HexId::NONE, plan })
        }
        ["dismount", id, ref rest @ .., "assault", target] => {
            let (target, unit) = (unit(target)?, rider(rules, s, unit(id)?));
            let (hex, facing, taken) = read_landing(rules, rest, s.unit(unit).hex, s.unit(unit).facing);
            if taken < rest.len() {
                return refuse("kernel.bad_notation", text);
            }
            Action::DismountAssault { unit, hex, facing, target }
        }
        ["dismount", id, ref rest @ ..] => {
            let vehicle = unit(id)?;
            let (hex, facing, taken) = read_landing(rules, rest, s.unit(vehicle).hex, s.unit(vehicle).facing);
            let unit = rider(rules, s, vehicle);
            if taken < rest.len() {
                return refuse("kernel.bad_notation", text);
            }
            Action::Dismount { unit, hex, facing }
        }
        // `bail D1 NE`: during the move of its vehicle, which then continues as planned.
        ["bail", id, ref rest @ ..] => {
            let unit = unit(id)?;
            let (_, facing, taken) = read_landing(rules, rest, HexId::NONE, s.unit(unit).facing);
            if taken < rest.len() {
                return refuse("kernel.bad_notation", text);
            }
            let vehicle = s.unit(unit).aboard.some().unwrap_or(unit);
            let goes_on = s.walk.active && s.walk.unit == vehicle;
            let rest = if goes_on { s.walk.plan } else { Plan::default() };
            let plan = std::iter::once(Part::Bail { unit, facing }).chain(rest.iter()).collect();
            Action::Move(Move { unit: vehicle, along: goes_on && s.walk.along, entry: HexId::NONE, plan })
        }
        ["move", id, ref rest @ ..] => read_move(rules, s, unit(id)?, rest)?,
        ["fire" | "overwatch", ref rest @ ..] => read_fire(rules, s, side, rest)?,
        _ => return refuse("kernel.bad_notation", text),
    })
}

/// `B with A C#2`, or `A C -> B`, or `A at B`.
fn read_fire(rules: &Panzer, s: &State, side: Side, words: &[&str]) -> Result<Action, Refusal> {
    let split = |word: &str| words.iter().position(|w| *w == word);
    let (target, shooters) = if let Some(at) = split("with") {
        (&words[..at], &words[at + 1..])
    } else if let Some(at) = split("->").or_else(|| split("at")) {
        (&words[at + 1..], &words[..at])
    } else if let [shooter, target] = words {
        (std::slice::from_ref(target), std::slice::from_ref(shooter))
    } else {
        return refuse("kernel.bad_notation", &format!("fire {}", words.join(" ")));
    };
    let &[target] = target else {
        return refuse("kernel.bad_notation", &format!("fire {}", words.join(" ")));
    };
    let Some(target) = rules.named(target).or_else(|| only_enemy(rules, s, side, target)) else {
        return refuse("no.unit", target);
    };
    let mut shots = Shots::new();
    for word in &spelling::shooters(rules, shooters) {
        let word = word.as_str();
        // `A#2:gp>C`: this weapon at another target (5.14).
        let (word, at) = word.split_once('>').map_or((word, None), |(word, at)| (word, Some(at)));
        let at = match at.map(|id| rules.named(id).ok_or(id)) {
            None => UnitId::NONE,
            Some(Ok(at)) if at == target => UnitId::NONE,
            Some(Ok(at)) => at,
            Some(Err(id)) => return refuse("no.unit", id),
        };
        let aimed = at.some().unwrap_or(target);
        let (weapon, ammo) = word.split_once(':').map_or((word, None), |(id, ammo)| (id, Some(ammo)));
        let (id, gun) = weapon.split_once('#').map_or((weapon, None), |(id, gun)| (id, Some(gun)));
        let Some(unit) = rules.named(id) else { return refuse("no.unit", id) };
        let gun = match gun {
            Some(name) => match arm_named(rules, unit, name) {
                Some(gun) => gun,
                None => return refuse("no.gun", word),
            },
            None => usual_gun(rules, s, unit, aimed),
        };
        let pinning = ammo.is_some_and(|word| matches!(word, "pin" | "pinning"));
        let ammo = if pinning { Some("gp") } else { ammo };
        let ammo = match ammo.map(|word| Ammo::parse(word).ok_or(word)) {
            Some(Ok(ammo)) => ammo,
            Some(Err(word)) => return refuse("no.ammo", word),
            None => usual_ammo(rules, unit, gun, aimed),
        };
        let unnamed = rules.advanced.is_some() && !weapon.contains('#');
        let gun = if unnamed { usual_arm(rules, s, unit, aimed, ammo) } else { gun };
        shots.push(Shot { unit, gun, ammo, at, pinning });
    }
    Ok(Action::Fire { target, shots })
}

/// The enemy unit of a hex, if there is only one.
fn only_enemy(rules: &Panzer, s: &State, side: Side, label: &str) -> Option<UnitId> {
    let hex = rules.field.find(label)?;
    let enemy = |unit: &UnitId| rules.vehicle(*unit).side != side && !s.unit(*unit).passenger();
    let mut here = s.in_hex(hex).filter(enemy);
    here.next().filter(|_| here.next().is_none())
}

/// `A1 A2 from 1H5 C1`: those before `from` advance to the hex, unless they are in it.
fn read_assault(rules: &Panzer, s: &State, target: UnitId, words: &[&str]) -> Result<Action, Refusal> {
    let mut attackers = Attackers::new();
    let mut run = 0;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "from" => {
                let label = words.next().copied().unwrap_or_default();
                let Some(hex) = rules.field.find(label) else { return refuse("no.hex", label) };
                for a in &mut attackers[run..] {
                    a.advance = if s.unit(a.unit).hex == hex { HexId::NONE } else { hex };
                }
                run = attackers.len();
            }
            "here" => run = attackers.len(),
            "and" => {}
            id => match rules.named(id) {
                Some(unit) => attackers.push(Attacker { unit, advance: HexId::NONE }),
                None => return refuse("no.unit", id),
            },
        }
    }
    Ok(Action::Assault { target, attackers })
}
