//! The chance of each Victory Hex to be German at the end, fitted to the results of many games
//! (`examples/calibrate.rs`): by the turns that are left, the time both sides need to get there, and both sides'
//! strength around it.

use ::ardennes::{pack::Side, state::State, supply};

use super::{
    field::{Field, TURN},
    staff::Staff,
    value::turns_left,
};

/// More remaining turns than this make no difference, nor does a longer path.
const LONGEST: f32 = 6.0;
const FARTHEST: f32 = 7.0;
/// The least remaining time, as a part of a turn.
const SHORTEST: f32 = 0.3;
/// How many turns ahead approaching Allied units are considered.
const STROKE: f32 = 2.5;
/// Factors added to both sides, so that small forces make little difference.
const FEW: f32 = 3.0;
/// The chance of a hex that nobody can take any more.
const SAFE: f32 = 0.97;

pub fn chances(staff: &Staff, s: &State, field: &Field) -> Vec<f32> {
    let (rules, w) = (&*staff.rules, &staff.weights);
    let aims = &staff.lore.aims;
    let roads = supply::road_hexes(rules, s, Side::German);
    let held =
        |hex| s.control(hex) == Side::German && (rules.victory_without_a_road() || roads.contains(hex));
    let [german, allied] = [Side::German, Side::Allied].map(|side| turns_left(rules, s, side).min(LONGEST));
    let coming = (allied > 0.0 && aims.iter().any(|aim| held(aim.hex)))
        .then(|| Field::within(staff, s, Side::Allied, STROKE));
    let [ours, theirs] = [Side::German, Side::Allied].map(|side| masses(staff, s, side));
    let turns = |field: &Field, hex| f32::from(field.at(hex)) / f32::from(TURN);
    let one = |(index, aim): (usize, &super::lore::Aim)| {
        let (ours, theirs) = ((ours[index] + FEW).ln(), (theirs[index] + FEW).ln());
        let sum = if held(aim.hex) {
            let Some(coming) = &coming else { return SAFE };
            let (left, way) = (allied.max(SHORTEST), turns(coming, aim.hex).min(STROKE));
            w.held
                + w.held_left * allied
                + (w.held_last + w.held_race * way) / left
                + w.held_way * way
                + w.held_mass * ours
                + w.held_guard * theirs
        } else {
            if german <= 0.0 {
                return 0.0;
            }
            let (left, way) = (german.max(SHORTEST), turns(field, aim.hex).min(FARTHEST));
            w.open
                + w.open_left * german
                + (w.open_last + w.open_race * way) / left
                + w.open_way * way
                + w.open_mass * ours
                + w.open_guard * theirs
        };
        1.0 / (1.0 + (-sum).exp())
    };
    aims.iter().enumerate().map(one).collect()
}

/// A side's strength around each aim: the defense of units in it, the attack of all others by their distance.
fn masses(staff: &Staff, s: &State, side: Side) -> Vec<f32> {
    let (rules, lore) = (&*staff.rules, &staff.lore);
    let count = lore.aims.len();
    let mut sums = vec![0.0; count];
    for unit in rules.on_map(s, side).filter(|unit| !rules.counter(*unit).artillery) {
        let Some(hex) = s.unit(unit).hex() else { continue };
        let factors = rules.factors(s, unit);
        let attack = f32::from(factors.attack);
        let row = &lore.mass[hex.index() * count..][..count];
        for (sum, share) in sums.iter_mut().zip(row) {
            *sum += share * attack;
        }
        if let Some(at) = lore.aims.iter().position(|aim| aim.hex == hex) {
            sums[at] += f32::from(factors.defense) - attack;
        }
    }
    sums
}
