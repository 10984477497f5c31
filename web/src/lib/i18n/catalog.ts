// Fills the blanks of messages like crates/kernel/src/catalog.rs; the same test cases hold for
// both. Here a sentence is split into parts, so that its units and places can be links to the map.

import type { Arg, Message } from '../protocol';

/** A piece of a sentence: plain, or the name of a unit or place, or a printed code with its meaning. */
export type Part = { text: string; unit?: string; place?: string; about?: string };

export interface Names {
  unit?(id: string): string | undefined;
  place?(id: string): string | undefined;
}

/** Nested messages deeper than this are cut off. */
const DEPTH = 16;

type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'plain'; name: string; raw: string }
  | { kind: 'plural'; name: string; raw: string; one: string; other: string }
  | { kind: 'particle'; name: string; raw: string; first: string; second: string }
  | { kind: 'fault' };

export class Catalog {
  private readonly cache = new Map<string, Piece[]>();

  constructor(
    private readonly texts: Readonly<Record<string, string>>,
    private readonly fallback?: Catalog,
  ) {}

  text(key: string): string | undefined {
    return Object.hasOwn(this.texts, key) ? this.texts[key] : this.fallback?.text(key);
  }

  has(key: string): boolean {
    return this.text(key) !== undefined;
  }

  /** Keys with a prefix, including those of the fallback. */
  keys(prefix: string): string[] {
    const own = Object.keys(this.texts).filter((k) => k.startsWith(prefix));
    return [...new Set([...own, ...(this.fallback?.keys(prefix) ?? [])])];
  }

  render(message: Message, names: Names = {}): string {
    return this.parts(message, names)
      .map((p) => p.text)
      .join('');
  }

  /** A value of a message's blank in words. */
  value(arg: Arg, names: Names = {}): string {
    return this.fill(arg, names, 0)
      .map((p) => p.text)
      .join('');
  }

  parts(message: Message, names: Names = {}): Part[] {
    return merge(this.sentence(message, names, 0));
  }

  private sentence(message: Message, names: Names, depth: number): Part[] {
    const text = this.text(message.key);
    if (text === undefined || depth > DEPTH) return [{ text: message.key }];
    let pieces = this.cache.get(text);
    if (!pieces) this.cache.set(text, (pieces = parse(text)));
    const out: Part[] = [];
    for (const piece of pieces) {
      if (piece.kind === 'text') out.push({ text: piece.text });
      else if (piece.kind === 'fault') return [{ text }];
      else {
        const arg = message.args?.find(([name]) => name === piece.name)?.[1];
        if (arg === undefined) out.push({ text: piece.raw });
        else if (piece.kind === 'plural') out.push({ text: count(arg) === 1 ? piece.one : piece.other });
        else {
          const filled = this.fill(arg, names, depth);
          out.push(...filled);
          if (piece.kind === 'particle') {
            out.push({ text: particle(filled.map((p) => p.text).join(''), piece.first, piece.second) });
          }
        }
      }
    }
    return out;
  }

  private fill(arg: Arg, names: Names, depth: number): Part[] {
    if ('number' in arg) return [{ text: String(arg.number) }];
    if ('unit' in arg) return [{ text: names.unit?.(arg.unit) ?? arg.unit, unit: arg.unit }];
    if ('place' in arg) return [{ text: names.place?.(arg.place) ?? arg.place, place: arg.place }];
    if ('term' in arg) return [{ text: this.text(arg.term) ?? arg.term }];
    if ('text' in arg) {
      const about = this.text(`code.${arg.text}`);
      return [about === undefined ? { text: arg.text } : { text: arg.text, about }];
    }
    if ('message' in arg) return this.sentence(arg.message, names, depth + 1);
    if (depth > DEPTH) return [{ text: `…${arg.list.length}` }];
    return this.join(arg.list.map((item) => this.fill(item, names, depth + 1)));
  }

  private join(words: Part[][]): Part[] {
    if (words.length === 0) return [{ text: this.text('list.none') ?? '-' }];
    const comma = this.text('list.comma') ?? ', ';
    const last = this.text('list.last') ?? comma;
    return words.flatMap((word, i) =>
      i === 0 ? word : [{ text: i === words.length - 1 ? last : comma }, ...word],
    );
  }
}

const isPlain = (part: Part): boolean => part.unit === undefined && part.place === undefined && part.about === undefined;

/** Join neighbouring plain texts. */
function merge(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last && isPlain(part) && isPlain(last)) last.text += part.text;
    else out.push({ ...part });
  }
  return out;
}

function parse(text: string): Piece[] {
  const out: Piece[] = [];
  let rest = text;
  for (;;) {
    const at = rest.search(/[{}]/);
    if (at < 0) break;
    if (at > 0) out.push({ kind: 'text', text: rest.slice(0, at) });
    const tail = rest.slice(at);
    if (tail.startsWith('{{') || tail.startsWith('}}')) {
      out.push({ kind: 'text', text: tail[0]! });
      rest = tail.slice(2);
      continue;
    }
    const end = tail.indexOf('}');
    if (tail[0] === '}' || end < 0) return [...out, { kind: 'fault' }];
    out.push(blank(tail.slice(0, end + 1)));
    rest = tail.slice(end + 1);
  }
  if (rest) out.push({ kind: 'text', text: rest });
  return out;
}

/** `raw` is one blank with its braces. */
function blank(raw: string): Piece {
  const inner = raw.slice(1, -1);
  const match = /^([A-Za-z0-9_]+)(?:([|:])(.*))?$/s.exec(inner);
  if (!match) return { kind: 'fault' };
  const [, name = '', sign, rest = ''] = match;
  if (sign === '|') {
    const forms = rest.split('|');
    return forms.length === 2 ? { kind: 'plural', name, raw, one: forms[0]!, other: forms[1]! } : { kind: 'fault' };
  }
  if (sign === ':') {
    const [first, second, ...more] = rest.split('/');
    return first && second && more.length === 0 ? { kind: 'particle', name, raw, first, second } : { kind: 'fault' };
  }
  return { kind: 'plain', name, raw };
}

function count(arg: Arg): number | undefined {
  if ('number' in arg) return arg.number;
  if ('list' in arg) return arg.list.length;
  if ('text' in arg && /^[+-]?\d+$/.test(arg.text)) return Number(arg.text);
  return undefined;
}

export function particle(word: string, first: string, second: string): string {
  switch (lastSound(word)) {
    case undefined:
      return `${first}(${second})`;
    case 'vowel':
      return second;
    case 'rieul':
      return first.startsWith('으로') ? second : first;
    case 'consonant':
      return first;
  }
}

/** The last sound of a word: closing brackets with what they enclose, and signs, are left out. */
function lastSound(word: string): 'vowel' | 'consonant' | 'rieul' | undefined {
  let depth = 0;
  for (const c of [...word].reverse()) {
    if (')]）'.includes(c)) depth++;
    else if ('([（'.includes(c)) depth = Math.max(0, depth - 1);
    else if (depth > 0 || !/[\p{Alphabetic}\p{N}]/u.test(c)) continue;
    else if (c >= '가' && c <= '힣') {
      const final = (c.codePointAt(0)! - 0xac00) % 28;
      return final === 0 ? 'vowel' : final === 8 ? 'rieul' : 'consonant';
    } else if ('178LlRr'.includes(c)) return 'rieul';
    else if ('036MmNn'.includes(c)) return 'consonant';
    else if (/[0-9A-Za-z\u00c0-\u024f]/.test(c)) return 'vowel';
    else return undefined;
  }
  return undefined;
}
