//! The part of a position that the shared code knows: counters and their stacks, zones of control, control of hexes,
//! bridges.
//!
//! Everything is private and changed by methods only, each of which gives the field a new [stamp](Field::stamp), so that
//! what was worked out for one position is never taken for another's. Counters are moved by [`crate::board`] alone, which
//! keeps the sets of hexes up to date.

use std::{fmt::Debug, marker::PhantomData};

use hexgrid::{HexId, HexSet};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Array, Bridges, Link, MAX_BRIDGES, MAX_HEXES, MAX_UNITS, Side, Span, Stamp, UnitId, UnitSet,
    changes::Changes,
};

/// A counter in play: where it is, and its markers. How it is stored is the game's affair.
pub trait Piece: Copy + Default + PartialEq + Debug + Serialize + DeserializeOwned {
    /// Where units of the game can be.
    type Place: Copy;

    /// The hex, if the unit is on the map.
    fn hex(&self) -> Option<HexId>;

    /// On the map, beside it or beyond it, and not merely expected, in a pool, dead or gone.
    fn in_game(&self) -> bool;

    /// The unit under this one in its stack.
    fn below(&self) -> Link;

    fn hex_of(place: Self::Place) -> Option<HexId>;

    /// Only [`crate::board`] has the key: stacks and sets depend on it.
    fn set_place(&mut self, place: Self::Place, key: Key);

    fn set_below(&mut self, below: Link, key: Key);

    /// Its markers come off: the unit leaves the map for good or for a while.
    fn clear_markers(&mut self);
}

/// Allows a unit to be moved. Only this crate can make one.
#[derive(Clone, Copy, Debug)]
pub struct Key(());

impl Key {
    pub(crate) const KEY: Key = Key(());
}

/// Counters, stacks, zones of control, control and bridges. Sets are kept by side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "U: Piece, B: Span", deserialize = "U: Piece, B: Span"))]
pub struct Field<S: Side, U: Piece, B: Span> {
    pub(crate) units: Array<U, MAX_UNITS>,
    pub(crate) in_game: [UnitSet; 2],
    /// The top unit of each hex's stack.
    pub(crate) top: Array<Link, MAX_HEXES>,
    pub(crate) held: [HexSet; 2],
    /// Hexes with a unit whose ZOC reaches all six neighbours, whatever the land is like.
    pub(crate) full_zoc: [HexSet; 2],
    pub(crate) bonding: [HexSet; 2],
    pub(crate) zoc: [HexSet; 2],
    pub(crate) near: [HexSet; 2],
    /// Hexes controlled by the first side; all others are the second's.
    control: HexSet,
    bridges: Bridges<B>,
    #[serde(skip)]
    pub(crate) changes: Changes,
    #[serde(skip)]
    pub(crate) stands: [Stamp; 2],
    #[serde(skip)]
    stamp: Stamp,
    #[serde(skip)]
    side: PhantomData<S>,
}

impl<S: Side, U: Piece, B: Span> Default for Field<S, U, B> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<S: Side, U: Piece, B: Span> Field<S, U, B> {
    /// No unit placed, all bridges as they are by default, everything controlled by the second side.
    pub fn empty() -> Self {
        Field {
            units: Array::default(),
            in_game: [UnitSet::EMPTY; 2],
            top: Array::default(),
            held: [HexSet::EMPTY; 2],
            full_zoc: [HexSet::EMPTY; 2],
            bonding: [HexSet::EMPTY; 2],
            zoc: [HexSet::EMPTY; 2],
            near: [HexSet::EMPTY; 2],
            control: HexSet::EMPTY,
            bridges: Bridges::default(),
            changes: Changes::default(),
            stands: <[Stamp; 2]>::default(),
            stamp: Stamp::default(),
            side: PhantomData,
        }
    }

    // Stamps

    /// Another one whenever the position changes.
    #[inline]
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The position has changed, here or in what the game keeps besides.
    #[inline]
    pub fn renew_stamp(&mut self) {
        self.stamp.renew();
    }

    /// Another one whenever a unit of the side is put somewhere else: `held`, `near` and what else depends on where units
    /// stand alone need not be compared.
    #[inline]
    pub fn stands(&self, side: S) -> Stamp {
        self.stands[side.index()]
    }

    // Units

    #[inline]
    pub fn unit(&self, id: UnitId) -> &U {
        &self.units[id.index()]
    }

    /// A unit to be changed; moving it is the affair of [`crate::board`].
    #[inline]
    pub fn unit_mut(&mut self, id: UnitId) -> &mut U {
        self.stamp.renew();
        let unit = &mut self.units[id.index()];
        self.changes.touch(id, unit.hex());
        unit
    }

    /// All units, those included that the game does not have.
    #[inline]
    pub fn units(&self) -> &[U; MAX_UNITS] {
        &self.units
    }

    /// All units, for changes that make no stack heavier or lighter.
    pub fn all_units_mut(&mut self) -> &mut [U; MAX_UNITS] {
        self.stamp.renew();
        self.changes.touch_all_units();
        &mut self.units
    }

    /// Units of a side on the map, beside it or beyond it ([`Piece::in_game`]).
    #[inline]
    pub fn in_game(&self, side: S) -> &UnitSet {
        &self.in_game[side.index()]
    }

    /// What has changed since [`Field::forget_changes`].
    #[inline]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    pub fn forget_changes(&mut self) {
        self.changes.clear();
    }

    // Stacks

    /// The units of a hex, top of the stack first.
    #[inline]
    pub fn stack(&self, hex: HexId) -> Stack<'_, U> {
        Stack { units: &self.units, next: self.top[hex.index()] }
    }

    /// The unit under this one.
    #[inline]
    pub fn below(&self, unit: UnitId) -> Option<UnitId> {
        self.unit(unit).below().unit()
    }

    /// Is anybody there?
    #[inline]
    pub fn occupied(&self, hex: HexId) -> bool {
        self.top[hex.index()] != Link::NONE
    }

    // Sets of hexes

    /// Hexes with units of a side.
    #[inline]
    pub fn held(&self, side: S) -> &HexSet {
        &self.held[side.index()]
    }

    /// Hexes with a unit of a side that can be an end of a bond.
    #[inline]
    pub fn bonding(&self, side: S) -> &HexSet {
        &self.bonding[side.index()]
    }

    /// The zones of control of a side.
    #[inline]
    pub fn zoc(&self, side: S) -> &HexSet {
        &self.zoc[side.index()]
    }

    /// Hexes adjacent to a unit of a side, whether its ZOC reaches them or not.
    #[inline]
    pub fn near(&self, side: S) -> &HexSet {
        &self.near[side.index()]
    }

    /// Who holds the hex: the side of the units in it.
    #[inline]
    pub fn holder(&self, hex: HexId) -> Option<S> {
        S::ALL.into_iter().find(|side| self.held(*side).contains(hex))
    }

    // Control

    /// The side whose unit was last in the hex.
    #[inline]
    pub fn last_holder(&self, hex: HexId) -> S {
        S::ALL[usize::from(!self.control.contains(hex))]
    }

    /// Hexes whose [last holder](Field::last_holder) is the first side; all others are the second's.
    #[inline]
    pub fn first_side_control(&self) -> &HexSet {
        &self.control
    }

    pub fn set_control(&mut self, hex: HexId, side: S) {
        self.stamp.renew();
        self.control.set(hex, side.index() == 0);
    }

    pub fn set_control_of_all(&mut self, hexes: &HexSet, side: S) {
        self.stamp.renew();
        if side.index() == 0 {
            self.control.union_with(hexes);
        } else {
            self.control.subtract(hexes);
        }
    }

    // Bridges

    #[inline]
    pub fn bridges(&self) -> &Bridges<B> {
        &self.bridges
    }

    #[inline]
    pub fn bridge(&self, bridge: usize) -> B {
        self.bridges.get(bridge)
    }

    /// All bridges, those included that the map does not have.
    pub fn bridges_mut(&mut self) -> &mut [B; MAX_BRIDGES] {
        self.stamp.renew();
        self.bridges.all_mut()
    }

    #[inline]
    pub fn bridge_mut(&mut self, bridge: usize) -> &mut B {
        self.stamp.renew();
        self.bridges.get_mut(bridge)
    }
}

/// The sets of one side, to be invented by tests of what reads them.
#[cfg(feature = "invented-sets")]
#[derive(Clone, Copy, Debug)]
pub struct Sets {
    pub held: HexSet,
    pub near: HexSet,
    pub bonding: HexSet,
    pub zoc: HexSet,
}

#[cfg(feature = "invented-sets")]
impl<S: Side, U: Piece, B: Span> Field<S, U, B> {
    /// Make the sets of a side say something that no counters stand for.
    pub fn invent(&mut self, side: S, sets: &Sets) {
        let i = side.index();
        (self.held[i], self.near[i]) = (sets.held, sets.near);
        (self.bonding[i], self.zoc[i]) = (sets.bonding, sets.zoc);
        self.stands[i].renew();
        self.stamp.renew();
    }
}

/// The units of a stack, from the top.
#[derive(Clone, Debug)]
pub struct Stack<'a, U> {
    units: &'a [U; MAX_UNITS],
    next: Link,
}

impl<U: Piece> Iterator for Stack<'_, U> {
    type Item = UnitId;

    #[inline]
    fn next(&mut self) -> Option<UnitId> {
        let id = self.next.unit()?;
        self.next = self.units[id.index()].below();
        Some(id)
    }
}
