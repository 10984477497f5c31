//! A force moves from hex to hex; what happens on the way suspends the rest of the move.

use hexgrid::HexId;
use kernel::Stop;

use super::{Mover, Path, QUARTERS, River, Step, Walk, Way};
use crate::{
    event::{Event, Units},
    field::DRY,
    frame::{Frame, Stage},
    play::Play,
    state::{Flags, Mine},
    units::{Side, UnitSet},
};

/// Start the move of a force in an operation.
pub fn start(play: &mut Play, force: UnitSet, path: Path) {
    let op = &mut play.s.op;
    let (Some(last), Some(first)) = (path.last().copied(), force.iter().next()) else { return };
    let from = play.s.units[first.index()].hex;
    // 13.4: one regiment or task force after the other.
    if let Some(group) = op.groups.iter().position(|group| group.members.contains(first)) {
        if group != usize::from(op.group) {
            let finished = op.groups[usize::from(op.group)].members;
            if !finished.is_disjoint(&op.moved) {
                op.done |= &finished;
            }
        }
        op.group = group as u8;
    }
    // 16.6.4: one force at a time, except those that converge or split.
    for unit in &op.moved {
        let u = &play.s.units[unit.index()];
        if u.hex != from && u.hex != last {
            op.done.insert(unit);
        }
    }
    // 11.6: units that have moved here and are left behind may still continue; units that are done stay.
    play.s.walk = Walk { force, path, ..Walk::default() };
    play.s.walk.entered = force.iter().all(|unit| play.s.op.moved.contains(unit));
    // 41.2.1: one attempt per force, however often it stops and goes on.
    play.s.walk.screened = !force.is_disjoint(&play.s.op.tried);
    play.push(Frame::Walk(Stage::Leave));
}

/// Start the move of a reacting force (19.4).
pub fn begin_reaction(play: &mut Play, force: UnitSet, path: Path) {
    play.s.walk = Walk { force, path, reaction: true, ..Walk::default() };
    play.push(Frame::Walk(Stage::Leave));
}

fn mover_side(play: &Play) -> Side {
    if play.s.walk.reaction { play.s.op.side.enemy() } else { play.s.op.side }
}

fn hex_of(play: &Play) -> HexId {
    play.s.walk.force.iter().next().map_or(HexId::NONE, |unit| play.s.unit(unit).hex)
}

/// One stage of the move; its frame has already been popped.
pub fn run(play: &mut Play, stage: Stage) -> Result<(), Stop> {
    if play.s.walk.force.is_empty() {
        return Ok(());
    }
    match stage {
        Stage::Leave => leave(play)?,
        Stage::Enter => enter(play),
        Stage::Mines => {
            play.push(Frame::Walk(Stage::Gas));
            let (hex, force) = (hex_of(play), play.s.walk.force);
            crate::mines::entered(play, &force, hex)?;
        }
        Stage::Gas => {
            play.push(Frame::Walk(Stage::Contact));
            let (hex, force) = (hex_of(play), play.s.walk.force);
            crate::gas::entered(play, &force, hex)?;
        }
        Stage::Contact => contact(play),
        Stage::Screening => {
            play.push(Frame::Walk(Stage::Objective));
            crate::cavalry::offer(play);
        }
        Stage::Objective => objective(play),
        Stage::Decide => decide(play),
    }
    Ok(())
}

/// 37.4 item 3: a force that starts in a real minefield is attacked as it leaves.
fn leave_mines(play: &mut Play, hex: HexId) -> Result<(), Stop> {
    let force = play.s.walk.force;
    let layers = force.iter().all(|unit| play.s.unit(unit).is(Flags::LAYER));
    if play.s.minefield(hex) != Mine::Real || layers {
        return Ok(());
    }
    play.s.walk.careful = play.s.walk.path.len() == 1;
    let careful = if play.s.walk.careful { play.rules.tables.mine_attack.careful_exit } else { 0 };
    play.log.reveal(); // the steps that roll are counted openly
    crate::mines::attack(play, &force, careful)
}

fn leave(play: &mut Play) -> Result<(), Stop> {
    let hex = hex_of(play);
    let Some(next) = play.s.walk.next().filter(|_| !play.s.walk.halted) else {
        finish(play);
        return Ok(());
    };
    if hex == HexId::NONE {
        // 46.6: onto the map.
        let force = play.s.walk.force;
        play.s.walk.at += 1;
        play.s.walk.entered = true;
        play.s.walk.surprised = true;
        play.push(Frame::Walk(Stage::Mines));
        crate::entry::enter(play, &force, next);
        return Ok(());
    }
    if !play.s.walk.entered {
        leave_mines(play, hex)?;
        if play.s.walk.force.is_empty() {
            play.s.walk = Walk::default();
            return Ok(());
        }
    }
    play.push(Frame::Walk(Stage::Enter));
    // 29.6.2, 18.6: only in the Movement Step of an Offensive Operation.
    if !play.s.walk.reaction && play.s.op.kind.offensive() {
        // 42.1.2: not when it leaves the hex that it has stormed.
        let storms = hex == play.s.op.objective;
        let entered = play.s.walk.entered;
        let fires = !storms && !play.rules.infiltrators(play.s, hex, next, entered).is_empty();
        if fires {
            play.push(Frame::Infiltration);
        }
    }
    Ok(())
}

/// 16.0, 16.7: the force enters the next hex and pays.
fn enter(play: &mut Play) {
    let side = mover_side(play);
    let from = hex_of(play);
    let Some(to) = play.s.walk.next() else { return finish(play) };
    let force = play.s.walk.force;
    let way = if play.s.walk.reaction { Way::Reaction } else { Way::Operation(play.s.op.kind) };
    let mut mover = Mover::new(play.rules, play.s, side, way, force);
    mover.careful = play.s.walk.careful;
    let spent = mover.allowance.saturating_sub(mover.mp);
    let Some(direction) = play.rules.field.toward(from, to) else { return finish(play) };
    let step = if play.s.walk.crossing {
        // 17.4, 17.5: the crossing takes all the movement that is left.
        Step { cost: mover.mp, road: false, tactical: false }
    } else {
        let Some((_, step)) = mover.step(from, direction, spent, false) else { return finish(play) };
        if !mover.affords(spent, step.cost, true) {
            return finish(play);
        }
        step
    };
    let unknown = play
        .rules
        .around(play.s, to, side.enemy())
        .iter()
        .any(|other| !play.rules.detected(play.s, side, *other));
    let left = mover.mp.saturating_sub(step.cost);
    let crossed = play.rules.field.river(from, direction);
    let civil = !play.s.walk.crossing && play.rules.river(play.s, side, from, direction) == River::Civil;
    let real = force.iter().any(|unit| !play.s.unit(unit).dummy());
    play.s.walk.at += 1;
    play.s.walk.entered = true;
    play.s.walk.halted |= play.s.walk.careful;
    play.s.walk.surprised |= unknown;
    for unit in &force {
        play.s.shift(unit, to);
        let u = play.s.unit_mut(unit);
        u.mp = left;
        u.clear(Flags::MASKED);
        u.clear(Flags::LAYER);
        if step.tactical {
            u.set(Flags::TACTICAL);
        }
        if !play.s.walk.reaction {
            play.s.op.moved.insert(unit);
        }
    }
    let units: Units = force.iter().collect();
    play.tell(Event::Moved { units, from, to, cost: step.cost, road: step.road });
    for unit in &force {
        play.leave_smoke(unit, from);
    }
    play.unmask(from);
    play.push(Frame::Walk(Stage::Mines));
    if real {
        play.occupy(side, to);
        if civil && side == Side::Wp && crossed != DRY {
            play.s.crossings[usize::from(crossed)].cross(); // 38.1.2
        }
    }
}

/// 16.8.1, 11.2.1: the force meets enemies; not if it only passes through a protected hex.
fn contact(play: &mut Play) {
    let side = mover_side(play);
    let hex = hex_of(play);
    play.push(Frame::Walk(Stage::Screening));
    let force = play.s.walk.force;
    let passes = play.s.walk.next().is_some() && !play.s.walk.halted;
    if passes
        && play.rules.next_to(play.s, hex, side.enemy())
        && play.rules.protected(play.s, side, &force, hex)
    {
        // 16.8.1.2
        play.s.walk.surprised = false;
        return;
    }
    if play.rules.next_to(play.s, hex, side.enemy()) {
        // Both sides see each other now (11.2).
        play.log.reveal();
        if play.s.walk.surprised {
            play.meet(side, hex);
        }
    }
}

/// 13.5.3: the Objective Hex proved to hold only dummies.
fn objective(play: &mut Play) {
    play.push(Frame::Walk(Stage::Decide));
    let op = &play.s.op;
    let hex = hex_of(play);
    let Some(target) = op.objective.some() else { return };
    if op.kept || op.bridge.is_some() || play.s.walk.reaction || !play.rules.field.adjacent(hex, target) {
        return;
    }
    if !play.rules.holds(play.s, target, op.side.enemy()) {
        play.push(Frame::NewObjective);
    }
}

fn decide(play: &mut Play) {
    let surprised = std::mem::take(&mut play.s.walk.surprised);
    let goes_on = play.s.walk.next().is_some() && !play.s.walk.halted;
    if !goes_on {
        return finish(play);
    }
    play.push(Frame::Walk(Stage::Leave));
    // 16.8.1 step 6
    if surprised && !play.s.walk.reaction {
        play.push(Frame::GoOn);
    }
}

/// The force stops. It may continue as long as no other force has begun (16.6.4).
pub fn finish(play: &mut Play) {
    let force = play.s.walk.force;
    let side = mover_side(play);
    let hex = hex_of(play);
    if hex == HexId::NONE {
        play.s.walk = Walk::default();
        return;
    }
    let halted = play.s.walk.halted;
    let reaction = play.s.walk.reaction;
    play.s.standing = kernel::Standing::default();
    play.s.walk = Walk::default();
    if reaction {
        return crate::reaction::arrived(play, &force, hex);
    }
    let near = play.rules.next_to(play.s, hex, side.enemy());
    let sheltered = near && play.rules.protected(play.s, side, &force, hex);
    for unit in &force {
        // 16.3.1 item 5
        play.s.op.sheltered.set(unit, sheltered);
        let spent_out = play.s.unit(unit).mp < QUARTERS / 4;
        if halted || spent_out || play.rules.counter(unit).leg {
            play.s.op.done.insert(unit);
        }
    }
}
