//! Terrain as the rules see it: the Terrain Effects Chart applied to the map once, so that play looks values up by hex
//! and direction.

pub use atlas::BridgeKind;
use atlas::Map;
use hexgrid::{Direction, HexId, HexSet, SideId};
use zocbond::{Points, Topology};

use crate::options::{Options, Switch};
use crate::pack::{Column, Crossing, DemolitionRule, Pack, Scenario, check::far_bank};

/// The terrain of a hex (2.2.2), with village, town and city included.
#[derive(Clone, Copy, Debug)]
pub struct Hex {
    pub foot: Points,
    pub mech: Points,
    /// 8.6.1
    pub extra_after_two: Points,
    /// 8.6.2
    pub by_road_only: bool,
    pub no_armor_shift: bool,
    pub vehicles_halved: bool,
    /// 10.8.3
    pub doubles_if_all_out: bool,
    /// 10.8.1
    pub doubled: bool,
    pub stops_advance: bool,
    pub column: Column,
    /// 8.3.3
    pub infiltration: bool,
    /// 22.3.3; `None` where units may not land (22.4).
    pub landing: Option<i8>,
    pub town: bool,
    pub city: bool,
    pub road: bool,
}

/// Water on a hexside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Water {
    None,
    MinorRiver,
    Canal,
    MajorRiver,
    Lake,
}

/// A hexside, the same from both of its hexes.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub water: Water,
    pub foot: Points,
    pub mech: Points,
    pub crossing: Option<Crossing>,
    /// Cost of the road that crosses it, for Non-Mechanized and for Mechanized units.
    pub road: Option<[Points; 2]>,
    pub advance_bonus: bool,
    /// Index into [`Land::bridges`].
    pub bridge: Option<u16>,
}

/// A bridge or ferry of the map.
#[derive(Clone, Debug)]
pub struct Bridge {
    pub side: SideId,
    pub hexes: [HexId; 2],
    pub kind: BridgeKind,
    /// 5.1: it is over a Canal or a Major River, and is not a ferry.
    pub can_be_blown: bool,
    /// 5.7
    pub rule: Option<DemolitionRule>,
    pub blown_at_start: bool,
    pub id: String,
}

/// An Entry Area (19.2).
#[derive(Clone, Debug)]
pub struct Area {
    pub hexes: Vec<HexId>,
    pub side: crate::pack::Side,
    pub next: Vec<u8>,
    /// 19.4: areas of the same side whose part of the map edge is next to this one's.
    pub beside: Vec<u8>,
}

#[derive(Debug)]
pub struct Land {
    pub hexes: Vec<Hex>,
    pub sides: Vec<Side>,
    pub bridges: Vec<Bridge>,
    /// The two hexes of each bridge.
    pub bridge_ends: Vec<[HexId; 2]>,
    pub areas: Vec<Area>,
    /// The hexes of all of them.
    pub edges: HexSet,
    /// 2.2.4
    pub north_of_waal: HexSet,
    pub north_of_rhine: HexSet,
    pub topology: Topology,
    pub in_play: HexSet,
    /// 24.4: hexes in play with a primary or secondary road that leads to another.
    pub traffic_roads: HexSet,
    /// Cost of the road that leads onto the map at each edge hex, for Non-Mechanized and Mechanized units (19.3).
    pub entry_roads: Vec<(HexId, [Points; 2])>,
    /// By hex: the directions in which a road leads on over dry land, and those in which it needs a bridge.
    pub road_ways: Vec<[u8; 2]>,
    /// By hex: the directions in which a supply path crosses no water but a Minor River (18.2).
    pub traced: Vec<u8>,
    /// Hexes with a Town or a City.
    pub towns: HexSet,
    /// By hex: the area whose stretch of the edge it lies in.
    area_of: Vec<Option<u8>>,
    /// By hex: how many hexes away a hex of a German area lies, over an open map.
    pub out: Vec<u8>,
    /// The largest fraction of a point of which all costs of movement are multiples, in twelfths.
    pub part: u16,
    /// 8.6.1: what a further Woods hex costs in addition, in such parts; `None` if Woods differ in this.
    pub extra_after_two: Option<u8>,
}

impl Land {
    /// The ground of a scenario, which may play on part of the map.
    pub fn new(map: &Map, pack: &Pack, scenario: &Scenario, options: Options) -> Land {
        let in_play: HexSet = map.board.ids().filter(|hex| scenario.plays_on(map.label(*hex))).collect();
        let bridges: Vec<Bridge> = map
            .bridges
            .iter()
            .filter_map(|b| {
                let [Some(a), Some(z)] = map.board.side_hexes(b.side) else { return None };
                let kinds = map.side(b.side).kinds;
                let over = |id: &str| map.hexside_id(id).is_some_and(|k| kinds.contains(k));
                let named = |list: &[crate::pack::NamedCrossing]| {
                    let side = |x: &crate::pack::NamedCrossing| {
                        map.board.find_side(&x.hexes.join("/")) == Ok(b.side)
                    };
                    list.iter().find(|x| side(x)).map(|x| (x.id.clone(), x.demolition))
                };
                let (id, rule) = named(&pack.bridges).or_else(|| named(&pack.ferries)).unwrap_or_default();
                // 27.3: the optional readings H-36, H-37 and H-38
                let rule = match id.as_str() {
                    "arnhem_rail_bridge" if options.has(Switch::OosterbeekStands) => {
                        Some(DemolitionRule::Never)
                    }
                    "nijmegen_rail_bridge" if options.has(Switch::NijmegenRail) => None,
                    _ => rule,
                };
                let minor = over("minor_river") && options.has(Switch::MinorBridges);
                Some(Bridge {
                    side: b.side,
                    hexes: [a, z],
                    kind: b.kind,
                    can_be_blown: b.kind != BridgeKind::Ferry
                        && (over("canal") || over("major_river") || minor)
                        && rule != Some(DemolitionRule::Never), // 5.1, 5.7
                    rule,
                    blown_at_start: b.state == atlas::BridgeState::Blown,
                    id,
                })
            })
            .collect();
        let sides: Vec<Side> =
            map.board.side_ids().map(|side| Self::side(map, pack, &bridges, side)).collect();
        let topology = Topology::new(&map.board, &in_play);
        let main_road = |hex: &HexId| {
            around(&topology, *hex).any(|(d, _)| sides[map.board.side(*hex, d).index()].advance_bonus)
        };
        let traffic_roads = in_play.iter().filter(main_road).collect();
        let highest = options.has(Switch::HighestModifier);
        let hexes: Vec<Hex> = map.board.ids().map(|hex| Self::hex(map, pack, hex, highest)).collect();
        let road_ways = map.board.ids().map(|hex| {
            around(&topology, hex).fold([0; 2], |mut ways: [u8; 2], (d, _)| {
                let side = &sides[map.board.side(hex, d).index()];
                if side.road.is_some() {
                    ways[usize::from(side.water != Water::None)] |= 1 << d.index();
                }
                ways
            })
        });
        let road_ways = road_ways.collect();
        let traced = map.board.ids().map(|hex| {
            let dry = |d: Direction| {
                matches!(sides[map.board.side(hex, d).index()].water, Water::None | Water::MinorRiver)
            };
            around(&topology, hex).filter(|(d, _)| dry(*d)).fold(0, |bits, (d, _)| bits | 1 << d.index())
        });
        let traced = traced.collect();
        let towns = in_play.iter().filter(|hex| hexes[hex.index()].town || hexes[hex.index()].city).collect();
        let areas = Self::areas(map, pack);
        let far = |id: &str| {
            pack.banks.iter().find(|b| b.id == id).and_then(|b| far_bank(map, b)).unwrap_or_default()
        };
        let mut entry_roads = Vec::new();
        for hex in map.board.ids() {
            for (d, road) in map.roads_of(hex) {
                if map.board.neighbour(hex, d).is_none()
                    && let Some(row) = pack.tables.road.get(&map.road_class(road).id)
                {
                    entry_roads.push((hex, [row.foot, row.mech].map(Points::from_twelfths)));
                }
            }
        }
        let area_of: Vec<Option<u8>> = map
            .board
            .ids()
            .map(|hex| areas.iter().position(|a| a.hexes.contains(&hex)).map(|i| i as u8))
            .collect();
        let exits: Vec<HexId> = areas
            .iter()
            .filter(|a| a.side == crate::pack::Side::German)
            .flat_map(|a| a.hexes.clone())
            .collect();
        let away = |hex| exits.iter().map(|exit| map.board.distance(*exit, hex)).min();
        let out = map.board.ids().map(|hex| away(hex).map_or(u8::MAX, |n| n.min(254) as u8)).collect();
        let part = Self::common_part(&hexes, &sides, &entry_roads);
        let mut extras = hexes.iter().map(|hex| hex.extra_after_two).filter(|extra| *extra > Points::ZERO);
        let extra = extras.next().unwrap_or_default();
        let extra_after_two = extras.all(|other| other == extra).then(|| extra.twelfths() / part);
        Land {
            part,
            extra_after_two: extra_after_two.and_then(|extra| u8::try_from(extra).ok()).filter(|n| *n < 64),
            road_ways,
            traced,
            towns,
            area_of,
            out,
            hexes,
            sides,
            bridge_ends: bridges.iter().map(|b| b.hexes).collect(),
            bridges,
            edges: areas.iter().flat_map(|area| area.hexes.iter().copied()).collect(),
            areas,
            north_of_waal: far("north_of_waal"),
            north_of_rhine: far("north_of_lower_rhine"),
            traffic_roads,
            topology,
            in_play,
            entry_roads,
        }
    }

    /// The largest part of a point of which all these costs are multiples. Whole points are paid everywhere, and
    /// thirds by units that enter one after the other (19.3).
    fn common_part(hexes: &[Hex], sides: &[Side], entry_roads: &[(HexId, [Points; 2])]) -> u16 {
        let of_hexes = hexes.iter().flat_map(|hex| [hex.foot, hex.mech, hex.extra_after_two]);
        let of_sides = sides.iter().flat_map(|side| [side.foot, side.mech]);
        let roads =
            sides.iter().filter_map(|side| side.road).chain(entry_roads.iter().map(|(_, road)| *road));
        let costs = of_hexes.chain(of_sides).chain(roads.flatten()).chain([Points::thirds(1)]);
        let common = |mut a: u16, mut b: u16| {
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        costs.map(Points::twelfths).fold(Points::PER_POINT, common)
    }

    fn area(map: &Map, pack: &Pack, area: &crate::pack::Area) -> Area {
        let index = |id: &String| pack.areas.iter().position(|x| x.id == *id).map(|i| i as u8);
        Area {
            hexes: map.entry(&area.id).map(|e| e.hexes.clone()).unwrap_or_default(),
            side: area.side,
            next: area.next.iter().filter_map(index).collect(),
            beside: Vec::new(),
        }
    }

    fn areas(map: &Map, pack: &Pack) -> Vec<Area> {
        let mut areas: Vec<Area> = pack.areas.iter().map(|a| Self::area(map, pack, a)).collect();
        for i in 0..areas.len() {
            let touches = |a: &Area, b: &Area| {
                a.hexes.iter().any(|x| b.hexes.iter().any(|y| map.board.distance(*x, *y) == 1))
            };
            let beside = |j: &usize| {
                *j != i
                    && areas[*j].side == areas[i].side
                    && (areas[i].next.contains(&(*j as u8)) || touches(&areas[i], &areas[*j]))
            };
            areas[i].beside = (0..areas.len()).filter(beside).map(|j| j as u8).collect();
        }
        areas
    }

    /// `highest`: of terrain and Town only the higher landing modifier counts (22.3.3).
    fn hex(map: &Map, pack: &Pack, hex: HexId, highest: bool) -> Hex {
        let row = |id: &str| pack.tables.hex.get(id).copied().unwrap_or_default();
        let ground = row(&map.terrain_kinds[map.ground(hex).0 as usize].id);
        let settlement = map.settlement(hex).map(|t| map.terrain_kinds[t.0 as usize].id.as_str());
        let (town, city) = (settlement == Some("town"), settlement == Some("city"));
        let own = settlement.map(row).unwrap_or_default();
        // 22.3.3: Woods or Town is one modifier
        let woods = town && ground.landing.unwrap_or(0) >= pack.tables.landing.woods_or_town;
        let sum = |a: i8, b: i8| if highest || woods { a.max(b) } else { a + b };
        let pick =
            |own: Option<u8>, ground: Option<u8>| Points::whole(u16::from(own.or(ground).unwrap_or(1)));
        Hex {
            // 2.2.2
            foot: pick(own.foot, ground.foot),
            mech: pick(own.mech, ground.mech),
            extra_after_two: Points::whole(u16::from(if city { 0 } else { ground.extra_after_two })),
            by_road_only: !city && ground.vehicles_by_road_only,
            // The chart allows armor shifts in a Town whatever the ground, and denies them in a City.
            // 10.8.5, 10.3.3
            no_armor_shift: if town { false } else { own.no_armor_shift || ground.no_armor_shift },
            vehicles_halved: !city && ground.vehicles_halved,
            doubles_if_all_out: !city && ground.doubles_if_all_attack_out,
            doubled: own.doubled,
            stops_advance: !city && ground.stops_advance,
            column: own.column.or(ground.column).unwrap_or(Column::Other),
            infiltration: own.infiltration || ground.infiltration,
            landing: if city { None } else { ground.landing.map(|n| sum(n, own.landing.unwrap_or(0))) },
            town,
            city,
            road: map.roads_of(hex).next().is_some(),
        }
    }

    fn side(map: &Map, pack: &Pack, bridges: &[Bridge], side: SideId) -> Side {
        let s = map.side(side);
        let kind = |id: &str| map.hexside_id(id).is_some_and(|k| s.kinds.contains(k));
        let names = ["minor_river", "canal", "major_river", "lake"];
        let found = names.iter().position(|id| kind(id));
        let water = match found {
            None => Water::None,
            Some(0) => Water::MinorRiver,
            Some(1) => Water::Canal,
            Some(2) => Water::MajorRiver,
            Some(_) => Water::Lake,
        };
        let row = found.and_then(|i| pack.tables.hexside.get(names[i])).copied().unwrap_or_default();
        let road = s.road.and_then(|r| pack.tables.road.get(&map.road_class(r).id));
        Side {
            water,
            foot: Points::whole(row.foot.into()),
            mech: Points::whole(row.mech.into()),
            crossing: row.crossing,
            road: road.map(|r| [r.foot, r.mech].map(Points::from_twelfths)),
            advance_bonus: road.is_some_and(|r| r.advance_bonus),
            bridge: bridges.iter().position(|b| b.side == side).map(|i| i as u16),
        }
    }

    #[inline]
    pub fn at(&self, hex: HexId) -> &Hex {
        &self.hexes[hex.index()]
    }

    /// The area to whose part of the map edge a hex belongs.
    pub fn area_of(&self, hex: HexId) -> Option<u8> {
        self.area_of[hex.index()]
    }
}

/// All six directions with their adjacent hexes.
pub fn around(topology: &Topology, hex: HexId) -> impl Iterator<Item = (Direction, HexId)> + '_ {
    Direction::ALL.into_iter().zip(topology.around(hex)).filter_map(|(d, to)| to.some().map(|to| (d, to)))
}
