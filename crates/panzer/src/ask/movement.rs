//! Where a vehicle can go, at what cost, and why not (4.5).

use std::collections::BTreeMap;

use hexgrid::{Direction, HexId};
use kernel::{
    Ask, Viewer,
    view::{Reach, Way, way_or_refusal},
};
use serde_json::{Map, Value, json};

use super::words::Words;
use crate::{
    action::{Action, Go, Part},
    movement::{Cursor, reach, supposed},
    notation::{facing_name, read},
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

/// The position as if the vehicle were about to move: with Move, or with Short Halt if that is known or asked for.
fn about_to_move(
    rules: &Panzer,
    s: &State,
    viewer: Viewer,
    unit: UnitId,
    words: &mut Words,
) -> (State, bool) {
    let mut s = s.clone();
    let known = rules.knows_command(&s, viewer, unit);
    let u = s.unit_mut(unit);
    u.command = if known { supposed(u.command) } else { Command::Move };
    u.clear(Flags::MOVED);
    let mut along = false;
    loop {
        if ["road", "path", "along", "quick", "quickmarch"].into_iter().any(|word| words.take(word)) {
            along = true;
        } else if words.take("crawl") {
            // 6.6.4.3: a unit in Full Cover can only crawl.
        } else if words.take("short_halt") {
            s.unit_mut(unit).command = Command::ShortHalt;
        } else if words.take("move") {
            s.unit_mut(unit).command = Command::Move;
        } else {
            s.stamp.renew();
            return (s, along);
        }
    }
}

fn start(rules: &Panzer, s: &State, unit: UnitId, along: bool) -> Result<Cursor, Ask> {
    let walking = s.walk.active && s.walk.unit == unit;
    if walking {
        return Ok(rules.walking(s));
    }
    let entry = rules.entries[unit.index()].as_ref().and_then(|gate| gate.hexes.first()).copied();
    let entry = if s.unit(unit).on_map() { HexId::NONE } else { entry.unwrap_or(HexId::NONE) };
    let start = rules.start(s, unit, along, entry);
    let start = start.ok().filter(|start| start.hex != HexId::NONE);
    start.ok_or_else(|| Ask::Bad(format!("{} is not on the map and cannot enter it", rules.id(unit))))
}

/// `moves A [road] [short_halt]`: each hex with the least cost of ending there, and under `facings` with the cost of each
/// facing; `moves A facings` gives those alone.
pub fn moves(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, along) = about_to_move(rules, s, viewer, unit, words);
    let only_facings = words.take("facings");
    let along = along || ["quick", "quickmarch", "road"].into_iter().any(|word| words.take(word));
    let start = start(rules, &s, unit, along)?;
    let (mut hexes, mut facings) = (Map::new(), Map::new());
    reach::with_reach(rules, &s, &start, |reach| {
        reach.ends(rules, &s, |hex, facing, cost| {
            let label = rules.field.label(hex);
            let least = hexes.get(label).and_then(Value::as_u64).unwrap_or(u64::MAX);
            if u64::from(cost) < least {
                hexes.insert(label.to_owned(), json!(cost));
            }
            let entry = facings.entry(label).or_insert_with(|| json!({}));
            entry[facing_name(facing)] = json!(cost);
        });
    });
    if only_facings {
        return Ok(Value::Object(facings));
    }
    if !along && start.hex != HexId::NONE {
        hexes.remove(rules.field.label(start.hex));
    }
    hexes.insert("facings".into(), Value::Object(facings));
    Ok(Value::Object(hexes))
}

/// `reach A [road] [short_halt]`
pub fn reached(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, along) = about_to_move(rules, s, viewer, unit, words);
    let start = start(rules, &s, unit, along)?;
    let mut least: BTreeMap<HexId, u8> = BTreeMap::new();
    reach::with_reach(rules, &s, &start, |reach| {
        reach.ends(rules, &s, |hex, _, cost| {
            let known = least.entry(hex).or_insert(cost);
            *known = cost.min(*known);
        });
    });
    if !along {
        least.remove(&start.hex);
    }
    let cells = least.into_iter().map(|(hex, cost)| (rules.field.label(hex).to_owned(), f64::from(cost)));
    let found = Reach { allowance: Some(rules.allowance(&s, &start.walk).into()), cells: cells.collect() };
    Ok(json!({ "reach": found }))
}

/// `way A HEX [FACING] [road]`: the cheapest path there, or why there is none.
pub fn way(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, along) = about_to_move(rules, s, viewer, unit, words);
    let mut rest = words.rest();
    let along = along || rest.iter().any(|word| word == "road");
    rest.retain(|word| word != "road" && word != "to");
    let named = rest.first().and_then(|label| rules.field.find(label));
    let to = named.ok_or_else(|| Ask::Bad("way: name a unit and a hex".into()))?;
    rest.insert(0, "to".into());
    let mut at = start(rules, &s, unit, along)?;
    let Ok(parts) = order(rules, &s, unit, along, &rest) else {
        let refusal = rules.why_not::<()>(&s, &at, to);
        return Ok(way_or_refusal(refusal.map(|()| Way::default())));
    };
    let mut way = Way { cells: vec![rules.field.label(at.hex).to_owned()], costs: Vec::new() };
    for (n, part) in parts.iter().enumerate() {
        let Ok(cost) = rules.take_next(&s, &mut at, *part, parts[n + 1..].iter().copied()) else { break };
        if matches!(part, Part::Forward | Part::Back | Part::Overrun(_)) {
            way.cells.push(rules.field.label(at.hex).to_owned());
            way.costs.push(f64::from(cost));
        }
    }
    Ok(way_or_refusal(Ok(way)))
}

/// `allowance A`: what it may spend across country, on paths and on roads (3.7, 4.5.1.1.1).
pub fn allowance(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, _) = about_to_move(rules, s, viewer, unit, words);
    Ok(allowances(rules, &s, unit))
}

pub(super) fn allowances(rules: &Panzer, s: &State, unit: UnitId) -> Value {
    let walk = crate::movement::Walk { unit, halved: rules.halved(s, unit), ..Default::default() };
    let along = crate::movement::Walk { along: true, ..walk };
    let traction = rules.vehicle(unit).movement.traction;
    let mut answer = json!({
        "cross_country": rules.allowance(s, &walk),
        "path": rules.allowance(s, &along),
        "road": rules.allowance(s, &crate::movement::Walk { roads: 1, ..along }),
        "traction": traction,
    });
    if traction == crate::pack::Traction::Leg {
        answer["quickmarch"] = answer["road"].clone(); // 6.6.4.2
    }
    answer
}

/// Why a move has no cost.
enum NoWay {
    /// The text cannot be read.
    Bad(Ask),
    Refused(Box<kernel::Refusal>),
}

/// A move as it is written after the vehicle's name: a path, or `to HEX [FACING]`.
fn order(rules: &Panzer, s: &State, unit: UnitId, along: bool, rest: &[String]) -> Result<Vec<Part>, NoWay> {
    let text = format!("move {} {}{}", rules.id(unit), if along { "road " } else { "" }, rest.join(" "));
    let bad = || NoWay::Bad(Ask::Bad(format!("`{text}` is no move")));
    match read(rules, s, rules.vehicle(unit).side, &text) {
        Ok(Action::Move(order)) => Ok(order.plan.iter().collect()),
        Ok(Action::Go(go)) => match rules.resolve(s, &go) {
            Ok(order) => Ok(order.plan.iter().collect()),
            Err(refusal) => Err(NoWay::Refused(Box::new(refusal))),
        },
        _ => Err(bad()),
    }
}

/// The costs of a move, or the rule that forbids it.
fn priced(rules: &Panzer, s: &State, unit: UnitId, along: bool, rest: &[String]) -> Result<Value, Ask> {
    match order(rules, s, unit, along, rest) {
        Ok(parts) => walked(rules, s, unit, along, &parts),
        Err(NoWay::Bad(ask)) => Err(ask),
        Err(NoWay::Refused(refusal)) => {
            let at = start(rules, s, unit, along)?;
            Ok(json!({ "legal": false, "rule": refusal.rule, "why": refusal.why,
                       "allowance": rules.allowance(s, &at.walk) }))
        }
    }
}

/// `path A HEX [FACING]`: the cheapest path there.
pub fn path(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, along) = about_to_move(rules, s, viewer, unit, words);
    let mut rest = words.rest();
    if rest.first().is_some_and(|word| word != "to") {
        rest.insert(0, "to".into());
    }
    let along = along || rest.iter().any(|word| word == "road");
    rest.retain(|word| word != "road");
    priced(rules, &s, unit, along, &rest)
}

/// `cost A C3 C4 face NE`: the cost of each part, and the total.
pub fn cost(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, along) = about_to_move(rules, s, viewer, unit, words);
    let mut rest = words.rest();
    let way = |word: &String| matches!(word.as_str(), "road" | "path" | "quick" | "quickmarch");
    let along = along || rest.iter().any(way);
    rest.retain(|word| !way(word));
    priced(rules, &s, unit, along, &rest)
}

fn walked(rules: &Panzer, s: &State, unit: UnitId, along: bool, parts: &[Part]) -> Result<Value, Ask> {
    let mut at = start(rules, s, unit, along)?;
    let mut path = vec![rules.field.label(at.hex).to_owned()];
    let (mut costs, mut steps) = (Vec::new(), Vec::new());
    let mut refusal = None;
    for (n, part) in parts.iter().enumerate() {
        match rules.take_next(s, &mut at, *part, parts[n + 1..].iter().copied()) {
            Ok(cost) => {
                let step = match part {
                    Part::Turn(facing) => json!({ "turn": facing_name(*facing), "cost": cost }),
                    Part::Forward | Part::Back => {
                        let label = rules.field.label(at.hex).to_owned();
                        path.push(label.clone());
                        costs.push(cost);
                        json!({ "hex": label, "cost": cost, "back": *part == Part::Back })
                    }
                    Part::Exit { back } => json!({ "exit": true, "cost": cost, "back": back }),
                    Part::Mount(other) => json!({ "mount": rules.id(*other), "cost": cost }),
                    Part::Dismount { unit, hex, .. } => {
                        json!({ "dismount": rules.id(*unit), "hex": rules.field.label(*hex), "cost": cost })
                    }
                    Part::Overrun(target) => {
                        let label = rules.field.label(at.hex).to_owned();
                        path.push(label.clone());
                        costs.push(cost);
                        json!({ "hex": label, "cost": cost, "overrun": rules.id(*target) })
                    }
                    Part::Search { partial, .. } => {
                        json!({ "search": true, "partial": partial, "cost": cost })
                    }
                    Part::Bail { unit, .. } => json!({ "bail": rules.id(*unit), "cost": cost }),
                    Part::Door => json!({ "inside": at.walk.inside, "cost": cost }),
                    Part::Floor => json!({ "up": at.walk.up, "cost": cost }),
                    Part::Partly => json!({ "partly_hull_down": true, "cost": cost }),
                    Part::Assault(target) => json!({ "assault": rules.id(*target), "cost": cost }),
                };
                steps.push(step);
            }
            Err(bar) => {
                refusal = Some(bar.refuse(rules, unit));
                break;
            }
        }
    }
    let turned = matches!(parts.last(), Some(Part::Turn(_)));
    if refusal.is_none() {
        refusal = rules.may_end(s, &at, turned).err().map(|bar| bar.refuse(rules, unit));
    }
    let allowance = rules.allowance(s, &at.walk);
    let mut answer = json!({
        "steps": steps, "path": path, "costs": costs, "total": at.walk.spent, "allowance": allowance,
        "facing": facing_name(at.facing), "legal": refusal.is_none(),
    });
    if let Some(refusal) = refusal {
        answer["rule"] = json!(refusal.rule);
        answer["why"] = json!(refusal.why);
    }
    Ok(answer)
}

/// `why A HEX [FACING]`: legal, or the rule that prevents it from ending there; `why A -> B` for fire.
pub fn why(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let (s, along) = about_to_move(rules, s, viewer, unit, words);
    words.take("to");
    let to = words.hex()?;
    let facing = match words.peek().and_then(crate::notation::read_facing) {
        Some(facing) => {
            words.next()?;
            Some(facing)
        }
        None => None,
    };
    let start = start(rules, &s, unit, along)?;
    let cost =
        |facing: Direction| reach::with_reach(rules, &s, &start, |reach| reach.cost(rules, &s, to, facing));
    let found = match facing {
        Some(facing) => cost(facing),
        None => Direction::ALL.into_iter().filter_map(cost).min(),
    };
    if let Some(cost) = found {
        return Ok(json!({ "legal": true, "cost": cost }));
    }
    let go = Go { unit, along, entry: HexId::NONE, to, facing: facing.unwrap_or(start.facing) };
    match rules.why_not::<()>(&s, &start, go.to) {
        Err(refusal) => Ok(json!({ "legal": false, "rule": refusal.rule, "why": refusal.why })),
        Ok(()) => Ok(json!({ "legal": true })),
    }
}
