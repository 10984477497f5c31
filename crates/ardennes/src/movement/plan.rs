//! A move before it is made: units, path, cost. A move is legal if and only if it can be planned.

use hexgrid::HexId;
use kernel::Refusal;
use zocbond::moves::Pace;

use super::{
    bar::{Bar, What},
    profile::Profile,
    reach::with_reach,
};
use crate::{
    action::{Mode, Move, Path},
    flags::Flags,
    pack::{BoxId, Side, UnitId},
    rules::Ardennes,
    state::State,
    terrain::NEVER,
};

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub entry: HexId,
    pub path: Path,
    /// Quarter points of the first unit.
    pub cost: u16,
    /// Where the unit leaves the map, if it does.
    pub out: Option<Exit>,
}

/// Off the map (11.9, 31.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Box(BoxId),
    Antwerp,
    /// The west edge of the East map (31.2).
    WestEdge,
}

impl Ardennes {
    /// The plan of a move, or what forbids it.
    pub fn plan(&self, s: &State, side: Side, mv: &Move) -> Result<Plan, (UnitId, Bar)> {
        let Some((&first, others)) = mv.units.split_first() else {
            return Err((UnitId(0), Bar::unit("11.1", "not_in_play")));
        };
        let p = self.profile(s, side, first, mv.mode).map_err(|bar| (first, bar))?;
        let plan = self.plan_lead(s, &p, mv).map_err(|bar| (first, bar))?;
        for &unit in others {
            self.plan_companion(s, &p, mv, unit, plan.entry, &plan.path).map_err(|bar| (unit, bar))?;
        }
        Ok(plan)
    }

    /// The plan of the first unit.
    fn plan_lead(&self, s: &State, p: &Profile, mv: &Move) -> Result<Plan, Bar> {
        let mut plan = self.way_of(s, p, mv)?;
        if mv.out {
            plan.out = Some(self.exit_by(s, p, mv.to)?);
            plan.cost += u16::from(self.tables().movement.exit_quarters);
            let far = p.hexes != super::profile::ANY_HEXES && plan.path.len() >= usize::from(p.hexes);
            if !p.free && plan.cost > p.left || p.free && far {
                let what = What::Points { hex: mv.to, needed: plan.cost, left: p.left };
                return Err(Bar { rule: "11.9", key: "points", what });
            }
        } else if plan.entry == HexId::NONE && plan.path.is_empty() {
            return Err(Bar::unit("11.1", "nowhere"));
        } else if !self.may_end_in(s, p, &mv.units, mv.to)
            && let Some(bar) = self.end_bar(s, p, &mv.units, mv.to)
        {
            return Err(bar);
        }
        Ok(plan)
    }

    /// Checks the other units of a stack that moves together: from the same place, along the same path.
    fn plan_companion(
        &self,
        s: &State,
        lead: &Profile,
        mv: &Move,
        unit: UnitId,
        entry: HexId,
        path: &Path,
    ) -> Result<(), Bar> {
        let p = self.profile(s, lead.side, unit, mv.mode)?;
        if s.unit(unit).place() != s.unit(lead.unit).place()
            || mv.units.iter().filter(|u| **u == unit).count() > 1
        {
            return Err(Bar::unit("11.1", "stack.apart"));
        }
        if p.roads_only {
            // 12.2, 12.4: together only under one marker.
            if !self.one_marker_for(s, unit, lead.unit) {
                return Err(Bar::unit("12.4", "strategic.one_marker"));
            }
        }
        self.walk_cost(s, &p, entry, path)?;
        Ok(())
    }

    /// The Entry Hex and the steps of a move, and their cost.
    fn way_of(&self, s: &State, p: &Profile, mv: &Move) -> Result<Plan, Bar> {
        let from = if p.start == HexId::NONE { mv.entry } else { p.start };
        if !mv.path.is_empty() || mv.to == from {
            // Everything else about the end of the move is asked of the hex that is named.
            if from != HexId::NONE && self.end_of(from, &mv.path) != Some(mv.to) {
                return Err(Bar::hex("11.1", "unreachable", mv.to));
            }
            let entry = if p.start == HexId::NONE { mv.entry } else { HexId::NONE };
            return self.way_by(s, p, entry, mv.path);
        }
        if p.start == HexId::NONE && mv.entry != HexId::NONE {
            // An Entry Hex and a distant hex were named: the cheapest path may use another Entry Hex, so search only
            // from the one named.
            let (entry, path) = self.way_from_door(s, p, mv)?;
            return self.way_by(s, p, entry, path);
        }
        let found = with_reach(self, s, p, |reach| {
            let cost = reach.cost(p, mv.to)?;
            let (entry, path) = reach.way(p, mv.to)?;
            Some(Plan { entry, path, cost: if p.free { 0 } else { cost }, out: None })
        });
        match found {
            Some(plan) if p.counts_crossings() => self.way_by(s, p, plan.entry, plan.path),
            // A search has found it, so nothing forbids it.
            Some(plan) => Ok(plan),
            None if p.start == HexId::NONE && self.land.entry_at(mv.to).is_some() => {
                Err(self.no_door(s, p, mv.to))
            }
            None => Err(self.why_not_reached(s, p, mv.to)),
        }
    }

    /// Where a path leads; none beyond the edge of the map.
    fn end_of(&self, from: HexId, path: &Path) -> Option<HexId> {
        path.iter().try_fold(from, |at, direction| self.land.neighbour(at, direction))
    }

    /// A path step by step.
    fn way_by(&self, s: &State, p: &Profile, entry: HexId, path: Path) -> Result<Plan, Bar> {
        let cost = self.walk_cost(s, p, entry, &path)?;
        Ok(Plan { entry, path, cost, out: None })
    }

    #[inline(never)]
    fn way_from_door(&self, s: &State, p: &Profile, mv: &Move) -> Result<(HexId, Path), Bar> {
        let doors = self.doors(s, p);
        let door = doors.iter().find(|d| d.hex == mv.entry).ok_or_else(|| self.no_door(s, p, mv.entry))?;
        if let Some(bar) = self.door_bar(s, p, door.hex) {
            return Err(bar);
        }
        let inside = Profile {
            start: door.hex,
            origin: HexId::NONE,
            left: p.left.saturating_sub(door.cost),
            hexes: if p.hexes == super::profile::ANY_HEXES { p.hexes } else { p.hexes.saturating_sub(1) },
            ..*p
        };
        let mut flood = hexgrid::Flood::new();
        let step = |from: HexId, direction, _: HexId| match self.pace(s, &inside, from, direction, false) {
            Ok(pace) if pace.stop => hexgrid::Step::EnterAndStop(pace.cost),
            Ok(pace) => hexgrid::Step::Enter(pace.cost),
            Err(_) => hexgrid::Step::Forbidden,
        };
        let found = flood.run_to(&self.map.board, door.hex, mv.to, inside.left, step);
        found.ok_or_else(|| self.why_not_reached(s, p, mv.to))?;
        let mut path = Path::default();
        let hexes = flood.path(&self.map.board, mv.to);
        for pair in hexes.windows(2) {
            path.push(self.land.direction(pair[0], pair[1]).ok_or(Bar::hex("11.1", "too_far", mv.to))?);
        }
        Ok((door.hex, path))
    }

    /// Why a distant hex cannot be reached: the rule that closes it from every side, or its distance.
    #[cold]
    pub(crate) fn why_not_reached(&self, s: &State, p: &Profile, to: HexId) -> Bar {
        if s.enemy_in(p.side, to) {
            return Bar::hex("11.1", "enemy_there", to);
        }
        let mut bars = [None; 6];
        with_reach(self, s, p, |reach| {
            for (bar, direction) in bars.iter_mut().zip(hexgrid::Direction::ALL) {
                let Some(from) = self.land.neighbour(to, direction) else { continue };
                if from == p.start || reach.cost(p, from).is_some() {
                    *bar = Some((from, self.pace(s, p, from, direction.opposite(), false)));
                }
            }
        });
        let mut nearest = None;
        // The reason is what keeps the unit from a step that it could afford, not the length of a detour.
        let affordable = |from: HexId| {
            let way = with_reach(self, s, p, |reach| reach.cost(p, from).unwrap_or(0));
            let step = self.land.hex(to).enter[p.cost];
            p.free || way + if step == NEVER { 0 } else { u16::from(step) } <= p.left
        };
        let in_the_way = |(from, pace): &(HexId, Result<Pace, Bar>)| {
            pace.err().filter(|_| *from == p.start || affordable(*from))
        };
        if let Some(bar) = bars.iter().flatten().find_map(in_the_way) {
            return bar;
        }
        for (from, pace) in bars.into_iter().flatten() {
            match pace {
                Err(bar) => {
                    nearest.get_or_insert(bar);
                }
                Ok(_) if from != p.start && s.in_ezoc(p.side, from) => {
                    nearest.get_or_insert(Bar::hex("9.2", "ezoc.stop", from));
                }
                Ok(pace) => {
                    let needed = pace.cost + with_reach(self, s, p, |reach| reach.cost(p, from).unwrap_or(0));
                    if !p.free && needed <= p.left && p.hexes != super::profile::ANY_HEXES {
                        return Bar::count(self.rule_of_hexes(s, p), "too_far", p.hexes);
                    }
                    if !p.free {
                        return Bar {
                            rule: super::profile::rule_of_points(s, p.unit),
                            key: "points",
                            what: What::Points { hex: to, needed, left: p.left },
                        };
                    }
                }
            }
        }
        let rule = if p.hexes == super::profile::ANY_HEXES {
            super::profile::rule_of_points(s, p.unit)
        } else {
            self.rule_of_hexes(s, p)
        };
        nearest.or_else(|| self.nearest_bar(s, p, to)).unwrap_or(Bar::beyond(rule, "unreachable", to))
    }

    /// What stops the unit at the point where it comes nearest to a hex.
    fn nearest_bar(&self, s: &State, p: &Profile, to: HexId) -> Option<Bar> {
        let mut best: Option<(u32, Bar)> = None;
        let mut look = |from: HexId| {
            let distance = self.distance(from, to);
            if best.is_some_and(|(least, _)| least <= distance) {
                return;
            }
            for direction in hexgrid::Direction::ALL {
                let Some(next) = self.land.neighbour(from, direction) else { continue };
                if self.distance(next, to) < distance
                    && let Err(bar) = self.pace(s, p, from, direction, false)
                {
                    best = Some((distance, bar));
                    return;
                }
            }
        };
        with_reach(self, s, p, |reach| {
            reach.each(p, |hex, _| look(hex));
            if p.start != HexId::NONE {
                look(p.start);
            }
        });
        best.map(|(_, bar)| bar)
    }

    /// Where leaving the map from this hex leads (11.9, 31.2).
    pub(crate) fn exit_by(&self, s: &State, p: &Profile, hex: HexId) -> Result<Exit, Bar> {
        if s.unit(p.unit).is(Flags::DISRUPTED) {
            return Err(Bar::hex("11.9", "exit.disrupted", hex));
        }
        if p.side == Side::Allied {
            if self.counter(p.unit).british && !self.land.west_of_meuse.contains(hex) {
                return Err(Bar::hex("27.3", "british.meuse", hex));
            }
            return self.land.exit_box[hex.index()].map(Exit::Box).ok_or(Bar::hex("11.9", "exit.edge", hex));
        }
        if self.land.antwerp_exits.contains(hex) {
            return Ok(Exit::Antwerp);
        }
        // 31.2, 31.4: the west edge of the maps in play.
        if self.scenario.victory.counts_exits() && self.land.west_edge.contains(hex) {
            return Ok(Exit::WestEdge);
        }
        Err(Bar::hex("11.9", "exit.german", hex))
    }

    /// May these units make this move? The refusal is a message.
    pub fn check_move(&self, s: &State, side: Side, mv: &Move) -> Result<Plan, Refusal> {
        self.plan(s, side, mv).map_err(|(unit, bar)| bar.refuse(self, s, unit))
    }

    /// Modes that a unit can use at all now.
    pub fn modes(&self, s: &State, side: Side, unit: UnitId) -> impl Iterator<Item = Profile> + '_ {
        let profiles = Mode::ALL.map(|mode| self.profile(s, side, unit, mode).ok());
        profiles.into_iter().flatten()
    }
}
