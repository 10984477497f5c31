//! Spotting (4.1 to 4.1.3, 4.1.5). Line of sight is in [`crate::los`].

use hexgrid::HexId;

use crate::{
    event::Event,
    fire::bearing,
    pack::{Cover, FieldOfFire, TerrainEffects},
    play::Play,
    rules::Panzer,
    state::{Flags, Spot, State},
    units::{UnitId, UnitSet},
};

/// Least and greatest row of the Spotting Range Table (4.1.3).
pub const ROWS: (i8, i8) = (-5, 2);

impl Panzer {
    /// The line of the Terrain Effects Chart for a vehicle in a hex: on a bridge, in the Alley of a building hex
    /// (4.1.4.1.3), else the hex's terrain. Path and road have the cover of the other terrain (4.1.3).
    #[inline]
    pub fn effects(&self, hex: HexId) -> &TerrainEffects {
        let ground = self.field.ground(hex);
        if ground.bridge {
            &self.tables().bridge
        } else if ground.terrain.building() {
            &self.tables().alley
        } else {
            &self.tables().terrain[ground.terrain as usize]
        }
    }

    /// 3.8: vehicles of both sides count, wrecks do not.
    #[inline]
    pub fn overstacked(&self, s: &State, hex: HexId) -> bool {
        // 5.13: Leg units do not count, nor does what is carried or towed.
        let counts = |unit: &UnitId| self.vehicle(*unit).stacks && !s.unit(*unit).passenger();
        s.in_hex(hex).filter(counts).count() >= usize::from(self.tables().modifiers.overstacked)
    }

    /// Cover of a vehicle against being spotted.
    #[inline]
    pub fn spotting_cover(&self, s: &State, hex: HexId) -> Cover {
        let cover = self.effects(hex).cover_spot;
        if cover != Cover::None && self.overstacked(s, hex) { Cover::None } else { cover } // 4.1.3.2
    }

    /// Cover of a target against AP fire (4.4.3.2.2).
    #[inline]
    pub fn combat_cover(&self, s: &State, hex: HexId) -> Cover {
        let cover = self.effects(hex).cover_combat;
        if cover != Cover::None && self.overstacked(s, hex) { Cover::None } else { cover } // 3.8
    }

    /// What a Spot counter adds to the row (4.1.3).
    pub fn spot_modifier(&self, spot: Spot) -> i8 {
        let modifiers = &self.tables().modifiers;
        match spot {
            Spot::None => 0,
            Spot::Move => modifiers.spot_move,
            Spot::Fire => modifiers.spot_fire,
            Spot::FireSmallArms => {
                self.advanced.as_deref().map_or(0, |game| game.tables().spot_fire_small_arms) // 6.1.3
            }
        }
    }

    /// 4.1.3, 4.1.3.1: the row of the Spotting Range Table for a target. Its size does not matter, nor does the spotter.
    #[inline]
    pub fn spotting_row(&self, s: &State, target: UnitId) -> i8 {
        self.spotting_shift(s, target).clamp(ROWS.0, ROWS.1)
    }

    /// The same before it is limited to the rows of the table: cover, Spot counter and Full Cover of the target.
    fn spotting_shift(&self, s: &State, target: UnitId) -> i8 {
        let u = s.unit(target);
        let cover = self.tables().modifiers.spot_cover[self.spotting_cover_of(s, target) as usize];
        let mut shift = cover + self.spot_modifier(u.spot);
        if let Some(game) = self.advanced.as_deref() {
            if u.is(Flags::FULL_COVER) {
                shift += game.tables().target_full_cover; // 6.1.3.2
            }
            if self.optional(36) && !self.lit(s, u.hex) {
                shift += game.tables().optional.night.spotting_row; // 7.36: by night
            }
        }
        shift
    }

    /// 7.27: whether a hex is illuminated as by day.
    pub fn lit(&self, s: &State, hex: HexId) -> bool {
        s.indirect.lit.iter().any(|(_, lit)| self.lights(*lit, hex))
    }

    /// 7.27: whether illumination over one hex lights up the other.
    pub fn lights(&self, over: HexId, hex: HexId) -> bool {
        let around = self.advanced.as_deref().map_or(0, |game| game.tables().optional.illumination.around);
        self.field.range(over, hex) <= u32::from(around)
    }

    /// 6.1.3.1, 6.1.3.2: the effect of the spotter's own state on the row.
    pub fn spotter_shift(&self, s: &State, spotter: UnitId) -> i8 {
        let (Some(game), u) = (self.advanced.as_deref(), s.unit(spotter)) else { return 0 };
        let tables = game.tables();
        i8::from(u.suppressed()) * tables.spotter_suppressed
            + i8::from(u.is(Flags::FULL_COVER)) * tables.spotter_full_cover
    }

    /// 6.1.2, 6.1.3.1: a Suppressed unit sees only to its front, or to its rear if its weapon points there.
    pub fn looks_toward(&self, s: &State, spotter: UnitId, hex: HexId) -> bool {
        let u = s.unit(spotter);
        if self.advanced.is_none() || !u.suppressed() {
            return true;
        }
        let rear = self.vehicle(spotter).guns.first().is_some_and(|gun| gun.arc == FieldOfFire::Rear);
        let ahead = if rear { u.facing.opposite() } else { u.facing };
        bearing::in_sector(ahead, self.field.board.hex(u.hex), self.field.board.hex(hex))
    }

    /// 6.1.3: how far away this unit can spot that one; the column is the target's size.
    pub fn range_between(&self, s: &State, spotter: UnitId, target: UnitId) -> u32 {
        let Some(game) = self.advanced.as_deref() else { return self.spotting_range(s, target) };
        let net = self.spotting_shift(s, target) + self.spotter_shift(s, spotter);
        let size = game.pieces[target.index()].spotted_as;
        u32::from(game.tables().spotting_range(net, size))
    }

    /// How far away a target can be spotted (4.1.3).
    #[inline]
    pub fn spotting_range(&self, s: &State, target: UnitId) -> u32 {
        let row = self.spotting_row(s, target);
        if let Some(game) = self.advanced.as_deref() {
            let size = game.pieces[target.index()].spotted_as; // 6.1.3
            return u32::from(game.tables().spotting_range(row, size));
        }
        u32::from(self.tables().spotting[(ROWS.1 - row) as usize])
    }

    /// 4.1, 4.1.2: whether a vehicle spots another now. It sees all round, regardless of its facing.
    #[inline]
    pub fn spots(&self, s: &State, spotter: UnitId, target: UnitId) -> bool {
        s.unit(target).on_map()
            && self.spots_within(s, spotter, target, || self.range_between(s, spotter, target))
    }

    /// `range` is computed last, because it takes longest.
    #[inline]
    fn spots_within(&self, s: &State, spotter: UnitId, target: UnitId, range: impl FnOnce() -> u32) -> bool {
        let (a, b) = (s.unit(spotter), s.unit(target));
        self.armed(s, spotter) // 4.1.1, 6.1.1
            && a.on_map()
            && !a.is(Flags::BAILED) // 5.15
            && !b.passenger() // 6.1.3: part of the vehicle that carries it
            && self.looks_toward(s, spotter, b.hex)
            && self.sees(s, spotter, target) // 4.1.4
            && self.field.range(a.hex, b.hex) <= range()
    }

    /// 4.1.4, 6.1.4.3.1: whether there is a line of sight between two units on the map, at their actual heights.
    #[inline]
    pub fn sees(&self, s: &State, one: UnitId, other: UnitId) -> bool {
        let (a, b) = (s.unit(one), s.unit(other));
        if !s.works.rubble.is_empty() {
            let ends = [(a.hex, self.height_of(s, one)), (b.hex, self.height_of(s, other))];
            return self.los.clear_over(ends[0], ends[1], &s.works.rubble); // 6.1.4.3.9
        }
        if a.is(Flags::UP) || b.is(Flags::UP) {
            return self.los.clear_at((a.hex, self.height_of(s, one)), (b.hex, self.height_of(s, other)));
        }
        self.los.clear(a.hex, b.hex)
    }

    /// The units that spot a vehicle now.
    pub fn spotters(&self, s: &State, target: UnitId) -> UnitSet {
        let mut set = UnitSet::EMPTY;
        if s.unit(target).on_map() {
            let enemy = self.vehicle(target).side.enemy();
            // The target's part is the same for all spotters; each spotter's state is added (6.1.3).
            let shift = self.spotting_shift(s, target);
            let range = |spotter: UnitId| match self.advanced.as_deref() {
                Some(game) => {
                    let size = game.pieces[target.index()].spotted_as;
                    let net = shift + self.spotter_shift(s, spotter);
                    u32::from(game.tables().spotting_range(net, size))
                }
                None => self.spotting_range(s, target),
            };
            for spotter in self.units_of(enemy) {
                if self.spots_within(s, *spotter, target, || range(*spotter)) {
                    set.insert(*spotter);
                }
            }
        }
        set
    }

    /// Record which units have spotted which: the only targets of this turn's Direct Fire (4.1).
    pub fn look(&self, s: &mut State) {
        for target in s.ids() {
            s.spotters[target.index()] = self.spotters(s, target);
        }
    }
}

/// The Spotting Phase: both sides at once.
pub fn phase(play: &mut Play) {
    crate::hidden::spotted(play); // 7.2
    play.rules.look(play.s);
    let mut spotted = [0; 2];
    for unit in play.s.ids() {
        play.s.unit_mut(unit).clear(Flags::NEW_SPOT);
        if !play.s.spotters[unit.index()].is_empty() {
            spotted[play.rules.vehicle(unit).side.index()] += 1;
        } else if play.s.unit(unit).spot != Spot::None {
            // 4.1.5: no unit spots it, even with its counter.
            play.s.unit_mut(unit).spot = Spot::None;
            play.tell(Event::SpotCounter { unit, spot: Spot::None });
        }
    }
    play.tell(Event::Spotted { spotted });
    crate::hidden::watch(play); // 7.2
}
