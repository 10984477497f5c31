//! The raw material of statistics: a position as a few counts and lists, in one shape for all games.
//!
//! Simulations take a [`Survey`] at the end of every turn and know nothing else of a game; [`StudyInfo`] says which
//! parts of it people want to see, and how they went in history.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Message, Seat, View};

/// A position as counts. Only for the referee, because it contains secrets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    pub turn: u16,
    pub tallies: Vec<Tally>,
    /// Who holds which cell of the board.
    pub held: Vec<(String, Seat)>,
    /// Things on the map that are counted, such as a blown bridge.
    pub marks: Vec<Mark>,
    /// The goals that are met now, by id.
    pub goals: Vec<String>,
}

/// A number that belongs to a seat: steps lost, victory hexes. Its name is the message `study.tally.KEY`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub key: String,
    pub seat: Seat,
    pub value: i64,
}

/// Something on the map. Its name is the message `study.mark.KIND`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark {
    pub kind: String,
    /// A cell, or an edge as two cells.
    pub at: String,
}

/// Which parts of a game's surveys a report shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyInfo {
    /// Tallies to plot by turn.
    pub tallies: Vec<String>,
    /// Kinds of marks to show on the map.
    pub marks: Vec<String>,
    pub goals: Vec<Goal>,
    /// What turns are called, such as “16 Dec AM”; others are known by their number.
    pub turns: Vec<(u16, Message)>,
    /// Turns after which a picture of the map is wanted, with its title; empty: after every turn.
    pub pictures: Vec<(u16, Message)>,
    /// What many games between equal players should show.
    pub aims: Vec<Aim>,
}

/// A figure that many games between equal players should reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    pub figure: Figure,
    /// The least and the greatest value that meet it: shares in percent, times as turns, counts as means.
    pub least: Option<f64>,
    pub most: Option<f64>,
}

/// What an [`Aim`] is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Figure {
    /// The share of games that a seat wins.
    Won(Seat),
    /// The share of games that a victory condition ends, by the key of its message, and the earliest turn in which it does.
    Ended(String),
    EndedFrom(String),
    /// The share of games in which a goal is met at all, and the middle turn of those games.
    Met(String),
    MetFrom(String),
    /// The share of captured places that a seat had not attacked.
    Unattacked(Seat),
    /// A tally in the first turn.
    FirstTurn(String, Seat),
}

/// A place or event that people compare with history. Its name is the message `study.goal.ID`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    pub id: String,
    /// The side that pursues it.
    pub seat: Seat,
    /// The turn in which it happened in history; none if it never did.
    pub history: Option<u16>,
}

impl Survey {
    /// What can be read from the view of any game: pieces on each cell and off the board, and markers.
    pub fn of_view(view: &View) -> Survey {
        let mut survey = Survey::default();
        if let Some(turn) = &view.turn {
            survey.turn = turn.number;
        }
        let mut held: BTreeMap<&str, Seat> = BTreeMap::new();
        let mut tallies: BTreeMap<(&str, Seat), i64> = BTreeMap::new();
        for piece in &view.pieces {
            let Some(seat) = piece.seat else { continue };
            let dead = piece.at == "dead";
            *tallies.entry((if dead { "dead" } else { "pieces" }, seat)).or_default() += 1;
            if piece.face.reduced && !dead {
                *tallies.entry(("reduced", seat)).or_default() += 1;
            }
            held.entry(&piece.at).or_insert(seat);
        }
        survey.tallies = tallies
            .into_iter()
            .map(|((key, seat), value)| Tally { key: key.to_owned(), seat, value })
            .collect();
        survey.held = held.into_iter().map(|(at, seat)| (at.to_owned(), seat)).collect();
        survey.marks = view.markers.iter().map(|m| Mark { kind: m.kind.clone(), at: m.at.clone() }).collect();
        survey
    }

    /// A tally's value, 0 if the game does not count it.
    pub fn tally(&self, key: &str, seat: Seat) -> i64 {
        self.tallies.iter().find(|t| t.key == key && t.seat == seat).map_or(0, |t| t.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{Face, Marker, Piece};

    #[test]
    fn a_view_is_counted_by_seat_and_cell() {
        let piece = |at: &str, seat, reduced| Piece {
            id: "x".into(),
            seat: Some(Seat(seat)),
            at: at.into(),
            layer: 0,
            facing: None,
            face: Face { reduced, ..Face::default() },
            states: Vec::new(),
            active: false,
        };
        let view = View {
            pieces: vec![
                piece("A1", 0, false),
                piece("A1", 0, true),
                piece("B2", 1, false),
                piece("dead", 1, true),
            ],
            markers: vec![Marker {
                kind: "bridge".into(),
                at: "A1/B2".into(),
                seat: None,
                text: String::new(),
            }],
            ..View::default()
        };
        let survey = Survey::of_view(&view);
        assert_eq!(survey.tally("pieces", Seat(0)), 2);
        assert_eq!(survey.tally("reduced", Seat(0)), 1);
        assert_eq!((survey.tally("dead", Seat(1)), survey.tally("reduced", Seat(1))), (1, 0));
        assert!(
            survey.held.contains(&("A1".into(), Seat(0))) && survey.held.contains(&("B2".into(), Seat(1)))
        );
        assert_eq!(survey.marks, [Mark { kind: "bridge".into(), at: "A1/B2".into() }]);
    }
}
