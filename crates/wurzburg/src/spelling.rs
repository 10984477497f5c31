//! Alternative spellings: what a player writes is converted to the words of the notation before it is read.

/// Phrases with the words they stand for; the longest come first.
const PHRASES: &[(&[&str], &[&str])] = &[
    (&["hasty", "attack"], &["hasty"]),
    (&["hasty_attack"], &["hasty"]),
    (&["hasty", "attack", "operation"], &["hasty"]),
    (&["assault", "operation"], &["assault"]),
    (&["march", "operation"], &["march"]),
    (&["reserve", "operation"], &["reserve"]),
    (&["amphibious", "crossing"], &["cross"]),
    (&["amphibious_crossing"], &["cross"]),
    (&["ferry", "crossing"], &["ferry"]),
    (&["helicopter", "transport"], &["lift"]),
    (&["transport"], &["lift"]),
    (&["airlift"], &["lift"]),
    (&["screening", "action"], &["screen"]),
    (&["screening"], &["screen"]),
    (&["new", "objective"], &["objective"]),
    (&["keep", "objective"], &["keep"]),
    (&["keep", "the", "objective"], &["keep"]),
    (&["point-blank", "fire"], &["fire"]),
    (&["point", "blank", "fire"], &["fire"]),
    (&["point_blank", "fire"], &["fire"]),
    (&["direct", "fire"], &["fire"]),
    (&["fly", "home"], &["home"]),
    (&["go", "home"], &["home"]),
    (&["lead", "unit"], &["lead"]),
    (&["close", "attack"], &["close"]),
    (&["close_attack"], &["close"]),
    (&["off", "map"], &["off-map"]),
    (&["off_map"], &["off-map"]),
    (&["offmap"], &["off-map"]),
    (&["main", "effort"], &["main-effort"]),
    (&["main_effort"], &["main-effort"]),
    (&["non", "persistent"], &["non-persistent"]),
    (&["non_persistent"], &["non-persistent"]),
    (&["non-persistent", "gas"], &["non-persistent"]),
    (&["persistent", "gas"], &["persistent"]),
    // Attack profiles.
    (&["low", "bomb"], &["low_bomb"]),
    (&["low-bomb"], &["low_bomb"]),
    (&["high", "bomb"], &["high_bomb"]),
    (&["high-bomb"], &["high_bomb"]),
    (&["hi-bomb"], &["high_bomb"]),
    (&["hi_bomb"], &["high_bomb"]),
    (&["low", "standoff"], &["low_standoff"]),
    (&["low", "stand-off"], &["low_standoff"]),
    (&["low_stand_off"], &["low_standoff"]),
    (&["low-standoff"], &["low_standoff"]),
    (&["high", "standoff"], &["high_standoff"]),
    (&["high", "stand-off"], &["high_standoff"]),
    (&["high_stand_off"], &["high_standoff"]),
    (&["high-standoff"], &["high_standoff"]),
    (&["hi_standoff"], &["high_standoff"]),
    // Engineering Actions.
    (&["build", "bridge"], &["build_bridge"]),
    (&["build", "a", "bridge"], &["build_bridge"]),
    (&["recover", "bridge"], &["recover_bridge"]),
    (&["dismantle", "bridge"], &["recover_bridge"]),
    (&["improved_position"], &["improve"]),
    (&["improved", "position"], &["improve"]),
    (&["build", "obstacle"], &["obstacle"]),
    (&["clear", "obstacle"], &["clear_obstacle"]),
    (&["remove", "obstacle"], &["clear_obstacle"]),
    (&["remove_obstacle"], &["clear_obstacle"]),
    (&["lay", "minefield"], &["mine"]),
    (&["lay", "mine"], &["mine"]),
    (&["lay_mine"], &["mine"]),
    (&["lay_minefield"], &["mine"]),
    (&["dummy", "mine"], &["dummy_mine"]),
    (&["dummy", "minefield"], &["dummy_mine"]),
    (&["lay_dummy_mine"], &["dummy_mine"]),
    (&["dummy_minefield"], &["dummy_mine"]),
    (&["clear", "mines"], &["clear_mines"]),
    (&["clear", "minefield"], &["clear_mines"]),
    (&["clear_mine"], &["clear_mines"]),
    (&["clear_minefield"], &["clear_mines"]),
    (&["engineer_charges"], &["charges"]),
    // Answers.
    (&["hold", "fire"], &["hold"]),
    (&["no", "retreat"], &["stand"]),
    (&["stand", "fast"], &["stand"]),
    (&["elect", "retreat"], &["retreat"]),
    (&["no", "fire"], &["done"]),
    (&["no", "call"], &["done"]),
    (&["no", "support"], &["done"]),
    (&["no", "reaction"], &["done"]),
    (&["no", "screen"], &["done"]),
    (&["no", "jamming"], &["done"]),
    (&["no", "advance"], &["done"]),
    (&["no", "strike"], &["done"]),
    (&["no", "recon"], &["done"]),
    (&["no", "counter-battery"], &["done"]),
    (&["continue"], &["go", "on"]),
    (&["end"], &["done"]),
    (&["end", "movement"], &["done"]),
    (&["end", "segment"], &["done"]),
    (&["end", "phase"], &["done"]),
    (&["fight", "to", "the", "finish"], &["fight"]),
    (&["charge", "through"], &["charge"]),
    (&["counter-battery"], &["counter"]),
    (&["counter", "battery"], &["counter"]),
    (&["counterbattery"], &["counter"]),
    (&["counter-battery", "fire"], &["counter"]),
];

/// The designation of a division or regiment of the Warsaw Pact without the letter of the Guards: `243GMRR` and `243MRR` are
/// both `243mrr`. `None` for any other name.
pub fn without_guards(id: &str) -> Option<String> {
    let id = id.to_ascii_lowercase();
    let figures = id.bytes().take_while(u8::is_ascii_digit).count();
    let (number, letters) = id.split_at(figures);
    let letters = letters.strip_prefix('g').unwrap_or(letters);
    let known = ["mrr", "mrd", "tr", "td", "dtb", "aab"].contains(&letters);
    (known && figures > 0).then(|| format!("{number}{letters}"))
}

/// The list with every phrase replaced by the words of the notation.
pub fn usual<'a>(list: &[&'a str]) -> Vec<&'a str> {
    let mut out = Vec::with_capacity(list.len());
    let mut rest = list;
    while let Some(first) = rest.first() {
        let fits = PHRASES.iter().filter(|(phrase, _)| rest.starts_with(phrase));
        match fits.max_by_key(|(phrase, _)| phrase.len()) {
            Some((phrase, words)) => {
                out.extend_from_slice(words);
                rest = &rest[phrase.len()..];
            }
            None => {
                out.push(*first);
                rest = &rest[1..];
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{usual, without_guards};

    #[test]
    fn the_guards_may_be_left_out_of_a_designation() {
        assert_eq!(without_guards("243GMRR"), without_guards("243mrr"));
        assert_eq!(without_guards("57GDTB"), without_guards("57DTB"));
        assert_ne!(without_guards("17GTR"), without_guards("15GTR"));
        assert_eq!(without_guards("35PzGB"), None);
        assert_eq!(without_guards("GMRR"), None);
    }

    #[test]
    fn phrases_become_the_words_of_the_notation() {
        let read = |text: &str| usual(&text.split(' ').collect::<Vec<_>>()).join(" ");
        assert_eq!(read("hasty attack 24mrr by off map"), "hasty 24mrr by off-map");
        assert_eq!(read("work e build bridge 2213/2313"), "work e build_bridge 2213/2313");
        assert_eq!(read("no objective"), "no objective");
        assert_eq!(read("end movement"), "done");
    }
}
