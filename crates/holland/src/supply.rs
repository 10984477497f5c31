//! Supply (18): paths, Supply Heads, levels.

use std::collections::VecDeque;

use hexgrid::{HexId, HexSet};
use kernel::Log;
use zocbond::{Piece, UnitId, bonds};

use crate::event::Event;
use crate::land::{Water, around};
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Marks, Place, State};
use crate::world::Holland;

impl Holland {
    /// Source hexes of a side: the edge hexes of its Entry Areas that the enemy does not hold (18.2).
    pub fn source_hexes(&self, s: &State, side: Side) -> Vec<HexId> {
        if let Some(list) = &self.lab_sources[side.index()] {
            return list.iter().copied().filter(|h| !s.field.enemy_in(side, *h)).collect();
        }
        let mut out = Vec::new();
        for (i, area) in self.land.areas.iter().enumerate().filter(|(_, a)| a.side == side) {
            let id = &self.pack.areas[i].id;
            let open =
                side == Side::Allied || self.scenario.german_sources.as_ref().is_none_or(|l| l.contains(id));
            if open {
                let free = |h: &&HexId| self.land.in_play.contains(**h) && !s.field.enemy_in(side, **h);
                out.extend(area.hexes.iter().filter(free));
            }
        }
        out
    }

    /// May a supply line of a side pass along a road through this hex (18.2)?
    fn road_open(&self, s: &State, side: Side, hex: HexId) -> bool {
        let held = s.field.held(side).contains(hex);
        let ground = self.land.at(hex);
        let barred = self.closed(s, side, hex) || s.field.in_open_ezoc(side, hex);
        !barred && (held || !(ground.town || ground.city) || s.field.last_holder(hex) == side)
    }

    /// The hexes from which a road leads to one of the given hexes (18.2).
    pub fn by_road(&self, s: &State, side: Side, to: &[HexId]) -> HexSet {
        let mut seen = HexSet::new();
        let mut queue = VecDeque::new();
        for hex in to {
            if self.land.at(*hex).road && self.road_open(s, side, *hex) && seen.insert(*hex) {
                queue.push_back(*hex);
            }
        }
        while let Some(hex) = queue.pop_front() {
            for (d, next) in around(&self.land.topology, hex) {
                let across = self.side_toward(hex, d);
                let open = across.road.is_some()
                    && (across.water == Water::None || self.bridged(&s.field, hex, d))
                    && bonds::bars_trace(self, &s.field, side, hex, d).is_none()
                    && self.road_open(s, side, next);
                if open && seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        seen
    }

    /// The hexes that an overland path of so many hexes reaches (18.2).
    pub fn overland(&self, s: &State, side: Side, from: HexId, most: u8) -> HexSet {
        let mut seen = HexSet::new();
        seen.insert(from);
        // 18.2: at most one unbridged Canal hexside, so that each hex is looked at with and without one.
        let mut dry = seen;
        let mut edge: Vec<(HexId, bool)> = vec![(from, false)];
        for n in 0..most {
            let mut next = Vec::new();
            for (hex, canal) in edge {
                for (d, to) in around(&self.land.topology, hex) {
                    let side_row = self.side_toward(hex, d);
                    let bridged = self.bridged(&s.field, hex, d);
                    let ferry = side_row.bridge.is_some_and(|b| {
                        self.land.bridges[usize::from(b)].kind == atlas::BridgeKind::Ferry
                            && !s.field.in_ezoc(side, hex)
                            && !s.field.in_ezoc(side, to)
                    });
                    let ferry = ferry || self.ferry_at(s, side, self.map.board.side(hex, d)).is_some(); // 23.3.3
                    let wet = match side_row.water {
                        Water::MajorRiver | Water::Lake if !bridged && !ferry => continue,
                        Water::Canal if !bridged && !ferry => true,
                        _ => false,
                    };
                    if wet && canal
                        || s.field.enemy_in(side, to)
                        || side == Side::Allied && s.unknown.contains(to)
                    {
                        continue;
                    }
                    // Not into an empty EZOC hex except as the first hex
                    if n > 0 && s.field.in_open_ezoc(side, to)
                        || bonds::bars_trace(self, &s.field, side, hex, d).is_some()
                    {
                        continue;
                    }
                    let canal = canal || wet;
                    seen.insert(to);
                    if canal && !dry.contains(to) || !canal && dry.insert(to) {
                        next.push((to, canal));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            edge = next;
        }
        seen
    }

    /// The Supply Phase of a side (18.1, 18.3.3).
    pub fn supply_phase(&self, s: &mut State, side: Side, log: &mut Log<Event>) {
        let net = self.by_road(s, side, &self.source_hexes(s, side));
        let ground = |s: &State, hex: HexId| {
            let reach = self.overland(s, side, hex, self.pack.tables.supply.overland);
            !reach.is_disjoint(&net)
        };
        if side == Side::Allied && self.turn(s).supply_head_check {
            self.deplete(s, &ground);
        }
        let heads = self.heads(s, side);
        for unit in self.units().filter(|u| self.counter(*u).side == side) {
            if s.unit(unit).hex().is_none() {
                continue;
            }
            let supplied = self.supplied(s, unit, &net, &heads).is_some();
            let level = if supplied { 0 } else { (s.unit(unit).oos + 1).min(2) }; // 18.1
            if level != s.unit(unit).oos {
                s.unit_mut(unit).oos = level;
                log.push(Event::Supply { unit, level });
            }
        }
        for unit in self.units() {
            if matches!(s.unit(unit).at(), Place::Box(_) | Place::Holding) && self.counter(unit).side == side
            {
                s.unit_mut(unit).oos = 0; // 19.6
            }
        }
    }

    /// How a unit would be supplied now, if it would.
    pub fn supply_of(&self, s: &State, unit: UnitId) -> Option<&'static str> {
        let side = self.counter(unit).side;
        let net = self.by_road(s, side, &self.source_hexes(s, side));
        self.supplied(s, unit, &net, &self.heads(s, side))
    }

    /// A ground path (18.2).
    pub fn ground_path(&self, s: &State, unit: UnitId) -> bool {
        let side = self.counter(unit).side;
        let net = self.by_road(s, side, &self.source_hexes(s, side));
        s.unit(unit).hex().is_some_and(|hex| {
            !self.overland(s, side, hex, self.pack.tables.supply.overland).is_disjoint(&net)
        })
    }

    /// 18.1, 18.3.2
    fn supplied(
        &self,
        s: &State,
        unit: UnitId,
        net: &HexSet,
        heads: &[(UnitId, HexId, HexSet)],
    ) -> Option<&'static str> {
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
        let t = self.pack.tables.supply;
        let near = self.overland(s, side, hex, t.overland);
        if self.always_supplied[side.index()] && !self.is_cut_off(s, unit) || !near.is_disjoint(net) {
            return Some("ground"); // 18.2
        }
        let head = self.head_of(s, unit).and_then(|id| heads.iter().find(|(u, ..)| *u == id));
        let by_head = head.is_some_and(|(id, at, roads)| {
            !s.cut_off.contains(id)
                && (self.overland(s, side, hex, t.supply_head_overland).contains(*at)
                    || !self.on(Switch::ShortSupplyHeads) && !near.is_disjoint(roads)) // 18.3.2
        });
        by_head.then_some("supply_head")
    }

    /// The Supply Head that a unit, or the parent of a piece, draws on.
    fn head_of(&self, s: &State, unit: UnitId) -> Option<UnitId> {
        self.counter(s.unit(unit).parent.unwrap_or(unit)).supply_head
    }

    fn is_cut_off(&self, s: &State, unit: UnitId) -> bool {
        self.head_of(s, unit).is_some_and(|h| s.cut_off.contains(&h))
    }

    /// Roads that lead to a Supply Head, or next to it (18.3.2).
    fn heads(&self, s: &State, side: Side) -> Vec<(UnitId, HexId, HexSet)> {
        self.units()
            .filter(|u| self.counter(*u).supply_head_piece && self.counter(*u).side == side)
            .filter_map(|u| {
                let hex = s.unit(u).hex()?;
                let near: Vec<HexId> =
                    std::iter::once(hex).chain(around(&self.land.topology, hex).map(|(_, h)| h)).collect();
                Some((u, hex, self.by_road(s, side, &near)))
            })
            .collect()
    }

    /// 18.3.3
    fn deplete(&self, s: &mut State, ground: &impl Fn(&State, HexId) -> bool) {
        for head in self.units().filter(|u| self.counter(*u).supply_head_piece) {
            let Some(hex) = s.unit(head).hex() else {
                // 18.3.4: a lost Supply Head supplies nobody
                continue;
            };
            if ground(s, hex) || s.resupplied.contains(&head) {
                s.unit_mut(head).mark(Marks::DEPLETED, false);
                s.cut_off.retain(|u| *u != head);
            } else if s.unit(head).has(Marks::DEPLETED) {
                if !s.cut_off.contains(&head) {
                    s.cut_off.push(head);
                }
            } else {
                s.unit_mut(head).mark(Marks::DEPLETED, true);
            }
        }
    }

    /// Whether a unit is supplied now by ground or has its level from the last check (17.3).
    pub fn in_supply(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).oos == 0
    }
}
