// Lines over the map: a way with its costs, bonds and supply, a line of sight that ends at what blocks it.

import type { Tone } from '../protocol';
import type { Point } from './geometry';
import type { OverlayLine } from './scene';

type C = CanvasRenderingContext2D;

const FONT = '"Source Sans 3 Variable", sans-serif';
const HALO = 'rgba(255,255,255,.85)';

/** The look of each tone; they differ in stroke, not by colour alone. */
export const TONES: Record<Exclude<Tone, 'plain'>, { colour: string; dash: [number, number] | null }> = {
  good: { colour: '#11608a', dash: null },
  doubt: { colour: '#a8640a', dash: [0.16, 0.1] },
  bad: { colour: '#b3261e', dash: [0.05, 0.1] },
};

function trace(c: C, points: Point[]): void {
  c.beginPath();
  points.forEach((p, i) => (i ? c.lineTo(p.x, p.y) : c.moveTo(p.x, p.y)));
}

function stroke(c: C, points: Point[], u: number, colour: string, dash: [number, number] | null): void {
  c.lineCap = c.lineJoin = 'round';
  trace(c, points);
  c.lineWidth = Math.max(4, u * 0.12);
  c.strokeStyle = HALO;
  c.stroke();
  if (dash) c.setLineDash([dash[0] * u, dash[1] * u + c.lineWidth * 0.5]);
  trace(c, points);
  c.lineWidth = Math.max(2, u * 0.06);
  c.strokeStyle = colour;
  c.stroke();
  c.setLineDash([]);
}

/** The head of an arrow at `end`, coming from `before`. */
export function arrowHead(c: C, before: Point, end: Point, u: number, colour: string): void {
  c.save();
  c.translate(end.x, end.y);
  c.rotate(Math.atan2(end.y - before.y, end.x - before.x));
  c.beginPath();
  c.moveTo(u * 0.17, 0);
  c.lineTo(-u * 0.1, -u * 0.14);
  c.lineTo(-u * 0.1, u * 0.14);
  c.closePath();
  c.fillStyle = colour;
  c.fill();
  c.restore();
}

/** A cross where a line is blocked. */
function stop(c: C, at: Point, u: number, colour: string): void {
  const r = Math.max(4, u * 0.11);
  for (const [width, paint] of [
    [r * 0.9, HALO],
    [r * 0.45, colour],
  ] as const) {
    c.beginPath();
    c.moveTo(at.x - r, at.y - r);
    c.lineTo(at.x + r, at.y + r);
    c.moveTo(at.x + r, at.y - r);
    c.lineTo(at.x - r, at.y + r);
    c.lineWidth = width;
    c.strokeStyle = paint;
    c.stroke();
  }
}

/** Text on a small plate with its first line at this point, legible at every zoom. */
export function plaque(c: C, at: Point, text: string, u: number, edge = '#201f1b'): void {
  const size = Math.max(11, Math.min(16, u * 0.2));
  const lines = text.split('\n');
  const step = size * 1.2;
  c.font = `700 ${size}px ${FONT}`;
  const width = Math.max(...lines.map((line) => c.measureText(line).width)) + size;
  c.beginPath();
  c.roundRect(at.x - width / 2, at.y - size * 0.8, width, size * 1.6 + step * (lines.length - 1), size * 0.5);
  c.fillStyle = '#fbf8ee';
  c.fill();
  c.lineWidth = edge === '#201f1b' ? 1.2 : 2.4;
  c.strokeStyle = edge;
  c.stroke();
  c.fillStyle = '#201f1b';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  lines.forEach((line, i) => c.fillText(line, at.x, at.y + size * 0.06 + step * i));
}

/** The same points with the line's ends drawn in, so that counters there do not hide them. */
export function drawnIn(points: Point[], start: number, end: number): Point[] {
  const toward = (from: Point | undefined, to: Point | undefined, by: number): Point | undefined => {
    if (!from || !to) return from;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const part = Math.min(by, length * 0.4) / length;
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  };
  if (points.length < 2) return points;
  const [first, last] = [toward(points[0], points[1], start)!, toward(points.at(-1), points.at(-2), end)!];
  return [first, ...points.slice(1, -1), last];
}

/** One line through points on the screen; `u` is the pitch of the cells in pixels. */
export function drawLine(c: C, line: OverlayLine, all: Point[], u: number): void {
  const points = line.over ? drawnIn(all, u * 0.3, u * 0.5) : all;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return;
  const look = line.tone && line.tone !== 'plain' ? TONES[line.tone] : { colour: line.colour, dash: null };
  const free = line.free ?? 1;
  if (free < 1 && points.length === 2) {
    const cut = { x: first.x + (last.x - first.x) * free, y: first.y + (last.y - first.y) * free };
    stroke(c, [cut, last], u, TONES.bad.colour, TONES.bad.dash);
    stroke(c, [first, cut], u, look.colour, look.dash);
    stop(c, cut, u, TONES.bad.colour);
  } else if (line.faint) {
    c.save();
    c.globalAlpha = 0.45;
    c.lineCap = 'round';
    trace(c, points);
    c.lineWidth = Math.max(1.2, u * 0.035);
    c.strokeStyle = look.colour;
    c.stroke();
    c.restore();
  } else stroke(c, points, u, look.colour, look.dash);
  if (line.arrow) arrowHead(c, points.at(-2)!, last, u, look.colour);
  if (line.text) plaque(c, { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 }, line.text, u);
}
