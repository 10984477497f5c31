//! The table while one decision is carried out: rules, state, dice and log together.

use hexgrid::HexId;
use kernel::{Dice, DiceError, Log, Seat};

use crate::{
    event::{Event, Units},
    frame::Frame,
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Side, UnitId, UnitSet},
};

/// A question about a position: what one side may do at a frame.
pub type Cx<'a> = rulebook::flow::Cx<'a, Wurzburg>;

/// Who decided, and at which frame.
pub type At = rulebook::flow::At<Wurzburg>;

pub use rulebook::flow::Question;

/// A position being changed.
#[derive(Debug)]
pub struct Play<'a> {
    pub rules: &'a Wurzburg,
    pub s: &'a mut State,
    pub dice: &'a mut Dice,
    pub log: &'a mut Log<Event>,
}

/// The chair of a side.
pub const fn seat(side: Side) -> Seat {
    Seat(side as u8)
}

/// The side of a seat.
pub const fn side(seat: Seat) -> Side {
    if seat.0 == 0 { Side::Wp } else { Side::Nato }
}

impl Play<'_> {
    /// 2.6: one ten-sided die, 0 counts as 10.
    pub fn roll(
        &mut self,
        side: Side,
        modifier: i8,
        purpose: &'static str,
        rule: &'static str,
    ) -> Result<u8, DiceError> {
        self.log.roll(self.dice, seat(side), 10, modifier, purpose, rule)
    }

    pub fn tell(&mut self, event: Event) {
        self.log.push(event);
    }

    /// Push frames so that the first of them comes first.
    pub fn then(&mut self, frames: &[Frame]) {
        self.s.frames.extend(frames.iter().rev().copied());
    }

    pub fn push(&mut self, frame: Frame) {
        self.s.frames.push(frame);
    }

    /// The top frame has done its work.
    pub fn pop(&mut self) {
        self.s.frames.pop();
    }

    pub fn cx(&self, side: Side) -> Cx<'_> {
        Cx { rules: self.rules, s: self.s, side, frame: self.s.top() }
    }

    /// 11.4: flip units to used, and report those that were not.
    pub fn use_up(&mut self, units: impl IntoIterator<Item = UnitId>) {
        let mut flipped = Units::new();
        for unit in units {
            let u = self.s.unit_mut(unit);
            let here = matches!(u.place, Place::Map | Place::FiveRow | Place::TenRow);
            if here && !u.is(Flags::USED) {
                u.set(Flags::USED);
                flipped.push(unit);
            }
        }
        if !flipped.is_empty() {
            self.tell(Event::Used { units: flipped });
        }
    }

    /// Takes dummies off the map (11.3.1).
    pub fn remove_dummies(&mut self, dummies: &[UnitId]) {
        for unit in dummies {
            self.take_off(*unit, Place::Spare);
        }
        if !dummies.is_empty() {
            self.tell(Event::DummiesRemoved { units: dummies.into() });
            self.log.reveal();
        }
    }

    /// A counter leaves the map.
    pub fn take_off(&mut self, unit: UnitId, place: Place) {
        let hex = self.s.unit(unit).hex;
        self.s.put(unit, place, HexId::NONE);
        let u = self.s.unit_mut(unit);
        u.mp = 0;
        if place == Place::Spare {
            (u.steps, u.flags) = (0, Flags(0));
        }
        for set in [
            &mut self.s.op.members,
            &mut self.s.op.near_lead,
            &mut self.s.op.began_adjacent,
            &mut self.s.op.moved,
            &mut self.s.op.done,
            &mut self.s.op.sheltered,
            &mut self.s.op.retreated,
            &mut self.s.op.fired,
            &mut self.s.op.gave,
            &mut self.s.op.pledged,
            &mut self.s.op.storming,
            &mut self.s.op.assisting,
            &mut self.s.op.screeners,
            &mut self.s.op.tried,
            &mut self.s.op.stopped,
            &mut self.s.sky.flown,
            &mut self.s.walk.force,
        ] {
            set.remove(unit);
        }
        for group in &mut self.s.op.groups {
            group.members.remove(unit);
        }
        if let Some(hex) = hex.some() {
            self.leave_smoke(unit, hex);
            self.unmask(hex);
        }
    }

    /// 6.3.3: Smoke is removed with the last engineer in its hex.
    pub fn leave_smoke(&mut self, unit: UnitId, hex: HexId) {
        use crate::units::Symbol;
        if self.rules.counter(unit).symbol != Symbol::Engineer || !self.s.smoke(hex) {
            return;
        }
        if !self.s.in_hex(hex).any(|other| self.rules.counter(other).symbol == Symbol::Engineer) {
            self.s.change_mark(hex, |mark| mark.smoke = false);
            self.tell(Event::Smoke { hex, built: false });
        }
    }

    /// 14.4.1: the marker is removed as soon as all units of the hex comply.
    pub fn unmask(&mut self, hex: HexId) {
        let masked: Units = self.s.in_hex(hex).filter(|unit| self.s.unit(*unit).is(Flags::MASKED)).collect();
        let Some(first) = masked.first() else { return };
        let side = self.rules.counter(*first).side;
        if self.rules.stack_legal(self.s, side, hex) {
            for unit in masked {
                self.s.unit_mut(unit).clear(Flags::MASKED);
            }
            self.tell(Event::Unmasked { hex });
        }
    }

    /// A unit loses steps to enemy fire (18.3.3, 18.3.4).
    pub fn lose_steps(&mut self, unit: UnitId, steps: u8) {
        self.lose(unit, steps, true);
    }

    /// A unit loses steps to mines, gas or in the air: an Improved Position stays (35.0).
    pub fn lose_otherwise(&mut self, unit: UnitId, steps: u8) {
        self.lose(unit, steps, false);
    }

    fn lose(&mut self, unit: UnitId, steps: u8, fire: bool) {
        let counter = self.rules.counter(unit);
        let steps = steps.min(self.s.unit(unit).steps);
        if steps == 0 {
            return;
        }
        self.s.unit_mut(unit).steps -= steps;
        let eliminated = self.s.unit(unit).steps == 0;
        let killer = &mut self.s.sides[counter.side.enemy().index()];
        if counter.symbol.maneuver() {
            killer.maneuver_kills += u16::from(steps);
        } else if counter.symbol != crate::units::Symbol::Hq {
            killer.support_kills += u16::from(steps);
        }
        if let Some(lost) = self.s.lost.get_mut(usize::from(counter.pool)) {
            *lost += steps;
        }
        self.tell(Event::StepsLost { unit, steps, eliminated });
        if eliminated {
            let hex = self.s.unit(unit).hex;
            match counter.symbol {
                crate::units::Symbol::Hq => self.lose_hq(unit),
                crate::units::Symbol::Engineer => self.take_off(unit, Place::Dead),
                // 11.3.2, 18.3.4: the counter is free at once.
                _ => self.take_off(unit, Place::Spare),
            }
            if let Some(hex) = hex.some().filter(|_| fire) {
                self.leave_position(counter.side, hex);
            }
        }
        self.trim_dummies(unit);
        self.check_removal(counter.formation);
    }

    /// 35.0: an Improved Position is removed with the last unit eliminated in it.
    fn leave_position(&mut self, side: Side, hex: HexId) {
        let improved = self.s.mark(hex).and_then(|mark| mark.improved) == Some(side);
        if improved && !self.s.in_hex(hex).any(|unit| self.rules.counter(unit).side == side) {
            self.s.change_mark(hex, |mark| mark.improved = None);
            self.tell(Event::ImprovedPosition { hex, side, built: false });
        }
    }

    /// 11.3.3: never more dummies than real steps of the kind.
    fn trim_dummies(&mut self, unit: UnitId) {
        let pool = self.rules.counter(unit).pool;
        let Some(pool) = self.rules.pools.get(usize::from(pool)) else { return };
        let mut dummies: Units = pool.units.iter().copied().filter(|u| self.s.unit(*u).dummy()).collect();
        let real: u32 = pool
            .units
            .iter()
            .filter(|u| !matches!(self.s.unit(**u).place, Place::Spare | Place::Exited | Place::Dead))
            .map(|u| u32::from(self.s.unit(*u).steps))
            .sum();
        let keep = (real as usize).min(dummies.len());
        let excess: Units = dummies.drain(keep..).collect();
        self.remove_dummies(&excess);
    }

    /// 30.4.1: an eliminated HQ returns two turns later, if the game lasts that long.
    fn lose_hq(&mut self, unit: UnitId) {
        let side = self.rules.counter(unit).side;
        self.s.sides[side.enemy().index()].hq_hits += 1;
        let back = self.s.turn + 2;
        let returns = back <= self.rules.scenario.turns;
        self.take_off(unit, if returns { Place::Track } else { Place::Dead });
        let u = self.s.unit_mut(unit);
        (u.turn, u.flags, u.steps) = (back, Flags(0), 1);
        let hq = usize::from(self.rules.counter(unit).hq);
        if let Some(hq) = self.s.hqs.get_mut(hq) {
            // 12.7.5, 30.4.1: its points are lost, and its EW Asset never returns.
            (hq.cp, hq.rp) = (0, 0);
            if hq.ew != crate::state::Ew::None {
                hq.ew = crate::state::Ew::Lost;
            }
        }
        self.tell(Event::HqLost { unit, back: returns.then_some(back) });
    }

    /// 30.4.3: a division or brigade that has lost everything but its HQs loses them too.
    fn check_removal(&mut self, formation: crate::units::FormationId) {
        let Some(node) = self.rules.own_cycle(formation) else { return };
        if !self.rules.annihilated(self.s, node) {
            return;
        }
        let hqs: Units = self
            .s
            .ids()
            .filter(|unit| {
                let counter = self.rules.counter(*unit);
                counter.symbol == crate::units::Symbol::Hq
                    && counter.formation == node
                    && !matches!(self.s.unit(*unit).place, Place::Dead | Place::Spare)
            })
            .collect();
        for unit in hqs {
            self.take_off(unit, Place::Dead);
        }
    }

    /// The real enemy units adjacent to a hex are revealed and dummies removed (11.3.1, 16.8.1). Returns whether any is
    /// real.
    pub fn meet(&mut self, side: Side, hex: HexId) -> bool {
        let (mut real, mut dummies) = (Units::new(), Units::new());
        for other in self.rules.around(self.s, hex, side.enemy()) {
            if self.s.unit(other).dummy() { dummies.push(other) } else { real.push(other) }
        }
        self.remove_dummies(&dummies);
        if !real.is_empty() || !dummies.is_empty() {
            self.log.reveal();
            self.tell(Event::Contact { hex, real: real.clone(), dummies });
        }
        !real.is_empty()
    }

    /// A real unit is in a hex that its side did not hold (6.3.4, 35.0, 12.3.2.2).
    pub fn occupy(&mut self, side: Side, hex: HexId) {
        if let Some(at) = self.rules.holdable.iter().position(|held| *held == hex)
            && self.s.control[at] != side
        {
            self.s.control[at] = side;
            self.tell(Event::Control { hex, side });
        }
        if self.s.mark(hex).is_some_and(|mark| mark.improved == Some(side.enemy())) {
            // 35.0: a real enemy unit enters.
            self.s.change_mark(hex, |mark| mark.improved = None);
            self.tell(Event::ImprovedPosition { hex, side: side.enemy(), built: false });
        }
        self.shift_leads(side.enemy(), hex);
        let maneuver = self.s.in_hex(hex).any(|unit| {
            let counter = self.rules.counter(unit);
            counter.side == Side::Wp && counter.symbol.maneuver() && self.s.unit(unit).steps > 0
        });
        if maneuver {
            crate::victory::reach(self, hex);
        }
    }

    /// 12.3.2.2: an enemy is alone in the hex of a Lead Unit marker.
    fn shift_leads(&mut self, side: Side, hex: HexId) {
        for n in 0..self.s.formations.len() {
            let id = crate::units::FormationId(n as u8);
            if self.s.formations[n].lead != hex || self.rules.formation(id).side != side {
                continue;
            }
            if self.s.in_hex(hex).any(|unit| self.rules.counter(unit).side == side) {
                continue;
            }
            let frame = Frame::ShiftLead(id);
            if !self.s.frames.contains(&frame) {
                self.push(frame);
            }
        }
    }

    /// 38.1.2: a real WP unit has crossed a civil bridge by any means; the wires are cut.
    pub fn cut_wires(&mut self, unit: UnitId, from: HexId, to: HexId) {
        if self.rules.counter(unit).side != Side::Wp || self.s.unit(unit).steps == 0 || from == HexId::NONE {
            return;
        }
        let Some(direction) = self.rules.field.toward(from, to) else { return };
        if self.rules.river(self.s, Side::Wp, from, direction) != crate::movement::River::Civil {
            return;
        }
        let n = usize::from(self.rules.field.river(from, direction));
        self.s.crossings[n].cross();
    }

    /// The set without units that are gone.
    pub fn alive(&self, set: &UnitSet) -> UnitSet {
        crate::units::set_of(set.iter().filter(|unit| self.s.unit(*unit).on_map()))
    }
}
