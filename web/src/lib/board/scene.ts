// Everything the board shows on top of the bare map. The board knows hexes, counters and highlights, but no rules:
// the table page fills this in.

import type { Marker, Mood, Piece, Seat, Tone } from '../protocol';
import type { Point } from './geometry';

export interface Reach {
  /** Movement left: 0 = much, 1 = some, 2 = hardly any. */
  step: 0 | 1 | 2;
  label: string;
}

export interface Overlay {
  /** Cells filled with one colour and one pattern, so that two overlays differ without colour. */
  cells: Iterable<string>;
  colour: string;
  pattern: 'fill' | 'lines' | 'dots' | 'back';
  /** Written at the foot of the cells. */
  texts?: ReadonlyMap<string, string>;
}

export interface OverlayLine {
  /** Cells that the line joins, centre to centre; or, with `edge`, the hexside it runs along. */
  cells: string[];
  edge?: string;
  colour: string;
  /** A look of its own, if it is not a plain line. */
  tone?: Tone;
  /** How far a straight line is clear (0–1); the rest is drawn as blocked. */
  free?: number;
  arrow?: boolean;
  text?: string;
  /** Drawn faintly: an earlier state. */
  faint?: boolean;
  /** Drawn over the counters, from edge to edge of those it joins. */
  over?: boolean;
}

/** A counter in motion. */
export interface Motion {
  piece: string;
  path: string[];
  /** `performance.now()` when it set off. */
  start: number;
  /** Milliseconds per cell. */
  pace: number;
}

/** An attack or a shot, shown as an arrow. */
export interface Strike {
  from: string;
  to: string;
  kind: 'attack' | 'support' | 'shot';
  seat: Seat | null;
  /** `performance.now()` when it began. */
  start: number;
  missed?: boolean;
}

/** The path a counter took, left on the map. */
export interface Trail {
  cells: string[];
  seat: Seat | null;
  /** A retreat: drawn broken. */
  back: boolean;
}

export interface Scene {
  pieces: Piece[];
  markers: Marker[];
  /** Pieces lifted from the map. */
  selected: ReadonlySet<string>;
  /** Pieces that take part in what is being planned: attackers. */
  glowing: ReadonlySet<string>;
  /** Pieces that can be clicked now. */
  offered: ReadonlySet<string>;
  /** Pieces that stand where they are only in a plan. */
  planned: ReadonlySet<string>;
  /** Where planned pieces really are: faint copies. */
  ghosts: Piece[];
  /** Cells that can be clicked now. */
  places: ReadonlySet<string>;
  /** Hexsides that can be clicked now. */
  edges: ReadonlySet<string>;
  reach: ReadonlyMap<string, Reach>;
  path: { cells: string[]; costs: string[] } | null;
  /** Cells under attack. */
  targets: ReadonlySet<string>;
  overlays: Overlay[];
  lines: OverlayLine[];
  /** The keyboard's cell. */
  focus: string | null;
  hover: string | null;
  /** A place the log or a search has just pointed at. */
  flash: string | null;
  /** Where the pending question is. */
  matter: ReadonlySet<string>;
  motions: Motion[];
  strikes: Strike[];
  trails: Trail[];
  mood: Mood;
  /** While the selected pieces are dragged: the pointer's position on the screen. */
  carried: Point | null;
  hideCounters: boolean;
  /** Own counters that are done are dimmed when it is this seat's decision. */
  deciding: Seat | null;
  dark: boolean;
  /** No animation. */
  calm: boolean;
}

const NONE: ReadonlySet<string> = new Set();
export const CLEAR: Mood = { night: false, ground: null, overcast: false };

export function emptyScene(): Scene {
  return {
    pieces: [],
    markers: [],
    selected: NONE,
    glowing: NONE,
    offered: NONE,
    planned: NONE,
    ghosts: [],
    places: NONE,
    edges: NONE,
    reach: new Map(),
    path: null,
    targets: NONE,
    overlays: [],
    lines: [],
    focus: null,
    hover: null,
    flash: null,
    matter: NONE,
    motions: [],
    strikes: [],
    trails: [],
    mood: CLEAR,
    carried: null,
    hideCounters: false,
    deciding: null,
    dark: false,
    calm: false,
  };
}
