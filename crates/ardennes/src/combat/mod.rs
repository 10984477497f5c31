//! Combat (14–19): declaring attacks, and every question that one combat asks.

pub mod advance;
pub mod advantage;
pub mod attack_support;
pub mod breakthrough;
pub mod declare;
pub mod demolition;
pub mod determined;
mod fill;
pub mod fire_fight;
pub mod first_edition;
pub mod formations;
pub mod ground;
pub mod home;
pub mod losses;
mod record;
pub mod resolve;
pub mod retreat;
pub mod retreat_on;
mod routes;
mod sheet;
pub mod strength;
pub mod support;

use hexgrid::HexId;
use kernel::{Refusal, Stop, Template};

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Side, Tag},
    play::{Cx, Play},
    subject::Subject,
    traffic,
};

pub use record::{Combat, Defenders, Lead};

pub fn forced(cx: &Cx) -> Option<Action> {
    match cx.frame {
        Frame::Attacks => declare::forced(cx),
        Frame::BlowBridge => demolition::forced(cx),
        Frame::AttackSupport => attack_support::forced(cx),
        Frame::Support => support::forced(cx),
        Frame::FireFight => fire_fight::forced(cx),
        Frame::Loss(_) => losses::forced(cx),
        Frame::Remnant(unit) => losses::remnant_forced(cx, unit),
        Frame::DeterminedDefense => determined::forced(cx),
        Frame::Retreat => retreat::forced(cx),
        Frame::RetreatOn(unit) => retreat_on::forced(cx, unit),
        Frame::PlaceAdvantage => advantage::forced(cx),
        Frame::Advance => advance::forced(cx),
        Frame::Breakthrough => breakthrough::forced(cx),
        Frame::Counterattack => first_edition::forced(cx),
        _ => None,
    }
}

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    match cx.frame {
        Frame::Attacks => declare::subjects(cx, out),
        Frame::BlowBridge => demolition::subjects(cx, out),
        Frame::Support => support::subjects(cx, out),
        Frame::FireFight => fire_fight::subjects(cx, out),
        Frame::Loss(_) => losses::subjects(cx, out),
        Frame::DeterminedDefense => determined::subjects(cx, out),
        Frame::Retreat => retreat::subjects(cx, out),
        Frame::RetreatOn(unit) => retreat_on::subjects(cx, unit, out),
        Frame::PlaceAdvantage => advantage::subjects(cx, out),
        Frame::Advance => advance::subjects(cx, out),
        Frame::Breakthrough => breakthrough::subjects(cx, out),
        Frame::Counterattack => first_edition::subjects(cx, out),
        // Call off, attacker's support, Recon: one question.
        _ => out.push(Subject::Phase),
    }
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match cx.frame {
        Frame::Attacks => declare::options(cx, subject, out),
        Frame::BlowBridge => demolition::options(cx, subject, out),
        Frame::CallOff => demolition::call_off_options(subject, out),
        Frame::AttackSupport => attack_support::options(subject, out),
        Frame::Support => support::options(cx, subject, out),
        Frame::FireFight => fire_fight::options(cx, subject, out),
        Frame::Recon => fire_fight::recon_options(subject, out),
        Frame::Loss(_) => losses::options(cx, subject, out),
        Frame::Remnant(unit) if subject == Subject::Phase => out.extend(losses::remnant_forced(cx, unit)),
        Frame::DeterminedDefense => determined::options(cx, subject, out),
        Frame::Retreat => retreat::options(cx, subject, out),
        Frame::RetreatOn(unit) => retreat_on::options(cx, unit, subject, out),
        Frame::PlaceAdvantage => advantage::options(cx, subject, out),
        Frame::Advance => advance::options(cx, subject, out),
        Frame::Breakthrough => breakthrough::options(cx, subject, out),
        Frame::Counterattack => first_edition::options(cx, subject, out),
        _ => {}
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match cx.frame {
        Frame::Attacks => declare::check(cx, action),
        Frame::BlowBridge => demolition::check(cx, action),
        Frame::CallOff => demolition::call_off_check(cx, action),
        Frame::AttackSupport => attack_support::check(cx, action),
        Frame::Support => support::check(cx, action),
        Frame::FireFight => fire_fight::check(cx, action),
        Frame::Recon => fire_fight::recon_check(cx, action),
        Frame::Loss(_) => losses::check(cx, action),
        Frame::Remnant(unit) => losses::remnant_check(cx, unit, action),
        Frame::DeterminedDefense => determined::check(cx, action),
        Frame::Retreat => retreat::check(cx, action),
        Frame::RetreatOn(unit) => retreat_on::check(cx, unit, action),
        Frame::PlaceAdvantage => advantage::check(cx, action),
        Frame::Advance => advance::check(cx, action),
        Frame::Breakthrough => breakthrough::check(cx, action),
        Frame::Counterattack => first_edition::check(cx, action),
        _ => Err(cx.rules.not_now()),
    }
}

pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    match frame {
        Frame::Attacks => declare::apply(play, action)?,
        Frame::BlowBridge => demolition::apply(play, action)?,
        Frame::CallOff => demolition::call_off_apply(play, action),
        Frame::AttackSupport => attack_support::apply(play, action),
        Frame::Support => support::apply(play, side, action)?,
        Frame::FireFight => fire_fight::apply(play, side, action)?,
        Frame::Recon => fire_fight::recon_apply(play, action),
        Frame::Loss(side) => losses::apply(play, side, action)?,
        Frame::Remnant(unit) => losses::remnant_apply(play, unit, action),
        Frame::DeterminedDefense => determined::apply(play, side, action)?,
        Frame::Retreat => retreat::apply(play, action)?,
        Frame::RetreatOn(_) => retreat_on::apply(play, action),
        Frame::PlaceAdvantage => advantage::apply(play, action),
        Frame::Advance => advance::apply(play, action)?,
        Frame::Breakthrough => breakthrough::apply(play, action)?,
        Frame::Counterattack => first_edition::apply(play, action)?,
        _ => play.pop(),
    }
    Ok(())
}

/// Frames of a combat that need nobody.
pub fn run(play: &mut Play, frame: Frame) -> Result<(), Stop> {
    match frame {
        Frame::OpenCombat => open(play),
        Frame::CloseCombat => close(play)?,
        Frame::DestroyDump => resolve::commit(play)?,
        Frame::Resolve => resolve::resolve(play)?,
        Frame::Outcome => resolve::outcome(play)?,
        Frame::CheckStacks => resolve::check_stacks(play),
        Frame::EndCombat => resolve::end(play),
        _ => {}
    }
    Ok(())
}

/// What holds only for one Combat Phase.
const OF_THE_PHASE: Flags = Flags(
    Flags::ATTACKED.0 | Flags::DEFENDED.0 | Flags::RETREATED.0 | Flags::DISENGAGED.0 | Flags::ADVANCED.0,
);

fn clear_phase(play: &mut Play) {
    for unit in &mut play.s.all_units_mut()[..play.rules.counters.len()] {
        unit.flags.clear(OF_THE_PHASE);
    }
    // Whoever retreats in a disengagement is the phasing player: his enemy counts as the attacker.
    play.s.combat = Combat { attacker: play.s.side.enemy(), ..Combat::default() };
}

fn open(play: &mut Play) {
    clear_phase(play);
    play.s.roadblock_passed = [false; 2];
    if play.s.phase.is_night() {
        // 7.2, 25.36: a player turn of its own without a Bridge Phase.
        for bridge in &mut play.s.bridges_mut()[..play.rules.land.bridges.len()] {
            bridge.set_tried(false);
        }
    }
    let side = play.s.side;
    advantage::open(play, side); // 16.6
    if side == Side::German && play.rules.first_night(play.s) {
        peiper(play);
    }
}

/// 27.5: in the first night KG Peiper attacks without a Night marker, and whoever is stacked with it.
fn peiper(play: &mut Play) {
    let rules = play.rules;
    for unit in rules.units_of(Side::German).filter(|u| rules.counter(*u).has(Tag::KgPeiper)) {
        let Some(hex) = play.s.unit(unit).hex() else { continue };
        let mut stack = Defenders::new();
        for mate in play.s.stack(hex) {
            stack.push(mate);
        }
        for mate in &stack {
            play.s.unit_mut(*mate).flags.set(Flags::PEIPER_NIGHT);
        }
    }
}

fn close(play: &mut Play) -> Result<(), Stop> {
    clear_phase(play);
    let (rules, side) = (play.rules, play.s.side);
    // 25.24: at the end of the Combat Phase of the day.
    let replaced = if play.s.phase.is_night() { Flags::NONE } else { Flags::REPLACED };
    for unit in &rules.units_where(play.s, side, |u| u.is(replaced | Flags::PEIPER_NIGHT)) {
        play.unmark(unit, replaced);
        play.s.unit_mut(unit).flags.clear(Flags::PEIPER_NIGHT);
    }
    traffic::after_enemy_passed(play, side) // 33.3
}

/// 15.8: an Improved Position goes with its last defender.
pub fn vacate(play: &mut Play, hex: HexId) {
    if !play.s.occupied(hex) && (play.s.improved.contains(hex) || play.s.digging.contains(hex)) {
        play.s.improved.remove(hex);
        play.s.digging.remove(hex);
        play.tell(Event::ImprovedPositionGone { hex });
    }
}

/// The combat is over although its last frame has not come: another one follows it at once (19.4, 1E 16.72).
fn close_before_next(play: &mut Play) {
    resolve::end(play);
    if play.s.top() == Frame::EndCombat {
        play.pop();
    }
}

/// The sheet for the open parts of an attack or of its support.
pub fn template(cx: &Cx, action: &Action) -> Option<Template> {
    match action {
        Action::Attack(attack) if attack.units.is_empty() => fill::template(cx, attack),
        Action::Support { units, air: false } if units.is_empty() => attack_support::template(cx),
        _ => None,
    }
}

/// Fills open parts at random; false if nothing legal was found.
pub fn sample(cx: &Cx, action: &mut Action, rng: &mut dyn rand_core::RngCore) -> bool {
    match action {
        Action::Attack(attack) => fill::sample(cx, attack, rng),
        Action::Support { units, air: air @ false } if units.is_empty() => {
            attack_support::sample(cx, units, air, rng)
        }
        _ => true,
    }
}
