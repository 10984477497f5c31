//! Programs as players: good ones play, bad ones lose with a clear message.

use std::{
    io::{BufReader, Cursor},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use ardennes::game::Ardennes44;
use kernel::{Game, Setup};
use serde_json::{Value, json};
use study::{
    arena::Arena,
    engine,
    play::{Watch, play},
    player::Spec,
};

fn game() -> Arc<dyn Game> {
    Arc::new(Ardennes44::new().expect("the shipped pack is good"))
}

fn setup() -> Setup {
    Setup { game: "ardennes44".into(), scenario: "six_turn".into(), ..Setup::default() }
}

fn spec(text: &str) -> Spec {
    Spec::parse(text, Duration::from_millis(700)).expect("a player")
}

/// The forfeit of a German program that does this.
fn word(script: &str) -> String {
    let players = [spec(&format!("program:sh -c '{script}'")), spec("random")];
    let began = Instant::now();
    let (record, _) = play(&game(), &setup(), &players, 1, &Watch::default()).expect("the game ends");
    assert!(began.elapsed() < Duration::from_secs(20), "it was waited for too long");
    assert_eq!(record.winner.as_deref(), Some("allied"));
    let (by, why) = record.forfeit.expect("it lost by misbehaving");
    assert_eq!(by, "german");
    why
}

const READY: &str = r#"read a; echo "{\"type\":\"ready\"}"; read b; read c; read d;"#;

#[test]
fn misbehaviour_loses_with_a_clear_word() {
    let cases = [
        ("sleep 30".to_owned(), "no `ready` within 0.7 s"),
        (format!("{READY} sleep 30"), "no `bestaction` within 0.7 s"),
        ("read a; echo hello".to_owned(), "no message of the protocol: `hello`"),
        (format!("{READY} exit 3"), "it ended in the middle of the game (exit status: 3)"),
        (
            format!(r#"{READY} echo "{{\"type\":\"bestaction\",\"action\":\"win\"}}"; read e"#),
            "illegal action `win`",
        ),
        (format!(r#"{READY} echo "{{\"type\":\"error\",\"why\":\"tired\"}}"; read e"#), "gave up: tired"),
        (format!(r#"{READY} echo "{{\"type\":\"ready\"}}"; read e"#), "where `bestaction` was asked for"),
        (
            r#"read a; echo "{\"type\":\"query\",\"id\":1,\"query\":{\"what\":\"view\"}}"; read e"#
                .to_owned(),
            "a query while nothing is asked",
        ),
        ("read a; head -c 3000000 /dev/zero | tr \"\\0\" x; read b".to_owned(), "a line of more than"),
    ];
    for (script, wanted) in cases {
        let why = word(&script);
        assert!(why.contains(wanted), "{script}: {why}");
    }
    let players = [spec("program:/no/such/program"), spec("random")];
    let (record, _) = play(&game(), &setup(), &players, 1, &Watch::default()).expect("the game ends");
    let (_, why) = record.forfeit.expect("it could not even start");
    assert!(why.contains("cannot be started"), "{why}");
}

#[test]
fn an_arena_says_who_misbehaved() {
    let game = game();
    let arena = Arena {
        game,
        setup: setup(),
        players: vec![spec("random"), spec("program:true")],
        games: 2,
        seed: 1,
        jobs: 2,
        out: None,
        progress: false,
    };
    let bouts = arena.run().expect("it is played");
    // Both sides, the same dice.
    assert_eq!(bouts.iter().map(|bout| bout.seats).collect::<Vec<_>>(), [[0, 1], [1, 0]]);
    assert!(bouts.iter().all(|bout| bout.record.seed == 1));
    let standings = arena.standings(&bouts);
    assert_eq!(standings.players[0].name, "random");
    assert_eq!((standings.players[1].forfeits, standings.pairs[0].won), (2, 2));
    let table = standings.table();
    assert!(table.contains("lost by misbehaving") && table.contains("it ended"), "{table}");
}

#[test]
fn the_python_example_plays_a_game_by_asking() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("no python3 here: skipped");
        return;
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/engine.py");
    let python = Spec::parse(&format!("program:python3 '{file}'"), Duration::from_secs(20));
    let players = [spec("random"), python.expect("a player")];
    let (record, clock) = play(&game(), &setup(), &players, 3, &Watch::default()).expect("the game ends");
    assert_eq!(record.forfeit, None);
    assert!(record.winner.is_some() && clock.seats[1].decisions > 20);
}

/// Sends lines to our engine and returns its answers.
fn engine(lines: &[Value]) -> Vec<Value> {
    #[derive(Clone, Default)]
    struct Out(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Out {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("one thread writes").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let out = Out::default();
    let input = BufReader::new(Cursor::new(text.into_bytes()));
    engine::serve(&game(), bots::Level::Random, input, out.clone()).expect("it serves to the end");
    let text = String::from_utf8(out.0.lock().expect("it is over").clone()).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect()
}

#[test]
fn our_engine_decides_answers_and_goes_on_after_nonsense() {
    let hello = json!({ "type": "hello", "protocol": 1, "game": "ardennes44" });
    let newgame = json!({ "type": "newgame", "setup": setup(), "seat": "german", "seed": 4 });
    let answers = engine(&[
        json!({ "type": "go" }),
        hello.clone(),
        json!("nonsense"),
        newgame.clone(),
        json!({ "type": "position", "moves": [] }),
        json!({ "type": "query", "id": 7, "query": { "what": "subjects" } }),
        json!({ "type": "query", "id": 8, "query": { "what": "verdict", "action": "win" } }),
        json!({ "type": "option", "name": "level", "value": "napoleon" }),
        json!({ "type": "go", "movetime": 5000 }),
    ]);
    let why = |at: usize| answers[at]["why"].as_str().unwrap_or_default().to_owned();
    assert!(why(0).contains("newgame"), "{answers:?}");
    assert_eq!(answers[1]["type"], "ready");
    assert_eq!(answers[1]["options"][0]["name"], "level");
    assert!(why(2).contains("no message of the protocol"), "{answers:?}");
    assert!(answers[3]["id"] == 7 && !answers[3]["result"].as_array().expect("a list").is_empty());
    assert_eq!(answers[4]["result"]["legal"], false);
    assert!(why(5).contains("napoleon"));
    assert_eq!(answers[6]["type"], "bestaction");

    // The decision is legal in the position asked about, and the game continues with its dice.
    let action = answers[6]["action"].as_str().expect("an action").to_owned();
    let mut table = game().open(&setup()).expect("a table");
    let mut dice = kernel::Dice::from_number(9);
    let applied = table.apply(kernel::Seat(0), &action, &mut dice).expect("legal");
    let follows = |rolls: &[u8]| {
        let moves = json!([{ "seat": "german", "action": applied.action, "rolls": rolls }]);
        let view = json!({ "type": "query", "id": 1, "query": { "what": "view" } });
        engine(&[newgame.clone(), json!({ "type": "position", "moves": moves }), view])
    };
    let answers = follows(&applied.rolls);
    assert_eq!(answers.len(), 1, "{answers:?}");
    let pieces = answers[0]["result"]["pieces"].as_array().map_or(0, Vec::len);
    assert_eq!(pieces, table.view(kernel::Viewer::Seat(kernel::Seat(0))).pieces.len());
    let mut more = applied.rolls.clone();
    more.push(1);
    assert!(follows(&more)[0]["why"].as_str().is_some_and(|why| why.contains("dice too many")));
}
