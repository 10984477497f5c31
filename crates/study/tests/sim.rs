//! Simulations: the same file whatever the number of jobs, after an interruption, and from shards.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use ardennes::game::Ardennes44;
use kernel::{Game, Setup};
use study::{
    player::Spec,
    report,
    sim::{self, Run, Study},
};

fn game() -> Arc<dyn Game> {
    Arc::new(Ardennes44::new().expect("the shipped pack is good"))
}

fn study(options: &[&str]) -> (Study, Vec<Spec>) {
    let random = Spec::parse("random", Duration::from_secs(1)).expect("a level");
    let players = vec![random.clone(), random];
    let setup = Setup {
        game: "ardennes44".into(),
        scenario: "six_turn".into(),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    (Study::new(setup, &players), players)
}

fn run(out: &Path, first: u64, games: u64, jobs: usize) -> Vec<study::play::Record> {
    let (study, players) = study(&[]);
    let run = Run { first, games, jobs, out: Some(out), progress: false };
    sim::run(&game(), &study, &players, &run).expect("the games are played")
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("the file was just written")
}

#[test]
fn the_number_of_jobs_does_not_show() {
    let (one, three) = (file("jobs-1.jsonl"), file("jobs-3.jsonl"));
    let records = run(&one, 11, 3, 1);
    run(&three, 11, 3, 3);
    assert_eq!(text(&one), text(&three));
    assert_eq!(records.iter().map(|r| r.seed).collect::<Vec<_>>(), [11, 12, 13]);
    let first = &records[0];
    assert!(first.winner.is_some() && first.turn >= 1 && first.decisions > 100, "{first:?}");
    // The start, and the end of every turn until the last.
    let turns: Vec<u16> = first.turns.iter().map(|turn| turn.turn).collect();
    assert_eq!(turns, (0..=first.turn).collect::<Vec<_>>());
    assert_eq!(first.turns[0].tallies["steps_lost"], [0, 0]);
    let lost = &first.turns.last().expect("there are turns").tallies["steps_lost"];
    assert!(lost.iter().all(|steps| *steps > 0), "six turns without losses: {lost:?}");
    assert!(!first.turns[0].held.is_empty() && first.turns[1].held.is_empty(), "AM turns are not pictured");
}

#[test]
fn an_interrupted_run_goes_on_and_another_study_is_refused() {
    let (whole, broken) = (file("whole.jsonl"), file("broken.jsonl"));
    run(&whole, 1, 3, 2);
    let all = text(&whole);
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 4, "a head and three games");
    // Killed in the middle of writing the second game.
    let half = &lines[2][..lines[2].len() / 2];
    fs::write(&broken, format!("{}{}{half}", lines[0], lines[1])).expect("it can be written");
    run(&broken, 1, 3, 2);
    assert_eq!(text(&broken), all);
    // Nothing is played again: a result that was tampered with stays.
    fs::write(&broken, all.replace("\"decisions\":", "\"decisions\":9")).expect("it can be written");
    let kept = run(&broken, 1, 3, 2);
    assert!(kept.iter().all(|record| record.decisions >= 9000));

    let (other, players) = study(&["roadblocks"]);
    let again = Run { first: 1, games: 3, jobs: 1, out: Some(&whole), progress: false };
    let why = sim::run(&game(), &other, &players, &again).expect_err("another study").to_string();
    assert!(why.contains("another study") && why.contains("roadblocks"), "{why}");
    assert_eq!(text(&whole), all, "and left alone");
}

#[test]
fn shards_make_the_whole() {
    let (whole, a, b, merged) =
        (file("all.jsonl"), file("shard-a.jsonl"), file("shard-b.jsonl"), file("merged.jsonl"));
    run(&whole, 1, 3, 2);
    run(&a, 1, 1, 1);
    run(&b, 2, 2, 1);
    let (study, records) = sim::merge(&[b.clone(), a.clone()]).expect("they fit together");
    sim::write(&merged, &study, &records).expect("it can be written");
    assert_eq!(text(&merged), text(&whole));
    // The same games twice are accepted; different games with the same seed are not.
    assert_eq!(sim::merge(&[whole.clone(), a.clone()]).expect("the same game").1.len(), 3);
    fs::write(&a, text(&a).replace("\"decisions\":", "\"decisions\":9")).expect("it can be written");
    let why = sim::merge(&[whole.clone(), a]).expect_err("another game").to_string();
    assert!(why.contains("seed 1"), "{why}");

    let picture = "data:image/png;base64,";
    for language in ["en", "ko", "ja"] {
        let page = report::html_over(&*game(), &study, &records, language, picture).expect("a report");
        assert!(page.contains(&format!("<html lang=\"{language}\">")));
        assert!(page.contains(picture) && page.matches("<svg").count() >= 8);
        for outside in ["src=\"http", "href=\"http", "url(http", "<script", "<link"] {
            assert!(!page.contains(outside), "{language}: the page wants {outside}");
        }
        assert!(!page.contains("report."), "{language}: a key without words");
        assert!(!page.contains("study."), "{language}: a key without words");
    }
}

#[test]
fn tables_say_how_near_games_come_to_the_aims() {
    let (out, seeds) = (file("tables.jsonl"), 31..=34);
    run(&out, *seeds.start(), 4, 2);
    let (study, mut records) = sim::read(&out).expect("it was just written");
    // Aims are those of the campaign, whatever the games of the file.
    let study = Study { setup: Setup { scenario: "campaign".into(), ..study.setup.clone() }, ..study };
    for record in &mut records {
        "allied".clone_into(record.winner.get_or_insert_default());
        for turn in &mut record.turns {
            turn.goals.retain(|goal| goal != "malmedy" && goal != "bastogne");
        }
    }
    let fallen = &mut records[0].turns[3];
    fallen.goals.push("bastogne".into());
    for language in ["en", "ko", "ja"] {
        let text = report::tables(&*game(), &study, &records, language).expect("tables");
        assert!(!text.contains("report.") && !text.contains("study."), "{language}: a key without words");
        // Every row of a table has as many cells as its heading.
        let widths: Vec<Vec<usize>> = text
            .split("\n\n")
            .filter(|part| part.starts_with('|'))
            .map(|part| part.lines().map(|row| row.matches('|').count()).collect())
            .collect();
        assert!(widths.len() >= 5 && widths.iter().all(|rows| rows.iter().all(|width| *width == rows[0])));
    }
    let text = report::tables(&*game(), &study, &records, "en").expect("tables");
    for row in [
        "| What | Aim | 4 games |",
        "| Malmedy: taken at all | at most 70 % | 0 % (0–49) |",
        "| Bastogne: taken at all | at most 60 % | 25 % (5–70) |",
        "| German: games won | 30 % to 60 % | 0 % (0–49), **missed, but within the range** |",
        "| Allied units hold the German start areas: games ended | at most 15 % | 0 % (0–49) |",
        "| Bastogne | never | 17 Dec AM | 25 % (5–70) | 0 % (0–49) |",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}

#[test]
fn variants_are_played_with_the_same_seeds() {
    let (study, players) = study(&[]);
    let study = study.with_all_variants(&*game());
    let ids: Vec<&str> = study.variants.iter().map(|v| v.id.as_str()).collect();
    assert!(ids.contains(&"edition:1e") && ids.contains(&"option:roadblocks"), "{ids:?}");
    let few = Study { variants: study.variants.into_iter().take(1).collect(), ..study };
    let once = Run { first: 5, games: 1, jobs: 2, out: None, progress: false };
    let records = sim::run(&game(), &few, &players, &once).expect("the games are played");
    assert_eq!(records.len(), 2);
    assert!(records[0].variant.is_empty() && records[1].variant == few.variants[0].id);
    assert_eq!((records[0].seed, records[1].seed), (5, 5));
    let page = report::html(&*game(), &few, &records, "en").expect("a report");
    assert!(page.contains("1st edition") && page.contains("data:image/jpeg;base64,"));
}

/// Ardennes '44, but opening its `fatal`-th table panics.
struct Trapped {
    inner: Arc<dyn Game>,
    opened: AtomicUsize,
    fatal: usize,
}

impl Game for Trapped {
    fn info(&self) -> &kernel::GameInfo {
        self.inner.info()
    }
    fn open(&self, setup: &Setup) -> Result<Box<dyn kernel::Table>, kernel::SetupError> {
        let n = self.opened.fetch_add(1, Ordering::SeqCst);
        assert!(n != self.fatal, "the table breaks");
        self.inner.open(setup)
    }
    fn lab(&self, head: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, kernel::SetupError> {
        self.inner.lab(head)
    }
    fn messages(&self, language: &str) -> Option<&'static str> {
        self.inner.messages(language)
    }
    fn board(&self, setup: &Setup) -> Result<kernel::board::Board, kernel::SetupError> {
        self.inner.board(setup)
    }
    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, kernel::SetupError> {
        self.inner.map_svg(setup, language)
    }
}

#[test]
fn a_panic_ends_the_run_and_names_the_seed() {
    let path = file("panic.jsonl");
    let (study, players) = study(&[]);
    // How many tables are opened before the first game, and for each game.
    let counting = Arc::new(Trapped { inner: game(), opened: AtomicUsize::new(0), fatal: usize::MAX });
    let opened = |games: u64| {
        let before = counting.opened.load(Ordering::SeqCst);
        let run = Run { first: 5, games, jobs: 1, out: None, progress: false };
        let erased: Arc<dyn Game> = counting.clone();
        sim::run(&erased, &study, &players, &run).expect("no trap is set");
        counting.opened.load(Ordering::SeqCst) - before
    };
    let (none, one) = (opened(0), opened(1));
    // The third of fifty games panics; two are played at a time.
    let fatal = none + 2 * (one - none);
    let trapped: Arc<dyn Game> = Arc::new(Trapped { inner: game(), opened: AtomicUsize::new(0), fatal });
    let run = Run { first: 5, games: 50, jobs: 2, out: Some(&path), progress: false };
    let error = format!("{:#}", sim::run(&trapped, &study, &players, &run).expect_err("it panics"));
    assert!(error.contains("the table breaks"), "{error}");
    let seed: u64 = error
        .strip_prefix("seed ")
        .and_then(|rest| rest.split(':').next())
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| panic!("no seed in `{error}`"));
    // Everything before it is kept, in order, and the run continues from there.
    let (_, kept) = sim::read(&path).expect("the file is whole");
    assert_eq!(kept.iter().map(|record| record.seed).collect::<Vec<_>>(), (5..seed).collect::<Vec<_>>());
    assert!(seed < 20, "the run ended soon: {seed}");
}
