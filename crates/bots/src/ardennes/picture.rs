//! The situation at one decision: how soon the Germans could be where, through which hexes their paths lead, which
//! units either side could attack.

use ::ardennes::{
    Ardennes,
    pack::{Side, UnitId},
    place::Place,
    state::State,
};
use hexgrid::HexId;

use super::{areas, field::Field, plan::Plan, staff::Staff, value};
use crate::bond::around;

#[derive(Debug)]
pub struct Picture {
    /// How much the German paths to Victory Hexes lead through each hex.
    pub flow: Vec<f32>,
    /// For each aim how open it is: 1 could fall to either side, near 0 is settled.
    pub open: Vec<f32>,
    /// For each aim how much more, or less, it counts for the drive to the last hexes that win (30.2).
    pub focus: Vec<f32>,
    /// The value of the ground to the German side as it is held now.
    ground: f32,
    /// How near the Allies are to victory in German set-up areas (30.3).
    intrusion: f32,
    /// How near the Allies are to further set-up areas.
    danger: f32,
}

impl Picture {
    pub fn new(staff: &Staff, s: &State, plan: &Plan) -> Picture {
        Picture::with(staff, s, plan, &Field::new(staff, s, Side::German))
    }

    pub fn with(staff: &Staff, s: &State, plan: &Plan, field: &Field) -> Picture {
        let lore = &staff.lore;
        let chances = value::chances(staff, s, field);
        let focus = focus(staff, s, field);
        let open: Vec<f32> = lore
            .aims
            .iter()
            .zip(&chances)
            .zip(&focus)
            .map(|((aim, p), focus)| {
                focus * aim.weight * plan.sectors[aim.sector] * (4.0 * p * (1.0 - p) + 0.08)
            })
            .collect();
        let goals = lore.aims.iter().zip(&open).filter(|(aim, _)| s.control(aim.hex) == Side::Allied);
        let flow = field.flow(goals.map(|(aim, open)| (aim.hex, *open)));
        let ground = value::ground(staff, s, &chances, &plan.sectors);
        Picture {
            flow,
            open,
            focus,
            ground,
            intrusion: value::intrusion(staff, s),
            danger: if plan.quick { 0.0 } else { areas::danger(staff, s) },
        }
    }

    /// The evaluator's value of the ground if the enemy were gone from a hex and one of our units were there.
    pub fn occupied(
        &self,
        staff: &Staff,
        s: &State,
        side: Side,
        plan: &Plan,
        hex: HexId,
        ours: UnitId,
    ) -> f32 {
        let rules = &*staff.rules;
        let mut after = *s;
        while let Some(unit) = after.stack(hex).next() {
            rules.put(&mut after, unit, Place::Dead);
        }
        rules.put(&mut after, ours, Place::Hex(hex));
        after.set_control(hex, side);
        let chances = value::chances(staff, &after, &Field::new(staff, &after, Side::German));
        let mut gained = value::ground(staff, &after, &chances, &plan.sectors) - self.ground;
        if !plan.quick && staff.weights.expose > 0.0 {
            let weight = staff.weights.areas * staff.weights.expose;
            gained += weight * (self.danger - areas::danger(staff, &after)); // 30.3
        }
        if side == Side::German { gained } else { -gained }
    }

    /// The value to a side of driving the enemy out of a hex; `ours` could go there.
    pub fn gain(
        &self,
        staff: &Staff,
        s: &State,
        side: Side,
        plan: &Plan,
        hex: HexId,
        ours: Option<UnitId>,
    ) -> f32 {
        let weights = &staff.weights;
        let mut gain = weights.gain;
        if side == Side::German && staff.rules.turn_one(s) {
            gain += weights.surprise;
        }
        if let Some(unit) = ours.filter(|_| weights.opening > 0.0 && !plan.quick) {
            gain += weights.opening * plan.drive * self.occupied(staff, s, side, plan, hex, unit).max(0.0);
        }
        for (aim, open) in staff.lore.aims.iter().zip(&self.open) {
            if aim.hex == hex && s.control(hex) != side {
                gain += weights.gain_hex
                    * weights.hex
                    * aim.weight
                    * plan.sectors[aim.sector]
                    * (0.4 + 0.6 * open);
            }
        }
        if side == Side::German && staff.lore.areas[hex.index()] != 0 {
            gain += 0.5 * weights.areas * self.intrusion; // 30.3
        }
        gain + plan.drive * weights.gain_flow * self.flow[hex.index()].min(2.5)
    }
}

/// Open aims beyond those that are missing that the drive goes for.
const SPARE: usize = 1;

/// 30.2: where a number of hexes wins, the drive goes for those that the Germans reach first, as many as they lack.
fn focus(staff: &Staff, s: &State, field: &Field) -> Vec<f32> {
    let (lore, weights) = (&staff.lore, &staff.weights);
    let mut focus = vec![1.0; lore.aims.len()];
    if weights.focus <= 0.0 || !lore.decisive || f32::from(s.turn) < weights.focus_from {
        return focus;
    }
    let wins = |aim: usize| lore.aims[aim].weight >= 1.0;
    let held = |aim: usize| s.control(lore.aims[aim].hex) == Side::German;
    let mut open: Vec<usize> = (0..focus.len()).filter(|aim| wins(*aim) && !held(*aim)).collect();
    open.sort_by_key(|aim| field.at(lore.aims[*aim].hex));
    let held = (0..focus.len()).filter(|aim| wins(*aim) && held(*aim)).count();
    let missing = usize::from(staff.rules.tables().victory.west_map_hexes).saturating_sub(held);
    for (rank, aim) in open.into_iter().enumerate() {
        focus[aim] = if rank < missing + SPARE { 1.0 + weights.focus } else { 1.0 / (1.0 + weights.focus) };
    }
    focus
}

/// A rough estimate of the attack factors that a side could bring against each hex in its next turn.
pub fn menace(rules: &Ardennes, s: &State, side: Side) -> Vec<f32> {
    let mut menace = vec![0.0; rules.map.board.len()];
    for unit in rules.on_map(s, side) {
        let counter = rules.counter(unit);
        let attack = f32::from(rules.factors(s, unit).attack);
        let Some(hex) = s.unit(unit).hex() else { continue };
        if counter.artillery || attack == 0.0 || s.unit(unit).is(::ardennes::flags::Flags::DISRUPTED) {
            continue;
        }
        let reach = if s.unit(unit).is(::ardennes::flags::Flags::ENGAGED) {
            1
        } else if counter.mechanized {
            4
        } else {
            3
        };
        for near in rules.map.board.range(hex, reach) {
            let distance = rules.distance(hex, near).max(1);
            menace[near.index()] += attack * if distance > 2 { 0.6 } else { 1.0 };
        }
    }
    menace
}

/// Hexes to the nearest unit of a side, at most `most`.
pub fn distances(rules: &Ardennes, s: &State, side: Side, most: u8) -> Vec<u8> {
    let hexes = rules.map.board.len();
    around::distances(s.held(side), hexes, most, |hex| rules.land.neighbours(hex))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ardennes::areas::tests::campaign;

    // rule: 30.2
    #[test]
    fn the_drive_goes_for_as_many_hexes_as_are_missing() {
        let (mut staff, mut s) = campaign();
        staff.weights.focus = 1.0;
        staff.weights.focus_from = 8.0;
        let wins: Vec<HexId> =
            staff.lore.aims.iter().filter(|aim| aim.weight >= 1.0).map(|aim| aim.hex).collect();
        let sought = |s: &State| {
            let focus = focus(&staff, s, &Field::new(&staff, s, Side::German));
            staff
                .lore
                .aims
                .iter()
                .zip(focus)
                .filter(|(_, focus)| *focus > 1.0)
                .map(|(aim, _)| aim.hex)
                .collect()
        };
        let none: Vec<HexId> = sought(&s);
        assert!(none.is_empty(), "it is too early");
        s.turn = 8;
        let six: Vec<HexId> = sought(&s);
        assert_eq!(six.len(), 6 + SPARE);
        assert!(six.iter().all(|hex| wins.contains(hex)));
        for hex in &wins[..5] {
            s.set_control(*hex, Side::German);
        }
        let last: Vec<HexId> = sought(&s);
        assert_eq!(last.len(), 1 + SPARE);
        assert!(last.iter().all(|hex| !wins[..5].contains(hex)), "what is held is not sought");
    }
}
