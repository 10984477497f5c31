//! Overrun (42) and Close Attack (43): units enter the Objective Hex and fight at point-blank range.

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Hexes, Subject, Units},
    event::Event,
    field::{DRY, Edge},
    fire::{self, FireKind},
    frame::Frame,
    movement::{Mover, QUARTERS, Reach, Way},
    play::{Cx, Play, Question},
    rules::Wurzburg,
    state::{Mine, OpKind, State, Variant},
    units::{Side, Symbol, UnitId, UnitSet, set_of},
};

/// May a unit go over this hexside into the Objective Hex (42.1, 43.1)?
fn check_entry(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let rule = if cx.s.op.variant == Variant::Overrun { "42.1" } else { "43.1" };
    let (from, to) = (cx.s.unit(unit).hex, cx.s.op.objective);
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
        if cx.s.mark(hex).is_some_and(|mark| mark.obstacle || mark.mine != Mine::None) {
            return no("storm.marker");
        }
    }
    Ok(())
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
    check_entry(cx, unit)?;
    if overrun {
        if u.mp < QUARTERS {
            return no("storm.no_mp"); // step 2: at least 1 MP left
        }
        // 42.1 item 6: nobody else stands there, unless the force starts there.
        let others = rules.stack(cx.s, cx.side, u.hex).iter().any(|other| !op.members.contains(*other));
        if others && op.moved.contains(unit) {
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

/// 42.0 step 2, 43.0 step 2: who enters.
pub fn check(cx: &Cx, units: &Units) -> Result<(), Refusal> {
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
    Ok(())
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
            out.push(Action::Storm(able.clone()));
        }
        if able.len() > 1 {
            out.extend(able.iter().map(|unit| Action::Storm([*unit].into_iter().collect())));
        }
        return;
    }
    let mut seen: SmallVec<[HexId; 6]> = SmallVec::new();
    for unit in &able {
        let hex = cx.s.unit(*unit).hex;
        if !seen.contains(&hex) {
            seen.push(hex);
            let force: Units = able.iter().copied().filter(|other| cx.s.unit(*other).hex == hex).collect();
            out.push(Action::Storm(force));
        }
    }
}

/// The storming units are named; the Movement Step is over.
pub fn declare(play: &mut Play, units: &Units) {
    play.s.op.storming = set_of(units.iter().copied());
    play.s.op.from = units.first().map_or(HexId::NONE, |unit| play.s.unit(*unit).hex);
    if play.s.op.variant == Variant::Close {
        // 43.0 step 5: where the attackers may go back to.
        let side = play.s.op.side;
        let target = play.s.op.objective;
        let around = Direction::ALL.into_iter().filter_map(|d| play.rules.field.neighbour(target, d));
        let havens: SmallVec<[HexId; 6]> =
            around.filter(|hex| play.rules.holds(play.s, *hex, side)).collect();
        play.s.op.havens = havens;
        rush(play);
    }
}

/// The storming units go into the Objective Hex, on top of the defenders.
fn rush(play: &mut Play) {
    let target = play.s.op.objective;
    for unit in &play.s.op.storming.clone() {
        let from = play.s.unit(unit).hex;
        let u = play.s.unit_mut(unit);
        u.hex = target;
        u.mp = u.mp.saturating_sub(QUARTERS);
        play.s.op.moved.insert(unit);
        play.tell(Event::Moved {
            units: [unit].into_iter().collect(),
            from,
            to: target,
            cost: QUARTERS,
            road: false,
        });
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
}

/// 42.0 step 3: nobody fires at a force that started next to its objective.
pub fn skips_defensive_fire(play: &Play) -> bool {
    let op = &play.s.op;
    op.variant == Variant::Overrun
        && (op.storming.is_empty() || op.storming.is_disjoint(&op.moved) && op.moved.is_empty())
}

/// 42.0 step 4.
pub fn enter(play: &mut Play) {
    if !play.s.op.storming.is_empty() {
        rush(play);
        if both(play.rules, play.s) {
            play.push(Frame::Overrun);
        }
    }
}

/// Are both sides in the Objective Hex?
fn both(rules: &Wurzburg, s: &State) -> bool {
    let hex = s.op.objective;
    hex != HexId::NONE && !s.op.storming.is_empty() && rules.holds(s, hex, s.op.side.enemy())
}

/// 42.0 step 5, 43.0 step 3.
pub fn open(play: &mut Play) {
    if both(play.rules, play.s) {
        play.push(Frame::PointBlank { attacker: false });
    }
}

/// One side fires at point-blank range; the frame has been taken off the stack.
pub fn fire(play: &mut Play, attacker: bool) -> Result<(), Stop> {
    if !both(play.rules, play.s) {
        return Ok(());
    }
    if !attacker {
        play.s.op.rounds += 1;
    }
    play.push(if attacker { Frame::Round } else { Frame::PointBlank { attacker: true } });
    let kind = if attacker { FireKind::PointBlankAttacker } else { FireKind::PointBlankDefender };
    play.s.op.spent.clear();
    play.s.op.shot.clear();
    let target = play.s.op.objective;
    let guns = play.rules.guns(play.s, kind, target);
    if guns.is_empty() {
        return Ok(());
    }
    fire::resolve(play, kind, target, &guns)
}

/// A round is over.
pub fn round(play: &mut Play) {
    if !both(play.rules, play.s) {
        return;
    }
    let last = play.s.op.rounds >= play.rules.tables.command.point_blank_rounds;
    match play.s.op.variant {
        Variant::Overrun if play.s.op.charging => play.push(Frame::Charge),
        Variant::Overrun if last => {
            // 42.0 step 7: back to the hex it came from.
            let (from, to) = (play.s.op.objective, play.s.op.from);
            withdraw(play, &play.s.op.storming.clone(), from, to);
        }
        Variant::Overrun => play.push(Frame::PointBlank { attacker: false }),
        _ => play.push(Frame::Withdraw(play.s.op.side)),
    }
}

fn withdraw(play: &mut Play, units: &UnitSet, from: HexId, to: HexId) {
    for unit in units {
        play.s.unit_mut(unit).hex = to;
        play.tell(Event::Retreated { unit, from, to });
    }
    let side = units.iter().next().map(|unit| play.rules.counter(unit).side);
    play.s.op.storming = UnitSet::EMPTY;
    if let Some(side) = side {
        if play.rules.next_to(play.s, to, side.enemy()) {
            play.meet(side, to);
        }
        play.check_stack(side, to);
    }
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

impl Question for Overrun {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Side {
        s.op.side
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

    fn apply(&self, play: &mut Play, _: Side, action: &Action) -> Result<(), Stop> {
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

impl Question for Charge {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Side {
        s.op.side
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!can_charge(cx)).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Hex(cx.s.op.objective));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Hex(cx.s.op.objective) {
            return;
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
            Action::Done if !can_charge(cx) => Ok(()),
            Action::Done => cx.rules.no("42.0", "storm.must_leave").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: Side, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::ChargeTo(hex) = action {
            let mover = charge_mover(play.rules, play.s);
            let path = Reach::with(&mover, |reach| reach.path(&mover, *hex)).unwrap_or_default();
            let force = play.s.op.storming;
            crate::movement::start(play, force, path);
        } else {
            let (from, to) = (play.s.op.objective, play.s.op.from);
            withdraw(play, &play.s.op.storming.clone(), from, to);
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

/// 43.0 step 6: after the last round the attackers must go.
fn must_go(cx: &Cx) -> bool {
    cx.side == cx.s.op.side && cx.s.op.rounds >= cx.rules.tables.command.point_blank_rounds
}

impl Question for Withdraw {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Side {
        withdrawing(frame)
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
            Action::Withdraw(hex) if havens(cx).contains(hex) => Ok(()),
            Action::Withdraw(hex) => cx.rules.no("43.0", "storm.not_there").hex("hex", *hex).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
        play.pop();
        let from = play.s.op.objective;
        match action {
            Action::Withdraw(to) if side == play.s.op.side => {
                withdraw(play, &play.s.op.storming.clone(), from, *to);
            }
            Action::Withdraw(to) => {
                let units = set_of(play.rules.stack(play.s, side, from));
                let storming = play.s.op.storming;
                withdraw(play, &units, from, *to);
                play.s.op.storming = storming;
                play.use_up(units.iter().collect::<Units>());
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
