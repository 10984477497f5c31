//! The sheet of a storm (42.0, 43.0): the first exchange of point-blank fire, if these units go in.

use kernel::{
    Message, Viewer,
    view::{Chance, Sheet, SheetLine},
};

use super::{
    delivery::{not_known, steps_lost},
    sheet::{chances, line, lines},
};
use crate::{
    fire::{Combat, FireKind, FireSheet, losses},
    rules::Wurzburg,
    state::{State, Variant},
    units::{Side, UnitId, UnitSet, set_of},
};

/// The fire of these units at point-blank range.
fn fire(rules: &Wurzburg, s: &State, kind: FireKind) -> FireSheet {
    let guns = rules.guns(s, kind, s.op.objective);
    rules.reckon(s, kind, s.op.objective, &guns)
}

/// The steps that a number of hits costs the units; they are taken off in `s`.
fn hit(rules: &Wurzburg, s: &mut State, kind: FireKind, side: Side, targets: UnitSet, hits: u16) -> u16 {
    let target = s.op.objective;
    s.combat = Combat { kind, side, target, targets, hits, ..Combat::default() };
    losses(rules, s)
}

pub(super) fn sheet(rules: &Wurzburg, s: &State, viewer: Viewer, units: &[UnitId]) -> Sheet {
    let hex = s.op.objective;
    let mut inside = s.draft();
    for unit in units {
        inside.shift(*unit, hex);
    }
    inside.op.storming = set_of(units.iter().copied());
    inside.op.spent.clear();
    let side = s.op.side;
    let defenders = set_of(rules.stack(s, side.enemy(), hex));
    let hidden = defenders.iter().filter(|unit| !rules.knows_steps(s, viewer, *unit)).count() as u32;
    let attack = fire(rules, &inside, FireKind::PointBlankAttacker);
    let mut rows: Vec<SheetLine> = Vec::new();
    let mut odds: Vec<Chance> = Vec::new();
    let overrun = s.op.variant == Variant::Overrun;
    let rule = if overrun { "42.0" } else { "43.0" };
    let heading = |kind: FireKind| {
        line(Message::new("sheet.section").term("fire", format!("fire.{}", kind.key())), "", rule, 0)
    };
    if hidden == 0 {
        let (least, most, chances) = exchange(rules, &inside, &defenders);
        odds = chances;
        rows.push(heading(FireKind::PointBlankDefender));
        let defense = fire(rules, &inside, FireKind::PointBlankDefender);
        rows.extend(lines(rules, &inside, FireKind::PointBlankDefender, hex, &defense));
        let lost = if least == most { least.to_string() } else { format!("{least}–{most}") };
        rows.push(line(Message::new("sheet.attacker_loses"), lost, rule, 1));
    } else {
        rows.extend(not_known(hidden));
    }
    rows.push(heading(FireKind::PointBlankAttacker));
    rows.extend(lines(rules, &inside, FireKind::PointBlankAttacker, hex, &attack));
    if hidden > 0 {
        odds = chances(rules, &attack);
    }
    let variant =
        if s.op.variant == Variant::Overrun { "label.variant.overrun" } else { "label.variant.close" };
    let title = Message::new("sheet.delivery").term("what", variant).place("hex", rules.field.label(hex));
    Sheet { title: Some(title), lines: rows, chances: odds, ..Sheet::default() }
}

/// Both rolls of the first round: the least and the most steps that the attackers lose, and the chance of each number of steps
/// that the defenders then lose.
fn exchange(rules: &Wurzburg, inside: &State, defenders: &UnitSet) -> (u16, u16, Vec<Chance>) {
    let side = inside.op.side;
    let defense = fire(rules, inside, FireKind::PointBlankDefender);
    let (mut least, mut most) = (u16::MAX, 0);
    let mut counts: Vec<u8> = Vec::new();
    for first in 1..=10 {
        let mut after = inside.clone();
        let mut own = 0;
        if !defense.firers.is_empty() {
            let hits = defense.hits(rules.tables.hit_modifier(first));
            let storming = inside.op.storming;
            own = hit(rules, &mut after, FireKind::PointBlankDefender, side.enemy(), storming, hits);
        }
        (least, most) = (least.min(own), most.max(own));
        let attack = fire(rules, &after, FireKind::PointBlankAttacker);
        for second in 1..=10 {
            let mut lost = 0;
            if !attack.firers.is_empty() {
                let hits = attack.hits(rules.tables.hit_modifier(second));
                let mut end = after.clone();
                lost = hit(rules, &mut end, FireKind::PointBlankAttacker, side, *defenders, hits);
            }
            let lost = usize::from(lost);
            if counts.len() <= lost {
                counts.resize(lost + 1, 0);
            }
            counts[lost] += 1;
        }
    }
    let top = counts.len().saturating_sub(1);
    let all = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    (least, most, all.map(|(lost, count)| steps_lost(lost, top, f64::from(count) / 100.0)).collect())
}
