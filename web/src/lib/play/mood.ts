// Time of day and weather, from what a game says about its turn: night, mud, snow, an overcast sky. Games name them by the keys of
// their conditions and of the turn's name (`turn.night`, `ground.mud`, `ground.frozen`, `sky.overcast`).

import { CLEAR, type Mood } from '../board/scene';
import type { Arg, Message, TurnView } from '../protocol';

function keysOf(message: Message): string[] {
  const inner = (arg: Arg): string[] => ('term' in arg ? [arg.term] : 'message' in arg ? keysOf(arg.message) : 'list' in arg ? arg.list.flatMap(inner) : []);
  return [message.key, ...(message.args ?? []).flatMap(([, arg]) => inner(arg))];
}

export function moodOf(turn: TurnView | null): Mood {
  if (!turn) return CLEAR;
  const keys = [...keysOf(turn.name), ...turn.conditions.flatMap(keysOf)];
  const says = (word: RegExp): boolean => keys.some((key) => word.test(key));
  return {
    night: says(/(^|[._])night$/),
    ground: says(/(^|[._])mud(dy)?$/) ? 'mud' : says(/(^|[._])(snow|frozen|frost|ice)$/) ? 'snow' : null,
    overcast: says(/(^|[._])(overcast|rain|fog|mist|storm)$/),
  };
}
