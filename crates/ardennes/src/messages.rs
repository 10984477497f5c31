//! The message files, by language.

/// The message file of a language.
pub fn of(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(include_str!("../../../packs/ardennes44/i18n/en.toml")),
        "ko" => Some(include_str!("../../../packs/ardennes44/i18n/ko.toml")),
        "ja" => Some(include_str!("../../../packs/ardennes44/i18n/ja.toml")),
        _ => None,
    }
}
