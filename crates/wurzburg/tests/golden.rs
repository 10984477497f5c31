//! One whole game as all viewers read it, so that no behaviour changes unnoticed.

use std::{path::Path, sync::Arc};

use kernel::{Game, Setup, testkit};
use wurzburg::AirAndArmor;

#[test]
fn a_game_of_first_contact() {
    let game: Arc<dyn Game> = Arc::new(AirAndArmor::new().expect("the shipped pack loads"));
    let setup = Setup { game: "wurzburg".into(), scenario: "first-contact".into(), ..Setup::default() };
    let text = testkit::playthrough(&game, &setup, 5, 2000).expect("it can be played");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/first-contact.txt");
    testkit::golden(&file, &text).expect("the game is as it was");
}
