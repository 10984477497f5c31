// States of a unit as shapes: never by colour alone, always in the same place.

import type { StateLook, StateShape } from '../protocol';
import type { Detail } from './counter';
import { stateLook, stateName } from './looks';

type C = CanvasRenderingContext2D;

const PAPER = '#f6f1e3';
const INK = '#201f1b';

/** Shapes drawn on the counter itself; all others get a tab. */
const ON_COUNTER = ['none', 'tear', 'wide_tear', 'rotor', 'order', 'order_face_down'] as const;
type Tab = Exclude<StateShape, (typeof ON_COUNTER)[number]>;
const isTab = (shape: StateShape): shape is Tab => !(ON_COUNTER as readonly StateShape[]).includes(shape);

export function drawStates(c: C, states: readonly string[], level: Detail): void {
  if (states.length === 0) return;
  const looks = states.map((state): Partial<StateLook> & { state: string } => stateLook(state) ?? { state: stateName(state) });
  const shapes = looks.map((look) => look.shape);
  const big = level === 'far' ? 1.5 : level === 'middle' ? 1.2 : 1;
  if (shapes.includes('wide_tear')) {
    tear(c, 40 * big, '#c8371f');
    tear(c, 22 * big, PAPER);
  } else if (shapes.includes('tear')) {
    tear(c, 32 * big, '#e08a1e');
  }
  if (shapes.includes('rotor')) rotor(c, level);
  const order = looks.find(({ shape }) => shape === 'order' || shape === 'order_face_down');
  if (order) command(c, order.shape === 'order' ? (order.text ?? '') : null, level);
  // A state without a shape is a letter.
  const tabs = looks.filter(({ shape }) => !shape || isTab(shape));
  tabs.slice(0, 4).forEach(({ state, shape, warns }, i) => tab(c, shape && isTab(shape) ? shape : state[0] ?? '?', warns === true, i, level));
}

/** A torn upper right corner through which the map shows. */
function tear(c: C, size: number, colour: string): void {
  c.save();
  c.beginPath();
  c.roundRect(0, 0, 100, 100, 8);
  c.clip();
  c.beginPath();
  c.moveTo(100 - size, -2);
  const teeth = 5;
  for (let i = 1; i <= teeth; i++) {
    const t = i / teeth;
    const x = 100 - size + size * t;
    const y = size * t;
    c.lineTo(x - size / teeth + 4.5, y - 1.5);
    c.lineTo(x, y);
  }
  c.lineTo(103, size);
  c.lineTo(103, -2);
  c.closePath();
  c.fillStyle = colour;
  c.fill();
  c.lineWidth = 2;
  c.strokeStyle = INK;
  c.stroke();
  c.restore();
}

/** The rotor of a helicopter in the air, over the upper edge. */
function rotor(c: C, level: Detail): void {
  c.save();
  c.translate(50, 0);
  c.lineCap = 'round';
  for (const [width, colour] of [
    [level === 'near' ? 8 : 12, INK],
    [level === 'near' ? 4.5 : 7, PAPER],
  ] as const) {
    c.beginPath();
    c.moveTo(-54, -5);
    c.lineTo(54, 5);
    c.moveTo(-54, 5);
    c.lineTo(54, -5);
    c.lineWidth = width;
    c.strokeStyle = colour;
    c.stroke();
  }
  c.beginPath();
  c.arc(0, 0, 7, 0, 7);
  c.fillStyle = INK;
  c.fill();
  c.restore();
}

/** An order that lies on a counter, as a small counter of its own at the upper right; one that is face down (null) shows its back. */
function command(c: C, text: string | null, level: Detail): void {
  const r = level === 'far' ? 17 : level === 'middle' ? 15 : 12;
  c.save();
  c.translate(92, 10);
  c.beginPath();
  c.roundRect(-r, -r, 2 * r, 2 * r, 3);
  c.fillStyle = text === null ? '#5d5a52' : '#fdfbf4';
  c.fill();
  c.lineWidth = 2;
  c.strokeStyle = INK;
  c.stroke();
  c.fillStyle = text === null ? '#fdfbf4' : INK;
  const word = text ?? '?';
  c.font = `800 ${word.length > 1 ? r * 1.15 : r * 1.5}px "Source Sans 3 Variable", sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(word, 0, r * 0.08, r * 1.8);
  c.restore();
}

const TAB_PAINT: Record<Tab, (c: C) => void> = {
  swords: (c) => {
    // Crossed swords.
    for (const s of [-1, 1]) {
      c.beginPath();
      c.moveTo(-0.62 * s, -0.62);
      c.lineTo(0.5 * s, 0.5);
      c.moveTo(0.2 * s, 0.62);
      c.lineTo(0.62 * s, 0.2);
      c.stroke();
    }
  },
  can: (c) => {
    // An empty can, open and tilted.
    c.rotate(0.35);
    c.beginPath();
    c.rect(-0.38, -0.45, 0.76, 1.0);
    c.moveTo(-0.38, -0.45);
    c.lineTo(0.05, -0.72);
    c.stroke();
  },
  ring: (c) => {
    // A closed ring.
    c.beginPath();
    c.arc(0, 0, 0.62, 0, 7);
    c.stroke();
    c.beginPath();
    c.arc(0, 0, 0.2, 0, 7);
    c.fill();
  },
  wheel: (c) => {
    c.beginPath();
    c.arc(0, 0, 0.62, 0, 7);
    for (let i = 0; i < 6; i++) {
      c.moveTo(0, 0);
      c.lineTo(Math.cos((i * Math.PI) / 3) * 0.62, Math.sin((i * Math.PI) / 3) * 0.62);
    }
    c.stroke();
  },
  lorry: (c) => {
    c.beginPath();
    c.rect(-0.7, -0.4, 0.85, 0.65);
    c.rect(0.15, -0.15, 0.5, 0.4);
    c.stroke();
    for (const x of [-0.4, 0.35]) {
      c.beginPath();
      c.arc(x, 0.4, 0.17, 0, 7);
      c.fill();
    }
  },
  gun_fired: (c) => muzzle(c, false),
  gun_ready: (c) => muzzle(c, true),
  moon: (c) => {
    c.beginPath();
    c.arc(-0.05, 0, 0.6, 0.9, 5.4);
    c.arc(0.25, 0, 0.45, 5.0, 1.3, true);
    c.closePath();
    c.fill();
  },
  spade: (c) => {
    // A spade.
    c.beginPath();
    c.moveTo(0, -0.75);
    c.lineTo(0, 0.1);
    c.stroke();
    c.beginPath();
    c.moveTo(-0.35, 0.05);
    c.lineTo(0.35, 0.05);
    c.lineTo(0.3, 0.5);
    c.lineTo(0, 0.78);
    c.lineTo(-0.3, 0.5);
    c.fill();
  },
  arrow: (c) => {
    c.beginPath();
    c.moveTo(-0.6, -0.3);
    c.lineTo(0.1, -0.3);
    c.lineTo(0.1, -0.6);
    c.lineTo(0.7, 0);
    c.lineTo(0.1, 0.6);
    c.lineTo(0.1, 0.3);
    c.lineTo(-0.6, 0.3);
    c.fill();
  },
  tow: (c) => {
    c.beginPath();
    c.arc(-0.25, 0.15, 0.42, 0, 7);
    c.moveTo(0.15, 0.15);
    c.lineTo(0.75, 0.15);
    c.stroke();
  },
  chevrons: (c) => {
    c.beginPath();
    c.moveTo(-0.5, -0.5);
    c.lineTo(0.1, 0);
    c.lineTo(-0.5, 0.5);
    c.moveTo(0.05, -0.5);
    c.lineTo(0.65, 0);
    c.lineTo(0.05, 0.5);
    c.stroke();
  },
  eye: (c) => {
    c.beginPath();
    c.ellipse(0, 0, 0.72, 0.42, 0, 0, 7);
    c.stroke();
    c.beginPath();
    c.arc(0, 0, 0.2, 0, 7);
    c.fill();
  },
  dust: (c) => {
    // Dust behind what moves.
    c.beginPath();
    c.arc(-0.45, 0.25, 0.28, 0, 7);
    c.arc(-0.05, 0.1, 0.34, 0, 7);
    c.fill();
    c.beginPath();
    c.moveTo(0.3, -0.3);
    c.lineTo(0.75, 0.05);
    c.lineTo(0.3, 0.4);
    c.stroke();
  },
  flash: (c) => {
    // The flash at the muzzle.
    c.beginPath();
    for (let i = 0; i < 8; i++) {
      const a = (i * Math.PI) / 4;
      const d = i % 2 ? 0.35 : 0.8;
      c.lineTo(Math.cos(a) * d, Math.sin(a) * d);
    }
    c.closePath();
    c.fill();
  },
  crack: (c) => {
    // A crack.
    c.beginPath();
    c.moveTo(0.1, -0.75);
    c.lineTo(-0.3, -0.1);
    c.lineTo(0.2, 0.05);
    c.lineTo(-0.15, 0.75);
    c.stroke();
  },
  cross: (c) => {
    c.beginPath();
    c.moveTo(-0.55, -0.55);
    c.lineTo(0.55, 0.55);
    c.moveTo(0.55, -0.55);
    c.lineTo(-0.55, 0.55);
    c.stroke();
  },
  flame: (c) => {
    // A flame.
    c.beginPath();
    c.moveTo(0, -0.8);
    c.bezierCurveTo(0.7, -0.1, 0.6, 0.7, 0, 0.75);
    c.bezierCurveTo(-0.6, 0.7, -0.55, 0.15, -0.2, -0.1);
    c.bezierCurveTo(-0.1, -0.3, 0, -0.5, 0, -0.8);
    c.fill();
  },
  down: (c) => {
    c.beginPath();
    c.moveTo(-0.6, -0.35);
    c.lineTo(0, 0.45);
    c.lineTo(0.6, -0.35);
    c.stroke();
  },
  down_dashed: (c) => {
    // The same, turned over: it may recover.
    c.setLineDash([0.22, 0.26]);
    c.beginPath();
    c.moveTo(-0.6, -0.35);
    c.lineTo(0, 0.45);
    c.lineTo(0.6, -0.35);
    c.stroke();
    c.setLineDash([]);
  },
  small_flash: (c) => {
    // A small flash.
    c.beginPath();
    for (let i = 0; i < 8; i++) {
      const a = (i * Math.PI) / 4;
      const d = i % 2 ? 0.22 : 0.5;
      c.lineTo(Math.cos(a) * d, Math.sin(a) * d);
    }
    c.closePath();
    c.fill();
  },
  hatch: (c) => {
    // An open hatch.
    c.beginPath();
    c.rect(-0.5, 0.1, 1.0, 0.35);
    c.fill();
    c.beginPath();
    c.moveTo(-0.5, 0.1);
    c.lineTo(-0.7, -0.65);
    c.stroke();
  },
  track: (c) => {
    // A broken track.
    c.beginPath();
    c.arc(-0.42, 0, 0.3, 0.6, 5.6);
    c.moveTo(0.12, -0.3);
    c.arc(0.42, 0, 0.3, -2.2, 2.6);
    c.stroke();
  },
  turret: (c) => {
    c.beginPath();
    c.arc(-0.15, 0.25, 0.42, Math.PI, 0);
    c.fill();
    c.beginPath();
    c.moveTo(0.2, 0);
    c.lineTo(0.75, -0.2);
    c.moveTo(-0.5, -0.6);
    c.lineTo(0.2, 0.6);
    c.stroke();
  },
  hull: (c) => {
    c.beginPath();
    c.rect(-0.65, -0.1, 1.3, 0.5);
    c.moveTo(0.1, -0.7);
    c.lineTo(-0.2, 0.15);
    c.lineTo(0.15, 0.7);
    c.stroke();
  },
  rampart: (c) => {
    // A head behind a rampart.
    c.beginPath();
    c.arc(0, 0, 0.32, Math.PI, 0);
    c.fill();
    c.fillRect(-0.75, 0.1, 1.5, 0.38);
  },
  hull_down: (c) => {
    c.beginPath();
    c.rect(-0.35, -0.5, 0.7, 0.5);
    c.fill();
    c.beginPath();
    c.moveTo(-0.8, 0.1);
    c.lineTo(0.8, 0.1);
    c.stroke();
  },
  partly_hull_down: (c) => {
    c.beginPath();
    c.rect(-0.35, -0.6, 0.7, 0.45);
    c.stroke();
    c.beginPath();
    c.moveTo(-0.8, 0.2);
    c.lineTo(0.8, 0.2);
    c.stroke();
  },
  passengers: (c) => {
    // Men in the back of a lorry.
    for (const x of [-0.4, 0.05]) {
      c.beginPath();
      c.arc(x, -0.28, 0.2, 0, 7);
      c.fill();
    }
    c.beginPath();
    c.rect(-0.75, 0, 1.2, 0.4);
    c.stroke();
  },
  aboard: (c) => {
    // Upward, into the vehicle.
    c.beginPath();
    c.moveTo(0, 0.6);
    c.lineTo(0, -0.5);
    c.moveTo(-0.4, -0.1);
    c.lineTo(0, -0.55);
    c.lineTo(0.4, -0.1);
    c.stroke();
  },
  immobile: (c) => {
    c.beginPath();
    c.arc(0, 0, 0.6, 0, 7);
    c.moveTo(-0.42, 0.42);
    c.lineTo(0.42, -0.42);
    c.stroke();
  },
  closed_eye: (c) => {
    // A closed eye: the enemy does not see it.
    c.beginPath();
    c.arc(0, -0.45, 0.72, 0.45, Math.PI - 0.45);
    for (const a of [0.75, 1.57, 2.39]) {
      c.moveTo(Math.cos(a) * 0.72, -0.45 + Math.sin(a) * 0.72);
      c.lineTo(Math.cos(a) * 1.08, -0.45 + Math.sin(a) * 1.08);
    }
    c.stroke();
  },
  open_eye: (c) => {
    // An open eye, struck by light.
    c.beginPath();
    c.arc(0, 0.15, 0.35, 0, 7);
    c.fill();
    c.beginPath();
    for (const a of [-2.4, -1.57, -0.74]) {
      c.moveTo(Math.cos(a) * 0.5, 0.15 + Math.sin(a) * 0.5);
      c.lineTo(Math.cos(a) * 0.85, 0.15 + Math.sin(a) * 0.85);
    }
    c.stroke();
  },
  tick: (c) => {
    // A tick: it has done its part.
    c.beginPath();
    c.moveTo(-0.55, 0.05);
    c.lineTo(-0.12, 0.5);
    c.lineTo(0.6, -0.5);
    c.stroke();
  },
  goal: (c) => {
    // An arrow upward, to the objective.
    c.beginPath();
    c.moveTo(0, -0.7);
    c.lineTo(0.55, 0);
    c.lineTo(0.2, 0);
    c.lineTo(0.2, 0.65);
    c.lineTo(-0.2, 0.65);
    c.lineTo(-0.2, 0);
    c.lineTo(-0.55, 0);
    c.closePath();
    c.fill();
  },
  cloud: (c) => {
    // A cloud.
    c.beginPath();
    c.arc(-0.32, 0.1, 0.3, 0, 7);
    c.arc(0.08, -0.15, 0.36, 0, 7);
    c.arc(0.42, 0.15, 0.26, 0, 7);
    c.fill();
    c.fillRect(-0.5, 0.12, 1.05, 0.28);
  },
  wall: (c) => {
    // A wall.
    c.beginPath();
    c.rect(-0.65, -0.42, 1.3, 0.84);
    c.moveTo(-0.65, 0);
    c.lineTo(0.65, 0);
    c.moveTo(0, -0.42);
    c.lineTo(0, 0);
    c.moveTo(-0.32, 0);
    c.lineTo(-0.32, 0.42);
    c.moveTo(0.32, 0);
    c.lineTo(0.32, 0.42);
    c.stroke();
  },
  plus: (c) => {
    c.beginPath();
    c.moveTo(0, -0.6);
    c.lineTo(0, 0.6);
    c.moveTo(-0.6, 0);
    c.lineTo(0.6, 0);
    c.stroke();
  },
  back: (c) => {
    // An arrow that turns round.
    c.beginPath();
    c.arc(0.05, 0, 0.5, -1.4, 1.9);
    c.stroke();
    c.beginPath();
    c.moveTo(-0.5, 0.4);
    c.lineTo(0.05, 0.1);
    c.lineTo(0.05, 0.78);
    c.fill();
  },
  boat: (c) => {
    c.beginPath();
    c.moveTo(-0.75, 0);
    c.lineTo(0.75, 0);
    c.lineTo(0.45, 0.45);
    c.lineTo(-0.45, 0.45);
    c.closePath();
    c.fill();
    c.beginPath();
    c.moveTo(0, 0);
    c.lineTo(0, -0.65);
    c.stroke();
  },
  parachute: (c) => {
    c.beginPath();
    c.arc(0, -0.1, 0.62, Math.PI, 0);
    c.fill();
    c.beginPath();
    c.moveTo(-0.58, -0.1);
    c.lineTo(0, 0.7);
    c.lineTo(0.58, -0.1);
    c.stroke();
  },
};

/** A gun barrel seen from the side: filled when ready, hollow when fired. */
function muzzle(c: C, filled: boolean): void {
  c.beginPath();
  c.rect(-0.7, -0.18, 1.0, 0.36);
  c.rect(0.3, -0.34, 0.34, 0.68);
  if (filled) c.fill();
  else c.stroke();
}

/** A round tab over the left edge, from the bottom up: a shape, or a letter. */
function tab(c: C, shape: string, warns: boolean, index: number, level: Detail): void {
  const r = level === 'far' ? 17 : level === 'middle' ? 14 : 10.5;
  const y = 92 - index * r * 2.05;
  c.save();
  c.translate(5, y);
  c.beginPath();
  c.arc(0, 0, r, 0, 7);
  c.fillStyle = warns ? '#f0b429' : PAPER;
  c.fill();
  c.lineWidth = 1.8;
  c.strokeStyle = INK;
  c.stroke();
  c.scale(r * 0.86, r * 0.86);
  c.lineWidth = 0.2;
  c.lineCap = 'round';
  c.lineJoin = 'round';
  c.strokeStyle = c.fillStyle = INK;
  const paint = (TAB_PAINT as Record<string, (c: C) => void>)[shape];
  if (paint) paint(c);
  else {
    c.font = '800 1.3px "Source Sans 3 Variable", sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillText(shape.toUpperCase(), 0, 0.08);
  }
  c.restore();
}
