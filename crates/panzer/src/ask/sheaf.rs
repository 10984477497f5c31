//! The picture of a sheaf on the map: its hexes, where it may scatter (7.26), and the friendly units it may fall on
//! (6.5.1.12). Shared by the sheet of a call and the preview of a target point.

use hexgrid::{Direction, HexId};
use kernel::{
    Message,
    view::{Area, Tone},
};

use crate::{pack::Side, rules::Panzer, state::State, units::UnitId};

/// Fire on a target point as if it were called now.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    pub rules: &'a Panzer,
    pub s: &'a State,
    pub side: Option<Side>,
    pub observer: Option<UnitId>,
    pub point: HexId,
    pub adjusted: bool,
}

/// Hexes with a name and a colour.
pub fn area(rules: &Panzer, key: impl Into<String>, hexes: &[HexId], tone: Tone) -> Area {
    Area {
        label: Some(Message::new(key.into())),
        cells: hexes.iter().map(|hex| rules.field.label(*hex).to_owned()).collect(),
        tone,
        ..Area::default()
    }
}

impl Picture<'_> {
    /// Scatter at the bottom, then the patterns, then the friendly units in danger.
    pub fn areas(&self, patterns: &[(&'static str, &[HexId], Tone)]) -> Vec<Area> {
        let mut areas = Vec::new();
        let scattered = self.scattered();
        if !scattered.is_empty() {
            areas.push(scatter_area(self.rules, &scattered));
        }
        areas.extend(patterns.iter().map(|(key, hexes, tone)| area(self.rules, *key, hexes, *tone)));
        let mut danger: Vec<HexId> = self.friends().map(|unit| self.s.unit(unit).hex).collect();
        danger.sort_unstable();
        danger.dedup();
        if !danger.is_empty() {
            areas.push(area(self.rules, "overlay.danger_close", &danger, Tone::Bad));
        }
        areas
    }

    /// 6.5.1.12: spotted friendly units that a natural 1 may fall on.
    pub fn friends(&self) -> impl Iterator<Item = UnitId> {
        let near = self.side.map(|side| crate::indirect::friends_near(self.rules, self.s, side, self.point));
        near.into_iter().flat_map(crate::units::UnitSet::iter)
    }

    /// 7.26: where the target point may be after scatter, with the chance of each hex; empty without that rule.
    pub fn scattered(&self) -> Vec<(HexId, f64)> {
        let modifier = self.observer.map_or(0, |observer| {
            crate::indirect::scatter_modifier(self.rules, self.s, observer, self.point, self.adjusted)
        });
        scattered(self.rules, self.point, modifier)
    }
}

/// 7.26: the hexes in which fire on a point may land, with the chance of each; empty without that rule.
pub fn scattered(rules: &Panzer, point: HexId, modifier: i8) -> Vec<(HexId, f64)> {
    let mut out: Vec<(HexId, f64)> = Vec::new();
    if !rules.optional(26) {
        return out;
    }
    for die in 1..=10 {
        let hexes = rules.scatter_hexes(die, modifier);
        for way in Direction::ALL {
            let mut hex = point;
            for _ in 0..hexes {
                hex = rules.field.neighbour(hex, way).unwrap_or(hex);
            }
            match out.iter_mut().find(|(at, _)| *at == hex) {
                Some((_, p)) => *p += 1.0 / 60.0,
                None => out.push((hex, 1.0 / 60.0)),
            }
        }
    }
    out
}

/// The same on the map.
pub fn scatter_area(rules: &Panzer, scattered: &[(HexId, f64)]) -> Area {
    let hexes: Vec<HexId> = scattered.iter().map(|(hex, _)| *hex).collect();
    let texts = scattered.iter().map(|(_, p)| format!("{:.0}%", p * 100.0)).collect();
    Area { texts, ..area(rules, "overlay.scatter", &hexes, Tone::Doubt) }
}
