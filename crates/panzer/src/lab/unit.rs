//! `[[unit]]`: a vehicle of the pack or of the scenario, or one whose card is defined in the file.

use hexgrid::Direction;
use kernel::{SetupError, lab::REMARKS};
use toml::{Table, Value};

use super::side_named;
use crate::{
    notation::{facing_name, read_command, read_facing},
    pack::{
        Advanced, ApRow, Card, FieldOfFire, Mount, Movement, Nation, Scenario, Side, Start, Traction, UnitDef,
    },
    state::{Command, Flags, Place, Spot},
    units::UnitId,
};

/// What a file says about a vehicle besides its card.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub unit: UnitId,
    pub hex: Option<String>,
    pub facing: Option<Direction>,
    pub command: Option<Command>,
    pub spot: Option<Spot>,
    pub flags: Flags,
    pub place: Option<Place>,
    /// For the Advanced Game: its transport, the vehicle that brought it, and whether it is away from its ammunition.
    pub aboard: Option<String>,
    pub hauler: Option<String>,
    pub away: bool,
    /// 6.1.4.3.7: the open side of its Improved Position.
    pub open_side: Option<Direction>,
    /// 7.2
    pub hidden: bool,
    /// 6.2.1.1.3: units with the same number share a Command; 0: it has its own.
    pub group: u8,
}

fn bad(unit: &str, what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(format!("unit {unit}: {what}"))
}

/// Card fields that a file may give.
const CARD: [&str; 22] = [
    "size",
    "target_size",
    "armor",
    "basic_armor",
    "front",
    "rear",
    "movement",
    "move",
    "movement_factor",
    "traction",
    "path",
    "road",
    "armed",
    "combat",
    "points",
    "open_top",
    "turret_turn",
    "tt",
    "field_of_fire",
    "ap",
    "range",
    "penetration",
];
const OWN: [&str; 23] = [
    "id",
    "side",
    "nation",
    "hex",
    "facing",
    "card",
    "pack",
    "type",
    "name",
    "vehicle",
    "command",
    "spot",
    "damaged",
    "fired",
    "moved",
    "revealed",
    "state",
    "formation",
    "place",
    "enters",
    "weapon",
    "weapons",
    "mounts",
];

/// Fields that only the Advanced Game knows.
const ADVANCED: [&[&str]; 3] = [&super::advanced::FIELDS, &super::figures::FIELDS, &super::arms::FIELDS];

/// Read every vehicle: new ones join the scenario, its own are changed.
pub(super) fn read_all(
    tables: &[&Table],
    scenario: &mut Scenario,
    cards: &mut Vec<Card>,
    advanced: Option<&Advanced>,
) -> Result<Vec<Piece>, SetupError> {
    let mut pieces = Vec::new();
    for (n, table) in tables.iter().enumerate() {
        let id = match table.get("id") {
            Some(Value::String(id)) if !id.is_empty() && !id.contains(char::is_whitespace) => id.clone(),
            Some(_) => return Err(bad(&(n + 1).to_string(), "id must be a text without blanks")),
            None => return Err(bad(&(n + 1).to_string(), "id is missing; write id = \"A\"")),
        };
        let known = |key: &str| {
            let more = advanced.is_some() && ADVANCED.iter().any(|fields| fields.contains(&key));
            OWN.contains(&key) || CARD.contains(&key) || REMARKS.contains(&key) || more
        };
        if let Some(key) = table.keys().find(|key| !known(key)) {
            let mut known = [&OWN[..], &CARD[..]].concat();
            known.extend(ADVANCED.iter().copied().flatten().filter(|_| advanced.is_some()));
            let known = known.join(", ");
            return Err(SetupError::Unknown { what: "field of a unit", name: key.clone(), known });
        }
        let table = &super::advanced::with_team(&id, table, cards, advanced)?;
        // A unit of a class has the usual card of its side, whatever else the file says of it.
        let of_class = text(&id, table, "kind")?
            .filter(|_| !["card", "pack", "vehicle"].iter().any(|key| table.contains_key(*key)));
        let mut stated = table.clone();
        if let (Some(pack), Some(kind)) = (advanced, of_class)
            && !scenario.units.iter().any(|unit| unit.id == id)
        {
            let nation = text(&id, table, "nation")?.or(text(&id, table, "side")?);
            let usual = super::advanced::usual(pack, side(&id, table, None)?, kind, nation);
            stated.extend(usual.map(|card| ("card".to_owned(), Value::String(card))));
        }
        let mut card = card(&id, &stated, scenario, cards, advanced.is_some())?;
        if let (None, Some(pack), Some(kind)) = (&card, advanced, text(&id, table, "kind")?) {
            let nation = text(&id, table, "nation")?.or(text(&id, table, "side")?);
            card = super::advanced::usual(pack, side(&id, table, None)?, kind, nation);
        }
        let at = scenario.units.iter().position(|unit| unit.id == id);
        let unit = match at {
            Some(at) => {
                if let Some(card) = card {
                    scenario.units[at].card = card;
                }
                at
            }
            None => {
                let nation = cards.iter().find(|c| Some(&c.id) == card.as_ref()).map(|c| c.nation);
                let side = side(&id, table, nation)?;
                let nation = nation.map(Nation::key);
                let card = card.unwrap_or_else(|| usual(side).to_owned());
                let hex = text(&id, table, "hex")?.unwrap_or_default().to_owned();
                let start = start(&id, table, hex)?;
                let formation = text(&id, table, "formation")?.unwrap_or(side.key()).to_owned();
                let extras = match advanced {
                    Some(pack) => super::advanced::extras(&id, table, pack, nation)?,
                    None => crate::pack::UnitExtras::default(),
                };
                scenario.units.push(UnitDef { id: id.clone(), side, card, formation, start, extras });
                scenario.units.len() - 1
            }
        };
        let mut piece = piece(&id, table, UnitId(unit as u8))?;
        states(&id, table, &mut piece)?;
        if advanced.is_some() {
            super::advanced::marks(&id, table, &mut piece)?;
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

/// The default card of a vehicle.
const fn usual(side: Side) -> &'static str {
    match side {
        Side::Axis => "pz_iiig",
        Side::Allied => "crusader_i",
    }
}

fn text<'a>(id: &str, table: &'a Table, key: &str) -> Result<Option<&'a str>, SetupError> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(bad(id, format!("{key} must be a text, not {other}"))),
    }
}

fn flag(id: &str, table: &Table, key: &str) -> Result<bool, SetupError> {
    match table.get(key) {
        None => Ok(false),
        Some(Value::Boolean(yes)) => Ok(*yes),
        Some(other) => Err(bad(id, format!("{key} must be true or false, not {other}"))),
    }
}

fn side(id: &str, table: &Table, nation: Option<Nation>) -> Result<Side, SetupError> {
    for key in ["side", "nation"] {
        if let Some(name) = text(id, table, key)? {
            return side_named(name).ok_or_else(|| SetupError::Unknown {
                what: "side",
                name: name.into(),
                known: "axis (german, italian), allied (british, american)".into(),
            });
        }
    }
    Ok(nation.map_or(Side::Axis, Nation::side))
}

pub(super) fn facing(id: &str, value: &Value) -> Result<Direction, SetupError> {
    let name = match value {
        Value::String(name) => name.clone(),
        other => other.to_string(),
    };
    read_facing(&name).ok_or_else(|| {
        let known = Direction::ALL.map(facing_name).join(", ");
        bad(id, format!("facing `{name}`; there is {known}, or 1 to 6 clockwise from north"))
    })
}

fn start(id: &str, table: &Table, hex: String) -> Result<Start, SetupError> {
    let facing_of = |table: &Table| match table.get("facing") {
        Some(value) => facing(id, value),
        None => Ok(Direction::D0),
    };
    match table.get("enters") {
        None if hex.is_empty() => {
            Ok(Start::Enters { turn: u8::MAX, hexes: Vec::new(), facing: facing_of(table)? })
        }
        None => Ok(Start::At { hex, facing: facing_of(table)? }),
        Some(Value::Table(gate)) => {
            let hexes = match gate.get("hexes").or_else(|| gate.get("hex")) {
                Some(Value::String(hex)) => vec![hex.clone()],
                Some(Value::Array(list)) => {
                    list.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
                }
                _ => return Err(bad(id, "enters must have hexes, such as { turn = 2, hexes = [\"A5\"] }")),
            };
            let turn = gate.get("turn").and_then(Value::as_integer).unwrap_or(1);
            let turn = u8::try_from(turn).map_err(|_| bad(id, "enters.turn must be a turn number"))?;
            let facing = if gate.contains_key("facing") { facing_of(gate)? } else { facing_of(table)? };
            Ok(Start::Enters { turn, hexes, facing })
        }
        Some(_) => Err(bad(id, "enters must be a table, such as { turn = 2, hexes = [\"A5\"] }")),
    }
}

fn piece(id: &str, table: &Table, unit: UnitId) -> Result<Piece, SetupError> {
    let command = match text(id, table, "command")? {
        None => None,
        Some(name) => Some(read_command(name).ok_or_else(|| {
            bad(id, format!("command `{name}`; there is {}", Command::ALL.map(Command::key).join(", ")))
        })?),
    };
    let mut piece = Piece {
        unit,
        hex: text(id, table, "hex")?.map(str::to_owned),
        facing: table.get("facing").map(|value| facing(id, value)).transpose()?,
        command,
        spot: None,
        flags: Flags(0),
        place: None,
        aboard: None,
        hauler: None,
        away: false,
        open_side: None,
        hidden: false,
        group: 0,
    };
    match table.get("spot") {
        None => {}
        Some(Value::String(name)) => piece.spot = Some(spot(id, name)?),
        Some(Value::Boolean(false)) => piece.spot = Some(Spot::None),
        Some(_) => return Err(bad(id, "spot must be \"fire\", \"move\" or \"none\"")),
    }
    for (key, mark) in [
        ("damaged", Flags::DAMAGED),
        ("fired", Flags::FIRED),
        ("moved", Flags::MOVED),
        ("revealed", Flags::REVEALED),
    ] {
        if flag(id, table, key)? {
            piece.flags.0 |= mark.0;
        }
    }
    if let Some(name) = text(id, table, "place")? {
        piece.place = Some(place(id, name)?);
    }
    Ok(piece)
}

fn spot(id: &str, name: &str) -> Result<Spot, SetupError> {
    match name.to_lowercase().replace(['/', '-', ' '], "_").as_str() {
        "fire" | "spot_fire" => Ok(Spot::Fire),
        "fire_sa" | "spot_fire_sa" | "sa" => Ok(Spot::FireSmallArms),
        "move" | "spot_move" => Ok(Spot::Move),
        "none" | "" => Ok(Spot::None),
        _ => Err(bad(id, format!("spot `{name}`; there is fire, move, none"))),
    }
}

fn place(id: &str, name: &str) -> Result<Place, SetupError> {
    let all = [Place::Map, Place::Held, Place::Exited, Place::KnockedOut, Place::BrewedUp];
    match name.to_lowercase().as_str() {
        "ko" => Ok(Place::KnockedOut),
        "bu" => Ok(Place::BrewedUp),
        name => all
            .into_iter()
            .find(|p| p.key() == name)
            .ok_or_else(|| bad(id, format!("place `{name}`; there is {}", all.map(Place::key).join(", ")))),
    }
}

/// `state = ["damaged", "spot/fire", "fired"]`
fn states(id: &str, table: &Table, piece: &mut Piece) -> Result<(), SetupError> {
    let list = match table.get("state") {
        None => return Ok(()),
        Some(Value::Array(list)) => list.clone(),
        Some(one) => vec![one.clone()],
    };
    for value in &list {
        let name = value.as_str().ok_or_else(|| bad(id, "state must be a list of texts"))?;
        match name.to_lowercase().replace(['/', '-', ' '], "_").as_str() {
            "damaged" | "dmgd" => piece.flags.0 |= Flags::DAMAGED.0,
            "fired" => piece.flags.0 |= Flags::FIRED.0,
            "moved" => piece.flags.0 |= Flags::MOVED.0,
            "revealed" | "shown" => piece.flags.0 |= Flags::REVEALED.0,
            "ko" | "knocked_out" => piece.place = Some(Place::KnockedOut),
            "bu" | "brewed_up" => piece.place = Some(Place::BrewedUp),
            // What a table shows of a unit and what follows from the rest of the file.
            "spotted" | "loaded" | "aboard" | "command_hidden" => {}
            "command_none" => piece.command = read_command("no_command"),
            other => match (spot(id, other), read_command(other.strip_prefix("command_").unwrap_or(other))) {
                (Ok(spot), _) => piece.spot = Some(spot),
                (_, Some(command)) => piece.command = Some(command),
                _ if super::advanced::flag(other).is_some() => {
                    piece.flags.0 |= super::advanced::flag(other).unwrap_or_default().0;
                }
                _ => {
                    let known = "damaged, fired, moved, revealed, spot_fire, spot_move, ko, bu, suppressed, full_cover, \
                                 track_hit and other marks of the Advanced Game, or a Command";
                    return Err(bad(id, format!("state `{name}`; there is {known}")));
                }
            },
        }
    }
    Ok(())
}

/// The id of the vehicle's card: one of the pack, or a new one defined in the file. `None`: the scenario's card is
/// kept.
fn card(
    id: &str,
    table: &Table,
    scenario: &Scenario,
    cards: &mut Vec<Card>,
    advanced: bool,
) -> Result<Option<String>, SetupError> {
    let nation = text(id, table, "nation")?.or(text(id, table, "side")?);
    let written = table
        .keys()
        .any(|key| CARD.contains(&key.as_str()) || matches!(key.as_str(), "weapon" | "weapons" | "mounts"));
    let mut base = None;
    for key in ["card", "pack", "type", "vehicle", "name"] {
        let Some(name) = text(id, table, key)? else { continue };
        match super::cards::find(cards, name, nation) {
            Some(card) => base = Some(card.clone()),
            // Any name is allowed if the card is written out.
            None if key == "name" || key == "type" && written => continue,
            None => {
                return Err(SetupError::Unknown {
                    what: "data card",
                    name: name.into(),
                    known: cards.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(", "),
                });
            }
        }
        break;
    }
    if !written {
        return Ok(base.map(|card| card.id));
    }
    let listed = scenario.units.iter().find(|unit| unit.id == id);
    let listed = listed.and_then(|unit| cards.iter().find(|card| card.id == unit.card)).cloned();
    let fallback = || {
        let side = side(id, table, None).unwrap_or_default();
        cards.iter().find(|card| card.id == usual(side)).cloned()
    };
    let mut card = base.or(listed).or_else(fallback).unwrap_or_default();
    card.printed.insert("based_on".into(), Value::String(card.id.clone()));
    card.id = format!("lab:{id}");
    write(id, table, &mut card, advanced)?;
    let name = card.id.clone();
    cards.push(card);
    Ok(Some(name))
}

fn whole(id: &str, key: &str, value: &Value) -> Result<i64, SetupError> {
    value.as_integer().ok_or_else(|| bad(id, format!("{key} must be a whole number, not {value}")))
}

fn small(id: &str, key: &str, value: &Value) -> Result<u8, SetupError> {
    u8::try_from(whole(id, key, value)?).map_err(|_| bad(id, format!("{key} must be 0 to 255")))
}

/// The fields of a card given in the file.
fn write(id: &str, table: &Table, card: &mut Card, advanced: bool) -> Result<(), SetupError> {
    if let Some(value) = table.get("size").or_else(|| table.get("target_size")) {
        card.size = i8::try_from(whole(id, "size", value)?)
            .ok()
            .filter(|n| (-2..=2).contains(n))
            .ok_or_else(|| bad(id, "size must be -2 to 2"))?;
    }
    let located = |value: &&Value| advanced && super::arms::by_location(value);
    if let Some(value) =
        table.get("armor").filter(|value| !located(value)).or_else(|| table.get("basic_armor"))
    {
        card.armor = armor(id, value)?;
    }
    for (n, key) in ["front", "rear"].into_iter().enumerate() {
        if let Some(value) = table.get(key) {
            card.armor[n] = small(id, key, value)?;
        }
    }
    if let Some(value) = ["movement", "movement_factor", "move"].iter().find_map(|key| table.get(*key)) {
        card.movement = movement(id, value, card.movement)?;
    }
    if let Some(name) = text(id, table, "traction")? {
        card.movement.traction = traction(id, name)?;
    }
    if let Some(value) = table.get("path") {
        card.movement.path = small(id, "path", value)?;
    }
    if let Some(value) = table.get("road") {
        card.movement.road = small(id, "road", value)?;
    }
    for key in ["armed", "combat"] {
        if table.contains_key(key) {
            card.armed = flag(id, table, key)?;
        }
    }
    if !card.armed {
        card.mounts.clear();
    }
    card.open_top = if table.contains_key("open_top") { flag(id, table, "open_top")? } else { card.open_top };
    if let Some(value) = table.get("points") {
        card.points =
            u16::try_from(whole(id, "points", value)?).map_err(|_| bad(id, "points must not be negative"))?;
    }
    if let Some(list) = ["weapons", "mounts"].iter().find_map(|key| table.get(*key)) {
        let list = list.as_array().ok_or_else(|| bad(id, "weapons must be a list of tables"))?;
        // Those of the pack are read with the rest of the Advanced card.
        let written = list.iter().filter(|value| !advanced || !super::arms::of_pack(value));
        card.mounts = written
            .map(|value| {
                let table = value.as_table().ok_or_else(|| bad(id, "weapons must be a list of tables"))?;
                mount(id, table, Mount::default())
            })
            .collect::<Result<_, _>>()?;
        card.armed = !list.is_empty();
    }
    if let Some(Value::Table(weapon)) = table.get("weapon") {
        card.mounts = vec![mount(id, weapon, Mount::default())?];
        card.armed = true;
    }
    let gun = ["ap", "range", "penetration", "turret_turn", "tt", "field_of_fire"];
    if gun.iter().any(|key| table.contains_key(*key)) {
        let first = card.mounts.first().cloned().unwrap_or_default();
        let changed = mount(id, table, first)?;
        card.mounts.truncate(1);
        card.mounts.clear();
        card.mounts.push(changed);
        card.armed = true;
    }
    Ok(())
}

fn mount(id: &str, table: &Table, mut mount: Mount) -> Result<Mount, SetupError> {
    if let Some(Value::String(name)) = table.get("name").filter(|_| !table.contains_key("id")) {
        mount.name.clone_from(name);
        mount.weapon.clone_from(name);
    }
    if let Some(value) = table.get("turret_turn").or_else(|| table.get("tt")) {
        let turn = whole(id, "turret_turn", value)?;
        mount.turret_turn = u16::try_from(turn)
            .ok()
            .filter(|n| matches!(n, 0..=3 | 360))
            .ok_or_else(|| bad(id, "turret_turn must be 0, 1, 2, 3 or 360"))?;
        if mount.turret_turn > 0 && !table.contains_key("field_of_fire") {
            mount.field_of_fire = FieldOfFire::All;
        }
    }
    if let Some(name) = text(id, table, "field_of_fire")? {
        mount.field_of_fire = match name {
            "front" => FieldOfFire::Front,
            "rear" => FieldOfFire::Rear,
            "360" | "all" => FieldOfFire::All,
            _ => return Err(bad(id, format!("field_of_fire `{name}`; there is front, rear, 360"))),
        };
    }
    let row = match table.get("ap") {
        Some(Value::Table(row)) => row,
        Some(Value::Boolean(false)) => {
            mount.ap = None;
            return Ok(mount);
        }
        Some(_) => return Err(bad(id, "ap must be a table with range and penetration")),
        None => table,
    };
    let five = |key: &str, old: [u8; 5]| match row.get(key) {
        None => Ok(old),
        Some(Value::Array(list)) if list.len() == 5 => {
            let mut values = [0; 5];
            for (slot, value) in values.iter_mut().zip(list) {
                *slot = small(id, key, value)?;
            }
            Ok(values)
        }
        // One value for every Range Factor.
        Some(Value::Integer(_)) if key == "penetration" => Ok([small(id, key, &row[key])?; 5]),
        Some(_) => Err(bad(id, format!("{key} must be five numbers, for P, S, M, L, E"))),
    };
    let old = mount.ap.unwrap_or_default();
    let ap = ApRow { range: five("range", old.range)?, penetration: five("penetration", old.penetration)? };
    if ap.range.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(bad(id, "range must not fall from P to E"));
    }
    mount.ap = (ap != ApRow::default()).then_some(ap);
    Ok(mount)
}

/// `{ front = 10, rear = 6 }`, `[10, 6]` or `"10/6"`.
fn armor(id: &str, value: &Value) -> Result<[u8; 2], SetupError> {
    let wrong = || bad(id, "armor must be { front = 10, rear = 6 }, [10, 6] or \"10/6\"");
    match value {
        Value::Table(table) => {
            let part = |key: &str| table.get(key).ok_or_else(wrong).and_then(|value| small(id, key, value));
            Ok([part("front")?, part("rear")?])
        }
        Value::Array(list) if list.len() == 2 => {
            Ok([small(id, "armor", &list[0])?, small(id, "armor", &list[1])?])
        }
        Value::String(text) => {
            let (front, rear) = text.split_once('/').ok_or_else(wrong)?;
            Ok([front.trim().parse().map_err(|_| wrong())?, rear.trim().parse().map_err(|_| wrong())?])
        }
        _ => Err(wrong()),
    }
}

fn traction(id: &str, name: &str) -> Result<Traction, SetupError> {
    match name.to_lowercase().as_str() {
        "t" | "tracked" => Ok(Traction::Tracked),
        "h" | "half-tracked" | "half_tracked" | "halftracked" => Ok(Traction::HalfTracked),
        "w" | "wheeled" => Ok(Traction::Wheeled),
        "m" | "motorcycle" => Ok(Traction::Motorcycle),
        _ => Err(bad(id, format!("traction `{name}`; there is T, H, W"))),
    }
}

/// `"4T 6-9"`, a table, or the cross-country allowance alone.
fn movement(id: &str, value: &Value, old: Movement) -> Result<Movement, SetupError> {
    let wrong = || {
        bad(id, "movement must be \"4T 6-9\" or { cross_country = 4, traction = \"T\", path = 6, road = 9 }")
    };
    match value {
        Value::Integer(_) => Ok(Movement { cross_country: small(id, "movement", value)?, ..old }),
        Value::Table(table) => {
            let part = |key: &str, old: u8| table.get(key).map_or(Ok(old), |value| small(id, key, value));
            let traction = match table.get("traction").and_then(Value::as_str) {
                Some(name) => traction(id, name)?,
                None => old.traction,
            };
            Ok(Movement {
                cross_country: part("cross_country", old.cross_country)?,
                traction,
                path: part("path", old.path)?,
                road: part("road", old.road)?,
            })
        }
        Value::String(text) => {
            let (factor, ways) = text.trim().split_once(' ').ok_or_else(wrong)?;
            let at = factor.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
            let (path, road) = ways.trim().split_once('-').ok_or_else(wrong)?;
            Ok(Movement {
                cross_country: factor[..at].parse().map_err(|_| wrong())?,
                traction: traction(id, &factor[at..])?,
                path: path.trim().parse().map_err(|_| wrong())?,
                road: road.trim().parse().map_err(|_| wrong())?,
            })
        }
        _ => Err(wrong()),
    }
}
