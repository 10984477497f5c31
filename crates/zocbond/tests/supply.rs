//! Supply roads, overland lines and paths to supply are those that the definitions give.

mod toy;

use std::ops::Deref;

use hexgrid::{Direction, HexId, HexSet};
use toy::{Bridge, Random, Rules, Side, Toy, empty};
use zocbond::{
    Bridges, Piece as _, Side as _, Stamp, System, Topology, UnitId,
    bonds::bars_trace,
    combat::home::{Home, Homeward, Known, NO_WAY, Room, WayHome, ways_home},
    supply::{
        overland,
        roads::{Nets, SupplyRoads, open_sources},
    },
    system::FieldOf,
};

/// The toy game with roads, and with towns that a marker may close.
struct Country {
    toy: Rules,
    stamp: Stamp,
    roads: Vec<u8>,
    sources: [HexSet; 2],
}

struct Position {
    field: FieldOf<Country>,
    blocks: [HexId; 2],
}

impl Deref for Position {
    type Target = FieldOf<Country>;
    fn deref(&self) -> &FieldOf<Country> {
        &self.field
    }
}

impl System for Country {
    type Side = Side;
    type Unit = toy::Unit;
    type Bridge = Bridge;
    fn topology(&self) -> &Topology {
        &self.toy.topology
    }
    fn side_of(&self, unit: UnitId) -> Side {
        self.toy.side_of(unit)
    }
    fn zoc_reach(&self, field: &Toy, unit: UnitId, hex: HexId) -> u8 {
        self.toy.zoc_reach(field, unit, hex)
    }
    fn forms_bonds(&self, field: &Toy, unit: UnitId, hex: HexId) -> bool {
        self.toy.forms_bonds(field, unit, hex)
    }
    fn bond_axes(&self, field: &Toy, hex: HexId) -> u8 {
        self.toy.bond_axes(field, hex)
    }
    fn bond_sides(&self, field: &Toy, hex: HexId) -> u8 {
        self.toy.bond_sides(field, hex)
    }
}

impl SupplyRoads for Country {
    type Position = Position;
    type Markers = Option<[HexId; 2]>;
    fn table(&self) -> Stamp {
        self.stamp
    }
    fn bridge_ends(&self) -> &[[HexId; 2]] {
        &self.toy.bridges
    }
    fn sources(&self, side: Side) -> &HexSet {
        &self.sources[side.index()]
    }
    fn roads(&self, hex: HexId) -> u8 {
        self.roads[hex.index()]
    }
    fn open_roads(&self, field: &Toy, hex: HexId) -> u8 {
        self.roads[hex.index()] & self.toy.open(field, hex)
    }
    fn markers(&self, s: &Position) -> Option<[HexId; 2]> {
        Some(s.blocks)
    }
    fn closed_to_roads(&self, s: &Position, side: Side) -> HexSet {
        let enemy = side.enemy();
        let mut closed = s.zoc(enemy) - s.held(side);
        closed.union_with(s.held(enemy));
        closed.insert(s.blocks[enemy.index()]);
        closed
    }
}

impl Country {
    fn new(random: &mut Random, each: u16) -> Country {
        let mut toy = Rules::new(20, 16, each);
        let all = toy.board.all();
        for n in 0..50 {
            let hex = random.hex(&all);
            if let Some(to) = toy.topology.neighbour(hex, random.direction()) {
                toy.river(hex, to, n % 4 != 0);
            }
        }
        let mut roads = vec![0; toy.board.len()];
        for _ in 0..260 {
            let (hex, direction) = (random.hex(&all), random.direction());
            if let Some(to) = toy.topology.neighbour(hex, direction) {
                roads[hex.index()] |= 1 << direction.index();
                roads[to.index()] |= 1 << direction.opposite().index();
            }
        }
        let sources = Side::ALL.map(|_| (0..4).map(|_| random.hex(&all)).collect());
        Country { toy, stamp: Stamp::default(), roads, sources }
    }

    fn scatter(&self, random: &mut Random) -> Position {
        let all = self.toy.board.all();
        let mut field = empty();
        for unit in 0..self.toy.counters.len() as u16 {
            let free = &all - field.held(self.side_of(UnitId(unit)).enemy());
            self.toy.put(&mut field, unit, Some(random.hex(&free)));
        }
        let blocks = [random.hex(&all), random.hex(&all)];
        Position { field, blocks }
    }

    /// Hexes with a road to a source, from the definition: backwards from the sources, step by step.
    fn road_hexes(&self, s: &Position, side: Side) -> HexSet {
        let closed = self.closed_to_roads(s, side);
        let mut found = open_sources(self, s, side);
        let mut open: Vec<HexId> = found.iter().collect();
        while let Some(hex) = open.pop() {
            if closed.contains(hex) {
                continue;
            }
            for direction in Direction::ALL {
                let Some(from) = self.topology().neighbour(hex, direction) else { continue };
                let road = self.open_roads(s, from) >> direction.opposite().index() & 1 == 1;
                let barred =
                    s.enemy_in(side, from) || bars_trace(self, s, side, from, direction.opposite()).is_some();
                if road && !barred && found.insert(from) {
                    open.push(from);
                }
            }
        }
        found
    }
}

#[test]
fn following_roads_finds_the_net() {
    let mut random = Random(23);
    let country = Country::new(&mut random, 14);
    let mut nets: Nets<Bridge, Option<[HexId; 2]>> = Nets::default();
    let (mut joined, mut cut) = (0, 0);
    for _ in 0..150 {
        let mut s = country.scatter(&mut random);
        for _ in 0..4 {
            let unit = random.below(country.toy.counters.len()) as u16;
            country.toy.rout(&mut s.field, unit, true);
            let bridge = random.below(country.toy.bridges.len());
            country.toy.blow(&mut s.field, bridge, random.below(2) == 0);
            for side in Side::ALL {
                let right = country.road_hexes(&s, side);
                let mut hexes: Vec<HexId> = country.toy.board.ids().collect();
                let first = random.below(hexes.len());
                hexes.rotate_left(first);
                let mut roads = nets.roads(&country, &s, side);
                for hex in hexes {
                    let leads = roads.lead_home(hex);
                    assert_eq!(leads, right.contains(hex), "{side:?} {}", country.toy.board.label(hex));
                    joined += usize::from(leads);
                    cut += usize::from(!leads && country.roads[hex.index()] != 0);
                }
                assert_eq!(roads.all(), right);
            }
        }
    }
    assert!(joined > 5_000 && cut > 5_000, "neither is rare: {joined}, {cut}");
}

/// Every line of at most this many hexes, found by trying all.
fn reaches(
    country: &Country,
    s: &Position,
    side: Side,
    from: HexId,
    goal: &HexSet,
    left: usize,
    first: bool,
) -> bool {
    goal.contains(from)
        || left > 0
            && Direction::ALL.into_iter().any(|direction| {
                country.topology().neighbour(from, direction).is_some_and(|to| {
                    !s.enemy_in(side, to)
                        && (first || !s.zoc(side.enemy()).contains(to) || s.held(side).contains(to))
                        && bars_trace(country, s, side, from, direction).is_none()
                        && reaches(country, s, side, to, goal, left - 1, false)
                })
            })
}

#[test]
fn overland_lines_are_those_that_can_be_walked() {
    let mut random = Random(4);
    let country = Country::new(&mut random, 14);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..40 {
        let s = country.scatter(&mut random);
        let side = Side::ALL[random.below(2)];
        let all = country.toy.board.all();
        let goal: HexSet = (0..12).map(|_| random.hex(&all)).collect();
        let goal = &goal - s.held(side.enemy());
        let lines = overland::all(&country, &s, side, &goal, 3);
        for hex in &(&all - s.held(side.enemy())) {
            let right = reaches(&country, &s, side, hex, &goal, 3, true);
            assert_eq!(lines.contains(hex), right);
            assert_eq!(overland::leads(&country, &s, side, hex, 3, |to| goal.contains(to)), right);
            let path = overland::path(&country, &s, side, hex, &goal, 3);
            assert_eq!(path.is_some(), right);
            assert!(
                path.is_none_or(|path| path.len() <= 4
                    && path[0] == hex
                    && goal.contains(path[path.len() - 1]))
            );
            *(if right { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 1_000 && no > 1_000, "{yes}, {no}");
}

/// With hexes that are closed, steps that a line may contain once, and steps that terrain bars: the search that ends at the goal
/// finds it where the plain one does.
#[test]
fn a_line_is_found_where_the_plain_search_finds_one() {
    let mut random = Random(23);
    let country = Country::new(&mut random, 14);
    let (mut yes, mut no, mut hard) = (0, 0, 0);
    for _ in 0..12 {
        let s = country.scatter(&mut random);
        let side = Side::ALL[random.below(2)];
        let all = country.toy.board.all();
        let shut: HexSet = (0..20).map(|_| random.hex(&all)).collect();
        let goal: HexSet = (0..9).map(|_| random.hex(&all)).collect();
        let closed = |hex: HexId| s.enemy_in(side, hex) || shut.contains(hex);
        let cross =
            |from: HexId, d: Direction, _: HexId| match country.toy.rivers[from.index()] >> d.index() & 1 {
                1 if from.index().is_multiple_of(3) => None,
                river => Some(river == 1),
            };
        let free = |from: HexId, d: Direction, to: HexId| cross(from, d, to).filter(|hard| !hard);
        for hexes in [1, 4, overland::LONGEST, overland::LONGEST + 1] {
            for hex in &(&all - s.held(side.enemy())) {
                let line = (hex, &goal);
                let plain = overland::reached_by(&country, &s, side, line, hexes, closed, cross);
                let right = !plain.is_disjoint(&goal);
                assert_eq!(overland::leads_by(&country, &s, side, line, hexes, closed, cross), right);
                *(if right { &mut yes } else { &mut no }) += 1;
                hard +=
                    u32::from(right && !overland::leads_by(&country, &s, side, line, hexes, closed, free));
            }
        }
    }
    assert!(yes > 1_000 && no > 1_000 && hard > 20, "{yes}, {no}, {hard} of them by a hard step");
}

struct Goer<'a> {
    country: &'a Country,
    s: &'a Position,
    side: Side,
    ways: &'a [WayHome],
}

impl Homeward for Goer<'_> {
    type Bridge = Bridge;
    fn topology(&self) -> &Topology {
        self.country.topology()
    }
    fn enemy(&self) -> &HexSet {
        self.s.held(self.side.enemy())
    }
    fn bridges(&self) -> &Bridges<Bridge> {
        self.s.bridges()
    }
    fn sources(&self) -> &HexSet {
        &self.country.sources[self.side.index()]
    }
    fn ways(&self) -> &[WayHome] {
        self.ways
    }
    fn open(&self, hex: HexId) -> u8 {
        self.country.toy.open(self.s, hex)
    }
    fn needs_bridges(&self) -> bool {
        true
    }
}

#[test]
fn ways_to_supply_are_the_shortest() {
    let mut random = Random(17);
    let country = Country::new(&mut random, 110);
    let intact = empty();
    let with_bridges = |hex| country.toy.open(&intact, hex);
    let bridged = |hex: HexId| with_bridges(hex) & country.toy.rivers[hex.index()];
    let ways = country.sources.map(|sources| ways_home(country.topology(), &sources, with_bridges, bridged));
    let (mut known, mut room) = ([(); 2].map(|()| Known::default()), Room::default());
    let (mut about, mut cut) = (0, 0);
    for _ in 0..60 {
        let mut s = country.scatter(&mut random);
        for _ in 0..6 {
            let bridge = random.below(country.toy.bridges.len());
            country.toy.blow(&mut s.field, bridge, random.below(2) == 0);
        }
        for side in Side::ALL {
            let goer = Goer { country: &country, s: &s, side, ways: &ways[side.index()] };
            // Distances, from the sources outwards.
            let mut right = vec![NO_WAY; country.toy.board.len()];
            let mut queue: Vec<HexId> = (goer.sources() - goer.enemy()).iter().collect();
            for source in &queue {
                right[source.index()] = 0;
            }
            let mut next = 0;
            while let Some(hex) = queue.get(next).copied() {
                next += 1;
                for (d, to) in country.topology().around(hex).iter().enumerate() {
                    let open =
                        goer.open(hex) >> d & 1 == 1 && *to != HexId::NONE && !goer.enemy().contains(*to);
                    if open && right[to.index()] == NO_WAY {
                        right[to.index()] = right[hex.index()] + 1;
                        queue.push(*to);
                    }
                }
            }
            let mut home = Home::new(&goer, country.stamp, &mut known[side.index()], &mut room);
            let hexes: Vec<HexId> = (&country.toy.board.all() - goer.enemy()).iter().collect();
            for pair in hexes.windows(2) {
                assert_eq!(home.distance(pair[0]), right[pair[0].index()]);
                assert_eq!(home.is_nearer(pair[1], pair[0]), right[pair[1].index()] < right[pair[0].index()]);
            }
            about += home.found_about();
            cut += home.found_cut();
        }
    }
    assert!(about > 500 && cut > 50, "neither was tried: {about}, {cut}");
    assert!(country.toy.counters.len() > 2 && intact.unit(UnitId(0)).hex().is_none());
}
