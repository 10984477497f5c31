//! The games in the box, and what is known of each beyond the kernel's interface: its map, its pack checks, how
//! fast its rules run.

use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, anyhow, bail};
use ardennes::game::Ardennes44;
use kernel::{Game, Setup};

use crate::bench_play::{Figures, measure};
use crate::bench_sight::SightFigures;

/// Every game this program plays.
pub fn games() -> Vec<Arc<dyn Game>> {
    // The shipped packs are checked by the tests: one that cannot be read is left out and said.
    let mut games: Vec<Arc<dyn Game>> = Vec::new();
    match Ardennes44::new() {
        Ok(game) => games.push(Arc::new(game)),
        Err(error) => eprintln!("ardennes44: {error}"),
    }
    match panzer::PanzerNorthAfrica::new() {
        Ok(game) => games.push(Arc::new(game)),
        Err(error) => eprintln!("panzer: {error}"),
    }
    games
}

/// A game by its id.
pub fn game(id: &str) -> Result<Arc<dyn Game>> {
    let games = games();
    let known: Vec<String> = games.iter().map(|game| game.info().id.clone()).collect();
    games
        .into_iter()
        .find(|game| game.info().id == id)
        .ok_or_else(|| anyhow!("no game `{id}`; there is {}", known.join(", ")))
}

/// The map a game is played on; of a geomorphic game six of its boards, laid together to be looked at.
pub fn map(id: &str) -> Result<&'static atlas::Map> {
    static BOARDS: OnceLock<Result<atlas::Map, String>> = OnceLock::new();
    match id {
        "ardennes44" => atlas::packs::ardennes44_map().map_err(|e| anyhow!("{e}")),
        "panzer" => BOARDS.get_or_init(panzer_boards).as_ref().map_err(|e| anyhow!("{e}")),
        _ => bail!("no map of `{id}`; there is ardennes44, panzer"),
    }
}

/// The first six boards, two across.
fn panzer_boards() -> Result<atlas::Map, String> {
    let pack = panzer::pack::Pack::embedded().map_err(ToString::to_string)?;
    let places: Vec<panzer::pack::BoardPlace> = pack
        .boards
        .iter()
        .take(6)
        .zip(0u8..)
        .map(|((number, _), i)| panzer::pack::BoardPlace {
            number: *number,
            at: [i % 2, i / 2],
            turned: false,
        })
        .collect();
    pack.lay("boards", &places, &[]).map_err(|e| e.to_string())
}

/// The map of one scenario, or one board, where the game lays its map anew for each.
pub fn map_of(id: &str, scenario: Option<&str>, board: Option<u16>) -> Result<Option<atlas::Map>> {
    if id != "panzer" {
        return if board.is_some() { Err(anyhow!("{id} has no boards")) } else { Ok(None) };
    }
    let pack = panzer::pack::Pack::embedded().map_err(|e| anyhow!("{e}"))?;
    if let Some(number) = board {
        let known: Vec<String> = pack.boards.iter().map(|(n, _)| n.to_string()).collect();
        let map = pack.board(number).cloned();
        return map.map(Some).ok_or_else(|| anyhow!("no board {number}; there is {}", known.join(", ")));
    }
    let Some(scenario) = scenario else { return Ok(None) };
    let scenario = pack.scenario_for(scenario).map_err(|e| anyhow!("{e}"))?;
    Ok(Some(pack.field(&scenario).map_err(|e| anyhow!("{e}"))?.0))
}

/// An overlay file's text.
pub fn read_overlay(file: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| file.display().to_string())
}

/// A scenario's opening position, as everybody at the table would see it with the shipped deployment.
pub fn opening(setup: &Setup) -> Result<kernel::View> {
    let mut table = game(&setup.game)?.open(setup)?;
    let mut dice = kernel::Dice::from_number(1);
    // A scenario that begins with free set-up is shown as its shipped deployment: each seat may have one to ask for.
    for _ in 0..game(&setup.game)?.info().seats.len() {
        if let kernel::Pending::One(seat) = table.pending()
            && table.apply(seat, "deploy", &mut dice).is_err()
        {
            break;
        }
    }
    Ok(table.view(kernel::Viewer::Referee))
}

/// Title block and scale of a game's map sheet.
pub fn sheet_options(id: &str) -> atlas::render::Options {
    match id {
        "ardennes44" => atlas::render::Options { hex_km: Some(2.55), north: 1.7, ..Default::default() },
        "panzer" => atlas::render::Options { hex_km: Some(0.1), ..Default::default() },
        _ => atlas::render::Options::default(),
    }
}

/// Every stated fact about a game's map, tested.
pub fn check_map(id: &str) -> Result<atlas::check::Report> {
    if id == "panzer" {
        return check_boards();
    }
    let map = map(id)?;
    let (file, facts) = atlas::packs::ARDENNES44_FACTS;
    let mut report = map.check(file, facts).map_err(|e| anyhow!("{e}"))?;
    let pack = ardennes::pack::Pack::embedded().map_err(|e| anyhow!("{e}"))?;
    let hexes: Vec<(String, String)> =
        pack.units.iter().filter_map(|unit| Some((unit.id.clone(), unit.start_hex()?.to_string()))).collect();
    report.checks.extend(map.check_setup(hexes.iter().map(|(id, hex)| (id.as_str(), hex.as_str()))).checks);
    Ok(report)
}

/// The boards of Panzer, each with what is wrong with it.
fn check_boards() -> Result<atlas::check::Report> {
    let pack = panzer::pack::Pack::embedded().map_err(|e| anyhow!("{e}"))?;
    let findings = pack.check();
    let mut report = atlas::check::Report::default();
    for (number, board) in &pack.boards {
        let wrong: Vec<String> = findings
            .iter()
            .filter(|f| f.what.split(' ').next() == Some(board.id.as_str()))
            .map(ToString::to_string)
            .collect();
        let text =
            if wrong.is_empty() { format!("board {number} joins the others") } else { wrong.join("; ") };
        report.checks.push(atlas::check::Check { ok: wrong.is_empty(), text, source: "rules 1.2".into() });
    }
    Ok(report)
}

/// What is wrong with a game's pack, in words for its maker; empty if all holds.
pub fn pack_findings(id: &str) -> Vec<String> {
    if id == "panzer" {
        return match panzer::pack::Pack::embedded() {
            Ok(pack) => pack.check().iter().map(ToString::to_string).collect(),
            Err(error) => vec![error.to_string()],
        };
    }
    let map =
        check_map(id).map(|report| report.failures().map(|check| check.text.clone()).collect::<Vec<_>>());
    let mut findings = map.unwrap_or_else(|error| vec![error.to_string()]);
    match ardennes::pack::Pack::embedded() {
        Ok(pack) => {
            findings.extend(ardennes::pack::check(&pack).iter().map(ToString::to_string));
            if let Ok(map) = self::map(id) {
                findings.extend(ardennes::pack::check_map(&pack, map).iter().map(ToString::to_string));
            }
        }
        Err(error) => findings.push(error.to_string()),
    }
    findings
}

/// Measure the lines of sight of a game that has them, on a map of four boards where no scenario is named.
pub fn bench_sight(id: &str, scenario: Option<&str>) -> Result<Option<SightFigures>> {
    if id != "panzer" {
        return Ok(None);
    }
    let pack = panzer::pack::Pack::embedded().map_err(|e| anyhow!("{e}"))?;
    let scenario = pack.scenario_for(scenario.unwrap_or("aqqaqir")).map_err(|e| anyhow!("{e}"))?;
    let (_, field) = pack.field(&scenario).map_err(|e| anyhow!("{e}"))?;
    Ok(Some(crate::bench_sight::measure(&field, &pack.tables)))
}

/// Measure random play of a game's rules.
pub fn bench(id: &str, scenario: Option<&str>, edition: Option<&str>, games: u32) -> Result<Figures> {
    match id {
        "ardennes44" => {
            let scenario = scenario.unwrap_or("campaign");
            let setup = Setup {
                game: id.to_owned(),
                scenario: scenario.to_owned(),
                edition: edition.map(str::to_owned),
                ..Setup::default()
            };
            let rules = Ardennes44::new()?.rules(&setup)?;
            let start = ardennes::game::start(&rules)?;
            measure(&rules, &start, id, scenario, games)
        }
        "panzer" => {
            let scenario = scenario.unwrap_or("sidi-rezegh");
            let setup = Setup { game: id.to_owned(), scenario: scenario.to_owned(), ..Setup::default() };
            let rules = panzer::PanzerNorthAfrica::new()?.rules(&setup)?;
            let start = panzer::game::start(&rules)?;
            measure(&rules, &start, id, scenario, games)
        }
        _ => bail!("no game `{id}` to measure; there is ardennes44, panzer"),
    }
}
