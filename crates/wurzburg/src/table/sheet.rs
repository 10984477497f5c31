//! The combat sheet: every firing unit with every modifier, and the effect of each roll (18.2, 23.1.1).

use kernel::{
    Ask, Message, Viewer,
    view::{Chance, Sheet, SheetLine},
};
use serde_json::{Value, json};

use super::{
    attempt,
    delivery::{self, Against},
};
use crate::{
    action::{Action, Payload},
    fire::{FireKind, FireSheet},
    rules::Wurzburg,
    state::State,
    units::{Side, UnitId},
};

pub(super) fn line(label: Message, value: impl Into<String>, rule: &str, level: u8) -> SheetLine {
    SheetLine { label, value: value.into(), rule: rule.into(), level }
}

/// `6`, `4½`
pub(super) fn figure(value: f64) -> String {
    let whole = value.trunc();
    let rest = match ((value - whole) * 4.0).round() as i32 {
        1 => "¼",
        2 => "½",
        3 => "¾",
        _ => "",
    };
    if whole == 0.0 && !rest.is_empty() { rest.to_owned() } else { format!("{whole}{rest}") }
}

/// `sheet fire 2916 with A B`, `sheet strike 2508 by HQ with A`.
pub fn sheet(rules: &Wurzburg, s: &State, viewer: Viewer, text: &str) -> Result<Value, Ask> {
    let action = crate::notation::read(rules, s, text).map_err(|_| Ask::Unknown(format!("sheet {text}")))?;
    if let Some(sheet) = attempt_sheet(rules, s, viewer, &action) {
        return Ok(json!({ "sheet": sheet }));
    }
    let mut objective = s.op.objective;
    let (kind, hex, with): (FireKind, _, Vec<(UnitId, u8)>) = match &action {
        Action::Fire { target, with } => {
            let steps = |unit: UnitId| s.unit(unit).steps;
            let with: Vec<_> = with.iter().map(|p| (p.unit, p.steps.unwrap_or(steps(p.unit)))).collect();
            let kind = match FireKind::at(s.top()) {
                Some(kind) => kind,
                // A position outside a step of fire: whoever takes part in the operation attacks, everybody else defends.
                None if with.iter().any(|(unit, _)| s.op.members.contains(*unit)) => {
                    objective = *target;
                    FireKind::Offensive
                }
                None => {
                    objective = crate::ask::fire::defended(rules, s, &with);
                    FireKind::Defensive
                }
            };
            (kind, *target, with)
        }
        Action::Strike { hex, with, air: 0, .. } => {
            let guns = with.iter().filter(|part| rules.counter(part.unit).symbol.artillery());
            let steps = |unit: UnitId| s.unit(unit).steps;
            (FireKind::Strike, *hex, guns.map(|p| (p.unit, p.steps.unwrap_or(steps(p.unit)))).collect())
        }
        _ => return Err(Ask::Unknown(format!("sheet {text}"))),
    };
    if with.iter().any(|(unit, _)| !rules.knows_steps(s, viewer, *unit)) {
        return Err(Ask::Secret);
    }
    let trial = (objective != s.op.objective).then(|| {
        let mut trial = s.clone();
        trial.op.objective = objective;
        trial
    });
    let s = trial.as_ref().unwrap_or(s);
    let reckoned = rules.reckon(s, kind, hex, &with);
    if let Action::Strike { what, .. } = &action
        && *what != Payload::Fire
    {
        return Ok(json!({ "sheet": delivered(rules, s, viewer, *what, hex, &reckoned) }));
    }
    let sheet = Sheet {
        title: Some(
            Message::new("sheet.title")
                .term("fire", format!("fire.{}", kind.key()))
                .place("hex", rules.field.label(hex)),
        ),
        lines: lines(rules, s, kind, hex, &reckoned),
        chances: chances(rules, &reckoned),
        ..Sheet::default()
    };
    Ok(json!({ "sheet": sheet, "total": reckoned.total, "effective": reckoned.effective }))
}

/// 23.5.3, 44.2: mines or gas that guns deliver; their Fire Strength is only a condition.
fn delivered(
    rules: &Wurzburg,
    s: &State,
    viewer: Viewer,
    what: Payload,
    hex: hexgrid::HexId,
    reckoned: &FireSheet,
) -> Sheet {
    let side = reckoned.firers.first().map_or(Side::Wp, |firer| rules.counter(firer.unit).side);
    let mut rows = firers(rules, s, hex, reckoned);
    rows.push(line(Message::new("sheet.total"), reckoned.total.to_string(), "18.2.3", 0));
    let least = rules.tables.adm_gas.least_fire_strength;
    let rule = if what == Payload::Adm { "23.5.4" } else { "44.2" };
    rows.push(line(Message::new("sheet.least"), least.to_string(), rule, 1));
    let (more, chances) = delivery::effect(rules, s, viewer, side, what, hex);
    rows.extend(more);
    let title = Message::new("sheet.delivery")
        .term("what", format!("label.payload.{}", what.key()))
        .place("hex", rules.field.label(hex));
    Sheet { title: Some(title), lines: rows, chances, ..Sheet::default() }
}

/// The sheet of a decision that is not the fire of units; `None` if it has none.
fn attempt_sheet(rules: &Wurzburg, s: &State, viewer: Viewer, action: &Action) -> Option<Sheet> {
    let side = s.active.some().map_or(Side::Wp, |active| rules.formation(active).side);
    match action {
        Action::Recon { hex, payer } => {
            let title = Message::new("sheet.recon").place("hex", rules.field.label(*hex));
            Some(attempt::recon(rules, title, &rules.attempt(s, side, *hex, *payer).ok()?, Some(*hex)))
        }
        Action::ReconBridge { side: bridge, payer } => {
            let title = Message::new("sheet.recon_bridge").place("bridge", rules.field.side_label(*bridge));
            Some(attempt::recon(rules, title, &rules.attempt_bridge(s, side, *bridge, *payer).ok()?, None))
        }
        Action::Profile { profile, .. } => {
            attempt::profile(rules, s, viewer, s.support.air.as_ref()?, *profile)
        }
        Action::StrikeBridge { side: bridge, with, air: 0, .. } => {
            let guns: Vec<UnitId> = with.iter().map(|part| part.unit).collect();
            let (hex, reckoned) = crate::support::reckon_bridge(rules, s, *bridge, &guns);
            let rows = firers(rules, s, hex, &reckoned);
            delivery::bridge(rules, s, *bridge, rows, reckoned.sum(), Against::Guns)
        }
        Action::Storm { units, .. } => Some(super::storm::sheet(rules, s, viewer, units)),
        _ => None,
    }
}

pub(super) fn lines(
    rules: &Wurzburg,
    s: &State,
    kind: FireKind,
    hex: hexgrid::HexId,
    reckoned: &FireSheet,
) -> Vec<SheetLine> {
    let mut lines = firers(rules, s, hex, reckoned);
    lines.push(line(Message::new("sheet.total"), reckoned.total.to_string(), "18.2.3", 0));
    lines.push(line(Message::new("sheet.effective"), reckoned.effective.to_string(), "18.2.3", 0));
    let mut targets: Vec<(u16, UnitId)> = Vec::new();
    let enemy = reckoned.firers.first().map(|firer| rules.counter(firer.unit).side.enemy());
    for unit in s.in_hex(hex) {
        if Some(rules.counter(unit).side) == enemy && rules.counter(unit).symbol.ground() {
            targets.push((rules.defense(s, unit, kind), unit));
        }
    }
    // 18.3.3, 23.2: the order in which hits are absorbed.
    targets.sort_unstable();
    if !kind.is_strike() {
        targets.reverse();
    }
    for (defense, unit) in targets {
        let name = Message::new("sheet.defense").unit("unit", rules.id(unit));
        lines.push(line(name, defense.to_string(), "18.3.1", 1));
    }
    lines
}

/// Every firing unit with its modifiers.
fn firers(rules: &Wurzburg, s: &State, hex: hexgrid::HexId, reckoned: &FireSheet) -> Vec<SheetLine> {
    let mut lines = Vec::new();
    for firer in &reckoned.firers {
        let name = Message::new("sheet.firer")
            .unit("unit", rules.id(firer.unit))
            .number("attack", rules.attack(s, firer.unit, hex))
            .number("steps", firer.steps);
        lines.push(line(name, firer.basic.to_string(), "18.1.2", 1));
        for effect in &firer.effects {
            let factor = rules.tables.fire_effects.factor(*effect, firer.mode);
            let value = match (factor.num, factor.den) {
                (num, 1) => format!("× {num}"),
                (1, 2) => "× ½".to_owned(),
                (num, den) => format!("× {num}/{den}"),
            };
            lines.push(line(Message::new(format!("effect.{}", effect.key())), value, "18.2.2", 2));
        }
        if !firer.effects.is_empty() {
            lines.push(line(Message::new("sheet.modified"), figure(firer.modified()), "18.2.2", 2));
        }
    }
    lines
}

/// The hits of each die roll, equal ones together, fewest first.
pub(super) fn chances(rules: &Wurzburg, reckoned: &FireSheet) -> Vec<Chance> {
    let mut counts: std::collections::BTreeMap<u16, u8> = std::collections::BTreeMap::new();
    for roll in 1..=10 {
        *counts.entry(reckoned.hits(rules.tables.hit_modifier(roll))).or_default() += 1;
    }
    let most = counts.keys().max().copied().unwrap_or(0).max(1);
    counts
        .into_iter()
        .map(|(hits, count)| Chance {
            label: Message::new("sheet.hits").number("hits", hits),
            p: f64::from(count) / 10.0,
            tone: f32::from(hits) / f32::from(most) * 2.0 - 1.0,
        })
        .collect()
}
