//! What happened: events while a decision is applied, and the entries of the log that people read.

use serde::{Deserialize, Serialize};

use crate::{Dice, DiceError, Message, Seat, SeatSet, Viewer};

/// Collects a game's events while one decision is applied. Reused from decision to decision.
#[derive(Clone, Debug)]
pub struct Log<E> {
    events: Vec<Event<E>>,
    revealed: bool,
}

#[derive(Clone, Debug)]
pub enum Event<E> {
    Game(E),
    Roll(Roll),
}

/// One die as it fell. What it did (table, modifiers, result) is told by the game's own event that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// Who rolled, as the rules see it.
    pub seat: Seat,
    pub sides: u8,
    pub value: u8,
    /// The sum of all die-roll modifiers, which the table look-up adds to `value`.
    pub modifier: i8,
    /// Message key of what the roll was for, such as `roll.fire_fight`.
    pub purpose: &'static str,
    pub rule: &'static str,
}

impl<E> Default for Log<E> {
    fn default() -> Self {
        Log { events: Vec::new(), revealed: false }
    }
}

impl<E> Log<E> {
    pub fn push(&mut self, event: E) {
        self.events.push(Event::Game(event));
    }

    /// Roll a die and note it. `modifier` is the sum of the modifiers that will be added by the table look-up.
    pub fn roll(
        &mut self,
        dice: &mut Dice,
        seat: Seat,
        sides: u8,
        modifier: i8,
        purpose: &'static str,
        rule: &'static str,
    ) -> Result<u8, DiceError> {
        let value = dice.roll(sides)?;
        self.events.push(Event::Roll(Roll { seat, sides, value, modifier, purpose, rule }));
        Ok(value)
    }

    /// Something hidden was shown: undo may not go back beyond this decision.
    pub fn reveal(&mut self) {
        self.revealed = true;
    }

    pub fn revealed(&self) -> bool {
        self.revealed
    }

    pub fn events(&self) -> &[Event<E>] {
        &self.events
    }

    pub fn clear(&mut self) {
        self.events.clear();
        self.revealed = false;
    }
}

/// Who may read a log entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    #[default]
    All,
    /// Only these seats (and the referee).
    Only(SeatSet),
}

impl Audience {
    pub fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Audience::All, _) | (_, Viewer::Referee) => true,
            (Audience::Only(seats), Viewer::Seat(seat)) => seats.contains(seat),
            (Audience::Only(_), Viewer::Spectator) => false,
        }
    }
}

/// One line of the battle report, ready for any client: words as a [`Message`], facts for animation as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Entry {
    #[serde(default)]
    pub audience: Audience,
    pub seat: Option<Seat>,
    pub message: Message,
    /// How weighty the line is: 0 a heading (turn, phase), 1 a deed, 2 a detail (a die, a modifier).
    pub level: u8,
    /// Machine-readable facts: `{"kind":"move","unit":…,"path":[…]}`, `{"kind":"roll","sides":6,"value":4,…}`.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub data: serde_json::Value,
}
