// One open table: its state as told by the server, and the game's words.

import { cellsOf, isEdge } from '../board/geometry';
import { api, ApiError, mapOf, token, type MapSource } from '../net/api';
import { renew } from '../net/renew';
import { GameSocket, Refused } from '../net/socket';
import { Catalog, type Names, type Part } from '../i18n/catalog';
import type { TileMeta } from '../board/tiles';
import { learnLooks } from '../board/looks';
import { unitLabel, wording } from '../board/wording';
import type { Arg, Board, Cell, Drawn, Face, GameInfo, Message, Offer, Piece, Proposal, Seat, Verdict, View } from '../protocol';
import type { Advice, CatalogueItem, ChatLine, GameDetail, LogLine, Now, Past, Foreseen, Frame, WhatIf } from '../protocol';
import type { Language } from '../prefs.svelte';
import { patched, withLines } from './patch';

/** Timeout of an analysis in milliseconds: more than the server promises, since it may be busy. */
const PONDERING = 60_000;
/** So many units that are gone are looked up when a table is opened. */
const RECALLED = 12;
const EMPTY: View = { turn: null, pieces: [], markers: [], panels: [] };

/** The words of a game in a language, fetched once. */
const fetched = new Map<string, Promise<Record<string, string>>>();
function wordsOf(game: string, language: Language): Promise<Record<string, string>> {
  const key = `${game}/${language}`;
  let known = fetched.get(key);
  if (!known) {
    fetched.set(key, (known = api.messages(game, language)));
    known.catch(() => fetched.delete(key));
  }
  return known;
}

export class Table {
  game = $state.raw<GameDetail | null>(null);
  info = $state.raw<GameInfo | null>(null);
  bots = $state.raw<CatalogueItem['bots']>([]);
  seats = $state.raw<Seat[]>([]);
  now = $state.raw<Now | null>(null);
  /** The position as it is. */
  actual = $state.raw<View>(EMPTY);
  /** Decisions that are planned but not sent; null while nothing is planned. */
  plan = $state.raw<string[] | null>(null);
  private planner: Seat = 0;
  /** The position after them. */
  foreseen = $state.raw<Foreseen | null>(null);
  /** The position to work with: actual or planned. */
  readonly live = $derived(this.foreseen?.view ?? this.actual);
  lines = $state.raw<LogLine[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  status = $state<'connecting' | 'open' | 'lost'>('connecting');
  /** Bots that are thinking, with their progress (0–1) if known. */
  thinking = $state.raw<ReadonlyMap<Seat, number | null>>(new Map());
  board = $state.raw<Board | null>(null);
  tiles = $state.raw<{ meta: TileMeta; url: MapSource['tile'] } | null>(null);
  words = $state.raw(new Catalog({}));
  language = $state<Language>('en');
  private wanted: Language = 'en';
  /** The past moment that is shown; null = now. */
  past = $state.raw<Past | null>(null);
  failure = $state.raw<string | null>(null);
  /** Called with the lines of each new update, before the view changes. */
  onlines: ((lines: LogLine[], before: View, hasty: boolean) => void) | null = null;
  /** Called when a seat of this screen decides. */
  onact: (() => void) | null = null;
  /** May hold an update back; it must then call `accept` with it later. */
  gate: ((frame: Extract<Frame, { type: 'update' }>) => boolean) | null = null;
  /** Called before a complete new state is taken in: it contains whatever was held back. */
  onwhole: (() => void) | null = null;
  /** Called when the replay advances by one decision, with its lines and the view before. */
  onstep: ((lines: LogLine[], before: View) => void) | null = null;

  readonly view = $derived(this.past?.view ?? this.live);
  /** Is anything at this table hidden from a seat? */
  readonly secrets = $derived(this.game?.secrets ?? false);
  private readonly faces = new Map<string, Face>();
  /** Depends on the board: places are known only once it has arrived. */
  private readonly cells = $derived(new Map((this.board?.cells ?? []).map((c) => [c.id, c] as [string, Cell])));
  private socket: GameSocket | null = null;
  private answers = new Map<string, Promise<unknown>>();
  private answersAt = '';
  readonly names: Names = {
    unit: (id) => this.unitName(id),
    place: (id) => this.placeName(id),
  };

  constructor(readonly id: string) {}

  async open(language: Language): Promise<void> {
    try {
      const [game, catalogue] = await Promise.all([api.game(this.id), api.catalogue()]);
      this.game = game;
      const item = catalogue.find((c) => c.info.id === game.game);
      this.info = item?.info ?? null;
      if (item) learnLooks(item.info.looks);
      this.bots = item?.bots ?? [];
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
      this.socket = new GameSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(this.id)}/ws`, token(), {
        frame: (frame) => this.take(frame),
        status: (status) => (this.status = status),
        outdated: () => {
          if (!renew()) this.failure = 'outdated';
        },
        rulesFailed: () => (this.failure = 'rules_failed'),
        since: () => this.now?.seq ?? 0,
      });
      const map = mapOf({ id: this.id }, language);
      const [board, meta] = await Promise.all([api.board(map), api.tileMeta(map), this.speak(language)]);
      this.tiles = { meta, url: map.tile };
      this.board = board;
      void this.recall();
    } catch (e) {
      this.failure = e instanceof ApiError ? e.code : e instanceof Error ? e.message : String(e);
    }
  }

  close(): void {
    this.socket?.close();
  }

  /** Fetch the game's words in another language, and the map with its labels. */
  async speak(language: Language): Promise<void> {
    if (!this.game) return;
    const { game } = this.game;
    this.wanted = language;
    const [english, own] = await Promise.all([wordsOf(game, 'en'), language === 'en' ? null : wordsOf(game, language)]);
    // Another language was requested meanwhile.
    if (this.wanted !== language) return;
    this.words = own ? new Catalog(own, new Catalog(english)) : new Catalog(english);
    wording.title = (text) => this.word(text);
    this.language = language;
    if (this.tiles) this.tiles = { meta: this.tiles.meta, url: mapOf({ id: this.id }, language).tile };
  }

  private take(frame: Frame): void {
    switch (frame.type) {
      case 'welcome':
        this.onwhole?.();
        if (this.failure === 'rules_failed') this.failure = null;
        this.game = frame.game;
        this.seats = frame.seats;
        if (frame.from === 0) {
          this.lines = frame.lines;
          this.chat = frame.chat;
        } else {
          this.lines = withLines(this.lines, frame.lines, frame.undone);
          this.chat = [...this.chat, ...frame.chat];
        }
        this.show(frame.view);
        this.now = frame.now;
        // Before the board is there, the words that name units may not be either.
        if (this.board) void this.recall();
        break;
      case 'update':
        if (!this.gate?.(frame)) this.accept(frame);
        break;
      case 'looked':
        this.onwhole?.();
        this.show(frame.view);
        this.now = frame.now;
        break;
      case 'table':
        this.game = frame.game;
        break;
      case 'thinking': {
        const next = new Map(this.thinking);
        if (frame.on) next.set(frame.seat, frame.progress ?? null);
        else next.delete(frame.seat);
        this.thinking = next;
        break;
      }
      case 'reply':
      case 'refused':
        break;
    }
  }

  /** Apply an update; `hasty` if it is one of many and need not be shown by itself. */
  accept(frame: Extract<Frame, { type: 'update' }>, hasty = false): void {
    if (this.now && frame.now.seq > this.now.seq + 1) {
      this.socket?.resync();
      return;
    }
    if (this.now && frame.now.seq <= this.now.seq) return;
    const before = this.actual;
    if (frame.lines?.length || frame.undone !== undefined) {
      this.lines = withLines(this.lines, frame.lines ?? [], frame.undone);
    }
    // Another seat of this screen reads the whole report anew: only what has happened since is news.
    const news = frame.undone === undefined || frame.undone === null ? frame.lines : frame.lines?.filter((line) => line.decision > (this.now?.decision ?? 0));
    if (news?.length) this.onlines?.(news, before, hasty);
    if (frame.chat?.length) this.chat = [...this.chat, ...frame.chat];
    this.show(frame.view ?? (frame.patch ? patched(before, frame.patch) : before));
    const ended = frame.now.status === 'over' && this.now?.status !== 'over';
    if (this.plan && frame.now.moment !== this.now?.moment) this.dropPlan();
    this.now = frame.now;
    // Now the seed of the dice is disclosed.
    if (ended) void api.game(this.id).then((game) => (this.game = game), () => undefined);
  }

  private show(view: View): void {
    for (const piece of view.pieces) this.faces.set(piece.id, piece.face);
    this.actual = view;
  }

  /** Units that the report names but the position no longer has: their counters are looked up where they were last seen. */
  private async recall(): Promise<void> {
    const missing = new Map<string, number>();
    const note = (arg: Arg, decision: number): void => {
      if ('list' in arg) for (const one of arg.list) note(one, decision);
      else if ('unit' in arg && !this.faces.has(arg.unit) && !this.words.text(`unit.${arg.unit}`)) missing.set(arg.unit, decision);
    };
    for (const line of this.lines) for (const [, arg] of line.entry.message.args ?? []) note(arg, line.decision);
    for (const [unit, decision] of [...missing].slice(0, RECALLED)) {
      if (this.faces.has(unit)) continue;
      const past = await api.past(this.id, Math.max(0, decision - 1), this.eyes).catch(() => null);
      for (const piece of past?.view.pieces ?? []) if (!this.faces.has(piece.id)) this.faces.set(piece.id, piece.face);
    }
    if (missing.size) this.lines = [...this.lines];
  }

  /** No question to the server waits for its answer. */
  get quiet(): boolean {
    return this.socket?.idle ?? true;
  }

  private request<T>(body: { type: string } & Record<string, unknown>, patience?: number): Promise<T> {
    if (!this.socket) return Promise.reject(new Refused({ code: 'offline', detail: 'not connected' }));
    return this.socket.request<T>(body, patience);
  }

  async options(seat: Seat, subject: string): Promise<Offer[]> {
    return this.once(`options ${seat} ${subject}`, async () => {
      const reply = await this.request<{ options: Offer[] }>({ type: 'options', seat, subject, ...this.after(seat) });
      return reply.options;
    });
  }

  async verdict(seat: Seat, action: string): Promise<Verdict> {
    return this.once(`verdict ${seat} ${action}`, async () => {
      const reply = await this.request<{ verdict: Verdict }>({ type: 'verdict', seat, action, ...this.after(seat) });
      return reply.verdict;
    });
  }

  async ask(seat: Seat | null, question: string): Promise<Drawn> {
    return this.once(`ask ${seat} ${question}`, async () => {
      const body = { type: 'ask', question, ...(seat === null ? {} : { seat, ...this.after(seat) }) };
      return (await this.request<{ answer: Drawn }>(body)).answer;
    });
  }

  // ------------------------------------------------------------ plans

  /** The planned decisions, sent along with questions. */
  private after(seat: Seat): { after?: string[] } {
    return this.plan?.length && seat === this.planner ? { after: this.plan } : {};
  }
  /** Start planning: decisions are collected and not sent. */
  startPlan(seat: Seat): void {
    this.planner = seat;
    this.plan = [];
    this.foreseen = null;
  }
  dropPlan(): void {
    this.plan = null;
    this.foreseen = null;
  }
  /** Replace the plan by these decisions; rejected if they could not be carried out. */
  private async lay(actions: string[]): Promise<void> {
    const reply = actions.length ? await this.request<{ foreseen: Foreseen }>({ type: 'foresee', seat: this.planner, actions }) : null;
    if (this.plan === null) return;
    for (const piece of reply?.foreseen.view.pieces ?? []) this.faces.set(piece.id, piece.face);
    this.plan = actions;
    this.foreseen = reply?.foreseen ?? null;
  }
  /** Remove the last decision of the plan. */
  unlay(): Promise<void> {
    return this.lay((this.plan ?? []).slice(0, -1));
  }
  /** Carry the plan out, decision by decision, as far as it is possible. */
  async carryOut(): Promise<void> {
    const { plan, planner } = this;
    this.dropPlan();
    for (const action of plan ?? []) {
      const moment = this.now?.moment;
      await this.act(planner, action);
      // The next one is for the position that this one leads to.
      for (let n = 0; n < 100 && this.now?.moment === moment; n++) await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  act(seat: Seat, action: string): Promise<unknown> {
    if (this.plan !== null) return this.lay([...this.plan, action]);
    this.onact?.();
    return this.request({ type: 'act', seat, action, moment: this.now?.moment ?? 0 });
  }
  undo(seat: Seat): Promise<unknown> {
    if (this.plan !== null) return this.unlay();
    return this.request({ type: 'undo', seat, moment: this.now?.moment ?? 0 });
  }
  takeback(seat: Seat): Promise<unknown> {
    return this.request({ type: 'takeback', seat, moment: this.now?.moment ?? 0 });
  }
  answerTakeback(seat: Seat, yes: boolean): Promise<unknown> {
    return this.request({ type: 'answer', seat, yes });
  }
  resign(seat: Seat): Promise<unknown> {
    return this.request({ type: 'resign', seat });
  }
  /** Propose something to the others. */
  propose(seat: Seat, what: Proposal): Promise<unknown> {
    return this.request({ type: 'propose', seat, what });
  }
  answerProposal(seat: Seat, yes: boolean): Promise<unknown> {
    return this.request({ type: 'answer_proposal', seat, yes });
  }
  /** Let the clocks run again. */
  goOn(seat: Seat): Promise<unknown> {
    return this.request({ type: 'go_on', seat });
  }
  /** Take the seat back that a computer plays for me. */
  takeSeat(seat: Seat): Promise<unknown> {
    return this.request({ type: 'take_seat', seat });
  }
  async advise(seat: Seat): Promise<Advice> {
    // The second strongest bot is strong enough for advice, and quicker.
    const level = this.bots.find((b) => b.id === 'veteran')?.id;
    return (await this.request<{ advice: Advice }>({ type: 'advise', seat, ...(level ? { level } : {}) }, PONDERING)).advice;
  }
  async playOut(seat: Seat, action: string, times: number): Promise<WhatIf> {
    return (await this.request<{ what_if: WhatIf }>({ type: 'what_if', seat, action, times }, PONDERING)).what_if;
  }
  /** Make a bot decide now, with what it has found so far. */
  hurry(): Promise<unknown> {
    return this.request({ type: 'hurry' });
  }
  say(text: string): Promise<unknown> {
    const seat = this.seats[0];
    return this.request({ type: 'chat', text, ...(seat === undefined ? {} : { seat }) });
  }
  look(viewer: { seat: Seat } | null): Promise<unknown> {
    return this.request(viewer ? { type: 'look', viewer } : { type: 'look' });
  }

  /** Each question is asked once per position and cached. */
  private once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const moment = `${this.now?.moment ?? 0} ${this.plan?.join(';') ?? ''}`;
    if (moment !== this.answersAt) {
      this.answers.clear();
      this.answersAt = moment;
    }
    const known = this.answers.get(key) as Promise<T> | undefined;
    if (known) return known;
    const asked = ask();
    this.answers.set(key, asked);
    asked.catch(() => this.answers.delete(key));
    return asked;
  }

  // ------------------------------------------------------------ the past

  /** Through whose eyes the past is shown: mine, or a guest's. */
  get eyes(): string {
    if (this.now?.status === 'over') return 'referee';
    const viewer = this.now?.viewer;
    return viewer && typeof viewer === 'object' ? String(viewer.seat) : 'spectator';
  }

  async lookBack(decision: number | null): Promise<void> {
    if (decision === null) {
      this.past = null;
      return;
    }
    const past = await api.past(this.id, decision, this.eyes);
    for (const piece of past.view.pieces) this.faces.set(piece.id, piece.face);
    const before = this.past;
    if (before && before.decision + 1 === past.decision) {
      this.onstep?.(
        this.lines.filter((line) => line.decision === past.decision),
        before.view,
      );
    }
    this.past = past;
  }

  // ------------------------------------------------------------ words

  parts(message: Message): Part[] {
    return this.words.parts(message, this.names);
  }
  tell(message: Message): string {
    return this.words.render(message, this.names);
  }
  /** A key of the game's messages, or the text itself. */
  word(key: string): string {
    return this.words.text(key) ?? key;
  }

  unitName(id: string): string {
    const named = this.words.text(`unit.${id}`);
    if (named) return named;
    const face = this.faces.get(id);
    return face ? unitLabel({ ...face, title: this.word(face.title) }) : id;
  }

  placeName(id: string): string {
    const cell = this.cells.get(id);
    const name = cell && this.ownName(cell);
    if (name) return `${name} (${id})`;
    if (isEdge(id)) return id.split('/').map((side) => this.placeName(side)).join(' – ');
    const boxes = this.board?.boxes ?? [];
    const box = boxes.find((b) => b.id === id);
    if (!box) return id;
    // Units of the same name are told apart by the suffix of their ids: `block:A`.
    const twins = boxes.some((b) => b !== box && b.name === box.name);
    return twins ? `${this.word(box.name)} ${id.slice(id.indexOf(':') + 1)}` : this.word(box.name);
  }

  /** What a place is called in the language of the page. */
  private ownName(cell: Cell): string | null {
    const { name } = cell;
    if (!name) return null;
    return cell.names?.[this.language] ?? this.words.text(name) ?? name;
  }

  seatName(seat: Seat | null | undefined): string {
    const info = seat === null || seat === undefined ? undefined : this.info?.seats[seat];
    return info ? this.word(info.name) : '';
  }

  cell(id: string): Cell | undefined {
    return this.cells.get(id);
  }

  isUnit(token: string): boolean {
    return this.faces.has(token);
  }
  isPlace(token: string): boolean {
    return cellsOf(token).every((cell) => this.cells.has(cell));
  }

  piece(id: string): Piece | undefined {
    return this.view.pieces.find((p) => p.id === id);
  }
}
