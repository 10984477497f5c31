#![no_main]

#[path = "../../crates/kernel/tests/conformance/checks.rs"]
mod checks;
#[path = "../../crates/kernel/tests/conformance/outpost/mod.rs"]
mod outpost;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| checks::journal(text));
