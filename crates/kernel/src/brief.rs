//! Decision aids shown before a question is answered: chances, how many remain, where each answer leads. Every game
//! answers the question `brief` for the seat that decides, from [`Rules::brief`]; the client shows it beside the
//! answers.

use serde::{Deserialize, Serialize};

use crate::{
    Dice, DiceError, Entry, Log, Message, Reading, Rules, Seat, SlotKind, Stop, Template, Viewer,
    view::{Chance, Sheet, SheetLine, Tone},
};

/// What a seat should know before it answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Brief {
    /// Facts that hold whatever the answer: the current odds, how many remain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<SheetLine>,
    /// Column headings for the figures of the answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Message>,
    /// What each answer leads to. An answer about which nothing is known may be missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<BriefAnswer>,
    /// If almost every place is offered: the places worth a look, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
}

impl Brief {
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.answers.is_empty()
    }

    /// Adds one fact.
    pub fn fact(&mut self, label: Message, value: impl Into<String>, rule: &str) {
        self.facts.push(SheetLine { label, value: value.into(), rule: rule.to_owned(), level: 1 });
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BriefAnswer {
    /// The answer in notation, as the options list it.
    pub action: String,
    /// Taken apart: filled in by the server, empty in a game's own answer.
    #[serde(default)]
    pub reading: Reading,
    /// One sentence saying where the answer leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Message>,
    /// One figure for each column of the brief; an empty string leaves its cell blank.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Possible outcomes, from bad to good for the deciding seat; the probabilities sum to 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<Chance>,
    /// How the destination is painted on the map.
    #[serde(default)]
    pub tone: Tone,
}

/// One way the dice of a decision can fall.
#[derive(Clone, Debug)]
pub struct Fall<S> {
    pub state: S,
    /// The log entries it produced.
    pub entries: Vec<Entry>,
    pub p: f64,
    /// How many dice were rolled.
    pub dice: usize,
}

/// All ways the dice of a decision can fall. None if the decision is refused, or if there are more than `most` ways.
pub fn falls<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    most: usize,
) -> Option<Vec<Fall<R::State>>> {
    let mut done: Vec<Fall<R::State>> = Vec::new();
    let mut open: Vec<(Vec<u8>, f64)> = vec![(Vec::new(), 1.0)];
    while let Some((rolled, p)) = open.pop() {
        let run = |values: Vec<u8>| {
            let (mut after, mut log) = (state.clone(), Log::default());
            rules
                .apply(&mut after, seat, action, &mut Dice::scripted(values), &mut log)
                .map(|()| (after, log))
        };
        match run(rolled.clone()) {
            Ok((after, log)) => {
                let mut entries = Vec::new();
                for event in log.events() {
                    rules.report(&after, event, &mut entries);
                }
                done.push(Fall { state: after, entries, p, dice: rolled.len() });
            }
            Err(Stop::Dice(DiceError::RanOut(_))) => {
                // No die shows 255, so the refusal tells how many sides the die has.
                let asked = rolled.iter().copied().chain([u8::MAX]).collect();
                let Err(Stop::Dice(DiceError::NotOnDie { sides, .. })) = run(asked) else { return None };
                for face in (1..=sides).rev() {
                    let mut more = rolled.clone();
                    more.push(face);
                    open.push((more, p / f64::from(sides)));
                }
            }
            Err(_) => return None,
        }
        if done.len() + open.len() > most {
            return None;
        }
    }
    Some(done)
}

/// How many answers are worked out, and how many dice outcomes for each.
const ANSWERS: usize = 16;
const FALLS: usize = 220;

/// The possible outcomes of every answer that rolls dice, in the words of the game's own report. `worth` says how good
/// a position is for the seat. Use it only for questions whose dice depend on nothing that is hidden from the seat.
pub fn by_dice<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    worth: impl Fn(&R::State) -> f32,
) -> Vec<BriefAnswer> {
    let (mut subjects, mut actions) = (Vec::new(), Vec::new());
    rules.subjects(state, seat, &mut subjects);
    for subject in subjects {
        rules.options(state, seat, subject, &mut actions);
        if actions.len() > ANSWERS {
            return Vec::new();
        }
    }
    let before = worth(state);
    let complete = actions.iter().filter(|action| rules.template(state, seat, action).is_none());
    complete
        .filter_map(|action| {
            let found = falls(rules, state, seat, action, FALLS)?;
            if found.iter().all(|fall| fall.dice == 0) {
                return None;
            }
            let chances = by_first_difference(seat, found, |after| (worth(after) - before).clamp(-1.0, 1.0));
            // All dice belonged to a later phase.
            if matches!(&chances[..], [chance] if chance.label.key == NOTHING) {
                return None;
            }
            Some(BriefAnswer { action: rules.notate(state, action), chances, ..BriefAnswer::default() })
        })
        .collect()
}

/// What is said of an outcome that adds no sentence of its own.
const NOTHING: &str = "brief.nothing";

/// Groups the outcomes by the first sentence in which they differ, from bad to good. A heading begins another phase, whose dice
/// are not those of the answer.
fn by_first_difference<S>(seat: Seat, falls: Vec<Fall<S>>, tone: impl Fn(&S) -> f32) -> Vec<Chance> {
    let is_die = |entry: &Entry| entry.data.get("kind").is_some_and(|kind| kind == "roll");
    let stories: Vec<(Vec<Message>, f64, f32)> = falls
        .into_iter()
        .map(|fall| {
            let tone = tone(&fall.state);
            let now = fall.entries.into_iter().take_while(|e| e.level > 0);
            let heard = now.filter(|e| !is_die(e) && e.audience.includes(Viewer::Seat(seat)));
            (heard.map(|entry| entry.message).collect(), fall.p, tone)
        })
        .collect();
    let first = stories.first().map_or(&[][..], |(story, ..)| story.as_slice());
    let common = (0..first.len())
        .take_while(|at| stories.iter().all(|(story, ..)| story.get(*at) == first.get(*at)))
        .count();
    let mut chances: Vec<(Chance, f32)> = Vec::new();
    for (story, p, tone) in &stories {
        let label = story.get(common).cloned().unwrap_or_else(|| Message::new(NOTHING));
        match chances.iter_mut().find(|(chance, _)| chance.label == label) {
            Some((chance, sum)) => {
                chance.p += p;
                *sum += tone * *p as f32;
            }
            None => chances.push((Chance { label, p: *p, tone: 0.0 }, tone * *p as f32)),
        }
    }
    let mut chances: Vec<Chance> =
        chances.into_iter().map(|(chance, sum)| Chance { tone: sum / chance.p as f32, ..chance }).collect();
    chances.sort_by(|a, b| a.tone.total_cmp(&b.tone));
    chances
}

/// A probability as players read it.
pub fn percent(p: f64) -> String {
    // An empty sum is minus zero, which must not be shown as "-0%".
    format!("{:.0}%", p * 100.0 + 0.0)
}

/// The chances of every answer that the game explains by a sheet. An answer with parts is filled in as suggested. The
/// brief has at most one column: an answer's figure in it is made of the lines of its sheet whose label is one of
/// `figures`.
pub fn by_sheets<R: Rules>(rules: &R, state: &R::State, seat: Seat, figures: &[&str]) -> Vec<BriefAnswer> {
    let (mut subjects, mut actions) = (Vec::new(), Vec::new());
    rules.subjects(state, seat, &mut subjects);
    for subject in subjects {
        rules.options(state, seat, subject, &mut actions);
        if actions.len() > ANSWERS {
            return Vec::new();
        }
    }
    let mut answers: Vec<BriefAnswer> = Vec::new();
    for action in &actions {
        let filled = match rules.template(state, seat, action) {
            Some(template) => compose(&template),
            None => Some(rules.notate(state, action)),
        };
        let Some(text) = filled.filter(|text| answers.iter().all(|known| known.action != *text)) else {
            continue;
        };
        let answer = rules.ask(state, Viewer::Seat(seat), &format!("sheet {text}")).unwrap_or_default();
        let sheet = answer.get("sheet").cloned().unwrap_or_default();
        let Ok(sheet) = serde_json::from_value::<Sheet>(sheet) else { continue };
        if !sheet.chances.is_empty() {
            let told = sheet.lines.iter().filter(|line| figures.contains(&line.label.key.as_ref()));
            let value = told.map(|line| line.value.as_str()).collect::<Vec<_>>().join(", ");
            let values = if figures.is_empty() { Vec::new() } else { vec![value] };
            answers.push(BriefAnswer {
                action: text,
                values,
                chances: sheet.chances,
                ..BriefAnswer::default()
            });
        }
    }
    answers
}

/// An action with parts, filled with the suggested values; none if a required part has no suggestion.
fn compose(template: &Template) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for slot in &template.parts {
        let least = usize::from(slot.min);
        let named = if slot.suggested.len() < least { &slot.candidates } else { &slot.suggested };
        let named = &named[..named.len().min(usize::from(slot.max)).min(least.max(slot.suggested.len()))];
        if slot.kind != SlotKind::Words && named.is_empty() {
            if least > 0 {
                return None;
            }
            continue;
        }
        words.push(&slot.words);
        words.extend(named.iter().map(String::as_str));
    }
    words.retain(|word| !word.is_empty());
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Audience, Topic};

    fn entry(key: &'static str, level: u8) -> Entry {
        Entry {
            audience: Audience::All,
            seat: None,
            topic: Topic::Other,
            message: Message::new(key),
            level,
            data: serde_json::Value::Null,
        }
    }

    fn fall(keys: &[(&'static str, u8)], p: f64) -> Fall<()> {
        Fall { state: (), entries: keys.iter().map(|(key, level)| entry(key, *level)).collect(), p, dice: 1 }
    }

    #[test]
    fn nothing_is_not_less_than_nothing() {
        assert_eq!(percent(std::iter::empty::<f64>().sum()), "0%");
        assert_eq!(percent(0.286), "29%");
    }

    #[test]
    fn what_a_later_phase_rolls_is_no_chance_of_the_answer() {
        let weather = [
            fall(&[("log.lost", 1), ("log.phase", 0), ("log.clear", 1)], 0.5),
            fall(&[("log.lost", 1), ("log.phase", 0), ("log.overcast", 1)], 0.5),
        ];
        let chances = by_first_difference(Seat(0), weather.into(), |()| 0.0);
        assert!(matches!(&chances[..], [only] if only.label.key == NOTHING), "{chances:?}");
        let bridge = [
            fall(&[("log.blown", 1), ("log.phase", 0)], 0.5),
            fall(&[("log.stays", 1), ("log.phase", 0)], 0.5),
        ];
        let keys: Vec<_> =
            by_first_difference(Seat(0), bridge.into(), |()| 0.0).into_iter().map(|c| c.label.key).collect();
        assert_eq!(keys.len(), 2, "{keys:?}");
    }
}
