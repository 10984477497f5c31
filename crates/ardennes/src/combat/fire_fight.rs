//! Fire Fight (16.2), and the Recon unit that slips away (21.4).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    combat::{advance, resolve, strength},
    event::Event,
    frame::Frame,
    pack::{AdvanceKind, CombatResult, Morale, Side, Terrain, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

fn leads<'a>(cx: &Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    let (rules, s) = (cx.rules, cx.s);
    let can = move |unit: &UnitId| advance::entry_bar(rules, s, *unit).is_none();
    s.combat.attackers.iter().copied().filter(can)
}

/// 16.2: the attacker presses a Fire Fight, or accepts the engagement.
#[derive(Debug)]
pub struct FireFight;

impl Question<Ardennes> for FireFight {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        leads(cx).next().is_none().then_some(Action::Engage)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(leads(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Engage),
            Subject::Unit(lead) if leads(cx).any(|unit| unit == lead) => out.push(Action::Press { lead }),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Engage => Ok(()),
            Action::Press { lead } => {
                let no = |key| cx.rules.no("16.2", key).unit("unit", lead).hex("hex", cx.s.combat.target);
                if !cx.s.combat.attackers.contains(lead) {
                    return no("fire_fight.not_attacker").into();
                }
                match advance::entry_bar(cx.rules, cx.s, lead) {
                    None => Ok(()),
                    Some(bar) => no("fire_fight.lead").term("why", bar.key()).text("rule", bar.rule()).into(),
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let side = at.side;
        play.pop();
        let Action::Press { lead } = *action else {
            play.tell(Event::Engage);
            resolve::outcome_of(play, CombatResult::Eng);
            return Ok(());
        };
        let table = &play.rules.tables().fire_fight;
        let drm = drm(play.rules, play.s, lead);
        let die = play.roll(side, drm, "roll.fire_fight", "16.2")?;
        let result = table.table.get(die + drm);
        play.tell(Event::FireFight { lead, result });
        play.s.combat.attack_lead = lead.into();
        resolve::outcome_of(play, result);
        Ok(())
    }
}

/// 16.2: the modifiers of a Fire Fight that this unit leads; the CRT result is that of the combat being fought.
pub fn drm(rules: &Ardennes, s: &State, lead: UnitId) -> i8 {
    let combat = &s.combat;
    let from_crt = combat.result.map_or(0, |result| rules.tables().results[result.index()].fire_fight_drm);
    lead_drm(rules, s, combat.target, &combat.defenders, lead) + from_crt
}

/// The part of the modifiers that the Lead Unit gives.
pub fn lead_drm(
    rules: &Ardennes,
    s: &State,
    target: hexgrid::HexId,
    defenders: &[UnitId],
    lead: UnitId,
) -> i8 {
    let table = &rules.tables().fire_fight;
    let counter = rules.counter(lead);
    let tank_defends = defenders.iter().any(|u| rules.counter(*u).tank);
    // 2.8
    let morale = match counter.morale {
        Morale::Green => table.drm.green,
        // An Elite unit that is not a Tank gains nothing against tanks.
        Morale::Elite if table.elite_must_be_tank && tank_defends && !counter.tank => 0,
        Morale::Elite => table.drm.elite,
        Morale::Veteran => 0,
    };
    let best = defenders.iter().map(|u| strength::defense_quality(rules, s, *u)).max().unwrap_or(0);
    morale + quality_drm(rules, s, target, lead, best, table.tank_quality_drm)
}

/// 1E 16.2, 16.7: a Lead Unit with a grey Tank Quality that no enemy exceeds, outside Forest, Wooded Rough and City.
pub fn quality_drm(
    rules: &Ardennes,
    s: &State,
    target: hexgrid::HexId,
    lead: UnitId,
    against: u8,
    drm: i8,
) -> i8 {
    let counter = rules.counter(lead);
    let land = rules.land.hex(target);
    let open = ![Terrain::Forest, Terrain::WoodedRough, Terrain::City].iter().any(|t| land.is(*t));
    let quality = strength::defense_quality(rules, s, lead);
    let counts = drm != 0 && counter.tank && !counter.tq_red && quality > 0 && quality >= against && open;
    if counts { drm } else { 0 }
}

/// 21.4: the lone Recon unit may slip away.
#[derive(Debug)]
pub struct Recon;

impl Question<Ardennes> for Recon {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        // 21.4
        if subject == Subject::Phase {
            out.extend([Action::SlipAway, Action::Accept]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::SlipAway | Action::Accept => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        slip_away(play, action);
        Ok(())
    }
}

fn slip_away(play: &mut Play, action: &Action) {
    play.pop();
    let Some(result) = play.s.combat.result else { return };
    if *action != Action::SlipAway {
        return resolve::take(play, result);
    }
    if play.rules.recon_slips_from_engagement() {
        // 1E 21.4: one hex, no Disruption; the attacker has a Regular Advance.
        resolve::take(play, result);
        let combat = &mut play.s.combat;
        combat.retreat = 1;
        combat.engaged = false;
        combat.advance = AdvanceKind::Regular;
        return;
    }
    resolve::take(play, CombatResult::Dr4);
    let combat = &mut play.s.combat;
    // The attacker keeps his Breakthrough Combat.
    let chain = !combat.breakthrough || play.rules.tables().advance.breakthrough_chain;
    combat.breakthrough_allowed = result == CombatResult::D1Star && chain;
}
