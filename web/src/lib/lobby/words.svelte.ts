// The words of each game in the catalogue, in the language of the page.

import { Catalog } from '../i18n/catalog';
import { language } from '../i18n/ui.svelte';
import { api } from '../net/api';

/** By game and language; and by game, the last that arrived. */
let current = $state.raw<ReadonlyMap<string, Catalog>>(new Map());
const asked = new Map<string, Promise<void>>();

/** Resolves when the words of a game have arrived in the language of the page. */
export function loadWords(game: string, lang: string = language()): Promise<void> {
  const key = `${game}/${lang}`;
  const fetched = asked.get(key) ?? fetchWords(game, lang);
  asked.set(key, fetched);
  fetched.catch(() => asked.delete(key));
  return fetched;
}

async function fetchWords(game: string, lang: string): Promise<void> {
  const [english, own] = await Promise.all([api.messages(game, 'en'), lang === 'en' ? null : api.messages(game, lang)]);
  const base = new Catalog(english);
  const catalog = own ? new Catalog(own, base) : base;
  current = new Map(current).set(`${game}/${lang}`, catalog).set(game, catalog);
}

/** A text of a game; empty until it has arrived. */
export function gameWord(game: string, key: string): string {
  const catalog = gameWords(game);
  return catalog ? (catalog.text(key) ?? key) : '';
}

/** The words of a game; those of the previous language until the new ones arrive. */
export function gameWords(game: string): Catalog | undefined {
  const lang = language();
  const catalog = current.get(`${game}/${lang}`);
  if (!catalog) queueMicrotask(() => void loadWords(game, lang).catch(() => undefined));
  return catalog ?? current.get(game);
}
