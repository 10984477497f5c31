//! Hidden units (7.2): off the map for everybody but their owner, until they are spotted, act, are fired upon, or an
//! enemy enters their hex.
//!
//! In the state a hidden unit is off the map ([`Place::Hidden`]), and its hex stands only in its [`Veil`]: whatever
//! both sides may know is computed from the state as it is, and cannot tell where the unit is. What its owner is asked
//! is computed from [`Panzer::world`], a copy of the state in which the owner's hidden units are on the map.

use std::borrow::Cow;

use hexgrid::{Direction, HexId};
use kernel::{Secrecy, Viewer};
use rand_core::RngCore;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    action::{Action, Part},
    event::Event,
    indirect::Source,
    pack::{Cover, Side, Start},
    play::{Play, seat, side},
    rules::Panzer,
    state::{Flags, Place, State, Unit},
    units::{UnitId, UnitSet},
};

/// What its owner knows of a hidden unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Veil {
    pub unit: UnitId,
    pub hex: HexId,
    /// The enemies that it spotted in this turn's Spotting Phase (4.1).
    pub seen: UnitSet,
}

/// Units named by one action.
type Named = SmallVec<[UnitId; 8]>;

impl State {
    pub fn veil(&self, unit: UnitId) -> Option<&Veil> {
        self.hidden.iter().find(|veil| veil.unit == unit)
    }
}

impl Panzer {
    /// Has this side a hidden unit?
    pub fn hides(&self, s: &State, side: Side) -> bool {
        s.hidden.iter().any(|veil| self.vehicle(veil.unit).side == side)
    }

    /// Has this side a hidden unit that could fire, as far as the other side can know?
    pub fn lies_in_wait(&self, s: &State, side: Side) -> bool {
        s.hidden.iter().any(|veil| self.vehicle(veil.unit).side == side && self.vehicle(veil.unit).combat)
    }

    /// The position as these sides see it: their own hidden units are on the map, and nothing is known of the others.
    fn known<'a>(&self, s: &'a State, knows: impl Fn(Side) -> bool) -> Cow<'a, State> {
        if s.hidden.is_empty() {
            return Cow::Borrowed(s);
        }
        let mut world = s.clone();
        for veil in &s.hidden {
            if knows(self.vehicle(veil.unit).side) {
                lift(&mut world, *veil);
            } else {
                let aboard = world.unit(veil.unit).aboard;
                *world.unit_mut(veil.unit) = Unit { place: Place::Hidden, aboard, ..Unit::OFF };
            }
        }
        world.hidden.retain(|veil| knows(self.vehicle(veil.unit).side));
        world.stamp.renew();
        Cow::Owned(world)
    }

    /// The position as a side sees it.
    pub fn world<'a>(&self, s: &'a State, side: Side) -> Cow<'a, State> {
        self.known(s, |of| of == side)
    }

    /// The position as a viewer sees it.
    pub fn seen_by<'a>(&self, s: &'a State, viewer: Viewer) -> Cow<'a, State> {
        self.known(s, |of| viewer.knows(seat(of)))
    }

    /// The position with everything on the map.
    pub fn bare<'a>(&self, s: &'a State) -> Cow<'a, State> {
        self.known(s, |_| true)
    }

    /// How far from the hex where the scenario lists it a hidden unit may be set up.
    fn shift(&self) -> u32 {
        self.advanced.as_deref().map_or(0, |game| u32::from(game.tables().optional.hidden_units.set_up))
    }

    /// Whether a unit on the map may be hidden where it is: in cover against spotting, in a position, in a building.
    pub fn may_hide(&self, s: &State, unit: UnitId) -> bool {
        let unit = s.unit(unit).aboard.some().unwrap_or(unit);
        let u = s.unit(unit);
        let positions = Flags::FULL_COVER.0 | Flags::ENTRENCHED.0 | Flags::IMPROVED.0 | Flags::INSIDE.0;
        u.is(Flags(positions))
            || self.spotting_cover_of(s, unit) != Cover::None
            || self.def(unit).extras.hidden
    }

    /// Where a hidden unit may be set up: in the side's area, or near the hex where the scenario lists it.
    pub fn may_lie(&self, unit: UnitId, hex: HexId) -> bool {
        let zone = &self.zones[self.vehicle(unit).side.index()];
        if !zone.is_empty() {
            return zone.contains(hex);
        }
        let Start::At { hex: listed, .. } = &self.def(unit).start else { return false };
        self.field.find(listed).is_some_and(|listed| self.field.range(listed, hex) <= self.shift())
    }

    /// Whether the terrain lets a unit stand in a hex (4.5.1.1.2).
    pub fn may_stand(&self, unit: UnitId, hex: HexId) -> bool {
        self.terrain_cost(self.vehicle(unit).movement.traction, hex).is_some() || self.on_way(hex)
    }

    /// How long the text of a decision about a hidden unit stays secret. None: it is about none.
    pub fn veiled(&self, before: &State, seat: kernel::Seat, action: &Action) -> Option<Secrecy> {
        match action {
            Action::Place { unit, .. } | Action::Pivot { unit, .. } | Action::Cover { unit, .. } => {
                before.veil(*unit).map(|_| Secrecy::UntilDisclosed(key(*unit)))
            }
            Action::Deploy if self.hides(before, side(seat)) => Some(Secrecy::UntilOver),
            _ => None,
        }
    }

    /// Hidden units of a side elsewhere, where they could be as far as the other side knows.
    pub fn hide_elsewhere(&self, s: &mut State, of: Side, rng: &mut dyn RngCore) {
        let mut pick = |most: usize| rng.next_u32() as usize % most.max(1);
        for n in 0..s.hidden.len() {
            let veil = s.hidden[n];
            let unit = veil.unit;
            if self.vehicle(unit).side != of || s.unit(unit).passenger() {
                continue;
            }
            let fits = |hex: &HexId| {
                self.may_lie(unit, *hex)
                    && self.may_stand(unit, *hex)
                    && self.spotting_cover(s, *hex) != Cover::None
                    && s.in_hex(*hex).next().is_none()
            };
            let places: SmallVec<[HexId; 64]> = self.field.hexes().filter(fits).collect();
            if !places.is_empty() {
                s.hidden[n].hex = places[pick(places.len())];
            }
            s.unit_mut(unit).facing = Direction::from_index(pick(6));
            let (hex, facing) = (s.hidden[n].hex, s.unit(unit).facing);
            for rider in 0..s.hidden.len() {
                if s.unit(s.hidden[rider].unit).aboard == unit {
                    s.hidden[rider].hex = hex;
                    s.unit_mut(s.hidden[rider].unit).facing = facing;
                }
            }
        }
        self.watch(s, of);
    }

    /// What hidden units of a side spot now (4.1); nobody else learns of it.
    fn watch(&self, s: &mut State, of: Side) {
        let world = self.world(s, of).into_owned();
        for veil in s.hidden.iter_mut().filter(|veil| self.vehicle(veil.unit).side == of) {
            veil.seen = UnitSet::EMPTY;
            for target in self.units_of(of.enemy()) {
                if self.spots(&world, veil.unit, *target) {
                    veil.seen.insert(*target);
                }
            }
        }
    }
}

/// The key of what is disclosed when a unit comes into view; Commands have the unit's number.
fn key(unit: UnitId) -> u32 {
    1000 + unit.index() as u32
}

/// Puts a hidden unit on the map.
fn lift(s: &mut State, veil: Veil) {
    let u = s.unit_mut(veil.unit);
    (u.place, u.hex) = (Place::Map, veil.hex);
    for target in veil.seen.iter() {
        s.spotters[target.index()].insert(veil.unit);
    }
}

/// All units that begin in cover are hidden (7.2); their owner sets them up.
pub fn begin(rules: &Panzer, s: &mut State) {
    if !rules.optional(2) || rules.advanced.is_none() {
        return;
    }
    let all: SmallVec<[UnitId; 64]> = s.ids().filter(|unit| s.unit(*unit).on_map()).collect();
    for unit in &all {
        // A side with a set-up area places its units before anybody sees where.
        if rules.may_hide(s, *unit) || !rules.zones[rules.vehicle(*unit).side.index()].is_empty() {
            let hex = s.unit(*unit).hex;
            s.hidden.push(Veil { unit: *unit, hex, seen: UnitSet::EMPTY });
        }
    }
    veil(s);
}

/// Takes the hidden units off the map again.
fn veil(s: &mut State) {
    for n in 0..s.hidden.len() {
        let unit = s.hidden[n].unit;
        if s.unit(unit).on_map() {
            s.hidden[n].hex = s.unit(unit).hex;
            let u = s.unit_mut(unit);
            (u.place, u.hex) = (Place::Hidden, HexId::NONE);
            s.spotters[unit.index()] = UnitSet::EMPTY;
            for by in &mut s.spotters {
                by.remove(unit);
            }
        }
    }
}

/// Puts all hidden units on the map for good, and names them.
pub fn reveal_all(s: &mut State) -> Vec<UnitId> {
    let veils = std::mem::take(&mut s.hidden);
    for veil in &veils {
        lift(s, *veil);
    }
    veils.iter().map(|veil| veil.unit).collect()
}

/// A lab file begins with these units hidden.
pub fn hide(s: &mut State, units: &[UnitId]) {
    s.hidden.clear();
    for unit in units {
        let hex = s.unit(*unit).hex;
        s.hidden.push(Veil { unit: *unit, hex, seen: UnitSet::EMPTY });
    }
    veil(s);
}

/// What hidden units have spotted when a lab file begins.
pub fn look(rules: &Panzer, s: &mut State) {
    if !s.hidden.is_empty() {
        for side in Side::ALL {
            rules.watch(s, side);
        }
    }
}

/// A unit comes into view, with the vehicle that carries it and all that it carries.
pub fn uncover(play: &mut Play, unit: UnitId) {
    let together = |s: &State, other: UnitId| {
        let carrier = s.unit(unit).aboard;
        other == unit
            || other == carrier
            || s.unit(other).aboard == unit
            || carrier.some().is_some_and(|c| s.unit(other).aboard == c)
    };
    let shown: SmallVec<[Veil; 8]> =
        play.s.hidden.iter().copied().filter(|veil| together(play.s, veil.unit)).collect();
    for veil in shown {
        play.s.hidden.retain(|other| other.unit != veil.unit);
        lift(play.s, veil);
        let facing = play.s.unit(veil.unit).facing;
        play.tell(Event::Uncovered { unit: veil.unit, hex: veil.hex, facing });
        play.log.disclose(key(veil.unit));
        play.log.reveal();
        play.s.stamp.renew();
    }
}

/// Units of a side come into view in these hexes; true if there are any.
pub fn meet(play: &mut Play, of: Side, hexes: &[HexId]) -> bool {
    let here = |veil: &&Veil| hexes.contains(&veil.hex) && play.rules.vehicle(veil.unit).side == of;
    let found: Named = play.s.hidden.iter().filter(here).map(|veil| veil.unit).collect();
    for unit in &found {
        if play.s.veil(*unit).is_some() {
            uncover(play, *unit);
        }
    }
    !found.is_empty()
}

/// Shells and bombs bring into view whatever they fall on.
pub fn shelled(play: &mut Play, hexes: &[HexId]) {
    if !play.s.hidden.is_empty() {
        for side in Side::ALL {
            meet(play, side, hexes);
        }
    }
}

/// The Spotting Phase: hidden units that the enemy on the map spots come into view (4.1).
pub fn spotted(play: &mut Play) {
    if play.s.hidden.is_empty() {
        return;
    }
    let mut found = Named::new();
    for side in Side::ALL {
        let world = play.rules.world(play.s, side);
        let hidden = play.s.hidden.iter().map(|veil| veil.unit);
        let mine = hidden.filter(|unit| play.rules.vehicle(*unit).side == side);
        found.extend(mine.filter(|unit| !play.rules.spotters(&world, *unit).is_empty()));
    }
    for unit in found {
        if play.s.veil(unit).is_some() {
            uncover(play, unit);
        }
    }
}

/// What hidden units spot, once all that is open has been recorded.
pub fn watch(play: &mut Play) {
    look(play.rules, play.s);
}

/// The set-up of a side is final: what is not in cover lies open.
pub fn settle(play: &mut Play, side: Side) {
    if play.s.hidden.is_empty() {
        return;
    }
    veil(play.s);
    let world = play.rules.world(play.s, side);
    let hidden = play.s.hidden.iter().map(|veil| veil.unit);
    let mine = hidden.filter(|unit| play.rules.vehicle(*unit).side == side);
    let open: Named = mine.filter(|unit| !play.rules.may_hide(&world, *unit)).collect();
    for unit in open {
        if play.s.veil(unit).is_some() {
            uncover(play, unit);
        }
    }
}

/// A side is about to act: its units that do come into view, its other hidden units are on the map until
/// [`acted`].
pub fn acts(play: &mut Play, side: Side, action: &Action) {
    if play.s.hidden.is_empty() {
        return;
    }
    for unit in acting(action) {
        if play.rules.vehicle(unit).side == side && play.s.veil(unit).is_some() {
            uncover(play, unit);
        }
    }
    for n in 0..play.s.hidden.len() {
        let veil = play.s.hidden[n];
        if play.rules.vehicle(veil.unit).side == side {
            lift(play.s, veil);
        }
    }
    play.s.stamp.renew();
}

/// It has acted.
pub fn acted(play: &mut Play) {
    if play.s.hidden.is_empty() {
        return;
    }
    // A unit whose Command is open is in view.
    let open: Named = (play.s.hidden.iter().map(|veil| veil.unit))
        .filter(|unit| {
            play.s.unit(*unit).is(Flags::REVEALED)
                || play.s.unit(*unit).place != Place::Map && play.s.unit(*unit).place != Place::Hidden
        })
        .collect();
    veil(play.s);
    for unit in open {
        uncover(play, unit);
    }
    play.s.stamp.renew();
}

/// The units that an action makes visible.
fn acting(action: &Action) -> Named {
    let mut named = Named::new();
    let mut moves = |unit: UnitId, plan: &crate::action::Plan| {
        named.push(unit);
        for part in plan.iter() {
            match part {
                Part::Mount(unit) | Part::Dismount { unit, .. } | Part::Bail { unit, .. } => named.push(unit),
                _ => {}
            }
        }
    };
    match action {
        Action::Move(order) => moves(order.unit, &order.plan),
        Action::Go(go) => named.push(go.unit),
        Action::Fire { shots, .. } => named.extend(shots.iter().map(|shot| shot.unit)),
        Action::Smoke { unit, .. }
        | Action::Discharge { unit }
        | Action::Stay { unit }
        | Action::Dismount { unit, .. }
        | Action::DismountAssault { unit, .. } => named.push(*unit),
        Action::Assault { attackers, .. } => named.extend(attackers.iter().map(|a| a.unit)),
        Action::Call(order) => {
            named.push(order.observer);
            named.extend(order.sources.iter().filter_map(|source| match source {
                Source::Unit { unit, .. } => Some(*unit),
                Source::Battery(_) => None,
            }));
        }
        Action::Demolish { units, .. } => named.extend(units.iter().copied()),
        Action::Aa(units) | Action::Overruns { units, .. } => named.extend(units.iter().copied()),
        _ => {}
    }
    named
}
