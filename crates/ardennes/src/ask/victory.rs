//! Who is winning: each side's conditions and whether they are met (30, 31).

use hexgrid::HexSet;
use kernel::{
    Message,
    view::{Panel, PanelRow},
};
use serde_json::{Value, json};

use crate::{
    pack::{Side, VictoryRule},
    report::{condition_key, condition_rule, side_key},
    rules::Ardennes,
    state::{Condition, State},
    supply,
    victory::{Tally, points},
};

/// One condition of a side.
struct Line {
    condition: Condition,
    has: u16,
    needed: u16,
    met: bool,
}

impl Line {
    fn json(&self) -> Value {
        json!({
            "condition": condition_key(self.condition),
            "rule": condition_rule(self.condition),
            "has": self.has,
            "needed": self.needed,
            "met": self.met,
        })
    }

    fn row(&self, side: Side) -> PanelRow {
        PanelRow {
            label: Message::new("panel.condition")
                .term("side", side_key(side))
                .term("what", format!("goal.{}", condition_key(self.condition))),
            value: Some(Message::new("panel.of").number("has", self.has).number("needed", self.needed)),
            pieces: Vec::new(),
            current: self.met,
            rule: Some(condition_rule(self.condition).to_owned()),
        }
    }
}

/// The same for people: the conditions of both sides, then every Victory Hex with the side that holds it.
fn panel(rules: &Ardennes, s: &State, conditions: [&[Line]; 2], roads: &HexSet) -> Panel {
    let lines = Side::ALL.into_iter().zip(conditions);
    // 31.2: where points decide, the start areas do not count.
    let points = matches!(rules.scenario.victory, VictoryRule::Points { .. });
    let counts = |line: &&Line| !(points && matches!(line.condition, Condition::GermanAreas));
    let mut rows: Vec<PanelRow> =
        lines.flat_map(|(side, lines)| lines.iter().filter(counts).map(move |line| line.row(side))).collect();
    rows.extend(rules.land.victory.iter().map(|site| {
        let holder = s.control(site.hex);
        // 30.1; 1E 30.2: having passed through is enough.
        let cut = holder == Side::German && !rules.victory_without_a_road() && !roads.contains(site.hex);
        PanelRow {
            label: Message::new("panel.victory_hex").place("hex", rules.label(site.hex)),
            value: Some(
                Message::new(if cut { "panel.cut_off" } else { "panel.holder" })
                    .term("side", side_key(holder)),
            ),
            pieces: Vec::new(),
            current: holder == Side::German && !cut,
            rule: None,
        }
    }));
    Panel { id: "victory".into(), title: Message::new("panel.victory"), rows }
}

pub fn victory(rules: &Ardennes, s: &State) -> Value {
    let tally = Tally::of(rules, s);
    let numbers = &rules.tables().victory;
    let line = |condition, has, needed, met| Line { condition, has, needed, met };
    let count = |condition, has: u8, needed: u8| line(condition, has.into(), needed.into(), has >= needed);
    // 1E 30.2: the East map's points count as well.
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
                item.met = false;
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
    let mut allied = vec![line(
        Condition::Prevented,
        s.turn.into(),
        rules.scenario.last_turn.into(),
        s.turn >= rules.scenario.last_turn && german.iter().all(|item| !item.met),
    )];
    // 30.3: not in scenarios that are won by points.
    if !matches!(rules.scenario.victory, VictoryRule::Points { .. }) {
        let areas = tally.german_areas >= numbers.allied_areas;
        let areas = line(
            Condition::GermanAreas,
            tally.german_areas.into(),
            numbers.allied_areas.into(),
            areas && s.areas_checks + 1 >= numbers.allied_checks,
        );
        allied.insert(0, areas);
    }
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
    let told = |lines: &[Line]| -> Vec<Value> { lines.iter().map(Line::json).collect() };
    json!({
        "panel": panel(rules, s, [&german, &allied], &roads),
        "german": told(&german),
        "allied": told(&allied),
        "hexes": hexes,
        "controlled": tally.all,
        "east_points": tally.east_points,
        "exited": tally.exited,
        "areas_checks": s.areas_checks,
        "winner": s.ending.and_then(|ending| ending.winner).map(|side| side.to_string()),
    })
}
