//! The state of the sequence of play: a stack of frames, the last of which is decided next.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};
use zocbond::{List, UnitId};

use crate::movement::Party;
use crate::pack::{Advance, Side};
use crate::state::{Fighters, Steps, Units, Way};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Normal,
    /// 8.3
    Tactical,
    /// 8.4
    Extended,
    /// 17.2: artillery under a Moved marker.
    Gun,
}

impl Mode {
    /// The mode named by a word; the mode of artillery under a Moved marker has several names.
    pub fn named(word: &str) -> Option<Mode> {
        let word = match word {
            "gun" | "moved" | "moved_marker" => Mode::Gun.key(),
            "tm" => Mode::Tactical.key(),
            "em" => Mode::Extended.key(),
            word => word,
        };
        Mode::ALL.into_iter().find(|mode| mode.key() == word)
    }

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

/// How far a unit has advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ahead {
    pub hexes: u8,
    /// Every step followed a road that gives the Road Bonus (15.3).
    pub by_road: bool,
}

impl Ahead {
    /// Before the first hex.
    pub const START: Ahead = Ahead { hexes: 0, by_road: true };
}

/// A combat under way (9.4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combat {
    pub side: Side,
    pub target: HexId,
    pub attackers: Fighters,
    pub lead: UnitId,
    pub attached: Option<UnitId>,
    pub guns: Units,
    pub air: bool,
    /// Guns and air that the attack named (9.4 step 4).
    pub plan: Option<(Units, bool)>,
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
    pub retreating: Fighters,
    /// 2.4.7: there are only Trains among them.
    pub only_trains: bool,
    /// 5.4: a unit whose advance was interrupted and may go on elsewhere.
    pub ahead: Option<(UnitId, Ahead)>,
    /// 13.1
    pub length: u8,
}

impl Combat {
    pub fn new(
        side: Side,
        target: HexId,
        attackers: Fighters,
        lead: UnitId,
        attached: Option<UnitId>,
    ) -> Combat {
        Combat {
            side,
            target,
            attackers,
            lead,
            attached,
            guns: Units::new(),
            air: false,
            plan: None,
            blown: false,
            breakthrough: false,
            result: None,
            morale_shift: false,
            step: CombatStep::Bridges,
            retreating: Fighters::new(),
            only_trains: false,
            ahead: None,
            length: 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatStep {
    /// Wired bridges that are attacked across are decided (5.4).
    Bridges,
    /// 9.4 step 2: a bridge was blown; the attacker may call off the attack.
    CallOff,
    Support,
    /// 9.4 step 5: with the support that the attack named.
    Roll,
    AttackerLoss,
    DefenderLoss,
    Stand,
    /// 12.4: the attacker's step loss from the Determined Defense table, chosen by `chooser`; then the defender's.
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

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    Phase(Side, Phase),
    /// A unit or a stack that is moving (8.1, 8.10).
    Moving {
        party: Party,
        mode: Mode,
        /// All hexes of its path, and how many have been entered.
        way: Way,
        done: u8,
        /// It leaves the map after the last hex (19.5).
        out: bool,
    },
    /// An interrupted move: the units may use their remaining points differently (5.4, 25.4).
    Halted {
        party: Party,
        mode: Mode,
    },
    /// 27.1: units that disengaged move one or two hexes each.
    Withdrawal(Units),
    /// A unit advancing after combat (15).
    Advancing {
        unit: UnitId,
        way: Steps,
        /// Hexes of the path that have been entered.
        done: u8,
        /// Hexes advanced before this path, and whether they followed roads (15.3).
        before: Ahead,
    },
    /// 5.4: the German player may blow a bridge. `crossing`: an Allied unit is about to cross it; otherwise one has
    /// come adjacent to it, and to `others`, which may be tried first (8.10).
    Demolition {
        bridge: u16,
        others: List<u16, 5>,
        crossing: bool,
    },
    /// 14.3: units in Full Retreat flee.
    Flight(List<UnitId, 48>),
    Combat(Combat),
    Over,
}

/// What the frame on top of the stack is, without what it contains: that decides whether it runs or asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Phase(Side, Phase),
    Moving,
    Halted,
    Withdrawal,
    Advancing,
    Demolition,
    Flight,
    Combat(CombatStep),
}

impl Frame {
    /// None when the game is over.
    pub const fn stage(&self) -> Option<Stage> {
        Some(match self {
            Frame::Phase(side, phase) => Stage::Phase(*side, *phase),
            Frame::Moving { .. } => Stage::Moving,
            Frame::Halted { .. } => Stage::Halted,
            Frame::Withdrawal(_) => Stage::Withdrawal,
            Frame::Advancing { .. } => Stage::Advancing,
            Frame::Demolition { .. } => Stage::Demolition,
            Frame::Flight(_) => Stage::Flight,
            Frame::Combat(c) => Stage::Combat(c.step),
            Frame::Over => return None,
        })
    }
}
