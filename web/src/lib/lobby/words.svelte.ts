// The words of each game in the catalogue, in the language of the page.

import { Catalog } from '../i18n/catalog';
import { language } from '../i18n/ui.svelte';
import { api } from '../net/api';

let current = $state.raw<ReadonlyMap<string, Catalog>>(new Map());
const asked = new Set<string>();

function fetchWords(game: string, lang: string): void {
  const key = `${game}/${lang}`;
  if (asked.has(key)) return;
  asked.add(key);
  void (async () => {
    const english = new Catalog(await api.messages(game, 'en'));
    const own = lang === 'en' ? english : new Catalog(await api.messages(game, lang), english);
    current = new Map(current).set(key, own);
  })().catch(() => asked.delete(key));
}

/** A text of a game; empty until it has arrived. */
export function gameWord(game: string, key: string): string {
  const lang = language();
  const catalog = current.get(`${game}/${lang}`);
  if (!catalog) {
    queueMicrotask(() => fetchWords(game, lang));
    return '';
  }
  return catalog.text(key) ?? key;
}

export function gameWords(game: string): Catalog | undefined {
  const lang = language();
  const catalog = current.get(`${game}/${lang}`);
  if (!catalog) queueMicrotask(() => fetchWords(game, lang));
  return catalog;
}
