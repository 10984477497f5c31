//! Vehicles by number, sets of them, and what the rules read from a data card.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    pack::{ApRow, Card, FieldOfFire, Movement, Side},
    piece::Arm,
};

/// A vehicle of the game, by its index in the scenario's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u8);

impl UnitId {
    /// No unit.
    pub const NONE: UnitId = UnitId(u8::MAX);

    /// The unit, if it is one.
    pub const fn some(self) -> Option<UnitId> {
        if self.0 == u8::MAX { None } else { Some(self) }
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most vehicles a game can have.
pub const MAX_UNITS: usize = 128;

/// A set of vehicles, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnitSet(u128);

impl UnitSet {
    pub const EMPTY: UnitSet = UnitSet(0);

    pub const fn one(unit: UnitId) -> UnitSet {
        UnitSet(1 << unit.0)
    }

    #[inline]
    pub const fn contains(self, unit: UnitId) -> bool {
        self.0 >> unit.0 & 1 == 1
    }

    #[inline]
    pub const fn insert(&mut self, unit: UnitId) {
        self.0 |= 1 << unit.0;
    }

    pub const fn remove(&mut self, unit: UnitId) {
        self.0 &= !(1 << unit.0);
    }

    /// The members of this set that are in another, and those that are not.
    #[must_use]
    pub const fn and(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & other.0)
    }

    #[must_use]
    pub const fn without(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The members, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = UnitId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let unit = UnitId(left.trailing_zeros() as u8);
                left &= left - 1;
                unit
            })
        })
    }
}

impl Serialize for UnitSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.0 as u64, (self.0 >> 64) as u64].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for UnitSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [low, high] = <[u64; 2]>::deserialize(deserializer)?;
        Ok(UnitSet(u128::from(high) << 64 | u128::from(low)))
    }
}

/// A gun that can fire AP (4.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gun {
    /// Its index among the card's mounts.
    pub mount: u8,
    pub ap: ApRow,
    pub arc: FieldOfFire,
}

impl Gun {
    /// A weapon of the Advanced Game, with its first kind of AP ammunition; without AP ammunition it has no range.
    pub fn of_arm(n: u8, arm: &Arm) -> Gun {
        let ammo = arm.weapon.ap.or(arm.weapon.heat);
        Gun { mount: n, ap: ammo.map_or(ApRow::default(), |ammo| ammo.row), arc: arm.arc }
    }

    /// 3.5.2
    pub const fn maximum_range(&self) -> u32 {
        self.ap.range[4] as u32
    }

    /// 4.4.3.2.1: the Range Factor, 0 to 4 for P, S, M, L, E; none beyond maximum range.
    pub fn range_factor(&self, range: u32) -> Option<usize> {
        self.ap.factor(range)
    }
}

/// What the rules need to know about a vehicle all the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    pub side: Side,
    /// Index of its card in [`crate::rules::Panzer::cards`].
    pub card: usize,
    /// 4.1.1: has an attack capability.
    pub combat: bool,
    pub size: i8,
    /// Front, rear (4.4.3.2.5).
    pub armor: [u8; 2],
    pub movement: Movement,
    /// Guns with an AP row. In the Advanced Game one for each weapon, in the order of [`crate::piece::Piece::arms`].
    pub guns: Vec<Gun>,
    /// 3.8, 5.13: counts towards an overstacked hex; Leg units do not.
    pub stacks: bool,
}

impl Vehicle {
    pub fn new(side: Side, card: usize, of: &Card) -> Vehicle {
        let gun = |(n, mount): (usize, &crate::pack::Mount)| {
            let arc = match (mount.turret_turn, mount.field_of_fire) {
                // 4.4.3.1.3: without a turret only front or rear.
                (0, FieldOfFire::All) => FieldOfFire::Front,
                (_, arc) => arc,
            };
            mount.ap.map(|ap| Gun { mount: n as u8, ap, arc })
        };
        Vehicle {
            side,
            card,
            combat: of.armed,
            size: of.size,
            armor: of.armor,
            movement: of.movement,
            guns: of.mounts.iter().enumerate().filter_map(gun).collect(),
            stacks: true,
        }
    }
}

/// The letters of the Range Factors (4.4.3.2.1).
pub const RANGE_FACTORS: [&str; 5] = ["P", "S", "M", "L", "E"];
