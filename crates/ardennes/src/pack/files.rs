//! Where a pack's text comes from: built into the program, or a directory.

use std::{borrow::Cow, fs, path::Path};

use super::error::PackError;

macro_rules! embed {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../packs/ardennes44/", $path)))),*]
    };
}

/// The shipped files, in the order in which their units are numbered.
const EMBEDDED: &[(&str, &str)] = embed![
    "types.toml",
    "formations.toml",
    "optional.toml",
    "units/german-6th-panzer-army.toml",
    "units/german-5th-panzer-army.toml",
    "units/german-7th-army.toml",
    "units/german-nordwind.toml",
    "units/us-v-corps.toml",
    "units/us-viii-corps.toml",
    "units/us-xviii-corps.toml",
    "units/us-vii-corps.toml",
    "units/us-iii-corps.toml",
    "units/us-xii-corps.toml",
    "units/us-army-troops.toml",
    "units/us-optional.toml",
    "units/british-xxx-corps.toml",
    "pools.toml",
    "places.toml",
    "turns.toml",
    "tables/2e.toml",
    "tables/1e.toml",
    "scenarios/campaign.toml",
    "scenarios/six_turn.toml",
    "scenarios/eight_turn.toml",
    "scenarios/patton.toml",
    "scenarios/extended.toml",
    "scenarios/patton_extended.toml",
    "scenarios/st_vith.toml",
];

/// The text files of a pack, by their path inside it.
#[derive(Clone, Debug)]
pub struct PackFiles {
    pub files: Vec<(String, Cow<'static, str>)>,
}

impl PackFiles {
    /// The pack built into the program.
    pub fn embedded() -> Self {
        let files = EMBEDDED.iter().map(|&(path, text)| (path.to_owned(), Cow::Borrowed(text))).collect();
        Self { files }
    }

    /// A directory laid out as `packs/ardennes44`. Every shipped file must be there; further files
    /// under `units/` and `scenarios/` are read too.
    pub fn from_dir(dir: &Path) -> Result<Self, PackError> {
        let mut files = Vec::new();
        for &(path, _) in EMBEDDED {
            files.push((path.to_owned(), Cow::Owned(read(dir, path)?)));
        }
        for folder in ["units", "scenarios"] {
            let listing =
                fs::read_dir(dir.join(folder)).map_err(|e| PackError::new(folder, "", e.to_string()))?;
            let mut more: Vec<String> = listing
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .filter(|name| Path::new(name).extension().is_some_and(|e| e == "toml"))
                .map(|name| format!("{folder}/{name}"))
                .filter(|path| !EMBEDDED.iter().any(|(known, _)| known == path))
                .collect();
            more.sort();
            for path in more {
                let text = read(dir, &path)?;
                files.push((path, Cow::Owned(text)));
            }
        }
        Ok(Self { files })
    }
}

fn read(dir: &Path, path: &str) -> Result<String, PackError> {
    fs::read_to_string(dir.join(path)).map_err(|e| PackError::new(path, "", e.to_string()))
}
