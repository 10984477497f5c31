//! Every place where a unit can end a move, for the list of its options (11, 12). Most hexes that a search reaches are
//! empty and ordinary: one set tells which, and they are listed without further checks.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};

use super::{
    candidates, plan,
    profile::Profile,
    reach::{Goal, Reach, with_reach},
};
use crate::{
    action::{Action, Mode, Move, Path},
    list::List,
    pack::{BoxId, UnitId},
    play::Cx,
    rules::Ardennes,
    state::State,
    terrain::SHUT,
};

/// Lists every place where units can end a move together, for each of these modes (bits by mode number): a destination
/// listed for a less restrictive mode is not listed again.
pub(super) fn list_moves(cx: &Cx, units: &[UnitId], modes: u8, out: &mut Vec<Action>) {
    thread_local! {
        static LISTED: RefCell<Listed> = RefCell::default();
    }
    let Some(&unit) = units.first() else { return };
    if cx.rules.may_move(cx.s, cx.side, unit).is_err() {
        return;
    }
    LISTED.with_borrow_mut(|listed| {
        listed.begin(cx, unit, units);
        for mode in Mode::ALL.into_iter().filter(|mode| modes >> *mode as u8 & 1 == 1) {
            // Used by reference: copying it would read it right after it was written, which stalls.
            if let Ok(p) = &cx.rules.profile_in(cx.s, cx.side, unit, mode) {
                listed.list(cx, p, units, out);
            }
        }
    });
}

/// What has been listed for a unit in previous modes.
#[derive(Default)]
struct Listed {
    /// Where it can end its move, and where there is no room for it.
    hexes: HexSet,
    /// Normal movement was examined up to this cost. Where it cannot end, Extended Movement cannot either (11.2).
    normal: Option<u16>,
    /// The hexes that need a full check. A move to any other hex in reach can end there and is named by that hex alone.
    looked_at: HexSet,
    /// Bit `d`: nothing prevents it from ending in the adjacent hex in direction `d`.
    open_beside: u8,
}

impl Listed {
    /// Starts an empty list for units that are stacked or enter together.
    fn begin(&mut self, cx: &Cx, unit: UnitId, units: &[UnitId]) {
        let (rules, s) = (cx.rules, cx.s);
        (self.normal, self.open_beside) = (None, 0);
        if units.len() > 1 || s.ccb9_bound {
            self.hexes.clear();
            self.looked_at = HexSet::first(HexSet::CAPACITY);
            return;
        }
        self.looked_at = rules.land.exits[cx.side.index()];
        if let Some(full) = candidates::full(rules, s, unit) {
            self.hexes = *full;
            // 12.2
            let marked = candidates::under_marker(rules, s, cx.side);
            marked.each(|other| self.looked_at.extend(s.unit(other).hex()));
        } else {
            self.hexes.clear();
            self.looked_at.union_with(s.held(cx.side));
        }
        if let Some(start) = s.unit(unit).hex() {
            for (direction, &hex) in rules.land.around(start).iter().enumerate() {
                self.open_beside |= u8::from(self.looked_at.insert(hex)) << direction;
            }
            self.looked_at.insert(start);
        } else {
            self.looked_at.union_with(&rules.land.entry_hexes);
            self.looked_at.union_with(&rules.land.west_edge);
        }
    }

    /// Adds the hexes that need a full check in this mode; they do no harm in the next.
    fn look_closer(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        if p.counts_crossings() {
            self.looked_at = HexSet::first(HexSet::CAPACITY);
        }
        if p.counts_crossings() || p.mode == Mode::Extended || p.roads_only {
            self.open_beside = 0;
        }
        // See `end_bar`: 11.2, and 12.2 about other units under a marker adjacent to it.
        if p.mode == Mode::Extended {
            self.looked_at.union_with(s.near(p.side.enemy()));
        }
        if p.roads_only {
            let own = s.held(p.side);
            self.looked_at.union_with(own);
            let marked = candidates::under_marker(rules, s, p.side);
            for hex in marked.iter().filter(|other| *other != p.unit).filter_map(|other| s.unit(other).hex())
            {
                self.looked_at.extend(rules.land.neighbours(hex));
            }
        }
    }

    /// Lists every place where units can end a move in one mode, except those already listed.
    fn list(&mut self, cx: &Cx, p: &Profile, units: &[UnitId], out: &mut Vec<Action>) {
        let (rules, s, mode) = (cx.rules, cx.s, p.mode);
        if p.free && !tactical_reaches_more(rules, s, p, units, &self.hexes) {
            return;
        }
        self.look_closer(rules, s, p);
        let plain = Move {
            units: units.iter().copied().collect(),
            mode,
            entry: HexId::NONE,
            to: HexId::NONE,
            path: Path::default(),
            out: false,
        };
        with_reach(rules, s, p, |reach| {
            let beside = if p.start == HexId::NONE { [HexId::NONE; 6] } else { *rules.land.around(p.start) };
            let left_to = ExitsListed::default();
            let plain = Action::Move(plain);
            let mut look = Look { cx, p, units, reach, plain, beside, left_to, exits: false };
            look.leave_from_start(out);
            let mut goals = reach.hexes(p);
            if let Some(looked_at) = self.normal.filter(|_| mode == Mode::Extended) {
                goals = &goals[goals.partition_point(|goal| goal.cost() <= looked_at)..];
            }
            out.reserve(goals.len());
            for goal in goals {
                let hex = goal.hex();
                if self.looked_at.contains(hex) {
                    if !self.hexes.contains(hex) || look.is_exit(hex) {
                        look.at(*goal, &mut self.hexes, self.open_beside, out);
                    }
                } else if self.hexes.insert(hex) {
                    debug_assert!(rules.may_end_in(s, p, units, hex));
                    add(plain, out, |mv| mv.to = hex);
                }
            }
            // Exits from the map are listed for each mode, and paths of the 1st edition are walked for each.
            if p.extension > 0 && !look.exits && !p.counts_crossings() {
                self.normal = Some(p.left);
            }
        });
    }
}

/// Appends one option. It is copied as a whole and then changed in place: built field by field it would be read right
/// after being written, which stalls.
#[inline]
fn add(plain: Action, out: &mut Vec<Action>, change: impl FnOnce(&mut Move)) {
    out.push(plain);
    if let Some(Action::Move(mv)) = out.last_mut() {
        change(mv);
    }
}

/// The full check of hexes that a unit reaches.
struct Look<'a> {
    cx: &'a Cx<'a>,
    p: &'a Profile,
    units: &'a [UnitId],
    reach: Reach<'a>,
    /// An option that lacks only its destination.
    plain: Action,
    /// The hexes around the start.
    beside: [HexId; 6],
    left_to: ExitsListed,
    /// A hex was found from which units leave the map.
    exits: bool,
}

impl Look<'_> {
    /// Leaves the map from the hex where the unit is.
    fn leave_from_start(&mut self, out: &mut Vec<Action>) {
        let start = self.p.start;
        if start != HexId::NONE && self.is_exit(start) && self.may_exit(start, 0) {
            add(self.plain, out, |mv| (mv.to, mv.out) = (start, true));
        }
    }

    /// Lists leaving the map from this hex, and a move that ends in it. `open_beside` as in [`Listed`].
    #[inline(never)]
    fn at(&mut self, goal: Goal, listed: &mut HexSet, open_beside: u8, out: &mut Vec<Action>) {
        let (rules, s, p, hex) = (self.cx.rules, self.cx.s, self.p, goal.hex());
        // The start itself is not an option.
        if hex == p.start {
            return;
        }
        let off_map = p.start == HexId::NONE;
        let direction = self.direction_of(hex);
        if !off_map && self.is_exit(hex) {
            self.exits = true;
            if self.may_exit(hex, goal.cost()) {
                let path = self.path_to(hex, direction);
                add(self.plain, out, |mv| (mv.to, mv.path, mv.out) = (hex, path, true));
            }
        }
        let open = direction.is_some_and(|direction| open_beside >> direction & 1 == 1);
        debug_assert!(!open || listed.contains(hex) || rules.may_end_in(s, p, self.units, hex));
        if listed.contains(hex) || !open && !rules.may_end_in(s, p, self.units, hex) {
            return;
        }
        // 1E 11.4: the cheapest path may make a second crossing, which the search does not see.
        if p.counts_crossings() {
            let way = self.reach.way(p, hex);
            if way.is_none_or(|(entry, path)| rules.walk_cost(s, p, entry, &path).is_err()) {
                return;
            }
        }
        let door = off_map && rules.is_entry_for(s, p.unit, hex);
        if door && self.reach.way(p, hex).is_none_or(|(_, path)| !path.is_empty()) {
            return; // an Entry Hex named alone means entering there
        }
        listed.insert(hex);
        let entry = if door { hex } else { HexId::NONE };
        let path = self.path_to(hex, direction);
        add(self.plain, out, |mv| (mv.entry, mv.to, mv.path) = (entry, hex, path));
    }

    /// The direction of a hex that is adjacent to the start.
    fn direction_of(&self, hex: HexId) -> Option<usize> {
        // All six comparisons without branching: mispredicted branches cost more.
        let same = self.beside.iter().rev().fold(0, |bits, beside| bits << 1 | u8::from(*beside == hex));
        (same != 0).then(|| same.trailing_zeros() as usize)
    }

    /// An adjacent hex is written with the path to it: named alone it means the single step.
    fn path_to(&self, hex: HexId, direction: Option<usize>) -> Path {
        let direction = direction.map(Direction::from_index);
        let single = |direction: Direction| self.reach.path_beside(self.p, hex, direction);
        direction.map_or_else(Path::default, single)
    }

    fn is_exit(&self, hex: HexId) -> bool {
        self.cx.rules.land.exits[self.p.side.index()].contains(hex)
    }

    /// May the unit leave the map from this hex, to a place that has not been listed yet (11.9)?
    fn may_exit(&mut self, hex: HexId, cost: u16) -> bool {
        let (rules, p, listed) = (self.cx.rules, self.p, &mut self.left_to);
        let exit_cost = u16::from(rules.tables().movement.exit_quarters);
        if p.free || cost + exit_cost > p.left {
            return false;
        }
        match rules.exit_by(self.cx.s, p, hex) {
            Ok(plan::Exit::Box(id)) => !listed.boxes.contains(id) && listed.boxes.push(id),
            Ok(_) => !std::mem::replace(&mut listed.for_good, true),
            Err(_) => false,
        }
    }
}

/// Exits that are listed already: the cheapest to each Box, and one to Antwerp or beyond.
#[derive(Default)]
struct ExitsListed {
    boxes: List<BoxId, 8>,
    for_good: bool,
}

/// Is there a nearby hex that only Tactical Movement might reach? Other modes usually go as far (11.3).
fn tactical_reaches_more(
    rules: &Ardennes,
    s: &State,
    p: &Profile,
    units: &[UnitId],
    listed: &HexSet,
) -> bool {
    const RINGS: u8 = 2;
    if p.start == HexId::NONE || p.hexes > RINGS {
        return true;
    }
    let is_more = |hex: HexId| {
        hex != HexId::NONE
            && hex != p.start
            && !listed.contains(hex)
            && !s.enemy_in(p.side, hex)
            && rules.may_end_in(s, p, units, hex)
    };
    let steps = rules.land.steps(p.mover, rules.ground(s));
    let open = |from: HexId, direction: usize| steps[from.index()][direction] != SHUT;
    // Usually every nearby hex has been listed already, so terrain is checked last.
    let around = |hex: HexId| rules.land.around(hex).iter().copied().enumerate();
    around(p.start).filter(|(_, hex)| *hex != HexId::NONE).any(|(direction, hex)| {
        let more = is_more(hex)
            || p.hexes == RINGS && around(hex).any(|(onward, to)| is_more(to) && open(hex, onward));
        more && open(p.start, direction)
    })
}
