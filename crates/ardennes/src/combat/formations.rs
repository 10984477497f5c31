//! Command and control (14.3): at most two formations in an attack, each with one attached unit.

use hexgrid::HexId;

use crate::{
    action::MAX_ATTACKERS,
    list::{List, Slot},
    pack::{FormationId, UnitId},
    rules::Ardennes,
    state::State,
};

/// How many formations may take part (14.31).
pub const LIMIT: usize = 2;

/// A formation, or an Independent unit that counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Formation(FormationId),
    Independent(UnitId),
}

impl Slot for Command {
    const EMPTY: Self = Command::Independent(UnitId(u16::MAX));
}

/// 14.31: the formation of a unit. Breakdown units belong to their parent's; Remnants are Independent (16.4).
pub fn command(rules: &Ardennes, s: &State, unit: UnitId) -> Command {
    let counter = rules.counter(unit);
    let parent = s.unit(unit).parent().filter(|_| counter.breakdown_counter);
    let formation = rules.counter(parent.unwrap_or(unit)).formation;
    formation.map_or(Command::Independent(unit), Command::Formation)
}

/// 14.32: does the unit share its hex with a unit of that formation (1E: or with that Independent unit)?
fn stacked_with(rules: &Ardennes, s: &State, unit: UnitId, hex: Option<HexId>, with: Command) -> bool {
    match with {
        Command::Formation(_) => {
            let mate = |u: UnitId| u != unit && command(rules, s, u) == with;
            if let Some(hex) = hex {
                return s.stack(hex).any(mate);
            }
            // 13.8: in the same Blocking Position.
            let place = s.unit(unit).place();
            rules.units_of(rules.counter(unit).side).any(|u| s.unit(u).place() == place && mate(u))
        }
        Command::Independent(other) => {
            rules.stack_is_a_division() && other != unit && s.unit(other).place() == s.unit(unit).place()
        }
    }
}

/// Can these units attack together: two formations, with the others attached to them?
pub fn within_limit(rules: &Ardennes, s: &State, units: &[UnitId]) -> bool {
    let mut commands: List<Command, MAX_ATTACKERS> = List::new();
    for unit in units {
        let command = command(rules, s, *unit);
        if !commands.contains(command) {
            commands.add(command);
        }
    }
    if commands.len() <= LIMIT {
        return true;
    }
    for (i, first) in commands.iter().enumerate() {
        for second in &commands[i + 1..] {
            if attached(rules, s, units, [*first, *second]) {
                return true;
            }
        }
    }
    false
}

/// Are all units outside the two formations attached to one of them?
fn attached(rules: &Ardennes, s: &State, units: &[UnitId], to: [Command; LIMIT]) -> bool {
    let mut others: List<UnitId, MAX_ATTACKERS> = List::new();
    for unit in units {
        if !to.contains(&command(rules, s, *unit)) {
            others.add(*unit);
        }
    }
    let may = |unit: UnitId, at: usize| stacked_with(rules, s, unit, s.unit(unit).hex(), to[at]);
    if rules.stack_is_a_division() {
        // 1E 14.3: a unit that is stacked with a division counts as part of it.
        return others.iter().all(|unit| may(*unit, 0) || may(*unit, 1));
    }
    // 14.32: one unit for each formation.
    match others[..] {
        [] => true,
        [one] => may(one, 0) || may(one, 1),
        [a, b] => may(a, 0) && may(b, 1) || may(a, 1) && may(b, 0),
        _ => false,
    }
}
