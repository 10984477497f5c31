//! Spotting (4.1 to 4.1.3, 4.1.5). Line of sight is in [`crate::los`].

use hexgrid::HexId;

use crate::{
    event::Event,
    pack::{Cover, TerrainEffects},
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
        s.in_hex(hex).count() >= usize::from(self.tables().modifiers.overstacked)
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
        }
    }

    /// 4.1.3, 4.1.3.1: the row of the Spotting Range Table for a target. Its size does not matter, nor does the spotter.
    #[inline]
    pub fn spotting_row(&self, s: &State, target: UnitId) -> i8 {
        let u = s.unit(target);
        let cover = self.tables().modifiers.spot_cover[self.spotting_cover(s, u.hex) as usize];
        (cover + self.spot_modifier(u.spot)).clamp(ROWS.0, ROWS.1)
    }

    /// How far away a target can be spotted (4.1.3).
    #[inline]
    pub fn spotting_range(&self, s: &State, target: UnitId) -> u32 {
        u32::from(self.tables().spotting[(ROWS.1 - self.spotting_row(s, target)) as usize])
    }

    /// 4.1, 4.1.2: does a vehicle spot another now? All round, whatever its facing.
    #[inline]
    pub fn spots(&self, s: &State, spotter: UnitId, target: UnitId) -> bool {
        s.unit(target).on_map() && self.spots_within(s, spotter, target, self.spotting_range(s, target))
    }

    #[inline]
    fn spots_within(&self, s: &State, spotter: UnitId, target: UnitId, range: u32) -> bool {
        let (a, b) = (s.unit(spotter), s.unit(target));
        self.vehicle(spotter).combat // 4.1.1
            && a.on_map()
            && self.field.range(a.hex, b.hex) <= range
            && self.los.clear(a.hex, b.hex) // 4.1.4
    }

    /// Who spots a vehicle now.
    pub fn spotters(&self, s: &State, target: UnitId) -> UnitSet {
        let mut set = UnitSet::EMPTY;
        if s.unit(target).on_map() {
            let enemy = self.vehicle(target).side.enemy();
            let range = self.spotting_range(s, target);
            for spotter in self.units_of(enemy) {
                if self.spots_within(s, *spotter, target, range) {
                    set.insert(*spotter);
                }
            }
        }
        set
    }

    /// Note who has spotted whom: the only targets of this turn's Direct Fire (4.1).
    pub fn look(&self, s: &mut State) {
        for target in s.ids() {
            s.spotters[target.index()] = self.spotters(s, target);
        }
    }
}

/// The Spotting Phase: both sides at once.
pub fn phase(play: &mut Play) {
    play.rules.look(play.s);
    let mut spotted = [0; 2];
    for unit in play.s.ids() {
        play.s.unit_mut(unit).clear(Flags::NEW_SPOT);
        if !play.s.spotters[unit.index()].is_empty() {
            spotted[play.rules.vehicle(unit).side.index()] += 1;
        } else if play.s.unit(unit).spot != Spot::None {
            // 4.1.5: nobody spots it, even with its counter.
            play.s.unit_mut(unit).spot = Spot::None;
            play.tell(Event::SpotCounter { unit, spot: Spot::None });
        }
    }
    play.tell(Event::Spotted { spotted });
}
