//! How states of units and markers are drawn.

use kernel::looks::{Looks, MarkerShape as M, StateShape as S};

pub fn looks() -> Looks {
    Looks::new(
        &[
            ("reduced", S::None),
            ("disrupted", S::Tear),
            ("broken", S::WideTear),
            ("engaged", S::Swords),
            ("oos", S::Can),
            ("isolated", S::Ring),
            ("strategic", S::Wheel),
            ("truck", S::Lorry),
            ("fired", S::GunFired),
            ("night", S::Moon),
            ("building", S::Spade),
            ("prime_mover", S::Tow),
            ("moved", S::Chevrons),
            ("advanced", S::Arrow),
            ("retreated", S::Back),
            ("landed", S::Parachute),
            ("exposed", S::OpenEye),
            ("replaced", S::Plus),
            ("no_fuel", S::Can),
        ],
        &[
            ("improved_position", M::Earthwork),
            ("improved_position_started", M::EarthworkBegun),
            ("victory", M::Flag),
            ("control", M::Flag),
            ("blown_bridge", M::BridgeBlown),
            ("bridge_under_construction", M::BridgeBuilding),
            ("attackers_advantage", M::Arrow),
            ("traffic", M::Traffic),
            ("roadblock", M::Roadblock),
            ("fuel_dump", M::Fuel),
            ("fuel_dump_hidden", M::Fuel),
            ("fuel_dump_dummy", M::Fuel),
        ],
    )
    .warning(&["engaged", "oos", "exposed", "no_fuel"])
}
