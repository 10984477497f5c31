//! Questions about reconnaissance, strikes, artillery pools, counter-battery fire and jamming.

use hexgrid::HexId;
use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::Words;
use crate::{
    action::Payload,
    fire::FireKind,
    pack::AirProfile,
    play::Cx,
    rules::Wurzburg,
    state::{Payer, State},
    support::{Answer, Use, best_batteries, check_strike, reckon_strike},
    units::{Symbol, UnitId},
};

/// The chance of a modified roll of `number` or more.
fn chance(number: u8, modifier: i8) -> f64 {
    (1..=10).filter(|roll| roll + i32::from(modifier) >= i32::from(number)).count() as f64 / 10.0
}

fn modifiers(list: &[(&'static str, i8)]) -> Value {
    list.iter()
        .map(|(word, value)| ((*word).to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// `recon 3228 by 39gmrd-hq-for`: the spotter, the table's number, every modifier, the chance (20.2.1).
pub fn recon(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    // `A -> 2020`: the spotter is found by the law, an HQ pays.
    let mut payer_hq = None;
    if words.list.iter().any(|word| word == "->") {
        while words.peek().is_some_and(|word| word != "->") {
            let unit = words.unit()?;
            payer_hq = payer_hq.or((rules.counter(unit).symbol == Symbol::Hq).then_some(unit));
        }
        words.take("->");
    }
    let mut hex =
        (!["by"].contains(&words.peek().unwrap_or_default())).then(|| words.place(s)).transpose()?;
    let payer = match () {
        () if words.peek().is_none() => payer_hq.map(Payer::Hq),
        () => {
            words.take("by");
            Some(if words.take("off-map") { Payer::OffMap } else { Payer::Hq(words.unit()?) })
        }
    };
    if hex.is_none() {
        hex = Some(words.place(s)?);
    }
    let hex = hex.unwrap_or(HexId::NONE);
    let side = match payer {
        Some(Payer::Hq(hq)) => rules.counter(hq).side,
        _ => s.active.some().map_or(crate::units::Side::Wp, |active| rules.formation(active).side),
    };
    let payer = payer.unwrap_or_else(|| {
        // The HQ that would have the best chance.
        let own = || rules.hqs.iter().copied().filter(|hq| rules.counter(*hq).side == side);
        let able =
            own().filter_map(|hq| Some((rules.attempt(s, side, hex, Payer::Hq(hq)).ok()?.modifier(), hq)));
        let best = able.rev().max_by_key(|(modifier, _)| *modifier).map(|(_, hq)| hq);
        best.or_else(|| own().find(|hq| s.unit(*hq).on_map())).map_or(Payer::OffMap, Payer::Hq)
    });
    Ok(match rules.attempt(s, side, hex, payer) {
        Ok(a) => {
            json!({ "legal": true, "spotter": a.spotter.map(|unit| rules.id(unit)), "distance": a.distance,
                         "row": if a.empty { "empty" } else { rules.field.terrain(hex).key() },
                         "number": a.number, "modifiers": modifiers(&a.modifiers), "modifier": a.modifier(),
                         "chance": chance(a.number, a.modifier()) })
        }
        Err(refusal) => json!({ "legal": false, "rule": refusal.rule, "why": refusal.why.key }),
    })
}

/// `strike 2508 with 3id-m110`: strengths by unit, hits of each roll, defenses in the order of losses (23.1.1, 23.2).
pub fn strike(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    if words.peek().is_some_and(|word| word.contains('/')) {
        return strike_bridge(rules, s, viewer, words);
    }
    // `strike G -> 2508` is `strike 2508 with G`.
    let mut first: Vec<UnitId> = Vec::new();
    if words.list.iter().any(|word| word == "->") {
        while words.peek().is_some_and(|word| word != "->") {
            first.push(words.unit()?);
        }
        words.take("->");
    }
    let hex = words.place(s)?;
    if words.list.get(words.at).is_some_and(|word| word == "by")
        && words.list.get(words.at + 1).is_some_and(|word| word == "air")
    {
        words.take("by");
    }
    if words.take("air") {
        return air_strike(rules, s, hex, words);
    }
    // As the decision is written: who calls does not change the strength, but whether it may be made.
    let hq = if words.take("by") { Some(words.unit()?) } else { None };
    words.take("with");
    let mut with = first;
    while words.peek().is_some() {
        with.push(words.unit()?);
    }
    if with.iter().any(|unit| !rules.knows_steps(s, viewer, *unit)) {
        return Err(Ask::Secret);
    }
    let sheet = reckon_strike(rules, s, FireKind::Strike, hex, &with);
    let firers: Vec<Value> = sheet
        .firers
        .iter()
        .map(|f| {
            json!({ "unit": rules.id(f.unit), "steps": f.steps, "basic": f.basic, "modified": f.modified(),
                    "effects": f.effects.iter().map(|effect| effect.key()).collect::<Vec<_>>() })
        })
        .collect();
    let hits: Vec<u16> = (1..=10).map(|roll| sheet.hits(rules.tables.hit_modifier(roll))).collect();
    let side = with.first().map(|unit| rules.counter(*unit).side.enemy());
    let mut targets: Vec<(u16, UnitId)> = s
        .in_hex(hex)
        .filter(|unit| Some(rules.counter(*unit).side) == side && rules.counter(*unit).symbol.ground())
        .map(|unit| (rules.defense(s, unit, FireKind::Strike), unit))
        .collect();
    targets.sort_unstable();
    let targets: Vec<Value> = targets
        .into_iter()
        .map(|(defense, unit)| json!({ "unit": rules.id(unit), "defense": defense }))
        .collect();
    let refusal = hq.and_then(|hq| {
        let cx = Cx { rules, s, side: rules.counter(hq).side, frame: s.top() };
        check_strike(&cx, Payload::Fire, hex, hq, &with, 0).err()
    });
    let mut answer = json!({ "firers": firers, "sum": sheet.sum(), "total": sheet.total,
                             "effective": sheet.effective, "hits": hits, "targets": targets });
    if hq.is_some() {
        answer["legal"] = refusal.is_none().into();
        answer["rule"] = refusal.map(|refusal| refusal.rule.to_string()).into();
    }
    Ok(answer)
}

/// `air a10 low_bomb 1`: the aircraft, its profile and its steps.
fn air_unit(rules: &Wurzburg, words: &mut Words) -> Result<(AirProfile, u32, u8), Ask> {
    let word = words.next()?;
    let kind = super::facts::find_aircraft(rules, &word)?;
    let mut word = words.next()?;
    // `low bomb`
    if let Some(next) = words.peek().filter(|_| ["low", "high"].contains(&word.as_str())) {
        word = format!("{word}_{next}");
        words.at += 1;
    }
    let profile =
        AirProfile::parse(&word).ok_or_else(|| Ask::Bad(format!("there is no profile `{word}`")))?;
    let figures = rules.pack.unit_type(kind).air_profile(profile);
    let figures = figures.ok_or_else(|| Ask::Bad(format!("it does not fly `{word}`")))?;
    let steps = match words.peek() {
        None => 1,
        Some(_) => {
            let word = words.next()?;
            word.parse().map_err(|_| Ask::Bad(format!("`{word}` is no number of steps")))?
        }
    };
    Ok((profile, u32::from(figures.attack), steps))
}

/// `strike 2309 air a10 low_bomb 1` (24.5)
fn air_strike(rules: &Wurzburg, s: &State, hex: HexId, words: &mut Words) -> Result<Value, Ask> {
    let (_, attack, steps) = air_unit(rules, words)?;
    let basic = attack * u32::from(steps);
    let total = crate::support::air_total(rules, s, hex, basic);
    let effective = total / 2;
    let hits: Vec<i32> =
        (1..=10).map(|roll| (effective as i32 + i32::from(rules.tables.hit_modifier(roll))).max(0)).collect();
    Ok(json!({ "basic": basic, "total": total, "effective": effective, "hits": hits }))
}

/// `strike 3214/3215 with G`, `strike 3214/3215 air tornado high_bomb 2` (38.4)
fn strike_bridge(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let word = words.next()?;
    let side = rules.field.board.find_side(&word);
    let side = side.map_err(|_| Ask::Bad(format!("there is no hexside `{word}`")))?;
    let Some(kind) = rules.bridge_kind(s, side) else {
        words.skip();
        return Ok(json!({ "bridge": null }));
    };
    let table = &rules.tables.bridge_strike;
    let banks = rules.banks(side);
    let smoke = banks.iter().copied().find(|hex| s.smoke(*hex));
    let (strength, ratio) = if words.take("air") {
        let (profile, attack, steps) = air_unit(rules, words)?;
        let strength = f64::from(attack) * f64::from(steps) * if smoke.is_some() { 0.5 } else { 1.0 };
        (strength, if profile.low() { table.low_air } else { table.high_air })
    } else {
        words.take("with");
        let mut with: Vec<UnitId> = Vec::new();
        while words.peek().is_some() {
            let unit = words.unit()?;
            if !rules.knows_steps(s, viewer, unit) {
                return Err(Ask::Secret);
            }
            with.push(unit);
        }
        let target = smoke.or_else(|| banks.first().copied()).unwrap_or(HexId::NONE);
        (reckon_strike(rules, s, FireKind::Strike, target, &with).sum(), table.artillery)
    };
    let (total, effective) = crate::support::bridge_effective(rules, kind, strength, ratio);
    let name = match kind {
        crate::support::BridgeKind::Autobahn => "autobahn",
        crate::support::BridgeKind::Road => "road",
        crate::support::BridgeKind::Military => "military",
    };
    Ok(json!({ "bridge": name, "total": total, "effective": effective,
               "chance": f64::from(effective.min(10)) / 10.0 }))
}

/// `pool 79gtd-hq-for`: the artillery that an HQ may call (22.3), for Strikes and own Assaults (`strikes`) and
/// otherwise (`narrow`).
pub fn pool(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let hq = words.unit()?;
    let guns = |purpose: Use| {
        let side = rules.counter(hq).side;
        let all = rules.units_of(side).iter().copied().filter(|gun| rules.in_pool(s, hq, *gun, purpose));
        all.map(|gun| rules.id(gun)).collect::<Vec<_>>()
    };
    Ok(json!({ "strikes": guns(Use::Wide), "narrow": guns(Use::Narrow) }))
}

/// `battery`: the targets of the counter-battery cycle, with the best number of each gun (23.4).
pub fn battery(rules: &Wurzburg, s: &State) -> Value {
    let side = s.support.battery.side;
    let calls: Vec<Value> = best_batteries(rules, s, side)
        .map(|Answer { target, hq, gun, spotter, number }| {
            json!({ "target": rules.id(target), "hq": rules.id(hq), "gun": rules.id(gun),
                    "spotter": rules.id(spotter), "number": number, "chance": chance(number, 0) })
        })
        .collect();
    let targets: Vec<&str> = rules.battery_targets(s, side).into_iter().map(|unit| rules.id(unit)).collect();
    json!({ "side": side.word(), "targets": targets, "calls": calls })
}

/// `jamming`: the modifiers against the Objective Hex, and the chance of each row (39.2); `jamming 2716` as if that were the
/// Objective Hex. An HQ may be named: it is the same for all.
pub fn jamming(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    if words.peek().is_some_and(|word| rules.named(word).is_some()) {
        words.unit()?;
    }
    let mut trial;
    let s = if words.peek().is_some() {
        trial = s.clone();
        trial.op.objective = words.place(&trial)?;
        if trial.op.members.is_empty() {
            let there = trial.in_hex(trial.op.objective).next();
            trial.op.side = there.map_or(trial.op.side, |unit| rules.counter(unit).side.enemy());
        }
        &trial
    } else {
        s
    };
    if s.op.objective.some().is_none() {
        return Ok(Value::Null);
    }
    let list = rules.jamming_modifiers(s);
    let total: i8 = list.iter().map(|(_, value)| *value).sum();
    let table = &rules.tables.jamming;
    let rows: Vec<Value> = table
        .rows
        .iter()
        .enumerate()
        .map(|(n, row)| {
            let rolls = (1..=10u8).filter(|r| !table.asset_lost.contains(*r) && table.row(*r as i8 + total) == n);
            json!({ "artillery": row.artillery, "reaction": row.reaction, "chance": rolls.count() as f64 / 10.0 })
        })
        .collect();
    Ok(json!({ "modifiers": modifiers(&list), "modifier": total, "rows": rows }))
}
