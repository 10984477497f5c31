import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Camera } from '../src/lib/board/camera';
import { Geometry } from '../src/lib/board/geometry';
import { contrast, GROUNDS, ink } from '../src/lib/board/palette';
import { symbol } from '../src/lib/board/symbols';
import { vehicle } from '../src/lib/board/silhouettes';
import type { Board, Cell } from '../src/lib/protocol';

/** Flat-topped hexes of pitch 2 (flat to flat), 5 columns by 4 rows. */
export function hexes(columns = 5, rows = 4): Board {
  const r = 2 / Math.sqrt(3);
  const cells: Cell[] = [];
  for (let c = 0; c < columns; c++) {
    for (let row = 0; row < rows; row++) {
      cells.push({ id: `${c}${row}`, x: 2 + c * 1.5 * r, y: 2 + row * 2 + (c % 2), terrain: [] });
    }
  }
  const outline = Array.from({ length: 6 }, (_, i): [number, number] => [
    r * Math.cos((i * Math.PI) / 3),
    r * Math.sin((i * Math.PI) / 3),
  ]);
  return { width: 20, height: 20, outline, cells, boxes: [{ id: 'dead', name: 'x', at: [1, 1] }] };
}

describe('geometry', () => {
  const g = new Geometry(hexes());
  it('measures the cells', () => {
    expect(g.pitch).toBeCloseTo(2);
    expect(g.radius).toBeCloseTo(2 / Math.sqrt(3));
  });
  it('finds every cell at its centre and none far outside', () => {
    for (const cell of g.cells) expect(g.pick(cell.x + 0.3, cell.y - 0.3)?.id).toBe(cell.id);
    expect(g.pick(-5, -5)).toBeUndefined();
  });
  it('knows six neighbours inside and the border between two', () => {
    expect(g.neighbours('21').map((c) => c.id).sort()).toEqual(['10', '11', '20', '22', '30', '31']);
    expect(g.step('21', 0, -1)?.id).toBe('20');
    const edge = g.edge('21/22')!;
    expect(Math.hypot(edge.dx, edge.dy)).toBeCloseTo(1 / Math.sqrt(3));
    expect(edge.dy).toBeCloseTo(0);
    expect(g.locate('dead')).toEqual({ x: 1, y: 1 });
  });
});

describe('arrow keys', () => {
  /** Pointed tops are flat tops seen from the side. */
  const turned = (): Geometry => {
    const board = hexes();
    const swap = ([x, y]: [number, number]): [number, number] => [y, x];
    const cells = board.cells.map((cell) => ({ ...cell, x: cell.y, y: cell.x }));
    return new Geometry({ ...board, outline: board.outline.map(swap), cells });
  };
  const walk = (g: Geometry, dx: number, dy: number): string[] => {
    const way = ['01'];
    for (let side = 1; way.length < 5; side = -side) way.push(g.walk(way[way.length - 1]!, dx, dy, side)!.id);
    return way;
  };
  it('walk a row of staggered hexes straight on flat tops', () => {
    const g = new Geometry(hexes());
    expect(g.flat).toBe(true);
    expect(walk(g, 1, 0).map((id) => id[0])).toEqual(['0', '1', '2', '3', '4']);
    expect(g.walk('21', 0, -1, 1)?.id).toBe('20');
  });
  it('walk a column of staggered hexes straight on pointed tops', () => {
    const g = turned();
    expect(g.flat).toBe(false);
    const way = walk(g, 0, 1);
    expect(way.map((id) => id[0])).toEqual(['0', '1', '2', '3', '4']);
    const xs = way.map((id) => g.cell(id)!.x);
    expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(1.5);
    expect(g.walk('21', -1, 0, 1)?.id).toBe('20');
  });
});

describe('camera', () => {
  const make = (): Camera => {
    const camera = new Camera({ width: 100, height: 80 }, 2);
    camera.window = { width: 1000, height: 800 };
    camera.insets = { top: 50, right: 300, bottom: 0, left: 0 };
    camera.fit();
    return camera;
  };
  it('goes to the board and back', () => {
    const camera = make();
    const p = camera.toBoard(camera.toScreen({ x: 12, y: 34 }));
    expect(p.x).toBeCloseTo(12);
    expect(p.y).toBeCloseTo(34);
  });
  it('keeps the point under the pointer while zooming', () => {
    const camera = make();
    const at = { x: 400, y: 420 };
    const before = camera.toBoard(at);
    camera.zoom(2, at);
    const after = camera.toBoard(at);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });
  it('never loses the board', () => {
    const camera = make();
    camera.zoom(4, { x: 0, y: 0 });
    camera.pan(1e6, -1e6);
    const p = camera.toScreen({ x: 50, y: 40 });
    expect(Math.abs(p.x)).toBeLessThan(5000);
    expect(camera.x).toBeGreaterThan(-10);
    camera.zoom(1e-9, { x: 0, y: 0 });
    expect(camera.scale).toBe(camera.minScale);
  });
});

describe('counters', () => {
  it('has legible figures on every ground', () => {
    for (const [name, { fill }] of Object.entries(GROUNDS)) {
      expect(contrast(fill, ink(fill)), name).toBeGreaterThanOrEqual(4.5);
    }
  });
  it.each(['infantry', 'foot_infantry', 'parachute', 'glider', 'mountain', 'fortress', 'engineer', 'mech_infantry', 'motorized_infantry', 'recon', 'flak', 'artillery', 'nebelwerfer', 'armor', 'HQ', 'SP artillery'])(
    'has a symbol for %s',
    (type) => expect(symbol(type)).toBeTypeOf('function'),
  );
  it('has a symbol for every unit of the packs', () => {
    const packs = join(import.meta.dirname, '../../packs');
    const units = readdirSync(packs).map((game) => join(packs, game, 'units')).filter(existsSync);
    const files = units.flatMap((folder) => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')));
    const named = new Set(files.flatMap((text) => [...text.matchAll(/^symbol = "(.+)"/gm)].map((match) => match[1]!)));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((type) => !type.startsWith('silhouette') && !symbol(type))).toEqual([]);
  });
  it('writes out what it has no symbol for', () => {
    expect(symbol('war elephants')).toBeUndefined();
    expect(symbol('constructor')).toBeUndefined();
  });
  it.each([
    ['M4 Sherman', 'sherman'],
    ['Pzkw V (Panther)', 'panther'],
    ['Pzkw VI (King Tiger)', 'king_tiger'],
    ['Jpz V (Hunting Panther)', 'jagdpanther'],
    ['Jpz VI (Hunting Tiger)', 'jagdtiger'],
    ['jpz_iv', 'jagdpanzer_iv'],
    ['Brummbaer', 'brummbar'],
    ['M10 TD', 'm10'],
    ['Pzkw IV', 'panzer_iv'],
    ['tank PzKpfw IIIG', 'panzer_iii'],
    ['tank PzKpfw IIF', 'panzer_ii'],
    ['tank PzKpfw IB', 'panzer_i'],
    ['tank PzKpfw IVF2', 'panzer_iv'],
    ['tank Cruiser Mk IV (A13)', 'cruiser'],
    ['tank_destroyer M3 75mm GMC', 'half_track_gun'],
    ['armored_car AB 41', 'armored_car'],
    ['gun_truck 2-pounder Portee', 'gun_truck'],
    ['truck Opel Blitz 3t', 'truck'],
    ['something else', 'tank'],
  ])('draws %s as %s', (name, expected) => expect(vehicle(name)).toBe(expected));
});
