//! From the document to the typed pack: every name becomes an id, and every mistake an error that names file and item.

use std::{collections::HashMap, sync::Arc};

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::doc::{Doc, Item};
use super::error::PackError;
use super::ids::{AreaId, BoxId, CorpsId, EntryId, FormationId, GroupId, PoolId, RegimentId, Side, UnitId};
use super::raw::{
    Half, PoolKind, RawArea, RawArrival, RawBox, RawBy, RawCorps, RawEntry, RawFormation, RawOptional,
    RawPlaces, RawPool, RawSetup, RawTurn, RawType, RawUnit, RawVictoryHex,
};
use super::unit::{
    Arrival, ArrivalBy, Category, DefenseMark, EntrySet, Factors, Role, Start, Strength, Tags, TankQuality,
    UnitDef, UnitSources, UnitType,
};
use super::world::{
    AreaDef, BoxDef, CorpsDef, EntryDef, FormationDef, FormationKind, OptionalGroup, Places, PoolDef, Turn,
    VictoryHex,
};
use super::{Pack, load_scenarios, load_tables};

/// Deserializes one item.
pub(super) fn parse<T: DeserializeOwned>(item: &Item, kind: &str) -> Result<T, PackError> {
    Value::Table(item.table.clone())
        .try_into()
        .map_err(|e: toml::de::Error| item_error(item, kind, e.to_string()))
}

pub(super) fn item_error(item: &Item, kind: &str, message: impl Into<String>) -> PackError {
    PackError::new(&item.file, format!("{kind} {}", item.key), message)
}

/// Names seen so far, for one kind of id.
pub(super) struct Names<'a> {
    kind: &'static str,
    map: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    pub fn new(kind: &'static str, items: &'a [Item]) -> Self {
        let map = items.iter().enumerate().map(|(i, item)| (item.key.as_str(), i)).collect();
        Self { kind, map }
    }

    /// The index of a name, or a message that says it is unknown.
    pub fn get(&self, name: &str) -> Result<usize, String> {
        self.map.get(name).copied().ok_or_else(|| {
            let mut near: Vec<&str> =
                self.map.keys().copied().filter(|k| k.starts_with(name.get(..2).unwrap_or(name))).collect();
            near.sort_unstable();
            near.truncate(8);
            let hint = if near.is_empty() { String::new() } else { format!("; perhaps {}", near.join(", ")) };
            format!("there is no {} `{name}`{hint}", self.kind)
        })
    }
}

/// All names of a pack.
pub(super) struct Index<'a> {
    pub corps: Names<'a>,
    pub formations: Names<'a>,
    pub groups: Names<'a>,
    pub units: Names<'a>,
    pub pools: Names<'a>,
    pub boxes: Names<'a>,
    pub entries: Names<'a>,
    pub areas: Names<'a>,
}

impl<'a> Index<'a> {
    fn new(doc: &'a Doc) -> Self {
        Self {
            corps: Names::new("corps", doc.list("corps")),
            formations: Names::new("formation", doc.list("formation")),
            groups: Names::new("optional group", doc.list("optional")),
            units: Names::new("unit", doc.list("unit")),
            pools: Names::new("pool", doc.list("pool")),
            boxes: Names::new("box", doc.list("box")),
            entries: Names::new("entry", doc.list("entry")),
            areas: Names::new("set-up area of formation", doc.list("area")),
        }
    }

    pub fn entry_set(&self, letters: &[String]) -> Result<EntrySet, String> {
        let mut set = EntrySet::default();
        for letter in letters {
            set = set.with(EntryId(self.entries.get(letter)? as u8));
        }
        Ok(set)
    }

    pub fn unit(&self, name: &str) -> Result<UnitId, String> {
        self.units.get(name).map(|i| UnitId(i as u16))
    }

    pub fn formation(&self, name: &str) -> Result<FormationId, String> {
        self.formations.get(name).map(|i| FormationId(i as u8))
    }
}

/// Builds the pack.
pub(super) fn build(doc: &Doc) -> Result<Pack, PackError> {
    for (list, limit) in
        [("unit", 1000), ("formation", 250), ("corps", 250), ("pool", 250), ("entry", 16), ("area", 250)]
    {
        if doc.list(list).len() > limit {
            return Err(PackError::new("pack", list, format!("at most {limit} are allowed")));
        }
    }
    let index = Index::new(doc);
    let types = unit_types(&doc.types)?;
    let corps = corps(doc)?;
    let areas = areas(doc, &index)?;
    let mut formations = formations(doc, &index, &areas)?;
    let mut units = Vec::new();
    let mut regiments = HashMap::new();
    for item in doc.list("unit") {
        let unit = unit(item, &index, &types, &areas, &mut regiments)?;
        if let Some(f) = unit.formation {
            formations[f.index()].units.push(UnitId(units.len() as u16));
        }
        units.push(unit);
    }
    let optional_groups = optional_groups(doc, &units)?;
    let pools = pools(doc, &types, &mut units)?;
    let (entries, boxes) = entries_and_boxes(doc, &index)?;
    let places = places(doc, &index)?;
    let turns = turns(doc)?;
    let victory_hexes = victory_hexes(doc)?;
    let scenarios = load_scenarios::scenarios(doc, &index, &units, &pools)?;
    let tables = load_tables::tables(doc, &index)?;
    Ok(Pack {
        units,
        formations,
        corps,
        pools,
        optional_groups,
        entries,
        boxes,
        areas,
        victory_hexes,
        places,
        turns,
        scenarios,
        tables,
        doc: Arc::new(doc.clone()),
    })
}

fn unit_types(types: &Table) -> Result<[Category; 8], PackError> {
    let mut categories = [Category::default(); 8];
    for (name, value) in types {
        let error = |message: String| PackError::new("types.toml", name, message);
        let unit_type: UnitType =
            Value::String(name.clone()).try_into().map_err(|e: toml::de::Error| error(e.to_string()))?;
        let raw: RawType = value.clone().try_into().map_err(|e: toml::de::Error| error(e.to_string()))?;
        let kinds =
            u8::from(raw.vehicle && !raw.artillery) + u8::from(raw.infantry) + u8::from(raw.artillery);
        if kinds != 1 {
            return Err(error("must be exactly one of vehicle, infantry, artillery".into())); // 2.4
        }
        categories[unit_type.index()] = Category {
            mechanized: raw.mechanized,
            vehicle: raw.vehicle,
            infantry: raw.infantry,
            artillery: raw.artillery,
            tank: raw.tank,
        };
    }
    if types.len() != UnitType::ALL.len() {
        return Err(PackError::new("types.toml", "", "every unit type of 2.4 must stand here once"));
    }
    Ok(categories)
}

fn corps(doc: &Doc) -> Result<Vec<CorpsDef>, PackError> {
    doc.list("corps")
        .iter()
        .map(|item| {
            let raw: RawCorps = parse(item, "corps")?;
            Ok(CorpsDef { id: raw.id, label: raw.label, side: raw.side, army: raw.army })
        })
        .collect()
}

fn areas(doc: &Doc, index: &Index<'_>) -> Result<Vec<AreaDef>, PackError> {
    let mut areas = Vec::new();
    for item in doc.list("area") {
        let raw: RawArea = parse(item, "area")?;
        let formation = index.formation(&raw.formation).map_err(|m| item_error(item, "area", m))?;
        let owner: RawFormation = parse(&doc.list("formation")[formation.index()], "formation")?;
        let (Some(corps), Some(army)) = (owner.corps, owner.army) else {
            return Err(item_error(item, "area", "its formation needs a corps and an army"));
        };
        let corps = index.corps.get(&corps).map_err(|m| item_error(item, "area", m))?;
        areas.push(AreaDef {
            formation,
            corps: CorpsId(corps as u8),
            army,
            hexes: raw.hexes,
            closed_to_red: raw.closed_to_red,
        });
    }
    Ok(areas)
}

fn formations(doc: &Doc, index: &Index<'_>, areas: &[AreaDef]) -> Result<Vec<FormationDef>, PackError> {
    let mut formations = Vec::new();
    for (i, item) in doc.list("formation").iter().enumerate() {
        let raw: RawFormation = parse(item, "formation")?;
        let corps = match &raw.corps {
            Some(name) => {
                let corps = index.corps.get(name).map_err(|m| item_error(item, "formation", m))?;
                Some(CorpsId(corps as u8))
            }
            None => None,
        };
        let area = areas.iter().position(|a| a.formation.index() == i).map(|a| AreaId(a as u8));
        formations.push(FormationDef {
            id: raw.id,
            label: raw.label,
            side: raw.side,
            kind: raw.kind,
            army: raw.army,
            corps,
            colour: raw.colour,
            panzer: raw.kind == FormationKind::PanzerDivision,
            fuel_table: raw.fuel_table,
            area,
            units: Vec::new(),
        });
    }
    Ok(formations)
}

fn unit(
    item: &Item,
    index: &Index<'_>,
    types: &[Category; 8],
    areas: &[AreaDef],
    regiments: &mut HashMap<(FormationId, String), RegimentId>,
) -> Result<UnitDef, PackError> {
    let raw: RawUnit = parse(item, "unit")?;
    let error = |message: String| item_error(item, "unit", message);
    // 2.5: a unit without a formation is Independent.
    let formation = raw.formation.as_deref().map(|f| index.formation(f)).transpose().map_err(error)?;
    let corps = raw.corps.as_deref().map(|c| index.corps.get(c)).transpose().map_err(error)?;
    let pool = |name: &Option<String>| match name {
        Some(name) => index.pools.get(name).map(|i| Some(PoolId(i as u8))),
        None => Ok(None),
    };
    let optional = raw.optional.as_deref().map(|g| index.groups.get(g)).transpose().map_err(error)?;
    let regiment = match (&raw.regiment, formation) {
        (Some(name), Some(formation)) => {
            let next = RegimentId(regiments.len() as u16);
            Some(*regiments.entry((formation, name.clone())).or_insert(next))
        }
        (Some(_), None) => return Err(error("a `regiment` needs a `formation`".into())),
        (None, _) => None,
    };
    // 2.1, 2.2: each side has its factors and stacking points.
    let sides = 1 + usize::from(raw.reduced.is_some());
    if raw.stacking.len() != sides {
        return Err(error(format!("`stacking` needs {sides} number(s), one for each side")));
    }
    let with_stacking = |factors: Factors, stacking: u8| Factors { stacking, ..factors };
    let category = types[raw.unit_type.index()];
    if category.artillery != raw.fired.is_some() || category.artillery != (raw.range > 0) {
        return Err(error("artillery, and only artillery, has `fired` and `range`".into())); // 22.5
    }
    if (raw.unit_type == UnitType::SilhouetteTank) != raw.vehicle.is_some() {
        return Err(error("silhouette tanks, and only they, have a `vehicle`".into())); // 2.4
    }
    // 2.9
    let tq = match (raw.tq, raw.tq_reduced) {
        (None, Some(_)) => return Err(error("`tq_reduced` needs `tq`".into())),
        (None, None) => None,
        (Some(front), back) => Some(TankQuality { front, reduced: back.unwrap_or(front), red: raw.tq_red }),
    };
    // 2.6, 2.7: a set-up code or an arrival code, never both.
    let start = match (&raw.setup, &raw.arrival) {
        (Some(setup), None) => start_of(setup, index, areas).map_err(error)?,
        (None, Some(arrival)) => Start::Arrival(arrival_of(arrival, index).map_err(error)?),
        _ => return Err(error("needs either `setup` or `arrival`".into())),
    };
    Ok(UnitDef {
        id: raw.id,
        label: raw.label,
        name: raw.name,
        class: raw.class,
        side: raw.side,
        nation: raw.nation,
        role: Role::Combat,
        unit_type: raw.unit_type,
        category,
        symbol: raw.symbol.unwrap_or(raw.unit_type.symbol()),
        vehicle: raw.vehicle,
        size: raw.size,
        strength: raw.strength,
        formation,
        regiment,
        colour: raw.colour,
        army: raw.army,
        corps: corps.map(|c| CorpsId(c as u8)),
        front: with_stacking(raw.front.0, raw.stacking[0]),
        reduced: raw.reduced.map(|f| with_stacking(f.0, raw.stacking[1])),
        fired: raw.fired.map(|f| with_stacking(f.0, raw.stacking[0])),
        front_1e: raw.front_1e.map(|f| with_stacking(f.0, raw.stacking[0])),
        steps: raw.steps,
        morale: raw.morale,
        tq,
        range: raw.range,
        defense_mark: raw.defense_mark,
        remnant: pool(&raw.remnant).map_err(error)?,
        breakdown: pool(&raw.breakdown).map_err(error)?,
        replaceable: raw.replaceable,
        start,
        optional: optional.map(|g| GroupId(g as u8)),
        tags: raw.tags.iter().fold(Tags::default(), |tags, &tag| tags.with(tag)),
        source: raw.source,
        note: raw.note,
    })
}

fn start_of(setup: &RawSetup, index: &Index<'_>, areas: &[AreaDef]) -> Result<Start, String> {
    let chosen: Vec<AreaId> = match (&setup.area, &setup.corps) {
        (Some(area), None) => vec![AreaId(index.areas.get(area)? as u8)],
        (None, Some(corps)) => {
            let corps = CorpsId(index.corps.get(corps)? as u8);
            // 31.1: corps troops in any area of a division of their corps.
            (0..areas.len()).filter(|&i| areas[i].corps == corps).map(|i| AreaId(i as u8)).collect()
        }
        (None, None) => {
            return Ok(Start::Hex {
                hex: setup.hex,
                code: setup.code,
                improved_position: setup.improved_position,
                reduced: setup.reduced,
            });
        }
        (Some(_), Some(_)) => return Err("`setup` has either `area` or `corps`".into()),
    };
    if chosen.is_empty() {
        return Err("no division of that corps has a set-up area".into());
    }
    if setup.improved_position || setup.reduced {
        return Err("`improved_position` and `reduced` are for units with a printed hex".into());
    }
    Ok(Start::Area { areas: chosen, code: setup.code, default_hex: setup.hex })
}

fn arrival_of(raw: &RawArrival, index: &Index<'_>) -> Result<Arrival, String> {
    let entries = index.entry_set(&raw.entry)?;
    let needs_entry = matches!(raw.by, RawBy::Entry | RawBy::Roll);
    if needs_entry == entries.is_empty() {
        return Err("`entry` letters are needed, and only where the unit enters by them".into());
    }
    let by = match raw.by {
        RawBy::Entry => ArrivalBy::Entry(entries),
        RawBy::Roll => ArrivalBy::Roll(entries),
        RawBy::TownOrCity => ArrivalBy::TownOrCity,
        RawBy::Drop => ArrivalBy::Drop,
        RawBy::Box => {
            let name = raw.off_map_box.as_deref().ok_or("`by = \"box\"` needs `box`")?;
            ArrivalBy::OffMapBox(BoxId(index.boxes.get(name)? as u8))
        }
    };
    Ok(Arrival { turn: raw.turn, by, condition: raw.condition })
}

fn optional_groups(doc: &Doc, units: &[UnitDef]) -> Result<Vec<OptionalGroup>, PackError> {
    let mut groups = Vec::new();
    for (i, item) in doc.list("optional").iter().enumerate() {
        let raw: RawOptional = parse(item, "optional group")?;
        let group = Some(GroupId(i as u8));
        let members = (0..units.len()).filter(|&u| units[u].optional == group).map(|u| UnitId(u as u16));
        groups.push(OptionalGroup { id: raw.id, side: raw.side, rule: raw.rule, units: members.collect() });
    }
    Ok(groups)
}

/// Creates a unit for each counter of a pool, after the combat units.
fn pools(doc: &Doc, types: &[Category; 8], units: &mut Vec<UnitDef>) -> Result<Vec<PoolDef>, PackError> {
    let mut pools = Vec::new();
    for (i, item) in doc.list("pool").iter().enumerate() {
        let raw: RawPool = parse(item, "pool")?;
        let id = PoolId(i as u8);
        let remnant = raw.kind == PoolKind::Remnant;
        let first = UnitId(units.len() as u16);
        for number in 1..=raw.count {
            units.push(UnitDef {
                id: format!("{}-{number}", raw.id.replace('_', "-")),
                label: format!("{} {number}", raw.label),
                name: raw.name.clone(),
                class: raw.id.clone(),
                side: raw.side,
                nation: raw.nation,
                role: if remnant { Role::Remnant(id) } else { Role::Breakdown(id) },
                unit_type: raw.unit_type,
                category: types[raw.unit_type.index()],
                symbol: raw.symbol.unwrap_or(raw.unit_type.symbol()),
                vehicle: None,
                size: raw.size,
                strength: Strength::Normal,
                formation: None,
                regiment: None,
                colour: raw.colour,
                army: None,
                corps: None,
                front: Factors { stacking: raw.stacking, ..raw.front.0 },
                reduced: None,
                fired: None,
                front_1e: None,
                steps: 1, // 16.4, 26.3
                morale: raw.morale,
                tq: raw.tq.map(|tq| TankQuality { front: tq, reduced: tq, red: false }),
                range: 0,
                defense_mark: DefenseMark::Plain,
                remnant: None,
                breakdown: None,
                replaceable: false,
                start: Start::Pool,
                optional: None,
                tags: Tags::default(),
                source: UnitSources {
                    front: raw.source.front,
                    morale: raw.source.morale,
                    ..UnitSources::default()
                },
                note: raw.note.clone(),
            });
        }
        pools.push(PoolDef {
            id: raw.id,
            side: raw.side,
            remnant,
            first,
            count: raw.count,
            count_source: raw.source.count,
        });
    }
    Ok(pools)
}

fn entries_and_boxes(doc: &Doc, index: &Index<'_>) -> Result<(Vec<EntryDef>, Vec<BoxDef>), PackError> {
    let mut boxes = Vec::new();
    for item in doc.list("box") {
        let raw: RawBox = parse(item, "box")?;
        let mut adjacent = Vec::new();
        for name in &raw.adjacent {
            let other = index.boxes.get(name).map_err(|m| item_error(item, "box", m))?;
            adjacent.push(BoxId(other as u8));
        }
        boxes.push(BoxDef { id: raw.id, entries: EntrySet::default(), adjacent, source: raw.source });
    }
    let mut entries = Vec::new();
    for (i, item) in doc.list("entry").iter().enumerate() {
        let raw: RawEntry = parse(item, "entry")?;
        let off_map_box = match &raw.off_map_box {
            Some(name) => {
                let at = index.boxes.get(name).map_err(|m| item_error(item, "entry", m))?;
                boxes[at].entries = boxes[at].entries.with(EntryId(i as u8));
                Some(BoxId(at as u8))
            }
            None => None,
        };
        if (raw.side == Side::Allied) != off_map_box.is_some() {
            // 3.2
            return Err(item_error(item, "entry", "Allied Entry Hexes, and only they, have a `box`"));
        }
        entries.push(EntryDef {
            letter: raw.letter,
            hex: raw.hex,
            side: raw.side,
            off_map_box,
            antwerp_exit: raw.antwerp_exit,
            army: raw.army,
            source: raw.source,
        });
    }
    Ok((entries, boxes))
}

fn places(doc: &Doc, index: &Index<'_>) -> Result<Places, PackError> {
    let error = |message: String| PackError::new("places.toml", "", message);
    let raw: RawPlaces =
        Value::Table(doc.places.clone()).try_into().map_err(|e: toml::de::Error| error(e.to_string()))?;
    Ok(Places {
        st_vith: raw.st_vith,
        bottleneck: raw.bottleneck,
        ouren: raw.ouren,
        echternach_crossing: raw.echternach_crossing,
        echternach_formation: index.formation(&raw.echternach_formation).map_err(error)?,
        bastogne: raw.bastogne,
        fuel_dumps: raw.fuel_dumps,
        roadblocks_1e: raw.roadblocks_1e,
        closed_area_1e: AreaId(index.areas.get(&raw.closed_area_1e).map_err(error)? as u8),
    })
}

fn turns(doc: &Doc) -> Result<Vec<Turn>, PackError> {
    let mut turns = Vec::new();
    for (i, item) in doc.list("turn").iter().enumerate() {
        let raw: RawTurn = parse(item, "turn")?;
        let pm = matches!(raw.half, Half::Pm);
        if usize::from(raw.turn) != i + 1 {
            return Err(item_error(item, "turn", format!("turns must be in order; {} is due", i + 1)));
        }
        if pm != raw.replacements.is_some() {
            // A Night turn follows every PM turn (25.1).
            return Err(item_error(item, "turn", "PM turns, and only they, have `replacements`"));
        }
        let (replacements, replacements_source) =
            raw.replacements.map_or_else(Default::default, |r| ([r.german, r.allied], r.source));
        turns.push(Turn {
            turn: raw.turn,
            day: raw.day,
            pm,
            ground: raw.ground,
            sky: raw.sky,
            replacements,
            replacements_source,
            greif_removed: raw.greif_removed,
            events: raw.events,
        });
    }
    Ok(turns)
}

fn victory_hexes(doc: &Doc) -> Result<Vec<VictoryHex>, PackError> {
    let mut hexes = Vec::new();
    for item in doc.list("victory_hex") {
        let raw: RawVictoryHex = parse(item, "victory_hex")?;
        hexes.push(VictoryHex {
            hex: raw.hex,
            place: raw.place,
            kind: raw.kind,
            points: raw.points,
            source: raw.source,
        });
    }
    Ok(hexes)
}
