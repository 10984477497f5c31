//! Road elements of supply lines (23.3): from which hexes a road leads to a source.
//!
//! Most who ask want to know it of a few hexes. From each of them a road is followed, first where it would be the shortest way on
//! an empty map, and every hex met on the way shares the answer. All that is found is kept with what it depends on.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};

use crate::{
    pack::Side,
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridges, MarkerAt, State},
    terrain::{EdgeBits, HEXES},
};

thread_local! {
    static NETS: RefCell<([Net; 2], Room)> = RefCell::default();
}

/// Every hex from which a Road element leads to a source (23.3).
pub fn road_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    with_roads(rules, s, side, |roads: &mut Roads| roads.all())
}

/// Ask from which hexes a Road element leads to a source, if any.
pub fn with_roads<T>(rules: &Ardennes, s: &State, side: Side, look: impl FnOnce(&mut Roads) -> T) -> T {
    NETS.with_borrow_mut(|(nets, room)| {
        let net = &mut nets[side.index()];
        look(&mut Roads { rules, s, side, current: false, net, room })
    })
}

/// The roads of a side as they lie in a position.
#[derive(Debug)]
pub struct Roads<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    /// The net is that of this position.
    current: bool,
    net: &'a mut Net,
    room: &'a mut Room,
}

/// What is known of a side's Road elements, and what that holds for, apart from the map.
#[derive(Debug)]
struct Net {
    /// A map of a lab file that names no source of a side does not ask about its supply.
    free: bool,
    links: Links,
    /// Where the units of both sides stood, who controlled what and where Roadblocks lay when it was last looked at.
    stands: [Stamp; 2],
    german_control: HexSet,
    roadblocks: [[MarkerAt; 2]; 2],
    enemy: HexSet,
    enemy_bonding: HexSet,
    /// Own units next to an enemy: they negate Bonds (10.4).
    own: HexSet,
    /// Hexes that no Road element enters.
    closed: HexSet,
    /// Sources that no enemy unit occupies.
    sources: HexSet,
    /// Hexes of which it is known whether a Road element enters them and leads to a source; and those where it is so.
    known: HexSet,
    joined: HexSet,
    /// Every hex from which one leads to a source, if somebody wanted them all.
    all: Option<HexSet>,
}

impl Default for Net {
    fn default() -> Self {
        Net {
            free: false,
            links: Links::default(),
            stands: <[Stamp; 2]>::default(),
            german_control: HexSet::EMPTY,
            roadblocks: <[[MarkerAt; 2]; 2]>::default(),
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

impl Net {
    fn update(&mut self, rules: &Ardennes, s: &State, side: Side) {
        let relaid = self.links.update(rules, s, side);
        let nobody_moved =
            self.stands.iter().zip(Side::ALL).all(|(before, side)| before.same(s.stands(side)))
                && self.german_control == *s.german_control()
                && self.roadblocks == s.roadblocks;
        if nobody_moved && !relaid {
            debug_assert_eq!(self.closed, closed_to_roads(rules, s, side));
            return;
        }
        self.stands = Side::ALL.map(|side| s.stands(side));
        (self.german_control, self.roadblocks) = (*s.german_control(), s.roadblocks);
        let them = side.enemy();
        let own = s.held(side) & s.near(them);
        let closed = closed_to_roads(rules, s, side);
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
        self.free = rules.land.sources[side.index()].is_empty();
    }

    /// It is known that no Road element leads to a source by way of this hex.
    #[inline]
    fn leads_nowhere(&self, hex: HexId) -> bool {
        self.known.contains(hex) && !self.joined.contains(hex)
    }
}

/// Room for a search.
#[derive(Debug)]
struct Room {
    open: Box<[HexId; HEXES]>,
    met: Box<[HexId; HEXES]>,
    /// One for each hex that was met, in a byte of its own: bits of one word would wait for each other.
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

/// Where the roads lead, with bridges as they are: the neighbour that would be nearest to a source of the side, were the map
/// empty, comes last. Three neighbours come first, for few hexes have more; a hex with fewer stands in for those it lacks.
#[derive(Debug)]
struct Links {
    of: Option<(Stamp, Bridges)>,
    to: Box<[[HexId; 6]; HEXES]>,
    /// That neighbour, if it is nearer than the hex itself; else the hex.
    toward: Box<[HexId; HEXES]>,
    /// Road hexes to a source on an empty map.
    away: Box<[u16; HEXES]>,
    /// Hexes without any road.
    roadless: HexSet,
}

impl Default for Links {
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

impl Links {
    /// True if something has changed.
    fn update(&mut self, rules: &Ardennes, s: &State, side: Side) -> bool {
        let before =
            self.of.as_ref().filter(|(table, _)| table.same(rules.stamp)).map(|(_, bridges)| bridges);
        let Some(before) = before else {
            self.measure(rules, side);
            self.roadless = rules.map.board.ids().filter(|hex| !rules.land.hex(*hex).has_road()).collect();
            rules.map.board.ids().for_each(|hex| self.lay(rules, s, hex));
            self.of = Some((rules.stamp, *s.bridges()));
            return true;
        };
        if before.untouched(s.bridges()) {
            return false;
        }
        let (before, same) = (*before, before.same_intact(s.bridges()));
        self.of = Some((rules.stamp, *s.bridges()));
        if same {
            return false;
        }
        let changed = before.iter().zip(s.bridges()).zip(&rules.land.bridges);
        for (_, ends) in changed.filter(|((before, now), _)| before.intact() != now.intact()) {
            ends.iter().copied().filter_map(HexId::some).for_each(|hex| self.lay(rules, s, hex));
        }
        true
    }

    /// How far it is along the roads of an empty map.
    fn measure(&mut self, rules: &Ardennes, side: Side) {
        self.away.fill(u16::MAX);
        let mut ring = rules.land.sources[side.index()];
        for length in 0.. {
            let mut next = HexSet::new();
            ring.each(|hex| {
                self.away[hex.index() % HEXES] = length;
                next.extend(rules.land.edges(hex).iter().filter(|e| e.is(EdgeBits::ROAD)).map(|e| e.to));
            });
            ring = next.iter().filter(|hex| self.away[hex.index() % HEXES] == u16::MAX).collect();
            if ring.is_empty() {
                break;
            }
        }
    }

    fn lay(&mut self, rules: &Ardennes, s: &State, hex: HexId) {
        let away = |hex: &HexId| self.away[hex.index() % HEXES];
        let links = &mut self.to[hex.index() % HEXES];
        *links = [hex; 6];
        let open = rules.land.edges(hex).iter().filter(|edge| edge.to != HexId::NONE);
        let open = open.filter(|edge| Ardennes::crossing_of(s, edge).road);
        let mut count = 0;
        for (link, edge) in links.iter_mut().zip(open) {
            *link = edge.to;
            count += 1;
        }
        let open = &mut links[..count];
        open.sort_unstable_by_key(|to| std::cmp::Reverse(away(to)));
        let nearest = open.last().copied().filter(|to| away(to) < away(&hex));
        self.toward[hex.index() % HEXES] = nearest.unwrap_or(hex);
    }
}

impl Roads<'_> {
    /// Does a Road element lead from this hex to a source (23.3)?
    pub fn lead_home(&mut self, hex: HexId) -> bool {
        self.update();
        if self.net.free {
            return self.rules.land.in_play.contains(hex);
        }
        let leads = self.look_from(hex);
        debug_assert_eq!(leads, self.all().contains(hex), "{}", self.rules.label(hex));
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
        // It is the end of every Road element: each way out of it is another one.
        let links = net.links.to[hex.index() % HEXES];
        links
            .into_iter()
            .any(|to| to != hex && !self.net.leads_nowhere(to) && !self.barred(hex, to) && self.search(to))
    }

    /// Is it seen at one look that a Road element leads from this hex to a source: along the shortest way of an empty map? Where
    /// not, one may still lead there.
    pub fn lead_straight_home(&mut self, hex: HexId) -> bool {
        self.update();
        if self.net.free {
            return self.rules.land.in_play.contains(hex);
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

    /// … from a neighbour into which an Overland element may step (23.3)?
    pub fn lead_straight_home_beside(&mut self, hex: HexId) -> bool {
        let (land, near) = (&self.rules.land, self.s.near(self.side.enemy()));
        let open = |roads: &Self, to: HexId| !near.contains(to) || !roads.barred(hex, to);
        // Those first of which it is known.
        land.neighbours(hex).any(|to| self.net.joined.contains(to) && open(self, to))
            || land.neighbours(hex).any(|to| open(self, to) && self.lead_straight_home(to))
    }

    /// Not by a Bond through it (10.2).
    #[inline]
    fn may_be_entered(&self, hex: HexId) -> bool {
        !self.s.near_enemy(self.side, hex) || self.rules.hex_bond_against(self.s, self.side, hex).is_none()
    }

    /// Does an enemy Bond keep Road elements from this step (10.2)?
    fn barred(&self, from: HexId, to: HexId) -> bool {
        let direction = self.rules.land.direction(from, to);
        direction.is_some_and(|d| self.rules.bond_bars_trace(self.s, self.side, from, d).is_some())
    }

    /// Follow the roads from a hex that may be entered. Between such hexes they lead both ways, so that what holds for one
    /// holds for all that are met.
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

    /// The hexes met are joined.
    fn join(&mut self, met: usize) {
        for hex in &self.room.met[..met] {
            self.net.known.insert(*hex);
            self.net.joined.insert(*hex);
        }
    }

    /// Along the shortest way of an empty map, until something is known or bars the way: whether that is a hex that is joined,
    /// and how many hexes were met before.
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

    /// Along all roads from the hexes met so far, the last of them first: whether one that is joined is met, and how many others.
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
            // Bonds have ends next to both hexes.
            if near.contains(hex) {
                for to in &mut links {
                    *to = if *to != hex && self.barred(hex, *to) { hex } else { *to };
                }
            }
            let (Net { known, joined, .. }, Room { open, met: all, .. }) = (&mut *self.net, &mut *self.room);
            let mut home = false;
            for to in &links[..few] {
                // A hex is written down whether it is new or not, and stays there if it is: nobody could guess which.
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
            return self.rules.land.in_play;
        }
        if self.net.all.is_none() {
            self.net.all = Some(self.flood());
        }
        self.net.all.unwrap_or_default()
    }

    /// … all at once, from the sources.
    fn flood(&mut self) -> HexSet {
        let Roads { rules, s, side, .. } = *self;
        let Net { links: Links { to: links, .. }, sources, closed, .. } = &*self.net;
        let Room { open, seen, .. } = &mut *self.room;
        let (enemy, near) = (s.held(side.enemy()), s.near(side.enemy()));
        let loud = closed | near;
        seen.fill(0);
        // No road leads on from an enemy unit's hex: it needs no second look either.
        enemy.each(|hex| seen[hex.index() % HEXES] = 1);
        let (mut next, mut count) = (0, 0);
        let mut add = |open: &mut [HexId; HEXES], count: &mut usize, to: HexId| {
            // As above.
            let met = std::mem::replace(&mut seen[to.index() % HEXES], 1);
            open[*count % HEXES] = to;
            *count += usize::from(met ^ 1);
        };
        sources.each(|source| add(open, &mut count, source));
        while next < count {
            let hex = open[next % HEXES];
            next += 1;
            if loud.contains(hex) {
                if closed.contains(hex) {
                    continue;
                }
                let mut ways = open_roads(rules, s, side, hex);
                while ways != 0 {
                    add(open, &mut count, rules.map.board.neighbour_row(hex)[ways.trailing_zeros() as usize]);
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

/// Sources that no enemy unit occupies (23.2).
pub(super) fn open_sources(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    &(&rules.land.sources[side.index()] & &rules.land.in_play) - s.held(side.enemy())
}

/// The directions from which a Road element may come into a hex next to enemies, as bits: as [`super::road_steps`].
fn open_roads(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> u8 {
    let land = rules.land.hex(hex);
    let open = |direction: usize| {
        let edge = &rules.land.edges(hex)[direction];
        let back = Direction::from_index(direction).opposite();
        Ardennes::crossing_of(s, edge).road && rules.bond_bars_trace(s, side, edge.to, back).is_none()
    };
    let roads = land.dry_roads | land.bridge_roads;
    (0..6).filter(|d| roads >> d & 1 == 1 && open(*d)).fold(0, |bits, d| bits | 1 << d)
}

/// The hexes that no Road element enters: [`super::road_enters`] for the whole map.
fn closed_to_roads(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let enemy = side.enemy();
    let mut closed = *s.zoc(enemy);
    // 1E 23.3: an enemy-controlled Town is no obstacle.
    if !rules.first_edition() {
        let mut hostile = rules.land.towns;
        match enemy {
            Side::German => hostile.intersect_with(s.german_control()),
            Side::Allied => hostile.subtract(s.german_control()),
        }
        // 33.1: a Roadblock controls its hex.
        for hex in s.roadblocks.iter().flatten().filter_map(|at| at.hex()) {
            hostile.remove(hex);
            if rules.land.towns.contains(hex) && s.control(hex) == enemy {
                hostile.insert(hex);
            }
        }
        closed.union_with(&hostile);
    }
    closed.subtract(s.held(side));
    closed.union_with(s.held(enemy));
    closed.extend(s.roadblocks[enemy.index()].iter().filter_map(|at| at.hex()));
    closed
}

#[cfg(test)]
mod tests {
    use zocbond::field::Sets;

    use super::*;
    use crate::{Ardennes44, state::BridgeIs};

    /// Roads followed from a hex and the net found from the sources are the same, wherever who stands.
    // rule: 23.3
    #[test]
    fn following_roads_finds_the_net() {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let mut random = 44u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % limit
        };
        let (mut joined, mut cut) = (0, 0);
        for edition in ["2e", "1e"] {
            let setup = kernel::Setup {
                scenario: "campaign".into(),
                edition: Some(edition.into()),
                ..kernel::Setup::default()
            };
            let rules = game.rules(&setup).expect("it is shipped");
            let mut s = crate::game::start(&rules).expect("it opens");
            let mut hexes: Vec<HexId> = rules.land.in_play.iter().collect();
            for round in 0..120 {
                let mut held: [HexSet; 2] =
                    Side::ALL.map(|_| (0..2 * round).map(|_| hexes[below(hexes.len())]).collect());
                // And around those with many roads.
                for hex in hexes.iter().filter(|hex| rules.land.hex(**hex).roads.count_ones() > 4) {
                    let around = rules.land.neighbours(*hex).filter(|_| below(3) == 0);
                    held[round % 2].extend(around);
                }
                let taken = held[0];
                held[1].subtract(&taken);
                for (side, held) in Side::ALL.into_iter().zip(held) {
                    let near: HexSet = held.iter().flat_map(|hex| rules.land.neighbours(hex)).collect();
                    // Few ZOC, so that many Bonds matter.
                    let zoc = near.iter().filter(|_| below(4) == 0).collect();
                    s.invent(side, &Sets { held, near, bonding: held, zoc });
                }
                s.set_control_of_all(&rules.land.in_play, Side::Allied);
                let german = hexes.iter().copied().filter(|_| below(4) == 0).collect();
                s.set_control_of_all(&german, Side::German);
                for _ in 0..8 {
                    let is = if below(2) == 0 { BridgeIs::Blown } else { BridgeIs::Intact };
                    s.bridge_mut(below(rules.land.bridges.len())).set(is);
                }
                let first = below(hexes.len());
                hexes.rotate_left(first);
                for side in Side::ALL {
                    let all = road_hexes(&rules, &s, side);
                    with_roads(&rules, &s, side, |roads| {
                        for hex in &hexes {
                            let leads = roads.lead_home(*hex);
                            assert_eq!(leads, all.contains(*hex), "{edition} {side:?} {}", rules.label(*hex));
                            joined += usize::from(leads);
                            cut += usize::from(!leads && rules.land.hex(*hex).has_road());
                        }
                    });
                }
            }
        }
        assert!(joined > 10_000 && cut > 10_000, "neither is rare: {joined}, {cut}");
    }
}
