//! A style of play: how much one's own vehicles and ground count, and how much is kept ready.

use rand_core::RngCore;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Weight of being shot at.
    pub caution: f32,
    /// Weight of objectives and of the way to them.
    pub drive: f32,
    /// Preference for firing from the present hex (above 1) or for movement (below).
    pub steady: f32,
    /// Commands by their value one step ahead: fire if there is a target, otherwise move where something attracts.
    pub plain: bool,
    /// Quick evaluations only: for trials, in which many turns are played.
    pub quick: bool,
}

impl Plan {
    pub const USUAL: Plan = Plan { caution: 1.0, drive: 1.0, steady: 1.0, plain: false, quick: false };

    /// Styles worth comparing, the usual one first.
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
