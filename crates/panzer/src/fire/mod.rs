//! Direct Fire (4.4.1) and the AP procedure (4.4.3): declaration of all fire at one target, then shot by shot.

pub mod aim;
pub mod bearing;
mod declare;
mod resolve;

use serde::{Deserialize, Serialize};

use crate::{action::Shots, units::UnitId};
pub use aim::{Aim, Cause, Kind, MODIFIERS, Result, Shooting};
pub use bearing::Angle;
pub use declare::{Candidate, declare, forced, options, shot_words, subjects, template};
pub(crate) use declare::{check, check_shots, fill};
pub use resolve::{angle, next_shot, penetrate, show};

/// Fire that has been declared at one target and is being resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fire {
    pub kind: Kind,
    pub target: UnitId,
    pub shots: Shots,
    /// The next of them.
    pub next: u8,
}
