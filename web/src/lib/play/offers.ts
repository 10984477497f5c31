// Sorts options: by where they lead, by the unit they are aimed at, by what several units have in common.

import type { OptionItem, Piece, Slot } from '../protocol';
import { parse, type Known } from './notation';

export type Scope = 'one' | 'alike' | 'rest';

/** Ways of acting with the selection that lead to places: `move`, `move … tactical`. */
export interface Way {
  key: string;
  verb: string;
  modes: string[];
  /** By destination; several options if there are several ways there. */
  targets: Map<string, OptionItem[]>;
}

/** The option that finishes what is asked. */
export const isDone = (option: OptionItem): boolean => /^(done|end|pass)\b/.test(option.action);

export function waysOf(options: OptionItem[], known: Known): Way[] {
  const out = new Map<string, Way>();
  for (const option of options) {
    const { verb, modes, target, units, places } = parse(option.action, known);
    if (target === null) continue;
    // A word before a further unit (`with B`), or before the unit that acts on a place (`smoke 1313 with B`), is no mode of its own.
    const words = option.action.split(' ');
    const after = places[0] !== undefined && units[0] !== undefined && words.indexOf(places[0]) < words.indexOf(units[0]);
    const own = option.template || units.length > 1 || after ? [] : modes;
    const key = [verb, ...own].join(' ');
    let way = out.get(key);
    if (!way) out.set(key, (way = { key, verb, modes: own, targets: new Map() }));
    const there = way.targets.get(target);
    if (there) there.push(option);
    else way.targets.set(target, [option]);
  }
  return [...out.values()];
}

/** Options by the unit they are aimed at. */
export function aimsOf(deeds: OptionItem[], isOwn: (unit: string) => boolean, known: Known): Map<string, OptionItem[]> {
  const out = new Map<string, OptionItem[]>();
  for (const option of deeds) {
    for (const unit of parse(option.action, known).units) {
      if (isOwn(unit)) continue;
      const list = out.get(unit);
      if (list) list.push(option);
      else out.set(unit, [option]);
    }
  }
  return out;
}

/** The same answer can be given for one unit, for all of its type, or for everybody still `asked`. */
export function scopesOf(piece: Piece, asked: Piece[]): { scope: Scope; units: string[] }[] {
  const open = asked.filter((p) => p.active !== false || p.id === piece.id);
  const alike = open.filter((p) => p.face.symbol === piece.face.symbol && p.face.title === piece.face.title);
  const ids = (list: Piece[]): string[] => [piece.id, ...list.filter((p) => p !== piece).map((p) => p.id)];
  const out: { scope: Scope; units: string[] }[] = [{ scope: 'one', units: [piece.id] }];
  if (alike.length > 1 && alike.length < open.length) out.push({ scope: 'alike', units: ids(alike) });
  if (open.length > 1) out.push({ scope: 'rest', units: ids(open) });
  return out.length > 1 ? out : [];
}

/** For several selected units: the first one's options whose destination all of them can reach in the same way. */
export function inCommon(units: string[], lists: OptionItem[][]): OptionItem[] {
  const shape = (unit: string, action: string): string => action.split(' ').map((t) => (t === unit ? '*' : t)).join(' ');
  const others = lists.slice(1).map((list, i) => new Set(list.map((o) => shape(units[i + 1]!, o.action))));
  return lists[0]!.filter((o) => o.template || others.every((set) => set.has(shape(units[0]!, o.action))));
}

/** Are they all variants of one form that is filled in on its sheet? */
export function isOneForm(options: OptionItem[]): boolean {
  const form = (option: OptionItem): string | undefined => option.template?.parts.map((slot) => [slot.words, slot.label, ...slot.candidates].join(' ')).join('; ');
  const first = options[0] && form(options[0]);
  return first !== undefined && options.every((option) => form(option) === first);
}

/** A fixed part of a template. */
const PLAIN: Omit<Slot, 'words'> = { kind: 'words', label: '', candidates: [], min: 0, max: 0, suggested: [] };

/** Wrap an option as a form without choices, so that it gets a sheet. */
export const asForm = (option: OptionItem): OptionItem => ({ ...option, template: { parts: [{ ...PLAIN, words: option.action }], ties: [] } });

/** A unit with more destinations than this is selected before they are shown. */
const CROWD = 8;

/** Do the options of a unit lead to so many places that they are shown only once it is selected? */
export const spreads = (options: OptionItem[], known: Known): boolean =>
  options.length > CROWD && new Set(options.map((o) => parse(o.action, known).target)).size > CROWD;

/** Does an action name one of these units? */
export const namesAny = (action: string, units: string[], known: Known): boolean => parse(action, known).units.some((unit) => units.includes(unit));

/** Options with a button: those of the selection, then the answers that name nobody or the selection, without those that are `pointed` at. */
export function pressableOf(deeds: OptionItem[], answers: OptionItem[], pointed: Set<OptionItem>, selected: string[], known: Known): OptionItem[] {
  const fits = (o: OptionItem): boolean => selected.length === 0 || parse(o.action, known).units.length === 0 || namesAny(o.action, selected, known);
  const own = answers.filter((o) => fits(o) && !pointed.has(o) && !deeds.some((d) => d.action === o.action));
  return [...deeds, ...own].filter((o) => !isDone(o));
}
