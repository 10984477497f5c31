//! The facts of a counter that the rules read frequently, without its texts.

use crate::{
    action::Mode,
    flags::Flags,
    pack::{
        Army, ArrivalBy, Category, Colour, CorpsId, DefenseMark, Edition, Factors, FormationId, Ground,
        Morale, Nation, PoolId, RegimentId, Role, Side, Tag, Tags, UnitDef, UnitId,
    },
    rules::Ardennes,
    state::{State, Unit, UnitSet},
    terrain::Class,
};

/// One counter of the order of battle, as the rules see it.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    pub side: Side,
    pub mechanized: bool,
    pub vehicle: bool,
    pub infantry: bool,
    pub artillery: bool,
    pub tank: bool,
    pub silhouette: bool,
    pub recon: bool,
    pub flak: bool,
    pub nebelwerfer: bool,
    pub british: bool,
    pub parentheses: bool,
    pub outlined: bool,
    pub red_code: bool,
    pub replaceable: bool,
    pub remnant_counter: bool,
    pub breakdown_counter: bool,
    /// Steps on the counter itself (a Remnant is a separate counter).
    pub sides: u8,
    pub front: Factors,
    pub back: Factors,
    /// Movement allowance of Fired artillery (22.1).
    pub fired_movement: u8,
    pub range: u8,
    pub morale: Morale,
    pub colour: Colour,
    pub army: Option<Army>,
    pub corps: Option<CorpsId>,
    pub formation: Option<FormationId>,
    pub regiment: Option<RegimentId>,
    pub remnant: Option<PoolId>,
    pub breakdown: Option<PoolId>,
    pub tags: Tags,
    pub tq: [u8; 2],
    pub tq_red: bool,
    /// Arrives like US Engineers, in a Town or City (13.2).
    pub engineer: bool,
    /// Arrives by parachute (27.2).
    pub parachutist: bool,
    /// Bit `m`: units of this kind can use the [`Mode`] with this number at all.
    pub modes: u8,
}

/// The modes of movement of a kind of unit, as bits (11, 12, 22). [`Ardennes::profile`] says why the others are
/// excluded.
fn modes(category: Category, side: Side) -> u8 {
    let ever = |mode: &Mode| match mode {
        Mode::Normal | Mode::Tactical => true,
        Mode::Extended => !category.mechanized,
        Mode::Strategic => category.mechanized,
        Mode::Truck => !category.mechanized && side == Side::Allied,
        Mode::PrimeMover => category.artillery && side == Side::German,
    };
    Mode::ALL.into_iter().filter(ever).fold(0, |modes, mode| modes | 1 << mode as u8)
}

impl Counter {
    pub fn new(def: &UnitDef, edition: Edition) -> Counter {
        let c = def.category;
        Counter {
            side: def.side,
            mechanized: c.mechanized,
            vehicle: c.vehicle,
            infantry: c.infantry,
            artillery: c.artillery,
            tank: c.tank,
            silhouette: def.is_silhouette(),
            recon: def.unit_type == crate::pack::UnitType::Recon,
            flak: def.unit_type == crate::pack::UnitType::Flak,
            nebelwerfer: def.is_nebelwerfer(),
            british: def.nation == Nation::British,
            parentheses: def.defense_mark == DefenseMark::Parentheses,
            outlined: def.defense_mark == DefenseMark::Outlined,
            red_code: def.red_code(),
            replaceable: def.replaceable,
            remnant_counter: matches!(def.role, Role::Remnant(_)),
            breakdown_counter: matches!(def.role, Role::Breakdown(_)),
            sides: if def.reduced.is_some() { 2 } else { 1 },
            front: def.factors(edition, false),
            back: def.factors(edition, true),
            fired_movement: def.fired.map_or(def.front.movement, |f| f.movement),
            range: def.range,
            morale: def.morale,
            colour: def.colour,
            army: def.army,
            corps: def.corps,
            formation: def.formation,
            regiment: def.regiment,
            remnant: def.remnant,
            breakdown: def.breakdown,
            tags: def.tags,
            tq: [def.tank_quality(false), def.tank_quality(true)],
            tq_red: def.tq.is_some_and(|tq| tq.red),
            engineer: def.arrival().is_some_and(|a| a.by == ArrivalBy::TownOrCity),
            parachutist: def.arrival().is_some_and(|a| a.by == ArrivalBy::Drop),
            modes: modes(c, def.side),
        }
    }

    pub fn has(&self, tag: Tag) -> bool {
        self.tags.has(tag)
    }

    /// Forms ZOC Bonds outside Wooded Rough (10.1).
    pub fn bonds(&self) -> bool {
        !self.artillery
    }
}

impl Ardennes {
    #[inline]
    pub fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    /// The factors of the counter's face-up side.
    #[inline]
    pub fn factors(&self, s: &State, unit: UnitId) -> Factors {
        let counter = self.counter(unit);
        if s.unit(unit).is(Flags::REDUCED) { counter.back } else { counter.front }
    }

    /// Steps left on the counter: 2 on the front of a two-step unit, otherwise 1.
    pub fn steps(&self, s: &State, unit: UnitId) -> u8 {
        if s.unit(unit).is(Flags::REDUCED) { 1 } else { self.counter(unit).sides }
    }

    /// Tank Quality of the face-up side, 0 for none (2.9).
    pub fn tank_quality(&self, s: &State, unit: UnitId) -> u8 {
        self.counter(unit).tq[usize::from(s.unit(unit).is(Flags::REDUCED))]
    }

    /// The column of the movement chart a unit uses: Trucks and moving artillery count as Mechanized (12.61, 22.1).
    pub fn class(&self, s: &State, unit: UnitId) -> Class {
        if self.counter(unit).mechanized || s.unit(unit).is(Flags::TRUCK) {
            Class::Mechanized
        } else {
            Class::Foot
        }
    }

    /// 28.1
    pub fn ground(&self, s: &State) -> Ground {
        self.pack.turn(s.turn).map_or(Ground::Mud, |t| t.ground)
    }

    /// All units of the side, wherever they are.
    pub fn units_of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.by_side[side.index()].iter().copied()
    }

    /// Units of the side that pass a test, wherever they are.
    #[inline]
    pub fn units_where(&self, s: &State, side: Side, test: impl Fn(&Unit) -> bool) -> UnitSet {
        let mut found = UnitSet::EMPTY;
        self.sides[side.index()].each_run(|run| {
            for (unit, index) in s.units()[run.clone()].iter().zip(run) {
                if test(unit) {
                    found.insert(UnitId(index as u16));
                }
            }
        });
        found
    }

    /// Resets all units of the side for a new phase: nothing is spent, and the flags in `gone` are cleared.
    pub fn begin_afresh(&self, s: &mut State, side: Side, gone: Flags) {
        let all = s.all_units_mut();
        self.sides[side.index()].each_run(|run| {
            for unit in &mut all[run] {
                unit.spent = 0;
                unit.flags.clear(gone);
            }
        });
    }

    /// Units of the side on the map.
    pub fn on_map<'a>(&'a self, s: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        s.in_game(side).iter().filter(|u| s.unit(*u).hex().is_some())
    }
}
