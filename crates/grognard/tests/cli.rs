//! The command line as a user or a script sees it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Output};

fn grognard(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_grognard")).args(args).output().expect("the program was just built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file for one test, in cargo's folder for tests.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("cargo's folder for tests can be written");
    path
}

fn lab(name: &str, steps: &str) -> Output {
    let head = r#"
game = "ardennes44"
side = "german"
phase = "movement"
[map]
rows = [10, 14]
columns = [10, 14]
default = "clear"
supply = { german = ["1010"], allied = ["1414"] }
[[unit]]
id = "A"
side = "german"
hex = "1111"
type = "foot_infantry"
attack = 4
defense = 4
move = 3
[[unit]]
id = "X"
side = "allied"
hex = "1313"
type = "foot_infantry"
attack = 4
defense = 4
move = 3
"#;
    grognard(&["lab", "--json", &file(name, &format!("{head}\n{steps}")).to_string_lossy()])
}

#[test]
fn help_names_every_command() {
    let out = grognard(&["--help"]);
    assert!(out.status.success());
    let help = text(&out.stdout);
    let listed: Vec<(&str, &str)> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.trim().split_once(' '))
        .filter(|(command, _)| *command != "help")
        .collect();
    assert!(listed.len() > 10, "{help}");
    for (command, about) in listed {
        assert!(!about.trim().is_empty(), "{command} has no description");
        assert!(grognard(&["help", command]).status.success(), "`grognard help {command}` fails");
    }
}

#[test]
fn a_lab_file_that_holds_exits_with_0() {
    let out = lab("holds.toml", "[[step]]\nask = \"unit A\"\nexpect = { hex = \"1111\" }\n");
    assert_eq!(out.status.code(), Some(0), "{}{}", text(&out.stdout), text(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("--json prints JSON");
    assert_eq!(json["ok"], true);
}

#[test]
fn a_failed_expectation_exits_with_1() {
    let out = lab("fails.toml", "[[step]]\nask = \"unit A\"\nexpect = { hex = \"1212\" }\n");
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
}

#[test]
fn a_lab_file_that_is_not_valid_exits_with_2() {
    assert_eq!(lab("unknown.toml", "[[step]]\nask = \"weather on Mars\"\n").status.code(), Some(2));
    let broken = file("broken.toml", "game = [");
    assert_eq!(grognard(&["lab", &broken.to_string_lossy()]).status.code(), Some(2));
    assert_eq!(grognard(&["lab", "no-such-file.toml"]).status.code(), Some(2));
}

#[test]
fn an_unknown_game_is_answered_with_the_known_ones() {
    for args in [&["sim", "chess"][..], &["bench", "chess"], &["map", "chess"], &["map", "check", "chess"]] {
        let out = grognard(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(text(&out.stderr).contains("ardennes44"), "{args:?}: {}", text(&out.stderr));
    }
}

#[test]
fn a_damaged_journal_is_refused() {
    let path = file("damaged.json", "{\"format\": 1}");
    let out = grognard(&["replay", &path.to_string_lossy()]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("damaged.json"));
}

#[test]
fn simulated_games_come_to_an_end_and_can_be_repeated() {
    let run = || grognard(&["sim", "ardennes44", "--scenario", "six_turn", "--games", "2", "--json"]);
    let (one, two) = (run(), run());
    assert!(one.status.success(), "{}", text(&one.stderr));
    assert_eq!(text(&one.stdout).lines().count(), 2);
    assert_eq!(one.stdout, two.stdout, "the same seeds give the same games");
}

#[test]
fn a_benchmark_prints_its_figures() {
    let out = grognard(&["bench", "ardennes44", "--scenario", "six_turn", "--games", "1", "--json"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("--json prints JSON");
    for key in ["decisions_per_second", "campaign_ms", "clone_us", "allocations_per_decision"] {
        assert!(json[key].is_number(), "{key}");
    }
}

#[test]
fn completions_are_written() {
    let out = grognard(&["completions", "bash"]);
    assert!(out.status.success() && text(&out.stdout).contains("_grognard"));
}

#[test]
fn the_map_is_drawn_as_svg() {
    let out = grognard(&["map", "ardennes44", "--sheet", "E", "--hex", "20"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(text(&out.stdout).starts_with("<svg"));
    assert_eq!(grognard(&["map", "ardennes44", "--hex", "100000"]).status.code(), Some(2));
}

#[test]
fn a_load_run_prints_its_figures() {
    let out = grognard(&["load", "--games", "2", "--seconds", "1", "--pause", "50", "--json"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("--json prints JSON");
    assert_eq!((&json["games"], &json["game"]), (&2.into(), &"ardennes44".into()));
    assert!(json["actions"].as_u64().is_some_and(|n| n > 0), "{json}");
    for key in ["actions_per_second", "p50_ms", "p99_ms", "server_us", "commits"] {
        assert!(json[key].is_number(), "{key}");
    }
    let elsewhere = grognard(&["load", "--url", "http://example.org"]);
    assert_eq!(elsewhere.status.code(), Some(2));
    assert!(text(&elsewhere.stderr).contains("only a server on this machine"));
}

#[test]
fn shards_of_a_simulation_are_put_together_and_reported() {
    let path = |name: &str| {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_file(&path);
        path.to_string_lossy().into_owned()
    };
    let (whole, a, b, all) =
        (path("sim-whole.jsonl"), path("sim-a.jsonl"), path("sim-b.jsonl"), path("sim-all.jsonl"));
    let sim = |seed: &str, games: &str, out: &str| {
        let scenario = ["sim", "ardennes44", "--scenario", "six_turn", "--german", "random"];
        grognard(&[&scenario[..], &["--seed", seed, "--games", games, "--out", out]].concat())
    };
    for done in [sim("1", "2", &whole), sim("1", "1", &a), sim("2", "1", &b)] {
        assert!(done.status.success(), "{}", text(&done.stderr));
    }
    let merged = grognard(&["sim", "merge", &b, &a, "--out", &all]);
    assert!(merged.status.success() && text(&merged.stdout).contains("2 games"), "{}", text(&merged.stderr));
    let read = |path: &str| std::fs::read(path).expect("it was just written");
    assert_eq!(read(&all), read(&whole));
    let wrong = grognard(&["sim", "ardennes44", "--axis", "random"]);
    assert!(text(&wrong.stderr).contains("--german, --allied"), "{}", text(&wrong.stderr));
}

#[test]
fn an_arena_prints_ratings() {
    let args =
        ["arena", "ardennes44", "--scenario", "six_turn", "--player", "random", "--player", "program:true"];
    let out = grognard(&[&args[..], &["--games", "2", "--json"]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("--json prints JSON");
    assert_eq!(json["players"][0]["name"], "random");
    assert!(json["players"][0]["elo"].as_f64() > json["players"][1]["elo"].as_f64());
    assert_eq!(json["players"][1]["forfeits"], 2);
}

#[test]
fn a_table_takes_corrections_and_tells_them() {
    let bad = file("bad-overlay.toml", "[[unit]]\nid = \"de-2pz-304-pzg\"\nfront = \"9-9\"\n");
    let out = grognard(&["serve", "--port", "0", "--pack-overlay", &format!("ardennes44={}", bad.display())]);
    assert!(!out.status.success());
    let said = text(&out.stderr);
    assert!(said.contains("bad-overlay.toml") && said.contains("attack-defense-move"), "{said}");

    let good = file("good-overlay.toml", "[[unit]]\nid = \"de-2pz-304-pzg\"\nfront = \"9-8-7\"\n");
    let database = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("overlay.sqlite");
    let mut table = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(["serve", "--port", "0", "--pack-overlay", &format!("ardennes44={}", good.display())])
        .args(["--database", &format!("sqlite:{}", database.display())])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program was just built");
    let lines = BufReader::new(table.stdout.take().expect("it is piped")).lines();
    let mut told = String::new();
    let port = lines.map_while(Result::ok).find_map(|line| {
        told.push_str(&line);
        line.split_once("http://localhost:").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u16>().ok())
    });
    let asked = port.map(|port| -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.write_all(b"GET /api/catalogue HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map(|_| answer)
    });
    table.kill().and_then(|()| table.wait()).expect("it was running");
    assert!(told.contains("\"9-8-7\""), "{told}");
    let answer = asked.expect("it says where it is").expect("it answers");
    assert!(answer.contains(r#"-> \"9-8-7\""#), "the lobby shows it, too: {answer}");
}
