// Overlays at a key: each asks the game and paints what it answers, one colour and one pattern per side.

import type { OverlayLine } from '../board/scene';
import type { Overlay } from '../board/scene';
import { readOverlay, type OverlayPaint } from './questions';
import type { Flow } from './flow.svelte';
import type { Table } from './table.svelte';

export const OVERLAYS = [
  { id: 'zoc', key: 'z' },
  { id: 'supply', key: 's' },
  { id: 'bonds', key: 'b' },
  { id: 'control', key: 'c' },
  { id: 'threat', key: 't' },
  { id: 'reinforcements', key: 'e' },
] as const;
export type OverlayId = (typeof OVERLAYS)[number]['id'];

const PATTERNS: Overlay['pattern'][] = ['lines', 'back', 'dots', 'fill'];

export class Overlays {
  on = $state.raw<ReadonlySet<OverlayId>>(new Set());
  paint = $state.raw<OverlayPaint>({ overlays: [], lines: [] });
  /** The game had no answer to the overlay asked for last. */
  missing = $state(false);

  private readonly answered = new Set<OverlayId>();

  constructor(
    private readonly table: Table,
    private readonly flow: Flow,
  ) {}

  async toggle(id: OverlayId): Promise<void> {
    const next = new Set(this.on);
    if (!next.delete(id)) next.add(id);
    this.on = next;
    await this.refresh();
    this.missing = next.has(id) && !this.answered.has(id);
    if (this.missing) {
      this.on = new Set([...next].filter((o) => o !== id));
      setTimeout(() => (this.missing = false), 2500);
    }
  }

  async refresh(): Promise<void> {
    const wanted = this.on;
    const overlays: Overlay[] = [];
    const lines: OverlayLine[] = [];
    const viewer = this.flow.seat ?? this.table.seats[0] ?? null;
    const isPlace = (s: string): boolean => this.table.isPlace(s);
    this.answered.clear();
    for (const id of wanted) {
      const seats = this.table.info?.seats ?? [];
      const chosen = id === 'supply' ? this.flow.selected[0] : undefined;
      const subjects = chosen ? [{ id: chosen, colour: '#11536f' }] : seats;
      await Promise.all(
        subjects.map(async (seat, i) => {
          const answer = await this.table.ask(viewer, `${id} ${seat.id}`).catch(() => null);
          if (answer !== null) this.answered.add(id);
          const paint = readOverlay(answer, seat.colour, PATTERNS[i % PATTERNS.length]!, isPlace);
          overlays.push(...paint.overlays);
          lines.push(...paint.lines);
        }),
      );
    }
    if (this.on === wanted) this.paint = { overlays, lines };
  }
}
