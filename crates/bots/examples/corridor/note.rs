//! The record of a game that the balance report needs.

use bots::arena;
use holland::{
    Holland, State,
    pack::Side,
    state::{Bridge, Place},
};
use kernel::{Applied, Erased, Message, Seat, Table};
use serde::{Deserialize, Serialize};
use zocbond::Piece;

/// Bridges whose crossing is recorded, by id, from the south.
pub const BRIDGES: [&str; 5] = ["son", "veghel", "grave", "nijmegen_road_bridge", "arnhem_road_bridge"];
/// The north end of Arnhem road bridge.
const ARNHEM: &str = "6223";

/// The course of one game in figures.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Note {
    pub seed: u64,
    pub winner: Option<u8>,
    pub why: String,
    /// The last turn played.
    pub turn: u8,
    /// Allied and German points at the end.
    pub points: [f32; 2],
    /// Turn on which a ground unit was first beyond each of [`BRIDGES`].
    pub crossed: [Option<u8>; BRIDGES.len()],
    /// Turn on which each of them was first blown.
    pub blown: [Option<u8>; BRIDGES.len()],
    /// Turns at whose end an Allied unit was at the north end of Arnhem bridge.
    pub arnhem: Vec<u8>,
    /// Northmost row of the ground army at the end of each turn, and how far the road to its sources was open.
    pub rows: Vec<u8>,
    pub road: Vec<u8>,
    /// Ground units beyond the Waal and the Lower Rhine at the end of each turn.
    pub beyond: Vec<[u16; 2]>,
    /// German points in the end: for airborne units, other units, Supply Heads and towns retaken (26.1).
    #[serde(default)]
    pub german: [f32; 4],
    /// Allied and German points at the end of each turn.
    #[serde(default)]
    pub course: Vec<[f32; 2]>,
    /// Attacks by side.
    pub attacks: [u32; 2],
    /// Scoring places that are Allied in the end.
    pub places: Vec<String>,
    /// Allied progress in the scenario's own terms.
    #[serde(default)]
    pub score: Option<f32>,
    pub longest: [f32; 2],
    pub total: [f32; 2],
    pub faults: [u32; 2],
}

pub fn row(rules: &Holland, hex: hexgrid::HexId) -> u8 {
    rules.label(hex)[..2].parse().unwrap_or(0)
}

/// German points by source.
fn german(rules: &Holland, s: &State) -> [f32; 4] {
    let mut points = [0.0; 4];
    for unit in rules.units().filter(|unit| rules.counter(*unit).side == Side::Allied) {
        let c = rules.counter(unit);
        let lives = || rules.units().any(|u| s.unit(u).parent == Some(unit) && s.unit(u).in_game());
        if s.unit(unit).at() != Place::Dead || c.pool.is_some() || lives() {
            continue;
        }
        let v = rules.pack.victory;
        let (kind, halves) = match (c.supply_head_piece, c.airborne) {
            (true, _) => (2, v.supply_head),
            (_, airborne) => {
                (usize::from(!airborne), if c.three_steps { v.three_step_unit } else { v.other_unit })
            }
        };
        points[kind] += f32::from(halves) / 2.0;
    }
    points[3] = f32::from(rules.german_points(s)) / 2.0 - points[..3].iter().sum::<f32>();
    points
}

impl Note {
    fn look(&mut self, rules: &Holland, s: &State) {
        let ground: Vec<u8> = rules
            .units()
            .filter(|unit| {
                let c = rules.counter(*unit);
                c.side == Side::Allied && !c.airborne && !c.categories.train && c.pool.is_none()
            })
            .filter_map(|unit| s.unit(unit).hex())
            .map(|hex| row(rules, hex))
            .collect();
        let north = ground.iter().copied().max().unwrap_or(0);
        for (i, id) in BRIDGES.iter().enumerate() {
            let Some(at) = rules.land.bridges.iter().position(|b| b.id == *id) else { continue };
            let far = rules.land.bridges[at].hexes.into_iter().map(|hex| row(rules, hex)).max();
            if far.is_some_and(|far| north >= far) {
                self.crossed[i].get_or_insert(s.turn);
            }
            if s.field.bridge(at) == Bridge::Blown {
                self.blown[i].get_or_insert(s.turn);
            }
        }
        let ended = if s.winner.is_some() { s.turn } else { self.turn };
        if s.winner.is_none() && s.turn == self.turn {
            return;
        }
        self.turn = s.turn;
        if ended == 0 {
            return;
        }
        if rules.map.hex(ARNHEM).is_ok_and(|hex| s.field.held(Side::Allied).contains(hex)) {
            self.arnhem.push(ended);
        }
        self.rows.push(north);
        let net = rules.by_road(s, Side::Allied, &rules.source_hexes(s, Side::Allied));
        self.road.push(net.iter().map(|hex| row(rules, hex)).max().unwrap_or(0));
        self.beyond.push(
            [&rules.land.north_of_waal, &rules.land.north_of_rhine]
                .map(|hexes| rules.ground_units(s, hexes, false)),
        );
        self.points = [f32::from(rules.allied_points(s)) / 2.0, f32::from(rules.german_points(s)) / 2.0];
        self.course.push(self.points);
        self.german = german(rules, s);
        self.places = rules
            .pack
            .victory_places
            .iter()
            .zip(&rules.places)
            .filter(|(_, hexes)| {
                hexes.iter().all(|hex| s.field.last_holder(*hex) == Side::Allied)
                    && hexes.iter().any(|hex| net.contains(*hex))
            })
            .map(|(place, _)| place.id.clone())
            .collect();
    }
}

impl arena::Watch for Note {
    fn applied(&mut self, seat: Seat, table: &dyn Table, applied: &Applied, _: Option<&Message>) {
        let Some(table) = table.as_any().downcast_ref::<Erased<Holland>>() else { return };
        if applied.entries.iter().any(|entry| entry.message.key == "log.attack") {
            self.attacks[usize::from(seat.0).min(1)] += 1;
        }
        // Moves in between change nothing that matters at the end of a phase.
        if applied.action == "done" || table.state.winner.is_some() || applied.action.starts_with("advance") {
            self.look(&table.rules, &table.state);
        }
    }
}
