//! Paradrop (29.5).

use hexgrid::HexId;
use kernel::{Refusal, Stop};

use super::{flak::roll, lift::set_down};
use crate::{
    action::{Action, Part, Subject, Units},
    event::Event,
    field::Terrain,
    frame::Frame,
    pack::AntiAircraftResult,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Place, State},
    units::{OpKind, Side, UnitId},
};

impl Wurzburg {
    /// 29.5: whether the active formation may declare a paradrop now.
    pub fn may_declare_drop(&self, s: &State, side: Side) -> bool {
        self.scenario.side(side).paradrop.as_ref().is_some_and(|drop| {
            drop.formation == s.active
                && drop.turns.contains(&s.turn)
                && !s.sides[side.index()].paradrop_used
                && !self.night(s) // 29.5.3
                && self.units_of(side).iter().any(|unit| {
                    self.waits(s, *unit)
                        && self.counter(*unit).airborne
                        && self.below(s, self.counter(*unit).formation, s.active)
                })
        })
    }

    /// 29.5.2: the units that may still drop in this operation.
    pub fn droppers(&self, s: &State) -> Units {
        let open = s.sky.paradrop && s.op.airmobile && s.op.kind == OpKind::Assault;
        let mine = |unit: &UnitId| {
            open && self.waits(s, *unit)
                && self.counter(*unit).airborne
                && s.unit(*unit).steps > 0
                && !s.sky.flown.contains(*unit)
        };
        s.op.members.iter().filter(mine).collect()
    }

    /// 29.5.1 items 2 and 3.
    fn check_drop(&self, s: &State, side: Side, unit: UnitId, hex: HexId) -> Result<(), Refusal> {
        let no = |rule, key| self.no(rule, key).unit("unit", unit).hex("hex", hex).into();
        if !self.area.contains(hex) || self.field.terrain(hex) != Terrain::Clear {
            return no("29.5.1", "drop.not_clear");
        }
        if self.holds(s, hex, side.enemy()) {
            return no("29.5.1", "drop.enemy");
        }
        if s.sky.dropped.iter().any(|other| s.unit(*other).hex == hex) {
            return no("29.5.1", "drop.same_hex");
        }
        let objective = s.op.objective.some().is_some_and(|at| self.field.adjacent(at, hex));
        if self.next_to(s, hex, side.enemy()) && !objective {
            return no("29.3.4", "drop.adjacent");
        }
        Ok(())
    }
}

/// 29.5: the paradrop is declared at the start of the brigade's cycle.
#[derive(Debug)]
pub struct Declare;

impl Question<Wurzburg> for Declare {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.active.some().map_or(Side::Wp, |active| rules.formation(active).side))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!cx.rules.may_declare_drop(cx.s, cx.side)).then_some(Action::Done)
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.push(Action::Done);
            if cx.rules.may_declare_drop(cx.s, cx.side) {
                out.push(Action::Paradrop);
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Paradrop if cx.rules.may_declare_drop(cx.s, cx.side) => Ok(()),
            Action::Paradrop => cx.rules.no("29.5", "drop.not_allowed").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if *action == Action::Paradrop {
            play.s.sky.paradrop = true;
            play.s.sides[side.index()].paradrop_used = true;
            play.tell(Event::Paradrop { side, formation: play.s.active });
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.paradrop", "29.5")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// 29.5.1 items 1 to 3: one step after another, each in a separate hex.
#[derive(Debug)]
pub struct Drop;

/// How far from the Objective Hex the list offers hexes; any other may be written.
const NEAR: u16 = 3;

impl Drop {
    fn check_unit(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
        cx.rules.own(cx.side, unit)?;
        if !cx.rules.droppers(cx.s).contains(&unit) {
            return cx.rules.no("29.5.2", "drop.not_airborne").unit("unit", unit).into();
        }
        if cx.s.unit(unit).steps > 1 && cx.rules.spare_for(cx.s, unit).is_none() {
            return cx.rules.no("11.5", "split.no_counter").unit("unit", unit).into();
        }
        Ok(())
    }
}

impl Question<Wurzburg> for Drop {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        cx.rules.droppers(cx.s).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let able = cx.rules.droppers(cx.s).into_iter().filter(|unit| Self::check_unit(cx, *unit).is_ok());
        out.extend(able.map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if Self::check_unit(cx, unit).is_ok() => {
                let mut offer = |hex: HexId| {
                    if cx.rules.check_drop(cx.s, cx.side, unit, hex).is_ok() {
                        out.push(Action::Drop { unit, hex });
                    }
                };
                match cx.s.op.objective.some() {
                    Some(objective) => cx.rules.field.board.range(objective, NEAR).for_each(&mut offer),
                    None => cx.rules.area.iter().for_each(&mut offer),
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Drop { unit, hex } => {
                Self::check_unit(cx, *unit)?;
                cx.rules.check_drop(cx.s, cx.side, *unit, *hex)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Drop { unit, hex } = action else {
            play.pop();
            play.push(Frame::Disorganization);
            let dropped = play.s.sky.dropped.clone();
            for unit in dropped.into_iter().rev() {
                play.push(Frame::DropFlak(unit));
            }
            return Ok(());
        };
        let part = Part { unit: *unit, steps: Some(1) };
        let force = crate::movement::part_off(play, &[part].into_iter().collect());
        for unit in &force {
            play.s.put(unit, Place::Map, *hex);
            play.s.sky.dropped.push(unit);
            play.s.sky.flown.insert(unit);
            play.tell(Event::Dropped { unit, hex: *hex });
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.drop", "29.5.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// 29.5.1 item 4: Flak Fire as against an air unit with a Low profile; any effect eliminates the step.
#[derive(Debug)]
pub struct DropFlak;

fn target(frame: Frame) -> UnitId {
    if let Frame::DropFlak(unit) = frame { unit } else { UnitId::default() }
}

fn strength(cx: &Cx) -> (bool, u8) {
    let hex = cx.s.unit(target(cx.frame)).hex;
    cx.rules.flak(cx.s, cx.side, hex, &cx.rules.tables.flak.paradrop)
}

impl Question<Wurzburg> for DropFlak {
    fn asks(&self, rules: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(rules.counter(target(frame)).side.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        match strength(cx) {
            (false, _) => Some(Action::Hold),
            (true, 0) => Some(Action::Flak(0)),
            _ => None,
        }
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend((0..=strength(cx).1).rev().map(Action::Flak));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Flak(announced) => {
                let most = strength(cx).1;
                if *announced > most {
                    return cx.rules.no("27.2.2", "air.flak").number("most", i64::from(most)).into();
                }
                Ok(())
            }
            Action::Hold | Action::Done => cx.rules.no("27.2.2", "air.must_fire").into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        let unit = target(play.s.top());
        play.pop();
        let Action::Flak(announced) = action else { return Ok(()) };
        if roll(play, side, *announced)? != AntiAircraftResult::NoEffect {
            play.lose_otherwise(unit, 1);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.flak", "27.2.2")
    }
}

/// 29.5.1 item 5: a roll for each survivor; the frame has already been popped.
pub fn disorganize(play: &mut Play) -> Result<(), Stop> {
    let side = play.s.op.side;
    let dropped = play.s.sky.dropped.clone();
    let survivors: Units = dropped.iter().copied().filter(|unit| play.s.unit(*unit).on_map()).collect();
    for unit in &survivors {
        let roll = play.roll(side, 0, "roll.disorganization", "29.5.1")?;
        let lost = play.rules.tables.disorganized.contains(roll);
        play.tell(Event::Disorganization { unit: *unit, roll, lost });
        if lost {
            play.lose_otherwise(*unit, 1);
        }
    }
    for unit in survivors {
        let hex = play.s.unit(unit).hex;
        if play.s.unit(unit).on_map() {
            set_down(play, side, &[unit].into_iter().collect(), hex)?;
        }
    }
    Ok(())
}
