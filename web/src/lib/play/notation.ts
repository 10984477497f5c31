// Parses actions just enough to put them on the map: which tokens are units, which are places; the rest
// are words. It knows no game's grammar.

import type { OptionItem, Slot, Template } from '../protocol';

export interface Known {
  isUnit(token: string): boolean;
  isPlace(token: string): boolean;
}

export interface Parsed {
  /** The words before the first unit or place, such as `attack` or `no support`. */
  verb: string;
  units: string[];
  places: string[];
  /** Words after the first unit or place: modes such as `tactical`. */
  modes: string[];
  /** Where it leads: the last place. */
  target: string | null;
  /** A compass word at the end, such as `ne`: the new facing. */
  direction: string | null;
}

const COMPASS = /^(n|ne|e|se|s|sw|w|nw)$/i;
/** Words that only join names. */
const JOINING = /^(to|at|into|onto)$/;
/** Words before a direction that add nothing to it. */
const TOWARD = /^(face|facing|toward|towards)$/;

export function parse(action: string, known: Known): Parsed {
  const verb: string[] = [];
  const units: string[] = [];
  const places: string[] = [];
  const modes: string[] = [];
  const tokens = action.split(/\s+/).filter(Boolean);
  for (const token of tokens) {
    // `T1#2:gp`: a unit with its weapon and ammunition.
    const bearer = /^([^:#]+)[:#]/.exec(token)?.[1];
    if (known.isUnit(token)) units.push(token);
    else if (bearer && known.isUnit(bearer)) units.push(bearer);
    else if (known.isPlace(token)) places.push(token);
    else if (units.length === 0 && places.length === 0) verb.push(token);
    else if (!JOINING.test(token)) modes.push(token);
  }
  // `at W` names a place, not a facing.
  const facing = COMPASS.test(modes.at(-1) ?? '') && tokens.at(-2) !== 'at';
  const direction = facing ? modes.pop()!.toLowerCase() : null;
  if (direction !== null && TOWARD.test(modes.at(-1) ?? '')) modes.pop();
  return { verb: verb.join(' '), units, places, modes, target: places.at(-1) ?? null, direction };
}

/** Degrees clockwise from north of a compass word; on a grid with flat tops its six directions are 60° apart from
 * north on, on one with pointed tops from 30° on. */
export function degrees(direction: string, flat: boolean): number {
  const six = flat
    ? { n: 0, ne: 60, e: 90, se: 120, s: 180, sw: 240, w: 270, nw: 300 }
    : { n: 0, ne: 30, e: 90, se: 150, s: 180, sw: 210, w: 270, nw: 330 };
  return six[direction as keyof typeof six] ?? 0;
}

/** The kind and name of a subject: `unit A`, `hex 1313`, `A` and `1313` are on the map; anything else
 * (`phase`) gets a button. */
export function readSubject(subject: string, known: Known): { kind: 'unit' | 'place' | 'edge' | 'words'; name: string } {
  const name = subject.split(/\s+/).at(-1) ?? '';
  if (known.isUnit(name)) return { kind: 'unit', name };
  if (name.includes('/') && name.split('/').every((part) => known.isPlace(part))) return { kind: 'edge', name };
  return known.isPlace(name) ? { kind: 'place', name } : { kind: 'words', name: subject };
}

/** Options by the place they lead to; those without a place under ''. */
export function byTarget(options: OptionItem[], known: Known): Map<string, OptionItem[]> {
  const out = new Map<string, OptionItem[]>();
  for (const option of options) {
    const key = parse(option.action, known).target ?? '';
    const list = out.get(key);
    if (list) list.push(option);
    else out.set(key, [option]);
  }
  return out;
}

/** A template's slots with what has been named for each, in order. */
export type Filling = string[][];

export function startFilling(template: Template): Filling {
  const filling = template.parts.map((slot) => {
    if (slot.kind === 'words') return [];
    if (slot.kind === 'amount') return slot.suggested.length ? slot.suggested.slice(0, 1) : slot.min > 0 ? [String(slot.min)] : [];
    return slot.suggested.slice(0, slot.max);
  });
  return settled(template, filling);
}

/** The candidates of a slot that what other slots name leaves open. */
/** The unit that a value of a slot names: itself, some steps of it (`2 of A`), or with what it acts (`A#2:gp>C`: its second weapon,
 * a kind of ammunition, another target). */
export function unitIn(value: string, isUnit: (id: string) => boolean): { unit: string; steps: string; number: string; how: string; at: string } | null {
  if (isUnit(value)) return { unit: value, steps: '', number: '', how: '', at: '' };
  const [, steps = '', unit = '', number = '', how = '', at = ''] = /^(?:(\d+) of )?([^#:>\s]+)(?:#(\w+))?(?::(\w+))?(?:>(\S+))?$/.exec(value) ?? [];
  return isUnit(unit) ? { unit, steps, number, how, at } : null;
}

export function openIn(template: Template, filling: Filling, index: number): string[] {
  const ties = template.ties.filter((tie) => tie.slot === index);
  const candidates = template.parts[index]?.candidates ?? [];
  return candidates.filter((value) =>
    ties.every((tie) => {
      const named = filling[tie.on] ?? [];
      if (tie.kind === 'among') return named.includes(value);
      return !named.some((other) => other === value || tie.groups.some((group) => group.includes(other) && group.includes(value)));
    }),
  );
}

/** Drops what other slots rule out. A slot that must name one value then names its first open suggestion or candidate. */
export function settled(template: Template, filling: Filling): Filling {
  let next = filling;
  for (const index of new Set(template.ties.map((tie) => tie.slot))) {
    const slot = template.parts[index];
    if (!slot) continue;
    const open = openIn(template, next, index);
    const named = (next[index] ?? []).filter((value) => open.includes(value));
    const best = [...slot.suggested.filter((value) => open.includes(value)), ...open];
    if (named.length < slot.min && best[0] !== undefined && slot.min === 1) named.push(best[0]);
    next = next.map((old, i) => (i === index && named.join(' ') !== old.join(' ') ? named : old));
  }
  return next;
}

/** The action's text: words and filled slots in order; an optional slot that stays empty is left out. */
export function compose(template: Template, filling: Filling): string {
  return template.parts
    .map((slot, i) => {
      const values = filling[i] ?? [];
      if (slot.kind === 'words') return slot.words;
      return values.length === 0 ? (slot.min === 0 ? '' : slot.words) : [slot.words, ...values].join(' ');
    })
    .filter(Boolean)
    .join(' ')
    .trim();
}

/** Is the number of values allowed? For an amount: has one been set? */
export function slotState(slot: Slot, values: string[]): 'short' | 'ok' | 'full' {
  if (slot.kind === 'amount') return values.length === 0 && slot.min > 0 ? 'short' : 'full';
  if (values.length < slot.min) return 'short';
  return values.length >= slot.max ? 'full' : 'ok';
}

export function complete(template: Template, filling: Filling): boolean {
  return template.parts.every((slot, i) => slot.kind === 'words' || slotState(slot, filling[i] ?? []) !== 'short');
}

/** The current amount of a slot. */
export function amountOf(slot: Slot, values: string[]): number {
  return values.length ? Number(values[0]) : slot.min;
}

/** Change an amount, within its limits. */
export function changeAmount(template: Template, filling: Filling, index: number, by: number): Filling {
  const slot = template.parts[index];
  if (slot?.kind !== 'amount') return filling;
  const amount = Math.min(slot.max, Math.max(slot.min, amountOf(slot, filling[index] ?? []) + by));
  return filling.map((old, i) => (i === index ? (amount === 0 ? [] : [String(amount)]) : old));
}

/** Toggle a value. A slot for one value replaces it; a full slot stays as it is. */
export function toggle(template: Template, filling: Filling, index: number, value: string): Filling {
  const slot = template.parts[index];
  if (!slot || (slot.kind !== 'path' && !openIn(template, filling, index).includes(value))) return filling;
  const values = filling[index] ?? [];
  let next: string[];
  if (slot.kind === 'path') {
    const at = values.indexOf(value);
    next = at >= 0 ? values.slice(0, at + 1) : values.length < slot.max ? [...values, value] : values;
  } else if (values.includes(value)) next = values.filter((v) => v !== value);
  else if (slot.max === 1) next = [value];
  else next = values.length < slot.max ? [...values, value] : values;
  return settled(template, filling.map((old, i) => (i === index ? next : old)));
}
