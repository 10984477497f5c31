//! Military bridges that ground units destroy, abandon or storm (34.3, 38.3).

use hexgrid::{HexId, SideId};
use kernel::Refusal;
use smallvec::SmallVec;

use crate::{
    action::Action,
    event::{BridgeEvent, Event},
    field::DRY,
    play::{Cx, Play},
    state::{Flags, Place},
    units::{Side, Symbol, UnitId},
};

/// 38.3: a unit that has ended its move beside a military bridge and can destroy it.
fn sapper(cx: &Cx, side: SideId) -> Option<UnitId> {
    let banks = cx.rules.banks(side);
    cx.s.op.moved.iter().find(|unit| {
        let u = cx.s.unit(*unit);
        let counter = cx.rules.counter(*unit);
        u.on_map()
            && u.steps > 0
            && banks.contains(&u.hex)
            && counter.symbol.ground()
            && counter.attack > 0
            && !matches!(counter.symbol, Symbol::Hq | Symbol::Ew | Symbol::RocketArtillery)
    })
}

pub(super) fn check_raze(cx: &Cx, side: SideId, to: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |rule, key| rules.no(rule, key).side("bridge", side).into();
    let n = rules.field.river_of(side);
    let Some(crossing) = cx.s.crossings.get(usize::from(n)).filter(|_| n != DRY) else {
        return no("38.3", "raze.no_bridge");
    };
    if crossing.military.is_none() {
        return no("38.3", "raze.no_bridge");
    }
    if sapper(cx, side).is_none() {
        return no("38.3", "raze.nobody");
    }
    match crossing.engineer {
        None => Ok(()),
        Some(engineer) if rules.counter(engineer).side != cx.side => no("38.3.2", "raze.maintained"),
        Some(engineer) => {
            if cx.s.unit(engineer).is(Flags::USED) || !rules.banks(side).contains(&to) {
                return no("38.3.1", "raze.engineer");
            }
            // As when a bridge is abandoned, no engineer is set down among enemies.
            if rules.holds(cx.s, to, cx.side.enemy()) {
                return no("38.3.1", "raze.engineer");
            }
            Ok(())
        }
    }
}

pub(super) fn raze(play: &mut Play, op_side: Side, side: SideId, to: HexId) {
    let sapper = sapper(&play.cx(op_side), side);
    if let Some(unit) = sapper {
        play.s.op.done.insert(unit); // its move is over
    }
    let n = usize::from(play.rules.field.river_of(side));
    if let Some(engineer) = play.s.crossings[n].engineer {
        set_down(play, engineer, to); // 38.3.1
    }
    take_bridge(play, side);
}

/// The bridge is removed, and its Bridging Point is lost.
fn take_bridge(play: &mut Play, side: SideId) {
    let n = usize::from(play.rules.field.river_of(side));
    (play.s.crossings[n].military, play.s.crossings[n].engineer) = (None, None);
    play.tell(Event::Bridge { side, what: BridgeEvent::Destroyed });
}

/// The engineer of a bridge becomes an ordinary unit again, in one of the two hexes.
fn set_down(play: &mut Play, engineer: UnitId, hex: HexId) {
    play.s.put(engineer, Place::Map, hex);
    play.tell(Event::Placed { unit: engineer, hex });
    let side = play.rules.counter(engineer).side;
    play.check_stack(side, hex);
}

/// 34.3, 38.3.2, 38.4: a military bridge is destroyed by enemy action, and the engineer with it.
pub fn destroy_bridge(play: &mut Play, side: SideId) {
    let n = usize::from(play.rules.field.river_of(side));
    let engineer = play.s.crossings.get(n).and_then(|crossing| crossing.engineer);
    take_bridge(play, side);
    if let Some(engineer) = engineer {
        play.lose_steps(engineer, 1);
    }
}

/// Military bridges beside units that have moved.
pub(super) fn razable(cx: &Cx) -> SmallVec<[SideId; 4]> {
    let mut out: SmallVec<[SideId; 4]> = SmallVec::new();
    for (n, crossing) in cx.s.crossings.iter().enumerate() {
        if crossing.military.is_none() {
            continue;
        }
        let side = cx.rules.field.river_sides[n];
        let banks = cx.rules.banks(side);
        if banks.into_iter().any(|to| check_raze(cx, side, to).is_ok()) {
            out.push(side);
        }
    }
    out
}

/// 34.3: engineers that may abandon their bridge in this cycle, and the hexes they may be placed in.
pub fn abandonable(cx: &Cx, out: &mut Vec<Action>) {
    for unit in cx.rules.units_of(cx.side) {
        if cx.s.unit(*unit).place != Place::Bridge {
            continue;
        }
        if let Some((_, banks)) = cx.rules.bridge_of(cx.s, *unit) {
            let all = banks.into_iter().map(|to| Action::Abandon { unit: *unit, to });
            out.extend(all.filter(|action| check_abandon(cx, action).is_ok()));
        }
    }
}

/// 34.3, 38.3
pub fn check_abandon(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    let Action::Abandon { unit, to } = action else { return Err(cx.rules.not_now()) };
    let rules = cx.rules;
    rules.own(cx.side, *unit)?;
    let no = |rule, key| rules.no(rule, key).unit("unit", *unit).into();
    let Some((_, banks)) = rules.bridge_of(cx.s, *unit).filter(|_| cx.s.unit(*unit).place == Place::Bridge)
    else {
        return no("34.3", "abandon.no_bridge");
    };
    if cx.s.unit(*unit).is(Flags::USED) || !rules.activates_with(cx.s, *unit, cx.s.active) {
        return no("34.3", "abandon.not_active");
    }
    if !banks.contains(to) || rules.holds(cx.s, *to, cx.side.enemy()) {
        return no("34.3", "abandon.place");
    }
    Ok(())
}

/// Place the engineer in a hex beside its bridge, which is removed.
pub fn abandon(play: &mut Play, action: &Action) {
    let Action::Abandon { unit, to } = action else { return };
    let Some((side, _)) = play.rules.bridge_of(play.s, *unit) else { return };
    set_down(play, *unit, *to);
    take_bridge(play, side);
}

/// 38.3.2: whether an operation may have a bridge that an enemy engineer maintains as its objective.
pub fn check_objective(cx: &Cx, side: SideId, hex: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |key| rules.no("38.3.2", key).side("bridge", side).into();
    let n = rules.field.river_of(side);
    let engineer = cx.s.crossings.get(usize::from(n)).and_then(|crossing| crossing.engineer);
    if engineer.is_none_or(|unit| rules.counter(unit).side == cx.side) {
        return no("raze.not_maintained");
    }
    if !rules.banks(side).contains(&hex) {
        return no("raze.marker");
    }
    Ok(())
}

/// Bridges that enemy engineers maintain, each with a hex for the Objective marker.
pub fn objectives(cx: &Cx) -> SmallVec<[(SideId, HexId); 4]> {
    let mut out = SmallVec::new();
    for (n, crossing) in cx.s.crossings.iter().enumerate() {
        let theirs = crossing.engineer.is_some_and(|unit| cx.rules.counter(unit).side != cx.side);
        if theirs {
            let side = cx.rules.field.river_sides[n];
            out.extend(cx.rules.banks(side).into_iter().take(1).map(|hex| (side, hex)));
        }
    }
    out
}

/// 38.3.2: in the Offensive Fire Step the bridge and its engineer are gone if a participant stands beside it.
pub fn storm_bridge(play: &mut Play, side: SideId) {
    let banks = play.rules.banks(side);
    let stands = play.s.op.members.iter().any(|unit| {
        let u = play.s.unit(unit);
        u.on_map() && u.steps > 0 && banks.contains(&u.hex)
    });
    if stands {
        destroy_bridge(play, side);
    }
}
