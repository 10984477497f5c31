//! The road behind the army. In a scenario that counts places joined by road (S5.4) a German unit that walks onto the road,
//! or next to an empty hex of it, behind the army takes every place beyond. So the last turn's first task is to keep it.

use ::holland::{
    Action, Holland, State,
    frame::Mode,
    movement::EntryHexes,
    pack::{ScenarioVictory, Side},
    state::{Marks, Order, Place},
};
use hexgrid::{HexId, HexSet};
use zocbond::{Piece, UnitId};

use super::{
    guards::defends,
    lore::Kind,
    manoeuvre::{Draft, goes_to},
    sight,
    staff::Staff,
    value,
};

/// The value of a unit that attacks elsewhere, by attack factor, in places from which the road can be cut.
const FACTOR: f32 = 0.05;
/// A unit bars the way to a place from which the road can be cut within this distance of it.
const BARS: u32 = 2;

/// What must stay joined by road until the end.
pub struct Stake<'a> {
    places: &'a [String],
    /// So many places must stay joined.
    wanted: u8,
    /// The road to those that count now, and the hexes beside it: a unit that is in none of these does not cut it.
    along: HexSet,
}

/// The road from the sources to the places that count now, where that matters: on the last turn of the Allies.
pub fn stake<'a>(staff: &'a Staff, s: &State) -> Option<Stake<'a>> {
    let rules = &*staff.rules;
    let ScenarioVictory::Road { hexes, needed } = rules.victory() else { return None };
    if value::turns_left(rules, s, Side::Allied) > 1.0 {
        return None;
    }
    let joined = rules.joined(s, hexes);
    if joined == 0 || joined + 1 < *needed {
        return None;
    }
    let sources = rules.source_hexes(s, Side::Allied);
    let net = rules.by_road(s, Side::Allied, &sources);
    let places = staff.lore.aims.iter().filter(|aim| aim.kind == Kind::Place).flat_map(|aim| &aim.hexes);
    let ours = places.copied().filter(|hex| net.contains(*hex) && s.field.last_holder(*hex) == Side::Allied);
    let road = paths(rules, &net, &sources, &ours.collect::<Vec<_>>());
    let mut along = road;
    along.extend(road.iter().flat_map(|hex| rules.land.topology.neighbours(hex)));
    Some(Stake { places: hexes, wanted: joined.min(*needed), along })
}

/// The shortest ways by road through a net from some hexes to others.
fn paths(rules: &Holland, net: &HexSet, from: &[HexId], to: &[HexId]) -> HexSet {
    let topology = &rules.land.topology;
    let mut before = vec![HexId::NONE; rules.map.board.len()];
    let mut seen: HexSet = from.iter().copied().filter(|hex| net.contains(*hex)).collect();
    let mut queue: Vec<HexId> = seen.iter().collect();
    let mut at = 0;
    while let Some(hex) = queue.get(at).copied() {
        at += 1;
        for next in topology.neighbours(hex) {
            let road =
                topology.direction(hex, next).is_some_and(|d| rules.side_toward(hex, d).road.is_some());
            if road && net.contains(next) && seen.insert(next) {
                before[next.index()] = hex;
                queue.push(next);
            }
        }
    }
    let mut out = HexSet::new();
    for goal in to {
        let mut hex = *goal;
        while hex != HexId::NONE && out.insert(hex) {
            hex = before[hex.index()];
        }
    }
    out
}

/// Where a single German unit could end its next move and so part places from the road, by the rules of movement themselves:
/// infiltration through woods (8.3.3) is what matters most.
pub fn cuts(rules: &Holland, s: &State, stake: &Stake) -> Vec<HexId> {
    let mut theirs = s.clone();
    for unit in sight::army(s, Side::German) {
        theirs.unit_mut(unit).mark(Marks::MOVED, false);
        theirs.unit_mut(unit).mark(Marks::ENGAGED, false);
        rules.set_order(&mut theirs, unit, Order::Good); // it may recover
    }
    let mut seen = HexSet::new();
    let mut out = Vec::new();
    for unit in sight::army(s, Side::German).into_iter().filter(|unit| defends(rules, *unit)) {
        let mut ends = HexSet::new();
        for mode in [Mode::Normal, Mode::Tactical, Mode::Extended] {
            let Ok(mover) = rules.mover(&theirs, unit, mode) else { continue };
            let entries =
                if mover.start.is_none() { rules.entry_hexes(&theirs, unit) } else { EntryHexes::new() };
            rules.reach(&theirs, &mover, &entries, |hex, _, _| _ = ends.insert(hex));
        }
        ends.extend(s.unit(unit).hex());
        for end in ends.iter().filter(|end| stake.along.contains(*end)) {
            if seen.insert(end) {
                let mut after = theirs.clone();
                rules.put(&mut after, unit, Place::Hex(end));
                if rules.joined(&after, stake.places) < stake.wanted {
                    out.push(end);
                }
            }
        }
    }
    out
}

/// Moves units where they bar most of the ways to the road, and returns them with those that bar one where they are.
pub fn keep(draft: &mut Draft, busy: &[UnitId]) -> Vec<UnitId> {
    let staff = draft.staff;
    let rules = &*staff.rules;
    let mut keepers: Vec<UnitId> = Vec::new();
    let stake = if draft.side == Side::Allied { stake(staff, &draft.w) } else { None };
    let Some(stake) = stake else { return keepers };
    let mut open = cuts(rules, &draft.w, &stake);
    while !open.is_empty() && !draft.unforeseen {
        let near = |hex: HexId| open.iter().any(|cut| rules.map.board.distance(*cut, hex) <= BARS);
        let mut by_hex: Vec<(HexId, f32)> = Vec::new();
        let mut ways: Vec<(f32, UnitId, Action)> = Vec::new();
        for unit in sight::army(&draft.w, Side::Allied) {
            if !defends(rules, unit) || busy.contains(&unit) || keepers.contains(&unit) {
                continue;
            }
            let cost = FACTOR * f32::from(rules.face(&draft.w, unit).attack);
            for action in draft.options(unit) {
                let Some(hex) = goes_to(&action).filter(|hex| near(*hex)) else { continue };
                // What a hex bars hardly depends on who stands there.
                let known = by_hex.iter().find(|(other, _)| *other == hex).map(|(_, gain)| *gain);
                let gain = known.unwrap_or_else(|| {
                    let gain = open.len() as f32 - open_after(rules, &draft.w, &stake, unit, hex) as f32;
                    by_hex.push((hex, gain));
                    gain
                });
                if gain - cost > 0.5 {
                    ways.push((gain - cost, unit, action));
                }
            }
        }
        ways.sort_by(|a, b| b.0.total_cmp(&a.0));
        // The unit may be missed where it was.
        let serves = |(_, unit, action): &&(f32, UnitId, Action)| {
            goes_to(action).is_some_and(|hex| open_after(rules, &draft.w, &stake, *unit, hex) < open.len())
        };
        let Some((_, unit, action)) = ways.iter().take(12).find(serves).copied() else { break };
        keepers.push(unit);
        if draft.act(action) {
            open = cuts(rules, &draft.w, &stake);
        }
    }
    // Whoever bars a way stays, also if there is no cut now: the strongest may leave first, as long as the others suffice.
    let mut army = sight::army(&draft.w, Side::Allied);
    army.retain(|unit| {
        let here = draft.w.unit(*unit).hex().filter(|hex| stake.along.contains(*hex));
        here.is_some() && defends(rules, *unit) && !keepers.contains(unit) && !busy.contains(unit)
    });
    army.sort_by_key(|unit| (std::cmp::Reverse(rules.face(&draft.w, *unit).attack), unit.0));
    let mut without = draft.w.clone();
    for unit in army {
        let mut after = without.clone();
        rules.take_off(&mut after, unit, Place::Aside);
        if cuts(rules, &after, &stake).len() > open.len() {
            keepers.push(unit);
        } else {
            without = after;
        }
    }
    keepers
}

/// How many cuts there are with a unit elsewhere.
fn open_after(rules: &Holland, s: &State, stake: &Stake, unit: UnitId, hex: HexId) -> usize {
    let mut after = s.clone();
    rules.put(&mut after, unit, Place::Hex(hex));
    cuts(rules, &after, stake).len()
}
