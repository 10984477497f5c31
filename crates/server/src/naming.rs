//! What the words of an action name at a table: the server takes actions apart, so that clients need not know how a
//! game writes them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use kernel::reading::{Named, Reading, Subject};
use kernel::{OptionItem, Seat, Table, Template, View, Viewer};

use crate::protocol::{Offer, SeatAsk};
use crate::room::Room;

/// The names that a viewer knows: the cells of the map, and the pieces that it sees.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    cells: Arc<HashSet<String>>,
    pieces: Arc<HashSet<String>>,
}

impl Naming {
    pub fn new(cells: Arc<HashSet<String>>, view: &View) -> Naming {
        let pieces = view.pieces.iter().map(|piece| piece.id.clone()).collect();
        Naming { cells, pieces: Arc::new(pieces) }
    }

    fn named(&self, word: &str) -> Option<Named> {
        if self.pieces.contains(word) {
            return Some(Named::Unit);
        }
        // A hexside is two cells.
        word.split('/').all(|cell| self.cells.contains(cell)).then_some(Named::Place)
    }

    pub fn read(&self, action: &str) -> Reading {
        Reading::of(action, |word| self.named(word))
    }

    pub fn offer(&self, option: OptionItem) -> Offer {
        let OptionItem { action, template, label } = option;
        let reading = self.read(&action);
        let named = template.as_ref().map_or_else(BTreeMap::new, |template| self.candidates(template));
        Offer { action, reading, template, named, label }
    }

    /// The candidates of a template that name a unit by more than its id: `2 of A`, `T1#2:gp`.
    fn candidates(&self, template: &Template) -> BTreeMap<String, Reading> {
        let all = template.parts.iter().flat_map(|slot| &slot.candidates);
        all.filter(|text| self.named(text).is_none())
            .map(|text| (text.clone(), self.read(text)))
            .filter(|(_, reading)| !reading.units.is_empty())
            .collect()
    }

    /// What a seat is asked.
    pub fn ask(&self, table: &dyn Table, seat: Seat) -> SeatAsk {
        let subjects: Vec<String> = table.subjects(seat).into_iter().map(|s| s.subject).collect();
        let named = subjects.iter().map(|s| Subject::of(s, |word| self.named(word))).collect();
        SeatAsk { seat, prompt: table.prompt(seat), subjects, named }
    }
}

impl Room {
    /// The names at this table, or at one that is only planned, as a seat knows them.
    pub fn naming(&self, table: &dyn Table, seat: Seat) -> Naming {
        Naming::new(self.cells(), &table.view(Viewer::Seat(seat)))
    }

    /// The names at this table. They are kept for as long as the position stands.
    pub fn naming_now(&self, seat: Seat) -> Naming {
        let mut kept = self.namings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if kept.0 != self.moment {
            *kept = (self.moment, Vec::new());
        }
        if let Some((_, naming)) = kept.1.iter().find(|(of, _)| *of == seat) {
            return naming.clone();
        }
        let naming = self.naming(self.session.table(), seat);
        kept.1.push((seat, naming.clone()));
        naming
    }

    /// The cells of the map.
    pub fn cells(&self) -> Arc<HashSet<String>> {
        let read = || {
            let board = self.game().board(&self.row.setup);
            Arc::new(board.map(|b| b.cells.into_iter().map(|c| c.id).collect()).unwrap_or_default())
        };
        Arc::clone(self.cells.get_or_init(read))
    }
}
