//! Lines of ZOC Bonds: how much of the enemy's paths a unit would close together with others of its side.

use hexgrid::HexId;
use zocbond::{FieldOf, System, UnitId};

/// The weight of the enemy paths that a unit in `hex` would close by its Bonds with units two hexes away and with the
/// edge of the map, where the ground lets Bonds run. `flow`: how much of those paths leads through each hex.
pub fn closed<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    unit: UnitId,
    hex: HexId,
    flow: &[f32],
) -> f32 {
    if !rules.forms_bonds(field, unit, hex) {
        return 0.0;
    }
    let topology = rules.topology();
    let around = topology.around(hex);
    // The unit is no partner of itself where it is now.
    let partner =
        |far: HexId| field.bonding(side).contains(far) && field.stack(far).any(|other| other != unit);
    let open = |at: HexId| at != HexId::NONE && !field.held(side).contains(at);
    let mut sum = 0.0;
    for d in 0..6 {
        let (left, right) = (around[d], around[(d + 1) % 6]);
        // A Bond through the hex between two units closes that hex, unless somebody is in it.
        if open(left) && !field.occupied(left) {
            let far = topology.around(left)[d];
            if far != HexId::NONE && partner(far) && rules.bond_axes(field, left) >> (d % 3) & 1 == 1 {
                sum += flow[left.index()];
            }
        }
        // A Bond along a hexside closes the step between its two hexes.
        if open(left) && open(right) {
            let far = topology.around(left)[(d + 1) % 6];
            let paired = far == HexId::NONE || partner(far);
            if paired && rules.bond_sides(field, left) >> ((d + 2) % 6) & 1 == 1 {
                sum += flow[left.index()].min(flow[right.index()]);
            }
        }
    }
    sum
}
