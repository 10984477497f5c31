// View state of the table page: which panels are open, what the pointer is over, where the
// keyboard is. Components read it from the context and change it by its methods.

import { cellsOf } from '../board/geometry';
import type { BoardHandle } from '../board/Board.svelte';
import type { Point } from '../board/geometry';
import type { Insets } from '../board/camera';
import { prefs, savePrefs } from '../prefs.svelte';
import type { Piece } from '../protocol';
import type { Analysis } from './analysis.svelte';
import { named } from './describe';
import type { Flow } from './flow.svelte';
import type { Overlays } from './overlays.svelte';
import type { Table } from './table.svelte';

export type Tab = 'selection' | 'tracks' | 'notes' | 'chat';
export type Part = 'sides' | Exclude<Tab, 'selection'>;
export type Sheet = 'none' | 'units' | 'log' | 'info';
export type Dialog = 'none' | 'goto' | 'keys' | 'menu';

/** Narrower than this, panels become sheets. */
const NARROW = 760;
/** Share of a phone's height that a sheet takes. */
const SHEET = 0.58;
/** Up to this many counters are a small battle, shown as a whole at first. */
const SMALL = 40;
const FLASH = 1800;
const FAN_DELAY = 260;
const FAN_GRACE = 220;
/** Delay before a resting pointer asks why a place cannot be reached. */
const WONDER = 320;

export class Page {
  handle = $state.raw<BoardHandle | null>(null);
  width = $state(innerWidth);
  height = $state(innerHeight);
  tab = $state<Tab>('selection');
  sheet = $state<Sheet>('none');
  /** The tab of the phone's information sheet. */
  part = $state<Part>('sides');
  dialog = $state<Dialog>('none');
  logOpen = $state(false);
  /** The decision from which a new game is to be started, while its seats are chosen. */
  branching = $state<number | null>(null);
  replaying = $state(false);
  rule = $state<string | null>(null);
  hover = $state.raw<{ cell: string; at: Point; piece: Piece | null } | null>(null);
  fan = $state.raw<{ cell: string; pieces: Piece[] } | null>(null);
  /** The pointer is on the fan. */
  fanHeld = false;
  /** The keyboard's cell. */
  focus = $state<string | null>(null);
  flash = $state<string | null>(null);
  /** The place a button is about, while it is pointed at. */
  marked = $state<string | null>(null);
  hideCounters = $state(false);
  dragging = $state(false);
  /** Where a dragged counter is, on the screen. */
  carried = $state.raw<Point | null>(null);
  /** The request for what the dragged piece can do. */
  private lifting: Promise<void> = Promise.resolve();
  /** Incremented whenever the camera moves, for elements that are placed on the map. */
  viewTick = $state(0);
  /** The place that a lesson points at while a unit is to be chosen. */
  pointed: string | null = null;
  /** The orders of the scenario are shown again. */
  orders = $state(false);

  readonly narrow = $derived(this.width < NARROW);
  readonly insets = $derived.by(() => this.covered());

  private flashTimer: ReturnType<typeof setTimeout> | undefined;
  private fanTimer: ReturnType<typeof setTimeout> | undefined;
  private wonderTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: Table,
    readonly flow: Flow,
    readonly overlays: Overlays,
    readonly analysis: Analysis,
  ) {}

  // ------------------------------------------------------------ showing

  /** What the panels cover of the map; a sheet opens the right one even if it is folded. */
  private covered(): Insets {
    if (this.narrow) return { top: 64, right: 0, bottom: this.sheet === 'none' ? 110 : 62 + this.height * SHEET, left: 0 };
    return { top: 56, right: prefs.right || this.flow.draft ? 356 : 0, bottom: 64, left: prefs.left ? 262 : 0 };
  }

  /** Scroll to a place and highlight it briefly. */
  show(place: string): void {
    this.handle?.show(place);
    this.flash = place;
    if (this.table.cell(place)) this.flow.stack = place;
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => (this.flash = null), FLASH);
    if (this.narrow) this.sheet = 'none';
  }

  showUnit(unit: string): void {
    const piece = this.table.piece(unit);
    if (!piece) return;
    this.flow.stack = piece.at;
    this.show(piece.at);
  }

  /** Select the unit that prevents the phase from being finished. */
  showBlocked(): void {
    const found = this.flow.blocked && named(this.flow.blocked.why);
    if (found?.unit) {
      this.showUnit(found.unit);
      void this.flow.select([found.unit]);
    } else if (found?.place) this.show(found.place);
    else this.nextUnit();
  }

  /** How far a place is from where a lesson points, else from the middle of the view; 0 where it is not on the map. */
  private aside(place: string): number {
    const { camera, geometry } = this.handle ?? {};
    const at = geometry?.locate(place);
    const eye = (this.pointed && this.table.cell(this.pointed) ? geometry?.locate(this.pointed) : undefined) ?? camera;
    return at && eye ? Math.hypot(at.x - eye.x, at.y - eye.y) : 0;
  }

  /** Select the next unit that can act, and show it on the map or in its panel. */
  nextUnit(step = 1): void {
    const next = this.flow.next(step, (piece) => this.aside(piece.at));
    const piece = next ? this.table.piece(next) : undefined;
    if (!piece) return;
    this.focus = this.table.cell(piece.at) ? piece.at : null;
    if (this.focus === null) return this.openTab('tracks');
    this.handle?.show(this.focus);
    this.handle?.focus();
  }

  /** A place's position on the screen; tracks the camera. */
  screen(place: string | null | undefined): Point | null {
    void this.viewTick;
    return place ? (this.handle?.screen(place) ?? null) : null;
  }

  /** The initial view: where the units are. */
  frameUnits(): void {
    const { pieces } = this.table.live;
    const all = pieces.filter((p) => this.table.cell(p.at));
    // Of several seats at this screen, the one that decides.
    const asked = this.table.now?.asks.find((ask) => this.table.seats.includes(ask.seat))?.seat ?? this.table.seats[0];
    const mine = all.filter((p) => p.active || p.seat === asked);
    // In a small battle, show both sides.
    const wanted = mine.length && all.length > SMALL ? mine : all;
    this.handle?.frame(
      wanted.map((p) => p.at),
      this.narrow ? 58 : 64,
      this.narrow ? 40 : 44,
    );
  }

  /** Scroll to some of these places, unless one of them is visible. */
  bring(places: string[]): void {
    const { handle } = this;
    if (!handle) return;
    const seen = places.some((id) => {
      const at = handle.geometry.locate(id);
      return at !== undefined && handle.camera.sees(at);
    });
    if (!seen) handle.frame(places, 62, 34);
  }

  openTab(tab: Tab): void {
    this.tab = tab;
    if (this.narrow) {
      this.sheet = tab === 'selection' ? 'units' : 'info';
      if (tab !== 'selection') this.part = tab;
    } else if (!prefs.right) this.fold('right');
  }
  fold(side: 'left' | 'right'): void {
    prefs[side] = !prefs[side];
    savePrefs();
  }
  toggleSheet(sheet: Sheet): void {
    this.sheet = this.sheet === sheet ? 'none' : sheet;
  }
  toggleDialog(dialog: Dialog): void {
    this.dialog = this.dialog === dialog ? 'none' : dialog;
  }
  toggleLog(): void {
    if (this.narrow) this.toggleSheet('log');
    else this.logOpen = !this.logOpen;
  }

  /** Escape closes whatever was opened last. */
  escape(): void {
    if (this.dragging) this.letGo();
    else if (this.dialog !== 'none') this.dialog = 'none';
    else if (this.rule) this.rule = null;
    else if (this.fan) this.fan = null;
    else if (this.overlays.tool) this.overlays.take(null);
    else if (this.flow.back()) return;
    else if (this.sheet !== 'none') this.sheet = 'none';
    else if (this.replaying || this.table.past) this.escapeReplay();
    else if (this.logOpen) this.logOpen = false;
    else this.focus = null;
  }

  /** Close everything that covers the map, for the replay. */
  replay(): void {
    this.replaying = true;
    this.dialog = 'none';
    this.sheet = 'none';
    this.flow.clear();
  }
  escapeReplay(): void {
    this.film = false;
    this.table.past = null;
    this.replaying = false;
  }
  /** Start the replay here and let it run. */
  playing = $state<number | null>(null);
  playFrom(decision: number): void {
    this.replay();
    this.playing = decision;
  }
  /** Replay as a film: from turn to turn, with the front line. */
  film = $state(false);
  playFilm(): void {
    this.film = true;
    this.handle?.zoom(0);
    this.playFrom(0);
  }
  async moment(decision: number | null): Promise<void> {
    this.replay();
    await this.table.lookBack(decision).catch(() => undefined);
  }
  stepBack(step: number): Promise<void> {
    const now = this.table.now?.decision ?? 0;
    const next = (this.table.past?.decision ?? now) + step;
    return this.moment(next >= now ? null : Math.max(0, next));
  }

  // ------------------------------------------------------------ pointing

  hovered(cell: string | null, at: Point | null, piece: Piece | null): void {
    if (cell === this.hover?.cell && piece?.id === this.hover?.piece?.id) {
      if (this.hover && at) this.hover = { ...this.hover, at };
      return;
    }
    clearTimeout(this.fanTimer);
    this.hover = cell && at ? { cell, at, piece } : null;
    this.overlays.follow(cell);
    // On its way to the fan the pointer may cross a neighbouring cell, and over the fan it leaves the board.
    if (this.fan && this.fan.cell !== cell) this.fanTimer = setTimeout(() => this.fanHeld || (this.fan = null), FAN_GRACE);
    if (cell && piece && !this.fan && !this.dragging && !this.overlays.tool) {
      const stack = this.handle?.stackAt(cell);
      if (stack && stack.pieces.length > 1) {
        this.fanTimer = setTimeout(() => (this.fan = { cell, pieces: [...stack.pieces].reverse() }), FAN_DELAY);
      }
    }
    this.preview(cell);
  }

  /** Preview the path to a place, or after a moment the reason why there is none. */
  private preview(cell: string | null): void {
    void this.flow.preview(cell);
    this.flow.doubt = null;
    clearTimeout(this.wonderTimer);
    if (cell && this.flow.selected.length && !this.overlays.tool) this.wonderTimer = setTimeout(() => void this.flow.wonder(cell), WONDER);
  }

  private noFan(): void {
    this.fan = null;
    this.fanHeld = false;
    clearTimeout(this.fanTimer);
  }

  async picked(pick: { cell: string; piece: Piece | null; edge: string | null; additive: boolean }): Promise<void> {
    this.focus = null;
    this.noFan();
    if (this.overlays.tool) return this.overlays.point(pick.cell);
    // In a stack, take the piece that can act or is asked about; others are chosen in the fan or the panel.
    const { flow } = this;
    const wanted = (p: Piece): boolean =>
      flow.aims.has(p.id) || flow.naming(p.id).length > 0 || (flow.canSelect(p) && p.active !== false && !flow.selected.includes(p.id));
    const piece = pick.piece ? (this.stackTop(pick.cell).find(wanted) ?? pick.piece) : null;
    await this.choose(pick.cell, piece, pick.edge, pick.additive);
  }

  /** The pieces of a cell, the top one first. */
  stackTop(cell: string): Piece[] {
    return [...(this.handle?.stackAt(cell)?.pieces ?? [])].reverse();
  }

  async choose(cell: string, piece: Piece | null, edge: string | null, additive: boolean): Promise<void> {
    if (this.overlays.tool) return this.overlays.point(cell);
    const { flow, tab } = this;
    const meant = await flow.point(cell, piece, edge, additive);
    if (!meant && flow.selected.length === 0) flow.stack = cell;
    // Unless another stack was opened meanwhile.
    if (flow.stack && !flow.draft && this.tab === tab) this.tab = 'selection';
    if (this.narrow && (flow.draft || (!meant && piece))) this.sheet = 'units';
  }

  /** Enter acts on the keyboard's cell. */
  chooseFocus(additive: boolean): void {
    const { focus, flow } = this;
    if (!focus) return;
    const stack = this.stackTop(focus);
    const piece = stack.find((p) => flow.canSelect(p)) ?? stack[0] ?? null;
    const edges = [...flow.subjects.edge.keys()].filter((x) => cellsOf(x).includes(focus));
    if (edges.length > 1) void flow.offer(edges);
    else void this.choose(focus, piece, edges[0] ?? null, additive);
  }

  grabbed(cell: string, piece: Piece | null): boolean {
    const { flow, overlays } = this;
    if (overlays.tool) {
      // A tool is dragged from place to place.
      if (overlays.tool.from !== cell) overlays.take(overlays.tool.info);
      if (overlays.tool.from !== cell) overlays.tool = { ...overlays.tool, from: null, to: null, fixed: false };
      overlays.point(cell);
      this.dragging = true;
      return true;
    }
    const mine = this.handle?.stackAt(cell)?.pieces.find((p) => flow.selected.includes(p.id)) ?? (piece && flow.canSelect(piece) ? piece : null);
    if (!mine || flow.draft) return false;
    this.noFan();
    if (!flow.selected.includes(mine.id)) this.lifting = flow.select([mine.id]);
    this.dragging = true;
    return true;
  }
  private letGo(): void {
    this.dragging = false;
    this.carried = null;
    this.flow.path = null;
    this.hover = null;
  }
  dragged(cell: string | null, at: Point): void {
    if (!this.dragging) return;
    if (this.overlays.tool) this.overlays.follow(cell);
    else {
      this.carried = at;
      if (this.hover?.cell !== cell) this.preview(cell);
    }
    this.hover = cell ? { cell, at: { x: 0, y: 0 }, piece: null } : null;
  }
  async dropped(cell: string | null): Promise<void> {
    // Escape had cancelled the drag.
    if (!this.dragging) return;
    this.letGo();
    if (this.overlays.tool) {
      if (cell && cell !== this.overlays.tool.from) this.overlays.point(cell);
      return;
    }
    const from = this.table.piece(this.flow.selected[0] ?? '')?.at;
    if (!cell) return;
    // The counter may be dropped before its options have arrived.
    await this.lifting;
    // Dropped on another own counter: what the two can do together (mount, tow).
    if (this.flow.offerWith(cell) || cell === from) return;
    await this.choose(cell, null, null, false);
  }

  inspected(cell: string): void {
    this.flow.stack = cell;
    this.tab = 'selection';
    if (this.narrow) this.sheet = 'units';
    else if (!prefs.right) this.fold('right');
  }

  focused(cell: string): void {
    this.focus = cell;
    if (this.flow.selected.length === 0) this.flow.stack = cell;
    this.overlays.follow(cell);
    this.preview(cell);
  }

  viewed(): void {
    this.viewTick++;
    if (this.fan) this.noFan();
    // The map moved while the pointer was at rest.
    const { hover, handle } = this;
    const at = hover && !this.dragging && (hover.at.x || hover.at.y) ? handle?.screen(hover.cell) : null;
    if (hover && handle && at && Math.hypot(at.x - hover.at.x, at.y - hover.at.y) > handle.geometry.pitch * handle.camera.scale) this.hover = null;
  }

  holdFan(held: boolean): void {
    this.fanHeld = held;
    clearTimeout(this.fanTimer);
    if (!held) this.fanTimer = setTimeout(() => (this.fan = null), FAN_GRACE);
  }

  /** A counter of the fan was clicked. */
  chooseInFan(piece: Piece, additive: boolean): void {
    const { flow, fan } = this;
    if (!fan) return;
    const { cell } = fan;
    if (!additive) this.noFan();
    const aimed = flow.draft !== null || flow.aims.has(piece.id) || flow.naming(piece.id).length > 0;
    if (aimed) void flow.point(cell, piece, null, additive);
    else if (flow.canSelect(piece)) void flow.select([piece.id], additive);
    else flow.stack = cell;
  }
}
