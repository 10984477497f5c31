//! Questions about indirect fire (6.5.1).

use hexgrid::HexId;
use kernel::{
    Ask, Message, Viewer,
    view::{MapLine, Overlay, Tone},
};
use serde_json::{Value, json};

use super::{
    sheaf::{Picture, area},
    words::Words,
};
use crate::{
    indirect::Source,
    pack::advanced::{HindranceKind, Sheaf},
    rules::Panzer,
    state::State,
    units::UnitId,
};

/// `response FO1 bat1 [C5] [adjusted]`: what a source must roll for an observer (6.5.1.12).
pub fn response(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let observer = words.unit()?;
    let name = words.next()?;
    let source = rules.source_named(&name);
    let source = source
        .ok_or_else(|| Ask::Bad(format!("`{name}` is no battery and no unit that fires indirectly")))?;
    let mut point = s.unit(observer).hex;
    let mut adjusted = false;
    while let Some(word) = words.peek().map(str::to_lowercase) {
        match word.as_str() {
            "adjusted" | "adjust" => {
                words.next()?;
                adjusted = true;
            }
            "on" | "at" => {
                words.next()?;
            }
            _ => point = words.place()?,
        }
    }
    if !s.unit(observer).on_map() {
        return Err(Ask::Bad(format!("{} is not on the map", rules.id(observer))));
    }
    let Some(answer) = rules.answer(s, observer, source, point, adjusted) else {
        return Ok(json!({ "possible": false, "rule": "6.5.1.1" }));
    };
    let mut modifiers = Vec::new();
    rules.response_modifiers(s, observer, source, point, adjusted, |cause, value| {
        modifiers.push(json!({ "cause": cause.key(), "value": value, "rule": "6.5.1.12.1" }));
    });
    let good =
        (2..=10_i16).filter(|roll| roll + i16::from(answer.modifier) >= i16::from(answer.factor)).count();
    let row = rules.indirect_row(source);
    let range = match source {
        Source::Battery(_) => rules.field.range(s.unit(observer).hex, point),
        Source::Unit { unit, .. } => {
            rules.field.range(s.unit(observer).hex, point).max(rules.field.range(s.unit(unit).hex, point))
        }
    };
    let fires = row.and_then(|row| row.at(range.max(1)));
    Ok(json!({
        "possible": true,
        "rule": "6.5.1.12",
        "observer": answer.row.key(),
        "level": answer.level.key(),
        "attachment": answer.level.key(),
        "factor": answer.factor,
        "modifiers": modifiers,
        "modifier": answer.modifier,
        "sources": rules.observes(observer).map(|(_, most)| most),
        "range": range,
        "range_factor": fires.map(|(factor, _)| factor.key()),
        "gpf": fires.map(|(_, gpf)| gpf),
        "chance": good as f64 / 10.0,
    }))
}

/// `plan bat1`: what a battery will fire on which turn (6.5.1.11), for its owner.
pub fn plan(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let name = words.next()?;
    let Some(Source::Battery(n)) = rules.source_named(&name) else {
        return Err(Ask::Bad(format!("`{name}` is no battery")));
    };
    let side = rules.battery(n).map(|battery| battery.side);
    let own = side.is_some_and(|side| viewer.knows(crate::play::seat(side)));
    let Some(plot) = s.indirect.plots.iter().find(|plot| plot.battery == n) else {
        return Ok(json!({ "planned": false, "rule": "6.5.1.11" }));
    };
    if !own && plot.begun == 0 {
        return Ok(json!({ "planned": false, "rule": "6.5.1.11" }));
    }
    if !own {
        return Err(Ask::Secret);
    }
    let slip = rules.advanced.as_deref().map_or(0, |game| game.tables().indirect.planned_slip);
    let rest = rules.advanced.as_deref().map_or(0, |game| game.tables().indirect.planned_rest);
    let first = if plot.begun > 0 { plot.begun } else { plot.arrival };
    let mut turns = serde_json::Map::new();
    let mut turn = first;
    for segment in &plot.segments {
        for _ in 0..segment.turns {
            let fires = json!({ "smoke": segment.smoke, "light": segment.light, "sheaf": segment.sheaf.key(),
                                "hex": rules.field.label(segment.point) });
            turns.insert(turn.to_string(), fires);
            turn = turn.saturating_add(1);
        }
    }
    Ok(json!({
        "planned": true, "rule": "6.5.1.11", "arrival": plot.arrival, "begun": plot.begun > 0, "total": plot.turns(),
        "earliest": plot.arrival.saturating_sub(slip), "latest": plot.arrival.saturating_add(slip), "turns": turns,
        "available": turn.saturating_add(rest), "busy": rules.planned_busy(s, n),
    }))
}

/// `hindrances A B`: what hinders fire between two units or hexes (5.11).
pub fn hindrances(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let from = words.end_of_line()?;
    let _ = words.take("->");
    let to = words.end_of_line()?;
    let mut list = Vec::new();
    let (mut ap, mut gp) = (0_i16, 0_i16);
    let tables = rules.advanced.as_deref().map(|game| &game.tables().ap.hindrances);
    let tables = tables.ok_or_else(|| Ask::Bad("hindrances: only in the Advanced Game (5.11)".into()))?;
    rules.hindrances(s, from, to, |kind, times| {
        let row = &tables[kind.index()];
        ap += i16::from(row.ap) * i16::from(times);
        gp += i16::from(row.gp) * i16::from(times);
        list.push(json!({ "kind": kind.key(), "times": times, "ap": row.ap, "gp": row.gp }));
    });
    Ok(json!({ "hindrances": list, "ap": ap, "gp": gp, "rule": "5.11" }))
}

/// `pattern C5 open`, `pattern C5 linear 3`: the hexes of a sheaf (6.5.1.5).
///
/// `sheaf FO C5`: what a mission on a hex would cover for an observer, and the friendly units it may fall on.
pub fn pattern(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let observer = words.peek().and_then(|word| rules.named(word));
    let point = words.place()?;
    let sheaf_word =
        |word: &str| matches!(word, "linear" | "target" | "on_map") || Sheaf::parse(word).is_some();
    if words.peek().is_none_or(|word| !sheaf_word(&word.to_lowercase())) {
        let to = if words.peek().is_some() { words.place()? } else { point };
        return Ok(preview(rules, s, observer, point, to));
    }
    let name = words.next()?.to_lowercase();
    let sheaf = match name.as_str() {
        "linear" => Sheaf::ClosedLinear,
        "target" | "on_map" => Sheaf::OnMapClosed,
        name => Sheaf::parse(name)
            .ok_or_else(|| Ask::Bad(format!("sheaf `{name}`; there is closed, open, linear, on_map")))?,
    };
    let mut direction = 0;
    if sheaf == Sheaf::ClosedLinear {
        let word = words.next()?;
        let facing = crate::notation::read_facing(&word);
        let facing = facing.ok_or_else(|| Ask::Bad(format!("`{word}` is no direction")))?;
        direction = facing.index() as u8;
    }
    let hexes = rules.pattern(point, sheaf, direction);
    let labels: Vec<&str> = hexes.iter().map(|hex| rules.field.label(*hex)).collect();
    let areas = vec![area(rules, "overlay.sheaf_closed", &hexes, Tone::Good)];
    let overlay = Overlay { rule: "6.5.1.5".into(), areas, ..Overlay::default() };
    Ok(json!({ "sheaf": sheaf.key(), "hexes": labels, "count": labels.len(), "rule": "6.5.1.5",
               "overlay": overlay }))
}

/// 6.5.1.5, 6.5.1.10, 7.26: the sheafs around a target point, where it may scatter, and the friendly units in danger.
fn preview(rules: &Panzer, s: &State, observer: Option<UnitId>, from: HexId, point: HexId) -> Value {
    let labels = |hexes: &[HexId]| hexes.iter().map(|hex| rules.field.label(*hex)).collect::<Vec<_>>();
    let closed = rules.pattern(point, Sheaf::Closed, 0);
    let open = rules.pattern(point, Sheaf::Open, 0);
    let ring: Vec<HexId> = open.iter().copied().filter(|hex| !closed.contains(hex)).collect();
    let range = rules.field.range(from, point);
    let side = observer.map(|unit| rules.vehicle(unit).side);
    let picture = Picture { rules, s, side, observer, point, adjusted: false };
    let areas = picture
        .areas(&[("overlay.sheaf_closed", &closed, Tone::Good), ("overlay.sheaf_open", &ring, Tone::Plain)]);
    let scattered = picture.scattered().len();
    let inside = |hexes: &[HexId]| {
        let here = s.ids().filter(|unit| s.unit(*unit).hex.some().is_some_and(|hex| hexes.contains(&hex)));
        here.filter(|unit| s.unit(*unit).on_map()).map(|unit| rules.id(unit)).collect::<Vec<_>>()
    };
    let note = Message::new("note.sheaf")
        .place("to", rules.field.label(point))
        .number("range", range)
        .number("closed", inside(&closed).len() as i64)
        .number("open", inside(&open).len() as i64);
    let line = MapLine {
        kind: "los".into(),
        cells: vec![rules.field.label(from).to_owned(), rules.field.label(point).to_owned()],
        tone: if rules.los.clear(from, point) { Tone::Good } else { Tone::Bad },
        text: range.to_string(),
        ..MapLine::default()
    };
    let lines = if from == point { Vec::new() } else { vec![line] };
    let overlay = Overlay { note: Some(note), rule: "6.5.1.5".into(), areas, lines, ..Overlay::default() };
    json!({
        "closed": { "hexes": labels(&closed), "units": inside(&closed) },
        "open": { "hexes": labels(&open), "units": inside(&open) },
        "danger_close": picture.friends().map(|unit| rules.id(unit)).collect::<Vec<_>>(),
        "scatter": (scattered > 0).then_some(scattered),
        "range": range, "sight": rules.los.clear(from, point), "rule": "6.5.1.5", "overlay": overlay,
    })
}

/// `missions`: current missions, and their effects on the map.
pub fn missions(rules: &Panzer, s: &State) -> Value {
    let missions: Vec<Value> = s
        .indirect
        .missions
        .iter()
        .map(|m| {
            json!({
                "mission": format!("M{}", m.id), "side": m.side.key(), "observer": m.observer.some().map(|unit| rules.id(unit)),
                "planned": m.planned,
                "hex": rules.field.label(m.point), "sheaf": m.sheaf.key(), "smoke": m.smoke, "light": m.light,
                "danger_close": m.danger_close, "turn": m.turn,
                "sources": m.sources.iter().map(|source| rules.source_name(*source)).collect::<Vec<_>>(),
            })
        })
        .collect();
    let areas: Vec<Value> = s
        .indirect
        .areas
        .iter()
        .map(|area| {
            let hexes: Vec<&str> = area.hexes.iter().map(|hex| rules.field.label(*hex)).collect();
            json!({ "kind": area.kind.key(), "hexes": hexes, "off": area.off })
        })
        .collect();
    let shown = s.indirect.areas.iter().filter(|area| area.kind != HindranceKind::OnFire).map(|found| {
        let hexes: Vec<HexId> = found.hexes.iter().copied().collect();
        let tone = if found.smoke() { Tone::Plain } else { Tone::Bad };
        area(rules, format!("modifier.{}", found.kind.key()), &hexes, tone)
    });
    let overlay = Overlay { rule: "6.5.1".into(), areas: shown.collect(), ..Overlay::default() };
    json!({ "missions": missions, "areas": areas, "rule": "6.5.1", "overlay": overlay })
}
