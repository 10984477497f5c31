//! Every decision a player can make. Its text form is in [`crate::notation`].

use hexgrid::{HexId, SideId};
use smallvec::SmallVec;

use crate::{
    pack::AirProfile,
    state::{OpKind, Payer, Variant},
    units::{FormationId, UnitId},
};

/// What a side acts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `phase`
    Phase,
    /// A counter.
    Unit(UnitId),
    /// `hex 2916`: a stack, or a target.
    Hex(HexId),
    /// `formation 24MRR`
    Formation(FormationId),
    /// `side 2114/2115`
    Side(SideId),
}

/// All or some steps of a counter: `24mrr-a`, `2 of 24mrr-a`, in fire `24mrr-a:2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub unit: UnitId,
    /// `None`: all of them.
    pub steps: Option<u8>,
}

impl Part {
    pub const fn all(unit: UnitId) -> Part {
        Part { unit, steps: None }
    }

    /// All steps of each.
    pub fn whole(units: impl IntoIterator<Item = UnitId>) -> Parts {
        units.into_iter().map(Part::all).collect()
    }
}

/// What a Strike delivers (23.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    #[default]
    Fire,
    /// 23.5
    Adm,
    /// 44.2
    GasPersistent,
    GasNonPersistent,
}

impl Payload {
    /// Payloads that need a point of their own.
    pub const SPECIAL: [Payload; 3] = [Payload::Adm, Payload::GasPersistent, Payload::GasNonPersistent];

    pub const fn key(self) -> &'static str {
        match self {
            Payload::Fire => "fire",
            Payload::Adm => "adm",
            Payload::GasPersistent => "gas_persistent",
            Payload::GasNonPersistent => "gas_non_persistent",
        }
    }

    pub const fn gas(self) -> bool {
        matches!(self, Payload::GasPersistent | Payload::GasNonPersistent)
    }
}

pub type Parts = SmallVec<[Part; 6]>;
/// A regiment with its engineers.
pub type Units = SmallVec<[UnitId; 16]>;
pub type Hexes = SmallVec<[HexId; 12]>;

/// A regiment or task force as it is committed (13.3, 13.4).
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    pub who: Who,
    /// Further members: of a task force, or engineers (12.9).
    pub with: Parts,
    pub payer: Payer,
}

/// The identity of a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A WP regiment with its plan.
    Formation(FormationId),
    /// A NATO Lead Unit; of some of its steps the rest stays out (12.6.2).
    Lead(Part),
}

impl Force {
    /// The units that are named, the Lead Unit first.
    pub fn parts(&self) -> Parts {
        let lead = match self.who {
            Who::Lead(lead) => Some(lead),
            Who::Formation(_) => None,
        };
        lead.into_iter().chain(self.with.iter().copied()).collect()
    }
}

/// `hasty 24MRR objective 2916`, `assault 3-3-m1-a with 2 of 3-3-m2-a by 3-3-hq and 3-3-m2-b by off-map objective 2417`
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    pub kind: OpKind,
    pub variant: Variant,
    pub forces: SmallVec<[Force; 1]>,
    pub objective: HexId,
    /// 38.3.2: the bridge that is the objective; its marker is in `objective`.
    pub bridge: Option<SideId>,
    /// 29.3
    pub airmobile: bool,
}

/// Engineering Actions (33.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// 34.2
    BuildBridge,
    /// 34.5
    RecoverBridge,
    /// 35.0
    Improve,
    /// 36.0
    Obstacle,
    ClearObstacle,
    /// 37.3.1
    Mine,
    DummyMine,
    /// 37.3.2
    ClearMines,
    /// 38.2
    Charges,
}

impl Work {
    pub const ALL: [Work; 9] = [
        Work::BuildBridge,
        Work::RecoverBridge,
        Work::Improve,
        Work::Obstacle,
        Work::ClearObstacle,
        Work::Mine,
        Work::DummyMine,
        Work::ClearMines,
        Work::Charges,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Work::BuildBridge => "build_bridge",
            Work::RecoverBridge => "recover_bridge",
            Work::Improve => "improve",
            Work::Obstacle => "obstacle",
            Work::ClearObstacle => "clear_obstacle",
            Work::Mine => "mine",
            Work::DummyMine => "dummy_mine",
            Work::ClearMines => "clear_mines",
            Work::Charges => "charges",
        }
    }
}

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `done`: nothing more to do here.
    Done,
    /// `pass`: the initiative passes to the other side (8.1.2).
    Pass,

    /// `plan 24MRR hasty by 4mrd-hq-for` (12.3)
    Plan {
        formation: FormationId,
        kind: OpKind,
        payer: Payer,
    },
    /// `effort 27GMRD`: place the Main Effort chit for the next turn (12.4).
    Effort(FormationId),
    /// `postpone effort`, `take back effort`
    PostponeEffort,
    TakeBackEffort,
    /// `activate 4MRD` (8.1.2)
    Activate(FormationId),
    /// `lead 24mrr-a` (12.3.2)
    Lead(UnitId),

    /// An operation other than March.
    Commit(Commit),
    /// `march 24MRR` or `march base 4MRD with A B`; NATO `march A 2 of B [rally 2916]` (13.2)
    March {
        formation: FormationId,
        base: bool,
        units: Parts,
        rally: HexId,
        /// 29.3
        airmobile: bool,
    },

    /// `move A B 2917 2918`, `move 2 of A 2918`; a single distant hex means the cheapest path (16.1).
    Move {
        parts: Parts,
        path: Hexes,
    },
    /// `ferry A 2 of B with E to 3316` (17.4)
    Ferry {
        parts: Parts,
        with: Units,
        to: HexId,
    },
    /// `cross 3216`: attempt an Amphibious Crossing (17.5).
    Cross(HexId),
    /// `land 2 of A 3316` (17.5)
    Land {
        part: Part,
        to: HexId,
    },
    /// `raze 2114/2115`; if an own engineer maintains the bridge, `raze 2114/2115 engineer 2114` (38.3)
    Raze {
        side: SideId,
        to: HexId,
    },
    /// `abandon E 2114` (34.3)
    Abandon {
        unit: UnitId,
        to: HexId,
    },
    /// `place mine 2114`: place field works before the first turn.
    Place {
        work: Work,
        hex: HexId,
    },
    /// `combine A B` (11.6)
    Combine(Units),
    /// `transfer 2 of A to B` (11.7, 18.5.1)
    Transfer {
        part: Part,
        to: UnitId,
    },
    /// `remove A`: remove a dummy (11.3.1).
    Remove(UnitId),
    /// `go on`
    GoOn,
    /// `stop`
    Stop,
    /// `objective 2918` (13.5.3)
    Objective(HexId),
    /// `keep` (13.5.3)
    Keep,
    /// `mask A B`, `mask 2 of A` (14.4)
    Mask(Parts),

    /// `react A B by 3-3-hq [via 2918 2917]` (19.0)
    React {
        parts: Parts,
        payer: Payer,
        path: Hexes,
    },
    /// `recon 3228 by 39gmrd-hq-for`, `recon 3228 by off-map` (20.2.1)
    Recon {
        hex: HexId,
        payer: Payer,
    },
    /// `strike 2508 by 1-3-hq with 3id-m110`, `adm 2508 by 1-3-hq air 2`, `gas 2508 persistent by 1-3-hq with 3id-m110`
    /// (23.1.1, 23.5.3, 44.2); `air` is the number of Air Points (24.2).
    Strike {
        what: Payload,
        hex: HexId,
        hq: UnitId,
        with: Parts,
        air: u8,
    },
    /// `recon 3214/3215 by off-map` (20.2.3)
    ReconBridge {
        side: SideId,
        payer: Payer,
    },
    /// `strike 3214/3215 by 1-3-hq air 2` (38.4)
    StrikeBridge {
        side: SideId,
        hq: UnitId,
        with: Parts,
        air: u8,
    },
    /// `profile low_bomb`, `profile high_standoff at 2310` (24.3, 24.4)
    Profile {
        profile: AirProfile,
        at: HexId,
    },
    /// `sam` (27.1)
    Sam,
    /// `flak 2`: announce a Flak Strength (27.2.2).
    Flak(u8),
    /// `abort` (27.3)
    Abort,
    /// `counter 3id-m110 by 27gmrd-hq-for with 27gmrd-dag spotter 68gmrr-a` (23.4.2)
    Counter {
        target: UnitId,
        hq: UnitId,
        gun: UnitId,
        spotter: UnitId,
    },
    /// `call 3-3-hq with 3id-2-41` (21.2)
    Call {
        hq: UnitId,
        with: Parts,
    },
    /// `jam 39gmrd-hq-for` (39.2)
    Jam(UnitId),
    /// `fire 2918 with A B:2`; a skeleton names no units (18.2).
    Fire {
        target: HexId,
        with: Parts,
    },
    /// `hold`: no fire.
    Hold,
    /// `stand`
    Stand,
    /// `retreat` (18.3.2)
    Elect,
    /// `cover A` (18.4)
    Cover(UnitId),
    /// `lose A` (18.3.3)
    Lose(UnitId),
    /// `retreat A 2918`, `retreat A off` (18.4)
    Retreat {
        part: Part,
        to: HexId,
    },
    /// `advance A` (18.5)
    Advance(Part),
    /// `exit A B`: leave the map permanently (46.7.4).
    Exit(Units),
    /// `storm A B`: enter the Objective Hex (42.0, 43.0); `combined`: like units are combined there (11.6).
    Storm {
        units: Units,
        combined: bool,
    },
    /// `fight` to the finish, or `charge` through (42.0).
    Fight,
    Charge,
    /// `charge to 2918`
    ChargeTo(HexId),
    /// `withdraw 2918` (43.0)
    Withdraw(HexId),
    /// `withdraw A 2917 B 2918`: each unit to its own hex.
    WithdrawApart(SmallVec<[(UnitId, HexId); 4]>),
    /// `smoke E`: a Smoke marker on an engineer (6.3.3).
    Smoke(UnitId),
    /// `hold always`: no Infiltration Fire at this force; `flak full`: always the true strength against this flight.
    Always,
    /// `screen A B` (41.2)
    Screen(Units),
    /// `work A improve`, `work A build_bridge 2114/2115`, `work A recover_bridge 2114/2115 to 2115` (33.0)
    Work {
        unit: UnitId,
        work: Work,
        side: SideId,
        /// 34.5: the engineer's hex afterwards.
        to: HexId,
    },
    /// `row A ten`, `row A five` (40.1, 40.4)
    Row {
        unit: UnitId,
        ten: bool,
    },
    /// `return 3-3-hq 2114` (30.4.1)
    Return {
        unit: UnitId,
        hex: HexId,
    },
    /// `clean 3id-hq-main 2114` (44.6)
    Clean {
        hq: UnitId,
        hex: HexId,
    },
    /// `attach 119ITR to 79GTD` (12.5.3, 12.8.3)
    Attach {
        formation: FormationId,
        to: FormationId,
    },
    /// `deploy`, `deploy forward`: a ready-made deployment of everything (11.1).
    DeployAll(crate::deployment::Layout),
    /// `deploy A 2114`: set up a unit elsewhere in its zone (11.1).
    Deploy {
        unit: UnitId,
        hex: HexId,
    },
    /// `remove position 2114` (35.0)
    RemovePosition(HexId),
    /// `blow 2114/2115` (38.1)
    Blow(SideId),
    /// `fly 2611`: to a hex by the least dangerous path; `fly 0111 0211 …`: by this path (25.2).
    Fly(Hexes),
    /// `home`: to the friendly map edge (25.2.4).
    Home,
    /// `lift 35-4-a to 3619`, with `via` the hexes of the loaded leg, with `approach` those of the empty leg to the pickup
    /// hex, with `with 4` the helicopter steps (26.4).
    Lift {
        parts: Parts,
        lz: HexId,
        via: Hexes,
        approach: Hexes,
        /// 0: as many as passenger steps.
        helicopters: u8,
    },
    /// `paradrop`: declare a paradrop (29.5).
    Paradrop,
    /// `drop 35-1-a 4105`: one step (29.5.1).
    Drop {
        unit: UnitId,
        hex: HexId,
    },
}
