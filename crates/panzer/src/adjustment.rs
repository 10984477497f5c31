//! The Adjustment Phase (4.6): Commands and marks of the turn are removed, objectives change hands, the turn ends.

use crate::{
    event::Event,
    pack::Capture,
    play::Play,
    rules::Panzer,
    state::{Command, Flags, Place, Spot, State},
    units::{UnitId, UnitSet},
};

/// 4.6.1
pub fn counters(play: &mut Play) {
    for unit in play.s.ids() {
        let u = *play.s.unit(unit);
        if u.on_map() {
            play.reveal(unit);
            // 4.6.1: a Fire that found no target. A Short Halt without one has carried out its Move part: its Command
            // was used, and it keeps Spot/Move. 6.6.7.2: passengers fire under the Command of their vehicle.
            let fired = u.is(Flags::FIRED) || carries_firer(play, unit);
            let unused = match u.command {
                Command::Fire => !fired,
                Command::ShortHalt => !fired && !u.is(Flags::MOVED),
                _ => false,
            };
            if unused {
                play.place_spot(unit, Spot::Fire);
            }
        }
        let u = play.s.unit_mut(unit);
        u.command = Command::NoCommand;
        u.clear(Flags::OF_TURN);
        (u.group, u.paid) = (0, 0);
    }
    play.s.committed = [false; 2];
    play.s.shared_targets.clear();
    play.s.shared_attacks.clear();
    play.s.columns.clear();
    play.s.overruns.clear();
    play.s.overrun = UnitSet::EMPTY;
    play.s.assault = crate::assault::Assault::default();
    crate::indirect::counters(play); // 6.8.4
    crate::works::burn(play); // 6.1.4.3.5
}

/// 6.6.7.2: has a passenger fired this turn? One that has got off since then has left its Spot/Fire counter here.
fn carries_firer(play: &Play, vehicle: UnitId) -> bool {
    let v = play.s.unit(vehicle);
    let marked = v.is(Flags::NEW_SPOT) && matches!(v.spot, Spot::Fire | Spot::FireSmallArms);
    marked || play.rules.passengers(play.s, vehicle).iter().any(|rider| play.s.unit(*rider).is(Flags::FIRED))
}

/// 4.6.2
pub fn end_turn(play: &mut Play) {
    control(play);
    if play.s.turn >= play.rules.scenario.turns {
        let ending = play.rules.ending(play.s);
        play.s.ending = Some(ending);
        play.tell(Event::Over(ending));
        return;
    }
    play.s.turn += 1;
    start_turn(play.rules, play.s);
    play.tell(Event::Turn { turn: play.s.turn });
}

/// Record which side occupies the objectives when a turn begins (3.6).
pub fn start_turn(rules: &Panzer, s: &mut State) {
    s.last_first = s.first.take();
    for n in 0..s.control.len() {
        s.control[n].at_start = rules.occupant(s, n);
    }
}

/// 3.6: an objective occupied at the start and at the end of the turn is captured, and stays so.
fn control(play: &mut Play) {
    for n in 0..play.s.control.len() {
        let now = play.rules.occupant(play.s, n);
        let held = play.s.control[n];
        let side = match play.rules.scenario.objectives[n].capture {
            Capture::WholeTurn if now.is_some() && now == held.at_start => now,
            Capture::Entered if now.is_some() => now,
            Capture::Occupied => now,
            _ => held.side,
        };
        if side != held.side {
            play.s.control[n].side = side;
            play.tell(Event::Control { objective: n as u8, side });
        }
    }
}

impl Panzer {
    /// The side whose armed vehicles occupy an objective (3.6): unarmed ones cannot capture, and if both sides are
    /// there neither occupies it.
    pub fn occupant(&self, s: &State, objective: usize) -> Option<crate::pack::Side> {
        let hexes = &self.objectives[objective];
        let mut found = None;
        for unit in s.ids() {
            let u = s.unit(unit);
            let holds = self.armed(s, unit) && !u.is(Flags::BAILED);
            if u.place == Place::Map && holds && hexes.contains(u.hex) {
                let side = self.vehicle(unit).side;
                if found.is_some_and(|other| other != side) {
                    return None;
                }
                found = Some(side);
            }
        }
        found
    }
}
