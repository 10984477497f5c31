// Offers as the server sends them: for tests, whose units have one letter and whose places have four digits. How the server takes
// an action apart is tested in crates/kernel/src/reading.rs.

import type { Offer, Reading, SeatAsk, Template } from '../src/lib/protocol';

const isUnit = (word: string): boolean => /^[A-Z]$/.test(word);
const isPlace = (word: string): boolean => /^\d{4}(\/\d{4})?$/.test(word);

export function reading(action: string): Reading {
  const words = action.split(' ');
  const [units, places] = [words.filter(isUnit), words.filter(isPlace)];
  const from = words.findIndex((word) => isUnit(word) || isPlace(word));
  const verb = from < 0 ? words : words.slice(0, from);
  const rest = words.filter((word, i) => from >= 0 && i > from && !isUnit(word) && !isPlace(word));
  const facing = /^(n|ne|se|s|sw|nw)$/.test(rest.at(-1) ?? '') ? rest.at(-1) : undefined;
  const modes = rest.filter((word) => word !== facing && word !== 'facing' && word !== 'at');
  const deed = verb[0] === 'move' || verb[0] === 'done' || verb[0] === 'place' ? verb[0] : 'other';
  const way = units.length > 1 || (units.length === 1 && isPlace(words[from]!)) ? [] : modes;
  return { deed, words, verb, units, places, modes, way, target: places.at(-1) ?? null, ...(facing ? { facing } : {}) };
}

export const offer = (action: string, template?: Template): Offer => ({ action, reading: reading(action), ...(template ? { template } : {}) });

/** What each subject is. */
export const named = (subjects: string[]): SeatAsk['named'] =>
  subjects.map((subject) => {
    const name = subject.split(' ').at(-1)!;
    return isUnit(name) ? { kind: 'unit', name } : !isPlace(name) ? { kind: 'words', name: subject } : { kind: name.includes('/') ? 'edge' : 'place', name };
  });
