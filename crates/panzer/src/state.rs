//! The complete state of a game, as plain data.

use hexgrid::{Direction, HexId, HexSet};
use kernel::{Stamp, Standing};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    air::Air,
    assault::Assault,
    bail::BailQueue,
    fire::Fire,
    frame::{Frame, Player},
    indirect::Indirect,
    movement::Walk,
    pack::Side,
    phase::Phase,
    units::{UnitId, UnitSet},
    works::Works,
};

/// Where a vehicle is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    #[default]
    Map,
    /// Held off the map by the scenario, not yet entered (4.5.1.1.9).
    Held,
    /// Left the map: out of the scenario, not eliminated (4.5.1.1.9).
    Exited,
    KnockedOut,
    BrewedUp,
    /// A Leg or towed unit out of the game (6.5.4.4.3): it leaves no wreck.
    Eliminated,
    /// 5.2.1: a gun on its portee, which is one unit with it.
    Portee,
    /// 7.2: on the map, but only its owner knows where ([`crate::hidden`]).
    Hidden,
}

impl Place {
    pub const fn key(self) -> &'static str {
        match self {
            Place::Map => "map",
            Place::Held => "held",
            Place::Exited => "exited",
            Place::KnockedOut => "knocked_out",
            Place::BrewedUp => "brewed_up",
            Place::Eliminated => "eliminated",
            Place::Portee => "portee",
            Place::Hidden => "hidden",
        }
    }

    pub const fn eliminated(self) -> bool {
        matches!(self, Place::KnockedOut | Place::BrewedUp | Place::Eliminated)
    }
}

/// 1.7.2, 4.2: the five Commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// 4.2: the Command of a vehicle that was given none.
    #[default]
    NoCommand,
    Fire,
    Move,
    ShortHalt,
    Overwatch,
}

impl Command {
    pub const ALL: [Command; 5] =
        [Command::Fire, Command::Move, Command::ShortHalt, Command::Overwatch, Command::NoCommand];

    pub const fn key(self) -> &'static str {
        match self {
            Command::NoCommand => "no_command",
            Command::Fire => "fire",
            Command::Move => "move",
            Command::ShortHalt => "short_halt",
            Command::Overwatch => "overwatch",
        }
    }

    /// Must fire in the Direct Fire step (4.2.1).
    pub const fn fires(self) -> bool {
        matches!(self, Command::Fire | Command::ShortHalt)
    }

    /// Moves in the Movement Phase; a moving target (4.4.3.2.2).
    pub const fn moves(self) -> bool {
        matches!(self, Command::Move | Command::ShortHalt)
    }
}

/// How long a side holds its Overwatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// Until the moving vehicle has finished its move.
    Move,
    /// Until the step ends.
    Step,
}

/// 3.4, 4.1.3: the side of a vehicle's Spot counter that is up; it has at most one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    #[default]
    None,
    Move,
    Fire,
    /// 6.1.3: has fired only Small Arms.
    FireSmallArms,
}

impl Spot {
    pub const fn key(self) -> &'static str {
        match self {
            Spot::None => "none",
            Spot::Move => "move",
            Spot::Fire => "fire",
            Spot::FireSmallArms => "fire_sa",
        }
    }
}

/// Marks of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags(pub u64);

impl Flags {
    /// 4.4.3.2.6
    pub const DAMAGED: Flags = Flags(1);
    /// Has fired this turn (4.4.1).
    pub const FIRED: Flags = Flags(1 << 1);
    /// Has finished its movement this turn (4.5.1).
    pub const MOVED: Flags = Flags(1 << 2);
    /// Its Command has been shown (4.2.1).
    pub const REVEALED: Flags = Flags(1 << 3);
    /// Its Spot counter was placed after this turn's Spotting Phase.
    pub const NEW_SPOT: Flags = Flags(1 << 4);

    /// 5.10: the counter's sides Suppression/On and Suppression/Off; their effects are the same.
    pub const SUPPRESSED_ON: Flags = Flags(1 << 5);
    pub const SUPPRESSED_OFF: Flags = Flags(1 << 6);
    pub const SUPPRESSED: Flags = Flags(Flags::SUPPRESSED_ON.0 | Flags::SUPPRESSED_OFF.0);
    /// 6.5.2.2.4: the kinds of damage of the Advanced Game.
    pub const TURRET: Flags = Flags(1 << 7);
    pub const HULL: Flags = Flags(1 << 8);
    /// 6.5.2.2.1
    pub const TRACK: Flags = Flags(1 << 9);
    /// 5.15: abandoned by its crew.
    pub const BAILED: Flags = Flags(1 << 10);
    /// 6.5.4.4.3: a squad on its half-squad side.
    pub const REDUCED: Flags = Flags(1 << 11);
    /// 6.1.4.2
    pub const FULL_COVER: Flags = Flags(1 << 12);
    /// 6.6.4.3: crawled this turn.
    pub const CRAWLED: Flags = Flags(1 << 13);
    /// 6.8.3.1.2: fired at this turn.
    pub const UNDER_FIRE: Flags = Flags(1 << 14);
    /// 6.1.4.1: fully or partly hull down after a search; `HULL_DOWN_REVERSE`: it backed in (6.6.9).
    pub const HULL_DOWN: Flags = Flags(1 << 15);
    pub const PARTLY_HULL_DOWN: Flags = Flags(1 << 16);
    pub const HULL_DOWN_REVERSE: Flags = Flags(1 << 17);
    /// 6.1.4.3.1: inside the building of its hex; on its top floor or roof.
    pub const INSIDE: Flags = Flags(1 << 18);
    pub const UP: Flags = Flags(1 << 19);
    /// 6.1.4.3.6, 6.1.4.3.7: the unit occupies the hex's entrenchment or Improved Position.
    pub const ENTRENCHED: Flags = Flags(1 << 20);
    pub const IMPROVED: Flags = Flags(1 << 21);
    /// Has fired something that is not Small Arms this turn (6.1.3).
    pub const FIRED_HEAVY: Flags = Flags(1 << 22);
    /// 6.6.1: has made an assault this turn, or was declared to.
    pub const ASSAULTED: Flags = Flags(1 << 23);

    /// 6.6.7.1.1: has paid for mounting and dismounting in its hex.
    pub const LOADED: Flags = Flags(1 << 24);

    /// 6.6.10: left a vehicle this turn.
    pub const LEFT: Flags = Flags(1 << 25);
    /// 7.31: clears mines this turn, and does not dig.
    pub const CLEARING: Flags = Flags(1 << 32);
    /// 7.29
    pub const BOGGED: Flags = Flags(1 << 34);
    /// 7.1.5: Hesitating and Broken, On and Off as for suppression.
    pub const HESITATES_ON: Flags = Flags(1 << 35);
    pub const HESITATES_OFF: Flags = Flags(1 << 36);
    pub const HESITATES: Flags = Flags(Flags::HESITATES_ON.0 | Flags::HESITATES_OFF.0);
    pub const BROKEN_ON: Flags = Flags(1 << 37);
    pub const BROKEN_OFF: Flags = Flags(1 << 38);
    pub const BROKEN: Flags = Flags(Flags::BROKEN_ON.0 | Flags::BROKEN_OFF.0);
    /// 6.1.4.1.2: its Improved Position makes it partly hull down.
    pub const IMPROVED_PARTLY: Flags = Flags(1 << 33);

    /// 5.2.1: a portee whose gun is on the ground.
    pub const UNLOADED: Flags = Flags(1 << 39);

    /// 7.9: has fired its smoke dischargers this turn.
    pub const DISCHARGED: Flags = Flags(1 << 40);

    /// Marks that are removed at the end of the turn (4.6.1, 6.8.4).
    pub const OF_TURN: Flags = Flags(
        Flags::FIRED.0
            | Flags::MOVED.0
            | Flags::REVEALED.0
            | Flags::CRAWLED.0
            | Flags::UNDER_FIRE.0
            | Flags::FIRED_HEAVY.0
            | Flags::ASSAULTED.0
            | Flags::LOADED.0
            | Flags::DISCHARGED.0
            | Flags::LEFT.0,
    );
}

/// One vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    pub place: Place,
    /// Its hex; [`HexId::NONE`] off the map.
    pub hex: HexId,
    /// The hexside it faces (3.3).
    pub facing: Direction,
    pub command: Command,
    pub spot: Spot,
    pub flags: Flags,
    /// 6.6.7: the vehicle that carries or tows it; its hex is the vehicle's.
    pub aboard: UnitId,
    /// 5.16.2.4: the vehicle that brought it.
    pub hauler: UnitId,
    /// 5.16.2.4: the hex of its ammunition, where it was at the start.
    pub store: HexId,
    /// 6.2.1.1.3: the units of a formation that share a Command have the same number; 0: it shares none.
    pub group: u8,
    /// 7.17: attached weapons lost, by index.
    pub lost: u8,
    /// The part of its allowance left when it ended its move (6.6.7.1.1).
    #[serde(default)]
    pub left: u8,
    /// 6.6.1.1: the cost of the advance of a unit whose assault lapsed; it may move with the rest.
    #[serde(default)]
    pub paid: u8,
    /// 6.1.4.3.7: the side of its Improved Position that is open; it does not turn with a vehicle.
    pub open_side: Direction,
}

impl Unit {
    pub const OFF: Unit = Unit {
        place: Place::Held,
        hex: HexId::NONE,
        facing: Direction::D0,
        command: Command::NoCommand,
        spot: Spot::None,
        flags: Flags(0),
        aboard: UnitId::NONE,
        hauler: UnitId::NONE,
        store: HexId::NONE,
        group: 0,
        lost: 0,
        left: 0,
        paid: 0,
        open_side: Direction::D0,
    };

    #[inline]
    pub const fn is(&self, flag: Flags) -> bool {
        self.flags.0 & flag.0 != 0
    }

    pub const fn set(&mut self, flag: Flags) {
        self.flags.0 |= flag.0;
    }

    pub const fn clear(&mut self, flag: Flags) {
        self.flags.0 &= !flag.0;
    }

    /// 5.10
    #[inline]
    pub const fn suppressed(&self) -> bool {
        self.is(Flags::SUPPRESSED)
    }

    /// 6.6.7: carried or towed.
    #[inline]
    pub const fn passenger(&self) -> bool {
        self.aboard.0 != UnitId::NONE.0
    }

    #[inline]
    pub const fn on_map(&self) -> bool {
        matches!(self.place, Place::Map)
    }
}

/// The control of an objective (3.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    pub side: Option<Side>,
    /// The side that occupied it when the turn began.
    pub at_start: Option<Side>,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub winner: Option<Side>,
    /// Victory points of both sides.
    pub points: [i32; 2],
    /// Which of the winner's levels, the best being 0.
    pub level: Option<u8>,
}

/// The complete state.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The state of the sequence of play: the last frame runs or waits.
    pub frames: SmallVec<[Frame; 16]>,
    pub turn: u8,
    pub phase: Phase,
    /// First Player of this turn, once initiative is known (4.3.1).
    pub first: Option<Side>,
    /// First Player of the previous turn (4.3.1).
    pub last_first: Option<Side>,
    /// 7.42: the pairs of formations of this turn, and the pair whose turn it is, counted from 1; 0: all.
    #[serde(default)]
    pub pairs: SmallVec<[crate::initiative::Pair; 4]>,
    #[serde(default)]
    pub pair: u8,
    pub ending: Option<Ending>,
    pub units: Vec<Unit>,
    /// For each vehicle, the units that spotted it in this turn's Spotting Phase (4.1).
    pub spotters: Vec<UnitSet>,
    /// The sides that have placed all Commands (4.2.1).
    pub committed: [bool; 2],
    /// Hexes with a wreck, KO or BU (4.1.4.1.8).
    pub wrecks: HexSet,
    /// Hexes with a BU wreck, and so with Brew-Up smoke (4.1.4.1.9).
    pub smoke: HexSet,
    /// Smoke created in the current player step, which does not hinder yet (4.4.3.2.2).
    pub new_smoke: HexSet,
    pub control: Vec<Control>,
    /// Vehicles that have fired in this Combat Phase, or in this chain of Overwatch during a move (4.4.2).
    pub triggers: UnitSet,
    /// Targets at which fire has been declared and resolved in this step: no more may be declared (4.4.1).
    pub aimed: UnitSet,
    /// The sides that hold Overwatch for some time (4.4.2).
    pub standing: Standing<Hold>,
    /// Vehicles with Move or Short Halt that have not moved are being handled (4.5.1).
    pub staying: bool,
    /// Vehicles that left by an edge that scores in the scenario.
    pub exited: UnitSet,
    /// 6.5.2.6: bail-out tests to be made when all combat against a vehicle is over.
    pub bail: BailQueue,
    /// 6.2.1.1: how many Commands each formation has this turn.
    pub available: Vec<u8>,
    /// 6.2.1.1.4: targets of units that share a Command this turn: side, group, and the target's hex.
    pub shared_targets: SmallVec<[(Side, u8, HexId); 4]>,
    /// 6.6.11: targets that units sharing a Move have assaulted or overrun this turn: side, group, target.
    #[serde(default)]
    pub shared_attacks: SmallVec<[(Side, u8, UnitId); 4]>,
    /// 6.2.1.1.3: groups that are road columns: side and group.
    #[serde(default)]
    pub columns: SmallVec<[(Side, u8); 4]>,
    /// 6.6.10: overruns declared in this phase: target and vehicle; and targets whose overruns have begun.
    #[serde(default)]
    pub overruns: SmallVec<[(UnitId, UnitId); 4]>,
    #[serde(default)]
    pub overrun: UnitSet,
    /// 6.5.2.6: units that left their vehicles and whose facing is to be chosen; the next one is last.
    #[serde(default)]
    pub landed: SmallVec<[UnitId; 4]>,
    /// The fire that is being resolved.
    pub fire: Fire,
    /// The move that is being made.
    pub walk: Walk,
    /// The assault that is being carried out (6.6.1).
    pub assault: Assault,
    /// Missions, smoke and barrages (6.5.1).
    pub indirect: Indirect,
    /// Counters on the ground (6.1.4.3).
    pub works: Works,
    /// Aircraft (6.7).
    pub air: Air,
    /// 7.1
    pub morale: crate::morale::Morale,
    /// 7.2: hidden units, known to their owner only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<crate::hidden::Veil>,
    #[serde(skip)]
    pub stamp: Stamp,
}

crate::copy::in_place!(State {
    frames,
    turn,
    phase,
    first,
    last_first,
    pairs,
    pair,
    ending,
    units,
    spotters,
    committed,
    wrecks,
    smoke,
    new_smoke,
    control,
    triggers,
    aimed,
    standing,
    staying,
    exited,
    bail,
    available,
    shared_targets,
    shared_attacks,
    columns,
    overruns,
    overrun,
    landed,
    fire,
    walk,
    assault,
    indirect,
    works,
    air,
    morale,
    hidden,
    stamp,
});

impl State {
    pub fn new(units: usize, objectives: usize) -> State {
        State {
            frames: SmallVec::new(),
            turn: 1,
            // The turn before the first has ended.
            phase: Phase::Adjustment,
            first: None,
            last_first: None,
            pairs: SmallVec::new(),
            pair: 0,
            ending: None,
            units: vec![Unit::OFF; units],
            spotters: vec![UnitSet::EMPTY; units],
            committed: [false; 2],
            wrecks: HexSet::EMPTY,
            smoke: HexSet::EMPTY,
            new_smoke: HexSet::EMPTY,
            control: vec![Control::default(); objectives],
            triggers: UnitSet::EMPTY,
            aimed: UnitSet::EMPTY,
            standing: Standing::default(),
            staying: false,
            exited: UnitSet::EMPTY,
            bail: BailQueue::default(),
            available: Vec::new(),
            shared_targets: SmallVec::new(),
            shared_attacks: SmallVec::new(),
            columns: SmallVec::new(),
            overruns: SmallVec::new(),
            overrun: UnitSet::EMPTY,
            landed: SmallVec::new(),
            fire: Fire::default(),
            walk: Walk::default(),
            assault: Assault::default(),
            indirect: Indirect::default(),
            works: Works::default(),
            air: Air::default(),
            morale: crate::morale::Morale::default(),
            hidden: Vec::new(),
            stamp: Stamp::default(),
        }
    }

    #[inline]
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    #[inline]
    pub fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        &mut self.units[id.index()]
    }

    pub fn ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.units.len() as u8).map(UnitId)
    }

    /// The vehicles in a hex, of both sides.
    #[inline]
    pub fn in_hex(&self, hex: HexId) -> impl Iterator<Item = UnitId> {
        let here = self.units.iter().enumerate().filter(move |(_, u)| u.hex == hex);
        here.map(|(n, _)| UnitId(n as u8))
    }

    /// The frame that runs or waits now.
    #[inline]
    pub fn top(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame::Sequence)
    }

    /// Second Player (4.3.1).
    pub fn second(&self) -> Option<Side> {
        self.first.map(Side::enemy)
    }

    /// The side of a player, once initiative has been rolled (4.3.1).
    pub fn side_of(&self, player: Player) -> Option<Side> {
        match player {
            Player::First => self.first,
            Player::Second => self.second(),
        }
    }
}
