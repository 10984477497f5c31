//! Overlays on a pack that is read file by file: corrections by list and id, laid on the files before they are read.

use toml::{Table, Value};

use crate::{
    changes::{Change, diff_table, merge},
    files::{PackError, PackFiles},
};

/// Name of an overlay in messages.
const OVERLAY: &str = "overlay";
/// A file in this folder is one item of the list of this name.
const SCENARIOS: (&str, &str) = ("scenarios/", "scenario");

type Document = (String, Table);

impl PackFiles {
    /// Lays an overlay on the files and says what it changes; after an error the files are as they were.
    ///
    /// An item of `[[list]]` is found by its `id` and says only what differs; `add = true` appends it, `remove = true`
    /// takes it out. A `[table]` is merged key by key. `[map]` belongs to the map and is passed over.
    pub fn lay(&mut self, overlay: &str) -> Result<Vec<Change>, PackError> {
        let over: Table =
            overlay.parse().map_err(|e: toml::de::Error| PackError::at(OVERLAY, e.to_string()))?;
        let mut documents = Vec::with_capacity(self.files.len());
        for (path, text) in &self.files {
            let table =
                text.parse().map_err(|e: toml::de::Error| PackError::at(path.as_str(), e.to_string()))?;
            documents.push((path.clone(), table));
        }
        let before: Vec<Document> = documents.clone();
        let mut changes = Vec::new();
        for (name, value) in over.into_iter().filter(|(name, _)| name != "map") {
            match value {
                Value::Array(items) => {
                    for item in items {
                        let Value::Table(item) = item else {
                            return Err(PackError::at(OVERLAY, format!("{name}: its items must be tables")));
                        };
                        lay_item(&mut documents, &name, item, &mut changes)?;
                    }
                }
                Value::Table(table) => lay_table(&mut documents, &name, &table, &mut changes)?,
                _ => return Err(unknown(&name)),
            }
        }
        for ((path, table), (_, old)) in documents.iter().zip(&before) {
            if table != old {
                self.replace(path, table.to_string());
            }
        }
        Ok(changes)
    }
}

fn unknown(name: &str) -> PackError {
    PackError::at(OVERLAY, format!("{name}: the pack has no such list or table"))
}

fn lay_table(
    documents: &mut [Document],
    name: &str,
    over: &Table,
    changes: &mut Vec<Change>,
) -> Result<(), PackError> {
    let tables = documents.iter_mut().filter(|(path, _)| !path.starts_with(SCENARIOS.0));
    let mut tables = tables.filter_map(|(_, table)| table.get_mut(name).and_then(Value::as_table_mut));
    let table = tables.next().ok_or_else(|| unknown(name))?;
    let old = table.clone();
    merge(table, over);
    diff_table(changes, name, "", &old, table);
    Ok(())
}

fn lay_item(
    documents: &mut [Document],
    list: &str,
    mut over: Table,
    changes: &mut Vec<Change>,
) -> Result<(), PackError> {
    let Some(id) = over.get("id").and_then(Value::as_str).map(str::to_owned) else {
        return Err(PackError::at(OVERLAY, format!("{list}: an item needs its `id`")));
    };
    let item = format!("{list} {id}");
    let error = |why: &str| PackError::at(OVERLAY, format!("{item}: {why}"));
    let mut flag = |word: &str| match over.remove(word) {
        None => Ok(false),
        Some(Value::Boolean(set)) => Ok(set),
        Some(_) => Err(error(&format!("`{word}` is true or false"))),
    };
    let (add, remove) = (flag("add")?, flag("remove")?);
    let is_it = |table: &Table| table.get("id").and_then(Value::as_str) == Some(&id);

    if list == SCENARIOS.1 {
        if add || remove {
            return Err(error("scenarios can be neither added nor removed"));
        }
        let mut files = documents.iter_mut().filter(|(path, _)| path.starts_with(SCENARIOS.0));
        let (_, table) = files.find(|(_, table)| is_it(table)).ok_or_else(|| error("is not in the pack"))?;
        let old = table.clone();
        merge(table, &over);
        diff_table(changes, &item, "", &old, table);
        return Ok(());
    }

    let of_pack = documents.iter_mut().filter(|(path, _)| !path.starts_with(SCENARIOS.0));
    let lists = of_pack.filter_map(|(_, table)| table.get_mut(list).and_then(Value::as_array_mut));
    let mut lists: Vec<&mut Vec<Value>> = lists.collect();
    if lists.is_empty() {
        return Err(unknown(list));
    }
    let at = |items: &Vec<Value>| items.iter().position(|value| value.as_table().is_some_and(is_it));
    let found = lists.iter().enumerate().find_map(|(n, items)| Some((n, at(items)?)));
    let whole = |table: &Table| Some(Value::Table(table.clone()).to_string());
    let change = |old, new| Change { item: item.clone(), field: String::new(), old, new };
    match (found, add, remove) {
        (Some((n, at)), false, false) => {
            if let Some(table) = lists[n][at].as_table_mut() {
                let old = table.clone();
                merge(table, &over);
                diff_table(changes, &item, "", &old, table);
            }
        }
        (Some((n, at)), false, true) => {
            let old = lists[n].remove(at);
            changes.push(change(old.as_table().and_then(whole), None));
        }
        (None, true, false) => {
            changes.push(change(None, whole(&over)));
            lists[0].push(Value::Table(over));
        }
        (None, _, _) => return Err(error("is not in the pack (write `add = true` for a new one)")),
        (Some(_), true, _) => return Err(error("is in the pack already")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> PackFiles {
        PackFiles::embedded(&[
            ("units/a.toml", "unit = [{ id = \"x\", attack = 3, source = { attack = \"a\" } }]"),
            ("units/b.toml", "[[unit]]\nid = \"y\"\nattack = 4\n"),
            ("tables.toml", "[fire]\ncap = 2\nrows = [1, 2]\n"),
            ("scenarios/1.toml", "id = \"first\"\nturns = 2\n[fire]\ncap = 9\n"),
        ])
    }

    fn lines(files: &mut PackFiles, overlay: &str) -> Vec<String> {
        files.lay(overlay).expect("it fits").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_change_where_they_stand() {
        let mut files = files();
        let overlay = "[[unit]]\nid = \"y\"\nattack = 5\n[fire]\ncap = 3\n[[scenario]]\nid = \"first\"\nturns = 4\n[map]\nx = 1\n";
        let changes = lines(&mut files, overlay);
        assert_eq!(changes, ["unit y: attack 4 -> 5", "fire: cap 2 -> 3", "scenario first: turns 2 -> 4"]);
        let b: Table = files.parse("units/b.toml").expect("it is sound");
        assert_eq!(b["unit"][0]["attack"].as_integer(), Some(5));
        let scenario: Table = files.parse("scenarios/1.toml").expect("it is sound");
        assert_eq!(scenario["fire"]["cap"].as_integer(), Some(9), "a table of a scenario is its own");
        assert_eq!(files.text("units/a.toml"), self::files().text("units/a.toml"));
    }

    #[test]
    fn items_come_and_go() {
        let mut files = files();
        let changes =
            lines(&mut files, "[[unit]]\nid = \"x\"\nremove = true\n[[unit]]\nid = \"z\"\nadd = true\n");
        assert_eq!(changes.len(), 2, "{changes:?}");
        let a: Table = files.parse("units/a.toml").expect("it is sound");
        assert_eq!(a["unit"].as_array().map(Vec::len), Some(1));
        assert_eq!(a["unit"][0]["id"].as_str(), Some("z"));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        for (overlay, why) in [
            ("x", "expected"),
            ("[[unit]]\nattack = 5\n", "an item needs its `id`"),
            ("[[unit]]\nid = \"z\"\nattack = 5\n", "unit z: is not in the pack"),
            ("[[unit]]\nid = \"x\"\nadd = true\n", "unit x: is in the pack already"),
            ("[[unit]]\nid = \"x\"\nremove = 1\n", "`remove` is true or false"),
            ("[[scenario]]\nid = \"first\"\nremove = true\n", "neither added nor removed"),
            ("[[boat]]\nid = \"x\"\n", "boat: the pack has no such list or table"),
            ("[fires]\ncap = 1\n", "fires: the pack has no such list or table"),
            ("fire = 3\n", "fire: the pack has no such list or table"),
        ] {
            let mut files = files();
            let error = files.lay(overlay).expect_err(overlay).to_string();
            assert!(error.starts_with("overlay: ") && error.contains(why), "{overlay}: {error}");
            assert_eq!(files.files, self::files().files);
        }
    }
}
