//! Map overlays: where a drop may land and with what result, the state of the bridges, how far supply roads reach.

use hexgrid::{Direction, HexId, HexSet};
use kernel::view::{Area, Chance, MapLine, Overlay, Panel, PanelRow, Sheet, SheetLine, Tone};
use kernel::{Arg, Ask, Message, OverlayInfo};
use serde_json::{Value, json};
use zocbond::{Piece as _, UnitId, overlay};

use crate::event::{bridge_key, seat};
use crate::pack::Side;
use crate::state::{Bridge, Place, State};
use crate::world::Holland;

/// Name, key, question, rule.
const OVERLAYS: [(&str, &str, &str, &str); 6] = [
    ("drops", "l", "drops {seat}", "22.3"),
    ("bridges", "g", "bridges", "5.2"),
    ("supply", "s", "overlay supply {seat}", "18.2"),
    ("places", "c", "places {seat}", "26.2"),
    ("zoc", "z", "overlay zoc {seat}", "7.1"),
    ("bonds", "b", "overlay bonds {seat}", "7.4"),
];

/// The bridges that the corridor depends on, from south to north.
const HIGHWAY: [&str; 7] =
    ["joes_bridge", "son", "veghel", "grave", "heumen_lock", "nijmegen_road_bridge", "arnhem_road_bridge"];

pub fn infos() -> Vec<OverlayInfo> {
    OverlayInfo::list(&OVERLAYS)
}

/// The outcomes of a landing, in sixths: no loss and not scattered, scattered, one step lost, two steps lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LandingOdds {
    pub whole: u8,
    pub scattered: u8,
    pub one_step: u8,
    pub two_steps: u8,
}

impl Holland {
    /// 22.3
    pub fn landing_odds(&self, s: &State, hex: HexId) -> LandingOdds {
        let modifier = self.landing_modifier(s, hex);
        let mut odds = LandingOdds::default();
        for die in 1..=6 {
            let row = self.landing_row(die + modifier);
            match (row.steps, row.scattered) {
                (0, false) => odds.whole += 1,
                (0, true) => odds.scattered += 1,
                (1, _) => odds.one_step += 1,
                _ => odds.two_steps += 1,
            }
        }
        odds
    }

    /// The answer to a question of [`infos`], or the sheet of a landing; `None` for other questions.
    pub fn overlay(&self, s: &State, words: &[&str]) -> Option<Result<Value, Ask>> {
        let label = |hex: HexId| self.label(hex).to_owned();
        let side = |name: &str| Side::ALL.into_iter().find(|side| side.key() == name);
        let shown = match *words {
            ["drops", "german"] => Overlay { rule: "22.4".into(), ..Overlay::default() },
            ["drops", "allied"] => self.drops(s, None),
            ["drops", id] => match self.unit_named(id) {
                Some(unit) => self.drops(s, Some(unit)),
                None => return Some(Err(Ask::Bad(format!("no unit `{id}`")))),
            },
            ["bridges"] => self.bridge_overlay(s),
            ["supply", name] | ["overlay", "supply", name] => self.supply_overlay(s, side(name)?),
            ["overlay", "zoc", name] => {
                let side = side(name)?;
                overlay::zone(self, s, side, (seat(side), "7.1"), label)
            }
            ["overlay", "bonds", name] => {
                let side = side(name)?;
                overlay::bonds(self, s, side, (seat(side), "7.4"), label)
            }
            ["places", name] => self.places_overlay(s, side(name)?),
            ["sheet", "attack", ref rest @ ..] => {
                let combat = match self.attack_written(s, rest) {
                    Ok(combat) => combat,
                    Err(error) => return Some(Err(error)),
                };
                return Some(self.attack_sheet(s, &combat).map(|sheet| json!({ "sheet": sheet })));
            }
            ["sheet", "land", id, label] => {
                let (unit, hex) = (self.unit_named(id)?, self.map.hex(label).ok()?);
                return Some(Ok(json!({ "sheet": self.landing_sheet(s, unit, hex) })));
            }
            _ => return None,
        };
        Some(Ok(json!({ "overlay": shown })))
    }

    /// Where a unit in the Airlanding pool, or any of them, could be dropped now or under this turn's conditions, with
    /// the chance in percent that it lands without loss or scatter.
    fn drops(&self, s: &State, unit: Option<UnitId>) -> Overlay {
        let waits = |u: &UnitId| s.unit(*u).at() == Place::Airlanding;
        let waiting: Vec<UnitId> = match unit {
            Some(unit) => Some(unit).filter(waits).into_iter().collect(),
            None => self.units().filter(waits).collect(),
        };
        // Outside the Airlanding Phase, show drops as if there were points for them.
        let mut planned = s.clone();
        planned.points = planned.points.max(1);
        let mut found: [Vec<(HexId, u8)>; 3] = Default::default();
        for hex in &self.land.in_play {
            if !waiting.iter().any(|unit| self.check_land(&planned, *unit, hex).is_ok()) {
                continue;
            }
            let odds = self.landing_odds(s, hex);
            let class = match odds.whole {
                4.. => 0,
                2.. => 1,
                _ => 2,
            };
            found[class].push((hex, odds.whole));
        }
        let area = |cells: &[(HexId, u8)], key: &'static str, tone| Area {
            label: Some(Message::new(key)),
            cells: cells.iter().map(|(hex, _)| self.label(*hex).to_owned()).collect(),
            texts: cells.iter().map(|(_, whole)| format!("{}%", (u32::from(*whole) * 100 + 3) / 6)).collect(),
            seat: Some(seat(Side::Allied)),
            tone,
        };
        let classes = [("drop.good", Tone::Good), ("drop.doubt", Tone::Doubt), ("drop.bad", Tone::Bad)];
        let areas = found.iter().zip(classes).filter(|(cells, _)| !cells.is_empty());
        Overlay {
            note: Some(Message::new("drop.note").number("n", waiting.len() as i64)),
            rule: "22.3".into(),
            areas: areas.map(|(cells, (key, tone))| area(cells, key, tone)).collect(),
            ..Overlay::default()
        }
    }

    /// The modifiers of a drop, and its possible outcomes.
    fn landing_sheet(&self, s: &State, unit: UnitId, hex: HexId) -> Sheet {
        use crate::airlanding::Ground;
        let table = &self.pack.tables.landing;
        let line = |key: &str, value: i8, rule: &str| SheetLine {
            label: Message::new(key.to_owned()),
            value: format!("{value:+}"),
            rule: rule.into(),
            level: 1,
        };
        let mut lines = Vec::new();
        if s.turn > 1 {
            let ground = self.land.at(hex).landing.unwrap_or(0);
            if ground != 0 {
                lines.push(line("drop.ground", ground, "22.3.3"));
            }
            match self.ground_state(s, hex) {
                Ground::Safe => {}
                Ground::Contested => lines.push(line("drop.contested", table.contested, "22.3.2")),
                Ground::EnemyControlled => {
                    lines.push(line("drop.enemy_controlled", table.enemy_controlled, "22.3.2"));
                }
            }
        }
        let total = self.landing_modifier(s, hex);
        lines.push(SheetLine { level: 0, ..line("drop.modifier", total, "22.3.3") });
        let odds = self.landing_odds(s, hex);
        let steps = !self.counter(unit).supply_head_piece; // 22.3.4
        let (one, two) = if steps { (odds.one_step, odds.two_steps) } else { (0, 0) };
        let scattered = if steps { odds.scattered } else { 6 - odds.whole };
        let chance = |key: &'static str, sixths: u8, tone: f32| Chance {
            label: Message::new(key),
            p: f64::from(sixths) / 6.0,
            tone,
        };
        let chances = [
            chance("drop.two_steps", two, -1.0),
            chance("drop.one_step", one, -0.6),
            chance("drop.scattered", scattered, -0.1),
            chance("drop.whole", odds.whole, 1.0),
        ];
        let id = self.counter(unit).id.clone();
        Sheet {
            title: Some(Message::new("drop.title").unit("unit", id).place("hex", self.label(hex))),
            lines,
            chances: chances.into_iter().filter(|chance| chance.p > 0.0).collect(),
            ..Sheet::default()
        }
    }

    fn bridge_overlay(&self, s: &State) -> Overlay {
        let mut counts = [0i64; 3];
        let mut lines = Vec::new();
        for (i, b) in self.land.bridges.iter().enumerate() {
            if b.kind == atlas::BridgeKind::Ferry || !self.land.in_play.contains(b.hexes[0]) {
                continue;
            }
            let state = s.field.bridge(i);
            let tone = match state {
                Bridge::IntactAllied => Tone::Plain,
                Bridge::Intact => Tone::Good,
                Bridge::Wired | Bridge::ToBeWired => Tone::Doubt,
                Bridge::Blown | Bridge::Repair(..) => Tone::Bad,
            };
            match state {
                Bridge::IntactAllied => counts[0] += 1,
                Bridge::Wired => counts[1] += 1,
                Bridge::Blown | Bridge::Repair(..) => counts[2] += 1,
                _ => {}
            }
            lines.push(MapLine {
                kind: format!("bridge_{}", bridge_key(state)),
                cells: vec![self.map.side_label(b.side)],
                seat: (state == Bridge::IntactAllied).then_some(seat(Side::Allied)),
                tone,
                ..MapLine::default()
            });
        }
        Overlay {
            note: Some(
                Message::new("highway.note")
                    .number("allied", counts[0])
                    .number("wired", counts[1])
                    .number("blown", counts[2]),
            ),
            rule: "5.2".into(),
            lines,
            ..Overlay::default()
        }
    }

    /// The corridor: the supply roads of the Allied side; of both sides the units that are cut off. German supply roads are nearly all roads
    /// of the map and would hide the corridor.
    fn supply_overlay(&self, s: &State, side: Side) -> Overlay {
        let net = self.source_roads(s, side);
        let labels = |hexes: &[HexId]| hexes.iter().map(|hex| self.label(*hex).to_owned()).collect();
        let units = self.unsupplied(s, side);
        let mut cut: Vec<HexId> = units.iter().filter_map(|unit| s.unit(*unit).hex()).collect();
        cut.sort();
        cut.dedup();
        let area = |key: &'static str, cells: &[HexId], tone| Area {
            label: Some(Message::new(key).term("side", format!("side.{}", side.key()))),
            cells: labels(cells),
            seat: Some(seat(side)),
            tone,
            ..Area::default()
        };
        // Draw roads as lines, so that units that are cut off stand out.
        let mut areas = Vec::new();
        if !cut.is_empty() {
            areas.push(area("supply.cut_off", &cut, Tone::Bad));
        }
        let lines = if side == Side::Allied { self.road_lines(&net, side) } else { Vec::new() };
        // How far the corridor reaches: the bridges of the highway, one after the other, as far as supply roads reach them.
        let fed = |id: &&&str| {
            let bridge = self.land.bridges.iter().find(|b| b.id == **id);
            bridge.is_some_and(|b| b.hexes.iter().any(|hex| net.contains(*hex)))
        };
        let reached = HIGHWAY.iter().take_while(fed).last();
        let note = match reached.filter(|_| side == Side::Allied) {
            Some(id) => Message::new("supply.corridor").term("bridge", format!("bridge_name.{id}")),
            None => Message::new("supply.note"),
        };
        let names = units.iter().map(|unit| Arg::Unit(self.counter(*unit).id.clone())).collect();
        let note = note
            .term("side", format!("side.{}", side.key()))
            .number("n", units.len() as i64)
            .with("units", Arg::List(names));
        Overlay { note: Some(note), rule: "18.2".into(), areas, lines, ..Overlay::default() }
    }

    /// The roads of a supply net, hex to hex.
    fn road_lines(&self, net: &HexSet, side: Side) -> Vec<MapLine> {
        let mut lines = Vec::new();
        for hex in net {
            for direction in Direction::ALL {
                let Some(next) = self.land.topology.neighbour(hex, direction) else { continue };
                if hex < next && net.contains(next) && self.side_toward(hex, direction).road.is_some() {
                    lines.push(MapLine {
                        kind: "supply".into(),
                        cells: vec![self.label(hex).to_owned(), self.label(next).to_owned()],
                        seat: Some(seat(side)),
                        ..MapLine::default()
                    });
                }
            }
        }
        lines
    }

    /// Victory places that a side controls, with their points.
    fn places_overlay(&self, s: &State, side: Side) -> Overlay {
        let net = self.source_roads(s, Side::Allied);
        let (mut held, mut texts) = (Vec::new(), Vec::new());
        let (mut unfed, mut unfed_texts) = (Vec::new(), Vec::new());
        for (place, hexes) in self.pack.victory_places.iter().zip(&self.places) {
            let linked = side == Side::German || hexes.iter().any(|hex| net.contains(*hex));
            let text = match place.value {
                0 => String::new(),
                halves => crate::victory::points_text(halves),
            };
            for hex in hexes
                .iter()
                .filter(|hex| self.land.in_play.contains(**hex) && s.field.last_holder(**hex) == side)
            {
                let (cells, texts) =
                    if linked { (&mut held, &mut texts) } else { (&mut unfed, &mut unfed_texts) };
                cells.push(self.label(*hex).to_owned());
                texts.push(text.clone());
            }
        }
        let area = |key: &'static str, cells, texts, tone| Area {
            label: Some(Message::new(key).term("side", format!("side.{}", side.key()))),
            cells,
            texts,
            seat: Some(seat(side)),
            tone,
        };
        let mut areas = vec![area("places.held", held, texts, Tone::Plain)];
        if !unfed.is_empty() {
            areas.push(area("places.no_road", unfed, unfed_texts, Tone::Doubt));
        }
        Overlay { rule: "26.2".into(), areas, ..Overlay::default() }
    }

    /// A summary of the bridges of the highway.
    pub fn highway_panel(&self, s: &State) -> Option<Panel> {
        let rows: Vec<PanelRow> = HIGHWAY
            .iter()
            .filter_map(|id| {
                let at = self.land.bridges.iter().position(|b| b.id == *id)?;
                let bridge = &self.land.bridges[at];
                if !self.land.in_play.contains(bridge.hexes[0]) {
                    return None;
                }
                let state = s.field.bridge(at);
                Some(PanelRow {
                    label: Message::new(format!("bridge_name.{id}")),
                    value: Some(Message::new(format!("bridge.{}", bridge_key(state)))),
                    pieces: Vec::new(),
                    current: state == Bridge::IntactAllied,
                    rule: Some("5.2".into()),
                })
            })
            .collect();
        (!rows.is_empty()).then(|| Panel { id: "highway".into(), title: Message::new("panel.highway"), rows })
    }
}
