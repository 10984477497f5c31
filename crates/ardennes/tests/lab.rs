//! Every file of `tests/lab` holds: the shared worked examples, and a small file for each rule.

use std::{path::Path, sync::Arc};

use ardennes::Ardennes44;
use kernel::{Game, lab, testkit};

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
