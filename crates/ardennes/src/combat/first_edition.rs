//! The 1st edition's counterattack after a Determined Defense (1E 16.72).

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    combat::{Combat, declare, resolve},
    frame::Frame,
    pack::{AdvanceKind, StateAfter},
    play::{Cx, Play},
    subject::Subject,
};

/// Result CA: the defender goes back one hex in good order, the attacker follows into his hex, and may then be
/// attacked in turn.
pub fn give_ground(combat: &mut Combat) {
    combat.retreat = 1;
    combat.state_after = StateAfter::Unchanged;
    combat.engaged = false;
    combat.advance = AdvanceKind::Limited;
    combat.breakthrough_allowed = false;
    combat.counterattack_due = true;
}

/// The counterattacker may enter the vacated hex and stops there.
pub fn limit_counterattack(combat: &mut Combat) {
    combat.breakthrough_allowed = false;
    if combat.advance != AdvanceKind::None {
        combat.advance = AdvanceKind::Limited;
    }
}

pub fn forced(cx: &Cx) -> Option<Action> {
    (!declare::any_target(cx)).then_some(Action::Stay)
}

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    declare::subjects(cx, out);
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match subject {
        Subject::Phase => out.push(Action::Stay),
        Subject::Hex(target) => declare::skeleton(cx, target, out),
        _ => {}
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Stay => Ok(()),
        Action::Attack(attack) => declare::check_attack(cx, attack),
        _ => Err(cx.rules.not_now()),
    }
}

pub fn apply(play: &mut Play, action: &Action) -> Result<(), Stop> {
    play.pop();
    let Action::Attack(attack) = action else { return Ok(()) };
    super::close_before_next(play);
    resolve::begin(play, attack, false)?;
    play.s.combat.counterattack = true;
    // No artillery and no air for either side; no bridge is blown by those who attacked.
    play.s.frames.retain(|f| !matches!(f, Frame::BlowBridge | Frame::AttackSupport | Frame::Support));
    Ok(())
}
