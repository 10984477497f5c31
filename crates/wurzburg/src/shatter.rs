//! Shatter (31) and the return of HQs (30.4.1).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Place, State},
    units::{Echelon, FormationId, Side, Symbol, UnitId},
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

    /// 31.1.3, 31.1.2: the Shatter number, if the formation is tested at all and by itself.
    pub fn tested(&self, s: &State, formation: FormationId) -> Option<u32> {
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
                // 31.1.1: every battalion shatters with it.
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
    // 31.1.1: the air assault brigade is one with its battalions.
    let battalions = (0..play.s.formations.len() as u8).map(FormationId).filter(|id| {
        play.rules.formation(formation).shatter_as_one && play.rules.formation(*id).parent == formation
    });
    let formations = std::iter::once(formation).chain(battalions);
    for unit in formations.flat_map(|id| play.rules.counters_of(id)).copied() {
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

/// 30.4.1: the HQ that returns now, and the hexes with a subordinate unit that is not next to an enemy.
fn returning(rules: &Wurzburg, s: &State, side: Side) -> Option<(UnitId, SmallVec<[HexId; 16]>)> {
    let due = |unit: &&UnitId| s.unit(**unit).place == Place::Track && s.unit(**unit).turn <= s.turn;
    let hq = rules.units_of(side).iter().find(due).copied()?;
    let mut hexes: SmallVec<[HexId; 16]> = SmallVec::new();
    for unit in rules.units_of(side) {
        let u = s.unit(*unit);
        if *unit != hq
            && u.on_map()
            && u.steps > 0
            && !hexes.contains(&u.hex)
            && rules.counter(*unit).symbol.ground()
            && rules.superior(s, hq, *unit)
            && !rules.next_to(s, u.hex, side.enemy())
        {
            hexes.push(u.hex);
        }
    }
    Some((hq, hexes))
}

/// 30.4.1: where an HQ returns to the map.
#[derive(Debug)]
pub struct HqReturn;

impl Question<Wurzburg> for HqReturn {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::HqReturn(side) = frame { side } else { Side::Wp })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Some((unit, hexes)) = returning(cx.rules, cx.s, cx.side) else { return Some(Action::Done) };
        match hexes[..] {
            [] => Some(Action::Return { unit, hex: HexId::NONE }),
            [hex] => Some(Action::Return { unit, hex }),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(returning(cx.rules, cx.s, cx.side).map(|(unit, _)| Subject::Unit(unit)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Some((unit, hexes)) = returning(cx.rules, cx.s, cx.side)
            && subject == Subject::Unit(unit)
        {
            out.extend(hexes.into_iter().map(|hex| Action::Return { unit, hex }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Return { unit, hex } = action else { return Err(cx.rules.not_now()) };
        cx.rules.own(cx.side, *unit)?;
        let no = |key| cx.rules.no("30.4.1", key).unit("unit", *unit).into();
        match returning(cx.rules, cx.s, cx.side) {
            Some((hq, hexes)) if hq == *unit => {
                if hexes.contains(hex) {
                    Ok(())
                } else {
                    no("return.place")
                }
            }
            _ => no("return.not_due"),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Return { unit, hex } = action else {
            play.pop();
            return Ok(());
        };
        match hex.some() {
            Some(hex) => {
                play.s.put(*unit, Place::Map, hex);
                play.s.unit_mut(*unit).steps = 1;
                play.tell(Event::HqBack { unit: *unit, hex });
            }
            None => play.s.put(*unit, Place::Dead, HexId::NONE),
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.hq_return", "30.4.1")
    }
}

/// 31.1.5: whether a formation counts as shattered at the end.
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
