//! What an overlay changes in a pack, value by value.

use std::fmt;

use toml::{Table, Value};

/// Lays `over` on `base`: tables are merged key by key, everything else is replaced.
pub fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// One value that an overlay changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// E.g. `unit de-henke`, `tables 2e`.
    pub item: String,
    /// E.g. `front.attack`, `terrain.clear.dcb`; empty for the item as a whole.
    pub field: String,
    /// As TOML; `None` = was not there.
    pub old: Option<String>,
    /// As TOML; `None` = is no longer there.
    pub new: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.item)?;
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
        }
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, " {old} -> {new}"),
            (None, Some(new)) => write!(f, " + {new}"),
            (Some(old), None) => write!(f, " - {old}"),
            (None, None) => Ok(()),
        }
    }
}

/// Compares two lists of items, which are told apart by their keys.
pub fn diff_items<'a, Items>(changes: &mut Vec<Change>, name: &str, old: Items, new: Items)
where
    Items: Iterator<Item = (&'a str, &'a Table)> + Clone,
{
    let whole = |table: &Table| Some(Value::Table(table.clone()).to_string());
    for (key, before) in old.clone() {
        let item = format!("{name} {key}");
        match new.clone().find(|(other, _)| *other == key) {
            Some((_, after)) => diff_table(changes, &item, "", before, after),
            None => changes.push(Change { item, field: String::new(), old: whole(before), new: None }),
        }
    }
    for (key, after) in new.filter(|(key, _)| old.clone().all(|(other, _)| other != *key)) {
        let item = format!("{name} {key}");
        changes.push(Change { item, field: String::new(), old: None, new: whole(after) });
    }
}

/// Compares two tables; `path` is where they are inside the item, empty for its top.
pub fn diff_table(changes: &mut Vec<Change>, item: &str, path: &str, old: &Table, new: &Table) {
    let field = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, before) in old {
        match (before, new.get(key)) {
            (Value::Table(before), Some(Value::Table(after))) => {
                diff_table(changes, item, &field(key), before, after);
            }
            (Value::Array(before), Some(Value::Array(after))) if before.iter().all(Value::is_table) => {
                diff_entries(changes, item, &field(key), before, after);
            }
            (before, after) if Some(before) != after => changes.push(Change {
                item: item.to_owned(),
                field: field(key),
                old: Some(before.to_string()),
                new: after.map(Value::to_string),
            }),
            _ => {}
        }
    }
    for (key, after) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        changes.push(Change {
            item: item.to_owned(),
            field: field(key),
            old: None,
            new: Some(after.to_string()),
        });
    }
}

/// Entries without a key: what was removed and what was added.
fn diff_entries(changes: &mut Vec<Change>, item: &str, field: &str, old: &[Value], new: &[Value]) {
    let removed = old.iter().filter(|entry| !new.contains(entry)).map(|e| (Some(e), None));
    let added = new.iter().filter(|entry| !old.contains(entry)).map(|e| (None, Some(e)));
    changes.extend(removed.chain(added).map(|(old, new)| Change {
        item: item.to_owned(),
        field: field.to_owned(),
        old: old.map(Value::to_string),
        new: new.map(Value::to_string),
    }));
}
