//! A manner of play: how dear one's own vehicles are, how much ground counts, how much is kept ready.

use rand_core::RngCore;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Weight of being shot at.
    pub caution: f32,
    /// Weight of objectives and of the way to them.
    pub drive: f32,
    /// Leaning towards fire from where one stands (above 1) or towards movement (below).
    pub steady: f32,
    /// Commands as one step shows them: fire where there is a target, else go where something draws.
    pub plain: bool,
    /// Only what can be seen at a glance: for trials, where many turns are played.
    pub quick: bool,
}

impl Plan {
    pub const USUAL: Plan = Plan { caution: 1.0, drive: 1.0, steady: 1.0, plain: false, quick: false };

    /// Manners worth comparing, the usual one first.
    pub fn variants(self, width: usize, rng: &mut dyn RngCore, out: &mut Vec<Plan>) {
        let fixed = [
            self,
            Plan { plain: true, ..self },
            Plan { drive: 2.2, caution: 0.6, ..self },
            Plan { drive: 0.3, caution: 1.4, steady: 1.2, ..self },
            Plan { caution: 2.2, ..self },
            Plan { drive: 3.5, caution: 0.4, steady: 0.7, ..self },
            Plan { steady: 1.6, ..self },
            Plan { steady: 0.6, ..self },
            Plan { drive: 0.0, caution: 0.7, ..self },
        ];
        out.extend(fixed);
        let mut random = |low: f32, high: f32| low + (high - low) * (rng.next_u32() as f32 / u32::MAX as f32);
        while out.len() < width {
            let (caution, drive, steady) = (random(0.4, 2.0), random(0.2, 3.0), random(0.6, 1.6));
            out.push(Plan { caution, drive, steady, ..self });
        }
        out.truncate(width.max(1));
    }
}
