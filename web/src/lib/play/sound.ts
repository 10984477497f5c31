// What is heard: chosen from what happened, made only when somebody wants it.

import { prefs } from '../prefs.svelte';
import type { LogLine } from '../protocol';
import type { Sound } from './synth';

/** The one sound for what has just happened: the weightiest of it. */
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
