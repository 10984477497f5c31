// One counter, drawn in a square of 100 units. Detail depends on how large it will be seen:
// far = colour and symbol, middle = plus figures, near = everything.

import type { Badge, Face } from '../protocol';
import { bar, DARK_INK, ground, ink, RIM, shade } from './palette';
import { silhouette } from './silhouettes';
import { drawStates } from './states';
import { framed, symbol } from './symbols';
import { wording } from './wording';

export type Detail = 'far' | 'middle' | 'near';

/** The level of detail for a counter of this many pixels. */
export function detail(pixels: number): Detail {
  return pixels < 26 ? 'far' : pixels < 52 ? 'middle' : 'near';
}

/** Fronts are marked in one colour on every ground. */
const FRONT = '#f0c23a';

const SANS = '"Source Sans 3 Variable", "Source Sans 3", "Noto Sans", sans-serif';

export interface Look {
  face: Face;
  states: readonly string[];
  /** Degrees clockwise from north, for games where facing matters. */
  facing?: number | null | undefined;
  /** The pale rim of every second side. */
  rim?: boolean;
}

/** Counters with a facing are rotated; this factor makes room for their corners. */
export const FACING_SIZE = 0.84;

export function drawCounter(c: CanvasRenderingContext2D, look: Look, level: Detail): void {
  const { states, face } = look;
  if (look.facing !== undefined && look.facing !== null) {
    drawTurned(c, look, look.facing, level);
    drawStates(c, states, level);
    return;
  }
  const colours = ground(face.ground);
  const text = ink(colours.fill);
  plate(c, colours.fill, level);
  c.save();
  c.beginPath();
  c.roundRect(1, 1, 98, 98, 8);
  c.clip();
  if (face.ground === 'hidden') hatch(c, colours.box);
  if (face.reduced) stepStripe(c, text);
  if (face.bar) corpsBar(c, bar(face.bar), level);
  c.restore();
  edge(c, colours.fill);
  c.save();
  if (look.rim) {
    rim(c, 1, 98, level);
    // Keep the contents clear of the rim.
    c.translate(3, 3);
    c.scale(0.94, 0.94);
  }
  if (level === 'far') {
    unitType(c, face, colours.box, text, 50, 54, 27, 5.5);
  } else {
    const middle = level === 'middle';
    unitType(c, face, colours.box, text, 50, middle ? 38 : 44.5, middle ? 18 : 15, middle ? 4.4 : 3.2);
    figures(c, face, text, middle);
    if (!middle) fineprint(c, face, text, face.bar ? ink(bar(face.bar)) : text);
    edgeBadges(c, face.badges ?? [], text, colours.fill, middle);
  }
  c.restore();
  drawStates(c, states, level);
}

function plate(c: CanvasRenderingContext2D, fill: string, level: Detail): void {
  c.beginPath();
  c.roundRect(1, 1, 98, 98, 8);
  if (level === 'far') {
    c.fillStyle = fill;
  } else {
    const g = c.createLinearGradient(0, 0, 0, 100);
    g.addColorStop(0, shade(fill, 0.09));
    g.addColorStop(0.5, fill);
    g.addColorStop(1, shade(fill, -0.1));
    c.fillStyle = g;
  }
  c.fill();
}

function edge(c: CanvasRenderingContext2D, fill: string): void {
  c.beginPath();
  c.roundRect(1.2, 1.2, 97.6, 97.6, 8);
  c.lineWidth = 2.4;
  c.strokeStyle = shade(fill, -0.55);
  c.stroke();
  c.beginPath();
  c.moveTo(8, 3.6);
  c.lineTo(92, 3.6);
  c.lineWidth = 1.2;
  c.strokeStyle = 'rgba(255,255,255,.28)';
  c.stroke();
}

/** The pale rim of the second side, inside a plate that begins at `from` and is `size` wide. */
function rim(c: CanvasRenderingContext2D, from: number, size: number, level: Detail): void {
  const width = level === 'far' ? 7 : level === 'middle' ? 4.5 : 3;
  const inset = 1.4 + width / 2;
  c.beginPath();
  c.roundRect(from + inset, from + inset, size - 2 * inset, size - 2 * inset, 6);
  c.lineWidth = width;
  c.strokeStyle = RIM;
  c.stroke();
}

/** The army or corps colour across the top. */
function corpsBar(c: CanvasRenderingContext2D, colour: string, level: Detail): void {
  const height = level === 'near' ? 19 : level === 'middle' ? 13 : 17;
  c.fillStyle = colour;
  c.fillRect(0, 0, 100, height);
  c.fillStyle = 'rgba(0,0,0,.35)';
  c.fillRect(0, height, 100, 1.2);
}

/** A reduced unit shows a pale stripe behind its figures. */
function stepStripe(c: CanvasRenderingContext2D, text: string): void {
  c.fillStyle = text === DARK_INK ? 'rgba(0,0,0,.16)' : 'rgba(255,255,255,.2)';
  c.beginPath();
  c.moveTo(0, 100);
  c.lineTo(0, 74);
  c.lineTo(74, 0);
  c.lineTo(100, 0);
  c.lineTo(100, 26);
  c.lineTo(26, 100);
  c.fill();
}

function hatch(c: CanvasRenderingContext2D, colour: string): void {
  c.strokeStyle = colour;
  c.globalAlpha = 0.25;
  c.lineWidth = 3;
  c.beginPath();
  for (let i = -100; i < 100; i += 14) {
    c.moveTo(i, 0);
    c.lineTo(i + 100, 100);
  }
  c.stroke();
  c.globalAlpha = 1;
}

/** A counter with a facing: the plate is rotated and its front edge marked; the text stays upright. */
function drawTurned(c: CanvasRenderingContext2D, { face, rim: rimmed }: Look, facing: number, level: Detail): void {
  const colours = ground(face.ground);
  const text = ink(colours.fill);
  const r = 50 * FACING_SIZE;
  c.save();
  c.translate(50, 50);
  c.rotate((facing * Math.PI) / 180);
  // The wedge points where the front is.
  c.beginPath();
  c.moveTo(-17, -r + 2);
  c.lineTo(0, -r - 13);
  c.lineTo(17, -r + 2);
  c.closePath();
  c.fillStyle = FRONT;
  c.fill();
  c.lineWidth = 2.4;
  c.lineJoin = 'round';
  c.strokeStyle = '#1d1c19';
  c.stroke();
  c.beginPath();
  c.roundRect(-r, -r, 2 * r, 2 * r, 7);
  c.fillStyle = colours.fill;
  c.fill();
  c.save();
  c.clip();
  if (face.ground === 'hidden') {
    c.translate(-50, -50);
    hatch(c, colours.box);
    c.translate(50, 50);
  }
  if (face.reduced) {
    c.fillStyle = text === DARK_INK ? 'rgba(0,0,0,.16)' : 'rgba(255,255,255,.2)';
    c.fillRect(-r, -8, 2 * r, 16);
  }
  // The front edge, and the corps colour at the rear.
  c.fillStyle = FRONT;
  c.fillRect(-r, -r, 2 * r, 7);
  if (face.bar) {
    c.fillStyle = bar(face.bar);
    c.fillRect(-r, r - 8, 2 * r, 8);
  }
  c.restore();
  c.beginPath();
  c.roundRect(-r, -r, 2 * r, 2 * r, 7);
  c.lineWidth = 2.4;
  c.strokeStyle = shade(colours.fill, -0.55);
  c.stroke();
  if (rimmed) rim(c, -r, 2 * r, level);
  c.restore();
  // A vehicle in profile looks to the side it faces.
  const left = facing % 360 > 180;
  c.save();
  if (left && face.symbol.startsWith('silhouette')) {
    c.translate(100, 0);
    c.scale(-1, 1);
  }
  unitType(c, face, colours.box, text, 50, level === 'far' ? 51 : 47.5, level === 'far' ? 23 : 15.5, level === 'far' ? 5 : 3.6);
  c.restore();
  if (level === 'far') return;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillStyle = text;
  c.font = `700 ${level === 'near' ? 12.5 : 15}px ${SANS}`;
  const name = [wording.title(face.title), face.left, face.right].filter(Boolean).join(' ');
  if (level === 'near') c.fillText(name, 50, 25.5, 62);
  const figures = face.factors.join(' ');
  if (figures) {
    c.font = figureFont(level === 'near' ? 15 : 19);
    c.fillText(figures, 50, 77, 56);
  }
  // Troop quality, small beside the figures.
  const grade = face.badges?.find((b) => b.kind === 'grade');
  if (grade) {
    c.font = `800 ${level === 'near' ? 11 : 14}px ${SANS}`;
    c.beginPath();
    c.arc(77, 63, level === 'near' ? 7 : 8.5, 0, 7);
    c.lineWidth = 1.4;
    c.strokeStyle = text;
    c.stroke();
    c.fillText(grade.text, 77, 63.5);
  }
}

/** The unit-type box (or silhouette) and, with a size mark, its size above. `u` is half the box's height. */
function unitType(
  c: CanvasRenderingContext2D,
  face: Face,
  box: string,
  text: string,
  x: number,
  y: number,
  u: number,
  weight: number,
): void {
  c.save();
  c.translate(x, y);
  if (face.symbol.startsWith('silhouette')) {
    c.scale(u * 1.42, u * 1.42);
    c.translate(0, 0.06);
    c.fillStyle = text;
    // The kind of vehicle, and its name if that says more.
    silhouette(c, `${face.symbol.slice('silhouette:'.length)} ${face.title}`.trim() || 'tank', ground(face.ground).fill);
  } else {
    c.scale(u, u);
    c.lineWidth = weight / u;
    c.lineJoin = 'round';
    framed(c, box, '#1d1c19', () => {
      const draw = symbol(face.symbol);
      if (draw) draw(c);
      else if (face.symbol) fallback(c, face.symbol);
    });
  }
  c.restore();
}

/** A type without a drawing is written out. */
function fallback(c: CanvasRenderingContext2D, name: string): void {
  c.font = `700 1.1px ${SANS}`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(name.replace(/_/g, ' ').slice(0, 4).toUpperCase(), 0, 0.06, 2.8);
}

/** The figures at the bottom; the second of three stands in its morale box. */
function figures(c: CanvasRenderingContext2D, face: Face, text: string, middle: boolean): void {
  if (face.factors.length === 0) return;
  const morale = face.badges?.find((b) => b.kind === 'morale');
  const y = middle ? 78 : 80;
  const boxed = face.factors.length > 1 ? 1 : 0;
  let size = middle ? 37 : 33;
  c.font = figureFont(size);
  const dash = 0.34;
  const measure = (): number =>
    face.factors.reduce((sum, f) => sum + c.measureText(f).width, 0) +
    (face.factors.length - 1) * size * dash +
    (morale && moraleColours(morale) ? size * 0.16 : 0);
  while (measure() > 92 && size > 16) {
    size -= 1.5;
    c.font = figureFont(size);
  }
  let x = 50 - measure() / 2;
  c.textAlign = 'left';
  c.textBaseline = 'alphabetic';
  const baseline = y + size * 0.34;
  face.factors.forEach((factor, i) => {
    const width = c.measureText(factor).width;
    const colours = i === boxed && morale ? moraleColours(morale) : undefined;
    if (colours) {
      const pad = size * 0.08;
      c.fillStyle = colours.fill;
      c.beginPath();
      c.roundRect(x, y - size * 0.42, width + 2 * pad, size * 0.84, 2.5);
      c.fill();
      c.lineWidth = 1.4;
      c.strokeStyle = colours.line;
      c.stroke();
      c.fillStyle = colours.text;
      c.fillText(factor, x + pad, baseline);
      x += width + 2 * pad;
    } else {
      c.fillStyle = text;
      c.fillText(factor, x, baseline);
      x += width;
    }
    if (i < face.factors.length - 1) {
      c.fillStyle = text;
      c.fillRect(x + size * 0.07, y - size * 0.045, size * 0.2, size * 0.09);
      x += size * dash;
    }
  });
}

function figureFont(size: number): string {
  return `800 ${size}px ${SANS}`;
}

function moraleColours(badge: Badge): { fill: string; line: string; text: string } | undefined {
  const tone = badge.tone || badge.text;
  if (tone === 'red' || tone === 'elite') return { fill: '#b3261e', line: '#fff3', text: '#ffffff' };
  if (tone === 'white' || tone === 'green') return { fill: '#fdfdf8', line: '#0005', text: DARK_INK };
  return undefined;
}

/** Division in the bar, size mark, regiment left and battalion right of the box. */
function fineprint(c: CanvasRenderingContext2D, face: Face, text: string, barText: string): void {
  c.textBaseline = 'middle';
  // A long number does not fit beside the box: then the whole designation goes into the bar.
  const long = face.left.length > 4 || face.right.length > 3;
  const words = wording.title(face.title);
  const title = long ? [words, face.left, face.right].filter(Boolean).join('/') : words;
  if (title) {
    c.textAlign = 'center';
    c.fillStyle = barText;
    c.font = `700 14.5px ${SANS}`;
    c.fillText(title, 50, 11, 90);
  }
  c.fillStyle = text;
  if (face.size) {
    c.textAlign = 'center';
    c.font = `800 10.5px ${SANS}`;
    c.fillText(face.size, 50, 25.2);
  }
  c.font = `600 12px ${SANS}`;
  const silhouetted = face.symbol.startsWith('silhouette');
  const room = silhouetted ? 24 : 22;
  const y = silhouetted ? 31 : 37;
  if (face.left && !long) {
    c.textAlign = 'left';
    c.fillText(face.left, 4.5, y, room);
  }
  if (face.right && !long) {
    c.textAlign = 'right';
    c.fillText(face.right, 95.5, y, room);
  }
}

/** Stacking box (left), tank quality circle and artillery range box (right). */
function edgeBadges(c: CanvasRenderingContext2D, badges: Badge[], text: string, fill: string, middle: boolean): void {
  let left = 0;
  let right = 0;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (const badge of badges) {
    if (badge.kind === 'morale' || !badge.text) continue;
    const red = badge.tone === 'red';
    const onRight = badge.kind === 'tq' || badge.kind === 'range';
    if (middle && badge.kind !== 'tq') continue;
    const slot = onRight ? right++ : left++;
    if (slot > 1) continue;
    const x = onRight ? 86.5 - slot * 20 : 13.5 + slot * 18;
    const y = middle ? 54 : 55;
    const r = middle ? 10.5 : 9;
    c.beginPath();
    if (badge.kind === 'tq') c.arc(x, y, r, 0, 7);
    else c.roundRect(x - r * 0.92, y - r * 0.92, r * 1.84, r * 1.84, 1.6);
    c.lineWidth = 1.5;
    if (badge.kind === 'tq') {
      c.fillStyle = red ? '#b3261e' : '#fdfdf8';
      c.fill();
      c.strokeStyle = 'rgba(0,0,0,.6)';
      c.stroke();
      c.fillStyle = red ? '#fff' : DARK_INK;
    } else if (badge.kind === 'range') {
      c.fillStyle = '#f2d65a';
      c.fill();
      c.strokeStyle = 'rgba(0,0,0,.6)';
      c.stroke();
      c.fillStyle = DARK_INK;
    } else {
      c.fillStyle = fill;
      c.strokeStyle = text;
      c.globalAlpha = 0.85;
      c.stroke();
      c.globalAlpha = 1;
      c.fillStyle = text;
    }
    c.font = `700 ${middle ? 16 : 13.5}px ${SANS}`;
    c.fillText(badge.text, x, y + 0.8, r * 1.9);
  }
}
