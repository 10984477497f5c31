//! Bytes: a seed, how far into a random game, then the text.
#![no_main]

#[path = "../../crates/kernel/tests/conformance/checks.rs"]
mod checks;
#[path = "../../crates/kernel/tests/conformance/outpost/mod.rs"]
#[allow(dead_code)]
mod outpost;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let [seed, decisions, text @ ..] = data
        && let Ok(text) = std::str::from_utf8(text)
    {
        checks::notation(u64::from(*seed), usize::from(decisions % 32), text);
    }
});
