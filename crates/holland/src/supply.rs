//! Supply (18): paths, Supply Heads, levels.

use std::cell::{Cell, OnceCell, RefCell};

use hexgrid::{Direction, HexId, HexSet};
use kernel::Log;
use zocbond::{
    List, Piece, Stamp, UnitId,
    supply::{
        overland,
        roads::{Nets, SupplyRoads},
    },
};

use crate::event::Event;
use crate::land::Water;
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Bridge, Marks, Place, State};
use crate::world::{Field, Holland};

/// What supplies a side (18.2, 18.3.2).
struct Sources {
    /// Where a ground path may end (18.2).
    net: HexSet,
    /// Hexes from which a ground path was looked for, and those of them from which there is one: units stand in stacks.
    asked: Cell<HexSet>,
    fed: Cell<HexSet>,
    heads: List<UnitId, HEADS>,
    /// By Supply Head: what it supplies, if anybody has asked.
    head: [OnceCell<Head>; HEADS],
}

/// What a Supply Head supplies (18.3.2).
struct Head {
    /// The hexes from which an overland path leads to it.
    around: HexSet,
    /// The roads that lead to it or next to it; computed only if a unit is not supplied without them.
    roads: OnceCell<HexSet>,
}

/// A ground path of at most this length is looked for before a Supply Head is considered.
const AT_HAND: u8 = 1;

/// Capacity for more Supply Heads than there are.
const HEADS: usize = 8;

thread_local! {
    static NETS: RefCell<Nets<Bridge, HexSet>> = RefCell::default();
}

/// The road net of [`zocbond::supply::roads`] (18.2).
impl SupplyRoads for Holland {
    type Position = State;
    /// Unknown units (25.2).
    type Markers = HexSet;

    fn table(&self) -> Stamp {
        self.stamp
    }

    fn bridge_ends(&self) -> &[[HexId; 2]] {
        &self.land.bridge_ends
    }

    fn sources(&self, side: Side) -> &HexSet {
        &self.sources[side.index()]
    }

    fn roads(&self, hex: HexId) -> u8 {
        let [dry, wet] = self.land.road_ways[hex.index()];
        dry | wet
    }

    fn open_roads(&self, field: &Field, hex: HexId) -> u8 {
        let [dry, wet] = self.land.road_ways[hex.index()];
        let bridged = |d: &Direction| wet >> d.index() & 1 == 1 && self.bridged(field, hex, *d);
        Direction::ALL.into_iter().filter(bridged).fold(dry, |open, d| open | 1 << d.index())
    }

    fn markers(&self, s: &State) -> HexSet {
        s.unknown
    }

    fn closed_to_roads(&self, s: &State, side: Side) -> HexSet {
        let (own, enemy) = (s.held(side), s.held(side.enemy()));
        let lost = match side {
            Side::Allied => &self.land.towns - s.first_side_control(),
            Side::German => &self.land.towns & s.first_side_control(),
        };
        let mut closed = &(s.zoc(side.enemy()) | &lost) - own;
        closed.union_with(enemy);
        if side == Side::Allied {
            closed.union_with(&s.unknown);
        }
        debug_assert!(
            self.land.in_play.iter().all(|h| closed.contains(h) != self.road_open(s, side, h)),
            "hex by hex it is the same"
        );
        closed
    }
}

impl Holland {
    /// Source hexes of a side: the edge hexes of its Entry Areas that the enemy does not occupy (18.2).
    pub fn source_hexes(&self, s: &State, side: Side) -> Vec<HexId> {
        let mut out = Vec::new();
        self.each_source(s, side, |hex| out.push(hex));
        out
    }

    pub fn each_source(&self, s: &State, side: Side, mut each: impl FnMut(HexId)) {
        if let Some(list) = &self.lab_sources[side.index()] {
            list.iter().filter(|h| !s.field.enemy_in(side, **h)).for_each(|h| each(*h));
            return;
        }
        let free = |hex: &&HexId| self.land.in_play.contains(**hex) && !s.field.enemy_in(side, **hex);
        self.source_areas(side).flatten().filter(free).for_each(|hex| each(*hex));
    }

    /// The same as sets of hexes, whoever is there.
    pub fn all_sources(&self) -> [HexSet; 2] {
        Side::ALL.map(|side| match &self.lab_sources[side.index()] {
            Some(list) => list.iter().copied().collect(),
            None => self.source_areas(side).flat_map(|hexes| hexes.iter().copied()).collect(),
        })
    }

    /// The hexes of each Entry Area that supplies a side.
    fn source_areas(&self, side: Side) -> impl Iterator<Item = &[HexId]> + '_ {
        let areas = self.land.areas.iter().enumerate().filter(move |(_, area)| area.side == side);
        let open = move |i: usize| {
            let listed = self.scenario.german_sources.as_ref();
            side == Side::Allied || listed.is_none_or(|list| list.contains(&self.pack.areas[i].id))
        };
        areas.filter(move |(i, _)| open(*i)).map(|(_, area)| &area.hexes[..])
    }

    /// Where an overland path of a side may end: the roads that lead to a source, and the sources themselves (18.2).
    pub fn supply_net(&self, s: &State, side: Side) -> HexSet {
        let mut net = self.source_roads(s, side);
        self.each_source(s, side, |hex| {
            if self.road_open(s, side, hex) {
                net.insert(hex);
            }
        });
        net
    }

    /// Whether a supply line of a side may pass along a road through this hex (18.2).
    fn road_open(&self, s: &State, side: Side, hex: HexId) -> bool {
        let held = s.field.held(side).contains(hex);
        let ground = self.land.at(hex);
        let barred = self.closed(s, side, hex) || s.field.in_open_ezoc(side, hex);
        !barred && (held || !(ground.town || ground.city) || s.field.last_holder(hex) == side)
    }

    /// The hexes from which a road leads to one of the given hexes (18.2).
    pub fn by_road(&self, s: &State, side: Side, to: &[HexId]) -> HexSet {
        let goals: HexSet = to.iter().copied().collect();
        NETS.with_borrow_mut(|nets| nets.roads(self, s, side).entered_to(&goals))
    }

    /// The hexes from which a road leads to a source of the side (18.2).
    pub fn source_roads(&self, s: &State, side: Side) -> HexSet {
        if self.sources[side.index()].is_empty() {
            return HexSet::EMPTY;
        }
        NETS.with_borrow_mut(|nets| nets.roads(self, s, side).entered())
    }

    /// Does an overland path of so many hexes lead from here into a set (18.2)? Most units stand near what supplies them.
    fn leads_into(&self, s: &State, side: Side, from: HexId, most: u8, goal: &HexSet) -> bool {
        let closed = |hex: HexId| self.closed(s, side, hex);
        let cross = |from: HexId, d: Direction, to: HexId| self.trace_crosses(s, side, from, d, to);
        let found = overland::leads_by(self, &s.field, side, (from, goal), most.into(), closed, cross);
        debug_assert_eq!(found, self.within(s, side, goal, most).contains(from));
        found
    }

    /// The hexes that an overland path of so many hexes reaches (18.2).
    pub fn overland(&self, s: &State, side: Side, from: HexId, most: u8) -> HexSet {
        let closed = |hex: HexId| self.closed(s, side, hex);
        let cross = |from: HexId, d: Direction, to: HexId| self.trace_crosses(s, side, from, d, to);
        overland::reached_by(self, &s.field, side, (from, &HexSet::EMPTY), most.into(), closed, cross)
    }

    /// Every hex from which an overland path of at most `most` hexes leads to a set: [`Holland::overland`] for all of
    /// them at once.
    fn within(&self, s: &State, side: Side, goal: &HexSet, most: u8) -> HexSet {
        let closed = |hex: HexId| self.closed(s, side, hex);
        let cross = |from: HexId, d: Direction, to: HexId| self.trace_crosses(s, side, from, d, to);
        overland::all_by(self, &s.field, side, goal, most.into(), closed, cross)
    }

    /// What supplies the units of a side now (18.1, 18.3.2).
    fn sources_of_supply(&self, s: &State, side: Side) -> Sources {
        let heads = self.heads(s, side).map(|(unit, _)| unit).collect();
        Sources {
            net: self.supply_net(s, side),
            asked: Cell::default(),
            fed: Cell::default(),
            heads,
            head: Default::default(),
        }
    }

    /// Does a ground path lead from this hex into the net (18.2)?
    fn by_ground(&self, s: &State, side: Side, net: &HexSet, hex: HexId) -> bool {
        self.leads_into(s, side, hex, self.pack.tables.supply.overland, net)
    }

    /// The same for a unit of a side, asked once for each hex.
    fn fed_by_ground(&self, s: &State, side: Side, sources: &Sources, hex: HexId) -> bool {
        let (mut asked, mut fed) = (sources.asked.get(), sources.fed.get());
        if asked.insert(hex) {
            if self.by_ground(s, side, &sources.net, hex) {
                fed.insert(hex);
            }
            sources.asked.set(asked);
            sources.fed.set(fed);
        }
        fed.contains(hex)
    }

    /// The Supply Head, if it is on the map.
    fn head<'a>(
        &self,
        s: &State,
        side: Side,
        sources: &'a Sources,
        head: UnitId,
    ) -> Option<(HexId, &'a Head)> {
        let place = sources.heads.iter().position(|of| *of == head)?;
        let at = s.unit(head).hex()?;
        let most = self.pack.tables.supply.supply_head_overland;
        let around = || self.within(s, side, &HexSet::from_iter([at]), most);
        Some((at, sources.head[place].get_or_init(|| Head { around: around(), roads: OnceCell::new() })))
    }

    /// 18.3.2: does a path lead to the Supply Head, or to a road to it or next to it?
    fn by_head(&self, s: &State, side: Side, sources: &Sources, head: UnitId, hex: HexId) -> bool {
        let Some((at, head)) = self.head(s, side, sources, head) else { return false };
        let beside = || std::iter::once(at).chain(self.land.topology.neighbours(at)).collect::<List<_, 7>>();
        let roads = || head.roads.get_or_init(|| self.by_road(s, side, &beside()));
        head.around.contains(hex)
            || !self.on(Switch::ShortSupplyHeads)
                && self.leads_into(s, side, hex, self.pack.tables.supply.overland, roads())
    }

    /// How an overland path may cross the water on a hexside: freely, as its one unbridged Canal, or not at all (18.2).
    fn trace_crosses(&self, s: &State, side: Side, hex: HexId, d: Direction, to: HexId) -> Option<bool> {
        if self.land.traced[hex.index()] >> d.index() & 1 == 1 || self.bridged(&s.field, hex, d) {
            return Some(false);
        }
        let row = self.side_toward(hex, d);
        let printed = row.bridge.is_some_and(|b| {
            self.land.bridges[usize::from(b)].kind == atlas::BridgeKind::Ferry
                && !s.field.in_ezoc(side, hex)
                && !s.field.in_ezoc(side, to)
        });
        if printed || self.ferry_at(s, side, self.map.board.side(hex, d)).is_some() {
            return Some(false); // 23.3.3
        }
        (row.water == Water::Canal).then_some(true)
    }

    /// The Supply Phase of a side (18.1, 18.3.3).
    pub fn supply_phase(&self, s: &mut State, side: Side, log: &mut Log<Event>) {
        let sources = self.sources_of_supply(s, side);
        if side == Side::Allied && self.turn(s).supply_head_check {
            self.deplete(s, &sources.net);
        }
        let own = *s.field.in_game(side);
        for unit in &own {
            if s.unit(unit).hex().is_none() {
                continue;
            }
            let supplied = self.is_supplied(s, unit, &sources);
            let level = if supplied { 0 } else { (s.unit(unit).oos + 1).min(2) }; // 18.1
            if level != s.unit(unit).oos {
                s.unit_mut(unit).oos = level;
                log.push(Event::Supply { unit, level });
            }
        }
        for unit in &own {
            if matches!(s.unit(unit).at(), Place::Box(_) | Place::Holding) {
                s.unit_mut(unit).oos = 0; // 19.6
            }
        }
    }

    /// How a unit would be supplied now, if at all.
    pub fn supply_of(&self, s: &State, unit: UnitId) -> Option<&'static str> {
        self.supplied(s, unit, &self.sources_of_supply(s, self.counter(unit).side))
    }

    /// Units on the map that were unsupplied at the last check, or would be now.
    pub fn unsupplied(&self, s: &State, side: Side) -> Vec<UnitId> {
        let sources = self.sources_of_supply(s, side);
        let held = s.field.held(side);
        let units = held.iter().flat_map(|hex| self.stack(s, side, hex));
        units.filter(|unit| s.unit(*unit).oos > 0 || !self.is_supplied(s, *unit, &sources)).collect()
    }

    /// A ground path (18.2).
    pub fn ground_path(&self, s: &State, unit: UnitId) -> bool {
        let side = self.counter(unit).side;
        s.unit(unit).hex().is_some_and(|hex| self.by_ground(s, side, &self.supply_net(s, side), hex))
    }

    /// 18.1, 18.3.2
    fn supplied(&self, s: &State, unit: UnitId, sources: &Sources) -> Option<&'static str> {
        let side = self.counter(unit).side;
        let u = s.unit(unit);
        let Some(hex) = u.hex() else {
            return matches!(u.at(), Place::Box(_) | Place::Holding).then_some("box"); // 19.6
        };
        if u.has(Marks::LANDED) || u.has(Marks::ENTERED) {
            return Some("fresh"); // 18.1
        }
        if self.counter(unit).categories.train {
            return Some("train");
        }
        if self.always_supplied[side.index()] && !self.is_cut_off(s, unit)
            || self.fed_by_ground(s, side, sources, hex)
        {
            return Some("ground"); // 18.2
        }
        let supplies = |head: UnitId| !s.cut_off.contains(head) && self.by_head(s, side, sources, head, hex); // 18.3.2
        let by_head = self.head_of(s, unit).is_some_and(supplies);
        by_head.then_some("supply_head")
    }

    /// The same without how: what is quickly found is asked first, since a search that finds nothing takes longest.
    fn is_supplied(&self, s: &State, unit: UnitId, sources: &Sources) -> bool {
        let side = self.counter(unit).side;
        let most = AT_HAND.min(self.pack.tables.supply.overland);
        let near = |hex: HexId| {
            let head = || self.head_of(s, unit).filter(|head| !s.cut_off.contains(*head));
            self.leads_into(s, side, hex, most, &sources.net)
                || head()
                    .and_then(|head| self.head(s, side, sources, head))
                    .is_some_and(|(_, head)| head.around.contains(hex))
        };
        let quickly = s.unit(unit).hex().is_some_and(near);
        debug_assert!(!quickly || self.supplied(s, unit, sources).is_some());
        quickly || self.supplied(s, unit, sources).is_some()
    }

    /// The Supply Head that supplies a unit, or the parent of a piece.
    fn head_of(&self, s: &State, unit: UnitId) -> Option<UnitId> {
        self.counter(s.unit(unit).parent.unwrap_or(unit)).supply_head
    }

    fn is_cut_off(&self, s: &State, unit: UnitId) -> bool {
        self.head_of(s, unit).is_some_and(|h| s.cut_off.contains(h))
    }

    /// Supply Heads on the map.
    fn heads<'a>(&'a self, s: &'a State, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + 'a {
        let heads = s.field.in_game(side).iter().filter(|u| self.counter(*u).supply_head_piece);
        heads.filter_map(|u| s.unit(u).hex().map(|hex| (u, hex)))
    }

    /// 18.3.3
    fn deplete(&self, s: &mut State, net: &HexSet) {
        for head in self.units().filter(|u| self.counter(*u).supply_head_piece) {
            let Some(hex) = s.unit(head).hex() else {
                // 18.3.4: a lost Supply Head supplies no units
                continue;
            };
            if self.by_ground(s, Side::Allied, net, hex) || s.resupplied.contains(head) {
                s.unit_mut(head).mark(Marks::DEPLETED, false);
                s.cut_off.retain(|u| u != head);
            } else if s.unit(head).has(Marks::DEPLETED) {
                if !s.cut_off.contains(head) {
                    s.cut_off.add(head);
                }
            } else {
                s.unit_mut(head).mark(Marks::DEPLETED, true);
            }
        }
    }

    /// Whether a unit is supplied by ground now, or was in supply at the last check (17.3).
    pub fn in_supply(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).oos == 0
    }
}
