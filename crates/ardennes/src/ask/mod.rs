//! Questions about a position: the lab's `ask`, and what the client shows when the player points at something
//! (`docs/LAB.md`).

mod arrivals;
mod combat;
mod ground;
mod movement;
mod overlay;
mod pieces;
mod victory;
mod words;

use kernel::{Ask, Viewer};
use serde_json::Value;

use crate::{rules::Ardennes, state::State};
use words::Words;
pub use words::bare;

/// The answer to a question.
pub fn ask(rules: &Ardennes, s: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
    let plain = words::spaced(question);
    let mut words = Words::new(rules, s, &plain);
    let answer = match words.next()?.to_lowercase().as_str() {
        "zoc" => ground::zoc(rules, s, words.side()?),
        "bonds" => ground::bonds(rules, s, words.side()?),
        "control" => ground::control(rules, s, words.side_or_phasing()?),
        "threat" => movement::threat(rules, s, words.side_or_phasing()?),
        "arrivals" => arrivals::arrivals(rules, s, words.side_or_phasing()?),
        "hex" => ground::hex(rules, s, viewer, words.hex()?),
        "stack" => pieces::stack(rules, s, words.hex()?),
        "unit" => pieces::unit(rules, s, words.unit()?),
        "supply" => match words.peek_side() {
            Some(side) => {
                words.next()?;
                ground::supply_of_side(rules, s, side)
            }
            None => pieces::supply(rules, s, words.unit()?),
        },
        "supplied" => match words.peek_side() {
            Some(side) => {
                words.next()?;
                ground::supplied(rules, s, side)
            }
            None => pieces::supply(rules, s, words.unit()?),
        },
        "moves" => movement::moves(rules, s, &mut words)?,
        "reach" => movement::reach(rules, s, &mut words)?,
        "way" => movement::way_there(rules, s, &mut words)?,
        "overlay" => overlay::answer(rules, s, &mut words)?,
        "path" => movement::path(rules, s, &mut words)?,
        "cost" => movement::cost(rules, s, &mut words)?,
        "why" => movement::why(rules, s, &mut words)?,
        "explain" => explain(rules, s, &mut words)?,
        "odds" => combat::odds(rules, s, &words.attack()?),
        "outcomes" => combat::outcomes(rules, s, &mut words)?,
        "sheet" => combat::sheet(rules, s, viewer, &mut words, question)?,
        "retreats" => combat::retreats(rules, s, &mut words)?,
        "advances" => combat::advances(rules, s, words.unit()?),
        "victory" => victory::victory(rules, s),
        _ => return Err(Ask::Unknown(question.to_owned())),
    };
    words.end()?;
    Ok(words.restyle(answer))
}

/// `explain A 1313`: the odds if an enemy is there, otherwise the path with its cost.
fn explain(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    if words.is_attack() {
        return Ok(combat::odds(rules, s, &words.attack()?));
    }
    let unit = words.unit()?;
    let hex = words.peek_hex()?;
    if s.enemy_in(rules.counter(unit).side, hex) {
        words.next()?;
        return Ok(combat::odds(rules, s, &crate::action::Attack::by(unit, hex)));
    }
    movement::explain(rules, s, unit, words)
}
