//! Stacking: the weight of a stack in up to four respects at once.

/// The quantities that a game's stacking limits count, one per byte of a word: stacks are weighed by adding words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight(u32);

impl Weight {
    /// The highest bit of each byte; no count of a stack reaches it.
    const HIGHEST: u32 = 0x8080_8080;

    pub const ZERO: Weight = Weight(0);

    /// The highest value of each count: more than any stack, and a limit that no stack breaks.
    pub const MOST: Weight = Weight(0x7F7F_7F7F);

    /// Four counts. No count of a stack reaches 128.
    pub fn new(counts: [u8; 4]) -> Weight {
        Weight(u32::from_le_bytes(counts.map(|n| n.min(0x7F))))
    }

    #[inline]
    pub fn add(&mut self, more: Weight) {
        self.0 += more.0;
    }

    /// Whether no limit is exceeded.
    #[inline]
    pub fn within(self, limits: Weight) -> bool {
        (limits.0 | Self::HIGHEST).wrapping_sub(self.0) & Self::HIGHEST == Self::HIGHEST
    }

    /// The `N` weights that occur most often, the most frequent first; [`Weight::MOST`] where there are fewer.
    pub fn most_common<const N: usize>(weights: impl IntoIterator<Item = Weight>) -> [Weight; N] {
        let mut kinds: Vec<(Weight, usize)> = Vec::new();
        for weight in weights {
            match kinds.iter_mut().find(|(kind, _)| *kind == weight) {
                Some((_, units)) => *units += 1,
                None => kinds.push((weight, 1)),
            }
        }
        kinds.sort_by_key(|(_, units)| std::cmp::Reverse(*units));
        let mut kinds = kinds.into_iter().map(|(kind, _)| kind);
        std::array::from_fn(|_| kinds.next().unwrap_or(Weight::MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_has_a_limit_of_its_own() {
        let limits = Weight::new([8, 1, 0, 127]);
        for (counts, fits) in [
            ([8, 1, 0, 127], true),
            ([0, 0, 0, 0], true),
            ([9, 0, 0, 0], false),
            ([0, 2, 0, 0], false),
            ([8, 1, 1, 0], false),
        ] {
            assert_eq!(Weight::new(counts).within(limits), fits, "{counts:?}");
        }
        let mut sum = Weight::new([5, 1, 0, 1]);
        sum.add(Weight::new([3, 0, 0, 1]));
        assert!(sum.within(limits));
        sum.add(Weight::new([1, 0, 0, 1]));
        assert!(!sum.within(limits));
    }
}
