// NATO unit symbols (APP-6, MIL-STD-2525) as milsymbol draws them. The library is larger than all of our script may be, and we
// need two dozen of its symbols: they are taken from it when the page is built, as `virtual:nato`.
import ms from 'milsymbol';
import type { Plugin } from 'vite';

/** What milsymbol wants drawn, as far as our symbols need it. */
type Instruction =
  | { type: 'path'; d: string; fill?: unknown; stroke?: unknown }
  | { type: 'circle'; cx: number; cy: number; r: number; fill?: unknown; stroke?: unknown }
  | { type: 'translate'; x: number; y: number; draw: Instruction[] }
  | { type: 'scale'; factor: number; draw: Instruction[] };

interface Stroke {
  fill: boolean;
  stroke: boolean;
  path: string;
  at?: [number, number, number];
}

/** Our unit types by their symbol codes: letters (2525C) of a friendly unit on land, or all twenty figures (2525D). */
const CODES: Record<string, string> = {
  infantry: 'UCI',
  mech_infantry: 'UCIZ',
  motorized_infantry: 'UCIM',
  parachute_infantry: 'UCIA',
  air_assault_infantry: 'UCIS',
  mountain_infantry: 'UCIO',
  armor: 'UCA',
  anti_tank: 'UCAA',
  tank_destroyer: 'UCAAA',
  recon: 'UCR',
  armored_recon: 'UCRVA',
  engineer: 'UCE',
  mech_engineer: 'UCECT',
  // Engineers with the modifier of bridging.
  bridging: '10031000001407000600',
  artillery: 'UCF',
  sp_artillery: 'UCFHE',
  // Field artillery with the modifier of rocket launchers: two chevrons, which stay readable when small.
  rocket_artillery: '10031000001303004100',
  mortar: 'UCFM',
  air_defense: 'UCD',
  flak: 'UCDG',
  missile_air_defense: 'UCDM',
  signal: 'UUS',
  supply: 'USS',
  helicopter: 'UCVR',
  aircraft: 'UCVF',
};

const circle = (cx: number, cy: number, r: number): string => `M${cx - r},${cy}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`;

/** milsymbol's instructions as a flat list: what is to be done with a path, the path, and where it lies (scale, dx, dy). */
function flat(instructions: Instruction[], [k, x, y]: [number, number, number] = [1, 0, 0]): Stroke[] {
  return (instructions.flat(Infinity) as Instruction[]).flatMap((one): Stroke[] => {
    if (one.type === 'translate') return flat(one.draw, [k, x + k * one.x, y + k * one.y]);
    if (one.type === 'scale') return flat(one.draw, [k * one.factor, x, y]);
    if (one.type !== 'path' && one.type !== 'circle') throw new Error(`no way to draw ${JSON.stringify(one)}`);
    const path = one.type === 'circle' ? circle(one.cx, one.cy, one.r) : one.d;
    return [{ fill: Boolean(one.fill), stroke: Boolean(one.stroke), path, ...(k === 1 && x === 0 && y === 0 ? {} : { at: [k, x, y] }) }];
  });
}

/** The frame of a friendly unit on land and the icons that go into it, in milsymbol's own grid of 200 × 200. */
function natoSymbols(): { frame: string; icons: Record<string, Stroke[]> } {
  const of = (code: string): { frame: string; icon: Stroke[] } => {
    const made = new ms.Symbol(/^\d{20}$/.test(code) ? code : `SFGP${code.padEnd(6, '-')}-----`, { fill: false });
    if (!made.isValid()) throw new Error(`milsymbol does not know ${code}`);
    const [frame, ...icon] = (made as unknown as { drawInstructions: Instruction[] }).drawInstructions;
    if (frame?.type !== 'path') throw new Error(`${code} has no frame`);
    return { frame: frame.d, icon: flat(icon) };
  };
  const icons = Object.fromEntries(Object.entries(CODES).map(([name, code]) => [name, of(code).icon]));
  return { frame: of('UCI').frame, icons };
}

export function nato(): Plugin {
  const id = 'virtual:nato';
  return {
    name: 'nato-symbols',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default ${JSON.stringify(natoSymbols())};` : undefined),
  };
}
