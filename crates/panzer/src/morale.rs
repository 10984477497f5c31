//! Morale (7.1): Hesitating and Broken units. The text of the chapter is lost: apart from what other chapters say about
//! it, the figures are house rules (`tables/advanced/optional.toml`).
//!
//! A unit that was suppressed or damaged, or lost a friend in its hex, checks at the end of the step once its formation
//! has reached its Cohesion Point; a unit that survives an assault or an overrun always checks.

use kernel::Stop;
use serde::{Deserialize, Serialize};

use crate::{
    event::Event,
    pack::{
        Side,
        advanced::{Label, TargetType},
    },
    play::Play,
    rules::Panzer,
    state::{Command, Flags, Place, State},
    units::{UnitId, UnitSet},
};

/// Checks to be made at the end of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Morale {
    /// 7.1.2
    pub normal: UnitSet,
    /// 7.1.3
    pub forced: UnitSet,
}

/// 7.1.5
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    Holds,
    Hesitates,
    Breaks,
}

impl Result {
    pub const fn key(self) -> &'static str {
        match self {
            Result::Holds => "holds",
            Result::Hesitates => "hesitates",
            Result::Breaks => "breaks",
        }
    }
}

/// 7.1.2: record an event that may shake a unit.
pub fn shaken(play: &mut Play, unit: UnitId) {
    if play.rules.optional(1) {
        play.s.morale.normal.insert(unit);
    }
}

/// 7.1.2: the friends of a lost unit in its hex.
pub fn lost(play: &mut Play, unit: UnitId) {
    if !play.rules.optional(1) {
        return;
    }
    let hex = play.s.unit(unit).hex;
    for friend in play.rules.units_of(play.rules.vehicle(unit).side) {
        if *friend != unit && play.s.unit(*friend).on_map() && play.s.unit(*friend).hex == hex {
            play.s.morale.normal.insert(*friend);
        }
    }
}

/// 7.1.3: assaulted or overrun.
pub fn forced(play: &mut Play, unit: UnitId) {
    if play.rules.optional(1) {
        play.s.morale.forced.insert(unit);
    }
}

/// 7.6: an armored vehicle has ended its move adjacent to units on foot that spot it.
pub fn frighten(play: &mut Play, vehicle: UnitId) {
    let (rules, v) = (play.rules, *play.s.unit(vehicle));
    let armored = rules.piece(vehicle).is_some_and(|piece| piece.target_type() == TargetType::A);
    if !rules.optional(6) || !v.on_map() || v.is(Flags::BAILED) || !rules.is_vehicle(vehicle) || !armored {
        return;
    }
    for unit in rules.units_of(rules.vehicle(vehicle).side.enemy()) {
        let u = play.s.unit(*unit);
        let near = u.on_map() && !u.passenger() && rules.field.range(u.hex, v.hex) <= 1;
        if near && !rules.is_vehicle(*unit) && rules.spots(play.s, *unit, vehicle) {
            forced(play, *unit);
        }
    }
}

impl Panzer {
    /// 7.1.1: the losses of a formation in half units, and its Cohesion Point in the same measure.
    pub fn cohesion(&self, s: &State, formation: u8) -> (u16, u16) {
        let Some(game) = self.advanced.as_deref() else { return (0, u16::MAX) };
        let (mut lost, mut all) = (0_u16, 0_u16);
        for (n, piece) in game.pieces.iter().enumerate() {
            let unit = UnitId(n as u8);
            let u = s.unit(unit);
            if piece.formation != formation || !self.vehicle(unit).combat || u.place == Place::Portee {
                continue;
            }
            all += 2;
            lost += match () {
                () if u.place.eliminated() || u.is(Flags::BAILED) => 2,
                () if u.is(Flags::REDUCED) => 1,
                () => 0,
            };
        }
        let grade = game.extras.formations[usize::from(formation)].grade;
        let percent = u16::from(game.tables().optional.morale.cohesion_percent[grade.index()]);
        (lost, (all * percent).div_ceil(100).max(1))
    }

    /// 7.1.4: the modifier of a morale check.
    pub fn morale_modifier(&self, s: &State, unit: UnitId) -> i8 {
        let Some(game) = self.advanced.as_deref() else { return 0 };
        let table = &game.tables().optional.morale;
        let (u, formation) = (s.unit(unit), game.pieces[unit.index()].formation);
        let range = self.command_range(formation);
        let near = |broken: bool, command: bool| {
            game.pieces.iter().enumerate().any(|(n, piece)| {
                let (other, o) = (UnitId(n as u8), s.unit(UnitId(n as u8)));
                let labels = [Label::Chq, Label::Bhq, Label::Rhq];
                other != unit
                    && piece.formation == formation
                    && o.on_map()
                    && o.is(Flags::BROKEN) == broken
                    && (!command || labels.iter().any(|label| piece.labels.contains(label)))
                    && self.field.range(o.hex, u.hex) <= range
            })
        };
        let hurt = u.suppressed() || u.is(Flags(Flags::TURRET.0 | Flags::HULL.0 | Flags::TRACK.0));
        i8::from(near(false, true)) * table.command_unit_in_range
            + i8::from(near(true, false)) * table.broken_unit_in_range
            + i8::from(hurt) * table.suppressed_or_damaged
    }
}

/// 7.1.4, 7.1.5: the checks at the end of a step.
pub fn checks(play: &mut Play) -> std::result::Result<(), Stop> {
    let due = std::mem::take(&mut play.s.morale);
    let Some(game) = play.rules.advanced.as_deref().filter(|_| play.rules.optional(1)) else { return Ok(()) };
    let table = &game.tables().optional.morale;
    for side in Side::ALL {
        for unit in play.rules.units_of(side) {
            let forced = due.forced.contains(*unit);
            let u = *play.s.unit(*unit);
            if !u.on_map() || u.passenger() || !(forced || due.normal.contains(*unit)) {
                continue;
            }
            let piece = &game.pieces[unit.index()];
            let (lost, point) = play.rules.cohesion(play.s, piece.formation);
            if !forced && lost < point {
                continue; // 7.1.1: the formation still holds together
            }
            let modifier = play.rules.morale_modifier(play.s, *unit);
            let point = table.break_point[piece.grade.index()];
            let roll = play.roll(side, "roll.morale", "7.1.4")?;
            let total = i16::from(roll) + i16::from(modifier);
            let result = match total {
                total if total <= i16::from(point) => Result::Breaks,
                total if total <= i16::from(point) + i16::from(table.hesitation) => Result::Hesitates,
                _ => Result::Holds,
            };
            play.tell(Event::MoraleCheck { unit: *unit, roll, modifier, point, result });
            let u = play.s.unit_mut(*unit);
            match result {
                Result::Holds => {}
                Result::Hesitates if u.is(Flags::BROKEN) => {}
                Result::Hesitates => {
                    u.clear(Flags::HESITATES_OFF);
                    u.set(Flags::HESITATES_ON);
                }
                Result::Breaks => {
                    u.clear(Flags(Flags::HESITATES.0 | Flags::BROKEN_OFF.0));
                    u.set(Flags::BROKEN_ON);
                }
            }
        }
    }
    Ok(())
}

/// 7.1.6: recovery in the Adjustment Phase; 6.8.4: On counters are turned to Off.
pub fn recover(play: &mut Play) -> std::result::Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref().filter(|_| play.rules.optional(1)) else { return Ok(()) };
    let table = &game.tables().optional.morale;
    for side in Side::ALL {
        for unit in play.rules.units_of(side) {
            let u = *play.s.unit(*unit);
            let off = Flags(Flags::HESITATES_OFF.0 | Flags::BROKEN_OFF.0);
            if !u.on_map() || !u.is(off) {
                continue;
            }
            let commanded = u.command != Command::NoCommand;
            let modifier = match (commanded, u.is(Flags::BROKEN)) {
                (false, _) => 0,
                (true, true) => table.recovery_broken,
                (true, false) => table.recovery_hesitating,
            };
            let most = game.tables().grades[game.pieces[unit.index()].grade.index()].recovery;
            let roll = play.roll(side, "roll.rally", "7.1.6")?;
            let recovered = i16::from(roll) + i16::from(modifier) <= i16::from(most);
            if recovered {
                play.s.unit_mut(*unit).clear(off);
            }
            play.tell(Event::Rallied { unit: *unit, roll, modifier, most, recovered });
        }
    }
    for unit in play.s.ids() {
        let u = play.s.unit_mut(unit);
        for (on, off) in [(Flags::HESITATES_ON, Flags::HESITATES_OFF), (Flags::BROKEN_ON, Flags::BROKEN_OFF)]
        {
            if u.is(on) {
                u.clear(on);
                u.set(off);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use kernel::{Dice, Log, Setup};

    use super::*;
    use crate::game::{PanzerNorthAfrica, start};

    fn tummar_west() -> (Panzer, State) {
        let game = PanzerNorthAfrica::new().expect("the shipped pack loads");
        let setup = Setup { edition: Some("advanced".into()), ..Setup::of("tummar-west", &["morale"]) };
        let rules = game.rules(&setup).expect("a shipped scenario");
        let state = start(&rules).expect("the scenario opens");
        (rules, state)
    }

    /// Units of a formation that has at least three of them on the map.
    fn comrades(rules: &Panzer, s: &State) -> Vec<UnitId> {
        let game = rules.advanced.as_deref().expect("the Advanced Game");
        let of = |formation: u8| -> Vec<UnitId> {
            s.ids()
                .filter(|unit| s.unit(*unit).on_map() && !s.unit(*unit).passenger())
                .filter(|unit| {
                    game.pieces[unit.index()].formation == formation && rules.vehicle(*unit).combat
                })
                .collect()
        };
        let mut all = (0..game.extras.formations.len()).map(|formation| of(formation as u8));
        all.find(|units| units.len() >= 3).expect("a formation of three units")
    }

    // rule: 7.1.1
    #[test]
    fn a_reduced_squad_is_half_a_loss() {
        let (rules, mut s) = tummar_west();
        let units = comrades(&rules, &s);
        let formation =
            rules.advanced.as_deref().expect("the Advanced Game").pieces[units[0].index()].formation;
        assert_eq!(rules.cohesion(&s, formation).0, 0);
        s.unit_mut(units[0]).set(Flags::REDUCED);
        assert_eq!(rules.cohesion(&s, formation).0, 1);
        s.unit_mut(units[0]).place = Place::Eliminated;
        s.unit_mut(units[1]).set(Flags::BAILED);
        assert_eq!(rules.cohesion(&s, formation).0, 4);
    }

    // rule: 7.1.4
    #[test]
    fn a_broken_comrade_nearby_weighs_on_a_unit() {
        let (rules, mut s) = tummar_west();
        let units = comrades(&rules, &s);
        let hex = s.unit(units[0]).hex;
        s.unit_mut(units[1]).hex = hex;
        let before = rules.morale_modifier(&s, units[0]);
        s.unit_mut(units[1]).set(Flags::BROKEN_ON);
        let table = &rules.advanced.as_deref().expect("the Advanced Game").tables().optional.morale;
        assert_eq!(rules.morale_modifier(&s, units[0]), before + table.broken_unit_in_range);
    }

    // rule: 7.1.6
    #[test]
    fn a_unit_with_a_command_recovers_less_easily() {
        let (rules, s) = tummar_west();
        let unit = comrades(&rules, &s)[0];
        let game = rules.advanced.as_deref().expect("the Advanced Game");
        let most = game.tables().grades[game.pieces[unit.index()].grade.index()].recovery;
        for (command, recovers) in [(Command::NoCommand, true), (Command::Move, false)] {
            let mut s = s.clone();
            s.unit_mut(unit).command = command;
            s.unit_mut(unit).set(Flags::BROKEN_OFF);
            let (mut dice, mut log) = (Dice::scripted(vec![most]), Log::default());
            let play = &mut Play { rules: &rules, s: &mut s, dice: &mut dice, log: &mut log };
            recover(play).expect("one die");
            assert_eq!(!s.unit(unit).is(Flags::BROKEN), recovers, "{command:?}");
        }
    }
}
