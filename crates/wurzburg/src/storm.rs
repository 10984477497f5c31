//! Overrun (42) and Close Attack (43): units enter the Objective Hex and fight at point-blank range.

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Hexes, Part, Parts, Subject, Units},
    event::Event,
    field::{DRY, Edge},
    fire::{self, FireKind},
    frame::Frame,
    movement::{Mover, QUARTERS, Reach, Way},
    play::{At, Cx, Play, Question},
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

/// Forces that could storm now.
pub fn offers(cx: &Cx, out: &mut Vec<Action>) {
    let op = &cx.s.op;
    if !matches!(op.variant, Variant::Overrun | Variant::Close) {
        return;
    }
    let able: Units = op.members.iter().filter(|unit| check_unit(cx, *unit).is_ok()).collect();
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

/// 42.0 steps 5 and 6, 43.0 steps 3 and 4: one side fires at point-blank range.
#[derive(Debug)]
pub struct PointBlank;

fn point_blank(frame: Frame) -> FireKind {
    match frame {
        Frame::PointBlank { attacker: true } => FireKind::PointBlankAttacker,
        _ => FireKind::PointBlankDefender,
    }
}

/// Everybody who may fire.
fn volley(cx: &Cx) -> Parts {
    if !both(cx.rules, cx.s) {
        return Parts::new();
    }
    let guns = cx.rules.guns(cx.s, point_blank(cx.frame), cx.s.op.objective);
    guns.into_iter().map(|(unit, _)| Part::all(unit)).collect()
}

impl Question<Wurzburg> for PointBlank {
    fn asks(&self, _: &Wurzburg, s: &State, frame: Frame) -> Option<Side> {
        Some(match point_blank(frame) {
            FireKind::PointBlankAttacker => s.op.side,
            _ => s.op.side.enemy(),
        })
    }

    /// Only artillery could wish to stay silent: it is marked for having fired (22.5).
    fn forced(&self, cx: &Cx) -> Option<Action> {
        let with = volley(cx);
        if with.is_empty() {
            return Some(Action::Hold);
        }
        let guns = with.iter().any(|part| cx.rules.counter(part.unit).symbol.artillery());
        (!guns).then_some(Action::Fire { target: cx.s.op.objective, with })
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Hex(cx.s.op.objective));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Hex(cx.s.op.objective) {
            out.push(Action::Fire { target: cx.s.op.objective, with: volley(cx) });
            out.push(Action::Hold);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Hold | Action::Done => Ok(()),
            Action::Fire { target, with } => {
                let able = volley(cx);
                if *target != cx.s.op.objective || with.is_empty() {
                    return cx.rules.no("42.0", "fire.no_target").hex("hex", *target).into();
                }
                for (n, part) in with.iter().enumerate() {
                    cx.rules.own(cx.side, part.unit)?;
                    let whole = part.steps.is_none_or(|steps| steps == cx.s.unit(part.unit).steps);
                    let twice = with[..n].iter().any(|other| other.unit == part.unit);
                    if !able.iter().any(|gun| gun.unit == part.unit) || !whole || twice {
                        let no = cx.rules.no("42.0", "fire.outside");
                        return no.unit("unit", part.unit).hex("hex", *target).into();
                    }
                }
                Ok(())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let kind = point_blank(play.s.top());
        let attacker = kind == FireKind::PointBlankAttacker;
        play.pop();
        if !both(play.rules, play.s) {
            return Ok(());
        }
        if !attacker {
            play.s.op.rounds += 1;
        }
        play.push(if attacker { Frame::Round } else { Frame::PointBlank { attacker: true } });
        if let Action::Fire { target, with } = action {
            let with: SmallVec<[(UnitId, u8); 8]> =
                with.iter().map(|part| (part.unit, play.s.unit(part.unit).steps)).collect();
            fire::resolve(play, kind, *target, &with)?;
        }
        play.s.op.spent.clear();
        play.s.op.shot.clear();
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.point_blank", "42.0")
    }
}

/// A round is over.
pub fn round(play: &mut Play) -> Result<(), Stop> {
    let op = &play.s.op;
    if !both(play.rules, play.s) {
        // 42.0 step 8: a force that charges through may go on from a hex that it has cleared.
        if op.variant == Variant::Overrun && op.charging && !op.storming.is_empty() {
            play.push(Frame::Charge);
        }
        return Ok(());
    }
    let last = play.s.op.rounds >= play.rules.tables.command.point_blank_rounds;
    match play.s.op.variant {
        Variant::Overrun if play.s.op.charging => play.push(Frame::Charge),
        Variant::Overrun if last => {
            // 42.0 step 7: back to the hex it came from.
            let to = play.s.op.from;
            withdraw(play, &all_to(&play.s.op.storming.clone(), to))?;
        }
        Variant::Overrun => play.push(Frame::PointBlank { attacker: false }),
        _ => play.push(Frame::Withdraw(play.s.op.side)),
    }
    Ok(())
}

type Ways = SmallVec<[(UnitId, HexId); 4]>;

fn all_to(units: &UnitSet, to: HexId) -> Ways {
    units.iter().map(|unit| (unit, to)).collect()
}

/// 43.1.2, 42.1.2: units leave the Objective Hex; nobody fires at them.
fn withdraw(play: &mut Play, ways: &Ways) -> Result<(), Stop> {
    let from = play.s.op.objective;
    let mut hexes: SmallVec<[HexId; 4]> = SmallVec::new();
    for (unit, to) in ways {
        play.s.shift(*unit, *to);
        play.leave_smoke(*unit, from);
        play.tell(Event::Retreated { unit: *unit, from, to: *to });
        if !hexes.contains(to) {
            hexes.push(*to);
        }
    }
    play.s.op.storming = UnitSet::EMPTY;
    let Some(side) = ways.first().map(|(unit, _)| play.rules.counter(*unit).side) else { return Ok(()) };
    for to in hexes {
        // 37.5, 44.4 item 3: no fire, but mines and gas ask nobody.
        let here = set_of(ways.iter().filter(|(_, hex)| *hex == to).map(|(unit, _)| *unit));
        crate::mines::retreated(play, &here, from, to)?;
        let here = play.alive(&here);
        crate::gas::entered(play, &here, to)?;
        if here.is_empty() {
            continue;
        }
        if play.rules.next_to(play.s, to, side.enemy()) {
            play.meet(side, to);
        }
        play.check_stack(side, to);
    }
    Ok(())
}

/// The survivors of the Objective Hex are used (42.0 step 9, 43.0 step 7).
pub fn complete(play: &mut Play) {
    let op = &play.s.op;
    if matches!(op.variant, Variant::Overrun | Variant::Close) && op.rounds > 0 {
        let defenders = play.rules.stack(play.s, op.side.enemy(), op.objective);
        play.use_up(defenders);
        let (side, hex) = (play.s.op.side, play.s.op.objective);
        if play.rules.holds(play.s, hex, side) && !play.rules.holds(play.s, hex, side.enemy()) {
            play.occupy(side, hex);
            play.check_stack(side, hex);
        }
    }
}

/// Where a charging force could go: not next to enemies outside the Objective Hex (42.0 step 8).
fn charge_mover<'a>(rules: &'a Wurzburg, s: &'a State) -> Mover<'a> {
    let mut mover = Mover::new(rules, s, s.op.side, Way::Operation(OpKind::HastyAttack), s.op.storming);
    mover.charge(s.op.objective);
    mover
}

fn can_charge(cx: &Cx) -> bool {
    let mover = charge_mover(cx.rules, cx.s);
    Reach::with(&mover, |reach| reach.hexes(&mover).next().is_some())
}

/// 42.0 step 4: fight to the finish, or charge through.
#[derive(Debug)]
pub struct Overrun;

impl Question<Wurzburg> for Overrun {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!can_charge(cx)).then_some(Action::Fight)
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([Action::Fight, Action::Charge]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Fight => Ok(()),
            Action::Charge if can_charge(cx) => Ok(()),
            Action::Charge => cx.rules.no("42.0", "storm.no_way").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        play.s.op.charging = *action == Action::Charge;
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.overrun", "42.0")
    }
}

/// 42.0 step 8: the force leaves the Objective Hex.
#[derive(Debug)]
pub struct Charge;

impl Question<Wurzburg> for Charge {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!can_charge(cx)).then_some(Action::Done)
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Hex(cx.s.op.objective));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Hex(cx.s.op.objective) {
            return;
        }
        if !both(cx.rules, cx.s) {
            out.push(Action::Done);
        }
        let mover = charge_mover(cx.rules, cx.s);
        Reach::with(&mover, |reach| {
            out.extend(reach.hexes(&mover).map(|reached| Action::ChargeTo(reached.hex)));
        });
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::ChargeTo(hex) => {
                let mover = charge_mover(cx.rules, cx.s);
                let there = Reach::with(&mover, |reach| reach.cost(*hex).is_some());
                if there && *hex != cx.s.op.objective {
                    return Ok(());
                }
                cx.rules.no("42.0", "storm.not_there").hex("hex", *hex).into()
            }
            Action::Done if !can_charge(cx) || !both(cx.rules, cx.s) => Ok(()),
            Action::Done => cx.rules.no("42.0", "storm.must_leave").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::ChargeTo(hex) = action {
            let mover = charge_mover(play.rules, play.s);
            let path = Reach::with(&mover, |reach| reach.path(&mover, *hex)).unwrap_or_default();
            let force = play.s.op.storming;
            crate::movement::start(play, force, path);
        } else if both(play.rules, play.s) {
            let to = play.s.op.from;
            withdraw(play, &all_to(&play.s.op.storming.clone(), to))?;
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.charge", "42.0")
    }
}

/// 43.0 step 5: fight or flight.
#[derive(Debug)]
pub struct Withdraw;

fn withdrawing(frame: Frame) -> Side {
    if let Frame::Withdraw(side) = frame { side } else { Side::Wp }
}

/// Where a side may withdraw to.
fn havens(cx: &Cx) -> Hexes {
    let op = &cx.s.op;
    if cx.side == op.side {
        return op
            .havens
            .iter()
            .copied()
            .filter(|hex| !cx.rules.holds(cx.s, *hex, cx.side.enemy()))
            .collect();
    }
    let around = Direction::ALL.into_iter().filter_map(|d| {
        let hex = cx.rules.field.neighbour(op.objective, d)?;
        (!cx.rules.retreat_prohibited(cx.s, cx.side, op.objective, d)).then_some(hex)
    });
    around.filter(|hex| !op.havens.contains(hex)).collect()
}

/// The units of a side in the Objective Hex.
fn fighters(cx: &Cx) -> UnitSet {
    let op = &cx.s.op;
    if cx.side == op.side { op.storming } else { set_of(cx.rules.stack(cx.s, cx.side, op.objective)) }
}

/// 43.0 step 5: all of a side withdraw, each to a hex of its own.
fn check_apart(cx: &Cx, list: &Ways) -> Result<(), Refusal> {
    let open = havens(cx);
    let fighters = fighters(cx);
    for (n, (unit, hex)) in list.iter().enumerate() {
        let twice = list[..n].iter().any(|(other, _)| other == unit);
        if !fighters.contains(*unit) || twice || !open.contains(hex) {
            return cx.rules.no("43.0", "storm.not_there").hex("hex", *hex).into();
        }
    }
    if list.len() == fighters.iter().count() { Ok(()) } else { cx.rules.no("43.0", "storm.all").into() }
}

/// 43.0 step 6: after the last round the attackers must go.
fn must_go(cx: &Cx) -> bool {
    cx.side == cx.s.op.side && cx.s.op.rounds >= cx.rules.tables.command.point_blank_rounds
}

impl Question<Wurzburg> for Withdraw {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(withdrawing(frame))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let hexes = havens(cx);
        match hexes[..] {
            [] => Some(Action::Done),
            [hex] if must_go(cx) => Some(Action::Withdraw(hex)),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Hex(cx.s.op.objective));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Hex(cx.s.op.objective) {
            return;
        }
        if !must_go(cx) {
            out.push(Action::Done);
        }
        out.extend(havens(cx).into_iter().map(Action::Withdraw));
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done if must_go(cx) && !havens(cx).is_empty() => {
                cx.rules.no("43.0", "storm.must_leave").into()
            }
            Action::Done => Ok(()),
            Action::WithdrawApart(list) => check_apart(cx, list),
            Action::Withdraw(hex) if havens(cx).contains(hex) => Ok(()),
            Action::Withdraw(hex) => cx.rules.no("43.0", "storm.not_there").hex("hex", *hex).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let fighters = fighters(&play.cx(side));
        let ways = match action {
            Action::Withdraw(to) => all_to(&fighters, *to),
            Action::WithdrawApart(list) => list.clone(),
            _ => Ways::new(),
        };
        match action {
            Action::Withdraw(_) | Action::WithdrawApart(_) if side == play.s.op.side => {
                withdraw(play, &ways)?;
            }
            Action::Withdraw(_) | Action::WithdrawApart(_) => {
                let storming = play.s.op.storming;
                withdraw(play, &ways)?;
                play.s.op.storming = storming;
                play.use_up(fighters.iter().collect::<Units>());
            }
            _ if side == play.s.op.side => play.push(Frame::Withdraw(side.enemy())),
            _ if play.s.op.rounds < play.rules.tables.command.point_blank_rounds => {
                play.push(Frame::PointBlank { attacker: false });
            }
            _ => {}
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.withdraw", "43.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
