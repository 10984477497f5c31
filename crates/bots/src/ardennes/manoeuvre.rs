//! The Movement Phase: first the worthwhile attacks are prepared, the best first; then all other units go where they
//! are most useful (11–13).

use std::collections::BTreeMap;

use ::ardennes::{
    action::{Action, Move},
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    place::Place,
    play::{Cx, seat},
    state::State,
    subject::Subject,
};
use hexgrid::HexId;
use kernel::{Arg, Rules, Verdict};
use rulebook::flow;

use super::{
    combat::{self, Other, compose},
    guards,
    odds::Stakes,
    picture::Picture,
    plan::Plan,
    posts::Posts,
    reserves::{self, To},
    screen,
    staff::{Script, Staff},
    towns, value, why,
};
use crate::{
    Thought,
    bond::{
        attacks::{self, Limits, Prepared},
        draft::{self, Follows},
    },
};

/// How many pairs of formations are tried for one target.
const PAIRS: usize = 3;
/// The most attacks prepared in one phase.
const MOST_ATTACKS: usize = 24;

/// A place from which a unit could attack.
#[derive(Clone, Copy, Debug)]
struct Spot {
    unit: UnitId,
    hex: HexId,
    /// How it gets there; none if it is there already.
    how: Option<Move>,
}

type Proposal = attacks::Proposal<Spot, UnitId>;

/// The position while a phase is being planned.
#[derive(Clone)]
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
    pub fn cx(&self) -> Cx<'_> {
        Cx { rules: &self.staff.rules, s: &self.w, side: self.side, frame: self.w.top() }
    }

    /// Adds an action to the script if it is legal.
    pub fn act(&mut self, action: Action) -> bool {
        let Some(follows) = draft::take(&*self.staff.rules, &self.w, seat(self.side), &action) else {
            return false;
        };
        match follows {
            Follows::Known(after) => {
                self.unforeseen |= !(after.top() == Frame::Movement && after.side == self.side);
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
        flow::options(&self.cx(), Subject::Unit(unit), &mut out);
        out
    }
}

pub fn phase(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let mut draft = Draft { staff, side: cx.side, plan, w: *cx.s, script: Vec::new(), unforeseen: false };
    // 15.6: it helps to know the number of air support markers before any unit moves.
    if cx.rules.may_roll_air(cx.s, cx.side) {
        out.push(Thought::plain(Action::Air));
        return;
    }
    let on_map = |draft: &Draft, unit: UnitId| draft.w.unit(unit).hex().is_some();
    withdraw(&mut draft, on_map);
    reserves::dismount(&mut draft);
    let mut picture = Picture::new(staff, &draft.w, plan);
    let mut moves = all_moves(&draft);
    let mut busy = seize(&mut draft, &picture, &moves);
    if !busy.is_empty() {
        picture = Picture::new(staff, &draft.w, plan);
    }
    if guards::wanted(&draft) {
        // Guards come first, so that no attack takes them away; a quick draft of the phase shows which units can be
        // spared.
        let hasty = Plan { quick: true, ..*plan };
        let mut later = Draft { plan: &hasty, ..draft.clone() };
        let prepared = prepare_attacks(&mut later, &picture, &moves, busy.clone());
        let guards = guards::post(&mut draft, later, &busy, &prepared.units, &prepared.beaten);
        busy.extend(guards);
    }
    let mut bound = reserves::send(&mut draft, &picture, &busy, &moves, To::Hubs);
    // Who is in a place already is bound to it with its garrison.
    bound.retain(|unit| draft.w.unit(*unit).is(Flags::MOVED));
    let posted: Vec<UnitId> = busy.iter().chain(&bound).copied().collect();
    bound.extend(screen::post(&mut draft, &posted, &moves));
    bound.extend(towns::man(&mut draft, &picture, &busy, &bound, &moves));
    let posted: Vec<UnitId> = busy.iter().chain(&bound).copied().collect();
    bound.extend(reserves::send(&mut draft, &picture, &posted, &moves, To::Paths));
    // These units attack from where they are, or not at all.
    for (_, ways) in moves.iter_mut().filter(|(unit, _)| bound.contains(unit)) {
        ways.clear();
    }
    let prepared = prepare_attacks(&mut draft, &picture, &moves, busy);
    let mut posts = Posts::new(&draft, &prepared.units, &bound, &prepared.beaten);
    posts.prepare(&mut draft);
    if plan.night {
        posts.mark_for_night(&mut draft);
    }
    posts.fill(&mut draft);
    withdraw(&mut draft, |_, _| true);
    let first = !cx.rules.units_of(cx.side).any(|u| cx.s.unit(u).is(::ardennes::flags::Flags::MOVED));
    if first && let Some(thought) = draft.script.first_mut() {
        let aim = prepared
            .targets
            .first()
            .and_then(|target| combat::leads_to(&picture, staff, cx.s, cx.side, *target))
            .or_else(|| main_aim(staff, &picture, cx.s, cx.side));
        thought.why = Some(why::movement(cx.rules, &prepared.targets, aim, cx.side == Side::Allied));
    }
    if !draft.unforeseen {
        draft.script.push(Thought::plain(Action::Done));
    }
    out.append(&mut draft.script);
    if out.is_empty() {
        out.push(Thought::plain(Action::Done));
    }
}

/// Moves the units without which the phase cannot end, such as Disrupted ones beside the enemy (18.2), to their best
/// place, as far as they are `wanted` now.
fn withdraw(draft: &mut Draft, wanted: impl Fn(&Draft, UnitId) -> bool) {
    while !draft.unforeseen {
        let Some(unit) = must_move(draft).filter(|unit| wanted(draft, *unit)) else { return };
        let Some(action) = Posts::new(draft, &[], &[], &[]).away(draft, unit) else { return };
        if !draft.act(action) {
            return;
        }
    }
}

/// The unit that keeps the phase from ending, as the rules name it.
fn must_move(draft: &Draft) -> Option<UnitId> {
    let rules = &*draft.staff.rules;
    let Verdict::Illegal(refusal) = rules.verdict(&draft.w, seat(draft.side), &Action::Done) else {
        return None;
    };
    refusal.why.args.iter().find_map(|(_, named)| match named {
        Arg::Unit(id) => rules.units_of(draft.side).find(|unit| rules.unit_id(*unit) == *id),
        _ => None,
    })
}

/// The Victory Hex that matters most now.
fn main_aim(staff: &Staff, picture: &Picture, s: &State, side: Side) -> Option<HexId> {
    let mut best: Option<(f32, HexId)> = None;
    for (aim, open) in staff.lore.aims.iter().zip(&picture.open) {
        let ours = s.control(aim.hex) == side;
        if ours == (side == Side::German) {
            continue;
        }
        if best.is_none_or(|(most, _)| *open > most) {
            best = Some((*open, aim.hex));
        }
    }
    best.map(|(_, hex)| hex)
}

/// Where each unit of the side may go.
pub type Moves = Vec<(UnitId, Vec<Move>)>;

fn all_moves(draft: &Draft) -> Moves {
    let rules = &*draft.staff.rules;
    let here = |unit: &UnitId| {
        let place = draft.w.unit(*unit).place();
        matches!(place, Place::Hex(_) | Place::Due | Place::Box(_)) && !rules.counter(*unit).artillery
    };
    let moves = |unit: UnitId| {
        let options = draft.options(unit).into_iter();
        let go =
            |action| if let Action::Move(how) = action { Some(how).filter(|how| !how.out) } else { None };
        (unit, options.filter_map(go).collect())
    };
    rules.units_of(draft.side).filter(here).map(moves).collect()
}

/// Undefended Victory Hexes are taken before anything else is planned, each by the unit that is missed least.
fn seize(draft: &mut Draft, picture: &Picture, moves: &Moves) -> Vec<UnitId> {
    let (staff, side) = (draft.staff, draft.side);
    let rules = &*staff.rules;
    let mut taken: Vec<UnitId> = Vec::new();
    // Nobody leaves one town to the enemy for another.
    let keepers = if draft.plan.quick { Vec::new() } else { towns::keepers(staff, &draft.w, side) };
    for aim in &staff.lore.aims {
        if draft.unforeseen {
            break;
        }
        if draft.w.control(aim.hex) == side || draft.w.enemy_in(side, aim.hex) {
            continue;
        }
        let mut best: Option<(f32, UnitId, Move)> = None;
        for (unit, moves) in moves.iter().filter(|(unit, _)| !taken.contains(unit) && !keepers.contains(unit))
        {
            let Some(how) = moves.iter().find(|how| how.to == aim.hex) else { continue };
            let factors = rules.factors(&draft.w, *unit);
            let missed = staff.weights.spared * f32::from(factors.attack);
            let holds = 0.1 * f32::from(factors.defense);
            let gain = picture.occupied(staff, &draft.w, side, draft.plan, aim.hex, *unit) + holds - missed;
            if gain > staff.weights.seize && best.is_none_or(|(most, ..)| gain > most) {
                best = Some((gain, *unit, *how));
            }
        }
        if let Some((_, unit, how)) = best
            && draft.act(Action::Move(how))
        {
            taken.push(unit);
        }
    }
    taken
}

fn prepare_attacks(
    draft: &mut Draft,
    picture: &Picture,
    moves: &Moves,
    busy: Vec<UnitId>,
) -> Prepared<UnitId> {
    let spots = find_spots(draft, moves);
    let weights = &draft.staff.weights;
    let limits =
        Limits { attacks: MOST_ATTACKS, worth: weights.worth_preparing, counted_on: weights.counted_on };
    attacks::prepare(&mut Preparing { draft, picture }, &spots, busy, limits)
}

/// Attacks being prepared on a draft.
struct Preparing<'a, 'b> {
    draft: &'a mut Draft<'b>,
    picture: &'a Picture,
}

impl attacks::Field for Preparing<'_, '_> {
    type Spot = Spot;
    type Unit = UnitId;

    fn propose(&self, target: HexId, spots: &[Spot], prepared: &Prepared<UnitId>) -> Option<Proposal> {
        propose(self.draft, self.picture, target, spots, prepared)
    }

    fn send(&mut self, spot: &Spot) -> Option<UnitId> {
        if let Some(how) = spot.how
            && (self.draft.unforeseen || !self.draft.act(Action::Move(how)))
        {
            return None;
        }
        Some(spot.unit)
    }

    fn unforeseen(&self) -> bool {
        self.draft.unforeseen
    }
}

/// The hexes from which each enemy hex can be attacked, and the units that can reach them.
fn find_spots(draft: &Draft, moves: &Moves) -> BTreeMap<HexId, Vec<Spot>> {
    let cx = draft.cx();
    let (rules, s) = (cx.rules, cx.s);
    let enemy = s.near(cx.side.enemy());
    let mut spots: BTreeMap<HexId, Vec<Spot>> = BTreeMap::new();
    let mut offer = |unit: UnitId, hex: HexId, how: Option<Move>| {
        for edge in rules.land.edges(hex) {
            let Some(target) = edge.to.some().filter(|to| s.enemy_in(cx.side, *to)) else { continue };
            if !edge.is(::ardennes::terrain::EdgeBits::LAKE) {
                spots.entry(target).or_default().push(Spot { unit, hex, how });
            }
        }
    };
    for (unit, moves) in moves {
        if rules.factors(s, *unit).attack == 0 || idle(&cx, *unit) {
            continue;
        }
        if let Some(hex) = s.unit(*unit).hex().filter(|hex| enemy.contains(*hex)) {
            offer(*unit, hex, None);
        }
        for how in moves.iter().filter(|how| enemy.contains(how.to)) {
            offer(*unit, how.to, Some(*how));
        }
    }
    spots
}

/// Is the unit unable to attack in the coming Combat Phase, whatever it does before (14.1)?
fn idle(cx: &Cx, unit: UnitId) -> bool {
    use ::ardennes::flags::Flags;
    let flags = cx.s.unit(unit).flags;
    let night = cx.s.night != flags.any(Flags::NIGHT | Flags::PEIPER_NIGHT);
    flags.any(Flags::DISRUPTED | Flags::DUG | Flags::REPLACED) || night
}

fn propose(
    draft: &Draft,
    picture: &Picture,
    target: HexId,
    spots: &[Spot],
    prepared: &Prepared<UnitId>,
) -> Option<Proposal> {
    use ::ardennes::combat::formations::{Command, command};
    let cx = draft.cx();
    let (rules, s) = (cx.rules, cx.s);
    let free: Vec<&Spot> = spots.iter().filter(|spot| !prepared.units.contains(&spot.unit)).collect();
    if free.is_empty() {
        return None;
    }
    // Formations sorted by the strength they could bring.
    let mut commands: Vec<(Command, u32)> = Vec::new();
    let mut counted: Vec<UnitId> = Vec::new();
    for spot in &free {
        if counted.contains(&spot.unit) {
            continue;
        }
        counted.push(spot.unit);
        let (of, attack) = (command(rules, s, spot.unit), u32::from(rules.factors(s, spot.unit).attack));
        match commands.iter_mut().find(|(c, _)| *c == of) {
            Some((_, sum)) => *sum += attack,
            None => commands.push((of, attack)),
        }
    }
    commands.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
    let mut pairs: Vec<[Command; 2]> = Vec::new();
    match commands[..] {
        [] => return None,
        [(one, _)] => pairs.push([one, one]),
        [(a, _), (b, _)] => pairs.push([a, b]),
        [(a, _), (b, _), (c, _), ..] => pairs.extend([[a, b], [a, c], [b, c]]),
    }
    let strongest = free.iter().max_by_key(|spot| rules.factors(s, spot.unit).attack).map(|spot| spot.unit);
    let gain = picture.gain(draft.staff, s, cx.side, draft.plan, target, strongest);
    let stakes = Stakes::new(&draft.staff.weights, gain, draft.plan.caution, value::life(draft.staff, s));
    let spared = draft.staff.weights.spared;
    let mut best: Option<Proposal> = None;
    let pairs_tried = if draft.plan.quick { 1 } else { PAIRS };
    for pair in pairs.into_iter().take(pairs_tried) {
        let (scratch, placed) = place_around(draft, &free, pair);
        let at = Cx { rules, s: &scratch, side: cx.side, frame: Frame::Attacks };
        let Some((attack, prospect)) =
            compose(draft.staff, &at, target, stakes, Other { guns: &prepared.guns, spared })
        else {
            continue;
        };
        if best.as_ref().is_some_and(|other| other.value >= prospect.value) {
            continue;
        }
        let chosen = placed.into_iter().filter(|spot| attack.units.contains(spot.unit)).collect();
        let guns = attack.artillery.iter().copied().collect();
        let (value, falls, round) = (prospect.value, prospect.falls, prepared.targets.len());
        best = Some(Proposal { target, spots: chosen, guns, value, falls, round });
    }
    best
}

/// Puts units of two formations adjacent to the target, the strongest first, each where it attacks best.
fn place_around(
    draft: &Draft,
    spots: &[&Spot],
    pair: [::ardennes::combat::formations::Command; 2],
) -> (State, Vec<Spot>) {
    use ::ardennes::combat::formations::command;
    let rules = &*draft.staff.rules;
    let mut scratch = draft.w;
    let mut placed: Vec<Spot> = Vec::new();
    let mut order: Vec<UnitId> = Vec::new();
    for spot in spots {
        if !order.contains(&spot.unit) && pair.contains(&command(rules, &draft.w, spot.unit)) {
            order.push(spot.unit);
        }
    }
    let strength = |u: UnitId| {
        let counter = rules.counter(u);
        2 * u32::from(rules.factors(&draft.w, u).attack) + u32::from(counter.tank)
    };
    order.sort_by_key(|u| std::cmp::Reverse(strength(*u)));
    for unit in order {
        let mut best: Option<(f32, &Spot)> = None;
        for spot in spots.iter().filter(|spot| spot.unit == unit) {
            if spot.how.is_some() && !rules.room(&scratch, spot.hex, &[unit]) {
                continue;
            }
            let score = spot_score(draft, &scratch, spot);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, spot));
            }
        }
        if let Some((_, spot)) = best {
            if spot.how.is_some() {
                rules.put(&mut scratch, unit, Place::Hex(spot.hex));
            }
            placed.push(*spot);
        }
    }
    (scratch, placed)
}

/// Prefers full strength, good terrain, a new side of the target, and not leaving a good place needlessly.
fn spot_score(draft: &Draft, scratch: &State, spot: &Spot) -> f32 {
    let rules = &*draft.staff.rules;
    let land = rules.land.hex(spot.hex);
    let mut score = 0.3 * f32::from(land.dcb[draft.side.index()]);
    if land.is(::ardennes::pack::Terrain::WoodedRough) {
        score -= 3.0; // 15.5
    }
    if spot.how.is_none() {
        score += 0.5;
    }
    // Surrounding the enemy: Bonds cut off its retreat.
    if !scratch.held(draft.side).contains(spot.hex) {
        score += 0.6;
    }
    for edge in rules.land.edges(spot.hex) {
        let enemy = edge.to.some().is_some_and(|to| scratch.enemy_in(draft.side, to));
        if enemy && edge.is(::ardennes::terrain::EdgeBits::RIVER) {
            score -= 1.5; // 15.3
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use kernel::{Dice, Log, Stop};

    use super::*;
    use crate::ardennes::areas::tests::campaign;

    // rule: 18.2
    #[test]
    fn disrupted_units_beside_the_enemy_leave_so_that_the_phase_can_end() {
        let (staff, mut s) = campaign();
        let rules = &*staff.rules;
        s.side = Side::Allied;
        let beside = |unit: &UnitId| {
            let hex = s.unit(*unit).hex();
            !rules.counter(*unit).artillery && hex.is_some_and(|hex| s.near_enemy(Side::Allied, hex))
        };
        let units: Vec<UnitId> = rules.on_map(&s, Side::Allied).filter(beside).take(6).collect();
        for unit in &units {
            s.unit_mut(*unit).flags.set(Flags::DISRUPTED);
        }
        let cx = Cx { rules, s: &s, side: Side::Allied, frame: s.top() };
        let may_end = |s: &State| rules.verdict(s, seat(Side::Allied), &Action::Done).is_legal();
        assert!(!may_end(&s), "somebody has to leave");
        let mut script = Script::new();
        phase(&staff, &cx, &Plan { quick: true, ..Plan::USUAL }, &mut script);
        let mut w = s;
        for Thought { action, .. } in script {
            let mut dice = Dice::scripted(Vec::new());
            // The end of the phase rolls dice that are not given here.
            match rules.apply(&mut w, seat(Side::Allied), &action, &mut dice, &mut Log::default()) {
                Ok(()) | Err(Stop::Dice(_)) => {}
                Err(Stop::Illegal(why)) => panic!("{action:?}: {why:?}"),
            }
        }
        assert_ne!(w.top(), Frame::Movement, "the phase is over");
    }
}
