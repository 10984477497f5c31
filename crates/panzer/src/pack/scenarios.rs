//! Scenarios as written in their files.

use hexgrid::Direction;
use serde::Deserialize;

use super::{
    BoardPlace, Capture, Objective, OverlayPlace, PackError, PackFiles, Scenario, Side, Start, UnitDef,
    Victory,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenario {
    id: String,
    #[serde(default)]
    date: String,
    turns: u8,
    minutes: u16,
    boards: Vec<BoardPlace>,
    #[serde(default)]
    overlays: Vec<String>,
    #[serde(default)]
    desert_buildings: bool,
    #[serde(default)]
    conditions: super::Special,
    group: Vec<RawGroup>,
    #[serde(default)]
    zone: BySide<Vec<String>>,
    #[serde(default)]
    sets_up_first: Side,
    #[serde(default)]
    objective: Vec<RawObjective>,
    victory: RawVictory,
    /// The basis of the figures: forces and places from history, strengths fitted to the board.
    source: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BySide<T: Default> {
    #[serde(default)]
    axis: T,
    #[serde(default)]
    allied: T,
}

impl<T: Default> BySide<T> {
    pub(super) fn both(self) -> [T; 2] {
        [self.axis, self.allied]
    }
}

/// Vehicles of one card and formation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGroup {
    side: Side,
    formation: String,
    card: String,
    /// The letter of their ids: `A` for A1, A2 …; numbers run on where groups share it.
    letter: String,
    /// 1 to 6: 1 is the map's north, then clockwise.
    facing: u8,
    /// One for each vehicle.
    #[serde(default)]
    hexes: Vec<String>,
    enters: Option<RawEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEntry {
    pub(super) turn: u8,
    pub(super) count: u8,
    pub(super) hexes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawObjective {
    id: String,
    hexes: Vec<String>,
    points: BySide<u16>,
    #[serde(default)]
    capture: Capture,
    held_by: Option<Side>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawVictory {
    #[serde(default)]
    per_vehicle: BySide<u16>,
    #[serde(default)]
    damaged_percent: u8,
    #[serde(default)]
    per_exit: BySide<u16>,
    #[serde(default)]
    exit_hexes: BySide<Vec<String>>,
    levels: BySide<Vec<(String, i32)>>,
}

impl RawObjective {
    pub(super) fn read(self) -> Objective {
        Objective {
            id: self.id,
            hexes: self.hexes,
            points: self.points.both(),
            capture: self.capture,
            held_by: self.held_by,
        }
    }
}

impl RawVictory {
    pub(super) fn read(self) -> Result<Victory, String> {
        let [axis, allied] = self.exit_hexes.both();
        Ok(Victory {
            per_vehicle: self.per_vehicle.both(),
            damaged_percent: self.damaged_percent,
            per_exit: self.per_exit.both(),
            exit_hexes: [labels(&axis)?, labels(&allied)?],
            levels: self.levels.both(),
        })
    }
}

pub(super) fn read(files: &PackFiles) -> Result<Vec<Scenario>, PackError> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (path, text) in files.folder("scenarios").filter(|(path, _)| !path.starts_with("scenarios/advanced/"))
    {
        let raw: RawScenario = rulebook::files::parse(path, text)?;
        if scenarios.iter().any(|s| s.id == raw.id) {
            return Err(PackError::at(path, format!("there is another scenario {}", raw.id)));
        }
        scenarios.push(scenario(raw).map_err(|why| PackError::at(path, why))?);
    }
    Ok(scenarios)
}

fn scenario(raw: RawScenario) -> Result<Scenario, String> {
    if raw.source.is_empty() {
        return Err("source: say what the forces rest on".into());
    }
    let mut units: Vec<UnitDef> = Vec::new();
    for group in raw.group {
        let facing = direction(group.facing)?;
        let starts: Vec<Start> = match &group.enters {
            None => group.hexes.iter().map(|hex| Start::At { hex: hex.clone(), facing }).collect(),
            Some(_) if !group.hexes.is_empty() => {
                return Err(format!("group {}: hexes or enters, not both", group.letter));
            }
            Some(e) => {
                let start = Start::Enters { turn: e.turn, hexes: labels(&e.hexes)?, facing };
                vec![start; usize::from(e.count)]
            }
        };
        if starts.is_empty() {
            return Err(format!("group {}: no vehicles: give hexes or enters", group.letter));
        }
        for start in starts {
            let of_letter =
                |u: &&UnitDef| u.id.trim_end_matches(|c: char| c.is_ascii_digit()) == group.letter;
            let number = 1 + units.iter().filter(of_letter).count();
            units.push(UnitDef {
                id: format!("{}{number}", group.letter),
                side: group.side,
                card: group.card.clone(),
                formation: group.formation.clone(),
                start,
                extras: super::UnitExtras::default(),
            });
        }
    }
    let [axis, allied] = raw.zone.both();
    let objectives = raw.objective.into_iter().map(RawObjective::read).collect();
    Ok(Scenario {
        id: raw.id,
        date: raw.date,
        boards: raw.boards,
        overlays: raw.overlays.iter().map(|o| o.parse::<OverlayPlace>()).collect::<Result<_, _>>()?,
        desert_buildings: raw.desert_buildings,
        special: raw.conditions,
        turns: raw.turns,
        minutes: raw.minutes,
        units,
        zones: [labels(&axis)?, labels(&allied)?],
        sets_up_first: raw.sets_up_first,
        objectives,
        victory: raw.victory.read()?,
        advanced: None,
    })
}

/// 1 to 6 as a direction of the map.
pub(super) fn direction(facing: u8) -> Result<Direction, String> {
    let index = facing.checked_sub(1).filter(|d| *d < 6);
    index
        .map(|d| Direction::from_index(d.into()))
        .ok_or_else(|| format!("facing = {facing}: expected 1 (north) to 6, clockwise (1.2)"))
}

/// Labels, and blocks of them: `1:A-H` are all hexes of board 1's columns A to H, `1:A-H:3-9` their rows 3 to 9.
pub(super) fn labels(written: &[String]) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for text in written {
        let mut parts = text.split(':');
        let (Some(board), Some(columns)) = (parts.next(), parts.next()) else {
            out.push(text.clone());
            continue;
        };
        let bad = || format!("`{text}`: expected a hex, or a block of them such as 1:A-H or 1:A-H:3-9");
        let (first, last) = columns.split_once('-').ok_or_else(bad)?;
        let (first, last) = (column(first).ok_or_else(bad)?, column(last).ok_or_else(bad)?);
        let rows = match parts.next() {
            None => (0, super::boards::ROWS),
            Some(rows) => {
                let (a, b) = rows.split_once('-').ok_or_else(bad)?;
                (a.parse().map_err(|_| bad())?, b.parse().map_err(|_| bad())?)
            }
        };
        if first > last
            || last > super::boards::COLUMNS
            || rows.1 > super::boards::ROWS
            || parts.next().is_some()
        {
            return Err(bad());
        }
        for c in first..=last {
            // Even columns have no row 0 (1.2).
            for r in rows.0.max(u16::from(c % 2 == 0))..=rows.1 {
                out.push(format!("{board}{}{r}", letters(c)));
            }
        }
    }
    Ok(out)
}

/// A = 1 … Z = 26, AA = 27 …
fn column(text: &str) -> Option<u16> {
    let first = text.bytes().next()?;
    let same = first.is_ascii_uppercase() && text.bytes().all(|b| b == first);
    same.then(|| (text.len() as u16 - 1) * 26 + u16::from(first - b'A') + 1)
}

pub(super) fn letters(column: u16) -> String {
    let letter = char::from(b'A' + ((column.max(1) - 1) % 26) as u8);
    std::iter::repeat_n(letter, usize::from((column.max(1) - 1) / 26) + 1).collect()
}
