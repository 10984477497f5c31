//! Fire Combat (18): the procedure of 18.2 for every kind of fire, absorbing hits (18.3), and the related questions.

mod absorb;
mod advance;
mod declare;
mod retreat;
mod strength;

use hexgrid::HexId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use absorb::{Cover, Loss, Stand, absorb, losses};
pub use advance::Advance;
pub use declare::{Defensive, Infiltration, Offensive, RetreatFire, resolve};
pub use retreat::{Retreat, retreat_hexes};
pub use strength::{FireSheet, Firer};

use crate::{
    frame::Frame,
    units::{Side, UnitId, UnitSet},
};

/// 18.0, 23.0, 42.0, 43.0: kinds of fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FireKind {
    Infiltration,
    #[default]
    Defensive,
    Offensive,
    Retreat,
    /// Defenders fire at the attackers in their hex.
    PointBlankDefender,
    PointBlankAttacker,
    /// 23.1
    Strike,
    /// 23.4
    CounterBattery,
}

impl FireKind {
    /// The fire that a frame asks for.
    pub(crate) const fn at(frame: Frame) -> Option<FireKind> {
        match frame {
            Frame::Infiltration => Some(FireKind::Infiltration),
            Frame::DefensiveFire => Some(FireKind::Defensive),
            Frame::OffensiveFire => Some(FireKind::Offensive),
            Frame::RetreatFire => Some(FireKind::Retreat),
            Frame::PointBlank { attacker: true } => Some(FireKind::PointBlankAttacker),
            Frame::PointBlank { attacker: false } => Some(FireKind::PointBlankDefender),
            _ => None,
        }
    }

    pub const ALL: [FireKind; 8] = [
        FireKind::Infiltration,
        FireKind::Defensive,
        FireKind::Offensive,
        FireKind::Retreat,
        FireKind::PointBlankDefender,
        FireKind::PointBlankAttacker,
        FireKind::Strike,
        FireKind::CounterBattery,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            FireKind::Infiltration => "infiltration",
            FireKind::Defensive => "defensive",
            FireKind::Offensive => "offensive",
            FireKind::Retreat => "retreat",
            FireKind::PointBlankDefender => "point_blank_defender",
            FireKind::PointBlankAttacker => "point_blank_attacker",
            FireKind::Strike => "strike",
            FireKind::CounterBattery => "counter_battery",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            FireKind::Infiltration => "18.6",
            FireKind::Defensive => "18.7",
            FireKind::Offensive => "18.8",
            FireKind::Retreat => "18.9",
            FireKind::PointBlankDefender | FireKind::PointBlankAttacker => "42.0",
            FireKind::Strike => "23.1.1",
            FireKind::CounterBattery => "23.4.2",
        }
    }

    /// The section of the Terrain Effects Chart used for defense (18.0).
    pub const fn strikes(self) -> bool {
        matches!(self, FireKind::Offensive | FireKind::PointBlankAttacker) || self.is_strike()
    }

    /// Takes losses from the weakest unit first, and disrupts (23.1).
    pub const fn is_strike(self) -> bool {
        matches!(self, FireKind::Strike | FireKind::CounterBattery)
    }

    pub const fn point_blank(self) -> bool {
        matches!(self, FireKind::PointBlankDefender | FireKind::PointBlankAttacker)
    }
}

/// A combat that is being resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Combat {
    pub kind: FireKind,
    /// The side that fires.
    pub side: Side,
    pub target: HexId,
    /// The units subject to it (18.3.5).
    pub targets: UnitSet,
    /// Hits not yet absorbed.
    pub hits: u16,
    /// 18.4: the unit that covers the retreat.
    pub cover: Option<UnitId>,
    /// The units that fired, with their number of steps.
    pub firers: SmallVec<[(UnitId, u8); 8]>,
}
