//! How states of units and markers are drawn.

use kernel::looks::{Looks, MarkerShape as M, StateShape as S};

/// Symbols of vehicles and of the infantry that rides in them.
const ENGINES: &[&str] = &[
    "armor",
    "recon",
    "mech_infantry",
    "motorized_infantry",
    "silhouette:m4_sherman",
    "silhouette:m5_stuart",
    "silhouette:m10",
    "silhouette:m18",
    "silhouette:m36",
    "silhouette:sherman_firefly",
    "silhouette:churchill",
    "silhouette:panzer_iv",
    "silhouette:panther",
    "silhouette:tiger",
    "silhouette:king_tiger",
    "silhouette:stug_iii",
    "silhouette:hetzer",
    "silhouette:jagdpanzer_iv",
    "silhouette:jagdpanther",
    "silhouette:jagdtiger",
    "silhouette:sturmtiger",
    "silhouette:brummbaer",
];

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
    .passing(&["strategic", "truck", "prime_mover", "fired", "moved"])
    .engines(ENGINES)
}
