//! The sheets of a Reconnaissance Attempt (20.2.1) and of an air unit's profile (24.3): every modifier, and the chances.

use hexgrid::HexId;
use kernel::{
    Message, Viewer,
    view::{Chance, Sheet, SheetLine},
};

use super::{
    delivery::{self, Against},
    sheet::chances,
};
use crate::{
    action::Payload,
    pack::AirProfile,
    recon::Attempt,
    rules::Wurzburg,
    state::State,
    support::{Mission, profile_sheet},
};

fn line(label: Message, value: impl Into<String>, rule: &str, level: u8) -> SheetLine {
    SheetLine { label, value: value.into(), rule: rule.into(), level }
}

/// The number to reach with every modifier. `row` is the terrain of the hex; none for a bridge.
pub fn recon(rules: &Wurzburg, title: Message, attempt: &Attempt, row: Option<HexId>) -> Sheet {
    let mut lines = Vec::new();
    if let Some(spotter) = attempt.spotter {
        lines.push(line(Message::new("sheet.spotter").unit("unit", rules.id(spotter)), "", "20.2.1", 1));
    }
    lines.push(line(Message::new("sheet.distance"), attempt.distance.to_string(), "20.2.1", 1));
    let row = row.filter(|_| !attempt.empty).map(|hex| rules.field.terrain(hex).key());
    let name = match row {
        Some(terrain) => Message::new("sheet.recon_number").term("terrain", format!("terrain.{terrain}")),
        None => Message::new("sheet.recon_empty"),
    };
    lines.push(line(name, attempt.number.to_string(), "20.2.1", 1));
    for (word, value) in &attempt.modifiers {
        lines.push(line(Message::new(format!("modifier.{word}")), format!("{value:+}"), "20.2.1", 2));
    }
    let least = i32::from(attempt.number) - i32::from(attempt.modifier());
    let wins = (1..=10).filter(|roll| *roll >= least).count() as f64 / 10.0;
    let chance = |key: &'static str, p: f64, tone| Chance { label: Message::new(key), p, tone };
    let mut chances = vec![chance("sheet.missed", 1.0 - wins, -1.0), chance("sheet.acquired", wins, 1.0)];
    chances.retain(|chance| chance.p > 0.0);
    Sheet { title: Some(title), lines, chances, ..Sheet::default() }
}

/// What the air unit would do to its target by this profile, if nothing is shot down before.
pub fn profile(
    rules: &Wurzburg,
    s: &State,
    viewer: Viewer,
    air: &Mission,
    profile: AirProfile,
) -> Option<Sheet> {
    let label = rules.field.label(air.hex);
    let title = Message::new("sheet.profile")
        .term("profile", format!("profile.{}", profile.key()))
        .place("hex", label);
    if air.what != Payload::Fire {
        // 24.5.1: the Attack Strength does not count.
        let (lines, chances) = delivery::effect(rules, s, viewer, air.side, air.what, air.hex);
        return Some(Sheet { title: Some(title), lines, chances, ..Sheet::default() });
    }
    let vehicle = rules.pack.unit_type(air.aircraft).vehicle.clone();
    let aircraft = |attack: u32| {
        line(
            Message::new("sheet.aircraft")
                .text("aircraft", vehicle)
                .number("attack", attack)
                .number("steps", air.steps),
            (attack * u32::from(air.steps)).to_string(),
            "24.5",
            1,
        )
    };
    let halved = |lines: &mut Vec<SheetLine>, key: &'static str| {
        lines.push(line(Message::new(key), "× ½", "24.5", 2));
    };
    if let Some(bridge) = air.bridge {
        let attack = u32::from(rules.profile_of(&Mission { profile: Some(profile), ..*air })?.attack);
        let mut lines = vec![aircraft(attack)];
        let smoke = rules.banks(bridge).iter().any(|hex| s.smoke(*hex));
        if smoke {
            halved(&mut lines, "effect.smoke");
        }
        let sum = f64::from(attack * u32::from(air.steps)) * if smoke { 0.5 } else { 1.0 };
        let by = if profile.low() { Against::Low } else { Against::High };
        return delivery::bridge(rules, s, bridge, lines, sum, by);
    }
    let (attack, sheet) = profile_sheet(rules, s, air, profile)?;
    let mut lines = vec![aircraft(attack)];
    if rules.field.terrain(air.hex).close() {
        halved(&mut lines, "effect.close_terrain");
    }
    if s.smoke(air.hex) {
        halved(&mut lines, "effect.smoke");
    }
    lines.push(line(Message::new("sheet.total"), sheet.total.to_string(), "24.5", 0));
    lines.push(line(Message::new("sheet.effective"), sheet.effective.to_string(), "24.5", 0));
    // 27.1, 27.2: by what it may be shot at on the way.
    let enemy = air.side.enemy();
    if profile.low() {
        lines.push(line(Message::new("sheet.meets_flak"), "", "27.2", 1));
    } else {
        lines.push(line(
            Message::new("sheet.meets_sam"),
            format!("{:+}", s.sides[enemy.index()].sam),
            "27.1",
            1,
        ));
    }
    Some(Sheet { title: Some(title), lines, chances: chances(rules, &sheet), ..Sheet::default() })
}
