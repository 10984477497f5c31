//! Artillery Supply Phase (5).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// 5: which artillery units become Ready.
#[derive(Debug)]
pub struct ReadyArtillery;

impl Question<Ardennes> for ReadyArtillery {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        // Nobody is asked when no unit can be readied, or when all can be (the Allied player readies all he has).
        let left = left(cx);
        let mut eligible = fired(cx).filter(|unit| obstacle(cx.rules, cx.s, *unit).is_none());
        let first = eligible.next();
        match first {
            None => Some(Action::Done),
            Some(_) if left == 0 => Some(Action::Done),
            // 5.2: no reason to hold back if the allowance covers all of them.
            Some(unit) if eligible.count() < usize::from(left) => Some(Action::Ready { unit }),
            Some(_) => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(fired(cx).filter(|unit| obstacle(cx.rules, cx.s, *unit).is_none()).map(Subject::Unit));
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => out.push(Action::Ready { unit }),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Done => Ok(()),
            Action::Ready { unit } => {
                let counter = cx.rules.counter(unit);
                if counter.side != cx.side {
                    return Err(cx.rules.refuse_owner(unit, cx.side));
                }
                // 5.1
                if !counter.artillery || !in_play(cx.s, unit) || !cx.s.unit(unit).is(Flags::FIRED) {
                    return cx.rules.no("5.1", "artillery.not_fired").unit("unit", unit).into();
                }
                match obstacle(cx.rules, cx.s, unit) {
                    Some(key) => cx.rules.no("5.3", key).unit("unit", unit).into(),
                    None if left(cx) == 0 => {
                        let limit = allowance(cx.rules, cx.s);
                        cx.rules.no("5.2", "artillery.allowance").number("limit", limit).into()
                    }
                    None => Ok(()),
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let frame = at.frame;
        let left = left(&Cx { rules: play.rules, s: play.s, side: play.s.side, frame });
        play.pop();
        if let Action::Ready { unit } = *action {
            play.unmark(unit, Flags::FIRED);
            play.then(&[Frame::ReadyArtillery { left: left.saturating_sub(1) }]);
        }
        Ok(())
    }
}

/// 5.1, 22.3: German artillery is unhitched.
pub fn remove_prime_movers(play: &mut Play) -> Result<(), Stop> {
    if play.s.side == Side::German {
        let rules = play.rules;
        for unit in &rules.guns[Side::German.index()] {
            play.unmark(unit, Flags::PRIME_MOVER);
        }
    }
    Ok(())
}

/// How many units a side may ready in this phase (5.2, 5.4).
pub fn allowance(rules: &Ardennes, s: &State) -> u8 {
    let supply = rules.tables().artillery_supply;
    match (s.side, s.turn) {
        (Side::Allied, _) => u8::MAX,
        (Side::German, 2) => supply.german_turn_2, // 5.4
        (Side::German, _) => supply.german,
    }
}

/// How many more units may be readied: the phase begins with as many as the turn allows.
pub fn left(cx: &Cx) -> u8 {
    match cx.frame {
        Frame::ReadyArtillery { left } => left.min(allowance(cx.rules, cx.s)),
        _ => 0,
    }
}

fn in_play(s: &State, unit: UnitId) -> bool {
    use crate::place::Place;
    matches!(s.unit(unit).place(), Place::Hex(_) | Place::Box(_) | Place::Blocking(_))
}

fn fired<'a>(cx: &'a Cx) -> impl Iterator<Item = UnitId> + 'a {
    cx.rules.guns[cx.side.index()]
        .iter()
        .filter(|unit| cx.s.unit(*unit).is(Flags::FIRED) && in_play(cx.s, *unit))
}

/// 5.3: why this Fired unit may not be readied, as the message key of the refusal.
fn obstacle(rules: &Ardennes, s: &State, unit: UnitId) -> Option<&'static str> {
    let marked = |flag| s.unit(unit).is(flag);
    if marked(Flags::DISRUPTED) {
        Some("artillery.disrupted")
    } else if marked(Flags::OOS) {
        Some("artillery.oos")
    } else if marked(Flags::STRATEGIC)
        && (rules.counter(unit).side == Side::Allied || rules.marched_guns_wait())
    {
        // 1E 5.3: any artillery under an SM marker.
        Some("artillery.strategic")
    } else {
        None
    }
}
