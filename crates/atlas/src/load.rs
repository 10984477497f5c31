//! From files to a [`Map`].

use std::collections::BTreeMap;

use hexgrid::{Board, Direction, Hex, HexId, Labels, Orientation, SideId};
use toml::Spanned;

use crate::{
    format::{Grid, Label, MapError, MapFile, Scheme, Text},
    map::{
        Area, Bridge, BridgeId, Entry, FactionId, Feature, HexsideId, HexsideSet, Layer, Map, OffMapBox,
        Place, RoadId, Side, Spot, SupplySource, TerrainId, TerrainSet, VictoryHex, Watercourse,
    },
    names::Names,
};

impl Map {
    /// Reads a map from its files, given as name and text. The first file is the head: it declares the grid and the
    /// kinds.
    pub fn from_files(files: &[(&str, &str)]) -> Result<Self, MapError> {
        let mut parsed = Vec::new();
        for (file, text) in files {
            let at = Text { file, text };
            parsed.push((at, at.parse::<MapFile>(text)?));
        }
        let Some((at, head)) = parsed.first() else {
            return Err(MapError { file: "map".to_owned(), line: None, why: "no files".to_owned() });
        };
        let mut map = head.empty_map(*at)?;
        for (at, file) in &parsed {
            map.add(*at, file)?;
        }
        map.check_references(*at)?;
        Ok(map)
    }

    /// Reads a map from one text.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, MapError> {
        Self::from_files(&[(file, text)])
    }

    /// A small map written in the `[map]` table of a lab file: a rectangle of this map's grid with its kinds.
    /// Labels are written without a sheet's prefix. `None` if the file has no such table.
    pub fn inline(&self, file: &str, text: &str) -> Result<Option<Self>, MapError> {
        #[derive(serde::Deserialize)]
        struct Lab {
            map: Option<MapFile>,
        }
        let at = Text { file, text };
        let Some(inline) = at.parse::<Lab>(text)?.map else { return Ok(None) };
        let rectangle = |range: &Option<Spanned<(u16, u16)>>, key: &str| match range {
            Some(r) if r.get_ref().0 <= r.get_ref().1 => Ok(*r.get_ref()),
            Some(r) => Err(at.at(r, format!("map.{key}: expected [first, last]"))),
            None => Err(at.error(None, format!("map.{key} is missing: expected [first, last]"))),
        };
        let columns = rectangle(&inline.columns, "columns")?;
        let rows = rectangle(&inline.rows, "rows")?;
        let board = board(self.board.labels().clone().bare(), Some(columns), Some(rows))
            .map_err(|why| at.error(None, format!("map: {why}")))?;
        let mut map = Self {
            id: format!("{}-lab", self.id),
            terrain_kinds: self.terrain_kinds.clone(),
            hexside_kinds: self.hexside_kinds.clone(),
            road_classes: self.road_classes.clone(),
            factions: self.factions.clone(),
            default_source: "lab".to_owned(),
            ..Self::blank(board)
        };
        map.add(at, &inline)?;
        map.check_references(at)?;
        Ok(Some(map))
    }

    /// A map of these hexes with nothing on them.
    pub(crate) fn blank(board: Board) -> Self {
        let (hexes, sides) = (board.len(), board.side_count());
        Self {
            id: String::new(),
            name: Names::default(),
            terrain_kinds: Vec::new(),
            hexside_kinds: Vec::new(),
            road_classes: Vec::new(),
            factions: Vec::new(),
            bridges: Vec::new(),
            watercourses: Vec::new(),
            places: Vec::new(),
            areas: Vec::new(),
            entries: Vec::new(),
            boxes: Vec::new(),
            victory: Vec::new(),
            supply: Vec::new(),
            features: Vec::new(),
            aliases: BTreeMap::new(),
            default_source: String::new(),
            ground: vec![TerrainId(0); hexes],
            terrain: vec![TerrainSet(1); hexes],
            elevation: vec![0; hexes],
            sides: vec![Side::default(); sides],
            control: vec![None; hexes],
            hex_sources: BTreeMap::new(),
            side_sources: BTreeMap::new(),
            board,
        }
    }

    /// Applies everything that a file says to the map.
    pub(crate) fn add(&mut self, at: Text, f: &MapFile) -> Result<(), MapError> {
        if let Some(kind) = &f.default {
            let kind = self.terrain_named(at, kind)?;
            for hex in self.board.ids() {
                self.set_terrain(hex, kind);
            }
        }
        for (kind, hexes) in &f.terrain {
            let kind = self.terrain_named(at, kind)?;
            for hex in hexes {
                let hex = self.hex_at(at, hex)?;
                self.set_terrain(hex, kind);
            }
        }
        for (level, hexes) in &f.elevation {
            let height = level.get_ref().parse().map_err(|_| {
                at.at(level, format!("elevation.{}: expected a whole number", level.get_ref()))
            })?;
            for hex in hexes {
                let hex = self.hex_at(at, hex)?;
                self.elevation[hex.index()] = height;
            }
        }
        for (kind, sides) in &f.hexside {
            let id = self.hexside_named(at, kind)?;
            self.add_sides(at, id, sides)?;
        }
        for (name, sides) in [("river", &f.river), ("lake", &f.lake), ("meuse", &f.meuse)] {
            if let Some(first) = sides.first() {
                let id = self
                    .hexside_id(name)
                    .ok_or_else(|| at.at(first, format!("this map has no hexside kind '{name}'")))?;
                self.add_sides(at, id, sides)?;
            }
        }
        for slope in &f.uphill {
            let (side, high) = self.uphill_at(at, slope)?;
            self.sides[side.index()].uphill = Some(high);
        }
        for (side, b) in &f.bridge {
            let side = self.side_at(at, side)?;
            if let Some(id) = self.sides[side.index()].bridge.filter(|_| b.state_only) {
                self.bridges[id.0 as usize].state = b.state;
                continue;
            }
            let source = self.source(b.source.as_ref());
            self.set_bridge(Bridge {
                side,
                name: b.name.clone(),
                kind: b.kind,
                state: b.state,
                number: b.number,
                props: b.props.clone(),
                source,
            });
        }
        for (class, chains) in &f.road {
            let class = self.road_named(at, class)?;
            for chain in chains {
                for pair in chain.windows(2) {
                    let side = self.step_at(at, &pair[0], &pair[1])?;
                    self.pave(side, class);
                }
            }
        }
        for (side, exit) in &f.road_exit {
            let class = self.road_named(at, &exit.class)?;
            let id = self.side_at(at, side)?;
            self.pave(id, class);
            self.features.push(Feature {
                kind: "road_exit".to_owned(),
                id: side.get_ref().clone(),
                name: exit.to.clone(),
                at: Spot::Hexside(id),
                props: BTreeMap::new(),
                source: self.default_source.clone(),
            });
        }
        for (faction, hexes) in &f.supply {
            let side = self.faction_named(at, faction)?;
            for hex in hexes {
                let hex = self.hex_at(at, hex)?;
                if !self.supply.iter().any(|s| s.hex == hex && s.side == side) {
                    self.supply.push(SupplySource { hex, side, source: self.default_source.clone() });
                }
            }
        }
        for (faction, hexes) in &f.held {
            let faction = self.faction_named(at, faction)?;
            for hex in hexes {
                let hex = self.hex_at(at, hex)?;
                self.control[hex.index()] = Some(faction);
            }
        }
        for (hex, faction) in &f.control {
            let faction = self.faction_named(at, faction)?;
            let hex = self.hex_at(at, hex)?;
            self.control[hex.index()] = Some(faction);
        }
        self.add_lists(at, f)?;
        for (source, labels) in &f.source {
            for label in labels {
                let source = source.get_ref().clone();
                if label.get_ref().contains(['/', ':']) {
                    let side = self.side_at(at, label)?;
                    self.side_sources.insert(side, source);
                } else {
                    let hex = self.hex_at(at, label)?;
                    self.hex_sources.insert(hex, source);
                }
            }
        }
        Ok(())
    }

    /// Adds places, watercourses, areas and everything else that has an id.
    fn add_lists(&mut self, at: Text, f: &MapFile) -> Result<(), MapError> {
        for (hex, name) in &f.places {
            let id = hex.get_ref().clone();
            let hex = self.hex_at(at, hex)?;
            let class = self.settlement(hex).map_or("place", |t| &self.terrain_kind(t).id).to_owned();
            let source = self.default_source.clone();
            put(
                &mut self.places,
                |p| &p.id,
                Place { id, hex, name: name.clone(), class, importance: 0, at: None, source },
            );
        }
        for p in &f.place {
            let hex = self.hex_at(at, &p.hex)?;
            let centre = hexgrid::Layout::new(self.board.orientation(), 1.0).centre(self.board.hex(hex));
            let place = Place {
                id: p.id.get_ref().clone(),
                hex,
                name: p.name.clone(),
                class: p.class.clone(),
                importance: p.importance,
                at: p.at.map(|[x, y]| [centre.x as f32 + x, centre.y as f32 + y]),
                source: self.source(p.source.as_ref()),
            };
            put(&mut self.places, |p| &p.id, place);
        }
        for w in &f.watercourse {
            let course = Watercourse {
                id: w.id.get_ref().clone(),
                name: w.name.clone(),
                into: w.into.as_ref().map(|s| s.get_ref().clone()),
                hexsides: w.hexsides.iter().map(|s| self.side_at(at, s)).collect::<Result<_, _>>()?,
                through: w.through.iter().map(|h| self.hex_at(at, h)).collect::<Result<_, _>>()?,
                course: w.course.clone(),
                source: self.source(w.source.as_ref()),
            };
            put(&mut self.watercourses, |w| &w.id, course);
        }
        for a in &f.area {
            let area = Area {
                id: a.id.get_ref().clone(),
                kind: a.kind.clone(),
                name: a.name.clone(),
                hexes: a.hexes.iter().map(|h| self.hex_at(at, h)).collect::<Result<_, _>>()?,
                line: a.line.iter().map(|s| self.side_at(at, s)).collect::<Result<_, _>>()?,
                props: a.props.clone(),
                source: self.source(a.source.as_ref()),
            };
            put(&mut self.areas, |a| &a.id, area);
        }
        for e in &f.entry {
            let entry = Entry {
                id: e.id.get_ref().clone(),
                side: self.faction_named(at, &e.side)?,
                hexes: e.hexes.iter().map(|h| self.hex_at(at, h)).collect::<Result<_, _>>()?,
                sector: e.sector.as_ref().map(|s| s.get_ref().clone()),
                name: e.name.clone(),
                props: e.props.clone(),
                source: self.source(e.source.as_ref()),
            };
            put(&mut self.entries, |e| &e.id, entry);
        }
        for b in &f.r#box {
            let own = |ids: &[Spanned<String>]| ids.iter().map(|s| s.get_ref().clone()).collect();
            let off_map = OffMapBox {
                id: b.id.get_ref().clone(),
                name: b.name.clone(),
                adjacent: own(&b.adjacent),
                entries: own(&b.entries),
                blocking: b.blocking,
                props: b.props.clone(),
                source: self.source(b.source.as_ref()),
            };
            put(&mut self.boxes, |b| &b.id, off_map);
        }
        for v in &f.victory {
            let hex = self.hex_at(at, &v.hex)?;
            self.victory.retain(|old| old.hex != hex);
            let source = self.source(v.source.as_ref());
            self.victory.push(VictoryHex { hex, place: v.place.clone(), source });
        }
        for d in &f.feature {
            let spot = match (&d.hex, &d.hexside, &d.line) {
                (Some(h), None, None) => Spot::Hex(self.hex_at(at, h)?),
                (None, Some(s), None) => Spot::Hexside(self.side_at(at, s)?),
                (None, None, Some(line)) => Spot::Line(line.clone()),
                _ => return Err(at.at(&d.kind, "feature: give exactly one of hex, hexside and line")),
            };
            self.features.push(Feature {
                kind: d.kind.get_ref().clone(),
                id: d.id.clone(),
                name: d.name.clone(),
                at: spot,
                props: d.props.clone(),
                source: self.source(d.source.as_ref()),
            });
        }
        for a in &f.alias {
            let labels =
                scheme(&a.labels).map_err(|why| at.at(&a.numbering, format!("alias.labels: {why}")))?;
            let numbers = self
                .board
                .ids()
                .filter_map(|h| labels.label(self.board.hex(h)).map(|label| (label, h)))
                .collect();
            self.aliases.insert(a.numbering.get_ref().clone(), numbers);
        }
        Ok(())
    }

    /// Checks references to items that another file may declare later.
    pub(crate) fn check_references(&self, at: Text) -> Result<(), MapError> {
        let error = |why: String| Err(at.error(None, why));
        for e in &self.entries {
            if let Some(sector) = &e.sector
                && self.off_map_box(sector).is_none()
            {
                return error(format!("entry {}: sector '{sector}': no such box", e.id));
            }
        }
        for b in &self.boxes {
            if let Some(id) = b.entries.iter().find(|id| self.entry(id).is_none()) {
                return error(format!("box {}: entries: no entry '{id}'", b.id));
            }
            if let Some(id) = b.adjacent.iter().find(|id| self.off_map_box(id).is_none()) {
                return error(format!("box {}: adjacent: no box '{id}'", b.id));
            }
        }
        for w in &self.watercourses {
            if let Some(into) = &w.into
                && !self.watercourses.iter().any(|x| x.id == *into)
            {
                return error(format!("watercourse {}: into '{into}': no such watercourse", w.id));
            }
        }
        Ok(())
    }

    /// Gives a hex a terrain: a ground replaces the ground, a settlement the settlement, an extra is added.
    pub(crate) fn set_terrain(&mut self, hex: HexId, kind: TerrainId) {
        let layer = self.terrain_kind(kind).layer;
        let mut set = self.terrain[hex.index()];
        if layer != Layer::Extra {
            for old in set.iter().filter(|k| self.terrain_kind(*k).layer == layer).collect::<Vec<_>>() {
                set.remove(old);
            }
        }
        if layer == Layer::Ground {
            self.ground[hex.index()] = kind;
        }
        set.insert(kind);
        self.terrain[hex.index()] = set;
    }

    fn add_sides(&mut self, at: Text, kind: HexsideId, sides: &[Label]) -> Result<(), MapError> {
        // A hexside has one kind of water: setting another replaces it.
        let water = self.water_kinds();
        for side in sides {
            let side = self.side_at(at, side)?;
            let kinds = &mut self.sides[side.index()].kinds;
            if water.contains(kind) {
                *kinds = HexsideSet(kinds.0 & !water.0);
            }
            kinds.insert(kind);
        }
        Ok(())
    }

    pub(crate) fn set_bridge(&mut self, bridge: Bridge) {
        let side = bridge.side;
        if let Some(id) = self.sides[side.index()].bridge {
            self.bridges[id.0 as usize] = bridge;
        } else {
            self.sides[side.index()].bridge = Some(BridgeId(self.bridges.len() as u16));
            self.bridges.push(bridge);
        }
    }

    /// The better road stays where two meet on a hexside.
    fn pave(&mut self, side: SideId, class: RoadId) {
        let road = &mut self.sides[side.index()].road;
        *road = Some(road.map_or(class, |old| old.min(class)));
    }

    fn source(&self, own: Option<&String>) -> String {
        own.unwrap_or(&self.default_source).clone()
    }

    pub(crate) fn hex_at(&self, at: Text, label: &Label) -> Result<HexId, MapError> {
        self.board.find(label.get_ref()).map_err(|e| at.at(label, e.to_string()))
    }

    /// A hexside between two hexes, `E1005/E1006`, or of the board's edge, `E1601:s`.
    pub(crate) fn side_at(&self, at: Text, label: &Label) -> Result<SideId, MapError> {
        let Some((hex, point)) = label.get_ref().split_once(':') else {
            return self.board.find_side(label.get_ref()).map_err(|e| at.at(label, e.to_string()));
        };
        let hex = self.board.find(hex).map_err(|e| at.at(label, e.to_string()))?;
        let direction =
            point.parse().ok().and_then(|p| self.board.orientation().direction(p)).ok_or_else(|| {
                at.at(label, format!("'{point}' is no direction of this grid: {}", directions(self)))
            })?;
        Ok(self.board.side(hex, direction))
    }

    /// A slope, `2126>2227`: its hexside and the higher hex.
    fn uphill_at(&self, at: Text, label: &Label) -> Result<(SideId, HexId), MapError> {
        let Some((low, high)) = label.get_ref().split_once('>') else {
            let why =
                format!("uphill: '{}': expected the lower hex, '>' and the higher hex", label.get_ref());
            return Err(at.at(label, why));
        };
        let find = |hex: &str| self.board.find(hex).map_err(|e| at.at(label, e.to_string()));
        let (low, high) = (find(low)?, find(high)?);
        let side = self.board.side_between(low, high);
        let side =
            side.ok_or_else(|| at.at(label, format!("uphill: {}: not neighbours", label.get_ref())))?;
        Ok((side, high))
    }

    /// The hexside between two hexes that follow each other in a chain.
    pub(crate) fn step_at(&self, at: Text, a: &Label, b: &Label) -> Result<SideId, MapError> {
        let (from, to) = (self.hex_at(at, a)?, self.hex_at(at, b)?);
        self.board
            .side_between(from, to)
            .ok_or_else(|| at.at(b, format!("road: {} and {} are not neighbours", a.get_ref(), b.get_ref())))
    }

    pub(crate) fn terrain_named(&self, at: Text, kind: &Spanned<String>) -> Result<TerrainId, MapError> {
        let all = self.terrain_kinds.iter().map(|k| k.id.as_str());
        self.terrain_id(kind.get_ref()).ok_or_else(|| unknown(at, "terrain", kind, all))
    }

    pub(crate) fn hexside_named(&self, at: Text, kind: &Spanned<String>) -> Result<HexsideId, MapError> {
        let all = self.hexside_kinds.iter().map(|k| k.id.as_str());
        self.hexside_id(kind.get_ref()).ok_or_else(|| unknown(at, "hexside", kind, all))
    }

    fn road_named(&self, at: Text, class: &Spanned<String>) -> Result<RoadId, MapError> {
        let all = self.road_classes.iter().map(|k| k.id.as_str());
        self.road_id(class.get_ref()).ok_or_else(|| unknown(at, "road", class, all))
    }

    fn faction_named(&self, at: Text, name: &Spanned<String>) -> Result<FactionId, MapError> {
        let all = self.factions.iter().map(String::as_str);
        self.faction_id(name.get_ref()).ok_or_else(|| unknown(at, "side", name, all))
    }
}

impl MapFile {
    /// The map that a head declares, still empty.
    fn empty_map(&self, at: Text) -> Result<Map, MapError> {
        let need =
            |what: &str| at.error(None, format!("{what} is missing: the first file of a map declares it"));
        let grid = self.grid.as_ref().ok_or_else(|| need("grid"))?;
        let Grid { labels, columns, rows } = grid.get_ref();
        let board = scheme(labels)
            .and_then(|labels| board(labels, *columns, *rows))
            .map_err(|why| at.at(grid, format!("grid: {why}")))?;
        let many = |what: &str, n: usize, most: usize| {
            if n == 0 {
                Err(need(what))
            } else if n > most {
                Err(at.error(None, format!("{n} of {what}: at most {most} are possible")))
            } else {
                Ok(())
            }
        };
        many("terrain_kind", self.terrain_kind.len(), TerrainSet::MAX)?;
        many("hexside_kind", self.hexside_kind.len(), HexsideSet::MAX)?;
        many("road_class", self.road_class.len(), 255)?;
        for (class, ground) in self.road_class.iter().flat_map(|class| {
            class.within.iter().flat_map(move |w| w.terrain.iter().map(move |t| (class, t)))
        }) {
            let grounds = || self.terrain_kind.iter().filter(|k| k.layer == Layer::Ground);
            if !grounds().any(|k| k.id == *ground) {
                let all: Vec<&str> = grounds().map(|k| k.id.as_str()).collect();
                let why = format!(
                    "road_class {}: within: no ground `{ground}`; there is {}",
                    class.id,
                    all.join(", ")
                );
                return Err(at.error(None, why));
            }
        }
        if self.terrain_kind[0].layer != Layer::Ground {
            return Err(at.error(None, "terrain_kind: the first must be a ground, which fills the map"));
        }
        Ok(Map {
            id: self.id.as_ref().ok_or_else(|| need("id"))?.get_ref().clone(),
            name: self.name.clone().ok_or_else(|| need("name"))?,
            terrain_kinds: self.terrain_kind.clone(),
            hexside_kinds: self.hexside_kind.clone(),
            road_classes: self.road_class.clone(),
            factions: self.factions.clone().unwrap_or_default(),
            default_source: self.default_source.clone().unwrap_or_else(|| "estimate".to_owned()),
            ..Map::blank(board)
        })
    }
}

/// The hexes of a scheme, or of a rectangle of its first sheet.
fn board(labels: Labels, columns: Option<(u16, u16)>, rows: Option<(u16, u16)>) -> Result<Board, String> {
    if columns.is_none() && rows.is_none() {
        return Board::full(labels).map_err(|e| e.to_string());
    }
    let (lines, places) = match labels.orientation() {
        Orientation::Flat => (columns, rows),
        Orientation::Pointy => (rows, columns),
    };
    let within =
        |n: u16, range: Option<(u16, u16)>| range.is_none_or(|(first, last)| first <= n && n <= last);
    let first = labels.sheets()[0].clone();
    let hexes: Vec<Hex> = labels
        .hexes()
        .filter(|h| {
            labels.numbers(*h).is_some_and(|(sheet, line, place)| {
                *sheet == first && within(line, lines) && within(place, places)
            })
        })
        .collect();
    Board::new(labels, hexes).map_err(|e| e.to_string())
}

fn scheme(scheme: &Scheme) -> Result<Labels, String> {
    match scheme {
        Scheme::Given(labels) => Ok(labels.clone()),
        Scheme::Known(name) => match name.as_str() {
            "ardennes" => Ok(Labels::ardennes()),
            "ardennes_1e" => Ok(Labels::ardennes_first_edition()),
            "wurzburg" => Ok(Labels::wurzburg()),
            _ => Err(format!(
                "no label scheme '{name}': expected ardennes, ardennes_1e, wurzburg or a description"
            )),
        },
    }
}

fn unknown<'a>(at: Text, what: &str, name: &Spanned<String>, all: impl Iterator<Item = &'a str>) -> MapError {
    let all: Vec<&str> = all.collect();
    at.at(name, format!("{what} '{}' is not known: expected {}", name.get_ref(), all.join(", ")))
}

fn directions(map: &Map) -> String {
    let names: Vec<String> =
        Direction::ALL.iter().map(|d| map.board.orientation().compass(*d).to_string()).collect();
    names.join(", ")
}

/// Adds an item, replacing one with the same id.
fn put<T>(list: &mut Vec<T>, id: impl Fn(&T) -> &String, item: T) {
    match list.iter_mut().find(|old| id(old) == id(&item)) {
        Some(old) => *old = item,
        None => list.push(item),
    }
}
