//! The text files of the pack.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::PackError;

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

/// The files of a pack by their path inside it.
#[derive(Clone, Debug, Default)]
pub struct PackFiles {
    pub files: Vec<(String, Cow<'static, str>)>,
}

impl PackFiles {
    /// The pack built into the program.
    pub fn embedded() -> PackFiles {
        let files = EMBEDDED.iter().map(|&(path, text)| (path.to_owned(), Cow::Borrowed(text))).collect();
        PackFiles { files }
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Result<&str, PackError> {
        self.files
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, text)| &**text)
            .ok_or_else(|| PackError::at(path, "the file is missing"))
    }

    /// The files of a folder, in their order.
    pub fn folder<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(name, _)| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
            .map(|(name, text)| (name.as_str(), &**text))
    }

    /// Replace or add the text of a file, for tests of refused packs.
    pub fn replace(&mut self, path: &str, text: String) {
        match self.files.iter_mut().find(|(name, _)| name == path) {
            Some((_, old)) => *old = Cow::Owned(text),
            None => self.files.push((path.to_owned(), Cow::Owned(text))),
        }
    }

    /// Parse a file.
    pub fn parse<T: DeserializeOwned>(&self, path: &str) -> Result<T, PackError> {
        parse(path, self.text(path)?)
    }
}

/// Parse the text of a file; errors name the line.
pub(super) fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, PackError> {
    toml::from_str(text).map_err(|e| {
        let line = e.span().map(|s| 1 + text.bytes().take(s.start).filter(|b| *b == b'\n').count());
        let at = line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
        PackError { at, why: e.message().to_owned() }
    })
}
