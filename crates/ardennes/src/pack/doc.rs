//! The pack as one document, before any reference is resolved: lists of items with a key, and tables.
//!
//! Files and overlays are merged here, so that an overlay can name any field and the result is
//! checked as a whole.

use toml::{Table, Value};

use super::error::PackError;
use super::files::PackFiles;

/// The lists and the field that identifies their items.
pub(super) const LISTS: [(&str, &str); 10] = [
    ("corps", "id"),
    ("formation", "id"),
    ("optional", "id"),
    ("unit", "id"),
    ("pool", "id"),
    ("turn", "turn"),
    ("box", "id"),
    ("entry", "letter"),
    ("area", "formation"),
    ("victory_hex", "hex"),
];

/// One item of a list, with the file it came from.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub file: String,
    pub key: String,
    pub table: Table,
}

/// The merged document.
#[derive(Clone, Debug, Default)]
pub(super) struct Doc {
    /// In the order of [`LISTS`].
    pub lists: [Vec<Item>; 10],
    /// Unit types by name.
    pub types: Table,
    /// Loose keys of `places.toml`.
    pub places: Table,
    /// `2e`, `1e`.
    pub tables: [Table; 2],
    pub scenarios: Vec<Item>,
}

/// Position of a list in [`LISTS`].
pub(super) fn list_index(name: &str) -> Option<usize> {
    LISTS.iter().position(|&(list, _)| list == name)
}

/// The text that identifies an item, e.g. a slug or a turn number.
pub(super) fn key_text(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Integer(i) => Some(i.to_string()),
        _ => None,
    }
}

impl Doc {
    pub fn list(&self, name: &str) -> &[Item] {
        list_index(name).map_or(&[], |i| &self.lists[i])
    }

    /// Reads every file of a pack.
    pub fn read(files: &PackFiles) -> Result<Self, PackError> {
        let mut doc = Self::default();
        for (path, text) in &files.files {
            let table: Table =
                text.parse().map_err(|e: toml::de::Error| PackError::new(path, "", e.to_string()))?;
            doc.add_file(path, table)?;
        }
        Ok(doc)
    }

    fn add_file(&mut self, path: &str, mut table: Table) -> Result<(), PackError> {
        match path {
            "types.toml" => self.types = table,
            "tables/2e.toml" => self.tables[0] = table,
            "tables/1e.toml" => self.tables[1] = table,
            _ if path.starts_with("scenarios/") => {
                let key = table
                    .get("id")
                    .and_then(Value::as_str)
                    .ok_or_else(|| PackError::new(path, "", "a scenario needs an `id`"))?
                    .to_owned();
                self.scenarios.push(Item { file: path.to_owned(), key, table });
            }
            _ => {
                let defaults = match table.remove("defaults") {
                    Some(Value::Table(defaults)) => defaults,
                    Some(_) => {
                        return Err(PackError::new(path, "defaults", "must be a table"));
                    }
                    None => Table::new(),
                };
                for (name, value) in table {
                    if let Some(list) = list_index(&name) {
                        self.add_list(list, path, value, &defaults)?;
                    } else if path == "places.toml" {
                        self.places.insert(name, value);
                    } else {
                        return Err(PackError::new(
                            path,
                            &name,
                            format!("unknown table; known are {}", known_lists()),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    fn add_list(&mut self, list: usize, path: &str, value: Value, defaults: &Table) -> Result<(), PackError> {
        let (name, key_field) = LISTS[list];
        let Value::Array(items) = value else {
            return Err(PackError::new(path, name, format!("write [[{name}]], once per item")));
        };
        for item in items {
            let Value::Table(own) = item else {
                return Err(PackError::new(path, name, "an item must be a table"));
            };
            let key = own
                .get(key_field)
                .and_then(key_text)
                .ok_or_else(|| PackError::new(path, name, format!("an item needs `{key_field}`")))?;
            if let Some(other) = self.lists[list].iter().find(|i| i.key == key) {
                let message = format!("stands twice, first in {}", other.file);
                return Err(PackError::new(path, format!("{name} {key}"), message));
            }
            let mut table = defaults.clone();
            table.extend(own);
            self.lists[list].push(Item { file: path.to_owned(), key, table });
        }
        Ok(())
    }
}

/// The lists' names, for messages.
pub(super) fn known_lists() -> String {
    LISTS.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(", ")
}
