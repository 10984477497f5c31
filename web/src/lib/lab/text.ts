// Lab files as text: made from a position, taken apart for the forms, packed into a link.

import type { GameDetail, GameInfo, View } from '../protocol';

const quote = (text: string): string => JSON.stringify(text);

/** A step of a lab file. */
export interface LabStep {
  kind: 'do' | 'ask';
  text: string;
}

/** A position as a lab file: where the game stands, every unit on the map, and what is asked of it. */
export function positionFile(game: GameDetail, info: GameInfo, view: View, isCell: (id: string) => boolean, steps: LabStep[]): string {
  const { setup } = game;
  const lines = [`game = ${quote(setup.game)}`];
  if (setup.edition) lines.push(`edition = ${quote(setup.edition)}`);
  lines.push(`scenario = ${quote(setup.scenario)}`);
  if (setup.options?.length) lines.push(`options = [${setup.options.map(quote).join(', ')}]`);
  if (view.turn) {
    lines.push(`turn = ${view.turn.number}`);
    const side = info.seats[view.turn.seat ?? -1]?.id;
    if (side) lines.push(`side = ${quote(side)}`);
    if (view.turn.lab_phase) lines.push(`phase = ${quote(view.turn.lab_phase)}`);
  }
  lines.push('dice = []');
  // What only the game knows how to write: lines of the head, and the steps of counters.
  const more = view.turn?.lab;
  if (more?.head) lines.push(more.head.trimEnd());
  for (const piece of view.pieces) {
    if (!isCell(piece.at) || piece.face.ground === 'hidden') continue;
    lines.push('', '[[unit]]', `id = ${quote(piece.id)}`, `hex = ${quote(piece.at)}`);
    const steps = more?.steps?.[piece.id];
    if (steps !== undefined) lines.push(`steps = ${steps}`);
    // Facings are counted clockwise from north.
    if (typeof piece.facing === 'number' && piece.facing % 60 === 0) lines.push(`facing = ${piece.facing / 60 + 1}`);
    const states = [...(piece.face.reduced ? ['reduced'] : []), ...(piece.states ?? []).filter((s) => s !== 'reduced')];
    if (states.length) lines.push(`state = [${states.map(quote).join(', ')}]`);
  }
  return `${lines.join('\n')}\n${stepText(steps)}`;
}

export function stepText(steps: LabStep[]): string {
  return steps.map(({ kind, text }) => `\n[[step]]\n${kind} = ${quote(text)}\n`).join('');
}

/** A unit of a file, with the lines it stands on. */
export interface LabUnit {
  id: string;
  hex: string;
  state: string;
  from: number;
  to: number;
}

const value = (line: string): string => line.slice(line.indexOf('=') + 1).trim();
const bare = (text: string): string => text.replace(/^"|"$/g, '');

/** The units of a file that can be read line by line. */
export function unitsOf(text: string): LabUnit[] {
  const lines = text.split('\n');
  const out: LabUnit[] = [];
  let open: LabUnit | null = null;
  lines.forEach((line, n) => {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) {
      if (open) open.to = n;
      open = null;
      if (trimmed === '[[unit]]') {
        open = { id: '', hex: '', state: '', from: n, to: lines.length };
        out.push(open);
      }
    } else if (open) {
      if (/^id\s*=/.test(trimmed)) open.id = bare(value(trimmed));
      else if (/^hex\s*=/.test(trimmed)) open.hex = bare(value(trimmed));
      else if (/^state\s*=/.test(trimmed)) open.state = value(trimmed).replace(/[[\]"]/g, '').trim();
    }
  });
  return out;
}

/** The file with one unit changed, or removed if `hex` is missing. */
export function withUnit(text: string, unit: LabUnit, change: { hex: string; state: string } | null): string {
  const lines = text.split('\n');
  const block = lines.slice(unit.from, unit.to).filter((line) => !/^\s*(hex|state)\s*=/.test(line) && line.trim() !== '');
  const states = change?.state.split(/[,\s]+/).filter(Boolean) ?? [];
  const next = change ? [...block, `hex = ${quote(change.hex)}`, ...(states.length ? [`state = [${states.map(quote).join(', ')}]`] : []), ''] : [];
  return [...lines.slice(0, unit.from), ...next, ...lines.slice(unit.to)].join('\n');
}

export function diceOf(text: string): string {
  return /^dice\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1]?.trim() ?? '';
}
export function withDice(text: string, dice: string): string {
  const list = `dice = [${dice.split(/[^0-9]+/).filter(Boolean).join(', ')}]`;
  return /^dice\s*=/m.test(text) ? text.replace(/^dice\s*=\s*\[[^\]]*\]/m, list) : `${list}\n${text}`;
}

/** The file with another kind of terrain in a hex. */
export function withTerrain(text: string, hex: string, kind: string): string {
  const lines = text.split('\n');
  // The hex loses what an earlier change gave it.
  const others = lines.map((line) => (/^\s*terrain\.\w+\s*=/.test(line) ? line.replace(new RegExp(`${quote(hex)}\\s*,?\\s*`), '').replace(/,\s*\]/, ']') : line));
  const kept = others.filter((line) => !/^\s*terrain\.\w+\s*=\s*\[\s*\]\s*$/.test(line));
  const same = kept.findIndex((line) => new RegExp(`^\\s*terrain\\.${kind}\\s*=`).test(line));
  if (same >= 0) return kept.map((line, n) => (n === same ? line.replace(/\s*\]\s*$/, `, ${quote(hex)}]`) : line)).join('\n');
  const line = `terrain.${kind} = [${quote(hex)}]`;
  const map = kept.findIndex((other) => other.trim() === '[map]');
  if (map >= 0) return [...kept.slice(0, map + 1), line, ...kept.slice(map + 1)].join('\n');
  const table = kept.findIndex((other) => other.trim().startsWith('['));
  const at = table < 0 ? kept.length : table;
  return [...kept.slice(0, at), '[map]', line, '', ...kept.slice(at)].join('\n');
}

// ------------------------------------------------------------ links

const encode = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};
const decode = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A file decoded from a link. */
export async function pack(text: string): Promise<string> {
  return encode(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')));
}
export async function unpack(code: string): Promise<string> {
  return new TextDecoder().decode(await through(decode(code), new DecompressionStream('deflate-raw')));
}
