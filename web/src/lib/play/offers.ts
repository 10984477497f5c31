// Sorts options: by where they lead, by the unit they are aimed at, by what several units have in common.

import type { BriefAnswer, Deed, Offer, Piece, Reading, Slot } from '../protocol';
import { withUnits } from './notation';

export type Scope = 'one' | 'alike' | 'rest';

/** Ways of acting with the selection that lead to places: `move`, `move … tactical`. */
export interface Way {
  key: string;
  deed: Deed;
  /** Of one of its options, with the modes that all of them have. */
  reading: Reading;
  modes: string[];
  /** By destination; several options if there are several ways there. */
  targets: Map<string, Offer[]>;
}

/** The option that finishes what is asked. */
export const isDone = (option: Offer): boolean => option.reading.deed === 'done';

export function waysOf(options: Offer[]): Way[] {
  const out = new Map<string, Way>();
  for (const option of options) {
    const { deed, verb, number, way: words, target } = option.reading;
    if (target === null) continue;
    const own = option.template ? [] : words;
    const key = [...verb, ...(number === undefined ? [] : [number]), ...own].join(' ');
    let way = out.get(key);
    if (!way) out.set(key, (way = { key, deed, reading: { ...option.reading, modes: own }, modes: own, targets: new Map() }));
    const there = way.targets.get(target);
    if (there) there.push(option);
    else way.targets.set(target, [option]);
  }
  return [...out.values()];
}

/** Options by the unit they are aimed at. */
export function aimsOf(deeds: Offer[], isOwn: (unit: string) => boolean): Map<string, Offer[]> {
  const out = new Map<string, Offer[]>();
  for (const option of deeds) {
    for (const unit of option.reading.units) {
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
export function inCommon(units: string[], lists: Offer[][]): Offer[] {
  const shape = (unit: string, option: Offer): string => withUnits(option.reading, unit, '*');
  const others = lists.slice(1).map((list, i) => new Set(list.map((o) => shape(units[i + 1]!, o))));
  return lists[0]!.filter((o) => o.template || others.every((set) => set.has(shape(units[0]!, o))));
}

/** The form of an option that is filled in on its sheet, whatever it suggests. */
const formOf = (option: Offer): string | undefined => option.template?.parts.map((slot) => [slot.words, slot.label, ...slot.candidates].join(' ')).join('; ');

/** Are they all variants of one form that is filled in on its sheet? */
export function isOneForm(options: Offer[]): boolean {
  const first = options[0] && formOf(options[0]);
  return first !== undefined && options.every((option) => formOf(option) === first);
}

/** Each form once: the others can be chosen on its sheet. */
export function formsOnce(options: Offer[]): Offer[] {
  const forms = new Set<string>();
  return options.filter((option) => {
    const form = formOf(option);
    if (form === undefined) return true;
    const isNew = !forms.has(form);
    forms.add(form);
    return isNew;
  });
}

/** Without the options that only fill in one of the forms in other words: who fires is chosen on its sheet. Those in `kept` stay. */
export function unformed(options: Offer[], kept: ReadonlySet<string> = new Set()): Offer[] {
  const forms = options.filter(({ template }) => template?.parts.length === 1 && template.parts[0]!.kind === 'units');
  const fills = ({ template, reading: { words: fixed } }: Offer, { words }: Reading): boolean =>
    words.length > fixed.length && fixed.every((word, i) => words[i] === word) && words.slice(fixed.length).every((word) => template!.parts[0]!.candidates.includes(word));
  return options.filter(({ template, action, reading }) => template || kept.has(action) || !forms.some((form) => fills(form, reading)));
}

/** A fixed part of a template. */
const PLAIN: Omit<Slot, 'words'> = { kind: 'words', label: '', candidates: [], min: 0, max: 0, suggested: [] };

/** Wrap an option as a form without choices, so that it gets a sheet. */
export const asForm = (option: Offer): Offer => ({ ...option, template: { parts: [{ ...PLAIN, words: option.action }], ties: [] } });

/** A unit with more destinations than this is selected before they are shown. */
const CROWD = 8;

/** Do the options of a unit lead to so many places that they are shown only once it is selected? */
export const spreads = (options: Offer[]): boolean =>
  options.length > CROWD && new Set(options.map((o) => o.reading.target)).size > CROWD;

/** Does an action name one of these units? */
export const namesAny = (reading: Reading, units: string[]): boolean => reading.units.some((unit) => units.includes(unit));

/** Options with a button: those of the selection, then the answers that name nobody or the selection, without those that are `pointed` at. */
export function pressableOf(deeds: Offer[], answers: Offer[], pointed: Set<Offer>, selected: string[]): Offer[] {
  const fits = (o: Offer): boolean => selected.length === 0 || o.reading.units.length === 0 || namesAny(o.reading, selected);
  const own = answers.filter((o) => fits(o) && !pointed.has(o) && !deeds.some((d) => d.action === o.action));
  return formsOnce([...deeds, ...own].filter((o) => !isDone(o)));
}

/** Do dice decide all of these, with chances that are not among those `told` already? They are shown before it is done. */
export const areUntold = (options: Offer[], answers: BriefAnswer[], told: BriefAnswer[]): boolean =>
  options.length > 0 &&
  options.every((o) => answers.some((answer) => answer.action === o.action && answer.chances?.length) && !told.some((answer) => answer.action === o.action));

/** The unit to select next: of those `placed` on the map first; if all wait beside it (a set-up, reinforcements), of those. */
export function nextOf(own: Piece[], placed: Piece[], selected: string | undefined, step: number, far: (piece: Piece) => number): Piece | null {
  const active = (list: Piece[]): Piece[] => list.filter((p) => p.active !== false);
  const list = [active(placed), active(own), placed, own].find((l) => l.length > 0) ?? [];
  if (list.length === 0) return null;
  const at = list.findIndex((p) => p.id === selected);
  const nearest = (): Piece => list.reduce((best, piece) => (far(piece) < far(best) ? piece : best));
  return at < 0 && step > 0 ? nearest() : list[(at + step + list.length) % list.length]!;
}
