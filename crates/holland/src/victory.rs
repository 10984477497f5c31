//! How the game is won (26, S1 to S5).

use hexgrid::HexId;
use kernel::Message;
use zocbond::{Piece, UnitId};

use crate::pack::Side;
use crate::state::{Bridge, Ending, Place, State};
use crate::world::Holland;

/// Points are stored in halves and shown in full points.
pub fn points_text(halves: u16) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".into(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

impl Holland {
    /// 26.1: German points in halves.
    pub fn german_points(&self, s: &State) -> u16 {
        let v = self.pack.victory;
        let mut points = 0;
        for unit in self.units().filter(|u| self.counter(*u).side == Side::Allied) {
            let c = self.counter(unit);
            if s.unit(unit).at() != Place::Dead || c.pool.is_some() {
                continue;
            }
            let lives = self.units().any(|u| s.unit(u).parent == Some(unit) && s.unit(u).in_game());
            if lives {
                continue;
            }
            points += if c.supply_head_piece {
                v.supply_head
            } else if c.categories.train {
                0 // 26.1: bridging units are not combat units
            } else if c.three_steps {
                v.three_step_unit
            } else {
                v.other_unit
            };
        }
        for (i, (place, hexes)) in self.pack.victory_places.iter().zip(&self.places).enumerate() {
            // A place of several hexes counts only as a whole.
            let retaken = place.retakeable
                && s.once_held >> i.min(63) & 1 == 1
                && hexes.iter().all(|h| s.field.last_holder(*h) == Side::German);
            if retaken {
                points += v.retaken_place;
            }
        }
        points
    }

    /// 26.6: Allied units that are not airborne, in supply, in a set of hexes.
    pub fn ground_units(&self, s: &State, hexes: &hexgrid::HexSet, supplied: bool) -> u16 {
        let counts = |u: &UnitId| {
            let c = self.counter(*u);
            c.side == Side::Allied
                && !c.airborne
                && !c.categories.train
                && c.pool.is_none()
                && s.unit(*u).hex().is_some_and(|h| hexes.contains(h))
                && (!supplied || s.unit(*u).oos == 0)
        };
        self.units().filter(counts).count() as u16
    }

    /// 26.2: Allied points in halves.
    pub fn allied_points(&self, s: &State) -> u16 {
        let v = self.pack.victory;
        let net = self.source_roads(s, Side::Allied);
        let mut points = 0;
        for (place, hexes) in self.pack.victory_places.iter().zip(&self.places) {
            let ours = hexes.iter().all(|h| s.field.last_holder(*h) == Side::Allied);
            if ours && hexes.iter().any(|h| net.contains(*h)) {
                points += place.value;
            }
        }
        points
            + (self.ground_units(s, &self.land.north_of_rhine, true) * v.bridgehead_unit)
                .min(v.bridgehead_most)
    }

    pub fn look_for_victory(&self, s: &mut State, end_of_turn: bool) {
        use crate::pack::ScenarioVictory;
        let v = self.pack.victory;
        let points = self.german_points(s);
        let automatic = matches!(self.victory(), ScenarioVictory::Campaign | ScenarioVictory::Short);
        if automatic && points >= v.german_automatic {
            s.winner = Some((Side::German, Ending::GermanPoints)); // 26.3
            return;
        }
        if !end_of_turn {
            return;
        }
        let beyond = self.ground_units(s, &self.land.north_of_rhine, true) >= v.decisive_units;
        s.decisive = if beyond { s.decisive + 1 } else { 0 };
        if automatic && s.decisive >= 2 {
            s.winner = Some((Side::Allied, Ending::BeyondTheRhine)); // 26.3
            return;
        }
        if s.turn < self.scenario.last_turn {
            return;
        }
        let allied = match self.victory() {
            ScenarioVictory::Campaign => self.allied_points(s) >= v.allied_needed, // 26.4, S1.3
            ScenarioVictory::Short => self.ground_units(s, &self.land.north_of_waal, false) >= v.short_units, // 26.5, S2.1
            ScenarioVictory::Arnhem { hex, loss_limit } => {
                let there = self.map.hex(hex).is_ok_and(|h| s.field.held(Side::Allied).contains(h));
                there && points < *loss_limit // S3.4
            }
            ScenarioVictory::Road { hexes, needed } => self.joined(s, hexes) >= *needed, // S5.4
            ScenarioVictory::Nijmegen { bridges, zones, hex, needed } => {
                self.nijmegen_points(s, bridges, zones, hex) >= *needed // S4.4
            }
        };
        s.winner = Some((if allied { Side::Allied } else { Side::German }, Ending::LastTurn));
    }

    /// How the game was won: the condition with what was reached of it, and its rule.
    pub fn reason(&self, s: &State, ending: Ending) -> (Message, &'static str) {
        use crate::pack::ScenarioVictory;
        let v = self.pack.victory;
        let count = |key: &'static str, has: u16, needed: u16| {
            Message::new(key).number("has", has).number("needed", needed)
        };
        match ending {
            Ending::GermanPoints => {
                let why = Message::new("outcome.german_points")
                    .text("points", points_text(self.german_points(s)))
                    .text("needed", points_text(v.german_automatic));
                (why, "26.3")
            }
            Ending::BeyondTheRhine => {
                let has = self.ground_units(s, &self.land.north_of_rhine, true);
                (count("outcome.beyond_the_rhine", has, v.decisive_units), "26.3")
            }
            Ending::LastTurn => match self.victory() {
                ScenarioVictory::Campaign => {
                    let why = Message::new("outcome.points")
                        .text("points", points_text(self.allied_points(s)))
                        .text("needed", points_text(v.allied_needed));
                    (why, "26.4")
                }
                ScenarioVictory::Short => {
                    let has = self.ground_units(s, &self.land.north_of_waal, false);
                    (count("outcome.north_of_waal", has, v.short_units), "26.5")
                }
                ScenarioVictory::Arnhem { hex, loss_limit } => {
                    let there = self.map.hex(hex).is_ok_and(|h| s.field.held(Side::Allied).contains(h));
                    let key = if there { "outcome.arnhem_held" } else { "outcome.arnhem_lost" };
                    let why = Message::new(key)
                        .place("hex", hex.as_str())
                        .text("points", points_text(self.german_points(s)))
                        .text("limit", points_text(*loss_limit));
                    (why, "S3.4")
                }
                ScenarioVictory::Road { hexes, needed } => {
                    (count("outcome.road", self.joined(s, hexes).into(), (*needed).into()), "S5.4")
                }
                ScenarioVictory::Nijmegen { bridges, zones, hex, needed } => {
                    let has = self.nijmegen_points(s, bridges, zones, hex);
                    (count("outcome.nijmegen", has.into(), (*needed).into()), "S4.4")
                }
            },
        }
    }

    /// S5.4: how many of these hexes are Allied and joined by road to a source.
    pub fn joined(&self, s: &State, hexes: &[String]) -> u8 {
        let net = self.source_roads(s, Side::Allied);
        let ours = |hex: &HexId| s.field.last_holder(*hex) == Side::Allied && net.contains(*hex);
        hexes.iter().filter_map(|label| self.map.hex(label).ok()).filter(ours).count() as u8
    }

    /// S4.4
    pub fn nijmegen_points(&self, s: &State, bridges: &[Vec<String>], zones: &[String], hex: &str) -> u8 {
        let ours = |id: &String| {
            let at = self.land.bridges.iter().position(|b| b.id == *id);
            at.is_some_and(|i| s.field.bridge(i) == Bridge::IntactAllied)
        };
        let mut points = bridges.iter().filter(|any| any.iter().any(ours)).count() as u8;
        for zone in zones {
            let hexes = self.pack.zones.iter().position(|z| z.id == *zone).map(|i| &self.zones[i].1);
            let clear = |h: &HexId| {
                !s.field.held(Side::German).contains(*h) && !s.field.near(Side::German).contains(*h)
            };
            points += u8::from(hexes.is_some_and(|hexes| hexes.iter().all(clear)));
        }
        let bonus = self.map.hex(hex).is_ok_and(|h| s.field.held(Side::Allied).contains(h));
        points + 2 * u8::from(bonus)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    // rule: S5.4
    #[test]
    fn only_places_joined_by_road_count() {
        let pack = Arc::new(crate::pack::Pack::embedded().expect("the shipped pack is sound").clone());
        let map = Arc::new(atlas::packs::holland44_map().expect("the shipped map is sound").clone());
        let rules = Holland::new(pack, map, "eindhoven").expect("the scenario is known");
        let crate::pack::ScenarioVictory::Road { hexes, needed } = rules.victory() else { panic!("S5.4") };
        let mut s = rules.first_state();
        s.unknown = hexgrid::HexSet::new();
        // Of the Germans only Kerutt stays, astride the one road out of the bridgehead.
        let named = |id: &str| rules.units().find(|u| rules.counter(*u).id == id).expect("a counter");
        let kerutt = named("de-kerutt");
        for unit in rules.units().filter(|u| rules.counter(*u).side == Side::German && *u != kerutt) {
            rules.put(&mut s, unit, Place::Aside);
        }
        assert_eq!(rules.joined(&s, hexes), 0, "nothing is taken yet");
        let stand = |s: &mut State, id: &str, label: &str| {
            let unit = named(id);
            let hex = rules.map.hex(label).expect("a hex");
            rules.put(s, unit, Place::Hex(hex));
            s.field.set_control_of_all(&std::iter::once(hex).collect(), Side::Allied);
        };
        stand(&mut s, "us-1-506-101", "2707");
        stand(&mut s, "us-2-506-101", "2608");
        stand(&mut s, "br-2gg-5-gds", "2408");
        stand(&mut s, "br-1cg-5-gds", "2107");
        assert_eq!(rules.joined(&s, hexes), 0, "no road leads there past Kerutt");
        rules.put(&mut s, kerutt, Place::Aside);
        assert_eq!(rules.joined(&s, hexes), 4);
        assert!(*needed <= 5);
    }
}
