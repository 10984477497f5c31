//! The complete state of a game, as plain data.

mod ground;
mod operation;
mod unit;

use hexgrid::HexId;
use kernel::Stamp;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use ground::{Charges, Crossing, HexMark, Mine};
pub use operation::{Group, Operation, Variant};
pub use unit::{Flags, Place, Spot, Unit};

pub use crate::units::OpKind;
use crate::{
    fire::Combat,
    frame::Frame,
    movement::Walk,
    roster::Roster,
    turn::Phase,
    units::{FormationId, Side, UnitId},
};

/// Who pays the Command Point (12.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payer {
    /// No payment: a March (12.2.1), a WP reaction (19.1).
    #[default]
    None,
    Hq(UnitId),
    /// 12.2.3
    OffMap,
    /// 12.4.1
    MainEffort,
}

/// 6.5.1: what WP has planned for a regiment (12.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub kind: OpKind,
    pub payer: Payer,
    pub executed: bool,
}

/// 6.5.2: a division's Main Effort chit (12.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chit {
    /// The division has none.
    #[default]
    None,
    Held,
    /// Face down in the box of this turn.
    Laid(u8),
    /// Declared in this turn.
    Shown(u8),
    Spent,
}

/// The changing state of a formation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormationState {
    /// 12.5.3, 12.8.3
    pub attached: FormationId,
    pub attachment_changed: bool,
    /// 6.5.3, 31.0
    pub shattered: bool,
    /// Has had its cycle this turn (8.1.2).
    pub activated: bool,
    /// The single March of a WP division base has been made (12.5.1).
    pub base_marched: bool,
    pub plan: Plan,
    /// 6.1.3, 12.6.1: the hex of the Lead Unit marker (12.3.2).
    pub lead: HexId,
    pub chit: Chit,
    /// Its last unit has left the map (31.1.4).
    pub left: bool,
    /// The turn in which it arrived as a reinforcement.
    pub arrived: u8,
}

/// 4.1.5, 39.1: electronic warfare asset of an HQ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ew {
    #[default]
    None,
    Unused,
    Used,
    Lost,
}

/// The points of an HQ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HqState {
    /// 6.4.1, 12.2.4
    pub cp: u8,
    /// 6.4.3
    pub rp: u8,
    pub ew: Ew,
}

/// Combat Support Points of a nation (46.4.1); WP has one set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points {
    /// 6.6.1, 24.1
    pub air: u8,
    /// 6.6.2, 37.2
    pub mine: u8,
    /// 6.6.3, 23.5.1
    pub adm: u8,
    /// 6.6.5, 34.1
    pub bridging: u8,
    /// Used for ferries until the end of the turn (17.4.2).
    pub borrowed: u8,
    /// 6.6.4
    pub gas_persistent: u8,
    pub gas_non_persistent: u8,
}

/// What a side places before the first turn: field works, and bridges that are blown when play begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldWorks {
    pub improved: u8,
    pub obstacles: u8,
    pub mines: u8,
    pub dummy_mines: u8,
    pub road_bridges: u8,
    pub autobahn_bridges: u8,
}

impl FieldWorks {
    pub fn any(&self) -> bool {
        *self != FieldWorks::default()
    }
}

/// The changing state of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideState {
    /// 6.4.2, 12.2.5
    pub off_map_cp: u8,
    /// 6.4.4
    pub off_map_rp: u8,
    /// 12.4.1: special points of this cycle.
    pub special_rp: u8,
    /// 6.7.3
    pub sam: u8,
    /// Enemy steps destroyed: maneuver, other ground, helicopters and passengers.
    pub maneuver_kills: u16,
    pub support_kills: u16,
    pub helicopter_kills: u16,
    /// 6.7.5, 6.7.6
    pub air_hits: u16,
    pub hq_hits: u16,
    /// Points for the other side's gas (44.7).
    pub gas: u16,
    pub paradrop_used: bool,
    /// Field works still to be placed before play (35.0, 36.0, 37.1).
    pub works: FieldWorks,
    /// 41.4: once per turn.
    pub gegenangriff_used: bool,
    /// 6.3.3: Smoke markers that are left.
    pub smoke: u8,
}

/// The subject of an answer given in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// 18.6: no Infiltration Fire at the moving force.
    NoInfiltration,
    /// 27.2.2: the true Flak Strength against the flying unit.
    FullFlak,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub winner: Option<Side>,
    pub points: [i32; 2],
    /// The index of the level in the scenario.
    pub level: u8,
}

/// The complete state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The state of the sequence of play: the last frame runs or waits.
    pub frames: SmallVec<[Frame; 16]>,
    /// 6.7.1
    pub turn: u8,
    pub phase: Phase,
    pub ending: Option<Ending>,
    /// The side that has the initiative (8.1.2).
    pub initiative: Side,
    /// Passes in a row.
    pub passes: u8,
    /// The formation whose cycle it is; none outside cycles (10.0).
    pub active: FormationId,
    pub units: Roster,
    pub formations: Vec<FormationState>,
    pub hqs: Vec<HqState>,
    /// Steps of each pool that were destroyed.
    pub lost: Vec<u8>,
    pub sides: [SideState; 2],
    /// By nation; all of WP's are in the first.
    pub points: [Points; 5],
    pub marks: SmallVec<[HexMark; 8]>,
    /// By number of the river hexside.
    pub crossings: Vec<Crossing>,
    /// 6.3.4: the side that holds each of the hexes that can be held ([`crate::rules::Wurzburg::holdable`]).
    pub control: Vec<Side>,
    /// 6.3.2: hexes acquired in this cycle (20.0).
    pub acquired: SmallVec<[HexId; 6]>,
    /// Strikes and counter-battery fire (23).
    pub support: crate::support::Support,
    /// For each victory rule of the scenario: the number of turns at whose end it held (46.7).
    pub cut_turns: Vec<u8>,
    /// Automatic results: zones that were reached, one bit each.
    pub reached: u8,
    /// 17.5: regiments that have tried an Amphibious Crossing this turn, and where.
    pub sites: SmallVec<[(FormationId, HexId); 4]>,
    /// Helicopters and paradrops (25, 26, 29).
    pub sky: crate::air::Sky,
    /// Units that have entered the map this turn, by edge hex (46.6.3).
    pub entered: SmallVec<[(HexId, u8); 8]>,
    /// Answers given in advance by a side that does not want to be asked again about a force or a flight.
    pub standing: kernel::Standing<Standing>,
    pub op: Operation,
    pub walk: Walk,
    pub combat: Combat,
    #[serde(skip)]
    pub stamp: Stamp,
    /// A decision is being carried out: no result for the position may be kept.
    #[serde(skip)]
    pub changing: bool,
}

impl State {
    #[inline]
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    #[inline]
    pub fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        self.units.get_mut(id)
    }

    /// A seat must decide: the position is a new one, and results for it may be kept.
    pub fn rest(&mut self) {
        self.stamp.renew();
        self.changing = false;
    }

    /// A copy to try something on: results kept for the position do not hold for it.
    pub fn draft(&self) -> State {
        State { changing: true, ..self.clone() }
    }

    /// Examine a position that the decision has not changed yet: results kept for it still hold.
    pub fn unchanged<T>(&mut self, look: impl FnOnce(&State) -> T) -> T {
        self.changing = false;
        let answer = look(self);
        self.changing = true;
        answer
    }

    /// Move a counter to another place.
    pub fn put(&mut self, id: UnitId, place: Place, hex: HexId) {
        self.units.put(id, place, hex);
    }

    /// Move a counter to another hex, on the map or beside it as before.
    pub fn shift(&mut self, id: UnitId, hex: HexId) {
        self.units.put(id, self.unit(id).place, hex);
    }

    pub fn ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.units.len() as u16).map(UnitId)
    }

    pub fn formation(&self, id: FormationId) -> &FormationState {
        &self.formations[id.index()]
    }

    pub fn formation_mut(&mut self, id: FormationId) -> &mut FormationState {
        &mut self.formations[id.index()]
    }

    /// The counters in a hex, of both sides, helicopters included.
    #[inline]
    pub fn in_hex(&self, hex: HexId) -> impl Iterator<Item = UnitId> {
        self.units.in_hex(hex)
    }

    /// The frame that runs or waits now.
    #[inline]
    pub fn top(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame::Sequence)
    }

    /// The markers of a hex.
    #[inline]
    pub fn mark(&self, hex: HexId) -> Option<&HexMark> {
        self.marks.iter().find(|mark| mark.hex == hex)
    }

    /// Changes the markers of a hex.
    pub fn change_mark(&mut self, hex: HexId, change: impl FnOnce(&mut HexMark)) {
        let at = self.marks.iter().position(|mark| mark.hex == hex).unwrap_or_else(|| {
            self.marks.push(HexMark::new(hex));
            self.marks.len() - 1
        });
        change(&mut self.marks[at]);
        if self.marks[at].empty() {
            self.marks.remove(at);
        }
    }

    pub fn obstacle(&self, hex: HexId) -> bool {
        self.mark(hex).is_some_and(|mark| mark.obstacle)
    }

    pub fn smoke(&self, hex: HexId) -> bool {
        self.mark(hex).is_some_and(|mark| mark.smoke)
    }

    pub fn minefield(&self, hex: HexId) -> Mine {
        self.mark(hex).map_or(Mine::None, |mark| mark.mine)
    }
}
