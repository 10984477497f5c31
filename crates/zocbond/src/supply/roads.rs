//! Supply roads: from which hexes a road leads to a source.
//!
//! Most callers ask about a few hexes. From each of them a road is followed, first along the shortest way on an empty
//! map, and every hex on the way shares the answer. All results are kept together with what they depend on.

use std::{fmt::Debug, ops::Deref};

use hexgrid::{Direction, HexId, HexSet};

use crate::{
    Bridges, FieldOf, HEXES, Side, Span, Stamp, System, Topology,
    bonds::{bars_trace, hex_bond_against},
};

/// What the road network needs to know of a game.
pub trait SupplyRoads: System {
    /// The whole position.
    type Position: Deref<Target = FieldOf<Self>>;
    /// What closes hexes to roads besides units, ZOC and control, such as markers.
    type Markers: Copy + Default + PartialEq + Debug;

    /// Identifies the rules of this table.
    fn table(&self) -> Stamp;

    /// The two hexes of each bridge.
    fn bridge_ends(&self) -> &[[HexId; 2]];

    /// The supply sources of a side.
    fn sources(&self, side: Self::Side) -> &HexSet;

    /// Bit `d`: a road leaves the hex in direction `d`.
    fn roads(&self, hex: HexId) -> u8;

    /// The same, without roads whose bridge is not intact.
    fn open_roads(&self, field: &FieldOf<Self>, hex: HexId) -> u8;

    fn markers(&self, s: &Self::Position) -> Self::Markers;

    /// Hexes that no supply road of the side may enter, ignoring bonds; the hexes of enemy units are among them.
    fn closed_to_roads(&self, s: &Self::Position, side: Self::Side) -> HexSet;
}

/// The roads of a side in a position.
pub struct Roads<'a, G: SupplyRoads> {
    rules: &'a G,
    s: &'a G::Position,
    side: G::Side,
    /// Whether the network has been updated for this position.
    current: bool,
    net: &'a mut Net<G::Bridge, G::Markers>,
    room: &'a mut Room,
}

impl<G: SupplyRoads> std::fmt::Debug for Roads<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Roads").field("side", &self.side).field("net", &self.net).finish_non_exhaustive()
    }
}

/// What is kept of both sides' roads from one query to the next.
#[derive(Debug, Default)]
pub struct Nets<B: Span, M: Default> {
    sides: [Net<B, M>; 2],
    room: Room,
}

impl<B: Span, M: Default> Nets<B, M> {
    /// The roads of a side in a position.
    pub fn roads<'a, G: SupplyRoads<Bridge = B, Markers = M>>(
        &'a mut self,
        rules: &'a G,
        s: &'a G::Position,
        side: G::Side,
    ) -> Roads<'a, G> {
        let net = &mut self.sides[side.index()];
        Roads { rules, s, side, current: false, net, room: &mut self.room }
    }
}

/// What is known of a side's Road elements, and what it is valid for apart from the map.
#[derive(Debug)]
struct Net<B: Span, M> {
    /// The map has no source of the side, as in a lab file that is not about supply: every hex is supplied.
    free: bool,
    links: Links<B>,
    /// The units of both sides, control and markers when it was last updated.
    stands: [Stamp; 2],
    control: HexSet,
    markers: M,
    enemy: HexSet,
    enemy_bonding: HexSet,
    /// Own units adjacent to an enemy: they negate bonds.
    own: HexSet,
    /// Hexes that no Road element may enter.
    closed: HexSet,
    /// Sources that no enemy unit occupies.
    sources: HexSet,
    /// Hexes for which it is known whether a Road element may enter them and lead to a source; and those for which it
    /// may.
    known: HexSet,
    joined: HexSet,
    /// Every hex from which a road leads to a source, if all were asked for.
    all: Option<HexSet>,
}

impl<B: Span, M: Default> Default for Net<B, M> {
    fn default() -> Self {
        Net {
            free: false,
            links: Links::default(),
            stands: <[Stamp; 2]>::default(),
            control: HexSet::EMPTY,
            markers: M::default(),
            enemy: HexSet::EMPTY,
            enemy_bonding: HexSet::EMPTY,
            own: HexSet::EMPTY,
            closed: HexSet::EMPTY,
            sources: HexSet::EMPTY,
            known: HexSet::EMPTY,
            joined: HexSet::EMPTY,
            all: None,
        }
    }
}

impl<B: Span, M: Copy + PartialEq> Net<B, M> {
    fn update<G>(&mut self, rules: &G, s: &G::Position, side: G::Side)
    where
        G: SupplyRoads<Bridge = B, Markers = M>,
    {
        let markers = rules.markers(s);
        let relaid = self.links.update(rules, s, side);
        let nobody_moved =
            self.stands.iter().zip(G::Side::ALL).all(|(before, side)| before.same(s.stands(side)))
                && self.control == *s.first_side_control()
                && self.markers == markers;
        if nobody_moved && !relaid {
            debug_assert_eq!(self.closed, rules.closed_to_roads(s, side));
            return;
        }
        self.stands = G::Side::ALL.map(|side| s.stands(side));
        (self.control, self.markers) = (*s.first_side_control(), markers);
        let them = side.enemy();
        let own = s.held(side) & s.near(them);
        let closed = rules.closed_to_roads(s, side);
        let same = !relaid
            && self.closed == closed
            && self.own == own
            && self.enemy == *s.held(them)
            && self.enemy_bonding == *s.bonding(them);
        if same {
            return;
        }
        (self.closed, self.own) = (closed, own);
        (self.enemy, self.enemy_bonding) = (*s.held(them), *s.bonding(them));
        self.sources = open_sources(rules, s, side);
        self.known = &closed | &self.links.roadless;
        self.joined = &self.sources - &self.known;
        self.known.union_with(&self.joined);
        self.all = None;
        self.free = rules.sources(side).is_empty();
    }

    /// Whether it is known that no road leads to a source through this hex.
    #[inline]
    fn leads_nowhere(&self, hex: HexId) -> bool {
        self.known.contains(hex) && !self.joined.contains(hex)
    }
}

/// Memory for searches.
#[derive(Debug)]
struct Room {
    open: Box<[HexId; HEXES]>,
    met: Box<[HexId; HEXES]>,
    /// 1 for each hex met. Bytes rather than bits, so that a write does not depend on the previous one.
    seen: Box<[u8; HEXES]>,
}

impl Default for Room {
    fn default() -> Self {
        Room {
            open: Box::new([HexId::NONE; HEXES]),
            met: Box::new([HexId::NONE; HEXES]),
            seen: Box::new([0; HEXES]),
        }
    }
}

/// The road links between hexes, with bridges as they are.
#[derive(Debug)]
struct Links<B: Span> {
    of: Option<(Stamp, Bridges<B>)>,
    /// The neighbours of each hex along roads; the one nearest to a source on an empty map is last. Unused places hold
    /// the hex itself.
    to: Box<[[HexId; 6]; HEXES]>,
    /// The last of those neighbours if it is nearer to a source than the hex itself, otherwise the hex.
    toward: Box<[HexId; HEXES]>,
    /// Distance by road to a source on an empty map, in hexes.
    away: Box<[u16; HEXES]>,
    /// Hexes without any road.
    roadless: HexSet,
}

impl<B: Span> Default for Links<B> {
    fn default() -> Self {
        let to = vec![[HexId::NONE; 6]; HEXES].into_boxed_slice();
        Links {
            of: None,
            to: to.try_into().expect("there are as many as that"),
            toward: Box::new([HexId::NONE; HEXES]),
            away: Box::new([u16::MAX; HEXES]),
            roadless: HexSet::EMPTY,
        }
    }
}

impl<B: Span> Links<B> {
    /// Returns whether something has changed.
    fn update<G: SupplyRoads<Bridge = B>>(&mut self, rules: &G, s: &G::Position, side: G::Side) -> bool {
        let table = rules.table();
        let all = || (0..rules.topology().len() as u16).map(HexId);
        let Some((_, before)) = self.of.as_ref().filter(|(of, _)| of.same(table)) else {
            self.measure(rules, side);
            self.roadless = all().filter(|hex| rules.roads(*hex) == 0).collect();
            all().for_each(|hex| self.lay(rules, s, hex));
            self.of = Some((table, *s.bridges()));
            return true;
        };
        if before.untouched(s.bridges()) {
            return false;
        }
        let (before, same) = (*before, before.same_intact(s.bridges()));
        self.of = Some((table, *s.bridges()));
        if same {
            return false;
        }
        let changed = before.iter().zip(s.bridges()).zip(rules.bridge_ends());
        for (_, ends) in changed.filter(|((before, now), _)| before.intact() != now.intact()) {
            ends.iter().copied().filter_map(HexId::some).for_each(|hex| self.lay(rules, s, hex));
        }
        true
    }

    /// Compute the distances along the roads of an empty map.
    fn measure<G: SupplyRoads>(&mut self, rules: &G, side: G::Side) {
        self.away.fill(u16::MAX);
        let mut ring = *rules.sources(side);
        for length in 0.. {
            let mut next = HexSet::new();
            ring.each(|hex| {
                self.away[hex.index() % HEXES] = length;
                next.extend(along(rules.topology(), hex, rules.roads(hex)));
            });
            ring = next.iter().filter(|hex| self.away[hex.index() % HEXES] == u16::MAX).collect();
            if ring.is_empty() {
                break;
            }
        }
    }

    fn lay<G: SupplyRoads<Bridge = B>>(&mut self, rules: &G, s: &G::Position, hex: HexId) {
        let away = |hex: &HexId| self.away[hex.index() % HEXES];
        let links = &mut self.to[hex.index() % HEXES];
        *links = [hex; 6];
        let mut count = 0;
        for (link, to) in links.iter_mut().zip(along(rules.topology(), hex, rules.open_roads(s, hex))) {
            *link = to;
            count += 1;
        }
        let open = &mut links[..count];
        open.sort_unstable_by_key(|to| std::cmp::Reverse(away(to)));
        let nearest = open.last().copied().filter(|to| away(to) < away(&hex));
        self.toward[hex.index() % HEXES] = nearest.unwrap_or(hex);
    }
}

/// The hexes in these directions, as far as they are in play.
fn along(topology: &Topology, hex: HexId, sides: u8) -> impl Iterator<Item = HexId> + '_ {
    let around = topology.around(hex).iter().enumerate();
    around.filter(move |(d, _)| sides >> d & 1 == 1).filter_map(|(_, to)| to.some())
}

impl<G: SupplyRoads> Roads<'_, G> {
    /// Whether a road leads from this hex to a source.
    pub fn lead_home(&mut self, hex: HexId) -> bool {
        self.update();
        if self.net.free {
            return self.rules.topology().in_play().contains(hex);
        }
        let leads = self.look_from(hex);
        debug_assert_eq!(leads, self.all().contains(hex), "{hex:?}");
        leads
    }

    #[inline]
    fn update(&mut self) {
        if !self.current {
            self.current = true;
            self.net.update(self.rules, self.s, self.side);
        }
    }

    fn look_from(&mut self, hex: HexId) -> bool {
        let net = &*self.net;
        if net.joined.contains(hex) {
            return true;
        }
        if !net.known.contains(hex) && self.may_be_entered(hex) {
            return self.search(hex);
        }
        if self.s.enemy_in(self.side, hex) {
            return false;
        }
        if net.sources.contains(hex) {
            return true;
        }
        let cut_off = net.known.contains(hex) && !net.closed.contains(hex);
        if cut_off {
            return false;
        }
        // The hex is the end of every Road element from it: each way out is a separate one.
        let links = net.links.to[hex.index() % HEXES];
        links
            .into_iter()
            .any(|to| to != hex && !self.net.leads_nowhere(to) && !self.barred(hex, to) && self.search(to))
    }

    /// A quick test whether a Road element leads from this hex to a source along the shortest way of an empty map. If
    /// it fails, there may still be one.
    pub fn lead_straight_home(&mut self, hex: HexId) -> bool {
        self.update();
        if self.net.free {
            return self.rules.topology().in_play().contains(hex);
        }
        if self.net.known.contains(hex) || !self.may_be_entered(hex) {
            return self.net.joined.contains(hex);
        }
        let (joined, met) = self.go_straight(hex);
        if joined {
            self.join(met);
        }
        joined
    }

    /// The same quick test for the neighbours that an overland line may step into.
    pub fn lead_straight_home_beside(&mut self, hex: HexId) -> bool {
        let (topology, near) = (self.rules.topology(), self.s.near(self.side.enemy()));
        let open = |roads: &Self, to: HexId| !near.contains(to) || !roads.barred(hex, to);
        // Try those first that are known to be joined.
        topology.neighbours(hex).any(|to| self.net.joined.contains(to) && open(self, to))
            || topology.neighbours(hex).any(|to| open(self, to) && self.lead_straight_home(to))
    }

    /// Whether no bond through the hex closes it.
    #[inline]
    fn may_be_entered(&self, hex: HexId) -> bool {
        !self.s.near_enemy(self.side, hex) || hex_bond_against(self.rules, self.s, self.side, hex).is_none()
    }

    /// Whether an enemy bond keeps Road elements from this step.
    fn barred(&self, from: HexId, to: HexId) -> bool {
        let direction = self.rules.topology().direction(from, to);
        direction.is_some_and(|d| bars_trace(self.rules, self.s, self.side, from, d).is_some())
    }

    /// Follow the roads from a hex that may be entered. Between such hexes roads can be followed both ways, so the
    /// answer holds for all hexes met.
    fn search(&mut self, start: HexId) -> bool {
        let (mut joined, mut met) = self.go_straight(start);
        if !joined {
            (joined, met) = self.go_about(met);
        }
        if joined {
            self.join(met);
        }
        joined
    }

    /// Mark the hexes met as joined to a source.
    fn join(&mut self, met: usize) {
        for hex in &self.room.met[..met] {
            self.net.known.insert(*hex);
            self.net.joined.insert(*hex);
        }
    }

    /// Follow the shortest way of an empty map until something is known or bars the way: returns whether a joined hex
    /// was reached, and how many hexes were met before.
    fn go_straight(&mut self, start: HexId) -> (bool, usize) {
        let near = self.s.near(self.side.enemy());
        let (mut hex, mut met) = (start, 0);
        loop {
            if self.net.known.contains(hex) {
                return (self.net.joined.contains(hex), met);
            }
            self.room.met[met % HEXES] = hex;
            met += 1;
            let next = self.net.links.toward[hex.index() % HEXES];
            if next == hex || near.contains(hex) && self.barred(hex, next) {
                return (false, met);
            }
            hex = next;
        }
    }

    /// Follow all roads from the hexes met so far, the last of them first: returns whether a joined hex was reached,
    /// and how many hexes were met.
    fn go_about(&mut self, mut met: usize) -> (bool, usize) {
        let near = self.s.near(self.side.enemy());
        for (open, hex) in self.room.open.iter_mut().zip(&self.room.met[..met]) {
            *open = *hex;
            self.net.known.insert(*hex);
        }
        let mut count = met;
        while count > 0 {
            count -= 1;
            let hex = self.room.open[count % HEXES];
            let mut links = self.net.links.to[hex.index() % HEXES];
            let few = match links {
                [_, _, third, ..] if third == hex => 2,
                [_, _, _, fourth, ..] if fourth == hex => 3,
                _ => links.len(),
            };
            // The ends of a bond are adjacent to both hexes.
            if near.contains(hex) {
                for to in &mut links {
                    *to = if *to != hex && self.barred(hex, *to) { hex } else { *to };
                }
            }
            let (Net { known, joined, .. }, Room { open, met: all, .. }) = (&mut *self.net, &mut *self.room);
            let mut home = false;
            for to in &links[..few] {
                // Branch-free: always write, and keep the entry by advancing the counts if the hex is new.
                let new = known.insert(*to);
                home |= joined.contains(*to);
                open[count % HEXES] = *to;
                all[met % HEXES] = *to;
                count += usize::from(new);
                met += usize::from(new);
            }
            if home {
                return (true, met);
            }
        }
        (false, met)
    }

    /// Every hex from which a Road element leads to a source.
    pub fn all(&mut self) -> HexSet {
        self.update();
        if self.net.free {
            return *self.rules.topology().in_play();
        }
        if self.net.all.is_none() {
            let sources = self.net.sources;
            self.net.all = Some(self.flood(&sources));
        }
        self.net.all.unwrap_or_default()
    }

    /// The hexes that such Road elements enter: those of [`Roads::all`] with a road that may be entered.
    pub fn entered(&mut self) -> HexSet {
        let all = self.all();
        self.enterable(&all)
    }

    /// The same for Road elements that lead to any of these hexes rather than to a source.
    pub fn entered_to(&mut self, goals: &HexSet) -> HexSet {
        self.update();
        let all = self.flood(goals);
        self.enterable(&all)
    }

    fn enterable(&self, hexes: &HexSet) -> HexSet {
        let Net { links: Links { roadless, .. }, closed, .. } = &*self.net;
        &(hexes - closed) - roadless
    }

    /// Search all of them at once, starting from the hexes that they lead to.
    fn flood(&mut self, goals: &HexSet) -> HexSet {
        let Roads { rules, s, side, .. } = *self;
        let Net { links: Links { to: links, .. }, closed, .. } = &*self.net;
        let Room { open, seen, .. } = &mut *self.room;
        let (enemy, near) = (s.held(side.enemy()), s.near(side.enemy()));
        let loud = closed | near;
        seen.fill(0);
        // No road continues from the hex of an enemy unit, so mark it as seen.
        enemy.each(|hex| seen[hex.index() % HEXES] = 1);
        let (mut next, mut count) = (0, 0);
        let mut add = |open: &mut [HexId; HEXES], count: &mut usize, to: HexId| {
            // Branch-free, as in `go_about`.
            let met = std::mem::replace(&mut seen[to.index() % HEXES], 1);
            open[*count % HEXES] = to;
            *count += usize::from(met ^ 1);
        };
        goals.each(|goal| add(open, &mut count, goal));
        while next < count {
            let hex = open[next % HEXES];
            next += 1;
            if loud.contains(hex) {
                if closed.contains(hex) {
                    continue;
                }
                let mut ways = unbarred_roads(rules, s, side, hex);
                while ways != 0 {
                    add(open, &mut count, rules.topology().around(hex)[ways.trailing_zeros() as usize]);
                    ways &= ways - 1;
                }
                continue;
            }
            let [a, b, c, more @ ..] = links[hex.index() % HEXES];
            add(open, &mut count, a);
            add(open, &mut count, b);
            add(open, &mut count, c);
            if more[0] != hex {
                for to in more {
                    add(open, &mut count, to);
                }
            }
        }
        let mut net = HexSet::of_bytes(&seen[..]);
        net.subtract(enemy);
        net
    }
}

/// Sources that no enemy unit occupies.
pub fn open_sources<G: SupplyRoads>(rules: &G, s: &G::Position, side: G::Side) -> HexSet {
    &(rules.sources(side) & rules.topology().in_play()) - s.held(side.enemy())
}

/// The directions from which a road may enter a hex adjacent to enemies, as bits.
fn unbarred_roads<G: SupplyRoads>(rules: &G, s: &G::Position, side: G::Side, hex: HexId) -> u8 {
    let roads = rules.open_roads(s, hex);
    let around = rules.topology().around(hex);
    let open = |direction: usize| {
        let back = Direction::from_index(direction).opposite();
        around[direction] != HexId::NONE && bars_trace(rules, s, side, around[direction], back).is_none()
    };
    (0..6).filter(|d| roads >> d & 1 == 1 && open(*d)).fold(0, |bits, d| bits | 1 << d)
}
