//! The difference between two views, so that an update costs as much as has changed.

use std::collections::HashMap;

use kernel::view::{Changes, Piece, changed_panels};
use kernel::{Table, View, Viewer};

use crate::protocol::ViewPatch;

/// What a viewer sees change between two states of a table. `None` if a patch cannot express it.
pub fn since(before: &dyn Table, after: &dyn Table, viewer: Viewer) -> Option<ViewPatch> {
    let quick = after.changes(before, viewer);
    quick.or_else(|| between(&before.view(viewer), after.view(viewer))).map(ViewPatch::from)
}

impl From<Changes> for ViewPatch {
    fn from(changes: Changes) -> Self {
        let Changes { turn, pieces, gone, panels, panel_order, markers, lines, extra } = changes;
        ViewPatch { turn, pieces, gone, panels, panel_order, markers, lines, extra }
    }
}

/// The changes that turn `old` into `new`. `None` if a patch cannot express them (the turn view disappears).
pub fn between(old: &View, new: View) -> Option<Changes> {
    if new.turn.is_none() && old.turn.is_some() {
        return None;
    }
    let mut changes = Changes::default();
    // Pieces usually keep their order: compare the lists in step first.
    if old.pieces.len() == new.pieces.len() && old.pieces.iter().zip(&new.pieces).all(|(a, b)| a.id == b.id) {
        let changed = old.pieces.iter().zip(new.pieces).filter(|(a, b)| *a != b);
        changes.pieces = changed.map(|(_, b)| b).collect();
    } else {
        let mut before: HashMap<&str, &Piece> = old.pieces.iter().map(|p| (p.id.as_str(), p)).collect();
        for piece in new.pieces {
            if before.remove(piece.id.as_str()) != Some(&piece) {
                changes.pieces.push(piece);
            }
        }
        changes.gone =
            old.pieces.iter().filter(|p| before.contains_key(p.id.as_str())).map(|p| p.id.clone()).collect();
    }
    changes.turn = new.turn.filter(|turn| old.turn.as_ref() != Some(turn));
    changes.compare_panels(&old.panels, new.panels);
    changes.markers = (old.markers != new.markers).then_some(new.markers);
    changes.lines = (old.lines != new.lines).then_some(new.lines);
    changes.extra = (old.extra != new.extra).then_some(new.extra);
    Some(changes)
}

/// Apply a patch as the web client does. The order of the pieces is not preserved.
pub fn apply(view: &mut View, patch: ViewPatch) {
    if patch.turn.is_some() {
        view.turn = patch.turn;
    }
    view.pieces.retain(|p| !patch.gone.contains(&p.id));
    for piece in patch.pieces {
        match view.pieces.iter_mut().find(|p| p.id == piece.id) {
            Some(old) => *old = piece,
            None => view.pieces.push(piece),
        }
    }
    if let Some(markers) = patch.markers {
        view.markers = markers;
    }
    let panels = std::mem::take(&mut view.panels);
    view.panels = changed_panels(panels, patch.panels, patch.panel_order.as_deref());
    if let Some(lines) = patch.lines {
        view.lines = lines;
    }
    if let Some(extra) = patch.extra {
        view.extra = extra;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(id: &str, at: &str) -> Piece {
        Piece {
            id: id.into(),
            seat: None,
            at: at.into(),
            layer: 0,
            facing: None,
            face: kernel::view::Face::default(),
            states: Vec::new(),
            active: false,
        }
    }

    #[test]
    fn a_patch_leads_from_the_old_view_to_the_new() {
        let view = |pieces: &[(&str, &str)]| View {
            pieces: pieces.iter().map(|(id, at)| piece(id, at)).collect(),
            ..View::default()
        };
        let views = [
            view(&[("a", "1"), ("b", "2")]),
            view(&[("a", "1"), ("b", "3")]),
            view(&[("b", "3"), ("c", "1")]),
            view(&[]),
        ];
        for old in &views {
            for new in &views {
                let changes = between(old, new.clone()).unwrap();
                let mut patched = old.clone();
                apply(&mut patched, changes.into());
                let sorted = |v: &View| {
                    let mut pieces = v.pieces.clone();
                    pieces.sort_by(|a, b| a.id.cmp(&b.id));
                    pieces
                };
                assert_eq!(sorted(&patched), sorted(new));
            }
        }
        // Only the one that moved is sent.
        assert_eq!(between(&views[0], views[1].clone()).unwrap().pieces.len(), 1);
    }

    #[test]
    fn panels_come_and_go_and_keep_their_order() {
        let panel = |id: &str, title: &'static str| kernel::view::Panel {
            id: id.into(),
            title: kernel::Message::new(title),
            rows: Vec::new(),
        };
        let view = |panels: &[(&str, &'static str)]| View {
            panels: panels.iter().map(|(id, title)| panel(id, title)).collect(),
            ..View::default()
        };
        let views = [
            view(&[("dead", "x"), ("track", "x")]),
            view(&[("dead", "y"), ("track", "x")]),
            view(&[("due", "x"), ("dead", "x"), ("track", "x")]),
            view(&[("track", "x"), ("dead", "x")]),
            view(&[]),
        ];
        for old in &views {
            for new in &views {
                let mut patched = old.clone();
                apply(&mut patched, between(old, new.clone()).unwrap().into());
                assert_eq!(&patched, new);
            }
        }
        // Only the one that changed is sent.
        let changes = between(&views[0], views[1].clone()).unwrap();
        assert_eq!((changes.panels.len(), changes.panel_order), (1, None));
    }
}
