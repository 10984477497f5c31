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
        let open: Vec<f32> = lore
            .aims
            .iter()
            .zip(&chances)
            .map(|(aim, p)| aim.weight * plan.sectors[aim.sector] * (4.0 * p * (1.0 - p) + 0.08))
            .collect();
        let goals = lore.aims.iter().zip(&open).filter(|(aim, _)| s.control(aim.hex) == Side::Allied);
        let flow = field.flow(goals.map(|(aim, open)| (aim.hex, *open)));
        let ground = value::ground(staff, s, &chances, &plan.sectors);
        Picture {
            flow,
            open,
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
