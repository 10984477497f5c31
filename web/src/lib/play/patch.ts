// Views change by patches; log lines come, and go when a decision is undone.

import type { LogLine, Panel, View, ViewPatch } from '../protocol';

export function patched(view: View, patch: ViewPatch): View {
  const next: View = { ...view };
  if (patch.turn !== undefined) next.turn = patch.turn;
  if (patch.markers) next.markers = patch.markers;
  if (patch.panels?.length || patch.panel_order) next.panels = patchedPanels(view.panels, patch);
  if (patch.lines) next.lines = patch.lines;
  if (patch.extra !== undefined) next.extra = patch.extra;
  if (patch.pieces?.length || patch.gone?.length) {
    const gone = new Set(patch.gone);
    const changed = new Map(patch.pieces?.map((p) => [p.id, p]));
    const pieces = [];
    for (const piece of view.pieces) {
      if (gone.has(piece.id)) continue;
      const newer = changed.get(piece.id);
      changed.delete(piece.id);
      pieces.push(newer ?? piece);
    }
    next.pieces = [...pieces, ...changed.values()];
  }
  return next;
}

/** Changed panels replace the old ones; `panel_order` lists all of them if some were added or removed. */
function patchedPanels(panels: Panel[], patch: ViewPatch): Panel[] {
  const byId = new Map([...panels, ...(patch.panels ?? [])].map((p) => [p.id, p]));
  const order = patch.panel_order ?? [...byId.keys()];
  return order.flatMap((id) => byId.get(id) ?? []);
}

/** Append lines; those of decisions from `undone` on are dropped, and none is added twice. */
export function withLines(lines: LogLine[], more: LogLine[], undone?: number | null): LogLine[] {
  const kept = undone === undefined || undone === null ? lines : lines.filter((l) => l.decision <= undone);
  const last = kept.at(-1)?.seq ?? -1;
  const fresh = more.filter((l) => l.seq > last || undone != null);
  return fresh.length === 0 && kept === lines ? lines : [...kept, ...fresh];
}
