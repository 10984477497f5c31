//! Events as plain facts; [`crate::report`] puts them into words.

use hexgrid::{HexId, SideId};
use kernel::Topic;
use smallvec::SmallVec;

use crate::{
    fire::FireKind,
    frame::{OpStep, Segment},
    pack::{AntiAircraftResult, TypeId},
    state::{Ending, OpKind, Payer, Variant},
    turn::Phase,
    units::{FormationId, Side, UnitId},
};

/// Counters named in an event.
pub type Units = SmallVec<[UnitId; 16]>;

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Turn {
        turn: u8,
    },
    Phase {
        phase: Phase,
    },
    Segment {
        segment: Segment,
    },
    /// Known to WP only (12.3).
    Planned {
        formation: FormationId,
        kind: OpKind,
        payer: Payer,
    },
    PlanningDone,
    /// 8.1.2, 13.6.3
    Initiative {
        side: Side,
        roll: u8,
        reserve: bool,
    },
    Passed {
        side: Side,
    },
    Activated {
        formation: FormationId,
    },
    /// 12.3.2
    Lead {
        formation: FormationId,
        hex: HexId,
    },
    CycleOver {
        formation: FormationId,
    },
    /// 13.0: an operation is committed.
    Committed {
        kind: OpKind,
        variant: Variant,
        formations: SmallVec<[FormationId; 4]>,
        units: Units,
        objective: HexId,
    },
    /// 13.5, 13.5.3
    Objective {
        hex: HexId,
    },
    Step {
        step: OpStep,
    },
    /// One hexside of a move.
    Moved {
        units: Units,
        from: HexId,
        to: HexId,
        cost: u8,
        road: bool,
    },
    /// 11.5, known to its owner only.
    Split {
        from: UnitId,
        new: UnitId,
        steps: u8,
    },
    /// 11.5, public part: a new counter appears.
    Detached {
        from: UnitId,
        new: UnitId,
    },
    /// 11.6
    Combined {
        into: UnitId,
        gone: UnitId,
    },
    /// 11.7, 18.5.1
    Transferred {
        from: UnitId,
        to: UnitId,
        steps: u8,
    },
    /// 16.8.1: the units that the force met, and which were dummies.
    Contact {
        hex: HexId,
        real: Units,
        dummies: Units,
    },
    DummiesRemoved {
        units: Units,
    },
    Masked {
        units: Units,
    },
    Unmasked {
        hex: HexId,
    },
    /// A combat was declared and rolled (18.2).
    Fired {
        kind: FireKind,
        side: Side,
        target: HexId,
        units: Units,
        total: u16,
        effective: u16,
        roll: u8,
        modifier: i8,
        hits: u16,
    },
    /// 20.2.1
    Recon {
        side: Side,
        hex: HexId,
        roll: u8,
        modifier: i8,
        number: u8,
        acquired: bool,
    },
    /// 21.2: a Fire Call with the units that answer it.
    Called {
        side: Side,
        hq: UnitId,
        units: Units,
    },
    /// 23.3
    Disrupted {
        unit: UnitId,
    },
    /// 24.2: the aircraft of an Air Call.
    AirCalled {
        side: Side,
        hex: HexId,
        points: u8,
        aircraft: TypeId,
        roll: Option<u8>,
    },
    /// 27.1, 27.2.2
    AntiAircraft {
        side: Side,
        sam: bool,
        strength: u8,
        roll: u8,
        modified: i8,
        result: AntiAircraftResult,
    },
    /// 27.3.1
    HitCheck {
        side: Side,
        roll: u8,
        defense: u8,
        lost: bool,
    },
    /// 27.3.2
    Aborted {
        side: Side,
    },
    /// 23.5.3 step 6, 44.3: too few steps or too weak.
    StrikeFailed {
        side: Side,
        hex: HexId,
    },
    /// 44.3
    GasZone {
        side: Side,
        hex: HexId,
        persistent: bool,
    },
    /// 44.4.1: one roll for a force or stack.
    ContaminationCheck {
        hex: HexId,
        roll: u8,
        contaminated: bool,
    },
    Contaminated {
        units: Units,
    },
    /// 44.5: one roll.
    GasAttack {
        unit: UnitId,
        roll: u8,
        lost: bool,
    },
    /// 12.4.1
    GunsFreed {
        units: Units,
    },
    /// 23.4.2
    Acquisition {
        target: UnitId,
        gun: UnitId,
        roll: u8,
        number: u8,
        acquired: bool,
    },
    /// 39.2
    Jammed {
        hq: UnitId,
        roll: u8,
        modifier: i8,
        lost: bool,
        artillery: u8,
        reaction: bool,
    },
    /// 18.3.2
    Stands {
        side: Side,
        retreats: bool,
    },
    /// 18.3.3
    StepsLost {
        unit: UnitId,
        steps: u8,
        eliminated: bool,
    },
    Held {
        side: Side,
    },
    Retreated {
        unit: UnitId,
        from: HexId,
        to: HexId,
    },
    RetreatedOff {
        unit: UnitId,
        from: HexId,
    },
    Advanced {
        unit: UnitId,
        from: HexId,
        to: HexId,
    },
    Used {
        units: Units,
    },
    Reacted {
        units: Units,
        payer: Payer,
        to: HexId,
    },
    /// 30.4.1
    HqLost {
        unit: UnitId,
        back: Option<u8>,
    },
    HqBack {
        unit: UnitId,
        hex: HexId,
    },
    Shattered {
        formation: FormationId,
        steps: u8,
        roll: u8,
    },
    ShatterHeld {
        formation: FormationId,
        steps: u8,
        roll: u8,
    },
    Control {
        hex: HexId,
        side: Side,
    },
    ImprovedPosition {
        hex: HexId,
        side: Side,
        built: bool,
    },
    Obstacle {
        hex: HexId,
        built: bool,
    },
    Minefield {
        hex: HexId,
        built: bool,
    },
    /// 6.3.3
    Smoke {
        hex: HexId,
        built: bool,
    },
    /// 37.5: one roll.
    MineAttack {
        unit: UnitId,
        roll: u8,
        modified: i8,
        lost: bool,
    },
    Bridge {
        side: SideId,
        what: BridgeEvent,
    },
    OperationOver {
        kind: OpKind,
    },
    Exited {
        unit: UnitId,
        from: HexId,
    },
    /// 41.2
    Screened {
        units: Units,
        roll: u8,
        success: bool,
    },
    /// 12.4: a Main Effort chit is placed, taken back or revealed.
    Effort {
        formation: FormationId,
        what: EffortEvent,
    },
    /// 20.2.3
    ReconBridge {
        side: Side,
        bridge: SideId,
        roll: u8,
        modifier: i8,
        number: u8,
        acquired: bool,
    },
    /// 38.4.4
    BridgeStruck {
        side: Side,
        bridge: SideId,
        total: u16,
        effective: u16,
        roll: u8,
        destroyed: bool,
    },
    /// 40.1, 40.4
    Row {
        unit: UnitId,
        ten: bool,
    },
    /// 44.6
    Cleaned {
        units: Units,
        hex: HexId,
    },
    /// 12.5.3, 12.8.3
    Attached {
        formation: FormationId,
        to: FormationId,
    },
    /// 17.4
    Ferried {
        units: Units,
        engineers: Units,
        to: HexId,
    },
    /// 17.5
    Crossing {
        formation: FormationId,
        hex: HexId,
        roll: u8,
        modifier: i8,
        steps: u8,
    },
    Placed {
        unit: UnitId,
        hex: HexId,
    },
    /// 25.2: a helicopter unit flies without being fired at.
    Flew {
        unit: UnitId,
        from: HexId,
        path: crate::action::Hexes,
    },
    /// 27.3.2
    FlightAborted {
        side: Side,
        unit: UnitId,
    },
    /// 25.5: a mission has ended.
    Recovered {
        unit: UnitId,
    },
    /// 26.4: a transport mission.
    Lifted {
        unit: UnitId,
        passengers: Units,
        lz: HexId,
    },
    Landed {
        units: Units,
        hex: HexId,
        returned: bool,
    },
    /// 29.5
    Paradrop {
        side: Side,
        formation: FormationId,
    },
    Dropped {
        unit: UnitId,
        hex: HexId,
    },
    Disorganization {
        unit: UnitId,
        roll: u8,
        lost: bool,
    },
    Over(Ending),
}

impl Event {
    /// What the line of the report is about.
    pub const fn topic(&self) -> Topic {
        match self {
            Event::Turn { .. } => Topic::Turn,
            Event::Phase { .. } | Event::Segment { .. } => Topic::Phase,
            Event::Moved { .. } | Event::Reacted { .. } | Event::Ferried { .. } | Event::Crossing { .. } => {
                Topic::Move
            }
            Event::Flew { .. }
            | Event::Lifted { .. }
            | Event::Landed { .. }
            | Event::Paradrop { .. }
            | Event::Dropped { .. } => Topic::Flight,
            Event::Bridge { what: BridgeEvent::Blown | BridgeEvent::Destroyed, .. }
            | Event::BridgeStruck { destroyed: true, .. }
            | Event::MineAttack { .. } => Topic::Blast,
            Event::Over(_) => Topic::Over,
            Event::Placed { .. } | Event::Exited { .. } | Event::HqBack { .. } => Topic::Arrival,
            Event::Retreated { .. } | Event::RetreatedOff { .. } | Event::Stands { .. } => Topic::Retreat,
            Event::Advanced { .. } => Topic::Advance,
            Event::Called { .. }
            | Event::AirCalled { .. }
            | Event::AntiAircraft { .. }
            | Event::Aborted { .. }
            | Event::FlightAborted { .. }
            | Event::Acquisition { .. } => Topic::Attack,
            Event::Fired { .. } | Event::BridgeStruck { .. } | Event::StrikeFailed { .. } => Topic::Combat,
            Event::Disrupted { .. } | Event::Contaminated { .. } => Topic::Effect,
            Event::StepsLost { .. }
            | Event::HqLost { .. }
            | Event::Shattered { .. }
            | Event::HitCheck { lost: true, .. }
            | Event::GasAttack { lost: true, .. }
            | Event::Disorganization { lost: true, .. } => Topic::Loss,
            _ => Topic::Other,
        }
    }
}

/// What happened to a Main Effort chit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffortEvent {
    Laid,
    TakenBack,
    Shown,
}

impl EffortEvent {
    pub const fn key(self) -> &'static str {
        match self {
            EffortEvent::Laid => "laid",
            EffortEvent::TakenBack => "taken_back",
            EffortEvent::Shown => "shown",
        }
    }
}

/// What happened to a bridge (34, 38).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeEvent {
    Blown,
    ChargesFailed,
    Built,
    Recovered,
    Destroyed,
}

impl BridgeEvent {
    pub const fn key(self) -> &'static str {
        match self {
            BridgeEvent::Blown => "blown",
            BridgeEvent::ChargesFailed => "charges_failed",
            BridgeEvent::Built => "built",
            BridgeEvent::Recovered => "recovered",
            BridgeEvent::Destroyed => "destroyed",
        }
    }
}
