//! Combat step 1 (7.4, 14.4): the defender may blow the bridges that are attacked over, and the attacker may then
//! call the attack off.

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    list::List,
    pack::{Side, UnitId},
    play::{Cx, Play},
    rules::Ardennes,
    state::{BridgeIs, State},
    subject::Subject,
};

/// The intact bridges between the attackers and their target, each once.
pub fn attacked_over(rules: &Ardennes, s: &State) -> List<u16, 6> {
    let mut bridges = List::new();
    for unit in &s.combat.attackers {
        let edge = s.unit(*unit).hex().and_then(|from| rules.land.between(from, s.combat.target));
        if let Some(bridge) = edge.and_then(crate::terrain::Edge::bridge)
            && s.bridges[bridge as usize].intact()
            && !bridges.contains(bridge)
        {
            bridges.push(bridge);
        }
    }
    bridges
}

/// Why a bridge cannot be blown now.
enum Stands {
    NotAttacked,
    /// 7.7
    TooEarly,
    /// 7.2
    Tried,
    /// 7.7: the river flows through the Town.
    Town,
    /// 7.4, 7.7: nobody there who could.
    Nobody,
}

fn stands(rules: &Ardennes, s: &State, bridge: u16) -> Option<Stands> {
    if !attacked_over(rules, s).contains(bridge) {
        return Some(Stands::NotAttacked);
    }
    if s.turn < rules.tables().bridge.first_turn {
        return Some(Stands::TooEarly);
    }
    if s.bridges[bridge as usize].tried() {
        return Some(Stands::Tried);
    }
    let town =
        |hex: &hexgrid::HexId| rules.land.river_through.contains(*hex) && rules.land.hex(*hex).town_or_city();
    let both = rules.land.bridges.get(bridge as usize);
    if both.is_some_and(|hexes| hexes.iter().all(town)) {
        return Some(Stands::Town);
    }
    best_unit(rules, s).is_none().then_some(Stands::Nobody)
}

/// 7.7: units on the march may not.
fn may_demolish(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    let marching = s.unit(unit).is(Flags::ON_ROAD | Flags::PRIME_MOVER);
    s.combat.defenders.contains(unit) && !(marching && rules.tables().bridge.strategic_forbidden)
}

/// 7.5
fn drm(rules: &Ardennes, s: &State, unit: UnitId) -> i8 {
    let table = &rules.tables().bridge;
    let mut disordered = Flags::DISRUPTED | Flags::ENGAGED;
    if !table.strategic_forbidden {
        disordered.set(Flags::ON_ROAD); // 1E 7.5
    }
    let worse = if s.unit(unit).is(disordered) { table.disordered_drm } else { 0 };
    table.enemy_phase_drm + worse
}

/// G-44: any unit of the attacked hex; the one with the best chance.
fn best_unit(rules: &Ardennes, s: &State) -> Option<UnitId> {
    let units = s.combat.defenders.iter().copied();
    units.filter(|u| may_demolish(rules, s, *u)).min_by_key(|u| drm(rules, s, *u))
}

fn open(rules: &Ardennes, s: &State) -> List<u16, 6> {
    attacked_over(rules, s).iter().copied().filter(|b| stands(rules, s, *b).is_none()).collect()
}

pub fn forced(cx: &Cx) -> Option<Action> {
    open(cx.rules, cx.s).is_empty().then_some(Action::HoldFire)
}

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
    out.extend(open(cx.rules, cx.s).iter().map(|b| Subject::Bridge(*b)));
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match subject {
        Subject::Phase => out.push(Action::HoldFire),
        Subject::Bridge(bridge) if stands(cx.rules, cx.s, bridge).is_none() => {
            out.push(Action::Blow { bridge, unit: None });
        }
        _ => {}
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match *action {
        Action::HoldFire => Ok(()),
        Action::Blow { bridge, unit } => {
            let ends =
                cx.rules.land.bridges.get(bridge as usize).copied().ok_or_else(|| cx.rules.not_now())?;
            let no = |rule, key| cx.rules.no(rule, key).hexside("bridge", ends);
            match stands(cx.rules, cx.s, bridge) {
                None => {}
                Some(Stands::NotAttacked) => return no("7.4", "bridge.not_attacked").into(),
                Some(Stands::TooEarly) => return no("7.7", "bridge.too_early").into(),
                Some(Stands::Tried) => return no("7.2", "bridge.tried").into(),
                Some(Stands::Town) => return no("7.7", "bridge.town").into(),
                Some(Stands::Nobody) => return no("7.7", "bridge.nobody").into(),
            }
            match unit {
                Some(unit) if !may_demolish(cx.rules, cx.s, unit) => {
                    no("7.4", "bridge.unit").unit("unit", unit).into()
                }
                _ => Ok(()),
            }
        }
        _ => Err(cx.rules.not_now()),
    }
}

pub fn apply(play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
    let Action::Blow { bridge, unit } = *action else {
        play.pop();
        if play.s.combat.blown {
            play.then(&[Frame::CallOff]);
        }
        return Ok(());
    };
    let Some(unit) = unit.or_else(|| best_unit(play.rules, play.s)) else { return Ok(()) };
    let drm = drm(play.rules, play.s, unit);
    let die = play.roll(side, drm, "roll.bridge", "7.4")?;
    play.s.bridges[bridge as usize].set_tried(true);
    let blown = die + drm <= play.rules.tables().bridge.blown_max;
    let is = if blown { BridgeIs::Blown } else { BridgeIs::Intact };
    play.s.bridges[bridge as usize].set(is);
    play.s.stamp.renew();
    play.tell(Event::Bridge { bridge, is });
    play.s.combat.blown |= blown;
    Ok(())
}

/// 14.4: go on or call off.
pub fn call_off_options(subject: Subject, out: &mut Vec<Action>) {
    if subject == Subject::Phase {
        out.extend([Action::GoOn, Action::CallOff]);
    }
}

pub fn call_off_check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::GoOn | Action::CallOff => Ok(()),
        _ => Err(cx.rules.not_now()),
    }
}

pub fn call_off_apply(play: &mut Play, action: &Action) {
    play.pop();
    if *action != Action::CallOff {
        return;
    }
    let target = play.s.combat.target;
    play.tell(Event::CalledOff { target });
    // The steps of this combat lie above its end; none of them has begun.
    while !matches!(play.s.top(), Frame::EndCombat | Frame::Sequence) {
        play.pop();
    }
}
