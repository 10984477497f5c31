//! Combat (14–19): declaring attacks, and every question asked during a combat.

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
use kernel::{Stop, Template};

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Side, Tag},
    play::{Cx, Play},
    traffic,
};

pub use advance::Advances;
pub use advantage::PlaceAdvantage;
pub use attack_support::AttackSupport;
pub use breakthrough::Breakthrough;
pub use declare::Attacks;
pub use demolition::{BlowBridge, CallOff};
pub use determined::DeterminedDefense;
pub use fire_fight::{FireFight, Recon};
pub use first_edition::Counterattack;
pub use losses::{Loss, Remnant};
pub use record::{Combat, Defenders, Lead};
pub use retreat::Retreats;
pub use retreat_on::RetreatOn;
pub use support::Support;

/// Flags that last for one Combat Phase only.
const OF_THE_PHASE: Flags = Flags(
    Flags::ATTACKED.0 | Flags::DEFENDED.0 | Flags::RETREATED.0 | Flags::DISENGAGED.0 | Flags::ADVANCED.0,
);

fn clear_phase(play: &mut Play) {
    for unit in &mut play.s.all_units_mut()[..play.rules.counters.len()] {
        unit.flags.clear(OF_THE_PHASE);
    }
    // A unit that retreats in a disengagement belongs to the phasing player: its enemy counts as the attacker.
    play.s.combat = Combat { attacker: play.s.side.enemy(), ..Combat::default() };
}

pub(crate) fn open(play: &mut Play) {
    clear_phase(play);
    play.s.roadblock_passed = [false; 2];
    if play.s.phase.is_night() {
        // 7.2, 25.36: the night is a player turn of its own without a Bridge Phase.
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

/// 27.5: in the first night KG Peiper, and units stacked with it, attack without a Night marker.
fn peiper(play: &mut Play) {
    let rules = play.rules;
    for unit in rules.units_of(Side::German).filter(|u| rules.counter(*u).has(Tag::KgPeiper)) {
        let Some(hex) = play.s.unit(unit).hex() else { continue };
        let mut stack = Defenders::new();
        for mate in play.s.stack(hex) {
            stack.add(mate);
        }
        for mate in &stack {
            play.s.unit_mut(*mate).flags.set(Flags::PEIPER_NIGHT);
        }
    }
}

pub(crate) fn close(play: &mut Play) -> Result<(), Stop> {
    clear_phase(play);
    let (rules, side) = (play.rules, play.s.side);
    // 25.24: at the end of the day's Combat Phase.
    let replaced = if play.s.phase.is_night() { Flags::NONE } else { Flags::REPLACED };
    for unit in &rules.units_where(play.s, side, |u| u.is(replaced | Flags::PEIPER_NIGHT)) {
        play.unmark(unit, replaced);
        play.s.unit_mut(unit).flags.clear(Flags::PEIPER_NIGHT);
    }
    traffic::after_enemy_passed(play, side) // 33.3
}

/// 15.8: an Improved Position is removed with its last defender.
pub fn vacate(play: &mut Play, hex: HexId) {
    if !play.s.occupied(hex) && (play.s.improved.contains(hex) || play.s.digging.contains(hex)) {
        play.s.improved.remove(hex);
        play.s.digging.remove(hex);
        play.tell(Event::ImprovedPositionGone { hex });
    }
}

/// Closes the combat before its last frame is reached, because another combat follows at once (19.4, 1E 16.72).
fn close_before_next(play: &mut Play) {
    resolve::end(play);
    if play.s.top() == Frame::EndCombat {
        play.pop();
    }
}

/// The form for the open parts of an attack or of its support.
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
