use std::collections::BTreeMap;

use wurzburg::pack::{Nation, Operation, Symbol, VictoryLevel, words};

use super::pack;

/// All keys of a message file, joined by dots.
fn keys(language: &str) -> BTreeMap<String, String> {
    fn walk(at: &str, table: &toml::Table, out: &mut BTreeMap<String, String>) {
        for (key, value) in table {
            let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
            match value {
                toml::Value::Table(t) => walk(&path, t, out),
                other => {
                    out.insert(path, other.as_str().unwrap_or_default().to_owned());
                }
            }
        }
    }
    let mut out = BTreeMap::new();
    walk("", &words(language).unwrap().parse().unwrap(), &mut out);
    out
}

#[test]
fn everything_in_the_pack_has_a_name_in_each_language() {
    let pack = pack();
    for language in ["en", "ko", "ja"] {
        let words = keys(language);
        let has = |key: String| assert!(words.get(&key).is_some_and(|w| !w.is_empty()), "{language}: {key}");
        pack.forces.formations.iter().for_each(|f| has(format!("formation.{}", f.id)));
        for s in Symbol::ALL {
            has(format!("symbol.{}", s.key()));
        }
        for n in Nation::ALL {
            has(format!("nation.{}", n.key()));
        }
        for o in Operation::ALL {
            has(format!("operation.{}", o.key()));
        }
        for l in VictoryLevel::ALL {
            has(format!("level.{}", l.key()));
        }
        for s in &pack.scenarios {
            has(format!("scenario.{}.name", s.id));
            has(format!("scenario.{}.history", s.id));
        }
        assert_eq!(words.keys().collect::<Vec<_>>(), keys("en").keys().collect::<Vec<_>>(), "{language}");
    }
    assert!(words("fr").is_none());
}
