//! Counter-Battery Fire (23.4).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Battery, Use, gun_of};
use crate::{
    action::{Action, Subject, Units},
    event::Event,
    fire::FireKind,
    frame::Frame,
    pack::System,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Nation, Side, Symbol, UnitId},
};

/// 23.4, 23.4.3, 23.4.5: record the artillery that fired, for the cycle that the opponent may start.
pub(super) fn prepare(play: &mut Play, guns: &[UnitId]) {
    let side = guns.first().map_or(Side::Wp, |gun| play.rules.counter(*gun).side);
    play.s.support.battery = Battery {
        side: side.enemy(),
        fired: guns.iter().copied().collect(),
        targeted: SmallVec::new(),
        passes: 0,
    };
}

/// A Defensive Fire combat with Indirect Fire has been declared: the cycle follows it.
pub fn start(play: &mut Play, guns: &[UnitId]) {
    if !play.rules.scenario.has(System::Strikes) {
        return;
    }
    prepare(play, guns);
    play.push(Frame::CounterBattery);
}

/// 23.4.2 steps 5 to 7: the number to roll (or more); `None` if it is not possible.
pub fn number(rules: &Wurzburg, s: &State, hq: UnitId, spotter: UnitId, target: UnitId) -> Option<u8> {
    let distance = rules.apart(s, spotter, target)?;
    let us = rules.counter(hq).nation == Nation::Us;
    let table = if us { &rules.tables.counter_battery_us } else { &rules.tables.counter_battery_others };
    table.number(gun_of(rules.counter(target).symbol), distance)
}

impl Wurzburg {
    /// 23.4.1, 23.4.4, 23.4.7: enemy artillery that may be targeted by a side.
    pub fn battery_targets(&self, s: &State, side: Side) -> Units {
        let b = &s.support.battery;
        let alive = |unit: &UnitId| {
            s.unit(*unit).steps > 0
                && matches!(s.unit(*unit).place, Place::Map | Place::FiveRow | Place::TenRow)
        };
        let enemy = |unit: &UnitId| self.counter(*unit).side != side && !b.targeted.contains(unit);
        b.fired.iter().copied().filter(|unit| enemy(unit) && alive(unit)).collect()
    }

    /// Whether the unit may spot for the HQ (23.4.2 step 4).
    fn spots(&self, s: &State, hq: UnitId, unit: UnitId) -> bool {
        let (a, b) = (self.counter(hq), self.counter(unit));
        s.unit(unit).on_map()
            && b.symbol.maneuver()
            && !b.airmobile
            && a.side == b.side
            && (a.side == Side::Wp || a.nation == b.nation)
            && self.superior(s, hq, unit)
            && self.in_range(s, hq, s.unit(unit).hex)
    }

    fn check_battery(
        &self,
        s: &State,
        side: Side,
        target: UnitId,
        hq: UnitId,
        gun: UnitId,
        spotter: UnitId,
    ) -> Result<(), Refusal> {
        if !self.battery_targets(s, side).contains(&target) {
            return self.no("23.4.1", "battery.target").unit("unit", target).into();
        }
        for unit in [hq, gun, spotter] {
            self.own(side, unit)?;
        }
        if self.counter(hq).symbol != Symbol::Hq {
            return self.no("21.2", "call.no_hq").unit("unit", hq).into();
        }
        if !self.hq_works(s, hq) {
            let rule = if s.unit(hq).is(Flags::DISRUPTED) { "23.3.1" } else { "21.2.2" };
            return self.no(rule, "call.disrupted").unit("unit", hq).into();
        }
        if !self.counter(gun).symbol.artillery() {
            return self.no("23.4.7", "call.no_asset").unit("unit", gun).into();
        }
        self.check_gun(s, hq, gun, Use::Narrow)?;
        // 23.4.8, 40.5: from the map against the display, and vice versa.
        let range = u32::from(self.counter(gun).range);
        if !self.apart(s, gun, target).is_some_and(|d| (2..=range).contains(&d)) {
            return self.no("22.2", "call.range").unit("unit", gun).into();
        }
        if !self.spots(s, hq, spotter) {
            return self.no("23.4.2", "battery.spotter").unit("unit", spotter).unit("hq", hq).into();
        }
        // 23.4.2 step 8: refused before the gun is committed.
        if number(self, s, hq, spotter, target).is_none() {
            return self.no("23.4.2", "battery.not_allowed").unit("unit", target).into();
        }
        // 23.7.2, except that the observer need not be active.
        if let Some(hex) = s.unit(target).hex.some() {
            let near = self.around(s, hex, side);
            if !near.is_empty() && !near.iter().any(|unit| self.observes(s, hq, *unit, hex)) {
                return self.no("23.7.2", "strike.friends").hex("hex", hex).unit("hq", hq).into();
            }
        }
        Ok(())
    }
}

/// A possible Counter-Battery Strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub target: UnitId,
    pub hq: UnitId,
    pub gun: UnitId,
    pub spotter: UnitId,
    /// The number to roll (or more).
    pub number: u8,
}

/// For each target and gun the call with the best chance.
pub fn best_batteries<'a>(
    rules: &'a Wurzburg,
    s: &'a State,
    side: Side,
) -> impl Iterator<Item = Answer> + 'a {
    let works = move |hq: &UnitId| rules.counter(*hq).side == side && rules.hq_works(s, *hq);
    rules.battery_targets(s, side).into_iter().flat_map(move |target| {
        // The number depends only on the spotter, not on the gun.
        let hqs = rules.hqs.iter().copied().filter(works);
        let calls = hqs.filter_map(|hq| {
            let spotters = rules.units_of(side).iter().copied().filter(|unit| rules.spots(s, hq, *unit));
            let numbers =
                spotters.filter_map(|spotter| Some((number(rules, s, hq, spotter, target)?, spotter)));
            numbers.min_by_key(|(number, _)| *number).map(|(number, spotter)| (hq, spotter, number))
        });
        let calls: SmallVec<[(UnitId, UnitId, u8); 8]> = calls.collect();
        let guns = rules.units_of(side).iter().copied().filter(move |gun| rules.can_shoot(s, *gun));
        guns.filter_map(move |gun| {
            let able = calls
                .iter()
                .filter(|(hq, ..)| rules.in_pool(s, *hq, gun, Use::Narrow))
                .filter(|(hq, spotter, _)| rules.check_battery(s, side, target, *hq, gun, *spotter).is_ok());
            let (hq, spotter, number) = *able.min_by_key(|(.., number)| *number)?;
            Some(Answer { target, hq, gun, spotter, number })
        })
    })
}

/// 23.4.1: one Counter-Battery Strike, or pass.
#[derive(Debug)]
pub struct CounterBattery;

impl Question<Wurzburg> for CounterBattery {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.support.battery.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        best_batteries(cx.rules, cx.s, cx.side).next().is_none().then_some(Action::Pass)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let mut targets: Units = Units::new();
        for answer in best_batteries(cx.rules, cx.s, cx.side) {
            if !targets.contains(&answer.target) {
                targets.push(answer.target);
            }
        }
        out.extend(targets.into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Pass),
            Subject::Unit(unit) => {
                let answers = best_batteries(cx.rules, cx.s, cx.side).filter(|answer| answer.target == unit);
                out.extend(answers.map(|Answer { target, hq, gun, spotter, .. }| Action::Counter {
                    target,
                    hq,
                    gun,
                    spotter,
                }));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Pass | Action::Done | Action::Hold => Ok(()),
            Action::Counter { target, hq, gun, spotter } => {
                cx.rules.check_battery(cx.s, cx.side, *target, *hq, *gun, *spotter)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        let Action::Counter { target, hq, gun, spotter } = action else {
            let b = &mut play.s.support.battery;
            b.passes += 1;
            b.side = side.enemy();
            // 23.4.1: two passes in a row end it; the cycle does not start if the first side asked declines.
            if b.passes >= 2 || b.targeted.is_empty() {
                play.s.support.battery = Battery::default();
                play.pop();
            }
            return Ok(());
        };
        let need = number(play.rules, play.s, *hq, *spotter, *target).unwrap_or(u8::MAX);
        let b = &mut play.s.support.battery;
        b.passes = 0;
        b.side = side.enemy();
        b.targeted.push(*target);
        b.fired.push(*gun);
        let u = play.s.unit_mut(*gun);
        // 23.4.2 step 11: even if it fails to locate its target.
        u.set(Flags::FIRED);
        u.set(Flags::FIRED_NOW);
        play.log.reveal();
        let roll = play.roll(side, 0, "roll.acquire", "23.4.2")?;
        let acquired = roll >= need;
        play.tell(Event::Acquisition { target: *target, gun: *gun, roll, number: need, acquired });
        if acquired {
            let hex = play.s.unit(*target).hex;
            // 23.7.1: a hex that the active player has fired at in this segment counts as struck.
            let active = play.s.active.some().map(|active| play.rules.formation(active).side);
            if active == Some(side) && play.s.frames.contains(&Frame::Strike) && hex != HexId::NONE {
                play.s.support.struck.push(hex);
            }
            super::strike::resolve(play, FireKind::CounterBattery, hex, &[*gun], &[*target])?;
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.battery", "23.4")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Pass)
    }
}
