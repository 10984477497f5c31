//! The games in the box, and what is known of each beyond the kernel's interface: its map, its pack checks, how
//! fast its rules run.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use ardennes::game::Ardennes44;
use kernel::{Game, Setup};

use crate::bench_play::{Figures, measure};

/// Every game this program plays.
pub fn games() -> Vec<Arc<dyn Game>> {
    // The shipped packs are checked by the tests: one that cannot be read is left out and said.
    let mut games: Vec<Arc<dyn Game>> = Vec::new();
    match Ardennes44::new() {
        Ok(game) => games.push(Arc::new(game)),
        Err(error) => eprintln!("ardennes44: {error}"),
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

/// The map a game is played on.
pub fn map(id: &str) -> Result<&'static atlas::Map> {
    match id {
        "ardennes44" => atlas::packs::ardennes44_map().map_err(|e| anyhow!("{e}")),
        _ => bail!("no map of `{id}`; there is ardennes44"),
    }
}

/// … with an overlay laid on it.
pub fn map_with(id: &str, overlay: Option<&str>) -> Result<atlas::Map> {
    let mut map = map(id)?.clone();
    if let Some(text) = overlay {
        map.apply_overlay("overlay", text).map_err(|e| anyhow!("{e}"))?;
    }
    Ok(map)
}

/// An overlay file's text.
pub fn read_overlay(file: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| file.display().to_string())
}

/// What an overlay changes in a game's pack, line by line.
pub fn overlay_changes(id: &str, overlay: &str) -> Result<Vec<String>> {
    let mut map = map(id)?.clone();
    let mut changes: Vec<String> = map
        .apply_overlay("overlay", overlay)
        .map_err(|e| anyhow!("{e}"))?
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut pack = ardennes::pack::Pack::embedded().map_err(|e| anyhow!("{e}"))?;
    changes.extend(pack.apply_overlay(overlay).map_err(|e| anyhow!("{e}"))?.iter().map(ToString::to_string));
    Ok(changes)
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
        _ => atlas::render::Options::default(),
    }
}

/// Every stated fact about a game's map, tested.
pub fn check_map(id: &str) -> Result<atlas::check::Report> {
    let map = map(id)?;
    let (file, facts) = atlas::packs::ARDENNES44_FACTS;
    let mut report = map.check(file, facts).map_err(|e| anyhow!("{e}"))?;
    let pack = ardennes::pack::Pack::embedded().map_err(|e| anyhow!("{e}"))?;
    let hexes: Vec<(String, String)> =
        pack.units.iter().filter_map(|unit| Some((unit.id.clone(), unit.start_hex()?.to_string()))).collect();
    report.checks.extend(map.check_setup(hexes.iter().map(|(id, hex)| (id.as_str(), hex.as_str()))).checks);
    Ok(report)
}

/// What is wrong with a game's pack, in words for its maker; empty if all holds.
pub fn pack_findings(id: &str) -> Vec<String> {
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
        _ => bail!("no game `{id}` to measure; there is ardennes44"),
    }
}
