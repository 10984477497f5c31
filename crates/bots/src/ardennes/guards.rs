//! 30.3: guards for the German set-up areas, where Allied units decide the campaign.

use ::ardennes::{
    action::Action,
    pack::{Side, UnitId},
    place::Place,
    state::State,
};
use hexgrid::HexId;

use super::{areas::Entry, manoeuvre::Draft, posts::Posts, staff::Staff, value::intrusion};

/// How many turns ahead approaching Allied units are considered.
const AHEAD: f32 = 1.3;
/// An area that they reach within this part of a turn counts as entered.
const IN_REACH: f32 = 0.95;
/// The most guards posted in one phase.
const MOST: usize = 8;
/// How far from the point of entry a guard may be.
const NEAR: u32 = 2;
/// How many places are tried for one unit.
const PLACES: usize = 3;
/// The least gain of a guard, and its increase for each attack factor that is missed elsewhere.
const WORTH: f32 = 1.0;
const MISSED: f32 = 0.4;
/// The same while attacks are being decided.
const FIGHTING: f32 = 0.8;

/// How likely the Allies are to be in enough areas soon, and through which hexes.
struct Threat {
    ways_in: Vec<HexId>,
    /// From 0 to 1: how close the number of areas that the Allies can be expected in comes to what they need.
    danger: f32,
}

impl Threat {
    fn new(staff: &Staff, s: &State) -> Threat {
        let mut sum = 0.0;
        let mut ways_in = Vec::new();
        for entry in Entry::all(staff, s, AHEAD) {
            let entered = !entry.held.is_empty();
            let chance = if entered { 1.0 } else { 1.0 / (1.0 + (-5.0 * (IN_REACH - entry.turns)).exp()) };
            if chance > 0.2 && !entered {
                ways_in.push(entry.hex);
            }
            sum += chance;
        }
        let needed = f32::from(staff.rules.tables().victory.allied_areas);
        Threat { ways_in, danger: 1.0 / (1.0 + (-2.5 * (sum - needed + 0.3)).exp()) }
    }
}

/// Are there areas to guard, and does this level consider them?
pub fn wanted(draft: &Draft) -> bool {
    let staff = draft.staff;
    staff.weights.watch > 0.0
        && !draft.plan.quick
        && draft.side == Side::German
        && !draft.unforeseen
        && staff.lore.decisive
}

/// Posts guards where the Allies could soon be in enough areas to decide the game; returns the units that got a task.
/// `later` is the position at the end of the phase without guards, `fighting` the units that would attack then.
pub fn post(
    draft: &mut Draft,
    mut later: Draft,
    busy: &[UnitId],
    fighting: &[UnitId],
    beaten: &[HexId],
) -> Vec<UnitId> {
    let staff = draft.staff;
    let rules = &*staff.rules;
    let mut guards: Vec<UnitId> = Vec::new();
    let posts = Posts::new(draft, busy, &[], beaten);
    Posts::new(&later, fighting, &[], beaten).fill(&mut later);
    let mut after = later.w;
    let mut places: Vec<(UnitId, Vec<(HexId, Option<Action>)>)> = Vec::new();
    let mut threat = Threat::new(staff, &after);
    while guards.len() < MOST {
        let stake = staff.weights.areas * (1.0 + intrusion(staff, &after));
        if staff.weights.watch * stake * threat.danger < WORTH {
            break;
        }
        if places.is_empty() {
            let free = |unit: &UnitId| {
                !busy.contains(unit)
                    && !rules.counter(*unit).artillery
                    && matches!(draft.w.unit(*unit).place(), Place::Hex(_))
            };
            let units = rules.on_map(&draft.w, draft.side).filter(free);
            places = units.map(|unit| (unit, posts.places(draft, unit))).collect();
        }
        let mut best: Option<(f32, UnitId, Option<Action>, State, Threat)> = None;
        for (unit, places) in places.iter().filter(|(unit, _)| !guards.contains(unit)) {
            let off = |hex: HexId| threat.ways_in.iter().map(|way| rules.distance(hex, *way)).min();
            let mut near: Vec<(u32, HexId, Option<Action>)> = places
                .iter()
                .filter_map(|(hex, action)| Some((off(*hex)?, *hex, *action)))
                .filter(|(off, ..)| *off <= NEAR)
                .collect();
            near.sort_by_key(|(off, hex, _)| (*off, hex.0));
            near.dedup_by_key(|(_, hex, _)| *hex);
            let wanted = if fighting.contains(unit) { FIGHTING } else { MISSED };
            let missed = wanted * f32::from(rules.factors(&draft.w, *unit).attack);
            for (_, hex, action) in near.into_iter().take(PLACES) {
                if !rules.room(&after, hex, &[*unit]) {
                    continue;
                }
                let mut with = after;
                rules.put(&mut with, *unit, Place::Hex(hex));
                let found = Threat::new(staff, &with);
                let gain = staff.weights.watch * stake * (threat.danger - found.danger) - missed;
                if gain > best.as_ref().map_or(WORTH, |(most, ..)| *most) {
                    best = Some((gain, *unit, action, with, found));
                }
            }
        }
        let Some((_, unit, action, with, found)) = best else { break };
        guards.push(unit);
        if let Some(action) = action {
            draft.act(action);
            if draft.unforeseen {
                break;
            }
        }
        (after, threat) = (with, found);
    }
    guards
}

#[cfg(test)]
mod tests {
    use ::ardennes::frame::Frame;

    use super::{super::areas::tests::campaign, *};
    use crate::ardennes::plan::Plan;

    // rule: 30.3
    #[test]
    fn guards_stand_before_areas_that_raiders_could_enter() {
        let (staff, mut s) = campaign();
        let rules = &*staff.rules;
        assert_eq!(s.top(), Frame::Movement);
        // An area is empty, and a mechanized unit of the Allies is a few hexes from it.
        let area = &rules.land.areas[0];
        for hex in area {
            while let Some(unit) = s.stack(hex).next() {
                rules.put(&mut s, unit, Place::Dead);
            }
        }
        let mut allied = rules.units_of(Side::Allied);
        let raider = allied.find(|unit| rules.counter(*unit).mechanized).expect("the Allies have many");
        let off = |hex: HexId| area.iter().map(|entry| rules.distance(entry, hex)).min().unwrap_or(u32::MAX);
        let clear = |hex: &HexId| {
            !s.occupied(*hex) && !s.near_enemy(Side::Allied, *hex) && rules.room(&s, *hex, &[raider])
        };
        let near = rules.land.in_play.iter().filter(clear).min_by_key(|hex| (off(*hex).abs_diff(3), hex.0));
        rules.put(&mut s, raider, Place::Hex(near.expect("some hex is free")));

        let hasty = Plan { quick: true, ..Plan::USUAL };
        let draft = || Draft {
            staff: &staff,
            side: Side::German,
            plan: &hasty,
            w: s,
            script: Vec::new(),
            unforeseen: false,
        };
        let end = |mut draft: Draft, busy: &[UnitId]| {
            Posts::new(&draft, busy, &[], &[]).fill(&mut draft);
            Threat::new(&staff, &draft.w).danger
        };
        let without = end(draft(), &[]);
        let mut guarded = draft();
        let guards = post(&mut guarded, draft(), &[], &[], &[]);
        let with = end(guarded, &guards);
        assert!(without > 0.9 && with < 0.5, "{guards:?} {without} {with}");
    }
}
