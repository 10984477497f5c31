//! The few words that the renderer itself prints, from `words.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::names::{Lang, Names};

fn table() -> &'static BTreeMap<String, Names> {
    static TABLE: OnceLock<BTreeMap<String, Names>> = OnceLock::new();
    // The file is embedded in the crate and checked by a test; without it only the margin texts would be missing.
    TABLE.get_or_init(|| toml::from_str(include_str!("words.toml")).unwrap_or_default())
}

/// The word for `key`, empty where there is none.
pub(crate) fn word(key: &str, lang: Lang) -> &'static str {
    table().get(key).map_or("", |n| n.get(lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_in_three_languages() {
        assert!(table().len() > 10);
        for (key, n) in table() {
            assert!(!n.en.is_empty() && !n.ko.is_empty() && !n.ja.is_empty(), "{key}");
        }
    }

    #[test]
    fn every_letter_of_the_words_is_in_the_fonts() {
        for n in table().values() {
            for c in n.en.chars().chain(n.ko.chars()).chain(n.ja.chars()) {
                assert!(super::super::fonts::has_glyph(c), "{c}");
            }
        }
    }
}
