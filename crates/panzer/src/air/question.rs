//! The questions asked while aircraft are in the air (6.7): the load, the entry, the flight hex by hex, and
//! anti-aircraft fire.

use hexgrid::HexId;
use kernel::{Refusal, Slot, SlotKind, Stop, Template};
use rulebook::flow::Question;

use super::{Arms, Craft, aa, could_fire, fly};
use crate::{
    action::{Action, Subject},
    frame::Frame,
    pack::{Side, advanced::Speed},
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
    units::UnitId,
};

/// Attacks and anti-aircraft fire have a sheet with their chances before they are made; on that of anti-aircraft fire
/// the units are chosen.
pub(crate) fn template(cx: &Cx, action: &Action) -> Option<Template> {
    let slot = match action {
        Action::AirAttack { .. } => Slot {
            words: crate::notation::write(cx.rules, cx.s, action),
            kind: SlotKind::Words,
            label: String::new(),
            candidates: Vec::new(),
            min: 0,
            max: 0,
            suggested: Vec::new(),
        },
        Action::Aa(units) => {
            let name = |unit: UnitId| cx.rules.id(unit).to_owned();
            let candidates: Vec<String> = could_fire(cx, false).map(name).collect();
            Slot {
                words: "aa".into(),
                kind: SlotKind::Units,
                label: "slot.shooters".into(),
                min: 1,
                max: candidates.len() as u16,
                candidates,
                suggested: units.iter().copied().map(name).collect(),
            }
        }
        _ => return None,
    };
    Some(Template::of(vec![slot]))
}

/// 6.7.1: aircraft whose cards have rockets and bombs.
fn both_loads<'a>(cx: &'a Cx) -> impl Iterator<Item = u8> + 'a {
    let both = |craft: &Craft| {
        let card = cx.rules.craft_card(craft);
        card.is_some_and(|card| card.bombs.is_some() && card.rockets.is_some())
            && craft.left[Arms::Bombs as usize] > 0
            && craft.left[Arms::Rockets as usize] > 0
    };
    cx.s.air.craft.iter().enumerate().filter(move |(_, craft)| both(craft)).map(|(n, _)| n as u8)
}

/// 6.7.1: rockets or bombs, for aircraft that can carry either.
#[derive(Debug)]
pub struct Load;

impl Question<Panzer> for Load {
    fn asks(&self, rules: &Panzer, _: &State, _: Frame) -> Option<Side> {
        rules.air_side()
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!both_loads(cx).any(|_| true)).then_some(Action::Done)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        out.push(Action::Done);
        for craft in both_loads(cx) {
            let rockets = !cx.s.air.craft[usize::from(craft)].rockets;
            out.push(Action::Load { craft, rockets });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Load { craft, .. } if both_loads(cx).any(|n| n == *craft) => Ok(()),
            Action::Load { .. } => cx.rules.no("6.7.1", "air.one_load").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Load { craft, rockets } = action {
            play.s.air.craft[usize::from(*craft)].rockets = *rockets;
        } else {
            play.pop();
        }
        Ok(())
    }
}

/// 6.7.2: which aircraft flies next, and where it enters the map.
#[derive(Debug)]
pub struct Sorties;

impl Question<Panzer> for Sorties {
    fn asks(&self, rules: &Panzer, _: &State, _: Frame) -> Option<Side> {
        rules.air_side()
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!cx.s.air.craft.iter().any(|craft| cx.rules.may_fly(cx.s, craft))).then_some(Action::Done)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.push(Action::Done);
            fly::entries(cx, out);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Fly(order) => cx.rules.check_fly(cx.s, cx.side, order),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Fly(order) = action {
            fly::take_off(play, order);
        } else {
            play.pop();
        }
        Ok(())
    }
}

/// 6.7.2.3, 6.7.3: what the aircraft does in this hex.
#[derive(Debug)]
pub struct Flying;

impl Question<Panzer> for Flying {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        rules.air_side().filter(|_| s.air.flight.active)
    }

    /// It flies on as ordered, or because there is nothing to decide: no turn is left, and nothing is in sight.
    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (rules, s, flight) = (cx.rules, cx.s, &cx.s.air.flight);
        let alone = || {
            let mut others = rules.acquirable(s, cx.side);
            flight.target.some().into_iter().for_each(|target| others.remove(target));
            self.check(cx, &Action::FlyTurn { left: true }).is_err()
                && !rules.may_attack(s)
                && others.is_empty()
        };
        (flight.bound > 0 || alone()).then_some(Action::FlyOn)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        let (rules, s) = (cx.rules, cx.s);
        out.push(Action::FlyOn);
        out.extend(ways(cx).map(Action::FlyTo));
        for arms in Arms::ALL {
            for level in [false, true] {
                let action = Action::AirAttack { arms, level };
                out.extend(self.check(cx, &action).is_ok().then_some(action));
                if arms != Arms::Bombs || !rules.may_dive(s) {
                    break;
                }
            }
        }
        for left in [true, false] {
            let action = Action::FlyTurn { left };
            out.extend(self.check(cx, &action).is_ok().then_some(action));
        }
        // A target other than the one being acquired may also be named, but is not offered, or the choice would never
        // end.
        if s.air.flight.target.some().is_some() {
            return;
        }
        for unit in rules.units_of(cx.side.enemy()) {
            let action = Action::Acquire(*unit);
            out.extend(self.check(cx, &action).is_ok().then_some(action));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (rules, s) = (cx.rules, cx.s);
        match action {
            Action::FlyOn => Ok(()),
            Action::FlyTo(to) => match rules.hexes_to(&s.air.flight, *to) {
                Some(_) => Ok(()),
                None => rules.no("6.7.2.3", "air.not_straight").hex("hex", *to).into(),
            },
            Action::FlyTurn { .. } => {
                let flight = &s.air.flight;
                match () {
                    () if flight.speed == Speed::Fast => rules.no("6.7.2.3.1", "air.fast_no_turn").into(),
                    () if flight.turned => rules.no("6.7.2.3.1", "air.one_turn").into(),
                    () => Ok(()),
                }
            }
            Action::Acquire(target) => rules.check_acquire(s, cx.side, *target),
            Action::AirAttack { arms, level } => rules.check_attack(s, *arms, *level),
            _ => Err(rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::FlyTurn { left } => {
                let flight = &mut play.s.air.flight;
                let facing = flight.facing;
                flight.facing = if *left { facing.counter_clockwise() } else { facing.clockwise() };
                flight.turned = true;
                fly::keep_target(play);
            }
            Action::Acquire(target) => fly::acquire(play, *target),
            Action::AirAttack { arms, level } => fly::strike(play, *arms, *level)?,
            Action::FlyTo(to) => {
                play.s.air.flight.bound = play.rules.hexes_to(&play.s.air.flight, *to).unwrap_or(0);
                fly_on(play);
            }
            _ => fly_on(play),
        }
        Ok(())
    }
}

/// Hexes straight ahead beyond the next one, and the way over the edge.
fn ways<'a>(cx: &'a Cx) -> impl Iterator<Item = HexId> + 'a {
    let (board, flight) = (&cx.rules.field, &cx.s.air.flight);
    let ahead = std::iter::successors(Some(flight.hex), |hex| board.neighbour(*hex, flight.facing));
    ahead.skip(2).chain([HexId::NONE])
}

/// The other side is asked once in each hex, before the aircraft flies on.
fn fly_on(play: &mut Play) {
    if play.s.air.flight.watched {
        fly::advance(play);
    } else {
        play.s.air.flight.watched = true;
        play.then(&[Frame::AaWindow, Frame::FlyOn]);
    }
}

/// 6.7.4: anti-aircraft fire at the aircraft where it is now.
#[derive(Debug)]
pub struct AaFire;

impl Question<Panzer> for AaFire {
    fn asks(&self, rules: &Panzer, _: &State, _: Frame) -> Option<Side> {
        rules.air_side().map(Side::enemy)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let could = cx.rules.lies_in_wait(cx.s, cx.side) || could_fire(cx, true).next().is_some(); // 7.2
        (!could).then_some(Action::Hold)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.push(Action::Hold);
            out.extend(could_fire(cx, false).map(|unit| Action::Aa(fly::with_sharers(cx, unit))));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Hold => Ok(()),
            Action::Aa(units) => units.iter().try_for_each(|unit| {
                cx.rules.own(cx.side, *unit)?;
                let may = cx.rules.may_fire_aa(cx.s, *unit, &cx.s.air.flight, false);
                may.map_err(|bar| bar.refuse(cx.rules, *unit))?;
                // 6.2.1.1.4: units that share Overwatch fire together.
                match fly::with_sharers(cx, *unit).into_iter().find(|other| !units.contains(other)) {
                    Some(other) => {
                        cx.rules.no("6.2.1.1.4", "fire.shared_overwatch").unit("unit", other).into()
                    }
                    None => Ok(()),
                }
            }),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Aa(units) = action {
            for unit in units {
                aa::fire(play, *unit)?;
            }
        }
        Ok(())
    }
}
