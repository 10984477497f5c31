//! Legal actions must be listed: whatever `verdict` accepts is covered by an option that the player is offered.

use super::{Fault, Kit, Property, Trail, fault};
use crate::{Rules, Seat, Slot, SlotKind, Template};

/// What a seat is offered at a position, listed when it is first needed.
pub(super) struct Offered<A> {
    seat: Option<Seat>,
    options: Vec<A>,
    /// The templates of those options that have one.
    templates: Vec<Template>,
}

impl<A> Default for Offered<A> {
    fn default() -> Self {
        Offered { seat: None, options: Vec::new(), templates: Vec::new() }
    }
}

impl<A> Offered<A> {
    pub(super) fn list<R: Rules<Action = A>>(&mut self, rules: &R, state: &R::State, seat: Seat) {
        if self.seat == Some(seat) {
            return;
        }
        self.seat = Some(seat);
        self.options.clear();
        let mut subjects = Vec::new();
        rules.subjects(state, seat, &mut subjects);
        for subject in subjects {
            rules.options(state, seat, subject, &mut self.options);
        }
        let template = |listed: &A| rules.template(state, seat, listed);
        self.templates = self.options.iter().filter_map(template).collect();
    }

    pub(super) fn options(&self) -> &[A] {
        &self.options
    }

    pub(super) fn templates(&self) -> &[Template] {
        &self.templates
    }
}

impl<R: Rules> Kit<'_, R> {
    /// A legal action is among the options, or covered by one of them.
    pub(super) fn covered(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        offered: &mut Offered<R::Action>,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        trail.summary.covered += 1;
        offered.list(&*self.rules, state, seat);
        if offered.options.iter().any(|listed| self.rules.covers(state, seat, listed, action)) {
            return Ok(());
        }
        let text = self.rules.notate(state, action);
        if offered.templates.iter().any(|template| fills(template, &text)) {
            return Ok(());
        }
        let what = format!("`{text}` is legal for seat {}, but no option covers it", seat.0);
        Err(fault(Property::LegalIsListed, what))
    }
}

/// Can this text be produced by filling in the template?
fn fills(template: &Template, text: &str) -> bool {
    let mut rest = text.trim();
    let mut filling: Vec<Vec<&str>> = vec![Vec::new(); template.parts.len()];
    for (slot, named) in template.parts.iter().zip(&mut filling) {
        let optional = slot.kind != SlotKind::Words && slot.min == 0;
        match strip(rest, &slot.words) {
            Some(after) if slot.kind == SlotKind::Words => rest = after,
            Some(after) => match values(slot, after, named) {
                Some(after) => rest = after,
                None if optional => {}
                None => return false,
            },
            None if optional => {}
            None => return false,
        }
    }
    let allowed =
        |(slot, named): (usize, &Vec<&str>)| named.iter().all(|value| template.allows(slot, value, &filling));
    rest.is_empty() && filling.iter().enumerate().all(allowed)
}

/// The text that follows the values of a slot, which are added to `named`; none if there are too few values.
fn values<'a, 'b>(slot: &'b Slot, text: &'a str, named: &mut Vec<&'b str>) -> Option<&'a str> {
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
            let mut rest = text;
            let next = |rest| slot.candidates.iter().find_map(|one| Some((one, strip(rest, one)?)));
            while named.len() < usize::from(slot.max)
                && let Some((one, after)) = next(rest)
            {
                rest = after;
                named.push(one);
            }
            (named.len() >= usize::from(slot.min.max(1))).then_some(rest)
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
    use crate::{Tie, TieKind};

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
        let template = Template::of(vec![
            slot("attack 1313 with", SlotKind::Units, &["A", "AB", "C"], 1, 2),
            slot("support", SlotKind::Units, &["G"], 0, 1),
            slot("shells", SlotKind::Amount, &[], 0, 3),
        ]);
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

    /// A leader among the attackers, and a helper who is of another company than the leader.
    #[test]
    fn slots_depend_on_each_other() {
        let names = ["A", "B", "C"];
        let tie = |slot, on, kind, groups| Tie { slot, on, kind, groups };
        let template = Template {
            parts: vec![
                slot("attack with", SlotKind::Units, &names, 1, 3),
                slot("lead", SlotKind::Units, &names, 1, 1),
                slot("helper", SlotKind::Units, &names, 0, 1),
            ],
            ties: vec![
                tie(1, 0, TieKind::Among, Vec::new()),
                tie(2, 0, TieKind::Among, Vec::new()),
                tie(2, 1, TieKind::Apart, vec![vec!["A".into(), "B".into()], vec!["C".into()]]),
            ],
        };
        for text in
            ["attack with A lead A", "attack with A C lead A helper C", "attack with B C lead C helper B"]
        {
            assert!(fills(&template, text), "{text}");
        }
        for text in
            ["attack with A lead B", "attack with A B lead A helper B", "attack with A B lead A helper C"]
        {
            assert!(!fills(&template, text), "{text}");
        }
        let filling = [vec!["A", "C"], vec!["A"], vec![]];
        assert_eq!(names.map(|name| template.allows(2, name, &filling)), [false, false, true]);
    }
}
