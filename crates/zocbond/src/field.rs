//! The part of a position that the shared code knows: counters and their stacks, zones of control, control of hexes,
//! bridges.
//!
//! Everything is private and changed only by methods, each of which renews the [stamp](Field::stamp) of the field, so
//! that results computed for one position are never used for another. Counters are moved only by [`crate::board`],
//! which keeps the sets of hexes up to date.

use std::{fmt::Debug, marker::PhantomData};

use hexgrid::{HexId, HexSet};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Array, Bridges, Link, MAX_BRIDGES, MAX_HEXES, MAX_UNITS, Side, Span, Stamp, UnitId, UnitSet,
    changes::Changes,
};

/// A counter in play: its place and its markers. The game decides how it is stored.
pub trait Piece: Copy + Default + PartialEq + Debug + Serialize + DeserializeOwned {
    /// Where units of the game can be.
    type Place: Copy;

    /// The hex, if the unit is on the map.
    fn hex(&self) -> Option<HexId>;

    /// Whether the unit takes part in the game: on the map or in a box beside it, and in some games due to arrive or
    /// exited; not in a pool, eliminated or removed.
    fn in_game(&self) -> bool;

    /// The unit under this one in its stack.
    fn below(&self) -> Link;

    fn hex_of(place: Self::Place) -> Option<HexId>;

    /// The key restricts this to [`crate::board`], since stacks and sets depend on it.
    fn set_place(&mut self, place: Self::Place, key: Key);

    fn set_below(&mut self, below: Link, key: Key);

    /// Remove the markers: the unit leaves the map permanently or temporarily.
    fn clear_markers(&mut self);
}

/// Permission to move a unit. Only this crate can create one.
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
    /// Hexes with a unit whose ZOC reaches all six neighbours regardless of terrain.
    pub(crate) full_zoc: [HexSet; 2],
    pub(crate) bonding: [HexSet; 2],
    pub(crate) zoc: [HexSet; 2],
    pub(crate) near: [HexSet; 2],
    /// Hexes controlled by the first side; all others belong to the second.
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
    /// No unit placed, all bridges in their default state, every hex controlled by the second side.
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

    /// Changes whenever the position changes.
    #[inline]
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// To be called when the position has changed, here or in a part kept by the game.
    #[inline]
    pub fn renew_stamp(&mut self) {
        self.stamp.renew();
    }

    /// Changes whenever a unit of the side is moved. As long as it is the same, `held`, `near` and whatever else
    /// depends only on where units stand are unchanged.
    #[inline]
    pub fn stands(&self, side: S) -> Stamp {
        self.stands[side.index()]
    }

    // Units

    #[inline]
    pub fn unit(&self, id: UnitId) -> &U {
        &self.units[id.index()]
    }

    /// A unit, to be changed; only [`crate::board`] can move it.
    #[inline]
    pub fn unit_mut(&mut self, id: UnitId) -> &mut U {
        self.stamp.renew();
        let unit = &mut self.units[id.index()];
        self.changes.touch(id, unit.hex());
        unit
    }

    /// All units, including unused places beyond the game's own.
    #[inline]
    pub fn units(&self) -> &[U; MAX_UNITS] {
        &self.units
    }

    /// All units, for changes that leave the weight of every stack the same.
    pub fn all_units_mut(&mut self) -> &mut [U; MAX_UNITS] {
        self.stamp.renew();
        self.changes.touch_all_units();
        &mut self.units
    }

    /// Units of a side that are in the game ([`Piece::in_game`]).
    #[inline]
    pub fn in_game(&self, side: S) -> &UnitSet {
        &self.in_game[side.index()]
    }

    /// What has changed since [`Field::forget_changes`].
    #[inline]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// What has changed since a position, if that is where they were last forgotten.
    pub fn changes_since(&self, position: Stamp) -> Option<&Changes> {
        self.changes.since(position).then_some(&self.changes)
    }

    pub fn forget_changes(&mut self) {
        self.changes.clear(self.stamp);
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

    /// Whether any unit is in the hex.
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

    /// The side that occupies the hex with units.
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

    /// Hexes whose [last holder](Field::last_holder) is the first side; all others belong to the second.
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

    /// All bridges, including unused places beyond those of the map.
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

/// The sets of one side, to be made up by tests of the code that reads them.
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
    /// Replace the sets of a side by made-up ones that correspond to no counters.
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
