//! Stacking and masking (14).

use hexgrid::HexId;
use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::Frame,
    play::{Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, State},
    units::{Side, UnitId},
};

impl Wurzburg {
    /// 14.2.1, 14.2.2, 14.0
    pub fn step_limit(&self, side: Side) -> u8 {
        self.tables.stacking.maneuver_steps.of(side)
    }

    /// Do these units, all of one side and in one hex, comply with every stacking restriction?
    pub fn may_stack(&self, s: &State, units: &[UnitId]) -> bool {
        let Some(first) = units.first() else { return true };
        let side = self.counter(*first).side;
        // 14.2.3: only maneuver steps count.
        let maneuver = units.iter().filter(|u| self.counter(**u).symbol.maneuver());
        let steps: u32 = maneuver.map(|unit| u32::from(s.unit(*unit).steps)).sum();
        if steps > u32::from(self.step_limit(side)) {
            return false; // 14.2
        }
        let ground = |unit: &&UnitId| self.counter(**unit).symbol.ground();
        units.iter().filter(ground).enumerate().all(|(n, a)| {
            units.iter().filter(ground).skip(n + 1).all(|b| self.may_share(s, *a, *b)) // 14.3
        })
    }

    /// A side's ground units in a hex.
    pub fn stack(&self, s: &State, side: Side, hex: HexId) -> Units {
        s.in_hex(hex)
            .filter(|unit| self.counter(*unit).side == side && self.counter(*unit).symbol.ground())
            .collect()
    }

    pub fn stack_legal(&self, s: &State, side: Side, hex: HexId) -> bool {
        self.may_stack(s, &self.stack(s, side, hex))
    }

    pub fn masked_hex(&self, s: &State, hex: HexId) -> bool {
        s.in_hex(hex).any(|unit| s.unit(unit).is(Flags::MASKED))
    }

    /// The sets of units that may be masked so that the rest complies, each as small as can be (14.4).
    pub fn maskings(&self, s: &State, side: Side, hex: HexId) -> Vec<Units> {
        let units = self.stack(s, side, hex);
        let count = units.len().min(12);
        let used_here = |unit: UnitId| {
            s.unit(unit).is(Flags::USED) && !s.op.moved.contains(unit) && !s.op.retreated.contains(unit)
        };
        let stays =
            |mask: u32| (0..count).filter(|n| mask >> n & 1 == 0).map(|n| units[n]).collect::<Units>();
        let legal: Vec<u32> = (1..1u32 << count)
            .filter(|mask| !stays(*mask).is_empty() && self.may_stack(s, &stays(*mask)))
            .collect();
        let smallest: Vec<u32> = legal
            .iter()
            .copied()
            .filter(|mask| !legal.iter().any(|other| other != mask && other & mask == *other))
            .collect();
        let named =
            |mask: u32| (0..count).filter(|n| mask >> n & 1 == 1).map(|n| units[n]).collect::<Units>();
        // 14.4: not used units that were already there, unless nothing else is left (GAPS-w2 b31).
        let free: Vec<Units> = smallest
            .iter()
            .map(|mask| named(*mask))
            .filter(|masked| !masked.iter().any(|unit| used_here(*unit)))
            .collect();
        if free.is_empty() {
            let mut all: Vec<Units> = smallest.into_iter().map(named).collect();
            all.sort_by_key(|masked| masked.iter().filter(|unit| used_here(**unit)).count());
            all.truncate(1);
            return all;
        }
        free
    }
}

impl Play<'_> {
    /// 14.2.4, 14.4.2, 14.3.3: asks for a mask where a side's units in a hex break a restriction.
    pub fn check_stack(&mut self, side: Side, hex: HexId) {
        let units = self.rules.stack(self.s, side, hex);
        let open: Units = units.iter().copied().filter(|u| !self.s.unit(*u).is(Flags::MASKED)).collect();
        if self.rules.may_stack(self.s, &open) {
            return;
        }
        for unit in units {
            self.s.unit_mut(unit).clear(Flags::MASKED);
        }
        self.push(Frame::Mask(side, hex));
    }
}

/// 14.4: the owner says who is masked.
#[derive(Debug)]
pub struct Mask;

fn place(frame: Frame) -> (Side, HexId) {
    match frame {
        Frame::Mask(side, hex) => (side, hex),
        _ => (Side::Wp, HexId::NONE),
    }
}

impl Question for Mask {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Side {
        place(frame).0
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (side, hex) = place(cx.frame);
        let mut ways = cx.rules.maskings(cx.s, side, hex);
        match ways.len() {
            0 => Some(Action::Mask(Units::new())),
            1 => ways.pop().map(Action::Mask),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Hex(place(cx.frame).1));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (side, hex) = place(cx.frame);
        if subject == Subject::Hex(hex) {
            out.extend(cx.rules.maskings(cx.s, side, hex).into_iter().map(Action::Mask));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (side, hex) = place(cx.frame);
        let Action::Mask(units) = action else { return Err(cx.rules.not_now()) };
        let ways = cx.rules.maskings(cx.s, side, hex);
        let same = |way: &Units| way.len() == units.len() && way.iter().all(|unit| units.contains(unit));
        if ways.iter().any(same) || ways.is_empty() && units.is_empty() {
            return Ok(());
        }
        cx.rules.no("14.4", "mask").hex("hex", hex).into()
    }

    fn apply(&self, play: &mut Play, _: Side, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Mask(units) = action {
            for unit in units {
                play.s.unit_mut(*unit).set(Flags::MASKED);
            }
            if !units.is_empty() {
                play.tell(Event::Masked { units: units.clone() });
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.mask", "14.4")
    }
}
