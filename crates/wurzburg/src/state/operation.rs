//! The current operation.

use hexgrid::{HexId, SideId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::units::{FormationId, OpKind, Side, UnitId, UnitSet};

/// 13.1: the variant of a Hasty Attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    #[default]
    Plain,
    /// 41.4
    Gegenangriff,
    /// 42.0
    Overrun,
    /// 43.0
    Close,
}

impl Variant {
    pub const fn key(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::Gegenangriff => "gegenangriff",
            Variant::Overrun => "overrun",
            Variant::Close => "close",
        }
    }
}

/// One regiment or task force of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The regiment, or the brigade or battalion of the task force.
    pub formation: FormationId,
    /// Hex of the Lead Unit marker.
    pub lead: HexId,
    pub members: UnitSet,
}

/// The current operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub kind: OpKind,
    pub variant: Variant,
    pub side: Side,
    /// The March of a division base or of NATO units: no Lead Unit.
    pub base: bool,
    /// 29.3: declared airmobile.
    pub airmobile: bool,
    pub groups: SmallVec<[Group; 2]>,
    /// All participants (13.0).
    pub members: UnitSet,
    pub objective: HexId,
    /// The objective was declared, found empty and kept (13.5.3).
    pub kept: bool,
    /// The group that moves now (13.4).
    pub group: u8,
    /// Units that started within 3 hexes of the Lead Unit marker (12.3.2.1).
    pub near_lead: UnitSet,
    /// Units that started adjacent to an enemy.
    pub began_adjacent: UnitSet,
    /// Units that have moved.
    pub moved: UnitSet,
    /// Units that may not move any more (16.1.3).
    pub done: UnitSet,
    /// Units that ended their move by protected movement (16.3.1).
    pub sheltered: UnitSet,
    /// 16.6.2: where a NATO March converges.
    pub rally: HexId,
    /// The Objective Hex was reinforced (19.5).
    pub reacted: bool,
    /// Units that left the Objective Hex by retreat.
    pub retreated: UnitSet,
    pub retreat_elected: bool,
    /// Units that made Offensive Fire.
    pub fired: UnitSet,
    /// 41.4 succeeded.
    pub reversed: bool,
    /// 39.2
    pub no_reaction: bool,
    pub max_artillery: u8,
    pub max_ah: u8,
    /// Units that answered the Fire Call (21.2).
    pub called: UnitSet,
    pub calling_hq: Option<UnitId>,
    /// Steps that have fired in this step, by counter (18.7.3).
    pub spent: SmallVec<[(UnitId, u8); 8]>,
    /// Hexes fired at in this step.
    pub shot: SmallVec<[HexId; 6]>,
    /// Rounds of point-blank fire (42.0, 43.0).
    pub rounds: u8,
    /// 42.0: the overrunning force; 43.0: the units that entered.
    pub storming: UnitSet,
    /// The hex it came from.
    pub from: HexId,
    pub charging: bool,
    /// 43.0: hexes adjacent to the objective that the attackers held when they stormed it.
    pub havens: SmallVec<[HexId; 6]>,
    /// 41.2: the force that cavalry may screen, and the cavalry that must retreat.
    pub screened: UnitSet,
    pub screening: UnitSet,
    /// 41.2.1: units of forces that cavalry has tried to screen as they moved.
    pub tried: UnitSet,
    /// 41.2.2: units that were stopped by a screen; they do not go into the hex that the cavalry left.
    pub stopped: UnitSet,
    /// 41.2.6: cavalry that has tried to screen a retreat: no Retreat Fire.
    pub screeners: UnitSet,
    /// The current index in the list of steps.
    pub step: u8,
    /// 29.6.5: Offensive Fire at an empty city scored a hit.
    pub city_hit: bool,
    /// A unit advanced (18.5.3).
    pub advanced: bool,
    /// 18.5.1: gave steps to a unit that advances, and so stays.
    pub gave: UnitSet,
    /// 18.5.1: were given steps in order to advance, and have not yet done so.
    pub pledged: UnitSet,
    /// 13.3: at least one participant was next to the objective at the end of movement.
    pub observed: bool,
    /// 21.3.2: HQs for which a participant observed the objective at the end of movement.
    pub call_hqs: UnitSet,
    /// 38.3.2: the objective is a bridge that an enemy engineer maintains; its marker is in the Objective Hex.
    pub bridge: Option<SideId>,
    /// 17.4: engineers that ferry, with the steps that each can still carry.
    pub ferries: SmallVec<[(UnitId, u8); 2]>,
    /// 17.5: engineers that help an Amphibious Crossing.
    pub assisting: UnitSet,
    /// 17.5: the crossing site, and how many steps may still cross.
    pub site: HexId,
    pub landing: u8,
}
