// Where things are on the playing surface: cells by name, the cell under a point, neighbours, hexsides.
// Knows points and outlines, no rules and no numbering scheme.

import type { Board, Cell } from '../protocol';

/** Is this place a hexside? */
export const isEdge = (place: string): boolean => place.includes('/');

/** The cells of a place: both of a hexside, named `A/B`, else the place itself. */
export const cellsOf = (place: string): string[] => place.split('/');

export interface Point {
  x: number;
  y: number;
}

/** A hexside (or any border between two cells) as a point and the direction along it. */
export interface Edge extends Point {
  /** Half the border, from its middle to one end. */
  dx: number;
  dy: number;
}

export class Geometry {
  readonly width: number;
  readonly height: number;
  readonly outline: [number, number][];
  readonly cells: Cell[];
  /** Distance between the centres of two neighbours. */
  readonly pitch: number;
  /** From the centre to the farthest corner. */
  readonly radius: number;
  /** Hexes with flat tops have a corner to the east; those with pointed tops have one to the north. */
  readonly flat: boolean;
  private readonly byId = new Map<string, number>();
  private readonly boxes = new Map<string, Point>();
  private readonly grid = new Map<number, number[]>();
  private readonly columns: number;
  private neighbourCache = new Map<string, Cell[]>();

  constructor(board: Board) {
    this.width = board.width;
    this.height = board.height;
    this.outline = board.outline;
    this.cells = board.cells;
    this.radius = Math.max(1e-6, ...board.outline.map(([x, y]) => Math.hypot(x, y)));
    this.pitch = 2 * inradius(board.outline);
    this.flat = board.outline.some(([x, y]) => Math.abs(y) < this.radius * 0.05 && x > 0);
    this.columns = Math.ceil(this.width / this.pitch) + 2;
    board.cells.forEach((cell, i) => {
      this.byId.set(cell.id, i);
      const bucket = this.bucket(cell.x, cell.y);
      const list = this.grid.get(bucket);
      if (list) list.push(i);
      else this.grid.set(bucket, [i]);
    });
    for (const box of board.boxes) if (box.at) this.boxes.set(box.id, { x: box.at[0], y: box.at[1] });
  }

  cell(id: string): Cell | undefined {
    const i = this.byId.get(id);
    return i === undefined ? undefined : this.cells[i];
  }

  /** A cell's centre, or the place of a box drawn on the map. */
  at(id: string): Point | undefined {
    return this.cell(id) ?? this.boxes.get(id);
  }

  /** The cell whose centre is nearest, if the point is inside a cell's reach. */
  pick(x: number, y: number): Cell | undefined {
    let best: Cell | undefined;
    let bestDistance = this.radius * this.radius;
    const column = Math.floor(x / this.pitch);
    const row = Math.floor(y / this.pitch);
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        for (const i of this.grid.get((row + dy) * this.columns + column + dx) ?? []) {
          const cell = this.cells[i]!;
          const d = (cell.x - x) ** 2 + (cell.y - y) ** 2;
          if (d < bestDistance) {
            bestDistance = d;
            best = cell;
          }
        }
      }
    }
    return best;
  }

  neighbours(id: string): Cell[] {
    const known = this.neighbourCache.get(id);
    if (known) return known;
    const here = this.cell(id);
    const found: Cell[] = [];
    if (here) {
      const column = Math.floor(here.x / this.pitch);
      const row = Math.floor(here.y / this.pitch);
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          for (const i of this.grid.get((row + dy) * this.columns + column + dx) ?? []) {
            const cell = this.cells[i]!;
            const d = Math.hypot(cell.x - here.x, cell.y - here.y);
            if (d > 0 && d < this.pitch * 1.25) found.push(cell);
          }
        }
      }
    }
    this.neighbourCache.set(id, found);
    return found;
  }

  /** The neighbour that lies most nearly in a direction (screen axes), for arrow keys. */
  step(id: string, dx: number, dy: number): Cell | undefined {
    const here = this.cell(id);
    if (!here) return undefined;
    let best: Cell | undefined;
    let bestDot = 0.3;
    for (const cell of this.neighbours(id)) {
      const d = Math.hypot(cell.x - here.x, cell.y - here.y);
      const dot = ((cell.x - here.x) * dx + (cell.y - here.y) * dy) / d;
      if (dot > bestDot + 1e-6) {
        bestDot = dot;
        best = cell;
      }
    }
    return best;
  }

  /**
   * The next cell of an arrow key. Across the grid's grain (left and right on flat tops, up and down on pointed ones) the
   * way zigzags: `side`, 1 or -1 in turn, says to which side, so that a row of staggered hexes is walked straight.
   */
  walk(id: string, dx: number, dy: number, side: number): Cell | undefined {
    const across = this.flat ? dx !== 0 : dy !== 0;
    if (!across) return this.step(id, dx, dy);
    const tilt = 0.28 * side;
    return (this.flat ? this.step(id, dx * 0.96, -tilt) : this.step(id, tilt, dy * 0.96)) ?? this.step(id, dx, dy);
  }

  /** The border between two cells, named `A/B`. */
  edge(name: string): Edge | undefined {
    const [a, b] = cellsOf(name).map((id) => this.cell(id));
    if (!a || !b) return undefined;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (length === 0) return undefined;
    const half = this.pitch / Math.sqrt(3) / 2;
    return {
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2,
      dx: (-(b.y - a.y) / length) * half,
      dy: ((b.x - a.x) / length) * half,
    };
  }

  /** The place a label names: a cell, a box on the map, or the middle of a hexside. */
  locate(name: string): Point | undefined {
    return isEdge(name) ? this.edge(name) : this.at(name);
  }

  private bucket(x: number, y: number): number {
    return Math.floor(y / this.pitch) * this.columns + Math.floor(x / this.pitch);
  }
}

/** From the centre of an outline to its nearest side. */
export function inradius(outline: [number, number][]): number {
  let best = Infinity;
  for (let i = 0; i < outline.length; i++) {
    const [x1, y1] = outline[i]!;
    const [x2, y2] = outline[(i + 1) % outline.length]!;
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length > 0) best = Math.min(best, Math.abs(x1 * y2 - x2 * y1) / length);
  }
  return Number.isFinite(best) && best > 0 ? best : 1;
}
