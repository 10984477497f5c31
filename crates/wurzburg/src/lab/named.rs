//! Units and formations by the names that players use: which counter of the pack is meant.

use toml::{Table, Value};

use crate::{
    pack::{PieceId, UnitType},
    rules::Wurzburg,
    units::{FormationId, Symbol},
};

/// Letters and figures only, in lower case.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// A player's name for a vehicle as it is printed.
pub(super) fn vehicle(name: &str) -> String {
    match plain(name).as_str() {
        "abrams" | "m1abrams" => "m1".into(),
        "bradley" | "m2bradley" => "m2".into(),
        "cavalry" => "m3".into(),
        "leopard" => "leopard1".into(),
        "hind" => "mi24".into(),
        "apache" => "ah64".into(),
        "cobra" => "ah1".into(),
        other => other.into(),
    }
}

/// `247th Guards Motor Rifle Regiment`, `36 PzB` and `3/3 Brigade` in the spelling of the ids: `247gmrr`, `36pzb`, `3/3`.
fn short(name: &str) -> String {
    let mut out = String::new();
    for word in name.split_whitespace() {
        let word = word.to_lowercase();
        let figures = word.trim_end_matches(char::is_alphabetic);
        let ordinal = ["st", "nd", "rd", "th"].contains(&&word[figures.len()..]) && !figures.is_empty();
        out.push_str(match word.as_str() {
            "guards" => "g",
            "motor" => "m",
            "rifle" | "regiment" => "r",
            "tank" => "t",
            "division" => "d",
            "brigade" | "battalion" => "b",
            "panzer" => "pz",
            "panzergrenadier" => "pzg",
            "independent" => "i",
            // 7.0: the nation goes without saying, and a base is named for its division or army.
            "us" | "wg" | "ca" | "eg" | "su" | "soviet" | "american" | "german" | "canadian" | "base"
            | "corps" => "",
            _ if ordinal => figures,
            word => word,
        });
    }
    out
}

/// A formation by its id or by its name as it is printed.
pub(crate) fn formation(rules: &Wurzburg, name: &str) -> Option<FormationId> {
    let wanted = short(name);
    let called = |wanted: &str| rules.formation_named(wanted);
    // `2nd Brigade`: those of the division that has numbered ones.
    let numbered = || {
        let number = wanted.strip_suffix('b').filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()))?;
        called(&format!("{number}/3"))
    };
    called(name).or_else(|| called(&wanted)).or_else(|| called(wanted.strip_suffix('b')?)).or_else(numbered)
}

/// The id of the pack for one that is written with or without the Guards: `243mrr-a` is `243gmrr-a`.
pub(super) fn counter_id(rules: &Wurzburg, id: &str) -> Option<String> {
    let (of, counter) = id.split_once('-')?;
    let formation = rules.formation_named(of)?;
    Some(format!("{}-{counter}", rules.formation(formation).id.to_lowercase()))
}

/// How well a counter fits a name of a type: the less the better; `None` if it is something else.
fn fits(kind: &UnitType, dag: bool, name: &str) -> Option<u8> {
    if kind.id.eq_ignore_ascii_case(name) {
        return Some(0);
    }
    let wanted = vehicle(name);
    let tail = kind.id.split_once('-').map_or(kind.id.as_str(), |(_, name)| name);
    // `BTR` for a heavier one, `Leopard` for the model that the formation has.
    let first =
        kind.vehicle.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
    if plain(&kind.vehicle) == wanted || plain(tail) == wanted || wanted == "dag" && dag {
        return Some(1);
    }
    if !first.is_empty() && (plain(first) == wanted || plain(first) == plain(name)) {
        return Some(2);
    }
    let symbol = kind.symbol;
    let artillery = symbol.artillery() && symbol != Symbol::RocketArtillery;
    let main = kind.id.contains("main");
    let is = match plain(name).as_str() {
        "hq" | "headquarters" => symbol == Symbol::Hq,
        "forwardhq" | "hqforward" => symbol == Symbol::Hq && !main,
        "mainhq" | "hqmain" => symbol == Symbol::Hq && main,
        "engineer" | "engineers" | "eng" | "pioneer" => symbol == Symbol::Engineer,
        "tank" | "tanks" | "armor" => symbol == Symbol::Armor,
        "infantry" => symbol.infantry(),
        "artillery" | "howitzer" | "howitzers" | "gun" | "guns" => artillery,
        "rocket" | "rockets" | "mlrs" | "rocketartillery" => symbol == Symbol::RocketArtillery,
        word => plain(symbol.key()) == word,
    };
    // A division's Forward HQ before its Main HQ.
    is.then_some(if main { 4 } else { 3 })
}

/// The counter of the pack that a unit of a type and a formation is; none of those that are `taken`.
pub(super) fn piece(
    rules: &Wurzburg,
    table: &Table,
    formation: FormationId,
    taken: &[PieceId],
) -> Option<PieceId> {
    let name = table.get("type").and_then(Value::as_str)?;
    let word = |key: &str| table.get(key).and_then(Value::as_str).map(str::to_lowercase);
    let (side, nation) = (word("side"), word("nation"));
    let own = |id: &PieceId| {
        let piece = rules.pack.piece(*id);
        piece.formation == formation
            && !taken.contains(id)
            && side.as_deref().and_then(super::side_named).is_none_or(|side| side == piece.side)
            && nation.as_deref().is_none_or(|nation| nation == piece.nation.key().to_lowercase())
    };
    let rank = |id: PieceId| {
        let whole = fits(rules.pack.type_of(id), rules.pack.piece(id).dag, name)?;
        Some((whole, id))
    };
    let all = rules.pack.piece_ids().filter(own).filter_map(rank);
    all.min_by_key(|(rank, _)| *rank).map(|(_, id)| id)
}
