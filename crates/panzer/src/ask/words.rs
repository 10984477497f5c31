//! The words of a question, taken one by one.

use hexgrid::HexId;
use kernel::Ask;

use crate::{pack::Side, rules::Panzer, state::State, units::UnitId};

/// What may follow the weapon in a question about a shot.
const SHOT: [&str; 17] = [
    "overwatch",
    "ow",
    "short_halt",
    "sh",
    "fire",
    "direct",
    "moving",
    "stationary",
    "limited",
    "dual",
    "dual_other",
    "dual_same",
    "ammo",
    "pin",
    "pinning",
    "weapon",
    "gun",
];

#[derive(Clone)]
pub struct Words<'a> {
    rules: &'a Panzer,
    s: &'a State,
    question: &'a str,
    each: Vec<String>,
    at: usize,
}

impl<'a> Words<'a> {
    pub fn new(rules: &'a Panzer, s: &'a State, question: &'a str) -> Self {
        let spaced =
            question.replace("->", " -> ").replace([',', '+'], " ").replace("short halt", "short_halt");
        let each = spaced.split_whitespace().map(str::to_owned).collect();
        Words { rules, s, question, each, at: 0 }
    }

    pub fn peek(&self) -> Option<&str> {
        self.each.get(self.at).map(String::as_str)
    }

    pub fn next(&mut self) -> Result<String, Ask> {
        let word = self.each.get(self.at).cloned();
        self.at += 1;
        word.ok_or_else(|| Ask::Bad(format!("`{}`: something is missing at the end", self.question)))
    }

    /// Take the next word if it is this one.
    pub fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    pub fn rest(&mut self) -> Vec<String> {
        let rest = self.each.get(self.at..).unwrap_or_default().to_vec();
        self.at = self.each.len();
        rest
    }

    pub fn end(&self) -> Result<(), Ask> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(Ask::Bad(format!("`{}`: `{word}` is too much", self.question))),
        }
    }

    pub fn unit(&mut self) -> Result<UnitId, Ask> {
        let word = self.next()?;
        self.rules.named(&word).ok_or_else(|| {
            let known: Vec<&str> = self.rules.scenario.units.iter().map(|u| u.id.as_str()).collect();
            Ask::Bad(format!("no vehicle `{word}`; there is {}", known.join(", ")))
        })
    }

    /// An enemy of a unit, by its id or by the hex that it is in.
    pub fn target(&mut self, of: UnitId) -> Result<UnitId, Ask> {
        let side = self.rules.vehicle(of).side;
        let enemy = |unit: &UnitId| self.rules.vehicle(*unit).side != side && !self.s.unit(*unit).passenger();
        let hex = self.peek().filter(|word| self.rules.named(word).is_none());
        let hex = hex.and_then(|word| self.rules.field.find(word));
        let found = hex.and_then(|hex| self.s.in_hex(hex).find(enemy));
        self.at += usize::from(found.is_some());
        found.map_or_else(|| self.unit(), Ok)
    }

    pub fn hex(&mut self) -> Result<HexId, Ask> {
        let word = self.next()?;
        let hex = self.rules.field.find(&word);
        hex.ok_or_else(|| Ask::Bad(format!("no hex `{word}` on this map")))
    }

    /// A vehicle's hex, or a hex.
    pub fn place(&mut self) -> Result<HexId, Ask> {
        let word = self.peek().unwrap_or_default().to_owned();
        match self.rules.named(&word) {
            Some(unit) => {
                self.at += 1;
                let hex = self.s.unit(unit).hex.some();
                hex.ok_or_else(|| Ask::Bad(format!("{word} is not on the map")))
            }
            None => self.hex(),
        }
    }

    /// A weapon by number or name, which may have blanks: `PzB 39`.
    pub fn weapon(&mut self) -> Result<String, Ask> {
        let mut name = self.next()?;
        while let Some(more) = self.peek().filter(|word| !SHOT.contains(&word.to_lowercase().as_str())) {
            name.push(' ');
            name.push_str(more);
            self.at += 1;
        }
        Ok(name)
    }

    /// One end of a line: a unit at its height, or the ground of a hex.
    pub fn end_of_line(&mut self) -> Result<crate::los::End, Ask> {
        let unit = self.peek().and_then(|word| self.rules.named(word));
        let hex = self.place()?;
        Ok(unit.map_or_else(|| (hex, self.rules.field.height(hex)), |unit| self.rules.end(self.s, unit)))
    }

    pub fn side(&mut self) -> Result<Side, Ask> {
        let word = self.next()?;
        crate::lab::side_named(&word)
            .ok_or_else(|| Ask::Bad(format!("no side `{word}`; there is axis, allied")))
    }
}
