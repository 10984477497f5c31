//! Fire support (21): where calls for fire, jamming and helicopters enter an operation.

use hexgrid::HexId;

use crate::{fire::FireKind, frame::Frame, play::Play, rules::Wurzburg, state::State, units::UnitId};

/// 39.0: the Jamming Step.
pub fn open_jamming(_: &mut Play) {}

/// 21.2: a Fire Call Step.
pub fn open_call(_: &mut Play, _defensive: bool) {}

/// 13.4 steps 6 and 9.
pub fn open_helicopters(_: &mut Play, _defensive: bool) {}

/// 23.4: the counter-battery cycle that waits for the end of the operation.
pub fn deferred(_: &mut Play) -> Option<Frame> {
    None
}

/// 18.7.2, 18.8.1: may a called asset fire at this hex?
pub fn may_support(rules: &Wurzburg, s: &State, unit: UnitId, _: FireKind, target: HexId) -> bool {
    let range = u32::from(rules.counter(unit).range);
    s.unit(unit).on_map() && rules.field.distance(s.unit(unit).hex, target) <= range
}

/// 21.3.2: has Defensive Fire killed every observer?
pub fn blind(_: &Wurzburg, _: &State) -> bool {
    false
}
