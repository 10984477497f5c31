//! What a viewer may know. Only the fuel dumps of 32 are ever hidden, from everybody except the Allied player.

use kernel::{
    Message, View, Viewer,
    view::{Badge, Face, GroundLook, Marker, Mood, Panel, PanelRow, Piece, TurnView},
};

use crate::{
    flags::Flags,
    frame::Frame,
    pack::{Colour, DefenseMark, Ground, Morale, Nation, Side, Sky, Symbol, Turn, UnitDef, UnitId},
    place::Place,
    play::seat,
    report::side_key,
    rules::Ardennes,
    state::{BridgeIs, DumpState, State},
};

/// States that a counter shows; the other flags are bookkeeping within a phase.
const SHOWN: Flags = Flags(
    Flags::DISRUPTED.0
        | Flags::BROKEN.0
        | Flags::ENGAGED.0
        | Flags::OOS.0
        | Flags::STRATEGIC.0
        | Flags::TRUCK.0
        | Flags::PRIME_MOVER.0
        | Flags::FIRED.0
        | Flags::NIGHT.0
        | Flags::REPLACED.0
        | Flags::DUG.0
        | Flags::ISOLATED.0
        | Flags::EXPOSED.0,
);

pub fn view(rules: &Ardennes, s: &State, viewer: Viewer) -> View {
    View {
        turn: Some(turn(rules, s)),
        pieces: pieces(rules, s),
        markers: markers(rules, s, viewer),
        panels: panels(rules, s),
        lines: Vec::new(),
        extra: serde_json::Value::Null,
    }
}

/// Such as “16 Dec AM”.
fn turn_name(rules: &Ardennes, s: &State) -> Message {
    let track = rules.pack.turn(s.turn);
    let time = match (s.night, track.is_some_and(|t| t.pm)) {
        (true, _) => "turn.night",
        (false, true) => "turn.pm",
        (false, false) => "turn.am",
    };
    Message::new("turn.name").number("day", track.map_or(0, |t| t.day)).term("time", time)
}

pub(crate) fn turn(rules: &Ardennes, s: &State) -> TurnView {
    let mut conditions = Vec::new();
    let track = rules.pack.turn(s.turn);
    if let Some(t) = track {
        conditions.extend(weather(t).map(Message::new));
    }
    let (phase, rule, side) = match s.top() {
        Frame::SetUp(side) => ("set_up", "31.1", side),
        Frame::TrafficBeforePlay => ("set_up", "31.4", Side::Allied),
        _ => (s.phase.key(), s.phase.rule(), s.side),
    };
    TurnView {
        number: s.turn.into(),
        last: rules.scenario.last_turn.into(),
        name: turn_name(rules, s),
        phase: Message::new(format!("phase.{phase}")),
        rule: rule.to_owned(),
        seat: Some(seat(side)),
        conditions,
        mood: Mood {
            night: s.night,
            overcast: track.is_some_and(|t| t.sky == Sky::Overcast),
            ground: track.map(|t| match t.ground {
                Ground::Mud => GroundLook::Mud,
                Ground::Frozen => GroundLook::Snow,
            }),
        },
        lab_phase: phase.to_owned(),
        lab: None,
    }
}

/// Message keys of ground and sky of a turn (28).
const fn weather(turn: &Turn) -> [&'static str; 2] {
    let ground = match turn.ground {
        Ground::Mud => "ground.mud",
        Ground::Frozen => "ground.frozen",
    };
    let sky = match turn.sky {
        Sky::Overcast => "sky.overcast",
        Sky::Clear => "sky.clear",
    };
    [ground, sky]
}

fn pieces(rules: &Ardennes, s: &State) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for hex in Side::ALL.into_iter().flat_map(|side| s.held(side)) {
        for (layer, unit) in s.stack(hex).enumerate() {
            pieces.push(piece(rules, s, unit, rules.label(hex).to_owned(), layer as u8));
        }
    }
    let mut layers = Vec::new();
    for unit in rules.units_of(Side::German).chain(rules.units_of(Side::Allied)) {
        let Some(at) = place_id(rules, s.unit(unit).place()) else { continue };
        // A unit due after the last turn never arrives.
        if s.unit(unit).place() == Place::Track && rules.arrival_turn(unit) > rules.scenario.last_turn {
            continue;
        }
        let layer = beside(&mut layers, s.unit(unit).place());
        pieces.push(piece(rules, s, unit, at, layer));
    }
    pieces
}

/// The layer of the next unit in an off-map place. Units listed in a panel are in its order, not on top of each other:
/// when one of them leaves, the others keep their layer.
pub(crate) fn beside(layers: &mut Vec<(Place, u8)>, place: Place) -> u8 {
    if PANELS.iter().any(|(_, listed)| *listed == place) {
        return 0;
    }
    let Some((_, layer)) = layers.iter_mut().find(|(known, _)| *known == place) else {
        layers.push((place, 0));
        return 0;
    };
    *layer = layer.saturating_add(1);
    *layer
}

/// The id of an off-map box; none for units on the map or out of play.
pub fn place_id(rules: &Ardennes, place: Place) -> Option<String> {
    match place {
        Place::Box(id) => Some(format!("box:{}", rules.pack.boxes[id.index()].id)),
        Place::Blocking(id) => Some(format!("block:{}", rules.pack.entries[id.index()].letter)),
        Place::Antwerp => Some("antwerp".into()),
        Place::Exited => Some("exited".into()),
        Place::Due => Some("due".into()),
        Place::SetUp => Some("setup".into()),
        Place::Dead => Some("dead".into()),
        Place::Track => Some("track".into()),
        Place::Hex(_) | Place::Pool | Place::Gone => None,
    }
}

pub(crate) fn piece(rules: &Ardennes, s: &State, unit: UnitId, at: String, layer: u8) -> Piece {
    let def = rules.pack.unit(unit);
    let u = s.unit(unit);
    let states = Flags(u.flags.0 & SHOWN.0).names().map(str::to_owned).collect();
    Piece {
        id: def.id.clone(),
        seat: Some(seat(def.side)),
        at,
        layer,
        facing: None,
        face: face(rules, s, unit, def),
        states,
        active: active(s, def.side, u.flags),
    }
}

/// Can a unit with these flags still act in this phase?
pub(crate) fn active(s: &State, side: Side, flags: Flags) -> bool {
    s.side == side
        && (!flags.any(Flags::MOVED) && s.phase.is_movement()
            || !flags.any(Flags::ATTACKED) && s.phase.is_combat())
}

fn face(rules: &Ardennes, s: &State, unit: UnitId, def: &UnitDef) -> Face {
    let u = s.unit(unit);
    let reduced = u.is(Flags::REDUCED);
    let factors = rules.factors(s, unit);
    let defense = match def.defense_mark {
        DefenseMark::Parentheses => format!("({})", factors.defense),
        _ => factors.defense.to_string(),
    };
    let movement = if def.category.artillery && u.is(Flags::FIRED) {
        rules.counter(unit).fired_movement
    } else {
        factors.movement
    };
    let mut badges = Vec::new();
    let mut badge = |kind: &str, text: String, tone: &str| {
        badges.push(Badge { kind: kind.into(), text, tone: tone.into() });
    };
    match def.morale {
        Morale::Elite => badge("morale", "elite".into(), "red"),
        Morale::Green => badge("morale", "green".into(), "white"),
        Morale::Veteran => {}
    }
    if let Some(tq) = def.tq {
        let value = if reduced { tq.reduced } else { tq.front };
        badge("tq", value.to_string(), if tq.red { "red" } else { "" });
    }
    if factors.stacking > 0 {
        badge("stacking", factors.stacking.to_string(), "");
    }
    if def.range > 0 {
        badge("range", def.range.to_string(), "");
    }
    if def.defense_mark == DefenseMark::Outlined {
        badge("defense", "outlined".into(), "");
    }
    // Division, regiment and battalion, as they are printed: `116/16/II`.
    let mut parts = def.label.splitn(3, '/').map(str::to_owned);
    let mut part = || parts.next().unwrap_or_default();
    let (title, left, right) = (part(), part(), part());
    Face {
        ground: ground(def.nation).into(),
        bar: bar(def.side, def.colour).map(str::to_owned),
        symbol: symbol(def),
        size: serde_json::to_value(def.size)
            .ok()
            .and_then(|v| v.as_str().map(str::to_owned))
            .unwrap_or_default(),
        left,
        right,
        title,
        factors: vec![factors.attack.to_string(), defense, movement.to_string()],
        badges,
        reduced,
    }
}

const fn ground(nation: Nation) -> &'static str {
    match nation {
        Nation::German => "de",
        Nation::WaffenSs => "ss",
        Nation::Fallschirmjaeger => "fj",
        Nation::Us => "us",
        Nation::British => "uk",
    }
}

/// 2.11
const fn bar(side: Side, colour: Colour) -> Option<&'static str> {
    Some(match (side, colour) {
        (Side::German, Colour::Red) => "#b3262a",
        (Side::Allied, Colour::Red) => "#c23b3b",
        (_, Colour::Grey) => "#8b9096",
        (Side::German, Colour::Blue) => "#2f5d9b",
        (Side::Allied, Colour::Blue) => "#3f7cc4",
        (_, Colour::Green) => "#3f7a3a",
        (_, Colour::Purple) => "#7a4a9c",
        (_, Colour::Maroon) => "#7b2d3a",
        (_, Colour::Orange) => "#d9822b",
        (_, Colour::Beige) => "#c9b48a",
        (_, Colour::Yellow) => "#d8b72a",
        (_, Colour::White) => "#f2f0e8",
    })
}

fn symbol(def: &UnitDef) -> String {
    let name = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
    };
    match (def.symbol, def.vehicle) {
        (Symbol::Silhouette, Some(vehicle)) => format!("silhouette:{}", name(serde_json::to_value(vehicle))),
        (symbol, _) => name(serde_json::to_value(symbol)),
    }
}

pub(crate) fn markers(rules: &Ardennes, s: &State, viewer: Viewer) -> Vec<Marker> {
    let mut markers = Vec::new();
    let mut marker = |kind: &str, at: String, seat: Option<Side>, text: String| {
        markers.push(Marker { kind: kind.into(), at, seat: seat.map(crate::play::seat), text });
    };
    let label = |hex| rules.label(hex).to_owned();
    for (index, [a, b]) in rules.land.bridges.iter().enumerate() {
        let at = || format!("{}/{}", rules.label(*a), rules.label(*b));
        match s.bridge(index).is() {
            BridgeIs::Intact => {}
            BridgeIs::Blown => marker("blown_bridge", at(), None, String::new()),
            BridgeIs::UnderConstruction(side) => {
                marker("bridge_under_construction", at(), Some(side), String::new());
            }
        }
    }
    for hex in &s.improved {
        marker("improved_position", label(hex), s.holder(hex), String::new());
    }
    for hex in &s.digging {
        marker("improved_position_started", label(hex), s.holder(hex), String::new());
    }
    for side in Side::ALL {
        for (number, at) in s.traffic[side.index()].iter().enumerate() {
            if let Some(hex) = at.hex() {
                marker("traffic", label(hex), Some(side), (number + 1).to_string());
            }
        }
        for hex in s.roadblocks[side.index()].iter().filter_map(|at| at.hex()) {
            marker("roadblock", label(hex), Some(side), String::new());
        }
    }
    for advantage in &s.advantages {
        let target = label(advantage.target);
        // 13.8: an arrow on the map cannot start in a Blocking Position.
        let at = match advantage.from.some() {
            Some(from) => format!("{}/{target}", label(from)),
            None => target,
        };
        marker("attackers_advantage", at, Some(advantage.side), String::new());
    }
    for (dump, hex) in s.dumps.iter().zip(&rules.land.dump_sites) {
        if matches!(dump.state, DumpState::Allied | DumpState::Captured) {
            // 32.1: only the Allied player may see it.
            let known = dump.revealed || viewer.knows(seat(Side::Allied));
            let kind = match (known, dump.real) {
                (false, _) => "fuel_dump_hidden",
                (true, true) => "fuel_dump",
                (true, false) => "fuel_dump_dummy",
            };
            let owner = if dump.state == DumpState::Captured { Side::German } else { Side::Allied };
            marker(kind, label(*hex), Some(owner), String::new());
        }
    }
    for site in &rules.land.victory {
        marker("victory", label(site.hex), Some(s.control(site.hex)), site.points.to_string());
    }
    markers
}

/// The panels beside the map in order, with the place whose units they list.
pub(crate) const PANELS: [(&str, Place); 4] =
    [("due", Place::Due), ("setup", Place::SetUp), ("dead", Place::Dead), ("track", Place::Track)];

fn panels(rules: &Ardennes, s: &State) -> Vec<Panel> {
    let shown = PANELS.into_iter().filter(|(_, place)| has_panel(rules, s, *place));
    shown.map(|(id, place)| panel(rules, s, id, place)).collect()
}

/// The turn track always has its panel, other places only while they hold units.
pub(crate) fn has_panel(rules: &Ardennes, s: &State, place: Place) -> bool {
    let mut units = Side::ALL.into_iter().flat_map(|side| rules.units_of(side));
    place == Place::Track || units.any(|unit| s.unit(unit).place() == place)
}

pub(crate) fn panel(rules: &Ardennes, s: &State, id: &str, place: Place) -> Panel {
    if place == Place::Track {
        return track(rules, s);
    }
    let row = |side: Side| PanelRow {
        label: Message::new(side_key(side)),
        value: None,
        pieces: rules
            .units_of(side)
            .filter(|u| s.unit(*u).place() == place)
            .map(|u| rules.unit_id(u))
            .collect(),
        current: false,
        rule: None,
    };
    let rows = Side::ALL.into_iter().map(row).filter(|row| !row.pieces.is_empty()).collect();
    Panel { id: id.into(), title: Message::new(format!("panel.{id}")), rows }
}

/// The Turn Record Track: weather, special events of each turn, and units still to arrive.
fn track(rules: &Ardennes, s: &State) -> Panel {
    let scenario = &rules.scenario;
    let turns = rules.pack.turns.iter().filter(|t| (s.turn..=scenario.last_turn).contains(&t.turn));
    let rows = turns
        .flat_map(|t| {
            // 27.7: an overdue unit is still to arrive.
            let due = |u: &UnitId| rules.arrival_turn(*u).max(s.turn) == t.turn;
            let coming =
                |side: Side| rules.units_of(side).filter(|u| s.unit(*u).place() == Place::Track).filter(due);
            let pieces = Side::ALL.into_iter().flat_map(coming).map(|u| rules.unit_id(u)).collect();
            let [ground, sky] = weather(t);
            let turn = PanelRow {
                label: Message::new("turn.track")
                    .number("turn", t.turn)
                    .number("day", t.day)
                    .term("time", if t.pm { "turn.pm" } else { "turn.am" }),
                value: Some(Message::new("turn.weather").term("ground", ground).term("sky", sky)),
                pieces: Vec::new(),
                current: t.turn == s.turn,
                rule: None,
            };
            let mut rows = vec![turn];
            let events = t.events.iter().map(|event| PanelRow {
                label: Message::new(format!("event.{event}")),
                value: None,
                pieces: Vec::new(),
                current: false,
                rule: None,
            });
            rows.extend(events);
            // Arriving units are shown below the turn's events.
            if let Some(last) = rows.last_mut() {
                last.pieces = pieces;
            }
            rows
        })
        .collect();
    Panel { id: "track".into(), title: Message::new("panel.track"), rows }
}
