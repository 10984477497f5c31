// Shortens the battle report: a move told hex by hex becomes one line.

import type { Arg, LogLine } from '../protocol';

interface Facts {
  kind?: string;
  unit?: string;
  target?: string;
  at?: string;
  to?: string;
  path?: string[];
}
const facts = (line: LogLine): Facts => (line.entry.data ?? {}) as Facts;

/** The unit of a line about movement: a step, a change of facing, the end of a move. */
function walker(line: LogLine): string | undefined {
  const { kind, unit } = facts(line);
  if (kind === 'step' || kind === 'move' || kind === 'turn_to' || kind === 'moved') return unit;
  if (!/(^|\.)moved$/.test(line.entry.message.key)) return undefined;
  const named = line.entry.message.args?.find(([, arg]) => 'unit' in arg)?.[1];
  return named && 'unit' in named ? named.unit : undefined;
}

const isStep = (line: LogLine): boolean => /^(step|move)$/.test(facts(line).kind ?? '');
const namesPlace = (line: LogLine): boolean => line.entry.message.args?.some(([, arg]) => 'place' in arg) ?? false;

/** Of consecutive lines about one unit's move, keep only the last place and how it ended. */
export function condense(lines: LogLine[]): LogLine[] {
  return lines.filter((line, i) => {
    const unit = walker(line);
    if (unit === undefined) return true;
    const rest: LogLine[] = [];
    for (let j = i + 1; j < lines.length && walker(lines[j]!) === unit; j++) rest.push(lines[j]!);
    if (isStep(line)) return !rest.some((later) => isStep(later) || namesPlace(later));
    return facts(line).kind !== 'turn_to' || rest.length === 0;
  });
}

export const FILTERS = ['all', 'combat', 'moves', 'losses'] as const;
export type Filter = (typeof FILTERS)[number];

const COMBAT = /^(attack|combat|result|assault|close_assault|fire|gp|shot|hit|wasted|interrupt|roll)$/;
const MOVES = /^(step|move|moved|enter|exit|turn_to|place)$/;

/** Does a line pass the filter? Headings always do. */
export function passes(line: LogLine, only: Filter): boolean {
  if (only === 'all' || line.entry.level === 0) return true;
  const { kind = '' } = facts(line);
  const { key } = line.entry.message;
  if (only === 'combat') return COMBAT.test(kind) || /combat|attack|fire|defen[cs]e|retreat|advance|engage|result|roll\.|lost|eliminat|surrender/.test(key);
  if (only === 'moves') return MOVES.test(kind) || /(^|[._])(moved|placed|entered|exited|arrival|to_box)\b/.test(key);
  return /lost|eliminat|surrender|knocked|brewed|damaged|remnant/.test(key);
}

/** Where a line happened, if that is on the map. */
export function placeOf(line: LogLine, at: (unit: string) => string | undefined, isCell: (id: string) => boolean): string | undefined {
  const { target, to, path, unit } = facts(line);
  const named: string[] = [];
  const units: string[] = [];
  const visit = (arg: Arg): void => {
    if ('list' in arg) arg.list.forEach(visit);
    else if ('place' in arg) named.push(arg.place);
    else if ('unit' in arg) units.push(arg.unit);
  };
  for (const [, arg] of line.entry.message.args ?? []) visit(arg);
  const found = [facts(line).at, to, target, target && at(target), path?.at(-1), ...named, ...[unit ?? '', ...units].map(at)];
  return found.find((id) => id !== undefined && (isCell(id) || (id.includes('/') && id.split('/').every(isCell))));
}
