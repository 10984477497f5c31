//! Other ways to write a line. Games read their canonical notation; a reader of a rulebook writes the same in other
//! orders and with other joining words. A line that a game does not understand is written anew here in the usual ways,
//! and the first that it does understand is taken.

/// What the words of a line can name.
pub trait Names {
    fn is_unit(&self, word: &str) -> bool;
    /// Where a unit is.
    fn place_of(&self, unit: &str) -> Option<String>;
}

/// Decisions aimed at something: the word that games use, and other forms of it.
const AIMED: [(&str, &[&str]); 3] = [
    ("attack", &["attack", "attacks"]),
    ("fire", &["fire", "fires", "shoot", "shoots"]),
    ("assault", &["assault", "assaults"]),
];
/// Decisions that lead somewhere.
const MOVES: [(&str, &[&str]); 4] = [
    ("move", &["move", "moves", "go", "goes"]),
    ("retreat", &["retreat", "retreats"]),
    ("advance", &["advance", "advances"]),
    ("withdraw", &["withdraw", "withdraws"]),
];
/// Between those who act and what they aim at.
const AT: [&str; 6] = ["->", "at", "against", "on", "upon", "to"];
/// Between what is aimed at and those who act.
const BY: [&str; 4] = ["with", "by", "from", "using"];
/// Whole lines that say that nothing more is done.
const DONE: [&str; 11] = [
    "pass",
    "end",
    "end phase",
    "end turn",
    "end movement",
    "end combat",
    "finish",
    "skip",
    "next",
    "nothing",
    "no attack",
];
/// Beginnings of lines.
const SYNONYMS: [(&str, &str); 14] = [
    ("break down", "breakdown"),
    ("no attacks", "done"),
    ("no artillery", "no support"),
    ("no defensive artillery", "no support"),
    ("no defensive support", "no support"),
    ("no fire fight", "engage"),
    ("decline fire fight", "engage"),
    ("do not press", "engage"),
    ("fire fight", "press"),
    ("no determined defense", "give way"),
    ("decline determined defense", "give way"),
    ("determined defense", "stand"),
    ("do not advance", "stay"),
    ("no advance", "stay"),
];

/// The words of a line, without brackets, commas, `and` and `the`; arrows stand alone.
fn words(line: &str) -> Vec<String> {
    let mut text = String::with_capacity(line.len() + 8);
    for c in line.replace("->", "→").replace("=>", "→").chars() {
        match c {
            '→' => text.push_str(" -> "),
            '(' | ')' | '[' | ']' | ',' | '+' | '&' | ';' | '?' => text.push(' '),
            c => text.push(c),
        }
    }
    text.split_whitespace()
        .map(|word| word.trim_end_matches([':', '.']).to_owned())
        .filter(|word| !word.is_empty() && !is_one_of(word, &["and", "the"]))
        .collect()
}

fn is_place(word: &str, names: &impl Names) -> bool {
    !names.is_unit(word)
        && word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'/')
}

fn known(word: &str, list: &[(&'static str, &[&str])]) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    list.iter().find(|(_, forms)| forms.contains(&word.as_str())).map(|(verb, _)| *verb)
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// Splits off the units at the beginning.
fn units<'a>(words: &'a [String], names: &impl Names) -> (&'a [String], &'a [String]) {
    words.split_at(words.iter().position(|word| !names.is_unit(word)).unwrap_or(words.len()))
}

/// `attack A B -> 1313`, `A and B attack 1313`, `attack 1313: A, B`: `attack 1313 with A B`.
fn aimed(words: &[String], names: &impl Names, out: &mut Vec<String>) {
    let (first, rest) = units(words, names);
    let Some((verb, rest)) = rest.split_first() else { return };
    let Some(verb) = known(verb, &AIMED) else { return };
    let (acting, target, more): (&[String], _, _) = if first.is_empty() {
        let (named, after) = units(rest, names);
        match after.split_first() {
            // Those who act come first.
            Some((at, after)) if !named.is_empty() && is_one_of(at, &AT) => match after.split_first() {
                Some((target, more)) => (named, target, more),
                None => return,
            },
            // What is aimed at comes first: a place, or a unit.
            _ => {
                let rest =
                    if rest.first().is_some_and(|word| is_one_of(word, &AT)) { &rest[1..] } else { rest };
                let Some((target, after)) = rest.split_first() else { return };
                let skip = usize::from(after.first().is_some_and(|word| is_one_of(word, &BY)));
                let (acting, more) = units(&after[skip..], names);
                (acting, target, more)
            }
        }
    } else {
        let skip = usize::from(rest.first().is_some_and(|word| is_one_of(word, &AT)));
        let Some((target, more)) = rest[skip..].split_first() else { return };
        (first, target, more)
    };
    if acting.is_empty() {
        return;
    }
    // `with artillery G`: the word alone says it.
    let skip = usize::from(more.len() > 1 && is_one_of(&more[0], &BY));
    let (acting, more) = (acting.join(" "), more[skip..].join(" "));
    let line = |target: &str| format!("{verb} {target} with {acting} {more}").trim_end().to_owned();
    let mut push = |target: &str| out.push(line(target));
    push(target);
    if let Some(place) = names.place_of(target).filter(|_| names.is_unit(target)) {
        push(&place);
    }
}

/// `A moves to 1113`, `tactical move A 1113`, `move A 1213 -> 1113 (tactical)`: `move A 1113 tactical`.
fn moved(words: &[String], names: &impl Names, out: &mut Vec<String>) {
    let (first, rest) = units(words, names);
    let (verb, acting, way): (&str, &[String], Vec<String>) = match rest {
        [verb, way @ ..] if known(verb, &MOVES).is_some() => {
            let verb = known(verb, &MOVES).unwrap_or_default();
            if first.is_empty() {
                let (acting, way) = units(way, names);
                (verb, acting, way.to_vec())
            } else {
                (verb, first, way.to_vec())
            }
        }
        [mode, verb, way @ ..] if first.is_empty() && known(verb, &MOVES) == Some("move") => {
            let (acting, way) = units(way, names);
            ("move", acting, way.iter().chain([mode]).cloned().collect())
        }
        // `A to 1113`, `A: 1113`
        [to, ..] if !first.is_empty() && (is_one_of(to, &AT) || is_place(to, names)) => {
            ("move", first, rest.to_vec())
        }
        _ => return,
    };
    if acting.is_empty() {
        return;
    }
    let joins =
        |word: &String| is_one_of(word, &AT) || is_one_of(word, &BY) || is_one_of(word, &["movement", "via"]);
    // `1213-1113-1112`: hexes one after the other.
    let split = |word: String| -> Vec<String> {
        let hexes: Vec<&str> = word.split('-').collect();
        if hexes.len() > 1 && !names.is_unit(&word) && hexes.iter().all(|hex| is_place(hex, names)) {
            hexes.into_iter().map(str::to_owned).collect()
        } else {
            vec![word]
        }
    };
    let way: Vec<String> = way.into_iter().filter(|word| !joins(word)).flat_map(split).collect();
    // The way first, then how.
    let (places, how): (Vec<_>, Vec<_>) = way.into_iter().partition(|word| is_place(word, names));
    let rest = places.into_iter().chain(how.into_iter().map(|word| word.to_ascii_lowercase()));
    let rest: Vec<String> = rest.collect();
    out.push(format!("{verb} {} {}", acting.join(" "), rest.join(" ")).trim_end().to_owned());
}

/// Other ways to write a decision, in the order in which they are tried.
pub fn decisions(line: &str, names: &impl Names) -> Vec<String> {
    let words = words(line);
    let plain = words.join(" ");
    let lower = plain.to_ascii_lowercase();
    let mut out = Vec::new();
    if DONE.contains(&lower.as_str()) {
        out.push("done".to_owned());
    }
    for (from, to) in SYNONYMS {
        if let Some(rest) = lower.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            let rest = plain[plain.len() - rest.len()..].trim();
            out.push(format!("{to} {rest}").trim_end().to_owned());
            if matches!(to, "press" | "stand") && !rest.is_empty() {
                let unit = rest.trim_start_matches("by ").trim_start_matches("with ");
                out.push(format!("{to} lead {unit}"));
            }
        }
    }
    if let [verb, unit] = &words[..]
        && is_one_of(verb, &["press", "stand"])
        && names.is_unit(unit)
    {
        out.push(format!("{verb} lead {unit}"));
    }
    aimed(&words, names, &mut out);
    moved(&words, names, &mut out);
    out.push(plain);
    out.retain(|text| text != line);
    out
}

/// Other ways to write a question.
pub fn questions(line: &str, names: &impl Names) -> Vec<String> {
    let words = words(line);
    let Some((ask, rest)) = words.split_first() else { return Vec::new() };
    let mut out = Vec::new();
    let lower = ask.to_ascii_lowercase();
    let ask = match lower.as_str() {
        "path" => "cost",
        "results" | "chances" => "outcomes",
        "range" => "distance",
        other => other,
    };
    // `odds 1313 with A B artillery G`: `odds A+B -> 1313 artillery G`.
    let (first, after) = units(rest, names);
    let (acting, target, more): (&[String], Option<&String>, &[String]) = match after {
        [arrow, target, more @ ..] if !first.is_empty() && is_one_of(arrow, &AT) => {
            (first, Some(target), more)
        }
        [target, by, more @ ..] if first.is_empty() && is_one_of(by, &BY) => {
            let (acting, more) = units(more, names);
            (acting, Some(target), more)
        }
        _ => (first, None, after),
    };
    match target.filter(|_| !acting.is_empty()) {
        Some(target) => {
            let (acting, more) = (acting.join("+"), more.join(" "));
            let line = |target: &str| format!("{ask} {acting} -> {target} {more}").trim_end().to_owned();
            let mut push = |target: &str| out.push(line(target));
            push(target);
            if let Some(place) = names.place_of(target).filter(|_| names.is_unit(target)) {
                push(&place);
            }
        }
        None => {
            let plain = [&[ask.to_owned()], rest].concat().join(" ");
            out.extend([plain.clone(), plain.to_ascii_lowercase()]);
        }
    }
    out.retain(|text| text != line);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl Names for Two {
        fn is_unit(&self, word: &str) -> bool {
            matches!(word, "A" | "B" | "C" | "G")
        }
        fn place_of(&self, unit: &str) -> Option<String> {
            (unit == "C").then(|| "1313".to_owned())
        }
    }

    #[test]
    fn an_attack_in_any_order() {
        for line in [
            "attack A B -> 1313",
            "attack A+B to 1313",
            "A and B attack 1313",
            "A, B attacks 1313",
            "attack 1313: A B",
            "attack 1313 by A, B",
            "attack 1313 from A B",
            "attack C with A B",
            "attack 1313 using (A B)",
        ] {
            let found = decisions(line, &Two);
            assert!(found.iter().any(|text| text == "attack 1313 with A B"), "{line}: {found:?}");
        }
        assert!(
            decisions("attack 1313 with A with artillery G", &Two)
                .contains(&"attack 1313 with A artillery G".to_owned())
        );
        assert!(decisions("A fires at B", &Two).contains(&"fire B with A".to_owned()));
    }

    #[test]
    fn a_move_in_any_order() {
        for line in [
            "tactical move A 1113",
            "A moves to 1113 (tactical)",
            "move A 1113 using tactical movement",
            "move A by Tactical movement 1113",
        ] {
            let found = decisions(line, &Two);
            assert!(found.iter().any(|text| text == "move A 1113 tactical"), "{line}: {found:?}");
        }
        for line in ["move A 1213 -> 1113", "move A 1213-1113", "A: 1213, 1113", "A to 1213 1113"] {
            let found = decisions(line, &Two);
            assert!(found.iter().any(|text| text == "move A 1213 1113"), "{line}: {found:?}");
        }
        assert!(decisions("A moves 1213-1113-1112", &Two).contains(&"move A 1213 1113 1112".to_owned()));
    }

    #[test]
    fn plain_answers() {
        assert!(decisions("end phase", &Two).contains(&"done".to_owned()));
        assert!(decisions("break down A", &Two).contains(&"breakdown A".to_owned()));
        assert!(decisions("Determined Defense C", &Two).contains(&"stand lead C".to_owned()));
        assert!(decisions("press A", &Two).contains(&"press lead A".to_owned()));
        assert!(decisions("no advance", &Two).contains(&"stay".to_owned()));
        // What is no such line stays without another spelling of it.
        assert!(!decisions("passage A", &Two).contains(&"done".to_owned()));
    }

    #[test]
    fn questions_in_any_order() {
        for line in [
            "odds A and B -> 1313",
            "odds 1313 with A B",
            "odds A, B -> C",
            "odds A B at 1313",
            "Odds A+B->1313?",
        ] {
            let found = questions(line, &Two);
            assert!(found.iter().any(|text| text == "odds A+B -> 1313"), "{line}: {found:?}");
        }
        assert!(
            questions("odds A -> 1313 (artillery G)", &Two)
                .contains(&"odds A -> 1313 artillery G".to_owned())
        );
        assert!(questions("ZOC German", &Two).contains(&"zoc german".to_owned()));
    }
}
