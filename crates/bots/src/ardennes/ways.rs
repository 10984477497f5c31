//! The attacker's paths ahead: how near every hex is to each aim that it does not hold yet, and to the edge where units
//! may exit, through the enemy's present position.

use ::ardennes::{
    Ardennes,
    pack::{Side, VictoryRule},
    state::State,
};
use hexgrid::HexId;

use super::{
    field::{TURN, back},
    staff::Staff,
};

/// Beyond this distance nothing attracts.
const FARTHEST: u16 = 8 * TURN;

/// Nearness by aim and hex for one kind of unit: 1 at the aim, less with every part of a turn; empty for an aim that is
/// taken.
type Nearness = Vec<Vec<f32>>;

#[derive(Debug)]
pub struct Ways {
    aims: [Nearness; 2],
    /// Turns to the edge, if units that exit count (31.2).
    out: Option<[Vec<u16>; 2]>,
}

impl Ways {
    pub fn new(staff: &Staff, s: &State) -> Ways {
        let rules = &*staff.rules;
        let fade = if staff.lore.decisive { staff.weights.far_fade } else { staff.weights.fade };
        let fade = fade * f32::from(TURN);
        let near = |time: u16| if time >= FARTHEST { 0.0 } else { (-f32::from(time) / fade).exp() };
        let to = |hex: HexId, mechanized: bool| -> Vec<f32> {
            let time = back(staff, s, Side::German, mechanized, [hex].into_iter(), FARTHEST);
            time.into_iter().map(near).collect()
        };
        let aims = [false, true].map(|mechanized| {
            let open = |hex: HexId| s.control(hex) == Side::Allied;
            let aims = staff.lore.aims.iter();
            aims.map(|aim| if open(aim.hex) { to(aim.hex, mechanized) } else { Vec::new() }).collect()
        });
        let edge =
            |mechanized| back(staff, s, Side::German, mechanized, rules.land.west_edge.iter(), FARTHEST);
        let out = counts(rules).then(|| [false, true].map(edge));
        Ways { aims, out }
    }

    /// How near a hex is to an aim.
    #[inline]
    pub fn near(&self, mechanized: bool, aim: usize, hex: HexId) -> f32 {
        self.aims[usize::from(mechanized)][aim].get(hex.index()).copied().unwrap_or(0.0)
    }

    /// Turns from a hex to the edge where units may exit; none if exits do not count.
    pub fn turns_out(&self, mechanized: bool, hex: HexId) -> Option<f32> {
        let time = self.out.as_ref()?[usize::from(mechanized)][hex.index()];
        (time < FARTHEST).then(|| f32::from(time) / f32::from(TURN))
    }
}

/// Do units that exit by the west edge count (31.2)?
fn counts(rules: &Ardennes) -> bool {
    matches!(rules.scenario.victory, VictoryRule::Points { exit_attack, .. } if exit_attack > 0)
        && !rules.land.west_edge.is_empty()
}
