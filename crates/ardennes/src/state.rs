//! The complete state of a game: flat arrays, copied in about a microsecond.
//!
//! The part that the shared ZOC-bond code uses (counters, zones of control, control, bridges) is the [`Field`].

use std::ops::{Deref, DerefMut};

use hexgrid::{HexId, HexSet};
use serde::{Deserialize, Serialize};
use zocbond::{Key, Link, Piece, Span};

use crate::{
    combat::Combat,
    flags::Flags,
    frame::{Frame, Frames, Walk},
    list::List,
    movement::candidates::MoveCandidates,
    pack::{Side, UnitId},
    phase::Phase,
    place::{PackedPlace, Place},
};

/// Attacker's Advantage markers on the map at once (16.6).
pub const MAX_ADVANTAGES: usize = 24;

/// Counters, stacks, zones of control, control of hexes and bridges.
pub type Field = zocbond::Field<Side, Unit, Bridge>;
/// The bridges in play.
pub type Bridges = zocbond::Bridges<Bridge>;

/// One counter in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(PackedPlace, u16, u32, u16, u8, u8, u8)", from = "(PackedPlace, u16, u32, u16, u8, u8, u8)")]
pub struct Unit {
    at: PackedPlace,
    /// The next unit of the stack.
    next: Link,
    pub flags: Flags,
    /// Breakdown unit or Remnant: the unit it came from (26.4); `u16::MAX` for none.
    parent: u16,
    /// Quarter movement points spent in this Movement Phase (25.35).
    pub spent: u8,
    /// Isolated Group at the last check, 0 = none (23.6).
    pub group: u8,
    /// Surrender points of that group (23.7).
    pub points: u8,
}

impl Default for Unit {
    fn default() -> Self {
        Unit {
            at: PackedPlace::GONE,
            next: Link::NONE,
            flags: Flags::NONE,
            parent: u16::MAX,
            spent: 0,
            group: 0,
            points: 0,
        }
    }
}

type UnitTuple = (PackedPlace, u16, u32, u16, u8, u8, u8);

impl From<Unit> for UnitTuple {
    fn from(u: Unit) -> Self {
        (u.at, u.next.0, u.flags.0, u.parent, u.spent, u.group, u.points)
    }
}

impl From<UnitTuple> for Unit {
    fn from((at, next, flags, parent, spent, group, points): UnitTuple) -> Self {
        Unit { at, next: Link(next), flags: Flags(flags), parent, spent, group, points }
    }
}

impl Unit {
    pub fn place(&self) -> Place {
        self.at.into()
    }

    /// Is it in this place?
    #[inline]
    pub fn is_at(&self, place: Place) -> bool {
        self.at == place.into()
    }

    /// The hex, if the unit is on the map.
    #[inline]
    pub const fn hex(&self) -> Option<HexId> {
        self.at.hex()
    }

    /// Is it on the map, or off it and able to enter?
    #[inline]
    pub const fn may_come_or_stand(&self) -> bool {
        self.at.may_come_or_stand()
    }

    /// Whether the unit is on the map or beside it, still to arrive, in Antwerp, or exited.
    pub const fn in_game(&self) -> bool {
        self.at.in_game()
    }

    #[inline]
    pub const fn is(&self, flag: Flags) -> bool {
        self.flags.any(flag)
    }

    pub fn parent(&self) -> Option<UnitId> {
        (self.parent != u16::MAX).then_some(UnitId(self.parent))
    }

    pub fn set_parent(&mut self, parent: Option<UnitId>) {
        self.parent = parent.map_or(u16::MAX, |p| p.0);
    }
}

impl Piece for Unit {
    type Place = Place;

    #[inline]
    fn hex(&self) -> Option<HexId> {
        self.at.hex()
    }

    #[inline]
    fn in_game(&self) -> bool {
        self.at.in_game()
    }

    #[inline]
    fn below(&self) -> Link {
        self.next
    }

    #[inline]
    fn hex_of(place: Place) -> Option<HexId> {
        place.hex()
    }

    #[inline]
    fn set_place(&mut self, place: Place, _: Key) {
        self.at = place.into();
    }

    #[inline]
    fn set_below(&mut self, below: Link, _: Key) {
        self.next = below;
    }

    fn clear_markers(&mut self) {
        self.flags = Flags::NONE;
        (self.spent, self.group, self.points) = (0, 0, 0);
    }
}

/// A bridge in play: its state in the low bits, and whether a demolition was tried this player turn (7.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bridge(u8);

/// The state of a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeIs {
    Intact,
    Blown,
    /// Counts as blown (7.6); this side is building (7.9).
    UnderConstruction(Side),
}

impl Bridge {
    const TRIED: u8 = 0x80;
    const STATE: u8 = 0x0F;

    pub const fn is(self) -> BridgeIs {
        match self.0 & Self::STATE {
            0 => BridgeIs::Intact,
            1 => BridgeIs::Blown,
            2 => BridgeIs::UnderConstruction(Side::German),
            _ => BridgeIs::UnderConstruction(Side::Allied),
        }
    }

    /// 7.6
    #[inline]
    pub const fn intact(self) -> bool {
        self.0 & Self::STATE == 0
    }

    pub fn set(&mut self, to: BridgeIs) {
        self.0 = self.0 & Self::TRIED
            | match to {
                BridgeIs::Intact => 0,
                BridgeIs::Blown => 1,
                BridgeIs::UnderConstruction(Side::German) => 2,
                BridgeIs::UnderConstruction(Side::Allied) => 3,
            };
    }

    pub const fn tried(self) -> bool {
        self.0 & Self::TRIED != 0
    }

    pub fn set_tried(&mut self, tried: bool) {
        self.0 = self.0 & !Self::TRIED | if tried { Self::TRIED } else { 0 };
    }
}

impl Span for Bridge {
    #[inline]
    fn intact(self) -> bool {
        Bridge::intact(self)
    }
}

/// An Attacker's Advantage marker (16.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advantage {
    pub side: Side,
    /// The hex of the marked stack.
    pub from: HexId,
    pub target: HexId,
    /// Units originally under it.
    pub units: List<UnitId, 8>,
}

/// The fuel dumps of 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FuelDump {
    pub state: DumpState,
    /// Is it the real one? Hidden from the German player until revealed.
    pub real: bool,
    pub revealed: bool,
    /// A destruction was tried this player turn (32.3).
    pub tried: bool,
    /// Recaptured by the Allies: in the 1st edition its garrison is gone (1E 32.2).
    #[serde(default)]
    pub retaken: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DumpState {
    /// Not on the map: unused, removed, destroyed or a revealed dummy.
    #[default]
    Absent,
    Allied,
    /// Captured, and held by the German player until it can be removed (32.2).
    Captured,
    /// Removed by the German player: the fuel rolls of turns 7 and 8 are skipped.
    Secured,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub winner: Option<Side>,
    /// Which condition; the message key is `victory.` followed by its name.
    pub by: Condition,
}

/// Victory conditions (30.2, 30.3, 31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// 30.2 A
    Antwerp,
    /// 30.2 B
    Liege,
    /// 30.2 C
    Meuse,
    /// 30.2 D
    WestMap,
    /// 30.3, second part
    GermanAreas,
    /// 30.3: the scenario ended without a German victory.
    Prevented,
    /// 31.2–31.4
    Points,
    /// 31.5
    Bastogne,
}

/// The complete state. `Copy`, so that a clone is one block copy instead of one for each field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub frames: Frames,
    /// 1 to 30; the Night turn keeps the number of the PM turn before it.
    pub turn: u8,
    pub night: bool,
    /// The phasing player.
    pub side: Side,
    pub phase: Phase,
    pub ending: Option<Ending>,

    /// Counters, ZOC (9), control (30.1) and bridges (7). `State` derefs to it.
    pub field: Field,
    /// Finished Improved Positions (15.8).
    pub improved: HexSet,
    /// Improved Positions under construction.
    pub digging: HexSet,

    /// Traffic marker 1–6 of a side: where it is, [`HexId::NONE`] in the holding box.
    pub traffic: [[MarkerAt; 6]; 2],
    /// Roadblocks of a side (33).
    pub roadblocks: [[MarkerAt; 2]; 2],
    /// A Roadblock gives control of its hex (33.1); not in the 1st edition (1E 24.8).
    #[serde(default = "roadblocks_control")]
    pub roadblocks_control: bool,
    /// Greif markers out of the game, as bits (24.6).
    pub greif_removed: u8,
    /// Hexes entered by a side in this phase that hold an enemy Roadblock (33.3).
    pub roadblock_passed: [bool; 2],
    pub advantages: Advantages,
    pub dumps: [FuelDump; 3],

    /// Air support markers left this turn (15.6); `rolled` once per Allied turn.
    pub air_left: u8,
    pub air_rolled: bool,
    /// Night markers placed (25.33).
    pub night_stacks: [u8; 2],
    /// The Ouren bridge has been rolled for (7.8).
    pub ouren_rolled: bool,
    /// 29.2 has been used.
    pub echternach_used: bool,
    /// A German unit has crossed the Meuse (27.3).
    pub meuse_crossed: bool,
    /// Entry Hexes used by a German unit to exit: no longer Allied (11.9), as bits.
    pub entries_lost: u16,
    /// Attack factors that left for Antwerp or by the west edge (30.2, 31.2).
    pub exited_attack: u16,
    /// West-edge hexes by which German units left (31.2): need a supply line.
    pub exit_hexes: List<HexId, 48>,
    /// Consecutive Victory Checks with three areas occupied (30.3).
    pub areas_checks: u8,
    /// Turn of the last recombinations and their number (1E 26.4).
    pub recombined: u8,
    /// 653 PzJ (27.7).
    pub pzj653_settled: bool,
    /// 1E 27.8: CCB of the 9th Armored must move to St-Vith.
    pub ccb9_bound: bool,

    pub walk: Walk,
    pub combat: Combat,
    /// Units that still have to roll or retreat in a disengagement (20.2).
    pub disengage: List<UnitId, 12>,

    #[serde(skip)]
    pub candidates: MoveCandidates,
}

impl Deref for State {
    type Target = Field;

    #[inline]
    fn deref(&self) -> &Field {
        &self.field
    }
}

impl DerefMut for State {
    #[inline]
    fn deref_mut(&mut self) -> &mut Field {
        &mut self.field
    }
}

pub use zocbond::{MAX_BRIDGES, MAX_HEXES, MAX_UNITS, MarkerAt, UnitSet};

pub type Advantages = List<Advantage, MAX_ADVANTAGES>;

/// The default for states that were saved before this field existed.
const fn roadblocks_control() -> bool {
    true
}

impl crate::list::Slot for Advantage {
    const EMPTY: Self =
        Advantage { side: Side::German, from: HexId::NONE, target: HexId::NONE, units: List::EMPTY };
}

impl State {
    /// An empty table: no unit placed, all bridges intact, every hex Allied.
    pub fn empty() -> Self {
        State {
            frames: Frames::one(Frame::Sequence),
            turn: 1,
            night: false,
            side: Side::German,
            phase: Phase::ArtillerySupply,
            ending: None,
            field: Field::empty(),
            improved: HexSet::EMPTY,
            digging: HexSet::EMPTY,
            traffic: [[MarkerAt::default(); 6]; 2],
            roadblocks: [[MarkerAt::default(); 2]; 2],
            roadblocks_control: true,
            greif_removed: 0,
            roadblock_passed: [false; 2],
            advantages: List::new(),
            dumps: [FuelDump::default(); 3],
            air_left: 0,
            air_rolled: false,
            night_stacks: [0; 2],
            ouren_rolled: false,
            echternach_used: false,
            meuse_crossed: false,
            entries_lost: 0,
            exited_attack: 0,
            exit_hexes: List::new(),
            areas_checks: 0,
            recombined: 0,
            pzj653_settled: false,
            ccb9_bound: false,
            walk: Walk::default(),
            combat: Combat::default(),
            disengage: List::new(),
            candidates: MoveCandidates::default(),
        }
    }

    /// Which side controls the hex (30.1): the side of the units in it, of a Roadblock in it (33.1), otherwise of the
    /// last units.
    #[inline]
    pub fn control(&self, hex: HexId) -> Side {
        for side in Side::ALL {
            let blocked = self.roadblocks_control && self.roadblocks[side.index()].contains(&MarkerAt(hex));
            if blocked && !self.enemy_in(side, hex) {
                return side;
            }
        }
        self.last_holder(hex)
    }

    /// Hexes whose last units were German; all others are Allied (30.1).
    pub fn german_control(&self) -> &HexSet {
        self.first_side_control()
    }

    /// The current frame.
    #[inline]
    pub fn top(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame::Sequence)
    }

    /// Pushes frames so that the first of them runs first. No sequence of play nests deeply enough to fill the stack;
    /// should one do so, dropping a frame would skip a rule, so the decision fails instead.
    pub fn push_frames(&mut self, frames: &[Frame]) {
        for frame in frames.iter().rev() {
            assert!(self.frames.push(*frame), "more frames than any sequence of play nests");
        }
    }
}
