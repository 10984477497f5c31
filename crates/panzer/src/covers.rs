//! Which legal decisions a listed option stands for ([`kernel::Rules::covers`]).
//!
//! Everything that a side may decide is listed, or is a variant of something that is: another way to the same end, other parts in
//! the sheet of a fire, a call or an assault. Five families are wider than their listed members, because a list of all would have
//! no end that helps anybody; each says so below.

use hexgrid::{Direction, HexId};

use crate::{
    action::{Action, Move, Part},
    air::Arms,
    rules::Panzer,
    state::State,
};

pub fn covers(rules: &Panzer, s: &State, listed: &Action, action: &Action) -> bool {
    if listed == action {
        return true;
    }
    match (listed, action) {
        // 2.0: a unit is put down and turned in one.
        (Action::Place { unit, hex, .. }, Action::Place { unit: other, hex: there, .. }) => {
            (unit, hex) == (other, there)
        }
        // 4.4.1, 5.14: the sheet of a fire at a target takes every weapon, and further targets of those who fire.
        (Action::Fire { target, .. }, Action::Fire { target: other, .. }) => target == other,
        // 6.6.1: so does that of an assault take every attacker.
        (Action::Assault { target, .. }, Action::Assault { target: other, .. }) => target == other,
        (Action::Demolish { hex, .. }, Action::Demolish { hex: other, .. }) => hex == other,
        // 6.5.1.7, 6.5.1.8: sources, shells and sheaf are chosen in the sheet of a call.
        (Action::Call(one), Action::Call(other)) => {
            (one.observer, one.adjusts, one.point) == (other.observer, other.adjusts, other.point)
        }
        (Action::Mission { id, .. }, Action::Mission { id: other, .. }) => id == other,
        // 6.2.1.1.3: the player marks the units that share a Command on the map, beginning with one that is given it.
        (Action::Share { units, command }, Action::Share { units: others, command: other }) => {
            command == other && units.iter().any(|unit| others.contains(unit))
        }
        (Action::Command { unit, command }, Action::Share { units, command: other }) => {
            command == other && units.contains(*unit)
        }
        // Any number of those who are listed together.
        (Action::Occupy(all), Action::Occupy(some)) => some.iter().all(|unit| all.contains(unit)),
        (Action::Overruns { target, units }, Action::Overruns { target: same, units: some }) => {
            target == same && some.iter().all(|unit| units.contains(unit))
        }
        // 6.7.4: those who are listed one by one fire together.
        (Action::Aa(one), Action::Aa(several)) => one.iter().all(|unit| several.contains(unit)),
        // 6.5.2.1: each listed vehicle takes one of the further hits.
        (Action::Spread(one), Action::Spread(several)) => {
            one.len() == 1 && one.iter().all(|unit| several.contains(unit))
        }
        // 6.8.1, 6.8.2: options that would change nothing are not listed.
        (Action::Pivot { unit, .. }, Action::Pivot { unit: other, .. })
        | (Action::Cover { unit, .. }, Action::Cover { unit: other, .. }) => unit == other,
        (Action::Load { craft, .. }, Action::Load { craft: other, .. }) => craft == other,
        (
            Action::DismountAssault { unit, hex, target, .. },
            Action::DismountAssault { unit: other, hex: there, target: same, .. },
        ) => (unit, hex, target) == (other, there, same),
        // Wider than what is listed: 6.1.4.3.10: smoke into any hex in sight, of which those near enemies are listed;
        (Action::Smoke { unit, .. }, Action::Smoke { unit: other, .. }) => unit == other,
        // 6.5.1.11.1, 6.5.1.4: any plan and any point, of which a few near objectives and enemies are;
        (Action::Plot(one), Action::Plot(other)) => one.battery == other.battery,
        (Action::Register { battery, .. }, Action::Register { battery: other, .. }) => battery == other,
        // 6.7.2: any way onto the map, of which those with an enemy ahead are;
        (Action::Fly(one), Action::Fly(other)) => one.craft == other.craft,
        // 6.7.3.3: an aircraft that cannot dive bombs in level flight in any case.
        (Action::AirAttack { arms: Arms::Bombs, .. }, Action::AirAttack { arms: Arms::Bombs, .. }) => {
            !rules.may_dive(s)
        }
        // 6.7.3.1.1: another target than the one under acquisition.
        (Action::FlyOn, Action::FlyTo(_)) => true,
        (Action::FlyOn, Action::Acquire(_)) => s.air.flight.target.some().is_some(),
        // A move to where the unit stands is none.
        (Action::Stay { unit }, Action::Go(go)) => {
            let u = s.unit(go.unit);
            *unit == go.unit && (u.hex, u.facing) == (go.to, go.facing)
        }
        (listed, Action::Move(order)) => covers_move(rules, s, listed, order),
        _ => false,
    }
}

/// One way to each end is listed. What is done on the way besides going and turning is added to a listed move of the unit.
fn covers_move(rules: &Panzer, s: &State, listed: &Action, order: &Move) -> bool {
    let (unit, along, entry, end) = match listed {
        Action::Go(go) => (go.unit, go.along, go.entry, Some((go.to, go.facing))),
        Action::Stay { unit } => (*unit, order.along, order.entry, start(rules, s, order)),
        Action::Move(other) => (other.unit, other.along, other.entry, None),
        _ => return false,
    };
    if unit != order.unit || entry != order.entry {
        return false;
    }
    let plain = order.plan.iter().all(|part| matches!(part, Part::Turn(_) | Part::Forward | Part::Back));
    if plain { along == order.along && end.is_some() && end == ends(rules, s, order) } else { true }
}

/// Where a move begins.
fn start(rules: &Panzer, s: &State, order: &Move) -> Option<(HexId, Direction)> {
    let at = rules.start(s, order.unit, order.along, order.entry).ok()?;
    Some((at.hex, at.facing))
}

/// Where a move that only goes and turns ends.
fn ends(rules: &Panzer, s: &State, order: &Move) -> Option<(HexId, Direction)> {
    let (mut hex, mut facing) = start(rules, s, order)?;
    for part in order.plan.iter() {
        match part {
            Part::Turn(to) => facing = to,
            part => hex = rules.field.neighbour(hex, part.through(facing)?)?,
        }
    }
    Some((hex, facing))
}
