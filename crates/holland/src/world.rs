//! The rules for one table: counters, terrain and scenario, immutable during a game.

use std::sync::Arc;

use atlas::Map;
use hexgrid::{Direction, HexId, HexSet};
use zocbond::system::FULL_ZOC;
use zocbond::{FieldOf, Piece, Span, Stamp, System, Topology, UnitId};

use crate::land::{Land, Water, around};
use crate::options::{Options, Switch};
use crate::pack::{
    ArmorKind, Categories, Face, Flag, Morale, Pack, PoolKind, Scenario, ScenarioVictory, Side, Turn,
};
use crate::state::{Bridge, Marks, Order, Place, State, Unit};

/// A counter as the rules need it.
#[derive(Clone, Debug)]
pub struct Counter {
    pub id: String,
    pub side: Side,
    /// 2.3.2, 2.3.3: attack, defense, allowance and steps of both sides.
    pub faces: [Face; 2],
    /// The number of sides of the counter: 1 or 2.
    pub sides: u8,
    /// 2.4.2, 2.4.3: the categories of its type.
    pub categories: Categories,
    pub morale: Morale,
    pub armor: Option<(u8, ArmorKind)>,
    pub range: u8,
    pub support: bool,
    pub airborne: bool,
    pub recon_circle: bool,
    pub garrison: bool,
    /// 2.5
    pub formation: u8,
    pub also: Option<u8>,
    pub remnant: Option<u8>,
    pub breakdown: Option<u8>,
    /// Of a pool piece: its other face is Mechanized.
    pub back_mechanized: bool,
    /// Of a pool piece: a Breakdown unit, not a Remnant.
    pub breakdown_piece: bool,
    pub replaceable: bool,
    pub three_steps: bool,
    /// Of a pool piece: its pool.
    pub pool: Option<u8>,
    /// The Supply Head that supplies it (18.3.2).
    pub supply_head: Option<UnitId>,
    pub supply_head_piece: bool,
    pub engineer: bool,
    pub bridging: bool,
    /// Index into [`Pack::units`].
    pub unit: Option<u16>,
}

/// Holland '44 at one table.
#[derive(Debug)]
pub struct Holland {
    pub pack: Arc<Pack>,
    pub map: Arc<Map>,
    pub land: Land,
    pub counters: Vec<Counter>,
    pub scenario: Scenario,
    /// Landing zones as hexes, with their formation.
    pub zones: Vec<(u8, Vec<HexId>)>,
    /// By counter: the hexes of the set-up card (22.8).
    pub first_hexes: Vec<Vec<HexId>>,
    /// Victory places as hexes.
    pub places: Vec<Vec<HexId>>,
    pub options: Options,
    /// Supply sources of a map written in a lab file, by side.
    pub lab_sources: [Option<Vec<HexId>>; 2],
    /// Supply sources by side (18.2).
    pub sources: [HexSet; 2],
    /// By pool: its counters.
    pools: Vec<Vec<UnitId>>,
    /// A side for which such a map names no source.
    pub always_supplied: [bool; 2],
    /// By hex: how far ZOC and Bonds reach there, unless that depends on a bridge.
    openness: Vec<Openness>,
    /// Identifies these rules, for results that are cached.
    pub stamp: Stamp,
}

/// Where ZOC and Bonds may pass in and around a hex (7.1, 7.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Openness {
    /// A bridge over a Major River nearby decides: it must be worked out in each position.
    by_bridge: bool,
    /// Directions in which a ZOC leaves the hex.
    zoc: u8,
    /// See [`System::bond_axes`].
    axes: u8,
    /// See [`System::bond_sides`].
    sides: u8,
}

pub type Field = FieldOf<Holland>;

impl Holland {
    pub fn new(pack: Arc<Pack>, map: Arc<Map>, scenario: &str) -> Result<Holland, String> {
        let known: Vec<&str> = pack.scenarios.iter().map(|s| s.id.as_str()).collect();
        let scenario = pack
            .scenario(scenario)
            .cloned()
            .ok_or_else(|| format!("no scenario `{scenario}`; there is {}", known.join(", ")))?;
        Ok(Holland::with(pack, map, scenario, Options::default()))
    }

    /// The rules of a scenario with options (27).
    pub fn with(pack: Arc<Pack>, map: Arc<Map>, scenario: Scenario, options: Options) -> Holland {
        let land = Land::new(&map, &pack, &scenario, options);
        let counters = counters(&pack);
        let formation =
            |id: &str| pack.formations.iter().position(|f| f.id == *id).map_or(u8::MAX, |i| i as u8);
        let hexes = |labels: &[String]| labels.iter().filter_map(|h| map.hex(h).ok()).collect::<Vec<_>>();
        let zones = pack.zones.iter().map(|z| (formation(&z.formation), hexes(&z.hexes))).collect();
        let places = pack.victory_places.iter().map(|p| hexes(&p.hexes)).collect();
        let detached: Vec<String> = pack.detached.iter().map(|d| d.hex.clone()).collect();
        let first_hexes = counters.iter().map(|c| match c.unit {
            Some(i) => pack.units[usize::from(i)].setup.as_ref().map_or_else(Vec::new, |s| hexes(&s.hexes)),
            None => hexes(&detached),
        });
        let first_hexes = first_hexes.collect();
        let mut rules = Holland {
            land,
            counters,
            scenario,
            first_hexes,
            zones,
            places,
            options,
            lab_sources: [None, None],
            sources: [HexSet::EMPTY; 2],
            pools: Vec::new(),
            always_supplied: [false; 2],
            openness: Vec::new(),
            stamp: Stamp::default(),
            pack: pack.clone(),
            map: map.clone(),
        };
        rules.sources = rules.all_sources();
        for unit in rules.units() {
            if let Some(pool) = rules.counter(unit).pool.map(usize::from) {
                rules.pools.resize(rules.pools.len().max(pool + 1), Vec::new());
                rules.pools[pool].push(unit);
            }
        }
        let field = Field::empty();
        rules.openness = rules.map.board.ids().map(|hex| rules.openness_in(&field, hex)).collect();
        rules
    }

    /// Where ZOC and Bonds may pass in and around a hex, worked out.
    fn openness_in(&self, field: &Field, hex: HexId) -> Openness {
        let bridged = |hex: HexId| {
            let sides = Direction::ALL.into_iter().map(|d| self.side_toward(hex, d));
            sides.into_iter().any(|side| side.water == Water::MajorRiver && side.bridge.is_some())
        };
        Openness {
            by_bridge: bridged(hex) || self.land.topology.neighbours(hex).any(bridged),
            zoc: self.zoc_leaves(field, hex),
            axes: self.axes_in(field, hex),
            sides: self.sides_in(field, hex),
        }
    }

    /// The same, known beforehand where no bridge decides.
    fn openness(&self, field: &Field, hex: HexId) -> Option<Openness> {
        let known = Some(self.openness[hex.index()]).filter(|known| !known.by_bridge);
        debug_assert!(known.is_none_or(|known| known == self.openness_in(field, hex)));
        known
    }

    /// 7.1: the directions in which a ZOC leaves a hex.
    fn zoc_leaves(&self, field: &Field, hex: HexId) -> u8 {
        let mut reach = 0;
        let mut full = true;
        for (d, _) in around(&self.land.topology, hex) {
            let open = self.zoc_crosses(field, hex, d);
            reach |= u8::from(open) << d.index();
            full &= open;
        }
        if full { FULL_ZOC } else { reach }
    }

    /// 7.6: both ends need a ZOC into the middle; two water hexsides break the Bond.
    fn axes_in(&self, field: &Field, hex: HexId) -> u8 {
        let mut axes = 0;
        for d in 0..3 {
            let [a, b] = [d, d + 3].map(Direction::from_index);
            let open = |d: Direction| self.zoc_crosses(field, hex, d);
            let wet = |d: Direction| self.side_toward(hex, d).water != Water::None;
            if open(a) && open(b) && !(wet(a) && wet(b)) {
                axes |= 1 << d;
            }
        }
        axes
    }

    /// 7.6: a Hexside Bond needs the ZOC of both ends into both hexes of the side.
    fn sides_in(&self, field: &Field, hex: HexId) -> u8 {
        let mut sides = 0;
        for d in Direction::ALL {
            let Some(beyond) = self.land.topology.neighbour(hex, d) else { continue };
            // The ends of the Bond are the common neighbours of the two hexes.
            let ends = [d.clockwise(), d.counter_clockwise()];
            let open = ends.iter().all(|e| {
                let Some(end) = self.land.topology.neighbour(hex, *e) else { return true };
                let into = |from: HexId, to: HexId| {
                    self.land.topology.direction(from, to).is_none_or(|d| self.zoc_crosses(field, from, d))
                };
                into(end, hex) && into(end, beyond)
            });
            sides |= u8::from(open) << d.index();
        }
        sides
    }

    pub const fn on(&self, switch: Switch) -> bool {
        self.options.has(switch)
    }

    pub fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    pub fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.counters.len() as u16).map(UnitId)
    }

    pub fn face(&self, s: &State, unit: UnitId) -> Face {
        let c = self.counter(unit);
        let u = s.unit(unit);
        if c.pool.is_some() {
            return c.faces[usize::from(u.has(Marks::OTHER_FACE))]; // 11.4, 21.1
        }
        c.faces[usize::from(u.lost.min(c.sides - 1))]
    }

    /// 2.4.1, 8.7
    pub fn mechanized(&self, s: &State, unit: UnitId) -> bool {
        let (c, u) = (self.counter(unit), s.unit(unit));
        let printed = if u.has(Marks::OTHER_FACE) { c.back_mechanized } else { c.categories.mechanized };
        printed && !u.has(Marks::DISMOUNTED)
    }

    /// 8.7: motorized and mechanized infantry and Engineers.
    pub fn may_dismount(&self, s: &State, unit: UnitId) -> bool {
        let (c, u) = (self.counter(unit), s.unit(unit));
        if u.has(Marks::OTHER_FACE) { c.back_mechanized } else { c.categories.may_dismount }
    }

    /// The movement allowance now (2.3.4, 8.7, 23.3.3).
    pub fn allowance(&self, s: &State, unit: UnitId) -> u8 {
        let u = s.unit(unit);
        if u.has(Marks::FERRY) {
            return 0; // 23.3.3
        }
        let printed = self.face(s, unit).allowance;
        if u.has(Marks::DISMOUNTED) { printed.min(self.pack.tables.movement.dismounted) } else { printed }
    }

    /// 2.1, 11.4, 21.2: a pool counter that is not in play.
    pub fn free_piece(&self, s: &State, pool: Option<u8>) -> Option<UnitId> {
        let counters = self.pools.get(usize::from(pool?))?;
        counters.iter().copied().find(|u| s.unit(*u).at() == Place::Aside)
    }

    /// Steps that must be lost to eliminate the unit, including those of its Remnant.
    pub fn steps(&self, s: &State, unit: UnitId) -> u8 {
        let c = self.counter(unit);
        c.sides - s.unit(unit).lost.min(c.sides - 1) + u8::from(c.three_steps)
    }

    pub fn turn(&self, s: &State) -> Turn {
        // Turns are numbered from 1 without gaps, and the scenario's turns are within the track, which the pack's check
        // ensures.
        self.pack.turns[usize::from(s.turn.max(1)) - 1]
    }

    /// Units of a side in a hex, top of the stack first.
    pub fn stack<'a>(&'a self, s: &'a State, side: Side, hex: HexId) -> impl Iterator<Item = UnitId> + 'a {
        s.field.stack(hex).filter(move |u| self.counter(*u).side == side)
    }

    /// Whether the hex is closed to a side by an enemy or, for the Allies, by an Unknown unit (6.4, 25.2).
    pub fn closed(&self, s: &State, side: Side, hex: HexId) -> bool {
        // 2.3.1, 6.4
        s.field.enemy_in(side, hex) || side == Side::Allied && s.unknown.contains(hex)
    }

    pub fn put(&self, s: &mut State, unit: UnitId, to: Place) {
        zocbond::board::put(self, &mut s.field, unit, to);
        if let Place::Hex(hex) = to {
            // 18.6
            let side = self.counter(unit).side;
            if !s.field.held(side.enemy()).contains(hex) {
                self.take_control(s, hex, side);
            }
        }
    }

    /// 18.6; 26.1: victory places that the Allies control completely are recorded.
    pub fn take_control(&self, s: &mut State, hex: HexId, side: Side) {
        if s.field.last_holder(hex) == side {
            return;
        }
        s.field.set_control(hex, side);
        if side == Side::Allied {
            self.note_places(s);
        }
    }

    /// 26.1: record the victory places that the Allies control completely now.
    pub fn note_places(&self, s: &mut State) {
        for (i, hexes) in self.places.iter().enumerate() {
            if !hexes.is_empty() && hexes.iter().all(|h| s.field.last_holder(*h) == Side::Allied) {
                s.once_held |= 1 << i.min(63);
            }
        }
    }

    pub fn take_off(&self, s: &mut State, unit: UnitId, to: Place) {
        zocbond::board::take_off(self, &mut s.field, unit, to);
    }

    /// A change of order may remove a unit's ZOC or restore it (7.1, 14.3).
    pub fn set_order(&self, s: &mut State, unit: UnitId, order: Order) {
        s.unit_mut(unit).order = order;
        if let Some(hex) = s.unit(unit).hex() {
            zocbond::board::reassess(self, &mut s.field, hex);
        }
    }

    pub fn set_bridge(&self, s: &mut State, bridge: u16, to: Bridge) {
        let before = s.field.bridge(bridge.into()).intact();
        *s.field.bridge_mut(bridge.into()) = to;
        if before != to.intact() {
            for hex in self.land.bridges[usize::from(bridge)].hexes {
                zocbond::board::reassess(self, &mut s.field, hex); // 7.1
            }
        }
    }

    /// Whether an intact bridge leads in this direction.
    pub fn bridged(&self, field: &Field, hex: HexId, d: Direction) -> bool {
        let side = &self.land.sides[self.map.board.side(hex, d).index()];
        side.bridge.is_some_and(|b| {
            self.land.bridges[usize::from(b)].kind != atlas::BridgeKind::Ferry
                && field.bridge(b.into()).intact()
        })
    }

    /// 8.6.2: whether a road, or the track of a railroad bridge, leads in this direction, which Vehicle units may
    /// follow.
    pub fn by_way(&self, field: &Field, hex: HexId, d: Direction) -> bool {
        let side = self.side_toward(hex, d);
        if side.road.is_some() && side.water == Water::None {
            return true;
        }
        let rail = side
            .bridge
            .is_some_and(|b| self.land.bridges[usize::from(b)].kind == atlas::BridgeKind::Railroad);
        (side.road.is_some() || rail) && self.bridged(field, hex, d)
    }

    /// 7.1: ZOC crosses a Major River only over an intact bridge, and a Lake never, unless H-02 is chosen.
    pub fn zoc_crosses(&self, field: &Field, hex: HexId, d: Direction) -> bool {
        match self.side_toward(hex, d).water {
            Water::Lake => self.on(Switch::ZocAcrossRivers), // H-02
            Water::MajorRiver => self.on(Switch::ZocAcrossRivers) || self.bridged(field, hex, d),
            _ => true,
        }
    }

    pub fn side_toward(&self, hex: HexId, d: Direction) -> &crate::land::Side {
        &self.land.sides[self.map.board.side(hex, d).index()]
    }

    /// 6.1: the stacking points and artillery units of a side in a hex, without `but`.
    pub fn weight(&self, s: &State, side: Side, hex: HexId, but: Option<UnitId>) -> (u8, u8) {
        let units = self.stack(s, side, hex).filter(|u| Some(*u) != but);
        units.fold((0, 0), |(points, guns), u| {
            let (p, g) = self.weight_of(s, u);
            (points + p, guns + g)
        })
    }

    /// 6.1: whether all units of a stack may end their move in this hex.
    pub fn all_fit(&self, s: &State, units: &[UnitId], hex: HexId) -> bool {
        let Some(first) = units.first() else { return true };
        let staying = self.stack(s, self.counter(*first).side, hex).filter(|u| !units.contains(u));
        self.within_limit(s, staying.chain(units.iter().copied()))
    }

    /// 6.1, 6.2: whether these units are within the stacking limit.
    pub fn within_limit(&self, s: &State, units: impl Iterator<Item = UnitId>) -> bool {
        let limit = self.pack.tables.stacking;
        let (mut points, mut guns, mut line, mut help) = (0, 0, 0, 0);
        for unit in units {
            let (p, g) = self.weight_of(s, unit);
            (points, guns) = (points + p, guns + g);
            let c = self.counter(unit);
            if !c.categories.train {
                *(if c.support { &mut help } else { &mut line }) += 1;
            }
        }
        let few = if self.on(Switch::ThreeUnits) { line <= 3 && help <= 1 } else { points <= limit.points };
        few && guns <= limit.artillery
    }

    pub fn weight_of(&self, s: &State, unit: UnitId) -> (u8, u8) {
        let c = self.counter(unit);
        if c.categories.train {
            (0, 0)
        } else {
            (self.face(s, unit).stacking, u8::from(c.categories.artillery))
        }
    }

    /// 6.1, 6.3: whether this unit may end its move in this hex.
    pub fn fits(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let side = self.counter(unit).side;
        let others = self.stack(s, side, hex).filter(|u| *u != unit);
        self.counter(unit).categories.train || self.within_limit(s, others.chain(std::iter::once(unit)))
    }

    /// The victory conditions of the scenario.
    pub fn victory(&self) -> &ScenarioVictory {
        &self.scenario.victory
    }

    /// The distance from a hex to the nearest unit of a side, in hexes.
    pub fn distance_to(&self, s: &State, side: Side, hex: HexId) -> u32 {
        let mut best = u32::MAX;
        s.field.held(side).each(|h| best = best.min(self.map.board.distance(h, hex)));
        best
    }

    pub fn label(&self, hex: HexId) -> &str {
        self.map.label(hex)
    }

    pub fn has(&self, s: &State, unit: UnitId, mark: Marks) -> bool {
        s.unit(unit).has(mark)
    }
}

fn counters(pack: &Pack) -> Vec<Counter> {
    let formation = |id: &str| pack.formations.iter().position(|f| f.id == id).map_or(u8::MAX, |i| i as u8);
    let pool = |id: &Option<String>| {
        let id = id.as_ref()?;
        pack.pools.iter().position(|p| p.id == *id).map(|i| i as u8)
    };
    let head = |id: &str| {
        let head = pack.formations.iter().find(|f| f.id == id)?.supply_head.as_ref()?;
        pack.units.iter().position(|u| u.id == *head).map(|i| UnitId(i as u16))
    };
    let mut out: Vec<Counter> = Vec::new();
    for (i, u) in pack.units.iter().enumerate() {
        out.push(Counter {
            id: u.id.clone(),
            side: u.side,
            faces: [u.front, u.reduced.unwrap_or(u.front)],
            sides: if u.reduced.is_some() { 2 } else { 1 },
            categories: pack.categories(&u.r#type),
            morale: u.morale,
            armor: u.armor.zip(u.armor_kind),
            range: u.range.unwrap_or(0),
            support: u.has(Flag::Support),
            airborne: u.has(Flag::Airborne),
            recon_circle: u.has(Flag::ReconCircle),
            garrison: u.has(Flag::GarrisonBox),
            formation: formation(&u.formation),
            also: u.also_command.as_deref().map(formation),
            remnant: pool(&u.remnant),
            breakdown: pool(&u.breakdown),
            back_mechanized: false,
            breakdown_piece: false,
            replaceable: u.replaceable,
            three_steps: u.steps == 3,
            pool: None,
            supply_head: head(&u.formation),
            supply_head_piece: u.r#type == "supply_head",
            engineer: u.r#type == "engineer",
            bridging: u.r#type == "bridging",
            unit: Some(i as u16),
        });
    }
    for (i, p) in pack.pools.iter().enumerate() {
        let back = p.back.as_ref().map(|b| Face {
            attack: b.attack,
            defense: b.defense,
            allowance: b.allowance,
            stacking: b.stacking,
        });
        for n in 1..=p.count {
            out.push(Counter {
                id: format!("{}-{n}", p.id.replace('_', "-")),
                side: p.side,
                faces: [p.front, back.unwrap_or(p.front)], // 21.3
                sides: 1,
                categories: pack.categories(&p.r#type),
                morale: p.morale,
                armor: p.armor.zip(p.armor_kind),
                range: 0,
                support: p.flags.contains(&Flag::Support),
                airborne: p.flags.contains(&Flag::Airborne),
                recon_circle: false,
                garrison: false,
                formation: u8::MAX,
                also: None,
                remnant: None,
                breakdown: None,
                back_mechanized: p.back.as_ref().is_some_and(|b| pack.categories(&b.r#type).mechanized),
                breakdown_piece: p.kind == PoolKind::Breakdown,
                replaceable: false,
                three_steps: false,
                pool: Some(i as u8),
                supply_head: None,
                supply_head_piece: false,
                engineer: false,
                bridging: false,
                unit: None,
            });
        }
    }
    out
}

impl System for Holland {
    type Side = Side;
    type Unit = Unit;
    type Bridge = Bridge;

    fn topology(&self) -> &Topology {
        &self.land.topology
    }

    fn side_of(&self, unit: UnitId) -> Side {
        self.counter(unit).side
    }

    /// 7.1
    fn zoc_reach(&self, field: &Field, unit: UnitId, hex: HexId) -> u8 {
        let u = field.unit(unit);
        let none = self.counter(unit).categories.train // 2.4.7
            || u.order == Order::FullRetreat && !self.on(Switch::FullRetreatZoc) // 14.3
            || u.has(Marks::AUTO_DS) // 9.6
            || u.has(Marks::ON_ENEMY); // 22.3.5
        if none {
            return 0;
        }
        self.openness(field, hex).map_or_else(|| self.zoc_leaves(field, hex), |known| known.zoc)
    }

    /// 7.4, 7.7, 7.8, 7.9: bonds of the two sides that cross both stand; the edge of the map is an end of Hexside Bonds.
    fn forms_bonds(&self, field: &Field, unit: UnitId, hex: HexId) -> bool {
        let c = self.counter(unit);
        !c.support
            && !c.categories.artillery
            && field.unit(unit).order != Order::FullRetreat
            && self.zoc_reach(field, unit, hex) != 0
    }

    fn bond_axes(&self, field: &Field, hex: HexId) -> u8 {
        self.openness(field, hex).map_or_else(|| self.axes_in(field, hex), |known| known.axes)
    }

    fn bond_sides(&self, field: &Field, hex: HexId) -> u8 {
        self.openness(field, hex).map_or_else(|| self.sides_in(field, hex), |known| known.sides)
    }
}
