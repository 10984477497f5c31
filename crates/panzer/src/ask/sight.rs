//! Lines of sight and spotting.

use kernel::Ask;
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    pack::Cover,
    rules::Panzer,
    spotting::ROWS,
    state::{Spot, State},
};

/// `los A B`: units or hexes.
pub fn los(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let from = words.place()?;
    words.take("->");
    let to = words.place()?;
    let section = rules.los.section(&rules.field, from, to, &s.smoke);
    let mut answer = json!({
        "clear": section.clear, "blocked_by": section.blocked_by, "case": section.case,
        "hindrances": section.hindrances, "range": section.range, "heights": section.heights,
        "from": section.from, "to": section.to,
        "section": section,
    });
    answer["blocked"] = json!(!section.clear);
    Ok(answer)
}

/// `sight A`: every hex in line of sight of a vehicle or hex.
pub fn visible(rules: &Panzer, _s: &State, words: &mut Words) -> Result<Value, Ask> {
    let from = words.place()?;
    let hexes: Vec<&str> = rules.los.visible_from(from).iter().map(|hex| rules.field.label(hex)).collect();
    Ok(json!(hexes))
}

pub(super) const fn cover_key(cover: Cover) -> &'static str {
    match cover {
        Cover::None => "none",
        Cover::Light => "light",
        Cover::Medium => "medium",
        Cover::Heavy => "heavy",
    }
}

/// `spot A B`: does A spot B now, and how far away B could be spotted (4.1.3).
pub fn spot(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let spotter = words.unit()?;
    words.take("->");
    let target = words.unit()?;
    let (a, b) = (s.unit(spotter), s.unit(target));
    if !a.on_map() || !b.on_map() {
        return Err(Ask::Bad("both vehicles must be on the map".into()));
    }
    let table = &rules.tables().modifiers;
    let cover = rules.spotting_cover(s, b.hex);
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
    let sum: i64 = shifts.iter().filter_map(|shift| shift["shift"].as_i64()).sum();
    let sight = rules.los.between(a.hex, b.hex);
    let combat = rules.vehicle(spotter).combat;
    let (range, maximum) = (rules.field.range(a.hex, b.hex), rules.spotting_range(s, target));
    let spotted = rules.spots(s, spotter, target);
    let rule = match () {
        () if spotted => "4.1",
        () if !combat => "4.1.1",
        () if !sight.clear => sight.case,
        () => "4.1.3",
    };
    Ok(json!({
        "base": rules.tables().spotting[ROWS.1 as usize],
        "column": "V",
        "shifts": shifts,
        "modifiers": shifts,
        "net": sum,
        "row": rules.spotting_row(s, target),
        "cover": cover_key(cover),
        "maximum": maximum,
        "max_range": maximum,
        "range": range,
        "los": sight.clear,
        "case": sight.case,
        "combat_unit": combat,
        "spotted": spotted,
        "rule": rule,
    }))
}

/// `spotted B`: who spots B now, and who spotted it in this turn's Spotting Phase.
pub fn spotted(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let target = words.unit()?;
    let names = |set: crate::units::UnitSet| set.iter().map(|unit| rules.id(unit)).collect::<Vec<_>>();
    Ok(json!({
        "now": names(rules.spotters(s, target)),
        "this_turn": names(s.spotters[target.index()]),
        "range": rules.spotting_range(s, target),
        "spot": s.unit(target).spot.key(),
    }))
}
