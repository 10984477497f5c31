//! Replacements (25.2).

use std::cell::{OnceCell, RefCell};

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::{Event, Why},
    flags::Flags,
    frame::Frame,
    pack::{Side, Tag, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    stamp::Stamp,
    state::State,
    subject::Subject,
    supply::{self, Roads},
};

/// 25.23: stacking points of a reduced side from which a unit needs a Remnant.
const LARGE: u8 = 2;
/// 25.25: German tanks of this quality or better are never replaced.
const TOP_QUALITY: u8 = 5;
/// 1E 25.21: replacements at the front in one night.
const AT_THE_FRONT_1E: usize = 2;

/// Why it is not allowed: the rule and the message key.
type No = (&'static str, &'static str);

/// 25.21: determines the number of replacement steps of this night.
pub fn open(play: &mut Play) -> Result<(), Stop> {
    let side = play.s.side;
    let left = play.rules.pack.turn(play.s.turn).map_or(0, |turn| turn.replacements[side.index()]);
    if left > 0 {
        play.then(&[Frame::Replacements { side, left, infantry_done: false }]);
    }
    Ok(())
}

/// 25.2: a side uses its replacement steps.
#[derive(Debug)]
pub struct Replacements;

impl Question<Ardennes> for Replacements {
    fn asks(&self, _: &Ardennes, _: &State, frame: Frame) -> Option<Side> {
        let Frame::Replacements { side, .. } = frame else { return None };
        Some(side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        able(cx).next().is_none().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(able(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if cx.rules.counter(unit).side == cx.side => {
                each_option(cx, unit, |hex| {
                    out.push(Action::Replace { unit, hex });
                    true
                });
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Done => Ok(()),
            Action::Replace { unit, .. } if cx.rules.counter(unit).side != cx.side => {
                Err(cx.rules.refuse_owner(unit, cx.side))
            }
            Action::Replace { unit, hex } => match may_replace(cx, unit, hex) {
                Ok(_) => Ok(()),
                Err((rule, key)) if hex == HexId::NONE => cx.rules.no(rule, key).unit("unit", unit).into(),
                Err((rule, key)) => cx.rules.no(rule, key).unit("unit", unit).hex("hex", hex).into(),
            },
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let frame = at.frame;
        let Frame::Replacements { side, left, infantry_done } = frame else { return Ok(()) };
        let how = match *action {
            Action::Replace { unit, hex } => {
                let cx = Cx { rules: play.rules, s: play.s, side, frame };
                may_replace(&cx, unit, hex).ok().map(|how| (unit, how))
            }
            _ => None,
        };
        play.pop();
        if let Some((unit, how)) = how {
            replace(play, unit, how);
            let infantry_done = infantry_done || play.rules.counter(unit).infantry;
            if left > 1 {
                play.then(&[Frame::Replacements { side, left: left - 1, infantry_done }]);
            }
        }
        Ok(())
    }
}

/// How a replacement step is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// A reduced unit on the map returns to full strength.
    Restore,
    /// 1E 25.22: it retreats to this hex first.
    StepBack(HexId),
    /// From the Dead Pile to this hex.
    Rebuild(HexId),
    /// From the Dead Pile, replacing a Remnant (25.23).
    Relieve(UnitId),
}

fn replace(play: &mut Play, unit: UnitId, how: How) {
    let rules = play.rules;
    match how {
        How::Restore => play.s.unit_mut(unit).flags.clear(Flags::REDUCED),
        How::StepBack(to) => {
            let from = play.s.unit(unit).hex();
            rules.put(play.s, unit, Place::Hex(to));
            play.tell(Event::Step { unit, from, to, why: Why::Retreat });
            play.s.unit_mut(unit).flags.clear(Flags::REDUCED);
            play.s.unit_mut(unit).flags.set(Flags::RETREATED);
            if let Some(hex) = from {
                crate::combat::vacate(play, hex); // 15.8
            }
        }
        How::Rebuild(hex) => raise(play, unit, hex),
        How::Relieve(remnant) => {
            let Some(hex) = play.s.unit(remnant).hex() else { return };
            let stood_for = play.s.unit(remnant).parent();
            rules.take_off(play.s, remnant, Place::Pool);
            play.s.unit_mut(remnant).set_parent(None);
            // A unit that broke down as a whole (26.1) no longer has a Remnant to stand in for it.
            if let Some(other) = stood_for.filter(|u| *u != unit && play.s.unit(*u).place() == Place::Pool) {
                rules.take_off(play.s, other, Place::Dead);
            }
            raise(play, unit, hex);
        }
    }
    play.tell(Event::Replaced { unit });
    play.mark(unit, Flags::REPLACED); // 25.24
}

/// 25.21: returns a unit from the Dead Pile, at reduced strength if the counter has such a side.
fn raise(play: &mut Play, unit: UnitId, hex: HexId) {
    play.rules.put(play.s, unit, Place::Hex(hex));
    if play.rules.counter(unit).sides > 1 {
        play.s.unit_mut(unit).flags.set(Flags::REDUCED);
    }
    play.tell(Event::Placed { unit, hex });
}

/// A hex where units may be rebuilt.
#[derive(Clone, Debug)]
struct Site {
    hex: HexId,
    /// Its index among the sites of the map.
    number: usize,
    /// The colours of the units near it, as bits: computed only if they matter.
    colours: OnceCell<u16>,
}

impl Site {
    /// 25.22: is it near another unit of the same colour? 1E: no such limit.
    fn suits(&self, rules: &Ardennes, s: &State, unit: UnitId) -> bool {
        if rules.rebuilds_anywhere() {
            return true;
        }
        let counter = rules.counter(unit);
        let colours = *self.colours.get_or_init(|| colours_near(rules, s, counter.side, self.number));
        let any = counter.has(Tag::AnyColour) && colours != 0;
        any || colours >> counter.colour as u16 & 1 == 1
    }
}

/// The colours of the units of a side near one of the map's sites, as bits.
fn colours_near(rules: &Ardennes, s: &State, side: Side, site: usize) -> u16 {
    let mut colours = 0;
    rules.land.rebuild_sites[site].1.each_in(s.held(side), |at| {
        for unit in s.stack(at) {
            let any = rules.counter(unit).has(Tag::AnyColour);
            colours |= if any { u16::MAX } else { 1 << rules.colour_of(s, unit) as u16 };
        }
    });
    colours
}

/// Calls a function with the hexes where units of a side may be rebuilt (25.22), lowest first: computed once per
/// position.
fn with_sites<T>(rules: &Ardennes, s: &State, side: Side, look: impl FnOnce(&[Site]) -> T) -> T {
    type Known = (Option<(Stamp, Side)>, Vec<Site>);
    thread_local! {
        static KNOWN: RefCell<Known> = const { RefCell::new((None, Vec::new())) };
    }
    KNOWN.with_borrow_mut(|(of, sites)| {
        if !of.is_some_and(|(stamp, whose)| stamp.same(s.stamp()) && whose == side) {
            *of = Some((s.stamp(), side));
            sites.clear();
            supply::with_roads(rules, s, side, |roads| {
                for (number, (hex, _)) in rules.land.rebuild_sites.iter().enumerate() {
                    // Tracing roads is expensive and comes last.
                    if !s.near_enemy(side, *hex) && site_bar(rules, s, side, *hex, roads).is_none() {
                        sites.push(Site { hex: *hex, number, colours: OnceCell::new() });
                    }
                }
            });
        }
        look(sites)
    })
}

/// The units on which a step can be spent.
fn able(cx: &Cx) -> impl Iterator<Item = UnitId> {
    let (rules, s) = (cx.rules, cx.s);
    let worn = move |unit: &UnitId| is_reduced(s, *unit) || rebuildable(rules, s, *unit);
    rules.units_of(cx.side).filter(worn).filter(|unit| has_option(cx, *unit))
}

/// Is it on the map, on its reduced side?
#[inline]
fn is_reduced(s: &State, unit: UnitId) -> bool {
    s.unit(unit).is(Flags::REDUCED) && s.unit(unit).hex().is_some()
}

fn has_option(cx: &Cx, unit: UnitId) -> bool {
    let mut any = false;
    each_option(cx, unit, |_| {
        any = true;
        false
    });
    any
}

/// Calls `each` with the hex of every possible use of a step on this unit, until it returns false.
fn each_option(cx: &Cx, unit: UnitId, mut each: impl FnMut(HexId) -> bool) {
    let (rules, s) = (cx.rules, cx.s);
    let reduced = is_reduced(s, unit);
    if !(reduced || rebuildable(rules, s, unit)) || eligible(cx, unit).is_err() {
        return;
    }
    if reduced {
        let Some(here) = s.unit(unit).hex() else { return };
        if may_restore(rules, s, cx.side, unit).is_err() {
            return;
        }
        if must_step_back(rules, s, cx.side, here) {
            let _ = steps_back(rules, s, cx.side, unit, here).all(each);
        } else {
            each(HexId::NONE);
        }
        return;
    }
    if large(rules, unit) || s.unit(unit).place() == Place::Pool {
        let Some(pool) = rules.counter(unit).remnant else { return };
        let mut last = HexId::NONE;
        for remnant in rules.pack.pools[pool.index()].counters() {
            if let Some(hex) = s.unit(remnant).hex()
                && hex != last
                && relieved_by(rules, s, unit, hex).is_ok()
            {
                last = hex;
                if !each(hex) {
                    return;
                }
            }
        }
        return;
    }
    with_sites(rules, s, cx.side, |sites| {
        let fits = |hex: HexId| rules.room(s, hex, &[unit]);
        let suited = || sites.iter().filter(|site| site.suits(rules, s, unit)).map(|site| site.hex);
        if suited().any(|hex| fits(hex) && !each(hex)) || cx.side == Side::Allied {
            return;
        }
        for hex in rules.land.entries.iter().flatten().copied() {
            let open = german_entry(rules, s, hex) && fits(hex);
            if open && !suited().any(|site| site == hex) && !each(hex) {
                return;
            }
        }
    });
}

/// May a step be spent on this unit in this way?
fn may_replace(cx: &Cx, unit: UnitId, hex: HexId) -> Result<How, No> {
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    eligible(cx, unit)?;
    if let Some(here) = s.unit(unit).hex() {
        may_restore(rules, s, side, unit)?;
        if must_step_back(rules, s, side, here) {
            let mut open = steps_back(rules, s, side, unit, here);
            return match hex {
                // If there is only one hex it need not be named.
                HexId::NONE => match (open.next(), open.next()) {
                    (Some(only), None) => Ok(How::StepBack(only)),
                    _ => Err(("25.22", "replace.where")),
                },
                _ if open.any(|to| to == hex) => Ok(How::StepBack(hex)),
                _ => Err(("25.22", "replace.cannot_step_back")),
            };
        }
        return if hex == HexId::NONE || hex == here {
            Ok(How::Restore)
        } else {
            Err(("25.22", "replace.there"))
        };
    }
    if !rebuildable(rules, s, unit) {
        return Err(("25.22", "replace.not_dead"));
    }
    if hex == HexId::NONE {
        return Err(("25.22", "replace.where"));
    }
    if large(rules, unit) || s.unit(unit).place() == Place::Pool {
        return relieved_by(rules, s, unit, hex).map(How::Relieve);
    }
    if !(side == Side::German && german_entry(rules, s, hex)) {
        let suits = with_sites(rules, s, side, |sites| {
            sites.iter().find(|site| site.hex == hex).map(|site| site.suits(rules, s, unit))
        });
        match suits {
            Some(true) => {}
            Some(false) => return Err(("25.22", "replace.colour")),
            None => {
                let bar = supply::with_roads(rules, s, side, |roads| site_bar(rules, s, side, hex, roads));
                return Err(bar.unwrap_or(("25.22", "replace.town")));
            }
        }
    }
    if !rules.room(s, hex, &[unit]) {
        return Err(("8.1", "replace.stacking"));
    }
    Ok(How::Rebuild(hex))
}

/// 25.21, 25.25: which units can receive replacements at all, and what the remaining steps are for.
fn eligible(cx: &Cx, unit: UnitId) -> Result<(), No> {
    let counter = cx.rules.counter(unit);
    if counter.artillery {
        return Err(("25.25", "replace.artillery"));
    }
    if never(cx.rules, unit) {
        return Err(("25.25", "replace.never"));
    }
    let Frame::Replacements { left, infantry_done, .. } = cx.frame else { return Err(("25.21", "not_now")) };
    // 25.21: one step is for Infantry-type; it is the last one if none has been used for it before.
    if !counter.infantry && !infantry_done && left <= 1 {
        return Err(("25.21", "replace.infantry"));
    }
    Ok(())
}

/// 25.25: never replaced.
pub fn never(rules: &Ardennes, unit: UnitId) -> bool {
    let counter = rules.counter(unit);
    let tagged = [Tag::VonDerHeydte, Tag::Brigade150, Tag::Airborne, Tag::BlackBoxAttack]
        .into_iter()
        .any(|t| counter.has(t));
    let heavy = counter.side == Side::German && counter.tank && counter.tq[0] >= TOP_QUALITY;
    !counter.replaceable || counter.british || counter.artillery || tagged || heavy
}

/// 25.22, 25.25: what keeps a unit on the map from receiving a step.
fn may_receive(rules: &Ardennes, s: &State, unit: UnitId) -> Result<(), No> {
    let u = s.unit(unit);
    let bars = [
        (Flags::OOS, "replace.oos"),
        (Flags::DISRUPTED, "replace.disrupted"),
        (Flags::ENGAGED, "replace.engaged"),
        (Flags::NIGHT, "replace.night"),
    ];
    // 1E 25.26: a Night marker does not matter.
    let binds = |flag: Flags| !(rules.night_marker_does_not_bar() && flag == Flags::NIGHT);
    let found = bars.into_iter().find(|(flag, _)| u.is(*flag) && binds(*flag));
    found.map_or(Ok(()), |(_, key)| Err(("25.25", key)))
}

fn may_restore(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> Result<(), No> {
    if !s.unit(unit).is(Flags::REDUCED) {
        return Err(("25.21", "replace.full"));
    }
    may_receive(rules, s, unit)?;
    let Some(hex) = s.unit(unit).hex().filter(|_| rules.replacements_at_the_front()) else { return Ok(()) };
    // 1E 25.21
    if s.near_enemy(side, hex) {
        let tonight = |u: &UnitId| s.unit(*u).flags.all(Flags::REPLACED | Flags::RETREATED);
        if rules.units_of(side).filter(tonight).count() >= AT_THE_FRONT_1E {
            return Err(("25.21", "replace.two_at_front"));
        }
        if steps_back(rules, s, side, unit, hex).next().is_none() {
            return Err(("25.21", "replace.cannot_step_back"));
        }
    }
    Ok(())
}

/// 1E 25.22: the hexes outside EZOCs to which a unit at the front may retreat before it is rebuilt.
fn steps_back<'a>(
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    unit: UnitId,
    hex: HexId,
) -> impl Iterator<Item = HexId> + 'a {
    let vehicle = rules.counter(unit).vehicle;
    hexgrid::Direction::ALL.into_iter().filter_map(move |direction| {
        let to = rules.land.neighbour(hex, direction)?;
        let crossing = rules.crossing(s, hex, direction);
        let passable = if vehicle { crossing.open_to_vehicles() } else { !crossing.lake };
        let open = passable
            && !s.enemy_in(side, to)
            && !s.in_open_ezoc(side, to)
            && rules.room(s, to, &[unit])
            && rules.bond_bars(s, side, hex, direction).is_none();
        open.then_some(to)
    })
}

/// 1E 25.22: must this unit at the front retreat before it is rebuilt?
fn must_step_back(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> bool {
    rules.replacements_at_the_front() && s.near_enemy(side, hex)
}

/// In the Dead Pile, or set aside after a whole breakdown (26.1).
#[inline]
fn rebuildable(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    if s.unit(unit).in_game() {
        return false;
    }
    let counter = rules.counter(unit);
    match s.unit(unit).place() {
        Place::Dead => true,
        Place::Pool => !counter.breakdown_counter && !counter.remnant_counter,
        _ => false,
    }
}

/// 25.23: does the unit return only by relieving a Remnant?
fn large(rules: &Ardennes, unit: UnitId) -> bool {
    let counter = rules.counter(unit);
    !counter.silhouette && counter.back.stacking >= LARGE
}

/// 25.23: the Remnant of this hex that the unit would replace.
fn relieved_by(rules: &Ardennes, s: &State, unit: UnitId, hex: HexId) -> Result<UnitId, No> {
    let pool = rules.counter(unit).remnant.ok_or(("25.23", "replace.no_remnant"))?;
    let set_aside = s.unit(unit).place() == Place::Pool;
    let of_type = |r: &UnitId| rules.pack.pools[pool.index()].counters().any(|counter| counter == *r);
    let own = |r: &UnitId| s.unit(*r).parent() == Some(unit);
    let mut fault = ("25.23", "replace.no_remnant");
    let mut found: Option<UnitId> = None;
    for remnant in s.stack(hex).filter(of_type).filter(|r| !set_aside || own(r)) {
        match may_receive(rules, s, remnant) {
            Ok(()) if found.is_none() || own(&remnant) => found = Some(remnant),
            Ok(()) => {}
            Err((_, key)) => fault = ("25.23", key),
        }
    }
    let remnant = found.ok_or(fault)?;
    // 8.1: the unit needs more room than the Remnant it replaces.
    let mut load = rules.load_without(s, hex, remnant);
    load.points += rules.counter(unit).back.stacking;
    let limit = rules.tables().stacking.points;
    if load.points > limit { Err(("8.1", "replace.stacking")) } else { Ok(remnant) }
}

/// 25.22: why no unit at all may be rebuilt in a hex.
fn site_bar(rules: &Ardennes, s: &State, side: Side, hex: HexId, roads: &mut Roads) -> Option<No> {
    // 1E 25.22: City or Town.
    let entry = !rules.rebuilds_anywhere() && rules.land.entry_at(hex).is_some();
    let key = if !rules.land.hex(hex).town_or_city() && !entry {
        "replace.town"
    } else if s.control(hex) != side || s.enemy_in(side, hex) {
        "replace.control"
    } else if s.roadblocks[side.enemy().index()].iter().any(|at| at.hex() == Some(hex)) {
        "replace.roadblock"
    } else if !roads.lead_home(hex) {
        "replace.road"
    } else if s.near_enemy(side, hex) {
        "replace.enemy_near"
    } else {
        return None;
    };
    Some(("25.22", key))
}

/// 25.22: German units may also return at their own Entry Hexes outside EZOCs.
fn german_entry(rules: &Ardennes, s: &State, hex: HexId) -> bool {
    let own = |entry: crate::pack::EntryId| rules.pack.entries[entry.index()].side == Side::German;
    rules.land.entry_at(hex).is_some_and(own)
        && !s.enemy_in(Side::German, hex)
        && !s.in_ezoc(Side::German, hex)
}
