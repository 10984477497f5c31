// What an action says, as the server has taken it apart, and the forms that are filled in. It knows no game's grammar: the
// words of an action are only ever joined, never read.

import type { Draft } from './form';
import type { Offer, Reading, Slot, Template } from '../protocol';

/** An action with some units in the place of one of its own. */
export const withUnits = ({ words }: Reading, unit: string, others: string): string => words.map((word) => (word === unit ? others : word)).join(' ');

/** An action that is not an offer: a decision that was proposed, or is being filled in. */
export const asOffer = (action: string, reading: Reading): Offer => ({ action, reading });

/** The unit that a value of a slot names, and with what it takes part: some of its steps, a weapon, ammunition, another target. */
export function partOf(named: Offer['named'], value: string): { unit: string; steps?: number | undefined; weapon?: string | undefined; using?: string | undefined; at?: string | undefined } {
  const part = named?.[value];
  return { unit: part?.units[0] ?? value, steps: part?.number, weapon: part?.weapon, using: part?.using?.[0], at: part?.at };
}

/** The units and the places that a form names, by its fixed words and by what has been filled in. */
export function namedIn({ option, template, filling }: Draft): { units: string[]; places: string[] } {
  const of = (...kinds: Slot['kind'][]): string[] => template.parts.flatMap((slot, i) => (kinds.includes(slot.kind) ? (filling[i] ?? []) : []));
  const { units, places } = option.reading;
  return { units: [...units, ...of('units', 'choice')], places: [...places, ...of('places', 'path', 'choice')] };
}

/** Degrees clockwise from north of a compass word; on a grid with flat tops its six directions are 60° apart from
 * north on, on one with pointed tops from 30° on. */
export function degrees(direction: string, flat: boolean): number {
  const six = flat
    ? { n: 0, ne: 60, e: 90, se: 120, s: 180, sw: 240, w: 270, nw: 300 }
    : { n: 0, ne: 30, e: 90, se: 150, s: 180, sw: 210, w: 270, nw: 330 };
  return six[direction as keyof typeof six] ?? 0;
}

/** Options by the place they lead to; those without a place under ''. */
export function byTarget(options: Offer[]): Map<string, Offer[]> {
  const out = new Map<string, Offer[]>();
  for (const option of options) {
    const key = option.reading.target ?? '';
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
