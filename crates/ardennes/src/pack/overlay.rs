//! Overlays: a small TOML file with which a player corrects the pack from the printed game.
//!
//! An overlay is applied to the document, and the whole is resolved and checked again, so it can change any field
//! without breaking anything unnoticed. `docs/PACKS.md` describes the format.

use rulebook::changes::{Change, diff_items, diff_table, merge};
use toml::{Table, Value};

use super::doc::{Doc, Item, LISTS, key_text, known_lists, list_index};
use super::error::PackError;
use super::ids::Edition;
use super::{Pack, load};

const FILE: &str = "overlay";

/// Lists whose items an overlay may add and remove; the others have a fixed number.
const OPEN_LISTS: [&str; 5] = ["formation", "unit", "pool", "area", "victory_hex"];

impl Pack {
    /// Applies an overlay to the pack. On an error, which says what would be allowed, the pack is unchanged. `[map]`
    /// belongs to the map and is skipped.
    pub fn apply_overlay(&mut self, overlay: &str) -> Result<Vec<Change>, PackError> {
        let table: Table =
            overlay.parse().map_err(|e: toml::de::Error| PackError::new(FILE, "", e.to_string()))?;
        let mut doc = Doc::clone(&self.doc);
        apply(&mut doc, table)?;
        let pack = load::build(&doc)?;
        let faults = super::check::check(&pack);
        if let Some(fault) = faults.iter().find(|f| f.severity == super::Severity::Error) {
            return Err(PackError::new(FILE, &fault.item, &fault.message));
        }
        let changes = diff(&self.doc, &doc);
        *self = pack;
        Ok(changes)
    }
}

fn apply(doc: &mut Doc, overlay: Table) -> Result<(), PackError> {
    for (name, value) in overlay {
        match (name.as_str(), value) {
            ("map", _) => {}
            ("tables", Value::Table(editions)) => {
                for (edition, over) in editions {
                    let slot = Edition::ALL.into_iter().find(|e| e.key() == edition);
                    let (Some(slot), Value::Table(over)) = (slot, over) else {
                        let message = "write [tables.2e.NAME] or [tables.1e.NAME]";
                        return Err(PackError::new(FILE, format!("tables.{edition}"), message));
                    };
                    merge(&mut doc.tables[slot.index()], &over);
                }
            }
            ("types", Value::Table(over)) => merge(&mut doc.types, &over),
            ("places", Value::Table(over)) => merge(&mut doc.places, &over),
            ("scenario", Value::Table(scenarios)) => {
                for (id, over) in scenarios {
                    let known = doc.scenarios.iter_mut().find(|s| s.key == id);
                    let (Some(item), Value::Table(over)) = (known, over) else {
                        let message = "no such scenario; write [scenario.campaign] …";
                        return Err(PackError::new(FILE, format!("scenario {id}"), message));
                    };
                    merge(&mut item.table, &over);
                    FILE.clone_into(&mut item.file);
                }
            }
            (list, Value::Array(items)) if list_index(list).is_some() => {
                lay_list(doc, list, items)?;
            }
            _ => {
                let message = format!(
                    "unknown; an overlay has map, tables, types, places, scenario, or [[…]] of {}",
                    known_lists()
                );
                return Err(PackError::new(FILE, name, message));
            }
        }
    }
    Ok(())
}

fn lay_list(doc: &mut Doc, name: &str, items: Vec<Value>) -> Result<(), PackError> {
    // The caller has already looked up the name.
    let Some(list) = list_index(name) else { return Ok(()) };
    let key_field = LISTS[list].1;
    for value in items {
        let Value::Table(mut over) = value else {
            return Err(PackError::new(FILE, name, "an item must be a table"));
        };
        let Some(key) = over.get(key_field).and_then(key_text) else {
            return Err(PackError::new(FILE, name, format!("an item needs `{key_field}`")));
        };
        let error = |message: String| PackError::new(FILE, format!("{name} {key}"), message);
        let mut flag = |word: &str| match over.remove(word) {
            None => Ok(false),
            Some(Value::Boolean(set)) => Ok(set),
            Some(_) => Err(error(format!("`{word}` is true or false"))),
        };
        let (add, remove) = (flag("add")?, flag("remove")?);
        if (add || remove) && !OPEN_LISTS.contains(&name) {
            return Err(error(format!("only items of {} can be added or removed", OPEN_LISTS.join(", "))));
        }
        let at = doc.lists[list].iter().position(|item| item.key == key);
        match (at, add, remove) {
            (Some(at), false, true) => {
                doc.lists[list].remove(at);
                if name == "unit" {
                    forget(&mut doc.scenarios, &key);
                }
            }
            (Some(at), false, false) => {
                let item = &mut doc.lists[list][at];
                // A unit has either of the two: setting one removes the other.
                for (given, other) in [("setup", "arrival"), ("arrival", "setup")] {
                    if over.contains_key(given) && !over.contains_key(other) {
                        item.table.remove(other);
                    }
                }
                merge(&mut item.table, &over);
                FILE.clone_into(&mut item.file);
            }
            (None, true, false) => {
                doc.lists[list].push(Item { file: FILE.to_owned(), key, table: over });
            }
            (None, _, _) => {
                let message = "is not in the pack (write `add = true` for a new one)";
                return Err(error(message.into()));
            }
            (Some(_), true, _) => return Err(error("is in the pack already".into())),
        }
    }
    Ok(())
}

/// Removes a deleted unit from the scenarios' lists.
fn forget(scenarios: &mut [Item], unit: &str) {
    for scenario in scenarios {
        for list in ["place", "dead", "removed"] {
            if let Some(Value::Array(entries)) = scenario.table.get_mut(list) {
                entries.retain(|entry| {
                    let name = entry.get("unit").unwrap_or(entry);
                    name.as_str() != Some(unit)
                });
            }
        }
    }
}

fn diff(old: &Doc, new: &Doc) -> Vec<Change> {
    let mut changes = Vec::new();
    diff_table(&mut changes, "types", "", &old.types, &new.types);
    for ((name, _), (before, after)) in LISTS.iter().zip(old.lists.iter().zip(&new.lists)) {
        diff_items(&mut changes, name, keyed(before), keyed(after));
    }
    diff_table(&mut changes, "places", "", &old.places, &new.places);
    for edition in Edition::ALL {
        let item = format!("tables {}", edition.key());
        let at = edition.index();
        diff_table(&mut changes, &item, "", &old.tables[at], &new.tables[at]);
    }
    diff_items(&mut changes, "scenario", keyed(&old.scenarios), keyed(&new.scenarios));
    changes
}

fn keyed(items: &[Item]) -> impl Iterator<Item = (&str, &Table)> + Clone {
    items.iter().map(|item| (item.key.as_str(), &item.table))
}
