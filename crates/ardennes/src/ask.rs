//! Questions about a position: the lab's `ask`, and what the client shows on pointing.

use kernel::{Ask, Viewer};
use serde_json::Value;

use crate::{rules::Ardennes, state::State};

pub fn ask(_rules: &Ardennes, _s: &State, _viewer: Viewer, question: &str) -> Result<Value, Ask> {
    Err(Ask::Unknown(question.to_owned()))
}
