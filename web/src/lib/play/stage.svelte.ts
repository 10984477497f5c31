// A fight as it is staged: who attacks whom from where, each roll with its purpose, the result. Made from the facts of
// the log (docs/PROTOCOL.md, "The report"); knows no game.

import type { Arg, Facts, LogLine, Message, Seat, View } from '../protocol';
import type { Strike } from '../board/scene';
import { prefs, staged } from '../prefs.svelte';
import type { Table } from './table.svelte';

export interface Roll {
  message: Message;
  sides: number;
  value: number;
  modifier: number;
}

export interface Fight {
  id: number;
  /** The cell that is attacked, or the unit that is fired at. */
  target: string;
  seat: Seat | null;
  title: Message;
  /** It interrupted another side's move. */
  interrupt: boolean;
  attackers: string[];
  support: string[];
  defenders: string[];
  strikes: Strike[];
  rolls: Roll[];
  /** The line with the result. */
  result: { message: Message; code: string; tone: Tone; hits?: number } | null;
  /** The shots of several shooters, one after the other; the last of them is the result. */
  shots: { message: Message; tone: Tone }[];
  /** The strengths, the columns that the odds were shifted (right is positive) and the column that the dice fell on. */
  odds: { attack: number; defense: number; shift: number; column: string } | null;
  /** What followed: losses, retreats, advances. */
  after: LogLine[];
}

type Tone = 'good' | 'bad' | 'even';

/** Milliseconds between two steps, and how long the card stays afterwards. */
export const PACES = { off: { step: 0, stay: 0, move: 0 }, quick: { step: 170, stay: 2600, move: 260 }, slow: { step: 650, stay: 6500, move: 800 } };

/** Moves that have nothing to do with the fight they follow. */
const isMove = (line: LogLine, facts: Facts): boolean => (facts.kind === 'move' || facts.kind === 'step') && line.entry.topic !== 'retreat' && line.entry.topic !== 'advance';

const listOf = (message: Message, name: string): string[] => {
  const arg = message.args?.find(([n]) => n === name)?.[1];
  const units = (a: Arg): string[] => ('list' in a ? a.list.flatMap(units) : 'unit' in a ? [a.unit] : []);
  return arg ? units(arg) : [];
};

export class Stage {
  fight = $state.raw<Fight | null>(null);
  /** The last outcome, pinned in the log: its line, until another comes. */
  outcome = $state.raw<LogLine | null>(null);
  skipped = $state(false);
  private count = 0;
  private over = false;
  /** Where units have gone since the view before. */
  private moved = new Map<string, string>();
  /** A curtain hides the table: the scene waits behind it. */
  private held = false;
  private stay = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** How long the last lines should be shown. */
  private wanted = 0;

  constructor(private readonly table: Table) {}

  /** How long the last step should be shown. */
  get linger(): number {
    return this.wanted;
  }

  /** A curtain falls or rises. */
  hold(on: boolean): void {
    if (on === this.held) return;
    this.held = on;
    if (on) clearTimeout(this.timer);
    else if (this.fight) {
      this.fight = { ...this.fight, strikes: this.fight.strikes.map((s) => ({ ...s, start: performance.now() })) };
      this.timer = setTimeout(() => this.close(), this.stay);
    }
  }

  take(lines: LogLine[], before: View): void {
    this.wanted = 0;
    this.moved.clear();
    if (!staged()) {
      for (const line of lines) this.pin(line);
      return;
    }
    let fight = this.fight && { ...this.fight };
    let changed = false;
    /** Dice rolled before the line that says what they were for. */
    let loose: Roll[] = [];
    for (const line of lines) {
      const facts = line.entry.data ?? {};
      const next = this.open(line, facts, before, this.over ? null : fight);
      const roll = rollOf(line, facts);
      if (roll) loose.push(roll);
      else if (!next && line.entry.level < 2) loose = [];
      const went = facts.to ?? facts.path?.at(-1);
      if (went) for (const unit of facts.units ?? (facts.unit ? [facts.unit] : [])) this.moved.set(unit, went);
      if (next) {
        if (next.result) next.rolls = loose;
        loose = [];
        fight = next;
        this.over = false;
        changed = true;
      } else if (fight && !this.over) changed = this.add(fight, line, facts, before) || changed;
      this.pin(line);
    }
    if (!changed || !fight) return;
    this.skipped = false;
    this.fight = fight;
    const pace = PACES[prefs.pace];
    const shown = 1 + fight.rolls.length + (fight.result ? 2 : 0) + Math.min(3, fight.after.length);
    this.wanted = pace.step * shown * 1.6 + (fight.result ? pace.stay / 3 : pace.step);
    clearTimeout(this.timer);
    this.stay = pace.step * shown + pace.stay;
    if (!this.held) this.timer = setTimeout(() => this.close(), this.stay);
  }

  private pin(line: LogLine): void {
    const kind = line.entry.data?.kind;
    if (kind && (OUTCOMES.has(kind) || isVolley(line.entry.data ?? {}))) this.outcome = line;
  }

  /** This line begins a fight, or adds an attacker. */
  private open(line: LogLine, facts: Facts, before: View, current: Fight | null): Fight | null {
    const { message } = line.entry;
    if (facts.kind === 'attack' && facts.target) {
      const attackers = facts.units ?? listOf(message, 'units');
      const support = facts.support ?? listOf(message, 'artillery');
      return this.make(line, facts.target, attackers, support, before, false);
    }
    // Fire at a cell, reported in one line afterwards.
    if (isVolley(facts)) {
      const fight = this.make(line, facts.hex!, facts.units ?? [], [], before, false);
      return { ...fight, result: { message, code: '', tone: facts.hits ? 'good' : 'bad', hits: facts.hits ?? 0 } };
    }
    if ((facts.kind === 'fire' || facts.kind === 'assault') && facts.target && facts.unit) {
      if (current && current.target === facts.target && !current.result) {
        return { ...current, attackers: [...current.attackers, facts.unit], strikes: [...current.strikes, ...this.strikes([facts.unit], facts.target, 'shot', before)] };
      }
      return this.make(line, facts.target, [facts.unit], [], before, facts.interrupt ?? false);
    }
    return null;
  }

  private make(line: LogLine, target: string, attackers: string[], support: string[], before: View, interrupt: boolean): Fight {
    const aimed = before.pieces.find((p) => p.id === target);
    const cell = aimed?.at ?? target;
    const seat = line.entry.seat ?? before.pieces.find((p) => attackers.includes(p.id))?.seat ?? null;
    return {
      id: ++this.count,
      target,
      seat,
      title: line.entry.message,
      interrupt,
      attackers,
      support,
      defenders: aimed ? [aimed.id] : before.pieces.filter((p) => (this.moved.get(p.id) ?? p.at) === cell && p.seat !== seat).map((p) => p.id),
      strikes: [...this.strikes(attackers, target, aimed ? 'shot' : 'attack', before), ...this.strikes(support, target, 'support', before)],
      rolls: [],
      result: null,
      shots: [],
      odds: null,
      after: [],
    };
  }

  private strikes(units: string[], target: string, kind: Strike['kind'], before: View): Strike[] {
    const at = (id: string): string | undefined => this.moved.get(id) ?? before.pieces.find((p) => p.id === id)?.at ?? this.table.piece(id)?.at;
    const to = at(target) ?? target;
    const from = [...new Set(units.map(at))].filter((cell): cell is string => cell !== undefined && cell !== to && this.table.cell(cell) !== undefined);
    const seat = before.pieces.find((p) => units.includes(p.id))?.seat ?? null;
    return from.map((cell) => ({ from: cell, to, kind, seat, start: performance.now() }));
  }

  private add(fight: Fight, line: LogLine, facts: Facts, before: View): boolean {
    const { message, level } = line.entry;
    const roll = rollOf(line, facts);
    if (roll) {
      // Rolls after the outcome may belong to the next fight.
      if (fight.result?.hits !== undefined) return false;
      fight.rolls = [...fight.rolls, roll];
      return true;
    }
    if (facts.kind === 'support' && facts.target === fight.target && !fight.result) {
      const units = facts.units ?? listOf(message, 'artillery');
      const fresh = units.filter((unit) => !fight.support.includes(unit));
      fight.support = [...fight.support, ...fresh];
      fight.strikes = [...fight.strikes, ...this.strikes(fresh, fight.target, 'support', before)];
      return true;
    }
    if (facts.kind === 'combat' || facts.kind === 'result') {
      const code = facts.result ?? '';
      fight.result = { message, code, tone: toneOf(facts) };
      const { attack, defense, shift, column } = facts;
      if (typeof attack === 'number' && typeof defense === 'number' && typeof shift === 'number' && typeof column === 'string') fight.odds = { attack, defense, shift, column };
      return true;
    }
    if (facts.kind === 'shot') {
      const told = { message, tone: facts.hit ? ('good' as const) : ('bad' as const) };
      fight.result = { ...told, code: '' };
      fight.shots = [...fight.shots, told];
      fight.strikes = fight.strikes.map((s) => (this.table.piece(facts.unit ?? '')?.at === s.from ? { ...s, missed: facts.hit === false } : s));
      return true;
    }
    // Further lines about the target are consequences.
    if (!fight.result && level === 1 && facts.target === fight.target) {
      fight.result = { message, code: '', tone: toneOf(facts) };
      return true;
    }
    if (facts.kind === 'hit') {
      if (fight.result) fight.after = [...fight.after, line];
      return true;
    }
    if (level === 0) {
      // A new phase ends the fight.
      this.over = true;
      return false;
    }
    if (level === 1 && fight.result && line.entry.topic !== 'reason' && !isMove(line, facts)) {
      fight.after = [...fight.after, line];
      return true;
    }
    return false;
  }

  /** A key skips to the end of the scene. */
  skip(): void {
    this.skipped = true;
    this.wanted = 0;
  }

  close(): void {
    clearTimeout(this.timer);
    this.fight = null;
    this.over = true;
  }
}

const OUTCOMES = new Set<Facts['kind']>(['combat', 'result', 'shot', 'hit', 'gp', 'close_assault']);

/** Fire at a cell whose whole result is in one line. */
const isVolley = (facts: Facts): boolean => facts.kind === 'fire' && facts.hex !== undefined && facts.hits !== undefined;

function rollOf({ entry: { message } }: LogLine, facts: Facts): Roll | null {
  return facts.kind === 'roll' && typeof facts.value === 'number' ? { message, sides: facts.sides ?? 6, value: facts.value, modifier: facts.modifier ?? 0 } : null;
}

/** Whom the result helps. */
const toneOf = ({ tone }: Facts): Tone => (tone === 'good' || tone === 'bad' ? tone : 'even');
