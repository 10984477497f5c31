//! Reports one game turn by turn, with the time that each seat took for each kind of decision.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use bots::{Bot, Choice, arena};
use holland::{
    Holland, State,
    event::{bridge_key, side_of},
    frame::Frame,
    pack::Side,
    state::Marks,
};
use kernel::{Applied, Catalog, Erased, Game, Message, Seat, Setup, Table};
use zocbond::Piece;

use crate::note::{BRIDGES, row};

/// Number of decisions, total time and longest time, by seat and question.
pub type Times = Arc<Mutex<BTreeMap<(u8, String), (u32, Duration, Duration)>>>;

/// A bot whose thinking time is measured.
struct Timed {
    bot: Box<dyn Bot>,
    times: Times,
}

impl Bot for Timed {
    fn ponder(&mut self, table: &dyn Table, seat: Seat, watch: &bots::Watch<'_>) -> Option<Choice> {
        let asked = table.prompt(seat).message.key.to_string();
        let started = Instant::now();
        let choice = self.bot.ponder(table, seat, watch);
        let took = started.elapsed();
        if let Ok(mut times) = self.times.lock() {
            let entry = times.entry((seat.0, asked)).or_default();
            *entry = (entry.0 + 1, entry.1 + took, entry.2.max(took));
        }
        choice
    }
}

struct Course {
    words: Catalog,
    /// Turn and player turn being reported.
    now: (u8, Option<Side>),
    moves: bool,
}

fn standing(rules: &Holland, s: &State) -> String {
    let bridges: Vec<String> = BRIDGES
        .iter()
        .filter_map(|id| {
            let at = rules.land.bridges.iter().position(|b| b.id == *id)?;
            Some(format!("{id} {}", bridge_key(s.field.bridge(at))))
        })
        .collect();
    let net = rules.by_road(s, Side::Allied, &rules.source_hexes(s, Side::Allied));
    let road = net.iter().map(|hex| row(rules, hex)).max().unwrap_or(0);
    let mut lines = vec![format!(
        "points {}/{}, road open to row {road}, {}",
        f32::from(rules.allied_points(s)) / 2.0,
        f32::from(rules.german_points(s)) / 2.0,
        bridges.join(", ")
    )];
    for side in [Side::Allied, Side::German] {
        let mut rows: BTreeMap<std::cmp::Reverse<u8>, Vec<String>> = BTreeMap::new();
        for unit in rules.units().filter(|unit| rules.counter(*unit).side == side) {
            let (c, u) = (rules.counter(unit), s.unit(unit));
            let Some(hex) = u.hex() else { continue };
            if c.categories.artillery {
                continue;
            }
            let mut state = String::new();
            for (mark, sign) in [(Marks::ENGAGED, '='), (Marks::SCATTERED, '~'), (Marks::DEPLETED, '0')] {
                if u.has(mark) {
                    state.push(sign);
                }
            }
            state.push_str(["", "!", "!!"][usize::from(u.oos.min(2))]);
            if !u.good_order() {
                state.push('x');
            }
            state.push_str(&"-".repeat(usize::from(u.lost)));
            rows.entry(std::cmp::Reverse(row(rules, hex))).or_default().push(format!(
                "{}@{}{state}",
                c.id,
                rules.label(hex)
            ));
        }
        let all: Vec<String> = rows.into_values().flatten().collect();
        lines.push(format!("{side:?}: {}", all.join(" ")));
    }
    lines.join("\n    ")
}

impl arena::Watch for Course {
    fn applied(&mut self, seat: Seat, table: &dyn Table, applied: &Applied, why: Option<&Message>) {
        let Some(table) = table.as_any().downcast_ref::<Erased<Holland>>() else { return };
        let s = &table.state;
        let side = if let Some(Frame::Phase(side, _)) = s.frames.first() { Some(*side) } else { None };
        if (s.turn, side) != self.now {
            self.now = (s.turn, side);
            println!("== turn {} {side:?}: {}", s.turn, standing(&table.rules, s));
        }
        if let Some(why) = why {
            println!("  [{:?}] {} | {}", side_of(seat), self.words.render(why, &()), applied.action);
        } else if self.moves || !applied.action.starts_with("move") {
            println!("  [{:?}] {}", side_of(seat), applied.action);
        }
        for entry in &applied.entries {
            let told = ["log.moved", "log.phase", "log.roll", "log.turn"].contains(&&*entry.message.key);
            if !told {
                println!("        {}", self.words.render(&entry.message, &()));
            }
        }
    }
}

pub fn tell(
    game: &dyn Game,
    setup: &Setup,
    make: [crate::Maker; 2],
    seed: u64,
    moves: bool,
) -> Result<(), String> {
    let words =
        Catalog::parse(game.messages("en").unwrap_or_default(), "en.toml").map_err(|e| e.to_string())?;
    let times = Times::default();
    let bot = |which: usize| -> Result<Timed, String> {
        let bot = make[which](seed.wrapping_mul(7) + which as u64).ok_or("no such bot")?;
        Ok(Timed { bot, times: Arc::clone(&times) })
    };
    let (mut allied, mut german) = (bot(0)?, bot(1)?);
    let mut course = Course { words, now: (0, None), moves };
    let played = arena::play(game, setup, [&mut allied, &mut german], seed, &mut course)?;
    println!("{played:?}");
    for ((seat, asked), (count, sum, longest)) in times.lock().map_err(|e| e.to_string())?.iter() {
        println!("{:?} {asked}: {count} decisions, {sum:.1?}, longest {longest:.1?}", side_of(Seat(*seat)));
    }
    Ok(())
}
