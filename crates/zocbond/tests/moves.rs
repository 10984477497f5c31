//! The fast search finds the same as the plain one, whatever the terrain, the enemies and the numbering of the board.

mod toy;

use hexgrid::{Direction, HexId, HexSet, Labels, Orientation};
use toy::{Bridge, Random, Rules, Side, Toy, empty};
use zocbond::{
    Path, Side as _, Stamp, System as _, Topology, UnitId, bonds,
    moves::{
        ANY_HEXES, ASK, Door, Goal, Guide, Layered, Met, Obstacles, Pace, Reach, SHUT, StepCosts,
        escalating::{ESCALATES, EscalatingGuide, EscalatingSearch, LAYERS},
        layered::{LayeredStep, Standing},
    },
};

/// A mover on the toy game's terrain, with costs in sixths of a point.
struct Walk<'a> {
    rules: &'a Rules,
    field: &'a Toy,
    obstacles: &'a Obstacles<()>,
    side: Side,
    start: HexId,
    left: u16,
    hexes: u8,
    flat: Option<u16>,
    leave: u16,
}

impl Walk<'_> {
    /// Woods and fields depend on the number of the hex; a swamp cannot be entered.
    fn enter(hex: HexId) -> u8 {
        match hex.0 % 7 {
            0 => SHUT,
            1 | 2 => 12,
            3 => 9,
            _ => 6,
        }
    }

    fn rivers(&self, hex: HexId) -> u8 {
        self.rules.rivers[hex.index()]
    }

    fn bridged(&self, a: HexId, b: HexId) -> bool {
        let ends = self.rules.bridges.iter().position(|ends| ends.contains(&a) && ends.contains(&b));
        ends.is_some_and(|n| !self.field.bridge(n).blown)
    }

    /// The rule of one step, with nothing precomputed.
    fn step(&self, from: HexId, direction: Direction, crossed: bool) -> Option<Pace> {
        let to = self.rules.topology.neighbour(from, direction)?;
        if Self::enter(to) == SHUT || self.field.enemy_in(self.side, to) {
            return None;
        }
        let mut cost = u16::from(Self::enter(to));
        let mut hard = false;
        if self.rivers(from) >> direction.index() & 1 == 1 && !self.bridged(from, to) {
            // Rivers are forded only from the start, at double the cost, and only once.
            if from != self.start || crossed {
                return None;
            }
            (cost, hard) = (2 * cost, true);
        }
        if bonds::bars(self.rules, self.field, self.side, from, direction).is_some() {
            return None;
        }
        if from == self.start {
            cost += self.leave;
        }
        Some(Pace { cost, stop: self.field.in_ezoc(self.side, to), hard })
    }
}

impl Guide for Walk<'_> {
    fn topology(&self) -> &Topology {
        &self.rules.topology
    }
    fn start(&self) -> HexId {
        self.start
    }
    fn left(&self) -> u16 {
        self.left
    }
    fn hexes(&self) -> u8 {
        self.hexes
    }
    fn flat_cost(&self) -> Option<u16> {
        self.flat
    }
    fn leave(&self) -> u16 {
        self.leave
    }
    fn land_steps(&self, hex: HexId) -> [u8; 6] {
        Direction::ALL.map(|direction| {
            let Some(to) = self.rules.topology.neighbour(hex, direction) else { return SHUT };
            let river = self.rivers(hex) >> direction.index() & 1 == 1 && !self.bridged(hex, to);
            if river && Self::enter(to) != SHUT { ASK } else { Self::enter(to) }
        })
    }
    fn obstacles(&self) -> &HexSet {
        self.obstacles.all()
    }
    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met> {
        let barred = self.field.enemy_in(self.side, to)
            || bonds::bars(self.rules, self.field, self.side, from, direction).is_some();
        (!barred).then(|| Met { delay: 0, stop: self.field.in_ezoc(self.side, to) })
    }
    fn pace(&self, from: HexId, direction: Direction, crossed: bool) -> Option<Pace> {
        self.step(from, direction, crossed)
    }
    fn stops_in(&self, hex: HexId) -> bool {
        self.field.in_ezoc(self.side, hex)
    }
}

/// Random counters, rivers and bridges.
fn scatter(rules: &mut Rules, random: &mut Random) -> Toy {
    let all = rules.board.all();
    for n in 0..50 {
        let hex = random.hex(&all);
        if let Some(to) = rules.topology.neighbour(hex, random.direction()) {
            rules.river(hex, to, n % 2 == 0);
        }
    }
    let mut field = empty();
    for unit in 0..rules.counters.len() as u16 {
        let side = rules.side_of(UnitId(unit));
        let free = &all - field.held(side.enemy());
        rules.put(&mut field, unit, Some(random.hex(&free)));
    }
    field
}

/// The cost of a path, step by step; `None` if it is not possible.
fn walked(walk: &Walk, from: HexId, path: Path) -> Option<(HexId, u16)> {
    let (mut at, mut cost, mut stopped, mut crossed) = (from, 0, false, false);
    for direction in path.iter() {
        let pace = walk.step(at, direction, crossed).filter(|_| !stopped)?;
        (stopped, crossed) = (pace.stop, crossed || pace.hard);
        cost += walk.flat.unwrap_or(pace.cost);
        at = walk.rules.topology.neighbour(at, direction)?;
    }
    Some((at, cost))
}

fn sorted(goals: &[Goal], start: HexId) -> Vec<(HexId, u16)> {
    let mut all: Vec<_> =
        goals.iter().map(|goal| (goal.hex(), goal.cost())).filter(|(hex, _)| *hex != start).collect();
    all.sort_unstable();
    all
}

fn compare(mut rules: Rules, seed: u64) -> [usize; 2] {
    let mut random = Random(seed);
    let mut field = scatter(&mut rules, &mut random);
    let (mut reach, mut layered, mut obstacles) =
        (Reach::default(), Layered::<()>::default(), Obstacles::default());
    let mut costs: StepCosts<Bridge, 1> = StepCosts::default();
    let table = Stamp::default();
    let mut found = [0; 2];
    for round in 0..400 {
        if round % 5 == 0 {
            let bridge = random.below(rules.bridges.len());
            rules.blow(&mut field, bridge, random.below(2) == 0);
        }
        let unit = UnitId(random.below(rules.counters.len()) as u16);
        let side = rules.side_of(unit);
        let Some(start) = zocbond::Piece::hex(field.unit(unit)) else { continue };
        obstacles.update(table, &field, side, (), HexSet::new, None);
        let ezoc = field.in_ezoc(side, start);
        let short = round % 3 == 0;
        let walk = Walk {
            rules: &rules,
            field: &field,
            obstacles: &obstacles,
            side,
            start,
            left: 6 * (2 + round % 8),
            hexes: if short { 1 + (round % 4) as u8 } else { ANY_HEXES },
            flat: (round % 6 == 0).then_some(6),
            leave: if ezoc { 12 } else { 0 },
        };
        let mut steps = costs.steps(table, field.stamp(), field.bridges(), &rules.bridges, 0);
        reach.find(field.stamp(), unit, &walk, &mut steps, &[Door { hex: start, cost: 0 }]);
        assert!(reach.is_for(field.stamp(), unit));
        // A layer for each number of hexes entered and for whether a river was crossed.
        let longest = if short { walk.hexes } else { 0 };
        let budget = if walk.flat.is_some() { 6 * u16::from(longest) } else { walk.left };
        layered.search(
            &rules.topology,
            2 * (longest + 1),
            &[(Door { hex: start, cost: 0 }, false)],
            budget,
            |at, direction, to| {
                let (count, crossed) = (at.layer / 2, at.layer % 2 == 1);
                if short && (count == longest || to == start) {
                    return None;
                }
                let pace = walk.step(at.hex, direction, crossed)?;
                let layer = 2 * if short { count + 1 } else { 0 } + u8::from(crossed || pace.hard);
                let cost = walk.flat.unwrap_or(pace.cost);
                Some(LayeredStep { cost, layer, stop: pace.stop, carry: () })
            },
        );
        let hexes = sorted(reach.hexes(walk.left), start);
        assert_eq!(hexes, sorted(layered.reached(), start), "round {round}");
        for (hex, cost) in &hexes {
            let (source, path) = reach.way(&rules.topology, walk.left, *hex).expect("it is reached");
            assert_eq!(walked(&walk, source, path), Some((*hex, *cost)));
            let (source, path) = layered.way(&rules.topology, *hex).expect("it is reached");
            assert_eq!(walked(&walk, source, path), Some((*hex, *cost)));
        }
        found[usize::from(short)] += hexes.len();
    }
    found
}

#[test]
fn the_quick_search_finds_what_the_plain_one_finds() {
    let [far, short] = compare(Rules::new(24, 20, 12), 1);
    assert!(far > 2_000 && short > 500, "{far}, {short}");
}

#[test]
fn the_quick_search_works_on_every_board() {
    for orientation in [Orientation::Flat, Orientation::Pointy] {
        let labels = Labels::ccrr(orientation, 22, 20).expect("the numbers are small");
        let [far, short] = compare(Rules::on(labels, 12), 2);
        assert!(far > 2_000 && short > 500, "{far}, {short}");
    }
}

/// The same mover where hexes of some kinds tire it, and rivers are crossed by bridges only.
struct Hike<'a>(Walk<'a>);

impl Hike<'_> {
    const EXTRA: u8 = 5;

    fn escalates(hex: HexId) -> bool {
        matches!(hex.0 % 7, 1 | 3 | 5)
    }

    /// The rule of one step, with nothing precomputed.
    fn step(&self, at: &Standing, direction: Direction) -> Option<LayeredStep> {
        let pace = self.0.step(at.hex, direction, false).filter(|pace| !pace.hard)?;
        let to = self.0.rules.topology.neighbour(at.hex, direction)?;
        let escalates = Self::escalates(to);
        let toll = if escalates && at.layer == 2 { u16::from(Self::EXTRA) } else { 0 };
        let layer = (at.layer + u8::from(escalates)).min(2);
        Some(LayeredStep { cost: pace.cost + toll, layer, stop: pace.stop, carry: () })
    }
}

impl EscalatingGuide for Hike<'_> {
    fn topology(&self) -> &Topology {
        &self.0.rules.topology
    }
    fn start(&self) -> HexId {
        self.0.start
    }
    fn leave(&self) -> u16 {
        self.0.leave
    }
    fn extra(&self) -> u8 {
        Self::EXTRA
    }
    fn steps(&mut self, hex: HexId) -> [u8; 6] {
        let dry = |d: Direction, to| self.0.rivers(hex) >> d.index() & 1 == 0 || self.0.bridged(hex, to);
        Direction::ALL.map(|d| match self.0.rules.topology.neighbour(hex, d).filter(|to| dry(d, *to)) {
            Some(to) if Walk::enter(to) < SHUT && Self::escalates(to) => Walk::enter(to) | ESCALATES,
            Some(to) => Walk::enter(to),
            None => SHUT,
        })
    }
    fn obstacles(&self) -> &HexSet {
        self.0.obstacles.all()
    }
    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met> {
        self.0.meet(from, direction, to)
    }
}

/// The fast search with escalating steps finds the same hexes, costs and paths as the plain one, from one source or several.
#[test]
fn the_escalating_search_finds_what_the_plain_one_finds() {
    let pointy = || Labels::ccrr(Orientation::Pointy, 22, 20).expect("the numbers are small");
    for (seed, mut rules) in [(3, Rules::new(24, 20, 9)), (4, Rules::on(pointy(), 12))] {
        let mut random = Random(seed);
        let mut field = scatter(&mut rules, &mut random);
        let (mut fast, mut layered) = (EscalatingSearch::default(), Layered::<()>::default());
        let mut obstacles = Obstacles::default();
        let mut escalated = 0;
        for round in 0..600 {
            if round % 5 == 0 {
                let bridge = random.below(rules.bridges.len());
                rules.blow(&mut field, bridge, random.below(2) == 0);
            }
            let unit = UnitId(random.below(rules.counters.len()) as u16);
            let side = rules.side_of(unit);
            let Some(start) = zocbond::Piece::hex(field.unit(unit)) else { continue };
            obstacles.update(Stamp::default(), &field, side, (), HexSet::new, None);
            let leave = if field.in_ezoc(side, start) { 12 } else { 0 };
            let left = 6 * (2 + round % 18);
            let walk = Walk {
                rules: &rules,
                field: &field,
                obstacles: &obstacles,
                side,
                start,
                left,
                hexes: ANY_HEXES,
                flat: None,
                leave,
            };
            let mut hike = Hike(walk);
            let source = |hex, cost| Standing { hex, layer: 0, cost, hexes: 0, stop: false, carry: () };
            let mut sources = vec![source(start, 0)];
            if round % 4 == 0 {
                let near: Vec<HexId> = rules.topology.neighbours(start).collect();
                let free = near.into_iter().filter(|hex| !field.enemy_in(side, *hex));
                sources.extend(free.enumerate().map(|(n, hex)| {
                    let stop = field.in_ezoc(side, hex);
                    Standing { layer: n as u8 % 3, stop, ..source(hex, 2 * (n as u16 % 3)) }
                }));
            }
            layered.search_on(&rules.topology, LAYERS as u8, sources.clone(), left, |at, direction, _| {
                hike.step(at, direction)
            });
            fast.search(&mut hike, sources, left);
            let costs: Vec<_> = fast.reached().iter().map(|hex| fast.cost(*hex)).collect();
            assert!(costs.is_sorted() && costs.len() == fast.hexes().len(), "round {round}");
            let within = costs.iter().filter(|cost| **cost <= Some(left / 2)).count();
            assert_eq!(fast.reached_within(left / 2).len(), within, "round {round}");
            assert_eq!(fast.hexes(), layered.hexes(), "round {round}");
            for hex in fast.hexes() {
                assert_eq!(fast.standing(hex).as_ref(), layered.standing(hex), "round {round}");
                assert!(fast.back(&mut hike, hex).eq(layered.back(hex)), "round {round}");
                escalated += usize::from(fast.standing(hex).is_some_and(|at| at.layer == 2));
            }
        }
        assert!(escalated > 1_000, "{escalated} paths lead through woods");
    }
}

/// Each third hex of woods costs more: the cheapest path to a hex is not always the best one to continue.
#[test]
fn layers_remember_the_way() {
    let rules = Rules::new(9, 9, 1);
    let woods = |hex: HexId| rules.board.label(hex).as_bytes()[3].is_multiple_of(2);
    let start = rules.hex("0101");
    let mut layered = Layered::<()>::default();
    let step = |layer: u8, to: HexId| {
        let extra = woods(to) && layer == 2;
        let layer = if woods(to) { (layer + 1).min(2) } else { layer };
        LayeredStep { cost: 6 + if extra { 6 } else { 0 }, layer, stop: false, carry: () }
    };
    layered.search(&rules.topology, 3, &[(Door { hex: start, cost: 0 }, false)], 60, |at, _, to| {
        Some(step(at.layer, to))
    });
    // Try every path of up to four hexes.
    let mut best = vec![u16::MAX; rules.board.len()];
    let mut open = vec![(start, 0, 0u16, 0)];
    while let Some((hex, layer, cost, length)) = open.pop() {
        best[hex.index()] = best[hex.index()].min(cost);
        if length < 5 {
            for to in rules.topology.neighbours(hex) {
                let step = step(layer, to);
                open.push((to, step.layer, cost + step.cost, length + 1));
            }
        }
    }
    for hex in rules.board.ids().filter(|hex| rules.board.distance(start, *hex) <= 3) {
        assert_eq!(layered.cost(hex), Some(best[hex.index()]), "{}", rules.board.label(hex));
        let (_, path) = layered.way(&rules.topology, hex).expect("it is reached");
        let (mut at, mut layer, mut cost) = (start, 0, 0);
        for direction in path.iter() {
            at = rules.topology.neighbour(at, direction).expect("the way stays on the map");
            let step = step(layer, at);
            (layer, cost) = (step.layer, cost + step.cost);
        }
        assert_eq!((at, cost), (hex, best[hex.index()]));
    }
}
