//! Questions about counters: their place, their superiors, where they can go.

use hexgrid::HexId;
use kernel::{
    Ask, Refusal, Viewer,
    view::{Reach as ReachView, Way as WayView, way_or_refusal},
};
use serde_json::{Map, Value, json};

use super::Words;
use crate::{
    frame::Frame,
    movement::{Mover, Reach, Way},
    play::seat,
    rules::Wurzburg,
    state::{Flags, Mine, Payer, Place, State},
    units::{OpKind, Side, Symbol, UnitId, set_of},
};

/// A unit as this viewer may know it.
pub fn describe(rules: &Wurzburg, s: &State, viewer: Viewer, unit: UnitId) -> Value {
    let u = s.unit(unit);
    let counter = rules.counter(unit);
    let known = rules.knows_steps(s, viewer, unit);
    let flags = [
        (Flags::USED, "used"),
        (Flags::DISRUPTED, "disrupted"),
        (Flags::FIRED, "fired"),
        (Flags::CONTAMINATED, "contaminated"),
        (Flags::MASKED, "masked"),
    ];
    let states: Vec<&str> = flags.into_iter().filter(|(flag, _)| u.is(*flag)).map(|(_, name)| name).collect();
    json!({
        "id": counter.id, "side": counter.side.word(), "formation": rules.formation(counter.formation).id,
        "type": counter.kind, "symbol": counter.symbol.key(), "place": u.place.key(),
        "hex": u.hex.some().map(|hex| rules.field.label(hex)),
        "steps": known.then_some(u.steps), "dummy": known.then_some(u.dummy()),
        "used": u.is(Flags::USED), "disrupted": u.is(Flags::DISRUPTED), "fired": u.is(Flags::FIRED),
        "contaminated": u.is(Flags::CONTAMINATED), "masked": u.is(Flags::MASKED), "state": states,
        "attack": counter.attack, "defense": counter.defense, "range": counter.range,
        "mp": s.op.members.contains(unit).then(|| f64::from(u.mp) / 4.0),
        // 30.4.1: when an HQ returns
        "turn": (u.place == Place::Track).then_some(u.turn),
    })
}

pub fn unit(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    Ok(describe(rules, s, viewer, words.unit()?))
}

pub fn stack(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.hex()?;
    let units: Vec<Value> = s.in_hex(hex).map(|unit| json!(rules.id(unit))).collect();
    let owner = s.in_hex(hex).next().map(|unit| rules.counter(unit).side);
    let known = s.in_hex(hex).all(|unit| rules.knows_steps(s, viewer, unit));
    let steps: u32 = s
        .in_hex(hex)
        .filter(|unit| rules.counter(*unit).symbol.maneuver())
        .map(|unit| u32::from(s.unit(unit).steps))
        .sum();
    let mark = s.mark(hex);
    Ok(json!({
        "hex": rules.field.label(hex), "terrain": rules.field.terrain(hex).key(), "units": units,
        "side": owner.map(Side::word), "maneuver_steps": known.then_some(steps),
        "legal": known.then(|| owner.is_none_or(|side| rules.stack_legal(s, side, hex))),
        "masked": rules.masked_hex(s, hex),
        "improved_position": mark.and_then(|mark| mark.improved).map(Side::word),
        "obstacle": mark.is_some_and(|mark| mark.obstacle), "smoke": mark.is_some_and(|mark| mark.smoke),
        "minefield": mark.filter(|mark| mark.mine != Mine::None).map(|mark| {
            let known = rules.knows_mine(viewer, mark.mine_owner, mark.mine_known);
            match mark.mine {
                _ if !known => "unknown",
                Mine::Real => "real",
                _ => "dummy",
            }
        }),
        "gas": rules.in_gas(s, hex),
        "control": rules.holdable.iter().position(|held| *held == hex).map(|n| s.control[n].word()),
        "acquired": s.acquired.contains(&hex),
        "lead": s.formations.iter().enumerate().filter(|(_, f)| f.lead == hex)
            .map(|(n, _)| rules.formations[n].id.clone()).collect::<Vec<_>>(),
    }))
}

/// The movement in question: that of the current operation, or of a kind that is named.
fn mover<'a>(rules: &'a Wurzburg, s: &'a State, unit: UnitId, words: &mut Words) -> Mover<'a> {
    let side = rules.counter(unit).side;
    let named = words.peek().and_then(|word| match word {
        "reaction" => Some(Way::Reaction),
        word => OpKind::read(word).map(Way::Operation),
    });
    if named.is_some() {
        let _ = words.next();
        words.take("attack");
    }
    let running = s.op.members.contains(unit);
    // Tactical movement before the operation is that of the regiment's plan.
    let planned = || match words.peek() {
        Some("tactical") if side == Side::Wp => s.formation(rules.counter(unit).formation).plan.kind,
        _ => OpKind::March,
    };
    let way = named.unwrap_or_else(|| Way::Operation(if running { s.op.kind } else { planned() }));
    let mut mover = Mover::new(rules, s, side, way, set_of([unit]));
    if !running || named.is_some() {
        mover.rested();
    }
    // `moves A tactical`: only the costs of 16.1.1; `road` is the default.
    if words.take("tactical") {
        mover.keep_off_roads();
    } else {
        words.take("road");
    }
    mover
}

fn own(rules: &Wurzburg, viewer: Viewer, unit: UnitId) -> Result<(), Ask> {
    // Where an enemy could go may depend on hidden facts.
    if viewer.knows(seat(rules.counter(unit).side)) { Ok(()) } else { Err(Ask::Secret) }
}

/// Hexes within reach with their costs, in Movement Points.
pub fn moves(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    own(rules, viewer, unit)?;
    let mover = mover(rules, s, unit, words);
    let spent = mover.allowance.saturating_sub(mover.mp);
    let mut out = Map::new();
    Reach::with(&mover, |reach| {
        for reached in reach.hexes(&mover) {
            let cost = f64::from(reached.cost.saturating_sub(spent)) / 4.0;
            out.insert(rules.field.label(reached.hex).to_owned(), json!(cost));
        }
    });
    Ok(Value::Object(out))
}

/// `reach A [OPERATION]`
pub fn reach(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    own(rules, viewer, unit)?;
    // Nothing marches while units are placed.
    if matches!(s.top(), Frame::Works(_) | Frame::Rows(_)) {
        words.skip();
        return Ok(json!({ "reach": ReachView::default() }));
    }
    let mover = mover(rules, s, unit, words);
    let spent = mover.allowance.saturating_sub(mover.mp);
    let mut found = ReachView { allowance: Some(f64::from(mover.mp) / 4.0), cells: Vec::new() };
    Reach::with(&mover, |reach| {
        found.cells.extend(reach.hexes(&mover).map(|reached| {
            let cost = f64::from(reached.cost.saturating_sub(spent)) / 4.0;
            (rules.field.label(reached.hex).to_owned(), cost)
        }));
    });
    Ok(json!({ "reach": found }))
}

/// `way A HEX [OPERATION]`: the cheapest path there, or why there is none.
pub fn way(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    own(rules, viewer, unit)?;
    let to = words.hex()?;
    let mover = mover(rules, s, unit, words);
    if let Some(path) = Reach::with(&mover, |reach| reach.path(&mover, to)) {
        let mut way = WayView { cells: vec![rules.field.label(mover.from).to_owned()], costs: Vec::new() };
        let (mut at, mut spent, mut tactical) = (mover.from, mover.allowance.saturating_sub(mover.mp), false);
        for hex in path {
            let step = rules.field.toward(at, hex).and_then(|d| mover.step(at, d, spent, tactical));
            let Some((_, step)) = step else { break };
            way.cells.push(rules.field.label(hex).to_owned());
            way.costs.push(f64::from(step.cost) / 4.0);
            spent = spent.saturating_add(step.cost);
            (at, tactical) = (hex, step.tactical);
        }
        return Ok(way_or_refusal(Ok(way)));
    }
    let next = rules.field.adjacent(mover.from, to);
    let barred = if next { mover.refusal(mover.from, to) } else { None };
    let too_far = || -> Refusal { rules.no("16.1.2", "move.too_far").hex("hex", to).into() };
    Ok(way_or_refusal(Err(barred.unwrap_or_else(too_far))))
}

/// The cost of each hex of a path: `cost A march 2917 2918`; the kind of movement may come last. One distant hex means the cheapest
/// path.
pub fn cost(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    own(rules, viewer, unit)?;
    let mut path = Vec::new();
    let mut hexes = |words: &mut Words| -> Result<(), Ask> {
        words.take("to");
        while words.peek().is_some_and(|word| rules.field.find(word).is_some()) {
            path.push(words.hex()?);
        }
        Ok(())
    };
    hexes(words)?;
    let mover = mover(rules, s, unit, words);
    hexes(words)?;
    if words.peek().is_some() {
        words.hex()?;
    }
    if let [to] = path[..]
        && to != mover.from
        && !rules.field.adjacent(mover.from, to)
        && let Some(found) = Reach::with(&mover, |reach| reach.path(&mover, to))
    {
        path = found.into_iter().collect();
    }
    let (mut at, mut spent, mut tactical) = (mover.from, mover.allowance.saturating_sub(mover.mp), false);
    let start = spent;
    let mut steps = Vec::new();
    for to in path {
        if to == at && steps.is_empty() {
            continue;
        }
        if let Some(refusal) = mover.refusal(at, to) {
            return Ok(json!({ "legal": false, "rule": refusal.rule, "hex": rules.field.label(to),
                              "why": refusal.why }));
        }
        let direction = rules.field.toward(at, to);
        let Some((_, step)) = direction.and_then(|d| mover.step(at, d, spent, tactical)) else {
            return Err(Ask::Bad("no such step".into()));
        };
        let enough = mover.affords(spent, step.cost, steps.is_empty());
        steps.push(
            json!({ "hex": rules.field.label(to), "cost": f64::from(step.cost) / 4.0, "road": step.road,
                           "enough": enough }),
        );
        spent = spent.saturating_add(step.cost);
        (at, tactical) = (to, step.tactical);
    }
    let legal = steps.iter().all(|step| step["enough"] == true);
    let mut answer = json!({ "legal": legal, "steps": steps, "total": f64::from(spent - start) / 4.0 });
    if !legal {
        answer["rule"] = json!("16.1.2");
    }
    Ok(answer)
}

/// Why a unit may not enter an adjacent hex, or move to a more distant one.
pub fn why(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    own(rules, viewer, unit)?;
    let to = words.hex()?;
    let mover = mover(rules, s, unit, words);
    if rules.field.adjacent(mover.from, to)
        && let Some(refusal) = mover.refusal(mover.from, to)
    {
        return Ok(json!({ "legal": false, "rule": refusal.rule, "why": refusal.why }));
    }
    let reached = Reach::with(&mover, |reach| reach.cost(to));
    Ok(match reached {
        Some(cost) => json!({ "legal": true, "cost": f64::from(cost) / 4.0 }),
        None => {
            let too_far = || rules.no("16.1.2", "move.too_far").hex("hex", to).into();
            let refusal: Refusal = mover.refusal_at(to).unwrap_or_else(too_far);
            json!({ "legal": false, "rule": refusal.rule, "why": refusal.why })
        }
    })
}

/// The HQs above a unit, whether they can act, and whether it is in their range (12.1, 30.1).
pub fn command(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let counter = rules.counter(unit);
    let hex = s.unit(unit).hex;
    let hqs: Vec<Value> = rules
        .hqs
        .iter()
        .filter(|hq| rules.counter(**hq).side == counter.side && rules.superior(s, **hq, unit))
        .map(|hq| {
            json!({ "hq": rules.id(*hq), "distance": rules.reach_of(s, *hq, hex),
                    "range": rules.counter(*hq).command_range, "in_range": rules.in_range(s, *hq, hex),
                    "works": rules.hq_works(s, *hq) })
        })
        .collect();
    let mut above = Vec::new();
    let mut at = Some(counter.formation);
    while let Some(here) = at {
        above.push(rules.formation(here).id.clone());
        at = rules.parent(s, here);
    }
    Ok(json!({ "unit": counter.id, "chain": above, "hqs": hqs,
               "cycle": rules.cycle_of(s, counter.formation).map(|f| rules.formation(f).id.clone()) }))
}

/// `chain 8GA 24MRR`: whether one is superior to the other, and whether they are in one chain of command (7.0).
pub fn chain(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let (a, b) = (words.formation()?, words.formation()?);
    let above = a != b && rules.below(s, b, a);
    Ok(
        json!({ "superior": above, "subordinate": a != b && rules.below(s, a, b), "in_chain": rules.in_chain(s, a, b) }),
    )
}

/// A regiment's plan, for those who may know it (12.3).
pub fn plan(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let formation = words.formation()?;
    let f = s.formation(formation);
    if !rules.knows_plan(s, viewer, formation) {
        return Err(Ask::Secret);
    }
    let payer = viewer.knows(seat(Side::Wp)).then(|| match f.plan.payer {
        Payer::None => "nobody".to_owned(),
        payer => crate::report::payer_word(rules, payer),
    });
    Ok(json!({ "operation": f.plan.kind.key(), "payer": payer, "executed": f.plan.executed,
               "lead": f.lead.some().map(|hex| rules.field.label(hex)) }))
}

/// Command and Reconnaissance Points available.
pub fn points(rules: &Wurzburg, s: &State, viewer: Viewer) -> Value {
    let mut out = Map::new();
    for hq in &rules.hqs {
        let counter = rules.counter(*hq);
        let state = &s.hqs[usize::from(counter.hq)];
        let open = counter.side == Side::Nato || viewer.knows(seat(Side::Wp));
        out.insert(counter.id.clone(), json!({ "cp": open.then_some(state.cp), "rp": state.rp }));
    }
    for side in Side::ALL {
        let state = &s.sides[side.index()];
        let open = side == Side::Nato || viewer.knows(seat(Side::Wp));
        let key = format!("off_map_{}", side.word());
        out.insert(key, json!({ "cp": open.then_some(state.off_map_cp), "rp": state.off_map_rp }));
    }
    for purse in crate::pack::Purse::ALL {
        let p = &s.points[purse.index()];
        out.insert(
            purse.key().to_lowercase(),
            json!({ "air": p.air, "mine": p.mine, "adm": p.adm, "bridging": p.bridging,
                    "borrowed": p.borrowed, "gas_persistent": p.gas_persistent,
                    "gas_non_persistent": p.gas_non_persistent }),
        );
    }
    Value::Object(out)
}

/// `bridge 3214/3215`: the bridges on a river hexside (17.3, 38.5.2).
pub fn bridge(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let word = words.next()?;
    let side = rules.field.board.find_side(&word);
    let side = side.map_err(|_| Ask::Bad(format!("there is no hexside `{word}`")))?;
    let Some(crossing) = s.crossings.get(usize::from(rules.field.river_of(side))) else {
        return Ok(Value::Null);
    };
    let charges = match crossing.charges {
        crate::state::Charges::Ready => "ready",
        crate::state::Charges::Spent => "spent",
        crate::state::Charges::Cut => "cut",
    };
    Ok(json!({
        "civil": rules.civil_bridge(side), "autobahn": rules.autobahn_bridge(side), "blown": crossing.blown,
        "charges": charges, "military": crossing.builder().map(Side::word),
        "nation": crossing.military.map(|purse| purse.key().to_lowercase()),
        "engineer": crossing.engineer.map(|unit| rules.id(unit)),
    }))
}

/// The current operation.
pub fn operation(rules: &Wurzburg, s: &State) -> Value {
    let name = |hex: HexId| hex.some().map(|hex| rules.field.label(hex).to_owned());
    let list =
        |set: &crate::units::UnitSet| set.iter().map(|unit| rules.id(unit).to_owned()).collect::<Vec<_>>();
    json!({
        "kind": s.op.kind.key(), "variant": s.op.variant.key(), "side": s.op.side.word(),
        "objective": name(s.op.objective), "members": list(&s.op.members), "moved": list(&s.op.moved),
        "retreated": list(&s.op.retreated), "reacted": s.op.reacted,
        "hqs": rules.hqs.iter().filter(|hq| rules.counter(**hq).symbol == Symbol::Hq).count(),
    })
}
