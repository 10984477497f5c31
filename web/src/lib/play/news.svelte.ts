// What has changed since this seat last acted in a phase of its own, or since this browser last looked at the table.

import { api } from '../net/api';
import type { Seat, View } from '../protocol';
import { changesOf, isEmpty, type Changed } from './changes';
import type { Table } from './table.svelte';

interface Seen {
  view: View;
  decision: number;
  turn: string;
  /** A phase of another side has come between. */
  others: boolean;
}

/** Fewer decisions in a row are answers to what this side does (a reaction, a retreat), not a move of the other side. */
const RUN = 3;

export class News {
  card = $state.raw<{ changed: Changed; from: number; away: boolean } | null>(null);
  /** For each seat, the position when it last acted in a phase of its own. */
  private readonly seen = new Map<Seat, Seen>();
  private opened = false;
  /** A decision in one's own turn has been sent: what it leads to is no news. */
  private ours = false;

  constructor(private readonly table: Table) {}

  private get key(): string {
    return `grognard.seen.${this.table.id}`;
  }
  private isCell = (id: string): boolean => this.table.cell(id) !== undefined;

  /** A position was left: whose phase it was. Updates may follow each other too quickly for `look` to see each of them. */
  passed(view: View): void {
    const whose = view.turn?.seat ?? null;
    if (whose === null) return;
    for (const [of, was] of this.seen) if (of !== whose && !was.others) this.seen.set(of, { ...was, others: true });
  }

  /** A new position; `seat` is asked, if one of this screen is. */
  look(seat: Seat | null): void {
    const { table } = this;
    const { now, live } = table;
    if (!now || !table.board || table.past) return;
    if (!this.opened) {
      this.opened = true;
      void this.sinceLast(now.decision);
    }
    if (!document.hidden) localStorage.setItem(this.key, String(now.decision));
    if (this.ours) {
      this.ours = false;
      for (const [of, was] of this.seen) this.seen.set(of, { ...was, view: live, decision: now.decision });
    }
    const whose = live.turn?.seat ?? null;
    this.passed(live);
    if (seat === null || (whose !== null && whose !== seat)) return;
    const turn = `${live.turn?.number ?? 0} ${whose ?? ''}`;
    const before = this.seen.get(seat);
    // No card if all sides play at this screen.
    const others = (table.game?.seats ?? []).some((s) => !table.seats.includes(s.seat));
    const anew = before && (before.turn !== turn || (before.others && now.decision - before.decision >= RUN));
    if (others && anew) this.tell(before.view, before.decision, false);
    this.seen.set(seat, { view: live, decision: now.decision, turn, others: false });
  }

  private tell(view: View, from: number, away: boolean): void {
    const changed = changesOf(view, this.table.live, this.isCell);
    this.card = isEmpty(changed) ? null : { changed, from, away };
  }

  /** The user returns to a table that has changed. */
  private async sinceLast(decision: number): Promise<void> {
    const { table } = this;
    const last = Number(localStorage.getItem(this.key) ?? Number.NaN);
    if (!Number.isInteger(last) || last >= decision || table.seats.length === 0) return;
    const past = await api.past(table.id, last, table.eyes).catch(() => null);
    if (past && !table.past) this.tell(past.view, last, true);
  }

  /** A seat of this screen decides. */
  acted(): void {
    this.close();
    const whose = this.table.live.turn?.seat ?? null;
    this.ours = whose !== null && this.table.seats.includes(whose);
  }
  close(): void {
    this.card = null;
  }
}
