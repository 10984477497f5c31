//! The text files of the pack.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::PackError;

macro_rules! embed {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../packs/panzer/", $path)))),*]
    };
}

/// The shipped files; boards and scenarios in the order in which they are offered.
const EMBEDDED: &[(&str, &str)] = embed![
    "cards/weapons.toml",
    "cards/german.toml",
    "cards/italian.toml",
    "cards/british.toml",
    "cards/american.toml",
    "tables/ap_hit.toml",
    "tables/spotting.toml",
    "tables/terrain.toml",
    "tables/modifiers.toml",
    "tables/sight.toml",
    "map/kinds.toml",
    "map/overlays.toml",
];

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

    /// A file as what it says.
    pub fn parse<T: DeserializeOwned>(&self, path: &str) -> Result<T, PackError> {
        parse(path, self.text(path)?)
    }
}

/// A file's text as what it says; errors name the line.
pub(super) fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, PackError> {
    toml::from_str(text).map_err(|e| {
        let line = e.span().map(|s| 1 + text.bytes().take(s.start).filter(|b| *b == b'\n').count());
        let at = line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
        PackError { at, why: e.message().to_owned() }
    })
}
