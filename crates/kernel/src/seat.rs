//! Who sits at the table, and who looks on.

use serde::{Deserialize, Serialize};

/// A side's chair, numbered in the game's own order (0, 1, …). Its name is in [`crate::SeatInfo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The other chair of a two-player game.
    pub const fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }
}

/// A set of seats, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct SeatSet(pub u8);

impl SeatSet {
    pub const fn one(seat: Seat) -> Self {
        SeatSet(1 << seat.0)
    }
    pub const fn with(self, seat: Seat) -> Self {
        SeatSet(self.0 | 1 << seat.0)
    }
    pub const fn without(self, seat: Seat) -> Self {
        SeatSet(self.0 & !(1 << seat.0))
    }
    pub const fn contains(self, seat: Seat) -> bool {
        // A seat may come from outside, with any number.
        seat.0 < 8 && self.0 >> seat.0 & 1 == 1
    }
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The seats that are in both.
    pub const fn and(self, other: SeatSet) -> Self {
        SeatSet(self.0 & other.0)
    }
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat).filter(move |s| self.contains(*s))
    }
}

/// Through whose eyes a position is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Viewer {
    /// A player: what this seat may know.
    Seat(Seat),
    /// A guest: only what both sides may know.
    Spectator,
    /// Everything: tests, and replays of finished games.
    Referee,
}

impl Viewer {
    /// May this viewer know what is secret to `owner`?
    pub fn knows(self, owner: Seat) -> bool {
        match self {
            Viewer::Seat(seat) => seat == owner,
            Viewer::Spectator => false,
            Viewer::Referee => true,
        }
    }
}
