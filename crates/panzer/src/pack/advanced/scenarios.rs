//! Scenarios of the Advanced Game: formations, grades, passengers, works, batteries, aircraft.

use serde::{Deserialize, Serialize};

use super::{Advanced, AircraftCard, AmmoLimit, Grade, Label, Level};
use crate::pack::scenarios::{BySide, RawEntry, RawObjective, RawVictory, direction, labels};
use crate::pack::{BoardPlace, OverlayPlace, PackError, PackFiles, Scenario, Side, Start, UnitDef};

/// A part of the rules that a scenario uses; without it the Basic Game's rule applies (5.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Module {
    CommandControl,
    IndirectFire,
    GpFire,
    LegUnits,
    TowedUnits,
    Grades,
    HitLocation,
    RateOfFire,
    AmmoLimits,
    BailOut,
    Suppression,
    FullCover,
    HullDown,
    Transport,
    CloseAssault,
    Overrun,
    Smoke,
    Air,
}

impl Module {
    pub const ALL: [Module; 18] = [
        Module::CommandControl,
        Module::IndirectFire,
        Module::GpFire,
        Module::LegUnits,
        Module::TowedUnits,
        Module::Grades,
        Module::HitLocation,
        Module::RateOfFire,
        Module::AmmoLimits,
        Module::BailOut,
        Module::Suppression,
        Module::FullCover,
        Module::HullDown,
        Module::Transport,
        Module::CloseAssault,
        Module::Overrun,
        Module::Smoke,
        Module::Air,
    ];
}

/// What a scenario of the Advanced Game adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioExtras {
    pub modules: Vec<Module>,
    /// Optional rules in force, such as `7.31`.
    pub optional: Vec<String>,
    /// Force Grade by side (5.8.1).
    pub force_grade: [Grade; 2],
    pub formations: Vec<Formation>,
    pub batteries: Vec<BatteryDef>,
    pub aircraft: Vec<AircraftDef>,
    /// Aircraft defined in a lab file.
    pub aircraft_cards: Vec<AircraftCard>,
    pub features: Vec<Feature>,
    pub conditions: Conditions,
}

impl ScenarioExtras {
    pub fn uses(&self, module: Module) -> bool {
        self.modules.contains(&module)
    }

    pub fn formation(&self, id: &str) -> Option<&Formation> {
        self.formations.iter().find(|f| f.id == id)
    }

    /// Whether a formation is another or subordinate to it (6.5.1.3).
    pub fn below(&self, id: &str, top: &str) -> bool {
        let mut here = Some(id);
        // Parents do not form a cycle, so as many steps as there are formations reach the top.
        for _ in 0..=self.formations.len() {
            match here {
                Some(id) if id == top => return true,
                Some(id) => here = self.formation(id).and_then(|f| f.parent.as_deref()),
                None => return false,
            }
        }
        false
    }
}

/// 5.8.2. Its name is the message `formation.SCENARIO.ID`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formation {
    pub side: Side,
    pub id: String,
    pub grade: Grade,
    pub parent: Option<String>,
    /// The unit that is its headquarters.
    pub hq: Option<String>,
}

/// What only the Advanced Game says about a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitExtras {
    pub labels: Vec<Label>,
    /// Crew-served weapons, by [`super::CrewServedCard::id`] (5.1.3).
    pub attached: Vec<String>,
    /// The unit's own grade, if not its formation's (5.8.3).
    pub grade: Option<Grade>,
    /// Starts as a passenger of this unit, and comes into play with it (6.6.7).
    pub aboard: Option<String>,
    pub full_cover: bool,
    pub improved: bool,
    pub entrenched: bool,
    /// Inside the building of its hex.
    pub inside: bool,
    /// 6.6.4.4
    pub motorcycle: bool,
    /// 7.2
    pub hidden: bool,
}

/// An off-map battery of a scenario (6.5.1.2, 6.5.1.3).
#[derive(Clone, Debug, PartialEq)]
pub struct BatteryDef {
    pub id: String,
    pub side: Side,
    /// [`super::BatteryCard::id`]
    pub card: String,
    /// Attached or Organic; Unattached for every other formation.
    pub level: Level,
    pub formation: String,
    pub ammo: AmmoLimit,
    /// 6.5.1.4: points that its owner may register.
    pub preregistered: u8,
    /// 6.5.1.11: a planned mission is allowed.
    pub planned: bool,
}

/// Aircraft of a scenario (6.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AircraftDef {
    pub id: String,
    pub side: Side,
    /// [`super::AircraftCard::id`]
    pub card: String,
    pub count: u8,
    pub grade: Grade,
    /// First and last turn of a first appearance.
    pub first_turn: [u8; 2],
    pub strafing: u8,
    pub bombs: u8,
    pub rockets: u8,
}

/// 6.1.4.3: counters and features that may be in a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    ImprovedPosition,
    HastyEntrenchment,
    Wire,
    Block,
    Ditch,
    Mines,
    Smoke,
    Rubble,
    /// A bridge of the map that can be destroyed: its GP defense (6.5.4.2.5).
    Bridge,
    /// 6.1.4.3.5
    Fire,
}

impl FeatureKind {
    pub const ALL: [FeatureKind; 10] = [
        FeatureKind::ImprovedPosition,
        FeatureKind::HastyEntrenchment,
        FeatureKind::Wire,
        FeatureKind::Block,
        FeatureKind::Ditch,
        FeatureKind::Mines,
        FeatureKind::Smoke,
        FeatureKind::Rubble,
        FeatureKind::Bridge,
        FeatureKind::Fire,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            FeatureKind::ImprovedPosition => "improved_position",
            FeatureKind::HastyEntrenchment => "hasty_entrenchment",
            FeatureKind::Wire => "wire",
            FeatureKind::Block => "block",
            FeatureKind::Ditch => "ditch",
            FeatureKind::Mines => "mines",
            FeatureKind::Smoke => "smoke",
            FeatureKind::Rubble => "rubble",
            FeatureKind::Bridge => "bridge",
            FeatureKind::Fire => "fire",
        }
    }
}

/// 7.31
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Minefield {
    AntiPersonnel,
    AntiVehicle,
    Both,
}

/// 7.31
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Laid {
    Hasty,
    Deliberate,
}

/// Counters of a kind that are on the map at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    pub kind: FeatureKind,
    pub hexes: Vec<String>,
    /// 6.5.4.2.5: for kinds whose GP defense the chart leaves to the scenario.
    pub gpd: Option<u8>,
    pub mines: Option<(Minefield, Laid)>,
    /// Known to its owner only (7.31).
    pub hidden: bool,
    pub capacity: u8,
    /// The side that laid it; hidden mines have an owner.
    pub side: Option<Side>,
    /// 6.6.8: turns of work on an unfinished entrenchment.
    pub progress: Option<u8>,
}

/// Light and weather (6.1.4.3.12, 6.5.2.4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    #[serde(default)]
    pub heat_haze: bool,
    #[serde(default)]
    pub dust: bool,
    pub sun_blinding: Option<SunBlinding>,
}

/// Fire toward a map edge is hindered by the sun.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SunBlinding {
    pub edge: String,
    pub ap: i8,
    pub gp: i8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenario {
    id: String,
    game: Game,
    date: String,
    turns: u8,
    minutes: u16,
    boards: Vec<BoardPlace>,
    #[serde(default)]
    overlays: Vec<String>,
    #[serde(default)]
    desert_buildings: bool,
    rules: Vec<Module>,
    #[serde(default)]
    optional: Vec<String>,
    force: RawForces,
    formation: Vec<Formation>,
    group: Vec<RawGroup>,
    #[serde(default)]
    battery: Vec<RawBattery>,
    #[serde(default)]
    aircraft: Vec<RawAircraft>,
    #[serde(default)]
    feature: Vec<RawFeature>,
    #[serde(default)]
    conditions: toml::Table,
    #[serde(default)]
    zone: BySide<Vec<String>>,
    #[serde(default)]
    sets_up_first: Side,
    #[serde(default)]
    objective: Vec<RawObjective>,
    victory: RawVictory,
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Game {
    Advanced,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForces {
    axis: RawForce,
    allied: RawForce,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForce {
    grade: Grade,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGroup {
    side: Side,
    formation: String,
    card: String,
    letter: String,
    facing: u8,
    #[serde(default)]
    labels: Vec<Label>,
    #[serde(default)]
    attached: Vec<String>,
    grade: Option<Grade>,
    hexes: Option<Vec<String>>,
    enters: Option<RawEntry>,
    /// A transport for each unit, which must be earlier in the file.
    aboard: Option<Vec<String>>,
    #[serde(default)]
    state: RawState,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawState {
    full_cover: bool,
    improved: bool,
    entrenched: bool,
    inside: bool,
    motorcycle: bool,
    hidden: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBattery {
    side: Side,
    id: String,
    card: String,
    level: Level,
    formation: String,
    ammo_limit: AmmoLimit,
    #[serde(default)]
    preregistered: u8,
    #[serde(default)]
    planned: u8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAircraft {
    side: Side,
    id: String,
    card: String,
    count: u8,
    grade: Grade,
    first_turn: [u8; 2],
    attacks: RawAttacks,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawAttacks {
    strafing: u8,
    bombs: u8,
    rockets: u8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFeature {
    kind: FeatureKind,
    hexes: Vec<String>,
    gpd: Option<u8>,
    mines: Option<Minefield>,
    laid: Option<Laid>,
    #[serde(default)]
    hidden: bool,
    capacity: Option<u8>,
    side: Option<Side>,
}

pub(super) fn read(files: &PackFiles, cards: &Advanced) -> Result<Vec<Scenario>, PackError> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (path, text) in files.folder("scenarios/advanced") {
        let raw: RawScenario = rulebook::files::parse(path, text)?;
        if scenarios.iter().any(|s| s.id == raw.id) {
            return Err(PackError::at(path, format!("there is another scenario {}", raw.id)));
        }
        scenarios.push(scenario(raw, cards).map_err(|why| PackError::at(path, why))?);
    }
    Ok(scenarios)
}

fn scenario(raw: RawScenario, cards: &Advanced) -> Result<Scenario, String> {
    let Game::Advanced = raw.game;
    if raw.source.is_empty() {
        return Err("source: say what the forces rest on".into());
    }
    let mut units: Vec<UnitDef> = Vec::new();
    for group in raw.group {
        add(&mut units, group, cards)?;
    }
    let [axis, allied] = raw.zone.both();
    // Light and weather belong to the Advanced Game, terrain to both games.
    let light = |key: &String| ["heat_haze", "dust", "sun_blinding"].contains(&key.as_str());
    let (light, ground): (toml::Table, toml::Table) =
        raw.conditions.into_iter().partition(|(key, _)| light(key));
    let condition = |e: toml::de::Error| format!("conditions: {}", e.message());
    let extras = ScenarioExtras {
        modules: raw.rules,
        optional: raw.optional,
        force_grade: [raw.force.axis.grade, raw.force.allied.grade],
        formations: raw.formation,
        batteries: raw.battery.into_iter().map(RawBattery::read).collect(),
        aircraft: raw.aircraft.into_iter().map(RawAircraft::read).collect(),
        aircraft_cards: Vec::new(),
        features: raw.feature.into_iter().map(RawFeature::read).collect::<Result<_, _>>()?,
        conditions: light.try_into().map_err(condition)?,
    };
    Ok(Scenario {
        id: raw.id,
        date: raw.date,
        boards: raw.boards,
        overlays: raw.overlays.iter().map(|o| o.parse::<OverlayPlace>()).collect::<Result<_, _>>()?,
        desert_buildings: raw.desert_buildings,
        special: ground.try_into().map_err(condition)?,
        turns: raw.turns,
        minutes: raw.minutes,
        units,
        zones: [labels(&axis)?, labels(&allied)?],
        sets_up_first: raw.sets_up_first,
        objectives: raw.objective.into_iter().map(RawObjective::read).collect(),
        victory: raw.victory.read()?,
        advanced: Some(Box::new(extras)),
    })
}

/// The units of a group; numbers continue where groups share a letter.
fn add(units: &mut Vec<UnitDef>, group: RawGroup, cards: &Advanced) -> Result<(), String> {
    let at = |why: &str| format!("group {}: {why}", group.letter);
    let facing = direction(group.facing)?;
    let card = cards.unit(&group.card).ok_or_else(|| at(&format!("there is no card `{}`", group.card)))?;
    let starts: Vec<(Start, Option<String>)> = match (&group.hexes, &group.enters, &group.aboard) {
        (Some(hexes), None, None) => {
            hexes.iter().map(|hex| (Start::At { hex: hex.clone(), facing }, None)).collect()
        }
        (None, Some(e), None) => {
            let start = Start::Enters { turn: e.turn, hexes: labels(&e.hexes)?, facing };
            vec![(start, None); usize::from(e.count)]
        }
        (None, None, Some(transports)) => {
            if card.passenger().is_none() {
                return Err(at("vehicles are no passengers (6.6.7)"));
            }
            let start = |id: &String| {
                let transport = units.iter().find(|u| u.id == *id && u.side == group.side);
                let transport =
                    transport.ok_or_else(|| at(&format!("no transport {id} stands before it")))?;
                Ok((transport.start.clone(), Some(id.clone())))
            };
            transports.iter().map(start).collect::<Result<_, String>>()?
        }
        _ => return Err(at("expected one of hexes, enters, aboard")),
    };
    if starts.is_empty() {
        return Err(at("it has no units"));
    }
    for (start, aboard) in starts {
        let of_letter = |u: &&UnitDef| u.id.trim_end_matches(|c: char| c.is_ascii_digit()) == group.letter;
        let number = 1 + units.iter().filter(of_letter).count();
        let state = group.state;
        units.push(UnitDef {
            id: format!("{}{number}", group.letter),
            side: group.side,
            card: group.card.clone(),
            formation: group.formation.clone(),
            start,
            extras: UnitExtras {
                labels: group.labels.clone(),
                attached: group.attached.clone(),
                grade: group.grade,
                aboard,
                full_cover: state.full_cover,
                improved: state.improved,
                entrenched: state.entrenched,
                inside: state.inside,
                motorcycle: state.motorcycle,
                hidden: state.hidden,
            },
        });
    }
    Ok(())
}

impl RawBattery {
    fn read(self) -> BatteryDef {
        BatteryDef {
            id: self.id,
            side: self.side,
            card: self.card,
            level: self.level,
            formation: self.formation,
            ammo: self.ammo_limit,
            preregistered: self.preregistered,
            planned: self.planned > 0,
        }
    }
}

impl RawAircraft {
    fn read(self) -> AircraftDef {
        AircraftDef {
            id: self.id,
            side: self.side,
            card: self.card,
            count: self.count,
            grade: self.grade,
            first_turn: self.first_turn,
            strafing: self.attacks.strafing,
            bombs: self.attacks.bombs,
            rockets: self.attacks.rockets,
        }
    }
}

impl RawFeature {
    fn read(self) -> Result<Feature, String> {
        let mines = match (self.kind, self.mines, self.laid) {
            (FeatureKind::Mines, Some(mines), Some(laid)) => Some((mines, laid)),
            (FeatureKind::Mines, ..) => return Err("feature mines: mines and laid are missing (7.31)".into()),
            (_, None, None) => None,
            _ => return Err("feature: mines and laid are for mines only (7.31)".into()),
        };
        if self.hidden && self.side.is_none() {
            return Err("feature: what is hidden has a side that knows of it (7.31)".into());
        }
        Ok(Feature {
            kind: self.kind,
            hexes: labels(&self.hexes)?,
            gpd: self.gpd,
            mines,
            hidden: self.hidden,
            capacity: self.capacity.unwrap_or(1),
            side: self.side,
            progress: None,
        })
    }
}
