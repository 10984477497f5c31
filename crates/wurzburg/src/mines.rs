//! Minefields (37): their effect on a force that enters or leaves one.

use hexgrid::HexId;
use kernel::Stop;

use crate::{
    action::Units,
    event::Event,
    pack::MineResult,
    play::Play,
    state::{Flags, Mine},
    units::{Symbol, UnitSet},
};

/// 37.1, 37.4: a force has entered a hex by movement.
pub fn entered(play: &mut Play, force: &UnitSet, hex: HexId) -> Result<(), Stop> {
    match play.s.minefield(hex) {
        Mine::None => Ok(()),
        Mine::Dummy => {
            remove(play, hex);
            Ok(())
        }
        Mine::Real => {
            // 37.4 item 1: it must end its move here.
            play.s.walk.halted = true;
            play.s.change_mark(hex, |mark| mark.mine_known = true);
            play.log.reveal(); // 37.6
            attack(play, force, 0)
        }
    }
}

/// 37.4 item 4: retreat and advance, out of one hex and into another.
pub fn retreated(play: &mut Play, force: &UnitSet, from: HexId, to: HexId) -> Result<(), Stop> {
    if play.s.minefield(from) == Mine::Real {
        attack(play, force, 0)?;
    }
    for unit in force {
        play.s.unit_mut(unit).clear(Flags::LAYER); // 37.3.1: safe only from the minefield that it laid itself
    }
    match play.s.minefield(to) {
        Mine::None => {}
        Mine::Dummy => remove(play, to),
        Mine::Real => {
            play.s.change_mark(to, |mark| mark.mine_known = true);
            play.log.reveal();
            attack(play, force, 0)?;
        }
    }
    Ok(())
}

/// 37.1: a dummy marker is removed as soon as a real unit enters.
fn remove(play: &mut Play, hex: HexId) {
    play.s.change_mark(hex, |mark| (mark.mine, mark.mine_known) = (Mine::None, false));
    play.log.reveal();
    play.tell(Event::Minefield { hex, built: false });
}

impl Play<'_> {
    /// 37.3.1: the minefield that an engineer laid here is gone; another one attacks it as it does anybody.
    pub fn forget_layers(&mut self, hex: HexId) {
        let layers: Units = self.s.in_hex(hex).filter(|unit| self.s.unit(*unit).is(Flags::LAYER)).collect();
        for unit in layers {
            self.s.unit_mut(unit).clear(Flags::LAYER);
        }
    }
}

/// 37.5: one roll for each step of the force.
pub fn attack(play: &mut Play, force: &UnitSet, modifier: i8) -> Result<(), Stop> {
    let table = &play.rules.tables.mine_attack;
    let engineer = force.iter().any(|unit| play.rules.counter(unit).symbol == Symbol::Engineer);
    let modifier = modifier + if engineer { table.engineer_in_force } else { 0 };
    for unit in force {
        let side = play.rules.counter(unit).side;
        if play.s.unit(unit).is(Flags::LAYER) {
            continue; // 37.3.1
        }
        let steps = play.s.unit(unit).steps;
        let mut lost = 0;
        for _ in 0..steps {
            let roll = play.roll(side, modifier, "roll.mines", "37.5")?;
            let modified = roll as i8 + modifier;
            let hit = play.rules.tables.mine_attack.result(modified) == MineResult::StepLost;
            lost += u8::from(hit);
            play.tell(Event::MineAttack { unit, roll, modified, lost: hit });
        }
        play.lose_otherwise(unit, lost);
    }
    Ok(())
}
