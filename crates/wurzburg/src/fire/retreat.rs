//! Retreat from Offensive Fire (18.4).

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Part, Subject, Units},
    event::Event,
    field::Edge,
    frame::Frame,
    movement::River,
    pack::Avoid,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Mine, Place, State},
    units::{Side, Symbol, UnitId},
};

impl Wurzburg {
    /// 18.4.2 items 5 to 8: hexes that a retreat may not enter.
    pub(crate) fn retreat_prohibited(
        &self,
        s: &State,
        unit: UnitId,
        from: HexId,
        direction: Direction,
    ) -> bool {
        let Some(to) = self.field.neighbour(from, direction) else { return true };
        let counter = self.counter(unit);
        let side = counter.side;
        // 29.6.5: airmobile units never; others in the same hex may.
        if side == Side::Wp && counter.airmobile && self.empty_city(s, to) {
            return true;
        }
        let river = self.river(s, side, from, direction);
        !self.area.contains(to)
            || self.field.edge(from, direction).any(Edge::IMPASSABLE)
            || matches!(river, River::Main | River::Saale)
            || s.obstacle(to)
            || self.holds(s, to, side.enemy())
    }

    /// 18.4.1: the distance to the own HQ that a retreat should approach: that of the brigade, or the nearest of the
    /// division.
    fn home(&self, s: &State, unit: UnitId, hex: HexId) -> Option<u32> {
        let node = self.cycle_of(s, self.counter(unit).formation)?;
        self.units_of(self.counter(unit).side)
            .iter()
            .filter(|hq| self.counter(**hq).symbol == Symbol::Hq && self.counter(**hq).formation == node)
            .filter(|hq| s.unit(**hq).on_map())
            .map(|hq| self.field.distance(s.unit(*hq).hex, hex))
            .min()
    }

    /// The disadvantages of a hex for a retreating unit: one bit for each priority, the most important highest.
    fn retreat_faults(&self, s: &State, unit: UnitId, hex: HexId) -> u32 {
        let side = self.counter(unit).side;
        let mut faults = 0;
        for avoid in &self.tables.retreat {
            faults <<= 1;
            let bad = match avoid {
                Avoid::AdjacentToFirer => {
                    s.op.fired
                        .iter()
                        .any(|other| s.unit(other).on_map() && self.field.adjacent(s.unit(other).hex, hex))
                }
                Avoid::AdjacentToEnemy => {
                    self.around(s, hex, side.enemy()).iter().any(|other| !s.op.fired.contains(*other))
                }
                Avoid::Minefield => s.minefield(hex) != Mine::None,
                Avoid::GasZone => self.in_gas(s, hex),
                Avoid::StackingViolation => {
                    let mut there = self.stack(s, side, hex);
                    there.push(unit);
                    !self.may_stack(s, &there)
                }
                // Compared among the best hexes, below.
                Avoid::NotNearestToSuperiorHq => false,
            };
            faults |= u32::from(bad);
        }
        faults
    }
}

/// The hexes that a unit may retreat to: the best by the Retreat Priorities Chart (18.4.1).
pub fn retreat_hexes(rules: &Wurzburg, s: &State, unit: UnitId) -> SmallVec<[HexId; 6]> {
    let from = s.unit(unit).hex;
    let mut open: SmallVec<[(u32, u32, HexId); 6]> = SmallVec::new();
    for direction in Direction::ALL {
        if rules.retreat_prohibited(s, unit, from, direction) {
            continue;
        }
        let Some(to) = rules.field.neighbour(from, direction) else { continue };
        let home = rules.home(s, unit, to).unwrap_or(0);
        open.push((rules.retreat_faults(s, unit, to), home, to));
    }
    let Some(best) = open.iter().map(|(faults, home, _)| (*faults, *home)).min() else {
        return SmallVec::new();
    };
    open.into_iter().filter(|(faults, home, _)| (*faults, *home) == best).map(|(_, _, hex)| hex).collect()
}

/// 18.4: where the surviving units go.
#[derive(Debug)]
pub struct Retreat;

fn waiting(rules: &Wurzburg, s: &State) -> Units {
    rules.stack(s, s.op.side.enemy(), s.op.objective)
}

impl Question<Wurzburg> for Retreat {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let units = waiting(cx.rules, cx.s);
        let unit = units.first().copied()?;
        if cx.rules.edge_hex(cx.s.op.objective) {
            return None;
        }
        match retreat_hexes(cx.rules, cx.s, unit)[..] {
            [to] => Some(Action::Retreat { part: Part::all(unit), to }),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(waiting(cx.rules, cx.s).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let Subject::Unit(unit) = subject else { return };
        if !waiting(cx.rules, cx.s).contains(&unit) {
            return;
        }
        let part = Part::all(unit);
        out.extend(retreat_hexes(cx.rules, cx.s, unit).into_iter().map(|to| Action::Retreat { part, to }));
        if cx.rules.edge_hex(cx.s.op.objective) {
            // 18.4.7
            out.push(Action::Retreat { part, to: HexId::NONE });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Retreat { part, to } = action else { return Err(cx.rules.not_now()) };
        let rules = cx.rules;
        rules.own(cx.side, part.unit)?;
        if !waiting(rules, cx.s).contains(&part.unit) {
            return rules.no("18.4", "retreat.not_there").unit("unit", part.unit).into();
        }
        let whole = part.steps.is_none_or(|steps| steps == cx.s.unit(part.unit).steps);
        if !whole {
            crate::movement::check_part(rules, cx.s, *part)?;
            if part.steps == Some(0) || rules.spare_for(cx.s, part.unit).is_none() {
                return rules.no("11.5", "split.no_counter").unit("unit", part.unit).into();
            }
        }
        match to.some() {
            None if rules.edge_hex(cx.s.op.objective) => Ok(()),
            None => rules.no("18.4.7", "retreat.no_edge").into(),
            Some(hex) if retreat_hexes(rules, cx.s, part.unit).contains(&hex) => Ok(()),
            Some(hex) => rules.no("18.4.1", "retreat.worse").unit("unit", part.unit).hex("hex", hex).into(),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Retreat { part, to } = action else { return Ok(()) };
        let unit = crate::movement::part_off(play, &[*part].into_iter().collect());
        let Some(unit) = unit.iter().next() else { return Ok(()) };
        let from = play.s.op.objective;
        match to.some() {
            None => {
                play.take_off(unit, Place::Exited);
                play.tell(Event::RetreatedOff { unit, from });
            }
            Some(to) => {
                play.s.shift(unit, to);
                play.s.unit_mut(unit).clear(Flags::MASKED);
                play.s.op.retreated.insert(unit);
                play.tell(Event::Retreated { unit, from, to });
                play.leave_smoke(unit, from);
                play.cut_wires(unit, from, to);
            }
        }
        if waiting(play.rules, play.s).is_empty() {
            play.pop();
            return arrived(play);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.retreat", "18.4")
    }
}

/// All units have left the Objective Hex: mines and gas for each force, contact, masks, then Retreat Fire.
fn arrived(play: &mut Play) -> Result<(), Stop> {
    let side = play.s.op.side.enemy();
    let mut hexes: SmallVec<[HexId; 6]> = SmallVec::new();
    for unit in &play.s.op.retreated {
        let hex = play.s.unit(unit).hex;
        if hex != HexId::NONE && !hexes.contains(&hex) {
            hexes.push(hex);
        }
    }
    let from = play.s.op.objective;
    for hex in &hexes {
        let here = play.s.op.retreated.iter().filter(|unit| play.s.unit(*unit).hex == *hex);
        let here = crate::units::set_of(here);
        crate::mines::retreated(play, &here, from, *hex)?; // 18.4.5
        crate::gas::entered(play, &here, *hex)?; // 18.4.6
    }
    play.s.op.spent.clear();
    play.s.op.shot.clear();
    play.push(Frame::RetreatFire);
    for hex in hexes {
        let real = play.s.op.retreated.iter().any(|unit| play.s.unit(unit).hex == hex);
        if real {
            play.occupy(side, hex);
        }
        if play.rules.next_to(play.s, hex, side.enemy()) {
            // 16.8.1.1: the retreating player counts as the moving one.
            play.meet(side, hex);
        }
        if play.rules.next_to(play.s, hex, side.enemy()) {
            // 18.4 step 5
            let here: Units =
                play.s.op.retreated.iter().filter(|unit| play.s.unit(*unit).hex == hex).collect();
            play.use_up(here);
        }
        play.check_stack(side, hex); // 18.4.3
        let here = play.s.op.retreated.iter().filter(|unit| play.s.unit(*unit).hex == hex);
        let here = crate::units::set_of(here);
        crate::cavalry::offer_retreat(play, here, hex);
    }
    Ok(())
}
