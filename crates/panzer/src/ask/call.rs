//! The sheet of a call for indirect fire: what each source must roll, and the sheaf on the map.

use hexgrid::HexId;
use kernel::{
    Ask, Message,
    view::{Chance, Sheet, SheetLine, Tone},
};
use serde_json::{Value, json};

use super::{
    sheaf::{Picture, area},
    sheet::{line, signed},
};
use crate::{
    action::CallOrder,
    indirect::{Mission, Source, Sources, plan::Plot},
    pack::Side,
    rules::Panzer,
    state::State,
};

/// `sheet call FO on C5 with bat1 gp closed`
pub fn sheet(rules: &Panzer, s: &State, side: Side, order: &CallOrder) -> Result<Value, Ask> {
    if !s.unit(order.observer).on_map() {
        return Err(Ask::Bad(format!("{} is not on the map", rules.id(order.observer))));
    }
    let title = Message::new("sheet.call").unit("unit", rules.id(order.observer));
    let mut sheet =
        Sheet { title: Some(title.place("hex", rules.field.label(order.point))), ..Sheet::default() };
    let before = rules.mission(s, order.adjusts);
    // How many of the sources respond: the chance of each number.
    let mut responding = vec![1.0];
    for source in &order.sources {
        let adjusted = before.is_some_and(|m| m.sources.contains(source));
        let name = Message::new("sheet.source").with("source", rules.source_words(*source));
        let Some(answer) = rules.answer(s, order.observer, *source, order.point, adjusted) else {
            sheet.lines.push(line(name, "–", "6.5.1.1", 0));
            continue;
        };
        // A natural 1 never responds (6.5.1.12).
        let need = (i16::from(answer.factor) - i16::from(answer.modifier)).clamp(2, 11);
        let p = f64::from(11 - need) / 10.0;
        sheet.lines.push(line(name, if need > 10 { "–".into() } else { format!("{need}+") }, "6.5.1.12", 0));
        rules.response_modifiers(s, order.observer, *source, order.point, adjusted, |cause, value| {
            let label = Message::new(format!("response_modifier.{}", cause.key()));
            sheet.lines.push(line(label, signed(value.into()), "6.5.1.12.1", 1));
        });
        sheet.lines.extend(ammo(rules, s, *source, order.smoke, order.light));
        let range = crate::indirect::range(rules, s, order.observer, *source, order.point);
        if let Some((factor, gpf)) = rules.indirect_row(*source).and_then(|row| row.at(range)) {
            let label = Message::new("sheet.range").number("range", range);
            // Illumination harms nobody.
            let value = if order.light { factor.key().to_owned() } else { format!("{} {gpf}", factor.key()) };
            sheet.lines.push(line(label, value, "6.5.1.13", 1));
        }
        let mut next = vec![0.0; responding.len() + 1];
        for (n, chance) in responding.iter().enumerate() {
            next[n] += chance * (1.0 - p);
            next[n + 1] += chance * p;
        }
        responding = next;
    }
    let most = responding.len().saturating_sub(1).max(1);
    for (n, p) in responding.iter().enumerate().filter(|(_, p)| **p > 1e-9) {
        let tone = if n == 0 { -1.0 } else { n as f32 / most as f32 };
        sheet.chances.push(Chance {
            label: Message::new("result.respond").number("n", n as i64),
            p: *p,
            tone,
        });
    }
    let mission = as_called(side, order, s.turn, rules, s);
    for source in &order.sources {
        super::blast::salvo(rules, s, side, &mission, *source, &mut sheet.lines);
    }
    paint(rules, s, side, order, &mission, &mut sheet);
    Ok(json!({ "sheet": sheet }))
}

/// 5.16.2: the ammunition limit of a source, with the chance that its shells last. Smoke and illumination do not land
/// at all without (5.16.2.3).
fn ammo(rules: &Panzer, s: &State, source: Source, smoke: bool, light: bool) -> Option<SheetLine> {
    let limit = rules.ammo_limit(s, source, smoke, light)?;
    let key = if smoke || light { "sheet.ammo_lands" } else { "sheet.ammo_lasts" };
    Some(line(Message::new(key), format!("1–{}", limit.min(10)), "5.16.2", 1))
}

/// The mission that the call would bring.
fn as_called(side: Side, order: &CallOrder, turn: u8, rules: &Panzer, s: &State) -> Mission {
    let seen = s.unit(order.observer).hex.some().map_or(0, |hex| rules.field.range(hex, order.point));
    Mission {
        // Numbers of missions begin at 1.
        id: 0,
        side,
        observer: order.observer,
        point: order.point,
        sheaf: order.sheaf,
        direction: order.direction,
        smoke: order.smoke,
        light: order.light,
        sources: order.sources.clone(),
        turn,
        danger_close: false,
        planned: false,
        seen: u8::try_from(seen).unwrap_or(u8::MAX),
        limited: Sources::new(),
    }
}

/// The sheaf of all sources together, as the map shows it, and what illumination lights up (7.27).
fn paint(rules: &Panzer, s: &State, side: Side, order: &CallOrder, mission: &Mission, sheet: &mut Sheet) {
    let mut hexes: Vec<HexId> = Vec::new();
    for source in &order.sources {
        for hex in rules.source_pattern(mission, *source, order.point) {
            if !hexes.contains(&hex) {
                hexes.push(hex);
            }
        }
    }
    let (observer, adjusted) = (Some(order.observer), order.adjusts > 0);
    let picture = Picture { rules, s, side: Some(side), observer, point: order.point, adjusted };
    let lights = |hex: &HexId| order.light && hexes.iter().any(|over| rules.lights(*over, *hex));
    let lit: Vec<HexId> = rules.field.hexes().filter(lights).collect();
    let mut patterns = Vec::new();
    if !lit.is_empty() {
        patterns.push(("marker.lit", lit.as_slice(), Tone::Plain));
    }
    patterns.push(("sheet.sheaf", hexes.as_slice(), Tone::Good));
    sheet.areas.extend(picture.areas(&patterns));
}

/// `sheet plot bat1 …`: every part of a plan with its sheaf.
pub fn planned(rules: &Panzer, s: &State, plot: &Plot) -> Value {
    let mut sheet = Sheet::default();
    let name = rules.source_words(Source::Battery(plot.battery));
    sheet.title = Some(Message::new("sheet.plot").with("source", name).number("turn", plot.arrival));
    let mut turn = plot.arrival;
    for segment in &plot.segments {
        let label = Message::new("sheet.segment").place("hex", rules.field.label(segment.point));
        let last = turn.saturating_add(segment.turns).saturating_sub(1);
        let turns = if last > turn { format!("{turn}–{last}") } else { turn.to_string() };
        sheet.lines.push(line(label, turns, "6.5.1.11", 1));
        // 6.5.1.11.4: rolled in every turn of it.
        let battery = Source::Battery(plot.battery);
        sheet.lines.extend(ammo(rules, s, battery, segment.smoke, segment.light));
        turn = last.saturating_add(1);
        let hexes = rules.pattern(segment.point, segment.sheaf, segment.direction);
        let tone = if segment.smoke { Tone::Doubt } else { Tone::Good };
        sheet.areas.push(area(rules, "sheet.sheaf", &hexes, tone));
    }
    json!({ "sheet": sheet })
}
