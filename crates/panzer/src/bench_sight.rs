//! Benchmarks of line of sight: one pair of hexes, everything visible from one hex, a whole map.

use std::hint::black_box;
use std::time::Instant;

use hexgrid::HexId;
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};
use serde::Serialize;

use crate::{field::Field, los::Los, pack::Tables};

#[derive(Debug, Serialize)]
pub struct SightFigures {
    pub hexes: usize,
    /// Time to prepare for the first question.
    pub setup_ms: f64,
    /// Everything visible from one hex, computed from scratch.
    pub hex_us: f64,
    /// The same, looked up once it is known.
    pub known_hex_us: f64,
    /// One pair with what blocks it and why, computed from scratch.
    pub line_us: f64,
    /// One pair, looked up.
    pub pair_us: f64,
    /// Every pair of the map.
    pub all_ms: f64,
}

const PAIRS: usize = 1_000_000;
const LINES: usize = 200_000;
const HEXES: usize = 300;

/// Random pairs and hexes of a field, the same on every run.
pub fn measure(field: &Field, tables: &Tables) -> SightFigures {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let count = field.count() as u32;
    let mut hex = move || HexId((rng.next_u32() % count) as u16);
    let start = Instant::now();
    let los = Los::new(field, tables);
    let setup_ms = start.elapsed().as_secs_f64() * 1e3;

    let pairs: Vec<(HexId, HexId)> = (0..PAIRS).map(|_| (hex(), hex())).collect();
    let start = Instant::now();
    let clear = pairs[..LINES].iter().filter(|(a, b)| los.between(*a, *b).clear).count();
    black_box(clear);
    let line_us = start.elapsed().as_secs_f64() * 1e6 / LINES as f64;

    let mut seen = field.board.all();
    seen.clear();
    let some: Vec<HexId> =
        std::iter::repeat_with(&mut hex).filter(|h| seen.insert(*h)).take(HEXES.min(field.count())).collect();
    let start = Instant::now();
    for h in &some {
        black_box(los.visible_from(*h));
    }
    let hex_us = start.elapsed().as_secs_f64() * 1e6 / some.len().max(1) as f64;
    let start = Instant::now();
    for h in &some {
        black_box(los.visible_from(*h).len());
    }
    let known_hex_us = start.elapsed().as_secs_f64() * 1e6 / some.len().max(1) as f64;

    let whole = Los::new(field, tables);
    let start = Instant::now();
    whole.prepare();
    let all_ms = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    let clear = pairs.iter().filter(|(a, b)| whole.clear(*a, *b)).count();
    black_box(clear);
    let pair_us = start.elapsed().as_secs_f64() * 1e6 / PAIRS as f64;
    SightFigures { hexes: field.count(), setup_ms, hex_us, known_hex_us, line_us, pair_us, all_ms }
}

impl SightFigures {
    /// The figures as text, one line each.
    pub fn lines(&self) -> Vec<String> {
        vec![
            format!("lines of sight over {} hexes", self.hexes),
            format!("  {:>12.4} µs a pair looked up, {:.3} µs worked out", self.pair_us, self.line_us),
            format!(
                "  {:>12.1} µs everything seen from a hex ({:.2} µs once known)",
                self.hex_us, self.known_hex_us
            ),
            format!("  {:>12.1} ms set-up, {:.0} ms for every pair of the map", self.setup_ms, self.all_ms),
        ]
    }
}
