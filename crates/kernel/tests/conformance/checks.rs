//! Properties that must hold for any input. The proptests and the fuzz targets (`fuzz/`) both call them.
#![allow(dead_code, reason = "each fuzz target uses its own part")]

use std::sync::Arc;

use kernel::{Dice, Game, Journal, Table, Viewer};

use super::outpost::{BLUE, RED, game, setup};

/// A table after some decisions of a random game.
fn table(seed: u64, decisions: usize) -> Box<dyn Table> {
    let mut table = game().open(&setup()).expect("the standard set-up opens");
    let mut dice = Dice::from_number(seed);
    let mut rng = <rand_chacha::ChaCha8Rng as rand_core::SeedableRng>::seed_from_u64(seed);
    for _ in 0..decisions {
        for seat in [RED, BLUE] {
            if table.pending().awaits(seat)
                && let Some(action) = table.random_action(seat, &mut rng)
            {
                table.apply(seat, &action, &mut dice).expect("a random action is legal");
            }
        }
    }
    table
}

/// Any text is refused or read; a text that is read is written back the same and does the same; a refusal changes
/// nothing.
pub fn notation(seed: u64, decisions: usize, text: &str) {
    let table = table(seed, decisions);
    for seat in [RED, BLUE] {
        let before = table.snapshot();
        let legal = table.verdict(seat, text).is_legal();
        let mut copy = table.clone_table();
        let mut dice = Dice::from_number(seed);
        let applied = copy.apply(seat, text, &mut dice);
        assert_eq!(legal, applied.is_ok());
        if let Ok(applied) = applied {
            let mut again = table.clone_table();
            let second = again.apply(seat, &applied.action, &mut Dice::from_number(seed));
            assert_eq!(second.as_ref(), Ok(&applied));
            assert_eq!(again.snapshot(), copy.snapshot());
        } else {
            assert_eq!(copy.snapshot(), before);
            assert_eq!(dice.position(), 0);
        }
        let _ = table.options(seat, text);
        let _ = table.ask(Viewer::Seat(seat), text);
    }
}

/// Any lab file gets a report.
pub fn lab(games: &[Arc<dyn Game>], text: &str) {
    let report = kernel::lab::run(games, text, "fuzz.toml");
    assert!(report.code() <= 2);
    assert_eq!(report.json()["ok"], report.ok());
    assert!(report.human().starts_with("fuzz.toml\n"));
}

/// Any file is either a journal, which is written back the same, or an error with a message.
pub fn journal(text: &str) {
    match Journal::import(text) {
        Ok(journal) => {
            assert_eq!(Journal::import(&journal.export()).as_ref(), Ok(&journal));
            // An intact chain does not promise legal decisions: either way, no panic.
            let _ = journal.replay(&*game());
            let _ = journal.prove(&*game());
            let _ = kernel::Session::resume(game(), journal, None, None);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
