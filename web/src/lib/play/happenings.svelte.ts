// What has just happened, shown for a moment: counters on their way, dice where they fell.

import type { BoardHandle } from '../board/Board.svelte';
import type { Motion } from '../board/scene';
import { calm } from '../prefs.svelte';
import type { LogLine, View } from '../protocol';
import type { Throw } from './DiceTray.svelte';
import type { Table } from './table.svelte';

/** Milliseconds per hex, and for the whole of anything that moves. */
const PACE = 80;
const LONGEST = 480;
const DICE_STAY = 3200;

interface Facts {
  kind?: string;
  unit?: string;
  path?: string[];
  /** One hex of a way that is told hex by hex. */
  from?: string | null;
  to?: string;
  at?: string;
  sides?: number;
  value?: number;
  modifier?: number;
}

export class Happenings {
  motions = $state.raw<Motion[]>([]);
  throws = $state.raw<Throw[]>([]);
  private thrown = 0;

  constructor(
    private readonly table: Table,
    private readonly handle: () => BoardHandle | null,
  ) {}

  /** A step of the past: the map goes where it happened. */
  step(lines: LogLine[], before: View): void {
    const places = lines.flatMap(({ entry }) => {
      const facts = entry.data as Facts | null | undefined;
      const named = (entry.message.args ?? []).flatMap(([, arg]) => ('place' in arg ? [arg.place] : []));
      return [...(facts?.path?.slice(-1) ?? []), ...(facts?.to ? [facts.to] : []), ...(facts?.at ? [facts.at] : []), ...named];
    });
    const last = places.findLast((place) => this.table.cell(place));
    if (last) this.handle()?.follow(last);
    this.take(lines, before);
  }

  /** Lines that have just come, and the view before them. */
  take(lines: LogLine[], before: View): void {
    if (calm() || document.hidden) return;
    const start = performance.now();
    const motions: Motion[] = [];
    const throws: Throw[] = [];
    let where: string | null = null;
    for (const { entry } of lines) {
      const facts = entry.data as Facts | null | undefined;
      if (facts?.at) where = facts.at;
      for (const [, arg] of entry.message.args ?? []) if ('place' in arg) where = arg.place;
      const path = facts?.path ?? (facts?.kind === 'step' && facts.to ? [...(facts.from ? [facts.from] : []), facts.to] : []);
      if (facts?.unit && path.length > 0) this.walk(motions, facts.unit, path, before, start);
      if (facts?.kind === 'roll' && typeof facts.value === 'number') {
        const at = (where && this.handle()?.screen(where)) || { x: innerWidth / 2, y: innerHeight / 2 };
        throws.push({ id: ++this.thrown, sides: facts.sides ?? 6, value: facts.value, modifier: facts.modifier ?? 0, x: at.x + 34, y: at.y - 60 });
      }
    }
    if (motions.length) {
      for (const motion of motions) motion.pace = Math.min(PACE, LONGEST / Math.max(1, motion.path.length - 1));
      this.motions = motions.filter((m) => m.path.length > 1);
      setTimeout(() => (this.motions = []), LONGEST + 40);
    }
    if (throws.length) {
      const shown = throws.slice(-6);
      this.throws = shown;
      setTimeout(() => {
        if (this.throws === shown) this.throws = [];
      }, DICE_STAY);
    }
  }

  /** A move told hex by hex is one way. */
  private walk(motions: Motion[], unit: string, path: string[], before: View, start: number): void {
    const begun = motions.find((m) => m.piece === unit);
    if (begun) {
      begun.path.push(...path.filter((cell, i) => i > 0 || cell !== begun.path.at(-1)));
      return;
    }
    const from = before.pieces.find((p) => p.id === unit)?.at;
    const whole = from && path[0] !== from && this.table.cell(from) ? [from, ...path] : [...path];
    motions.push({ piece: unit, path: whole, start, pace: PACE });
  }

  /** A key skips what moves. */
  skip(): void {
    this.motions = [];
  }
}
