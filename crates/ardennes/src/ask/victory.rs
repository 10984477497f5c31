//! Who is winning: each side's conditions with what is met (30, 31).

use serde_json::{Value, json};

use crate::{
    pack::{Side, VictoryRule},
    report::{condition_key, condition_rule},
    rules::Ardennes,
    state::{Condition, State},
    supply,
    victory::{Tally, points},
};

pub fn victory(rules: &Ardennes, s: &State) -> Value {
    let tally = Tally::of(rules, s);
    let numbers = &rules.tables().victory;
    let line = |condition: Condition, has: u16, needed: u16, met: bool| {
        json!({
            "condition": condition_key(condition),
            "rule": condition_rule(condition),
            "has": has,
            "needed": needed,
            "met": met,
        })
    };
    let count = |condition, has: u8, needed: u8| line(condition, has.into(), needed.into(), has >= needed);
    // 1E 30.2: the East map's points as well.
    let east = tally.east_points >= numbers.east_points;
    let campaign = || {
        let exited = tally.exited >= numbers.exit_attack && tally.exit_supplied;
        let mut list = vec![
            line(Condition::Antwerp, tally.exited, numbers.exit_attack, exited),
            count(Condition::Liege, tally.liege, numbers.liege_hexes),
            count(Condition::Meuse, tally.meuse, numbers.meuse_hexes),
            count(Condition::WestMap, tally.west_map, numbers.west_map_hexes),
        ];
        if !east {
            for item in &mut list {
                item["met"] = json!(false);
            }
        }
        list
    };
    let german = match rules.scenario.victory {
        VictoryRule::Points { needed, per_hex, exit_attack } => {
            let has = points(&tally, per_hex, exit_attack);
            vec![line(Condition::Points, has, needed.into(), has >= u16::from(needed))]
        }
        VictoryRule::Campaign => campaign(),
        VictoryRule::Extended => {
            let mut list = campaign();
            let hexes = numbers.extended_west_hexes;
            list.push(count(Condition::Bastogne, tally.west_map, hexes));
            list
        }
    };
    let areas = tally.german_areas >= numbers.allied_areas;
    let allied = vec![
        line(
            Condition::GermanAreas,
            tally.german_areas.into(),
            numbers.allied_areas.into(),
            areas && s.areas_checks + 1 >= numbers.allied_checks,
        ),
        line(
            Condition::Prevented,
            s.turn.into(),
            rules.scenario.last_turn.into(),
            s.turn >= rules.scenario.last_turn && german.iter().all(|item| item["met"] == json!(false)),
        ),
    ];
    let roads = supply::road_hexes(rules, s, Side::German);
    let hexes: Vec<Value> = rules
        .land
        .victory
        .iter()
        .map(|site| {
            json!({
                "hex": rules.label(site.hex),
                "control": s.control(site.hex).to_string(),
                "connected": roads.contains(site.hex),
            })
        })
        .collect();
    json!({
        "german": german,
        "allied": allied,
        "hexes": hexes,
        "controlled": tally.all,
        "east_points": tally.east_points,
        "exited": tally.exited,
        "areas_checks": s.areas_checks,
        "winner": s.ending.and_then(|ending| ending.winner).map(|side| side.to_string()),
    })
}
