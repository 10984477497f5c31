//! The Strike Segment: Fire Strikes (23.1), their losses and Disruption (23.2, 23.3).

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::Use;
use crate::{
    action::{Action, Part, Parts, Payload, Subject, Units},
    event::Event,
    fire::{Combat, FireKind, FireSheet},
    frame::Frame,
    pack::{CallFor, Purse, System},
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, State},
    units::{Nation, Side, Symbol, UnitId, set_of},
};

impl Wurzburg {
    /// 23.0, 23.7: whether this HQ may have this hex struck.
    fn check_target(&self, s: &State, hq: UnitId, hex: HexId) -> Result<(), Refusal> {
        let side = self.counter(hq).side;
        let no = |rule, key| self.no(rule, key).hex("hex", hex).unit("hq", hq).unit("unit", hq).into();
        // 23.7.1
        if s.support.struck.contains(&hex) {
            return no("23.7.1", "strike.again");
        }
        let near = self.next_to(s, hex, side);
        let observed = self.strike_observed(s, hq, hex);
        // 23.7.2: if it is adjacent to friendly units, one of them must observe it, acquired or not.
        if near && !observed {
            return no("23.7.2", "strike.friends");
        }
        if !observed && !s.acquired.contains(&hex) {
            return no("23.0", "strike.unseen");
        }
        if s.unit(hq).is(Flags::DISRUPTED) && !self.observes(s, hq, hq, hex) {
            return no("21.2.2", "call.disrupted");
        }
        Ok(())
    }

    /// The artillery that an HQ may call against a hex.
    pub fn strike_guns(&self, s: &State, hq: UnitId, hex: HexId) -> Units {
        let guns = self.units_of(self.counter(hq).side).iter().copied();
        guns.filter(|gun| self.in_pool(s, hq, *gun, Use::Wide) && self.gun_reaches(s, *gun, hex)).collect()
    }

    /// 23.5, 44.2: whether an HQ could have mines or gas delivered to a hex now.
    fn may_deliver(&self, s: &State, hq: UnitId, hex: HexId) -> bool {
        let side = self.counter(hq).side;
        self.check_target(s, hq, hex).is_ok()
            && Payload::SPECIAL.into_iter().any(|what| {
                let guns = || self.strike_guns(s, hq, hex).into_iter();
                self.check_payload(s, side, what, hex).is_ok()
                    && (guns().any(|gun| self.check_special_gun(s, what, hex, gun).is_ok())
                        || self.check_air_call(s, what, hq, 2).is_ok())
            })
    }

    /// Whether a side has points with which an empty hex can be struck (23.5.1, 44.1).
    pub fn has_special_points(&self, s: &State, side: Side) -> bool {
        let mine = Purse::ALL.into_iter().filter(|purse| purse.side() == side);
        mine.map(|purse| s.points[purse.index()]).any(|points| {
            points.adm > 0 || self.options.gas && points.gas_persistent + points.gas_non_persistent > 0
        })
    }

    /// Hexes with enemies that an HQ may have struck now, and acquired hexes without enemies that may be mined or
    /// gassed.
    pub fn strike_targets(&self, s: &State, hq: UnitId) -> SmallVec<[HexId; 8]> {
        let mut hexes: SmallVec<[HexId; 8]> = SmallVec::new();
        let side = self.counter(hq).side;
        let (_, near) = self.presence(s, side);
        let mut seen = HexSet::EMPTY;
        let mut assets: Option<(bool, Units)> = None;
        for unit in self.units_of(side.enemy()) {
            let u = s.unit(*unit);
            // 23.0: observed from an adjacent hex, or acquired.
            let open = u.on_map() && (near.contains(u.hex) || s.acquired.contains(&u.hex));
            if !open || !self.counter(*unit).symbol.ground() || !seen.insert(u.hex) {
                continue;
            }
            if self.check_target(s, hq, u.hex).is_err() {
                continue;
            }
            let (flies, guns) = assets.get_or_insert_with(|| {
                let flies = !self.ready_helicopters(s, hq).is_empty()
                    || self.check_air_call(s, Payload::Fire, hq, 1).is_ok();
                let all = self.units_of(side).iter().copied();
                (flies, all.filter(|gun| self.in_pool(s, hq, *gun, Use::Wide)).collect())
            });
            if *flies || guns.iter().any(|gun| self.gun_reaches(s, *gun, u.hex)) {
                hexes.push(u.hex);
            }
        }
        if self.has_special_points(s, side) {
            let empty = s.acquired.iter().copied().filter(|hex| !self.holds(s, *hex, side.enemy()));
            hexes.extend(empty.filter(|hex| self.may_deliver(s, hq, *hex)));
        }
        hexes
    }
}

/// Is the Strike legal?
pub fn check_strike(
    cx: &Cx,
    what: Payload,
    hex: HexId,
    hq: UnitId,
    with: &[UnitId],
    air: u8,
) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    rules.own(cx.side, hq)?;
    if rules.counter(hq).symbol != Symbol::Hq {
        return rules.no("21.2", "call.no_hq").unit("unit", hq).into();
    }
    if !rules.callers(s).contains(&hq) {
        return rules.no("23.0", "call.not_active").unit("unit", hq).into();
    }
    rules.check_target(s, hq, hex)?;
    rules.check_payload(s, cx.side, what, hex)?;
    if air > 0 && !with.is_empty() {
        return rules.no("21.2", "call.one_kind").into(); // 21.1, 24.0
    }
    if air > 0 {
        return rules.check_air_call(s, what, hq, air);
    }
    if with.is_empty() {
        return rules.no("21.2", "call.nothing").into();
    }
    for (n, gun) in with.iter().enumerate() {
        rules.own(cx.side, *gun)?;
        if with[..n].contains(gun) {
            return rules.no("22.2", "call.twice").unit("unit", *gun).into();
        }
        if rules.counter(*gun).symbol == Symbol::AttackHelicopter && what == Payload::Fire {
            rules.check_helicopter(s, hq, *gun)?;
            continue;
        }
        if !rules.counter(*gun).symbol.artillery() {
            return rules.no("23.0", "call.no_asset").unit("unit", *gun).into();
        }
        rules.check_gun(s, hq, *gun, Use::Wide)?;
        if !rules.gun_reaches(s, *gun, hex) {
            return rules.no("22.2", "call.range").unit("unit", *gun).into();
        }
    }
    let row = rules.tables.support(payload_row(what), None, cx.side);
    let most = row.map_or(0, |row| row.artillery);
    let helicopters =
        with.iter().filter(|unit| rules.counter(**unit).symbol == Symbol::AttackHelicopter).count();
    if helicopters > usize::from(row.map_or(0, |row| row.attack_helicopters)) {
        return rules.no("25.1", "call.one_helicopter").into();
    }
    if with.len() - helicopters > usize::from(most) {
        return rules.no("21.2", "call.too_many").number("number", i64::from(most)).into();
    }
    if what != Payload::Fire {
        rules.check_special_gun(s, what, hex, with[0])?;
    }
    Ok(())
}

const fn payload_row(what: Payload) -> CallFor {
    match what {
        Payload::Fire => CallFor::FireStrike,
        Payload::Adm => CallFor::Adm,
        Payload::GasPersistent | Payload::GasNonPersistent => CallFor::Gas,
    }
}

impl Wurzburg {
    /// 23.5.2, 23.5.6, 44.1, 44.2.1: whether mines or gas may be delivered there at all.
    fn check_payload(&self, s: &State, side: Side, what: Payload, hex: HexId) -> Result<(), Refusal> {
        if what == Payload::Fire {
            return Ok(());
        }
        let rule = if what == Payload::Adm { "23.5.2" } else { "44.2.1" };
        if self.next_to(s, hex, side) || self.holds(s, hex, side) {
            return self.no(rule, "strike.own_units").hex("hex", hex).into();
        }
        if !s.acquired.contains(&hex) {
            return self.no(rule, "strike.not_acquired").hex("hex", hex).into();
        }
        if what == Payload::Adm && self.field.terrain(hex).built_up() {
            return self.no("23.5.6", "strike.built_up").hex("hex", hex).into();
        }
        if what.gas() {
            if !self.options.gas {
                return self.no("44.0", "strike.no_gas").into();
            }
            // 44.2.3: NATO's points for gas show whether WP has used any.
            if side == Side::Nato && s.sides[Side::Nato.index()].gas == 0 {
                return self.no("44.2.3", "strike.gas_first").into();
            }
        }
        Ok(())
    }

    /// 23.5.4, 44.2: whether this gun can deliver it.
    fn check_special_gun(&self, s: &State, what: Payload, hex: HexId, gun: UnitId) -> Result<(), Refusal> {
        let counter = self.counter(gun);
        let rule = if what == Payload::Adm { "23.5.4" } else { "44.2" };
        let no = |key| self.no(rule, key).unit("unit", gun).into();
        let type_ok = if what == Payload::Adm {
            counter.adm
        } else {
            // 44.2: any WP artillery, and US artillery other than rockets.
            counter.side == Side::Wp
                || counter.nation == Nation::Us && counter.symbol != Symbol::RocketArtillery
        };
        if !type_ok {
            return no("strike.gun_type");
        }
        let sheet = reckon_strike(self, s, FireKind::Strike, hex, &[gun]);
        if sheet.total < u32::from(self.tables.adm_gas.least_fire_strength) {
            return no("strike.weak");
        }
        let purse = counter.nation.purse();
        if self.special_points(s, purse, what) == 0 {
            let rule = if what == Payload::Adm { "23.5.1" } else { "44.1" };
            return self.no(rule, "strike.no_points").into();
        }
        Ok(())
    }

    /// ADM or Gas Points of a nation.
    pub fn special_points(&self, s: &State, purse: Purse, what: Payload) -> u8 {
        let points = &s.points[purse.index()];
        match what {
            Payload::Fire => u8::MAX,
            Payload::Adm => points.adm,
            Payload::GasPersistent => points.gas_persistent,
            Payload::GasNonPersistent => points.gas_non_persistent,
        }
    }
}

/// 23.5.3 step 4, 44.2, 44.7: spend one ADM or Gas Point.
pub(super) fn spend(play: &mut Play, side: Side, purse: Purse, what: Payload) {
    let points = &mut play.s.points[purse.index()];
    let of = match what {
        Payload::Fire => return,
        Payload::Adm => &mut points.adm,
        Payload::GasPersistent => &mut points.gas_persistent,
        Payload::GasNonPersistent => &mut points.gas_non_persistent,
    };
    *of = of.saturating_sub(1);
    if what.gas() {
        play.s.sides[side.enemy().index()].gas += u16::from(play.rules.tables.victory.gas_point_spent);
    }
}

/// 23.5.3 steps 6 and 7, 44.2: place the marker and attack the units there.
pub(super) fn deliver(play: &mut Play, side: Side, hex: HexId, what: Payload) -> Result<(), Stop> {
    match what {
        Payload::Fire => Ok(()),
        // 23.5.7
        Payload::Adm => {
            // 37.5: no effect if a real minefield is already there.
            if play.s.minefield(hex) == crate::state::Mine::Real {
                return Ok(());
            }
            // A dummy minefield that an engineer laid is replaced by mines that it did not lay.
            play.forget_layers(hex);
            play.s.change_mark(hex, |mark| {
                (mark.mine, mark.mine_owner, mark.mine_known) = (crate::state::Mine::Real, side, true);
            });
            play.tell(Event::Minefield { hex, built: true });
            let struck = set_of(play.rules.stack(play.s, side.enemy(), hex));
            crate::mines::attack(play, &struck, 0)
        }
        Payload::GasPersistent | Payload::GasNonPersistent => crate::gas::land(play, side, hex, what),
    }
}

/// 23.1.1 steps 5 and 6.
pub fn reckon_strike(rules: &Wurzburg, s: &State, kind: FireKind, hex: HexId, with: &[UnitId]) -> FireSheet {
    let with: Vec<(UnitId, u8)> = with.iter().map(|unit| (*unit, s.unit(*unit).steps)).collect();
    rules.reckon(s, kind, hex, &with)
}

/// 23.1.1 steps 5 to 8: roll, then absorb hits and check Disruption.
pub fn resolve(
    play: &mut Play,
    kind: FireKind,
    hex: HexId,
    with: &[UnitId],
    targets: &[UnitId],
) -> Result<(), Stop> {
    let side = with.first().map_or(Side::Wp, |unit| play.rules.counter(*unit).side);
    let sheet = reckon_strike(play.rules, play.s, kind, hex, with);
    hit(play, kind, side, hex, &sheet, with, targets)
}

/// The roll on the Combat Results Table and its consequences.
pub(super) fn hit(
    play: &mut Play,
    kind: FireKind,
    side: Side,
    hex: HexId,
    sheet: &FireSheet,
    with: &[UnitId],
    targets: &[UnitId],
) -> Result<(), Stop> {
    let rule = kind.rule();
    let roll = play.roll(side, 0, "roll.strike", rule)?;
    let modifier = play.rules.tables.hit_modifier(roll);
    let hits = sheet.hits(modifier);
    for gun in with.iter().filter(|gun| play.rules.counter(**gun).symbol.artillery()) {
        let u = play.s.unit_mut(*gun);
        u.set(Flags::FIRED); // 22.5
        u.set(Flags::FIRED_NOW);
    }
    play.log.reveal();
    let firers = with.iter().map(|unit| (*unit, play.s.unit(*unit).steps)).collect();
    play.s.support.hits = hits;
    play.s.support.targets = targets.iter().copied().collect();
    play.s.combat = Combat {
        kind,
        side,
        target: hex,
        targets: set_of(targets.iter().copied()),
        hits,
        cover: None,
        firers,
    };
    play.tell(Event::Fired {
        kind,
        side,
        target: hex,
        units: with.iter().copied().collect(),
        total: sheet.total as u16,
        effective: sheet.effective as u16,
        roll,
        modifier,
        hits,
    });
    play.then(&[Frame::Absorb, Frame::Disrupt(kind)]);
    Ok(())
}

/// 23.3: every surviving unit whose defense does not exceed the hit total is Disrupted; the frame has already been
/// popped.
pub fn disrupt(play: &mut Play, kind: FireKind) {
    let hits = play.s.support.hits;
    let targets = std::mem::take(&mut play.s.support.targets);
    for unit in targets {
        let u = play.s.unit(unit);
        let alive = u.steps > 0
            && !matches!(
                u.place,
                crate::state::Place::Spare | crate::state::Place::Dead | crate::state::Place::Track
            );
        if !alive || play.rules.defense(play.s, unit, kind) > hits {
            continue;
        }
        let fresh = !u.is(Flags::DISRUPTED);
        let u = play.s.unit_mut(unit);
        u.set(Flags::DISRUPTED);
        let counter = play.rules.counter(unit);
        if let Some(hq) = play.s.hqs.get_mut(usize::from(counter.hq)) {
            // 23.3.1 item 8: its points are lost; WP's Command Points have been spent in planning.
            hq.rp = 0;
            if counter.side == Side::Nato {
                hq.cp = 0;
            }
        }
        if fresh {
            play.tell(Event::Disrupted { unit });
        }
        play.use_up([unit]); // 23.3.1 item 1
    }
}

/// The Strike Segment opens (10.0).
pub fn open(play: &mut Play) {
    play.s.support.struck.clear();
    play.s.support.bridges_struck.clear();
    // 12.4.1: units that fired before this segment are not freed at its end.
    for unit in play.s.ids() {
        play.s.unit_mut(unit).clear(Flags::FIRED_NOW);
    }
    if play.rules.scenario.has(System::Strikes) {
        play.push(Frame::Strike);
    }
}

/// The end of the Strike Segment: a Main Effort frees the artillery that fired in it (12.4.1, 22.5).
pub fn close(play: &mut Play) {
    let active = play.s.active;
    let effort =
        active.some().is_some_and(|division| crate::planning::main_effort(play.rules, play.s, division));
    let mut freed = Units::new();
    for unit in play.s.ids() {
        let wp = play.rules.counter(unit).side == Side::Wp;
        let u = play.s.unit_mut(unit);
        if u.is(Flags::FIRED_NOW) && wp && effort {
            u.clear(Flags::FIRED);
            freed.push(unit);
        }
        u.clear(Flags::FIRED_NOW);
    }
    if !freed.is_empty() {
        play.tell(Event::GunsFreed { units: freed });
    }
}

/// 23.0: Strikes one by one, or stop.
#[derive(Debug)]
pub struct Strike;

impl Question<Wurzburg> for Strike {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.active.some().map_or(Side::Wp, |active| rules.formation(active).side))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let any = cx.rules.callers(cx.s).iter().any(|hq| {
            !cx.rules.strike_targets(cx.s, *hq).is_empty() || !cx.rules.bridge_targets(cx.s, *hq).is_empty()
        });
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let mut hexes: SmallVec<[HexId; 8]> = SmallVec::new();
        for hq in cx.rules.callers(cx.s) {
            for hex in cx.rules.strike_targets(cx.s, hq) {
                if !hexes.contains(&hex) {
                    hexes.push(hex);
                }
            }
        }
        out.extend(hexes.into_iter().map(Subject::Hex));
        let mut sides: SmallVec<[hexgrid::SideId; 8]> = SmallVec::new();
        for hq in cx.rules.callers(cx.s) {
            for side in cx.rules.bridge_targets(cx.s, hq) {
                if !sides.contains(&side) {
                    sides.push(side);
                }
            }
        }
        out.extend(sides.into_iter().map(Subject::Side));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Side(side) => super::bridge::options(cx, side, out),
            Subject::Hex(hex) => {
                for hq in cx.rules.callers(cx.s) {
                    if !cx.rules.strike_targets(cx.s, hq).contains(&hex) {
                        continue;
                    }
                    let guns = cx.rules.strike_guns(cx.s, hq, hex);
                    let held = cx.rules.holds(cx.s, hex, cx.side.enemy());
                    for points in (1..=3).filter(|_| held) {
                        let action =
                            Action::Strike { what: Payload::Fire, hex, hq, with: Parts::new(), air: points };
                        if self.check(cx, &action).is_ok() {
                            out.push(action);
                        }
                    }
                    for what in Payload::SPECIAL {
                        let one = |with: Parts, air: u8| Action::Strike { what, hex, hq, with, air };
                        let with = guns.iter().map(|gun| one([Part::all(*gun)].into_iter().collect(), 0));
                        let all: Vec<Action> = with.chain([one(Parts::new(), 2)]).collect();
                        out.extend(all.into_iter().filter(|action| self.check(cx, action).is_ok()));
                    }
                    if !held {
                        continue; // fire at no target is legal but useless
                    }
                    let helicopters = cx.rules.ready_helicopters(cx.s, hq);
                    for with in super::call::combinations(&guns, &helicopters, true) {
                        out.push(Action::Strike { what: Payload::Fire, hex, hq, with, air: 0 });
                    }
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Transfer { part, to } => cx.rules.check_exchange(cx.s, cx.side, *part, *to),
            Action::Strike { what, hex, hq, with, air } => {
                super::with_guns(cx, with, |cx, guns| check_strike(cx, *what, *hex, *hq, guns, *air))
            }
            Action::StrikeBridge { side, hq, with, air } => super::bridge::check(cx, *side, *hq, with, *air),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        if let Action::StrikeBridge { side: bridge, hq, with, air } = action {
            return super::bridge::begin(play, side, *bridge, *hq, with, *air);
        }
        if let Action::Transfer { part, to } = action {
            crate::air::exchange(play, *part, *to);
            return Ok(());
        }
        let Action::Strike { what, hex, hq, with, air } = action else {
            play.pop();
            play.push(Frame::EndStrikes);
            return Ok(());
        };
        play.s.support.struck.push(*hex);
        // 10.1.3: a base unit that is the only observer is committed to this cycle.
        bind_observer(play, *hq, *hex);
        if *air > 0 {
            return super::air::begin(play, side, *what, *hex, *hq, *air);
        }
        let flies = |part: &&Part| play.rules.counter(part.unit).symbol == Symbol::AttackHelicopter;
        let helicopter = with.iter().find(flies).copied();
        let tubes: Parts = with.iter().copied().filter(|part| !flies(&part)).collect();
        let guns: Units = crate::movement::part_off(play, &tubes).iter().collect(); // 22.5
        let called: Units = guns.iter().copied().chain(helicopter.map(|part| part.unit)).collect();
        play.tell(Event::Called { side, hq: *hq, units: called });
        if let Some(helicopter) = helicopter {
            return raid(play, *hex, guns, helicopter);
        }
        let with = &guns;
        let targets = play.rules.stack(play.s, side.enemy(), *hex);
        super::battery::prepare(play, with);
        play.push(Frame::CounterBattery);
        if *what == Payload::Fire {
            return resolve(play, FireKind::Strike, *hex, with, &targets);
        }
        for gun in with {
            let purse = play.rules.counter(*gun).nation.purse();
            spend(play, side, purse, *what);
            let u = play.s.unit_mut(*gun);
            u.set(Flags::FIRED);
            u.set(Flags::FIRED_NOW);
        }
        play.log.reveal();
        deliver(play, side, *hex, *what)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.strike", "23.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// 25.0: attack helicopters fly first, then all called units strike.
fn raid(play: &mut Play, hex: HexId, guns: Units, part: Part) -> Result<(), Stop> {
    let helicopter = part.unit;
    crate::air::set_out(play, helicopter, part.steps.unwrap_or(u8::MAX));
    if !guns.is_empty() {
        super::battery::prepare(play, &guns);
        play.push(Frame::CounterBattery);
    }
    play.then(&[Frame::Raid, Frame::FlyHome(helicopter)]);
    play.s.sky.raid = Some(crate::air::Raid { hex, guns, helicopter });
    crate::air::open_flight(play, helicopter);
    Ok(())
}

/// 21.3.1: if only base units observe, one of them takes part in this cycle.
fn bind_observer(play: &mut Play, hq: UnitId, hex: HexId) {
    let side = play.rules.counter(hq).side;
    let near = play.rules.around(play.s, hex, side);
    let active = play.s.active;
    let observers: Units = near
        .into_iter()
        .filter(|unit| {
            play.rules.observes(play.s, hq, *unit, hex) && play.rules.activates_with(play.s, *unit, active)
        })
        .collect();
    let base = |unit: &UnitId| play.rules.formation(play.rules.counter(*unit).formation).base;
    if !observers.is_empty()
        && observers.iter().all(base)
        && let Some(first) = observers.first().copied()
    {
        play.s.unit_mut(first).cycle = active;
    }
}
