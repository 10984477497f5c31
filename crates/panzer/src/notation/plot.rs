//! The text of planned indirect fire: `plot bat1 turn 6 on 30S6 gp closed 2 at 30S8 smoke open 1` (6.5.1.11.1).

use hexgrid::HexId;
use kernel::Refusal;

use crate::{
    indirect::{
        Source,
        plan::{Plot, Segment, Segments},
    },
    notation::{read_facing, refuse},
    pack::advanced::Sheaf,
    rules::Panzer,
};

pub fn write(rules: &Panzer, plot: &Plot) -> String {
    let name = rules.source_name(Source::Battery(plot.battery));
    let mut text = format!("plot {name} turn {}", plot.arrival);
    let mut point = HexId::NONE;
    for segment in &plot.segments {
        if segment.point != point {
            let word = if point == HexId::NONE { "on" } else { "at" };
            text.push_str(&format!(" {word} {}", rules.field.label(segment.point)));
            point = segment.point;
        }
        text.push_str(match (segment.smoke, segment.light) {
            (_, true) => " light",
            (true, false) => " smoke",
            (false, false) => " gp",
        });
        match segment.sheaf {
            Sheaf::Open => text.push_str(" open"),
            Sheaf::ClosedLinear => text.push_str(&format!(" linear {}", segment.direction + 1)),
            Sheaf::Closed | Sheaf::OnMapClosed => text.push_str(" closed"),
        }
        text.push_str(&format!(" {}", segment.turns));
    }
    text
}

pub fn battery(rules: &Panzer, name: &str) -> Result<u8, Refusal> {
    match rules.source_named(name) {
        Some(Source::Battery(n)) => Ok(n),
        _ => refuse("no.source", name),
    }
}

pub fn read(rules: &Panzer, name: &str, words: &[&str]) -> Result<Plot, Refusal> {
    let mut plot = Plot { battery: battery(rules, name)?, arrival: 0, begun: 0, segments: Segments::new() };
    let (point, sheaf) = (HexId::NONE, Sheaf::Closed);
    let usual = Segment { point, smoke: false, light: false, sheaf, direction: 0, turns: 0 };
    let mut segment = usual;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "turn" => {
                let number = words.next().copied().unwrap_or_default();
                match number.parse() {
                    Ok(turn) => plot.arrival = turn,
                    Err(_) => return refuse("kernel.bad_notation", number),
                }
            }
            "on" | "at" => {
                let label = words.next().copied().unwrap_or_default();
                match rules.field.find(label) {
                    Some(hex) => segment.point = hex,
                    None => return refuse("no.hex", label),
                }
            }
            "gp" => (segment.smoke, segment.light) = (false, false),
            "smoke" => (segment.smoke, segment.light) = (true, false),
            "light" | "illumination" => (segment.smoke, segment.light) = (false, true),
            "closed" => (segment.sheaf, segment.direction) = (Sheaf::Closed, 0),
            "open" => (segment.sheaf, segment.direction) = (Sheaf::Open, 0),
            "linear" => {
                let way = words.next().copied().unwrap_or("1");
                let Some(direction) = read_facing(way) else { return refuse("no.facing", way) };
                (segment.sheaf, segment.direction) = (Sheaf::ClosedLinear, direction.index() as u8);
            }
            // As one word: `linear_3`.
            way if way.starts_with("linear_") => {
                let way = way.trim_start_matches("linear_");
                let Some(direction) = read_facing(way) else { return refuse("no.facing", way) };
                (segment.sheaf, segment.direction) = (Sheaf::ClosedLinear, direction.index() as u8);
            }
            number => match number.parse() {
                Ok(turns) if segment.point != HexId::NONE => {
                    plot.segments.push(Segment { turns, ..segment });
                    segment = Segment { point: segment.point, ..usual };
                }
                _ => return refuse("kernel.bad_notation", number),
            },
        }
    }
    Ok(plot)
}
