//! The words of a question, and hexes in the spelling of the question.

use std::collections::VecDeque;

use hexgrid::HexId;
use kernel::Ask;
use serde_json::Value;

use crate::{
    action::{Attack, Attackers, Mode, Supporters},
    list::{List, Slot},
    pack::{HexRef, LAST_EAST_COLUMN, Side, UnitId},
    rules::{Ardennes, LabelStyle},
    state::State,
};

pub struct Words<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    question: &'a str,
    rest: VecDeque<&'a str>,
    style: LabelStyle,
}

/// Words that end a list of units.
const AFTER_UNITS: &[&str] =
    &["artillery", "air", "surprise", "no", "engage", "give", "support", "blow", "hold", "press", "stand"];

/// A question with its arrow and its lists spaced as in `docs/LAB.md`.
pub fn spaced(question: &str) -> String {
    question.replace('→', " -> ").replace("->", " -> ").replace(',', " ")
}

fn bad<T>(text: String) -> Result<T, Ask> {
    Err(Ask::Bad(text))
}

impl<'a> Words<'a> {
    pub fn new(rules: &'a Ardennes, s: &'a State, question: &'a str) -> Self {
        let mut words = Words {
            rules,
            s,
            question,
            rest: question.split_whitespace().collect(),
            style: rules.label_style,
        };
        words.style = words.style_of_question().unwrap_or(words.style);
        words
    }

    /// The spelling of hexes in the question itself, if it has any.
    fn style_of_question(&self) -> Option<LabelStyle> {
        let printed = |label: &str| {
            let hex = self.rules.map.board.find(label).ok()?;
            let same = self.rules.label(hex) == label;
            let lettered = label.starts_with(['E', 'W']);
            Some(match (same, lettered) {
                (true, _) => LabelStyle::Printed,
                (false, true) => LabelStyle::Lettered,
                (false, false) => LabelStyle::Bare,
            })
        };
        self.rest
            .iter()
            .skip(1)
            .filter(|word| self.rules.pack.units.iter().all(|u| u.id != **word))
            .find_map(|word| printed(word.split('/').next()?))
    }

    pub fn next(&mut self) -> Result<&'a str, Ask> {
        self.rest
            .pop_front()
            .ok_or_else(|| Ask::Bad(format!("`{}`: something is missing at the end", self.question)))
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.rest.front().copied()
    }

    pub fn take(&mut self, word: &str) -> bool {
        let here = self.peek() == Some(word);
        if here {
            self.rest.pop_front();
        }
        here
    }

    pub fn end(&self) -> Result<(), Ask> {
        match self.peek() {
            None => Ok(()),
            Some(word) => bad(format!("`{}`: `{word}` is not understood", self.question)),
        }
    }

    pub fn peek_side(&self) -> Option<Side> {
        let word = self.peek()?;
        let named = |name: &str| word.eq_ignore_ascii_case(name);
        if named("german") || named("germans") {
            Some(Side::German)
        } else if named("allied") || named("allies") || named("us") {
            Some(Side::Allied)
        } else {
            None
        }
    }

    pub fn side(&mut self) -> Result<Side, Ask> {
        let Some(side) = self.peek_side() else {
            let word = self.next()?;
            return bad(format!("unknown side `{word}`; there is german, allied"));
        };
        self.next()?;
        Ok(side)
    }

    pub fn side_or_phasing(&mut self) -> Result<Side, Ask> {
        if self.rest.is_empty() { Ok(self.s.side) } else { self.side() }
    }

    fn unit_named(&self, id: &str) -> Result<UnitId, Ask> {
        self.rules.pack.unit_by_slug(id).ok_or_else(|| Ask::Bad(format!("no unit `{id}`")))
    }

    pub fn unit(&mut self) -> Result<UnitId, Ask> {
        let id = self.next()?;
        self.unit_named(id)
    }

    fn hex_named(&self, label: &str) -> Result<HexId, Ask> {
        let found = self.rules.map.board.find(label).map_err(|e| Ask::Bad(e.to_string()))?;
        if self.rules.land.in_play.contains(found) {
            Ok(found)
        } else {
            bad(format!("{label} is not in play"))
        }
    }

    pub fn hex(&mut self) -> Result<HexId, Ask> {
        let label = self.next()?;
        self.hex_named(label)
    }

    pub fn peek_hex(&self) -> Result<HexId, Ask> {
        match self.peek() {
            Some(label) => self.hex_named(label),
            None => bad(format!("`{}`: a hex is missing", self.question)),
        }
    }

    /// Hexes, up to the end or to the first word that is not a hex.
    pub fn hexes(&mut self) -> Result<Vec<HexId>, Ask> {
        let mut hexes = Vec::new();
        while let Some(word) = self.peek() {
            if mode_named(word).is_some() || word == "->" {
                if word == "->" {
                    self.next()?;
                    continue;
                }
                break;
            }
            hexes.push(self.hex()?);
        }
        Ok(hexes)
    }

    pub fn number(&mut self) -> Result<u8, Ask> {
        let word = self.next()?;
        // A retreat may be named by its result: DR2.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse().or_else(|_| bad(format!("`{word}` is not a number")))
    }

    /// A mode of movement, if one comes next.
    pub fn mode(&mut self) -> Result<Option<Mode>, Ask> {
        let Some(word) = self.peek() else { return Ok(None) };
        let Some(mode) = mode_named(word) else {
            let known = Mode::ALL.map(Mode::word).join(", ");
            return bad(format!("unknown mode `{word}`; there is {known}"));
        };
        self.next()?;
        Ok(Some(mode))
    }

    /// Is this `A+B -> 1313`?
    pub fn is_attack(&self) -> bool {
        self.rest.contains(&"->")
    }

    fn units<const N: usize>(&mut self, stop: &[&str]) -> Result<List<UnitId, N>, Ask>
    where
        UnitId: Slot,
    {
        let mut list = List::new();
        while let Some(word) = self.peek().filter(|word| !stop.contains(word)) {
            self.next()?;
            for id in word.split('+').filter(|id| !id.is_empty()) {
                let unit = self.unit_named(id)?;
                if !list.contains(unit) && !list.push(unit) {
                    return bad(format!("`{}`: at most {N} units can be named there", self.question));
                }
            }
        }
        if list.is_empty() { bad(format!("`{}`: no unit is named", self.question)) } else { Ok(list) }
    }

    /// Artillery units up to a word of `stop`; there may be none.
    pub fn guns(&mut self, stop: &[&str]) -> Result<Supporters, Ask> {
        if self.peek().is_none_or(|word| stop.contains(&word)) {
            return Ok(Supporters::new());
        }
        self.units(stop)
    }

    /// `A+B -> 1313 [artillery G H] [air] [surprise]`
    pub fn attack(&mut self) -> Result<Attack, Ask> {
        let units: Attackers = self.units(&["->"])?;
        if !self.take("->") {
            return bad(format!("`{}`: write `A+B -> 1313`", self.question));
        }
        let target = self.hex()?;
        self.supported(target, units)
    }

    /// `1313 with A B [artillery G H] [air] [surprise]`, in the notation of the action.
    pub fn written_attack(&mut self) -> Result<Attack, Ask> {
        let target = self.hex()?;
        self.take("with");
        let units = self.units(AFTER_UNITS)?;
        self.supported(target, units)
    }

    fn supported(&mut self, target: HexId, units: Attackers) -> Result<Attack, Ask> {
        let side = self.rules.counter(units[0]).side;
        if let Some(other) = units.iter().find(|u| self.rules.counter(**u).side != side) {
            return bad(format!("{} is of the other side", self.rules.unit_id(*other)));
        }
        let mut attack = Attack { units, ..Attack::blank(target) };
        loop {
            if self.take("artillery") {
                attack.artillery = self.units(AFTER_UNITS)?;
            } else if self.take("air") {
                attack.air = true;
            } else if self.take("surprise") {
                attack.surprise = true;
            } else {
                return Ok(attack);
            }
        }
    }

    /// The answer with its hexes spelled as in the question or the file.
    pub fn restyle(&self, answer: Value) -> Value {
        match self.style {
            LabelStyle::Printed => answer,
            style => restyle(answer, style),
        }
    }
}

fn mode_named(word: &str) -> Option<Mode> {
    Mode::named(word)
}

/// The value with its hexes without the East map's letter, also in decisions and markers (`retreat C 1314`,
/// `attackers_advantage:1314`).
pub fn bare(value: Value) -> Value {
    let word = |word: &str| match word.split_once(':') {
        Some((marker, hex)) => format!("{marker}:{}", relabel(hex, LabelStyle::Bare)),
        None => relabel(word, LabelStyle::Bare),
    };
    // The two hexes of a hexside may be in either order.
    let word = |text: &str| match word(text) {
        side if side.contains('/') => {
            let mut hexes: Vec<&str> = side.split('/').collect();
            hexes.sort_unstable();
            hexes.join("/")
        }
        other => other,
    };
    let text = |text: &str| text.split(' ').map(word).collect::<Vec<_>>().join(" ");
    match value {
        Value::String(it) => Value::String(text(&it)),
        Value::Array(list) => list.into_iter().map(bare).collect(),
        Value::Object(object) => object.into_iter().map(|(key, it)| (text(&key), bare(it))).collect(),
        other => other,
    }
}

fn restyle(value: Value, style: LabelStyle) -> Value {
    match value {
        Value::String(text) => Value::String(relabel(&text, style)),
        Value::Array(list) => list.into_iter().map(|item| restyle(item, style)).collect(),
        Value::Object(object) => {
            object.into_iter().map(|(key, item)| (relabel(&key, style), restyle(item, style))).collect()
        }
        other => other,
    }
}

/// A hex or hexside in the other spelling; any other text unchanged.
fn relabel(text: &str, style: LabelStyle) -> String {
    let one = |label: &str| -> Option<String> {
        let hex: HexRef = label.parse().ok()?;
        match (style, label.as_bytes().first()) {
            (LabelStyle::Bare, Some(b'E')) => Some(label[1..].to_owned()),
            (LabelStyle::Lettered, Some(b'0'..=b'9')) if hex.col <= LAST_EAST_COLUMN => {
                Some(format!("E{label}"))
            }
            _ => Some(label.to_owned()),
        }
    };
    let parts: Option<Vec<String>> = text.split('/').map(one).collect();
    parts.map_or_else(|| text.to_owned(), |parts| parts.join("/"))
}
