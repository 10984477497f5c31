//! The sheets of the Advanced Game: fire, assault and overrun with every modifier and exact chances.

use kernel::{
    Ask, Message, Viewer,
    view::{Chance, Figure, FigurePart, Sheet, SheetLine, Tone},
};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    action::{Action, Part, Shot},
    fire::{Fate, Kind, Shooting, bearing},
    frame::Frame,
    pack::advanced::{Slope, lookup::outcome},
    piece::Ammo,
    play::seat,
    report::gun_words,
    rules::Panzer,
    state::State,
    units::{RANGE_FACTORS, UnitId},
};

pub(super) fn line(label: Message, value: impl Into<String>, rule: &str, level: u8) -> SheetLine {
    SheetLine { label, value: value.into(), rule: rule.to_owned(), level }
}

pub(super) fn signed(number: i64) -> String {
    match number {
        0 => "0".into(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.unsigned_abs()),
    }
}

/// N and S of the GP table (6.5.4.4).
pub(super) fn numbers(n: i16, s: i16) -> String {
    format!("{n} / {s}").replace('-', "−")
}

pub(super) fn modifier(key: &str, value: i64, rule: &str) -> SheetLine {
    line(Message::new(format!("modifier.{key}")), signed(value), rule, 1)
}

/// `sheet fire …`, `sheet call …`, `sheet plot …`, `sheet assault …`, `sheet move … overrun B`, `sheet bomb`, `sheet aa F1`
pub fn sheet(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let text = words.rest().join(" ");
    let side = rulebook::flow::asks(rules, s, s.top()).unwrap_or_default();
    let action = crate::notation::read(rules, s, side, &text)
        .map_err(|_| Ask::Bad(format!("`{text}` cannot be read")))?;
    // Only the side's own actions are computed, since they reveal Commands.
    let own = |unit: UnitId| {
        if viewer.knows(seat(rules.vehicle(unit).side)) { Ok(()) } else { Err(Ask::Secret) }
    };
    match action {
        Action::Fire { target, shots } => {
            if let Some(shot) = shots.first() {
                own(shot.unit)?;
            }
            if !s.unit(target).on_map() {
                return Err(Ask::Bad(format!("{} is not on the map", rules.id(target))));
            }
            Ok(fire(rules, s, target, &shots))
        }
        Action::Call(order) => {
            own(order.observer)?;
            super::call::sheet(rules, s, side, &order)
        }
        Action::Plot(plot) => {
            let battery = rules.battery(plot.battery).filter(|b| viewer.knows(seat(b.side)));
            battery.ok_or(Ask::Secret)?;
            Ok(super::call::planned(rules, s, &plot))
        }
        Action::Assault { target, attackers } => {
            let Some(first) = attackers.first() else { return Err(Ask::Unknown(format!("sheet {text}"))) };
            own(first.unit)?;
            let ids: Vec<&str> = attackers.iter().map(|a| rules.id(a.unit)).collect();
            let mut question = format!("{} -> {}", ids.join(" "), rules.id(target));
            if let Some(hex) = first.advance.some() {
                question.push_str(&format!(" from {}", rules.field.label(hex)));
            }
            let found = super::assault::assault(rules, s, viewer, &mut Words::new(rules, s, &question))?;
            Ok(assault(rules, first.unit, target, found))
        }
        // 6.6.1.1: whoever gets off attacks alone and has not advanced.
        Action::DismountAssault { unit, hex, target, .. } => {
            own(unit)?;
            let question = format!(
                "{} -> {} dismount from {}",
                rules.id(unit),
                rules.id(target),
                rules.field.label(hex)
            );
            let found = super::assault::assault(rules, s, viewer, &mut Words::new(rules, s, &question))?;
            Ok(assault(rules, unit, target, found))
        }
        Action::Move(order) => {
            let target = order.plan.iter().find_map(|part| match part {
                Part::Overrun(target) => Some(target),
                _ => None,
            });
            let Some(target) = target else { return Err(Ask::Unknown(format!("sheet {text}"))) };
            own(order.unit)?;
            overrun(rules, s, viewer, order.unit, target)
        }
        Action::AirAttack { arms, level } => {
            rules.air_side().filter(|side| viewer.knows(seat(*side))).ok_or(Ask::Secret)?;
            super::blast::strike(rules, s, viewer, arms, level)
        }
        Action::Aa(units) => {
            units.iter().try_for_each(|unit| own(*unit))?;
            super::blast::flak(rules, s, &units)
        }
        _ => Err(Ask::Unknown(format!("sheet {text}"))),
    }
}

fn fire(rules: &Panzer, s: &State, target: UnitId, shots: &[Shot]) -> Value {
    let kind = match s.top() {
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => Kind::Overwatch,
        _ => Kind::Direct,
    };
    let moving = rules.known_to_move(s, target);
    let mut sheet = Sheet::default();
    let start = Fate::now(s, target);
    let mut fate = start;
    let mut locations = Vec::new();
    for shot in shots.iter().filter(|shot| shot.target(target) == target) {
        if sheet.title.is_none() {
            let title = Message::new("sheet.title").unit("unit", rules.id(shot.unit));
            sheet.title = Some(title.unit("target", rules.id(target)));
        }
        let shooting = Shooting::new(*shot, target, kind, moving);
        let weapon = Message::new("sheet.weapon_of")
            .unit("unit", rules.id(shot.unit))
            .with("weapon", gun_words(rules, shot.unit, shot.gun));
        sheet.lines.push(line(weapon, shot.ammo.key().to_uppercase(), "5.16", 0));
        if shot.ammo == Ammo::Gp {
            gp_lines(rules, s, &shooting, &mut sheet.lines);
        } else {
            ap_lines(rules, s, &shooting, &mut sheet, &mut locations);
        }
        rules.foretell(s, &shooting, &mut fate);
    }
    sheet.chances = chances(rules, target, &start, &fate);
    let out = fate.0[Fate::BREWED_UP];
    json!({
        "sheet": sheet,
        "locations": locations,
        "fate": {
            "suppressed": fate.with(Fate::SUPPRESSED), "track_hit_or_reduced": fate.with(Fate::TRACK),
            "damaged": fate.with(Fate::DAMAGED), "out": fate.out(), "brewed_up": out,
        },
    })
}

fn gp_lines(rules: &Panzer, s: &State, shot: &Shooting, lines: &mut Vec<SheetLine>) {
    let Some(aim) = rules.gp_aim(s, shot) else { return };
    lines.push(line(Message::new("sheet.range").number("range", aim.range), aim.factor.key(), "6.5.4.1", 0));
    let defense = format!("{} : {}{:?}", aim.gpf, aim.gpd, aim.target);
    lines.push(line(Message::new("sheet.gp"), defense, "6.5.4.2", 0));
    rules.gp_modifiers(s, shot, aim.factor, |cause, value| {
        lines.push(modifier(cause.key(), value.into(), "6.5.4.3"));
    });
    lines.push(line(Message::new("sheet.net"), signed(aim.net.into()), "6.5.4.3", 0));
    lines.push(line(Message::new("sheet.numbers"), numbers(aim.n, aim.s), "6.5.4.4", 0));
}

fn ap_lines(rules: &Panzer, s: &State, shot: &Shooting, sheet: &mut Sheet, locations: &mut Vec<Value>) {
    let lines = &mut sheet.lines;
    let (Some(aim), Some(game)) = (rules.aim(s, shot), rules.advanced.as_deref()) else { return };
    let range = Message::new("sheet.range").number("range", aim.range);
    lines.push(line(range, RANGE_FACTORS[aim.factor], "4.4.3.2.1", 0));
    rules.modifiers(s, shot, |cause, value| {
        lines.push(modifier(cause.key(), value.into(), cause.rule()));
    });
    lines.push(line(Message::new("sheet.net"), signed(aim.net.into()), "4.4.3.2.2", 0));
    lines.push(line(Message::new("sheet.number"), aim.number.to_string(), "4.4.3.2.3", 0));
    let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
    let board = &rules.field.board;
    let angles = bearing::hit_sides(t.facing, board.hex(t.hex), board.hex(u.hex));
    lines.push(line(Message::new("sheet.penetration"), aim.penetration.to_string(), "6.5.2.3", 0));
    let slope = rules.slope(s, shot.unit, shot.target);
    for angle in angles {
        let hull_down = rules.hull_down(s, shot.unit, shot.target, angle);
        let name = Message::new("sheet.hit_angle").term("angle", format!("angle.{}", angle.key()));
        lines.push(line(name.clone(), "", "6.5.2.2", 0));
        let mut figure = Figure { kind: "vehicle".into(), label: name, parts: Vec::new() };
        let mut seen: Vec<(&'static str, u8, u32)> = Vec::new();
        let mut missed = 0;
        for index in 1..=10 {
            match game.tables().location(angle, index, slope == Slope::Falling, hull_down) {
                None => missed += 1,
                Some(place) => {
                    let armor = rules.armor_at(shot.target, angle, place, slope);
                    match seen.iter_mut().find(|(key, ..)| *key == place.key()) {
                        Some((.., times)) => *times += 1,
                        None => seen.push((place.key(), armor, 1)),
                    }
                }
            }
        }
        for (key, armor, times) in seen {
            let through = key == "TK" || aim.penetration >= armor;
            let label = Message::new("sheet.location")
                .term("location", format!("location.{key}"))
                .number("percent", times * 10);
            let value = if key == "TK" {
                "✓".into()
            } else {
                format!("{armor} {}", if through { "✓" } else { "–" })
            };
            lines.push(line(label, value, "6.5.2.3", 1));
            locations.push(json!({ "angle": angle.key(), "location": key, "armor": armor,
                                   "penetrates": through, "chance": f64::from(times) / 10.0 }));
            figure.parts.push(FigurePart {
                place: place_name(key).into(),
                label: Message::new(format!("location.{key}")),
                p: f64::from(times) / 10.0,
                value: if key == "TK" { String::new() } else { armor.to_string() },
                tone: if through { Tone::Good } else { Tone::Bad },
            });
        }
        if missed > 0 {
            let label = Message::new("sheet.hull_down").number("percent", missed * 10);
            lines.push(line(label, "–", "6.5.2.2.3", 1));
        }
        if rules.is_vehicle(shot.target) && !sheet.figures.contains(&figure) {
            sheet.figures.push(figure);
        }
    }
}

/// Where a hit location is in the picture of a vehicle.
fn place_name(key: &str) -> &'static str {
    match key {
        "TF" => "turret_front",
        "TS" => "turret_side",
        "TR" => "turret_rear",
        "HF" => "hull_front",
        "HS" => "hull_side",
        "HR" => "hull_rear",
        "DK" => "deck",
        _ => "tracks",
    }
}

/// The possible final states of the target that differ from its present one.
pub(super) fn chances(rules: &Panzer, target: UnitId, start: &Fate, fate: &Fate) -> Vec<Chance> {
    let vehicle = rules.is_vehicle(target);
    let [same, suppressed, track, damaged, gone, brewed_up] = fate.changes(start);
    let middle = if vehicle { "result.track_hit" } else { "result.reduced" };
    let out = if vehicle { "result.knocked_out" } else { "result.eliminated" };
    let all = [
        ("result.unharmed", same, -1.0),
        ("result.suppressed", suppressed, 0.1),
        (middle, track, 0.4),
        ("result.damaged", damaged, 0.5),
        (out, gone, 0.8),
        ("result.brewed_up", brewed_up, 1.0),
    ];
    let likely = all.into_iter().filter(|(_, p, _)| *p > 1e-9);
    likely.map(|(key, p, tone)| Chance { label: Message::new(key), p, tone }).collect()
}

/// The sheet of an assault, from what `assault A -> B` answers.
fn assault(rules: &Panzer, unit: UnitId, target: UnitId, found: Value) -> Value {
    let mut sheet = Sheet::default();
    let title = Message::new("sheet.assault").unit("unit", rules.id(unit));
    sheet.title = Some(title.unit("target", rules.id(target)));
    let number = |value: &Value| value.as_i64().unwrap_or(0);
    let close = found["kind"] == json!("close_assault");
    let rows = |sheet: &mut Sheet, list: &Value| {
        for row in list.as_array().into_iter().flatten() {
            let (key, rule) = (row["cause"].as_str().unwrap_or(""), row["rule"].as_str().unwrap_or(""));
            sheet.lines.push(modifier(key, number(&row["value"]), rule));
        }
    };
    let p = |key: &str| found["chances"][key].as_f64().unwrap_or(0.0);
    if close {
        let factors = format!("{} : {}", found["gpf"], found["gpd"]);
        sheet.lines.push(line(Message::new("sheet.gp"), factors, "6.6.1.1.1", 0));
        rows(&mut sheet, &found["modifiers"]);
        sheet.lines.push(line(Message::new("sheet.net"), signed(number(&found["net"])), "6.6.1.1.2", 0));
        let shown = format!("{} / {}", found["n"], found["s"]).replace('-', "−");
        sheet.lines.push(line(Message::new("sheet.numbers"), shown, "6.6.1.1.3", 0));
        let keys = [
            ("result.unharmed", "no_effect", -1.0),
            ("result.suppressed", "suppressed", 0.1),
            ("result.track_hit", "track_hit", 0.4),
            ("result.damaged", "damage", 0.5),
            ("result.knocked_out", "knock_out", 0.8),
            ("result.brewed_up", "brew_up", 1.0),
        ];
        for (key, name, tone) in keys {
            if p(name) > 1e-9 {
                sheet.chances.push(Chance { label: Message::new(key), p: p(name), tone });
            }
        }
    } else {
        for side in ["attacker", "defender"] {
            let total = signed(number(&found[side]));
            sheet.lines.push(line(Message::new(format!("sheet.{side}")), total, "6.6.1.2.1", 0));
            rows(&mut sheet, &found["modifiers"][side]);
        }
        sheet.chances = vec![
            Chance { label: Message::new("result.attacker_wins"), p: p("attacker"), tone: 1.0 },
            Chance { label: Message::new("result.defender_wins"), p: p("defender"), tone: -1.0 },
        ];
    }
    json!({ "sheet": sheet, "assault": found })
}

fn overrun(rules: &Panzer, s: &State, viewer: Viewer, unit: UnitId, target: UnitId) -> Result<Value, Ask> {
    // The position when it arrives; a Move of the target counts if the viewer may know of it (6.5.4.2.2).
    let mut there = s.clone();
    there.unit_mut(unit).hex = s.unit(target).hex;
    if !rules.knows_command(s, viewer, target) {
        there.unit_mut(target).command = crate::state::Command::NoCommand;
    }
    let mut sheet = Sheet::default();
    let title = Message::new("sheet.overrun").unit("unit", rules.id(unit));
    sheet.title = Some(title.unit("target", rules.id(target)));
    let (mut modifiers, mut causes) = (Vec::new(), Vec::new());
    let aim = rules.overrun_aim(&there, unit, target, 0, |cause, value| {
        modifiers.push(modifier(cause.key(), value.into(), "6.6.10.1"));
        causes.push(json!({ "cause": cause.key(), "value": value, "rule": "6.6.10.1" }));
    });
    let aim = aim.ok_or_else(|| Ask::Bad(format!("{} cannot be overrun", rules.id(target))))?;
    let factors = format!("{} : {}{:?}", aim.gpf, aim.gpd, aim.target);
    sheet.lines.push(line(Message::new("sheet.gp"), factors, "6.6.10.1", 0));
    sheet.lines.extend(modifiers);
    sheet.lines.push(line(Message::new("sheet.net"), signed(aim.net.into()), "6.5.4.3", 0));
    sheet.lines.push(line(Message::new("sheet.numbers"), numbers(aim.n, aim.s), "6.5.4.4", 0));
    let mut parts = [0.0; 3];
    for roll in 1..=100i16 {
        parts[outcome((aim.n, aim.s), roll + aim.net) as usize] += 0.01;
    }
    let worst = if rules.squad(s, target) { "result.reduced" } else { "result.eliminated" };
    let keys = [("result.unharmed", -1.0), ("result.suppressed", 0.1), (worst, 1.0)];
    for ((key, tone), p) in keys.into_iter().zip(parts) {
        if p > 1e-9 {
            sheet.chances.push(Chance { label: Message::new(key), p, tone });
        }
    }
    Ok(json!({
        "sheet": sheet, "column": aim.gpf, "row": aim.gpd, "gpf": aim.gpf, "gpd": aim.gpd, "net": aim.net, "n": aim.n, "s": aim.s, "modifiers": causes,
        "chances": { "no_effect": parts[0], "suppressed": parts[1], "effective": parts[2] },
    }))
}

/// `overrun A B`
pub fn ask_overrun(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let _ = words.take("->") || words.take("at");
    let target = words.unit()?;
    for unit in [unit, target] {
        if !s.unit(unit).on_map() {
            return Err(Ask::Bad(format!("{} is not on the map", rules.id(unit))));
        }
    }
    let mut supposed = s.clone();
    supposed.unit_mut(unit).command = crate::state::Command::Move;
    if !rules.knows_command(s, viewer, target) {
        supposed.unit_mut(target).command = crate::state::Command::NoCommand;
    }
    let bar = rules.bar_to_overrun(&supposed, unit, target, false);
    let mut value = overrun(rules, s, viewer, unit, target)?;
    value["possible"] = json!(bar.is_none());
    value["rule"] = json!(bar.map_or("6.6.10.1", |(rule, _)| rule));
    Ok(value)
}

/// `search A [partial]`: the chance to find a hull down position (6.6.9).
pub fn ask_search(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let partial = words.take("partial") || words.take("phd");
    let _ = words.take("hd") || words.take("full");
    Ok(match rules.search_aim(s, unit, partial).filter(|_| s.unit(unit).on_map()) {
        None => json!({ "possible": false, "rule": "6.6.9" }),
        Some((most, modifier)) => {
            let need = i16::from(most) - i16::from(modifier);
            // 6.6.9: the share of each part in the modifier.
            let alone = rules.search_aim(s, unit, false).map_or(0, |(_, modifier)| modifier);
            let size = rules.vehicle(unit).size;
            json!({ "possible": true, "rule": "6.6.9", "most": most, "modifier": modifier, "partial": partial,
                    "size": size, "modifiers": [
                        { "cause": "size_and_grade", "value": alone, "rule": "6.6.9" },
                        { "cause": "partial", "value": modifier - alone, "rule": "6.6.9" },
                    ],
                    "chance": f64::from(need.clamp(0, 100)) / 100.0 })
        }
    })
}
