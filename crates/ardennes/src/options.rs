//! Optional rules and readings in force in a game (32–34, 1E options, `docs/RULINGS.md`).

use kernel::OptionInfo;

use crate::pack::{Edition, OptionalGroup, Pack, Scenario};

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

/// What a table may choose, for the catalogue.
pub fn list(pack: &Pack) -> Vec<OptionInfo> {
    let within = |matters: &dyn Fn(&Scenario) -> bool, option: OptionInfo| {
        option.where_it_matters(pack.scenarios.iter().map(|s| (s.id.as_str(), matters(s))))
    };
    let rule = |(id, rule, editions): &(&str, &str, &[&str])| {
        let option = OptionInfo {
            editions: editions.iter().map(|e| (*e).to_owned()).collect(),
            ..OptionInfo::new(id, rule)
        };
        within(&|s| rule_matters(pack, id, s), option)
    };
    let group = |group: &OptionalGroup| {
        within(&|s| group_comes(pack, group, s), OptionInfo::new(&group.id, &group.rule))
    };
    RULES.iter().map(rule).chain(pack.optional_groups.iter().map(group)).collect()
}

/// Does an optional rule change anything in a scenario?
fn rule_matters(pack: &Pack, id: &str, scenario: &Scenario) -> bool {
    match id {
        // 32.2: captured fuel spares the Germans a shortage.
        "fuel_dumps" => {
            let rolled = |edition: &Edition| pack.tables(*edition).fuel.first_turn <= scenario.last_turn;
            scenario.fuel_shortage && Edition::ALL.iter().any(rolled)
        }
        // 1E 27.8: orders of turns 2 and 3.
        "ccb9" => scenario.first_turn <= 3 && scenario.editions.contains(&Edition::First),
        _ => true,
    }
}

/// Does a unit of an optional group come in a scenario (13.1)?
fn group_comes(pack: &Pack, group: &OptionalGroup, scenario: &Scenario) -> bool {
    let comes = |turn: u8| (scenario.first_turn..=scenario.last_turn).contains(&turn);
    // S1.1: only the units placed take part in a part of a map.
    scenario.part.is_none()
        && group.units.iter().any(|u| pack.unit(*u).arrival().is_some_and(|a| comes(a.turn)))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_offered_where_it_changes_something() {
        let pack = Pack::embedded().unwrap();
        let offered = |id: &str| list(&pack).into_iter().find(|o| o.id == id).unwrap().scenarios;
        assert!(offered("fifteen_factors").is_empty(), "everywhere");
        // No fuel is rolled for before turn 7 (6.1), nor at St-Vith (S1.2).
        let dumps = offered("fuel_dumps");
        assert!(["campaign", "eight_turn", "patton"].iter().all(|id| dumps.iter().any(|d| d == id)));
        assert!(["six_turn", "st_vith"].iter().all(|id| dumps.iter().all(|d| d != id)));
        // Turn 21 is after the short scenarios.
        let nordwind = offered("nordwind");
        assert!(["campaign", "patton", "extended"].iter().all(|id| nordwind.iter().any(|d| d == id)));
        assert!(["six_turn", "eight_turn", "st_vith"].iter().all(|id| nordwind.iter().all(|d| d != id)));
        assert_eq!(offered("ccb9").iter().filter(|id| id.starts_with("patton")).count(), 0);
    }
}
