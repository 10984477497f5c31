//! Why a step of a move is not possible, and the refusal that says so (4.5.1.1.2 to 4.5.1.1.11).

use hexgrid::HexId;
use kernel::Refusal;

use crate::{field::Terrain, pack::advanced::FeatureKind, rules::Panzer, units::UnitId};

/// Why a step is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// Beyond the map edge, which only `exit` may cross.
    MapEdge,
    /// `exit` where the map continues.
    NotAtEdge,
    Prohibited(Terrain),
    Cliff,
    Wall,
    Hedgerow,
    Defilade,
    Levels(u8),
    Bridge,
    /// No path, road or track crosses the hexside.
    OffWay,
    /// A wreck, an enemy vehicle or too many vehicles on the road (4.5.1.1.5).
    Wreck(HexId),
    Enemy(HexId),
    Overstacked(HexId),
    /// 4.5.1.1.5: no turn for a better angle at the end.
    TurnAtEnd,
    NoHexAlong,
    Allowance {
        cost: u8,
        left: u8,
    },
    TurnAllowance {
        cost: u8,
        left: u8,
    },
    /// 4.5.1.1.10
    EndsWithEnemy(HexId),
    Gone,
    /// 6.6.4.2: terrain not fit for a Quickmarch; too much height; not a unit that can.
    QuickGround(HexId),
    QuickHeight,
    QuickUnit,
    /// 6.6.4.3
    CrawlOneHex,
    /// 6.6.4.1: too high for a section with a weapon.
    SectionHeight(u8),
    CrawlHeight,
    CrawlSuppressed,
    CrawlNear(HexId),
    CrawlGround(HexId),
    /// 6.6.5
    HandOneHex,
    /// 6.6.7.1.1: a passenger may not mount or dismount: the rule, the message key, the passenger.
    Transport(&'static str, &'static str, UnitId),
    /// 6.6.1.1: a passenger may not attack: the rule, the message key, the passenger, the target.
    Fight(&'static str, &'static str, UnitId, UnitId),
    /// 6.6.7.1: no reverse while towing.
    Towing,
    /// 4.5.1.1.10: units on foot may not enter hexes with enemies.
    FootEnemy(HexId),
    /// 6.1.4.3.3 and others: a counter in the hex keeps the unit out.
    Work(FeatureKind, HexId),
    /// 6.1.4.3.5
    OnFire(HexId),
    /// 6.6.3: which vehicles may enter buildings, and how.
    NoBuilding(HexId),
    NoDoor,
    DoorTracks,
    DoorOpenTop,
    DoorPassengers,
    DoorReverse,
    Inside,
    /// 6.1.4.3.1, 6.6.4.1
    NoFloor(HexId),
    FloorLeg,
    Upstairs,
    /// 6.1.4.1.2
    NoPosition(HexId),
    /// 6.1.4.3.7: a vehicle may not drive through an Improved Position.
    ImprovedPosition(HexId),
}

impl Bar {
    pub fn refuse(self, rules: &Panzer, unit: UnitId) -> Refusal {
        let no = match self {
            Bar::MapEdge => rules.no("4.5.1.1.9", "move.edge"),
            Bar::ImprovedPosition(hex) => rules.no("6.1.4.3.7", "move.improved_position").hex("hex", hex),
            Bar::NotAtEdge => rules.no("4.5.1.1.9", "move.not_at_edge"),
            Bar::Prohibited(terrain) => {
                rules.no("4.5.1.1.2", "move.prohibited").term("terrain", format!("terrain.{}", terrain.key()))
            }
            Bar::Cliff => rules.no("4.1.4.1.5", "move.cliff"),
            Bar::Wall => rules.no("4.5.1.1.2", "move.wall"),
            Bar::Hedgerow => rules.no("4.5.1.1.2", "move.hedgerow"),
            Bar::Defilade => rules.no("4.5.1.1.2", "move.defilade"),
            Bar::Levels(levels) => rules.no("4.5.1.1.2", "move.levels").number("levels", levels),
            Bar::Bridge => rules.no("4.5.1.1.6", "move.bridge"),
            Bar::OffWay => rules.no("4.5.1.1.5", "move.off_way"),
            Bar::Wreck(hex) => rules.no("4.5.1.1.5", "move.way_wreck").hex("hex", hex),
            Bar::Enemy(hex) => rules.no("4.5.1.1.5", "move.way_enemy").hex("hex", hex),
            Bar::Overstacked(hex) => rules.no("4.5.1.1.5", "move.way_overstacked").hex("hex", hex),
            Bar::TurnAtEnd => rules.no("4.5.1.1.5", "move.turn_at_end"),
            Bar::NoHexAlong => rules.no("4.5.1.1.5", "move.no_hex_along"),
            Bar::Allowance { cost, left } => {
                rules.no("4.5.1.1.3", "move.allowance").number("cost", cost).number("left", left)
            }
            Bar::TurnAllowance { cost, left } => {
                rules.no("4.5.1.1.4", "move.turn_allowance").number("cost", cost).number("left", left)
            }
            Bar::EndsWithEnemy(hex) => rules.no("4.5.1.1.10", "move.ends_with_enemy").hex("hex", hex),
            Bar::Gone => rules.no("4.5.1", "move.gone"),
            Bar::QuickGround(hex) => rules.no("6.6.4.2", "move.quick_ground").hex("hex", hex),
            Bar::QuickHeight => rules.no("6.6.4.2", "move.quick_height"),
            Bar::QuickUnit => rules.no("6.6.4.2", "move.quick_unit"),
            Bar::CrawlOneHex => rules.no("6.6.4.3", "move.crawl_one_hex"),
            Bar::SectionHeight(levels) => rules.no("6.6.4.1", "move.levels").number("levels", levels),
            Bar::CrawlHeight => rules.no("6.6.4.3", "move.crawl_height"),
            Bar::CrawlSuppressed => rules.no("6.6.4.3", "move.crawl_suppressed"),
            Bar::CrawlNear(hex) => rules.no("6.6.4.3", "move.crawl_near").hex("hex", hex),
            Bar::CrawlGround(hex) => rules.no("6.1.4.2", "move.crawl_ground").hex("hex", hex),
            Bar::HandOneHex => rules.no("6.6.5", "move.hand_one_hex"),
            Bar::Transport(rule, key, passenger) => {
                return rules.no(rule, key).unit("unit", passenger).into();
            }
            Bar::Fight(rule, key, passenger, target) => {
                return rules.no(rule, key).unit("unit", passenger).unit("target", target).into();
            }
            Bar::Towing => rules.no("6.6.7.1", "transport.reverse"),
            Bar::FootEnemy(hex) => rules.no("4.5.1.1.10", "move.foot_enemy").hex("hex", hex),
            Bar::Work(kind, hex) => {
                let rule = match kind {
                    FeatureKind::Block => "6.1.4.3.3",
                    FeatureKind::Ditch => "6.1.4.3.4",
                    FeatureKind::Wire => "6.1.4.3.11",
                    _ => "6.1.4.3.9",
                };
                rules.no(rule, "move.work").hex("hex", hex).term("work", format!("work.{}", kind.key()))
            }
            Bar::OnFire(hex) => rules.no("6.1.4.3.5", "move.on_fire").hex("hex", hex),
            Bar::NoBuilding(hex) => rules.no("6.6.3", "move.no_building").hex("hex", hex),
            Bar::NoDoor => rules.no("6.1.4.3.1", "move.no_door"),
            Bar::DoorTracks => rules.no("6.1.4.3.1", "move.door_tracks"),
            Bar::DoorOpenTop => rules.no("6.1.4.3.1", "move.door_open_top"),
            Bar::DoorPassengers => rules.no("6.6.3", "move.door_passengers"),
            Bar::DoorReverse => rules.no("6.6.3", "move.door_reverse"),
            Bar::Inside => rules.no("6.6.3", "move.inside"),
            Bar::NoFloor(hex) => rules.no("6.1.4.3.1", "move.no_floor").hex("hex", hex),
            Bar::FloorLeg => rules.no("6.1.4.3.1", "move.floor_leg"),
            Bar::Upstairs => rules.no("6.6.4.1", "move.upstairs"),
            Bar::NoPosition(hex) => rules.no("6.1.4.1.2", "move.no_position").hex("hex", hex),
        };
        no.unit("unit", unit).into()
    }
}
