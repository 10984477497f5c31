// Rule cards live in the game's message files: `rule.10.2.title` and `rule.10.2.text`.

import type { Catalog } from '../i18n/catalog';

export interface Card {
  rule: string;
  title: string;
  text: string;
}

/** `8.2` before `10`, `16.7` before `16.71` before `16.8`. */
export function compareRules(a: string, b: string): number {
  const split = (s: string): string[] => s.split('.');
  const [x, y] = [split(a), split(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const [p, q] = [x[i], y[i]];
    if (p === undefined) return -1;
    if (q === undefined) return 1;
    if (p === q) continue;
    // The chapter is a number; below it `2` < `21` < `3`, and `10` is the tenth.
    const [m, n] = [Number(p), Number(q)];
    if (i === 0 || Number.isNaN(m) || Number.isNaN(n) || p.length === q.length) return m === n ? p.localeCompare(q) : m - n;
    return p.startsWith(q) || q.startsWith(p) ? p.length - q.length : m - n;
  }
  return 0;
}

export interface Cards {
  all: Card[];
  /** The card of a rule, or of the one that contains it. */
  nearest(rule: string): Card | undefined;
  /** The cards one step below. */
  below(rule: string): Card[];
  search(words: string): Card[];
}

const cache = new WeakMap<Catalog, Cards>();

export function ruleCards(catalog: Catalog): Cards {
  const known = cache.get(catalog);
  if (known) return known;
  const byRule = new Map<string, Card>();
  for (const key of catalog.keys('rule.')) {
    const match = /^rule\.(.+)\.(title|text)$/.exec(key);
    if (!match) continue;
    const rule = match[1]!;
    const card = byRule.get(rule) ?? { rule, title: '', text: '' };
    card[match[2] as 'title' | 'text'] = catalog.text(key) ?? '';
    byRule.set(rule, card);
  }
  const all = [...byRule.values()].sort((a, b) => compareRules(a.rule, b.rule));
  const plain = (s: string): string => s.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const cards: Cards = {
    all,
    nearest(rule) {
      for (let r = rule; r; r = r.includes('.') ? r.slice(0, /\.\d\d+$/.test(r) ? -1 : r.lastIndexOf('.')) : '') {
        const card = byRule.get(r);
        if (card) return card;
      }
      return undefined;
    },
    below(rule) {
      return all.filter((c) => c.rule !== rule && c.rule.startsWith(rule) && /^(\.\d+|\d)$/.test(c.rule.slice(rule.length)) && (rule.includes('.') || c.rule[rule.length] === '.'));
    },
    search(words) {
      const wanted = plain(words).split(/\s+/).filter(Boolean);
      if (wanted.length === 0) return all;
      // A number without its own card finds the card of the rule that contains it.
      const covers = new Map(wanted.map((w) => [w, /^\d/.test(w) ? cards.nearest(w) : undefined]));
      const score = (card: Card): number => {
        let sum = 0;
        for (const w of wanted) {
          if (card.rule.startsWith(w)) sum += 8;
          else if (covers.get(w) === card) sum += 6;
          else if (plain(card.title).includes(w)) sum += 4;
          else if (plain(card.text).includes(w)) sum += 1;
          else return 0;
        }
        return sum;
      };
      return all
        .map((card) => ({ card, s: score(card) }))
        .filter((x) => x.s > 0)
        .sort((a, b) => b.s - a.s || compareRules(a.card.rule, b.card.rule))
        .map((x) => x.card);
    },
  };
  cache.set(catalog, cards);
  return cards;
}
