//! The lab on the conformance game.

use kernel::lab::{Report, run, run_in};
use serde_json::json;

use super::outpost::game;

fn lab(text: &str) -> Report {
    run(&[game()], text, "test.toml")
}

const HEAD: &str = r#"
game = "outpost"
turn = 2
side = "red"
phase = "actions"
orders = { red = "advance", blue = "ambush" }
dice = [5, 4, 4]

[[unit]]
id = "r1"
cell = "b1"
[[unit]]
id = "r2"
cell = "a2"
[[unit]]
id = "b1"
cell = "b3"
type = "decoy"
[[unit]]
id = "b2"
cell = "d2"
"#;

fn steps(steps: &str) -> Report {
    lab(&format!("{HEAD}{steps}"))
}

#[test]
fn a_whole_file_holds() {
    let report = steps(
        r#"
[[step]]
ask = "moves r1"
expect = ["a1", "a2", "b1", "b2", "c1", "c2", "d1"]
[[step]]
do = "red: move r1 e4"
illegal = "4"
[[step]]
do = "red: move r1 c1 c2"
expect = [{ kind = "step", to = "c1" }, { to = "c2", text = "r1 moved to c2." }]
[[step]]
ask = "pending"
expect = { one = "blue" }
[[step]]
ask = "legal"
expect = ["hold fire", "hold fire all", "fire b2"]
[[step]]
do = "blue: fire b2"
expect = { kind = "fire", hit = true, piece = "b2", seat = "blue" }
[[step]]
ask = "troops red"
expect = 1
[[step]]
ask = "piece b1"
as = "blue"
expect = { decoy = true, cell = "b3" }
[[step]]
ask = "view red"
expect = { turn = { number = 2 }, extra = { orders = { red = "advance" } } }
[[step]]
do = "red: move r2 b2"
[[step]]
do = "blue: hold fire"
[[step]]
do = "red: attack b3 with r2"
[[step]]
ask = "prompt red"
expect = { rule = "4" }
"#,
    );
    assert_eq!(report.code(), 0, "{}", report.human());
    let json = report.json();
    assert_eq!(json["ok"], json!(true));
    assert_eq!(json["steps"][0]["answer"].as_array().unwrap().len(), 7);
    assert_eq!(json["steps"][1]["refusal"]["rule"], "4.1");
    assert_eq!(json["steps"][2]["events"].as_array().unwrap().len(), 2);
    assert_eq!(json["steps"][5]["rolls"], json!([5]));
    assert_eq!(json["notes"], json!(["2 of the scripted dice were not rolled"]));
}

#[test]
fn failed_expectations_show_both_values_and_go_on() {
    let report = steps(
        r#"
[[step]]
ask = "piece b1"
expect = { decoy = false, cell = "b3", gone = 1 }
[[step]]
do = "red: move r1 b2"
illegal = "4.2"
[[step]]
do = "red: move r1 e4"
illegal = "4.2"
[[step]]
do = "red: move r1 c1"
expect = { to = "c2" }
[[step]]
ask = "troops red"
"#,
    );
    assert_eq!(report.code(), 1);
    let ok: Vec<bool> = report.steps.iter().map(kernel::lab::StepReport::ok).collect();
    assert_eq!(ok, [false, false, false, false, true]);
    let human = report.human();
    for says in [
        "decoy: expected false, found true",
        "gone: expected 1, which is not there",
        "illegal: expected \"4.2\", found \"legal\"",
        "illegal: expected \"4.2\", found \"The cells are not side by side. (4.1)\"",
        "events: expected {\"to\":\"c2\"}, found {\"to\":\"c1\"}",
        "4 of 5 steps do not hold",
    ] {
        assert!(human.contains(says), "{human}");
    }
    assert_eq!(report.json()["steps"][0]["mismatches"][0]["found"], json!(true));
}

#[test]
fn what_stops_the_run_names_step_and_rule() {
    for (step, says) in [
        ("do = \"red: move r1 e4\"", "step 1 (line 22): The cells are not side by side. (4.1)"),
        ("do = \"blue: done\"", "This decision is not yours to make now. It is decided by: red."),
        ("do = \"green: done\"", "unknown side `green`; there is red, blue"),
        ("do = \"red: dance\"", "`dance` is not a decision of this game."),
        ("ask = \"weather\"", "unknown question `weather`"),
        ("ask = \"troops red\"\nas = \"blue\"", "this viewer may not know that"),
        ("ask = \"view red\"\nas = \"spectator\"", "this viewer may not know that"),
        ("ask = \"troops red\"\nas = \"me\"", "unknown side `me`; there is red, blue, spectator, referee"),
        ("ask = \"moves x9\"", "no such piece `x9`"),
    ] {
        let report = steps(&format!("[[step]]\n{step}\n[[step]]\ndo = \"red: done\"\n"));
        assert_eq!((report.code(), report.steps.len()), (2, 1), "{step}");
        assert!(report.human().contains(says), "{} does not say {says}", report.human());
        assert_eq!(report.json()["ok"], json!(false));
    }
}

#[test]
fn the_dice_run_out_or_do_not_fit() {
    let fight = "[[step]]\ndo = \"red: move r1 c1 c2\"\n[[step]]\ndo = \"blue: fire b2\"\n";
    let with = |dice: &str| lab(&format!("{}{fight}", HEAD.replace("dice = [5, 4, 4]", dice)));
    assert!(with("dice = []").human().contains("the dice ran out after 0 rolls"));
    assert!(with("dice = [9]").human().contains("the die shows 9, but a d6 is asked for"));
    assert_eq!(with("dice = []").code(), 2);
    assert_eq!(with("").code(), 2);
    assert_eq!(with("seed = 3").code(), 0);
    assert_eq!(with("seed = 3"), with("seed = 3"));
}

#[test]
fn invalid_files_are_told_why() {
    for (text, says) in [
        ("", "game: is missing"),
        ("game = 3", "game: must be a text"),
        ("game = \"chess\"", "unknown game `chess`; there is outpost"),
        ("game = \"outpost\"\n[", "line 2"),
        ("game = \"outpost\"\nside = \"green\"", "side: unknown side `green`; there is red, blue"),
        ("game = \"outpost\"\nscenario = 3", "scenario: must be a text, not integer"),
        ("game = \"outpost\"\nscenario = \"x\"", "unknown scenario `x`; there is standard"),
        ("game = \"outpost\"\nturn = -1", "turn: must be a turn number"),
        ("game = \"outpost\"\nturn = 9", "turn: 9 is not from 1 to 6"),
        ("game = \"outpost\"\noptions = [1]", "options: must be a list of texts"),
        ("game = \"outpost\"\nunit = 1", "unit: must be a list of tables"),
        ("game = \"outpost\"\nmap = 1", "map: must be a table"),
        ("game = \"outpost\"\nwheather = 1", "unknown field `wheather`"),
        ("game = \"outpost\"\ndice = [101]", "dice: number 1 is 101; a die shows 0 to 100"),
        ("game = \"outpost\"\ndice = 3", "dice: must be a list"),
        ("game = \"outpost\"\nseed = 1\ndice = []", "give one or the other"),
        ("game = \"outpost\"\nseed = -1", "seed: must be a whole number"),
        ("game = \"outpost\"\nstep = 1", "step: must be a list of tables"),
        ("game = \"outpost\"\nstep = [1]", "step 1 (line 2): must be a table"),
        ("game = \"outpost\"\n\n[[step]]\n", "step 1 (line 3): do or ask is missing"),
        ("game = \"outpost\"\n[[step]]\ndo = \"a: b\"\nask = \"c\"", "do, ask: a step has one or the other"),
        ("game = \"outpost\"\n[[step]]\ndo = \"done\"", "do: must be `SIDE: DECISION`"),
        ("game = \"outpost\"\n[[step]]\ndo = 1", "do: must be a text, not 1"),
        ("game = \"outpost\"\n[[step]]\nask = \"x\"\nillegal = \"1\"", "illegal: belongs to a step with do"),
        (
            "game = \"outpost\"\n[[step]]\ndo = \"red: done\"\nillegal = \"\"",
            "illegal: must be a rule number",
        ),
        ("game = \"outpost\"\n[[step]]\ndo = \"red: done\"\nas = \"red\"", "as: belongs to a step with ask"),
        ("game = \"outpost\"\n[[step]]\nask = \"x\"\nexpects = 1", "unknown field `expects`"),
    ] {
        let report = kernel::lab::run_as(&[game()], text, "test.toml", "en", kernel::lab::Reading::Strict);
        let error = report.error.clone().unwrap_or_default();
        assert!(report.code() == 2 && error.contains(says), "{text}: `{error}` does not say `{says}`");
    }
    let long = format!("game = \"outpost\"\n#{}", "x".repeat(kernel::lab::MAX_BYTES));
    assert!(lab(&long).error.unwrap().contains("longer than"));
}

#[test]
fn a_lenient_file_may_be_written_in_other_ways() {
    // A side of its own or left out, another word for `expect`, a refusal by whatever rule.
    for step in [
        "side = \"red\"\ndo = \"move r1 b2\"",
        "do = \"move r1 b2\"",
        "do = \"red: move r1 b2\"\nexpected = { kind = \"Step\", to = \"B2\" }",
        "do = \"red: move r1 r1\"\nillegal = true",
    ] {
        let text = format!("{HEAD}[[step]]\n{step}\n");
        let report = lab(&text);
        assert!(report.ok(), "{}", report.human());
        let strict = kernel::lab::run_as(&[game()], &text, "test.toml", "en", kernel::lab::Reading::Strict);
        assert_eq!(strict.code(), 2, "{}", strict.human());
    }
    let text = format!("{HEAD}[[step]]\ndo = \"red: move r1 b2\"\nillegal = true\n");
    assert_eq!(lab(&text).code(), 1, "a legal decision is not refused");
}

#[test]
fn the_report_speaks_the_readers_language() {
    let text = format!("{HEAD}[[step]]\ndo = \"red: move r1 b2\"\n");
    assert!(run_in(&[game()], &text, "t", "ko").human().contains("r1이 b2로 이동했습니다."));
    assert!(run_in(&[game()], &text, "t", "ja").human().contains("r1がb2に移動した。"));
}
