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
    "cards/advanced/vehicles.toml",
    "cards/advanced/towed.toml",
    "cards/advanced/leg.toml",
    "cards/advanced/crew_served.toml",
    "cards/advanced/batteries.toml",
    "cards/advanced/aircraft.toml",
    "cards/advanced/grades.toml",
    "tables/ap_hit.toml",
    "tables/spotting.toml",
    "tables/terrain.toml",
    "tables/modifiers.toml",
    "tables/sight.toml",
    "tables/advanced/command.toml",
    "tables/advanced/grades.toml",
    "tables/advanced/ap.toml",
    "tables/advanced/gp.toml",
    "tables/advanced/bail_out.toml",
    "tables/advanced/indirect.toml",
    "tables/advanced/assault.toml",
    "tables/advanced/movement.toml",
    "tables/advanced/air.toml",
    "tables/advanced/optional.toml",
    "map/kinds.toml",
    "map/overlays.toml",
    "boards/1-serir.toml",
    "boards/2-long-ridge.toml",
    "boards/3-wadi.toml",
    "boards/4-oasis.toml",
    "boards/5-escarpment.toml",
    "boards/6-dunes.toml",
    "boards/7-fort.toml",
    "boards/8-djebel.toml",
    "scenarios/hafid-duel.toml",
    "scenarios/nibeiwa.toml",
    "scenarios/beda-fomm.toml",
    "scenarios/bir-el-gubi.toml",
    "scenarios/sidi-rezegh.toml",
    "scenarios/gazala.toml",
    "scenarios/alam-halfa.toml",
    "scenarios/aqqaqir.toml",
    "scenarios/chouigui.toml",
    "scenarios/sidi-bou-zid.toml",
    "scenarios/advanced/picket-at-the-well.toml",
    "scenarios/advanced/road-from-derna.toml",
    "scenarios/advanced/tummar-west.toml",
    "scenarios/advanced/easter-at-tobruk.toml",
    "scenarios/advanced/halfaya-pass.toml",
    "scenarios/advanced/sunday-of-the-dead.toml",
    "scenarios/advanced/bir-hakeim.toml",
    "scenarios/advanced/ruweisat-dawn.toml",
    "scenarios/advanced/outpost-snipe.toml",
    "scenarios/advanced/longstop.toml",
    "scenarios/advanced/el-guettar.toml",
    "scenarios/advanced/tebaga-gap.toml",
];

/// Names of the pack's content and the histories of its scenarios in a language (`en`, `ko`, `ja`): a message file in
/// addition to the rules' own.
pub fn words(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(include_str!("../../../../packs/panzer/i18n/content/en.toml")),
        "ko" => Some(include_str!("../../../../packs/panzer/i18n/content/ko.toml")),
        "ja" => Some(include_str!("../../../../packs/panzer/i18n/content/ja.toml")),
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
