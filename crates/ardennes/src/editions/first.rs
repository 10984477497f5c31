//! Where the 1st edition differs, one function for each difference. The 2nd edition is the default: the rule modules
//! implement it and call these functions where the 1st edition departs from it. Numbers that differ are in the pack's
//! tables.

use crate::{pack::Edition, rules::Ardennes};

impl Ardennes {
    #[inline]
    fn first_edition(&self) -> bool {
        self.edition == Edition::First
    }

    /// 1E 25.24: a unit that received a replacement does not move.
    #[inline]
    pub fn replaced_stay(&self) -> bool {
        self.first_edition()
    }

    /// 1E 25.3: before the night a unit may move one hex at any cost; a unit that moves more may not act at night.
    #[inline]
    pub fn night_counts_hexes(&self) -> bool {
        self.first_edition()
    }

    /// 1E 11.6: Wooded Rough may be entered in any mode of movement; only rivers need Tactical Movement (11.4).
    #[inline]
    pub fn crosses_in_any_mode(&self) -> bool {
        self.first_edition()
    }

    /// 1E 18.2: the one hex that a Disrupted unit moves is not Tactical Movement.
    #[inline]
    pub fn disrupted_creep(&self) -> bool {
        self.first_edition()
    }

    /// 1E 11.2, 12.2: movement that may not approach the enemy avoids EZOCs only, not every hex adjacent to an enemy
    /// unit.
    #[inline]
    pub fn zoc_is_near(&self) -> bool {
        self.first_edition()
    }

    /// 1E 27.3: the British never become free to cross the Meuse, and there is no Antwerp defense.
    #[inline]
    pub fn british_stay_bound(&self) -> bool {
        self.first_edition()
    }

    /// 1E 12.4: every unit needs its own SM marker.
    #[inline]
    pub fn marker_for_each(&self) -> bool {
        self.first_edition()
    }

    /// 1E 8.3, 17.4, 26.1: a hex may be overstacked until the end of the Movement Phase.
    #[inline]
    pub fn overstacks_for_a_while(&self) -> bool {
        self.first_edition()
    }

    /// 1E 8.2, 26.1, 26.4: what a unit may do depends on more than the unit and its stack, so the shortcuts of the 2nd
    /// edition do not apply.
    #[inline]
    pub fn checks_every_unit(&self) -> bool {
        self.first_edition()
    }

    /// 1E 7.8: the die for the Ouren bridge is rolled when Germans move adjacent to it, not when they cross it.
    #[inline]
    pub fn ouren_rolled_beside_it(&self) -> bool {
        self.first_edition()
    }

    /// 1E 30.2 A: an exit to Antwerp closes both of its Entry Hexes.
    #[inline]
    pub fn antwerp_closes_both_entries(&self) -> bool {
        self.first_edition()
    }

    /// 1E 27.12: the 150th infiltrates only on the first turns.
    #[inline]
    pub fn infiltration_ends(&self) -> bool {
        self.first_edition()
    }

    /// 1E 27.7: one area is closed to the Allies on the first turns.
    #[inline]
    pub fn closes_an_area(&self) -> bool {
        self.first_edition()
    }

    /// 1E 12.3, 24.8: an enemy Roadblock ends Strategic Movement, an advance, and a supply line.
    #[inline]
    pub fn roadblock_stops_columns(&self) -> bool {
        self.first_edition()
    }

    /// 1E 15.8: all units but silhouettes and artillery can build Improved Positions, not on the West Wall, and may
    /// abandon them at will.
    #[inline]
    pub fn digs_as_it_likes(&self) -> bool {
        self.first_edition()
    }

    /// 1E 11.10: while boundaries are in force, reinforcements enter on their own army's side.
    #[inline]
    pub fn entries_of_armies(&self) -> bool {
        self.first_edition()
    }

    /// 1E 13.4: a unit that blocks a German unit off the map stays as long as that unit does.
    #[inline]
    pub fn blockers_stay(&self) -> bool {
        self.first_edition()
    }

    /// 1E 13.2: arriving Engineers must obey the stacking limits.
    #[inline]
    pub fn engineers_obey_stacking(&self) -> bool {
        self.first_edition()
    }

    /// 1E 14.3: a unit stacked with a division, or two Independent units stacked together, count as one division.
    #[inline]
    pub fn stack_is_a_division(&self) -> bool {
        self.first_edition()
    }

    /// 1E 21.4: a Recon unit defending alone turns an Engagement into a retreat of one hex without Disruption.
    #[inline]
    pub fn recon_slips_from_engagement(&self) -> bool {
        self.first_edition()
    }

    /// 1E 29: no Allied artillery fires on the first turn, and none is released.
    #[inline]
    pub fn first_turn_silences_guns(&self) -> bool {
        self.first_edition()
    }

    /// 1E 22.6, 27.3: artillery supports any unit of its nation.
    #[inline]
    pub fn guns_have_no_colours(&self) -> bool {
        self.first_edition()
    }

    /// 1E 13.5: attackers from off the map return to their Box, and the number of off-map hexes limits them.
    #[inline]
    pub fn off_map_attackers_return(&self) -> bool {
        self.first_edition()
    }

    /// 1E 18, 23.4, 27.1: no unit is eliminated merely because of the length of its retreat.
    #[inline]
    pub fn survives_long_retreats(&self) -> bool {
        self.first_edition()
    }

    /// 1E 11.10: a retreat across an army boundary disrupts.
    #[inline]
    pub fn boundary_disrupts(&self) -> bool {
        self.first_edition()
    }

    /// 1E 18: a Disrupted unit that would be disrupted again loses a step.
    #[inline]
    pub fn disorder_costs_a_step(&self) -> bool {
        self.first_edition()
    }

    /// 1E 25: a unit that received a replacement may attack.
    #[inline]
    pub fn replaced_attack(&self) -> bool {
        self.first_edition()
    }

    /// 1E 16.72: a unit does not become Engaged by a Determined Defense.
    #[inline]
    pub fn stands_without_engaging(&self) -> bool {
        self.first_edition()
    }

    /// 1E 27.4: a black box doubles the attack on Towns and Cities, not on Villages.
    #[inline]
    pub fn villages_do_not_double(&self) -> bool {
        self.first_edition()
    }

    /// 1E 15.7: silhouettes and Recon units are restricted by terrain, not every vehicle.
    #[inline]
    pub fn silhouettes_are_bound(&self) -> bool {
        self.first_edition()
    }

    /// 1E 21.2: a red Tank Quality counts only in defense.
    #[inline]
    pub fn red_rating_defends(&self) -> bool {
        self.first_edition()
    }

    /// 1E 23.4: Tank Quality is one less while out of supply.
    #[inline]
    pub fn supply_weakens_tanks(&self) -> bool {
        self.first_edition()
    }

    /// 1E 21.1: the 150th counts as tank and infantry while unreduced, and so do Recon units with a Tank Quality.
    #[inline]
    pub fn some_tanks_are_infantry_too(&self) -> bool {
        self.first_edition()
    }

    /// 1E 25.22: units are rebuilt in any own City or Town, whatever is near it.
    #[inline]
    pub fn rebuilds_anywhere(&self) -> bool {
        self.first_edition()
    }

    /// 1E 25.26: a unit with a Night marker may receive a replacement.
    #[inline]
    pub fn night_marker_does_not_bar(&self) -> bool {
        self.first_edition()
    }

    /// 1E 25.21, 25.22: few replacements reach the front, and a unit at the front steps back first.
    #[inline]
    pub fn replacements_at_the_front(&self) -> bool {
        self.first_edition()
    }

    /// 1E 25.3: other units than in the 2nd edition are excluded from night actions.
    #[inline]
    pub fn night_fitness(&self) -> bool {
        self.first_edition()
    }

    /// 1E 24.8: Roadblocks are part of the game, with rules of their own.
    #[inline]
    pub fn roadblocks_are_standard(&self) -> bool {
        self.first_edition()
    }

    /// 1E 6.5: the fuel shortage applies west of the Ourthe, not on the West map.
    #[inline]
    pub fn fuel_west_of_the_ourthe(&self) -> bool {
        self.first_edition()
    }

    /// 1E 32.2: captured fuel is spent on a fuel roll of the German player's choice, and a recaptured dump has no
    /// garrison.
    #[inline]
    pub fn captured_fuel_is_spent(&self) -> bool {
        self.first_edition()
    }

    /// 1E 5.3: any artillery under an SM marker stays on its Fired side.
    #[inline]
    pub fn marched_guns_wait(&self) -> bool {
        self.first_edition()
    }

    /// 1E 26: Combat Commands break down as a whole, other units in part; the counters form pools; few units recombine
    /// per turn.
    #[inline]
    pub fn breaks_down_by_type(&self) -> bool {
        self.first_edition()
    }

    /// 1E 10: silhouettes form Bonds in Wooded Rough as well.
    #[inline]
    pub fn silhouettes_bond_in_rough(&self) -> bool {
        self.first_edition()
    }

    /// 1E 7.3, 7.9: whether a bridge is threatened, guarded or repairable depends on ZOC.
    #[inline]
    pub fn zoc_threatens_bridges(&self) -> bool {
        self.first_edition()
    }

    /// 1E 23.3: a Town that the enemy controls does not block supply.
    #[inline]
    pub fn towns_let_supply_pass(&self) -> bool {
        self.first_edition()
    }

    /// 1E 23.6: a group is freed by any unit that reaches it, and is valued by its strongest unit.
    #[inline]
    pub fn surrenders_by_the_strongest(&self) -> bool {
        self.first_edition()
    }

    /// 1E 30: areas count if they are adjacent to one another.
    #[inline]
    pub fn victory_areas_adjoin(&self) -> bool {
        self.first_edition()
    }

    /// 1E 30.2: a Victory Hex needs no road connection.
    #[inline]
    pub fn victory_without_a_road(&self) -> bool {
        self.first_edition()
    }
}
