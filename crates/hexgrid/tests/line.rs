//! Lines checked against a slow reference that intersects the line with every nearby hex in fractions.

use std::collections::BTreeSet;

use hexgrid::{Board, BoardLineStep, Direction, Hex, Hexside, Labels, Line, LineStep, Orientation, Vertex};
use proptest::prelude::*;

/// How a line meets a hex.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Meets {
    Inside,
    AlongSide,
    Point,
}

/// Advance towards the sides D0, D1 and D2, where the side lies at 1.
fn advance(h: Hex) -> [i128; 3] {
    let (q, r) = (i128::from(h.q), i128::from(h.r));
    let s = -q - r;
    [s - r, q - r, q - s]
}

/// The part of the line from `a` to `b` in a hex is where all three advances are between -1 and 1.
fn judge(a: Hex, b: Hex, hex: Hex) -> Option<Meets> {
    let (line, at) = (advance(b - a), advance(hex - a));
    // Times on one denominator: the product of the rates that are not 0.
    let scale: i128 = line.iter().filter(|&&n| n != 0).product::<i128>().abs();
    let (mut enters, mut leaves, mut along) = (0, scale, false);
    for (rate, at) in line.into_iter().zip(at) {
        if rate == 0 {
            if at.abs() > 1 {
                return None;
            }
            along |= at.abs() == 1;
        } else {
            let [x, y] = [(at - 1) * scale / rate, (at + 1) * scale / rate];
            enters = enters.max(x.min(y));
            leaves = leaves.min(x.max(y));
        }
    }
    match enters.cmp(&leaves) {
        std::cmp::Ordering::Greater => None,
        std::cmp::Ordering::Equal => Some(Meets::Point),
        std::cmp::Ordering::Less => Some(if along { Meets::AlongSide } else { Meets::Inside }),
    }
}

fn check(a: Hex, b: Hex) {
    let steps: Vec<LineStep> = Line::new(a, b).collect();
    let mut found = BTreeSet::new();
    for step in &steps {
        match *step {
            LineStep::Hex(h) => assert!(found.insert((h, Meets::Inside))),
            LineStep::Along { side, left, right } => {
                assert_eq!(Hexside::between(left, right), Some(side));
                found.insert((left, Meets::AlongSide));
                found.insert((right, Meets::AlongSide));
            }
            LineStep::Vertex { vertex, touched } => {
                assert!(vertex.hexes().contains(&touched));
                assert!(found.insert((touched, Meets::Point)));
            }
        }
    }
    let reach = a.distance(b) as u16 + 2;
    let judged: BTreeSet<(Hex, Meets)> = a.range(reach).filter_map(|h| Some((h, judge(a, b, h)?))).collect();
    assert_eq!(found, judged, "{a} to {b}");

    assert_eq!(steps.first(), Some(&LineStep::Hex(a)));
    assert_eq!(steps.last(), Some(&LineStep::Hex(b)));
    for pair in steps.windows(3) {
        match pair {
            [LineStep::Hex(x), LineStep::Vertex { vertex, touched }, LineStep::Hex(y)] => {
                assert!([x, y, touched].iter().all(|h| vertex.hexes().contains(h)));
            }
            [LineStep::Hex(x), LineStep::Along { side, .. }, LineStep::Hex(y)] => {
                let [p, q] = side.vertices();
                assert!(
                    p.hexes().contains(x) && q.hexes().contains(y)
                        || q.hexes().contains(x) && p.hexes().contains(y)
                );
            }
            [LineStep::Hex(x), LineStep::Hex(y), _] => assert!(x.is_adjacent(*y)),
            _ => {}
        }
    }
}

#[test]
fn every_short_line_is_exact() {
    for b in Hex::ORIGIN.range(12) {
        check(Hex::ORIGIN, b);
    }
}

#[test]
fn a_line_through_a_vertex_touches_a_third_hex() {
    // A third of the way to (4, 1) lies a vertex, and another at two thirds.
    let hex = |q, r| LineStep::Hex(Hex::new(q, r));
    let vertex = |q, r, corner, touched: (i16, i16)| LineStep::Vertex {
        vertex: Vertex::new(Hex::new(q, r), corner),
        touched: Hex::new(touched.0, touched.1),
    };
    assert_eq!(
        Line::new(Hex::ORIGIN, Hex::new(4, 1)).collect::<Vec<_>>(),
        [
            hex(0, 0),
            hex(1, 0),
            vertex(1, 0, Direction::D2, (1, 1)),
            hex(2, 0),
            hex(2, 1),
            vertex(2, 1, Direction::D1, (3, 0)),
            hex(3, 1),
            hex(4, 1),
        ]
    );
}

#[test]
fn left_and_right_are_as_seen_from_the_start() {
    // Due east on a flat-topped grid: north is to the left.
    let labels = Labels::ccrr(Orientation::Flat, 9, 9).unwrap();
    let line = Line::new(labels.parse("0304").unwrap(), labels.parse("0504").unwrap());
    let along = line.filter_map(|step| match step {
        LineStep::Along { left, right, .. } => Some([left, right].map(|h| labels.label(h).unwrap())),
        _ => None,
    });
    assert_eq!(along.collect::<Vec<_>>(), [["0404", "0405"]]);
}

#[test]
fn a_board_knows_what_lies_off_it() {
    let labels = Labels::ccrr(Orientation::Flat, 5, 3).unwrap();
    let board = Board::full(labels).unwrap();
    // Along the top edge: 0201 to 0401 runs between 0301 and the missing hex above it.
    let (a, b) = (board.find("0201").unwrap(), board.find("0401").unwrap());
    let steps: Vec<BoardLineStep> = board.line(a, b).collect();
    let below = board.find("0301").unwrap();
    assert_eq!(
        steps,
        [
            BoardLineStep::Hex { hex: Some(a), across: None },
            BoardLineStep::Along {
                side: Some(board.side(below, Direction::D0)),
                left: None,
                right: Some(below)
            },
            BoardLineStep::Hex { hex: Some(b), across: None },
        ]
    );
}

fn hex(reach: i16) -> impl Strategy<Value = Hex> {
    (-reach..reach, -reach..reach).prop_map(|(q, r)| Hex::new(q, r))
}

proptest! {
    #[test]
    fn a_line_is_the_same_both_ways(a in hex(300), b in hex(300)) {
        let mut back: Vec<LineStep> = Line::new(b, a)
            .map(|step| match step {
                LineStep::Along { side, left, right } => LineStep::Along { side, left: right, right: left },
                other => other,
            })
            .collect();
        back.reverse();
        prop_assert_eq!(Line::new(a, b).collect::<Vec<_>>(), back);
    }

    #[test]
    fn lines_are_exact(a in hex(15), b in hex(15)) {
        check(a, b);
    }

    #[test]
    fn no_line_overflows(a in (any::<i16>(), any::<i16>()), b in (any::<i16>(), any::<i16>())) {
        let (a, b) = (Hex::new(a.0, a.1), Hex::new(b.0, b.1));
        prop_assert_eq!(Line::new(a, b).hexes().last(), Some(b));
    }

    #[test]
    fn a_line_over_a_board_is_the_line(a in 0u16..400, b in 0u16..400) {
        let board = Board::full(Labels::ccrr(Orientation::Pointy, 20, 20).unwrap()).unwrap();
        let [a, b] = [a, b].map(hexgrid::HexId);
        let line = Line::new(board.hex(a), board.hex(b));
        let mut before: Option<Hex> = None;
        for (step, on_board) in line.clone().zip(board.line(a, b)) {
            match (step, on_board) {
                (LineStep::Hex(h), BoardLineStep::Hex { hex, across }) => {
                    prop_assert_eq!(board.id(h), hex);
                    let side = before.and_then(|x| Hexside::between(x, h)).and_then(|s| board.side_id(s));
                    prop_assert_eq!(across, side);
                    before = Some(h);
                }
                (LineStep::Along { side, left, right }, BoardLineStep::Along { side: s, left: l, right: r }) => {
                    prop_assert_eq!((board.side_id(side), board.id(left), board.id(right)), (s, l, r));
                    before = None;
                }
                (LineStep::Vertex { vertex, touched }, BoardLineStep::Vertex { vertex: v, touched: t }) => {
                    prop_assert_eq!((vertex, board.id(touched)), (v, t));
                    before = None;
                }
                (x, y) => prop_assert!(false, "{:?} and {:?}", x, y),
            }
        }
        prop_assert_eq!(line.count(), board.line(a, b).count());
    }
}
