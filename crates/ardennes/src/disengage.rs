//! Disengagement (20).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Path, Units},
    breakdown,
    combat::{
        resolve,
        retreat::{self, Ezoc, Route, Want},
        vacate,
    },
    event::{Elimination, Event},
    flags::Flags,
    frame::Frame,
    list::List,
    pack::{DisengagementRow, Morale, Side, StateAfter, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// A success moves the unit back one hex or two, as its owner chooses (20.1).
const HEXES: [u8; 2] = [1, 2];

/// Why a unit may not try to disengage.
enum Bar {
    NotYours,
    NotOnMap,
    /// 20.1: neither Engaged nor next to an enemy.
    NoEnemy,
    /// 20.1
    Disrupted,
    /// 29.1
    RedCode,
    /// 20.2: its stack has already declared.
    Declared(HexId),
}

fn bar(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> Option<Bar> {
    let counter = rules.counter(unit);
    let flags = s.unit(unit).flags;
    if counter.side != side {
        return Some(Bar::NotYours);
    }
    let Some(hex) = s.unit(unit).hex() else { return Some(Bar::NotOnMap) };
    if flags.any(Flags::DISRUPTED) && !flags.any(Flags::ENGAGED) {
        return Some(Bar::Disrupted);
    }
    if !flags.any(Flags::ENGAGED) && !s.near_enemy(side, hex) {
        return Some(Bar::NoEnemy);
    }
    // 29.1: except units that a German advance has released.
    let bound = rules.turn_one(s) && rules.counter(rules.origin(s, unit)).red_code;
    if bound && !flags.any(Flags::RELEASED) {
        return Some(Bar::RedCode);
    }
    let declared = flags.any(Flags::DISENGAGED) || s.combat.declared.contains(hex);
    declared.then_some(Bar::Declared(hex))
}

/// May the unit try to disengage (20.1, 20.2)?
#[inline]
fn may_try(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> bool {
    let u = s.unit(unit);
    // 20.1: most units are not at the front.
    let at_front = |hex| u.is(Flags::ENGAGED) || s.near_enemy(side, hex);
    u.hex().is_some_and(at_front) && bar(rules, s, side, unit).is_none()
}

/// The unit that has rolled Yes and must go.
fn leaving(s: &State) -> Option<UnitId> {
    s.disengage.first().copied()
}

/// The retreats open to it: one hex and two hexes (20.3, 20.4).
fn wants(s: &State, unit: UnitId) -> [Want<'static>; 2] {
    let ezoc = if !s.unit(unit).is(Flags::ENGAGED) {
        Ezoc::Never // 20.4
    } else if s.combat.disengage_disrupts || s.unit(unit).is(Flags::DISRUPTED) {
        Ezoc::FirstNotLast
    } else {
        Ezoc::First
    };
    HEXES.map(|hexes| Want { hexes, ezoc, party: &[] })
}

fn routes(rules: &Ardennes, s: &State, unit: UnitId, each: &mut dyn FnMut(&Route)) {
    let wants = wants(s, unit);
    let ranks = wants.map(|want| retreat::best_rank(rules, s, unit, want));
    // 17.1 B: if one of the two lengths avoids EZOC, the other must not go through it.
    let clear = ranks.iter().flatten().any(|rank| !rank.ezoc);
    for (want, rank) in wants.into_iter().zip(ranks) {
        if rank.is_some_and(|rank| !(clear && rank.ezoc)) {
            retreat::wanted_routes(rules, s, unit, want, each);
        }
    }
}

/// 20.1: Engaged units try to disengage, stack by stack.
#[derive(Debug)]
pub struct Disengage;

impl Question<Ardennes> for Disengage {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let any = cx.s.in_game(cx.side).iter().any(|unit| may_try(cx.rules, cx.s, cx.side, unit));
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        cx.s.in_game(cx.side).each(|unit| {
            if may_try(cx.rules, cx.s, cx.side, unit) {
                out.push(Subject::Unit(unit));
            }
        });
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => {
                let may = |unit: &UnitId| may_try(cx.rules, cx.s, cx.side, *unit);
                if !may(&unit) {
                    return;
                }
                out.push(Action::Disengage { units: Units::one(unit) });
                // The whole stack: each unit rolls separately (20.2).
                let Some(hex) = cx.s.unit(unit).hex() else { return };
                let all: Units = cx.s.stack(hex).filter(may).collect();
                if all.len() > 1 {
                    out.push(Action::Disengage { units: all });
                }
                breakdown::options(cx, unit, out); // 26.2: before it disengages
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Done => Ok(()),
            Action::Disengage { units } => check_declaration(cx, &units),
            Action::Breakdown { unit, .. } => {
                check_declaration(cx, &Units::one(unit))?;
                breakdown::check(cx, action)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match *action {
            Action::Disengage { units } => {
                for unit in &units {
                    play.s.unit_mut(*unit).flags.set(Flags::DISENGAGED);
                }
                if let Some(hex) = units.first().and_then(|u| play.s.unit(*u).hex()) {
                    play.s.combat.declared.insert(hex);
                }
                play.s.disengage = units.iter().copied().collect();
                play.then(&[Frame::DisengageRoll]);
            }
            Action::Breakdown { .. } => breakdown::apply(play, action)?,
            _ => {
                play.s.disengage.clear();
                play.pop();
            }
        }
        Ok(())
    }
}

/// 20.3: where a unit that has disengaged goes.
#[derive(Debug)]
pub struct DisengageRetreat;

impl Question<Ardennes> for DisengageRetreat {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let unit = leaving(cx.s)?;
        let (mut count, mut one) = (0, None);
        routes(cx.rules, cx.s, unit, &mut |route| {
            count += 1;
            one = Some(Action::Retreat { unit, path: route.path, out: route.out.is_some() });
        });
        match count {
            0 => Some(Action::Retreat { unit, path: Path::default(), out: false }), // 17.2, 20.4
            1 => one,
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(leaving(cx.s).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Some(unit) = leaving(cx.s).filter(|unit| subject == Subject::Unit(*unit)) {
            routes(cx.rules, cx.s, unit, &mut |route| {
                out.push(Action::Retreat { unit, path: route.path, out: route.out.is_some() });
            });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Retreat { unit, path, out } = *action else { return Err(cx.rules.not_now()) };
        if leaving(cx.s) != Some(unit) {
            return cx.rules.no("20.3", "disengage.not_asked").unit("unit", unit).into();
        }
        check_retreat(cx, unit, path, out)
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Retreat { unit, path, out } = *action {
            leave(play, unit, path, out);
        }
        Ok(())
    }
}

fn check_declaration(cx: &Cx, units: &Units) -> Result<(), Refusal> {
    let Some(first) = units.first() else { return Err(cx.rules.not_now()) };
    let hex = cx.s.unit(*first).hex();
    for (at, unit) in units.iter().enumerate() {
        let no = |rule, key| cx.rules.no(rule, key).unit("unit", *unit);
        if cx.s.unit(*unit).hex() != hex || units[..at].contains(unit) {
            return no("20.2", "disengage.one_stack").into();
        }
        match bar(cx.rules, cx.s, cx.side, *unit) {
            None => {}
            Some(Bar::NotYours) => return Err(cx.rules.refuse_owner(*unit, cx.side)),
            Some(Bar::NotOnMap) => return no("20.1", "disengage.not_on_map").into(),
            Some(Bar::NoEnemy) => return no("20.1", "disengage.no_enemy").into(),
            Some(Bar::Disrupted) => return no("20.1", "disengage.disrupted").into(),
            Some(Bar::RedCode) => return no("29.1", "disengage.red_code").into(),
            Some(Bar::Declared(hex)) => return no("20.2", "disengage.declared").hex("hex", hex).into(),
        }
    }
    Ok(())
}

fn check_retreat(cx: &Cx, unit: UnitId, path: Path, out: bool) -> Result<(), Refusal> {
    let mut legal = false;
    let mut none = true;
    routes(cx.rules, cx.s, unit, &mut |route| {
        none = false;
        legal |= route.path == path && route.out.is_some() == out;
    });
    if legal || none && path.is_empty() && !out {
        return Ok(());
    }
    let [one, two] = wants(cx.s, unit);
    let want = if path.len() >= 2 { two } else { one };
    retreat::check_route(cx.rules, cx.s, unit, want, path, out)?;
    // The route itself would be legal, but the other length avoids enemy ZOC.
    cx.rules.no("17.1", "retreat.avoid_ezoc").unit("unit", unit).number("hexes", want.hexes).into()
}

/// 20.2: the modifiers, cumulative.
fn drm(rules: &Ardennes, unit: UnitId) -> i8 {
    let table = &rules.tables().disengagement;
    let counter = rules.counter(unit);
    let morale = match counter.morale {
        Morale::Green => table.drm.green,
        Morale::Veteran => 0,
        Morale::Elite => table.drm.elite,
    };
    morale + if counter.tank || counter.recon { table.tank_or_recon_drm } else { 0 }
}

/// 20.3: the result of a die for the unit.
pub fn row(rules: &Ardennes, unit: UnitId, die: i8) -> DisengagementRow {
    rules.tables().disengagement.table.get(die + drm(rules, unit))
}

/// 20.3: the roll of the next unit that tries.
pub fn roll(play: &mut Play) -> Result<(), Stop> {
    let Some(unit) = leaving(play.s) else { return Ok(()) };
    let table = &play.rules.tables().disengagement;
    let counter = play.rules.counter(unit);
    let drm = drm(play.rules, unit);
    let die = play.roll(counter.side, drm, "roll.disengagement", "20.3")?;
    let row = table.table.get(die + drm);
    play.tell(Event::Disengagement { unit, retreat: row.retreat, disrupted: row.disrupted });
    if row.retreat
        && let Some(why) = retreat::doomed(play.rules, play.s, unit, HEXES[0])
    {
        done_with(play, unit);
        resolve::kill(play, unit, why); // 17.7, 18.4
        return Ok(());
    }
    if row.retreat {
        play.s.combat.disengage_disrupts = row.disrupted;
        play.then(&[Frame::DisengageRetreat]);
        return Ok(());
    }
    if row.disrupted {
        retreat::disorder(play, unit, StateAfter::Disrupted);
    }
    done_with(play, unit);
    Ok(())
}

/// On to the next unit of the declaration.
fn done_with(play: &mut Play, unit: UnitId) {
    play.s.disengage = play.s.disengage.iter().copied().filter(|u| *u != unit).collect::<List<UnitId, 12>>();
    if !play.s.disengage.is_empty() {
        play.then(&[Frame::DisengageRoll]);
    }
}

fn leave(play: &mut Play, unit: UnitId, path: Path, out: bool) {
    done_with(play, unit);
    let from = play.s.unit(unit).hex();
    if path.is_empty() && !out {
        resolve::kill(play, unit, Elimination::NoRetreat);
        return;
    }
    let disrupts = play.s.combat.disengage_disrupts;
    let crossed = retreat::go_back(play, unit, path, out);
    // 20.3: the marker after the retreat; 1E 11.10
    if disrupts || crossed && play.rules.boundary_disrupts() {
        retreat::disorder(play, unit, StateAfter::Disrupted);
    }
    if let Some(hex) = from {
        vacate(play, hex);
    }
}

/// 20.5: all of the side's own Engaged markers are removed (1E 20.3: not from units that failed to disengage).
pub fn remove_engaged(play: &mut Play) -> Result<(), Stop> {
    let rules = play.rules;
    let keeps = rules.tables().disengagement.failure_keeps_engaged;
    for unit in rules.units_of(play.s.side) {
        let failed = play.s.unit(unit).is(Flags::DISENGAGED);
        if !(keeps && failed) {
            play.unmark(unit, Flags::ENGAGED);
        }
    }
    Ok(())
}
