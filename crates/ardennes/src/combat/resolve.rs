//! One combat from its declaration to its end (14.4, 16.1).

use kernel::Stop;

use crate::{
    action::Attack,
    combat::{
        Combat, Defenders, advantage, attack_support, first_edition, ground, losses, retreat,
        strength::{self, Sheet},
        support, vacate,
    },
    event::{Elimination, Event},
    flags::Flags,
    frame::Frame,
    fuel_dumps,
    list::List,
    pack::{AdvanceKind, CombatResult, Side, Tag},
    play::Play,
};

// 14.2: one combat, one hex.
/// Declares the attack: its steps are pushed onto the stack.
pub fn begin(play: &mut Play, attack: &Attack, breakthrough: bool) -> Result<(), Stop> {
    let attacker = attack.units.first().map_or(play.s.side, |u| play.rules.counter(*u).side);
    let (defenders, bystanders) = strength::defenders(play.s, attack.target);
    let from_blocking = attack.units.iter().any(|u| play.s.unit(*u).hex().is_none());
    play.s.combat = Combat {
        attacker,
        target: attack.target,
        attackers: attack.units,
        defenders,
        bystanders,
        planned: attack.artillery,
        planned_air: attack.air,
        surprise: attack.surprise,
        from_blocking,
        breakthrough,
        dump: strength::dump_garrison(play.rules, play.s, attacker, attack.target).is_some(),
        ..Combat::default()
    };
    let later = attack.support_apart || attack_support::comes_later(play.rules, play.s);
    play.s.combat.support_later = later;
    // 14.4: if nothing can happen between declaration and step 3, both are announced at once.
    let (artillery, air) = if later { (List::new(), false) } else { (attack.artillery, attack.air) };
    play.tell(Event::Attack { side: attacker, target: attack.target, units: attack.units, artillery, air });
    play.then(&[
        Frame::BlowBridge,
        Frame::DestroyDump,
        Frame::AttackSupport,
        Frame::Support,
        Frame::Resolve,
        Frame::EndCombat,
    ]);
    ground::ouren_attacked(play)
}

/// The attack goes ahead: markers, the surprise of the 150th Panzer Brigade (27.8.3), the fuel dump (32.3).
pub fn commit(play: &mut Play) -> Result<(), Stop> {
    let combat = play.s.combat;
    for unit in &combat.attackers {
        play.s.unit_mut(*unit).flags.set(Flags::ATTACKED);
    }
    for unit in combat.defenders.iter().chain(&combat.bystanders) {
        play.s.unit_mut(*unit).flags.set(Flags::DEFENDED);
    }
    let sola = combat
        .attackers
        .iter()
        .copied()
        .find(|u| play.rules.counter(*u).has(Tag::Brigade150) && !play.s.unit(*u).is(Flags::EXPOSED));
    if let Some(unit) = sola {
        if combat.surprise {
            let die = play.roll(combat.attacker, 0, "roll.surprise", "27.8.3")?;
            let tables = play.rules.tables();
            let success = die <= tables.special.surprise_max;
            play.tell(Event::Surprise { unit, success });
            if success {
                play.s.combat.rolled_shift += tables.shifts.surprise as i8;
            }
        }
        play.mark(unit, Flags::EXPOSED); // 27.8.3: once it attacks
    }
    if combat.dump {
        destroy_dump(play)?;
    }
    Ok(())
}

/// 32.3
fn destroy_dump(play: &mut Play) -> Result<(), Stop> {
    let target = play.s.combat.target;
    fuel_dumps::burn_under_attack(play, target)?;
    play.s.combat.dump = fuel_dumps::guards(play.rules, play.s, target);
    if !play.s.combat.dump && play.s.combat.defenders.is_empty() {
        // No defender is left.
        while !matches!(play.s.top(), Frame::EndCombat | Frame::Sequence) {
            play.pop();
        }
    }
    Ok(())
}

/// Steps 4 and 5: Jabos, shifts, the die.
pub fn resolve(play: &mut Play) -> Result<(), Stop> {
    let tables = play.rules.tables();
    let attacker = play.s.combat.attacker;
    if play.s.combat.tot {
        advantage::used(play); // 16.6: the attack is over, as by an A1
        take(play, CombatResult::A1); // 22.8
        return Ok(());
    }
    // 15.6
    if attacker == Side::German && !play.s.combat.counterattack && support::clear_sky(play.rules, play.s) {
        let die = play.roll(Side::Allied, 0, "roll.jabos", "15.6")?;
        let shifts = tables.jabos.get(die);
        play.tell(Event::Jabos { shifts });
        play.s.combat.rolled_shift -= shifts as i8;
    }
    let sheet = strength::sheet(play.rules, play.s, &play.s.combat.attack());
    let rolled = play.s.combat.rolled_shift;
    remember(play, &sheet);
    advantage::used(play); // 16.6: this is the attack it was for
    let die = play.roll(attacker, 0, "roll.combat", "14.4")?;
    let result = sheet.result(tables, rolled, die as u8);
    play.tell(Event::Combat {
        target: sheet.target,
        attack: sheet.attack,
        defense: sheet.defense,
        shift: sheet.shift() + rolled,
        column: sheet.column(tables, rolled) as u8,
        result,
    });
    outcome_of(play, result);
    Ok(())
}

/// Keeps what later steps need from the sheet.
fn remember(play: &mut Play, sheet: &Sheet) {
    let combat = &mut play.s.combat;
    combat.armor_shift = sheet.armor_shift;
    combat.dcb = sheet.bonus.counted;
    combat.armor = match sheet.armor_shift {
        Some(side) if side == sheet.attacker => {
            sheet.attackers.iter().filter(|line| line.armor).map(|line| line.unit).collect()
        }
        Some(_) => sheet.defenders.iter().filter(|line| line.armor).filter_map(|line| line.unit).collect(),
        None => List::new(),
    };
}

/// A result of the CRT or the Fire Fight Table: if somebody may still choose, ask first; then apply it.
pub fn outcome_of(play: &mut Play, result: CombatResult) {
    play.s.combat.result = Some(result);
    if play.rules.tables().results[result.index()].fire_fight {
        play.then(&[Frame::FireFight]); // 16.2
    } else if recon_may_slip(play, result) {
        play.then(&[Frame::Recon]); // 21.4
    } else {
        take(play, result);
    }
}

/// 21.4: a Recon unit that defends alone, not in an Improved Position. 1E: Eng may become a retreat of one hex.
fn recon_may_slip(play: &Play, result: CombatResult) -> bool {
    let combat = &play.s.combat;
    let [unit] = combat.defenders[..] else { return false };
    if !play.rules.counter(unit).recon || !combat.bystanders.is_empty() || combat.dump {
        return false;
    }
    if play.rules.recon_slips_from_engagement() {
        return matches!(result, CombatResult::Eng | CombatResult::A1Eng);
    }
    matches!(result, CombatResult::D1 | CombatResult::D1Star) && !play.s.improved.contains(combat.target)
}

/// 16.1: applies the final result.
pub fn take(play: &mut Play, result: CombatResult) {
    let tables = play.rules.tables();
    let effect = tables.results[result.index()];
    let combat = &mut play.s.combat;
    combat.result = Some(result);
    combat.retreat = effect.retreat;
    combat.state_after = effect.state;
    combat.engaged = effect.engaged;
    combat.advantage = effect.attackers_advantage;
    combat.advance = effect.advance;
    combat.breakthrough_allowed = effect.breakthrough;
    if combat.breakthrough && !tables.advance.breakthrough_chain {
        // 1E 19.4: a Regular Advance, and no second Breakthrough.
        combat.breakthrough_allowed = false;
        if combat.advance == AdvanceKind::Bonus {
            combat.advance = AdvanceKind::Regular;
        }
    }
    if combat.counterattack {
        first_edition::limit_counterattack(combat);
    }
    // 16.2: the Lead Unit takes the first loss.
    combat.loss_on[combat.attacker.index()] = combat.attack_lead;
    let (attacker, defender) = (combat.attacker, combat.attacker.enemy());
    if combat.retreat > 0 {
        advantage::lost(play); // 16.6: even if a Determined Defense cancels it
    }
    let mut frames: List<Frame, 8> = List::new();
    for _ in 0..effect.attacker_steps {
        frames.add(Frame::Loss(attacker));
    }
    for _ in 0..effect.defender_steps {
        frames.add(Frame::Loss(defender));
    }
    if effect.determined_defense && play.s.combat.retreat > 0 {
        frames.add(Frame::DeterminedDefense);
    }
    frames.add(Frame::Outcome);
    play.then(&frames);
}

/// After losses and Determined Defense: Engaged, retreats, advance.
pub fn outcome(play: &mut Play) -> Result<(), Stop> {
    let combat = play.s.combat;
    let mut frames: List<Frame, 8> = List::new();
    if combat.engaged {
        for unit in &combat.defenders {
            play.mark(*unit, Flags::ENGAGED); // 16.5
            play.unmark(*unit, Flags::ON_ROAD); // 12.7
        }
    }
    if combat.retreat > 0 {
        if combat.dump {
            losses::capture_dump(play); // 32.2
        }
        for unit in &combat.bystanders {
            kill(play, *unit, Elimination::AttackedAgain); // 17.5
        }
        let mut retreating = Defenders::new();
        for unit in &combat.defenders {
            match retreat::doomed(play.rules, play.s, *unit, combat.retreat) {
                Some(why) => kill(play, *unit, why),
                None => {
                    retreating.add(*unit);
                }
            }
        }
        play.s.combat.retreating = retreating;
        frames.add(Frame::Retreat);
    }
    if combat.advantage {
        frames.add(Frame::PlaceAdvantage);
    }
    let emptied = combat.retreat > 0 || !play.s.occupied(combat.target) && !play.s.combat.dump;
    // 17.3: whether or not any unit was left to retreat.
    if combat.advance != AdvanceKind::None && emptied {
        frames.add(Frame::Advance);
        frames.add(Frame::CheckStacks);
        if combat.breakthrough_allowed {
            frames.add(Frame::Breakthrough);
        }
    }
    if combat.counterattack_due {
        frames.add(Frame::Counterattack);
    }
    play.then(&frames);
    Ok(())
}

/// Eliminates a unit because of a retreat.
pub fn kill(play: &mut Play, unit: crate::pack::UnitId, why: Elimination) {
    let hex = play.s.unit(unit).hex();
    play.eliminate(unit, why);
    play.s.combat.forget(unit);
    if let Some(hex) = hex {
        vacate(play, hex);
    }
}

/// The combat is over.
pub fn end(play: &mut Play) {
    let combat = play.s.combat;
    for unit in &combat.attackers {
        play.s.unit_mut(*unit).flags.clear(Flags::ADVANCED);
    }
    if combat.target != hexgrid::HexId::NONE {
        vacate(play, combat.target);
        first_edition::back_to_the_box(play);
    }
}

/// 8.3, 19.7: no advance may end in an overstacked hex; units that were there before count as well.
pub fn check_stacks(play: &mut Play) {
    let combat = play.s.combat;
    let mut hexes: List<hexgrid::HexId, { crate::action::MAX_ATTACKERS }> = List::new();
    for unit in &combat.attackers {
        if let Some(hex) = play.s.unit(*unit).hex().filter(|_| play.s.unit(*unit).is(Flags::ADVANCED))
            && !hexes.contains(hex)
            && play.rules.overload(play.s, hex, &[]).is_some()
        {
            hexes.add(hex);
        }
    }
    for hex in &hexes {
        play.then(&[Frame::Overstacked(*hex)]);
    }
}
