//! Strategic Movement, Truck and Prime Mover markers (12, 22.3): who may use one, and how many are left.

use super::{
    bar::Bar,
    candidates::{self, MARKERS},
};
use crate::{
    action::Mode,
    flags::Flags,
    pack::{Army, FormationKind, Side, Tag, UnitId},
    place::Place,
    rules::Ardennes,
    state::{State, UnitSet},
};

impl Ardennes {
    /// The number of the side's SM markers on units, including Trucks and Prime Movers, which are their backs
    /// (12.4, 22.3). Units of one regiment or brigade that move together share one.
    pub fn markers_in_use(&self, s: &State, side: Side) -> u8 {
        candidates::markers_in_use(self, s, side)
    }

    /// How many markers these units use; a unit that shares its marker counts once.
    pub(super) fn count_markers(&self, s: &State, marked: &UnitSet) -> u8 {
        marked.iter().filter(|u| !self.rides_along(s, *u)).count() as u8
    }

    /// 12.4: does the unit share the marker of another unit of its regiment or brigade in the same hex?
    fn rides_along(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).hex().is_some_and(|hex| {
            s.stack(hex).any(|other| {
                other < unit && s.unit(other).is(Flags::ON_ROAD) && self.one_marker_for(s, unit, other)
            })
        })
    }

    /// 12.4 (G-10): do the two belong to one regiment or brigade? A Breakdown battalion belongs to that of its parent.
    /// 1E: each unit has its own marker.
    pub(super) fn one_marker_for(&self, s: &State, a: UnitId, b: UnitId) -> bool {
        let [a, b] = [a, b].map(|unit| self.origin(s, unit));
        let [one, other] = [a, b].map(|unit| self.counter(unit));
        let regiment = one.regiment.is_some() && one.regiment == other.regiment;
        let brigade = one.formation.filter(|id| self.pack.formation(*id).kind == FormationKind::Brigade);
        !self.marker_for_each() && (a == b || regiment || brigade.is_some() && brigade == other.formation)
    }

    /// 31.2: is this an airborne unit that waits to enter on the turn of its arrival?
    pub(crate) fn airborne_now(&self, s: &State, unit: UnitId) -> bool {
        self.airborne_turn(s) && self.counter(unit).has(Tag::Airborne) && s.unit(unit).is_at(Place::Due)
    }

    pub(crate) fn airborne_turn(&self, s: &State) -> bool {
        self.scenario.airborne.is_some_and(|airborne| airborne.turn == s.turn && !s.night)
    }

    /// 31.2: markers that are reserved for the airborne units still to enter this turn.
    fn reserved(&self, s: &State) -> u8 {
        self.units_of(Side::Allied).filter(|unit| self.airborne_now(s, *unit)).count() as u8
    }

    /// 31.2: on their turn the airborne units have their markers, and others use what is left. A marker that has not
    /// been used in this phase may be taken (12.7).
    fn marker_beside_airborne(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let u = s.unit(unit);
        let limit = self.tables().markers.strategic[Side::Allied.index()];
        let marked: UnitSet = self
            .units_of(Side::Allied)
            .filter(|unit| s.unit(*unit).is(MARKERS) && s.unit(*unit).is(Flags::MARKER_USED))
            .collect();
        let used = self.count_markers(s, &marked);
        if u.is(MARKERS) && u.is(Flags::MARKER_USED) {
            return Ok(());
        }
        if self.airborne_now(s, unit) {
            let none = Bar::count("12.4", "strategic.no_marker", limit);
            return if used < limit { Ok(()) } else { Err(none) };
        }
        let reserved = self.reserved(s);
        if used + reserved < limit {
            return Ok(());
        }
        Err(match reserved {
            0 => Bar::count("12.4", "strategic.no_marker", limit),
            _ => Bar::count("31.2", "airborne.reserved", reserved),
        })
    }

    pub fn markers_left(&self, s: &State, side: Side) -> u8 {
        self.tables().markers.strategic[side.index()].saturating_sub(self.markers_in_use(s, side))
    }

    /// Is a marker available for this unit, or has it one in use?
    fn marker_for(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let u = s.unit(unit);
        let side = self.counter(unit).side;
        if side == Side::Allied && self.airborne_turn(s) {
            self.marker_beside_airborne(s, unit)?;
            if self.airborne_now(s, unit) {
                return Ok(());
            }
        }
        if u.is(MARKERS) || self.markers_left(s, side) > 0 {
            return Ok(());
        }
        Err(Bar::count("12.4", "strategic.no_marker", self.tables().markers.strategic[side.index()]))
    }

    fn may_use_any(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let u = s.unit(unit);
        let side = self.counter(unit).side;
        if s.night {
            return Err(Bar::unit("25.31", "strategic.night"));
        }
        if side == Side::Allied && self.turn_one(s) {
            return Err(Bar::unit("29.4", "strategic.surprise"));
        }
        if u.is(Flags::DISRUPTED) {
            return Err(Bar::other_mode("18.2", "disrupted.tactical_only"));
        }
        if u.is(Flags::OOS) {
            return Err(Bar::other_mode("23.4", "oos.tactical_only"));
        }
        if u.is(Flags::ARRIVED) && self.is_engineer(unit) {
            return Err(Bar::other_mode("13.2", "engineer.tactical_only"));
        }
        self.marker_for(s, unit)
    }

    /// 12.1
    pub(super) fn may_use_strategic(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let counter = self.counter(unit);
        if counter.artillery && counter.side == Side::German {
            return Err(Bar::unit("22.3", "strategic.german_artillery"));
        }
        if !counter.mechanized {
            return Err(Bar::unit("12.1", "strategic.foot"));
        }
        self.may_use_any(s, unit)
    }

    /// 12.6: the unit is on a Truck, or enters on one as a reinforcement.
    pub(super) fn may_use_truck(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let counter = self.counter(unit);
        let u = s.unit(unit);
        if counter.mechanized || counter.side != Side::Allied {
            return Err(Bar::unit("12.6", "truck.who"));
        }
        if !u.is(Flags::TRUCK) && u.place() != Place::Due {
            return Err(Bar::unit("12.61", "truck.not_loaded"));
        }
        if u.is(Flags::TRUCK) && u.is(Flags::MARKER_USED) && s.walk.hexes == 0 {
            return Err(Bar::unit("12.61", "truck.loading"));
        }
        self.may_use_any(s, unit)
    }

    /// 12.61: a unit on a Truck that is ordered to use Strategic Movement uses its Truck; likewise artillery its Prime
    /// Mover.
    pub fn mode_meant(&self, s: &State, unit: UnitId, mode: Mode) -> Mode {
        let by_truck = mode == Mode::Strategic
            && self.may_use_strategic(s, unit).is_err()
            && self.may_use_truck(s, unit).is_ok();
        // 22.3, 23.4: German artillery has Tactical Movement only with a Prime Mover.
        let towed = mode == Mode::Tactical
            && s.unit(unit).is(Flags::OOS)
            && self.counter(unit).artillery
            && self.may_use_prime_mover(s, unit).is_ok();
        match (by_truck, towed) {
            (true, _) => Mode::Truck,
            (_, true) => Mode::PrimeMover,
            _ => mode,
        }
    }

    /// 12.61: may it load onto a Truck now?
    pub fn may_load(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
        self.may_move(s, side, unit)?;
        let counter = self.counter(unit);
        let u = s.unit(unit);
        if counter.mechanized || counter.side != Side::Allied || counter.artillery {
            return Err(Bar::unit("12.6", "truck.who"));
        }
        if u.is(Flags::TRUCK) {
            return Err(Bar::unit("12.61", "truck.loaded"));
        }
        match u.place() {
            Place::Box(_) => {}
            Place::Hex(hex) => {
                if !self.land.hex(hex).has_road() {
                    return Err(Bar::hex("12.61", "truck.road", hex));
                }
                // 1E 12.61: two hexes from the enemy is far enough.
                if s.near_enemy(side, hex) {
                    return Err(Bar::hex("12.61", "truck.near_enemy", hex));
                }
            }
            _ => return Err(Bar::unit("12.61", "truck.place")),
        }
        self.may_use_any(s, unit)
    }

    /// 22.3: German artillery, if its army has a marker left.
    pub(super) fn may_use_prime_mover(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let counter = self.counter(unit);
        if !counter.artillery || counter.side != Side::German {
            return Err(Bar::unit("22.3", "prime_mover.who"));
        }
        let u = s.unit(unit);
        if u.is(Flags::DISRUPTED) {
            return Err(Bar::other_mode("18.2", "disrupted.tactical_only"));
        }
        if u.is(Flags::PRIME_MOVER) {
            return Ok(());
        }
        let army = match counter.army {
            Some(Army::SixthPanzer) => 0,
            Some(Army::FifthPanzer) => 1,
            Some(Army::Seventh) => 2,
            _ => return Err(Bar::unit("22.3", "prime_mover.who")),
        };
        let limit = self.tables().markers.prime_movers[army];
        let guns = self.guns[Side::German.index()].iter();
        let used = guns
            .filter(|gun| s.unit(*gun).is(Flags::PRIME_MOVER) && self.counter(*gun).army == counter.army)
            .count();
        if used >= usize::from(limit) {
            return Err(Bar::count("22.3", "prime_mover.army", limit));
        }
        self.marker_for(s, unit)
    }
}
