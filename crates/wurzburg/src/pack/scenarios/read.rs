//! Scenario files as written, and their conversion.

use std::collections::BTreeMap;

use atlas::Map;
use hexgrid::{HexId, HexSet, SideId};
use serde::Deserialize;

use super::{
    Arrival, ArrivalMode, Automatic, BlownBeforePlay, Echelon, Forces, FormationId, Level, Operation,
    Optional, Paradrop, Payer, PieceId, Placement, Planned, PointKind, Points, PoolId, Purse, Release,
    Scenario, ShortVersion, Side, SideSetup, System, TypeId, VictoryLevel, VictoryRule, VictoryWhat,
};
use crate::pack::{PackError, PackFiles, forces::find, kinds::FormationKind};

impl Forces {
    /// The ground units of these formations (with all regiments of a WP division), of bases, and single counters.
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

/// Looks up the names in a scenario; an error says what is missing.
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

    /// Hexes and rectangles of lines and positions: `2010`, `2010-3424`.
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

pub(in crate::pack) fn read(
    files: &PackFiles,
    forces: &Forces,
    map: &Map,
) -> Result<Vec<Scenario>, PackError> {
    let finder = Finder { forces, map };
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (path, text) in files.folder("scenarios") {
        let raw: Raw = rulebook::files::parse(path, text)?;
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
        let pool = crate::pack::forces::find(&find.forces.pools, |p| &p.id, id, "pool")?;
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
