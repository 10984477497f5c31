//! What simulations count, and the historical results to compare with.

use std::sync::OnceLock;

use hexgrid::{HexId, HexSet};
use kernel::{
    Message, StudyInfo, Survey,
    survey::{Aim, Figure, Goal, Mark, Tally},
};
use serde::Deserialize;

use crate::{
    flags::Flags,
    pack::{Side, Turn},
    place::Place,
    play::seat,
    rules::Ardennes,
    setup,
    state::{BridgeIs, State},
};

const FILE: &str = include_str!("../../../packs/ardennes44/study.toml");

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    tallies: Vec<String>,
    marks: Vec<String>,
    goal: Vec<GoalDef>,
    #[serde(default)]
    aim: Vec<AimDef>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalDef {
    id: String,
    /// The event: all of these hexes under German control.
    #[serde(default)]
    hexes: Vec<String>,
    /// The event: any hex with such a hexside under German control.
    #[serde(default)]
    hexside: Option<String>,
    #[serde(default)]
    history: Option<u16>,
}

/// What many campaigns between equal players should show; the figures are explained in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AimDef {
    figure: AimOf,
    /// The key of the victory condition, the goal or the tally.
    #[serde(default)]
    of: String,
    #[serde(default)]
    least: Option<f64>,
    #[serde(default)]
    most: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AimOf {
    GermanWins,
    EndedBy,
    EndedByFromTurn,
    Taken,
    TakenFromTurn,
    TakenUnattacked,
    FirstTurn,
}

impl AimDef {
    fn aim(&self) -> Aim {
        let (of, german) = (self.of.clone(), seat(Side::German));
        let figure = match self.figure {
            AimOf::GermanWins => Figure::Won(german),
            AimOf::EndedBy => Figure::Ended(of),
            AimOf::EndedByFromTurn => Figure::EndedFrom(of),
            AimOf::Taken => Figure::Met(of),
            AimOf::TakenFromTurn => Figure::MetFrom(of),
            AimOf::TakenUnattacked => Figure::Unattacked(german),
            AimOf::FirstTurn => Figure::FirstTurn(of, german),
        };
        Aim { figure, least: self.least, most: self.most }
    }
}

fn pack() -> &'static Pack {
    static PACK: OnceLock<Pack> = OnceLock::new();
    // The file is embedded in the program and checked by a test; without goals a study still works.
    PACK.get_or_init(|| toml::from_str(FILE).unwrap_or_default())
}

/// What reports show of this game. `whole`: the scenario is the campaign, to which the aims apply.
pub fn info(turns: &[Turn], whole: bool) -> StudyInfo {
    let pack = pack();
    let goals = pack.goal.iter().map(|goal| Goal {
        id: goal.id.clone(),
        seat: seat(Side::German),
        history: goal.history,
    });
    let name = |t: &Turn| {
        let half = if t.pm { "turn.pm" } else { "turn.am" };
        (u16::from(t.turn), Message::new("turn.name").number("day", t.day).term("time", half))
    };
    let day = |t: &Turn| (u16::from(t.turn), Message::new("study.day").number("day", t.day));
    StudyInfo {
        tallies: pack.tallies.clone(),
        marks: pack.marks.clone(),
        goals: goals.collect(),
        turns: turns.iter().map(name).collect(),
        // A picture for every day: after its PM turn.
        pictures: turns.iter().filter(|t| t.pm).map(day).collect(),
        aims: pack.aim.iter().filter(|_| whole).map(AimDef::aim).collect(),
    }
}

pub fn survey(rules: &Ardennes, s: &State) -> Survey {
    let start = setup::start(rules);
    let mut tallies = Vec::new();
    for side in Side::ALL {
        let mut tally = |key: &str, value: i64| {
            tallies.push(Tally { key: key.to_owned(), seat: seat(side), value });
        };
        let lost = |s: &State| steps_lost(rules, &start, s, side);
        tally("steps_lost", lost(s) - lost(&start));
        let sites = rules.land.victory.iter().filter(|site| s.control(site.hex) == side);
        tally("victory_hexes", sites.count() as i64);
        let oos = rules.on_map(s, side).filter(|unit| s.unit(*unit).is(Flags::OOS));
        tally("out_of_supply", oos.count() as i64);
    }
    let ground = german_ground(rules, &start, s);
    let blown = |index: &usize| matches!(s.bridge(*index).is(), BridgeIs::Blown);
    let mut marks: Vec<Mark> = (0..rules.land.bridges.len())
        .filter(blown)
        .map(|index| {
            let [a, b] = rules.land.bridges[index];
            Mark { kind: "blown_bridge".to_owned(), at: format!("{}/{}", rules.label(a), rules.label(b)) }
        })
        .collect();
    let blown = marks.len() as i64;
    // Victory Hexes by controlling side: studies report when they change hands.
    let sites =
        rules.land.victory.iter().map(|site| site.hex).filter(|hex| rules.land.in_play.contains(*hex));
    marks.extend(sites.map(|hex| {
        let kind = format!("town_{}", seat(s.control(hex)).0);
        Mark { kind, at: rules.label(hex).to_owned() }
    }));
    // It belongs to neither side: it is counted once, for the side whose engineers blow bridges (7.2).
    tallies.push(Tally { key: "bridges_blown".to_owned(), seat: seat(Side::Allied), value: blown });
    Survey {
        turn: s.turn.into(),
        tallies,
        held: rules
            .land
            .in_play
            .iter()
            .map(|hex| (rules.label(hex).to_owned(), seat(s.control(hex))))
            .collect(),
        marks,
        goals: pack()
            .goal
            .iter()
            .filter(|goal| met(rules, &ground, goal))
            .map(|goal| goal.id.clone())
            .collect(),
    }
}

/// Steps that are no longer in play, of units in the scenario. Breakdown units and Remnants are steps of the units they
/// came from.
fn steps_lost(rules: &Ardennes, start: &State, s: &State, side: Side) -> i64 {
    let mut lost = 0;
    for unit in rules.units_of(side) {
        let counter = rules.counter(unit);
        let full = i64::from(counter.sides);
        let stands_in = counter.breakdown_counter || counter.remnant_counter;
        match s.unit(unit).place() {
            Place::Hex(_) | Place::Box(_) | Place::Blocking(_) | Place::Antwerp | Place::Exited => {
                let left = i64::from(rules.steps(s, unit));
                lost += if stands_in { -left } else { full - left };
            }
            _ if stands_in => {}
            // 26.1: a Remnant stands in for a unit in the pool.
            Place::Dead | Place::Pool => lost += full,
            // 23.7, unless it was never in this game.
            Place::Gone if start.unit(unit).place() != Place::Gone => lost += full,
            _ => {}
        }
    }
    lost
}

/// German territory connected to the start line: paratroopers' hex behind the Meuse does not count as reaching the
/// Meuse.
fn german_ground(rules: &Ardennes, start: &State, s: &State) -> HexSet {
    let german = |state: &State, hex: HexId| state.control(hex) == Side::German;
    let home = rules.land.in_play.iter().filter(|hex| german(start, *hex) && german(s, *hex));
    let mut ground: HexSet = home.collect();
    let mut edge: Vec<HexId> = ground.iter().collect();
    while let Some(hex) = edge.pop() {
        for near in rules.land.neighbours(hex) {
            if german(s, near) && !ground.contains(near) {
                ground.insert(near);
                edge.push(near);
            }
        }
    }
    ground
}

fn met(rules: &Ardennes, german: &HexSet, goal: &GoalDef) -> bool {
    if let Some(kind) = goal.hexside.as_deref().and_then(|kind| rules.map.hexside_id(kind)) {
        let bank = |hex: HexId| {
            let mut sides = hexgrid::Direction::ALL.into_iter().map(|d| rules.map.side_toward(hex, d));
            sides.any(|side| side.kinds.contains(kind))
        };
        return german.iter().any(bank);
    }
    let hexes: Vec<HexId> = goal.hexes.iter().filter_map(|hex| rules.map.board.find(hex).ok()).collect();
    !hexes.is_empty() && hexes.iter().all(|hex| german.contains(*hex))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pack_names_hexes_of_the_map_and_turns_of_the_track() {
        let file: Pack = toml::from_str(FILE).expect("the shipped file is good");
        let game = crate::game::Ardennes44::new().expect("the shipped pack is good");
        for goal in &file.goal {
            assert!(goal.hexes.is_empty() == goal.hexside.is_some(), "{}", goal.id);
            for hex in &goal.hexes {
                assert!(game.map().board.find(hex).is_ok(), "{}: {hex}", goal.id);
            }
            assert!(goal.hexside.as_ref().is_none_or(|kind| game.map().hexside_id(kind).is_some()));
            let known = |turn: u16| game.pack().turns.iter().any(|t| u16::from(t.turn) == turn);
            assert!(goal.history.is_none_or(known), "{}", goal.id);
        }
    }
}
