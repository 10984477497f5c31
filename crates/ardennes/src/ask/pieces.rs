//! Questions about units and stacks.

use hexgrid::HexId;
use serde_json::{Value, json};

use crate::{
    flags::Flags,
    pack::{Role, UnitId},
    place::Place,
    rules::Ardennes,
    state::State,
    supply, surrender,
};

/// States that a lab file can give a unit; the other flags are bookkeeping within a phase.
const STATES: [Flags; 12] = [
    Flags::REDUCED,
    Flags::DISRUPTED,
    Flags::BROKEN,
    Flags::ENGAGED,
    Flags::OOS,
    Flags::STRATEGIC,
    Flags::TRUCK,
    Flags::PRIME_MOVER,
    Flags::FIRED,
    Flags::NIGHT,
    Flags::REPLACED,
    Flags::EXPOSED,
];

pub fn stack(rules: &Ardennes, s: &State, hex: HexId) -> Value {
    let units: Vec<String> = s.stack(hex).map(|u| rules.unit_id(u)).collect();
    let load = rules.load(s, hex, &[]);
    let over = rules.overload(s, hex, &[]);
    let why = over.map(|over| rules.refuse_overload(s, hex, over, rules.load(s, hex, &[])));
    json!({
        "hex": rules.label(hex),
        "side": s.holder(hex).map(|side| side.to_string()),
        "units": units,
        "points": load.points,
        "stacking": load.points,
        "stacking_points": load.points,
        "silhouette_steps": load.silhouette_steps,
        "silhouetted_steps": load.silhouette_steps,
        "artillery": load.artillery,
        "count": load.units,
        "legal": over.is_none(),
        "rule": why.as_ref().map(|why| why.rule.clone()),
        "why": why.map(|why| why.why),
    })
}

/// Steps that the unit can still lose, including a Remnant (16.4).
fn steps(rules: &Ardennes, s: &State, unit: UnitId) -> u8 {
    let def = rules.pack.unit(unit);
    let reduced = u8::from(s.unit(unit).is(Flags::REDUCED));
    match s.unit(unit).place() {
        Place::Dead | Place::Gone | Place::Pool => 0,
        _ if matches!(def.role, Role::Combat) => def.steps.saturating_sub(reduced).max(1),
        _ => rules.steps(s, unit),
    }
}

pub fn unit(rules: &Ardennes, s: &State, unit: UnitId) -> Value {
    let def = rules.pack.unit(unit);
    let u = s.unit(unit);
    let factors = rules.factors(s, unit);
    let hex = u.hex();
    let mut states: Vec<String> = STATES
        .iter()
        .filter(|flag| u.is(**flag) && !(**flag == Flags::DISRUPTED && u.is(Flags::BROKEN)))
        .flat_map(|flag| flag.names())
        .map(str::to_owned)
        .collect();
    if hex.is_some_and(|hex| s.improved.contains(hex)) {
        states.push("improved_position".into());
    }
    if hex.is_some_and(|hex| s.digging.contains(hex)) {
        states.push("building_ip".into());
    }
    for marker in s.advantages.iter().filter(|a| Some(a.from) == hex && a.units.contains(unit)) {
        states.push(format!("attackers_advantage:{}", rules.label(marker.target)));
    }
    let flags: Vec<&str> = u.flags.names().collect();
    let counter = rules.counter(unit);
    json!({
        "id": def.id,
        "side": def.side.to_string(),
        "type": def.unit_type,
        "hex": hex.map(|hex| rules.label(hex)),
        "place": place(rules, u.place()),
        "eliminated": matches!(u.place(), Place::Dead | Place::Gone),
        "steps": steps(rules, s, unit),
        "attack": factors.attack,
        "defense": factors.defense,
        "move": factors.movement,
        "stacking": factors.stacking,
        "morale": def.morale,
        "tq": rules.tank_quality(s, unit),
        "range": counter.range,
        "division": def.formation.map(|f| rules.pack.formation(f).id.clone()),
        "colour": def.colour,
        "state": states,
        "markers": states,
        "flags": flags,
        "parent": u.parent().map(|p| rules.unit_id(p)),
        "isolated_group": u.group,
        "surrender_points": u.points,
    })
}

pub fn place(rules: &Ardennes, place: Place) -> String {
    match place {
        Place::Hex(hex) => rules.label(hex).to_owned(),
        Place::Track => "track".into(),
        Place::Pool => "pool".into(),
        Place::Gone => "gone".into(),
        place => crate::view::place_id(rules, place).unwrap_or_default(),
    }
}

/// 23.3, 23.6
pub fn supply(rules: &Ardennes, s: &State, unit: UnitId) -> Value {
    let side = rules.counter(unit).side;
    let supplied = supply::supplied(rules, s, unit);
    let line = s.unit(unit).hex().and_then(|hex| supply::line(rules, s, side, hex));
    let path: Vec<&str> = line.iter().flatten().map(|hex| rules.label(*hex)).collect();
    let isolated = !supplied && isolated(rules, s, unit);
    let rule = if supplied { None } else { Some(if isolated { "23.6" } else { "23.3" }) };
    json!({
        "supplied": supplied,
        "isolated": isolated,
        "oos": s.unit(unit).is(Flags::OOS),
        "path": path,
        "rule": rule,
    })
}

/// Would the unit be Isolated if supply were checked now (23.6)?
fn isolated(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    let side = rules.counter(unit).side;
    let Some(hex) = s.unit(unit).hex() else { return false };
    let mut checked = *s;
    let supplied = supply::supplied_hexes(rules, s, side);
    for other in rules.on_map(s, side) {
        let Some(at) = s.unit(other).hex() else { continue };
        let flags = &mut checked.unit_mut(other).flags;
        if supplied.contains(at) {
            flags.clear(Flags::OOS);
        } else {
            flags.set(Flags::OOS);
        }
    }
    surrender::isolated_hexes(rules, &checked, side).contains(hex)
}
