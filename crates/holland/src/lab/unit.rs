//! Units of lab files: counters of the pack, or built from a type and the fields that the file gives.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use kernel::SetupError;
use rulebook::lab::{Fields, plain};
use serde::Deserialize;
use toml::Value;

use crate::pack::{ArmorKind, Face, Flag, Formation, Morale, Pack, PoolKind, Side, Unit};

/// A unit of the file: its id, and what the file says about its place and state.
#[derive(Clone, Debug)]
pub struct PieceDef {
    pub id: String,
    /// As written; `None` for a unit of the pack that stays where it is.
    pub at: Option<String>,
    pub states: Vec<String>,
    pub steps_lost: u8,
    /// Of a Remnant or Breakdown unit: the unit it came from.
    pub parent: Option<String>,
    /// The counter of a pool that takes this id.
    pub pool: Option<String>,
}

impl PieceDef {
    /// 25.1: it is under an Unknown counter.
    pub fn is_unknown(&self) -> bool {
        self.states.iter().any(|state| state == "unknown")
    }
}

/// Default values of a type (`packs/holland44/lab.toml`).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Defaults {
    attack: u8,
    defense: u8,
    #[serde(rename = "move")]
    allowance: u8,
    stacking: u8,
    armor: Option<u8>,
    armor_kind: Option<ArmorKind>,
    range: Option<u8>,
    #[serde(default)]
    support: bool,
    #[serde(default)]
    recon_circle: bool,
}

fn defaults(r#type: &str) -> Result<Defaults, String> {
    static TABLE: OnceLock<Result<HashMap<String, Defaults>, String>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        toml::from_str(include_str!("../../../../packs/holland44/lab.toml"))
            .map_err(|e| format!("lab.toml: {e}"))
    });
    let table = table.as_ref().map_err(Clone::clone)?;
    table.get(r#type).copied().ok_or_else(|| format!("lab.toml: {type} is missing"))
}

/// Every field that a unit may have, for the message about an unknown field.
const FIELDS: &[&str] = &[
    "id",
    "pack",
    "side",
    "hex",
    "at",
    "type",
    "values",
    "attack",
    "defense",
    "move",
    "stacking",
    "steps",
    "steps_lost",
    "morale",
    "armor",
    "armor_kind",
    "range",
    "formation",
    "also_command",
    "support",
    "airborne",
    "recon_circle",
    "garrison",
    "engineer",
    "remnant",
    "breakdown",
    "replaceable",
    "reduced",
    "reduced_attack",
    "reduced_defense",
    "reduced_move",
    "state",
    "immobile",
    "parent",
    "nation",
    "name",
    "label",
    "symbol",
    "size",
];

/// Other names for fields.
const ALSO: &[(&str, &str)] = &[
    ("af", "attack"),
    ("df", "defense"),
    ("defence", "defense"),
    ("ma", "move"),
    ("movement", "move"),
    ("points", "stacking"),
    ("sp", "stacking"),
    ("armor_rating", "armor"),
    ("armour", "armor"),
    ("armour_rating", "armor"),
    ("rating", "armor"),
    ("tq", "armor"),
    ("division", "formation"),
    ("command", "formation"),
    ("corps", "formation"),
    ("brigade", "formation"),
    ("green_circle", "recon_circle"),
    ("factors", "values"),
    ("states", "state"),
    ("markers", "state"),
];

fn plain_fields(table: &toml::Table) -> toml::Table {
    let mut plain = toml::Table::new();
    for (key, value) in table {
        let name = ALSO.iter().find(|(also, _)| also == key).map_or(key.as_str(), |(_, name)| name);
        let name = if table.contains_key(name) && name != key { key } else { name };
        let value = match value {
            Value::Integer(number) if name == "hex" || name == "at" => Value::String(format!("{number:04}")),
            value => value.clone(),
        };
        plain.insert(name.to_owned(), value);
    }
    if makes_immobile(&mut plain) {
        plain.insert("move".into(), Value::Integer(0)); // 2.3.4
    }
    plain
}

/// Takes `immobile = true`, or the state `immobile`, out of the fields.
fn makes_immobile(fields: &mut toml::Table) -> bool {
    let is = |value: &Value| value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("immobile"));
    let mut found = fields.get("immobile").and_then(Value::as_bool) == Some(true);
    if fields.get("immobile").is_some_and(Value::is_bool) {
        fields.remove("immobile");
    }
    if fields.get("state").is_some_and(is) {
        fields.remove("state");
        found = true;
    }
    if let Some(Value::Array(states)) = fields.get_mut("state") {
        let all = states.len();
        states.retain(|state| !is(state));
        found |= states.len() < all;
    }
    found
}

/// Read all units of a file; new ones are added to the pack.
pub fn read_all(pack: &mut Pack, units: &[&toml::Table]) -> Result<Vec<PieceDef>, SetupError> {
    let mut pieces: Vec<PieceDef> = Vec::new();
    for (number, table) in units.iter().enumerate() {
        let table = plain_fields(table);
        let name = table.get("id").or_else(|| table.get("pack")).and_then(Value::as_str);
        let name = name.map_or_else(|| format!("unit number {}", number + 1), |id| format!("unit {id}"));
        let piece = Reader { pack, table: Fields(&table) }
            .read()
            .map_err(|why| SetupError::Bad(format!("{name}: {why}")))?;
        if pieces.iter().any(|other| other.id == piece.id) {
            return Err(SetupError::Bad(format!("{name}: stands in the file twice")));
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

struct Reader<'a> {
    pack: &'a mut Pack,
    table: Fields<'a>,
}

impl Reader<'_> {
    fn states(&self) -> Result<Vec<String>, String> {
        Ok(self.table.texts("state")?.iter().map(|state| plain(state)).collect())
    }

    fn read(&mut self) -> Result<PieceDef, String> {
        let known = |key: &str| FIELDS.contains(&key) || kernel::lab::REMARKS.contains(&key);
        if let Some(field) = self.table.keys().find(|key| !known(key.as_str())) {
            return Err(format!("unknown field `{field}`; there is {}", FIELDS.join(", ")));
        }
        let mut states = self.states()?;
        let id = self.table.name("id")?;
        if let Some(id) = &id {
            let fits = !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || c == '+' || c == '/');
            if !fits {
                return Err("id: must be one word without `+` and `/`".into());
            }
        }
        let named = self.table.name("pack")?;
        // Without values of its own, a unit of the file with an id of the pack is that unit of the pack.
        let taken = named.clone().or_else(|| id.clone().filter(|id| self.pack.unit(id).is_some()));
        let pool_of = |pack: &Pack, id: &str| {
            let (pool, number) = id.rsplit_once('-')?;
            let pool = pack.pools.iter().find(|p| p.id.replace('_', "-") == pool)?;
            number.parse::<u8>().ok().filter(|n| (1..=pool.count).contains(n)).map(|_| id.to_owned())
        };
        let pool = named.as_deref().or(id.as_deref()).and_then(|id| pool_of(self.pack, id));
        let id = if let Some(counter) = &pool {
            id.unwrap_or_else(|| counter.clone())
        } else if let Some(old) = taken {
            let at = self.pack.units.iter().position(|u| u.id == old);
            let at = at.ok_or_else(|| format!("pack: no unit `{old}`"))?;
            let new = id.unwrap_or_else(|| old.clone());
            if new != old && self.pack.unit(&new).is_some() {
                return Err(format!("id: there is a unit `{new}` already"));
            }
            let mut unit = self.pack.units[at].clone();
            let side = self.table.name("side")?;
            if side.as_deref().is_some_and(|s| s != unit.side.key()) {
                return Err(format!("side: {old} is {}", unit.side.key()));
            }
            self.change(&mut unit, states.iter().any(|s| s == "reduced"))?;
            unit.id.clone_from(&new);
            // The formations that a Supply Head supplies refer to it by name.
            for f in &mut self.pack.formations {
                if f.supply_head.as_deref() == Some(old.as_str()) {
                    f.supply_head = Some(new.clone());
                }
            }
            self.pack.units[at] = unit;
            new
        } else {
            let id = id.ok_or("id: is missing")?;
            let unit = self.make(&id, states.iter().any(|s| s == "reduced"))?;
            if unit.r#type == "supply_head" {
                let formation = unit.formation.clone();
                for f in self.pack.formations.iter_mut().filter(|f| f.id == formation) {
                    f.supply_head = Some(id.clone());
                }
            }
            self.pack.units.push(unit);
            id
        };
        let mut steps_lost = self.table.number("steps_lost")?.unwrap_or(0);
        if let Some(i) = states.iter().position(|s| s == "reduced") {
            states.remove(i);
            steps_lost = 1;
        }
        let at = match self.table.name("hex")? {
            Some(hex) => Some(hex),
            None => self.table.name("at")?,
        };
        Ok(PieceDef { id, at, states, steps_lost, parent: self.table.name("parent")?, pool })
    }

    /// A unit with the values of its type.
    fn make(&mut self, id: &str, reduced: bool) -> Result<Unit, String> {
        let side = self.table.name("side")?.ok_or("side: is missing; there is allied, german")?;
        let side = match rulebook::lab::side_1944(&side) {
            Some("german") => Side::German,
            Some(_) => Side::Allied,
            None => return Err(format!("side: unknown side `{side}`; there is allied, german")),
        };
        let engineer = self.table.truth("engineer")?.unwrap_or(false);
        let r#type = match self.table.name("type")? {
            Some(name) => called(&name),
            None if engineer => "engineer".into(),
            None => "foot_infantry".into(),
        };
        if !self.pack.types.contains_key(&r#type) {
            let known: Vec<&str> = self.pack.types.keys().map(String::as_str).collect();
            return Err(format!("type: unknown type `{type}`; there is {}", known.join(", ")));
        }
        let given = defaults(&r#type)?;
        let mut flags = Vec::new();
        if given.support {
            flags.push(Flag::Support);
        }
        if given.recon_circle {
            flags.push(Flag::ReconCircle);
        }
        let written = self.table.name("type")?.unwrap_or_default().to_lowercase();
        if side == Side::Allied && ["parachute", "glider", "airborne"].iter().any(|w| written.contains(w)) {
            flags.push(Flag::Airborne);
        }
        let gun = r#type == "artillery";
        let mut unit = Unit {
            id: id.to_owned(),
            label: id.to_owned(),
            name: id.to_owned(),
            side,
            nation: if side == Side::German { "German" } else { "British" }.into(),
            symbol: if r#type == "foot_infantry" { "infantry".into() } else { r#type.clone() },
            r#type,
            vehicle: None,
            size: "II".into(),
            formation: format!("lab-{}", side.key()),
            also_command: None,
            front: Face {
                attack: given.attack,
                defense: given.defense,
                allowance: given.allowance,
                stacking: given.stacking,
            },
            reduced: None,
            fired: None,
            ferry: None,
            depleted: None,
            steps: given.stacking.max(1),
            morale: Morale::Regular,
            armor: given.armor,
            armor_kind: given.armor_kind,
            range: given.range.filter(|_| gun),
            remnant: None,
            breakdown: None,
            setup: None,
            arrival: None,
            replaceable: !gun,
            flags,
            source: BTreeMap::new(),
        };
        if written.contains("jagdpanzer") {
            unit.armor_kind = Some(ArmorKind::Jagdpanzer);
        }
        self.change(&mut unit, reduced)?;
        self.complete(&mut unit, reduced)?;
        Ok(unit)
    }

    /// Apply the fields that the file gives.
    fn change(&mut self, unit: &mut Unit, reduced: bool) -> Result<(), String> {
        if let Some(text) = self.table.name("values")? {
            let face = factors(&text).ok_or("values: must be such as \"4-5-3\"")?;
            (unit.front.attack, unit.front.defense, unit.front.allowance) = face;
        }
        let set = |name: &str, to: &mut u8| -> Result<(), String> {
            if let Some(n) = self.table.number(name)? {
                *to = n;
            }
            Ok(())
        };
        // A reduced unit of the pack shows its reduced side.
        let shown = if reduced { unit.reduced.as_mut().unwrap_or(&mut unit.front) } else { &mut unit.front };
        set("attack", &mut shown.attack)?;
        set("defense", &mut shown.defense)?;
        set("move", &mut shown.allowance)?;
        set("stacking", &mut shown.stacking)?;
        if let Some(morale) = self.table.name("morale")? {
            unit.morale = match morale.to_lowercase().replace([' ', '-'], "_").as_str() {
                "elite" => Morale::Elite,
                "regular" | "veteran" | "normal" => Morale::Regular,
                "low" | "low_quality" | "green" => Morale::Low,
                other => return Err(format!("morale: unknown `{other}`; there is elite, regular, low")),
            };
        }
        if let Some(rating) = self.table.number("armor")? {
            unit.armor = Some(rating).filter(|n| *n > 0);
            unit.armor_kind = unit.armor_kind.or(Some(ArmorKind::Tank));
        }
        if let Some(kind) = self.table.name("armor_kind")? {
            unit.armor_kind = Some(match kind.as_str() {
                "tank" => ArmorKind::Tank,
                "jagdpanzer" => ArmorKind::Jagdpanzer,
                "flak" => ArmorKind::Flak,
                other => {
                    return Err(format!("armor_kind: unknown `{other}`; there is tank, jagdpanzer, flak"));
                }
            });
        }
        if let Some(range) = self.table.number("range")? {
            unit.range = Some(range);
        }
        if let Some(name) = self.table.name("formation")? {
            unit.formation = self.formation(&name, unit.side);
        } else if unit.formation.starts_with("lab-") {
            unit.formation = self.formation(&unit.formation.clone(), unit.side);
        }
        if let Some(name) = self.table.name("also_command")? {
            unit.also_command = Some(self.formation(&name, unit.side));
        }
        for (name, flag) in [
            ("support", Flag::Support),
            ("airborne", Flag::Airborne),
            ("recon_circle", Flag::ReconCircle),
            ("garrison", Flag::GarrisonBox),
        ] {
            match self.table.truth(name)? {
                Some(true) if !unit.has(flag) => unit.flags.push(flag),
                Some(false) => unit.flags.retain(|f| *f != flag),
                _ => {}
            }
        }
        if let Some(yes) = self.table.truth("replaceable")? {
            unit.replaceable = yes;
        }
        for (name, kind) in [("remnant", PoolKind::Remnant), ("breakdown", PoolKind::Breakdown)] {
            let Some(id) = self.table.name(name)? else { continue };
            let known = self.pack.pools.iter().any(|p| p.id == id && p.kind == kind);
            if !known && id != "none" {
                return Err(format!("{name}: no such pool `{id}`"));
            }
            let id = Some(id).filter(|id| id != "none");
            if name == "remnant" { unit.remnant = id } else { unit.breakdown = id }
        }
        Ok(())
    }

    /// A formation by its id; a new one is added to the pack.
    fn formation(&mut self, name: &str, side: Side) -> String {
        let plain = name.trim().to_lowercase().replace([' ', '_'], "-");
        let known = self.pack.formations.iter().find(|f| f.id == plain || f.id == name);
        if let Some(f) = known {
            return f.id.clone();
        }
        self.pack.formations.push(Formation { id: plain.clone(), side, colour: None, supply_head: None });
        plain
    }

    /// Steps, the reduced side and the pools of a new unit.
    fn complete(&mut self, unit: &mut Unit, reduced: bool) -> Result<(), String> {
        let train = self.pack.categories(&unit.r#type).train;
        let steps = self.table.number("steps")?;
        let stacking = self.table.number("stacking")?;
        // 2.3.5: the number in the box is the number of steps of that side.
        match (steps, stacking) {
            (Some(steps), None) if !train => unit.front.stacking = steps,
            (None, Some(_)) => unit.steps = unit.front.stacking.max(1),
            _ => {}
        }
        if let Some(steps) = steps {
            unit.steps = steps;
        }
        if reduced {
            unit.steps = unit.steps.max(2);
        }
        if !(1..=3).contains(&unit.steps) {
            return Err("steps: 1 to 3".into());
        }
        if unit.steps > 1 {
            let front = unit.front;
            let half = if reduced {
                // If the file says `reduced`, the figures it gives are those of the reduced side.
                let stacking = if stacking.is_none() && !train { unit.steps - 1 } else { front.stacking };
                Face { stacking, ..front }
            } else {
                Face {
                    attack: front.attack.div_ceil(2),
                    defense: front.defense.div_ceil(2),
                    allowance: front.allowance,
                    stacking: front.stacking.saturating_sub(1).max(1),
                }
            };
            let mut back = half;
            if let Some(text) = self.table.name("reduced")? {
                let face = factors(&text).ok_or("reduced: must be such as \"2-3-3\"")?;
                (back.attack, back.defense, back.allowance) = face;
            }
            for (name, to) in [
                ("reduced_attack", &mut back.attack),
                ("reduced_defense", &mut back.defense),
                ("reduced_move", &mut back.allowance),
            ] {
                if let Some(n) = self.table.number(name)? {
                    *to = n;
                }
            }
            unit.reduced = Some(back);
        }
        let pool = |kind: &str| self.pool_for(unit, kind);
        let (remnant, breakdown) = (pool("remnant"), pool("breakdown"));
        if unit.steps == 3 && unit.remnant.is_none() && self.table.name("remnant")?.is_none() {
            unit.remnant = remnant;
        }
        let vehicle = self.pack.categories(&unit.r#type).vehicle;
        let breaks = unit.steps > 1 && !(vehicle && unit.side == Side::German);
        if breaks && unit.breakdown.is_none() && self.table.name("breakdown")?.is_none() {
            unit.breakdown = breakdown;
        }
        if unit.front.allowance == 0 && !unit.has(Flag::Immobile) {
            unit.flags.push(Flag::Immobile);
        }
        let heavy = unit.armor.is_some_and(|rating| rating >= 4);
        if (unit.has(Flag::Airborne) || heavy) && self.table.truth("replaceable")?.is_none() {
            unit.replaceable = false; // 20.3
        }
        Ok(())
    }

    /// The pool that fits a unit's formation and type.
    fn pool_for(&self, unit: &Unit, kind: &str) -> Option<String> {
        let tank = unit.r#type == "tank";
        let prefix = match (unit.side, unit.formation.as_str()) {
            (Side::German, _) => "de_infantry",
            (_, "82ab") => "us_82",
            (_, "101ab") => "us_101",
            (_, "pol") => "pl",
            _ if tank => "br_tank",
            _ if unit.has(Flag::Airborne) => "br_airborne",
            _ => "br_infantry",
        };
        let id = format!("{prefix}_{kind}");
        self.pack.pool(&id).map(|p| p.id.clone())
    }
}

/// `4-5-3`; a gun's attack is `S`.
fn factors(text: &str) -> Option<(u8, u8, u8)> {
    let mut parts = text.split('-').map(|p| match p.trim() {
        "S" | "s" => Some(0),
        n => n.trim_matches(['(', ')']).parse::<u8>().ok().filter(|n| *n < 100),
    });
    let face = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(face)
}

/// Players' names for a type, besides the pack's.
fn called(name: &str) -> String {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    match plain.as_str() {
        "infantry" | "foot" | "parachute" | "parachute_infantry" | "glider" | "glider_infantry"
        | "airborne" | "airborne_infantry" | "security" | "fortress" | "grenadier" | "fallschirmjaeger" => {
            "foot_infantry"
        }
        "motorized" | "motorised_infantry" | "motorised" | "motorized_inf" => "motorized_infantry",
        "mechanized_infantry" | "mechanised_infantry" | "panzergrenadier" | "armored_infantry" => {
            "mech_infantry"
        }
        "engineers" | "pioneers" => "engineer",
        "armor" | "armour" | "tanks" | "panzer" | "silhouette_tank" | "armor_nato" | "assault_gun"
        | "assault_guns" | "armor_recon" | "tank_recon" | "stug" => "tank",
        "jagdpanzer" | "tank_destroyers" => "tank_destroyer",
        "reconnaissance" => "recon",
        "anti_aircraft" => "flak",
        "gun" | "guns" => "artillery",
        "bridging_unit" | "bridging_column" | "bridge_unit" => "bridging",
        "head" => "supply_head",
        other => return other.to_owned(),
    }
    .to_owned()
}
