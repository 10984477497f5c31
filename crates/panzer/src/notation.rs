//! The canonical notation, both ways (`docs/NOTATION.md`). Reading is generous: several ways to write a thing are
//! understood, one is written.

use hexgrid::{Direction, HexId};
use kernel::{Message, Refusal};

use crate::{
    action::{Action, CallOrder, Go, Move, Part, Plan, Shot, Shots},
    assault::{Attacker, Attackers},
    fire::shot_words,
    indirect::Source,
    pack::{Side, advanced::Angle},
    piece::Ammo,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

/// A facing as answers give it: `N`, `NE`, `SE`, `S`, `SW`, `NW`.
pub fn facing_name(facing: Direction) -> &'static str {
    const NAMES: [&str; 6] = ["N", "NE", "SE", "S", "SW", "NW"];
    NAMES[facing.index()]
}

/// The word of the notation, which is lower case like every other.
pub(crate) fn facing_word(facing: Direction) -> &'static str {
    const WORDS: [&str; 6] = ["n", "ne", "se", "s", "sw", "nw"];
    WORDS[facing.index()]
}

/// Reads a facing: a point of the compass in upper or lower case, or 1 to 6 clockwise from north.
pub fn read_facing(text: &str) -> Option<Direction> {
    if let Some(n) = text.parse::<usize>().ok().filter(|n| (1..=6).contains(n)) {
        return Some(Direction::from_index(n - 1));
    }
    Direction::ALL.into_iter().find(|d| facing_name(*d).eq_ignore_ascii_case(text))
}

/// A Command as lab files and people write it.
pub fn read_command(text: &str) -> Option<Command> {
    match text.to_lowercase().replace([' ', '-'], "_").as_str() {
        "fire" | "f" => Some(Command::Fire),
        "move" | "m" => Some(Command::Move),
        "short_halt" | "shorthalt" | "sh" => Some(Command::ShortHalt),
        "overwatch" | "ow" => Some(Command::Overwatch),
        "no_command" | "none" | "nc" | "n/c" => Some(Command::NoCommand),
        _ => None,
    }
}

pub fn write(rules: &Panzer, s: &State, action: &Action) -> String {
    match action {
        Action::Done => "done".into(),
        Action::Deploy => "deploy".into(),
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
            // With its hex, where one points to choose the facing.
            let label = s.unit(*unit).hex.some().map_or("", |hex| rules.field.label(hex));
            format!("pivot {} {label} {}", rules.id(*unit), facing_word(*facing)).replace("  ", " ")
        }
        Action::Cover { unit, on } => format!("cover {} {}", rules.id(*unit), if *on { "on" } else { "off" }),
        Action::Assault { target, attackers } => write_assault(rules, *target, attackers),
        Action::Call(order) => crate::notation_call::write(rules, order),
        Action::Mission { id, go: true, smoke } => {
            format!("continue M{id} {}", if *smoke { "smoke" } else { "gp" })
        }
        Action::Mission { id, go: false, .. } => format!("check M{id}"),
        Action::Plot(plot) => crate::notation_plot::write(rules, plot),
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
        | Action::FlyTurn { .. }
        | Action::Acquire(_)
        | Action::AirAttack { .. }
        | Action::Aa(_) => crate::notation_air::write(rules, action),
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

fn write_move(rules: &Panzer, s: &State, order: &Move) -> String {
    let mut text = format!("move {}{}", rules.id(order.unit), way(order.along));
    let mut say = |word: &str| {
        text.push(' ');
        text.push_str(word);
    };
    let u = s.unit(order.unit);
    let (mut hex, mut facing) = (u.hex, u.facing);
    let (mut inside, mut up) = (u.is(Flags::INSIDE), u.is(Flags::UP));
    if let Some(entry) = order.entry.some() {
        say(rules.field.label(entry));
        (hex, facing) = (entry, entry_facing(rules, s, order.unit));
    }
    let parts: Vec<Part> = order.plan.iter().collect();
    for (n, part) in parts.iter().enumerate() {
        match part {
            Part::Turn(to) => {
                facing = *to;
                // A turn before a step is understood from where the step goes.
                if !matches!(parts.get(n + 1), Some(Part::Forward | Part::Back | Part::Overrun(_)))
                    || hex == HexId::NONE
                {
                    say("face");
                    say(facing_word(facing));
                }
            }
            Part::Forward | Part::Back => {
                let back = *part == Part::Back;
                let direction = if back { facing.opposite() } else { facing };
                let to = hex.some().and_then(|hex| rules.field.neighbour(hex, direction));
                if back {
                    say("back");
                }
                match to {
                    Some(to) => {
                        say(rules.field.label(to));
                        hex = to;
                    }
                    None => {
                        say(if back { "astern" } else { "ahead" });
                        hex = HexId::NONE;
                    }
                }
            }
            Part::Exit { back } => {
                if *back {
                    say("back");
                }
                say("exit");
                hex = HexId::NONE;
            }
            Part::Mount(other) => {
                say("mount");
                say(rules.id(*other));
            }
            Part::Dismount { unit, hex, facing } => {
                say("dismount");
                say(rules.id(*unit));
                say(rules.field.label(*hex));
                say(facing_word(*facing));
            }
            Part::Overrun(target) => {
                say("overrun");
                say(rules.id(*target));
                hex = s.unit(*target).hex;
            }
            Part::Assault(target) => {
                say("assault");
                say(rules.id(*target));
            }
            Part::Search { partial, reverse, facing: to } => {
                say("search");
                say(if *partial { "phd" } else { "hd" });
                if *reverse {
                    say("reverse");
                }
                say(facing_word(*to));
                facing = *to;
            }
            Part::Bail { unit, facing } => {
                say("bail");
                say(rules.id(*unit));
                say(facing_word(*facing));
            }
            Part::Door => {
                say(if inside { "leave" } else { "enter" });
                inside = !inside;
            }
            Part::Floor => {
                say(if up { "down" } else { "up" });
                up = !up;
            }
            Part::Partly => say("phd"),
        }
    }
    text
}

/// Runs of attackers that go to the same hex; `here` ends a run that stays where it is, if others follow.
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

/// By path and road, or across country.
const fn way(along: bool) -> &'static str {
    if along { " road" } else { "" }
}

fn entry_facing(rules: &Panzer, s: &State, unit: UnitId) -> Direction {
    rules.entries[unit.index()].as_ref().map_or(s.unit(unit).facing, |gate| gate.facing)
}

pub(crate) fn refuse<T>(key: &'static str, text: &str) -> Result<T, Refusal> {
    Err(Refusal::plain(Message::new(key).text("text", text)))
}

pub fn read(rules: &Panzer, s: &State, side: Side, text: &str) -> Result<Action, Refusal> {
    let spaced = text.replace("->", " -> ").replace([',', '+'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if let Some(action) = crate::notation_air::read(rules, s, &words) {
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
    let facing = |word: &str| match read_facing(word) {
        Some(facing) => Ok(facing),
        None => refuse("no.facing", word),
    };
    Ok(match words[..] {
        ["done" | "pass" | "commit"] => Action::Done,
        ["deploy"] => Action::Deploy,
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
            let order = CallOrder::new(observer, hex(label)?);
            Action::Call(crate::notation_call::read(rules, order, rest)?)
        }
        ["adjust", mission, "to", label, ref rest @ ..] => {
            let id = crate::notation_call::mission(mission)?;
            let Some(m) = rules.mission(s, id) else { return refuse("no.mission", mission) };
            let order = CallOrder {
                sources: m.sources.clone(),
                sheaf: m.sheaf,
                direction: m.direction,
                smoke: m.smoke,
                light: m.light,
                adjusts: id,
                ..CallOrder::new(m.observer, hex(label)?)
            };
            Action::Call(crate::notation_call::read(rules, order, rest)?)
        }
        ["continue", mission, ref shell @ ..] => {
            let id = crate::notation_call::mission(mission)?;
            let smoke = match shell {
                ["smoke"] => true,
                ["gp"] => false,
                _ => rules.mission(s, id).is_some_and(|m| m.smoke),
            };
            Action::Mission { id, go: true, smoke }
        }
        ["check", mission] => {
            Action::Mission { id: crate::notation_call::mission(mission)?, go: false, smoke: false }
        }
        ["plot", name, ref rest @ ..] => {
            Action::Plot(Box::new(crate::notation_plot::read(rules, name, rest)?))
        }
        ["register", name, label] => {
            Action::Register { battery: crate::notation_plot::battery(rules, name)?, point: hex(label)? }
        }
        ["announce", name] | ["announce", name, "early" | "now" | "late"] => {
            Action::Announce { battery: crate::notation_plot::battery(rules, name)? }
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
            let (target, unit) = (unit(target)?, unit(id)?);
            let (hex, facing, taken) = read_landing(rules, rest, s.unit(unit).hex, s.unit(unit).facing);
            if taken < rest.len() {
                return refuse("kernel.bad_notation", text);
            }
            Action::DismountAssault { unit, hex, facing, target }
        }
        ["dismount", id, ref rest @ ..] => {
            let unit = unit(id)?;
            let (hex, facing, taken) = read_landing(rules, rest, s.unit(unit).hex, s.unit(unit).facing);
            if taken < rest.len() {
                return refuse("kernel.bad_notation", text);
            }
            Action::Dismount { unit, hex, facing }
        }
        // `bail D1 NE`: in the move of its vehicle, which then goes on as planned.
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
fn read_fire(rules: &Panzer, s: &State, _side: Side, words: &[&str]) -> Result<Action, Refusal> {
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
    let Some(target) = rules.named(target) else { return refuse("no.unit", target) };
    let mut shots = Shots::new();
    for word in shooters {
        // `A#2:gp>C`: this weapon at another target (5.14).
        let (word, at) = word.split_once('>').map_or((*word, None), |(word, at)| (word, Some(at)));
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
            Some(number) => match number.parse::<u8>().ok().and_then(|n| n.checked_sub(1)) {
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

/// AP at vehicles where the weapon has it, else GP (6.5.2, 6.5.4).
pub fn usual_ammo(rules: &Panzer, unit: UnitId, gun: u8, target: UnitId) -> Ammo {
    let Some(piece) = rules.piece(unit) else { return Ammo::Ap };
    let arms = || piece.arms.iter();
    let ap = rules.ap_row(unit, gun, Ammo::Ap).is_some()
        || arms().enumerate().any(|(n, _)| rules.ap_row(unit, n as u8, Ammo::Ap).is_some());
    let heat = arms().enumerate().any(|(n, _)| rules.ap_row(unit, n as u8, Ammo::Heat).is_some());
    match () {
        () if !rules.is_vehicle(target) => Ammo::Gp,
        () if ap => Ammo::Ap,
        () if heat => Ammo::Heat,
        () => Ammo::Gp,
    }
}

/// The first weapon that has the ammunition, bears on the target and reaches it; else the first that has it.
pub fn usual_arm(rules: &Panzer, s: &State, unit: UnitId, target: UnitId, ammo: Ammo) -> u8 {
    let (from, to) = (s.unit(unit).hex, s.unit(target).hex);
    let count = rules.vehicle(unit).guns.len() as u8;
    let has = |gun: &u8| match ammo {
        Ammo::Gp => rules.gp_row(s, unit, *gun).is_some(),
        ammo => rules.ap_row(unit, *gun, ammo).is_some(),
    };
    let able = |gun: &u8| {
        if from == HexId::NONE || to == HexId::NONE {
            return false;
        }
        let range = rules.field.range(from, to);
        let reaches = match ammo {
            Ammo::Gp => rules.gp_row(s, unit, *gun).is_some_and(|row| row.at(range.max(1)).is_some()),
            ammo => rules.ap_row(unit, *gun, ammo).is_some_and(|row| row.factor(range).is_some()),
        };
        reaches && rules.gun(unit, *gun).is_some_and(|gun| rules.bears(s, unit, gun, to))
    };
    (0..count).find(able).or_else(|| (0..count).find(has)).unwrap_or(0)
}

/// The first gun that bears on the target and reaches it; else the first.
pub fn usual_gun(rules: &Panzer, s: &State, unit: UnitId, target: UnitId) -> u8 {
    let (from, to) = (s.unit(unit).hex, s.unit(target).hex);
    if from == HexId::NONE || to == HexId::NONE {
        return 0;
    }
    let range = rules.field.range(from, to);
    let guns = &rules.vehicle(unit).guns;
    let able = guns.iter().position(|gun| gun.maximum_range() >= range && rules.bears(s, unit, gun, to));
    able.unwrap_or(0) as u8
}

fn read_move(rules: &Panzer, s: &State, unit: UnitId, words: &[&str]) -> Result<Action, Refusal> {
    let (words, along) = match words {
        ["road" | "path" | "along" | "quick" | "quickmarch", rest @ ..]
        | [rest @ .., "road" | "path" | "along"] => (rest, true),
        // 6.6.4.3: whoever is in Full Cover crawls; the word may be written.
        ["crawl", rest @ ..] => (rest, false),
        _ => (words, false),
    };
    let u = s.unit(unit);
    let hex_of = |label: &str| match rules.field.find(label) {
        Some(hex) => Ok(hex),
        None => refuse("no.hex", label),
    };
    let (mut hex, mut facing, mut entry) = (u.hex, u.facing, HexId::NONE);
    let mut words = words;
    if hex == HexId::NONE
        && let [first, rest @ ..] = words
        && *first != "to"
        && *first != "face"
    {
        entry = hex_of(first)?;
        (hex, facing) = (entry, entry_facing(rules, s, unit));
        words = rest;
    }
    // `to C5 NE`, or one far hex: the cheapest way.
    let far = match words {
        ["to", label, rest @ ..] => Some((hex_of(label)?, rest)),
        [label, rest @ ..] if rest.len() <= 2 && (rest.is_empty() || matches!(rest, ["face", _])) => {
            let to =
                rules.field.find(label).filter(|to| hex != HexId::NONE && rules.field.range(hex, *to) > 1);
            to.map(|to| (to, rest))
        }
        _ => None,
    };
    if let Some((to, rest)) = far {
        let facing = match rest {
            [] => None,
            [word] | ["face" | "facing", word] => match read_facing(word) {
                Some(facing) => Some(facing),
                None => return refuse("no.facing", word),
            },
            _ => return refuse("kernel.bad_notation", &words.join(" ")),
        };
        let facing = facing.unwrap_or_else(|| cheapest_facing(rules, s, unit, along, entry, to));
        return Ok(Action::Go(Go { unit, along, entry, to, facing }));
    }
    let mut plan = Plan::default();
    let mut back = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if *word == "search" {
            let rest = words.as_slice();
            let partial = matches!(rest.first(), Some(&"phd" | &"partial"));
            let mut taken = usize::from(matches!(rest.first(), Some(&"hd" | &"phd" | &"partial" | &"full")));
            let reverse = rest.get(taken) == Some(&"reverse");
            taken += usize::from(reverse || rest.get(taken) == Some(&"forward"));
            let to = rest.get(taken).and_then(|word| read_facing(word));
            taken += usize::from(to.is_some());
            facing = to.unwrap_or(facing);
            words = rest[taken..].iter();
            if !plan.push(Part::Search { partial, reverse, facing }) {
                return refuse("no.too_long", word);
            }
            continue;
        }
        if *word == "overrun" {
            let id = words.next().copied().unwrap_or_default();
            let Some(target) = rules.named(id) else { return refuse("no.unit", id) };
            let to = s.unit(target).hex;
            let Some(direction) = hex.some().and_then(|hex| rules.field.board.direction_to(hex, to)) else {
                return refuse("no.not_adjacent", id);
            };
            let turned = direction == facing || plan.push(Part::Turn(direction));
            (hex, facing) = (to, direction);
            if !turned || !plan.push(Part::Overrun(target)) {
                return refuse("no.too_long", word);
            }
            continue;
        }
        if *word == "assault" {
            let id = words.next().copied().unwrap_or_default();
            let Some(target) = rules.named(id) else { return refuse("no.unit", id) };
            if !plan.push(Part::Assault(target)) {
                return refuse("no.too_long", word);
            }
            continue;
        }
        if matches!(*word, "mount" | "dismount" | "bail") {
            let id = words.next().copied().unwrap_or_default();
            let Some(other) = rules.named(id) else { return refuse("no.unit", id) };
            let rest = words.as_slice();
            let (to, face, taken) = read_landing(rules, rest, hex, facing);
            let part = match *word {
                "mount" => Part::Mount(other),
                "dismount" => Part::Dismount { unit: other, hex: to, facing: face },
                _ => Part::Bail { unit: other, facing: face },
            };
            // A hex after `mount` is the next hex of the way; `bail` names no hex.
            let taken = match *word {
                "mount" => 0,
                "bail" if to != hex => 0,
                _ => taken,
            };
            words = rest[taken..].iter();
            if !plan.push(part) {
                return refuse("no.too_long", word);
            }
            continue;
        }
        let begun = !plan.is_empty();
        let mut add = |part: Part| if plan.push(part) { Ok(()) } else { refuse("no.too_long", word) };
        match *word {
            "back" | "reverse" => back = true,
            "face" | "facing" => {
                let name = words.next().copied().unwrap_or_default();
                let Some(to) = read_facing(name) else { return refuse("no.facing", name) };
                if to != facing {
                    add(Part::Turn(to))?;
                    facing = to;
                }
            }
            "enter" | "inside" | "leave" | "outside" => add(Part::Door)?,
            "up" | "down" | "roof" | "upstairs" | "downstairs" => add(Part::Floor)?,
            "phd" | "partly" => add(Part::Partly)?,
            "exit" | "out" => {
                add(Part::Exit { back: std::mem::take(&mut back) })?;
                hex = HexId::NONE;
            }
            "ahead" | "astern" => {
                add(if *word == "ahead" { Part::Forward } else { Part::Back })?;
                (hex, back) = (HexId::NONE, false);
            }
            label => {
                let to = hex_of(label)?;
                if to == hex && !begun {
                    continue; // where it stands
                }
                let Some(direction) = hex.some().and_then(|hex| rules.field.board.direction_to(hex, to))
                else {
                    return refuse("no.not_adjacent", label);
                };
                let face = if back { direction.opposite() } else { direction };
                if face != facing {
                    add(Part::Turn(face))?;
                    facing = face;
                }
                add(if std::mem::take(&mut back) { Part::Back } else { Part::Forward })?;
                hex = to;
            }
        }
    }
    Ok(Action::Move(Move { unit, along, entry, plan }))
}

/// `1H6 NE`, `1H6`, `NE` or nothing: where a passenger gets off, how it faces, and how many words that took. A hex that a
/// facing does not follow belongs to it only if nothing follows.
fn read_landing(rules: &Panzer, words: &[&str], hex: HexId, facing: Direction) -> (HexId, Direction, usize) {
    let label = words.first().and_then(|word| rules.field.find(word));
    let face = |at: usize| words.get(at).and_then(|word| read_facing(word));
    match (label, face(0), face(1)) {
        (Some(to), _, Some(face)) => (to, face, 2),
        (_, Some(face), _) => (hex, face, 1),
        (Some(to), None, None) if words.len() == 1 || words.get(1) == Some(&"assault") => (to, facing, 1),
        _ => (hex, facing, 0),
    }
}

/// The facing in which a hex is reached at the least cost: as it comes, if it does.
fn cheapest_facing(
    rules: &Panzer,
    s: &State,
    unit: UnitId,
    along: bool,
    entry: HexId,
    to: HexId,
) -> Direction {
    let walking = s.walk.active && s.walk.unit == unit;
    let start = if walking { Ok(rules.walking(s)) } else { rules.start(s, unit, along, entry) };
    let Ok(start) = start else { return s.unit(unit).facing };
    if start.hex == HexId::NONE {
        return s.unit(unit).facing;
    }
    crate::movement::reach::with_reach(rules, s, &start, |reach| {
        let cost = |facing: &Direction| {
            reach.cost(rules, s, to, *facing).map(|cost| (cost, start.facing.angle_to(*facing)))
        };
        let reached = Direction::ALL.into_iter().filter_map(|facing| Some((cost(&facing)?, facing)));
        reached.min_by_key(|(cost, _)| *cost).map_or(start.facing, |(_, facing)| facing)
    })
}
