//! Questions about works, buildings and mines (6.1.4.3, 6.6.3, 7.31).

use hexgrid::HexId;
use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    pack::advanced::{FeatureKind, lookup::outcome},
    rules::Panzer,
    state::{Flags, State},
    works::Work,
};

/// A counter, and the units in it.
fn work(rules: &Panzer, s: &State, work: &Work) -> Value {
    let flag = match work.kind {
        FeatureKind::HastyEntrenchment => Some(Flags::ENTRENCHED),
        FeatureKind::ImprovedPosition => Some(Flags::IMPROVED),
        _ => None,
    };
    let inside = |flag: Flags| s.in_hex(work.hex).filter(move |unit| s.unit(*unit).is(flag));
    let holds: Vec<&str> = flag.into_iter().flat_map(inside).map(|unit| rules.id(unit)).collect();
    json!({ "kind": work.kind.key(), "hex": rules.field.label(work.hex), "gpd": work.gpd,
            "capacity": work.capacity, "progress": work.progress, "complete": rules.complete(work),
            "holds": holds, "hidden": work.hidden, "lane": work.cleared == Work::LANE,
            "cleared": if work.cleared == Work::LANE { json!("lane") } else { json!(work.cleared) } })
}

/// `works`: every counter that the viewer knows of.
pub fn works(rules: &Panzer, s: &State, viewer: Viewer) -> Value {
    let known = s.works.list.iter().filter(|w| rules.knows_work(viewer, w));
    let list: Vec<Value> = known.map(|w| work(rules, s, w)).collect();
    let label = |hex: HexId| rules.field.label(hex);
    json!({ "works": list, "rubble": s.works.rubble.iter().map(label).collect::<Vec<_>>(),
            "fires": s.works.fires.iter().map(|(hex, _)| label(*hex)).collect::<Vec<_>>(), "rule": "6.1.4.3" })
}

/// The additional facts of `hex C5`.
pub(super) fn hex(rules: &Panzer, s: &State, viewer: Viewer, hex: HexId, answer: &mut Value) {
    let here = s.works.at(hex).filter(|w| rules.knows_work(viewer, w));
    let list: Vec<Value> = here.map(|w| work(rules, s, w)).collect();
    answer["works"] = json!(list);
    answer["rubble"] = json!(rules.rubble(s, hex));
    answer["on_fire"] = json!(s.works.burns(hex));
    answer["ditch"] = json!(rules.field.ground(hex).ditch);
    let dust = |area: &crate::indirect::Area| {
        area.kind == crate::pack::advanced::HindranceKind::Dust && area.hexes.contains(&hex)
    };
    answer["dust"] = json!(s.indirect.areas.iter().any(dust));
    if let Some(game) = rules.advanced.as_deref() {
        let foot = |traction: crate::pack::Traction| {
            rules.terrain_cost(traction, hex).and_then(|cost| rules.works_cost(s, traction, hex, cost).ok())
        };
        let [t, h, w, m, l, g] = crate::pack::Traction::ALL.map(foot);
        answer["cost"] = json!({ "T": t, "H": h, "W": w, "M": m, "L": l, "G": g });
        let chart = &game.tables().terrain[rules.field.terrain(hex) as usize];
        answer["hull_down"] = json!(chart.hull_down);
        answer["support"] = json!(chart.support);
        answer["gpd"] = json!(chart.gpd.filter(|gpd| *gpd > 0));
    }
}

/// `terrain C5`: what can be destroyed in a hex, with its GP defense (6.5.4.2.5); `terrain C5 gpf 8 net -20`: with the
/// chances.
pub fn terrain(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.place()?;
    let (mut gpf, mut net) = (None, 0_i16);
    while let Some(word) = words.peek().map(str::to_lowercase) {
        words.next()?;
        let number: i16 =
            words.next()?.parse().map_err(|_| Ask::Bad(format!("{word}: expected a number")))?;
        match word.as_str() {
            "gpf" | "factor" => gpf = Some(number.clamp(1, 15) as u8),
            "net" => net = number,
            _ => return Err(Ask::Bad(format!("`{word}` is not understood; there is gpf N, net N"))),
        }
    }
    let game = rules.advanced.as_deref();
    let game = game.ok_or_else(|| Ask::Bad("terrain: only in the Advanced Game (6.5.4.2.5)".into()))?;
    let mut list = Vec::new();
    for against in rules.vulnerable(s, hex) {
        // 7.31: hidden mines are not revealed.
        let of = |w: &&Work| crate::works::Target::Work(w.kind) == against.target;
        if s.works.at(hex).find(of).is_some_and(|w| !rules.knows_work(viewer, w)) {
            continue;
        }
        let mut line = json!({ "terrain": against.target.key(), "gpd": against.gpd, "type": "S" });
        if let Some(gpf) = gpf {
            let cell = game.tables().gp_cell(gpf, against.gpd);
            let good = (1..=100)
                .filter(|roll| outcome(cell, roll + net) == crate::pack::advanced::Outcome::Effective);
            let p = good.count() as f64 / 100.0;
            let mines = against.target == crate::works::Target::Work(FeatureKind::Mines);
            line["n"] = json!(cell.0);
            line["s"] = json!(cell.1);
            line["effective"] = json!(p);
            line["destroyed"] = json!(if mines { p } else { p * p });
        }
        list.push(line);
    }
    Ok(json!({ "hex": rules.field.label(hex), "vulnerable": list, "rule": "6.5.4.2.5" }))
}

/// `building A` / `building A C5`: the test of a vehicle that enters or leaves a building (6.6.3).
pub fn building(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let hex = match words.peek() {
        Some(_) => words.hex()?,
        None => s.unit(unit).hex.some().ok_or_else(|| Ask::Bad("it is not on the map".into()))?,
    };
    let entry = match rules.building_entry(s, unit, hex) {
        Ok(entry) => entry,
        Err(bar) => {
            let refusal = bar.refuse(rules, unit);
            return Ok(json!({ "possible": false, "rule": refusal.rule, "why": refusal.why.key }));
        }
    };
    let harmed = (1..=100_i16).filter(|roll| roll + i16::from(entry.add) <= i16::from(entry.hit_max)).count();
    let (harm, track) = (harmed as f64 / 100.0, f64::from(entry.track_max) / 100.0);
    Ok(
        json!({ "possible": true, "modifier": entry.add, "hit_max": entry.hit_max, "track_max": entry.track_max,
               "cost": entry.cost, "inside": s.unit(unit).is(Flags::INSIDE), "rule": "6.6.3",
               "chances": { "harm": harm, "track_hit": harm * track, "damage": harm * (1.0 - track) } }),
    )
}

/// `mines A C5`: the attack of a minefield on a unit (7.31).
pub fn mines(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let hex = words.hex()?;
    let field = rules.minefield(s, hex).filter(|field| rules.knows_work(viewer, field));
    let Some((field, game)) = field.zip(rules.advanced.as_deref()) else {
        return Ok(json!({ "possible": false, "rule": "7.31" }));
    };
    let Some(gpf) = rules.mine_factor(&field, unit) else {
        return Ok(json!({ "possible": false, "rule": "7.31" }));
    };
    let gpd = rules.mine_defense(s, unit);
    let (n, suppressed) = game.tables().gp_cell(gpf, gpd);
    let mut chances = [0u32; 3];
    for roll in 1..=100i16 {
        chances[outcome((n, suppressed), roll) as usize] += 1;
    }
    let [mut nothing, mut shaken, effective] = chances.map(|rolls| f64::from(rolls) / 100.0);
    if rules.is_vehicle(unit) {
        (nothing, shaken) = (nothing + shaken, 0.0);
    }
    Ok(json!({ "possible": true, "gpf": gpf, "gpd": gpd, "n": n, "s": suppressed, "rule": "7.31",
               "chances": { "no_effect": nothing, "suppressed": shaken, "effective": effective } }))
}
