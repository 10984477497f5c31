//! The games that the program contains. A game provides its own entry ([`Title`]); this list is the only place outside
//! a game's crate and its opponents that names it.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use kernel::{Game, Setup};
use rulebook::Title;

/// Every game this program plays, one line each.
const TITLES: &[&dyn Title] =
    &[&ardennes::ArdennesTitle, &holland::HollandTitle, &panzer::PanzerTitle, &wurzburg::WurzburgTitle];

/// Every game that can be played.
pub fn games() -> Vec<Arc<dyn Game>> {
    // The shipped packs are checked by tests; one that cannot be read is left out with a message.
    let read = |title: &&dyn Title| match title.game() {
        Ok(game) => Some(game),
        Err(error) => {
            eprintln!("{}: {error}", title.id());
            None
        }
    };
    TITLES.iter().filter_map(read).collect()
}

/// A game by its id.
pub fn game(id: &str) -> Result<Arc<dyn Game>> {
    Ok(title(id)?.game()?)
}

/// A game's entry by its id.
pub fn title(id: &str) -> Result<&'static dyn Title> {
    TITLES.iter().copied().find(|title| title.id() == id).ok_or_else(|| {
        let known: Vec<&str> = TITLES.iter().map(|title| title.id()).collect();
        anyhow!("no game `{id}`; there is {}", known.join(", "))
    })
}

/// An overlay file's text.
pub fn read_overlay(file: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| file.display().to_string())
}

/// A scenario's opening position, as all players would see it with the shipped deployment.
pub fn opening(setup: &Setup) -> Result<kernel::View> {
    let game = game(&setup.game)?;
    let mut table = game.open(setup)?;
    let mut dice = kernel::Dice::from_number(1);
    // A scenario that begins with free set-up is shown with its shipped deployment: each seat may have to ask for one.
    for _ in 0..game.info().seats.len() {
        if let kernel::Pending::One(seat) = table.pending()
            && table.apply(seat, "deploy", &mut dice).is_err()
        {
            break;
        }
    }
    Ok(table.view(kernel::Viewer::Referee))
}

/// Faults of a game's map or pack, in words for its author; empty if there are none.
pub fn pack_findings(title: &dyn Title) -> Vec<String> {
    let map = title.check_map().map(|report| report.failures().map(|check| check.text.clone()).collect());
    let mut findings: Vec<String> = map.unwrap_or_else(|error| vec![error.to_string()]);
    findings.extend(title.check_pack());
    findings
}

/// Counts the allocations of a function.
pub fn count_allocations(work: &mut dyn FnMut()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_entry_has_the_id_of_its_game() {
        for title in TITLES {
            assert_eq!(title.game().expect("a shipped pack").info().id, title.id());
        }
    }

    /// A state or marker without a shape would be drawn as a bare letter.
    #[test]
    fn every_explained_state_and_every_marker_has_a_shape() {
        for title in TITLES {
            let game = title.game().expect("a shipped pack");
            let words = kernel::Catalog::of_game(&*game, "en").expect("the messages are sound");
            let looks = &game.info().looks;
            for key in words.keys() {
                if let Some(state) = key.strip_prefix("state.").and_then(|rest| rest.strip_suffix(".about")) {
                    assert!(
                        looks.states.iter().any(|look| look.state == state),
                        "{}: state {state}",
                        title.id()
                    );
                }
                if let Some(kind) = key.strip_prefix("marker.").filter(|kind| !kind.contains('.')) {
                    assert!(
                        looks.markers.iter().any(|look| look.kind == kind),
                        "{}: marker {kind}",
                        title.id()
                    );
                }
            }
        }
    }

    /// Crates that may know a game: the games themselves, and the bots, with one mind for each.
    const OF_GAMES: [&str; 5] = ["ardennes", "bots", "holland", "panzer", "wurzburg"];

    /// Code written for one game belongs in its crate, or in its mind among the bots.
    #[test]
    fn nothing_outside_a_game_asks_which_game_it_is() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates' folder");
        let mut found = Vec::new();
        let mut folders = 0;
        for entry in std::fs::read_dir(crates).expect("the crates' folder").flatten() {
            if !OF_GAMES.iter().any(|name| entry.file_name() == *name) {
                look(&entry.path().join("src"), &mut found);
                folders += 1;
            }
        }
        look(&crates.with_file_name("xtask").join("src"), &mut found);
        assert!(folders > OF_GAMES.len(), "only {folders} crates were read");
        assert!(found.is_empty(), "branches on a game's id:\n{}", found.join("\n"));
    }

    fn look(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a source folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                look(&path, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (at, line) in code.lines().enumerate() {
                let asks = TITLES.iter().any(|title| {
                    let id = format!("\"{}\"", title.id());
                    let after = line.split(&id).nth(1).unwrap_or_default().trim_start();
                    line.contains(&format!("== {id}"))
                        || line.contains(&format!("!= {id}"))
                        || (line.contains(&id) && (after.starts_with("=>") || after.starts_with('|')))
                });
                // Some numberings of hexes have the name of the game that introduced them.
                let asks = asks && !line.contains("Labels::");
                if asks {
                    found.push(format!("{}:{}: {}", path.display(), at + 1, line.trim()));
                }
            }
        }
    }
}
