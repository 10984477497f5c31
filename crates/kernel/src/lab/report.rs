//! What a lab run found, for people and for programs.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::Mismatch;
use super::file::{Deed, Step};

/// How the run ended; [`Status::code`] is the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All expectations hold, or there are none.
    Holds,
    /// An expectation failed.
    Failed,
    /// The file is not valid, a decision was refused, or the dice ran out.
    Invalid,
}

impl Status {
    pub fn code(self) -> u8 {
        self as u8
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub file: String,
    pub status: Status,
    /// What is wrong with the file as a whole.
    pub error: Option<String>,
    pub steps: Vec<StepReport>,
    /// Remarks that are no failure.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Counted from 1.
    pub number: usize,
    /// 0 where unknown.
    pub line: usize,
    /// `do` or `ask`.
    pub kind: &'static str,
    pub text: String,
    /// The rule that the expected refusal must cite.
    pub illegal: Option<String>,
    /// The events of a decision, a refusal, or the answer to a question.
    pub result: Option<Value>,
    pub rolls: Vec<u8>,
    pub expect: Option<Value>,
    pub mismatches: Vec<Mismatch>,
    pub error: Option<String>,
}

impl StepReport {
    pub(super) fn new(number: usize, step: &Step) -> Self {
        let (kind, text, illegal) = match &step.deed {
            Deed::Do { side, action, illegal } => ("do", format!("{side}: {action}"), illegal.clone()),
            Deed::Ask { question, .. } => ("ask", question.clone(), None),
        };
        StepReport {
            number,
            line: step.line,
            kind,
            text,
            illegal,
            result: None,
            rolls: Vec::new(),
            expect: step.expect.clone(),
            mismatches: Vec::new(),
            error: None,
        }
    }

    pub fn ok(&self) -> bool {
        self.error.is_none() && self.mismatches.is_empty()
    }

    fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert(self.kind.into(), json!(self.text));
        if self.line > 0 {
            object.insert("line".into(), json!(self.line));
        }
        if let Some(rule) = &self.illegal {
            object.insert("illegal".into(), json!(rule));
        }
        match (self.kind, &self.illegal) {
            ("ask", _) => {
                object.insert("answer".into(), json!(self.result));
            }
            (_, Some(_)) => {
                object.insert("events".into(), json!([]));
                object.insert("refusal".into(), json!(self.result));
            }
            _ => {
                object.insert("events".into(), self.result.clone().unwrap_or_else(|| json!([])));
            }
        }
        if !self.rolls.is_empty() {
            object.insert("rolls".into(), json!(self.rolls));
        }
        if !self.mismatches.is_empty() {
            object.insert("expect".into(), json!(self.expect));
            object.insert("mismatches".into(), json!(self.mismatches));
        }
        if let Some(error) = &self.error {
            object.insert("error".into(), json!(error));
        }
        object.insert("ok".into(), json!(self.ok()));
        Value::Object(object)
    }

    fn human(&self, out: &mut String) {
        let mark = if self.ok() { ' ' } else { '✗' };
        let _ = writeln!(out, "{mark} {:>3} {:<3} {}", self.number, self.kind, self.text);
        match (&self.result, self.kind) {
            (Some(Value::Array(events)), "do") => {
                for event in events {
                    let level = event["level"].as_u64().unwrap_or(1).min(4) as usize;
                    let text = event["text"].as_str().unwrap_or_default();
                    let _ = writeln!(out, "          {}{text}", "  ".repeat(level));
                }
            }
            (Some(refusal), "do") => {
                let text = refusal["text"].as_str().unwrap_or_default();
                let rule = refusal["rule"].as_str().unwrap_or("-");
                let _ = writeln!(out, "            refused: {text} ({rule})");
            }
            (Some(answer), _) => plain(answer, 12, out),
            (None, _) => {}
        }
        for mismatch in &self.mismatches {
            let _ = writeln!(out, "          ✗ {mismatch}");
        }
        if let Some(error) = &self.error {
            let place = if self.line > 0 { format!(" (line {})", self.line) } else { String::new() };
            let _ = writeln!(out, "          ✗ step {}{place}: {error}", self.number);
        }
    }
}

/// An answer in lines: short values beside their key, long ones below it.
fn plain(value: &Value, indent: usize, out: &mut String) {
    const WIDE: usize = 100;
    let pad = " ".repeat(indent);
    match value {
        Value::Object(object) if !object.is_empty() && value.to_string().len() > WIDE => {
            for (key, inner) in object {
                let short = inner.to_string();
                if short.len() <= WIDE {
                    let _ = writeln!(out, "{pad}{key} = {short}");
                } else {
                    let _ = writeln!(out, "{pad}{key} =");
                    plain(inner, indent + 2, out);
                }
            }
        }
        Value::Array(list) if value.to_string().len() > WIDE => {
            for inner in list {
                plain(inner, indent, out);
            }
        }
        _ => {
            let _ = writeln!(out, "{pad}{value}");
        }
    }
}

impl Report {
    pub(super) fn new(file: &str) -> Self {
        Report { file: file.into(), status: Status::Holds, error: None, steps: Vec::new(), notes: Vec::new() }
    }

    pub(super) fn invalid(mut self, error: String) -> Self {
        self.status = Status::Invalid;
        self.error = Some(error);
        self
    }

    pub(super) fn push(&mut self, step: StepReport) {
        let status = match (&step.error, step.ok()) {
            (Some(_), _) => Status::Invalid,
            (None, false) => Status::Failed,
            (None, true) => Status::Holds,
        };
        self.status = self.status.max(status);
        self.steps.push(step);
    }

    pub fn ok(&self) -> bool {
        self.status == Status::Holds
    }

    /// The exit status: 0, 1 or 2.
    pub fn code(&self) -> u8 {
        self.status.code()
    }

    /// What `--json` prints.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("ok".into(), json!(self.ok()));
        object.insert("file".into(), json!(self.file));
        if let Some(error) = &self.error {
            object.insert("error".into(), json!(error));
        }
        object.insert("steps".into(), self.steps.iter().map(StepReport::json).collect());
        if !self.notes.is_empty() {
            object.insert("notes".into(), json!(self.notes));
        }
        Value::Object(object)
    }

    /// For people: every step with its result, and both values where an expectation failed.
    pub fn human(&self) -> String {
        let mut out = format!("{}\n", self.file);
        for step in &self.steps {
            step.human(&mut out);
        }
        if let Some(error) = &self.error {
            let _ = writeln!(out, "✗ {error}");
        }
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        let failed = self.steps.iter().filter(|s| !s.ok()).count();
        let _ = match self.status {
            Status::Holds => writeln!(out, "  ok: {} steps", self.steps.len()),
            Status::Failed => writeln!(out, "✗ {failed} of {} steps do not hold", self.steps.len()),
            Status::Invalid => writeln!(out, "✗ stopped"),
        };
        out
    }
}
