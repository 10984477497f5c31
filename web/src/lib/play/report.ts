// Shortens the battle report: a move told hex by hex becomes one line.

import { cellsOf } from '../board/geometry';
import type { Arg, LogLine, Topic } from '../protocol';

/** The unit of a line about movement: a step, a change of facing, the end of a move. */
function walker({ entry }: LogLine): string | undefined {
  const { kind, unit } = entry.data ?? {};
  if (kind === 'step' || kind === 'move' || kind === 'turn_to' || kind === 'moved') return unit ?? undefined;
  if (entry.topic !== 'move') return undefined;
  const named = entry.message.args?.find(([, arg]) => 'unit' in arg)?.[1];
  return named && 'unit' in named ? named.unit : undefined;
}

const isStep = ({ entry: { data } }: LogLine): boolean => data?.kind === 'step' || data?.kind === 'move';
const namesPlace = (line: LogLine): boolean => line.entry.message.args?.some(([, arg]) => 'place' in arg) ?? false;

/** Of consecutive lines about one unit's move, keep only the last place and how it ended. */
export function condense(lines: LogLine[]): LogLine[] {
  return lines.filter((line, i) => {
    const unit = walker(line);
    if (unit === undefined) return true;
    const rest: LogLine[] = [];
    for (let j = i + 1; j < lines.length && walker(lines[j]!) === unit; j++) rest.push(lines[j]!);
    if (isStep(line)) return !rest.some((later) => isStep(later) || namesPlace(later));
    return line.entry.data?.kind !== 'turn_to' || rest.length === 0;
  });
}

export const FILTERS = ['all', 'combat', 'moves', 'losses'] as const;
export type Filter = (typeof FILTERS)[number];

const SHOWN: Record<Exclude<Filter, 'all'>, ReadonlySet<Topic>> = {
  combat: new Set(['attack', 'combat', 'effect', 'loss', 'retreat', 'advance', 'blast', 'roll']),
  moves: new Set(['move', 'arrival', 'flight']),
  losses: new Set(['loss', 'blast']),
};

/** Does a line pass the filter? Headings always do. */
export function passes({ entry }: LogLine, only: Filter): boolean {
  return only === 'all' || entry.level === 0 || SHOWN[only].has(entry.topic);
}

/** Lines of a fight that may name no place of their own: a die, a result, what became of a unit that is gone. */
const OF_A_FIGHT: ReadonlySet<Topic> = new Set(['attack', 'combat', 'effect', 'loss', 'retreat', 'advance', 'roll']);

/** Where each line happened: at its own place, or at that of the fight that it belongs to. */
export function placesOf(lines: LogLine[], at: (unit: string) => string | undefined, isCell: (id: string) => boolean): Map<LogLine, string> {
  const out = new Map<LogLine, string>();
  let fight: string | undefined;
  /** Dice rolled before the line that says where. */
  let loose: LogLine[] = [];
  let decision = -1;
  for (const line of lines) {
    if (line.decision !== decision) loose = [];
    decision = line.decision;
    const { topic, level } = line.entry;
    if (level === 0) {
      fight = undefined;
      loose = [];
      continue;
    }
    const own = placeOf(line, at, isCell);
    // Fire may be told in one line with its result.
    if (topic === 'attack' || (own && topic === 'combat')) fight = own ?? fight;
    else if (own && !OF_A_FIGHT.has(topic)) fight = undefined;
    const place = own ?? (OF_A_FIGHT.has(topic) ? fight : undefined);
    if (place) {
      out.set(line, place);
      for (const die of loose) out.set(die, place);
      loose = [];
    } else if (topic === 'roll') loose.push(line);
  }
  return out;
}

/** Where a line happened, if that is on the map. */
export function placeOf(line: LogLine, at: (unit: string) => string | undefined, isCell: (id: string) => boolean): string | undefined {
  const { target, to, path, unit, at: where } = line.entry.data ?? {};
  const named: string[] = [];
  const units: string[] = [];
  const visit = (arg: Arg): void => {
    if ('list' in arg) arg.list.forEach(visit);
    else if ('place' in arg) named.push(arg.place);
    else if ('unit' in arg) units.push(arg.unit);
  };
  for (const [, arg] of line.entry.message.args ?? []) visit(arg);
  const found = [where, to, target, target && at(target), path?.at(-1), ...named, ...[unit ?? '', ...units].map(at)];
  return found.find((id): id is string => !!id && cellsOf(id).every(isCell));
}
