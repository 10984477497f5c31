//! Checks that a pack is playable and agrees with the stated facts.
//!
//! The loader already refuses what cannot be resolved. These checks find data that can be written but is wrong: a
//! two-step tank with the defense factor of a one-step tank (8.2), an overstacked hex, a regiment without a legal
//! entry.

use std::collections::BTreeMap;
use std::fmt;

use super::ids::{Edition, HexRef, Side, UnitId};
use super::scenario::{Placement, Scenario};
use super::tables::Stacking;
use super::unit::{ArrivalBy, DefenseMark, Nation, Role, Start, Symbol, Tag, UnitDef, UnitType};
use super::world::VictoryKind;
use super::{Pack, facts};

/// Severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Contradicts the printed counter mix or a stated fact, but is playable.
    Warning,
    /// The rules cannot be followed.
    Error,
}

/// Something wrong with a pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub severity: Severity,
    /// E.g. `unit de-2pz-304-pzg`.
    pub item: String,
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{word}: {}: {}", self.item, self.message)
    }
}

/// Collects findings about one item after another.
pub(super) struct Findings {
    pub list: Vec<Finding>,
}

impl Findings {
    pub fn error(&mut self, item: impl Into<String>, message: impl Into<String>) {
        let (item, message) = (item.into(), message.into());
        self.list.push(Finding { severity: Severity::Error, item, message });
    }

    pub fn warn(&mut self, item: impl Into<String>, message: impl Into<String>) {
        let (item, message) = (item.into(), message.into());
        self.list.push(Finding { severity: Severity::Warning, item, message });
    }

    fn need(&mut self, holds: bool, item: &str, message: &str) {
        if !holds {
            self.error(item, message);
        }
    }
}

/// Checks everything that does not need the map; empty if there are no findings.
pub fn check(pack: &Pack) -> Vec<Finding> {
    let mut found = Findings { list: Vec::new() };
    for unit in pack.units.iter().filter(|u| u.role == Role::Combat) {
        check_unit(pack, unit, &mut found);
    }
    check_labels(pack, &mut found);
    check_formations(pack, &mut found);
    check_places(pack, &mut found);
    check_turns(pack, &mut found);
    for scenario in &pack.scenarios {
        check_scenario(pack, scenario, &mut found);
    }
    facts::check(pack, &mut found);
    found.list
}

fn check_unit(pack: &Pack, unit: &UnitDef, found: &mut Findings) {
    let item = format!("unit {}", unit.id);
    let mut need = |holds: bool, message: &str| found.need(holds, &item, message);
    let category = unit.category;

    // Steps and sides (16.4).
    let large = unit.reduced.is_some_and(|r| r.stacking >= 2);
    match unit.steps {
        1 => need(unit.reduced.is_none(), "one step, yet a reduced side"),
        2 => need(unit.reduced.is_some(), "two steps need a reduced side"),
        3 => need(unit.remnant.is_some(), "three steps need a Remnant (16.4)"),
        _ => need(false, "steps must be 1, 2 or 3"),
    }
    need(large == unit.remnant.is_some(), "a Remnant goes with 2 SP on the reduced side (16.4)");
    need(large == (unit.steps == 3), "2 SP on the reduced side make three steps (16.4)");
    if let Some(back) = unit.reduced {
        let front = unit.front;
        need(
            back.attack <= front.attack && back.defense <= front.defense,
            "the reduced side is stronger than the front",
        );
        need(back.stacking <= front.stacking, "the reduced side has more stacking points");
    }

    // Stacking points and tanks (8.2).
    let pointless = unit.is_silhouette() || category.artillery;
    need(pointless == (unit.front.stacking == 0), "silhouettes and artillery, only they, have 0 SP (8.2)");
    need(unit.front.stacking <= 3, "no unit has more than 3 stacking points (8.1)");
    if unit.is_silhouette() {
        let range = if unit.steps == 2 { 3..=4 } else { 1..=2 };
        need(
            range.contains(&unit.front.defense),
            "two-step tanks have DF 3 or 4, one-step tanks 1 or 2 (8.2)",
        );
        need(unit.steps <= 2, "tank battalions have one or two steps (8.2)");
    }
    let rated = category.tank || unit.unit_type == UnitType::Flak;
    need(rated == unit.tq.is_some(), "tanks and FLAK, only they, have a TQ (2.9)");
    if unit.unit_type == UnitType::Flak {
        need(unit.tq.is_some_and(|tq| tq.red), "FLAK has a red TQ (21.2)");
    }

    // Artillery (22.5, 22.9).
    if category.artillery {
        need(unit.steps == 1, "artillery has one step (22.5)");
        need(unit.defense_mark == DefenseMark::Parentheses, "artillery gets no DCB (22.9)");
        need(unit.front.attack == 0, "artillery does not attack (22.9)");
        need(unit.front.movement <= 1, "Ready artillery moves one hex at most (22.2)");
    }

    // Replacements (25.25).
    let never = category.artillery
        || (unit.side == Side::German && category.tank && unit.tank_quality(false) >= 5)
        || [Tag::BlackBoxAttack, Tag::VonDerHeydte, Tag::Brigade150, Tag::Airborne]
            .iter()
            .any(|&tag| unit.tags.has(tag))
        || (unit.side == Side::Allied && matches!(unit.symbol, Symbol::Parachute | Symbol::Glider))
        || unit.nation == Nation::British;
    need(!(never && unit.replaceable), "never replaced (25.25)");

    // Remnant and Breakdown pools (16.4, 26.1).
    for (pool, remnant) in [(unit.remnant, true), (unit.breakdown, false)] {
        let Some(pool) = pool else { continue };
        let def = &pack.pools[pool.index()];
        need(def.side == unit.side, "its pool is the enemy's");
        need(def.remnant == remnant, "its pool is of the wrong kind");
        let counter = pack.unit(def.first);
        need(!remnant || counter.category == unit.category, "a Remnant must be of the unit's type (16.4)");
    }
    need(unit.breakdown.is_none() || unit.reduced.is_some(), "only a unit with two sides breaks down (26.1)");

    check_start(pack, unit, &item, found);
}

fn check_start(pack: &Pack, unit: &UnitDef, item: &str, found: &mut Findings) {
    match &unit.start {
        Start::Hex { .. } => {
            found.need(unit.side == Side::Allied, item, "German units set up in areas (31.1)");
        }
        Start::Area { areas, default_hex, code } => {
            found.need(unit.side == Side::German, item, "Allied units set up in hexes (31.1)");
            let inside = areas.iter().any(|a| pack.areas[a.index()].hexes.contains(default_hex));
            found.need(inside, item, &format!("{default_hex} is outside its area (31.1)"));
            let closed = *code == super::SetupCode::Red
                && areas.iter().any(|a| pack.areas[a.index()].closed_to_red.contains(default_hex));
            found.need(!closed, item, "red-coded units may not set up there (31.1)");
            let army = areas.iter().all(|a| Some(pack.areas[a.index()].army) == unit.army);
            found.need(army, item, "its set-up area belongs to another army");
        }
        Start::Arrival(arrival) => {
            found.need(
                (2..=pack.turns.len()).contains(&usize::from(arrival.turn)),
                item,
                "arrives on no turn of the track",
            );
            let own = |set: super::EntrySet| {
                set.iter().all(|e| pack.entries.get(e.index()).is_some_and(|e| e.side == unit.side))
            };
            let legal = match arrival.by {
                ArrivalBy::Entry(set) | ArrivalBy::Roll(set) => !set.is_empty() && own(set),
                ArrivalBy::TownOrCity => unit.tags.has(Tag::Engineer) && unit.side == Side::Allied,
                ArrivalBy::Drop => unit.tags.has(Tag::VonDerHeydte),
                ArrivalBy::OffMapBox(_) => unit.side == Side::Allied,
            };
            found.need(legal, item, "has no legal way to arrive (13.1)");
        }
        Start::Pool => found.error(item, "only pool counters wait in a pool"),
    }
}

fn check_labels(pack: &Pack, found: &mut Findings) {
    let mut seen: BTreeMap<(&str, Side), &str> = BTreeMap::new();
    for unit in pack.units.iter().filter(|u| u.role == Role::Combat) {
        if let Some(other) = seen.insert((&unit.label, unit.side), &unit.id) {
            let message = format!("has the same label as {other}");
            found.error(format!("unit {}", unit.id), message);
        }
    }
}

fn check_formations(pack: &Pack, found: &mut Findings) {
    for formation in &pack.formations {
        let item = format!("formation {}", formation.id);
        found.need(!formation.units.is_empty(), &item, "has no units");
        for &id in &formation.units {
            let unit = pack.unit(id);
            found.need(unit.side == formation.side, &item, "has a unit of the other side");
            found.need(unit.colour == formation.colour, &item, "has units of two colours (2.11)");
            found.need(unit.army == formation.army, &item, "has units of two armies (2.11)");
        }
    }
    for unit in pack.units.iter().filter(|u| u.role == Role::Combat) {
        if let (Some(formation), Some(_)) = (unit.formation, unit.optional) {
            let whole = pack
                .formation(formation)
                .units
                .iter()
                .all(|&other| pack.unit(other).optional == unit.optional);
            found.need(whole, &format!("unit {}", unit.id), "only part of its formation is optional");
        }
    }
    for group in &pack.optional_groups {
        let item = format!("optional {}", group.id);
        found.need(!group.units.is_empty(), &item, "has no units");
        let own = group.units.iter().all(|&u| pack.unit(u).side == group.side);
        found.need(own, &item, "has units of the other side");
    }
}

fn check_places(pack: &Pack, found: &mut Findings) {
    let letters: String = pack.entries.iter().map(|e| e.letter).collect();
    found.need(letters == "ABCDEFGHIJKLM", "entries", "must be A to M in order");
    for (i, one) in pack.boxes.iter().enumerate() {
        let mutual = one
            .adjacent
            .iter()
            .all(|other| pack.boxes[other.index()].adjacent.iter().any(|back| back.index() == i));
        found.need(mutual, &format!("box {}", one.id), "adjacency must be mutual (13.5)");
        found.need(!one.entries.is_empty(), &format!("box {}", one.id), "has no Entry Hex");
    }
    let count = |kind| pack.victory_hexes.iter().filter(|v| v.kind == kind).count();
    let west = pack.victory_hexes.iter().filter(|v| !v.hex.is_east()).count();
    let east = pack.victory_hexes.len() - west;
    let first = &pack.tables(Edition::First).victory;
    found.need(count(VictoryKind::Liege) == 4, "victory_hex", "Liège has four hexes (30.2)");
    found.need(count(VictoryKind::Meuse) == 6, "victory_hex", "six Meuse towns are named (30.2)");
    found.need(count(VictoryKind::Bastogne) == 2, "victory_hex", "Bastogne has two hexes (31.5)");
    let enough = west >= usize::from(first.west_map_hexes) && east >= usize::from(first.east_points);
    found.need(enough, "victory_hex", "fewer than a victory condition asks for (1E 30.2)");
    let mut owner: BTreeMap<HexRef, usize> = BTreeMap::new();
    for (i, area) in pack.areas.iter().enumerate() {
        let item = format!("area {}", pack.formation(area.formation).id);
        found.need(!area.hexes.is_empty(), &item, "has no hexes");
        for &hex in &area.hexes {
            if let Some(&other) = owner.get(&hex)
                && pack.areas[other].corps != area.corps
            {
                found.error(&item, format!("{hex} belongs to an area of another corps too"));
            }
            owner.insert(hex, i);
        }
    }
}

fn check_turns(pack: &Pack, found: &mut Findings) {
    found.need(pack.turns.len() == 30, "turns", "the track has 30 turns (31.5)");
    for turn in &pack.turns {
        let item = format!("turn {}", turn.turn);
        let day = 16 + (turn.turn - 1) / 2;
        found.need(turn.day == day && turn.pm == (turn.turn % 2 == 0), &item, "is on another half-day (4)");
        for (side, steps) in Side::ALL.into_iter().zip(turn.replacements) {
            let message = format!("the {side} side receives no replacement that night");
            found.need(!turn.pm || steps > 0, &item, &message);
        }
    }
    let last_greif = pack.turns.iter().filter(|t| t.greif_removed > 0).count();
    found.need(last_greif == 6, "turns", "six Greif markers leave the game (24.6)");
}

/// The units in one hex.
#[derive(Default)]
struct Stack<'a> {
    points: u8,
    silhouette_steps: u8,
    artillery: u8,
    units: Vec<&'a UnitDef>,
}

fn stacks<'a>(pack: &'a Pack, placements: &[Placement]) -> BTreeMap<(HexRef, Side), Stack<'a>> {
    let mut stacks: BTreeMap<(HexRef, Side), Stack<'a>> = BTreeMap::new();
    for placed in placements {
        let unit = pack.unit(placed.unit);
        let stack = stacks.entry((placed.hex, unit.side)).or_default();
        stack.points += unit.factors(Edition::Second, placed.reduced).stacking;
        stack.units.push(unit);
        if unit.is_silhouette() {
            stack.silhouette_steps += unit.steps - u8::from(placed.reduced);
        }
        stack.artillery += u8::from(unit.category.artillery);
    }
    stacks
}

/// Whether a stack exceeds the 2nd edition's limits (8.1).
fn over(stack: &Stack<'_>, limit: &Stacking) -> bool {
    stack.points > limit.points
        || stack.silhouette_steps > limit.silhouette_steps
        || stack.artillery > limit.artillery
}

/// Whether a stack exceeds the 1st edition's limits: two units, with three exceptions (1E 8.2).
fn over_1e(stack: &Stack<'_>, limit: &Stacking) -> bool {
    let units = &stack.units;
    let count = units.len() as u8;
    if stack.points > limit.points {
        return true;
    }
    if count <= limit.units {
        return false;
    }
    let defense: u8 = units.iter().map(|u| u.front.defense).sum();
    let battle_group =
        count <= limit.battle_group_units && defense <= limit.battle_group_defense && stack.artillery == 0;
    let one_division = units.windows(2).all(|pair| pair[0].formation == pair[1].formation)
        && units.iter().all(|u| u.formation.is_some());
    let silhouettes = units.iter().filter(|u| u.is_silhouette()).count();
    // Two silhouettes with a unit of their division, or two others with one silhouette.
    let others: Vec<_> = units.iter().filter(|u| !u.is_silhouette()).collect();
    let pair_and_tank = silhouettes == 1
        && others.len() == 2
        && others[0].formation.is_some()
        && others[0].formation == others[1].formation;
    let tanks_and_unit = silhouettes == 2 && others.len() == 1 && one_division;
    !(battle_group || pair_and_tank || tanks_and_unit)
}

fn check_scenario(pack: &Pack, scenario: &Scenario, found: &mut Findings) {
    let item = format!("scenario {}", scenario.id);
    let turns = scenario.first_turn..=scenario.last_turn;
    found.need(
        scenario.first_turn >= 1
            && scenario.first_turn <= scenario.last_turn
            && usize::from(scenario.last_turn) <= pack.turns.len(),
        &item,
        "its turns are not on the track",
    );
    let stacks = stacks(pack, &scenario.placements);
    for ((hex, side), stack) in &stacks {
        if over(stack, &pack.tables(Edition::Second).stacking) {
            found.error(&item, format!("{side} {hex} is overstacked (8.1)"));
        }
        if scenario.editions.contains(&Edition::First)
            && over_1e(stack, &pack.tables(Edition::First).stacking)
        {
            found.error(&item, format!("{side} {hex} is overstacked in the 1st edition (1E 8.2)"));
        }
        if *side == Side::German && stacks.contains_key(&(*hex, Side::Allied)) {
            found.error(&item, format!("both sides stand in {hex}"));
        }
    }

    let mut fate: BTreeMap<UnitId, u8> = BTreeMap::new();
    for &unit in scenario.placements.iter().map(|p| &p.unit).chain(&scenario.dead).chain(&scenario.removed) {
        *fate.entry(unit).or_default() += 1;
    }
    for (&unit, &times) in &fate {
        let id = &pack.unit(unit).id;
        found.need(times == 1, &item, &format!("{id} stands in two places"));
    }
    for (i, unit) in pack.units.iter().enumerate() {
        let known = fate.contains_key(&UnitId(i as u16));
        let by_die = matches!(unit.arrival(), Some(a) if matches!(a.by, ArrivalBy::Roll(_)));
        let due = match &unit.start {
            Start::Hex { .. } | Start::Area { .. } => true,
            Start::Arrival(a) => a.turn < scenario.first_turn && unit.optional.is_none() && !by_die,
            Start::Pool => false,
        };
        let pool = unit.role != Role::Combat;
        if due && !known && scenario.part.is_none() {
            found.warn(&item, format!("{} is missing", unit.id));
        }
        found.need(!known || due || pool, &item, &format!("{} is there too early", unit.id));
    }
    for placed in &scenario.placements {
        let unit = pack.unit(placed.unit);
        let name = &unit.id;
        found.need(!placed.reduced || unit.reduced.is_some(), &item, &format!("{name} has no reduced side"));
        found.need(!placed.fired || unit.category.artillery, &item, &format!("{name} is no artillery"));
        let fired = scenario.german_artillery_fired && unit.side == Side::German;
        found.need(
            !(fired && unit.category.artillery) || placed.fired,
            &item,
            &format!("{name} must start Fired (31.4)"),
        );
        found.need(
            (unit.role == Role::Combat) == placed.parent.is_none(),
            &item,
            &format!("{name}: Breakdown units, and only they, have a parent"),
        );
        if let Some(parent) = placed.parent {
            let parent = scenario.placements.iter().find(|p| p.unit == parent);
            found.need(
                parent.is_some_and(|p| p.reduced),
                &item,
                &format!("{name}: its parent must be there, reduced (26.1)"),
            );
        }
        if scenario.maps == super::Maps::East {
            found.need(placed.hex.is_east(), &item, &format!("{name} is not on the East map"));
        }
        let inside = scenario.part.as_ref().is_none_or(|part| part.contains(placed.hex));
        found.need(inside, &item, &format!("{name} is not on the part of the map in play"));
    }
    if let Some(part) = &scenario.part {
        for hex in part.sources.iter().flatten().chain(&part.objectives) {
            found.need(part.contains(*hex), &item, &format!("{hex} is not on the part of the map in play"));
        }
        let supplied = part.sources.iter().all(|sources| !sources.is_empty());
        found.need(supplied, &item, "each side needs a supply source (23.3)");
    }
    for hex in &scenario.german_control {
        let held = stacks.contains_key(&(*hex, Side::Allied));
        found.need(!held, &item, &format!("the Allies stand in {hex}, which cannot be German"));
    }
    for group in &scenario.isolated {
        found.need(!group.units.is_empty(), &item, &format!("{} has no units", group.name));
    }
    if let Some(airborne) = scenario.airborne {
        let regiments = pack.units.iter().filter(|u| u.tags.has(Tag::Airborne)).count();
        found.need(turns.contains(&airborne.turn), &item, "the airborne turn is not played (31.2)");
        found.need(
            regiments == usize::from(airborne.strategic_markers),
            &item,
            "one SM marker for each airborne regiment (31.2)",
        );
    }
    let greif: Vec<u8> = (1..=6)
        .filter(|n| pack.turns.iter().all(|t| t.greif_removed != *n || t.turn >= scenario.first_turn))
        .collect();
    let right = if scenario.traffic { greif == scenario.greif_left } else { scenario.greif_left.is_empty() };
    found.need(right, &item, "other Greif markers have left by then (24.6)");
}
