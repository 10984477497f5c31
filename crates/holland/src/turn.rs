//! The sequence of play (3): turns, phases, and what happens at their beginnings and ends.

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{MarkerAt, Piece, UnitId, UnitSet};

use crate::event::{Event, seat};
use crate::flow::Play;
use crate::frame::{Frame, Phase};
use crate::pack::{Half, Side};
use crate::refusal::{Legal, refuse};
use crate::state::{Marks, Place, State};
use crate::world::Holland;

impl Holland {
    /// 3.2, 3.5: whether this phase is played.
    fn is_played(&self, s: &State, side: Side, phase: Phase) -> bool {
        let night = self.is_night(s);
        match phase {
            Phase::Weather => side == Side::Allied && self.turn(s).weather_roll, // 4.1
            Phase::Replacement => night && self.replacement_steps(s, side) > 0,
            Phase::Artillery => !night,
            Phase::Bridge | Phase::Movement | Phase::Combat | Phase::Recovery | Phase::Supply => true,
            Phase::Airlanding => {
                side == Side::Allied
                    && !night
                    && !s.landed_today
                    && (s.turn == 1 || self.landing_points(s) > 0)
            }
            Phase::Traffic => side == Side::German && self.scenario.traffic && self.turn(s).traffic, // 24.3
        }
    }

    pub fn replacement_steps(&self, s: &State, side: Side) -> u8 {
        self.scenario.replacements.unwrap_or(self.turn(s).replacements).of(side) // 20.3, S3.3, S4.3, S5.3
    }

    /// The first turn begins.
    pub fn begin(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        self.begin_turn(s, dice, log)?;
        Play { rules: self, s, dice, log }.settle()
    }

    fn begin_turn(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        log.push(Event::Turn(s.turn)); // 3.1
        let turn = self.turn(s);
        if let Some(weather) = turn.weather {
            s.weather = [weather; 2]; // 4.1
        }
        if turn.half == Half::Am {
            s.landed_today = false; // 22.1
            s.resupplied.clear();
        }
        self.bring_back(s); // 23.4
        for unit in self.units() {
            let due = self.arrival(unit).is_some_and(|turn| turn <= s.turn);
            if s.unit(unit).at() == Place::Coming && due {
                let place = self.arrival_place(unit);
                let reduced = self.arrives_reduced(unit);
                self.put(s, unit, place);
                s.unit_mut(unit).lost = u8::from(reduced); // 2.7, 19.1
                if self.counter(unit).categories.artillery {
                    s.unit_mut(unit).mark(Marks::FIRED, true); // 17.7
                }
            }
        }
        self.set_landing_points(s);
        self.begin_player_turn(s, Side::Allied, dice, log) // 1.2
    }

    /// 22.2: the points of this turn's Airlanding Phase; none if it is passed over.
    fn set_landing_points(&self, s: &mut State) {
        let held = self.is_played(s, Side::Allied, Phase::Airlanding);
        s.points = if held { self.landing_points(s) } else { 0 };
    }

    /// 4.1, 4.3
    pub fn roll_weather(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        let table = &self.pack.tables.weather;
        for (half, row) in [&table.am, &table.pm].into_iter().enumerate() {
            let modifier =
                self.pack.turns.get(usize::from(s.turn) - 1 + half).map_or(0, |t| t.weather_modifier);
            let die = log.roll(dice, seat(Side::Allied), 6, modifier, "roll.weather", "4.3")?;
            s.weather[half] = row[(die as i8 + modifier).clamp(1, 6) as usize - 1]; // 4.3
        }
        log.push(Event::Weather(s.weather));
        Ok(())
    }

    fn arrival(&self, unit: UnitId) -> Option<u8> {
        let i = self.counter(unit).unit?;
        self.pack.units[usize::from(i)].arrival.as_ref().map(|a| a.turn)
    }

    fn arrives_reduced(&self, unit: UnitId) -> bool {
        let i = self.counter(unit).unit.unwrap_or(0);
        self.pack.units[usize::from(i)].arrival.as_ref().is_some_and(|a| a.reduced)
    }

    /// Where an arriving unit waits: its area's box, or the Airlanding pool (19.1, 22.2, 23.6).
    fn arrival_place(&self, unit: UnitId) -> Place {
        let arrival = self.counter(unit).unit.and_then(|i| self.pack.units[usize::from(i)].arrival.as_ref());
        let Some(arrival) = arrival else { return Place::Aside };
        match &arrival.entry {
            Some(id) => {
                let area = self.pack.areas.iter().position(|a| a.id == *id);
                area.map_or(Place::Aside, |i| Place::Box(i as u8))
            }
            None if arrival.special.is_some() => Place::Holding, // 23.6
            None => Place::Airlanding,
        }
    }

    fn begin_player_turn(
        &self,
        s: &mut State,
        side: Side,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let table = self.pack.tables.artillery;
        s.moved_markers = [table.moved_markers.allied, table.moved_markers.german];
        for unit in self.units().filter(|u| self.counter(*u).side == side) {
            s.unit_mut(unit).mark(Marks::GUN_MOVED, false); // 17.2
            let u = s.unit_mut(unit);
            for mark in [Marks::MOVED, Marks::LANDED, Marks::ENTERED, Marks::CROSSED, Marks::FAR] {
                u.mark(mark, false);
            }
        }
        s.ferried = Default::default();
        s.carried.clear();
        s.entered_at.clear();
        if side == Side::Allied {
            s.air = self.air_markers(s); // 10.7
        }
        self.begin_phase(s, side, 0, dice, log)
    }

    /// The next phase that is played, from the `n`th of the list; then the other side, then the next turn.
    fn begin_phase(
        &self,
        s: &mut State,
        side: Side,
        n: usize,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        for phase in Phase::ALL.into_iter().skip(n) {
            if self.is_played(s, side, phase) {
                log.push(Event::Phase(side, phase));
                s.frames.clear();
                s.frames.push(Frame::Phase(side, phase));
                self.open_phase(s, side, phase, log);
                return Ok(());
            }
        }
        self.end_player_turn(s, side, dice, log)
    }

    /// 3.3: what happens at the start of a phase.
    pub fn open_phase(&self, s: &mut State, side: Side, phase: Phase, log: &mut Log<Event>) {
        s.unopened = false;
        match phase {
            Phase::Replacement => s.left = self.replacement_steps(s, side),
            Phase::Artillery => {
                s.left = self.pack.tables.artillery.german_ready;
                if side == Side::Allied {
                    let ready: UnitSet =
                        self.units().filter(|u| self.may_ready(s, side, *u).is_ok()).collect();
                    for unit in &ready {
                        self.make_ready(s, unit, log);
                    }
                }
            }
            Phase::Bridge => self.go_on_repairing(s, side, log),
            Phase::Airlanding => s.points = self.landing_points(s),
            Phase::Weather
            | Phase::Movement
            | Phase::Combat
            | Phase::Recovery
            | Phase::Supply
            | Phase::Traffic => {}
        }
    }

    /// 17.3; a Moved marker has come off before (3.3, 17.2).
    pub fn make_ready(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) {
        s.unit_mut(unit).mark(Marks::GUN_MOVED, false);
        s.unit_mut(unit).mark(Marks::FIRED, false);
        log.push(Event::Ready { unit });
    }

    /// 17.3
    pub fn may_ready(&self, s: &State, side: Side, unit: UnitId) -> Legal {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let fit = c.side == side
            && c.categories.artillery
            && u.hex().is_some()
            && u.has(Marks::FIRED)
            && u.good_order()
            && !u.has(Marks::ENGAGED)
            && u.oos == 0;
        if !fit || side == Side::German && s.left == 0 {
            return refuse("17.3", "refuse.ready"); // 17.3
        }
        let head = c.supply_head.filter(|_| c.airborne);
        let dry = head.is_some_and(|h| s.unit(h).hex().is_none() || s.unit(h).has(Marks::DEPLETED));
        if dry && !self.ground_path(s, unit) {
            return refuse("17.3", "refuse.depleted"); // 17.3
        }
        Ok(())
    }

    /// 24.4
    pub fn check_traffic(&self, s: &State, marker: u8, hex: HexId) -> Legal {
        let free = s.traffic.get(usize::from(marker).wrapping_sub(1)).is_some_and(|t| t.hex().is_none());
        if !free {
            return refuse("24.3", "refuse.marker"); // 24.3
        }
        self.traffic_fits(s, hex)?;
        if !self.source_roads(s, Side::Allied).contains(hex) {
            return refuse("24.4", "refuse.not_allied_road"); // 24.4
        }
        Ok(())
    }

    /// 24.4, except for the road to the Allied areas.
    pub fn traffic_fits(&self, s: &State, hex: HexId) -> Legal {
        if !self.land.traffic_roads.contains(hex) {
            return refuse("24.4", "refuse.no_road"); // 24.4
        }
        let near =
            self.distance_to(s, Side::German, hex) < u32::from(self.pack.tables.traffic.distance_from_german);
        let other = s.traffic.iter().filter_map(|t| t.hex()).any(|h| self.map.board.distance(h, hex) <= 1);
        if near || other {
            return refuse("24.4", "refuse.traffic_place"); // 24.4
        }
        Ok(())
    }

    /// The seat ends its phase.
    pub fn end_phase(
        &self,
        s: &mut State,
        side: Side,
        phase: Phase,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        match phase {
            Phase::Weather => {
                self.roll_weather(s, dice, log)?;
                s.air = self.air_markers(s); // 10.7
                self.set_landing_points(s);
            }
            Phase::Bridge if side == Side::German => self.finish_wiring(s, log), // 3.3
            Phase::Combat => self.end_combat_phase(s, side, log),
            Phase::Recovery => self.recovery_phase(s, side, dice, log)?,
            Phase::Supply => {
                self.supply_phase(s, side, log);
                self.isolation_attrition(s, side, dice, log)?;
            }
            Phase::Traffic => remove_traffic(s, dice, log)?,
            Phase::Movement => {
                self.lift_auto_ds(s); // 9.6
                if side == Side::Allied {
                    self.place_the_rest(s, log);
                }
            }
            _ => {}
        }
        for unit in self.units() {
            if s.unit(unit).has(Marks::FLED) {
                s.unit_mut(unit).mark(Marks::FLED, false); // 14.3
            }
        }
        self.free_garrisons(s); // 23.7
        self.claim_bridges(s, side); // 5.2
        let n = Phase::ALL.iter().position(|p| *p == phase).unwrap_or(0);
        self.begin_phase(s, side, n + 1, dice, log)
    }

    /// 23.6: place the units that appear with their division and have not been placed.
    fn place_the_rest(&self, s: &mut State, log: &mut Log<Event>) {
        for unit in self.units().filter(|u| self.counter(*u).side == Side::Allied) {
            if s.unit(unit).at() == Place::Holding {
                let hex = self.places_of(s, unit).next();
                match hex {
                    Some(hex) => self.place(s, unit, hex, log),
                    None => self.eliminate(s, unit, log),
                }
            }
        }
    }

    /// 23.6: the hexes in which a unit may be placed that appears with its division: all have a friend.
    pub fn places_of<'a>(&'a self, s: &'a State, unit: UnitId) -> impl Iterator<Item = HexId> + 'a {
        s.field.held(Side::Allied).iter().filter(move |hex| self.check_place(s, unit, *hex).is_ok())
    }

    /// 23.6
    pub fn check_place(&self, s: &State, unit: UnitId, hex: HexId) -> Legal {
        let formation = self.counter(unit).formation;
        if s.unit(unit).at() != Place::Holding || self.counter(unit).side != Side::Allied {
            return refuse("23.6", "refuse.not_waiting"); // 23.6
        }
        let friend = self.stack(s, Side::Allied, hex).any(|u| self.formation(s, u) == formation);
        let near = |zone: &str| {
            let at = self.pack.zones.iter().position(|z| z.id == zone);
            at.is_some_and(|i| self.zones[i].1.iter().any(|z| self.map.board.distance(*z, hex) <= 2))
        };
        let zones = ["S", "X", "Z"].iter().any(|z| near(z));
        if !friend || !zones || s.field.in_ezoc(Side::Allied, hex) || !self.fits(s, unit, hex) {
            return refuse("23.6", "refuse.place"); // 23.6
        }
        Ok(())
    }

    pub fn place(&self, s: &mut State, unit: UnitId, hex: HexId, log: &mut Log<Event>) {
        self.put(s, unit, Place::Hex(hex));
        s.unit_mut(unit).mark(Marks::MOVED, true);
        s.unit_mut(unit).mark(Marks::ENTERED, true);
        log.push(Event::Moved { unit, to: hex });
    }

    /// 23.7: a garrison that an Allied unit has come near to, and Bloch from turn 9.
    pub fn is_free_garrison(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).has(Marks::FREE) || s.turn >= 9 && self.counter(unit).id == "de-bloch"
    }

    /// 23.7
    fn free_garrisons(&self, s: &mut State) {
        for unit in self.units().filter(|u| self.counter(*u).garrison) {
            let near = s.unit(unit).hex().is_some_and(|hex| self.distance_to(s, Side::Allied, hex) <= 3);
            if near || self.is_free_garrison(s, unit) {
                s.unit_mut(unit).mark(Marks::FREE, true);
            }
        }
    }

    fn end_player_turn(
        &self,
        s: &mut State,
        side: Side,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        if side == Side::Allied {
            self.look_for_victory(s, false);
        } else {
            self.look_for_victory(s, true); // 3.4
        }
        if let Some((winner, _)) = s.winner {
            s.frames = vec![Frame::Over];
            log.push(Event::Over(winner));
            return Ok(());
        }
        if side == Side::Allied {
            return self.begin_player_turn(s, Side::German, dice, log);
        }
        s.turn += 1;
        self.begin_turn(s, dice, log)
    }
}

/// 24.1, 24.3: markers with the numbers of two dice are removed.
fn remove_traffic(s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
    if s.traffic.iter().all(|t| t.hex().is_none()) {
        return Ok(());
    }
    for _ in 0..2 {
        let die = log.roll(dice, seat(Side::German), 6, 0, "roll.traffic", "24.3")?;
        let marker = &mut s.traffic[usize::from(die) - 1];
        if marker.hex().is_some() {
            *marker = MarkerAt::default();
            log.push(Event::Traffic { marker: die, at: None });
        }
    }
    Ok(())
}
