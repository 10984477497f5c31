//! Airmobile operations (29.3): which may be declared, and their objectives.

use hexgrid::HexId;
use kernel::Refusal;

use crate::{
    field::Terrain,
    play::Cx,
    rules::Wurzburg,
    state::{Place, State},
    units::{OpKind, Side, UnitId, UnitSet},
};

impl Wurzburg {
    /// 29.7, 46.6.9: an airmobile unit that waits off the map to be flown in.
    pub fn waits(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).place == Place::Waiting && self.counter(unit).airmobile
    }

    /// 29.2.3: an airmobile brigade HQ off the map also serves its units that are off the map.
    pub fn off_map_hq(&self, s: &State, hq: UnitId) -> bool {
        self.counter(hq).hq != u8::MAX && self.waits(s, hq)
    }

    /// 29.6.5: a city that NATO holds without a unit in it.
    pub fn empty_city(&self, s: &State, hex: HexId) -> bool {
        self.field.terrain(hex) == Terrain::City
            && !self.holds(s, hex, Side::Nato)
            && self.holdable.iter().position(|held| *held == hex).is_some_and(|n| s.control[n] == Side::Nato)
    }

    /// 29.6.5: whether airmobile units attack an empty city in the current operation.
    pub fn storms_city(&self, s: &State) -> bool {
        s.op.objective.some().is_some_and(|hex| self.empty_city(s, hex))
            && self.air_assault(s.op.side, &s.op.members)
    }

    /// 29.6.5: whether WP airmobile units are among these.
    fn air_assault(&self, side: Side, units: &UnitSet) -> bool {
        let mobile = |unit| self.counter(unit).airmobile && self.counter(unit).symbol.maneuver();
        side == Side::Wp && units.iter().any(mobile)
    }

    /// 29.6.5: whether these are only WP airmobile units.
    pub fn air_assault_alone(&self, side: Side, units: &UnitSet) -> bool {
        side == Side::Wp && !units.is_empty() && units.iter().all(|unit| self.counter(unit).airmobile)
    }
}

/// 29.3.5, 29.6.1: may the operation be declared airmobile (29.3, 29.3.4)?
pub fn check_airmobile(
    cx: &Cx,
    kind: OpKind,
    members: &UnitSet,
    objective: HexId,
    airmobile: bool,
) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    if !airmobile {
        return Ok(());
    }
    if !super::lift::kind_flies(kind) {
        return rules.no("29.6.4", "mobile.reserve").into();
    }
    if !members.iter().any(|unit| rules.counter(unit).airmobile) {
        return rules.no("29.3", "mobile.nobody").into();
    }
    if let Some(hex) = objective.some() {
        let seen = s.acquired.contains(&hex) || rules.next_to(s, hex, cx.side);
        if !seen {
            return rules.no("29.3.4", "mobile.not_acquired").hex("hex", hex).into();
        }
    }
    Ok(())
}

/// What an offensive operation may have as its objective: an enemy (13.5), or a city that WP airmobile units attack
/// (29.6.5).
pub fn check_objective(cx: &Cx, members: &UnitSet, hex: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    if rules.holds(cx.s, hex, cx.side.enemy()) {
        return Ok(());
    }
    if rules.air_assault(cx.side, members) && rules.empty_city(cx.s, hex) {
        return Ok(());
    }
    rules.no("13.5", "objective.empty").hex("hex", hex).into()
}
