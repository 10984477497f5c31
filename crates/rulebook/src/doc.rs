//! A pack as one document, before any reference is resolved: lists of items with a key, and tables. Files and overlays
//! are merged here, so that an overlay can name any field and the result is checked as a whole.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::changes::{Change, diff_items, diff_table, merge};

/// A fault in a pack file or an overlay: where it is, and what would be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {}{why}", if .item.is_empty() { String::new() } else { format!("{}: ", .item) })]
pub struct DocError {
    pub file: String,
    pub item: String,
    pub why: String,
}

impl DocError {
    pub fn new(file: &str, item: impl Into<String>, why: impl Into<String>) -> Self {
        DocError { file: file.to_owned(), item: item.into(), why: why.into() }
    }
}

/// A list of a pack: `[[name]]`, whose items are told apart by the field `key`.
#[derive(Clone, Copy, Debug)]
pub struct ListKind {
    pub name: &'static str,
    pub key: &'static str,
    /// Whether an overlay may add and remove items.
    pub open: bool,
}

/// What a game's pack consists of.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    pub lists: &'static [ListKind],
    pub tables: &'static [&'static str],
}

impl Schema {
    fn list(&self, name: &str) -> Option<&ListKind> {
        self.lists.iter().find(|list| list.name == name)
    }

    fn known(&self) -> String {
        let lists = self.lists.iter().map(|list| format!("[[{}]]", list.name));
        let tables = self.tables.iter().map(|table| format!("[{table}]"));
        lists.chain(tables).collect::<Vec<_>>().join(", ")
    }
}

/// The merged document.
#[derive(Clone, Debug)]
pub struct Doc {
    schema: Schema,
    lists: BTreeMap<&'static str, Vec<(String, Table)>>,
    tables: Table,
}

/// Name of an overlay in messages.
const OVERLAY: &str = "overlay";

impl Doc {
    /// Reads the files of a pack, given as names and texts. `[defaults]` of a file hold for all items of its lists.
    pub fn read<'a>(
        schema: Schema,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Doc, DocError> {
        let mut doc = Doc { schema, lists: BTreeMap::new(), tables: Table::new() };
        for (file, text) in files {
            let mut table: Table =
                text.parse().map_err(|e: toml::de::Error| DocError::new(file, "", e.to_string()))?;
            let defaults = match table.remove("defaults") {
                None => Table::new(),
                Some(Value::Table(defaults)) => defaults,
                Some(_) => return Err(DocError::new(file, "defaults", "must be a table")),
            };
            for (name, value) in table {
                doc.add(file, &name, value, &defaults)?;
            }
        }
        Ok(doc)
    }

    fn add(&mut self, file: &str, name: &str, value: Value, defaults: &Table) -> Result<(), DocError> {
        let unknown = || DocError::new(file, name, format!("unknown; known are {}", self.schema.known()));
        let Some(list) = self.schema.list(name).copied() else {
            let known = self.schema.tables.contains(&name);
            let (true, Value::Table(more)) = (known, value) else { return Err(unknown()) };
            match self.tables.get_mut(name) {
                Some(Value::Table(old)) => merge(old, &more),
                _ => {
                    self.tables.insert(name.to_owned(), Value::Table(more));
                }
            }
            return Ok(());
        };
        for own in items(file, list.name, value)? {
            let key = key_of(file, &list, &own)?;
            let entries = self.lists.entry(list.name).or_default();
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(DocError::new(file, format!("{name} {key}"), "stands twice"));
            }
            let mut table = defaults.clone();
            table.extend(own);
            entries.push((key, table));
        }
        Ok(())
    }

    /// The whole document as one table, for a typed reader.
    pub fn table(&self) -> Table {
        let mut all = self.tables.clone();
        for list in self.schema.lists {
            let entries = self.lists.get(list.name).map_or(&[][..], Vec::as_slice);
            let items = entries.iter().map(|(_, table)| Value::Table(table.clone())).collect();
            all.insert(list.name.to_owned(), Value::Array(items));
        }
        all
    }

    /// Lays an overlay over the document; `[map]` belongs to the map and is passed over.
    pub fn lay(&mut self, overlay: &str) -> Result<(), DocError> {
        let table: Table =
            overlay.parse().map_err(|e: toml::de::Error| DocError::new(OVERLAY, "", e.to_string()))?;
        for (name, value) in table {
            if name == "map" {
                continue;
            }
            if let Some(list) = self.schema.list(&name).copied() {
                for over in items(OVERLAY, list.name, value)? {
                    self.lay_item(&list, over)?;
                }
            } else {
                let known = self.schema.tables.contains(&name.as_str());
                let (true, Value::Table(over)) = (known, value) else {
                    let why = format!("unknown; an overlay has [map] and {}", self.schema.known());
                    return Err(DocError::new(OVERLAY, name, why));
                };
                match self.tables.get_mut(&name) {
                    Some(Value::Table(old)) => merge(old, &over),
                    _ => {
                        self.tables.insert(name, Value::Table(over));
                    }
                }
            }
        }
        Ok(())
    }

    fn lay_item(&mut self, list: &ListKind, mut over: Table) -> Result<(), DocError> {
        let key = key_of(OVERLAY, list, &over)?;
        let error = |why: String| DocError::new(OVERLAY, format!("{} {key}", list.name), why);
        let mut flag = |word: &str| match over.remove(word) {
            None => Ok(false),
            Some(Value::Boolean(set)) => Ok(set),
            Some(_) => Err(error(format!("`{word}` is true or false"))),
        };
        let (add, remove) = (flag("add")?, flag("remove")?);
        if (add || remove) && !list.open {
            return Err(error("items of this list can be neither added nor removed".into()));
        }
        let entries = self.lists.entry(list.name).or_default();
        let at = entries.iter().position(|(known, _)| *known == key);
        match (at, add, remove) {
            (Some(at), false, true) => {
                entries.remove(at);
            }
            (Some(at), false, false) => {
                let item = &mut entries[at].1;
                // A unit has either of the two: setting one removes the other.
                for (given, other) in [("setup", "arrival"), ("arrival", "setup")] {
                    if over.contains_key(given) && !over.contains_key(other) {
                        item.remove(other);
                    }
                }
                merge(item, &over);
            }
            (None, true, false) => entries.push((key, over)),
            (None, _, _) => {
                return Err(error("is not in the pack (write `add = true` for a new one)".into()));
            }
            (Some(_), true, _) => return Err(error("is in the pack already".into())),
        }
        Ok(())
    }

    /// The items of a list with their keys.
    fn items(&self, list: &str) -> impl Iterator<Item = (&str, &Table)> + Clone {
        self.lists.get(list).into_iter().flatten().map(|(key, table)| (key.as_str(), table))
    }

    /// What another version of the document changes.
    pub fn diff(&self, new: &Doc) -> Vec<Change> {
        let mut changes = Vec::new();
        for list in self.schema.lists {
            diff_items(&mut changes, list.name, self.items(list.name), new.items(list.name));
        }
        diff_table(&mut changes, "tables", "", &self.tables, &new.tables);
        changes
    }
}

fn items(file: &str, name: &str, value: Value) -> Result<Vec<Table>, DocError> {
    let Value::Array(items) = value else {
        return Err(DocError::new(file, name, format!("write [[{name}]], once per item")));
    };
    items
        .into_iter()
        .map(|item| match item {
            Value::Table(table) => Ok(table),
            _ => Err(DocError::new(file, name, "an item must be a table")),
        })
        .collect()
}

fn key_of(file: &str, list: &ListKind, table: &Table) -> Result<String, DocError> {
    match table.get(list.key) {
        Some(Value::String(key)) => Ok(key.clone()),
        Some(Value::Integer(key)) => Ok(key.to_string()),
        _ => Err(DocError::new(file, list.name, format!("an item needs `{}`", list.key))),
    }
}
