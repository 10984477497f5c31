//! Every decision a player can make, small enough to be copied without touching the heap. Its text form is in
//! [`crate::notation`].

use hexgrid::{Direction, HexId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    pack::advanced::Angle,
    piece::Ammo,
    state::Command,
    units::{UnitId, UnitSet},
};

/// What a side acts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `phase`
    Phase,
    /// An own vehicle.
    Unit(UnitId),
    /// `target B`: an enemy vehicle, at which all fire is declared together (4.4.1).
    Target(UnitId),
}

/// One gun of one vehicle that fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    pub unit: UnitId,
    /// Which of the vehicle's AP guns (4.4.3.2.1), or of the unit's weapons in the Advanced Game.
    pub gun: u8,
    /// 6.5.2: chosen when firing. The Basic Game has only AP fire (4.4.3).
    #[serde(default)]
    pub ammo: Ammo,
    /// 5.14: a target other than that of the declaration; [`UnitId::NONE`] for the same.
    #[serde(default = "nobody")]
    pub at: UnitId,
    /// 7.18: Small Arms fired to pin.
    #[serde(default)]
    pub pinning: bool,
}

const fn nobody() -> UnitId {
    UnitId::NONE
}

impl Shot {
    pub const fn ap(unit: UnitId, gun: u8) -> Shot {
        Shot { unit, gun, ammo: Ammo::Ap, at: UnitId::NONE, pinning: false }
    }

    /// The target of this shot, in a declaration against `declared`.
    pub fn target(&self, declared: UnitId) -> UnitId {
        self.at.some().unwrap_or(declared)
    }
}

pub type Shots = SmallVec<[Shot; 12]>;

/// One part of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Turn to face this hexside (4.5.1.1.4).
    Turn(Direction),
    /// Through the faced hexside (3.3).
    Forward,
    /// Through the opposite one (4.5.1.1.7).
    Back,
    /// Off the map, forward or in reverse (4.5.1.1.9).
    Exit { back: bool },
    /// `mount T1`: a unit on foot mounts this vehicle, or a vehicle takes this unit aboard (6.6.7.1.1).
    Mount(UnitId),
    /// `dismount D1 1H6 NE`: a passenger dismounts (6.6.7.1.1).
    Dismount { unit: UnitId, hex: HexId, facing: Direction },
    /// `bail D1 NE`: emergency bail-out (6.6.7.1.2).
    Bail { unit: UnitId, facing: Direction },
    /// `search hd NE`, `search phd reverse NE`: for a hull down position (6.6.9).
    Search { partial: bool, reverse: bool, facing: Direction },
    /// `overrun B`: drive into the hex of a unit on foot (6.6.10).
    Overrun(UnitId),
    /// `assault B`, after `dismount`: the unit that dismounts attacks at once (6.6.1.1).
    Assault(UnitId),
    /// `enter` / `leave`: a vehicle enters the building of its hex, or leaves it (6.6.3).
    Door,
    /// `up` / `down`: a Leg unit changes floors (6.1.4.3.1, 6.6.4.1).
    Floor,
    /// `phd`: the vehicle takes an Improved Position that makes it partly hull down (6.1.4.1.2).
    Partly,
}

impl Part {
    /// Whether the unit itself moves or turns.
    pub const fn moves(self) -> bool {
        !matches!(self, Part::Mount(_) | Part::Dismount { .. } | Part::Bail { .. } | Part::Assault(_))
    }

    /// The hexside through which it leads, from this facing.
    pub fn through(self, facing: Direction) -> Option<Direction> {
        match self {
            Part::Forward | Part::Overrun(_) | Part::Exit { back: false } => Some(facing),
            Part::Back | Part::Exit { back: true } => Some(facing.opposite()),
            _ => None,
        }
    }
}

/// The details of a part that do not fit into four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Detail {
    kind: u8,
    unit: UnitId,
    hex: HexId,
    facing: u8,
}

const NO_DETAIL: Detail = Detail { kind: 0, unit: UnitId::NONE, hex: HexId::NONE, facing: 0 };

impl Detail {
    const fn part(self) -> Part {
        let facing = Direction::from_index(self.facing as usize % 6);
        match self.kind {
            0 => Part::Mount(self.unit),
            1 => Part::Dismount { unit: self.unit, hex: self.hex, facing },
            2 => Part::Bail { unit: self.unit, facing },
            3 => Part::Overrun(self.unit),
            8 => Part::Assault(self.unit),
            kind => Part::Search { partial: kind & 1 == 1, reverse: kind & 2 == 2, facing },
        }
    }

    const fn of(part: Part) -> Detail {
        match part {
            Part::Dismount { unit, hex, facing } => Detail { kind: 1, unit, hex, facing: facing as u8 },
            Part::Bail { unit, facing } => Detail { kind: 2, unit, facing: facing as u8, ..NO_DETAIL },
            Part::Mount(unit) => Detail { unit, ..NO_DETAIL },
            Part::Overrun(unit) => Detail { kind: 3, unit, ..NO_DETAIL },
            Part::Assault(unit) => Detail { kind: 8, unit, ..NO_DETAIL },
            Part::Search { partial, reverse, facing } => {
                let kind = 4 + partial as u8 + 2 * reverse as u8;
                Detail { kind, facing: facing as u8, ..NO_DETAIL }
            }
            _ => NO_DETAIL,
        }
    }
}

/// A move as its parts, four bits each: those already made, and those left when it is interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    len: u8,
    parts: [u64; 4],
    /// Details of the parts that need them, in order.
    details: [Detail; Plan::DETAILS],
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { len: 0, parts: [0; 4], details: [NO_DETAIL; Plan::DETAILS] }
    }
}

impl Plan {
    const PER_WORD: usize = 16;
    /// More than any move needs: the best road allowance is 19, with a turn in every hex.
    pub const MAX: usize = 4 * Self::PER_WORD;
    /// The most parts with details: all passengers of a lorry dismount, and others mount.
    const DETAILS: usize = 8;
    const DETAILED: u64 = 10;

    fn code(&self, at: usize) -> u64 {
        self.parts[at / Self::PER_WORD] >> (at % Self::PER_WORD * 4) & 15
    }

    /// How many of the first parts have details.
    fn detailed(&self, parts: usize) -> usize {
        (0..parts.min(self.len())).filter(|at| self.code(*at) == Self::DETAILED).count()
    }

    pub const fn len(&self) -> usize {
        self.len as usize
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a part; false if the plan is full.
    pub fn push(&mut self, part: Part) -> bool {
        let at = self.len();
        if at == Self::MAX {
            return false;
        }
        let code = match part {
            Part::Turn(facing) => facing.index() as u64,
            Part::Forward => 6,
            Part::Back => 7,
            Part::Exit { back } => 8 + u64::from(back),
            Part::Door => 13,
            Part::Floor => 14,
            Part::Partly => 15,
            detailed => {
                let n = self.detailed(at);
                let Some(slot) = self.details.get_mut(n) else { return false };
                *slot = Detail::of(detailed);
                Self::DETAILED
            }
        };
        self.parts[at / Self::PER_WORD] |= code << (at % Self::PER_WORD * 4);
        self.len += 1;
        true
    }

    pub fn get(&self, at: usize) -> Option<Part> {
        (at < self.len()).then(|| match self.code(at) {
            code @ 0..6 => Part::Turn(Direction::from_index(code as usize)),
            6 => Part::Forward,
            7 => Part::Back,
            code @ 8..10 => Part::Exit { back: code == 9 },
            13 => Part::Door,
            14 => Part::Floor,
            15 => Part::Partly,
            // A plan from outside may name more details than there is room for.
            _ => self.details.get(self.detailed(at)).copied().unwrap_or(NO_DETAIL).part(),
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = Part> + Clone + use<> {
        let plan = *self;
        (0..plan.len()).filter_map(move |at| plan.get(at))
    }

    /// The parts from `done` on.
    #[must_use]
    pub fn after(&self, done: usize) -> Plan {
        let mut plan = Plan { len: self.len.saturating_sub(done as u8), ..Plan::default() };
        let gone = self.detailed(done).min(Self::DETAILS);
        plan.details[..Self::DETAILS - gone].copy_from_slice(&self.details[gone..]);
        for (n, word) in plan.parts.iter_mut().enumerate() {
            let (at, bits) = (n + done / Self::PER_WORD, done % Self::PER_WORD * 4);
            let [low, high] = [at, at + 1].map(|at| self.parts.get(at).copied().unwrap_or(0));
            *word = if bits == 0 { low } else { low >> bits | high << (64 - bits) };
        }
        plan
    }
}

impl FromIterator<Part> for Plan {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let mut plan = Plan::default();
        for part in parts {
            plan.push(part);
        }
        plan
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// `move …`: a plan that is carried out part by part (4.5.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub unit: UnitId,
    /// By path and road (4.5.1.1.5).
    pub along: bool,
    /// The hex where a held vehicle enters the map; [`HexId::NONE`] for one that is on it.
    pub entry: HexId,
    pub plan: Plan,
}

/// `move … to …`: the cheapest legal plan with this end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Go {
    pub unit: UnitId,
    pub along: bool,
    pub entry: HexId,
    pub to: HexId,
    pub facing: Direction,
}

/// `call FO1 on 1H5 with bat1 M2 gp closed` (6.5.1.7), `adjust M1 to 1H6 …` (6.5.1.8.2)
#[derive(Clone, Debug, PartialEq)]
pub struct CallOrder {
    pub observer: UnitId,
    pub point: HexId,
    pub sources: crate::indirect::Sources,
    pub sheaf: crate::pack::advanced::Sheaf,
    /// Direction of a Closed Linear sheaf: 0 for north, then clockwise.
    pub direction: u8,
    pub smoke: bool,
    /// 6.5.1.6.2, 7.27
    pub light: bool,
    /// The mission to adjust; 0 for a new one.
    pub adjusts: u8,
}

impl CallOrder {
    /// GP fire in a Closed sheaf, without sources yet.
    pub fn new(observer: UnitId, point: HexId) -> CallOrder {
        let sheaf = crate::pack::advanced::Sheaf::Closed;
        let sources = crate::indirect::Sources::new();
        CallOrder { observer, point, sources, sheaf, direction: 0, smoke: false, light: false, adjusts: 0 }
    }
}

/// An aircraft enters the map (6.7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fly {
    pub craft: u8,
    pub hex: HexId,
    pub facing: Direction,
    pub speed: crate::pack::advanced::Speed,
    pub altitude: crate::pack::advanced::Altitude,
}

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `done`: nothing more to do in this step; in the Command Phase, all Commands are final (4.2.1).
    Done,

    /// `deploy`: set up as the scenario suggests.
    Deploy,
    /// `deploy forward`: another ready-made deployment, which may still be changed.
    DeployAs(crate::deployment::Stance),
    /// `place A 39T7 NE` (2.0)
    Place { unit: UnitId, hex: HexId, facing: Direction },

    /// `command A short_halt` (4.2.1)
    Command { unit: UnitId, command: Command },
    /// `first` / `second`: with the option that lets the winner of initiative choose.
    Order { first: bool },

    /// `fire B with A C#2`: all fire at one target, Direct or Overwatch (4.4.1, 4.4.2). A skeleton names no shooters.
    Fire { target: UnitId, shots: Shots },
    /// `smoke 1H5 with A`: smoke by direct fire (6.1.4.3.10).
    Smoke { unit: UnitId, hex: HexId },
    /// `discharge A`: smoke dischargers (7.9).
    Discharge { unit: UnitId },
    /// `hold`: no Overwatch now.
    Hold,
    /// `hold move`: no Overwatch at this vehicle for the rest of its move.
    HoldMove,
    /// `hold all`: no Overwatch for the rest of this step.
    HoldAll,
    /// `show`: show the target's Command, to count as a moving target (4.4.3.2.2).
    Show,
    /// `no effect`: keep it hidden (4.4.3.2.2).
    Decline,
    /// `front` / `rear` (4.4.3.2.4), `front_side` / `rear_side` (6.5.2.2)
    Angle(Angle),
    /// `spread B C` / `spread none`: assign further hits of one shot to other vehicles (6.5.2.1).
    Spread(SmallVec<[UnitId; 2]>),
    /// `command move A B C`: units that share one Command (6.2.1.1.3).
    Share { units: UnitSet, command: Command },
    /// `pivot A NE` (6.8.1)
    Pivot { unit: UnitId, facing: Direction },
    /// `cover A on` / `cover A off` (6.8.2)
    Cover { unit: UnitId, on: bool },

    /// `assault B with A1 A2 from 1H5`: all assaults on one target; those before `from` advance to that hex (6.6.1).
    Assault { target: UnitId, attackers: crate::assault::Attackers },
    /// A called mission (6.5.1.7).
    Call(CallOrder),
    /// `continue M1 [gp|smoke]` (6.5.1.8.1), `check M1` (6.5.1.9)
    Mission { id: u8, go: bool, smoke: bool },
    /// `plot bat1 turn 6 on 30S6 gp closed 2 smoke open 1` (6.5.1.11.1)
    Plot(crate::indirect::plan::Plot),
    /// `register bat1 30S6` (6.5.1.4)
    Register { battery: u8, point: HexId },
    /// `announce bat1`: planned fire begins now (6.5.1.11.2).
    Announce { battery: u8 },
    /// `impact A1` (6.5.1.12)
    Impact(UnitId),
    /// `demolish C5 with E1 E2`: engineers assault the terrain of a hex (7.19).
    Demolish { hex: HexId, units: SmallVec<[UnitId; 4]> },
    /// `load K1 rockets` (6.7.1)
    Load { craft: u8, rockets: bool },
    /// `fly K1 at 1A8 NE slow low` (6.7.2)
    Fly(Fly),
    /// `on`: one hex straight ahead (6.7.2.3)
    FlyOn,
    /// `on 1H6`, `on off`: straight ahead as far as this hex, or over the edge ([`HexId::NONE`]), until there is something to
    /// decide.
    FlyTo(HexId),
    /// `turn left` (6.7.2.3.1)
    FlyTurn { left: bool },
    /// `acquire B` (6.7.3.1.1)
    Acquire(UnitId),
    /// `strafe` / `bomb` / `bomb level` / `rocket` (6.7.3)
    AirAttack { arms: crate::air::Arms, level: bool },
    /// `aa F1 F2` (6.7.4)
    Aa(SmallVec<[UnitId; 4]>),
    /// `support B` / `support none`: squads in its hex support the attacked vehicle, or are kept for others
    /// (6.6.1.1.2).
    Support(UnitId),
    /// `primary A2` (6.6.1.1)
    Primary(UnitId),
    /// `occupy A1` / `occupy none` (6.6.1.1.3)
    Occupy(SmallVec<[UnitId; 8]>),

    /// `move A [road] C3 face NE back C2 [exit]` (4.5.1.1)
    Move(Move),
    /// `move A [road] to C5 NE`
    Go(Go),
    /// `stay A`: a Move without moving (4.5.1.1.8).
    Stay { unit: UnitId },
    /// `dismount D1 1H6 NE`: from a vehicle that does not move, or has ended its move (6.6.7.1.1).
    Dismount { unit: UnitId, hex: HexId, facing: Direction },
    /// `dismount D1 1H6 NE assault B`: from a vehicle that does not move, followed at once by an attack (6.6.1.1).
    DismountAssault { unit: UnitId, hex: HexId, facing: Direction, target: UnitId },
    /// `overrun B with A2 A3` / `overrun B alone`: which other vehicles overrun the target, before the first attack on
    /// it (6.6.10).
    Overruns { target: UnitId, units: SmallVec<[UnitId; 4]> },
    /// `go on`: continue the interrupted move as planned.
    GoOn,
    /// `stop`: the interrupted move ends here.
    Stop,
}
