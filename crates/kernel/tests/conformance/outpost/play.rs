//! Whether an action is legal, and what it does.

use kernel::{Dice, Log, Message, Refusal, Roll, Seat, SeatSet, Stop};

use super::action::{Action, Order};
use super::state::{BLUE, Cell, Frame, LAST_TURN, RED, State, Topic};

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
    HeldAll { seat: Seat },
    Scouted { piece: u8, cell: Cell },
    FoundOut { seat: Seat, piece: u8, decoy: bool },
    FoundNothing { seat: Seat, cell: Cell },
    DrewBack { piece: u8, to: Cell },
    Attacked { seat: Seat, target: Cell, with: Vec<u8>, shells: u8 },
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

/// Both `verdict` and `apply` call this, so they cannot disagree.
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
    if !state.awaited().contains(seat) {
        return Err(Refusal::out_of_turn("-", Message::new("kernel.not_awaited")));
    }
    match (state.frame(), action) {
        (Frame::Decoys, Action::Decoy(piece)) => own(seat, *piece),
        (Frame::Orders, Action::Order(_)) => Ok(()),
        (Frame::Actions(_), Action::Move { piece, path }) => check_move(state, seat, *piece, path),
        (Frame::Actions(_), Action::Scout { piece, cell }) => check_scout(state, seat, *piece, *cell),
        (Frame::Actions(_), Action::Attack { target, with, shells }) => {
            if *shells > state.shells[usize::from(seat.0)] {
                return refuse("6.4", "refuse.no_shells"); // 6.4
            }
            check_attack(state, seat, *target, with)
        }
        (Frame::Actions(_), Action::Done) => Ok(()),
        (Frame::Ambush { mover, .. }, Action::Fire(piece)) => check_fire(state, seat, *piece, *mover),
        (Frame::Ambush { .. }, Action::HoldFire | Action::HoldAll) => Ok(()),
        (Frame::DrawBack { .. }, Action::DrawBack { piece, to }) => check_draw_back(state, seat, *piece, *to),
        (Frame::DrawBack { .. }, Action::Done) => Ok(()),
        _ => Err(Refusal::out_of_turn("-", Message::new("refuse.not_now"))),
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
        if closed(state, seat, cell) {
            return refuse("4.2", "refuse.closed"); // 4.2
        }
        here = cell;
    }
    Ok(())
}

/// 2.3
fn closed(state: &State, seat: Seat, cell: Cell) -> bool {
    state.at(seat.other(), cell).next().is_some() || state.at(seat, cell).count() >= 2
}

fn check_scout(state: &State, seat: Seat, piece: u8, cell: Cell) -> Result<(), Refusal> {
    own(seat, piece)?;
    let Some(here) = state.piece(piece).cell else { return refuse("-", "refuse.removed") };
    if state.piece(piece).moved {
        return refuse("4.3", "refuse.moved"); // 4.3
    }
    if !here.beside(cell) {
        return refuse("4.3", "refuse.not_beside"); // 4.3
    }
    if state.at(seat.other(), cell).next().is_none() {
        return refuse("4.3", "refuse.nobody_there"); // 4.3
    }
    Ok(())
}

fn check_draw_back(state: &State, seat: Seat, piece: u8, to: Cell) -> Result<(), Refusal> {
    own(seat, piece)?;
    let Some(here) = state.piece(piece).cell else { return refuse("-", "refuse.removed") };
    if !here.beside(to) {
        return refuse("8", "refuse.not_beside"); // 8
    }
    if closed(state, seat, to) {
        return refuse("4.2", "refuse.closed"); // 4.2
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
        Action::Scout { piece, cell } => scout(state, seat, *piece, *cell, dice, log)?,
        Action::Attack { target, with, shells } => {
            state.shells[usize::from(seat.0)] -= shells; // 6.4
            log.push(Event::Attacked { seat, target: *target, with: with.clone(), shells: *shells });
            attack(state, seat, *target, with, *shells, dice, log)?;
        }
        Action::Fire(piece) => fire(state, seat, *piece, dice, log)?,
        Action::HoldFire => {
            log.push(Event::HeldFire { seat });
            go_on(state, log);
        }
        Action::HoldAll => {
            log.push(Event::HeldAll { seat });
            state.standing.give(seat, Topic::Ambush, state.standing_with(seat)); // 5.3
            go_on(state, log);
        }
        Action::DrawBack { piece, to } => {
            state.piece_mut(*piece).cell = Some(*to);
            log.push(Event::DrewBack { piece: *piece, to: *to });
            drawn_back(state, seat, log);
        }
        Action::Done if matches!(state.frame(), Frame::DrawBack { .. }) => drawn_back(state, seat, log),
        Action::Done => done(state, seat),
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
        let asked = state.orders[usize::from(enemy.0)] == Some(Order::Ambush) && State::of(enemy).any(beside);
        let bearing = state.standing_with(enemy);
        if asked && !state.standing.holds(enemy, &Topic::Ambush, bearing) {
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

/// 4.3: what the die shows and what the scouts find out is for their side alone.
fn scout(
    state: &mut State,
    seat: Seat,
    piece: u8,
    cell: Cell,
    dice: &mut Dice,
    log: &mut Log<Event>,
) -> Result<(), Stop> {
    state.piece_mut(piece).moved = true;
    log.push(Event::Scouted { piece, cell });
    let die = Roll::new(seat, 6, 0, "roll.scout", "4.3").only_for(SeatSet::one(seat));
    let found = log.throw(dice, die)? >= 4;
    let there: Vec<u8> = state.at(seat.other(), cell).collect();
    for enemy in there {
        let seen = state.piece_mut(enemy);
        seen.scouted = true;
        seen.found_out |= found;
        let decoy = seen.decoy;
        if found {
            log.push(Event::FoundOut { seat, piece: enemy, decoy });
            log.reveal_to(seat);
        }
    }
    if !found {
        log.push(Event::FoundNothing { seat, cell });
    }
    Ok(())
}

fn attack(
    state: &mut State,
    seat: Seat,
    target: Cell,
    with: &[u8],
    shells: u8,
    dice: &mut Dice,
    log: &mut Log<Event>,
) -> Result<(), Stop> {
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
    let attacking = with.len() as i8 + shells as i8;
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
        if state.piece(piece).decoy {
            log.disclose(State::owner(piece).0.into()); // 2.2
        }
    }
}

fn remove(state: &mut State, piece: u8, log: &mut Log<Event>) {
    state.piece_mut(piece).cell = None;
    log.push(Event::Removed { piece });
}

fn done(state: &mut State, seat: Seat) {
    if seat == RED {
        state.frames = vec![Frame::Actions(BLUE)];
        return;
    }
    state.frames = vec![Frame::DrawBack { done: [false; 2] }]; // 8
}

/// 8: this side has drawn back a piece, or does not want to.
fn drawn_back(state: &mut State, seat: Seat, log: &mut Log<Event>) {
    let Some(Frame::DrawBack { done }) = state.frames.last_mut() else { return };
    done[usize::from(seat.0)] = true;
    if *done == [true, true] {
        end_turn(state, log);
    }
}

fn end_turn(state: &mut State, log: &mut Log<Event>) {
    state.standing.end_where(|_, topic| *topic == Topic::Ambush); // 5.3
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
