//! Fire Calls of an operation (21.2, 22.4).

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Part, Parts, Subject, Units},
    event::Event,
    frame::Frame,
    pack::OnlyArtillery,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Side, Symbol, UnitId, set_of},
};

fn defensive(frame: Frame) -> bool {
    matches!(frame, Frame::Call(true))
}

impl Wurzburg {
    /// The HQs that may make the call (21.3.2, 21.3.3).
    pub fn call_hqs(&self, s: &State, defensive: bool) -> Units {
        let side = if defensive { s.op.side.enemy() } else { s.op.side };
        let own = |hq: &UnitId| self.counter(*hq).side == side;
        if !defensive {
            return self
                .callers(s)
                .into_iter()
                .filter(|hq| self.check_caller(s, *hq, false).is_ok())
                .collect();
        }
        self.hqs.iter().copied().filter(own).filter(|hq| self.check_caller(s, *hq, true).is_ok()).collect()
    }

    /// May this HQ make the call?
    fn check_caller(&self, s: &State, hq: UnitId, defensive: bool) -> Result<(), Refusal> {
        let u = s.unit(hq);
        let no = |rule, key| self.no(rule, key).unit("unit", hq).into();
        if self.counter(hq).symbol != Symbol::Hq {
            return no("21.2", "call.no_hq");
        }
        if !matches!(u.place, Place::Map | Place::FiveRow | Place::TenRow) {
            return no("21.2.2", "call.off");
        }
        if !defensive {
            if !self.callers(s).contains(&hq) {
                return no("21.2", "call.not_active");
            }
            if !s.op.observed {
                return no("21.3.2", "call.unobserved");
            }
            if !s.op.call_hqs.contains(hq) {
                return no("21.3", "call.no_observer");
            }
            // 21.2.2: an HQ takes no part in an attack, so it cannot observe one for itself.
            if u.is(Flags::DISRUPTED) {
                return no("21.2.2", "call.disrupted");
            }
            return Ok(());
        }
        let mut seen = HexSet::EMPTY;
        let mut hexes: SmallVec<[HexId; 6]> = SmallVec::new();
        for enemy in s.op.members.iter().filter(|enemy| s.unit(*enemy).on_map()) {
            if seen.insert(s.unit(enemy).hex) {
                hexes.push(s.unit(enemy).hex);
            }
        }
        let side = self.counter(hq).side;
        let observers = |itself: bool| {
            self.units_of(side).iter().any(|unit| {
                (!itself || *unit == hq)
                    && s.unit(*unit).on_map()
                    && hexes.iter().any(|hex| self.observes(s, hq, *unit, *hex))
            })
        };
        if !observers(false) {
            return no("21.3.3", "call.no_observer");
        }
        if u.is(Flags::DISRUPTED) && !observers(true) {
            return no("21.2.2", "call.disrupted");
        }
        Ok(())
    }

    /// May this artillery unit answer the HQ's call?
    fn check_asset(&self, s: &State, hq: UnitId, gun: UnitId, defensive: bool) -> Result<(), Refusal> {
        let counter = self.counter(gun);
        let no = |rule, key| self.no(rule, key).unit("unit", gun).into();
        let Some(row) = self.call_row(s, defensive) else { return no("21.2.2", "call.none") };
        // 18.7.5: the hexes that Defensive Fire may be aimed at.
        let targets = || {
            let fair = s.op.members.iter().filter(|enemy| self.defensive_target(s, *enemy));
            fair.filter_map(|enemy| s.unit(enemy).hex.some())
        };
        if counter.symbol == Symbol::AttackHelicopter {
            if row.attack_helicopters == 0 {
                return no("25.0", "call.no_helicopters");
            }
            if defensive && targets().next().is_none() {
                return self.no("21.0", "call.no_target").into();
            }
            return self.check_helicopter(s, hq, gun);
        }
        // 21.1
        if !counter.symbol.artillery() {
            return no("21.1", "call.no_asset");
        }
        if counter.symbol == Symbol::RocketArtillery && !row.rocket {
            return no("22.7", "call.rocket");
        }
        if row.only == Some(OnlyArtillery::Dag)
            && (!counter.dag || self.division_of(s, gun) != self.division_of(s, hq))
        {
            return no("22.4.1", "call.not_dag");
        }
        self.check_gun(s, hq, gun, Self::call_use(s, defensive))?;
        let reaches = if defensive {
            targets().any(|hex| self.gun_reaches(s, gun, hex))
        } else {
            self.gun_reaches(s, gun, s.op.objective)
        };
        if reaches { Ok(()) } else { no("22.2", "call.range") }
    }

    /// 22.2, 22.3: the conditions for Indirect Fire that do not depend on the target.
    pub fn check_gun(&self, s: &State, hq: UnitId, gun: UnitId, purpose: super::Use) -> Result<(), Refusal> {
        let u = s.unit(gun);
        let no = |rule, key| self.no(rule, key).unit("unit", gun).unit("hq", hq).into();
        if u.is(Flags::FIRED) {
            return no("22.5", "gun.fired");
        }
        if u.is(Flags::DISRUPTED) {
            return no("23.3.1", "gun.disrupted");
        }
        if u.on_map() && self.next_to(s, u.hex, self.counter(gun).side.enemy()) {
            return no("22.2", "gun.adjacent");
        }
        if !self.can_shoot(s, gun) {
            return no("22.2", "gun.cannot");
        }
        if self.in_pool(s, hq, gun, purpose) {
            return Ok(());
        }
        // 22.3.1: other nations and the corps answer only Strikes and the calls of an own Assault.
        let foreign = self.counter(hq).nation != self.counter(gun).nation;
        let wide = foreign || self.in_pool(s, hq, gun, super::Use::Wide);
        no(if wide && self.counter(hq).side == Side::Nato { "22.3.1" } else { "22.3" }, "gun.pool")
    }

    /// The artillery that may answer, in the order of the counters.
    pub fn call_guns(&self, s: &State, hq: UnitId, defensive: bool) -> Units {
        let guns = self.units_of(self.counter(hq).side).iter().copied();
        let artillery = |gun: &UnitId| self.counter(*gun).symbol.artillery();
        guns.filter(artillery).filter(|gun| self.check_asset(s, hq, *gun, defensive).is_ok()).collect()
    }

    /// The attack helicopters that may answer (25.0); at most one does.
    pub fn call_helicopters(&self, s: &State, hq: UnitId, defensive: bool) -> Units {
        let most = self.call_row(s, defensive).map_or(0, |row| row.attack_helicopters);
        let most = if defensive { most.min(s.op.max_ah) } else { most };
        if most == 0 {
            return Units::new();
        }
        let mut units = self.ready_helicopters(s, hq);
        units.retain(|unit| self.check_asset(s, hq, *unit, defensive).is_ok());
        units
    }

    /// The most artillery units for this call: as in the chart, or fewer if the defender is jammed (39.2).
    pub fn call_limit(&self, s: &State, defensive: bool) -> usize {
        let most = self.call_row(s, defensive).map_or(0, |row| row.artillery);
        usize::from(if defensive { most.min(s.op.max_artillery) } else { most })
    }
}

/// Each gun, each pair of guns, each helicopter unit, and these together (21.2).
pub(super) fn combinations(guns: &[UnitId], helicopters: &[UnitId], pairs: bool) -> Vec<Parts> {
    let mut sets: Vec<Parts> = Vec::new();
    for (n, a) in guns.iter().enumerate() {
        sets.push([Part::all(*a)].into_iter().collect());
        if pairs {
            sets.extend(
                guns[n + 1..].iter().map(|b| [Part::all(*a), Part::all(*b)].into_iter().collect::<Parts>()),
            );
        }
    }
    let artillery = sets.len();
    for helicopter in helicopters {
        sets.push([Part::all(*helicopter)].into_iter().collect());
        for n in 0..artillery {
            let mut with = sets[n].clone();
            with.push(Part::all(*helicopter));
            sets.push(with);
        }
    }
    sets
}

/// Is the call legal?
pub fn check_call(
    rules: &Wurzburg,
    s: &State,
    side: Side,
    hq: UnitId,
    with: &[UnitId],
    defensive: bool,
) -> Result<(), Refusal> {
    rules.own(side, hq)?;
    rules.check_caller(s, hq, defensive)?;
    if with.is_empty() {
        return rules.no("21.2", "call.nothing").into();
    }
    for (n, gun) in with.iter().enumerate() {
        rules.own(side, *gun)?;
        if with[..n].contains(gun) {
            return rules.no("22.2", "call.twice").unit("unit", *gun).into();
        }
        rules.check_asset(s, hq, *gun, defensive)?;
    }
    let helicopters =
        with.iter().filter(|unit| rules.counter(**unit).symbol == Symbol::AttackHelicopter).count();
    if helicopters > 0 && defensive && s.op.max_ah == 0 {
        return rules.no("39.2", "call.too_many").number("number", 0).into();
    }
    if helicopters > 1 {
        return rules.no("25.1", "call.one_helicopter").into();
    }
    let limit = rules.call_limit(s, defensive);
    if with.len() - helicopters > limit {
        let jammed = defensive && s.op.max_artillery < u8::MAX;
        let rule = if jammed { "39.2" } else { "21.2" };
        return rules.no(rule, "call.too_many").number("number", limit as i64).into();
    }
    Ok(())
}

/// 21.2.3, 13.3, 13.4: the Fire Call Step of a side.
#[derive(Debug)]
pub struct Call;

impl Call {
    fn open(cx: &Cx) -> bool {
        let defensive = defensive(cx.frame);
        defensive || cx.rules.objective_held(cx.s) || cx.rules.storms_city(cx.s)
    }

    /// Everything that may answer an HQ.
    fn assets(cx: &Cx, hq: UnitId) -> (Units, Units) {
        let defensive = defensive(cx.frame);
        let guns = if cx.rules.call_limit(cx.s, defensive) > 0 {
            cx.rules.call_guns(cx.s, hq, defensive)
        } else {
            Units::new()
        };
        (guns, cx.rules.call_helicopters(cx.s, hq, defensive))
    }

    fn able(cx: &Cx, hq: UnitId) -> bool {
        let (guns, helicopters) = Self::assets(cx, hq);
        !guns.is_empty() || !helicopters.is_empty()
    }
}

impl Question<Wurzburg> for Call {
    fn asks(&self, _: &Wurzburg, s: &State, frame: Frame) -> Option<Side> {
        Some(if defensive(frame) { s.op.side.enemy() } else { s.op.side })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let d = defensive(cx.frame);
        let any = Self::open(cx) && cx.rules.call_hqs(cx.s, d).iter().any(|hq| Self::able(cx, *hq));
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let d = defensive(cx.frame);
        let hqs = cx.rules.call_hqs(cx.s, d).into_iter();
        out.extend(hqs.filter(|hq| Self::able(cx, *hq)).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let d = defensive(cx.frame);
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(hq) if cx.rules.call_hqs(cx.s, d).contains(&hq) && Self::open(cx) => {
                let (guns, helicopters) = Self::assets(cx, hq);
                let pairs = cx.rules.call_limit(cx.s, d) >= 2;
                for with in combinations(&guns, &helicopters, pairs) {
                    out.push(Action::Call { hq, with });
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done | Action::Hold => Ok(()),
            Action::Transfer { part, to } => cx.rules.check_exchange(cx.s, cx.side, *part, *to),
            Action::Call { hq, with } => {
                if !Self::open(cx) {
                    return cx.rules.no("21.0", "call.no_target").into();
                }
                let hq = *hq;
                super::with_guns(cx, with, |cx, guns| {
                    check_call(cx.rules, cx.s, cx.side, hq, guns, defensive(cx.frame))
                })
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        if let Action::Transfer { part, to } = action {
            crate::air::exchange(play, *part, *to);
            return Ok(());
        }
        play.pop();
        if let Action::Call { hq, with } = action {
            play.s.op.calling_hq = Some(*hq);
            for part in with {
                if play.rules.counter(part.unit).symbol == Symbol::AttackHelicopter {
                    crate::air::set_out(play, part.unit, part.steps.unwrap_or(u8::MAX));
                }
            }
            let flies = |part: &&Part| play.rules.counter(part.unit).symbol == Symbol::AttackHelicopter;
            let helicopters = set_of(with.iter().filter(flies).map(|part| part.unit));
            let tubes: Parts = with.iter().copied().filter(|part| !flies(&part)).collect();
            let guns = &crate::movement::part_off(play, &tubes) | &helicopters;
            play.s.op.called = guns;
            play.tell(Event::Called { side, hq: *hq, units: guns.iter().collect() });
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.call", "21.2")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
