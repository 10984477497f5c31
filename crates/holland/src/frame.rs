//! Where the game stands: a stack of frames, the last of which is being decided.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};
use zocbond::UnitId;

use crate::movement::Stride;
use crate::pack::{Advance, Side};

/// 3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// 4.1
    Weather,
    Replacement,
    Artillery,
    Bridge,
    Airlanding,
    Movement,
    Combat,
    /// 14.4
    Recovery,
    /// 18.1
    Supply,
    Traffic,
}

impl Phase {
    /// 3.2: the phases of a player turn, in order.
    pub const ALL: [Phase; 10] = [
        Phase::Weather,
        Phase::Replacement,
        Phase::Artillery,
        Phase::Bridge,
        Phase::Airlanding,
        Phase::Movement,
        Phase::Combat,
        Phase::Recovery,
        Phase::Supply,
        Phase::Traffic,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Phase::Weather => "weather",
            Phase::Recovery => "recovery",
            Phase::Supply => "supply",
            Phase::Replacement => "replacement",
            Phase::Artillery => "artillery",
            Phase::Bridge => "bridge",
            Phase::Airlanding => "airlanding",
            Phase::Movement => "movement",
            Phase::Combat => "combat",
            Phase::Traffic => "traffic",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            Phase::Weather => "4.1",
            Phase::Recovery => "14.4",
            Phase::Supply => "18.1",
            Phase::Replacement => "20.3",
            Phase::Artillery => "17.3",
            Phase::Bridge => "5",
            Phase::Airlanding => "22.1",
            Phase::Movement => "8.1",
            Phase::Combat => "9.1",
            Phase::Traffic => "24.3",
        }
    }
}

/// How a unit moves (8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Normal,
    /// 8.3
    Tactical,
    /// 8.4
    Extended,
    /// 17.2: a gun under a Moved marker.
    Gun,
}

impl Mode {
    pub const ALL: [Mode; 4] = [Mode::Normal, Mode::Tactical, Mode::Extended, Mode::Gun];

    pub const fn key(self) -> &'static str {
        match self {
            Mode::Normal => "normal",
            Mode::Tactical => "tactical",
            Mode::Extended => "extended",
            Mode::Gun => "prime_mover",
        }
    }
}

/// A combat under way (9.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combat {
    pub side: Side,
    pub target: HexId,
    pub attackers: Vec<UnitId>,
    pub lead: UnitId,
    pub attached: Option<UnitId>,
    pub guns: Vec<UnitId>,
    pub air: bool,
    /// Guns and air that the attack named (9.4 step 4).
    pub plan: Option<(Vec<UnitId>, bool)>,
    /// 9.4 step 2: a bridge was blown under the attack.
    pub blown: bool,
    /// 16: a Breakthrough Combat.
    pub breakthrough: bool,
    /// The result's index in the pack, once rolled.
    pub result: Option<u8>,
    /// The Lead Unit gave a Morale Shift (10.2).
    pub morale_shift: bool,
    /// What is still to be done.
    pub step: CombatStep,
    /// Defenders that must retreat.
    pub retreating: Vec<UnitId>,
    /// 13.1
    pub length: u8,
}

impl Combat {
    pub fn new(
        side: Side,
        target: HexId,
        attackers: Vec<UnitId>,
        lead: UnitId,
        attached: Option<UnitId>,
    ) -> Combat {
        Combat {
            side,
            target,
            attackers,
            lead,
            attached,
            guns: Vec::new(),
            air: false,
            plan: None,
            blown: false,
            breakthrough: false,
            result: None,
            morale_shift: false,
            step: CombatStep::Bridges,
            retreating: Vec::new(),
            length: 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatStep {
    /// Wired bridges that are attacked across are looked at (5.4).
    Bridges,
    /// 9.4 step 2: a bridge was blown; the attacker may call the attack off.
    CallOff,
    Support,
    AttackerLoss,
    DefenderLoss,
    Stand,
    /// 12.4: the attacker's step of the Determined Defense table, named by `chooser`; then the defender's.
    StandLoss {
        chooser: Side,
        hold: bool,
        lead: UnitId,
        defender: u8,
    },
    Length,
    Retreat,
    Advance(Advance),
    Breakthrough,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    Phase(Side, Phase),
    /// A unit on its way (8.10): the hexes still to be entered.
    Moving {
        unit: UnitId,
        mode: Mode,
        rest: Vec<HexId>,
        /// Off the map behind the last hex (19.5).
        out: bool,
        /// How far it has come; none before it enters the map.
        stride: Option<Stride>,
    },
    /// A move that was interrupted: the unit may spend what it has left otherwise (5.4, 25.4).
    Halted {
        unit: UnitId,
        mode: Mode,
        stride: Stride,
    },
    /// 27.1: a unit that disengaged goes one or two hexes.
    Withdrawal {
        unit: UnitId,
        engaged: bool,
    },
    /// A unit advancing after combat (15): the hexes still to be entered.
    Advancing {
        unit: UnitId,
        rest: Vec<HexId>,
    },
    /// 5.4: the German may blow a bridge. `crossing`: an Allied unit is about to cross; else it has come to it.
    Demolition {
        bridge: u16,
        crossing: bool,
    },
    /// 14.3: a unit in Full Retreat flees.
    Flight(UnitId),
    Combat(Box<Combat>),
    Over,
}
