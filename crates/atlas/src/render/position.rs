//! A position: counters in their stacks on the map.

use std::collections::BTreeMap;

use hexgrid::HexId;

use super::counter::{self, Counter};
use super::fonts::Face;
use super::geom::{HEX, p};
use super::ink::{Pen, Type};
use super::sheet::Sheet;

/// A counter and its hex. Counters of one hex are given from the bottom of the stack to its top.
#[derive(Clone, Debug)]
pub struct PlacedCounter {
    pub hex: HexId,
    pub counter: Counter,
}

/// How many counters of a stack show their edges.
const SHOWN: usize = 4;
/// Side of a counter in sheet units: a little more than half a hex, so that the land still shows.
const SIDE: f64 = 0.6 * HEX;

pub(crate) fn draw(pen: &mut Pen, sheet: &Sheet, counters: &[PlacedCounter]) {
    let mut stacks: BTreeMap<usize, Vec<&Counter>> = BTreeMap::new();
    for c in counters {
        if c.hex.index() < sheet.centre.len() && sheet.sees(sheet.centre[c.hex.index()], HEX) {
            stacks.entry(c.hex.index()).or_default().push(&c.counter);
        }
    }
    // From the top of the sheet down, so that a stack leans over the one behind it.
    let mut order: Vec<usize> = stacks.keys().copied().collect();
    order.sort_by(|a, b| {
        let key = |h: usize| (sheet.centre[h].y, sheet.centre[h].x);
        key(*a).0.total_cmp(&key(*b).0).then(key(*a).1.total_cmp(&key(*b).1))
    });
    pen.open("counters", "");
    for h in order {
        let stack = &stacks[&h];
        let shown = &stack[stack.len().saturating_sub(SHOWN)..];
        let step = 4.2;
        let lean = (shown.len() - 1) as f64 * step / 2.0;
        let base = sheet.centre[h] - p(SIDE / 2.0 + lean, SIDE / 2.0 - lean);
        for (i, c) in shown.iter().enumerate() {
            let at = base + p(i as f64 * step, -(i as f64) * step);
            counter::draw(pen, c, at, SIDE);
        }
        if stack.len() > 1 {
            let top = base + p(lean * 2.0, -lean * 2.0);
            let c = top + p(SIDE - 1.0, SIDE - 2.0);
            pen.circle(c, 7.4, "fill=\"#f7f2e4\" stroke=\"#1b1a17\" stroke-width=\"1.2\"");
            let t = Type {
                face: Face::Bold,
                size: 11.0,
                spacing: 0.0,
                fill: "#1b1a17",
                halo: ("", 0.0),
                anchor: "middle",
            };
            pen.text(c + p(0.0, 3.9), 0.0, &stack.len().to_string(), &t);
        }
    }
    pen.close();
}
