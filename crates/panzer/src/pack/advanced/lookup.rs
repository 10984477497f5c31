//! Lookups in the tables of the Advanced Game.

use serde::{Deserialize, Serialize};

use super::{
    AaRow, AdvancedTables, Altitude, Angle, BailResult, CloseAssaultModifier, Damage, FootDefense,
    GpModifier, Grade, HandToHandModifier, LegSize, Level, Location, Outcome, Passenger, RangeFactor, Rate,
    Response, ResponseModifier, Speed, SpotSize, TargetType, VehicleCard, Weapon,
};
use crate::field::Terrain;
use crate::pack::Cover;

/// The kinds of GP fire (6.5.4.3): the columns of its modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fire {
    #[default]
    Direct,
    Indirect,
    Air,
}

/// How well a target is hull down (6.5.2.2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HullDown {
    #[default]
    None,
    Partial,
    Full,
}

/// The effect of GP fire on a vehicle (6.5.4.4.2), and of Close Assault (6.6.1.1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VehicleResult {
    #[default]
    None,
    Suppressed,
    /// d10 for turret or hull follows.
    Damage,
    Track,
    /// d10 for Knocked Out or Brewed Up follows: Brewed Up on a roll up to this.
    Destroyed {
        brew_up: u8,
    },
}

/// A bail-out test (6.5.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BailTest {
    /// Added to the roll, by grade.
    pub modifier: i8,
    pub value: u8,
    /// If set, a unit that passes survives the loss of the vehicle; otherwise a unit that passes stays in it.
    pub survives: bool,
}

impl BailTest {
    /// Whether a roll means that the unit leaves the vehicle: by bail-out, or by escape from a lost one.
    pub fn out(&self, roll: u8) -> bool {
        let total = i16::from(roll) + i16::from(self.modifier);
        if self.survives { total >= i16::from(self.value) } else { total <= i16::from(self.value) }
    }
}

impl AdvancedTables {
    /// 6.1.3: the greatest range at which something of this size is spotted.
    pub fn spotting_range(&self, net: i8, size: SpotSize) -> u8 {
        let row = 2 - net.clamp(-5, 2); // 4.1.3
        self.spotting[row as usize][size as usize]
    }

    /// 6.2.1.1.1: the number of Commands of a formation with this many active units.
    pub fn commands(&self, grade: Grade, active: u8) -> u8 {
        if active == 0 {
            return 0;
        }
        let row = &self.available[grade.index()];
        let rest = (active % 10).checked_sub(1).map_or(0, |column| row[usize::from(column)]);
        (active / 10 * row[9] + rest).max(self.least_commands)
    }

    /// 6.5.2.1: number of hits of a to-hit roll against a hit number.
    pub fn hits(&self, rate: Rate, number: u8, roll: u8) -> u8 {
        if roll > number || number == 0 {
            return 0;
        }
        let cell = |list: &Vec<u8>| list.get(usize::from(number) - 1).copied().unwrap_or(0);
        match rate {
            Rate::F if roll <= cell(&self.ap.three_hits) => 3,
            Rate::Q if roll <= cell(&self.ap.two_hits[0]) => 2,
            Rate::R if roll <= cell(&self.ap.two_hits[1]) => 2,
            Rate::F if roll <= cell(&self.ap.two_hits[2]) => 2,
            _ => 1,
        }
    }

    /// 6.5.2.2: the location of a hit by the tens die (0 = 10); none if a hull down target is missed.
    pub fn location(&self, angle: Angle, index: u8, falling: bool, hull_down: HullDown) -> Option<Location> {
        let index = usize::from(index.clamp(1, 10));
        let (printed, star) = self.ap.locations[angle.index()][index - 1]?;
        let place = if falling && index == 1 { Location::Deck } else { printed }; // 6.5.2.2.2
        let missed = match hull_down {
            HullDown::None => false,
            HullDown::Full => place.hull() || place == Location::Track, // 6.5.2.2.3
            HullDown::Partial => place.hull() && star || place == Location::Track,
        };
        (!missed).then_some(place)
    }

    /// 6.5.2.5: the effect of a penetrating hit, by the units die (0 = 10).
    pub fn ap_damage(&self, weapon: &Weapon, die: u8, target: TargetType) -> Damage {
        let die = die.clamp(1, 10) as i8;
        let die = if target == TargetType::S { (die + self.ap.soft_target_die).max(1) } else { die };
        weapon.damage(die as u8)
    }

    /// 6.5.2.6: the test of a crew or passenger; `None` if the table has no row.
    pub fn bail_out(&self, result: BailResult, who: Passenger, grade: Grade) -> Option<BailTest> {
        let row = self.bail_out.iter().find(|row| row.result == result && row.who == who)?;
        let modifier = self.grades[grade.index()].bail_out;
        Some(BailTest { modifier, value: row.value, survives: row.survives })
    }

    /// 6.5.4.4: N and S for a GP factor and a GP defense.
    pub fn gp_cell(&self, gpf: u8, gpd: u8) -> (i16, i16) {
        let row = usize::from(gpd.clamp(1, 10)) - 1;
        let column = usize::from(gpf.clamp(1, 15)) - 1;
        self.gp.cells[row][column]
    }

    /// 6.5.4.4: the outcome of a modified roll.
    pub fn gp_outcome(&self, gpf: u8, gpd: u8, total: i16) -> Outcome {
        outcome(self.gp_cell(gpf, gpd), total)
    }

    /// 6.5.4.3: a modifier's value for a kind of fire; none if it does not apply.
    pub fn gp_modifier(&self, modifier: GpModifier, fire: Fire) -> Option<i8> {
        self.gp.modifiers[modifier.index()][fire as usize]
    }

    /// 6.5.4.3, 6.7.3.5: the shooter's grade; indirect fire has none.
    pub fn gp_grade(&self, grade: Grade, factor: RangeFactor) -> i8 {
        self.grades[grade.index()].gp[factor.index()]
    }

    /// 6.5.2.4
    pub fn ap_grade(&self, grade: Grade, factor: RangeFactor) -> i8 {
        self.grades[grade.index()].ap[factor.index()]
    }

    /// 6.5.4.2.2: GP defense of a Leg or towed unit.
    pub fn foot_defense(&self, card: &FootDefense, cover: Cover, full_cover: bool, moving: bool) -> u8 {
        let bonus = if full_cover { card.full_cover } else { 0 };
        let value = (card.by_cover[cover as usize] + bonus) as i8;
        let value = if moving { value + self.gp.moving } else { value };
        value.clamp(self.gp.defense_min as i8, self.gp.defense_max as i8) as u8
    }

    /// 6.5.4.2.3: GP defense of a passenger.
    pub fn passenger_defense(&self, covered: bool) -> u8 {
        if covered { self.gp.covered_passenger } else { self.gp.open_passenger }
    }

    /// 6.5.4.4.2: Small Arms against a vehicle.
    pub fn small_arms_result(
        &self,
        outcome: Outcome,
        target: TargetType,
        factor: RangeFactor,
        total: i16,
        gpf: u8,
    ) -> VehicleResult {
        use RangeFactor::{P, S};
        use VehicleResult::{Damage, Suppressed};
        match (outcome, target, factor) {
            (Outcome::NoEffect, ..) => VehicleResult::None,
            (Outcome::Suppressed, TargetType::A, P)
            | (Outcome::Suppressed, TargetType::P, P | S)
            | (Outcome::Suppressed, TargetType::S, _)
            | (Outcome::Effective, TargetType::A, P | S)
            | (Outcome::Effective, TargetType::P, S) => Suppressed,
            (Outcome::Effective, TargetType::P, P) => Damage,
            // 6.5.4.4.2, 5.12: half the factor, rounded down, at least 1.
            (Outcome::Effective, TargetType::S, _) => self.by_digit(total, (gpf / 2).max(1)),
            _ => VehicleResult::None,
        }
    }

    /// 6.5.4.4.2: a weapon that is not Small Arms against a vehicle. `gate` is false for a crashing aircraft
    /// (6.7.4.2.1).
    pub fn heavy_result(
        &self,
        outcome: Outcome,
        target: TargetType,
        gpd: u8,
        effectiveness: u8,
        total: i16,
        gate: bool,
    ) -> VehicleResult {
        match outcome {
            Outcome::NoEffect => VehicleResult::None,
            Outcome::Suppressed => VehicleResult::Suppressed,
            Outcome::Effective if gate && target != TargetType::S && effectiveness < gpd => {
                VehicleResult::Suppressed
            }
            Outcome::Effective => self.by_digit(total, effectiveness),
        }
    }

    /// 6.5.4.4.2, the rule of 5 and 10: by the last digit of the modified total.
    pub fn by_digit(&self, total: i16, brew_up: u8) -> VehicleResult {
        match (total.unsigned_abs() % 10) as u8 {
            digit if digit == self.gp.damage_digit => VehicleResult::Damage,
            digit if digit == self.gp.track_digit => VehicleResult::Track,
            _ => VehicleResult::Destroyed { brew_up },
        }
    }

    /// 6.5.4.4.2: d10 for the place of damage; an unarmed vehicle is always hit in the hull.
    pub fn damages_turret(&self, die: u8, armed: bool) -> bool {
        armed && die <= self.gp.turret_max
    }

    /// 6.5.1.12: what a response roll must reach.
    pub fn response(&self, observer: Response, level: Level) -> u8 {
        self.indirect.response[observer.index()][level.index()]
    }

    /// 6.5.1.12.1
    pub fn response_modifier(&self, modifier: ResponseModifier) -> i8 {
        self.indirect.modifiers[modifier.index()]
    }

    /// 6.6.1.1.1: N and S of a Close Assault; a defense above 5 counts as 5.
    pub fn close_assault_cell(&self, attacker: LegSize, gpd: u8) -> (i16, i16) {
        self.gp_cell(self.assault.close[attacker as usize].gpf, gpd.min(self.assault.gpd_max))
    }

    /// 6.6.1.1.3: the effect of a Close Assault on a vehicle of any type. A flamethrower always brews it up.
    pub fn close_assault(&self, attacker: LegSize, gpd: u8, total: i16, flamethrower: bool) -> VehicleResult {
        let brew_up = if flamethrower { 10 } else { self.assault.close[attacker as usize].brew_up };
        match outcome(self.close_assault_cell(attacker, gpd), total) {
            Outcome::NoEffect => VehicleResult::None,
            Outcome::Suppressed => VehicleResult::Suppressed,
            Outcome::Effective => self.by_digit(total, brew_up),
        }
    }

    /// 6.6.1.1.2
    pub fn close_modifier(&self, modifier: CloseAssaultModifier) -> i8 {
        self.assault.close_modifiers[modifier.index()]
    }

    /// 6.6.1.2.2
    pub fn hand_modifier(&self, modifier: HandToHandModifier) -> i8 {
        self.assault.hand_modifiers[modifier.index()]
    }

    /// 6.6.3: whether entering or leaving a building damages a vehicle.
    pub fn building_harms(&self, building: Terrain, roll: u8, gpd: u8) -> bool {
        let total = i16::from(roll) + i16::from(self.movement.building_gpd_factor) * i16::from(gpd);
        self.building(building).is_some_and(|entry| (1..=i16::from(entry.hit_max)).contains(&total))
    }

    /// 6.6.3: whether that damage is a track hit, by a second roll.
    pub fn building_breaks_track(&self, building: Terrain, roll: u8) -> bool {
        self.building(building).is_some_and(|entry| roll <= entry.track_max)
    }

    fn building(&self, building: Terrain) -> Option<&super::BuildingEntry> {
        let entry = &self.movement.building_entry;
        match building {
            Terrain::WoodBuilding => Some(&entry[0]),
            Terrain::BrickBuilding => Some(&entry[1]),
            Terrain::StoneBuilding => Some(&entry[2]),
            _ => None,
        }
    }

    /// 6.6.9: modifier of a search by size, grade, and for a partial position.
    pub fn hull_down_modifier(&self, size: i8, grade: Grade, partial: bool) -> i8 {
        let search = &self.movement.hull_down;
        let size = search.size[(size.clamp(-2, 2) + 2) as usize];
        size + search.grade[grade.index()] + if partial { search.partial } else { 0 }
    }

    /// 6.7.3.1.1, 6.7.4.1.1: hexes to acquire a target, and to track an aircraft.
    pub fn acquisition(&self, altitude: Altitude, speed: Speed, suppressed: bool) -> u8 {
        self.doubled(self.air.altitude[altitude.index()].acquisition[speed.index()], suppressed)
    }

    pub fn tracking(&self, altitude: Altitude, speed: Speed, suppressed: bool) -> u8 {
        self.doubled(self.air.altitude[altitude.index()].tracking[speed.index()], suppressed)
    }

    fn doubled(&self, hexes: u8, suppressed: bool) -> u8 {
        if suppressed { hexes * self.air.suppressed_multiplier } else { hexes }
    }

    /// 6.7.4.2: modifiers of AA fire except those of the firing unit's state; `None` if it cannot fire that high.
    pub fn aa_modifiers(&self, row: &AaRow, altitude: Altitude, speed: Speed) -> Option<Vec<(AaCause, i8)>> {
        let mut list = vec![(AaCause::Unit, row.modifier)];
        if speed == Speed::Fast {
            list.push((AaCause::Fast, self.air.aa_vs_fast));
        }
        match altitude {
            Altitude::Low => list.push((AaCause::Low, self.air.aa_vs_low)),
            Altitude::Medium => {}
            Altitude::High => list.push((AaCause::High, self.air.aa_vs_high + row.vs_high?)), // 6.7.4.1.2
        }
        Some(list)
    }
}

/// 6.7.4.2
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AaCause {
    Unit,
    Fast,
    High,
    Low,
}

/// 6.5.4.4: up to N no effect, up to S suppressed, above it effective.
pub fn outcome((n, s): (i16, i16), total: i16) -> Outcome {
    if total <= n {
        Outcome::NoEffect
    } else if total <= s {
        Outcome::Suppressed
    } else {
        Outcome::Effective
    }
}

/// 6.6.2, 3.7: an allowance halved for each cause, at least 1.
pub fn allowance(allowance: u8, halved: u8) -> u8 {
    (allowance >> halved.min(7)).max(1)
}

/// 6.6.10.1: GP factors at range 1 of all weapons of a vehicle, and of its passengers' inherent weapons.
pub fn overrun_factor(
    tables: &AdvancedTables,
    weapons: &[Weapon],
    vehicle: &VehicleCard,
    passengers: impl Iterator<Item = u8>,
) -> u8 {
    let range = u32::from(tables.assault.overrun_range);
    let own =
        vehicle.weapons.iter().filter_map(|m| weapons[m.weapon].gp?.at(range)).map(|(_, factor)| factor);
    let total: u32 = own.chain(passengers).map(u32::from).sum();
    total.min(u32::from(tables.assault.overrun_factor_max)) as u8
}
