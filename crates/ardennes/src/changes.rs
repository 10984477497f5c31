//! What differs between the views of two states, found on the flat states: after a move one counter is drawn again, not
//! four hundred. A test plays at random and holds it to [`crate::view`].

use kernel::{Viewer, view::Changes};

use crate::{
    pack::{Side, UnitId},
    place::Place,
    rules::Ardennes,
    state::State,
    view,
};

pub fn changes(rules: &Ardennes, before: &State, after: &State, viewer: Viewer) -> Changes {
    let mut changes = Changes::default();
    let (old, new) = (layers(rules, before), layers(rules, after));
    let mut beside_the_map = before.turn != after.turn;
    for (index, (was, is)) in old.iter().zip(&new).enumerate() {
        let unit = UnitId(index as u16);
        let (u, v) = (before.unit(unit), after.unit(unit));
        let moved = u.place() != v.place();
        beside_the_map |= moved && [u.place(), v.place()].into_iter().any(in_panel);
        match (was, is) {
            (_, Some(layer))
                if was != is
                    || moved
                    || u.flags != v.flags
                    || active(rules, before, unit) != active(rules, after, unit) =>
            {
                let at = match v.place() {
                    Place::Hex(hex) => rules.label(hex).to_owned(),
                    other => view::place_id(rules, other).unwrap_or_default(),
                };
                changes.pieces.push(view::piece(rules, after, unit, at, *layer));
            }
            (Some(_), None) => changes.gone.push(rules.unit_id(unit)),
            _ => {}
        }
    }
    let turn = |s: &State| (s.turn, s.night, s.side, s.phase);
    if turn(before) != turn(after) {
        changes.turn = Some(view::turn(rules, after));
    }
    if markers_differ(rules, before, after) {
        let markers = view::markers(rules, after, viewer);
        // What differs may be hidden.
        if markers != view::markers(rules, before, viewer) {
            changes.markers = Some(markers);
        }
    }
    if beside_the_map {
        changes.panels = Some(view::panels(rules, after));
    }
    changes
}

/// Is the counter marked as one that can still act?
fn active(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    view::active(s, rules.pack.unit(unit).side, s.unit(unit).flags)
}

/// Places whose units the panels list.
fn in_panel(place: Place) -> bool {
    matches!(place, Place::Due | Place::SetUp | Place::Dead | Place::Track)
}

/// By unit: its layer in the stack or box it is shown in; none if it is not shown.
fn layers(rules: &Ardennes, s: &State) -> Vec<Option<u8>> {
    let mut layers = vec![None; rules.pack.units.len()];
    for hex in s.held[0].iter().chain(s.held[1].iter()) {
        for (layer, unit) in s.stack(hex).enumerate() {
            layers[unit.index()] = Some(layer as u8);
        }
    }
    let mut tops: Vec<(Place, u8)> = Vec::new();
    for unit in Side::ALL.into_iter().flat_map(|side| rules.units_of(side)) {
        let place = s.unit(unit).place();
        if matches!(place, Place::Hex(_) | Place::Track | Place::Pool | Place::Gone) {
            continue;
        }
        let layer = if let Some((_, layer)) = tops.iter_mut().find(|(known, _)| *known == place) {
            *layer = layer.saturating_add(1);
            *layer
        } else {
            tops.push((place, 0));
            0
        };
        layers[unit.index()] = Some(layer);
    }
    layers
}

/// Could a marker be drawn otherwise?
fn markers_differ(rules: &Ardennes, a: &State, b: &State) -> bool {
    a.bridges != b.bridges
        || a.improved != b.improved
        || a.digging != b.digging
        || a.traffic != b.traffic
        || a.roadblocks != b.roadblocks
        || a.advantages != b.advantages
        || a.dumps != b.dumps
        // Whose they are goes by who stands there.
        || a.improved.iter().chain(a.digging.iter()).any(|hex| a.holder(hex) != b.holder(hex))
        || view::victory_hexes(rules).any(|(hex, _)| a.control(hex) != b.control(hex))
}
