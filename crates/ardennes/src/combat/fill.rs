//! Filling in an attack: the form for people, and a random attack for random players.

use hexgrid::HexId;
use kernel::{Slot, SlotKind, Template};
use rand_core::RngCore;

use super::{
    declare::{able, able_until, attack_need, blank, legal, may_have_air, may_surprise},
    support::{self, Need},
};
use crate::{
    action::{Attack, Attackers, MAX_ATTACKERS},
    frame::Frame,
    pack::UnitId,
    play::Cx,
};

/// The form for an attack: which units may be named, and what a sensible player starts from.
pub fn template(cx: &Cx, attack: &Attack) -> Option<Template> {
    let rules = cx.rules;
    let slug = |u: &UnitId| rules.pack.unit(*u).id.clone();
    let mut units: Vec<UnitId> = Vec::new();
    able(cx, attack.target, |unit| units.push(unit));
    if units.is_empty() {
        return None;
    }
    let suggested = suggestion(cx, attack.target, &units);
    let label = rules.label(attack.target);
    let mut parts = vec![Slot {
        words: format!("attack {label} with"),
        kind: SlotKind::Units,
        label: "slot.attackers".into(),
        candidates: units.iter().map(slug).collect(),
        min: 1,
        max: units.len().min(MAX_ATTACKERS) as u16,
        suggested: suggested.iter().map(slug).collect(),
    }];
    let all = Attack { units: units.iter().copied().collect(), ..*attack };
    let need = attack_need(cx, &all);
    let guns: Vec<UnitId> = rules.guns[cx.side.index()]
        .iter()
        .filter(|gun| cx.frame != Frame::Counterattack && support::silent(rules, cx.s, *gun, &need).is_none())
        .collect();
    if !guns.is_empty() {
        parts.push(Slot {
            words: "artillery".into(),
            kind: SlotKind::Units,
            label: "slot.artillery".into(),
            candidates: guns.iter().map(slug).collect(),
            min: 0,
            max: u16::from(rules.tables().shifts.artillery_attacker_max_units),
            suggested: Vec::new(),
        });
    }
    let word = |word: &str, label: &str| Slot {
        words: String::new(),
        kind: SlotKind::Choice,
        label: label.into(),
        candidates: vec![word.into()],
        min: 0,
        max: 1,
        suggested: Vec::new(),
    };
    if may_have_air(cx) {
        parts.push(word("air", "slot.air"));
    }
    if units.iter().any(|u| may_surprise(rules, cx.s, *u)) {
        parts.push(word("surprise", "slot.surprise"));
    }
    Some(Template::of(parts))
}

/// As many units as may attack together, the strongest first.
fn suggestion(cx: &Cx, target: HexId, units: &[UnitId]) -> Vec<UnitId> {
    let mut sorted = units.to_vec();
    sorted.sort_by_key(|u| std::cmp::Reverse(cx.rules.factors(cx.s, *u).attack));
    let mut attack = blank(target);
    for unit in sorted {
        let mut more = attack;
        if more.units.push(unit) && legal(cx, &more) {
            attack = more;
        }
    }
    attack.units.to_vec()
}

/// A random legal attack on the target of a skeleton.
pub fn sample(cx: &Cx, attack: &mut Attack, rng: &mut dyn RngCore) -> bool {
    if !attack.units.is_empty() {
        return true;
    }
    let mut units: Attackers = Attackers::new();
    able_until(cx, attack.target, |unit| !units.push(unit));
    let mut random = |below: usize| rng.next_u32() as usize % below.max(1);
    if units.is_empty() {
        return false;
    }
    for i in (1..units.len()).rev() {
        units.swap(i, random(i + 1));
    }
    let wanted = 1 + random(units.len());
    for unit in &units {
        if attack.units.len() == wanted {
            break;
        }
        let mut more = *attack;
        if more.units.push(*unit) && legal(cx, &more) {
            *attack = more;
        }
    }
    if attack.units.is_empty() {
        return false;
    }
    if cx.frame != Frame::Counterattack {
        let need = Need { fighting: &attack.units.clone(), ..attack_need(cx, attack) };
        let guns = &cx.rules.guns[cx.side.index()];
        let wanted = random(1 + usize::from(cx.rules.tables().shifts.artillery_attacker_max_units));
        let start = random(guns.len());
        for gun in guns.iter().cycle().skip(start).take(guns.len()) {
            if attack.artillery.len() == wanted {
                break;
            }
            if support::silent(cx.rules, cx.s, gun, &need).is_none() {
                attack.artillery.add(gun);
            }
        }
        attack.air = may_have_air(cx) && random(2) == 1;
    }
    attack.surprise = attack.units.iter().any(|u| may_surprise(cx.rules, cx.s, *u)) && random(2) == 1;
    true
}
