//! GP fire against terrain (6.5.4.2.5, 6.5.4.4.3): buildings, bridges, Improved Positions, blocks, wire and mines.

use hexgrid::HexId;
use kernel::Stop;
use smallvec::SmallVec;

use super::{chart_of, ignite};
use crate::{
    bail,
    event::Event,
    pack::{
        Side,
        advanced::{FeatureKind, Outcome, lookup::outcome},
    },
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

/// What can be destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Building,
    Bridge,
    Work(FeatureKind),
}

impl Target {
    pub const fn key(self) -> &'static str {
        match self {
            Target::Building => "building",
            Target::Bridge => "bridge",
            Target::Work(kind) => kind.key(),
        }
    }
}

/// A feature of a hex that can be attacked, with its GP defense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Against {
    pub target: Target,
    pub gpd: u8,
}

/// An attack that may destroy terrain: not by Small Arms (6.5.4.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shelling {
    pub side: Side,
    pub gpf: u8,
    pub net: i16,
    /// 7.19: one effective result is enough.
    pub at_once: bool,
}

impl Panzer {
    /// 6.5.4.2.5: the features of a hex that can be attacked.
    pub fn vulnerable(&self, s: &State, hex: HexId) -> SmallVec<[Against; 4]> {
        let mut list = SmallVec::new();
        let Some(game) = self.advanced.as_deref() else { return list };
        let tables = game.tables();
        if let Some(building) = self.building_at(s, hex)
            && let Some(gpd) = tables.terrain[building as usize].gpd.filter(|gpd| *gpd > 0)
        {
            list.push(Against { target: Target::Building, gpd });
        }
        for work in s.works.at(hex) {
            let target = match work.kind {
                FeatureKind::Bridge if self.field.ground(hex).bridge && !self.rubble(s, hex) => {
                    Target::Bridge
                }
                FeatureKind::Bridge => continue,
                kind => Target::Work(kind),
            };
            let attacked = chart_of(tables, work.kind).is_some_and(|chart| chart.gpd.is_some());
            if attacked && work.gpd > 0 {
                list.push(Against { target, gpd: work.gpd });
            }
        }
        list
    }

    /// 6.5.4.2.5: whether a unit occupies it, so that direct fire at the unit also attacks it.
    pub fn occupies(&self, s: &State, unit: UnitId, target: Target) -> bool {
        let u = s.unit(unit);
        match target {
            // 4.1.4.1.3: vehicles and guns stand in the Alley unless they are inside.
            Target::Building => self.piece(unit).is_some_and(crate::piece::Piece::leg) || u.is(Flags::INSIDE),
            Target::Work(FeatureKind::ImprovedPosition) => u.is(Flags::IMPROVED),
            Target::Bridge | Target::Work(_) => true,
        }
    }
}

/// Attack all terrain of a hex, or only what a unit occupies.
pub fn shell_hex(play: &mut Play, shelling: Shelling, hex: HexId, only: Option<UnitId>) -> Result<(), Stop> {
    if !play.s.works.hexes.contains(hex) && !play.rules.field.terrain(hex).building() {
        return Ok(());
    }
    crate::hidden::shelled(play, &[hex]); // 7.2
    for against in play.rules.vulnerable(play.s, hex) {
        if only.is_none_or(|unit| play.rules.occupies(play.s, unit, against.target)) {
            batter(play, shelling, hex, against)?;
        }
    }
    Ok(())
}

/// 6.5.4.4.3: one effective result, and for all but mines a second one.
pub fn batter(play: &mut Play, shelling: Shelling, hex: HexId, against: Against) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    let cell = game.tables().gp_cell(shelling.gpf, against.gpd);
    let mines = against.target == Target::Work(FeatureKind::Mines);
    let needed = if mines || shelling.at_once { 1 } else { 2 };
    for _ in 0..needed {
        let roll = play.roll(shelling.side, "roll.gp_terrain", "6.5.4.4.3")?;
        let result = outcome(cell, i16::from(roll) + shelling.net);
        play.tell(Event::TerrainAttacked {
            hex,
            target: against.target,
            gpf: shelling.gpf,
            gpd: against.gpd,
            net: shelling.net,
            roll,
            outcome: result,
        });
        if result != Outcome::Effective {
            return Ok(()); // never suppressed: eliminated or nothing
        }
    }
    destroy(play, shelling.side, hex, against.target)
}

/// 6.5.4.4.3: the effect on it, and on the units in it.
fn destroy(play: &mut Play, side: Side, hex: HexId, target: Target) -> Result<(), Stop> {
    play.tell(Event::TerrainDestroyed { hex, target });
    let lost = |u: &crate::state::Unit| match target {
        Target::Building | Target::Bridge => true,
        Target::Work(FeatureKind::ImprovedPosition) => u.is(Flags::IMPROVED),
        Target::Work(_) => false,
    };
    for unit in play.s.ids() {
        let u = play.s.unit(unit);
        let carrier = u.aboard.some().map_or(*u, |vehicle| *play.s.unit(vehicle));
        if u.on_map() && u.hex == hex && (lost(u) || lost(&carrier)) {
            bail::eliminate(play, unit);
        }
    }
    match target {
        Target::Building => {
            play.s.works.ruin(hex);
            ignite(play, side, hex)?; // 7.35
        }
        Target::Bridge => {
            play.s.works.remove(hex, FeatureKind::Bridge);
            play.s.works.ruin(hex);
        }
        Target::Work(kind) => {
            play.s.works.remove(hex, kind);
            if kind == FeatureKind::ImprovedPosition {
                play.s.works.ruin(hex);
            }
        }
    }
    Ok(())
}
