//! Plays the same game again through a session: replay, undo, takeback, resuming, proof.

use std::sync::Arc;

use rand_core::RngCore;

use super::{Fault, Property, Trail, fault, pick, rng};
use crate::board::Board;
use crate::dice::seed_from_number;
use crate::{Game, GameInfo, Journal, Seat, SeatInfo, Session, Setup, SetupError, Table};

/// Play the trail's decisions in a session and go back and forth in it.
pub(super) fn check(
    game: &Arc<dyn Game>,
    setup: &Setup,
    number: u64,
    trail: &mut Trail,
) -> Result<(), Fault> {
    let replay = |what: String| fault(Property::Replay, what);
    let seed = seed_from_number(number);
    let mut rng = rng(!number);
    let mut session =
        Session::open(Arc::clone(game), setup.clone(), seed).map_err(|e| replay(e.to_string()))?;
    // At a random point the session is saved and resumed.
    let pause = pick(&mut rng, trail.steps.len() + 1);
    let back_to = pick(&mut rng, trail.steps.len() + 1);
    let mut then = None;
    for n in 0..=trail.steps.len() {
        if n == pause
            && let Some(snapshot) = session.snapshot()
        {
            let before = session.table().snapshot();
            let journal = session.journal().clone();
            session = Session::resume(Arc::clone(game), journal, Some(seed), Some(snapshot))
                .map_err(|e| replay(format!("resuming after decision {n}: {e}")))?;
            same(&session, &before, Property::Replay, "resuming from a snapshot")?;
        }
        if n == back_to {
            then = Some(session.table().snapshot());
        }
        let Some(step) = trail.steps.get(n) else { break };
        let before = rng.next_u32().is_multiple_of(4).then(|| session.table().clone_table());
        let act = |session: &mut Session| {
            let done = session
                .act(step.seat, &step.action)
                .map_err(|e| replay(format!("decision {n}, `{}`, now: {e}", step.action)))?;
            if done.applied.rolls != step.rolls {
                return Err(replay(format!(
                    "decision {n}, `{}`, rolled {:?} and now {:?}",
                    step.action, step.rolls, done.applied.rolls
                )));
            }
            Ok(())
        };
        act(&mut session)?;
        if let Some(before) = before
            && session.undoable(step.seat) == Ok(n)
        {
            session.undo(step.seat).map_err(|e| fault(Property::Undo, format!("decision {n}: {e}")))?;
            same(&session, &before.snapshot(), Property::Undo, &format!("undo of `{}`", step.action))?;
            act(&mut session)?;
            trail.summary.undone += 1;
        }
    }
    same(&session, &trail.end, Property::Replay, "playing the same game again")?;

    let mut journal = session.journal().clone();
    journal.reveal(&seed);
    let read = Journal::import(&journal.export()).map_err(|e| replay(format!("the exported file: {e}")))?;
    if read != journal {
        return Err(replay("the exported journal is read back as another".into()));
    }
    let table = read.replay(&**game).map_err(|e| replay(e.to_string()))?;
    if table.snapshot() != trail.end {
        return Err(replay("replay from the journal leads to another state".into()));
    }
    read.prove(&**game).map_err(|e| replay(format!("the dice cannot be proved: {e}")))?;

    if let (Some(then), true) = (then, back_to < session.len()) {
        let undo = |e: crate::Refusal| fault(Property::Undo, format!("takeback to decision {back_to}: {e}"));
        session.request_takeback(Seat(0), Some(back_to)).map_err(undo)?;
        let seats = game.info().seats.len() as u8;
        for seat in 1..seats {
            session.answer_takeback(Seat(seat), true).map_err(undo)?;
        }
        same(&session, &then, Property::Undo, &format!("takeback to decision {back_to}"))?;
    }
    Ok(())
}

fn same(session: &Session, wanted: &serde_json::Value, property: Property, what: &str) -> Result<(), Fault> {
    if session.table().snapshot() == *wanted {
        Ok(())
    } else {
        Err(fault(property, format!("{what} leads to another state")))
    }
}

/// A game that always starts from one table.
struct Fixed {
    info: GameInfo,
    start: Box<dyn Table>,
}

const ID: &str = "testkit";

pub(super) fn fixed_setup() -> Setup {
    Setup { game: ID.into(), scenario: "start".into(), ..Setup::default() }
}

pub(super) fn fixed(start: Box<dyn Table>, seats: u8) -> Arc<dyn Game> {
    let seat = |n: u8| SeatInfo { id: format!("seat{n}"), name: format!("seat{n}"), colour: String::new() };
    let info = GameInfo {
        id: ID.into(),
        name: ID.into(),
        about: String::new(),
        seats: (0..seats).map(seat).collect(),
        ..GameInfo::default()
    };
    Arc::new(Fixed { info, start })
}

impl Game for Fixed {
    fn info(&self) -> &GameInfo {
        &self.info
    }
    fn open(&self, _: &Setup) -> Result<Box<dyn Table>, SetupError> {
        Ok(self.start.clone_table())
    }
    fn lab(&self, _: &toml::Table) -> Result<Box<dyn crate::lab::LabTable>, SetupError> {
        Err(SetupError::Bad("a fixed position has no lab".into()))
    }
    fn messages(&self, _: &str) -> Option<&'static str> {
        None
    }
    fn board(&self, _: &Setup) -> Result<Board, SetupError> {
        Ok(Board::default())
    }
    fn map_svg(&self, _: &Setup, _: &str) -> Result<String, SetupError> {
        Ok(String::new())
    }
}
