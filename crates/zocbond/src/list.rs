//! Lists of fixed capacity, stored inline, so that copying a state or an action does not touch the heap.

use std::{
    fmt,
    ops::{Deref, DerefMut},
};

use hexgrid::{HexId, SideId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::UnitId;

/// A value that can fill the unused slots of a [`List`].
pub trait Slot: Copy {
    const EMPTY: Self;
}

impl Slot for UnitId {
    const EMPTY: Self = UnitId(u16::MAX);
}

impl Slot for HexId {
    const EMPTY: Self = HexId::NONE;
}

impl Slot for u8 {
    const EMPTY: Self = 0;
}

/// Index of a bridge.
impl Slot for u16 {
    const EMPTY: Self = u16::MAX;
}

impl Slot for i8 {
    const EMPTY: Self = 0;
}

impl Slot for SideId {
    const EMPTY: Self = SideId(u16::MAX);
}

impl Slot for &'static str {
    const EMPTY: Self = "";
}

impl<T: Slot> Slot for Option<T> {
    const EMPTY: Self = None;
}

impl<A: Slot, B: Slot> Slot for (A, B) {
    const EMPTY: Self = (A::EMPTY, B::EMPTY);
}

/// Up to `N` values. [`List::push`] says when a value does not fit; where the rules leave no more than `N`, use
/// [`List::add`].
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    len: u8,
    items: [T; N],
}

impl<T: Slot, const N: usize> List<T, N> {
    pub const EMPTY: Self = List { len: 0, items: [T::EMPTY; N] };
    pub const CAPACITY: usize = N;

    pub const fn new() -> Self {
        Self::EMPTY
    }

    pub fn one(item: T) -> Self {
        let mut list = Self::new();
        list.add(item);
        list
    }

    /// The values of a slice, as many as fit.
    pub fn of(items: &[T]) -> Self {
        let mut list = Self::new();
        let len = items.len().min(N);
        list.items[..len].copy_from_slice(&items[..len]);
        list.len = len as u8;
        list
    }

    /// Adds the values of a slice, as many as fit.
    #[inline]
    pub fn push_all(&mut self, items: &[T]) {
        let len = self.len as usize;
        let fit = items.len().min(N - len);
        self.items[len..len + fit].copy_from_slice(&items[..fit]);
        self.len += fit as u8;
    }

    /// Adds a value; false if the list is full.
    #[must_use = "a value that does not fit is dropped"]
    pub fn push(&mut self, item: T) -> bool {
        let Some(slot) = self.items.get_mut(self.len as usize) else { return false };
        *slot = item;
        self.len += 1;
        true
    }

    /// Adds a value to a list that always has room for it. Should it be full all the same, going on without the value
    /// would skip a rule, so the decision fails instead.
    #[track_caller]
    pub fn add(&mut self, item: T) {
        assert!(self.push(item), "a list of {N} values is full");
    }

    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len as usize])
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn is_full(&self) -> bool {
        self.len as usize == N
    }

    /// Keep the values that pass the test, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(T) -> bool) {
        let mut kept = 0;
        for i in 0..self.len as usize {
            if keep(self.items[i]) {
                self.items[kept] = self.items[i];
                kept += 1;
            }
        }
        self.len = kept as u8;
    }
}

impl<T: Copy + PartialEq, const N: usize> List<T, N> {
    pub fn contains(&self, item: T) -> bool {
        self[..].contains(&item)
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len as usize]
    }
}

impl<T: Slot, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

/// The first `N` values.
impl<T: Slot, const N: usize> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        list.extend(items);
        list
    }
}

/// As many values as fit.
impl<T: Slot, const N: usize> Extend<T> for List<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            if !self.push(item) {
                break;
            }
        }
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, const N: usize> IntoIterator for List<T, N> {
    type Item = T;
    type IntoIter = std::iter::Take<std::array::IntoIter<T, N>>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().take(self.len.into())
    }
}

impl<T: Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Slot + Deserialize<'de>, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::<T>::deserialize(deserializer)?;
        if items.len() > N {
            return Err(D::Error::custom(format!("{} entries in a list of at most {N}", items.len())));
        }
        Ok(items.into_iter().collect())
    }
}

/// An array of `N` values, serialized without trailing default values.
#[derive(Clone, Copy, PartialEq)]
pub struct Array<T, const N: usize>(pub [T; N]);

impl<T: Copy + Default, const N: usize> Default for Array<T, N> {
    fn default() -> Self {
        Array([T::default(); N])
    }
}

impl<T, const N: usize> Deref for Array<T, N> {
    type Target = [T; N];
    fn deref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Array<T, N> {
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T: fmt::Debug + Default + PartialEq, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let empty = T::default();
        f.debug_map().entries(self.0.iter().enumerate().filter(|(_, x)| **x != empty)).finish()
    }
}

impl<T: Serialize + Default + PartialEq, const N: usize> Serialize for Array<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let empty = T::default();
        let used = self.0.iter().rposition(|x| *x != empty).map_or(0, |last| last + 1);
        serializer.collect_seq(&self.0[..used])
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for Array<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::<T>::deserialize(deserializer)?;
        if items.len() > N {
            return Err(D::Error::custom(format!("{} entries in an array of {N}", items.len())));
        }
        let mut array = Self::default();
        array.0[..items.len()].copy_from_slice(&items);
        Ok(array)
    }
}
