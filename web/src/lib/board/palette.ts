// Counter grounds by nation, and the arithmetic of legibility.

export interface Ground {
  fill: string;
  /** Inside of the unit-type box. */
  box: string;
}

export const GROUNDS: Record<string, Ground> = {
  us: { fill: '#6a7a3c', box: '#e9ecd6' },
  uk: { fill: '#cdb384', box: '#fbf3df' },
  de: { fill: '#4a5654', box: '#e6eae4' },
  ss: { fill: '#25272a', box: '#e2e2de' },
  fj: { fill: '#47687f', box: '#e3ecf2' },
  fr: { fill: '#3f5f94', box: '#e4eaf4' },
  su: { fill: '#9c4a22', box: '#f6e7dc' },
  gdr: { fill: '#6d6455', box: '#eeeae2' },
  bw: { fill: '#566650', box: '#e6ece2' },
  it: { fill: '#93a263', box: '#f2f4e6' },
  dak: { fill: '#c6a45f', box: '#fbf2dd' },
  uk8: { fill: '#dcc796', box: '#fdf8ea' },
  pl: { fill: '#8d4a58', box: '#f5e6e9' },
  neutral: { fill: '#d9d3c2', box: '#fbf9f2' },
  hidden: { fill: '#6b6a66', box: '#d8d6d0' },
};

/** Other names that games use for the same grounds. */
const ALIASES: Record<string, string> = {
  german: 'de',
  allied: 'us',
  american: 'us',
  usa: 'us',
  british: 'uk',
  gb: 'uk',
  luftwaffe: 'fj',
  lw: 'fj',
  soviet: 'su',
  ddr: 'gdr',
  nva: 'gdr',
  bundeswehr: 'bw',
  frg: 'bw',
  brd: 'bw',
  italian: 'it',
  french: 'fr',
  polish: 'pl',
};

export function ground(name: string): Ground {
  return GROUNDS[name] ?? GROUNDS[ALIASES[name] ?? 'neutral'] ?? GROUNDS.neutral!;
}

/** Every second side has a pale rim around its counters and flags, so that sides differ without colour. */
export const RIM = '#f3ecd2';
export const rimmed = (seat: number | null | undefined): boolean => (seat ?? 0) % 2 === 1;

export const DARK_INK = '#201f1b';
export const LIGHT_INK = '#ffffff';

/** sRGB colour `#rrggbb` (or `#rgb`) as three numbers 0–255. */
export function rgb(colour: string): [number, number, number] {
  const hex = colour.replace('#', '');
  const full = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex;
  const n = Number.parseInt(full.slice(0, 6), 16);
  return Number.isNaN(n) ? [128, 128, 128] : [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

/** WCAG relative luminance. */
export function luminance(colour: string): number {
  const [r, g, b] = rgb(colour).map((v) => {
    const c = v / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** White or dark figures, whichever reads better on this colour. */
export function ink(colour: string): string {
  return contrast(colour, LIGHT_INK) >= contrast(colour, DARK_INK) ? LIGHT_INK : DARK_INK;
}

/** A colour mixed towards black (negative) or white (positive). */
export function shade(colour: string, amount: number): string {
  const to = amount < 0 ? 0 : 255;
  const part = Math.abs(amount);
  return `rgb(${rgb(colour)
    .map((v) => Math.round(v + (to - v) * part))
    .join(',')})`;
}

/** Army and corps colours that packs give as words. */
const BAR_WORDS: Record<string, string> = {
  red: '#b3372f',
  grey: '#9aa0a0',
  gray: '#9aa0a0',
  blue: '#3d6fa8',
  green: '#4e8a45',
  purple: '#77529b',
  maroon: '#7c2b3a',
  orange: '#d9822b',
  beige: '#d8c49a',
  yellow: '#e2bf3c',
  white: '#f4f2ea',
  black: '#2a2a2a',
  brown: '#7b5a3a',
};

export function bar(colour: string): string {
  return BAR_WORDS[colour] ?? (colour.startsWith('#') ? colour : '#9aa0a0');
}
