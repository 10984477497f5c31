//! Preparing for play (2.0): the scenario's vehicles, where it puts them, and free set-up where it allows that.

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Subject},
    adjustment,
    deployment::{self, Stance},
    event::Event,
    frame::Frame,
    pack::{Cover, Side, Start},
    play::{At, Cx, Play},
    rules::Panzer,
    state::{Flags, Place, State, Unit},
    units::UnitId,
};

/// The state before anything has been decided.
pub fn start(rules: &Panzer) -> State {
    let mut s = State::new(rules.scenario.units.len(), rules.scenario.objectives.len());
    for unit in s.ids() {
        *s.unit_mut(unit) = listed(rules, unit);
    }
    rules.lay_works(&mut s);
    rules.hangar(&mut s);
    for (n, objective) in rules.scenario.objectives.iter().enumerate() {
        s.control[n].side = objective.held_by;
    }
    crate::hidden::begin(rules, &mut s);
    s.frames.push(Frame::Sequence);
    let first = rules.scenario.sets_up_first;
    for side in [first.enemy(), first] {
        if !rules.zones[side.index()].is_empty() || rules.hides(&s, side) {
            s.frames.push(Frame::SetUp(side));
        }
    }
    for side in [first.enemy(), first] {
        if rules.plots(side) {
            s.frames.push(Frame::Plot(side));
        }
    }
    if rules.air_war() {
        s.frames.push(Frame::Load); // 6.7.1
    }
    adjustment::start_turn(rules, &mut s);
    s
}

/// A vehicle as the scenario lists it.
fn listed(rules: &Panzer, unit: UnitId) -> Unit {
    match &rules.def(unit).start {
        Start::At { hex, facing } => match rules.field.find(hex) {
            Some(hex) => equipped(rules, unit, Unit { place: Place::Map, hex, facing: *facing, ..Unit::OFF }),
            None => Unit::OFF,
        },
        Start::Enters { facing, .. } => equipped(rules, unit, Unit { facing: *facing, ..Unit::OFF }),
    }
}

/// What only the Advanced Game says about a unit at the start: its transport, its ammunition (5.16.2.4), its cover.
fn equipped(rules: &Panzer, unit: UnitId, mut u: Unit) -> Unit {
    if rules.advanced.is_none() {
        return u;
    }
    if let Some(carrier) = rules.piece(unit).and_then(|piece| piece.carrier) {
        // 5.2.1: on its truck.
        (u.place, u.hex, u.aboard, u.hauler) = (Place::Portee, hexgrid::HexId::NONE, carrier, carrier);
        return u;
    }
    let extras = &rules.def(unit).extras;
    match extras.aboard.as_deref().and_then(|id| rules.named(id)) {
        Some(vehicle) => (u.aboard, u.hauler) = (vehicle, vehicle),
        None => u.store = u.hex,
    }
    for (mark, flag) in [
        (extras.full_cover, Flags::FULL_COVER),
        (extras.improved, Flags::IMPROVED),
        (extras.entrenched, Flags::ENTRENCHED),
        (extras.inside, Flags::INSIDE),
    ] {
        if mark {
            u.set(flag);
        }
    }
    u
}

/// 2.0: a side with a set-up area places its vehicles.
#[derive(Debug)]
pub struct SetUp;

impl Question<Panzer> for SetUp {
    fn asks(&self, _: &Panzer, _: &State, frame: Frame) -> Option<Side> {
        let Frame::SetUp(side) = frame else { return None };
        Some(side)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        // 6.6.7: passengers are placed with their vehicle.
        let free = !cx.rules.zones[cx.side.index()].is_empty();
        let placed = |unit: &UnitId| {
            let u = cx.s.unit(*unit);
            u.on_map() && !u.passenger() && (free || cx.s.veil(*unit).is_some())
        };
        let mine = cx.rules.units_of(cx.side).iter().filter(|unit| placed(unit));
        out.extend(mine.map(|unit| Subject::Unit(*unit)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            // For random players: twice as likely to finish as to start again.
            Subject::Phase => {
                out.extend([Action::Done, Action::Deploy]);
                if !cx.rules.zones[cx.side.index()].is_empty() {
                    out.extend(Stance::ALL.map(Action::DeployAs));
                }
            }
            Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side && !cx.s.unit(unit).passenger() => {
                let u = cx.s.unit(unit);
                let turns = Direction::ALL.into_iter().filter(|facing| *facing != u.facing);
                let turns = turns.map(|facing| Action::Place { unit, hex: u.hex, facing });
                let others = places(cx, unit).into_iter().filter(|hex| *hex != u.hex);
                let others = others.map(|hex| Action::Place { unit, hex, facing: u.facing });
                out.extend(turns.chain(others).filter(|action| self.check(cx, action).is_ok()));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done | Action::Deploy => Ok(()),
            // Without an area there is nothing to choose from.
            Action::DeployAs(_) if cx.rules.zones[cx.side.index()].is_empty() => {
                cx.rules.no("2.0", "deployment_fixed").into()
            }
            Action::DeployAs(_) => Ok(()),
            Action::Place { unit, hex, .. } => {
                cx.rules.own(cx.side, *unit)?;
                if !cx.s.unit(*unit).on_map() {
                    return cx.rules.no("2.0", "place.held").unit("unit", *unit).into();
                }
                if cx.s.unit(*unit).passenger() {
                    return cx.rules.no("6.6.7", "move.passenger").unit("unit", *unit).into();
                }
                if let Some(why) = misplaced(cx, *unit, *hex) {
                    return cx.rules.no(why.0, why.1).unit("unit", *unit).hex("hex", *hex).into();
                }
                if !cx.rules.may_stand(*unit, *hex) {
                    // 4.5.1.1.2
                    return cx
                        .rules
                        .no("4.5.1.1.2", "place.prohibited")
                        .unit("unit", *unit)
                        .hex("hex", *hex)
                        .into();
                }
                let enemy = |other| cx.rules.vehicle(other).side != cx.side;
                if cx.s.in_hex(*hex).any(enemy) {
                    return cx
                        .rules
                        .no("4.5.1.1.10", "place.enemy")
                        .unit("unit", *unit)
                        .hex("hex", *hex)
                        .into();
                }
                Ok(())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Place { unit, hex, facing } => put_down(play, *unit, *hex, *facing),
            Action::DeployAs(stance) => {
                for (unit, hex) in deployment::places(play.rules, play.s, at.side, *stance) {
                    let facing = play.s.unit(unit).facing;
                    if play.s.unit(unit).hex != hex {
                        put_down(play, unit, hex, facing);
                    }
                }
            }
            Action::Deploy => {
                for unit in play.rules.units_of(at.side) {
                    *play.s.unit_mut(*unit) = listed(play.rules, *unit);
                }
                finish(play, at.side);
            }
            _ => finish(play, at.side),
        }
        Ok(())
    }
}

fn put_down(play: &mut Play, unit: UnitId, hex: HexId, facing: Direction) {
    if play.s.unit(unit).hex != hex {
        crate::works::leave(play.s, unit);
    }
    let u = play.s.unit_mut(unit);
    (u.hex, u.facing) = (hex, facing);
    if !play.rules.may_take_cover(play.s, unit) {
        play.s.unit_mut(unit).clear(Flags::FULL_COVER); // 6.1.4.2
    }
    crate::transport::carry(play, unit, Place::Map);
    play.tell(Event::Placed { unit, hex, facing });
    crate::works::settle_in(play, unit, false);
}

/// Where a unit may be placed: in its side's area, or, hidden (7.2), in cover near the hex that the scenario lists.
fn places(cx: &Cx, unit: UnitId) -> Vec<HexId> {
    let zone = &cx.rules.zones[cx.side.index()];
    if !zone.is_empty() {
        return zone.iter().collect();
    }
    cx.rules.field.hexes().filter(|hex| misplaced(cx, unit, *hex).is_none()).collect()
}

/// Why a unit may not be set up in a hex: the rule and the message key.
fn misplaced(cx: &Cx, unit: UnitId, hex: HexId) -> Option<(&'static str, &'static str)> {
    let zone = &cx.rules.zones[cx.side.index()];
    if !zone.is_empty() {
        return (!zone.contains(hex)).then_some(("2.0", "place.zone"));
    }
    match () {
        () if hex == cx.s.unit(unit).hex => None,
        () if cx.s.veil(unit).is_none() => Some(("2.0", "place.fixed")),
        () if !cx.rules.may_lie(unit, hex) => Some(("7.2", "place.far")),
        () if cx.rules.spotting_cover(cx.s, hex) == Cover::None => Some(("7.2", "place.open")),
        () => None,
    }
}

fn finish(play: &mut Play, side: Side) {
    crate::hidden::settle(play, side);
    play.pop();
    if !play.s.frames.iter().any(|frame| matches!(frame, Frame::SetUp(_))) {
        adjustment::start_turn(play.rules, play.s);
        for unit in play.s.ids() {
            play.s.unit_mut(unit).clear(Flags::NEW_SPOT);
        }
    }
}
