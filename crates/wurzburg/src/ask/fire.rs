//! Questions about fire: strengths with every modifier, defenses, retreats.

use hexgrid::{Direction, HexId};
use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::{Words, labels};
use crate::{
    field::Edge,
    fire::{FireKind, retreat_hexes},
    pack::FireMode,
    rules::Wurzburg,
    state::{Flags, State},
    units::{Side, Symbol, UnitId},
};

/// `offensive`, `Offensive Fire`, `as counter-battery`; `overrun`, `close attack` and `point-blank` are the fire of the attacker or the
/// defender, by who is `active`.
fn kind(words: &mut Words, active: bool) -> Option<FireKind> {
    words.take("as");
    let said = words.peek()?.to_lowercase().replace('-', "_");
    if said == "sitting" {
        return Some(FireKind::Infiltration); // 17.8
    }
    let point_blank = match said.as_str() {
        "overrun" | "close_attack" | "point_blank" => 1,
        "close" | "point" => 2,
        _ => 0,
    };
    let kind = FireKind::ALL.into_iter().find(|kind| {
        let key = kind.key();
        key == said || said == "counter" && key == "counter_battery"
    });
    let kind = match (kind, active) {
        (Some(kind), _) => kind,
        (None, true) if point_blank > 0 => FireKind::PointBlankAttacker,
        (None, false) if point_blank > 0 => FireKind::PointBlankDefender,
        _ => return None,
    };
    words.at += 1;
    for more in ["attack", "battery", "blank", "range", "fire"] {
        words.take_any(more);
    }
    Some(kind)
}

/// `fire A B:2 -> 2916 offensive`, `fire A -> 2916 defensive objective 2815`: strengths by unit, the sum, the halving, the defense of each target, and the hits of
/// each roll.
pub fn fire(rules: &Wurzburg, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let mut with: Vec<(UnitId, u8)> = Vec::new();
    while words.peek().is_some_and(|word| word != "->") {
        let word = words.next()?;
        let (id, steps) = word.split_once(':').map_or((word.as_str(), None), |(id, n)| (id, Some(n)));
        let unit = rules.named(id).ok_or_else(|| Ask::Bad(format!("there is no unit `{id}`")))?;
        if !rules.knows_steps(s, viewer, unit) {
            return Err(Ask::Secret);
        }
        let steps = match steps {
            None => s.unit(unit).steps,
            Some(n) => n.parse().map_err(|_| Ask::Bad(format!("`{n}` is no number of steps")))?,
        };
        with.push((unit, steps));
    }
    words.take("->");
    let target = words.place(s)?;
    let active = with.first().is_some_and(|(unit, _)| rules.counter(*unit).side == acting(rules, s));
    let kind = kind(words, active).unwrap_or(FireKind::Defensive);
    let objective = objective(rules, s, kind, &with, words)?;
    let trial = (objective != s.op.objective).then(|| {
        let mut trial = s.clone();
        trial.op.objective = objective;
        trial
    });
    let s = trial.as_ref().unwrap_or(s);
    let sheet = match crossing(rules, s, target, &with, words)? {
        Some(to) => rules.reckon_crossing(s, kind, target, to, &with),
        None => rules.reckon(s, kind, target, &with),
    };
    let firers: Vec<Value> = sheet
        .firers
        .iter()
        .map(|firer| {
            json!({ "unit": rules.id(firer.unit), "steps": firer.steps, "basic": firer.basic,
                    "effects": firer.effects.iter().map(|effect| effect.key()).collect::<Vec<_>>(),
                    "modified": firer.modified() })
        })
        .collect();
    let hits: Vec<u16> = (1..=10).map(|roll| sheet.hits(rules.tables.hit_modifier(roll))).collect();
    let side = with.first().map(|(unit, _)| rules.counter(*unit).side.enemy());
    let targets: Vec<Value> = s
        .in_hex(target)
        .filter(|unit| Some(rules.counter(*unit).side) == side && rules.counter(*unit).symbol.ground())
        .map(|unit| json!({ "unit": rules.id(unit), "defense": rules.defense(s, unit, kind) }))
        .collect();
    let rule = with.iter().find_map(|(unit, _)| barred(rules, s, kind, *unit, target));
    Ok(json!({ "kind": kind.key(), "firers": firers, "sum": sheet.sum(), "total": sheet.total,
               "effective": sheet.effective, "hits": hits, "targets": targets,
               "legal": rule.is_none(), "rule": rule }))
}

/// 17.8: `crossing 2313`: the force goes over the Main into this hex; `sitting duck`: into one that the first unit controls.
fn crossing(
    rules: &Wurzburg,
    s: &State,
    target: HexId,
    with: &[(UnitId, u8)],
    words: &mut Words,
) -> Result<Option<HexId>, Ask> {
    if words.take("crossing") || words.take("entering") || words.take("into") {
        words.take("to");
        return words.place(s).map(Some);
    }
    if !words.take("sitting") {
        return Ok(None);
    }
    words.take("duck");
    let over = |direction: Direction| {
        let to = rules.field.neighbour(target, direction)?;
        let main = rules.field.edge(target, direction).any(Edge::MAIN);
        let covered = with.first().is_some_and(|(unit, _)| rules.zoc_into(s, *unit, to));
        (main && covered).then_some(to)
    };
    Ok(Direction::ALL.into_iter().find_map(over))
}

/// The side that acts: that of the operation, else of the cycle.
fn acting(rules: &Wurzburg, s: &State) -> Side {
    match s.active.some() {
        Some(active) if s.op.members.is_empty() => rules.formation(active).side,
        _ => s.op.side,
    }
}

/// 18.7.4: the Objective Hex of the operation, or the one that is named (`objective 2916`, `objective none`). Outside an operation
/// Defensive Fire is asked for as of those who are attacked: the first infantry or engineers in close terrain are in it.
fn objective(
    rules: &Wurzburg,
    s: &State,
    kind: FireKind,
    with: &[(UnitId, u8)],
    words: &mut Words,
) -> Result<HexId, Ask> {
    if words.take("objective") {
        return if words.take("none") { Ok(HexId::NONE) } else { words.place(s) };
    }
    if kind != FireKind::Defensive {
        return Ok(s.op.objective);
    }
    Ok(defended(rules, s, with))
}

/// The Objective Hex of those who defend themselves: that of the operation, else where the first infantry or engineers in close terrain are.
pub fn defended(rules: &Wurzburg, s: &State, with: &[(UnitId, u8)]) -> HexId {
    if s.op.objective.some().is_some() {
        return s.op.objective;
    }
    let inside = with.iter().find(|(unit, _)| {
        let symbol = rules.counter(*unit).symbol;
        let close = |hex| rules.field.terrain(hex).close();
        (symbol.infantry() || symbol == Symbol::Engineer) && s.unit(*unit).hex.some().is_some_and(close)
    });
    inside.map_or(s.op.objective, |(unit, _)| s.unit(*unit).hex)
}

/// The rule by which a unit could not fire at a hex where it stands, whoever takes part in an operation.
fn barred(rules: &Wurzburg, s: &State, kind: FireKind, unit: UnitId, target: HexId) -> Option<&'static str> {
    let u = s.unit(unit);
    let symbol = rules.counter(unit).symbol;
    let point_blank = matches!(kind, FireKind::PointBlankAttacker | FireKind::PointBlankDefender);
    let supports = matches!(kind, FireKind::Defensive | FireKind::Offensive);
    match rules.mode_of(s, unit, target) {
        _ if !u.on_map() && !symbol.artillery() => Some("18.1.3"),
        FireMode::Air => None,
        // 22.2: as fire support, once a turn.
        FireMode::Indirect if !supports => Some("18.1.3"),
        FireMode::Indirect if symbol == Symbol::RocketArtillery => Some("22.7"),
        FireMode::Indirect if u.is(Flags::FIRED) => Some("22.5"),
        FireMode::Indirect if !rules.gun_reaches(s, unit, target) => Some("22.2"),
        FireMode::Indirect => None,
        FireMode::Direct if u.is(Flags::MASKED) => Some("14.4"),
        FireMode::Direct if u.dummy() => Some("11.3"),
        FireMode::Direct if symbol == Symbol::RocketArtillery => Some("22.7"),
        FireMode::Direct if !rules.may_fire(s, unit, kind) => {
            Some(if symbol.artillery() { "22.1" } else { "18.1.4" })
        }
        FireMode::Direct if point_blank => (u.hex != target).then_some("42.0"),
        FireMode::Direct => (!rules.field.adjacent(u.hex, target)).then_some("18.1.3"),
    }
}

/// `defense A offensive`
pub fn defense(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let attacked = rules.counter(unit).side != acting(rules, s);
    let kind = kind(words, attacked).unwrap_or(FireKind::Offensive);
    Ok(json!({ "unit": rules.id(unit), "printed": rules.counter(unit).defense,
               "adjusted": rules.defense(s, unit, kind) }))
}

/// `retreats 2916`: for each unit in the hex, where it would have to retreat (18.4.1), and the unit that covers the retreat.
pub fn retreats(rules: &Wurzburg, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let hex = words.place(s)?;
    let here: Vec<UnitId> = s.in_hex(hex).filter(|unit| rules.counter(*unit).symbol.ground()).collect();
    let units: Vec<Value> = here
        .iter()
        .map(|unit| {
            json!({ "unit": rules.id(*unit), "hexes": labels(rules, retreat_hexes(rules, s, *unit).into_iter()),
                    "defense": rules.defense(s, *unit, FireKind::Offensive) })
        })
        .collect();
    Ok(json!({ "units": units, "off_map": rules.edge_hex(hex), "covering": covering(rules, s, &here) }))
}

/// 18.4 step 2: the unit with the highest Adjusted Defense Strength, unmasked ones first; a list if its owner may choose.
fn covering(rules: &Wurzburg, s: &State, here: &[UnitId]) -> Value {
    if let Some(cover) = s.combat.cover.filter(|cover| here.contains(cover)) {
        return json!(rules.id(cover));
    }
    let masked = |unit: &UnitId| s.unit(*unit).is(Flags::MASKED);
    let all_masked = here.iter().all(masked);
    let able = || here.iter().filter(|unit| all_masked || !masked(unit));
    let defense = |unit: &UnitId| rules.defense(s, *unit, FireKind::Offensive);
    let most = able().map(defense).max();
    let strongest: Vec<&str> =
        able().filter(|unit| Some(defense(unit)) == most).map(|unit| rules.id(*unit)).collect();
    match strongest[..] {
        [one] => json!(one),
        _ => json!(strongest),
    }
}
