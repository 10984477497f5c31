//! What the line of an event is about, and for whom it is good.

use kernel::{Topic, view::Tone};

use super::{Event, Outcome};

impl Event {
    /// What the line of the report is about.
    pub const fn topic(&self) -> Topic {
        match self {
            Event::Turn { .. } => Topic::Turn,
            Event::Phase { .. } => Topic::Phase,
            Event::Stepped { .. }
            | Event::Turned { .. }
            | Event::Moved { .. }
            | Event::Quickmarch { .. }
            | Event::Mounted { .. }
            | Event::Dismounted { .. }
            | Event::Door { .. }
            | Event::Floor { .. } => Topic::Move,
            Event::Placed { .. } | Event::Uncovered { .. } | Event::Entered { .. } | Event::Exited { .. } => {
                Topic::Arrival
            }
            Event::TookOff { .. } | Event::FlewTo { .. } | Event::FlewOff { .. } => Topic::Flight,
            Event::Destroyed { .. }
            | Event::TerrainDestroyed { .. }
            | Event::ShotDown { .. }
            | Event::Crashed { .. } => Topic::Blast,
            Event::Over(_) => Topic::Over,
            Event::Declared { .. }
            | Event::Interrupted { .. }
            | Event::OverrunDeclared { .. }
            | Event::AssaultDeclared { .. }
            | Event::AssaultLapsed { .. }
            | Event::AirStrike { .. }
            | Event::Called { .. }
            | Event::Response { .. } => Topic::Attack,
            Event::Fired { .. }
            | Event::Wasted { .. }
            | Event::Hit { .. }
            | Event::GpFire { .. }
            | Event::Hits { .. }
            | Event::Located { .. }
            | Event::HullDownMiss { .. }
            | Event::ApDamage { .. }
            | Event::Overrun { .. }
            | Event::Barrage { .. }
            | Event::Impact { .. }
            | Event::CloseAssault { .. }
            | Event::HandToHand { .. }
            | Event::TerrainAttacked { .. }
            | Event::Mined { .. }
            | Event::AirAttack { .. }
            | Event::AaFire { .. } => Topic::Combat,
            Event::Suppressed { .. }
            | Event::Recovery { .. }
            | Event::Bogged { .. }
            | Event::MoraleCheck { .. }
            | Event::Rallied { .. }
            | Event::BailTest { .. } => Topic::Effect,
            Event::Damage { .. }
            | Event::TrackHit { .. }
            | Event::Reduced { .. }
            | Event::Eliminated { .. }
            | Event::Abandoned { .. }
            | Event::LeftVehicle { .. }
            | Event::WeaponLost { .. }
            | Event::CraftDamaged { .. } => Topic::Loss,
            _ => Topic::Other,
        }
    }

    /// What fire did, for the side that fired.
    pub const fn tone(&self) -> Option<Tone> {
        let good = match self {
            Event::GpFire { outcome, .. }
            | Event::Overrun { outcome, .. }
            | Event::Barrage { outcome, .. }
            | Event::CloseAssault { outcome, .. }
            | Event::TerrainAttacked { outcome, .. }
            | Event::AirAttack { outcome, .. }
            | Event::AaFire { outcome, .. } => !matches!(outcome, Outcome::NoEffect),
            Event::Fired { hit, .. } => *hit,
            Event::HullDownMiss { .. } => false,
            _ => return None,
        };
        Some(if good { Tone::Good } else { Tone::Bad })
    }
}
