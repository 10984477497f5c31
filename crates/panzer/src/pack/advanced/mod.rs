//! What the Advanced Game adds to the pack: cards of every unit kind, the tables of chapters 5 to 7, and its scenarios.
//! Weapons, terrain and boards are those of the Basic Game.

mod ammo;
mod cards;
mod check;
mod formula;
mod keys;
pub mod lookup;
mod raw;
mod read;
mod scenarios;
mod tables;
mod weapons;

use serde::{Deserialize, Serialize};

use super::{Card, FieldOfFire, Movement, Nation, PackError, PackFiles, Scenario, Side};

pub use ammo::{AmmoLimit, Month};
pub use keys::{
    Altitude, Angle, BailResult, CloseAssaultModifier, GpModifier, Grade, HandToHandModifier, HindranceKind,
    Label, Level, Location, Passenger, RangeFactor, Rate, Response, ResponseModifier, Sheaf, Speed,
};
pub use scenarios::{
    AircraftDef, BatteryDef, Conditions, Feature, FeatureKind, Formation, Laid, Minefield, Module,
    ScenarioExtras, SunBlinding, UnitExtras,
};
pub use tables::{
    AdvancedTables, AirRow, AirTables, ApTables, AssaultTables, Bail, BuildingEntry, Chart, CloseAssaultRow,
    Entrenchment, GpTables, GradeRow, Hindrance, HullDownSearch, IndirectTables, MovementTables,
    OptionalTables, Outcome,
};
pub use weapons::{AaRow, ApAmmo, Available, Damage, GpRow, History, Weapon};

/// The cards, tables and scenarios of the Advanced Game.
#[derive(Clone, Debug)]
pub struct Advanced {
    pub weapons: Vec<Weapon>,
    pub vehicles: Vec<VehicleCard>,
    pub towed: Vec<TowedCard>,
    pub leg: Vec<LegCard>,
    pub crew_served: Vec<CrewServedCard>,
    pub batteries: Vec<BatteryCard>,
    pub aircraft: Vec<AircraftCard>,
    pub troops: Vec<Troops>,
    pub tables: AdvancedTables,
    /// Offered in the catalogue together with [`super::Pack::scenarios`].
    pub scenarios: Vec<Scenario>,
}

/// A ground unit's card, whatever its kind.
#[derive(Clone, Copy, Debug)]
pub enum UnitCard<'a> {
    Vehicle(&'a VehicleCard),
    Leg(&'a LegCard),
    Towed(&'a TowedCard),
}

/// 6.5.4.2: the target types of GP fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TargetType {
    /// Armored.
    A,
    /// Partly armored, or open.
    P,
    /// Soft.
    #[default]
    S,
}

/// 4.1.3, 6.1.3: the column of the Spotting Range Table for a unit as target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SpotSize {
    #[serde(rename = "V")]
    Vehicle,
    #[serde(rename = "L")]
    Large,
    #[default]
    #[serde(rename = "S")]
    Small,
}

/// GP defense of a vehicle or an aircraft (6.5.4.2.1, 6.5.4.2.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpDefense {
    pub value: u8,
    #[serde(rename = "type")]
    pub target: TargetType,
}

/// GP defense of a Leg or towed unit by the cover it is in (6.5.4.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FootDefense {
    /// None, Light, Medium, Heavy.
    pub by_cover: [u8; 4],
    pub full_cover: u8,
}

/// Transport capacity of a vehicle, or the room that a passenger takes (6.6.7.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    pub towed: u8,
    pub leg: u8,
}

/// A Leg Movement Factor: `2L 3` (6.6.4.1), `1L 0` for a gun by hand (6.6.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FootMovement {
    pub cross_country: u8,
    pub quickmarch: u8,
}

/// A vehicle in the Advanced Game.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleCard {
    /// Its Basic Game part; its `mounts` are the weapons below.
    pub base: Card,
    /// Whether the Basic Game has this card too.
    pub extends: bool,
    pub from: Option<Month>,
    pub crew: u8,
    pub transport: Room,
    /// 6.5.4.2.3: passengers are under cover.
    pub covered_transport: bool,
    pub gpd: GpDefense,
    /// The C of 6.6.1.1.2.
    pub close_assault_c: bool,
    /// 6.1.4.3.1, 6.6.3
    pub overhead_cover: bool,
    pub weapons: Vec<Mounted>,
    /// 6.5.4.3: a coaxial MG that has no row of its own.
    pub coax_mg: bool,
    pub armor: Option<Armor>,
    /// AA row of the vehicle itself (6.7.4), if none of its weapons has one.
    pub aa: Option<AaRow>,
    pub portee: Option<Portee>,
    /// 7.4, 7.11, 7.9
    pub without_radio: bool,
    pub brew_up_mark: bool,
    pub smoke_dischargers: Option<u8>,
    /// Too few were there to be drawn for a meeting engagement.
    pub rare: bool,
}

/// A weapon as mounted on a vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mounted {
    /// Index into [`Advanced::weapons`].
    pub weapon: usize,
    pub field_of_fire: FieldOfFire,
    pub turret_turn: u16,
    pub ammo: AmmoLimit,
    /// 5.14: printed in reverse.
    pub dual_fire: bool,
    /// 6.1.4.1.2: cannot fire over the parapet of a hull down position.
    pub hull_down_restricted: bool,
    /// 6.7.4: may fire at aircraft.
    pub aa: bool,
}

/// 6.5.2.3: armor by hit location and slope of fire, front and rear angles and side angles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Armor {
    /// By [`Slope`]: TF, TR, HF, HR.
    pub front_rear: [[u8; 4]; 3],
    /// By [`Slope`]: TF, TS, TR, HF, HS, HR.
    pub sides: [[u8; 6]; 3],
    pub deck: u8,
}

/// 6.5.2.3: the firer's height compared with the target's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slope {
    #[default]
    Level,
    /// The firer is lower.
    Rising,
    /// The firer is higher.
    Falling,
}

/// 5.2.1: the parts of a portee.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Portee {
    /// [`TowedCard::id`]
    pub gun: String,
    /// [`Card::id`]
    pub truck: String,
}

/// A towed gun (5.2).
#[derive(Clone, Debug, PartialEq)]
pub struct TowedCard {
    pub id: String,
    pub card: String,
    pub name: String,
    pub nation: Nation,
    pub years: [u16; 2],
    pub from: Option<Month>,
    /// Index into [`Advanced::weapons`].
    pub weapon: usize,
    pub rate: Rate,
    pub size: SpotSize,
    pub movement: FootMovement,
    pub passenger: Room,
    pub ammo: AmmoLimit,
    pub crew: u8,
    pub field_of_fire: FieldOfFire,
    pub gpd: FootDefense,
    pub aa: Option<AaRow>,
    /// 7.16
    pub platform_mount: bool,
    pub points: u16,
}

/// 5.1: the size of a Leg unit, largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LegSize {
    #[default]
    Squad,
    HalfSquad,
    Section,
}

impl LegSize {
    pub const ALL: [LegSize; 3] = [LegSize::Squad, LegSize::HalfSquad, LegSize::Section];

    pub const fn key(self) -> &'static str {
        match self {
            LegSize::Squad => "squad",
            LegSize::HalfSquad => "half_squad",
            LegSize::Section => "section",
        }
    }
}

/// A Leg unit (5.1).
#[derive(Clone, Debug, PartialEq)]
pub struct LegCard {
    pub id: String,
    pub card: String,
    pub name: String,
    pub nation: Nation,
    pub size: LegSize,
    pub years: [u16; 2],
    pub from: Option<Month>,
    pub movement: FootMovement,
    /// 5.1.2: a section with an attached weapon.
    pub with_weapon: FootMovement,
    /// 6.6.4.4: the wheeled factor of a unit designated a motorcycle unit.
    pub motorcycle: Option<Movement>,
    pub spotted_as: SpotSize,
    pub passenger: Room,
    /// The inherent weapon: Small Arms (5.7).
    pub gp: GpRow,
    pub gpd: FootDefense,
    /// The half-squad on a squad's other side.
    pub reduces_to: Option<String>,
    /// 5.9: engineers, and units that are Recon by their card.
    pub labels: Vec<Label>,
    pub usual_grade: Grade,
    pub points: u16,
}

/// 5.1.3: the classes of crew-served weapons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrewServed {
    Mortar,
    #[default]
    Hmg,
    Atr,
    HandHeldAt,
    Flamethrower,
}

/// 5.1.3: what a crew-served weapon may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct May {
    pub ap: bool,
    pub gp_direct: bool,
    pub gp_indirect: bool,
    pub from_transport: bool,
    pub from_upper_floor: bool,
    /// 5.7: earns Spot/Fire SA only.
    pub sa_for_spotting: bool,
}

/// A crew-served weapon (5.1.3).
#[derive(Clone, Debug, PartialEq)]
pub struct CrewServedCard {
    pub id: String,
    pub card: String,
    pub name: String,
    pub nation: Nation,
    pub kind: CrewServed,
    pub years: [u16; 2],
    pub from: Option<Month>,
    /// Its rows, like those of any weapon.
    pub weapon: Weapon,
    pub may: May,
    pub ammo: AmmoLimit,
    /// 5.1.3.4: GP factor of a hand-held anti-tank weapon at all ranges.
    pub gp_fixed: Option<u8>,
    pub points: u16,
}

/// 6.5.1.2: the classes of off-map batteries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BatteryClass {
    #[default]
    Light,
    Medium,
    Heavy,
    VeryHeavy,
}

/// 6.5.1.6: what a mission fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mission {
    #[default]
    Gp,
    Smoke,
    Illumination,
}

/// An off-map battery (5.3).
#[derive(Clone, Debug, PartialEq)]
pub struct BatteryCard {
    pub id: String,
    pub card: String,
    pub nation: Nation,
    pub class: BatteryClass,
    /// The calibre, such as `10.5cm`.
    pub guns: String,
    pub gp: GpRow,
    pub effectiveness: u8,
    pub missions: Vec<Mission>,
    pub ammo: AmmoLimit,
    pub points: u16,
}

/// The role of an aircraft, for its picture and for choosing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AirRole {
    #[default]
    Fighter,
    FighterBomber,
    GroundAttack,
    DiveBomber,
    LevelBomber,
}

/// Strafing, bombs or rockets of an aircraft (6.7.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AirWeapon {
    pub factor: u8,
    /// None: Small Arms.
    pub effectiveness: Option<u8>,
    /// 5.16.2.6: the exact number of attacks.
    pub attacks: u8,
}

/// Rockets have range bands (6.7.3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rockets {
    pub row: GpRow,
    pub effectiveness: u8,
    pub attacks: u8,
}

/// An aircraft (5.4).
#[derive(Clone, Debug, PartialEq)]
pub struct AircraftCard {
    pub id: String,
    pub name: String,
    pub nation: Nation,
    pub role: AirRole,
    pub years: [u16; 2],
    pub from: Option<Month>,
    pub gpd: GpDefense,
    /// 6.7.2.2: Slow only, or both.
    pub fast: bool,
    /// 6.7.2.3.2
    pub dive_bomber: bool,
    pub strafing: AirWeapon,
    pub bombs: Option<AirWeapon>,
    pub rockets: Option<Rockets>,
    pub points: u16,
}

/// The usual grade of troops at a date (5.8), for the force builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Troops {
    pub id: String,
    pub nation: Nation,
    pub years: [u16; 2],
    pub grade: Grade,
}

impl Advanced {
    pub(super) fn read(files: &PackFiles, basic: &[Card]) -> Result<Advanced, PackError> {
        let weapons = weapons::read(files)?;
        let mut all = cards::read(files, basic, weapons)?;
        all.tables = read::read(files)?;
        all.scenarios = scenarios::read(files, &all)?;
        Ok(all)
    }

    pub fn weapon(&self, id: &str) -> Option<&Weapon> {
        self.weapons.iter().find(|w| w.id == id)
    }

    pub fn vehicle(&self, id: &str) -> Option<&VehicleCard> {
        self.vehicles.iter().find(|v| v.base.id == id)
    }

    pub fn leg(&self, id: &str) -> Option<&LegCard> {
        self.leg.iter().find(|l| l.id == id)
    }

    pub fn towed(&self, id: &str) -> Option<&TowedCard> {
        self.towed.iter().find(|t| t.id == id)
    }

    pub fn crew_served(&self, id: &str) -> Option<&CrewServedCard> {
        self.crew_served.iter().find(|c| c.id == id)
    }

    pub fn battery(&self, id: &str) -> Option<&BatteryCard> {
        self.batteries.iter().find(|b| b.id == id)
    }

    pub fn aircraft(&self, id: &str) -> Option<&AircraftCard> {
        self.aircraft.iter().find(|a| a.id == id)
    }

    /// A ground unit's card.
    pub fn unit(&self, id: &str) -> Option<UnitCard<'_>> {
        let vehicle = || self.vehicle(id).map(UnitCard::Vehicle);
        let leg = || self.leg(id).map(UnitCard::Leg);
        vehicle().or_else(leg).or_else(|| self.towed(id).map(UnitCard::Towed))
    }

    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|s| s.id == id)
    }
}

impl UnitCard<'_> {
    pub fn id(&self) -> &str {
        match self {
            UnitCard::Vehicle(v) => &v.base.id,
            UnitCard::Leg(l) => &l.id,
            UnitCard::Towed(t) => &t.id,
        }
    }

    pub fn name(&self) -> &str {
        match self {
            UnitCard::Vehicle(v) => &v.base.name,
            UnitCard::Leg(l) => &l.name,
            UnitCard::Towed(t) => &t.name,
        }
    }

    pub fn nation(&self) -> Nation {
        match self {
            UnitCard::Vehicle(v) => v.base.nation,
            UnitCard::Leg(l) => l.nation,
            UnitCard::Towed(t) => t.nation,
        }
    }

    pub fn side(&self) -> Side {
        self.nation().side()
    }

    pub fn years(&self) -> [u16; 2] {
        match self {
            UnitCard::Vehicle(v) => v.base.years,
            UnitCard::Leg(l) => l.years,
            UnitCard::Towed(t) => t.years,
        }
    }

    pub fn from(&self) -> Option<Month> {
        match self {
            UnitCard::Vehicle(v) => v.from,
            UnitCard::Leg(l) => l.from,
            UnitCard::Towed(t) => t.from,
        }
    }

    pub fn points(&self) -> u16 {
        match self {
            UnitCard::Vehicle(v) => v.base.points,
            UnitCard::Leg(l) => l.points,
            UnitCard::Towed(t) => t.points,
        }
    }

    /// 4.1.1, 6.2.1.1: a combat unit has an attack capability.
    pub fn armed(&self) -> bool {
        match self {
            UnitCard::Vehicle(v) => v.base.armed,
            UnitCard::Leg(_) | UnitCard::Towed(_) => true,
        }
    }

    /// 6.6.7.1: the room it takes in a transport; vehicles cannot be passengers.
    pub fn passenger(&self) -> Option<Room> {
        match self {
            UnitCard::Vehicle(_) => None,
            UnitCard::Leg(l) => Some(l.passenger),
            UnitCard::Towed(t) => Some(t.passenger),
        }
    }

    /// 6.1.3: its column as a target of spotting.
    pub fn spotted_as(&self) -> SpotSize {
        match self {
            UnitCard::Vehicle(_) => SpotSize::Vehicle,
            UnitCard::Leg(l) => l.spotted_as,
            UnitCard::Towed(t) => t.size,
        }
    }

    /// Whether it was in service at a date such as `1941-06-15`: by the years of the card, and the month of issue.
    pub fn serves(&self, date: &str) -> bool {
        serves(self.years(), self.from(), date)
    }
}

/// Whether something with these years, and from this month, was in service at a date; without a date, always.
pub fn serves(years: [u16; 2], from: Option<Month>, date: &str) -> bool {
    let Some(now) = Month::of_date(date) else { return true };
    (years[0]..=years[1]).contains(&now.year) && from.is_none_or(|from| from <= now)
}
