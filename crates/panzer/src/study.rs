//! What simulations record.

use kernel::{
    StudyInfo, Survey,
    survey::{Goal, Mark, Tally},
};

use crate::{
    pack::{Scenario, Side},
    play::seat,
    rules::Panzer,
    state::{Flags, State},
};

/// The control of an objective by a side as a goal id; its name is the objective's.
fn goal(objective: &str, side: Side) -> String {
    format!("objective.{objective}#{}", side.key())
}

/// What reports show of a scenario: an objective is a goal of each side that does not hold it at the start.
pub fn info(scenario: &Scenario) -> StudyInfo {
    let goals = scenario.objectives.iter().flat_map(|objective| {
        let strives =
            move |side: &Side| objective.held_by != Some(*side) && objective.points[side.index()] > 0;
        let of = |side: Side| Goal { id: goal(&objective.id, side), seat: seat(side), history: None };
        Side::ALL.into_iter().filter(strives).map(of)
    });
    let mut tallies = ["points", "lost", "damaged"].map(str::to_owned).to_vec();
    if scenario.victory.per_exit.iter().any(|points| *points > 0) {
        tallies.push("exited".into());
    }
    StudyInfo {
        tallies,
        marks: ["wreck", "brew_up"].map(str::to_owned).to_vec(),
        goals: goals.collect(),
        ..StudyInfo::default()
    }
}

pub fn survey(rules: &Panzer, s: &State) -> Survey {
    let mut tallies = Vec::new();
    for side in Side::ALL {
        let mine = || rules.units_of(side).iter().map(|unit| (*unit, s.unit(*unit)));
        let mut tally = |key: &str, value: i64| {
            tallies.push(Tally { key: key.to_owned(), seat: seat(side), value });
        };
        tally("points", rules.points(s, side).total().into());
        tally("lost", mine().filter(|(_, u)| u.place.eliminated()).count() as i64);
        tally("damaged", mine().filter(|(_, u)| u.on_map() && u.is(Flags::DAMAGED)).count() as i64);
        tally("exited", mine().filter(|(unit, _)| s.exited.contains(*unit)).count() as i64);
    }
    let label = |hex| rules.field.label(hex).to_owned();
    let here = s.ids().filter(|unit| s.unit(*unit).on_map());
    let wreck = |hex| {
        let kind = if s.smoke.contains(hex) { "brew_up" } else { "wreck" };
        Mark { kind: kind.to_owned(), at: label(hex) }
    };
    let held =
        |(n, objective): (usize, &crate::pack::Objective)| Some(goal(&objective.id, s.control[n].side?));
    Survey {
        turn: s.turn.into(),
        tallies,
        held: here.map(|unit| (label(s.unit(unit).hex), seat(rules.vehicle(unit).side))).collect(),
        marks: s.wrecks.iter().map(wreck).collect(),
        goals: rules.scenario.objectives.iter().enumerate().filter_map(held).collect(),
    }
}
