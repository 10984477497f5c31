//! How well does the evaluator predict the result? `calibrate LEVEL LEVEL SCENARIO GAMES SEED NAME=VALUE,… [FILE]`
//! plays games, keeps positions of every turn, and searches, starting from these values, for the weights with which the
//! predicted chances of the Victory Hexes fit the actual results best. With a file it only writes every position there,
//! for other programs: one line each, with the following for each Victory Hex: its chance, whether it is German, the
//! turns that both sides need to reach it, whether it was German in the end, and both sides' strength in it, adjacent
//! to it and further off.

use std::sync::Arc;

use ardennes::{Ardennes, pack::Side, state::State};
use bots::{
    Mind, Numbers,
    ardennes::{Foresight, GAME, Staff, Weights},
    arena, named,
};
use kernel::{Applied, Erased, Message, Seat, Setup, Table};

/// One position in this many decisions is kept.
const EVERY: u32 = 24;

#[derive(Default)]
struct Record {
    rules: Option<Arc<Ardennes>>,
    count: u32,
    kept: Vec<State>,
    last: Option<State>,
}

impl arena::Watch for Record {
    fn applied(&mut self, _: Seat, table: &dyn Table, _: &Applied, _: Option<&Message>) {
        let Some(table) = table.as_any().downcast_ref::<Erased<Ardennes>>() else { return };
        self.rules.get_or_insert_with(|| table.rules.clone());
        self.count += 1;
        if self.count.is_multiple_of(EVERY) && table.state.ending.is_none() {
            self.kept.push(table.state);
        }
        self.last = Some(table.state);
    }
}

struct Game {
    rules: Arc<Ardennes>,
    kept: Vec<State>,
    held: Vec<bool>,
    exits: f32,
    score: f32,
}

/// Mean cross-entropy of a chance, in nats, and mean squared error of the predicted points.
fn loss(games: &[Game], weights: &Weights) -> (f64, f64) {
    let (mut sum, mut square, mut count, mut positions) = (0.0, 0.0, 0.0, 0.0);
    let mut staff: Option<Staff> = None;
    for game in games {
        let staff = match &mut staff {
            Some(staff) if Arc::ptr_eq(staff.rules(), &game.rules) => staff,
            other => other.insert(Staff::with(game.rules.clone(), *weights)),
        };
        for s in &game.kept {
            let seen = Foresight::new(staff, s);
            let mut points = f64::from(seen.exits);
            for (chance, held) in seen.chances.iter().zip(&game.held) {
                let p = f64::from(*chance).clamp(0.005, 0.995);
                sum -= if *held { p.ln() } else { (1.0 - p).ln() };
                points += p;
                count += 1.0;
            }
            square += (points - f64::from(game.score)).powi(2);
            positions += 1.0;
        }
    }
    (sum / count, square / positions)
}

fn set(weights: &mut Weights, name: &str, value: f32) -> Result<(), String> {
    if weights.set(name, value) { Ok(()) } else { Err(format!("no number `{name}`")) }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, scenario, games, seed, names, rest @ ..] = &args[..] else {
        return Err("calibrate LEVEL LEVEL SCENARIO GAMES SEED NAME=VALUE,… [FILE]".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (count, seed) = (number(games)?, number(seed)?);
    let game = ardennes::Ardennes44::new().map_err(|e| e.to_string())?;
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let (german, allied) = (named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?);
    let mut games: Vec<Game> = Vec::new();
    let mut shared: Option<Arc<Ardennes>> = None;
    for seed in seed..seed + count {
        let (mut a, mut b) = (german(seed).ok_or("no such bot")?, allied(seed).ok_or("no such bot")?);
        let mut record = Record { count: seed as u32, ..Record::default() };
        let played = arena::play(&game, &setup, [&mut *a, &mut *b], seed, &mut record)?;
        let (rules, last) = record.rules.zip(record.last).ok_or("nothing was played")?;
        // One set of rules for all games, so that they share a staff.
        let rules = shared.get_or_insert(rules).clone();
        let end = Foresight::new(&Staff::study(rules.clone()), &last);
        let score = played.score.unwrap_or(0.0);
        games.push(Game { rules, kept: record.kept, held: end.held, exits: end.exits, score });
    }
    let positions: usize = games.iter().map(|game| game.kept.len()).sum();
    let mean = games.iter().map(|g| g.score).sum::<f32>() / games.len() as f32;
    let exits = games.iter().map(|g| g.exits).sum::<f32>() / games.len() as f32;
    println!("{positions} positions; mean points {mean:.2}, of them for exits {exits:.2}");
    let mut weights = Staff::numbers(bots::Level::Veteran);
    let mut tried: Vec<(String, f32)> = Vec::new();
    for name in names.split(',') {
        let (name, value) = name.split_once('=').ok_or(format!("{name}: NAME=VALUE"))?;
        let value: f32 = value.parse().map_err(|e| format!("{name}: {e}"))?;
        set(&mut weights, name, value)?;
        tried.push((name.to_owned(), value));
    }
    let mut best = loss(&games, &weights);
    println!("at first: {:.5}, points {:.3}", best.0, best.1);
    if let Some(path) = rest.first() {
        dump(&games, &weights, path)?;
        return Ok(());
    }
    for step in [1.35f32, 1.18, 1.08] {
        loop {
            let before = best.0;
            for (name, value) in &mut tried {
                for factor in [step, 1.0 / step] {
                    let mut other = weights;
                    set(&mut other, name, *value * factor)?;
                    let found = loss(&games, &other);
                    if found.0 < best.0 - 1e-6 {
                        (best, weights, *value) = (found, other, *value * factor);
                        break;
                    }
                }
            }
            let all: Vec<String> = tried.iter().map(|(name, value)| format!("{name}={value:.3}")).collect();
            println!("step {step}: {:.5}, points {:.3}: {}", best.0, best.1, all.join(","));
            if best.0 > before - 2e-4 {
                break;
            }
        }
    }
    Ok(())
}

/// Writes every position with its prediction, for other programs.
fn dump(games: &[Game], weights: &Weights, path: &str) -> Result<(), String> {
    use std::fmt::Write;
    let mut out = String::new();
    for (index, game) in games.iter().enumerate() {
        let rules = &*game.rules;
        let staff = Staff::with(game.rules.clone(), *weights);
        for s in &game.kept {
            let seen = Foresight::new(&staff, s);
            let _ = write!(
                out,
                "{index} {} {} {:?} {} {} {} {} {} {} {} {}",
                s.turn,
                s.side as u8,
                s.phase,
                seen.exits,
                seen.strength,
                seen.life,
                seen.urge,
                seen.left[0],
                seen.left[1],
                game.exits,
                game.score
            );
            for (index, site) in rules.land.victory.iter().enumerate() {
                let [german, allied] = seen.arrival[index];
                let (now, end) = (u8::from(seen.held[index]), u8::from(game.held[index]));
                let _ = write!(out, " {:.4}:{now}:{german:.3}:{allied:.3}:{end}", seen.chances[index]);
                for side in [Side::German, Side::Allied] {
                    let mut near = [0; 4];
                    for unit in rules.on_map(s, side).filter(|unit| !rules.counter(*unit).artillery) {
                        let Some(hex) = s.unit(unit).hex() else { continue };
                        let factors = rules.factors(s, unit);
                        let (attack, defense) = (i32::from(factors.attack), i32::from(factors.defense));
                        match rules.distance(hex, site.hex) {
                            0 => near[0] += defense,
                            1..=2 => near[1] += attack,
                            3..=5 => near[2] += attack,
                            6..=9 => near[3] += attack,
                            _ => {}
                        }
                    }
                    let _ = write!(out, ":{}:{}:{}:{}", near[0], near[1], near[2], near[3]);
                }
            }
            out.push('\n');
        }
    }
    std::fs::write(path, out).map_err(|e| format!("{path}: {e}"))
}
