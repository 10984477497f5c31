//! Transferring steps to another unit of a March (11.7).

use kernel::Refusal;

use super::{Mover, Reach};
use crate::{
    action::{Action, Part},
    event::Event,
    play::{Cx, Play},
    state::{Flags, Place},
    units::{OpKind, UnitId, set_of},
};

/// 11.7: half of a unit's steps to each identical unit of the March that it could reach.
pub(super) fn transfers(cx: &Cx, unit: UnitId, mover: &Mover, out: &mut Vec<Action>) {
    let steps = cx.s.unit(unit).steps;
    if cx.s.op.kind != OpKind::March || steps == 0 || cx.rules.counter(unit).pool == u8::MAX {
        return;
    }
    let pool = cx.rules.counter(unit).pool;
    for to in cx.s.op.members.iter().filter(|to| *to != unit && cx.rules.counter(*to).pool == pool) {
        let part = Part { unit, steps: Some(steps.div_ceil(2)) };
        if check_transfer_by(cx, mover, part, to).is_ok() {
            out.push(Action::Transfer { part, to });
        }
    }
}

/// 11.7: whether steps may be transferred to an identical unit of the same March.
pub(super) fn check_transfer(cx: &Cx, part: Part, to: UnitId) -> Result<(), Refusal> {
    cx.rules.own(cx.side, part.unit)?;
    let mover = cx.rules.mover(cx.s, cx.side, set_of([part.unit]));
    check_transfer_by(cx, &mover, part, to)
}

fn check_transfer_by(cx: &Cx, mover: &Mover, part: Part, to: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, part.unit)?;
    rules.own(cx.side, to)?;
    let no = |rule, key| rules.no(rule, key).unit("unit", part.unit).unit("to", to).into();
    let (a, b) = (cx.s.unit(part.unit), cx.s.unit(to));
    if cx.s.op.kind != OpKind::March {
        return no("11.7", "transfer.march");
    }
    let pool = rules.counter(to).pool;
    if rules.counter(part.unit).pool != pool || part.unit == to || pool == u8::MAX {
        return no("11.7", "transfer.other_kind");
    }
    let both = cx.s.op.members.contains(part.unit) && cx.s.op.members.contains(to);
    if !both || !a.on_map() || !b.on_map() || cx.s.op.done.contains(part.unit) {
        return no("11.7", "transfer.place");
    }
    if a.is(Flags::DISRUPTED) || b.is(Flags::DISRUPTED) {
        return no("23.3.1", "transfer.disrupted");
    }
    if a.is(Flags::CONTAMINATED) != b.is(Flags::CONTAMINATED) {
        return no("44.4.3", "transfer.contaminated");
    }
    if [a.hex, b.hex].into_iter().any(|hex| rules.next_to(cx.s, hex, cx.side.enemy())) {
        return no("11.7", "transfer.adjacent");
    }
    let steps = part.steps.unwrap_or(a.steps);
    if steps == 0 || steps > a.steps || b.steps + steps > rules.counter(to).max_steps {
        return no("11.7", "transfer.steps");
    }
    if a.hex != b.hex && Reach::with(mover, |reach| reach.cost(b.hex)).is_none() {
        return no("11.7", "transfer.reach");
    }
    Ok(())
}

/// The receiver is used at once; a unit that has given away all its steps stays as a dummy if one is allowed (11.7).
pub(super) fn transfer(play: &mut Play, part: Part, to: UnitId) {
    let steps = part.steps.unwrap_or(play.s.unit(part.unit).steps);
    play.s.unit_mut(to).steps += steps;
    play.s.unit_mut(part.unit).steps -= steps;
    play.tell(Event::Transferred { from: part.unit, to, steps });
    play.s.op.done.insert(to);
    play.use_up([to]);
    if play.s.unit(part.unit).steps == 0 && !play.rules.dummies_fit(play.s, part.unit) {
        play.take_off(part.unit, Place::Spare);
    }
}
