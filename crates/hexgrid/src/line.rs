//! Straight lines from hex centre to hex centre, in integer arithmetic.
//!
//! A line enters hexes, but it may also run exactly along a hexside, or pass exactly through a vertex from one hex to
//! the next and touch a third. Rules on lines of sight distinguish these cases, so they must be detected without
//! rounding.
//!
//! Let `c` be the direction nearest to the line and `a`, `b` the rates at which it advances towards the sides left and
//! right of that one; it then advances at `a + b` towards side `c` itself, and every hex is left through one of these
//! three sides. One integer (the deviation of the hex from the line) decides which.

use crate::{Board, Direction, Hex, HexId, Hexside, SideId, Vertex};

/// How a line continues from a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Across the side in this direction.
    Cross(Direction),
    /// Through a vertex into the hex in direction `into`; the hex in direction `touched`, a neighbour of both, is met
    /// in that one point only.
    Corner { into: Direction, touched: Direction },
    /// Along the whole side between the neighbours in these two directions and into the hex beyond, which lies one
    /// step in each.
    Along { left: Direction, right: Direction },
}

/// The moves of a line, without the hexes: the core of [`Line`] and [`BoardLine`].
#[derive(Clone, Debug)]
pub struct Moves {
    centre: Direction,
    /// Rates of advance towards the sides left and right of `centre`.
    left: i32,
    right: i32,
    /// The hex's deviation from the line: its advance to the left times `right`, minus the reverse.
    deviation: i32,
    /// The remaining distance to the last hex, measured towards the side `centre`.
    ahead: i32,
}

impl Moves {
    pub fn new(from: Hex, to: Hex) -> Moves {
        let q = i32::from(to.q) - i32::from(from.q);
        let r = i32::from(to.r) - i32::from(from.r);
        let s = -q - r;
        // Advance towards the sides D0, D1, D2, where a whole step in that direction is 2.
        let rates = [s - r, q - r, q - s];
        let towards = |direction: Direction| {
            let rate = rates[direction.index() % 3];
            if direction.index() < 3 { rate } else { -rate }
        };
        let mut centre = Direction::D0;
        for direction in Direction::ALL {
            if towards(direction) > towards(centre) {
                centre = direction;
            }
        }
        Moves {
            centre,
            left: towards(centre.counter_clockwise()),
            right: towards(centre.clockwise()),
            deviation: 0,
            ahead: towards(centre),
        }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.ahead <= 0 {
            return None;
        }
        let (centre, a, b) = (self.centre, self.left, self.right);
        let (left, right) = (centre.counter_clockwise(), centre.clockwise());
        // A step ahead advances 1 to each side; one to the left 2 to the left and -1 to the right.
        Some(if self.deviation < -b {
            self.deviation += 2 * b + a;
            self.ahead -= 1;
            Move::Cross(left)
        } else if self.deviation > a {
            self.deviation -= 2 * a + b;
            self.ahead -= 1;
            Move::Cross(right)
        } else if self.deviation == -b && b == 0 {
            self.ahead -= 3;
            Move::Along { left, right: centre }
        } else if self.deviation == a && a == 0 {
            self.ahead -= 3;
            Move::Along { left: centre, right }
        } else {
            let touched = if self.deviation == -b {
                Some(left)
            } else if self.deviation == a {
                Some(right)
            } else {
                None
            };
            self.deviation += b - a;
            self.ahead -= 2;
            match touched {
                Some(touched) => Move::Corner { into: centre, touched },
                None => Move::Cross(centre),
            }
        })
    }
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineStep {
    /// Runs through the inside of a hex.
    Hex(Hex),
    /// Runs along a whole hexside, with these hexes to its left and right.
    Along { side: Hexside, left: Hex, right: Hex },
    /// Passes through a vertex between the hexes before and after, and touches a third.
    Vertex { vertex: Vertex, touched: Hex },
}

/// The parts of a line in order; the first and the last are the hexes at its ends.
#[derive(Clone, Debug)]
pub struct Line {
    moves: Moves,
    here: Hex,
    next: Option<Hex>,
}

impl Line {
    pub fn new(from: Hex, to: Hex) -> Line {
        Line { moves: Moves::new(from, to), here: from, next: Some(from) }
    }

    /// Only the hexes whose inside the line runs through.
    pub fn hexes(self) -> impl Iterator<Item = Hex> {
        self.filter_map(|step| match step {
            LineStep::Hex(hex) => Some(hex),
            _ => None,
        })
    }
}

impl Iterator for Line {
    type Item = LineStep;

    #[inline]
    fn next(&mut self) -> Option<LineStep> {
        if let Some(hex) = self.next.take() {
            self.here = hex;
            return Some(LineStep::Hex(hex));
        }
        let here = self.here;
        Some(match self.moves.next()? {
            Move::Cross(direction) => {
                self.here = here.neighbour(direction);
                LineStep::Hex(self.here)
            }
            Move::Corner { into, touched } => {
                self.next = Some(here.neighbour(into));
                LineStep::Vertex {
                    vertex: corner_between(here, into, touched),
                    touched: here.neighbour(touched),
                }
            }
            Move::Along { left, right } => {
                let left_hex = here.neighbour(left);
                self.next = Some(left_hex.neighbour(right));
                LineStep::Along {
                    side: Hexside::new(left_hex, left.rotate(2)),
                    left: left_hex,
                    right: here.neighbour(right),
                }
            }
        })
    }
}

/// The corner of a hex between two directions next to each other.
#[inline]
fn corner_between(hex: Hex, a: Direction, b: Direction) -> Vertex {
    Vertex::new(hex, if a.clockwise() == b { a } else { b })
}

/// A part of a line on a board. What is off the board is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardLineStep {
    /// Runs through the inside of a hex, entered across the side `across` (`None` for the first hex and
    /// after a vertex or a hexside).
    Hex { hex: Option<HexId>, across: Option<SideId> },
    /// Runs along a whole hexside, with these hexes to its left and right.
    Along { side: Option<SideId>, left: Option<HexId>, right: Option<HexId> },
    /// Passes through a vertex between the hexes before and after, and touches a third.
    Vertex { vertex: Vertex, touched: Option<HexId> },
}

/// The parts of a line over a board in order; see [`Board::line`].
#[derive(Clone, Debug)]
pub struct BoardLine<'a> {
    board: &'a Board,
    moves: Moves,
    here: Hex,
    id: Option<HexId>,
    next: Option<Hex>,
}

impl Board {
    /// The exact line between the centres of two hexes.
    pub fn line(&self, from: HexId, to: HexId) -> BoardLine<'_> {
        let (here, there) = (self.hex(from), self.hex(to));
        let moves = Moves::new(here, there);
        BoardLine { board: self, moves, here, id: Some(from), next: Some(here) }
    }
}

impl BoardLine<'_> {
    #[inline]
    fn neighbour(&self, direction: Direction) -> Option<HexId> {
        match self.id {
            Some(id) => self.board.neighbour(id, direction),
            None => self.board.id(self.here.neighbour(direction)),
        }
    }
}

impl Iterator for BoardLine<'_> {
    type Item = BoardLineStep;

    #[inline]
    fn next(&mut self) -> Option<BoardLineStep> {
        if let Some(hex) = self.next.take() {
            self.here = hex;
            self.id = self.board.id(hex);
            return Some(BoardLineStep::Hex { hex: self.id, across: None });
        }
        Some(match self.moves.next()? {
            Move::Cross(direction) => {
                let (before, after) = (self.id, self.neighbour(direction));
                let across = match (before, after) {
                    (Some(before), _) => Some(self.board.side(before, direction)),
                    (None, Some(after)) => Some(self.board.side(after, direction.opposite())),
                    (None, None) => None,
                };
                self.here = self.here.neighbour(direction);
                self.id = after;
                BoardLineStep::Hex { hex: after, across }
            }
            Move::Corner { into, touched } => {
                self.next = Some(self.here.neighbour(into));
                BoardLineStep::Vertex {
                    vertex: corner_between(self.here, into, touched),
                    touched: self.neighbour(touched),
                }
            }
            Move::Along { left, right } => {
                let left_hex = self.here.neighbour(left);
                self.next = Some(left_hex.neighbour(right));
                BoardLineStep::Along {
                    side: self.board.side_id(Hexside::new(left_hex, left.rotate(2))),
                    left: self.neighbour(left),
                    right: self.neighbour(right),
                }
            }
        })
    }
}
