//! Declaring attacks: the best one on each hex, with which units, artillery and aircraft (9, 10, 17).

use ::holland::{
    Action, Holland, State,
    frame::{Combat, Frame},
    pack::Side,
};
use hexgrid::HexId;
use zocbond::{List, Piece, UnitId};

use super::{
    odds::{self, Defence, Prospect, Stakes, combat, weigh},
    plan::{Pick, Plan},
    posts::Picture,
    staff::{Script, Staff},
    value::half_point,
    why,
};
use crate::Thought;

/// Targets that are evaluated again including the value of the ground.
const CLOSER_LOOKS: usize = 6;
/// No attack worth less than this is tried out.
const HOPELESS: f32 = -4.0;

/// The best attack on a hex by the units that may attack it now, in the rules' own form, and its prospects with the
/// artillery and aircraft that could support it.
pub fn compose(
    staff: &Staff,
    s: &State,
    side: Side,
    target: HexId,
    stakes: Stakes,
    (spoken_for, spared): (&[UnitId], f32),
) -> Option<(Combat, Prospect)> {
    let rules = &*staff.rules;
    let mut units = rules.attackers(s, side, target);
    units.retain(|unit| rules.face(s, unit).attack > 0);
    units.sort_by_key(|unit| (std::cmp::Reverse(rules.face(s, *unit).attack), unit.0));
    let defence = Defence::new(staff, s, side.enemy(), target);
    if units.is_empty() || defence.is_empty() {
        return None;
    }
    let mut formations: Vec<u8> = Vec::new();
    for unit in &units {
        let formation = rules.formation(s, *unit);
        if !formations.contains(&formation) {
            formations.push(formation);
        }
    }
    let mut best: Option<(Combat, Prospect)> = None;
    for formation in formations.into_iter().take(4) {
        let of = |unit: &UnitId| rules.formation(s, *unit) == formation;
        let mine: Vec<UnitId> = units.iter().copied().filter(of).collect();
        let Some(lead) = rules.best_lead(s, &mine) else { continue };
        // 10.2: one unit of another formation fights in full, the rest at half.
        let others: Vec<UnitId> = units.iter().copied().filter(|unit| !of(unit)).collect();
        let mut attack = combat(side, target, &mine, lead);
        attack.attached = others.first().copied();
        attack.attackers.extend(others);
        let shifts = support(staff, s, &attack, spoken_for);
        let Some(mut prospect) = weigh(staff, s, &defence, &attack, shifts, stakes) else { continue };
        trim(staff, s, &defence, &mut attack, &mut prospect, (shifts, stakes, spared));
        if best.as_ref().is_none_or(|(_, most)| prospect.value > most.value) {
            best = Some((attack, prospect));
        }
    }
    best
}

/// Shifts that artillery and aircraft would give now.
fn support(staff: &Staff, s: &State, attack: &Combat, spoken_for: &[UnitId]) -> i8 {
    let rules = &*staff.rules;
    let guns = rules.guns(s, attack.side, attack.target, &attack.attackers);
    let free = guns.iter().filter(|gun| !spoken_for.contains(gun)).count();
    free.min(usize::from(rules.pack.tables.artillery.attack_guns)) as i8
}

/// Removes units that make no difference.
fn trim(
    staff: &Staff,
    s: &State,
    defence: &Defence,
    attack: &mut Combat,
    prospect: &mut Prospect,
    (shifts, stakes, spared): (i8, Stakes, f32),
) {
    let rules = &*staff.rules;
    let mut units = attack.attackers;
    units.sort_by_key(|unit| rules.face(s, *unit).attack);
    for unit in units {
        if attack.attackers.len() < 2 {
            break;
        }
        let mut fewer = *attack;
        fewer.attackers.retain(|other| other != unit);
        if fewer.attached == Some(unit) {
            let formation = rules.formation(s, fewer.lead);
            let other = |u: &&UnitId| rules.formation(s, **u) != formation;
            fewer.attached = fewer.attackers.iter().filter(other).copied().next();
        }
        if fewer.lead == unit {
            let formation = rules.formation(s, unit);
            let mates: Vec<UnitId> =
                fewer.attackers.iter().copied().filter(|u| rules.formation(s, *u) == formation).collect();
            let Some(lead) = rules.best_lead(s, &mates) else { continue };
            fewer.lead = lead;
        }
        let Some(found) = weigh(staff, s, defence, &fewer, shifts, stakes) else { continue };
        let factors = f32::from(rules.face(s, unit).attack);
        if found.value >= prospect.value - spared * factors {
            (*attack, *prospect) = (fewer, found);
        }
    }
}

pub fn action(attack: &Combat) -> Action {
    Action::Attack {
        target: attack.target,
        with: attack.attackers,
        lead: Some(attack.lead),
        attached: attack.attached,
    }
}

/// The frame asks for an attack.
pub fn attack(staff: &Staff, s: &State, side: Side, plan: &Plan, out: &mut Script) {
    let rules = &*staff.rules;
    let picture = Picture::new(staff, s);
    let mut promising: Vec<(f32, HexId)> = Vec::new();
    let mut found: Vec<(Combat, Prospect)> = Vec::new();
    let glance = Plan { quick: true, ..*plan };
    for target in rules.targets(s, side) {
        if s.unknown.contains(target) && !s.field.held(side.enemy()).contains(target) {
            continue;
        }
        let stakes = stakes(staff, &picture, s, side, &glance, target, None);
        let Some((attack, prospect)) = compose(staff, s, side, target, stakes, (&[], 0.0)) else { continue };
        // 22.3.5: a unit that landed on the enemy must attack it.
        if rules.stack(s, side, target).next().is_some() {
            out.push(declare(rules, &attack, &prospect));
            return;
        }
        promising.push((prospect.value, target));
        if plan.quick {
            found.push((attack, prospect));
        }
    }
    promising.sort_by(|a, b| b.0.total_cmp(&a.0));
    promising.truncate(if plan.quick { 0 } else { CLOSER_LOOKS });
    for (_, target) in promising {
        let ours = rules
            .attackers(s, side, target)
            .into_iter()
            .max_by_key(|unit| (rules.face(s, *unit).attack, std::cmp::Reverse(unit.0)));
        let stakes = stakes(staff, &picture, s, side, plan, target, ours);
        found.extend(compose(staff, s, side, target, stakes, (&[], 0.0)));
    }
    found.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let worth = staff.weights.worth_it + staff.weights.patience(&staff.lore, side) + plan.patience;
    let chosen = match plan.pick {
        Pick::Usual => found.first().filter(|(_, prospect)| prospect.value > worth),
        Pick::Nth(n) => found.get(usize::from(n)).filter(|(_, prospect)| prospect.value > HOPELESS),
        Pick::None => None,
    };
    out.push(match chosen {
        Some((attack, prospect)) => declare(rules, attack, prospect),
        None => Thought::plain(Action::Done),
    });
}

fn declare(rules: &Holland, attack: &Combat, prospect: &Prospect) -> Thought<Action> {
    let why = why::attack(rules, attack.target, prospect.column, prospect.falls);
    Thought { action: action(attack), why: Some(why) }
}

pub fn stakes(
    staff: &Staff,
    picture: &Picture,
    s: &State,
    side: Side,
    plan: &Plan,
    target: HexId,
    ours: Option<UnitId>,
) -> Stakes {
    Stakes {
        gain: picture.gain(staff, s, side, plan, target, ours),
        caution: plan.caution * staff.weights.dear(side),
        life: super::value::life(staff, s),
    }
}

/// The combat being fought.
pub fn current(s: &State) -> Option<&Combat> {
    s.frames.iter().rev().find_map(|frame| if let Frame::Combat(c) = frame { Some(c) } else { None })
}

/// The value of the hex of the current combat to its attacker.
pub fn stakes_now(staff: &Staff, s: &State, plan: &Plan, c: &Combat) -> Stakes {
    let picture = Picture::new(staff, s);
    let ours = c.attackers.iter().copied().find(|unit| s.unit(*unit).hex().is_some());
    stakes(staff, &picture, s, c.side, plan, c.target, ours)
}

/// 9.4: guns and aircraft for the attack that has been declared.
pub fn give_support(staff: &Staff, s: &State, plan: &Plan, out: &mut Script) {
    let rules = &*staff.rules;
    let Some(c) = current(s) else { return };
    let stakes = stakes_now(staff, s, plan, c);
    let defence = Defence::new(staff, s, c.side.enemy(), c.target);
    let mut guns = rules.guns(s, c.side, c.target, &c.attackers);
    // Prefer the artillery with the fewest other targets: the shortest range.
    guns.sort_by_key(|gun| rules.counter(*gun).range);
    let most = guns.len().min(rules.pack.tables.artillery.attack_guns.into());
    let air = u8::from(c.side == Side::Allied && s.air > 0);
    let bare = Combat { guns: List::new(), air: false, ..*c };
    let mut best: Option<(f32, usize, bool)> = None;
    for number in 0..=most {
        for air in 0..=air {
            let shifts = number as i8 + air as i8;
            let Some(found) = weigh(staff, s, &defence, &bare, shifts, stakes) else { continue };
            let value = found.value - staff.weights.shot * f32::from(shifts);
            if best.is_none_or(|(most, ..)| value > most) {
                best = Some((value, number, air > 0));
            }
        }
    }
    let (_, number, air) = best.unwrap_or((0.0, 0, false));
    out.push(Thought::plain(Action::Support { guns: List::of(&guns[..number]), air }));
}

/// 12.1: stand fast or give way.
pub fn stand(staff: &Staff, s: &State, plan: &Plan, out: &mut Script) {
    let rules = &*staff.rules;
    let Some(c) = current(s) else { return };
    let side = c.side.enemy();
    let stakes = stakes_now(staff, s, plan, c);
    let units = rules.defenders(s, side, c.target);
    let gun = rules
        .guns(s, side, c.target, &units)
        .into_iter()
        .min_by_key(|gun| (rules.counter(*gun).range, gun.0));
    let point = half_point(staff, s);
    let lead = rules.may_stand(s, c).into_iter().max_by_key(|unit| {
        let cheap = (100.0 - odds::step_cost(staff, s, *unit, point)) as i32;
        (rules.counter(*unit).morale, cheap)
    });
    let mut answers = lead.into_iter().flat_map(|lead| [None, gun].map(|gun| Action::Stand { lead, gun }));
    let stand = match plan.pick {
        Pick::Usual => answers.find(|answer| {
            odds::stands(staff, s, c, stakes, matches!(answer, Action::Stand { gun: Some(_), .. }))
        }),
        Pick::Nth(n) => answers.nth(n.into()),
        Pick::None => None,
    };
    out.extend(stand.map(|action| Thought { action, why: Some(why::place(rules, "why.stand", c.target)) }));
    out.push(Thought::plain(Action::GiveWay));
}
