//! The closed lists of words used in the pack's files.

use rulebook::keyed;
use serde::{Deserialize, Serialize};

keyed! {
    /// A player side.
    Side { Wp = "WP", Nato = "NATO" }
}

impl Side {
    pub const fn other(self) -> Side {
        match self {
            Side::Wp => Side::Nato,
            Side::Nato => Side::Wp,
        }
    }

    /// The word of the notation and of the map's factions: `wp`, `nato`.
    pub const fn word(self) -> &'static str {
        match self {
            Side::Wp => "wp",
            Side::Nato => "nato",
        }
    }
}

keyed! {
    Nation { Su = "SU", Eg = "EG", Us = "US", Wg = "WG", Ca = "CA" }
}

impl Nation {
    pub const fn side(self) -> Side {
        match self {
            Nation::Su | Nation::Eg => Side::Wp,
            Nation::Us | Nation::Wg | Nation::Ca => Side::Nato,
        }
    }

    /// The nation whose Combat Support Points it spends (6.6): the Warsaw Pact has one set for all.
    pub const fn purse(self) -> Purse {
        match self {
            Nation::Su | Nation::Eg => Purse::Wp,
            Nation::Us => Purse::Us,
            Nation::Wg => Purse::Wg,
            Nation::Ca => Purse::Ca,
        }
    }
}

keyed! {
    /// The owners of Combat Support Points (6.6).
    Purse { Wp = "WP", Us = "US", Wg = "WG", Ca = "CA" }
}

impl Purse {
    pub const fn side(self) -> Side {
        match self {
            Purse::Wp => Side::Wp,
            Purse::Us | Purse::Wg | Purse::Ca => Side::Nato,
        }
    }
}

keyed! {
    /// The symbol on a counter (4.1.1.6), which decides its kind of unit.
    Symbol {
        Armor = "armor",
        ArmoredCavalry = "armored_cavalry",
        AntiArmor = "anti_armor",
        ArmoredAntiArmor = "armored_anti_armor",
        MechanizedInfantry = "mechanized_infantry",
        MotorizedInfantry = "motorized_infantry",
        AirborneInfantry = "airborne_infantry",
        Engineer = "engineer",
        SelfPropelledArtillery = "self_propelled_artillery",
        TowedArtillery = "towed_artillery",
        RocketArtillery = "rocket_artillery",
        Hq = "hq",
        Ew = "ew",
        AttackHelicopter = "attack_helicopter",
        UtilityHelicopter = "utility_helicopter",
        Air = "air",
    }
}

impl Symbol {
    pub const fn category(self) -> Category {
        match self {
            Symbol::Armor
            | Symbol::ArmoredCavalry
            | Symbol::AntiArmor
            | Symbol::ArmoredAntiArmor
            | Symbol::MechanizedInfantry
            | Symbol::MotorizedInfantry
            | Symbol::AirborneInfantry => Category::Maneuver,
            Symbol::Engineer => Category::Engineer,
            Symbol::SelfPropelledArtillery | Symbol::TowedArtillery | Symbol::RocketArtillery => {
                Category::Artillery
            }
            Symbol::Hq => Category::Hq,
            Symbol::Ew => Category::EwAsset,
            Symbol::AttackHelicopter => Category::AttackHelicopter,
            Symbol::UtilityHelicopter => Category::UtilityHelicopter,
            Symbol::Air => Category::Air,
        }
    }

    /// The column of the Terrain Effects Chart; `None` for units that are not on the ground.
    pub const fn column(self) -> Option<Column> {
        match self {
            Symbol::Armor | Symbol::ArmoredCavalry | Symbol::AntiArmor | Symbol::ArmoredAntiArmor => {
                Some(Column::Armor)
            }
            Symbol::MechanizedInfantry | Symbol::MotorizedInfantry | Symbol::AirborneInfantry => {
                Some(Column::Infantry)
            }
            Symbol::Engineer => Some(Column::Engineer),
            Symbol::SelfPropelledArtillery | Symbol::TowedArtillery | Symbol::RocketArtillery => {
                Some(Column::Artillery)
            }
            Symbol::Hq => Some(Column::Hq),
            Symbol::Ew | Symbol::AttackHelicopter | Symbol::UtilityHelicopter | Symbol::Air => None,
        }
    }
}

keyed! {
    /// The category of a unit in the rules (4.1).
    Category {
        Maneuver = "maneuver",
        Artillery = "artillery",
        Engineer = "engineer",
        Hq = "hq",
        EwAsset = "ew_asset",
        AttackHelicopter = "attack_helicopter",
        UtilityHelicopter = "utility_helicopter",
        Air = "air",
    }
}

impl Category {
    /// Units that are in hexes and have steps of their own.
    pub const fn ground(self) -> bool {
        matches!(self, Category::Maneuver | Category::Artillery | Category::Engineer | Category::Hq)
    }
}

keyed! {
    /// Columns of the Terrain Effects Chart.
    Column { Armor = "armor", Infantry = "infantry", Engineer = "engineer", Artillery = "artillery", Hq = "hq" }
}

keyed! {
    /// The terrain of a hex; each has exactly one (2.2.1).
    Terrain {
        Clear = "clear",
        LightWoods = "light_woods",
        HeavyWoods = "heavy_woods",
        Town = "town",
        City = "city",
    }
}

keyed! {
    /// Classes of roads, best first (16.4).
    Road { Autobahn = "autobahn", Bundesstrasse = "bundesstrasse", Minor = "minor" }
}

keyed! {
    Operation { March = "march", HastyAttack = "hasty_attack", Assault = "assault", Reserve = "reserve" }
}

impl Operation {
    /// Hasty Attack and Assault (13.1).
    pub const fn offensive(self) -> bool {
        matches!(self, Operation::HastyAttack | Operation::Assault)
    }
}

keyed! {
    Echelon {
        Regiment = "regiment",
        Brigade = "brigade",
        Division = "division",
        Corps = "corps",
        Army = "army",
    }
}

keyed! {
    FormationKind {
        Army = "army",
        Corps = "corps",
        MotorRifleDivision = "motor_rifle_division",
        TankDivision = "tank_division",
        AirAssaultBrigade = "air_assault_brigade",
        Division = "division",
        MotorRifleRegiment = "motor_rifle_regiment",
        TankRegiment = "tank_regiment",
        Dtb = "dtb",
        AirAssaultBattalion = "air_assault_battalion",
        IndependentRegiment = "independent_regiment",
        IndependentAirAssaultBattalion = "independent_air_assault_battalion",
        Brigade = "brigade",
        CavalrySquadron = "cavalry_squadron",
        IndependentBrigade = "independent_brigade",
        IndependentBattalion = "independent_battalion",
        TerritorialBattalion = "territorial_battalion",
    }
}

keyed! {
    /// What an independent formation may be attached to (12.5.3, 12.8.3, 29.2.4).
    AttachesTo { WpDivision = "wp_division", BrigadeOf12PzD = "brigade_of_12PzD", WgBrigade = "wg_brigade" }
}

keyed! {
    /// The colour stripe on a formation's counters.
    Stripe {
        Red = "red",
        Yellow = "yellow",
        Green = "green",
        Blue = "blue",
        Orange = "orange",
        Crimson = "crimson",
        LightBlue = "light_blue",
        White = "white",
        Brown = "brown",
        Maroon = "maroon",
    }
}

keyed! {
    /// Where a counter starts (11.1, 40.1, 46.6).
    SetupClass {
        Zone = "zone",
        Display = "display",
        Air = "air",
        Track = "track",
        Call = "call",
        WithHq = "with_hq",
        Scenario = "scenario",
    }
}

keyed! {
    /// The source of a figure.
    Mark { Attested = "attested", Derived = "derived", Estimate = "estimate" }
}

keyed! {
    /// How an attack helicopter fights (25.2).
    HelicopterProfile { StandOff = "stand_off", Gunnery = "gunnery" }
}

keyed! {
    /// How an air unit strikes (24.0).
    AirProfile {
        LowBomb = "low_bomb",
        HighBomb = "high_bomb",
        LowStandoff = "low_standoff",
        HighStandoff = "high_standoff",
    }
}

impl AirProfile {
    /// Low profiles face Flak, high ones SAMs (27.1, 27.2).
    pub const fn low(self) -> bool {
        matches!(self, AirProfile::LowBomb | AirProfile::LowStandoff)
    }

    pub const fn bomb(self) -> bool {
        matches!(self, AirProfile::LowBomb | AirProfile::HighBomb)
    }
}

keyed! {
    /// Kinds of Combat Support Points (6.6).
    PointKind {
        Air = "air",
        Mine = "mine",
        Adm = "adm",
        Bridging = "bridging",
        GasPersistent = "gas_persistent",
        GasNonPersistent = "gas_non_persistent",
    }
}

keyed! {
    /// Systems that a first scenario leaves out.
    System {
        Reconnaissance = "reconnaissance",
        Strikes = "strikes",
        Air = "air",
        Helicopters = "helicopters",
        Engineers = "engineers",
        ElectronicWarfare = "electronic_warfare",
        Shatter = "shatter",
        Gas = "gas",
    }
}

keyed! {
    /// Optional rules of chapters 42 to 44.
    Optional { Overrun = "overrun", CloseAttack = "close_attack", Gas = "gas" }
}

keyed! {
    /// Levels of victory, best for the Warsaw Pact first.
    VictoryLevel {
        WpDecisive = "wp_decisive",
        WpMarginal = "wp_marginal",
        Draw = "draw",
        NatoMarginal = "nato_marginal",
        NatoDecisive = "nato_decisive",
    }
}

/// A fraction as printed on the charts: numerator, denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[u8; 2]", into = "[u8; 2]")]
pub struct Ratio {
    pub num: u8,
    pub den: u8,
}

impl Ratio {
    pub const ONE: Ratio = Ratio { num: 1, den: 1 };

    pub const fn new(num: u8, den: u8) -> Ratio {
        Ratio { num, den }
    }

    /// In quarters, if it is a whole number of them.
    pub fn quarters(self) -> Option<u8> {
        let n = u16::from(self.num) * 4;
        let d = u16::from(self.den);
        n.is_multiple_of(d).then(|| u8::try_from(n / d).ok()).flatten()
    }
}

impl TryFrom<[u8; 2]> for Ratio {
    type Error = String;

    fn try_from([num, den]: [u8; 2]) -> Result<Ratio, String> {
        if den == 0 {
            Err(format!("[{num}, {den}]: nothing is divided by 0"))
        } else {
            Ok(Ratio { num, den })
        }
    }
}

impl From<Ratio> for [u8; 2] {
    fn from(r: Ratio) -> [u8; 2] {
        [r.num, r.den]
    }
}
