//! Units of lab files: taken from the pack, or created from their type and the fields that the file gives.

mod changes;

use std::{collections::HashMap, sync::OnceLock};

use kernel::SetupError;
use rulebook::lab::Fields;
use serde::Deserialize;
use toml::Value;

use changes::engineers;

use crate::pack::{
    Army, Colour, DefenseMark, Edition, Factors, Morale, Nation, Pack, RegimentId, Role, Side, Size, Start,
    Strength, Symbol, Tag, TankQuality, UnitDef, UnitId, UnitSources, UnitType,
};

/// A unit of the file: which counter it is, and what the file says of its place and state.
#[derive(Clone, Debug)]
pub struct PieceDef {
    pub unit: UnitId,
    /// The place as written; none for a unit of the pack that stays where it is.
    pub at: Option<String>,
    pub states: Vec<String>,
    /// Breakdown unit or Remnant: the id of the unit it came from (26.4).
    pub parent: Option<String>,
    /// Surrender points (23.7).
    pub points: u8,
}

/// Default values of a type for fields that the file leaves out (`packs/ardennes44/lab.toml`).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Defaults {
    attack: u8,
    defense: u8,
    #[serde(rename = "move")]
    movement: u8,
    stacking: u8,
    #[serde(default)]
    tq: Option<u8>,
    #[serde(default)]
    tq_red: bool,
    #[serde(default)]
    range: u8,
}

fn defaults(unit_type: UnitType) -> Result<Defaults, SetupError> {
    static TABLE: OnceLock<Result<HashMap<UnitType, Defaults>, String>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        toml::from_str(include_str!("../../../../packs/ardennes44/lab.toml"))
            .map_err(|e| format!("lab.toml: {e}"))
    });
    let table = table.as_ref().map_err(|e| SetupError::Bad(e.clone()))?;
    table
        .get(&unit_type)
        .copied()
        .ok_or_else(|| SetupError::Bad(format!("lab.toml: {unit_type:?} is missing")))
}

/// Every field that a unit may have, for the error message about an unknown one.
const FIELDS: &[&str] = &[
    "id",
    "pack",
    "side",
    "hex",
    "type",
    "attack",
    "defense",
    "move",
    "stacking",
    "steps",
    "morale",
    "tq",
    "tq_red",
    "tq_reduced",
    "range",
    "division",
    "formation",
    "regiment",
    "colour",
    "color",
    "army",
    "corps",
    "engineer",
    "silhouette",
    "vehicle",
    "symbol",
    "size",
    "defense_parentheses",
    "state",
    "reduced_attack",
    "reduced_defense",
    "reduced_move",
    "reduced_stacking",
    "front",
    "reduced",
    "nation",
    "name",
    "label",
    "tags",
    "red_code",
    "parent",
    "surrender_points",
    "replaceable",
    "remnant",
    "breakdown",
    "fired_move",
];

/// Read all units of a file; new ones are added to the pack.
pub fn read_all(
    pack: &mut Pack,
    units: &[&toml::Table],
    edition: Edition,
) -> Result<Vec<PieceDef>, SetupError> {
    let mut regiments = HashMap::new();
    let mut pieces: Vec<PieceDef> = Vec::new();
    for (number, table) in units.iter().enumerate() {
        let table = &plain_fields(table);
        let name = table.get("id").or_else(|| table.get("pack")).and_then(Value::as_str);
        let name = name.map_or_else(|| format!("unit number {}", number + 1), |id| format!("unit {id}"));
        let piece = Reader { pack, table: Fields(table), edition, regiments: &mut regiments }
            .read()
            .map_err(|why| SetupError::Bad(format!("{name}: {why}")))?;
        if pieces.iter().any(|other| other.unit == piece.unit) {
            return Err(SetupError::Bad(format!("{name}: stands in the file twice")));
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

/// Alternative names that people give to fields; the pack's own names come first.
const ALSO: &[(&str, &str)] = &[
    ("af", "attack"),
    ("df", "defense"),
    ("defence", "defense"),
    ("ma", "move"),
    ("movement", "move"),
    ("sp", "stacking"),
    ("stacking_points", "stacking"),
    ("tank_quality", "tq"),
    ("red_tq", "tq_red"),
    ("defence_parentheses", "defense_parentheses"),
    ("states", "state"),
    ("markers", "state"),
];

/// The fields by the pack's names; a hex number may be written without quotes.
fn plain_fields(table: &toml::Table) -> toml::Table {
    let mut plain = toml::Table::new();
    for (key, value) in table {
        let name = ALSO.iter().find(|(also, _)| also == key).map_or(key.as_str(), |(_, name)| name);
        let value = match value {
            Value::Integer(number) if name == "hex" => Value::String(format!("{number:04}")),
            value => value.clone(),
        };
        if name == key || !table.contains_key(name) {
            plain.insert(name.to_owned(), value);
        } else {
            plain.insert(key.clone(), value);
        }
    }
    plain
}

struct Reader<'a> {
    pack: &'a mut Pack,
    table: Fields<'a>,
    edition: Edition,
    regiments: &'a mut HashMap<(Side, String), RegimentId>,
}

/// A value that must be one of a fixed set of words.
fn word<T: for<'de> Deserialize<'de>>(name: &str, text: &str) -> Result<T, String> {
    let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
    let try_as = |text: &str| Value::String(text.to_owned()).try_into::<T>();
    try_as(text).or_else(|_| try_as(&plain)).map_err(|e: toml::de::Error| format!("{name}: {}", e.message()))
}

impl Reader<'_> {
    /// The states in lower case as single words; a hex after a colon is left as it is.
    fn states(&self) -> Result<Vec<String>, String> {
        let plain = |state: String| {
            let (name, hex) = state.split_at(state.find(':').unwrap_or(state.len()));
            name.trim().to_lowercase().replace([' ', '-'], "_") + hex
        };
        Ok(self.table.texts("state")?.into_iter().map(plain).collect())
    }

    fn read(&mut self) -> Result<PieceDef, String> {
        let known = |key: &str| FIELDS.contains(&key) || kernel::lab::REMARKS.contains(&key);
        if let Some(field) = self.table.keys().find(|key| !known(key.as_str())) {
            return Err(format!("unknown field `{field}`; there is {}", FIELDS.join(", ")));
        }
        let states = self.states()?;
        let reduced = states.iter().any(|s| s.trim() == "reduced");
        let taken = match self.table.text("pack")? {
            Some(slug) => {
                Some(self.pack.unit_by_slug(slug).ok_or_else(|| format!("pack: no unit `{slug}`"))?)
            }
            // A unit of the file without a type of its own is a unit of the pack, named by its id.
            None if self.table.contains_key("type") => None,
            None => {
                let at =
                    self.table.text("id")?.and_then(|id| self.pack.units.iter().position(|u| u.id == id));
                at.map(|at| UnitId(at as u16))
            }
        };
        let id = self.table.text("id")?.map(str::to_owned);
        if let Some(id) = &id {
            let fits = !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || c == '+' || c == '/');
            if !fits {
                return Err("id: must be one word without `+` and `/`".into());
            }
            let clash = self.pack.units.iter().position(|u| u.id == *id);
            if clash.is_some_and(|at| taken.is_none_or(|unit| unit.index() != at)) {
                return Err(format!("id: there is a unit `{id}` already"));
            }
        }
        let unit = if let Some(unit) = taken {
            let mut def = self.pack.units[unit.index()].clone();
            let other = |name: &&str| super::side_named(name) != Some(def.side);
            if let Some(side) = self.table.text("side")?.filter(other) {
                return Err(format!("side: {} is {}, not {side}", def.id, def.side));
            }
            self.change(&mut def, reduced)?;
            if let Some(id) = id {
                def.id = id;
            }
            self.pack.units[unit.index()] = def;
            unit
        } else {
            let id = id.ok_or("id: is missing")?;
            let def = self.make(&id, reduced)?;
            self.pack.units.push(def);
            UnitId((self.pack.units.len() - 1) as u16)
        };
        if let Some(formation) = self.pack.units[unit.index()].formation {
            let members = &mut self.pack.formations[formation.index()].units;
            if !members.contains(&unit) {
                members.push(unit);
            }
        }
        Ok(PieceDef {
            unit,
            at: self.table.text("hex")?.map(str::to_owned),
            states,
            parent: self.table.name("parent")?,
            points: self.table.number("surrender_points")?.unwrap_or(0),
        })
    }

    /// Creates a unit from its type.
    fn make(&mut self, id: &str, reduced: bool) -> Result<UnitDef, String> {
        let (side, nation) = self.side()?;
        let unit_type: UnitType = match self.table.text("type")? {
            Some(name) => match called(name) {
                Some(known) => known,
                None => word("type", name)?,
            },
            None if self.table.contains_key("silhouette") => UnitType::SilhouetteTank,
            None => UnitType::FootInfantry,
        };
        // 2.4: a Tank unit shows a silhouette or the NATO symbol.
        let unit_type = match (unit_type, self.table.get("silhouette").and_then(Value::as_bool)) {
            (UnitType::SilhouetteTank, Some(false)) => UnitType::ArmorNato,
            (UnitType::ArmorNato, Some(true)) => UnitType::SilhouetteTank,
            (unit_type, _) => unit_type,
        };
        let given = defaults(unit_type).map_err(|e| e.to_string())?;
        let category = self.pack.units.iter().find(|u| u.unit_type == unit_type).map(|u| u.category);
        let mut def = UnitDef {
            id: id.to_owned(),
            label: id.to_owned(),
            name: id.to_owned(),
            class: "lab".into(),
            side,
            nation,
            role: Role::Combat,
            unit_type,
            category: category.ok_or("type: the pack has no unit of this type")?,
            symbol: unit_type.symbol(),
            vehicle: None,
            size: Size::Battalion,
            strength: Strength::Normal,
            formation: None,
            regiment: None,
            colour: match (side, nation) {
                (Side::German, _) => Colour::Grey,
                (_, Nation::British) => Colour::Red,
                _ => Colour::Purple,
            },
            army: (side == Side::German).then_some(Army::FifthPanzer),
            corps: None,
            front: Factors {
                attack: given.attack,
                defense: given.defense,
                movement: given.movement,
                stacking: given.stacking,
            },
            reduced: None,
            fired: None,
            front_1e: None,
            steps: 0,
            morale: Morale::Veteran,
            tq: given.tq.map(|tq| TankQuality { front: tq, reduced: tq, red: given.tq_red }),
            range: given.range,
            defense_mark: DefenseMark::Plain,
            remnant: None,
            breakdown: None,
            replaceable: unit_type != UnitType::Artillery && nation != Nation::British,
            // In play from the start: neither a reinforcement nor restricted by a red code.
            start: Start::Pool,
            optional: None,
            tags: crate::pack::Tags::default(),
            source: UnitSources::default(),
            note: String::new(),
        };
        if unit_type == UnitType::ArmorNato {
            def.tags = def.tags.with(Tag::TankAndInfantry); // 21.1
        }
        match self.table.text("type")?.unwrap_or_default().trim().to_lowercase().as_str() {
            "nebelwerfer" | "rocket" | "rockets" => def.symbol = Symbol::Nebelwerfer,
            "parachute" | "parachute_infantry" | "airborne" | "fallschirmjaeger" => {
                def.symbol = Symbol::Parachute;
            }
            "glider" | "glider_infantry" => def.symbol = Symbol::Glider,
            "combat_command" => def.tags = def.tags.with(Tag::CombatCommand),
            "engineer" | "engineers" => engineers(&mut def),
            "tank_destroyer" => def.tq = def.tq.map(|tq| TankQuality { red: true, ..tq }), // 21.2
            _ => {}
        }
        self.change(&mut def, reduced)?;
        self.complete(&mut def, reduced)?;
        Ok(def)
    }

    fn side(&self) -> Result<(Side, Nation), String> {
        let name = self.table.text("side")?.ok_or("side: is missing; there is german, allied")?;
        let plain = match (name.to_lowercase().as_str(), rulebook::lab::side_1944(name)) {
            (_, Some("german")) => (Side::German, Nation::German),
            ("british" | "uk", _) => (Side::Allied, Nation::British),
            (_, Some(_)) => (Side::Allied, Nation::Us),
            (_, None) => return Err(format!("side: unknown side `{name}`; there is german, allied")),
        };
        let nation = match self.table.text("nation")? {
            None => plain.1,
            Some("uk") => Nation::British,
            Some(nation) => word("nation", nation)?,
        };
        Ok((plain.0, nation))
    }
}

/// A type by the names that players use besides the pack's.
fn called(name: &str) -> Option<UnitType> {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    Some(match plain.as_str() {
        "infantry" | "foot" | "parachute" | "parachute_infantry" | "glider" | "glider_infantry"
        | "engineer" | "engineers" | "mountain" | "mountain_infantry" | "fortress" | "airborne"
        | "volksgrenadier" | "fallschirmjaeger" | "grenadier" => UnitType::FootInfantry,
        "tank" | "silhouette" | "silhouetted_tank" | "tank_destroyer" | "assault_gun" | "panzer" => {
            UnitType::SilhouetteTank
        }
        "armor" | "armour" | "nato_tank" | "nato_armor" | "armor_nato_symbol" | "combat_command"
        | "task_force" | "armored_brigade" | "armoured_brigade" => UnitType::ArmorNato,
        "cavalry" | "mechanized_cavalry" | "reconnaissance" => UnitType::Recon,
        "anti_aircraft" => UnitType::Flak,
        "nebelwerfer" | "rocket" | "rockets" | "gun" | "guns" => UnitType::Artillery,
        "mechanized_infantry" | "panzergrenadier" | "pzg" | "armored_infantry" => UnitType::MechInfantry,
        "motorised_infantry" | "motorized" => UnitType::MotorizedInfantry,
        _ => return None,
    })
}
