//! Combat rules of the 1st edition only: the counterattack after a Determined Defense (1E 16.72), and the return of
//! attackers from off the map (1E 13.5).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    combat::{Combat, declare, resolve},
    event::Event,
    frame::Frame,
    pack::{AdvanceKind, Side, StateAfter},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
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

/// Result CA: the defender retreats one hex without Disruption, the attacker advances into its hex, and may then be
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

/// 1E 16.72: the defender attacks in turn after a Determined Defense.
#[derive(Debug)]
pub struct Counterattack;

impl Question<Ardennes> for Counterattack {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!declare::any_target(cx)).then_some(Action::Stay)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        super::Attacks.subjects(cx, out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Stay),
            Subject::Hex(target) => declare::skeleton(cx, target, out),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Stay => Ok(()),
            Action::Attack(attack) => declare::check_attack(cx, attack),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Action::Attack(attack) = action else { return Ok(()) };
        super::close_before_next(play);
        resolve::begin(play, attack, false)?;
        play.s.combat.counterattack = true;
        // No artillery and no air for either side; the side that attacked blows no bridge.
        play.s.frames.retain(|f| !matches!(f, Frame::BlowBridge | Frame::AttackSupport | Frame::Support));
        Ok(())
    }
}
