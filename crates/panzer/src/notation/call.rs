//! The text of called indirect fire: `call FO1 on 1H5 with bat1 M2 gp closed` (6.5.1.7, 6.5.1.8).

use kernel::Refusal;

use crate::{
    action::CallOrder,
    notation::{read_facing, refuse},
    pack::advanced::Sheaf,
    rules::Panzer,
};

pub fn write(rules: &Panzer, order: &CallOrder) -> String {
    let label = rules.field.label(order.point);
    let mut text = match order.adjusts {
        0 => format!("call {} on {label} with", rules.id(order.observer)),
        id => format!("adjust M{id} to {label} with"),
    };
    for source in &order.sources {
        text.push(' ');
        text.push_str(&rules.source_name(*source));
    }
    text.push_str(match (order.smoke, order.light) {
        (_, true) => " light",
        (true, false) => " smoke",
        (false, false) => " gp",
    });
    match order.sheaf {
        Sheaf::Open => text.push_str(" open"),
        Sheaf::ClosedLinear => text.push_str(&format!(" linear {}", order.direction + 1)),
        Sheaf::Closed | Sheaf::OnMapClosed => text.push_str(" closed"),
    }
    text
}

/// `bat1 M2 gp closed`, `bat1 smoke linear 3`; after `adjust` a `with` begins another list of sources.
pub fn read(rules: &Panzer, mut order: CallOrder, words: &[&str]) -> Result<CallOrder, Refusal> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // A source may have any name; otherwise case does not matter.
        let plain = word.to_lowercase();
        match plain.as_str() {
            _ if rules.source_named(word).is_some() => order.sources.extend(rules.source_named(word)),
            "with" => order.sources.clear(),
            "and" => {}
            "gp" => (order.smoke, order.light) = (false, false),
            "smoke" => (order.smoke, order.light) = (true, false),
            "light" | "illumination" => (order.smoke, order.light) = (false, true),
            "closed" => (order.sheaf, order.direction) = (Sheaf::Closed, 0),
            "open" => (order.sheaf, order.direction) = (Sheaf::Open, 0),
            "linear" | "closed_linear" => {
                order.sheaf = Sheaf::ClosedLinear;
                let way = words.next().copied().unwrap_or("1");
                let Some(direction) = read_facing(way) else { return refuse("no.facing", way) };
                order.direction = direction.index() as u8;
            }
            // As one word: `linear_3`.
            plain if plain.starts_with("linear_") => {
                order.sheaf = Sheaf::ClosedLinear;
                let way = plain.strip_prefix("linear_").unwrap_or("1");
                let Some(direction) = read_facing(way) else { return refuse("no.facing", way) };
                order.direction = direction.index() as u8;
            }
            _ => return refuse("no.source", word),
        }
    }
    Ok(order)
}

/// `M3`
pub fn mission(text: &str) -> Result<u8, Refusal> {
    let digits = text.trim_start_matches(['M', 'm']);
    match digits.parse::<u8>() {
        Ok(id) if id > 0 => Ok(id),
        _ => refuse("no.mission", text),
    }
}
