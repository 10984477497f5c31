//! The difference of two views, so that an update costs what changed and not what is there.

use std::collections::HashMap;

use kernel::view::{Changes, Piece};
use kernel::{Table, View, Viewer};

use crate::protocol::ViewPatch;

/// What a viewer sees change from one state of a table to a later one. None if a patch cannot say it.
pub fn since(before: &dyn Table, after: &dyn Table, viewer: Viewer) -> Option<ViewPatch> {
    let quick = after.changes(before, viewer).map(ViewPatch::from);
    quick.or_else(|| between(&before.view(viewer), &after.view(viewer)))
}

impl From<Changes> for ViewPatch {
    fn from(changes: Changes) -> Self {
        let Changes { turn, pieces, gone, markers, panels, lines, extra } = changes;
        ViewPatch { turn, pieces, gone, markers, panels, lines, extra }
    }
}

/// What turns `old` into `new`. None if a patch cannot say it (a turn view that disappears).
pub fn between(old: &View, new: &View) -> Option<ViewPatch> {
    if new.turn.is_none() && old.turn.is_some() {
        return None;
    }
    let mut patch = ViewPatch::default();
    if old.turn != new.turn {
        patch.turn.clone_from(&new.turn);
    }
    // Most pieces stand where they stood in the list: compare in step first.
    if old.pieces.len() == new.pieces.len() && old.pieces.iter().zip(&new.pieces).all(|(a, b)| a.id == b.id) {
        let changed = old.pieces.iter().zip(&new.pieces).filter(|(a, b)| a != b);
        patch.pieces = changed.map(|(_, b)| b.clone()).collect();
    } else {
        let mut before: HashMap<&str, &Piece> = old.pieces.iter().map(|p| (p.id.as_str(), p)).collect();
        for piece in &new.pieces {
            if before.remove(piece.id.as_str()) != Some(piece) {
                patch.pieces.push(piece.clone());
            }
        }
        patch.gone =
            old.pieces.iter().filter(|p| before.contains_key(p.id.as_str())).map(|p| p.id.clone()).collect();
    }
    if old.markers != new.markers {
        patch.markers = Some(new.markers.clone());
    }
    if old.panels != new.panels {
        patch.panels = Some(new.panels.clone());
    }
    if old.lines != new.lines {
        patch.lines = Some(new.lines.clone());
    }
    if old.extra != new.extra {
        patch.extra = Some(new.extra.clone());
    }
    Some(patch)
}

/// Apply a patch, as the web client does. The order of the pieces is not kept.
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
    if let Some(panels) = patch.panels {
        view.panels = panels;
    }
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
                let patch = between(old, new).unwrap();
                let mut patched = old.clone();
                apply(&mut patched, patch);
                let sorted = |v: &View| {
                    let mut pieces = v.pieces.clone();
                    pieces.sort_by(|a, b| a.id.cmp(&b.id));
                    pieces
                };
                assert_eq!(sorted(&patched), sorted(new));
            }
        }
        // Only the one that moved is sent.
        assert_eq!(between(&views[0], &views[1]).unwrap().pieces.len(), 1);
    }
}
