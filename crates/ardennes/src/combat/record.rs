//! The combat being fought. There is one at a time: a Breakthrough Combat starts when the previous one is over.

use hexgrid::{HexId, HexSet};
use serde::{Deserialize, Serialize};

use crate::{
    action::{Attack, Attackers, Supporters},
    list::List,
    pack::{AdvanceKind, CombatResult, Side, StateAfter, UnitId},
};

/// Defenders of one hex: 3 SP, 2 tanks, artillery, Engineers on top (8.3, 13.2); in the 1st edition also units that
/// retreated there (1E 17.4).
pub type Defenders = List<UnitId, 24>;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combat {
    pub attacker: Side,
    pub target: HexId,
    /// Surviving attackers, in the order in which they were named.
    pub attackers: Attackers,
    /// Surviving defenders.
    pub defenders: Defenders,
    /// 17.5: units that retreated into the hex in this phase; they add nothing and do not survive a retreat.
    pub bystanders: Defenders,
    /// Artillery and air support as they have been declared (14.4, step 3).
    pub artillery: Supporters,
    pub air: bool,
    /// Support that the attacker planned when declaring the attack; known to nobody else.
    #[serde(default)]
    pub planned: Supporters,
    #[serde(default)]
    pub planned_air: bool,
    /// Something is decided or rolled between the declaration of the attack and its support (14.4, steps 1 and 3).
    #[serde(default)]
    pub support_later: bool,
    pub surprise: bool,
    /// Shifts decided by dice so far: positive to the right.
    pub rolled_shift: i8,
    /// The attack comes, entirely or in part, from a Blocking Position (13.8).
    pub from_blocking: bool,
    pub breakthrough: bool,
    /// 1E 16.72: this combat is the counterattack after a Determined Defense.
    pub counterattack: bool,
    /// 1E 16.72: the defender may counterattack after this combat.
    pub counterattack_due: bool,
    /// A bridge that was attacked across has just been blown (14.4).
    pub blown: bool,
    /// 22.8: Time On Target has stopped the attack.
    pub tot: bool,
    /// 32.2: the garrison of a fuel dump defends.
    pub dump: bool,
    /// The Tank units that gave a side its Armor Shift: it loses one of them in an EX (16.3, 21.1).
    pub armor_shift: Option<Side>,
    pub armor: Attackers,
    /// The DCB that counted (16.73).
    pub dcb: u8,
    pub result: Option<CombatResult>,
    /// Lead Unit of the Fire Fight (16.2).
    pub attack_lead: Lead,
    /// The unit that must take the next loss of a side (16.2, 16.71); none: the owner's choice.
    pub loss_on: [Lead; 2],
    pub retreat: u8,
    pub state_after: StateAfter,
    /// Survivors of the defense become Engaged (16.5).
    pub engaged: bool,
    pub advance: AdvanceKind,
    pub breakthrough_allowed: bool,
    /// An Attacker's Advantage marker is won (16.6).
    pub advantage: bool,
    /// Units that have still to retreat.
    pub retreating: Defenders,
    /// The unit that retreated last, and the hexes that it left on its way: none is entered twice (17.1, 17.4).
    pub gone_back: Lead,
    pub left_behind: List<HexId, 16>,
    /// Units that advanced further than a Breakthrough Group on foot may (19.4).
    pub far: Attackers,
    /// Disengagement (20.2): hexes whose stack has declared, and whether the retreating unit is Disrupted.
    pub declared: HexSet,
    pub disengage_disrupts: bool,
}

/// An optional unit, with a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lead(u16);

impl Lead {
    pub const NONE: Lead = Lead(u16::MAX);

    pub fn get(self) -> Option<UnitId> {
        (self != Self::NONE).then_some(UnitId(self.0))
    }
}

impl From<UnitId> for Lead {
    fn from(unit: UnitId) -> Lead {
        Lead(unit.0)
    }
}

impl Default for Combat {
    fn default() -> Self {
        Combat {
            attacker: Side::German,
            target: HexId::NONE,
            attackers: List::new(),
            defenders: List::new(),
            bystanders: List::new(),
            artillery: List::new(),
            air: false,
            planned: List::new(),
            planned_air: false,
            support_later: false,
            surprise: false,
            rolled_shift: 0,
            from_blocking: false,
            breakthrough: false,
            counterattack: false,
            counterattack_due: false,
            blown: false,
            tot: false,
            dump: false,
            armor_shift: None,
            armor: List::new(),
            dcb: 0,
            result: None,
            attack_lead: Lead::NONE,
            loss_on: [Lead::NONE; 2],
            retreat: 0,
            state_after: StateAfter::Unchanged,
            engaged: false,
            advance: AdvanceKind::None,
            breakthrough_allowed: false,
            advantage: false,
            retreating: List::new(),
            gone_back: Lead::NONE,
            left_behind: List::new(),
            far: List::new(),
            declared: HexSet::EMPTY,
            disengage_disrupts: false,
        }
    }
}

impl Combat {
    /// The attack as it was declared, with the surviving units.
    pub fn attack(&self) -> Attack {
        Attack {
            units: self.attackers,
            artillery: self.artillery,
            air: self.air,
            surprise: self.surprise,
            ..Attack::blank(self.target)
        }
    }

    /// The attack with the support that its owner planned (14.4): for the owner's eyes only.
    pub fn planned_attack(&self) -> Attack {
        Attack { artillery: self.planned, air: self.planned_air, ..self.attack() }
    }

    /// Substitutes one unit for another: a Remnant (16.4) or Breakdown units (26.1).
    pub fn replace(&mut self, old: UnitId, new: UnitId) {
        let swap = |unit: &mut UnitId| {
            if *unit == old {
                *unit = new;
            }
        };
        self.attackers.iter_mut().for_each(swap);
        self.far.iter_mut().for_each(swap);
        self.defenders.iter_mut().for_each(swap);
        self.retreating.iter_mut().for_each(swap);
    }

    /// Removes an eliminated unit from the combat.
    pub fn forget(&mut self, unit: UnitId) {
        self.attackers.retain(|u| u != unit);
        self.far.retain(|u| u != unit);
        self.defenders.retain(|u| u != unit);
        self.bystanders.retain(|u| u != unit);
        self.retreating.retain(|u| u != unit);
    }
}
