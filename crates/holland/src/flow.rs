//! The sequence of play (3) and what happens between two decisions.

use hexgrid::{Direction, HexId};
use kernel::{Dice, Log, Stop};
use zocbond::{MarkerAt, Piece, UnitId};

use crate::event::{Event, seat};
use crate::frame::{Frame, Mode, Phase};
use crate::land::{Water, around};
use crate::movement::{Legal, Stride, refuse};
use crate::options::Switch;
use crate::pack::{Half, Side};
use crate::state::{Bridge, Ending, Marks, Order, Place, State};
use crate::world::Holland;

impl Holland {
    /// 3.2, 3.5: is this phase played?
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
        self.scenario.replacements.unwrap_or(self.turn(s).replacements).of(side) // 20.3, S3.3, S4.3
    }

    /// The first turn begins.
    pub fn begin(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        self.begin_turn(s, dice, log)?;
        self.settle(s, dice, log)
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
        self.begin_player_turn(s, Side::Allied, dice, log) // 1.2
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
        s.ferried = [Vec::new(), Vec::new()];
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
                s.frames = vec![Frame::Phase(side, phase)];
                self.open_phase(s, side, phase, log);
                return Ok(());
            }
        }
        self.end_player_turn(s, side, dice, log)
    }

    /// 3.3: what happens first in a phase.
    fn open_phase(&self, s: &mut State, side: Side, phase: Phase, log: &mut Log<Event>) {
        match phase {
            Phase::Replacement => s.left = self.replacement_steps(s, side),
            Phase::Artillery => {
                s.left = self.pack.tables.artillery.german_ready;
                if side == Side::Allied {
                    let ready: Vec<UnitId> =
                        self.units().filter(|u| self.may_ready(s, side, *u).is_ok()).collect();
                    for unit in ready {
                        s.unit_mut(unit).mark(Marks::FIRED, false); // 17.3
                        log.push(Event::Ready { unit });
                    }
                }
            }
            Phase::Bridge => {
                for unit in self.units().filter(|u| self.counter(*u).side == side) {
                    s.unit_mut(unit).mark(Marks::REPAIRS, false);
                }
                if side == Side::German {
                    self.finish_wiring(s, log);
                }
                self.go_on_repairing(s, side, log);
            }
            Phase::Airlanding => s.points = self.landing_points(s),
            Phase::Weather
            | Phase::Movement
            | Phase::Combat
            | Phase::Recovery
            | Phase::Supply
            | Phase::Traffic => {}
        }
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
            && !u.has(Marks::GUN_MOVED)
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
        if !self.land.in_play.contains(hex) || !self.traffic_road(hex) {
            return refuse("24.4", "refuse.no_road"); // 24.4
        }
        let near =
            self.distance_to(s, Side::German, hex) < u32::from(self.pack.tables.traffic.distance_from_german);
        let other = s.traffic.iter().filter_map(|t| t.hex()).any(|h| self.map.board.distance(h, hex) <= 1);
        if near || other {
            return refuse("24.4", "refuse.traffic_place"); // 24.4
        }
        if !self.by_road(s, Side::Allied, &self.source_hexes(s, Side::Allied)).contains(hex) {
            return refuse("24.4", "refuse.not_allied_road"); // 24.4
        }
        Ok(())
    }

    /// A primary or secondary road runs in the hex.
    pub fn traffic_road(&self, hex: HexId) -> bool {
        around(&self.land.topology, hex).any(|(d, _)| self.side_toward(hex, d).advance_bonus)
    }

    /// The seat is done with its phase.
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
            }
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
            s.unit_mut(unit).mark(Marks::FLED, false); // 14.3
        }
        self.free_garrisons(s); // 23.7
        self.claim_bridges(s, side); // 5.2
        let n = Phase::ALL.iter().position(|p| *p == phase).unwrap_or(0);
        self.begin_phase(s, side, n + 1, dice, log)
    }

    /// 23.6: units that appear with their division, whom nobody has placed.
    fn place_the_rest(&self, s: &mut State, log: &mut Log<Event>) {
        for unit in self.units().filter(|u| self.counter(*u).side == Side::Allied) {
            if s.unit(unit).at() == Place::Holding {
                let hex = self.land.in_play.iter().find(|h| self.check_place(s, unit, *h).is_ok());
                match hex {
                    Some(hex) => self.place(s, unit, hex, log),
                    None => self.eliminate(s, unit, log),
                }
            }
        }
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

    /// 23.7
    fn free_garrisons(&self, s: &mut State) {
        for unit in self.units().filter(|u| self.counter(*u).garrison) {
            let near = s.unit(unit).hex().is_some_and(|hex| self.distance_to(s, Side::Allied, hex) <= 3);
            let bloch = self.counter(unit).id == "de-bloch" && s.turn >= 9;
            if near || bloch {
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

    /// What happens until somebody must decide.
    pub fn settle(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        loop {
            let on = match s.frame().clone() {
                Frame::Over => false,
                Frame::Phase(side, phase) => {
                    if self.nothing_to_decide(s, side, phase) {
                        self.end_phase(s, side, phase, dice, log)?;
                        true
                    } else {
                        false
                    }
                }
                Frame::Demolition { bridge, .. } => {
                    let moot = !self.may_blow_now(s, bridge);
                    if moot {
                        s.frames.pop();
                    }
                    moot
                }
                Frame::Flight(unit) => self.begin_flight(s, unit, log),
                Frame::Moving { unit, mode, rest, out, stride } => {
                    self.march_on(s, unit, mode, rest, (out, stride), dice, log)?;
                    true
                }
                Frame::Halted { unit, mode, stride } => {
                    let on = self.can_go_on(s, unit, mode, stride);
                    if !on {
                        s.frames.pop();
                    }
                    !on
                }
                Frame::Withdrawal { unit, engaged } => {
                    let stuck = s.unit(unit).hex().is_none() || self.withdrawals(s, unit, engaged).is_empty();
                    if stuck {
                        s.frames.pop();
                    }
                    stuck
                }
                Frame::Advancing { unit, rest } => {
                    self.advance_on(s, unit, rest, dice, log)?;
                    true
                }
                Frame::Combat(_) => self.fight(s, dice, log)?,
            };
            if !on {
                return Ok(());
            }
        }
    }

    /// A phase in which the seat could only say that it is done.
    fn nothing_to_decide(&self, s: &State, side: Side, phase: Phase) -> bool {
        if self.waits(s) {
            return false;
        }
        let bridges = || 0..self.land.bridges.len() as u16;
        match phase {
            // 14.4, 18.1: they need nobody.
            Phase::Weather | Phase::Recovery | Phase::Supply => true,
            Phase::Replacement => {
                !self.units().any(|u| self.may_replace(s, side, u).is_ok()) && !self.anybody_returns(s, side)
            }
            Phase::Artillery => {
                side == Side::Allied || !self.units().any(|u| self.may_ready(s, side, u).is_ok())
            }
            Phase::Bridge => {
                let german = side == Side::German;
                let ferries = side == Side::Allied
                    && self.units().any(|u| {
                        self.counter(u).engineer
                            && (self.check_pack_up(s, side, u).is_ok()
                                || s.unit(u).hex().is_some_and(|h| {
                                    Direction::ALL.into_iter().any(|d| {
                                        self.land.topology.neighbour(h, d).is_some()
                                            && self.check_ferry(s, side, u, self.map.board.side(h, d)).is_ok()
                                    })
                                }))
                    });
                !ferries
                    && !bridges().any(|b| {
                        german && (self.check_blow(s, b).is_ok() || self.check_wire(s, b).is_ok())
                            || s.field.bridge(b.into()) == Bridge::Blown
                                && self.check_repair(s, side, b).is_ok()
                    })
            }
            Phase::Airlanding => {
                !self
                    .units()
                    .any(|u| s.unit(u).at() == Place::Airlanding || self.check_resupply(s, u).is_ok())
                    && !self.units().any(|u| self.check_refit(s, &[u]).is_ok())
            }
            Phase::Movement => false,
            Phase::Combat => {
                !self.lab && self.targets(s, side).is_empty() && !self.anybody_disengages(s, side)
            }
            Phase::Traffic => !s.traffic.iter().any(|t| t.hex().is_none()),
        }
    }

    /// A lab file begins with this phase: it is left by `done` only.
    fn waits(&self, s: &State) -> bool {
        self.lab && s.begun
    }

    fn anybody_returns(&self, s: &State, side: Side) -> bool {
        self.units().any(|u| {
            s.unit(u).at() == Place::Dead
                && self.counter(u).side == side
                && self.return_places(s, side, u).next().is_some()
        })
    }

    /// 20.3: where a unit may come back from the Dead Pile.
    pub fn return_places(&self, s: &State, side: Side, unit: UnitId) -> impl Iterator<Item = Place> + '_ {
        let areas = (0..self.land.areas.len() as u8).map(Place::Box);
        let hexes: Vec<Place> = if self.counter(unit).replaceable && s.left > 0 {
            let net = self.by_road(s, side, &self.source_hexes(s, side));
            net.iter().map(Place::Hex).collect()
        } else {
            Vec::new()
        };
        let all: Vec<Place> =
            areas.chain(hexes).filter(|p| self.may_return(s, side, unit, *p).is_ok()).collect();
        all.into_iter()
    }

    fn anybody_disengages(&self, s: &State, side: Side) -> bool {
        self.on(Switch::Disengagement) && self.units().any(|u| self.check_disengage(s, side, &[u]).is_ok())
    }

    /// Could an interrupted move go on?
    fn can_go_on(&self, s: &State, unit: UnitId, mode: Mode, stride: Stride) -> bool {
        let Ok(m) = self.going_on(s, unit, mode) else { return false };
        s.unit(unit).hex() == Some(stride.at)
            && around(&self.land.topology, stride.at).any(|(_, to)| {
                self.step(s, &m, Some(stride), to).is_ok_and(|at| self.may_end(s, &m, &at).is_ok())
            })
    }

    /// 14.3: whether a flight decided itself.
    fn begin_flight(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) -> bool {
        if s.unit(unit).hex().is_none() || s.unit(unit).order != Order::FullRetreat {
            s.frames.pop();
            return true;
        }
        let cornered = self.routes(s, unit, 2).is_empty() && self.exits(s, unit, 2).is_empty();
        if s.unit(unit).has(Marks::FLED) && self.on(Switch::FullRetreatZoc) {
            s.frames.pop();
            self.lose_step(s, unit, log); // 14.3, H-19: the other reading
            return true;
        }
        if s.unit(unit).has(Marks::FLED) || cornered {
            s.frames.pop();
            self.eliminate(s, unit, log); // 14.3
            return true;
        }
        false
    }

    /// 14.3
    pub fn flee(&self, s: &mut State, unit: UnitId, route: &[HexId], log: &mut Log<Event>) {
        s.frames.pop();
        if let Some(end) = route.last() {
            self.put(s, unit, Place::Hex(*end));
            s.unit_mut(unit).mark(Marks::FLED, true);
            log.push(Event::Retreated { unit, to: *end });
        }
    }

    /// What an Allied unit about to step this way meets: a Wired bridge that may be tried (5.4).
    fn wired_ahead(&self, s: &State, side: Side, hex: HexId, next: HexId) -> Option<u16> {
        let d = self.land.topology.direction(hex, next)?;
        self.side_toward(hex, d).bridge.filter(|b| side == Side::Allied && self.may_blow_now(s, *b))
    }

    /// 5.2, 5.4: a bridge that an Allied unit has crossed is the Allies'.
    fn take_bridge(&self, s: &mut State, side: Side, hex: HexId, next: HexId) {
        let Some(d) = self.land.topology.direction(hex, next) else { return };
        let standing = self.bridged(&s.field, hex, d);
        if let Some(b) = self.side_toward(hex, d).bridge.filter(|_| standing && side == Side::Allied) {
            *s.field.bridge_mut(b.into()) = Bridge::IntactAllied; // 5.2, 5.4
        }
    }

    /// Ferries and Engineers that carry a unit over (8.5.3, 8.5.6, 23.3.3).
    fn carried_over(&self, s: &mut State, unit: UnitId, hex: HexId, next: HexId) {
        let side = self.counter(unit).side;
        let Some(d) = self.land.topology.direction(hex, next) else { return };
        let row = *self.side_toward(hex, d);
        if row.water == Water::None || self.bridged(&s.field, hex, d) {
            return;
        }
        if let Some(engineer) = self.ferry_at(s, side, self.map.board.side(hex, d)) {
            self.carry(s, engineer, unit);
            return;
        }
        let printed =
            row.bridge.filter(|b| self.land.bridges[usize::from(*b)].kind == atlas::BridgeKind::Ferry);
        if let Some(b) = printed {
            s.ferried[side.index()].push(b); // 8.5.6
        } else if matches!(row.water, Water::MajorRiver | Water::Lake)
            && let Ok(m) = self.going_on(s, unit, Mode::Tactical)
            && let Some(engineer) = self.engineer_for(s, &m, hex, next)
        {
            self.carry(s, engineer, unit);
        }
    }

    /// Supply Heads in a hex that the enemy enters are lost (18.3.1).
    fn overrun_heads(&self, s: &mut State, side: Side, hex: HexId, log: &mut Log<Event>) {
        let heads: Vec<UnitId> =
            self.stack(s, side.enemy(), hex).filter(|u| self.counter(*u).supply_head_piece).collect();
        for head in heads {
            self.eliminate(s, head, log); // 18.3.1
        }
    }

    /// One hex of a move.
    #[expect(clippy::too_many_arguments)]
    fn march_on(
        &self,
        s: &mut State,
        unit: UnitId,
        mode: Mode,
        mut rest: Vec<HexId>,
        (out, stride): (bool, Option<Stride>),
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let side = self.counter(unit).side;
        if rest.is_empty() || !s.unit(unit).in_game() {
            s.frames.pop();
            if out && s.unit(unit).hex().is_some() {
                self.leave(s, unit, log); // 19.5
            }
            return Ok(());
        }
        let next = rest.remove(0);
        let from = s.unit(unit).hex();
        if let Some(hex) = from
            && let Some(bridge) = self.wired_ahead(s, side, hex, next)
        {
            s.frames.push(Frame::Demolition { bridge, crossing: true }); // 5.4
            return Ok(());
        }
        // The step may have become impossible since it was planned: a bridge blown, a unit revealed.
        let m = self.going_on(s, unit, mode);
        let step = m.and_then(|m| self.step(s, &m, stride, next));
        let Ok(at) = step else {
            s.frames.pop();
            if let Some(stride) = stride {
                s.frames.push(Frame::Halted { unit, mode, stride }); // 5.4
            }
            return Ok(());
        };
        if let Some(hex) = from {
            self.carried_over(s, unit, hex, next);
            self.take_bridge(s, side, hex, next);
        } else {
            s.unit_mut(unit).mark(Marks::ENTERED, true);
            match s.entered_at.iter_mut().find(|(h, _)| *h == next) {
                Some((_, n)) => *n += 1,
                None => s.entered_at.push((next, 1)), // 19.3
            }
        }
        if at.hexes > 1 {
            s.unit_mut(unit).mark(Marks::FAR, true); // 9.5.3
        }
        self.put(s, unit, Place::Hex(next));
        self.overrun_heads(s, side, next, log);
        log.push(Event::Moved { unit, to: next });
        let unknown = s.unknown;
        let last = s.frames.len() - 1;
        self.arrive(s, side, next, dice, log)?; // 8.10
        let mut at = at;
        // 8.10 step 4: a unit that came to light may have put its ZOC here
        let revealed = s.unknown != unknown;
        if revealed && s.field.in_ezoc(side, next) && !at.stopped {
            at.stopped = !self.goes_on_in_ezoc(s, unit, mode, next);
        }
        let over = rest.is_empty() && !out;
        s.frames[last] = if revealed && over && !at.stopped {
            Frame::Halted { unit, mode, stride: at } // 25.4: it may go on
        } else {
            if at.stopped {
                rest.clear();
            }
            Frame::Moving { unit, mode, rest, out: out && !at.stopped, stride: Some(at) }
        };
        Ok(())
    }

    fn goes_on_in_ezoc(&self, s: &State, unit: UnitId, mode: Mode, hex: HexId) -> bool {
        self.going_on(s, unit, mode).is_ok_and(|m| self.infiltrates(s, &m, hex))
    }

    /// 19.5: off the map into the box of the area.
    pub fn leave(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) {
        let area = s.unit(unit).hex().and_then(|h| self.land.area_of(h));
        if let Some(area) = area {
            self.put(s, unit, Place::Box(area));
            log.push(Event::Left { unit });
        }
    }

    /// One hex of an advance.
    fn advance_on(
        &self,
        s: &mut State,
        unit: UnitId,
        mut rest: Vec<HexId>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let side = self.counter(unit).side;
        let Some(hex) = s.unit(unit).hex().filter(|_| !rest.is_empty()) else {
            s.frames.pop();
            return Ok(());
        };
        let next = rest.remove(0);
        if let Some(bridge) = self.wired_ahead(s, side, hex, next) {
            s.frames.push(Frame::Demolition { bridge, crossing: true }); // 15.5, 5.4
            return Ok(());
        }
        let d = self.land.topology.direction(hex, next);
        let row = d.map(|d| *self.side_toward(hex, d));
        let dry = d.is_some_and(|d| self.bridged(&s.field, hex, d));
        let vehicle = self.counter(unit).categories.vehicle;
        // 5.4: over a bridge that was just blown only where the water lets it
        let blown = row.is_some_and(|r| {
            let water = r.water;
            !dry && water != Water::None
                && r.bridge.is_some()
                && (vehicle || matches!(water, Water::MajorRiver | Water::Lake) && !Self::assaulted(s, next))
        });
        if blown || self.barred_by_enemy(s, side, next) || side == Side::Allied && s.unknown.contains(next) {
            s.frames.pop();
            return Ok(());
        }
        if let Some(Frame::Advancing { rest: r, .. }) = s.frames.last_mut() {
            *r = rest;
        }
        self.take_bridge(s, side, hex, next);
        self.put(s, unit, Place::Hex(next));
        self.overrun_heads(s, side, next, log);
        log.push(Event::Advanced { unit, to: next });
        self.arrive(s, side, next, dice, log) // 8.10
    }

    /// 15.5: the hex that is advanced into was taken by a Major River Assault.
    fn assaulted(s: &State, hex: HexId) -> bool {
        s.frames.iter().any(|f| matches!(f, Frame::Combat(c) if c.target == hex))
    }

    // Victory (26)

    /// 26.1: German points in halves.
    pub fn german_points(&self, s: &State) -> u16 {
        let v = self.pack.victory;
        let mut points = 0;
        for unit in self.units().filter(|u| self.counter(*u).side == Side::Allied) {
            let c = self.counter(unit);
            if s.unit(unit).at() != Place::Dead || c.pool.is_some() {
                continue;
            }
            let lives = self.units().any(|u| s.unit(u).parent == Some(unit) && s.unit(u).in_game());
            if lives {
                continue;
            }
            points += if c.supply_head_piece {
                v.supply_head
            } else if c.three_steps {
                v.three_step_unit
            } else {
                v.other_unit
            };
        }
        for (place, hexes) in self.pack.victory_places.iter().zip(&self.places) {
            let retaken = place.retakeable
                && hexes.iter().any(|h| s.taken.contains(*h))
                && hexes.iter().any(|h| s.taken.contains(*h) && s.field.last_holder(*h) == Side::German);
            if retaken {
                points += v.retaken_place;
            }
        }
        points
    }

    /// 26.6: Allied units that are not airborne, in supply, in a set of hexes.
    pub fn ground_units(&self, s: &State, hexes: &hexgrid::HexSet, supplied: bool) -> u16 {
        let counts = |u: &UnitId| {
            let c = self.counter(*u);
            c.side == Side::Allied
                && !c.airborne
                && !c.categories.train
                && c.pool.is_none()
                && s.unit(*u).hex().is_some_and(|h| hexes.contains(h))
                && (!supplied || s.unit(*u).oos == 0)
        };
        self.units().filter(counts).count() as u16
    }

    /// 26.2: Allied points in halves.
    pub fn allied_points(&self, s: &State) -> u16 {
        let v = self.pack.victory;
        let net = self.by_road(s, Side::Allied, &self.source_hexes(s, Side::Allied));
        let mut points = 0;
        for (place, hexes) in self.pack.victory_places.iter().zip(&self.places) {
            let ours = hexes.iter().all(|h| s.field.last_holder(*h) == Side::Allied);
            if ours && hexes.iter().any(|h| net.contains(*h)) {
                points += place.value;
            }
        }
        points
            + (self.ground_units(s, &self.land.north_of_rhine, true) * v.bridgehead_unit)
                .min(v.bridgehead_most)
    }

    fn look_for_victory(&self, s: &mut State, end_of_turn: bool) {
        use crate::pack::ScenarioVictory;
        let v = self.pack.victory;
        let points = self.german_points(s);
        let automatic = matches!(self.victory(), ScenarioVictory::Campaign | ScenarioVictory::Short);
        if automatic && points >= v.german_automatic {
            s.winner = Some((Side::German, Ending::GermanPoints)); // 26.3
            return;
        }
        if !end_of_turn {
            return;
        }
        let beyond = self.ground_units(s, &self.land.north_of_rhine, true) >= v.decisive_units;
        s.decisive = if beyond { s.decisive + 1 } else { 0 };
        if automatic && s.decisive >= 2 {
            s.winner = Some((Side::Allied, Ending::BeyondTheRhine)); // 26.3
            return;
        }
        if s.turn < self.scenario.last_turn {
            return;
        }
        let allied = match self.victory() {
            ScenarioVictory::Campaign => self.allied_points(s) >= v.allied_needed, // 26.4, S1.3
            ScenarioVictory::Short => self.ground_units(s, &self.land.north_of_waal, false) >= v.short_units, // 26.5, S2.1
            ScenarioVictory::Arnhem { hex, loss_limit } => {
                let there = self.map.hex(hex).is_ok_and(|h| s.field.held(Side::Allied).contains(h));
                there && points < *loss_limit // S3.4
            }
            ScenarioVictory::Nijmegen { bridges, zones, hex, needed } => {
                self.nijmegen_points(s, bridges, zones, hex) >= *needed // S4.4
            }
        };
        s.winner = Some((if allied { Side::Allied } else { Side::German }, Ending::LastTurn));
    }

    /// S4.4
    pub fn nijmegen_points(&self, s: &State, bridges: &[Vec<String>], zones: &[String], hex: &str) -> u8 {
        let ours = |id: &String| {
            let at = self.land.bridges.iter().position(|b| b.id == *id);
            at.is_some_and(|i| s.field.bridge(i) == Bridge::IntactAllied)
        };
        let mut points = bridges.iter().filter(|any| any.iter().any(ours)).count() as u8;
        for zone in zones {
            let hexes = self.pack.zones.iter().position(|z| z.id == *zone).map(|i| &self.zones[i].1);
            let clear = |h: &HexId| {
                !s.field.held(Side::German).contains(*h) && !s.field.near(Side::German).contains(*h)
            };
            points += u8::from(hexes.is_some_and(|hexes| hexes.iter().all(clear)));
        }
        let bonus = self.map.hex(hex).is_ok_and(|h| s.field.held(Side::Allied).contains(h));
        points + 2 * u8::from(bonus)
    }
}

/// 24.1, 24.3: markers with the numbers of two dice go back.
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
