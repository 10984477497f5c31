// The page's own messages. Those of games come from the server; both use the same catalogue.

import type { SeatView } from '../protocol';
import { Catalog } from './catalog';
import en from '../../i18n/en.json';
import { later } from '../net/renew';
import { prefs, savePrefs, type Language } from '../prefs.svelte';
import type { Arg } from '../protocol';

export type UiKey = keyof typeof en;

const english = new Catalog(en);
const loaded = new Map<Language, Catalog>([['en', english]]);
let current = $state.raw<{ catalog: Catalog; language: Language }>({ catalog: english, language: "en" });

const FILES: Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, string> }>> = {
  ko: () => import('../../i18n/ko.json'),
  ja: () => import('../../i18n/ja.json'),
};
const FONTS: Record<Exclude<Language, 'en'>, () => Promise<unknown>> = {
  ko: () => import('@fontsource-variable/noto-sans-kr/index.css'),
  ja: () => import('@fontsource-variable/noto-sans-jp/index.css'),
};

/** Does this system draw a character as an empty box, as it does a code point that no font has? */
function boxes(sign: string): boolean {
  const c = Object.assign(document.createElement('canvas'), { width: 24, height: 24 }).getContext('2d', { willReadFrequently: true });
  if (!c) return false;
  c.font = '20px sans-serif';
  const picture = (text: string): string => {
    c.clearRect(0, 0, 24, 24);
    c.fillText(text, 0, 20);
    return c.getImageData(0, 0, 24, 24).data.join();
  };
  return picture(sign) === picture('\u{10FFFE}');
}

/** The languages name themselves, and players may do so in any script: where the system has no font for a script, the page's is loaded. */
export async function missingFonts(): Promise<void> {
  const lacking = [...(boxes('한') ? [{ load: FONTS.ko, family: 'Noto Sans KR Variable', sample: '한국어' }] : []), ...(boxes('語') ? [{ load: FONTS.ja, family: 'Noto Sans JP Variable', sample: '日本語' }] : [])];
  await Promise.all(lacking.map(({ load, family, sample }) => load().then(() => document.fonts.load(`15px "${family}"`, sample))));
}

/** Change the language of everything; the page follows at once. */
export async function speak(language: Language): Promise<void> {
  if (language !== 'en') {
    void FONTS[language]();
    if (!loaded.has(language)) loaded.set(language, new Catalog((await later(FILES[language]())).default, english));
  }
  current = { catalog: loaded.get(language) ?? english, language };
  document.documentElement.lang = language;
  if (prefs.language !== language) {
    prefs.language = language;
    savePrefs();
  }
}

export function language(): Language {
  return current.language;
}

/** A word of the page. */
export function t(key: UiKey, args: Record<string, string | number | Arg> = {}): string {
  return current.catalog.render({
    key,
    args: Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'number' ? { number: value } : typeof value === 'string' ? { text: value } : value,
    ]),
  });
}

/** A message with a computed key; undefined if there is none. */
export function maybe(key: string): string | undefined {
  return current.catalog.text(key);
}

export function date(ms: number): string {
  return new Intl.DateTimeFormat(current.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** A day without its hour. */
export function day(ms: number): string {
  return new Intl.DateTimeFormat(current.language, { dateStyle: 'long' }).format(ms);
}

export { percent } from './percent';

export function ago(ms: number): string {
  const minutes = Math.round((ms - Date.now()) / 60_000);
  const relative = new Intl.RelativeTimeFormat(current.language, { numeric: 'auto' });
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
  if (Math.abs(minutes) < 48 * 60) return relative.format(Math.round(minutes / 60), 'hour');
  return relative.format(Math.round(minutes / 1440), 'day');
}

/** A person's name; unnamed ones are "Guest" in the reader's language. */
export function personName(name: string): string {
  const code = /^Guest ([0-9a-f]{4})$/.exec(name)?.[1];
  return code === undefined ? name : t('seat.guest', { code });
}

/** The name of a seat's player, in the reader's language; a second player at the host's screen has no own name. */
export function occupant(seat: SeatView): string {
  switch (seat.kind) {
    case 'open':
      return t('seat.empty');
    case 'invited':
      return t('seat.invited');
    case 'bot':
      return t('seat.bot');
    default:
      return seat.name ? personName(seat.name) : t('seat.hotseat');
  }
}
