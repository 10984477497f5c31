//! Every message that the program can show exists in all three languages: the keys are found in the code.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use kernel::{Catalog, Game, catalog::LANGUAGES};
use wurzburg::{
    AirAndArmor,
    action::Work,
    fire::FireKind,
    frame::Segment,
    pack::{AirProfile, Effect, Operation, Terrain, VictoryLevel},
    turn::Phase,
    view::BOXES,
};

/// The code without its comments.
fn sources(dir: &Path, out: &mut String) {
    for entry in fs::read_dir(dir).expect("the sources are in the repository").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.to_string_lossy().contains("/pack/") {
            let text = fs::read_to_string(&path).expect("sources are text");
            for line in text.lines() {
                out.push_str(line.split("//").next().unwrap_or(""));
                out.push(' ');
            }
        }
    }
}

/// Prefixes of keys that appear in the code in full.
const TABLES: [&str; 15] = [
    "no.", "log.", "prompt.", "roll.", "side.", "turn.", "slot.", "panel.", "outcome.", "game.", "option.",
    "label.", "nest.", "sheet.", "overlay.",
];

fn is_key(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'.')
        && !text.ends_with('.')
}

/// `18.4.1`
fn is_rule(text: &str) -> bool {
    text.contains('.') && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn wanted() -> BTreeSet<String> {
    let mut code = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
    let mut keys = BTreeSet::new();
    let literals: Vec<&str> = code.split('"').collect();
    for (n, text) in literals.iter().enumerate().skip(1).step_by(2) {
        if is_key(text) && TABLES.iter().any(|table| text.starts_with(table)) {
            keys.insert((*text).to_owned());
        }
        // `no("18.4.1", "retreat.worse")`, also where the rule comes from a variable.
        let after_rule = literals[n - 1].trim() == "," && n >= 2 && is_rule(literals[n - 2]);
        let after_no = literals[n - 1].trim_end().ends_with("no(") && n >= 2;
        if (after_rule || after_no)
            && is_key(text)
            && text.contains('.')
            && !is_rule(text)
            && !text.starts_with("no.")
        {
            keys.insert(format!("no.{text}"));
        }
    }
    keys.retain(|key| {
        !key.starts_with("no.prompt.") && !key.starts_with("no.operation.") && !key.starts_with("no.roll.")
    });
    // Every question has a short name for the panel of nested interrupts.
    let questions: Vec<String> = keys
        .iter()
        .filter_map(|key| key.strip_prefix("prompt."))
        .filter(|name| !["wait", "over"].contains(name))
        .map(|name| format!("nest.{name}"))
        .collect();
    keys.extend(questions);
    let mut add =
        |table: &str, names: &[&str]| keys.extend(names.iter().map(|name| format!("{table}.{name}")));
    add("phase", &Phase::ALL.map(Phase::key));
    add("segment", &Segment::ALL.map(Segment::key));
    add("operation", &Operation::ALL.map(Operation::key));
    add("terrain", &Terrain::ALL.map(Terrain::key));
    add("fire", &FireKind::ALL.map(FireKind::key));
    add("level", &VictoryLevel::ALL.map(VictoryLevel::key));
    add("box", &BOXES);
    add("effect", &Effect::ALL.map(Effect::key));
    add("profile", &AirProfile::ALL.map(AirProfile::key));
    add("work", &Work::ALL.map(Work::key));
    add("label.airmobile", &Operation::ALL.map(Operation::key));
    add("label.variant", &["plain", "gegenangriff", "overrun", "close"]);
    add("state", &["used", "disrupted", "fired", "contaminated", "masked", "participating"]);
    add("log.bridge", &["blown", "charges_failed", "built", "recovered", "destroyed"]);
    keys
}

#[test]
fn every_key_of_the_code_has_its_words() {
    let game: Arc<dyn Game> = Arc::new(AirAndArmor::new().expect("the shipped pack loads"));
    let mut keys = wanted();
    let info = game.info();
    keys.extend(info.scenarios.iter().flat_map(|s| [s.name.clone(), s.about.clone()]));
    keys.extend(info.options.iter().map(|o| o.name.clone()));
    keys.extend(info.overlays.iter().map(|o| o.name.clone()));
    keys.extend(info.seats.iter().map(|s| s.name.clone()));
    assert!(keys.len() > 200, "only {} keys were found", keys.len());
    for language in LANGUAGES {
        let catalog = Catalog::of_game(&*game, language).expect("the message files can be read");
        let missing: Vec<&String> = keys.iter().filter(|key| catalog.text(key).is_none()).collect();
        assert!(missing.is_empty(), "{language} lacks {missing:?}");
    }
}

#[test]
fn the_languages_agree() {
    let game: Arc<dyn Game> = Arc::new(AirAndArmor::new().expect("the shipped pack loads"));
    let faults = Catalog::check_game(&*game).expect("the message files can be read");
    assert!(faults.is_empty(), "{faults:?}");
}
