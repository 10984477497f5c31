//! The question of the Movement Step.

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{
    Mover, Reach, check_part, combine,
    order::{check_move, commit_picked, resolve, same_group},
    part_off,
    steps::{check_combine, check_remove},
    transfer::{check_transfer, transfer, transfers},
    walk,
};
use crate::{
    action::{Action, Hexes, Part, Parts, Subject, Units},
    air::Cover,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, State, Variant},
    units::{Side, UnitId, set_of},
};

/// 13.3 step 2: which force goes where.
#[derive(Debug)]
pub struct Movement;

/// Whether a single unit can move anywhere.
fn can_go(cx: &Cx, unit: UnitId) -> bool {
    if cx.rules.enters(cx.s, unit) {
        return entries(cx, unit).next().is_some();
    }
    if cx.rules.check_exit(cx.s, cx.side, &[unit]).is_ok() {
        return true;
    }
    reaches(cx, &cx.rules.mover(cx.s, cx.side, set_of([unit])))
}

/// Whether there is any hex where the force may go and stay.
fn reaches(cx: &Cx, mover: &Mover) -> bool {
    if cx.s.op.airmobile {
        return Reach::with(mover, |reach| {
            reach.hexes(mover).any(|reached| mover.end_refusal(reached.hex).is_none())
        });
    }
    let spent = mover.allowance.saturating_sub(mover.mp);
    Direction::ALL.into_iter().any(|direction| {
        mover
            .step(mover.from, direction, spent, false)
            .is_some_and(|(_, step)| mover.affords(spent, step.cost, true))
    })
}

/// Edge hexes by which a unit can enter the map now.
fn entries<'a>(cx: &'a Cx<'a>, unit: UnitId) -> impl Iterator<Item = HexId> + 'a {
    let zone: Hexes = cx.rules.entry_zone(cx.s, unit).iter().collect();
    let force = set_of([unit]);
    zone.into_iter().filter(move |hex| cx.rules.check_entry(cx.s, cx.side, &force, *hex).is_ok())
}

fn movable<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    cx.s.op.members.iter().filter(|unit| cx.rules.movable(cx.s, *unit))
}

/// The hexes with more than one unit that can move on.
fn stacks(cx: &Cx) -> SmallVec<[HexId; 8]> {
    let mut seen: SmallVec<[HexId; 16]> = SmallVec::new();
    let mut several = SmallVec::new();
    for unit in movable(cx).filter(|unit| cx.s.unit(*unit).on_map()) {
        let hex = cx.s.unit(unit).hex;
        if seen.contains(&hex) {
            if !several.contains(&hex) {
                several.push(hex);
            }
        } else {
            seen.push(hex);
        }
    }
    several
}

/// The units of a stack that can move together (16.6).
fn together(cx: &Cx, hex: HexId) -> Units {
    let limit = u32::from(cx.rules.step_limit(cx.side));
    let mut steps = 0;
    let mut units = Units::new();
    for unit in movable(cx).filter(|unit| cx.s.unit(*unit).hex == hex) {
        let add = if cx.rules.counter(unit).symbol.maneuver() { u32::from(cx.s.unit(unit).steps) } else { 0 };
        let first = units.first().copied();
        let grouped = first.is_none_or(|first| same_group(cx.s, first, unit));
        if steps + add <= limit && grouped {
            steps += add;
            units.push(unit);
        }
    }
    units
}

impl Question<Wurzburg> for Movement {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        if let Some(units) = crate::storm::straight(cx) {
            return Some(Action::Storm { units, combined: false });
        }
        let mut storms = Vec::new();
        crate::storm::offers(cx, &mut storms);
        let flies = cx.s.op.airmobile && {
            let carries = |cover: &Cover| cx.s.op.members.iter().any(|unit| cover.carries(cx, unit));
            Cover::with(cx.rules, cx.s, cx.side, carries)
        };
        let crosses = crate::crossing::open(cx);
        (storms.is_empty() && !crosses && !flies && !movable(cx).any(|unit| can_go(cx, unit)))
            .then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let goes = |unit: &UnitId| cx.rules.movable(cx.s, *unit) && can_go(cx, *unit);
        let flies = |unit: &UnitId| {
            cx.s.op.airmobile && Cover::with(cx.rules, cx.s, cx.side, |cover| cover.carries(cx, *unit))
        };
        let acts = |unit: &UnitId| goes(unit) || flies(unit);
        out.extend(cx.s.op.members.iter().filter(acts).map(Subject::Unit));
        let several = stacks(cx);
        let goes = |hex: &HexId| {
            let units = together(cx, *hex);
            units.len() > 1 && reaches(cx, &cx.rules.mover(cx.s, cx.side, set_of(units)))
        };
        out.extend(several.into_iter().filter(goes).map(Subject::Hex));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let first_new = out.len();
        if let Subject::Unit(unit) = subject
            && cx.s.op.members.contains(unit)
        {
            crate::air::lift_offers(cx, unit, out);
        }
        match subject {
            Subject::Phase => {
                out.push(Action::Done);
                crate::storm::offers(cx, out);
                crate::crossing::offers(cx, out);
            }
            Subject::Unit(unit) if cx.rules.movable(cx.s, unit) && cx.rules.enters(cx.s, unit) => {
                let parts: Parts = [Part::all(unit)].into_iter().collect();
                out.extend(entries(cx, unit).map(|hex| move_to(&parts, hex)));
                let rows = [false, true].map(|ten| Action::Row { unit, ten });
                out.extend(rows.into_iter().filter(|row| self.check(cx, row).is_ok()));
            }
            Subject::Unit(unit) if cx.rules.movable(cx.s, unit) => {
                let mover = cx.rules.mover(cx.s, cx.side, set_of([unit]));
                moves(cx, &mover, &[Part::all(unit)].into_iter().collect(), out);
                let alone: Units = [unit].into_iter().collect();
                if cx.rules.check_exit(cx.s, cx.side, &alone).is_ok() {
                    out.push(Action::Exit(alone));
                }
                splits(cx, unit, &mover, out);
                combinations(cx, unit, out);
                crate::crossing::ferries(cx, unit, out);
                transfers(cx, unit, &mover, out);
            }
            Subject::Hex(hex) => {
                let units = together(cx, hex);
                if units.len() < 2 {
                    return;
                }
                let parts: Parts = units.iter().map(|unit| Part::all(*unit)).collect();
                moves(cx, &cx.rules.mover(cx.s, cx.side, set_of(units)), &parts, out);
            }
            _ => {}
        }
        if matches!(cx.s.op.variant, Variant::Overrun | Variant::Close) {
            let mut n = 0;
            out.retain(|action| {
                n += 1;
                n <= first_new || self.check(cx, action).is_ok()
            });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Move { parts, path } => check_move(cx, parts, path),
            Action::Combine(units) => check_combine(cx, units),
            Action::Remove(unit) => check_remove(cx, *unit),
            Action::Transfer { part, to } => check_transfer(cx, *part, *to),
            Action::Row { unit, ten } => crate::entry::check_march_row(cx, *unit, *ten),
            Action::Storm { units, combined } => crate::storm::check(cx, units, *combined),
            Action::Exit(units) => cx.rules.check_exit(cx.s, cx.side, units).map(|_| ()),
            Action::Lift { parts, lz, via, approach, helicopters } => {
                crate::air::check_lift(cx, parts, *lz, via, approach, *helicopters)
            }
            action => crate::crossing::check(cx, action),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Done => {
                let storming = crate::refusal::quietly(|| crate::storm::arrived(&play.cx(side)));
                play.pop();
                if !storming.is_empty() {
                    crate::storm::declare(play, &storming, false)?;
                }
                crate::operation::end_of_movement(play);
            }
            // 11.5: steps that split off and stay in the hex.
            Action::Move { parts, path } if path.is_empty() => {
                part_off(play, parts);
            }
            Action::Move { parts, path } => {
                let whole = |part: &Part| part.steps.is_none() && play.s.op.members.contains(part.unit);
                let force = set_of(parts.iter().map(|part| part.unit));
                let enters = force.iter().any(|unit| play.rules.enters(play.s, unit));
                if parts.iter().all(whole) && !enters {
                    let rules = play.rules;
                    let way = play.s.unchanged(|s| resolve(&rules.mover(s, side, force), path));
                    walk::start(play, force, way.unwrap_or_default());
                    return Ok(());
                }
                commit_picked(play, parts.iter().map(|part| part.unit));
                let force = part_off(play, parts);
                if force.iter().any(|unit| play.rules.enters(play.s, unit)) {
                    walk::start(play, force, path.iter().copied().collect());
                    return Ok(());
                }
                let mover = play.rules.mover(play.s, side, force);
                let way = resolve(&mover, path).unwrap_or_default();
                walk::start(play, force, way);
            }
            Action::Combine(units) => {
                commit_picked(play, units.iter().copied());
                combine(play, units);
            }
            Action::Remove(unit) => play.remove_dummies(&[*unit]),
            Action::Transfer { part, to } => transfer(play, *part, *to),
            Action::Row { unit, ten } => crate::entry::march_row(play, *unit, *ten),
            Action::Lift { parts, lz, via, approach, helicopters } => {
                crate::air::start_lift(play, parts, *lz, via, approach, *helicopters);
            }
            Action::Exit(units) => crate::entry::exit(play, units),
            Action::Storm { units, combined } => {
                play.pop();
                crate::storm::declare(play, units, *combined)?;
                crate::operation::end_of_movement(play);
            }
            action => crate::crossing::apply(play, side, action)?,
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.movement", "16.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

fn move_to(parts: &Parts, hex: HexId) -> Action {
    Action::Move { parts: parts.clone(), path: Hexes::from_slice(&[hex]) }
}

/// A move to every hex where the force may go and stay.
fn moves(cx: &Cx, mover: &Mover, parts: &Parts, out: &mut Vec<Action>) {
    // 16.6.2: a force that converges goes to the rally point first.
    let rally = cx.s.op.rally;
    let gathered = rally == HexId::NONE || !mover.fresh || mover.from == rally;
    Reach::with(mover, |reach| {
        let may_end = |hex: &HexId| (gathered || *hex == rally) && mover.end_refusal(*hex).is_none();
        let there = reach.hexes(mover).map(|reached| reached.hex).filter(may_end);
        out.extend(there.map(|hex| move_to(parts, hex)));
    });
}

/// Offers to split off steps to an adjacent hex: half of them, and a dummy (11.5). Any other division may be written.
fn splits(cx: &Cx, unit: UnitId, mover: &Mover, out: &mut Vec<Action>) {
    let steps = cx.s.unit(unit).steps;
    if cx.rules.spare_for(cx.s, unit).is_none() || cx.s.unit(unit).is(Flags::DISRUPTED) || steps == 0 {
        return;
    }
    // 16.6.2: a force that converges goes to the rally point first.
    if cx.s.op.rally != HexId::NONE && mover.fresh && mover.from != cx.s.op.rally {
        return;
    }
    let spent = mover.allowance.saturating_sub(mover.mp);
    for part in [0, steps / 2] {
        let part = Part { unit, steps: Some(part) };
        if part.steps == Some(steps / 2) && steps < 2 && part.steps != Some(0)
            || check_part(cx.rules, cx.s, part).is_err()
        {
            continue;
        }
        let mut mover = *mover;
        if part.steps == Some(0) {
            mover.as_dummy(unit);
        }
        // 37.4 item 3: one hex out of a minefield is a careful exit.
        mover.careful = true;
        for direction in Direction::ALL {
            let Some((to, step)) = mover.step(mover.from, direction, spent, false) else { continue };
            if mover.affords(spent, step.cost, true) && mover.end_refusal(to).is_none() {
                let parts: Parts = [part].into_iter().collect();
                out.push(Action::Move { parts, path: Hexes::from_slice(&[to]) });
            }
        }
        if steps < 2 {
            break; // half of one step is none
        }
    }
}

fn combinations(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let hex = cx.s.unit(unit).hex;
    let Some(pool) = cx.rules.pools.get(usize::from(cx.rules.counter(unit).pool)) else { return };
    for other in pool.units.iter().copied().filter(|other| *other != unit && cx.s.unit(*other).hex == hex) {
        // The same decision from either unit, so that it is offered once.
        let units: Units = [unit.min(other), unit.max(other)].into_iter().collect();
        if check_combine(cx, &units).is_ok() {
            out.push(Action::Combine(units));
        }
    }
}
