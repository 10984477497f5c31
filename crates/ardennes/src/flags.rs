//! Markers and states of a unit, as bits.

use serde::{Deserialize, Serialize};

/// A set of markers on one unit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags(pub u32);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $key:literal;)*) => {
        impl Flags {
            $($(#[$doc])* pub const $name: Flags = Flags(1 << $bit);)*
            /// Every flag with its name in lab files and message keys.
            pub const NAMED: &'static [(Flags, &'static str)] = &[$((Flags::$name, $key)),*];
        }
    };
}

flags! {
    /// On its reduced side (16.4).
    REDUCED = 0, "reduced";
    /// Disrupted, or Broken (18.1).
    DISRUPTED = 1, "disrupted";
    /// Broken; always together with [`Flags::DISRUPTED`] (18.4).
    BROKEN = 2, "broken";
    /// 16.5
    ENGAGED = 3, "engaged";
    /// Out of Supply, whatever the cause (23.4).
    OOS = 4, "oos";
    /// Under a Strategic Movement marker (12.4).
    STRATEGIC = 5, "strategic";
    /// Under a Truck marker (12.61).
    TRUCK = 6, "truck";
    /// German artillery under a Prime Mover marker (22.3).
    PRIME_MOVER = 7, "prime_mover";
    /// Artillery on its Fired side (22.5).
    FIRED = 8, "fired";
    /// 25.33
    NIGHT = 9, "night";
    /// Replacement marker (25.24).
    REPLACED = 10, "replaced";
    /// Its move of this Movement Phase is over, or it did something instead of moving.
    MOVED = 11, "moved";
    /// Took part in an attack of this Combat Phase (14.1).
    ATTACKED = 12, "attacked";
    /// Was attacked in this Combat Phase (14.1).
    DEFENDED = 13, "defended";
    /// Retreated in this Combat Phase (17.5).
    RETREATED = 14, "retreated";
    /// Tried to disengage in this Combat Phase (20.1).
    DISENGAGED = 15, "disengaged";
    /// Started an Improved Position this turn (15.8).
    DUG = 16, "building";
    /// Without a Line of Communication at the last check (23.6).
    ISOLATED = 17, "isolated";
    /// 150th Panzer Brigade: Exposed (27.8.1).
    EXPOSED = 18, "exposed";
    /// 150th Panzer Brigade: infiltrated or surprised this turn (27.8.1).
    DISGUISE_USED = 19, "disguise_used";
    /// Arrived in this Movement Phase (13.2, 6.3).
    ARRIVED = 20, "arrived";
    /// Its SM, Truck or Prime Mover marker was put on or used again in this Movement Phase (12.7).
    MARKER_USED = 21, "marker_used";
    /// V/187 and V/406: freed by a German advance (29.1).
    RELEASED = 22, "released";
    /// Retreated across an army boundary: may not rally (11.10).
    ACROSS_BOUNDARY = 23, "across_boundary";
    /// OOS by fuel shortage (6.1).
    NO_FUEL = 24, "no_fuel";
    /// May act in the first night without a Night marker (27.5).
    PEIPER_NIGHT = 25, "peiper_night";
    /// Used Tactical Movement in this Movement Phase (25.35); 1E 25.3: or moved more than one hex.
    TACTICAL = 26, "tactical";
    /// Advanced in this combat (19.1).
    ADVANCED = 27, "advanced";
    /// Landed by parachute this turn: may not move (27.2).
    LANDED = 28, "landed";
}

impl Flags {
    pub const NONE: Flags = Flags(0);
    /// Bookkeeping flag without a name: the unit has a Night marker, but could not have been given one when night fell
    /// (25.34).
    pub const UNFIT_FOR_NIGHT: Flags = Flags(1 << 29);
    /// Bookkeeping flag without a name: the SM or Truck marker of a set-up position counts as placed in this Movement
    /// Phase (12.2).
    pub const MARKER_LAID: Flags = Flags(1 << 30);
    /// Markers of Strategic Movement and Trucks (12.4).
    pub const ON_ROAD: Flags = Flags(Self::STRATEGIC.0 | Self::TRUCK.0);

    /// Any of these?
    #[inline]
    pub const fn any(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// All of these?
    #[inline]
    pub const fn all(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    #[inline]
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    #[inline]
    pub const fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    #[inline]
    pub fn set(&mut self, other: Flags) {
        self.0 |= other.0;
    }

    #[inline]
    pub fn clear(&mut self, other: Flags) {
        self.0 &= !other.0;
    }

    /// The names of the flags that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED.iter().filter(move |(flag, _)| self.any(*flag)).map(|(_, name)| *name)
    }
}

impl std::ops::BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        self.with(other)
    }
}

impl std::fmt::Debug for Flags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
