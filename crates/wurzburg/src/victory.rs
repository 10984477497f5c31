//! Victory (46.7): points for losses, and the scenario's own.

use hexgrid::{Direction, HexId};

use crate::{
    event::Event,
    pack::{Automatic, VictoryLevel, VictoryRule, VictoryWhat},
    play::Play,
    rules::Wurzburg,
    state::{Ending, Place, State},
    units::{FormationId, Side},
};

/// 6.7.4: points of a side, by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub losses: i32,
    pub hqs: i32,
    pub air: i32,
    pub gas: i32,
    pub scenario: i32,
}

impl Score {
    pub const fn total(&self) -> i32 {
        self.losses + self.hqs + self.air + self.gas + self.scenario
    }
}

impl Wurzburg {
    /// The current points of a side.
    pub fn score(&self, s: &State, side: Side) -> Score {
        let table = &self.tables.victory;
        let state = &s.sides[side.index()];
        let times = |points: u8, count: u16| i32::from(points) * i32::from(count);
        let rules = self.scenario.victory.iter().filter(|rule| rule.side == side);
        Score {
            losses: times(table.maneuver_step, state.maneuver_kills)
                + times(table.artillery_or_engineer_step, state.support_kills)
                + times(table.helicopter_step, state.helicopter_kills),
            hqs: times(table.hq, state.hq_hits),
            air: times(table.air_step, state.air_hits),
            gas: i32::from(state.gas),
            scenario: rules
                .map(|rule| i32::from(rule.points) * self.times(s, rule) + self.before(s, rule))
                .sum(),
        }
    }

    fn held(&self, s: &State, hex: HexId, side: Side) -> bool {
        self.holdable.iter().position(|held| *held == hex).is_some_and(|n| s.control[n] == side)
    }

    /// Maneuver steps of a side that left by a zone, unless their formation was shattered (46.7.4).
    fn exited(&self, s: &State, side: Side, zone: Option<&str>) -> i32 {
        let zone = zone.and_then(|zone| self.scenario.zone(zone));
        self.units_of(side)
            .iter()
            .filter(|unit| {
                let u = s.unit(**unit);
                u.place == Place::Exited
                    && self.counter(**unit).symbol.maneuver()
                    && u.turn > 0
                    && zone.is_none_or(|zone| u.hex.some().is_some_and(|hex| zone.contains(hex)))
            })
            .map(|unit| i32::from(s.unit(*unit).steps))
            .sum()
    }

    /// The result if enough steps have left the map for it.
    fn won_by_exit(&self, s: &State) -> Option<VictoryLevel> {
        self.scenario.automatic.iter().find_map(|rule| match rule {
            Automatic::Exited { zone, steps, result } => {
                (self.exited(s, Side::Wp, Some(zone)) >= i32::from(*steps)).then_some(*result)
            }
            Automatic::NeverIn { .. } => None,
        })
    }

    /// How often a rule scores.
    fn times(&self, s: &State, rule: &VictoryRule) -> i32 {
        let side = rule.side;
        match &rule.what {
            VictoryWhat::Control { hexes } => {
                hexes.iter().filter(|hex| self.held(s, **hex, side)).count() as i32
            }
            VictoryWhat::ControlAll { hexes } => i32::from(hexes.iter().all(|hex| self.held(s, *hex, side))),
            VictoryWhat::Exit { zone } => self.exited(s, side, Some(zone)),
            VictoryWhat::NoExit => i32::from(self.exited(s, side.enemy(), None) == 0),
            VictoryWhat::RegionSteps { zone } => {
                let zone = self.scenario.zone(zone).unwrap_or_default();
                self.units_of(side)
                    .iter()
                    .filter(|unit| {
                        let u = s.unit(**unit);
                        u.on_map() && zone.contains(u.hex) && self.counter(**unit).symbol.maneuver()
                    })
                    .map(|unit| i32::from(s.unit(*unit).steps))
                    .sum()
            }
            VictoryWhat::BridgeBlown { bridges } => {
                let blown = |side| {
                    let n = self.field.river_of(side);
                    s.crossings.get(usize::from(n)).is_some_and(|crossing| crossing.blown)
                };
                bridges.iter().filter(|side| blown(**side)).count() as i32
            }
            VictoryWhat::BridgeHeld { bridges } => {
                let held = |bridge: hexgrid::SideId| {
                    let n = self.field.river_of(bridge);
                    let intact = s.crossings.get(usize::from(n)).is_some_and(|crossing| !crossing.blown);
                    intact
                        && self.field.board.side_hexes(bridge).into_iter().flatten().all(|hex| {
                            self.units_of(side).iter().any(|unit| {
                                let u = s.unit(*unit);
                                u.on_map() && u.hex == hex && u.steps > 0
                            })
                        })
                };
                bridges.iter().filter(|bridge| held(**bridge)).count() as i32
            }
            VictoryWhat::LocOpen { from_any, to } => {
                i32::from(from_any.iter().any(|hex| self.open_road(s, side, *hex, to)))
            }
            VictoryWhat::LocCut { hexes, .. } => i32::from(self.road_cut(s, side, hexes)),
            VictoryWhat::Shattered { of } => {
                let enemy = side.enemy();
                (0..s.formations.len() as u8)
                    .map(FormationId)
                    .filter(|id| {
                        let node = self.formation(*id);
                        node.side == enemy && node.echelon == *of && crate::shatter::counts(self, s, *id)
                    })
                    .count() as i32
            }
            VictoryWhat::LateRelease { formation, before } => {
                let arrived = s.formation(*formation).arrived;
                i32::from(arrived == 0 && s.turn >= *before || arrived >= *before)
            }
        }
    }

    /// Points for a road that was cut at the end of earlier turns.
    fn before(&self, s: &State, rule: &VictoryRule) -> i32 {
        let VictoryWhat::LocCut { each_turn_before, .. } = rule.what else { return 0 };
        let n = self.scenario.victory.iter().position(|other| other == rule);
        let turns = n.and_then(|n| s.cut_turns.get(n)).copied().unwrap_or(0);
        i32::from(each_turn_before) * i32::from(turns)
    }

    /// `chart.entry_exit`, 46.7.6: whether a side cuts a road anywhere in these hexes: one of its real units is there,
    /// or its ZOC covers a hex without a real enemy, or a bridge is blown and not replaced by a military bridge.
    fn road_cut(&self, s: &State, side: Side, hexes: &[HexId]) -> bool {
        let real = |side: Side, hex: HexId| {
            self.units_of(side).iter().any(|unit| {
                let u = s.unit(*unit);
                u.on_map() && u.hex == hex && u.steps > 0 && self.counter(*unit).symbol.ground()
            })
        };
        let cut = |hex: &HexId| real(side, *hex) || self.in_zoc(s, side, *hex) && !real(side.enemy(), *hex);
        let down = |pair: &[HexId]| {
            let [a, b] = pair else { return false };
            let Some(direction) = self.field.toward(*a, *b) else { return false };
            let n = self.field.river(*a, direction);
            s.crossings.get(usize::from(n)).is_some_and(|c| c.blown && c.military.is_none())
        };
        hexes.iter().any(cut) || hexes.windows(2).any(down)
    }

    /// `chart.entry_exit`: whether an unbroken road of the better classes leads from a hex to the edge of a zone.
    fn open_road(&self, s: &State, side: Side, from: HexId, to: &[String]) -> bool {
        let goals: Vec<hexgrid::HexSet> = to.iter().filter_map(|zone| self.scenario.zone(zone)).collect();
        let cut = |hex: HexId| {
            let stands = |side: Side| {
                self.units_of(side).iter().any(|unit| {
                    let u = s.unit(*unit);
                    u.on_map() && u.hex == hex && u.steps > 0
                })
            };
            stands(side.enemy()) || self.in_zoc(s, side.enemy(), hex) && !stands(side)
        };
        if cut(from) {
            return false;
        }
        let mut seen = hexgrid::HexSet::EMPTY;
        let mut queue = vec![from];
        seen.insert(from);
        while let Some(hex) = queue.pop() {
            if goals.iter().any(|zone| zone.contains(hex)) {
                return true;
            }
            for direction in Direction::ALL {
                let Some(next) = self.field.neighbour(hex, direction) else { continue };
                let road = matches!(
                    self.road(s, hex, direction),
                    Some(crate::pack::Road::Autobahn | crate::pack::Road::Bundesstrasse)
                );
                if road && self.area.contains(next) && !cut(next) && seen.insert(next) {
                    queue.push(next);
                }
            }
        }
        false
    }

    /// The result if the game ended now.
    pub fn ending(&self, s: &State) -> Ending {
        let points = Side::ALL.map(|side| self.score(s, side).total());
        let difference = points[0] - points[1];
        let levels = &self.scenario.levels;
        let of = |result: VictoryLevel| levels.iter().position(|level| level.result == result);
        let automatic = self.won_by_exit(s);
        let never = self.scenario.automatic.iter().enumerate().find_map(|(n, rule)| match rule {
            Automatic::NeverIn { result, .. } => (s.reached >> n & 1 == 0).then_some(*result),
            Automatic::Exited { .. } => None,
        });
        let automatic = automatic.or(never);
        let by_points = || {
            levels
                .iter()
                .position(|level| (i32::from(level.min)..=i32::from(level.max)).contains(&difference))
        };
        let level = automatic.and_then(of).or_else(by_points).unwrap_or(0);
        let winner = match levels.get(level).map(|level| level.result) {
            Some(VictoryLevel::WpDecisive | VictoryLevel::WpMarginal) => Some(Side::Wp),
            Some(VictoryLevel::NatoDecisive | VictoryLevel::NatoMarginal) => Some(Side::Nato),
            _ => None,
        };
        Ending { winner, points, level: level as u8 }
    }
}

/// 46.7: at the end of a turn, roads that are cut count.
pub fn end_turn(play: &mut Play) {
    let rules = &play.rules.scenario.victory;
    if play.s.cut_turns.len() != rules.len() {
        play.s.cut_turns = vec![0; rules.len()];
    }
    for (n, rule) in rules.iter().enumerate() {
        if let VictoryWhat::LocCut { hexes, .. } = &rule.what
            && play.rules.road_cut(play.s, rule.side, hexes)
        {
            play.s.cut_turns[n] += 1;
        }
    }
}

/// A real maneuver unit of WP is in a hex: record the zones that it has reached (scenario 5).
pub fn reach(play: &mut Play, hex: HexId) {
    for (n, rule) in play.rules.scenario.automatic.iter().enumerate() {
        if let Automatic::NeverIn { zone, .. } = rule
            && play.rules.scenario.zone(zone).is_some_and(|zone| zone.contains(hex))
        {
            play.s.reached |= 1 << n;
        }
    }
}

/// Steps have left the map: if there are enough, the game ends at once.
pub fn exited(play: &mut Play) {
    if play.rules.won_by_exit(play.s).is_some() {
        finish(play);
    }
}

/// The game is over.
pub fn finish(play: &mut Play) {
    let ending = play.rules.ending(play.s);
    play.s.ending = Some(ending);
    play.tell(Event::Over(ending));
}

#[cfg(test)]
mod tests {
    use kernel::Setup;

    use super::*;

    /// The result of scenario 5 when this many steps have left by the hexes that count.
    fn after_exit_of(steps: u8) -> VictoryLevel {
        let rules = crate::AirAndArmor::new().unwrap().rules(&Setup::of("last-brigade", &[])).unwrap();
        let mut s = crate::game::start(&rules).unwrap();
        let hex = rules.scenario.zone("wp_exit").unwrap().iter().next().unwrap();
        let mut left = steps;
        for unit in rules.units_of(Side::Wp).iter().filter(|unit| rules.counter(**unit).symbol.maneuver()) {
            let taken = s.unit(*unit).steps.min(left);
            if taken > 0 {
                s.put(*unit, Place::Exited, hex);
                (s.unit_mut(*unit).steps, s.unit_mut(*unit).turn) = (taken, 1);
                left -= taken;
            }
        }
        assert_eq!(left, 0, "so many steps are in the scenario");
        rules.scenario.levels[usize::from(rules.ending(&s).level)].result
    }

    // rule: 46.7
    #[test]
    fn twelve_steps_that_exit_win_scenario_5() {
        assert_eq!(after_exit_of(12), VictoryLevel::WpDecisive);
        assert_eq!(after_exit_of(11), VictoryLevel::NatoDecisive, "Warsaw Pact never got west of the road");
    }
}
