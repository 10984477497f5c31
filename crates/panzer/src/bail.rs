//! Bail-out (5.15, 6.5.2.6, 6.5.4.5): tests of crews and passengers after all combat against a vehicle is over.

use hexgrid::Direction;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::Side,
    pack::advanced::{BailResult, Module, Passenger, lookup::BailTest},
    piece::UnitKind,
    play::{At, Cx, Play},
    rules::Panzer,
    state::{Flags, Place, State},
    suppress,
    units::UnitId,
};

/// What happened to a vehicle, or to a passenger of one, that requires a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub unit: UnitId,
    pub result: BailResult,
    /// A further track hit: the crew does not test, passengers do (6.5.2.6).
    pub repeated: bool,
}

pub type BailQueue = SmallVec<[Case; 4]>;

impl Panzer {
    /// 6.5.2.6: the test of a unit, as crew or as passenger; `None` if the table has no such row.
    pub fn bail_test(&self, unit: UnitId, result: BailResult) -> Option<BailTest> {
        let game = self.advanced.as_deref()?;
        let piece = &game.pieces[unit.index()];
        let who = match piece.kind {
            UnitKind::Vehicle => Passenger::Crew,
            UnitKind::Leg(_) => Passenger::Leg,
            UnitKind::Towed => Passenger::Towed,
        };
        game.tables().bail_out(result, who, piece.grade)
    }

    /// 6.6.7: who is aboard a vehicle.
    pub fn passengers(&self, s: &State, vehicle: UnitId) -> SmallVec<[UnitId; 8]> {
        if self.advanced.is_none() {
            return SmallVec::new();
        }
        s.ids().filter(|unit| s.unit(*unit).aboard == vehicle && s.unit(*unit).on_map()).collect()
    }
}

/// Record a case; does nothing if the rule is not used.
pub fn note(play: &mut Play, unit: UnitId, result: BailResult, repeated: bool) {
    if play.rules.advanced.as_deref().is_some_and(|game| game.uses(Module::BailOut)) {
        play.s.bail.push(Case { unit, result, repeated });
    }
}

/// 5.15: cases of the vehicle first, then those of each passenger.
pub fn run(play: &mut Play) -> Result<(), Stop> {
    let cases = std::mem::take(&mut play.s.bail);
    let vehicles: SmallVec<[UnitId; 4]> = cases.iter().fold(SmallVec::new(), |mut list, case| {
        let vehicle = play.s.unit(case.unit).aboard.some().unwrap_or(case.unit);
        if !list.contains(&vehicle) {
            list.push(vehicle);
        }
        list
    });
    for vehicle in vehicles {
        let mine: SmallVec<[Case; 4]> = cases.iter().copied().filter(|case| case.unit == vehicle).collect();
        let passengers = play.rules.passengers(play.s, vehicle);
        let lost = play.s.unit(vehicle).place;
        if lost.eliminated() {
            let result = if lost == Place::BrewedUp { BailResult::BrewUp } else { BailResult::KnockOut };
            for passenger in passengers {
                if test(play, passenger, result)? == Some(true) {
                    leave(play, passenger);
                } else {
                    eliminate(play, passenger);
                }
            }
            continue;
        }
        if crew_leaves(play, vehicle, &mine)? {
            for passenger in passengers {
                leave(play, passenger); // 6.5.2.6.1: without a roll
            }
            continue;
        }
        let covered = play.rules.piece(vehicle).is_some_and(|piece| piece.covered_transport);
        for case in &mine {
            for passenger in &passengers {
                // 6.5.2.6.2: not under cover.
                if !covered
                    && play.s.unit(*passenger).aboard == vehicle
                    && test(play, *passenger, case.result)? == Some(true)
                {
                    leave(play, *passenger);
                }
            }
        }
        for case in &cases {
            // 6.5.4.5: passengers that were themselves suppressed.
            if play.s.unit(case.unit).aboard == vehicle && test(play, case.unit, case.result)? == Some(true) {
                leave(play, case.unit);
            }
        }
    }
    Ok(())
}

/// 6.5.2.6.1
fn crew_leaves(play: &mut Play, vehicle: UnitId, cases: &[Case]) -> Result<bool, Stop> {
    for case in cases {
        if case.repeated || play.s.unit(vehicle).is(Flags::BAILED) {
            continue;
        }
        if test(play, vehicle, case.result)? == Some(true) {
            let v = play.s.unit_mut(vehicle);
            v.set(Flags::BAILED); // 5.15: abandoned permanently
            (v.command, v.group) = (crate::state::Command::NoCommand, 0);
            play.tell(Event::Abandoned { unit: vehicle });
            return Ok(true);
        }
    }
    Ok(false)
}

/// One test; `None` if the table has no such row.
fn test(play: &mut Play, unit: UnitId, result: BailResult) -> Result<Option<bool>, Stop> {
    let Some(test) = play.rules.bail_test(unit, result) else { return Ok(None) };
    let side = play.rules.vehicle(unit).side;
    let roll = play.roll(side, "roll.bail_out", "6.5.2.6")?;
    let out = test.out(roll);
    play.tell(Event::BailTest { unit, result, roll, modifier: test.modifier, value: test.value, out });
    Ok(Some(out))
}

/// 6.5.2.6: place it in the vehicle's hex, Suppression/On. Its owner chooses its facing; until then it has the
/// vehicle's.
fn leave(play: &mut Play, unit: UnitId) {
    let u = play.s.unit_mut(unit);
    u.aboard = UnitId::NONE;
    u.set(Flags::LEFT);
    play.tell(Event::LeftVehicle { unit });
    suppress::suppress(play, unit);
    play.s.landed.push(unit);
    play.then(&[Frame::FaceOut]);
}

/// 6.5.2.6: the facing of a unit that has left its vehicle. `keep`: the same as the vehicle's.
#[derive(Debug)]
pub struct FaceOut;

impl Question<Panzer> for FaceOut {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        s.landed.last().map(|unit| rules.vehicle(*unit).side)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        out.push(Action::Decline);
        if let Some(unit) = cx.s.landed.last() {
            let facing = cx.s.unit(*unit).facing;
            let others = Direction::ALL.into_iter().filter(|other| *other != facing);
            out.extend(others.map(|facing| Action::Pivot { unit: *unit, facing }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Decline | Action::Done => Ok(()),
            Action::Pivot { unit, .. } if cx.s.landed.last() == Some(unit) => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        play.s.landed.pop();
        if let Action::Pivot { unit, facing } = action {
            play.s.unit_mut(*unit).facing = *facing;
            play.tell(Event::Turned { unit: *unit, facing: *facing, cost: 0 });
        }
        Ok(())
    }
}

/// 6.5.4.4.3: remove the unit from the game, without a wreck.
pub fn eliminate(play: &mut Play, unit: UnitId) {
    crate::morale::lost(play, unit); // 7.1.2
    play.tell(Event::Eliminated { unit });
    play.take_off(unit, Place::Eliminated);
    let u = play.s.unit_mut(unit);
    u.aboard = UnitId::NONE;
    u.command = crate::state::Command::NoCommand;
}
