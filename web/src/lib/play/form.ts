// The form of an action that is filled in: what it starts with, what a click on the map fills, and the draft itself.

import type { Arg, Offer, Piece, Refusal, Sheet, Template, Verdict } from '../protocol';
import { openIn, partOf, settled, startFilling, toggle, type Filling } from './notation';

export interface Draft {
  option: Offer;
  template: Template;
  filling: Filling;
  action: string;
  ready: boolean;
  verdict: Verdict | null;
  sheet: Sheet | null;
  /** The sheet is being asked for. */
  asking: boolean;
}

/** What can be named or struck out in a slot: what a path has so far, else the candidates that no tie rules out. */
export function offeredIn(draft: Draft, index: number): string[] {
  const slot = draft.template.parts[index];
  if (!slot || slot.kind === 'words' || slot.kind === 'amount') return [];
  return slot.kind === 'path' ? (draft.filling[index] ?? []) : openIn(draft.template, draft.filling, index);
}

/** All of it in the order of the sheet: the digits 1 to 9 name the first of them. */
export function tokensOf(draft: Draft): { slot: number; value: string }[] {
  return draft.template.parts.flatMap((_, slot) => offeredIn(draft, slot).map((value) => ({ slot, value })));
}

/** What a form starts with: selected units take part where they can. */
export function openingOf({ template, named }: Offer, selected: string[]): Filling {
  if (!template) return [];
  let filling = startFilling(template);
  template.parts.forEach((slot, i) => {
    if (slot.kind !== 'units') return;
    // A unit that has several ways of taking part does so in the first of them.
    const chosen = selected.flatMap((id) => slot.candidates.find((value) => partOf(named, value).unit === id) ?? []);
    // If several were selected, they and no others.
    if (chosen.length > 1) filling = settled(template, filling.map((values, n) => (n === i ? chosen.slice(0, slot.max) : values)));
    else for (const id of chosen) if (!filling[i]?.includes(id)) filling = toggle(template, filling, i, id);
  });
  return filling;
}

/** What a click on a cell fills: the slot and its value, if any slot wants something there. */
export function pickFor({ template, filling, option }: Draft, cell: string, piece: Piece | null, here: string[]): { slot: number; value: string } | null {
  for (const [i, slot] of template.parts.entries()) {
    const open = openIn(template, filling, i);
    if (slot.kind === 'units') {
      const of = (id: string): string[] => open.filter((value) => partOf(option.named, value).unit === id);
      const offered = here.flatMap(of);
      const named = filling[i] ?? [];
      const pointed = piece ? of(piece.id) : [];
      // A click on a value that is already named removes it.
      const value = pointed.length ? (pointed.find((v) => named.includes(v)) ?? pointed[0]) : (offered.find((v) => !named.includes(v)) ?? offered[0]);
      if (value !== undefined) return { slot: i, value };
    } else if ((slot.kind === 'places' || slot.kind === 'path') && open.includes(cell)) return { slot: i, value: cell };
  }
  return null;
}

/** Is this refusal of `done` about something that must be done first? One that names no unit or place means that there is no `done`
 * here, unless units wait to be placed. */
export function holdsUp({ why, kind, rule }: Refusal, waiting: boolean): boolean {
  const names = (arg: Arg): boolean => 'unit' in arg || 'place' in arg || ('list' in arg && arg.list.some(names));
  return (why.args?.some(([, arg]) => names(arg)) ?? false) || (waiting && kind === 'forbidden' && rule !== '-');
}
