//! Units of lab files: taken from the pack, or made of their type and the fields that the file gives.

use std::{collections::HashMap, sync::OnceLock};

use kernel::SetupError;
use serde::Deserialize;
use toml::Value;

use crate::pack::{
    Army, Colour, CorpsId, DefenseMark, Edition, Factors, FormationDef, FormationId, FormationKind, Morale,
    Nation, Pack, PoolDef, PoolId, RegimentId, Role, SetupCode, Side, Size, Start, Strength, Symbol, Tag,
    TankQuality, UnitDef, UnitId, UnitSources, UnitType, Vehicle,
};

/// A unit of the file: which counter, and what the file says of where and how it is.
#[derive(Clone, Debug)]
pub struct PieceDef {
    pub unit: UnitId,
    /// As written; none for a unit of the pack that stays where it is.
    pub at: Option<String>,
    pub states: Vec<String>,
    /// Breakdown unit or Remnant: the id of the unit it came from (26.4).
    pub parent: Option<String>,
    /// Surrender points (23.7).
    pub points: u8,
}

/// What a type has that the file does not say (`packs/ardennes44/lab.toml`).
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

/// Every field that a unit may have, for the message about one that it may not.
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
        let piece = Reader { pack, table, edition, regiments: &mut regiments }
            .read()
            .map_err(|why| SetupError::Bad(format!("{name}: {why}")))?;
        if pieces.iter().any(|other| other.unit == piece.unit) {
            return Err(SetupError::Bad(format!("{name}: stands in the file twice")));
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

/// Other names that people give to fields; the pack's own come first.
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
    table: &'a toml::Table,
    edition: Edition,
    regiments: &'a mut HashMap<(Side, String), RegimentId>,
}

/// A value that must be one of some words.
fn word<T: for<'de> Deserialize<'de>>(name: &str, text: &str) -> Result<T, String> {
    let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
    let try_as = |text: &str| Value::String(text.to_owned()).try_into::<T>();
    try_as(text).or_else(|_| try_as(&plain)).map_err(|e: toml::de::Error| format!("{name}: {}", e.message()))
}

impl Reader<'_> {
    fn text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.table.get(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| format!("{name}: must be a text")),
        }
    }

    fn number(&self, name: &str) -> Result<Option<u8>, String> {
        match self.table.get(name) {
            None => Ok(None),
            Some(value) => {
                let small = value.as_integer().and_then(|n| u8::try_from(n).ok()).filter(|n| *n < 100);
                small.map(Some).ok_or_else(|| format!("{name}: must be a whole number from 0 to 99"))
            }
        }
    }

    fn truth(&self, name: &str) -> Result<Option<bool>, String> {
        match self.table.get(name) {
            None => Ok(None),
            Some(value) => value.as_bool().map(Some).ok_or_else(|| format!("{name}: must be true or false")),
        }
    }

    /// Names without a division, such as a division's, are also written as numbers.
    fn name(&self, name: &str) -> Result<Option<String>, String> {
        match self.table.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Integer(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(format!("{name}: must be a text")),
        }
    }

    fn states(&self) -> Result<Vec<String>, String> {
        match self.table.get("state") {
            None => Ok(Vec::new()),
            Some(Value::String(one)) => Ok(vec![one.clone()]),
            Some(Value::Array(list)) => {
                let texts = list.iter().map(|value| value.as_str().map(str::to_owned));
                texts.collect::<Option<_>>().ok_or_else(|| "state: must be a list of texts".into())
            }
            Some(_) => Err("state: must be a list of texts".into()),
        }
    }

    fn read(&mut self) -> Result<PieceDef, String> {
        let known = |key: &str| FIELDS.contains(&key) || kernel::lab::REMARKS.contains(&key);
        if let Some(field) = self.table.keys().find(|key| !known(key.as_str())) {
            return Err(format!("unknown field `{field}`; there is {}", FIELDS.join(", ")));
        }
        let states = self.states()?;
        let reduced = states.iter().any(|s| s.trim() == "reduced");
        let taken = match self.text("pack")? {
            Some(slug) => {
                Some(self.pack.unit_by_slug(slug).ok_or_else(|| format!("pack: no unit `{slug}`"))?)
            }
            None => None,
        };
        let id = self.text("id")?.map(str::to_owned);
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
            if let Some(side) = self.text("side")?.filter(|side| *side != def.side.to_string()) {
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
            at: self.text("hex")?.map(str::to_owned),
            states,
            parent: self.name("parent")?,
            points: self.number("surrender_points")?.unwrap_or(0),
        })
    }

    /// A unit of its type.
    fn make(&mut self, id: &str, reduced: bool) -> Result<UnitDef, String> {
        let (side, nation) = self.side()?;
        let unit_type: UnitType = match self.text("type")? {
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
            symbol: symbol(unit_type),
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
            // In play from the start: neither a reinforcement nor bound by a red code.
            start: Start::Pool,
            optional: None,
            tags: crate::pack::Tags::default(),
            source: UnitSources::default(),
            note: String::new(),
        };
        if unit_type == UnitType::ArmorNato {
            def.tags = def.tags.with(Tag::TankAndInfantry); // 21.1
        }
        match self.text("type")?.unwrap_or_default().trim().to_lowercase().as_str() {
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
        let name = self.text("side")?.ok_or("side: is missing; there is german, allied")?;
        let plain = match name {
            "german" => (Side::German, Nation::German),
            "allied" | "us" => (Side::Allied, Nation::Us),
            "british" => (Side::Allied, Nation::British),
            _ => return Err(format!("side: unknown side `{name}`; there is german, allied")),
        };
        let nation = match self.text("nation")? {
            None => plain.1,
            Some("uk") => Nation::British,
            Some(nation) => word("nation", nation)?,
        };
        Ok((plain.0, nation))
    }

    /// What the file says, over what the unit has.
    fn change(&mut self, def: &mut UnitDef, reduced: bool) -> Result<(), String> {
        let mut front = def.front;
        if let Some(text) = self.text("front")? {
            front = factors("front", text, front)?;
        }
        let mut touched = self.table.contains_key("front");
        for (name, field) in [
            ("attack", &mut front.attack),
            ("defense", &mut front.defense),
            ("move", &mut front.movement),
            ("stacking", &mut front.stacking),
        ] {
            if let Some(number) = self.number(name)? {
                (*field, touched) = (number, true);
            }
        }
        def.front = front;
        if touched {
            def.front_1e = None;
            if reduced {
                // A reduced unit shows its reduced side: the figures given are those that lie up.
                def.reduced = Some(front);
            }
        }
        let mut back = def.reduced;
        if let Some(text) = self.text("reduced")? {
            back = Some(factors("reduced", text, back.unwrap_or(front))?);
        }
        for (name, pick) in
            [("reduced_attack", 0), ("reduced_defense", 1), ("reduced_move", 2), ("reduced_stacking", 3)]
        {
            if let Some(number) = self.number(name)? {
                let side = back.get_or_insert(front);
                *[&mut side.attack, &mut side.defense, &mut side.movement, &mut side.stacking][pick] = number;
            }
        }
        def.reduced = back;
        if def.category.artillery && self.table.contains_key("move") {
            def.fired = Some(front);
        }
        if let Some(movement) = self.number("fired_move")? {
            def.fired = Some(Factors { movement, ..front });
        }
        if let Some(morale) = self.text("morale")? {
            def.morale = match morale {
                "normal" | "regular" => Morale::Veteran,
                morale => word("morale", morale)?,
            };
        }
        self.quality(def)?;
        if let Some(range) = self.number("range")? {
            def.range = range;
        }
        if let Some(steps) = self.number("steps")? {
            if !(1..=3).contains(&steps) {
                return Err("steps: must be 1 to 3".into());
            }
            def.steps = steps;
            if steps == 1 {
                def.reduced = None;
            }
        }
        if self.truth("defense_parentheses")?.unwrap_or(false) {
            def.defense_mark = DefenseMark::Parentheses; // 2.2
        }
        if self.truth("engineer")?.unwrap_or(false) {
            engineers(def);
        }
        self.looks(def)?;
        self.belonging(def)?;
        if let Some(red) = self.truth("red_code")? {
            let hex = crate::pack::HexRef { col: 99, row: 99 };
            let code = if red { SetupCode::Red } else { SetupCode::White };
            def.start = Start::Hex { hex, code, improved_position: false, reduced: false };
        }
        if let Some(replaceable) = self.truth("replaceable")? {
            def.replaceable = replaceable;
        }
        if let Some(value) = self.table.get("tags") {
            let list = value.as_array().ok_or("tags: must be a list of texts")?;
            for tag in list {
                def.tags = def.tags.with(word("tags", tag.as_str().ok_or("tags: must be a list of texts")?)?);
            }
        }
        for (name, remnant) in [("remnant", true), ("breakdown", false)] {
            if let Some(pool) = self.text(name)? {
                let at = self.pack.pools.iter().position(|p| p.id == pool && p.remnant == remnant);
                let at = PoolId(at.ok_or_else(|| format!("{name}: no pool `{pool}`"))? as u8);
                *(if remnant { &mut def.remnant } else { &mut def.breakdown }) = Some(at);
            }
        }
        Ok(())
    }

    fn quality(&self, def: &mut UnitDef) -> Result<(), String> {
        // `tq_red = 4` is a red 4.
        let red_number = matches!(self.table.get("tq_red"), Some(Value::Integer(_)));
        let number = if red_number { self.number("tq_red")? } else { self.number("tq")? };
        if let Some(tq) = number {
            let red = red_number || def.tq.is_some_and(|old| old.red);
            def.tq = (tq > 0).then_some(TankQuality { front: tq, reduced: tq, red });
        }
        if let Some(tq) = &mut def.tq {
            if let Some(reduced) = self.number("tq_reduced")? {
                tq.reduced = reduced;
            }
            if !red_number && let Some(red) = self.truth("tq_red")? {
                tq.red = red;
            }
        }
        Ok(())
    }

    fn looks(&self, def: &mut UnitDef) -> Result<(), String> {
        match self.table.get("silhouette") {
            None | Some(Value::Boolean(_)) => {}
            Some(Value::String(name)) => {
                def.vehicle = word::<Vehicle>("silhouette", name).ok().or(def.vehicle);
            }
            Some(_) => return Err("silhouette: must be true, false or the name of a vehicle".into()),
        }
        if let Some(vehicle) = self.text("vehicle")? {
            def.vehicle = Some(word("vehicle", vehicle)?);
        }
        if let Some(symbol) = self.text("symbol")? {
            def.symbol = word("symbol", symbol)?;
        }
        if let Some(size) = self.text("size")? {
            def.size = Value::String(size.into())
                .try_into()
                .map_err(|e: toml::de::Error| format!("size: {}", e.message()))?;
            if def.size == Size::CombatCommand {
                def.tags = def.tags.with(Tag::CombatCommand).with(Tag::TankAndInfantry); // 21.1
            }
        }
        if let Some(label) = self.name("label")? {
            def.label = label;
        }
        if let Some(name) = self.name("name")? {
            def.name = name;
        }
        Ok(())
    }

    /// Division, regiment, colours (2.5, 2.11).
    fn belonging(&mut self, def: &mut UnitDef) -> Result<(), String> {
        let division = match self.name("division")? {
            Some(name) => Some(name),
            None => self.name("formation")?,
        };
        let colour = match self.text("colour")? {
            Some(name) => Some(name),
            None => self.text("color")?,
        };
        let colour = match colour {
            Some(name) => Some(match name.trim().to_lowercase().as_str() {
                "gray" => Colour::Grey,
                "violet" => Colour::Purple,
                "tan" | "sand" => Colour::Beige,
                "claret" | "crimson" | "burgundy" => Colour::Maroon,
                _ => word::<Colour>("colour", name)?,
            }),
            None => None,
        };
        if let Some(name) = division {
            let id = self.division(def.side, &name);
            def.formation = Some(id);
            let formation = &self.pack.formations[id.index()];
            if formation.colour != Colour::White {
                // Of the pack: its army and corps come with it.
                (def.colour, def.army, def.corps) = (formation.colour, formation.army, formation.corps);
            }
        }
        if let Some(colour) = colour {
            def.colour = colour;
            def.army = match (def.side, colour) {
                (Side::German, Colour::Red) => Some(Army::SixthPanzer),
                (Side::German, Colour::Grey) => Some(Army::FifthPanzer),
                (Side::German, Colour::Blue) => Some(Army::Seventh),
                (Side::German, Colour::Green) => Some(Army::Nordwind),
                _ => def.army,
            };
        }
        if let Some(army) = self.text("army")? {
            def.army = Some(word("army", army)?);
        }
        if let Some(corps) = self.name("corps")? {
            let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
            let at = self.pack.corps.iter().position(|c| {
                c.side == def.side && (plain(&c.id) == plain(&corps) || plain(&c.label) == plain(&corps))
            });
            def.corps = Some(CorpsId(at.ok_or_else(|| format!("corps: no corps `{corps}`"))? as u8));
        }
        if let Some(regiment) = self.name("regiment")? {
            let taken = self.pack.units.iter().filter_map(|u| u.regiment).map(|r| r.0 + 1).max().unwrap_or(0);
            let next = RegimentId(taken + self.regiments.len() as u16);
            let division =
                def.formation.map_or(String::new(), |f| self.pack.formations[f.index()].id.clone());
            let key = (def.side, format!("{division}/{regiment}"));
            def.regiment = Some(*self.regiments.entry(key).or_insert(next));
        }
        Ok(())
    }

    /// The pack's formation of that name, or a new one that only this file has.
    fn division(&mut self, side: Side, name: &str) -> FormationId {
        let plain =
            |text: &str| -> String { text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect() };
        let wanted = plain(name);
        let known = self.pack.formations.iter().position(|f| {
            f.side == side && (f.id == name || plain(&f.id) == wanted || plain(&f.label) == wanted)
        });
        let at = known.unwrap_or_else(|| {
            self.pack.formations.push(FormationDef {
                id: name.to_owned(),
                label: name.to_owned(),
                side,
                kind: FormationKind::InfantryDivision,
                army: None,
                corps: None,
                colour: Colour::White,
                panzer: false,
                fuel_table: 0,
                area: None,
                units: Vec::new(),
            });
            self.pack.formations.len() - 1
        });
        FormationId(at as u8)
    }

    /// Steps, reduced side, Remnant and Breakdown unit that the file leaves open.
    fn complete(&self, def: &mut UnitDef, reduced: bool) -> Result<(), String> {
        if def.side == Side::German && def.category.artillery {
            match self.number("move")? {
                // 22.2: only Nebelwerfer move by themselves.
                Some(1) => def.symbol = Symbol::Nebelwerfer,
                Some(_) => {}
                None if def.symbol == Symbol::Nebelwerfer => def.front.movement = 1,
                None => def.front.movement = 0,
            }
        }
        let stacking = self.number("stacking")?;
        if def.steps == 0 {
            def.steps = match def.unit_type {
                // 8.2: two-step tank units have DF 3 or 4.
                UnitType::SilhouetteTank => 1 + u8::from(def.front.defense >= 3),
                UnitType::Artillery => 1,
                // The pack's counters: a step for each stacking point.
                _ => match stacking {
                    Some(points) => points.clamp(1, 3),
                    None => 1 + u8::from(def.front.attack.max(def.front.defense) >= 3),
                },
            };
            if reduced || def.reduced.is_some() {
                def.steps = def.steps.max(2);
            }
        }
        if def.steps > 1 && def.reduced.is_none() {
            let front = def.front;
            def.reduced = Some(Factors {
                attack: front.attack.div_ceil(2),
                defense: front.defense.div_ceil(2),
                movement: front.movement,
                stacking: match def.unit_type {
                    UnitType::SilhouetteTank | UnitType::Artillery => front.stacking,
                    _ if def.steps == 3 => front.stacking.saturating_sub(1).max(2),
                    _ => front.stacking.saturating_sub(1).max(1).min(front.stacking),
                },
            });
        }
        let pool = |remnant: bool| -> Option<PoolId> {
            let fits = |pool: &PoolDef| {
                let first = &self.pack.units[pool.first.index()];
                let same_type = first.unit_type == def.unit_type
                    || first.unit_type == UnitType::MechInfantry
                        && def.unit_type == UnitType::MotorizedInfantry;
                let british = |nation| nation == Nation::British;
                pool.remnant == remnant
                    && pool.side == def.side
                    && same_type
                    && british(first.nation) == british(def.nation)
            };
            let parachute = matches!(def.symbol, Symbol::Parachute | Symbol::Glider);
            let best = |pool: &PoolDef| {
                (self.pack.units[pool.first.index()].symbol == Symbol::Parachute) == parachute
            };
            let mut pools = self.pack.pools.iter().enumerate().filter(|(_, pool)| fits(pool));
            pools
                .clone()
                .find(|(_, pool)| best(pool))
                .or_else(|| pools.next())
                .map(|(at, _)| PoolId(at as u8))
        };
        // 16.4
        let large = def.reduced.is_some_and(|back| back.stacking >= 2) && def.steps > 1;
        if large && def.remnant.is_none() {
            def.remnant = pool(true);
        }
        // 26.1
        let regiment = def.steps > 1 && def.front.stacking >= 2;
        let tanks = def.unit_type == UnitType::SilhouetteTank && def.nation == Nation::Us && def.steps > 1;
        if def.breakdown.is_none() {
            def.breakdown = match (regiment, tanks) {
                (true, _) => pool(false),
                (_, true) => {
                    let task_force = self.pack.pools.iter().position(|pool| pool.id == "us_task_force");
                    task_force.map(|at| PoolId(at as u8))
                }
                _ => None,
            };
        }
        // 22.6, 25.22: nobody has said to which army or corps it belongs.
        let known = ["colour", "color", "army", "corps"].iter().any(|name| self.table.contains_key(*name))
            || def.formation.is_some_and(|f| self.pack.formations[f.index()].colour != Colour::White);
        if !known {
            def.tags = def.tags.with(Tag::AnyColour);
        }
        if self.edition == Edition::First {
            def.front_1e = Some(def.front);
        }
        Ok(())
    }
}

/// `6-6-3`, as counters print it.
fn factors(name: &str, text: &str, base: Factors) -> Result<Factors, String> {
    let bad = || format!("{name}: must be factors such as \"6-6-3\"");
    let mut numbers = text.split('-').map(|part| part.trim_matches(['(', ')', ' ']).parse::<u8>());
    let mut next = || numbers.next().and_then(Result::ok).ok_or_else(bad);
    Ok(Factors { attack: next()?, defense: next()?, movement: next()?, ..base })
}

fn engineers(def: &mut UnitDef) {
    def.tags = def.tags.with(Tag::Engineer);
    def.symbol = Symbol::Engineer;
    if def.side == Side::Allied {
        def.defense_mark = DefenseMark::Outlined; // 27.1
    }
}

/// What players call a type, besides the pack's names.
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

fn symbol(unit_type: UnitType) -> Symbol {
    match unit_type {
        UnitType::SilhouetteTank => Symbol::Silhouette,
        UnitType::ArmorNato => Symbol::Armor,
        UnitType::Recon => Symbol::Recon,
        UnitType::Flak => Symbol::Flak,
        UnitType::Artillery => Symbol::Artillery,
        UnitType::MechInfantry => Symbol::MechInfantry,
        UnitType::MotorizedInfantry => Symbol::MotorizedInfantry,
        UnitType::FootInfantry => Symbol::Infantry,
    }
}
