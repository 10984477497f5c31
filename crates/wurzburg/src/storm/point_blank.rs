//! The fight in the Objective Hex: point-blank fire, charging through, withdrawing (42.0 steps 4 to 9, 43.0 steps 3 to 7).

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::both;
use crate::{
    action::{Action, Hexes, Part, Parts, Subject, Units},
    event::Event,
    fire::{self, FireKind},
    frame::Frame,
    movement::{Mover, Reach, Way},
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{OpKind, State, Variant},
    units::{Side, UnitId, UnitSet, set_of},
};

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
    let fighters = fighters(cx);
    let around = Direction::ALL.into_iter().filter_map(|d| {
        let hex = cx.rules.field.neighbour(op.objective, d)?;
        let barred = |unit| cx.rules.retreat_prohibited(cx.s, unit, op.objective, d);
        (!fighters.iter().any(barred)).then_some(hex)
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
