// Counters and hexes in words, for tooltips, panels and screen readers.

import { stateName } from '../board/states';
import { maybe, t } from '../i18n/ui.svelte';
import type { Piece } from '../protocol';
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

export function badgeWords(table: Table, kind: string): string {
  return table.words.text(`badge.${kind}`) ?? kind.replace(/_/g, ' ');
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
    .join(', ');
}

export function cellWords(table: Table, id: string): string {
  const cell = table.cell(id);
  const terrain = (cell?.terrain ?? []).map((key) => table.words.text(key) ?? table.words.text(`terrain.${key}`) ?? key);
  return [table.placeName(id), ...terrain].join(', ');
}

/** The words on a button for an action. */
export function actionWords(table: Table, verb: string, units: string[], place: string | null, modes: string[], raw: string): string {
  const base = verb.replace(/\s+/g, '_');
  const full = [verb, ...modes].join(' ').replace(/\s+/g, '_');
  const key = [`action.${full}`, `action.${base}`].find((k) => table.words.has(k));
  if (!key) return raw;
  return table.words.render(
    {
      key,
      args: [
        ['unit', { list: units.map((unit) => ({ unit })) }],
        ['units', { list: units.map((unit) => ({ unit })) }],
        ['place', { place: place ?? '' }],
        ['hex', { place: place ?? '' }],
        ['mode', { text: modes.map((m) => table.words.text(`mode.${m}`) ?? m).join(' ') }],
      ],
    },
    table.names,
  );
}
