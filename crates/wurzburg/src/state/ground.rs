//! Markers of hexes, and river hexsides in play.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::{
    pack::Purse,
    units::{Side, UnitId},
};

/// A minefield marker (37.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mine {
    #[default]
    None,
    Real,
    Dummy,
}

/// Markers of a hex that has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexMark {
    pub hex: HexId,
    /// 6.2.2, 35.0
    pub improved: Option<Side>,
    /// 6.2.3, 36.0
    pub obstacle: bool,
    /// 6.3.3
    pub smoke: bool,
    /// 6.2.4, 37.0
    pub mine: Mine,
    pub mine_owner: Side,
    /// Both sides know that it is real.
    pub mine_known: bool,
    /// 6.3.5: the centre of a Gas Zone (44.3).
    pub gas_persistent: bool,
    pub gas_non_persistent: bool,
}

impl HexMark {
    pub const fn new(hex: HexId) -> HexMark {
        HexMark {
            hex,
            improved: None,
            obstacle: false,
            smoke: false,
            mine: Mine::None,
            mine_owner: Side::Wp,
            mine_known: false,
            gas_persistent: false,
            gas_non_persistent: false,
        }
    }

    pub fn empty(&self) -> bool {
        *self == HexMark { mine_owner: self.mine_owner, ..HexMark::new(self.hex) }
    }
}

/// Set charges of a civil bridge (38.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charges {
    #[default]
    Ready,
    Spent,
    /// A real WP unit has crossed (38.1.2).
    Cut,
}

/// 38.5.2, 38.0: a river hexside in play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossing {
    pub blown: bool,
    pub charges: Charges,
    /// Engineer charges were tried in this phase (38.2).
    pub tried: bool,
    /// 38.1.2: a real WP unit has crossed the civil bridge.
    pub crossed: bool,
    /// 6.2.1, 34.0, 34.5: the nation whose Bridging Point is in the military bridge here.
    pub military: Option<Purse>,
    /// 34.3
    pub engineer: Option<UnitId>,
}

impl Crossing {
    /// The side that built the military bridge here (34.5).
    pub fn builder(&self) -> Option<Side> {
        self.military.map(Purse::side)
    }

    /// 38.1.2: a real WP unit crosses the civil bridge and cuts the wires of charges that were not tried.
    pub fn cross(&mut self) {
        self.crossed = true;
        if self.charges == Charges::Ready {
            self.charges = Charges::Cut;
        }
    }
}
