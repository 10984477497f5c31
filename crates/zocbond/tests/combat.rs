//! The routes of retreats and advances are those that a search of all paths finds.

mod toy;

use hexgrid::{Direction, HexId};
use toy::{Random, Rules, Side, Toy, empty};
use zocbond::{
    Path, Piece as _, Side as _, System as _, Topology, UnitId, bonds,
    combat::{
        advance::{self, Advance},
        retreat::{Retreat, Route, best_routes},
    },
};

fn scatter(rules: &Rules, random: &mut Random) -> Toy {
    let all = rules.board.all();
    let mut field = empty();
    for unit in 0..rules.counters.len() as u16 {
        let free = &all - field.held(rules.side_of(UnitId(unit)).enemy());
        rules.put(&mut field, unit, Some(random.hex(&free)));
    }
    field
}

/// Retreats lead away from the start, enter EZOC only with the first hex, and prefer even numbers; units of the first
/// side may leave the map.
struct Back<'a> {
    rules: &'a Rules,
    field: &'a Toy,
    side: Side,
    start: HexId,
    hexes: u8,
}

type Rank = (bool, bool, bool);

impl Retreat for Back<'_> {
    type Tally = bool;
    type Rank = Rank;
    type Exit = ();
    fn topology(&self) -> &Topology {
        &self.rules.topology
    }
    fn start(&self) -> HexId {
        self.start
    }
    fn hexes(&self) -> u8 {
        self.hexes
    }
    fn away(&self, hex: HexId) -> u32 {
        self.rules.board.distance(self.start, hex)
    }
    fn step(&self, ezoc: bool, from: HexId, direction: Direction, to: HexId, first: bool) -> Option<bool> {
        let (theirs, ours) = (self.field.zoc(self.side.enemy()), self.field.held(self.side));
        let zoc = theirs.contains(to) && !ours.contains(to);
        let barred = self.field.enemy_in(self.side, to)
            || zoc && !first
            || bonds::bars(self.rules, self.field, self.side, from, direction).is_some();
        (!barred).then_some(ezoc || zoc)
    }
    fn rank(&self, end: HexId, ezoc: bool, _: Option<Rank>) -> Option<Rank> {
        Some((self.away(end) < u32::from(self.hexes), ezoc, end.0 % 2 == 1))
    }
    fn way_out(&self, from: HexId, ezoc: bool) -> Option<((), Rank)> {
        let edge = self.rules.topology.around(from).contains(&HexId::NONE);
        (self.side == Side::Red && edge).then_some(((), (false, ezoc, false)))
    }
    fn may_wind(&self) -> bool {
        self.side == Side::Red
    }
}

type Found = Vec<(Vec<Direction>, HexId, bool, Rank)>;

/// Every route of full length and every exit, without entering a hex twice.
fn every_route(
    back: &Back,
    trail: &mut Vec<HexId>,
    steps: &mut Vec<Direction>,
    met: bool,
    found: &mut Found,
) {
    let here = trail[trail.len() - 1];
    if steps.len() == usize::from(back.hexes) {
        found.extend(back.rank(here, met, None).map(|rank| (steps.clone(), here, false, rank)));
        return;
    }
    if let Some(((), rank)) = back.way_out(here, met) {
        found.push((steps.clone(), here, true, rank));
    }
    for direction in Direction::ALL {
        let Some(to) = back.rules.topology.neighbour(here, direction).filter(|to| !trail.contains(to)) else {
            continue;
        };
        if let Some(met) = back.step(met, here, direction, to, steps.is_empty()) {
            trail.push(to);
            steps.push(direction);
            every_route(back, trail, steps, met, found);
            trail.pop();
            steps.pop();
        }
    }
}

#[test]
fn the_best_routes_are_the_best_of_all() {
    let rules = Rules::new(12, 10, 14);
    let mut random = Random(17);
    let (mut kept, mut stuck, mut out) = (0, 0, 0);
    for _ in 0..120 {
        let field = scatter(&rules, &mut random);
        for unit in (0..rules.counters.len() as u16).step_by(3).map(UnitId) {
            let Some(start) = field.unit(unit).hex() else { continue };
            let side = rules.side_of(unit);
            let back = Back { rules: &rules, field: &field, side, start, hexes: 1 + random.below(3) as u8 };
            let mut all = Found::new();
            every_route(&back, &mut vec![start], &mut Vec::new(), false, &mut all);
            let best = all.iter().map(|(.., rank)| *rank).min();
            all.retain(|(.., rank)| Some(*rank) == best);
            all.sort_unstable();
            let mut routes: Vec<Route<Rank, ()>> = Vec::new();
            best_routes(&back, &mut routes);
            let mut found: Found = routes
                .iter()
                .map(|route| (route.path.iter().collect(), route.end, route.out.is_some(), route.rank))
                .collect();
            found.sort_unstable();
            assert_eq!(found, all);
            kept += found.len();
            stuck += usize::from(found.is_empty());
            out += found.iter().filter(|(_, _, out, _)| *out).count();
        }
    }
    assert!(kept > 1_000 && stuck > 20 && out > 100, "{kept}, {stuck}, {out}");
}

/// An advance of two hexes, or three along odd directions, that must stop in every seventh hex.
struct Forward<'a> {
    rules: &'a Rules,
    field: &'a Toy,
    side: Side,
}

impl Advance for Forward<'_> {
    fn topology(&self) -> &Topology {
        &self.rules.topology
    }
    fn hexes(&self, by_road: bool) -> u8 {
        if by_road { 3 } else { 2 }
    }
    fn road_bonus(&self, _: HexId, direction: Direction) -> bool {
        direction.index() % 2 == 1
    }
    fn may_step(&self, from: HexId, direction: Direction, to: HexId, first: bool) -> bool {
        let barred = bonds::bars(self.rules, self.field, self.side, from, direction).is_some();
        !self.field.enemy_in(self.side, to) && (first || !barred)
    }
    fn may_end(&self, hex: HexId) -> bool {
        self.field.stack(hex).count() < 2
    }
    fn stops_in(&self, hex: HexId) -> bool {
        hex.0.is_multiple_of(7)
    }
}

/// Whether the rules of [`Forward`] allow this path.
fn is_advance(forward: &Forward, from: HexId, path: &[Direction]) -> bool {
    let road = |steps: &[Direction]| steps.iter().all(|direction| direction.index() % 2 == 1);
    let mut trail = vec![from];
    for (n, direction) in path.iter().enumerate() {
        let here = trail[n];
        let Some(to) = forward.rules.topology.neighbour(here, *direction) else { return false };
        let far = n >= usize::from(forward.hexes(road(&path[..=n])));
        let stopped = n > 0 && forward.stops_in(here);
        if far || stopped || trail.contains(&to) || !forward.may_step(here, *direction, to, n == 0) {
            return false;
        }
        trail.push(to);
    }
    !path.is_empty() && forward.may_end(trail[path.len()])
}

#[test]
fn advances_are_all_that_are_allowed() {
    let rules = Rules::new(10, 9, 12);
    let mut random = Random(19);
    let mut count = 0;
    for _ in 0..25 {
        let field = scatter(&rules, &mut random);
        let forward = Forward { rules: &rules, field: &field, side: Side::Blue };
        let from = random.hex(&rules.board.all());
        let mut found: Vec<Vec<Direction>> = Vec::new();
        advance::ways(&forward, from, 0, &mut |path: Path, _| found.push(path.iter().collect()));
        let mut right: Vec<Vec<Direction>> = Vec::new();
        for length in 1..=3u32 {
            for n in 0..6usize.pow(length) {
                let path: Vec<Direction> =
                    (0..length).map(|at| Direction::from_index(n / 6usize.pow(at) % 6)).collect();
                if is_advance(&forward, from, &path) {
                    right.push(path);
                }
            }
        }
        found.sort_unstable();
        right.sort_unstable();
        assert_eq!(found, right);
        count += found.len();
    }
    assert!(count > 300, "{count}");
}
