// The front line of a position: ground belongs to whoever stands nearest, and where it meets the other side's runs the front.
// Made from a view; knows no game.

import type { Geometry } from '../board/geometry';
import type { OverlayLine } from '../board/scene';
import type { Past, Seat, View } from '../protocol';

/** Ground farther than this many cells from any unit belongs to nobody. */
const REACH = 5;

/** The hexsides of the front, as `A/B`. */
export function frontOf(view: View, geometry: Geometry): string[] {
  const holder = new Map<string, Seat | null>();
  for (const { at, seat } of view.pieces) {
    if (seat === null || !geometry.cell(at)) continue;
    holder.set(at, holder.has(at) && holder.get(at) !== seat ? null : seat);
  }
  let edge = [...holder.keys()];
  for (let step = 0; step < REACH && edge.length; step++) {
    // Process all cells of one distance together: cells that two sides reach at once are neutral.
    const found = new Map<string, Seat | null>();
    for (const cell of edge) {
      const own = holder.get(cell) ?? null;
      for (const { id } of geometry.neighbours(cell)) {
        if (holder.has(id)) continue;
        found.set(id, found.has(id) && found.get(id) !== own ? null : own);
      }
    }
    for (const [cell, seat] of found) holder.set(cell, seat);
    edge = [...found.keys()];
  }
  // Neutral ground between two sides counts as the first side's, so that the front is a single line.
  const of = (cell: string): Seat | undefined => (holder.has(cell) ? (holder.get(cell) ?? 0) : undefined);
  const sides: string[] = [];
  for (const cell of holder.keys()) {
    for (const { id } of geometry.neighbours(cell)) if (cell < id && of(id) !== undefined && of(id) !== of(cell)) sides.push(`${cell}/${id}`);
  }
  return sides;
}

const INK = '#7a1f5c';
/** Number of earlier front lines that stay visible. */
const KEPT = 3;

/** The fronts that a film has shown so far. */
export class Film {
  private seen: { decision: number; edges: string[] }[] = [];

  /** The front of a moment as lines, after faint ones of the moments before it. */
  at(past: Past, geometry: Geometry): OverlayLine[] {
    const { decision, view } = past;
    this.seen = [...this.seen.filter((shown) => shown.decision < decision).slice(-KEPT), { decision, edges: frontOf(view, geometry) }];
    return this.seen.flatMap(({ edges }, i, all) => edges.map((edge) => ({ cells: [], edge, colour: INK, faint: i < all.length - 1 })));
  }
}
