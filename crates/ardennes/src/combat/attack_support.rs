//! Artillery and air support of the attacker (14.4 step 3, 15.6, 22.7). They are declared once it is settled whether
//! the bridges attacked across are blown. An attack may name them beforehand: if nothing can happen between the two
//! steps, that is the declaration itself; otherwise it is a plan that nobody else knows. The plan is carried out if no
//! bridge was blown; after a demolition, or if nothing was planned, the attacker is asked.

use kernel::{Refusal, Slot, SlotKind, Stop, Template};
use rand_core::RngCore;
use rulebook::flow::Question;

use super::{
    declare::may_have_air,
    demolition, ground,
    support::{self, Need},
};
use crate::{
    action::{Action, Attack, Supporters},
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// The number by which the text of an attack with a plan is disclosed, once the support is declared.
pub const PLAN: u32 = 0;

/// Does anything happen between the declaration of this combat and its support: a bridge that may be blown (7.4), the
/// roll for Ouren (7.8), the destruction of a fuel dump (32.3)?
pub fn comes_later(rules: &Ardennes, s: &State) -> bool {
    let combat = &s.combat;
    combat.dump
        || ground::over_ouren(rules, s) && !s.ouren_rolled
        || demolition::may_be_tried(rules, s, &combat.attackers, combat.target)
}

/// Does the attack name support that the defender must not know of before he has decided about a bridge?
pub fn keeps_plan(rules: &Ardennes, s: &State, attack: &Attack) -> bool {
    (attack.air || !attack.artillery.is_empty())
        && demolition::may_be_tried(rules, s, &attack.units, attack.target)
}

fn need(s: &State) -> Need<'_> {
    Need {
        side: s.combat.attacker,
        target: s.combat.target,
        attack: true,
        fighting: &s.combat.attackers,
        from_blocking: s.combat.from_blocking,
    }
}

fn guns<'a>(cx: &Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    let (rules, s) = (cx.rules, cx.s);
    rules.guns[cx.side.index()].iter().filter(move |gun| support::silent(rules, s, *gun, &need(s)).is_none())
}

fn plan(s: &State) -> Action {
    let combat = &s.combat;
    if combat.planned.is_empty() && !combat.planned_air {
        Action::NoSupport
    } else {
        Action::Support { units: combat.planned, air: combat.planned_air }
    }
}

/// The plan if it can still be carried out, otherwise no support.
pub fn as_planned(cx: &Cx) -> Action {
    let plan = plan(cx.s);
    if AttackSupport.check(cx, &plan).is_ok() { plan } else { Action::NoSupport }
}

/// 14.4: artillery and air of the attacker.
#[derive(Debug)]
pub struct AttackSupport;

impl Question<Ardennes> for AttackSupport {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let combat = &cx.s.combat;
        if !combat.support_later {
            return Some(plan(cx.s));
        }
        if guns(cx).next().is_none() && !may_have_air(cx) {
            return Some(Action::NoSupport);
        }
        let plan = plan(cx.s);
        (!combat.blown && plan != Action::NoSupport && self.check(cx, &plan).is_ok()).then_some(plan)
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([Action::Support { units: Supporters::new(), air: false }, Action::NoSupport]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let rules = cx.rules;
        match action {
            Action::NoSupport => Ok(()),
            Action::Support { units, air } => {
                let most = rules.tables().shifts.artillery_attacker_max_units;
                if units.len() > usize::from(most) {
                    return rules.no("22.7", "support.too_many").number("limit", most).into();
                }
                if units.is_empty() && !air {
                    return rules.no("22.7", "support.nobody").into();
                }
                for (at, gun) in units.iter().enumerate() {
                    if units[..at].contains(gun) {
                        return rules.no("22.6", "support.twice").unit("unit", *gun).into();
                    }
                    if let Some(why) = support::silent(rules, cx.s, *gun, &need(cx.s)) {
                        return Err(support::refuse(rules, *gun, &need(cx.s), why));
                    }
                }
                if *air && !may_have_air(cx) {
                    return rules.no("15.6", "attack.air").number("left", cx.s.air_left).into();
                }
                Ok(())
            }
            _ => Err(rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        commit_support(play, action);
        Ok(())
    }
}

/// What may be named; planned support is suggested if it is still possible.
pub fn template(cx: &Cx) -> Option<Template> {
    let slug = |unit: &UnitId| cx.rules.pack.unit(*unit).id.clone();
    let guns: Vec<UnitId> = guns(cx).collect();
    let combat = &cx.s.combat;
    let mut parts = vec![Slot {
        words: "support".into(),
        kind: SlotKind::Words,
        label: String::new(),
        candidates: Vec::new(),
        min: 0,
        max: 0,
        suggested: Vec::new(),
    }];
    if !guns.is_empty() {
        parts.push(Slot {
            words: String::new(),
            kind: SlotKind::Units,
            label: "slot.artillery".into(),
            candidates: guns.iter().map(slug).collect(),
            min: 0,
            max: u16::from(cx.rules.tables().shifts.artillery_attacker_max_units),
            suggested: combat.planned.iter().filter(|gun| guns.contains(gun)).map(slug).collect(),
        });
    }
    if may_have_air(cx) {
        parts.push(Slot {
            words: String::new(),
            kind: SlotKind::Choice,
            label: "slot.air".into(),
            candidates: vec!["air".into()],
            min: 0,
            max: 1,
            suggested: if combat.planned_air { vec!["air".into()] } else { Vec::new() },
        });
    }
    Some(Template::of(parts))
}

/// A random selection of what may be named.
pub fn sample(cx: &Cx, units: &mut Supporters, air: &mut bool, rng: &mut dyn RngCore) -> bool {
    let mut random = |below: usize| rng.next_u32() as usize % below.max(1);
    let able: Vec<UnitId> = guns(cx).collect();
    let most = usize::from(cx.rules.tables().shifts.artillery_attacker_max_units).min(able.len());
    let (start, wanted) = (random(able.len()), random(most + 1));
    for gun in able.iter().cycle().skip(start).take(wanted) {
        units.add(*gun);
    }
    let flies = may_have_air(cx);
    *air = flies && random(2) == 1;
    if units.is_empty() && !*air {
        match able.first() {
            Some(gun) => *units = Supporters::one(*gun),
            None => *air = flies,
        }
    }
    *air || !units.is_empty()
}

fn commit_support(play: &mut Play, action: &Action) {
    play.pop();
    let combat = &play.s.combat;
    if combat.support_later && *action == plan(play.s) && *action != Action::NoSupport {
        play.log.disclose(PLAN); // the plan becomes public now
    }
    let Action::Support { units, air } = *action else { return };
    (play.s.combat.artillery, play.s.combat.air) = (units, air);
    if play.s.combat.support_later {
        let (side, target) = (play.s.combat.attacker, play.s.combat.target);
        play.tell(Event::AttackSupport { side, target, artillery: units, air });
    }
    for gun in &units {
        play.mark(*gun, Flags::FIRED); // 22.5
    }
    if air {
        play.s.air_left = play.s.air_left.saturating_sub(1); // 15.6
    }
}
