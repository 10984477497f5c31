//! What a player may act with: step one of choosing.

use hexgrid::HexId;

use crate::pack::UnitId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The phase or step itself: done, hold fire, give way …
    Phase,
    Unit(UnitId),
    /// A hex: the target of an attack, a place for a marker.
    Hex(HexId),
    /// A bridge by its index on the map.
    Bridge(u16),
}
