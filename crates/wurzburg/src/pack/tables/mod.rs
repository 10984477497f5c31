//! The tables, charts and tracks of `packs/wurzburg/tables`, as the rules read them.

mod charts;
mod dice;
mod read;

use std::collections::BTreeMap;

pub use charts::*;
pub use dice::*;
pub(super) use read::read;

use super::forces::FormationId;
use super::kinds::{Operation, Side, Terrain};
use charts::Sides;

/// Every table, chart and track.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// Hit modifier for a roll of 1 to 10 (18.2).
    pub crt: [i8; 10],
    /// Rolls that give the Warsaw Pact the initiative (8.1.2).
    pub initiative_wp: Vec<u8>,
    pub recon: Recon,
    pub counter_battery_us: CounterBattery,
    pub counter_battery_others: CounterBattery,
    pub amphibious: Amphibious,
    pub air_call: AirCall,
    pub anti_aircraft: AntiAircraft,
    pub mine_attack: MineAttack,
    pub demolition: Demolition,
    pub bridge_strike: BridgeStrike,
    pub jamming: Jamming,
    /// Rolls of this number or more let cavalry screen (41.2).
    pub screening: ByTerrain,
    /// Rolls that reverse the order of fire (41.4).
    pub gegenangriff: Rolls,
    pub contamination: Rolls,
    pub gas_step_lost: Rolls,
    pub revelation: Revelation,
    pub disorganized: Rolls,
    pub solitaire_dummy_minefield: Rolls,
    terrain: [TerrainRow; 5],
    /// Added to the defense in an Improved Position, against Offensive Fire and Strikes (35.0).
    pub improved_position: u8,
    pub movement: Movement,
    pub off_map: OffMap,
    pub fire_effects: FireEffects,
    support: Vec<Support>,
    pub adm_gas: AdmGas,
    artillery_pool: BTreeMap<FormationId, ArtilleryPool>,
    pub flak: Flak,
    /// Most important first.
    pub retreat: Vec<Avoid>,
    pub operations: Operations,
    pub stacking: Stacking,
    pub main_effort: MainEffort,
    pub command: Command,
    pub dummies: Dummies,
    /// Steps that an engineer ferries (17.4).
    pub ferry_steps: u8,
    pub victory: VictoryPoints,
    pub turns: Vec<TurnBox>,
}

impl Tables {
    /// The hit modifier of a roll from 1 to 10.
    pub fn hit_modifier(&self, roll: u8) -> i8 {
        self.crt[usize::from(roll.clamp(1, 10)) - 1]
    }

    pub fn terrain(&self, terrain: Terrain) -> &TerrainRow {
        &self.terrain[terrain.index()]
    }

    /// The units that may answer a call for fire; `None` if no such call is allowed.
    pub fn support(&self, fire: CallFor, operation: Option<Operation>, side: Side) -> Option<&Support> {
        self.support.iter().find(|row| {
            row.fire == fire
                && (row.r#in.is_none() || row.r#in == operation)
                && match row.side {
                    Sides::Both => true,
                    Sides::Wp => side == Side::Wp,
                    Sides::Nato => side == Side::Nato,
                }
        })
    }

    /// The formations whose artillery an HQ of this formation may call; `None` for a formation without HQs.
    pub fn artillery_pool(&self, hq: FormationId) -> Option<&ArtilleryPool> {
        self.artillery_pool.get(&hq)
    }
}
