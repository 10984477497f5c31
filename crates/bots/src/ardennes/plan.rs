//! A style of play: what a side aims for this turn, and how bold it is.

use ::ardennes::pack::Side;
use rand_core::RngCore;

/// Victory Hexes are grouped by sectors of the map.
pub const SECTORS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Weight of one's own losses against the enemy's: below 1 is bold, above 1 careful.
    pub caution: f32,
    /// Weight of gaining ground against destroying units.
    pub drive: f32,
    /// How much each sector of the map counts.
    pub sectors: [f32; SECTORS],
    /// Weight of holding: of blocking enemy paths against sparing the units, and of garrisons.
    pub hold: f32,
    /// Fights at night.
    pub night: bool,
    /// Disengages where a defense is hopeless.
    pub elusive: bool,
    /// Quick evaluations only: for trials, in which many phases are played.
    pub quick: bool,
}

impl Plan {
    pub const USUAL: Plan = Plan {
        caution: 1.0,
        drive: 1.0,
        sectors: [1.0; SECTORS],
        hold: 1.0,
        night: false,
        elusive: false,
        quick: false,
    };
}

impl Plan {
    /// Styles worth comparing near the end: what is held counts as much as what can still be gained.
    pub fn endings(self, width: usize, out: &mut Vec<Plan>) {
        let Plan { caution, drive, hold, .. } = self;
        out.extend([
            self,
            Plan { hold: 3.0 * hold, ..self },
            Plan { hold: 3.0 * hold, drive: 0.5 * drive, ..self },
            Plan { hold: 8.0 * hold, ..self },
            Plan { caution: 0.6 * caution, drive: 1.5 * drive, ..self },
            Plan { hold: 3.0 * hold, drive: 2.0 * drive, ..self },
        ]);
        out.truncate(width);
    }

    /// Styles worth comparing: the usual one first, then bolder or more careful ones and other centres of effort.
    pub fn variants(self, side: Side, width: usize, rng: &mut dyn RngCore, out: &mut Vec<Plan>) {
        let usual = self;
        let Plan { caution, drive, hold, .. } = usual;
        out.push(usual);
        let focus = |sector: usize| {
            let mut sectors = [0.7; SECTORS];
            sectors[sector] = 1.8;
            Plan { sectors, ..usual }
        };
        let fixed: [Plan; 5] = match side {
            Side::German => [
                Plan { caution: 0.6 * caution, drive: 1.3 * drive, ..usual },
                Plan { caution: 1.4 * caution, drive: 0.8 * drive, ..usual },
                Plan { drive: 2.0 * drive, ..usual },
                Plan { drive: 0.5 * drive, caution: 0.8 * caution, ..usual },
                Plan { night: !usual.night, ..usual },
            ],
            Side::Allied => [
                Plan { hold: 1.7 * hold, ..usual },
                Plan { hold: 0.6 * hold, caution: 1.3 * caution, ..usual },
                Plan { caution: 0.6 * caution, drive: 1.5 * drive, ..usual },
                Plan { caution: 2.0 * caution, ..usual },
                Plan { elusive: true, ..usual },
            ],
        };
        out.extend(fixed);
        out.extend((0..SECTORS).map(focus));
        let mut random = |low: f32, high: f32| low + (high - low) * (rng.next_u32() as f32 / u32::MAX as f32);
        while out.len() < width {
            out.push(Plan {
                caution: random(0.5, 1.8) * caution,
                drive: random(0.5, 2.0) * drive,
                sectors: std::array::from_fn(|_| random(0.5, 1.8)),
                hold: random(0.5, 1.8) * hold,
                ..usual
            });
        }
        out.truncate(width);
    }
}
