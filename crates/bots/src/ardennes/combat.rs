//! The Combat Phase: which attack next, with which units and artillery (14, 19.4, 22.7).

use ::ardennes::{
    action::{Action, Attack, Supporters},
    combat::{
        declare,
        formations::{self, Command},
        support::{self, Need},
    },
    flags::Flags,
    frame::Frame,
    pack::{Side, Tag, UnitId},
    play::Cx,
};
use hexgrid::HexId;

use super::{
    field,
    odds::{Defence, Prospect, Stakes, weigh},
    picture::{self, Picture},
    plan::Plan,
    staff::{Script, Staff},
    value, why,
};
use crate::Thought;

/// What else the units of an attack could do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Other<'a> {
    /// Artillery that is reserved.
    pub guns: &'a [UnitId],
    /// What an attack factor is worth elsewhere.
    pub spared: f32,
}

/// Targets for which the effects of their capture are evaluated in full.
const CLOSER_LOOKS: usize = 5;

/// Decides at a frame that asks for an attack.
pub fn attack(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let picture = Picture::new(staff, cx.s, plan);
    let mut best: Option<(Attack, Prospect)> = None;
    let mut targets = Vec::new();
    declare::targets(cx, |hex| {
        targets.push(hex);
        false
    });
    // All targets are evaluated quickly, then the best again including the value of the ground.
    let glance = Plan { quick: true, ..*plan };
    let mut promising: Vec<(f32, HexId)> = Vec::new();
    for target in targets {
        let stakes = stakes(&picture, staff, cx, &glance, target);
        if let Some((attack, prospect)) = compose(staff, cx, target, stakes, Other::default()) {
            promising.push((prospect.value, target));
            if plan.quick && best.as_ref().is_none_or(|(_, other)| prospect.value > other.value) {
                best = Some((attack, prospect));
            }
        }
    }
    promising.sort_by(|a, b| b.0.total_cmp(&a.0));
    promising.truncate(if plan.quick { 0 } else { CLOSER_LOOKS });
    for (_, target) in promising {
        let stakes = stakes(&picture, staff, cx, plan, target);
        if let Some((attack, prospect)) = compose(staff, cx, target, stakes, Other::default())
            && best.as_ref().is_none_or(|(_, other)| prospect.value > other.value)
        {
            best = Some((attack, prospect));
        }
    }
    let decline = if cx.frame == Frame::Attacks { Action::Done } else { Action::Stay };
    let Some((attack, prospect)) = best.filter(|(_, prospect)| prospect.value > staff.weights.worth_it)
    else {
        out.push(Thought::plain(decline));
        return;
    };
    let aim = leads_to(&picture, staff, cx.s, cx.side, attack.target);
    let why = why::attack(cx.rules, attack.target, prospect.rung, prospect.shift, prospect.falls, aim);
    out.push(Thought { action: Action::Attack(attack), why: Some(why) });
    // The position can change before the attack is declared: if it is no longer legal, decline.
    out.push(Thought::plain(decline));
}

pub fn stakes(picture: &Picture, staff: &Staff, cx: &Cx, plan: &Plan, target: HexId) -> Stakes {
    let mut strongest: Option<(u8, UnitId)> = None;
    declare::able(cx, target, |unit| {
        let attack = cx.rules.factors(cx.s, unit).attack;
        if strongest.is_none_or(|(most, _)| attack > most) {
            strongest = Some((attack, unit));
        }
    });
    let ours = strongest.map(|(_, unit)| unit);
    Stakes::new(
        &staff.weights,
        picture.gain(staff, cx.s, cx.side, plan, target, ours),
        plan.caution,
        value::life(staff, cx.s),
    )
}

/// The total value of the attacks that could be made now, each unit used in one of them.
pub fn promise(staff: &Staff, cx: &Cx, plan: &Plan) -> f32 {
    let picture = Picture::new(staff, cx.s, plan);
    let mut targets = Vec::new();
    declare::targets(cx, |hex| {
        targets.push(hex);
        false
    });
    let mut found: Vec<(Attack, Prospect)> = Vec::new();
    for target in targets {
        let stakes = stakes(&picture, staff, cx, plan, target);
        found.extend(compose(staff, cx, target, stakes, Other { guns: &[], spared: staff.weights.spared }));
    }
    found.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let mut busy: Vec<UnitId> = Vec::new();
    let mut sum = 0.0;
    for (attack, prospect) in found {
        let free = attack.units.iter().chain(&attack.artillery).filter(|u| !busy.contains(u)).count();
        let share = free as f32 / (attack.units.len() + attack.artillery.len()) as f32;
        if prospect.value > staff.weights.worth_it && share > 0.5 {
            sum += prospect.value * share * share;
            busy.extend(attack.units.iter().chain(&attack.artillery));
        }
    }
    sum
}

/// A rough estimate of what the enemy's next attacks could cost.
pub fn peril(staff: &Staff, cx: &Cx) -> f32 {
    let (rules, s) = (cx.rules, cx.s);
    let menace = picture::menace(rules, s, cx.side.enemy());
    let mut sum = 0.0;
    for hex in s.held(cx.side) {
        let attack = menace[hex.index()].min(20.0);
        let defense = f32::from(field::defense(rules, s, cx.side, hex)).max(1.0);
        let loss = ((attack / defense - 1.2) / 6.0).clamp(0.0, 0.6);
        let worth: f32 = s.stack(hex).map(|unit| value::worth(rules, s, unit)).sum();
        sum += staff.weights.risk * loss * staff.weights.factor * worth;
    }
    value::life(staff, s) * sum
}

/// The Victory Hex to which most paths through this hex lead.
pub fn leads_to(
    picture: &Picture,
    staff: &Staff,
    s: &::ardennes::state::State,
    side: Side,
    hex: HexId,
) -> Option<HexId> {
    let mut best: Option<(f32, HexId)> = None;
    for (aim, open) in staff.lore.aims.iter().zip(&picture.open) {
        if aim.hex == hex || s.control(aim.hex) == Side::German && side == Side::German {
            continue;
        }
        let pull = aim.near[hex.index()] * open;
        if pull > 0.05 && best.is_none_or(|(most, _)| pull > most) {
            best = Some((pull, aim.hex));
        }
    }
    best.map(|(_, aim)| aim)
}

/// The best attack on a hex by the units adjacent to it.
pub fn compose(
    staff: &Staff,
    cx: &Cx,
    target: HexId,
    stakes: Stakes,
    other: Other,
) -> Option<(Attack, Prospect)> {
    let (rules, s) = (cx.rules, cx.s);
    let mut units: Vec<UnitId> = Vec::new();
    declare::able(cx, target, |unit| units.push(unit));
    units.retain(|unit| rules.factors(s, *unit).attack > 0 || rules.counter(*unit).tank);
    if units.is_empty() {
        return None;
    }
    units.sort_by_key(|u| std::cmp::Reverse(rules.factors(s, *u).attack));
    let defence = Defence::new(rules, s, cx.side.enemy(), target);
    let mut best: Option<(Attack, Prospect)> = None;
    for group in groups(cx, &units) {
        let mut attack = declare::blank(target);
        attack.units = group.into_iter().collect();
        if !declare::legal(cx, &attack) {
            continue;
        }
        attack.surprise = attack
            .units
            .iter()
            .any(|u| rules.counter(*u).has(Tag::Brigade150) && !s.unit(*u).is(Flags::EXPOSED));
        let found = arm(staff, cx, &defence, attack, stakes, other.guns);
        if best.as_ref().is_none_or(|(_, most)| found.1.value > most.value) {
            best = Some(found);
        }
    }
    let (attack, prospect) = best?;
    Some(trim(cx, &defence, attack, prospect, stakes, other.spared))
}

/// Sets of units that may attack together: two formations each, with attached units (14.3).
fn groups(cx: &Cx, units: &[UnitId]) -> Vec<Vec<UnitId>> {
    let (rules, s) = (cx.rules, cx.s);
    let british = |u: UnitId| rules.counter(u).british;
    let mut groups: Vec<Vec<UnitId>> = Vec::new();
    let mut commands: Vec<Command> = Vec::new();
    for unit in units {
        let command = formations::command(rules, s, *unit);
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    for (i, first) in commands.iter().enumerate() {
        let seconds = if commands.len() == 1 { &commands[i..] } else { &commands[i + 1..] };
        for second in seconds {
            let of = |u: &UnitId| [*first, *second].contains(&formations::command(rules, s, *u));
            let mut group: Vec<UnitId> = units.iter().copied().filter(of).collect();
            let nation = british(group[0]);
            group.retain(|u| british(*u) == nation); // 27.3
            for unit in units {
                if group.contains(unit) || british(*unit) != nation {
                    continue;
                }
                group.push(*unit);
                if group.len() > ::ardennes::action::MAX_ATTACKERS
                    || !formations::within_limit(rules, s, &group)
                {
                    group.pop();
                }
            }
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    groups
}

/// Adds artillery and air support where they pay.
fn arm(
    staff: &Staff,
    cx: &Cx,
    defence: &Defence,
    attack: Attack,
    stakes: Stakes,
    spoken_for: &[UnitId],
) -> (Attack, Prospect) {
    let (rules, s) = (cx.rules, cx.s);
    let mut best = (attack, weigh(rules, s, defence, &attack, stakes));
    if cx.frame == Frame::Counterattack {
        return best;
    }
    let mut bare = attack;
    bare.air = true;
    let flies = if cx.frame == Frame::AttackSupport {
        let air = Action::Support { units: Supporters::new(), air: true };
        rulebook::flow::check(cx, &air).is_ok()
    } else {
        declare::legal(cx, &bare)
    };
    if flies {
        let with_air = weigh(rules, s, defence, &bare, stakes);
        if with_air.value > best.1.value + 0.2 {
            best = (bare, with_air);
        }
    }
    let need = Need {
        side: cx.side,
        target: attack.target,
        attack: true,
        fighting: &attack.units,
        from_blocking: attack.units.iter().any(|u| s.unit(*u).hex().is_none()),
    };
    let mut guns: Vec<UnitId> = rules
        .units_of(cx.side)
        .filter(|u| rules.counter(*u).artillery && !spoken_for.contains(u))
        .filter(|gun| support::silent(rules, s, *gun, &need).is_none())
        .collect();
    // Prefer the artillery with the fewest other targets: the shortest range.
    guns.sort_by_key(|gun| rules.counter(*gun).range);
    let most = usize::from(rules.tables().shifts.artillery_attacker_max_units);
    let mut armed = best.0;
    for number in 1..=most.min(guns.len()) {
        armed.artillery = guns[..number].iter().copied().collect::<Supporters>();
        let prospect = weigh(rules, s, defence, &armed, stakes);
        let shot = match cx.side {
            Side::German => staff.weights.shot_german,
            Side::Allied => staff.weights.shot_allied,
        };
        let cost = shot * (number - best.0.artillery.len()) as f32;
        if prospect.value > best.1.value + cost {
            best = (armed, prospect);
        }
    }
    best
}

/// 14.4, step 3: artillery and air for the declared attack, after its bridges are settled.
pub fn attack_support(staff: &Staff, cx: &Cx, stakes: Stakes) -> Action {
    let attack = cx.s.combat.attack();
    let defence = Defence::new(cx.rules, cx.s, cx.side.enemy(), attack.target);
    let (armed, _) = arm(staff, cx, &defence, attack, stakes, &[]);
    if armed.artillery.is_empty() && !armed.air {
        return Action::NoSupport;
    }
    Action::Support { units: armed.artillery, air: armed.air }
}

/// Removes units that make no difference.
fn trim(
    cx: &Cx,
    defence: &Defence,
    mut attack: Attack,
    mut prospect: Prospect,
    stakes: Stakes,
    spared: f32,
) -> (Attack, Prospect) {
    let mut units: Vec<UnitId> = attack.units.iter().copied().collect();
    units.sort_by_key(|u| cx.rules.factors(cx.s, *u).attack);
    for unit in units {
        if attack.units.len() < 2 {
            break;
        }
        let mut fewer = attack;
        fewer.units.retain(|u| u != unit);
        if !declare::legal(cx, &fewer) {
            continue;
        }
        let found = weigh(cx.rules, cx.s, defence, &fewer, stakes);
        let factors = f32::from(cx.rules.factors(cx.s, unit).attack);
        if found.value >= prospect.value - spared * factors {
            (attack, prospect) = (fewer, found);
        }
    }
    (attack, prospect)
}
