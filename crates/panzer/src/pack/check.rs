//! Checks of the pack: boards join, scenarios can be set up, tables are plausible.

use std::collections::BTreeSet;
use std::fmt;

use atlas::Map;
use hexgrid::{Direction, HexId};

use super::boards::{COLUMNS, ROWS};
use super::{Capture, Card, Nation, Pack, Scenario, Start};
use crate::field::{Edge, Field, Terrain};

/// A fault in the pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub what: String,
    pub why: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

pub(super) fn finding(what: impl Into<String>, why: impl Into<String>) -> Finding {
    Finding { what: what.into(), why: why.into() }
}

/// The hexes by which roads leave every board: the middles of its four edges, which meet however boards are joined.
const EXITS: [(u16, u16); 4] =
    [(1, ROWS / 2), (COLUMNS, ROWS / 2), (COLUMNS.div_ceil(2), 0), (COLUMNS.div_ceil(2), ROWS)];

impl Pack {
    /// All faults of the pack; empty for a sound one.
    pub fn check(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        for (_, board) in &self.boards {
            check_board(board, &mut found);
        }
        for overlay in &self.overlays {
            if let Err(e) = Field::from_map(&overlay.map) {
                found.push(finding(format!("overlay {}", overlay.id), e.to_string()));
            }
        }
        self.check_cards(&mut found);
        self.check_tables(&mut found);
        for scenario in &self.scenarios {
            self.check_scenario(scenario, &mut found);
        }
        self.check_advanced(&mut found);
        found
    }

    fn check_cards(&self, found: &mut Vec<Finding>) {
        for card in &self.cards {
            let at = || format!("card {}", card.id);
            let m = card.movement;
            if !(1 <= m.cross_country && m.cross_country <= m.path && m.path <= m.road) {
                found.push(finding(at(), "movement: expected cross_country <= path <= road, all above 0"));
            }
            for field in card.printed.get("known").and_then(toml::Value::as_array).into_iter().flatten() {
                if !field.as_str().is_some_and(|path| has_field(card, path)) {
                    found.push(finding(at(), format!("known: the card has no field {field}")));
                }
            }
            if card.printed.get("source").is_none() {
                found.push(finding(at(), "source is missing"));
            }
            if card.points == 0 {
                found.push(finding(at(), "points: a card costs something"));
            }
        }
        for nation in Nation::ALL {
            if !self.cards.iter().any(|c| c.nation == nation && c.armed) {
                found.push(finding(format!("cards of {}", nation.key()), "there is no combat vehicle"));
            }
        }
    }

    fn check_tables(&self, found: &mut Vec<Finding>) {
        let hits = &self.tables.ap_hit;
        for (i, row) in hits.iter().enumerate() {
            if !row.is_sorted_by(|a, b| a >= b) || i > 0 && row.iter().zip(&hits[i - 1]).any(|(a, b)| a > b) {
                found.push(finding(
                    "AP Hit Table",
                    format!("row {}: numbers fall with range and modifier", 5 - i as i32),
                ));
            }
        }
        if !self.tables.spotting.is_sorted_by(|a, b| a > b) {
            found.push(finding("Spotting Range Table", "ranges fall with the modifier"));
        }
        let m = &self.tables.modifiers;
        if !(m.damaged < m.knocked_out && m.knocked_out < m.brewed_up) {
            found.push(finding("damage", "expected damaged < knocked_out < brewed_up (4.4.3.2.6)"));
        }
    }

    fn check_scenario(&self, s: &Scenario, found: &mut Vec<Finding>) {
        let at = format!("scenario {}", s.id);
        let (map, field) = match self.field(s) {
            Ok(both) => both,
            Err(e) => {
                found.push(finding(at, e.why));
                return;
            }
        };
        found.extend(map.validate().iter().map(|f| finding(at.clone(), f.to_string())));
        let mut wrong = |why: String| found.push(finding(at.clone(), why));
        let mut ids = BTreeSet::new();
        for unit in &s.units {
            if !ids.insert(unit.id.as_str()) {
                wrong(format!("unit {} is given twice", unit.id));
            }
            let Some(card) = self.card(&unit.card) else {
                wrong(format!("unit {}: there is no card `{}`", unit.id, unit.card));
                continue;
            };
            if card.nation.side() != unit.side {
                wrong(format!("unit {}: {} does not fight for the {}", unit.id, card.name, unit.side.key()));
            }
            let year = s.date.get(..4).and_then(|y| y.parse::<u16>().ok());
            if year.is_some_and(|y| !(card.years[0]..=card.years[1]).contains(&y)) {
                wrong(format!("unit {}: {} was not there in {}", unit.id, card.name, s.date));
            }
            let hexes = match &unit.start {
                Start::At { hex, .. } => std::slice::from_ref(hex),
                Start::Enters { turn, hexes, .. } => {
                    if *turn == 0 || *turn > s.turns || hexes.is_empty() {
                        wrong(format!("unit {}: enters on turn {turn} of {}", unit.id, s.turns));
                    }
                    hexes.as_slice()
                }
            };
            for label in hexes {
                match field.find(label) {
                    None => wrong(format!("unit {}: there is no hex {label}", unit.id)),
                    Some(hex) => {
                        let edge = field.board.is_edge(hex);
                        if matches!(unit.start, Start::Enters { .. }) && !edge {
                            wrong(format!("unit {}: {label} is not on the map's edge", unit.id));
                        }
                        if !self.can_stand(&field, hex, card) {
                            wrong(format!("unit {}: {} cannot stand in {label}", unit.id, card.name));
                        }
                    }
                }
            }
        }
        for side in super::Side::ALL {
            if !s.units.iter().any(|u| u.side == side) {
                wrong(format!("the {} have no vehicles", side.key()));
            }
            let levels = &s.victory.levels[side.index()];
            if levels.is_empty() || !levels.is_sorted_by(|a, b| a.1 > b.1) {
                wrong(format!("victory.levels.{}: the best first, each with a smaller lead", side.key()));
            }
        }
        let lists = s.zones.iter().chain(&s.victory.exit_hexes).chain(s.objectives.iter().map(|o| &o.hexes));
        for label in lists.flatten() {
            if field.find(label).is_none() {
                wrong(format!("there is no hex {label}"));
            }
        }
        for o in &s.objectives {
            if o.hexes.is_empty() || o.points == [0, 0] {
                wrong(format!("objective {}: needs hexes and points", o.id));
            }
            if o.capture == Capture::WholeTurn && s.turns < 2 {
                wrong(format!("objective {}: nothing can be captured in one turn (3.6)", o.id));
            }
        }
    }

    fn can_stand(&self, field: &Field, hex: HexId, card: &Card) -> bool {
        let ground = field.ground(hex);
        let row = match ground.terrain {
            t if t.building() => &self.tables.alley,
            t => &self.tables.terrain[t as usize],
        };
        ground.bridge || row.cost[card.movement.traction as usize].is_some()
    }
}

/// Whether a card has the field that a path such as `mounts.0.field_of_fire` names.
fn has_field(card: &Card, path: &str) -> bool {
    let mut here: Option<&toml::Value> = None;
    for (i, part) in path.split('.').enumerate() {
        here = match here {
            None if i == 0 => card.printed.get(part),
            Some(toml::Value::Table(t)) => t.get(part),
            Some(toml::Value::Array(list)) => part.parse::<usize>().ok().and_then(|n| list.get(n)),
            _ => None,
        };
    }
    here.is_some()
}

/// A board that joins every other (1.2): its edge is level and open, its roads leave where all boards' roads do.
fn check_board(board: &Map, found: &mut Vec<Finding>) {
    let at = &board.id;
    found.extend(board.validate().iter().map(|f| finding(at, f.to_string())));
    let field = match Field::from_map(board) {
        Ok(field) => field,
        Err(e) => {
            found.push(finding(at, e.to_string()));
            return;
        }
    };
    let features = Edge::CREST.with(Edge::CLIFF).with(Edge::WALL).with(Edge::HEDGEROW).with(Edge::DEFILADE);
    for hex in field.hexes() {
        let label = field.label(hex);
        let (column, row) = place(board, hex);
        let shared = column == 1 || column == COLUMNS || column % 2 == 1 && (row == 0 || row == ROWS);
        let ground = field.ground(hex);
        if shared {
            if ground.elevation != 0 {
                found.push(finding(
                    format!("{at} {label}"),
                    "an edge hex lies at elevation 0, so that boards join (1.2)",
                ));
            }
            if !matches!(ground.terrain, Terrain::Clear | Terrain::Brush | Terrain::Scrub | Terrain::Sand) {
                found.push(finding(
                    format!("{at} {label}"),
                    "an edge hex is clear, brush, scrub or sand, so that boards join",
                ));
            }
            let has_road = Direction::ALL.into_iter().any(|d| field.edge(hex, d).any(Edge::WAY));
            if has_road != EXITS.contains(&(column, row)) {
                let why = "a road, path or track leaves every board by A8, GG8, Q0 and Q16 and by no other hex, so that they join";
                found.push(finding(format!("{at} {label}"), why));
            }
        }
        for d in Direction::ALL {
            let edge = field.edge(hex, d);
            let Some(other) = field.neighbour(hex, d) else {
                if edge.any(features) {
                    found.push(finding(format!("{at} {label}"), "nothing lies on the board's own edge"));
                }
                continue;
            };
            if other < hex {
                continue;
            }
            let side = || format!("{at} {label}/{}", field.label(other));
            let levels = field.elevation(hex).abs_diff(field.elevation(other));
            if levels > 2 && !edge.any(Edge::CLIFF) {
                found.push(finding(side(), "no slope falls more than two levels: a cliff (4.5.1.1.2)"));
            }
            if edge.any(Edge::WAY)
                && (edge.any(Edge::CLIFF.with(Edge::WALL).with(Edge::HEDGEROW)) || levels > 1)
            {
                found.push(finding(
                    side(),
                    "a road crosses no cliff, wall or hedgerow and climbs one level at most",
                ));
            }
        }
        if ground.bridge
            && Direction::ALL.into_iter().filter(|d| field.edge(hex, *d).any(Edge::WAY)).count() < 2
        {
            found.push(finding(format!("{at} {label}"), "a bridge carries a road or path (4.5.1.1.6)"));
        }
    }
}

/// Column and row of a hex of a board.
fn place(board: &Map, hex: HexId) -> (u16, u16) {
    board.board.labels().numbers(board.board.hex(hex)).map_or((0, 0), |(_, column, row)| (column, row))
}
