//! Why towns change hands: `towns GERMAN ALLIED SCENARIO GAMES SEED [LAST_TURN]` prints a line for every town that a side
//! takes, with what became of the last enemy unit in it, and for every turn how many towns the Germans hold. Under a town that
//! was walked into stand the decision by which it happened, and the last four Movement Phases of the side that lost it: who was
//! in the town before and after each, who could have gone there, from where, and where to instead.

use std::{collections::BTreeMap, sync::Arc};

use ardennes::{
    Ardennes,
    action::{Action, Move},
    frame::Frame,
    pack::{Side, UnitId},
    phase::Phase,
    place::Place,
    play::Cx,
    state::State,
    subject::Subject,
};
use bots::{
    Bot,
    ardennes::{GAME, Staff},
    named,
};
use hexgrid::HexId;
use kernel::{Applied, Dice, Erased, Game, Pending, Setup, Table};
use rulebook::flow;

/// What is known of a town.
#[derive(Clone, Default)]
struct Town {
    /// The units of its holder in it.
    held_by: Vec<UnitId>,
    /// How the last of them left it.
    left: String,
    /// When either side attacked it last.
    attacked: [Option<u8>; 2],
    /// The last of them left or was lost in a turn in which the other side attacked it.
    driven_out: bool,
}

/// A unit before its side moved, and the towns where it could go.
#[derive(Clone)]
struct Able {
    unit: UnitId,
    from: Place,
    towns: Vec<HexId>,
}

/// A Movement Phase of a side: the position before it and when the other side began to move, and who could go where.
struct Past {
    turn: u8,
    before: State,
    after: State,
    able: Vec<Able>,
}

/// How many Movement Phases are told of.
const TOLD: usize = 4;

struct Watch {
    towns: BTreeMap<HexId, (Side, Town)>,
    /// By side: its last Movement Phase, and who could go where at its beginning.
    able: [(u8, Vec<Able>); 2],
    /// The Movement Phase that began last.
    begun: Option<(u8, Side, State)>,
    /// By side: the earlier ones.
    past: [Vec<Past>; 2],
}

impl Watch {
    fn new(rules: &Ardennes, s: &State) -> Watch {
        let town = |hex: HexId| {
            let town = Town {
                held_by: s.stack(hex).collect(),
                left: "never manned".to_owned(),
                attacked: [None; 2],
                driven_out: false,
            };
            (hex, (s.control(hex), town))
        };
        let sites = rules.land.victory.iter().map(|site| site.hex);
        let towns = sites.filter(|hex| rules.land.in_play.contains(*hex)).map(town).collect();
        Watch { towns, able: [(0, Vec::new()), (0, Vec::new())], begun: None, past: [Vec::new(), Vec::new()] }
    }

    /// Before a side moves: which of its units could go to which towns.
    fn look(&mut self, rules: &Ardennes, s: &State) {
        let (turn, _) = &mut self.able[s.side.index()];
        if s.top() != Frame::Movement || s.phase != Phase::Movement || s.night || *turn == s.turn {
            return;
        }
        *turn = s.turn;
        if let Some((turn, side, before)) = self.begun.replace((s.turn, s.side, *s)) {
            let able = self.able[side.index()].1.clone();
            self.past[side.index()].push(Past { turn, before, after: *s, able });
        }
        let (_, able) = &mut self.able[s.side.index()];
        able.clear();
        let cx = Cx { rules, s, side: s.side, frame: s.top() };
        let units = rules.units_of(s.side).filter(|unit| {
            !rules.counter(*unit).artillery
                && matches!(s.unit(*unit).place(), Place::Hex(_) | Place::Due | Place::Box(_))
        });
        for unit in units {
            let mut options = Vec::new();
            flow::options(&cx, Subject::Unit(unit), &mut options);
            let to = |action: Action| match action {
                Action::Move(Move { to, out: false, .. }) => Some(to),
                Action::Place { hex, .. } => Some(hex),
                _ => None,
            };
            let mut towns: Vec<HexId> =
                options.into_iter().filter_map(to).filter(|hex| self.towns.contains_key(hex)).collect();
            towns.sort_unstable();
            towns.dedup();
            if !towns.is_empty() {
                able.push(Able { unit, from: s.unit(unit).place(), towns });
            }
        }
    }

    /// How a town was walked into, and what the side that lost it did before.
    fn missed(&self, rules: &Ardennes, s: &State, loser: Side, town: HexId, action: &str) {
        let name = |place: Place| match place {
            Place::Hex(hex) => rules.label(hex).to_owned(),
            other => format!("{other:?}"),
        };
        println!("  by {action}");
        for unit in s.stack(town) {
            let from = self.begun.as_ref().map_or(Place::Dead, |(_, _, before)| before.unit(unit).place());
            println!("  {} was in {} when its side began to move", rules.unit_id(unit), name(from));
        }
        let units = |s: &State| {
            let unit = |unit| format!("{} ({})", rules.unit_id(unit), rules.factors(s, unit).defense);
            s.stack(town).map(unit).collect::<Vec<_>>().join(" ")
        };
        for Past { turn, before, after, able } in self.past[loser.index()].iter().rev().take(TOLD) {
            println!("  turn {turn}: [{}] before, [{}] after", units(before), units(after));
            for Able { unit, from, .. } in able.iter().filter(|able| able.towns.contains(&town)) {
                let to = after.unit(*unit).place();
                let went = if to == *from { "stayed".to_owned() } else { format!("went to {}", name(to)) };
                let defense = rules.factors(before, *unit).defense;
                println!("    {} ({defense}) in {} {went}", rules.unit_id(*unit), name(*from));
            }
        }
    }

    /// Compares the towns with what they were before a decision.
    fn note(&mut self, seed: u64, rules: &Ardennes, s: &State, before: &State, applied: &Applied) {
        let word = applied.action.split(' ').next().unwrap_or_default();
        if word == "attack"
            && let Some(target) = applied.action.split(' ').nth(1)
            && let Some((_, (_, town))) = self.towns.iter_mut().find(|(hex, _)| rules.label(**hex) == target)
        {
            town.attacked[before.side.index()] = Some(before.turn);
        }
        let mut walked = Vec::new();
        for (hex, (holder, town)) in &mut self.towns {
            let now = s.control(*hex);
            let units: Vec<UnitId> = s.stack(*hex).collect();
            if !town.held_by.is_empty() && units.iter().all(|unit| !town.held_by.contains(unit)) {
                let names: Vec<String> = town.held_by.iter().map(|unit| rules.unit_id(*unit)).collect();
                let lost = town
                    .held_by
                    .iter()
                    .all(|unit| matches!(s.unit(*unit).place(), Place::Dead | Place::Pool));
                let how = if lost { "lost" } else { word };
                let attacked = town.attacked[holder.enemy().index()] == Some(before.turn);
                town.driven_out = attacked && word != "move";
                town.left = format!(
                    "{how} turn {} {:?} [{}] {}",
                    before.turn,
                    before.side,
                    names.join(" "),
                    applied.action
                );
            }
            if now != *holder {
                let since = |turn: u8| turn + 1 >= before.turn;
                let fought = town.driven_out || town.attacked[now.index()].is_some_and(since);
                let how = if fought { "attacked" } else { "walked" };
                let place = rules.map.places_in(*hex).next().map_or("", |p| p.name.get(atlas::Lang::En));
                println!(
                    "{seed} {} {now:?} {} {place} {how} | {}",
                    before.turn,
                    rules.label(*hex),
                    town.left
                );
                if how == "walked" {
                    walked.push((*hex, *holder));
                }
                (*holder, *town) = (now, Town { left: "never manned".to_owned(), ..Town::default() });
            }
            town.driven_out &= units.is_empty();
            town.held_by = units;
        }
        for (hex, loser) in walked {
            self.missed(rules, s, loser, hex, &applied.action);
        }
    }
}

fn erased(table: &dyn Table) -> Result<&Erased<Ardennes>, String> {
    table.as_any().downcast_ref::<Erased<Ardennes>>().ok_or_else(|| "another game".into())
}

fn play(setup: &Setup, bots: &mut [Box<dyn Bot>; 2], seed: u64, last: u8) -> Result<(), String> {
    let game = ardennes::Ardennes44::new().map_err(|e| e.to_string())?;
    let mut table = game.open(setup).map_err(|e| e.to_string())?;
    let mut dice = Dice::from_number(seed);
    let cancel = std::sync::atomic::AtomicBool::new(false);
    let start = erased(&*table)?;
    let rules = Arc::clone(&start.rules);
    let mut watch = Watch::new(&rules, &start.state);
    loop {
        let asked = match table.pending() {
            Pending::Over(outcome) => {
                println!("{seed} over {:?} {}", outcome.winner, outcome.rule);
                return Ok(());
            }
            pending => pending.first().ok_or("nobody is asked")?,
        };
        let before = erased(&*table)?.state;
        watch.look(&rules, &before);
        let choice = bots[usize::from(asked.0)].choose(&*table, asked, &cancel).ok_or("no choice")?;
        let applied = table.apply(asked, &choice.action, &mut dice).map_err(|e| e.to_string())?;
        let now = erased(&*table)?;
        watch.note(seed, &now.rules, &now.state, &before, &applied);
        if now.state.turn != before.turn {
            let held = |at: &&HexId| now.state.control(**at) == Side::German;
            let (all, west) = (watch.towns.keys().filter(held).count(), |hex: &&HexId| {
                now.rules.land.west_map.contains(**hex)
            });
            let west = watch.towns.keys().filter(held).filter(west).count();
            println!("{seed} turn {} German towns {all}, on the West map {west}", before.turn);
            if now.state.turn > last {
                return Ok(());
            }
        }
        dice.forget();
    }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (first, second, scenario, games, seed, last) = match &args[..] {
        [first, second, scenario, games, seed] => (first, second, scenario, games, seed, "255"),
        [first, second, scenario, games, seed, last] => (first, second, scenario, games, seed, last.as_str()),
        _ => return Err("towns GERMAN ALLIED SCENARIO GAMES SEED [LAST_TURN]".into()),
    };
    let number = |text: &str| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (games, seed) = (number(games)?, number(seed)?);
    let last = last.parse::<u8>().map_err(|e| format!("{last}: {e}"))?;
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let (german, allied) = (named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?);
    for seed in seed..seed + games {
        let (Some(a), Some(b)) = (german(seed), allied(seed)) else { return Err("no such bot".into()) };
        play(&setup, &mut [a, b], seed, last)?;
    }
    Ok(())
}
