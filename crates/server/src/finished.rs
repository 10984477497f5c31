//! A finished game to be replayed, for [`crate::review`] and [`crate::luck`].

use std::sync::Arc;

use kernel::journal::{Deed, Journal};
use kernel::{Applied, Dice, Game, Seat, Table, Viewer};

use crate::bots::BotProvider;
use crate::error::{Fault, Result};
use crate::protocol::Measure;

pub struct Finished {
    pub game: Arc<dyn Game>,
    pub bots: Arc<dyn BotProvider>,
    pub journal: Journal,
}

impl std::fmt::Debug for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Finished").field("game", &self.game_id()).finish_non_exhaustive()
    }
}

/// A decision in force.
#[derive(Debug)]
pub struct Move<'a> {
    pub seat: Seat,
    pub action: &'a str,
    pub rolls: &'a [u8],
}

impl Finished {
    pub fn game_id(&self) -> &str {
        &self.journal.setup.game
    }

    /// The position before the first decision.
    pub fn begin(&self) -> Result<Box<dyn Table>> {
        Ok(self.game.open(&self.journal.setup)?)
    }

    /// The worth of a position to a seat. `None` if the game is over and a bot judges: then it has none to tell.
    pub fn worth(&self, measure: Measure, table: &dyn Table, seat: Seat) -> Option<f64> {
        match measure {
            Measure::Points => self.bots.worth(self.game_id(), table, seat),
            Measure::Units => Some(units(table, seat)),
        }
    }

    /// The decisions in force.
    pub fn moves(&self) -> Result<Vec<Move<'_>>> {
        let live = self.journal.in_force().map_err(Fault::internal)?;
        let of = |n: usize| {
            let record = self.journal.records.get(n)?;
            match &record.deed {
                Deed::Act { action, rolls, .. } => Some(Move { seat: record.seat, action, rolls }),
                _ => None,
            }
        };
        Ok(live.into_iter().filter_map(of).collect())
    }
}

/// Replay a decision with the dice as they fell.
pub fn replay(table: &mut dyn Table, one: &Move<'_>) -> Result<Applied> {
    let mut dice = Dice::scripted(one.rolls.to_vec());
    table.apply(one.seat, one.action, &mut dice).map_err(Fault::internal)
}

/// Units of a side minus those of the others; a unit that has lost strength counts half.
fn units(table: &dyn Table, seat: Seat) -> f64 {
    let view = table.view(Viewer::Referee);
    let lost = |at: &str| matches!(at, "dead" | "gone" | "eliminated" | "due" | "pool");
    view.pieces
        .iter()
        .filter(|piece| !lost(&piece.at))
        .map(|piece| {
            let own = if piece.face.reduced { 0.5 } else { 1.0 };
            match piece.seat {
                Some(of) if of == seat => own,
                Some(_) => -own,
                None => 0.0,
            }
        })
        .sum()
}
