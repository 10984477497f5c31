//! Reading a lab file.

use serde_json::Value;

use super::Reading;
use crate::{Dice, SetupError};

/// A longer file is refused before it is read.
pub const MAX_BYTES: usize = 1 << 20;
pub const MAX_STEPS: usize = 10_000;
const MAX_DICE: usize = 100_000;
/// Stands for any rule that a refusal may cite.
pub const ANY_RULE: &str = "any";
/// Fields with remarks for human readers.
pub const REMARKS: &[&str] = &["title", "description", "comment", "note", "source", "rule"];

pub(super) struct File {
    pub game: String,
    /// Everything but the steps.
    pub head: toml::Table,
    pub dice: Dice,
    /// The file says that it leaves something out.
    pub lenient: bool,
    pub steps: Vec<Step>,
}

pub(super) struct Step {
    pub line: usize,
    pub deed: Deed,
    pub expect: Option<Value>,
}

pub(super) enum Deed {
    Do { side: String, action: String, illegal: Option<String> },
    Ask { question: String, viewer: Option<String> },
}

impl File {
    pub fn parse(text: &str, reading: Reading) -> Result<File, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("the file is longer than {MAX_BYTES} bytes"));
        }
        let one_a_line;
        let mut head: toml::Table = match text.parse() {
            Ok(head) => head,
            Err(error) => {
                one_a_line = split(text);
                one_a_line.parse().map_err(|_: toml::de::Error| error.to_string())?
            }
        };
        let lenient = match head.remove("lenient") {
            None => false,
            Some(toml::Value::Boolean(lenient)) => lenient,
            Some(_) => return Err("lenient: must be true or false".into()),
        };
        let leniently = lenient || reading == Reading::Lenient;
        if leniently {
            super::usual::usual(&mut head);
        }
        hoist(&mut head);
        lower_case_names(&mut head);
        let steps = steps(head.remove("step"), text, leniently)?;
        let game = match head.get("game") {
            Some(toml::Value::String(game)) => game.clone(),
            Some(_) => return Err("game: must be a text, such as game = \"ardennes44\"".into()),
            None => return Err("game: is missing; write game = \"ardennes44\"".into()),
        };
        Head::read(&head).map_err(|e| e.to_string())?;
        let dice = dice(&head)?;
        Ok(File { game, head, dice, lenient, steps })
    }
}

/// Moves fields of the head back to the head if a file writes them below its `[map]` or last `[[unit]]`, where TOML
/// assigns them to that table. No game has such a field on its maps or units, except `side` on units, which is left
/// there. `turn` or `dice` below the steps remains a mistake.
fn hoist(head: &mut toml::Table) {
    const HEAD_FIELDS: [&str; 8] =
        ["edition", "options", "scenario", "turn", "phase", "dice", "seed", "side"];
    for name in HEAD_FIELDS {
        if head.contains_key(name) {
            continue;
        }
        let below = |value: &mut toml::Value| value.as_table_mut().and_then(|table| table.remove(name));
        let mut found = head.get_mut("map").and_then(below);
        if found.is_none() && name != "side" {
            let units = head.get_mut("unit").and_then(toml::Value::as_array_mut);
            found = units.and_then(|units| units.last_mut()).and_then(below);
        }
        if let Some(value) = found {
            head.insert(name.to_owned(), value);
        }
    }
}

/// Turns the names of games, editions, sides and phases into lower case, since files may write them in either case.
fn lower_case_names(head: &mut toml::Table) {
    let lower = |table: &mut toml::Table, field: &str| {
        if let Some(toml::Value::String(name)) = table.get_mut(field) {
            *name = name.to_lowercase();
        }
    };
    for field in ["game", "edition", "side", "phase"] {
        lower(head, field);
    }
    let units = head.get_mut("unit").and_then(toml::Value::as_array_mut);
    for unit in units.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
        lower(unit, "side");
    }
}

/// The file with every `;` between two fields turned into a line break: people write short fields beside each other.
fn split(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut comment = false;
    let mut escaped = false;
    for c in text.chars() {
        match (c, quote) {
            ('\n', _) => (comment, escaped) = (false, false),
            _ if comment => {}
            (_, Some('"')) if escaped => escaped = false,
            ('\\', Some('"')) => escaped = true,
            (_, Some(mark)) if c == mark => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('#', None) => comment = true,
            (';', None) => {
                out.push('\n');
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

fn dice(head: &toml::Table) -> Result<Dice, String> {
    match (head.get("dice"), head.get("seed")) {
        (Some(_), Some(_)) => Err("dice, seed: give one or the other".into()),
        (None, None) => Ok(Dice::scripted(Vec::new())),
        (None, Some(seed)) => match seed.as_integer().and_then(|n| u64::try_from(n).ok()) {
            Some(seed) => Ok(Dice::from_number(seed)),
            None => Err("seed: must be a whole number from 0, such as seed = 7".into()),
        },
        (Some(list), None) => {
            let list = list.as_array().ok_or("dice: must be a list of numbers, such as dice = [4, 2, 6]")?;
            if list.len() > MAX_DICE {
                return Err(format!("dice: more than {MAX_DICE}"));
            }
            let die = |(n, value): (usize, &toml::Value)| {
                value
                    .as_integer()
                    .and_then(|v| u8::try_from(v).ok())
                    .filter(|v| *v <= 100)
                    .ok_or_else(|| format!("dice: number {} is {value}; a die shows 0 to 100", n + 1))
            };
            Ok(Dice::scripted(list.iter().enumerate().map(die).collect::<Result<_, _>>()?))
        }
    }
}

fn steps(value: Option<toml::Value>, text: &str, leniently: bool) -> Result<Vec<Step>, String> {
    let list = match value {
        None => return Ok(Vec::new()),
        Some(toml::Value::Array(list)) => list,
        Some(_) => return Err("step: must be a list of tables; write [[step]]".into()),
    };
    if list.len() > MAX_STEPS {
        return Err(format!("step: more than {MAX_STEPS} steps"));
    }
    let lines = lines(text);
    list.into_iter()
        .enumerate()
        .map(|(n, value)| {
            let line = lines.get(n).copied().unwrap_or(0);
            step(value, line, leniently).map_err(|e| format!("step {} (line {line}): {e}", n + 1))
        })
        .collect()
}

/// The line each step begins on.
fn lines(text: &str) -> Vec<usize> {
    #[derive(serde::Deserialize)]
    struct Steps {
        step: Vec<toml::Spanned<toml::Value>>,
    }
    // The text has been parsed already; should this parse fail anyway, steps just have no line number.
    let Ok(steps) = toml::from_str::<Steps>(text) else { return Vec::new() };
    let mut line = 1;
    let mut at = 0;
    steps
        .step
        .iter()
        .map(|step| {
            let start = step.span().start.min(text.len());
            if let Some(between) = text.get(at..start) {
                line += between.matches('\n').count();
                at = start;
            }
            line
        })
        .collect()
}

fn step(value: toml::Value, line: usize, leniently: bool) -> Result<Step, String> {
    let toml::Value::Table(mut table) = value else {
        return Err("must be a table".into());
    };
    let mut text = |name: &str| match table.remove(name) {
        None => Ok(None),
        Some(toml::Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("{name}: must be a text, not {other}")),
    };
    let (act, ask, illegal, viewer) = (text("do")?, text("ask")?, text("illegal")?, text("as")?);
    let expect = table.remove("expect").map(to_json);
    if let Some(name) = table.keys().find(|name| !REMARKS.contains(&name.as_str())) {
        return Err(format!("unknown field `{name}`; there is do, illegal, ask, as, expect"));
    }
    let deed = match (act, ask) {
        (Some(_), Some(_)) => return Err("do, ask: a step has one or the other".into()),
        (None, None) => return Err("do or ask is missing".into()),
        (Some(text), None) => {
            if viewer.is_some() {
                return Err("as: belongs to a step with ask".into());
            }
            // Nobody is named: the side that decides.
            let whole = leniently.then_some(("", text.as_str()));
            let named = text.split_once(':').filter(|(side, _)| !leniently || is_word(side));
            let (side, action) =
                named.or(whole).ok_or("do: must be `SIDE: DECISION`, such as `german: done`")?;
            if illegal.as_deref() == Some("") {
                return Err("illegal: must be a rule number, such as \"10.2\"".into());
            }
            Deed::Do { side: side.trim().into(), action: action.trim().into(), illegal }
        }
        (None, Some(question)) => {
            if illegal.is_some() {
                return Err("illegal: belongs to a step with do".into());
            }
            Deed::Ask { question: question.trim().into(), viewer }
        }
    };
    Ok(Step { line, deed, expect })
}

fn is_word(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// TOML as JSON; a date is its text.
pub(super) fn to_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(n) => n.into(),
        toml::Value::Float(n) => n.into(),
        toml::Value::Boolean(b) => b.into(),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(list) => list.into_iter().map(to_json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, to_json(value))).collect(),
    }
}

/// The fields of a head that all games share. A game reads it in its [`crate::Game::lab`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head<'a> {
    pub edition: Option<&'a str>,
    pub options: Vec<&'a str>,
    pub scenario: Option<&'a str>,
    pub map: Option<&'a toml::Table>,
    pub turn: Option<u16>,
    pub side: Option<&'a str>,
    pub phase: Option<&'a str>,
    pub units: Vec<&'a toml::Table>,
    table: Option<&'a toml::Table>,
}

const COMMON: [&str; 11] =
    ["game", "edition", "options", "scenario", "map", "turn", "side", "phase", "unit", "dice", "seed"];

impl<'a> Head<'a> {
    pub fn read(table: &'a toml::Table) -> Result<Self, SetupError> {
        let text = |name: &str| match table.get(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| bad(name, "a text", value)),
        };
        let turn = match table.get("turn") {
            None => None,
            Some(value) => Some(
                value
                    .as_integer()
                    .and_then(|n| u16::try_from(n).ok())
                    .ok_or_else(|| bad("turn", "a turn number", value))?,
            ),
        };
        let map = match table.get("map") {
            None => None,
            Some(value) => Some(value.as_table().ok_or_else(|| bad("map", "a table", value))?),
        };
        Ok(Head {
            edition: text("edition")?,
            options: list(table, "options", "a list of texts", toml::Value::as_str)?,
            scenario: text("scenario")?,
            map,
            turn,
            side: text("side")?,
            phase: text("phase")?,
            units: list(table, "unit", "a list of tables ([[unit]])", toml::Value::as_table)?,
            table: Some(table),
        })
    }

    /// Refuse fields that are neither common nor among the game's own.
    pub fn only(&self, own: &[&str]) -> Result<(), SetupError> {
        let unknown = self
            .table
            .into_iter()
            .flat_map(toml::Table::keys)
            .find(|key| !COMMON.contains(&key.as_str()) && !own.contains(&key.as_str()));
        match unknown {
            None => Ok(()),
            Some(name) => Err(SetupError::Unknown {
                what: "field",
                name: name.clone(),
                known: COMMON.iter().chain(own).copied().collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

fn bad(name: &str, wanted: &str, value: &toml::Value) -> SetupError {
    SetupError::Bad(format!("{name}: must be {wanted}, not {}", value.type_str()))
}

fn list<'a, T>(
    table: &'a toml::Table,
    name: &str,
    wanted: &str,
    read: impl Fn(&'a toml::Value) -> Option<T>,
) -> Result<Vec<T>, SetupError> {
    let Some(value) = table.get(name) else { return Ok(Vec::new()) };
    value.as_array().and_then(|list| list.iter().map(read).collect()).ok_or_else(|| bad(name, wanted, value))
}
