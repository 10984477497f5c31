//! What only the 1st edition has in combat: the counterattack after a Determined Defense (1E 16.72), and the way back of
//! attackers from off the map (1E 13.5).

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    combat::{Combat, declare, resolve},
    event::Event,
    frame::Frame,
    pack::{AdvanceKind, StateAfter},
    place::Place,
    play::{Cx, Play},
    subject::Subject,
};

/// 1E 13.5: attackers from off the map that have not advanced return to their Box once the Entry Hex is free.
pub fn back_to_the_box(play: &mut Play) {
    let combat = play.s.combat;
    if !play.rules.off_map_attackers_return()
        || !combat.from_blocking
        || play.s.enemy_in(combat.attacker, combat.target)
    {
        return;
    }
    for unit in &combat.attackers {
        let Place::Blocking(entry) = play.s.unit(*unit).place() else { continue };
        let Some(to) = play.rules.pack.entries[entry.index()].off_map_box else { continue };
        play.rules.put(play.s, *unit, Place::Box(to));
        play.tell(Event::ToBox { unit: *unit, to });
    }
}

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
