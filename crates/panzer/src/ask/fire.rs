//! Fire computed before it is declared: every modifier with its rule, the hit number, penetration against armor and the
//! chance of each result (4.4.3.2).

use kernel::{
    Ask, Message, Viewer,
    view::{Area, Chance, Overlay, Sheet, SheetLine, Tone},
};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    action::{Action, Shot},
    fire::{Aim, Angle, Candidate, Cause, Kind, Result as Effect, Shooting, bearing},
    frame::Frame,
    notation::usual_gun,
    pack::FieldOfFire,
    play::seat,
    report::{gun_name, gun_words},
    rules::Panzer,
    state::{Command, Flags, State},
    units::{Gun, RANGE_FACTORS, UnitId},
};

/// The shot of a question.
struct Question {
    shot: Shooting,
    /// Ammunition other than AP.
    ammo: Option<String>,
    /// The position, with the question's assumptions about the shooter.
    s: State,
}

/// `ap A -> B [overwatch] [short_halt] [moving] [weapon 2] [ammo AP]`
fn read(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Question, Ask> {
    let (unit, hash) = shooter(rules, words)?;
    let _ = words.take("->") || words.take("at");
    let target = words.unit()?;
    for unit in [unit, target] {
        if !s.unit(unit).on_map() {
            return Err(Ask::Bad(format!("{} is not on the map", rules.id(unit))));
        }
    }
    let mut s = s.clone();
    let (mine, theirs) = (*s.unit(unit), *s.unit(target));
    let known = rules.knows_command(&s, viewer, target);
    let mut moving = known && theirs.command.moves();
    let mut command = if rules.knows_command(&s, viewer, unit) { mine.command } else { Command::NoCommand };
    let mut gun = hash.unwrap_or_else(|| usual_gun(rules, &s, unit, target));
    let mut ammo = None;
    while let Some(word) = words.peek().map(str::to_lowercase) {
        match word.as_str() {
            "overwatch" | "ow" => command = Command::Overwatch,
            "short_halt" | "sh" => command = Command::ShortHalt,
            "fire" | "direct" => command = Command::Fire,
            "moving" => moving = true,
            "stationary" => moving = false,
            "weapon" | "gun" => {
                words.next()?;
                gun = weapon(rules, unit, &words.weapon()?)?;
                continue;
            }
            "ammo" => {
                words.next()?;
                let name = words.peek().unwrap_or_default().to_uppercase();
                if !AMMO.contains(&name.as_str()) {
                    return Err(Ask::Bad(format!("ammo `{name}`; there is {}", AMMO.join(", "))));
                }
                ammo = (name != "AP").then_some(name);
            }
            "with" => {}
            _ if AMMO.contains(&word.to_uppercase().as_str()) => {
                ammo = Some(word.to_uppercase()).filter(|name| name != "AP");
            }
            _ => {
                return Err(Ask::Bad(format!(
                    "`{word}` is not understood; there is overwatch, short_halt, moving, stationary, weapon N, ammo AP"
                )));
            }
        }
        words.next()?;
    }
    s.unit_mut(unit).command = command;
    let kind = if command == Command::Overwatch { Kind::Overwatch } else { Kind::Direct };
    Ok(Question { shot: Shooting::new(Shot::ap(unit, gun), target, kind, moving), ammo, s })
}

/// Kinds of anti-armor ammunition on data cards (1.5); the Basic Game has only AP fire (4.4.3).
const AMMO: [&str; 4] = ["AP", "APCR", "HVAP", "HEAT"];

fn shooter(rules: &Panzer, words: &mut Words) -> Result<(UnitId, Option<u8>), Ask> {
    let word = words.peek().unwrap_or_default().to_owned();
    if let Some((id, number)) = word.split_once('#')
        && let Some(unit) = rules.named(id)
    {
        words.next()?;
        return Ok((unit, Some(weapon(rules, unit, number)?)));
    }
    Ok((words.unit()?, None))
}

fn weapon(rules: &Panzer, unit: UnitId, name: &str) -> Result<u8, Ask> {
    let guns = &rules.vehicle(unit).guns;
    if let Some(n) = name.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < guns.len()) {
        return Ok(n as u8);
    }
    let mounts = &rules.card(unit).mounts;
    let found = guns.iter().position(|gun| {
        let mount = &mounts[usize::from(gun.mount)];
        mount.weapon == name || mount.name.eq_ignore_ascii_case(name)
    });
    found.map(|n| n as u8).ok_or_else(|| {
        let known: Vec<&str> =
            guns.iter().map(|gun| mounts[usize::from(gun.mount)].weapon.as_str()).collect();
        Ask::Bad(format!("{} has no AP weapon `{name}`; there is {}", rules.id(unit), known.join(", ")))
    })
}

/// `ap A -> B`
pub fn ap(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    if rules.advanced.is_some() {
        return super::advanced::ap(rules, s, viewer, words);
    }
    let Question { shot, ammo, s } = read(rules, s, viewer, words)?;
    if let Some(ammo) = ammo {
        return Ok(json!({ "possible": false, "rule": "4.4.3", "ammo": ammo, "why": "only_ap" }));
    }
    let Some(gun) = rules.gun(shot.unit, shot.gun) else {
        return Ok(json!({ "possible": false, "rule": "4.4.3", "why": "no_ap" }));
    };
    Ok(answer(rules, &s, &shot, gun))
}

/// `gp A -> B`, or a hex: the Basic Game has no such fire (4.4).
pub fn gp(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    if rules.advanced.is_some() {
        return super::advanced::gp(rules, s, viewer, words);
    }
    words.unit()?;
    let _ = words.take("->") || words.take("at");
    words.place()?;
    words.rest();
    Ok(json!({ "possible": false, "rule": "4.4", "why": "only_ap" }))
}

fn answer(rules: &Panzer, s: &State, shot: &Shooting, gun: &Gun) -> Value {
    let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
    let range = rules.field.range(u.hex, t.hex);
    let bears = rules.bears(s, shot.unit, gun, t.hex);
    let los = rules.los.between(u.hex, t.hex);
    let spotted = rules.spots(s, shot.unit, shot.target);
    let who = Candidate { rules, s, kind: shot.kind, supposed: true };
    let mut value = json!({
        "weapon": gun_name(rules, shot.unit, shot.gun),
        "ammo": "AP",
        "kind": shot.kind.key(),
        "range": range,
        "maximum_range": gun.maximum_range(),
        "in_field_of_fire": bears,
        "field_of_fire": gun.arc,
        "los": los.clear,
        "spotted": spotted,
        "spotted_in_spotting_phase": s.spotters[shot.target.index()].contains(shot.unit),
        "may_fire": who.may_fire(shot.unit, shot.target),
    });
    let Some(aim) = rules.aim(s, shot) else {
        value["possible"] = json!(false);
        value["rule"] = json!("3.5.2");
        return value;
    };
    let mut modifiers = Vec::new();
    rules.modifiers(s, shot, |cause, value| {
        let mut line = json!({ "cause": cause.key(), "value": value, "rule": cause.rule() });
        if let Cause::Smoke(hexes) = cause {
            line["hexes"] = json!(hexes);
        }
        modifiers.push(line);
    });
    let net: i64 = modifiers.iter().filter_map(|m| m["value"].as_i64()).sum();
    let armor = rules.vehicle(shot.target).armor;
    let results = armor.map(|armor| result(rules, s, shot.target, aim.penetration, armor));
    let angle = chosen(&aim, armor);
    let possible = aim.number > 0 && bears;
    let rule = match () {
        () if !bears && gun.arc == FieldOfFire::Rear => "4.4.3.1.5",
        () if !bears => "4.4.3.1.4",
        () if aim.number == 0 => "4.4.3.2.3",
        () => "4.4.3.2",
    };
    let location = |n: usize| {
        json!({ "armor": armor[n], "penetration": aim.penetration, "penetrates": aim.penetration >= armor[n],
                "difference": i16::from(aim.penetration) - i16::from(armor[n]), "result": results[n].key() })
    };
    let more = json!({
        "possible": possible,
        "rule": rule,
        "range_factor": RANGE_FACTORS[aim.factor],
        "modifiers": modifiers,
        "net": net,
        "row": aim.net.clamp(crate::fire::aim::ROWS.0, crate::fire::aim::ROWS.1),
        "hit_number": aim.number,
        "hit_chance": f64::from(aim.number) / 100.0,
        "angle": aim.angle.key(),
        "penetration": aim.penetration,
        "armor": { "front": armor[0], "rear": armor[1] },
        "armor_factor": armor[usize::from(angle)],
        "difference": i16::from(aim.penetration) - i16::from(armor[usize::from(angle)]),
        "penetrates": aim.penetration >= armor[usize::from(angle)],
        "result": results[usize::from(angle)].key(),
        "results": { "front": results[0].key(), "rear": results[1].key() },
        // 4.4.3.2.4: the Basic Game has only front and rear, and no dice for the hit location.
        "location_table": "basic",
        "locations": { "front": location(0), "rear": location(1) },
        "chances": chances(&aim, results[usize::from(angle)], possible),
        "sheet": sheet_of(rules, s, shot, &aim),
    });
    merge(&mut value, more);
    value
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

/// What a hit does to this vehicle: a second Damaged is a KO (4.4.3.2.6).
fn result(rules: &Panzer, s: &State, target: UnitId, penetration: u8, armor: u8) -> Effect {
    match rules.damage(penetration, armor) {
        Effect::Damaged if s.unit(target).is(Flags::DAMAGED) => Effect::KnockedOut,
        other => other,
    }
}

/// Whether the rear is hit. On the line, assume that the owner chooses the stronger armor.
fn chosen(aim: &Aim, armor: [u8; 2]) -> bool {
    match aim.angle {
        Angle::Front => false,
        Angle::Rear => true,
        Angle::Line => armor[1] > armor[0],
    }
}

fn chances(aim: &Aim, result: Effect, possible: bool) -> Value {
    let hit = if possible { f64::from(aim.number) / 100.0 } else { 0.0 };
    let mut chances = json!({ "miss": 1.0 - hit });
    for effect in Effect::ALL {
        chances[effect.key()] = json!(if effect == result { hit } else { 0.0 });
    }
    chances
}

/// How good a result is for the firing side.
const fn tone(effect: Effect) -> f32 {
    match effect {
        Effect::NoEffect => -0.6,
        Effect::NoDamage => -0.3,
        Effect::Damaged => 0.4,
        Effect::KnockedOut => 0.8,
        Effect::BrewedUp => 1.0,
    }
}

fn signed(number: i8) -> String {
    match number {
        0 => "0".into(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.unsigned_abs()),
    }
}

/// The fire sheet of one shot.
fn sheet_of(rules: &Panzer, s: &State, shot: &Shooting, aim: &Aim) -> Sheet {
    let line = |label: Message, value: String, rule: &str, level: u8| SheetLine {
        label,
        value,
        rule: rule.to_owned(),
        level,
    };
    let weapon = Message::new("sheet.weapon").with("weapon", gun_words(rules, shot.unit, shot.gun));
    let mut lines = vec![
        line(weapon, String::new(), "4.4.3", 0),
        line(
            Message::new("sheet.range").number("range", aim.range),
            RANGE_FACTORS[aim.factor].into(),
            "4.4.3.2.1",
            0,
        ),
    ];
    rules.modifiers(s, shot, |cause, value| {
        lines.push(line(Message::new(format!("modifier.{}", cause.key())), signed(value), cause.rule(), 1));
    });
    lines.push(line(Message::new("sheet.net"), signed(aim.net), "4.4.3.2.2", 0));
    lines.push(line(Message::new("sheet.number"), aim.number.to_string(), "4.4.3.2.3", 0));
    let armor = rules.vehicle(shot.target).armor;
    let rear = chosen(aim, armor);
    let angle = Message::new("sheet.angle").term("angle", format!("angle.{}", aim.angle.key()));
    lines.push(line(angle, armor[usize::from(rear)].to_string(), "4.4.3.2.4", 1));
    lines.push(line(Message::new("sheet.penetration"), aim.penetration.to_string(), "4.4.3.2.5", 1));
    let effect = result(rules, s, shot.target, aim.penetration, armor[usize::from(rear)]);
    lines.push(line(Message::new(format!("result.{}", effect.key())), String::new(), "4.4.3.2.6", 0));
    let hit = f64::from(aim.number) / 100.0;
    let chance = |key: String, p: f64, tone: f32| Chance { label: Message::new(key), p, tone };
    let chances = vec![
        chance("result.miss".into(), 1.0 - hit, -1.0),
        chance(format!("result.{}", effect.key()), hit, tone(effect)),
    ];
    let title =
        Message::new("sheet.title").unit("unit", rules.id(shot.unit)).unit("target", rules.id(shot.target));
    Sheet { title: Some(title), lines, chances, ..Sheet::default() }
}

/// `sheet fire B with A C`: all shots together, and the final state of the target.
pub fn sheet(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    if rules.advanced.is_some() {
        return super::sheet::sheet(rules, s, viewer, words);
    }
    let text = words.rest().join(" ");
    let side = flow_side(rules, s);
    let action = crate::notation::read(rules, s, side, &text)
        .map_err(|_| Ask::Bad(format!("`{text}` cannot be read")))?;
    let Action::Fire { target, shots } = action else { return Err(Ask::Unknown(format!("sheet {text}"))) };
    let kind = match s.top() {
        Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => Kind::Overwatch,
        _ => Kind::Direct,
    };
    // Only the side's own fire is computed, since it reveals Commands.
    if let Some(shot) = shots.first()
        && !viewer.knows(seat(rules.vehicle(shot.unit).side))
    {
        return Err(Ask::Secret);
    }
    let moving = rules.known_to_move(s, target);
    let mut sheet = Sheet::default();
    // The chances that the target is unchanged, Damaged, out of action, burning.
    let mut fate = [0.0; 4];
    fate[usize::from(s.unit(target).is(Flags::DAMAGED))] = 1.0;
    for shot in shots {
        let shot = Shooting::new(shot, target, kind, moving);
        let Some(aim) = rules.aim(s, &shot) else { continue };
        let one = sheet_of(rules, s, &shot, &aim);
        if sheet.title.is_none() {
            sheet.title = one.title;
        }
        sheet.lines.extend(one.lines);
        let armor = rules.vehicle(target).armor;
        let hit = f64::from(aim.number) / 100.0;
        let effect = rules.damage(aim.penetration, armor[usize::from(chosen(&aim, armor))]);
        let before = fate;
        for (state, p) in before.into_iter().enumerate().take(2) {
            let to = match effect {
                Effect::NoEffect | Effect::NoDamage => state,
                Effect::Damaged => state + 1,
                Effect::KnockedOut => 2,
                Effect::BrewedUp => 3,
            };
            fate[state] -= p * hit;
            fate[to] += p * hit;
        }
    }
    let labels = [
        ("result.unharmed", -1.0),
        ("result.damaged", 0.4),
        ("result.knocked_out", 0.8),
        ("result.brewed_up", 1.0),
    ];
    let all = fate.into_iter().zip(labels);
    sheet.chances = all
        .filter(|(p, _)| *p > 1e-9)
        .map(|(p, (key, tone))| Chance { label: Message::new(key), p, tone })
        .collect();
    Ok(
        json!({ "sheet": sheet, "fate": { "unharmed": fate[0], "damaged": fate[1], "knocked_out": fate[2], "brewed_up": fate[3] } }),
    )
}

fn flow_side(rules: &Panzer, s: &State) -> crate::pack::Side {
    rulebook::flow::asks(rules, s, s.top()).unwrap_or_default()
}

/// `field A`: the hexes in range, in the field of fire and in line of sight of each gun (4.4.3.1).
pub fn field(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let u = s.unit(unit);
    if !u.on_map() {
        return Err(Ask::Bad(format!("{} is not on the map", rules.id(unit))));
    }
    let from = rules.field.board.hex(u.hex);
    let mut guns = Vec::new();
    for (n, gun) in rules.vehicle(unit).guns.iter().enumerate() {
        let (mut inside, mut blocked) = (Vec::new(), Vec::new());
        // 6.5.4.1: GP fire reaches farther than AP fire, or is the only kind.
        let gp = rules.gp_row(s, unit, n as u8).map_or(0, |row| u32::from(row.maximum_range()));
        let most = gun.maximum_range().max(gp);
        for hex in rules.field.hexes().filter(|hex| *hex != u.hex) {
            let near = rules.field.range(u.hex, hex) <= most;
            if near && bearing::bears(gun.arc, u.facing, from, rules.field.board.hex(hex)) {
                let list = if rules.los.clear(u.hex, hex) { &mut inside } else { &mut blocked };
                list.push(rules.field.label(hex));
            }
        }
        guns.push(json!({ "weapon": gun_name(rules, unit, n as u8), "field_of_fire": gun.arc,
                          "maximum_range": most, "hexes": inside, "blocked": blocked }));
    }
    let area = |key: &str, label: &'static str, tone: Tone| {
        let mut cells: Vec<String> = Vec::new();
        for gun in &guns {
            let hexes = gun[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            for hex in hexes {
                if !cells.iter().any(|cell| cell == hex) {
                    cells.push(hex.to_owned());
                }
            }
        }
        Area { label: Some(Message::new(label)), cells, tone, ..Area::default() }
    };
    let areas = vec![
        area("hexes", "overlay.in_field", Tone::Good),
        area("blocked", "overlay.field_blocked", Tone::Bad),
    ];
    let overlay = Overlay { rule: "4.4.3.1".into(), areas, ..Overlay::default() };
    Ok(json!({ "guns": guns, "overlay": overlay }))
}
