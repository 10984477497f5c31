// Unit-type symbols in a box of 3 × 2 around the origin (x −1.5…1.5, y −1…1): NATO symbols as milsymbol draws them, and a few that NATO
// does not have. Each function strokes and fills with the context's own style.

import nato, { type Stroke } from 'virtual:nato';

type C = CanvasRenderingContext2D;
type Draw = (c: C) => void;

/** milsymbol's frame is 150 × 100 around 100,100. */
const GRID = 50;
const MIDDLE = 100;

const paths = new Map<string, Path2D>();
function path(d: string): Path2D {
  let known = paths.get(d);
  if (!known) paths.set(d, (known = new Path2D(d)));
  return known;
}

/** Draw in milsymbol's own grid, keeping line widths. */
function inGrid(c: C, draw: () => void): void {
  c.save();
  c.scale(1 / GRID, 1 / GRID);
  c.translate(-MIDDLE, -MIDDLE);
  c.lineWidth *= GRID;
  draw();
  c.restore();
}

function stroke(c: C, { fill, stroke, path: d, at }: Stroke): void {
  c.save();
  if (at) {
    const [k, x, y] = at;
    c.translate(x, y);
    c.scale(k, k);
    c.lineWidth /= k;
  }
  if (fill) c.fill(path(d));
  if (stroke) c.stroke(path(d));
  c.restore();
}

const icon =
  (name: string): Draw =>
  (c) =>
    inGrid(c, () => nato.icons[name]!.forEach((part) => stroke(c, part)));

/** The frame of a unit: its ground, then what is drawn inside it, then its edge. */
export function framed(c: C, ground: string, ink: string, inside: () => void): void {
  c.fillStyle = ground;
  inGrid(c, () => c.fill(path(nato.frame)));
  c.save();
  c.beginPath();
  c.rect(-1.5, -1, 3, 2);
  c.clip();
  c.strokeStyle = c.fillStyle = ink;
  inside();
  c.restore();
  c.strokeStyle = ink;
  inGrid(c, () => c.stroke(path(nato.frame)));
}

const line = (c: C, ...points: [number, number][]): void => {
  c.beginPath();
  points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.stroke();
};
const all =
  (...parts: Draw[]): Draw =>
  (c) =>
    parts.forEach((part) => part(c));

/** Unit types of the period that NATO has no symbol for. */
const OWN: Record<string, Draw> = {
  glider_infantry: all(icon('infantry'), (c) => {
    line(c, [-0.45, 0.55], [-0.45, 0.92]);
    line(c, [0.45, 0.55], [0.45, 0.92]);
    line(c, [-0.45, 0.74], [0.45, 0.74]);
  }),
  fortress_infantry: all(icon('infantry'), (c) => line(c, [-0.6, 1], [-0.6, 0.72], [-0.2, 0.72], [-0.2, 0.9], [0.2, 0.9], [0.2, 0.72], [0.6, 0.72], [0.6, 1])),
  // Armor with the barrel of a gun.
  assault_gun: all(icon('armor'), (c) => line(c, [0, -0.3], [0, 0.3])),
  headquarters: (c) => {
    c.font = '700 1.25px "Source Sans 3 Variable", sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillText('HQ', 0, 0.08);
  },
};

const ALIASES: Record<string, string> = {
  foot_infantry: 'infantry',
  mechanized_infantry: 'mech_infantry',
  panzergrenadier: 'mech_infantry',
  motorized: 'motorized_infantry',
  parachute: 'parachute_infantry',
  airborne: 'parachute_infantry',
  glider: 'glider_infantry',
  mountain: 'mountain_infantry',
  fortress: 'fortress_infantry',
  engineers: 'engineer',
  combat_engineers: 'engineer',
  combat_engineer: 'engineer',
  security: 'infantry',
  armor_nato: 'armor',
  armour: 'armor',
  tank: 'armor',
  cavalry: 'recon',
  mech_cavalry: 'armored_recon',
  mechanized_cavalry: 'armored_recon',
  armor_recon: 'armored_recon',
  reconnaissance: 'recon',
  nebelwerfer: 'rocket_artillery',
  rockets: 'rocket_artillery',
  rocket: 'rocket_artillery',
  mlrs: 'rocket_artillery',
  self_propelled_artillery: 'sp_artillery',
  antiaircraft: 'flak',
  anti_aircraft: 'flak',
  sam: 'missile_air_defense',
  air_assault: 'air_assault_infantry',
  mech_armor_infantry: 'mech_infantry',
  supply_head: 'supply',
  hq: 'headquarters',
};

/** The lines of a unit type; undefined when we have no drawing of it. */
export function symbol(type: string): Draw | undefined {
  const key = type.toLowerCase().replace(/[\s-]+/g, '_');
  const name = Object.hasOwn(ALIASES, key) ? ALIASES[key]! : key;
  if (Object.hasOwn(OWN, name)) return OWN[name];
  return Object.hasOwn(nato.icons, name) ? icon(name) : undefined;
}
