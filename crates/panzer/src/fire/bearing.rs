//! Bearings between hexes, in whole numbers: sectors of fire and hit angles (4.4.3.1.4, 4.4.3.2.4).

use hexgrid::{Direction, Hex};

use smallvec::SmallVec;

use crate::pack::{FieldOfFire, advanced};

/// Where a shot meets its target (4.4.3.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angle {
    Front,
    Rear,
    /// Exactly along the hexside that divides them: the target's owner chooses.
    Line,
}

impl Angle {
    pub const fn key(self) -> &'static str {
        match self {
            Angle::Front => "front",
            Angle::Rear => "rear",
            Angle::Line => "line",
        }
    }
}

/// Twice the dot product of a step in a direction with the way from one hex to another.
fn along(direction: Direction, from: Hex, to: Hex) -> i32 {
    let step = Hex::step(direction);
    let (dq, dr) = (i32::from(step.q), i32::from(step.r));
    let (q, r) = (i32::from(to.q) - i32::from(from.q), i32::from(to.r) - i32::from(from.r));
    2 * dq * q + 2 * dr * r + dq * r + dr * q
}

/// The square of the distance between centres.
fn square(from: Hex, to: Hex) -> i32 {
    let (q, r) = (i32::from(to.q) - i32::from(from.q), i32::from(to.r) - i32::from(from.r));
    q * q + q * r + r * r
}

/// Within 30° of a direction; a hex bisected by the sector's edge is inside (4.4.3.1.4). The own hex is in every
/// sector.
pub fn in_sector(direction: Direction, from: Hex, to: Hex) -> bool {
    let along = along(direction, from, to);
    from == to || (along > 0 && along * along >= 3 * square(from, to))
}

/// May a gun with this field of fire bear on a hex? (4.4.3.1)
pub fn bears(arc: FieldOfFire, facing: Direction, from: Hex, to: Hex) -> bool {
    match arc {
        FieldOfFire::All => true,                                    // 4.4.3.1.1, 4.4.3.1.2
        FieldOfFire::Front => in_sector(facing, from, to),           // 4.4.3.1.4
        FieldOfFire::Rear => in_sector(facing.opposite(), from, to), // 4.4.3.1.5
    }
}

/// Does the line from a hex's centre to another hex leave through this hexside, or run exactly along it? (6.1.4.3.2)
pub fn crosses(direction: Direction, from: Hex, to: Hex) -> bool {
    from != to && in_sector(direction, from, to)
}

/// 6.5.2.2: the angles at which a shot may hit a vehicle: one, or two on the line between them. In the same hex, any.
pub fn hit_sides(facing: Direction, target: Hex, firer: Hex) -> SmallVec<[advanced::Angle; 4]> {
    let mut sides = SmallVec::new();
    for turn in 0..6 {
        let side = match turn {
            0 => advanced::Angle::Front,
            1 | 5 => advanced::Angle::FrontSide,
            2 | 4 => advanced::Angle::RearSide,
            _ => advanced::Angle::Rear,
        };
        let direction = Direction::from_index(facing.index() + turn);
        if in_sector(direction, target, firer) && !sides.contains(&side) {
            sides.push(side);
        }
    }
    sides
}

/// The Hit Angle of a shot at a vehicle with this facing (4.4.3.2.4).
pub fn hit_angle(facing: Direction, target: Hex, firer: Hex) -> Angle {
    match along(facing, target, firer) {
        1.. => Angle::Front,
        0 => Angle::Line,
        _ => Angle::Rear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // rule: 4.4.3.1.4
    #[test]
    fn the_sector_holds_the_hexes_its_edge_bisects() {
        let here = Hex::ORIGIN;
        let north = Direction::D0;
        // Straight ahead and the two hexes on the rays through the hexside's corners.
        for (q, r) in [(0, -1), (0, -5), (1, -2), (-1, -1), (2, -4), (-2, -2)] {
            assert!(in_sector(north, here, Hex::new(q, r)), "{q} {r}");
        }
        for (q, r) in [(1, -1), (-1, 0), (2, -3), (0, 1), (3, -5)] {
            assert!(!in_sector(north, here, Hex::new(q, r)), "{q} {r}");
        }
        assert!(bears(FieldOfFire::Rear, north, here, Hex::new(0, 3)));
        assert!(!bears(FieldOfFire::Rear, north, here, Hex::new(0, -3)));
    }

    // rule: 4.4.3.2.4
    #[test]
    fn front_and_rear_meet_on_a_line() {
        let here = Hex::ORIGIN;
        assert_eq!(hit_angle(Direction::D0, here, Hex::new(1, -1)), Angle::Front);
        assert_eq!(hit_angle(Direction::D0, here, Hex::new(1, 0)), Angle::Rear);
        // East of a vehicle that faces north.
        assert_eq!(hit_angle(Direction::D0, here, Hex::new(2, -1)), Angle::Line);
        assert_eq!(hit_angle(Direction::D0, here, Hex::new(-4, 2)), Angle::Line);
    }
}
