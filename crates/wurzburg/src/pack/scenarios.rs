//! Scenarios: forces, ground, arrivals, points (46).

use std::collections::BTreeMap;

use atlas::Map;
use hexgrid::{HexId, HexSet, SideId};
use serde::Deserialize;

use super::forces::{Forces, FormationId, PieceId, PoolId, TypeId, find};
use super::kinds::{
    Echelon, FormationKind, Operation, Optional, PointKind, Purse, Side, System, VictoryLevel,
};
use super::{PackError, PackFiles};

/// Combat Support Points of each kind, in the order of [`PointKind`].
pub type Points = [u8; PointKind::ALL.len()];

/// What a side has in a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideSetup {
    /// Every counter in play, those that arrive included.
    pub pieces: Vec<PieceId>,
    /// Set-up zones by what they are for: a counter's id, a formation, a category, or `all`.
    zone_of: BTreeMap<String, String>,
    /// Edge hexes by which it may enter and leave.
    pub edges: HexSet,
    /// Per turn.
    pub off_map_cp: Vec<u8>,
    pub off_map_rp: Vec<u8>,
    pub sam: Vec<u8>,
    pub points: BTreeMap<Purse, Points>,
    /// Points that a turn adds.
    pub points_later: Vec<(u8, BTreeMap<Purse, Points>)>,
    /// Steps by type; those of later turns.
    pub helicopters: Vec<(TypeId, u8)>,
    pub helicopters_later: Vec<(u8, TypeId, u8)>,
    pub main_effort: Vec<FormationId>,
    /// HQs with an EW Asset.
    pub ew_hqs: Vec<PieceId>,
    pub paradrop: Option<Paradrop>,
    pub smoke: u8,
    pub improved_positions: u8,
    pub improved_at: Vec<HexId>,
    pub obstacles: u8,
    pub minefields_real: u8,
    pub minefields_dummy: u8,
    /// The turn from which Set Charges may be used (38.1).
    pub set_charges_from: Option<u8>,
    pub blown_before_play: Option<BlownBeforePlay>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Paradrop {
    pub formation: FormationId,
    pub turns: Vec<u8>,
}

/// Bridges that NATO may have blown before the first turn.
#[derive(Clone, Debug, PartialEq)]
pub struct BlownBeforePlay {
    pub road: u8,
    pub autobahn: u8,
    pub never: Vec<SideId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalMode {
    Ground,
    Air,
}

/// Arrives early if enough maneuver steps stand far enough south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Own maneuver steps on this line or south of it release it for the next turn.
    pub steps: u8,
    pub line: u8,
    /// The turn on which it comes in any case.
    pub latest: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    pub side: Side,
    pub turn: u8,
    pub release: Option<Release>,
    pub pieces: Vec<PieceId>,
    /// The formations it was written as; bases are written as their node.
    pub formations: Vec<FormationId>,
    pub zone: String,
    pub mode: ArrivalMode,
    /// HQs and artillery begin on the Off-map Display (40.1).
    pub display: bool,
    pub paradrop: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub piece: PieceId,
    pub hex: HexId,
    pub steps: u8,
}

/// Who pays for a planned operation (12.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer {
    Nobody,
    Hq(PieceId),
    OffMap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    pub formation: FormationId,
    pub operation: Operation,
    pub payer: Payer,
}

/// What gives points, beside the losses that count in every scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct VictoryRule {
    pub side: Side,
    pub points: u8,
    pub what: VictoryWhat,
}

#[derive(Clone, Debug, PartialEq)]
pub enum VictoryWhat {
    /// For each of these hexes at the end.
    Control { hexes: Vec<HexId> },
    /// For all of them together.
    ControlAll { hexes: Vec<HexId> },
    /// For each maneuver step that left through the zone.
    Exit { zone: String },
    /// If no enemy maneuver step left the map.
    NoExit,
    /// For each maneuver step in the zone at the end.
    RegionSteps { zone: String },
    /// For each of these bridges that is blown at the end.
    BridgeBlown { bridges: Vec<SideId> },
    /// For each that is intact with own units in both hexes.
    BridgeHeld { bridges: Vec<SideId> },
    /// If a road leads from one of these hexes to one of these edges.
    LocOpen { from_any: Vec<HexId>, to: Vec<String> },
    /// If the road is cut in these hexes at the end; and so many points for each turn before.
    LocCut { road: String, hexes: Vec<HexId>, each_turn_before: u8 },
    /// For each enemy formation of this echelon that is shattered.
    Shattered { of: Echelon },
    /// If the formation was not released before this turn.
    LateRelease { formation: FormationId, before: u8 },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Automatic {
    /// When so many maneuver steps have left through the zone.
    Exited { zone: String, steps: u8, result: VictoryLevel },
    /// At the end, if no enemy maneuver step was ever in the zone.
    NeverIn { zone: String, result: VictoryLevel },
}

/// A level of victory by WP points minus NATO points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    pub min: i16,
    pub max: i16,
    pub result: VictoryLevel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShortVersion {
    pub turns: u8,
    /// Added to the bounds of the levels.
    pub levels_shift: i16,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name is the message `scenario.ID.name`, its history `scenario.ID.history`.
    pub id: String,
    pub number: u8,
    pub maps: Vec<String>,
    pub turns: u8,
    /// The box of the Game Turn Track on which it begins, from 1.
    pub start_box: u8,
    pub fog_turns: Vec<u8>,
    pub minutes: u16,
    pub short_version: Option<ShortVersion>,
    pub optional: Vec<Optional>,
    pub left_out: Vec<System>,
    /// The position does not say where formations belong: plans are made without (12.5.3).
    pub plans_unattached: bool,
    /// The hexes in play.
    pub area: HexSet,
    pub zones: BTreeMap<String, HexSet>,
    sides: [SideSetup; 2],
    pub arrivals: Vec<Arrival>,
    /// Formations with an Activation Cycle of their own, by side.
    pub cycles: [Vec<FormationId>; 2],
    /// Independent formations that begin attached, and to what.
    pub attached: Vec<(FormationId, FormationId)>,
    /// Pools below their full strength.
    pub strength: BTreeMap<PoolId, u8>,
    pub setup: Vec<Placement>,
    /// Counters in play that begin in hand, for splits and dummies.
    pub spare: Vec<PieceId>,
    /// Operations of turn 1 that a first game may take as given.
    pub plan: Vec<Planned>,
    pub victory: Vec<VictoryRule>,
    /// Best for the Warsaw Pact first.
    pub levels: Vec<Level>,
    pub automatic: Vec<Automatic>,
}

impl Scenario {
    pub fn side(&self, side: Side) -> &SideSetup {
        &self.sides[side.index()]
    }

    /// For lab files and tests, which change what a side has.
    pub fn side_mut(&mut self, side: Side) -> &mut SideSetup {
        &mut self.sides[side.index()]
    }

    pub fn zone(&self, id: &str) -> Option<HexSet> {
        self.zones.get(id).copied()
    }

    /// The steps of a pool in this scenario.
    pub fn pool_steps(&self, forces: &Forces, pool: PoolId) -> u8 {
        self.strength.get(&pool).copied().unwrap_or(forces.pools[pool.index()].steps)
    }

    /// The zone in which a counter sets up: its own, its formation's, its category's, that of a formation above, or the side's.
    pub fn setup_zone(&self, forces: &Forces, piece: PieceId) -> Option<HexSet> {
        let p = &forces.pieces[piece.index()];
        let names = &self.side(p.side).zone_of;
        let formation = |f: FormationId| forces.formations[f.index()].id.as_str();
        let first = [p.id.as_str(), formation(p.formation), p.category.key()];
        let above = forces.ancestors(p.formation).map(formation);
        let zone = first.into_iter().chain(above).chain(["all"]).find_map(|key| names.get(key))?;
        self.zone(zone)
    }

    /// Whether a side plays without this system (chapters left to later scenarios).
    pub fn has(&self, system: System) -> bool {
        !self.left_out.contains(&system)
    }
}

impl Forces {
    /// A formation and those above it.
    pub fn ancestors(&self, formation: FormationId) -> impl Iterator<Item = FormationId> + '_ {
        std::iter::successors(Some(formation), |f| self.formations[f.index()].parent)
    }

    /// The ground units of these formations (of a WP division all its regiments, too), bases and single counters.
    fn members(&self, formations: &[FormationId], bases: &[FormationId], pieces: &[PieceId]) -> Vec<PieceId> {
        let independent = |f: FormationId| {
            matches!(
                self.formations[f.index()].kind,
                FormationKind::IndependentRegiment | FormationKind::IndependentAirAssaultBattalion
            )
        };
        let belongs = |piece: FormationId, f: FormationId| {
            let whole = &self.formations[f.index()];
            let division = whole.side == Side::Wp && whole.echelon == Echelon::Division;
            piece == f || division && !independent(piece) && self.ancestors(piece).any(|x| x == f)
        };
        let ids = (0..self.pieces.len()).map(|i| PieceId(i as u16));
        ids.filter(|id| {
            let p = &self.pieces[id.index()];
            pieces.contains(id)
                || p.category.ground()
                    && (bases.contains(&p.formation) || formations.iter().any(|f| belongs(p.formation, *f)))
        })
        .collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    id: String,
    number: u8,
    maps: Vec<String>,
    turns: u8,
    start_box: u8,
    fog_turns: Vec<u8>,
    minutes: u16,
    short_version: Option<ShortVersion>,
    optional: Vec<Optional>,
    left_out: Vec<System>,
    area: Vec<String>,
    #[expect(dead_code, reason = "said to whoever corrects the file")]
    source: String,
    zone: BTreeMap<String, Vec<String>>,
    side: RawSides,
    #[serde(default)]
    arrival: Vec<RawArrival>,
    command: RawCommand,
    #[serde(default)]
    strength: BTreeMap<String, u8>,
    setup: RawSetup,
    plan: BTreeMap<String, RawPlan>,
    #[serde(default)]
    vp: Vec<RawVp>,
    victory: RawVictory,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSides {
    #[serde(rename = "WP")]
    wp: RawSide,
    #[serde(rename = "NATO")]
    nato: RawSide,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSide {
    #[serde(default)]
    formations: Vec<String>,
    #[serde(default)]
    bases: Vec<String>,
    #[serde(default)]
    pieces: Vec<String>,
    #[serde(default)]
    zone_of: BTreeMap<String, String>,
    edges: Vec<String>,
    off_map_cp: Vec<u8>,
    off_map_rp: Vec<u8>,
    sam: Vec<u8>,
    #[serde(default)]
    points: BTreeMap<Purse, BTreeMap<PointKind, u8>>,
    #[serde(default)]
    points_later: Vec<RawPointsLater>,
    #[serde(default)]
    helicopters: BTreeMap<String, u8>,
    #[serde(default)]
    helicopters_later: Vec<RawHelicoptersLater>,
    #[serde(default)]
    main_effort: Vec<String>,
    #[serde(default)]
    ew_hqs: Vec<String>,
    paradrop: Option<RawParadrop>,
    #[serde(default)]
    smoke: u8,
    #[serde(default)]
    improved_positions: u8,
    #[serde(default)]
    improved_at: Vec<String>,
    #[serde(default)]
    obstacles: u8,
    #[serde(default)]
    minefields_real: u8,
    #[serde(default)]
    minefields_dummy: u8,
    set_charges_from: Option<u8>,
    blown_before_play: Option<RawBlown>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPointsLater {
    turn: u8,
    add: BTreeMap<Purse, BTreeMap<PointKind, u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHelicoptersLater {
    turn: u8,
    add: BTreeMap<String, u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawParadrop {
    formation: String,
    turns: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBlown {
    road: u8,
    autobahn: u8,
    never: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArrival {
    side: Side,
    turn: u8,
    release: Option<Release>,
    #[serde(default)]
    formations: Vec<String>,
    #[serde(default)]
    bases: Vec<String>,
    zone: String,
    mode: ArrivalMode,
    #[serde(default)]
    display: bool,
    #[serde(default)]
    paradrop: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCommand {
    cycles: RawCycles,
    #[serde(default)]
    attached: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCycles {
    #[serde(rename = "WP")]
    wp: Vec<String>,
    #[serde(rename = "NATO")]
    nato: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSetup {
    spare: Vec<String>,
    at: Vec<RawPlacement>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlacement {
    piece: String,
    hex: String,
    steps: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlan {
    op: Operation,
    paid_by: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum RawVp {
    Control { side: Side, points: u8, hexes: Vec<String> },
    ControlAll { side: Side, points: u8, hexes: Vec<String> },
    Exit { side: Side, points: u8, zone: String },
    NoExit { side: Side, points: u8 },
    RegionSteps { side: Side, points: u8, zone: String },
    BridgeBlown { side: Side, points: u8, bridges: Vec<String> },
    BridgeHeld { side: Side, points: u8, bridges: Vec<String> },
    LocOpen { side: Side, points: u8, from_any: Vec<String>, to: Vec<String> },
    LocCut { side: Side, points: u8, road: String, hexes: Vec<String>, each_turn_before: u8 },
    Shattered { side: Side, points: u8, of: Echelon },
    LateRelease { side: Side, points: u8, formation: String, before: u8 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVictory {
    levels: Vec<Level>,
    #[serde(default)]
    automatic: Vec<RawAutomatic>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum RawAutomatic {
    Exited { zone: String, steps: u8, result: VictoryLevel },
    NeverIn { zone: String, result: VictoryLevel },
}

/// Looks up what a scenario names; a fault says what is missing.
struct Finder<'a> {
    forces: &'a Forces,
    map: &'a Map,
}

impl Finder<'_> {
    fn formation(&self, id: &str) -> Result<FormationId, String> {
        find(&self.forces.formations, |f| &f.id, id, "formation").map(|i| FormationId(i as u8))
    }

    fn formations(&self, ids: &[String]) -> Result<Vec<FormationId>, String> {
        ids.iter().map(|id| self.formation(id)).collect()
    }

    fn piece(&self, id: &str) -> Result<PieceId, String> {
        find(&self.forces.pieces, |p| &p.id, id, "piece").map(|i| PieceId(i as u16))
    }

    fn pieces(&self, ids: &[String]) -> Result<Vec<PieceId>, String> {
        ids.iter().map(|id| self.piece(id)).collect()
    }

    fn unit_type(&self, id: &str) -> Result<TypeId, String> {
        find(&self.forces.types, |t| &t.id, id, "type").map(|i| TypeId(i as u8))
    }

    fn hex(&self, label: &str) -> Result<HexId, String> {
        self.map.hex(label).map_err(|e| e.to_string())
    }

    fn hexes(&self, labels: &[String]) -> Result<Vec<HexId>, String> {
        labels.iter().map(|label| self.hex(label)).collect()
    }

    fn sides(&self, labels: &[String]) -> Result<Vec<SideId>, String> {
        labels.iter().map(|s| self.map.board.find_side(s).map_err(|e| e.to_string())).collect()
    }

    /// Hexes and rectangles of lines and places: `2010`, `2010-3424`.
    fn area(&self, parts: &[String]) -> Result<HexSet, String> {
        let mut set = HexSet::new();
        for part in parts {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            self.hex(from)?;
            self.hex(to)?;
            let number = |label: &str| Some((label.get(..2)?.parse().ok()?, label.get(2..)?.parse().ok()?));
            let (Some((l0, p0)), Some((l1, p1))) = (number(from), number(to)) else {
                return Err(format!("`{part}`: expected a hex, or two with a hyphen between"));
            };
            for line in l0..=l1 {
                for place in p0..=p1 {
                    let (line, place): (u8, u8) = (line, place);
                    set.insert(self.hex(&format!("{line:02}{place:02}"))?);
                }
            }
        }
        Ok(set)
    }
}

pub(super) fn read(files: &PackFiles, forces: &Forces, map: &Map) -> Result<Vec<Scenario>, PackError> {
    let finder = Finder { forces, map };
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (path, text) in files.folder("scenarios") {
        let raw: Raw = super::files::parse(path, text)?;
        let scenario = scenario(raw, &finder).map_err(|why| PackError::at(path, why))?;
        if scenarios.iter().any(|s| s.id == scenario.id || s.number == scenario.number) {
            return Err(PackError::at(path, "there is another scenario with this id or number"));
        }
        scenarios.push(scenario);
    }
    Ok(scenarios)
}

fn scenario(raw: Raw, find: &Finder) -> Result<Scenario, String> {
    let turns = usize::from(raw.turns);
    if raw.turns == 0 || raw.start_box == 0 {
        return Err("turns and start_box: at least 1".into());
    }
    let mut zones = BTreeMap::new();
    for (id, parts) in &raw.zone {
        zones.insert(id.clone(), find.area(parts).map_err(|why| format!("zone.{id}: {why}"))?);
    }
    let zone = |id: &String| match zones.get(id) {
        Some(_) => Ok(id.clone()),
        None => Err(format!("there is no zone `{id}`")),
    };
    let mut arrivals = Vec::new();
    for a in &raw.arrival {
        let formations = find.formations(&a.formations)?;
        let bases = find.formations(&a.bases)?;
        let pieces = find.forces.members(&formations, &bases, &[]);
        if pieces.is_empty() || usize::from(a.turn) > turns || a.turn == 0 {
            return Err(format!("arrival of turn {}: expected units and a turn from 1 to {turns}", a.turn));
        }
        arrivals.push(Arrival {
            side: a.side,
            turn: a.turn,
            release: a.release,
            pieces,
            formations: formations.into_iter().chain(bases).collect(),
            zone: zone(&a.zone)?,
            mode: a.mode,
            display: a.display,
            paradrop: a.paradrop,
        });
    }
    let side = |side: Side, raw: RawSide| {
        side_setup(side, raw, find, turns, &arrivals).map_err(|why| format!("side.{}: {why}", side.key()))
    };
    let sides = [side(Side::Wp, raw.side.wp)?, side(Side::Nato, raw.side.nato)?];
    for id in sides.iter().flat_map(|s| s.zone_of.values()) {
        zone(id)?;
    }
    let mut setup = Vec::new();
    for p in &raw.setup.at {
        let at = |why| format!("setup.at: {}: {why}", p.piece);
        setup.push(Placement {
            piece: find.piece(&p.piece).map_err(at)?,
            hex: find.hex(&p.hex).map_err(at)?,
            steps: p.steps,
        });
    }
    let mut plan = Vec::new();
    for (formation, p) in &raw.plan {
        let payer = match p.paid_by.as_deref() {
            None => Payer::Nobody,
            Some("off_map") => Payer::OffMap,
            Some(hq) => Payer::Hq(find.piece(hq).map_err(|why| format!("plan.{formation}: {why}"))?),
        };
        let formation = find.formation(formation).map_err(|why| format!("plan: {why}"))?;
        plan.push(Planned { formation, operation: p.op, payer });
    }
    let mut strength = BTreeMap::new();
    for (id, steps) in &raw.strength {
        let pool = super::forces::find(&find.forces.pools, |p| &p.id, id, "pool")?;
        strength.insert(PoolId(pool as u8), *steps);
    }
    let mut attached = Vec::new();
    for (a, b) in &raw.command.attached {
        attached.push((find.formation(a)?, find.formation(b)?));
    }
    let mut victory = Vec::new();
    for v in raw.vp {
        victory.push(victory_rule(v, find, &zone)?);
    }
    let mut automatic = Vec::new();
    for a in raw.victory.automatic {
        automatic.push(match a {
            RawAutomatic::Exited { zone: z, steps, result } => {
                Automatic::Exited { zone: zone(&z)?, steps, result }
            }
            RawAutomatic::NeverIn { zone: z, result } => Automatic::NeverIn { zone: zone(&z)?, result },
        });
    }
    Ok(Scenario {
        id: raw.id,
        number: raw.number,
        maps: raw.maps,
        turns: raw.turns,
        start_box: raw.start_box,
        fog_turns: raw.fog_turns,
        minutes: raw.minutes,
        short_version: raw.short_version,
        optional: raw.optional,
        left_out: raw.left_out,
        plans_unattached: false,
        area: find.area(&raw.area).map_err(|why| format!("area: {why}"))?,
        sides,
        arrivals,
        cycles: [find.formations(&raw.command.cycles.wp)?, find.formations(&raw.command.cycles.nato)?],
        attached,
        strength,
        setup,
        spare: find.pieces(&raw.setup.spare)?,
        plan,
        victory,
        levels: raw.victory.levels,
        automatic,
        zones,
    })
}

fn side_setup(
    side: Side,
    raw: RawSide,
    find: &Finder,
    turns: usize,
    arrivals: &[Arrival],
) -> Result<SideSetup, String> {
    for (name, list) in [("off_map_cp", &raw.off_map_cp), ("off_map_rp", &raw.off_map_rp), ("sam", &raw.sam)]
    {
        if list.len() != turns {
            return Err(format!("{name}: expected {turns} figures, one for each turn"));
        }
    }
    let (formations, bases) = (find.formations(&raw.formations)?, find.formations(&raw.bases)?);
    let mut pieces = find.forces.members(&formations, &bases, &find.pieces(&raw.pieces)?);
    for arrival in arrivals.iter().filter(|a| a.side == side) {
        pieces.extend(&arrival.pieces);
    }
    pieces.sort_unstable();
    pieces.dedup();
    if let Some(p) = pieces.iter().find(|p| find.forces.pieces[p.index()].side != side) {
        return Err(format!("{} is of the other side", find.forces.pieces[p.index()].id));
    }
    let points = |of: &BTreeMap<Purse, BTreeMap<PointKind, u8>>| {
        let mut all: BTreeMap<Purse, Points> = BTreeMap::new();
        for (purse, kinds) in of {
            if (*purse == Purse::Wp) != (side == Side::Wp) {
                return Err(format!("points.{} are not this side's (6.6)", purse.key()));
            }
            for (kind, n) in kinds {
                all.entry(*purse).or_default()[kind.index()] = *n;
            }
        }
        Ok(all)
    };
    let helicopters = |of: &BTreeMap<String, u8>| {
        of.iter().map(|(id, n)| Ok((find.unit_type(id)?, *n))).collect::<Result<Vec<_>, String>>()
    };
    let mut points_later = Vec::new();
    for later in &raw.points_later {
        points_later.push((later.turn, points(&later.add)?));
    }
    let mut helicopters_later = Vec::new();
    for later in &raw.helicopters_later {
        let added = helicopters(&later.add)?;
        helicopters_later.extend(added.into_iter().map(|(kind, n)| (later.turn, kind, n)));
    }
    let paradrop = match raw.paradrop {
        None => None,
        Some(p) => Some(Paradrop { formation: find.formation(&p.formation)?, turns: p.turns }),
    };
    let blown_before_play = match raw.blown_before_play {
        None => None,
        Some(b) => Some(BlownBeforePlay { road: b.road, autobahn: b.autobahn, never: find.sides(&b.never)? }),
    };
    Ok(SideSetup {
        pieces,
        zone_of: raw.zone_of,
        edges: find.area(&raw.edges)?,
        points: points(&raw.points)?,
        points_later,
        helicopters: helicopters(&raw.helicopters)?,
        helicopters_later,
        main_effort: find.formations(&raw.main_effort)?,
        ew_hqs: find.pieces(&raw.ew_hqs)?,
        paradrop,
        smoke: raw.smoke,
        improved_positions: raw.improved_positions,
        improved_at: find.hexes(&raw.improved_at)?,
        obstacles: raw.obstacles,
        minefields_real: raw.minefields_real,
        minefields_dummy: raw.minefields_dummy,
        set_charges_from: raw.set_charges_from,
        blown_before_play,
        off_map_cp: raw.off_map_cp,
        off_map_rp: raw.off_map_rp,
        sam: raw.sam,
    })
}

fn victory_rule(
    raw: RawVp,
    find: &Finder,
    zone: &impl Fn(&String) -> Result<String, String>,
) -> Result<VictoryRule, String> {
    let (side, points, what) = match raw {
        RawVp::Control { side, points, hexes } => {
            (side, points, VictoryWhat::Control { hexes: find.hexes(&hexes)? })
        }
        RawVp::ControlAll { side, points, hexes } => {
            (side, points, VictoryWhat::ControlAll { hexes: find.hexes(&hexes)? })
        }
        RawVp::Exit { side, points, zone: z } => (side, points, VictoryWhat::Exit { zone: zone(&z)? }),
        RawVp::NoExit { side, points } => (side, points, VictoryWhat::NoExit),
        RawVp::RegionSteps { side, points, zone: z } => {
            (side, points, VictoryWhat::RegionSteps { zone: zone(&z)? })
        }
        RawVp::BridgeBlown { side, points, bridges } => {
            (side, points, VictoryWhat::BridgeBlown { bridges: find.sides(&bridges)? })
        }
        RawVp::BridgeHeld { side, points, bridges } => {
            (side, points, VictoryWhat::BridgeHeld { bridges: find.sides(&bridges)? })
        }
        RawVp::LocOpen { side, points, from_any, to } => {
            (side, points, VictoryWhat::LocOpen { from_any: find.hexes(&from_any)?, to })
        }
        RawVp::LocCut { side, points, road, hexes, each_turn_before } => {
            let hexes = find.hexes(&hexes)?;
            (side, points, VictoryWhat::LocCut { road, hexes, each_turn_before })
        }
        RawVp::Shattered { side, points, of } => (side, points, VictoryWhat::Shattered { of }),
        RawVp::LateRelease { side, points, formation, before } => {
            let formation = find.formation(&formation)?;
            (side, points, VictoryWhat::LateRelease { formation, before })
        }
    };
    Ok(VictoryRule { side, points, what })
}
