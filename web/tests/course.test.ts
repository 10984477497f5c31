import { describe, expect, it } from 'vitest';
import { blows } from '../src/lib/play/course';

describe('the course of a game', () => {
  it('finds the turn that cost each side most', () => {
    const course = [
      { turn: 1, decision: 0, by: [10, 8] },
      { turn: 2, decision: 40, by: [9, 5] },
      { turn: 3, decision: 90, by: [5, 5] },
      { turn: 4, decision: 120, by: [5.5, 4] },
    ];
    expect(blows(course)).toEqual([
      { turn: 2, decision: 40, seat: 0, lost: 4 },
      { turn: 1, decision: 0, seat: 1, lost: 3 },
    ]);
    expect(blows(course.slice(0, 1))).toEqual([]);
  });
});
