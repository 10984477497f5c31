//! One game between players, and its record.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use kernel::{Dice, Game, Message, Pending, Seat, Setup, Survey, Table};
use serde::{Deserialize, Serialize};

use crate::{
    course::{self, Course},
    player::{Forfeit, Player, Spec, Start},
};

/// No game takes more decisions.
const PATIENCE: u32 = 2_000_000;

/// One game as a line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Which of a study's variants; empty for the study itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    pub seed: u64,
    /// The seat that won; nobody for a draw.
    pub winner: Option<String>,
    /// The victory condition.
    pub why: Message,
    pub rule: String,
    /// The turn in which it ended.
    pub turn: u16,
    pub decisions: u32,
    /// A player that forfeited by misbehaving, and what it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<(String, String)>,
    /// The start, then the end of each turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnRecord>,
}

/// The position at the end of a turn; turn 0 is the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    pub turn: u16,
    /// By key, then by seat.
    pub tallies: BTreeMap<String, Vec<i64>>,
    /// New marks on the map since the previous turn, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub new_marks: BTreeMap<String, Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<String>,
    /// The cells each seat holds, as bits in the board's order (base64); only for turns that have a map picture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
}

/// How long the players of a game thought; separate from the record, which must not depend on the clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    pub seats: Vec<SeatClock>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatClock {
    pub decisions: u32,
    pub total: Duration,
    /// The longest run of consecutive decisions: a phase, as seen by the opponent who waits for it.
    pub longest: Duration,
}

/// What is recorded while games are played.
#[derive(Debug, Default)]
pub struct Watch {
    /// If false, only results are recorded.
    pub surveys: bool,
    /// Turns whose held cells are kept; all if empty.
    pictures: Vec<u16>,
    cells: HashMap<String, usize>,
    /// Tallies of events within a turn.
    happenings: Vec<String>,
}

impl Watch {
    /// Everything that a report on this set-up needs.
    pub fn of(game: &dyn Game, setup: &Setup) -> Result<Watch> {
        let board = game.board(setup)?;
        let info = game.study(setup);
        let happenings = course::wanted(&info);
        let pictures = info.pictures.into_iter().map(|(turn, _)| turn).collect();
        let cells = board.cells.into_iter().enumerate().map(|(index, cell)| (cell.id, index)).collect();
        Ok(Watch { surveys: true, pictures, cells, happenings })
    }

    /// Keeps held cells for all turns.
    #[must_use]
    pub fn of_every_turn(self) -> Watch {
        Watch { pictures: Vec::new(), ..self }
    }

    fn turn(&self, turn: u16, survey: &Survey, seats: usize, before: &[kernel::survey::Mark]) -> TurnRecord {
        let mut tallies: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for tally in &survey.tallies {
            let row = tallies.entry(tally.key.clone()).or_insert_with(|| vec![0; seats]);
            if let Some(value) = row.get_mut(usize::from(tally.seat.0)) {
                *value = tally.value;
            }
        }
        let mut new_marks: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for mark in survey.marks.iter().filter(|mark| !before.contains(mark)) {
            new_marks.entry(mark.kind.clone()).or_default().push(mark.at.clone());
        }
        let mut held = Vec::new();
        if turn == 0 || self.pictures.is_empty() || self.pictures.contains(&turn) {
            let mut bits = vec![vec![0u8; self.cells.len().div_ceil(8)]; seats];
            for (cell, seat) in &survey.held {
                if let (Some(at), Some(row)) = (self.cells.get(cell), bits.get_mut(usize::from(seat.0))) {
                    row[at / 8] |= 1 << (at % 8);
                }
            }
            held = bits.iter().map(|row| STANDARD_NO_PAD.encode(row)).collect();
        }
        TurnRecord { turn, tallies, new_marks, goals: survey.goals.clone(), held }
    }
}

/// The cells of a [`TurnRecord::held`] row.
pub fn held_cells(row: &str) -> Vec<usize> {
    let bytes = STANDARD_NO_PAD.decode(row).unwrap_or_default();
    let bits = |(at, byte): (usize, u8)| (0..8).filter(move |b| byte >> b & 1 == 1).map(move |b| at * 8 + b);
    bytes.into_iter().enumerate().flat_map(bits).collect()
}

/// Play one game. `players` are by seat.
pub fn play(
    game: &Arc<dyn Game>,
    setup: &Setup,
    players: &[Spec],
    seed: u64,
    watch: &Watch,
) -> Result<(Record, Clock)> {
    play_before(game, setup, players, seed, watch, &mut |_| {})
}

/// Plays one game and shows the table to an observer at the start and at the end of each turn.
pub fn play_before(
    game: &Arc<dyn Game>,
    setup: &Setup,
    players: &[Spec],
    seed: u64,
    watch: &Watch,
    witness: &mut dyn FnMut(&dyn Table),
) -> Result<(Record, Clock)> {
    let info = game.info();
    let mut table = game.open(setup).with_context(|| setup.scenario.clone())?;
    let mut dice = Dice::from_number(seed);
    let seats = info.seats.len();
    let mut clock = Clock { seats: vec![SeatClock::default(); seats] };
    let mut turns = Vec::new();
    let mut turn = table.turn();
    let mut marks = Vec::new();
    let mut course = Course::default();
    witness(&*table);
    if watch.surveys {
        let survey = table.survey();
        turns.push(watch.turn(0, &survey, seats, &survey.marks));
        course = Course::new(&watch.happenings, &survey);
        marks = survey.marks;
    }
    let mut end_turn = |table: &dyn Table, turn: u16, course: &mut Course| {
        witness(table);
        if watch.surveys {
            let survey = table.survey();
            let mut record = watch.turn(turn, &survey, seats, &marks);
            course.end_turn(&survey, seats, &mut record);
            turns.push(record);
            marks = survey.marks;
        }
    };
    let mut sitting: Vec<Box<dyn Player>> = Vec::new();
    for (index, spec) in players.iter().enumerate().take(seats) {
        let seat = Seat(index as u8);
        match spec.sit(&Start { info, setup, seat, seed }) {
            Ok(player) => sitting.push(player),
            Err(forfeit) => return Ok((forfeited(game, seed, seat, forfeit, turn, 0, turns), clock)),
        }
    }
    anyhow::ensure!(sitting.len() == seats, "{} seats, {} players", seats, sitting.len());
    let mut decisions = 0;
    let (mut last, mut phase) = (None, Duration::ZERO);
    loop {
        let seat = match table.pending() {
            Pending::Over(outcome) => {
                end_turn(&*table, turn, &mut course);
                for player in &mut sitting {
                    player.over(outcome.winner);
                }
                let winner = outcome.winner.and_then(|seat| info.seats.get(usize::from(seat.0)));
                let record = Record {
                    variant: String::new(),
                    seed,
                    winner: winner.map(|seat| seat.id.clone()),
                    why: outcome.why,
                    rule: outcome.rule,
                    turn,
                    decisions,
                    forfeit: None,
                    turns,
                };
                return Ok((record, clock));
            }
            pending => pending.first().context("nobody is asked, and the game is not over")?,
        };
        anyhow::ensure!(decisions < PATIENCE, "no end after {PATIENCE} decisions");
        let at = usize::from(seat.0);
        let began = Instant::now();
        let decided = sitting[at].decide(&*table, seat);
        let took = began.elapsed();
        let clock_of = &mut clock.seats[at];
        clock_of.decisions += 1;
        clock_of.total += took;
        phase = if last == Some(seat) { phase + took } else { took };
        last = Some(seat);
        clock_of.longest = clock_of.longest.max(phase);
        let applied = decided.and_then(|action| {
            table
                .apply(seat, &action, &mut dice)
                .map_err(|stop| Forfeit(format!("illegal action `{}`: {stop}", shortened(&action))))
        });
        match applied {
            Ok(applied) => {
                course.note(&applied.entries);
                for player in &mut sitting {
                    player.note(seat, &applied);
                }
            }
            Err(forfeit) => {
                end_turn(&*table, turn, &mut course);
                for player in &mut sitting {
                    player.over((seats == 2).then(|| seat.other()));
                }
                return Ok((forfeited(game, seed, seat, forfeit, turn, decisions, turns), clock));
            }
        }
        decisions += 1;
        let now = table.turn();
        if now != turn {
            end_turn(&*table, turn, &mut course);
            turn = now;
        }
    }
}

fn forfeited(
    game: &Arc<dyn Game>,
    seed: u64,
    seat: Seat,
    forfeit: Forfeit,
    turn: u16,
    decisions: u32,
    turns: Vec<TurnRecord>,
) -> Record {
    let seats = &game.info().seats;
    let id = |seat: Seat| seats.get(usize::from(seat.0)).map_or_else(String::new, |seat| seat.id.clone());
    Record {
        variant: String::new(),
        seed,
        winner: (seats.len() == 2).then(|| id(seat.other())),
        why: Message::new("report.forfeit"),
        rule: "-".to_owned(),
        turn,
        decisions,
        forfeit: Some((id(seat), forfeit.0)),
        turns,
    }
}

/// Text from untrusted programs is shown shortened.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}
