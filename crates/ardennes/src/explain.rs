//! Explanations for people: an attack line by line, each with its rule.

use kernel::{
    Message,
    view::{Chance, Sheet as View, SheetLine},
};

use crate::{
    combat::strength::{self, BonusFrom, Sheet},
    event::Elimination,
    odds::Outcomes,
    pack::Terrain,
    rules::Ardennes,
    state::State,
};

/// The source of the Defensive Combat Bonus, as a message key.
pub fn bonus_key(sheet: &Sheet) -> Option<&'static str> {
    match sheet.bonus.from {
        BonusFrom::Nothing => None,
        BonusFrom::Terrain(terrain) => Some(terrain_key(terrain)),
        BonusFrom::ImprovedPosition => Some("marker.improved_position"),
    }
}

pub const fn terrain_key(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Clear => "terrain.clear",
        Terrain::LightWoods => "terrain.light_woods",
        Terrain::Forest => "terrain.forest",
        Terrain::WoodedRough => "terrain.wooded_rough",
        Terrain::WestWall => "terrain.west_wall",
        Terrain::Village => "terrain.village",
        Terrain::Town => "terrain.town",
        Terrain::City => "terrain.city",
    }
}

/// Message key and rule of an elimination.
pub const fn elimination(why: Elimination) -> (&'static str, &'static str) {
    match why {
        Elimination::Losses => ("losses", "16.4"),
        Elimination::NoRetreat => ("no_retreat", "17.2"),
        Elimination::OffMap => ("off_map", "17.6"),
        Elimination::Artillery => ("artillery", "17.7"),
        Elimination::Broken => ("broken", "18.4"),
        Elimination::OutOfSupply => ("out_of_supply", "23.4"),
        Elimination::Engineers => ("engineers", "27.1"),
        Elimination::AttackedAgain => ("attacked_again", "17.5"),
        Elimination::Stacking => ("stacking", "8.3"),
        Elimination::Landing => ("landing", "27.2"),
    }
}

pub fn signed(number: i8) -> String {
    match number {
        0 => "0".into(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.unsigned_abs()),
    }
}

/// The odds sheet for the client, with the chances if they have been computed.
pub fn sheet(rules: &Ardennes, s: &State, sheet: &Sheet, chances: Option<&Outcomes>) -> View {
    let tables = rules.tables();
    let line = |label: Message, value: String, rule: &str, level: u8| SheetLine {
        label,
        value,
        rule: rule.to_owned(),
        level,
    };
    let mut lines = vec![line(Message::new("sheet.attack"), sheet.attack.to_string(), "14.4", 0)];
    for unit in &sheet.attackers {
        let label = Message::new("sheet.unit").unit("unit", rules.unit_id(unit.unit));
        lines.push(line(label, unit.counted.to_string(), "14.4", 1));
        if unit.doubled {
            lines.push(line(Message::new("sheet.doubled"), format!("{} × 2", unit.printed), "27.4", 2));
        }
        if let Some(cause) = unit.halved {
            let label = Message::new(format!("halved.{}", cause.key()));
            lines.push(line(label, format!("{} × ½", unit.printed), cause.rule(), 2));
        }
    }
    if sheet.attack < sheet.attack_sum {
        lines.push(line(Message::new("sheet.limit"), sheet.attack.to_string(), "34", 2));
    }
    lines.push(line(Message::new("sheet.defense"), sheet.defense.to_string(), "14.4", 0));
    for unit in &sheet.defenders {
        let label = match unit.unit {
            Some(id) => Message::new("sheet.unit").unit("unit", rules.unit_id(id)),
            None => Message::new("sheet.garrison"),
        };
        lines.push(line(label, unit.counted.to_string(), "14.4", 1));
        if let Some(why) = unit.no_bonus {
            lines.push(line(Message::new(format!("no_bonus.{}", why.key())), String::new(), why.rule(), 2));
        }
    }
    let bonus = Message::new("sheet.dcb").term("from", bonus_key(sheet).unwrap_or("sheet.nothing"));
    lines.push(line(bonus, signed(sheet.bonus.counted as i8), "15.1", 1));
    if let Some(cap) = sheet.bonus.cap {
        let label = Message::new(format!("cap.{}", cap.key()));
        lines.push(line(label, format!("{} → {}", sheet.bonus.printed, sheet.bonus.counted), "15.1", 2));
    }
    let written = |(attack, defense): (u16, u16)| format!("{attack}-{defense}");
    lines.push(line(Message::new("sheet.odds"), written(strength::odds(sheet.rung())), "14.4", 0));
    for shift in &sheet.shifts {
        let label = Message::new(format!("shift.{}", shift.cause.key()));
        lines.push(line(label, signed(shift.columns), shift.cause.rule(), 1));
    }
    let column = tables.crt.columns[sheet.column(tables, 0)];
    lines.push(line(
        Message::new("sheet.column"),
        format!("{}-{}", column.attack, column.defense),
        "14.5",
        0,
    ));
    let title = Message::new("sheet.title").place("hex", rules.label(sheet.target)).number("turn", s.turn);
    let leads = chances.map(leads_of).unwrap_or_default();
    let chances = chances.map(chances_of).unwrap_or_default();
    View { title: Some(title), lines, chances, leads, ..View::default() }
}

/// Below this tone the attacker loses more than he gains; no effect is not yet worse.
const WORSE: f32 = -0.2;

/// What an attacker wants to know first.
fn leads_of(found: &Outcomes) -> Vec<Chance> {
    let lead = |key: &'static str, p: f64, tone: f32| Chance { label: Message::new(key), p, tone };
    let worse = chances_of(found).iter().filter(|chance| chance.tone < WORSE).map(|chance| chance.p).sum();
    vec![
        lead("lead.falls", found.falls, 1.0),
        lead("lead.step", found.attacker_loses, -0.1),
        lead("lead.worse", worse, -1.0),
    ]
}

/// The outcomes from bad to good for the attacker.
pub fn chances_of(found: &Outcomes) -> Vec<Chance> {
    let mut chances: Vec<Chance> = found
        .by_label
        .iter()
        .map(|(label, p)| Chance { label: found.told(label), p: *p, tone: found.tone(label) })
        .collect();
    chances.sort_by(|a, b| a.tone.total_cmp(&b.tone));
    chances
}
