#![no_main]

#[path = "../../crates/kernel/tests/conformance/checks.rs"]
mod checks;
#[path = "../../crates/kernel/tests/conformance/outpost/mod.rs"]
#[allow(dead_code)]
mod outpost;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| checks::journal(text));
