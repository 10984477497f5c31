//! Every file of `tests/lab` holds: the shared worked examples, and a small file for each rule.

use std::{path::Path, sync::Arc};

use ardennes::Ardennes44;
use kernel::{
    Game,
    lab::{self, Reading},
    testkit,
};

#[test]
fn every_lab_file_holds() {
    let game: Arc<dyn Game> = Arc::new(Ardennes44::new().expect("the shipped pack loads"));
    if let Err(failures) = testkit::labs(&game, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab")) {
        panic!("{failures}");
    }
}

/// The first example of docs/LAB.md is a lab file that holds.
#[test]
fn the_example_of_the_docs_holds() {
    let docs = include_str!("../../../docs/LAB.md");
    let example = docs.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let game: Arc<dyn Game> = Arc::new(Ardennes44::new().expect("the shipped pack loads"));
    let report = lab::run(std::slice::from_ref(&game), example, "docs/LAB.md");
    assert!(report.status == lab::Status::Holds && report.notes.is_empty(), "{}", report.human());
}

/// A file that cites another rule than the refusal is accepted when read leniently; strictly only if the file says
/// `lenient`.
#[test]
fn leniency_is_asked_for() {
    let game: Arc<dyn Game> = Arc::new(Ardennes44::new().expect("the shipped pack loads"));
    let text = include_str!("lab/rules/lab-words-of-rules.toml");
    let silent = text.replace("lenient = true\n", "");
    assert_ne!(text, silent, "the file says that it is lenient");
    let status = |text: &str, reading| {
        lab::run_as(std::slice::from_ref(&game), text, "lab-words-of-rules.toml", "en", reading).status
    };
    assert!(status(text, Reading::Strict) == lab::Status::Holds);
    assert!(status(&silent, Reading::Lenient) == lab::Status::Holds);
    assert!(status(&silent, Reading::Strict) == lab::Status::Failed);
}
