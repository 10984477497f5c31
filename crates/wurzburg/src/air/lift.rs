//! Helicopter transport (26.4, 29.4): one utility unit, one pickup hex, one LZ.

use std::cell::{OnceCell, RefCell};

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};

use super::{Flight, Leg, flight::Path, track};
use crate::{
    action::{Action, Hexes, Part, Parts, Units},
    event::Event,
    field::Terrain,
    frame::Frame,
    kept::Position,
    pack::System,
    play::{Cx, Play},
    rules::Wurzburg,
    state::{Flags, Mine, Place, State, Variant},
    units::{OpKind, Side, Symbol, UnitId, UnitSet, set_of},
};

impl Wurzburg {
    /// 26.4.5, 37.4: whether passengers may board or leave in this hex.
    fn landable(&self, s: &State, hex: HexId) -> bool {
        !matches!(self.field.terrain(hex), Terrain::HeavyWoods | Terrain::Town | Terrain::City)
            && s.minefield(hex) == Mine::None
    }

    /// The utility helicopters that may carry this passenger: the counter with the most steps in the Ready Box.
    pub fn lifter(&self, s: &State, passenger: UnitId) -> Option<UnitId> {
        let counter = self.counter(passenger);
        self.units_of(counter.side)
            .iter()
            .copied()
            .filter(|unit| {
                let other = self.counter(*unit);
                other.symbol == Symbol::UtilityHelicopter
                    && s.unit(*unit).place == Place::Ready
                    && s.unit(*unit).steps > 0
                    // 26.1
                    && (counter.side == Side::Wp || other.nation == counter.nation)
            })
            .max_by_key(|unit| s.unit(*unit).steps)
    }

    /// 26.0, 26.4.1, 26.4.2, 29.0, 4.2.2: whether the unit may be carried now (29.3).
    fn check_passenger(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Refusal> {
        self.own(side, unit)?;
        let u = s.unit(unit);
        let counter = self.counter(unit);
        let no = |rule, key| self.no(rule, key).unit("unit", unit).into();
        if !s.op.airmobile {
            return no("29.3", "lift.not_declared");
        }
        if !s.op.members.contains(unit) || !matches!(u.place, Place::Map | Place::Waiting) {
            return no("13.0", "move.not_in_operation");
        }
        if !counter.airmobile {
            return no("29.1", "lift.not_airmobile");
        }
        // 29.6.3
        if u.steps == 0 {
            return no("29.6.3", "lift.dummy");
        }
        if s.sky.flown.contains(unit) {
            return no("29.3", "lift.again");
        }
        // 29.3.3: units that drop, overrun or make a Close Attack must fly first.
        let first = matches!(s.op.variant, Variant::Overrun | Variant::Close) || !s.sky.dropped.is_empty();
        if first && s.op.moved.contains(unit) {
            return no("29.3.3", "lift.order");
        }
        // 29.3.2: a battalion or task force that drops must do so with all its airborne units.
        let dropping = s.sky.dropped.iter().any(|other| self.counter(*other).formation == counter.formation);
        if dropping && counter.airborne {
            return no("29.3.2", "lift.drops");
        }
        if !self.scenario.has(System::Helicopters) {
            return no("26.0", "lift.none_ready");
        }
        // 26.4.3
        if self.night(s) || self.fog(s) {
            return no("26.4.3", "lift.night");
        }
        Ok(())
    }
}

/// The area covered by the enemy, as far as transport is concerned.
#[derive(Clone, Debug)]
pub struct Cover {
    side: Side,
    /// Hexes with enemy ground units, and hexes adjacent to them.
    here: HexSet,
    near: HexSet,
    /// Hexes within range of their Flak.
    flak: HexSet,
    /// Hexes outside it that can be reached from the friendly map edge without entering it; computed when needed.
    safe: OnceCell<HexSet>,
}

thread_local! {
    static KEPT: RefCell<Option<(Position, Cover)>> = const { RefCell::new(None) };
}

impl Cover {
    fn new(rules: &Wurzburg, s: &State, side: Side) -> Cover {
        let (here, near) = rules.presence(s, side.enemy());
        let mut flak = HexSet::EMPTY;
        // 34.3: an engineer on its bridge fires from either of the two hexes.
        let enemies = rules.units_of(side.enemy()).iter();
        let banks = enemies.filter_map(|unit| rules.bridge_of(s, *unit)).flat_map(|(_, banks)| banks);
        for hex in here.iter().chain(banks) {
            for covered in rules.field.board.range(hex, u16::from(rules.tables.flak.range)) {
                flak.insert(covered);
            }
        }
        Cover { side, here, near, flak, safe: OnceCell::new() }
    }

    /// Use the cover against a side. It is kept for the position, because each offer of a lift needs it.
    pub fn with<T>(rules: &Wurzburg, s: &State, side: Side, look: impl FnOnce(&Cover) -> T) -> T {
        let of = Position::of(rules, s);
        let kept = KEPT
            .take()
            .filter(|(position, cover)| of.is_some_and(|of| of.same(position)) && cover.side == side);
        let cover = match kept {
            Some((_, cover)) => {
                debug_assert!(
                    cover.flak == Cover::new(rules, s, side).flak,
                    "what was kept is covered otherwise"
                );
                cover
            }
            None => Cover::new(rules, s, side),
        };
        let answer = look(&cover);
        KEPT.set(of.map(|of| (of, cover)));
        answer
    }

    fn safe(&self, rules: &Wurzburg) -> &HexSet {
        self.safe.get_or_init(|| {
            let mut safe = &rules.helicopter_edges[self.side.index()] - &self.flak;
            let mut front = safe;
            while !front.is_empty() {
                let mut next = HexSet::EMPTY;
                for hex in &front {
                    for near in rules.field.board.neighbour_row(hex) {
                        next.insert(*near);
                    }
                }
                next &= &rules.area;
                next -= &self.flak;
                next -= &safe;
                safe |= &next;
                front = next;
            }
            safe
        })
    }

    fn check(&self, rules: &Wurzburg, s: &State, pickup: HexId, lz: HexId) -> Result<(), Refusal> {
        let no = |rule, key| rules.no(rule, key).hex("hex", lz).into();
        if !rules.area.contains(lz) || lz == pickup {
            return no("25.2.2", "lift.outside");
        }
        if !rules.landable(s, lz) {
            let mines = s.minefield(lz) != Mine::None;
            return no(if mines { "37.4" } else { "26.4.5" }, "lift.ground");
        }
        if self.here.contains(lz) {
            return no("26.4.6", "lift.enemy");
        }
        let objective = s.op.objective.some().is_some_and(|hex| rules.field.adjacent(hex, lz));
        if self.near.contains(lz) && !objective {
            return no("29.3.4", "lift.adjacent");
        }
        let here = pickup != HexId::NONE && self.flak.contains(pickup);
        if s.op.kind.offensive() {
            return if here && self.flak.contains(lz) { no("26.4.6", "lift.both") } else { Ok(()) };
        }
        // 29.4.2
        if here || self.flak.contains(lz) {
            return no("29.4.2", "lift.flak");
        }
        // 26.4.6: no leg may enter the range of Flak.
        let safe = self.safe(rules);
        if !safe.contains(lz) || pickup != HexId::NONE && !safe.contains(pickup) {
            return no("26.4.6", "lift.way");
        }
        Ok(())
    }

    /// Hexes in which units from a pickup hex may land; without a pickup hex, they wait off the map.
    pub fn zones<'a>(
        &'a self,
        rules: &'a Wurzburg,
        s: &'a State,
        pickup: HexId,
    ) -> impl Iterator<Item = HexId> + 'a {
        let boards = pickup == HexId::NONE || rules.landable(s, pickup);
        rules.area.iter().filter(move |hex| boards && self.check(rules, s, pickup, *hex).is_ok())
    }

    /// Whether this unit could be carried anywhere now.
    pub fn carries(&self, cx: &Cx, unit: UnitId) -> bool {
        let s = cx.s;
        s.op.airmobile
            && cx.rules.check_passenger(s, cx.side, unit).is_ok()
            && cx.rules.lifter(s, unit).is_some_and(|lifter| s.unit(lifter).steps >= s.unit(unit).steps)
            && self.zones(cx.rules, s, s.unit(unit).hex).next().is_some()
    }
}

fn steps_of(s: &State, parts: &Parts) -> u32 {
    parts.iter().map(|part| u32::from(part.steps.unwrap_or(s.unit(part.unit).steps))).sum()
}

/// The paths of a mission: empty to the pickup hex, loaded to the LZ (26.4).
fn ways(
    rules: &Wurzburg,
    s: &State,
    side: Side,
    pickup: HexId,
    lz: HexId,
    via: &Hexes,
    approach: &Hexes,
) -> Option<(Path, Path)> {
    // 26.4.6: outside an offensive operation every leg must avoid the range of Flak.
    let avoid =
        if s.op.kind.offensive() { HexSet::EMPTY } else { Cover::with(rules, s, side, |cover| cover.flak) };
    let Some(pickup) = pickup.some() else {
        let loaded = if via.is_empty() {
            rules.safest_way(s, side, None, Some(lz), &avoid)?
        } else {
            via.iter().copied().collect()
        };
        return Some((Path::new(), loaded));
    };
    let empty = if approach.is_empty() {
        rules.safest_way(s, side, None, Some(pickup), &avoid)?
    } else {
        approach.iter().copied().collect()
    };
    let loaded = if via.is_empty() {
        rules.safest_way(s, side, Some(pickup), Some(lz), &avoid)?
    } else {
        via.iter().copied().collect()
    };
    Some((empty, loaded))
}

/// May these units be carried to the LZ?
pub fn check_lift(
    cx: &Cx,
    parts: &Parts,
    lz: HexId,
    via: &Hexes,
    approach: &Hexes,
    helicopters: u8,
) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    let Some(first) = parts.first() else { return Err(rules.not_now()) };
    let pickup = s.unit(first.unit).hex;
    for (n, part) in parts.iter().enumerate() {
        rules.check_passenger(s, cx.side, part.unit)?;
        let twice = parts[..n].iter().any(|other| other.unit == part.unit);
        if s.unit(part.unit).hex != pickup || twice {
            return rules.no("26.4", "lift.apart").unit("unit", part.unit).into();
        }
        crate::movement::check_part(rules, s, *part)?;
        if part.steps == Some(0) {
            return rules.no("29.6.3", "lift.dummy").unit("unit", part.unit).into();
        }
        if part.steps.is_some_and(|steps| steps < s.unit(part.unit).steps)
            && rules.spare_for(s, part.unit).is_none()
        {
            return rules.no("11.5", "split.no_counter").unit("unit", part.unit).into();
        }
    }
    if pickup != HexId::NONE && !rules.landable(s, pickup) {
        let rule = if s.minefield(pickup) != Mine::None { "37.4" } else { "26.4.5" };
        return rules.no(rule, "lift.ground").hex("hex", pickup).into();
    }
    let Some(lifter) = rules.lifter(s, first.unit) else {
        return rules.no("26.0", "lift.none_ready").unit("unit", first.unit).into();
    };
    let ready = u32::from(s.unit(lifter).steps);
    // 26.3
    let flying = if helicopters == 0 { ready } else { u32::from(helicopters).min(ready) };
    if steps_of(s, parts) > flying || u32::from(helicopters) > ready {
        return rules.no("26.3", "lift.capacity").number("steps", i64::from(flying)).into();
    }
    Cover::with(rules, s, cx.side, |cover| cover.check(rules, s, pickup, lz))?;
    if !approach.is_empty() {
        if pickup == HexId::NONE {
            return rules.no("26.4", "lift.way").hex("hex", lz).into();
        }
        check_via(cx, HexId::NONE, pickup, approach)?;
    }
    if !via.is_empty() {
        check_via(cx, pickup, lz, via)?;
    }
    let mut named = via.iter().chain(approach);
    if !s.op.kind.offensive()
        && Cover::with(rules, s, cx.side, |cover| named.any(|hex| cover.flak.contains(*hex)))
    {
        return rules.no("26.4.6", "lift.way").hex("hex", lz).into();
    }
    Ok(())
}

fn check_via(cx: &Cx, pickup: HexId, lz: HexId, loaded: &Hexes) -> Result<(), Refusal> {
    let rules = cx.rules;
    let mut at = pickup.some();
    for hex in loaded {
        let fits = match at {
            None => rules.helicopter_edges[cx.side.index()].contains(*hex),
            Some(from) => rules.field.adjacent(from, *hex),
        };
        if !fits || !rules.area.contains(*hex) {
            return rules.no("26.4.4", "lift.way").hex("hex", *hex).into();
        }
        at = Some(*hex);
    }
    if at == Some(lz) { Ok(()) } else { rules.no("26.4", "lift.way").hex("hex", lz).into() }
}

/// The offers in the list: each unit alone, and all units with it.
pub fn lift_offers(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let (rules, s) = (cx.rules, cx.s);
    if !s.op.airmobile || rules.check_passenger(s, cx.side, unit).is_err() {
        return;
    }
    let Some(lifter) = rules.lifter(s, unit) else { return };
    let ready = u32::from(s.unit(lifter).steps);
    let pickup = s.unit(unit).hex;
    let place = s.unit(unit).place;
    let alone: Parts = [Part::all(unit)].into_iter().collect();
    let with = |other: &UnitId| {
        s.unit(*other).place == place
            && s.unit(*other).hex == pickup
            && rules.check_passenger(s, cx.side, *other).is_ok()
    };
    let all: Parts = s.op.members.iter().filter(with).map(Part::all).collect();
    let first = all.first().map(|part| part.unit) == Some(unit);
    let fits = |parts: &Parts| steps_of(s, parts) <= ready;
    let several = all.len() > 1 && first && fits(&all);
    let lift = |parts: &Parts, lz| Action::Lift {
        parts: parts.clone(),
        lz,
        via: Hexes::new(),
        approach: Hexes::new(),
        helicopters: 0,
    };
    let single = fits(&alone);
    Cover::with(rules, s, cx.side, |cover| {
        for lz in cover.zones(rules, s, pickup) {
            if single {
                out.push(lift(&alone, lz));
            }
            if several {
                out.push(lift(&all, lz));
            }
        }
    });
}

/// The mission begins.
pub fn start(play: &mut Play, parts: &Parts, lz: HexId, via: &Hexes, approach: &Hexes, helicopters: u8) {
    let Some(first) = parts.first().copied() else { return };
    let side = play.rules.counter(first.unit).side;
    let pickup = play.s.unit(first.unit).hex;
    let (Some(lifter), Some((empty, loaded))) =
        (play.rules.lifter(play.s, first.unit), ways(play.rules, play.s, side, pickup, lz, via, approach))
    else {
        return;
    };
    let steps = u8::try_from(steps_of(play.s, parts)).unwrap_or(u8::MAX).max(helicopters);
    let passengers = crate::movement::part_off(play, parts);
    track::set_out(play, lifter, steps);
    let mut flight = Flight::new(lifter);
    (flight.passengers, flight.pickup, flight.lz) = (passengers, pickup, lz);
    let units: Units = passengers.iter().collect();
    play.tell(Event::Lifted { unit: lifter, passengers: units, lz });
    if pickup == HexId::NONE {
        flight.set_out(Leg::Loaded, HexId::NONE, loaded);
        take_aboard(play, &passengers);
    } else {
        flight.set_out(Leg::Out, HexId::NONE, empty);
        flight.route = loaded;
    }
    play.s.sky.flight = Some(flight);
    play.push(Frame::Flight);
}

fn take_aboard(play: &mut Play, passengers: &UnitSet) {
    for unit in passengers {
        let hex = play.s.unit(unit).hex;
        play.s.put(unit, Place::Aboard, HexId::NONE);
        play.s.unit_mut(unit).clear(Flags::MASKED);
        if let Some(hex) = hex.some() {
            play.unmask(hex);
        }
    }
}

/// 26.4 item 3: board as many steps as helicopter steps are left; the rest stays behind.
pub(super) fn board(play: &mut Play) {
    let Some(mut flight) = play.s.sky.flight.clone() else { return };
    let mut room = u32::from(play.s.unit(flight.unit).steps);
    let mut aboard = UnitSet::EMPTY;
    for unit in &flight.passengers {
        let steps = u32::from(play.s.unit(unit).steps);
        if !play.s.unit(unit).on_map() || room == 0 {
            continue;
        }
        if steps <= room {
            room -= steps;
            aboard.insert(unit);
        } else if play.rules.spare_for(play.s, unit).is_some() && !play.s.unit(unit).is(Flags::DISRUPTED) {
            let part = Part { unit, steps: Some(room as u8) };
            aboard |= &crate::movement::part_off(play, &[part].into_iter().collect());
            room = 0;
        }
    }
    flight.passengers = aboard;
    if aboard.is_empty() {
        play.s.sky.flight = Some(flight.clone());
        play.push(Frame::FlyHome(flight.unit));
        return;
    }
    take_aboard(play, &aboard);
    let route = std::mem::take(&mut flight.route);
    flight.set_out(Leg::Loaded, flight.pickup, route);
    play.s.sky.flight = Some(flight);
    play.push(Frame::Flight);
}

/// 26.4 item 5, 26.4.7 item 1: the passengers land in the LZ, or return to where they came from.
pub(super) fn land(play: &mut Play, hex: HexId, returned: bool) -> Result<(), Stop> {
    let Some(flight) = play.s.sky.flight.clone() else { return Ok(()) };
    let side = play.rules.counter(flight.unit).side;
    let units: Units =
        flight.passengers.iter().filter(|unit| play.s.unit(*unit).place == Place::Aboard).collect();
    for unit in &units {
        play.s.put(*unit, if hex == HexId::NONE { Place::Waiting } else { Place::Map }, hex);
        play.s.sky.flown.insert(*unit);
        if returned {
            play.s.unit_mut(*unit).set(Flags::USED); // 26.4.7 item 1
            play.s.op.done.insert(*unit);
        } else if play.s.op.moved.contains(*unit) {
            play.s.op.done.insert(*unit); // 29.4.1: the ground pulse came first
        }
    }
    if let Some(flight) = &mut play.s.sky.flight {
        flight.passengers = UnitSet::EMPTY;
    }
    // Passengers that return off the map land at the edge, where the helicopters are home too.
    play.push(Frame::FlyHome(flight.unit));
    if units.is_empty() {
        return Ok(());
    }
    play.tell(Event::Landed { units: units.clone(), hex, returned });
    let Some(hex) = hex.some() else { return Ok(()) };
    if returned {
        return Ok(());
    }
    set_down(play, side, &units, hex)
}

/// Units land in a hex from the air.
pub(super) fn set_down(play: &mut Play, side: Side, units: &Units, hex: HexId) -> Result<(), Stop> {
    for group in &mut play.s.op.groups {
        if units.iter().any(|unit| group.members.contains(*unit)) && group.lead == HexId::NONE {
            group.lead = hex;
        }
    }
    let objective = play.s.op.objective;
    for unit in units {
        play.s.op.near_lead.insert(*unit);
        // 29.6.6, 43.0: the ground move starts adjacent to the Objective Hex.
        if play.rules.field.adjacent(hex, objective) {
            play.s.op.began_adjacent.insert(*unit);
        }
    }
    play.occupy(side, hex);
    let force = set_of(units.iter().copied());
    crate::mines::retreated(play, &force, HexId::NONE, hex)?;
    crate::gas::entered(play, &force, hex)?;
    if play.rules.next_to(play.s, hex, side.enemy()) {
        play.log.reveal();
        play.meet(side, hex);
    }
    Ok(())
}

/// 29.6.4: whether the kind of operation allows air movement at all.
pub(super) const fn kind_flies(kind: OpKind) -> bool {
    !matches!(kind, OpKind::Reserve)
}
