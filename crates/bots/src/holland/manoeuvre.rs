//! The Movement Phase: first the worthwhile attacks are prepared, the best first; then all other units go where they
//! are most useful (8).

use std::{cell::RefCell, collections::BTreeMap};

use ::holland::{
    Action, State, Subject,
    event::seat,
    frame::{Frame, Phase},
    pack::Side,
    state::{Marks, Place},
};
use hexgrid::HexId;
use kernel::Rules;
use zocbond::{Piece, UnitId};

use super::{
    combat::{compose, stakes},
    guards, odds,
    plan::Plan,
    posts::{self, Picture, Posts},
    road, sight,
    staff::{Script, Staff},
    why,
};
use crate::{
    Level, Mind, Thought,
    bond::{
        attacks::{self, Limits, Prepared},
        draft::{self, Follows},
    },
};

/// The most attacks prepared in one phase.
const MOST_ATTACKS: usize = 20;
/// How many formations are tried for one target.
const FORMATIONS: usize = 2;
/// An Unknown unit within this distance of the Allies is examined (25.3).
const LOOK_AT: u32 = 4;

/// A place from which a unit could attack.
#[derive(Clone, Debug)]
pub struct Spot {
    unit: UnitId,
    hex: HexId,
    /// How it gets there; none if it is there already.
    how: Option<Action>,
}

type Proposal = attacks::Proposal<Spot, UnitId>;

/// The position while a phase is being planned.
pub struct Draft<'a> {
    pub staff: &'a Staff,
    pub side: Side,
    pub plan: &'a Plan,
    pub w: State,
    pub script: Script,
    /// An action was taken whose outcome a die decides: what follows must be planned afterwards.
    pub unforeseen: bool,
}

impl Draft<'_> {
    /// Adds an action to the script if it is legal.
    pub fn act(&mut self, action: Action) -> bool {
        let Some(follows) = draft::take(&*self.staff.rules, &self.w, seat(self.side), &action) else {
            return false;
        };
        match follows {
            Follows::Known(after) => {
                self.unforeseen |= *after.frame() != Frame::Phase(self.side, Phase::Movement);
                self.w = after;
            }
            Follows::Unforeseen => self.unforeseen = true,
        }
        self.script.push(Thought::plain(action));
        true
    }

    /// What a unit may do.
    pub fn options(&self, unit: UnitId) -> Vec<Action> {
        let mut out = Vec::new();
        self.staff.rules.options(&self.w, seat(self.side), Subject::Unit(unit), &mut out);
        out
    }
}

pub fn phase(staff: &Staff, s: &State, side: Side, plan: &Plan, out: &mut Script) {
    let rules = &*staff.rules;
    // 25.3: Unknown units near the Allies are examined before any unit moves.
    if side == Side::German {
        let near = s.unknown.iter().find(|hex| {
            rules.distance_to(s, Side::Allied, *hex) <= LOOK_AT
                && rules.verdict(s, seat(side), &Action::Reveal(*hex)).is_legal()
        });
        if let Some(hex) = near {
            out.push(Thought::plain(Action::Reveal(hex)));
            return;
        }
    }
    let mut draft = Draft { staff, side, plan, w: s.clone(), script: Vec::new(), unforeseen: false };
    let picture = Picture::new(staff, s);
    let mut guards = guards::guards(staff, s, side);
    guards.extend(road::keep(&mut draft, &guards));
    let spots = find_spots(&draft, &picture, &guards);
    let weights = &staff.weights;
    let worth = weights.worth_preparing + weights.patience(&staff.lore, side) + plan.patience;
    let limits = Limits { attacks: MOST_ATTACKS, worth, counted_on: weights.counted_on };
    let prepared = attacks::prepare(
        &mut Preparing { draft: &mut draft, seen: RefCell::default() },
        &spots,
        Vec::new(),
        limits,
    );
    if !draft.unforeseen {
        let busy = prepared.units.iter().chain(&guards).copied().collect();
        Posts::new(&draft, busy, &prepared.beaten).fill(&mut draft);
    }
    let first = !sight::army(s, side).into_iter().any(|unit| s.unit(unit).has(Marks::MOVED));
    if first && let Some(thought) = draft.script.first_mut() {
        thought.why = Some(why::movement(rules, &prepared.targets, picture.main_aim(staff, s, side)));
    }
    if !draft.unforeseen {
        draft.script.push(Thought::plain(Action::Done));
    }
    out.append(&mut draft.script);
}

/// Scripts that differ from this one in what one unit does: it stays, or goes to another of its best places.
pub fn neighbours(staff: &Staff, s: &State, side: Side, script: &[Thought<Action>], out: &mut Vec<Script>) {
    let plan = Plan { quick: true, ..staff.usual(Level::Regular) };
    let draft = Draft { staff, side, plan: &plan, w: s.clone(), script: Vec::new(), unforeseen: false };
    let posts = Posts::new(&draft, Vec::new(), &[]);
    for unit in sight::army(s, side) {
        let moved = script.iter().position(|thought| who_moves(&thought.action) == Some(unit));
        let goal = moved.and_then(|at| goes_to(&script[at].action));
        if let Some(at) = moved.filter(|_| s.unit(unit).hex().is_some()) {
            let mut stays = script.to_vec();
            stays.remove(at);
            out.push(stays);
        }
        for action in posts.others(&draft, unit, goal, staff.weights.others as usize) {
            let mut goes = script.to_vec();
            match moved {
                Some(at) => goes[at] = Thought::plain(action),
                None => goes.insert(0, Thought::plain(action)),
            }
            out.push(goes);
        }
    }
}

/// The unit that a decision moves.
fn who_moves(action: &Action) -> Option<UnitId> {
    match action {
        Action::Move { unit, .. } | Action::Place { unit, .. } => Some(*unit),
        _ => None,
    }
}

/// Where it goes.
pub fn goes_to(action: &Action) -> Option<HexId> {
    match action {
        Action::Move { path, .. } => path.last().copied(),
        Action::Place { hex, .. } => Some(*hex),
        _ => None,
    }
}

/// The hexes from which each enemy hex can be attacked, and the units that can reach them.
fn find_spots(draft: &Draft, picture: &Picture, guards: &[UnitId]) -> BTreeMap<HexId, Vec<Spot>> {
    let (rules, s, side) = (&*draft.staff.rules, &draft.w, draft.side);
    let enemy = s.field.held(side.enemy());
    let near = s.field.near(side.enemy());
    let mut spots: BTreeMap<HexId, Vec<Spot>> = BTreeMap::new();
    for unit in sight::army(s, side) {
        if !odds::able(rules, s, unit) {
            continue;
        }
        let mut seen: Vec<HexId> = Vec::new();
        let mut offer = |hex: HexId, how: Option<Action>| {
            if !near.contains(hex) || seen.contains(&hex) {
                return;
            }
            seen.push(hex);
            for target in rules.land.topology.neighbours(hex).filter(|to| enemy.contains(*to)) {
                if !picture.may_turn_against(draft.staff, s, unit, target) {
                    continue;
                }
                spots.entry(target).or_default().push(Spot { unit, hex, how });
            }
        };
        if let Some(hex) = s.unit(unit).hex() {
            offer(hex, None);
        }
        // Units that cannot get near in one turn are skipped.
        let far = s.unit(unit).hex().is_some_and(|hex| rules.distance_to(s, side.enemy(), hex) > 16);
        if far || s.unit(unit).has(Marks::MOVED) || guards.contains(&unit) {
            continue;
        }
        for action in draft.options(unit) {
            if let Action::Move { path, .. } = &action
                && let Some(hex) = path.last().copied()
            {
                offer(hex, Some(action));
            }
        }
    }
    spots
}

/// Attacks being prepared on a draft.
struct Preparing<'a, 'b> {
    draft: &'a mut Draft<'b>,
    /// The situation without the enemies that will probably be beaten, and how many there were when it was computed.
    seen: RefCell<Option<(usize, Picture)>>,
}

impl attacks::Field for Preparing<'_, '_> {
    type Spot = Spot;
    type Unit = UnitId;

    fn propose(&self, target: HexId, spots: &[Spot], prepared: &Prepared<UnitId>) -> Option<Proposal> {
        let mut seen = self.seen.borrow_mut();
        if seen.as_ref().is_none_or(|(beaten, _)| *beaten != prepared.beaten.len()) {
            let mut after = self.draft.w.clone();
            posts::clear(&self.draft.staff.rules, &mut after, &prepared.beaten);
            *seen = Some((prepared.beaten.len(), Picture::new(self.draft.staff, &after)));
        }
        let (_, picture) = seen.as_ref()?;
        propose(self.draft, picture, target, spots, prepared)
    }

    fn send(&mut self, spot: &Spot) -> Option<UnitId> {
        if let Some(how) = &spot.how
            && (self.draft.unforeseen || !self.draft.act(*how))
        {
            return None;
        }
        Some(spot.unit)
    }

    fn unforeseen(&self) -> bool {
        self.draft.unforeseen
    }
}

fn propose(
    draft: &Draft,
    picture: &Picture,
    target: HexId,
    spots: &[Spot],
    prepared: &Prepared<UnitId>,
) -> Option<Proposal> {
    let (staff, s, side) = (draft.staff, &draft.w, draft.side);
    let rules = &*staff.rules;
    let free: Vec<&Spot> = spots.iter().filter(|spot| !prepared.units.contains(&spot.unit)).collect();
    let strength = |spot: &Spot| rules.face(s, spot.unit).attack;
    let strongest = free.iter().max_by_key(|spot| strength(spot)).map(|spot| spot.unit)?;
    // Formations sorted by the strength they could bring (10.2).
    let mut formations: Vec<(u32, u8)> = Vec::new();
    let mut counted: Vec<UnitId> = Vec::new();
    for spot in &free {
        if counted.contains(&spot.unit) {
            continue;
        }
        counted.push(spot.unit);
        let (of, attack) = (rules.formation(s, spot.unit), u32::from(strength(spot)));
        match formations.iter_mut().find(|(_, formation)| *formation == of) {
            Some((sum, _)) => *sum += attack,
            None => formations.push((attack, of)),
        }
    }
    formations.sort_by_key(|(sum, of)| (std::cmp::Reverse(*sum), *of));
    // Quick evaluation first: targets that look hopeless are not evaluated in full.
    let glance = Plan { quick: true, ..*draft.plan };
    let mut best: Option<Proposal> = None;
    for (_, formation) in formations.into_iter().take(if draft.plan.quick { 1 } else { FORMATIONS }) {
        let (scratch, placed) = place_around(draft, &free, formation, target);
        let guns = (&prepared.guns[..], staff.weights.spared);
        let quick = stakes(staff, picture, s, side, &glance, target, None);
        let Some((mut attack, mut prospect)) = compose(staff, &scratch, side, target, quick, guns) else {
            continue;
        };
        if !draft.plan.quick && prospect.falls > 0.25 {
            let full = stakes(staff, picture, s, side, draft.plan, target, Some(strongest));
            if let Some(found) = compose(staff, &scratch, side, target, full, guns) {
                (attack, prospect) = found;
            }
        }
        if best.as_ref().is_some_and(|other| other.value >= prospect.value) {
            continue;
        }
        let chosen = placed.into_iter().filter(|spot| attack.attackers.contains(spot.unit)).collect();
        let guns = rules.guns(&scratch, side, target, &attack.attackers).into_iter();
        let guns = guns.filter(|gun| !prepared.guns.contains(gun));
        let guns = guns.take(rules.pack.tables.artillery.attack_guns.into()).collect();
        let (value, falls, round) = (prospect.value, prospect.falls, prepared.targets.len());
        best = Some(Proposal { target, spots: chosen, guns, value, falls, round });
    }
    best
}

/// Puts units adjacent to the target, those of the formation and the strongest first, each where it attacks best.
fn place_around(draft: &Draft, spots: &[&Spot], formation: u8, target: HexId) -> (State, Vec<Spot>) {
    let (rules, s) = (&*draft.staff.rules, &draft.w);
    let mut scratch = s.clone();
    let mut placed: Vec<Spot> = Vec::new();
    let mut order: Vec<UnitId> = Vec::new();
    for spot in spots {
        if !order.contains(&spot.unit) {
            order.push(spot.unit);
        }
    }
    let mine = |unit: UnitId| rules.formation(s, unit) == formation;
    order.sort_by_key(|unit| (!mine(*unit), std::cmp::Reverse(rules.face(s, *unit).attack), unit.0));
    // One unit of another formation fights in full (10.2); more are seldom worth the march.
    let own = order.iter().filter(|unit| mine(**unit)).count();
    order.truncate(own + 2);
    for unit in order {
        let mut best: Option<(f32, &Spot)> = None;
        for spot in spots.iter().filter(|spot| spot.unit == unit) {
            if spot.how.is_some() && !rules.fits(&scratch, unit, spot.hex) {
                continue;
            }
            let score = spot_score(draft, &scratch, spot, target);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, spot));
            }
        }
        if let Some((_, spot)) = best {
            if spot.how.is_some() {
                rules.put(&mut scratch, unit, Place::Hex(spot.hex));
                scratch.unit_mut(unit).mark(Marks::MOVED, true);
            }
            placed.push(spot.clone());
        }
    }
    (scratch, placed)
}

/// Prefers full strength, good terrain, a new side of the target, and not leaving a good place needlessly.
fn spot_score(draft: &Draft, scratch: &State, spot: &Spot, target: HexId) -> f32 {
    use ::holland::land::Water;
    let rules = &*draft.staff.rules;
    let mut score = match rules.water_between(spot.hex, target) {
        Water::None => 0.0,
        Water::MinorRiver => -0.7,
        _ => -3.0, // 10.8.2
    };
    let ground = rules.land.at(spot.hex);
    if ground.vehicles_halved && rules.counter(spot.unit).categories.vehicle {
        score -= 3.0; // 10.8.4
    }
    if ground.doubled {
        score += 0.4;
    }
    if spot.how.is_none() {
        score += 0.5;
    }
    // Surrounding the enemy: Bonds cut off its retreat.
    if !scratch.field.held(draft.side).contains(spot.hex) {
        score += 0.6;
    }
    score
}

/// The total value of the attacks that could be made now, each unit used in one of them.
pub fn promise(staff: &Staff, s: &State, side: Side, plan: &Plan) -> f32 {
    let rules = &*staff.rules;
    let picture = Picture::new(staff, s);
    let glance = Plan { quick: true, ..*plan };
    let mut found = Vec::new();
    for target in s.field.held(side.enemy()).iter().filter(|hex| s.field.near(side).contains(*hex)) {
        if rules.attackers(s, side, target).is_empty() {
            continue;
        }
        let stakes = stakes(staff, &picture, s, side, &glance, target, None);
        found.extend(compose(staff, s, side, target, stakes, (&[], staff.weights.spared)));
    }
    found.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let mut busy: Vec<UnitId> = Vec::new();
    let mut sum = 0.0;
    for (attack, prospect) in found {
        let free = attack.attackers.iter().filter(|unit| !busy.contains(unit)).count();
        let share = free as f32 / attack.attackers.len().max(1) as f32;
        if prospect.value > staff.weights.worth_it && share > 0.5 {
            sum += prospect.value * share * share;
            busy.extend(&attack.attackers);
        }
    }
    sum
}
