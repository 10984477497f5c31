import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from '../src/i18n/en.json';
import ja from '../src/i18n/ja.json';
import ko from '../src/i18n/ko.json';

const blanks = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)[|:}]/g)].map((m) => m[1]!))].sort();

function sources(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? sources(path) : /\.(svelte|ts)$/.test(name) ? [readFileSync(path, 'utf8')] : [];
  });
}

describe('the page’s words', () => {
  it.each([
    ['ko', ko],
    ['ja', ja],
  ])('says everything in %s with the same blanks', (_, words: Record<string, string>) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) expect([key, ...blanks(words[key]!)]).toEqual([key, ...blanks(text)]);
  });

  it('has no Korean particle straight after a variable', () => {
    for (const [key, text] of Object.entries(ko)) expect(/\}(은|는|이|가|을|를|과|와|으로|로)(?![가-힣])/.test(text), key).toBe(false);
  });

  it('keeps its tone: no exclamation marks', () => {
    for (const words of [en, ko, ja]) for (const [key, text] of Object.entries(words)) expect(/[!！]/.test(text), key).toBe(false);
  });

  it('has no word that nobody uses', () => {
    const all = sources('src').join('\n');
    // Keys put together from a prefix and a value.
    const prefixes = [...all.matchAll(/`([a-z_.]+\.)\$\{/g)].map((m) => m[1]!);
    const unused = Object.keys(en).filter((key) => !all.includes(`'${key}'`) && !prefixes.some((p) => key.startsWith(p)));
    expect(unused).toEqual([]);
  }, 60_000);
});
