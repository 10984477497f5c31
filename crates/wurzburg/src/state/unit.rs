//! Counters: where they are, their steps and marks.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::units::FormationId;

/// The place of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Available for splits and dummies (11.1). Eliminated counters of a pool are here too (18.3.4).
    #[default]
    Spare,
    Map,
    /// Maintains a military bridge: on the hexside, in neither hex (34.3).
    Bridge,
    /// 40.1
    FiveRow,
    TenRow,
    /// Due, beside its entry hex (46.6.3).
    Column,
    /// Airmobile, waiting off the map (46.6.9).
    Waiting,
    /// An HQ on the Game Turn Track until turn [`Unit::turn`] (30.4.1).
    Track,
    /// It arrives on a later turn.
    Later,
    /// Helicopter Track (25.5).
    Ready,
    Rearm,
    Recovery,
    /// A passenger of a helicopter unit (26.0).
    Aboard,
    /// Left the map alive (18.4.7, 46.7.4).
    Exited,
    Dead,
}

impl Place {
    pub const fn key(self) -> &'static str {
        match self {
            Place::Spare => "spare",
            Place::Map => "map",
            Place::Bridge => "bridge",
            Place::FiveRow => "five",
            Place::TenRow => "ten",
            Place::Column => "column",
            Place::Waiting => "waiting",
            Place::Track => "track",
            Place::Later => "later",
            Place::Ready => "ready",
            Place::Rearm => "rearm_refuel",
            Place::Recovery => "recovery",
            Place::Aboard => "aboard",
            Place::Exited => "exited",
            Place::Dead => "dead",
        }
    }
}

/// Marks of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags(pub u16);

impl Flags {
    /// 11.4
    pub const USED: Flags = Flags(1);
    /// 6.1.1, 23.3
    pub const DISRUPTED: Flags = Flags(1 << 1);
    /// 6.1.2, 22.5
    pub const FIRED: Flags = Flags(1 << 2);
    /// Fired in the current Strike Segment (12.4.1).
    pub const FIRED_NOW: Flags = Flags(1 << 3);
    /// 6.1.4, 44.4
    pub const CONTAMINATED: Flags = Flags(1 << 4);
    /// 6.1.5, 14.4
    pub const MASKED: Flags = Flags(1 << 5);
    /// Has moved adjacent to an enemy by tactical movement: no more road movement in this operation (16.4, 16.5).
    pub const TACTICAL: Flags = Flags(1 << 6);
    /// Laid the minefield it is in (37.3.1).
    pub const LAYER: Flags = Flags(1 << 7);
    /// Has made its Engineering Action of this phase (33.0).
    pub const WORKED: Flags = Flags(1 << 8);
}

/// The place and hex of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    pub place: Place,
    /// Its hex; [`HexId::NONE`] off the map. For a column, the edge hex where it waits.
    pub hex: HexId,
}

/// One counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Read as `unit.place` and `unit.hex`; changed by [`State::put`].
    #[serde(flatten)]
    spot: Spot,
    /// 0 on the map: a dummy (11.3).
    pub steps: u8,
    pub flags: Flags,
    /// Movement left in quarters of a Movement Point, during its operation.
    pub mp: u8,
    /// The turn in which an HQ returns (30.4.1); for a unit not yet on the map, the number of its arrival.
    pub turn: u8,
    /// The formation in whose cycle a base unit takes part this turn (10.1.3).
    pub cycle: FormationId,
}

impl std::ops::Deref for Unit {
    type Target = Spot;

    #[inline]
    fn deref(&self) -> &Spot {
        &self.spot
    }
}

impl Unit {
    pub const OFF: Unit = Unit {
        spot: Spot { place: Place::Spare, hex: HexId::NONE },
        steps: 0,
        flags: Flags(0),
        mp: 0,
        turn: 0,
        cycle: FormationId::NONE,
    };

    /// Only for [`Roster`], which tracks the counters in each hex.
    pub(crate) const fn lay(&mut self, place: Place, hex: HexId) {
        self.spot = Spot { place, hex };
    }

    #[inline]
    pub const fn is(&self, flag: Flags) -> bool {
        self.flags.0 & flag.0 != 0
    }

    pub const fn set(&mut self, flag: Flags) {
        self.flags.0 |= flag.0;
    }

    pub const fn clear(&mut self, flag: Flags) {
        self.flags.0 &= !flag.0;
    }

    #[inline]
    pub const fn on_map(&self) -> bool {
        matches!(self.spot.place, Place::Map)
    }

    /// 11.3
    #[inline]
    pub const fn dummy(&self) -> bool {
        self.steps == 0 && self.on_map()
    }
}
