//! The position as one side sees it: which units threaten which, and the value of each hex to each kind of vehicle.
//!
//! Enemy Commands that have not been shown play no part in it (4.2.1).

use std::{
    cell::OnceCell,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use ::panzer::{
    fire::{Angle, bearing},
    pack::Side,
    state::{Flags, Place, Spot, State},
    units::UnitId,
};
use hexgrid::{Direction, HexId};

use super::{
    ambush,
    commander::Commander,
    gunnery::{Shelter, Stand},
    lore::NEVER,
    plan::Plan,
};

/// An enemy that sees a hex.
#[derive(Clone, Copy, Debug)]
struct Threat {
    foe: u8,
    range: u8,
    /// Expected share of the vehicle's value lost to its shot, by facing of the vehicle.
    share: [f32; 6],
}

/// An enemy that can be fired at from a hex.
#[derive(Clone, Copy, Debug)]
struct Mark {
    foe: u8,
    /// Expected points, by facing.
    gain: [f32; 6],
}

/// The properties of a hex for a kind of vehicle.
#[derive(Debug, Default)]
struct Cell {
    threats: Vec<Threat>,
    marks: Vec<Mark>,
    /// Nearby enemies that might get behind it, by facing: a small share of its value.
    flank: [f32; 6],
}

/// By kind, then by hex; a kind that nobody asks for takes no memory.
type Cells = Arc<Vec<OnceLock<Vec<OnceLock<Box<Cell>>>>>>;
/// The properties of an enemy on which cells depend.
type Seen = (UnitId, HexId, Direction, bool, Spot, Shelter);

/// Cells depend on the enemy's positions, not on one's own vehicles: while these move, and in trials that begin alike,
/// they are computed once.
#[derive(Debug, Default)]
pub struct Known(Mutex<Vec<(Vec<Seen>, Cells)>>);

/// How many enemy positions are cached.
const KNOWN: usize = 8;

impl Known {
    fn cells(&self, foes: Vec<Seen>, kinds: usize) -> Cells {
        // Cached values are always valid, even if a thread panicked while holding the lock.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = known.iter().position(|(seen, _)| *seen == foes) {
            known[..=at].rotate_right(1);
        } else {
            let mut cells = Vec::new();
            cells.resize_with(kinds, OnceLock::new);
            known.truncate(KNOWN - 1);
            known.insert(0, (foes, Arc::new(cells)));
        }
        Arc::clone(&known[0].1)
    }
}

#[derive(Debug)]
pub struct Picture<'a> {
    pub commander: &'a Commander,
    pub s: &'a State,
    pub side: Side,
    pub plan: Plan,
    pub own: Vec<Stand>,
    pub foes: Vec<Stand>,
    /// For each enemy the points it can expect from each own vehicle in its hex, and their sum; computed when it is asked
    /// for, since many decisions concern one enemy.
    threat: Vec<OnceCell<(Vec<f32>, f32)>>,
    /// The value of each aim to this side.
    stakes: Vec<f32>,
    /// For each vehicle, how strongly each aim attracts it: less the more vehicles are nearer. Decisions about fire do
    /// not ask for it.
    draw: OnceCell<Vec<f32>>,
    /// How much this side wants ground.
    pub want: f32,
    /// How much it values its own vehicles.
    care: f32,
    /// Turns left after this one.
    left: f32,
    cells: Cells,
    /// Where hidden enemies may lie (7.2), with the number of them to be expected there.
    lurking: Vec<(Stand, f32)>,
}

/// How strongly an aim attracts the first, second … nearest vehicle.
const RANKS: [f32; 6] = [1.0, 0.75, 0.55, 0.4, 0.3, 0.22];

impl<'a> Picture<'a> {
    pub fn new(commander: &'a Commander, s: &'a State, side: Side, plan: &Plan) -> Picture<'a> {
        let rules = &*commander.rules;
        let stands = |side: Side| -> Vec<Stand> {
            // 5.15: a vehicle without its crew does not count.
            let here = rules.units_of(side).iter().filter(|unit| {
                let u = s.unit(**unit);
                u.on_map() && !u.is(Flags::BAILED)
            });
            here.map(|unit| commander.stand(s, *unit)).collect()
        };
        let (own, mut foes) = (stands(side), stands(side.enemy()));
        // 6.1.3: passengers are part of their vehicle.
        foes.retain(|foe| !s.unit(foe.unit).passenger());
        let mut picture = Picture {
            commander,
            s,
            side,
            plan: *plan,
            threat: Vec::new(),
            stakes: Vec::new(),
            draw: OnceCell::new(),
            want: 1.0,
            care: plan.caution,
            left: f32::from(rules.scenario.turns.saturating_sub(s.turn)),
            cells: commander.known.cells(
                foes.iter()
                    .map(|f| (f.unit, f.hex, f.facing, f.damaged, s.unit(f.unit).spot, f.shelter))
                    .collect(),
                commander.lore.kinds.len(),
            ),
            own,
            foes,
            lurking: ambush::lurking(commander, s, side),
        };
        picture.threat.resize_with(picture.foes.len(), OnceCell::new);
        let (want, care) = picture.mood();
        (picture.want, picture.care) = (want, care * plan.caution);
        picture.stakes = picture.value_aims();
        picture
    }

    /// The points that an enemy can expect from each own vehicle in its hex, and their sum.
    fn threat(&self, foe: usize) -> &(Vec<f32>, f32) {
        self.threat[foe].get_or_init(|| {
            let row = self.row(&self.foes[foe]);
            let sum = row.iter().sum();
            (row, sum)
        })
    }

    fn row(&self, foe: &Stand) -> Vec<f32> {
        let c = self.commander;
        let seen = |own: &Stand| {
            let range = c.rules.field.range(foe.hex, own.hex);
            let sight = c.seen_from(own, self.s.unit(own.unit).spot);
            if range > sight.min(c.lore.kind(foe.unit).reach) || !c.rules.los.clear(foe.hex, own.hex) {
                return 0.0;
            }
            c.shot(foe, own, range, 0) * own.worth
        };
        self.own.iter().map(seen).collect()
    }

    /// A side that would win now need not hurry; one that would not, must, the more so the later it is.
    fn mood(&self) -> (f32, f32) {
        let (c, w) = (self.commander, &self.commander.weights);
        let ending = c.rules.ending(self.s);
        if ending.winner == Some(self.side) {
            return (w.content, w.calm);
        }
        let turns = f32::from(c.rules.scenario.turns.max(1));
        (w.hungry + w.pressed * (turns - self.left) / turns, w.bold)
    }

    fn value_aims(&self) -> Vec<f32> {
        let (c, w) = (self.commander, &self.commander.weights);
        let mine = self.side.index();
        let stake = |aim: &super::lore::Aim| {
            let Some(n) = aim.objective else { return 0.0 };
            let points = c.rules.scenario.objectives[n].points;
            let (own, other) = (f32::from(points[mine]), f32::from(points[1 - mine]));
            match self.s.control[n].side {
                Some(side) if side != self.side => own + other,
                None => own + 0.5 * other,
                Some(_) => {
                    let near = |foe: &Stand| aim.time[usize::from(foe.kind)][foe.hex.index()];
                    let soon = self.foes.iter().map(near).fold(NEVER, f32::min);
                    (own + other) * w.guard * (-soon / w.reach).exp()
                }
            }
        };
        let mut stakes: Vec<f32> = c.lore.aims.iter().map(stake).collect();
        if let Some(edge) = c.lore.exit[mine] {
            stakes[edge] = f32::from(c.rules.scenario.victory.per_exit[mine]);
        }
        stakes
    }

    /// How strongly an aim attracts a vehicle.
    fn draw(&self, unit: UnitId, aim: usize) -> f32 {
        self.draw.get_or_init(|| self.draws())[unit.index() * self.commander.lore.aims.len() + aim]
    }

    fn draws(&self) -> Vec<f32> {
        let c = self.commander;
        let aims = c.lore.aims.len();
        let edge = c.lore.exit[self.side.index()];
        let mut draw = vec![0.0; aims * self.s.units.len()];
        for (n, aim) in c.lore.aims.iter().enumerate() {
            if aim.objective.is_none() {
                if edge == Some(n) {
                    for unit in c.rules.units_of(self.side) {
                        // Every vehicle that exits scores its points.
                        draw[unit.index() * aims + n] = 1.0;
                    }
                }
                continue;
            }
            let fights = |unit: &&UnitId| c.lore.kind(**unit).combat;
            let mut order: Vec<(f32, UnitId)> = c
                .rules
                .units_of(self.side)
                .iter()
                .filter(fights)
                .map(|unit| (self.time(n, *unit), *unit))
                .collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (rank, (_, unit)) in order.iter().enumerate() {
                draw[unit.index() * aims + n] = RANKS[rank.min(RANKS.len() - 1)];
            }
        }
        draw
    }

    /// The travel time in turns of a vehicle to an aim.
    fn time(&self, aim: usize, unit: UnitId) -> f32 {
        let lore = &self.commander.lore;
        let time = &lore.aims[aim].time[usize::from(lore.kind[unit.index()])];
        let u = self.s.unit(unit);
        match u.place {
            Place::Map => time[u.hex.index()],
            Place::Held => {
                let entries = lore.entries[unit.index()].iter().map(|hex| time[hex.index()]);
                1.0 + entries.fold(NEVER, f32::min)
            }
            _ => NEVER,
        }
    }

    /// The attraction of a hex for a vehicle: that of the best aim, and which aim it is.
    pub fn pull(&self, unit: UnitId, hex: HexId) -> (f32, Option<usize>) {
        let c = self.commander;
        let kind = usize::from(c.lore.kind[unit.index()]);
        let mut best = (0.0, None);
        for (n, aim) in c.lore.aims.iter().enumerate() {
            if self.stakes[n] <= 0.0 {
                continue;
            }
            let strength = self.stakes[n] * self.draw(unit, n);
            if strength <= 0.0 {
                continue;
            }
            let time = aim.time[kind][hex.index()];
            // 3.6: it must be there at the start and at the end of a turn.
            let late = if time.ceil() + 1.0 > self.left + 1.0 { 0.3 } else { 1.0 };
            let value = strength * late * aim.near[kind][hex.index()];
            if value > best.0 {
                best = (value, Some(n));
            }
        }
        (best.0 * self.want * self.plan.drive + self.hunt(unit, hex), best.1)
    }

    /// What this side can expect of all aims together. An objective counts once, however many units are on their way to it:
    /// the nearest ones share its value. Every unit that may leave the map counts.
    pub fn promise(&self) -> f32 {
        const SHARES: [f32; 5] = [0.4, 0.25, 0.15, 0.1, 0.1];
        let lore = &self.commander.lore;
        let mut sum = 0.0;
        for (n, aim) in lore.aims.iter().enumerate() {
            let stake = self.stakes[n];
            if stake <= 0.0 {
                continue;
            }
            let mut near = [0.0f32; SHARES.len()];
            for own in &self.own {
                let kind = usize::from(own.kind);
                let late = if aim.time[kind][own.hex.index()].ceil() > self.left { 0.3 } else { 1.0 };
                let mut value = late * aim.near[kind][own.hex.index()];
                if aim.objective.is_none() {
                    sum += stake * value * self.draw(own.unit, n);
                } else if lore.kinds[kind].combat {
                    for best in &mut near {
                        if value > *best {
                            std::mem::swap(best, &mut value);
                        }
                    }
                }
            }
            sum += stake * SHARES.iter().zip(near).map(|(share, near)| share * near).sum::<f32>();
        }
        sum * self.want
    }

    /// A side that is behind seeks out the enemy.
    fn hunt(&self, unit: UnitId, hex: HexId) -> f32 {
        let (c, w) = (self.commander, &self.commander.weights);
        if self.want <= 1.0 || !c.lore.kind(unit).combat || c.lore.kind(unit).guns.is_empty() {
            return 0.0;
        }
        let near = |foe: &Stand| {
            let range = c.rules.field.range(hex, foe.hex) as f32;
            foe.worth * (-(range - 5.0).max(0.0) / 8.0).exp()
        };
        self.foes.iter().map(near).fold(0.0, f32::max) * w.hunt * self.want * self.plan.drive
    }

    fn cell(&self, kind: u8, hex: HexId) -> &Cell {
        let of_kind = self.cells[usize::from(kind)].get_or_init(|| {
            let mut cells = Vec::new();
            cells.resize_with(self.commander.rules.field.count(), OnceLock::new);
            cells
        });
        of_kind[hex.index()].get_or_init(|| Box::new(self.look(kind, hex)))
    }

    fn look(&self, kind: u8, hex: HexId) -> Cell {
        let c = self.commander;
        let rules = &*c.rules;
        let visible = rules.los.visible_from(hex);
        let fixed = c.fixed_gun(kind);
        let mut cell = Cell::default();
        let board = &rules.field.board;
        let mut me = self.stand_at(kind, hex);
        self.ambushed(&me, &mut cell.flank);
        for (n, foe) in self.foes.iter().enumerate() {
            let range = rules.field.range(hex, foe.hex);
            self.outflanked(&me, foe, range, &mut cell.flank);
            if range > 30 || !visible.contains(foe.hex) {
                if range <= 20 {
                    let close = 0.04 * (-(range as f32) / 6.0).exp();
                    for facing in Direction::ALL {
                        if bearing::hit_angle(facing, board.hex(hex), board.hex(foe.hex)) == Angle::Rear {
                            cell.flank[facing.index()] += close;
                        }
                    }
                }
                continue;
            }
            if range <= c.lore.kind(foe.unit).reach {
                let mut share = [0.0; 6];
                for facing in Direction::ALL {
                    me.facing = facing;
                    share[facing.index()] = c.shot(foe, &me, range, 0);
                }
                if share.iter().any(|s| *s > 0.0) {
                    cell.threats.push(Threat { foe: n as u8, range: range as u8, share });
                }
            }
            let spot = self.s.unit(foe.unit).spot;
            let seen = if range <= c.seen_from(foe, spot) {
                1.0
            } else if range <= c.seen_from(foe, Spot::Fire) {
                c.weights.unseen
            } else {
                continue;
            };
            if range <= c.lore.kinds[usize::from(kind)].reach {
                let mut gain = [0.0; 6];
                for facing in Direction::ALL {
                    me.facing = facing;
                    gain[facing.index()] = if fixed || facing == Direction::D0 {
                        c.shot(&me, foe, range, 0) * foe.worth * seen
                    } else {
                        gain[0]
                    };
                }
                if gain.iter().any(|g| *g > 0.0) {
                    cell.marks.push(Mark { foe: n as u8, gain });
                }
            }
        }
        cell
    }

    /// Shots of hidden enemies from where they may be (7.2), as shares of the value of a vehicle, by its facing.
    fn ambushed(&self, me: &Stand, sums: &mut [f32; 6]) {
        let c = self.commander;
        for (foe, number) in &self.lurking {
            let range = c.rules.field.range(me.hex, foe.hex);
            if range > c.lore.kind(foe.unit).reach || !c.rules.los.clear(foe.hex, me.hex) {
                continue;
            }
            let foe = Stand { facing: c.toward(foe.hex, me.hex), ..*foe };
            for facing in Direction::ALL {
                let share = c.shot(&foe, &Stand { facing, ..*me }, range.max(1), 0);
                sums[facing.index()] += c.weights.ambush * number * share;
            }
        }
    }

    /// A fast enemy nearby can get behind a vehicle within a turn, whatever its facing now.
    fn outflanked(&self, me: &Stand, foe: &Stand, range: u32, flank: &mut [f32; 6]) {
        let (c, board) = (self.commander, &self.commander.rules.field.board);
        let behind = ((f32::from(c.lore.kind(foe.unit).pace) + 2.0 - range as f32) / 3.0).clamp(0.0, 1.0);
        if behind <= 0.0 || c.weights.flank <= 0.0 {
            return;
        }
        // As if the enemy stayed where it is and saw the vehicle's rear, or its front.
        let shown = |angle: Angle| {
            let turned = Direction::ALL
                .into_iter()
                .find(|facing| bearing::hit_angle(*facing, board.hex(me.hex), board.hex(foe.hex)) == angle);
            turned.map_or(0.0, |facing| c.shot(foe, &Stand { facing, ..*me }, range.max(1), 0))
        };
        let worse = shown(Angle::Rear) - shown(Angle::Front);
        if worse <= 0.0 {
            return;
        }
        for facing in Direction::ALL {
            if bearing::hit_angle(facing, board.hex(me.hex), board.hex(foe.hex)) != Angle::Rear {
                flank[facing.index()] += c.weights.flank * behind * worse;
            }
        }
    }

    /// A unit of a kind that has just arrived in a hex.
    fn stand_at(&self, kind: u8, hex: HexId) -> Stand {
        let c = self.commander;
        Stand {
            unit: UnitId(0),
            kind,
            hex,
            facing: Direction::D0,
            damaged: false,
            worth: c.lore.kinds[usize::from(kind)].points,
            shelter: c.shelter(kind, hex),
        }
    }

    /// Points that a vehicle must expect to lose in the next volley, if it is in a hex, by its facing.
    fn exposures(&self, unit: UnitId, hex: HexId, spot: Spot) -> [f32; 6] {
        let c = self.commander;
        let kind = c.lore.kind[unit.index()];
        let cell = self.cell(kind, hex);
        let worth = c.lore.kinds[usize::from(kind)].points;
        let me = self.own.iter().position(|stand| stand.unit == unit);
        // A unit that stays keeps its shelter, which the terrain alone does not determine.
        let mut stand = match me.map(|me| self.own[me]).filter(|stand| stand.hex == hex) {
            Some(stand) => stand,
            None => self.stand_at(kind, hex),
        };
        let dug_in = stand.shelter != c.shelter(kind, hex);
        let sight = c.seen_from(&stand, spot);
        let mut sums = cell.flank.map(|share| share * worth);
        for threat in &cell.threats {
            let foe = usize::from(threat.foe);
            let (row, sum) = self.threat(foe);
            let others = (sum - me.map_or(0.0, |me| row[me])).max(0.0);
            let seen = if u32::from(threat.range) <= sight { 1.0 } else { 0.15 };
            let mut shares = threat.share;
            if dug_in {
                for facing in Direction::ALL {
                    stand.facing = facing;
                    shares[facing.index()] = c.shot(&self.foes[foe], &stand, u32::from(threat.range), 0);
                }
            }
            for (sum, share) in sums.iter_mut().zip(shares) {
                let loss = share * worth;
                // The enemy picks one of the targets it sees, preferring the better one.
                let picked = if loss > 0.0 { loss / (loss + others) } else { 0.0 };
                *sum += loss * picked.max(0.25) * seen;
            }
        }
        sums
    }

    /// Points that a vehicle can expect from its next shot with this hex and facing, and its target.
    pub fn offense(&self, unit: UnitId, hex: HexId, facing: Direction) -> (f32, Option<UnitId>) {
        let kind = self.commander.lore.kind[unit.index()];
        let mut best = (0.0, None);
        let mut second = 0.0f32;
        for mark in &self.cell(kind, hex).marks {
            let gain = mark.gain[facing.index()];
            if gain > best.0 {
                second = best.0;
                best = (gain, Some(self.foes[usize::from(mark.foe)].unit));
            } else {
                second = second.max(gain);
            }
        }
        let hurt = self.s.unit(unit).is(::panzer::state::Flags::DAMAGED);
        ((best.0 + 0.2 * second) * if hurt { 0.6 } else { 1.0 }, best.1)
    }

    /// The value of being in a hex at the end of this turn, by facing; `moving`: it arrives in sight of units on
    /// Overwatch.
    pub fn posts(&self, unit: UnitId, hex: HexId, spot: Spot, moving: bool) -> [f32; 6] {
        let w = &self.commander.weights;
        let turns = self.left.min(1.0);
        let exposures = self.exposures(unit, hex, spot);
        let watched = if moving { w.watched } else { 0.0 };
        let crowd = self.s.in_hex(hex).filter(|other| *other != unit).count() as f32;
        let ground = self.pull(unit, hex).0 - w.crowd * crowd * crowd.min(2.0);
        let turreted = !self.commander.fixed_gun(self.commander.lore.kind[unit.index()]);
        let ahead = turreted.then(|| self.offense(unit, hex, Direction::D0).0);
        Direction::ALL.map(|facing| {
            let offense = ahead.unwrap_or_else(|| self.offense(unit, hex, facing).0);
            let exposure = self.care * exposures[facing.index()];
            turns * (w.offense * offense - w.defense * exposure) - watched * exposure + ground
        })
    }

    /// The value of a post with one facing.
    pub fn post(&self, unit: UnitId, hex: HexId, facing: Direction, spot: Spot, moving: bool) -> f32 {
        self.posts(unit, hex, spot, moving)[facing.index()]
    }

    /// The most points that the enemy with this index can expect from a shot at units that satisfy `who`.
    pub fn threat_to(&self, foe: usize, who: impl Fn(UnitId) -> bool) -> f32 {
        let row = self.own.iter().zip(&self.threat(foe).0);
        row.filter(|(own, _)| who(own.unit)).map(|(_, points)| *points).fold(0.0, f32::max)
    }

    /// The most points an enemy can expect from a shot now.
    pub fn menace(&self, foe: UnitId) -> f32 {
        let at = self.foes.iter().position(|stand| stand.unit == foe);
        at.map_or(0.0, |at| self.threat(at).0.iter().copied().fold(0.0, f32::max))
    }

    /// The value of destroying an enemy: its points, and the threat that it removes.
    pub fn prize(&self, foe: UnitId) -> f32 {
        self.commander.lore.kind(foe).points + self.commander.weights.relief * self.menace(foe)
    }

    /// Both volleys in the current position: points that each side can expect if every vehicle fires once.
    pub fn volleys(&self) -> (f32, f32) {
        let mine = self.own.iter().map(|own| self.offense(own.unit, own.hex, own.facing).0).sum();
        let most = |foe| self.threat(foe).0.iter().copied().fold(0.0, f32::max);
        let theirs = (0..self.foes.len()).map(most).sum();
        (mine, theirs)
    }
}
