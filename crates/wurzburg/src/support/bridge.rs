//! Reconnaissance of bridges and Fire Strikes on them (20.2.3, 38.4).

use hexgrid::{HexId, SideId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Mission, Use};
use crate::{
    action::{Action, Parts, Payload, Units},
    event::{BridgeEvent, Event},
    field::DRY,
    fire::{FireKind, FireSheet},
    frame::Frame,
    pack::{CallFor, Ratio},
    play::{Cx, Play},
    recon::Attempt,
    rules::Wurzburg,
    state::{Flags, Payer, State},
    units::{Side, Symbol, UnitId},
};

/// The kind of bridge on the hexside (38.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Autobahn,
    Road,
    Military,
}

impl Wurzburg {
    /// The bridge that a Strike would be aimed at.
    pub fn bridge_kind(&self, s: &State, side: SideId) -> Option<Kind> {
        let n = self.field.river_of(side);
        let crossing = s.crossings.get(usize::from(n)).filter(|_| n != DRY)?;
        if !self.banks(side).iter().all(|hex| self.area.contains(*hex)) {
            return None;
        }
        if self.civil_bridge(side) && !crossing.blown {
            return Some(if self.autobahn_bridge(side) { Kind::Autobahn } else { Kind::Road });
        }
        crossing.military.map(|_| Kind::Military)
    }

    /// 38.4.1: whether a ground unit that may observe for the HQ is beside the bridge.
    fn bridge_observed(&self, s: &State, hq: UnitId, side: SideId) -> bool {
        let banks = self.banks(side);
        banks.iter().any(|bank| {
            let other = banks.iter().copied().find(|hex| hex != bank).unwrap_or(HexId::NONE);
            self.stack(s, self.counter(hq).side, *bank).iter().any(|unit| {
                self.observes(s, hq, *unit, other) && (*unit == hq || self.activates_with(s, *unit, s.active))
            })
        })
    }

    /// 20.2.3: the attempt on a military bridge, from the better of its two hexes.
    pub fn attempt_bridge(
        &self,
        s: &State,
        side: Side,
        bridge: SideId,
        payer: Payer,
    ) -> Result<Attempt, Refusal> {
        let no = |rule, key| self.no(rule, key).side("bridge", bridge).into();
        match self.bridge_kind(s, bridge) {
            Some(Kind::Military) => {}
            Some(_) => return no("20.2.3", "recon.civil_bridge"),
            None => return no("20.2.3", "recon.no_bridge"),
        }
        if s.support.bridges_tried.contains(&bridge) {
            return no("20.2", "recon.bridge_again");
        }
        let banks = self.banks(bridge);
        // The player chooses the hex; the nearer one is never worse.
        let attempts = banks.iter().map(|hex| self.attempt_empty(s, side, *hex, payer));
        let rank = |found: &Result<Attempt, Refusal>| found.as_ref().map_or(u8::MAX, |found| found.number);
        let Some(best) = attempts.min_by_key(rank) else { return no("20.2.3", "recon.no_bridge") };
        let mut attempt = best?;
        let table = &self.tables.recon;
        let smoke = banks.iter().any(|hex| s.smoke(*hex));
        for (yes, word, value) in [
            (self.night(s), "night", table.night),
            (self.fog(s), "fog", table.fog),
            (smoke, "smoke", table.smoke),
        ] {
            if yes {
                attempt.modifiers.push((word, value));
            }
        }
        Ok(attempt)
    }

    /// 38.4: whether this HQ may have the bridge struck by any means.
    fn check_bridge(&self, s: &State, hq: UnitId, side: SideId) -> Result<Kind, Refusal> {
        let no = |rule, key| self.no(rule, key).side("bridge", side).into();
        let Some(kind) = self.bridge_kind(s, side) else { return no("38.4", "strike.no_bridge") };
        if s.support.bridges_struck.contains(&side) {
            return no("23.7.1", "strike.bridge_again");
        }
        let own = self.counter(hq).side;
        let observed = self.bridge_observed(s, hq, side);
        if self.banks(side).iter().any(|hex| self.holds(s, *hex, own)) && !observed {
            return no("23.7.2", "strike.bridge_friends");
        }
        if kind == Kind::Military && !observed && !s.support.bridges_acquired.contains(&side) {
            return no("38.4.1", "strike.bridge_unseen");
        }
        let beside = self.banks(side).contains(&s.unit(hq).hex);
        if s.unit(hq).is(Flags::DISRUPTED) && !beside {
            return no("21.2.2", "strike.bridge_hq");
        }
        Ok(kind)
    }

    /// Bridges that could be struck by an HQ with Air Points or guns.
    pub(super) fn bridge_targets(&self, s: &State, hq: UnitId) -> SmallVec<[SideId; 8]> {
        let air = self.check_air_call(s, Payload::Fire, hq, 1).is_ok();
        let sides = self.field.river_sides.iter().copied();
        // Without Air Points only military bridges can be struck.
        let military =
            |side: &SideId| s.crossings[usize::from(self.field.river_of(*side))].military.is_some();
        sides
            .filter(|side| air || military(side))
            .filter(|side| match self.check_bridge(s, hq, *side) {
                Ok(Kind::Military) => air || !self.bridge_guns(s, hq, *side).is_empty(),
                Ok(_) => air,
                Err(_) => false,
            })
            .collect()
    }

    fn bridge_guns(&self, s: &State, hq: UnitId, side: SideId) -> Units {
        let banks = self.banks(side);
        let guns = self.units_of(self.counter(hq).side).iter().copied();
        guns.filter(|gun| {
            self.in_pool(s, hq, *gun, Use::Wide) && banks.iter().any(|hex| self.gun_reaches(s, *gun, *hex))
        })
        .collect()
    }
}

/// 38.4.2: whether the Strike is legal.
pub fn check(cx: &Cx, side: SideId, hq: UnitId, with: &Parts, air: u8) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    rules.own(cx.side, hq)?;
    if rules.counter(hq).symbol != Symbol::Hq || !rules.callers(s).contains(&hq) {
        return rules.no("23.0", "call.not_active").unit("unit", hq).into();
    }
    let kind = rules.check_bridge(s, hq, side)?;
    if air > 0 && !with.is_empty() {
        return rules.no("21.2", "call.one_kind").into(); // 21.1, 24.0
    }
    if air > 0 {
        return rules.check_air_call(s, Payload::Fire, hq, air);
    }
    if kind != Kind::Military {
        return rules.no("38.4.2", "strike.bridge_guns").into();
    }
    super::with_guns(cx, with, |cx, guns| {
        let row = rules.tables.support(CallFor::FireStrike, None, cx.side);
        let most = row.map_or(0, |row| row.artillery);
        if guns.len() > usize::from(most) {
            return rules.no("21.2", "call.too_many").number("number", i64::from(most)).into();
        }
        for gun in guns {
            if !rules.counter(*gun).symbol.artillery() {
                return rules.no("38.4.2", "call.no_asset").unit("unit", *gun).into();
            }
            rules.check_gun(cx.s, hq, *gun, Use::Wide)?;
            if !rules.banks(side).iter().any(|hex| rules.gun_reaches(cx.s, *gun, *hex)) {
                return rules.no("22.2", "call.range").unit("unit", *gun).into();
            }
        }
        Ok(())
    })
}

/// The offers in the list: Air Points, single guns and pairs of guns.
pub fn options(cx: &Cx, side: SideId, out: &mut Vec<Action>) {
    for hq in cx.rules.callers(cx.s) {
        if cx.rules.check_bridge(cx.s, hq, side).is_err() {
            continue;
        }
        let mut all: Vec<Action> =
            (1..=3).map(|air| Action::StrikeBridge { side, hq, with: Parts::new(), air }).collect();
        for gun in cx.rules.bridge_guns(cx.s, hq, side) {
            let with: Parts = [crate::action::Part::all(gun)].into_iter().collect();
            all.push(Action::StrikeBridge { side, hq, with, air: 0 });
        }
        let legal = |action: &Action| match action {
            Action::StrikeBridge { side, hq, with, air } => check(cx, *side, *hq, with, *air).is_ok(),
            _ => false,
        };
        out.extend(all.into_iter().filter(legal));
    }
}

/// 38.4.4: the Strike begins.
pub fn begin(
    play: &mut Play,
    side: Side,
    bridge: SideId,
    hq: UnitId,
    with: &Parts,
    air: u8,
) -> Result<(), Stop> {
    play.s.support.bridges_struck.push(bridge);
    let hex = play.rules.banks(bridge).first().copied().unwrap_or(HexId::NONE);
    if air > 0 {
        super::air::begin(play, side, Payload::Fire, hex, hq, air)?;
        if let Some(mission) = &mut play.s.support.air {
            mission.bridge = Some(bridge);
        }
        return Ok(());
    }
    let guns: Units = crate::movement::part_off(play, with).iter().collect();
    play.tell(Event::Called { side, hq, units: guns.clone() });
    let (_, sheet) = reckon(play.rules, play.s, bridge, &guns);
    for gun in &guns {
        let u = play.s.unit_mut(*gun);
        u.set(Flags::FIRED);
        u.set(Flags::FIRED_NOW);
    }
    play.log.reveal();
    super::battery::prepare(play, &guns);
    play.push(Frame::CounterBattery);
    let ratio = play.rules.tables.bridge_strike.artillery;
    resolve(play, side, bridge, sheet.sum(), ratio)
}

/// 38.4.3: the Fire Strength of guns against a bridge, and the hex for which it is computed: smoke in either hex of the bridge counts.
pub fn reckon(rules: &Wurzburg, s: &State, bridge: SideId, guns: &[UnitId]) -> (HexId, FireSheet) {
    let banks = rules.banks(bridge);
    let first = banks.first().copied().unwrap_or(HexId::NONE);
    let target = banks.iter().copied().find(|hex| s.smoke(*hex)).unwrap_or(first);
    (target, super::reckon_strike(rules, s, FireKind::Strike, target, guns))
}

/// The remaining steps of an air unit strike the bridge.
pub(super) fn by_air(play: &mut Play, air: &Mission, bridge: SideId, attack: u8) -> Result<(), Stop> {
    let smoke = play.rules.banks(bridge).iter().any(|hex| play.s.smoke(*hex));
    let strength = f64::from(attack) * f64::from(air.steps) * if smoke { 0.5 } else { 1.0 };
    let table = &play.rules.tables.bridge_strike;
    let low = air.profile.is_some_and(crate::pack::AirProfile::low);
    let ratio = if low { table.low_air } else { table.high_air };
    resolve(play, air.side, bridge, strength, ratio)
}

/// 38.4.4 steps 3 to 5: the total and the effective Fire Strength.
pub fn effective(rules: &Wurzburg, kind: Kind, strength: f64, ratio: Ratio) -> (u16, u16) {
    let total = (strength * f64::from(ratio.num) / f64::from(ratio.den)).floor() as u16;
    let factor = &rules.tables.bridge_strike.factor;
    let factor = match kind {
        Kind::Autobahn => factor.autobahn,
        Kind::Road => factor.road,
        Kind::Military => factor.military,
    };
    (total, total / u16::from(factor.max(1)))
}

/// 38.4.4 steps 3 to 7.
fn resolve(play: &mut Play, side: Side, bridge: SideId, strength: f64, ratio: Ratio) -> Result<(), Stop> {
    let Some(kind) = play.rules.bridge_kind(play.s, bridge) else { return Ok(()) };
    let (total, effective) = effective(play.rules, kind, strength, ratio);
    let roll = play.roll(side, 0, "roll.bridge_strike", "38.4")?;
    let destroyed = u16::from(roll) <= effective;
    play.tell(Event::BridgeStruck { side, bridge, total, effective, roll, destroyed });
    if !destroyed {
        return Ok(());
    }
    if kind == Kind::Military {
        crate::crossing::destroy_bridge(play, bridge); // 34.3
    } else {
        let n = usize::from(play.rules.field.river_of(bridge));
        play.s.crossings[n].blown = true; // 38.5.1
        play.tell(Event::Bridge { side: bridge, what: BridgeEvent::Blown });
    }
    Ok(())
}
