//! Sets of hexes and of hexsides as bits, of a size that fits every [`Board`](crate::Board).

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::{HexId, SideId};

/// A dense index that can be a member of a [`BitSet`].
pub trait Index: Copy + fmt::Debug {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// A set of small indices, stored in place: copying it allocates nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitSet<I, const WORDS: usize> {
    words: [u64; WORDS],
    of: PhantomData<I>,
}

/// A set of hexes of one board.
pub type HexSet = BitSet<HexId, 64>;

/// A set of hexsides of one board.
pub type SideSet = BitSet<SideId, 208>;

impl<I: Index, const WORDS: usize> BitSet<I, WORDS> {
    /// One more than the highest index it can hold.
    pub const CAPACITY: usize = WORDS * 64;

    pub const EMPTY: Self = Self { words: [0; WORDS], of: PhantomData };

    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// The first `count` indices.
    pub fn first(count: usize) -> Self {
        let mut set = Self::EMPTY;
        for (n, word) in set.words.iter_mut().enumerate() {
            let bits = count.saturating_sub(n * 64).min(64);
            *word = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        }
        set
    }

    /// The indices whose byte is 1; every other byte must be 0. Bytes after the last whole group of eight are ignored.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        /// Brings the lowest bits of eight bytes together in the highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let mut set = Self::EMPTY;
        for (word, bytes) in set.words.iter_mut().zip(bytes.chunks(64)) {
            for (n, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
                *word |= (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << (8 * n);
            }
        }
        set
    }

    /// The reverse: 1 for each member, 0 otherwise, for whole groups of eight bytes.
    pub fn to_bytes(&self, bytes: &mut [u8]) {
        /// Bit `n` of byte `n`; adding `LIFT` then sets the highest bit of every byte that is not 0.
        const DIAGONAL: u64 = 0x8040_2010_0804_0201;
        const LIFT: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        const ONES: u64 = 0x0101_0101_0101_0101;
        for (word, bytes) in self.words.iter().zip(bytes.chunks_mut(64)) {
            for (bits, eight) in word.to_le_bytes().into_iter().zip(bytes.as_chunks_mut::<8>().0) {
                let spread = u64::from(bits).wrapping_mul(ONES) & DIAGONAL;
                *eight = ((spread + LIFT) >> 7 & ONES).to_le_bytes();
            }
        }
    }

    /// Adds a member; returns whether it was new. An index beyond the capacity is on no board and is never added.
    #[inline]
    pub fn insert(&mut self, member: I) -> bool {
        let (word, bit) = place(member);
        let Some(word) = self.words.get_mut(word) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Removes a member; returns whether it was there.
    #[inline]
    pub fn remove(&mut self, member: I) -> bool {
        let (word, bit) = place(member);
        let Some(word) = self.words.get_mut(word) else { return false };
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// Adds or removes a member without branching.
    #[inline]
    pub fn set(&mut self, member: I, on: bool) {
        let (word, bit) = place(member);
        if let Some(word) = self.words.get_mut(word) {
            *word = *word & !bit | (bit * u64::from(on));
        }
    }

    #[inline]
    pub fn contains(&self, member: I) -> bool {
        let (word, bit) = place(member);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// The members among the 64 indices from `first` on, as bits. Indices beyond the capacity wrap around.
    #[inline]
    pub fn bits_at(&self, first: usize) -> u64 {
        let (n, shift) = (first / 64, first % 64);
        self.words[n % WORDS] >> shift | self.words[(n + 1) % WORDS] << 1 << (63 - shift)
    }

    /// Adds the members set in `bits`.
    #[inline]
    pub fn insert_at(&mut self, first: usize, bits: u64) {
        let (n, shift) = (first / 64, first % 64);
        self.words[n % WORDS] |= bits << shift;
        self.words[(n + 1) % WORDS] |= bits >> 1 >> (63 - shift);
    }

    /// Removes the members set in `bits`.
    #[inline]
    pub fn remove_at(&mut self, first: usize, bits: u64) {
        let (n, shift) = (first / 64, first % 64);
        self.words[n % WORDS] &= !(bits << shift);
        self.words[(n + 1) % WORDS] &= !(bits >> 1 >> (63 - shift));
    }

    #[inline]
    pub fn clear(&mut self) {
        self.words = [0; WORDS];
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// Adds every member of the other.
    pub fn union_with(&mut self, other: &Self) {
        add(&mut self.words, &other.words);
    }

    /// Keeps only the members that the other has too.
    pub fn intersect_with(&mut self, other: &Self) {
        keep(&mut self.words, &other.words);
    }

    /// Removes every member of the other.
    pub fn subtract(&mut self, other: &Self) {
        take_away(&mut self.words, &other.words);
    }

    /// The members of any of these.
    pub fn union_of<const SETS: usize>(sets: [&Self; SETS]) -> Self {
        let mut all = sets.first().map_or(Self::EMPTY, |first| **first);
        sets.iter().skip(1).for_each(|set| all.union_with(set));
        all
    }

    /// Calls a function for each member, lowest first: faster than [`BitSet::iter`] if all are wanted.
    #[inline]
    pub fn each(&self, mut look: impl FnMut(I)) {
        for (n, &word) in self.words.iter().enumerate() {
            each_bit(n, word, &mut look);
        }
    }

    /// Calls a function for each member that the other has too, lowest first.
    #[inline]
    pub fn each_in(&self, other: &Self, mut look: impl FnMut(I)) {
        for (n, (a, b)) in self.words.iter().zip(&other.words).enumerate() {
            each_bit(n, a & b, &mut look);
        }
    }

    /// Calls a function for each run of consecutive members, lowest first, as ranges of indices: faster still if most
    /// are wanted.
    #[inline]
    pub fn each_run(&self, mut look: impl FnMut(std::ops::Range<usize>)) {
        for (n, &word) in self.words.iter().enumerate() {
            let (mut bits, mut at) = (word, n * 64);
            while bits != 0 {
                let gap = bits.trailing_zeros();
                let run = (bits >> gap).trailing_ones();
                at += gap as usize;
                look(at..at + run as usize);
                at += run as usize;
                bits = bits.checked_shr(gap + run).unwrap_or(0);
            }
        }
    }

    /// The members, lowest first.
    #[inline]
    pub fn iter(&self) -> Iter<'_, I> {
        Iter { words: &self.words, base: 0, bits: self.words.first().copied().unwrap_or(0), of: PhantomData }
    }
}

// One short loop of each kind is shared by all sets of the program: unrolled for many words at every use, they would
// crowd everything else out of the instruction cache.

#[inline(never)]
fn add(words: &mut [u64], others: &[u64]) {
    words.iter_mut().zip(others).for_each(|(a, b)| *a |= b);
}

#[inline(never)]
fn keep(words: &mut [u64], others: &[u64]) {
    words.iter_mut().zip(others).for_each(|(a, b)| *a &= b);
}

#[inline(never)]
fn take_away(words: &mut [u64], others: &[u64]) {
    words.iter_mut().zip(others).for_each(|(a, b)| *a &= !b);
}

/// Calls a function for each member in the word with this index.
#[inline]
fn each_bit<I: Index>(word: usize, mut bits: u64, look: &mut impl FnMut(I)) {
    while bits != 0 {
        look(I::from_index(word * 64 + bits.trailing_zeros() as usize));
        bits &= bits - 1;
    }
}

#[inline]
fn place<I: Index>(member: I) -> (usize, u64) {
    let index = member.index();
    (index / 64, 1 << (index % 64))
}

/// See [`BitSet::iter`].
#[derive(Clone, Debug)]
pub struct Iter<'a, I> {
    /// The word of `bits` and those after it.
    words: &'a [u64],
    base: usize,
    bits: u64,
    of: PhantomData<I>,
}

impl<I> Iter<'_, I> {
    /// Moves to the next word, if there is one.
    #[inline]
    fn next_word(&mut self) -> Option<()> {
        self.words = self.words.get(1..)?;
        self.bits = *self.words.first()?;
        self.base += 64;
        Some(())
    }
}

impl<I: Index> Iterator for Iter<'_, I> {
    type Item = I;

    #[inline]
    fn next(&mut self) -> Option<I> {
        while self.bits == 0 {
            self.next_word()?;
        }
        let index = self.base + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(I::from_index(index))
    }

    /// Counts whole words instead of scanning them.
    #[inline]
    fn nth(&mut self, mut n: usize) -> Option<I> {
        loop {
            let here = self.bits.count_ones() as usize;
            if n < here {
                break;
            }
            n -= here;
            self.bits = 0;
            self.next_word()?;
        }
        for _ in 0..n {
            self.bits &= self.bits - 1;
        }
        self.next()
    }
}

impl<'a, I: Index, const WORDS: usize> IntoIterator for &'a BitSet<I, WORDS> {
    type Item = I;
    type IntoIter = Iter<'a, I>;

    fn into_iter(self) -> Iter<'a, I> {
        self.iter()
    }
}

impl<I: Index, const WORDS: usize> Default for BitSet<I, WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<I: Index, const WORDS: usize> fmt::Debug for BitSet<I, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Index::index)).finish()
    }
}

impl<I: Index, const WORDS: usize> Extend<I> for BitSet<I, WORDS> {
    fn extend<T: IntoIterator<Item = I>>(&mut self, members: T) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<I: Index, const WORDS: usize> FromIterator<I> for BitSet<I, WORDS> {
    fn from_iter<T: IntoIterator<Item = I>>(members: T) -> Self {
        let mut set = Self::EMPTY;
        set.extend(members);
        set
    }
}

macro_rules! operator {
    ($op:ident $method:ident, $assign:ident $assign_method:ident, $with:ident) => {
        impl<I: Index, const WORDS: usize> $assign<&Self> for BitSet<I, WORDS> {
            fn $assign_method(&mut self, other: &Self) {
                self.$with(other);
            }
        }

        impl<I: Index, const WORDS: usize> $op<&BitSet<I, WORDS>> for &BitSet<I, WORDS> {
            type Output = BitSet<I, WORDS>;

            fn $method(self, other: &BitSet<I, WORDS>) -> BitSet<I, WORDS> {
                let mut set = *self;
                set.$with(other);
                set
            }
        }
    };
}

operator!(BitOr bitor, BitOrAssign bitor_assign, union_with);
operator!(BitAnd bitand, BitAndAssign bitand_assign, intersect_with);
operator!(Sub sub, SubAssign sub_assign, subtract);

/// Serialized as the list of its members.
impl<I: Index, const WORDS: usize> Serialize for BitSet<I, WORDS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Index::index))
    }
}

impl<'de, I: Index, const WORDS: usize> Deserialize<'de> for BitSet<I, WORDS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<I, const WORDS: usize>(PhantomData<I>);

        impl<'de, I: Index, const WORDS: usize> Visitor<'de> for Members<I, WORDS> {
            type Value = BitSet<I, WORDS>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of numbers below {}", WORDS * 64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut set = BitSet::EMPTY;
                while let Some(index) = list.next_element::<u16>()? {
                    if usize::from(index) >= WORDS * 64 {
                        let number = serde::de::Unexpected::Unsigned(index.into());
                        return Err(serde::de::Error::invalid_value(number, &self));
                    }
                    set.insert(I::from_index(index.into()));
                }
                Ok(set)
            }
        }

        deserializer.deserialize_seq(Members(PhantomData))
    }
}
