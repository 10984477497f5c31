//! The owner of an attacked unit may show that it has a Move Command, which makes it harder to hit (4.4.3.2.2, 6.5.4.3,
//! 6.6.1.1.2), or keep its Command hidden.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
    units::UnitId,
};

/// The question, for one kind of attack.
#[derive(Debug)]
pub struct Show {
    rule: &'static str,
    target: fn(&State) -> Option<UnitId>,
    answer: fn(&mut Play, UnitId, bool),
}

/// Direct fire (4.4.3.2.2): the Command stays face up.
pub static AT_FIRE: Show = Show {
    rule: "4.4.3.2.2",
    target: |s| s.fire.showing().some(),
    answer: |play, target, shown| {
        play.s.fire.asked.pop();
        if shown {
            play.reveal(target);
        } else {
            play.tell(Event::Declined { unit: target });
        }
    },
};

/// Indirect fire.
pub static AT_SHELLS: Show = Show {
    rule: "6.5.4.3",
    target: |s| s.indirect.landing.last().map(|landing| landing.target),
    answer: |play, target, shown| {
        let moving = glimpse(play, target, shown);
        if let Some(landing) = play.s.indirect.landing.last_mut() {
            landing.moving |= moving;
        }
    },
};

/// An attack from the air.
pub static AT_STRIKE: Show = Show {
    rule: "6.5.4.3",
    target: |s| s.air.strike.target.some(),
    answer: |play, target, shown| play.s.air.strike.moving |= glimpse(play, target, shown),
};

/// A close assault.
pub static AT_ASSAULT: Show = Show {
    rule: "6.6.1.1.2",
    target: |s| s.assault.target.some(),
    answer: |play, target, shown| play.s.assault.moving |= glimpse(play, target, shown),
};

/// The Command is shown and turned face down again, but both sides have seen it (6.6.1.1.2). Returns whether it was
/// shown.
fn glimpse(play: &mut Play, target: UnitId, shown: bool) -> bool {
    if shown {
        let command = play.s.unit(target).command;
        play.tell(Event::Revealed { unit: target, command });
        play.log.reveal();
    } else {
        play.tell(Event::Declined { unit: target });
    }
    shown
}

impl Question<Panzer> for Show {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        (self.target)(s).map(|target| rules.vehicle(target).side)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend(self.check(cx, &Action::Show).is_ok().then_some(Action::Show));
            out.push(Action::Decline);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match (action, (self.target)(cx.s)) {
            (Action::Decline, _) => Ok(()),
            (Action::Show, Some(target)) if cx.s.unit(target).command.moves() => Ok(()),
            (Action::Show, Some(target)) => {
                cx.rules.no(self.rule, "show.not_moving").unit("unit", target).into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Some(target) = (self.target)(play.s) {
            (self.answer)(play, target, *action == Action::Show);
        }
        Ok(())
    }
}
