// Markers: blown bridges, earthworks, traffic, control. Sizes are fractions of a cell.

import { isEdge } from './geometry';
import type { Marker } from '../protocol';
import type { Edge, Point } from './geometry';

type C = CanvasRenderingContext2D;

const INK = '#201f1b';
const PAPER = '#fbf8ee';

/** Markers that belong under the counters. */
const BELOW = new Set(['improved_position', 'improved_position_started', 'building_ip', 'control', 'victory', 'entrenchment', 'wreck', 'brew_up', 'objective', 'smoke', 'barrage', 'crater', 'lit']);

export function isBelow(marker: Marker): boolean {
  return isEdge(marker.at) || BELOW.has(marker.kind);
}

/** Markers placed on a hexside. */
export const onHexside = (kind: string): boolean => /^(blown|bridge|destroyed|attackers_advantage)/.test(kind);

/** A marker on a cell; `u` is the cell's pitch in pixels. */
export function drawCellMarker(c: C, marker: Marker, at: Point, u: number, seatColour: string, slot: number): void {
  switch (marker.kind) {
    case 'improved_position':
    case 'improved_position_started':
    case 'building_ip':
    case 'entrenchment':
      earthwork(c, at, u, marker.kind === 'building_ip' || marker.kind === 'improved_position_started');
      return;
    case 'wreck':
    case 'brew_up':
      wreck(c, at, u);
      if (marker.kind === 'brew_up') smoke(c, at, u);
      return;
    case 'smoke':
      screen(c, at, u);
      return;
    case 'lit':
      glow(c, at, u);
      return;
    case 'flare':
      flare(c, at, u);
      return;
    case 'barrage':
      bursts(c, at, u);
      return;
    case 'control':
    case 'objective':
    case 'victory':
      flag(c, at, u, seatColour, marker.text);
      return;
    case 'aircraft':
      aircraft(c, marker.text, at, u);
      return;
    default:
      chip(c, marker, at, u, seatColour, slot);
  }
}

const HEADINGS: Record<string, number> = { n: 0, ne: 60, se: 120, s: 180, sw: 240, nw: 300 };

/** An aircraft from above with its shadow; the last word of its text says where it heads. */
function aircraft(c: C, text: string, at: Point, u: number): void {
  const words = text.split(' ');
  const heading = HEADINGS[words.at(-1) ?? ''];
  const name = (heading === undefined ? words : words.slice(0, -1)).join(' ');
  for (const [dx, dy, colour] of [[0.1, 0.16, 'rgba(30,25,15,.28)'], [0, 0, INK]] as const) {
    c.save();
    c.translate(at.x + dx * u, at.y + dy * u);
    c.rotate(((heading ?? 0) * Math.PI) / 180);
    c.scale(u * 0.5, u * 0.5);
    c.beginPath();
    // The right half from the nose to the tail, then the left one back.
    const half = [[0.07, -0.86], [0.11, -0.34], [1, -0.12], [1, 0.12], [0.12, 0.16], [0.08, 0.62], [0.4, 0.74], [0.4, 0.88], [0, 0.84]] as const;
    c.moveTo(0, -0.95);
    for (const [x, y] of half) c.lineTo(x, y);
    for (const [x, y] of [...half].reverse()) c.lineTo(-x, y);
    c.closePath();
    if (colour === INK) {
      c.lineWidth = 0.12;
      c.strokeStyle = PAPER;
      c.stroke();
    }
    c.fillStyle = colour;
    c.fill();
    c.restore();
  }
  if (!name || u < 40) return;
  c.save();
  c.font = `700 ${Math.max(9, u * 0.2)}px "Source Sans 3 Variable", sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'top';
  c.lineWidth = 3;
  c.strokeStyle = PAPER;
  c.strokeText(name, at.x, at.y + u * 0.5);
  c.fillStyle = INK;
  c.fillText(name, at.x, at.y + u * 0.5);
  c.restore();
}

/** Ground lit up at night. */
function glow(c: C, at: Point, u: number): void {
  c.beginPath();
  c.arc(at.x, at.y, u * 0.58, 0, 7);
  c.fillStyle = 'rgba(255,238,170,.42)';
  c.fill();
}

/** An illumination shell under its parachute. */
function flare(c: C, at: Point, u: number): void {
  c.save();
  c.translate(at.x, at.y - u * 0.34);
  c.scale(u * 0.3, u * 0.3);
  for (let i = 0; i < 8; i++) {
    c.rotate(Math.PI / 4);
    c.beginPath();
    c.moveTo(-0.12, -0.3);
    c.lineTo(0, i % 2 ? -0.75 : -1.1);
    c.lineTo(0.12, -0.3);
    c.fillStyle = '#fff3b8';
    c.fill();
    c.lineWidth = 0.07;
    c.strokeStyle = '#7a5200';
    c.stroke();
  }
  c.beginPath();
  c.arc(0, 0, 0.36, 0, 7);
  c.fillStyle = '#ffd94a';
  c.fill();
  c.stroke();
  c.restore();
}

/** A toothed rampart around the lower half of the counter. */
function earthwork(c: C, at: Point, u: number, unfinished: boolean): void {
  const r = u * 0.43;
  c.save();
  c.translate(at.x, at.y);
  c.beginPath();
  const teeth = 11;
  for (let i = 0; i <= teeth * 2; i++) {
    const angle = Math.PI * (-0.08 + (1.16 * i) / (teeth * 2));
    const d = i % 2 ? r * 1.1 : r * 0.96;
    const x = Math.cos(angle) * d;
    const y = Math.sin(angle) * d * 0.98;
    if (i) c.lineTo(x, y);
    else c.moveTo(x, y);
  }
  if (unfinished) c.setLineDash([u * 0.06, u * 0.045]);
  c.lineWidth = Math.max(2, u * 0.075);
  c.lineJoin = 'round';
  c.strokeStyle = 'rgba(60,42,18,.9)';
  c.stroke();
  c.lineWidth = Math.max(1, u * 0.035);
  c.strokeStyle = '#b98d4d';
  c.stroke();
  c.restore();
}

/** A burnt-out hull. */
function wreck(c: C, at: Point, u: number): void {
  c.save();
  c.translate(at.x + u * 0.16, at.y + u * 0.2);
  c.rotate(0.14);
  c.scale(u * 0.22, u * 0.22);
  c.fillStyle = '#3b342c';
  c.strokeStyle = PAPER;
  c.lineWidth = 0.14;
  c.beginPath();
  c.moveTo(-1.1, 0.45);
  c.lineTo(-0.95, 0);
  c.lineTo(-0.45, -0.05);
  c.lineTo(-0.3, -0.45);
  c.lineTo(0.25, -0.4);
  c.lineTo(0.4, -0.1);
  c.lineTo(1.05, 0.05);
  c.lineTo(1.15, 0.45);
  c.closePath();
  c.stroke();
  c.fill();
  c.beginPath();
  c.moveTo(0.25, -0.25);
  c.lineTo(1.1, 0.02);
  c.lineWidth = 0.16;
  c.strokeStyle = '#3b342c';
  c.stroke();
  c.restore();
}

/** A column of smoke. */
function smoke(c: C, at: Point, u: number): void {
  c.save();
  c.translate(at.x, at.y);
  for (const [x, y, r, shade] of [
    [0.16, 0.08, 0.1, 60],
    [0.1, -0.08, 0.14, 80],
    [0.0, -0.24, 0.18, 105],
    [-0.14, -0.4, 0.15, 130],
  ] as const) {
    c.beginPath();
    c.arc(x * u, y * u, r * u, 0, 7);
    c.fillStyle = `rgba(${shade},${shade - 4},${shade - 8},.62)`;
    c.fill();
  }
  c.restore();
}

/** A smoke screen: white clouds over the whole cell. */
function screen(c: C, at: Point, u: number): void {
  c.save();
  c.translate(at.x, at.y);
  for (const [x, y, r, shade] of [
    [-0.28, 0.12, 0.2, 205],
    [0.26, 0.16, 0.22, 212],
    [0.0, 0.24, 0.2, 198],
    [-0.14, -0.14, 0.24, 228],
    [0.2, -0.16, 0.22, 236],
    [0.02, 0.02, 0.24, 246],
  ] as const) {
    c.beginPath();
    c.arc(x * u, y * u, r * u, 0, 7);
    c.fillStyle = `rgba(${shade},${shade},${shade - 4},.55)`;
    c.fill();
  }
  c.restore();
}

/** Shells that burst in the cell. */
function bursts(c: C, at: Point, u: number): void {
  c.save();
  c.translate(at.x, at.y);
  for (const [x, y, r] of [
    [-0.24, -0.18, 0.14],
    [0.22, -0.06, 0.17],
    [-0.06, 0.24, 0.15],
  ] as const) {
    c.beginPath();
    for (let i = 0; i < 14; i++) {
      const a = (i * Math.PI) / 7;
      const d = (i % 2 ? 0.45 : 1) * r * u;
      c.lineTo(x * u + Math.cos(a) * d, y * u + Math.sin(a) * d);
    }
    c.closePath();
    c.fillStyle = 'rgba(206,92,30,.78)';
    c.fill();
    c.lineWidth = Math.max(1, u * 0.015);
    c.strokeStyle = 'rgba(70,36,14,.85)';
    c.stroke();
  }
  c.restore();
}

/** A small flag in the corner of a cell, with a figure on it. */
function flag(c: C, at: Point, u: number, colour: string, text: string): void {
  const x = at.x - u * 0.4;
  const y = at.y + u * 0.3;
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x, y - u * 0.26);
  c.lineWidth = Math.max(1, u * 0.025);
  c.strokeStyle = INK;
  c.stroke();
  c.beginPath();
  c.moveTo(x, y - u * 0.26);
  c.lineTo(x + u * 0.22, y - u * 0.26);
  c.lineTo(x + u * 0.18, y - u * 0.19);
  c.lineTo(x + u * 0.22, y - u * 0.11);
  c.lineTo(x, y - u * 0.11);
  c.closePath();
  c.fillStyle = colour;
  c.fill();
  c.lineWidth = Math.max(0.75, u * 0.012);
  c.stroke();
  if (text && u > 44) {
    c.font = `700 ${(u * 0.13).toFixed(1)}px "Source Sans 3 Variable", sans-serif`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillStyle = PAPER;
    c.fillText(text, x + u * 0.095, y - u * 0.18);
  }
}

const GLYPHS: Record<string, (c: C) => void> = {
  traffic: (c) => {
    // Three vehicles nose to tail.
    for (const x of [-0.62, 0, 0.62]) c.fillRect(x - 0.24, -0.2, 0.48, 0.4);
  },
  roadblock: (c) => {
    c.fillRect(-0.8, -0.14, 1.6, 0.28);
    c.fillRect(-0.5, -0.5, 0.2, 1);
    c.fillRect(0.3, -0.5, 0.2, 1);
  },
  air: (c) => {
    c.beginPath();
    c.moveTo(0, -0.8);
    c.lineTo(0.85, 0.3);
    c.lineTo(0.15, 0.2);
    c.lineTo(0.3, 0.75);
    c.lineTo(-0.3, 0.75);
    c.lineTo(-0.15, 0.2);
    c.lineTo(-0.85, 0.3);
    c.fill();
  },
  fuel: (c) => {
    c.strokeRect(-0.45, -0.5, 0.9, 1.1);
    c.fillRect(-0.2, -0.75, 0.4, 0.2);
    c.beginPath();
    c.moveTo(-0.45, -0.5);
    c.lineTo(0.45, 0.6);
    c.stroke();
  },
  advantage: (c) => {
    c.beginPath();
    c.moveTo(-0.7, -0.3);
    c.lineTo(0.1, -0.3);
    c.lineTo(0.1, -0.65);
    c.lineTo(0.8, 0);
    c.lineTo(0.1, 0.65);
    c.lineTo(0.1, 0.3);
    c.lineTo(-0.7, 0.3);
    c.fill();
  },
};
const GLYPH_NAMES: Record<string, string> = {
  attackers_advantage: 'advantage',
  aa: 'advantage',
  fuel_dump: 'fuel',
  fuel_depot: 'fuel',
  fuel_dump_hidden: 'fuel',
  fuel_dump_dummy: 'fuel',
  air_support: 'air',
  german_traffic: 'traffic',
  allied_traffic: 'traffic',
  bottleneck: 'traffic',
};

/** A round chip at the upper left of the cell, with a glyph or a letter and the marker's own text. */
function chip(c: C, marker: Marker, at: Point, u: number, colour: string, slot: number): void {
  const r = u * 0.15;
  const x = at.x - u * 0.33 + slot * r * 1.7;
  const y = at.y - u * 0.33;
  c.save();
  c.translate(x, y);
  c.beginPath();
  c.arc(0, 0, r, 0, 7);
  c.fillStyle = PAPER;
  c.fill();
  c.lineWidth = Math.max(1.25, u * 0.03);
  c.strokeStyle = colour;
  c.stroke();
  const glyph = GLYPHS[GLYPH_NAMES[marker.kind] ?? marker.kind];
  c.fillStyle = c.strokeStyle = INK;
  if (glyph) {
    c.save();
    c.scale(r * 0.78, r * 0.78);
    c.lineWidth = 0.22;
    glyph(c);
    c.restore();
  }
  const label = marker.text || (glyph ? '' : (marker.kind[0] ?? '?').toUpperCase());
  if (label && u > 34) {
    c.font = `700 ${(glyph ? r * 0.95 : r * 1.15).toFixed(1)}px "Source Sans 3 Variable", sans-serif`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    if (glyph) {
      c.lineWidth = r * 0.4;
      c.strokeStyle = PAPER;
      c.lineJoin = 'round';
      c.strokeText(label, r * 0.85, r * 0.85, r * 2);
      c.fillText(label, r * 0.85, r * 0.85, r * 2);
    } else c.fillText(label, 0, r * 0.06, r * 1.7);
  }
  c.restore();
}

/** A marker on a hexside; `edge` is in pixels. */
export function drawEdgeMarker(c: C, marker: Marker, edge: Edge, u: number, seatColour: string): void {
  const along = Math.atan2(edge.dy, edge.dx);
  c.save();
  c.translate(edge.x, edge.y);
  c.rotate(along);
  // Now x runs along the hexside (the river), y across it (the road).
  const w = u * 0.13;
  const h = u * 0.2;
  const state = marker.kind.startsWith('bridge') ? marker.kind.replace(/^bridge_?/, '') || marker.text : marker.kind;
  const bridge = (broken: boolean, colour: string, dash: boolean): void => {
    c.lineCap = 'round';
    for (const [width, paint] of [
      [u * 0.075, PAPER],
      [u * 0.04, colour],
    ] as const) {
      c.lineWidth = Math.max(1.5, width);
      c.strokeStyle = paint;
      c.setLineDash(dash && paint !== PAPER ? [u * 0.05, u * 0.06] : []);
      for (const side of [-1, 1]) {
        c.beginPath();
        if (broken) {
          c.moveTo(side * w, -h);
          c.lineTo(side * w, -h * 0.28);
          c.moveTo(side * w, h * 0.28);
          c.lineTo(side * w, h);
        } else {
          c.moveTo(side * w * 1.35, -h);
          c.lineTo(side * w, -h * 0.7);
          c.lineTo(side * w, h * 0.7);
          c.lineTo(side * w * 1.35, h);
        }
        c.stroke();
      }
    }
    c.setLineDash([]);
  };
  switch (state) {
    case 'blown':
    case 'blown_bridge':
    case 'destroyed':
      bridge(true, '#c3281a', false);
      c.beginPath();
      c.moveTo(-w * 0.9, -h * 0.3);
      c.lineTo(w * 0.9, h * 0.3);
      c.moveTo(w * 0.9, -h * 0.3);
      c.lineTo(-w * 0.9, h * 0.3);
      c.lineWidth = Math.max(1.5, u * 0.045);
      c.strokeStyle = '#c3281a';
      c.stroke();
      break;
    case 'attackers_advantage': {
      // An arrow over the hexside, from the stack that has the advantage to the hex it is against.
      c.beginPath();
      for (const [px, py] of [[-0.07, 0.2], [-0.07, -0.04], [-0.15, -0.04], [0, -0.22], [0.15, -0.04], [0.07, -0.04], [0.07, 0.2]] as const) {
        c.lineTo(px * u, py * u);
      }
      c.closePath();
      c.fillStyle = seatColour;
      c.fill();
      c.lineWidth = Math.max(1.5, u * 0.03);
      c.strokeStyle = PAPER;
      c.stroke();
      break;
    }
    case 'under_construction':
    case 'construction':
    case 'repair':
      bridge(false, '#c07a12', true);
      break;
    case 'intact_allied':
      bridge(false, seatColour, false);
      break;
    case 'wired':
    case 'to_be_wired': {
      // A charge under the roadway with its fuse; hollow until it is laid.
      bridge(false, '#3c3527', false);
      c.beginPath();
      c.arc(0, 0, u * 0.065, 0, 7);
      c.lineWidth = Math.max(1, u * 0.03);
      c.strokeStyle = '#c3281a';
      c.fillStyle = state === 'wired' ? '#c3281a' : PAPER;
      c.fill();
      c.stroke();
      c.beginPath();
      c.moveTo(u * 0.045, -u * 0.045);
      c.quadraticCurveTo(u * 0.12, -u * 0.06, u * 0.1, -u * 0.14);
      c.stroke();
      break;
    }
    case 'repaired':
    case 'intact':
    case 'built':
      bridge(false, '#3c3527', false);
      break;
    default:
      c.rotate(-along);
      c.translate(-edge.x, -edge.y);
      chip(c, marker, { x: edge.x + u * 0.33, y: edge.y + u * 0.33 }, u, seatColour, 0);
  }
  c.restore();
}
