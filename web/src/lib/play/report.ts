// The battle report made shorter: a way told hex by hex is told by its end.

import type { LogLine } from '../protocol';

interface Facts {
  kind?: string;
  unit?: string;
}
const facts = (line: LogLine): Facts => (line.entry.data ?? {}) as Facts;

/** The unit a line is about, if it tells of its way: a step, a turn, the end of a move. */
function walker(line: LogLine): string | undefined {
  const { kind, unit } = facts(line);
  if (kind === 'step' || kind === 'move' || kind === 'turn_to' || kind === 'moved') return unit;
  if (!/(^|\.)moved$/.test(line.entry.message.key)) return undefined;
  const named = line.entry.message.args?.find(([, arg]) => 'unit' in arg)?.[1];
  return named && 'unit' in named ? named.unit : undefined;
}

const isStep = (line: LogLine): boolean => /^(step|move)$/.test(facts(line).kind ?? '');
const namesPlace = (line: LogLine): boolean => line.entry.message.args?.some(([, arg]) => 'place' in arg) ?? false;

/** Of a run of lines about one unit's way only the last place and how the move ended are kept. */
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
