//! May it be done, and what follows.

use kernel::{Dice, Log, Message, Refusal, Seat, Stop};

use super::action::{Action, Order};
use super::state::{BLUE, Cell, Frame, LAST_TURN, RED, State};

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    DecoyNamed { seat: Seat, piece: u8 },
    DecoysNamed,
    Ordered { seat: Seat, order: Order },
    OrdersShown { red: Order, blue: Order },
    Stepped { piece: u8, to: Cell },
    Shown { piece: u8, decoy: bool },
    Fired { piece: u8, mover: u8, hit: bool },
    HeldFire { seat: Seat },
    Attacked { seat: Seat, target: Cell, with: Vec<u8> },
    Fought { attack: i64, defence: i64 },
    Removed { piece: u8 },
    Turn { turn: u8 },
    Over,
}

fn refuse<T>(rule: &'static str, key: &'static str) -> Result<T, Refusal> {
    Err(Refusal::new(rule, Message::new(key)))
}

fn own(seat: Seat, piece: u8) -> Result<(), Refusal> {
    if State::owner(piece) == seat { Ok(()) } else { refuse("-", "refuse.not_yours") }
}

/// Both `verdict` and `apply` ask here, so they cannot disagree.
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
    if !state.awaited().contains(seat) {
        return refuse("-", "kernel.not_awaited");
    }
    match (state.frame(), action) {
        (Frame::Decoys, Action::Decoy(piece)) => own(seat, *piece),
        (Frame::Orders, Action::Order(_)) => Ok(()),
        (Frame::Actions(_), Action::Move { piece, path }) => check_move(state, seat, *piece, path),
        (Frame::Actions(_), Action::Attack { target, with }) => check_attack(state, seat, *target, with),
        (Frame::Actions(_), Action::Done) => Ok(()),
        (Frame::Ambush { mover, .. }, Action::Fire(piece)) => check_fire(state, seat, *piece, *mover),
        (Frame::Ambush { .. }, Action::HoldFire) => Ok(()),
        _ => refuse("-", "refuse.not_now"),
    }
}

fn check_move(state: &State, seat: Seat, piece: u8, path: &[Cell]) -> Result<(), Refusal> {
    own(seat, piece)?;
    let Some(mut here) = state.piece(piece).cell else { return refuse("-", "refuse.removed") };
    if state.piece(piece).moved {
        return refuse("4.1", "refuse.moved"); // 4.1
    }
    let reach = if state.orders[usize::from(seat.0)] == Some(Order::Advance) { 2 } else { 1 };
    if path.is_empty() || path.len() > reach {
        return refuse("4.1", "refuse.too_far"); // 4.1
    }
    for &cell in path {
        if !here.beside(cell) {
            return refuse("4.1", "refuse.not_beside"); // 4.1
        }
        if state.at(seat.other(), cell).next().is_some() || state.at(seat, cell).count() >= 2 {
            return refuse("4.2", "refuse.closed"); // 4.2
        }
        here = cell;
    }
    Ok(())
}

fn check_attack(state: &State, seat: Seat, target: Cell, with: &[u8]) -> Result<(), Refusal> {
    if state.at(seat.other(), target).next().is_none() {
        return refuse("6", "refuse.nobody_there"); // 6
    }
    if with.is_empty() {
        return refuse("6", "refuse.no_attackers"); // 6
    }
    for (n, &piece) in with.iter().enumerate() {
        own(seat, piece)?;
        if with[..n].contains(&piece) {
            return refuse("6.1", "refuse.twice"); // 6.1
        }
        if !state.piece(piece).cell.is_some_and(|cell| cell.beside(target)) {
            return refuse("6", "refuse.not_beside"); // 6
        }
        if !may_fight(state, piece) {
            return refuse("6.1", "refuse.cannot_fight"); // 6.1
        }
    }
    Ok(())
}

fn check_fire(state: &State, seat: Seat, piece: u8, mover: u8) -> Result<(), Refusal> {
    own(seat, piece)?;
    let beside = match (state.piece(piece).cell, state.piece(mover).cell) {
        (Some(a), Some(b)) => a.beside(b),
        _ => false,
    };
    if !beside {
        return refuse("5", "refuse.not_beside"); // 5
    }
    if !may_fight(state, piece) {
        return refuse("5.1", "refuse.cannot_fight"); // 5.1
    }
    Ok(())
}

/// 5.1, 6.1: troops, once a turn.
pub fn may_fight(state: &State, piece: u8) -> bool {
    let piece = state.piece(piece);
    piece.cell.is_some() && !piece.decoy && !piece.fought
}

pub fn apply(
    state: &mut State,
    seat: Seat,
    action: &Action,
    dice: &mut Dice,
    log: &mut Log<Event>,
) -> Result<(), Stop> {
    check(state, seat, action)?;
    match action {
        Action::Decoy(piece) => name_decoy(state, seat, *piece, log),
        Action::Order(order) => give_order(state, seat, *order, log),
        Action::Move { piece, path } => {
            state.piece_mut(*piece).moved = true;
            walk(state, *piece, path, log);
        }
        Action::Attack { target, with } => attack(state, seat, *target, with, dice, log)?,
        Action::Fire(piece) => fire(state, seat, *piece, dice, log)?,
        Action::HoldFire => {
            log.push(Event::HeldFire { seat });
            go_on(state, log);
        }
        Action::Done => done(state, seat, log),
    }
    // 7
    let named = state.named == [true, true];
    if named && (state.troops(RED) == 0 || state.troops(BLUE) == 0) && *state.frame() != Frame::Over {
        state.frames = vec![Frame::Over];
        log.push(Event::Over);
    }
    Ok(())
}

fn name_decoy(state: &mut State, seat: Seat, piece: u8, log: &mut Log<Event>) {
    state.piece_mut(piece).decoy = true; // 2.1
    state.named[usize::from(seat.0)] = true;
    log.push(Event::DecoyNamed { seat, piece });
    if state.named == [true, true] {
        log.push(Event::DecoysNamed);
        // The next decisions are secret, too: say that these are closed.
        log.reveal();
        state.frames = vec![Frame::Orders];
    }
}

fn give_order(state: &mut State, seat: Seat, order: Order, log: &mut Log<Event>) {
    state.orders[usize::from(seat.0)] = Some(order);
    log.push(Event::Ordered { seat, order });
    if let [Some(red), Some(blue)] = state.orders {
        log.push(Event::OrdersShown { red, blue }); // 3
        log.reveal();
        state.frames = vec![Frame::Actions(RED)];
    }
}

/// Walk a path cell by cell; an ambush suspends the rest of it.
fn walk(state: &mut State, piece: u8, path: &[Cell], log: &mut Log<Event>) {
    let enemy = State::owner(piece).other();
    for (n, &cell) in path.iter().enumerate() {
        state.piece_mut(piece).cell = Some(cell);
        log.push(Event::Stepped { piece, to: cell });
        // 5: asked whatever the pieces beside it are, or the question itself would tell (2.2).
        let beside = |p: u8| {
            let known_decoy = state.piece(p).decoy && state.piece(p).shown;
            state.piece(p).cell.is_some_and(|c| c.beside(cell)) && !known_decoy && !state.piece(p).fought
        };
        if state.orders[usize::from(enemy.0)] == Some(Order::Ambush) && State::of(enemy).any(beside) {
            state.frames.push(Frame::Ambush { by: enemy, mover: piece, rest: path[n + 1..].to_vec() });
            return;
        }
    }
}

fn go_on(state: &mut State, log: &mut Log<Event>) {
    if let Some(Frame::Ambush { mover, rest, .. }) = state.frames.pop() {
        walk(state, mover, &rest, log);
    }
}

fn fire(state: &mut State, seat: Seat, piece: u8, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
    let Frame::Ambush { mover, .. } = *state.frame() else { return Ok(()) };
    state.piece_mut(piece).fought = true;
    show(state, piece, log); // 5.1
    let hit = log.roll(dice, seat, 6, 0, "roll.ambush", "5.2")? >= 5; // 5.2
    log.push(Event::Fired { piece, mover, hit });
    if hit {
        show(state, mover, log);
        remove(state, mover, log);
        state.frames.pop();
    } else {
        go_on(state, log);
    }
    Ok(())
}

fn attack(
    state: &mut State,
    seat: Seat,
    target: Cell,
    with: &[u8],
    dice: &mut Dice,
    log: &mut Log<Event>,
) -> Result<(), Stop> {
    log.push(Event::Attacked { seat, target, with: with.to_vec() });
    let enemy = seat.other();
    let defenders: Vec<u8> = state.at(enemy, target).collect();
    for &piece in with {
        state.piece_mut(piece).fought = true;
    }
    for &piece in with.iter().chain(&defenders) {
        show(state, piece, log); // 6.2
    }
    for &piece in &defenders {
        if state.piece(piece).decoy {
            remove(state, piece, log); // 6.2
        }
    }
    let Some(defender) = state.at(enemy, target).next() else { return Ok(()) };
    let defending = state.at(enemy, target).count() as i8;
    let attacking = with.len() as i8;
    // 6.3
    let attack = i64::from(log.roll(dice, seat, 6, attacking, "roll.attack", "6.3")?) + i64::from(attacking);
    let defence =
        i64::from(log.roll(dice, enemy, 6, defending, "roll.defence", "6.3")?) + i64::from(defending);
    log.push(Event::Fought { attack, defence });
    match attack.cmp(&defence) {
        std::cmp::Ordering::Less => remove(state, with[0], log),
        std::cmp::Ordering::Equal => {}
        std::cmp::Ordering::Greater => remove(state, defender, log),
    }
    Ok(())
}

fn show(state: &mut State, piece: u8, log: &mut Log<Event>) {
    if !state.piece(piece).shown {
        state.piece_mut(piece).shown = true;
        log.push(Event::Shown { piece, decoy: state.piece(piece).decoy });
        log.reveal();
    }
}

fn remove(state: &mut State, piece: u8, log: &mut Log<Event>) {
    state.piece_mut(piece).cell = None;
    log.push(Event::Removed { piece });
}

fn done(state: &mut State, seat: Seat, log: &mut Log<Event>) {
    if seat == RED {
        state.frames = vec![Frame::Actions(BLUE)];
        return;
    }
    if state.turn == LAST_TURN {
        state.frames = vec![Frame::Over]; // 7
        log.push(Event::Over);
        return;
    }
    state.turn += 1;
    state.orders = [None, None];
    for piece in &mut state.pieces {
        piece.moved = false;
        piece.fought = false;
    }
    state.frames = vec![Frame::Orders];
    log.push(Event::Turn { turn: state.turn });
}
