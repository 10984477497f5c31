//! The state of the sequence of play: a stack of frames, plain data. The top frame either runs automatically or waits
//! for a decision; [`crate::flow`] has the one table that says which.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::{
    fire::FireKind,
    units::{FormationId, Side, UnitId},
};

/// The segments of an Activation Cycle (10.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    Activation,
    Redeployment,
    Reconnaissance,
    Strike,
    Operations,
    BridgeDemolition,
    Contamination,
    IntelligenceFade,
    DeliberateDefense,
}

impl Segment {
    pub const ALL: [Segment; 9] = [
        Segment::Activation,
        Segment::Redeployment,
        Segment::Reconnaissance,
        Segment::Strike,
        Segment::Operations,
        Segment::BridgeDemolition,
        Segment::Contamination,
        Segment::IntelligenceFade,
        Segment::DeliberateDefense,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Segment::Activation => "activation",
            Segment::Redeployment => "redeployment",
            Segment::Reconnaissance => "reconnaissance",
            Segment::Strike => "strike",
            Segment::Operations => "operations",
            Segment::BridgeDemolition => "bridge_demolition",
            Segment::Contamination => "contamination",
            Segment::IntelligenceFade => "intelligence_fade",
            Segment::DeliberateDefense => "deliberate_defense",
        }
    }
}

/// The steps of an operation (13.2 to 13.7, 41.4, 42.0, 43.0); each kind of operation has its own list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpStep {
    Movement,
    Jamming,
    Gegenangriff,
    Reaction,
    DefensiveCall,
    DefensiveHelicopters,
    DefensiveFire,
    OffensiveCall,
    OffensiveHelicopters,
    OffensiveFire,
    Retreat,
    Advance,
    /// 42.0 step 4.
    Overrun,
    /// 42.0 steps 5 to 8, 43.0 steps 3 to 6.
    PointBlank,
    Completion,
}

impl OpStep {
    pub const fn key(self) -> &'static str {
        match self {
            OpStep::Movement => "movement",
            OpStep::Jamming => "jamming",
            OpStep::Gegenangriff => "gegenangriff",
            OpStep::Reaction => "reaction",
            OpStep::DefensiveCall => "defensive_fire_call",
            OpStep::DefensiveHelicopters => "defensive_helicopters",
            OpStep::DefensiveFire => "defensive_fire",
            OpStep::OffensiveCall => "offensive_fire_call",
            OpStep::OffensiveHelicopters => "offensive_helicopters",
            OpStep::OffensiveFire => "offensive_fire",
            OpStep::Retreat => "retreat",
            OpStep::Advance => "advance",
            OpStep::Overrun => "overrun",
            OpStep::PointBlank => "point_blank",
            OpStep::Completion => "completion",
        }
    }
}

/// 13.8: the next stage of a force moving from hex to hex (order of interrupts: mines and fire before a hex is left,
/// then mines, gas, contact and screening in the hex entered).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// 18.6: about to leave its hex.
    Leave,
    /// Enters the next hex and pays.
    Enter,
    /// 37.5: a minefield in the hex entered.
    Mines,
    /// 44.4
    Gas,
    /// 16.8.1
    Contact,
    /// 41.2
    Screening,
    /// 13.5.3
    Objective,
    /// Stop or go on.
    Decide,
}

/// One thing to be done: a step of a phase, or a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// Bottom of the stack: continue with the next phase (9.0).
    Sequence,
    /// A lab file that starts in a phase without decisions waits for `done`.
    Begin(Side),

    /// 12.3: WP plans its operations.
    Planning,
    /// 12.3, 23.3.2: the end of the Planning Phase.
    EndPlanning,
    /// 8.1.2
    Initiative,
    /// 8.1.2: the side with the initiative activates a formation or passes.
    Maneuver,
    /// 10.0: a segment opens.
    Segment(Segment),
    /// 12.3.2: Lead Unit markers.
    Leads,
    /// 12.3.2.2: an enemy has taken the hex of this regiment's Lead Unit marker.
    ShiftLead(FormationId),
    /// 13.0: the next operation.
    Operations,
    EndCycle,
    /// 13.6.3
    ReserveInitiative,
    Reserve(Side),
    /// 9.0 F steps 1 and 2.
    Ready,
    /// Step 3 (44.6).
    Decontaminate(Side),
    /// Step 5.
    Reorganization,
    /// Step 6 (30.4.1): where an HQ returns.
    HqReturn(Side),
    /// Steps 7 and 8.
    Points,
    /// 12.5.3, 12.8.3: an independent formation joins the active one.
    Attach,
    /// 6.3.3: Smoke markers on engineers.
    Smoke,
    /// 40.1: the rows of the display for arriving HQs and artillery.
    Rows(Side),
    EndTurn,

    /// The step with this index in the operation's list opens (13.1).
    Step(u8),
    /// 13.3 step 2: the next force.
    Movement,
    /// A force that is moving.
    Walk(Stage),
    /// 18.6: the non-active player may fire at the force.
    Infiltration,
    /// 16.8.1 step 6: stop or continue.
    GoOn,
    /// 13.5.3, 41.2.5: another Objective Hex, or keep it.
    NewObjective,
    /// 14.4: which units to mask.
    Mask(Side, HexId),
    /// 20.0: Reconnaissance Attempts.
    Recon,
    /// 23.0: Strikes.
    Strike,
    /// 12.4.1: the Strike Segment ends.
    EndStrikes,
    /// 24.3: the profile and position of the air unit.
    AirProfile,
    /// 27.1, 27.2: SAM or Flak Fire.
    AntiAircraft,
    /// 27.3: Hit Check or abort.
    AirChoice,
    /// 24.5: the air unit strikes.
    AirStrike,
    /// 44.4 item 4: the Contamination Segment.
    Contamination,
    /// 23.3: which units are Disrupted.
    Disrupt(FireKind),
    /// 23.4
    CounterBattery,
    /// 39.2
    Jamming,
    /// 21.2: the Defensive (true) or Offensive Fire Call.
    Call(bool),
    /// 19.0
    Reaction,
    /// 18.7
    DefensiveFire,
    /// 18.8
    OffensiveFire,
    /// 18.3.2: stand or retreat.
    Stand,
    /// 18.4 step 2: which of equal units covers the retreat.
    Cover,
    /// 18.3.3: hits are absorbed.
    Absorb,
    /// 18.3.3: which of equal units loses a step.
    Loss,
    /// 18.4: where the units retreat.
    Retreat,
    /// 18.9
    RetreatFire,
    /// 18.5
    Advance,
    /// 42.0: fight to the finish or charge through.
    Overrun,
    /// 42.0, 43.0: one side fires at point-blank range.
    PointBlank {
        attacker: bool,
    },
    /// A round of it is over.
    Round,
    /// 43.0 step 5.
    Withdraw(Side),
    /// 42.0 step 8.
    Charge,
    /// 41.2: cavalry adjacent to the force in this hex.
    Screen(HexId),
    /// 41.2.2
    ScreenRetreat,
    /// 17.5: which steps cross the Main.
    Landing,
    /// 35.0, 36.0, 37.1: field works before the first turn.
    Works(Side),
    /// 33.0
    Engineering(Side),
    /// 38.1
    Demolition,
    /// 25.2: where a called attack helicopter unit flies.
    Fly,
    /// A helicopter unit in flight.
    Flight,
    /// 25.2: continue, stop or abort.
    OnTheWay,
    /// 27.2.2: Flak Fire at a helicopter unit.
    FlakFire,
    /// 27.3: Hit Check or abort.
    FlakChoice,
    /// 26.4.7: which passengers lose a step.
    PassengerLoss,
    /// 25.2.4
    FlyHome(UnitId),
    /// 23.1.1: a Strike with attack helicopters.
    Raid,
    /// 29.5: a paradrop is declared, or not.
    Paradrop,
    /// 29.5.1: steps are dropped.
    Drop,
    DropFlak(UnitId),
    Disorganization,
}
