//! Small dense ids and the enums that all parts of a pack share.
//!
//! Strings are used only while a pack is loaded; afterwards everything is an index or an enum.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Index into [`Pack::units`](super::Pack::units).
pub use zocbond::UnitId;

/// Index into [`Pack::formations`](super::Pack::formations).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormationId(pub u8);

/// Index into [`Pack::corps`](super::Pack::corps).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CorpsId(pub u8);

/// Index into [`Pack::pools`](super::Pack::pools): a kind of Breakdown unit or of Remnant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PoolId(pub u8);

/// Index into [`Pack::entries`](super::Pack::entries): the Entry Hexes A to M, in that order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub u8);

/// Index into [`Pack::boxes`](super::Pack::boxes): the Off-Map Boxes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoxId(pub u8);

/// Index into [`Pack::areas`](super::Pack::areas): German division set-up areas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AreaId(pub u8);

/// Index into [`Pack::optional_groups`](super::Pack::optional_groups).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GroupId(pub u8);

/// Units of one regiment or brigade share it (one Strategic Movement marker, 12.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RegimentId(pub u16);

macro_rules! index {
    ($($id:ident),*) => {$(
        impl $id {
            /// The id as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index!(FormationId, CorpsId, PoolId, EntryId, BoxId, AreaId, GroupId, RegimentId);

/// The two sides. The Allied side is US and British together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    German,
    Allied,
}

impl Side {
    /// Both sides, in the order of their player turns.
    pub const ALL: [Self; 2] = [Self::German, Self::Allied];

    /// The other side.
    pub const fn enemy(self) -> Self {
        match self {
            Self::German => Self::Allied,
            Self::Allied => Self::German,
        }
    }

    /// 0 for the German, 1 for the Allied side.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl zocbond::Side for Side {
    const ALL: [Self; 2] = Side::ALL;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }

    #[inline]
    fn enemy(self) -> Self {
        Side::enemy(self)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::German => "german",
            Self::Allied => "allied",
        })
    }
}

/// The edition of the rules. Index 0 is the 2nd edition, the base text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Edition {
    #[default]
    #[serde(rename = "2e")]
    Second,
    #[serde(rename = "1e")]
    First,
}

impl Edition {
    pub const ALL: [Self; 2] = [Self::Second, Self::First];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// `"2e"` or `"1e"`, as used in files and the lab.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Second => "2e",
            Self::First => "1e",
        }
    }

    /// The edition that a text names: its key, or `2`, `2nd`, `second` and so on.
    pub fn named(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "2e" | "2" | "2nd" | "second" => Some(Self::Second),
            "1e" | "1" | "1st" | "first" => Some(Self::First),
            _ => None,
        }
    }
}

/// A hex by its printed number: columns counted from the east, rows from the south.
///
/// The West map continues the East map (W column = E column − 32), so one pair of numbers names
/// every hex of both: `W1522` is column 47.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HexRef {
    /// Column on the continued East grid, from 1.
    pub col: u8,
    /// Row, from 1.
    pub row: u8,
}

/// W column = E column − this.
pub const WEST_COLUMN_SHIFT: u8 = 32;

/// The last column printed on the East map; hexes beyond it are written with a W.
pub const LAST_EAST_COLUMN: u8 = 39;

impl HexRef {
    pub const fn new(col: u8, row: u8) -> Self {
        Self { col, row }
    }

    /// Whether the hex is written with an E (it lies on the East map).
    pub const fn is_east(self) -> bool {
        self.col <= LAST_EAST_COLUMN
    }
}

impl fmt::Display for HexRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_east() {
            write!(f, "E{:02}{:02}", self.col, self.row)
        } else {
            write!(f, "W{:02}{:02}", self.col - WEST_COLUMN_SHIFT, self.row)
        }
    }
}

/// A hex number that is not `E1234`, `W1234` or `1234`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a hex number (E or W, then column and row as four digits)")]
pub struct BadHex(pub String);

impl FromStr for HexRef {
    type Err = BadHex;

    fn from_str(s: &str) -> Result<Self, BadHex> {
        let bad = || BadHex(s.to_owned());
        let (shift, digits) = match s.as_bytes().first() {
            Some(b'E') => (0, &s[1..]),
            Some(b'W') => (WEST_COLUMN_SHIFT, &s[1..]),
            _ => (0, s),
        };
        if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        let col: u8 = digits[..2].parse().map_err(|_| bad())?;
        let row: u8 = digits[2..].parse().map_err(|_| bad())?;
        if col == 0 || row == 0 || col + shift > 99 {
            return Err(bad());
        }
        Ok(Self::new(col + shift, row))
    }
}

impl<'de> Deserialize<'de> for HexRef {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for HexRef {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// Where a value comes from. Stated facts win over reported ones, reported over estimates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Stated by a rulebook, for this unit or for its class.
    Rules,
    /// Seen in a play report.
    Report,
    /// The project's own estimate, by the method of `docs/ardennes44-oob.md`.
    #[default]
    Estimate,
    /// Read from the printed game by a player (overlays).
    Printed,
}
