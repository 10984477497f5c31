//! The sheets of decisions that are not a roll on the Combat Results Table alone: gas and mines (44.2, 23.5), bridges (38.4), storms
//! (42.0, 43.0).

use kernel::{Game, Seat, Viewer, lab::LabTable};
use serde_json::Value;
use wurzburg::AirAndArmor;

const WP: Viewer = Viewer::Seat(Seat(0));

fn open(head: &str) -> Box<dyn LabTable> {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let head = toml::from_str(head).expect("it is TOML");
    game.lab(&head).expect("the position is sound")
}

fn sheet(table: &dyn LabTable, viewer: Viewer, action: &str) -> Value {
    table.ask(viewer, &format!("sheet {action}")).expect("it has a sheet")["sheet"].clone()
}

/// The value of the first line with this label.
fn value(sheet: &Value, key: &str) -> Option<String> {
    let lines = sheet["lines"].as_array()?;
    let line = lines.iter().find(|line| line["label"]["key"] == key)?;
    Some(line["value"].as_str()?.to_owned())
}

/// The chances, in per mille.
fn chances(sheet: &Value) -> Vec<(String, i64)> {
    let all = sheet["chances"].as_array().expect("there are chances");
    all.iter()
        .map(|chance| {
            let number = chance["label"]["args"][0][1]["number"].as_i64();
            let label = number.map_or_else(|| chance["label"]["key"].to_string(), |n| n.to_string());
            (label, (chance["p"].as_f64().expect("a number") * 1e4).round() as i64)
        })
        .collect()
}

fn pairs(list: &[(&str, i64)]) -> Vec<(String, i64)> {
    list.iter().map(|(label, p)| ((*label).to_owned(), *p)).collect()
}

const GAS: &str = r#"
options = ["gas"]
side = "wp"
phase = "strike"
active = "39GMRD"
acquired = ["5719", "5022"]
points = { wp = { gas_persistent = 1, adm = 1, air = 2 } }
[[unit]]
id = "39gmrd-hq-for"
hex = "5218"
command_range = 20
[[unit]]
id = "39gmrd-dag"
hex = "5118"
steps = 3
[[unit]]
id = "54hsb-m48-a"
hex = "5719"
steps = 2
[[unit]]
id = "54hsb-jg-a"
hex = "5720"
steps = 2
[[unit]]
id = "54hsb-m48-b"
hex = "5022"
steps = 2
[[unit]]
id = "54hsb-eng-a"
hex = "5022"
steps = 1
"#;

// rule: 44.4
// rule: 44.4.1
// rule: 44.5
#[test]
fn a_gas_strike_tells_what_the_gas_does() {
    let table = open(GAS);
    let action = "gas 5719 persistent by 39gmrd-hq-for with 39gmrd-dag";
    // The steps of the unit in the ring are not known: it is counted apart.
    let own = sheet(&*table, WP, action);
    assert_eq!(chances(&own), pairs(&[("0", 6400), ("1", 3200), ("2", 400)]));
    assert_eq!(value(&own, "sheet.steps_unknown").as_deref(), Some("1"));
    assert_eq!(value(&own, "sheet.contamination_check").as_deref(), Some("50 %"));
    assert_eq!(value(&own, "sheet.gas_attack").as_deref(), Some("20 %"));
    assert_eq!(value(&own, "sheet.least").as_deref(), Some("8"));
    assert_eq!(value(&own, "sheet.effective"), None);
    // Who knows everything also knows the chances of the unit in the ring.
    let all = sheet(&*table, Viewer::Referee, action);
    assert_eq!(chances(&all), pairs(&[("0", 5248), ("1", 3648), ("2", 968), ("3", 128), ("4", 8)]));
    assert_eq!(value(&all, "sheet.steps_unknown"), None);
}

// rule: 23.5.3
// rule: 37.5
#[test]
fn mines_from_the_air_tell_what_each_step_risks() {
    let table = open(GAS);
    // An engineer in the hex: a step is lost by a 1.
    let mines = sheet(&*table, Viewer::Referee, "adm 5022 by 39gmrd-hq-for with 39gmrd-dag");
    assert_eq!(value(&mines, "sheet.mine_attack").as_deref(), Some("10 %"));
    assert_eq!(value(&mines, "modifier.engineer_in_force").as_deref(), Some("+2"));
    assert_eq!(chances(&mines), pairs(&[("0", 7290), ("1", 2430), ("2", 270), ("3", 10)]));
    let plain = sheet(&*table, Viewer::Referee, "adm 5719 by 39gmrd-hq-for with 39gmrd-dag");
    assert_eq!(chances(&plain), pairs(&[("0", 4900), ("1", 4200), ("2", 900)]));
}

const BRIDGE: &str = r#"
side = "wp"
active = "4MRD"
phase = "strike"
military_bridge = { "2213/2313" = "3id-eng-a" }
points = { wp = { air = 3 } }
[map]
rows = [19, 27]
columns = [10, 17]
default = "clear"
main = ["2211/2310", "2211/2311", "2212/2311", "2212/2312", "2213/2312", "2213/2313", "2214/2313", "2214/2314", "2215/2314", "2215/2315", "2216/2315", "2216/2316"]
bundesstrasse = [["2114", "2214", "2314"]]
[[unit]]
id = "4mrd-hq-for"
hex = "1912"
command_range = 9
[[unit]]
id = "4mrd-dag"
hex = "2011"
steps = 4
attack = 8
range = 9
max_steps = 4
[[unit]]
id = "24mrr-a"
hex = "2213"
steps = 1
[[unit]]
id = "3id-eng-a"
"#;

// rule: 38.4.3
// rule: 38.4.4
#[test]
fn a_strike_on_a_bridge_tells_its_chance() {
    let mut table = open(BRIDGE);
    let guns = sheet(&*table, WP, "strike 2213/2313 by 4mrd-hq-for with 4mrd-dag");
    assert_eq!(value(&guns, "sheet.bridge_guns").as_deref(), Some("× ½"));
    assert_eq!(value(&guns, "sheet.total").as_deref(), Some("16"));
    assert_eq!(value(&guns, "sheet.bridge_factor").as_deref(), Some("÷ 4"));
    assert_eq!(
        chances(&guns),
        pairs(&[("\"sheet.bridge_holds\"", 6000), ("\"sheet.bridge_destroyed\"", 4000)])
    );
    // From the air it is told before a profile is chosen, and it is what the Strike then rolls for.
    let mut dice = kernel::Dice::scripted(vec![5]);
    table.apply(Seat(0), "strike 2214/2314 by 4mrd-hq-for air 3", &mut dice).expect("it is legal");
    let high = sheet(&*table, WP, "profile high_bomb");
    let effective: i64 =
        value(&high, "sheet.bridge_effective").expect("it is told").parse().expect("a number");
    let total: i64 = value(&high, "sheet.total").expect("it is told").parse().expect("a number");
    assert_eq!(effective, total / 8, "a road bridge divides by 8");
    assert!(effective > 0);
    assert_eq!(chances(&high).last().map(|(_, p)| *p), Some(effective * 1000));
    let brief = table.ask(WP, "brief").expect("it is asked")["brief"].clone();
    let answers = brief["answers"].as_array().expect("there are answers");
    let answer = answers.iter().find(|a| a["action"] == "profile high_bomb").expect("it is offered");
    assert_eq!(answer["chances"], high["chances"]);
}

fn close_attack(steps: &str) -> Box<dyn LabTable> {
    let mut table = open(&format!(
        r#"
active = "27GMRD"
plan = {{ 243GMRR = "hasty" }}
options = ["close_attack"]
lead = {{ 243GMRR = "2013" }}
[map]
rows = [19, 30]
columns = [10, 22]
default = "clear"
terrain.heavy_woods = ["2014"]
[[unit]]
id = "243gmrr-a"
hex = "2013"
steps = 3
attack = 3
defense = 3
[[unit]]
id = "243gmrr-b"
hex = "1914"
steps = 2
attack = 3
defense = 3
[[unit]]
id = "3-3-m1-a"
hex = "2014"
steps = {steps}
"#
    ));
    let mut dice = kernel::Dice::scripted(Vec::new());
    table.apply(Seat(0), "hasty 243GMRR objective 2014 close", &mut dice).expect("it is legal");
    table
}

// rule: 43.0
// rule: 18.2.2
#[test]
fn a_close_attack_tells_both_sides_of_the_exchange() {
    let table = close_attack("2");
    let both = sheet(&*table, Viewer::Referee, "storm 243gmrr-a 243gmrr-b");
    // The M1s are halved in the woods and doubled at point-blank range: 18, so 9 and the modifier; a step absorbs 4. The attackers
    // lose 1 step by two rolls, 2 by seven, 3 by one, and then fire with 12, 9 or 6 against 10.
    assert_eq!(value(&both, "sheet.attacker_loses").as_deref(), Some("1–3"));
    assert_eq!(chances(&both), pairs(&[("0", 5400), ("1", 4600)]));
    let halves = both["lines"].as_array().expect("there are lines").iter();
    let halves: Vec<_> = halves.map(|line| (line["label"]["key"].clone(), line["value"].clone())).collect();
    for (key, value) in [("effect.close_terrain", "× ½"), ("effect.point_blank", "× 2")] {
        assert!(halves.contains(&(key.into(), value.into())), "{key}: {halves:?}");
    }
    // A single unit goes in: it is hit alone, and fires alone.
    let one = sheet(&*table, Viewer::Referee, "storm 243gmrr-b");
    assert_eq!(value(&one, "sheet.attacker_loses").as_deref(), Some("1–2"));
    assert_eq!(chances(&one), pairs(&[("0", 10000)]));
}

// rule: 42.0
#[test]
fn an_overrun_tells_the_exchange_in_the_open() {
    let mut table = open(
        r#"
active = "79GTD"
plan = { 45GTR = "hasty" }
options = ["overrun"]
lead = { 45GTR = "2013" }
[map]
rows = [19, 30]
columns = [10, 22]
default = "clear"
[[unit]]
id = "45gtr-a"
hex = "2013"
steps = 3
attack = 5
defense = 4
[[unit]]
id = "3-3-m2-a"
hex = "2016"
steps = 1
attack = 4
defense = 3
"#,
    );
    let mut dice = kernel::Dice::scripted(Vec::new());
    table.apply(Seat(0), "hasty 45GTR objective 2016 overrun", &mut dice).expect("it is legal");
    table.apply(Seat(0), "move 45gtr-a 2014 2015", &mut dice).expect("it is legal");
    let sheet = sheet(&*table, Viewer::Referee, "storm 45gtr-a");
    // 4 doubled and halved is 4, with the modifier 1 to 7: one step of 4 by the rolls 5 to 10. Then 15 or 10 against 3.
    assert_eq!(value(&sheet, "sheet.attacker_loses").as_deref(), Some("0–1"));
    assert_eq!(chances(&sheet), pairs(&[("1", 10000)]));
}
