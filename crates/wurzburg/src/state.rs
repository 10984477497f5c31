//! The complete state of a game, as plain data.

use hexgrid::{HexId, SideId};
use kernel::Stamp;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    fire::Combat,
    frame::Frame,
    movement::Walk,
    pack::Purse,
    roster::Roster,
    turn::Phase,
    units::{FormationId, Side, UnitId, UnitSet},
};

/// The place of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Available for splits and dummies (11.1). Eliminated counters of a pool are here too (18.3.4).
    #[default]
    Spare,
    Map,
    /// Maintains a military bridge: on the hexside, in neither hex (34.3).
    Bridge,
    /// 40.1
    FiveRow,
    TenRow,
    /// Due, beside its entry hex (46.6.3).
    Column,
    /// Airmobile, waiting off the map (46.6.9).
    Waiting,
    /// An HQ on the Game Turn Track until turn [`Unit::turn`] (30.4.1).
    Track,
    /// Not yet due.
    Later,
    /// Helicopter Track (25.5).
    Ready,
    Rearm,
    Recovery,
    /// A passenger of a helicopter unit (26.0).
    Aboard,
    /// Left the map alive (18.4.7, 46.7.4).
    Exited,
    Dead,
}

impl Place {
    pub const fn key(self) -> &'static str {
        match self {
            Place::Spare => "spare",
            Place::Map => "map",
            Place::Bridge => "bridge",
            Place::FiveRow => "five",
            Place::TenRow => "ten",
            Place::Column => "column",
            Place::Waiting => "waiting",
            Place::Track => "track",
            Place::Later => "later",
            Place::Ready => "ready",
            Place::Rearm => "rearm_refuel",
            Place::Recovery => "recovery",
            Place::Aboard => "aboard",
            Place::Exited => "exited",
            Place::Dead => "dead",
        }
    }
}

/// Marks of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags(pub u16);

impl Flags {
    /// 11.4
    pub const USED: Flags = Flags(1);
    /// 6.1.1, 23.3
    pub const DISRUPTED: Flags = Flags(1 << 1);
    /// 6.1.2, 22.5
    pub const FIRED: Flags = Flags(1 << 2);
    /// Fired in the current Strike Segment (12.4.1).
    pub const FIRED_NOW: Flags = Flags(1 << 3);
    /// 6.1.4, 44.4
    pub const CONTAMINATED: Flags = Flags(1 << 4);
    /// 6.1.5, 14.4
    pub const MASKED: Flags = Flags(1 << 5);
    /// Has moved adjacent to an enemy by tactical movement: no more road movement in this operation (16.4, 16.5).
    pub const TACTICAL: Flags = Flags(1 << 6);
    /// Laid the minefield it is in (37.3.1).
    pub const LAYER: Flags = Flags(1 << 7);
    /// Has made its Engineering Action of this phase (33.0).
    pub const WORKED: Flags = Flags(1 << 8);
}

/// The place and hex of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    pub place: Place,
    /// Its hex; [`HexId::NONE`] off the map. For a column, the edge hex where it waits.
    pub hex: HexId,
}

/// One counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Read as `unit.place` and `unit.hex`; changed by [`State::put`].
    #[serde(flatten)]
    spot: Spot,
    /// 0 on the map: a dummy (11.3).
    pub steps: u8,
    pub flags: Flags,
    /// Movement left in quarters of a Movement Point, during its operation.
    pub mp: u8,
    /// The turn in which an HQ returns (30.4.1); for a unit not yet on the map, the number of its arrival.
    pub turn: u8,
    /// The formation in whose cycle a base unit takes part this turn (10.1.3).
    pub cycle: FormationId,
}

impl std::ops::Deref for Unit {
    type Target = Spot;

    #[inline]
    fn deref(&self) -> &Spot {
        &self.spot
    }
}

impl Unit {
    pub const OFF: Unit = Unit {
        spot: Spot { place: Place::Spare, hex: HexId::NONE },
        steps: 0,
        flags: Flags(0),
        mp: 0,
        turn: 0,
        cycle: FormationId::NONE,
    };

    /// Only for [`Roster`], which tracks the counters in each hex.
    pub(crate) const fn lay(&mut self, place: Place, hex: HexId) {
        self.spot = Spot { place, hex };
    }

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

    #[inline]
    pub const fn on_map(&self) -> bool {
        matches!(self.spot.place, Place::Map)
    }

    /// 11.3
    #[inline]
    pub const fn dummy(&self) -> bool {
        self.steps == 0 && self.on_map()
    }
}

pub use crate::units::OpKind;

/// 13.1: the variant of a Hasty Attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    #[default]
    Plain,
    /// 41.4
    Gegenangriff,
    /// 42.0
    Overrun,
    /// 43.0
    Close,
}

impl Variant {
    pub const fn key(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::Gegenangriff => "gegenangriff",
            Variant::Overrun => "overrun",
            Variant::Close => "close",
        }
    }
}

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

/// A minefield marker (37.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mine {
    #[default]
    None,
    Real,
    Dummy,
}

/// Markers of a hex that has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexMark {
    pub hex: HexId,
    /// 6.2.2, 35.0
    pub improved: Option<Side>,
    /// 6.2.3, 36.0
    pub obstacle: bool,
    /// 6.3.3
    pub smoke: bool,
    /// 6.2.4, 37.0
    pub mine: Mine,
    pub mine_owner: Side,
    /// Both sides know that it is real.
    pub mine_known: bool,
    /// 6.3.5: the centre of a Gas Zone (44.3).
    pub gas_persistent: bool,
    pub gas_non_persistent: bool,
}

impl HexMark {
    pub const fn new(hex: HexId) -> HexMark {
        HexMark {
            hex,
            improved: None,
            obstacle: false,
            smoke: false,
            mine: Mine::None,
            mine_owner: Side::Wp,
            mine_known: false,
            gas_persistent: false,
            gas_non_persistent: false,
        }
    }

    pub fn empty(&self) -> bool {
        *self == HexMark { mine_owner: self.mine_owner, ..HexMark::new(self.hex) }
    }
}

/// Set charges of a civil bridge (38.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charges {
    #[default]
    Ready,
    Spent,
    /// A real WP unit has crossed (38.1.2).
    Cut,
}

/// 38.5.2, 38.0: a river hexside in play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossing {
    pub blown: bool,
    pub charges: Charges,
    /// Engineer charges were tried in this phase (38.2).
    pub tried: bool,
    /// 38.1.2: a real WP unit has crossed the civil bridge.
    pub crossed: bool,
    /// 6.2.1, 34.0, 34.5: the nation whose Bridging Point is in the military bridge here.
    pub military: Option<Purse>,
    /// 34.3
    pub engineer: Option<UnitId>,
}

impl Crossing {
    /// The side that built the military bridge here (34.5).
    pub fn builder(&self) -> Option<Side> {
        self.military.map(Purse::side)
    }

    /// 38.1.2: a real WP unit crosses the civil bridge and cuts the wires of charges that were not tried.
    pub fn cross(&mut self) {
        self.crossed = true;
        if self.charges == Charges::Ready {
            self.charges = Charges::Cut;
        }
    }
}

/// One regiment or task force of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The regiment, or the brigade or battalion of the task force.
    pub formation: FormationId,
    /// Hex of the Lead Unit marker.
    pub lead: HexId,
    pub members: UnitSet,
}

/// The current operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub kind: OpKind,
    pub variant: Variant,
    pub side: Side,
    /// The March of a division base or of NATO units: no Lead Unit.
    pub base: bool,
    /// 29.3: declared airmobile.
    pub airmobile: bool,
    pub groups: SmallVec<[Group; 2]>,
    /// All participants (13.0).
    pub members: UnitSet,
    pub objective: HexId,
    /// The objective was declared, found empty and kept (13.5.3).
    pub kept: bool,
    /// The group that moves now (13.4).
    pub group: u8,
    /// Units that started within 3 hexes of the Lead Unit marker (12.3.2.1).
    pub near_lead: UnitSet,
    /// Units that started adjacent to an enemy.
    pub began_adjacent: UnitSet,
    /// Units that have moved.
    pub moved: UnitSet,
    /// Units that may not move any more (16.1.3).
    pub done: UnitSet,
    /// Units that ended their move by protected movement (16.3.1).
    pub sheltered: UnitSet,
    /// 16.6.2: where a NATO March converges.
    pub rally: HexId,
    /// The Objective Hex was reinforced (19.5).
    pub reacted: bool,
    /// Units that left the Objective Hex by retreat.
    pub retreated: UnitSet,
    pub retreat_elected: bool,
    /// Units that made Offensive Fire.
    pub fired: UnitSet,
    /// 41.4 succeeded.
    pub reversed: bool,
    /// 39.2
    pub no_reaction: bool,
    pub max_artillery: u8,
    pub max_ah: u8,
    /// Units that answered the Fire Call (21.2).
    pub called: UnitSet,
    pub calling_hq: Option<UnitId>,
    /// Steps that have fired in this step, by counter (18.7.3).
    pub spent: SmallVec<[(UnitId, u8); 8]>,
    /// Hexes fired at in this step.
    pub shot: SmallVec<[HexId; 6]>,
    /// Rounds of point-blank fire (42.0, 43.0).
    pub rounds: u8,
    /// 42.0: the overrunning force; 43.0: the units that entered.
    pub storming: UnitSet,
    /// The hex it came from.
    pub from: HexId,
    pub charging: bool,
    /// 43.0: hexes adjacent to the objective that the attackers held when they stormed it.
    pub havens: SmallVec<[HexId; 6]>,
    /// 41.2: the force that cavalry may screen, and the cavalry that must retreat.
    pub screened: UnitSet,
    pub screening: UnitSet,
    /// 41.2.6: cavalry that has tried to screen a retreat: no Retreat Fire.
    pub screeners: UnitSet,
    /// The current index in the list of steps.
    pub step: u8,
    /// 29.6.5: Offensive Fire at an empty city scored a hit.
    pub city_hit: bool,
    /// A unit advanced (18.5.3).
    pub advanced: bool,
    /// 13.3: at least one participant was adjacent to the objective at the end of movement.
    pub observed: bool,
    /// 21.3.2: HQs for which a participant observed the objective at the end of movement.
    pub call_hqs: UnitSet,
    /// 38.3.2: the objective is a bridge that an enemy engineer maintains; its marker is in the Objective Hex.
    pub bridge: Option<SideId>,
    /// 17.4: engineers that ferry, with the steps that each can still carry.
    pub ferries: SmallVec<[(UnitId, u8); 2]>,
    /// 17.5: engineers that help an Amphibious Crossing.
    pub assisting: UnitSet,
    /// 17.5: the crossing site, and how many steps may still cross.
    pub site: HexId,
    pub landing: u8,
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
