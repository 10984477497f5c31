//! Variations of listed actions: one part is changed, and if the result is legal it must be listed, too. That is how the kit
//! finds legal actions that a game forgets to list.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use super::{Fault, Kit, Trail, listed::Offered, pick};
use crate::{Dice, Rules, Seat, Viewer};

/// How many variations of listed actions are tried at a position.
const VARIATIONS: usize = 10;
/// The words of a variation are taken from this many options, at most this far from the varied one in the list.
const WORD_SOURCES: usize = 12;
const WORD_DISTANCE: usize = 60;

/// Options of this position and of earlier ones, with their open parts filled in: the latest few of each verb, so that what
/// is rare is varied as often as what is common.
#[derive(Default)]
pub(super) struct Sources(Vec<Source>);

struct Source {
    seat: Seat,
    verb: String,
    texts: Vec<String>,
}

/// How many texts are kept for each verb.
const TEXTS_PER_VERB: usize = 4;

impl Sources {
    pub(super) fn note(&mut self, seat: Seat, text: String, rng: &mut ChaCha8Rng) {
        let verb = text.split_whitespace().next().unwrap_or_default();
        match self.0.iter_mut().find(|source| source.seat == seat && source.verb == verb) {
            Some(source) if source.texts.len() < TEXTS_PER_VERB => source.texts.push(text),
            Some(source) => source.texts[pick(rng, TEXTS_PER_VERB)] = text,
            None => self.0.push(Source { seat, verb: verb.to_owned(), texts: vec![text] }),
        }
    }

    fn any(&self, seat: Seat, rng: &mut ChaCha8Rng) -> Option<String> {
        let mine: Vec<&Source> = self.0.iter().filter(|source| source.seat == seat).collect();
        let source = mine.get(pick(rng, mine.len().max(1)))?;
        Some(source.texts[pick(rng, source.texts.len())].clone())
    }
}

/// What a word of a text names. A word is replaced by one of the same kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unit,
    Place,
    Number,
    Other,
}

/// The words that variations are made of.
struct Vocabulary {
    /// The id of each piece that the seat sees, and where it is.
    pieces: Vec<(String, String)>,
    /// The places of pieces.
    places: BTreeSet<String>,
    /// How places are spelled, such as `0000` for `1313`.
    shapes: BTreeSet<String>,
    /// The words of options and of what their templates offer: units and places that matter here.
    offered: Vec<String>,
}

impl Vocabulary {
    fn new(pieces: Vec<(String, String)>) -> Vocabulary {
        let places: BTreeSet<String> = pieces.iter().map(|(_, at)| at.clone()).collect();
        let shapes = places.iter().filter(|at| at.contains(|c: char| c.is_ascii_digit()));
        let shapes = shapes.map(|at| shape(at)).collect();
        Vocabulary { pieces, places, shapes, offered: Vec::new() }
    }

    fn kind(&self, word: &str) -> Kind {
        if self.pieces.iter().any(|(id, _)| id == word) {
            Kind::Unit
        } else if self.places.contains(word) || self.shapes.contains(&shape(word)) {
            Kind::Place
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            Kind::Number
        } else {
            Kind::Other
        }
    }

    /// Another word of the same kind: from the options, another unit of the same stack, or anything on the map.
    fn instead_of(&self, word: &str, rng: &mut ChaCha8Rng) -> Option<&str> {
        let kind = self.kind(word);
        let at = self.pieces.iter().find(|(id, _)| id == word).map(|(_, at)| at);
        let mates = || self.pieces.iter().filter(|(_, there)| Some(there) == at).map(|(id, _)| id);
        let words: Vec<&String> = match (pick(rng, 4), kind) {
            (0, Kind::Unit) => mates().collect(),
            (1, Kind::Unit) => self.pieces.iter().map(|(id, _)| id).collect(),
            (0, Kind::Place) => self.places.iter().collect(),
            _ => self.offered.iter().filter(|other| self.kind(other) == kind).collect(),
        };
        let words: Vec<&String> = words.into_iter().filter(|other| *other != word).collect();
        if words.is_empty() { None } else { Some(words[pick(rng, words.len())]) }
    }
}

/// Letters and digits by their kind: `39T7` and `39A6` have the same shape.
fn shape(word: &str) -> String {
    let class = |c: char| match c {
        '0'..='9' => '0',
        'A'..='Z' => 'A',
        'a'..='z' => 'a',
        other => other,
    };
    word.chars().map(class).collect()
}

impl<R: Rules> Kit<'_, R> {
    /// Listed actions with one part changed: another hex, another unit, one unit more or less.
    pub(super) fn varied(
        &self,
        state: &R::State,
        seat: Seat,
        sources: &Sources,
        dice: &Dice,
        offered: &mut Offered<R::Action>,
        rng: &mut ChaCha8Rng,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        offered.list(&*self.rules, state, seat);
        let view = self.rules.view(state, Viewer::Seat(seat));
        let pieces = view.pieces.into_iter().map(|piece| (piece.id, piece.at)).collect();
        let mut vocabulary = Vocabulary::new(pieces);
        for n in 0..VARIATIONS {
            let at = pick(rng, offered.options().len().max(1));
            vocabulary.offered = self.words_near(state, offered, at, rng);
            let listed = if n % 2 == 0 { self.filled(state, seat, offered, at, rng) } else { None };
            let Some(text) = listed.or_else(|| sources.any(seat, rng)) else { continue };
            let Some(text) = vary(&text, &vocabulary, rng) else { continue };
            if let Ok(action) = self.rules.parse(state, seat, &text) {
                self.round_trip(state, seat, &action)?;
                trail.summary.varied += usize::from(self.judge(state, seat, &action, dice, offered, trail)?);
            }
        }
        Ok(())
    }

    /// An option with its open parts filled in.
    fn filled(
        &self,
        state: &R::State,
        seat: Seat,
        offered: &Offered<R::Action>,
        at: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<String> {
        let mut action = offered.options().get(at)?.clone();
        self.rules.sample(state, seat, &mut action, rng).then(|| self.rules.notate(state, &action))
    }

    /// The words of some options near this one in the list, which are about the same part of the map, and of the templates.
    fn words_near(
        &self,
        state: &R::State,
        offered: &Offered<R::Action>,
        at: usize,
        rng: &mut ChaCha8Rng,
    ) -> Vec<String> {
        let (options, mut words) = (offered.options(), Vec::new());
        let first = at.saturating_sub(WORD_DISTANCE);
        let near = &options[first.min(options.len())..options.len().min(at + WORD_DISTANCE)];
        for _ in 0..WORD_SOURCES.min(near.len()) {
            let text = self.rules.notate(state, &near[pick(rng, near.len())]);
            words.extend(text.split_whitespace().map(str::to_owned));
        }
        for slot in offered.templates().iter().flat_map(|template| &template.parts) {
            words.extend(slot.candidates.iter().cloned());
        }
        words
    }
}

/// A text with one word replaced, added or removed, or with another end of its path; none if there is no other word of the kind.
fn vary(text: &str, vocabulary: &Vocabulary, rng: &mut ChaCha8Rng) -> Option<String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    let is_place = |word: &&str| vocabulary.kind(word) == Kind::Place;
    let at = pick(rng, words.len());
    match pick(rng, 5) {
        0 => {
            words.remove(at);
        }
        1 if words.iter().any(is_place) => {
            // Only the new destination is named: the game finds the path.
            let last = words.iter().rposition(is_place)?;
            words[last] = vocabulary.instead_of(words[last], rng)?;
            let end = words[last];
            let first = words.iter().position(is_place)?;
            words.splice(first..=last, [end]);
        }
        2 => words.insert(at + 1, vocabulary.instead_of(words[at], rng)?),
        _ => words[at] = vocabulary.instead_of(words[at], rng)?,
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_changes_one_part() {
        let text = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let pieces = [("A", "1313"), ("B", "1313"), ("C", "1414")];
        let mut vocabulary = Vocabulary::new(pieces.map(|(id, at)| (id.into(), at.into())).to_vec());
        vocabulary.offered = text(&["attack", "1515", "with", "C"]);
        let mut rng = super::super::rng(1);
        let found: BTreeSet<String> =
            (0..2_000).filter_map(|_| vary("attack 1616 with A", &vocabulary, &mut rng)).collect();
        for wanted in [
            "attack 1515 with A",
            "attack 1414 with A",
            "attack 1616 with B",
            "attack 1616 with C",
            "attack 1616 with A C",
            "attack 1616 with",
        ] {
            assert!(found.contains(wanted), "{wanted} is not in {found:?}");
        }
        let way = "move A 1616 1717 out";
        let found_way = (0..2_000).filter_map(|_| vary(way, &vocabulary, &mut rng));
        assert!(found_way.into_iter().any(|text| text == "move A 1515 out"));
        assert!(!found.contains("attack A with A") && !found.contains("attack 1616 with 1515"), "{found:?}");
    }
}
