//! Every decision, and its text both ways.

use kernel::{Message, Refusal};
use serde::{Deserialize, Serialize};

use super::state::{Cell, State};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Advance,
    Ambush,
}

impl Order {
    pub fn name(self) -> &'static str {
        match self {
            Order::Advance => "advance",
            Order::Ambush => "ambush",
        }
    }

    pub fn parse(text: &str) -> Option<Order> {
        [Order::Advance, Order::Ambush].into_iter().find(|o| o.name() == text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `decoy r3`
    Decoy(u8),
    /// `order ambush`
    Order(Order),
    /// `move r1 b2 b3`
    Move {
        piece: u8,
        path: Vec<Cell>,
    },
    /// `scout r1 b3`
    Scout {
        piece: u8,
        cell: Cell,
    },
    /// `attack b3 with r1 r2 shells 2`; as a skeleton it names nobody.
    Attack {
        target: Cell,
        with: Vec<u8>,
        shells: u8,
    },
    /// `fire b2`
    Fire(u8),
    HoldFire,
    /// `hold fire all`: also for the rest of the turn.
    HoldAll,
    /// `draw back r1 b1`
    DrawBack {
        piece: u8,
        to: Cell,
    },
    Done,
}

/// What a side acts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Phase,
    Piece(u8),
    Target(Cell),
}

pub fn notate(action: &Action) -> String {
    let line = |first: String, rest: Vec<String>| [vec![first], rest].concat().join(" ");
    match action {
        Action::Decoy(piece) => format!("decoy {}", State::piece_name(*piece)),
        Action::Order(order) => format!("order {}", order.name()),
        Action::Move { piece, path } => {
            let path = path.iter().map(|c| c.name()).collect();
            line(format!("move {}", State::piece_name(*piece)), path)
        }
        Action::Scout { piece, cell } => format!("scout {} {}", State::piece_name(*piece), cell.name()),
        Action::Attack { target, with, shells } => {
            let mut with: Vec<String> = with.iter().map(|p| State::piece_name(*p)).collect();
            if *shells > 0 {
                with.push(format!("shells {shells}"));
            }
            line(format!("attack {} with", target.name()), with)
        }
        Action::Fire(piece) => format!("fire {}", State::piece_name(*piece)),
        Action::HoldFire => "hold fire".into(),
        Action::HoldAll => "hold fire all".into(),
        Action::DrawBack { piece, to } => format!("draw back {} {}", State::piece_name(*piece), to.name()),
        Action::Done => "done".into(),
    }
}

pub fn parse(text: &str) -> Result<Action, Refusal> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(match &words[..] {
        ["decoy", piece] => Action::Decoy(parse_piece(piece)?),
        ["order", order] => Action::Order(
            Order::parse(order).ok_or_else(|| refuse(Message::new("refuse.order").text("text", *order)))?,
        ),
        ["move", piece, path @ ..] => Action::Move {
            piece: parse_piece(piece)?,
            path: path.iter().map(|c| parse_cell(c)).collect::<Result<_, _>>()?,
        },
        ["scout", piece, cell] => Action::Scout { piece: parse_piece(piece)?, cell: parse_cell(cell)? },
        ["attack", target, "with", with @ .., "shells", shells] => {
            parse_attack(target, with, parse_amount(shells)?)?
        }
        ["attack", target, "with", with @ ..] => parse_attack(target, with, 0)?,
        ["fire", piece] => Action::Fire(parse_piece(piece)?),
        ["hold", "fire"] => Action::HoldFire,
        ["hold", "fire", "all"] => Action::HoldAll,
        ["draw", "back", piece, to] => Action::DrawBack { piece: parse_piece(piece)?, to: parse_cell(to)? },
        ["done"] => Action::Done,
        _ => return Err(refuse(Message::new("kernel.bad_notation").text("text", text))),
    })
}

pub fn notate_subject(subject: Subject) -> String {
    match subject {
        Subject::Phase => "phase".into(),
        Subject::Piece(piece) => State::piece_name(piece),
        Subject::Target(cell) => format!("target {}", cell.name()),
    }
}

pub fn parse_subject(text: &str) -> Result<Subject, Refusal> {
    match text.split_once(' ') {
        Some(("target", cell)) => parse_cell(cell).map(Subject::Target),
        _ if text == "phase" => Ok(Subject::Phase),
        _ => parse_piece(text).map(Subject::Piece),
    }
}

fn parse_piece(text: &str) -> Result<u8, Refusal> {
    State::parse_piece(text).ok_or_else(|| refuse(Message::new("refuse.no_piece").text("text", text)))
}

fn parse_cell(text: &str) -> Result<Cell, Refusal> {
    Cell::parse(text).ok_or_else(|| refuse(Message::new("refuse.no_cell").text("text", text)))
}

fn parse_attack(target: &str, with: &[&str], shells: u8) -> Result<Action, Refusal> {
    let with = with.iter().map(|p| parse_piece(p)).collect::<Result<_, _>>()?;
    Ok(Action::Attack { target: parse_cell(target)?, with, shells })
}

fn parse_amount(text: &str) -> Result<u8, Refusal> {
    text.parse().map_err(|_| refuse(Message::new("refuse.no_amount").text("text", text)))
}

fn refuse(why: Message) -> Refusal {
    Refusal::plain(why)
}
