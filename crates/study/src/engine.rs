//! Our bots for other people's programs: the program's side of the line protocol (`docs/ENGINE.md`).

use std::{
    io::{BufRead, Write},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};
use kernel::{Catalog, Dice, Game, Pending, Seat, Setup, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::Value;

use crate::{
    player::mix,
    protocol::{FromProgram, Move, Offer, ToProgram, VERSION, answer},
};

/// A game that a host has announced.
struct Sitting {
    setup: Setup,
    table: Box<dyn Table>,
    seat: Seat,
    /// Number of decisions applied to the table.
    moves: usize,
    bot: Box<dyn bots::Bot>,
    rng: ChaCha8Rng,
    seed: u64,
}

/// Speaks the protocol until the host says `quit` or closes its side.
pub fn serve(
    game: &Arc<dyn Game>,
    level: bots::Level,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> Result<()> {
    let cancel = Arc::new(AtomicBool::new(false));
    // A host may say `stop` while the bot thinks, so a separate thread reads.
    let (send, messages) = mpsc::channel::<Result<ToProgram, String>>();
    let reader_cancel = Arc::clone(&cancel);
    std::thread::spawn(move || {
        for line in input.lines() {
            let Ok(line) = line else { return };
            if line.trim().is_empty() {
                continue;
            }
            let message = serde_json::from_str::<ToProgram>(&line).map_err(|e| e.to_string());
            if matches!(message, Ok(ToProgram::Stop | ToProgram::Quit)) {
                reader_cancel.store(true, Ordering::Relaxed);
            }
            if send.send(message).is_err() {
                return;
            }
        }
    });
    let mut engine = Engine {
        game: Arc::clone(game),
        level,
        sitting: None,
        alarm: Alarm::new(Arc::clone(&cancel)),
        cancel,
    };
    let mut say = |message: &FromProgram| -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        output.write_all(&line)?;
        Ok(output.flush()?)
    };
    for message in messages {
        let reply = match message {
            Ok(ToProgram::Quit) => return Ok(()),
            Ok(message) => engine.hear(message),
            Err(why) => Err(anyhow!("no message of the protocol: {why}")),
        };
        match reply {
            Ok(Some(reply)) => say(&reply)?,
            Ok(None) => {}
            Err(error) => say(&FromProgram::Error { why: format!("{error:#}") })?,
        }
    }
    Ok(())
}

struct Engine {
    game: Arc<dyn Game>,
    level: bots::Level,
    sitting: Option<Sitting>,
    cancel: Arc<AtomicBool>,
    alarm: Alarm,
}

/// A timer that sets the same flag as `stop` when the time is up.
#[derive(Clone)]
struct Alarm(Arc<(Mutex<Option<Instant>>, Condvar)>);

impl Alarm {
    fn new(cancel: Arc<AtomicBool>) -> Alarm {
        let alarm = Alarm(Arc::new((Mutex::new(None), Condvar::new())));
        let shared = Arc::clone(&alarm.0);
        std::thread::spawn(move || {
            let (at, changed) = &*shared;
            let mut guard = at.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let now = Instant::now();
                guard = match *guard {
                    Some(time) if time <= now => {
                        cancel.store(true, Ordering::Relaxed);
                        *guard = None;
                        guard
                    }
                    Some(time) => {
                        changed.wait_timeout(guard, time - now).unwrap_or_else(PoisonError::into_inner).0
                    }
                    None => changed.wait(guard).unwrap_or_else(PoisonError::into_inner),
                };
            }
        });
        alarm
    }

    fn set(&self, at: Option<Instant>) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = at;
        self.0.1.notify_one();
    }
}

impl Engine {
    fn hear(&mut self, message: ToProgram) -> Result<Option<FromProgram>> {
        match message {
            ToProgram::Hello { protocol, game } => {
                if protocol != VERSION {
                    bail!("protocol {protocol} is asked for; this is {VERSION}");
                }
                if game != self.game.info().id {
                    bail!("game `{game}` is asked for; this is {}", self.game.info().id);
                }
                Ok(Some(FromProgram::Ready {
                    name: format!("Grognard {}", env!("CARGO_PKG_VERSION")),
                    options: vec![Offer {
                        name: "level".to_owned(),
                        default: self.level.id().to_owned(),
                        values: bots::Level::ALL.map(|level| level.id().to_owned()).to_vec(),
                    }],
                }))
            }
            ToProgram::Option { name, value } => {
                if name != "level" {
                    bail!("no option `{name}`; there is level");
                }
                self.level = value.parse().map_err(|why: String| anyhow!(why))?;
                if let Some(sitting) = &mut self.sitting {
                    sitting.bot = make(&self.game, self.level, sitting.seed, sitting.seat)?;
                }
                Ok(None)
            }
            ToProgram::Newgame { setup, seat, seed } => {
                let seat = self.seat(&seat)?;
                let table = self.game.open(&setup)?;
                self.sitting = Some(Sitting {
                    setup,
                    table,
                    seat,
                    moves: 0,
                    bot: make(&self.game, self.level, seed, seat)?,
                    rng: ChaCha8Rng::seed_from_u64(mix(seed, u64::from(seat.0))),
                    seed,
                });
                Ok(None)
            }
            ToProgram::Position { from, moves } => {
                self.position(from, &moves)?;
                Ok(None)
            }
            ToProgram::Go { movetime } => Ok(Some(self.go(movetime.map(Duration::from_millis))?)),
            ToProgram::Query { id, query } => {
                let sitting = self.sitting()?;
                Ok(Some(match answer(&*sitting.table, sitting.seat, &query, &mut sitting.rng) {
                    Ok(result) => FromProgram::Answer { id, result, error: None },
                    Err(error) => FromProgram::Answer { id, result: Value::Null, error: Some(error) },
                }))
            }
            ToProgram::Gameover { .. } => {
                self.sitting = None;
                Ok(None)
            }
            // The reading thread has handled it; it does not apply to the next decision.
            ToProgram::Stop | ToProgram::Quit | ToProgram::Answer { .. } => {
                self.cancel.store(false, Ordering::Relaxed);
                Ok(None)
            }
        }
    }

    fn seat(&self, id: &str) -> Result<Seat> {
        let seats = &self.game.info().seats;
        let at = seats.iter().position(|seat| seat.id == id);
        let known = || seats.iter().map(|seat| seat.id.as_str()).collect::<Vec<_>>().join(", ");
        at.map(|at| Seat(at as u8)).with_context(|| format!("no seat `{id}`; there is {}", known()))
    }

    fn sitting(&mut self) -> Result<&mut Sitting> {
        self.sitting.as_mut().context("no game has begun: say `newgame` first")
    }

    fn position(&mut self, from: usize, moves: &[Move]) -> Result<()> {
        let seats: Vec<Seat> = moves.iter().map(|m| self.seat(&m.seat)).collect::<Result<_>>()?;
        let game = Arc::clone(&self.game);
        let sitting = self.sitting()?;
        if from == 0 {
            sitting.table = game.open(&sitting.setup)?;
            sitting.moves = 0;
        } else if from != sitting.moves {
            bail!("moves from {from} on, but {} are known", sitting.moves);
        }
        for (number, (told, seat)) in (from..).zip(moves.iter().zip(seats)) {
            let action = told.action.as_deref().with_context(|| {
                format!("move {number} is secret; positions with secrets cannot be followed")
            })?;
            let mut dice = Dice::scripted(told.rolls.clone());
            sitting
                .table
                .apply(seat, action, &mut dice)
                .map_err(|stop| anyhow!("move {number}, `{action}`: {stop}"))?;
            if dice.unused() > 0 {
                bail!("move {number}, `{action}`: {} dice too many", dice.unused());
            }
            sitting.moves += 1;
        }
        Ok(())
    }

    fn go(&mut self, movetime: Option<Duration>) -> Result<FromProgram> {
        let cancel = Arc::clone(&self.cancel);
        let game = Arc::clone(&self.game);
        let alarm = self.alarm.clone();
        let sitting = self.sitting()?;
        if let Pending::Over(_) = sitting.table.pending() {
            bail!("the game is over");
        }
        // Some of the time is spent on pipes and parsing.
        alarm.set(movetime.map(|time| Instant::now() + time.mul_f64(0.8)));
        let choice = sitting.bot.choose(&*sitting.table, sitting.seat, &cancel);
        alarm.set(None);
        cancel.store(false, Ordering::Relaxed);
        let choice = choice.or_else(|| {
            let action = sitting.table.random_action(sitting.seat, &mut sitting.rng)?;
            Some(bots::Choice { action, why: None })
        });
        let choice = choice.context("this seat has nothing to decide")?;
        let why = choice.why.and_then(|why| {
            let words = Catalog::of_game(&*game, "en").ok()?;
            Some(words.render(&why, &()))
        });
        Ok(FromProgram::Bestaction { action: choice.action, why })
    }
}

fn make(game: &Arc<dyn Game>, level: bots::Level, seed: u64, seat: Seat) -> Result<Box<dyn bots::Bot>> {
    let id = &game.info().id;
    bots::make(id, level, mix(seed, u64::from(seat.0))).with_context(|| format!("{level} does not play {id}"))
}
