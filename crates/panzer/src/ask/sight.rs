//! Lines of sight and spotting.

use kernel::{
    Ask, Message,
    message::Arg,
    view::{Area, MapLine, Overlay, Section, SectionPoint, Tone},
};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    pack::{Cover, advanced::SpotSize},
    rules::Panzer,
    spotting::ROWS,
    state::{Flags, Spot, State},
    units::UnitId,
};

/// `los A B`: units or hexes.
pub fn los(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let from = words.place()?;
    let _ = words.take("->") || words.take("to");
    let to = words.place()?;
    let section = rules.los.section(&rules.field, from, to, &s.smoke);
    let mut answer = json!({
        "clear": section.clear, "blocked_by": section.blocked_by, "case": section.case,
        "hindrances": section.hindrances, "range": section.range, "heights": section.heights,
        "from": section.from, "to": section.to,
        "section": section,
    });
    answer["blocked"] = json!(!section.clear);
    answer["overlay"] = json!(overlay(rules, &section));
    Ok(answer)
}

/// `sees A B`: the line of sight, at the heights of units where units are named, and whether A spots B now.
pub fn sees(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let mut ends = [None; 2];
    let mut ahead = words.clone();
    for end in &mut ends {
        *end = ahead.peek().and_then(|word| rules.named(word));
        let _ = ahead.next()?;
        let _ = ahead.take("->") || ahead.take("to");
    }
    let mut answer = los(rules, s, words)?;
    answer["sees"] = answer["clear"].clone();
    if let [Some(from), Some(to)] = ends {
        answer["sees"] = json!(rules.sees(s, from, to));
        answer["spots"] = json!(rules.spots(s, from, to));
    }
    Ok(answer)
}

/// The line with what blocks it, and the terrain below it.
fn overlay(rules: &Panzer, section: &crate::los::Section) -> Overlay {
    let hindered = !section.hindrances.is_empty();
    let key = match (section.clear, hindered) {
        (true, false) => "note.clear",
        (true, true) => "note.hindered",
        (false, _) => "note.blocked",
    };
    let mut note = Message::new(key)
        .place("from", &section.from)
        .place("to", &section.to)
        .number("range", section.range);
    if let Some(by) = &section.blocked_by {
        note = note.place("by", by);
    }
    let stops = |step: &crate::los::SectionStep| step.obstacles.iter().any(|obstacle| obstacle.blocks);
    let free = section.steps.iter().find(|step| stops(step)).map(|step| step.at);
    let line = MapLine {
        kind: "los".into(),
        cells: vec![section.from.clone(), section.to.clone()],
        tone: match (section.clear, hindered) {
            (true, false) => Tone::Good,
            (true, true) => Tone::Doubt,
            (false, _) => Tone::Bad,
        },
        free: free.filter(|_| !section.clear),
        text: section.range.to_string(),
        ..MapLine::default()
    };
    let point = |step: &crate::los::SectionStep| SectionPoint {
        cell: step.hex.clone(),
        at: step.at,
        ground: step.ground.into(),
        top: step.top.max(step.hexside.map_or(step.top, |(_, top)| top)).into(),
        blocks: stops(step),
        label: rules.field.find(&step.hex).map(|_| Message::new(format!("terrain.{}", step.terrain))),
    };
    Overlay {
        note: Some(note),
        rule: section.case.into(),
        lines: vec![line],
        section: Some(Section {
            points: section.steps.iter().map(point).collect(),
            from: section.heights[0].into(),
            to: section.heights[1].into(),
        }),
        ..Overlay::default()
    }
}

/// `sight A`: every hex in line of sight of a vehicle or hex.
pub fn visible(rules: &Panzer, _s: &State, words: &mut Words) -> Result<Value, Ask> {
    let from = words.place()?;
    let hexes: Vec<String> =
        rules.los.visible_from(from).iter().map(|hex| rules.field.label(hex).to_owned()).collect();
    let area = Area {
        label: Some(Message::new("overlay.in_sight")),
        cells: hexes.clone(),
        tone: Tone::Good,
        ..Area::default()
    };
    let overlay = Overlay { rule: "4.1.4".into(), areas: vec![area], ..Overlay::default() };
    Ok(json!({ "hexes": hexes, "overlay": overlay }))
}

pub(super) const fn cover_key(cover: Cover) -> &'static str {
    match cover {
        Cover::None => "none",
        Cover::Light => "light",
        Cover::Medium => "medium",
        Cover::Heavy => "heavy",
    }
}

/// `spot A B`: whether A spots B now, and from how far B could be spotted (4.1.3).
pub fn spot(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let spotter = words.unit()?;
    words.take("->");
    let target = words.unit()?;
    // 6.1.3: a passenger is part of its vehicle, and spotted with it.
    let target = s.unit(target).aboard.some().unwrap_or(target);
    let (a, b) = (s.unit(spotter), s.unit(target));
    if !a.on_map() || !b.on_map() {
        return Err(Ask::Bad("both vehicles must be on the map".into()));
    }
    let table = &rules.tables().modifiers;
    let cover = rules.spotting_cover_of(s, target);
    let overstacked = rules.overstacked(s, b.hex);
    let mut shifts = Vec::new();
    if cover != Cover::None {
        shifts.push(
            json!({ "cause": format!("{}_cover", cover_key(cover)), "shift": table.spot_cover[cover as usize],
                            "terrain": rules.field.terrain(b.hex).key(), "rule": "4.1.3" }),
        );
    }
    if overstacked {
        shifts.push(json!({ "cause": "overstacked", "shift": 0, "rule": "4.1.3.2" }));
    }
    if b.spot != Spot::None {
        shifts.push(json!({ "cause": format!("spot_{}", b.spot.key()), "shift": rules.spot_modifier(b.spot),
                            "rule": "4.1.3" }));
    }
    if let Some(game) = rules.advanced.as_deref() {
        let tables = game.tables();
        let night = rules.optional(36) && !rules.lit(s, b.hex);
        let own = [
            (night, "night", tables.optional.night.spotting_row, "7.36"),
            (b.is(Flags::FULL_COVER), "target_full_cover", tables.target_full_cover, "6.1.3.2"),
            (a.suppressed(), "spotter_suppressed", tables.spotter_suppressed, "6.1.3.1"),
            (a.is(Flags::FULL_COVER), "spotter_full_cover", tables.spotter_full_cover, "6.1.3.2"),
        ];
        for (_, cause, shift, rule) in own.into_iter().filter(|(applies, ..)| *applies) {
            shifts.push(json!({ "cause": cause, "shift": shift, "rule": rule }));
        }
    }
    let sum: i64 = shifts.iter().filter_map(|shift| shift["shift"].as_i64()).sum();
    let sight = rules.los.between(a.hex, b.hex);
    let combat = rules.armed(s, spotter);
    let (range, maximum) = (rules.field.range(a.hex, b.hex), rules.range_between(s, spotter, target));
    let spotted = rules.spots(s, spotter, target);
    let rule = match () {
        () if spotted => "4.1",
        () if !combat => "4.1.1",
        () if !rules.sees(s, spotter, target) => sight.case,
        () if !rules.looks_toward(s, spotter, b.hex) => "6.1.3.1",
        () => "4.1.3",
    };
    let size = rules.piece(target).map(|piece| piece.spotted_as);
    let base = match (rules.advanced.as_deref(), size) {
        (Some(game), Some(size)) => game.tables().spotting_range(0, size), // 6.1.3
        _ => rules.tables().spotting[ROWS.1 as usize],
    };
    let column = match size {
        Some(SpotSize::Large) => "L",
        Some(SpotSize::Small) => "S",
        _ => "V",
    };
    Ok(json!({
        "base": base,
        "base_range": base,
        "column": column,
        "shifts": shifts,
        "modifiers": shifts,
        "net": sum,
        "row": sum.clamp(ROWS.0.into(), ROWS.1.into()),
        "cover": cover_key(cover),
        "maximum": maximum,
        "max_range": maximum,
        "maximum_range": maximum,
        "range": range,
        "los": rules.sees(s, spotter, target),
        "case": sight.case,
        "combat_unit": combat,
        "spotted": spotted,
        "rule": rule,
    }))
}

/// `range A B`: hexes between two units or hexes.
pub fn range(rules: &Panzer, words: &mut Words) -> Result<Value, Ask> {
    let from = words.place()?;
    let _ = words.take("->") || words.take("to");
    let to = words.place()?;
    let range = rules.field.range(from, to);
    Ok(json!({ "range": range, "distance": range, "rule": "3.5.2" }))
}

/// `spots A`: the enemy units that A spots now (4.1).
pub fn spots(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let spotter = words.unit()?;
    if words.peek().is_some() {
        words.take("->");
        let target = words.unit()?;
        return Ok(json!({ "spotted": rules.spots(s, spotter, target), "rule": "4.1" }));
    }
    let enemies = rules.units_of(rules.vehicle(spotter).side.enemy());
    let seen =
        enemies.iter().copied().filter(|unit| s.unit(*unit).on_map() && rules.spots(s, spotter, *unit));
    Ok(json!({ "units": seen.map(|unit| rules.id(unit)).collect::<Vec<_>>(), "rule": "4.1" }))
}

/// `spotted B`: the units that spot B now, and those that spotted it in this turn's Spotting Phase.
pub fn spotted(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    if words.peek().and_then(crate::lab::side_named).is_some() {
        let side = words.side()?;
        return Ok(spotted_of(rules, s, side));
    }
    let target = words.unit()?;
    let names = |set: crate::units::UnitSet| set.iter().map(|unit| rules.id(unit)).collect::<Vec<_>>();
    Ok(json!({
        "now": names(rules.spotters(s, target)),
        "this_turn": names(s.spotters[target.index()]),
        "range": rules.spotting_range(s, target),
        "spot": s.unit(target).spot.key(),
        "overlay": Overlay { note: Some(spotted_note(rules, s, target)), ..lines_overlay(spotting_lines(rules, s, target)) },
    }))
}

fn spotted_note(rules: &Panzer, s: &State, target: UnitId) -> Message {
    let by = s.spotters[target.index()];
    let range = rules.spotting_range(s, target);
    let note = |key: &'static str| Message::new(key).unit("unit", rules.id(target)).number("range", range);
    if by.is_empty() {
        return note("note.unspotted");
    }
    let spotters = by.iter().map(|unit| Arg::Unit(rules.id(unit).into())).collect();
    note("note.spotted").with("spotters", Arg::List(spotters))
}

fn lines_overlay(lines: Vec<MapLine>) -> Overlay {
    Overlay { rule: "4.1".into(), lines, ..Overlay::default() }
}

/// Lines from every unit that spotted a vehicle this turn to the vehicle.
fn spotting_lines(rules: &Panzer, s: &State, target: UnitId) -> Vec<MapLine> {
    let place = |unit: UnitId| String::from(rules.field.label(s.unit(unit).hex));
    let spotters = s.spotters[target.index()].iter().filter(|_| s.unit(target).on_map());
    spotters
        .filter(|spotter| s.unit(*spotter).on_map())
        .map(|spotter| MapLine {
            kind: "spotted".into(),
            cells: vec![place(spotter), place(target)],
            seat: Some(crate::play::seat(rules.vehicle(spotter).side)),
            arrow: true,
            ..MapLine::default()
        })
        .collect()
}

/// `spotted axis`: the side's vehicles that the enemy has spotted this turn, with the lines.
fn spotted_of(rules: &Panzer, s: &State, side: crate::pack::Side) -> Value {
    let mut lines = Vec::new();
    let mut spotted = serde_json::Map::new();
    for target in rules.units_of(side).iter().copied() {
        let by = s.spotters[target.index()];
        if by.is_empty() || !s.unit(target).on_map() {
            continue;
        }
        lines.extend(spotting_lines(rules, s, target));
        spotted
            .insert(rules.id(target).into(), json!(by.iter().map(|unit| rules.id(unit)).collect::<Vec<_>>()));
    }
    json!({ "spotted": spotted, "overlay": lines_overlay(lines) })
}
