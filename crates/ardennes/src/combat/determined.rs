//! Determined Defense (16.7).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    combat::{fire_fight, first_edition, strength},
    event::Event,
    flags::Flags,
    frame::Frame,
    list::List,
    pack::{AdvanceKind, Morale, Side, StateAfter, Terrain, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// 1E 16.7: only in Village, Town, City, West Wall or a finished Improved Position.
pub fn possible_here(rules: &Ardennes, s: &State, hex: HexId) -> bool {
    let land = rules.land.hex(hex);
    !rules.tables().determined_defense.only_in_cover
        || land.settlement.is_some()
        || land.west_wall
        || s.improved.contains(hex)
}

fn may_lead(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    s.combat.defenders.contains(unit)
        && !s.unit(unit).is(Flags::DISRUPTED)
        && possible_here(rules, s, s.combat.target)
}

fn leads<'a>(cx: &Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    let (rules, s) = (cx.rules, cx.s);
    s.combat.defenders.iter().copied().filter(move |unit| may_lead(rules, s, *unit))
}

/// 16.7: the defender stands, or gives way.
#[derive(Debug)]
pub struct DeterminedDefense;

impl Question<Ardennes> for DeterminedDefense {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        leads(cx).next().is_none().then_some(Action::GiveWay)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(leads(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::GiveWay),
            Subject::Unit(lead) if may_lead(cx.rules, cx.s, lead) => out.push(Action::Stand { lead }),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::GiveWay => Ok(()),
            Action::Stand { lead } => {
                let no = |key| cx.rules.no("16.71", key).unit("unit", lead).hex("hex", cx.s.combat.target);
                if !cx.s.combat.defenders.contains(lead) {
                    no("determined.not_defender").into()
                } else if cx.s.unit(lead).is(Flags::DISRUPTED) {
                    no("determined.disrupted").into()
                } else if !possible_here(cx.rules, cx.s, cx.s.combat.target) {
                    no("determined.no_cover").into()
                } else {
                    Ok(())
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let side = at.side;
        play.pop();
        let Action::Stand { lead } = *action else { return Ok(()) };
        let combat = play.s.combat;
        let drm =
            drm(play.rules, play.s, combat.target, lead, combat.dcb, &combat.attackers, &combat.defenders);
        let die = play.roll(side, drm, "roll.determined_defense", "16.72")?;
        let row = play.rules.tables().determined_defense.table.get(die + drm); // 16.72
        play.tell(Event::DeterminedDefense { lead, success: row.success });
        let record = &mut play.s.combat;
        if row.success {
            record.retreat = 0;
            record.state_after = StateAfter::Unchanged;
            record.engaged = !play.rules.stands_without_engaging(); // 1E 16.72: not by standing fast
            record.breakthrough_allowed = false;
            record.advance = AdvanceKind::Limited; // 16.74: into the hex, if the loss empties it
        }
        if row.counterattack {
            first_edition::give_ground(record);
        }
        // 16.71: the defender's Lead Unit takes the loss; the attacker chooses freely.
        record.loss_on[side.index()] = lead.into();
        record.loss_on[side.enemy().index()] = super::record::Lead::NONE;
        let mut frames: List<Frame, 4> = List::new();
        for _ in 0..row.defender_steps {
            frames.add(Frame::Loss(side));
        }
        for _ in 0..row.attacker_steps {
            frames.add(Frame::Loss(side.enemy()));
        }
        play.then(&frames);
        Ok(())
    }
}

/// 16.73: the modifiers if this unit leads the defense of a hex whose DCB counted `dcb`.
pub fn drm(
    rules: &Ardennes,
    s: &State,
    target: HexId,
    lead: UnitId,
    dcb: u8,
    attackers: &[UnitId],
    defenders: &[UnitId],
) -> i8 {
    let table = &rules.tables().determined_defense;
    let counter = rules.counter(lead);
    let morale = match counter.morale {
        Morale::Green => table.drm.green,
        Morale::Veteran => 0,
        Morale::Elite => table.drm.elite,
    };
    let mut drm = morale;
    if table.minus_dcb {
        // G-16: the bonus that counted, unless the option for the other reading is on.
        let printed = strength::printed_bonus(rules, s, counter.side, target).1;
        drm -= if rules.options.printed_dcb_in_defense { printed } else { dcb } as i8;
    }
    // 1E
    if rules.land.hex(target).is(Terrain::City) {
        drm += table.city_drm;
    }
    if defenders.iter().any(|u| rules.counter(*u).tank && rules.counter(*u).tq_red) {
        drm += table.red_tq_drm;
    }
    let best = attackers.iter().map(|u| strength::attack_quality(rules, s, *u)).max().unwrap_or(0);
    drm + fire_fight::quality_drm(rules, s, target, lead, best, table.tank_quality_drm)
}
