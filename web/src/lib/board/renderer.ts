// Draws the scene: the map on one canvas, everything that lies on it on another, so that pointing at a counter
// does not repaint the map.

import { isEdge } from './geometry';
import type { Marker, Piece } from '../protocol';
import { Areas } from './areas';
import type { Camera } from './camera';
import { FACING_SIZE } from './counter';
import type { Geometry, Point } from './geometry';
import { drawLine, plaque } from './lines';
import { isRaised } from './looks';
import { drawCellMarker, drawEdgeMarker, isBelow } from './markers';
import type { Mood } from '../protocol';
import type { OverlayLine, Scene } from './scene';
import { MARGIN, SpriteCache } from './sprites';
import { drawStrike, drawTrail } from './strikes';
import type { TileMap } from './tiles';

type C = CanvasRenderingContext2D;

/** A counter's edge as a part of the distance between cells. */
export const COUNTER = 0.66;
const STACK_SHOWN = 4;
/** An overlay with text in at most this many cells puts it on plates that are legible at every zoom. */
const PLATES = 32;
const FONT = '"Source Sans 3 Variable", sans-serif';

/** So many trails are drawn in full. */
const FRESH = 10;
/** The colour of reach in three steps, by the movement left. */
const REACH = ['rgba(24,104,146,.46)', 'rgba(24,104,146,.31)', 'rgba(24,104,146,.18)'] as const;

/** Is a counter in the air? */
const isFlying = (piece: Piece): boolean => piece.states?.some(isRaised) ?? false;

export interface Stack {
  at: string;
  /** Bottom first. */
  pieces: Piece[];
}

/** The tint over the map, by time of day and weather. The dark theme inverts the lightness of the whole canvas afterwards: there, what is
 * to look lighter is drawn darker. */
function tints(mood: Mood, dark: boolean): [GlobalCompositeOperation, string][] {
  const out: [GlobalCompositeOperation, string][] = [];
  if (mood.ground === 'mud') out.push(['multiply', 'rgb(246,236,217)']);
  if (mood.ground === 'snow') out.push(dark ? ['multiply', 'rgb(204,212,224)'] : ['screen', 'rgba(226,238,250,.34)']);
  if (mood.overcast && !mood.night) out.push(dark ? ['screen', 'rgba(238,238,238,.14)'] : ['multiply', 'rgb(232,233,232)']);
  if (mood.night && dark) out.push(['screen', 'rgba(188,198,246,.52)'], ['multiply', 'rgb(231,236,255)']);
  else if (mood.night) out.push(['multiply', 'rgb(110,118,162)']);
  return out;
}

export class Renderer {
  readonly sprites = new SpriteCache();
  tiles: TileMap | null = null;
  /** Is every map tile in place at its best? */
  mapComplete = false;
  seatColours: string[] = [];
  private stacks = new Map<string, Stack>();
  private stackedFrom: Piece[] | null = null;
  private settledSize = 0;
  private readonly areas: Areas;

  constructor(
    readonly geometry: Geometry,
    readonly camera: Camera,
  ) {
    this.areas = new Areas(geometry, camera);
  }

  /** Pieces on the map by cell. */
  stacksOf(scene: Scene): Map<string, Stack> {
    if (this.stackedFrom !== scene.pieces) {
      this.stackedFrom = scene.pieces;
      this.stacks = new Map();
      for (const piece of scene.pieces) {
        if (!this.geometry.at(piece.at)) continue;
        const stack = this.stacks.get(piece.at);
        if (stack) stack.pieces.push(piece);
        else this.stacks.set(piece.at, { at: piece.at, pieces: [piece] });
      }
      for (const stack of this.stacks.values()) stack.pieces.sort((a, b) => b.layer - a.layer);
    }
    return this.stacks;
  }

  drawMap(c: C, dpr: number, dark: boolean, mood: Mood): void {
    const { camera, geometry } = this;
    const { width, height } = camera.window;
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    // The dark theme inverts the whole canvas.
    c.fillStyle = dark ? '#e4e2dc' : '#d9d2bf';
    c.fillRect(0, 0, width, height);
    const origin = camera.toScreen({ x: 0, y: 0 });
    c.save();
    c.translate(origin.x, origin.y);
    c.scale(camera.scale, camera.scale);
    c.save();
    c.shadowColor = dark ? 'rgba(255,252,245,.9)' : 'rgba(40,34,20,.45)';
    c.shadowBlur = 18 * dpr;
    c.fillStyle = '#ece7d8';
    c.fillRect(0, 0, geometry.width, geometry.height);
    c.restore();
    const topLeft = camera.toBoard({ x: 0, y: 0 });
    const bottomRight = camera.toBoard({ x: width, y: height });
    c.beginPath();
    c.rect(0, 0, geometry.width, geometry.height);
    c.clip();
    if (this.tiles) {
      c.imageSmoothingQuality = 'high';
      this.mapComplete = this.tiles.draw(c, geometry.width, camera.scale * dpr, {
        left: topLeft.x,
        top: topLeft.y,
        right: bottomRight.x,
        bottom: bottomRight.y,
      });
    }
    for (const [operation, colour] of tints(mood, dark)) {
      c.globalCompositeOperation = operation;
      c.fillStyle = colour;
      c.fillRect(0, 0, geometry.width, geometry.height);
    }
    c.restore();
  }

  /** Draw what is on the map; true while something is animated or not yet sharp. */
  drawPieces(c: C, dpr: number, scene: Scene, now: number, settling: boolean): boolean {
    const { camera } = this;
    const { width, height } = camera.window;
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    c.clearRect(0, 0, width, height);
    const u = this.geometry.pitch * camera.scale;
    const stacks = this.stacksOf(scene);
    this.drawOverlays(c, scene, u);
    this.drawReach(c, scene, u);
    for (const marker of scene.markers) if (isBelow(marker)) this.drawMarker(c, marker, u, 0);
    this.drawPlaces(c, scene, u, now);
    scene.trails.forEach((trail, i) => {
      // After many moves the last ones stand out.
      const strength = scene.trails.length - i <= FRESH ? 1 : 0.4;
      drawTrail(c, this.linePoints({ cells: trail.cells, colour: '' }), u, this.seatColours[trail.seat ?? -1] ?? '#5a5344', trail.back, strength);
    });
    let busy = false;
    if (!scene.hideCounters) busy = this.drawStacks(c, dpr, scene, stacks, u, now, settling);
    const slots = new Map<string, number>();
    for (const marker of scene.markers) {
      if (isBelow(marker)) continue;
      const slot = slots.get(marker.at) ?? 0;
      slots.set(marker.at, slot + 1);
      this.drawMarker(c, marker, u, slot);
    }
    this.drawReachLabels(c, scene, u, stacks);
    this.drawPlates(c, scene, u);
    this.drawTargets(c, scene, u);
    this.drawPath(c, scene, u);
    for (const line of scene.lines) if (line.over) drawLine(c, line, this.linePoints(line), u);
    this.drawFocus(c, scene, u);
    for (const strike of scene.strikes) {
      const [from, to] = [this.geometry.at(strike.from), this.geometry.at(strike.to)];
      if (!from || !to) continue;
      const colour = this.seatColours[strike.seat ?? -1] ?? '#8a3420';
      if (drawStrike(c, strike, this.camera.toScreen(from), this.camera.toScreen(to), u, colour, now, scene.calm)) busy = true;
    }
    return busy;
  }

  /** A cell's centre on the screen, if it can be visible. */
  private spot(id: string, margin: number): Point | undefined {
    const at = this.geometry.at(id);
    if (!at) return undefined;
    const p = this.camera.toScreen(at);
    const { width, height } = this.camera.window;
    return p.x < -margin || p.y < -margin || p.x > width + margin || p.y > height + margin ? undefined : p;
  }

  private cellPath(c: C, p: Point, shrink: number): void {
    const k = this.camera.scale * shrink;
    this.geometry.outline.forEach(([x, y], i) => {
      if (i) c.lineTo(p.x + x * k, p.y + y * k);
      else c.moveTo(p.x + x * k, p.y + y * k);
    });
    c.closePath();
  }

  private drawOverlays(c: C, scene: Scene, u: number): void {
    for (const overlay of scene.overlays) {
      c.beginPath();
      for (const id of overlay.cells) {
        const p = this.spot(id, u);
        if (p) this.cellPath(c, p, 1);
      }
      this.areas.draw(c, overlay, u);
    }
    this.drawOverlayTexts(c, scene, u);
    for (const line of scene.lines) if (!line.over) drawLine(c, line, this.linePoints(line), u);
  }

  private linePoints(line: OverlayLine): Point[] {
    if (line.edge) {
      const edge = this.geometry.edge(line.edge);
      if (!edge) return [];
      return [
        this.camera.toScreen({ x: edge.x - edge.dx, y: edge.y - edge.dy }),
        this.camera.toScreen({ x: edge.x + edge.dx, y: edge.y + edge.dy }),
      ];
    }
    return line.cells
      .map((id) => this.geometry.at(id))
      .filter((at) => at !== undefined)
      .map((at) => this.camera.toScreen(at));
  }

  private drawOverlayTexts(c: C, scene: Scene, u: number): void {
    if (u < 30) return;
    for (const { texts } of scene.overlays) {
      if (!texts || texts.size <= PLATES) continue;
      for (const [id, text] of texts) {
        const p = this.spot(id, u);
        if (p) this.figure(c, text, p.x, p.y + u * 0.34, u, '#201f1b');
      }
    }
  }

  /** A few texts go on plates below their cells, over the counters. */
  private drawPlates(c: C, scene: Scene, u: number): void {
    // On the whole map plates would lie over each other: one that another would cover is left out.
    const laid: Point[] = [];
    const free = (p: Point): boolean => u >= 30 || laid.every((q) => Math.abs(p.x - q.x) > 34 || Math.abs(p.y - q.y) > 18);
    for (const { texts, colour } of scene.overlays) {
      if (!texts || texts.size > PLATES) continue;
      for (const [id, text] of texts) {
        const p = text ? this.spot(id, u) : undefined;
        if (!p || !free(p)) continue;
        laid.push(p);
        plaque(c, { x: p.x, y: p.y + u * 0.42 }, text, u, colour);
      }
    }
  }

  private drawReach(c: C, scene: Scene, u: number): void {
    if (scene.reach.size === 0) return;
    const steps: Point[][] = [[], [], []];
    for (const [id, { step }] of scene.reach) {
      const p = this.spot(id, u);
      if (p) steps[step]!.push(p);
    }
    steps.forEach((cells, step) => {
      c.beginPath();
      for (const p of cells) this.cellPath(c, p, 0.965);
      c.fillStyle = REACH[step]!;
      c.fill();
      c.lineWidth = Math.max(0.75, u * 0.018);
      c.strokeStyle = 'rgba(16,70,100,.5)';
      c.stroke();
    });
  }

  /** The movement left, in the middle of an empty cell or at the foot of a stack. */
  private drawReachLabels(c: C, scene: Scene, u: number, stacks: Map<string, Stack>): void {
    if (u < 30 || scene.reach.size === 0) return;
    for (const [id, { label }] of scene.reach) {
      const p = label ? this.spot(id, u) : undefined;
      if (!p) continue;
      const y = !scene.hideCounters && stacks.has(id) ? p.y + u * 0.4 : p.y + u * 0.06;
      this.figure(c, label, p.x, y, u, '#0c3d57');
    }
  }

  /** A figure on the map itself, with a halo. */
  private figure(c: C, text: string, x: number, y: number, u: number, colour: string): void {
    c.font = `700 ${Math.max(10, u * 0.21).toFixed(1)}px ${FONT}`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.lineJoin = 'round';
    c.lineWidth = Math.max(2.5, u * 0.05);
    c.strokeStyle = 'rgba(255,255,255,.85)';
    c.fillStyle = colour;
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
  }

  private drawMarker(c: C, marker: Marker, u: number, slot: number): void {
    const colour = this.seatColours[marker.seat ?? -1] ?? '#5a5344';
    if (isEdge(marker.at)) {
      const edge = this.geometry.edge(marker.at);
      if (!edge) return;
      const p = this.camera.toScreen(edge);
      const { width, height } = this.camera.window;
      if (p.x < -u || p.y < -u || p.x > width + u || p.y > height + u) return;
      const k = this.camera.scale;
      drawEdgeMarker(c, marker, { x: p.x, y: p.y, dx: edge.dx * k, dy: edge.dy * k }, u, colour);
    } else {
      const p = this.spot(marker.at, u);
      if (p) drawCellMarker(c, marker, p, u, colour, slot);
    }
  }

  /** Cells and hexsides that can be clicked: a dashed ring, not colour alone. */
  private drawPlaces(c: C, scene: Scene, u: number, now: number): void {
    if (scene.places.size > 0) {
      c.beginPath();
      for (const id of scene.places) {
        const p = this.spot(id, u);
        if (p) this.cellPath(c, p, 0.9);
      }
      c.fillStyle = 'rgba(233,170,30,.22)';
      c.fill();
      c.setLineDash([u * 0.12, u * 0.08]);
      c.lineWidth = Math.max(1.75, u * 0.04);
      c.strokeStyle = '#9a6500';
      c.stroke();
      c.setLineDash([]);
    }
    for (const name of scene.edges) {
      const edge = this.geometry.edge(name);
      if (!edge) continue;
      const a = this.camera.toScreen({ x: edge.x - edge.dx, y: edge.y - edge.dy });
      const b = this.camera.toScreen({ x: edge.x + edge.dx, y: edge.y + edge.dy });
      c.beginPath();
      c.moveTo(a.x, a.y);
      c.lineTo(b.x, b.y);
      c.lineCap = 'round';
      c.lineWidth = Math.max(5, u * 0.15);
      c.strokeStyle = 'rgba(255,255,255,.8)';
      c.stroke();
      c.lineWidth = Math.max(3, u * 0.08);
      c.strokeStyle = '#c07a12';
      c.stroke();
    }
    for (const place of scene.matter) if (place !== scene.flash) this.drawRing(c, place, u, 0.62);
    if (scene.flash) this.drawRing(c, scene.flash, u, 0.62 + 0.08 * Math.sin(now / 160));
  }

  private drawRing(c: C, place: string, u: number, radius: number): void {
    const at = this.geometry.locate(place);
    if (!at) return;
    const p = this.camera.toScreen(at);
    c.beginPath();
    c.arc(p.x, p.y, u * radius, 0, 7);
    c.lineWidth = Math.max(3, u * 0.07);
    c.strokeStyle = '#fff';
    c.stroke();
    c.lineWidth = Math.max(1.5, u * 0.035);
    c.strokeStyle = '#7a1f5c';
    c.stroke();
  }

  private drawStacks(
    c: C,
    dpr: number,
    scene: Scene,
    stacks: Map<string, Stack>,
    u: number,
    now: number,
    settling: boolean,
  ): boolean {
    const edge = u * COUNTER;
    const size = Math.max(6, Math.round(edge * dpr));
    // While zooming, sprites of the last settled size are stretched; afterwards sharp ones are made,
    // a few in each frame.
    const deadline = performance.now() + (settling ? 0 : 7);
    let busy = false;
    const draw = (piece: Piece, p: Point, lift: number): void => {
      const sharp = this.sprites.has(piece, size);
      const make = !sharp && (this.settledSize === 0 || (!settling && performance.now() < deadline));
      if (!sharp && !make) busy = true;
      const sprite = this.sprites.get(piece, make || sharp ? size : this.settledSize || size, make);
      if (!sprite) return;
      const full = edge * (1 + lift * 0.1) * (1 + 2 * MARGIN);
      c.drawImage(sprite, p.x - full / 2, p.y - full / 2 - lift * edge * 0.09, full, full);
    };
    for (const ghost of scene.ghosts) {
      const p = this.spot(ghost.at, u);
      if (!p) continue;
      c.globalAlpha = 0.3;
      draw(ghost, p, 0);
      c.globalAlpha = 1;
    }
    const moving = new Map(scene.motions.map((m) => [m.piece, m]));
    const raised: (() => void)[] = [];
    for (const stack of stacks.values()) {
      const p = this.spot(stack.at, u);
      if (!p) continue;
      const there = moving.size ? stack.pieces.filter((piece) => !moving.has(piece.id)) : stack.pieces;
      const still = there.filter((piece) => !isFlying(piece));
      if (still.length < there.length) raised.push(() => there.filter(isFlying).forEach((piece, i) => this.hover(c, piece, p, i, edge, scene, draw)));
      if (still.length === 0) continue;
      const shown = still.slice(-STACK_SHOWN);
      const step = u * 0.05;
      shown.forEach((piece, i) => {
        const spread = i - (shown.length - 1) / 2;
        const at = { x: p.x + spread * step, y: p.y - spread * step };
        const lifted = scene.selected.has(piece.id);
        const paint = (): void => {
          const turn = piece.facing ?? null;
          // A dragged counter leaves a faint copy behind.
          if (lifted && scene.carried) c.globalAlpha = 0.4;
          if (lifted) this.glow(c, at, edge, turn, '#f5c518', 1);
          else if (scene.glowing.has(piece.id)) this.glow(c, at, edge, turn, '#e2542d', 0.8);
          const planned = scene.planned.has(piece.id);
          if (planned) c.globalAlpha = 0.72;
          draw(piece, at, lifted ? 1 : 0);
          c.globalAlpha = 1;
          if (planned) this.outline(c, at, edge, turn);
          if (scene.deciding !== null && piece.seat === scene.deciding && piece.active === false && !lifted) {
            c.fillStyle = 'rgba(60,56,44,.34)';
            this.square(c, at, edge / 2, edge * 0.08, turn);
            c.fill();
          }
          if (scene.offered.has(piece.id) && !lifted) this.offer(c, at, edge, turn);
        };
        if (lifted) raised.push(paint);
        else paint();
      });
      if (still.length > 1 && u > 20) {
        const top = (shown.length - 1) / 2;
        this.badge(c, p.x + top * step + edge * 0.5, p.y - top * step - edge * 0.5, String(still.length), u);
      }
    }
    raised.forEach((paint) => paint());
    if (scene.carried) {
      const { x, y } = scene.carried;
      const carried = scene.pieces.filter((piece) => scene.selected.has(piece.id)).slice(-STACK_SHOWN);
      carried.forEach((piece, i) => draw(piece, { x: x + (i - carried.length + 1) * u * 0.08, y: y - edge * 0.3 }, 1));
    }
    for (const motion of scene.motions) {
      const piece = scene.pieces.find((x) => x.id === motion.piece);
      const t = Math.max(0, (now - motion.start) / motion.pace);
      const i = Math.min(Math.floor(t), motion.path.length - 2);
      const a = this.geometry.at(motion.path[Math.max(0, i)] ?? '');
      const b = this.geometry.at(motion.path[Math.max(0, i) + 1] ?? motion.path.at(-1) ?? '');
      if (!piece || !a || !b) continue;
      const part = Math.min(1, t - Math.max(0, i));
      draw(piece, this.camera.toScreen({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }), 1);
      busy = true;
    }
    if (!busy && !settling) this.settledSize = size;
    return busy;
  }

  /** A dashed outline: it stands there in a plan only. */
  private outline(c: C, p: Point, edge: number, facing: number | null): void {
    this.square(c, p, edge * 0.54, edge * 0.1, facing);
    c.setLineDash([edge * 0.14, edge * 0.1]);
    c.lineWidth = Math.max(1.5, edge * 0.05);
    c.strokeStyle = '#11536f';
    c.stroke();
    c.setLineDash([]);
  }

  /** A counter in the air: above the stack, with its shadow on the ground. */
  private hover(c: C, piece: Piece, ground: Point, slot: number, edge: number, scene: Scene, draw: (piece: Piece, at: Point, lift: number) => void): void {
    const at = { x: ground.x + (0.22 + slot * 0.3) * edge, y: ground.y - 0.42 * edge };
    c.beginPath();
    c.ellipse(ground.x + edge * 0.06, ground.y + edge * 0.56, edge * 0.4, edge * 0.1, 0, 0, 7);
    c.fillStyle = 'rgba(24,20,10,.38)';
    c.fill();
    if (scene.selected.has(piece.id)) this.glow(c, at, edge, null, '#f5c518', 1);
    else if (scene.glowing.has(piece.id)) this.glow(c, at, edge, null, '#e2542d', 0.8);
    draw(piece, at, 1);
    if (scene.offered.has(piece.id)) this.offer(c, { x: at.x, y: at.y - edge * 0.09 }, edge, null);
  }

  /** The outline of a counter, turned by its facing if it has one. */
  private square(c: C, p: Point, half: number, radius: number, facing: number | null): void {
    const r = facing === null ? half : half * FACING_SIZE;
    c.beginPath();
    if (facing === null) {
      c.roundRect(p.x - r, p.y - r, 2 * r, 2 * r, radius);
      return;
    }
    const a = (facing * Math.PI) / 180;
    for (const [x, y] of [[-r, -r], [r, -r], [r, r], [-r, r]] as const) {
      c.lineTo(p.x + x * Math.cos(a) - y * Math.sin(a), p.y + x * Math.sin(a) + y * Math.cos(a));
    }
    c.closePath();
  }

  private glow(c: C, p: Point, edge: number, facing: number | null, colour: string, strength: number): void {
    c.save();
    c.shadowColor = colour;
    c.shadowBlur = edge * 0.4 * strength;
    c.strokeStyle = colour;
    c.lineWidth = Math.max(3, edge * 0.1);
    c.lineJoin = 'round';
    this.square(c, { x: p.x, y: p.y - edge * 0.04 }, edge / 2, edge * 0.1, facing);
    c.stroke();
    c.restore();
  }

  /** A piece that can be clicked now: a dashed frame. */
  private offer(c: C, p: Point, edge: number, facing: number | null): void {
    this.square(c, p, edge * 0.54, edge * 0.12, facing);
    c.lineWidth = Math.max(2, edge * 0.06);
    c.strokeStyle = '#fff';
    c.stroke();
    c.setLineDash([edge * 0.16, edge * 0.1]);
    c.strokeStyle = '#b4690e';
    c.stroke();
    c.setLineDash([]);
  }

  private badge(c: C, x: number, y: number, text: string, u: number): void {
    const r = Math.max(6.5, u * 0.115);
    c.beginPath();
    c.arc(x, y, r, 0, 7);
    c.fillStyle = '#fbf8ee';
    c.fill();
    c.lineWidth = 1.2;
    c.strokeStyle = '#201f1b';
    c.stroke();
    c.fillStyle = '#201f1b';
    c.font = `700 ${(r * 1.35).toFixed(1)}px ${FONT}`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillText(text, x, y + r * 0.08);
  }

  private drawTargets(c: C, scene: Scene, u: number): void {
    for (const id of scene.targets) {
      const p = this.spot(id, u);
      if (!p) continue;
      const r = u * 0.5;
      c.save();
      c.translate(p.x, p.y);
      for (const [width, colour] of [
        [u * 0.11, '#fff'],
        [u * 0.06, '#b3261e'],
      ] as const) {
        c.lineWidth = Math.max(width === u * 0.11 ? 4 : 2, width);
        c.strokeStyle = colour;
        c.beginPath();
        c.arc(0, 0, r, 0, 7);
        for (let i = 0; i < 4; i++) {
          const a = (i * Math.PI) / 2;
          c.moveTo(Math.cos(a) * r * 0.84, Math.sin(a) * r * 0.84);
          c.lineTo(Math.cos(a) * r * 1.16, Math.sin(a) * r * 1.16);
        }
        c.stroke();
      }
      c.restore();
    }
  }

  private drawPath(c: C, scene: Scene, u: number): void {
    if (!scene.path || scene.path.cells.length < 2) return;
    const points = scene.path.cells
      .map((id) => this.geometry.at(id))
      .filter((p): p is Point => p !== undefined)
      .map((p) => this.camera.toScreen(p));
    drawLine(c, { cells: [], colour: '#11536f', arrow: true }, points, u * 1.15);
    if (u < 30) return;
    for (let i = 1; i < points.length; i++) {
      const cost = scene.path.costs[i - 1];
      if (!cost) continue;
      const a = points[i - 1]!;
      const b = points[i]!;
      this.badge(c, (a.x + b.x) / 2, (a.y + b.y) / 2, cost, u * 0.95);
    }
  }

  private drawFocus(c: C, scene: Scene, u: number): void {
    if (scene.hover && scene.hover !== scene.focus) {
      const p = this.spot(scene.hover, u);
      if (p) {
        c.beginPath();
        this.cellPath(c, p, 0.97);
        c.lineWidth = Math.max(1.25, u * 0.025);
        c.strokeStyle = 'rgba(32,31,27,.65)';
        c.stroke();
      }
    }
    if (!scene.focus) return;
    const p = this.spot(scene.focus, u);
    if (!p) return;
    c.beginPath();
    this.cellPath(c, p, 0.95);
    c.lineWidth = Math.max(4, u * 0.085);
    c.strokeStyle = '#fff';
    c.stroke();
    c.lineWidth = Math.max(2, u * 0.045);
    c.strokeStyle = '#5b1e8c';
    c.stroke();
  }
}
