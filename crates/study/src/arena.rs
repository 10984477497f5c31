//! Players against each other: every pair meets, from both sides with the same dice.

use std::{fmt::Write as _, path::Path, sync::Arc, time::Duration};

use anyhow::{Result, bail};
use kernel::{Game, Setup};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    batch::Batch,
    elo::{Rating, Score, ratings},
    play::{Record, SeatClock, Watch, play},
    player::Spec,
    stats::share,
};

/// A tournament.
pub struct Arena<'a> {
    pub game: Arc<dyn Game>,
    pub setup: Setup,
    pub players: Vec<Spec>,
    /// Games per pair; half of them from each side.
    pub games: u64,
    pub seed: u64,
    pub jobs: usize,
    pub out: Option<&'a Path>,
    pub progress: bool,
}

impl std::fmt::Debug for Arena<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena")
            .field("setup", &self.setup)
            .field("players", &self.players)
            .finish_non_exhaustive()
    }
}

/// One game of it, as a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bout {
    /// Indices of the players, by seat.
    pub seats: [usize; 2],
    #[serde(flatten)]
    pub record: Record,
    /// Thinking time by seat: total and longest phase (consecutive decisions), in milliseconds, and the number of
    /// decisions.
    pub ms: [(f64, f64, u32); 2],
}

/// The results of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    pub game: String,
    pub scenario: String,
    pub games: usize,
    pub players: Vec<Standing>,
    pub pairs: Vec<Pair>,
    /// Players that lost by misbehaving, and how: the first of each kind.
    pub forfeits: Vec<String>,
}

/// A player's row, strongest first.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    pub name: String,
    pub elo: f64,
    /// Half of the 95 % interval.
    pub margin: f64,
    pub games: usize,
    /// Share of the points: low, value, high.
    pub score: (f64, f64, f64),
    /// Seconds for a whole game, and for the longest phase.
    pub seconds_per_game: f64,
    pub longest_phase: f64,
    pub forfeits: usize,
}

/// Two players' games against each other, from the first one's point of view.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    pub a: String,
    pub b: String,
    pub games: usize,
    pub won: usize,
    pub drawn: usize,
    /// Share of the points with its 95 % interval: low, value, high.
    pub score: (f64, f64, f64),
    /// The score by the seat that the first player had.
    pub by_seat: Vec<(String, f64)>,
}

impl Arena<'_> {
    /// Plays the games that are not in the file yet.
    pub fn run(&self) -> Result<Vec<Bout>> {
        if self.game.info().seats.len() != 2 {
            bail!("an arena wants a game for two");
        }
        if self.players.len() < 2 {
            bail!("an arena wants at least two players");
        }
        for player in &self.players {
            player.check(&self.setup.game)?;
        }
        // Fail before the first game, not during it.
        self.game.open(&self.setup)?;
        let pairs = self.pairs();
        let rounds = self.games.div_ceil(2);
        let total = pairs.len() * rounds as usize * 2;
        let batch = Batch {
            header: self.header(),
            total,
            jobs: self.jobs,
            out: self.out,
            progress: self.progress,
            noun: "games",
        };
        // All pairs meet once before any meets again, so that a half-finished arena is informative, too.
        let seed = |index: usize| self.seed + (index / 2 / pairs.len()) as u64;
        batch.run(
            |index| format!("seed {}", seed(index)),
            |index| {
                let (mirror, rest) = (index % 2, index / 2);
                let pair = pairs[rest % pairs.len()];
                let seats = if mirror == 0 { [pair.0, pair.1] } else { [pair.1, pair.0] };
                let players = seats.map(|player| self.players[player].clone());
                let (record, clock) =
                    play(&self.game, &self.setup, &players, seed(index), &Watch::default())?;
                let ms = |clock: &SeatClock| {
                    (
                        1000.0 * clock.total.as_secs_f64(),
                        1000.0 * clock.longest.as_secs_f64(),
                        clock.decisions,
                    )
                };
                Ok(Bout { seats, record, ms: [ms(&clock.seats[0]), ms(&clock.seats[1])] })
            },
        )
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        let all = 0..self.players.len();
        all.clone().flat_map(|a| all.clone().filter(move |b| a < *b).map(move |b| (a, b))).collect()
    }

    fn header(&self) -> Value {
        json!({
            "arena": 1,
            "setup": self.setup,
            "players": self.players.iter().map(Spec::name).collect::<Vec<_>>(),
            "seed": self.seed,
        })
    }

    /// Ratings and tables.
    pub fn standings(&self, bouts: &[Bout]) -> Standings {
        let seats = &self.game.info().seats;
        let points = |bout: &Bout, player: usize| -> f64 {
            match &bout.record.winner {
                None => 0.5,
                Some(winner) => {
                    let at = bout.seats.iter().position(|p| *p == player).unwrap_or(0);
                    f64::from(u8::from(seats[at].id == *winner))
                }
            }
        };
        let names = names(&self.players);
        let mut scores = Vec::new();
        let mut pairs = Vec::new();
        for (a, b) in self.pairs() {
            let met: Vec<&Bout> =
                bouts.iter().filter(|bout| bout.seats.contains(&a) && bout.seats.contains(&b)).collect();
            let won: f64 = met.iter().map(|bout| points(bout, a)).sum();
            scores.push(Score { a, b, won, games: met.len() });
            let from = |seat: usize| {
                let from: Vec<f64> =
                    met.iter().filter(|bout| bout.seats[seat] == a).map(|bout| points(bout, a)).collect();
                (seats[seat].id.clone(), crate::stats::mean(&from))
            };
            pairs.push(Pair {
                a: names[a].clone(),
                b: names[b].clone(),
                games: met.len(),
                won: met.iter().filter(|bout| points(bout, a) == 1.0).count(),
                drawn: met.iter().filter(|bout| bout.record.winner.is_none()).count(),
                score: share(won, met.len()),
                by_seat: vec![from(0), from(1)],
            });
        }
        let rated = ratings(self.players.len(), &scores);
        let mut players: Vec<Standing> = (0..self.players.len())
            .map(|player| {
                let Rating { elo, margin } = rated[player];
                let own = || bouts.iter().filter(move |bout| bout.seats.contains(&player));
                let seat = |bout: &Bout| usize::from(bout.seats[1] == player);
                let games = own().count();
                Standing {
                    name: names[player].clone(),
                    elo,
                    margin,
                    games,
                    score: share(own().map(|bout| points(bout, player)).sum(), games),
                    seconds_per_game: own().map(|bout| bout.ms[seat(bout)].0).sum::<f64>()
                        / 1000.0
                        / games.max(1) as f64,
                    longest_phase: own().map(|bout| bout.ms[seat(bout)].1).fold(0.0, f64::max) / 1000.0,
                    forfeits: own()
                        .filter(|bout| {
                            bout.record.forfeit.as_ref().is_some_and(|(by, _)| *by == seats[seat(bout)].id)
                        })
                        .count(),
                }
            })
            .collect();
        players.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        let mut forfeits: Vec<String> = Vec::new();
        for bout in bouts {
            let Some((by, why)) = &bout.record.forfeit else { continue };
            let at = seats.iter().position(|seat| seat.id == *by).unwrap_or(0);
            let line = format!("{}: {why} (seed {})", names[bout.seats[at]], bout.record.seed);
            let kind = |line: &str| line.split(" (seed").next().unwrap_or_default().to_owned();
            if !forfeits.iter().any(|known| kind(known) == kind(&line)) {
                forfeits.push(line);
            }
        }
        Standings {
            game: self.setup.game.clone(),
            scenario: self.setup.scenario.clone(),
            games: bouts.len(),
            players,
            pairs,
            forfeits,
        }
    }
}

/// Names that differ even if a player meets itself.
fn names(players: &[Spec]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for player in players {
        let name = player.name();
        let before = players[..out.len()].iter().filter(|other| **other == *player).count();
        out.push(if before == 0 { name } else { format!("{name} ({})", before + 1) });
    }
    out
}

impl Standings {
    /// The standings for a terminal.
    pub fn table(&self) -> String {
        let percent = |x: f64| format!("{:.0} %", 100.0 * x);
        let interval =
            |(low, p, high): (f64, f64, f64)| format!("{} ({}–{})", percent(p), percent(low), percent(high));
        let mut rows =
            vec![["player", "Elo", "±95 %", "score", "games", "s/game", "longest phase"].map(String::from)];
        for player in &self.players {
            rows.push([
                player.name.clone(),
                format!("{:+.0}", player.elo),
                format!("{:.0}", player.margin),
                interval(player.score),
                player.games.to_string(),
                format!("{:.2}", player.seconds_per_game),
                format!("{:.2} s", player.longest_phase),
            ]);
        }
        let mut out = format!("{}, {}: {} games\n\n{}", self.game, self.scenario, self.games, columns(&rows));
        let mut rows = vec![["pair", "score", "games", "by side"].map(String::from)];
        for pair in &self.pairs {
            let sides: Vec<String> =
                pair.by_seat.iter().map(|(seat, p)| format!("{seat} {}", percent(*p))).collect();
            rows.push([
                format!("{} – {}", pair.a, pair.b),
                interval(pair.score),
                pair.games.to_string(),
                sides.join(", "),
            ]);
        }
        let _ = write!(out, "\n{}", columns(&rows));
        if !self.forfeits.is_empty() {
            let _ = write!(out, "\nlost by misbehaving:\n  {}\n", self.forfeits.join("\n  "));
        }
        out
    }
}

/// Text in aligned columns: the first to the left, the others to the right.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        for (column, text) in row.iter().enumerate() {
            let blanks = " ".repeat(width(column) - text.chars().count());
            let _ = if column == 0 { write!(out, "{text}{blanks}") } else { write!(out, "  {blanks}{text}") };
        }
        out.push('\n');
    }
    out
}

/// The default time limit of programs.
pub const PATIENCE: Duration = Duration::from_secs(10);
