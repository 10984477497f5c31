//! Helicopters and airborne units in the air (25, 26, 29): the Helicopter Track, flights under Flak Fire, transport and
//! paradrop.

mod drop;
mod flak;
mod flight;
mod lift;
mod mobile;
mod track;

use hexgrid::HexId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use drop::{Declare, Drop, DropFlak, disorganize};
pub use flak::{FlakChoice, FlakFire, PassengerLoss};
pub use flight::open as open_flight;
pub use flight::{Fly, FlyHome, OnTheWay, raid, run};
pub use lift::{Cover, check_lift, lift_offers, start as start_lift};
pub use mobile::{check_airmobile, check_objective};
pub use track::{advance, exchange, set_out};

use crate::{
    action::Units,
    rules::Wurzburg,
    state::{Place, State},
    units::{Symbol, UnitId, UnitSet},
};

/// The direction of a helicopter unit's flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leg {
    /// To the firing position or the pickup hex.
    #[default]
    Out,
    /// With passengers to the LZ.
    Loaded,
    /// Aborted, returning with passengers to where they came from (26.4.7).
    Returning,
    /// To the friendly map edge.
    Home,
}

/// A helicopter unit in flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    pub unit: UnitId,
    pub leg: Leg,
    /// Where this leg began; none at the map edge.
    #[serde(default)]
    pub from: HexId,
    /// The hexes of this leg, and how many have been flown.
    pub path: SmallVec<[HexId; 24]>,
    pub at: u16,
    pub aborted: bool,
    pub passengers: UnitSet,
    /// The loaded leg, once they are aboard.
    pub route: SmallVec<[HexId; 24]>,
    /// Where the passengers board; none if they are waiting off the map.
    pub pickup: HexId,
    pub lz: HexId,
}

impl Flight {
    pub fn new(unit: UnitId) -> Flight {
        Flight {
            unit,
            leg: Leg::Out,
            from: HexId::NONE,
            path: SmallVec::new(),
            at: 0,
            aborted: false,
            passengers: UnitSet::EMPTY,
            route: SmallVec::new(),
            pickup: HexId::NONE,
            lz: HexId::NONE,
        }
    }

    /// Begin a leg in this hex, or at the map edge.
    pub fn set_out(&mut self, leg: Leg, from: HexId, path: SmallVec<[HexId; 24]>) {
        (self.leg, self.from, self.path, self.at) = (leg, from, path, 0);
    }

    /// The hexes of this leg that have been flown, and those that are still ahead; both with the hex it is in.
    pub fn track(&self) -> (SmallVec<[HexId; 24]>, SmallVec<[HexId; 24]>) {
        let at = usize::from(self.at).min(self.path.len());
        let flown = self.from.some().into_iter().chain(self.path[..at].iter().copied()).collect();
        let here = if at == 0 { self.from.some() } else { Some(self.path[at - 1]) };
        (flown, here.into_iter().chain(self.path[at..].iter().copied()).collect())
    }

    pub fn next(&self) -> Option<HexId> {
        self.path.get(usize::from(self.at)).copied()
    }

    /// Whether only a forced Hit Check still counts (25.2.4, 26.4.7).
    pub fn bound_home(&self) -> bool {
        matches!(self.leg, Leg::Home | Leg::Returning)
    }
}

/// A Fire Strike that is waiting for its attack helicopters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raid {
    pub hex: HexId,
    pub guns: Units,
    pub helicopter: UnitId,
}

/// What is in the air.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sky {
    pub flight: Option<Flight>,
    pub raid: Option<Raid>,
    /// 29.5: declared for the current cycle.
    pub paradrop: bool,
    /// Units that are dropping in this operation (29.5.1).
    pub dropped: SmallVec<[UnitId; 12]>,
    /// Units that have made their air movement in this operation (29.3).
    pub flown: UnitSet,
}

impl Symbol {
    pub const fn helicopter(self) -> bool {
        matches!(self, Symbol::AttackHelicopter | Symbol::UtilityHelicopter)
    }
}

impl Wurzburg {
    /// Every attack helicopter unit that is on the map.
    pub fn attack_helicopters_up(&self, s: &State) -> Units {
        let up = |unit: &UnitId| {
            self.counter(*unit).symbol == Symbol::AttackHelicopter && s.unit(*unit).place == Place::Map
        };
        s.ids().filter(up).collect()
    }
}
