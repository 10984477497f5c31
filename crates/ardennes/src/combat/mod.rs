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
    flow,
    frame::Frame,
    pack::{Side, Tag, UnitId},
    play::{Cx, Play},
    subject::Subject,
    traffic,
};

pub use record::{Combat, Defenders, Lead};

/// What one combat asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Attacks,
    BlowBridge,
    CallOff,
    AttackSupport,
    Support,
    FireFight,
    Recon,
    Loss(Side),
    Remnant(UnitId),
    DeterminedDefense,
    Retreat,
    RetreatOn(UnitId),
    PlaceAdvantage,
    Advance,
    Breakthrough,
    Counterattack,
}

pub(crate) fn forced(cx: &Cx, question: Question) -> Option<Action> {
    match question {
        Question::Attacks => declare::forced(cx),
        Question::BlowBridge => demolition::forced(cx),
        Question::AttackSupport => attack_support::forced(cx),
        Question::Support => support::forced(cx),
        Question::FireFight => fire_fight::forced(cx),
        Question::Loss(_) => losses::forced(cx),
        Question::Remnant(unit) => losses::remnant_forced(cx, unit),
        Question::DeterminedDefense => determined::forced(cx),
        Question::Retreat => retreat::forced(cx),
        Question::RetreatOn(unit) => retreat_on::forced(cx, unit),
        Question::PlaceAdvantage => advantage::forced(cx),
        Question::Advance => advance::forced(cx),
        Question::Breakthrough => breakthrough::forced(cx),
        Question::Counterattack => first_edition::forced(cx),
        Question::CallOff | Question::Recon => None,
    }
}

pub(crate) fn subjects(cx: &Cx, question: Question, out: &mut Vec<Subject>) {
    match question {
        Question::Attacks => declare::subjects(cx, out),
        Question::BlowBridge => demolition::subjects(cx, out),
        Question::Support => support::subjects(cx, out),
        Question::FireFight => fire_fight::subjects(cx, out),
        Question::Loss(_) => losses::subjects(cx, out),
        Question::DeterminedDefense => determined::subjects(cx, out),
        Question::Retreat => retreat::subjects(cx, out),
        Question::RetreatOn(unit) => retreat_on::subjects(cx, unit, out),
        Question::PlaceAdvantage => advantage::subjects(cx, out),
        Question::Advance => advance::subjects(cx, out),
        Question::Breakthrough => breakthrough::subjects(cx, out),
        Question::Counterattack => first_edition::subjects(cx, out),
        Question::CallOff | Question::AttackSupport | Question::Recon | Question::Remnant(_) => {
            out.push(Subject::Phase);
        }
    }
}

pub(crate) fn options(cx: &Cx, question: Question, subject: Subject, out: &mut Vec<Action>) {
    match question {
        Question::Attacks => declare::options(cx, subject, out),
        Question::BlowBridge => demolition::options(cx, subject, out),
        Question::CallOff => demolition::call_off_options(subject, out),
        Question::AttackSupport => attack_support::options(subject, out),
        Question::Support => support::options(cx, subject, out),
        Question::FireFight => fire_fight::options(cx, subject, out),
        Question::Recon => fire_fight::recon_options(subject, out),
        Question::Loss(_) => losses::options(cx, subject, out),
        Question::Remnant(unit) => {
            out.extend(losses::remnant_forced(cx, unit).filter(|_| subject == Subject::Phase));
        }
        Question::DeterminedDefense => determined::options(cx, subject, out),
        Question::Retreat => retreat::options(cx, subject, out),
        Question::RetreatOn(unit) => retreat_on::options(cx, unit, subject, out),
        Question::PlaceAdvantage => advantage::options(cx, subject, out),
        Question::Advance => advance::options(cx, subject, out),
        Question::Breakthrough => breakthrough::options(cx, subject, out),
        Question::Counterattack => first_edition::options(cx, subject, out),
    }
}

/// May this be done in the combat being fought?
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match flow::chapter(cx.frame) {
        flow::Chapter::Combat(question) => answers(cx, question, action),
        _ => Err(cx.rules.not_now()),
    }
}

pub(crate) fn answers(cx: &Cx, question: Question, action: &Action) -> Result<(), Refusal> {
    match question {
        Question::Attacks => declare::check(cx, action),
        Question::BlowBridge => demolition::check(cx, action),
        Question::CallOff => demolition::call_off_check(cx, action),
        Question::AttackSupport => attack_support::check(cx, action),
        Question::Support => support::check(cx, action),
        Question::FireFight => fire_fight::check(cx, action),
        Question::Recon => fire_fight::recon_check(cx, action),
        Question::Loss(_) => losses::check(cx, action),
        Question::Remnant(unit) => losses::remnant_check(cx, unit, action),
        Question::DeterminedDefense => determined::check(cx, action),
        Question::Retreat => retreat::check(cx, action),
        Question::RetreatOn(unit) => retreat_on::check(cx, unit, action),
        Question::PlaceAdvantage => advantage::check(cx, action),
        Question::Advance => advance::check(cx, action),
        Question::Breakthrough => breakthrough::check(cx, action),
        Question::Counterattack => first_edition::check(cx, action),
    }
}

pub(crate) fn apply(play: &mut Play, question: Question, side: Side, action: &Action) -> Result<(), Stop> {
    match question {
        Question::Attacks => declare::apply(play, action)?,
        Question::BlowBridge => demolition::apply(play, action)?,
        Question::CallOff => demolition::call_off_apply(play, action),
        Question::AttackSupport => attack_support::apply(play, action),
        Question::Support => support::apply(play, side, action)?,
        Question::FireFight => fire_fight::apply(play, side, action)?,
        Question::Recon => fire_fight::recon_apply(play, action),
        Question::Loss(side) => losses::apply(play, side, action)?,
        Question::Remnant(unit) => losses::remnant_apply(play, unit, action),
        Question::DeterminedDefense => determined::apply(play, side, action)?,
        Question::Retreat => retreat::apply(play, action)?,
        Question::RetreatOn(_) => retreat_on::apply(play, action),
        Question::PlaceAdvantage => advantage::apply(play, action),
        Question::Advance => advance::apply(play, action)?,
        Question::Breakthrough => breakthrough::apply(play, action)?,
        Question::Counterattack => first_edition::apply(play, action)?,
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

pub(crate) fn open(play: &mut Play) {
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

pub(crate) fn close(play: &mut Play) -> Result<(), Stop> {
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
