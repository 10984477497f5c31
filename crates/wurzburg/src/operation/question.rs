//! The questions of the Operations Segment and of the Reserve Phase.

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{
    begin, check_commit, check_march,
    commit::{check_aim, check_member, may_lead, payers, payers_for},
    engineers_for, lead_candidates, members_for,
};
use crate::{
    action::{Action, Commit, Force, Part, Parts, Subject, Units, Who},
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, OpKind, Payer, State, Variant},
    units::{FormationId, Side, UnitId},
};

/// Enemy hexes that an operation from a hex could have as objective: near enough for its Movement Points.
fn targets(cx: &Cx, from: &[HexId], kind: OpKind) -> SmallVec<[HexId; 16]> {
    let reach = u32::from(cx.rules.tables.operations.of(kind).mp) + 1;
    // By road a WP Hasty Attack goes farther (16.5).
    let reach = if kind == OpKind::HastyAttack && cx.side == Side::Wp { reach + 4 } else { reach };
    let mut seen = HexSet::EMPTY;
    let mut out = SmallVec::new();
    for unit in cx.rules.units_of(cx.side.enemy()) {
        let u = cx.s.unit(*unit);
        let near = || {
            from.iter()
                .filter(|hex| **hex != HexId::NONE)
                .any(|hex| cx.rules.field.distance(*hex, u.hex) <= reach)
        };
        if u.on_map() && cx.rules.counter(*unit).symbol.ground() && near() && seen.insert(u.hex) {
            out.push(u.hex);
        }
    }
    out
}

fn variants(cx: &Cx) -> SmallVec<[Variant; 4]> {
    let mut list: SmallVec<[Variant; 4]> = SmallVec::new();
    list.push(Variant::Plain);
    let optional = &cx.rules.scenario.optional;
    if cx.side == Side::Nato {
        list.push(Variant::Gegenangriff);
    }
    if optional.contains(&crate::pack::Optional::Overrun) || cx.rules.options.overrun {
        list.push(Variant::Overrun);
    }
    if optional.contains(&crate::pack::Optional::CloseAttack) || cx.rules.options.close_attack {
        list.push(Variant::Close);
    }
    list
}

/// Commitments with every objective in reach; `force` without further members.
fn commitments(cx: &Cx, kind: OpKind, force: &Force, from: &[HexId], out: &mut Vec<Action>) {
    let plain = |airmobile| {
        let forces = [force.clone()].into_iter().collect();
        Commit { kind, variant: Variant::Plain, forces, objective: HexId::NONE, bridge: None, airmobile }
    };
    // The force is checked once, with and without helicopters; only the objective differs.
    let grounded = check_commit(cx, &plain(false)).ok();
    let flying = (flies(cx, force) && kind != OpKind::Reserve).then(|| check_commit(cx, &plain(true)).ok());
    let mut offer = |variant, objective, bridge, airmobile| {
        let groups = if airmobile { flying.as_ref().and_then(Option::as_ref) } else { grounded.as_ref() };
        let Some(groups) = groups else { return };
        let commit = Commit { variant, objective, bridge, ..plain(airmobile) };
        if check_aim(cx, &commit, groups).is_ok() {
            out.push(Action::Commit(commit));
        }
    };
    offer(Variant::Plain, HexId::NONE, None, false);
    if kind.offensive() {
        for hex in targets(cx, from, kind) {
            for variant in variants(cx) {
                if kind == OpKind::HastyAttack || variant == Variant::Plain {
                    offer(variant, hex, None, false);
                }
            }
        }
        let reach = u32::from(cx.rules.tables.operations.of(kind).mp) + 1;
        for (bridge, hex) in crate::crossing::objectives(cx) {
            let near = |at: &HexId| *at != HexId::NONE && cx.rules.field.distance(*at, hex) <= reach;
            if from.iter().any(near) {
                offer(Variant::Plain, hex, Some(bridge), false); // 38.3.2
            }
        }
    }
    if flies(cx, force) && kind != OpKind::Reserve {
        offer(Variant::Plain, HexId::NONE, None, true);
        let seen = |hex: &HexId| cx.s.acquired.contains(hex) || cx.rules.next_to(cx.s, *hex, cx.side);
        let (enemies, _) = cx.rules.presence(cx.s, cx.side.enemy());
        let cities = cx.rules.holdable.iter().copied().filter(|hex| cx.rules.empty_city(cx.s, *hex));
        for hex in enemies.iter().chain(cities).filter(seen) {
            for variant in variants(cx) {
                if kind == OpKind::HastyAttack || variant == Variant::Plain {
                    offer(variant, hex, None, true);
                }
            }
        }
    }
}

/// Whether the force has airmobile units (29.3).
fn flies(cx: &Cx, force: &Force) -> bool {
    let mobile = |unit: UnitId| cx.rules.counter(unit).airmobile;
    match force.who {
        Who::Formation(formation) => cx.rules.units_of_formation(cx.s, formation).any(mobile),
        Who::Lead(lead) => mobile(lead.unit),
    }
}

/// Whether it is a WP regiment of the active division whose plan can be carried out.
fn can_execute(cx: &Cx, id: FormationId, reserve: bool) -> bool {
    let f = cx.s.formation(id);
    let node = cx.rules.formation(id);
    let active = || reserve || cx.s.active.some().is_some_and(|active| cx.rules.below(cx.s, id, active));
    node.side == Side::Wp
        && !node.base
        && cx.rules.in_play[id.index()]
        && !f.plan.executed
        && (f.plan.kind == OpKind::Reserve) == reserve
        && active()
        && !members_for(cx.rules, cx.s, id, f.plan.kind, true).is_empty()
}

fn regiments<'a>(cx: &'a Cx<'a>, reserve: bool) -> impl Iterator<Item = FormationId> + 'a {
    (0..cx.s.formations.len() as u8).map(FormationId).filter(move |id| can_execute(cx, *id, reserve))
}

/// NATO units that may lead a Reserve operation that can be paid for.
fn reserve_leads<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    lead_candidates(cx, OpKind::Reserve).filter(|unit| {
        let (formation, hex) = (cx.rules.counter(*unit).formation, cx.s.unit(*unit).hex);
        !payers(cx, formation, hex, false).is_empty()
    })
}

/// The regiments that can act, by their units: at the table any unit stands for its regiment.
fn named_by_units<'a>(cx: &'a Cx<'a>, reserve: bool) -> impl Iterator<Item = Subject> + 'a {
    let kind = |formation: FormationId| cx.s.formation(formation).plan.kind;
    regiments(cx, reserve)
        .flat_map(move |id| members_for(cx.rules, cx.s, id, kind(id), true).iter().collect::<Units>())
        .map(Subject::Unit)
}

/// Whether WP has a regiment that could act and has not carried out its plan. It is asked whatever is planned: skipping
/// the question would reveal the plan (12.3).
fn unexecuted(cx: &Cx) -> bool {
    (0..cx.s.formations.len() as u8).map(FormationId).any(|id| {
        let active = cx.s.active.some().is_none_or(|active| cx.rules.below(cx.s, id, active));
        active
            && cx.rules.planned(cx.s, id)
            && !cx.s.formation(id).plan.executed
            && !members_for(cx.rules, cx.s, id, OpKind::March, true).is_empty()
    })
}

/// Units that may march by themselves: NATO units, or those of a WP division's base (13.2).
fn marchers<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    let done = cx.side == Side::Wp && cx.s.formation(cx.s.active).base_marched;
    let units = if done { &[] } else { cx.rules.units_of(cx.side) };
    units.iter().copied().filter(|unit| may_march(cx, *unit))
}

fn may_march(cx: &Cx, unit: UnitId) -> bool {
    let u = cx.s.unit(unit);
    let counter = cx.rules.counter(unit);
    (u.on_map() || cx.rules.enters(cx.s, unit) || cx.rules.waits(cx.s, unit))
        && !u.is(Flags::USED)
        && counter.symbol.ground()
        && (cx.side == Side::Nato || cx.rules.formation(counter.formation).base)
        && cx.rules.activates_with(cx.s, unit, cx.s.active)
}

fn regiment_options(cx: &Cx, formation: FormationId, out: &mut Vec<Action>) {
    let f = cx.s.formation(formation);
    let kind = f.plan.kind;
    let members = members_for(cx.rules, cx.s, formation, kind, false);
    let engineers = engineers_for(cx.rules, cx.s, formation, cx.rules.lead_of(cx.s, formation), kind);
    let from: SmallVec<[HexId; 8]> = members.iter().map(|unit| cx.s.unit(unit).hex).collect();
    let with = |units: Parts| Force { who: Who::Formation(formation), with: units, payer: Payer::None };
    if kind == OpKind::March {
        let march = |units: Parts, airmobile: bool| Action::March {
            formation,
            base: false,
            units,
            rally: HexId::NONE,
            airmobile,
        };
        if !members.is_empty() {
            out.push(march(Parts::new(), false));
            if !engineers.is_empty() {
                out.push(march(Part::whole(engineers), false));
            }
        }
        if flies(cx, &with(Parts::new())) {
            out.push(march(Parts::new(), true));
        }
        return;
    }
    commitments(cx, kind, &with(Parts::new()), &from, out);
    if !engineers.is_empty() {
        commitments(cx, kind, &with(Part::whole(engineers)), &from, out);
    }
}

/// A task force with everybody near who may join, as far as the limit allows.
fn largest(cx: &Cx, kind: OpKind, lead: UnitId) -> Parts {
    let limit = cx.rules.step_limit(Side::Nato);
    let all = cx.rules.formation(cx.rules.counter(lead).formation).cavalry();
    let mut steps = cx.s.unit(lead).steps;
    let mut units = Parts::new();
    let mut divided = false;
    // 12.6, 12.9.2: nobody but units of its own formation and engineers.
    let own = cx.rules.counters_of(cx.rules.counter(lead).formation);
    let mut near: SmallVec<[UnitId; 32]> =
        own.iter().chain(cx.rules.engineers(Side::Nato)).copied().collect();
    near.sort_unstable();
    near.dedup();
    for unit in &near {
        if *unit == lead || check_member(cx, kind, lead, *unit).is_err() {
            continue;
        }
        let maneuver = cx.rules.counter(*unit).symbol.maneuver();
        let add = if maneuver { cx.s.unit(*unit).steps } else { 0 };
        if all || steps + add <= limit {
            steps += add;
            units.push(Part::all(*unit));
        } else if steps < limit && !divided {
            // 12.6.2: a unit that would exceed the limit joins with as many steps as fit.
            let part = Part { unit: *unit, steps: Some(limit - steps) };
            divided = cx.rules.spare_for(cx.s, *unit).is_some()
                && crate::movement::check_part(cx.rules, cx.s, part).is_ok();
            if divided {
                steps = limit;
                units.push(part);
            }
        }
    }
    units
}

/// Where the task force of a Lead Unit comes from.
fn starts(cx: &Cx, lead: UnitId) -> SmallVec<[HexId; 8]> {
    match cx.s.unit(lead).hex.some() {
        Some(hex) => [hex].into_iter().collect(),
        None => cx.rules.entry_zone(cx.s, lead).iter().collect(), // 12.6.4
    }
}

/// Is the objective so far away that it is not listed? It may be declared all the same (13.5).
pub fn beyond_reach(cx: &Cx, commit: &Commit) -> bool {
    let Some(force) = commit.forces.first().filter(|_| !commit.airmobile && commit.bridge.is_none()) else {
        return false;
    };
    let from = match force.who {
        Who::Lead(lead) => starts(cx, lead.unit),
        Who::Formation(formation) => {
            let members = members_for(cx.rules, cx.s, formation, commit.kind, false);
            members.iter().map(|unit| cx.s.unit(unit).hex).collect()
        }
    };
    commit.objective != HexId::NONE && !targets(cx, &from, commit.kind).contains(&commit.objective)
}

fn lead_options(cx: &Cx, kind: OpKind, lead: UnitId, out: &mut Vec<Action>) {
    let Some(payer) = payers_for(cx, lead).next() else { return };
    let from = starts(cx, lead);
    let mut teams: SmallVec<[Parts; 2]> = SmallVec::new();
    teams.push(Parts::new());
    let large = largest(cx, kind, lead);
    if !large.is_empty() {
        teams.push(large);
    }
    for with in teams {
        let force = Force { who: Who::Lead(Part::all(lead)), with, payer };
        commitments(cx, kind, &force, &from, out);
    }
}

/// Who may march with a unit: all of a WP base, or NATO units of its hex.
pub fn marchers_with(cx: &Cx, unit: UnitId) -> Units {
    let (hex, waits) = (cx.s.unit(unit).hex, cx.rules.waits(cx.s, unit));
    let beside = |other: &UnitId| {
        cx.rules.waits(cx.s, *other) == waits && (cx.side == Side::Wp || cx.s.unit(*other).hex == hex)
    };
    marchers(cx).filter(beside).collect()
}

fn march_options(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let (formation, base) =
        if cx.side == Side::Wp { (cx.s.active, true) } else { (FormationId::NONE, false) };
    let march = |units: Parts, airmobile: bool| Action::March {
        formation,
        base,
        units,
        rally: HexId::NONE,
        airmobile,
    };
    let alone = || Part::whole([unit]);
    let waits = cx.rules.waits(cx.s, unit);
    if !waits {
        out.push(march(alone(), false));
    }
    if cx.rules.counter(unit).airmobile {
        out.push(march(alone(), true));
    }
    let together = marchers_with(cx, unit);
    if together.len() > 1 && together.first() == Some(&unit) {
        out.push(march(Part::whole(together), waits));
    }
}

/// 13.0: the next operation of the active formation, or none.
#[derive(Debug)]
pub struct Operations;

impl Question<Wurzburg> for Operations {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.active.some().map_or(Side::Wp, |active| rules.formation(active).side))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let any = marchers(cx).next().is_some()
            || cx.side == Side::Wp && unexecuted(cx)
            || cx.side == Side::Nato && lead_candidates(cx, OpKind::HastyAttack).next().is_some();
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        if cx.side == Side::Wp {
            out.extend(named_by_units(cx, false));
        }
        out.extend(marchers(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                out.push(Action::Done);
                crate::crossing::abandonable(cx, out);
            }
            Subject::Formation(formation) if can_execute(cx, formation, false) => {
                regiment_options(cx, formation, out);
            }
            Subject::Unit(unit)
                if cx.side == Side::Wp && !cx.rules.formation(cx.rules.counter(unit).formation).base =>
            {
                let formation = cx.rules.counter(unit).formation;
                if can_execute(cx, formation, false) {
                    regiment_options(cx, formation, out);
                }
            }
            Subject::Unit(unit) if marchers(cx).any(|other| other == unit) => {
                march_options(cx, unit, out);
                if cx.side == Side::Nato && may_lead(cx, OpKind::HastyAttack, unit) {
                    lead_options(cx, OpKind::HastyAttack, unit, out);
                    lead_options(cx, OpKind::Assault, unit, out);
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Commit(commit) => check_commit(cx, commit).map(|_| ()),
            Action::March { formation, base, units, rally, airmobile } => {
                check_march(cx, *formation, *base, units, *rally, *airmobile).map(|_| ())
            }
            Action::RemovePosition(hex) => crate::engineers::check_position(cx, *hex), // 35.0: at any time
            action => crate::crossing::check_abandon(cx, action),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Commit(commit) => start(play, side, commit)?,
            Action::March { formation, base, units, rally, airmobile } => {
                let mut group = check_march(&play.cx(side), *formation, *base, units, *rally, *airmobile)?;
                if units.iter().any(|part| part.steps.is_some()) {
                    group.members = crate::movement::part_off(play, units); // 11.5
                }
                let alone = side == Side::Nato || *base;
                if *base {
                    let active = play.s.active;
                    play.s.formation_mut(active).base_marched = true;
                }
                if !alone {
                    play.log.reveal();
                }
                begin(play, OpKind::March, Variant::Plain, side, &[group], alone, HexId::NONE);
                play.s.op.rally = *rally;
                play.s.op.airmobile = *airmobile;
            }
            Action::Abandon { .. } => crate::crossing::abandon(play, action),
            Action::RemovePosition(hex) => crate::engineers::remove_position(play, side, *hex),
            _ => play.pop(),
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.operations", "13.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

fn start(play: &mut Play, side: Side, commit: &Commit) -> Result<(), Stop> {
    let mut groups = check_commit(&play.cx(side), commit)?;
    for (force, group) in commit.forces.iter().zip(&mut groups) {
        pay(play, side, force.payer);
        if matches!(force.who, Who::Lead(_)) {
            group.members = crate::movement::part_off(play, &force.parts()); // 12.6.2, 11.5
        }
    }
    if side == Side::Wp {
        play.log.reveal(); // 12.3: the marker is turned up
    }
    if commit.kind == OpKind::Reserve && side == Side::Wp {
        reserve_starts(play, &commit.forces);
    }
    if commit.variant == Variant::Gegenangriff {
        play.s.sides[side.index()].gegenangriff_used = true;
    }
    begin(play, commit.kind, commit.variant, side, &groups, false, commit.objective);
    play.s.op.bridge = commit.bridge;
    play.s.op.airmobile = commit.airmobile;
    Ok(())
}

/// 13.7.2: units of the regiment adjacent to an enemy become used and do not move.
fn reserve_starts(play: &mut Play, forces: &[Force]) {
    for force in forces {
        let Who::Formation(formation) = force.who else { continue };
        let held: Units = play
            .rules
            .units_of_formation(play.s, formation)
            .filter(|unit| {
                let u = play.s.unit(*unit);
                u.on_map() && play.rules.next_to(play.s, u.hex, Side::Nato)
            })
            .collect();
        play.use_up(held);
    }
}

/// 12.2.1
pub fn pay(play: &mut Play, side: Side, payer: Payer) {
    match payer {
        Payer::Hq(hq) => {
            let n = usize::from(play.rules.counter(hq).hq);
            if let Some(hq) = play.s.hqs.get_mut(n) {
                hq.cp = hq.cp.saturating_sub(1);
            }
        }
        Payer::OffMap => {
            let side = &mut play.s.sides[side.index()];
            side.off_map_cp = side.off_map_cp.saturating_sub(1);
        }
        Payer::None | Payer::MainEffort => {}
    }
}

/// 13.7: may the missing marker of a regiment in reserve be placed on this unit, before its operation?
fn check_late_lead(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(Side::Wp, unit)?;
    let formation = rules.counter(unit).formation;
    let missing = cx.s.formation(formation).lead == HexId::NONE && can_execute(cx, formation, true);
    if cx.side != Side::Wp || !missing {
        return rules.no("12.3.2", "lead.not_now").unit("unit", unit).into();
    }
    if rules.leads(cx.s, formation).contains(&unit) {
        return Ok(());
    }
    rules.no("12.3.2", "lead.out_of_range").unit("unit", unit).into()
}

/// 13.6.3: Reserve operations of one side, one after the other.
#[derive(Debug)]
pub struct Reserve;

impl Question<Wurzburg> for Reserve {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::Reserve(side) = frame { side } else { Side::Wp })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let any = match cx.side {
            Side::Wp => unexecuted(cx),
            Side::Nato => reserve_leads(cx).next().is_some(),
        };
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        match cx.side {
            Side::Wp => out.extend(named_by_units(cx, true)),
            Side::Nato => out.extend(reserve_leads(cx).map(Subject::Unit)),
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Formation(formation) if can_execute(cx, formation, true) => {
                regiment_options(cx, formation, out);
            }
            Subject::Unit(unit) if cx.side == Side::Wp => {
                let formation = cx.rules.counter(unit).formation;
                if can_execute(cx, formation, true) {
                    regiment_options(cx, formation, out);
                }
                if check_late_lead(cx, unit).is_ok() {
                    out.push(Action::Lead(unit));
                }
            }
            Subject::Unit(unit) if may_lead(cx, OpKind::Reserve, unit) => {
                lead_options(cx, OpKind::Reserve, unit, out);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Commit(commit) => check_commit(cx, commit).map(|_| ()),
            Action::Lead(unit) => check_late_lead(cx, *unit),
            Action::March { .. } => {
                cx.rules.no("13.0", "commit.wrong_phase").term("kind", "operation.march").into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Commit(commit) => start(play, side, commit)?,
            Action::Lead(unit) => crate::maneuver::place_lead(play, *unit),
            _ => play.pop(),
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.reserve", "13.7")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
