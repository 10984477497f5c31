//! What happened, as plain facts. [`crate::report`] turns them into messages.

use hexgrid::HexId;
use kernel::Topic;

use crate::{
    action::{Attackers, Mode, Supporters},
    pack::{BoxId, CombatResult, EntryId, FormationId, Landing, Side, UnitId},
    phase::Phase,
    state::{BridgeIs, Ending},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A new turn: heading.
    Turn {
        turn: u8,
        night: bool,
    },
    /// A new phase: heading.
    Phase {
        side: Side,
        phase: Phase,
    },
    Over(Ending),

    // Counters
    /// One hex of a move, retreat or advance.
    Step {
        unit: UnitId,
        from: Option<HexId>,
        to: HexId,
        why: Why,
    },
    /// The end of a move: how it was made, and its cost in quarter points.
    Moved {
        unit: UnitId,
        mode: Mode,
        cost: u8,
    },
    Placed {
        unit: UnitId,
        hex: HexId,
    },
    ToBox {
        unit: UnitId,
        to: BoxId,
    },
    ToBlocking {
        unit: UnitId,
        entry: EntryId,
    },
    ToAntwerp {
        unit: UnitId,
    },
    Exited {
        unit: UnitId,
    },
    StepLost {
        unit: UnitId,
    },
    Eliminated {
        unit: UnitId,
        why: Elimination,
    },
    RemnantFormed {
        unit: UnitId,
        of: UnitId,
    },
    BrokenDown {
        unit: UnitId,
        into: UnitId,
    },
    Recombined {
        unit: UnitId,
        parent: UnitId,
    },
    Replaced {
        unit: UnitId,
    },
    Surrendered {
        unit: UnitId,
    },
    /// A marker was put on a unit: the name of its flag.
    Marked {
        unit: UnitId,
        flag: &'static str,
    },
    /// A marker came off.
    Unmarked {
        unit: UnitId,
        flag: &'static str,
    },

    // Map
    Bridge {
        bridge: u16,
        is: BridgeIs,
    },
    ImprovedPosition {
        hex: HexId,
        finished: bool,
    },
    ImprovedPositionGone {
        hex: HexId,
    },
    Traffic {
        side: Side,
        number: u8,
        hex: Option<HexId>,
    },
    GreifGone {
        number: u8,
    },
    Roadblock {
        side: Side,
        hex: HexId,
        placed: bool,
    },
    DumpRevealed {
        hex: HexId,
        real: bool,
    },
    DumpDestroyed {
        hex: HexId,
    },
    DumpCaptured {
        hex: HexId,
        by: Side,
    },
    DumpSecured {
        hex: HexId,
    },
    AdvantagePlaced {
        unit: UnitId,
        target: HexId,
    },
    AdvantageGone {
        /// None if the marked units stood in a Blocking Position (13.8).
        from: Option<HexId>,
        target: HexId,
    },

    // Results
    Fuel {
        table: u8,
        formation: Option<FormationId>,
    },
    AirSupport {
        markers: u8,
    },
    Jabos {
        shifts: u8,
    },
    Attack {
        side: Side,
        target: HexId,
        units: Attackers,
        artillery: Supporters,
        air: bool,
    },
    CalledOff {
        target: HexId,
    },
    /// 14.4, step 3: artillery and air support of the attacker, if not announced with the attack.
    AttackSupport {
        side: Side,
        target: HexId,
        artillery: Supporters,
        air: bool,
    },
    DefensiveFire {
        unit: UnitId,
        shifts: u8,
        tot: bool,
    },
    /// Odds before shifts (attack to defense), the column after all of them, the result.
    Combat {
        target: HexId,
        attack: u16,
        defense: u16,
        shift: i8,
        column: u8,
        result: CombatResult,
    },
    FireFight {
        lead: UnitId,
        result: CombatResult,
    },
    Engage,
    DeterminedDefense {
        lead: UnitId,
        success: bool,
    },
    Rally {
        unit: UnitId,
        success: bool,
    },
    Disengagement {
        unit: UnitId,
        retreat: bool,
        disrupted: bool,
    },
    Surprise {
        unit: UnitId,
        success: bool,
    },
    Infiltration {
        unit: UnitId,
        success: bool,
    },
    Landing {
        unit: UnitId,
        landing: Landing,
    },
    Arrival {
        unit: UnitId,
        arrives: Option<bool>,
    },
    /// Supply check: a unit's marker changed.
    Supply {
        unit: UnitId,
        supplied: bool,
    },
    Isolated {
        group: u8,
        points: u8,
    },
}

/// Why a unit went from one hex to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Move,
    Enter,
    Retreat,
    Advance,
}

/// Why a unit is eliminated; each is a clause of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elimination {
    /// Lost its last step (16.4).
    Losses,
    /// No legal retreat (17.2).
    NoRetreat,
    /// Off the map (17.6).
    OffMap,
    /// German artillery without a Prime Mover (17.7).
    Artillery,
    /// Broken, or Disrupted and retreated 3 or more hexes (18.2, 18.4).
    Broken,
    /// OOS and retreated 3 or more hexes (23.4).
    OutOfSupply,
    /// Engineers that retreated 3 or more hexes (27.1).
    Engineers,
    /// Retreated into a hex that was attacked (17.5).
    AttackedAgain,
    /// No room (8.3, 17.4).
    Stacking,
    /// Von der Heydte (27.2).
    Landing,
}

impl Event {
    /// What the line of the report is about.
    pub const fn topic(&self) -> Topic {
        match self {
            Event::Turn { .. } => Topic::Turn,
            Event::Phase { .. } => Topic::Phase,
            Event::Step { why: Why::Move, .. } | Event::Moved { .. } | Event::Infiltration { .. } => {
                Topic::Move
            }
            Event::Step { why: Why::Enter, .. }
            | Event::Placed { .. }
            | Event::ToBox { .. }
            | Event::ToBlocking { .. }
            | Event::ToAntwerp { .. }
            | Event::Exited { .. }
            | Event::Arrival { .. } => Topic::Arrival,
            Event::Step { why: Why::Retreat, .. } | Event::Disengagement { .. } => Topic::Retreat,
            Event::Step { why: Why::Advance, .. }
            | Event::AdvantagePlaced { .. }
            | Event::AdvantageGone { .. } => Topic::Advance,
            Event::Attack { .. }
            | Event::AttackSupport { .. }
            | Event::CalledOff { .. }
            | Event::DefensiveFire { .. }
            | Event::Surprise { .. } => Topic::Attack,
            Event::Bridge { is: BridgeIs::Blown, .. } | Event::DumpDestroyed { .. } => Topic::Blast,
            Event::Landing { landing: Landing::Full | Landing::Reduced, .. } | Event::Jabos { .. } => {
                Topic::Flight
            }
            Event::Over(_) => Topic::Over,
            Event::Combat { .. } | Event::FireFight { .. } | Event::DeterminedDefense { .. } => Topic::Combat,
            Event::Engage | Event::Rally { .. } => Topic::Effect,
            Event::StepLost { .. }
            | Event::Eliminated { .. }
            | Event::RemnantFormed { .. }
            | Event::Surrendered { .. }
            | Event::Landing { landing: Landing::Eliminated, .. } => Topic::Loss,
            Event::BrokenDown { .. }
            | Event::Recombined { .. }
            | Event::Replaced { .. }
            | Event::Marked { .. }
            | Event::Unmarked { .. }
            | Event::Bridge { .. }
            | Event::ImprovedPosition { .. }
            | Event::ImprovedPositionGone { .. }
            | Event::Traffic { .. }
            | Event::GreifGone { .. }
            | Event::Roadblock { .. }
            | Event::DumpRevealed { .. }
            | Event::DumpCaptured { .. }
            | Event::DumpSecured { .. }
            | Event::Fuel { .. }
            | Event::AirSupport { .. }
            | Event::Supply { .. }
            | Event::Isolated { .. } => Topic::Other,
        }
    }
}
