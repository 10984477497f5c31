//! How the land lies for a side at this moment: what each step costs with enemies, Bonds, bridges, boundaries and delay
//! markers as they are, whoever takes it. Worked out hex by hex when a search first comes there, and kept: what changed
//! since the last search is found by comparing positions, and only the hexes around it are worked out again.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};

use super::profile::Profile;
use crate::{
    list::Array,
    pack::{Ground, Side},
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridge, FuelDump, MAX_BRIDGES, MarkerAt, State, same_bridges},
    terrain::{ASK, Mover, SHUT},
};

/// A step of a [`Row`] that is neither [`SHUT`] nor [`ASK`]: its cost in quarter points and these two bits.
const COST: u8 = 0x3F;
/// The move ends there (9.2).
const STOP: u8 = 0x40;
/// An enemy Bond closes it while no unit of the side stands beyond (10.2, 10.4).
const BOND: u8 = 0x80;
/// Dearer steps are asked about: with all bits set they would look like [`ASK`] and [`SHUT`].
const DEAREST: u16 = 0x3D;

/// The six steps out of a hex, in one word.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(8))]
pub(super) struct Row {
    steps: [u8; 6],
    /// Bit `d`: the step in direction `d` is not [`SHUT`].
    open: u8,
}

/// One step as a search meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nobody goes there by this kind of movement.
    Shut,
    /// It depends on the unit.
    Ask,
    Open {
        cost: u8,
        stop: bool,
    },
}

impl Row {
    /// The directions that are not shut, as bits.
    #[inline]
    pub fn open(self) -> u8 {
        self.open
    }

    #[inline]
    pub fn step(self, direction: usize, beyond: HexId, own: &HexSet) -> Known {
        match self.steps[direction] {
            SHUT => Known::Shut,
            ASK => Known::Ask,
            step if step & BOND != 0 && !own.contains(beyond) => Known::Shut,
            step => Known::Open { cost: step & COST, stop: step & STOP != 0 },
        }
    }
}

/// All that steps depend on, apart from the map and the unit.
#[derive(Debug)]
struct Scene {
    table: Stamp,
    ground: Ground,
    /// 11.10
    boundaries: bool,
    held: HexSet,
    zoc: HexSet,
    bonding: HexSet,
    bridges: Array<Bridge, MAX_BRIDGES>,
    traffic: [MarkerAt; 6],
    roadblocks: [MarkerAt; 2],
    dumps: [FuelDump; 3],
    st_vith: Option<Side>,
    /// Hexes with something that delays or bars the side, enemy units and their neighbourhood apart.
    marked: HexSet,
}

impl Scene {
    fn of(rules: &Ardennes, s: &State, p: &Profile) -> Scene {
        let enemy = p.side.enemy().index();
        let markers = s.traffic[enemy].iter().chain(&s.roadblocks[enemy]);
        let mut marked: HexSet = markers.filter_map(|at| at.hex()).collect();
        if p.side == Side::German {
            marked.union_with(&rules.land.bottleneck);
            marked.extend(rules.land.dump_sites.iter().copied());
        }
        Scene {
            table: rules.stamp,
            ground: rules.ground(s),
            boundaries: p.boundaries,
            held: s.held[enemy],
            zoc: s.zoc[enemy],
            bonding: s.bonding[enemy],
            bridges: s.bridges,
            traffic: s.traffic[enemy],
            roadblocks: s.roadblocks[enemy],
            dumps: s.dumps,
            st_vith: rules.land.st_vith.map(|hex| s.control(hex)),
            marked,
        }
    }

    /// Does nothing but the map decide what it costs to go there from a hex next to it?
    fn quiet(&self, s: &State, side: Side, hex: HexId) -> bool {
        !s.near_enemy(side, hex) && !s.enemy_in(side, hex) && !self.marked.contains(hex)
    }

    /// Is it the same table, by the same chart?
    fn continues(&self, rules: &Ardennes, s: &State, p: &Profile) -> bool {
        self.table.same(rules.stamp) && self.ground == rules.ground(s) && self.boundaries == p.boundaries
    }

    /// The hexes where something has changed.
    fn changes(&self, rules: &Ardennes, s: &State, side: Side) -> HexSet {
        let enemy = side.enemy().index();
        let mut changes = HexSet::new();
        for (before, now) in [(&self.held, &s.held), (&self.zoc, &s.zoc), (&self.bonding, &s.bonding)]
            .map(|(b, n)| (b, &n[enemy]))
        {
            if before != now {
                changes.union_with(&(before - now));
                changes.union_with(&(now - before));
            }
        }
        let markers = |traffic: &[MarkerAt], roadblocks: &[MarkerAt]| -> [MarkerAt; 8] {
            std::array::from_fn(|at| if at < 6 { traffic[at] } else { roadblocks[at - 6] })
        };
        let before = markers(&self.traffic, &self.roadblocks);
        let now = markers(&s.traffic[enemy], &s.roadblocks[enemy]);
        for (before, now) in before.iter().zip(&now).filter(|(before, now)| before != now) {
            changes.extend([before, now].into_iter().filter_map(|at| at.hex()));
        }
        if !same_bridges(&self.bridges, &s.bridges) {
            for ((before, now), ends) in self.bridges.iter().zip(s.bridges.iter()).zip(&rules.land.bridges) {
                if before.intact() != now.intact() {
                    changes.extend(ends.iter().copied().filter_map(HexId::some));
                }
            }
        }
        if self.dumps != s.dumps {
            changes.extend(rules.land.dump_sites.iter().copied());
        }
        if self.st_vith != rules.land.st_vith.map(|hex| s.control(hex)) {
            changes.union_with(&rules.land.bottleneck);
        }
        changes
    }
}

/// The land of one side: a table of rows for each kind of mover.
#[derive(Debug, Default)]
pub(super) struct Lay {
    scene: Option<Scene>,
    /// The position for which the scene was last compared.
    seen: Option<Stamp>,
    rows: [Vec<Row>; 4],
    /// For each hex the movers whose row holds, as bits.
    holds: Vec<u8>,
}

thread_local! {
    static LAYS: RefCell<[Lay; 2]> = RefCell::default();
}

/// Look at the land of the side that moves.
pub(super) fn with_lay<T>(rules: &Ardennes, s: &State, p: &Profile, look: impl FnOnce(&mut Lay) -> T) -> T {
    LAYS.with_borrow_mut(|lays| {
        let lay = &mut lays[p.side.index()];
        lay.update(rules, s, p);
        look(lay)
    })
}

impl Lay {
    fn update(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        let continues = self.scene.as_ref().is_some_and(|scene| scene.continues(rules, s, p));
        if continues && self.seen.is_some_and(|seen| seen.same(s.stamp)) {
            return;
        }
        self.seen = Some(s.stamp);
        if let Some(scene) = self.scene.as_ref().filter(|_| continues) {
            let changes = scene.changes(rules, s, p.side);
            if changes.is_empty() {
                return;
            }
            self.forget(rules, &changes);
        } else {
            let hexes = rules.land.hexes.len();
            self.holds.clear();
            self.holds.resize(hexes, 0);
            for rows in &mut self.rows {
                rows.resize(hexes.max(rows.len()), Row::default());
            }
        }
        self.scene = Some(Scene::of(rules, s, p));
    }

    /// Steps depend on what is in their two hexes and next to them: the ends of Bonds are.
    fn forget(&mut self, rules: &Ardennes, changes: &HexSet) {
        for hex in changes {
            self.holds[hex.index()] = 0;
            for near in rules.land.neighbours(hex) {
                self.holds[near.index()] = 0;
                for around in rules.land.neighbours(near) {
                    self.holds[around.index()] = 0;
                }
            }
        }
    }

    /// The steps out of a hex.
    #[inline]
    pub fn row(&mut self, rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        if p.slow || p.no_ezoc {
            Self::unknown(rules, s, p, hex)
        } else if self.holds[hex.index()] >> p.mover as u8 & 1 == 1 {
            self.rows[p.mover as usize][hex.index()]
        } else {
            self.work_out(rules, s, p, hex)
        }
    }

    /// … for a unit with rules of its own: all but the impossible ones must be asked about.
    #[cold]
    fn unknown(rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        let table = rules.land.steps(p.mover, rules.ground(s))[hex.index()];
        let mut row = Row { steps: [SHUT; 6], open: 0 };
        for (direction, known) in table.into_iter().enumerate() {
            // 29.2 opens one river hexside.
            let crossed = p.echternach
                && rules.land.echternach == Some([hex, rules.map.board.neighbour_row(hex)[direction]]);
            if known != SHUT || crossed {
                row.steps[direction] = ASK;
                row.open |= 1 << direction;
            }
        }
        row
    }

    #[cold]
    fn work_out(&mut self, rules: &Ardennes, s: &State, p: &Profile, hex: HexId) -> Row {
        let anybody = p.anybody();
        let mut row = Row { steps: [SHUT; 6], open: 0 };
        let quiet = |hex| self.scene.as_ref().is_some_and(|scene| scene.quiet(s, p.side, hex));
        let quiet_here = quiet(hex);
        let table = rules.land.steps(p.mover, rules.ground(s))[hex.index()];
        for direction in Direction::ALL {
            let (known, to) = (table[direction.index()], rules.land.edge(hex, direction).to);
            let plain = known == SHUT || u16::from(known) <= DEAREST && quiet_here && quiet(to);
            let step = if plain { known } else { rules.step_of_anybody(s, &anybody, hex, direction) };
            row.steps[direction.index()] = step;
            row.open |= u8::from(step != SHUT) << direction.index();
        }
        self.rows[p.mover as usize][hex.index()] = row;
        self.holds[hex.index()] |= 1 << p.mover as u8;
        row
    }
}

impl Profile {
    /// A unit that moves the same way, without anything of its own.
    fn anybody(&self) -> Profile {
        Profile {
            start: HexId::NONE,
            origin: HexId::NONE,
            shift: false,
            free: false,
            no_ezoc: false,
            may_cross: false,
            leave: 0,
            areas: false,
            west_of_meuse: false,
            echternach: false,
            vehicle: matches!(self.mover, Mover::Vehicle),
            ..*self
        }
    }
}

impl Ardennes {
    /// A step that the map does not shut for good.
    fn step_of_anybody(&self, s: &State, p: &Profile, from: HexId, direction: Direction) -> u8 {
        let edge = self.land.edge(from, direction);
        if s.enemy_in(p.side, edge.to) {
            return SHUT;
        }
        let crossing = Self::crossing_of(s, edge);
        // 1E 11.4: from an adjacent start. 22.2: artillery shifts into any hex.
        let on_foot = matches!(p.mover, Mover::Foot | Mover::MechInfantry);
        let dear = self.land.hex(edge.to).enter[p.cost] == crate::terrain::NEVER && !crossing.road;
        if self.first_edition() && on_foot && crossing.hard() || dear {
            return ASK;
        }
        let Ok(pace) = self.pace_but_for_bonds(s, p, from, direction, false) else { return SHUT };
        if pace.cost > DEAREST {
            return ASK;
        }
        let stop = if pace.stop { STOP } else { 0 };
        let bond = if self.bond_in_the_way(s, p.side, from, direction) { BOND } else { 0 };
        pace.cost as u8 | stop | bond
    }
}
