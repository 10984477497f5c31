//! Geomorphic boards (1.2) and overlays (1.3), and how a scenario joins them.
//!
//! All boards have the same size. Their outermost hexes are half hexes that two joined boards share: the first board's
//! terrain counts there. A board is used as printed or turned by 180°.

use atlas::{Map, Names};
use hexgrid::labels::Sheet;
use hexgrid::{Direction, Hex, HexId, Labels};
use serde::Deserialize;
use toml::Value;

use super::{PackError, PackFiles};

/// Columns and rows of a board: A to GG, rows to 16.
pub const COLUMNS: u16 = 33;
pub const ROWS: u16 = 16;

/// The place of a board in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardPlace {
    pub number: u16,
    /// Boards to its west, and to its north.
    #[serde(default)]
    pub at: [u8; 2],
    /// Turned by 180°.
    #[serde(default)]
    pub turned: bool,
}

/// An overlay (1.3): a piece of terrain that is placed on a board.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// `H2`, `LG2`.
    pub id: String,
    /// The ID hex: `map` is drawn around it with the arrow pointing in direction 1.
    pub hex: HexId,
    pub map: Map,
    /// The hexes it covers.
    pub covers: Vec<HexId>,
}

/// An overlay as a scenario lists it: `LG2 34O4(6)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayPlace {
    pub id: String,
    /// Where its ID hex goes.
    pub hex: String,
    /// 1 to 6 as the board's orientation hex counts them: 1 is the board's north, then clockwise.
    pub direction: u8,
}

impl std::str::FromStr for OverlayPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<OverlayPlace, String> {
        let parse = || {
            let (id, rest) = text.trim().split_once(' ')?;
            let (hex, direction) = rest.trim().strip_suffix(')')?.split_once('(')?;
            let direction = direction.parse().ok().filter(|d| (1..=6).contains(d))?;
            Some(OverlayPlace { id: id.into(), hex: hex.into(), direction })
        };
        parse().ok_or_else(|| format!("`{text}` places no overlay: expected such as `LG2 34O4(6)` (1.3)"))
    }
}

impl std::fmt::Display for OverlayPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}({})", self.id, self.hex, self.direction)
    }
}

/// A sheet of labels for a board. Even columns have whole hexes only; odd ones a half hex at both ends.
fn sheet(place: BoardPlace) -> Sheet {
    let (columns, rows) = (COLUMNS as i16, ROWS as i16);
    let [x, y] = place.at.map(i16::from);
    let half = (columns - 1) / 2;
    let corner = Hex::new((columns - 1) * x, rows * y - half * x);
    // A turned board covers the same area: its last column is where its first would be.
    let origin = if place.turned { corner + Hex::new(columns + 1, rows - half) } else { corner };
    Sheet {
        prefix: place.number.to_string(),
        also: Vec::new(),
        lines: (1, COLUMNS),
        places: (0, ROWS),
        origin,
        turned: place.turned,
    }
}

/// The boards' kinds of terrain on an empty grid, and the boards.
pub(super) fn read(files: &PackFiles) -> Result<(Map, Vec<(u16, Map)>), PackError> {
    let kinds = files.text("map/kinds.toml")?;
    // Lab files may number hexes as boards of the printed game do: 38X3 is X3.
    let numbers: Vec<String> = (1..=60).map(|number| format!("\"{number}\"")).collect();
    let lab = format!(
        r#"sheets = [{{ prefix = "", also = [{}], lines = [1, 60], places = [0, 60] }}]"#,
        numbers.join(", ")
    );
    let empty = format!("{}{kinds}", head("panzer", "\"Panzer\"", &lab));
    let empty = Map::from_toml("map/kinds.toml", &empty).map_err(map_error)?;
    let mut boards: Vec<(u16, Map)> = Vec::new();
    for (path, text) in files.folder("boards") {
        let file: toml::Table = rulebook::files::parse(path, text)?;
        let number =
            file.get("id").and_then(Value::as_str).and_then(|id| id.strip_prefix("board-")?.parse().ok());
        let number: u16 = number.ok_or_else(|| PackError::at(path, "id: expected such as \"board-1\""))?;
        if boards.iter().any(|(n, _)| *n == number) {
            return Err(PackError::at(path, format!("there is another board {number}")));
        }
        let name = file.get("name").ok_or_else(|| PackError::at(path, "name is missing"))?;
        let sheets = format!(
            r#"sheets = [{{ prefix = "{number}", also = [""], lines = [1, {COLUMNS}], places = [0, {ROWS}] }}]"#
        );
        let head = format!("{}{kinds}", head(&format!("board-{number}"), &name.to_string(), &sheets));
        let map = Map::from_files(&[("map/kinds.toml", &head), (path, text)]).map_err(map_error)?;
        boards.push((number, map));
    }
    boards.sort_by_key(|(number, _)| *number);
    Ok((empty, boards))
}

/// The first lines of a map's head, before the kinds.
fn head(id: &str, name: &str, sheets: &str) -> String {
    format!(
        "id = \"{id}\"\nname = {name}\ngrid = {{ labels = {{ orientation = \"flat\", lines_grow = \"e\", places_grow = \"s\", \
         raised = \"odd\", line = \"letters\", place = \"plain\", {sheets} }} }}\n"
    )
}

fn map_error(e: atlas::MapError) -> PackError {
    let at = e.line.map_or_else(|| e.file.clone(), |line| format!("{}:{line}", e.file));
    PackError { at, why: e.why }
}

#[derive(Debug, Deserialize)]
struct OverlayFile {
    #[serde(default)]
    overlay: Vec<RawOverlay>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOverlay {
    id: String,
    id_hex: String,
    map: toml::Table,
}

pub(super) fn read_overlays(files: &PackFiles, kinds: &Map) -> Result<Vec<Overlay>, PackError> {
    let path = "map/overlays.toml";
    let file: OverlayFile = files.parse(path)?;
    let mut overlays: Vec<Overlay> = Vec::new();
    for raw in file.overlay {
        let at = format!("{path}: {}", raw.id);
        let (map, _) =
            crate::field::lab::read(kinds, &raw.map, |_, _| Ok(())).map_err(|why| PackError::at(&at, why))?;
        let hex = map.hex(&raw.id_hex).map_err(|e| PackError::at(&at, e.to_string()))?;
        let covers: Vec<HexId> = map
            .board
            .ids()
            .filter(|h| {
                map.ground(*h) != map.ground(HexId(0))
                    || map.elevation(*h) != 0
                    || map.terrain(*h) != map.terrain(HexId(0))
            })
            .collect();
        if !covers.contains(&hex) {
            return Err(PackError::at(&at, format!("id_hex {} is not part of the overlay", raw.id_hex)));
        }
        overlays.push(Overlay { id: raw.id, hex, map, covers });
    }
    Ok(overlays)
}

impl super::Pack {
    /// A board by its number.
    pub fn board(&self, number: u16) -> Option<&Map> {
        self.boards.iter().find(|(n, _)| *n == number).map(|(_, map)| map)
    }

    /// Join boards as a scenario says, with its overlays on them.
    pub fn lay(&self, id: &str, places: &[BoardPlace], overlays: &[OverlayPlace]) -> Result<Map, PackError> {
        let error = |why: String| PackError::at(format!("scenario {id}"), why);
        rectangle(places).map_err(error)?;
        let mut boards = Vec::new();
        for place in places {
            let board = self.board(place.number);
            boards.push(board.ok_or_else(|| error(format!("there is no board {}", place.number)))?);
        }
        // 1.2: an address is the board's number, the column's letters, the row; joined boards share their half hexes.
        let labels = Labels::panzer(places.iter().copied().map(sheet).collect());
        let labels = labels.map_err(|e| error(e.to_string()))?;
        let names: Vec<&Names> = boards.iter().map(|b| &b.name).collect();
        let mut map = Map::join(id, joined_name(&names), labels, &boards).map_err(|e| error(e.why))?;
        for place in overlays {
            self.overlay(&mut map, place, places).map_err(|why| error(format!("overlay {place}: {why}")))?;
        }
        Ok(map)
    }

    /// Overlays on a map that a lab file writes.
    pub(super) fn overlays_on(&self, map: &mut Map, places: &[&str]) -> Result<(), String> {
        for text in places {
            let place: OverlayPlace = text.parse().map_err(|why| format!("map.overlays: {why}"))?;
            self.overlay(map, &place, &[]).map_err(|why| format!("map.overlays: {place}: {why}"))?;
        }
        Ok(())
    }

    fn overlay(&self, map: &mut Map, place: &OverlayPlace, boards: &[BoardPlace]) -> Result<(), String> {
        let overlay = self.overlays.iter().find(|o| o.id == place.id);
        let overlay = overlay.ok_or_else(|| "there is no such overlay".to_owned())?;
        // 1.3: the ID hex is placed on the hex named, with the arrow in the direction given.
        let target = map.hex(&place.hex).map_err(|e| e.to_string())?;
        let board = place.hex.trim_end_matches(|c: char| c.is_ascii_digit());
        let board: u16 = board.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(0);
        // Directions are those of the board's orientation hex, which turns with the board.
        let turned = boards.iter().any(|b| b.number == board && b.turned);
        let turn = i32::from(place.direction) - 1 + if turned { 3 } else { 0 };
        let goes = |hex: HexId| {
            let away = overlay.map.board.hex(hex) - overlay.map.board.hex(overlay.hex);
            map.board.id(map.board.hex(target) + away.rotate(turn))
        };
        let mut table = toml::Table::new();
        let put = |table: &mut toml::Table, kind: &str, key: &str, label: String| {
            let lists = table.entry(kind).or_insert_with(|| Value::Table(toml::Table::new()));
            if let Value::Table(lists) = lists
                && let Value::Array(list) = lists.entry(key).or_insert_with(|| Value::Array(Vec::new()))
            {
                list.push(Value::String(label));
            }
        };
        let mut on_map = 0;
        for &hex in &overlay.covers {
            let Some(to) = goes(hex) else { continue };
            on_map += 1;
            for kind in overlay.map.terrain(hex).iter() {
                put(&mut table, "terrain", &overlay.map.terrain_kind(kind).id, map.label(to).to_owned());
            }
            put(&mut table, "elevation", &overlay.map.elevation(hex).to_string(), map.label(to).to_owned());
            for d in Direction::ALL {
                let side = overlay.map.side_toward(hex, d);
                let Some(other) = map.board.neighbour(to, d.rotate(turn)) else { continue };
                for kind in side.kinds.iter() {
                    let label = format!("{}/{}", map.label(to), map.label(other));
                    put(&mut table, "hexside", &overlay.map.hexside_kind(kind).id, label);
                }
            }
        }
        if on_map == 0 {
            return Err("it lies wholly beside the map".into());
        }
        let mut file = toml::Table::new();
        file.insert("map".into(), Value::Table(table));
        let text = toml::to_string(&file).map_err(|e| e.to_string())?;
        map.apply_overlay("overlay", &text).map_err(|e| e.why)?;
        Ok(())
    }
}

/// The boards fill a rectangle, each place once.
fn rectangle(places: &[BoardPlace]) -> Result<(), String> {
    let across = places.iter().map(|p| p.at[0]).max().ok_or("a scenario needs a board")?;
    let down = places.iter().map(|p| p.at[1]).max().unwrap_or(0);
    for x in 0..=across {
        for y in 0..=down {
            match places.iter().filter(|p| p.at == [x, y]).count() {
                1 => {}
                0 => {
                    return Err(format!(
                        "boards: none lies at [{x}, {y}]; together they must be a rectangle"
                    ));
                }
                _ => return Err(format!("boards: two lie at [{x}, {y}]")),
            }
        }
    }
    for (i, p) in places.iter().enumerate() {
        if places[..i].iter().any(|q| q.number == p.number) {
            return Err(format!("boards: there is only one board {}", p.number));
        }
    }
    Ok(())
}

fn joined_name(names: &[&Names]) -> Names {
    let join = |of: fn(&Names) -> &str| {
        let parts: Vec<&str> = names.iter().map(|n| of(n)).filter(|n| !n.is_empty()).collect();
        parts.join(" · ")
    };
    Names { en: join(|n| &n.en), ko: join(|n| &n.ko), ja: join(|n| &n.ja), local: String::new() }
}
