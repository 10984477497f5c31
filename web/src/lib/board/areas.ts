// Areas that overlays paint over the map: a tint, a hatch so that they differ without colour, and a border around the whole area.

import type { Camera } from './camera';
import type { Geometry, Point } from './geometry';
import type { Overlay } from './scene';

type C = CanvasRenderingContext2D;
type Hatch = 'lines' | 'back' | 'dots';

const TILE = 16;

/** An area of more cells than this is hatched lightly: the map below it stays legible. */
const WIDE = 250;

/** The border as pairs of end points in board units, and whether the area covers much of the map. */
interface Outline {
  border: [Point, Point][];
  wide: boolean;
}

export class Areas {
  private readonly hatches = new Map<string, CanvasPattern>();
  /** By the overlay's own list of cells, which is replaced when it changes. */
  private readonly outlines = new WeakMap<Iterable<string>, Outline>();

  constructor(
    private readonly geometry: Geometry,
    private readonly camera: Camera,
  ) {}

  /** Paint an area; the current path holds its visible cells, `u` is the pitch in pixels. */
  draw(c: C, { cells, colour, pattern }: Overlay, u: number): void {
    const { border, wide } = this.outline(cells);
    c.save();
    c.fillStyle = colour;
    c.globalAlpha = pattern === 'fill' ? 0.26 : wide ? 0.06 : 0.1;
    c.fill();
    if (pattern !== 'fill') {
      c.globalAlpha = wide ? 0.26 : 0.55;
      c.fillStyle = this.hatch(c, pattern, colour);
      c.fill();
    }
    c.beginPath();
    for (const ends of border) {
      const [a, b] = ends.map((end) => this.camera.toScreen(end)) as [Point, Point];
      c.moveTo(a.x, a.y);
      c.lineTo(b.x, b.y);
    }
    c.lineCap = 'round';
    for (const [stroke, width, alpha] of [['#fffdf4', 0.1, 0.55], [colour, 0.055, 0.9]] as const) {
      c.globalAlpha = alpha;
      c.strokeStyle = stroke;
      c.lineWidth = Math.max(1.2, u * width);
      c.stroke();
    }
    c.restore();
  }

  /** The hexsides between the area and the rest of the map. */
  private outline(cells: Iterable<string>): Outline {
    const known = this.outlines.get(cells);
    if (known) return known;
    const inside = new Set(cells);
    const border: Outline['border'] = [];
    for (const id of inside) {
      for (const { id: other } of this.geometry.neighbours(id)) {
        const edge = inside.has(other) ? undefined : this.geometry.edge(`${id}/${other}`);
        if (edge) border.push([{ x: edge.x - edge.dx, y: edge.y - edge.dy }, { x: edge.x + edge.dx, y: edge.y + edge.dy }]);
      }
    }
    const out = { border, wide: inside.size > WIDE };
    this.outlines.set(cells, out);
    return out;
  }

  private hatch(c: C, kind: Hatch, colour: string): CanvasPattern | string {
    const key = kind + colour;
    const known = this.hatches.get(key);
    if (known) return known;
    const tile = new OffscreenCanvas(TILE, TILE);
    const t = tile.getContext('2d')!;
    t.strokeStyle = t.fillStyle = colour;
    if (kind === 'dots') {
      for (const at of [4, 12]) {
        t.beginPath();
        t.arc(at, at, 1.8, 0, 7);
        t.fill();
      }
    } else {
      t.lineWidth = 1.8;
      const rising = kind === 'lines';
      for (const o of [-TILE, 0, TILE]) {
        t.beginPath();
        t.moveTo(o - 2, rising ? TILE + 2 : -2);
        t.lineTo(o + TILE + 2, rising ? -2 : TILE + 2);
        t.stroke();
      }
    }
    const pattern = c.createPattern(tile, 'repeat');
    if (!pattern) return colour;
    this.hatches.set(key, pattern);
    return pattern;
  }
}
