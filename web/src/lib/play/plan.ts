// A plan on the map: an arrow for every unit that would stand somewhere else, and a faint counter where it is now.

import type { OverlayLine } from '../board/scene';
import type { Piece, View } from '../protocol';

const INK = '#11536f';

export function planLines(now: View, then: View | null, isCell: (id: string) => boolean): OverlayLine[] {
  if (!then) return [];
  const before = new Map(now.pieces.map((piece) => [piece.id, piece.at]));
  return then.pieces.flatMap((piece) => {
    const from = before.get(piece.id);
    if (!from || from === piece.at || !isCell(from) || !isCell(piece.at)) return [];
    return [{ cells: [from, piece.at], colour: INK, tone: 'plain' as const, arrow: true, text: '', over: true }];
  });
}

/** The pieces that a plan moves: as they are now. */
export function movedBy(now: View, then: View | null): Piece[] {
  if (!then) return [];
  const after = new Map(then.pieces.map((piece) => [piece.id, piece.at]));
  return now.pieces.filter((piece) => after.get(piece.id) !== piece.at);
}
