//! Fire Strength and Adjusted Defense Strength (18.1, 18.2, 18.3.1).

use hexgrid::HexId;
use smallvec::SmallVec;

use super::FireKind;
use crate::{
    action::Units,
    field::{Edge, Terrain},
    pack::{Effect, FireMode},
    rules::Wurzburg,
    state::{Flags, Mine, State},
    units::{Side, Symbol, UnitId},
};

/// Strengths are kept exactly, in this many parts of a point: every factor is a half or a double.
const PARTS: u32 = 1 << 10;

/// A unit in a combat, with the effects on its strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Firer {
    pub unit: UnitId,
    pub steps: u8,
    pub mode: FireMode,
    pub basic: u32,
    pub effects: SmallVec<[Effect; 6]>,
    /// In parts.
    parts: u32,
}

impl Firer {
    /// Modified Fire Strength, with fractions.
    pub fn modified(&self) -> f64 {
        f64::from(self.parts) / f64::from(PARTS)
    }
}

/// A combat as computed (18.2 steps 2 to 4).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FireSheet {
    pub firers: Vec<Firer>,
    pub total: u32,
    pub effective: u32,
}

impl FireSheet {
    pub fn sum(&self) -> f64 {
        self.firers.iter().map(Firer::modified).sum()
    }

    /// Hits for a hit modifier (18.2 step 6); never below 0.
    pub fn hits(&self, modifier: i8) -> u16 {
        (self.effective as i32 + i32::from(modifier)).max(0) as u16
    }
}

/// What a strength depends on besides the firing unit.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    pub kind: FireKind,
    pub target: HexId,
    /// 17.8: the force crosses a Main hexside into this hex.
    pub crossing: HexId,
    /// 21.3.2: no observer is left.
    pub blind: bool,
}

impl Wurzburg {
    /// 18.1.4, 18.1.6, 22.0, 22.1, 22.7, 18.7.1, 11.4.1: whether the unit may take part in this kind of fire on its
    /// own, by its type.
    pub fn may_fire(&self, s: &State, unit: UnitId, kind: FireKind) -> bool {
        let u = s.unit(unit);
        let counter = self.counter(unit);
        let nature = match counter.symbol {
            Symbol::Hq | Symbol::Ew | Symbol::UtilityHelicopter | Symbol::RocketArtillery | Symbol::Air => {
                false
            }
            // 22.1: Direct Fire is never Offensive Fire.
            Symbol::SelfPropelledArtillery | Symbol::TowedArtillery => {
                matches!(
                    kind,
                    FireKind::Defensive
                        | FireKind::Infiltration
                        | FireKind::Retreat
                        | FireKind::PointBlankDefender
                )
            }
            // 25.4: helicopters fire only when called.
            // 25.4.2: Retreat Fire only after they took part in the Offensive Fire.
            Symbol::AttackHelicopter => kind == FireKind::Retreat && s.op.fired.contains(unit),
            _ => true,
        };
        let armed = counter.attack > 0 || counter.symbol == Symbol::AttackHelicopter;
        u.on_map() && u.steps > 0 && armed && nature && !u.is(Flags::MASKED)
    }

    /// 18.2.1, 18.2.2, 17.7, 18.6.4, 18.7.4, 22.2.1, 32.2.1, 32.2.2: the effects on a unit's strength.
    pub fn effects(&self, s: &State, unit: UnitId, mode: FireMode, shot: &Shot) -> SmallVec<[Effect; 6]> {
        let mut effects = SmallVec::new();
        let u = s.unit(unit);
        let counter = self.counter(unit);
        let terrain = |hex: HexId| hex.some().map_or(Terrain::Clear, |hex| self.field.terrain(hex));
        let foot = counter.symbol.infantry() || counter.symbol == Symbol::Engineer;
        // 40.2: a gun on the display has no hex.
        let edge = match u.hex.some().and_then(|from| self.field.toward(from, shot.target)) {
            Some(direction) if mode == FireMode::Direct => self.field.edge(u.hex, direction),
            _ => Edge::default(),
        };
        let close = match mode {
            FireMode::Direct => !foot && (terrain(u.hex).close() || terrain(shot.target).close()),
            FireMode::Indirect => false,
            // 25.4.1, 18.2.1 items 3, 4: not out of it, not in the same hex.
            FireMode::Air => terrain(shot.target).close() && u.hex != shot.target,
        };
        let mut add = |yes: bool, effect: Effect| {
            if yes {
                effects.push(effect);
            }
        };
        add(close, Effect::CloseTerrain);
        add(mode != FireMode::Air && u.is(Flags::DISRUPTED), Effect::Disrupted);
        add(mode != FireMode::Air && s.minefield(u.hex) == Mine::Real, Effect::InMinefield);
        let into = s.smoke(shot.target);
        let out_of = mode == FireMode::Direct && s.smoke(u.hex);
        add((into || out_of) && !counter.thermal, Effect::Smoke);
        add(edge.any(Edge::UP), Effect::UpSlope);
        let gas = mode != FireMode::Air && self.in_gas(s, u.hex);
        // Gas Zone and contamination together halve only once.
        add(gas, Effect::InGasZone);
        add(!gas && mode != FireMode::Air && u.is(Flags::CONTAMINATED), Effect::Contaminated);
        // 18.6.5, 17.8
        let duck = shot.kind == FireKind::Infiltration
            && shot.crossing != HexId::NONE
            && self.zoc_into(s, unit, shot.target)
            && self.zoc_into(s, unit, shot.crossing);
        add(edge.any(Edge::MAIN) && !duck, Effect::AcrossMain);
        add(duck, Effect::SittingDuck);
        let clear = terrain(shot.target) == Terrain::Clear;
        add(shot.kind == FireKind::Infiltration && clear, Effect::InfiltrationIntoClear);
        add(shot.kind == FireKind::Retreat && clear, Effect::RetreatIntoClear);
        let inside = shot.kind == FireKind::Defensive
            && mode == FireMode::Direct
            && u.hex == s.op.objective
            && terrain(u.hex).close()
            && foot;
        add(inside, Effect::InfantryInCloseObjective);
        add(shot.kind.point_blank(), Effect::PointBlank);
        add(mode == FireMode::Direct && counter.thermal && self.night(s), Effect::ThermalAtNight);
        add(mode == FireMode::Direct && counter.symbol.artillery(), Effect::ArtilleryDirect);
        add(mode == FireMode::Indirect && shot.blind, Effect::NoObserverLeft);
        effects
    }

    /// 18.2 steps 2 to 4.
    pub fn sheet(&self, s: &State, shot: &Shot, firers: &[(UnitId, u8, FireMode)]) -> FireSheet {
        let table = &self.tables.fire_effects;
        let mut sheet = FireSheet::default();
        let mut sum = 0;
        for (unit, steps, mode) in firers {
            let attack = u32::from(self.attack(s, *unit, shot.target));
            let basic = attack * u32::from(*steps); // 18.1.2
            let effects = self.effects(s, *unit, *mode, shot);
            let mut parts = basic * PARTS;
            for effect in &effects {
                let factor = table.factor(*effect, *mode);
                parts = parts * u32::from(factor.num) / u32::from(factor.den);
            }
            // 18.2.2: at most twice the basic strength.
            parts = parts.min(basic * PARTS * u32::from(table.cap));
            sum += parts;
            sheet.firers.push(Firer { unit: *unit, steps: *steps, mode: *mode, basic, effects, parts });
        }
        sheet.total = sum / PARTS;
        sheet.effective = sheet.total / 2; // 18.2.3, 18.2.4
        sheet
    }

    /// 18.1.1
    pub fn attack(&self, s: &State, unit: UnitId, target: HexId) -> u8 {
        if self.counter(unit).symbol == Symbol::AttackHelicopter {
            return self.helicopter_attack(s, unit, target);
        }
        self.counter(unit).attack
    }

    /// 18.3.1, 18.8.2, 42.1.1, 43.1.1: Adjusted Defense Strength.
    pub fn defense(&self, s: &State, unit: UnitId, kind: FireKind) -> u16 {
        let counter = self.counter(unit);
        let hex = s.unit(unit).hex;
        // 40.5: the display counts as its own terrain.
        let terrain = hex.some().map_or(self.tables.off_map.terrain, |hex| self.field.terrain(hex));
        let row = self.tables.terrain(terrain);
        let mut total = u16::from(counter.defense);
        if kind.strikes() {
            total += u16::from(counter.symbol.column().map_or(row.other, |column| row.strike(column)));
            let improved = s.mark(hex).and_then(|mark| mark.improved) == Some(counter.side);
            if improved {
                total += u16::from(self.tables.improved_position); // 35.0
            }
        } else {
            total += u16::from(row.other);
        }
        total
    }

    /// 32.0
    pub fn night(&self, s: &State) -> bool {
        self.always_night.unwrap_or_else(|| self.turn_box(s.turn).is_some_and(|turn| turn.night))
    }

    /// Whether a hex is in a Gas Zone (44.3).
    pub fn in_gas(&self, s: &State, hex: HexId) -> bool {
        hex != HexId::NONE
            && s.marks.iter().any(|mark| {
                (mark.gas_persistent || mark.gas_non_persistent) && self.field.distance(mark.hex, hex) <= 1
            })
    }

    /// 18.6, 18.6.1, 18.6.2, 18.6.3, 15.1: units that may make Infiltration Fire at a force that moves from one hex to
    /// another.
    pub fn infiltrators(&self, s: &State, from: HexId, to: HexId, entered: bool) -> Units {
        let enemy = s.op.side.enemy();
        self.units_of(enemy)
            .iter()
            .copied()
            .filter(|unit| {
                self.may_fire(s, *unit, FireKind::Infiltration)
                    && self.zoc_into(s, *unit, from)
                    && (entered || self.zoc_into(s, *unit, to))
            })
            .collect()
    }

    /// The side that a unit's fire is against.
    pub fn enemy_of(&self, unit: UnitId) -> Side {
        self.counter(unit).side.enemy()
    }
}
