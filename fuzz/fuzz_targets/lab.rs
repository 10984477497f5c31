#![no_main]

#[path = "../../crates/kernel/tests/conformance/checks.rs"]
mod checks;
#[path = "../../crates/kernel/tests/conformance/outpost/mod.rs"]
#[allow(dead_code)]
mod outpost;

use std::sync::{Arc, OnceLock};

use kernel::Game;
use libfuzzer_sys::fuzz_target;

fn games() -> &'static [Arc<dyn Game>] {
    static GAMES: OnceLock<Vec<Arc<dyn Game>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let ardennes = ardennes::Ardennes44::new().expect("the shipped pack loads");
        vec![outpost::game(), Arc::new(ardennes)]
    })
}

fuzz_target!(|text: &str| checks::lab(games(), text));
