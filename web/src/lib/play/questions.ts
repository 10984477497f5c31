// What games answer about a position, turned into what the board can show.

import { isEdge } from '../board/geometry';
import type { Overlay, OverlayLine, Reach } from '../board/scene';
import { TONES } from '../board/lines';
import type { Area, MapLine, Message, Overlay as TypedOverlay, Seat, Way } from '../protocol';

/** Costs as tints, relative to the unit's allowance, or to the dearest reachable cell if that is unknown. */
export function reachOf(cells: Iterable<string>, costs: ReadonlyMap<string, number>, allowance: number | null): Map<string, Reach> {
  const list = [...cells];
  const known = list.map((id) => costs.get(id)).filter((c) => c !== undefined);
  const budget = allowance ?? Math.max(1, ...known);
  return new Map(
    list.map((id) => {
      const cost = costs.get(id);
      if (cost === undefined) return [id, { step: 1, label: '' }];
      const left = Math.max(0, budget - cost);
      const part = left / budget;
      const step = part >= 0.5 ? 0 : part > 0.15 ? 1 : 2;
      return [id, { step, label: figure(left) }];
    }),
  );
}

/** 1.5 as 1½: movement points come in halves, thirds, quarters and sixths. */
export function figure(n: number): string {
  const whole = Math.trunc(n);
  const part = Math.round((n - whole) * 12);
  const fraction = { 0: '', 2: '⅙', 3: '¼', 4: '⅓', 6: '½', 8: '⅔', 9: '¾', 10: '⅚' }[part];
  if (fraction === undefined) return String(Math.round(n * 100) / 100);
  return fraction && whole === 0 ? fraction : `${whole}${fraction}`;
}

/** A way as the board draws it. */
export function drawnWay(way: Way): { cells: string[]; costs: string[] } {
  return { cells: way.cells, costs: way.costs.map(figure) };
}

export interface OverlayPaint {
  overlays: Overlay[];
  lines: OverlayLine[];
}

type SeatColour = (seat: Seat | null | undefined) => string;

/** Lines as the kernel tells them, as the board draws them. */
export function paintLines(lines: MapLine[], colour: SeatColour): OverlayLine[] {
  return lines.map((line) => {
    const [only] = line.cells;
    const edge = line.cells.length === 1 && only !== undefined && isEdge(only) ? only : undefined;
    return {
      cells: line.cells,
      ...(edge ? { edge } : {}),
      colour: colour(line.seat),
      tone: line.tone,
      ...(line.free === undefined || line.free === null ? {} : { free: line.free }),
      arrow: line.arrow,
      text: line.text,
    };
  });
}

/** Each tone has its pattern, so that areas differ without colour. */
const TONE_PATTERNS = { good: 'fill', doubt: 'dots', bad: 'lines' } as const;

/** How an area is painted; `pattern` is for those that only say whose they are. */
function lookOf(area: Area, colour: SeatColour, pattern: Overlay['pattern']): { colour: string; pattern: Overlay['pattern'] } {
  return area.tone === 'plain' ? { colour: colour(area.seat), pattern } : { colour: TONES[area.tone].colour, pattern: TONE_PATTERNS[area.tone] };
}

/** An entry of the key to the map: what an area means, and how it is painted. */
export interface AreaLook {
  words: string;
  colour: string;
  pattern: Overlay['pattern'];
}

/** The entries for those areas that have a meaning in words. */
export function areaLooks(areas: Area[], colour: SeatColour, pattern: Overlay['pattern'], tell: (message: Message) => string): AreaLook[] {
  return areas.flatMap((area) => (area.label ? [{ words: tell(area.label), ...lookOf(area, colour, pattern) }] : []));
}

/** An answer that says what it paints. */
export function typedOverlay(answer: TypedOverlay, colour: SeatColour, pattern: Overlay['pattern']): OverlayPaint {
  const overlays = (answer.areas ?? []).map((area): Overlay => {
    const written = area.cells.map((id, i) => [id, area.texts?.[i] ?? ''] as const).filter(([, text]) => text);
    const texts = written.length ? new Map(written) : undefined;
    return { cells: area.cells, ...lookOf(area, colour, pattern), ...(texts ? { texts } : {}) };
  });
  return { overlays, lines: paintLines(answer.lines ?? [], colour) };
}
