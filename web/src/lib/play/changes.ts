// The differences between two positions, in the terms of a player: units lost, weakened, arrived, moved,
// ground that changed hands, markers placed and removed. Computed from two views; knows no game.

import { stateLook } from '../board/looks';
import type { Marker, Piece, Seat, View } from '../protocol';

export interface Changed {
  /** Pieces that have left the map, by id. */
  lost: Piece[];
  reduced: Piece[];
  arrived: Piece[];
  moved: { piece: Piece; from: string }[];
  /** Cells that passed from one side to another. */
  taken: { cell: string; by: Seat }[];
  placed: Marker[];
  removed: Marker[];
  /** States that pieces got, such as `disrupted`. */
  states: { state: string; pieces: Piece[] }[];
}

const holders = (view: View, isCell: (id: string) => boolean): Map<string, Seat> => {
  const out = new Map<string, Seat>();
  for (const piece of view.pieces) if (piece.seat !== null && isCell(piece.at)) out.set(piece.at, piece.seat);
  return out;
};

const key = (marker: Marker): string => `${marker.kind} ${marker.at} ${marker.seat ?? ''} ${marker.text}`;

export function changesOf(before: View, after: View, isCell: (id: string) => boolean): Changed {
  const old = new Map(before.pieces.map((p) => [p.id, p]));
  const now = new Map(after.pieces.map((p) => [p.id, p]));
  const out: Changed = { lost: [], reduced: [], arrived: [], moved: [], taken: [], placed: [], removed: [], states: [] };
  const states = new Map<string, Piece[]>();
  for (const piece of after.pieces) {
    const was = old.get(piece.id);
    const here = isCell(piece.at);
    if (here && (!was || !isCell(was.at))) out.arrived.push(piece);
    if (!was || !isCell(was.at)) continue;
    if (!here) out.lost.push(piece);
    else if (was.at !== piece.at) out.moved.push({ piece, from: was.at });
    if (here && piece.face.reduced && !was.face.reduced) out.reduced.push(piece);
    for (const state of here ? (piece.states ?? []) : []) {
      if ((was.states ?? []).includes(state) || stateLook(state)?.passing) continue;
      states.set(state, [...(states.get(state) ?? []), piece]);
    }
  }
  for (const piece of before.pieces) if (!now.has(piece.id) && isCell(piece.at)) out.lost.push(piece);
  out.states = [...states].map(([state, pieces]) => ({ state, pieces }));
  const [held, holds] = [holders(before, isCell), holders(after, isCell)];
  for (const [cell, by] of holds) {
    const was = held.get(cell);
    if (was !== undefined && was !== by) out.taken.push({ cell, by });
  }
  const [had, has] = [new Set(before.markers.map(key)), new Set(after.markers.map(key))];
  out.placed = after.markers.filter((m) => !had.has(key(m)));
  // On a hexside the new marker is enough: a bridge that is wired now is not reported a second time as no longer intact.
  const replaced = new Set(out.placed.map((m) => m.at).filter((at) => !isCell(at)));
  out.removed = before.markers.filter((m) => !has.has(key(m)) && !replaced.has(m.at));
  return out;
}

export function isEmpty(c: Changed): boolean {
  return [c.lost, c.reduced, c.arrived, c.moved, c.taken, c.placed, c.removed, c.states].every((list) => list.length === 0);
}
