//! Games between bots: one game, and pairs with swapped seats.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use kernel::{Dice, Game, Outcome, Pending, Seat, Setup, Table};

use crate::Bot;

/// Decisions after which a game is abandoned; real games are far shorter.
pub const LONGEST: u32 = 200_000;

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    pub outcome: Outcome,
    /// How far seat 0 came in the scenario's own terms, if the game defines them.
    pub score: Option<f32>,
    pub decisions: u32,
    /// By seat.
    pub thinking: [Thinking; 2],
}

/// How long a bot took to decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thinking {
    pub total: Duration,
    /// Longest phase: a run of consecutive decisions of one seat.
    pub longest: Duration,
    pub phases: u32,
    /// Decisions that were refused or not made; a random one was taken instead.
    pub faults: u32,
}

/// Callbacks during a game, for keeping a record.
pub trait Watch {
    fn applied(
        &mut self,
        _seat: Seat,
        _table: &dyn Table,
        _applied: &kernel::Applied,
        _why: Option<&kernel::Message>,
    ) {
    }
}

impl Watch for () {}

/// Plays one game to its end. Bots are asked in turn, by seat; the seed fixes the dice.
pub fn play(
    game: &dyn Game,
    setup: &Setup,
    bots: [&mut dyn Bot; 2],
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Played, String> {
    let mut table = game.open(setup).map_err(|e| e.to_string())?;
    let mut dice = Dice::from_number(seed);
    let cancel = AtomicBool::new(false);
    let mut thinking = [Thinking::default(); 2];
    let mut streak = (Seat(u8::MAX), Duration::ZERO);
    let mut fallback = crate::random::Random::new(seed);
    let mut decisions = 0;
    loop {
        let asked = match table.pending() {
            Pending::Over(outcome) => {
                let score = crate::ardennes::score(&*table)
                    .or_else(|| crate::holland::score(&*table))
                    .or_else(|| crate::panzer::score(&*table))
                    .or_else(|| crate::wurzburg::score(&*table));
                return Ok(Played { outcome, score, decisions, thinking });
            }
            pending => pending.first().ok_or("nobody is asked")?,
        };
        if decisions == LONGEST {
            return Err(format!("no end after {LONGEST} decisions"));
        }
        decisions += 1;
        let index = usize::from(asked.0).min(1);
        let started = Instant::now();
        let choice = bots[index].choose(&*table, asked, &cancel);
        let took = started.elapsed();
        let note = &mut thinking[index];
        note.total += took;
        if streak.0 != asked {
            streak = (asked, Duration::ZERO);
            note.phases += 1;
        }
        streak.1 += took;
        note.longest = note.longest.max(streak.1);
        let applied = choice.as_ref().and_then(|choice| table.apply(asked, &choice.action, &mut dice).ok());
        let applied = if let Some(applied) = applied {
            applied
        } else {
            thinking[index].faults += 1;
            let choice = fallback.choose(&*table, asked, &cancel).ok_or("no legal decision is found")?;
            table.apply(asked, &choice.action, &mut dice).map_err(|e| e.to_string())?
        };
        watch.applied(asked, &*table, &applied, choice.and_then(|c| c.why).as_ref());
        dice.forget();
    }
}

/// Two games with the same dice, the seats swapped.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The first bot in seat 0, then in seat 1.
    pub games: [Played; 2],
}

impl Pair {
    /// Points of the first bot, out of 2: games won; if each seat won once, the better score in the same seat decides.
    pub fn points(&self) -> f32 {
        let won = |game: &Played, seat: u8| match game.outcome.winner {
            Some(winner) if winner == Seat(seat) => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        won(&self.games[0], 0) + won(&self.games[1], 1)
    }

    /// 1 if the first bot did better in this pair, 0 if worse, ½ if equal: by games, then by score in seat 0.
    pub fn better(&self) -> f32 {
        let points = self.points();
        if (points - 1.0).abs() > f32::EPSILON {
            return if points > 1.0 { 1.0 } else { 0.0 };
        }
        match (self.games[0].score, self.games[1].score) {
            (Some(mine), Some(theirs)) if mine > theirs => 1.0,
            (Some(mine), Some(theirs)) if mine < theirs => 0.0,
            _ => 0.5,
        }
    }
}

/// Play a pair between two kinds of bots.
pub fn pair(
    game: &dyn Game,
    setup: &Setup,
    make: [&(dyn Fn(u64) -> Option<Box<dyn Bot>> + Sync); 2],
    seed: u64,
) -> Result<Pair, String> {
    let bot =
        |which: usize, salt: u64| make[which](seed.wrapping_mul(31).wrapping_add(salt)).ok_or("no such bot");
    let first = {
        let (mut a, mut b) = (bot(0, 1)?, bot(1, 2)?);
        play(game, setup, [&mut *a, &mut *b], seed, &mut ())?
    };
    let second = {
        let (mut a, mut b) = (bot(0, 3)?, bot(1, 4)?);
        play(game, setup, [&mut *b, &mut *a], seed, &mut ())?
    };
    Ok(Pair { games: [first, second] })
}

/// Plays pairs in parallel, in order of their seeds. `done` is called for each as it ends.
pub fn pairs(
    game: &Arc<dyn Game>,
    setup: &Setup,
    make: [&(dyn Fn(u64) -> Option<Box<dyn Bot>> + Sync); 2],
    seeds: std::ops::Range<u64>,
    done: &(dyn Fn(u64, &Pair) + Sync),
) -> Vec<Result<Pair, String>> {
    use rayon::prelude::*;
    seeds
        .into_par_iter()
        .map(|seed| {
            let pair = pair(&**game, setup, make, seed);
            if let Ok(pair) = &pair {
                done(seed, pair);
            }
            pair
        })
        .collect()
}

/// The share of `wins` in `games` with its 95 % interval (Wilson): low, share, high.
pub fn share(wins: f64, games: usize) -> (f64, f64, f64) {
    if games == 0 {
        return (0.0, 0.0, 1.0);
    }
    let (n, z2) = (games as f64, Z95 * Z95);
    let p = wins / n;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), p, (middle + half).min(1.0))
}

/// The normal deviate of a 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn wilson_intervals_are_those_of_the_books() {
        let (low, p, high) = share(8.0, 10);
        assert!((low - 0.490).abs() < 0.001 && p == 0.8 && (high - 0.943).abs() < 0.001, "{low} {high}");
        assert_eq!(share(0.0, 0), (0.0, 0.0, 1.0));
        let (low, _, high) = share(0.0, 20);
        assert!(low == 0.0 && (high - 0.161).abs() < 0.001, "{high}");
    }
}
