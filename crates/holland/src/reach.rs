//! Where a unit can go, and the cheapest way there (8.1).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hexgrid::{HexId, HexSet};
use zocbond::Points;

use crate::movement::{Mover, Stride};
use crate::state::State;
use crate::world::Holland;

/// No node before this one.
const NO_NODE: u32 = u32::MAX;

/// Woods entered are part of where a unit stands on its way (8.6.1): none, one, or two and more.
const WOODS: usize = 3;

/// A place on a way: a hex with the Woods entered before.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The search that it belongs to.
    made: u32,
    /// What the cheapest way to it costs; of equals the shorter.
    key: u32,
    stride: Stride,
    before: u32,
}

/// Memory for the search of moves, kept from one to the next.
#[derive(Debug, Default)]
struct Room {
    made: u32,
    nodes: Vec<Node>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    touched: HexSet,
    path: Vec<HexId>,
}

impl Room {
    fn begin(&mut self, hexes: usize) {
        self.made = self.made.wrapping_add(1);
        let unused = Node {
            made: self.made.wrapping_sub(1),
            key: 0,
            stride: Stride::start(HexId(0)),
            before: NO_NODE,
        };
        if self.nodes.len() < hexes * WOODS || self.made == 0 {
            self.nodes.clear();
            self.nodes.resize(hexes * WOODS, unused);
        }
        self.open.clear();
        self.touched = HexSet::new();
    }

    fn offer(&mut self, at: Stride, before: u32) {
        let node = at.at.index() * WOODS + usize::from(at.woods).min(WOODS - 1);
        let key = u32::from(at.spent.twelfths()) * 64 + u32::from(at.hexes);
        let known = &mut self.nodes[node];
        if known.made != self.made || key < known.key {
            *known = Node { made: self.made, key, stride: at, before };
            self.open.push(Reverse((key, node as u32)));
            self.touched.insert(at.at);
        }
    }

    /// The cheapest place from which the way goes on.
    fn next(&mut self) -> Option<(u32, Stride)> {
        loop {
            let Reverse((key, node)) = self.open.pop()?;
            let known = self.nodes[node as usize];
            if key == known.key && !known.stride.stopped {
                return Some((node, known.stride));
            }
        }
    }

    fn best_in(&self, hex: HexId) -> Option<(u32, Stride)> {
        let first = hex.index() * WOODS;
        let found = (first..first + WOODS).filter(|n| self.nodes[*n].made == self.made);
        let best = found.min_by_key(|n| self.nodes[*n].key)?;
        Some((best as u32, self.nodes[best].stride))
    }

    /// The way to a node, without the hexes entered before the search.
    fn trace(&mut self, end: u32, begun: u8) {
        self.path.clear();
        let mut node = end;
        while let Some(known) = self.nodes.get(node as usize) {
            if known.stride.hexes > begun {
                self.path.push(known.stride.at);
            }
            node = known.before;
        }
        self.path.reverse();
    }
}

thread_local! {
    static REACH: std::cell::RefCell<Room> = std::cell::RefCell::default();
}

impl Holland {
    /// Every hex that the mover can end in, with the cheapest way there.
    pub fn reach(&self, s: &State, m: &Mover, starts: &[HexId], each: impl FnMut(HexId, &[HexId], Points)) {
        self.reach_on(s, m, m.start.map(Stride::start), starts, each);
    }

    /// The same from as far as the mover has come.
    pub fn reach_on(
        &self,
        s: &State,
        m: &Mover,
        from: Option<Stride>,
        starts: &[HexId],
        mut each: impl FnMut(HexId, &[HexId], Points),
    ) {
        let mut room = REACH.take();
        room.begin(self.map.board.len());
        let begun = from.map_or(0, |at| at.hexes);
        match from {
            Some(at) => room.offer(at, NO_NODE),
            None => {
                for hex in starts {
                    if let Ok(at) = self.step(s, m, None, *hex) {
                        room.offer(at, NO_NODE);
                    }
                }
            }
        }
        while let Some((node, at)) = room.next() {
            for to in self.land.topology.neighbours(at.at) {
                if let Ok(next) = self.step(s, m, Some(at), to) {
                    room.offer(next, node);
                }
            }
        }
        let touched = room.touched;
        touched.each(|hex| {
            let Some((end, at)) = room.best_in(hex) else { return };
            if at.hexes == begun || self.may_end(s, m, &at).is_err() {
                return;
            }
            room.trace(end, begun);
            each(hex, &room.path, at.spent);
        });
        REACH.set(room);
    }
}
