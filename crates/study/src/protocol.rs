//! The line protocol between a host and a program that plays (`docs/ENGINE.md`): one JSON object per line, each with a
//! `type`. The host sends the position and asks for a decision; meanwhile the program may ask back what is legal.

use kernel::{Applied, Seat, Secrecy, Setup, Table, Verdict, View, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Incremented when an old program would no longer understand a host.
pub const VERSION: u32 = 1;

/// What a host says to a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToProgram {
    /// Answered by [`FromProgram::Ready`].
    Hello {
        protocol: u32,
        game: String,
    },
    /// Sets an option that the program offered in its `ready`.
    Option {
        name: String,
        value: String,
    },
    /// A new game begins, in which the program has this seat.
    Newgame {
        setup: Setup,
        seat: String,
        #[serde(default)]
        seed: u64,
    },
    /// The decisions since the start or, if `from` is not 0, after that many decisions.
    Position {
        #[serde(default)]
        from: usize,
        moves: Vec<Move>,
    },
    /// Decide: answered by [`FromProgram::Bestaction`], after any number of queries.
    Go {
        /// Milliseconds; none: no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        movetime: Option<u64>,
    },
    /// Decide now.
    Stop,
    /// The answer to a query of the program.
    Answer {
        id: u64,
        #[serde(default, skip_serializing_if = "Value::is_null")]
        result: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    Gameover {
        winner: Option<String>,
    },
    Quit,
    /// For programs that use ours as a rulebook: any query of [`Query`] about the position that was set.
    Query {
        id: u64,
        query: Query,
    },
}

/// What a program says to its host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromProgram {
    Ready {
        #[serde(default)]
        name: String,
        #[serde(default)]
        options: Vec<Offer>,
    },
    Bestaction {
        action: String,
        /// One sentence for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Any information while it thinks; hosts may show it.
    Info {
        #[serde(flatten)]
        facts: serde_json::Map<String, Value>,
    },
    Query {
        id: u64,
        query: Query,
    },
    Answer {
        id: u64,
        #[serde(default, skip_serializing_if = "Value::is_null")]
        result: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    Error {
        why: String,
    },
}

/// Something a host may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub name: String,
    pub default: String,
    #[serde(default)]
    pub values: Vec<String>,
}

/// A decision that was taken, as far as the program's seat may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    pub seat: String,
    /// None while the decision is secret; then its dice are hidden, too.
    pub action: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<u8>,
}

/// A question about the position, answered as the asker's seat may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Query {
    /// What the seat may act with.
    Subjects,
    /// What may be done with a subject.
    Options { subject: String },
    /// Is it legal, and if not, why?
    Verdict { action: String },
    /// Any legal decision, at random.
    Random,
    /// The position.
    View,
    /// The question put to the seat.
    Prompt,
    /// A question of the lab (`odds …`, `moves …`).
    Ask { question: String },
}

/// Answer a query for a seat.
pub fn answer(
    table: &dyn Table,
    seat: Seat,
    query: &Query,
    rng: &mut dyn rand_core::RngCore,
) -> Result<Value, String> {
    let json = |value: serde_json::Result<Value>| value.map_err(|e| e.to_string());
    match query {
        Query::Subjects => {
            Ok(table.subjects(seat).into_iter().map(|item| Value::from(item.subject)).collect())
        }
        Query::Options { subject } => match table.options(seat, subject) {
            Ok(options) => json(serde_json::to_value(options)),
            Err(refusal) => Err(refusal.to_string()),
        },
        Query::Verdict { action } => Ok(match table.verdict(seat, action) {
            Verdict::Legal => json!({ "legal": true }),
            Verdict::Illegal(refusal) => json!({ "legal": false, "why": refusal.to_string() }),
        }),
        Query::Random => {
            table.random_action(seat, rng).map(Value::from).ok_or_else(|| "no legal action was found".into())
        }
        Query::View => {
            let view: View = table.view(Viewer::Seat(seat));
            json(serde_json::to_value(view))
        }
        Query::Prompt => json(serde_json::to_value(table.prompt(seat))),
        Query::Ask { question } => table.ask(Viewer::Seat(seat), question).map_err(|e| e.to_string()),
    }
}

/// A decision as a player may know it while the game goes on: `own` if the player took it.
pub fn as_known_to(by: &str, own: bool, applied: &Applied) -> Move {
    if own || applied.secrecy == Secrecy::Open {
        let rolls = if own { applied.rolls.clone() } else { applied.rolls_for(Viewer::Spectator) };
        Move { seat: by.to_owned(), action: Some(applied.action.clone()), rolls }
    } else {
        Move { seat: by.to_owned(), action: None, rolls: Vec::new() }
    }
}
