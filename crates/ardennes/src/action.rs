//! Every decision a player can make (DECISIONS of the rules), small and copied without touching the heap.
//! Its text form is in [`crate::notation`].

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use crate::{
    list::List,
    pack::{BoxId, EntryId, FormationId, UnitId},
};

/// Units that move or disengage together.
pub const MAX_STACK: usize = 8;
/// Units of one attack: two formations with an attached unit each (14.3) are fewer.
pub const MAX_ATTACKERS: usize = 20;

pub use zocbond::Path;

pub type Units = List<UnitId, MAX_STACK>;
pub type Attackers = List<UnitId, MAX_ATTACKERS>;
pub type Supporters = List<UnitId, 2>;

/// How a unit moves (11, 12, 22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Normal,
    /// 11.2
    Extended,
    /// 11.3
    Tactical,
    /// 12.1
    Strategic,
    /// 12.6
    Truck,
    /// 22.3
    PrimeMover,
}

impl Mode {
    pub const ALL: [Mode; 6] =
        [Mode::Normal, Mode::Extended, Mode::Tactical, Mode::Strategic, Mode::Truck, Mode::PrimeMover];

    /// The word of the notation; none for normal movement.
    pub const fn word(self) -> &'static str {
        match self {
            Mode::Normal => "normal",
            Mode::Extended => "extended",
            Mode::Tactical => "tactical",
            Mode::Strategic => "strategic",
            Mode::Truck => "truck",
            Mode::PrimeMover => "prime_mover",
        }
    }

    /// The mode that a word means: the notation's word, or what players call the mode.
    pub fn named(word: &str) -> Option<Mode> {
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "trucks" => Some(Mode::Truck),
            "sm" => Some(Mode::Strategic),
            "tm" => Some(Mode::Tactical),
            "prime" => Some(Mode::PrimeMover),
            word => Mode::ALL.into_iter().find(|mode| mode.word() == word),
        }
    }
}

/// `move …`: a plan that is carried out hex by hex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    pub units: Units,
    pub mode: Mode,
    /// The Entry Hex of units that come from off the map; [`HexId::NONE`] for units on it.
    pub entry: HexId,
    /// The destination.
    pub to: HexId,
    /// The path from the unit's hex (or the Entry Hex) to `to`; empty means the cheapest legal one.
    pub path: Path,
    /// The unit leaves the map from `to` (11.9).
    pub out: bool,
}

impl Move {
    pub fn to(unit: UnitId, to: HexId, mode: Mode) -> Move {
        Move { units: Units::one(unit), mode, entry: HexId::NONE, to, path: Path::default(), out: false }
    }
}

/// `attack …`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attack {
    pub target: HexId,
    /// Empty in a listed skeleton, which has to be filled in.
    pub units: Attackers,
    /// The artillery meant to support the attack. It is declared in step 3 (14.4): until then only the attacker knows
    /// of it.
    pub artillery: Supporters,
    /// An air support marker meant for the attack (15.6), likewise secret.
    pub air: bool,
    /// The 150th Panzer Brigade tries surprise (27.8.3).
    pub surprise: bool,
    /// The support is declared by a decision of its own in step 3, even if nothing can happen before it.
    pub support_apart: bool,
}

impl Attack {
    /// A skeleton, to be filled in.
    pub fn blank(target: HexId) -> Attack {
        Attack {
            target,
            units: Attackers::new(),
            artillery: Supporters::new(),
            air: false,
            surprise: false,
            support_apart: false,
        }
    }

    /// An attack by one unit alone.
    pub fn by(unit: UnitId, target: HexId) -> Attack {
        Attack { units: List::one(unit), ..Attack::blank(target) }
    }
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// `done`: nothing more in this phase or step.
    Done,

    /// `deploy`: the shipped deployment of everything (31.1).
    Deploy,
    /// `deploy armor`: the armored units as near the enemy as their areas allow, the others where the shipped deployment has
    /// them or next to it (31.1).
    DeployArmor,
    /// `place A 1515`: set-up (31.1), US Engineers (13.2).
    Place { unit: UnitId, hex: HexId },

    /// `ready G` (5.2)
    Ready { unit: UnitId },
    /// `fuel 2pz` (6.1, 6.4)
    Fuel { formation: FormationId },
    /// `spend fuel` / `keep fuel`: captured fuel for this roll, or for a later one (1E 32.2).
    SpendFuel { spend: bool },
    /// `blow 1212/1213 [with A]` (7.3, 7.4): bridge by its index on the map.
    Blow { bridge: u16, unit: Option<UnitId> },
    /// `hold fire` (7.4)
    HoldFire,
    /// `repair 1212/1213` (7.9)
    Repair { bridge: u16 },
    /// `burn 1515`: destroy a fuel dump (32.3).
    Burn { hex: HexId },

    /// `move A 1212 1313 [mode] [out]` (11, 12, 13)
    Move(Move),
    /// `halt`: an interrupted move ends where the unit is.
    Halt,
    /// `infiltrate` / `no infiltration` (27.8.2)
    Infiltrate { attempt: bool },
    /// `send A southwest`: to an Off-Map Box (13.1, 13.5, 13.6).
    Send { unit: UnitId, to: BoxId },
    /// `block A at B`: to the Blocking Position of Entry Hex B (13.4, 13.5).
    Block { unit: UnitId, entry: EntryId },
    /// `dig A`: start an Improved Position (15.8).
    Dig { unit: UnitId },
    /// `finish A`: finish the Improved Position of its hex (15.8).
    Finish { unit: UnitId },
    /// `fill A`: abandon the Improved Position of its hex (1E 15.8).
    Fill { unit: UnitId },
    /// `load A`: on a Truck (12.61).
    Load { unit: UnitId },
    /// `unload A`: take an unused SM or Truck marker off (12.7).
    Unload { unit: UnitId },
    /// `night A B`: one Night marker on units of one stack (25.33).
    Night { units: Units },
    /// `drop A 1515`: von der Heydte (27.2).
    Drop { unit: UnitId, hex: HexId },
    /// `air`: roll for air support (15.6).
    Air,
    /// `breakdown A` / `breakdown A whole` (26.1): one Breakdown unit, or two and the Remnant.
    Breakdown { unit: UnitId, whole: bool },
    /// `recombine A` with its parent (26.4).
    Recombine { unit: UnitId },

    /// `disengage A B` (20.2)
    Disengage { units: Units },
    /// `attack 1313 with A B [artillery G H] [air] [surprise]` (14)
    Attack(Attack),
    /// `call off` (14.4)
    CallOff,
    /// `go on` (14.4)
    GoOn,
    /// `support G [H] [air]`: artillery for the attack (22.7) with an air support marker (15.6), or for the defense
    /// (22.8). Empty in a listed skeleton, which has to be filled in.
    Support { units: Supporters, air: bool },
    /// `no support`
    NoSupport,
    /// `press lead A`: Fire Fight (16.2)
    Press { lead: UnitId },
    /// `engage`: the result is Eng (16.2)
    Engage,
    /// `slip away`: Recon (21.4)
    SlipAway,
    /// `accept`: Recon takes the result as it is (21.4)
    Accept,
    /// `lose A` (16.3)
    Lose { unit: UnitId },
    /// `remnant` / `no remnant` (16.4)
    Remnant { form: bool },
    /// `stand lead C`: Determined Defense (16.7)
    Stand { lead: UnitId },
    /// `give way`
    GiveWay,
    /// `retreat C 1314 1415` (17, 20.3); an empty path eliminates the unit where it is; `out` leaves the map from the
    /// last hex (17.6).
    Retreat { unit: UnitId, path: Path, out: bool },
    /// `remove A`: eliminated because there is no room (8.3, 17.4).
    Remove { unit: UnitId },
    /// `advantage A`: on A's stack (16.6)
    Advantage { unit: UnitId },
    /// `advance A 1313 1314` (19.1)
    Advance { unit: UnitId, path: Path },
    /// `stay`: nobody (else) advances; no Breakthrough Combat.
    Stay,

    /// `traffic 3 1515` (24.3)
    Traffic { number: u8, hex: HexId },
    /// `roadblock 1515` (33.2)
    Roadblock { hex: HexId },
    /// `lift 1515`: remove one's own Roadblock (33.3).
    Lift { hex: HexId },
    /// `antwerp A` (27.3)
    Antwerp { unit: UnitId },
    /// `replace A [1515]` (25.2): the hex for a unit from the Dead Pile; for 25.23 the Remnant's hex.
    Replace { unit: UnitId, hex: HexId },
}

impl Action {
    /// The rule that says when this decision is taken.
    pub const fn rule(&self) -> &'static str {
        match self {
            Action::Done => "4",
            Action::Deploy | Action::DeployArmor | Action::Place { .. } => "31.1",
            Action::Ready { .. } => "5.1",
            Action::Fuel { .. } => "6.1",
            Action::SpendFuel { .. } => "32.2",
            Action::Blow { .. } => "7.2",
            Action::HoldFire => "7.4",
            Action::Repair { .. } => "7.9",
            Action::Burn { .. } => "32.3",
            Action::Move(_) | Action::Halt => "11.1",
            Action::Infiltrate { .. } => "27.8.2",
            Action::Send { .. } | Action::Block { .. } => "13.5",
            Action::Dig { .. } | Action::Finish { .. } | Action::Fill { .. } => "15.8",
            Action::Load { .. } => "12.61",
            Action::Unload { .. } => "12.7",
            Action::Night { .. } => "25.33",
            Action::Drop { .. } => "27.2",
            Action::Air => "15.6",
            Action::Breakdown { .. } => "26.2",
            Action::Recombine { .. } => "26.4",
            Action::Disengage { .. } => "20.1",
            Action::Attack(_) => "14.1",
            Action::CallOff | Action::GoOn => "14.4",
            Action::Support { .. } | Action::NoSupport => "22.8",
            Action::Press { .. } | Action::Engage => "16.2",
            Action::SlipAway | Action::Accept => "21.4",
            Action::Lose { .. } => "16.3",
            Action::Remnant { .. } => "16.4",
            Action::Stand { .. } | Action::GiveWay => "16.71",
            Action::Retreat { .. } => "17.1",
            Action::Remove { .. } => "8.3",
            Action::Advantage { .. } => "16.6",
            Action::Advance { .. } | Action::Stay => "19.1",
            Action::Traffic { .. } => "24.3",
            Action::Roadblock { .. } => "33.2",
            Action::Lift { .. } => "33.3",
            Action::Antwerp { .. } => "27.3",
            Action::Replace { .. } => "25.21",
        }
    }
}
