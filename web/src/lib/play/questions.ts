// Questions about a position, and their answers turned into what the board can show. Games answer what they know;
// an unknown question simply shows nothing.

import type { Overlay, OverlayLine, Reach } from '../board/scene';
import { TONES } from '../board/lines';
import type { MapLine, Overlay as TypedOverlay, Refusal, Seat, Sheet } from '../protocol';

/** The odds question for an action such as `attack 1313 with A B artillery G`; null if it names no target. */
export function oddsQuestions(action: string, isUnit: (s: string) => boolean, isPlace: (s: string) => boolean): string[] {
  const tokens = action.split(/\s+/).filter(Boolean);
  const [verb, ...rest] = tokens;
  if (!verb || !/^(attack|fire|assault|shoot|overrun|bombard)$/.test(verb)) return [];
  const place = rest.findIndex(isPlace);
  const target = rest[place];
  if (target === undefined) return [];
  const tail = rest.filter((_, i) => i !== place);
  const first = tail.findIndex(isUnit);
  if (first < 0) return [];
  let end = first;
  while (end < tail.length && isUnit(tail[end]!)) end++;
  const who = tail.slice(first, end).join('+');
  const more = [...tail.slice(0, first).filter((w) => w !== 'with'), ...tail.slice(end)].join(' ');
  const body = `${who} -> ${target}${more ? ` ${more}` : ''}`;
  return [`odds ${body}`, `outcomes ${body}`];
}

/** The sheets of several answers as one: lines of the first that has some, chances of the first that has some. */
export function mergeSheets(answers: unknown[]): Sheet | null {
  const sheets = answers
    .map((a) => (a && typeof a === 'object' ? (a as { sheet?: Sheet }).sheet : undefined))
    .filter((s): s is Sheet => s !== undefined && s !== null);
  if (sheets.length === 0) return null;
  const areas = sheets.flatMap((s) => s.areas ?? []);
  const figures = sheets.flatMap((s) => s.figures ?? []);
  return {
    title: sheets.find((s) => s.title)?.title ?? null,
    lines: sheets.find((s) => s.lines?.length)?.lines ?? [],
    chances: sheets.find((s) => s.chances?.length)?.chances ?? [],
    ...(areas.length ? { areas } : {}),
    ...(figures.length ? { figures } : {}),
  };
}

/** `{ "1313": 2, … }`, or the same under `hexes`: reachable cells with what it costs to get there. */
export function readCosts(answer: unknown, isPlace: (s: string) => boolean): Map<string, number> {
  const out = new Map<string, number>();
  if (!answer || typeof answer !== 'object') return out;
  const nested = answer as Record<string, unknown>;
  const source = nested.hexes && typeof nested.hexes === 'object' ? (nested.hexes as Record<string, unknown>) : nested;
  for (const [key, value] of Object.entries(source)) {
    const cost = typeof value === 'object' && value !== null ? (value as { cost?: unknown }).cost : value;
    if (isPlace(key) && typeof cost === 'number') out.set(key, cost);
  }
  return out;
}

/** What the unit has to spend, where the answer says so. */
export function readAllowance(answer: unknown): number | null {
  const allowance = answer && typeof answer === 'object' ? (answer as { allowance?: unknown }).allowance : null;
  return typeof allowance === 'number' ? allowance : null;
}

/** Costs as tints: the budget is the dearest place that can be reached, or what the unit has. */
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

/** 1.5 as 1½: movement points come in halves and quarters. */
export function figure(n: number): string {
  const whole = Math.trunc(n);
  const part = Math.round((n - whole) * 12);
  const fraction = { 0: '', 3: '¼', 4: '⅓', 6: '½', 8: '⅔', 9: '¾' }[part];
  if (fraction === undefined) return String(Math.round(n * 100) / 100);
  return fraction && whole === 0 ? fraction : `${whole}${fraction}`;
}

/** A refusal in the answer to `why …`, if the answer is one. */
export function readRefusal(answer: unknown): Refusal | null {
  if (!answer || typeof answer !== 'object') return null;
  const a = answer as Record<string, unknown>;
  const inner = (a.illegal ?? a.refusal ?? a) as Record<string, unknown>;
  if (a.legal === true || typeof inner !== 'object' || inner === null) return null;
  const why = inner.why ?? inner.reason;
  if (typeof inner.rule !== 'string') return null;
  const kind = inner.kind === 'out_of_turn' ? 'out_of_turn' : 'forbidden';
  if (why && typeof why === 'object' && 'key' in why) return { rule: inner.rule, why: why as Refusal['why'], kind };
  return typeof why === 'string' ? { rule: inner.rule, why: { key: why }, kind } : null;
}

/** A path with the cost of each step. */
export function readPath(answer: unknown): { cells: string[]; costs: string[] } | null {
  if (!answer || typeof answer !== 'object') return null;
  const a = answer as Record<string, unknown>;
  const cells = a.path ?? a.cells ?? a.hexes;
  if (!Array.isArray(cells) || !cells.every((c) => typeof c === 'string')) return null;
  const costs = a.costs ?? a.steps;
  return { cells, costs: Array.isArray(costs) ? costs.map((c) => (typeof c === 'number' ? figure(c) : String(c))) : [] };
}

export interface OverlayPaint {
  overlays: Overlay[];
  lines: OverlayLine[];
}

/** Cells and lines found anywhere in an answer: lists of places, bonds with their ends, a supply path. */
export function readOverlay(answer: unknown, colour: string, pattern: Overlay['pattern'], isPlace: (s: string) => boolean): OverlayPaint {
  const cells = new Set<string>();
  const lines: OverlayLine[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.includes('/') && isPlace(value)) lines.push({ cells: [], edge: value, colour });
      else if (isPlace(value)) cells.add(value);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (value && typeof value === 'object') {
      const o = value as Record<string, unknown>;
      if (typeof o.through === 'string' && Array.isArray(o.ends)) {
        const [a, b] = o.ends as string[];
        if (a && b) lines.push({ cells: [a, o.through, b], colour });
        cells.add(o.through);
      } else if (typeof o.along === 'string') {
        lines.push({ cells: [], edge: o.along, colour });
        if (Array.isArray(o.ends) && o.ends.length === 2) lines.push({ cells: o.ends as string[], colour });
      } else if (Array.isArray(o.path)) {
        lines.push({ cells: (o.path as unknown[]).filter((p): p is string => typeof p === 'string'), colour });
      } else {
        for (const [key, inner] of Object.entries(o)) {
          if (isPlace(key) && inner === true) cells.add(key);
          else visit(inner);
        }
      }
    }
  };
  visit(answer);
  return { overlays: cells.size ? [{ cells, colour, pattern }] : [], lines };
}

type SeatColour = (seat: Seat | null | undefined) => string;

/** Lines as the kernel tells them, as the board draws them. */
export function paintLines(lines: MapLine[], colour: SeatColour): OverlayLine[] {
  return lines.map((line) => {
    const [only] = line.cells;
    const edge = line.cells.length === 1 && only?.includes('/') ? only : undefined;
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

/** An answer that says what it paints. */
export function typedOverlay(answer: TypedOverlay, colour: SeatColour, pattern: Overlay['pattern']): OverlayPaint {
  const overlays = (answer.areas ?? []).map((area): Overlay => {
    const written = area.cells.map((id, i) => [id, area.texts?.[i] ?? ''] as const).filter(([, text]) => text);
    const texts = written.length ? new Map(written) : undefined;
    const look =
      area.tone === 'plain'
        ? { colour: colour(area.seat), pattern }
        : { colour: TONES[area.tone].colour, pattern: TONE_PATTERNS[area.tone] };
    return { cells: area.cells, ...look, ...(texts ? { texts } : {}) };
  });
  return { overlays, lines: paintLines(answer.lines ?? [], colour) };
}
