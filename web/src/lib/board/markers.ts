// Markers: blown bridges, earthworks, traffic, control. Sizes are fractions of a cell.

import { isEdge } from './geometry';
import { drawGround, isGround, progress } from './ground';
import type { Marker, MarkerShape } from '../protocol';
import { flight, markerShape } from './looks';
import type { Edge, Point } from './geometry';

type C = CanvasRenderingContext2D;

const INK = '#201f1b';
const PAPER = '#fbf8ee';

/** Shapes that belong under the counters. */
const BELOW: readonly MarkerShape[] = ['earthwork', 'earthwork_begun', 'flag', 'wreck', 'burning_wreck', 'fire', 'smoke', 'gas_zone', 'gas_zone_broken', 'dust', 'bursts', 'glow', 'rubble', 'wire', 'ditch'];
const shapeOf = (marker: { kind: string }): MarkerShape | undefined => markerShape(marker.kind);

export function isBelow(marker: Marker): boolean {
  const shape = shapeOf(marker);
  return isEdge(marker.at) || (shape !== undefined && BELOW.includes(shape));
}

/** Markers that also cover the cells around their own. */
export const isWide = (kind: string): boolean => /^gas_zone/.test(markerShape(kind) ?? '');

/** Markers placed on a hexside. */
export const onHexside = (kind: string): boolean => /^(bridge|arrow)/.test(markerShape(kind) ?? '');

/** A marker on a cell; `u` is the cell's pitch in pixels. */
export function drawCellMarker(c: C, marker: Marker, at: Point, u: number, seatColour: string, slot: number): void {
  const shape = shapeOf(marker);
  switch (shape) {
    case 'earthwork':
    case 'earthwork_begun':
      earthwork(c, at, u, shape === 'earthwork_begun' || marker.text !== '');
      if (marker.text && u > 34) progress(c, marker.text, at, u);
      return;
    case 'wreck':
      return wreck(c, at, u);
    case 'burning_wreck':
      wreck(c, at, u);
      return smoke(c, at, u);
    case 'fire':
      return fire(c, at, u);
    case 'smoke':
      return screen(c, at, u);
    case 'gas_zone':
    case 'gas_zone_broken':
      return gas(c, at, u, shape === 'gas_zone');
    case 'plate':
      return plate(c, marker.text, slot ? { x: at.x, y: at.y - u * 0.22 } : at, u, seatColour);
    case 'glow':
      return glow(c, at, u);
    case 'flare':
      return flare(c, at, u);
    case 'bursts':
      return bursts(c, at, u);
    case 'flag':
      return flag(c, at, u, seatColour, marker.text);
    case 'aircraft':
      return aircraft(c, marker.text, at, u);
    default:
      if (shape && isGround(shape)) drawGround(c, shape, marker.text, at, u);
      else chip(c, marker, at, u, seatColour, slot);
  }
}

/** An aircraft from above with its shadow; the last word of its text says where it heads. */
function aircraft(c: C, text: string, at: Point, u: number): void {
  const { name, heading } = flight(text);
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

/** Flames over a cell. */
function fire(c: C, at: Point, u: number): void {
  smoke(c, at, u);
  c.save();
  c.translate(at.x, at.y + u * 0.12);
  for (const [x, size, colour] of [[-0.14, 0.2, '#d9541e'], [0.14, 0.18, '#d9541e'], [0, 0.27, '#e8751a'], [0.01, 0.14, '#ffc845']] as const) {
    c.beginPath();
    c.moveTo(x * u, -size * 1.3 * u);
    c.bezierCurveTo((x + size * 0.8) * u, -size * 0.2 * u, (x + size * 0.6) * u, size * 0.8 * u, x * u, size * 0.8 * u);
    c.bezierCurveTo((x - size * 0.7) * u, size * 0.8 * u, (x - size * 0.6) * u, 0, x * u, -size * 1.3 * u);
    c.fillStyle = colour;
    c.fill();
  }
  c.restore();
}

/** A smoke screen: white clouds over the whole cell, so that they rise on all sides of a counter. */
function screen(c: C, at: Point, u: number): void {
  c.save();
  c.translate(at.x, at.y);
  const puff = (x: number, y: number, r: number, shade: number, alpha: number): void => {
    c.beginPath();
    c.arc(x * u, y * u, r * u, 0, 7);
    c.fillStyle = `rgba(${shade},${shade},${shade - 4},${alpha})`;
    c.fill();
  };
  puff(0, 0, 0.47, 226, 0.6);
  for (let i = 0; i < 9; i++) {
    const angle = (i * 2 * Math.PI) / 9 + 0.3;
    const [x, y] = [Math.cos(angle) * 0.4, Math.sin(angle) * 0.4];
    const r = 0.15 + 0.03 * (i % 3);
    puff(x, y + 0.025, r, 168, 0.55);
    puff(x - 0.015, y - 0.015, r * 0.86, 242, 0.8);
  }
  c.restore();
}

/** A gas zone: its centre cell and the cells around it; persistent gas has a full rim, the other a broken one. */
function gas(c: C, at: Point, u: number, persistent: boolean): void {
  c.save();
  c.translate(at.x, at.y);
  c.beginPath();
  c.arc(0, 0, u * 1.48, 0, 7);
  c.fillStyle = 'rgba(196,176,30,.2)';
  c.fill();
  c.lineWidth = Math.max(1.5, u * 0.045);
  c.strokeStyle = 'rgba(112,96,0,.8)';
  if (!persistent) c.setLineDash([u * 0.16, u * 0.12]);
  c.stroke();
  c.setLineDash([]);
  for (const [x, y, r] of [
    [0.9, 0.3, 0.3],
    [-0.75, 0.6, 0.34],
    [0.1, -1.0, 0.3],
    [-0.85, -0.5, 0.26],
    [0.7, -0.65, 0.24],
    [0.15, 0.95, 0.28],
    [0, 0, 0.4],
  ] as const) {
    c.beginPath();
    c.arc(x * u, y * u, r * u, 0, 7);
    c.fillStyle = 'rgba(188,170,40,.3)';
    c.fill();
  }
  c.restore();
}

/** A name at the upper left corner of a cell, as wide as it needs to be. */
function plate(c: C, text: string, at: Point, u: number, colour: string): void {
  const h = u * 0.24;
  const words = u > 34 ? text : '';
  c.save();
  c.font = `700 ${Math.max(8, h * 0.82).toFixed(1)}px "Source Sans 3 Variable", sans-serif`;
  const w = Math.max(h, c.measureText(words).width + h * 0.6);
  c.translate(at.x - u * 0.46, at.y - u * 0.5);
  c.beginPath();
  c.roundRect(0, 0, w, h, h / 2);
  c.fillStyle = PAPER;
  c.fill();
  c.lineWidth = Math.max(1.25, u * 0.03);
  c.strokeStyle = colour;
  c.stroke();
  c.fillStyle = INK;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(words, w / 2, h * 0.54);
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

const GLYPHS: Partial<Record<MarkerShape, (c: C) => void>> = {
  traffic: (c) => {
    // Three vehicles nose to tail.
    for (const x of [-0.62, 0, 0.62]) c.fillRect(x - 0.24, -0.2, 0.48, 0.4);
  },
  roadblock: (c) => {
    c.fillRect(-0.8, -0.14, 1.6, 0.28);
    c.fillRect(-0.5, -0.5, 0.2, 1);
    c.fillRect(0.3, -0.5, 0.2, 1);
  },
  plane: (c) => {
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
  arrow: (c) => {
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
  mines: (c) => {
    for (const x of [-0.62, 0, 0.62]) {
      c.beginPath();
      c.arc(x, 0, 0.27, 0, 7);
      c.fill();
    }
  },
  dummies: (c) => {
    for (const x of [-0.62, 0, 0.62]) {
      c.beginPath();
      c.arc(x, 0, 0.2, 0, 7);
      c.stroke();
    }
  },
  obstacle: (c) => {
    // A row of tetrahedra.
    for (const x of [-0.6, 0, 0.6]) {
      c.beginPath();
      c.moveTo(x - 0.34, 0.38);
      c.lineTo(x, -0.42);
      c.lineTo(x + 0.34, 0.38);
      c.closePath();
      c.fill();
    }
  },
  target: (c) => {
    // A sight.
    c.beginPath();
    c.arc(0, 0, 0.5, 0, 7);
    c.stroke();
    c.beginPath();
    for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      c.moveTo(x * 0.22, y * 0.22);
      c.lineTo(x * 0.92, y * 0.92);
    }
    c.stroke();
  },
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
  const shape = shapeOf(marker);
  const glyph = shape && GLYPHS[shape];
  c.fillStyle = c.strokeStyle = INK;
  if (glyph) {
    c.save();
    c.scale(r * 0.78, r * 0.78);
    c.lineWidth = 0.22;
    glyph(c);
    c.restore();
  }
  const label = marker.text || (glyph ? '' : shape === 'unknown' ? '?' : (marker.kind[0] ?? '?').toUpperCase());
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
  const shape = shapeOf(marker);
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
  switch (shape) {
    case 'bridge_blown':
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
    case 'arrow': {
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
    case 'bridge_building':
      bridge(false, '#c07a12', true);
      break;
    case 'bridge_held':
      bridge(false, seatColour, false);
      break;
    case 'bridge_wired':
    case 'bridge_to_wire': {
      // A charge under the roadway with its fuse; hollow until it is laid.
      bridge(false, '#3c3527', false);
      c.beginPath();
      c.arc(0, 0, u * 0.065, 0, 7);
      c.lineWidth = Math.max(1, u * 0.03);
      c.strokeStyle = '#c3281a';
      c.fillStyle = shape === 'bridge_wired' ? '#c3281a' : PAPER;
      c.fill();
      c.stroke();
      c.beginPath();
      c.moveTo(u * 0.045, -u * 0.045);
      c.quadraticCurveTo(u * 0.12, -u * 0.06, u * 0.1, -u * 0.14);
      c.stroke();
      break;
    }
    case 'bridge':
      bridge(false, '#3c3527', false);
      break;
    default:
      c.rotate(-along);
      c.translate(-edge.x, -edge.y);
      chip(c, marker, { x: edge.x + u * 0.33, y: edge.y + u * 0.33 }, u, seatColour, 0);
  }
  c.restore();
}
