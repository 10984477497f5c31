//! Carrying out a move: the Command is revealed, then part by part, each of which may trigger Overwatch (4.5.1.1).

use hexgrid::HexId;
use kernel::Stop;

use super::{Cursor, Walk};
use crate::{
    action::{Move, Part, Plan},
    event::Event,
    frame::{Frame, Player, Trigger},
    hidden,
    pack::{Side, Traction},
    play::Play,
    state::{Flags, Place, Spot, State},
    transport,
    units::UnitId,
    works,
};

/// A player's movement begins (4.5).
pub fn open(play: &mut Play, player: Player) {
    play.s.standing.end_where(|_, _| true);
    if let Some(side) = play.s.side_of(player) {
        play.then(&[Frame::Movement(side)]);
    }
}

/// A vehicle begins to move: its Command is revealed, and from now on it has Spot/Move (4.5.1).
pub(super) fn set_out(play: &mut Play, order: &Move) {
    let unit = order.unit;
    let held = play.s.unit(unit).place == Place::Held;
    if held && hidden::meet(play, play.rules.vehicle(unit).side.enemy(), &[order.entry]) {
        return; // 7.2: a hidden enemy holds the entry hex; nothing has been spent
    }
    // A move that was checked can always begin.
    let Ok(start) = play.rules.start(play.s, unit, order.along, order.entry) else { return };
    let seen = play.rules.seen_by_passengers(play.s, unit);
    play.s.walk = Walk { active: true, plan: order.plan, seen, ..start.walk };
    play.reveal(unit);
    let crawls = play.rules.crawls(play.s, unit) && !order.plan.is_empty();
    let u = play.s.unit_mut(unit);
    u.set(Flags::MOVED);
    u.left = 0;
    // 6.6.9: a hull down position is lost when the Command is revealed.
    u.clear(Flags(Flags::HULL_DOWN.0 | Flags::PARTLY_HULL_DOWN.0 | Flags::HULL_DOWN_REVERSE.0));
    if held && order.entry == HexId::NONE {
        // 4.5.1.1.8: it stays off the map.
        finish(play);
        return;
    }
    if crawls {
        // 6.6.4.3: not movement for spotting; Overwatch may not be fired at it.
        play.s.unit_mut(unit).set(Flags::CRAWLED);
        play.then(&[Frame::Walk]);
        return;
    }
    play.place_spot(unit, Spot::Move);
    play.s.triggers = crate::units::UnitSet::one(unit);
    if held {
        let u = play.s.unit_mut(unit);
        (u.place, u.hex, u.facing) = (Place::Map, start.hex, start.facing);
        transport::carry(play, unit, Place::Map);
        play.tell(Event::Entered { unit, hex: start.hex, cost: start.walk.spent });
        play.then(&[Frame::Window(Trigger::Hex), Frame::Walk]);
        crate::indirect::entered(play, unit);
    } else if order.plan.is_empty() {
        // 4.5.1.1.8: it may be fired at once, when its owner declares that it stays.
        play.s.walk.stays = true;
        play.tell(Event::Moved { unit, spent: 0, allowance: play.rules.allowance(play.s, &play.s.walk) });
        play.then(&[Frame::Window(Trigger::Stay), Frame::Walk]);
    } else {
        // 4.5.1.1: Overwatch is triggered by expenditure, and nothing has been spent yet.
        play.then(&[Frame::Walk]);
    }
}

/// 4.5.1: all vehicles with Move or Short Halt count as having moved; the rest stay in their hexes, one after another.
pub(super) fn rest_stay(play: &mut Play, side: Side) {
    let next = play.rules.units_of(side).iter().copied().find(|unit| play.rules.may_move(play.s, *unit));
    match next {
        Some(unit) => {
            // The step continues with `done` until all are handled.
            let stay = Move { unit, along: false, entry: HexId::NONE, plan: Plan::default() };
            play.s.staying = true;
            set_out(play, &stay);
        }
        None => {
            play.s.staying = false;
            play.pop();
        }
    }
}

/// The moving vehicle takes its next part, or has reached the end of its plan.
pub fn step(play: &mut Play) -> Result<(), Stop> {
    let unit = play.s.walk.unit;
    play.s.aimed = crate::units::UnitSet::EMPTY;
    if let Some((passenger, vehicle)) = play.s.walk.boarding.take() {
        transport::board(play, passenger, vehicle);
        if passenger == unit {
            finish(play);
            return Ok(());
        }
    }
    if !play.s.unit(unit).on_map() {
        finish(play);
        return Ok(());
    }
    if play.s.walk.stays {
        finish(play);
        return Ok(());
    }
    // 6.5.2.2.1: it stops at once, without changing its facing; where it stands, passengers still get on and off.
    let serves = play.s.walk.hexes == 0 && play.s.walk.plan.get(0).is_some_and(|part| !part.moves());
    if play.s.unit(unit).is(Flags::BAILED) || play.s.unit(unit).is(Flags::TRACK) && !serves {
        let allowance = play.rules.allowance(play.s, &play.s.walk);
        play.tell(Event::Moved { unit, spent: play.s.walk.spent, allowance });
        finish(play);
        return Ok(());
    }
    if play.s.walk.interrupted {
        // Results computed before the fire no longer hold.
        play.s.stamp.renew();
        // 4.5.1.1: the rest of the allowance may be used even in the last planned hex.
        if !play.s.walk.plan.is_empty() || play.rules.may_go_on(play.s) {
            play.then(&[Frame::Revise, Frame::Walk]);
            return Ok(());
        }
    }
    play.s.walk.interrupted = false;
    play.s.triggers = crate::units::UnitSet::one(unit);
    if (play.s.walk.plan.is_empty() || play.s.walk.halted)
        && let Some(hex) = play.s.walk.overran
        && play.rules.enemies_in(play.s, unit, play.s.unit(unit).hex)
    {
        // 6.6.10.1: it continues if it can, otherwise it is put back.
        if !play.s.walk.halted && play.rules.may_go_on(play.s) {
            play.s.walk.interrupted = true;
            play.then(&[Frame::Revise, Frame::Walk]);
            return Ok(());
        }
        crate::overrun::put_back(play, unit, hex);
    }
    let halted = play.s.walk.halted;
    let Some(part) = play.s.walk.plan.get(0).filter(|_| !halted) else {
        let allowance = play.rules.allowance(play.s, &play.s.walk);
        play.tell(Event::Moved { unit, spent: play.s.walk.spent, allowance });
        // 6.6.4.2: a Quickmarch may suppress the unit.
        let marched = play.s.walk.along && play.rules.vehicle(unit).movement.traction == Traction::Leg;
        finish(play); // ending the move costs nothing: no window (4.5.1.1)
        if marched {
            return quickmarch(play, unit);
        }
        return Ok(());
    };
    let mut at = play.rules.walking(play.s);
    let from = at.hex;
    let plan = play.s.walk.plan.after(1);
    let steps = matches!(part, Part::Forward | Part::Back | Part::Overrun(_));
    // 6.6.10: all vehicles that will overrun the target are named before the first attack on it.
    if let Part::Overrun(target) = part
        && !play.s.overrun.contains(target)
        && crate::overrun::open(play, unit, target)
    {
        play.then(&[Frame::Overruns, Frame::Walk]);
        return Ok(());
    }
    // 7.29: a bogged vehicle must get free first.
    if play.s.unit(unit).is(Flags::BOGGED) && !works::free(play, unit)? {
        play.s.walk.halted = true;
        play.then(&[Frame::Walk]);
        return Ok(());
    }
    // 7.31: it leaves a hex with mines.
    if steps && works::strike_mine(play, unit, from)? {
        play.then(&[Frame::BailOut, Frame::Walk]);
        return Ok(());
    }
    if let Part::Overrun(target) = part
        && play.rules.housed(play.s, target)
        && !break_in(play, unit, target)?
    {
        return Ok(());
    }
    if let Part::Search { .. } = part
        && works::bog(play, unit)?
    {
        // 7.29: stuck before it could search.
        play.then(&[Frame::Walk]);
        return Ok(());
    }
    // 6.6.3: tested before it passes the wall.
    if part == Part::Door && !works::doors(play, unit, from)? {
        if play.s.unit(unit).on_map() {
            // A track hit ends the move; it has paid for the building.
            play.s.walk.plan = Plan::default();
        }
        play.then(&[Frame::Walk]);
        return Ok(());
    }
    if part == Part::Door || matches!(part, Part::Overrun(_)) {
        at = play.rules.walking(play.s);
    }
    if part == Part::Door {
        let mut trial = at;
        if play.rules.take_next(play.s, &mut trial, part, plan.iter()).is_err() {
            // 6.6.3: damaged, it lacks the points and stays where it was.
            play.s.walk.plan = Plan::default();
            play.then(&[Frame::Walk]);
            return Ok(());
        }
    }
    // 7.2: an enemy lies hidden in the hex that it would enter: the move stops before it.
    if ambushed(play, &at, part) {
        play.s.walk.interrupted = true;
        play.then(&[Frame::Revise, Frame::Walk]);
        return Ok(());
    }
    let Ok(cost) = play.rules.take_next(play.s, &mut at, part, plan.iter()) else {
        // The plan was checked as a whole; if the terrain has changed since, its owner decides how to continue.
        play.s.walk.interrupted = true;
        play.then(&[Frame::Revise, Frame::Walk]);
        return Ok(());
    };
    let at_landed = play.s.walk.landed;
    play.s.walk = Walk { plan, ..at.walk };
    take(play, &at, part, from, cost);
    if !part.moves() {
        // 6.6.7.1.1: mounting spends an allowance; dismounting does not trigger Overwatch.
        let mounts = matches!(part, Part::Mount(_));
        play.then(if mounts { &[Frame::Window(Trigger::Hex), Frame::Walk] } else { &[Frame::Walk] });
        match part {
            Part::Dismount { unit: passenger, .. } => transport::landed(play, passenger)?,
            Part::Assault(target) => {
                if let Some((attacker, _)) = at_landed {
                    crate::assault::dismount_attack(play, attacker, target);
                }
            }
            _ => {}
        }
        return Ok(());
    }
    if steps {
        works::trail(play, unit, from);
        works::entered(play, unit);
        let hex = play.s.unit(unit).hex;
        if let Part::Overrun(target) = part {
            play.s.walk.overruns = Some(target);
        }
        if works::strike_mine(play, unit, hex)? {
            let overruns = play.s.walk.overruns.is_some();
            play.then(&[Frame::Walk]);
            if overruns {
                play.then(&[Frame::OverrunAttack]);
            }
            play.then(&[Frame::BailOut]);
            return Ok(());
        }
        works::bog(play, unit)?;
    }
    // 6.6.3: entering the building directly is one expenditure, and so is leaving it and moving on.
    let merged = match part {
        Part::Forward => play.s.walk.plan.get(0) == Some(Part::Door) && !play.s.walk.inside,
        Part::Door => play.s.walk.leaving && !play.s.walk.inside,
        Part::Partly => true,
        _ => false,
    };
    if merged {
        play.then(&[Frame::Walk]);
        return Ok(());
    }
    if at.hex == HexId::NONE {
        play.tell(Event::Exited { unit, hex: from });
        exit(play, unit, from);
        finish(play);
        return Ok(());
    }
    match part {
        Part::Overrun(_) => {
            // 6.6.10: no Overwatch during the overrun itself; a barrage comes first (6.6.6).
            play.then(&[Frame::OverrunAttack, Frame::Walk]);
            crate::indirect::entered(play, unit);
            return Ok(());
        }
        Part::Search { partial, reverse, .. } => {
            play.then(&[Frame::Window(Trigger::Hex), Frame::Walk]);
            crate::overrun::search(play, unit, partial, reverse)?;
            crate::indirect::entered(play, unit);
            return Ok(());
        }
        _ => {}
    }
    // 4.5.1.1, 4.5.1.1.4: after every hex entered and every turn, free or paid.
    let trigger = if matches!(part, Part::Turn(_)) { Trigger::Turn } else { Trigger::Hex };
    // 6.6.4: turning costs a unit on foot nothing, and crawling does not count as movement (6.6.4.3).
    let foot = play.rules.vehicle(unit).movement.traction.on_foot();
    if play.s.unit(unit).is(Flags::CRAWLED) || foot && trigger == Trigger::Turn {
        play.then(&[Frame::Walk]);
    } else {
        play.then(&[Frame::Window(trigger), Frame::Walk]);
    }
    if trigger == Trigger::Hex {
        crate::indirect::entered(play, unit); // 6.6.6
    }
    Ok(())
}

/// 7.2: whether hidden enemies come into view in the hex that the next part leads to. An overrun goes on.
fn ambushed(play: &mut Play, at: &Cursor, part: Part) -> bool {
    if play.s.hidden.is_empty() {
        return false;
    }
    let hex = match part {
        Part::Dismount { hex, .. } => Some(hex),
        _ => part.through(at.facing).and_then(|way| play.rules.field.neighbour(at.hex, way)),
    };
    let enemy = play.rules.vehicle(at.walk.unit).side.enemy();
    hex.is_some_and(|hex| hidden::meet(play, enemy, &[hex])) && !matches!(part, Part::Overrun(_))
}

/// 6.6.10, 6.6.3: the target is inside a building: the vehicle must break through its wall. Returns false if it does
/// not.
fn break_in(play: &mut Play, unit: UnitId, target: UnitId) -> Result<bool, Stop> {
    let (from, to) = (play.s.unit(unit).hex, play.s.unit(target).hex);
    let through = works::doors(play, unit, to)?;
    if !play.s.unit(unit).on_map() {
        play.then(&[Frame::Walk]);
        return Ok(false);
    }
    let mut at = play.rules.walking(play.s);
    if !through {
        // A track hit: it stops outside, in the Alley.
        if let Ok(cost) = play.rules.take(play.s, &mut at, Part::Forward) {
            play.s.walk = Walk { plan: Plan::default(), ..at.walk };
            take(play, &at, Part::Forward, from, cost);
        }
        play.then(&[Frame::Walk]);
        return Ok(false);
    }
    if play.rules.take_overrun(play.s, &mut at, target).is_err() {
        // Damaged, it lacks the points and stays where it was.
        play.s.walk.plan = Plan::default();
        play.then(&[Frame::Walk]);
        return Ok(false);
    }
    Ok(true)
}

/// 6.6.4.2: the test after a Quickmarch.
fn quickmarch(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    let most = game.tables().grades[game.pieces[unit.index()].grade.index()].quickmarch;
    let roll = play.roll(play.rules.vehicle(unit).side, "roll.quickmarch", "6.6.4.2")?;
    play.tell(Event::Quickmarch { unit, roll, most });
    if roll <= most {
        crate::suppress::suppress(play, unit);
    }
    Ok(())
}

fn take(play: &mut Play, at: &Cursor, part: Part, from: HexId, cost: u8) {
    let unit = at.walk.unit;
    if at.hex != from {
        works::leave(play.s, unit);
    }
    let u = play.s.unit_mut(unit);
    (u.hex, u.facing) = (at.hex, at.facing);
    for (on, flag) in [(at.walk.inside, Flags::INSIDE), (at.walk.up, Flags::UP)] {
        if matches!(part, Part::Door | Part::Floor | Part::Overrun(_)) {
            if on { u.set(flag) } else { u.clear(flag) }
        }
    }
    // 6.6.7: passengers move with their vehicle.
    for passenger in play.rules.passengers(play.s, unit) {
        let p = play.s.unit_mut(passenger);
        (p.hex, p.facing) = (at.hex, at.facing);
    }
    match part {
        Part::Turn(facing) => {
            play.tell(Event::Turned { unit, facing, cost });
        }
        Part::Forward | Part::Back => {
            play.s.unit_mut(unit).clear(Flags::LOADED);
            play.tell(Event::Stepped { unit, from, to: at.hex, cost, back: part == Part::Back });
        }
        Part::Overrun(_) => {
            play.tell(Event::Stepped { unit, from, to: at.hex, cost, back: false });
        }
        Part::Search { facing, .. } => {
            play.tell(Event::Turned { unit, facing, cost });
        }
        Part::Mount(other) => {
            let (passenger, vehicle) =
                if play.rules.is_vehicle(unit) { (other, unit) } else { (unit, other) };
            if passenger != unit {
                play.reveal(passenger);
                play.s.unit_mut(passenger).set(Flags::MOVED);
                play.place_spot(passenger, Spot::Move);
                play.s.triggers = crate::units::UnitSet::one(passenger);
            }
            play.s.walk.boarding = Some((passenger, vehicle));
        }
        Part::Dismount { unit: passenger, hex, facing } => {
            transport::dismount(play, passenger, hex, facing);
        }
        Part::Bail { unit: passenger, facing } => transport::bail(play, passenger, facing),
        Part::Door => play.tell(Event::Door { unit, inside: at.walk.inside, cost }),
        Part::Floor => play.tell(Event::Floor { unit, up: at.walk.up, cost }),
        Part::Exit { .. } | Part::Partly | Part::Assault(_) => {}
    }
}

/// 4.5.1.1.9: it leaves the scenario, but is not eliminated.
fn exit(play: &mut Play, unit: UnitId, from: HexId) {
    if play.rules.exits[play.rules.vehicle(unit).side.index()].contains(from) {
        play.s.exited.insert(unit);
    }
    play.take_off(unit, Place::Exited);
    for passenger in play.s.ids() {
        if play.s.unit(passenger).aboard != unit || !play.s.unit(passenger).on_map() {
            continue;
        }
        if play.s.exited.contains(unit) {
            play.s.exited.insert(passenger);
        }
        play.take_off(passenger, Place::Exited);
    }
}

fn finish(play: &mut Play) {
    let walk = play.s.walk;
    let left = play.rules.allowance(play.s, &walk).saturating_sub(walk.spent);
    let u = play.s.unit_mut(walk.unit);
    u.left = left;
    if walk.loaded {
        u.set(Flags::LOADED);
    }
    if play.rules.advanced.is_some() && walk.active {
        works::raise_dust(play);
    }
    if play.rules.advanced.is_some() && play.s.unit(walk.unit).on_map() {
        // 6.1.4.3.6, 6.1.4.3.7
        works::settle_in(play, walk.unit, walk.backed);
        if walk.partly && play.s.unit(walk.unit).is(Flags::IMPROVED) {
            play.s.unit_mut(walk.unit).set(Flags::IMPROVED_PARTLY);
        }
    }
    play.s.walk = Walk::default();
    play.s.triggers = crate::units::UnitSet::EMPTY;
    if walk.hexes > 0 {
        crate::morale::frighten(play, walk.unit); // 7.6
    }
}

/// The interrupted move continues with another plan.
pub fn revise(play: &mut Play, plan: Plan) {
    play.s.walk.plan = plan;
    play.s.walk.interrupted = false;
}

/// 4.4.3.2.6: Damaged during the move, it loses half of what is left at once.
pub fn slowed(s: &mut State) {
    let across = if s.walk.along { s.walk.across } else { s.walk.spent };
    let at = [s.walk.spent, across];
    if let Some(slot) = s.walk.slowed_at.iter_mut().find(|slot| slot.is_none()) {
        *slot = Some(at);
    }
}
