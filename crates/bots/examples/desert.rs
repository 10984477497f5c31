//! Measures two bots of Panzer against each other: `desert regular greedy all 10 [first seed] [pack]` plays ten pairs with
//! swapped seats on each scenario (`all`, `advanced`, or names with commas between) and prints how they went; `pack` is a
//! folder whose files replace those of the shipped pack, for scenarios that are being made.
//!
//! `desert balance regular all 20 …` plays games between equals, `desert watch regular greedy chouigui 7` follows one game.
//! `desert table …` in front of either prints rows for docs/BOTS.md and docs/panzer.md instead; of games between equals all leads go to
//! standard error.

use std::{sync::Arc, time::Instant};

use bots::{
    Bot,
    arena::{self, share},
    named,
    panzer::{Commander, GAME},
};
use kernel::{Game, Setup};
use panzer::{
    PanzerNorthAfrica,
    pack::{Pack, embedded_files},
};
use rayon::prelude::*;

fn main() -> Result<(), String> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut mode = |word: &str| {
        let set = args.first().is_some_and(|arg| arg == word);
        if set {
            args.remove(0);
        }
        set
    };
    let table = mode("table");
    let (balance, watch) = (mode("balance"), mode("watch"));
    if balance && !args.is_empty() {
        args.insert(0, args[0].clone());
    }
    let [first, second, scenarios, pairs, rest @ ..] = &args[..] else {
        return Err("desert [table] [balance|watch] LEVEL LEVEL SCENARIOS PAIRS [SEED [PACK]]".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let pairs = number(pairs)?;
    let seed = rest.first().map_or(Ok(1), number)?;
    let mut files = embedded_files();
    for (name, text) in files.files.iter_mut().filter(|_| rest.len() > 1) {
        if let Ok(other) = std::fs::read_to_string(std::path::Path::new(&rest[1]).join(&*name)) {
            *text = other.into();
        }
    }
    let pack = Arc::new(Pack::read(&files).map_err(|e| e.to_string())?);
    let advanced: Vec<String> = pack.advanced.scenarios.iter().map(|s| s.id.clone()).collect();
    let game: Arc<dyn Game> = Arc::new(PanzerNorthAfrica::with(pack));
    let all: Vec<String> = game.info().scenarios.iter().map(|s| s.id.clone()).collect();
    let scenarios: Vec<String> = match scenarios.as_str() {
        "all" => all,
        "advanced" => advanced,
        names => names.split(',').map(str::to_owned).collect(),
    };
    let (a, b) = (named::<Commander>(GAME, first)?, named::<Commander>(GAME, second)?);
    if table {
        println!("{}", if balance { BALANCE } else { MATCH });
    }
    let mut whole = Tally::default();
    for scenario in scenarios {
        let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
        if watch {
            return follow(&*game, &setup, [&a, &b], pairs);
        }
        let mut tally = Tally::default();
        let began = Instant::now();
        if balance {
            let play = |seed: u64| -> Result<arena::Played, String> {
                let (Some(mut a), Some(mut b)) = (a(seed), b(seed + 1)) else {
                    return Err("no such bot".into());
                };
                arena::play(&*game, &setup, [&mut *a, &mut *b], seed, &mut ())
            };
            for played in (seed..seed + pairs).into_par_iter().map(play).collect::<Vec<_>>() {
                tally.add(&[played?]);
            }
        } else {
            for pair in arena::pairs(&game, &setup, [&a, &b], seed..seed + pairs, &|_, _| ()) {
                let pair = pair?;
                tally.pair(&pair);
            }
        }
        tally.seconds = began.elapsed().as_secs_f32() * rayon::current_num_threads() as f32;
        whole.join(&tally);
        match (table, balance) {
            (false, _) => println!("{scenario:14} {tally}"),
            (true, true) => {
                println!("{}", tally.balance_row(&scenario));
                eprintln!("{scenario}: {}", tally.all_leads());
            }
            (true, false) => println!("{}", tally.match_row(&scenario)),
        }
    }
    match (table, balance) {
        (false, _) => println!("{:14} {whole}", "all"),
        (true, true) => {}
        (true, false) => println!("{}", whole.match_row("together")),
    }
    Ok(())
}

/// Heads of the tables.
const BALANCE: &str = "| Scenario | Games | Axis lead: least, median, most | Axis, draws, Allies | Axis wins (95 %) | Seconds a game | Longest phase, s |\n|---|---|---|---|---|---|---|";
const MATCH: &str = "| Scenario | Games | Won, drawn, lost | Draws counting half (95 %) | Points better per game, ± standard error | Seconds a game | Longest phase, s |\n|---|---|---|---|---|---|---|";

#[derive(Default)]
struct Tally {
    games: f32,
    points: f32,
    better: f32,
    /// Games won by the first bot.
    won: f32,
    /// Games won by the Axis, whichever bot played it; and draws.
    axis: f32,
    draws: f32,
    /// Mean Axis lead with the first bot as Axis, and with the second.
    lead: [f32; 2],
    /// The lead of each game.
    leads: Vec<f32>,
    /// For each pair: by how many points per game the first bot did better than the second in the same seat.
    gains: Vec<f32>,
    longest: [f32; 2],
    faults: u32,
    /// Of processor time, if all threads were busy.
    seconds: f32,
}

impl Tally {
    fn pair(&mut self, pair: &arena::Pair) {
        self.points += pair.points();
        self.better += pair.better();
        self.add(&pair.games);
        for (seat, game) in pair.games.iter().enumerate() {
            self.won += f32::from(u8::from(game.outcome.winner == Some(kernel::Seat(seat as u8))));
        }
        if let [Some(as_axis), Some(against)] = [0, 1].map(|n: usize| pair.games[n].score) {
            self.gains.push((as_axis - against) / 2.0);
        }
    }

    fn add(&mut self, games: &[arena::Played]) {
        for (n, game) in games.iter().enumerate() {
            self.games += 1.0;
            match game.outcome.winner {
                Some(seat) => self.axis += f32::from(u8::from(seat.0 == 0)),
                None => self.draws += 1.0,
            }
            self.lead[n] += game.score.unwrap_or(0.0);
            self.leads.extend(game.score);
            for (seat, thinking) in game.thinking.iter().enumerate() {
                let who = seat ^ n;
                self.longest[who] = self.longest[who].max(thinking.longest.as_secs_f32());
                self.faults += thinking.faults;
            }
        }
    }

    fn join(&mut self, other: &Tally) {
        self.games += other.games;
        self.points += other.points;
        self.better += other.better;
        self.won += other.won;
        self.axis += other.axis;
        self.draws += other.draws;
        self.faults += other.faults;
        self.seconds += other.seconds;
        self.leads.extend(&other.leads);
        self.gains.extend(&other.gains);
        for n in 0..2 {
            self.lead[n] += other.lead[n];
            self.longest[n] = self.longest[n].max(other.longest[n]);
        }
    }

    /// The mean gain, and its standard error.
    fn gain(&self) -> (f32, f32) {
        let count = (self.gains.len() as f32).max(1.0);
        let gain = self.gains.iter().sum::<f32>() / count;
        let spread = self.gains.iter().map(|g| (g - gain).powi(2)).sum::<f32>() / (count - 1.0).max(1.0);
        (gain, (spread / count).sqrt())
    }

    /// The leads in order, to be read off at a share of them.
    fn at(&self) -> impl Fn(f32) -> f32 + use<> {
        let mut leads = self.leads.clone();
        leads.sort_by(f32::total_cmp);
        move |share: f32| {
            let last = leads.len().saturating_sub(1);
            leads.get(((share * leads.len() as f32) as usize).min(last)).copied().unwrap_or(0.0)
        }
    }

    /// All leads in order: victory levels can be set by them without playing again.
    fn all_leads(&self) -> String {
        let mut leads = self.leads.clone();
        leads.sort_by(f32::total_cmp);
        leads.iter().map(|lead| format!("{lead:.0}")).collect::<Vec<_>>().join(" ")
    }

    fn balance_row(&self, scenario: &str) -> String {
        let at = self.at();
        let (low, won, high) = share(self.axis.into(), self.games as usize);
        format!(
            "| {scenario} | {} | {:.0}, {:.0}, {:.0} | {}, {}, {} | {} | {:.1} | {:.1} |",
            self.games,
            at(0.0),
            at(0.5),
            at(1.0),
            self.axis,
            self.draws,
            self.games - self.axis - self.draws,
            percent(low, won, high),
            self.seconds / self.games,
            self.longest[0].max(self.longest[1]),
        )
    }

    fn match_row(&self, scenario: &str) -> String {
        let (low, won, high) = share(f64::from(self.won + 0.5 * self.draws), self.games as usize);
        let (gain, error) = self.gain();
        format!(
            "| {scenario} | {} | {}, {}, {} | {} | {gain:.0} ± {error:.0} | {:.1} | {:.1}, {:.1} |",
            self.games,
            self.won,
            self.draws,
            self.games - self.won - self.draws,
            percent(low, won, high),
            self.seconds / self.games,
            self.longest[0],
            self.longest[1],
        )
    }
}

fn percent(low: f64, share: f64, high: f64) -> String {
    format!("{:.0} % ({:.0}–{:.0})", 100.0 * share, 100.0 * low, 100.0 * high)
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let half = (self.games / 2.0).max(1.0);
        let ((gain, error), at) = (self.gain(), self.at());
        write!(
            f,
            "{:5.1}% of {} games, {:5.1}% of pairs better by {gain:.1} ± {error:.1}; Axis wins {:.0}%, draws {:.0}%, Axis lead {:.0} against {:.0}, \
             of all {:.0} / {:.0} / {:.0} / {:.0} / {:.0} (10, 30, 50, 70, 90 %); longest {:.2}/{:.2} s, faults {}, {:.1} s a game",
            100.0 * self.points / self.games,
            self.games,
            100.0 * self.better / half,
            100.0 * self.axis / self.games,
            100.0 * self.draws / self.games,
            self.lead[0] / half,
            self.lead[1] / half,
            at(0.1),
            at(0.3),
            at(0.5),
            at(0.7),
            at(0.9),
            self.longest[0],
            self.longest[1],
            self.faults,
            self.seconds / self.games,
        )
    }
}

/// Prints the standing at each turn, what the bots said, and the results.
struct Follow {
    words: kernel::Catalog,
    turn: u8,
}

impl arena::Watch for Follow {
    fn applied(
        &mut self,
        seat: kernel::Seat,
        table: &dyn kernel::Table,
        applied: &kernel::Applied,
        why: Option<&kernel::Message>,
    ) {
        let Some(table) = table.as_any().downcast_ref::<kernel::Erased<panzer::Panzer>>() else { return };
        let (rules, s) = (&*table.rules, &table.state);
        if s.turn != self.turn {
            self.turn = s.turn;
            let standing = panzer::pack::Side::ALL.map(|side| {
                let left = rules.units_of(side).iter().filter(|unit| s.unit(**unit).on_map()).count();
                format!("{side:?} {left} vehicles, {:?}", rules.points(s, side))
            });
            println!("== turn {}: {}", s.turn, standing.join("; "));
        }
        let why = why.map_or(String::new(), |why| format!(" | {}", self.words.render(why, &())));
        println!("  [{}] {}{why}", seat.0, applied.action);
        for entry in applied.entries.iter().filter(|_| !applied.action.starts_with("command")) {
            println!("        {}", self.words.render(&entry.message, &()));
        }
    }
}

type Maker<'a> = &'a dyn Fn(u64) -> Option<Box<dyn Bot>>;

fn follow(game: &dyn Game, setup: &Setup, [a, b]: [Maker<'_>; 2], seed: u64) -> Result<(), String> {
    let words = kernel::Catalog::parse(game.messages("en").unwrap_or_default(), "en.toml")
        .map_err(|e| e.to_string())?;
    let (Some(mut a), Some(mut b)) = (a(seed), b(seed + 1)) else { return Err("no such bot".into()) };
    let played = arena::play(game, setup, [&mut *a, &mut *b], seed, &mut Follow { words, turn: u8::MAX })?;
    println!("{played:?}");
    Ok(())
}
