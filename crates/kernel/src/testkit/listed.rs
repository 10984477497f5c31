//! Legal actions must be listed: whatever `verdict` accepts is covered by an option that the player is offered.

use rand_chacha::ChaCha8Rng;

use super::{Fault, Kit, Property, Trail, fault, pick};
use crate::{Dice, Rules, Seat, Slot, SlotKind, Template};

/// How many texts are assembled from the options of a position.
const MIXED: usize = 6;

impl<R: Rules> Kit<'_, R> {
    /// Actions assembled from parts of listed ones: a unit of one with the destination of another. Some of them are
    /// legal.
    pub(super) fn mixed(
        &self,
        state: &R::State,
        seat: Seat,
        listed: &[R::Action],
        dice: &Dice,
        rng: &mut ChaCha8Rng,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        if listed.is_empty() {
            return Ok(());
        }
        for _ in 0..MIXED {
            let one = self.rules.notate(state, &listed[pick(rng, listed.len())]);
            let two = self.rules.notate(state, &listed[pick(rng, listed.len())]);
            let text = mix(&one, &two, rng);
            if let Ok(action) = self.rules.parse(state, seat, &text) {
                self.round_trip(state, seat, &action)?;
                self.judge(state, seat, &action, dice, trail)?;
            }
        }
        Ok(())
    }

    /// A legal action is among the options, or covered by one of them.
    pub(super) fn covered(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        trail.summary.covered += 1;
        let (mut subjects, mut options) = (Vec::new(), Vec::new());
        self.rules.subjects(state, seat, &mut subjects);
        for subject in subjects {
            self.rules.options(state, seat, subject, &mut options);
        }
        if options.iter().any(|listed| self.rules.covers(state, seat, listed, action)) {
            return Ok(());
        }
        let text = self.rules.notate(state, action);
        let filled = |listed| {
            let template = self.rules.template(state, seat, listed);
            template.is_some_and(|template| fills(&template, &text))
        };
        if options.iter().any(filled) {
            return Ok(());
        }
        let what = format!("`{text}` is legal for seat {}, but no option covers it", seat.0);
        Err(fault(Property::LegalIsListed, what))
    }
}

/// One text with a word replaced from the other, or with one word removed.
fn mix(one: &str, two: &str, rng: &mut ChaCha8Rng) -> String {
    let mut words: Vec<&str> = one.split_whitespace().collect();
    let others: Vec<&str> = two.split_whitespace().collect();
    if words.is_empty() || others.is_empty() {
        return one.to_owned();
    }
    let at = pick(rng, words.len());
    match pick(rng, 3) {
        0 if at > 0 => {
            words.remove(at);
        }
        1 => words.push(others[pick(rng, others.len())]),
        _ => words[at] = others[at.min(others.len() - 1)],
    }
    words.join(" ")
}

/// Can this text be produced by filling in the template?
fn fills(template: &Template, text: &str) -> bool {
    let mut rest = text.trim();
    for slot in &template.parts {
        let optional = slot.kind != SlotKind::Words && slot.min == 0;
        match strip(rest, &slot.words) {
            Some(after) if slot.kind == SlotKind::Words => rest = after,
            Some(after) => match values(slot, after) {
                Some(after) => rest = after,
                None if optional => {}
                None => return false,
            },
            None if optional => {}
            None => return false,
        }
    }
    rest.is_empty()
}

/// The text that follows the values of a slot; none if there are too few values.
fn values<'a>(slot: &Slot, text: &'a str) -> Option<&'a str> {
    match slot.kind {
        SlotKind::Words => Some(text),
        // A path may contain any cells: how far it may go is for the game to say.
        SlotKind::Path => Some(""),
        SlotKind::Amount => {
            let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
            let number: u16 = number.parse().ok()?;
            (slot.min..=slot.max).contains(&number).then_some(rest)
        }
        SlotKind::Units | SlotKind::Places | SlotKind::Choice => {
            let (mut rest, mut count) = (text, 0);
            while count < slot.max
                && let Some(after) = slot.candidates.iter().find_map(|one| strip(rest, one))
            {
                rest = after;
                count += 1;
            }
            (count >= slot.min.max(1)).then_some(rest)
        }
    }
}

/// The text after these words, which must end where a word ends.
fn strip<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(words)?;
    if words.is_empty() || rest.is_empty() || rest.starts_with(' ') { Some(rest.trim_start()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(words: &str, kind: SlotKind, candidates: &[&str], min: u16, max: u16) -> Slot {
        Slot {
            words: words.into(),
            kind,
            label: String::new(),
            candidates: candidates.iter().map(|c| (*c).to_owned()).collect(),
            min,
            max,
            suggested: Vec::new(),
        }
    }

    #[test]
    fn a_text_fills_a_template_or_not() {
        let template = Template {
            parts: vec![
                slot("attack 1313 with", SlotKind::Units, &["A", "AB", "C"], 1, 2),
                slot("support", SlotKind::Units, &["G"], 0, 1),
                slot("shells", SlotKind::Amount, &[], 0, 3),
            ],
        };
        for text in [
            "attack 1313 with A",
            "attack 1313 with AB C",
            "attack 1313 with A support G",
            "attack 1313 with A shells 3",
            "attack 1313 with C support G shells 0",
        ] {
            assert!(fills(&template, text), "{text}");
        }
        for text in [
            "attack 1313 with",
            "attack 1314 with A",
            "attack 1313 with A AB C",
            "attack 1313 with A support",
            "attack 1313 with A support A",
            "attack 1313 with A shells 4",
            "attack 1313 with A shells",
            "attack 1313 with Ax",
        ] {
            assert!(!fills(&template, text), "{text}");
        }
    }
}
