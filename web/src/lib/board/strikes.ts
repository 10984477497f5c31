// Attacks and shots over the map: broad arrows of attackers, dashed ones of supporting guns, tracers; and the trails that
// moves leave.

import type { Point } from './geometry';
import { arrowHead, drawnIn } from './lines';
import type { Strike } from './scene';

type C = CanvasRenderingContext2D;

const FLIGHT = 320;

/** Draw one strike; true while it is still animated. */
export function drawStrike(c: C, strike: Strike, from: Point, to: Point, u: number, colour: string, now: number, calm: boolean): boolean {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const part = calm ? 1 : Math.min(1, Math.max(0, (now - strike.start) / FLIGHT));
  // From the edge of the attacker's counter to just before the target's.
  const near = Math.min(u * 0.3, length / 3);
  const a = { x: from.x + (dx / length) * near, y: from.y + (dy / length) * near };
  const reach = length - near - u * (strike.missed ? -0.1 : 0.34);
  const end = { x: a.x + (dx / length) * reach * part, y: a.y + (dy / length) * reach * part };
  c.save();
  c.lineCap = 'round';
  if (strike.kind === 'shot') {
    for (const [width, paint] of [
      [Math.max(5, u * 0.1), 'rgba(255,255,255,.8)'],
      [Math.max(2, u * 0.045), strike.missed ? '#6b675c' : '#d2341f'],
    ] as const) {
      c.beginPath();
      c.moveTo(a.x, a.y);
      c.lineTo(end.x, end.y);
      c.lineWidth = width;
      c.strokeStyle = paint;
      if (strike.missed && paint !== 'rgba(255,255,255,.8)') c.setLineDash([u * 0.12, u * 0.1]);
      c.stroke();
    }
    c.setLineDash([]);
    if (part < 1) {
      c.beginPath();
      c.arc(end.x, end.y, Math.max(3, u * 0.07), 0, 7);
      c.fillStyle = '#ffd94a';
      c.fill();
    } else arrowHead(c, a, end, u * 0.8, strike.missed ? '#6b675c' : '#d2341f');
  } else {
    const wide = strike.kind === 'attack' ? u * 0.15 : u * 0.07;
    for (const [width, paint] of [
      [wide + Math.max(3, u * 0.06), 'rgba(255,255,255,.9)'],
      [wide, colour],
    ] as const) {
      c.beginPath();
      c.moveTo(a.x, a.y);
      c.lineTo(end.x, end.y);
      c.lineWidth = width;
      c.strokeStyle = paint;
      if (strike.kind === 'support' && paint === colour) c.setLineDash([u * 0.16, u * 0.14]);
      c.stroke();
    }
    c.setLineDash([]);
    arrowHead(c, a, end, strike.kind === 'attack' ? u * 1.5 : u, colour);
  }
  c.restore();
  return part < 1;
}

/** The path of a counter: a thin line with a dot at its start and an arrowhead at its end. */
export function drawTrail(c: C, path: Point[], u: number, colour: string, broken: boolean, strength = 1): void {
  // The head lies before the counter that it leads to.
  const points = drawnIn(path, 0, u * 0.46);
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return;
  c.save();
  c.lineCap = c.lineJoin = 'round';
  for (const [width, paint, alpha] of [
    [Math.max(3.5, u * 0.085), '#fff', 0.75],
    [Math.max(1.75, u * 0.045), colour, 0.9],
  ] as const) {
    c.globalAlpha = alpha * strength;
    c.beginPath();
    points.forEach((p, i) => (i ? c.lineTo(p.x, p.y) : c.moveTo(p.x, p.y)));
    c.lineWidth = width;
    c.strokeStyle = paint;
    if (broken && paint === colour) c.setLineDash([u * 0.09, u * 0.09]);
    c.stroke();
  }
  c.setLineDash([]);
  c.globalAlpha = strength;
  c.beginPath();
  c.arc(first.x, first.y, Math.max(2.5, u * 0.055), 0, 7);
  c.fillStyle = colour;
  c.fill();
  arrowHead(c, points[points.length - 2]!, last, u * 0.75, colour);
  c.restore();
}
