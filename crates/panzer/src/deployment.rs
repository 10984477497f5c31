//! Ready-made deployments (2.0) beside the one that the scenario lists: the side's units moved within its set-up area.
//!
//! They are worked out from what both sides know, the scenario: where its lists and set-up areas put the enemy. So they tell
//! nothing of units that are hidden.

use hexgrid::HexId;

use crate::{
    field::HexSet,
    pack::{Side, Start},
    rules::Panzer,
    state::State,
    units::UnitId,
};

/// How the units stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// As near the enemy as the area allows.
    Forward,
    /// In the best cover that the area has.
    Cover,
}

impl Stance {
    pub const ALL: [Stance; 2] = [Stance::Forward, Stance::Cover];

    /// The word in notation and in message keys.
    pub const fn key(self) -> &'static str {
        match self {
            Stance::Forward => "forward",
            Stance::Cover => "cover",
        }
    }

    pub fn parse(word: &str) -> Option<Stance> {
        Stance::ALL.into_iter().find(|stance| stance.key() == word)
    }
}

/// Where each unit of a side would stand. Empty where the side does not set up freely; units that may not be moved are left out.
pub fn places(rules: &Panzer, s: &State, side: Side, stance: Stance) -> Vec<(UnitId, HexId)> {
    let zone = &rules.zones[side.index()];
    let free = |unit: &UnitId| {
        let u = s.unit(*unit);
        u.on_map() && !u.passenger() && s.veil(*unit).is_none()
    };
    let units: Vec<UnitId> = rules.units_of(side).iter().copied().filter(free).collect();
    let enemy = expected(rules, side.enemy());
    // Hexes of those who stay where they are.
    let mut taken = HexSet::EMPTY;
    for unit in s.ids().filter(|unit| s.unit(*unit).on_map() && !units.contains(unit)) {
        taken.insert(s.unit(unit).hex);
    }
    let distance = |hex: HexId| enemy.iter().map(|foe| rules.field.range(hex, foe)).min().unwrap_or(0);
    let mut out = Vec::new();
    for unit in units {
        let listed = home(rules, unit).unwrap_or(s.unit(unit).hex);
        let worth = |hex: HexId| match stance {
            Stance::Forward => (distance(hex), rules.field.range(hex, listed)),
            Stance::Cover => {
                let cover = rules.spotting_cover(s, hex) as u32;
                (u32::MAX - cover, rules.field.range(hex, listed))
            }
        };
        let open = zone.iter().filter(|hex| !taken.contains(*hex) && rules.may_stand(unit, *hex));
        if let Some(hex) = open.min_by_key(|hex| (worth(*hex), hex.index())) {
            taken.insert(hex);
            out.push((unit, hex));
        }
    }
    out
}

/// Where the scenario puts a unit.
fn home(rules: &Panzer, unit: UnitId) -> Option<HexId> {
    match &rules.def(unit).start {
        Start::At { hex, .. } => rules.field.find(hex),
        Start::Enters { .. } => None,
    }
}

/// Where a side may be expected: in its set-up area, else where the scenario lists its units.
fn expected(rules: &Panzer, side: Side) -> HexSet {
    let zone = rules.zones[side.index()];
    if !zone.is_empty() {
        return zone;
    }
    rules.units_of(side).iter().filter_map(|unit| home(rules, *unit)).collect()
}
