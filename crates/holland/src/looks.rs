//! How states of units and markers are drawn.

use kernel::looks::{Looks, MarkerShape as M, StateShape as S};

pub fn looks() -> Looks {
    Looks::new(
        &[
            ("good_order", S::None),
            ("disrupted", S::Tear),
            ("full_retreat", S::WideTear),
            ("engaged", S::Swords),
            ("scattered", S::Parachute),
            ("out_of_supply", S::Can),
            ("out_of_supply_2", S::Ring),
            ("depleted", S::Down),
            ("fired", S::GunFired),
            ("spent", S::Tick),
            ("gun_moved", S::Chevrons),
            ("dismounted", S::Passengers),
            ("ferry", S::Boat),
            ("on_enemy", S::Cross),
            ("repl", S::Plus),
        ],
        &[
            ("bridge_intact", M::Bridge),
            ("bridge_intact_allied", M::BridgeHeld),
            ("bridge_wired", M::BridgeWired),
            ("bridge_to_be_wired", M::BridgeToWire),
            ("bridge_blown", M::BridgeBlown),
            ("bridge_repair", M::BridgeBuilding),
            ("ferry", M::Arrow),
            ("traffic", M::Traffic),
            ("unknown", M::Unknown),
        ],
    )
    .warning(&["engaged", "scattered", "out_of_supply", "out_of_supply_2", "depleted", "on_enemy"])
    .passing(&["fired", "gun_moved"])
    .engines(&[
        "tank",
        "armor_recon",
        "recon",
        "assault_gun",
        "tank_destroyer",
        "mech_infantry",
        "motorized_infantry",
    ])
}
