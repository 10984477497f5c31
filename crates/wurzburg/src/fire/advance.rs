//! Advance after combat (18.5).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Part, Subject, Units},
    event::Event,
    field::Edge,
    frame::Frame,
    movement::River,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, State},
    units::{Side, UnitId},
};

impl Wurzburg {
    /// 18.5, 18.5.2: whether a unit may advance into the Objective Hex.
    pub fn may_advance(&self, s: &State, unit: UnitId) -> Result<(), Refusal> {
        let (from, to) = (s.unit(unit).hex, s.op.objective);
        let no = |rule, key| self.no(rule, key).unit("unit", unit).into();
        if !s.op.members.contains(unit) || !s.unit(unit).on_map() || s.unit(unit).dummy() {
            return no("18.5", "advance.not_in_operation");
        }
        if s.unit(unit).is(Flags::USED) {
            return no("11.4.1", "advance.used");
        }
        if s.op.gave.contains(unit) {
            return no("18.5.1", "advance.gave");
        }
        let Some(direction) = from.some().and_then(|from| self.field.toward(from, to)) else {
            return no("18.5", "advance.not_adjacent");
        };
        if self.holds(s, to, s.op.side.enemy()) {
            return no("18.5", "advance.enemy");
        }
        if self.counter(unit).airmobile && self.storms_city(s) && !s.op.city_hit {
            return no("29.6.5", "advance.city");
        }
        if self.river(s, s.op.side, from, direction) == River::Main {
            return no("18.5.2", "advance.main"); // item 1
        }
        if self.field.edge(from, direction).any(Edge::IMPASSABLE) {
            return no("18.5.2", "advance.impassable"); // item 2
        }
        if s.obstacle(to) {
            return no("18.5.2", "advance.obstacle"); // item 3
        }
        let stack = self.stack(s, s.op.side, from);
        if stack.iter().any(|other| s.unit(*other).is(Flags::MASKED)) {
            return no("18.5.2", "advance.masked"); // item 4
        }
        if stack.iter().any(|other| s.unit(*other).is(Flags::DISRUPTED)) {
            return no("23.3.1", "advance.disrupted");
        }
        if self.shattered(s, unit) && s.minefield(to) != crate::state::Mine::None {
            return no("31.2", "advance.shattered");
        }
        Ok(())
    }
}

/// 18.5, 18.5.4: units advance one by one, or stop; they are not fired at.
#[derive(Debug)]
pub struct Advance;

/// Who may advance, or give steps to a unit that does.
fn able(cx: &Cx) -> Units {
    let acts = |unit: &UnitId| cx.rules.may_advance(cx.s, *unit).is_ok() || !transfers(cx, *unit).is_empty();
    cx.s.op.members.iter().filter(acts).collect()
}

/// 18.5.1: all steps of a unit, or half of them, to each unit that may take them.
fn transfers(cx: &Cx, unit: UnitId) -> SmallVec<[Action; 4]> {
    let mut list = SmallVec::new();
    let Some(pool) = cx.rules.pools.get(usize::from(cx.rules.counter(unit).pool)) else { return list };
    let steps = cx.s.unit(unit).steps;
    for to in pool.units.iter().copied().filter(|to| *to != unit && cx.s.op.members.contains(*to)) {
        for steps in [steps, steps / 2] {
            let part = Part { unit, steps: Some(steps) };
            if check_transfer(cx, part, to).is_ok() {
                list.push(Action::Transfer { part, to });
            }
        }
    }
    list
}

/// 18.5.1: a unit that was given steps in order to advance, and could.
fn pledged(cx: &Cx) -> Option<UnitId> {
    cx.s.op.pledged.iter().find(|unit| cx.rules.may_advance(cx.s, *unit).is_ok())
}

impl Question<Wurzburg> for Advance {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        able(cx).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(able(cx).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase if pledged(cx).is_none() => out.push(Action::Done),
            Subject::Unit(unit) => {
                let half = Part { unit, steps: Some(cx.s.unit(unit).steps / 2) };
                for action in [Part::all(unit), half].map(Action::Advance) {
                    if self.check(cx, &action).is_ok() {
                        out.push(action); // 18.5.1
                    }
                }
                out.extend(transfers(cx, unit));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => match pledged(cx) {
                Some(unit) => cx.rules.no("18.5.1", "advance.pledged").unit("unit", unit).into(),
                None => Ok(()),
            },
            Action::Advance(part) => {
                cx.rules.own(cx.side, part.unit)?;
                cx.rules.may_advance(cx.s, part.unit)?;
                let whole = part.steps.is_none_or(|steps| steps == cx.s.unit(part.unit).steps);
                if !whole && cx.s.op.pledged.contains(part.unit) {
                    return cx.rules.no("18.5.1", "advance.pledged").unit("unit", part.unit).into();
                }
                if !whole {
                    crate::movement::check_part(cx.rules, cx.s, *part)?;
                    if part.steps == Some(0) || cx.rules.spare_for(cx.s, part.unit).is_none() {
                        return cx.rules.no("11.5", "split.no_counter").unit("unit", part.unit).into();
                    }
                }
                Ok(())
            }
            Action::Transfer { part, to } => check_transfer(cx, *part, *to),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Advance(part) => {
                let force = crate::movement::part_off(play, &[*part].into_iter().collect());
                let Some(unit) = force.iter().next() else { return Ok(()) };
                let (from, to) = (play.s.unit(unit).hex, play.s.op.objective);
                play.s.shift(unit, to);
                play.s.op.pledged.remove(unit);
                play.leave_smoke(unit, from);
                play.unmask(from);
                play.tell(Event::Advanced { unit, from, to });
                play.cut_wires(unit, from, to);
                play.occupy(side, to);
                engage(play);
                crate::mines::retreated(play, &force, from, to)?;
                crate::gas::entered(play, &force, to)?; // 44.4 item 3
                if play.rules.next_to(play.s, to, side.enemy()) {
                    play.meet(side, to);
                    crate::cavalry::offer_advance(play, force);
                }
            }
            Action::Transfer { part, to } => {
                let steps = part.steps.unwrap_or(play.s.unit(part.unit).steps);
                play.s.unit_mut(part.unit).steps -= steps;
                play.s.unit_mut(*to).steps += steps;
                play.tell(Event::Transferred { from: part.unit, to: *to, steps });
                play.s.op.gave.insert(part.unit);
                if play.s.unit(*to).hex != play.s.op.objective {
                    play.s.op.pledged.insert(*to);
                }
                // 18.5.1: who has given everything away may stay as a dummy, never next to an enemy.
                let near = play.rules.next_to(play.s, play.s.unit(part.unit).hex, side.enemy());
                if play.s.unit(part.unit).steps == 0 && (near || !play.rules.dummies_fit(play.s, part.unit)) {
                    play.take_off(part.unit, crate::state::Place::Spare);
                }
            }
            _ => {
                play.pop();
                let hex = play.s.op.objective;
                if hex != HexId::NONE && play.s.op.advanced {
                    play.check_stack(side, hex);
                }
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.advance", "18.5")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// 18.5.3: units that have just retreated are engaged.
fn engage(play: &mut Play) {
    play.s.op.advanced = true;
    let retreated: Units = play.s.op.retreated.iter().collect();
    play.use_up(retreated);
}

/// 18.5.1: steps go over to a unit that has advanced or is about to, from one next to the Objective Hex that stays. Of 11.7
/// only the identity of the two counts (GAPS-w2 b39).
fn check_transfer(cx: &Cx, part: Part, to: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, part.unit)?;
    rules.own(cx.side, to)?;
    let no = |key| rules.no("18.5.1", key).unit("unit", part.unit).unit("to", to).into();
    let (a, b) = (cx.s.unit(part.unit), cx.s.unit(to));
    if rules.counter(part.unit).pool != rules.counter(to).pool || part.unit == to {
        return no("transfer.other_kind");
    }
    let op = &cx.s.op;
    let stays = op.members.contains(part.unit)
        && a.on_map()
        && rules.field.adjacent(a.hex, op.objective)
        && !a.is(Flags::USED)
        && !op.pledged.contains(part.unit);
    if !stays || !b.on_map() {
        return no("transfer.place");
    }
    if a.is(Flags::DISRUPTED) || b.is(Flags::DISRUPTED) {
        return rules.no("23.3.1", "transfer.disrupted").unit("unit", part.unit).unit("to", to).into();
    }
    if a.is(Flags::MASKED) {
        // 14.4.1: its steps would be exchanged with unmasked ones.
        return rules.no("14.4.1", "transfer.place").unit("unit", part.unit).unit("to", to).into();
    }
    if b.hex != op.objective {
        rules.may_advance(cx.s, to)?;
    }
    if a.is(Flags::CONTAMINATED) != b.is(Flags::CONTAMINATED) {
        return rules.no("44.4.3", "transfer.contaminated").unit("unit", part.unit).unit("to", to).into();
    }
    let steps = part.steps.unwrap_or(a.steps);
    if steps == 0 || steps > a.steps || b.steps + steps > rules.counter(to).max_steps {
        return no("transfer.steps");
    }
    Ok(())
}
