//! What is asked in the Movement Step.

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{
    Front, Mover, Reach, Way,
    transfer::{check_transfer, transfer, transfers},
    walk,
};
use crate::{
    action::{Action, Hexes, Part, Parts, Subject, Units},
    event::Event,
    frame::Frame,
    play::{Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Place, State, Variant},
    units::{OpKind, Side, UnitId, UnitSet, set_of},
};

/// 13.3 step 2: which force goes where.
#[derive(Debug)]
pub struct Movement;

/// Can a single unit go anywhere?
fn can_go(cx: &Cx, unit: UnitId, front: &Front) -> bool {
    if cx.rules.enters(cx.s, unit) {
        return entries(cx, unit).next().is_some();
    }
    if cx.rules.check_exit(cx.s, cx.side, &[unit]).is_ok() {
        return true;
    }
    reaches(cx, &mover_of(cx, set_of([unit]), front))
}

fn mover_of<'a>(cx: &Cx<'a>, force: UnitSet, front: &Front) -> Mover<'a> {
    Mover::before(cx.rules, cx.s, cx.side, Way::Operation(cx.s.op.kind), force, front)
}

/// Is there any hex where the force may go and stay?
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

/// Edge hexes by which a unit can come onto the map now.
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

fn same_group(s: &State, a: UnitId, b: UnitId) -> bool {
    s.op.groups.len() < 2
        || s.op.groups.iter().any(|group| group.members.contains(a) && group.members.contains(b))
}

impl Question for Movement {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Side {
        s.op.side
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let mut storms = Vec::new();
        crate::storm::offers(cx, &mut storms);
        let flies = cx.s.op.airmobile && {
            let cover = crate::air::Cover::new(cx.rules, cx.s, cx.side);
            cx.s.op.members.iter().any(|unit| cover.carries(cx, unit))
        };
        let crosses = crate::crossing::open(cx);
        let front = cx.rules.front(cx.s, cx.side);
        (storms.is_empty() && !crosses && !flies && !movable(cx).any(|unit| can_go(cx, unit, &front)))
            .then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let front = cx.rules.front(cx.s, cx.side);
        let goes = |unit: &UnitId| cx.rules.movable(cx.s, *unit) && can_go(cx, *unit, &front);
        let cover = cx.s.op.airmobile.then(|| crate::air::Cover::new(cx.rules, cx.s, cx.side));
        let flies = |unit: &UnitId| cover.as_ref().is_some_and(|cover| cover.carries(cx, *unit));
        let acts = |unit: &UnitId| goes(unit) || flies(unit);
        out.extend(cx.s.op.members.iter().filter(acts).map(Subject::Unit));
        let several = stacks(cx);
        let goes = |hex: &HexId| {
            let units = together(cx, *hex);
            units.len() > 1 && reaches(cx, &mover_of(cx, set_of(units), &front))
        };
        out.extend(several.into_iter().filter(goes).map(Subject::Hex));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let first_new = out.len();
        let to = |parts: &Parts, hex: HexId| Action::Move {
            parts: parts.clone(),
            path: Hexes::from_slice(&[hex]),
        };
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
                out.extend(entries(cx, unit).map(|hex| to(&parts, hex)));
                let rows = [false, true].map(|ten| Action::Row { unit, ten });
                out.extend(rows.into_iter().filter(|row| self.check(cx, row).is_ok()));
            }
            Subject::Unit(unit) if cx.rules.movable(cx.s, unit) => {
                let mover = cx.rules.mover(cx.s, cx.side, set_of([unit]));
                let parts: Parts = [Part::all(unit)].into_iter().collect();
                let rally = cx.s.op.rally;
                Reach::with(&mover, |reach| {
                    let there = reach.hexes(&mover).filter(|r| {
                        let gathers = rally == HexId::NONE || !mover.fresh || mover.from == rally;
                        (gathers || r.hex == rally) && mover.end_refusal(r.hex).is_none()
                    });
                    out.extend(there.map(|reached| to(&parts, reached.hex)));
                });
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
                let mover = cx.rules.mover(cx.s, cx.side, set_of(units));
                let rally = cx.s.op.rally;
                Reach::with(&mover, |reach| {
                    let there = reach.hexes(&mover).filter(|r| {
                        let gathers = rally == HexId::NONE || !mover.fresh || mover.from == rally;
                        (gathers || r.hex == rally) && mover.end_refusal(r.hex).is_none()
                    });
                    out.extend(there.map(|reached| to(&parts, reached.hex)));
                });
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

    fn apply(&self, play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Done => {
                play.pop();
                crate::operation::end_of_movement(play);
            }
            Action::Move { parts, path } => {
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

/// Some ways to part with steps, to an adjacent hex: half of them, and a dummy (11.5). Any other division may be written.
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
        let mut mover = mover.clone();
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
    for other in movable(cx).filter(|other| *other != unit && cx.s.unit(*other).hex == hex) {
        let units: Units = [unit, other].into_iter().collect();
        if check_combine(cx, &units).is_ok() {
            out.push(Action::Combine(units));
        }
    }
}

/// Can the force step straight into a hex? A detour may be cheaper.
fn direct(mover: &Mover, to: HexId) -> bool {
    let Some(direction) = mover.rules.field.toward(mover.from, to) else { return false };
    let spent = mover.allowance.saturating_sub(mover.mp);
    let step = mover.step(mover.from, direction, spent, false);
    let reached = || Reach::with(mover, |reach| reach.cost(to)).is_some();
    step.is_some_and(|(_, step)| mover.affords(spent, step.cost, true)) || !reached()
}

/// The way that is meant: hex by hex, or the cheapest to a single far hex.
pub fn resolve(mover: &Mover, path: &Hexes) -> Option<SmallVec<[HexId; 12]>> {
    if let [to] = path[..]
        && !direct(mover, to)
    {
        return Reach::with(mover, |reach| reach.path(mover, to));
    }
    Some(path.iter().copied().collect())
}

fn check_move(cx: &Cx, parts: &Parts, path: &Hexes) -> Result<(), Refusal> {
    let rules = cx.rules;
    let Some(first) = parts.first() else { return Err(rules.not_now()) };
    let from = cx.s.unit(first.unit).hex;
    let mut seen = UnitSet::EMPTY;
    for part in parts {
        rules.own(cx.side, part.unit)?;
        let u = cx.s.unit(part.unit);
        let here = u.on_map() || rules.enters(cx.s, part.unit);
        if !here || !cx.s.op.members.contains(part.unit) && !picks_up(cx, part.unit) {
            return rules.no("13.0", "move.not_in_operation").unit("unit", part.unit).into();
        }
        if cx.s.op.done.contains(part.unit) {
            return rules.no("16.6.4", "move.done").unit("unit", part.unit).into();
        }
        let member = cx.s.op.members.contains(part.unit);
        if member && !rules.movable(cx.s, part.unit) || !same_group(cx.s, first.unit, part.unit) {
            return rules.no("13.4", "move.other_group").unit("unit", part.unit).into();
        }
        // 14.1
        if u.hex != from || !seen.insert(part.unit) {
            return rules.no("14.1", "move.apart").unit("unit", part.unit).into();
        }
        check_part(cx.rules, cx.s, *part)?;
    }
    check_spares(rules, cx.s, parts)?;
    let partial = parts.iter().any(|part| part.steps.is_some_and(|steps| steps < cx.s.unit(part.unit).steps));
    let picked = parts.iter().any(|part| !cx.s.op.members.contains(part.unit));
    if partial || picked {
        let mut later = cx.s.clone();
        let mp = least_mp(cx.s, from);
        for part in parts {
            if !later.op.members.contains(part.unit) {
                later.op.members.insert(part.unit);
                later.unit_mut(part.unit).mp = mp;
            }
        }
        let force = divide(rules, &mut later, parts);
        return check_way(rules, &later, cx.side, force, path);
    }
    check_way(rules, cx.s, cx.side, seen, path)
}

/// What the units of the operation in a hex have left, at the least.
fn least_mp(s: &State, hex: HexId) -> u8 {
    s.op.members.iter().filter(|unit| s.unit(*unit).hex == hex).map(|unit| s.unit(unit).mp).min().unwrap_or(0)
}

/// 11.5, 11.5.1, 16.6.3: may these steps part from the unit?
pub fn check_part(rules: &Wurzburg, s: &State, part: Part) -> Result<(), Refusal> {
    let u = s.unit(part.unit);
    let Some(steps) = part.steps else { return Ok(()) };
    if steps > u.steps {
        return rules.no("11.5", "split.steps").unit("unit", part.unit).number("steps", u.steps).into();
    }
    if steps == u.steps {
        return Ok(());
    }
    if u.is(Flags::DISRUPTED) {
        return rules.no("11.5", "split.disrupted").unit("unit", part.unit).into();
    }
    if steps == 0 {
        if !rules.dummy_allowed(s, part.unit) {
            return rules.no("11.3.3", "split.dummies").unit("unit", part.unit).into();
        }
        if rules.next_to(s, u.hex, rules.counter(part.unit).side.enemy()) {
            return rules.no("11.3", "split.dummy_adjacent").unit("unit", part.unit).into();
        }
    }
    Ok(())
}

/// 11.5: enough free counters?
pub fn check_spares(rules: &Wurzburg, s: &State, parts: &Parts) -> Result<(), Refusal> {
    for part in parts {
        let pool = rules.counter(part.unit).pool;
        let splits = |p: &&Part| {
            rules.counter(p.unit).pool == pool && p.steps.is_some_and(|steps| steps < s.unit(p.unit).steps)
        };
        let wanted = parts.iter().filter(splits).count();
        let free = rules
            .pools
            .get(usize::from(pool))
            .map_or(0, |pool| pool.units.iter().filter(|unit| s.unit(**unit).place == Place::Spare).count());
        if wanted > free {
            return rules.no("11.5", "split.no_counter").unit("unit", part.unit).into();
        }
    }
    Ok(())
}

fn check_way(rules: &Wurzburg, s: &State, side: Side, force: UnitSet, path: &Hexes) -> Result<(), Refusal> {
    if force.iter().any(|unit| rules.enters(s, unit)) {
        // A force enters by one hex and goes on from there.
        let [hex] = path[..] else { return rules.no("46.6.3", "enter.one_hex").into() };
        return rules.check_entry(s, side, &force, hex);
    }
    let mut mover = rules.mover(s, side, force);
    let steps: u32 = force
        .iter()
        .filter(|unit| rules.counter(*unit).symbol.maneuver())
        .map(|unit| u32::from(s.unit(unit).steps))
        .sum();
    if steps > u32::from(rules.step_limit(side)) {
        return rules.no("16.6.1", "move.too_many").number("limit", rules.step_limit(side)).into();
    }
    let Some(last) = path.last().copied() else { return Err(rules.not_now()) };
    if last == mover.from && path.len() == 1 || mover.from == HexId::NONE {
        return rules.no("16.0", "move.nowhere").into();
    }
    if let Some(rally) = s.op.rally.some()
        && mover.fresh
        && mover.from != rally
        && last != rally
    {
        return rules.no("16.6.2", "move.rally").hex("hex", rally).into();
    }
    // 42.0, 43.0 step 2: who does not storm keeps away from the enemy.
    let storms = match s.op.variant {
        Variant::Overrun => rules.field.adjacent(last, s.op.objective),
        Variant::Close => false,
        Variant::Plain | Variant::Gegenangriff => true,
    };
    if !storms && mover.near.contains(last) {
        let rule = if s.op.variant == Variant::Overrun { "42.0" } else { "43.0" };
        return rules.no(rule, "move.storm").hex("hex", last).into();
    }
    let Some(way) = resolve(&mover, path) else {
        // Say why, as far as the last hex tells.
        let near = mover.near.contains(last);
        let refusal = if near { mover.refusal_at(last) } else { None };
        return match refusal {
            Some(refusal) => Err(refusal),
            None => rules.no("16.1.2", "move.too_far").hex("hex", last).into(),
        };
    };
    if let Some(refusal) = mover.end_refusal(last) {
        return Err(refusal);
    }
    // 37.4 item 3: one hex out of a minefield is a careful exit.
    mover.careful = way.len() == 1;
    let (mut at, mut spent, mut tactical) = (mover.from, mover.allowance.saturating_sub(mover.mp), false);
    for (n, to) in way.iter().enumerate() {
        if let Some(refusal) = mover.refusal(at, *to) {
            return Err(refusal);
        }
        let Some(direction) = rules.field.toward(at, *to) else {
            return Err(rules.not_now());
        };
        let Some((_, step)) = mover.step(at, direction, spent, tactical) else { return Err(rules.not_now()) };
        if !mover.affords(spent, step.cost, n == 0 && way.len() == 1) {
            if mover.leg {
                return rules.no("16.1.2", "move.leg").into();
            }
            return rules.no("16.1.2", "move.too_dear").hex("hex", *to).into();
        }
        spent = spent.saturating_add(step.cost).min(mover.allowance);
        (at, tactical) = (*to, step.tactical);
    }
    Ok(())
}

impl Mover<'_> {
    /// Why a hex next to the enemy cannot be entered from anywhere.
    fn refusal_at(&self, to: HexId) -> Option<Refusal> {
        let around = Direction::ALL.into_iter().filter_map(|d| self.rules.field.neighbour(to, d));
        around.map(|from| self.refusal(from, to)).find(Option::is_some).flatten()
    }
}

/// 16.6.1: a NATO March picks up unused units that may activate in this cycle, which commits them (GAPS-w1 B21).
fn picks_up(cx: &Cx, unit: UnitId) -> bool {
    let u = cx.s.unit(unit);
    cx.s.op.kind == OpKind::March
        && cx.side == Side::Nato
        && u.on_map()
        && !u.is(Flags::USED)
        && cx.rules.counter(unit).symbol.ground()
        && cx.rules.activates_with(cx.s, unit, cx.s.active)
        && cx.s.op.moved.iter().any(|other| cx.s.unit(other).hex == u.hex)
}

/// Units that are picked up take part from now on, with what the force has left.
fn commit_picked(play: &mut Play, units: impl Iterator<Item = UnitId>) {
    let units: Units = units.collect();
    let Some(hex) = units.first().map(|unit| play.s.unit(*unit).hex) else { return };
    let least = least_mp(play.s, hex);
    let active = play.s.active;
    for unit in units {
        if play.s.op.members.contains(unit) {
            continue;
        }
        play.s.op.members.insert(unit);
        if let Some(group) = play.s.op.groups.first_mut() {
            group.members.insert(unit);
        }
        let base = play.rules.formation(play.rules.counter(unit).formation).base;
        let u = play.s.unit_mut(unit);
        u.mp = least;
        u.clear(Flags::TACTICAL);
        if base {
            u.cycle = active;
        }
    }
}

fn check_combine(cx: &Cx, units: &Units) -> Result<(), Refusal> {
    let rules = cx.rules;
    let Some(first) = units.first().copied() else { return Err(rules.not_now()) };
    if units.len() < 2 {
        return Err(rules.not_now());
    }
    let pool = rules.counter(first).pool;
    let mut steps = 0;
    for (n, unit) in units.iter().enumerate() {
        rules.own(cx.side, *unit)?;
        let u = cx.s.unit(*unit);
        let no = |rule, key| rules.no(rule, key).unit("unit", *unit).into();
        if !u.on_map() || u.hex != cx.s.unit(first).hex || units[..n].contains(unit) {
            return no("11.6", "combine.apart");
        }
        if rules.counter(*unit).pool != pool || rules.counter(*unit).max_steps < 2 {
            return no("11.6", "combine.other_kind");
        }
        if u.is(Flags::DISRUPTED) {
            // 11.6.3
            return no("11.6.3", "combine.disrupted");
        }
        if !cx.s.op.members.contains(*unit) && !picks_up(cx, *unit) {
            return no("11.6.5", "combine.not_in_operation"); // 11.6.5
        }
        if u.is(Flags::CONTAMINATED) != cx.s.unit(first).is(Flags::CONTAMINATED) {
            return no("44.4.3", "combine.contaminated"); // 44.4.3
        }
        if u.is(Flags::MASKED) != cx.s.unit(first).is(Flags::MASKED) {
            return no("14.4.1", "combine.masked");
        }
        steps += u.steps;
    }
    if steps > rules.counter(first).max_steps {
        return rules.no("11.6", "combine.too_many").number("limit", rules.counter(first).max_steps).into();
    }
    Ok(())
}

fn check_remove(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    cx.rules.own(cx.side, unit)?;
    if cx.s.unit(unit).dummy() {
        Ok(())
    } else {
        cx.rules.no("11.3.1", "remove.real").unit("unit", unit).into()
    }
}

/// Splits off what is to part, without telling; the force that moves.
pub fn divide(rules: &Wurzburg, s: &mut State, parts: &Parts) -> UnitSet {
    let mut force = UnitSet::EMPTY;
    for part in parts {
        force.insert(split(rules, s, *part).unwrap_or(part.unit));
    }
    force
}

/// 11.5.2, 11.5.3: the steps named part from the unit on a free counter, which carries all its markers; none if all go.
pub fn split(rules: &Wurzburg, s: &mut State, part: Part) -> Option<UnitId> {
    let steps = part.steps.filter(|steps| *steps < s.unit(part.unit).steps)?;
    let new = rules.spare_for(s, part.unit)?;
    let old = *s.unit(part.unit);
    *s.unit_mut(new) = crate::state::Unit { steps, ..old };
    s.unit_mut(part.unit).steps -= steps;
    let op = &mut s.op;
    for set in [
        &mut op.members,
        &mut op.near_lead,
        &mut op.began_adjacent,
        &mut op.moved,
        &mut op.done,
        &mut op.sheltered,
        &mut op.retreated,
        &mut op.fired,
        &mut s.sky.flown,
    ] {
        if set.contains(part.unit) {
            set.insert(new);
        }
    }
    for group in &mut op.groups {
        if group.members.contains(part.unit) {
            group.members.insert(new);
        }
    }
    Some(new)
}

/// Splits off what is to part, and tells.
pub fn part_off(play: &mut Play, parts: &Parts) -> UnitSet {
    let mut force = UnitSet::EMPTY;
    for part in parts {
        let new = split(play.rules, play.s, *part);
        if let Some(new) = new {
            play.tell(Event::Detached { from: part.unit, new });
            let steps = play.s.unit(new).steps;
            play.tell(Event::Split { from: part.unit, new, steps });
        }
        force.insert(new.unwrap_or(part.unit));
    }
    force
}

/// 11.6, 11.6.2, 11.6.4: the first counter takes the steps and markers of the others.
pub fn combine(play: &mut Play, units: &Units) {
    let Some((into, rest)) = units.split_first() else { return };
    for gone in rest {
        let old = *play.s.unit(*gone);
        let moved = play.s.op.moved.contains(*gone);
        let done = play.s.op.done.contains(*gone);
        let far = !play.s.op.near_lead.contains(*gone);
        if play.s.sky.flown.contains(*gone) {
            play.s.sky.flown.insert(*into);
        }
        let u = play.s.unit_mut(*into);
        u.steps += old.steps;
        u.flags.0 |= old.flags.0;
        u.mp = u.mp.min(old.mp); // 11.6.1
        let used = u.is(Flags::USED);
        let op = &mut play.s.op;
        if moved {
            op.moved.insert(*into);
        }
        if done || used {
            op.done.insert(*into);
        }
        if far {
            op.near_lead.remove(*into);
        }
        play.take_off(*gone, Place::Spare);
        play.tell(Event::Combined { into: *into, gone: *gone });
    }
}

/// 16.8.1 step 6: the force stops or goes on.
#[derive(Debug)]
pub struct Decide;

impl Question for Decide {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Side {
        s.op.side
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.push(Action::GoOn);
            if self.check(cx, &Action::Stop).is_ok() {
                out.push(Action::Stop);
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::GoOn => Ok(()),
            // 29.3.4: an airmobile unit may pass here, not stay.
            Action::Stop if cx.s.op.airmobile => {
                let mover = cx.rules.mover(cx.s, cx.side, cx.s.walk.force);
                mover.end_refusal(mover.from).map_or(Ok(()), Err)
            }
            Action::Stop => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: Side, action: &Action) -> Result<(), Stop> {
        play.pop();
        if *action == Action::Stop {
            // The stage that would go on lies below.
            play.pop();
            walk::finish(play);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.go_on", "16.8.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::GoOn)
    }
}

/// 13.5.3, 41.2.5: keep the empty Objective Hex or name another.
#[derive(Debug)]
pub struct NewObjective;

impl NewObjective {
    fn choices<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = HexId> + 'a {
        let near = move |hex: &HexId| cx.rules.field.distance(*hex, cx.s.op.objective) <= 8;
        let mut seen = hexgrid::HexSet::EMPTY;
        let enemies = cx.rules.units_of(cx.side.enemy()).iter().map(|unit| cx.s.unit(*unit));
        let hexes = enemies.filter(|u| u.on_map()).map(|u| u.hex);
        let legal = |hex: &HexId| NewObjective.check(cx, &Action::Objective(*hex)).is_ok();
        hexes.filter(near).filter(move |hex| seen.insert(*hex)).filter(legal)
    }
}

impl Question for NewObjective {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Side {
        s.op.side
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        NewObjective::choices(cx).next().is_none().then_some(Action::Keep)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(NewObjective::choices(cx).map(Subject::Hex));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Keep),
            Subject::Hex(hex) if self.check(cx, &Action::Objective(hex)).is_ok() => {
                out.push(Action::Objective(hex));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Keep => Ok(()),
            Action::Objective(hex) => {
                crate::air::check_objective(cx, &cx.s.op.members, *hex)?;
                let op = &cx.s.op;
                crate::air::check_airmobile(cx, op.kind, &op.members, *hex, op.airmobile)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: Side, action: &Action) -> Result<(), Stop> {
        play.pop();
        match action {
            Action::Objective(hex) => {
                play.s.op.objective = *hex;
                play.tell(Event::Objective { hex: *hex });
            }
            _ => play.s.op.kept = true,
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.new_objective", "13.5.3")
    }
}
