// Chooses the sound for what happened; the synthesizer is loaded only if sound is on.

import { prefs } from '../prefs.svelte';
import type { Entry, LogLine } from '../protocol';
import type { Sound } from './synth';

/** The most important first: of a batch of events only one is heard. */
const HEARD: [Sound, (entry: Entry) => boolean][] = [
  ['end', ({ topic }) => topic === 'over'],
  ['blast', ({ topic }) => topic === 'blast'],
  ['loss', ({ topic }) => topic === 'loss'],
  ['steel', ({ data }) => data?.kind === 'hit' || (data?.kind === 'shot' && data.hit === true)],
  ['gun', ({ topic }) => topic === 'attack' || topic === 'combat'],
  ['fly', ({ topic }) => topic === 'flight'],
  ['dice', ({ topic }) => topic === 'roll'],
  ['march', ({ topic }) => topic === 'move' || topic === 'retreat' || topic === 'advance'],
];

/** One sound for a batch of events: that of the most important one. What drives is heard by its engine. */
export function soundOf(lines: LogLine[], drives: (unit: string) => boolean = () => false): Sound | null {
  for (const [sound, means] of HEARD) {
    const entry = lines.map((line) => line.entry).find(means);
    if (!entry) continue;
    const { unit, units } = entry.data ?? {};
    return sound === 'march' && [unit, ...(units ?? [])].some((id) => typeof id === 'string' && drives(id)) ? 'drive' : sound;
  }
  return null;
}

/** These call somebody who looks elsewhere. */
const CALLS: Sound[] = ['turn', 'word', 'end'];

export function sound(what: Sound | null): void {
  if (what === null || !prefs.sound || (document.hidden && !CALLS.includes(what))) return;
  void import('./synth').then(({ play }) => play(what)).catch(() => undefined);
}
