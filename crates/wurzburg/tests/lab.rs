//! Every file of `tests/lab` passes: the shared worked examples, and a small file for each rule.

use std::{path::Path, sync::Arc};

use kernel::{Game, testkit};
use wurzburg::AirAndArmor;

#[test]
fn every_lab_file_holds() {
    let game: Arc<dyn Game> = Arc::new(AirAndArmor::new().expect("the shipped pack loads"));
    if let Err(failures) = testkit::labs(&game, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab")) {
        panic!("{failures}");
    }
}
