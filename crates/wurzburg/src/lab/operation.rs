//! Positions in the middle of an operation: a table's position is written as the head of a lab file, and read again, so
//! that fire can be carried out there as it stands (`phase = "defensive_fire"`).

use std::collections::BTreeMap;

use hexgrid::HexId;
use kernel::{SetupError, Viewer};
use toml::{Table, Value};

use super::bad;
use crate::{
    frame::{Frame, OpStep, Stage},
    movement::{Walk, Way},
    operation::steps,
    rules::Wurzburg,
    state::{Group, Mine, OpKind, State, Variant},
    units::{UnitSet, set_of},
};

/// The steps in which a file can begin.
const FIRE: [(&str, Option<OpStep>); 5] = [
    ("infiltration_fire", None),
    ("defensive_fire", Some(OpStep::DefensiveFire)),
    ("offensive_fire", Some(OpStep::OffensiveFire)),
    ("retreat_fire", Some(OpStep::Retreat)),
    ("point_blank_fire", Some(OpStep::PointBlank)),
];

/// Is it one of them?
pub(super) fn is_fire(phase: &str) -> bool {
    FIRE.iter().any(|(name, _)| *name == phase)
}

/// The phase of a position as lab files name it.
pub fn phase(s: &State) -> &'static str {
    match s.top() {
        Frame::Infiltration => "infiltration_fire",
        Frame::DefensiveFire => "defensive_fire",
        Frame::OffensiveFire => "offensive_fire",
        Frame::RetreatFire => "retreat_fire",
        Frame::PointBlank { .. } => "point_blank_fire",
        Frame::Recon => "reconnaissance",
        Frame::Strike => "strike",
        Frame::Demolition => "demolition",
        Frame::Works(_) => "setup",
        _ if s.active.some().is_some() => "operations",
        _ => s.phase.key(),
    }
}

fn table<T: Into<Value>>(pairs: impl Iterator<Item = (String, T)>) -> Value {
    Value::Table(pairs.map(|(key, value)| (key, value.into())).collect())
}

fn list(words: impl Iterator<Item = String>) -> Value {
    Value::Array(words.map(Value::String).collect())
}

/// What a viewer may know of the position besides its counters, in the words of a lab file's head.
pub fn head(rules: &Wurzburg, s: &State, viewer: Viewer) -> Table {
    let label = |hex: HexId| rules.field.label(hex).to_owned();
    let mut head = Table::new();
    let mut put = |key: &str, value: Value| {
        let empty =
            value.as_array().is_some_and(Vec::is_empty) || value.as_table().is_some_and(Table::is_empty);
        if !empty {
            head.insert(key.into(), value);
        }
    };
    let formations = || s.formations.iter().zip(&rules.formations);
    if let Some(active) = s.active.some() {
        put("active", Value::String(rules.formation(active).id.clone()));
    }
    put("activated", list(formations().filter(|(f, _)| f.activated).map(|(_, node)| node.id.clone())));
    put("shattered", list(formations().filter(|(f, _)| f.shattered).map(|(_, node)| node.id.clone())));
    put("acquired", list(s.acquired.iter().map(|hex| label(*hex))));
    let marked = |is: fn(&crate::state::HexMark) -> bool| {
        list(s.marks.iter().filter(|mark| is(mark)).map(|mark| label(mark.hex)))
    };
    put("obstacle", marked(|mark| mark.obstacle));
    put("smoke", marked(|mark| mark.smoke));
    let positions = s.marks.iter().filter_map(|mark| Some((label(mark.hex), mark.improved?.word())));
    put("improved_position", table(positions));
    let zones = s.marks.iter().filter(|mark| mark.gas_persistent || mark.gas_non_persistent);
    let kind = |persistent| if persistent { "persistent" } else { "non_persistent" };
    put("gas", table(zones.map(|mark| (label(mark.hex), kind(mark.gas_persistent)))));
    let mined = s
        .marks
        .iter()
        .filter(|mark| mark.mine == Mine::Real && rules.knows_mine(viewer, mark.mine_owner, mark.mine_known));
    put("minefield", table(mined.map(|mark| (label(mark.hex), mark.mine_owner.word()))));
    let blown = rules.field.river_sides.iter().zip(&s.crossings).filter(|(_, crossing)| crossing.blown);
    put("blown", list(blown.map(|(side, _)| rules.field.side_label(*side))));
    if is_fire(phase(s)) {
        put("operation", Value::Table(operation(rules, s)));
    }
    head
}

/// The operation that is under way.
fn operation(rules: &Wurzburg, s: &State) -> Table {
    let op = &s.op;
    let units = |set: &UnitSet| list(set.iter().map(|unit| rules.id(unit).to_owned()));
    let mut words = Table::new();
    words.insert("kind".into(), op.kind.key().into());
    if op.variant != Variant::Plain {
        words.insert("variant".into(), op.variant.key().into());
    }
    if let Some(hex) = op.objective.some() {
        words.insert("objective".into(), rules.field.label(hex).into());
    }
    words.insert("moved".into(), units(&op.moved));
    match s.top() {
        Frame::Infiltration => {
            words.insert("force".into(), units(&s.walk.force));
            let path = s.walk.path.iter().skip(usize::from(s.walk.at));
            words.insert("path".into(), list(path.map(|hex| rules.field.label(*hex).to_owned())));
            words.insert("entered".into(), s.walk.entered.into());
        }
        Frame::RetreatFire => {
            words.insert("retreated".into(), units(&op.retreated));
        }
        Frame::PointBlank { attacker } => {
            words.insert("storming".into(), units(&op.storming));
            words.insert("attacker".into(), attacker.into());
        }
        _ => {}
    }
    words
}

/// The operation of a file that begins with its fire; participants are the units that the file calls so.
pub(super) fn resume(rules: &Wurzburg, file: &Table, phase: &str, s: &mut State) -> Result<(), SetupError> {
    let Some((_, step)) = FIRE.iter().find(|(name, _)| *name == phase) else { return Ok(()) };
    let Some(words) = file.get("operation").and_then(Value::as_table) else {
        return Err(bad("operation: a file that begins with fire says in which operation it is fired"));
    };
    let text = |key: &str| words.get(key).and_then(Value::as_str);
    let units = |key: &str| -> Result<UnitSet, SetupError> {
        let named = words.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut set = UnitSet::EMPTY;
        for name in named {
            let unit = rules.named(name);
            set.insert(unit.ok_or_else(|| bad(format!("operation.{key}: there is no unit `{name}`")))?);
        }
        Ok(set)
    };
    let hex = |label: &str| {
        rules.field.find(label).ok_or_else(|| bad(format!("operation: there is no hex {label}")))
    };
    let kind = OpKind::read(text("kind").unwrap_or("hasty"));
    let kind = kind.filter(|kind| kind.offensive());
    let variants = [Variant::Plain, Variant::Gegenangriff, Variant::Overrun, Variant::Close];
    let variant = text("variant")
        .map_or(Some(Variant::Plain), |word| variants.into_iter().find(|variant| variant.key() == word));
    let (Some(kind), Some(variant)) = (kind, variant) else {
        return Err(bad("operation: kind is hasty or assault, variant gegenangriff, overrun or close"));
    };
    let members = s.op.members;
    let mut groups: Vec<Group> = Vec::new();
    for unit in &members {
        let formation = rules.counter(unit).formation;
        let base = rules.formation(formation).base;
        match groups.iter_mut().find(|group| base || group.formation == formation) {
            Some(group) => {
                group.members.insert(unit);
            }
            None => {
                let lead = s.formation(formation).lead;
                groups.push(Group { formation, lead, members: set_of([unit]) });
            }
        }
        s.unit_mut(unit).mp = rules.allowance(s, unit, Way::Operation(kind));
    }
    let op = &mut s.op;
    op.side = rules.formation(s.active).side;
    (op.kind, op.variant) = (kind, variant);
    op.groups = groups.into_iter().collect();
    op.near_lead = members;
    op.moved = units("moved")?;
    (op.retreated, op.storming) = (units("retreated")?, units("storming")?);
    (op.max_artillery, op.max_ah) = (u8::MAX, u8::MAX);
    op.objective = text("objective").map_or(Ok(HexId::NONE), hex)?;
    let reached = rules.objective_reached(s);
    s.op.observed = reached;
    let list = steps(kind, variant, false);
    let at = |step: OpStep| list.iter().position(|other| *other == step).unwrap_or_default() as u8;
    let n = step.map_or(0, at);
    s.op.step = n;
    s.frames.push(Frame::Step(n + 1));
    match step {
        None => {
            let path = words.get("path").and_then(Value::as_array).into_iter().flatten();
            let path = path.filter_map(Value::as_str).map(hex).collect::<Result<_, _>>()?;
            let entered = words.get("entered").and_then(Value::as_bool).unwrap_or(false);
            s.walk = Walk { force: units("force")?, path, entered, ..Walk::default() };
            s.frames.extend([Frame::Movement, Frame::Walk(Stage::Enter), Frame::Infiltration]);
        }
        Some(OpStep::PointBlank) => {
            let attacker = words.get("attacker").and_then(Value::as_bool).unwrap_or(false);
            s.frames.push(Frame::PointBlank { attacker });
        }
        Some(OpStep::Retreat) => s.frames.push(Frame::RetreatFire),
        Some(OpStep::OffensiveFire) => s.frames.push(Frame::OffensiveFire),
        Some(_) => s.frames.push(Frame::DefensiveFire),
    }
    Ok(())
}

/// The steps of each counter on the map that a viewer knows, where its owner may divide it.
pub fn known_steps(rules: &Wurzburg, s: &State, viewer: Viewer) -> BTreeMap<String, u8> {
    let shown = |unit: &crate::units::UnitId| {
        s.unit(*unit).on_map() && rules.counter(*unit).max_steps > 1 && rules.knows_steps(s, viewer, *unit)
    };
    let known = s.ids().filter(shown);
    known.map(|unit| (rules.id(unit).to_owned(), s.unit(unit).steps)).collect()
}
