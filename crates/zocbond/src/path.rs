//! A path over the map.

use hexgrid::Direction;
use serde::{Deserialize, Serialize};

/// A path over the map as directions, three bits each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    len: u8,
    steps: [u64; 2],
}

impl Path {
    const PER_WORD: usize = 21;
    /// Enough for any move of the family: the longest march is 28 road hexes.
    pub const MAX: usize = 2 * Self::PER_WORD;

    pub const fn len(&self) -> usize {
        self.len as usize
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a step; false if the path is full.
    pub fn push(&mut self, direction: Direction) -> bool {
        let at = self.len();
        if at == Self::MAX {
            return false;
        }
        let (word, at) = if at < Self::PER_WORD { (0, at) } else { (1, at - Self::PER_WORD) };
        self.steps[word] |= (direction.index() as u64) << (at * 3);
        self.len += 1;
        true
    }

    /// Adds a step before all others; false if the path is full.
    pub fn push_front(&mut self, direction: Direction) -> bool {
        const WORD: u64 = (1 << (3 * Path::PER_WORD)) - 1;
        if self.len() == Self::MAX {
            return false;
        }
        let [first, second] = self.steps;
        let last_of_first = first >> (3 * (Self::PER_WORD - 1));
        self.steps = [(first << 3 | direction.index() as u64) & WORD, second << 3 | last_of_first];
        self.len += 1;
        true
    }

    pub fn get(&self, at: usize) -> Option<Direction> {
        (at < self.len()).then(|| {
            let word = self.steps[at / Self::PER_WORD] >> (at % Self::PER_WORD * 3);
            Direction::from_index((word & 7) as usize)
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = Direction> + Clone + use<> {
        let [mut word, next] = self.steps;
        (0..self.len()).map(move |at| {
            if at == Self::PER_WORD {
                word = next;
            }
            let direction = Direction::from_index((word & 7) as usize);
            word >>= 3;
            direction
        })
    }
}

impl FromIterator<Direction> for Path {
    fn from_iter<I: IntoIterator<Item = Direction>>(steps: I) -> Self {
        let mut path = Path::default();
        for step in steps {
            path.push(step);
        }
        path
    }
}

impl std::fmt::Debug for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_grows_at_both_ends() {
        let steps: Vec<Direction> =
            (0..Path::MAX).map(|at| Direction::from_index(at * at + at / 5)).collect();
        let mut backwards = Path::default();
        for (count, step) in steps.iter().rev().enumerate() {
            assert!(backwards.push_front(*step));
            let forwards: Path = steps[steps.len() - count - 1..].iter().copied().collect();
            assert_eq!(backwards, forwards);
        }
        assert!(!backwards.push_front(Direction::ALL[0]), "it is full");
        assert_eq!(backwards.iter().collect::<Vec<_>>(), steps);
        assert!((0..Path::MAX).all(|at| backwards.get(at) == Some(steps[at])));
    }
}
