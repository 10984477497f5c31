//! Victory points and levels of a scenario (3.6, 4.6.2).

use crate::{
    pack::Side,
    rules::Panzer,
    state::{Ending, Flags, Place, State},
};

/// The points of a side, by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points {
    pub eliminated: i32,
    pub damaged: i32,
    pub exited: i32,
    pub objectives: i32,
}

impl Points {
    pub const fn total(&self) -> i32 {
        self.eliminated + self.damaged + self.exited + self.objectives
    }
}

impl Panzer {
    /// Points for an enemy vehicle: the scenario's, or those of its card.
    pub fn worth(&self, side: Side, unit: crate::units::UnitId) -> i32 {
        match self.scenario.victory.per_vehicle[side.index()] {
            0 => i32::from(self.card(unit).points),
            fixed => i32::from(fixed),
        }
    }

    pub fn points(&self, s: &State, side: Side) -> Points {
        let terms = &self.scenario.victory;
        let mut points = Points::default();
        for unit in self.units_of(side.enemy()) {
            let u = s.unit(*unit);
            let hurt = Flags(Flags::DAMAGED.0 | Flags::TURRET.0 | Flags::HULL.0 | Flags::TRACK.0);
            // 5.15: an abandoned vehicle is lost.
            // 5.2.1: a portee without its gun is worth as much as its truck.
            let truck = self.piece(*unit).and_then(|piece| piece.portee).filter(|_| u.is(Flags::UNLOADED));
            if u.place.eliminated() || u.is(Flags::BAILED) {
                let fixed = terms.per_vehicle[side.index()] > 0;
                let truck = truck.filter(|_| !fixed).map(|portee| i32::from(portee.points));
                points.eliminated += truck.unwrap_or_else(|| self.worth(side, *unit));
            } else if u.is(Flags::REDUCED) {
                // A squad that was reduced to a half-squad counts the difference.
                let half = self.piece(*unit).and_then(|piece| piece.half.as_ref());
                let left = half.map_or(0, |half| i32::from(half.points));
                points.eliminated += (self.worth(side, *unit) - left).max(0);
            } else if u.is(hurt) {
                points.damaged += self.worth(side, *unit) * i32::from(terms.damaged_percent) / 100;
            }
        }
        // 6.7.4.2.1: aircraft shot down.
        for craft in s.air.craft.iter().filter(|craft| craft.gone) {
            if self.craft_def(craft).is_some_and(|def| def.side != side) {
                points.eliminated += self.craft_card(craft).map_or(0, |card| i32::from(card.points));
            }
        }
        for unit in self.units_of(side) {
            // 4.5.1.1.9: may count.
            if s.unit(*unit).place == Place::Exited && s.exited.contains(*unit) {
                points.exited += i32::from(terms.per_exit[side.index()]);
            }
        }
        for (n, objective) in self.scenario.objectives.iter().enumerate() {
            if s.control[n].side == Some(side) {
                points.objectives += i32::from(objective.points[side.index()]);
            }
        }
        points
    }

    /// The level of victory that a lead gives a side; `None` if it is not enough for any.
    pub fn level(&self, side: Side, lead: i32) -> Option<u8> {
        let levels = &self.scenario.victory.levels[side.index()];
        levels.iter().position(|(_, least)| lead >= *least).map(|n| n as u8)
    }

    /// How the game would end now.
    pub fn ending(&self, s: &State) -> Ending {
        let points = Side::ALL.map(|side| self.points(s, side).total());
        let lead = points[0] - points[1];
        let result = Side::ALL
            .into_iter()
            .zip([lead, -lead])
            .find_map(|(side, lead)| self.level(side, lead).map(|level| (side, level)));
        Ending { winner: result.map(|(side, _)| side), points, level: result.map(|(_, level)| level) }
    }
}
