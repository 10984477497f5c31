//! The words of a game: every message that its code can show exists in every language.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::catalog::LANGUAGES;
use crate::{Catalog, Game};

/// A string literal of a game's source code.
#[derive(Clone, Debug)]
pub struct Literal {
    pub text: String,
    /// The code between the literal before it in the same file and this one, without comments.
    pub before: String,
    /// The literal before it in the same file.
    pub previous: String,
    /// The code before that one.
    pub earlier: String,
    /// The name of the source file, without folders.
    pub file: String,
}

impl Literal {
    /// May this be the key of a message, such as `no.bond.hex`?
    pub fn is_key(&self) -> bool {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'.';
        self.text.starts_with(|c: char| c.is_ascii_lowercase())
            && self.text.bytes().all(plain)
            && !self.text.ends_with('.')
    }

    /// A key with all its parts, the first of which is one of these?
    pub fn is_key_of(&self, tables: &[&str]) -> bool {
        let (table, rest) = self.text.split_once('.').unwrap_or((&self.text, ""));
        self.is_key() && !rest.is_empty() && tables.contains(&table)
    }

    /// Does it follow the number of a rule, as in `no("10.2", "bond.hex")`?
    pub fn follows_rule(&self) -> bool {
        self.before.trim() == "," && is_rule(&self.previous)
    }

    /// Is it the first argument of this function?
    pub fn opens(&self, function: &str) -> bool {
        opens(&self.before, function)
    }

    /// Is it an argument of this function, behind the number of a rule?
    pub fn follows_rule_of(&self, function: &str) -> bool {
        self.follows_rule() && opens(&self.earlier, function)
    }
}

fn opens(code: &str, function: &str) -> bool {
    code.trim_end().strip_suffix('(').is_some_and(|code| code.ends_with(function))
}

/// The number of a rule, or `-` where there is none.
fn is_rule(text: &str) -> bool {
    text == "-"
        || text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// All string literals of a crate's `src` folder, except those of folders called `pack`, which name fields of files.
/// `krate` is the crate's folder: `env!("CARGO_MANIFEST_DIR")`.
pub fn literals(krate: &str) -> Vec<Literal> {
    let mut list = Vec::new();
    read(&Path::new(krate).join("src"), &mut list);
    list
}

fn read(folder: &Path, list: &mut Vec<Literal>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let file = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if file != "pack" {
                read(&path, list);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            list.extend(literals_of(&text, &file));
        }
    }
}

fn literals_of(text: &str, file: &str) -> Vec<Literal> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let code = code.join(" ");
    let mut parts = code.split('"');
    let mut before = parts.next().unwrap_or("");
    let (mut earlier, mut previous) = ("", "");
    let mut list = Vec::new();
    while let Some(text) = parts.next() {
        list.push(Literal {
            text: text.to_owned(),
            before: before.to_owned(),
            previous: previous.to_owned(),
            earlier: earlier.to_owned(),
            file: file.to_owned(),
        });
        (earlier, previous) = (before, text);
        before = parts.next().unwrap_or("");
    }
    list
}

/// The keys that a game's catalogue entry shows: seats, scenarios, options, overlays.
pub fn keys_of_entry(game: &dyn Game) -> BTreeSet<String> {
    let info = game.info();
    let mut keys = BTreeSet::from([info.name.clone(), info.about.clone()]);
    keys.extend(info.seats.iter().map(|seat| seat.name.clone()));
    keys.extend(info.scenarios.iter().flat_map(|s| [s.name.clone(), s.about.clone()]));
    keys.extend(info.options.iter().map(|option| option.name.clone()));
    keys.extend(info.overlays.iter().map(|overlay| overlay.name.clone()));
    keys
}

/// Checks that all languages have words for these keys, and for those of the catalogue entry, and that the languages
/// have the same keys and blanks. Fewer than `at_least` keys mean that the search for them no longer works.
pub fn check_words(game: &dyn Game, mut keys: BTreeSet<String>, at_least: usize) -> Result<(), String> {
    if keys.len() < at_least {
        return Err(format!("only {} keys were found: does the search still work?", keys.len()));
    }
    keys.extend(keys_of_entry(game));
    let mut faults = Vec::new();
    for language in LANGUAGES {
        let catalog = Catalog::of_game(game, language).map_err(|e| e.to_string())?;
        let missing = keys.iter().filter(|key| catalog.text(key).is_none());
        faults.extend(missing.map(|key| format!("{language}: no words for {key}")));
    }
    let problems = Catalog::check_game(game).map_err(|e| e.to_string())?;
    faults.extend(problems.iter().map(ToString::to_string));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_know_what_stands_before_them() {
        let code = "// \"not this\"\nreturn no(\"10.2\", \"bond.hex\");\nkey(\"moved\")";
        let list = literals_of(code, "a.rs");
        let texts: Vec<&str> = list.iter().map(|literal| literal.text.as_str()).collect();
        assert_eq!(texts, ["10.2", "bond.hex", "moved"]);
        assert!(list[0].opens("no") && !list[0].is_key());
        assert!(list[1].is_key() && list[1].follows_rule_of("no") && !list[1].follows_rule_of("yes"));
        assert!(list[1].is_key_of(&["bond"]));
        assert!(list[2].opens("key") && !list[2].follows_rule() && !list[2].is_key_of(&["moved"]));
    }
}
