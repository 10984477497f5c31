//! Line of sight compared with a second implementation that shares no code with the first: exact plane geometry instead
//! of a walk over hexes, and the procedure of 4.1.4.2 written out. Random maps, every pair of hexes, both directions.

use hexgrid::{Direction, Hex, HexId};
use panzer::field::{Edge, Field, Terrain};
use panzer::los::Los;
use panzer::pack::{Pack, Tables};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

/// Centre and corners of a hex in whole numbers. The picture is sheared, which changes neither what a line crosses nor what
/// it runs along.
fn centre(hex: Hex) -> (i64, i64) {
    (3 * i64::from(hex.q), 2 * i64::from(hex.r) + i64::from(hex.q))
}

const CORNERS: [(i64, i64); 6] = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];

fn cross(a: (i64, i64), b: (i64, i64)) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

fn corners(hex: Hex) -> [(i64, i64); 6] {
    let c = centre(hex);
    CORNERS.map(|k| (c.0 + k.0, c.1 + k.1))
}

/// How the segment between two centres meets a third hex.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meets {
    /// Through its inside.
    Inside,
    /// Along one of its sides.
    Along,
    No,
}

fn meets(a: Hex, b: Hex, x: Hex) -> Meets {
    let (p, q) = (centre(a), centre(b));
    let d = (q.0 - p.0, q.1 - p.1);
    let rel = corners(x).map(|c| (c.0 - p.0, c.1 - p.1));
    let sides = rel.map(|c| cross(d, c));
    // How far along the line a point of it lies: 0 to `length`.
    let along = |c: (i64, i64)| c.0 * d.0 + c.1 * d.1;
    let length = d.0 * d.0 + d.1 * d.1;
    if sides.iter().any(|s| *s > 0) && sides.iter().any(|s| *s < 0) {
        // A convex hex that is neither end is crossed entirely between the ends or not at all: one point decides.
        let i = (0..6).find(|i| sides[*i] > 0 && sides[(i + 1) % 6] <= 0).unwrap();
        let (u, v) = (rel[i], rel[(i + 1) % 6]);
        let (su, sv) = (sides[i], -sides[(i + 1) % 6]);
        let scaled = along(u) * sv + along(v) * su;
        return if 0 < scaled && scaled < length * (su + sv) { Meets::Inside } else { Meets::No };
    }
    let along = (0..6).any(|i| {
        let j = (i + 1) % 6;
        sides[i] == 0 && sides[j] == 0 && [i, j].iter().all(|k| (0..=length).contains(&along(rel[*k])))
    });
    if along { Meets::Along } else { Meets::No }
}

/// Whether the segment crosses a hexside's inside, or runs along it.
fn meets_side(a: Hex, b: Hex, x: Hex, direction: Direction) -> bool {
    let (p, q) = (centre(a), centre(b));
    let d = (q.0 - p.0, q.1 - p.1);
    let all = corners(x);
    // Corner k lies between the sides k and k + 1; CORNERS begins with that between north and north-east.
    let (u, v) = (all[(direction.index() + 5) % 6], all[direction.index()]);
    let [su, sv] = [u, v].map(|c| cross(d, (c.0 - p.0, c.1 - p.1)));
    let length = d.0 * d.0 + d.1 * d.1;
    let along = |c: (i64, i64)| (c.0 - p.0) * d.0 + (c.1 - p.1) * d.1;
    if su == 0 && sv == 0 {
        return [u, v].iter().all(|c| (0..=length).contains(&along(*c)));
    }
    if su.signum() * sv.signum() >= 0 {
        return false;
    }
    // The ends of the segment lie on different sides of the hexside's line.
    let w = (v.0 - u.0, v.1 - u.1);
    cross(w, (p.0 - u.0, p.1 - u.1)).signum() * cross(w, (q.0 - u.0, q.1 - u.1)).signum() < 0
}

struct Reference<'a> {
    field: &'a Field,
    tables: &'a Tables,
}

impl Reference<'_> {
    fn straight_bed(&self, a: HexId, b: HexId) -> bool {
        let board = &self.field.board;
        Direction::ALL.into_iter().any(|d| {
            let mut at = Some(a);
            while let Some(hex) = at {
                if self.field.terrain(hex) != Terrain::Gully {
                    return false;
                }
                if hex == b {
                    return true;
                }
                at = board.neighbour(hex, d);
            }
            false
        })
    }

    /// The hexes that the line goes through, including the ends, in order; `None` if it runs along a hexside.
    fn through(&self, a: HexId, b: HexId) -> Option<Vec<HexId>> {
        let f = self.field;
        let (pa, pb) = (f.board.hex(a), f.board.hex(b));
        let (p, q) = (centre(pa), centre(pb));
        let mut inside = vec![a, b];
        for x in f.hexes().filter(|x| *x != a && *x != b) {
            match meets(pa, pb, f.board.hex(x)) {
                Meets::Inside => inside.push(x),
                Meets::Along => return None,
                Meets::No => {}
            }
        }
        inside.sort_by_key(|x| {
            let c = centre(f.board.hex(*x));
            // How far along the line its centre lies, in the true picture: there a length is the root of x² + 3y².
            let (dx, dy) = (c.0 - p.0, c.1 - p.1);
            dx * (q.0 - p.0) + 3 * dy * (q.1 - p.1)
        });
        Some(inside)
    }

    /// 4.1.4.1.5.1: the hexes of continuous slopes, wherever on the line from the higher unit they begin.
    fn run(&self, hexes: &[HexId]) -> Vec<HexId> {
        let f = self.field;
        let falls = |pair: &[HexId]| {
            let d = f.board.direction_to(pair[0], pair[1]).expect("a line goes from hex to neighbour");
            f.edge(pair[0], d).any(Edge::SLOPE) && f.elevation(pair[1]) < f.elevation(pair[0])
        };
        hexes.windows(2).filter(|pair| falls(pair)).map(|pair| pair[1]).collect()
    }

    /// 4.1.4.1.3, 4.1.4.1.7: a road or path leads straight through a hex of a straight row.
    fn lane(&self, hexes: &[HexId], x: HexId) -> bool {
        let f = self.field;
        let ways: Vec<_> = hexes.windows(2).map(|pair| f.board.direction_to(pair[0], pair[1])).collect();
        let row = ways.iter().all(|way| *way == ways[0]);
        let road = |d: Direction| f.edge(x, d).any(Edge::ROAD.with(Edge::PATH));
        row && ways[0].is_some_and(|d| road(d) && road(d.opposite()))
    }

    fn clear(&self, a: HexId, b: HexId) -> bool {
        let f = self.field;
        if a == b {
            return true;
        }
        let in_gully = |h: HexId| f.terrain(h) == Terrain::Gully && !f.ground(h).bridge;
        let range = i64::from(f.range(a, b));
        let bed = in_gully(a) && in_gully(b) && self.straight_bed(a, b);
        // 4.1.4.1.6
        for (g, u) in [(a, b), (b, a)] {
            if in_gully(g) && f.height(u) <= f.height(g) + 1 && range > 1 && !bed {
                return false;
            }
        }
        let (hi, lo) = if f.height(a) >= f.height(b) { (a, b) } else { (b, a) };
        let (h, l) = (i64::from(f.height(hi)), i64::from(f.height(lo)));
        let blocks = |top: i64, d: i64| {
            if top <= l {
                return false;
            }
            if top >= h {
                return true;
            }
            let n = h - top;
            let zone = match n {
                1..=3 => (d / (([2, 4, 8][n as usize - 1] + l).max(2))).max(1),
                _ => 1,
            };
            d < range && range <= d + zone
        };
        let (pa, pb) = (f.board.hex(a), f.board.hex(b));
        let through = self.through(hi, lo);
        let run = through.as_ref().map_or(Vec::new(), |hexes| self.run(hexes));
        for x in f.hexes().filter(|x| *x != a && *x != b) {
            let ground = i64::from(f.height(x));
            let mut own = i64::from(self.tables.terrain[f.terrain(x) as usize].height).max(0);
            if own > 0 && through.as_ref().is_some_and(|hexes| hexes.contains(&x) && self.lane(hexes, x)) {
                own = 0;
            }
            if own < 1 && (ground < 1 || run.contains(&x)) || bed && f.terrain(x) == Terrain::Gully {
                continue;
            }
            if meets(pa, pb, f.board.hex(x)) != Meets::No && blocks(ground + own, i64::from(f.range(hi, x))) {
                return false;
            }
        }
        for x in f.hexes() {
            for d in [Direction::D0, Direction::D1, Direction::D2] {
                let Some(y) = f.neighbour(x, d) else { continue };
                if !f.edge(x, d).any(Edge::CREST.with(Edge::HEDGEROW))
                    || !meets_side(pa, pb, f.board.hex(x), d)
                {
                    continue;
                }
                let top = i64::from(f.elevation(x).max(f.elevation(y))) + 1;
                if blocks(top, i64::from(f.range(hi, x).min(f.range(hi, y)))) {
                    return false;
                }
            }
        }
        true
    }
}

/// A random map; with slopes and roads: terraced hills, some edges sheer, and straight roads through everything.
fn random_field(pack: &Pack, seed: u64, slopes_and_roads: bool) -> Field {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut one_in = |n: u32| rng.next_u32() % n == 0;
    let map: toml::Table = "columns = [1, 12]\nrows = [0, 9]".parse().unwrap();
    let (_, mut field) = pack.lab_field(&map).unwrap();
    for hex in field.hexes() {
        let ground = field.ground_mut(hex);
        if one_in(5) {
            ground.elevation = 1 + i8::from(one_in(3)) + 2 * i8::from(one_in(6)) + i8::from(one_in(9));
        }
        if one_in(9) {
            ground.terrain = Terrain::LightGrove;
        } else if one_in(6) {
            ground.terrain = Terrain::Gully;
        } else if one_in(8) {
            ground.terrain = Terrain::StoneBuilding;
            ground.storeys = 1;
        }
        for d in [Direction::D0, Direction::D1, Direction::D2] {
            if one_in(24) {
                field.add_edge(hex, d, Edge::CREST);
            } else if one_in(30) {
                field.add_edge(hex, d, Edge::HEDGEROW);
            }
        }
    }
    if !slopes_and_roads {
        return field;
    }
    for hex in field.hexes() {
        for d in [Direction::D0, Direction::D1, Direction::D2] {
            let Some(other) = field.neighbour(hex, d) else { continue };
            if field.elevation(hex) != field.elevation(other) && !field.edge(hex, d).any(Edge::CREST) {
                field.add_edge(hex, d, if one_in(6) { Edge::CLIFF } else { Edge::SLOPE });
            }
            let mut at = hex;
            if one_in(12) {
                let way = if one_in(2) { Edge::ROAD } else { Edge::PATH };
                for _ in 0..5 {
                    field.add_edge(at, d, way);
                    let Some(next) = field.neighbour(at, d) else { break };
                    at = next;
                }
            }
        }
    }
    field
}

// rule: 4.1.4, 4.1.4.2.1, 4.1.4.2.2, 4.1.4.2.3, 4.1.4.2.4, 4.1.4.2.6
#[test]
fn the_same_as_by_plane_geometry() {
    let pack = Pack::embedded().unwrap();
    let mut counts = [0; 2];
    for seed in 0..6 {
        let field = random_field(pack, seed, false);
        let los = Los::new(&field, &pack.tables);
        let reference = Reference { field: &field, tables: &pack.tables };
        for a in field.hexes() {
            for b in field.hexes().filter(|b| *b >= a) {
                let there = los.between(a, b);
                assert_eq!(
                    there,
                    los.between(b, a),
                    "sight is mutual: {} {}",
                    field.label(a),
                    field.label(b)
                );
                assert_eq!(there.clear, there.blocked_by.is_none());
                assert_eq!(
                    there.clear,
                    los.clear(a, b),
                    "the quick answer: {} {}",
                    field.label(a),
                    field.label(b)
                );
                let expected = reference.clear(a, b);
                assert_eq!(
                    there.clear,
                    expected,
                    "map {seed}: {} to {}: {there:?}",
                    field.label(a),
                    field.label(b)
                );
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|n| *n > 3000), "both outcomes must occur often: {counts:?}");
}

// rule: 4.1.4.1.5.1, 4.1.4.1.3, 4.1.4.1.7
#[test]
fn the_same_down_slopes_and_along_roads() {
    let pack = Pack::embedded().unwrap();
    let mut cases = std::collections::BTreeMap::new();
    for seed in 10..16 {
        let field = random_field(pack, seed, true);
        let los = Los::new(&field, &pack.tables);
        let reference = Reference { field: &field, tables: &pack.tables };
        for a in field.hexes() {
            for b in field.hexes().filter(|b| *b > a) {
                // Along a hexside the run of slopes has two sides; lab files have those.
                if reference.through(a, b).is_none() {
                    continue;
                }
                let there = los.between(a, b);
                assert_eq!(there.clear, los.clear(a, b));
                let (from, to) = (field.label(a), field.label(b));
                assert_eq!(there.clear, reference.clear(a, b), "map {seed}: {from} to {to}: {there:?}");
                *cases.entry((there.case, there.clear)).or_insert(0) += 1;
            }
        }
    }
    for case in ["4.1.4.1.5.1", "4.1.4.1.3", "4.1.4.1.7"] {
        assert!(cases.get(&(case, true)).is_some_and(|n| *n > 50), "{case} must occur often: {cases:?}");
    }
}

// rule: 4.1.4
#[test]
fn shipped_maps_are_seen_both_ways() {
    let pack = Pack::embedded().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for scenario in &pack.scenarios {
        let (_, field) = pack.field(scenario).unwrap();
        let los = Los::new(&field, &pack.tables);
        for _ in 0..2000 {
            let mut hex = || HexId((rng.next_u32() % field.count() as u32) as u16);
            let (a, b) = (hex(), hex());
            let there = los.between(a, b);
            assert_eq!(there, los.between(b, a), "{} {}", field.label(a), field.label(b));
            assert_eq!(there.clear, los.clear(a, b), "{} {}", field.label(a), field.label(b));
        }
    }
}
