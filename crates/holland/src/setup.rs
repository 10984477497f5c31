//! The position before the first decision (S1 to S5).

use hexgrid::{HexId, HexSet};
use zocbond::{Field, List, MarkerAt, UnitId};

use crate::pack::{Side, Weather};
use crate::state::{Place, State};
use crate::world::Holland;

impl Holland {
    /// S3.2, S4.2, S5.2: whether this counter takes part in the scenario.
    fn takes_part(&self, unit: UnitId) -> bool {
        let Some(i) = self.counter(unit).unit else { return false };
        let u = &self.pack.units[usize::from(i)];
        let s = &self.scenario;
        if s.place.iter().any(|p| p.unit == u.id) || s.also.contains(&u.id) {
            return true;
        }
        if s.without.contains(&u.id) {
            return false;
        }
        if u.side == Side::Allied {
            return s.allied.as_ref().is_none_or(|list| list.contains(&u.formation));
        }
        if s.rows.is_none() {
            return true;
        }
        if let Some(setup) = &u.setup {
            let inside = |h: &String| self.map.hex(h).is_ok_and(|hex| self.land.in_play.contains(hex));
            let boxed = setup.r#box.as_ref().is_some_and(|b| s.boxes.contains(b));
            return setup.pool.is_some() || boxed || setup.hexes.iter().any(inside);
        }
        let turn = u.arrival.as_ref().map_or(0, |a| a.turn);
        let entry = u.arrival.as_ref().and_then(|a| a.entry.as_ref());
        turn <= s.last_turn && entry.is_some_and(|e| s.german_areas.iter().flatten().any(|a| a == e))
    }

    /// S1.1, S3.1, S4.1, S5.1: the position of the set-up card, before turn 1.
    pub fn first_state(&self) -> State {
        let mut s = State {
            field: Field::empty(),
            turn: self.scenario.first_turn,
            weather: [Weather::Clear; 2],
            frames: Vec::new(),
            unknown: HexSet::new(),
            garrisons: self.pack.unknown.garrisons,
            dealt: crate::state::Dealt::default(),
            looked: false,
            landed_today: false,
            points: 0,
            air: 0,
            moved_markers: [0; 2],
            left: 0,
            traffic: [MarkerAt::default(); 6],
            ferried: Default::default(),
            resupplied: List::new(),
            cut_off: List::new(),
            attacked: HexSet::new(),
            carried: List::new(),
            ferries: List::new(),
            entered_at: List::new(),
            auto_ds: Vec::new(),
            refitted: List::new(),
            wired_now: List::new(),
            by_column: List::new(),
            once_held: 0,
            coming_back: List::new(),
            unopened: false,
            decisive: 0,
            winner: None,
        };
        let allied = self.map.faction_id("allied");
        let ours: HexSet = self.map.board.ids().filter(|h| self.map.control(*h) == allied).collect();
        s.field.set_control_of_all(&ours, Side::Allied); // 18.6
        self.first_bridges(&mut s);
        for label in &self.pack.unknown.hexes {
            if let Ok(hex) = self.map.hex(label)
                && self.land.in_play.contains(hex)
            {
                s.unknown.insert(hex); // 25.1
            }
        }
        for unit in self.units().filter(|u| self.takes_part(*u)) {
            let place = self.first_place(unit);
            self.put(&mut s, unit, place);
            let reduced = self
                .counter(unit)
                .unit
                .is_some_and(|i| self.pack.units[usize::from(i)].setup.as_ref().is_some_and(|s| s.reduced));
            s.unit_mut(unit).lost = u8::from(reduced);
        }
        self.first_detachments(&mut s);
        s
    }

    fn first_place(&self, unit: UnitId) -> Place {
        let Some(i) = self.counter(unit).unit else { return Place::Aside };
        let u = &self.pack.units[usize::from(i)];
        if let Some(p) = self.scenario.place.iter().find(|p| p.unit == u.id) {
            return self.map.hex(&p.hex).map_or(Place::Aside, Place::Hex);
        }
        let Some(setup) = &u.setup else { return Place::Coming };
        if setup.landing.is_some() || self.counter(unit).supply_head_piece {
            return Place::Airlanding; // 22.8
        }
        if setup.pool.is_some() {
            return Place::Unknown; // 25.1
        }
        if setup.r#box.is_some() {
            return Place::Holding; // 23.5
        }
        let hex: Option<HexId> = setup.hexes.first().and_then(|h| self.map.hex(h).ok());
        hex.map_or(Place::Aside, Place::Hex)
    }

    /// 21.1: A/82 starts detached from 2/504.
    fn first_detachments(&self, s: &mut State) {
        for d in &self.pack.detached {
            let pool = self.pack.pools.iter().position(|p| p.id == d.pool).map(|i| i as u8);
            let parent = self.units().find(|u| self.counter(*u).id == d.parent);
            let piece = self.free_piece(s, pool);
            if let (Some(piece), Some(parent)) = (piece, parent)
                && self.takes_part(parent)
            {
                self.put(s, piece, Place::Airlanding);
                s.unit_mut(piece).parent = Some(parent);
            }
        }
    }
}
