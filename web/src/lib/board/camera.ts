// Which part of the board is visible: pixels per board unit, and the board point at the middle of the window.

import type { Point } from './geometry';

export interface Size {
  width: number;
  height: number;
}

export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export class Camera {
  x = 0;
  y = 0;
  scale = 1;
  window: Size = { width: 1, height: 1 };
  /** Width taken by panels: the board is centred in what they leave free. */
  insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  /** Height temporarily covered at the top; what is under it counts as hidden. */
  cover = 0;
  /** Height covered by the buttons at the foot; likewise. */
  foot = 0;

  constructor(
    readonly board: Size,
    /** Distance between neighbouring cells, in board units. */
    readonly pitch: number,
  ) {
    this.x = board.width / 2;
    this.y = board.height / 2;
  }

  private get free(): { x: number; y: number; width: number; height: number } {
    const { top, right, bottom, left } = this.insets;
    const width = Math.max(50, this.window.width - left - right);
    const height = Math.max(50, this.window.height - top - bottom);
    return { x: left + width / 2, y: top + height / 2, width, height };
  }

  get minScale(): number {
    const { width, height } = this.free;
    return Math.min(width / this.board.width, height / this.board.height) * 0.92;
  }

  /** Largest zoom: a cell 190 pixels wide, at which every figure is legible. */
  get maxScale(): number {
    return Math.max(190 / this.pitch, this.minScale);
  }

  toScreen(p: Point): Point {
    const f = this.free;
    return { x: (p.x - this.x) * this.scale + f.x, y: (p.y - this.y) * this.scale + f.y };
  }

  toBoard(p: Point): Point {
    const f = this.free;
    return { x: (p.x - f.x) / this.scale + this.x, y: (p.y - f.y) / this.scale + this.y };
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.clamp();
  }

  /** Zoom around the screen point `at`. */
  zoom(factor: number, at: Point): void {
    const before = this.toBoard(at);
    this.scale = Math.min(this.maxScale, Math.max(this.minScale, this.scale * factor));
    const after = this.toBoard(at);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.clamp();
  }

  fit(): void {
    this.scale = this.minScale;
    this.x = this.board.width / 2;
    this.y = this.board.height / 2;
  }

  /** Show these points with a margin: a cell no wider than `cell` pixels and, even if that cuts some off, no
   * narrower than `least`. */
  frame(points: Point[], cell = 72, least = 0): void {
    if (points.length === 0) return this.fit();
    const xs = points.map((p) => p.x);
    const ys = points.map((p) => p.y);
    const margin = this.pitch * 2.5;
    const width = Math.max(...xs) - Math.min(...xs) + 2 * margin;
    const height = Math.max(...ys) - Math.min(...ys) + 2 * margin;
    const f = this.free;
    const wanted = Math.max(Math.min(f.width / width, f.height / height, cell / this.pitch), least / this.pitch);
    this.scale = Math.min(this.maxScale, Math.max(this.minScale, wanted));
    this.x = (Math.max(...xs) + Math.min(...xs)) / 2;
    this.y = (Math.max(...ys) + Math.min(...ys)) / 2;
    this.clamp();
  }

  /** Is a board point comfortably in sight? */
  sees(p: Point, margin = 60): boolean {
    const s = this.toScreen(p);
    const { top, right, bottom, left } = this.insets;
    return (
      s.x > left + margin &&
      s.y > top + this.cover + margin &&
      s.x < this.window.width - right - margin &&
      s.y < this.window.height - Math.max(bottom, this.foot) - margin
    );
  }

  /** Scroll until a point is above the covered foot; false if it is already. */
  raise(p: Point): boolean {
    const hidden = this.toScreen(p).y + 40 - (this.window.height - this.foot);
    if (this.foot === 0 || hidden <= 0) return false;
    this.y += hidden / this.scale;
    this.clamp();
    return true;
  }

  /** Keep the board in the window. */
  clamp(): void {
    const f = this.free;
    const slackX = Math.max(0, this.board.width / 2 - f.width / 2 / this.scale) + this.pitch;
    const slackY = Math.max(0, this.board.height / 2 - f.height / 2 / this.scale) + this.pitch;
    const cx = this.board.width / 2;
    const cy = this.board.height / 2;
    this.x = Math.min(cx + slackX, Math.max(cx - slackX, this.x));
    const raised = Math.max(0, this.foot - this.insets.bottom) / this.scale;
    const lowered = this.cover / this.scale;
    this.y = Math.min(cy + slackY + raised, Math.max(cy - slackY - lowered, this.y));
  }
}
