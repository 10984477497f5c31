//! US armored cavalry screens WP forces (41.2).

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Part, Subject, Units},
    event::Event,
    fire::retreat_hexes,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Mine, State},
    units::{Side, UnitId, UnitSet, set_of},
};

impl Wurzburg {
    /// 41.2: a maneuver unit of a cavalry formation.
    pub fn cavalry(&self, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        counter.symbol.maneuver() && self.formation(counter.formation).cavalry()
    }

    /// 41.2.2, 41.2.3 item 5: hexes that screening cavalry may retreat to, never adjacent to a WP unit.
    fn screen_hexes(&self, s: &State, unit: UnitId) -> SmallVec<[HexId; 6]> {
        let from = s.unit(unit).hex;
        let open = |direction: Direction| {
            let hex = self.field.neighbour(from, direction)?;
            let barred = self.retreat_prohibited(s, unit, from, direction);
            (!barred && !self.next_to(s, hex, Side::Wp)).then_some(hex)
        };
        let open: SmallVec<[HexId; 6]> = Direction::ALL.into_iter().filter_map(open).collect();
        // Of those, the best by the Retreat Priorities Chart.
        let best: SmallVec<[HexId; 6]> =
            retreat_hexes(self, s, unit).into_iter().filter(|hex| open.contains(hex)).collect();
        if best.is_empty() { open } else { best }
    }

    /// 41.2.3: whether a cavalry unit may screen against the force.
    pub fn may_screen(&self, s: &State, unit: UnitId, force: &UnitSet) -> Result<(), Refusal> {
        let u = s.unit(unit);
        let no = |key| self.no("41.2.3", key).unit("unit", unit).into();
        if !self.cavalry(unit) || !u.on_map() || u.dummy() {
            return no("screen.not_cavalry");
        }
        if u.is(Flags::DISRUPTED) {
            return no("screen.disrupted"); // item 1
        }
        if self.around(s, u.hex, Side::Wp).iter().any(|other| !force.contains(*other)) {
            return no("screen.pinned"); // item 2
        }
        let formation = self.counter(unit).formation;
        let mixed = |other: &UnitId| !self.cavalry(*other) || self.counter(*other).formation != formation;
        if self.stack(s, Side::Nato, u.hex).iter().any(mixed) {
            return no("screen.mixed"); // item 3
        }
        if s.minefield(u.hex) != Mine::None {
            return no("screen.mines"); // item 4
        }
        if self.screen_hexes(s, unit).is_empty() {
            return no("screen.nowhere"); // item 5
        }
        // 41.2.7: not units that have just retreated from the Objective Hex.
        if s.op.retreated.contains(unit) {
            return self.no("41.2.7", "screen.retreated").unit("unit", unit).into();
        }
        Ok(())
    }

    /// The cavalry adjacent to a hex that may screen against the force in it.
    fn screeners(&self, s: &State, hex: HexId, force: &UnitSet) -> Units {
        let near = self.around(s, hex, Side::Nato);
        near.into_iter().filter(|unit| self.may_screen(s, *unit, force).is_ok()).collect()
    }
}

/// 41.2: a WP force has moved adjacent to cavalry.
pub fn offer(play: &mut Play) {
    let force = play.s.walk.force;
    let Some(first) = force.iter().next() else { return };
    let hex = play.s.unit(first).hex;
    if play.rules.counter(first).side == Side::Wp && !play.s.walk.screened {
        ask(play, force, hex);
    }
}

/// 41.2.7: or by advance.
pub fn offer_advance(play: &mut Play, force: UnitSet) {
    let Some(first) = force.iter().next() else { return };
    if play.rules.counter(first).side == Side::Wp {
        let hex = play.s.unit(first).hex;
        ask(play, force, hex);
    }
}

/// 41.2.6: or by retreat.
pub fn offer_retreat(play: &mut Play, force: UnitSet, hex: HexId) {
    let Some(first) = force.iter().next() else { return };
    if play.rules.counter(first).side == Side::Wp {
        ask(play, force, hex);
    }
}

fn ask(play: &mut Play, force: UnitSet, hex: HexId) {
    if !play.rules.screeners(play.s, hex, &force).is_empty() {
        // Units that retreated to several hexes wait together; the force is what is in one hex.
        let waiting = play.s.frames.iter().any(|frame| matches!(frame, Frame::Screen(_)));
        play.s.op.screened = if waiting { &play.s.op.screened | &force } else { force };
        play.push(Frame::Screen(hex));
    }
}

/// The force to be screened.
fn screened(s: &State, hex: HexId) -> UnitSet {
    set_of(s.op.screened.iter().filter(|unit| s.unit(*unit).hex == hex))
}

fn place(frame: Frame) -> HexId {
    if let Frame::Screen(hex) = frame { hex } else { HexId::NONE }
}

fn screeners(cx: &Cx) -> Units {
    let hex = place(cx.frame);
    cx.rules.screeners(cx.s, hex, &screened(cx.s, hex))
}

/// 41.2: whether to screen, and with which units.
#[derive(Debug)]
pub struct Screen;

impl Question<Wurzburg> for Screen {
    fn asks(&self, _: &Wurzburg, _: &State, _: Frame) -> Option<Side> {
        Some(Side::Nato)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        screeners(cx).is_empty().then_some(Action::Hold)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let units = screeners(cx);
        out.extend(units.into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let units = screeners(cx);
        match subject {
            Subject::Phase => {
                out.push(Action::Hold);
                if units.len() > 1 {
                    out.push(Action::Screen(units));
                }
            }
            Subject::Unit(unit) if units.contains(&unit) => {
                out.push(Action::Screen([unit].into_iter().collect()));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let hex = place(cx.frame);
        match action {
            Action::Hold | Action::Done => Ok(()),
            Action::Screen(units) if !units.is_empty() => {
                for (n, unit) in units.iter().enumerate() {
                    cx.rules.own(Side::Nato, *unit)?;
                    cx.rules.may_screen(cx.s, *unit, &screened(cx.s, hex))?;
                    if !cx.rules.field.adjacent(cx.s.unit(*unit).hex, hex) || units[..n].contains(unit) {
                        return cx.rules.no("41.2", "screen.not_adjacent").unit("unit", *unit).into();
                    }
                }
                Ok(())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Action::Screen(units) = action else { return Ok(()) };
        // 41.2.1: one attempt per force
        play.s.walk.screened = true;
        play.s.op.tried = &play.s.op.tried | &play.s.walk.force;
        for unit in units {
            play.s.op.screeners.insert(*unit); // 41.2.6: no Retreat Fire
        }
        let roll = play.roll(Side::Nato, 0, "roll.screening", "41.2")?;
        // 41.2.4: the hex most favourable to NATO counts.
        let number = units
            .iter()
            .map(|unit| play.rules.tables.screening.of(play.rules.field.terrain(play.s.unit(*unit).hex)))
            .min()
            .unwrap_or(u8::MAX);
        let success = roll >= number;
        play.tell(Event::Screened { units: units.clone(), roll, success });
        play.use_up(units.clone());
        if success {
            if !play.s.walk.force.is_empty() {
                play.s.walk.halted = true; // 41.2.2
                play.s.op.stopped = &play.s.op.stopped | &play.s.walk.force;
            }
            play.s.op.screening = set_of(units.iter().copied());
            play.push(Frame::ScreenRetreat);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.screen", "41.2")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Hold)
    }
}

/// 41.2.2: screening units retreat one hex.
#[derive(Debug)]
pub struct ScreenRetreat;

impl Question<Wurzburg> for ScreenRetreat {
    fn asks(&self, _: &Wurzburg, _: &State, _: Frame) -> Option<Side> {
        Some(Side::Nato)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Some(unit) = cx.s.op.screening.iter().next() else { return Some(Action::Done) };
        match cx.rules.screen_hexes(cx.s, unit)[..] {
            [] => Some(Action::Done),
            [to] => Some(Action::Retreat { part: Part::all(unit), to }),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(cx.s.op.screening.iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && cx.s.op.screening.contains(unit)
        {
            let part = Part::all(unit);
            out.extend(cx.rules.screen_hexes(cx.s, unit).into_iter().map(|to| Action::Retreat { part, to }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Retreat { part, to } = action else { return Err(cx.rules.not_now()) };
        let unit = part.unit;
        if !cx.s.op.screening.contains(unit) || part.steps.is_some() {
            return cx.rules.no("41.2.2", "screen.not_cavalry").unit("unit", unit).into();
        }
        if cx.rules.screen_hexes(cx.s, unit).contains(to) {
            return Ok(());
        }
        cx.rules.no("41.2.2", "screen.nowhere").unit("unit", unit).into()
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Retreat { part, to } => {
                let from = play.s.unit(part.unit).hex;
                play.s.shift(part.unit, *to);
                play.s.op.screening.remove(part.unit);
                play.tell(Event::Retreated { unit: part.unit, from, to: *to });
                play.unmask(from);
                let one = set_of([part.unit]);
                crate::mines::retreated(play, &one, from, *to)?; // 18.4.5
                crate::gas::entered(play, &one, *to)?; // 18.4.6
                play.check_stack(Side::Nato, *to);
                if play.s.op.screening.is_empty() {
                    play.s.frames.retain(|frame| *frame != Frame::ScreenRetreat);
                }
            }
            _ => {
                play.pop();
                play.s.op.screening = UnitSet::EMPTY;
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.screen_retreat", "41.2.2")
    }
}
