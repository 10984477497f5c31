//! Draws a position: the kernel's view of a table with the atlas's counters.

use atlas::Map;
use atlas::render::counter::nation_ground;
use atlas::render::{Counter, Mark, Morale, PlacedCounter, Symbol};
use kernel::view::{Face, Piece, View};

/// The pieces of a view that are on the map, the lowest of each stack first.
pub fn counters(map: &Map, view: &View) -> Vec<PlacedCounter> {
    let mut pieces: Vec<(&Piece, _)> =
        view.pieces.iter().filter_map(|piece| Some((piece, map.hex(&piece.at).ok()?))).collect();
    pieces.sort_by_key(|(piece, hex)| (hex.index(), std::cmp::Reverse(piece.layer)));
    pieces.into_iter().map(|(piece, hex)| PlacedCounter { hex, counter: counter(piece) }).collect()
}

fn counter(piece: &Piece) -> Counter {
    let face = &piece.face;
    let parts = [face.left.as_str(), face.right.as_str()].into_iter().filter(|part| !part.is_empty());
    let right = parts.collect::<Vec<_>>().join("/");
    let badge = |kind: &str| face.badges.iter().find(|badge| badge.kind == kind);
    let number = |kind: &str| badge(kind).and_then(|badge| badge.text.parse().ok());
    let factor = |at: usize| face.factors.get(at).cloned().unwrap_or_default();
    Counter {
        ground: nation_ground(&face.ground).into(),
        bar: face.bar.clone(),
        symbol: symbol(face),
        size: face.size.clone(),
        left: face.title.clone(),
        right,
        attack: factor(0),
        defense: factor(1),
        movement: factor(2),
        morale: match badge("morale").map(|badge| badge.text.as_str()) {
            Some("elite") => Morale::Elite,
            Some("green") => Morale::Green,
            _ => Morale::Veteran,
        },
        stacking: number("stacking"),
        quality: number("tq").map(|value| (value, badge("tq").is_some_and(|badge| badge.tone == "red"))),
        range: number("range"),
        reduced: face.reduced,
        marks: piece.states.iter().filter_map(|state| mark(state)).collect(),
        facing: piece.facing.map(|degrees| degrees as i16),
    }
}

fn symbol(face: &Face) -> Symbol {
    match face.symbol.strip_prefix("silhouette:") {
        Some(vehicle) => Symbol::Vehicle(vehicle.into()),
        None => Symbol::by_name(&face.symbol).unwrap_or_default(),
    }
}

fn mark(state: &str) -> Option<Mark> {
    Some(match state {
        "disrupted" => Mark::Disrupted,
        "broken" => Mark::Broken,
        "engaged" => Mark::Engaged,
        "oos" => Mark::OutOfSupply,
        "strategic" => Mark::StrategicMovement,
        "fired" => Mark::Fired,
        "improved_position" => Mark::ImprovedPosition,
        _ => return None,
    })
}
