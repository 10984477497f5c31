//! Which units are still to arrive, when and where (13): the overlay of reinforcements.

use std::collections::BTreeMap;

use hexgrid::HexId;
use kernel::{
    Message,
    message::Arg,
    view::{Area, Overlay, Sheet, SheetLine, Tone},
};
use serde_json::{Value, json};

use crate::{
    pack::{ArrivalBy, BoxId, EntryId, EntrySet, Side, UnitId},
    place::Place,
    play::seat,
    report::side_key,
    rules::Ardennes,
    state::State,
};

/// Turns whose arrivals are listed unit by unit; later ones are only counted.
const TOLD_TURNS: usize = 5;
/// Turns that are labelled at an Entry Hex.
const WRITTEN_TURNS: usize = 3;

/// How units arrive, in the order in which it is listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// 13.1
    Entry,
    /// 27.7
    Roll,
    /// 13.5: from the Off-Map Box in which they are.
    FromBox(BoxId),
    /// 1E 33.2
    ToBox(BoxId),
    /// 13.2
    Town,
    /// 27.2
    Drop,
    /// 1E 33.2: still withheld.
    Waits,
}

/// Units of one turn that arrive in the same way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    turn: u8,
    way: Way,
    /// The hexes where they may enter.
    doors: Vec<HexId>,
}

pub fn arrivals(rules: &Ardennes, s: &State, side: Side) -> Value {
    let groups = groups(rules, s, side);
    let told: Vec<Value> = groups
        .iter()
        .map(|(key, units)| {
            json!({
                "turn": key.turn,
                "hexes": key.doors.iter().map(|hex| rules.label(*hex)).collect::<Vec<_>>(),
                "units": units.iter().map(|unit| rules.unit_id(*unit)).collect::<Vec<_>>(),
            })
        })
        .collect();
    let closed: Vec<Value> = closed(rules, s, side)
        .into_iter()
        .map(|(hex, rule)| json!({ "hex": rules.label(hex), "rule": rule }))
        .collect();
    json!({ "arrivals": told, "closed": closed, "overlay": overlay(rules, s, side, &groups) })
}

fn groups(rules: &Ardennes, s: &State, side: Side) -> BTreeMap<Key, Vec<UnitId>> {
    let mut groups: BTreeMap<Key, Vec<UnitId>> = BTreeMap::new();
    for unit in rules.units_of(side) {
        if let Some(key) = key_of(rules, s, unit) {
            groups.entry(key).or_default().push(unit);
        }
    }
    groups
}

/// When and how a unit arrives; none if it is on the map or never arrives.
fn key_of(rules: &Ardennes, s: &State, unit: UnitId) -> Option<Key> {
    let doors = |set: EntrySet| rules.doors_of(unit, set);
    match s.unit(unit).place() {
        Place::Box(id) => {
            let held = rules.held_in_box(s, unit);
            let way = if held { Way::Waits } else { Way::FromBox(id) };
            Some(Key { turn: s.turn, way, doors: doors(rules.pack.boxes[id.index()].entries) })
        }
        place @ (Place::Track | Place::Due) => {
            let arrival = rules.pack.unit(unit).arrival()?;
            // An overdue unit arrives as soon as it may.
            let turn = if place == Place::Due { s.turn } else { rules.arrival_turn(unit).max(s.turn) };
            if turn > rules.scenario.last_turn {
                return None;
            }
            let (way, doors) = match arrival.by {
                ArrivalBy::Entry(set) => (Way::Entry, doors(set)),
                // 27.7: once the die has released it, it arrives like any other unit.
                ArrivalBy::Roll(set) if place == Place::Due => (Way::Entry, doors(set)),
                ArrivalBy::Roll(set) => (Way::Roll, doors(set)),
                ArrivalBy::OffMapBox(id) => (Way::ToBox(id), doors(rules.pack.boxes[id.index()].entries)),
                ArrivalBy::TownOrCity => (Way::Town, Vec::new()),
                ArrivalBy::Drop => (Way::Drop, Vec::new()),
            };
            let way = if place == Place::Due || rules.condition_met(s, unit) { way } else { Way::Waits };
            Some(Key { turn, way, doors })
        }
        _ => None,
    }
}

/// 11.9, 13.4: Entry Hexes of the side that are closed to it, with the rule.
fn closed(rules: &Ardennes, s: &State, side: Side) -> Vec<(HexId, &'static str)> {
    let of_side = (0..rules.pack.entries.len() as u8)
        .map(EntryId)
        .filter(|entry| rules.pack.entries[entry.index()].side == side);
    of_side
        .filter_map(|entry| Some((rules.land.entry_hex(entry)?, rules.entry_bar(s, side, entry)?.rule)))
        .collect()
}

fn overlay(rules: &Ardennes, s: &State, side: Side, groups: &BTreeMap<Key, Vec<UnitId>>) -> Overlay {
    let label = |hex: &HexId| rules.label(*hex).to_owned();
    let closed = closed(rules, s, side);
    let is_closed = |hex: &HexId| closed.iter().any(|(shut, _)| shut == hex);
    // 31.2: one hex of the west edge stands for all of them.
    let mut coming: BTreeMap<HexId, BTreeMap<u8, usize>> = BTreeMap::new();
    for (key, units) in groups.iter().filter(|(key, _)| key.way != Way::Waits) {
        let (edge, entries): (Vec<_>, Vec<_>) =
            key.doors.iter().copied().partition(|hex| rules.land.entry_at(*hex).is_none());
        let speaks = edge.get(edge.len() / 2).copied();
        for hex in &edge {
            coming.entry(*hex).or_default();
        }
        for hex in entries.into_iter().chain(speaks) {
            *coming.entry(hex).or_default().entry(key.turn).or_default() += units.len();
        }
    }
    let (shut, open): (Vec<_>, Vec<_>) = coming.iter().partition(|(hex, _)| is_closed(hex));
    let area = |hexes: &[(&HexId, &BTreeMap<u8, usize>)], key: &'static str, tone| Area {
        label: Some(Message::new(key).term("side", side_key(side))),
        cells: hexes.iter().map(|(hex, _)| label(hex)).collect(),
        texts: hexes.iter().map(|(_, turns)| written(rules, turns)).collect(),
        seat: Some(seat(side)),
        tone,
    };
    let mut areas = Vec::new();
    if !open.is_empty() {
        areas.push(area(&open, "arrivals.open", Tone::Plain));
    }
    if !shut.is_empty() {
        areas.push(area(&shut, "arrivals.closed", Tone::Bad));
    }
    let count: usize = groups.values().map(Vec::len).sum();
    Overlay {
        note: Some(
            Message::new(if count == 0 { "arrivals.none" } else { "arrivals.note" })
                .term("side", side_key(side))
                .number("n", count as i64),
        ),
        rule: "13.1".into(),
        areas,
        sheet: (count > 0).then(|| sheet(rules, groups, &closed)),
        ..Overlay::default()
    }
}

/// The printed code of a turn: `17 AM`.
fn code(rules: &Ardennes, turn: u8) -> String {
    let track = rules.pack.turn(turn);
    let half = if track.is_some_and(|t| t.pm) { "PM" } else { "AM" };
    format!("{} {half}", track.map_or(0, |t| t.day))
}

/// The label of an Entry Hex: a line for each of the next turns, then how many units arrive later.
fn written(rules: &Ardennes, turns: &BTreeMap<u8, usize>) -> String {
    let mut lines: Vec<String> = turns
        .iter()
        .take(WRITTEN_TURNS)
        .map(|(turn, count)| format!("{} ×{count}", code(rules, *turn)))
        .collect();
    let later: usize = turns.values().skip(WRITTEN_TURNS).sum();
    if later > 0 {
        lines.push(format!("… +{later}"));
    }
    lines.join("\n")
}

/// Which units arrive where, turn by turn.
fn sheet(rules: &Ardennes, groups: &BTreeMap<Key, Vec<UnitId>>, closed: &[(HexId, &'static str)]) -> Sheet {
    let mut lines = Vec::new();
    for (hex, rule) in closed {
        lines.push(SheetLine {
            label: Message::new("arrivals.shut").place("place", rules.label(*hex)),
            value: String::new(),
            rule: (*rule).into(),
            level: 1,
        });
    }
    let mut turns: Vec<u8> = groups.keys().map(|key| key.turn).collect();
    turns.dedup();
    let last = turns.get(TOLD_TURNS - 1).copied().unwrap_or(u8::MAX);
    for (key, units) in groups.iter().filter(|(key, _)| key.turn <= last) {
        lines.push(SheetLine {
            label: way(rules, key),
            value: units.len().to_string(),
            rule: rule_of(key.way).into(),
            level: 1,
        });
        let units = units.iter().map(|unit| Arg::Unit(rules.unit_id(*unit))).collect();
        lines.push(SheetLine {
            label: Message::new("arrivals.units").with("units", Arg::List(units)),
            value: String::new(),
            rule: String::new(),
            level: 2,
        });
    }
    let later: usize = groups.iter().filter(|(key, _)| key.turn > last).map(|(_, units)| units.len()).sum();
    if later > 0 {
        lines.push(SheetLine {
            label: Message::new("arrivals.later"),
            value: later.to_string(),
            rule: String::new(),
            level: 1,
        });
    }
    Sheet { lines, ..Sheet::default() }
}

const fn rule_of(way: Way) -> &'static str {
    match way {
        Way::Entry => "13.1",
        Way::Roll => "27.7",
        Way::FromBox(_) => "13.5",
        Way::ToBox(_) | Way::Waits => "33",
        Way::Town => "13.2",
        Way::Drop => "27.2",
    }
}

fn way(rules: &Ardennes, key: &Key) -> Message {
    let is_entry = |hex: &&HexId| rules.land.entry_at(**hex).is_some();
    let entries: Vec<Arg> =
        key.doors.iter().filter(is_entry).map(|hex| Arg::Place(rules.label(*hex).to_owned())).collect();
    let (edge, some) = (entries.len() < key.doors.len(), !entries.is_empty());
    let words = match key.way {
        Way::Entry if edge && !some => "arrivals.edge",
        Way::Entry if edge => "arrivals.edge_or",
        Way::Entry => "arrivals.entry",
        Way::Roll => "arrivals.roll",
        Way::FromBox(_) => "arrivals.from_box",
        Way::ToBox(_) => "arrivals.to_box",
        Way::Town => "arrivals.town",
        Way::Drop => "arrivals.drop",
        Way::Waits => "arrivals.waits",
    };
    let message = Message::new(words).text("turn", code(rules, key.turn));
    // The owner chooses one or the other.
    let either = |first: Arg, next: Arg| {
        Arg::Message(Box::new(Message::new("arrivals.or").with("first", first).with("next", next)))
    };
    let message = match entries.into_iter().reduce(either) {
        Some(places) => message.with("places", places),
        None => message,
    };
    match key.way {
        Way::FromBox(id) | Way::ToBox(id) => {
            message.term("box", format!("box.{}", rules.pack.boxes[id.index()].id))
        }
        _ => message,
    }
}
