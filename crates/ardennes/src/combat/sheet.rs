//! The odds sheet of an attack: the strength of every unit and why, bonus, shifts and odds (14.4, 14.5, 15, 21). It is
//! filled in by [`super::strength`].

use hexgrid::HexId;

use crate::{
    action::MAX_ATTACKERS,
    list::{List, Slot},
    pack::{CombatResult, Side, Tables, Terrain, UnitId},
};

/// Why a unit attacks at half strength (15.2–15.7). Only one cause ever counts; the first that applies is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// 15.5: out of a Wooded Rough hex.
    OutOfWoodedRough,
    /// 15.5: into a Wooded Rough hex over a bridge site.
    BridgeIntoWoodedRough,
    /// 15.3
    River,
    /// 15.4: a Vehicle unit over a hexside that it could not cross.
    Vehicle,
    /// 15.7: Allied Vehicle units into a West Wall hex (1E: silhouette tanks and recon).
    WestWall,
}

impl Halving {
    pub const fn rule(self) -> &'static str {
        match self {
            Halving::OutOfWoodedRough | Halving::BridgeIntoWoodedRough => "15.5",
            Halving::River => "15.3",
            Halving::Vehicle => "15.4",
            Halving::WestWall => "15.7",
        }
    }

    /// The end of its message key.
    pub const fn key(self) -> &'static str {
        match self {
            Halving::OutOfWoodedRough => "out_of_wooded_rough",
            Halving::BridgeIntoWoodedRough => "bridge_into_wooded_rough",
            Halving::River => "river",
            Halving::Vehicle => "vehicle",
            Halving::WestWall => "west_wall",
        }
    }
}

/// One attacking unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackLine {
    pub unit: UnitId,
    /// Attack factor of the face-up side.
    pub printed: u8,
    /// 27.4: black-boxed AF against a Village, Town or City.
    pub doubled: bool,
    pub halved: Option<Halving>,
    /// The factors that it adds.
    pub counted: u8,
    /// Gives the attacker the Armor Shift (21.1, 16.3).
    pub armor: bool,
}

impl Slot for AttackLine {
    const EMPTY: Self = AttackLine {
        unit: UnitId::EMPTY,
        printed: 0,
        doubled: false,
        halved: None,
        counted: 0,
        armor: false,
    };
}

/// Why a defending unit does not count for the hex's DCB (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBonus {
    /// 15.1: DF in parentheses.
    Parentheses,
    /// 12.5
    StrategicMovement,
    /// 22.9
    Artillery,
    /// 17.5: retreated into the hex, adds nothing at all.
    Retreated,
    /// 32.2
    FuelDump,
}

impl NoBonus {
    pub const fn rule(self) -> &'static str {
        match self {
            NoBonus::Parentheses => "15.1",
            NoBonus::StrategicMovement => "12.5",
            NoBonus::Artillery => "22.9",
            NoBonus::Retreated => "17.5",
            NoBonus::FuelDump => "32.2",
        }
    }

    pub const fn key(self) -> &'static str {
        match self {
            NoBonus::Parentheses => "parentheses",
            NoBonus::StrategicMovement => "strategic",
            NoBonus::Artillery => "artillery",
            NoBonus::Retreated => "retreated",
            NoBonus::FuelDump => "fuel_dump",
        }
    }
}

/// One defending unit, or the garrison of a fuel dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefenseLine {
    /// None for the garrison (32.2).
    pub unit: Option<UnitId>,
    pub printed: u8,
    pub counted: u8,
    pub no_bonus: Option<NoBonus>,
    /// One of the Tank units that give the defender the Armor Shift (21.1, 16.3).
    pub armor: bool,
}

impl Slot for DefenseLine {
    const EMPTY: Self = DefenseLine { unit: None, printed: 0, counted: 0, no_bonus: None, armor: false };
}

/// Where the DCB comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BonusFrom {
    Nothing,
    Terrain(Terrain),
    /// 15.8
    ImprovedPosition,
}

/// What caps the DCB (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// No unit in the hex may have one.
    NobodyEligible,
    /// Only silhouette tanks.
    SilhouettesOnly,
    /// The summed DF of the hex.
    Defense,
}

impl Cap {
    pub const fn key(self) -> &'static str {
        match self {
            Cap::NobodyEligible => "nobody_eligible",
            Cap::SilhouettesOnly => "silhouettes_only",
            Cap::Defense => "defense",
        }
    }
}

/// The Defensive Combat Bonus of the hex (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bonus {
    pub from: BonusFrom,
    /// The bonus before the caps.
    pub printed: u8,
    pub cap: Option<Cap>,
    pub counted: u8,
}

/// Why the column is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftCause {
    ArmorAttacker,
    ArmorDefender,
    ArtilleryAttacker,
    ArtilleryDefender,
    DefenderDisrupted,
    DefenderStrategic,
    AttackersAdvantage,
    AirSupport,
    Jabos,
    Surprise,
    AttackerOos,
    /// 1E 23.4
    DefenderOos,
}

impl ShiftCause {
    pub const fn rule(self) -> &'static str {
        match self {
            ShiftCause::ArmorAttacker | ShiftCause::ArmorDefender => "21.1",
            ShiftCause::ArtilleryAttacker => "22.7",
            ShiftCause::ArtilleryDefender => "22.8",
            ShiftCause::DefenderDisrupted => "18.2",
            ShiftCause::DefenderStrategic => "12.5",
            ShiftCause::AttackersAdvantage => "16.6",
            ShiftCause::AirSupport | ShiftCause::Jabos => "15.6",
            ShiftCause::Surprise => "27.8.3",
            ShiftCause::AttackerOos | ShiftCause::DefenderOos => "23.4",
        }
    }

    /// The end of its message key.
    pub const fn key(self) -> &'static str {
        match self {
            ShiftCause::ArmorAttacker => "armor_attacker",
            ShiftCause::ArmorDefender => "armor_defender",
            ShiftCause::ArtilleryAttacker => "artillery_attacker",
            ShiftCause::ArtilleryDefender => "artillery_defender",
            ShiftCause::DefenderDisrupted => "defender_disrupted",
            ShiftCause::DefenderStrategic => "defender_strategic",
            ShiftCause::AttackersAdvantage => "attackers_advantage",
            ShiftCause::AirSupport => "air_support",
            ShiftCause::Jabos => "jabos",
            ShiftCause::Surprise => "surprise",
            ShiftCause::AttackerOos => "attacker_oos",
            ShiftCause::DefenderOos => "defender_oos",
        }
    }
}

/// A column shift: positive to the right, for the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    pub cause: ShiftCause,
    pub columns: i8,
}

impl Slot for Shift {
    const EMPTY: Self = Shift { cause: ShiftCause::ArmorAttacker, columns: 0 };
}

/// A computed attack. Shifts that a die decides (surprise, defensive artillery, Jabos) are not included: their sum is
/// passed to [`Sheet::column`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    pub attacker: Side,
    pub target: HexId,
    pub attackers: List<AttackLine, MAX_ATTACKERS>,
    pub defenders: List<DefenseLine, 25>,
    /// Sum of the attackers' lines, before the limit of 34.
    pub attack_sum: u16,
    pub attack: u16,
    /// Sum of the defenders' lines, without DCB.
    pub defense_sum: u16,
    pub bonus: Bonus,
    pub defense: u16,
    pub shifts: List<Shift, 12>,
    /// Which side has the Armor Shift.
    pub armor_shift: Option<Side>,
}

impl Sheet {
    /// The odds before shifts, as a rung of the ladder … 1-3, 1-2, 1-1, 2-1, 3-1 … with 1-1 as 0 (14.4, G-13).
    pub fn rung(&self) -> i16 {
        rung(self.attack, self.defense)
    }

    /// The sum of the shifts known beforehand.
    pub fn shift(&self) -> i8 {
        self.shifts.iter().map(|shift| shift.columns).sum()
    }

    /// The column of the CRT, including the shifts decided by dice (14.5).
    pub fn column(&self, tables: &Tables, rolled: i8) -> usize {
        column(tables, self.rung() + i16::from(self.shift()) + i16::from(rolled))
    }

    /// The result of a die in that column.
    pub fn result(&self, tables: &Tables, rolled: i8, die: u8) -> CombatResult {
        tables.crt.rows[usize::from(die.clamp(1, 6)) - 1][self.column(tables, rolled)]
    }
}

/// 14.4: the ladder of odds; remainders favour the defender (G-13).
pub use zocbond::combat::odds::{odds, rung};

/// 14.5: shifts are applied to the unclamped odds; the first and last columns then take everything beyond them.
pub fn column(tables: &Tables, rung: i16) -> usize {
    let columns = tables.crt.columns.iter().map(|c| (u16::from(c.attack), u16::from(c.defense)));
    zocbond::combat::odds::column(columns, rung)
}
