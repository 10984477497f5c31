//! Field works before the first turn: Improved Positions (35.0), Obstacles (36.0), minefields (37.1), and bridges that a
//! scenario lets NATO blow beforehand.

use hexgrid::{HexId, HexSet, SideId};
use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Part, Subject, Work},
    deployment::Layout,
    event::{BridgeEvent, Event},
    field::DRY,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Mine, State},
    units::{Side, UnitId},
};

const PLACED: [Work; 4] = [Work::Improve, Work::Obstacle, Work::Mine, Work::DummyMine];

/// How many of a kind are left to place.
fn left(s: &State, side: Side, work: Work) -> u8 {
    let works = &s.sides[side.index()].works;
    match work {
        Work::Improve => works.improved,
        Work::Obstacle => works.obstacles,
        Work::Mine => works.mines,
        Work::DummyMine => works.dummy_mines,
        _ => 0,
    }
}

/// 37.1: minefields may also be adjacent to a hex where the side may set up.
fn zone(rules: &Wurzburg, side: Side, work: Work) -> &HexSet {
    match work {
        Work::Mine | Work::DummyMine => &rules.mines_zone[side.index()],
        _ => &rules.works_zone[side.index()],
    }
}

fn check_place(cx: &Cx, work: Work, hex: HexId) -> Result<(), Refusal> {
    let (rule, there) = match work {
        Work::Improve => ("35.0", cx.s.mark(hex).is_some_and(|mark| mark.improved.is_some())),
        Work::Obstacle => ("36.0", cx.s.obstacle(hex)),
        Work::Mine | Work::DummyMine => ("37.1", cx.s.minefield(hex) != Mine::None),
        _ => return Err(cx.rules.not_now()),
    };
    let no = |key| cx.rules.no(rule, key).hex("hex", hex).into();
    if left(cx.s, cx.side, work) == 0 {
        return no("place.none_left");
    }
    if !zone(cx.rules, cx.side, work).contains(hex) || cx.rules.holds(cx.s, hex, cx.side.enemy()) {
        return no("place.zone");
    }
    if there {
        return no("place.there_already");
    }
    Ok(())
}

/// Checks that a civil bridge may be blown when play begins.
fn check_blow(cx: &Cx, side: SideId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |key| rules.no("38.1", key).side("bridge", side).into();
    let n = rules.field.river_of(side);
    let inside = rules.banks(side).iter().all(|hex| rules.area.contains(*hex));
    if n == DRY || !rules.civil_bridge(side) || !inside || cx.s.crossings[usize::from(n)].blown {
        return no("charges.no_bridge");
    }
    let works = &cx.s.sides[cx.side.index()].works;
    let count = if rules.autobahn_bridge(side) { works.autobahn_bridges } else { works.road_bridges };
    if count == 0 {
        return no("place.no_bridges_left");
    }
    let never = rules.scenario.side(cx.side).blown_before_play.as_ref();
    if never.is_some_and(|blown| blown.never.contains(&side)) {
        return no("place.never");
    }
    Ok(())
}

fn bridges<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = SideId> + 'a {
    cx.rules.field.river_sides.iter().copied().filter(|side| check_blow(cx, *side).is_ok())
}

/// 11.1: whether a unit may set up in another hex of its zone.
fn check_deploy(cx: &Cx, unit: UnitId, hex: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, unit)?;
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).hex("hex", hex).into();
    if !rules.options.free_setup {
        return Err(rules.not_now());
    }
    let zone = rules.piece_of(unit).and_then(|piece| rules.scenario.setup_zone(&rules.pack.forces, piece));
    if !cx.s.unit(unit).on_map() || !zone.is_some_and(|zone| zone.contains(hex)) {
        return no("11.1", "place.unit_zone");
    }
    if rules.holds(cx.s, hex, cx.side.enemy()) || cx.s.unit(unit).hex == hex {
        return no("11.1", "place.unit_zone");
    }
    let mut there = rules.stack(cx.s, cx.side, hex);
    there.push(unit);
    if rules.may_stack(cx.s, &there) { Ok(()) } else { no("14.2", "place.stack") }
}

/// 11.1: steps are transferred to another counter of the kind.
fn check_form(cx: &Cx, part: Part, to: UnitId) -> Result<(), Refusal> {
    if !cx.rules.options.free_setup || !cx.s.unit(part.unit).on_map() {
        return Err(cx.rules.not_now());
    }
    crate::entry::check_form(cx, part, to)
}

/// What is placed before the first turn, one item after another.
#[derive(Debug)]
pub struct Works;

impl Question<Wurzburg> for Works {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::Works(side) = frame { side } else { Side::Nato })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let any =
            PLACED.into_iter().any(|work| left(cx.s, cx.side, work) > 0) || bridges(cx).next().is_some();
        (!any && !cx.rules.options.free_setup).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let mut hexes = HexSet::EMPTY;
        for work in PLACED.into_iter().filter(|work| left(cx.s, cx.side, *work) > 0) {
            let open = zone(cx.rules, cx.side, work);
            for hex in open.iter().filter(|hex| check_place(cx, work, *hex).is_ok()) {
                hexes.insert(hex);
            }
        }
        out.extend(hexes.iter().map(Subject::Hex));
        out.extend(bridges(cx).map(Subject::Side));
        if cx.rules.options.free_setup {
            let mine = cx.rules.units_of(cx.side).iter().copied();
            out.extend(mine.filter(|unit| cx.s.unit(*unit).on_map()).map(Subject::Unit));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                out.push(Action::Done);
                if cx.rules.options.free_setup {
                    out.extend(Layout::ALL.map(Action::DeployAll));
                }
            }
            Subject::Hex(hex) => {
                let open = PLACED.into_iter().filter(|work| check_place(cx, *work, hex).is_ok());
                out.extend(open.map(|work| Action::Place { work, hex }));
            }
            Subject::Side(side) if check_blow(cx, side).is_ok() => out.push(Action::Blow(side)),
            Subject::Unit(unit) if cx.rules.counter(unit).side == cx.side && cx.rules.options.free_setup => {
                let hexes = cx.rules.works_zone[cx.side.index()];
                let open = hexes.iter().filter(|hex| check_deploy(cx, unit, *hex).is_ok());
                out.extend(open.map(|hex| Action::Deploy { unit, hex }));
                let from = out.len();
                crate::entry::forms(cx, unit, out);
                let kept = out.split_off(from).into_iter().filter(|action| self.check(cx, action).is_ok());
                out.extend(kept);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Place { work, hex } => check_place(cx, *work, *hex),
            Action::Blow(side) => check_blow(cx, *side),
            Action::DeployAll(_) if cx.rules.options.free_setup => Ok(()),
            Action::Deploy { unit, hex } => check_deploy(cx, *unit, *hex),
            Action::Transfer { part, to } => check_form(cx, *part, *to),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Place { work, hex } => {
                let works = &mut play.s.sides[side.index()].works;
                match work {
                    Work::Improve => works.improved -= 1,
                    Work::Obstacle => works.obstacles -= 1,
                    Work::Mine => works.mines -= 1,
                    _ => works.dummy_mines -= 1,
                }
                play.s.change_mark(*hex, |mark| match work {
                    Work::Improve => mark.improved = Some(side),
                    Work::Obstacle => mark.obstacle = true,
                    Work::Mine => (mark.mine, mark.mine_owner) = (Mine::Real, side),
                    _ => (mark.mine, mark.mine_owner) = (Mine::Dummy, side),
                });
                play.tell(match work {
                    Work::Improve => Event::ImprovedPosition { hex: *hex, side, built: true },
                    Work::Obstacle => Event::Obstacle { hex: *hex, built: true },
                    _ => Event::Minefield { hex: *hex, built: true },
                });
            }
            Action::Blow(at) => {
                let works = &mut play.s.sides[side.index()].works;
                if play.rules.autobahn_bridge(*at) {
                    works.autobahn_bridges -= 1;
                } else {
                    works.road_bridges -= 1;
                }
                play.s.crossings[usize::from(play.rules.field.river_of(*at))].blown = true;
                play.tell(Event::Bridge { side: *at, what: BridgeEvent::Blown });
            }
            Action::DeployAll(layout) => {
                for (unit, hex) in crate::deployment::places(play.rules, play.s, side, *layout) {
                    play.s.shift(unit, hex);
                }
            }
            Action::Deploy { unit, hex } => {
                play.s.shift(*unit, *hex);
                play.tell(Event::Placed { unit: *unit, hex: *hex });
            }
            Action::Transfer { part, to } => crate::entry::form(play, *part, *to),
            _ => {
                play.pop();
                crate::setup::take_control(play.rules, play.s);
                play.s.sides[side.index()].works = crate::state::FieldWorks::default();
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.works", "35.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
