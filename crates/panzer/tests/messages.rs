//! Every message that the program can show exists in all three languages: the keys are found in the code.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use kernel::{Catalog, Game, catalog::LANGUAGES};
use panzer::{
    PanzerNorthAfrica,
    field::Terrain,
    fire::{Cause, Result},
    frame::Trigger,
    pack::Cover,
    phase::Phase,
    state::{Command, Spot},
};

/// The code without its comments.
fn sources(dir: &Path, out: &mut String) {
    for entry in
        fs::read_dir(dir).expect("the sources are in the repository").filter_map(std::result::Result::ok)
    {
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
const TABLES: [&str; 17] = [
    "no.",
    "log.",
    "prompt.",
    "roll.",
    "side.",
    "turn.",
    "sheet.",
    "slot.",
    "panel.",
    "outcome.",
    "result.",
    "game.",
    "option.",
    "modifier.",
    "overlay.",
    "card.",
    "note.",
];

fn is_key(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'.')
        && !text.ends_with('.')
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
        // `no("4.4.1", "fire.must")`
        let after_rule =
            literals[n - 1].trim() == "," && n >= 3 && literals[n - 3].trim_end().ends_with("no(");
        if after_rule && is_key(text) {
            keys.insert(format!("no.{text}"));
        }
    }
    let mut add =
        |table: &str, names: &[&str]| keys.extend(names.iter().map(|name| format!("{table}.{name}")));
    add("phase", &Phase::ALL.map(Phase::key));
    add("command", &Command::ALL.map(Command::key));
    add("mode", &Command::ALL.map(Command::key));
    add("terrain", &Terrain::ALL.map(Terrain::key));
    add("terrain", &["bridge", "hill_1", "hill_2", "hill_3", "hill_4", "hill_5", "hill_6"]);
    add("result", &Result::ALL.map(Result::key));
    add("log.result", &Result::ALL.map(Result::key));
    add("log.spot", &[Spot::None, Spot::Move, Spot::Fire].map(Spot::key));
    add("log.declared", &["direct", "overwatch"]);
    add("trigger", &[Trigger::Turn, Trigger::Hex, Trigger::Stay].map(Trigger::key));
    add("facing", &["n", "ne", "se", "s", "sw", "nw"]);
    add("angle", &["front", "rear", "line"]);
    add("box", &["held", "exited", "eliminated"]);
    add("marker", &["wreck", "brew_up", "objective"]);
    let causes = [
        Cause::TargetSize,
        Cause::TargetMoving,
        Cause::Cover(Cover::Light),
        Cause::Cover(Cover::Medium),
        Cause::Cover(Cover::Heavy),
        Cause::ShortHalt,
        Cause::ShooterDamaged,
        Cause::Smoke(1),
        Cause::Overwatch,
        Cause::OverwatchAdjust,
    ];
    add("modifier", &causes.map(Cause::key));
    keys
}

#[test]
fn every_key_of_the_code_has_its_words() {
    let game: Arc<dyn Game> = Arc::new(PanzerNorthAfrica::new().expect("the shipped pack loads"));
    let mut keys = wanted();
    let info = game.info();
    keys.extend(info.scenarios.iter().flat_map(|s| [s.name.clone(), s.about.clone()]));
    let pack = panzer::pack::Pack::embedded().expect("the shipped pack loads");
    let mounts = pack.cards.iter().flat_map(|card| &card.mounts).filter(|mount| mount.ap.is_none());
    keys.extend(mounts.map(|mount| format!("weapon.{}", mount.weapon)));
    keys.extend(info.options.iter().map(|o| o.name.clone()));
    keys.extend(info.seats.iter().map(|s| s.name.clone()));
    assert!(keys.len() > 150, "only {} keys were found", keys.len());
    for language in LANGUAGES {
        let catalog = Catalog::of_game(&*game, language).expect("the message files can be read");
        let missing: Vec<&String> = keys.iter().filter(|key| catalog.text(key).is_none()).collect();
        assert!(missing.is_empty(), "{language} lacks {missing:?}");
    }
}

#[test]
fn the_languages_agree() {
    let game: Arc<dyn Game> = Arc::new(PanzerNorthAfrica::new().expect("the shipped pack loads"));
    let faults = Catalog::check_game(&*game).expect("the message files can be read");
    assert!(faults.is_empty(), "{faults:?}");
}
