//! The words of Holland '44.

use holland::Holland44;
use kernel::{Catalog, Game};

#[test]
fn every_language_has_every_word() {
    let game = Holland44::new().unwrap();
    let problems = Catalog::check_game(&game).unwrap_or_else(|e| panic!("{e}"));
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn every_key_of_the_code_is_a_word() {
    let game = Holland44::new().unwrap();
    let words = Catalog::parse(game.messages("en").unwrap(), "en.toml").unwrap();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = 0;
    let mut stack = vec![folder];
    while let Some(dir) = stack.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                stack.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for piece in text.split('"').skip(1).step_by(2) {
                let table = piece.split('.').next().unwrap_or_default();
                let key = ["refuse", "prompt", "log", "roll", "outcome", "slot", "panel"].contains(&table)
                    && piece.contains('.')
                    && !piece.contains(['{', ' ']);
                if key {
                    found += 1;
                    assert!(words.text(piece).is_some(), "{}: {piece}", path.display());
                }
            }
        }
    }
    assert!(found > 150, "{found} keys");
}

#[test]
fn scenarios_boxes_and_formations_have_names() {
    let game = Holland44::new().unwrap();
    let words = Catalog::parse(game.messages("en").unwrap(), "en.toml").unwrap();
    let mut keys = vec![game.info().name.clone(), game.info().about.clone()];
    keys.extend(game.info().scenarios.iter().flat_map(|s| [s.name.clone(), s.about.clone()]));
    keys.extend(game.info().seats.iter().map(|s| s.name.clone()));
    let setup = kernel::Setup { game: "holland44".into(), scenario: "nijmegen".into(), ..Default::default() };
    let board = game.board(&setup).unwrap();
    keys.extend(board.boxes.iter().map(|b| b.name.clone()));
    keys.extend(board.cells.iter().flat_map(|c| c.terrain.clone()));
    let pack = holland::pack::Pack::embedded().unwrap();
    keys.extend(pack.formations.iter().map(|f| format!("formation.{}", f.id)));
    keys.extend(pack.units.iter().map(|u| format!("symbol.{}", u.symbol)));
    for key in keys {
        assert!(words.text(&key).is_some(), "{key}");
    }
}
