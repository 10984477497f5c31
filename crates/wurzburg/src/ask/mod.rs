//! Questions about a position: the lab's `ask`, and the tooltips of the client (`docs/LAB.md`).

mod facts;
pub(crate) mod fire;
mod support;
mod units;

use hexgrid::HexId;
use kernel::{Ask, Viewer, view::Overlay};
use serde_json::{Value, json};

use crate::{
    rules::Wurzburg,
    state::State,
    units::{FormationId, Side, UnitId},
};

/// The words of a question.
pub(crate) struct Words<'a> {
    rules: &'a Wurzburg,
    s: &'a State,
    list: Vec<String>,
    at: usize,
    question: &'a str,
}

impl<'a> Words<'a> {
    fn new(rules: &'a Wurzburg, s: &'a State, question: &'a str) -> Words<'a> {
        let spaced = question.replace("->", " -> ").replace([',', '+'], " ");
        let list = spaced.split_whitespace().map(str::to_owned).collect();
        Words { rules, s, list, at: 0, question }
    }

    fn peek(&self) -> Option<&str> {
        self.list.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Result<String, Ask> {
        let word = self.list.get(self.at).cloned();
        self.at += 1;
        word.ok_or_else(|| Ask::Bad(format!("`{}`: something is missing at its end", self.question)))
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn unit(&mut self) -> Result<UnitId, Ask> {
        let word = self.next()?;
        let unit = self.rules.named(&word).or_else(|| self.only_unit(&word));
        unit.ok_or_else(|| Ask::Bad(format!("there is no unit `{word}`")))
    }

    /// A formation that has one unit on the map may stand for it.
    fn only_unit(&self, word: &str) -> Option<UnitId> {
        let (rules, s) = (self.rules, self.s);
        let formation = rules.formation_named(word)?;
        let mut units = rules.units_of_formation(s, formation).filter(|unit| s.unit(*unit).on_map());
        units.next().filter(|_| units.next().is_none())
    }

    /// A formation by its id; its number may stand apart from the rest, as in `22 MRR`.
    pub(crate) fn formation(&mut self) -> Result<FormationId, Ask> {
        let word = self.next()?;
        if let Some(formation) = self.rules.formation_named(&word) {
            return Ok(formation);
        }
        let rest = self.list.get(self.at..).unwrap_or_default();
        let named = |count: usize| {
            let name = format!("{word} {}", rest.get(..count)?.join(" "));
            crate::lab::formation_named(self.rules, &name).map(|formation| (count, formation))
        };
        let (count, formation) = (1..=5)
            .rev()
            .find_map(named)
            .ok_or_else(|| Ask::Bad(format!("there is no formation `{word}`")))?;
        self.at += count;
        Ok(formation)
    }

    fn hex(&mut self) -> Result<HexId, Ask> {
        let word = self.next()?;
        self.rules.field.find(&word).ok_or_else(|| Ask::Bad(format!("there is no hex `{word}`")))
    }

    /// A hex, or the hex of a unit.
    fn place(&mut self, s: &State) -> Result<HexId, Ask> {
        let unit = self.peek().and_then(|word| self.rules.named(word));
        match unit.and_then(|unit| s.unit(unit).hex.some()) {
            Some(hex) => {
                self.at += 1;
                Ok(hex)
            }
            None => self.hex(),
        }
    }

    fn side(&mut self) -> Result<Side, Ask> {
        let word = self.next()?;
        crate::lab::side_named(&word).ok_or_else(|| Ask::Bad(format!("there is no side `{word}`")))
    }

    /// As `take`, in upper or lower case.
    pub(crate) fn take_any(&mut self, word: &str) {
        if self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word)) {
            self.at += 1;
        }
    }

    /// Ignore the rest.
    pub(crate) fn skip(&mut self) {
        self.at = self.list.len();
    }

    fn end(&self) -> Result<(), Ask> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(Ask::Bad(format!("`{}`: what is `{word}`?", self.question))),
        }
    }
}

/// The answer to a question.
pub fn ask(rules: &Wurzburg, s: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
    if let Some(action) = question.trim().strip_prefix("sheet ") {
        return crate::table::sheet(rules, s, viewer, action);
    }
    let mut words = Words::new(rules, s, question);
    let answer = match words.next()?.as_str() {
        "unit" => units::unit(rules, s, viewer, &mut words)?,
        "stack" | "hex" | "terrain" => units::stack(rules, s, viewer, &mut words)?,
        "zoc" => match words.peek().and_then(|word| rules.named(word)) {
            Some(unit) => {
                words.at += 1;
                labels(rules, rules.zoc_of(s, viewer, unit).iter())
            }
            None => {
                let side = words.side()?;
                labels(rules, rules.zoc(s, viewer, side).iter())
            }
        },
        "overlay" => {
            let id = words.next()?;
            let side = words.side()?;
            if id != "zoc" {
                return Err(Ask::Bad(format!("there is no overlay `{id}`")));
            }
            let cells =
                rules.zoc(s, viewer, side).iter().map(|hex| rules.field.label(hex).to_owned()).collect();
            json!({ "overlay": Overlay::of_cells(crate::play::seat(side), "15.0", cells) })
        }
        "reach" => units::reach(rules, s, viewer, &mut words)?,
        "way" => units::way(rules, s, viewer, &mut words)?,
        "moves" => units::moves(rules, s, viewer, &mut words)?,
        "cost" | "path" => units::cost(rules, s, viewer, &mut words)?,
        "why" => units::why(rules, s, viewer, &mut words)?,
        "command" => match words.peek().and_then(crate::lab::side_named) {
            Some(side) => {
                words.at += 1;
                crate::table::command(rules, s, side)
            }
            None => units::command(rules, s, &mut words)?,
        },
        "formation" => crate::table::formation(rules, s, &mut words)?,
        "chain" => units::chain(rules, s, &mut words)?,
        "fire" | "odds" => fire::fire(rules, s, viewer, &mut words)?,
        "defense" => fire::defense(rules, s, &mut words)?,
        "retreats" => fire::retreats(rules, s, &mut words)?,
        "recon" => support::recon(rules, s, &mut words)?,
        "strike" => support::strike(rules, s, viewer, &mut words)?,
        "pool" => support::pool(rules, s, &mut words)?,
        "battery" => support::battery(rules, s),
        "jamming" => support::jamming(rules, s, &mut words)?,
        "plan" => units::plan(rules, s, viewer, &mut words)?,
        "bridge" => units::bridge(rules, s, &mut words)?,
        "points" => units::points(rules, s, viewer),
        "operation" => units::operation(rules, s),
        "victory" => victory(rules, &rules.seen(s, viewer)),
        "distance" => facts::distance(rules, s, &mut words)?,
        "hq" => facts::hq(rules, s, viewer, &mut words)?,
        "shatter" => facts::shatter(rules, s, &mut words)?,
        "steps" => facts::steps(rules, s, &mut words)?,
        "dummies" => facts::dummies(rules, s, viewer, &mut words)?,
        "turn" => facts::turn(rules, s),
        "flak" => facts::flak(rules, s, viewer, &mut words)?,
        "protected" => facts::protected(rules, s, &mut words)?,
        "observers" => facts::observers(rules, s, &mut words)?,
        "targets" => facts::targets(rules, s),
        "screening" | "screen" => facts::screening(rules, s, &mut words)?,
        "crossing" => facts::crossing(rules, s, &mut words)?,
        "demolition" => facts::demolition(rules, s, &mut words)?,
        "mines" => facts::mines(rules, &mut words),
        "reaction" => facts::reaction(rules, s, viewer)?,
        "calls" => facts::calls(rules, s, viewer, &mut words)?,
        "advances" => facts::advances(rules, s, &mut words)?,
        "masks" => facts::masks(rules, s, &mut words)?,
        "aircraft" => facts::aircraft(rules, &mut words)?,
        "gas" => facts::gas(rules, &mut words)?,
        _ => return Err(Ask::Unknown(question.to_owned())),
    };
    words.end()?;
    Ok(answer)
}

pub(crate) fn labels(rules: &Wurzburg, hexes: impl Iterator<Item = HexId>) -> Value {
    json!(hexes.map(|hex| rules.field.label(hex)).collect::<Vec<_>>())
}

fn victory(rules: &Wurzburg, s: &State) -> Value {
    let ending = rules.ending(s);
    let of = |side: Side| {
        let score = rules.score(s, side);
        json!({ "total": score.total(), "losses": score.losses, "hqs": score.hqs, "air": score.air,
                "gas": score.gas, "scenario": score.scenario })
    };
    let level = rules.scenario.levels.get(usize::from(ending.level)).map(|level| level.result.key());
    json!({ "wp": of(Side::Wp), "nato": of(Side::Nato), "difference": ending.points[0] - ending.points[1],
            "level": level })
}
