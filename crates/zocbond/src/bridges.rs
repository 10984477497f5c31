//! The bridges in play.

use std::fmt::Debug;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

use crate::{Array, MAX_BRIDGES, Stamp};

/// A bridge in play.
pub trait Span: Copy + Default + PartialEq + Debug + Serialize + DeserializeOwned {
    /// Whether units can cross it now.
    fn intact(self) -> bool;
}

/// The state of every bridge, by its number. Only [`Field`](crate::Field) changes it, and renews the stamp with each
/// change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bridges<B: Span> {
    each: Array<B, MAX_BRIDGES>,
    stamp: Stamp,
}

impl<B: Span> Bridges<B> {
    /// Whether neither has changed since one was copied from the other.
    #[inline]
    pub fn untouched(&self, other: &Bridges<B>) -> bool {
        self.stamp.same(other.stamp)
    }

    /// Whether the same bridges are intact. Asked before results computed for one position are reused for another.
    pub fn same_intact(&self, other: &Bridges<B>) -> bool {
        // No early exit, so that the compiler can vectorize the comparison.
        let same =
            || !self.iter().zip(other.iter()).fold(false, |any, (a, b)| any | (a.intact() != b.intact()));
        debug_assert!(same() || !self.untouched(other));
        self.untouched(other) || same()
    }

    #[inline]
    pub fn get(&self, bridge: usize) -> B {
        self.each[bridge]
    }

    pub fn iter(&self) -> std::slice::Iter<'_, B> {
        self.each.iter()
    }

    pub(crate) fn all_mut(&mut self) -> &mut [B; MAX_BRIDGES] {
        self.stamp.renew();
        &mut self.each
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, bridge: usize) -> &mut B {
        self.stamp.renew();
        &mut self.each[bridge]
    }
}

impl<'a, B: Span> IntoIterator for &'a Bridges<B> {
    type Item = &'a B;
    type IntoIter = std::slice::Iter<'a, B>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<B: Span> Serialize for Bridges<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.each.serialize(serializer)
    }
}

impl<'de, B: Span> Deserialize<'de> for Bridges<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Bridges { each: Array::deserialize(deserializer)?, stamp: Stamp::default() })
    }
}
