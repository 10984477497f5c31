// Vehicles in profile, facing right, each made from a few measures so that the whole set has one style.
// Drawn in a box of about 3.4 × 1.6 around the origin.

interface Vehicle {
  /** Hull: length, height of its roof above the tracks, slope of the front and of the rear (0 = upright). */
  length: number;
  hull: number;
  nose: number;
  tail: number;
  /** Superstructure: turret, or fixed casemate. */
  kind: 'turret' | 'casemate' | 'open';
  top: { x: number; width: number; height: number; slope: number };
  gun: { length: number; weight: number; brake?: boolean };
  wheels: number;
  /** Running gear; tracks by default. */
  gear?: 'wheels' | 'half';
  /** A lorry's cab at the front, as high as this; the superstructure then stands on its bed. */
  cab?: number;
}

const base: Vehicle = {
  length: 2.3,
  hull: 0.36,
  nose: 0.4,
  tail: 0.12,
  kind: 'turret',
  top: { x: 0.05, width: 1.0, height: 0.38, slope: 0.2 },
  gun: { length: 0.85, weight: 0.1 },
  wheels: 6,
};
const make = (v: Partial<Vehicle>): Vehicle => ({ ...base, ...v });

const VEHICLES: Record<string, Vehicle> = {
  sherman: make({ hull: 0.46, nose: 0.42, top: { x: 0.05, width: 0.95, height: 0.4, slope: 0.14 }, gun: { length: 0.75, weight: 0.1 } }),
  firefly: make({ hull: 0.46, nose: 0.42, top: { x: 0, width: 1.1, height: 0.4, slope: 0.14 }, gun: { length: 1.25, weight: 0.09, brake: true } }),
  stuart: make({ length: 1.9, hull: 0.38, nose: 0.3, top: { x: 0, width: 0.7, height: 0.34, slope: 0.1 }, gun: { length: 0.5, weight: 0.07 }, wheels: 4 }),
  m10: make({ hull: 0.4, nose: 0.5, tail: 0.2, kind: 'open', top: { x: -0.05, width: 1.1, height: 0.36, slope: 0.26 }, gun: { length: 0.9, weight: 0.09 } }),
  m18: make({ length: 2.1, hull: 0.32, nose: 0.5, kind: 'open', top: { x: -0.1, width: 0.95, height: 0.34, slope: 0.2 }, gun: { length: 1.0, weight: 0.08, brake: true }, wheels: 5 }),
  m36: make({ hull: 0.4, nose: 0.5, tail: 0.2, kind: 'open', top: { x: -0.15, width: 1.25, height: 0.38, slope: 0.16 }, gun: { length: 1.1, weight: 0.11, brake: true } }),
  churchill: make({ length: 2.7, hull: 0.36, nose: 0.1, tail: 0.1, top: { x: 0.15, width: 0.85, height: 0.34, slope: 0.06 }, gun: { length: 0.75, weight: 0.1, brake: true }, wheels: 9 }),
  cromwell: make({ hull: 0.32, nose: 0.16, top: { x: 0, width: 0.95, height: 0.36, slope: 0.04 }, gun: { length: 0.75, weight: 0.1, brake: true }, wheels: 5 }),
  panzer_iv: make({ length: 2.3, hull: 0.36, nose: 0.16, top: { x: 0.05, width: 1.05, height: 0.36, slope: 0.08 }, gun: { length: 0.95, weight: 0.09, brake: true }, wheels: 8 }),
  panther: make({ length: 2.55, hull: 0.42, nose: 0.55, tail: -0.12, top: { x: -0.05, width: 1.05, height: 0.38, slope: 0.18 }, gun: { length: 1.3, weight: 0.09, brake: true }, wheels: 8 }),
  tiger: make({ length: 2.5, hull: 0.42, nose: 0.12, tail: 0.04, top: { x: -0.02, width: 1.15, height: 0.38, slope: 0.04 }, gun: { length: 1.15, weight: 0.12, brake: true }, wheels: 8 }),
  king_tiger: make({ length: 2.7, hull: 0.44, nose: 0.56, tail: -0.12, top: { x: -0.1, width: 1.35, height: 0.4, slope: 0.12 }, gun: { length: 1.45, weight: 0.11, brake: true }, wheels: 9 }),
  stug: make({ length: 2.2, hull: 0.28, nose: 0.24, kind: 'casemate', top: { x: 0, width: 1.15, height: 0.32, slope: 0.14 }, gun: { length: 0.8, weight: 0.1, brake: true } }),
  hetzer: make({ length: 1.95, hull: 0.22, nose: 0.36, tail: 0.3, kind: 'casemate', top: { x: -0.1, width: 1.6, height: 0.46, slope: 0.5 }, gun: { length: 0.75, weight: 0.08 }, wheels: 4 }),
  jagdpanzer_iv: make({ length: 2.3, hull: 0.24, nose: 0.36, kind: 'casemate', top: { x: 0.1, width: 1.6, height: 0.36, slope: 0.36 }, gun: { length: 1.05, weight: 0.08 }, wheels: 8 }),
  jagdpanther: make({ length: 2.55, hull: 0.3, nose: 0.5, tail: -0.1, kind: 'casemate', top: { x: 0.02, width: 1.75, height: 0.52, slope: 0.52 }, gun: { length: 1.35, weight: 0.1, brake: true }, wheels: 8 }),
  jagdtiger: make({ length: 2.75, hull: 0.42, nose: 0.5, tail: -0.1, kind: 'casemate', top: { x: -0.1, width: 1.35, height: 0.54, slope: 0.16 }, gun: { length: 1.4, weight: 0.13 }, wheels: 9 }),
  sturmtiger: make({ length: 2.5, hull: 0.42, nose: 0.14, kind: 'casemate', top: { x: 0.2, width: 1.55, height: 0.54, slope: 0.22 }, gun: { length: 0.35, weight: 0.26 }, wheels: 8 }),
  brummbar: make({ length: 2.3, hull: 0.34, nose: 0.16, kind: 'casemate', top: { x: 0.12, width: 1.45, height: 0.5, slope: 0.34 }, gun: { length: 0.42, weight: 0.2 }, wheels: 8 }),
  marder: make({ hull: 0.3, nose: 0.3, kind: 'open', top: { x: -0.25, width: 1.1, height: 0.46, slope: 0.08 }, gun: { length: 1.15, weight: 0.08, brake: true } }),
  crusader: make({ hull: 0.28, nose: 0.4, top: { x: 0.05, width: 0.95, height: 0.34, slope: 0.26 }, gun: { length: 0.6, weight: 0.07 }, wheels: 5 }),
  matilda: make({ length: 2.2, hull: 0.34, nose: 0.3, top: { x: 0.1, width: 0.7, height: 0.36, slope: 0.06 }, gun: { length: 0.45, weight: 0.07 }, wheels: 9 }),
  grant: make({ hull: 0.6, nose: 0.4, top: { x: 0, width: 0.6, height: 0.3, slope: 0.06 }, gun: { length: 0.55, weight: 0.08 } }),
  panzer_iii: make({ length: 2.2, hull: 0.34, nose: 0.16, top: { x: 0.05, width: 0.95, height: 0.34, slope: 0.1 }, gun: { length: 0.7, weight: 0.08 } }),
  panzer_ii: make({ length: 1.9, hull: 0.32, nose: 0.14, top: { x: 0, width: 0.75, height: 0.28, slope: 0.06 }, gun: { length: 0.45, weight: 0.05 }, wheels: 5 }),
  m13: make({ length: 2.0, hull: 0.38, nose: 0.2, top: { x: 0.1, width: 0.75, height: 0.32, slope: 0.06 }, gun: { length: 0.45, weight: 0.07 }, wheels: 8 }),
  panzer_i: make({ length: 1.8, hull: 0.3, nose: 0.3, top: { x: 0.12, width: 0.6, height: 0.26, slope: 0.08 }, gun: { length: 0.28, weight: 0.05 }, wheels: 5 }),
  light: make({ length: 1.75, hull: 0.32, nose: 0.26, top: { x: 0, width: 0.6, height: 0.3, slope: 0.08 }, gun: { length: 0.4, weight: 0.05 }, wheels: 4 }),
  tankette: make({ length: 1.5, hull: 0.34, nose: 0.2, kind: 'casemate', top: { x: -0.1, width: 0.8, height: 0.16, slope: 0.06 }, gun: { length: 0.35, weight: 0.05 }, wheels: 4 }),
  cruiser: make({ length: 2.3, hull: 0.28, nose: 0.34, top: { x: 0.05, width: 0.85, height: 0.34, slope: 0.12 }, gun: { length: 0.5, weight: 0.06 }, wheels: 5 }),
  panzerjager: make({ length: 1.85, hull: 0.26, nose: 0.3, kind: 'open', top: { x: -0.1, width: 0.7, height: 0.42, slope: 0.04 }, gun: { length: 0.75, weight: 0.07 }, wheels: 5 }),
  priest: make({ hull: 0.46, nose: 0.42, kind: 'open', top: { x: -0.05, width: 1.3, height: 0.26, slope: 0.06 }, gun: { length: 0.5, weight: 0.12 } }),
  carrier: make({ length: 1.55, hull: 0.3, nose: 0.2, kind: 'open', top: { x: -0.1, width: 1.0, height: 0.1, slope: 0.04 }, gun: { length: 0.34, weight: 0.05 }, wheels: 3 }),
  armored_car: make({ length: 2.0, hull: 0.36, nose: 0.42, tail: 0.3, top: { x: -0.05, width: 0.65, height: 0.3, slope: 0.1 }, gun: { length: 0.45, weight: 0.06 }, wheels: 2, gear: 'wheels' }),
  eight_wheeler: make({ length: 2.5, hull: 0.34, nose: 0.45, tail: 0.4, top: { x: 0.1, width: 0.7, height: 0.28, slope: 0.12 }, gun: { length: 0.5, weight: 0.05 }, wheels: 4, gear: 'wheels' }),
  half_track: make({ length: 2.4, hull: 0.34, nose: 0.5, kind: 'open', top: { x: -0.35, width: 1.3, height: 0.2, slope: 0.1 }, gun: { length: 0, weight: 0 }, wheels: 4, gear: 'half' }),
  half_track_gun: make({ length: 2.4, hull: 0.34, nose: 0.5, kind: 'open', top: { x: -0.3, width: 0.7, height: 0.3, slope: 0.06 }, gun: { length: 0.95, weight: 0.08 }, wheels: 4, gear: 'half' }),
  truck: make({ length: 2.3, hull: 0.18, nose: 0.02, tail: 0, kind: 'casemate', top: { x: -0.42, width: 1.4, height: 0.5, slope: 0.06 }, gun: { length: 0, weight: 0 }, wheels: 2, gear: 'wheels', cab: 0.42 }),
  gun_truck: make({ length: 2.3, hull: 0.18, nose: 0.02, tail: 0, kind: 'open', top: { x: -0.55, width: 0.45, height: 0.4, slope: 0.04 }, gun: { length: 0.95, weight: 0.07 }, wheels: 2, gear: 'wheels', cab: 0.34 }),
  car: make({ length: 1.6, hull: 0.2, nose: 0.02, tail: 0, kind: 'casemate', top: { x: -0.25, width: 0.9, height: 0.16, slope: 0.04 }, gun: { length: 0, weight: 0 }, wheels: 2, gear: 'wheels', cab: 0.12 }),
  tank: base,
};

/** Words in a unit's name that identify its vehicle, the most specific first. */
const WORDS: [RegExp, string][] = [
  [/firefly/, 'firefly'],
  [/sturmtiger/, 'sturmtiger'],
  [/jagdtiger|hunting.?tiger|j(ag)?d?pz.?vi\b/, 'jagdtiger'],
  [/jagdpanther|hunting.?panther|j(ag)?d?pz.?v\b/, 'jagdpanther'],
  [/king.?tiger|tiger.?ii|tiger.?b|koenigstiger/, 'king_tiger'],
  [/jagdpanzer|j(ag)?d?pz.?iv/, 'jagdpanzer_iv'],
  [/hetzer/, 'hetzer'],
  [/brumm/, 'brummbar'],
  [/stug|sturmgesch|semovente/, 'stug'],
  [/panther|pz(kw)?.?v\b/, 'panther'],
  [/tiger|pz(kw)?.?vi\b/, 'tiger'],
  [/(panzer|pz(kw|kpfw)?).?iv/, 'panzer_iv'],
  [/(panzer|pz(kw|kpfw)?).?iii/, 'panzer_iii'],
  [/(panzer|pz(kw|kpfw)?).?ii[a-z]?\b/, 'panzer_ii'],
  [/panzerj/, 'panzerjager'],
  [/(panzer|pz(kw|kpfw)?).?i[a-z]?\b/, 'panzer_i'],
  [/priest|m7\b|bishop/, 'priest'],
  [/m3 .*gmc/, 'half_track_gun'],
  [/half.?track|sdkfz.?25[01]/, 'half_track'],
  [/sdkfz.?23[1-4]/, 'eight_wheeler'],
  [/port[eé]e|autocannone|gun truck/, 'gun_truck'],
  [/armou?red.?car|ab.?41|daimler|humber|marmon|morris cs9|sdkfz.?22[1-3]/, 'armored_car'],
  [/carrier/, 'carrier'],
  [/tractor|quad/, 'truck'],
  [/truck|lorry|blitz|lancia|gmc 2/, 'truck'],
  [/\bcar\b|kfz.?1\b|jeep/, 'car'],
  [/l3\b|l3\/|tankette/, 'tankette'],
  [/l6|light tank/, 'light'],
  [/cruiser|a9|a10|a13/, 'cruiser'],
  [/m36/, 'm36'],
  [/m18|hellcat/, 'm18'],
  [/m10|achilles|wolverine/, 'm10'],
  [/marder|archer/, 'marder'],
  [/stuart|m5|m3.?light/, 'stuart'],
  [/churchill/, 'churchill'],
  [/cromwell|comet|challenger/, 'cromwell'],
  [/crusader/, 'crusader'],
  [/matilda|valentine/, 'matilda'],
  [/grant|lee/, 'grant'],
  [/m11|m13|m14/, 'm13'],
  [/sherman|m4/, 'sherman'],
];

export function vehicle(name: string): string {
  const key = name.toLowerCase().replace(/[_-]+/g, ' ');
  const exact = key.replace(/ /g, '_');
  if (exact in VEHICLES) return exact;
  return WORDS.find(([pattern]) => pattern.test(key))?.[1] ?? 'tank';
}

/** Men on foot: how many stand side by side. */
const MEN: Record<string, number> = { squad: 3, half_squad: 2, section: 1 };

/** Soldiers with slung rifles; a section kneels behind its weapon. */
function soldiers(c: CanvasRenderingContext2D, count: number, gap: string): void {
  const fill = c.fillStyle;
  for (let i = 0; i < count; i++) {
    const x = (i - (count - 1) / 2) * 0.72 - (count === 1 ? 0.25 : 0);
    // Helmet, body, legs.
    c.beginPath();
    c.arc(x, -0.46, 0.2, Math.PI, 0);
    c.lineTo(x + 0.28, -0.42);
    c.lineTo(x - 0.28, -0.42);
    c.closePath();
    c.fill();
    c.beginPath();
    c.arc(x, -0.38, 0.14, 0, Math.PI);
    c.fill();
    c.beginPath();
    c.moveTo(x - 0.24, -0.2);
    c.lineTo(x + 0.24, -0.2);
    c.lineTo(x + 0.2, 0.3);
    c.lineTo(x + 0.22, 0.76);
    c.lineTo(x + 0.04, 0.76);
    c.lineTo(x, 0.38);
    c.lineTo(x - 0.04, 0.76);
    c.lineTo(x - 0.22, 0.76);
    c.lineTo(x - 0.2, 0.3);
    c.closePath();
    c.fill();
    // The rifle across the chest.
    c.strokeStyle = gap;
    c.lineWidth = 0.06;
    c.beginPath();
    c.moveTo(x - 0.18, 0.16);
    c.lineTo(x + 0.18, -0.1);
    c.stroke();
  }
  c.fillStyle = fill;
  if (count === 1) {
    // A weapon on its legs.
    c.strokeStyle = fill;
    c.lineWidth = 0.13;
    c.lineCap = 'round';
    c.beginPath();
    c.moveTo(0.2, 0.1);
    c.lineTo(1.15, -0.06);
    c.stroke();
    c.lineWidth = 0.09;
    c.beginPath();
    c.moveTo(0.55, 0.06);
    c.lineTo(0.35, 0.74);
    c.moveTo(0.55, 0.06);
    c.lineTo(0.85, 0.74);
    c.stroke();
  }
}

/** A gun on two wheels with its shield and trail. */
function towedGun(c: CanvasRenderingContext2D, gap: string): void {
  const fill = c.fillStyle;
  c.strokeStyle = fill;
  c.lineCap = 'round';
  c.lineWidth = 0.15;
  c.beginPath();
  c.moveTo(-0.3, -0.02);
  c.lineTo(1.25, -0.16);
  c.stroke();
  c.lineWidth = 0.12;
  c.beginPath();
  c.moveTo(-0.05, 0.25);
  c.lineTo(-1.2, 0.68);
  c.stroke();
  c.beginPath();
  c.moveTo(0.08, -0.5);
  c.lineTo(0.24, -0.46);
  c.lineTo(0.3, 0.4);
  c.lineTo(0.12, 0.4);
  c.closePath();
  c.fill();
  c.beginPath();
  c.arc(0.02, 0.42, 0.34, 0, 7);
  c.fill();
  c.fillStyle = gap;
  c.beginPath();
  c.arc(0.02, 0.42, 0.16, 0, 7);
  c.fill();
  c.fillStyle = fill;
}

/** Fill the profile of a vehicle with the context's fill style. `gap` is the colour seen between the wheels. */
export function silhouette(c: CanvasRenderingContext2D, name: string, gap: string): void {
  const kind = name.split(' ')[0]!;
  if (kind in MEN) {
    soldiers(c, MEN[kind]!, gap);
    return;
  }
  if (kind === 'towed_gun') {
    towedGun(c, gap);
    return;
  }
  const v = VEHICLES[vehicle(name)] ?? base;
  const half = v.length / 2;
  const shift = -Math.max(0, v.top.x + v.top.width / 2 + v.gun.length - half) / 2;
  const trackTop = 0.28;
  const trackBottom = 0.74;
  const roof = trackTop - v.hull;
  c.save();
  c.translate(shift, 0);
  const fill = c.fillStyle;

  // Running gear: a rounded track with wheels in it, or wheels alone.
  const disc = (x: number, radius: number): void => {
    c.beginPath();
    c.arc(x, trackBottom - radius, radius, 0, 7);
    c.fill();
    c.fillStyle = gap;
    c.beginPath();
    c.arc(x, trackBottom - radius, radius * 0.4, 0, 7);
    c.fill();
    c.fillStyle = fill;
  };
  const band = v.gear === 'half' ? v.length * 0.62 : v.length;
  if (v.gear !== 'wheels') {
    c.beginPath();
    c.roundRect(-half, trackTop - 0.04, band, trackBottom - trackTop + 0.04, 0.24);
    c.fill();
    c.fillStyle = gap;
    const r = Math.min(0.13, (band - 0.5) / v.wheels / 2.5);
    for (let i = 0; i < v.wheels; i++) {
      const x = -half + 0.3 + ((band - 0.6) * i) / (v.wheels - 1);
      c.beginPath();
      c.arc(x, 0.53, r, 0, 7);
      c.fill();
    }
    c.fillStyle = fill;
    if (v.gear === 'half') disc(half - 0.34, 0.25);
  } else {
    const radius = v.wheels > 2 ? 0.24 : 0.27;
    for (let i = 0; i < v.wheels; i++) disc(-half + 0.38 + ((v.length - 0.76) * i) / (v.wheels - 1), radius);
  }
  if (v.cab) {
    c.beginPath();
    c.moveTo(half - 0.95, roof + 0.02);
    c.lineTo(half - 0.92, roof - v.cab);
    c.lineTo(half - 0.5, roof - v.cab);
    c.lineTo(half - 0.36, roof - 0.08);
    c.lineTo(half, roof - 0.02);
    c.lineTo(half, roof + 0.1);
    c.closePath();
    c.fill();
  }

  // Hull.
  c.beginPath();
  c.moveTo(-half - 0.02, trackTop + 0.06);
  c.lineTo(-half + Math.max(0, v.tail) - Math.min(0, v.tail) * 0.2, roof);
  c.lineTo(half - v.nose, roof);
  c.lineTo(half + 0.04, trackTop + 0.06);
  c.closePath();
  c.fill();

  // Turret or casemate.
  const { x, width, height, slope } = v.top;
  const top = roof - height;
  c.beginPath();
  c.moveTo(x - width / 2, roof + 0.02);
  c.lineTo(x - width / 2 + slope * (v.kind === 'casemate' ? 0.7 : 0.5), top);
  c.lineTo(x + width / 2 - slope, top);
  c.lineTo(x + width / 2, roof + 0.02);
  c.closePath();
  c.fill();
  if (v.kind === 'turret') {
    c.fillRect(x - width * 0.25, top - 0.08, width * 0.28, 0.1);
  }

  // Gun with mantlet and muzzle brake.
  const y = v.kind === 'casemate' ? roof - height * 0.42 : roof - height * 0.5;
  const root = x + width / 2 - slope * 0.62;
  if (v.gun.length === 0) return c.restore();
  c.fillRect(root - 0.05, y - v.gun.weight / 2, v.gun.length + 0.05, v.gun.weight);
  c.fillRect(root - 0.05, y - v.gun.weight * 0.95, 0.22, v.gun.weight * 1.9);
  if (v.gun.brake) c.fillRect(root + v.gun.length - 0.16, y - v.gun.weight * 0.85, 0.16, v.gun.weight * 1.7);
  c.restore();
}
