//! Isolation and surrender (23.6–23.10).

use hexgrid::{HexId, HexSet};
use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    pack::{Morale, Side, UnitId},
    place::Place,
    play::Play,
    rules::Ardennes,
    state::{State, Unit, UnitSet},
    supply::{OVERLAND, traces},
};

/// Group numbers are bytes; 0 means none.
const MAX_GROUPS: usize = 256;

/// 23.6, 23.7: which units are Isolated, in which groups, and one surrender roll for each.
pub fn check_surrender(play: &mut Play) -> Result<(), Stop> {
    let (rules, side) = (play.rules, play.s.side);
    // In most checks no unit is cut off, neither before nor now; otherwise only a few are.
    let trouble = Flags(Flags::OOS.0 | Flags::ISOLATED.0);
    let troubled = |u: &Unit| u.is(trouble) || u.group != 0 || u.points != 0;
    let troubled = rules.units_where(play.s, side, troubled);
    if troubled.is_empty() {
        return Ok(());
    }
    number_groups(rules, play.s, side, &troubled);
    let cut_off = isolated_hexes(rules, play.s, side);
    break_isolation(rules, play.s, &troubled, &cut_off);
    let old = Old::gather(play.s, &troubled);
    for unit in &troubled {
        let u = play.s.unit_mut(unit);
        (u.group, u.points) = (0, 0);
        u.flags.clear(Flags::ISOLATED);
    }
    let mut isolated = UnitSet::EMPTY;
    let mut loose = cut_off;
    let mut groups = 0;
    while let Some(seed) = loose.iter().next().filter(|_| groups < u8::MAX) {
        let hexes = linked(rules, play.s, side, seed, &loose);
        loose.subtract(&hexes);
        groups += 1;
        let members: UnitSet = hexes.iter().flat_map(|hex| play.s.stack(hex)).collect();
        let points = old.points_of(rules, play.s, &members);
        for unit in &members {
            let u = play.s.unit_mut(unit);
            (u.group, u.points) = (groups, points);
            u.flags.set(Flags::ISOLATED);
        }
        isolated.union_with(&members);
    }
    for group in 1..=groups {
        roll(play, group, &isolated)?;
    }
    Ok(())
}

/// The hexes with units of the side that are Out of Supply and have no Line of Communication (23.6).
pub fn isolated_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let oos = |unit: UnitId| s.unit(unit).is(Flags::OOS);
    let cut_off = rules.on_map(s, side).filter(|unit| oos(*unit)).filter_map(|unit| s.unit(unit).hex());
    let cut_off: HexSet = cut_off.collect();
    if cut_off.is_empty() {
        return cut_off;
    }
    // 6.1: a unit without fuel may be in a hex where others are in supply.
    let mut in_supply = *s.held(side);
    cut_off.iter().filter(|hex| s.stack(*hex).all(oos)).for_each(|hex| {
        in_supply.remove(hex);
    });
    // 23.6: the Line of Communication is an Overland element to a unit in supply.
    cut_off.iter().filter(|hex| !traces(rules, s, side, *hex, &in_supply)).collect()
}

/// The Isolated Group of a hex: hexes linked by Overland elements (23.6).
fn linked(rules: &Ardennes, s: &State, side: Side, seed: HexId, loose: &HexSet) -> HexSet {
    let leads = |from: HexId, to: HexId| traces(rules, s, side, from, &HexSet::from_iter([to]));
    let mut group = HexSet::from_iter([seed]);
    let mut frontier = group;
    while !frontier.is_empty() {
        let mut next = HexSet::new();
        for hex in &(loose - &group) {
            // A line may run in either direction.
            let near = |member: &HexId| rules.distance(hex, *member) as usize <= OVERLAND;
            if frontier.iter().filter(near).any(|member| leads(hex, member) || leads(member, hex)) {
                next.insert(hex);
            }
        }
        group.union_with(&next);
        frontier = next;
    }
    group
}

/// Units with points but without a group (a position set up by hand) are grouped by where they are.
fn number_groups(rules: &Ardennes, s: &mut State, side: Side, troubled: &UnitSet) {
    let points = |s: &State| {
        let unnumbered = |u: &Unit| u.group == 0 && u.points > 0 && u.hex().is_some();
        troubled.iter().map(|u| s.unit(u)).find(|u| unnumbered(u)).map(|u| u.points)
    };
    // Units with different points form another group.
    while let Some(points) = points(s) {
        if !number_groups_of(rules, s, side, points) {
            return; // more groups than there are numbers
        }
    }
}

/// Returns false if no number was left.
fn number_groups_of(rules: &Ardennes, s: &mut State, side: Side, points: u8) -> bool {
    let unnumbered = |s: &State, unit: UnitId| s.unit(unit).group == 0 && s.unit(unit).points == points;
    let mut loose: HexSet =
        rules.on_map(s, side).filter(|u| unnumbered(s, *u)).filter_map(|u| s.unit(u).hex()).collect();
    let mut next = rules.units_of(side).map(|u| s.unit(u).group).max().unwrap_or(0);
    while let Some(seed) = loose.iter().next().filter(|_| next < u8::MAX) {
        let hexes = linked(rules, s, side, seed, &loose);
        loose.subtract(&hexes);
        next += 1;
        for unit in rules.units_of(side) {
            if unnumbered(s, unit) && s.unit(unit).hex().is_some_and(|hex| hexes.contains(hex)) {
                s.unit_mut(unit).group = next;
            }
        }
    }
    loose.is_empty()
}

/// 23.10: a group loses its points if one of its units is in supply again. 1E: if one has a Line of Communication.
fn break_isolation(rules: &Ardennes, s: &mut State, troubled: &UnitSet, cut_off: &HexSet) {
    let mut freed = [false; MAX_GROUPS];
    for unit in troubled {
        let u = s.unit(unit);
        let supplied = matches!(u.place(), Place::Hex(_) | Place::Box(_)) && !u.is(Flags::OOS);
        let reached =
            rules.surrenders_by_the_strongest() && u.hex().is_some_and(|hex| !cut_off.contains(hex));
        freed[usize::from(u.group)] |= supplied || reached;
    }
    for unit in troubled {
        if freed[usize::from(s.unit(unit).group)] {
            let u = s.unit_mut(unit);
            (u.group, u.points) = (0, 0);
        }
    }
}

/// Points and sizes of the previous groups (23.9).
struct Old {
    /// By old group number: its points.
    points: [u8; MAX_GROUPS],
    /// By unit: its old group.
    group: [u8; crate::state::MAX_UNITS],
}

impl Old {
    fn gather(s: &State, troubled: &UnitSet) -> Old {
        let mut old = Old { points: [0; MAX_GROUPS], group: [0; crate::state::MAX_UNITS] };
        for unit in troubled {
            let u = s.unit(unit);
            old.group[unit.index()] = u.group;
            old.points[usize::from(u.group)] = u.points;
        }
        old.points[0] = 0;
        old
    }

    /// 23.9: a part keeps the points; a merged group takes those of the larger.
    fn points_of(&self, rules: &Ardennes, s: &State, members: &UnitSet) -> u8 {
        let mut attack = [0u16; MAX_GROUPS];
        let mut there = [false; MAX_GROUPS];
        for unit in members {
            let group = self.group[unit.index()] as usize;
            if group != 0 {
                let factor = u16::from(rules.factors(s, unit).attack);
                // 1E 23.9: the group with the largest single unit counts as the larger.
                attack[group] = if rules.surrenders_by_the_strongest() {
                    attack[group].max(factor)
                } else {
                    attack[group] + factor
                };
                there[group] = true;
            }
        }
        let size = |group: &usize| {
            let points = self.points[*group];
            // Equal size: the higher total (1E: the lower).
            let tie = if rules.surrenders_by_the_strongest() { u8::MAX - points } else { points };
            (attack[*group], tie)
        };
        (1..MAX_GROUPS).filter(|group| there[*group]).max_by_key(size).map_or(0, |group| self.points[group])
    }
}

/// 23.7: one die for the group.
fn roll(play: &mut Play, group: u8, isolated: &UnitSet) -> Result<(), Stop> {
    let (rules, side) = (play.rules, play.s.side);
    let table = &rules.tables().surrender;
    // 28.2
    let drm =
        if side == Side::Allied && play.s.turn >= table.allied_drm_from_turn { table.allied_drm } else { 0 };
    let die = play.roll(side, drm, "roll.surrender", "23.7")?;
    let limit = limit(rules, play.s, side, group);
    let mut points = 0;
    let members: UnitSet = isolated.iter().filter(|unit| play.s.unit(*unit).group == group).collect();
    for unit in &members {
        let u = play.s.unit_mut(unit);
        u.points = u.points.saturating_add_signed(table.table.get(die + drm));
        points = u.points;
    }
    play.tell(Event::Isolated { group, points });
    if points >= limit {
        for unit in &members {
            // 23.7: out of the game, not to the Dead Pile.
            play.tell(Event::Surrendered { unit });
            // 26.1: a unit that broke down as a whole is removed with the Remnant that stands in for it.
            let whole = play.s.unit(unit).parent().filter(|_| rules.counter(unit).remnant_counter);
            if let Some(parent) = whole.filter(|p| play.s.unit(*p).place() == Place::Pool) {
                rules.take_off(play.s, parent, Place::Gone);
            }
            rules.take_off(play.s, unit, Place::Gone);
        }
    }
    Ok(())
}

fn members<'a>(
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    group: u8,
) -> impl Iterator<Item = UnitId> + 'a {
    rules.units_of(side).filter(move |unit| s.unit(*unit).group == group)
}

/// 23.8: the points at which a group surrenders.
pub fn limit(rules: &Ardennes, s: &State, side: Side, group: u8) -> u8 {
    let table = &rules.tables().surrender;
    let (mut all_green, mut elite) = (true, false);
    for unit in members(rules, s, side, group) {
        let morale = rules.counter(unit).morale;
        all_green &= morale == Morale::Green;
        elite |= morale == Morale::Elite;
    }
    match (elite, all_green) {
        (true, _) => table.limit_with_elite,
        (_, true) => table.limit_all_green,
        _ => table.limit_normal,
    }
}

#[cfg(test)]
mod tests {
    use kernel::Setup;

    use super::*;
    use crate::{game, pack::BoxId};

    // rule: 23.10
    #[test]
    fn a_unit_that_reaches_an_off_map_box_frees_its_group() {
        let game = game::Ardennes44::new().expect("the shipped pack loads");
        let rules = game.rules(&Setup::of("six_turn", &[])).expect("a shipped scenario");
        let start = game::start(&rules).expect("the scenario opens");
        let (stays, leaves) = {
            let mut units = rules.on_map(&start, Side::Allied);
            (units.next().expect("a unit"), units.next().expect("another"))
        };
        let group_after = |in_box: bool| {
            let mut s = start;
            for unit in [stays, leaves] {
                let u = s.unit_mut(unit);
                (u.group, u.points) = (1, 3);
                u.flags.set(Flags::OOS);
            }
            if in_box {
                rules.take_off(&mut s, leaves, Place::Box(BoxId(0)));
                let u = s.unit_mut(leaves);
                (u.group, u.points) = (1, 3);
                u.flags.clear(Flags::OOS);
            }
            let troubled: UnitSet = [stays, leaves].into_iter().collect();
            break_isolation(&rules, &mut s, &troubled, &HexSet::new());
            (s.unit(stays).group, s.unit(stays).points)
        };
        assert_eq!(group_after(false), (1, 3));
        assert_eq!(group_after(true), (0, 0));
    }
}
