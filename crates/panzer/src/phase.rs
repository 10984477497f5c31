//! The sequence of play (4.0) and nothing else. The steps of the Advanced Game (6.0) are inserted between these.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::frame::{Frame, Player};

/// The phases of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Spotting,
    Command,
    Initiative,
    /// 6.4
    FirstAir,
    Combat,
    Movement,
    /// 6.7
    SecondAir,
    Adjustment,
}

use Phase::{Adjustment, Combat, Command, FirstAir, Initiative, Movement, SecondAir, Spotting};

impl Phase {
    pub const ALL: [Phase; 8] =
        [Spotting, Command, Initiative, FirstAir, Combat, Movement, SecondAir, Adjustment];

    /// The name in lab files and message keys.
    pub const fn key(self) -> &'static str {
        match self {
            Spotting => "spotting",
            Command => "command",
            Initiative => "initiative",
            FirstAir => "first_air",
            Combat => "combat",
            Movement => "movement",
            SecondAir => "second_air",
            Adjustment => "adjustment",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            Spotting => "4.1",
            Command => "4.2",
            Initiative => "4.3",
            FirstAir => "6.4",
            Combat => "4.4",
            Movement => "4.5",
            SecondAir => "6.7",
            Adjustment => "4.6",
        }
    }

    /// The Air Phases are played only if a side has aircraft (6.7).
    pub const fn of_air(self) -> bool {
        matches!(self, FirstAir | SecondAir)
    }

    /// The phase after this one; none at the end of the turn.
    pub const fn next(self) -> Option<Phase> {
        match self {
            Spotting => Some(Command),
            Command => Some(Initiative),
            Initiative => Some(FirstAir),
            FirstAir => Some(Combat),
            Combat => Some(Movement),
            Movement => Some(SecondAir),
            SecondAir => Some(Adjustment),
            Adjustment => None,
        }
    }
}

/// 7.42: the steps of a phase with formations in pairs. Direct fire and assaults go pair by pair, movement from the
/// last pair to the first; everything else is done by all together.
pub fn staggered(steps: &[Frame], pairs: u8) -> SmallVec<[Frame; 64]> {
    let mut out = SmallVec::new();
    let by_pairs = |frame: &Frame| {
        matches!(frame, Frame::DirectFire(_) | Frame::Assault(_) | Frame::OpenMovement(_) | Frame::EndStep)
    };
    let mut rest = steps;
    while let Some(frame) = rest.first() {
        // Four frames belong together: one player's step and its end, then the other's.
        let both = match rest {
            [a, Frame::EndStep, b, Frame::EndStep, ..] => {
                std::mem::discriminant(a) == std::mem::discriminant(b) && by_pairs(a)
            }
            _ => false,
        };
        if !both {
            out.push(*frame);
            rest = &rest[1..];
            continue;
        }
        let backward = matches!(frame, Frame::OpenMovement(_));
        for n in 1..=pairs {
            out.push(Frame::Pair(if backward { pairs + 1 - n } else { n }));
            out.extend_from_slice(&rest[..4]);
        }
        out.push(Frame::Pair(0));
        rest = &rest[4..];
    }
    out
}

/// 4.3.2, 6.0: the steps of a phase, in order. First Player fires first; Second Player moves first.
pub const fn steps(phase: Phase, advanced: bool) -> &'static [Frame] {
    match phase {
        Command if advanced => &[Frame::Available, Frame::Commands],
        Adjustment if advanced => &[
            Frame::Pivot(Player::First),
            Frame::Pivot(Player::Second),
            Frame::Dig,
            Frame::FullCover(Player::First),
            Frame::FullCover(Player::Second),
            Frame::Recovery,
            Frame::Adjustment,
            Frame::EndTurn,
        ],
        Spotting => &[Frame::Spotting],
        Command => &[Frame::Commands],
        Initiative => &[Frame::Initiative],
        FirstAir | SecondAir => &[Frame::Air],
        Combat if advanced => &[
            Frame::Planned(Player::First),
            Frame::Indirect(Player::First), // 6.5.1
            Frame::Planned(Player::Second),
            Frame::Indirect(Player::Second),
            Frame::IndirectEnd,
            Frame::DirectFire(Player::First),
            Frame::EndStep,
            Frame::DirectFire(Player::Second),
            Frame::EndStep,
            Frame::OpenOverwatch,
            Frame::EndStep,
        ],
        Combat => &[
            Frame::DirectFire(Player::First),
            Frame::EndStep,
            Frame::DirectFire(Player::Second),
            Frame::EndStep,
            Frame::OpenOverwatch,
            Frame::EndStep,
        ],
        Movement if advanced => &[
            Frame::Assault(Player::First), // 6.6.1
            Frame::EndStep,
            Frame::Assault(Player::Second),
            Frame::EndStep,
            Frame::OpenMovement(Player::Second),
            Frame::EndStep,
            Frame::OpenMovement(Player::First),
            Frame::EndStep,
        ],
        Movement => &[
            Frame::OpenMovement(Player::Second),
            Frame::EndStep,
            Frame::OpenMovement(Player::First),
            Frame::EndStep,
        ],
        Adjustment => &[Frame::Adjustment, Frame::EndTurn],
    }
}
