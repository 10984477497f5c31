//! Actions that are filled in at the table: which units fire, which join a task force, and who pays for it.

use hexgrid::HexId;
use kernel::{Slot, SlotKind, Template};
use rand_core::RngCore;

use crate::{
    action::{Action, Commit, Force, Part, Parts, Who},
    fire::FireKind,
    notation::write_part,
    operation,
    play::Cx,
    report::payer_word,
    rules::Wurzburg,
    state::{Payer, Variant},
    units::{FormationId, OpKind, UnitId},
};

fn words(text: String) -> Slot {
    Slot {
        words: text,
        kind: SlotKind::Words,
        label: String::new(),
        candidates: Vec::new(),
        min: 0,
        max: 0,
        suggested: Vec::new(),
    }
}

/// The sheet for an action; `None` for complete ones.
pub fn template(cx: &Cx, action: &Action) -> Option<Template> {
    let rules = cx.rules;
    let ids =
        |units: &[UnitId]| -> Vec<String> { units.iter().map(|unit| rules.id(*unit).to_owned()).collect() };
    match action {
        Action::Fire { target, with } => {
            let kind = FireKind::at(cx.frame)?;
            let guns: Vec<UnitId> =
                rules.guns(cx.s, kind, *target).into_iter().map(|(unit, _)| unit).collect();
            let named: Vec<UnitId> = with.iter().map(|part| part.unit).collect();
            let units = Slot {
                words: format!("fire {} with", rules.field.label(*target)),
                kind: SlotKind::Units,
                label: "slot.firers".into(),
                max: guns.len() as u16,
                candidates: ids(&guns),
                min: 1,
                suggested: ids(&named),
            };
            Some(Template::of(vec![units]))
        }
        Action::Commit(commit) => task_force(cx, commit).or_else(|| regiment(cx, commit)),
        Action::March { formation, base, units, rally, airmobile } if !units.is_empty() => {
            let able: Vec<UnitId> = match formation.some().filter(|_| !base) {
                Some(formation) => engineers(cx, formation, OpKind::March),
                None => operation::marchers_with(cx, units[0].unit).to_vec(),
            };
            if able.len() < 2 || units.len() < 2 && formation.some().is_none() || *rally != HexId::NONE {
                return None; // a single unit that marches alone, or nothing to choose
            }
            let head = match formation.some() {
                Some(formation) => {
                    let base = if *base { " base" } else { "" };
                    format!("march{base} {} with", rules.formation(formation).id)
                }
                None => "march".into(),
            };
            let mut parts = vec![members(rules, head, &able, units, 1)];
            if *airmobile {
                parts.push(words("airmobile".into()));
            }
            Some(Template::of(parts))
        }
        // Who storms; all of an overrun force must (42.0 step 4).
        Action::Storm { units, combined } => {
            let able = crate::storm::able(cx);
            let least = if cx.s.op.variant == Variant::Overrun { units.len() } else { 1 };
            let able: Vec<UnitId> =
                if cx.s.op.variant == Variant::Overrun { units.to_vec() } else { able.to_vec() };
            let named: Parts = units.iter().map(|unit| Part::all(*unit)).collect();
            let mut force = members(rules, "storm".into(), &able, &named, least as u16);
            force.label = "slot.storming".into();
            let mut parts = vec![force];
            if *combined {
                parts.push(words("combined".into()));
            }
            Some(Template::of(parts))
        }
        // The sheet with the odds is shown before confirmation.
        Action::Strike { air: 0, .. } | Action::StrikeBridge { air: 0, .. } => {
            Some(Template::of(vec![words(crate::notation::write(rules, action))]))
        }
        _ => None,
    }
}

fn members(rules: &Wurzburg, words: String, able: &[UnitId], named: &Parts, min: u16) -> Slot {
    Slot {
        words,
        kind: SlotKind::Units,
        label: "slot.members".into(),
        max: able.len() as u16,
        candidates: able.iter().map(|unit| rules.id(*unit).to_owned()).collect(),
        min,
        suggested: named.iter().map(|part| write_part(rules, *part)).collect(),
    }
}

/// 12.9.1: the engineers that may join a regiment.
fn engineers(cx: &Cx, formation: FormationId, kind: OpKind) -> Vec<UnitId> {
    let lead = cx.s.formation(formation).lead;
    operation::engineers_for(cx.rules, cx.s, formation, lead, kind).to_vec()
}

/// A regiment with engineers: which of them join.
fn regiment(cx: &Cx, commit: &Commit) -> Option<Template> {
    let rules = cx.rules;
    let [Force { who: Who::Formation(formation), with, .. }] = &commit.forces[..] else { return None };
    let able = engineers(cx, *formation, commit.kind);
    if with.is_empty() || able.len() < 2 {
        return None;
    }
    let head = format!("{} {} with", commit.kind.word(), rules.formation(*formation).id);
    let mut parts = vec![members(rules, head, &able, with, 1)];
    let tail = tail(rules, commit);
    if !tail.is_empty() {
        parts.push(words(tail));
    }
    Some(Template::of(parts))
}

/// What follows the forces of a commitment.
fn tail(rules: &Wurzburg, commit: &Commit) -> String {
    let bare = Commit { forces: smallvec::SmallVec::new(), ..commit.clone() };
    let text = crate::notation::write(rules, &Action::Commit(bare));
    text.strip_prefix(commit.kind.word()).unwrap_or_default().trim().to_owned()
}

/// 12.6.2: a unit with all its steps, or with some of them where a counter is free to split it.
fn shares(cx: &Cx, unit: UnitId) -> Vec<String> {
    let whole = [Part::all(unit)];
    let some = (1..cx.s.unit(unit).steps).map(|steps| Part { unit, steps: Some(steps) });
    let some = some.filter(|_| cx.rules.spare_for(cx.s, unit).is_some());
    whole.into_iter().chain(some).map(|part| write_part(cx.rules, part)).collect()
}

/// A NATO task force: members and payer may be changed (12.6, 12.7).
fn task_force(cx: &Cx, commit: &Commit) -> Option<Template> {
    let rules = cx.rules;
    let [Force { who: Who::Lead(Part { unit: lead, .. }), with, payer }] = &commit.forces[..] else {
        return None;
    };
    let able =
        |unit: &UnitId| *unit != *lead && operation::check_member(cx, commit.kind, *lead, *unit).is_ok();
    let members: Vec<UnitId> = rules.units_of(cx.side).iter().copied().filter(able).collect();
    let payers: Vec<Payer> = operation::payers_for(cx, *lead).collect();
    let tail = tail(rules, commit);
    let mut parts = vec![words(format!("{} {}", commit.kind.word(), rules.id(*lead)))];
    if !members.is_empty() {
        parts.push(Slot {
            words: "with".into(),
            kind: SlotKind::Units,
            label: "slot.members".into(),
            candidates: members.iter().flat_map(|unit| shares(cx, *unit)).collect(),
            min: 0,
            max: members.len() as u16,
            suggested: with.iter().map(|part| write_part(rules, *part)).collect(),
        });
    }
    parts.push(Slot {
        words: "by".into(),
        kind: if payers.iter().all(|payer| matches!(payer, Payer::Hq(_))) {
            SlotKind::Units
        } else {
            SlotKind::Choice
        },
        label: "slot.payer".into(),
        candidates: payers.iter().map(|payer| payer_word(rules, *payer)).collect(),
        min: 1,
        max: 1,
        suggested: vec![payer_word(rules, *payer)],
    });
    if !tail.is_empty() {
        parts.push(words(tail));
    }
    Some(Template::of(parts))
}

/// Leave out some of the firing units at random; assets that must take part stay.
pub fn sample(rules: &Wurzburg, cx: &Cx, action: &mut Action, rng: &mut dyn RngCore) {
    let Action::Fire { target, with } = action else { return };
    let Some(kind) = FireKind::at(cx.frame) else { return };
    if with.len() < 2 || rng.next_u32().is_multiple_of(2) {
        return;
    }
    let bound = if kind == FireKind::Offensive {
        rules.supporters(cx.s, kind, *target)
    } else {
        smallvec::SmallVec::new()
    };
    let keep: Parts = with
        .iter()
        .copied()
        .filter(|part| bound.iter().any(|(unit, _)| *unit == part.unit) || rng.next_u32().is_multiple_of(2))
        .collect();
    if !keep.is_empty() {
        *with = keep;
    }
}
