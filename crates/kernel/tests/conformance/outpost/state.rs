//! The complete state, as plain data.

use kernel::{Seat, SeatSet, Standing};
use serde::{Deserialize, Serialize};

use super::action::Order;

pub const RED: Seat = Seat(0);
pub const BLUE: Seat = Seat(1);
pub const LAST_TURN: u8 = 6;
/// 2.4
pub const SHELLS: u8 = 3;
const COLUMNS: u8 = 5;
const ROWS: u8 = 4;

/// A cell by its dense number; written `b3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell(pub u8);

impl Cell {
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..COLUMNS * ROWS).map(Cell)
    }

    pub fn column(self) -> u8 {
        self.0 % COLUMNS
    }

    pub fn row(self) -> u8 {
        self.0 / COLUMNS
    }

    pub fn name(self) -> String {
        format!("{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }

    pub fn parse(text: &str) -> Option<Cell> {
        Cell::all().find(|cell| cell.name() == text)
    }

    pub fn beside(self, other: Cell) -> bool {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row()) == 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// None: removed, or not in play.
    pub cell: Option<Cell>,
    pub decoy: bool,
    /// 2.2: known to both sides.
    pub shown: bool,
    /// 4.3: has been scouted, which both sides know; and the scouts have found out what it is, which only they know.
    pub scouted: bool,
    pub found_out: bool,
    pub moved: bool,
    pub fought: bool,
}

/// The position in the sequence of play. The last frame is what is decided now; an interrupt pushes one and pops it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// 2.1: a side that has not yet named its decoy has none among its pieces.
    Decoys,
    Orders,
    Actions(Seat),
    /// 5: `by` may fire at `mover`, which wants to go on to `rest`.
    Ambush {
        by: Seat,
        mover: u8,
        rest: Vec<Cell>,
    },
    /// 8: either side may draw back a piece, in any order; `done` says who has.
    DrawBack {
        done: [bool; 2],
    },
    Over,
}

/// What a standing answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topic {
    /// 5.3: ambush fire in this turn.
    Ambush,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub turn: u8,
    pub frames: Vec<Frame>,
    pub orders: [Option<Order>; 2],
    /// Red's four, then Blue's four.
    pub pieces: [Piece; 8],
    /// 2.1: who has named its decoy.
    pub named: [bool; 2],
    /// 2.4
    pub shells: [u8; 2],
    /// 5.3
    pub standing: Standing<Topic>,
}

impl State {
    pub fn start() -> State {
        let at = |column: u8, row: u8| Cell(row * COLUMNS + column);
        let piece = |n: usize| Piece {
            cell: Some(at(n as u8 % 4, if n < 4 { 0 } else { ROWS - 1 })),
            decoy: false,
            shown: false,
            scouted: false,
            found_out: false,
            moved: false,
            fought: false,
        };
        State {
            turn: 1,
            frames: vec![Frame::Decoys],
            orders: [None, None],
            pieces: std::array::from_fn(piece),
            named: [false, false],
            shells: [SHELLS; 2],
            standing: Standing::default(),
        }
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().unwrap_or(&Frame::Over)
    }

    /// Who must decide now.
    pub fn awaited(&self) -> SeatSet {
        let without = |done: [bool; 2]| {
            let seats = [RED, BLUE].into_iter().filter(|s| !done[usize::from(s.0)]);
            seats.fold(SeatSet::default(), SeatSet::with)
        };
        match self.frame() {
            Frame::Decoys => without(self.named),
            Frame::Orders => without(self.orders.map(|o| o.is_some())),
            Frame::Actions(seat) => SeatSet::one(*seat),
            Frame::Ambush { by, .. } => SeatSet::one(*by),
            Frame::DrawBack { done } => without(*done),
            Frame::Over => SeatSet::default(),
        }
    }

    pub fn owner(piece: u8) -> Seat {
        if piece < 4 { RED } else { BLUE }
    }

    pub fn piece_name(piece: u8) -> String {
        format!("{}{}", if piece < 4 { 'r' } else { 'b' }, piece % 4 + 1)
    }

    pub fn parse_piece(text: &str) -> Option<u8> {
        (0..8).find(|p| State::piece_name(*p) == text)
    }

    pub fn piece(&self, piece: u8) -> &Piece {
        &self.pieces[usize::from(piece)]
    }

    pub fn piece_mut(&mut self, piece: u8) -> &mut Piece {
        &mut self.pieces[usize::from(piece)]
    }

    pub fn of(seat: Seat) -> std::ops::Range<u8> {
        seat.0 * 4..seat.0 * 4 + 4
    }

    /// This side's pieces in a cell.
    pub fn at(&self, seat: Seat, cell: Cell) -> impl Iterator<Item = u8> + '_ {
        State::of(seat).filter(move |p| self.piece(*p).cell == Some(cell))
    }

    /// 5.3: what bears on an answer given in advance: which pieces this side still has.
    pub fn standing_with(&self, seat: Seat) -> Vec<u8> {
        State::of(seat).filter(|p| self.piece(*p).cell.is_some()).collect()
    }

    pub fn troops(&self, seat: Seat) -> usize {
        State::of(seat).filter(|p| self.piece(*p).cell.is_some() && !self.piece(*p).decoy).count()
    }
}
