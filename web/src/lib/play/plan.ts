// A plan on the map: an arrow for every unit that would stand somewhere else.

import type { OverlayLine } from '../board/scene';
import type { View } from '../protocol';

const INK = '#11536f';

export function planLines(now: View, then: View | null, isCell: (id: string) => boolean): OverlayLine[] {
  if (!then) return [];
  const before = new Map(now.pieces.map((piece) => [piece.id, piece.at]));
  return then.pieces.flatMap((piece) => {
    const from = before.get(piece.id);
    if (!from || from === piece.at || !isCell(from) || !isCell(piece.at)) return [];
    return [{ cells: [from, piece.at], colour: INK, tone: 'plain' as const, arrow: true, text: '' }];
  });
}
