//! Who may take part in an operation, who pays for it, and at what it may aim (12.5 to 12.9, 13.2 to 13.7).

use hexgrid::HexId;
use kernel::Refusal;
use smallvec::SmallVec;

use crate::{
    action::{Commit, Force, Parts, Units, Who},
    frame::Frame,
    pack::{Optional, Terrain},
    play::Cx,
    rules::Wurzburg,
    state::{Flags, Group, OpKind, Payer, Place, State, Variant},
    units::{FormationId, Nation, Side, Symbol, UnitId, UnitSet, set_of},
};

/// 13.6.1, 12.5.2: all unused units of a regiment that are on the map.
pub fn members_for(
    rules: &Wurzburg,
    s: &State,
    formation: FormationId,
    kind: OpKind,
    airmobile: bool,
) -> UnitSet {
    let side = rules.formation(formation).side;
    let free = |unit: &UnitId| {
        let u = s.unit(*unit);
        // 13.7.2: nobody next to an enemy takes part in a Reserve operation.
        let held = kind == OpKind::Reserve && u.on_map() && rules.next_to(s, u.hex, side.enemy());
        let enters = rules.enters(s, *unit) || airmobile && rules.waits(s, *unit);
        let here = u.on_map() || kind != OpKind::Reserve && enters;
        here && !u.is(Flags::USED) && !held
    };
    set_of(rules.units_of_formation(s, formation).filter(free))
}

/// 12.9, 12.9.1, 12.9.2, 12.9.4, 4.1.3: engineers that may join a regiment or task force with its Lead Unit marker in a hex.
pub fn engineers_for(
    rules: &Wurzburg,
    s: &State,
    formation: FormationId,
    lead: HexId,
    kind: OpKind,
) -> Units {
    let engineers = rules.engineers(rules.formation(formation).side).iter().copied();
    engineers.filter(|unit| engineer_joins(rules, s, formation, lead, kind, *unit)).collect()
}

/// May this unit, an engineer, join the regiment or task force?
fn engineer_joins(
    rules: &Wurzburg,
    s: &State,
    formation: FormationId,
    lead: HexId,
    kind: OpKind,
    unit: UnitId,
) -> bool {
    let counter = rules.counter(unit);
    let u = s.unit(unit);
    if counter.symbol != Symbol::Engineer || u.is(Flags::USED) {
        return false;
    }
    let side = rules.formation(formation).side;
    let range = u32::from(rules.tables.command.lead_unit_range);
    let near = u.on_map() && lead != HexId::NONE && rules.field.distance(lead, u.hex) <= range;
    // 12.9.4: one that is due enters with a regiment that enters.
    let enters = kind != OpKind::Reserve
        && u.place == Place::Column
        && rules.units_of_formation(s, formation).any(|unit| s.unit(unit).place == Place::Column);
    // 12.6: of the brigade, of the one that a battalion is attached to, or of a base above it.
    let chain = || rules.below(s, formation, counter.formation);
    let nation = side == Side::Wp || counter.nation == rules.formation(formation).nation;
    let free = u.cycle.some().is_none_or(|cycle| cycle == s.active);
    let held = || kind == OpKind::Reserve && u.on_map() && rules.next_to(s, u.hex, side.enemy());
    (near || enters) && nation && free && chain() && !held()
}

/// 12.6.3, 12.6.1, 13.6.2, 7.2.6: NATO units that may lead a task force now.
pub fn lead_candidates<'a>(cx: &'a Cx<'a>, kind: OpKind) -> impl Iterator<Item = UnitId> + 'a {
    cx.rules.units_of(Side::Nato).iter().copied().filter(move |unit| may_lead(cx, kind, *unit))
}

/// May this NATO unit lead a task force now?
pub fn may_lead(cx: &Cx, kind: OpKind, unit: UnitId) -> bool {
    check_lead(cx, kind, unit, kind != OpKind::Reserve).is_ok()
}

fn check_lead(cx: &Cx, kind: OpKind, unit: UnitId, airmobile: bool) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(Side::Nato, unit)?;
    let u = cx.s.unit(unit);
    let counter = rules.counter(unit);
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).into();
    // 12.6.4: also from units that enter this turn.
    let enters = u.place == Place::Column && kind != OpKind::Reserve || airmobile && rules.waits(cx.s, unit);
    if !counter.symbol.maneuver() || !u.on_map() && !enters {
        return no("12.6", "lead.not_maneuver");
    }
    if u.is(Flags::USED) {
        return no("12.6", "commit.used");
    }
    if rules.formation(counter.formation).base {
        return no("12.6", "lead.not_brigade");
    }
    if let Some(active) = cx.s.active.some()
        && !rules.below(cx.s, counter.formation, active)
    {
        return no("12.6", "lead.not_active");
    }
    if cx.s.formation(counter.formation).shattered {
        return no("31.2", "commit.shattered");
    }
    if kind == OpKind::Reserve && rules.next_to(cx.s, u.hex, Side::Wp) {
        return no("16.8.4", "commit.adjacent");
    }
    Ok(())
}

/// May a unit join the task force of a Lead Unit (12.6, 12.6.1)?
pub fn check_member(cx: &Cx, kind: OpKind, lead: UnitId, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(Side::Nato, unit)?;
    let (u, l) = (cx.s.unit(unit), cx.s.unit(lead));
    let counter = rules.counter(unit);
    let formation = rules.counter(lead).formation;
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).unit("lead", lead).into();
    // 29.2.2: off the map a task force is formed of units that wait there.
    let together = u.place == Place::Column && l.place == Place::Column
        || rules.waits(cx.s, unit) && rules.waits(cx.s, lead);
    if !(u.on_map() && l.on_map() || together) {
        return no("12.6", "lead.not_maneuver");
    }
    if counter.symbol == Symbol::Engineer {
        // 12.9.4: one that is due enters with them.
        if together
            && rules.below(cx.s, formation, counter.formation)
            && counter.nation == rules.counter(lead).nation
        {
            return Ok(());
        }
        let joins = engineer_joins(rules, cx.s, formation, l.hex, kind, unit);
        return if joins { Ok(()) } else { no("12.9.2", "commit.engineer") };
    }
    if !counter.symbol.maneuver() {
        return no("13.0", "commit.march_only");
    }
    if counter.formation != formation {
        return no("12.6", "commit.other_formation");
    }
    if counter.airmobile != rules.counter(lead).airmobile {
        return no("29.2.2", "commit.airmobile");
    }
    if u.is(Flags::USED) {
        return no("12.6", "commit.used");
    }
    if !together && rules.field.distance(l.hex, u.hex) > u32::from(rules.tables.command.lead_unit_range) {
        return no("12.6.1", "commit.far");
    }
    if kind == OpKind::Reserve && rules.next_to(cx.s, u.hex, Side::Wp) {
        return no("16.8.4", "commit.adjacent");
    }
    Ok(())
}

/// 4.1.4.5: the brigade HQ of a NATO formation that works.
pub fn brigade_hq(rules: &Wurzburg, s: &State, formation: FormationId) -> Option<UnitId> {
    let brigade = rules.cycle_of(s, formation)?;
    rules.units_of(Side::Nato).iter().copied().find(|unit| {
        rules.counter(*unit).symbol == Symbol::Hq
            && rules.counter(*unit).formation == brigade
            && rules.hq_works(s, *unit)
    })
}

/// 12.7.1, 12.7.2, 12.7.4: may this HQ pay for units of a formation in a hex?
pub fn check_payer(
    cx: &Cx,
    payer: Payer,
    formation: FormationId,
    hex: HexId,
    reaction: bool,
) -> Result<(), Refusal> {
    let rules = cx.rules;
    match payer {
        Payer::Hq(hq) => {
            rules.own(Side::Nato, hq)?;
            let no = |rule, key| rules.no(rule, key).unit("unit", hq).into();
            let counter = rules.counter(hq);
            let off_map = rules.off_map_hq(cx.s, hq);
            if !rules.hq_works(cx.s, hq) && !off_map {
                return no("12.2.2", "pay.out_of_action");
            }
            if cx.s.hqs.get(usize::from(counter.hq)).is_none_or(|hq| hq.cp == 0) {
                return no("12.2.2", "pay.no_points");
            }
            if !rules.below(cx.s, formation, counter.formation) {
                return no("12.1", "pay.not_superior");
            }
            let brigade = rules.cycle_of(cx.s, formation);
            // 29.2.3: off the map an airmobile HQ serves units that are off the map, too, and nobody else does.
            if off_map || hex == HexId::NONE {
                let serves = off_map && hex == HexId::NONE && Some(counter.formation) == brigade;
                return if serves { Ok(()) } else { no("29.2.3", "pay.out_of_range") };
            }
            if Some(counter.formation) == brigade {
                return if rules.in_range(cx.s, hq, hex) { Ok(()) } else { no("12.7.1", "pay.out_of_range") };
            }
            // 12.7.4: a division HQ passes its points through the brigade HQ.
            let Some(through) = brigade_hq(rules, cx.s, formation) else {
                return no("12.7.4", "pay.no_brigade_hq");
            };
            let passes = rules
                .apart(cx.s, hq, through)
                .is_some_and(|far| far <= u32::from(rules.counter(hq).command_range));
            if !passes || !rules.in_range(cx.s, through, hex) {
                return no("12.7.4", "pay.out_of_range");
            }
            Ok(())
        }
        Payer::OffMap if reaction => rules.no("12.7.2", "pay.off_map_reaction").into(),
        Payer::OffMap if cx.s.sides[Side::Nato.index()].off_map_cp == 0 => {
            rules.no("12.2.3", "pay.no_off_map").into()
        }
        Payer::OffMap => Ok(()), // 12.7.6
        Payer::None | Payer::MainEffort => rules.no("12.7", "pay.nobody").into(),
    }
}

/// 12.7.1; 40.3.2 for a Lead Unit that is still off the map: the range reaches beyond an edge hex by which it may enter.
fn check_payer_for(cx: &Cx, payer: Payer, lead: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let formation = rules.counter(lead).formation;
    let (Payer::Hq(hq), Place::Column) = (payer, cx.s.unit(lead).place) else {
        return check_payer(cx, payer, formation, cx.s.unit(lead).hex, false);
    };
    let zone = rules.entry_zone(cx.s, lead);
    let range = u32::from(rules.counter(hq).command_range);
    let mut refusal = None;
    for hex in &zone {
        match check_payer(cx, payer, formation, hex, false) {
            Ok(()) if rules.reach_of(cx.s, hq, hex).is_some_and(|far| far < range) => return Ok(()),
            Ok(()) => {}
            Err(no) => refusal = Some(no),
        }
    }
    match refusal {
        Some(no) => Err(no),
        None => rules.no("40.3.2", "pay.out_of_range").unit("unit", hq).into(),
    }
}

/// Everybody of NATO who has Command Points.
fn purses(rules: &Wurzburg) -> impl Iterator<Item = Payer> + '_ {
    let hqs = rules.hqs.iter().copied().filter(|hq| rules.counter(*hq).side == Side::Nato);
    hqs.map(Payer::Hq).chain([Payer::OffMap])
}

/// Who could pay for the task force of a Lead Unit; the first does where nobody is named.
pub fn payers_for<'a>(cx: &'a Cx<'a>, lead: UnitId) -> impl Iterator<Item = Payer> + 'a {
    purses(cx.rules).filter(move |payer| check_payer_for(cx, *payer, lead).is_ok())
}

/// Who could pay.
pub fn payers(cx: &Cx, formation: FormationId, hex: HexId, reaction: bool) -> SmallVec<[Payer; 4]> {
    purses(cx.rules).filter(|payer| check_payer(cx, *payer, formation, hex, reaction).is_ok()).collect()
}

/// The group that a force becomes.
pub fn group_of(cx: &Cx, kind: OpKind, force: &Force, airmobile: bool) -> Result<Group, Refusal> {
    let rules = cx.rules;
    match force.who {
        Who::Formation(formation) => {
            let f = cx.s.formation(formation);
            let no = |rule, key| rules.no(rule, key).formation("formation", formation).into();
            let node = rules.formation(formation);
            if node.side != Side::Wp || cx.side != Side::Wp || node.base {
                return no("13.6.1", "commit.no_regiment");
            }
            if kind != OpKind::Reserve
                && !cx.s.active.some().is_some_and(|active| rules.below(cx.s, formation, active))
            {
                return no("13.6.1", "commit.not_active");
            }
            if f.plan.executed {
                return no("13.0", "commit.executed");
            }
            if f.plan.kind != kind {
                return no("13.6.1", "commit.not_planned");
            }
            if f.shattered && kind != OpKind::March {
                return no("31.2", "commit.shattered_formation");
            }
            let mut members = members_for(rules, cx.s, formation, kind, airmobile);
            if members.is_empty() {
                return no("13.0", "commit.nobody");
            }
            let lead = rules.lead_of(cx.s, formation);
            let engineers = engineers_for(rules, cx.s, formation, lead, kind);
            for part in &force.with {
                if !engineers.contains(&part.unit) {
                    let symbol = rules.counter(part.unit).symbol;
                    if symbol.artillery() || symbol == Symbol::Hq {
                        return rules.no("13.0", "commit.march_only").unit("unit", part.unit).into();
                    }
                    return rules.no("12.9.1", "commit.engineer").unit("unit", part.unit).into();
                }
                members.insert(part.unit);
            }
            if force.payer != Payer::None {
                return rules.no("12.3", "commit.already_paid").formation("formation", formation).into();
            }
            Ok(Group { formation, lead, members })
        }
        Who::Lead(lead) => {
            if cx.side != Side::Nato {
                return rules.no("12.6", "commit.nato_only").into();
            }
            check_lead(cx, kind, lead.unit, airmobile)?;
            let mut members = set_of([lead.unit]);
            for part in &force.with {
                check_member(cx, kind, lead.unit, part.unit)?;
                members.insert(part.unit);
            }
            let formation = rules.counter(lead.unit).formation;
            let steps: u32 = force
                .parts()
                .iter()
                .filter(|part| rules.counter(part.unit).symbol.maneuver())
                .map(|part| u32::from(part.steps.unwrap_or(cx.s.unit(part.unit).steps)))
                .sum();
            let limit = u32::from(rules.step_limit(Side::Nato));
            // 41.1.1, 12.6.2: all of 2/11 ACR.
            if steps > limit && !rules.formation(formation).cavalry() {
                return rules.no("12.6.2", "commit.too_many").number("limit", limit).into();
            }
            check_payer_for(cx, force.payer, lead.unit)?;
            Ok(Group { formation, lead: cx.s.unit(lead.unit).hex, members })
        }
    }
}

/// 12.6.2, 11.5: can the steps that are named part from their units, all of them together?
fn check_parts(cx: &Cx, parts: &Parts) -> Result<(), Refusal> {
    let rules = cx.rules;
    for (n, part) in parts.iter().enumerate() {
        let mut others = parts[..n].iter().filter(|other| other.unit == part.unit);
        if others.any(|other| other.steps.is_none() || part.steps.is_none()) {
            return rules.no("13.0", "commit.twice").into();
        }
    }
    if parts.iter().all(|part| part.steps.is_none()) {
        return Ok(());
    }
    let mut later = cx.s.draft();
    for part in parts {
        crate::movement::check_part(rules, &later, *part)?;
        crate::movement::check_spares(rules, &later, &[*part].into_iter().collect())?;
        crate::movement::split(rules, &mut later, *part);
    }
    Ok(())
}

/// May this operation be committed?
pub fn check_commit(cx: &Cx, commit: &Commit) -> Result<SmallVec<[Group; 2]>, Refusal> {
    let rules = cx.rules;
    let reserve = matches!(cx.frame, Frame::Reserve(_));
    if (commit.kind == OpKind::Reserve) != reserve || commit.kind == OpKind::March {
        let rule = if reserve { "13.6.3" } else { "13.0" };
        return rules
            .no(rule, "commit.wrong_phase")
            .term("kind", format!("operation.{}", commit.kind.key()))
            .into();
    }
    if commit.forces.is_empty() {
        return Err(rules.not_now());
    }
    // 13.4.1, 13.4.2
    if commit.forces.len() > 1 && commit.kind != OpKind::Assault {
        return rules.no("13.0", "commit.several").into();
    }
    let mut groups: SmallVec<[Group; 2]> = SmallVec::new();
    let mut seen = UnitSet::EMPTY;
    let mut parts = Parts::new();
    let mut bills: SmallVec<[Payer; 4]> = SmallVec::new();
    for force in &commit.forces {
        let group = group_of(cx, commit.kind, force, commit.airmobile)?;
        // Steps of one unit may go to several task forces; that is checked below.
        let whole = matches!(force.who, Who::Formation(_));
        if whole && !seen.is_disjoint(&group.members) {
            return rules.no("13.0", "commit.twice").into();
        }
        seen |= &group.members;
        parts.extend(force.parts());
        bills.push(force.payer);
        groups.push(group);
    }
    check_parts(cx, &parts)?;
    check_bills(cx, &bills)?;
    check_aim(cx, commit, &groups)?;
    Ok(groups)
}

/// 13.5, 13.5.2: may these groups aim at what the commitment names, in the way that it names?
pub fn check_aim(cx: &Cx, commit: &Commit, groups: &[Group]) -> Result<(), Refusal> {
    let rules = cx.rules;
    let seen = groups.iter().fold(UnitSet::EMPTY, |all, group| &all | &group.members);
    if let Some(hex) = commit.objective.some() {
        if !commit.kind.offensive() {
            return rules.no("13.7", "objective.none_allowed").into();
        }
        if let Some(bridge) = commit.bridge {
            crate::crossing::check_objective(cx, bridge, hex)?;
            if commit.variant != Variant::Plain {
                return rules.no("38.3.2", "raze.variant").into();
            }
        } else {
            crate::air::check_objective(cx, &seen, hex)?;
        }
    }
    crate::air::check_airmobile(cx, commit.kind, &seen, commit.objective, commit.airmobile)?;
    check_variant(cx, commit, groups)
}

/// 12.7.1: each task force costs a point; nobody pays more than he has.
fn check_bills(cx: &Cx, bills: &[Payer]) -> Result<(), Refusal> {
    for payer in bills {
        let wanted = bills.iter().filter(|other| *other == payer).count();
        let has = match payer {
            Payer::Hq(hq) => cx.s.hqs.get(usize::from(cx.rules.counter(*hq).hq)).map_or(0, |hq| hq.cp),
            Payer::OffMap => cx.s.sides[cx.side.index()].off_map_cp,
            Payer::None | Payer::MainEffort => u8::MAX,
        };
        if wanted > usize::from(has) {
            return cx.rules.no("12.7.1", "pay.too_much").into();
        }
    }
    Ok(())
}

fn check_variant(cx: &Cx, commit: &Commit, groups: &[Group]) -> Result<(), Refusal> {
    let rules = cx.rules;
    let members = groups.iter().fold(UnitSet::EMPTY, |all, group| &all | &group.members);
    match commit.variant {
        Variant::Plain => Ok(()),
        _ if commit.kind != OpKind::HastyAttack => rules.no("13.1", "variant.not_hasty").into(),
        Variant::Gegenangriff => {
            let german = members.iter().all(|unit| rules.counter(unit).nation == Nation::Wg);
            if cx.side != Side::Nato || !german {
                return rules.no("41.4", "variant.not_german").into();
            }
            if commit.objective == HexId::NONE {
                return rules.no("41.4", "variant.no_objective").into(); // nothing would come of it
            }
            if cx.s.sides[cx.side.index()].gegenangriff_used {
                return rules.no("41.4", "variant.once").into();
            }
            Ok(())
        }
        Variant::Overrun => {
            if !rules.scenario.optional.contains(&Optional::Overrun) && !rules.options.overrun {
                return rules.no("42.0", "variant.not_in_play").into();
            }
            let Some(hex) = commit.objective.some() else {
                return rules.no("42.0", "variant.no_objective").into();
            };
            check_ground(cx, commit.variant, hex)?;
            let foot = members.iter().find(|unit| {
                let symbol = rules.counter(*unit).symbol;
                !matches!(
                    symbol,
                    Symbol::Armor
                        | Symbol::ArmoredCavalry
                        | Symbol::ArmoredAntiArmor
                        | Symbol::MechanizedInfantry
                )
            });
            if let Some(unit) = foot {
                return rules.no("42.0", "variant.not_mechanized").unit("unit", unit).into();
            }
            if !commit.airmobile && !crate::storm::can_reach(cx, &members, hex) {
                return rules.no("42.0", "variant.out_of_reach").hex("hex", hex).into(); // step 2
            }
            Ok(())
        }
        Variant::Close => {
            if !rules.scenario.optional.contains(&Optional::CloseAttack) && !rules.options.close_attack {
                return rules.no("43.0", "variant.not_in_play").into();
            }
            let Some(hex) = commit.objective.some() else {
                return rules.no("43.0", "variant.no_objective").into();
            };
            check_ground(cx, commit.variant, hex)
        }
    }
}

/// 42.1, 43.1: may this hex be overrun or close attacked, as far as its ground goes?
pub fn check_ground(cx: &Cx, variant: Variant, hex: HexId) -> Result<(), Refusal> {
    let terrain = cx.rules.field.terrain(hex);
    let (fits, unfit, rule) = match variant {
        Variant::Overrun => (terrain == Terrain::Clear, ("42.1", "variant.not_clear"), "42.1"),
        Variant::Close => (terrain.close(), ("43.0", "variant.not_close"), "43.1"),
        Variant::Plain | Variant::Gegenangriff => return Ok(()),
    };
    if !fits {
        return cx.rules.no(unfit.0, unfit.1).hex("hex", hex).into();
    }
    if cx.s.mark(hex).is_some_and(|mark| mark.obstacle || mark.mine != crate::state::Mine::None) {
        return cx.rules.no(rule, "variant.marker").hex("hex", hex).into();
    }
    Ok(())
}

/// 13.2, 13.2.2, 12.7.3, 30.2, 22.6: a March of a regiment, a division base, or NATO units.
pub fn check_march(
    cx: &Cx,
    formation: FormationId,
    base: bool,
    units: &Parts,
    rally: HexId,
    airmobile: bool,
) -> Result<Group, Refusal> {
    let rules = cx.rules;
    if cx.frame != Frame::Operations {
        return rules.no("13.0", "commit.wrong_phase").term("kind", "operation.march").into();
    }
    if let Some(formation) = formation.some().filter(|_| !base) {
        let force = Force { who: Who::Formation(formation), with: units.clone(), payer: Payer::None };
        let group = group_of(cx, OpKind::March, &force, airmobile)?;
        check_parts(cx, units)?;
        crate::air::check_airmobile(cx, OpKind::March, &group.members, HexId::NONE, airmobile)?;
        return Ok(group);
    }
    let active = cx.s.active;
    if cx.side == Side::Wp {
        // 12.5.1, 13.2.1
        if formation != active || !base {
            return rules.no("12.5.1", "march.not_base").into();
        }
        if cx.s.formation(active).base_marched {
            return rules.no("12.5.1", "march.base_done").formation("formation", active).into();
        }
    }
    let Some(first) = units.first() else { return rules.no("13.2", "commit.nobody").into() };
    let first = first.unit;
    let start = cx.s.unit(first).hex;
    let mut members = UnitSet::EMPTY;
    for unit in units.iter().map(|part| part.unit) {
        rules.own(cx.side, unit)?;
        let u = cx.s.unit(unit);
        let counter = rules.counter(unit);
        let no = |rule, key| rules.no(rule, key).unit("unit", unit).into();
        let enters = rules.enters(cx.s, unit) || airmobile && rules.waits(cx.s, unit);
        if !u.on_map() && !enters || !counter.symbol.ground() {
            return no("13.2", "march.off_map");
        }
        if u.is(Flags::USED) {
            return no("13.0", "commit.used");
        }
        if !rules.activates_with(cx.s, unit, active) {
            return no("10.1", "march.not_active");
        }
        if cx.side == Side::Wp && !rules.formation(counter.formation).base {
            return no("12.5.1", "march.not_base_unit");
        }
        // 13.2: a NATO March is one force, unless forces converge.
        if cx.side == Side::Nato && u.hex != start && rally == HexId::NONE {
            return no("13.2", "march.apart");
        }
        members.insert(unit);
    }
    check_parts(cx, units)?; // 11.5: before it moves
    crate::air::check_airmobile(cx, OpKind::March, &members, HexId::NONE, airmobile)?;
    let formation = if cx.side == Side::Wp { active } else { rules.counter(first).formation };
    Ok(Group { formation, lead: HexId::NONE, members })
}
