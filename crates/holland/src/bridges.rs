//! Bridges (5): demolition, wiring, ownership, repair; and what a unit sets off beside them (8.10).

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{List, Piece, Span, UnitId};

use crate::event::{Event, seat};
use crate::frame::Frame;
use crate::land::around;
use crate::options::Switch;
use crate::pack::{DemolitionRule, Side};
use crate::refusal::{Bar, Legal, refuse};
use crate::state::{Bridge, Order, State};
use crate::world::Holland;

impl Holland {
    /// 5.2: the state of the bridges at the start.
    pub fn first_bridges(&self, s: &mut State) {
        for (i, b) in self.land.bridges.iter().enumerate() {
            let behind = b.hexes.iter().all(|h| s.field.last_holder(*h) == Side::Allied);
            *s.field.bridge_mut(i) = if b.blown_at_start {
                Bridge::Blown // S1.2
            } else if behind || b.id == "joes_bridge" {
                Bridge::IntactAllied // S1.2, 5.2
            } else if b.can_be_blown {
                Bridge::Wired
            } else {
                Bridge::Intact
            };
        }
    }

    fn german_near(&self, s: &State, bridge: u16) -> bool {
        let hexes = self.land.bridges[usize::from(bridge)].hexes;
        hexes.iter().any(|h| {
            let near = std::iter::once(*h).chain(around(&self.land.topology, *h).map(|(_, n)| n));
            near.into_iter().any(|x| {
                s.unknown.contains(x) || self.stack(s, Side::German, x).any(|u| s.unit(u).good_order())
            })
        })
    }

    fn allied_near(&self, s: &State, bridge: u16) -> bool {
        let held = s.field.held(Side::Allied);
        self.land.bridges[usize::from(bridge)]
            .hexes
            .iter()
            .any(|h| held.contains(*h) || s.field.near(Side::Allied).contains(*h))
    }

    /// 5.4, 5.7: whether the German player may try this bridge when an Allied unit comes adjacent to it or crosses it.
    pub fn may_blow_now(&self, s: &State, bridge: u16) -> bool {
        let b = &self.land.bridges[usize::from(bridge)];
        s.field.bridge(bridge.into()) == Bridge::Wired
            && b.can_be_blown
            && (b.rule != Some(DemolitionRule::GermanNear) || self.german_near(s, bridge)) // 5.7
    }

    /// 5.5: in the German Bridge Phase.
    pub fn check_blow(&self, s: &State, bridge: u16) -> Legal {
        if !self.land.bridges[usize::from(bridge)].can_be_blown {
            return refuse("5.7", "refuse.never_blown"); // 5.7
        }
        if s.field.bridge(bridge.into()) != Bridge::Wired {
            return refuse("5.2", "refuse.not_wired"); // 5.2
        }
        let hexes = self.land.bridges[usize::from(bridge)].hexes;
        // 5.5: in one of its hexes, or adjacent to one that it could step into
        let fit = |x: HexId| self.good_german_in(s, x);
        let german = hexes.iter().any(|h| {
            let open = !s.field.held(Side::Allied).contains(*h);
            fit(*h)
                || open
                    && around(&self.land.topology, *h).any(|(d, x)| {
                        fit(x)
                            && zocbond::bonds::bars(self, &s.field, Side::German, x, d.opposite()).is_none()
                    })
        });
        if !german || !self.allied_near(s, bridge) {
            return refuse("5.5", "refuse.demolition"); // 5.5
        }
        Ok(())
    }

    /// 5.6: the chance that a demolition succeeds.
    pub fn blown_chance(&self, s: &State) -> f64 {
        let t = self.pack.tables.demolition;
        let modifier = if s.turn == 1 { t.turn_one_modifier } else { 0 }; // 23.1
        (1..=6).filter(|die| die + modifier >= t.blown_from).count() as f64 / 6.0
    }

    /// 5.6
    pub fn blow(
        &self,
        s: &mut State,
        bridge: u16,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        let t = self.pack.tables.demolition;
        let modifier = if s.turn == 1 { t.turn_one_modifier } else { 0 }; // 23.1
        let die = log.roll(dice, seat(Side::German), 6, modifier, "roll.demolition", "5.6")?;
        let blown = die as i8 + modifier >= t.blown_from;
        let to = if blown { Bridge::Blown } else { Bridge::Intact }; // 5.4, 5.5
        self.set_bridge(s, bridge, to);
        log.push(Event::Bridge { bridge, to });
        Ok(blown)
    }

    /// 5.3
    pub fn check_wire(&self, s: &State, bridge: u16) -> Legal {
        let b = &self.land.bridges[usize::from(bridge)];
        let there = b.hexes.iter().any(|h| self.good_german_in(s, *h));
        if s.field.bridge(bridge.into()) != Bridge::Intact || !b.can_be_blown || !there {
            return refuse("5.3", "refuse.wiring"); // 5.3
        }
        Ok(())
    }

    /// 5.3: bridges placed "to be wired" in an earlier phase become wired, or not. This comes after demolition (3.3),
    /// so that a bridge is not wired and tried in the same phase.
    pub fn finish_wiring(&self, s: &mut State, log: &mut Log<Event>) {
        for i in 0..self.land.bridges.len() as u16 {
            if s.field.bridge(i.into()) == Bridge::ToBeWired && !s.wired_now.contains(i) {
                let hexes = self.land.bridges[usize::from(i)].hexes;
                let there = hexes.iter().any(|h| self.good_german_in(s, *h));
                let allied = hexes.iter().any(|h| s.field.held(Side::Allied).contains(*h));
                let to = if there && !allied { Bridge::Wired } else { Bridge::Intact };
                self.set_bridge(s, i, to);
                log.push(Event::Bridge { bridge: i, to });
            }
        }
        s.wired_now.clear();
    }

    fn good_german_in(&self, s: &State, hex: HexId) -> bool {
        self.stack(s, Side::German, hex).any(|u| s.unit(u).good_order())
    }

    /// The question about this bridge has been answered.
    pub fn leave_bridge(&self, s: &mut State, bridge: u16) {
        let Some(Frame::Demolition { bridge: first, others, .. }) = s.frames.last_mut() else { return };
        if *first != bridge {
            others.retain(|b| b != bridge);
        } else if let Some(next) = others.pop() {
            *first = next;
        } else {
            s.frames.pop();
        }
    }

    /// 5.4: the German player does not try a bridge: he waits, or an Allied unit crosses it.
    pub fn hold_bridge(&self, s: &mut State, bridge: u16, crossing: bool, log: &mut Log<Event>) {
        self.leave_bridge(s, bridge);
        if crossing {
            self.set_bridge(s, bridge, Bridge::Intact); // 5.4: it becomes Allied when it is crossed
            log.push(Event::Bridge { bridge, to: Bridge::Intact });
        }
    }

    /// 5.8: an Allied bridging unit is in one of the bridge's hexes.
    pub fn column_at(&self, s: &State, bridge: u16) -> bool {
        let column = |hex: &HexId| self.stack(s, Side::Allied, *hex).any(|u| self.counter(u).bridging);
        self.land.bridges[usize::from(bridge)].hexes.iter().any(column)
    }

    /// 5.8: a bridge that this bridging unit alone repairs would be Blown again if it moved.
    pub fn repairs(&self, s: &State, unit: UnitId) -> bool {
        let at = |hexes: &[HexId; 2], u: UnitId| s.unit(u).hex().is_some_and(|hex| hexes.contains(&hex));
        s.by_column.iter().any(|bridge| {
            let hexes = &self.land.bridges[usize::from(*bridge)].hexes;
            at(hexes, unit) && !self.units().any(|u| u != unit && self.counter(u).bridging && at(hexes, u))
        })
    }

    /// 5.8, 5.9: whether a side may repair this bridge, and how many Bridge Phases from now it takes.
    pub fn check_repair(&self, s: &State, side: Side, bridge: u16) -> Result<u8, Bar> {
        let b = &self.land.bridges[usize::from(bridge)];
        if !matches!(s.field.bridge(bridge.into()), Bridge::Blown | Bridge::Repair(..)) {
            return refuse("5.8", "refuse.not_blown"); // 5.8
        }
        let clear = b.hexes.iter().all(|h| {
            !s.field.enemy_in(side, *h) && (s.field.held(side).contains(*h) || !s.field.in_ezoc(side, *h))
        });
        if !clear {
            return refuse("5.8", "refuse.repair_enemy"); // 5.8
        }
        let t = self.pack.tables.demolition;
        if side == Side::Allied && self.column_at(s, bridge) {
            return Ok(t.repair_phases - 1); // 5.8
        }
        if s.by_column.contains(bridge) {
            return refuse("5.8", "refuse.repair"); // 5.8
        }
        let row = |hex: HexId| self.label(hex)[..2].parse::<u8>().unwrap_or(0);
        let allowed = match side {
            Side::Allied => {
                let north = self
                    .units()
                    .filter(|u| self.counter(*u).bridging)
                    .filter_map(|u| s.unit(u).hex())
                    .map(row)
                    .max();
                north.is_some_and(|north| b.hexes.iter().all(|h| row(*h) < north))
            }
            Side::German => b
                .hexes
                .iter()
                .all(|_| self.land.sides[b.side.index()].water != crate::land::Water::MajorRiver),
        };
        let net = self.source_roads(s, side);
        if !allowed || !b.hexes.iter().any(|h| net.contains(*h)) {
            return refuse("5.9", "refuse.repair"); // 5.9
        }
        Ok(t.automatic_repair_phases - 1)
    }

    /// 5.8, 5.9
    pub fn start_repair(
        &self,
        s: &mut State,
        side: Side,
        bridge: u16,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let left = self.check_repair(s, side, bridge)?;
        if side == Side::Allied && self.column_at(s, bridge) && !s.by_column.contains(bridge) {
            s.by_column.add(bridge); // 5.8
        }
        let to = Bridge::Repair(side, left);
        self.set_bridge(s, bridge, to);
        log.push(Event::Bridge { bridge, to });
        Ok(())
    }

    /// 5.8, 5.9: continue or cancel the repairs under way.
    pub fn go_on_repairing(&self, s: &mut State, side: Side, log: &mut Log<Event>) {
        for i in 0..self.land.bridges.len() as u16 {
            let Bridge::Repair(whose, left) = s.field.bridge(i.into()) else { continue };
            if whose != side {
                continue;
            }
            let to = match (self.check_repair(s, side, i), left) {
                (Err(_), _) => Bridge::Blown,
                (Ok(_), 0 | 1) if side == Side::Allied => Bridge::IntactAllied,
                (Ok(_), 0 | 1) => Bridge::Intact,
                (Ok(_), n) => Bridge::Repair(side, n - 1),
            };
            if !matches!(to, Bridge::Repair(..)) {
                s.by_column.retain(|b| b != i);
            }
            self.set_bridge(s, i, to);
            log.push(Event::Bridge { bridge: i, to });
        }
    }

    /// 5.2: ownership at the end of a phase.
    pub fn claim_bridges(&self, s: &mut State, side: Side) {
        for i in 0..self.land.bridges.len() {
            let b = &self.land.bridges[i];
            let now = s.field.bridge(i);
            // 5.10
            if b.kind == atlas::BridgeKind::Ferry || !now.intact() {
                continue;
            }
            let held = |side: Side, h: HexId| s.field.held(side).contains(h);
            let close = |side: Side, h: HexId| held(side, h) || s.field.near(side).contains(h);
            let [a, z] = b.hexes;
            if side == Side::Allied && now != Bridge::IntactAllied {
                let ours = held(Side::Allied, a) && !close(Side::German, z)
                    || held(Side::Allied, z) && !close(Side::German, a);
                if ours {
                    *s.field.bridge_mut(i) = Bridge::IntactAllied;
                }
            } else if now == Bridge::IntactAllied {
                let theirs = (held(Side::German, a) || held(Side::German, z))
                    && !close(Side::Allied, a)
                    && !close(Side::Allied, z);
                if theirs {
                    *s.field.bridge_mut(i) = Bridge::Intact;
                }
            }
        }
    }

    /// 8.10: what an Allied or German unit sets off by coming to a hex.
    pub fn arrive(
        &self,
        s: &mut State,
        side: Side,
        hex: HexId,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let near = *self.land.topology.around(hex);
        if side == Side::Allied && !self.on(Switch::RevealedByAttack) {
            for n in near {
                if s.unknown.contains(n) {
                    self.reveal(s, n, dice, log)?; // 25.3 A
                }
            }
        }
        // Pushed in reverse order: the last one is decided first.
        let mut fleeing = List::<UnitId, 48>::new();
        for n in near.into_iter().filter_map(HexId::some) {
            let mut stack = self.stack(s, side.enemy(), n);
            if stack.all(|u| s.unit(u).order == Order::FullRetreat) {
                self.stack(s, side.enemy(), n).for_each(|u| {
                    fleeing.add(u); // 14.3
                });
            }
        }
        if !fleeing.is_empty() {
            s.frames.push(Frame::Flight(fleeing));
        }
        if side == Side::Allied {
            let mut bridges = List::<u16, 6>::new();
            for (d, _) in around(&self.land.topology, hex) {
                if let Some(bridge) = self.side_toward(hex, d).bridge.filter(|b| self.may_blow_now(s, *b)) {
                    bridges.add(bridge); // 5.4
                }
            }
            if let Some((bridge, others)) = bridges.split_first() {
                let others = others.iter().rev().copied().collect();
                s.frames.push(Frame::Demolition { bridge: *bridge, others, crossing: false });
            }
        }
        Ok(())
    }
}
