// Overlays of the map, switched by keys. The game names its overlays and the questions that paint them; a question
// with two places is a tool: point at one hex, then at another.

import type { Overlay, OverlayLine } from '../board/scene';
import type { MapLine, Message, Overlay as Answer, OverlayInfo } from '../protocol';
import type { Flow } from './flow.svelte';
import { areaLooks, paintLines, typedOverlay, type AreaLook, type OverlayPaint } from './questions';
import type { Table } from './table.svelte';

const PATTERNS: Overlay['pattern'][] = ['lines', 'back', 'dots', 'fill'];
const INK = '#11536f';

/** A question with two places: a tool that is used by pointing. */
export function isTool(info: OverlayInfo): boolean {
  return info.question.includes('{from}');
}

export class Overlays {
  on = $state.raw<ReadonlySet<string>>(new Set());
  paint = $state.raw<OverlayPaint>({ overlays: [], lines: [] });
  /** Texts of the active overlays. */
  said = $state.raw<Answer[]>([]);
  /** Overlays that are on and answer without words: what they paint for whom; nothing, if there is nothing to paint. */
  silent = $state.raw<{ info: OverlayInfo; looks: AreaLook[] }[]>([]);
  /** What the areas of the active overlays mean. */
  looks = $state.raw<AreaLook[]>([]);
  /** The cells of the areas that the overlay switched on last has painted. */
  latest = $state.raw<string[]>([]);
  /** The lines of the overlay switched on last, for the key: a key to all would cover the map. */
  keyed = $state.raw<MapLine[]>([]);
  /** The game had no answer for the overlay that was requested last. */
  missing = $state(false);
  /** The tool in hand, with the places it was pointed at. */
  tool = $state.raw<{ info: OverlayInfo; from: string | null; to: string | null; fixed: boolean } | null>(null);
  /** What the tool has found. */
  found = $state.raw<Answer | null>(null);

  readonly list = $derived.by(() => this.table.info?.overlays ?? []);
  /** Overlays, the tool's findings and the lines that belong to the position, as the board draws them. */
  readonly shown = $derived.by((): OverlayPaint => {
    const found = this.found ? typedOverlay(this.found, (seat) => this.colour(seat), 'fill') : null;
    const lines = paintLines(this.table.view.lines ?? [], (seat) => this.colour(seat));
    return {
      overlays: [...this.paint.overlays, ...(found?.overlays ?? [])],
      lines: [...lines, ...this.paint.lines, ...(found?.lines ?? [])],
    };
  });

  /** The area that the open sheet would cover. */
  readonly drafted = $derived.by((): Overlay[] => {
    const areas = this.flow.draft?.sheet?.areas;
    return areas?.length ? typedOverlay({ rule: '', areas }, (seat) => this.colour(seat), 'fill').overlays : [];
  });

  private answered = new Set<string>();
  private areas = new Map<string, string[]>();

  constructor(
    private readonly table: Table,
    private readonly flow: Flow,
  ) {}

  colour(seat: number | null | undefined): string {
    return this.table.info?.seats[seat ?? -1]?.colour ?? INK;
  }
  private get viewer(): number | null {
    return this.flow.seat ?? this.table.seats[0] ?? null;
  }

  async toggle(id: string): Promise<void> {
    const info = this.list.find((o) => o.id === id);
    if (!info) return;
    if (isTool(info)) {
      this.take(this.tool?.info === info ? null : info);
      return;
    }
    const next = new Set(this.on);
    if (!next.delete(id)) next.add(id);
    this.on = next;
    await this.refresh();
    this.missing = next.has(id) && !this.answered.has(id);
    if (next.has(id)) this.latest = this.areas.get(id) ?? [];
    if (this.missing) {
      this.on = new Set([...next].filter((o) => o !== id));
      setTimeout(() => (this.missing = false), 2500);
    }
  }

  /** Switch all overlays off. */
  clear(): void {
    this.on = new Set();
    void this.refresh();
  }

  async refresh(): Promise<void> {
    const wanted = this.on;
    const overlays: Overlay[] = [];
    const lines: OverlayLine[] = [];
    const said: Answer[] = [];
    const last = [...wanted].at(-1);
    let keyed: MapLine[] = [];
    const silent: typeof this.silent = [];
    const looks: AreaLook[] = [];
    const tell = (message: Message): string => this.table.tell(message);
    const answered = new Set<string>();
    const areas = new Map<string, string[]>();
    const seats = this.table.info?.seats ?? [];
    const unit = this.flow.selected[0];
    for (const info of this.list.filter((o) => wanted.has(o.id))) {
      // If a unit is selected, ask the question for that unit alone, if the game supports it.
      const perSeat = info.question.includes('{seat}');
      const subjects = perSeat ? seats.map((s) => ({ ...s, text: info.question.replace('{seat}', s.id) })) : [];
      if (!perSeat) subjects.push({ id: '', name: '', colour: INK, text: info.question.replace('{unit}', unit ?? '') });
      if (!perSeat && info.question.includes('{unit}') && !unit) {
        answered.add(info.id);
        continue;
      }
      const alone = perSeat && unit ? await this.ask(info.question.replace('{seat}', unit)) : null;
      if (alone !== null) {
        subjects.length = 0;
        subjects.push({ id: unit!, name: '', colour: INK, text: info.question.replace('{seat}', unit!) });
      }
      const answers = await Promise.all(subjects.map((subject) => this.ask(subject.text)));
      if (info.id === last) keyed = answers.flatMap((answer) => answer?.lines ?? []);
      areas.set(info.id, answers.flatMap((answer) => (answer?.areas ?? []).flatMap((area) => area.cells)));
      const named: AreaLook[] = [];
      subjects.forEach((subject, i) => {
        const answer = answers[i];
        if (!answer) return;
        answered.add(info.id);
        said.push(answer);
        const pattern = PATTERNS[i % PATTERNS.length]!;
        const colour = (seat: number | null | undefined): string => (seat === null || seat === undefined ? subject.colour : this.colour(seat));
        const paint = typedOverlay(answer, colour, pattern);
        looks.push(...areaLooks(answer.areas ?? [], colour, pattern, tell));
        overlays.push(...paint.overlays);
        lines.push(...paint.lines);
        const [area] = paint.overlays.filter(({ cells }) => [...cells].length > 0);
        // Lines may be of another side than the one that was asked about.
        const owner = seats[answer.lines?.[0]?.seat ?? -1]?.name ?? subject.name;
        if (area && subject.name) named.push({ words: this.table.word(subject.name), colour: area.colour, pattern: area.pattern });
        else if (paint.lines[0] && subject.name) named.push({ words: this.table.word(owner), colour: paint.lines[0].colour, pattern: 'fill' });
      });
      const told = answers.some((a) => a && (a.note || a.sheet || a.section || a.areas?.some((x) => x.label)));
      const bare = answers.every((a) => !a?.areas?.some((x) => x.cells.length) && !a?.lines?.length);
      if (!told && answers.some((a) => a) && (bare || named.length)) silent.push({ info, looks: named });
    }
    this.answered = answered;
    this.areas = areas;
    if (this.on === wanted) {
      this.paint = { overlays, lines };
      this.silent = silent;
      this.looks = looks;
      this.keyed = keyed;
      // One's own side first.
      const own = (answer: Answer): number => Number(answer.areas?.some((area) => area.seat === this.viewer) ?? false);
      this.said = said.sort((a, b) => own(b) - own(a));
    }
  }

  private async ask(question: string): Promise<Answer | null> {
    return (await this.table.ask(this.viewer, question).catch(() => null))?.overlay ?? null;
  }

  // ------------------------------------------------------------ the tool

  take(info: OverlayInfo | null): void {
    this.found = null;
    // The tool starts from the selected unit.
    const from = info ? (this.table.piece(this.flow.selected[0] ?? '')?.at ?? null) : null;
    this.tool = info ? { info, from: from && this.table.cell(from) ? from : null, to: null, fixed: false } : null;
  }

  /** Pointing with the tool: the first place, then the second; then it begins anew. */
  point(cell: string): void {
    const { tool } = this;
    if (!tool) return;
    if (tool.from === null || tool.fixed) {
      this.found = null;
      this.tool = { ...tool, from: cell, to: null, fixed: false };
    } else if (cell !== tool.from) {
      this.tool = { ...tool, to: cell, fixed: true };
      void this.measure();
    }
  }

  /** Preview the tool's answer for the hovered cell. */
  follow(cell: string | null): void {
    const { tool } = this;
    if (!tool || tool.fixed || tool.from === null || cell === null || cell === tool.from || cell === tool.to) return;
    this.tool = { ...tool, to: cell };
    void this.measure();
  }

  private async measure(): Promise<void> {
    const { tool } = this;
    if (!tool?.from || !tool.to) return;
    const found = await this.ask(tool.info.question.replace('{from}', tool.from).replace('{to}', tool.to));
    if (this.tool?.from !== tool.from || this.tool.to !== tool.to) return;
    this.found = found ?? { lines: [{ kind: '', cells: [tool.from, tool.to], tone: 'plain', arrow: false, text: '' }], rule: '' };
  }
}
