//! Actions that are filled in at the table: which units fire, which join a task force, and who pays for it.

use kernel::{Slot, SlotKind, Template};
use rand_core::RngCore;

use crate::{
    action::{Action, Commit, Force, Part, Parts, Who},
    fire::FireKind,
    frame::Frame,
    notation::write_part,
    operation,
    play::Cx,
    report::payer_word,
    rules::Wurzburg,
    state::{Payer, Variant},
    units::UnitId,
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
            let kind = fire_kind(cx.frame)?;
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
            Some(Template { parts: vec![units] })
        }
        Action::Commit(commit) => task_force(cx, commit),
        // The sheet with the odds is shown before confirmation.
        Action::Strike { air: 0, .. } => {
            Some(Template { parts: vec![words(crate::notation::write(rules, action))] })
        }
        _ => None,
    }
}

const fn fire_kind(frame: Frame) -> Option<FireKind> {
    match frame {
        Frame::Infiltration => Some(FireKind::Infiltration),
        Frame::DefensiveFire => Some(FireKind::Defensive),
        Frame::OffensiveFire => Some(FireKind::Offensive),
        Frame::RetreatFire => Some(FireKind::Retreat),
        Frame::PointBlank { attacker: true } => Some(FireKind::PointBlankAttacker),
        Frame::PointBlank { attacker: false } => Some(FireKind::PointBlankDefender),
        _ => None,
    }
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
    let formation = rules.counter(*lead).formation;
    let payers = operation::payers(cx, formation, cx.s.unit(*lead).hex, false);
    let mut tail = String::new();
    if let Some(hex) = commit.objective.some() {
        tail = format!("objective {}", rules.field.label(hex));
    }
    if commit.variant != Variant::Plain {
        tail = format!("{tail} {}", commit.variant.key());
    }
    if commit.airmobile {
        tail = format!("{tail} airmobile");
    }
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
        parts.push(words(tail.trim().to_owned()));
    }
    Some(Template { parts })
}

/// Leave out some of the firing units at random; assets that must take part stay.
pub fn sample(rules: &Wurzburg, cx: &Cx, action: &mut Action, rng: &mut dyn RngCore) {
    let Action::Fire { target, with } = action else { return };
    let Some(kind) = fire_kind(cx.frame) else { return };
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
