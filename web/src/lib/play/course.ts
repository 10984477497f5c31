// The course of a game, from its log and past views: the beginning of each turn, each side's strength, the dice.

import type { LogLine, Luck, Message, Piece, RollLuck, Seat, Standing, View } from '../protocol';

/** The decision at which each turn begins, from the log, where the first turn may lack a line. */
export function turnsOf(lines: LogLine[]): { turn: number; decision: number; message: Message }[] {
  return lines
    .filter(({ entry }) => entry.topic === 'turn')
    .map(({ decision, entry: { message, data } }, i) => ({ turn: data?.turn ?? i + 1, decision, message }))
    .filter(({ turn }, i, all) => all.findIndex((other) => other.turn === turn) === i);
}

/** The first decision of each turn and the last decision, thinned to at most `most`. */
export function turnStarts(lines: LogLine[], last: number, most = 24): { turn: number; decision: number }[] {
  const starts = turnsOf(lines)
    .map(({ decision }, i) => ({ turn: i + 1, decision }))
    .filter((start, i, all) => all.findIndex((other) => other.decision === start.decision) === i);
  const step = Math.max(1, Math.ceil(starts.length / most));
  const kept = starts.filter((_, i) => i % step === 0);
  return kept.at(-1)?.decision === last ? kept : [...kept, { turn: starts.length + 1, decision: last }];
}

/** The steps that a counter shows; 1 if it shows none. */
function steps(piece: Piece): number {
  const shown = Number(piece.face.badges?.find((badge) => badge.kind === 'steps')?.text ?? 1);
  return Number.isFinite(shown) ? shown : 1;
}

/** Units of a side on the map, by their steps; weakened or damaged ones count half. */
export function strength(view: View, seat: number, isCell: (id: string) => boolean): number {
  return view.pieces.filter((p) => p.seat === seat && isCell(p.at)).reduce((all, p) => all + (p.face.reduced || p.states?.includes('damaged') ? 0.5 : 1) * steps(p), 0);
}

export interface Dice {
  count: number;
  sum: number;
  /** The average total of these dice. */
  expected: number;
}

export interface LedgerRow {
  /** The purpose of the rolls; the first row is the total. */
  purpose: string;
  all: boolean;
  by: Map<number, Dice>;
}

/** The purpose of a roll: the part of its line before the colon. */
export const purposeOf = (message: Message, tell: (message: Message) => string): string => tell(message).split(/[:：]/)[0] ?? '';

/** All dice of the game by side and purpose, compared with their average. */
export function ledger(lines: LogLine[], tell: (message: Message) => string): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  const all: LedgerRow = { purpose: '', all: true, by: new Map() };
  for (const { entry } of lines) {
    const { data } = entry;
    const { seat } = entry;
    if (data?.kind !== 'roll' || typeof data.value !== 'number' || seat === null || seat === undefined) continue;
    const purpose = purposeOf(entry.message, tell);
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

/** Rolls of one kind by one side: their number, expected value and actual value. */
export interface Worth {
  count: number;
  expected: number;
  actual: number;
}

export interface WorthRow {
  purpose: string;
  all: boolean;
  by: Map<Seat, Worth>;
}

/** The value of the rolls by side and purpose; the first row is the total. */
export function worths(luck: Luck, tell: (message: Message) => string, most = 6): WorthRow[] {
  const rows = new Map<string, WorthRow>();
  const all: WorthRow = { purpose: '', all: true, by: new Map() };
  for (const roll of luck.rolls) {
    const purpose = purposeOf(roll.message, tell);
    const row = rows.get(purpose) ?? { purpose, all: false, by: new Map<Seat, Worth>() };
    rows.set(purpose, row);
    for (const { by } of [row, all]) {
      const { count, expected, actual } = by.get(roll.seat) ?? { count: 0, expected: 0, actual: 0 };
      by.set(roll.seat, { count: count + 1, expected: expected + roll.expected, actual: actual + roll.actual });
    }
  }
  if (all.by.size === 0) return [];
  const weight = (row: WorthRow): number => [...row.by.values()].reduce((n, worth) => n + Math.abs(worth.actual - worth.expected), 0);
  return [all, ...[...rows.values()].sort((a, b) => weight(b) - weight(a)).slice(0, most)];
}

/** How much better than expected the dice fell for the first seat, with twice the standard error. */
export function balance(luck: Luck): { sum: number; sure: number } {
  const sum = luck.rolls.reduce((n, roll) => n + (roll.seat === 0 ? 1 : -1) * (roll.actual - roll.expected), 0);
  return { sum, sure: 2 * Math.sqrt(luck.rolls.reduce((n, roll) => n + roll.error ** 2, 0)) };
}

/** The luckiest and the unluckiest roll of each side. */
export function strokes(luck: Luck): { roll: RollLuck; gain: number }[] {
  const gain = (roll: RollLuck): number => roll.actual - roll.expected;
  const seats = [...new Set(luck.rolls.map((roll) => roll.seat))].sort((a, b) => a - b);
  return seats.flatMap((seat) => {
    const sorted = luck.rolls.filter((roll) => roll.seat === seat).sort((a, b) => gain(b) - gain(a));
    const [best, worst] = [sorted[0]!, sorted.at(-1)!];
    const told = [...(gain(best) > 0 ? [best] : []), ...(worst !== best && gain(worst) < 0 ? [worst] : [])];
    return told.map((roll) => ({ roll, gain: gain(roll) }));
  });
}

/** A smaller change of worth is shown as 0. */
const NOTHING = 0.05;

/** The turn in which the first seat gained most, and the one in which it lost most. */
export function swings(course: Standing[]): { at: Standing; gain: number }[] {
  const all = course.slice(1).map((after, i) => ({ at: course[i]!, gain: after.worth - course[i]!.worth }));
  const sorted = all.sort((a, b) => b.gain - a.gain);
  const [best, worst] = [sorted[0], sorted.at(-1)];
  return [...(best && best.gain > NOTHING ? [best] : []), ...(worst && worst !== best && worst.gain < -NOTHING ? [worst] : [])];
}
