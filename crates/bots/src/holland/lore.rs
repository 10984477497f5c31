//! What is known before the game: what wins, where it is, and the time of every step on the map.

use ::holland::{
    Holland, State,
    land::{BridgeKind, Side as Hexside, Water},
    pack::{Crossing, ScenarioVictory, Side},
};
use hexgrid::{Direction, HexId, HexSet};
use zocbond::Points;

use super::weights::Weights;
use crate::bond::arrival::{Arrival, BARRED, Buckets, Going, NEVER_THERE, Step, TURN};

/// When an aim counts for the Allies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All its hexes are controlled, and a road leads there (26.2).
    Place,
    /// A unit is there (S3.4, S4.4).
    Hold,
    /// The bridge is intact and Allied (5.2).
    Bridge(u16),
    /// No German in its hexes: those of a zone and those adjacent to it (S4.4).
    Clear,
    /// Ground units beyond a river (26.3, 26.5): counted unit by unit.
    Beyond,
}

#[derive(Clone, Debug)]
pub struct Aim {
    pub kind: Kind,
    pub hexes: Vec<HexId>,
    /// Its value in victory points of the scenario.
    pub weight: f32,
    /// What it adds to the scenario's victory condition.
    pub points: f32,
    /// Is it on the route of the drive?
    pub on_highway: bool,
}

impl Aim {
    /// The hexes that a side would have to take for it.
    pub fn wanted(&self, s: &State, side: Side) -> impl Iterator<Item = HexId> {
        self.hexes.iter().copied().filter(move |hex| match (self.kind, side) {
            (Kind::Clear, Side::Allied) => s.field.held(Side::German).contains(*hex),
            _ => s.field.last_holder(*hex) != side,
        })
    }

    /// The number of hexes that make it up: a single German spoils a zone.
    pub fn parts(&self, s: &State) -> f32 {
        match self.kind {
            Kind::Clear => self.wanted(s, Side::Allied).count().max(1) as f32,
            _ => self.hexes.len() as f32,
        }
    }
}

#[derive(Debug)]
pub struct Lore {
    pub aims: Vec<Aim>,
    /// The bank that ground units are to reach, if the scenario requires it.
    pub beyond: Option<HexSet>,
    /// Its hexes next to the near bank.
    pub shore: Vec<HexId>,
    /// The time of each step on foot and for mechanized units, ignoring bridges.
    pub steps: [Vec<[Step; 6]>; 2],
    pub next: Vec<[HexId; 6]>,
    /// Steps across water that need an Engineer.
    pub by_engineer: Vec<(HexId, u8)>,
    /// Results of the CRT as numbers, by die and column.
    pub results: Vec<Vec<u8>>,
    /// Formations that drive up the highway, by index; none where the scenario does not ask for it.
    driving: Vec<bool>,
    /// The highway, with the hexes up to [`BESIDE`] from it.
    pub corridor: HexSet,
    /// The aim at the end of the drive: the far bank, or the last place of the road.
    pub goal: Option<usize>,
}

/// The formations of XXX Corps whose task is the road to Arnhem. The rest of the army captures places and guards the
/// flanks.
const DRIVING: [&str; 4] = ["gds", "30c", "8arm", "43"];
/// Where the highway begins and ends.
const HIGHWAY_ENDS: [&str; 2] = ["1404", "6223"];
/// How far north a place lies, by its label.
fn row(label: &str) -> &str {
    label.get(..2).unwrap_or_default()
}
/// A unit within this distance of the highway blocks it.
const BESIDE: u16 = 1;

/// Movement points of a turn that a unit is credited with, on foot and mechanized.
const ALLOWANCE: [u32; 2] = [3, 5];
/// Crossing unbridged water takes Tactical Movement, and an Engineer where it is wide (8.5).
pub const BY_BOAT: u16 = TURN / 2;
pub const BY_ENGINEER: u16 = TURN + TURN / 2;

/// Bridges of the highway, from the south, on which the corridor depends.
const HIGHWAY: [(&str, f32); 6] = [
    ("son", 1.0),
    ("veghel", 1.0),
    ("grave", 1.2),
    ("heumen_lock", 0.7),
    ("nijmegen_road_bridge", 1.6),
    ("arnhem_road_bridge", 2.0),
];

pub fn time(points: Points, mechanized: bool) -> u16 {
    let part = u32::from(points.twelfths()) * u32::from(TURN) / (12 * ALLOWANCE[usize::from(mechanized)]);
    part.clamp(1, u32::from(BARRED)) as u16
}

impl Lore {
    pub fn new(rules: &Holland, weights: &Weights) -> Lore {
        let next: Vec<[HexId; 6]> =
            rules.map.board.ids().map(|hex| *rules.land.topology.around(hex)).collect();
        let steps: [Vec<[Step; 6]>; 2] = [false, true].map(|mechanized| {
            let step = |hex: HexId, d: usize| {
                let to = next[hex.index()][d];
                if to == HexId::NONE || !rules.land.in_play.contains(hex) {
                    return Step { to: hex, time: BARRED };
                }
                Step { to, time: ground(rules, hex, Direction::from_index(d), mechanized) }
            };
            rules.map.board.ids().map(|hex| std::array::from_fn(|d| step(hex, d))).collect()
        });
        let engineers = |(hex, row): (usize, &[Step; 6])| {
            let mine: Vec<(HexId, u8)> = (0..6u8)
                .filter(|d| row[usize::from(*d)].time == BY_ENGINEER)
                .map(|d| (HexId(hex as u16), d))
                .collect();
            mine
        };
        let by_engineer = steps[0].iter().enumerate().flat_map(engineers).collect();
        let beyond = match rules.victory() {
            ScenarioVictory::Campaign => Some(rules.land.north_of_rhine),
            ScenarioVictory::Short => Some(rules.land.north_of_waal),
            _ => None,
        };
        let shore = beyond.iter().flatten().filter(|hex| {
            rules.land.topology.neighbours(*hex).any(|n| !beyond.is_some_and(|far| far.contains(n)))
        });
        let code = |code: &String| rules.pack.results.iter().position(|r| r.code == *code).unwrap_or(0) as u8;
        let rows = rules.pack.tables.crt.rows.iter();
        let shore: Vec<HexId> = shore.collect();
        let northmost = match rules.victory() {
            ScenarioVictory::Road { hexes, .. } => hexes.iter().max_by_key(|label| row(label)),
            _ => None,
        };
        let end = northmost.map_or(HIGHWAY_ENDS[1], String::as_str);
        let corridor = corridor(rules, &steps[1], [HIGHWAY_ENDS[0], end]);
        let mut aims = aims(rules, weights);
        for aim in &mut aims {
            aim.on_highway = aim.kind == Kind::Beyond || aim.hexes.iter().any(|hex| corridor.contains(*hex));
        }
        let last = northmost.and_then(|label| rules.map.hex(label).ok());
        let ends = |aim: &Aim| aim.kind == Kind::Beyond || last.is_some_and(|hex| aim.hexes == [hex]);
        let goal = aims.iter().position(ends);
        let drives = |id: &String| goal.is_some() && DRIVING.contains(&id.as_str());
        Lore {
            shore,
            driving: rules.pack.formations.iter().map(|f| drives(&f.id)).collect(),
            corridor,
            goal,
            aims,
            results: rows.map(|row| row.iter().map(code).collect()).collect(),
            beyond,
            steps,
            next,
            by_engineer,
        }
    }

    /// Must the unit ignore everything off the highway? True for those who drive up it, and for the airborne, who hold
    /// it.
    pub fn bound(&self, rules: &Holland, unit: zocbond::UnitId) -> bool {
        let c = rules.counter(unit);
        self.goal.is_some() && c.side == Side::Allied && (c.airborne || self.drives(rules, unit))
    }

    /// Is the unit one of those that drive up the highway?
    pub fn drives(&self, rules: &Holland, unit: zocbond::UnitId) -> bool {
        let c = rules.counter(unit);
        c.side == Side::Allied && self.driving.get(usize::from(c.formation)).is_some_and(|drives| *drives)
    }
}

/// Hell's Highway: the fastest route by road with all bridges intact, and the hexes beside it.
fn corridor(rules: &Holland, steps: &[[Step; 6]], ends: [&str; 2]) -> HexSet {
    let mut steps = steps.to_vec();
    for bridge in rules.land.bridges.iter().filter(|bridge| bridge.kind != BridgeKind::Ferry) {
        let [a, b] = bridge.hexes;
        for (from, to) in [(a, b), (b, a)] {
            if let Some(d) = rules.land.topology.direction(from, to) {
                steps[from.index()][d.index()].time = over_bridge(rules, from, to, true);
            }
        }
    }
    let [Ok(first), Ok(last)] = ends.map(|label| rules.map.hex(label)) else {
        return HexSet::new();
    };
    let hexes = rules.map.board.len();
    let (nobody, block) = (HexSet::new(), vec![0; hexes]);
    let bars = |_: HexId, _: Direction| false;
    let going = Going { steps: &steps, block: &block, own: &nobody, contact: &nobody, bond: 0, bars };
    let mut arrival = Arrival::nowhere(hexes);
    arrival.spread(std::iter::once((first, 0)), &going, NEVER_THERE - 1, &mut Buckets::default());
    let mut corridor = HexSet::new();
    let mut at = last;
    while at != HexId::NONE {
        for near in rules.map.board.range(at, BESIDE) {
            corridor.insert(near);
        }
        at = arrival.from[at.index()];
    }
    corridor
}

fn aims(rules: &Holland, weights: &Weights) -> Vec<Aim> {
    let mut aims = Vec::new();
    let hex = |label: &str| rules.map.hex(label).ok().filter(|hex| rules.land.in_play.contains(*hex));
    let named = |id: &str| rules.land.bridges.iter().position(|b| b.id == id).map(|i| i as u16);
    let spans = |bridge: u16| rules.land.bridges[usize::from(bridge)].hexes.to_vec();
    let campaign = matches!(rules.victory(), ScenarioVictory::Campaign);
    match rules.victory() {
        ScenarioVictory::Campaign | ScenarioVictory::Short => {
            for (place, hexes) in rules.pack.victory_places.iter().zip(&rules.places) {
                let points = if campaign { f32::from(place.value) / 2.0 } else { 0.0 };
                // Where only the Waal counts, places matter as far as the German player scores them.
                let weight =
                    points + if place.retakeable { weights.highway } else { 0.05 * f32::from(place.value) };
                aims.push(Aim { kind: Kind::Place, hexes: hexes.clone(), weight, points, on_highway: false });
            }
            for (id, share) in HIGHWAY {
                if let Some(bridge) = named(id) {
                    let weight = weights.bridge * share;
                    aims.push(Aim {
                        kind: Kind::Bridge(bridge),
                        hexes: spans(bridge),
                        weight,
                        points: 0.0,
                        on_highway: false,
                    });
                }
            }
            let far = if campaign { &rules.land.north_of_rhine } else { &rules.land.north_of_waal };
            let shore = far.iter().filter(|hex| {
                Direction::ALL.into_iter().any(|d| {
                    let row = rules.side_toward(*hex, d);
                    row.road.is_some()
                        && row.bridge.is_some()
                        && rules.land.topology.neighbour(*hex, d).is_some_and(|to| !far.contains(to))
                })
            });
            aims.push(Aim {
                kind: Kind::Beyond,
                hexes: shore.collect(),
                weight: if campaign { 3.0 } else { 4.0 },
                points: 0.0,
                on_highway: true,
            });
        }
        ScenarioVictory::Arnhem { hex: label, .. } => {
            aims.extend(hex(label).map(|hex| Aim {
                kind: Kind::Hold,
                hexes: vec![hex],
                weight: 4.0,
                points: 1.0,
                on_highway: false,
            }));
        }
        ScenarioVictory::Road { hexes, .. } => {
            aims.extend(hexes.iter().filter_map(|label| hex(label)).map(|hex| Aim {
                kind: Kind::Place,
                hexes: vec![hex],
                weight: 1.5,
                points: 1.0,
                on_highway: false,
            }));
        }
        ScenarioVictory::Nijmegen { bridges, zones, hex: label, .. } => {
            for any in bridges {
                // Any one of them: the first is as good as another.
                for bridge in any.iter().filter_map(|id| named(id)) {
                    let share = 1.0 / any.len() as f32;
                    let kind = Kind::Bridge(bridge);
                    aims.push(Aim {
                        kind,
                        hexes: spans(bridge),
                        weight: 1.5 * share,
                        points: share,
                        on_highway: false,
                    });
                }
            }
            for zone in zones {
                let at = rules.pack.zones.iter().position(|z| z.id == *zone);
                let zone = at.map(|i| rules.zones[i].1.clone()).unwrap_or_default();
                let around = zone.iter().flat_map(|hex| rules.land.topology.neighbours(*hex));
                let all: HexSet = zone.iter().copied().chain(around).collect();
                let hexes = all.iter().filter(|hex| rules.land.in_play.contains(*hex)).collect();
                aims.push(Aim { kind: Kind::Clear, hexes, weight: 1.5, points: 1.0, on_highway: false });
            }
            aims.extend(hex(label).map(|hex| Aim {
                kind: Kind::Hold,
                hexes: vec![hex],
                weight: 3.0,
                points: 2.0,
                on_highway: false,
            }));
        }
    }
    aims.retain(|aim| !aim.hexes.is_empty());
    aims
}

/// The time of a step over the terrain, without the bridge that may be there (8.5 to 8.8).
fn ground(rules: &Holland, from: HexId, d: Direction, mechanized: bool) -> u16 {
    let row: &Hexside = rules.side_toward(from, d);
    let Some(to) = rules.land.topology.neighbour(from, d) else { return BARRED };
    let (here, there) = (rules.land.at(from), rules.land.at(to));
    if row.water == Water::None
        && let Some(road) = row.road
    {
        return time(road[usize::from(mechanized)], mechanized);
    }
    if mechanized && (here.by_road_only || there.by_road_only) {
        return BARRED;
    }
    let cost = if mechanized { there.mech } else { there.foot };
    match (row.water, row.crossing) {
        (Water::None, _) => time(cost, mechanized),
        _ if mechanized => BARRED,
        (Water::MinorRiver, _) => time(cost + row.foot, false),
        (_, Some(Crossing::Tactical)) => BY_BOAT,
        _ => {
            let ferry =
                row.bridge.is_some_and(|b| rules.land.bridges[usize::from(b)].kind == BridgeKind::Ferry);
            if ferry { BY_BOAT } else { BY_ENGINEER }
        }
    }
}

/// The time of a step across an intact bridge.
pub fn over_bridge(rules: &Holland, from: HexId, to: HexId, mechanized: bool) -> u16 {
    let Some(d) = rules.land.topology.direction(from, to) else { return BARRED };
    let row = rules.side_toward(from, d);
    if let Some(road) = row.road {
        return time(road[usize::from(mechanized)], mechanized);
    }
    let there = rules.land.at(to);
    let extra = rules.pack.tables.railroad_bridge;
    let (cost, extra) = if mechanized { (there.mech, extra.mech) } else { (there.foot, extra.foot) };
    time(cost + Points::whole(extra.into()), mechanized)
}

/// Is the unit one of the ground army's fighting units (26.6)?
pub fn of_the_ground_army(rules: &Holland, unit: zocbond::UnitId) -> bool {
    let c = rules.counter(unit);
    c.side == Side::Allied && !c.airborne && !c.categories.train && c.pool.is_none()
}
