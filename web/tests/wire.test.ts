// The client never reads notation or message keys: what it must know of an option, an answer or an event is typed in the protocol.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../src');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.(ts|svelte)$/.test(entry.name) && !path.includes('/protocol/') ? [path] : [];
  });
}

/** What a text of the game may be: a property of an offer, an answer, a decision, a message. */
const TEXT = String.raw`\b(?:action|subject|played|better|question|prompt\.message\.key|message\.key|label\.key|phase\.key|why\.key)`;
/** Ways of reading a text. */
const READS: [string, RegExp][] = [
  ['takes a text apart', new RegExp(String.raw`${TEXT}!?\??\.(?:split|match|matchAll|replace|replaceAll|startsWith|endsWith|includes|indexOf|slice|substring|search|at)\(`)],
  ['tests a text', new RegExp(String.raw`(?:/[a-z]*\.(?:test|exec)|RegExp\([^)]*\)\.(?:test|exec))\([^)]*${TEXT}`)],
  ['compares a text with a word', new RegExp(String.raw`${TEXT} *[!=]== *['"]`)],
  ['guesses a field', /\b(?:data|answer|extra)\b[^;\n]* as (?:\{|Record|any|Facts)/],
];

/** Placeholders that the protocol defines for the questions of an overlay. */
const ALLOWED = /question\.(replace|includes)\('\{(seat|unit|from)\}'/;

function offences(text: string): string[] {
  return text.split('\n').flatMap((line, i) => (ALLOWED.test(line) ? [] : READS.filter(([, read]) => read.test(line)).map(([what]) => `${i + 1}: ${what}: ${line.trim()}`)));
}

it('reads no notation and no message keys', () => {
  const found = sources(ROOT).flatMap((path) => offences(readFileSync(path, 'utf8')).map((offence) => `${path.slice(ROOT.length)}:${offence}`));
  expect(found).toEqual([]);
});

it('would notice it', () => {
  const bad = [
    "const words = option.action.split(' ');",
    "if (option.action.startsWith('deploy')) go();",
    "const isDone = /^(done|end|pass)\\b/.test(option.action);",
    "const isPhase = /phase/.test(line.entry.message.key);",
    "if (option.action === 'deploy') go();",
    "return new RegExp(what).test(line.entry.message.key);",
    'const facts = entry.data as { kind?: string };',
    "const phase = view.turn.phase.key.replace(/^phase\\./, '');",
  ];
  for (const line of bad) expect(offences(line), line).not.toEqual([]);
  for (const line of ["if (option.reading.deed === 'done') go();", 'flow.briefed.some((answer) => answer.action === option.action)', 'render(message.key)']) expect(offences(line), line).toEqual([]);
});

it('draws states and markers by their shapes, not by the names that games give them', () => {
  const games = readdirSync(join(ROOT, '../../crates'));
  const named = games.flatMap((game) => {
    const path = join(ROOT, '../../crates', game, 'src/looks.rs');
    const text = game === 'kernel' || !existsSync(path) ? '' : readFileSync(path, 'utf8');
    return [...text.matchAll(/\("([a-z_0-9]+)", /g)].map((match) => match[1]!);
  });
  expect(named.length).toBeGreaterThan(100);
  const shapes = new Set([...readFileSync(join(ROOT, 'lib/protocol/index.ts'), 'utf8').matchAll(/export type (?:State|Marker)Shape = (.+);/g)].flatMap((match) => [...match[1]!.matchAll(/"([a-z_]+)"/g)].map((shape) => shape[1]!)));
  expect(shapes.size).toBeGreaterThan(60);
  for (const file of ['states.ts', 'markers.ts', 'renderer.ts', 'looks.ts']) {
    const text = readFileSync(join(ROOT, 'lib/board', file), 'utf8');
    expect(named.filter((name) => !shapes.has(name) && text.includes(`'${name}'`)), file).toEqual([]);
  }
});
