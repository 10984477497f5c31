//! Flying (6.7.2) and the decisions of both sides while an aircraft crosses the map.

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Arms, Craft, Flight, Strike, aa, attack};
use crate::{
    action::{Action, Fly},
    event::Event,
    frame::Frame,
    pack::{
        Side,
        advanced::{Altitude, Label, Speed},
    },
    piece::Piece,
    play::{Cx, Play},
    refusal::unread,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

impl Panzer {
    /// 6.7.3.1.1: whether the target is in the front arc of the aircraft, and in its sight.
    pub fn air_spots(&self, s: &State, flight: &Flight, target: UnitId) -> bool {
        let t = s.unit(target);
        let board = &self.field.board;
        t.on_map()
            && !t.passenger()
            && t.hex != flight.hex
            && crate::fire::bearing::in_sector(flight.facing, board.hex(flight.hex), board.hex(t.hex))
            && self.air_sees(s, flight.hex, flight.altitude, t.hex)
    }

    /// 6.7.3.1.1: whether only an FO can point out the target: inside a building or an Improved Position, or in a
    /// grove.
    pub fn air_needs_fo(&self, s: &State, target: UnitId) -> bool {
        let t = s.unit(target);
        t.is(Flags::IMPROVED) || self.chart(s, target).is_some_and(|chart| chart.aircraft_need_fo)
    }

    /// 5.9.4, 6.7.3.1.2: an FO with Overwatch that sees the target and does not spot for another aircraft.
    pub fn air_fo(&self, s: &State, side: Side, target: UnitId) -> Option<UnitId> {
        let free = |unit: &UnitId| {
            let u = s.unit(*unit);
            let command = u.aboard.some().map_or(u.command, |vehicle| s.unit(vehicle).command);
            let known = s.air.spotting.iter().find(|(fo, _)| fo == unit);
            let fo = self.piece(*unit).is_some_and(|piece: &Piece| piece.labels.contains(&Label::Fo));
            fo && u.on_map()
                && command == Command::Overwatch
                && (known.is_some_and(|(_, at)| *at == target) || known.is_none() && !u.is(Flags::FIRED))
                && self.spots(s, *unit, target)
        };
        self.units_of(side).iter().copied().find(free)
    }

    /// Hexes that must be flown for a target (6.7.3.1.1).
    pub fn air_needed(&self, craft: &Craft, flight: &Flight) -> u8 {
        let tables = self.advanced.as_deref().map(crate::piece::AdvancedGame::tables);
        tables.map_or(u8::MAX, |t| t.acquisition(flight.altitude, flight.speed, craft.suppressed()))
    }

    /// The aircraft in flight.
    pub fn flying<'a>(&self, s: &'a State) -> Option<(&'a Craft, &'a Flight)> {
        let flight = Some(&s.air.flight).filter(|flight| flight.active)?;
        Some((s.air.craft.get(usize::from(flight.craft))?, flight))
    }

    pub(super) fn check_fly(&self, s: &State, side: Side, order: &Fly) -> Result<(), Refusal> {
        let Some(craft) = s.air.craft.get(usize::from(order.craft)) else { return Err(self.not_now()) };
        let (Some(def), Some(card)) = (self.craft_def(craft), self.craft_card(craft)) else {
            return Err(self.not_now());
        };
        if def.side != side {
            return self.no("3.1", "air.not_yours").into();
        }
        if !self.may_fly(s, craft) {
            let rule = "6.7.2.1";
            return self.no(rule, if craft.gone { "air.gone" } else { "air.not_available" }).into();
        }
        let edges = self.edges_of(order.hex);
        if edges.is_empty() || self.field.neighbour(order.hex, order.facing).is_none() {
            return self.no("6.7.2", "air.not_at_edge").hex("hex", order.hex).into();
        }
        // 6.7.2.1: after a turn in which it flew, over the edge by which it left.
        if craft.flown > 0
            && craft.flown + 1 == s.turn
            && craft.left_by.is_some_and(|by| !edges.contains(&by))
        {
            return self.no("6.7.2.1", "air.other_edge").hex("hex", order.hex).into();
        }
        if order.speed == Speed::Fast && (!card.fast || craft.damaged > 0) {
            return self.no("6.7.2.2", "air.slow_only").into();
        }
        Ok(())
    }

    /// 6.7.3.1.1, 6.7.3.1.2: whether the aircraft in flight may begin to acquire the target.
    pub(super) fn check_acquire(&self, s: &State, side: Side, target: UnitId) -> Result<(), Refusal> {
        if self.vehicle(target).side == side {
            return self.no("6.7.3.1", "air.friend").unit("target", target).into();
        }
        if !self.air_spots(s, &s.air.flight, target) {
            return self.no("6.7.3.1.1", "air.not_seen").unit("target", target).into();
        }
        if self.air_needs_fo(s, target) && self.air_fo(s, side, target).is_none() {
            return self.no("6.7.3.1.2", "air.needs_fo").unit("target", target).into();
        }
        Ok(())
    }

    /// Enemies that the aircraft in flight may begin to acquire.
    pub(super) fn acquirable(&self, s: &State, side: Side) -> UnitSet {
        let mut found = UnitSet::EMPTY;
        for unit in self.units_of(side.enemy()) {
            if unread(|| self.check_acquire(s, side, *unit)).is_ok() {
                found.insert(*unit);
            }
        }
        found
    }

    /// 6.7.3: whether it may attack now in any way.
    pub(super) fn may_attack(&self, s: &State) -> bool {
        let may =
            |arms| [false, true].map(|level| self.check_attack(s, arms, level)).iter().any(Result::is_ok);
        unread(|| Arms::ALL.into_iter().any(may))
    }

    /// The hexes from the aircraft straight on to this one, or over the edge ([`HexId::NONE`]); none if it does not lie
    /// straight ahead.
    pub(super) fn hexes_to(&self, flight: &Flight, to: HexId) -> Option<u8> {
        let ahead = std::iter::successors(Some(flight.hex), |hex| self.field.neighbour(*hex, flight.facing));
        let mut way = ahead.skip(1).chain([HexId::NONE]);
        way.position(|hex| hex == to).map(|before| before as u8 + 1)
    }

    /// 6.7.3: whether the aircraft may attack its acquired target in this way.
    pub(super) fn check_attack(&self, s: &State, arms: Arms, level: bool) -> Result<(), Refusal> {
        let Some((craft, flight)) = self.flying(s) else { return Err(self.not_now()) };
        let Some(target) = flight.target.some() else {
            return self.no("6.7.3.1", "air.no_target").into();
        };
        if !self.armed_with(craft, arms) {
            return self.no("5.16.2.6", "air.no_arms").into();
        }
        if flight.count < self.air_needed(craft, flight) {
            return self.no("6.7.3.1.1", "air.not_acquired").unit("target", target).into();
        }
        let low = flight.altitude == Altitude::Low;
        let dive = self.dives(craft, flight, level);
        match arms {
            Arms::Strafing | Arms::Rockets if !low => return self.no(arms.rule(), "air.only_low").into(),
            Arms::Bombs if low => return self.no("6.7.3.3", "air.not_low").into(),
            Arms::Bombs if level && dive => return Err(self.not_now()),
            _ => {}
        }
        let t = s.unit(target);
        let ahead = self.field.neighbour(flight.hex, flight.facing) == Some(t.hex);
        let tables = self.advanced.as_deref().map(crate::piece::AdvancedGame::tables);
        let [near, far] = tables.map_or([2, 10], |t| t.air.rocket_range);
        let range = self.field.range(flight.hex, t.hex);
        let fits = match arms {
            Arms::Rockets => {
                (u32::from(near)..=u32::from(far)).contains(&range) && self.air_spots(s, flight, target)
            }
            _ => ahead,
        };
        if fits { Ok(()) } else { self.no(arms.rule(), "air.not_ahead").unit("target", target).into() }
    }

    /// 6.7.2.3.2: a dive bomber dives from High altitude, unless ordered to bomb from there.
    pub fn dives(&self, craft: &Craft, flight: &Flight, level: bool) -> bool {
        let dive_bomber = self.craft_card(craft).is_some_and(|card| card.dive_bomber);
        dive_bomber && flight.altitude == Altitude::High && !level
    }
}

impl Panzer {
    /// Whether the aircraft in flight would dive if it bombed now (6.7.2.3.2).
    pub fn may_dive(&self, s: &State) -> bool {
        self.flying(s).is_some_and(|(craft, flight)| self.dives(craft, flight, false))
    }
}

/// AA units that could fire now, as far as the other side may know (6.7.4).
pub fn could_fire<'a>(cx: &'a Cx, supposed: bool) -> impl Iterator<Item = UnitId> + 'a {
    let side = cx.rules.air_side().map(Side::enemy);
    let units = side.map_or(&[][..], |side| cx.rules.units_of(side));
    units.iter().copied().filter(move |unit| {
        let hidden = !cx.s.unit(*unit).is(Flags::REVEALED);
        cx.rules.may_fire_aa(cx.s, *unit, &cx.s.air.flight, supposed && hidden).is_ok()
    })
}

/// 6.2.1.1.4: an AA unit with those that share its Overwatch and can fire, too.
pub(super) fn with_sharers(cx: &Cx, unit: UnitId) -> SmallVec<[UnitId; 4]> {
    let group = cx.rules.group_of(cx.s, unit);
    let shares = |other: &UnitId| *other == unit || group > 0 && cx.rules.group_of(cx.s, *other) == group;
    could_fire(cx, false).filter(shares).collect()
}

/// Entries onto the map with an enemy ahead.
pub(super) fn entries(cx: &Cx, out: &mut Vec<Action>) {
    let (rules, s) = (cx.rules, cx.s);
    let board = &rules.field.board;
    let mut ways: SmallVec<[(HexId, Direction); 512]> = SmallVec::new();
    for hex in rules.field.hexes().filter(|hex| board.is_edge(*hex)) {
        for facing in Direction::ALL {
            let ahead = |enemy: &UnitId| {
                let e = s.unit(*enemy);
                e.on_map()
                    && e.hex != hex
                    && crate::fire::bearing::in_sector(facing, board.hex(hex), board.hex(e.hex))
            };
            let inward = rules.field.neighbour(hex, facing).is_some();
            if inward && rules.units_of(cx.side.enemy()).iter().any(ahead) {
                ways.push((hex, facing));
            }
        }
    }
    for n in 0..s.air.craft.len() as u8 {
        let craft = s.air.craft[usize::from(n)];
        if !rules.may_fly(s, &craft) {
            continue;
        }
        let fast = rules.craft_card(&craft).is_some_and(|card| card.fast) && craft.damaged == 0;
        let bombs = rules.armed_with(&craft, Arms::Bombs);
        let altitudes: &[Altitude] =
            if bombs { &[Altitude::Low, Altitude::Medium, Altitude::High] } else { &[Altitude::Low] };
        for (hex, facing) in ways.iter().copied() {
            // Every aircraft that may enter here may fly Slow and Low.
            let plain = Fly { craft: n, hex, facing, speed: Speed::Slow, altitude: Altitude::Low };
            if rules.check_fly(s, cx.side, &plain).is_err() {
                continue;
            }
            for altitude in altitudes {
                for speed in [Speed::Slow, Speed::Fast].into_iter().take(1 + usize::from(fast)) {
                    out.push(Action::Fly(Fly { altitude: *altitude, speed, ..plain }));
                }
            }
        }
    }
}

/// 6.7.2: onto the map.
pub(super) fn take_off(play: &mut Play, order: &Fly) {
    let turn = play.s.turn;
    let craft = &mut play.s.air.craft[usize::from(order.craft)];
    if craft.appeared == 0 {
        craft.appeared = turn;
    }
    craft.flown = turn;
    play.s.air.flight = Flight {
        active: true,
        craft: order.craft,
        hex: order.hex,
        facing: order.facing,
        speed: order.speed,
        altitude: order.altitude,
        ..Flight::default()
    };
    play.tell(Event::TookOff { craft: order.craft, hex: order.hex, facing: order.facing });
    aa::track(play, true);
    play.then(&[Frame::Flight]);
}

/// 6.7.3.1.1: start acquiring a target; near the edge the aircraft counts as having flown for it already.
pub(super) fn acquire(play: &mut Play, target: UnitId) {
    let Some(side) = play.rules.air_side() else { return };
    if play.rules.air_needs_fo(play.s, target)
        && let Some(fo) = play.rules.air_fo(play.s, side, target)
    {
        // 6.7.3.1.2: its Overwatch is used.
        if !play.s.air.spotting.contains(&(fo, target)) {
            play.s.air.spotting.push((fo, target));
        }
        let shown = play.s.unit(fo).aboard.some().unwrap_or(fo);
        play.reveal(shown);
        play.s.unit_mut(fo).set(Flags::FIRED);
        play.tell(Event::FoSpots { unit: fo, target });
    }
    let needed = match play.rules.flying(play.s) {
        Some((craft, flight)) => play.rules.air_needed(craft, flight),
        None => return,
    };
    let range = play.rules.field.range(play.s.air.flight.hex, play.s.unit(target).hex);
    let flight = &mut play.s.air.flight;
    flight.target = target;
    // Only for the first target after entry, at the edge itself.
    let near_edge = flight.hexes == 0 && flight.attacks == 0 && range < u32::from(needed);
    flight.count = if near_edge { needed } else { 0 };
    let (count, craft) = (flight.count, flight.craft);
    play.tell(Event::Acquires { craft, target, count, needed });
}

/// The target is lost if it is no longer in front, or is hidden.
pub(super) fn keep_target(play: &mut Play) {
    let flight = &play.s.air.flight;
    let Some(target) = flight.target.some() else { return };
    if !play.rules.air_spots(play.s, flight, target) {
        play.s.air.flight.target = UnitId::NONE;
        play.s.air.flight.count = 0;
    }
}

impl Panzer {
    /// 7.26: the modifier of the scatter roll of bombs.
    pub fn bomb_scatter(&self, craft: &Craft) -> i8 {
        let table = self.advanced.as_deref().map(|game| &game.tables().optional.scatter);
        let grade = self.craft_def(craft).map_or(2, |def| def.grade.index());
        let hurt = craft.suppressed();
        table.map_or(0, |t| t.grade[grade] + if hurt { t.suppressed_aircraft } else { 0 })
    }
}

/// 6.7.3: an attack is declared and resolved; AA fire declared now comes after it.
pub(super) fn strike(play: &mut Play, arms: Arms, level: bool) -> Result<(), Stop> {
    let rules = play.rules;
    let Some((craft, flight)) = rules.flying(play.s) else { return Ok(()) };
    let (craft, flight) = (*craft, flight.clone());
    let target = play.s.unit(flight.target).hex;
    let dive = arms == Arms::Bombs && rules.dives(&craft, &flight, level);
    let mut target = target;
    if arms == Arms::Bombs && rules.optional(26) {
        // 7.26: bombs scatter.
        let side = rules.air_side().unwrap_or_default();
        target = crate::indirect::scatter(play, side, target, rules.bomb_scatter(&craft))?;
    }
    let hexes = rules.air_pattern(arms, flight.altitude, flight.speed, dive, target, flight.facing);
    crate::hidden::shelled(play, &hexes); // 7.2
    let queue = attack::queue(play.s, rules, &hexes);
    play.s.air.craft[usize::from(flight.craft)].left[arms as usize] -= 1; // 5.16.2.6
    play.s.air.strike = Strike {
        arms: Some(arms),
        // 6.7.2.3.2: a dive is resolved at Low altitude, and the aircraft stays there.
        altitude: dive.then_some(Altitude::Low),
        hexes,
        queue,
        target: UnitId::NONE,
        moving: false,
        range: rules.field.range(flight.hex, target) as u8,
        crash: None,
    };
    let flight = &mut play.s.air.flight;
    if dive {
        flight.altitude = Altitude::Low;
    }
    flight.attacks += 1;
    (flight.target, flight.count) = (UnitId::NONE, 0);
    let craft = flight.craft;
    let window = !std::mem::replace(&mut flight.watched, true);
    play.tell(Event::AirStrike { craft, arms, hex: target, dive });
    if window {
        play.then(&[Frame::AirNext, Frame::AaWindow]);
    } else {
        play.then(&[Frame::AirNext]);
    }
    Ok(())
}

/// After the window, the flight continues if the aircraft still flies.
pub fn window(play: &mut Play) {
    if play.s.air.flight.active {
        advance(play);
    }
}

/// 6.7.2.3: straight ahead, one hex; over the edge it leaves the map.
pub(super) fn advance(play: &mut Play) {
    let flight = &play.s.air.flight;
    let (hex, facing, craft, bound) = (flight.hex, flight.facing, flight.craft, flight.bound);
    let Some(side) = play.rules.air_side() else { return };
    // What could be acquired before and was left alone is no reason to ask.
    let known = if bound > 1 { play.rules.acquirable(play.s, side) } else { UnitSet::EMPTY };
    let target = flight.target;
    match play.rules.field.neighbour(hex, facing) {
        None => {
            let edge = play.rules.leaves_by(hex, facing);
            play.s.air.craft[usize::from(craft)].left_by = Some(edge);
            play.s.air.flight.active = false;
            play.tell(Event::FlewOff { craft, edge });
        }
        Some(to) => {
            let flight = &mut play.s.air.flight;
            flight.hex = to;
            flight.hexes = flight.hexes.saturating_add(1);
            flight.watched = false;
            aa::track(play, false);
            keep_target(play);
            if play.s.air.flight.target.some().is_some() {
                play.s.air.flight.count = play.s.air.flight.count.saturating_add(1);
            }
            play.tell(Event::FlewTo { craft, hex: to });
            if bound > 0 {
                let lost = target != play.s.air.flight.target;
                let asks = lost
                    || play.rules.may_attack(play.s)
                    || bound > 1
                        && target.some().is_none()
                        && !play.rules.acquirable(play.s, side).without(known).is_empty();
                play.s.air.flight.bound = if asks { 0 } else { bound - 1 };
            }
        }
    }
}
