// Highlights on the map: what can be clicked, reached or attacked now.

import { TONES } from '../board/lines';
import type { Overlay, Reach } from '../board/scene';
import type { Arg } from '../protocol';
import type { Analysis } from './analysis.svelte';
import type { Flow } from './flow.svelte';
import { namedIn, openIn, partOf } from './notation';
import { cellsOf, isEdge } from '../board/geometry';
import { reachOf } from './questions';
import type { Table } from './table.svelte';

/** Up to this many places are always marked, even if they are most of a small map. */
const MANY_PLACES = 80;

export class Highlights {
  constructor(
    private readonly table: Table,
    private readonly flow: Flow,
    private readonly analysis: Analysis,
  ) {}

  /** What was advised, taken apart. */
  private readonly hint = $derived.by(() => this.analysis.advice?.reading ?? null);
  /** The advised move as a line from the unit to its destination. */
  readonly advised = $derived.by((): { cells: string[]; costs: string[] } | null => {
    const from = this.table.piece(this.hint?.units[0] ?? '')?.at;
    return from && this.hint?.places.length ? { cells: [from, ...this.hint.places.filter((p) => p !== from && !isEdge(p))], costs: [] } : null;
  });

  /** The cells that the question itself names, by a unit or by a place. */
  readonly matter = $derived.by((): Set<string> => {
    const out = new Set<string>();
    const add = (arg: Arg): void => {
      if ('list' in arg) arg.list.forEach(add);
      const at = 'place' in arg ? arg.place : 'unit' in arg ? this.table.piece(arg.unit)?.at : undefined;
      if (at && this.table.cell(at)) out.add(at);
    };
    for (const [, arg] of this.flow.ask?.prompt.message.args ?? []) add(arg);
    return out;
  });
  /** Where to look for the question: at the cells it names, or at its few subjects. */
  readonly sight = $derived.by((): string[] => {
    const { flow, table } = this;
    if (this.matter.size) return [...this.matter];
    if (flow.pointed.size) return [...flow.pointed.keys()].flatMap((unit) => table.piece(unit)?.at ?? []);
    // No unit has to be chosen, only a place: that of a button, a hex or a hexside.
    const hexes = [...flow.directByPlace.keys(), ...flow.subjects.place.keys(), ...flow.subjects.edge.keys()].map((at) => cellsOf(at)[0] ?? '').filter((cell) => table.cell(cell));
    if (flow.subjects.unit.size === 0 && hexes.length <= MANY_PLACES) return hexes;
    if (!flow.few) return [];
    const cells = [...[...flow.subjects.unit.keys()].map((unit) => table.piece(unit)?.at ?? ''), ...flow.subjects.place.keys(), ...[...flow.subjects.edge.keys()].map((edge) => cellsOf(edge)[0] ?? '')];
    return cells.filter((cell) => table.cell(cell));
  });

  private unitOf(value: string): string {
    return partOf(this.flow.draft?.option.named, value).unit;
  }

  /** Pieces that may be pointed out. */
  readonly offered = $derived.by((): Set<string> => {
    const { flow } = this;
    const out = new Set<string>();
    if (flow.draft) {
      for (const [i, slot] of flow.draft.template.parts.entries()) {
        if (slot.kind !== 'units') continue;
        const { template, filling } = flow.draft;
        for (const c of openIn(template, filling, i)) if (!filling[i]?.includes(c)) out.add(this.unitOf(c));
      }
    } else if (flow.selected.length === 0) {
      if (flow.few) for (const u of flow.subjects.unit.keys()) out.add(u);
      for (const { reading } of flow.buttons) for (const unit of reading.units) out.add(unit);
    }
    return out;
  });

  /** Pieces named in the sheet that is being filled in. */
  readonly glowing = $derived.by((): Set<string> => {
    const { draft } = this.flow;
    const out = new Set<string>();
    for (const [i, slot] of draft?.template.parts.entries() ?? []) {
      if (slot.kind === 'units') for (const v of draft!.filling[i] ?? []) out.add(this.unitOf(v));
    }
    for (const unit of this.hint?.units ?? []) out.add(unit);
    return out;
  });

  /** Is so much of the map offered that marking it would be useless? */
  private readonly whole = $derived.by((): boolean => {
    const cells = this.table.board?.cells.length ?? 0;
    return this.flow.subjects.place.size > Math.max(MANY_PLACES, cells / 3);
  });
  /** Of the places offered, those where one's own units stand. */
  private readonly own = $derived.by((): string[] => {
    const { flow, table } = this;
    return [...new Set(table.live.pieces.filter((p) => p.seat === flow.seat && flow.subjects.place.has(p.at)).map((p) => p.at))];
  });

  /** Reachable cells are tinted by cost, cells with enemies are targets, all others are plain places. */
  private readonly split = $derived.by(() => {
    const { flow } = this;
    const reach: string[] = [];
    const places = new Set<string>();
    const targets = new Set<string>();
    if (flow.draft) {
      const { template, filling } = flow.draft;
      for (const [i, slot] of template.parts.entries()) {
        if (slot.kind === 'places' || slot.kind === 'path') for (const c of openIn(template, filling, i)) places.add(c);
      }
      const { units, places: named } = namedIn(flow.draft);
      const foes = units.flatMap((unit) => {
        const piece = this.table.piece(unit);
        return piece && piece.seat !== null && piece.seat !== flow.seat ? piece.at : [];
      });
      for (const cell of [...named, ...foes]) if (this.table.cell(cell) && this.flow.isEnemyAt(cell)) targets.add(cell);
    } else if (flow.current) {
      for (const [cell, [option]] of flow.current.targets) {
        if (option?.template && this.flow.isEnemyAt(cell)) targets.add(cell);
        else if (flow.costs.has(cell) || flow.current.deed === 'move') reach.push(cell);
        else places.add(cell);
      }
    } else if (flow.selected.length === 0 && flow.options.length === 0) {
      for (const cell of flow.directByPlace.keys()) if (cell && !isEdge(cell)) places.add(cell);
      // If almost every place is offered, only sensible ones are marked; the others can still be clicked.
      const worth = flow.brief?.places?.length ? flow.brief.places.filter((cell) => flow.subjects.place.has(cell)) : this.whole ? this.own : null;
      for (const cell of worth ?? flow.subjects.place.keys()) (this.flow.isEnemyAt(cell) && !worth ? targets : places).add(cell);
    }
    if (!flow.draft) for (const unit of [...flow.aims.keys(), ...flow.pointed.keys()]) targets.add(this.table.piece(unit)?.at ?? '');
    if (this.hint?.target && !isEdge(this.hint.target)) (this.flow.isEnemyAt(this.hint.target) ? targets : places).add(this.hint.target);
    return { reach, places, targets };
  });

  /** Places that answers lead to, by how good they are. */
  readonly judged = $derived.by((): Overlay[] => {
    const { flow } = this;
    const tones = { good: 'fill', doubt: 'dots', bad: 'lines' } as const;
    const out = new Map<keyof typeof tones, Set<string>>();
    for (const { reading, tone } of flow.draft ? [] : (flow.brief?.answers ?? [])) {
      const { target } = reading;
      if (tone === 'plain' || !target || isEdge(target)) continue;
      out.set(tone, (out.get(tone) ?? new Set()).add(target));
    }
    return [...out].map(([tone, cells]) => ({ cells, colour: TONES[tone].colour, pattern: tones[tone] }));
  });

  get places(): Set<string> {
    return this.split.places;
  }
  get targets(): Set<string> {
    return this.split.targets;
  }

  /** The selected unit's movement allowance: its last printed figure, if that covers everything it can reach. */
  private readonly allowance = $derived.by((): number | null => {
    if (this.flow.allowance !== null) return this.flow.allowance;
    const factors = this.table.piece(this.flow.selected[0] ?? '')?.face.factors ?? [];
    const move = Number(factors.at(-1));
    const dearest = Math.max(0, ...this.flow.costs.values());
    return factors.length === 3 && Number.isFinite(move) && move >= dearest ? move : null;
  });

  readonly reach = $derived.by((): Map<string, Reach> => reachOf(this.split.reach, this.flow.costs, this.allowance));
}
