import { describe, expect, it } from 'vitest';
import { Geometry } from '../src/lib/board/geometry';
import { balance, strokes, swings, turnsOf, worths } from '../src/lib/play/course';
import { Film, frontOf } from '../src/lib/play/front';
import type { LogLine, Luck, Past, Piece, RollLuck, Topic, View } from '../src/lib/protocol';
import { hexes } from './board.test';

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

describe('the front', () => {
  const geometry = new Geometry(hexes());
  const at = (...places: [string, number][]): View => ({ turn: null, markers: [], panels: [], pieces: places.map(([cell, seat], i) => ({ id: String(i), seat, at: cell }) as Piece) });
  it('runs where the ground of two sides meets, and nowhere else', () => {
    const sides = frontOf(at(['00', 0], ['30', 1]), geometry);
    expect(sides.length).toBeGreaterThan(2);
    // Two columns away from each: the line lies between the first and the last.
    for (const side of sides) expect(side.split('/').some((cell) => /^[12]/.test(cell))).toBe(true);
    expect(frontOf(at(['00', 0], ['20', 0]), geometry)).toEqual([]);
  });
  it('leaves those before it faint, and forgets what comes after', () => {
    const film = new Film();
    const past = (decision: number, view: View): Past => ({ decision, view }) as Past;
    film.at(past(1, at(['00', 0], ['30', 1])), geometry);
    const second = film.at(past(2, at(['10', 0], ['40', 1])), geometry);
    expect(new Set(second.map((line) => line.faint))).toEqual(new Set([true, false]));
    const again = film.at(past(1, at(['00', 0], ['30', 1])), geometry);
    expect(again.every((line) => !line.faint)).toBe(true);
  });
});

it('finds the turns in the report by the number it names', () => {
  const line = (decision: number, topic: Topic, level: number, turn?: number): LogLine => ({ seq: decision, decision, at: 0, entry: { level, topic, message: { key: 'log.x' }, ...(turn ? { data: { turn } } : {}) } }) as LogLine;
  // A turn that is told twice, once for each side, begins where it is told first.
  expect(turnsOf([line(1, 'turn', 0, 4), line(3, 'move', 1), line(5, 'turn', 0, 4), line(9, 'turn', 0)]).map(({ turn, decision }) => [turn, decision])).toEqual([
    [4, 1],
    [3, 9],
  ]);
});
