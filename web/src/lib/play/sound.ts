// Chooses the sound for what happened; the synthesizer is loaded only if sound is on.

import { prefs } from '../prefs.svelte';
import type { LogLine } from '../protocol';
import type { Sound } from './synth';

/** One sound for a batch of events: that of the most important one. */
export function soundOf(lines: LogLine[]): Sound | null {
  const topics = new Set(lines.map((line) => line.entry.topic));
  if (topics.has('loss')) return 'loss';
  if (topics.has('combat') || topics.has('attack')) return 'gun';
  if (topics.has('roll')) return 'dice';
  if (topics.has('move') || topics.has('retreat') || topics.has('advance')) return 'march';
  return null;
}

export function sound(what: Sound | null): void {
  if (!prefs.sound || what === null || document.hidden) return;
  void import('./synth').then(({ play }) => play(what)).catch(() => undefined);
}
