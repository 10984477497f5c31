//! Attacks from above, by indirect fire and by aircraft: what both have in common (6.5.4.3, 6.5.4.4).

use crate::{
    pack::{
        Cover,
        advanced::{
            AdvancedTables, GpModifier, RangeFactor, TargetType,
            lookup::{Fire, VehicleResult, outcome},
        },
    },
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

/// An attack from above on one unit, by shells or by an aircraft, as computed before its roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blast {
    pub factor: RangeFactor,
    pub gpf: u8,
    pub gpd: u8,
    pub target: TargetType,
    /// None: Small Arms.
    pub effectiveness: Option<u8>,
    pub net: i16,
    pub n: i16,
    pub s: i16,
}

impl Blast {
    /// 6.5.4.4.2: what a total does to a vehicle. `gate` is false for a crashing aircraft (6.7.4.2.1).
    pub fn on_vehicle(&self, tables: &AdvancedTables, total: i16, gate: bool) -> VehicleResult {
        let result = outcome((self.n, self.s), total);
        match self.effectiveness {
            Some(most) => tables.heavy_result(result, self.target, self.gpd, most, total, gate),
            None => tables.small_arms_result(result, self.target, self.factor, total, self.gpf),
        }
    }
}

impl Panzer {
    /// 6.5.4.3: the modifiers of a target attacked from above, by indirect fire or from the air.
    pub fn blast_target(
        &self,
        s: &State,
        target: UnitId,
        moving: bool,
        fire: Fire,
        mut each: impl FnMut(GpModifier, i8),
    ) {
        let Some(game) = self.advanced.as_deref() else { return };
        let (t, piece) = (s.unit(target), &game.pieces[target.index()]);
        let mut count = |modifier: GpModifier, applies: bool| {
            if applies && let Some(value) = game.tables().gp_modifier(modifier, fire) {
                each(modifier, value);
            }
        };
        if piece.vehicle() {
            count(GpModifier::TargetVehicleMoving, moving);
            count(GpModifier::TargetTypeP, piece.target_type() == TargetType::P);
            count(GpModifier::TargetTypeA, piece.target_type() == TargetType::A);
            let cover = self.overhead_cover_of(s, target);
            count(GpModifier::VehicleMediumCover, cover == Cover::Medium);
            count(GpModifier::VehicleHeavyCover, cover == Cover::Heavy);
        } else if !t.passenger() {
            count(GpModifier::LegCrawling, self.crawling(s, target, t.command.moves()));
            count(GpModifier::HastyEntrenchment, t.is(Flags::ENTRENCHED));
        }
    }
}
