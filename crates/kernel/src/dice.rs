//! Dice from three sources behind one interface: seeded (reproducible, provable), scripted (lab, tests) and
//! recorded (replay).

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The seed of a game's dice: 32 bytes, secret until the game is over.
pub type Seed = [u8; 32];

#[derive(Clone, Debug)]
pub struct Dice {
    source: Source,
    rolled: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Source {
    Seeded(Box<ChaCha8Rng>),
    Listed { values: Vec<u8>, next: usize },
    Mixed { values: Vec<u8>, next: usize, rng: Box<ChaCha8Rng> },
}

/// Rejection keeps every face equally likely.
fn fair_roll(rng: &mut ChaCha8Rng, sides: u8) -> u8 {
    let fair = u32::MAX - u32::MAX % u32::from(sides);
    loop {
        let word = rng.next_u32();
        if word < fair {
            break (word % u32::from(sides)) as u8 + 1;
        }
    }
}

/// A listed value on a die. Ten-sided dice are printed 0 to 9, and two of them 00 to 99: there 0 is the highest face.
fn on_die(value: u8, sides: u8) -> Result<u8, DiceError> {
    match value {
        0 if matches!(sides, 10 | 100) => Ok(sides),
        1.. if value <= sides => Ok(value),
        _ => Err(DiceError::NotOnDie { value, sides }),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiceError {
    #[error("the dice ran out after {0} rolls")]
    RanOut(usize),
    #[error("the die shows {value}, but a d{sides} is asked for")]
    NotOnDie { value: u8, sides: u8 },
}

impl Dice {
    /// Dice fixed by a seed, read from position `at` of its stream.
    pub fn seeded(seed: Seed, at: u64) -> Self {
        let mut rng = ChaCha8Rng::from_seed(seed);
        rng.set_word_pos(u128::from(at));
        Dice { source: Source::Seeded(Box::new(rng)), rolled: Vec::new() }
    }

    /// A small seed spread over 32 bytes, for tests, `seed = 7` of the lab and simulations.
    pub fn from_number(seed: u64) -> Self {
        Dice::seeded(seed_from_number(seed), 0)
    }

    /// Dice that show exactly these values, in this order, whoever rolls. A d100 is one value (100 for `00`).
    pub fn scripted(values: Vec<u8>) -> Self {
        Dice { source: Source::Listed { values, next: 0 }, rolled: Vec::new() }
    }

    /// Dice that show these values first and then continue with the seed: the same roll with different luck afterwards.
    pub fn scripted_then(values: Vec<u8>, seed: Seed) -> Self {
        let rng = Box::new(ChaCha8Rng::from_seed(seed));
        Dice { source: Source::Mixed { values, next: 0, rng }, rolled: Vec::new() }
    }

    /// One roll of a die with `sides` faces (6, 10, 100).
    pub fn roll(&mut self, sides: u8) -> Result<u8, DiceError> {
        let value = match &mut self.source {
            Source::Seeded(rng) => fair_roll(rng, sides),
            Source::Listed { values, next } => {
                let value = on_die(*values.get(*next).ok_or(DiceError::RanOut(*next))?, sides)?;
                *next += 1;
                value
            }
            Source::Mixed { values, next, rng } => match values.get(*next) {
                Some(value) => {
                    let value = on_die(*value, sides)?;
                    *next += 1;
                    value
                }
                None => fair_roll(rng, sides),
            },
        };
        self.rolled.push(value);
        Ok(value)
    }

    /// Where the seeded stream stands (its word position), or how many listed values are used.
    pub fn position(&self) -> u64 {
        match &self.source {
            Source::Seeded(rng) => rng.get_word_pos() as u64,
            Source::Listed { next, .. } | Source::Mixed { next, .. } => *next as u64,
        }
    }

    /// The values rolled since the last call, oldest first.
    pub fn take_rolled(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rolled)
    }

    /// How many dice have been rolled since [`Dice::take_rolled`] or [`Dice::forget`].
    pub fn rolled(&self) -> usize {
        self.rolled.len()
    }

    /// Forget what was rolled but keep the memory: for simulations that keep no journal.
    pub fn forget(&mut self) {
        self.rolled.clear();
    }

    /// How many scripted values have not been rolled yet.
    pub fn unused(&self) -> usize {
        match &self.source {
            Source::Seeded(_) => 0,
            Source::Listed { values, next } | Source::Mixed { values, next, .. } => values.len() - next,
        }
    }
}

/// The hash published before the first decision: it fixes the seed without revealing it.
pub fn commitment(seed: &Seed) -> String {
    let mut hash = Sha256::new();
    hash.update(b"grognard dice 1\n");
    hash.update(seed);
    hex(&hash.finalize())
}

pub fn seed_from_number(number: u64) -> Seed {
    let mut seed = [0; 32];
    ChaCha8Rng::seed_from_u64(number).fill_bytes(&mut seed);
    seed
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]])
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Dice, DiceError};

    #[test]
    fn a_listed_zero_is_the_highest_face_of_ten_and_of_a_hundred() {
        let mut dice = Dice::scripted(vec![0, 0, 10, 0]);
        assert_eq!((dice.roll(10), dice.roll(100), dice.roll(10)), (Ok(10), Ok(100), Ok(10)));
        assert_eq!(dice.roll(6), Err(DiceError::NotOnDie { value: 0, sides: 6 }));
    }
}
