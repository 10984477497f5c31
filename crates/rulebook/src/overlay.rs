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
    /// takes it out. A `[table]` is merged key by key. A table with the path of a file, `["tables/fire.toml".fire]`, is
    /// laid on that file alone, where a list without ids is replaced as a whole. `[map]` belongs to the map and is passed
    /// over.
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
            if let Some((path, table)) = documents.iter_mut().find(|(path, _)| *path == name) {
                let Value::Table(over) = value else { return Err(unknown(&name)) };
                lay_file(path, table, over, &mut changes)?;
                continue;
            }
            match value {
                Value::Array(items) if name == SCENARIOS.1 => {
                    for item in items {
                        lay_scenario(&mut documents, table_of(&name, item)?, &mut changes)?;
                    }
                }
                Value::Array(items) => {
                    for item in items {
                        let mut of_pack = outside_scenarios(&mut documents);
                        lay_item(&mut of_pack, &name, table_of(&name, item)?, &mut changes)?;
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

fn table_of(list: &str, item: Value) -> Result<Table, PackError> {
    match item {
        Value::Table(table) => Ok(table),
        _ => Err(PackError::at(OVERLAY, format!("{list}: its items must be tables"))),
    }
}

/// The files whose lists and tables are known by their names alone.
fn outside_scenarios(documents: &mut [Document]) -> Vec<(&str, &mut Table)> {
    let files = documents.iter_mut().filter(|(path, _)| !path.starts_with(SCENARIOS.0));
    files.map(|(path, table)| (path.as_str(), table)).collect()
}

/// More than one file has it.
fn ambiguous(what: &str, name: &str, files: &[&str]) -> PackError {
    let why = format!("{what}: is in {}; say which: `\"FILE\".{name}`", files.join(", "));
    PackError::at(OVERLAY, why)
}

fn lay_table(
    documents: &mut [Document],
    name: &str,
    over: &Table,
    changes: &mut Vec<Change>,
) -> Result<(), PackError> {
    let files = outside_scenarios(documents).into_iter();
    let mut tables: Vec<(&str, &mut Table)> =
        files.filter_map(|(path, table)| Some((path, table.get_mut(name)?.as_table_mut()?))).collect();
    if tables.len() > 1 {
        let files: Vec<&str> = tables.iter().map(|(path, _)| *path).collect();
        return Err(ambiguous(name, name, &files));
    }
    let (_, table) = tables.pop().ok_or_else(|| unknown(name))?;
    let old = table.clone();
    merge(table, over);
    diff_table(changes, name, "", &old, table);
    Ok(())
}

/// Lays a table on one file.
fn lay_file(path: &str, table: &mut Table, over: Table, changes: &mut Vec<Change>) -> Result<(), PackError> {
    let mut rest = Table::new();
    for (name, value) in over {
        let has_ids = |value: &Value| value.as_table().is_some_and(|table| table.contains_key("id"));
        match (table.get(&name).and_then(Value::as_array), value) {
            (Some(list), Value::Array(items)) if list.iter().any(has_ids) => {
                for item in items {
                    lay_item(&mut [(path, &mut *table)], &name, table_of(&name, item)?, changes)?;
                }
            }
            (_, value) => {
                rest.insert(name, value);
            }
        }
    }
    let old = table.clone();
    merge(table, &rest);
    diff_table(changes, path, "", &old, table);
    Ok(())
}

/// The id of an overlay's item, and its flags `add` and `remove`, which are taken out of it.
fn head(list: &str, over: &mut Table) -> Result<(String, bool, bool), PackError> {
    let Some(id) = over.get("id").and_then(Value::as_str).map(str::to_owned) else {
        return Err(PackError::at(OVERLAY, format!("{list}: an item needs its `id`")));
    };
    let mut flag = |word: &str| match over.remove(word) {
        None => Ok(false),
        Some(Value::Boolean(set)) => Ok(set),
        Some(_) => Err(PackError::at(OVERLAY, format!("{list} {id}: `{word}` is true or false"))),
    };
    let (add, remove) = (flag("add")?, flag("remove")?);
    Ok((id, add, remove))
}

fn has_id(table: &Table, id: &str) -> bool {
    table.get("id").and_then(Value::as_str) == Some(id)
}

fn lay_scenario(
    documents: &mut [Document],
    mut over: Table,
    changes: &mut Vec<Change>,
) -> Result<(), PackError> {
    let (id, add, remove) = head(SCENARIOS.1, &mut over)?;
    let item = format!("{} {id}", SCENARIOS.1);
    let error = |why: &str| PackError::at(OVERLAY, format!("{item}: {why}"));
    if add || remove {
        return Err(error("scenarios can be neither added nor removed"));
    }
    let mut files = documents.iter_mut().filter(|(path, _)| path.starts_with(SCENARIOS.0));
    let found = files.find(|(_, table)| has_id(table, &id));
    let (_, table) = found.ok_or_else(|| error("is not in the pack"))?;
    let old = table.clone();
    merge(table, &over);
    diff_table(changes, &item, "", &old, table);
    Ok(())
}

fn lay_item(
    files: &mut [(&str, &mut Table)],
    list: &str,
    mut over: Table,
    changes: &mut Vec<Change>,
) -> Result<(), PackError> {
    let (id, add, remove) = head(list, &mut over)?;
    let item = format!("{list} {id}");
    let error = |why: &str| PackError::at(OVERLAY, format!("{item}: {why}"));
    let mut lists: Vec<(&str, &mut Vec<Value>)> = files
        .iter_mut()
        .filter_map(|(path, table)| Some((*path, table.get_mut(list)?.as_array_mut()?)))
        .collect();
    if lists.is_empty() {
        return Err(unknown(list));
    }
    let at = |items: &[Value]| {
        items.iter().position(|value| value.as_table().is_some_and(|table| has_id(table, &id)))
    };
    let found: Vec<(usize, usize)> =
        lists.iter().enumerate().filter_map(|(n, (_, items))| Some((n, at(items)?))).collect();
    let which = match found[..] {
        [] => None,
        [one] => Some(one),
        _ => {
            let files: Vec<&str> = found.iter().map(|(n, _)| lists[*n].0).collect();
            return Err(ambiguous(&item, list, &files));
        }
    };
    let whole = |table: &Table| Some(Value::Table(table.clone()).to_string());
    let change = |old, new| Change { item: item.clone(), field: String::new(), old, new };
    match (which, add, remove) {
        (Some((n, at)), false, false) => {
            if let Some(table) = lists[n].1[at].as_table_mut() {
                let old = table.clone();
                merge(table, &over);
                diff_table(changes, &item, "", &old, table);
            }
        }
        (Some((n, at)), false, true) => {
            let old = lists[n].1.remove(at);
            changes.push(change(old.as_table().and_then(whole), None));
        }
        (None, true, false) => {
            changes.push(change(None, whole(&over)));
            lists[0].1.push(Value::Table(over));
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
            ("advanced/b.toml", "row = [1, 2]\n[[unit]]\nid = \"y\"\ncrew = 2\n[limits]\nn = 1\n"),
            ("limits.toml", "[limits]\nn = 5\n"),
            ("scenarios/1.toml", "id = \"first\"\nturns = 2\n[fire]\ncap = 9\n"),
        ])
    }

    fn lines(files: &mut PackFiles, overlay: &str) -> Vec<String> {
        files.lay(overlay).expect("it fits").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_change_where_they_stand() {
        let mut files = files();
        let overlay = "[[\"units/b.toml\".unit]]\nid = \"y\"\nattack = 5\n[fire]\ncap = 3\n[[scenario]]\nid = \"first\"\nturns = 4\n[map]\nx = 1\n";
        let changes = lines(&mut files, overlay);
        assert_eq!(changes, ["unit y: attack 4 -> 5", "fire: cap 2 -> 3", "scenario first: turns 2 -> 4"]);
        let b: Table = files.parse("units/b.toml").expect("it is sound");
        assert_eq!(b["unit"][0]["attack"].as_integer(), Some(5));
        let scenario: Table = files.parse("scenarios/1.toml").expect("it is sound");
        assert_eq!(scenario["fire"]["cap"].as_integer(), Some(9), "a table of a scenario is its own");
        assert_eq!(files.text("units/a.toml"), self::files().text("units/a.toml"));
    }

    #[test]
    fn a_file_is_named_where_two_have_the_same_id_or_table() {
        let mut files = files();
        let overlay = "[\"advanced/b.toml\"]\nrow = [3]\nlimits.n = 2\n[[\"advanced/b.toml\".unit]]\nid = \"y\"\ncrew = 3\n";
        let changes = lines(&mut files, overlay);
        let expected =
            ["unit y: crew 2 -> 3", "advanced/b.toml: row [1, 2] -> [3]", "advanced/b.toml: limits.n 1 -> 2"];
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        assert_eq!(sorted(changes), sorted(expected.map(str::to_owned).to_vec()));
        assert_eq!(files.text("limits.toml"), self::files().text("limits.toml"));
        assert_eq!(files.text("units/b.toml"), self::files().text("units/b.toml"));
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
            ("[[unit]]\nid = \"y\"\nattack = 1\n", "unit y: is in units/b.toml, advanced/b.toml; say which"),
            ("[limits]\nn = 1\n", "limits: is in advanced/b.toml, limits.toml; say which"),
            ("\"limits.toml\" = 1\n", "limits.toml: the pack has no such list or table"),
            ("[[\"units/b.toml\".unit]]\nid = \"z\"\n", "unit z: is not in the pack"),
        ] {
            let mut files = files();
            let error = files.lay(overlay).expect_err(overlay).to_string();
            assert!(error.starts_with("overlay: ") && error.contains(why), "{overlay}: {error}");
            assert_eq!(files.files, self::files().files);
        }
    }
}
