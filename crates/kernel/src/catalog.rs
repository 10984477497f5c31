//! Message files: the words behind the keys, in each language.
//!
//! A file is TOML; nested tables are joined by dots (`[phase]` `combat = "…"` is the key `phase.combat`), and every
//! value is a text. The whole syntax inside a text:
//!
//! | written | becomes |
//! |---|---|
//! | `{name}` | the value that the message gives for `name` |
//! | `{name\|hex\|hexes}` | only the word: the first for exactly 1, else the second (a list counts its items) |
//! | `{name:은/는}` | the value of `name`, then the Korean particle: the first form after a consonant, else the second |
//! | `{{` `}}` | a brace |
//!
//! Any pair of particles may stand after the colon (`이/가`, `을/를`, `과/와`, `으로/로`). The sound is that of the last
//! character, after leaving out closing brackets and what they enclose and then everything that is not a letter
//! or digit: Hangul by its final consonant; digits `0 1 3 6 7 8` and letters `L M N R` are consonants; other digits
//! and Latin letters are vowels. After ㄹ (also `1 7 8 L R`) a pair that begins with `으로` takes its second form.
//! Where no sound is known both forms are written: `은(는)`.
//!
//! ```
//! use kernel::{Catalog, Message};
//!
//! let ko = Catalog::parse("[log]\nadvance = \"{unit:이/가} {hex:으로/로} 진격했습니다.\"", "ko.toml").unwrap();
//! let message = Message::new("log.advance").unit("unit", "CCR").place("hex", "E2115");
//! assert_eq!(ko.render(&message, &()), "CCR이 E2115로 진격했습니다.");
//! ```
//!
//! A name without a value stays as written (`{name}`) and an unknown key is shown as the key itself, so that a fault is
//! visible and never hides the rest. Names are ASCII letters, digits and `_`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use crate::{Arg, Game, Message};

/// The languages every message file is written in; the first is the fallback.
pub const LANGUAGES: [&str; 3] = ["en", "ko", "ja"];

/// Messages nested deeper than this are cut off.
const DEPTH: usize = 16;

/// The kernel's own message file for a language.
pub fn kernel_messages(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(include_str!("../messages/en.toml")),
        "ko" => Some(include_str!("../messages/ko.toml")),
        "ja" => Some(include_str!("../messages/ja.toml")),
        _ => None,
    }
}

/// Key → text, for one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    texts: BTreeMap<String, String>,
}

/// Looks up the names of units and places. `None` shows the id itself.
pub trait Names {
    fn unit(&self, _id: &str) -> Option<String> {
        None
    }
    fn place(&self, _id: &str) -> Option<String> {
        None
    }
}

/// No names: ids are shown.
impl Names for () {}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CatalogError {
    #[error("{file}: {error}")]
    NotToml { file: String, error: String },
    #[error("{file}: `{key}` is not a text; messages are texts or tables of texts")]
    NotText { file: String, key: String },
    #[error("{file}: `{key}` is given twice")]
    Twice { file: String, key: String },
    #[error("{file}: `{key}`: {fault}")]
    Syntax { file: String, key: String, fault: String },
}

/// A difference between languages, or a fault in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    Missing { language: String, key: String },
    Blanks { language: String, key: String, has: Vec<String>, wants: Vec<String> },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Missing { language, key } => write!(f, "{language}: `{key}` is missing"),
            Problem::Blanks { language, key, has, wants } => write!(
                f,
                "{language}: `{key}` has the blanks {{{}}}, elsewhere {{{}}}",
                has.join(", "),
                wants.join(", ")
            ),
        }
    }
}

impl Catalog {
    /// Read one message file. `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Self, CatalogError> {
        let mut catalog = Catalog::default();
        catalog.add(text, file)?;
        Ok(catalog)
    }

    /// The kernel's and a game's messages in a language; keys that the language lacks are taken from English.
    pub fn of_game(game: &dyn Game, language: &str) -> Result<Self, CatalogError> {
        let mut catalog = Catalog::default();
        let languages = if language == "en" { &["en"][..] } else { &["en", language] };
        for &language in languages {
            let mut one = Catalog::default();
            for (text, whose) in [(kernel_messages(language), "kernel"), (game.messages(language), "game")] {
                if let Some(text) = text {
                    one.add(text, &format!("{whose} {language}.toml"))?;
                }
            }
            catalog.texts.append(&mut one.texts);
        }
        Ok(catalog)
    }

    /// The same, read only once in a program: for callers that need it again and again, such as a folder of lab files.
    pub fn shared(game: &dyn Game, language: &str) -> Result<Arc<Self>, CatalogError> {
        /// Where the message files stand in memory, which tells them apart: they are never freed.
        type Texts = [Option<(usize, usize)>; 4];
        static READ: Mutex<BTreeMap<Texts, Arc<Catalog>>> = Mutex::new(BTreeMap::new());

        let texts =
            [kernel_messages("en"), kernel_messages(language), game.messages("en"), game.messages(language)];
        let texts = texts.map(|text| text.map(|text| (text.as_ptr() as usize, text.len())));
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = read.get(&texts) {
            return Ok(Arc::clone(catalog));
        }
        let catalog = Arc::new(Catalog::of_game(game, language)?);
        read.insert(texts, Arc::clone(&catalog));
        Ok(catalog)
    }

    /// Adds another file to this catalogue. A key may be given only once.
    pub fn add(&mut self, text: &str, file: &str) -> Result<(), CatalogError> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| CatalogError::NotToml {
            file: file.into(),
            error: e.to_string(),
        })?;
        self.flatten("", &table, file)
    }

    fn flatten(&mut self, prefix: &str, table: &toml::Table, file: &str) -> Result<(), CatalogError> {
        for (name, value) in table {
            let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            match value {
                toml::Value::Table(inner) => self.flatten(&key, inner, file)?,
                toml::Value::String(text) => {
                    for piece in pieces(text) {
                        if let Piece::Fault(fault) = piece {
                            return Err(CatalogError::Syntax { file: file.into(), key, fault });
                        }
                    }
                    if self.texts.insert(key.clone(), text.clone()).is_some() {
                        return Err(CatalogError::Twice { file: file.into(), key });
                    }
                }
                _ => return Err(CatalogError::NotText { file: file.into(), key }),
            }
        }
        Ok(())
    }

    /// The text of a key, with its blanks unfilled.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// The sentence for a message.
    pub fn render(&self, message: &Message, names: &dyn Names) -> String {
        self.sentence(message, names, 0)
    }

    fn sentence(&self, message: &Message, names: &dyn Names, depth: usize) -> String {
        let Some(text) = self.text(&message.key) else { return message.key.to_string() };
        if depth > DEPTH {
            return message.key.to_string();
        }
        let arg = |name: &str| message.args.iter().find(|(n, _)| n == name).map(|(_, arg)| arg);
        let mut out = String::new();
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Blank { name, form, raw } => match (arg(name), form) {
                    (None, _) => out.push_str(raw),
                    (Some(arg), Form::Plain) => out.push_str(&self.fill(arg, names, depth)),
                    (Some(arg), Form::Plural(one, other)) => {
                        out.push_str(if count(arg) == Some(1) { one } else { other });
                    }
                    (Some(arg), Form::Particle(first, second)) => {
                        let word = self.fill(arg, names, depth);
                        let particle = particle(&word, first, second);
                        out.push_str(&word);
                        out.push_str(&particle);
                    }
                },
                // Faults are refused when a file is read; if one gets here anyway, show the text as it is.
                Piece::Fault(_) => return text.to_owned(),
            }
        }
        out
    }

    fn fill(&self, arg: &Arg, names: &dyn Names, depth: usize) -> String {
        match arg {
            Arg::Number(n) => n.to_string(),
            Arg::Unit(id) => names.unit(id).unwrap_or_else(|| id.clone()),
            Arg::Place(id) => names.place(id).unwrap_or_else(|| id.clone()),
            Arg::Term(key) => self.text(key).unwrap_or(key).to_owned(),
            Arg::Text(text) => text.clone(),
            Arg::Message(message) => self.sentence(message, names, depth + 1),
            Arg::List(items) if depth > DEPTH => format!("…{}", items.len()),
            Arg::List(items) => {
                let words: Vec<String> = items.iter().map(|arg| self.fill(arg, names, depth + 1)).collect();
                self.join(&words)
            }
        }
    }

    /// Words joined as the language joins them: `list.comma` between, `list.last` before the last, `list.none` for
    /// none.
    pub fn join(&self, words: &[String]) -> String {
        let comma = self.text("list.comma").unwrap_or(", ");
        let last = self.text("list.last").unwrap_or(comma);
        match words {
            [] => self.text("list.none").unwrap_or("-").to_owned(),
            [one] => one.clone(),
            [rest @ .., end] => format!("{}{last}{end}", rest.join(comma)),
        }
    }

    /// Differences between languages: keys that one has and another lacks, and blanks that are not the same.
    pub fn compare(catalogs: &[(&str, &Catalog)]) -> Vec<Problem> {
        let mut problems = Vec::new();
        let keys: std::collections::BTreeSet<&str> = catalogs.iter().flat_map(|(_, c)| c.keys()).collect();
        for key in keys {
            let mut wants: Option<Vec<String>> = None;
            for (language, catalog) in catalogs {
                let Some(text) = catalog.text(key) else {
                    problems.push(Problem::Missing { language: (*language).into(), key: key.into() });
                    continue;
                };
                let has = blanks(text);
                match &wants {
                    None => wants = Some(has),
                    Some(wants) if *wants != has => problems.push(Problem::Blanks {
                        language: (*language).into(),
                        key: key.into(),
                        has,
                        wants: wants.clone(),
                    }),
                    Some(_) => {}
                }
            }
        }
        problems
    }

    /// Compares all three languages of a game; for the game's own test.
    pub fn check_game(game: &dyn Game) -> Result<Vec<Problem>, CatalogError> {
        let mut catalogs = Vec::new();
        for language in LANGUAGES {
            let text = game.messages(language).unwrap_or_default();
            catalogs.push((language, Catalog::parse(text, &format!("{language}.toml"))?));
        }
        Ok(Catalog::compare(&catalogs.iter().map(|(l, c)| (*l, c)).collect::<Vec<_>>()))
    }
}

/// The names of a text's blanks, each once, sorted.
pub fn blanks(text: &str) -> Vec<String> {
    let mut names: Vec<String> = pieces(text)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Blank { name, .. } => Some(name.to_owned()),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

enum Piece<'a> {
    Text(&'a str),
    Blank { name: &'a str, form: Form<'a>, raw: &'a str },
    Fault(String),
}

enum Form<'a> {
    Plain,
    Plural(&'a str, &'a str),
    Particle(&'a str, &'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        if at > 0 {
            out.push(Piece::Text(&rest[..at]));
        }
        let tail = &rest[at..];
        if tail.starts_with("{{") || tail.starts_with("}}") {
            out.push(Piece::Text(&tail[..1]));
            rest = &tail[2..];
        } else if tail.starts_with('}') {
            out.push(Piece::Fault("`}` without `{` (write `}}` for a brace)".into()));
            return out;
        } else {
            let Some(end) = tail.find('}') else {
                out.push(Piece::Fault("`{` without `}` (write `{{` for a brace)".into()));
                return out;
            };
            out.push(blank(&tail[..=end]));
            rest = &tail[end + 1..];
        }
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest));
    }
    out
}

/// `raw` is one blank with its braces.
fn blank(raw: &str) -> Piece<'_> {
    let inner = &raw[1..raw.len() - 1];
    let name_end = inner.find(['|', ':']).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(name_end);
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Piece::Fault(format!("`{raw}`: a name is letters, digits and `_`"));
    }
    let form = match rest.chars().next() {
        None => Form::Plain,
        Some('|') => match rest[1..].split('|').collect::<Vec<_>>()[..] {
            [one, other] => Form::Plural(one, other),
            _ => return Piece::Fault(format!("`{raw}`: a plural has two forms, `{{n|hex|hexes}}`")),
        },
        Some(_) => match rest[1..].split('/').collect::<Vec<_>>()[..] {
            [first, second] if !first.is_empty() && !second.is_empty() => Form::Particle(first, second),
            _ => return Piece::Fault(format!("`{raw}`: a particle has two forms, `{{name:은/는}}`")),
        },
    };
    Piece::Blank { name, form, raw }
}

fn count(arg: &Arg) -> Option<i64> {
    match arg {
        Arg::Number(n) => Some(*n),
        Arg::List(items) => i64::try_from(items.len()).ok(),
        Arg::Text(text) => text.parse().ok(),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sound {
    Vowel,
    Consonant,
    Rieul,
}

fn particle(word: &str, first: &str, second: &str) -> String {
    match last_sound(word) {
        None => format!("{first}({second})"),
        Some(Sound::Vowel) => second.to_owned(),
        Some(Sound::Rieul) if first.starts_with("으로") => second.to_owned(),
        Some(Sound::Consonant | Sound::Rieul) => first.to_owned(),
    }
}

fn last_sound(word: &str) -> Option<Sound> {
    let mut depth = 0_usize;
    for c in word.chars().rev() {
        match c {
            ')' | ']' | '）' => depth += 1,
            '(' | '[' | '（' => depth = depth.saturating_sub(1),
            _ if depth > 0 || !c.is_alphanumeric() => {}
            '가'..='힣' => {
                return Some(match (u32::from(c) - 0xAC00) % 28 {
                    0 => Sound::Vowel,
                    8 => Sound::Rieul,
                    _ => Sound::Consonant,
                });
            }
            '1' | '7' | '8' | 'L' | 'l' | 'R' | 'r' => return Some(Sound::Rieul),
            '0' | '3' | '6' | 'M' | 'm' | 'N' | 'n' => return Some(Sound::Consonant),
            // À … ɏ: Latin letters with marks.
            '0'..='9' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' => return Some(Sound::Vowel),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases that every reader of message files must agree on, the web client's included.
    #[test]
    fn renders_the_shared_cases() {
        #[derive(serde::Deserialize)]
        struct Cases {
            texts: BTreeMap<String, String>,
            cases: Vec<Case>,
        }
        #[derive(serde::Deserialize)]
        struct Case {
            text: String,
            args: Vec<(std::borrow::Cow<'static, str>, Arg)>,
            is: String,
        }
        let Cases { texts, cases } = serde_json::from_str(include_str!("../messages/cases.json")).unwrap();
        assert!(cases.len() > 30);
        for Case { text, args, is } in cases {
            let mut catalog = Catalog { texts: texts.clone() };
            catalog.texts.insert("t".into(), text.clone());
            let message = Message { key: "t".into(), args };
            assert_eq!(catalog.render(&message, &()), is, "{text}");
        }
    }

    #[test]
    fn an_unknown_key_is_shown_and_names_are_looked_up() {
        struct Known;
        impl Names for Known {
            fn unit(&self, id: &str) -> Option<String> {
                (id == "u1").then(|| "CCB".into())
            }
        }
        let catalog = Catalog::parse("t = \"{a} {b} {c}\"", "t").unwrap();
        let message = Message::new("t").unit("a", "u1").unit("b", "u2").place("c", "u1");
        assert_eq!(catalog.render(&message, &Known), "CCB u2 u1");
        assert_eq!(catalog.render(&Message::new("no.such"), &()), "no.such");
    }

    #[test]
    fn a_sentence_that_holds_itself_ends() {
        let catalog = Catalog::parse("t = \"<{m}>\"", "t").unwrap();
        let mut message = Message::new("t").text("m", "end");
        for _ in 0..1000 {
            message = Message::new("t").with("m", Arg::Message(Box::new(message)));
        }
        assert!(catalog.render(&message, &()).len() < 100);
    }

    #[test]
    fn faults_name_file_and_key() {
        for (text, part) in [
            ("a = 1", "`a` is not a text"),
            ("[p]\nq = \"{x\"", "`p.q`: `{` without"),
            ("a = \"x}\"", "`}` without"),
            ("a = \"{x|one}\"", "two forms"),
            ("a = \"{x:은}\"", "two forms"),
            ("a = \"{a b}\"", "a name is"),
            ("a = \"x\"\na = \"y\"", "duplicate key"),
            ("[a]\nb = \"x\"\n\"\" = 1", "is not a text"),
            ("\"a.b\" = \"x\"\n[a]\nb = \"y\"", "given twice"),
        ] {
            let error = Catalog::parse(text, "ko.toml").unwrap_err().to_string();
            assert!(error.starts_with("ko.toml:") && error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn languages_are_compared() {
        let en = Catalog::parse("a = \"{x} {n|1|2}\"\nb = \"b\"", "en").unwrap();
        let ko = Catalog::parse("a = \"{x:은/는}\"", "ko").unwrap();
        let problems: Vec<String> =
            Catalog::compare(&[("en", &en), ("ko", &ko)]).iter().map(ToString::to_string).collect();
        assert_eq!(problems, ["ko: `a` has the blanks {x}, elsewhere {n, x}", "ko: `b` is missing"]);
    }

    #[test]
    fn the_kernels_own_messages_agree() {
        let catalogs = LANGUAGES.map(|l| (l, Catalog::parse(kernel_messages(l).unwrap(), l).unwrap()));
        assert_eq!(Catalog::compare(&catalogs.each_ref().map(|(l, c)| (*l, c))), []);
    }
}
