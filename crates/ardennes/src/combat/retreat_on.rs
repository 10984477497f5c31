//! Overstacking in the hex where a retreat ended (17.4): units retreat further until there is room, or are eliminated.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Path},
    combat::{
        resolve,
        retreat::{Bar, Ezoc, Search, Want, go_back, refuse_step, search},
    },
    event::Elimination,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

thread_local! {
    static FRONT: RefCell<[Vec<(HexId, Path)>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// The nearest hexes with room to which a unit can be moved on, and a path to each.
fn further_on(rules: &Ardennes, s: &State, unit: UnitId, each: &mut dyn FnMut(Path, HexId)) {
    let want = Want { hexes: 0, ezoc: Ezoc::Never, party: &[] };
    search(rules, s, unit, want, |search| {
        FRONT.with_borrow_mut(|[front, next]| {
            front.clear();
            front.push((search.start, Path::default()));
            let mut seen = hexes_left(s, unit);
            seen.insert(search.start);
            let mut found = false;
            while !found && !front.is_empty() {
                next.clear();
                for (from, path) in front.iter() {
                    for direction in Direction::ALL {
                        let Ok(step) = search.step(*from, direction, false) else { continue };
                        let mut longer = *path;
                        if !seen.insert(step.to) || !longer.push(direction) {
                            continue;
                        }
                        if rules.room(s, step.to, &[unit]) {
                            found = true;
                            each(longer, step.to);
                        }
                        next.push((step.to, longer));
                    }
                }
                std::mem::swap(front, next);
            }
        });
    });
}

/// The hexes that a unit has left in this retreat: it does not enter them again (17.1).
fn hexes_left(s: &State, unit: UnitId) -> HexSet {
    let own = s.combat.gone_back.get() == Some(unit);
    s.combat.left_behind.iter().copied().filter(|_| own).collect()
}

/// The units in the hex that retreated: one of them goes on.
fn surplus<'a>(cx: &Cx<'a>, unit: UnitId) -> impl Iterator<Item = UnitId> + 'a {
    let s = cx.s;
    s.unit(unit)
        .hex()
        .into_iter()
        .flat_map(move |hex| s.stack(hex))
        .filter(move |u| s.unit(*u).is(Flags::RETREATED))
}

fn can_go_on(cx: &Cx, unit: UnitId) -> bool {
    let mut any = false;
    further_on(cx.rules, cx.s, unit, &mut |_, _| any = true);
    any
}

fn overloaded(cx: &Cx, unit: UnitId) -> bool {
    cx.s.unit(unit).hex().is_some_and(|hex| cx.rules.overload(cx.s, hex, &[]).is_some())
}

/// 17.4: the hex where a retreat ended is overstacked; one unit goes on, or is eliminated.
#[derive(Debug)]
pub struct RetreatOn;

impl Question<Ardennes> for RetreatOn {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Frame::RetreatOn(unit) = cx.frame else { return None };
        if !overloaded(cx, unit) {
            return Some(Action::Done);
        }
        let mut count = 0;
        let mut only = None;
        for unit in surplus(cx, unit) {
            further_on(cx.rules, cx.s, unit, &mut |path, _| {
                count += 1;
                only = Some(Action::Retreat { unit, path, out: false });
            });
        }
        if count == 0 {
            let mut units = surplus(cx, unit);
            let first = units.next();
            return match (first, units.next()) {
                (Some(unit), None) => Some(Action::Remove { unit }),
                (None, _) => Some(Action::Done),
                _ => None,
            };
        }
        only.filter(|_| count == 1)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        let Frame::RetreatOn(unit) = cx.frame else { return };
        let stuck = !surplus(cx, unit).any(|u| can_go_on(cx, u));
        out.extend(surplus(cx, unit).filter(|u| stuck || can_go_on(cx, *u)).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let Frame::RetreatOn(unit) = cx.frame else { return };
        let Subject::Unit(chosen) = subject else { return };
        if !surplus(cx, unit).any(|u| u == chosen) {
            return;
        }
        let before = out.len();
        further_on(cx.rules, cx.s, chosen, &mut |path, _| {
            out.push(Action::Retreat { unit: chosen, path, out: false });
        });
        if out.len() == before && !surplus(cx, unit).any(|u| can_go_on(cx, u)) {
            out.push(Action::Remove { unit: chosen });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::RetreatOn(unit) = cx.frame else { return Err(cx.rules.not_now()) };
        let no = |key, who| cx.rules.no("17.4", key).unit("unit", who);
        match *action {
            Action::Remove { unit: who } => {
                if !surplus(cx, unit).any(|u| u == who) {
                    return no("retreat.not_surplus", who).into();
                }
                if surplus(cx, unit).any(|u| can_go_on(cx, u)) {
                    return no("retreat.can_go_on", who).into();
                }
                Ok(())
            }
            Action::Retreat { unit: who, path, out: false } => {
                if !surplus(cx, unit).any(|u| u == who) {
                    return no("retreat.not_surplus", who).into();
                }
                let want = Want { hexes: 0, ezoc: Ezoc::Never, party: &[] };
                let judge = |search: &Search| -> Result<(), Refusal> {
                    let mut at = search.start;
                    let hexes_left = hexes_left(cx.s, who);
                    for (depth, direction) in path.iter().enumerate() {
                        let step = search
                            .step(at, direction, false)
                            .map_err(|bar| refuse_step(search, at, direction, bar))?;
                        if hexes_left.contains(step.to) {
                            return Err(refuse_step(search, at, direction, Bar::Twice));
                        }
                        at = step.to;
                        let room = cx.rules.room(cx.s, at, &[who]);
                        if room != (depth + 1 == path.len()) {
                            return no("retreat.until_room", who).hex("hex", at).into();
                        }
                    }
                    if path.is_empty() { no("retreat.until_room", who).hex("hex", at).into() } else { Ok(()) }
                };
                search(cx.rules, cx.s, who, want, judge).unwrap_or_else(|| Err(cx.rules.not_now()))
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        go_on_or_remove(play, action);
        Ok(())
    }
}

fn go_on_or_remove(play: &mut Play, action: &Action) {
    play.pop();
    let hex = match *action {
        Action::Retreat { unit, path, .. } => {
            let hex = play.s.unit(unit).hex();
            go_back(play, unit, path, false);
            hex
        }
        Action::Remove { unit } => {
            let hex = play.s.unit(unit).hex();
            resolve::kill(play, unit, Elimination::Stacking);
            hex
        }
        _ => None,
    };
    // Still overstacked: the next unit.
    if let Some(hex) = hex
        && play.rules.overload(play.s, hex, &[]).is_some()
        && let Some(next) = play.s.stack(hex).find(|u| play.s.unit(*u).is(Flags::RETREATED))
    {
        play.then(&[Frame::RetreatOn(next)]);
    }
}
