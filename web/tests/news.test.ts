import { beforeEach, describe, expect, it, vi } from 'vitest';
import { News } from '../src/lib/play/news.svelte';
import type { Table } from '../src/lib/play/table.svelte';
import type { Piece, View } from '../src/lib/protocol';

const piece = (id: string, seat: number, at: string): Piece =>
  ({ id, seat, at, layer: 0, active: false, face: { ground: 'us', symbol: 'infantry', size: '', left: '', right: '', title: '', factors: [], reduced: false } }) as Piece;

/** A table at which seat 0 plays here and seat 1 elsewhere; all happens in one turn. */
class Scene {
  readonly table = { id: 't', seats: [0], past: null, board: {}, game: { seats: [{ seat: 0 }, { seat: 1 }] }, now: { decision: 0 }, cell: (id: string) => ({ id }) } as unknown as Table;
  readonly news = new News(this.table);

  constructor() {
    this.show(0, 0, '0101', 0);
  }
  /** The position after so many decisions: whose phase it is, where the other side's unit stands, and who is asked. */
  show(decision: number, whose: number, at: string, asked: number): void {
    const view = { turn: { number: 1, seat: whose }, pieces: [piece('E', 1, at)], markers: [], panels: [] } as unknown as View;
    if (this.table.live) this.news.passed(this.table.live);
    Object.assign(this.table, { live: view, now: { decision } });
    this.news.look(asked === 0 ? 0 : null);
  }
}

describe('the card of what changed', () => {
  beforeEach(() => {
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
    vi.stubGlobal('document', { hidden: false });
  });
  it('opens after a run of decisions of the other side within a turn', () => {
    const scene = new Scene();
    scene.news.acted();
    scene.show(1, 1, '0101', 1);
    scene.show(2, 1, '0102', 1);
    scene.show(3, 1, '0103', 0);
    expect(scene.news.card, 'asked in the phase of the other side').toBeNull();
    scene.show(4, 1, '0104', 1);
    scene.show(5, 0, '0104', 0);
    expect(scene.news.card?.changed.moved.map((m) => m.from)).toEqual(['0101']);
    expect(scene.news.card?.from).toBe(1);
  });
  it('stays closed after a single answer, and after decisions within a phase of one’s own', () => {
    const scene = new Scene();
    scene.news.acted();
    scene.show(1, 1, '0101', 1);
    scene.show(2, 0, '0102', 0);
    expect(scene.news.card).toBeNull();
    for (let n = 3; n < 8; n++) scene.show(n, 0, `010${n}`, 1);
    scene.show(8, 0, '0109', 0);
    expect(scene.news.card).toBeNull();
  });
});
