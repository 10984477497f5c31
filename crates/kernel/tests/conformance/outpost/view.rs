//! What a viewer may know, and the log.

use kernel::log::Event as Logged;
use kernel::view::{Face, Mood, Piece as PieceView, TurnView};
use kernel::{Arg, Audience, Entry, Message, Seat, SeatSet, Topic, View, Viewer};
use rand_core::RngCore;
use serde_json::json;

use super::action::Order;
use super::play::Event;
use super::state::{BLUE, Frame, LAST_TURN, RED, State};

pub fn side(seat: Seat) -> &'static str {
    if seat == RED { "side.red" } else { "side.blue" }
}

fn kind(decoy: bool) -> &'static str {
    if decoy { "decoy" } else { "troop" }
}

pub fn knows(state: &State, viewer: Viewer, piece: u8) -> bool {
    let owner = State::owner(piece);
    let found_out = state.piece(piece).found_out && viewer.knows(owner.other()); // 4.3
    state.piece(piece).shown || found_out || viewer.knows(owner) // 2.2
}

pub fn view(state: &State, viewer: Viewer) -> View {
    let (phase, rule, seat) = match state.frame() {
        Frame::Decoys => ("phase.decoys", "2.1", None),
        Frame::Orders => ("phase.orders", "3", None),
        Frame::Actions(seat) => ("phase.actions", "4", Some(*seat)),
        Frame::Ambush { by, .. } => ("phase.ambush", "5", Some(by.other())),
        Frame::DrawBack { .. } => ("phase.draw_back", "8", None),
        Frame::Over => ("phase.over", "7", None),
    };
    let turn = TurnView {
        number: state.turn.into(),
        last: LAST_TURN.into(),
        name: Message::new("turn").number("n", state.turn),
        phase: Message::new(phase),
        rule: rule.into(),
        seat,
        conditions: Vec::new(),
        mood: Mood::default(),
        lab_phase: String::new(),
        lab: None,
    };
    let piece = |n: u8| {
        let piece = state.piece(n);
        let symbol = if knows(state, viewer, n) { kind(piece.decoy) } else { "hidden" };
        let mut states = Vec::new();
        if piece.moved {
            states.push("moved".into());
        }
        if piece.fought {
            states.push("fought".into());
        }
        piece.cell.map(|cell| PieceView {
            id: State::piece_name(n),
            seat: Some(State::owner(n)),
            at: cell.name(),
            layer: n % 4,
            facing: None,
            face: Face {
                ground: side(State::owner(n)).trim_start_matches("side.").into(),
                symbol: symbol.into(),
                ..Face::default()
            },
            states,
            active: false,
        })
    };
    // 3: an order is its owner's secret until both are given.
    let order = |seat: Seat| {
        let known = !matches!(state.frame(), Frame::Orders) || viewer.knows(seat);
        state.orders[usize::from(seat.0)].filter(|_| known).map(Order::name)
    };
    View {
        turn: Some(turn),
        pieces: (0..8).filter_map(piece).collect(),
        extra: json!({ "orders": { "red": order(RED), "blue": order(BLUE) }, "shells": state.shells }),
        ..View::default()
    }
}

/// Another possible state in the viewer's eyes: another decoy among the pieces that the viewer does not know (2.2),
/// another order that is not yet shown (3), other findings of the enemy's scouts (4.3).
pub fn resample(state: &State, viewer: Viewer, rng: &mut dyn RngCore) -> State {
    let mut other = state.clone();
    for seat in [RED, BLUE].into_iter().filter(|s| !viewer.knows(*s)) {
        let unknown: Vec<u8> = State::of(seat).filter(|p| !knows(state, viewer, *p)).collect();
        if let Some(decoy) = unknown.iter().find(|p| state.piece(**p).decoy) {
            other.piece_mut(*decoy).decoy = false;
            let another = unknown[rng.next_u32() as usize % unknown.len()];
            other.piece_mut(another).decoy = true;
        }
        for piece in State::of(seat.other()).filter(|p| state.piece(*p).scouted && !state.piece(*p).shown) {
            other.piece_mut(piece).found_out = rng.next_u32().is_multiple_of(2);
        }
        let order = &mut other.orders[usize::from(seat.0)];
        if *state.frame() == Frame::Orders && order.is_some() {
            *order = Some(if rng.next_u32().is_multiple_of(2) { Order::Advance } else { Order::Ambush });
        }
    }
    other
}

pub fn report(event: &Logged<Event>, out: &mut Vec<Entry>) {
    let unit = |p: &u8| State::piece_name(*p);
    let mut entry = Entry {
        audience: Audience::All,
        seat: None,
        topic: match event {
            Logged::Roll(_) => Topic::Roll,
            Logged::Game(Event::Turn { .. }) => Topic::Turn,
            Logged::Game(Event::Stepped { .. }) => Topic::Move,
            Logged::Game(Event::DrewBack { .. }) => Topic::Retreat,
            Logged::Game(Event::Attacked { .. }) => Topic::Attack,
            Logged::Game(Event::Fired { .. } | Event::Fought { .. }) => Topic::Combat,
            Logged::Game(Event::Removed { .. }) => Topic::Loss,
            Logged::Game(_) => Topic::Other,
        },
        message: Message::new(""),
        level: 1,
        data: serde_json::Value::Null,
    };
    let event = match event {
        Logged::Roll(roll) => {
            entry.seat = Some(roll.seat);
            entry.level = 2;
            entry.message =
                Message::new(roll.purpose).number("value", roll.value).number("modifier", roll.modifier);
            entry.data = json!({ "kind": "roll", "sides": roll.sides, "value": roll.value,
                                 "modifier": roll.modifier, "rule": roll.rule });
            out.push(entry);
            return;
        }
        Logged::Game(event) => event,
    };
    match event {
        Event::DecoyNamed { seat, piece } => {
            entry.audience = Audience::Only(SeatSet::one(*seat)); // 2.2
            entry.seat = Some(*seat);
            entry.message = Message::new("log.decoy").unit("piece", unit(piece));
        }
        Event::DecoysNamed => entry.message = Message::new("log.decoys"),
        Event::Ordered { seat, order } => {
            entry.audience = Audience::Only(SeatSet::one(*seat)); // 3
            entry.seat = Some(*seat);
            entry.message = Message::new("log.order").term("order", format!("order.{}", order.name()));
        }
        Event::OrdersShown { red, blue } => {
            let term = |order: &Order| format!("order.{}", order.name());
            entry.message = Message::new("log.orders").term("red", term(red)).term("blue", term(blue));
            entry.data = json!({ "kind": "orders", "red": red, "blue": blue });
        }
        Event::Stepped { piece, to } => {
            entry.seat = Some(State::owner(*piece));
            entry.message = Message::new("log.step").unit("piece", unit(piece)).place("to", to.name());
            entry.data = json!({ "kind": "step", "piece": unit(piece), "to": to.name() });
        }
        Event::Shown { piece, decoy } => {
            entry.level = 2;
            entry.message = Message::new("log.shown")
                .unit("piece", unit(piece))
                .term("kind", format!("kind.{}", kind(*decoy)));
            entry.data = json!({ "kind": "shown", "piece": unit(piece), "is": kind(*decoy) });
        }
        Event::Fired { piece, mover, hit } => {
            entry.seat = Some(State::owner(*piece));
            let key = if *hit { "log.hit" } else { "log.miss" };
            entry.message = Message::new(key).unit("piece", unit(piece)).unit("mover", unit(mover));
            entry.data = json!({ "kind": "fire", "piece": unit(piece), "at": unit(mover), "hit": hit });
        }
        Event::HeldFire { seat } => {
            entry.seat = Some(*seat);
            entry.message = Message::new("log.held").term("side", side(*seat));
        }
        Event::HeldAll { seat } => {
            entry.seat = Some(*seat);
            entry.message = Message::new("log.held_all").term("side", side(*seat));
        }
        Event::Scouted { piece, cell } => {
            entry.seat = Some(State::owner(*piece));
            entry.message = Message::new("log.scouted").unit("piece", unit(piece)).place("cell", cell.name());
        }
        Event::FoundOut { seat, piece, decoy } => {
            entry.audience = Audience::Only(SeatSet::one(*seat)); // 4.3
            entry.level = 2;
            entry.message = Message::new("log.found_out")
                .unit("piece", unit(piece))
                .term("kind", format!("kind.{}", kind(*decoy)));
        }
        Event::FoundNothing { seat, cell } => {
            entry.audience = Audience::Only(SeatSet::one(*seat)); // 4.3
            entry.level = 2;
            entry.message = Message::new("log.found_nothing").place("cell", cell.name());
        }
        Event::DrewBack { piece, to } => {
            entry.seat = Some(State::owner(*piece));
            entry.message = Message::new("log.drew_back").unit("piece", unit(piece)).place("to", to.name());
            entry.data = json!({ "kind": "step", "piece": unit(piece), "to": to.name() });
        }
        Event::Attacked { seat, target, with, shells } => {
            entry.seat = Some(*seat);
            let list = Arg::List(with.iter().map(|p| Arg::Unit(unit(p))).collect());
            let key = if *shells > 0 { "log.shelled" } else { "log.attack" };
            entry.message = Message::new(key)
                .with("pieces", list)
                .place("target", target.name())
                .number("shells", *shells);
            entry.data = json!({ "kind": "attack", "target": target.name(), "shells": shells,
                                 "with": with.iter().map(unit).collect::<Vec<_>>() });
        }
        Event::Fought { attack, defence } => {
            entry.level = 2;
            entry.message = Message::new("log.fought").number("attack", *attack).number("defence", *defence);
            entry.data = json!({ "kind": "fought", "attack": attack, "defence": defence });
        }
        Event::Removed { piece } => {
            entry.message = Message::new("log.removed").unit("piece", unit(piece));
            entry.data = json!({ "kind": "removed", "piece": unit(piece) });
        }
        Event::Turn { turn } => {
            entry.level = 0;
            entry.message = Message::new("turn").number("n", *turn);
        }
        Event::Over => {
            entry.level = 0;
            entry.message = Message::new("phase.over");
        }
    }
    out.push(entry);
}
