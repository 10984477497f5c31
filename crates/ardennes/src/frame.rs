//! The position in the sequence of play: a stack of frames, plain data. The top frame either runs by itself or waits
//! for a decision of one side. [`crate::phase`] says in which order frames follow each other.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::{
    list::{List, Slot},
    pack::{BoxId, FormationId, Side, UnitId},
};

/// One thing to be done: a step of a phase, or a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// Bottom of the stack: proceed to the next phase (4).
    Sequence,

    /// A lab file begins where dice are rolled: wait for `done`.
    Begin,

    // 31: before play
    /// 32.1: the fuel dumps are put out at random.
    HideFuelDumps,
    /// A side sets up its units (31.1).
    SetUp(Side),
    /// 31.4 B: the Allied player places Traffic markers before play.
    TrafficBeforePlay,

    // 5: Artillery Supply Phase
    /// 5.1, 22.3
    RemovePrimeMovers,
    /// 5.2: this many more may be readied.
    ReadyArtillery {
        left: u8,
    },

    // 6: Fuel Shortage Phase
    /// 32.2
    RemoveFuelDump,
    /// 6.1: roll on table 0 or 1.
    RollFuel {
        table: u8,
    },
    /// 1E 32.2: captured fuel for the roll on this table, or later?
    SpendFuel {
        table: u8,
    },
    /// 6.1, 6.4: somebody picks a division from this result.
    PickFuel {
        table: u8,
        die: u8,
    },

    // 7: Bridge Phase
    /// 7.9, 7.10: constructions begun earlier are completed or lost.
    CompleteBridges,
    /// 7.1: demolitions and repairs; also 32.3.
    Bridges,

    // 11–13: Movement Phase
    /// What happens before the first unit moves: 12.7, 27.7, arrivals.
    OpenMovement,
    Movement,
    /// A move was interrupted; its owner may continue it (`State::walk`).
    Walk,
    /// 27.8.2: the 150th Panzer Brigade has entered an EZOC.
    Infiltrate,
    /// 8.3: a hex is overstacked; the owner removes units.
    Overstacked(HexId),
    /// 15.8, 8.3, 33.3
    CloseMovement,

    // 18.5
    Rally,

    // 20 and 14–19: Combat Phase
    /// 16.6
    OpenCombat,
    /// 20.1: which units try to disengage.
    Disengage,
    /// 20.3: rolls and retreats of those units (`State::disengage`).
    DisengageRoll,
    /// The unit that rolled Yes retreats 1 or 2 hexes (20.3).
    DisengageRetreat,
    /// 20.5
    RemoveEngaged,
    /// 14.1: which attack next.
    Attacks,
    /// 25.24, 27.8.1, 33.3
    CloseCombat,

    // One combat (14.4), in `State::combat`
    /// Step 1: the defender may blow the bridges attacked across (7.4).
    BlowBridge,
    /// Step 1: the attacker may call the attack off.
    CallOff,
    /// 32.3: a roll to destroy the fuel dump that is attacked.
    DestroyDump,
    /// Step 3: the attacker declares artillery and air support (22.7, 15.6).
    AttackSupport,
    /// Step 3: defensive artillery (22.8).
    Support,
    /// Steps 4 and 5: Jabos, shifts, the die.
    Resolve,
    /// 16.2: Fire Fight or Eng.
    FireFight,
    /// 21.4: the lone Recon unit may treat the result as DR4 (1E: Eng as DR1).
    Recon,
    /// 16.3: this side loses one step.
    Loss(Side),
    /// 16.4: form a Remnant of this unit.
    Remnant(UnitId),
    /// 16.71
    DeterminedDefense,
    /// What the result does after losses and Determined Defense: Engaged, retreat, advance.
    Outcome,
    /// 17: the owner retreats the next unit.
    Retreat,
    /// 17.4: this unit's hex is overstacked; it goes on, or a unit is removed.
    RetreatOn(UnitId),
    /// 16.6: who gets the Attacker's Advantage marker.
    PlaceAdvantage,
    /// 19: advance after combat.
    Advance,
    /// 8.3: after the advance.
    CheckStacks,
    /// 19.4, 19.5
    Breakthrough,
    /// 1E 16.72: counterattack.
    Counterattack,
    /// The combat is over: markers, IP removal (15.8, 16.6).
    EndCombat,

    // 24, 33: Traffic Marker Phase
    /// 33.3: Roadblocks that have lost their supply line are removed.
    CheckRoadblocks,
    PlaceMarkers,
    /// 24.3
    RemoveTraffic,
    /// 24.6
    RemoveGreif,

    // 23: Supply and Surrender Phase
    CheckSupply,
    CheckSurrender,
    /// 27.3: the Allied player sends British units to Antwerp.
    Antwerp,

    // 30
    CheckVictory,

    // 25: Night turn
    /// 25.21: how many replacement steps are available tonight.
    OpenReplacements,
    /// Replacement steps of a side; the first must go to Infantry-type (25.21).
    Replacements {
        side: Side,
        left: u8,
        infantry_done: bool,
    },
    /// 25.33: can any unit move or fight at night?
    OpenNight,
}

impl Slot for Frame {
    const EMPTY: Self = Frame::Sequence;
}

/// Maximum depth of the stack: the steps of a phase, the steps of a combat, and what interrupts them.
pub const MAX_FRAMES: usize = 32;

pub type Frames = List<Frame, MAX_FRAMES>;

/// A move that has been interrupted, or is being walked (11.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    pub units: List<UnitId, { crate::action::MAX_STACK }>,
    pub mode: crate::action::Mode,
    /// Hexes entered so far.
    pub hexes: u8,
    /// Roadless crossings made so far (11.4, 11.6).
    pub crossings: u8,
    /// These units were in an EZOC at the start of the phase (18.2).
    pub started_in_ezoc: bool,
    /// Where the move began; [`HexId::NONE`] for units from off the map.
    pub origin: OriginHex,
}

/// An optional hex, with a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OriginHex(pub HexId);

impl Default for OriginHex {
    fn default() -> Self {
        OriginHex(HexId::NONE)
    }
}

/// The divisions among which the German player may choose for a fuel shortage (6.1, 6.4).
pub type FuelCandidates = List<FormationId, 24>;

impl Slot for FormationId {
    const EMPTY: Self = FormationId(u8::MAX);
}

impl Slot for BoxId {
    const EMPTY: Self = BoxId(u8::MAX);
}
