//! The Advanced Game in a lab file (`edition = "advanced"`): formations and grades, and units other than vehicles.

use kernel::SetupError;
use toml::{Table, Value};

use super::{side_named, unit::Piece};
use crate::{
    pack::{
        Scenario, Side,
        advanced::{
            AaRow, Advanced, BatteryDef, Formation, GpDefense, GpRow, Grade, Label, LegSize, Level, Module,
            Rate, TargetType, UnitExtras,
        },
    },
    piece::{AdvancedGame, AntiAir, Defense},
    rules::Panzer,
    state::{Flags, State},
};

/// Fields of a unit that only the Advanced Game has.
pub(super) const FIELDS: [&str; 39] = [
    "kind",
    "grade",
    "labels",
    "attached",
    "aboard",
    "suppressed",
    "suppression",
    "partly_hull_down",
    "upstairs",
    "group",
    "full_cover",
    "hull_down",
    "turret_damaged",
    "hull_damaged",
    "track_hit",
    "bailed",
    "abandoned",
    "reduced",
    "level",
    "work",
    "under_fire",
    "inside",
    "motorcycle",
    "crawled",
    "entrenched",
    "improved",
    "gpd",
    "gp",
    "gp_effectiveness",
    "rate",
    "rate_of_fire",
    "away",
    "hauler",
    "open_side",
    "aa",
    "bogged",
    "hesitating",
    "broken",
    "hidden",
];

fn bad(unit: &str, what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(format!("unit {unit}: {what}"))
}

fn text<'a>(id: &str, table: &'a Table, key: &str) -> Result<Option<&'a str>, SetupError> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(bad(id, format!("{key} must be a text, not {other}"))),
    }
}

fn yes(id: &str, table: &Table, key: &str) -> Result<bool, SetupError> {
    match table.get(key) {
        None => Ok(false),
        Some(Value::Boolean(yes)) => Ok(*yes),
        Some(other) => Err(bad(id, format!("{key} must be true or false, not {other}"))),
    }
}

fn grade(id: &str, name: &str) -> Result<Grade, SetupError> {
    let plain = name.to_lowercase();
    let plain = if plain == "regular" { "regulars" } else { &plain };
    Grade::parse(plain)
        .ok_or_else(|| bad(id, format!("grade `{name}`; there is {}", Grade::ALL.map(Grade::key).join(", "))))
}

fn texts(id: &str, table: &Table, key: &str) -> Result<Vec<String>, SetupError> {
    let wrong = || bad(id, format!("{key} must be a text or a list of texts"));
    match table.get(key) {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one.clone()]),
        Some(Value::Array(list)) => {
            list.iter().map(|v| v.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

/// A unit that a file calls by a crew-served weapon (`type = "light mortar"`) is a section with that weapon (5.1.3).
pub(super) fn with_team(
    id: &str,
    table: &Table,
    cards: &[crate::pack::Card],
    advanced: Option<&Advanced>,
) -> Result<Table, SetupError> {
    let mut stated = table.clone();
    let nation = text(id, table, "nation")?.or(text(id, table, "side")?);
    for key in ["card", "pack", "type", "vehicle"] {
        let Some((pack, name)) = advanced.zip(text(id, table, key)?) else { continue };
        if super::cards::is_crew_served(cards, pack, name, nation) {
            stated.remove(key);
            stated.entry("kind").or_insert("section".into());
            stated.entry("attached").or_insert(name.into());
        }
    }
    Ok(stated)
}

/// The default card of a kind for a side: the first in the pack.
pub(super) fn usual(pack: &Advanced, side: Side, kind: &str, nation: Option<&str>) -> Option<String> {
    let of = |n: crate::pack::Nation| match nation {
        Some(name) => n.key() == name.to_lowercase() || n.side() == side && side_named(name).is_none(),
        None => n.side() == side,
    };
    let size = match kind {
        "squad" | "leg" | "infantry" => LegSize::Squad,
        "half_squad" | "half-squad" => LegSize::HalfSquad,
        "section" => LegSize::Section,
        "towed" | "gun" => return pack.towed.iter().find(|t| of(t.nation)).map(|t| t.id.clone()),
        _ => return None,
    };
    pack.leg.iter().find(|l| l.size == size && of(l.nation)).map(|l| l.id.clone())
}

/// What a unit's table says in place of a scenario.
pub(super) fn extras(
    id: &str,
    table: &Table,
    pack: &Advanced,
    nation: Option<&str>,
) -> Result<UnitExtras, SetupError> {
    let mut extras = UnitExtras {
        grade: text(id, table, "grade")?.map(|name| grade(id, name)).transpose()?,
        ..UnitExtras::default()
    };
    for name in texts(id, table, "labels")? {
        let plain = name.to_lowercase();
        let plain = if plain == "command" { "chq" } else { &plain };
        let label = Label::parse(plain).ok_or_else(|| {
            bad(id, format!("label `{name}`; there is {}", Label::ALL.map(Label::key).join(", ")))
        })?;
        extras.labels.push(label);
    }
    for name in texts(id, table, "attached")? {
        extras.attached.push(super::cards::crew_served(pack, &name, nation)?.id.clone());
    }
    extras.aboard = text(id, table, "aboard")?.map(str::to_owned);
    extras.motorcycle = yes(id, table, "motorcycle")?;
    Ok(extras)
}

/// Marks that a file gives to a unit as fields, or by name in its `state`.
const MARKS: [(&str, Flags); 17] = [
    ("full_cover", Flags::FULL_COVER),
    ("turret_damaged", Flags::TURRET),
    ("hull_damaged", Flags::HULL),
    ("track_hit", Flags::TRACK),
    ("bailed", Flags::BAILED),
    ("abandoned", Flags::BAILED),
    ("reduced", Flags::REDUCED),
    ("under_fire", Flags::UNDER_FIRE),
    ("inside", Flags::INSIDE),
    ("crawled", Flags::CRAWLED),
    ("entrenched", Flags::ENTRENCHED),
    ("improved", Flags::IMPROVED),
    ("bogged", Flags::BOGGED),
    ("hesitating", Flags::HESITATES_ON),
    ("broken", Flags::BROKEN_ON),
    ("partly_hull_down", Flags::PARTLY_HULL_DOWN),
    ("upstairs", Flags::UP),
];

/// A mark by its name in `state = [...]`.
pub(super) fn flag(name: &str) -> Option<Flags> {
    let found = MARKS.iter().find(|(key, _)| *key == name).map(|(_, flag)| *flag);
    found.or(match name {
        "suppressed" | "suppressed_on" | "suppression_on" => Some(Flags::SUPPRESSED_ON),
        "suppressed_off" | "suppression_off" => Some(Flags::SUPPRESSED_OFF),
        "hull_down" | "hd" => Some(Flags::HULL_DOWN),
        "partly_hull_down" | "partial_hull_down" | "phd" => Some(Flags::PARTLY_HULL_DOWN),
        "turret_dmgd" => Some(Flags::TURRET),
        "bailed_out" => Some(Flags::BAILED),
        "hull_dmgd" => Some(Flags::HULL),
        _ => None,
    })
}

/// Marks of a unit.
pub(super) fn marks(id: &str, table: &Table, piece: &mut Piece) -> Result<(), SetupError> {
    for (key, flag) in MARKS {
        if yes(id, table, key)? {
            piece.flags.0 |= flag.0;
        }
    }
    if let Some(value) = table.get("group") {
        let number = value.as_integer().and_then(|n| u8::try_from(n).ok());
        piece.group =
            number.ok_or_else(|| bad(id, "group must be a number; units with the same share a Command"))?;
    }
    match table.get("suppressed").or_else(|| table.get("suppression")) {
        None | Some(Value::Boolean(false)) => {}
        Some(Value::String(side)) if side.eq_ignore_ascii_case("none") => {}
        Some(Value::Boolean(true)) => piece.flags.0 |= Flags::SUPPRESSED_ON.0,
        Some(Value::String(side)) if side.eq_ignore_ascii_case("on") => {
            piece.flags.0 |= Flags::SUPPRESSED_ON.0;
        }
        Some(Value::String(side)) if side.eq_ignore_ascii_case("off") => {
            piece.flags.0 |= Flags::SUPPRESSED_OFF.0;
        }
        Some(_) => return Err(bad(id, "suppressed must be \"on\" or \"off\"")),
    }
    match table.get("hull_down") {
        None | Some(Value::Boolean(false)) => {}
        Some(Value::Boolean(true)) => piece.flags.0 |= Flags::HULL_DOWN.0,
        Some(Value::String(kind)) => {
            piece.flags.0 |= match kind.to_lowercase().as_str() {
                "hd" | "full" => Flags::HULL_DOWN.0,
                "phd" | "partial" => Flags::PARTLY_HULL_DOWN.0,
                "reverse" => Flags::HULL_DOWN.0 | Flags::HULL_DOWN_REVERSE.0,
                _ => return Err(bad(id, format!("hull_down `{kind}`; there is hd, phd, reverse"))),
            };
        }
        Some(_) => return Err(bad(id, "hull_down must be true, \"hd\" or \"phd\"")),
    }
    if let Some(level) = text(id, table, "level")? {
        piece.flags.0 |= match level.to_lowercase().as_str() {
            "ground" => 0,
            "inside" => Flags::INSIDE.0,
            "up" | "roof" | "upper" => Flags::UP.0,
            _ => return Err(bad(id, format!("level `{level}`; there is ground, inside, up, roof"))),
        };
    }
    if let Some(work) = text(id, table, "work")? {
        piece.flags.0 |= match work.to_lowercase().as_str() {
            "none" => 0,
            "entrenched" | "hasty_entrenchment" | "hasty" => Flags::ENTRENCHED.0,
            "improved" | "improved_position" | "ip" => Flags::IMPROVED.0,
            "improved_phd" | "improved_partly" => Flags::IMPROVED.0 | Flags::IMPROVED_PARTLY.0,
            _ => return Err(bad(id, format!("work `{work}`; there is entrenched, improved"))),
        };
    }
    piece.aboard = text(id, table, "aboard")?.map(str::to_owned);
    piece.hauler = text(id, table, "hauler")?.map(str::to_owned);
    piece.away = yes(id, table, "away")?;
    piece.hidden = yes(id, table, "hidden")?;
    piece.open_side = table.get("open_side").map(|value| super::unit::facing(id, value)).transpose()?;
    Ok(())
}

/// The head: formations, grades, and the parts of the rules in use.
pub(super) fn head(head: &Table, scenario: &mut Scenario, pack: &Advanced) -> Result<(), SetupError> {
    let wrong = |what: &str| SetupError::Bad(what.to_owned());
    let mut extras = scenario.advanced.as_deref().cloned().unwrap_or_default();
    let listed = head.get("formation").is_some() || scenario.advanced.is_some();
    if extras.modules.is_empty() {
        extras.modules = Module::ALL.to_vec();
        if !listed && head.get("command_control") != Some(&Value::Boolean(true)) {
            // 6.2: without formations every unit has its own Command (4.2).
            extras.modules.retain(|module| *module != Module::CommandControl);
        }
    }
    if let Some(Value::Array(without)) = head.get("without") {
        for name in without {
            let module: Module =
                name.clone().try_into().map_err(|_| wrong("without: no such part of the rules"))?;
            extras.modules.retain(|used| *used != module);
        }
    }
    if let Some(list) = head.get("formation") {
        let list = list.as_array().ok_or_else(|| wrong("formation: write [[formation]]"))?;
        for value in list {
            let table = value.as_table().ok_or_else(|| wrong("formation: write [[formation]]"))?;
            let id =
                table.get("id").and_then(Value::as_str).ok_or_else(|| wrong("formation: id is missing"))?;
            let side = table.get("side").and_then(Value::as_str).and_then(side_named);
            let of_unit = || scenario.units.iter().find(|u| u.formation == id).map(|u| u.side);
            let grade_of = match table.get("grade").and_then(Value::as_str) {
                Some(name) => grade(id, name)?,
                None => Grade::default(),
            };
            extras.formations.push(Formation {
                side: side.or_else(of_unit).unwrap_or_default(),
                id: id.to_owned(),
                grade: grade_of,
                parent: table.get("parent").and_then(Value::as_str).map(str::to_owned),
                hq: None,
            });
        }
    }
    if let Some(list) = head.get("battery") {
        let list = list.as_array().ok_or_else(|| wrong("battery: write [[battery]]"))?;
        for value in list {
            let table = value.as_table().ok_or_else(|| wrong("battery: write [[battery]]"))?;
            extras.batteries.push(battery(table, pack)?);
        }
    }
    for unit in &scenario.units {
        if !extras.formations.iter().any(|f| f.id == unit.formation) {
            let (side, id) = (unit.side, unit.formation.clone());
            extras.formations.push(Formation { side, id, grade: Grade::default(), parent: None, hq: None });
        }
    }
    for key in ["force_grade", "grades"] {
        if let Some(Value::Table(table)) = head.get(key) {
            for (name, value) in table {
                let side = side_named(name).ok_or_else(|| wrong("force_grade: no such side"))?;
                extras.force_grade[side.index()] = grade(name, value.as_str().unwrap_or_default())?;
            }
        }
    }
    if let Some(Value::Table(conditions)) = head.get("conditions") {
        let flag = |key: &str| conditions.get(key) == Some(&Value::Boolean(true));
        extras.conditions.heat_haze |= flag("heat_haze");
        extras.conditions.dust |= flag("dust");
        if let Some(value) = conditions.get("sun_blinding") {
            let sun = value.clone().try_into();
            let sun = sun.map_err(|e: toml::de::Error| wrong(&format!("sun_blinding: {}", e.message())))?;
            extras.conditions.sun_blinding = Some(sun);
        }
    }
    scenario.advanced = Some(Box::new(extras));
    Ok(())
}

/// `plan = "turn 6 on C5 gp closed 2"` and `registered = ["C5"]` of a battery (6.5.1.4, 6.5.1.11).
pub(super) fn plots(rules: &Panzer, head: &Table, s: &mut State) -> Result<(), SetupError> {
    let list = head.get("battery").and_then(Value::as_array).into_iter().flatten();
    for table in list.filter_map(Value::as_table) {
        let id = table.get("id").and_then(Value::as_str).unwrap_or("battery");
        let wrong = |refusal: kernel::Refusal| bad(id, format!("plan: {}", refusal.why.key));
        if let Some(plan) = text(id, table, "plan")? {
            let words: Vec<&str> = plan.split_whitespace().collect();
            s.indirect.plots.push(crate::notation::plot::read(rules, id, &words).map_err(wrong)?);
        }
        for label in table.get("registered").and_then(Value::as_array).into_iter().flatten() {
            let hex = label.as_str().and_then(|label| rules.field.find(label));
            let hex = hex.ok_or_else(|| bad(id, "registered must be a list of hexes of this map"))?;
            s.indirect.registered.push((crate::notation::plot::battery(rules, id).map_err(wrong)?, hex));
        }
    }
    Ok(())
}

/// `[[battery]]`: id, side, card, level, formation, ammo_limit (6.5.1.2), and `plan`, `registered`.
fn battery(table: &Table, pack: &Advanced) -> Result<BatteryDef, SetupError> {
    let known = [
        "id",
        "side",
        "card",
        "level",
        "formation",
        "ammo_limit",
        "preregistered",
        "planned",
        "plan",
        "registered",
    ];
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        let (name, known) = (key.clone(), known.join(", "));
        return Err(SetupError::Unknown { what: "field of a battery", name, known });
    }
    let id = table.get("id").and_then(Value::as_str).unwrap_or("battery");
    let card = text(id, table, "card")?.ok_or_else(|| bad(id, "card is missing"))?;
    let plain = |name: &str| name.to_lowercase().replace([' ', '-'], "_");
    let by_name = || pack.batteries.iter().find(|b| plain(&b.id) == plain(card) || b.card == card);
    // 6.5.1.2: a class alone is that of the side's nation.
    let nation = text(id, table, "side")?.map_or("german", |side| match side {
        "axis" => "german",
        "allied" => "british",
        nation => nation,
    });
    let by_class = || pack.battery(&format!("{nation}_{}", plain(card)));
    let card = pack.battery(card).or_else(by_name).or_else(by_class).ok_or_else(|| SetupError::Unknown {
        what: "battery",
        name: card.to_owned(),
        known: pack.batteries.iter().map(|b| b.id.as_str()).collect::<Vec<_>>().join(", "),
    })?;
    let side = match text(id, table, "side")? {
        None => card.nation.side(),
        Some(name) => {
            side_named(name).ok_or_else(|| bad(id, format!("side `{name}`; there is axis, allied")))?
        }
    };
    let level = text(id, table, "level")?.unwrap_or("attached");
    let level =
        Level::parse(level).ok_or_else(|| bad(id, format!("level `{level}`; there is attached, organic")))?;
    let ammo = match text(id, table, "ammo_limit")? {
        None => card.ammo,
        Some(text) => text.parse().map_err(|why: String| bad(id, why))?,
    };
    Ok(BatteryDef {
        id: id.to_owned(),
        side,
        card: card.id.clone(),
        level,
        formation: text(id, table, "formation")?.unwrap_or(side.key()).to_owned(),
        ammo,
        preregistered: table
            .get("preregistered")
            .and_then(Value::as_integer)
            .map_or(0, |n| n.clamp(0, 9) as u8),
        planned: table.get("planned").and_then(Value::as_bool).unwrap_or(table.contains_key("plan")),
    })
}

/// Figures that the file gives on top of a card.
pub(super) fn figures(
    game: &mut AdvancedGame,
    unit: usize,
    id: &str,
    table: &Table,
) -> Result<(), SetupError> {
    let piece = &mut game.pieces[unit];
    super::figures::read(piece, id, table)?;
    match table.get("gpd") {
        None | Some(Value::Table(_)) => {}
        Some(Value::String(text)) => {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            let value: u8 = digits.parse().map_err(|_| bad(id, "gpd must be such as \"4S\""))?;
            let target = match text[digits.len()..].chars().next() {
                Some('A' | 'a') => TargetType::A,
                Some('P' | 'p') => TargetType::P,
                _ => TargetType::S,
            };
            match &mut piece.gpd {
                Defense::Vehicle(gpd) => *gpd = GpDefense { value, target },
                Defense::Foot(gpd) => gpd.by_cover = [value; 4],
            }
        }
        Some(Value::Integer(n)) => {
            let value = u8::try_from(*n).map_err(|_| bad(id, "gpd must be 1 to 10"))?;
            match &mut piece.gpd {
                Defense::Vehicle(gpd) => gpd.value = value,
                Defense::Foot(gpd) => gpd.by_cover = [value; 4],
            }
        }
        // For no, light, medium and heavy cover, as Leg cards print it.
        Some(Value::Array(list)) if list.len() == 4 => {
            let Defense::Foot(gpd) = &mut piece.gpd else {
                return Err(bad(id, "gpd by cover is that of Leg and towed units"));
            };
            for (slot, value) in gpd.by_cover.iter_mut().zip(list) {
                let value = value.as_integer().and_then(|n| u8::try_from(n).ok());
                *slot = value.ok_or_else(|| bad(id, "gpd must be four numbers such as [2, 4, 6, 8]"))?;
            }
        }
        Some(_) => return Err(bad(id, "gpd must be such as \"4S\", 4 or [2, 4, 6, 8]")),
    }
    if let Some(name) = text(id, table, "rate")?.or(text(id, table, "rate_of_fire")?) {
        let rate = Rate::parse(&name.to_uppercase()).ok_or_else(|| bad(id, "rate must be N, Q, R or F"))?;
        if let Some(arm) = piece.arms.first_mut() {
            arm.rate = rate;
        }
    }
    if let Some(value) = table.get("gp") {
        let row: GpRow =
            value.clone().try_into().map_err(|e: toml::de::Error| bad(id, format!("gp: {}", e.message())))?;
        if let Some(arm) = piece.arms.first_mut() {
            arm.weapon.gp = Some(row);
        }
    }
    if let Some(value) = table.get("aa") {
        let mut row = value.as_table().cloned().ok_or_else(|| bad(id, "aa must be a table"))?;
        let number =
            |value: Option<Value>| value.and_then(|v| v.as_integer()).and_then(|n| i8::try_from(n).ok());
        let modifier = number(row.remove("modifier")).unwrap_or(0);
        // `"N/A"`: it cannot fire at High altitude (6.7.4.1.2).
        let vs_high = number(row.remove("vs_high").or_else(|| row.remove("vs_high_altitude")));
        let old = piece.aa.map(|aa| aa.row.row);
        let row = match (row.is_empty(), old) {
            (true, Some(old)) => old,
            _ => Value::Table(row)
                .try_into()
                .map_err(|e: toml::de::Error| bad(id, format!("aa: {}", e.message())))?,
        };
        let small_arms = piece.arms.first().is_some_and(|arm| arm.weapon.small_arms);
        let arc =
            if piece.vehicle() { crate::pack::FieldOfFire::All } else { crate::pack::FieldOfFire::Front };
        piece.aa = Some(AntiAir { row: AaRow { row, modifier, vs_high }, arc, small_arms, gun: 0 });
    }
    if let Some(value) = table.get("gp_effectiveness") {
        let most = value.as_integer().and_then(|n| u8::try_from(n).ok());
        let most = most.ok_or_else(|| bad(id, "gp_effectiveness must be 1 to 10"))?;
        if let Some(arm) = piece.arms.first_mut() {
            arm.weapon.effectiveness = Some(most);
            arm.weapon.small_arms = false;
        }
    }
    Ok(())
}
