//! Overrun (42) and Close Attack (43): units enter the Objective Hex and fight at point-blank range.

mod point_blank;

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

pub use point_blank::{Charge, Overrun, PointBlank, Withdraw, complete, round};

use crate::{
    action::{Action, Units},
    event::Event,
    field::{DRY, Edge},
    frame::Frame,
    movement::{Mover, QUARTERS, Reach, Way},
    play::{Cx, Play},
    rules::Wurzburg,
    state::{Flags, Mine, OpKind, State, Variant},
    units::{Side, Symbol, UnitId, UnitSet, set_of},
};

/// May a unit go from this hex into the Objective Hex (42.1, 43.1)?
fn check_entry(rules: &Wurzburg, s: &State, unit: UnitId, from: HexId) -> Result<(), Refusal> {
    let rule = if s.op.variant == Variant::Overrun { "42.1" } else { "43.1" };
    let to = s.op.objective;
    let no = |key| rules.no(rule, key).unit("unit", unit).into();
    let Some(direction) = rules.field.toward(from, to) else { return no("storm.not_adjacent") };
    if rules.field.river(from, direction) != DRY {
        return no("storm.river");
    }
    let edge = rules.field.edge(from, direction);
    if edge.any(Edge::UP) || edge.any(Edge::IMPASSABLE) {
        return no("storm.uphill");
    }
    for hex in [from, to] {
        if s.mark(hex).is_some_and(|mark| mark.obstacle || mark.mine != Mine::None) {
            return no("storm.marker");
        }
    }
    Ok(())
}

/// Does anybody of the attacker stand in a hex who takes no part in the operation?
fn crowded(rules: &Wurzburg, s: &State, hex: HexId) -> bool {
    rules.stack(s, s.op.side, hex).iter().any(|other| !s.op.members.contains(*other))
}

/// 42.0 step 2, 42.1: may a force move to this hex next to the objective of an Overrun, with so much movement left? From there it
/// must go in.
pub fn check_approach(
    rules: &Wurzburg,
    s: &State,
    force: &UnitSet,
    hex: HexId,
    left: u8,
) -> Result<(), Refusal> {
    let Some(first) = force.iter().next() else { return Ok(()) };
    check_entry(rules, s, first, hex)?;
    if left < QUARTERS {
        return rules.no("42.0", "storm.no_mp").unit("unit", first).into();
    }
    if crowded(rules, s, hex) {
        return rules.no("42.1", "storm.crowded").unit("unit", first).into();
    }
    let elsewhere = |unit: &UnitId| {
        let at = s.unit(*unit).hex;
        !force.contains(*unit) && at != hex && rules.field.adjacent(at, s.op.objective)
    };
    match s.op.moved.iter().find(elsewhere) {
        Some(unit) => rules.no("42.0", "storm.apart").unit("unit", unit).into(),
        None => Ok(()),
    }
}

/// 42.0 step 1: all participants start in one hex next to the objective (GAPS-w4 35) and can go in from there: they do so
/// without a Movement Step.
pub fn straight(cx: &Cx) -> Option<Units> {
    let op = &cx.s.op;
    if op.variant != Variant::Overrun || op.airmobile || !op.moved.is_empty() || !op.storming.is_empty() {
        return None;
    }
    let hex = cx.s.unit(op.members.iter().next()?).hex;
    let goes = |unit: UnitId| cx.s.unit(unit).hex == hex && check_unit(cx, unit).is_ok();
    op.members.iter().all(goes).then(|| op.members.iter().collect())
}

/// 42.0 step 4: the units that have moved next to the objective of an Overrun must go in, whatever is said.
pub fn arrived(cx: &Cx) -> Units {
    let op = &cx.s.op;
    if op.variant != Variant::Overrun || !op.storming.is_empty() {
        return Units::new();
    }
    if let Some(all) = straight(cx) {
        return all;
    }
    let Some(first) = op.moved.iter().find(|unit| check_unit(cx, *unit).is_ok()) else { return Units::new() };
    let hex = cx.s.unit(first).hex;
    // 42.1 item 6: a participating unit that has stood there goes with them.
    let goes = |unit: &UnitId| cx.s.unit(*unit).hex == hex && check_unit(cx, *unit).is_ok();
    op.members.iter().filter(goes).collect()
}

/// May one unit take part in the storm, as far as it alone goes?
fn check_unit(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, unit)?;
    let op = &cx.s.op;
    let u = cx.s.unit(unit);
    let overrun = op.variant == Variant::Overrun;
    let rule = if overrun { "42.0" } else { "43.0" };
    let no = |key| rules.no(rule, key).unit("unit", unit).into();
    if !op.members.contains(unit) || !u.on_map() || u.dummy() {
        return no("storm.not_in_operation");
    }
    if u.is(Flags::USED) {
        return rules.no("11.4.1", "commit.used").unit("unit", unit).into();
    }
    if op.stopped.contains(unit) {
        return rules.no("41.2.2", "storm.screened").unit("unit", unit).into();
    }
    check_entry(rules, cx.s, unit, u.hex)?;
    if overrun {
        if u.mp < QUARTERS {
            return no("storm.no_mp"); // step 2: at least 1 MP left
        }
        // 42.1 item 6: nobody else stands there, unless the force starts there.
        if op.moved.contains(unit) && crowded(rules, cx.s, u.hex) {
            return rules.no("42.1", "storm.crowded").unit("unit", unit).into();
        }
        return Ok(());
    }
    let symbol = rules.counter(unit).symbol;
    if !symbol.infantry() && symbol != Symbol::Engineer {
        return no("storm.not_infantry"); // item 1
    }
    if op.moved.contains(unit) {
        return no("storm.started_elsewhere"); // item 2
    }
    Ok(())
}

/// 11.6: may the units that enter become one of each kind?
fn check_combined(cx: &Cx, units: &Units) -> Result<(), Refusal> {
    for unit in units {
        let counter = cx.rules.counter(*unit);
        let like = units.iter().filter(|other| cx.rules.counter(**other).pool == counter.pool);
        let steps: u32 = like.clone().map(|other| u32::from(cx.s.unit(*other).steps)).sum();
        let clean = cx.s.unit(*unit).is(Flags::CONTAMINATED);
        if like.clone().any(|other| cx.s.unit(*other).is(Flags::CONTAMINATED) != clean) {
            return cx.rules.no("44.4.3", "combine.contaminated").unit("unit", *unit).into();
        }
        if like.count() > 1 && steps > u32::from(counter.max_steps) {
            return cx.rules.no("11.6", "combine.too_many").number("limit", counter.max_steps).into();
        }
    }
    Ok(())
}

/// 42.1.3, 43.1.3, 42.0 step 2, 43.0 step 2: who enters, however often the hex was stormed before.
pub fn check(cx: &Cx, units: &Units, combined: bool) -> Result<(), Refusal> {
    let op = &cx.s.op;
    if !matches!(op.variant, Variant::Overrun | Variant::Close) {
        return Err(cx.rules.not_now());
    }
    let Some(first) = units.first() else { return Err(cx.rules.not_now()) };
    for unit in units {
        check_unit(cx, *unit)?;
        if op.variant == Variant::Overrun && cx.s.unit(*unit).hex != cx.s.unit(*first).hex {
            return cx.rules.no("42.0", "storm.apart").unit("unit", *unit).into();
        }
    }
    // 42.0 step 4: all of the overrun force goes in.
    if let Some(left) = arrived(cx).into_iter().find(|unit| !units.contains(unit)) {
        return cx.rules.no("42.0", "storm.left_behind").unit("unit", left).into();
    }
    if combined { check_combined(cx, units) } else { Ok(()) }
}

/// The units that could storm now.
pub fn able(cx: &Cx) -> Units {
    cx.s.op.members.iter().filter(|unit| check_unit(cx, *unit).is_ok()).collect()
}

/// Forces that could storm now.
pub fn offers(cx: &Cx, out: &mut Vec<Action>) {
    let op = &cx.s.op;
    if !matches!(op.variant, Variant::Overrun | Variant::Close) {
        return;
    }
    let able = able(cx);
    if op.variant == Variant::Close {
        if !able.is_empty() {
            out.push(Action::Storm { units: able.clone(), combined: false });
        }
        if able.len() > 1 {
            let alone =
                |unit: &UnitId| Action::Storm { units: [*unit].into_iter().collect(), combined: false };
            out.extend(able.iter().map(alone));
            if check_combined(cx, &able).is_ok() {
                out.push(Action::Storm { units: able.clone(), combined: true });
            }
        }
        return;
    }
    let mut seen: SmallVec<[HexId; 6]> = SmallVec::new();
    for unit in &able {
        let hex = cx.s.unit(*unit).hex;
        if !seen.contains(&hex) {
            seen.push(hex);
            let force: Units = able.iter().copied().filter(|other| cx.s.unit(*other).hex == hex).collect();
            out.push(Action::Storm { units: force, combined: false });
        }
    }
}

/// May units go over this hexside, as far as the ground goes (42.1)?
fn open_ground(rules: &Wurzburg, s: &State, from: HexId, to: HexId) -> bool {
    let Some(direction) = rules.field.toward(from, to) else { return false };
    let edge = rules.field.edge(from, direction);
    let marked = |hex: HexId| s.mark(hex).is_some_and(|mark| mark.obstacle || mark.mine != Mine::None);
    rules.field.river(from, direction) == DRY
        && !edge.any(Edge::UP)
        && !edge.any(Edge::IMPASSABLE)
        && !marked(from)
        && !marked(to)
}

/// 42.0 step 2: could any of the units stand next to the hex with a Movement Point left? Units off the map are not judged.
pub fn can_reach(cx: &Cx, units: &UnitSet, objective: HexId) -> bool {
    let (rules, s) = (cx.rules, cx.s);
    if units.iter().any(|unit| !s.unit(unit).on_map()) {
        return true;
    }
    let around = Direction::ALL.into_iter().filter_map(|d| rules.field.neighbour(objective, d));
    let doors: SmallVec<[HexId; 6]> = around.filter(|from| open_ground(rules, s, *from, objective)).collect();
    if doors.is_empty() {
        return false;
    }
    if units.iter().any(|unit| doors.contains(&s.unit(unit).hex)) {
        return true;
    }
    // 42.1 item 6: not from a hex with others of the same side.
    let free = |hex: &&HexId| rules.stack(s, cx.side, **hex).iter().all(|other| units.contains(*other));
    let doors: SmallVec<[HexId; 6]> = doors.iter().filter(free).copied().collect();
    units.iter().any(|unit| {
        let mut mover = Mover::new(rules, s, cx.side, Way::Operation(OpKind::HastyAttack), set_of([unit]));
        mover.rested();
        let allowance = mover.allowance;
        Reach::with(&mover, |reach| {
            doors.iter().any(|hex| reach.cost(*hex).is_some_and(|cost| cost + QUARTERS <= allowance))
        })
    })
}

/// The storming units are named; the Movement Step is over.
pub fn declare(play: &mut Play, units: &Units, combined: bool) -> Result<(), Stop> {
    play.s.op.storming = set_of(units.iter().copied());
    play.s.op.from = units.first().map_or(HexId::NONE, |unit| play.s.unit(*unit).hex);
    if play.s.op.variant == Variant::Close {
        // 43.0 step 5: also the hex from which a unit that has landed entered.
        for unit in units {
            let hex = play.s.unit(*unit).hex;
            if !play.s.op.havens.contains(&hex) {
                play.s.op.havens.push(hex);
            }
        }
        rush(play)?;
    }
    if combined {
        let left: Units = units.iter().copied().filter(|unit| play.s.unit(*unit).on_map()).collect();
        join(play, &left);
    }
    Ok(())
}

/// 43.0 step 5: the hexes next to the objective that the attackers hold when the operation begins.
pub fn havens_of(play: &Play, side: Side, objective: HexId) -> SmallVec<[HexId; 6]> {
    let around = Direction::ALL.into_iter().filter_map(|d| play.rules.field.neighbour(objective, d));
    around.filter(|hex| play.rules.holds(play.s, *hex, side)).collect()
}

/// 11.6: units of one kind in the hex become one.
fn join(play: &mut Play, units: &Units) {
    let mut done: SmallVec<[u8; 4]> = SmallVec::new();
    for unit in units {
        let pool = play.rules.counter(*unit).pool;
        if pool == u8::MAX || done.contains(&pool) {
            continue;
        }
        done.push(pool);
        let like: Units = units.iter().copied().filter(|u| play.rules.counter(*u).pool == pool).collect();
        if like.len() > 1 {
            crate::movement::combine(play, &like);
        }
    }
}

/// The storming units go into the Objective Hex, on top of the defenders.
fn rush(play: &mut Play) -> Result<(), Stop> {
    let target = play.s.op.objective;
    for unit in &play.s.op.storming.clone() {
        let from = play.s.unit(unit).hex;
        play.s.shift(unit, target);
        let u = play.s.unit_mut(unit);
        u.mp = u.mp.saturating_sub(QUARTERS);
        play.s.op.moved.insert(unit);
        play.tell(Event::Moved {
            units: [unit].into_iter().collect(),
            from,
            to: target,
            cost: QUARTERS,
            road: false,
        });
        play.leave_smoke(unit, from);
        play.unmask(from);
    }
    // The active player sees the enemy stack; dummies in it go.
    let enemy = play.s.op.side.enemy();
    let dummies: Units = play
        .rules
        .stack(play.s, enemy, target)
        .into_iter()
        .filter(|unit| play.s.unit(*unit).dummy())
        .collect();
    play.remove_dummies(&dummies);
    play.log.reveal();
    let side = play.s.op.side;
    if play.rules.next_to(play.s, target, enemy) {
        play.meet(side, target); // 11.3.1
    }
    let force = play.s.op.storming;
    crate::gas::entered(play, &force, target) // 44.4 item 3
}

/// 42.0 step 1: nobody fires at a force all of which started in one hex next to its objective.
pub fn skips_defensive_fire(play: &Play) -> bool {
    let op = &play.s.op;
    let together = || op.members.iter().all(|unit| play.s.unit(unit).hex == op.from);
    op.variant == Variant::Overrun && (op.storming.is_empty() || op.moved.is_empty() && together())
}

/// 42.0 step 4.
pub fn enter(play: &mut Play) -> Result<(), Stop> {
    if !play.s.op.storming.is_empty() {
        rush(play)?;
        if both(play.rules, play.s) {
            play.push(Frame::Overrun);
        }
    }
    Ok(())
}

/// Are both sides in the Objective Hex?
fn both(rules: &Wurzburg, s: &State) -> bool {
    let hex = s.op.objective;
    hex != HexId::NONE && !s.op.storming.is_empty() && rules.holds(s, hex, s.op.side.enemy())
}

/// 42.0 step 5, 43.0 step 3.
pub fn open(play: &mut Play) {
    play.s.op.spent.clear();
    play.s.op.shot.clear();
    if both(play.rules, play.s) {
        play.push(Frame::PointBlank { attacker: false });
    }
}
