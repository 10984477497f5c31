// Which shape a game has chosen for each state and marker (`GameInfo.looks`).

import type { Looks, MarkerShape, StateLook } from '../protocol';

const states = new Map<string, StateLook>();
const markers = new Map<string, MarkerShape>();
let engines = new Set<string>();

/** A game's shapes; they stay until another game gives the same name another shape. */
export function learnLooks(looks: Looks): void {
  for (const look of looks.states) states.set(look.state, look);
  for (const { kind, shape } of looks.markers) markers.set(kind, shape);
  engines = new Set(looks.engines);
}

/** Games may add a place or number to a state (`exposed:E2113`): its name is what stands before. */
export function stateName(state: string): string {
  return state.split(':')[0]!;
}

export const stateLook = (state: string): StateLook | undefined => states.get(stateName(state));
/** Is the engine heard when a unit with this symbol moves? */
export const hasEngine = (symbol: string): boolean => engines.has(symbol);
export const markerShape = (kind: string): MarkerShape | undefined => markers.get(kind);

const HEADINGS: Record<string, number> = { n: 0, ne: 60, se: 120, s: 180, sw: 240, nw: 300 };

/** The text of an aircraft: what it is called, and where it heads. */
export function flight(text: string): { name: string; heading: number | undefined } {
  const words = text.split(' ');
  const heading = HEADINGS[words.at(-1) ?? ''];
  return { name: (heading === undefined ? words : words.slice(0, -1)).join(' '), heading };
}

/** Is a unit in this state in the air, above the counters on the ground? */
export const isRaised = (state: string): boolean => stateLook(state)?.shape === 'rotor';
