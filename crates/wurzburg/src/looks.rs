//! How states of units and markers are drawn.

use kernel::looks::{Looks, MarkerShape as M, StateShape as S};

pub fn looks() -> Looks {
    Looks::new(
        &[
            ("disrupted", S::Tear),
            ("flying", S::Rotor),
            ("command_hidden", S::OrderFaceDown),
            ("fired", S::GunFired),
            ("used", S::Tick),
            ("participating", S::Goal),
            ("contaminated", S::Cloud),
            ("masked", S::Wall),
        ],
        &[
            ("improved_position", M::Earthwork),
            ("obstacle", M::Obstacle),
            ("smoke", M::Smoke),
            ("gas_persistent", M::GasZone),
            ("gas_non_persistent", M::GasZoneBroken),
            ("minefield", M::Mines),
            ("minefield_real", M::Mines),
            ("minefield_dummy", M::Dummies),
            ("control", M::Flag),
            ("objective", M::Flag),
            ("acquired", M::Target),
            ("lead", M::Plate),
            ("bridge_blown", M::BridgeBlown),
            ("bridge_military", M::BridgeHeld),
        ],
    )
    .warning(&["contaminated"])
    .passing(&["used", "fired", "participating", "command_hidden"])
    .engines(&["armor", "recon", "mech_infantry", "motorized_infantry"])
    .orders(&[
        ("command_march", "M"),
        ("command_hasty_attack", "HA"),
        ("command_assault", "A"),
        ("command_reserve", "R"),
    ])
}
