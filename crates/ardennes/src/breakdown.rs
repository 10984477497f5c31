//! Breakdown units (26): called by the rooms of the Movement and Combat Phases.

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    pack::UnitId,
    play::{Cx, Play},
    rules::Ardennes,
    state::State,
};

/// What the unit may do: break down (26.2), recombine (26.4).
pub fn options(_cx: &Cx, _unit: UnitId, _out: &mut Vec<Action>) {}

/// 26.4: may this Breakdown unit rejoin its parent now?
pub fn may_recombine(_rules: &Ardennes, _s: &State, _unit: UnitId) -> bool {
    false
}

pub fn check(cx: &Cx, _action: &Action) -> Result<(), Refusal> {
    Err(cx.rules.not_now())
}

pub fn apply(_play: &mut Play, _action: &Action) -> Result<(), Stop> {
    Ok(())
}
