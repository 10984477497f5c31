//! Any legal decision: the weakest player there is, of any game.

use kernel::{Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{Bot, Choice, Watch};

#[derive(Clone, Debug)]
pub struct Random {
    rng: ChaCha8Rng,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { rng: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Bot for Random {
    fn ponder(&mut self, table: &dyn Table, seat: Seat, _: &Watch<'_>) -> Option<Choice> {
        Some(Choice { action: table.random_action(seat, &mut self.rng)?, why: None })
    }
}
