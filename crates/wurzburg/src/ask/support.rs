//! Questions about reconnaissance, strikes, artillery pools, counter-battery fire and jamming.

use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::Words;
use crate::{
    fire::FireKind,
    rules::Wurzburg,
    state::{Payer, State},
    support::{Use, best_batteries, reckon_strike},
    units::UnitId,
};

/// The chance of a modified roll of at least a number.
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
    let hex = words.hex()?;
    words.take("by");
    let payer = if words.take("off-map") { Payer::OffMap } else { Payer::Hq(words.unit()?) };
    let side = match payer {
        Payer::Hq(hq) => rules.counter(hq).side,
        _ => s.active.some().map_or(crate::units::Side::Wp, |active| rules.formation(active).side),
    };
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
    let hex = words.hex()?;
    words.take("with");
    let mut with: Vec<UnitId> = Vec::new();
    while words.peek().is_some() {
        let unit = words.unit()?;
        if !rules.knows_steps(s, viewer, unit) {
            return Err(Ask::Secret);
        }
        with.push(unit);
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
    Ok(
        json!({ "firers": firers, "total": sheet.total, "effective": sheet.effective, "hits": hits, "targets": targets }),
    )
}

/// `pool 79gtd-hq-for`: the artillery that an HQ may call (22.3); `wide`: for Strikes and in an own Assault.
pub fn pool(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let hq = words.unit()?;
    let guns = |purpose: Use| {
        let side = rules.counter(hq).side;
        let all = rules.units_of(side).iter().copied().filter(|gun| rules.in_pool(s, hq, *gun, purpose));
        all.map(|gun| rules.id(gun)).collect::<Vec<_>>()
    };
    Ok(json!({ "strikes": guns(Use::Wide), "narrow": guns(Use::Narrow) }))
}

/// `battery`: who may be targeted in the counter-battery cycle, with the best number of each gun (23.4).
pub fn battery(rules: &Wurzburg, s: &State) -> Value {
    let side = s.support.battery.side;
    let calls: Vec<Value> = best_batteries(rules, s, side)
        .into_iter()
        .map(|(target, hq, gun, spotter, number)| {
            json!({ "target": rules.id(target), "hq": rules.id(hq), "gun": rules.id(gun),
                    "spotter": rules.id(spotter), "number": number, "chance": chance(number, 0) })
        })
        .collect();
    let targets: Vec<&str> = rules.battery_targets(s, side).into_iter().map(|unit| rules.id(unit)).collect();
    json!({ "side": side.word(), "targets": targets, "calls": calls })
}

/// `jamming`: the modifiers against the Objective Hex, and the chance of each row (39.2).
pub fn jamming(rules: &Wurzburg, s: &State) -> Value {
    if s.op.objective.some().is_none() {
        return Value::Null;
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
    json!({ "modifiers": modifiers(&list), "modifier": total, "rows": rows })
}
