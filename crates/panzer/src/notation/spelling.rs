//! Other ways to write the same decision: the kind of a move or of an attack first, weapons and ammunition as words of
//! their own.

use super::arm_named;
use crate::{piece::Ammo, rules::Panzer, units::UnitId};

/// The words of a decision in the order in which [`super::read`] expects them.
pub(super) fn plain<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let with = |head: &[&'a str], rest: &[&'a str]| [head, rest].concat();
    match *words {
        ["close", "assault", ref rest @ ..]
        | ["hand", "to", "hand", ref rest @ ..]
        | ["hth" | "hand-to-hand" | "hand_to_hand" | "attack" | "assault", ref rest @ ..] => {
            match rest.iter().position(|word| *word == "->") {
                // `assault A1 A2 -> B`
                Some(at) if at > 0 && rest.len() == at + 2 => {
                    with(&["assault", rest[at + 1], "with"], &rest[..at])
                }
                _ => with(&["assault"], rest),
            }
        }
        // `command A1 A2 short halt`
        ["command", ref rest @ .., first, last] if rest.len() > 1 && two_words(first, last).is_some() => {
            let mut words = with(&["command"], rest);
            words.extend(two_words(first, last));
            words
        }
        // 6.2.1.1.3: several units share the Command anyway.
        ["command", ref rest @ .., "shared" | "together"] if rest.len() > 2 => with(&["command"], rest),
        ["crawl", id, ref rest @ ..] => with(&["move", id, "crawl"], rest),
        ["quickmarch" | "quick", id, ref rest @ ..] => with(&["move", id, "quick"], rest),
        ["reverse", id, ref rest @ ..] => with(&["move", id, "back"], rest),
        ["search", id, ref rest @ ..] => with(&["move", id, "search"], rest),
        ["face", id, facing] => vec!["turn", id, facing],
        ["unload" | "unlimber" | "unhitch" | "detach", ref rest @ ..] => with(&["dismount"], rest),
        // 6.6.7.1.1: a gun is limbered.
        ["tow" | "limber" | "hitch", gun, "with" | "to" | "behind", vehicle]
        | ["tow" | "limber" | "hitch", gun, vehicle] => vec!["mount", gun, vehicle],
        ["emergency", "bail", ref rest @ ..] => with(&["bail"], rest),
        ["call", point, "by", observer, ref rest @ ..] => with(&["call", observer, "on", point], rest),
        ["call", observer, point, ref rest @ ..] if point != "on" => match rest {
            ["with", ..] => with(&["call", observer, "on", point], rest),
            _ => with(&["call", observer, "on", point, "with"], rest),
        },
        ["direct", "fire", ref rest @ ..] => with(&["fire"], rest),
        [unit, "fires", "at", target] => vec!["fire", target, "with", unit],
        _ => words.to_vec(),
    }
}

/// A Command that is printed as two words.
fn two_words(first: &str, last: &str) -> Option<&'static str> {
    match (first.to_lowercase().as_str(), last.to_lowercase().as_str()) {
        ("short", "halt") => Some("short_halt"),
        ("no", "command") => Some("no_command"),
        _ => None,
    }
}

/// Shooters as `A#2:apcr`: `A weapon 2 ammo apcr`, `A apcr` and `A pzb39` say the same.
pub(super) fn shooters(rules: &Panzer, words: &[&str]) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let named =
        |word: &str| -> Option<UnitId> { rules.named(word.split(['#', ':', '>']).next().unwrap_or(word)) };
    let mut weapon = false;
    for word in words {
        let lower = word.to_lowercase();
        let Some(last) = list.last_mut().filter(|_| named(word).is_none()) else {
            list.push((*word).to_owned());
            continue;
        };
        let unit = named(last);
        match lower.as_str() {
            "ammo" => {}
            "weapon" | "gun" => weapon = true,
            _ if !weapon && Ammo::parse(&lower).is_some() => *last = format!("{last}:{lower}"),
            _ if weapon || unit.is_some_and(|unit| arm_named(rules, unit, word).is_some()) => {
                *last = format!("{last}#{word}");
                weapon = false;
            }
            _ => list.push((*word).to_owned()),
        }
    }
    list
}
