//! What is known before the game: the distance from each hex to each Victory Hex, and its sector of the map.

use ::ardennes::{
    Ardennes,
    pack::{Ground, VictoryKind, VictoryRule},
    terrain::{Class, NEVER, cost_index},
};
use hexgrid::HexId;

use super::{field::TURN, plan::SECTORS};

/// A Victory Hex as an aim.
#[derive(Clone, Debug)]
pub struct Aim {
    pub hex: HexId,
    /// The value of its control in this scenario.
    pub weight: f32,
    /// Below 1: it does not win the game, and should draw fewer units away from the hexes that do.
    detour: f32,
    pub sector: usize,
    /// For each hex its nearness by road for a mechanized unit: 1 at the aim, less with every part of a turn.
    pub near: Vec<f32>,
    /// From 0 to 1: how many of the roads from the German start line to all aims lead through it, or through a hex of
    /// the same town, on an empty map.
    pub hub: f32,
}

impl Aim {
    /// How strongly it attracts units: `least` for any aim, plus `more` for one of full weight.
    pub fn wanted(&self, least: f32, more: f32) -> f32 {
        (least + more * self.weight) * self.detour
    }
}

#[derive(Debug)]
pub struct Lore {
    pub aims: Vec<Aim>,
    /// For each hex the weight of a unit there for each aim: one row of all aims per hex.
    pub mass: Vec<f32>,
    /// For each hex: the number of roads that meet there.
    pub junction: Vec<u8>,
    /// For each hex: the German set-up areas that contain it, as bits, if Allied units there may decide the game
    /// (30.3).
    pub areas: Vec<u32>,
    /// Whether any hex is in such an area.
    pub decisive: bool,
    /// For each hex: its neighbours by direction.
    pub next: Vec<[HexId; 6]>,
}

/// Time in which nearness falls to a third.
const FADE: f32 = 1.5 * TURN as f32;

/// Share of their full value that aims on the way to the decisive ones have in the campaign.
const ON_THE_WAY: f32 = 0.25;

impl Lore {
    /// `detour`: where only some aims win, the relative value of the others.
    pub fn new(rules: &Ardennes, detour: f32) -> Lore {
        let land = &rules.land;
        let rows: Vec<f32> = land.victory.iter().map(|site| height(rules, site.hex)).collect();
        let (low, high) = rows.iter().fold((f32::MAX, f32::MIN), |(l, h), y| (l.min(*y), h.max(*y)));
        let roads: Vec<Roads> = land.victory.iter().map(|site| Roads::to(rules, site.hex)).collect();
        let mut aims: Vec<Aim> = land
            .victory
            .iter()
            .zip(rows)
            .zip(&roads)
            .map(|((site, row), roads)| {
                let share = (row - low) / (high - low).max(1.0);
                let bastogne = land.bastogne.contains(site.hex);
                let (weight, detour) = match rules.scenario.victory {
                    VictoryRule::Points { per_hex, .. } => (f32::from(per_hex), 1.0),
                    // 30.2: only the West map's hexes win; the others are on the way.
                    _ if land.west_map.contains(site.hex) => match site.kind {
                        VictoryKind::Meuse | VictoryKind::Liege => (1.2, 1.0),
                        _ => (1.0, 1.0),
                    },
                    // 31.5: with Bastogne fewer hexes are enough.
                    VictoryRule::Extended if bastogne => (ON_THE_WAY * 1.5, 1.0),
                    _ if bastogne => (ON_THE_WAY * 1.5 * detour, detour),
                    _ => (ON_THE_WAY * detour, detour),
                };
                Aim {
                    hex: site.hex,
                    weight,
                    detour,
                    sector: ((share * SECTORS as f32) as usize).min(SECTORS - 1),
                    near: roads.nearness(rules),
                    hub: 0.0,
                }
            })
            .collect();
        let passing = passing(rules, &aims, &roads);
        for at in 0..aims.len() {
            // A town may have more than one hex.
            let town = aims.iter().filter(|other| rules.distance(other.hex, aims[at].hex) <= 1);
            aims[at].hub = town.map(|other| passing[other.hex.index()]).fold(0.0, f32::max);
        }
        let mut mass = Vec::with_capacity(rules.map.board.len() * aims.len());
        for hex in rules.map.board.ids() {
            mass.extend(aims.iter().map(|aim| share(rules.distance(hex, aim.hex) as f32)));
        }
        let junction = rules.map.board.ids().map(|hex| land.hex(hex).roads.count_ones() as u8).collect();
        let next = rules.map.board.ids().map(|hex| std::array::from_fn(|d| land.edges(hex)[d].to)).collect();
        let decisive = matches!(rules.scenario.victory, VictoryRule::Campaign | VictoryRule::Extended);
        let areas = |hex| land.areas_of(hex).fold(0, |bits, area| bits | 1 << area.0);
        let areas = rules.map.board.ids().map(|hex| if decisive { areas(hex) } else { 0 }).collect();
        Lore { aims, mass, junction, areas, decisive, next }
    }
}

impl Lore {
    /// The share of the roads from the German start line that lead through a place.
    pub fn hub(&self, hex: HexId) -> f32 {
        self.aims.iter().find(|aim| aim.hex == hex).map_or(0.0, |aim| aim.hub)
    }
}

/// The distance at which a unit counts in full, over which its share falls to a third, and beyond which it has none.
const BESIDE: f32 = 1.5;
const WANE: f32 = 5.0;
const NO_MORE: f32 = 10.0;

/// The weight of a unit at a distance from where it is needed.
fn share(distance: f32) -> f32 {
    if distance > NO_MORE { 0.0 } else { (-(distance - BESIDE).max(0.0) / WANE).exp() }
}

fn height(rules: &Ardennes, hex: HexId) -> f32 {
    let hex = rules.map.board.hex(hex);
    hexgrid::Layout::new(rules.map.board.orientation(), 1.0).centre(hex).y as f32
}

/// The fastest ways of a mechanized unit to a goal on an empty map with every bridge intact.
struct Roads {
    time: Vec<u32>,
    /// The next hex on the way.
    on: Vec<HexId>,
}

impl Roads {
    /// Searched backwards from the goal.
    fn to(rules: &Ardennes, goal: HexId) -> Roads {
        let land = &rules.land;
        let cost = cost_index(Class::Mechanized, Ground::Mud);
        let hexes = rules.map.board.len();
        let (mut time, mut on) = (vec![u32::MAX; hexes], vec![HexId::NONE; hexes]);
        let mut open = std::collections::BinaryHeap::new();
        time[goal.index()] = 0;
        open.push((std::cmp::Reverse(0u32), goal.0));
        while let Some((std::cmp::Reverse(here), at)) = open.pop() {
            let hex = HexId(at);
            if here > time[hex.index()] {
                continue;
            }
            for edge in land.edges(hex) {
                let Some(from) = edge.to.some() else { continue };
                // The step is made from `from` into `hex`.
                let Some(back) = land.between(from, hex) else { continue };
                let road = back.road[cost];
                let quarters = if road != NEVER { road } else { land.hex(hex).enter[cost] };
                let rough = road == NEVER
                    && (back.is(::ardennes::terrain::EdgeBits::RIVER)
                        || back.is(::ardennes::terrain::EdgeBits::BY_ROAD_ONLY));
                if quarters == NEVER || rough || back.is(::ardennes::terrain::EdgeBits::LAKE) {
                    continue;
                }
                let total = here + u32::from(quarters) * super::field::MECHANIZED;
                if total < time[from.index()] {
                    time[from.index()] = total;
                    on[from.index()] = hex;
                    open.push((std::cmp::Reverse(total), from.0));
                }
            }
        }
        Roads { time, on }
    }

    fn nearness(&self, rules: &Ardennes) -> Vec<f32> {
        let near = |t: u32| if t == u32::MAX { 0.0 } else { (-(t as f32) / FADE).exp() };
        let mut out: Vec<f32> = self.time.iter().map(|time| near(*time)).collect();
        // Roadless hexes are almost as near as their best neighbour.
        for hex in rules.map.board.ids() {
            if out[hex.index()] == 0.0 {
                let best = rules.land.neighbours(hex).map(|n| out[n.index()]).fold(0.0, f32::max);
                out[hex.index()] = best * 0.8;
            }
        }
        out
    }
}

/// For each hex the share of the ways from the German start line to these aims, weighted, that lead through it.
fn passing(rules: &Ardennes, aims: &[Aim], roads: &[Roads]) -> Vec<f32> {
    let mut passing = vec![0.0; rules.map.board.len()];
    let starts: Vec<HexId> = rules.land.set_up.iter().collect();
    let all: f32 = aims.iter().map(|aim| aim.weight).sum::<f32>() * starts.len() as f32;
    for (aim, roads) in aims.iter().zip(roads) {
        for start in starts.iter().filter(|start| roads.time[start.index()] != u32::MAX) {
            let mut at = *start;
            while at != HexId::NONE {
                passing[at.index()] += aim.weight / all;
                at = roads.on[at.index()];
            }
        }
    }
    passing
}

#[cfg(test)]
mod tests {
    use crate::ardennes::areas::tests::campaign;

    #[test]
    fn towns_on_the_way_to_others_are_hubs() {
        let (staff, _) = campaign();
        let (rules, lore) = (&*staff.rules, &staff.lore);
        assert!(lore.aims.iter().all(|aim| (0.0..=1.0).contains(&aim.hub)));
        // Its own weight is the least that leads to an aim; only through a hub others are reached, too.
        let all: f32 = lore.aims.iter().map(|aim| aim.weight).sum();
        let more = |hub: f32, weight: f32| hub > 3.0 * weight / all;
        assert!(lore.aims.iter().any(|aim| more(aim.hub, aim.weight)));
        assert!(lore.aims.iter().any(|aim| !more(aim.hub, aim.weight)));
        // 31.5: Bastogne has two hexes, which share the roads of both, more than lead through most places.
        let town: Vec<f32> = rules.land.bastogne.iter().map(|hex| lore.hub(hex)).collect();
        let fewer = lore.aims.iter().filter(|aim| aim.hub < town[0]).count();
        assert!(town.len() == 2 && town[0] == town[1] && 4 * fewer > 3 * lore.aims.len(), "{town:?} {fewer}");
    }
}
