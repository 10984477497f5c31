//! Holland '44 between bots.
//!
//! `corridor match LEVEL LEVEL SCENARIO PAIRS [SEED]` plays pairs with swapped seats and prints how they went.
//! `corridor campaign LEVEL LEVEL SCENARIO GAMES [SEED]` plays games with the first level as Allies and prints, for each, when the
//! ground army crossed which bridge, how long Arnhem bridge was held and how far north the army stood on each turn.

use std::sync::Arc;

use bots::{
    arena,
    holland::{GAME, Staff},
    named,
};
use holland::{Holland, Holland44, State, pack::Side, state::Bridge};
use kernel::{Applied, Erased, Game, Message, Seat, Setup, Table};
use zocbond::Piece;

/// Bridges whose crossing is told, by id.
const BRIDGES: [&str; 5] = ["son", "veghel", "grave", "nijmegen_road_bridge", "arnhem_road_bridge"];

#[derive(Default)]
struct Note {
    turn: u8,
    /// Turn on which a ground unit first stood beyond each bridge.
    crossed: [Option<u8>; BRIDGES.len()],
    /// Turns at whose end an Allied unit stood at the north end of Arnhem bridge.
    arnhem: u8,
    /// Northmost row of the ground army at the end of each turn.
    rows: Vec<u8>,
    blown: Vec<String>,
    /// Attacks and landings told by the log.
    attacks: [u32; 2],
}

fn row(rules: &Holland, hex: hexgrid::HexId) -> u8 {
    rules.label(hex)[..2].parse().unwrap_or(0)
}

impl Note {
    fn look(&mut self, rules: &Holland, s: &State) {
        let ground: Vec<hexgrid::HexId> = rules
            .units()
            .filter(|unit| {
                let c = rules.counter(*unit);
                c.side == Side::Allied && !c.airborne && !c.categories.train && c.pool.is_none()
            })
            .filter_map(|unit| s.unit(unit).hex())
            .collect();
        for (i, id) in BRIDGES.iter().enumerate() {
            let Some(at) = rules.land.bridges.iter().position(|b| b.id == *id) else { continue };
            let far = rules.land.bridges[at].hexes.into_iter().max_by_key(|hex| row(rules, *hex));
            let beyond = far.is_some_and(|far| ground.iter().any(|hex| row(rules, *hex) >= row(rules, far)));
            if beyond && self.crossed[i].is_none() {
                self.crossed[i] = Some(s.turn);
            }
            let blown = matches!(s.field.bridge(at), Bridge::Blown);
            if blown && !self.blown.contains(&(*id).to_owned()) {
                self.blown.push((*id).to_owned());
            }
        }
        if s.turn != self.turn {
            self.turn = s.turn;
            self.rows.push(ground.iter().map(|hex| row(rules, *hex)).max().unwrap_or(0));
            let north = rules.map.hex("6223").ok();
            let held = north.is_some_and(|hex| s.field.held(Side::Allied).contains(hex));
            self.arnhem += u8::from(held);
        }
    }
}

impl arena::Watch for Note {
    fn applied(&mut self, seat: Seat, table: &dyn Table, applied: &Applied, _: Option<&Message>) {
        let Some(table) = table.as_any().downcast_ref::<Erased<Holland>>() else { return };
        if applied.entries.iter().any(|entry| entry.message.key == "log.attack") {
            self.attacks[usize::from(seat.0).min(1)] += 1;
        }
        self.look(&table.rules, &table.state);
    }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, first, second, scenario, count, rest @ ..] = &args[..] else {
        return Err("corridor match|campaign LEVEL LEVEL SCENARIO COUNT [SEED]".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (count, seed) = (number(count)?, rest.first().map_or(Ok(1), number)?);
    let game: Arc<dyn Game> = Arc::new(Holland44::new().map_err(|e| e.to_string())?);
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let (a, b) = (named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?);
    if what == "campaign" {
        return campaigns(&*game, &setup, [&a, &b], seed..seed + count);
    }
    let done = |seed: u64, pair: &arena::Pair| {
        let line = pair.games.each_ref().map(|game| {
            let [allied, german] = game.thinking;
            format!(
                "{} {:.1}, {} dec, {:.1?}/{:.1?} (longest {:.1?}/{:.1?}, faults {}/{})",
                game.outcome.winner.map_or("draw", |w| if w.0 == 0 { "Allied" } else { "German" }),
                game.score.unwrap_or(0.0),
                game.decisions,
                allied.total,
                german.total,
                allied.longest,
                german.longest,
                allied.faults,
                german.faults,
            )
        });
        println!("{seed}: {first} as Allied: {}; as German: {}", line[0], line[1]);
    };
    let (mut won, mut better, mut games) = ([0.0; 2], 0.0, 0.0);
    for pair in arena::pairs(&game, &setup, [&a, &b], seed..seed + count, &done) {
        let pair = pair?;
        better += pair.better();
        games += 2.0;
        for (seat, game) in pair.games.iter().enumerate() {
            won[seat] += f32::from(u8::from(game.outcome.winner == Some(Seat(seat as u8))));
        }
    }
    let (low, high) = wilson(won[0] + won[1], games);
    println!(
        "{first} – {second} on {scenario}: {} of {games} games ({:.0}–{:.0} %), as Allied {}, as German {}; {:.0}% of pairs better",
        won[0] + won[1],
        100.0 * low,
        100.0 * high,
        won[0],
        won[1],
        200.0 * better / games
    );
    Ok(())
}

/// 95 % range of a share.
fn wilson(won: f32, games: f32) -> (f32, f32) {
    let z = 1.96f32;
    let p = won / games;
    let middle = (p + z * z / (2.0 * games)) / (1.0 + z * z / games);
    let half = z * (p * (1.0 - p) / games + z * z / (4.0 * games * games)).sqrt() / (1.0 + z * z / games);
    (middle - half, middle + half)
}

type Maker<'a> = &'a (dyn Fn(u64) -> Option<Box<dyn bots::Bot>> + Sync);

fn campaigns(
    game: &dyn Game,
    setup: &Setup,
    make: [Maker; 2],
    seeds: std::ops::Range<u64>,
) -> Result<(), String> {
    for seed in seeds {
        let bot = |which: usize| make[which](seed.wrapping_mul(7) + which as u64).ok_or("no such bot");
        let (mut allied, mut german) = (bot(0)?, bot(1)?);
        let mut note = Note::default();
        let played = arena::play(game, setup, [&mut *allied, &mut *german], seed, &mut note)?;
        let crossed: Vec<String> = BRIDGES
            .iter()
            .zip(note.crossed)
            .map(|(id, turn)| format!("{id}={}", turn.map_or("-".into(), |turn| turn.to_string())))
            .collect();
        println!(
            "{seed}: {} ({}) score {:.1} turn {}; {}; blown {}; Arnhem {} turns; attacks {}/{}; rows {:?}; longest {:.1?}/{:.1?}",
            played.outcome.winner.map_or("draw", |w| if w.0 == 0 { "Allied" } else { "German" }),
            played.outcome.why.key,
            played.score.unwrap_or(0.0),
            note.turn,
            crossed.join(" "),
            note.blown.join(","),
            note.arnhem,
            note.attacks[0],
            note.attacks[1],
            note.rows,
            played.thinking[0].longest,
            played.thinking[1].longest,
        );
    }
    Ok(())
}
