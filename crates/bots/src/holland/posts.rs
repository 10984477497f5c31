//! Where units without an attack go: toward their side's aims, into the enemy's way, or where they must stay.

use ::holland::{
    Action, Holland, State,
    frame::Mode,
    pack::Side,
    state::{Bridge, Marks, Place},
};
use hexgrid::{HexId, HexSet};
use zocbond::{Piece, UnitId};

use super::{
    guards::{defends, unguarded},
    lore::Kind,
    manoeuvre::{Draft, goes_to},
    plan::Plan,
    sight::{self, Who, menace},
    staff::Staff,
    value::{self, FACTOR, Judgement, halves, worth},
};
use crate::bond::{around::distances, arrival::TURN, chance::logistic};

/// Beyond this distance from the enemy no unit is threatened.
const FAR: u8 = 10;
/// Within this distance the full evaluation is used.
const NEAR: u8 = 6;
/// Beyond this many turns nothing attracts.
const FARTHEST: f32 = 8.0;
/// The airborne fight for what they hold within this distance of it.
const HOLD: u32 = 2;
/// How many turns ahead enemy attacks are considered.
const STROKE: f32 = 1.6;

/// The situation at one decision.
#[derive(Debug)]
pub struct Picture {
    pub judged: Judgement,
    /// How much the Allied paths to their aims lead through each hex.
    pub flow: Vec<f32>,
    /// For each aim how open it is: its weight if it could fall to either side, near 0 if it is settled.
    pub open: Vec<f32>,
    /// The route of the drive, and the hexes beside it.
    pub drive: HexSet,
}

impl Picture {
    pub fn new(staff: &Staff, s: &State) -> Picture {
        Picture::with(staff, s, Judgement::new(staff, s))
    }

    fn with(staff: &Staff, s: &State, judged: Judgement) -> Picture {
        let aims = &staff.lore.aims;
        let open: Vec<f32> = aims
            .iter()
            .zip(&judged.chances)
            .map(|(aim, p)| match aim.kind {
                Kind::Beyond => aim.weight * 0.8,
                _ => aim.weight * (4.0 * p * (1.0 - p) + 0.08),
            })
            .collect();
        let mut flow = vec![0.0; staff.rules.map.board.len()];
        for (aim, open) in aims.iter().zip(&open) {
            let way =
                if matches!(aim.kind, Kind::Place | Kind::Beyond) { &judged.ground } else { &judged.any };
            let Some(goal) = aim.wanted(s, Side::Allied).min_by_key(|hex| way.at(*hex)) else { continue };
            for (sum, more) in flow.iter_mut().zip(way.flow([(goal, *open)].into_iter())) {
                *sum += more;
            }
        }
        let mut drive = HexSet::new();
        let goal =
            staff.lore.goal.and_then(|i| aims[i].hexes.iter().min_by_key(|hex| judged.ground.at(**hex)));
        let mut at = goal.copied().unwrap_or(HexId::NONE);
        while at != HexId::NONE {
            drive.insert(at);
            for near in staff.rules.land.topology.neighbours(at) {
                drive.insert(near);
            }
            at = judged.ground.from[at.index()];
        }
        Picture { judged, flow, open, drive }
    }

    /// May a unit attack an enemy in this hex? Units that drive up the highway attack enemies that block it, the
    /// airborne also enemies that threaten what they hold or where they landed.
    pub fn may_turn_against(&self, staff: &Staff, s: &State, unit: UnitId, hex: HexId) -> bool {
        let (rules, lore) = (&*staff.rules, &staff.lore);
        if !lore.bound(rules, unit) || self.drive.contains(hex) || lore.corridor.contains(hex) {
            return true;
        }
        let near = |to: HexId| rules.map.board.distance(hex, to) <= HOLD;
        let head = rules.counter(unit).supply_head.and_then(|head| s.unit(head).hex());
        let aims = || lore.aims.iter().filter(|aim| aim.on_highway && aim.kind != Kind::Beyond);
        !lore.drives(rules, unit)
            && (head.is_some_and(near) || aims().any(|aim| aim.hexes.iter().any(|to| near(*to))))
    }

    /// The evaluator's value of the ground if the enemy were gone from a hex and one of our units were there.
    fn occupied(&self, staff: &Staff, s: &State, side: Side, hex: HexId, ours: UnitId) -> f32 {
        let rules = &*staff.rules;
        let mut after = s.clone();
        clear(rules, &mut after, &[hex]);
        rules.put(&mut after, ours, Place::Hex(hex));
        let judged = Judgement::new(staff, &after);
        let nearer = judged.urge - self.judged.urge;
        let gained = judged.land - self.judged.land + staff.weights.urge * nearer;
        if side == Side::Allied { gained } else { -gained }
    }

    /// The value to a side of driving the enemy out of a hex; `ours` could go there.
    pub fn gain(
        &self,
        staff: &Staff,
        s: &State,
        side: Side,
        plan: &Plan,
        hex: HexId,
        ours: Option<UnitId>,
    ) -> f32 {
        let weights = &staff.weights;
        let mut gain = weights.gain + plan.drive * weights.gain_flow * self.flow[hex.index()].min(3.0);
        if side == Side::Allied && staff.lore.goal.is_some() && self.drive.contains(hex) {
            gain += plan.drive * weights.bar;
        }
        if let Some(unit) = ours.filter(|_| !plan.quick) {
            gain += weights.opening * plan.drive * self.occupied(staff, s, side, hex, unit).max(0.0);
        } else {
            for (aim, open) in staff.lore.aims.iter().zip(&self.open) {
                if aim.wanted(s, side).any(|wanted| wanted == hex) {
                    gain += 0.7 * weights.hex * open / aim.parts(s);
                }
            }
        }
        gain
    }

    /// The aim that matters most now.
    pub fn main_aim(&self, staff: &Staff, s: &State, side: Side) -> Option<HexId> {
        let aims = staff.lore.aims.iter().zip(&self.open);
        let open = aims.filter(|(aim, _)| aim.hexes.iter().any(|hex| s.field.last_holder(*hex) != side));
        open.max_by(|a, b| a.1.total_cmp(b.1)).and_then(|(aim, _)| aim.hexes.first().copied())
    }
}

pub struct Posts {
    busy: Vec<UnitId>,
    picture: Picture,
    /// The strength that the enemy could bring against each hex.
    menace: Vec<f32>,
    /// Hexes to the nearest enemy.
    distance: Vec<u8>,
    supplied: HexSet,
    /// Factors already assigned to each aim.
    care: Vec<f32>,
    /// Time to each aim, on foot and mechanized; none for aims that do not attract.
    ways: Vec<Option<[Vec<u16>; 2]>>,
    /// How likely each aim that the side holds is lost while no unit is in it.
    danger: Vec<f32>,
    life: f32,
    /// What a half point of 26.1 is worth now, as far as it counts in a risk.
    point: f32,
    beaten: Vec<HexId>,
}

#[derive(Clone, Debug)]
struct Post {
    action: Option<Action>,
    hex: HexId,
    score: f32,
}

impl Posts {
    /// `beaten`: enemy hexes under attack with good chances.
    pub fn new(draft: &Draft, busy: Vec<UnitId>, beaten: &[HexId]) -> Posts {
        let (staff, s, side) = (draft.staff, &draft.w, draft.side);
        let rules = &*staff.rules;
        let picture = Picture::new(staff, s);
        let mut after = s.clone();
        clear(rules, &mut after, beaten);
        let goals = staff.lore.aims.iter().zip(&picture.open).enumerate().map(|(i, (aim, open))| {
            let wanted: Vec<HexId> = match side {
                Side::Allied if Some(i) == staff.lore.goal => aim.hexes.clone(),
                Side::Allied => aim.wanted(s, side).collect(),
                Side::German => aim.hexes.clone(),
            };
            if *open > 0.02 { wanted } else { Vec::new() }
        });
        let goals: Vec<Vec<HexId>> = goals.collect();
        let farthest = |aim: usize| if Some(aim) == staff.lore.goal { value::FAR } else { FARTHEST };
        let ways = sight::ways_to_each(staff, &after, side, &goals, farthest);
        let hexes = rules.map.board.len();
        let enemy = side.enemy();
        Posts {
            danger: abandoned(draft, &busy),
            busy,
            ways,
            picture,
            menace: menace(rules, s, enemy),
            distance: distances(s.field.held(enemy), hexes, FAR, |hex| rules.land.topology.neighbours(hex)),
            supplied: supplied(rules, s, side),
            care: vec![0.0; staff.lore.aims.len()],
            life: value::life(staff, s),
            point: staff.weights.point_risk * value::half_point(staff, s),
            beaten: beaten.to_vec(),
        }
    }

    pub fn fill(&mut self, draft: &mut Draft) {
        let rules = &*draft.staff.rules;
        let mut units: Vec<(u32, UnitId)> = sight::army(&draft.w, draft.side)
            .into_iter()
            .filter(|unit| !self.busy.contains(unit) && !draft.w.unit(*unit).has(Marks::MOVED))
            .map(|unit| (self.urgency(rules, &draft.w, unit), unit))
            .collect();
        units.sort_by_key(|(urgency, unit)| (*urgency, unit.0));
        for (_, unit) in units {
            if draft.unforeseen {
                return;
            }
            let c = rules.counter(unit);
            let post = if c.categories.artillery || c.supply_head_piece {
                self.battery(draft, unit)
            } else {
                self.post(draft, unit)
            };
            let Some(post) = post else { continue };
            self.look_after(draft, unit, post.hex);
            if let Some(action) = post.action {
                draft.act(action);
            }
        }
    }

    /// Units at the front first, units off the map last.
    fn urgency(&self, rules: &Holland, s: &State, unit: UnitId) -> u32 {
        let c = rules.counter(unit);
        let far = s.unit(unit).hex().map_or(u32::from(FAR) + 1, |hex| u32::from(self.distance[hex.index()]));
        // Supply Heads last: they go where a unit has stayed.
        let late = if c.categories.artillery { 50 } else { 0 } + if c.supply_head_piece { 100 } else { 0 };
        far * 4 + late + u32::from(!c.categories.mechanized)
    }

    /// Every place where the unit could be at the end of the phase; staying comes first.
    fn places(draft: &Draft, unit: UnitId) -> Vec<(HexId, Option<Action>)> {
        let mut places: Vec<(HexId, Option<Action>)> = Vec::new();
        places.extend(draft.w.unit(unit).hex().map(|hex| (hex, None)));
        let mut seen = HexSet::new();
        for action in draft.options(unit) {
            if let Some(to) = goes_to(&action).filter(|to| seen.insert(*to)) {
                places.push((to, Some(action)));
            }
        }
        places
    }

    /// How near a hex is to what the side wants or must guard, and to which aim.
    fn pull(&self, draft: &Draft, hex: HexId, unit: UnitId) -> (f32, usize) {
        let staff = draft.staff;
        let weights = &staff.weights;
        let mechanized = staff.rules.counter(unit).categories.mechanized;
        if let Some(bank) = staff.lore.goal.filter(|_| staff.lore.drives(&staff.rules, unit))
            && let Some(ways) = &self.ways[bank]
        {
            // Nothing off the road attracts them, however far away its end may be.
            let turns = f32::from(ways[usize::from(mechanized)][hex.index()]) / f32::from(TURN);
            return (weights.along * (value::FAR - turns).max(0.0), bank);
        }
        let fade = weights.fade * f32::from(TURN);
        let bound = staff.lore.bound(&staff.rules, unit);
        let mut best = (0.0, usize::MAX);
        for (index, ways) in self.ways.iter().enumerate() {
            let Some(ways) = ways.as_ref().filter(|_| !bound || staff.lore.aims[index].on_highway) else {
                continue;
            };
            let time = f32::from(ways[usize::from(mechanized)][hex.index()]);
            if time >= FARTHEST * f32::from(TURN) - 1.0 {
                continue;
            }
            let aim = &draft.staff.lore.aims[index];
            let wanted = 0.3 * aim.weight + 0.7 * self.picture.open[index];
            // Many may go beyond the river; a village needs few.
            let room = weights.crowd * (0.4 + aim.weight);
            let pull = (-time / fade).exp() * wanted / (1.0 + self.care[index] / room);
            if pull > best.0 {
                best = (pull, index);
            }
        }
        best
    }

    fn look_after(&mut self, draft: &Draft, unit: UnitId, hex: HexId) {
        let (_, aim) = self.pull(draft, hex, unit);
        if let Some(care) = self.care.get_mut(aim) {
            *care += f32::from(draft.staff.rules.face(&draft.w, unit).attack);
        }
    }

    /// The loss that the side risks with the unit there.
    fn risk(&self, draft: &Draft, unit: UnitId, hex: HexId) -> f32 {
        let menace = self.menace[hex.index()].min(24.0);
        if menace <= 0.0 {
            return 0.0;
        }
        let (rules, s) = (&*draft.staff.rules, &draft.w);
        let own = f32::from(rules.face(s, unit).defense);
        let mates = rules.stack(s, draft.side, hex).filter(|other| *other != unit);
        let mates: f32 = mates.map(|other| f32::from(rules.face(s, other).defense)).sum();
        let doubled = rules.land.at(hex).doubled && !rules.counter(unit).categories.vehicle;
        let defense = (own + mates) * if doubled { 2.0 } else { 1.0 };
        let loss = ((menace / defense.max(1.0) - 1.2) / 6.0).clamp(0.0, 0.6);
        let caution = draft.plan.caution * draft.staff.weights.dear(draft.side);
        let c = rules.counter(unit);
        let frail = c.side == Side::Allied && c.airborne && rules.steps(s, unit) <= 1;
        let weights = &draft.staff.weights;
        let (loss, point) = if frail {
            (loss.max(weights.frailty), self.point * weights.frail / weights.point_risk.max(0.01))
        } else {
            (loss, self.point)
        };
        let cost = self.life * FACTOR * worth(rules, s, unit) + point * halves(rules, s, unit);
        caution * draft.staff.weights.risk * loss * cost
    }

    fn common(&self, draft: &Draft, unit: UnitId, hex: HexId, action: Option<&Action>) -> f32 {
        let (rules, s, weights) = (&*draft.staff.rules, &draft.w, &draft.staff.weights);
        let mut score = -self.risk(draft, unit, hex);
        if !self.supplied.contains(hex) {
            score -= weights.cut_off;
        }
        if let Some(Action::Move { mode: Mode::Extended, .. }) = action
            && self.distance[hex.index()] < 3
        {
            score -= 0.5;
        }
        let fights = defends(rules, unit);
        let bound = draft.staff.lore.bound(rules, unit);
        for (aim, danger) in draft.staff.lore.aims.iter().zip(&self.danger) {
            if !fights || aim.kind == Kind::Beyond || !aim.hexes.contains(&hex) || bound && !aim.on_highway {
                continue;
            }
            let mine = weights.hex * aim.weight / aim.hexes.len() as f32;
            let alone = s.field.stack(hex).all(|other| other == unit);
            let taken = match aim.kind {
                // It counts only while a unit is there.
                Kind::Hold if draft.side == Side::Allied => !alone,
                Kind::Bridge(bridge) => {
                    let ours = s.field.bridge(bridge.into()) == Bridge::IntactAllied;
                    ours == (draft.side == Side::Allied)
                }
                _ => s.field.last_holder(hex) == draft.side,
            };
            score += match (taken, alone) {
                (false, _) => 0.8 * mine,
                (true, true) => draft.plan.hold * weights.garrison * danger * mine,
                (true, false) => 0.0,
            };
        }
        if rules.land.at(hex).road && rules.counter(unit).categories.mechanized {
            score += 0.15;
        }
        if fights && self.menace[hex.index()] > 0.0 && unguarded(draft, unit, hex) {
            score += draft.plan.hold.max(1.0) * weights.guard; // 26.1
        }
        score
    }

    /// Every place where a fighting unit could be, by a quick estimate, the best first.
    fn ranked(&self, draft: &Draft, unit: UnitId) -> Vec<Post> {
        let (rules, weights, side) = (&*draft.staff.rules, &draft.staff.weights, draft.side);
        let c = rules.counter(unit);
        let face = rules.face(&draft.w, unit);
        let factor = f32::from(face.attack);
        let blown = c.bridging.then(|| blown_bridges(rules, &draft.w));
        let mut posts: Vec<Post> = Vec::new();
        for (hex, action) in Self::places(draft, unit) {
            let pull = self.pull(draft, hex, unit).0;
            let mut score = self.common(draft, unit, hex, action.as_ref())
                + draft.plan.eager
                    * weights.eager(&draft.staff.lore, side)
                    * (weights.march + weights.march_factor * factor)
                    * pull;
            if side == Side::German {
                let around: f32 =
                    rules.land.topology.neighbours(hex).map(|n| self.picture.flow[n.index()]).sum();
                let block = 1.2 * self.picture.flow[hex.index()] + 0.4 * around;
                score += draft.plan.hold * weights.block * block.min(5.0);
            }
            if self.distance[hex.index()] == 1 {
                // Trains keep away; a fighting unit adjacent to the enemy pins it and can attack next turn.
                score += if c.categories.train { -3.0 } else { weights.contact };
            }
            if self.menace[hex.index()] > 0.0 && !c.categories.train {
                if rules.land.at(hex).doubled && !c.categories.vehicle {
                    score += weights.cover;
                }
                if !c.support {
                    score += weights.bonds * bonds_with(rules, &draft.w, side, unit, hex);
                }
            }
            if blown.as_ref().is_some_and(|hexes| hexes.contains(hex)) {
                score += 6.0; // 5.8
            }
            posts.push(Post { action, hex, score });
        }
        posts.sort_by(|a, b| b.score.total_cmp(&a.score));
        posts
    }

    /// The best moves of a unit to other places than this one.
    pub fn others(&self, draft: &Draft, unit: UnitId, but: Option<HexId>, most: usize) -> Vec<Action> {
        let c = draft.staff.rules.counter(unit);
        if c.categories.artillery || c.supply_head_piece || draft.w.unit(unit).has(Marks::MOVED) {
            return Vec::new();
        }
        let posts = self.ranked(draft, unit).into_iter().filter(|post| Some(post.hex) != but);
        posts.filter_map(|post| post.action).take(most).collect()
    }

    fn post(&mut self, draft: &Draft, unit: UnitId) -> Option<Post> {
        let (rules, weights, side) = (&*draft.staff.rules, &draft.staff.weights, draft.side);
        let c = rules.counter(unit);
        let mut posts = self.ranked(draft, unit);
        let looks = match side {
            _ if draft.plan.quick || c.categories.train => 1,
            Side::Allied => weights.looks_allied as usize,
            Side::German => weights.looks_german as usize,
        };
        let quiet = |post: &Post| {
            self.distance[post.hex.index()] > NEAR
                || side == Side::German
                    && self.menace[post.hex.index()] <= 0.0
                    && self.picture.flow[post.hex.index()] <= 0.0
        };
        let looks = if posts.iter().take(looks).all(quiet) { 1 } else { looks.max(1) };
        posts.truncate(looks);
        if posts.len() < 2 {
            return posts.pop();
        }
        let mut best: Option<Post> = None;
        for mut post in posts {
            let mut after = taken(draft, unit, post.hex);
            clear(rules, &mut after, &self.beaten);
            let worth = value::allied(draft.staff, &after);
            let worth = if side == Side::Allied { worth } else { -worth };
            post.score = draft.plan.rough * post.score + draft.plan.hold.min(1.5) * worth;
            if best.as_ref().is_none_or(|other| post.score > other.score) {
                best = Some(post);
            }
        }
        if side == Side::German
            && let Some(post) = best.as_ref().filter(|post| post.action.is_some())
        {
            // The enemy's paths change where a unit has moved in.
            let after = taken(draft, unit, post.hex);
            self.picture = Picture::new(draft.staff, &after);
        }
        best
    }

    /// Artillery: in range of the enemy but not adjacent, and no pointless move (17). Supply Heads: away from the
    /// enemy.
    fn battery(&self, draft: &Draft, unit: UnitId) -> Option<Post> {
        let rules = &*draft.staff.rules;
        let c = rules.counter(unit);
        let here = draft.w.unit(unit).hex();
        let mut best: Option<Post> = None;
        for (hex, action) in Self::places(draft, unit) {
            let distance = self.distance[hex.index()];
            let mut score = self.common(draft, unit, hex, action.as_ref());
            score += match distance {
                0 | 1 => -3.0,
                _ if c.supply_head_piece => {
                    let guarded = rules.stack(&draft.w, draft.side, hex).any(|other| defends(rules, other));
                    let menace = self.menace[hex.index()];
                    // An enemy that finds it alone just walks in (18.3.1).
                    let alone = if menace > 0.0 { draft.staff.weights.guard } else { 1.0 };
                    -0.05 * menace - if guarded { 0.0 } else { alone }
                }
                d if d < c.range => 3.0 - 0.1 * f32::from(d),
                d => 2.5 - 0.35 * f32::from(d),
            };
            if Some(hex) != here && here.is_some() {
                score -= 0.8;
            }
            if best.as_ref().is_none_or(|post| score > post.score) {
                best = Some(Post { action, hex, score });
            }
        }
        best
    }
}

/// Ends of bridges that the Allies could repair (5.8).
fn blown_bridges(rules: &Holland, s: &State) -> HexSet {
    let blown = rules.land.bridges.iter().enumerate().filter(|(i, b)| {
        let road = rules.land.sides[b.side.index()].road.is_some();
        let repair = matches!(s.field.bridge(*i), Bridge::Blown | Bridge::Repair(Side::Allied, _));
        road && repair && b.hexes.iter().any(|hex| s.field.last_holder(*hex) == Side::Allied)
    });
    blown.flat_map(|(_, b)| b.hexes).collect()
}

/// Removes all units from these hexes. They are set aside, not counted as lost.
pub fn clear(rules: &Holland, s: &mut State, hexes: &[HexId]) {
    for hex in hexes {
        while let Some(unit) = s.field.stack(*hex).next() {
            rules.take_off(s, unit, Place::Aside);
        }
    }
}

/// The position with a unit in another hex.
fn taken(draft: &Draft, unit: UnitId, hex: HexId) -> State {
    let mut after = draft.w.clone();
    if draft.w.unit(unit).hex() != Some(hex) {
        draft.staff.rules.put(&mut after, unit, Place::Hex(hex));
    }
    after
}

/// How likely each aim of the side is lost if all units without another task left it.
fn abandoned(draft: &Draft, busy: &[UnitId]) -> Vec<f32> {
    let (rules, side) = (&*draft.staff.rules, draft.side);
    let mut after = draft.w.clone();
    for hex in draft.staff.lore.aims.iter().filter(|aim| aim.kind != Kind::Beyond).flat_map(|aim| &aim.hexes)
    {
        let leave: Vec<UnitId> =
            rules.stack(&draft.w, side, *hex).filter(|unit| !busy.contains(unit)).collect();
        for unit in leave {
            rules.take_off(&mut after, unit, Place::Aside);
        }
    }
    let enemy = sight::arrivals(draft.staff, &after, side.enemy(), Who::Everybody, STROKE);
    let aims = draft.staff.lore.aims.iter();
    aims.map(|aim| {
        let soonest = aim.hexes.iter().map(|hex| enemy.at(*hex)).min().unwrap_or(u16::MAX);
        logistic(4.0 * (0.9 - f32::from(soonest) / f32::from(TURN)))
    })
    .collect()
}

/// Hexes in which units of a side are in supply, ignoring enemies (18.2, 18.3).
fn supplied(rules: &Holland, s: &State, side: Side) -> HexSet {
    let mut out = rules.by_road(s, side, &rules.source_hexes(s, side));
    let table = rules.pack.tables.supply;
    for _ in 0..table.overland {
        let more: Vec<HexId> = out.iter().flat_map(|hex| rules.land.topology.neighbours(hex)).collect();
        for hex in more {
            out.insert(hex);
        }
    }
    for head in
        rules.units().filter(|u| rules.counter(*u).supply_head_piece && rules.counter(*u).side == side)
    {
        if let Some(hex) = s.unit(head).hex() {
            for near in rules.map.board.range(hex, u16::from(table.supply_head_overland)) {
                out.insert(near);
            }
        }
    }
    out
}

/// Bonds that the unit would form from a hex (7.4).
fn bonds_with(rules: &Holland, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
    let mut bonds: f32 = 0.0;
    let topology = &rules.land.topology;
    let alone = |at: HexId| s.field.stack(at).all(|other| other == unit);
    for d in 0..6 {
        let Some(middle) = topology.around(hex)[d].some() else { continue };
        for far in [topology.around(middle)[d], topology.around(middle)[(d + 1) % 6]] {
            if let Some(far) = far.some()
                && s.field.bonding(side).contains(far)
                && !alone(far)
            {
                bonds += 1.0;
            }
        }
    }
    bonds.min(2.0)
}
