// Shows the other side's turn at a pace that can be followed: updates are held back and shown one decision after
// the other, and can be paused, stepped through or skipped.

import { staged } from '../prefs.svelte';
import type { Frame } from '../protocol';
import type { Table } from './table.svelte';

type Update = Extract<Frame, { type: 'update' }>;

/** If more than this many wait, the pace increases with their number. */
const PATIENCE = 12;

export class Pacer {
  waiting = $state.raw<Update[]>([]);
  paused = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;
  /** The rest of this turn is skipped. */
  private hurried = false;

  /** `linger` returns how long a decision's result should be shown, in milliseconds. */
  constructor(
    private readonly table: Table,
    private readonly linger: () => number,
  ) {
    table.gate = (frame) => this.hold(frame);
    document.addEventListener('visibilitychange', this.hidden);
  }

  close(): void {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.hidden);
  }

  private readonly hidden = (): void => {
    if (document.hidden) this.skip();
  };

  /** True if the frame is held back. */
  private hold(frame: Update): boolean {
    const { table } = this;
    if (this.hurried && this.isMine()) this.hurried = false;
    if (this.hurried) return false;
    // The user's own answer is shown at once, although the result it responds to may still be held back.
    const mine = this.isMine();
    if (this.waiting.length === 0 && (!this.busy || mine)) {
      clearTimeout(this.timer);
      this.busy = false;
      if (!staged() || document.hidden || table.past || mine) return false;
      // The first of a series is shown at once, each further one after the pause of the one before.
      table.accept(frame);
      this.rest();
      return true;
    }
    this.waiting = [...this.waiting, frame];
    return true;
  }

  /** Is the user (also) to decide now? Then updates are of their own making. */
  private isMine(): boolean {
    const { now, seats } = this.table;
    if (!now || seats.length === 0) return false;
    const { pending } = now;
    if ('one' in pending) return seats.includes(pending.one);
    const several = 'each' in pending ? pending.each : 'any' in pending ? pending.any : undefined;
    return several === undefined || seats.some((seat) => ((several >> seat) & 1) === 1);
  }

  private rest(): void {
    this.busy = true;
    clearTimeout(this.timer);
    const crowd = Math.max(1, this.waiting.length / PATIENCE);
    this.timer = setTimeout(() => this.next(), this.linger() / crowd);
  }

  private next(): void {
    if (this.paused) return;
    if (!this.step()) this.busy = false;
  }

  /** Show the next decision; false if there is none. */
  step(): boolean {
    const [frame, ...rest] = this.waiting;
    if (!frame) return false;
    this.waiting = rest;
    this.table.accept(frame);
    if (!this.paused) this.rest();
    return true;
  }

  pause(): void {
    this.paused = !this.paused;
    clearTimeout(this.timer);
    if (!this.paused) this.next();
  }

  /** Show everything that waits at once, and the rest of the turn without delay. */
  skip(): void {
    clearTimeout(this.timer);
    this.hurried = !this.isMine();
    this.busy = false;
    this.paused = false;
    const all = this.waiting;
    this.waiting = [];
    for (const frame of all) this.table.accept(frame, true);
  }

  /** A complete new state arrives, which includes what waits. */
  drop(): void {
    clearTimeout(this.timer);
    this.busy = false;
    this.paused = false;
    this.waiting = [];
  }
}
