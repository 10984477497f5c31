// From pointing to a decision: the selection, its options, the form being filled in. Knows the kernel's
// subjects, options and templates, but no game.

import type { Brief, BriefAnswer, Offer, Piece, Reading, Refusal, Seat, Sheet } from '../protocol';
import type { SeatAsk } from '../protocol';
import { Refused } from '../net/socket';
import { prefs } from '../prefs.svelte';
import { holdsUp, openingOf, pickFor, type Draft } from './form';
import { byTarget, changeAmount, complete, compose, namedIn, toggle, withUnits, type Filling } from './notation';
import { drawnWay } from './questions';
import type { Table } from './table.svelte';
import { isEdge } from '../board/geometry';
import { aimsOf, areUntold, asForm, formsOnce, inCommon, isDone, isOneForm, namesAny, nextOf, pressableOf, scopesOf, spreads, unformed, waysOf, type Scope } from './offers';

const FEW = 10;
/** Up to this many answers are shown as a table. */
const MANY = 9;

export class Flow {
  selected = $state.raw<string[]>([]);
  /** A stack that is looked at. */
  stack = $state.raw<string | null>(null);
  options = $state.raw<Offer[]>([]);
  way = $state<string | null>(null);
  draft = $state.raw<Draft | null>(null);
  /** Options that need no selection: those of the phase itself, or all of them if there are few. */
  direct = $state.raw<Offer[]>([]);
  costs = $state.raw<ReadonlyMap<string, number>>(new Map());
  /** Movement points of the selected unit in this mode, if the game says so. */
  allowance = $state<number | null>(null);
  path = $state.raw<{ cells: string[]; costs: string[] } | null>(null);
  /** The chances of moving to the hovered cell, if dice decide. */
  foretold = $state.raw<{ at: string; sheet: Sheet } | null>(null);
  refusal = $state.raw<{ refusal: Refusal; at: string | null } | null>(null);
  /** Why the selection may not go where the pointer rests. */
  doubt = $state.raw<{ refusal: Refusal; at: string } | null>(null);
  problem = $state.raw<string | null>(null);
  /** `done` was pressed while units could still act: how many. */
  warned = $state<number | null>(null);
  busy = $state(false);
  /** Decision aids for the question. */
  brief = $state.raw<Brief | null>(null);
  /** Why `done` is not possible yet: a unit must still act. */
  blocked = $state.raw<Refusal | null>(null);
  /** Whom an action of the selection is for: the selection, all units of its type, or all that can still do it. */
  scope = $state<Scope>('one');
  /** The options for the clicked place, if there are several. */
  choices = $state.raw<Offer[]>([]);
  choicesAt = $state.raw<string | null>(null);
  /** Of the choices, the one that Enter takes. */
  picked = $state.raw<Offer | null>(null);

  /** The question for this user; null in the replay and during other players' turns. */
  readonly ask = $derived.by((): SeatAsk | null => {
    const { past, now } = this.table;
    if (past || !now) return null;
    // With a plan: the question after it.
    if (this.table.foreseen) return this.table.foreseen.ask ?? null;
    // If several seats at this screen are asked at once, the one whose view is shown.
    return now.asks.find((a) => typeof now.viewer === 'object' && now.viewer.seat === a.seat) ?? now.asks[0] ?? null;
  });
  readonly seat = $derived<Seat | null>(this.ask?.seat ?? null);
  /** By name on the map, with the subject's own text. */
  readonly subjects = $derived.by(() => {
    const map = (): Map<string, string> => new Map();
    const out = { unit: map(), place: map(), edge: map(), words: map() };
    for (const [i, subject] of this.ask?.subjects.entries() ?? []) {
      const { kind, name } = this.ask!.named[i]!;
      out[kind].set(name, subject);
    }
    return out;
  });
  /** Several units can be moved: worth a plan. */
  moves = $state(false);
  readonly few = $derived((this.ask?.subjects.length ?? 0) <= FEW);

  /** Has it no place to click? A hexside can be clicked only if it is a subject. */
  private readonly noPlace = ({ reading: { target } }: Offer): boolean => target === null || (isEdge(target) && !this.subjects.edge.has(target));
  readonly ways = $derived(waysOf(this.options.filter((o) => !this.noPlace(o))));
  readonly current = $derived(this.ways.find((w) => w.key === this.way) ?? this.ways[0] ?? null);
  /** Options of the selection without a destination: buttons. */
  readonly deeds = $derived(this.options.filter(this.noPlace));
  /** Options of the selection aimed at another unit, by that unit; clicking it is enough. */
  readonly aims = $derived.by(() => {
    const own = (unit: string): boolean => this.selected.includes(unit) || this.table.piece(unit)?.seat === this.seat;
    return aimsOf(this.deeds, own);
  });
  /** Answers that each name one counter of another side, by that counter, if they are too many for buttons. */
  readonly pointed = $derived.by((): Map<string, Offer> => {
    const out = new Map<string, Offer>();
    for (const option of this.selected.length ? [] : this.buttons) {
      const { units } = option.reading;
      const piece = units.length === 1 ? this.table.piece(units[0]!) : undefined;
      if (piece && piece.seat !== this.seat && this.table.cell(piece.at) && this.naming(piece.id).length === 1) out.set(piece.id, option);
    }
    return out.size > MANY ? out : new Map();
  });
  /** Options with a button, in the order of the keys 1 to 9: those of the selection, then answers to the question. Aims are
   * left out if there are many: their targets are clicked. */
  readonly pressable = $derived.by((): Offer[] => {
    const aimed = new Set([...this.aims.values()].flat());
    const all = pressableOf(this.deeds.filter((o) => aimed.size <= 2 || !aimed.has(o)), this.buttons, new Set(this.pointed.values()), this.selected);
    return unformed(all, new Set(this.briefed.map((answer) => answer.action)));
  });
  /** The answers shown with their consequences: all of them, or only those of the clicked place or of the selection if there are many. */
  readonly briefed = $derived.by((): BriefAnswer[] => {
    const all = this.brief?.answers ?? [];
    if (this.draft || all.length === 0) return [];
    const chosen = all.filter((answer) => this.choices.some((o) => o.action === answer.action));
    if (chosen.length) return chosen;
    const own = this.selected.length ? all.filter((answer) => namesAny(answer.reading, this.selected)) : all;
    const list = own.length ? own : all;
    return list.length > MANY ? [] : list;
  });
  readonly directByPlace = $derived(byTarget(this.direct.filter((o) => !this.noPlace(o))));
  readonly buttons = $derived(this.direct.filter(this.noPlace));

  constructor(readonly table: Table) {}

  /** Load the question of a new position. */
  async refresh(): Promise<void> {
    this.clear();
    this.direct = [];
    this.brief = null;
    this.blocked = null;
    this.moves = false;
    this.scope = 'one';
    const ask = this.ask;
    if (!ask) return;
    const wanted = this.few ? ask.subjects : [...this.subjects.words.values()];
    const moment = this.table.now?.moment;
    void this.askBrief(ask.seat, moment);
    const lists = await Promise.all(wanted.map((s) => this.table.options(ask.seat, s).catch(() => [])));
    if (this.table.now?.moment !== moment) return;
    // Units with many destinations act once they are selected; otherwise their moves would cover the map all at once.
    const movers = [...this.subjects.unit].filter(([, subject]) => spreads(lists[wanted.indexOf(subject)] ?? []));
    this.moves = movers.length > 1;
    const later = new Set(movers.map(([, subject]) => subject));
    const rest = lists.filter((_, i) => !later.has(wanted[i]!));
    const buttons = rest.flat().filter(this.noPlace);
    // Too many for buttons: options appear when a unit is clicked.
    const words = new Set(this.subjects.words.values());
    const shown = buttons.length > FEW ? lists.filter((_, i) => words.has(wanted[i]!)) : rest;
    const seen = new Set<string>();
    this.direct = shown.flat().filter((o) => !seen.has(o.action) && seen.add(o.action));
    // A single form and nothing else to choose: open it.
    const only = this.direct.length === 1 ? this.direct[0] : undefined;
    if (only?.template && (this.few || ask.subjects.length === 1)) this.open(only);
    // Nobody else can act: select the unit at once.
    const [mover] = movers;
    if (mover && this.subjects.unit.size === 1 && this.selected.length === 0 && this.table.cell(this.table.piece(mover[0])?.at ?? '')) void this.select([mover[0]]);
    if (!this.buttons.some(isDone) && this.subjects.unit.size > 0) await this.askDone(ask.seat, moment);
  }

  private async askBrief(seat: Seat, moment: number | undefined): Promise<void> {
    const answer = await this.table.ask(seat, 'brief').catch(() => null);
    if (this.table.now?.moment === moment) this.brief = answer?.brief ?? null;
  }

  /** All units that can act wait beside the map: a set-up, a landing, reinforcements. */
  readonly waiting = $derived.by(() => this.table.board !== null && this.subjects.unit.size > 0 && [...this.subjects.unit.keys()].every((id) => !this.table.cell(this.table.piece(id)?.at ?? '')));

  /** `done` is not offered: is that because something must be done first? */
  private async askDone(seat: Seat, moment: number | undefined): Promise<void> {
    const verdict = await this.table.verdict(seat, 'done').catch(() => null);
    if (!verdict || verdict === 'legal' || this.table.now?.moment !== moment) return;
    if (holdsUp(verdict.illegal, this.waiting)) this.blocked = verdict.illegal;
  }

  /** The other units to which the selected unit's action could be extended; only where units answer one by one. */
  readonly scopes = $derived.by((): { scope: Scope; units: string[] }[] => {
    const [first, ...more] = this.selected;
    const piece = first === undefined ? undefined : this.table.piece(first);
    if (!piece || more.length || this.ways.length || this.aims.size || this.deeds.filter((o) => !o.template).length < 2) return [];
    return scopesOf(piece, this.table.live.pieces.filter((p) => p.seat === piece.seat && this.subjects.unit.has(p.id)));
  });

  clear(): void {
    this.selected = [];
    this.options = [];
    this.way = null;
    this.draft = null;
    this.path = null;
    this.foretold = null;
    this.refusal = null;
    this.doubt = null;
    this.warned = null;
    this.costs = new Map();
    this.choices = [];
  }

  /** One step back; false if there was nothing to step back from. */
  back(): boolean {
    if (this.warned !== null) this.warned = null;
    else if (this.refusal) this.refusal = null;
    else if (this.choices.length) this.choices = [];
    else if (this.draft) this.draft = null;
    else if (this.selected.length) this.clear();
    else if (this.stack) this.stack = null;
    else return false;
    return true;
  }

  /** Does another side stand in this cell? */
  isEnemyAt(cell: string): boolean {
    return this.table.live.pieces.some((p) => p.at === cell && p.seat !== null && p.seat !== this.seat);
  }

  // ------------------------------------------------------------ selecting

  canSelect(piece: Piece): boolean {
    return this.ask !== null && (this.subjects.unit.has(piece.id) || this.subjects.place.has(piece.at));
  }

  async select(pieces: string[], additive = false): Promise<void> {
    const ask = this.ask;
    const before = this.selected;
    const next = additive
      ? [...before.filter((id) => !pieces.includes(id)), ...pieces.filter((id) => !before.includes(id))]
      : pieces;
    this.clear();
    this.selected = next;
    const first = next[0];
    if (!ask || first === undefined) return;
    this.stack = this.table.piece(first)?.at ?? this.stack;
    const moment = this.table.now?.moment;
    const lists = await Promise.all(
      next.flatMap((id) => this.subjects.unit.get(id) ?? []).map((subject) => this.table.options(ask.seat, subject).catch(() => [])),
    );
    if (this.table.now?.moment !== moment || this.selected !== next) return;
    this.options = lists.length > 1 ? inCommon(next, lists) : (lists[0] ?? []);
    void this.loadCosts();
  }

  private async loadCosts(): Promise<void> {
    const unit = this.selected[0];
    const way = this.current;
    // Setting up costs no movement.
    if (!unit || !way || way.deed === 'place' || this.seat === null) return;
    const selected = this.selected;
    const mode = way.modes.join(' ');
    const answer = await this.table.ask(this.seat, `reach ${unit}${mode ? ` ${mode}` : ''}`).catch(() => null);
    if (this.selected !== selected || this.current?.key !== way.key) return;
    this.allowance = answer?.reach?.allowance ?? null;
    this.costs = new Map(answer?.reach?.cells ?? []);
  }

  setWay(key: string): void {
    this.way = key;
    this.costs = new Map();
    this.path = null;
    void this.loadCosts();
  }

  /** The next unit that can still act, by the map's own order; with none selected, the one nearest to where the user looks. */
  next(step = 1, far: (piece: Piece) => number = () => 0): string | null {
    const own = this.table.live.pieces.filter((p) => this.subjects.unit.has(p.id) && p.seat === this.seat);
    const piece = nextOf(own, own.filter((p) => this.table.cell(p.at)), this.selected[0], step, far);
    if (piece) void this.select([piece.id]);
    return piece?.id ?? null;
  }

  // ------------------------------------------------------------ pointing

  /** The user pointed at a cell (and at a counter on it, or at a hexside). Returns true if it meant something. */
  async point(cell: string, piece: Piece | null, edge: string | null, additive: boolean): Promise<boolean> {
    this.refusal = null;
    this.warned = null;
    if (this.draft) return this.fill(cell, piece);
    const ask = this.ask;
    if (!ask) return false;
    const side = edge && this.subjects.edge.get(edge);
    if (side) return this.take(side, null);
    if (!additive) {
      const aim = piece ? this.aims.get(piece.id) : undefined;
      if (aim) return this.aimAtAny(piece!.id, aim);
      const there = this.current?.targets.get(cell);
      if (there) return this.performOne(there, cell);
      const direct = this.directByPlace.get(cell);
      if (direct && !(piece && this.subjects.unit.has(piece.id))) return this.performOne(direct, cell);
      // If the answers name units (a loss, a lead unit), clicking one is the answer, unless the unit may also go somewhere: then it is selected.
      const named = piece && !this.leads(piece.id) ? this.naming(piece.id) : [];
      if (named.length) return this.performOne(named);
    }
    if (piece && this.subjects.unit.has(piece.id)) {
      await this.select([piece.id], additive);
      // One form stands for all that can be done to a target.
      const [only, ...more] = unformed(this.options);
      if (piece.seat !== this.seat && only?.template && !more.length) this.open(only);
      return true;
    }
    const hex = this.subjects.place.get(cell);
    if (hex) return this.take(hex, cell);
    if (this.selected.length && !additive) {
      await this.explain(cell);
      return true;
    }
    return false;
  }

  /** Offer what the selection can do with another own unit in that cell, and to move there; false if there is nothing to do with it. */
  offerWith(cell: string): boolean {
    const { seat } = this;
    const there = (id: string): boolean => !this.selected.includes(id) && this.table.piece(id)?.at === cell && this.table.piece(id)?.seat === seat;
    const found = this.deeds.filter((o) => o.reading.units.some(there));
    if (!found.length) return false;
    this.choices = [...found, ...(this.current?.targets.get(cell) ?? [])];
    this.choicesAt = cell;
    return true;
  }

  /** May this unit be selected, and go to a place then? */
  private leads(unit: string): boolean {
    return this.subjects.unit.has(unit) && this.direct.some((o) => o.reading.target !== null && o.reading.units.includes(unit));
  }

  /** Answers to the question that name this unit. */
  naming(unit: string): Offer[] {
    return this.buttons.filter((o) => o.reading.units.includes(unit));
  }

  /** Act with a subject that is not a unit: a hex, a hexside. */
  private async take(subject: string, cell: string | null): Promise<boolean> {
    if (this.seat === null) return false;
    const options = await this.table.options(this.seat, subject).catch(() => []);
    const untold = cell === null && areUntold(options, this.brief?.answers ?? [], this.briefed);
    this.clear();
    this.stack = cell ?? this.stack;
    if (untold) this.choices = options;
    if (untold) return true;
    // All these options act in this very place, and the game labels each: offer them as a choice.
    const here = (o: Offer): boolean => !!o.label && o.reading.target === cell;
    if (options.length > 1 && cell !== null && options.every(here) && !isOneForm(options)) {
      this.choices = options;
      this.choicesAt = cell;
      return true;
    }
    this.options = options;
    if (options.length === 1) await this.perform(options[0]!);
    return true;
  }

  /** Offer the options of several hexsides at the keyboard's cell. */
  async offer(edges: string[]): Promise<void> {
    if (this.seat === null) return;
    const seat = this.seat;
    const lists = await Promise.all(edges.map((edge) => this.table.options(seat, this.subjects.edge.get(edge)!).catch(() => [])));
    this.clear();
    await this.performOne(lists.flat());
  }

  /** Preview on hovering: the path or the chances. */
  async preview(cell: string | null): Promise<void> {
    this.path = null;
    this.foretold = null;
    let option = cell === null ? undefined : (this.current?.targets.get(cell) ?? this.directByPlace.get(cell))?.[0];
    const subject = cell === null || option || this.selected.length ? undefined : this.subjects.place.get(cell);
    if (subject !== undefined && this.seat !== null) option = (await this.table.options(this.seat, subject).catch(() => []))[0];
    const unit = this.selected[0] ?? option?.reading.units[0];
    if (!option || cell === null || this.seat === null) return;
    const { places, deed } = option.reading;
    if (deed !== 'move' && !option.template) {
      const sheet = await this.sheetOf(this.seat, option.action);
      if (sheet?.chances.length) {
        this.foretold = { at: cell, sheet };
        return;
      }
    }
    if (!unit) return;
    const from = this.table.piece(unit)?.at;
    if (places.length > 1 && from) {
      this.path = { cells: [from, ...places.filter((p) => p !== from)], costs: [] };
      return;
    }
    const mode = this.current?.modes.join(' ');
    const answer = await this.table.ask(this.seat, `way ${unit} ${cell}${mode ? ` ${mode}` : ''}`).catch(() => null);
    if (answer?.way && (this.selected[0] === undefined || this.selected[0] === unit)) this.path = drawnWay(answer.way);
  }

  /** The calculation of a decision, if the game has one. */
  private async sheetOf(seat: Seat, action: string): Promise<Sheet | null> {
    return (await this.table.ask(seat, `sheet ${action}`).catch(() => null))?.sheet ?? null;
  }

  /** Say why the selected unit may not go there. */
  async explain(cell: string): Promise<void> {
    const refusal = await this.why(cell);
    if (refusal) this.refusal = { refusal, at: cell };
  }

  /** The pointer rests on an unreachable place: load the reason before it is tried. */
  async wonder(cell: string): Promise<void> {
    this.doubt = null;
    const way = this.current;
    if (this.draft || !way || way.targets.has(cell) || this.table.piece(this.selected[0] ?? '')?.at === cell) return;
    const refusal = await this.why(cell);
    if (refusal && this.current?.key === way.key) this.doubt = { refusal, at: cell };
  }

  private async why(cell: string): Promise<Refusal | null> {
    const unit = this.selected[0];
    if (!unit || this.seat === null) return null;
    const mode = this.current?.modes.join(' ');
    const answer = await this.table.ask(this.seat, `way ${unit} ${cell}${mode ? ` ${mode}` : ''}`).catch(() => null);
    return this.selected[0] === unit ? (answer?.refusal ?? null) : null;
  }

  // ------------------------------------------------------------ doing

  /** Perform the only option, or offer a choice. */
  private async performOne(offered: Offer[], at: string | null = null): Promise<boolean> {
    const options = unformed(offered);
    if (options.length === 1 || isOneForm(options)) await this.perform(options[0]!);
    else {
      this.choices = formsOnce(options);
      this.choicesAt = at;
    }
    return true;
  }

  /** A possible target was clicked. If the game has one sheet for everything that can be done to it, open that with the
   * selection in it; else perform the only option, or offer a choice. */
  private async aimAtAny(unit: string, aim: Offer[]): Promise<boolean> {
    const subject = this.subjects.unit.get(unit);
    if (subject !== undefined && this.seat !== null) {
      const selected = this.selected;
      const whole = (await this.table.options(this.seat, subject).catch(() => [])).find((o) => o.template);
      if (this.selected !== selected) return true;
      if (whole) {
        this.open(whole);
        return true;
      }
    }
    return this.performOne(aim);
  }

  /** A button was pressed. */
  async press(option: Offer): Promise<void> {
    const scope = this.scopes.find((s) => s.scope === this.scope);
    if (scope && scope.units.length > 1 && !option.template && this.deeds.includes(option)) await this.eachOf(option, scope.units);
    else await this.perform(option);
  }

  /** Repeat an action for each of these units, where it is legal. */
  private async eachOf({ reading }: Offer, units: string[]): Promise<void> {
    const { seat } = this;
    const first = units[0]!;
    for (const unit of units) {
      if (this.seat !== seat || seat === null) return;
      const own = withUnits(reading, first, unit);
      if ((await this.table.verdict(seat, own).catch(() => null)) === 'legal' && !(await this.act(own, reading.target))) return;
    }
  }

  async perform(option: Offer): Promise<void> {
    this.choices = [];
    if (option.template) return this.open(option);
    const { units, target } = option.reading;
    if (await this.reckoned(option, units)) return;
    if (isDone(option) && prefs.warnDone && this.warned === null) {
      const left = this.table.live.pieces.filter((p) => p.active && this.subjects.unit.has(p.id)).length;
      if (left > 0) {
        this.warned = left;
        return;
      }
    }
    const others = this.selected.slice(1);
    const first = this.selected[0];
    if (others.length && first && units.length === 1 && units[0] === first) {
      await this.together(option.reading, first, this.selected);
    } else await this.act(option.action, target);
  }

  /** An action against another side's unit for which the game has a calculation: show the sheet first, even if nothing is left to
   * choose. */
  private async reckoned(option: Offer, units: string[]): Promise<boolean> {
    const { seat, selected } = this;
    const isFoe = (id: string): boolean => (this.table.piece(id)?.seat ?? seat) !== seat;
    if (seat === null || !units.some(isFoe)) return false;
    const sheet = await this.sheetOf(seat, option.action);
    if (sheet && this.selected === selected) this.open(asForm(option));
    return sheet !== null;
  }

  /** Several units act alike: in one action if the game allows it, else one after the other. */
  private async together(reading: Reading, first: string, units: string[]): Promise<void> {
    if (this.seat === null) return;
    const swap = (names: string): string => withUnits(reading, first, names);
    // Games separate several units of one action by spaces or plus signs.
    for (const joined of [swap(units.join(' ')), swap(units.join('+'))]) {
      const verdict = await this.table.verdict(this.seat, joined).catch(() => null);
      if (verdict === 'legal') return void (await this.act(joined, reading.target));
    }
    for (const unit of units) if (!(await this.act(swap(unit), reading.target))) return;
  }

  open(option: Offer): void {
    if (!option.template) return;
    this.setDraft(option, openingOf(option, this.selected));
  }

  private setDraft(option: Offer, filling: Filling): void {
    const template = option.template!;
    const action = compose(template, filling);
    const ready = complete(template, filling);
    const before = this.draft;
    this.draft = {
      option,
      template,
      filling,
      action,
      ready,
      verdict: null,
      sheet: before?.option === option ? before.sheet : null,
      asking: ready,
    };
    if (ready) void this.judge(action);
    else this.draft = { ...this.draft, sheet: null };
  }

  private async judge(action: string): Promise<void> {
    const seat = this.seat;
    if (seat === null) return;
    const verdict = await this.table.verdict(seat, action).catch(() => null);
    if (this.draft?.action !== action) return;
    this.draft = { ...this.draft, verdict };
    const sheet = await this.sheetOf(seat, action);
    if (this.draft?.action !== action) return;
    this.draft = { ...this.draft, sheet, asking: false };
  }

  changeAmount(index: number, by: number): void {
    if (!this.draft) return;
    this.setDraft(this.draft.option, changeAmount(this.draft.template, this.draft.filling, index, by));
  }

  toggle(index: number, value: string): void {
    if (!this.draft) return;
    this.setDraft(this.draft.option, toggle(this.draft.template, this.draft.filling, index, value));
  }

  /** While a form is open, clicking fills its slots. */
  private fill(cell: string, piece: Piece | null): boolean {
    const here = this.table.live.pieces.filter((p) => p.at === cell).map((p) => p.id);
    const pick = pickFor(this.draft!, cell, piece, here);
    if (pick) this.toggle(pick.slot, pick.value);
    return pick !== null;
  }

  async confirm(): Promise<void> {
    if (this.warned !== null) {
      const done = this.buttons.find(isDone);
      if (done) await this.act(done.action, null);
    } else if (this.draft) {
      if (this.draft.ready && (this.draft.verdict === null || this.draft.verdict === 'legal')) await this.act(this.draft.action, namedIn(this.draft).places.at(-1) ?? null);
      else if (this.draft.verdict && this.draft.verdict !== 'legal') {
        this.refusal = { refusal: this.draft.verdict.illegal, at: namedIn(this.draft).places.at(-1) ?? null };
      }
    } else if (this.picked) await this.perform(this.picked);
    else {
      const all = [...this.deeds, ...(this.selected.length ? [] : this.buttons)];
      if (all.length === 1) await this.perform(all[0]!);
    }
  }

  async done(): Promise<void> {
    const done = this.buttons.find(isDone);
    if (!done) return;
    if (this.warned !== null) await this.act(done.action, null);
    else await this.perform(done);
  }

  /** Send a decision; a refusal is shown at the place it leads to. */
  async act(action: string, target: string | null): Promise<boolean> {
    if (this.seat === null || this.busy) return false;
    this.busy = true;
    this.problem = null;
    try {
      await this.table.act(this.seat, action);
      return true;
    } catch (e) {
      this.fail(e, target);
      return false;
    } finally {
      this.busy = false;
    }
  }

  async undo(): Promise<void> {
    const seat = this.table.plan ? (this.seat ?? this.table.seats[0]) : this.table.now?.undo[0];
    if (seat === undefined) return;
    await this.table.undo(seat).catch((e: unknown) => this.fail(e, null));
  }

  private fail(e: unknown, at: string | null): void {
    if (e instanceof Refused && e.error.refusal) this.refusal = { refusal: e.error.refusal, at };
    else this.problem = e instanceof Refused ? e.error.code : 'unknown';
  }
}
