//! Which weights matter, and in which direction? `sway SCENARIO GAMES SEED GERMAN ALLIED NAME=STEP,… NAME=STEP,…` plays
//! games in which each weight of each seat is its usual value multiplied or divided by 1 + STEP, at random, and prints
//! for each game the signs and the German score. A regression over the games shows the effect of every weight, all at
//! once.

use std::sync::Arc;

use bots::{
    Bot, Level, Mind, Numbers, Player,
    ardennes::{GAME, Staff, Weights},
    arena,
};
use kernel::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

type Steps = Vec<(String, f32)>;

fn pairs(text: &str) -> Result<Steps, String> {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=').ok_or(format!("{text}: NAME=VALUE"))?;
        Ok((name.to_owned(), value.parse().map_err(|e| format!("{text}: {e}"))?))
    };
    text.split(',').filter(|text| !text.is_empty()).map(pair).collect()
}

/// A level with other weights: `veteran:plans=0`.
fn base(text: &str) -> Result<(Level, Weights), String> {
    let (level, changes) = text.split_once(':').unwrap_or((text, ""));
    let level: Level = level.parse()?;
    let mut weights = Staff::numbers(level);
    for (name, value) in pairs(changes)? {
        if !weights.set(&name, value) {
            return Err(format!("no number `{name}`"));
        }
    }
    Ok((level, weights))
}

fn swayed(weights: &Weights, steps: &Steps, rng: &mut ChaCha8Rng) -> Result<(Weights, String), String> {
    let (mut out, mut signs) = (*weights, String::new());
    for (name, step) in steps {
        let now = weights.get(name).ok_or(format!("no number `{name}`"))?;
        let up = rng.next_u32().is_multiple_of(2);
        out.set(name, if up { now * (1.0 + step) } else { now / (1.0 + step) });
        signs.push(if up { '+' } else { '-' });
    }
    Ok((out, signs))
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [scenario, games, seed, german, allied, of_german, of_allied] = &args[..] else {
        return Err("sway SCENARIO GAMES SEED GERMAN ALLIED NAME=STEP,… NAME=STEP,…".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (games, seed) = (number(games)?, number(seed)?);
    let game = ardennes::Ardennes44::new().map_err(|e| e.to_string())?;
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let bases = [base(german)?, base(allied)?];
    let steps = [pairs(of_german)?, pairs(of_allied)?];
    println!("# {of_german} {of_allied}");
    for seed in seed..seed + games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
        let mut bots: Vec<Box<dyn Bot>> = Vec::new();
        let mut line = String::new();
        for ((level, weights), steps) in bases.iter().zip(&steps) {
            let (weights, signs) = swayed(weights, steps, &mut rng)?;
            let study = move |rules: Arc<_>| Staff::with(rules, weights);
            bots.push(Box::new(Player::<Staff>::studying(*level, seed, study)));
            line.push_str(&signs);
            line.push(' ');
        }
        let [a, b] = &mut bots[..] else { return Err("two seats".into()) };
        let played = arena::play(&game, &setup, [&mut **a, &mut **b], seed, &mut ())?;
        let won = u8::from(played.outcome.winner.is_some_and(|w| w.0 == 0));
        println!("{seed} {line}{won} {}", played.score.unwrap_or(0.0));
    }
    Ok(())
}
