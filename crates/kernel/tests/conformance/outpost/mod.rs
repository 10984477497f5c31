//! Outpost: a small game with everything the kernel must carry: dice, in the open and in secret; secret simultaneous
//! decisions, and open ones in any order; hidden pieces; an interrupt by the other side, and an answer to it that
//! stands; an action with parts and amounts. `docs/ADDING-A-GAME.md` walks through it.
//!
//! # The rules
//! 1. **Board.** Five columns `a`–`e`, four rows `1`–`4`; neighbours share an edge.
//! 2. **Pieces.** Red and Blue have four pieces each.
//!    - 2.1 Before the first turn each side names one of its pieces, in secret, as its decoy; the others are troops.
//!    - 2.2 What a piece is stays hidden from the other side until it is shown.
//!    - 2.3 A cell holds pieces of one side only, two at most.
//!    - 2.4 Each side has three shells.
//! 3. **Orders.** Each turn both sides choose in secret: `advance` or `ambush`. Both orders are shown together.
//! 4. **Movement.** Red, then Blue, moves and attacks in any order until it says `done`.
//!    - 4.1 A piece moves once a turn, one cell, or two with the order to advance.
//!    - 4.2 It may not enter a cell that 2.3 keeps closed.
//!    - 4.3 Instead of moving, a piece may scout a cell beside it that holds enemies. Its side rolls a die in secret: 4 or more
//!      tells it what the pieces there are.
//! 5. **Ambush.** When a piece enters a cell beside pieces of a side ordered to ambush, that side may fire with one of
//!    them.
//!    - 5.1 Only troops fire, once a turn. Who fires is shown.
//!    - 5.2 One die: 5 or 6 removes the mover. Otherwise it goes on.
//!    - 5.3 A side may say that it holds fire for the rest of the turn. That ends when it loses a piece.
//! 6. **Attack.** Pieces attack one enemy cell beside all of them.
//!    - 6.1 Only troops attack, once a turn.
//!    - 6.2 Attackers and defenders are shown; a decoy that is shown is removed.
//!    - 6.3 Both sides roll one die and add their troops there. The lower total loses a troop.
//!    - 6.4 The attacker may spend shells: each adds 1 to its total.
//! 7. **End.** After turn 6, or when a side has no troops; more troops win.
//! 8. **Drawing back.** At the end of a turn each side may move one piece one cell, without an ambush. Both decide in the
//!    open, in any order.

mod action;
mod game;
mod play;
mod state;
mod view;

// Each test binary and fuzz target uses its own part of these.
#[allow(unused_imports)]
pub use {
    action::{Action, Order, Subject},
    game::{Outpost, Rulebook, game, rules, setup},
    play::Event,
    state::{BLUE, Cell, Frame, Piece, RED, State, Topic},
};
