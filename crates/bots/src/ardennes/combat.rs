//! The Combat Phase: which attack next, with whom, with which guns (14, 19.4, 22.7).

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
    lore::Lore,
    odds::{Defence, Prospect, Stakes, weigh},
    picture::Picture,
    plan::Plan,
    staff::{Script, Staff},
    why,
};
use crate::Thought;

/// An attack is made from this value on.
const WORTH_IT: f32 = 0.35;
/// What a shot is worth kept: German shells are few (5.2), Allied guns are wanted on the defense.
const SHOT: [f32; 2] = [0.45, 0.5];
/// A unit that an attack can do without stays out of it.
const SPARED: f32 = 0.04;

/// Decide at a frame that asks for an attack.
pub fn attack(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let picture = Picture::new(cx.rules, &staff.lore, cx.s, plan);
    let mut best: Option<(Attack, Prospect)> = None;
    let mut targets = Vec::new();
    declare::targets(cx, |hex| {
        targets.push(hex);
        false
    });
    for target in targets {
        let stakes = stakes(&picture, &staff.lore, cx, plan, target);
        if let Some((attack, prospect)) = compose(cx, target, stakes, &[])
            && best.as_ref().is_none_or(|(_, other)| prospect.value > other.value)
        {
            best = Some((attack, prospect));
        }
    }
    let decline = if cx.frame == Frame::Attacks { Action::Done } else { Action::Stay };
    let Some((attack, prospect)) = best.filter(|(_, prospect)| prospect.value > WORTH_IT) else {
        out.push(Thought::plain(decline));
        return;
    };
    let aim = leads_to(&picture, staff, cx.s, cx.side, attack.target);
    let why = why::attack(cx.rules, attack.target, prospect.rung, prospect.shift, prospect.falls, aim);
    out.push(Thought { action: Action::Attack(attack), why: Some(why) });
    // A position can change while the attack is put in words: whatever is then not legal is declined.
    out.push(Thought::plain(decline));
}

pub fn stakes(picture: &Picture, lore: &Lore, cx: &Cx, plan: &Plan, target: HexId) -> Stakes {
    Stakes { gain: picture.gain(lore, cx.s, cx.side, plan, target), caution: plan.caution }
}

/// The Victory Hex to which the ways through this hex lead, most of all.
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

/// The best attack on a hex with whoever stands beside it; guns that are spoken for are left out.
pub fn compose(cx: &Cx, target: HexId, stakes: Stakes, spoken_for: &[UnitId]) -> Option<(Attack, Prospect)> {
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
        for unit in group {
            attack.units.push(unit);
        }
        if !declare::legal(cx, &attack) {
            continue;
        }
        attack.surprise = attack
            .units
            .iter()
            .any(|u| rules.counter(*u).has(Tag::DrSola) && !s.unit(*u).is(Flags::EXPOSED));
        let found = arm(cx, &defence, attack, stakes, spoken_for);
        if best.as_ref().is_none_or(|(_, other)| found.1.value > other.value) {
            best = Some(found);
        }
    }
    let (attack, prospect) = best?;
    Some(trim(cx, &defence, attack, prospect, stakes))
}

/// Sets of units that may attack together: two formations each, with whoever is attached (14.3).
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
                if group.len() > ::ardennes::action::MAX_ATTACKERS || !formations::within_limit(rules, s, &group) {
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

/// Guns and air where they pay.
fn arm(
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
    if declare::legal(cx, &bare) {
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
    // The gun with the least else to do: the one of the shortest range.
    guns.sort_by_key(|gun| rules.counter(*gun).range);
    let most = usize::from(rules.tables().shifts.artillery_attacker_max_units);
    let mut armed = best.0;
    for number in 1..=most.min(guns.len()) {
        armed.artillery = guns[..number].iter().copied().collect::<Supporters>();
        let prospect = weigh(rules, s, defence, &armed, stakes);
        let cost = SHOT[cx.side.index()] * (number - best.0.artillery.len()) as f32;
        if prospect.value > best.1.value + cost {
            best = (armed, prospect);
        }
    }
    best
}

/// Leave out whoever changes nothing.
fn trim(
    cx: &Cx,
    defence: &Defence,
    mut attack: Attack,
    mut prospect: Prospect,
    stakes: Stakes,
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
        if found.value >= prospect.value - SPARED {
            (attack, prospect) = (fewer, found);
        }
    }
    (attack, prospect)
}
