//! How to win (30, 31).

use kernel::Stop;
use smallvec::SmallVec;

use crate::{
    event::Event,
    flags::Flags,
    pack::{Maps, Side, VictoryKind, VictoryRule},
    play::Play,
    rules::Ardennes,
    state::{Condition, Ending, State},
    supply::{self, Roads},
    terrain::VictorySite,
};

/// 30.1: the Victory Check Phase, and the end of the scenario.
pub fn check(play: &mut Play) -> Result<(), Stop> {
    let tally = Tally::of(play.rules, play.s);
    let numbers = &play.rules.tables().victory;
    // 30.3: counted in consecutive checks.
    play.s.areas_checks =
        if tally.german_areas >= numbers.allied_areas { play.s.areas_checks.saturating_add(1) } else { 0 };
    if let Some(ending) = decided(play.rules, play.s, &tally) {
        play.s.ending = Some(ending);
        play.tell(Event::Over(ending));
    }
    Ok(())
}

/// What currently counts for victory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Victory Hexes under German control (30.1).
    pub liege: u8,
    pub meuse: u8,
    pub west_map: u8,
    pub all: u8,
    /// Points of those on the East map (1E 30.2).
    pub east_points: u8,
    /// Attack factors that exited the map, and whether a supply line reaches an exit that they may use (30.2 A, 31.2).
    pub exited: u16,
    pub exit_supplied: bool,
    /// German set-up areas with an Allied unit in supply (30.3).
    pub german_areas: u8,
}

impl Tally {
    pub fn of(rules: &Ardennes, s: &State) -> Tally {
        let on_german_roads = |roads: &mut Roads| Tally::along(rules, s, roads);
        supply::with_roads(rules, s, Side::German, on_german_roads)
    }

    fn along(rules: &Ardennes, s: &State, roads: &mut Roads) -> Tally {
        let mut tally = Tally { exited: s.exited_attack, ..Tally::default() };
        for site in &rules.land.victory {
            if !holds(rules, s, site, roads) {
                continue;
            }
            tally.all += 1;
            tally.liege += u8::from(site.kind == VictoryKind::Liege);
            tally.meuse += u8::from(site.kind == VictoryKind::Meuse);
            if rules.land.west_map.contains(site.hex) {
                tally.west_map += 1;
            } else {
                tally.east_points += site.points;
            }
        }
        // 30.2 A: a road to F or G; 31.2: to a hex by which units have left.
        let any = !matches!(rules.scenario.victory, VictoryRule::Points { .. });
        let counts = |entry: &usize| {
            rules.pack.entries[*entry].antwerp_exit && (any || s.entries_lost >> *entry & 1 == 1)
        };
        let antwerp = (0..rules.pack.entries.len()).filter(counts);
        let mut exits = antwerp
            .filter_map(|entry| rules.land.entries.get(entry).copied().flatten())
            .chain(s.exit_hexes.iter().copied());
        tally.exit_supplied = tally.exited > 0 && exits.any(|hex| roads.lead_home(hex));
        tally.german_areas = german_areas(rules, s);
        tally
    }
}

/// 30.3: the number of German set-up areas that can each be assigned a different Allied combat unit in supply. 1E 30.3: the
/// largest group of adjacent areas that contain one.
fn german_areas(rules: &Ardennes, s: &State) -> u8 {
    let mut taken = 0u32;
    // For each unit: the areas that contain its hex.
    let mut holders: SmallVec<[u32; 32]> = SmallVec::new();
    for hex in &(s.held(Side::Allied) & &rules.land.set_up) {
        let areas = rules.land.areas_of(hex).fold(0u32, |areas, area| areas | 1 << area.0);
        let supplied = s.stack(hex).filter(|unit| !s.unit(*unit).is(Flags::OOS)).count();
        holders.extend(std::iter::repeat_n(areas, supplied));
        if supplied > 0 {
            taken |= areas;
        }
    }
    // 1E 30.3
    if !rules.victory_areas_adjoin() {
        return matched(taken, &holders);
    }
    let mut most = 0;
    while taken != 0 {
        let mut group = taken & taken.wrapping_neg();
        loop {
            let wider = group | taken & adjoining(rules, group);
            if wider == group {
                break;
            }
            group = wider;
        }
        most = most.max(group.count_ones());
        taken &= !group;
    }
    most as u8
}

/// 30.1: does the German side control the Victory Hex, with a road connection? 1E 30.2: on the East map it is enough to
/// have passed through, elsewhere a German unit in supply must be there.
fn holds(rules: &Ardennes, s: &State, site: &VictorySite, roads: &mut Roads) -> bool {
    let hex = site.hex;
    if !rules.victory_without_a_road() {
        return s.control(hex) == Side::German && roads.lead_home(hex);
    }
    let named = matches!(site.kind, VictoryKind::Liege | VictoryKind::Meuse);
    if named || rules.land.west_map.contains(hex) {
        return s.held(Side::German).contains(hex) && s.stack(hex).any(|unit| !s.unit(unit).is(Flags::OOS));
    }
    s.control(hex) == Side::German
}

/// How many areas can be assigned a unit each, with no unit used twice: the size of a maximum matching, found by
/// augmenting paths. A hex may belong to two areas.
fn matched(areas: u32, holders: &[u32]) -> u8 {
    fn find(area: u32, holders: &[u32], serves: &mut [Option<u32>], seen: &mut [bool]) -> bool {
        for unit in 0..holders.len() {
            if holders[unit] & area == 0 || seen[unit] {
                continue;
            }
            seen[unit] = true;
            if serves[unit].is_none_or(|other| find(other, holders, serves, seen)) {
                serves[unit] = Some(area);
                return true;
            }
        }
        false
    }
    let mut serves: SmallVec<[Option<u32>; 32]> = SmallVec::from_elem(None, holders.len());
    let mut seen: SmallVec<[bool; 32]> = SmallVec::from_elem(false, holders.len());
    let wanted = (0..u32::BITS).map(|bit| 1 << bit).filter(|area| areas & area != 0);
    let served = wanted.filter(|area| {
        seen.fill(false);
        find(*area, holders, &mut serves, &mut seen)
    });
    served.count() as u8
}

/// The areas adjacent to one of a group.
fn adjoining(rules: &Ardennes, group: u32) -> u32 {
    let mut touched = 0;
    for (index, area) in rules.land.areas.iter().enumerate() {
        if group >> index & 1 == 0 {
            continue;
        }
        for hex in area {
            for near in rules.land.neighbours(hex).chain([hex]) {
                for other in rules.land.areas_of(near) {
                    touched |= 1 << other.0;
                }
            }
        }
    }
    touched
}

/// Has a side won? 30.3 comes first: it overrides any German victory.
fn decided(rules: &Ardennes, s: &State, tally: &Tally) -> Option<Ending> {
    let numbers = &rules.tables().victory;
    let over = s.turn >= rules.scenario.last_turn;
    let german = |by| Some(Ending { winner: Some(Side::German), by });
    let ending = match rules.scenario.victory {
        // 31.2, 31.3, 31.4
        VictoryRule::Points { needed, per_hex, exit_attack } => {
            let points = points(tally, per_hex, exit_attack);
            if over && points >= u16::from(needed) { german(Condition::Points) } else { None }
        }
        VictoryRule::Campaign | VictoryRule::Extended => {
            if s.areas_checks >= numbers.allied_checks {
                return Some(Ending { winner: Some(Side::Allied), by: Condition::GermanAreas });
            }
            let extended = rules.scenario.victory == VictoryRule::Extended;
            german_condition(rules, tally)
                .or_else(|| (extended && over && bastogne(rules, s, tally)).then_some(Condition::Bastogne))
                .and_then(german)
        }
    };
    ending.or_else(|| over.then_some(Ending { winner: Some(Side::Allied), by: Condition::Prevented }))
}

/// 30.2: the first German condition that is met.
fn german_condition(rules: &Ardennes, tally: &Tally) -> Option<Condition> {
    let numbers = &rules.tables().victory;
    if tally.east_points < numbers.east_points {
        return None; // 1E 30.2
    }
    let conditions = [
        (tally.exited >= numbers.exit_attack && tally.exit_supplied, Condition::Antwerp),
        (tally.liege >= numbers.liege_hexes, Condition::Liege),
        (tally.meuse >= numbers.meuse_hexes, Condition::Meuse),
        (tally.west_map >= numbers.west_map_hexes, Condition::WestMap),
    ];
    conditions.into_iter().find(|(holds, _)| *holds).map(|(_, condition)| condition)
}

/// 31.2: points for Victory Hexes and for units that left by a supplied exit.
pub fn points(tally: &Tally, per_hex: u8, exit_attack: u8) -> u16 {
    let factors = if tally.exit_supplied { tally.exited } else { 0 };
    // S1.3: leaving the map may score nothing.
    let exited = factors.checked_div(exit_attack.into()).unwrap_or(0);
    u16::from(tally.all) * u16::from(per_hex) + exited
}

/// 31.5: Bastogne captured or cut off, and Victory Hexes on the West map.
fn bastogne(rules: &Ardennes, s: &State, tally: &Tally) -> bool {
    if tally.west_map < rules.tables().victory.extended_west_hexes || rules.scenario.maps != Maps::Both {
        return false;
    }
    let allied_left = || rules.land.bastogne.iter().filter(|hex| s.control(*hex) == Side::Allied);
    let roads = supply::road_hexes(rules, s, Side::German);
    let all_german = allied_left().next().is_none()
        && rules.land.bastogne.iter().all(|hex| rules.victory_without_a_road() || roads.contains(hex));
    if all_german {
        return true;
    }
    // 23.6: no Line of Communication from any of its hexes.
    let in_supply = supply::supplied_hexes(rules, s, Side::Allied);
    let supplied = rules
        .on_map(s, Side::Allied)
        .filter_map(|unit| s.unit(unit).hex())
        .filter(|hex| in_supply.contains(*hex))
        .collect();
    let mut reached = supply::overland(rules, s, Side::Allied, &supplied);
    reached.union_with(&in_supply);
    allied_left().next().is_some() && !allied_left().any(|hex| reached.contains(hex))
}
