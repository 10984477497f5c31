//! Breakdown units (26); called by the questions of the Movement and Combat Phases.
//!
//! A Breakdown unit remembers its parent. A parent that broke down as a whole is in the pool while a Remnant stands in
//! for it; a unit that rejoins the Remnant rejoins the parent.

use hexgrid::HexId;
use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    pack::{Colour, FormationId, PoolId, Tag, UnitId},
    place::Place,
    play::{Cx, Play},
    rules::Ardennes,
    stacking::Load,
    state::State,
};

/// 1E 26.4: recombinations in one turn.
const RECOMBINATIONS_1E: u8 = 2;
/// Markers that stay with the counter that carries them when a unit breaks down.
const NOT_SHARED: Flags = Flags(
    Flags::REDUCED.0
        | Flags::STRATEGIC.0
        | Flags::TRUCK.0
        | Flags::PRIME_MOVER.0
        | Flags::MARKER_USED.0
        | Flags::DUG.0,
);

/// Why it is not allowed: the rule and the message key.
type No = (&'static str, &'static str);

/// What the unit may do: break down (26.2) or recombine (26.4).
pub fn options(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    if cx.rules.counter(unit).side != cx.side {
        return;
    }
    if let Ok((hex, pool)) = is_whole(cx.rules, cx.s, unit) {
        // 26.1: as a whole only if a Remnant can stand in for it.
        let ways: &[bool] = if cx.rules.counter(unit).remnant.is_some() { &[false, true] } else { &[false] };
        for &whole in ways {
            if pieces(cx.rules, cx.s, unit, hex, pool, whole).is_ok() {
                out.push(Action::Breakdown { unit, whole });
            }
        }
    }
    if may_recombine(cx.rules, cx.s, unit) {
        out.push(Action::Recombine { unit });
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    let (unit, may) = match *action {
        Action::Breakdown { unit, whole } => (unit, may_break_down(cx.rules, cx.s, unit, whole).map(|_| ())),
        Action::Recombine { unit } => (unit, recombination(cx.rules, cx.s, unit).map(|_| ())),
        _ => return Err(cx.rules.not_now()),
    };
    if cx.rules.counter(unit).side != cx.side {
        return Err(cx.rules.refuse_owner(unit, cx.side));
    }
    may.or_else(|(rule, key)| cx.rules.no(rule, key).unit("unit", unit).into())
}

pub fn apply(play: &mut Play, action: &Action) -> Result<(), Stop> {
    match *action {
        Action::Breakdown { unit, whole } => {
            if let Ok(pieces) = may_break_down(play.rules, play.s, unit, whole) {
                break_down(play, unit, pieces);
            }
        }
        Action::Recombine { unit } => {
            if let Ok(parent) = recombination(play.rules, play.s, unit) {
                recombine(play, unit, parent);
            }
        }
        _ => {}
    }
    Ok(())
}

/// 26.4: may this Breakdown unit rejoin its parent now?
pub fn may_recombine(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    rules.counter(unit).breakdown_counter && recombination(rules, s, unit).is_ok()
}

/// May the unit break down in either of the two ways?
pub fn may(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    [false, true].into_iter().any(|whole| may_break_down(rules, s, unit, whole).is_ok())
}

/// The counters a unit turns into (26.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    pub first: UnitId,
    /// For a whole breakdown: the second Breakdown unit and the Remnant.
    pub whole: Option<(UnitId, UnitId)>,
}

/// 26.1, 26.2: the counters that the unit would turn into.
pub fn may_break_down(rules: &Ardennes, s: &State, unit: UnitId, whole: bool) -> Result<Pieces, No> {
    let (hex, pool) = is_whole(rules, s, unit)?;
    pieces(rules, s, unit, hex, pool, whole)
}

/// Is it a unit that breaks down, and does its own state allow it? Returns its hex and the pool of its Breakdown units.
fn is_whole(rules: &Ardennes, s: &State, unit: UnitId) -> Result<(HexId, PoolId), No> {
    let u = s.unit(unit);
    let pool = pool_of(rules, unit).ok_or(("26.1", "breakdown.who"))?;
    let hex = u.hex().ok_or(("26.1", "breakdown.off_map"))?;
    if u.is(Flags::DISRUPTED) {
        return Err(("26.2", "breakdown.disrupted"));
    }
    in_time(rules, s, unit)?;
    // It needs a step to detach: the counter must still show its front.
    if u.is(Flags::REDUCED) || rules.counter(unit).sides < 2 {
        return Err(("26.1", "breakdown.reduced"));
    }
    Ok((hex, pool))
}

/// The counters that it turns into, if enough are available and they fit.
fn pieces(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    hex: HexId,
    pool: PoolId,
    whole: bool,
) -> Result<Pieces, No> {
    let counter = rules.counter(unit);
    // 1E 26.1: a Combat Command breaks down as a whole or not at all.
    let all_or_nothing = rules.breaks_down_by_type() && counter.has(Tag::CombatCommand);
    if all_or_nothing && !whole {
        return Err(("26.1", "breakdown.whole_only"));
    }
    let mut free = rules.pack.pools[pool.index()].counters().filter(|piece| in_pool(s, *piece));
    let first = free.next().ok_or(("26.2", "breakdown.no_counter"))?; // 1.2: the counter mix is a limit
    let whole = if whole {
        let remnant = counter.remnant.ok_or(("26.1", "breakdown.not_three"))?;
        // 1E 26.1 has the whole breakdown for Combat Commands only.
        if rules.breaks_down_by_type() && !all_or_nothing {
            return Err(("26.1", "breakdown.part_only"));
        }
        let second = free.next().ok_or(("26.2", "breakdown.no_counter"))?;
        let mut remnants = rules.pack.pools[remnant.index()].counters().filter(|r| in_pool(s, *r));
        Some((second, remnants.next().ok_or(("16.4", "breakdown.no_remnant"))?))
    } else {
        None
    };
    let pieces = Pieces { first, whole };
    if !fits(rules, s, unit, hex, pieces) {
        return Err(("8.1", "breakdown.stacking"));
    }
    Ok(pieces)
}

/// 26.2: before the unit moves, disengages or advances, in its owner's Movement or Combat Phase.
fn in_time(rules: &Ardennes, s: &State, unit: UnitId) -> Result<(), No> {
    let u = s.unit(unit);
    if rules.counter(unit).side != s.side {
        return Err(("26.2", "breakdown.phase"));
    }
    if s.phase.is_movement() {
        if u.is(Flags::MOVED) || u.spent > 0 || s.walk.units.contains(unit) {
            return Err(("26.2", "breakdown.moved"));
        }
        Ok(())
    } else if s.phase.is_combat() {
        if u.is(Flags::DISENGAGED | Flags::ADVANCED) {
            return Err(("26.2", "breakdown.moved"));
        }
        Ok(())
    } else {
        Err(("26.2", "breakdown.phase"))
    }
}

/// The pool of the unit's Breakdown units (26.1). 1E 26.1: airborne and glider regiments make infantry battalions, and only
/// units with two stacking points or more break down.
fn pool_of(rules: &Ardennes, unit: UnitId) -> Option<PoolId> {
    let own = rules.counter(unit).breakdown?;
    if !rules.breaks_down_by_type() {
        return Some(own);
    }
    if rules.counter(unit).front.stacking < 2 {
        return None;
    }
    let pools = &rules.pack.pools;
    let Some(nation) = pools[own.index()].id.strip_suffix("_parachute_battalion") else { return Some(own) };
    let infantry = pools.iter().position(|pool| pool.id.strip_suffix("_infantry_battalion") == Some(nation));
    infantry.map(|index| PoolId(index as u8))
}

fn in_pool(s: &State, unit: UnitId) -> bool {
    s.unit(unit).place() == Place::Pool
}

/// 8.1: do the pieces fit in the hex? 1E 8.3: overstacking is resolved at the end of the Movement Phase.
fn fits(rules: &Ardennes, s: &State, unit: UnitId, hex: HexId, pieces: Pieces) -> bool {
    if rules.overstacks_for_a_while() {
        return true;
    }
    let limits = &rules.tables().stacking;
    let counter = rules.counter(unit);
    let mut load: Load = rules.load_without(s, hex, unit);
    match pieces.whole {
        Some((second, remnant)) => {
            rules.add_to_load(s, &mut load, second);
            rules.add_to_load(s, &mut load, remnant);
        }
        None if counter.silhouette => load.silhouette_steps += 1,
        None => load.points += counter.back.stacking,
    }
    rules.add_to_load(s, &mut load, pieces.first);
    if load.points <= limits.points && load.silhouette_steps <= limits.silhouette_steps {
        return true;
    }
    // A stack that was already too large (13.2) does not prevent a breakdown.
    let before = rules.load(s, hex, &[]);
    load.points <= limits.points.max(before.points)
        && load.silhouette_steps <= limits.silhouette_steps.max(before.silhouette_steps)
}

fn break_down(play: &mut Play, unit: UnitId, pieces: Pieces) {
    let Some(hex) = play.s.unit(unit).hex() else { return };
    piece(play, unit, pieces.first, hex);
    match pieces.whole {
        None => play.s.unit_mut(unit).flags.set(Flags::REDUCED),
        Some((second, remnant)) => {
            piece(play, unit, second, hex);
            piece(play, unit, remnant, hex);
            play.s.combat.forget(unit);
            play.rules.take_off(play.s, unit, Place::Pool);
        }
    }
}

/// 26.2: a piece keeps the markers of the whole unit, and its part in the current combat.
fn piece(play: &mut Play, parent: UnitId, piece: UnitId, hex: HexId) {
    let whole = *play.s.unit(parent);
    play.rules.put(play.s, piece, Place::Hex(hex));
    let u = play.s.unit_mut(piece);
    u.flags = whole.flags.without(NOT_SHARED);
    (u.spent, u.group, u.points) = (whole.spent, whole.group, whole.points);
    u.set_parent(Some(parent));
    if play.s.combat.attackers.contains(parent) {
        play.s.combat.attackers.add(piece);
    }
    play.tell(Event::BrokenDown { unit: parent, into: piece });
}

/// Which unit a Breakdown unit rejoins (26.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parent {
    /// The parent itself, on its reduced side.
    Reduced(UnitId),
    /// The Remnant that stands in for it.
    Remnant { remnant: UnitId, of: UnitId },
}

fn recombination(rules: &Ardennes, s: &State, unit: UnitId) -> Result<Parent, No> {
    let u = s.unit(unit);
    let parent = u.parent().filter(|_| rules.counter(unit).breakdown_counter);
    let (Some(parent), Some(hex)) = (parent, u.hex()) else { return Err(("26.4", "recombine.who")) };
    if rules.counter(unit).side != s.side || !s.phase.is_movement() {
        return Err(("26.4", "recombine.phase"));
    }
    if rules.breaks_down_by_type() && s.recombined >= RECOMBINATIONS_1E {
        return Err(("26.4", "recombine.two"));
    }
    if s.unit(parent).hex() == Some(hex) {
        return if s.unit(parent).is(Flags::REDUCED) {
            Ok(Parent::Reduced(parent))
        } else {
            Err(("26.4", "recombine.full"))
        };
    }
    let away = matches!(s.unit(parent).place(), Place::Pool | Place::Dead);
    let stand_in = |r: &UnitId| rules.counter(*r).remnant_counter && s.unit(*r).parent() == Some(parent);
    match s.stack(hex).find(stand_in).filter(|_| away) {
        Some(remnant) => Ok(Parent::Remnant { remnant, of: parent }),
        None => Err(("26.4", "recombine.apart")),
    }
}

fn recombine(play: &mut Play, unit: UnitId, with: Parent) {
    let rules = play.rules;
    let joining = *play.s.unit(unit);
    rules.take_off(play.s, unit, Place::Pool);
    play.s.unit_mut(unit).set_parent(None);
    let (parent, mut host) = match with {
        Parent::Reduced(parent) => (parent, *play.s.unit(parent)),
        Parent::Remnant { remnant, of } => {
            let host = *play.s.unit(remnant);
            rules.take_off(play.s, remnant, Place::Pool);
            play.s.unit_mut(remnant).set_parent(None);
            rules.put(play.s, of, host.place());
            (of, host)
        }
    };
    // One hex, one state: a marker of either marks both. A Night marker stays only if both had it.
    let night = host.is(Flags::NIGHT) && joining.is(Flags::NIGHT);
    host.flags.set(joining.flags.without(Flags::REDUCED));
    host.flags.set(Flags::MOVED); // 26.4: both have finished moving
    if !night {
        host.flags.clear(Flags::NIGHT);
    }
    match with {
        Parent::Reduced(_) => host.flags.clear(Flags::REDUCED),
        Parent::Remnant { .. } => host.flags.set(Flags::REDUCED),
    }
    let u = play.s.unit_mut(parent);
    u.flags = host.flags;
    u.spent = host.spent.max(joining.spent);
    (u.group, u.points) = (host.group, host.points);
    play.s.recombined = play.s.recombined.saturating_add(1);
    play.tell(Event::Recombined { unit, parent });
}

impl Ardennes {
    /// The unit from which a Breakdown unit or Remnant came, or the unit itself.
    pub fn origin(&self, s: &State, unit: UnitId) -> UnitId {
        s.unit(unit).parent().unwrap_or(unit)
    }

    /// The formation of a unit; a Breakdown unit keeps its parent's (2.11, G-22).
    pub fn formation_of(&self, s: &State, unit: UnitId) -> Option<FormationId> {
        self.counter(unit).formation.or_else(|| self.counter(self.origin(s, unit)).formation)
    }

    /// The army or corps colour of a unit; a Breakdown unit keeps its parent's (22.6, G-22).
    pub fn colour_of(&self, s: &State, unit: UnitId) -> Colour {
        self.counter(self.origin(s, unit)).colour
    }
}
