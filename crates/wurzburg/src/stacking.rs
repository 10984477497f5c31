//! Stacking and masking (14).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Part, Parts, Subject, Units},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, State},
    units::{Side, UnitId},
};

/// 14.4: a used unit that was already in the hex is not masked.
fn used_here(s: &State, unit: UnitId) -> bool {
    s.unit(unit).is(Flags::USED) && !s.op.moved.contains(unit) && !s.op.retreated.contains(unit)
}

impl Wurzburg {
    /// 14.2.1, 14.2.2, 14.0
    pub fn step_limit(&self, side: Side) -> u8 {
        self.tables.stacking.maneuver_steps.of(side)
    }

    /// Whether these units, all of one side and in one hex, comply with every stacking restriction.
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
        s.in_hex(hex).filter(|unit| self.ground_units(side).contains(*unit)).collect()
    }

    pub fn stack_legal(&self, s: &State, side: Side, hex: HexId) -> bool {
        self.may_stack(s, &self.stack(s, side, hex))
    }

    pub fn masked_hex(&self, s: &State, hex: HexId) -> bool {
        s.in_hex(hex).any(|unit| s.unit(unit).is(Flags::MASKED))
    }

    /// 14.4: units of which just enough steps may be masked on a free counter to bring the rest within the step limit.
    fn part_maskings(&self, s: &State, side: Side, hex: HexId) -> SmallVec<[Part; 4]> {
        let units = self.stack(s, side, hex);
        let alike =
            units.iter().enumerate().all(|(n, a)| units[n + 1..].iter().all(|b| self.may_share(s, *a, *b)));
        let maneuver = |unit: &&UnitId| self.counter(**unit).symbol.maneuver();
        let steps: u32 = units.iter().filter(maneuver).map(|unit| u32::from(s.unit(*unit).steps)).sum();
        let excess = steps.saturating_sub(u32::from(self.step_limit(side)));
        let able = |unit: &&UnitId| {
            let u = s.unit(**unit);
            u32::from(u.steps) > excess
                && !u.is(Flags::DISRUPTED)
                && !used_here(s, **unit)
                && self.spare_for(s, **unit).is_some()
        };
        if !alike || excess == 0 {
            return SmallVec::new();
        }
        let part = |unit: &UnitId| Part { unit: *unit, steps: Some(excess as u8) };
        units.iter().filter(maneuver).filter(able).map(part).collect()
    }

    /// 14.4, 11.5: whether these steps may be masked, some of them after being split off.
    fn check_part_mask(&self, s: &State, side: Side, hex: HexId, parts: &Parts) -> Result<(), Refusal> {
        let no = || self.no("14.4", "mask").hex("hex", hex).into();
        for (n, part) in parts.iter().enumerate() {
            self.own(side, part.unit)?;
            let twice = parts[..n].iter().any(|other| other.unit == part.unit);
            if twice || s.unit(part.unit).hex != hex || part.steps == Some(0) || used_here(s, part.unit) {
                return no();
            }
            crate::movement::check_part(self, s, *part)?;
        }
        crate::movement::check_spares(self, s, parts)?;
        let mut later = s.draft();
        let masked = crate::movement::divide(self, &mut later, parts);
        let open: Units =
            self.stack(&later, side, hex).into_iter().filter(|unit| !masked.contains(*unit)).collect();
        if open.is_empty() || !self.may_stack(&later, &open) { no() } else { Ok(()) }
    }

    /// The sets of units that may be masked so that the rest complies, each as small as possible (14.4).
    pub fn maskings(&self, s: &State, side: Side, hex: HexId) -> Vec<Units> {
        let units = self.stack(s, side, hex);
        let count = units.len().min(12);
        let used_here = |unit: UnitId| used_here(s, unit);
        // A stack that breaks a restriction does so in every larger stack: a mask is minimal if no mask with one unit
        // fewer works.
        let stays = |mask: u32| (0..count).filter(move |n| mask >> n & 1 == 0);
        let limit = u32::from(self.step_limit(side));
        let steps = |n: usize| {
            let maneuver = self.counter(units[n]).symbol.maneuver();
            if maneuver { u32::from(s.unit(units[n]).steps) } else { 0 }
        };
        let strangers = |n: usize| {
            let apart = |other: &usize| !self.may_share(s, units[*other], units[n]);
            (0..n).filter(apart).fold(0u32, |set, other| set | 1 << other)
        };
        let steps: SmallVec<[u32; 12]> = (0..count).map(steps).collect();
        let strangers: SmallVec<[u32; 12]> = (0..count).map(strangers).collect();
        let all = (1u32 << count) - 1;
        let legal = |mask: u32| {
            let left = all & !mask;
            mask != 0
                && left != 0
                && stays(mask).map(|n| steps[n]).sum::<u32>() <= limit
                && stays(mask).all(|n| strangers[n] & left == 0)
        };
        let smallest = |mask: &u32| {
            legal(*mask) && (0..count).filter(|n| mask >> n & 1 == 1).all(|n| !legal(mask & !(1 << n)))
        };
        let smallest: SmallVec<[u32; 16]> = (1..=all).filter(smallest).collect();
        debug_assert!(
            smallest
                .iter()
                .all(|mask| { self.may_stack(s, &stays(*mask).map(|n| units[n]).collect::<Units>()) })
        );
        let named =
            |mask: u32| (0..count).filter(|n| mask >> n & 1 == 1).map(|n| units[n]).collect::<Units>();
        // 14.4: not used units that were already there, unless nothing else is left.
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

/// 14.4: the owner chooses the units to mask.
#[derive(Debug)]
pub struct Mask;

fn place(frame: Frame) -> (Side, HexId) {
    match frame {
        Frame::Mask(side, hex) => (side, hex),
        _ => (Side::Wp, HexId::NONE),
    }
}

/// Whole units are masked.
fn whole(units: &Units) -> Action {
    Action::Mask(units.iter().map(|unit| Part::all(*unit)).collect())
}

impl Question<Wurzburg> for Mask {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(place(frame).0)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (side, hex) = place(cx.frame);
        let ways = cx.rules.maskings(cx.s, side, hex);
        if !cx.rules.part_maskings(cx.s, side, hex).is_empty() {
            return None;
        }
        match &ways[..] {
            [] => Some(Action::Mask(Parts::new())),
            [one] => Some(whole(one)),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Hex(place(cx.frame).1));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (side, hex) = place(cx.frame);
        if subject == Subject::Hex(hex) {
            out.extend(cx.rules.maskings(cx.s, side, hex).iter().map(whole));
            let parts = cx.rules.part_maskings(cx.s, side, hex).into_iter();
            out.extend(parts.map(|part| Action::Mask([part].into_iter().collect())));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (side, hex) = place(cx.frame);
        let Action::Mask(parts) = action else { return Err(cx.rules.not_now()) };
        if parts.iter().any(|part| part.steps.is_some_and(|steps| steps != cx.s.unit(part.unit).steps)) {
            return cx.rules.check_part_mask(cx.s, side, hex, parts);
        }
        let ways = cx.rules.maskings(cx.s, side, hex);
        let named = |unit: &UnitId| parts.iter().any(|part| part.unit == *unit);
        let same = |way: &Units| way.len() == parts.len() && way.iter().all(named);
        if ways.iter().any(same) || ways.is_empty() && parts.is_empty() {
            return Ok(());
        }
        cx.rules.no("14.4", "mask").hex("hex", hex).into()
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Mask(parts) = action {
            let units: Units = crate::movement::part_off(play, parts).iter().collect();
            for unit in &units {
                play.s.unit_mut(*unit).set(Flags::MASKED);
            }
            if !units.is_empty() {
                play.tell(Event::Masked { units });
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.mask", "14.4")
    }
}
