//! The Initiative Phase (4.3).

use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::{Side, Ties},
    play::{Cx, Play},
    rules::Panzer,
};

/// 4.3.1, 6.3.1: Roll(100) each; the higher is First Player. A tie is rolled again unless Special Conditions say otherwise.
pub fn roll(play: &mut Play) -> Result<(), Stop> {
    loop {
        let mut rolls = [0; 2];
        for side in Side::ALL {
            rolls[side.index()] = play.roll(side, "roll.initiative", "4.3.1")?;
        }
        let totals = Side::ALL.map(|side| i16::from(rolls[side.index()]) + play.rules.force_modifier(side));
        let winner = match totals[0].cmp(&totals[1]) {
            std::cmp::Ordering::Greater => Side::Axis,
            std::cmp::Ordering::Less => Side::Allied,
            std::cmp::Ordering::Equal => match play.rules.scenario.special.initiative_tie {
                Ties::Axis => Side::Axis,
                Ties::Allied => Side::Allied,
                Ties::Keep => match play.s.last_first {
                    Some(side) => side,
                    None => continue,
                },
                Ties::Reroll => continue,
            },
        };
        play.s.first = Some(winner);
        play.tell(Event::Initiative { rolls, first: winner });
        if play.rules.options.initiative_choice {
            play.then(&[Frame::ChooseOrder(winner)]);
        }
        return Ok(());
    }
}

impl Panzer {
    /// 6.3.2: what the Force Grade adds to the initiative roll.
    pub fn force_modifier(&self, side: Side) -> i16 {
        self.advanced.as_deref().map_or(0, |game| {
            i16::from(game.tables().initiative[game.extras.force_grade[side.index()].index()])
        })
    }
}

pub fn subjects(out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
}

pub fn options(subject: Subject, out: &mut Vec<Action>) {
    if subject == Subject::Phase {
        out.extend([true, false].map(|first| Action::Order { first }));
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Order { .. } => Ok(()),
        _ => Err(cx.rules.not_now()),
    }
}

pub fn apply(play: &mut Play, side: Side, action: &Action) {
    if let Action::Order { first } = action {
        let first = if *first { side } else { side.enemy() };
        play.s.first = Some(first);
        play.tell(Event::Order { side, first });
    }
    play.pop();
}
