// What lies on the ground of a battlefield: wire, ditches, rubble, dust. Sizes are fractions of a cell.

import type { MarkerShape } from '../protocol';
import type { Point } from './geometry';

type C = CanvasRenderingContext2D;

const EARTH = 'rgba(60,42,18,.9)';
const PAPER = 'rgba(251,248,238,.85)';

/** Drawn in the cell's own measure: 1 is its pitch, the middle is 0, 0. */
const DRAWN: Partial<Record<MarkerShape, (c: C) => void>> = {
  // Two strands with barbs, with a light edge for the dark map.
  wire(c) {
    c.beginPath();
    for (const y of [0.27, 0.37]) {
      c.moveTo(-0.36, y);
      c.lineTo(0.36, y);
      for (let x = -0.3; x <= 0.31; x += 0.12) {
        c.moveTo(x - 0.035, y - 0.05);
        c.lineTo(x + 0.035, y + 0.05);
        c.moveTo(x - 0.035, y + 0.05);
        c.lineTo(x + 0.035, y - 0.05);
      }
    }
    for (const [width, colour] of [
      [0.055, PAPER],
      [0.024, '#2c2a26'],
    ] as const) {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.stroke();
    }
  },
  ditch(c) {
    for (const [width, colour] of [
      [0.11, EARTH],
      [0.05, '#8a6a3c'],
    ] as const) {
      c.beginPath();
      c.moveTo(-0.4, 0.22);
      for (const [x, y] of [
        [-0.2, 0.32],
        [0, 0.24],
        [0.2, 0.32],
        [0.4, 0.22],
      ] as const)
        c.lineTo(x, y);
      c.lineWidth = width;
      c.lineJoin = c.lineCap = 'round';
      c.strokeStyle = colour;
      c.stroke();
    }
  },
  rubble(c) {
    for (const [x, y, r] of [
      [-0.25, 0.2, 0.1],
      [-0.05, 0.28, 0.08],
      [0.14, 0.2, 0.11],
      [0.3, 0.28, 0.07],
      [-0.16, 0.34, 0.06],
      [0.04, 0.12, 0.07],
    ] as const) {
      c.beginPath();
      c.moveTo(x - r, y + r * 0.5);
      c.lineTo(x - r * 0.5, y - r * 0.7);
      c.lineTo(x + r * 0.6, y - r * 0.6);
      c.lineTo(x + r, y + r * 0.5);
      c.closePath();
      c.fillStyle = '#a39a8c';
      c.fill();
      c.lineWidth = 0.016;
      c.strokeStyle = '#3b342c';
      c.stroke();
    }
  },
  dust(c) {
    for (const [x, y, r, alpha] of [
      [-0.24, 0.14, 0.2, 0.34],
      [0.2, 0.18, 0.22, 0.34],
      [-0.04, -0.08, 0.26, 0.3],
      [0.22, -0.16, 0.17, 0.26],
      [-0.26, -0.2, 0.16, 0.22],
    ] as const) {
      c.beginPath();
      c.arc(x, y, r, 0, 7);
      c.fillStyle = `rgba(176,132,72,${alpha})`;
      c.fill();
    }
  },
};

export const isGround = (shape: MarkerShape): boolean => shape in DRAWN;

/** One of these in a cell of pitch `u`; the number of turns already worked on an unfinished one stands above it. */
export function drawGround(c: C, shape: MarkerShape, text: string, at: Point, u: number): void {
  c.save();
  c.translate(at.x, at.y);
  c.scale(u, u);
  if (text) c.globalAlpha = 0.55;
  DRAWN[shape]?.(c);
  c.restore();
  if (text && u > 34) progress(c, text, at, u);
}

/** How far a work has come, beside it. */
export function progress(c: C, text: string, at: Point, u: number): void {
  c.save();
  c.font = `700 ${(u * 0.16).toFixed(1)}px "Source Sans 3 Variable", sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.lineWidth = u * 0.05;
  c.lineJoin = 'round';
  c.strokeStyle = PAPER;
  c.strokeText(text, at.x - u * 0.36, at.y + u * 0.12);
  c.fillStyle = '#201f1b';
  c.fillText(text, at.x - u * 0.36, at.y + u * 0.12);
  c.restore();
}
