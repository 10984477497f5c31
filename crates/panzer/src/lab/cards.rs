//! Cards by the names that rulebook and players use: ids, printed numbers, names with or without nation and maker.

use kernel::SetupError;

use super::side_named;
use crate::pack::{
    Card, Kind, Nation,
    advanced::{Advanced, CrewServed, CrewServedCard},
};

/// Only letters and digits, with the spellings of German type names unified.
pub(super) fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace('ä', "ae");
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    name.replace("pzkpfw", "pz")
        .replace("pdr", "pounder")
        .replace("panzerjager", "panzerjaeger")
        .replace("panzeriii", "pziii")
        .replace("panzeriv", "pziv")
        .replace("88mm", "88cm")
        .replace("sdkfz250", "spw250")
        .replace("sdkfz251", "spw251")
        .replace("universalcarrier", "brencarrier")
}

/// A name without nation, maker and class, which the rulebook leaves out: `OQF 2-pounder ATG` is the 2-pounder.
fn core(name: &str) -> String {
    const LEFT_OUT: [&str; 18] = [
        "oqf",
        "qf",
        "oml",
        "ordnance",
        "atg",
        "aag",
        "gun",
        "howitzer",
        "german",
        "italian",
        "british",
        "american",
        "us",
        "french",
        "commonwealth",
        "medium",
        "the",
        "a",
    ];
    let words = name.to_lowercase();
    let words = words.split([' ', '/']).filter(|word| !LEFT_OUT.contains(word));
    plain(&words.collect::<Vec<_>>().join(" "))
}

/// Whether a nation is the one that a file names, or of the side that it names.
pub(super) fn fits(name: Option<&str>, nation: Nation) -> bool {
    let Some(name) = name else { return true };
    let wanted = match name.to_lowercase().as_str() {
        "german" | "germany" => Nation::German,
        "italian" | "italy" => Nation::Italian,
        "british" | "commonwealth" => Nation::British,
        "american" | "us" | "usa" => Nation::American,
        "french" => Nation::French,
        _ => return side_named(name).is_none_or(|side| side == nation.side()),
    };
    wanted == nation
}

/// A card of the pack by id, printed number or name; an abbreviated name (`PzKpfw III`) means the first match, if
/// possible of the nation or side that the file names.
pub(super) fn find<'a>(cards: &'a [Card], name: &str, nation: Option<&str>) -> Option<&'a Card> {
    let (wanted, short) = (plain(name), core(name));
    let same = |text: &str| !text.is_empty() && plain(text) == wanted;
    // Several printed numbers, or a number with a remark: `B-18A (5.2) / B-6B (6.5.1)`.
    let numbered = |text: &str| text.split([' ', '/', '(', ',']).any(same);
    let first = |of: &dyn Fn(&&Card) -> bool| {
        let mine = cards.iter().filter(|c| fits(nation, c.nation)).find(of);
        mine.or_else(|| cards.iter().find(of))
    };
    let truck = matches!(short.as_str(), "truck" | "lorry");
    cards
        .iter()
        .find(|c| c.id == name)
        .or_else(|| first(&|c| same(&c.id) || same(&c.card) || same(&c.name)))
        .or_else(|| first(&|c| numbered(&c.card)))
        .or_else(|| first(&|c| !short.is_empty() && core(&c.name) == short))
        .or_else(|| first(&|c| truck && c.kind == Kind::Truck))
        .or_else(|| first(&|c| wanted.len() > 5 && plain(&c.name).ends_with(&wanted)))
        .or_else(|| first(&|c| wanted.len() > 3 && plain(&c.name).starts_with(&wanted)))
        .or_else(|| by_words(cards, name, nation))
        .or_else(|| first(&|c| kinds(&wanted).contains(&c.kind)))
}

/// The kinds of vehicle that a word names; a nation's first card of one of them is meant.
fn kinds(word: &str) -> &'static [Kind] {
    match word {
        "tank" => &[Kind::Tank],
        "tankdestroyer" => &[Kind::TankDestroyer],
        "assaultgun" => &[Kind::AssaultGun],
        "selfpropelledgun" | "spgun" | "spg" => &[Kind::SelfPropelledGun],
        "armoredcar" | "armouredcar" => &[Kind::ArmoredCar],
        "halftrack" => &[Kind::HalfTrack],
        "carrier" => &[Kind::Carrier],
        "tractor" => &[Kind::Tractor],
        "car" => &[Kind::Car],
        _ => &[],
    }
}

/// Whether a name in place of a card means a crew-served weapon, which only a unit of infantry can have (5.1.3).
pub(super) fn is_crew_served(cards: &[Card], pack: &Advanced, name: &str, nation: Option<&str>) -> bool {
    let wanted = plain(name);
    let names_card =
        |c: &Card| c.id == name || [&c.id, &c.card, &c.name].into_iter().any(|text| plain(text) == wanted);
    let last = name.rsplit([' ', '-', '_']).next().map(plain).unwrap_or_default();
    let classed = class(&wanted).or_else(|| class(&last)).is_some();
    !cards.iter().any(names_card)
        && (classed || find(cards, name, nation).is_none())
        && crew_served(pack, name, nation).is_ok()
}

/// The only card whose name has all these words, if need be as beginnings of longer ones: `Tiger`, `Cruiser A13`,
/// `M4 Sherman`.
fn by_words<'a>(cards: &'a [Card], name: &str, nation: Option<&str>) -> Option<&'a Card> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split([' ', '-', '(', ')', '/', '.']).map(plain);
        words.filter(|word| !word.is_empty()).collect()
    };
    let wanted = words(name);
    let has = |c: &&Card| {
        let of_card = words(&c.name);
        wanted.iter().all(|word| of_card.iter().any(|other| other.starts_with(word.as_str())))
    };
    // A single letter or figure says nothing by itself.
    let telling = wanted.iter().any(|word| word.len() > 2);
    let mut found = cards.iter().filter(|c| telling && fits(nation, c.nation)).filter(has);
    found.next().filter(|_| found.next().is_none())
}

/// The class of crew-served weapons (5.1.3) that a word names.
fn class(word: &str) -> Option<CrewServed> {
    Some(match word {
        "hmg" | "mg" | "heavymachinegun" | "machinegun" => CrewServed::Hmg,
        "atr" | "antitankrifle" => CrewServed::Atr,
        "mortar" => CrewServed::Mortar,
        "flamethrower" => CrewServed::Flamethrower,
        _ => return None,
    })
}

/// The weight of a mortar that a word names: light ones harm no more than Effectiveness 1 does.
fn weight(c: &CrewServedCard, word: &str) -> Option<bool> {
    let light = c.weapon.effectiveness.is_none_or(|most| most <= 1);
    match word {
        "light" => Some(c.kind == CrewServed::Mortar && light),
        "medium" => Some(c.kind == CrewServed::Mortar && !light),
        _ => None,
    }
}

/// A crew-served weapon by id, name or number, by its class (`HMG`) where the unit's nation has only one or the rulebook's
/// usual one, or by words of its name (`Boys ATR`, `3-inch mortar`, `light mortar`).
pub(super) fn crew_served<'a>(
    pack: &'a Advanced,
    name: &str,
    nation: Option<&str>,
) -> Result<&'a CrewServedCard, SetupError> {
    let wanted = plain(name);
    let all = || pack.crew_served.iter();
    let exact = all().find(|c| c.id == name || plain(&c.id) == wanted || plain(&c.name) == wanted);
    let exact = exact.or_else(|| all().find(|c| plain(&c.card) == wanted && !wanted.is_empty()));
    if let Some(found) = exact {
        return Ok(found);
    }
    let words = name.split([' ', '-', '_', '/']).map(plain);
    let words: Vec<String> = words.filter(|word| !word.is_empty() && word != "mk").collect();
    // A word of the name, or that of the class.
    let has = |c: &CrewServedCard, word: &String| {
        weight(c, word)
            .unwrap_or_else(|| class(word) == Some(c.kind) || plain(&c.name).contains(word.as_str()))
    };
    let all_words = |c: &&CrewServedCard| !words.is_empty() && words.iter().all(|word| has(c, word));
    let mut found: Vec<&CrewServedCard> = all().filter(all_words).collect();
    if found.iter().any(|c| fits(nation, c.nation)) {
        found.retain(|c| fits(nation, c.nation));
    }
    match found[..] {
        [one] => Ok(one),
        // A nation's usual machine gun is its first; a side's usual mortar of a weight is the first too.
        [one, ..] if one.kind == CrewServed::Hmg || words.iter().any(|word| weight(one, word).is_some()) => {
            Ok(one)
        }
        _ => {
            let known = if found.is_empty() { all().collect() } else { found };
            let known = known.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(", ");
            Err(SetupError::Unknown { what: "crew-served weapon", name: name.to_owned(), known })
        }
    }
}
