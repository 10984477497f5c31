//! Every message that the program can show exists in all three languages: the keys are collected from the code.

use std::{collections::BTreeSet, fs, path::Path};

use ardennes::{
    Ardennes44,
    action::Mode,
    flags::Flags,
    pack::{Terrain, UnitType},
    phase::Phase,
};
use kernel::{Catalog, Game, catalog::LANGUAGES};

/// The code without its comments, file by file.
fn sources(dir: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).expect("the sources are in the repository").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
            out.push((path.display().to_string(), code.join(" ")));
        }
    }
}

/// The string literals of a piece of code, each with the code between it and the previous one.
fn literals(code: &str) -> Vec<(&str, &str)> {
    let mut parts = code.split('"');
    let mut list = Vec::new();
    let mut between = parts.next().unwrap_or("");
    while let Some(literal) = parts.next() {
        list.push((between, literal));
        between = parts.next().unwrap_or("");
    }
    list
}

fn is_key(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'.')
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('.')
}

fn is_rule(text: &str) -> bool {
    text == "-"
        || text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// First parts of keys that appear in the code in full.
const TABLES: &[&str] = &[
    "no",
    "log",
    "prompt",
    "roll",
    "side",
    "turn",
    "ground",
    "sky",
    "bridge",
    "map",
    "marker",
    "terrain",
    "sheet",
    "slot",
    "panel",
    "elimination",
    "game",
];

fn wanted() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut keys = BTreeSet::new();
    for (name, code) in &files {
        if name.contains("/pack/") {
            continue;
        }
        let list = literals(code);
        for pair in list.windows(2) {
            let ((_, rule), (between, key)) = (pair[0], pair[1]);
            // `no("10.2", "bond.hex")`, `Bar::unit("11.1", "points")`, `("7.6", "bridge.tried")`
            if is_rule(rule) && between.trim() == "," && is_key(key) && !name.ends_with("event.rs") {
                keys.insert(format!("no.{key}"));
                // A player who gets the refusal can look up the rule.
                if rule != "-" {
                    keys.extend(["title", "text"].map(|part| format!("rule.{rule}.{part}")));
                }
            }
        }
        for (before, literal) in list {
            let table = literal.split('.').next().unwrap_or("");
            if is_key(literal)
                && literal.contains('.')
                && TABLES.contains(&table)
                && !keys.contains(&format!("no.{literal}"))
            {
                keys.insert(literal.to_owned());
            }
            // `no("fire_fight.lead")` if the rule is given before.
            if before.trim_end().ends_with("no(") && is_key(literal) {
                keys.insert(format!("no.{literal}"));
            }
            // `key("moved")` of the battle report.
            if name.ends_with("report.rs") && before.trim_end().ends_with("key(") && is_key(literal) {
                keys.insert(format!("log.{literal}"));
            }
        }
    }
    // Two literals of a choice follow `key(if …`.
    for key in [
        "ip.finished",
        "ip.started",
        "traffic.placed",
        "traffic.removed",
        "dump.real",
        "dump.dummy",
        "step.move",
    ] {
        keys.insert(format!("log.{key}"));
    }
    // Keys that occur with a rule only in the tables of the battle report are not refusals.
    keys.retain(|key| key != "no.off_map" || files.iter().any(|(_, code)| code.contains("\"off_map\"")));
    keys.extend(Phase::ALL.map(|phase| format!("phase.{}", phase.key())));
    keys.extend(Mode::ALL.map(|mode| format!("mode.{}", mode.word())));
    keys.extend(Flags::NAMED.iter().map(|(_, name)| format!("state.{name}")));
    keys.extend(Terrain::ALL.map(|terrain| format!("terrain.{}", terrain.key())));
    keys.extend((1..=34).flat_map(|n| [format!("rule.{n}.title"), format!("rule.{n}.text")]));
    assert_eq!(UnitType::ALL.len(), 8);
    keys
}

#[test]
fn every_key_of_the_code_has_words_in_every_language() {
    let game = Ardennes44::new().expect("the shipped pack loads");
    let mut keys = wanted();
    let info = game.info();
    keys.extend([info.name.clone(), info.about.clone()]);
    keys.extend(info.seats.iter().map(|seat| seat.name.clone()));
    keys.extend(info.scenarios.iter().flat_map(|s| [s.name.clone(), s.about.clone()]));
    keys.extend(info.options.iter().map(|option| option.name.clone()));
    keys.extend(info.overlays.iter().map(|overlay| overlay.name.clone()));
    assert!(keys.len() > 350, "only {} keys were found: does the search still work?", keys.len());
    for language in LANGUAGES {
        let catalog = Catalog::of_game(&game, language).expect("the message files are well-formed");
        let missing: Vec<&String> = keys.iter().filter(|key| catalog.text(key).is_none()).collect();
        assert!(missing.is_empty(), "{language}: {} keys have no words: {missing:#?}", missing.len());
    }
}

#[test]
fn the_languages_have_the_same_keys_and_blanks() {
    let game = Ardennes44::new().expect("the shipped pack loads");
    let problems = Catalog::check_game(&game).expect("the message files are well-formed");
    assert!(problems.is_empty(), "{problems:#?}");
}
