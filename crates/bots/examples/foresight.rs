//! How well does the evaluator predict the result? `foresight LEVEL LEVEL SCENARIO GAMES SEED` plays games and prints,
//! for the start of every player turn, how the evaluator rates the position with each of several sets of weights, and
//! how the game ended.

use ardennes::{Ardennes, pack::Side};
use bots::{
    Mind, Numbers,
    ardennes::{GAME, Staff, Weights},
    arena, named,
};
use kernel::{Applied, Erased, Message, Seat, Setup, Table};

/// Each of these weights alone.
const PARTS: [&str; 5] = ["hex", "threshold", "factor", "urge_german", "urge_allied"];

struct Note {
    minds: Vec<Staff>,
    turn: (u8, Side),
    lines: Vec<String>,
}

impl arena::Watch for Note {
    fn applied(&mut self, _: Seat, table: &dyn Table, _: &Applied, _: Option<&Message>) {
        let Some(table) = table.as_any().downcast_ref::<Erased<Ardennes>>() else { return };
        let s = &table.state;
        if (s.turn, s.side) == self.turn || s.night {
            return;
        }
        self.turn = (s.turn, s.side);
        if self.minds.is_empty() {
            self.minds.push(Staff::study(table.rules.clone()));
            for only in PARTS {
                let mut weights = Weights::default();
                for part in PARTS.iter().filter(|part| **part != only) {
                    weights.set(part, 0.0);
                }
                weights.set(only, 1.0);
                self.minds.push(Staff::with(table.rules.clone(), weights));
            }
        }
        let values: Vec<String> =
            self.minds.iter().map(|mind| format!("{:.3}", mind.value(s, Seat(0)))).collect();
        let now = bots::ardennes::score(table).unwrap_or(0.0);
        self.lines.push(format!("{} {:?} {now} {} {}", s.turn, s.side, s.exited_attack, values.join(" ")));
    }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, scenario, games, seed] = &args[..] else {
        return Err("foresight LEVEL LEVEL SCENARIO GAMES SEED".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (games, seed) = (number(games)?, number(seed)?);
    let game = ardennes::Ardennes44::new().map_err(|e| e.to_string())?;
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let (german, allied) = (named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?);
    println!("seed turn side score exited value {} | won score", PARTS.join(" "));
    for seed in seed..seed + games {
        let (mut a, mut b) = (german(seed).ok_or("no such bot")?, allied(seed).ok_or("no such bot")?);
        let mut note = Note { minds: Vec::new(), turn: (0, Side::Allied), lines: Vec::new() };
        let played = arena::play(&game, &setup, [&mut *a, &mut *b], seed, &mut note)?;
        let won = u8::from(played.outcome.winner == Some(Seat(0)));
        for line in note.lines {
            println!("{seed} {line} | {won} {}", played.score.unwrap_or(0.0));
        }
    }
    Ok(())
}
