//! The plain search: each step is decided by the rule itself ([`Holland::step`]). It serves where a move has begun, and
//! the fast search is tested against it.

use hexgrid::{HexId, HexSet};
use zocbond::{
    Points,
    moves::layered::{Layered, LayeredStep, Standing},
};

use super::{Found, ROOM, Room, WOODS, stride};
use crate::movement::{Mover, Stride};
use crate::state::State;
use crate::world::Holland;

impl Holland {
    /// One step, decided by the rule itself.
    pub(super) fn layered_step(
        &self,
        s: &State,
        m: &Mover,
        at: &Standing<bool>,
        to: HexId,
    ) -> Option<LayeredStep<bool>> {
        let next = self.step(s, m, Some(stride(at)), to).ok()?;
        let cost = next.spent.twelfths() - at.cost;
        Some(LayeredStep { cost, layer: next.woods, stop: next.stopped, carry: next.crossed })
    }

    /// Every hex in which a mover that is on its way can end, with the cheapest path there.
    pub fn reach_on(
        &self,
        s: &State,
        m: &Mover,
        from: Stride,
        mut each: impl FnMut(HexId, &[HexId], Points),
    ) {
        ROOM.with_borrow_mut(|Room { plain, .. }| {
            self.find_by_steps(s, m, Some(from), &[], plain);
            self.list_reached(s, m, from.hexes, &mut Found::Plain(plain), &mut each);
        });
    }

    fn find_by_steps(
        &self,
        s: &State,
        m: &Mover,
        from: Option<Stride>,
        starts: &[HexId],
        search: &mut Layered<bool>,
    ) {
        let sources = self.sources_of(s, m, from, starts);
        let budget = m.allowance.twelfths();
        search.search_on(&self.land.topology, WOODS, sources, budget, |at, _, to| {
            self.layered_step(s, m, at, to)
        });
    }

    /// Whether a search has found what the plain one finds.
    pub(super) fn same_as_by_steps(&self, s: &State, m: &Mover, starts: &[HexId], found: &mut Found) -> bool {
        let mut plain = Layered::default();
        self.find_by_steps(s, m, None, starts, &mut plain);
        let within = |at: Standing<bool>| at.cost <= m.allowance.twelfths();
        let hexes = found.hexes().iter().filter(|hex| found.standing(*hex).is_some_and(within));
        let hexes: HexSet = hexes.collect();
        hexes == *plain.hexes()
            && hexes.iter().all(|hex| {
                let mut path = [HexId::NONE; u8::MAX as usize];
                let length = plain.standing(hex).map_or(0, |at| usize::from(at.hexes) + 1);
                found.trace(hex, &mut path[..length]);
                let back = path[..length].iter().rev().copied().take_while(|hex| *hex != HexId::NONE);
                found.standing(hex) == plain.standing(hex).copied() && back.eq(plain.back(hex))
            })
    }
}
