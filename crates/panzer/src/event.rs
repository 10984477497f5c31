//! Events as plain facts; [`crate::report`] puts them into words.

mod topic;

use hexgrid::{Direction, HexId};

use crate::{
    fire::{Kind, Result},
    frame::Trigger,
    indirect::Source,
    pack::{
        Side,
        advanced::{Angle, BailResult, Damage, FeatureKind, Location, Outcome},
    },
    phase::Phase,
    state::{Command, Ending, Place, Spot},
    units::UnitId,
    works::Target,
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A new turn: heading.
    Turn {
        turn: u8,
    },
    /// A new phase: heading.
    Phase {
        phase: Phase,
    },
    Placed {
        unit: UnitId,
        hex: HexId,
        facing: Direction,
    },
    /// 7.2: a hidden unit comes into view.
    Uncovered {
        unit: UnitId,
        hex: HexId,
        facing: Direction,
    },
    /// 4.1: how many vehicles of each side the other has spotted.
    Spotted {
        spotted: [u8; 2],
    },
    /// A Spot counter was placed, turned over or removed (4.1.5, 4.4.1, 4.5.1).
    SpotCounter {
        unit: UnitId,
        spot: Spot,
    },
    /// 4.2.1: known to its owner only.
    Commanded {
        unit: UnitId,
        command: Command,
    },
    /// A side has placed its Commands.
    Committed {
        side: Side,
    },
    /// 4.3.1
    Initiative {
        rolls: [u8; 2],
        first: Side,
    },
    /// The winner chose (option).
    Order {
        side: Side,
        first: Side,
    },
    /// A Command was shown.
    Revealed {
        unit: UnitId,
        command: Command,
    },
    /// Its owner kept the Command secret (4.4.3.2.2).
    Declined {
        unit: UnitId,
    },
    /// Fire at a target was declared.
    Declared {
        kind: Kind,
        target: UnitId,
        unit: UnitId,
        gun: u8,
    },
    /// One shot: Range Factor, net modifier, AP Hit Number, whether it hit.
    Fired {
        unit: UnitId,
        target: UnitId,
        factor: u8,
        net: i8,
        number: u8,
        roll: u8,
        hit: bool,
    },
    /// The target was gone or the shot impossible: the vehicle still counts as having fired.
    Wasted {
        unit: UnitId,
        target: UnitId,
    },
    /// 4.4.3.2.5, 4.4.3.2.6
    Hit {
        unit: UnitId,
        target: UnitId,
        rear: bool,
        penetration: u8,
        armor: u8,
        result: Result,
    },
    Held {
        side: Side,
    },
    /// One hexside of a move.
    Stepped {
        unit: UnitId,
        from: HexId,
        to: HexId,
        cost: u8,
        back: bool,
    },
    Turned {
        unit: UnitId,
        facing: Direction,
        cost: u8,
    },
    Entered {
        unit: UnitId,
        hex: HexId,
        cost: u8,
    },
    Exited {
        unit: UnitId,
        hex: HexId,
    },
    /// The end of a move, with the points spent and the allowance.
    Moved {
        unit: UnitId,
        spent: u8,
        allowance: u8,
    },
    /// Overwatch has stopped a move for the moment.
    Interrupted {
        unit: UnitId,
        trigger: Trigger,
    },
    /// 6.2.1: every formation's Commands were counted.
    Available,
    /// 5.10: Suppression/On.
    Suppressed {
        unit: UnitId,
    },
    /// 6.8.3
    Recovery {
        unit: UnitId,
        roll: u8,
        modifier: i8,
        most: u8,
        recovered: bool,
    },
    /// 6.8.2
    FullCover {
        unit: UnitId,
        on: bool,
    },
    /// 5.16.2: a weapon, or a battery.
    AmmoLimit {
        source: Source,
        roll: u8,
        limit: u8,
        limited: bool,
    },
    /// 6.5.4.4: GP fire at one target.
    GpFire {
        unit: UnitId,
        target: UnitId,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    /// 6.5.2.1: more than one hit.
    Hits {
        unit: UnitId,
        target: UnitId,
        hits: u8,
    },
    SpreadTo {
        target: UnitId,
    },
    /// 6.5.2.2, 6.5.2.3: the location of a hit, and penetration against armor.
    Located {
        unit: UnitId,
        target: UnitId,
        angle: Angle,
        location: Location,
        roll: u8,
        penetration: u8,
        armor: u8,
    },
    /// 6.5.2.2.3
    HullDownMiss {
        unit: UnitId,
        target: UnitId,
        angle: Angle,
        roll: u8,
    },
    /// 6.5.2.5
    ApDamage {
        target: UnitId,
        result: Damage,
    },
    /// 6.5.2.2.4
    Damage {
        unit: UnitId,
        turret: bool,
    },
    /// 6.5.2.2.1
    TrackHit {
        unit: UnitId,
    },
    /// Knocked Out or Brewed Up.
    Destroyed {
        unit: UnitId,
        place: Place,
    },
    /// 6.5.4.4.3: a squad became a half-squad.
    Reduced {
        unit: UnitId,
    },
    Eliminated {
        unit: UnitId,
    },
    /// 6.5.2.6
    BailTest {
        unit: UnitId,
        result: BailResult,
        roll: u8,
        modifier: i8,
        value: u8,
        out: bool,
    },
    /// 5.15: its crew bailed out.
    Abandoned {
        unit: UnitId,
    },
    /// A passenger left its vehicle.
    LeftVehicle {
        unit: UnitId,
    },
    /// 6.6.7.1.1
    Mounted {
        unit: UnitId,
        vehicle: UnitId,
    },
    Dismounted {
        unit: UnitId,
        hex: HexId,
        facing: Direction,
    },
    /// 6.6.10.1
    Overrun {
        unit: UnitId,
        target: UnitId,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    /// 6.6.10: named beside the first vehicle.
    OverrunDeclared {
        unit: UnitId,
        target: UnitId,
    },
    /// 6.6.9
    Searched {
        unit: UnitId,
        roll: u8,
        modifier: i8,
        most: u8,
        found: bool,
    },
    /// 6.6.4.2: the test after a Quickmarch.
    Quickmarch {
        unit: UnitId,
        roll: u8,
        most: u8,
    },
    /// 6.5.1.7, 6.5.1.8
    Called {
        mission: u8,
        observer: UnitId,
        hex: HexId,
    },
    /// 6.1.4.3.10: smoke fired directly.
    Smoked {
        unit: UnitId,
        hex: HexId,
    },
    /// 6.5.1.11.1: known to its owner only.
    Plotted {
        battery: u8,
    },
    /// 6.5.1.11.2
    Planned {
        mission: u8,
        battery: u8,
        hex: HexId,
    },
    /// 6.5.1.12
    Response {
        mission: u8,
        source: Source,
        roll: u8,
        modifier: i8,
        factor: u8,
        responds: bool,
    },
    /// 6.5.1.5: where it lands.
    Impact {
        mission: u8,
        hex: HexId,
        smoke: bool,
    },
    /// 6.5.1.9
    Checked {
        mission: u8,
    },
    /// 6.5.1.13: one attack of indirect fire.
    Barrage {
        mission: u8,
        target: UnitId,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    /// 6.6.1
    AssaultDeclared {
        unit: UnitId,
        target: UnitId,
    },
    /// 7.21
    TrackHolds {
        unit: UnitId,
        roll: u8,
    },
    /// 7.42: the roll of a pair of formations, by its number.
    PairInitiative {
        pair: u8,
        rolls: [u8; 2],
        first: Side,
    },
    /// 7.42: a pair's turn to fire or move has come.
    PairTurn {
        pair: u8,
        first: Side,
    },
    /// 6.6.1.1.2: squads in the hex of a vehicle are kept for others.
    SupportKept {
        unit: UnitId,
    },
    /// It could no longer attack.
    AssaultLapsed {
        unit: UnitId,
    },
    /// 6.6.1.1.1
    CloseAssault {
        unit: UnitId,
        target: UnitId,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    /// 6.6.1.2.1: a round, attacker's and defender's.
    HandToHand {
        unit: UnitId,
        target: UnitId,
        rolls: [u8; 2],
        totals: [i16; 2],
    },
    /// 6.1.4.3.6, 6.1.4.3.7: a unit takes an entrenchment or an Improved Position.
    SettledIn {
        unit: UnitId,
        kind: FeatureKind,
    },
    /// A counter was removed, such as wire crushed by tracks (6.1.4.3.11).
    WorkGone {
        hex: HexId,
        kind: FeatureKind,
    },
    /// 6.6.8
    Dug {
        unit: UnitId,
        hex: HexId,
        progress: u8,
        complete: bool,
    },
    /// 6.6.3: the test before a vehicle enters or leaves a building.
    DoorTest {
        unit: UnitId,
        roll: u8,
        total: i16,
        most: u8,
        harmed: bool,
    },
    Door {
        unit: UnitId,
        inside: bool,
        cost: u8,
    },
    /// 6.6.4.1
    Floor {
        unit: UnitId,
        up: bool,
        cost: u8,
    },
    /// 6.5.4.4.3
    TerrainAttacked {
        hex: HexId,
        target: Target,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    TerrainDestroyed {
        hex: HexId,
        target: Target,
    },
    /// 6.1.4.3.12
    Dust {
        hex: HexId,
    },
    /// 7.35
    FireStarted {
        hex: HexId,
    },
    /// 7.31
    Mined {
        unit: UnitId,
        hex: HexId,
        gpf: u8,
        gpd: u8,
        roll: u8,
        outcome: Outcome,
    },
    MinesFound {
        hex: HexId,
    },
    Cleared {
        unit: UnitId,
        hex: HexId,
        done: bool,
    },
    /// 7.17
    WeaponLost {
        unit: UnitId,
        gun: u8,
    },
    /// 7.26
    Scattered {
        hex: HexId,
        hexes: u8,
    },
    /// 7.29
    Bogged {
        unit: UnitId,
        free: bool,
    },
    /// 7.1.4
    MoraleCheck {
        unit: UnitId,
        roll: u8,
        modifier: i8,
        point: u8,
        result: crate::morale::Result,
    },
    /// 7.1.6
    Rallied {
        unit: UnitId,
        roll: u8,
        modifier: i8,
        most: u8,
        recovered: bool,
    },
    /// 6.7.2
    TookOff {
        craft: u8,
        hex: HexId,
        facing: Direction,
    },
    FlewTo {
        craft: u8,
        hex: HexId,
    },
    FlewOff {
        craft: u8,
        edge: crate::air::Edge,
    },
    /// 6.7.3.1.1
    Acquires {
        craft: u8,
        target: UnitId,
        count: u8,
        needed: u8,
    },
    /// 6.7.3.1.2
    FoSpots {
        unit: UnitId,
        target: UnitId,
    },
    /// 6.7.3
    AirStrike {
        craft: u8,
        arms: crate::air::Arms,
        hex: HexId,
        dive: bool,
    },
    AirAttack {
        craft: u8,
        target: UnitId,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    /// 6.7.4.2
    AaFire {
        unit: UnitId,
        craft: u8,
        gpf: u8,
        gpd: u8,
        net: i16,
        roll: u8,
        outcome: Outcome,
    },
    /// 6.7.4.2.1
    CraftDamaged {
        craft: u8,
    },
    ShotDown {
        craft: u8,
        hexes: u8,
    },
    Crashed {
        craft: u8,
        hex: HexId,
    },
    CraftRecovery {
        craft: u8,
        roll: u8,
        most: u8,
        recovered: bool,
    },
    /// 3.6
    Control {
        objective: u8,
        side: Option<Side>,
    },
    Over(Ending),
}
