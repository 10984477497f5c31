//! A style of play: what a side aims for this turn, and how bold it is.

use rand_core::RngCore;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Weight of one's own losses against the enemy's: below 1 is bold, above 1 careful.
    pub caution: f32,
    /// Weight of gaining ground against destroying units.
    pub drive: f32,
    /// Weight of holding: of garrisons and of being in the enemy's way.
    pub hold: f32,
    /// Quick evaluations only: for trials, in which many phases are played.
    pub quick: bool,
}

impl Plan {
    /// Styles worth comparing: the usual one first, then bolder or more careful ones.
    pub fn variants(self, width: usize, rng: &mut dyn RngCore, out: &mut Vec<Plan>) {
        let Plan { caution, drive, hold, .. } = self;
        out.extend([
            self,
            Plan { caution: 0.6 * caution, drive: 1.4 * drive, ..self },
            Plan { caution: 1.5 * caution, hold: 1.5 * hold, ..self },
            Plan { hold: 2.5 * hold, ..self },
            Plan { drive: 2.0 * drive, hold: 0.6 * hold, ..self },
            Plan { drive: 0.5 * drive, ..self },
        ]);
        let mut random = |low: f32, high: f32| low + (high - low) * (rng.next_u32() as f32 / u32::MAX as f32);
        while out.len() < width {
            out.push(Plan {
                caution: random(0.5, 1.8) * caution,
                drive: random(0.5, 2.0) * drive,
                hold: random(0.5, 2.5) * hold,
                ..self
            });
        }
        out.truncate(width);
    }
}
