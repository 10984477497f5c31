//! Positions of the hexes of a map, or of a part of it, on its picture: what a client needs to place counters.

use std::collections::BTreeMap;

use hexgrid::{Hex, HexId, Layout};

use crate::{
    Lang, Map, Names,
    render::{self, Options, Parts},
};

/// Size of a hex from centre to corner, in the units of a plan and its picture.
const HEX_SIZE: f64 = 40.0;

/// Plan and [`Plan::picture`] have the same origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub width: f32,
    pub height: f32,
    /// Outline of a hex around its centre.
    pub outline: Vec<(f32, f32)>,
    pub hexes: Vec<PlanHex>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanHex {
    pub id: HexId,
    pub x: f32,
    pub y: f32,
    /// The English name of the place in the hex.
    pub name: Option<String>,
    /// Localised names that differ from it, by language code: `ko`, `ja`.
    pub names: BTreeMap<String, String>,
}

impl Plan {
    pub fn new(map: &Map, hexes: impl Iterator<Item = HexId> + Clone) -> Self {
        let places = || hexes.clone().map(|id| map.board.hex(id));
        let layout = Layout::new(map.board.orientation(), HEX_SIZE).fitted(places(), 0.0);
        let (_, most) = layout.bounds(places()).unwrap_or_default();
        let centre = layout.centre(Hex::ORIGIN);
        let outline = layout.corners(Hex::ORIGIN).map(|p| ((p.x - centre.x) as f32, (p.y - centre.y) as f32));
        let hexes = hexes.map(|id| {
            let at = layout.centre(map.board.hex(id));
            let place = map.places_in(id).next();
            PlanHex {
                id,
                x: at.x as f32,
                y: at.y as f32,
                name: place.map(|place| place.name.en.clone()),
                names: place.map(|place| other_names(&place.name)).unwrap_or_default(),
            }
        });
        // The picture's file gives its size in tenths; both must have the same number of pixels at every zoom.
        let in_tenths = |size: f64| ((size * 10.0).round() / 10.0) as f32;
        Self {
            width: in_tenths(most.x),
            height: in_tenths(most.y),
            outline: outline.to_vec(),
            hexes: hexes.collect(),
        }
    }

    /// A picture of these hexes without overlays as SVG, in a language (`en`, `ko`, `ja`).
    pub fn picture(map: &Map, hexes: impl Iterator<Item = HexId>, language: &str) -> String {
        let lang = match language {
            "ko" => Lang::Ko,
            "ja" => Lang::Ja,
            _ => Lang::En,
        };
        let options = Options {
            lang,
            hex_pixels: HEX_SIZE * 3f64.sqrt(),
            parts: Parts::LAND,
            region: hexes.collect(),
            ..Options::default()
        };
        render::svg(map, &options)
    }
}

fn other_names(names: &Names) -> BTreeMap<String, String> {
    [("ko", Lang::Ko), ("ja", Lang::Ja)]
        .map(|(code, lang)| (code.to_owned(), names.get(lang).to_owned()))
        .into_iter()
        .filter(|(_, name)| *name != names.en)
        .collect()
}
