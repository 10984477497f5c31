// Unit-type symbols (NATO APP-6 conventions), drawn as lines in a box of 3 × 2 around the origin
// (x −1.5…1.5, y −1…1). Each function strokes and fills with the context's own style.

type Draw = (c: CanvasRenderingContext2D) => void;

const line = (c: CanvasRenderingContext2D, ...points: [number, number][]): void => {
  c.beginPath();
  points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.stroke();
};
const dot = (c: CanvasRenderingContext2D, x: number, y: number, r: number, hollow = false): void => {
  c.beginPath();
  c.arc(x, y, r, 0, 7);
  if (hollow) c.stroke();
  else c.fill();
};
const cross: Draw = (c) => {
  line(c, [-1.5, -1], [1.5, 1]);
  line(c, [-1.5, 1], [1.5, -1]);
};
const slash: Draw = (c) => line(c, [-1.5, 1], [1.5, -1]);
const track: Draw = (c) => {
  c.beginPath();
  c.roundRect(-0.95, -0.5, 1.9, 1, 0.5);
  c.stroke();
};
const gun: Draw = (c) => dot(c, 0, 0, 0.32);
const wheels: Draw = (c) => line(c, [0, -1], [0, 1]);
const wings: Draw = (c) => {
  c.beginPath();
  c.arc(-0.3, 0.78, 0.3, Math.PI, 0);
  c.arc(0.3, 0.78, 0.3, Math.PI, 0);
  c.stroke();
};
const dome: Draw = (c) => {
  c.beginPath();
  c.ellipse(0, 1, 1.5, 1.45, 0, Math.PI, 0);
  c.stroke();
};
const bridge: Draw = (c) => {
  line(c, [-0.75, 0.5], [-0.75, -0.4], [0.75, -0.4], [0.75, 0.5]);
  line(c, [0, -0.4], [0, 0.5]);
};
const chevrons: Draw = (c) => {
  line(c, [-0.4, -0.35], [0, -0.7], [0.4, -0.35]);
  line(c, [-0.4, -0.1], [0, -0.45], [0.4, -0.1]);
};
const all =
  (...parts: Draw[]): Draw =>
  (c) =>
    parts.forEach((part) => part(c));

const SYMBOLS: Record<string, Draw> = {
  infantry: cross,
  mech_infantry: all(cross, track),
  motorized_infantry: all(cross, wheels),
  parachute_infantry: all(cross, wings),
  glider_infantry: all(cross, (c) => {
    line(c, [-0.45, 0.55], [-0.45, 0.92]);
    line(c, [0.45, 0.55], [0.45, 0.92]);
    line(c, [-0.45, 0.74], [0.45, 0.74]);
  }),
  mountain_infantry: all(cross, (c) => {
    c.beginPath();
    c.moveTo(-0.34, 1);
    c.lineTo(0, 0.45);
    c.lineTo(0.34, 1);
    c.fill();
  }),
  fortress_infantry: all(cross, (c) => line(c, [-0.6, 1], [-0.6, 0.72], [-0.2, 0.72], [-0.2, 0.9], [0.2, 0.9], [0.2, 0.72], [0.6, 0.72], [0.6, 1])),
  engineer: bridge,
  mech_engineer: all(bridge, track),
  armor: track,
  mech_armor_infantry: all(cross, track),
  recon: slash,
  armored_recon: all(slash, track),
  artillery: gun,
  sp_artillery: all(track, (c) => dot(c, 0, 0, 0.22)),
  rocket_artillery: all((c) => dot(c, 0, 0.42, 0.26), chevrons),
  flak: all(dome, (c) => dot(c, 0, 0.3, 0.22)),
  air_defense: dome,
  mortar: (c) => {
    dot(c, 0, 0.5, 0.2, true);
    line(c, [0, 0.3], [0, -0.65]);
    line(c, [-0.25, -0.4], [0, -0.7], [0.25, -0.4]);
  },
  anti_tank: (c) => line(c, [-1.5, 1], [0, -1], [1.5, 1]),
  headquarters: (c) => {
    c.save();
    c.font = '700 1.25px "Source Sans 3 Variable", sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillText('HQ', 0, 0.08);
    c.restore();
  },
  supply: (c) => line(c, [-1.5, 0.55], [1.5, 0.55]),
  signal: (c) => line(c, [-1.5, -1], [0.1, 0.3], [-0.1, -0.3], [1.5, 1]),
  helicopter: (c) => {
    c.beginPath();
    c.moveTo(-1, -0.5);
    c.lineTo(1, 0.5);
    c.lineTo(1, -0.5);
    c.lineTo(-1, 0.5);
    c.closePath();
    c.fill();
  },
  aircraft: (c) => {
    c.beginPath();
    c.moveTo(-1.05, 0);
    c.bezierCurveTo(-1, -0.75, -0.3, -0.5, 0, 0);
    c.bezierCurveTo(0.3, 0.5, 1, 0.75, 1.05, 0);
    c.bezierCurveTo(1, -0.75, 0.3, -0.5, 0, 0);
    c.bezierCurveTo(-0.3, 0.5, -1, 0.75, -1.05, 0);
    c.fill();
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
  armor_nato: 'armor',
  armour: 'armor',
  tank: 'armor',
  cavalry: 'recon',
  mech_cavalry: 'armored_recon',
  mechanized_cavalry: 'armored_recon',
  reconnaissance: 'recon',
  nebelwerfer: 'rocket_artillery',
  rockets: 'rocket_artillery',
  rocket: 'rocket_artillery',
  mlrs: 'rocket_artillery',
  self_propelled_artillery: 'sp_artillery',
  antiaircraft: 'flak',
  anti_aircraft: 'flak',
  sam: 'air_defense',
  hq: 'headquarters',
};

/** The lines of a unit type; undefined when we have no drawing of it. */
export function symbol(name: string): Draw | undefined {
  const key = name.toLowerCase().replace(/[\s-]+/g, '_');
  return SYMBOLS[key] ?? SYMBOLS[ALIASES[key] ?? ''];
}
