// Chooses the sound for what happened; the synthesizer is loaded only if sound is on.

import { prefs } from '../prefs.svelte';
import type { LogLine } from '../protocol';
import type { Sound } from './synth';

/** One sound for a batch of events: that of the most important one. */
export function soundOf(lines: LogLine[]): Sound | null {
  const keys = lines.map((line) => line.entry.message.key).join(' ');
  const kinds = new Set(lines.map((line) => (line.entry.data as { kind?: string } | null | undefined)?.kind));
  if (/eliminat|destroy|step_lost|lost\b/.test(keys)) return 'loss';
  if (/combat|fire|shot|strike|hit/.test(keys)) return 'gun';
  if (kinds.has('roll')) return 'dice';
  if (kinds.has('move') || kinds.has('step') || /step\.|moved/.test(keys)) return 'march';
  return null;
}

export function sound(what: Sound | null): void {
  if (!prefs.sound || what === null || document.hidden) return;
  void import('./synth').then(({ play }) => play(what)).catch(() => undefined);
}
