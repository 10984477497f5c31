//! An action's notation taken apart, for clients that draw actions without knowing any game's grammar.
//!
//! Every game writes an action as words separated by blanks: first what is done, then the units and places it names,
//! then how it is done (`move A 1212 1313 tactical`, `no support`, `face T1 ne`). Which words are names is told by what
//! is on the table; everything else is the game's own vocabulary, for which the message files have words.

use serde::{Deserialize, Serialize};

/// What an action does, if clients treat such actions specially.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// It moves units; the game answers `reach` and `way` for them.
    Move,
    /// It puts a unit on the map, which costs no movement.
    Place,
    /// It sets a whole side up.
    Deploy,
    /// It finishes what is asked.
    Done,
    #[default]
    Other,
}

impl Deed {
    fn of(verb: &str) -> Deed {
        match verb {
            "move" => Deed::Move,
            "place" => Deed::Place,
            "deploy" => Deed::Deploy,
            "done" | "end" | "pass" => Deed::Done,
            _ => Deed::Other,
        }
    }
}

/// What a word of an action names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Unit,
    /// A cell, a hexside (two cells) or a box.
    Place,
}

/// An action taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Reading {
    pub deed: Deed,
    /// All words, in order. Joined by blanks they are the action again.
    pub words: Vec<String>,
    /// The words before the first unit or place, such as `no support`; a number among them stands as `n`.
    pub verb: Vec<String>,
    /// The number among those words: 2 of `move 2 of A 1313`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub number: Option<u32>,
    pub units: Vec<String>,
    pub places: Vec<String>,
    /// The words after the first unit or place: how it is done.
    pub modes: Vec<String>,
    /// Those of `modes` that distinguish ways of acting, such as `tactical`. A word between a place and the unit that
    /// acts on it, or between two units, only joins them and is left out.
    pub way: Vec<String>,
    /// Where it leads: the last place.
    pub target: Option<String>,
    /// The new facing, as a compass word in lower case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub facing: Option<String>,
    /// What the units use, such as ammunition: `gp` in `T1#2:gp`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub using: Vec<String>,
    /// The weapon of the unit: `2` in `T1#2:gp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub weapon: Option<String>,
    /// A target different from that of the other units: `B` in `T1#2:gp>B`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub at: Option<String>,
}

/// Words that only join names.
const JOINING: [&str; 4] = ["to", "at", "into", "onto"];
/// Words before a facing that add nothing to it.
const TOWARD: [&str; 4] = ["face", "facing", "toward", "towards"];
const COMPASS: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

impl Reading {
    /// Reads an action; `names` says what a word names.
    pub fn of(action: &str, names: impl Fn(&str) -> Option<Named>) -> Reading {
        let mut reading = Reading::default();
        let mut first: Option<Named> = None;
        for word in action.split_whitespace() {
            reading.words.push(word.to_owned());
            // `T1#2:gp`: a unit, its weapon and its ammunition.
            let bearer = word.find([':', '#', '>']).map(|end| &word[..end]).filter(|name| !name.is_empty());
            let named = names(word).map(|named| (named, word)).or_else(|| {
                let unit = bearer.filter(|name| names(name) == Some(Named::Unit))?;
                Some((Named::Unit, unit))
            });
            match named {
                Some((Named::Unit, unit)) => {
                    reading.units.push(unit.to_owned());
                    let (how, at) = word[unit.len()..]
                        .split_once('>')
                        .map_or_else(|| (&word[unit.len()..], None), |(how, at)| (how, Some(at.to_owned())));
                    let (weapon, using) = how.split_once(':').unwrap_or((how, ""));
                    reading.using.extend((!using.is_empty()).then(|| using.to_owned()));
                    reading.weapon = reading.weapon.or_else(|| weapon.strip_prefix('#').map(str::to_owned));
                    reading.at = reading.at.or(at);
                }
                Some((Named::Place, place)) => reading.places.push(place.to_owned()),
                None if first.is_some() => {
                    if !JOINING.contains(&word) {
                        reading.modes.push(word.to_owned());
                    }
                }
                None => match word.parse() {
                    Ok(number) if reading.number.is_none() => {
                        reading.number = Some(number);
                        reading.verb.push("n".to_owned());
                    }
                    _ => reading.verb.push(word.to_owned()),
                },
            }
            first = first.or(named.map(|(named, _)| named));
        }
        reading.take_facing();
        // A template's first part may end before its units: `fire with …`.
        if first.is_none() && reading.verb.len() > 1 && reading.verb.last().is_some_and(|word| word == "with")
        {
            reading.verb.pop();
        }
        reading.deed = reading.verb.first().map_or(Deed::Other, |verb| Deed::of(verb));
        reading.target = reading.places.last().cloned();
        let joined = reading.units.len() > 1 || (first == Some(Named::Place) && reading.units.len() == 1);
        if !joined {
            reading.way.clone_from(&reading.modes);
        }
        reading
    }

    fn take_facing(&mut self) {
        let Some(last) = self.modes.last().map(|word| word.to_ascii_lowercase()) else { return };
        // `at W` names a place.
        let before = self.words.len().checked_sub(2).and_then(|at| self.words.get(at));
        if !COMPASS.contains(&last.as_str()) || before.is_some_and(|word| word == "at") {
            return;
        }
        self.modes.pop();
        if self.modes.last().is_some_and(|word| TOWARD.contains(&word.as_str())) {
            self.modes.pop();
        }
        self.facing = Some(last);
    }
}

/// What a player may act with, for clients: `unit A`, `hex 1313`, `bridge 1212/1213` are on the map; anything else
/// (`phase`) is a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Subject {
    pub kind: SubjectKind,
    /// The unit, cell or hexside; for words the subject's notation.
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SubjectKind {
    Unit,
    Place,
    /// A hexside.
    Edge,
    Words,
}

impl Subject {
    /// Reads a subject; `names` says what a word names.
    pub fn of(subject: &str, names: impl Fn(&str) -> Option<Named>) -> Subject {
        let last = subject.split_whitespace().next_back().unwrap_or_default();
        let (kind, name) = match names(last) {
            Some(Named::Unit) => (SubjectKind::Unit, last),
            Some(Named::Place) if last.contains('/') => (SubjectKind::Edge, last),
            Some(Named::Place) => (SubjectKind::Place, last),
            None => (SubjectKind::Words, subject),
        };
        Subject { kind, name: name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(word: &str) -> Option<Named> {
        let cell = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        match word {
            "A" | "B" | "T1" => Some(Named::Unit),
            _ if word.split('/').all(cell) => Some(Named::Place),
            _ => None,
        }
    }

    fn read(action: &str) -> Reading {
        Reading::of(action, names)
    }

    #[test]
    fn verb_names_and_modes() {
        let reading = read("move A 1212 1313 tactical");
        assert_eq!(reading.deed, Deed::Move);
        assert_eq!(reading.verb, ["move"]);
        assert_eq!(
            (reading.units, reading.places),
            (vec!["A".to_owned()], vec!["1212".into(), "1313".into()])
        );
        assert_eq!((reading.modes.clone(), reading.way), (vec!["tactical".to_owned()], reading.modes));
        assert_eq!(reading.target.as_deref(), Some("1313"));
        assert_eq!(reading.words.join(" "), "move A 1212 1313 tactical");
    }

    #[test]
    fn a_word_that_joins_names_is_no_way_of_its_own() {
        assert_eq!(read("smoke 1313 with B").modes, ["with"]);
        assert!(read("smoke 1313 with B").way.is_empty());
        assert!(read("attack A with B").way.is_empty());
        assert!(read("move A to 1313").modes.is_empty());
    }

    #[test]
    fn numbers_and_done() {
        let reading = read("move 2 of A 1313");
        assert_eq!((reading.verb.join("_"), reading.number), ("move_n_of".into(), Some(2)));
        assert_eq!(reading.deed, Deed::Move);
        assert_eq!((read("2 of A").number, read("2 of A").units), (Some(2), vec!["A".to_owned()]));
        for done in ["done", "end", "pass", "end fire"] {
            assert_eq!(read(done).deed, Deed::Done, "{done}");
        }
        assert_eq!(read("endure").deed, Deed::Other);
        assert_eq!(read("fire with").verb, ["fire"]);
        assert_eq!(read("overrun with A").verb, ["overrun", "with"]);
    }

    #[test]
    fn a_facing_is_no_mode() {
        assert_eq!(read("place T1 1313 facing NE").facing.as_deref(), Some("ne"));
        assert!(read("place T1 1313 facing NE").modes.is_empty());
        assert_eq!(read("move T1 1313 reverse sw").modes, ["reverse"]);
        assert_eq!(read("place A at W").facing, None);
    }

    #[test]
    fn a_unit_with_its_weapon() {
        let reading = read("fire T1#2:gp A");
        assert_eq!(reading.units, ["T1", "A"]);
        assert_eq!(reading.using, ["gp"]);
        assert_eq!((reading.weapon.as_deref(), reading.at), (Some("2"), None));
        assert_eq!((read("T1:ap>B").using, read("T1:ap>B").at), (vec!["ap".to_owned()], Some("B".into())));
        assert!(read("assign x:y").units.is_empty());
    }

    #[test]
    fn subjects() {
        let kind = |text: &str| {
            let subject = Subject::of(text, names);
            (subject.kind, subject.name)
        };
        assert_eq!(kind("unit A"), (SubjectKind::Unit, "A".into()));
        assert_eq!(kind("hex 1313"), (SubjectKind::Place, "1313".into()));
        assert_eq!(kind("bridge 1212/1213"), (SubjectKind::Edge, "1212/1213".into()));
        assert_eq!(kind("fire phase"), (SubjectKind::Words, "fire phase".into()));
    }
}
