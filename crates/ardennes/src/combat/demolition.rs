//! Combat step 1 (7.4, 14.4): the defender may blow the bridges that are attacked across, and the attacker may then
//! call off the attack.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    bridges,
    event::Event,
    frame::Frame,
    list::List,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// The intact bridges between the attackers of this combat and their target, each once.
pub fn attacked_over(rules: &Ardennes, s: &State) -> List<u16, 6> {
    crossed_by(rules, s, &s.combat.attackers, s.combat.target)
}

fn crossed_by(rules: &Ardennes, s: &State, attackers: &[UnitId], target: HexId) -> List<u16, 6> {
    let mut bridges = List::new();
    for unit in attackers {
        let edge = s.unit(*unit).hex().and_then(|from| rules.land.between(from, target));
        if let Some(bridge) = edge.and_then(crate::terrain::Edge::bridge)
            && s.bridge(bridge as usize).intact()
            && !bridges.contains(bridge)
        {
            bridges.add(bridge);
        }
    }
    bridges
}

/// The unit that blows a bridge in this combat, or why none does (7.4, 7.7, G-44).
fn blower(rules: &Ardennes, s: &State, bridge: u16, named: Option<UnitId>) -> Result<UnitId, bridges::No> {
    if !attacked_over(rules, s).contains(bridge) {
        return Err(("7.4", "bridge.not_attacked"));
    }
    bridges::blower_in_combat(rules, s, s.combat.target, bridge, named)
}

fn open(rules: &Ardennes, s: &State) -> List<u16, 6> {
    attacked_over(rules, s).iter().copied().filter(|b| blower(rules, s, *b, None).is_ok()).collect()
}

/// Could the defender try to blow a bridge if these units attacked the hex (7.4)?
pub fn may_be_tried(rules: &Ardennes, s: &State, attackers: &[UnitId], target: HexId) -> bool {
    let able = |bridge: &u16| bridges::blower_in_combat(rules, s, target, *bridge, None).is_ok();
    crossed_by(rules, s, attackers, target).iter().any(able)
}

/// 7.4, 14.4: the defender may blow the bridges that are attacked across.
#[derive(Debug)]
pub struct BlowBridge;

impl Question<Ardennes> for BlowBridge {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        open(cx.rules, cx.s).is_empty().then_some(Action::HoldFire)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(open(cx.rules, cx.s).iter().map(|b| Subject::Bridge(*b)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::HoldFire),
            Subject::Bridge(bridge) if blower(cx.rules, cx.s, bridge, None).is_ok() => {
                out.push(Action::Blow { bridge, unit: None });
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::HoldFire => Ok(()),
            Action::Blow { bridge, unit } => {
                let ends =
                    cx.rules.land.bridges.get(bridge as usize).copied().ok_or_else(|| cx.rules.not_now())?;
                blower(cx.rules, cx.s, bridge, unit)
                    .map(|_| ())
                    .or_else(|(rule, key)| cx.rules.no(rule, key).hexside("bridge", ends).into())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Blow { bridge, unit } = *action else {
            play.pop();
            if play.s.combat.blown {
                play.then(&[Frame::CallOff]);
            }
            return Ok(());
        };
        if let Ok(unit) = blower(play.rules, play.s, bridge, unit) {
            let blown = bridges::attempt(play, bridge, unit, true)?;
            play.s.combat.blown |= blown;
            play.s.renew_stamp();
        }
        Ok(())
    }
}

/// 14.4: a bridge was blown; the attack is continued or called off.
#[derive(Debug)]
pub struct CallOff;

impl Question<Ardennes> for CallOff {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker)
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        // 14.4: go on or call off.
        if subject == Subject::Phase {
            out.extend([Action::GoOn, Action::CallOff]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::GoOn | Action::CallOff => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        call_off(play, action);
        Ok(())
    }
}

fn call_off(play: &mut Play, action: &Action) {
    play.pop();
    if *action != Action::CallOff {
        return;
    }
    let target = play.s.combat.target;
    play.tell(Event::CalledOff { target });
    // The steps of this combat are above its end on the stack; none of them has begun.
    while !matches!(play.s.top(), Frame::EndCombat | Frame::Sequence) {
        play.pop();
    }
}
