//! The sheets of Strikes that do not roll on the Combat Results Table: mines and gas (23.5.3, 44.2), and bridges (38.4).

use hexgrid::{Direction, HexId, SideId};
use kernel::{
    Message, Viewer,
    view::{Chance, Sheet, SheetLine},
};

use super::sheet::{figure, line};
use crate::{
    action::{Payload, Units},
    pack::{MineResult, Ratio},
    rules::Wurzburg,
    state::{Flags, Mine, State},
    support::{BridgeKind, bridge_effective},
    units::{Side, Symbol},
};

fn per_cent(p: f64) -> String {
    format!("{:.0} %", p * 100.0)
}

/// The share of the ten rolls that do it.
fn share(does: impl Fn(u8) -> bool) -> f64 {
    (1..=10).filter(|roll| does(*roll)).count() as f64 / 10.0
}

/// The chance of each number of steps lost; the index is the number.
struct Losses(Vec<f64>);

impl Losses {
    fn none() -> Losses {
        Losses(vec![1.0])
    }

    /// One more step, lost with this chance.
    fn step(&mut self, p: f64) {
        let mut next = vec![0.0; self.0.len() + 1];
        for (lost, chance) in self.0.iter().enumerate() {
            next[lost] += chance * (1.0 - p);
            next[lost + 1] += chance * p;
        }
        self.0 = next;
    }

    /// These losses too, with this chance; otherwise none of them.
    fn or_none(&mut self, other: &Losses, p: f64) {
        let mut next = vec![0.0; self.0.len() + other.0.len() - 1];
        for (lost, chance) in self.0.iter().enumerate() {
            next[lost] += chance * (1.0 - p);
            for (more, also) in other.0.iter().enumerate() {
                next[lost + more] += chance * p * also;
            }
        }
        self.0 = next;
    }

    fn chances(self) -> Vec<Chance> {
        let most = self.0.len() - 1;
        if most == 0 {
            return Vec::new(); // nobody is there who could lose anything
        }
        let all = self.0.into_iter().enumerate().filter(|(_, p)| *p > 1e-9);
        all.map(|(lost, p)| steps_lost(lost, most, p)).collect()
    }
}

/// The number of enemy steps that are lost, and the most that could be lost.
pub(super) fn steps_lost(lost: usize, most: usize, p: f64) -> Chance {
    Chance {
        label: Message::new("sheet.lost").number("steps", lost as i64),
        p,
        tone: lost as f32 / most.max(1) as f32 * 2.0 - 1.0,
    }
}

/// What mines or gas do once they are delivered, as far as the viewer knows the units there.
pub(super) fn effect(
    rules: &Wurzburg,
    s: &State,
    viewer: Viewer,
    side: Side,
    what: Payload,
    hex: HexId,
) -> (Vec<SheetLine>, Vec<Chance>) {
    match what {
        Payload::Fire => (Vec::new(), Vec::new()),
        Payload::Adm => mines(rules, s, viewer, side, hex),
        Payload::GasPersistent | Payload::GasNonPersistent => gas(rules, s, viewer, hex),
    }
}

/// 23.5.3 step 7, 37.5: a roll for each step of the enemy units.
fn mines(
    rules: &Wurzburg,
    s: &State,
    viewer: Viewer,
    side: Side,
    hex: HexId,
) -> (Vec<SheetLine>, Vec<Chance>) {
    let mut losses = Losses::none();
    let mut lines = Vec::new();
    let units: Units = rules.stack(s, side.enemy(), hex);
    let known_field = s
        .mark(hex)
        .is_some_and(|mark| mark.mine == Mine::Real && (mark.mine_known || mark.mine_owner == side));
    if units.is_empty() || known_field {
        return (lines, losses.chances());
    }
    let table = &rules.tables.mine_attack;
    let engineer = units.iter().any(|unit| rules.counter(*unit).symbol == Symbol::Engineer);
    let modifier = if engineer { table.engineer_in_force } else { 0 };
    if engineer {
        lines.push(line(Message::new("modifier.engineer_in_force"), format!("{modifier:+}"), "37.5", 1));
    }
    let p = share(|roll| table.result(roll as i8 + modifier) == MineResult::StepLost);
    lines.push(line(Message::new("sheet.mine_attack"), per_cent(p), "37.5", 1));
    let mut unknown = 0;
    for unit in units {
        if rules.knows_steps(s, viewer, unit) {
            (0..s.unit(unit).steps).for_each(|_| losses.step(p));
        } else {
            unknown += 1;
        }
    }
    lines.extend(not_known(unknown));
    (lines, losses.chances())
}

/// 44.4 items 1 and 2, 44.5: contaminated in the target hex, a check in each adjacent one, then a roll for each step.
fn gas(rules: &Wurzburg, s: &State, viewer: Viewer, hex: HexId) -> (Vec<SheetLine>, Vec<Chance>) {
    let check = share(|roll| rules.tables.contamination.contains(roll));
    let attack = share(|roll| rules.tables.gas_step_lost.contains(roll));
    let mut losses = Losses::none();
    let mut lines = Vec::new();
    let mut unknown = 0;
    let around = Direction::ALL.into_iter().filter_map(|d| rules.field.neighbour(hex, d));
    for at in [hex].into_iter().chain(around) {
        let fresh: Units = s
            .in_hex(at)
            .filter(|unit| rules.counter(*unit).symbol.ground() && !s.unit(*unit).is(Flags::CONTAMINATED))
            .collect();
        if fresh.is_empty() {
            continue;
        }
        if at == hex {
            for unit in &fresh {
                let name = Message::new("sheet.contaminated").unit("unit", rules.id(*unit));
                lines.push(line(name, "", "44.4", 1));
            }
        } else {
            let name = Message::new("sheet.contamination_check").place("hex", rules.field.label(at));
            lines.push(line(name, per_cent(check), "44.4.1", 1));
        }
        let mut here = Losses::none();
        for unit in fresh {
            if rules.knows_steps(s, viewer, unit) {
                (0..s.unit(unit).steps).for_each(|_| here.step(attack));
            } else {
                unknown += 1;
            }
        }
        losses.or_none(&here, if at == hex { 1.0 } else { check });
    }
    if !lines.is_empty() {
        lines.push(line(Message::new("sheet.gas_attack"), per_cent(attack), "44.5", 1));
    }
    lines.extend(not_known(unknown));
    (lines, losses.chances())
}

/// Units whose steps the viewer does not know are counted, not guessed.
pub(super) fn not_known(units: u32) -> Option<SheetLine> {
    (units > 0).then(|| line(Message::new("sheet.steps_unknown"), units.to_string(), "11.2", 1))
}

/// What strikes a bridge (38.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Against {
    Guns,
    Low,
    High,
}

/// 38.4.4: from the sum of the Fire Strengths to the chance that the bridge is destroyed.
pub(super) fn bridge(
    rules: &Wurzburg,
    s: &State,
    bridge: SideId,
    mut lines: Vec<SheetLine>,
    sum: f64,
    by: Against,
) -> Option<Sheet> {
    let kind = rules.bridge_kind(s, bridge)?;
    let table = &rules.tables.bridge_strike;
    let (ratio, key): (Ratio, &'static str) = match by {
        Against::Guns => (table.artillery, "sheet.bridge_guns"),
        Against::Low => (table.low_air, "sheet.bridge_low"),
        Against::High => (table.high_air, "sheet.bridge_high"),
    };
    if ratio.num != ratio.den {
        let value = if (ratio.num, ratio.den) == (1, 2) {
            "× ½".to_owned()
        } else {
            format!("× {}/{}", ratio.num, ratio.den)
        };
        lines.push(line(Message::new(key), value, "38.4.3", 1));
    }
    let (total, effective) = bridge_effective(rules, kind, sum, ratio);
    let factor = match kind {
        BridgeKind::Autobahn => table.factor.autobahn,
        BridgeKind::Road => table.factor.road,
        BridgeKind::Military => table.factor.military,
    };
    lines.push(line(Message::new("sheet.total"), figure(f64::from(total)), "38.4", 0));
    lines.push(line(Message::new("sheet.bridge_factor"), format!("÷ {factor}"), "38.4", 1));
    lines.push(line(Message::new("sheet.bridge_effective"), effective.to_string(), "38.4", 0));
    let wins = f64::from(effective.min(10)) / 10.0;
    let chance = |key: &'static str, p, tone| Chance { label: Message::new(key), p, tone };
    let mut chances =
        vec![chance("sheet.bridge_holds", 1.0 - wins, -1.0), chance("sheet.bridge_destroyed", wins, 1.0)];
    chances.retain(|chance| chance.p > 0.0);
    let title = Message::new("sheet.bridge_strike").place("bridge", rules.field.side_label(bridge));
    Some(Sheet { title: Some(title), lines, chances, ..Sheet::default() })
}
