import { describe, expect, it } from 'vitest';
import { balance, strokes, swings, worths } from '../src/lib/play/course';
import type { Luck, RollLuck } from '../src/lib/protocol';

const roll = (seat: number, turn: number, expected: number, actual: number, key = 'roll.combat'): RollLuck => ({ decision: turn * 10, turn, seat, message: { key }, expected, actual, error: 0.1 });
const luck: Luck = {
  measure: 'points',
  unreckoned: 0,
  rolls: [roll(0, 1, 1, 3), roll(0, 2, 0.5, -0.5), roll(1, 2, 1, 1.5), roll(1, 3, 0, 0.2, 'roll.traffic')],
  course: [
    { turn: 1, decision: 0, worth: 0 },
    { turn: 2, decision: 40, worth: 3 },
    { turn: 3, decision: 90, worth: -1 },
  ],
};
const tell = (message: { key: string }): string => `${message.key}: 4`;

describe('the luck of a game', () => {
  it('sums what rolls brought against what could be expected, by side and purpose', () => {
    const [all, combat, traffic] = worths(luck, tell);
    expect(all!.all).toBe(true);
    expect(all!.by.get(0)).toEqual({ count: 2, expected: 1.5, actual: 2.5 });
    expect(combat!.purpose).toBe('roll.combat');
    expect(traffic!.by.get(1)).toEqual({ count: 1, expected: 0, actual: 0.2 });
    expect(worths({ ...luck, rolls: [] }, tell)).toEqual([]);
  });
  it('weighs both sides against each other and says how sure it is', () => {
    const { sum, sure } = balance(luck);
    expect(sum).toBeCloseTo(2 - 1 - 0.5 - 0.2);
    expect(sure).toBeCloseTo(0.4);
  });
  it('names the best and worst roll of each side, never a good one as bad', () => {
    expect(strokes(luck).map(({ roll, gain }) => [roll.seat, roll.turn, Math.round(gain * 10) / 10])).toEqual([
      [0, 1, 2],
      [0, 2, -1],
      [1, 2, 0.5],
    ]);
  });
  it('finds the turns that went best for either side', () => {
    expect(swings(luck.course).map(({ at, gain }) => [at.turn, gain])).toEqual([
      [1, 3],
      [2, -4],
    ]);
    expect(swings(luck.course.slice(0, 1))).toEqual([]);
  });
});
