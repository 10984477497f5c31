//! Everything that is neither moving nor declaring attacks: one small policy for each kind of decision.

use ::ardennes::{
    action::{Action, Supporters},
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    play::{Cx, seat},
    subject::Subject,
};
use hexgrid::HexId;
use rand_core::RngCore;
use rulebook::flow;

use super::{
    combat,
    field::{self, Field},
    odds::{self, Stakes},
    picture::{Picture, distances},
    plan::Plan,
    pursuit,
    staff::{Script, Staff},
    value::{self, worth},
    why,
};
use crate::{Thought, bond::choose::best_of, search::expected};

pub fn decide(staff: &Staff, cx: &Cx, plan: &Plan, rng: &mut dyn RngCore, out: &mut Script) {
    match cx.frame {
        Frame::SetUp(_) => out.extend([Action::Deploy, Action::Done].map(Thought::plain)),
        Frame::HideFuelDumps | Frame::Begin => out.push(Thought::plain(Action::Done)),
        Frame::ReadyArtillery { .. } => ready(cx, out),
        Frame::PickFuel { .. } => fuel(cx, out),
        Frame::SpendFuel { .. } => out.push(Thought::plain(Action::SpendFuel { spend: true })),
        Frame::Bridges => bridges(staff, cx, rng, out),
        Frame::Walk => out.push(Thought::plain(Action::Halt)),
        Frame::Infiltrate => out.push(Thought::plain(Action::Infiltrate { attempt: true })),
        Frame::Disengage => disengage(staff, cx, plan, out),
        Frame::CallOff => out.push(Thought::plain(go_on(staff, cx, plan))),
        Frame::AttackSupport => {
            let support = combat::attack_support(staff, cx, stakes_of(staff, cx, plan));
            out.push(Thought::plain(support));
        }
        Frame::Support => support(staff, cx, plan, out),
        Frame::FireFight => fire_fight(staff, cx, plan, out),
        Frame::Loss(_) | Frame::Overstacked(_) => losses(cx, out),
        Frame::Advance => pursuit::advance(staff, cx, plan, out),
        Frame::Remnant(_) => out.push(Thought::plain(Action::Remnant { form: true })),
        Frame::DeterminedDefense => stand(staff, cx, plan, out),
        Frame::PlaceMarkers | Frame::TrafficBeforePlay => markers(staff, cx, plan, out),
        _ => {}
    }
    if out.is_empty() {
        let looks = if plan.quick { GLANCES } else { LOOKS };
        best_of(staff, cx.s, seat(cx.side), looks, rng, out); // retreats, replacements
    }
}

/// All legal options, as listed.
pub fn options(cx: &Cx) -> Vec<Action> {
    let (mut subjects, mut actions): (Vec<Subject>, Vec<Action>) = (Vec::new(), Vec::new());
    flow::subjects(cx, &mut subjects);
    for subject in subjects {
        flow::options(cx, subject, &mut actions);
    }
    actions
}

/// The most options that are evaluated.
const LOOKS: usize = 32;
/// The most options that are evaluated when time is short.
const GLANCES: usize = 6;

/// 5.2: the artillery nearest to the enemy first.
fn ready(cx: &Cx, out: &mut Script) {
    let near = distances(cx.rules, cx.s, cx.side.enemy(), 12);
    let mut guns: Vec<(u8, UnitId)> = options(cx)
        .into_iter()
        .filter_map(|action| match action {
            Action::Ready { unit } => Some((cx.s.unit(unit).hex().map_or(12, |hex| near[hex.index()]), unit)),
            _ => None,
        })
        .collect();
    // Artillery adjacent to the enemy is soon lost.
    guns.sort_by_key(|(distance, unit)| (if *distance == 1 { 7 } else { *distance }, unit.0));
    out.extend(guns.into_iter().map(|(_, unit)| Thought::plain(Action::Ready { unit })));
    out.push(Thought::plain(Action::Done));
}

/// 6.1, 6.4: the German player spares the more important division, the Allied player picks it.
fn fuel(cx: &Cx, out: &mut Script) {
    let near = distances(cx.rules, cx.s, cx.side.enemy(), 12);
    let weight = |action: &Action| match action {
        Action::Fuel { formation } => cx
            .rules
            .on_map(cx.s, Side::German)
            .filter(|u| cx.rules.counter(*u).formation == Some(*formation))
            .map(|u| {
                let distance = cx.s.unit(u).hex().map_or(12, |hex| near[hex.index()]);
                f32::from(cx.rules.factors(cx.s, u).attack) * if distance < 6 { 2.0 } else { 1.0 }
            })
            .sum::<f32>(),
        _ => -1.0,
    };
    let mut choices: Vec<(f32, Action)> = options(cx).into_iter().map(|a| (weight(&a), a)).collect();
    choices.sort_by(|a, b| a.0.total_cmp(&b.0));
    let pick = if cx.side == Side::German { choices.first() } else { choices.last() };
    out.extend(pick.map(|(_, action)| Thought::plain(*action)));
}

/// The least gain for which a bridge is blown.
const BLOW_GAIN: f32 = 0.15;

/// 7: blow bridges that the enemy would use, repair those we need.
fn bridges(staff: &Staff, cx: &Cx, rng: &mut dyn RngCore, out: &mut Script) {
    let me = seat(cx.side);
    let now = staff_value(staff, cx);
    let mut best: Option<(f32, Action)> = None;
    for action in options(cx) {
        let gain = match action {
            Action::Repair { .. } if cx.side == Side::German => 1.0,
            Action::Blow { bridge, .. } => {
                // Our own retreat counts too, which the evaluator does not see.
                let [a, b] = cx.rules.land.bridges[usize::from(bridge)];
                let ours = [a, b].iter().filter(|hex| cx.s.held(cx.side).contains(**hex)).count();
                let need = if ours == 1 && cx.side == Side::German { 2.0 } else { BLOW_GAIN };
                expected(staff, cx.s, me, &action, rng).map_or(0.0, |value| value - now - need)
            }
            Action::Burn { .. } => 1.0,
            _ => 0.0,
        };
        if gain > 0.0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, action));
        }
    }
    if let Some((_, action)) = best {
        let why = match action {
            Action::Blow { bridge, .. } => {
                let [a, b] = cx.rules.land.bridges[usize::from(bridge)];
                let side = format!("{}/{}", cx.rules.label(a), cx.rules.label(b));
                Some(kernel::Message::new("why.blow").place("hexside", side))
            }
            _ => None,
        };
        out.push(Thought { action, why });
    }
    out.push(Thought::plain(Action::Done));
}

fn staff_value(staff: &Staff, cx: &Cx) -> f32 {
    use crate::Mind;
    staff.value(cx.s, seat(cx.side))
}

/// Odds at which a defense is hopeless.
const HOPELESS: f32 = 3.5;

/// 20.1: a unit that could not move away and faces too strong an enemy tries to disengage, unless it holds a vital hex.
fn disengage(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let (rules, s) = (cx.rules, cx.s);
    if plan.elusive {
        for action in options(cx) {
            let Action::Disengage { units } = action else { continue };
            let Some(hex) = units.first().and_then(|u| s.unit(*u).hex()) else { continue };
            let engaged = units.iter().all(|u| s.unit(*u).is(Flags::ENGAGED));
            let around = |near: HexId| {
                let enemies = s.stack(near).filter(|u| rules.counter(*u).side != cx.side);
                enemies.map(|u| f32::from(rules.factors(s, u).attack)).sum::<f32>()
            };
            let attack: f32 = rules.land.neighbours(hex).map(around).sum();
            let defense = f32::from(field::defense(rules, s, cx.side, hex)).max(1.0);
            let precious = staff.lore.aims.iter().any(|aim| aim.hex == hex);
            let whole = units.len() == s.stack(hex).count();
            if engaged && whole && !precious && attack / defense >= HOPELESS {
                out.push(Thought { action, why: Some(why::place(rules, "why.disengage", hex)) });
            }
        }
    }
    out.push(Thought::plain(Action::Done));
}

fn stakes_of(staff: &Staff, cx: &Cx, plan: &Plan) -> Stakes {
    let picture = Picture::new(staff, cx.s, plan);
    let (side, target) = (cx.s.combat.attacker, cx.s.combat.target);
    let ours = cx.s.combat.attack().units.first().copied();
    Stakes::new(
        &staff.weights,
        picture.gain(staff, cx.s, side, plan, target, ours),
        plan.caution,
        value::life(staff, cx.s),
    )
}

/// 14.4: a bridge has been blown during the attack.
fn go_on(staff: &Staff, cx: &Cx, plan: &Plan) -> Action {
    let attack = cx.s.combat.planned_attack();
    let stakes = stakes_of(staff, cx, plan);
    let defence = odds::Defence::new(cx.rules, cx.s, cx.side.enemy(), attack.target);
    let prospect = odds::weigh(cx.rules, cx.s, &defence, &attack, stakes);
    if prospect.value > 0.0 { Action::GoOn } else { Action::CallOff }
}

/// 22.8: Allied artillery fires when needed; German artillery, which is short of ammunition, where it matters.
fn support(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let stakes = stakes_of(staff, cx, plan);
    let attack = cx.s.combat.attack();
    let quiet = odds::Defence::new(cx.rules, cx.s, cx.side, attack.target);
    let threat = odds::weigh(cx.rules, cx.s, &quiet.silent(), &attack, stakes).value;
    let spare = if cx.side == Side::German { 1.2 } else { 0.2 };
    let mut guns: Vec<Supporters> = options(cx)
        .into_iter()
        .filter_map(|action| if let Action::Support { units, .. } = action { Some(units) } else { None })
        .collect();
    guns.sort_by_key(|units| units.first().map_or(0, |gun| cx.rules.counter(*gun).range));
    match guns.first() {
        Some(units) if threat > spare => {
            let why = why::place(cx.rules, "why.support", attack.target);
            out.push(Thought { action: Action::Support { units: *units, air: false }, why: Some(why) });
        }
        _ => out.push(Thought::plain(Action::NoSupport)),
    }
}

/// 16.2
fn fire_fight(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let leads: Vec<UnitId> = options(cx)
        .into_iter()
        .filter_map(|action| if let Action::Press { lead } = action { Some(lead) } else { None })
        .collect();
    match odds::press(cx.rules, cx.s, &leads, stakes_of(staff, cx, plan)) {
        Some(lead) => {
            let why = why::unit(cx.rules, "why.press", lead);
            out.push(Thought { action: Action::Press { lead }, why: Some(why) });
        }
        None => out.push(Thought::plain(Action::Engage)),
    }
}

/// 16.7
fn stand(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let leads: Vec<UnitId> = options(cx)
        .into_iter()
        .filter_map(|action| if let Action::Stand { lead } = action { Some(lead) } else { None })
        .collect();
    match odds::stand(cx.rules, cx.s, &leads, stakes_of(staff, cx, plan)) {
        Some(lead) => {
            let why = why::place(cx.rules, "why.stand", cx.s.combat.target);
            out.push(Thought { action: Action::Stand { lead }, why: Some(why) });
        }
        None => out.push(Thought::plain(Action::GiveWay)),
    }
}

/// 16.3, 8.3: lose the least valuable step or unit.
fn losses(cx: &Cx, out: &mut Script) {
    let cost = |action: &Action| match action {
        Action::Lose { unit } => odds::step_cost(cx.rules, cx.s, *unit),
        Action::Remove { unit } => worth(cx.rules, cx.s, *unit),
        _ => f32::MAX,
    };
    let best = options(cx).into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
    out.extend(best.map(Thought::plain));
}

/// 24.3: markers go where most enemy paths lead, a turn or less ahead.
fn markers(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let (rules, s) = (cx.rules, cx.s);
    let enemy = cx.side.enemy();
    let field = Field::new(staff, s, enemy);
    let picture = Picture::new(staff, s, plan);
    // Where the enemy wants to go: the Germans to hexes they lack, the Allies to hexes that are threatened.
    let goals = staff.lore.aims.iter().zip(&picture.open).map(|(aim, open)| (aim.hex, *open));
    let mut flow = if enemy == Side::German { picture.flow } else { field.flow(goals) };
    for hex in &rules.land.in_play {
        let land = rules.land.hex(hex);
        let at = &mut flow[hex.index()];
        if !land.has_road() || s.held(enemy).contains(hex) || field.at(hex) > 130 {
            *at *= 0.2;
        }
        *at *= 1.0 + 0.1 * f32::from(staff.lore.junction[hex.index()]);
    }
    let mut taken: Vec<HexId> = s.traffic[cx.side.index()].iter().filter_map(|at| at.hex()).collect();
    let mut numbers: Vec<u8> = Vec::new();
    for action in options(cx) {
        if let Action::Traffic { number, .. } = action
            && !numbers.contains(&number)
        {
            numbers.push(number);
        }
    }
    for number in numbers {
        let apart = |hex: HexId| taken.iter().all(|other| rules.distance(hex, *other) > 1);
        let allowed = |hex: HexId| cx.side == Side::German || !rules.land.bottleneck.contains(hex); // 24.4
        let best = rules
            .land
            .in_play
            .iter()
            .filter(|hex| apart(*hex) && allowed(*hex))
            .max_by(|a, b| flow[a.index()].total_cmp(&flow[b.index()]));
        let Some(hex) = best.filter(|hex| flow[hex.index()] > 0.01) else { break };
        taken.push(hex);
        let why = (taken.len() == 1).then(|| why::place(rules, "why.traffic", hex));
        out.push(Thought { action: Action::Traffic { number, hex }, why });
    }
    out.push(Thought::plain(Action::Done));
}
