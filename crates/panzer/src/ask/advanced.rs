//! Questions about the Advanced Game: GP fire, AP fire with hit locations, formations and their Commands.

use kernel::{
    Ask, Message, Viewer,
    view::{Area, Overlay, Tone},
};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    action::Shot,
    fire::{Candidate, Cause, Dual, Fate, Kind, Shooting, bearing},
    gp::GpCause,
    notation::{arm_named, usual_ammo, usual_arm},
    pack::advanced::{Slope, TargetType, lookup::outcome},
    piece::{Ammo, Piece},
    report::gun_name,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{RANGE_FACTORS, UnitId},
};

/// The shot of a question: `A[#2][:gp] -> B [overwatch] [short_halt] [moving] [weapon N] [ammo X]`.
pub(super) struct Asked {
    pub shot: Shooting,
    pub s: State,
}

pub(super) fn read(
    rules: &Panzer,
    s: &State,
    viewer: Viewer,
    words: &mut Words,
    gp: bool,
) -> Result<Asked, Ask> {
    let word = words.next()?;
    let (weapon, ammo) = word.split_once(':').map_or((word.as_str(), None), |(id, ammo)| (id, Some(ammo)));
    let (id, gun) = weapon.split_once('#').map_or((weapon, None), |(id, gun)| (id, Some(gun)));
    let unit = rules.named(id).ok_or_else(|| Ask::Bad(format!("there is no unit `{id}`")))?;
    let _ = words.take("->") || words.take("at");
    let target = words.target(unit)?;
    for unit in [unit, target] {
        if !s.unit(unit).on_map() {
            return Err(Ask::Bad(format!("{} is not on the map", rules.id(unit))));
        }
    }
    let mut s = s.clone();
    let number = |text: &str| {
        let arms = rules.piece(unit).map_or(&[][..], |piece| &piece.arms[..]);
        let found = arm_named(rules, unit, text).filter(|n| usize::from(*n) < arms.len());
        found.ok_or_else(|| Ask::Bad(format!("{} has no weapon `{text}`", rules.id(unit))))
    };
    let named = |text: &str| {
        Ammo::parse(text).ok_or_else(|| Ask::Bad(format!("ammo `{text}`; there is ap, apcr, heat, gp")))
    };
    let mut gun = gun.map(number).transpose()?;
    let mut ammo = ammo.map(named).transpose()?;
    let known = rules.knows_command(&s, viewer, target);
    let mut moving = known && s.unit(target).command.moves();
    let mut command =
        if rules.knows_command(&s, viewer, unit) { s.unit(unit).command } else { Command::NoCommand };
    let (mut limits, mut dual, mut pinning) = (0, Dual::None, false);
    while let Some(word) = words.peek().map(str::to_lowercase) {
        words.next()?;
        match word.as_str() {
            "overwatch" | "ow" => command = Command::Overwatch,
            "short_halt" | "sh" => command = Command::ShortHalt,
            "fire" | "direct" => command = Command::Fire,
            "moving" => moving = true,
            "stationary" => moving = false,
            "limited" => limits = 1,
            "pin" | "pinning" => pinning = true,
            "dual" | "dual_same" => dual = Dual::Same,
            "dual_other" => dual = Dual::Other,
            "weapon" | "gun" => gun = Some(number(&words.weapon()?)?),
            "ammo" => ammo = Some(named(&words.next()?)?),
            "with" => {}
            _ if Ammo::parse(&word).is_some() => ammo = Ammo::parse(&word),
            _ => {
                return Err(Ask::Bad(format!(
                    "`{word}` is not understood; there is overwatch, short_halt, moving, stationary, limited, dual, dual_other, weapon N, ammo X"
                )));
            }
        }
    }
    s.unit_mut(unit).command = command;
    let ammo = match ammo {
        Some(ammo) => ammo,
        None if gp => Ammo::Gp,
        None => match usual_ammo(rules, unit, gun.unwrap_or(0), target) {
            Ammo::Gp => Ammo::Ap,
            ammo => ammo,
        },
    };
    let gun = gun.unwrap_or_else(|| usual_arm(rules, &s, unit, target, ammo));
    let kind = if command == Command::Overwatch { Kind::Overwatch } else { Kind::Direct };
    let shot = Shooting::new(Shot { ammo, ..Shot::ap(unit, gun) }, target, kind, moving);
    Ok(Asked { shot: Shooting { dual, limits, pinning, ..shot }, s })
}

/// What both kinds of fire have in common.
fn common(rules: &Panzer, s: &State, shot: &Shooting) -> Value {
    let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
    let bears = rules.gun(shot.unit, shot.gun).is_some_and(|gun| rules.bears(s, shot.unit, gun, t.hex));
    let who = Candidate { rules, s, kind: shot.kind, supposed: true };
    json!({
        "weapon": gun_name(rules, shot.unit, shot.gun),
        "ammo": shot.ammo.key(),
        "kind": shot.kind.key(),
        "range": rules.field.range(u.hex, t.hex),
        "in_field_of_fire": bears,
        "los": rules.sees(s, shot.unit, shot.target),
        "spotted": rules.spots(s, shot.unit, shot.target),
        "spotted_in_spotting_phase": s.spotters[shot.target.index()].contains(shot.unit),
        "may_fire": who.may_shoot(shot_of(shot), shot.target),
    })
}

fn shot_of(shot: &Shooting) -> Shot {
    Shot { ammo: shot.ammo, pinning: shot.pinning, ..Shot::ap(shot.unit, shot.gun) }
}

/// Whether the shot is possible, and the rule that decides; Command and spotting are not considered.
fn possible(rules: &Panzer, s: &State, shot: &Shooting, rule: &'static str) -> Value {
    let who = Candidate { rules, s, kind: shot.kind, supposed: true };
    match who.bar_to_shot(shot_of(shot), shot.target) {
        Some(refusal) => json!({ "possible": false, "rule": refusal.rule, "why": refusal.why.key }),
        None => json!({ "possible": true, "rule": rule }),
    }
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

/// `gp A -> B`
pub fn gp(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let Asked { shot, s } = read(rules, s, viewer, words, true)?;
    let mut value = common(rules, &s, &shot);
    let Some(aim) = rules.gp_aim(&s, &shot) else {
        let row = rules.gp_row(&s, shot.unit, shot.gun);
        let near = row.is_some_and(|row| {
            rules.field.range(s.unit(shot.unit).hex, s.unit(shot.target).hex) < u32::from(row.min_range)
        });
        value["possible"] = json!(false);
        value["rule"] = json!(match row {
            None => "6.5.4",
            Some(_) if near => "5.6",
            Some(_) => "3.5.2",
        });
        return Ok(value);
    };
    let mut modifiers = Vec::new();
    rules.gp_modifiers(&s, &shot, aim.factor, |cause, value| {
        let mut line = json!({ "cause": cause.key(), "value": value, "rule": "6.5.4.3" });
        if let GpCause::Hindrance(_, times) = cause {
            line["times"] = json!(times);
        }
        modifiers.push(line);
    });
    let arm = rules.arm(shot.unit, shot.gun);
    // Every face of the roll is counted: nothing is sampled.
    let chances = if rules.is_vehicle(shot.target) {
        // 6.5.4.4.2
        let start = Fate::now(&s, shot.target);
        let mut fate = start;
        rules.foretell_gp(&s, &shot, &aim, &mut fate);
        let [same, suppressed, track, damaged, out, brewed_up] = fate.changes(&start);
        json!({ "no_effect": same, "suppressed": suppressed, "effective": track + damaged + out + brewed_up,
                "track_hit": track, "damaged": damaged, "knocked_out": out, "brewed_up": brewed_up })
    } else {
        let mut chances = [0u32; 3];
        for roll in 1..=100i16 {
            chances[outcome((aim.n, aim.s), roll + aim.net) as usize] += 1;
        }
        let part = |n: usize| f64::from(chances[n]) / 100.0;
        json!({ "no_effect": part(0), "suppressed": part(1), "effective": part(2) })
    };
    let kind = |t: TargetType| match t {
        TargetType::A => "A",
        TargetType::P => "P",
        TargetType::S => "S",
    };
    let more = json!({
        "range_factor": aim.factor.key(),
        "column": aim.gpf,
        "row": aim.gpd,
        "gpf": aim.gpf,
        "gp_factor": aim.gpf,
        "gpd": aim.gpd,
        "gp_defense": aim.gpd,
        "type": kind(aim.target),
        "target_type": kind(aim.target),
        "defense": format!("{}{}", aim.gpd, kind(aim.target)),
        "small_arms": arm.is_some_and(|arm| arm.weapon.small_arms),
        "effectiveness": arm.and_then(|arm| arm.weapon.effectiveness),
        "modifiers": modifiers,
        "net": aim.net,
        "n": aim.n,
        "s": aim.s,
        "chances": chances,
    });
    merge(&mut value, more);
    merge(&mut value, possible(rules, &s, &shot, "6.5.4"));
    Ok(value)
}

/// `ap A -> B`
pub fn ap(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let Asked { shot, s } = read(rules, s, viewer, words, false)?;
    let mut value = common(rules, &s, &shot);
    if !rules.is_vehicle(shot.target) {
        value["possible"] = json!(false);
        value["rule"] = json!("6.5.2");
        return Ok(value);
    }
    let Some(aim) = rules.aim(&s, &shot) else {
        let row = rules.ap_row(shot.unit, shot.gun, shot.ammo);
        value["possible"] = json!(false);
        value["rule"] = json!(match (row, shot.ammo) {
            (Some(_), _) => "3.5.2",
            (None, Ammo::Ap) => "4.4.3",
            (None, _) => "5.16.1",
        });
        return Ok(value);
    };
    let mut modifiers = Vec::new();
    rules.modifiers(&s, &shot, |cause, value| {
        let mut line = json!({ "cause": cause.key(), "value": value, "rule": cause.rule() });
        if let Cause::Smoke(hexes) = cause {
            line["hexes"] = json!(hexes);
        }
        modifiers.push(line);
    });
    let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
    let board = &rules.field.board;
    let angles = bearing::hit_sides(t.facing, board.hex(t.hex), board.hex(u.hex));
    let slope = rules.slope(&s, shot.unit, shot.target);
    let rate = rules.arm(shot.unit, shot.gun).map_or("N", |arm| arm.rate.key());
    let mut hits = serde_json::Map::new();
    for roll in 1..=100u8 {
        let count = rules.hits(
            Shot { ammo: shot.ammo, ..Shot::ap(shot.unit, shot.gun) },
            shot.limits,
            aim.number,
            roll,
        );
        if count > 0 {
            hits.insert(count.to_string(), json!(roll)); // the highest roll that gives this many hits
        }
    }
    let mut locations = Vec::new();
    if let (Some(game), Some(angle)) = (rules.advanced.as_deref(), angles.first()) {
        let hull_down = rules.hull_down(&s, shot.unit, shot.target, *angle);
        value["hull_down"] = json!(hull_down);
        for index in 1..=10 {
            let place = game.tables().location(*angle, index, slope == Slope::Falling, hull_down);
            locations.push(match place {
                None => json!({ "index": index, "location": null, "miss": true }),
                Some(place) => {
                    let armor = rules.armor_at(shot.target, *angle, place, slope);
                    json!({ "index": index, "location": place.key(), "armor": armor,
                            "penetrates": aim.penetration >= armor })
                }
            });
        }
    }
    let chances: serde_json::Map<String, Value> =
        rules.ap_chances(&s, &shot).into_iter().map(|(key, p)| (key.to_owned(), json!(p))).collect();
    let more = json!({
        "range_factor": RANGE_FACTORS[aim.factor],
        "modifiers": modifiers,
        "net": aim.net,
        "row": aim.net.clamp(crate::fire::aim::ROWS.0, crate::fire::aim::ROWS.1),
        "hit_number": aim.number,
        "hit_chance": f64::from(aim.number) / 100.0,
        "rate": rate,
        "hits": hits,
        "angle": angles.first().map(|angle| angle.key()),
        "angles": angles.iter().map(|angle| angle.key()).collect::<Vec<_>>(),
        "slope": slope,
        "penetration": aim.penetration,
        "locations": locations,
        "chances": chances,
    });
    merge(&mut value, more);
    merge(&mut value, possible(rules, &s, &shot, "6.5.2"));
    if aim.number == 0 {
        merge(&mut value, json!({ "possible": false, "rule": "4.4.3.2.3" }));
    }
    Ok(value)
}

/// `command FORMATION`: active units, Commands, range, and the Commands placed as far as the viewer may know (6.2.1).
pub fn command(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let name = words.rest().join(" ");
    let Some(game) = rules.advanced.as_deref() else {
        return Ok(json!({ "possible": false, "rule": "4.2", "why": "every vehicle has its own Command" }));
    };
    let by_unit = rules.named(&name).map(|unit| game.pieces[unit.index()].formation);
    let by_name = || game.extras.formations.iter().position(|f| f.id == name).map(|n| n as u8);
    let formation = by_unit.or_else(by_name);
    let formation = formation.ok_or_else(|| Ask::Bad(format!("no formation or unit `{name}`")))?;
    let of = &game.extras.formations[usize::from(formation)];
    let mut answer = json!({
        "formation": of.id, "grade": of.grade, "side": of.side.key(),
        "active": rules.active_units(s, formation), "active_units": rules.active_units(s, formation),
        "commands": rules.commands_of(s, formation), "available": rules.commands_of(s, formation),
        "range": rules.command_range(formation), "command_range": rules.command_range(formation),
        "control": rules.command_control(), "rule": "6.2.1.1",
    });
    // Its members, and how far a Command of the unit in question can be shared.
    let members: Vec<UnitId> = s
        .ids()
        .filter(|unit| game.pieces[unit.index()].formation == formation && s.unit(*unit).on_map())
        .collect();
    let near = |hex: &hexgrid::HexId| {
        rules.named(&name).is_some_and(|unit| {
            s.unit(unit).on_map()
                && rules.field.range(s.unit(unit).hex, *hex) <= rules.command_range(formation)
        })
    };
    let label = |hex: hexgrid::HexId| rules.field.label(hex).to_owned();
    let mut cells: Vec<String> = members.iter().map(|unit| label(s.unit(*unit).hex)).collect();
    cells.dedup();
    let areas = vec![
        Area {
            label: Some(Message::new("overlay.formation")),
            cells,
            seat: Some(crate::play::seat(of.side)),
            ..Area::default()
        },
        Area {
            label: Some(Message::new("overlay.command_range")),
            cells: rules.field.hexes().filter(near).map(label).collect(),
            tone: Tone::Good,
            ..Area::default()
        },
    ];
    answer["members"] = json!(members.iter().map(|unit| rules.id(*unit)).collect::<Vec<_>>());
    answer["overlay"] = json!(Overlay { rule: "6.2.1.1.2".into(), areas, ..Overlay::default() });
    if viewer.knows(crate::play::seat(of.side)) {
        answer["placed"] = json!(rules.commands_placed(s, formation));
    }
    Ok(answer)
}

/// `initiative`: what each side adds to its roll (6.3.2).
pub fn initiative(rules: &Panzer) -> Value {
    let side = |side| json!({ "modifier": rules.force_modifier(side) });
    json!({ "axis": side(crate::pack::Side::Axis), "allied": side(crate::pack::Side::Allied), "rule": "6.3.2" })
}

/// `recovery A`: the roll by which a unit recovers from suppression (6.8.3).
pub fn recovery(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let Some(game) = rules.advanced.as_deref() else { return Err(Ask::Unknown("recovery".into())) };
    // The answer would reveal its Command.
    if !rules.knows_command(s, viewer, s.unit(unit).aboard.some().unwrap_or(unit)) {
        return Err(Ask::Secret);
    }
    let most = game.tables().grades[game.pieces[unit.index()].grade.index()].recovery;
    let [command, fired_at] = rules.recovery_modifiers(s, unit);
    let need = i16::from(most) - i16::from(command) - i16::from(fired_at);
    let modifiers: Vec<Value> = [("command", command, "6.8.3.1.1"), ("fired_at", fired_at, "6.8.3.1.2")]
        .into_iter()
        .filter(|(_, value, _)| *value != 0)
        .map(|(cause, value, rule)| json!({ "cause": cause, "value": value, "rule": rule }))
        .collect();
    Ok(json!({ "rolls": s.unit(unit).is(Flags::SUPPRESSED_OFF) && !s.unit(unit).is(Flags::BAILED),
               "most": most, "modifiers": modifiers, "modifier": command + fired_at,
               "chance": f64::from(need.clamp(0, 100)) / 100.0, "rule": "6.8.3" }))
}

/// `quickmarch A`: the roll after a Quickmarch, which suppresses up to a number (6.6.4.2).
pub fn quickmarch(rules: &Panzer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let Some(game) = rules.advanced.as_deref() else { return Err(Ask::Unknown("quickmarch".into())) };
    let most = game.tables().grades[game.pieces[unit.index()].grade.index()].quickmarch;
    Ok(json!({ "most": most, "suppressed": f64::from(most) / 100.0, "rule": "6.6.4.2" }))
}

/// The additional facts of `unit A` in the Advanced Game.
pub(super) fn unit(rules: &Panzer, s: &State, unit: UnitId, piece: &Piece, answer: &mut Value) {
    let u = s.unit(unit);
    let suppression = match () {
        () if u.is(Flags::SUPPRESSED_ON) => json!("on"),
        () if u.is(Flags::SUPPRESSED_OFF) => json!("off"),
        () => Value::Null,
    };
    let (gpd, _) = rules.gp_defense(s, unit, false).unwrap_or((0, TargetType::S));
    let more = json!({
        "kind": rules.leg_size(s, unit).map_or(piece.kind.key(), |size| size.key()), "grade": piece.grade, "suppressed": u.suppressed(), "suppression": suppression,
        "turret_damaged": u.is(Flags::TURRET), "hull_damaged": u.is(Flags::HULL), "track_hit": u.is(Flags::TRACK),
        "bailed": u.is(Flags::BAILED), "abandoned": u.is(Flags::BAILED), "reduced": u.is(Flags::REDUCED),
        "full_cover": u.is(Flags::FULL_COVER), "under_fire": u.is(Flags::UNDER_FIRE),
        "aboard": u.aboard.some().map(|vehicle| rules.id(vehicle)), "gpd": gpd,
        "damaged": u.is(Flags(Flags::TURRET.0 | Flags::HULL.0)),
        "entrenched": u.is(Flags::ENTRENCHED), "improved": u.is(Flags::IMPROVED), "inside": u.is(Flags::INSIDE),
        "level": match () {
            () if u.is(Flags::UP) => "up",
            () if u.is(Flags::INSIDE) => "inside",
            () => "ground",
        },
        "work": match () {
            () if u.is(Flags::ENTRENCHED) => json!("entrenched"),
            () if u.is(Flags::IMPROVED) => json!("improved"),
            () => Value::Null,
        },
        "upstairs": u.is(Flags::UP), "bogged": u.is(Flags::BOGGED), "hesitating": u.is(Flags::HESITATES),
        "broken": u.is(Flags::BROKEN),
        "open_side": u.is(Flags::IMPROVED).then(|| crate::notation::facing_name(u.open_side)),
        "hull_down": u.is(Flags::HULL_DOWN), "partly_hull_down": u.is(Flags::PARTLY_HULL_DOWN),
        "height": u.hex.some().map(|_| rules.height_of(s, unit)), "crawled": u.is(Flags::CRAWLED), "group": if u.group > 0 { json!(u.group) } else { Value::Null },
        "spotted_as": match piece.spotted_as {
            crate::pack::advanced::SpotSize::Vehicle => "V",
            crate::pack::advanced::SpotSize::Large => "L",
            crate::pack::advanced::SpotSize::Small => "S",
        },
        "passengers": rules.passengers(s, unit).iter().map(|p| rules.id(*p)).collect::<Vec<_>>(),
        "transport": { "towed": piece.transport.towed, "leg": piece.transport.leg },
        "passenger": { "towed": rules.room_of(s, unit).towed, "leg": rules.room_of(s, unit).leg },
        "coax": piece.coax_mg, "c_indicator": piece.close_assault_c, "covered_transport": piece.covered_transport,
        "smoke": piece.arms.iter().any(|arm| arm.weapon.smoke), "recon": piece.recon(),
        "rates": piece.arms.iter().map(|arm| arm.rate.key()).collect::<Vec<_>>(),
        "weapons": piece.arms.iter().map(|arm| arm.weapon.name.clone()).collect::<Vec<_>>(),
    });
    merge(answer, more);
    let limits = piece.arms.iter().map(|arm| arm.ammo).map(|limit| {
        json!({ "basic": limit.basic, "apcr": limit.apcr, "heat": limit.heat, "smoke": limit.smoke,
                "illumination": limit.illumination })
    });
    answer["limits"] = limits.collect(); // 5.16.2: of each weapon
}
