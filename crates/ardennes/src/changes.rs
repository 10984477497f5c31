//! The differences between the views of two states, found on the states themselves: after a move one counter is drawn
//! again, not four hundred. A test with random play checks it against [`crate::view`].

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
    // Panels to be sent again, in the order of [`view::PANELS`].
    let mut told = view::PANELS.map(|(_, place)| place == Place::Track && before.turn != after.turn);
    for (index, (was, is)) in old.iter().zip(&new).enumerate() {
        let unit = UnitId(index as u16);
        let (u, v) = (before.unit(unit), after.unit(unit));
        let moved = u.place() != v.place();
        if moved {
            for ((_, place), told) in view::PANELS.iter().zip(&mut told) {
                *told |= u.place() == *place || v.place() == *place;
            }
        }
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
        // The difference may be hidden from the viewer.
        if markers != view::markers(rules, before, viewer) {
            changes.markers = Some(markers);
        }
    }
    for ((id, place), _) in view::PANELS.into_iter().zip(told).filter(|(_, told)| *told) {
        let shown = view::has_panel(rules, after, place);
        if shown {
            changes.panels.push(view::panel(rules, after, id, place));
        }
        if shown != view::has_panel(rules, before, place) {
            let all = view::PANELS.into_iter().filter(|(_, place)| view::has_panel(rules, after, *place));
            changes.panel_order = Some(all.map(|(id, _)| id.to_owned()).collect());
        }
    }
    changes
}

/// Is the counter marked as one that can still act?
fn active(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    view::active(s, rules.pack.unit(unit).side, s.unit(unit).flags)
}

/// By unit: its layer in the stack or box it is shown in; none if it is not shown.
fn layers(rules: &Ardennes, s: &State) -> Vec<Option<u8>> {
    let mut layers = vec![None; rules.pack.units.len()];
    for hex in Side::ALL.into_iter().flat_map(|side| s.held(side)) {
        for (layer, unit) in s.stack(hex).enumerate() {
            layers[unit.index()] = Some(layer as u8);
        }
    }
    let mut tops = Vec::new();
    for unit in Side::ALL.into_iter().flat_map(|side| rules.units_of(side)) {
        let place = s.unit(unit).place();
        if matches!(place, Place::Hex(_) | Place::Track | Place::Pool | Place::Gone) {
            continue;
        }
        layers[unit.index()] = Some(view::beside(&mut tops, place));
    }
    layers
}

/// Could any marker be drawn differently?
fn markers_differ(rules: &Ardennes, a: &State, b: &State) -> bool {
    a.bridges() != b.bridges()
        || a.improved != b.improved
        || a.digging != b.digging
        || a.traffic != b.traffic
        || a.roadblocks != b.roadblocks
        || a.advantages != b.advantages
        || a.dumps != b.dumps
        // Their owner is the side of the units in the hex.
        || a.improved.iter().chain(a.digging.iter()).any(|hex| a.holder(hex) != b.holder(hex))
        || rules.land.victory.iter().any(|site| a.control(site.hex) != b.control(site.hex))
}
