//! The text of a move, in both directions: `move A1 road 1H6 ne short 1H7`.

use hexgrid::{Direction, HexId};
use kernel::Refusal;

use crate::{
    action::{Action, Go, Move, Part, Plan},
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

use super::{facing_word, read_facing, refuse};

pub(super) fn write_move(rules: &Panzer, s: &State, order: &Move) -> String {
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
                // A turn before a step need not be written: it follows from the step.
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

/// By path and road, or across country.
pub(super) const fn way(along: bool) -> &'static str {
    if along { " road" } else { "" }
}

fn entry_facing(rules: &Panzer, s: &State, unit: UnitId) -> Direction {
    rules.entries[unit.index()].as_ref().map_or(s.unit(unit).facing, |gate| gate.facing)
}

pub(super) fn read_move(rules: &Panzer, s: &State, unit: UnitId, words: &[&str]) -> Result<Action, Refusal> {
    let (words, along) = match words {
        ["road" | "path" | "along" | "quick" | "quickmarch", rest @ ..]
        | [rest @ .., "road" | "path" | "along"] => (rest, true),
        // 6.6.4.3: a unit in Full Cover crawls; the word is optional.
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
    // `to C5 NE`, or a single distant hex: the cheapest path.
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
            // The last step may be written: it is the overrun.
            let written =
                hex == to && plan.len().checked_sub(1).and_then(|at| plan.get(at)) == Some(Part::Forward);
            if written {
                let steps: Vec<Part> = plan.iter().collect();
                plan = steps[..steps.len() - 1].iter().copied().collect();
            }
            let ahead = || hex.some().and_then(|hex| rules.field.board.direction_to(hex, to));
            let direction = if written { Some(facing) } else { ahead() };
            let Some(direction) = direction else { return refuse("no.not_adjacent", id) };
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
            let other = if *word == "dismount" { super::rider(rules, s, other) } else { other };
            let rest = words.as_slice();
            let (to, face, taken) = read_landing(rules, rest, hex, facing);
            let part = match *word {
                "mount" => Part::Mount(other),
                "dismount" => Part::Dismount { unit: other, hex: to, facing: face },
                _ => Part::Bail { unit: other, facing: face },
            };
            // A hex after `mount` is the next hex of the path; `bail` names no hex.
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
                    continue; // its present hex
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

/// `1H6 NE`, `1H6`, `NE` or nothing: where a passenger dismounts, its facing, and the number of words used. A hex not
/// followed by a facing belongs to it only if it is the last word.
pub(super) fn read_landing(
    rules: &Panzer,
    words: &[&str],
    hex: HexId,
    facing: Direction,
) -> (HexId, Direction, usize) {
    let label = words.first().and_then(|word| rules.field.find(word));
    let face = |at: usize| words.get(at).and_then(|word| read_facing(word));
    match (label, face(0), face(1)) {
        (Some(to), _, Some(face)) => (to, face, 2),
        (_, Some(face), _) => (hex, face, 1),
        (Some(to), None, None) if words.len() == 1 || words.get(1) == Some(&"assault") => (to, facing, 1),
        _ => (hex, facing, 0),
    }
}

/// The facing in which a hex is reached at the least cost, if possible that of arrival.
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
