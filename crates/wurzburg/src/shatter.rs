//! Shatter (31) and the return of HQs (30.4.1).

use kernel::Stop;

use crate::{
    event::{Event, Units},
    play::Play,
    rules::Wurzburg,
    state::{Place, State},
    units::{Echelon, FormationId, Side, Symbol},
};

impl Wurzburg {
    /// 31.0: maneuver steps left in a formation, wherever they are.
    pub fn maneuver_steps(&self, s: &State, formation: FormationId) -> u32 {
        let as_one = self.formation(formation).shatter_as_one;
        s.ids()
            .filter(|unit| {
                let counter = self.counter(*unit);
                let mine = counter.formation == formation
                    || as_one && self.formation(counter.formation).parent == formation;
                mine && counter.symbol.maneuver()
                    && !matches!(s.unit(*unit).place, Place::Spare | Place::Dead)
            })
            .map(|unit| u32::from(s.unit(unit).steps))
            .sum()
    }

    /// Is the formation tested at all, and by itself?
    fn tested(&self, s: &State, formation: FormationId) -> Option<u32> {
        let node = self.formation(formation);
        let number = u32::from(node.shatter?);
        let parent_as_one = node.parent.some().is_some_and(|parent| {
            // 31.1.2: the number of a battalion counts only without its brigade's HQ.
            self.formation(parent).shatter_as_one
                && self.units_of_formation(s, parent).any(|unit| self.counter(unit).symbol == Symbol::Hq)
        });
        (self.in_play[formation.index()] && !parent_as_one).then_some(number)
    }
}

/// 31.0: each side checks its formations.
pub fn check(play: &mut Play) -> Result<(), Stop> {
    for n in 0..play.s.formations.len() as u8 {
        let id = FormationId(n);
        let Some(number) = play.rules.tested(play.s, id) else { continue };
        if play.s.formation(id).shattered {
            continue;
        }
        let steps = play.rules.maneuver_steps(play.s, id);
        if steps > number || left_the_map(play, id) {
            continue;
        }
        let side = play.rules.formation(id).side;
        let roll = play.roll(side, 0, "roll.shatter", "31.0")?;
        let shatters = u32::from(roll) > steps;
        let steps = steps as u8;
        if shatters {
            play.s.formation_mut(id).shattered = true;
            if play.rules.formation(id).shatter_as_one {
                // 31.1.1: every battalion with it.
                for m in 0..play.s.formations.len() as u8 {
                    if play.rules.formation(FormationId(m)).parent == id {
                        play.s.formation_mut(FormationId(m)).shattered = true;
                    }
                }
            }
            play.tell(Event::Shattered { formation: id, steps, roll });
        } else {
            play.tell(Event::ShatterHeld { formation: id, steps, roll });
        }
    }
    Ok(())
}

/// 31.1.4: its last unit has left the map alive.
fn left_the_map(play: &Play, formation: FormationId) -> bool {
    let mut exited = false;
    for unit in play.rules.units_of_formation(play.s, formation) {
        let u = play.s.unit(unit);
        match u.place {
            Place::Exited => exited = true,
            Place::Spare | Place::Dead => {}
            _ if u.steps > 0 => return false,
            _ => {}
        }
    }
    exited
}

/// 30.4.1: HQs return to a subordinate unit that is not next to an enemy.
pub fn return_hqs(play: &mut Play) {
    let due: Units = play
        .s
        .ids()
        .filter(|unit| play.s.unit(*unit).place == Place::Track && play.s.unit(*unit).turn <= play.s.turn)
        .collect();
    for hq in due {
        let side = play.rules.counter(hq).side;
        let host = play.rules.units_of(side).iter().copied().find(|unit| {
            let u = play.s.unit(*unit);
            *unit != hq
                && u.on_map()
                && u.steps > 0
                && play.rules.counter(*unit).symbol.ground()
                && play.rules.superior(play.s, hq, *unit)
                && !play.rules.next_to(play.s, u.hex, side.enemy())
        });
        match host {
            Some(host) => {
                let hex = play.s.unit(host).hex;
                let u = play.s.unit_mut(hq);
                (u.place, u.hex, u.steps) = (Place::Map, hex, 1);
                play.tell(Event::HqBack { unit: hq, hex });
            }
            None => play.s.unit_mut(hq).place = Place::Dead,
        }
    }
}

/// 31.1.5: does a formation count as shattered at the end?
pub fn counts(rules: &Wurzburg, s: &State, formation: FormationId) -> bool {
    rules.in_play[formation.index()]
        && (s.formation(formation).shattered || rules.maneuver_steps(s, formation) == 0)
}

/// The echelon that is tested on a side.
pub const fn tested_echelon(side: Side) -> Echelon {
    match side {
        Side::Wp => Echelon::Regiment,
        Side::Nato => Echelon::Brigade,
    }
}
