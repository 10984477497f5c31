//! Optional rules and readings that a table may choose (27).

use kernel::OptionInfo;

use crate::pack::{Pack, Scenario};

/// The options in force, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options(u32);

/// An optional rule, or the alternative reading of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Switch {
    /// 27.1
    Disengagement,
    /// 27.2
    Isolation,
    /// 6.1, H-01: three units and one Support unit to a hex.
    ThreeUnits,
    /// 7.1, H-02: ZOC across all rivers.
    ZocAcrossRivers,
    /// 8.3.3, H-03: Infiltration crosses Bonds.
    InfiltrateBonds,
    /// 10.8.4, H-08: Vehicle units along a road are not halved in Polder.
    PolderRoads,
    /// 5.7, H-36: the railroad bridge at Oosterbeek cannot be blown.
    OosterbeekStands,
    /// 5.1, H-37: bridges over Minor Rivers can be blown.
    MinorBridges,
    /// 5.7, H-38: the railroad bridge of Nijmegen can be blown.
    NijmegenRail,
    /// 12.4, H-43: the defender also chooses the attacker's loss of 1/0.
    DefenderNames,
    /// 22.3.3, H-44: of terrain and Town only the higher modifier counts.
    HighestModifier,
    /// 23.5, H-39: the 406 box opens on turn 3.
    LateReserve,
    /// 18.3.2, H-40: Supply Heads supply only within 6 hexes.
    ShortSupplyHeads,
    /// 14.2, H-10: a Disrupted unit hit by DS or DMR is eliminated.
    DisruptedDie,
    /// 15.2, H-11: longer advances.
    LongAdvances,
    /// 11.1, H-14: EX engages the defender.
    ExchangeEngages,
    /// 22.3.5, H-15: units that landed on the enemy attack at full value.
    LandedFull,
    /// 14.3, H-19: units in Full Retreat keep their ZOC, and lose a step instead of dying.
    FullRetreatZoc,
    /// 25.3, 25.5, H-20: the German player may look at Unknown units, which are revealed by attack only.
    RevealedByAttack,
    /// 2.4.6, H-24: the green circle lets a unit go on through EZOC instead of advancing farther.
    ReconSlips,
    /// 10.7, H-33: two air markers in Cloudy weather.
    CloudyAir,
}

impl Switch {
    pub const ALL: [Switch; 21] = [
        Switch::Disengagement,
        Switch::Isolation,
        Switch::ThreeUnits,
        Switch::ZocAcrossRivers,
        Switch::InfiltrateBonds,
        Switch::PolderRoads,
        Switch::OosterbeekStands,
        Switch::MinorBridges,
        Switch::NijmegenRail,
        Switch::DefenderNames,
        Switch::HighestModifier,
        Switch::LateReserve,
        Switch::ShortSupplyHeads,
        Switch::DisruptedDie,
        Switch::LongAdvances,
        Switch::ExchangeEngages,
        Switch::LandedFull,
        Switch::FullRetreatZoc,
        Switch::RevealedByAttack,
        Switch::ReconSlips,
        Switch::CloudyAir,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Switch::Disengagement => "disengagement",
            Switch::Isolation => "isolation",
            Switch::ThreeUnits => "three_units",
            Switch::ZocAcrossRivers => "zoc_across_rivers",
            Switch::InfiltrateBonds => "infiltrate_bonds",
            Switch::PolderRoads => "polder_roads",
            Switch::OosterbeekStands => "oosterbeek_stands",
            Switch::MinorBridges => "minor_bridges",
            Switch::NijmegenRail => "nijmegen_rail",
            Switch::DefenderNames => "defender_names",
            Switch::HighestModifier => "highest_modifier",
            Switch::LateReserve => "late_reserve",
            Switch::ShortSupplyHeads => "short_supply_heads",
            Switch::DisruptedDie => "disrupted_die",
            Switch::LongAdvances => "long_advances",
            Switch::ExchangeEngages => "exchange_engages",
            Switch::LandedFull => "landed_full",
            Switch::FullRetreatZoc => "full_retreat_zoc",
            Switch::RevealedByAttack => "revealed_by_attack",
            Switch::ReconSlips => "recon_slips",
            Switch::CloudyAir => "cloudy_air",
        }
    }

    /// The rule that it changes.
    const fn rule(self) -> &'static str {
        match self {
            Switch::Disengagement => "27.1",
            Switch::Isolation => "27.2",
            Switch::ThreeUnits => "6.1",
            Switch::ZocAcrossRivers => "7.1",
            Switch::InfiltrateBonds => "8.3.3",
            Switch::PolderRoads => "10.8.4",
            Switch::OosterbeekStands | Switch::NijmegenRail => "5.7",
            Switch::MinorBridges => "5.1",
            Switch::DefenderNames => "12.4",
            Switch::HighestModifier => "22.3.3",
            Switch::LateReserve => "23.5",
            Switch::ShortSupplyHeads => "18.3.2",
            Switch::DisruptedDie => "14.2",
            Switch::LongAdvances => "15.2",
            Switch::ExchangeEngages => "11.1",
            Switch::LandedFull => "22.3.5",
            Switch::FullRetreatZoc => "14.3",
            Switch::RevealedByAttack => "25.3",
            Switch::ReconSlips => "2.4.6",
            Switch::CloudyAir => "10.7",
        }
    }

    /// Does it change anything in a scenario? Some are about one place of the map.
    fn matters(self, pack: &Pack, scenario: &Scenario) -> bool {
        let bridge = |id: &str| {
            let on_map = |hexes: &[String; 2]| hexes.iter().all(|hex| scenario.plays_on(hex));
            pack.bridges.iter().any(|b| b.id == id && on_map(&b.hexes))
        };
        match self {
            Switch::OosterbeekStands => bridge("arnhem_rail_bridge"),
            Switch::NijmegenRail => bridge("nijmegen_rail_bridge"),
            // S4.1: a part of the map has the boxes that the scenario names.
            Switch::LateReserve => scenario.rows.is_none() || !scenario.boxes.is_empty(),
            _ => true,
        }
    }

    /// Other names by which players call it.
    fn named(name: &str) -> Option<Switch> {
        let mut plain = name.trim().to_lowercase().replace([' ', '-'], "_");
        // `H02` is `H-02`.
        if plain.strip_prefix('h').is_some_and(|n| n.len() == 2 && n.bytes().all(|b| b.is_ascii_digit())) {
            plain.insert(1, '_');
        }
        let known = Switch::ALL.into_iter().find(|s| s.key() == plain);
        known.or(match plain.as_str() {
            "27.1" => Some(Switch::Disengagement),
            "27.2" | "isolation_attrition" => Some(Switch::Isolation),
            "h_01" => Some(Switch::ThreeUnits),
            "h_02" => Some(Switch::ZocAcrossRivers),
            "h_03" => Some(Switch::InfiltrateBonds),
            "h_08" => Some(Switch::PolderRoads),
            "h_10" => Some(Switch::DisruptedDie),
            "h_11" => Some(Switch::LongAdvances),
            "h_14" => Some(Switch::ExchangeEngages),
            "h_15" => Some(Switch::LandedFull),
            "h_19" => Some(Switch::FullRetreatZoc),
            "h_20" => Some(Switch::RevealedByAttack),
            "h_24" => Some(Switch::ReconSlips),
            "h_33" => Some(Switch::CloudyAir),
            "h_36" => Some(Switch::OosterbeekStands),
            "h_37" => Some(Switch::MinorBridges),
            "h_38" => Some(Switch::NijmegenRail),
            "h_39" => Some(Switch::LateReserve),
            "h_40" => Some(Switch::ShortSupplyHeads),
            "h_43" => Some(Switch::DefenderNames),
            "h_44" => Some(Switch::HighestModifier),
            _ => None,
        })
    }
}

impl Options {
    // 27.3
    pub const fn has(self, switch: Switch) -> bool {
        self.0 >> switch as u8 & 1 == 1
    }

    /// The options of a table; the error is the first unknown name.
    pub fn read<S: AsRef<str>>(names: &[S]) -> Result<Options, String> {
        let mut options = Options::default();
        for name in names {
            let switch = Switch::named(name.as_ref()).ok_or_else(|| name.as_ref().to_owned())?;
            options.0 |= 1 << switch as u8;
        }
        Ok(options)
    }

    pub fn known() -> String {
        Switch::ALL.map(Switch::key).join(", ")
    }

    /// What a table may choose, for the catalogue.
    pub fn list(pack: &Pack) -> Vec<OptionInfo> {
        let info = |s: Switch| {
            let scenarios = pack.scenarios.iter().map(|of| (of.id.as_str(), s.matters(pack, of)));
            OptionInfo::new(s.key(), s.rule()).where_it_matters(scenarios)
        };
        Switch::ALL.map(info).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_offered_where_it_changes_something() {
        let pack = Pack::embedded().unwrap();
        let offered =
            |s: Switch| Options::list(pack).into_iter().find(|o| o.id == s.key()).unwrap().scenarios;
        assert!(offered(Switch::Disengagement).is_empty(), "everywhere");
        assert_eq!(offered(Switch::OosterbeekStands), ["campaign", "short_game", "arnhem"]);
        assert_eq!(offered(Switch::NijmegenRail), ["campaign", "short_game", "nijmegen"]);
        assert_eq!(offered(Switch::LateReserve), ["campaign", "short_game", "nijmegen"]);
    }
}
