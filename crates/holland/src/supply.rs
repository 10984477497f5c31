//! Supply (18): paths, Supply Heads, levels.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use kernel::Log;
use zocbond::{List, Piece, UnitId, bonds, supply::overland};

use crate::event::Event;
use crate::kept::Position;
use crate::land::{Water, around};
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Marks, Place, State};
use crate::world::Holland;

/// What supplies a side: the hexes with a ground path, and those from which a path leads to a Supply Head or to a road
/// that leads to it or next to it (18.3.2).
struct Sources {
    ground: HexSet,
    heads: List<(UnitId, HexSet), 8>,
}

/// Roads that lead to a source, and what this result is valid for.
struct Roads {
    of: Position,
    found: HexSet,
}

thread_local! {
    static ROADS: RefCell<[Option<Roads>; 2]> = const { RefCell::new([None, None]) };
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
        for (i, area) in self.land.areas.iter().enumerate().filter(|(_, a)| a.side == side) {
            let id = &self.pack.areas[i].id;
            let open =
                side == Side::Allied || self.scenario.german_sources.as_ref().is_none_or(|l| l.contains(id));
            if open {
                let free = |h: &&HexId| self.land.in_play.contains(**h) && !s.field.enemy_in(side, **h);
                area.hexes.iter().filter(free).for_each(|h| each(*h));
            }
        }
    }

    /// Where an overland path of a side may end: the roads that lead to a source, and the sources themselves (18.2).
    pub fn supply_net(&self, s: &State, side: Side) -> HexSet {
        let mut sources = HexSet::new();
        self.each_source(s, side, |hex| {
            if self.road_open(s, side, hex) {
                sources.insert(hex);
            }
        });
        &self.roads_to(s, side, &sources) | &sources
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
        self.roads_to(s, side, &to.iter().copied().collect())
    }

    /// The hexes from which a road leads to a source of the side (18.2).
    pub fn source_roads(&self, s: &State, side: Side) -> HexSet {
        // There are several callers per position: the last result is kept with what it depends on.
        ROADS.with_borrow_mut(|kept| {
            let kept = &mut kept[side.index()];
            let same = kept.as_ref().is_some_and(|roads| roads.of.is(self, s));
            if !same {
                *kept = Some(Roads { of: Position::of(self, s), found: self.find_source_roads(s, side) });
            }
            let found = kept.as_ref().map(|roads| roads.found).unwrap_or_default();
            debug_assert_eq!(found, self.find_source_roads(s, side));
            found
        })
    }

    fn find_source_roads(&self, s: &State, side: Side) -> HexSet {
        let mut sources = HexSet::new();
        self.each_source(s, side, |hex| {
            sources.insert(hex);
        });
        self.roads_to(s, side, &sources)
    }

    fn roads_to(&self, s: &State, side: Side, to: &HexSet) -> HexSet {
        let mut seen = HexSet::new();
        let mut ring = HexSet::new();
        to.each(|hex| {
            if self.land.at(hex).road && self.road_open(s, side, hex) {
                ring.insert(hex);
            }
        });
        while !ring.is_empty() {
            seen.union_with(&ring);
            let mut next = HexSet::new();
            ring.each(|hex| {
                for (d, to) in around(&self.land.topology, hex) {
                    let across = self.side_toward(hex, d);
                    let open = across.road.is_some()
                        && !seen.contains(to)
                        && (across.water == Water::None || self.bridged(&s.field, hex, d))
                        && self.road_open(s, side, to)
                        && bonds::bars_trace(self, &s.field, side, hex, d).is_none();
                    if open {
                        next.insert(to);
                    }
                }
            });
            ring = next;
        }
        seen
    }

    /// The hexes that an overland path of at most `most` hexes reaches (18.2).
    pub fn overland(&self, s: &State, side: Side, from: HexId, most: u8) -> HexSet {
        // 18.2: at most one unbridged Canal hexside, so each hex is examined both without and with one.
        let mut seen = [HexSet::new(); 2];
        seen[0].insert(from);
        let mut rings = seen;
        for n in 0..most {
            if rings.iter().all(HexSet::is_empty) {
                break;
            }
            let mut next = [HexSet::new(); 2];
            for (canal, ring) in rings.iter().enumerate() {
                ring.each(|hex| {
                    for (d, to) in around(&self.land.topology, hex) {
                        let Some(wet) = self.trace_crosses(s, side, hex, d, to) else { continue };
                        let used = canal + usize::from(wet);
                        // Not into an empty EZOC hex except as the first hex
                        let barred = used > 1
                            || seen[0].contains(to)
                            || seen[used].contains(to)
                            || self.closed(s, side, to)
                            || n > 0 && s.field.in_open_ezoc(side, to)
                            || bonds::bars_trace(self, &s.field, side, hex, d).is_some();
                        if !barred {
                            next[used].insert(to);
                        }
                    }
                });
            }
            for (seen, next) in seen.iter_mut().zip(&next) {
                seen.union_with(next);
            }
            rings = next;
        }
        &seen[0] | &seen[1]
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
        let t = self.pack.tables.supply;
        let ground = self.by_ground(s, side);
        // Units with ground supply need no Supply Head.
        let needed = |head: UnitId| {
            let needs = |u: UnitId| s.unit(u).hex().is_some_and(|hex| !ground.contains(hex));
            s.field.in_game(side).iter().any(|u| self.head_of(s, u) == Some(head) && needs(u))
        };
        let heads = self.heads(s, side).filter(|(unit, _)| needed(*unit)).map(|(unit, at)| {
            let beside = std::iter::once(at).chain(self.land.topology.neighbours(at));
            let roads = self.roads_to(s, side, &beside.collect());
            let mut near = self.within(s, side, &HexSet::from_iter([at]), t.supply_head_overland);
            if !self.on(Switch::ShortSupplyHeads) {
                near.union_with(&self.within(s, side, &roads, t.overland));
            }
            (unit, near)
        });
        Sources { heads: heads.collect(), ground }
    }

    /// The hexes with a ground path (18.2).
    fn by_ground(&self, s: &State, side: Side) -> HexSet {
        self.within(s, side, &self.supply_net(s, side), self.pack.tables.supply.overland)
    }

    /// How an overland path may cross the water on a hexside: freely, as its one unbridged Canal, or not at all (18.2).
    fn trace_crosses(&self, s: &State, side: Side, hex: HexId, d: Direction, to: HexId) -> Option<bool> {
        let row = self.side_toward(hex, d);
        if matches!(row.water, Water::None | Water::MinorRiver) || self.bridged(&s.field, hex, d) {
            return Some(false);
        }
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
            self.deplete(s, &sources.ground);
        }
        let own = *s.field.in_game(side);
        for unit in &own {
            if s.unit(unit).hex().is_none() {
                continue;
            }
            let supplied = self.supplied(s, unit, &sources).is_some();
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
        units.filter(|unit| s.unit(*unit).oos > 0 || self.supplied(s, *unit, &sources).is_none()).collect()
    }

    /// A ground path (18.2).
    pub fn ground_path(&self, s: &State, unit: UnitId) -> bool {
        let side = self.counter(unit).side;
        s.unit(unit).hex().is_some_and(|hex| self.by_ground(s, side).contains(hex))
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
        debug_assert_eq!(sources.ground.contains(hex), {
            let most = self.pack.tables.supply.overland;
            !self.overland(s, side, hex, most).is_disjoint(&self.supply_net(s, side))
        });
        if self.always_supplied[side.index()] && !self.is_cut_off(s, unit) || sources.ground.contains(hex) {
            return Some("ground"); // 18.2
        }
        let head = self.head_of(s, unit).and_then(|id| sources.heads.iter().find(|(u, _)| *u == id));
        let by_head = head.is_some_and(|(id, near)| !s.cut_off.contains(*id) && near.contains(hex)); // 18.3.2
        by_head.then_some("supply_head")
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
    fn deplete(&self, s: &mut State, ground: &HexSet) {
        for head in self.units().filter(|u| self.counter(*u).supply_head_piece) {
            let Some(hex) = s.unit(head).hex() else {
                // 18.3.4: a lost Supply Head supplies no units
                continue;
            };
            if ground.contains(hex) || s.resupplied.contains(head) {
                s.unit_mut(head).mark(Marks::DEPLETED, false);
                s.cut_off.retain(|u| u != head);
            } else if s.unit(head).has(Marks::DEPLETED) {
                if !s.cut_off.contains(head) {
                    s.cut_off.push(head);
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
