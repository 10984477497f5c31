//! Floods and lines on a map of 64 by 41 hexes; the floods are compared with those of the `hexx` crate on the same map,
//! with the same costs and the same budget.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use hexgrid::{Board, BoardLineStep, Flood, HexId, Labels, Orientation, Step};
use hexx::algorithms::field_of_movement;

/// How much faster than hexx a flood has to be.
const GOAL: f64 = 20.0;
/// Movement points; on this map it gives a mean reach of about 34 hexes.
const BUDGET: u16 = 5;
/// Our floods count in quarters, as the games do.
const QUARTERS: u16 = 4;

struct Map {
    board: Board,
    /// Movement points to enter each hex; 0 is forbidden.
    points: Vec<u8>,
    sources: Vec<HexId>,
    /// `points` by axial coordinates for hexx: the cheapest lookup it can be given.
    grid: Vec<u8>,
    least: (i32, i32),
    width: i32,
}

/// Numbers that look random and never change.
fn scatter(n: u32) -> u32 {
    let n = (n ^ 0x3d ^ (n >> 16)).wrapping_mul(0x27d4_eb2d);
    (n ^ (n >> 15)).wrapping_mul(0x9e37_79b9) >> 8
}

impl Map {
    fn new() -> Map {
        let labels = Labels::ccrr(Orientation::Flat, 64, 41).expect("the numbers fit two digits");
        let board = Board::full(labels).expect("2624 hexes fit a board");
        let terrain = |n: u32| match scatter(n) % 20 {
            0 => 0,
            1..=8 => 1,
            9..=16 => 2,
            _ => 3,
        };
        let points: Vec<u8> = (0..board.len() as u32).map(terrain).collect();
        let sources = (0..256).map(|n| HexId((scatter(n + 9999) as usize % board.len()) as u16)).collect();

        let hexes: Vec<_> = board.ids().map(|id| board.hex(id)).collect();
        let q = hexes.iter().map(|h| i32::from(h.q));
        let r = hexes.iter().map(|h| i32::from(h.r));
        let least = (q.clone().min().unwrap_or(0), r.clone().min().unwrap_or(0));
        let width = q.max().unwrap_or(0) - least.0 + 1;
        let height = r.max().unwrap_or(0) - least.1 + 1;
        let mut grid = vec![0; (width * height) as usize];
        for (hex, &points) in hexes.iter().zip(&points) {
            grid[((i32::from(hex.r) - least.1) * width + i32::from(hex.q) - least.0) as usize] = points;
        }
        Map { board, points, sources, grid, least, width }
    }

    fn flood(&self, flood: &mut Flood, source: HexId) -> usize {
        flood.run(&self.board, source, BUDGET * QUARTERS, |_, _, to| match self.points[to.index()] {
            0 => Step::Forbidden,
            points => Step::Enter(u16::from(points) * QUARTERS),
        });
        flood.reached().len()
    }

    fn hexx_flood(&self, source: HexId) -> std::collections::HashSet<hexx::Hex> {
        let source = self.board.hex(source);
        field_of_movement(hexx::hex(source.q.into(), source.r.into()), BUDGET.into(), |hex| {
            let (q, r) = (hex.x - self.least.0, hex.y - self.least.1);
            if q < 0 || q >= self.width || r < 0 {
                return None;
            }
            // hexx adds 1 to every cost.
            let points = *self.grid.get((r * self.width + q) as usize)?;
            u32::from(points).checked_sub(1)
        })
    }
}

/// Both must find the same hexes, and in one run ours must be `GOAL` times as fast.
fn compare(map: &Map) {
    let mut flood = Flood::new();
    let mut reach = 0;
    for &source in &map.sources {
        reach += map.flood(&mut flood, source);
        let ours: std::collections::HashSet<hexx::Hex> = flood
            .reached()
            .iter()
            .map(|&id| map.board.hex(id))
            .map(|h| hexx::hex(h.q.into(), h.r.into()))
            .collect();
        assert_eq!(ours, map.hexx_flood(source), "from {}", map.board.label(source));
    }
    // Alternating, so that other load on the machine slows both; the median of the rounds counts.
    let mut rounds: Vec<(f64, f64)> = (0..41)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..20 {
                for &source in &map.sources {
                    black_box(map.flood(&mut flood, black_box(source)));
                }
            }
            let ours = start.elapsed().as_secs_f64() / 20.0;
            let start = Instant::now();
            for &source in &map.sources {
                black_box(map.hexx_flood(black_box(source)));
            }
            (ours, start.elapsed().as_secs_f64())
        })
        .collect();
    rounds.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let (ours, theirs) = rounds[rounds.len() / 2];
    let runs = map.sources.len() as f64;
    let ratio = theirs / ours;
    println!(
        "mean reach {:.1} hexes: flood {:.2} µs, hexx field_of_movement {:.2} µs, {ratio:.0} times faster (goal {GOAL})",
        reach as f64 / runs,
        ours / runs * 1e6,
        theirs / runs * 1e6,
    );
    assert!(ratio >= GOAL, "the flood is only {ratio:.1} times faster than hexx; the goal is {GOAL}");
}

fn benchmarks(criterion: &mut Criterion) {
    let map = Map::new();
    compare(&map);

    let mut flood = Flood::new();
    let mut sources = map.sources.iter().cycle().copied();
    criterion.bench_function("flood, mean reach 34", |b| {
        b.iter(|| map.flood(&mut flood, sources.next().unwrap_or(HexId(0))));
    });
    criterion.bench_function("hexx field_of_movement, mean reach 34", |b| {
        b.iter(|| map.hexx_flood(sources.next().unwrap_or(HexId(0))));
    });
    criterion.bench_function("flood of the whole map, 2624 hexes", |b| {
        b.iter(|| {
            flood.run(&map.board, sources.next().unwrap_or(HexId(0)), Flood::MAX_BUDGET, |_, _, to| {
                Step::Enter(u16::from(map.points[to.index()]) + 1)
            });
            flood.reached().len()
        });
    });

    // The question of a line of sight: does anything on the way block it?
    let pairs: Vec<(HexId, HexId)> = map
        .sources
        .iter()
        .flat_map(|&a| {
            map.board
                .range(a, 20)
                .filter(move |b| scatter(u32::from(b.0)).is_multiple_of(97))
                .map(move |b| (a, b))
        })
        .collect();
    let hexes: u32 = pairs.iter().map(|&(a, b)| map.board.distance(a, b)).sum();
    println!("lines: mean length {:.1} hexes", f64::from(hexes) / pairs.len() as f64);
    let mut pairs = pairs.iter().cycle().copied();
    criterion.bench_function("line up to 20 hexes", |b| {
        b.iter(|| {
            let (from, to) = pairs.next().unwrap_or((HexId(0), HexId(0)));
            let height = |hex: Option<HexId>| hex.map_or(0, |hex| u32::from(map.points[hex.index()]));
            map.board.line(from, to).fold(0, |sum, step| {
                sum + match step {
                    BoardLineStep::Hex { hex, .. } => height(hex),
                    BoardLineStep::Along { left, right, .. } => height(left).min(height(right)),
                    BoardLineStep::Vertex { touched, .. } => height(touched),
                }
            })
        });
    });
}

criterion_group!(benches, benchmarks);
criterion_main!(benches);
