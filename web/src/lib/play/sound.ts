// Chooses the sound for what happened; the synthesizer is loaded only if sound is on.

import { prefs } from '../prefs.svelte';
import type { LogLine } from '../protocol';
import type { Sound } from './synth';

interface Facts {
  kind?: string;
  hit?: boolean;
  state?: string;
}

const factsOf = (line: LogLine): Facts => (line.entry.data as Facts | null | undefined) ?? {};
/** The event that a line reports, with the states that it names: `log.bridge` with `bridge.blown` is `bridge blown`. */
function eventOf(line: LogLine): string {
  const { key, args } = line.entry.message;
  const states = (args ?? []).flatMap(([, arg]) => ('term' in arg ? [arg.term.split('.').at(-1) ?? ''] : []));
  return [key.replace(/^log\./, ''), ...states].join(' ');
}

/** The most important first: of a batch of events only one is heard. */
const HEARD: [Sound, (facts: Facts, event: string) => boolean][] = [
  ['end', (facts, event) => facts.kind === 'over' || event === 'over'],
  ['blast', (facts, event) => facts.state === 'blown' || /^bridge\b.*\b(blown|destroyed)|^(bridge_struck|terrain_destroyed|dump\.destroyed|mined\.effective|mine_attack|crashed|shot_down|destroyed\.)/.test(event)],
  ['loss', (facts, event) => facts.kind === 'eliminated' || /^(step_lost|eliminated|lost|surrendered|broken_down|reduced|shattered|hq_lost|landing\.eliminated)/.test(event)],
  ['steel', (facts) => facts.kind === 'hit' || (facts.kind === 'shot' && facts.hit === true)],
  ['gun', (facts, event) => ['attack', 'combat', 'result', 'fire', 'shot', 'assault'].includes(facts.kind ?? '') || /^(defensive_fire|fire_fight|fought|fired|gp|close_assault|hand_to_hand|barrage|impact|aa|air_strike)\b/.test(event)],
  ['fly', (facts, event) => ['fly', 'drop', 'land'].includes(facts.kind ?? '') || /^(landed|scattered|flew|air_enters|jabos|paradrop|dropped)/.test(event)],
  ['dice', (facts) => facts.kind === 'roll'],
  ['march', (facts, event) => ['move', 'retreat', 'advance'].includes(facts.kind ?? '') || /^(step\.|moved|retreated|advanced|exited|entered)/.test(event)],
];

/** One sound for a batch of events: that of the most important one. What drives is heard by its engine. */
export function soundOf(lines: LogLine[], drives: (unit: string) => boolean = () => false): Sound | null {
  for (const [sound, means] of HEARD) {
    const line = lines.find((one) => means(factsOf(one), eventOf(one)));
    if (!line) continue;
    const { unit, units } = factsOf(line) as { unit?: string; units?: string[] };
    return sound === 'march' && [unit, ...(units ?? [])].some((id) => id !== undefined && drives(id)) ? 'drive' : sound;
  }
  return null;
}

/** These call somebody who looks elsewhere. */
const CALLS: Sound[] = ['turn', 'word', 'end'];

export function sound(what: Sound | null): void {
  if (what === null || !prefs.sound || (document.hidden && !CALLS.includes(what))) return;
  void import('./synth').then(({ play }) => play(what)).catch(() => undefined);
}
