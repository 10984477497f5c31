// The course of a game, from its log and its past views: when each turn began, how strong each side was, how the dice fell.

import type { LogLine, Message, View } from '../protocol';

/** The first decision of each turn, and the end; at most so many of them. */
export function turnStarts(lines: LogLine[], last: number, most = 24): { turn: number; decision: number }[] {
  const starts = lines
    .filter((line) => line.entry.level === 0 && /(^|\.)turn$/.test(line.entry.message.key))
    .map((line, i) => ({ turn: i + 1, decision: line.decision }))
    .filter((start, i, all) => all.findIndex((other) => other.decision === start.decision) === i);
  const step = Math.max(1, Math.ceil(starts.length / most));
  const kept = starts.filter((_, i) => i % step === 0);
  return kept.at(-1)?.decision === last ? kept : [...kept, { turn: starts.length + 1, decision: last }];
}

/** Units of a side on the map; one that lost strength counts half. */
export function strength(view: View, seat: number, isCell: (id: string) => boolean): number {
  return view.pieces.filter((p) => p.seat === seat && isCell(p.at)).reduce((all, p) => all + (p.face.reduced ? 0.5 : 1), 0);
}

/** A turn that cost a side much, compared with the other side. */
export interface Blow {
  turn: number;
  decision: number;
  seat: number;
  lost: number;
}

/** The heaviest blow to each side, from its strength at the turn's start and end. */
export function blows(course: { turn: number; decision: number; by: number[] }[]): Blow[] {
  const worst = new Map<number, Blow>();
  course.slice(1).forEach((point, i) => {
    const before = course[i]!;
    point.by.forEach((now, seat) => {
      const lost = (before.by[seat] ?? 0) - now;
      if (lost > (worst.get(seat)?.lost ?? 0)) worst.set(seat, { turn: before.turn, decision: before.decision, seat, lost });
    });
  });
  return [...worst.values()].sort((a, b) => b.lost - a.lost);
}

export interface Dice {
  count: number;
  sum: number;
  /** What so many dice bring on the average. */
  expected: number;
}

export interface LedgerRow {
  /** What was rolled for; all of it in the first row. */
  purpose: string;
  all: boolean;
  by: Map<number, Dice>;
}

/** Every die of the game by side and purpose, against what dice bring on the average. */
export function ledger(lines: LogLine[], tell: (message: Message) => string): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  const all: LedgerRow = { purpose: '', all: true, by: new Map() };
  for (const { entry } of lines) {
    const data = entry.data as { kind?: string; sides?: number; value?: number } | null | undefined;
    const { seat } = entry;
    if (data?.kind !== 'roll' || typeof data.value !== 'number' || seat === null || seat === undefined) continue;
    const purpose = tell(entry.message).split(/[:：]/)[0] ?? '';
    const row = rows.get(purpose) ?? { purpose, all: false, by: new Map<number, Dice>() };
    rows.set(purpose, row);
    for (const { by } of [row, all]) {
      const dice = by.get(seat) ?? { count: 0, sum: 0, expected: 0 };
      by.set(seat, { count: dice.count + 1, sum: dice.sum + data.value, expected: dice.expected + ((data.sides ?? 6) + 1) / 2 });
    }
  }
  if (all.by.size === 0) return [];
  const weight = (row: LedgerRow): number => [...row.by.values()].reduce((n, dice) => n + dice.count, 0);
  return [all, ...[...rows.values()].sort((a, b) => weight(b) - weight(a)).slice(0, 6)];
}
