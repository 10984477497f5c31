//! Special units (27) whose rules fit nowhere else.

use hexgrid::{HexId, HexSet};
use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    pack::{Side, Tag, UnitId},
    place::Place,
    play::Play,
    rules::Ardennes,
    state::State,
    terrain::EdgeBits,
};

/// 27.7: the roll for 653 PzJ; it becomes `Place::Due`, stays on the track, or leaves the game.
pub fn arrival_roll(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let numbers = play.rules.tables().special;
    if play.s.turn < numbers.pzj653_first_turn || play.s.pzj653_settled {
        return Ok(());
    }
    let die = play.roll(Side::German, 0, "roll.pzj653", "27.7")?;
    let arrives = if die <= numbers.pzj653_arrives_max {
        Some(true)
    } else if die <= numbers.pzj653_delayed_max {
        None
    } else {
        Some(false)
    };
    play.tell(Event::Arrival { unit, arrives });
    play.s.pzj653_settled = arrives.is_some();
    match arrives {
        Some(true) => play.rules.put(play.s, unit, Place::Due),
        Some(false) => play.rules.take_off(play.s, unit, Place::Gone),
        None => {}
    }
    Ok(())
}

/// 1E 27.8, optional: the turn of the roll for CCB of the 9th Armored, and the turn from which it is free (17 PM).
const CCB9_ROLL_TURN: u8 = 2;
const CCB9_FREE_TURN: u8 = 4;
/// How near to St-Vith CCB must stay until then.
const CCB9_REACH: u32 = 4;

/// 1E 27.8: must CCB move to St-Vith?
pub fn ccb9_roll(play: &mut Play) -> Result<(), Stop> {
    let limit = play.rules.tables().special.ccb9_st_vith_max;
    let due = play.rules.options.ccb9 && play.s.side == Side::Allied && play.s.turn == CCB9_ROLL_TURN;
    if due && limit > 0 {
        play.s.ccb9_bound = play.roll(Side::Allied, 0, "roll.ccb9", "27.8")? <= limit;
    }
    Ok(())
}

impl Ardennes {
    /// 1E 27.8: does a move of this unit to `to` violate the order to move to St-Vith? It must end near the town, south
    /// of the army boundary, or at least nearer than it began.
    pub fn ccb9_strays(&self, s: &State, unit: UnitId, from: HexId, to: HexId) -> bool {
        let bound = s.ccb9_bound && s.turn < CCB9_FREE_TURN && self.counter(unit).has(Tag::Ccb9);
        let Some(town) = self.land.st_vith.filter(|_| bound) else { return false };
        let nearer = |from| self.distance(to, town) < self.distance(from, town);
        let ground = self.south_of_boundary(town);
        !ground.contains(to) && from.some().is_none_or(|from| ground.contains(from) || !nearer(from))
    }

    /// 1E 27.8: is it ordered to St-Vith, and not yet near the town?
    pub(crate) fn ccb9_is_away(&self, s: &State, unit: UnitId, at: HexId) -> bool {
        let bound = s.ccb9_bound && s.turn < CCB9_FREE_TURN && self.counter(unit).has(Tag::Ccb9);
        self.land.st_vith.filter(|_| bound).is_some_and(|town| !self.south_of_boundary(town).contains(at))
    }

    /// The hexes near the town on its side of the army boundary.
    fn south_of_boundary(&self, town: HexId) -> HexSet {
        let mut ground = HexSet::new();
        ground.insert(town);
        let mut open = vec![town];
        while let Some(hex) = open.pop() {
            for edge in self.land.edges(hex).iter().filter(|edge| !edge.is(EdgeBits::BOUNDARY)) {
                if let Some(next) = edge.to.some().filter(|hex| self.distance(*hex, town) <= CCB9_REACH)
                    && ground.insert(next)
                {
                    open.push(next);
                }
            }
        }
        ground
    }
}

/// 27.8.1: the 150th Panzer Brigade is Exposed at the end of a turn in which it used its disguise.
pub fn end_of_turn(play: &mut Play) {
    let rules = play.rules;
    for unit in rules.units_of(Side::German) {
        if play.s.unit(unit).is(Flags::DISGUISE_USED) && rules.counter(unit).has(Tag::Brigade150) {
            play.s.unit_mut(unit).flags.clear(Flags::DISGUISE_USED);
            play.mark(unit, Flags::EXPOSED);
        }
    }
}
