//! The lab files of Holland '44.

use std::path::Path;
use std::sync::Arc;

use holland::Holland44;
use kernel::Game;

#[test]
fn every_lab_file_holds() {
    let game: Arc<dyn Game> = Arc::new(Holland44::new().unwrap());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab");
    match kernel::testkit::labs(&game, &folder) {
        Ok(n) => assert!(n >= 300, "{n} files"),
        Err(failures) => panic!("{failures}"),
    }
}
