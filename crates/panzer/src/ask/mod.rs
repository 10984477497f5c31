//! Questions about a position: the lab's `ask`, and the tooltips of the client (`docs/LAB.md`).

mod advanced;
mod air;
mod assault;
mod bail;
mod blast;
mod call;
mod card;
mod fire;
mod indirect;
mod movement;
mod pieces;
mod sheaf;
mod sheet;
mod sight;
mod spelling;
mod words;
mod works;

use kernel::{Ask, Viewer};
use serde_json::Value;

use crate::{rules::Panzer, state::State};
pub(crate) use card::traction_letter;
use words::Words;

/// The answer to a question.
pub fn ask(rules: &Panzer, s: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
    let question = &spelling::plain(rules, question);
    if let Some(answers) = spelling::several(rules, s, viewer, question) {
        return answers;
    }
    let mut words = Words::new(rules, s, question);
    let answer = match words.next()?.as_str() {
        "los" => sight::los(rules, s, &mut words)?,
        "range" | "distance" => sight::range(rules, &mut words)?,
        "sees" => sight::sees(rules, s, &mut words)?,
        "spots" => sight::spots(rules, s, &mut words)?,
        "sight" => sight::visible(rules, s, &mut words)?,
        "spot" => sight::spot(rules, s, &mut words)?,
        "spotted" => sight::spotted(rules, s, &mut words)?,
        "field" | "fof" => fire::field(rules, s, &mut words)?,
        "ap" | "fire" => fire::ap(rules, s, viewer, &mut words)?,
        "gp" => fire::gp(rules, s, viewer, &mut words)?,
        "sheet" => fire::sheet(rules, s, viewer, &mut words)?,
        "moves" => movement::moves(rules, s, viewer, &mut words)?,
        "reach" => movement::reached(rules, s, viewer, &mut words)?,
        "way" => movement::way(rules, s, viewer, &mut words)?,
        "path" => movement::path(rules, s, viewer, &mut words)?,
        "cost" => movement::cost(rules, s, viewer, &mut words)?,
        "why" => movement::why(rules, s, viewer, &mut words)?,
        "allowance" => movement::allowance(rules, s, viewer, &mut words)?,
        "commands" => pieces::commands(rules, s, viewer, &mut words)?,
        "command" | "formation" => advanced::command(rules, s, viewer, &mut words)?,
        "assault" => assault::assault(rules, s, viewer, &mut words)?,
        "overrun" => sheet::ask_overrun(rules, s, viewer, &mut words)?,
        "search" => sheet::ask_search(rules, s, &mut words)?,
        "response" => indirect::response(rules, s, &mut words)?,
        "hindrances" => indirect::hindrances(rules, s, &mut words)?,
        "pattern" | "sheaf" => indirect::pattern(rules, s, &mut words)?,
        "plan" | "plot" => indirect::plan(rules, s, viewer, &mut words)?,
        "missions" | "indirect" => indirect::missions(rules, s),
        "initiative" => advanced::initiative(rules),
        "recovery" => advanced::recovery(rules, s, viewer, &mut words)?,
        "bail" => bail::bail(rules, s, &mut words)?,
        "quickmarch" => advanced::quickmarch(rules, &mut words)?,
        "air" => air::air(rules, s, viewer, &mut words)?,
        "acquire" => air::acquire(rules, s, &mut words)?,
        "aa" => air::aa(rules, s, viewer, &mut words)?,
        "works" => works::works(rules, s, viewer),
        "terrain" => works::terrain(rules, s, viewer, &mut words)?,
        "building" => works::building(rules, s, &mut words)?,
        "mines" => works::mines(rules, s, viewer, &mut words)?,
        "unit" => pieces::unit(rules, s, viewer, &mut words)?,
        "card" => pieces::card(rules, &mut words)?,
        "hex" | "stack" => pieces::hex(rules, s, viewer, &mut words)?,
        "order" | "turn" => pieces::order(rules, s),
        "victory" => pieces::victory(rules, s),
        _ => return Err(Ask::Unknown(question.to_owned())),
    };
    words.end()?;
    Ok(answer)
}
