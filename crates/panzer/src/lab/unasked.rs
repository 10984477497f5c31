//! Decisions that a side is not asked for: find the refusal that they would get if it were.

use kernel::Refusal;
use rulebook::flow;

use crate::{
    action::Action,
    frame::{Frame, Player, Trigger},
    pack::Side,
    phase::Phase,
    play::Cx,
    rules::Panzer,
    state::{Flags, State},
    units::UnitSet,
};

/// Why `side` may not do it; `None` if it might, or if it is not known when it would be asked for.
pub fn why(rules: &Panzer, s: &State, side: Side, action: &Action) -> Option<Refusal> {
    let player = if s.first == Some(side) { Player::First } else { Player::Second };
    let mut there = s.clone();
    let frame = match action {
        // 4.4.2: in reaction to the movement of its target.
        Action::Fire { target, .. } if s.phase == Phase::Movement => {
            // 6.6.4.3: crawling triggers none.
            if rules.vehicle(*target).side != side && s.unit(*target).is(Flags::CRAWLED) {
                return Some(rules.no("6.6.4.3", "fire.crawled").unit("target", *target).into());
            }
            // 6.6.7.1.1: so does getting off a vehicle.
            if rules.vehicle(*target).side != side && s.unit(*target).is(Flags::LEFT) {
                return Some(rules.no("6.6.7.1.1", "fire.got_off").unit("target", *target).into());
            }
            there.triggers = UnitSet::one(*target);
            there.aimed = UnitSet::EMPTY;
            Frame::Window(Trigger::Hex)
        }
        // 6.5.2.1: nobody is near enough, or there is no further hit.
        Action::Spread(targets) if s.phase == Phase::Combat => {
            let target = targets.first()?;
            return Some(rules.no("6.5.2.1", "fire.spread").unit("target", *target).into());
        }
        Action::Occupy(units) if s.phase == Phase::Movement => {
            let unit = units.first()?;
            return Some(rules.no("6.6.1.1.3", "assault.not_won").unit("unit", *unit).into());
        }
        Action::Aa(_) if s.air.flight.active => Frame::AaWindow,
        Action::Show => {
            let target = s.fire.target.some()?;
            let stands = rules.vehicle(target).side == side && !s.unit(target).command.moves();
            let refusal = || rules.no("4.4.3.2.2", "show.not_moving").unit("unit", target).into();
            return stands.then(refusal);
        }
        Action::Cover { .. } if rules.advanced.is_some() => Frame::FullCover(player),
        Action::Call(_) | Action::Mission { .. } if matches!(s.phase, Phase::Combat | Phase::Movement) => {
            Frame::Indirect(player)
        }
        _ => return None,
    };
    there.stamp.renew();
    let cx = Cx { rules, s: &there, side, frame };
    flow::check(&cx, action).err().filter(|refusal| !refusal.is_out_of_turn())
}
