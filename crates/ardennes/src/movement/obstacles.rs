//! What a unit meets on its way that is not land: enemy units, their ZOC and Bonds, delay markers, and the hexes closed to it
//! alone. Most hexes hold nothing of the kind, and one look at a set tells.

use hexgrid::{Direction, HexId, HexSet};

use super::profile::Profile;
use crate::{
    pack::Side,
    rules::Ardennes,
    stamp::Stamp,
    state::{MarkerAt, State},
};

/// The obstacles of one search. Those that hold for every unit of a side are kept as long as they are the same: while one
/// side moves, the other stands.
#[derive(Debug, Default)]
pub(super) struct Obstacles {
    of: Option<Of>,
    /// What holds for every unit: enemies, hexes next to them, and what delays.
    common: HexSet,
    /// Hexes in which there may be something that delays.
    slow: HexSet,
    /// Hexes closed to the unit by rules of its own, if there are any; and with them all that is common.
    closed: HexSet,
    own: HexSet,
    any_closed: bool,
}

/// What the common obstacles depend on.
#[derive(Debug)]
struct Of {
    table: Stamp,
    side: Side,
    /// Where the enemy stands.
    stands: Stamp,
    traffic: [MarkerAt; 6],
    roadblocks: [MarkerAt; 2],
}

/// What a step into such a hex comes to, if it can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Met {
    /// Quarter points on top of the land's.
    pub delay: u16,
    /// The move ends there.
    pub stop: bool,
}

impl Met {
    pub const NOTHING: Met = Met { delay: 0, stop: false };
}

impl Obstacles {
    /// Those of the next search.
    pub fn update(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        let enemy = p.side.enemy().index();
        let same = self.of.as_ref().is_some_and(|of| {
            of.table.same(rules.stamp)
                && of.side == p.side
                && of.stands.same(s.stands(p.side.enemy()))
                && of.traffic == s.traffic[enemy]
                && of.roadblocks == s.roadblocks[enemy]
        });
        if !same {
            self.begin(rules, s, p.side);
        }
        let (near, held) = (s.near(p.side.enemy()), s.held(p.side.enemy()));
        debug_assert!(self.common == HexSet::union_of([near, held, &self.slow]));
        self.any_closed = p.bound || p.no_ezoc;
        if self.any_closed {
            self.closed = rules.closed_to(s, p);
            self.own = &self.common | &self.closed;
        }
    }

    #[inline(never)]
    fn begin(&mut self, rules: &Ardennes, s: &State, side: Side) {
        let enemy = side.enemy().index();
        self.slow = rules.land.slow[side.index()];
        self.slow.extend(s.traffic[enemy].iter().chain(&s.roadblocks[enemy]).filter_map(|at| at.hex()));
        self.common = HexSet::union_of([s.near(side.enemy()), s.held(side.enemy()), &self.slow]);
        let (stands, traffic, roadblocks) = (s.stands(side.enemy()), s.traffic[enemy], s.roadblocks[enemy]);
        self.of = Some(Of { table: rules.stamp, side, stands, traffic, roadblocks });
    }

    /// Outside these hexes nothing but the land counts.
    #[inline]
    pub fn anything(&self) -> &HexSet {
        if self.any_closed { &self.own } else { &self.common }
    }

    /// A step that the land allows, into a hex with something in it; none if that bars it. The same as
    /// [`Ardennes::pace`] finds.
    pub fn met(
        &self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        from: HexId,
        direction: Direction,
        to: HexId,
    ) -> Option<Met> {
        let closed = self.any_closed && self.closed.contains(to);
        if closed || s.enemy_in(p.side, to) || rules.dump_bars(s, p.side, to) {
            return None;
        }
        let ezoc =
            if s.near_enemy(p.side, to) { rules.enemy_near(s, p, from, direction, to).ok()? } else { false };
        let delay = if p.free || !self.slow.contains(to) { 0 } else { rules.delay(s, p.side, to) };
        Some(Met { delay, stop: ezoc || rules.roadblock_stops(s, p, to) })
    }
}

impl Ardennes {
    /// Hexes closed to this unit, whoever stands there (18.2, 27.3, 27.7, 29.3).
    fn closed_to(&self, s: &State, p: &Profile) -> HexSet {
        let mut closed = HexSet::EMPTY;
        if p.areas {
            closed = self.foreign_areas(p.unit, p.start);
        }
        if p.west_of_meuse {
            closed.union_with(&(&self.land.in_play - &self.land.west_of_meuse));
        }
        if self.area_is_closed(s, p.side) {
            closed.union_with(&self.land.areas[self.pack.places.closed_area_1e.index()]);
        }
        if p.no_ezoc {
            closed.union_with(s.zoc(p.side.enemy()));
        }
        closed
    }
}
