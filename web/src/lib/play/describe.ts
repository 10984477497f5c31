// Counters and hexes in words, for tooltips, panels and screen readers.

import { flight, markerShape, stateName } from '../board/looks';
import { maybe, t } from '../i18n/ui.svelte';
import type { Arg, Badge, Marker, Message, Piece, Reading } from '../protocol';
import type { Table } from './table.svelte';

export function unitType(table: Table, piece: Piece): string {
  const { symbol } = piece.face;
  if (symbol.startsWith('silhouette:')) {
    const name = symbol.slice('silhouette:'.length);
    return table.words.text(`symbol.${name}`) ?? table.words.text(`vehicle.${name}`) ?? name.replace(/_/g, ' ');
  }
  return table.words.text(`symbol.${symbol}`) ?? symbol.replace(/_/g, ' ');
}

export function stateWords(table: Table, state: string): string {
  const name = stateName(state);
  const place = state.includes(':') ? ` ${state.slice(name.length + 1)}` : '';
  return (table.words.text(`state.${name}`) ?? maybe(`state.${name}`) ?? name.replace(/_/g, ' ')) + place;
}

export function markerWords(table: Table, marker: Marker): string {
  const words = `${table.words.text(`marker.${marker.kind}`) ?? marker.kind.replace(/_/g, ' ')} ${markerShape(marker.kind) === 'aircraft' ? flight(marker.text).name : marker.text}`.trim();
  const side = table.seatName(marker.seat);
  return side && !words.includes(side) ? t('marker.of', { marker: words, side }) : words;
}

export function badgeWords(table: Table, kind: string): string {
  return table.words.text(`badge.${kind}`) ?? kind.replace(/_/g, ' ');
}

/** The text of a badge: the game's word for a code, else as printed. */
export function badgeText(table: Table, badge: Badge): string {
  const code = badge.text || badge.tone;
  return table.words.text(`${badge.kind}.${code}`) ?? code;
}

/** The small marks on a counter in words: its size, its badges. */
export function fineWords(table: Table, piece: Piece): string[] {
  const { size, badges } = piece.face;
  const sized = size ? table.words.text(`size.${size}`) : undefined;
  return [
    ...(sized ? [sized] : []),
    ...(badges ?? []).filter((b) => b.text || b.tone).map((b) => `${badgeWords(table, b.kind)} ${badgeText(table, b)}`),
  ];
}

/** Explanations of states or markers, each once. */
export function abouts(table: Table, kind: 'state' | 'marker', names: string[]): string[] {
  return [...new Set(names)].flatMap((name) => table.words.text(`${kind}.${name}.about`) ?? []);
}

/** `326 VG 751, infantry, 4-4-3, disrupted` */
export function pieceWords(table: Table, piece: Piece): string {
  return [
    table.unitName(piece.id),
    unitType(table, piece),
    piece.face.factors.join('-'),
    piece.face.reduced ? t('unit.reduced') : '',
    ...(piece.states ?? []).map((s) => stateWords(table, s)),
  ]
    .filter(Boolean)
    .join(t('list.comma'));
}

export function cellWords(table: Table, id: string): string {
  const cell = table.cell(id);
  const terrain = (cell?.terrain ?? []).map((key) => table.words.text(key) ?? table.words.text(`terrain.${key}`) ?? key);
  return [table.placeName(id), ...terrain].join(t('list.comma'));
}

/** The first unit and the first place that a message names. */
export function named(message: Message): { unit?: string; place?: string } {
  const out: { unit?: string; place?: string } = {};
  const visit = (arg: Arg): void => {
    if ('list' in arg) arg.list.forEach(visit);
    else if ('unit' in arg) out.unit ??= arg.unit;
    else if ('place' in arg) out.place ??= arg.place;
  };
  for (const [, arg] of message.args ?? []) visit(arg);
  return out;
}

/** The label of an action's button. A message that names a unit or a place is used only if the action has one. */
export function actionWords(table: Table, action: Reading): string {
  const { verb, units, target, modes, number } = action;
  const base = verb.join('_');
  const full = [...verb, ...modes].join('_');
  // A number among the words (`length 2`) is a blank of its own.
  const plain = verb.filter((word) => word !== 'n' || number === undefined).join('_');
  const fits = (key: string): boolean => {
    const text = table.words.text(key);
    if (text === undefined) return false;
    const { unit, place } = blanks(text);
    return (units.length > 0 || !unit) && (target !== null || !place);
  };
  // An action of some units on others is labelled with the others.
  const seats = new Set(units.map((id) => table.piece(id)?.seat ?? null));
  const own = seats.size > 1 ? units.filter((id) => table.piece(id)?.seat === table.now?.asks[0]?.seat) : [];
  const about = units.filter((id) => !own.includes(id));
  const together = units.filter((id) => !seats.has(null) && table.piece(id)?.seat === table.piece(units[0]!)?.seat).length > 1 ? [`action.${full}_together`] : [];
  const key = [...together, `action.${full}`, `action.${base}`, `action.${plain}`, `way.${full}`, `way.${base}`].find(fits);
  if (!key) return plainWords(table, action);
  return table.words.render(
    {
      key,
      args: [
        ['unit', { list: about.map((unit) => ({ unit })) }],
        ['units', { list: about.map((unit) => ({ unit })) }],
        // The vehicle that is mounted, the stack that is joined: everybody but the unit that acts.
        ['other', { list: about.slice(1).map((unit) => ({ unit })) }],
        ['place', { place: target ?? '' }],
        ['hex', { place: target ?? '' }],
        ['n', { number: number ?? 0 }],
        ['mode', { text: modes.map((m) => table.words.text(`mode.${m}`) ?? table.words.text(`box.${m}`) ?? m).join(' ') }],
      ],
    },
    table.names,
  );
}

/** Does a text name a unit, a place? */
const blanks = (text: string): { unit: boolean; place: boolean } => ({ unit: /\{units?\b/.test(text), place: /\{(place|hex)\b/.test(text) });

/** Fallback for an action without a message: its words, with names instead of ids. */
function plainWords(table: Table, { words }: Reading): string {
  const said = words
    .map((word) => (table.isUnit(word) ? table.unitName(word) : table.isPlace(word) ? table.placeName(word) : (table.words.text(`way.${word}`) ?? table.words.text(`mode.${word}`) ?? word.replace(/_/g, ' '))))
    .join(' ');
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** The label of a way of acting: the name of its movement mode, else `way.VERB`, of all words of the verb or of its first. */
export function wayWords(table: Table, { verb, number }: Reading, modes: string[]): string {
  if (modes.length) return modes.map((m) => table.words.text(`mode.${m}`) ?? m).join(' ');
  const key = [`way.${verb.join('_')}`, `way.${verb[0]}`].find((way) => table.words.has(way));
  return key ? table.words.render({ key, args: [['n', { number: number ?? 0 }]] }, table.names) : verb.join(' ');
}
