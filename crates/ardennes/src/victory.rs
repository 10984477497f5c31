//! How to win (30, 31).

use kernel::Stop;

use crate::play::Play;

use crate::{
    event::Event,
    pack::Side,
    state::{Condition, Ending},
};

/// 30.1
pub fn check(play: &mut Play) -> Result<(), Stop> {
    if play.s.turn >= play.rules.scenario.last_turn {
        let ending = Ending { winner: Some(Side::Allied), by: Condition::Prevented };
        play.s.ending = Some(ending);
        play.tell(Event::Over(ending));
    }
    Ok(())
}
