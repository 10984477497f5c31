//! Questions about movement: how far, along which path, at what cost, and why not.

use hexgrid::{HexId, HexSet};
use kernel::{
    Ask, Refusal, RefusalKind,
    view::{Reach, Way, way_or_refusal},
};
use serde_json::{Map, Value, json};
use zocbond::Points;

use super::{ground::labels, words::Words};
use crate::{
    action::{Mode, Move, Path},
    flags::Flags,
    movement::{TACTICAL_HEX, profile::Profile, reach::with_reach},
    pack::{Side, UnitId},
    rules::Ardennes,
    state::State,
    terrain::{EdgeBits, NEVER, PER_POINT},
};

/// A cost as a number of movement points.
fn points(quarters: u16) -> Value {
    let points = Points::parts(quarters, PER_POINT);
    points.as_whole().map_or_else(|| json!(points.as_f64()), |whole| json!(whole))
}

fn refused(refusal: &Refusal) -> Value {
    json!({ "legal": false, "rule": refusal.rule, "why": refusal.why })
}

/// The mode of a question that names none: normal movement, or the only one left to a unit that is limited to Tactical
/// Movement (18.2, 23.4) or a Prime Mover (22.3).
fn usual(rules: &Ardennes, s: &State, unit: UnitId, mode: Option<Mode>) -> Mode {
    let side = rules.counter(unit).side;
    let can = |mode| rules.profile(s, side, unit, mode).is_ok();
    match mode {
        Some(mode) => rules.mode_meant(s, unit, mode),
        None if can(Mode::Normal) => Mode::Normal,
        None if can(Mode::Tactical) => Mode::Tactical,
        None if s.unit(unit).is(Flags::PRIME_MOVER) && can(Mode::PrimeMover) => Mode::PrimeMover,
        None => Mode::Normal,
    }
}

/// Hexes where the unit may end its move in this mode, with their cost in quarter points.
fn ends(rules: &Ardennes, s: &State, p: &Profile, mut each: impl FnMut(HexId, u16)) {
    let mut reached = Vec::new();
    with_reach(rules, s, p, |reach| reach.each(p, |hex, cost| reached.push((hex, cost))));
    for (hex, cost) in reached {
        if rules.end_bar(s, p, &[p.unit], hex).is_none() {
            each(hex, cost);
        }
    }
}

/// `moves A [MODE]`
pub fn moves(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let mode = usual(rules, s, unit, words.mode()?);
    let mut hexes = Map::new();
    if let Ok(p) = rules.profile(s, rules.counter(unit).side, unit, mode) {
        ends(rules, s, &p, |hex, cost| {
            hexes.insert(rules.label(hex).to_owned(), points(cost));
        });
    }
    Ok(Value::Object(hexes))
}

fn as_points(quarters: u16) -> f64 {
    Points::parts(quarters, PER_POINT).as_f64()
}

/// `reach A [MODE]`
pub fn reach(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let mode = usual(rules, s, unit, words.mode()?);
    let mut found = Reach::default();
    if let Ok(p) = rules.profile(s, rules.counter(unit).side, unit, mode) {
        found.allowance = Some(as_points(p.left));
        ends(rules, s, &p, |hex, cost| found.cells.push((rules.label(hex).to_owned(), as_points(cost))));
    }
    Ok(json!({ "reach": found }))
}

/// `way A 1313 [MODE]`: the cheapest legal path, or why there is none.
pub fn way_there(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let (unit, to) = (words.unit()?, words.hex()?);
    let named = words.mode()?;
    let mode = usual(rules, s, unit, named);
    let found = match walk(rules, s, unit, to, mode) {
        Ok(Walk { hexes, costs, .. }) => Ok(Way {
            cells: hexes.iter().map(|hex| rules.label(*hex).to_owned()).collect(),
            costs: costs.into_iter().map(as_points).collect(),
        }),
        Err(_) => match why_not(rules, s, unit, &[to], named) {
            (_, Err(refusal)) => Err(refusal),
            (_, Ok(_)) => Ok(Way::default()),
        },
    };
    Ok(way_or_refusal(found))
}

/// Every hex that a side could reach or attack in its next Movement and Combat Phase.
pub fn threat(rules: &Ardennes, s: &State, side: Side) -> Value {
    labels(rules, &threatened(rules, s, side))
}

pub fn threatened(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let mut reach = HexSet::EMPTY;
    for unit in rules.on_map(s, side) {
        if let Some(hex) = s.unit(unit).hex() {
            reach.insert(hex);
        }
        for mode in [Mode::Normal, Mode::Tactical] {
            if let Ok(p) = rules.profile(s, side, unit, mode) {
                ends(rules, s, &p, |hex, _| {
                    reach.insert(hex);
                });
            }
        }
    }
    let mut threatened = reach;
    for hex in &reach {
        threatened.extend(rules.land.neighbours(hex));
    }
    threatened
}

/// The hexes of a path from a unit's hex, including the start.
fn hexes_of(rules: &Ardennes, start: HexId, path: &Path) -> Vec<HexId> {
    let mut hexes = Vec::from_iter(start.some());
    for direction in path.iter() {
        let next = hexes.last().and_then(|at| rules.land.neighbour(*at, direction));
        hexes.extend(next);
    }
    hexes
}

/// The cost of each step of a path, as far as it is legal.
fn steps(rules: &Ardennes, s: &State, p: &Profile, hexes: &[HexId]) -> Vec<u16> {
    let mut costs = Vec::new();
    let mut crossed = false;
    for pair in hexes.windows(2) {
        let Some(direction) = rules.land.direction(pair[0], pair[1]) else { break };
        let Ok(pace) = rules.pace(s, p, pair[0], direction, crossed) else { break };
        crossed |= pace.hard;
        costs.push(if p.free { TACTICAL_HEX } else { pace.cost });
    }
    costs
}

/// The parts of the cost of one step, each with its rule.
fn parts(rules: &Ardennes, s: &State, p: &Profile, from: HexId, to: HexId) -> Vec<Value> {
    let Some(direction) = rules.land.direction(from, to) else { return Vec::new() };
    let part = |mp: u16, cause: &str, rule: &str| json!({ "mp": points(mp), "rule": rule, "cause": cause });
    if p.free {
        return vec![part(TACTICAL_HEX, "tactical", "11.3")];
    }
    let edge = rules.land.edge(from, direction);
    let land = rules.land.hex(to);
    let off_road = land.enter[p.cost];
    let by_road = rules.crossing(s, from, direction).road.then_some(edge.road[p.cost]);
    let mut list = Vec::new();
    list.push(match by_road.filter(|road| *road <= off_road) {
        // 11.8: a road through woods that gives no bonus.
        Some(road) if !edge.is(EdgeBits::ROAD_BONUS) => part(road.into(), "forest_road", "11.8"),
        Some(road) => part(road.into(), "road", "11.7"),
        None if off_road == NEVER => part(0, "shift", "22.2"),
        None => part(off_road.into(), land.ground.key(), "11.1"),
    });
    if from == p.start && p.leave > 0 {
        list.push(part(p.leave, "leave_ezoc", "9.2"));
    }
    let numbers = &rules.tables().movement;
    let mut delay = rules.delay(s, p.side, to);
    let enemy = p.side.enemy().index();
    for (markers, mp, cause, rule) in [
        (&s.traffic[enemy][..], numbers.traffic_quarters, "traffic", "24.2"),
        (&s.roadblocks[enemy][..], numbers.roadblock_quarters, "roadblock", "33.1"),
    ] {
        if markers.iter().any(|at| at.hex() == Some(to)) {
            list.push(part(mp.into(), cause, rule));
            delay -= u16::from(mp);
        }
    }
    if delay > 0 {
        list.push(part(delay, "bottleneck", "24.7"));
    }
    list
}

/// The parts of every step of a path.
fn all_parts(rules: &Ardennes, s: &State, p: &Profile, hexes: &[HexId], steps: usize) -> Vec<Value> {
    let pairs = hexes.windows(2).take(steps);
    pairs.map(|pair| Value::Array(parts(rules, s, p, pair[0], pair[1]))).collect()
}

/// `path A 1313 [MODE]`: the cheapest legal path.
pub fn path(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let (unit, to) = (words.unit()?, words.hex()?);
    let mode = usual(rules, s, unit, words.mode()?);
    Ok(way(rules, s, unit, to, mode))
}

/// A legal path with the cost of each step.
struct Walk {
    profile: Profile,
    hexes: Vec<HexId>,
    costs: Vec<u16>,
    total: u16,
}

fn walk(rules: &Ardennes, s: &State, unit: UnitId, to: HexId, mode: Mode) -> Result<Walk, Refusal> {
    let side = rules.counter(unit).side;
    let plan = rules.check_move(s, side, &Move::to(unit, to, mode))?;
    let profile = rules.profile(s, side, unit, mode).map_err(|bar| bar.refuse(rules, s, unit))?;
    let start = if profile.start == HexId::NONE { plan.entry } else { profile.start };
    let hexes = hexes_of(rules, start, &plan.path);
    let costs = steps(rules, s, &profile, &hexes);
    Ok(Walk { profile, hexes, costs, total: plan.cost })
}

fn way(rules: &Ardennes, s: &State, unit: UnitId, to: HexId, mode: Mode) -> Value {
    let Walk { profile: p, hexes, costs, total } = match walk(rules, s, unit, to, mode) {
        Ok(walk) => walk,
        Err(refusal) => return refused(&refusal),
    };
    let labels: Vec<&str> = hexes.iter().map(|hex| rules.label(*hex)).collect();
    json!({
        "legal": true,
        "path": labels,
        "parts": all_parts(rules, s, &p, &hexes, costs.len()),
        "costs": costs.into_iter().map(points).collect::<Vec<_>>(),
        "total": points(total),
        "allowance": points(p.left),
        "mode": mode.word(),
    })
}

/// `cost A 1212 1313 [MODE]`: each step and the total.
pub fn cost(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let mut hexes = words.hexes()?;
    let mode = usual(rules, s, unit, words.mode()?);
    let side = rules.counter(unit).side;
    let start = s.unit(unit).hex();
    if let Some(start) = start
        && hexes.first() != Some(&start)
    {
        hexes.insert(0, start);
    }
    // A single distant hex means the cheapest legal path, as in a move.
    if let [from, to] = hexes[..]
        && rules.land.direction(from, to).is_none()
    {
        let mut answer = way(rules, s, unit, to, mode);
        let steps = answer.get("costs").cloned();
        if let (Some(object), Some(steps)) = (answer.as_object_mut(), steps) {
            object.insert("steps".into(), steps);
        }
        return Ok(answer);
    }
    let p = match rules.profile(s, side, unit, mode) {
        Ok(p) => p,
        Err(bar) => return Ok(refused(&bar.refuse(rules, s, unit))),
    };
    let mut way = Path::default();
    for pair in hexes.windows(2) {
        match rules.land.direction(pair[0], pair[1]) {
            Some(direction) if way.push(direction) => {}
            _ => {
                let gap: Refusal =
                    rules.no("11.1", "path.gap").hex("from", pair[0]).hex("to", pair[1]).into();
                return Ok(refused(&gap));
            }
        }
    }
    let costs = steps(rules, s, &p, &hexes);
    let total: u16 = costs.iter().sum();
    let each: Vec<Value> = costs.iter().copied().map(points).collect();
    let by_hex: Map<String, Value> = hexes[1..]
        .iter()
        .zip(&each)
        .map(|(hex, cost)| (rules.label(*hex).to_owned(), cost.clone()))
        .collect();
    let mut answer = json!({
        "legal": true,
        "steps": each,
        "costs": each,
        "by_hex": by_hex,
        "parts": all_parts(rules, s, &p, &hexes, costs.len()),
        "total": points(total),
        "allowance": points(p.left),
        "mode": mode.word(),
    });
    let entry = if start.is_some() { HexId::NONE } else { hexes[0] };
    let verdict = rules.walk_cost(s, &p, entry, &way).map_err(|bar| bar.refuse(rules, s, unit));
    if let (Err(refusal), Some(object)) = (verdict, answer.as_object_mut()) {
        object.insert("legal".into(), json!(false));
        object.insert("rule".into(), json!(refusal.rule));
        object.insert("why".into(), json!(refusal.why));
    }
    Ok(answer)
}

/// `why A 1313 [MODE]`: legal, or the rule and the reason.
pub fn why(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let hexes = words.hexes()?;
    let named = words.mode()?;
    if hexes.is_empty() {
        return Err(Ask::Bad("why: name a unit and a hex".into()));
    }
    let (tried, found) = why_not(rules, s, unit, &hexes, named);
    let (mode, others) = (tried.mode.word(), tried.others);
    Ok(match found {
        Ok(cost) => json!({ "legal": true, "cost": points(cost), "mode": mode, "modes": others }),
        Err(refusal) => {
            let mut answer = refused(&refusal);
            if let Some(object) = answer.as_object_mut() {
                object.insert("mode".into(), json!(mode));
                object.insert("modes".into(), json!(others));
            }
            answer
        }
    })
}

/// The mode that an answer is about, and all modes in which the move is legal.
struct Tried {
    mode: Mode,
    others: Vec<&'static str>,
}

/// The cost of a move in a mode, or the reason that a player would be given.
fn why_not(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    hexes: &[HexId],
    named: Option<Mode>,
) -> (Tried, Result<u16, Refusal>) {
    let mut mode = usual(rules, s, unit, named);
    let to = hexes.last().copied().unwrap_or(HexId::NONE);
    let side = rules.counter(unit).side;
    // Beyond Tactical Movement the reason is whatever limits the unit to it (18.2, 23.4).
    let reach = u32::from(rules.tables().movement.tactical_hexes);
    if named.is_none() && s.unit(unit).hex().is_some_and(|from| rules.distance(from, to) > reach) {
        mode = Mode::Normal;
    }
    let wanted = |mode| {
        let mut step = Move::to(unit, to, mode);
        let start = s.unit(unit).hex();
        if let Some(start) = start
            && hexes.len() > 1
        {
            let stations: Vec<HexId> =
                std::iter::once(start).chain(hexes.iter().copied().filter(|hex| *hex != start)).collect();
            let directions = stations.windows(2).map(|pair| rules.land.direction(pair[0], pair[1]));
            if let Some(directions) = directions.collect::<Option<Vec<_>>>() {
                step.path = directions.into_iter().collect();
            }
        }
        rules.check_move(s, side, &step)
    };
    let others = Mode::ALL.into_iter().filter(|mode| wanted(*mode).is_ok()).map(Mode::word).collect();
    let mut found = wanted(mode);
    // Beyond its allowance a unit on foot would need Extended Movement: the reason is what forbids that (11.2).
    if named.is_none()
        && found.as_ref().is_err_and(|refusal| refusal.kind == RefusalKind::TooFar)
        && rules.profile(s, side, unit, Mode::Extended).is_ok()
        && let Err(refusal) = wanted(Mode::Extended)
        && refusal.rule == "11.2"
    {
        found = Err(refusal);
        mode = Mode::Extended;
    }
    let cost = found.map(|plan| match mode {
        Mode::Tactical => TACTICAL_HEX * plan.path.len() as u16,
        _ => plan.cost,
    });
    (Tried { mode, others }, cost)
}

/// `explain A 1313 [MODE]`
pub fn explain(rules: &Ardennes, s: &State, unit: UnitId, words: &mut Words) -> Result<Value, Ask> {
    let to = words.hex()?;
    let mode = usual(rules, s, unit, words.mode()?);
    Ok(way(rules, s, unit, to, mode))
}
