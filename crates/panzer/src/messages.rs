//! The message files, by language.

/// The message file of a language: the rules' words, then the names and histories of the content.
pub fn of(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(concat!(
            include_str!("../../../packs/panzer/i18n/en.toml"),
            "\n",
            include_str!("../../../packs/panzer/i18n/content/en.toml")
        )),
        "ko" => Some(concat!(
            include_str!("../../../packs/panzer/i18n/ko.toml"),
            "\n",
            include_str!("../../../packs/panzer/i18n/content/ko.toml")
        )),
        "ja" => Some(concat!(
            include_str!("../../../packs/panzer/i18n/ja.toml"),
            "\n",
            include_str!("../../../packs/panzer/i18n/content/ja.toml")
        )),
        _ => None,
    }
}
