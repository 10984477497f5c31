//! The sequence of play (4), and nothing else.

use serde::{Deserialize, Serialize};

use crate::{
    frame::Frame,
    pack::{Edition, Side},
};

/// The phases of a player turn and of the Night turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    ArtillerySupply,
    Fuel,
    Bridge,
    Movement,
    Rally,
    Combat,
    Traffic,
    Supply,
    Victory,
    NightReplacement,
    NightMovement,
    NightCombat,
}

use Phase::{
    ArtillerySupply, Bridge, Combat, Fuel, Movement, NightCombat, NightMovement, NightReplacement, Rally,
    Supply, Traffic, Victory,
};
use Side::{Allied, German};

/// 4.A, 4.B: an AM or PM turn.
const DAY: &[(Side, Phase)] = &[
    (German, ArtillerySupply),
    (German, Fuel),
    (German, Bridge),
    (German, Movement),
    (German, Rally),
    (German, Combat),
    (German, Traffic),
    (German, Supply),
    (Allied, ArtillerySupply),
    (Allied, Bridge),
    (Allied, Movement),
    (Allied, Rally),
    (Allied, Combat),
    (Allied, Traffic),
    (Allied, Supply),
    (Allied, Victory),
];

/// 4.N, 25.1: the Night turn.
const NIGHT: &[(Side, Phase)] = &[
    (Allied, NightReplacement),
    (Allied, NightMovement),
    (Allied, NightCombat),
    (German, NightReplacement),
    (German, NightMovement),
    (German, NightCombat),
];

/// 1E 25.1: replacements first; the German player decides before the Allied player (1E 25.23).
const NIGHT_1E: &[(Side, Phase)] = &[
    (German, NightReplacement),
    (Allied, NightReplacement),
    (Allied, NightMovement),
    (Allied, NightCombat),
    (German, NightMovement),
    (German, NightCombat),
];

/// The phases of the turn, in order.
pub const fn sequence(edition: Edition, night: bool) -> &'static [(Side, Phase)] {
    match (edition, night) {
        (_, false) => DAY,
        (Edition::Second, true) => NIGHT,
        (Edition::First, true) => NIGHT_1E,
    }
}

/// The phase after this one; none at the end of the turn.
pub fn next(edition: Edition, night: bool, side: Side, phase: Phase) -> Option<(Side, Phase)> {
    let sequence = sequence(edition, night);
    let at = sequence.iter().position(|step| *step == (side, phase))?;
    sequence.get(at + 1).copied()
}

/// The steps of a phase, in order (4, and the order within each phase).
pub const fn steps(phase: Phase) -> &'static [Frame] {
    match phase {
        ArtillerySupply => &[Frame::RemovePrimeMovers, Frame::ReadyArtillery { left: u8::MAX }],
        Fuel => &[Frame::RemoveFuelDump, Frame::RollFuel { table: 0 }, Frame::RollFuel { table: 1 }],
        Bridge => &[Frame::CompleteBridges, Frame::Bridges],
        Movement => &[Frame::OpenMovement, Frame::Movement, Frame::CloseMovement],
        Rally => &[Frame::Rally],
        Combat => {
            &[Frame::OpenCombat, Frame::Disengage, Frame::RemoveEngaged, Frame::Attacks, Frame::CloseCombat]
        }
        Traffic => &[Frame::CheckRoadblocks, Frame::PlaceMarkers, Frame::RemoveTraffic, Frame::RemoveGreif],
        Supply => &[Frame::CheckSupply, Frame::CheckSurrender, Frame::Antwerp],
        Victory => &[Frame::CheckVictory],
        NightReplacement => &[Frame::OpenReplacements],
        NightMovement => &[Frame::OpenNight, Frame::Movement, Frame::CloseMovement],
        // 20.1: disengagement also at night; 20.5
        NightCombat => {
            &[Frame::OpenCombat, Frame::Disengage, Frame::RemoveEngaged, Frame::Attacks, Frame::CloseCombat]
        }
    }
}

impl Phase {
    pub const ALL: [Phase; 12] = [
        ArtillerySupply,
        Fuel,
        Bridge,
        Movement,
        Rally,
        Combat,
        Traffic,
        Supply,
        Victory,
        NightReplacement,
        NightMovement,
        NightCombat,
    ];

    /// The name in lab files and message keys.
    pub const fn key(self) -> &'static str {
        match self {
            ArtillerySupply => "artillery_supply",
            Fuel => "fuel",
            Bridge => "bridge",
            Movement => "movement",
            Rally => "rally",
            Combat => "combat",
            Traffic => "traffic",
            Supply => "supply",
            Victory => "victory",
            NightReplacement => "night_replacement",
            NightMovement => "night_movement",
            NightCombat => "night_combat",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            ArtillerySupply => "5",
            Fuel => "6",
            Bridge => "7",
            Movement => "11",
            Rally => "18.5",
            Combat => "14",
            Traffic => "24.3",
            Supply => "23.1",
            Victory => "30.1",
            NightReplacement => "25.2",
            NightMovement => "25.31",
            NightCombat => "25.32",
        }
    }

    pub const fn is_movement(self) -> bool {
        matches!(self, Movement | NightMovement)
    }

    pub const fn is_combat(self) -> bool {
        matches!(self, Combat | NightCombat)
    }

    pub const fn is_night(self) -> bool {
        matches!(self, NightReplacement | NightMovement | NightCombat)
    }
}
