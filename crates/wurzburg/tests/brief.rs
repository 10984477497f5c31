//! Decision aids: anti-aircraft fire (27.1, 27.2, 27.3), jamming (39.2) and a retreat (18.4).

use kernel::{Dice, Game, Seat, Viewer, lab::LabTable};
use serde_json::Value;
use wurzburg::AirAndArmor;

const WP: Seat = Seat(0);
const NATO: Seat = Seat(1);

const MAP: &str = r#"
[map]
rows = [18, 34]
columns = [8, 26]
default = "clear"
"#;

fn open(head: &str) -> Box<dyn LabTable> {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let head = toml::from_str(&format!("{head}{MAP}{}", head_units(head))).expect("it is TOML");
    let mut table = game.lab(&head).expect("the position is sound");
    table.read_strictly();
    table
}

/// The units, by what the head is about: an air strike of NATO, or a flight of the Warsaw Pact.
fn head_units(head: &str) -> &'static str {
    if head.contains("\"nato\"") {
        r#"
[[unit]]
id = "3-3-hq"
hex = "2019"
[[unit]]
id = "3-3-m2-a"
hex = "2119"
steps = 1
[[unit]]
id = "24mrr-a"
hex = "2013"
steps = 6
[[unit]]
id = "24mrr-b"
hex = "2012"
steps = 3
"#
    } else {
        r#"
[[unit]]
id = "4mrd-hq-for"
hex = "2010"
command_range = 9
[[unit]]
id = "24mrr-a"
hex = "2012"
steps = 1
[[unit]]
id = "mi24-a"
place = "ready"
steps = 3
[[unit]]
id = "3-3-m2-a"
hex = "2518"
steps = 3
[[unit]]
id = "3-3-m2-b"
hex = "2417"
steps = 1
"#
    }
}

fn brief(table: &dyn LabTable, seat: Seat) -> Value {
    table.ask(Viewer::Seat(seat), "brief").expect("it is asked")["brief"].clone()
}

fn fact(brief: &Value, key: &str) -> Option<String> {
    let facts = brief["facts"].as_array()?;
    let fact = facts.iter().find(|fact| fact["label"]["key"] == key)?;
    Some(fact["value"].as_str()?.to_owned())
}

// rule: 24.3
// rule: 27.1
// rule: 27.2.1
#[test]
fn a_profile_tells_what_may_be_fired_at_it() {
    let mut table = open(
        "side = \"nato\"\nactive = \"3/3\"\nphase = \"strike\"\nacquired = [\"2013\"]\npoints = { us = { air = 2 } }\nsam = { wp = 5 }\n",
    );
    let mut dice = Dice::scripted(vec![5]);
    table.apply(NATO, "strike 2013 by 3-3-hq air 1", &mut dice).expect("it is legal");
    let brief = brief(&*table, NATO);
    let values: Vec<(&str, &str)> = brief["answers"]
        .as_array()
        .expect("there are answers")
        .iter()
        .filter_map(|answer| Some((answer["action"].as_str()?, answer["values"][0].as_str()?)))
        .collect();
    // 24mrr-a is acquired: 2 of Flak, so that an 8 or more has an effect; SAMs add 5 to the die.
    assert!(values.contains(&("profile low_bomb", "30 %")), "{values:?}");
    assert!(values.contains(&("profile high_bomb", "60 %")), "{values:?}");
    // The other unit within two hexes has steps that NATO does not know, and they are not counted.
    assert_eq!(fact(&brief, "sheet.flak_unknown").as_deref(), Some("1"));
}

/// A flight that meets Flak, with these dice, and no more of it than the last of them.
fn flying(dice: &[u8]) -> Box<dyn LabTable> {
    let mut table = open("side = \"wp\"\nactive = \"4MRD\"\nphase = \"strike\"\nacquired = [\"2518\"]\n");
    let mut dice = Dice::scripted(dice.to_vec());
    table.apply(WP, "strike 2518 by 4mrd-hq-for with mi24-a", &mut dice).expect("it is legal");
    table.apply(WP, "fly 2518", &mut dice).expect("it is legal");
    if table.pending().awaits(NATO) {
        table.apply(NATO, "flak 0", &mut dice).expect("it is legal");
    }
    table
}

// rule: 25.2
#[test]
fn a_flight_tells_what_is_ahead() {
    let table = flying(&[5]);
    let ahead = brief(&*table, WP);
    let go_on = &ahead["answers"][0];
    assert_eq!(go_on["action"], "go on", "{ahead}");
    let odds: f64 =
        go_on["chances"].as_array().expect("they are told").iter().filter_map(|c| c["p"].as_f64()).sum();
    assert!((odds - 1.0).abs() < 1e-9, "{ahead}");
    assert!(fact(&ahead, "sheet.flak_ahead").is_some_and(|hexes| hexes != "0"), "{ahead}");
    // 11.2: the unit that was not acquired is counted, its steps are not.
    assert_eq!(fact(&ahead, "sheet.flak_unknown").as_deref(), Some("1"), "{ahead}");
    // The enemy is told nothing of the way.
    assert!(brief(&*table, NATO)["answers"].is_null());
}

// rule: 27.3.1
#[test]
fn a_hit_check_tells_its_chance() {
    let check = brief(&*flying(&[10]), WP);
    let chances = check["answers"][0]["chances"].as_array().expect("they are told");
    // Defense 4 on the Stand-off profile: 4 or more costs a step.
    assert_eq!(chances[0]["p"].as_f64(), Some(0.7), "{check}");
    assert_eq!(fact(&check, "sheet.steps_up").as_deref(), Some("3"));
}

/// A regiment next to a NATO unit, with an HQ that may jam, and the units given.
fn attack(units: &str) -> Box<dyn LabTable> {
    let head = format!(
        r#"
side = "wp"
active = "27GMRD"
plan = {{ 68GMRR = "hasty by 27gmrd-hq-for" }}
ew = ["27gmrd-hq-for"]
{MAP}
[[unit]]
id = "27gmrd-hq-for"
hex = "2420"
[[unit]]
id = "68gmrr-a"
hex = "2919"
steps = 6
{units}"#
    );
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let head = toml::from_str(&head).expect("it is TOML");
    let mut table = game.lab(&head).expect("the position is sound");
    table.read_strictly();
    table
}

fn play(table: &mut dyn LabTable, seat: Seat, action: &str, dice: &[u8]) {
    let mut dice = Dice::scripted(dice.to_vec());
    let done = table.apply(seat, action, &mut dice);
    assert!(done.is_ok(), "{action}: {done:?}");
}

// rule: 39.2
#[test]
fn jamming_tells_its_results() {
    let mut table = attack(
        "[[unit]]\nid = \"1-3-m2-a\"\nhex = \"3020\"\nsteps = 2\n[[unit]]\nid = \"1-3-hq\"\nhex = \"3220\"\n",
    );
    play(&mut *table, WP, "hasty 68GMRR objective 3020", &[]);
    play(&mut *table, WP, "done", &[]);
    let told = brief(&*table, WP);
    let answer = &told["answers"][0];
    assert_eq!(answer["action"], "jam 27gmrd-hq-for", "{told}");
    let chances: Vec<(&str, f64)> = answer["chances"]
        .as_array()
        .expect("they are told")
        .iter()
        .filter_map(|chance| Some((chance["label"]["key"].as_str()?, chance["p"].as_f64()?)))
        .collect();
    let p = |key: &str| chances.iter().find(|(label, _)| *label == key).map_or(0.0, |(_, p)| *p);
    // 1 and 2 lose the asset, 6 and 7 limit the call, 8 and 9 forbid it, 10 forbids the reaction, too.
    for (key, wanted) in
        [("jam_lost", 0.2), ("jam_nothing", 0.3), ("jam_limited", 0.2), ("jam_calls", 0.2), ("jam_all", 0.1)]
    {
        assert!((p(&format!("sheet.{key}")) - wanted).abs() < 1e-9, "{key}: {chances:?}");
    }
}

// rule: 18.3.2
// rule: 18.4
#[test]
fn to_stand_and_to_retreat_tell_the_steps_they_cost() {
    let mut table = attack("[[unit]]\nid = \"1-3-m2-a\"\nhex = \"3020\"\nsteps = 4\n");
    play(&mut *table, WP, "hasty 68GMRR objective 3020", &[]);
    // Nobody moves, calls or fires until the attacker may.
    for _ in 0..8 {
        let seat = table.pending().first().expect("somebody decides");
        if table.prompt(seat).message.key == "prompt.offensive_fire" {
            break;
        }
        play(&mut *table, seat, "done", &[]);
    }
    play(&mut *table, WP, "fire 3020 with 68gmrr-a", &[5]);
    let told = brief(&*table, NATO);
    let hits: u16 =
        fact(&told, "sheet.hits_to_absorb").and_then(|hits| hits.parse().ok()).expect("it is told");
    let values: Vec<(&str, &str)> = told["answers"]
        .as_array()
        .expect("there are answers")
        .iter()
        .filter_map(|answer| Some((answer["action"].as_str()?, answer["values"][0].as_str()?)))
        .collect();
    // A Bradley in the open absorbs 3 with each step; a retreat absorbs the first 3.
    let lost = |hits: u16| (hits / 3).min(4);
    assert_eq!(
        values,
        [("stand", &*format!("{} / 4", lost(hits))), ("retreat", &*format!("{} / 4", lost(hits - 3)))],
        "{told}"
    );
    play(&mut *table, NATO, "stand", &[]);
    let steps =
        table.ask(Viewer::Referee, "unit 1-3-m2-a").expect("it is asked")["steps"].as_u64().unwrap_or(0);
    assert_eq!(steps, 4 - u64::from(lost(hits)));
}
