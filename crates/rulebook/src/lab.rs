//! Lab files in the words of readers: names of terrain and roads, plural fields, single values where lists are usual.
//! [`plain_map`] brings the `[map]` of a file into the form that maps are read in. It changes only what could not be
//! read otherwise. [`Fields`] reads the fields of a unit.

use toml::{Table, Value};

/// What the words of a game's maps may be called besides.
#[derive(Clone, Copy, Debug)]
pub struct MapWords {
    /// The names of the terrain.
    pub terrain: &'static [&'static str],
    /// Other names, with the name that the map knows.
    pub also: &'static [(&'static str, &'static str)],
    /// The classes of roads, in the same way.
    pub roads: &'static [(&'static str, &'static str)],
    /// The state of the bridges of a plain list; none where the game reads such a list itself.
    pub listed_bridge: Option<&'static str>,
    /// A side by its name, or that of one of its nations.
    pub side: fn(&str) -> Option<&'static str>,
}

/// The fields that are lists of hexsides.
const HEXSIDES: [&str; 7] = ["river", "minor_river", "major_river", "canal", "meuse", "lake", "ferry"];

/// A word as the files of a pack write it: lower case, without blanks.
pub fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace([' ', '-'], "_")
}

/// A side of the Second World War in the west: `german` or `allied`.
pub fn side_1944(name: &str) -> Option<&'static str> {
    match plain(name).as_str() {
        "german" | "germans" | "germany" | "axis" => Some("german"),
        "allied" | "allies" | "us" | "usa" | "american" | "americans" | "british" | "uk" | "polish" => {
            Some("allied")
        }
        _ => None,
    }
}

/// The fields of a table of a lab file, such as a unit; an error names the field.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub &'a Table);

impl std::ops::Deref for Fields<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.0
    }
}

impl<'a> Fields<'a> {
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        let text = |value: &'a Value| value.as_str().ok_or_else(|| format!("{name}: must be a text"));
        self.0.get(name).map(text).transpose()
    }

    /// Names, such as a division's, may also be written as numbers.
    pub fn name(&self, name: &str) -> Result<Option<String>, String> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Integer(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(format!("{name}: must be a text")),
        }
    }

    pub fn number(&self, name: &str) -> Result<Option<u8>, String> {
        let small = |value: &Value| {
            let number = value.as_integer().and_then(|n| u8::try_from(n).ok()).filter(|n| *n < 100);
            number.ok_or_else(|| format!("{name}: must be a whole number from 0 to 99"))
        };
        self.0.get(name).map(small).transpose()
    }

    pub fn truth(&self, name: &str) -> Result<Option<bool>, String> {
        let truth = |value: &Value| value.as_bool().ok_or_else(|| format!("{name}: must be true or false"));
        self.0.get(name).map(truth).transpose()
    }

    /// A list of texts, or a single one.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let none = || format!("{name}: must be a list of texts");
        match self.0.get(name) {
            None => Ok(Vec::new()),
            Some(Value::String(one)) => Ok(vec![one.clone()]),
            Some(Value::Array(list)) => {
                let texts = list.iter().map(|value| value.as_str().map(str::to_owned));
                texts.collect::<Option<_>>().ok_or_else(none)
            }
            Some(_) => Err(none()),
        }
    }
}

/// The map of a lab file in the words that maps are read in.
pub fn plain_map(map: &mut Table, words: &MapWords) {
    for (other, name) in [("rivers", "river"), ("bridges", "bridge"), ("roads", "road"), ("cols", "columns")]
    {
        if let Some(value) = map.remove(other) {
            map.entry(name).or_insert(value);
        }
    }
    for name in HEXSIDES {
        in_brackets(map.get_mut(name));
        // `river.meuse = [...]` is the hexside of that name.
        if let Some(Value::Table(kinds)) = map.get(name) {
            let kinds = kinds.clone();
            map.remove(name);
            let sides = map.entry("hexside").or_insert_with(|| Value::Table(Table::new()));
            if let Some(sides) = sides.as_table_mut() {
                sides.extend(kinds);
            }
        }
    }
    if let Some(Value::String(name)) = map.get_mut("default") {
        *name = terrain(name, words);
    }
    for (field, known) in [("terrain", terrain as fn(&str, &MapWords) -> String), ("road", road)] {
        let Some(Value::Table(lists)) = map.get_mut(field) else { continue };
        for (name, mut list) in std::mem::take(lists) {
            if field == "terrain" {
                in_brackets(Some(&mut list));
            }
            let name = known(&name, words);
            match (lists.get_mut(&name).and_then(Value::as_array_mut), list) {
                (Some(all), Value::Array(more)) => all.extend(more),
                (_, list) => drop(lists.insert(name, list)),
            }
        }
    }
    for field in HEXSIDES.into_iter().chain(["hexside", "bridge"]) {
        if let Some(value) = map.get_mut(field) {
            with_slashes(value);
        }
    }
    bridges(map, words);
    sides(map, words);
}

/// Roads as chains of neighbouring hexes: a single chain may be written without the outer brackets, and where it skips
/// one hex the road runs through the hex `between`.
pub fn chains(map: &mut Table, between: impl Fn(&str, &str) -> Option<String>) {
    let Some(roads) = map.get_mut("road").and_then(Value::as_table_mut) else { return };
    for (_, class) in roads.iter_mut() {
        let Some(list) = class.as_array_mut() else { continue };
        if !list.is_empty() && list.iter().all(Value::is_str) {
            *list = vec![Value::Array(std::mem::take(list))];
        }
        for chain in list.iter_mut().filter_map(Value::as_array_mut) {
            let mut whole: Vec<Value> = Vec::with_capacity(chain.len());
            for next in chain.drain(..) {
                let skipped = whole.last().and_then(|last| between(last.as_str()?, next.as_str()?));
                whole.extend(skipped.map(Value::String));
                whole.push(next);
            }
            *chain = whole;
        }
    }
}

/// `rows` and `columns` with the lower end first.
pub fn sorted_ends(map: &mut Table) {
    for range in ["rows", "columns"] {
        if let Some(Value::Array(ends)) = map.get_mut(range) {
            ends.sort_by_key(Value::as_integer);
        }
    }
}

/// The map as the text of a map file.
pub fn map_text(map: &Table) -> Result<String, kernel::SetupError> {
    let mut file = Table::new();
    file.insert("map".into(), Value::Table(map.clone()));
    toml::to_string(&file).map_err(|e| kernel::SetupError::Bad(format!("map: {e}")))
}

fn in_brackets(value: Option<&mut Value>) {
    if let Some(value) = value.filter(|value| value.is_str()) {
        *value = Value::Array(vec![value.clone()]);
    }
}

fn known(word: &str, also: &[(&'static str, &'static str)]) -> Option<String> {
    also.iter().find(|(other, _)| *other == word).map(|(_, name)| (*name).to_owned())
}

fn terrain(name: &str, words: &MapWords) -> String {
    let plain = plain(name);
    let is_known = |word: &str| words.terrain.contains(&word);
    if is_known(&plain) {
        return plain;
    }
    if let Some(singular) = plain.strip_suffix('s').filter(|word| is_known(word)) {
        return singular.to_owned();
    }
    known(&plain, words.also).unwrap_or_else(|| name.to_owned())
}

fn road(name: &str, words: &MapWords) -> String {
    known(&plain(name), words.roads).unwrap_or_else(|| name.to_owned())
}

/// `1212-1213` is the hexside `1212/1213`.
fn with_slash(text: &str) -> String {
    let is_hex = |part: &str| {
        (4..=5).contains(&part.len()) && part.bytes().rev().take(4).all(|byte| byte.is_ascii_digit())
    };
    match text.split_once('-').map(|(a, b)| (a.trim(), b.trim())) {
        Some((a, b)) if is_hex(a) && is_hex(b) => format!("{a}/{b}"),
        _ => text.to_owned(),
    }
}

fn with_slashes(value: &mut Value) {
    match value {
        Value::String(text) => *text = with_slash(text),
        Value::Array(list) => list.iter_mut().for_each(with_slashes),
        Value::Table(table) => {
            for (key, mut value) in std::mem::take(table) {
                with_slashes(&mut value);
                table.insert(with_slash(&key), value);
            }
        }
        _ => {}
    }
}

/// A list of bridges: they stand. The state of a bridge in any spelling.
fn bridges(map: &mut Table, words: &MapWords) {
    let Some(bridges) = map.get_mut("bridge") else { return };
    in_brackets(Some(bridges));
    match bridges {
        Value::Array(list) if list.iter().all(Value::is_str) => {
            let Some(state) = words.listed_bridge else { return };
            let stands = |side: &Value| Some((side.as_str()?.to_owned(), Value::String(state.into())));
            *bridges = Value::Table(list.iter().filter_map(stands).collect());
        }
        Value::Table(states) => {
            for (_, state) in states.iter_mut() {
                if let Value::String(word) = state {
                    *word = match plain(word).as_str() {
                        "destroyed" | "demolished" => "blown".to_owned(),
                        plain => plain.to_owned(),
                    };
                }
            }
        }
        _ => {}
    }
}

/// Sources of supply by side; control by hex, or by side as supply is written.
fn sides(map: &mut Table, words: &MapWords) {
    if let Some(Value::Table(supply)) = map.get_mut("supply") {
        for (name, mut hexes) in std::mem::take(supply) {
            in_brackets(Some(&mut hexes));
            supply.insert((words.side)(&name).map_or(name, str::to_owned), hexes);
        }
    }
    for markers in ["traffic", "roadblocks"] {
        if let Some(Value::Table(owners)) = map.get_mut(markers) {
            for (name, mut value) in std::mem::take(owners) {
                if let Some(side) = value.as_str().and_then(words.side) {
                    value = side.into();
                }
                owners.insert((words.side)(&name).map_or(name, str::to_owned), value);
            }
        }
    }
    let Some(Value::Table(control)) = map.get_mut("control") else { return };
    for (name, mut value) in std::mem::take(control) {
        match (words.side)(&name) {
            Some(side) => {
                in_brackets(Some(&mut value));
                for hex in value.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    control.insert(hex.to_owned(), side.into());
                }
            }
            None => {
                let side = value.as_str().and_then(words.side);
                control.insert(name, side.map_or(value, Value::from));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: MapWords = MapWords {
        terrain: &["clear", "forest", "wooded_rough", "town", "west_wall"],
        also: &[("woods", "forest"), ("westwall", "west_wall")],
        roads: &[("main", "primary"), ("minor", "secondary")],
        listed_bridge: Some("intact"),
        side: side_1944,
    };

    fn read(text: &str) -> Table {
        let mut map: Table = text.parse().expect("the test's TOML");
        plain_map(&mut map, &WORDS);
        map
    }

    fn same(written: &str, meant: &str) {
        assert_eq!(read(written), meant.parse::<Table>().expect("the test's TOML"), "{written}");
    }

    #[test]
    fn terrain_in_other_words() {
        same("terrain.towns = [\"1212\"]", "terrain.town = [\"1212\"]");
        same("terrain.\"Wooded Rough\" = \"1212\"", "terrain.wooded_rough = [\"1212\"]");
        same(
            "terrain.woods = [\"1212\"]\nterrain.forest = [\"1313\"]",
            "terrain.forest = [\"1212\", \"1313\"]",
        );
        // What nobody knows is left for the reader of maps to refuse.
        same("terrain.lava = [\"1212\"]", "terrain.lava = [\"1212\"]");
    }

    #[test]
    fn rivers_bridges_and_roads() {
        same("rivers = \"1212-1213\"", "river = [\"1212/1213\"]");
        same("river.meuse = [\"1212/1213\"]", "hexside.meuse = [\"1212/1213\"]");
        same("bridges = [\"1212-1213\"]", "bridge = { \"1212/1213\" = \"intact\" }");
        same(
            "bridge = { \"1212/1213\" = \"Under construction\" }",
            "bridge = { \"1212/1213\" = \"under_construction\" }",
        );
        same("roads.main = [[\"1010\", \"1011\"]]", "road.primary = [[\"1010\", \"1011\"]]");
    }

    #[test]
    fn a_road_runs_through_the_hex_that_its_chain_skips() {
        let mut map: Table =
            "road.primary = [\"1010\", \"1012\", \"1013\"]".parse().expect("the test's TOML");
        chains(&mut map, |a, b| (a == "1010" && b == "1012").then(|| "1011".to_owned()));
        let whole = "road.primary = [[\"1010\", \"1011\", \"1012\", \"1013\"]]";
        assert_eq!(map, whole.parse::<Table>().expect("the test's TOML"));
    }

    #[test]
    fn sides_by_other_names() {
        same("supply.axis = [\"1010\"]", "supply.german = [\"1010\"]");
        same("control.Germans = [\"1515\"]", "control = { \"1515\" = \"german\" }");
        same("control = { \"1515\" = \"US\" }", "control = { \"1515\" = \"allied\" }");
        same("traffic.US = [\"1411\"]", "traffic.allied = [\"1411\"]");
        same("roadblocks = { \"1515\" = \"Germans\" }", "roadblocks = { \"1515\" = \"german\" }");
        same("control = { \"1515\" = \"nobody\" }", "control = { \"1515\" = \"nobody\" }");
    }

    #[test]
    fn what_is_written_as_usual_stays() {
        let usual = "rows = [10, 20]\ndefault = \"clear\"\nterrain.town = [\"1515\"]\nriver = [\"1212/1213\"]\n\
                     bridge = { \"1212/1213\" = \"blown\" }\nroad.primary = [[\"1010\", \"1111\"]]\n\
                     supply = { german = [\"1010\"] }\ncontrol = { \"1515\" = \"german\" }";
        same(usual, usual);
    }
}
