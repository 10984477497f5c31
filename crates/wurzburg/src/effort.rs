//! The Main Effort of a WP division (12.4).

use kernel::Refusal;

use crate::{
    action::Action,
    event::{EffortEvent, Event},
    play::{Cx, Play},
    rules::Wurzburg,
    state::{Chit, Flags, Payer, Place, Plan, State},
    units::{FormationId, Side},
};

/// 12.4.2 item 1: an HQ that is Disrupted or being rebuilt prevents the chit; so does having no HQ at all (30.4.2).
fn blocked(rules: &Wurzburg, s: &State, division: FormationId) -> bool {
    let mut hqs = rules
        .hqs
        .iter()
        .filter(|hq| rules.counter(**hq).formation == division && s.unit(**hq).place != Place::Dead)
        .peekable();
    hqs.peek().is_none()
        || hqs.any(|hq| s.unit(*hq).place == Place::Track || s.unit(*hq).is(Flags::DISRUPTED))
}

fn divisions(s: &State) -> impl Iterator<Item = FormationId> + '_ {
    (0..s.formations.len() as u8).map(FormationId)
}

/// The division whose chit is face down in the box of this turn.
fn due(s: &State) -> Option<FormationId> {
    divisions(s).find(|id| s.formation(*id).chit == Chit::Laid(s.turn))
}

fn face_down(s: &State) -> usize {
    divisions(s).filter(|id| matches!(s.formation(*id).chit, Chit::Laid(_))).count()
}

/// 12.4: whether the chit may be placed, postponed or taken back.
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    let rules = cx.rules;
    let cost = rules.tables.main_effort.cost_off_map_cp;
    let paid = cx.s.sides[Side::Wp.index()].off_map_cp >= cost;
    match action {
        Action::Effort(division) => {
            let no = |rule, key| rules.no(rule, key).formation("formation", *division).into();
            if cx.s.formation(*division).chit != Chit::Held || rules.formation(*division).side != Side::Wp {
                return no("12.4", "effort.no_chit");
            }
            if blocked(rules, cx.s, *division) {
                return no("12.4.2", "effort.blocked");
            }
            if face_down(cx.s) >= usize::from(rules.tables.main_effort.chits_face_down) {
                return no("12.4.2", "effort.one_at_a_time");
            }
            if cx.s.turn >= rules.scenario.turns {
                return no("12.4", "effort.no_next_turn");
            }
            if paid { Ok(()) } else { rules.no("12.4", "pay.no_off_map").into() }
        }
        Action::PostponeEffort if due(cx.s).is_none() => rules.no("12.4", "effort.none_due").into(),
        Action::PostponeEffort if cx.s.turn >= rules.scenario.turns => {
            rules.no("12.4", "effort.none_due").into()
        }
        Action::PostponeEffort if !paid => rules.no("12.4", "pay.no_off_map").into(),
        Action::TakeBackEffort if due(cx.s).is_none() => rules.no("12.4", "effort.none_due").into(),
        Action::PostponeEffort | Action::TakeBackEffort => Ok(()),
        _ => Err(rules.not_now()),
    }
}

/// What may be done with chits now.
pub fn options(cx: &Cx, out: &mut Vec<Action>) {
    for action in [Action::PostponeEffort, Action::TakeBackEffort] {
        if check(cx, &action).is_ok() {
            out.push(action);
        }
    }
    let laid = divisions(cx.s).map(Action::Effort).filter(|action| check(cx, action).is_ok());
    out.extend(laid);
}

pub fn apply(play: &mut Play, action: &Action) {
    let cost = play.rules.tables.main_effort.cost_off_map_cp;
    match action {
        Action::Effort(division) => {
            play.s.sides[Side::Wp.index()].off_map_cp -= cost;
            let turn = play.s.turn + 1;
            play.s.formation_mut(*division).chit = Chit::Laid(turn);
            play.tell(Event::Effort { formation: *division, what: EffortEvent::Laid });
        }
        Action::PostponeEffort | Action::TakeBackEffort => {
            let Some(division) = due(play.s) else { return };
            take_back_plans(play, division);
            if *action == Action::PostponeEffort {
                play.s.sides[Side::Wp.index()].off_map_cp -= cost;
                let turn = play.s.turn + 1;
                play.s.formation_mut(division).chit = Chit::Laid(turn);
                play.tell(Event::Effort { formation: division, what: EffortEvent::Laid });
            } else {
                play.s.formation_mut(division).chit = Chit::Held;
                play.tell(Event::Effort { formation: division, what: EffortEvent::TakenBack });
            }
        }
        _ => {}
    }
}

/// Without the Main Effort its free operations are lost.
fn take_back_plans(play: &mut Play, division: FormationId) {
    for n in 0..play.s.formations.len() as u8 {
        let id = FormationId(n);
        let free = play.s.formation(id).plan.payer == Payer::MainEffort;
        if free && play.rules.below(play.s, id, division) {
            play.s.formation_mut(id).plan = Plan::default();
        }
    }
}

/// 12.4.2 item 1: at the start of planning a blocked chit is taken back.
pub fn open(rules: &Wurzburg, s: &mut State) {
    for n in 0..s.formations.len() as u8 {
        let id = FormationId(n);
        if matches!(s.formation(id).chit, Chit::Laid(_)) && blocked(rules, s, id) {
            s.formation_mut(id).chit = Chit::Held;
        }
    }
}

/// 12.4: the division activates: its chit is revealed.
pub fn show(play: &mut Play, division: FormationId) {
    let turn = play.s.turn;
    if play.s.formation(division).chit != Chit::Laid(turn) {
        return;
    }
    play.s.formation_mut(division).chit = Chit::Shown(turn);
    // 12.4.1 item 2
    play.s.sides[Side::Wp.index()].special_rp = play.rules.tables.main_effort.extra_off_map_rp;
    play.log.reveal();
    play.tell(Event::Effort { formation: division, what: EffortEvent::Shown });
}
