//! Whoever must give way: bridges that may be blown (5.4), flight (14.3), retreats (13).

use hexgrid::HexId;
use kernel::{Dice, Log, Refusal, Stop};
use rulebook::flow::Question;
use zocbond::{Piece, UnitId};

use crate::action::{Action, Subject};
use crate::event::Event;
use crate::flow::{At, Cx, Play, assert_legal};
use crate::frame::{Combat, CombatStep, Frame, Stage};
use crate::options::Switch;
use crate::pack::Side;
use crate::refusal::{Legal, not_now, refuse};
use crate::state::{Marks, Order, State};
use crate::world::Holland;

/// The hexes of a flight (14.3).
const FLIGHT: u8 = 2;

/// 5.4
#[derive(Debug)]
pub struct Demolition;

impl Demolition {
    /// A bridge that can no longer be tried.
    fn moot(rules: &Holland, s: &State) -> Option<u16> {
        let Frame::Demolition { bridge, others, .. } = s.frame() else { return None };
        std::iter::once(bridge).chain(others).copied().find(|b| !rules.may_blow_now(s, *b))
    }
}

impl Question<Holland> for Demolition {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s).filter(|_| Self::moot(rules, s).is_none())
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Frame::Demolition { bridge, others, .. } = cx.s.frame() {
            out.extend(std::iter::once(bridge).chain(others).map(|b| Subject::Bridge(*b)));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Frame::Demolition { bridge, others, .. }, Subject::Bridge(b)) = (cx.s.frame(), subject) else {
            return;
        };
        if b == *bridge {
            out.extend([Action::Blow(b), Action::Hold]);
        } else if others.contains(b) {
            out.extend([Action::Blow(b), Action::HoldAt(b)]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::Demolition { bridge, others, .. } = cx.s.frame() else { return Ok(not_now()?) };
        match action {
            Action::Hold => Ok(()),
            Action::Blow(b) | Action::HoldAt(b) if b == bridge || others.contains(*b) => Ok(()),
            Action::Blow(_) | Action::HoldAt(_) => Ok(refuse("5.4", "refuse.demolition")?), // 8.10
            _ => Ok(not_now()?),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Play { rules, s, dice, log } = play;
        let Frame::Demolition { bridge: first, crossing, .. } = *s.frame() else { return Ok(()) };
        match *action {
            Action::Blow(bridge) => {
                rules.leave_bridge(s, bridge);
                let blown = rules.blow(s, bridge, dice, log)?;
                if let Some(Frame::Combat(c)) = s.frames.last_mut()
                    && c.step == CombatStep::Bridges
                {
                    c.blown |= blown; // 9.4 step 2
                }
            }
            Action::HoldAt(bridge) => rules.hold_bridge(s, bridge, crossing, log),
            _ => rules.hold_bridge(s, first, crossing, log),
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.demolition", "5.4")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Hold)
    }
}

/// 14.3: units in Full Retreat flee.
#[derive(Debug)]
pub struct Flight;

/// What becomes of a unit that does not flee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It has gone already, or has recovered.
    Spared,
    LosesStep,
    Lost,
}

impl Flight {
    /// A unit whose flight needs no decision.
    fn settled(rules: &Holland, s: &State) -> Option<(UnitId, Fate)> {
        let Frame::Flight(units) = s.frame() else { return None };
        units.iter().find_map(|unit| Self::fate(rules, s, *unit).map(|fate| (*unit, fate)))
    }

    fn fate(rules: &Holland, s: &State, unit: UnitId) -> Option<Fate> {
        let u = s.unit(unit);
        if u.hex().is_none() || u.order != Order::FullRetreat {
            return Some(Fate::Spared);
        }
        let again = u.has(Marks::FLED);
        if again && rules.on(Switch::FullRetreatZoc) {
            return Some(Fate::LosesStep); // 14.3, H-19: the alternative reading
        }
        let lost = again || !rules.can_retreat(s, unit, FLIGHT) && !rules.has_exit(s, unit, FLIGHT);
        lost.then_some(Fate::Lost) // 14.3
    }
}

impl Question<Holland> for Flight {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s).filter(|_| Self::settled(rules, s).is_none())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Frame::Flight(units) = cx.s.frame() else { return None };
        cx.rules.only_retreat(cx.s, units, FLIGHT)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Frame::Flight(units) = cx.s.frame() {
            out.extend(units.iter().map(|u| Subject::Unit(*u)));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Frame::Flight(units), Subject::Unit(unit)) = (cx.s.frame(), subject) else { return };
        if units.contains(unit) {
            cx.rules.list_retreats(cx, unit, FLIGHT, out);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::Flight(units) = cx.s.frame() else { return Ok(not_now()?) };
        match action {
            Action::Retreat { unit, path } if units.contains(*unit) => {
                Ok(cx.rules.check_route(cx.s, *unit, FLIGHT, path)?)
            }
            Action::RetreatOut { unit, path } if units.contains(*unit) => {
                Ok(cx.rules.check_exit(cx.s, *unit, FLIGHT, path)?)
            }
            _ => Ok(not_now()?),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Play { rules, s, dice, log } = play;
        match action {
            Action::Retreat { unit, path } => rules.flee(s, *unit, path, dice, log),
            Action::RetreatOut { unit, path } => {
                rules.retreat_out(s, *unit, path, log);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.flight", "14.3")
    }
}

/// 13.1
#[derive(Debug)]
pub struct Length;

impl Question<Holland> for Length {
    /// A unit that is lost in any case has no choice.
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        let Frame::Combat(c) = s.frame() else { return None };
        let moot = c.retreating.iter().all(|u| rules.doomed(s, c, *u) || rules.cannot_retreat(s, *u));
        rules.decider(s).filter(|_| !moot)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            let lengths = [Action::Length(2), Action::Length(3)];
            out.extend(lengths.into_iter().filter(|length| self.check(cx, length).is_ok()));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (Frame::Combat(c), Action::Length(n)) = (cx.s.frame(), action) else { return Ok(not_now()?) };
        Ok(check_length(cx.rules, c, *n)?)
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let (Frame::Combat(mut c), Action::Length(n)) = (*play.s.frame(), action) {
            c.length = *n;
            play.rules.begin_retreat(play.s, c);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.length", "13.1")
    }
}

/// 13.1: whether the result allows a retreat of so many hexes.
pub fn check_length(rules: &Holland, c: &Combat, n: u8) -> Legal {
    if rules.effect(c).retreat.is_some_and(|[low, high]| (low..=high).contains(&n)) {
        Ok(())
    } else {
        refuse("13.1", "refuse.length") // 13.1
    }
}

/// 13.2
#[derive(Debug)]
pub struct Retreat;

impl Retreat {
    /// A unit that is lost because it cannot retreat (13.3).
    fn lost(rules: &Holland, s: &State, c: &Combat) -> Option<UnitId> {
        c.retreating.iter().copied().find(|u| {
            rules.doomed(s, c, *u) || !rules.can_retreat(s, *u, c.length) && !rules.has_exit(s, *u, c.length)
        })
    }
}

impl Question<Holland> for Retreat {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        let Frame::Combat(c) = s.frame() else { return None };
        rules.decider(s).filter(|_| !c.retreating.is_empty() && Self::lost(rules, s, c).is_none())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Frame::Combat(c) = cx.s.frame() else { return None };
        cx.rules.only_retreat(cx.s, &c.retreating, c.length)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Frame::Combat(c) = cx.s.frame() {
            out.extend(c.retreating.iter().map(|u| Subject::Unit(*u)));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Frame::Combat(c), Subject::Unit(unit)) = (cx.s.frame(), subject) else { return };
        if c.retreating.contains(unit) {
            cx.rules.list_retreats(cx, unit, c.length, out);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::Combat(c) = cx.s.frame() else { return Ok(not_now()?) };
        match action {
            Action::Retreat { unit, .. } | Action::RetreatOut { unit, .. }
                if !c.retreating.contains(*unit) =>
            {
                Ok(refuse("13.2", "refuse.not_next")?) // 13.2
            }
            Action::Retreat { unit, path } => Ok(cx.rules.check_route(cx.s, *unit, c.length, path)?),
            Action::RetreatOut { unit, path } => Ok(cx.rules.check_exit(cx.s, *unit, c.length, path)?),
            _ => Ok(not_now()?),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Play { rules, s, dice, log } = play;
        match action {
            Action::Retreat { unit, path } => rules.retreat_by(s, *unit, path, dice, log)?,
            Action::RetreatOut { unit, path } => rules.retreat_out(s, *unit, path, log),
            _ => {}
        }
        forget_gone(s);
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.retreat", "13.2")
    }
}

/// Units that have left the hex no longer retreat.
fn forget_gone(s: &mut State) {
    let Frame::Combat(mut c) = *s.frame() else { return };
    c.retreating.retain(|u| s.unit(u).hex() == Some(c.target));
    if let Some(frame) = s.frames.last_mut() {
        *frame = Frame::Combat(c);
    }
}

impl Holland {
    /// 5.4: a bridge that can no longer be tried is not asked about.
    pub fn leave_moot_bridge(&self, s: &mut State) {
        if let Some(bridge) = Demolition::moot(self, s) {
            self.leave_bridge(s, bridge);
        }
    }

    /// 14.3: a unit whose flight needs no decision.
    pub fn flee_or_fall(&self, s: &mut State, log: &mut Log<Event>) {
        let Some((unit, fate)) = Flight::settled(self, s) else { return };
        self.has_gone(s, unit);
        match fate {
            Fate::Spared => {}
            Fate::LosesStep => {
                self.lose_step(s, unit, log);
            }
            Fate::Lost => self.eliminate(s, unit, log),
        }
    }

    /// 14.3
    fn flee(
        &self,
        s: &mut State,
        unit: UnitId,
        route: &[HexId],
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.has_gone(s, unit);
        self.fall_back(s, unit, route, log);
        s.unit_mut(unit).mark(Marks::FLED, true);
        self.reveal_along(s, unit, route, dice, log)
    }

    /// 13: the length of a retreat about which there is no choice, a unit that is lost, or the end of the retreats.
    pub fn go_on_retreating(&self, s: &mut State, log: &mut Log<Event>) {
        let Frame::Combat(c) = *s.frame() else { return };
        if c.step == CombatStep::Length {
            self.begin_retreat(s, c);
        } else if let Some(unit) = Retreat::lost(self, s, &c) {
            self.eliminate(s, unit, log); // 13.3
            forget_gone(s);
        } else {
            self.end_of_retreat(s, c, log);
        }
    }

    /// The last unit that retreats or flees has no choice if there is only one path.
    fn only_retreat(&self, s: &State, units: &[UnitId], length: u8) -> Option<Action> {
        let &[unit] = units else { return None };
        if self.has_exit(s, unit, length) {
            return None;
        }
        self.with_routes(s, unit, length, |routes| match *routes {
            [path] => Some(Action::Retreat { unit, path }),
            _ => None,
        })
    }

    fn list_retreats(&self, cx: &Cx, unit: UnitId, length: u8, out: &mut Vec<Action>) {
        let from = out.len();
        self.with_routes(cx.s, unit, length, |routes| {
            out.extend(routes.iter().map(|path| Action::Retreat { unit, path: *path }));
        });
        self.each_exit(cx.s, unit, length, |path, _| out.push(Action::RetreatOut { unit, path }));
        assert_legal(cx, &out[from..]);
    }

    fn check_route(&self, s: &State, unit: UnitId, length: u8, path: &[HexId]) -> Legal {
        if self.with_routes(s, unit, length, |routes| routes.iter().any(|r| r[..] == *path)) {
            Ok(())
        } else {
            refuse("13.2", "refuse.route") // 13.2
        }
    }

    fn check_exit(&self, s: &State, unit: UnitId, length: u8, path: &[HexId]) -> Legal {
        let mut open = false;
        self.each_exit(s, unit, length, |way, _| open |= way[..] == *path);
        if open {
            Ok(())
        } else {
            refuse("13.7", "refuse.leave") // 13.7
        }
    }
}
