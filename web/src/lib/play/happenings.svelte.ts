// Shows briefly what has just happened: moving counters, and dice.

import type { BoardHandle } from '../board/Board.svelte';
import type { Motion, Trail } from '../board/scene';
import { calm, prefs } from '../prefs.svelte';
import type { Facts, LogLine, View } from '../protocol';
import { purposeOf } from './course';
import type { Throw } from './DiceTray.svelte';
import type { Table } from './table.svelte';

/** Milliseconds per hex, and at most for a whole move. */
const PACE = { off: 0, quick: 80, slow: 190 };
const LONGEST = { off: 0, quick: 480, slow: 1200 };
const DICE_STAY = 3200;
/** Number of turns of a side that leave trails. */
const TRAILS = 2;

export class Happenings {
  motions = $state.raw<Motion[]>([]);
  throws = $state.raw<Throw[]>([]);
  trails = $state.raw<(Trail & { turn: string })[]>([]);
  private thrown = 0;
  private moved = 0;

  constructor(
    private readonly table: Table,
    private readonly handle: () => BoardHandle | null,
  ) {}

  /** Scroll the map to where it happened. */
  follow(lines: LogLine[]): void {
    const places = lines.flatMap(({ entry }) => {
      const facts = entry.data;
      const named = (entry.message.args ?? []).flatMap(([, arg]) => ('place' in arg ? [arg.place] : []));
      return [...(facts?.path?.slice(-1).filter((cell) => cell !== null) ?? []), ...(facts?.to ? [facts.to] : []), ...(facts?.at ? [facts.at] : []), ...named];
    });
    const last = places.findLast((place) => this.table.cell(place));
    if (last) this.handle()?.follow(last);
  }

  /** A step of the past. */
  step(lines: LogLine[], before: View, staged = false): void {
    this.follow(lines);
    this.take(lines, before, staged);
  }

  /** How long the movement should be shown. */
  get linger(): number {
    return this.moved;
  }

  /** Take new lines and the view before them. `staged`: the dice are shown elsewhere. */
  take(lines: LogLine[], before: View, staged = false): void {
    this.moved = 0;
    this.leaveTrails(lines, before);
    if (calm() || document.hidden) return;
    const start = performance.now();
    const motions: Motion[] = [];
    const throws: Throw[] = [];
    let where: string | null = null;
    for (const { entry } of lines) {
      const facts = entry.data;
      if (facts?.at) where = facts.at;
      for (const [, arg] of entry.message.args ?? []) if ('place' in arg) where = arg.place;
      const { units, path } = this.way(facts);
      for (const unit of units) this.walk(motions, unit, path, before, start);
      if (facts?.kind === 'roll' && typeof facts.value === 'number' && !staged) {
        const at = where ? this.handle()?.screen(where) : undefined;
        // Beside the place it concerns; a roll that concerns none does not cover the map's middle.
        const spot = at ? { x: at.x + 34, y: at.y - 60 } : { x: innerWidth / 2 - 110, y: 64 };
        throws.push({ id: ++this.thrown, sides: facts.sides ?? 6, value: facts.value, modifier: facts.modifier ?? 0, seat: entry.seat ?? null, label: purposeOf(entry.message, (m) => this.table.tell(m)), ...spot });
      }
    }
    if (motions.length) {
      const longest = LONGEST[prefs.pace];
      for (const motion of motions) motion.pace = Math.min(PACE[prefs.pace], longest / Math.max(1, motion.path.length - 1));
      const shown = motions.filter((m) => m.path.length > 1);
      this.motions = shown;
      this.moved = Math.max(0, ...shown.map((m) => m.pace * (m.path.length - 1))) + 120;
      setTimeout(() => {
        if (this.motions === shown) this.motions = [];
      }, longest + 40);
    }
    if (throws.length) {
      const shown = throws.slice(-6);
      this.throws = shown;
      setTimeout(() => {
        if (this.throws === shown) this.throws = [];
      }, DICE_STAY);
    }
  }

  /** The moves in these facts: along a path, or from one cell to another. */
  private way(facts: Facts | null | undefined): { units: string[]; path: string[] } {
    const units = facts?.unit ? [facts.unit] : facts?.kind === 'move' ? (facts.units ?? []) : [];
    const path = facts?.path?.filter((cell) => cell !== null) ?? (facts?.to && this.table.cell(facts.to) ? [...(facts.from ? [facts.from] : []), facts.to] : []);
    return { units: path.length > 0 ? units : [], path };
  }

  /** Join a move told hex by hex into one path. */
  private walk(motions: Motion[], unit: string, path: string[], before: View, start: number): void {
    const begun = motions.find((m) => m.piece === unit);
    if (begun) {
      begun.path.push(...path.filter((cell, i) => i > 0 || cell !== begun.path.at(-1)));
      return;
    }
    const from = before.pieces.find((p) => p.id === unit)?.at;
    const whole = from && path[0] !== from && this.table.cell(from) ? [from, ...path] : [...path];
    motions.push({ piece: unit, path: whole, start, pace: PACE[prefs.pace] });
  }

  /** The moves of this turn stay on the map as lines until that side has had another turn. */
  private leaveTrails(lines: LogLine[], before: View): void {
    const turn = `${before.turn?.number ?? 0} ${before.turn?.seat ?? ''}`;
    const paths: Motion[] = [];
    const back = new Set<string>();
    for (const { entry } of lines) {
      const facts = entry.data;
      const { units, path } = this.way(facts);
      for (const unit of units) {
        this.walk(paths, unit, path, before, 0);
        if (entry.topic === 'retreat') back.add(unit);
      }
    }
    const fresh = paths
      .filter((p) => p.path.length > 1)
      .map((p) => ({ cells: p.path, seat: before.pieces.find((x) => x.id === p.piece)?.seat ?? null, back: back.has(p.piece), turn }));
    if (!fresh.length) return;
    const turns = [...new Set([turn, ...this.trails.map((t) => t.turn).reverse()])].slice(0, TRAILS);
    this.trails = [...this.trails.filter((t) => turns.includes(t.turn)), ...fresh];
  }

  /** A key ends all animations. */
  skip(): void {
    this.motions = [];
  }
}
