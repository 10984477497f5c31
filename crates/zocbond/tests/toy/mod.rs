//! A tiny game of the family, so that the shared code is tested with something other than a published game. ZOC crosses
//! rivers only over intact bridges; a routed unit has neither ZOC nor bonds; guns form no bonds.

#![allow(dead_code, reason = "every test uses a part of it")]

use hexgrid::{
    Board, Compass, Direction, Hex, HexId, HexSet, Labels, Orientation,
    labels::{Figures, Parity, Sheet},
};
use serde::{Deserialize, Serialize};
use zocbond::{
    Field, FieldOf, Key, Link, Piece, Side as _, Span, System, Topology, UnitId, board, system::FULL_ZOC,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    Red,
    Blue,
}

impl zocbond::Side for Side {
    const ALL: [Side; 2] = [Side::Red, Side::Blue];
    fn index(self) -> usize {
        self as usize
    }
    fn enemy(self) -> Side {
        if self == Side::Red { Side::Blue } else { Side::Red }
    }
}

/// A hex, or off the map.
pub type Place = Option<HexId>;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    at: HexId,
    below: Link,
    pub routed: bool,
}

impl Default for Unit {
    fn default() -> Self {
        Unit { at: HexId::NONE, below: Link::NONE, routed: false }
    }
}

impl Piece for Unit {
    type Place = Place;
    fn hex(&self) -> Option<HexId> {
        self.at.some()
    }
    fn in_game(&self) -> bool {
        self.at != HexId::NONE
    }
    fn below(&self) -> Link {
        self.below
    }
    fn hex_of(place: Place) -> Option<HexId> {
        place
    }
    fn set_place(&mut self, place: Place, _: Key) {
        self.at = place.unwrap_or(HexId::NONE);
    }
    fn set_below(&mut self, below: Link, _: Key) {
        self.below = below;
    }
    fn clear_markers(&mut self) {
        self.routed = false;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bridge {
    pub blown: bool,
}

impl Span for Bridge {
    fn intact(self) -> bool {
        !self.blown
    }
}

pub type Toy = FieldOf<Rules>;

#[derive(Clone, Copy, Debug)]
pub struct Counter {
    pub side: Side,
    pub gun: bool,
}

#[derive(Debug)]
pub struct Rules {
    pub board: Board,
    pub topology: Topology,
    pub counters: Vec<Counter>,
    /// By hex: the directions in which a river separates it from its neighbour.
    pub rivers: Vec<u8>,
    /// The two hexes of each bridge, by number.
    pub bridges: Vec<[HexId; 2]>,
}

impl Rules {
    /// A board of columns numbered from the south, with this many counters of each side. The last counter of each side
    /// is a gun.
    pub fn new(columns: u16, rows: u16, each: u16) -> Rules {
        let sheet = Sheet {
            prefix: String::new(),
            also: Vec::new(),
            lines: (1, columns),
            places: (1, rows),
            origin: Hex::ORIGIN,
            turned: false,
        };
        let (lines, places) = ((Compass::E, Figures::TwoDigits), (Compass::N, Figures::TwoDigits));
        let labels = Labels::new(Orientation::Flat, lines, places, Parity::Odd, vec![sheet]);
        Rules::on(labels.expect("the numbers are small"), each)
    }

    /// A board with these labels.
    pub fn on(labels: Labels, each: u16) -> Rules {
        let board = Board::full(labels).expect("the labels are sound");
        let topology = Topology::new(&board, &board.all());
        let counter = |n| Counter { side: Side::ALL[usize::from(n / each)], gun: n % each == each - 1 };
        Rules {
            rivers: vec![0; board.len()],
            topology,
            board,
            counters: (0..2 * each).map(counter).collect(),
            bridges: Vec::new(),
        }
    }

    pub fn hex(&self, label: &str) -> HexId {
        self.board.find(label).expect("the board has it")
    }

    pub fn river(&mut self, a: HexId, b: HexId, bridge: bool) {
        for (from, to) in [(a, b), (b, a)] {
            let direction = self.topology.direction(from, to).expect("they are neighbours");
            self.rivers[from.index()] |= 1 << direction.index();
        }
        if bridge {
            self.bridges.push([a, b]);
        }
    }

    /// The directions in which no river without an intact bridge bars ZOC.
    pub fn open(&self, field: &Toy, hex: HexId) -> u8 {
        let mut open = !self.rivers[hex.index()] & 0x3F;
        for (n, ends) in self.bridges.iter().enumerate().filter(|(_, ends)| ends.contains(&hex)) {
            let other = if ends[0] == hex { ends[1] } else { ends[0] };
            if let Some(direction) = self.topology.direction(hex, other)
                && field.bridge(n).intact()
            {
                open |= 1 << direction.index();
            }
        }
        open
    }

    pub fn put(&self, field: &mut Toy, unit: u16, at: Place) {
        board::put(self, field, UnitId(unit), at);
    }

    pub fn rout(&self, field: &mut Toy, unit: u16, routed: bool) {
        field.unit_mut(UnitId(unit)).routed = routed;
        if let Some(hex) = field.unit(UnitId(unit)).hex() {
            board::reassess(self, field, hex);
        }
    }

    pub fn blow(&self, field: &mut Toy, bridge: usize, blown: bool) {
        field.bridge_mut(bridge).blown = blown;
        for hex in self.bridges[bridge] {
            board::reassess(self, field, hex);
        }
    }

    /// The sets as computed from scratch.
    pub fn afresh(&self, field: &Toy) -> Toy {
        let mut fresh = *field;
        board::refresh_all(self, &mut fresh, (0..self.counters.len() as u16).map(UnitId));
        fresh
    }
}

impl System for Rules {
    type Side = Side;
    type Unit = Unit;
    type Bridge = Bridge;

    fn topology(&self) -> &Topology {
        &self.topology
    }

    fn side_of(&self, unit: UnitId) -> Side {
        self.counters[unit.index()].side
    }

    fn zoc_reach(&self, field: &Toy, unit: UnitId, hex: HexId) -> u8 {
        match (field.unit(unit).routed, self.open(field, hex)) {
            (true, _) => 0,
            (false, 0x3F) => FULL_ZOC,
            (false, some) => some,
        }
    }

    fn forms_bonds(&self, field: &Toy, unit: UnitId, _: HexId) -> bool {
        !self.counters[unit.index()].gun && !field.unit(unit).routed
    }

    fn bond_axes(&self, field: &Toy, hex: HexId) -> u8 {
        let open = self.open(field, hex);
        open & open >> 3 & 7
    }

    fn bond_sides(&self, _: &Toy, _: HexId) -> u8 {
        0x3F
    }
}

pub fn empty() -> Toy {
    Field::empty()
}

/// Pseudo-random numbers that are the same every time.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    pub fn hex(&mut self, set: &HexSet) -> HexId {
        let at = self.below(set.len());
        set.iter().nth(at).expect("there are as many as that")
    }

    pub fn direction(&mut self) -> Direction {
        Direction::from_index(self.below(6))
    }
}
