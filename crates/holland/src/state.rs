//! The whole truth about a game.

use std::ops::Deref;

use hexgrid::{HexId, HexSet, SideId};
use serde::{Deserialize, Serialize};
use zocbond::{Field, Key, Link, List, MarkerAt, Piece, Span, UnitId};

use crate::frame::Frame;
use crate::pack::{Side, Weather};

/// Units of one stack that move or disengage together (8.1, 27.1).
pub type Units = List<UnitId, 12>;

/// The hexes of a move in the order in which they are entered.
pub type Way = List<HexId, 42>;

/// The hexes of a retreat or an advance.
pub type Steps = List<HexId, 8>;

/// The units of both sides of a combat: more than fit around a hex (6.1).
pub type Fighters = List<UnitId, 48>;

/// 8.5.6: ferries used, by bridge, once for each step carried.
pub type Ferried = List<u16, 48>;

/// 8.5.3, 23.3.3: steps that Engineers have carried.
pub type Carried = List<(UnitId, u8), 48>;

/// 23.3.3: Engineers on their Ferry side, and the hexsides at which they point.
pub type Ferries = List<(UnitId, SideId), 48>;

/// 19.3: how many units have entered at a hex.
pub type EnteredAt = List<(HexId, u8), 96>;

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde asks for it
fn is_false(value: &bool) -> bool {
    !value
}

/// Unknown hexes with the counters in them; none for a Garrison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dealt(pub List<(HexId, Option<UnitId>), 32>);

impl Dealt {
    fn is_unused(&self) -> bool {
        self.0.is_empty()
    }

    /// What lies in a hex, if it is known.
    pub fn at(&self, hex: HexId) -> Option<Option<UnitId>> {
        self.0.iter().find(|(at, _)| *at == hex).map(|(_, unit)| *unit)
    }

    /// Is this the unit under one of them?
    pub fn has(&self, unit: UnitId) -> bool {
        self.0.iter().any(|(_, lies)| *lies == Some(unit))
    }

    pub fn garrisons(&self) -> u8 {
        self.0.iter().filter(|(_, unit)| unit.is_none()).count() as u8
    }
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Takes no part in this scenario, or waits in a counter pool.
    #[default]
    Aside,
    /// Due on a later turn.
    Coming,
    /// In the Airlanding pool (22.2).
    Airlanding,
    /// Among the Unknown counters not yet drawn (25.1).
    Unknown,
    Hex(HexId),
    /// In the box of an Entry Area (19.2).
    Box(u8),
    /// In the 406 Holding Box (23.5).
    Holding,
    /// The Dead Pile (11.4).
    Dead,
}

/// Disorganisation (14.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    #[default]
    Good,
    Disrupted,
    FullRetreat,
}

impl Order {
    /// The rule about units in this order.
    pub fn rule(self) -> &'static str {
        match self {
            Order::Good | Order::Disrupted => "14.2",
            Order::FullRetreat => "14.3",
        }
    }
}

/// Markers of a unit, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(pub u32);

impl Marks {
    /// 11.5
    pub const ENGAGED: Marks = Marks(1);
    /// 22.3.6
    pub const SCATTERED: Marks = Marks(1 << 1);
    /// 20.2
    pub const SPENT: Marks = Marks(1 << 2);
    /// 20.4
    pub const REPL: Marks = Marks(1 << 3);
    /// 17.1
    pub const FIRED: Marks = Marks(1 << 4);
    /// 17.2: a gun under a Moved marker.
    pub const GUN_MOVED: Marks = Marks(1 << 5);
    /// Has moved in this Movement Phase.
    pub const MOVED: Marks = Marks(1 << 6);
    /// Has attacked in this Combat Phase.
    pub const ATTACKED: Marks = Marks(1 << 7);
    /// Landed this turn.
    pub const LANDED: Marks = Marks(1 << 8);
    /// Landed on an enemy (22.3.5).
    pub const ON_ENEMY: Marks = Marks(1 << 9);
    /// Retreated in this phase (13.6).
    pub const RETREATED: Marks = Marks(1 << 10);
    /// Fled in this enemy phase (14.3).
    pub const FLED: Marks = Marks(1 << 11);
    /// A Supply Head on its Depleted side (18.3).
    pub const DEPLETED: Marks = Marks(1 << 12);
    /// 23.7: a garrison that is free to leave.
    pub const FREE: Marks = Marks(1 << 13);
    /// Was carried by a ferry or an Engineer, or carried another unit, this phase (8.5).
    pub const CROSSED: Marks = Marks(1 << 14);
    /// Entered the map this turn (18.1).
    pub const ENTERED: Marks = Marks(1 << 15);
    /// Has taken part in the present combat.
    pub const FOUGHT: Marks = Marks(1 << 16);
    /// Has advanced in the present combat (16.2).
    pub const ADVANCED: Marks = Marks(1 << 18);
    /// 8.7
    pub const DISMOUNTED: Marks = Marks(1 << 19);
    /// 9.6: its hex is marked Auto DS; it has no ZOC for the rest of the phase.
    pub const AUTO_DS: Marks = Marks(1 << 20);
    /// Moved more than one hex in this Movement Phase (9.5.3).
    pub const FAR: Marks = Marks(1 << 21);
    /// Advanced more than one hex in the present combat (16.2).
    pub const FAR_AHEAD: Marks = Marks(1 << 22);
    /// 27.1: tried to disengage in this phase.
    pub const TRIED: Marks = Marks(1 << 23);
    /// A piece of a two-faced pool that shows its other face (11.4, 21.1).
    pub const OTHER_FACE: Marks = Marks(1 << 24);
    /// 23.3.3: an Engineer on its Ferry side.
    pub const FERRY: Marks = Marks(1 << 25);

    /// Marks that may affect whether and how a unit moves.
    pub const BEARING_ON_MOVES: Marks = Marks(
        Self::MOVED.0
            | Self::ENGAGED.0
            | Self::ON_ENEMY.0
            | Self::SCATTERED.0
            | Self::SPENT.0
            | Self::FERRY.0
            | Self::DISMOUNTED.0
            | Self::REPL.0,
    );

    pub const fn has(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    pub fn set(&mut self, other: Marks, on: bool) {
        if on {
            self.0 |= other.0;
        } else {
            self.0 &= !other.0;
        }
    }
}

/// A counter in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    at: Place,
    below: Link,
    /// Steps lost, as shown by the counter: 0 is the front.
    pub lost: u8,
    pub order: Order,
    /// Out of Supply: 0, 1 or 2 (18.4).
    pub oos: u8,
    pub marks: Marks,
    /// For a Remnant: the unit that was reduced to it (11.4).
    pub parent: Option<UnitId>,
}

impl Default for Unit {
    fn default() -> Self {
        Unit {
            at: Place::Aside,
            below: Link::NONE,
            lost: 0,
            order: Order::Good,
            oos: 0,
            marks: Marks(0),
            parent: None,
        }
    }
}

impl Unit {
    pub const fn at(&self) -> Place {
        self.at
    }

    pub const fn has(&self, mark: Marks) -> bool {
        self.marks.has(mark)
    }

    pub fn mark(&mut self, mark: Marks, on: bool) {
        self.marks.set(mark, on);
    }

    pub fn good_order(&self) -> bool {
        self.order == Order::Good
    }
}

impl Piece for Unit {
    type Place = Place;

    fn hex(&self) -> Option<HexId> {
        Self::hex_of(self.at)
    }

    fn in_game(&self) -> bool {
        matches!(self.at, Place::Hex(_) | Place::Box(_) | Place::Holding)
    }

    fn below(&self) -> Link {
        self.below
    }

    fn hex_of(place: Place) -> Option<HexId> {
        if let Place::Hex(hex) = place { Some(hex) } else { None }
    }

    fn set_place(&mut self, place: Place, _: Key) {
        self.at = place;
    }

    fn set_below(&mut self, below: Link, _: Key) {
        self.below = below;
    }

    fn clear_markers(&mut self) {
        self.marks = Marks(0);
        (self.order, self.oos) = (Order::Good, 0);
    }
}

/// 5.2
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bridge {
    #[default]
    Intact,
    Wired,
    /// 5.3: wired in the next German Bridge Phase.
    ToBeWired,
    IntactAllied,
    Blown,
    /// The remaining Bridge Phases, and the side that repairs.
    Repair(Side, u8),
}

impl Span for Bridge {
    fn intact(self) -> bool {
        !matches!(self, Bridge::Blown | Bridge::Repair(..))
    }
}

impl zocbond::Side for Side {
    const ALL: [Side; 2] = Side::ALL;

    fn index(self) -> usize {
        Side::index(self)
    }

    fn enemy(self) -> Side {
        Side::enemy(self)
    }
}

impl Deref for State {
    type Target = Field<Side, Unit, Bridge>;

    fn deref(&self) -> &Self::Target {
        &self.field
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub field: Field<Side, Unit, Bridge>,
    pub turn: u8,
    /// AM and PM of the day (4.1).
    pub weather: [Weather; 2],
    pub frames: Vec<Frame>,
    /// Hexes with an unrevealed Unknown unit (25.2).
    pub unknown: HexSet,
    /// 25.1: Garrisons among the counters that are not revealed.
    pub garrisons: u8,
    /// 25.1: what lies under Unknown counters that were dealt before they are revealed.
    #[serde(default, skip_serializing_if = "Dealt::is_unused")]
    pub dealt: Dealt,
    /// 25.5, H-20: the German player has looked under them. Only he may know what he saw.
    #[serde(default, skip_serializing_if = "is_false")]
    pub looked: bool,
    /// 22.1: the day's Airlanding Phase has been held.
    pub landed_today: bool,
    /// Airlanding Points left in this phase (22.2).
    pub points: u8,
    /// Air support markers left in this turn (10.7).
    pub air: u8,
    /// 17.2: Moved markers left, by side.
    pub moved_markers: [u8; 2],
    /// 17.3, 20.3: artillery units that may still be readied, or replacement steps left.
    pub left: u8,
    pub traffic: [MarkerAt; 6],
    /// 8.5.6: ferries used by each side in this turn, by bridge.
    pub ferried: [Ferried; 2],
    /// 22.6: divisions (by Supply Head) that were resupplied today.
    pub resupplied: List<UnitId, 16>,
    /// 18.3.3: Supply Heads whose division is Out of Supply.
    pub cut_off: List<UnitId, 16>,
    /// 9.1: hexes attacked in this Combat Phase.
    pub attacked: HexSet,
    /// 8.5.3, 23.3.3: steps that Engineers have carried in this phase.
    pub carried: Carried,
    /// 23.3.3: the hexsides at which Engineers on their Ferry side point.
    pub ferries: Ferries,
    /// 19.3: units that have entered at a hex in this phase.
    pub entered_at: EnteredAt,
    /// 9.6: hexes marked Auto DS, with the units that must attack them.
    pub auto_ds: Vec<(HexId, Fighters)>,
    /// 22.7: formations whose airborne replacements have been used.
    pub refitted: List<u8, 64>,
    /// 5.3: bridges placed "to be wired" in this phase.
    #[serde(default)]
    pub wired_now: List<u16, 128>,
    /// 5.8: bridges under repair by a bridging unit; the repair lapses when it leaves.
    #[serde(default)]
    pub by_column: List<u16, 16>,
    /// 26.1: victory places that the Allies have controlled completely, as bits.
    #[serde(default)]
    pub once_held: u64,
    /// 23.4: lost bridging units and the turn on which they come back.
    pub coming_back: List<(UnitId, u8), 16>,
    /// What happens at the start of the phase has not happened yet: the case in a position that was set up in mid-game.
    #[serde(default)]
    pub unopened: bool,
    /// 26.3: turns in a row that ended with enough units beyond the Lower Rhine.
    pub decisive: u8,
    pub winner: Option<(Side, Ending)>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// 26.3
    GermanPoints,
    /// 26.3
    BeyondTheRhine,
    /// 26.4, 26.5, S3.4, S4.4, S5.4
    LastTurn,
}

impl State {
    pub fn frame(&self) -> &Frame {
        self.frames.last().unwrap_or(&Frame::Over)
    }

    pub fn unit(&self, id: UnitId) -> &Unit {
        self.field.unit(id)
    }

    pub fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        self.field.unit_mut(id)
    }
}
