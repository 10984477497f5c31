//! Decision aids: support (9.4), losses (11.4), Determined Defense (12.2), retreats (13.2).

use holland::Holland44;
use kernel::{Dice, Game, Seat, Viewer, lab::LabTable};
use serde_json::Value;

const ALLIED: Seat = Seat(0);
const GERMAN: Seat = Seat(1);

const HEAD: &str = r#"
phase = "combat"
side = "allied"
[map]
rows = [15, 25]
columns = [5, 15]
default = "clear"
supply = { german = ["2015"], allied = ["2005"] }
"#;

const ATTACKERS: &str = r#"
[[unit]]
id = "A"
side = "allied"
hex = "2010"
attack = 6
steps = 2
[[unit]]
id = "B"
side = "allied"
hex = "1910"
attack = 1
steps = 1
"#;

const DEFENDER: &str = r#"
[[unit]]
id = "G"
side = "german"
hex = "2011"
defense = 3
steps = 2
"#;

fn open(weather: &str, units: &[&str]) -> Box<dyn LabTable> {
    let game = Holland44::new().expect("the shipped pack is sound");
    let head =
        toml::from_str(&format!("weather = \"{weather}\"{HEAD}{}", units.concat())).expect("it is TOML");
    let mut table = game.lab(&head).expect("the position is sound");
    table.read_strictly();
    table
}

fn act(table: &mut dyn LabTable, seat: Seat, action: &str, dice: &[u8]) {
    table.apply(seat, action, &mut Dice::scripted(dice.to_vec())).expect("it is legal");
}

fn brief(table: &dyn LabTable, seat: Seat) -> Value {
    table.ask(Viewer::Seat(seat), "brief").expect("it is asked")["brief"].clone()
}

fn answer(brief: &Value, action: &str) -> Value {
    let answers = brief["answers"].as_array().expect("there are answers");
    answers
        .iter()
        .find(|one| one["action"] == action)
        .unwrap_or_else(|| panic!("{action}: {answers:?}"))
        .clone()
}

/// Better support never makes it less likely that the hex falls, and the column is told with each.
// rule: 9.4
#[test]
fn support_tells_the_column_and_what_may_come_of_the_attack() {
    let gun = "[[unit]]\nid = \"H\"\nside = \"allied\"\nhex = \"1909\"\ntype = \"artillery\"\n";
    let mut table = open("clear", &[ATTACKERS, gun, DEFENDER]);
    act(&mut *table, ALLIED, "attack 2011 with A", &[]);
    let told = brief(&*table, ALLIED);
    let values = |action: &str| -> Vec<String> {
        let all = answer(&told, action)["values"].clone();
        serde_json::from_value(all).expect("figures")
    };
    assert_eq!(told["columns"].as_array().map(Vec::len), Some(4));
    let (none, both) = (values("support"), values("support guns H air"));
    assert_eq!(none[0], told["facts"][0]["value"]);
    assert_ne!(none[0], both[0]);
    let falls = |values: &[String]| values[1].trim_end_matches('%').parse::<u8>().expect("a percentage");
    assert!(falls(&both) >= falls(&none), "{none:?} {both:?}");
}

// rule: 11.4
#[test]
fn losses_tell_what_is_left() {
    let more = "[[unit]]\nid = \"C\"\nside = \"allied\"\nhex = \"1910\"\nattack = 2\nsteps = 2\n";
    let mut table = open("overcast", &[ATTACKERS, more, DEFENDER]);
    act(&mut *table, ALLIED, "attack 2011 with B C", &[1]);
    let told = brief(&*table, ALLIED);
    assert_eq!(answer(&told, "lose C")["note"]["key"], "brief.loss.steps");
    assert_eq!(answer(&told, "lose B")["note"]["key"], "brief.eliminated");
    // No die is rolled for it, so there are no chances, not even those of a later phase.
    assert!(answer(&told, "lose C")["chances"].is_null());
}

// rule: 12.2
#[test]
fn a_stand_tells_its_chances_and_a_retreat_its_supply() {
    let mut table = open("overcast", &[ATTACKERS, DEFENDER]);
    act(&mut *table, ALLIED, "attack 2011 with A", &[4]);
    let told = brief(&*table, GERMAN);
    let stand = answer(&told, "stand G");
    let chances: Vec<f64> = stand["chances"]
        .as_array()
        .expect("chances")
        .iter()
        .filter_map(|chance| chance["p"].as_f64())
        .collect();
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{stand}");
    // A chance to hold is good for the side that stands, and its figure is that of the column.
    let holds = stand["chances"].as_array().and_then(|all| all.last().cloned()).expect("a best outcome");
    assert_eq!(holds["label"]["key"], "brief.holds");
    assert!(holds["tone"].as_f64() > Some(0.0));
    assert_eq!(stand["values"][1], format!("{:.0}%", holds["p"].as_f64().unwrap_or(0.0) * 100.0));
    assert!(answer(&told, "give-way")["note"].is_null(), "it can retreat");

    act(&mut *table, GERMAN, "give-way", &[]);
    let told = brief(&*table, GERMAN);
    let notes: Vec<&Value> =
        told["answers"].as_array().expect("retreats").iter().map(|one| &one["note"]["key"]).collect();
    assert!(notes.iter().any(|note| *note == "brief.retreat.safe"), "{notes:?}");
}

/// With Allied units all around, giving way means to be lost.
// rule: 13.3
#[test]
fn giving_way_without_a_way_out_says_so() {
    let ring: Vec<String> = ["2111", "2012", "1911", "1912", "2112", "2110"]
        .iter()
        .enumerate()
        .map(|(n, hex)| {
            format!("[[unit]]\nid = \"R{n}\"\nside = \"allied\"\nhex = \"{hex}\"\nattack = 3\nsteps = 2\n")
        })
        .collect();
    let mut table = open("overcast", &[ATTACKERS, &ring.concat(), DEFENDER]);
    act(&mut *table, ALLIED, "attack 2011 with A", &[4]);
    let told = brief(&*table, GERMAN);
    assert_eq!(answer(&told, "give-way")["note"]["key"], "brief.no_retreat");
}

/// The prompt says where the fight is.
#[test]
fn prompts_name_the_hex_of_the_fight() {
    let mut table = open("overcast", &[ATTACKERS, DEFENDER]);
    act(&mut *table, ALLIED, "attack 2011 with A", &[4]);
    let prompt = serde_json::to_value(table.prompt(GERMAN)).expect("it is plain data");
    assert_eq!(prompt["message"]["key"], "prompt.stand");
    assert!(prompt["message"].to_string().contains("2011"), "{prompt}");
}
