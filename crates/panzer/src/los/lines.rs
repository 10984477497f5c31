//! Precomputed lines from a hex to the hexes around it. A line depends only on the relative position of its end, and
//! six rotations extend the lines of one sextant to the whole circle.

use hexgrid::{Direction, Hex, Move, Moves};

/// A step in a byte: the direction within the sextant in the lowest three bits, then what the step does (two bits), then
/// whether it leads farther away.
const fn step(kind: u8, direction: Direction, farther: bool) -> u8 {
    direction as u8 | kind << 3 | (farther as u8) << 5
}

const CROSS: u8 = 0;
const CORNER: u8 = 1;
const ALONG: u8 = 2;

/// How a line continues from a hex.
#[derive(Clone, Copy)]
pub(super) enum Pass {
    /// Through the hexside in this direction.
    Cross(Direction),
    /// Through a corner into the hex in this direction.
    Corner(Direction),
    /// Along the hexside between the neighbours in this direction and the next clockwise, into the hex behind both.
    Along(Direction),
}

/// The lines of one sextant, up to a range.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    steps: Vec<u8>,
    /// Where each line begins in `steps`; see [`Lines::number`].
    starts: Vec<u32>,
}

/// A line from a hex to another.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    steps: &'a [u8],
    /// The rotation of the sextant's directions, in sixths of a circle.
    turn: usize,
    pub range: u16,
    /// Set if the line is a straight row of hexes.
    pub row: Option<Direction>,
}

/// The relative position of a hex: `steps` in the direction `turn` and `aside` in the next one clockwise.
struct Lie {
    turn: usize,
    steps: i16,
    aside: i16,
}

const fn lie(to: Hex) -> Lie {
    let (q, r) = (to.q, to.r);
    let s = -q - r;
    let (turn, steps, aside) = if s > 0 && q >= 0 {
        (0, s, q)
    } else if r < 0 && s <= 0 {
        (1, -r, -s)
    } else if q > 0 {
        (2, q, r)
    } else if s < 0 {
        (3, -s, -q)
    } else if r > 0 {
        (4, r, s)
    } else {
        (5, -q, -r)
    };
    Lie { turn, steps, aside }
}

impl Lines {
    /// All lines up to a range.
    pub fn new(range: u16) -> Lines {
        let mut lines = Lines { steps: Vec::new(), starts: vec![0] };
        for range in 1..=range as i16 {
            for aside in 0..range {
                lines.add(Hex::new(aside, -range));
                lines.starts.push(lines.steps.len() as u32);
            }
        }
        lines
    }

    fn add(&mut self, to: Hex) {
        let mut here = Hex::ORIGIN;
        for pass in Moves::new(Hex::ORIGIN, to) {
            let (kind, direction, next) = match pass {
                Move::Cross(d) => (CROSS, d, here.neighbour(d)),
                Move::Corner { into, .. } => (CORNER, into, here.neighbour(into)),
                Move::Along { left, right } => (ALONG, left, here.neighbour(left).neighbour(right)),
            };
            let farther = next.distance(Hex::ORIGIN) > here.distance(Hex::ORIGIN);
            self.steps.push(step(kind, direction, farther));
            here = next;
        }
    }

    /// Lines are numbered by range, and within a range by their offset to the side.
    const fn number(range: usize, aside: usize) -> usize {
        range * (range - 1) / 2 + aside
    }

    /// The line to the hex with this relative position, which must be within the range and not the start.
    #[inline]
    pub fn line(&self, to: Hex) -> Line<'_> {
        let Lie { turn, steps, aside } = lie(to);
        let range = steps + aside;
        let number = Lines::number(range as usize, aside as usize);
        let (from, until) = (self.starts[number] as usize, self.starts[number + 1] as usize);
        Line {
            steps: &self.steps[from..until],
            turn,
            range: range as u16,
            row: if aside == 0 { Some(Direction::from_index(turn)) } else { None },
        }
    }
}

impl Line<'_> {
    /// Its steps; with each the range of the hex that it leads to.
    #[inline]
    pub fn steps(self) -> impl Iterator<Item = (Pass, u16)> {
        let mut range = 0;
        self.steps.iter().map(move |step| {
            let direction = TURNED[self.turn][usize::from(step & 7)];
            let pass = match step >> 3 & 3 {
                CROSS => Pass::Cross(direction),
                CORNER => Pass::Corner(direction),
                _ => Pass::Along(direction),
            };
            range += match pass {
                Pass::Along(_) => 2,
                _ => u16::from(step >> 5),
            };
            (pass, range)
        })
    }
}

/// The directions, rotated by each number of sixths.
const TURNED: [[Direction; 8]; 6] = {
    let mut all = [[Direction::D0; 8]; 6];
    let mut turn = 0;
    while turn < 6 {
        let mut d = 0;
        while d < 8 {
            all[turn][d] = Direction::from_index(d + turn);
            d += 1;
        }
        turn += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_grid() {
        let lines = Lines::new(12);
        for to in Hex::ORIGIN.range(12).filter(|to| *to != Hex::ORIGIN) {
            let line = lines.line(to);
            assert_eq!(u32::from(line.range), to.distance(Hex::ORIGIN));
            let mut here = Hex::ORIGIN;
            let mut moves = Moves::new(Hex::ORIGIN, to);
            for (pass, range) in line.steps() {
                let expected = moves.next().unwrap();
                here = match (pass, expected) {
                    (Pass::Cross(d), Move::Cross(e)) if d == e => here.neighbour(d),
                    (Pass::Corner(d), Move::Corner { into, .. }) if d == into => here.neighbour(d),
                    (Pass::Along(d), Move::Along { left, right }) if (d, d.clockwise()) == (left, right) => {
                        here.neighbour(left).neighbour(right)
                    }
                    _ => panic!("{to}: another step"),
                };
                assert_eq!(u32::from(range), here.distance(Hex::ORIGIN), "{to}");
            }
            assert_eq!((here, moves.next()), (to, None));
            assert_eq!(
                line.row.is_some(),
                Direction::ALL.into_iter().any(|d| Hex::ORIGIN.ray(d).take(14).any(|h| h == to))
            );
        }
    }
}
