//! The state of the sequence of play: a stack of frames, plain data. The top frame either runs automatically or waits
//! for a decision. [`crate::phase`] defines the order of frames.

use serde::{Deserialize, Serialize};

use crate::pack::{Side, advanced::Angle};

/// First or Second Player of the turn (4.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    First,
    Second,
}

/// What opens a window for Overwatch during a move (4.4.2, 4.5.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    Turn,
    Hex,
    /// Its owner declared that it stays, without moving or turning (4.5.1.1.8).
    Stay,
}

impl Trigger {
    pub const fn key(self) -> &'static str {
        match self {
            Trigger::Turn => "turn",
            Trigger::Hex => "hex",
            Trigger::Stay => "stay",
        }
    }
}

/// One thing to be done: a step of a phase, or a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// Bottom of the stack: continue with the next phase (4.0).
    Sequence,
    /// A lab file that starts in a phase without decisions waits for `done`.
    Begin,
    /// 2.0: a side with a set-up area places its vehicles.
    SetUp(Side),

    /// 4.1
    Spotting,
    /// 4.2.1: both sides at once.
    Commands,
    /// 4.3.1
    Initiative,
    /// Option: the winner of the roll chooses the First Player.
    ChooseOrder(Side),

    /// 6.5.1.4, 6.5.1.11: artillery plans are recorded before the battle.
    Plot(Side),
    /// 6.5.1.11: plans continue.
    Planned(Player),
    /// 6.5.1
    Indirect(Player),
    /// Indirect smoke and barrages hinder from now on (6.5.2.4).
    IndirectEnd,
    /// 6.5.1.13: the next attack of a barrage.
    Land,
    LandShow,
    LandHit,
    /// 6.5.1.12: the opponent chooses the unit that a natural 1 falls on.
    Misdirect,

    /// 6.7.1: the load of aircraft, before the game.
    Load,
    /// 6.4, 6.7: the choice of the aircraft that flies now.
    Air,
    /// It crosses the map hex by hex.
    Flight,
    FlyOn,
    /// 6.7.4: the other side may fire at it.
    AaWindow,
    /// 6.7.3: the next attack of its pattern.
    AirNext,
    AirShow,
    AirHit,

    /// 7.42: the formations of this pair act now, with their own First Player; 0: all act.
    Pair(u8),

    /// 4.4.1
    DirectFire(Player),
    /// A player's step ends: its smoke takes effect (4.4.3.2.2).
    EndStep,
    /// 4.4.2 in the Combat Phase; `passed`: the other side has just declined.
    Overwatch {
        side: Side,
        passed: bool,
    },
    /// The first Overwatch: First Player declares (4.4.2).
    OpenOverwatch,

    /// 4.4.3.2.2: the target's owner may show a hidden Command.
    ShowCommand,
    /// 4.4.3.2: the next shot of the fire declared.
    Shot,
    /// 4.4.3.2.4: on the line between front and rear the target's owner chooses.
    HitAngle,
    /// 4.4.3.2.5, 4.4.3.2.6
    Penetration {
        rear: bool,
    },
    /// 6.5.2.1: the firing side may assign further hits to other vehicles.
    Spread,
    /// 6.5.2.2: the next hit of the shot.
    Strike,
    /// 6.5.2.2, 6.5.2.3: the location of a hit from this side.
    Location {
        angle: Angle,
    },
    /// 6.5.2.6: bail-out tests.
    BailOut,
    /// 6.5.2.6: the owner of a unit that has left its vehicle chooses its facing.
    FaceOut,
    /// 5.1.3.4: a hand-held anti-tank weapon also hits the passengers of its target.
    Splash,

    /// 6.6.1: Close Assault and Hand-to-Hand.
    Assault(Player),
    /// 6.6.1.1.2: squads in the hex of several vehicles: whether their owner supports the one attacked.
    Support,
    /// The next advance or fight of the assault declared.
    AssaultNext,
    /// 6.6.1.1: the choice of the primary attacker of a hex.
    NamePrimary,
    /// 6.6.1.1.2: the vehicle's owner may show a hidden Command.
    AssaultShow,
    /// 6.6.1.1.1, 6.6.1.2.1
    Fight,
    /// 6.6.1.1.3: the winners may enter the hex.
    Occupy,

    /// 4.5
    OpenMovement(Player),
    Movement(Side),
    /// The vehicle that moves takes its next step.
    Walk,
    /// Its move was interrupted: its owner may revise the plan.
    Revise,
    /// 6.6.10: before the first overrun of a target, its owner names all others.
    Overruns,
    /// The vehicle is in the target's hex.
    OverrunAttack,
    /// The other side may fire Overwatch at the mover (4.4.2).
    Window(Trigger),
    /// 4.4.2, 4.5: Overwatch in answer to Overwatch; `passed`: the other side has just declined.
    Answer {
        side: Side,
        passed: bool,
    },

    /// 6.6.8: work on entrenchments is credited (6.8.2).
    Dig,
    /// 6.2.1: how many Commands each formation has.
    Available,
    /// 6.8.1, one side after the other.
    Pivot(Player),
    /// 6.8.2, one side after the other.
    FullCover(Player),
    /// 6.8.3
    Recovery,
    /// 4.6.1
    Adjustment,
    /// 4.6.2
    EndTurn,
}

impl Frame {
    /// The player whose step it is, for steps that both players have.
    pub const fn player(self) -> Option<Player> {
        match self {
            Frame::DirectFire(player)
            | Frame::Assault(player)
            | Frame::Indirect(player)
            | Frame::Pivot(player)
            | Frame::FullCover(player) => Some(player),
            _ => None,
        }
    }
}
