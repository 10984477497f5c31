//! The combat being fought. There is one at a time: a Breakthrough Combat starts when the one before is over.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::{
    action::{Attackers, Supporters},
    list::List,
    pack::{AdvanceKind, CombatResult, Side, StateAfter, UnitId},
};

/// Defenders of one hex: 3 SP, 2 tanks, artillery, and Engineers on top (8.3, 13.2).
pub type Defenders = List<UnitId, 12>;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combat {
    pub attacker: Side,
    pub target: HexId,
    /// Those who still live, in the order they were named.
    pub attackers: Attackers,
    pub defenders: Defenders,
    pub artillery: Supporters,
    pub defensive_artillery: Supporters,
    pub air: bool,
    pub surprise: bool,
    /// Shifts decided by dice so far: positive to the right.
    pub rolled_shift: i8,
    /// The attack comes out of a Blocking Position (13.8).
    pub from_blocking: bool,
    pub breakthrough: bool,
    /// Which side had the Armor Shift (21.1): it loses a qualifying tank in an EX (16.3).
    pub armor_shift: Option<Side>,
    pub result: Option<CombatResult>,
    /// Lead Units of Fire Fight and Determined Defense; `u16::MAX` for none.
    pub attack_lead: Lead,
    pub defense_lead: Lead,
    pub retreat: u8,
    pub state_after: StateAfter,
    pub advance: AdvanceKind,
    pub breakthrough_allowed: bool,
    /// Units that have still to retreat.
    pub retreating: Defenders,
    /// 16.74, EX: the hex was emptied by losses.
    pub emptied: bool,
}

/// A unit or none, with a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lead(u16);

impl Lead {
    pub const NONE: Lead = Lead(u16::MAX);

    pub fn get(self) -> Option<UnitId> {
        (self != Self::NONE).then_some(UnitId(self.0))
    }
}

impl From<UnitId> for Lead {
    fn from(unit: UnitId) -> Lead {
        Lead(unit.0)
    }
}

impl Default for Combat {
    fn default() -> Self {
        Combat {
            attacker: Side::German,
            target: HexId::NONE,
            attackers: List::new(),
            defenders: List::new(),
            artillery: List::new(),
            defensive_artillery: List::new(),
            air: false,
            surprise: false,
            rolled_shift: 0,
            from_blocking: false,
            breakthrough: false,
            armor_shift: None,
            result: None,
            attack_lead: Lead::NONE,
            defense_lead: Lead::NONE,
            retreat: 0,
            state_after: StateAfter::Unchanged,
            advance: AdvanceKind::None,
            breakthrough_allowed: false,
            retreating: List::new(),
            emptied: false,
        }
    }
}
