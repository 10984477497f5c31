// Pre-rendered counters: one bitmap per look and pixel size, so that a frame only copies pictures.

import type { Piece } from '../protocol';
import { detail, drawCounter, FACING_SIZE } from './counter';
import { rimmed } from './palette';
import { wording } from './wording';

/** Margin around the counter for tabs, wedges and its shadow, as a part of its size. */
export const MARGIN = 0.16;

type Sprite = HTMLCanvasElement | OffscreenCanvas;

interface Sheet {
  size: number;
  sprites: Map<string, Sprite>;
}

export class SpriteCache {
  /** Sizes in use, the most recent last. */
  private sheets: Sheet[] = [];
  private readonly keys = new WeakMap<Piece, string>();

  /** What makes two counters look the same. */
  key(piece: Piece): string {
    let key = this.keys.get(piece);
    if (key === undefined) {
      key = JSON.stringify([piece.face, wording.title(piece.face.title), piece.states ?? [], piece.facing, rimmed(piece.seat)]);
      this.keys.set(piece, key);
    }
    return key;
  }

  /** Drop every sprite, for example when fonts have loaded. */
  clear(): void {
    this.sheets = [];
  }

  /** The picture of a counter at this size in device pixels. With `draw` false a missing one is replaced by
   * another size of the same counter, or by nothing. */
  get(piece: Piece, size: number, draw: boolean): Sprite | undefined {
    const key = this.key(piece);
    let sheet = this.sheets.find((s) => s.size === size);
    const known = sheet?.sprites.get(key);
    if (known) return known;
    if (!draw) {
      for (let i = this.sheets.length - 1; i >= 0; i--) {
        const other = this.sheets[i]!.sprites.get(key);
        if (other) return other;
      }
    }
    if (!sheet) {
      sheet = { size, sprites: new Map() };
      this.sheets.push(sheet);
      if (this.sheets.length > 6) this.sheets.shift();
    }
    const sprite = renderCounter(piece, size);
    sheet.sprites.set(key, sprite);
    return sprite;
  }

  /** Does a sprite of exactly this size exist? */
  has(piece: Piece, size: number): boolean {
    return this.sheets.some((s) => s.size === size && s.sprites.has(this.key(piece)));
  }
}

/** What a counter's picture is made of. */
export type Pictured = Pick<Piece, 'face' | 'states' | 'facing'> & Partial<Pick<Piece, 'seat'>>;

/** A counter of `size` device pixels with its margin, on its own canvas. */
export function renderCounter(piece: Pictured, size: number): Sprite {
  const margin = Math.ceil(size * MARGIN);
  const full = size + 2 * margin;
  const canvas =
    typeof OffscreenCanvas === 'undefined'
      ? Object.assign(document.createElement('canvas'), { width: full, height: full })
      : new OffscreenCanvas(full, full);
  const c = canvas.getContext('2d') as CanvasRenderingContext2D;
  // A soft shadow below, drawn once into the sprite.
  c.save();
  c.shadowColor = 'rgba(30,26,16,.5)';
  c.shadowBlur = size * 0.09;
  c.shadowOffsetX = size * 0.02;
  c.shadowOffsetY = size * 0.035;
  c.fillStyle = '#333';
  const turned = piece.facing !== undefined && piece.facing !== null;
  const half = (size / 2 - 1) * (turned ? FACING_SIZE : 1);
  c.translate(full / 2, full / 2);
  c.rotate(((piece.facing ?? 0) * Math.PI) / 180);
  c.beginPath();
  c.roundRect(-half, -half, 2 * half, 2 * half, size * 0.08);
  c.fill();
  c.restore();
  c.translate(margin, margin);
  c.scale(size / 100, size / 100);
  drawCounter(c, { face: piece.face, states: piece.states ?? [], facing: piece.facing, rim: rimmed(piece.seat) }, detail(size));
  return canvas;
}
