//! Benchmarks random play of a game's rules: decisions per second, time for a whole game, cost of copying the state,
//! allocations. Seconds are the thread's own processor time, so that other programs on the machine do not count.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use kernel::erased::random_action;
use kernel::{Dice, Log, Pending, Rules, Setup, SetupError};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde::Serialize;

/// Runs a piece of work and returns the number of allocations it made. The program passes it in, because counting
/// requires replacing the global allocator.
pub type CountAllocations = fn(&mut dyn FnMut()) -> u64;

/// What to benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The game's usual scenario for benchmarks if none is named.
    pub scenario: Option<&'a str>,
    pub edition: Option<&'a str>,
    pub games: u32,
    pub count_allocations: CountAllocations,
}

impl Request<'_> {
    pub fn setup(&self, game: &str, usual_scenario: &str) -> Setup {
        Setup {
            game: game.to_owned(),
            scenario: self.scenario.unwrap_or(usual_scenario).to_owned(),
            edition: self.edition.map(str::to_owned),
            ..Setup::default()
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Figures {
    pub game: String,
    pub scenario: String,
    pub games: u32,
    pub decisions: u64,
    pub decisions_per_second: f64,
    /// Mean time of a whole random game of this scenario.
    pub campaign_ms: f64,
    pub clone_us: f64,
    pub state_bytes: usize,
    pub allocations_per_decision: f64,
}

/// Buffers that a random game reuses, so that nothing is allocated once they have grown.
struct Player<R: Rules> {
    subjects: Vec<R::Subject>,
    actions: Vec<R::Action>,
    log: Log<R::Event>,
}

impl<R: Rules> Player<R> {
    fn new() -> Self {
        Player { subjects: Vec::new(), actions: Vec::new(), log: Log::default() }
    }

    /// Plays one random game, to its end or up to a number of decisions; returns the number of decisions.
    fn play(
        &mut self,
        rules: &R,
        state: &mut R::State,
        dice: &mut Dice,
        rng: &mut ChaCha8Rng,
        limit: Option<u64>,
    ) -> Result<u64, SetupError> {
        const PATIENCE: u64 = 2_000_000;
        let mut decisions = 0;
        loop {
            if limit == Some(decisions) {
                return Ok(decisions);
            }
            let seat = match rules.pending(state) {
                Pending::Over(_) => return Ok(decisions),
                pending => match pending.first() {
                    Some(seat) => seat,
                    None => return Err(failed("nobody is asked, and the game is not over".into())),
                },
            };
            let Some(action) = random_action(rules, state, seat, rng, &mut self.subjects, &mut self.actions)
            else {
                return Err(failed(format!("no legal action after {decisions} decisions")));
            };
            self.log.clear();
            rules
                .apply(state, seat, &action, dice, &mut self.log)
                .map_err(|stop| failed(stop.to_string()))?;
            dice.forget();
            decisions += 1;
            if decisions > PATIENCE {
                return Err(failed(format!("no end after {decisions} decisions")));
            }
        }
    }
}

fn failed(why: String) -> SetupError {
    SetupError::Bad(format!("random play: {why}"))
}

/// Plays the requested number of random games from `start` on one core.
pub fn measure<R: Rules>(
    request: &Request,
    setup: Setup,
    rules: &R,
    start: &R::State,
) -> Result<Figures, SetupError> {
    let &Request { games, count_allocations, .. } = request;
    let mut player = Player::<R>::new();
    let mut state = start.clone();
    // Warm up: let every buffer grow to its final size.
    let (mut dice, mut rng) = (Dice::from_number(0), ChaCha8Rng::seed_from_u64(0));
    let first = player.play(rules, &mut state, &mut dice, &mut rng, None)?;

    let mut decisions = 0;
    let begun = ThreadTime::now();
    for seed in 1..=u64::from(games) {
        state.clone_from(start);
        let (mut dice, mut rng) = (Dice::from_number(seed), ChaCha8Rng::seed_from_u64(seed));
        decisions += player.play(rules, &mut state, &mut dice, &mut rng, None)?;
    }
    let seconds = begun.elapsed().as_secs_f64();

    state.clone_from(start);
    let (mut dice, mut rng) = (Dice::from_number(0), ChaCha8Rng::seed_from_u64(0));
    // Let the dice's buffer of rolls grow before counting.
    for _ in 0..64 {
        dice.roll(6).map_err(|error| failed(error.to_string()))?;
    }
    dice.forget();
    // The same game again, stopping before its end is put into words.
    let mut counted = Ok(0);
    let allocations = count_allocations(&mut || {
        counted = player.play(rules, &mut state, &mut dice, &mut rng, Some(first));
    });

    const COPIES: u32 = 10_000;
    let begun = ThreadTime::now();
    for _ in 0..COPIES {
        state.clone_from(std::hint::black_box(start));
        std::hint::black_box(&state);
    }
    let clone_us = begun.elapsed().as_secs_f64() * 1e6 / f64::from(COPIES);

    Ok(Figures {
        game: setup.game,
        scenario: setup.scenario,
        games,
        decisions,
        decisions_per_second: decisions as f64 / seconds,
        campaign_ms: seconds * 1e3 / f64::from(games.max(1)),
        clone_us,
        state_bytes: size_of::<R::State>(),
        allocations_per_decision: allocations as f64 / counted?.max(1) as f64,
    })
}

/// Time and numbers of one kind of question.
#[derive(Default)]
struct Share {
    decisions: u64,
    listed: u64,
    choosing: Duration,
    doing: Duration,
}

/// Where the time of random players goes: a table with a row for each kind of question. `name` tells the kind from the
/// state and the answer.
pub fn by_question<R: Rules>(
    rules: &R,
    start: &R::State,
    games: u32,
    name: impl Fn(&R::State, &R::Action) -> String,
) -> Result<String, SetupError> {
    let Player { mut subjects, mut actions, mut log } = Player::<R>::new();
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for seed in 0..u64::from(games) {
        let mut state = start.clone();
        let (mut dice, mut rng) = (Dice::from_number(seed), ChaCha8Rng::seed_from_u64(seed));
        while let Some(seat) = rules.pending(&state).first() {
            let begun = Instant::now();
            let action = random_action(rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .ok_or_else(|| failed("no legal action".into()))?;
            let choosing = begun.elapsed();
            let share = shares.entry(name(&state, &action)).or_default();
            log.clear();
            let begun = Instant::now();
            rules
                .apply(&mut state, seat, &action, &mut dice, &mut log)
                .map_err(|stop| failed(stop.to_string()))?;
            share.doing += begun.elapsed();
            dice.forget();
            share.decisions += 1;
            share.listed += actions.len() as u64 + 1;
            share.choosing += choosing;
        }
    }
    Ok(table(&shares))
}

fn table(shares: &BTreeMap<String, Share>) -> String {
    let all: Duration = shares.values().map(|share| share.choosing + share.doing).sum();
    let mut out = format!(
        "{:28} {:>9} {:>8} {:>9} {:>9} {:>6}\n",
        "question", "decisions", "options", "choose µs", "do µs", "share"
    );
    for (name, share) in shares {
        let each = |time: Duration| time.as_secs_f64() * 1e6 / share.decisions as f64;
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{name:28} {:>9} {:>8.1} {:>9.2} {:>9.2} {:>5.1}%",
            share.decisions,
            share.listed as f64 / share.decisions as f64,
            each(share.choosing),
            each(share.doing),
            (share.choosing + share.doing).as_secs_f64() * 100.0 / all.as_secs_f64(),
        );
    }
    let decisions: u64 = shares.values().map(|share| share.decisions).sum();
    let _ = writeln!(out, "{decisions} decisions in {:.1} ms", all.as_secs_f64() * 1e3);
    out
}
