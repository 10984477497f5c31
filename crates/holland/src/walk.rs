//! Moving units hex by hex, with interruptions (5.4, 8.10, 15.5).

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{List, Piece, UnitId};

use crate::event::Event;
use crate::frame::{Ahead, Frame, Mode};
use crate::land::Water;
use crate::movement::{Mover, Party};
use crate::pack::Side;
use crate::state::{Bridge, Marks, Place, State};
use crate::world::Holland;

impl Holland {
    /// The Wired bridge, if any, that an Allied unit is about to cross and that may be tried (5.4).
    fn wired_ahead(&self, s: &State, side: Side, hex: HexId, next: HexId) -> Option<u16> {
        let d = self.land.topology.direction(hex, next)?;
        self.side_toward(hex, d).bridge.filter(|b| side == Side::Allied && self.may_blow_now(s, *b))
    }

    /// 5.2, 5.4: a bridge that an Allied unit has crossed becomes Allied.
    fn take_bridge(&self, s: &mut State, side: Side, hex: HexId, next: HexId) {
        let Some(d) = self.land.topology.direction(hex, next) else { return };
        let standing = self.bridged(&s.field, hex, d);
        if let Some(b) = self.side_toward(hex, d).bridge.filter(|_| standing && side == Side::Allied)
            && s.field.bridge(b.into()) != Bridge::IntactAllied
        {
            *s.field.bridge_mut(b.into()) = Bridge::IntactAllied; // 5.2, 5.4
        }
    }

    /// Record the ferries and Engineers that carry units across (8.5.3, 8.5.6, 23.3.3).
    fn carried_over(&self, s: &mut State, party: &Party, hex: HexId, next: HexId) {
        let side = self.counter(party.units[0]).side;
        let Some(d) = self.land.topology.direction(hex, next) else { return };
        let row = *self.side_toward(hex, d);
        if row.water == Water::None || self.bridged(&s.field, hex, d) {
            return;
        }
        let pontoon = self.ferry_at(s, side, self.map.board.side(hex, d));
        let printed =
            row.bridge.filter(|b| self.land.bridges[usize::from(*b)].kind == atlas::BridgeKind::Ferry);
        for unit in &party.units {
            if let Some(engineer) = pontoon {
                self.carry(s, engineer, *unit);
            } else if let Some(b) = printed {
                s.ferried[side.index()].add(b); // 8.5.6
            } else if matches!(row.water, Water::MajorRiver | Water::Lake)
                && let Ok(m) = self.going_on(s, *unit, Mode::Tactical)
                && let Some(engineer) = self.engineer_for(s, &Mover { with: party.units, ..m }, hex, next)
            {
                self.carry(s, engineer, *unit);
            }
        }
    }

    /// Supply Heads in a hex that the enemy enters are lost (18.3.1).
    fn overrun_heads(&self, s: &mut State, side: Side, hex: HexId, log: &mut Log<Event>) {
        loop {
            let head = self.stack(s, side.enemy(), hex).find(|u| self.counter(*u).supply_head_piece);
            let Some(head) = head else { return };
            self.eliminate(s, head, log); // 18.3.1
        }
    }

    /// One hex of a move.
    pub fn march_on(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        let Some(Frame::Moving { party, mode, way, done, out }) = s.frames.last().copied() else {
            return Ok(());
        };
        let side = self.counter(party.units[0]).side;
        let gone = !party.units.iter().all(|u| s.unit(*u).in_game());
        let Some(next) = way.get(usize::from(done)).copied().filter(|_| !gone) else {
            s.frames.pop();
            if out && !gone {
                for unit in &party.units {
                    self.leave(s, *unit, log); // 19.5
                }
            }
            return Ok(());
        };
        let from = party.hex();
        if let Some(hex) = from
            && let Some(bridge) = self.wired_ahead(s, side, hex, next)
        {
            s.frames.push(Frame::Demolition { bridge, others: List::new(), crossing: true }); // 5.4
            return Ok(());
        }
        // The step may have become impossible since it was planned: a bridge was blown, or a unit revealed.
        let Ok(mut party) = self.step_all(s, &party, mode, next) else {
            s.frames.pop();
            if party.at.is_some() {
                s.frames.push(Frame::Halted { party, mode }); // 5.4
            }
            return Ok(());
        };
        if let Some(hex) = from {
            self.carried_over(s, &party, hex, next);
            self.take_bridge(s, side, hex, next);
        } else {
            for unit in &party.units {
                s.unit_mut(*unit).mark(Marks::ENTERED, true);
                match s.entered_at.iter_mut().find(|(h, _)| *h == next) {
                    Some((_, n)) => *n += 1,
                    None => s.entered_at.add((next, 1)), // 19.3
                }
            }
        }
        let far = party.at.is_some_and(|at| at.hexes > 1);
        for unit in &party.units {
            if far {
                s.unit_mut(*unit).mark(Marks::FAR, true); // 9.5.3
            }
            self.put(s, *unit, Place::Hex(next));
        }
        self.overrun_heads(s, side, next, log);
        for unit in &party.units {
            log.push(Event::Moved { unit: *unit, to: next });
        }
        let unknown = s.unknown;
        let last = s.frames.len() - 1;
        self.arrive(s, side, next, dice, log)?; // 8.10
        // 8.10 step 4: a revealed unit may exert ZOC here
        let revealed = s.unknown != unknown;
        let interrupted = revealed || s.frames.len() > last + 1;
        let mut stopped = party.at.is_some_and(|at| at.stopped);
        if revealed && s.field.in_ezoc(side, next) && !stopped {
            stopped = !party.units.iter().all(|u| self.goes_on_in_ezoc(s, *u, mode, next));
        }
        if let Some(at) = &mut party.at {
            at.stopped = stopped;
        }
        let done = if stopped { way.len() as u8 } else { done + 1 };
        let over = usize::from(done) == way.len() && !out;
        s.frames[last] = if interrupted && over && !stopped {
            Frame::Halted { party, mode } // 5.4, 14.3, 25.4: it may continue
        } else {
            Frame::Moving { party, mode, way, done, out: out && !stopped }
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
    pub fn advance_on(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        let Some(Frame::Advancing { unit, way, done, before }) = s.frames.last().copied() else {
            return Ok(());
        };
        let side = self.counter(unit).side;
        let (Some(hex), Some(next)) = (s.unit(unit).hex(), way.get(usize::from(done)).copied()) else {
            s.frames.pop();
            return Ok(());
        };
        if let Some(bridge) = self.wired_ahead(s, side, hex, next) {
            s.frames.push(Frame::Demolition { bridge, others: List::new(), crossing: true }); // 15.5, 5.4
            return Ok(());
        }
        let under = s.frames.len() - 2;
        let Frame::Combat(c) = &s.frames[under] else {
            s.frames.pop();
            return Ok(());
        };
        // A revealed unit or a blown bridge may block the next step: the advance continues elsewhere or ends (5.4).
        if self.advancing(s, c, unit).step(hex, next, before.hexes == 0).is_err() {
            s.frames.pop();
            if let Some(Frame::Combat(c)) = s.frames.last_mut() {
                c.ahead = Some((unit, before)).filter(|_| before.hexes > 0);
            }
            return Ok(());
        }
        let by_road = before.by_road && self.gives_road_bonus(s, hex, next);
        let hexes = before.hexes + 1;
        s.unit_mut(unit).mark(Marks::ADVANCED, true);
        s.unit_mut(unit).mark(Marks::FAR_AHEAD, hexes > 1); // 16.2
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Advancing { unit, way, done: done + 1, before: Ahead { hexes, by_road } };
        }
        self.take_bridge(s, side, hex, next);
        self.put(s, unit, Place::Hex(next));
        self.overrun_heads(s, side, next, log);
        log.push(Event::Advanced { unit, to: next });
        let (unknown, last) = (s.unknown, s.frames.len() - 1);
        self.arrive(s, side, next, dice, log)?; // 8.10
        let interrupted = s.unknown != unknown || s.frames.len() > last + 1;
        if interrupted
            && usize::from(done) + 1 == way.len()
            && let Frame::Combat(c) = &mut s.frames[under]
        {
            c.ahead = Some((unit, Ahead { hexes, by_road })); // 14.3: it may continue
        }
        Ok(())
    }
}
