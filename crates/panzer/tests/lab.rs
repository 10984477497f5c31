//! Every file of `tests/lab` passes: the shared worked examples, and a small file for each rule.

use std::{path::Path, sync::Arc};

use kernel::{Game, lab, testkit};
use panzer::PanzerNorthAfrica;

#[test]
fn every_lab_file_holds() {
    let game: Arc<dyn Game> = Arc::new(PanzerNorthAfrica::new().expect("the shipped pack loads"));
    if let Err(failures) = testkit::labs(&game, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab")) {
        panic!("{failures}");
    }
}

/// The examples of docs/LAB.md for this game pass.
#[test]
fn the_examples_of_the_docs_hold() {
    let docs = include_str!("../../../docs/LAB.md");
    let game: Arc<dyn Game> = Arc::new(PanzerNorthAfrica::new().expect("the shipped pack loads"));
    let blocks = docs.split("```toml").skip(1).filter_map(|rest| rest.split("```").next());
    let mine: Vec<&str> = blocks.filter(|block| block.contains("game = \"panzer\"")).collect();
    assert!(!mine.is_empty(), "docs/LAB.md has an example of this game");
    for example in mine {
        let report = lab::run(std::slice::from_ref(&game), example, "docs/LAB.md");
        assert!(report.status == lab::Status::Holds && report.notes.is_empty(), "{}", report.human());
    }
}
