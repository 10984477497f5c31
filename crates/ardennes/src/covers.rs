//! What a listed option stands for besides itself: the lists name one way to each destination for one unit, any other may be
//! written.

use crate::{action::Action, play::Cx};

/// Does choosing `listed` offer `action`, too?
pub fn covers(cx: &Cx, listed: &Action, action: &Action) -> bool {
    if listed == action {
        return true;
    }
    match (listed, action) {
        // 11: by another path, in another mode, or with more of the stack. A place is listed in the least restrictive mode that
        // gets there, an exit at the nearest hex that leads off the map.
        (Action::Move(listed), Action::Move(other)) => {
            let same = if other.out { listed.out } else { !listed.out && listed.to == other.to };
            same && listed.units.iter().all(|unit| other.units.contains(*unit))
        }
        // 20.2, 25.33: some of a stack, of which each unit and all together are listed.
        (Action::Disengage { units }, Action::Disengage { units: more })
        | (Action::Night { units }, Action::Night { units: more }) => {
            units.iter().all(|unit| more.contains(*unit))
        }
        // 31.1: units that have their place already may be placed anew; only those that wait are listed.
        (Action::Deploy, Action::Place { .. }) => true,
        // What belongs to a later step of the phase ends this one.
        (Action::Done, other) => {
            rulebook::flow::check(cx, other).is_err_and(|refusal| refusal.is_out_of_turn())
        }
        _ => false,
    }
}
