//! What a unit can do in one mode of movement at this moment (11, 12, 22): its allowance and its restrictions.

use hexgrid::HexId;

use super::bar::Bar;
use crate::{
    action::Mode,
    flags::Flags,
    pack::{Side, Tag, UnitId},
    place::Place,
    rules::Ardennes,
    state::State,
    terrain::{Class, Mover, cost_index},
};

pub use zocbond::moves::ANY_HEXES;

/// A unit ready to move in a mode.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    pub unit: UnitId,
    pub side: Side,
    pub mode: Mode,
    /// The hex it is in; [`HexId::NONE`] off the map.
    pub start: HexId,
    /// The hex in which its move began: crossings count from there (11.4).
    pub origin: HexId,
    /// Index into the cost arrays of the terrain chart.
    pub cost: usize,
    /// Quarter points left.
    pub left: u16,
    /// Hexes left, whatever they cost.
    pub hexes: u8,
    /// Artillery shifting its position: one hex whatever it costs (22.2).
    pub shift: bool,
    /// Pays nothing for terrain, EZOC and delay markers (11.3).
    pub free: bool,
    pub vehicle: bool,
    /// The whole move must follow roads (12.1).
    pub roads_only: bool,
    /// May never be next to an enemy (12.2); 1E: never in an EZOC.
    pub away_from_enemy: bool,
    /// May not enter an EZOC (18.2).
    pub no_ezoc: bool,
    /// May cross an unbridged river or a roadless Wooded Rough side (11.4, 11.6).
    pub may_cross: bool,
    /// Quarter points to leave its hex (9.2).
    pub leave: u16,
    /// Army boundaries restrict it (11.10).
    pub boundaries: bool,
    /// Set-up areas restrict it (29.3).
    pub areas: bool,
    /// West of the Meuse only (27.3).
    pub west_of_meuse: bool,
    /// Some hexes are closed to it or its side even where no enemy is near.
    pub bound: bool,
    pub mover: Mover,
    /// Quarter points beyond `left` that Extended Movement would give (11.2): one search serves both.
    pub extension: u16,
    /// 29.2: it may cross at Echternach.
    pub echternach: bool,
}

impl Profile {
    /// 1E 11.4: hard crossings without Tactical Movement. The cheapest path to a hex may make a second one.
    pub fn counts_crossings(&self) -> bool {
        self.may_cross && !self.free
    }
}

/// 27.6: hexes of the RRD regiments on turn 2, by edition.
const RRD_HEXES: [u8; 2] = [2, 1];
/// 25.24
const REPLACED_HEXES: u8 = 1;
/// 22.2
const SHIFT_HEXES: u8 = 1;
/// 25.35: quarter points of a unit with a Night marker.
const NIGHT_QUARTERS: u16 = 4;
/// 1E 25.3: hexes of a unit with a Night marker.
const NIGHT_HEXES_1E: u8 = 1;

/// 25.35: does a Night marker restrict the unit in this PM turn?
fn waits_for_night(s: &State, unit: UnitId) -> bool {
    s.unit(unit).is(Flags::NIGHT) && !s.night
}

/// 25.24: does a Replacement marker restrict the unit?
fn is_replaced(s: &State, unit: UnitId) -> bool {
    s.unit(unit).is(Flags::REPLACED) && !s.night
}

/// The rule that limits the points of a unit.
pub(super) fn rule_of_points(s: &State, unit: UnitId) -> &'static str {
    if waits_for_night(s, unit) { "25.35" } else { "11.1" }
}

impl Ardennes {
    /// May the unit move at all in this phase? Restrictions that apply in any mode.
    pub fn may_move(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
        let counter = self.counter(unit);
        let u = s.unit(unit);
        if counter.side != side {
            return Err(Bar::unit("11.1", "not_yours"));
        }
        if !matches!(u.place(), Place::Hex(_) | Place::Due | Place::Box(_) | Place::Blocking(_)) {
            return Err(Bar::unit("11.1", "not_in_play"));
        }
        if u.is(Flags::LANDED) {
            return Err(Bar::unit("27.2", "landed"));
        }
        if u.is(Flags::MOVED) {
            return Err(Bar::unit("11.1", "moved_already"));
        }
        if u.is(Flags::ENGAGED) {
            return Err(Bar::unit("16.5", "engaged"));
        }
        if self.turn_one(s) && !u.is(Flags::ARRIVED) {
            // Parts of a restricted unit are restricted as it is.
            let whole = self.counter(self.origin(s, unit));
            if whole.has(Tag::Rrd) {
                return Err(Bar::unit("27.6", "rrd"));
            }
            if whole.red_code && !u.is(Flags::RELEASED) {
                return Err(Bar::unit("29.1", "red_code"));
            }
        }
        if s.night && !self.moves_at_night(s, unit) {
            let unfit = u.is(Flags::NIGHT);
            return Err(if unfit {
                Bar::unit("25.34", "night.unfit")
            } else {
                Bar::unit("25.31", "night.no_marker")
            });
        }
        if u.is(Flags::REPLACED) && self.replaced_stay() {
            return Err(Bar::unit("25.24", "replaced"));
        }
        Ok(())
    }

    /// 25.31, 25.34, 27.5
    pub fn moves_at_night(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.is(Flags::NIGHT) && !u.is(Flags::UNFIT_FOR_NIGHT)
            || self.first_night(s) && self.counter(unit).has(Tag::KgPeiper)
    }

    /// The rule that limits the number of hexes: the strictest that applies.
    pub(super) fn rule_of_hexes(&self, s: &State, p: &Profile) -> &'static str {
        if is_replaced(s, p.unit) {
            "25.24"
        } else if waits_for_night(s, p.unit) {
            "25.35"
        } else if self.rrd_limit(s, p.unit).is_some_and(|limit| limit == p.hexes) {
            "27.6"
        } else if p.free && s.unit(p.unit).is(Flags::DISRUPTED) && self.disrupted_go_less_far() {
            "18.2"
        } else if p.free {
            "11.3"
        } else if self.counter(p.unit).artillery {
            "22.2"
        } else {
            "11.1"
        }
    }

    /// 1E 18.2: fewer hexes than other Tactical Movement (11.3).
    fn disrupted_go_less_far(&self) -> bool {
        let numbers = &self.tables().movement;
        numbers.disrupted_hexes < numbers.tactical_hexes
    }

    /// 27.6: the hexes of the RRD regiments on turn 2.
    fn rrd_limit(&self, s: &State, unit: UnitId) -> Option<u8> {
        let bound = self.counter(self.origin(s, unit)).has(Tag::Rrd)
            && s.turn == 2
            && self.scenario.turn_one_rules
            && !s.night;
        bound.then_some(RRD_HEXES[self.edition.index()])
    }

    /// The Night turn of 16 December (27.5).
    pub fn first_night(&self, s: &State) -> bool {
        s.night && s.turn == 2 && self.scenario.turn_one_rules
    }

    /// 29: are the special rules of turn 1 in force?
    pub fn turn_one(&self, s: &State) -> bool {
        s.turn == 1 && self.scenario.turn_one_rules
    }

    /// What the unit can do in a mode.
    pub fn profile(&self, s: &State, side: Side, unit: UnitId, mode: Mode) -> Result<Profile, Bar> {
        self.may_move(s, side, unit)?;
        self.profile_in(s, side, unit, mode)
    }

    /// The profile of a unit that is known to be allowed to move.
    pub(super) fn profile_in(&self, s: &State, side: Side, unit: UnitId, mode: Mode) -> Result<Profile, Bar> {
        let counter = self.counter(unit);
        let u = s.unit(unit);
        let numbers = &self.tables().movement;
        let tactical_only = u.is(Flags::OOS | Flags::DISRUPTED);
        if u.is(Flags::DISRUPTED) && u.hex().is_none() {
            return Err(Bar::unit("17.6", "disrupted.box"));
        }
        // 31.2
        if self.airborne_now(s, unit) && !matches!(mode, Mode::Strategic | Mode::Truck) {
            return Err(Bar::unit("31.2", "airborne.strategic_only"));
        }
        let (class, points, mut hexes) = match mode {
            Mode::Normal => {
                // 18.2, 23.4, 13.2
                if u.is(Flags::DISRUPTED) {
                    return Err(Bar::other_mode("18.2", "disrupted.tactical_only"));
                }
                if u.is(Flags::OOS) {
                    return Err(Bar::other_mode("23.4", "oos.tactical_only"));
                }
                if u.is(Flags::ARRIVED) && self.is_engineer(unit) {
                    return Err(Bar::other_mode("13.2", "engineer.tactical_only"));
                }
                self.normal_allowance(s, unit)?
            }
            Mode::Extended => {
                // 11.2
                if counter.mechanized || u.is(Flags::TRUCK) && u.is(Flags::MARKER_USED) {
                    return Err(Bar::unit("11.2", "extended.mechanized"));
                }
                if tactical_only || u.is(Flags::NIGHT) && !s.night {
                    return Err(Bar::unit("11.2", "extended.not_now"));
                }
                if u.is(Flags::ARRIVED) && self.is_engineer(unit) {
                    return Err(Bar::other_mode("13.2", "engineer.tactical_only"));
                }
                let allowance = self.factors(s, unit).movement + numbers.extended_bonus;
                (Class::Foot, allowance, ANY_HEXES)
            }
            Mode::Tactical => {
                self.tactical_allowance(s, unit)?;
                let hexes =
                    if u.is(Flags::DISRUPTED) { numbers.disrupted_hexes } else { numbers.tactical_hexes };
                (self.plain_class(unit), 0, hexes)
            }
            Mode::Strategic => {
                self.may_use_strategic(s, unit)?;
                let allowance =
                    if counter.artillery { counter.fired_movement } else { self.factors(s, unit).movement };
                (Class::Mechanized, allowance * numbers.strategic_factor, ANY_HEXES)
            }
            Mode::Truck => {
                self.may_use_truck(s, unit)?;
                // 12.62
                (Class::Mechanized, numbers.truck_allowance, ANY_HEXES)
            }
            Mode::PrimeMover => {
                self.may_use_prime_mover(s, unit)?;
                // 23.4: out of supply this is Tactical Movement, for which its allowance is enough (11.3).
                let hexes = if u.is(Flags::OOS) { numbers.tactical_hexes } else { ANY_HEXES };
                (Class::Mechanized, numbers.prime_mover_allowance, hexes)
            }
        };
        if is_replaced(s, unit) {
            hexes = hexes.min(REPLACED_HEXES);
        }
        if let Some(limit) = self.rrd_limit(s, unit) {
            hexes = hexes.min(limit);
        }
        let mut left = u16::from(points) * 4;
        if waits_for_night(s, unit) {
            // 25.35
            if mode != Mode::Normal {
                return Err(Bar::unit("25.35", "night.one_point"));
            }
            if self.night_counts_hexes() {
                hexes = hexes.min(NIGHT_HEXES_1E);
            } else {
                left = left.min(NIGHT_QUARTERS);
            }
        }
        let walking = s.walk.units.contains(unit);
        let walked = if walking { s.walk.hexes } else { 0 };
        let start = u.hex().unwrap_or(HexId::NONE);
        let on_map = start != HexId::NONE;
        let strategic = matches!(mode, Mode::Strategic | Mode::Truck);
        if strategic && on_map && self.too_near_for_strategic(s, side, start) {
            return Err(Bar::hex("12.2", "strategic.near_enemy", start));
        }
        let ezoc = on_map && s.in_ezoc(side, start) && walked == 0;
        let areas = side == Side::German && self.turn_one(s);
        let west_of_meuse = counter.british && !self.british_free(s, unit);
        // 11.2
        let extends = mode == Mode::Normal
            && !counter.mechanized
            && hexes == ANY_HEXES
            && (s.night || !u.is(Flags::NIGHT));
        // Built in place: copying it would read it right after it was written, which stalls.
        Ok(Profile {
            unit,
            side,
            mode,
            start,
            origin: if walking { s.walk.origin.0 } else { start },
            cost: cost_index(class, self.ground(s)),
            left: left.saturating_sub(u16::from(u.spent)),
            hexes: if hexes == ANY_HEXES { hexes } else { hexes.saturating_sub(walked) },
            shift: mode == Mode::Normal
                && counter.artillery
                && walked == 0
                && (counter.nebelwerfer || !u.is(Flags::FIRED)),
            free: mode == Mode::Tactical || mode == Mode::PrimeMover && u.is(Flags::OOS),
            vehicle: counter.vehicle,
            roads_only: strategic,
            away_from_enemy: strategic,
            no_ezoc: u.is(Flags::DISRUPTED),
            // 11.4, 11.6; 1E 11.6 does not ask for Tactical Movement into Wooded Rough
            may_cross: !counter.vehicle
                && (mode == Mode::Tactical || self.crosses_in_any_mode() && !strategic)
                && (!walking || s.walk.crossings == 0),
            leave: if ezoc { u16::from(numbers.leave_ezoc_quarters) } else { 0 },
            boundaries: side == Side::German
                && s.turn < numbers.boundary_free_turn
                && self.scenario.turn_one_rules,
            areas,
            west_of_meuse,
            bound: areas || west_of_meuse || self.area_is_closed(s, side),
            mover: match (mode, counter.vehicle, class) {
                (Mode::Strategic | Mode::Truck, ..) => Mover::March,
                (Mode::PrimeMover, true, _) if u.is(Flags::OOS) => Mover::TacticalVehicle,
                (Mode::Tactical, true, _) => Mover::TacticalVehicle,
                (Mode::Tactical, false, _) => Mover::Tactical,
                (_, true, _) => Mover::Vehicle,
                (_, _, Class::Foot) => Mover::Foot,
                (_, _, Class::Mechanized) => Mover::MechInfantry,
            },
            extension: if extends { u16::from(numbers.extended_bonus) * 4 } else { 0 },
            echternach: self.echternach_open(s, unit),
        })
    }

    fn plain_class(&self, unit: UnitId) -> Class {
        if self.counter(unit).mechanized { Class::Mechanized } else { Class::Foot }
    }

    pub fn is_engineer(&self, unit: UnitId) -> bool {
        self.counter(unit).engineer
    }

    /// 11.1, 22.1–22.3: allowance in points and hexes of normal movement.
    fn normal_allowance(&self, s: &State, unit: UnitId) -> Result<(Class, u8, u8), Bar> {
        let counter = self.counter(unit);
        let class = self.plain_class(unit);
        if !counter.artillery {
            return Ok((class, self.factors(s, unit).movement, ANY_HEXES));
        }
        if counter.nebelwerfer {
            return Ok((class, counter.front.movement, SHIFT_HEXES)); // 22.2
        }
        match counter.side {
            Side::German => Err(Bar::other_mode("22.3", "artillery.prime_mover")),
            // 22.1: more than one hex turns it to Fired; 22.2: one hex at any cost does not.
            Side::Allied => Ok((class, counter.fired_movement, ANY_HEXES)),
        }
    }

    /// 11.3: any unit with a current allowance of 2 or more, including Disrupted ones.
    fn tactical_allowance(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let counter = self.counter(unit);
        let u = s.unit(unit);
        // 22.1, 23.4: out of supply, Ready artillery moves as on its Fired side, which it is then turned to.
        let as_fired = u.is(Flags::FIRED) || u.is(Flags::OOS) && !u.is(Flags::DISRUPTED);
        let allowance = match (counter.artillery, as_fired, counter.side) {
            (true, true, Side::Allied) => counter.fired_movement,
            (true, false, Side::Allied) => SHIFT_HEXES, // 22.2: Ready artillery has MA 1
            (true, _, Side::German) => 0,
            (false, ..) => self.factors(s, unit).movement,
        };
        // 1E 18.2: the one hex of a Disrupted unit is not Tactical Movement and needs only one point.
        let creeps = self.disrupted_creep() && u.is(Flags::DISRUPTED);
        let least = if creeps { 1 } else { self.tables().movement.tactical_hexes };
        if allowance < least {
            return Err(Bar::unit("11.3", "tactical.allowance"));
        }
        Ok(())
    }

    /// 12.2: adjacent to an enemy; 1E: in an EZOC.
    pub fn too_near_for_strategic(&self, s: &State, side: Side, hex: HexId) -> bool {
        if self.zoc_is_near() { s.in_ezoc(side, hex) } else { s.near_enemy(side, hex) }
    }

    /// 27.3: the 29th Armoured Brigade late in the game or once the Meuse is crossed.
    pub fn british_free(&self, s: &State, unit: UnitId) -> bool {
        !self.british_stay_bound()
            && self.counter(unit).has(Tag::Arm29)
            && (s.meuse_crossed || s.turn >= self.tables().victory.arm29_free_turn)
    }

    /// 29.2: one unit of the 212th VG may cross at Echternach on turn 1.
    fn echternach_open(&self, s: &State, unit: UnitId) -> bool {
        self.turn_one(s)
            && !s.echternach_used
            && self.counter(unit).formation == Some(self.pack.places.echternach_formation)
            && self.land.echternach.is_some_and(|[from, _]| s.unit(unit).hex() == Some(from))
    }

    /// Quarter points that enemy markers and the Bottleneck add to a hex (24.2, 24.7, 33.1).
    pub fn delay(&self, s: &State, side: Side, hex: HexId) -> u16 {
        let numbers = &self.tables().movement;
        let enemy = side.enemy().index();
        let mut quarters = 0;
        if s.traffic[enemy].iter().any(|at| at.hex() == Some(hex)) {
            quarters += u16::from(numbers.traffic_quarters);
        }
        if s.roadblocks[enemy].iter().any(|at| at.hex() == Some(hex)) {
            quarters += u16::from(numbers.roadblock_quarters);
        }
        if side == Side::German && self.land.bottleneck.contains(hex) {
            let held = self.land.st_vith.is_some_and(|hex| s.control(hex) == Side::German);
            quarters +=
                u16::from(if held { numbers.bottleneck_held_quarters } else { numbers.bottleneck_quarters });
        }
        quarters
    }
}
