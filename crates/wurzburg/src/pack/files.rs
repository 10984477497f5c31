//! The text files of the pack.

use rulebook::files::PackFiles;

macro_rules! embed {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../packs/wurzburg/", $path)))),*]
    };
}

/// The shipped files; scenarios in the order in which they are offered.
const EMBEDDED: &[(&str, &str)] = embed![
    "types.toml",
    "formations.toml",
    "pools.toml",
    "markers.toml",
    "units/wp-8ga.toml",
    "units/wp-27gmrd.toml",
    "units/wp-39gmrd.toml",
    "units/wp-57gmrd.toml",
    "units/wp-4mrd.toml",
    "units/wp-79gtd.toml",
    "units/wp-35gaab.toml",
    "units/nato-vii-corps.toml",
    "units/nato-3id.toml",
    "units/nato-12pzd.toml",
    "units/nato-54hsb.toml",
    "units/nato-26ll.toml",
    "units/nato-4cmbg.toml",
    "units/aviation.toml",
    "tables/dice.toml",
    "tables/terrain.toml",
    "tables/fire.toml",
    "tables/play.toml",
    "scenarios/1-first-contact.toml",
    "scenarios/2-gate-at-hambach.toml",
    "scenarios/3-race-for-the-bridges.toml",
    "scenarios/4-mist-over-the-main.toml",
    "scenarios/5-last-brigade.toml",
    "scenarios/6-bear-trap.toml",
    "scenarios/7-sixty-miles.toml",
];

/// Names of formations, kinds of units and scenarios, and the scenarios' histories, in a language (`en`, `ko`, `ja`): a
/// message file in addition to the rules' own.
pub fn words(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(include_str!("../../../../packs/wurzburg/i18n/content/en.toml")),
        "ko" => Some(include_str!("../../../../packs/wurzburg/i18n/content/ko.toml")),
        "ja" => Some(include_str!("../../../../packs/wurzburg/i18n/content/ja.toml")),
        _ => None,
    }
}

/// The pack built into the program.
pub fn embedded() -> PackFiles {
    PackFiles::embedded(EMBEDDED)
}
