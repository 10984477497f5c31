//! The message files, by language.

use std::{collections::HashSet, sync::LazyLock};

/// The message file of a language: the rules' words, then the names and histories of the content.
pub fn of(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(concat!(
            include_str!("../../../packs/wurzburg/i18n/en.toml"),
            "\n",
            include_str!("../../../packs/wurzburg/i18n/content/en.toml")
        )),
        "ko" => Some(concat!(
            include_str!("../../../packs/wurzburg/i18n/ko.toml"),
            "\n",
            include_str!("../../../packs/wurzburg/i18n/content/ko.toml")
        )),
        "ja" => Some(concat!(
            include_str!("../../../packs/wurzburg/i18n/ja.toml"),
            "\n",
            include_str!("../../../packs/wurzburg/i18n/content/ja.toml")
        )),
        _ => None,
    }
}

/// The vehicles that are words (`engineer`), not names (`T-80`): those of the section `vehicle`.
static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let file = of("en").and_then(|text| text.parse::<toml::Table>().ok());
    let words = file.as_ref().and_then(|file| file.get("vehicle")?.as_table());
    words.map(|words| words.keys().cloned().collect()).unwrap_or_default()
});

/// The name of a vehicle as a counter shows it: itself, or the key of its words.
pub fn vehicle(name: &str) -> String {
    if WORDS.contains(name) { format!("vehicle.{name}") } else { name.to_owned() }
}
