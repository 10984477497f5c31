//! Tests a map against stated facts and against the requirements of any playable map, one line for each.

mod crossings;
mod fact;
mod facts;
mod ground;
mod structure;

use std::fmt;

use hexgrid::HexId;

use crate::{Map, MapError};

/// The result of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub ok: bool,
    pub text: String,
    /// Where the fact is stated; empty for requirements of any map.
    pub source: String,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}  {}", if self.ok { "ok  " } else { "FAIL" }, self.text)?;
        if self.source.is_empty() { Ok(()) } else { write!(f, "  [{}]", self.source) }
    }
}

/// All test results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub checks: Vec<Check>,
}

impl Report {
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|c| !c.ok)
    }

    pub fn passed(&self) -> usize {
        self.checks.iter().filter(|c| c.ok).count()
    }

    pub fn is_ok(&self) -> bool {
        self.failures().next().is_none()
    }

    fn add(&mut self, ok: bool, text: impl Into<String>, source: &str) {
        self.checks.push(Check { ok, text: text.into(), source: source.to_owned() });
    }
}

/// The failures, then the count.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for check in self.failures() {
            writeln!(f, "{check}")?;
        }
        write!(f, "{} checks passed, {} failed", self.passed(), self.checks.len() - self.passed())
    }
}

impl Map {
    /// Tests the map against a file of facts and against what every playable map needs.
    pub fn check(&self, file: &str, facts: &str) -> Result<Report, MapError> {
        let mut report = Report::default();
        facts::check(self, file, facts, &mut report)?;
        structure::check(self, &mut report);
        Ok(report)
    }

    /// Tests that the hexes where units set up exist and can be entered: `(what sets up, label)`.
    pub fn check_setup<'a>(&self, setup: impl IntoIterator<Item = (&'a str, &'a str)>) -> Report {
        let mut report = Report::default();
        for (unit, label) in setup {
            match self.hex(label) {
                Ok(hex) => report.add(self.enterable(hex), format!("{unit} can stand in {label}"), ""),
                Err(e) => report.add(false, format!("{unit}: {e}"), ""),
            }
        }
        report
    }

    /// Can a unit enter the hex at all? At least one hexside must not be a lake.
    pub(crate) fn enterable(&self, hex: HexId) -> bool {
        let lakes = self.lake_kinds();
        self.board.neighbours(hex).any(|(d, _)| !self.side_toward(hex, d).kinds.intersects(lakes))
    }

    /// The hexes of a place: all hexes of a town that has several, otherwise its own.
    pub fn hexes_of(&self, place: &str) -> Vec<HexId> {
        match self.areas_of("town").find(|a| a.id.strip_prefix("town-") == Some(place)) {
            Some(area) => area.hexes.iter().collect(),
            None => self.place(place).map(|p| p.hex).into_iter().collect(),
        }
    }
}
