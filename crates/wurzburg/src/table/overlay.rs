//! Overlays: formations and chains of command (7.0, 12.1, 30.1).

use kernel::{
    Ask, Message,
    view::{Area, MapLine, Overlay, Tone},
};
use serde_json::{Value, json};

use crate::{
    ask::Words,
    play::seat,
    rules::Wurzburg,
    state::State,
    units::{Side, Symbol, UnitId},
};

/// The nearest HQ that commands a unit now, and the nearest that would if it were in range.
fn commander(rules: &Wurzburg, s: &State, unit: UnitId) -> (Option<UnitId>, Option<UnitId>) {
    let hex = s.unit(unit).hex;
    let above = |hq: &&UnitId| {
        rules.counter(**hq).side == rules.counter(unit).side
            && rules.superior(s, **hq, unit)
            && s.unit(**hq).on_map()
    };
    let near = |hq: &UnitId| rules.field.distance(s.unit(*hq).hex, hex);
    let all = || rules.hqs.iter().filter(above).copied();
    let commands = all().filter(|hq| rules.hq_works(s, *hq) && rules.in_range(s, *hq, hex)).min_by_key(near);
    (commands, all().min_by_key(near))
}

/// `command nato`: every ground unit of the side with a line to the HQ above it; out of command if none reaches it.
pub fn command(rules: &Wurzburg, s: &State, side: Side) -> Value {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let mut lines = Vec::new();
    let label = |hex| rules.field.label(hex).to_owned();
    for unit in rules.units_of(side) {
        let counter = rules.counter(*unit);
        let u = s.unit(*unit);
        if !u.on_map() || !counter.symbol.ground() || counter.symbol == Symbol::Hq {
            continue;
        }
        let here = label(u.hex);
        let (commands, nearest) = commander(rules, s, *unit);
        let list = if commands.is_some() { &mut good } else { &mut bad };
        if !list.contains(&here) {
            list.push(here.clone());
        }
        let Some(hq) = commands.or(nearest).filter(|hq| s.unit(*hq).hex != u.hex) else { continue };
        let cells = vec![label(s.unit(hq).hex), here];
        if !lines.iter().any(|line: &MapLine| line.cells == cells) {
            lines.push(MapLine {
                kind: "command".into(),
                cells,
                seat: Some(seat(side)),
                tone: if commands.is_some() { Tone::Plain } else { Tone::Bad },
                ..MapLine::default()
            });
        }
    }
    let area = |key: &'static str, cells: Vec<String>, tone: Tone| Area {
        label: Some(Message::new(key)),
        cells,
        seat: Some(seat(side)),
        tone,
        ..Area::default()
    };
    let overlay = Overlay {
        rule: "12.1".into(),
        areas: vec![area("overlay.in_command", good, Tone::Good), area("overlay.no_command", bad, Tone::Bad)],
        lines,
        ..Overlay::default()
    };
    json!({ "overlay": overlay })
}

/// `formation A`: the units of the same formation, and the HQs above it with their ranges.
pub(crate) fn formation(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let counter = rules.counter(unit);
    let label = |hex| rules.field.label(hex).to_owned();
    let mates = rules.units_of_formation(s, counter.formation).filter(|mate| s.unit(*mate).on_map());
    let mut cells: Vec<String> = mates.map(|mate| label(s.unit(mate).hex)).collect();
    cells.sort();
    cells.dedup();
    let mut lines = Vec::new();
    let mut reach = Vec::new();
    for hq in &rules.hqs {
        if rules.counter(*hq).side != counter.side || !rules.superior(s, *hq, unit) || !s.unit(*hq).on_map() {
            continue;
        }
        let (from, range) = (s.unit(*hq).hex, u16::from(rules.counter(*hq).command_range));
        let works = rules.hq_works(s, *hq);
        let near = s.unit(unit).on_map() && rules.in_range(s, *hq, s.unit(unit).hex);
        if s.unit(unit).on_map() && s.unit(unit).hex != from {
            lines.push(MapLine {
                kind: "command".into(),
                cells: vec![label(from), label(s.unit(unit).hex)],
                seat: Some(seat(counter.side)),
                tone: if works && near { Tone::Good } else { Tone::Bad },
                text: rules.field.distance(from, s.unit(unit).hex).to_string(),
                ..MapLine::default()
            });
        }
        if works {
            reach.extend(rules.field.board.range(from, range).map(label));
        }
    }
    reach.sort();
    reach.dedup();
    let overlay = Overlay {
        note: Some(
            Message::new("overlay.formation_of")
                .unit("unit", counter.id.clone())
                .term("formation", format!("formation.{}", rules.formation(counter.formation).id)),
        ),
        rule: "7.0".into(),
        areas: vec![
            Area {
                label: Some(Message::new("overlay.command_range")),
                cells: reach,
                seat: Some(seat(counter.side)),
                ..Area::default()
            },
            Area {
                label: Some(Message::new("overlay.same_formation")),
                cells,
                seat: Some(seat(counter.side)),
                tone: Tone::Good,
                ..Area::default()
            },
        ],
        lines,
        ..Overlay::default()
    };
    Ok(json!({ "overlay": overlay }))
}
