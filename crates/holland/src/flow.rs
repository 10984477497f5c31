//! The table from frames to what they do ([`rulebook::flow`]). Adding a frame means adding its line here; nothing else lists them.

use kernel::{Dice, Log, Refusal, Seat, Stop};
use rulebook::flow::{self, Does, Flow, Question};

use crate::action::{Action, Subject};
use crate::event::{Event, seat};
use crate::frame::{Combat, CombatStep, Frame, Phase, Stage};
use crate::pack::{Chooser, Side};
use crate::questions::{fighting, moving, phases, results, yielding};
use crate::refusal::{Legal, NOT_NOW, not_awaited, refuse};
use crate::state::State;
use crate::world::Holland;

/// A question about a position: what one side may do at a frame.
pub type Cx<'a> = flow::Cx<'a, Holland>;

/// Who decided, and at which frame.
pub type At = flow::At<Holland>;

/// A position being changed.
#[derive(Debug)]
pub struct Play<'a> {
    pub rules: &'a Holland,
    pub s: &'a mut State,
    pub dice: &'a mut Dice,
    pub log: &'a mut Log<Event>,
}

impl Play<'_> {
    /// Runs until a side must decide or the game is over.
    pub fn settle(&mut self) -> Result<(), Stop> {
        flow::settle::<Holland>(self)
    }

    /// Carries out a decision that has been checked, without what follows from it.
    pub fn decide(&mut self, action: &Action) -> Result<(), Stop> {
        let (Some(side), Some(frame)) = (self.rules.decider(self.s), self.s.frame().stage()) else {
            return Ok(());
        };
        flow::apply(self, At { side, frame }, action)
    }

    /// The combat on top.
    pub fn combat(&mut self) -> Option<&mut Combat> {
        match self.s.frames.last_mut() {
            Some(Frame::Combat(c)) => Some(c),
            _ => None,
        }
    }
}

impl Flow for Holland {
    type Frame = Stage;
    type Side = Side;
    type Play<'a> = Play<'a>;
    const PHASE: Subject = Subject::Phase;

    fn does(stage: Stage) -> Does<Holland> {
        use Does::{Asks, Runs};
        match stage {
            Stage::Phase(_, phase) => match phase {
                Phase::Weather => Asks(&phases::Quiet { prompt: ("prompt.weather", "4.1") }),
                Phase::Recovery => Asks(&phases::Quiet { prompt: ("prompt.recovery", "14.4") }),
                Phase::Supply => Asks(&phases::Quiet { prompt: ("prompt.supply", "18.1") }),
                Phase::Replacement => Asks(&phases::Replacement),
                Phase::Artillery => Asks(&phases::Artillery),
                Phase::Bridge => Asks(&phases::Bridges),
                Phase::Airlanding => Asks(&phases::Airlanding),
                Phase::Movement => Asks(&moving::Movement),
                Phase::Combat => Asks(&fighting::Attacks),
                Phase::Traffic => Asks(&phases::Traffic),
            },
            Stage::Moving => Runs(|play, _| play.rules.march_on(play.s, play.dice, play.log)),
            Stage::Halted => Asks(&moving::Halted),
            Stage::Withdrawal => Asks(&moving::Withdrawal),
            Stage::Advancing => Runs(|play, _| play.rules.advance_on(play.s, play.dice, play.log)),
            Stage::Demolition => Asks(&yielding::Demolition),
            Stage::Flight => Asks(&yielding::Flight),
            Stage::Combat(step) => match step {
                CombatStep::Bridges => Runs(|play, _| {
                    play.rules.begin_combat(play.s, play.log);
                    Ok(())
                }),
                CombatStep::CallOff => Asks(&fighting::CallOff),
                CombatStep::Support => Asks(&fighting::Support),
                CombatStep::Roll => Runs(|play, _| play.rules.roll_combat(play.s, play.dice, play.log)),
                CombatStep::AttackerLoss => Asks(&results::AttackerLoss),
                CombatStep::DefenderLoss => Asks(&results::DefenderLoss),
                CombatStep::Stand => Asks(&results::Stand),
                CombatStep::StandLoss { .. } => Asks(&results::StandLoss),
                CombatStep::Length => Asks(&yielding::Length),
                CombatStep::Retreat => Asks(&yielding::Retreat),
                CombatStep::Advance(_) => Asks(&results::Advances),
                CombatStep::Breakthrough => Asks(&fighting::Breakthrough),
            },
        }
    }

    fn top(play: &Play) -> Option<Stage> {
        play.s.frame().stage()
    }

    /// Most frames stay on the stack as long as their work lasts and take themselves off. A question that nobody has to answer is
    /// settled here: its bridge, unit or step is skipped, or suffers what needs no decision.
    fn take_off(play: &mut Play, stage: Stage) {
        match stage {
            Stage::Halted => {
                play.s.frames.pop();
            }
            Stage::Withdrawal => play.rules.leave_behind(play.s),
            Stage::Demolition => play.rules.leave_moot_bridge(play.s),
            Stage::Flight => play.rules.flee_or_fall(play.s, play.log),
            Stage::Combat(CombatStep::AttackerLoss | CombatStep::DefenderLoss) => {
                play.rules.pass_loss(play.s, play.log);
            }
            Stage::Combat(CombatStep::Length | CombatStep::Retreat) => {
                play.rules.go_on_retreating(play.s, play.log);
            }
            Stage::Phase(..) | Stage::Moving | Stage::Advancing | Stage::Combat(_) => {}
        }
    }

    fn position<'a>(play: &'a Play) -> (&'a Holland, &'a State) {
        (play.rules, play.s)
    }

    fn reach(play: &mut Play, question: &dyn Question<Holland>, at: At) -> Option<Action> {
        let cx = Cx { rules: play.rules, s: play.s, side: at.side, frame: at.frame };
        question.forced(&cx)
    }

    fn not_now(&self) -> Refusal {
        NOT_NOW.into()
    }
}

impl Holland {
    /// Who decides at the frame on top; nobody when the game is over.
    pub fn decider(&self, s: &State) -> Option<Side> {
        Some(match s.frame() {
            Frame::Over => return None,
            Frame::Phase(side, _) => *side,
            Frame::Moving { party, .. } | Frame::Halted { party, .. } => self.counter(party.units[0]).side,
            Frame::Withdrawal(units) => self.counter(units[0]).side,
            Frame::Flight(units) => self.counter(units[0]).side,
            Frame::Advancing { unit, .. } => self.counter(*unit).side,
            Frame::Demolition { .. } => Side::German,
            Frame::Combat(c) => match c.step {
                CombatStep::Bridges
                | CombatStep::CallOff
                | CombatStep::Support
                | CombatStep::Roll
                | CombatStep::Advance(_)
                | CombatStep::Breakthrough => c.side,
                CombatStep::Stand | CombatStep::Length | CombatStep::Retreat => c.side.enemy(),
                CombatStep::StandLoss { chooser, .. } => chooser, // 12.4
                CombatStep::AttackerLoss | CombatStep::DefenderLoss => {
                    let loser = if c.step == CombatStep::AttackerLoss { c.side } else { c.side.enemy() };
                    match self.effect(c).chooser {
                        Chooser::Owner => loser,
                        Chooser::Opponent => loser.enemy(), // 11.3
                    }
                }
            },
        })
    }

    /// The seat that must decide; `None` when the game is over.
    pub fn awaited(&self, s: &State) -> Option<Seat> {
        self.decider(s).map(seat)
    }

    /// The question before a seat, if it is the one that must decide.
    pub fn cx<'a>(&'a self, s: &'a State, who: Seat) -> Option<Cx<'a>> {
        let side = self.decider(s).filter(|side| seat(*side) == who)?;
        Some(Cx { rules: self, s, side, frame: s.frame().stage()? })
    }

    /// Both `verdict` and `apply` call this, so they cannot disagree.
    pub fn check(&self, s: &State, who: Seat, action: &Action) -> Result<(), Refusal> {
        self.check_now(s, who, action).map_err(|refusal| {
            // A decision at the wrong time is refused by the rule that says when it is taken.
            if refusal.is_out_of_turn() { Refusal::out_of_turn(action.rule(), refusal.why) } else { refusal }
        })
    }

    fn check_now(&self, s: &State, who: Seat, action: &Action) -> Result<(), Refusal> {
        let cx = self.cx(s, who).ok_or_else(not_awaited)?;
        if let (Frame::Combat(c), Action::Length(n)) = (s.frame(), action) {
            yielding::check_length(self, c, *n)?; // 13.1: whenever it is chosen
        }
        flow::check(&cx, action)
    }

    pub fn own(&self, side: Side, unit: zocbond::UnitId) -> Legal {
        let mine = self.counters.get(unit.index()).is_some_and(|c| c.side == side);
        if mine { Ok(()) } else { refuse("-", "refuse.not_yours") }
    }
}

/// Removes the illegal actions from the list, beginning at index `from`.
pub fn keep_legal(out: &mut Vec<Action>, from: usize, mut may: impl FnMut(&Action) -> Legal) {
    let mut kept = from;
    for i in from..out.len() {
        if may(&out[i]).is_ok() {
            out.swap(kept, i);
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Actions that a rule has listed itself are legal; debug builds check each of them.
pub fn assert_legal(cx: &Cx, listed: &[Action]) {
    debug_assert!(listed.iter().all(|action| flow::check(cx, action).is_ok()));
}
