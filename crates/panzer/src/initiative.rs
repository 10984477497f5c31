//! The Initiative Phase (4.3).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::{Side, Ties},
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
    units::UnitId,
};

/// 7.42: formations of both sides that fire and move together, and which side is First Player among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Bits of the scenario's formations.
    pub formations: u64,
    pub first: Side,
}

impl Panzer {
    /// 7.42: the formations of both sides in pairs, in the order of the scenario; the rest of the longer list belongs to the
    /// last pair.
    pub fn pairings(&self) -> SmallVec<[u64; 8]> {
        let mut pairs = SmallVec::new();
        let Some(game) = self.advanced.as_deref().filter(|_| self.optional(42)) else { return pairs };
        let of = |side: Side| {
            let all = game.extras.formations.iter().enumerate();
            all.filter(move |(_, f)| f.side == side).map(|(n, _)| 1_u64 << n.min(63))
        };
        let most = of(Side::Axis).count().min(of(Side::Allied).count());
        for side in Side::ALL {
            for (n, bit) in of(side).enumerate() {
                let at = n.min(most.saturating_sub(1));
                if at >= pairs.len() {
                    pairs.push(0);
                }
                pairs[at] |= bit;
            }
        }
        if most < 2 { SmallVec::new() } else { pairs }
    }

    /// 7.42: whether the unit may fire, assault or move now: it must be the turn of its pair.
    #[inline]
    pub fn in_turn(&self, s: &State, unit: UnitId) -> bool {
        let Some(pair) = usize::from(s.pair).checked_sub(1).and_then(|n| s.pairs.get(n)) else { return true };
        self.piece(unit).is_none_or(|piece| pair.formations >> piece.formation.min(63) & 1 == 1)
    }
}

/// 7.42: it becomes the turn of this pair, or of all (0).
pub fn take_turn(play: &mut Play, pair: u8) {
    play.s.pair = pair;
    let first = play.s.pairs.get(usize::from(pair.max(1)) - 1).map(|pair| pair.first);
    play.s.first = first.or(play.s.first);
    if let (Some(first), true) = (first, pair > 0) {
        play.tell(Event::PairTurn { pair, first });
    }
}

/// 7.42: each pair of formations rolls as the sides would. The first pair's winner is First Player wherever all act together.
fn roll_pairs(play: &mut Play, pairs: &[u64]) -> Result<(), Stop> {
    play.s.pairs.clear();
    for (n, formations) in pairs.iter().enumerate() {
        let (rolls, first) = decide(play)?;
        play.s.pairs.push(Pair { formations: *formations, first });
        play.tell(Event::PairInitiative { pair: n as u8 + 1, rolls, first });
    }
    play.s.first = play.s.pairs.first().map(|pair| pair.first);
    Ok(())
}

/// 4.3.1, 6.3.1: Roll(100) each; the higher is First Player. A tie is rolled again unless Special Conditions say otherwise.
fn decide(play: &mut Play) -> Result<([u8; 2], Side), Stop> {
    loop {
        let mut rolls = [0; 2];
        for side in Side::ALL {
            rolls[side.index()] = play.roll(side, "roll.initiative", "4.3.1")?;
        }
        let totals = Side::ALL.map(|side| i16::from(rolls[side.index()]) + play.rules.force_modifier(side));
        let winner = match totals[0].cmp(&totals[1]) {
            std::cmp::Ordering::Greater => Side::Axis,
            std::cmp::Ordering::Less => Side::Allied,
            std::cmp::Ordering::Equal => match play.rules.scenario.special.initiative_tie {
                Ties::Axis => Side::Axis,
                Ties::Allied => Side::Allied,
                Ties::Keep => match play.s.last_first {
                    Some(side) => side,
                    None => continue,
                },
                Ties::Reroll => continue,
            },
        };
        return Ok((rolls, winner));
    }
}

/// The Initiative Phase.
pub fn roll(play: &mut Play) -> Result<(), Stop> {
    let pairs = play.rules.pairings();
    if !pairs.is_empty() {
        return roll_pairs(play, &pairs);
    }
    let (rolls, winner) = decide(play)?;
    play.s.first = Some(winner);
    play.tell(Event::Initiative { rolls, first: winner });
    if play.rules.options.initiative_choice {
        play.then(&[Frame::ChooseOrder(winner)]);
    }
    Ok(())
}

impl Panzer {
    /// 6.3.2: what the Force Grade adds to the initiative roll.
    pub fn force_modifier(&self, side: Side) -> i16 {
        self.advanced.as_deref().map_or(0, |game| {
            i16::from(game.tables().initiative[game.extras.force_grade[side.index()].index()])
        })
    }
}

/// Option: the winner of the roll chooses the First Player.
#[derive(Debug)]
pub struct Order;

impl Question<Panzer> for Order {
    fn asks(&self, _: &Panzer, _: &State, frame: Frame) -> Option<Side> {
        let Frame::ChooseOrder(side) = frame else { return None };
        Some(side)
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([true, false].map(|first| Action::Order { first }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Order { .. } => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        if let Action::Order { first } = action {
            let first = if *first { at.side } else { at.side.enemy() };
            play.s.first = Some(first);
            play.tell(Event::Order { side: at.side, first });
        }
        play.pop();
        Ok(())
    }
}
