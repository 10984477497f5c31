//! Another program as a player. Its time is limited, and if it violates the protocol or the rules it loses the game,
//! with a message that says why.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use kernel::{Applied, Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    play::shortened,
    player::{Forfeit, Player, Start, mix},
    protocol::{FromProgram, Move, ToProgram, VERSION, answer, as_known_to},
};

/// A longer line is not accepted as a message.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines that a program may write before it decides.
const MOST_LINES: usize = 1_000_000;
/// How long a program has to exit when told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running program with a seat.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, String>>,
    patience: Duration,
    seats: Vec<String>,
    seat: Seat,
    rng: ChaCha8Rng,
    /// Decisions that it has not been told yet, and how many it has been told.
    news: Vec<Move>,
    told: usize,
    /// It has misbehaved and gets no more messages.
    lost: bool,
}

impl Program {
    /// Start it by a command line (words separated by blanks; quotes keep blanks together) and greet it.
    pub fn start(command: &str, patience: Duration, start: &Start) -> Result<Program, Forfeit> {
        let words = words(command);
        let Some((file, arguments)) = words.split_first() else {
            return Err(Forfeit("no command is given".to_owned()));
        };
        let mut child = Command::new(file)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| Forfeit(format!("`{file}` cannot be started: {e}")))?;
        let input = child.stdin.take();
        let (send, lines) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            // A read cannot time out, so a thread reads, and ends with the program's output.
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                    let line = match read {
                        Ok(0) => return,
                        Ok(length) if length as u64 == LONGEST_LINE => {
                            Err(format!("a line of more than {LONGEST_LINE} bytes"))
                        }
                        Ok(_) => String::from_utf8(line).map_err(|_| "a line that is not UTF-8".to_owned()),
                        Err(e) => Err(e.to_string()),
                    };
                    let bad = line.is_err();
                    if send.send(line).is_err() || bad {
                        return;
                    }
                }
            });
        }
        let seats: Vec<String> = start.info.seats.iter().map(|seat| seat.id.clone()).collect();
        let own = seats.get(usize::from(start.seat.0)).cloned().unwrap_or_default();
        let mut program = Program {
            child,
            input,
            lines,
            patience,
            seats,
            seat: start.seat,
            rng: ChaCha8Rng::seed_from_u64(mix(start.seed, u64::from(start.seat.0))),
            news: Vec::new(),
            told: 0,
            lost: false,
        };
        program.say(&ToProgram::Hello { protocol: VERSION, game: start.info.id.clone() })?;
        program.hear("`ready`", None, |message| matches!(message, FromProgram::Ready { .. }))?;
        let setup = start.setup.clone();
        program.say(&ToProgram::Newgame { setup, seat: own, seed: start.seed })?;
        Ok(program)
    }

    fn say(&mut self, message: &ToProgram) -> Result<(), Forfeit> {
        let mut line = serde_json::to_vec(message).map_err(|e| Forfeit(e.to_string()))?;
        line.push(b'\n');
        let written = match &mut self.input {
            Some(input) => input.write_all(&line).and_then(|()| input.flush()),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|_| self.ended())
    }

    /// Waits for a message, answering queries meanwhile.
    fn hear(
        &mut self,
        wanted: &str,
        table: Option<&dyn Table>,
        is_it: impl Fn(&FromProgram) -> bool,
    ) -> Result<FromProgram, Forfeit> {
        let until = Instant::now() + self.patience;
        for _ in 0..MOST_LINES {
            let left = until.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(Ok(line)) => line,
                Ok(Err(why)) => return Err(self.fault(&why)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.patience.as_secs_f64();
                    return Err(self.fault(&format!("no {wanted} within {seconds} s")));
                }
            };
            if line.trim().is_empty() {
                continue;
            }
            let message: FromProgram = match serde_json::from_str(&line) {
                Ok(message) => message,
                Err(e) => {
                    let why = format!("no message of the protocol: `{}` ({e})", shortened(line.trim()));
                    return Err(self.fault(&why));
                }
            };
            match message {
                message if is_it(&message) => return Ok(message),
                FromProgram::Info { .. } => {}
                FromProgram::Query { id, query } => {
                    let Some(table) = table else {
                        return Err(self.fault("a query while nothing is asked of it"));
                    };
                    let (result, error) = match answer(table, self.seat, &query, &mut self.rng) {
                        Ok(result) => (result, None),
                        Err(error) => (serde_json::Value::Null, Some(error)),
                    };
                    self.say(&ToProgram::Answer { id, result, error })?;
                }
                FromProgram::Error { why } => {
                    return Err(self.fault(&format!("gave up: {}", shortened(&why))));
                }
                FromProgram::Ready { .. } | FromProgram::Bestaction { .. } | FromProgram::Answer { .. } => {
                    let why = format!("`{}` where {wanted} was asked for", shortened(line.trim()));
                    return Err(self.fault(&why));
                }
            }
        }
        Err(self.fault(&format!("{MOST_LINES} lines and no {wanted}")))
    }

    fn fault(&mut self, why: &str) -> Forfeit {
        self.lost = true;
        Forfeit(why.to_owned())
    }

    /// The program has ended by itself.
    fn ended(&mut self) -> Forfeit {
        self.lost = true;
        // Its output is closed, so it will exit soon; a program that lingers is not waited for.
        let until = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Forfeit(format!("it ended in the middle of the game ({status})")),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(10)),
                _ => return Forfeit("it closed its output in the middle of the game".to_owned()),
            }
        }
    }
}

impl Player for Program {
    fn decide(&mut self, table: &dyn Table, _seat: Seat) -> Result<String, Forfeit> {
        let (from, moves) = (self.told, std::mem::take(&mut self.news));
        self.told += moves.len();
        self.say(&ToProgram::Position { from, moves })?;
        self.say(&ToProgram::Go { movetime: Some(self.patience.as_millis() as u64) })?;
        let is_it = |message: &FromProgram| matches!(message, FromProgram::Bestaction { .. });
        match self.hear("`bestaction`", Some(table), is_it)? {
            FromProgram::Bestaction { action, .. } => Ok(action),
            _ => Err(self.fault("no decision")),
        }
    }

    fn note(&mut self, seat: Seat, applied: &Applied) {
        let by = self.seats.get(usize::from(seat.0)).map_or("", String::as_str);
        self.news.push(as_known_to(by, seat == self.seat, applied));
    }

    fn over(&mut self, winner: Option<Seat>) {
        if self.lost {
            return;
        }
        let winner = winner.and_then(|seat| self.seats.get(usize::from(seat.0)).cloned());
        // A program that has exited need not hear it.
        let _ = self.say(&ToProgram::Gameover { winner });
        let _ = self.say(&ToProgram::Quit);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        let until = Instant::now() + FAREWELL;
        while !self.lost && Instant::now() < until {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("seat", &self.seat).finish_non_exhaustive()
    }
}

/// A command line's words.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_blanks_together() {
        assert_eq!(words("python3 'my bot.py'  --level \"\""), ["python3", "my bot.py", "--level", ""]);
        assert!(words("  ").is_empty());
    }
}
