//! Every message that the program can show exists in all three languages: the keys are collected from the code.

use std::collections::BTreeSet;

use holland::Holland44;
use kernel::Game;
use kernel::testkit::words::{check_words, literals};

/// First parts of keys that appear in the code in full.
const TABLES: &[&str] = &["refuse", "prompt", "log", "roll", "outcome", "slot", "panel"];

#[test]
fn every_key_of_the_code_has_words_in_every_language() {
    let game = Holland44::new().expect("the shipped pack loads");
    let literals = literals(env!("CARGO_MANIFEST_DIR"));
    let mut keys: BTreeSet<String> = literals
        .into_iter()
        .filter(|literal| literal.is_key_of(TABLES))
        .map(|literal| literal.text)
        .collect();
    let setup = kernel::Setup { game: "holland44".into(), scenario: "nijmegen".into(), ..Default::default() };
    let board = game.board(&setup).expect("the scenario has a board");
    keys.extend(board.boxes.iter().map(|b| b.name.clone()));
    keys.extend(board.cells.iter().flat_map(|c| c.terrain.clone()));
    let pack = holland::pack::Pack::embedded().expect("the shipped pack loads");
    keys.extend(pack.formations.iter().map(|f| format!("formation.{}", f.id)));
    keys.extend(pack.units.iter().map(|u| format!("symbol.{}", u.symbol)));
    check_words(&game, keys, 150).unwrap_or_else(|faults| panic!("{faults}"));
}
