//! Other ways to ask the same: several shooters at once, parts of a question in another order, other names.

use kernel::{Ask, Viewer};
use serde_json::Value;

use crate::{pack::advanced::Sheaf, rules::Panzer, state::State};

/// A question in the words that [`super::ask`] knows.
pub(super) fn plain(rules: &Panzer, question: &str) -> String {
    // 6.6.1: an assault by its other names.
    let assault = ["close assault ", "hth ", "hand to hand ", "hand-to-hand "];
    if let Some(rest) = assault.iter().find_map(|name| question.strip_prefix(name)) {
        return format!("assault {rest}");
    }
    let words: Vec<&str> = question.split_whitespace().collect();
    match words[..] {
        ["movement", ref rest @ ..] => format!("allowance {}", rest.join(" ")),
        ["sees", from] => format!("sight {from}"),
        // `can A spot B`, `does A see B`, `can A fire at B`, `can A move to C5`
        ["can" | "does", from, "spot", to] => format!("spot {from} {to}"),
        ["can" | "does", from, "see", to] => format!("sees {from} {to}"),
        ["can", from, "fire" | "shoot", "at", to] => fires(rules, from, to),
        ["can", from, "move" | "reach" | "go", ref rest @ ..] => format!("why {from} {}", rest.join(" ")),
        ["bail", "out", ref rest @ ..] | ["bailout" | "bail-out" | "bail_out", ref rest @ ..] => {
            format!("bail {}", rest.join(" "))
        }
        ["recover", ref rest @ ..] => format!("recovery {}", rest.join(" ")),
        // `pattern closed C5`
        ["pattern" | "sheaf", sheaf, point]
            if rules.field.find(sheaf).is_none() && Sheaf::parse(sheaf).is_some() =>
        {
            format!("pattern {point} {sheaf}")
        }
        // `response bat FO`: the source first.
        ["response", source, observer, ref rest @ ..]
            if rules.named(source).is_none() && rules.named(observer).is_some() =>
        {
            format!("response {observer} {source} {}", rest.join(" "))
        }
        _ => question.to_owned(),
    }
}

/// AP fire at a vehicle, GP fire at anything else.
fn fires(rules: &Panzer, from: &str, to: &str) -> String {
    let foot = rules.named(to).is_some_and(|unit| rules.advanced.is_some() && !rules.is_vehicle(unit));
    format!("{} {from} -> {to}", if foot { "gp" } else { "ap" })
}

/// `gp A+C -> B`: each shooter by itself, under its id.
pub(super) fn several(
    rules: &Panzer,
    s: &State,
    viewer: Viewer,
    question: &str,
) -> Option<Result<Value, Ask>> {
    let (kind, rest) = question.split_once(' ').filter(|(kind, _)| matches!(*kind, "ap" | "gp"))?;
    let (shooters, target) = rest.split_once("->")?;
    let shooters: Vec<&str> = shooters.split(['+', ',', ' ']).filter(|word| !word.is_empty()).collect();
    let id = |word: &'_ str| word.split(['#', ':']).next().unwrap_or_default().to_owned();
    if shooters.len() < 2 || shooters.iter().any(|word| rules.named(&id(word)).is_none()) {
        return None;
    }
    let mut answers = serde_json::Map::new();
    for shooter in shooters {
        match super::ask(rules, s, viewer, &format!("{kind} {shooter} -> {}", target.trim())) {
            Ok(answer) => answers.insert(id(shooter), answer),
            Err(why) => return Some(Err(why)),
        };
    }
    Some(Ok(Value::Object(answers)))
}
