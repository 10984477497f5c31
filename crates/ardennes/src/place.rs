//! Where a unit is: a hex, an off-map box, or one of the places where units wait or end up.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::pack::{BoxId, EntryId};

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Hex(HexId),
    /// An Off-Map Box (11.9, 13.5).
    Box(BoxId),
    /// The Blocking Position of an Entry Hex (13.4).
    Blocking(EntryId),
    /// The Antwerp Box (11.9, 27.3).
    Antwerp,
    /// Left the map permanently: German units that count for victory (11.9, 31.2).
    Exited,
    /// On the Turn Record Track: not due yet.
    Track,
    /// Due but not yet on the map: enters in this Movement Phase or a later one (13.1).
    Due,
    /// At-start unit that its owner still has to set up (31.1).
    SetUp,
    /// Breakdown unit or Remnant in its pool.
    Pool,
    /// Eliminated; may return through replacements (25.2).
    Dead,
    /// Out of the game: surrendered (23.7), never arrived (27.7), not in this scenario.
    Gone,
}

impl Place {
    pub fn hex(self) -> Option<HexId> {
        if let Place::Hex(hex) = self { Some(hex) } else { None }
    }
}

/// [`Place`] packed into two bytes: values below `BOX` are hexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PackedPlace(u16);

const BOX: u16 = 0xF000;
const BLOCKING: u16 = 0xF100;
const OTHER: u16 = 0xF200;
const ANTWERP: u16 = OTHER | 1;
const EXITED: u16 = OTHER | 2;
const DUE: u16 = OTHER | 4;

impl From<Place> for PackedPlace {
    #[inline]
    fn from(place: Place) -> Self {
        PackedPlace(match place {
            Place::Hex(hex) => hex.0,
            Place::Box(id) => BOX | u16::from(id.0),
            Place::Blocking(id) => BLOCKING | u16::from(id.0),
            Place::Gone => OTHER,
            Place::Antwerp => ANTWERP,
            Place::Exited => EXITED,
            Place::Track => OTHER | 3,
            Place::Due => DUE,
            Place::SetUp => OTHER | 5,
            Place::Pool => OTHER | 6,
            Place::Dead => OTHER | 7,
        })
    }
}

impl From<PackedPlace> for Place {
    fn from(packed: PackedPlace) -> Self {
        let low = (packed.0 & 0xFF) as u8;
        match packed.0 {
            ..BOX => Place::Hex(HexId(packed.0)),
            BOX..BLOCKING => Place::Box(BoxId(low)),
            BLOCKING..OTHER => Place::Blocking(EntryId(low)),
            _ => match low {
                1 => Place::Antwerp,
                2 => Place::Exited,
                3 => Place::Track,
                4 => Place::Due,
                5 => Place::SetUp,
                6 => Place::Pool,
                7 => Place::Dead,
                _ => Place::Gone,
            },
        }
    }
}

impl PackedPlace {
    pub const GONE: Self = PackedPlace(OTHER);

    /// The hex, if it is one.
    #[inline]
    pub const fn hex(self) -> Option<HexId> {
        if self.0 < BOX { Some(HexId(self.0)) } else { None }
    }
}

impl PackedPlace {
    /// A hex, an Off-Map Box, a Blocking Position, or due.
    #[inline]
    pub const fn may_come_or_stand(self) -> bool {
        self.0 < OTHER || self.0 == DUE
    }

    /// On the map, still to arrive, in Antwerp, or exited.
    pub const fn in_game(self) -> bool {
        self.may_come_or_stand() || self.0 == ANTWERP || self.0 == EXITED
    }
}

impl Default for PackedPlace {
    fn default() -> Self {
        Self::GONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_survives_packing() {
        let places = [
            Place::Hex(HexId(0)),
            Place::Hex(HexId(3071)),
            Place::Box(BoxId(4)),
            Place::Blocking(EntryId(9)),
            Place::Antwerp,
            Place::Exited,
            Place::Track,
            Place::Due,
            Place::SetUp,
            Place::Pool,
            Place::Dead,
            Place::Gone,
        ];
        for place in places {
            assert_eq!(Place::from(PackedPlace::from(place)), place);
        }
    }
}
