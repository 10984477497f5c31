//! A unit on its way, hex by hex, with what interrupts it (5.4, 8.10, 15.5).

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{Piece, UnitId};

use crate::event::Event;
use crate::frame::{Frame, Mode};
use crate::land::Water;
use crate::movement::Stride;
use crate::pack::Side;
use crate::state::{Bridge, Marks, Place, State};
use crate::world::Holland;

impl Holland {
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
    pub fn march_on(
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
    pub fn advance_on(
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
}
