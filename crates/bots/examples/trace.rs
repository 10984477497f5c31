//! Follows one game: `trace LEVEL LEVEL SCENARIO SEED` prints each turn's standing and what the bots said.

use ardennes::{Ardennes, pack::Side, state::State};
use bots::{
    ardennes::{GAME, Staff},
    arena, named,
};
use kernel::{Applied, Catalog, Erased, Game, Message, Seat, Setup, Table};

struct Trace {
    words: Catalog,
    turn: (u8, bool, Side),
    moves: u32,
}

fn standing(rules: &Ardennes, s: &State) -> String {
    let held: Vec<&str> = rules
        .land
        .victory
        .iter()
        .filter(|site| s.control(site.hex) == Side::German)
        .map(|site| {
            let place = rules.map.places_in(site.hex).next();
            place.map_or(rules.label(site.hex), |p| p.name.get(atlas::Lang::En))
        })
        .collect();
    let steps = |side: Side| -> (u32, u32, u32) {
        let mut sums = (0, 0, 0);
        for unit in rules.on_map(s, side) {
            sums.0 += u32::from(rules.factors(s, unit).attack);
            sums.1 += u32::from(rules.factors(s, unit).defense);
            sums.2 += u32::from(s.unit(unit).is(ardennes::flags::Flags::OOS));
        }
        sums
    };
    // 30.3
    let intruders: Vec<String> = rules
        .on_map(s, Side::Allied)
        .filter(|unit| !s.unit(*unit).is(ardennes::flags::Flags::OOS))
        .filter_map(|unit| Some((unit, s.unit(unit).hex()?)))
        .filter(|(_, hex)| rules.land.areas_of(*hex).next().is_some())
        .map(|(unit, hex)| {
            let areas: Vec<u8> = rules.land.areas_of(hex).map(|area| area.0).collect();
            format!("{} {} {areas:?}", rules.unit_id(unit), rules.label(hex))
        })
        .collect();
    format!(
        "German {:?} Allied {:?} holds {held:?} intruders {intruders:?} checks {}",
        steps(Side::German),
        steps(Side::Allied),
        s.areas_checks
    )
}

impl arena::Watch for Trace {
    fn applied(&mut self, seat: Seat, table: &dyn Table, applied: &Applied, why: Option<&Message>) {
        let Some(table) = table.as_any().downcast_ref::<Erased<Ardennes>>() else { return };
        let s = &table.state;
        let now = (s.turn, s.night, s.side);
        if now != self.turn {
            println!(
                "== turn {} {:?}{} {}",
                s.turn,
                s.side,
                if s.night { " night" } else { "" },
                standing(&table.rules, s)
            );
            self.turn = now;
        }
        self.moves += 1;
        let fight = applied.action.starts_with("attack");
        if let Some(why) = why {
            println!("  [{}] {} | {}", seat.0, self.words.render(why, &()), applied.action);
        } else if fight {
            println!("  [{}] {}", seat.0, applied.action);
        }
        if fight || applied.action.starts_with("press") || applied.action.starts_with("stand") {
            for entry in &applied.entries {
                println!("        {}", self.words.render(&entry.message, &()));
            }
        }
    }
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, scenario, seed] = &args[..] else {
        return Err("trace LEVEL LEVEL SCENARIO SEED".into());
    };
    let seed: u64 = seed.parse().map_err(|e| format!("{seed}: {e}"))?;
    let makers = [named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?];
    let game = ardennes::Ardennes44::new().map_err(|e| e.to_string())?;
    let setup = Setup { game: "ardennes44".into(), scenario: scenario.clone(), ..Setup::default() };
    let words =
        Catalog::parse(game.messages("en").unwrap_or_default(), "en.toml").map_err(|e| e.to_string())?;
    let mut trace = Trace { words, turn: (0, false, Side::German), moves: 0 };
    let mut bots = makers.map(|make| make(seed));
    let [Some(a), Some(b)] = &mut bots else { return Err("no such bot".into()) };
    let played = arena::play(&game, &setup, [&mut **a, &mut **b], seed, &mut trace)?;
    println!("{played:?}");
    Ok(())
}
