// A bot's advice with its reason, and the results of an attack played thousands of times; available where the creator of
// the game allows it.

import { Refused } from '../net/socket';
import type { Advice, WhatIf } from '../protocol';
import type { Flow } from './flow.svelte';
import type { Table } from './table.svelte';

const TIMES = 10_000;

export class Analysis {
  advice = $state.raw<Advice | null>(null);
  whatIf = $state.raw<WhatIf | null>(null);
  /** The action, as it was filled in, that `whatIf` is about. */
  whatIfOf = $state.raw<string | null>(null);
  /** What is being computed. */
  busy = $state<'advice' | 'what_if' | null>(null);
  failure = $state<string | null>(null);

  readonly allowed = $derived.by(() => (this.table.game?.analysis ?? false) && this.flow.ask !== null);

  constructor(
    private readonly table: Table,
    private readonly flow: Flow,
  ) {}

  /** A new position invalidates all answers. */
  clear(): void {
    this.advice = null;
    this.whatIf = null;
    this.busy = null;
    this.failure = null;
  }

  async advise(): Promise<void> {
    const { seat } = this.flow;
    if (!this.allowed || seat === null || this.busy) return;
    await this.ponder('advice', async () => {
      const advice = await this.table.advise(seat);
      if (advice.moment === this.table.now?.moment) this.advice = advice;
    });
  }

  /** Play the action in the sheet many times. */
  async play(): Promise<void> {
    const { seat, draft } = this.flow;
    if (!this.allowed || seat === null || !draft?.ready || this.busy) return;
    const { action } = draft;
    await this.ponder('what_if', async () => {
      const answer = await this.table.playOut(seat, action, TIMES);
      this.whatIf = answer;
      this.whatIfOf = action;
    });
  }

  private async ponder(what: 'advice' | 'what_if', work: () => Promise<void>): Promise<void> {
    this.busy = what;
    this.failure = null;
    try {
      await work();
    } catch (e) {
      const code = e instanceof Refused ? e.error.code : 'unknown';
      if (code !== 'cancelled') this.failure = code;
    } finally {
      if (this.busy === what) this.busy = null;
    }
  }

  /** Carry the advice out. */
  async follow(): Promise<void> {
    const { advice } = this;
    this.advice = null;
    if (advice) await this.flow.act(advice.action, advice.reading.target);
  }
}
