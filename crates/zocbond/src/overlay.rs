//! What the map shows of the system: zones of control and bonds.

use hexgrid::HexId;
use kernel::{
    Seat,
    view::{MapLine, Overlay},
};

use crate::{Bond, FieldOf, System, bonds};

/// The hexes in the zones of control of a side.
pub fn zone<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    (seat, rule): (Seat, &str),
    label: impl Fn(HexId) -> String,
) -> Overlay {
    let cells = (field.zoc(side) & rules.topology().in_play()).iter().map(label).collect();
    Overlay::of_cells(seat, rule, cells)
}

/// The bonds of a side: each as a line from end to end, one along a hexside also as that hexside.
pub fn bonds<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    (seat, rule): (Seat, &str),
    label: impl Fn(HexId) -> String,
) -> Overlay {
    let line = |cells| MapLine { kind: "bond".into(), cells, seat: Some(seat), ..MapLine::default() };
    // The end of a bond at the map's edge is not a hex.
    let labels = |hexes: &[HexId]| hexes.iter().filter_map(|hex| hex.some()).map(&label).collect();
    let mut lines = Vec::new();
    bonds::all(rules, field, side, |bond| match bond {
        Bond::Hex { through, ends: [a, b] } => lines.push(line(labels(&[a, through, b]))),
        Bond::Hexside { along, ends } => {
            let mut along = along.map(&label);
            along.sort();
            lines.push(line(vec![along.join("/")]));
            lines.push(line(labels(&ends)));
        }
    });
    Overlay { rule: rule.into(), lines, ..Overlay::default() }
}
