//! Counters and formations by number, sets of counters, and printed values.

use hexgrid::set::{BitSet, Index};
use serde::{Deserialize, Serialize};

use crate::pack::{HelicopterProfile, UnitType};

/// A counter, by its index in the table's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u16);

impl UnitId {
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Index for UnitId {
    #[inline]
    fn from_index(index: usize) -> Self {
        UnitId(index as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of counters.
pub type UnitSet = BitSet<UnitId, 6>;

/// The most counters a table can have.
pub const MAX_UNITS: usize = UnitSet::CAPACITY;

/// The set of these counters.
pub fn set_of(units: impl IntoIterator<Item = UnitId>) -> UnitSet {
    let mut set = UnitSet::EMPTY;
    for unit in units {
        set.insert(unit);
    }
    set
}

pub use crate::pack::{
    Category, Column, Echelon, FormationId, FormationKind, Nation, Operation as OpKind, Side, Symbol,
};

impl FormationId {
    pub const NONE: FormationId = FormationId(u8::MAX);

    pub fn some(self) -> Option<FormationId> {
        (self != FormationId::NONE).then_some(self)
    }
}

impl Default for FormationId {
    fn default() -> Self {
        FormationId::NONE
    }
}

#[expect(clippy::derivable_impls, reason = "the pack declares its words by a macro without one")]
impl Default for Side {
    fn default() -> Self {
        Side::Wp
    }
}

impl Side {
    #[must_use]
    pub const fn enemy(self) -> Side {
        self.other()
    }
}

#[expect(clippy::derivable_impls, reason = "the pack declares its words by a macro without one")]
impl Default for OpKind {
    fn default() -> Self {
        OpKind::March
    }
}

impl OpKind {
    /// The word of the notation.
    pub const fn word(self) -> &'static str {
        match self {
            OpKind::March => "march",
            OpKind::HastyAttack => "hasty",
            OpKind::Assault => "assault",
            OpKind::Reserve => "reserve",
        }
    }

    pub fn read(text: &str) -> Option<OpKind> {
        OpKind::ALL.into_iter().find(|kind| kind.word() == text || kind.key() == text)
    }
}

impl Symbol {
    /// 4.1.1: tank, cavalry, anti-armor and infantry units.
    #[inline]
    pub const fn maneuver(self) -> bool {
        matches!(self.category(), Category::Maneuver)
    }

    /// Mechanized, motorized and leg infantry.
    pub const fn infantry(self) -> bool {
        matches!(self, Symbol::MechanizedInfantry | Symbol::MotorizedInfantry | Symbol::AirborneInfantry)
    }

    /// 4.1.2
    #[inline]
    pub const fn artillery(self) -> bool {
        matches!(self.category(), Category::Artillery)
    }

    #[inline]
    pub const fn ground(self) -> bool {
        self.category().ground()
    }
}

/// The printed values of a counter, and what the rules need to know about it all the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    pub id: String,
    /// The designation printed on it.
    pub label: String,
    pub vehicle: String,
    /// The id of its type in the pack.
    pub kind: String,
    pub side: Side,
    pub nation: Nation,
    pub formation: FormationId,
    /// 4.1.1.6
    pub symbol: Symbol,
    /// 11.8, 11.1.2, 11.1.4: Identical counters: those among which steps may be split and combined (11.5, 11.8).
    pub pool: u8,
    /// 5.0, 11.1.1, 11.1.3, 11.1.5, 11.1.6
    pub max_steps: u8,
    /// 4.1.1.4, 18.1.1
    pub attack: u8,
    /// 4.1.1.5
    pub defense: u8,
    pub range: u8,
    /// 4.1.4.1
    pub cp: u8,
    /// 4.1.4.2
    pub rp: u8,
    /// 4.1.4.3, 30.1
    pub command_range: u8,
    pub ew: bool,
    pub thermal: bool,
    pub airmobile: bool,
    /// 29.1: may paradrop.
    pub airborne: bool,
    /// For attack helicopters, in the order of [`crate::pack::HelicopterProfile`] (25.3).
    pub profiles: [Option<crate::pack::Profile>; 2],
    /// Moves only by minimum movement (16.1.2).
    pub leg: bool,
    /// 4.1.2.4
    pub dag: bool,
    pub adm: bool,
    pub gas: bool,
    /// 4.1.4.4: a Main HQ, which decontaminates (44.6).
    pub main: bool,
    /// Its index among the HQs of the table, or 255.
    pub hq: u8,
}

impl Counter {
    /// What its type says of a counter; the rest is to be set.
    pub(crate) fn of_type(kind: &UnitType, nation: Nation) -> Counter {
        Counter {
            id: String::new(),
            label: String::new(),
            vehicle: kind.vehicle.clone(),
            kind: kind.id.clone(),
            side: Side::default(),
            nation,
            formation: FormationId::default(),
            symbol: kind.symbol,
            pool: u8::MAX,
            max_steps: 1,
            attack: kind.attack,
            defense: kind.defense,
            range: kind.range,
            cp: kind.cp,
            rp: kind.rp,
            command_range: kind.command_range,
            ew: kind.ew_asset,
            thermal: kind.thermal,
            airmobile: kind.airmobile,
            airborne: kind.airborne,
            profiles: HelicopterProfile::ALL.map(|profile| kind.helicopter_profile(profile)),
            leg: kind.leg,
            dag: false,
            adm: kind.adm,
            gas: kind.gas,
            main: false,
            hq: u8::MAX,
        }
    }
}

/// One node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Formation {
    pub id: String,
    pub side: Side,
    pub nation: Nation,
    pub echelon: Echelon,
    pub kind: FormationKind,
    pub parent: FormationId,
    /// Its units are the base of a division, corps or army (7.1.4, 7.2.4).
    pub base: bool,
    /// Has an Activation Cycle of its own (10.1).
    pub activates: bool,
    /// Attached to a formation named in play (12.5.3, 12.8.3).
    pub independent: bool,
    pub main_effort: bool,
    /// Shatter number; `None` if it is never tested.
    pub shatter: Option<u8>,
    /// One Shatter number for all below it (31.1.1).
    pub shatter_as_one: bool,
}

impl Formation {
    /// 4.1.1.7
    pub fn dtb(&self) -> bool {
        self.kind == FormationKind::Dtb
    }

    pub fn motor_rifle(&self) -> bool {
        self.kind == FormationKind::MotorRifleRegiment
    }

    pub fn cavalry(&self) -> bool {
        self.kind == FormationKind::CavalrySquadron
    }
}

/// Identical counters and the steps that they share (11.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pool {
    pub id: String,
    pub formation: FormationId,
    pub steps: u8,
    pub max_steps: u8,
    pub units: Vec<UnitId>,
}
