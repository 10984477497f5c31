//! Optional rules and readings in force in a game (32–34, 1E options, `docs/RULINGS.md`).

use crate::pack::{Edition, Pack};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// 32
    pub fuel_dumps: bool,
    /// 33; always in the 1st edition (1E 24.8)
    pub roadblocks: bool,
    /// 34
    pub fifteen_factors: bool,
    /// 1E 27.8
    pub ccb9: bool,
    /// 1E balance option: US Engineers alone are eliminated by a retreat of 2 or more.
    pub weak_engineers: bool,
    /// Optional units, by `GroupId` (1E 33).
    pub groups: Vec<bool>,
    /// Reading of 10.3: a river along a Hexside Bond breaks it (G-06).
    pub rivers_break_hexside_bonds: bool,
    /// Reading of 16.73: the printed DCB of the hex counts, not the one after the caps of 15.1 (G-16).
    pub printed_dcb_in_defense: bool,
    /// Reading of 23.2 and 23.3: an EZOC on an empty source hex does not block a supply line to it.
    pub ezoc_spares_sources: bool,
}

/// An optional rule: id, rule, editions it belongs to (empty: all).
pub const RULES: &[(&str, &str, &[&str])] = &[
    ("fuel_dumps", "32", &[]),
    ("roadblocks", "33", &["2e"]),
    ("fifteen_factors", "34", &["2e"]),
    ("ccb9", "27.8", &["1e"]),
    ("weak_engineers", "27.1", &["1e"]),
    ("rivers_break_hexside_bonds", "10.3", &[]),
    ("printed_dcb_in_defense", "16.73", &["2e"]),
    ("ezoc_spares_sources", "23.2", &[]),
];

impl Options {
    /// Parses options by their ids; an unknown id is returned as the error.
    pub fn read(pack: &Pack, edition: Edition, ids: &[String]) -> Result<Options, String> {
        let mut options = Options {
            groups: vec![false; pack.optional_groups.len()],
            roadblocks: edition == Edition::First,
            ..Options::default()
        };
        for id in ids {
            let known = RULES.iter().find(|(name, ..)| name == id);
            if known.is_some_and(|(.., of)| !of.is_empty() && !of.contains(&edition.key())) {
                return Err(id.clone());
            }
            match id.as_str() {
                "fuel_dumps" => options.fuel_dumps = true,
                "roadblocks" => options.roadblocks = true,
                "fifteen_factors" => options.fifteen_factors = true,
                "ccb9" => options.ccb9 = true,
                "weak_engineers" => options.weak_engineers = true,
                "rivers_break_hexside_bonds" => options.rivers_break_hexside_bonds = true,
                "printed_dcb_in_defense" => options.printed_dcb_in_defense = true,
                "ezoc_spares_sources" => options.ezoc_spares_sources = true,
                other => {
                    let group = pack.optional_groups.iter().position(|group| group.id == other);
                    options.groups[group.ok_or_else(|| id.clone())?] = true;
                }
            }
        }
        Ok(options)
    }
}
