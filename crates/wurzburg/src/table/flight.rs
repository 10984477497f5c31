//! The way of a helicopter unit that is in the air (25.2).

use hexgrid::HexId;
use kernel::{
    Viewer,
    view::{MapLine, Tone},
};

use crate::{play::seat, rules::Wurzburg, state::State};

/// What has been flown of the current leg, and for the owner what is still ahead: the enemy learns it hex by hex.
pub fn flight(rules: &Wurzburg, s: &State, viewer: Viewer) -> Vec<MapLine> {
    let Some(flight) = &s.sky.flight else { return Vec::new() };
    let owner = seat(rules.counter(flight.unit).side);
    let (flown, ahead) = flight.track();
    let line = |kind: &str, cells: &[HexId], tone: Tone, arrow: bool| MapLine {
        kind: kind.into(),
        cells: cells.iter().map(|hex| rules.field.label(*hex).to_owned()).collect(),
        seat: Some(owner),
        tone,
        arrow,
        ..MapLine::default()
    };
    let mut lines = Vec::new();
    if flown.len() > 1 {
        lines.push(line("flown", &flown, Tone::Plain, false));
    }
    if ahead.len() > 1 && viewer.knows(owner) {
        lines.push(line("flight", &ahead, Tone::Doubt, true));
    }
    lines
}
