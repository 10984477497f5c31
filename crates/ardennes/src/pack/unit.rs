//! Combat units: what a counter says (rule 2).

use serde::{Deserialize, Serialize};

use super::ids::{
    AreaId, BoxId, CorpsId, Edition, EntryId, FormationId, GroupId, HexRef, PoolId, RegimentId, Side, Source,
};

/// The nationality of a counter, shown by its background colour (2.10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nation {
    /// Grey.
    German,
    /// Dark grey.
    WaffenSs,
    /// Blue-grey.
    Fallschirmjaeger,
    /// Green.
    Us,
    /// Tan.
    British,
}

/// Unit type (2.4). The names are those of lab files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitType {
    SilhouetteTank,
    ArmorNato,
    Recon,
    Flak,
    Artillery,
    MechInfantry,
    MotorizedInfantry,
    FootInfantry,
}

impl UnitType {
    /// The symbol of a counter that has none of its own.
    pub fn symbol(self) -> Symbol {
        match self {
            Self::SilhouetteTank => Symbol::Silhouette,
            Self::ArmorNato => Symbol::Armor,
            Self::Recon => Symbol::Recon,
            Self::Flak => Symbol::Flak,
            Self::Artillery => Symbol::Artillery,
            Self::MechInfantry => Symbol::MechInfantry,
            Self::MotorizedInfantry => Symbol::MotorizedInfantry,
            Self::FootInfantry => Symbol::Infantry,
        }
    }

    pub const ALL: [Self; 8] = [
        Self::SilhouetteTank,
        Self::ArmorNato,
        Self::Recon,
        Self::Flak,
        Self::Artillery,
        Self::MechInfantry,
        Self::MotorizedInfantry,
        Self::FootInfantry,
    ];

    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The drawn symbol (2.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symbol {
    Infantry,
    Parachute,
    Glider,
    Mountain,
    Engineer,
    Fortress,
    MechInfantry,
    MotorizedInfantry,
    Recon,
    Flak,
    Artillery,
    Nebelwerfer,
    Armor,
    /// A vehicle's picture: see [`UnitDef::vehicle`].
    Silhouette,
}

/// The vehicle of a silhouette tank unit (2.4, printed list).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vehicle {
    M4Sherman,
    M5Stuart,
    M10,
    M18,
    M36,
    ShermanFirefly,
    Churchill,
    PanzerIv,
    Panther,
    Tiger,
    KingTiger,
    StugIii,
    Hetzer,
    JagdpanzerIv,
    Jagdpanther,
    Jagdtiger,
    Sturmtiger,
    Brummbaer,
}

/// Unit size code (2.3), without its `(-)` or `(+)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Size {
    #[serde(rename = "II")]
    Battalion,
    #[serde(rename = "III")]
    Regiment,
    #[serde(rename = "X")]
    Brigade,
    #[serde(rename = "XXX")]
    Corps,
    #[serde(rename = "CC")]
    CombatCommand,
    #[serde(rename = "TF")]
    TaskForce,
    #[serde(rename = "Gp")]
    Group,
    #[serde(rename = "SQ")]
    Squadron,
    #[serde(rename = "KG")]
    Kampfgruppe,
    #[serde(rename = "Rem")]
    Remnant,
}

/// `(-)` understrength, `(+)` reinforced (2.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Strength {
    #[default]
    #[serde(rename = "")]
    Normal,
    #[serde(rename = "-")]
    Minus,
    #[serde(rename = "+")]
    Plus,
}

/// Army or corps ID colour (2.11). Compare only within one side: both have a red and a blue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// German 6th Panzer Army; British XXX Corps.
    Red,
    /// German 5th Panzer Army.
    Grey,
    /// German 7th Army; US XVIII Airborne Corps.
    Blue,
    /// Operation Nordwind (optional).
    Green,
    /// US VIII Corps.
    Purple,
    /// US V Corps.
    Maroon,
    /// US Third Army: III and XII Corps.
    Orange,
    /// US VII Corps.
    Beige,
    /// US army-level troops; Remnants of both sides.
    Yellow,
    /// Breakdown units.
    White,
}

/// German armies (2.11), each with its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Army {
    SixthPanzer,
    FifthPanzer,
    Seventh,
    Nordwind,
}

/// Morale (2.8). "Veteran" is the rulebook's Normal or Regular.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Morale {
    Green,
    Veteran,
    Elite,
}

/// How the defense factor is printed (2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DefenseMark {
    #[default]
    Plain,
    /// No Defensive Combat Bonus, no Improved Position (15.1, 15.8).
    Parentheses,
    /// Allied Engineers (27.1).
    Outlined,
}

/// One side of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Factors {
    pub attack: u8,
    pub defense: u8,
    pub movement: u8,
    /// Stacking points (8.2).
    pub stacking: u8,
}

/// Tank Quality (2.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TankQuality {
    pub front: u8,
    pub reduced: u8,
    /// Red circle: Tank Destroyers and FLAK (21.2).
    pub red: bool,
}

/// The colour of an at-start unit's set-up box (2.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupCode {
    White,
    /// May not move on turn 1 (29.1).
    Red,
}

/// A set of Entry Hexes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrySet(pub u16);

impl EntrySet {
    pub const fn contains(self, entry: EntryId) -> bool {
        self.0 >> entry.0 & 1 == 1
    }

    pub const fn with(self, entry: EntryId) -> Self {
        Self(self.0 | 1 << entry.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = EntryId> {
        (0..16).map(EntryId).filter(move |&e| self.contains(e))
    }
}

/// How a reinforcement arrives (2.6, 13).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrivalBy {
    /// At one of these Entry Hexes, the owner's choice (13.1).
    Entry(EntrySet),
    /// US Engineers: any friendly Town or City (13.2).
    TownOrCity,
    /// Von der Heydte's drop (27.2).
    Drop,
    /// Rule 653 PzJ: by die from its turn on (27.7), then at one of these Entry Hexes.
    Roll(EntrySet),
    /// Placed in an Off-Map Box (1E 33.2).
    OffMapBox(BoxId),
}

/// A further condition of an optional reinforcement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalCondition {
    /// Not before a German unit has crossed the Meuse (1E 33.2, 90th Infantry).
    GermanAcrossMeuse,
    /// Stays in its Box until a German unit crosses the Meuse or comes adjacent to it
    /// (1E 33.2, 5th Armored).
    HeldUntilMeuseOrAdjacent,
}

/// Arrival code (2.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrival {
    pub turn: u8,
    pub by: ArrivalBy,
    pub condition: Option<ArrivalCondition>,
}

/// How a unit enters the campaign (2.6, 2.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// Allied at-start unit: its printed hex (31.1).
    Hex { hex: HexRef, code: SetupCode, improved_position: bool, reduced: bool },
    /// German at-start unit: any hex of these areas, one for a division's unit, several for corps
    /// troops (31.1). `default_hex` is the shipped deployment.
    Area { areas: Vec<AreaId>, code: SetupCode, default_hex: HexRef },
    /// Reinforcement.
    Arrival(Arrival),
    /// Breakdown units and Remnants wait in their pool.
    Pool,
}

/// The role of a counter in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A unit of the order of battle.
    Combat,
    /// A counter of a Breakdown pool (26).
    Breakdown(PoolId),
    /// A counter of a Remnant pool (16.4).
    Remnant(PoolId),
}

/// Special rules that apply to single units, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(pub u32);

/// One rule tag of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// Rule 27.5.
    KgPeiper,
    /// Rule 27.6: the two regiments of the US 2nd Division.
    Rrd,
    /// Rule 27.4: AF doubled against Village, Town and City.
    BlackBoxAttack,
    /// Rule 27.8: the 150th Panzer Brigade. Older packs and lab files say `dr_sola`.
    #[serde(rename = "brigade_150", alias = "dr_sola")]
    Brigade150,
    /// Rule 27.2.
    VonDerHeydte,
    /// Rule 27.7.
    Pzj653,
    /// Rule 21.1: counts as tank and infantry for the defender's Armor Shift.
    TankAndInfantry,
    /// Rule 27.3: 29th Armoured Brigade.
    Arm29,
    /// Engineers and pioneers.
    Engineer,
    /// Rule 29.5, 31.1
    CorpsArtillery,
    /// Rule 29.1, 29.4: V/187 and V/406.
    MonschauArtillery,
    /// Rule 1E 27.8: 9th Armored CCB.
    Ccb9,
    /// Rule 31.2: the eight regiments of the 82nd and 101st Airborne; 25.25.
    Airborne,
    /// Combat Commands (21.1; 26.1).
    CombatCommand,
    /// A unit of a lab file whose file does not name an army or corps (2.11).
    AnyColour,
}

impl Tag {
    pub const ALL: [Self; 15] = [
        Self::KgPeiper,
        Self::Rrd,
        Self::BlackBoxAttack,
        Self::Brigade150,
        Self::VonDerHeydte,
        Self::Pzj653,
        Self::TankAndInfantry,
        Self::Arm29,
        Self::Engineer,
        Self::CorpsArtillery,
        Self::MonschauArtillery,
        Self::Ccb9,
        Self::Airborne,
        Self::CombatCommand,
        Self::AnyColour,
    ];
}

impl Tags {
    pub const fn has(self, tag: Tag) -> bool {
        self.0 >> tag as u32 & 1 == 1
    }

    pub const fn with(self, tag: Tag) -> Self {
        Self(self.0 | 1 << tag as u32)
    }

    pub fn iter(self) -> impl Iterator<Item = Tag> {
        Tag::ALL.into_iter().filter(move |&t| self.has(t))
    }
}

/// Categories of a unit's type (2.4), copied here so that play never looks them up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Category {
    /// Moves at Mechanized rates.
    pub mechanized: bool,
    /// Tank, Recon, FLAK: rivers, Forest, West Wall and Wooded Rough only by road.
    pub vehicle: bool,
    /// Infantry-type.
    pub infantry: bool,
    pub artillery: bool,
    /// Tank unit (21.1): silhouette or NATO symbol.
    pub tank: bool,
}

/// Source of each group of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UnitSources {
    pub front: Source,
    pub reduced: Source,
    pub morale: Source,
    pub tq: Source,
    pub setup: Source,
    pub arrival: Source,
}

/// A counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitDef {
    /// Stable slug, e.g. `de-2pz-304`.
    pub id: String,
    /// Counter text, e.g. `106/424/1`.
    pub label: String,
    /// Full name in its own language.
    pub name: String,
    /// Value class of the method in `docs/ardennes44-oob.md`, e.g. `us_infantry_regiment`.
    pub class: String,
    pub side: Side,
    pub nation: Nation,
    pub role: Role,
    pub unit_type: UnitType,
    pub category: Category,
    pub symbol: Symbol,
    pub vehicle: Option<Vehicle>,
    pub size: Size,
    pub strength: Strength,
    /// Division, brigade or cavalry group (2.5, 14.31); `None` = Independent.
    pub formation: Option<FormationId>,
    pub regiment: Option<RegimentId>,
    pub colour: Colour,
    pub army: Option<Army>,
    pub corps: Option<CorpsId>,
    pub front: Factors,
    /// Reduced side; `None` for one-step units.
    pub reduced: Option<Factors>,
    /// Fired side of artillery (22.5).
    pub fired: Option<Factors>,
    /// Front values of the 1st edition where its text differs.
    pub front_1e: Option<Factors>,
    /// Total steps: 3 = two sides and a Remnant (16.4).
    pub steps: u8,
    pub morale: Morale,
    pub tq: Option<TankQuality>,
    /// Artillery range in hexes; 0 = not artillery (22.4).
    pub range: u8,
    pub defense_mark: DefenseMark,
    /// Remnant that replaces it after its second step (16.4).
    pub remnant: Option<PoolId>,
    /// What it breaks down into (26.1).
    pub breakdown: Option<PoolId>,
    /// Whether it may ever receive replacements or return through them (25.25).
    pub replaceable: bool,
    pub start: Start,
    /// Optional group it belongs to; `None` = always in play.
    pub optional: Option<GroupId>,
    pub tags: Tags,
    pub source: UnitSources,
    pub note: String,
}

impl UnitDef {
    /// The factors of one side of the counter. A one-step unit has only its front.
    pub fn factors(&self, edition: Edition, reduced: bool) -> Factors {
        match (reduced, self.reduced, edition, self.front_1e) {
            (true, Some(back), ..) => back,
            (_, _, Edition::First, Some(front)) => front,
            _ => self.front,
        }
    }

    /// Tank Quality of the face-up side, 0 if it has none.
    pub fn tank_quality(&self, reduced: bool) -> u8 {
        self.tq.map_or(0, |tq| if reduced { tq.reduced } else { tq.front })
    }

    /// Silhouette tank (2.4): 0 stacking points, restricted ZOC and Bonds.
    pub fn is_silhouette(&self) -> bool {
        self.unit_type == UnitType::SilhouetteTank
    }

    pub fn is_nebelwerfer(&self) -> bool {
        self.symbol == Symbol::Nebelwerfer
    }

    /// The unit's hex in the shipped deployment at the start of the campaign.
    pub fn start_hex(&self) -> Option<HexRef> {
        match self.start {
            Start::Hex { hex, .. } => Some(hex),
            Start::Area { default_hex, .. } => Some(default_hex),
            Start::Arrival(_) | Start::Pool => None,
        }
    }

    /// Whether its set-up code is red (29.1).
    pub fn red_code(&self) -> bool {
        matches!(
            self.start,
            Start::Hex { code: SetupCode::Red, .. } | Start::Area { code: SetupCode::Red, .. }
        )
    }

    pub fn arrival(&self) -> Option<&Arrival> {
        match &self.start {
            Start::Arrival(arrival) => Some(arrival),
            _ => None,
        }
    }
}
