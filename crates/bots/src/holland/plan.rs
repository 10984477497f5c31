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
    /// Share of the usual attraction by which units leave their places.
    pub eager: f32,
    /// What an attack must be worth besides the usual.
    pub patience: f32,
    /// Weight of the quick estimate of a place beside its full evaluation.
    pub rough: f32,
    /// Quick evaluations only.
    pub quick: bool,
    /// Which of several answers is given to the decision at hand.
    pub pick: Pick,
}

/// An answer to a decision that has only a few: trials compare them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// What the evaluation prefers.
    #[default]
    Usual,
    /// The best, the second best and so on, even if none seems worth it.
    Nth(u8),
    /// Nothing: no attack, no advance.
    None,
}

impl Pick {
    /// Alternatives worth trying out.
    pub const ALL: [Pick; 5] = [Pick::Usual, Pick::Nth(0), Pick::None, Pick::Nth(1), Pick::Nth(2)];
}

impl Plan {
    /// Styles worth comparing: the usual one first, then bolder or more careful ones.
    pub fn variants(self, width: usize, rng: &mut dyn RngCore, out: &mut Vec<Plan>) {
        let Plan { caution, drive, hold, eager, rough, .. } = self;
        out.extend([
            self,
            Plan { caution: 0.6 * caution, drive: 1.4 * drive, ..self },
            Plan { caution: 1.5 * caution, hold: 1.5 * hold, ..self },
            Plan { eager: 0.35 * eager, patience: self.patience + 1.25, ..self },
            Plan { hold: 2.5 * hold, ..self },
            Plan { rough: 0.2 * rough, ..self },
            Plan { drive: 2.0 * drive, hold: 0.6 * hold, ..self },
            Plan { drive: 0.5 * drive, ..self },
        ]);
        let mut random = |low: f32, high: f32| low + (high - low) * (rng.next_u32() as f32 / u32::MAX as f32);
        while out.len() < width {
            out.push(Plan {
                caution: random(0.5, 1.8) * caution,
                drive: random(0.5, 2.0) * drive,
                hold: random(0.5, 2.5) * hold,
                eager: random(0.3, 1.5) * eager,
                rough: random(0.2, 1.2) * rough,
                ..self
            });
        }
        out.truncate(width);
    }
}
