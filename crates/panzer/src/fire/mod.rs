//! Direct Fire (4.4.1) and the AP procedure (4.4.3): declaration of all fire at one target, then shot by shot.

pub mod aim;
pub mod bearing;
mod blast;
mod candidate;
mod declare;
mod odds;
mod resolve;
pub mod smoke;
mod strike;

use serde::{Deserialize, Serialize};

use smallvec::SmallVec;

use crate::{
    action::{Shot, Shots},
    piece::Ammo,
    units::UnitId,
};
pub use aim::{Aim, Cause, Dual, Kind, Result, Shooting};
pub use bearing::Angle;
pub use blast::Blast;
pub use candidate::Candidate;
pub use declare::{
    DirectFire, declare, give_up_position, note_target, options, shot_words, subjects, template,
};
pub(crate) use declare::{check_shots, fill};
pub use odds::Fate;
pub use resolve::{eliminated, next_shot, penetrate};
pub use strike::{HitAngle, Spread, angles, locate, mark, mark_as, splash, strike};

/// Fire that has been declared at one target and is being resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fire {
    pub kind: Kind,
    pub target: UnitId,
    pub shots: Shots,
    /// The next of them.
    pub next: u8,
    /// 4.4.3.2.2: targets whose owner is still to be asked about a hidden Command, the next one last.
    #[serde(default)]
    pub asked: SmallVec<[UnitId; 2]>,
    /// 6.5.2.1: the targets of the hits that are still to be resolved for the current shot.
    #[serde(default)]
    pub hits: SmallVec<[UnitId; 4]>,
    /// 5.16.2: the ammunition of that shot, and how many limits were in effect.
    #[serde(default)]
    pub ammo: Ammo,
    #[serde(default)]
    pub limits: u8,
}

impl Fire {
    /// The shot that is being resolved.
    pub fn shot(&self) -> Option<Shot> {
        self.shots.get(usize::from(self.next).wrapping_sub(1)).copied()
    }

    /// The target that this shot was declared at.
    pub fn aimed_at(&self) -> UnitId {
        self.shot().map_or(self.target, |shot| shot.target(self.target))
    }

    /// The target it hits now.
    pub fn struck(&self) -> UnitId {
        self.hits.first().copied().unwrap_or(self.target)
    }

    /// The unit whose Command is asked about.
    pub fn showing(&self) -> UnitId {
        self.asked.last().copied().unwrap_or(self.target)
    }
}
