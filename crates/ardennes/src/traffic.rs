//! Traffic markers (24) and Roadblocks (33).

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::Event,
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::{MarkerAt, State},
    subject::Subject,
    supply,
};

/// 24.3, 33: Traffic markers and Roadblocks are placed.
#[derive(Debug)]
pub struct Markers;

impl Question<Ardennes> for Markers {
    fn asks(&self, _: &Ardennes, s: &State, frame: Frame) -> Option<Side> {
        Some(if frame == Frame::TrafficBeforePlay { Side::Allied } else { s.side })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        // Nobody is asked if the holding box is empty and there is nothing to remove.
        let idle = free_numbers(cx).next().is_none()
            && !roadblock_in_hand(cx)
            && own_roadblocks(cx).next().is_none();
        idle.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        // 24.4: almost every hex of the map.
        open_hexes(cx).each_run(|run| out.extend(run.map(|hex| Subject::Hex(HexId(hex as u16)))));
    }

    fn one_subject(
        &self,
        cx: &Cx,
        _: &mut Vec<Subject>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Subject> {
        // The subject with the chosen index.
        let hexes = open_hexes(cx);
        match choose(1 + hexes.len()).checked_sub(1) {
            None => Some(Subject::Phase),
            Some(at) => hexes.iter().nth(at).map(Subject::Hex),
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Hex(hex) => {
                if traffic_fault(cx.rules, cx.s, cx.side, hex).is_none() {
                    out.extend(free_numbers(cx).map(|number| Action::Traffic { number, hex }));
                }
                if roadblock_in_hand(cx) && roadblock_fault(cx, hex).is_none() {
                    out.push(Action::Roadblock { hex });
                }
                if own_roadblocks(cx).any(|own| own == hex) {
                    out.push(Action::Lift { hex });
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let refuse = |(rule, key): Fault, hex: HexId| cx.rules.no(rule, key).hex("hex", hex).into();
        match *action {
            Action::Done => Ok(()),
            Action::Traffic { number, hex } => {
                if !begun(cx) {
                    let turn = cx.rules.tables().markers.traffic_first_turn[cx.side.index()];
                    return cx.rules.no("24.5", "traffic.too_early").number("turn", turn).into();
                }
                if cx.side == Side::German && (1..=6).contains(&number) && greif_gone(cx.s, number) {
                    return cx.rules.no("24.6", "traffic.out_of_game").number("number", number).into();
                }
                if !free_numbers(cx).any(|free| free == number) {
                    return cx.rules.no("24.3", "traffic.not_in_box").number("number", number).into();
                }
                traffic_fault(cx.rules, cx.s, cx.side, hex).map_or(Ok(()), |fault| refuse(fault, hex))
            }
            Action::Roadblock { hex } => {
                let first = cx.rules.tables().markers.roadblock_first_turn[cx.side.index()];
                if cx.rules.options.roadblocks && cx.s.turn < first {
                    let rule = if cx.rules.roadblocks_are_standard() { "24.8" } else { "33.4" };
                    return cx.rules.no(rule, "traffic.too_early").number("turn", first).into();
                }
                if !roadblock_in_hand(cx) {
                    return cx.rules.no("33.1", "roadblock.none_left").into();
                }
                roadblock_fault(cx, hex).map_or(Ok(()), |fault| refuse(fault, hex))
            }
            Action::Lift { hex } if own_roadblocks(cx).any(|own| own == hex) => Ok(()),
            Action::Lift { hex } => cx.rules.no("33.3", "roadblock.not_there").hex("hex", hex).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let At { side, frame } = at;
        match *action {
            Action::Traffic { number, hex } => {
                play.s.traffic[side.index()][usize::from(number) - 1] = MarkerAt(hex);
                play.tell(Event::Traffic { side, number, hex: Some(hex) });
            }
            Action::Roadblock { hex } => {
                if let Some(slot) = play.s.roadblocks[side.index()].iter_mut().find(|at| at.hex().is_none()) {
                    *slot = MarkerAt(hex);
                }
                play.tell(Event::Roadblock { side, hex, placed: true });
            }
            Action::Lift { hex } => lift(play, side, hex),
            _ => {
                play.pop();
                if frame == Frame::TrafficBeforePlay {
                    removal_roll(play, side)?; // 31.4 B
                }
            }
        }
        Ok(())
    }
}

/// Hexes where a marker may be placed or removed.
pub fn open_hexes(cx: &Cx) -> HexSet {
    let mut hexes = HexSet::new();
    if free_numbers(cx).next().is_some() {
        hexes = traffic_hexes(cx.rules, cx.s, cx.side);
    }
    if roadblock_in_hand(cx) {
        hexes.union_with(&roadblock_hexes(cx.rules, cx.s, cx.side));
    }
    for hex in own_roadblocks(cx) {
        hexes.insert(hex);
    }
    hexes
}

/// 33.3: in the owner's Traffic Marker Phase a Roadblock without a road supply line is removed.
pub fn check_roadblocks(play: &mut Play) -> Result<(), Stop> {
    let side = play.s.side;
    // 1E 24.8 does not remove them for lack of supply.
    if play.rules.roadblocks_are_standard()
        || play.s.roadblocks[side.index()].iter().all(|at| at.hex().is_none())
    {
        return Ok(());
    }
    let roads = supply::road_hexes(play.rules, play.s, side);
    for index in 0..play.s.roadblocks[side.index()].len() {
        if let Some(hex) = play.s.roadblocks[side.index()][index].hex().filter(|hex| !roads.contains(*hex)) {
            lift(play, side, hex);
        }
    }
    Ok(())
}

/// 24.3: the removal roll.
pub fn remove(play: &mut Play) -> Result<(), Stop> {
    removal_roll(play, play.s.side)
}

// 24.1: both sides have six numbered markers.
fn removal_roll(play: &mut Play, side: Side) -> Result<(), Stop> {
    // No roll without a marker to lose.
    if play.s.traffic[side.index()].iter().all(|at| at.hex().is_none()) {
        return Ok(());
    }
    for _ in 0..play.rules.tables().markers.traffic_removal_dice {
        let number = play.roll(side, 0, "roll.traffic", "24.3")?.unsigned_abs();
        take_back(play, side, number);
    }
    Ok(())
}

/// 24.6: a Greif marker leaves the game by the schedule.
pub fn remove_greif(play: &mut Play) -> Result<(), Stop> {
    if play.s.side != Side::German {
        return Ok(());
    }
    let number = play.rules.pack.turn(play.s.turn).map_or(0, |turn| turn.greif_removed);
    if number > 0 && !greif_gone(play.s, number) {
        take_back(play, Side::German, number);
        play.s.greif_removed |= 1 << (number - 1);
        play.tell(Event::GreifGone { number });
    }
    Ok(())
}

/// 33.3: at the end of a Movement or Combat Phase of `side`, enemy Roadblocks that it passed are removed
/// (`State::roadblock_passed`).
pub fn after_enemy_passed(play: &mut Play, side: Side) -> Result<(), Stop> {
    let owner = side.enemy();
    for index in 0..play.s.roadblock_passed.len() {
        if play.s.roadblock_passed[index]
            && let Some(hex) = play.s.roadblocks[owner.index()][index].hex()
        {
            lift(play, owner, hex);
        }
        play.s.roadblock_passed[index] = false;
    }
    Ok(())
}

fn lift(play: &mut Play, side: Side, hex: HexId) {
    for at in &mut play.s.roadblocks[side.index()] {
        if at.hex() == Some(hex) {
            *at = MarkerAt::default();
        }
    }
    play.tell(Event::Roadblock { side, hex, placed: false });
}

fn take_back(play: &mut Play, side: Side, number: u8) {
    let Some(slot) = play.s.traffic[side.index()].get_mut(usize::from(number).wrapping_sub(1)) else {
        return;
    };
    if slot.hex().is_some() {
        *slot = MarkerAt::default();
        play.tell(Event::Traffic { side, number, hex: None });
    }
}

/// Why a marker may not be placed there: rule and message key.
type Fault = (&'static str, &'static str);

fn greif_gone(s: &State, number: u8) -> bool {
    s.greif_removed >> (number - 1) & 1 == 1
}

/// 24.5: has the side received its Traffic markers yet?
fn begun(cx: &Cx) -> bool {
    let first = cx.rules.tables().markers.traffic_first_turn[cx.side.index()];
    // S1.2: some scenarios have none.
    cx.rules.scenario.traffic && (cx.frame == Frame::TrafficBeforePlay || cx.s.turn >= first)
}

/// Numbers of the markers in the holding box that may be placed now (24.3, 24.5, 24.6).
fn free_numbers(cx: &Cx) -> impl Iterator<Item = u8> {
    let markers = &cx.rules.tables().markers;
    let side = cx.side.index();
    let begun = begun(cx);
    (1..=markers.traffic[side].min(6)).filter(move |number| {
        begun
            && cx.s.traffic[side][usize::from(*number) - 1].hex().is_none()
            && !(cx.side == Side::German && greif_gone(cx.s, *number))
    })
}

/// The numbers of the Traffic markers and how many Roadblocks may still be placed (24.3, 33.1).
pub fn in_hand(cx: &Cx) -> (Vec<u8>, usize) {
    let side = cx.side.index();
    let most = usize::from(cx.rules.tables().markers.roadblocks[side]);
    let free = cx.s.roadblocks[side].iter().take(most).filter(|at| at.hex().is_none()).count();
    (free_numbers(cx).collect(), if roadblock_in_hand(cx) { free } else { 0 })
}

/// The hexes of the side's own delay markers.
fn own_markers(s: &State, side: Side) -> impl Iterator<Item = HexId> {
    s.traffic[side.index()].iter().filter_map(|at| at.hex())
}

fn at_or_next_to(rules: &Ardennes, hex: HexId, mut markers: impl Iterator<Item = HexId>) -> bool {
    markers.any(|marker| marker == hex || rules.land.direction(hex, marker).is_some())
}

/// 24.4: every hex where a Traffic marker may be placed.
fn traffic_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let mut open = rules.land.in_play;
    if side == Side::Allied {
        open.subtract(&rules.land.bottleneck);
    }
    for marker in own_markers(s, side) {
        open.remove(marker);
        for next in rules.land.neighbours(marker) {
            open.remove(next);
        }
    }
    let blocks: HexSet = s.roadblocks[side.index()].iter().filter_map(|at| at.hex()).collect();
    let near = blocks.iter().flat_map(|block| rules.land.neighbours(block).chain([block]));
    let faulty: HexSet = near.filter(|hex| beside_roadblock(rules, s, side, *hex).is_some()).collect();
    open.subtract(&faulty);
    open
}

/// 33.2: a side's Traffic markers and Roadblocks may not be adjacent. 1E 24.8: only three delay markers in a row are
/// forbidden.
fn beside_roadblock(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> Option<Fault> {
    let mut own = s.roadblocks[side.index()].iter().filter_map(|at| at.hex());
    if rules.roadblocks_are_standard() {
        let same_hex = own.any(|block| block == hex);
        return if same_hex { Some(("24.8", "roadblock.too_close")) } else { in_a_row(rules, s, side, hex) };
    }
    at_or_next_to(rules, hex, own).then_some(("33.2", "traffic.roadblock_close"))
}

/// 1E 24.8: would a delay marker here be the third in a row?
fn in_a_row(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> Option<Fault> {
    let own = || own_markers(s, side).chain(s.roadblocks[side.index()].iter().filter_map(|at| at.hex()));
    let next_to = |hex: HexId| own().filter(move |marker| rules.land.direction(hex, *marker).is_some());
    let third = next_to(hex).count() > 1 || next_to(hex).any(|marker| next_to(marker).next().is_some());
    third.then_some(("24.8", "roadblock.three_in_a_row"))
}

/// 24.4: why a Traffic marker may not be placed there.
fn traffic_fault(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> Option<Fault> {
    if !rules.land.in_play.contains(hex) {
        Some(("24.4", "traffic.off_map"))
    } else if at_or_next_to(rules, hex, own_markers(s, side)) {
        Some(("24.4", "traffic.too_close"))
    } else if side == Side::Allied && rules.land.bottleneck.contains(hex) {
        Some(("24.4", "traffic.bottleneck"))
    } else {
        beside_roadblock(rules, s, side, hex)
    }
}

fn roadblock_in_hand(cx: &Cx) -> bool {
    let markers = &cx.rules.tables().markers;
    let side = cx.side.index();
    // 33.4
    cx.rules.options.roadblocks
        && cx.frame == Frame::PlaceMarkers
        && cx.s.turn >= markers.roadblock_first_turn[side]
        && cx.s.roadblocks[side]
            .iter()
            .take(usize::from(markers.roadblocks[side]))
            .any(|at| at.hex().is_none())
}

fn own_roadblocks(cx: &Cx) -> impl Iterator<Item = HexId> {
    let here = cx.frame == Frame::PlaceMarkers;
    cx.s.roadblocks[cx.side.index()].iter().filter_map(|at| at.hex()).filter(move |_| here)
}

fn roadblock_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let reach = within_reach(rules, s, side);
    reach.iter().filter(|hex| spacing_fault(rules, s, side, *hex).is_none()).collect()
}

/// 33.2: hexes within four road hexes of a friendly unit, with a supply line along the road through that unit. 1E 24.8:
/// within four hexes of any friendly unit.
fn within_reach(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    if rules.roadblocks_are_standard() {
        let reach = u16::from(rules.tables().markers.roadblock_reach);
        let around = s.held(side).iter().flat_map(|hex| rules.map.board.range(hex, reach));
        return &around.collect::<HexSet>() & &rules.land.in_play;
    }
    let units = s.held(side) & &supply::road_hexes(rules, s, side);
    supply::along_road(rules, s, side, &units, rules.tables().markers.roadblock_reach)
}

fn roadblock_fault(cx: &Cx, hex: HexId) -> Option<Fault> {
    spacing_fault(cx.rules, cx.s, cx.side, hex).or_else(|| {
        (!within_reach(cx.rules, cx.s, cx.side).contains(hex)).then_some(("33.2", "roadblock.no_line"))
    })
}

/// 33.2: adjacent neither to the enemy nor to another marker.
fn spacing_fault(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> Option<Fault> {
    let roadblocks = || s.roadblocks.iter().flatten().filter_map(|at| at.hex());
    if s.enemy_in(side, hex) || s.near_enemy(side, hex) {
        return Some(("33.2", "roadblock.enemy_close"));
    }
    if rules.roadblocks_are_standard() {
        return spacing_fault_1e(rules, s, side, hex);
    }
    if at_or_next_to(rules, hex, own_markers(s, side)) {
        Some(("33.2", "roadblock.traffic_close"))
    } else if at_or_next_to(rules, hex, roadblocks()) {
        Some(("33.2", "roadblock.too_close"))
    } else {
        None
    }
}

/// 1E 24.8: not on a friendly unit, not on an enemy Roadblock, and no three delay markers in a row.
fn spacing_fault_1e(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> Option<Fault> {
    let mut own = own_markers(s, side).chain(s.roadblocks[side.index()].iter().filter_map(|at| at.hex()));
    if s.held(side).contains(hex) {
        Some(("24.8", "roadblock.own_unit"))
    } else if own.any(|marker| marker == hex) || s.roadblocks.iter().flatten().any(|at| at.hex() == Some(hex))
    {
        Some(("24.8", "roadblock.too_close"))
    } else {
        in_a_row(rules, s, side, hex)
    }
}
