//! How a client draws the states of units and the markers of a game: a game chooses shapes, the client draws them, so that
//! no client knows the words of any game.

use serde::{Deserialize, Serialize};

/// The shapes of a game's states and markers. What is not listed is drawn as its first letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Looks {
    pub states: Vec<StateLook>,
    pub markers: Vec<MarkerLook>,
    /// The symbols of units whose engines are heard when they move ([`crate::view::Face::symbol`]).
    #[serde(default)]
    pub engines: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StateLook {
    /// The state, without a place or number behind a colon.
    pub state: String,
    pub shape: StateShape,
    /// It is bad for the unit: the tab has the colour of a warning.
    #[serde(default)]
    pub warns: bool,
    /// It only records what the unit does or has done in this turn: no news for a player who returns.
    #[serde(default)]
    pub passing: bool,
    /// What is written on an order.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MarkerLook {
    pub kind: String,
    pub shape: MarkerShape,
}

/// A shape on or at a counter. All but the first five are tabs at its left edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StateShape {
    /// Not drawn: the counter's face shows it, or it is only said in words.
    None,
    /// A torn corner, narrow and wide.
    Tear,
    WideTear,
    /// The rotor of a helicopter in flight: the counter is raised above those on the ground.
    Rotor,
    /// An order that lies on the counter, face up with its text, or face down.
    Order,
    OrderFaceDown,
    Swords,
    Can,
    Ring,
    Wheel,
    Lorry,
    GunReady,
    GunFired,
    Moon,
    Spade,
    Arrow,
    Tow,
    Chevrons,
    Back,
    Eye,
    ClosedEye,
    OpenEye,
    Dust,
    Flash,
    SmallFlash,
    Crack,
    Cross,
    Flame,
    Down,
    DownDashed,
    Hatch,
    Track,
    Turret,
    Hull,
    Rampart,
    HullDown,
    PartlyHullDown,
    Passengers,
    Aboard,
    Immobile,
    Tick,
    Goal,
    Cloud,
    Wall,
    Plus,
    Boat,
    Parachute,
}

/// A shape on a cell or, for a bridge and the arrow, on a hexside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MarkerShape {
    Earthwork,
    EarthworkBegun,
    Wreck,
    BurningWreck,
    Fire,
    /// A screen over the whole cell.
    Smoke,
    /// A cloud over the cell and those around it, with a full and with a broken rim.
    GasZone,
    GasZoneBroken,
    Dust,
    /// Ground that is lit up, and what lights it.
    Glow,
    Flare,
    Bursts,
    /// A flag in its side's colour with the marker's text.
    Flag,
    /// An aircraft from above; the last word of the marker's text is its heading.
    Aircraft,
    Bridge,
    /// In its side's colour.
    BridgeHeld,
    BridgeBlown,
    BridgeBuilding,
    BridgeToWire,
    BridgeWired,
    /// From one cell into the next.
    Arrow,
    // On a round chip, with the marker's text.
    Traffic,
    Roadblock,
    Plane,
    Fuel,
    Mines,
    Wire,
    Rubble,
    Ditch,
    Target,
    Dummies,
    Obstacle,
    Unknown,
    /// The marker's text on a plate as wide as it needs.
    Plate,
}

impl Looks {
    /// From lists in code.
    pub fn new(states: &[(&str, StateShape)], markers: &[(&str, MarkerShape)]) -> Self {
        let state = |(state, shape): &(&str, StateShape)| StateLook {
            state: (*state).to_owned(),
            shape: *shape,
            warns: false,
            passing: false,
            text: String::new(),
        };
        let marker =
            |(kind, shape): &(&str, MarkerShape)| MarkerLook { kind: (*kind).to_owned(), shape: *shape };
        Looks {
            states: states.iter().map(state).collect(),
            markers: markers.iter().map(marker).collect(),
            engines: Vec::new(),
        }
    }

    /// These states are bad for a unit.
    #[must_use]
    pub fn warning(mut self, states: &[&str]) -> Self {
        for look in &mut self.states {
            look.warns |= states.contains(&look.state.as_str());
        }
        self
    }

    /// These states only record what a unit does or has done in this turn.
    #[must_use]
    pub fn passing(mut self, states: &[&str]) -> Self {
        for look in &mut self.states {
            look.passing |= states.contains(&look.state.as_str());
        }
        self
    }

    /// The engines of units with these symbols are heard.
    #[must_use]
    pub fn engines(mut self, symbols: &[&str]) -> Self {
        self.engines = symbols.iter().map(|symbol| (*symbol).to_owned()).collect();
        self
    }

    /// Orders that lie on a unit: the state and what is written on it.
    #[must_use]
    pub fn orders(mut self, orders: &[(&str, &str)]) -> Self {
        self.states.extend(orders.iter().map(|(state, text)| StateLook {
            state: (*state).to_owned(),
            shape: StateShape::Order,
            warns: false,
            passing: true,
            text: (*text).to_owned(),
        }));
        self
    }
}
