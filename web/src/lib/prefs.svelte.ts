// Preferences, stored in this browser.

export const LANGUAGES = ['en', 'ko', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Theme = 'auto' | 'light' | 'dark';
export const PACES = ['off', 'quick', 'slow'] as const;
export type Pace = (typeof PACES)[number];

interface Stored {
  language: Language;
  theme: Theme;
  /** Ask before `done` while units could still act. */
  warnDone: boolean;
  /** How moves, fights and the other side's turn are shown. */
  pace: Pace;
  /** The camera follows the other side's actions. */
  follow: boolean;
  /** The other side's moves of its last turn stay on the map as trails. */
  trails: boolean;
  /** Small sounds; off by default on phones. */
  sound: boolean;
  /** Browser notifications when it is the user's move. */
  notify: boolean;
  left: boolean;
  right: boolean;
}

const KEY = 'grognard.prefs';

function firstLanguage(): Language {
  for (const tag of navigator.languages ?? []) {
    const base = tag.slice(0, 2) as Language;
    if (LANGUAGES.includes(base)) return base;
  }
  return 'en';
}

function load(): Stored {
  const wide = innerWidth >= 1180;
  const base: Stored = {
    language: firstLanguage(),
    theme: 'auto',
    warnDone: true,
    pace: 'quick',
    follow: true,
    trails: true,
    sound: wide && !matchMedia('(pointer: coarse)').matches && !navigator.webdriver,
    notify: false,
    left: wide,
    right: wide,
  };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored> & { animate?: boolean };
    const all = { ...base, ...stored };
    // Older preferences have only `animate`, on or off.
    if (stored.pace === undefined && stored.animate === false) all.pace = 'off';
    if (!PACES.includes(all.pace)) all.pace = base.pace;
    // Panels do not stay open on a screen that has no room for them.
    if (!wide) all.left = all.right = false;
    if (!LANGUAGES.includes(all.language)) all.language = base.language;
    return all;
  } catch {
    return base;
  }
}

export const prefs = $state(load());

export function savePrefs(): void {
  localStorage.setItem(KEY, JSON.stringify(prefs));
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');
let system = $state(systemDark.matches);
systemDark.addEventListener('change', (e) => (system = e.matches));

export function isDark(): boolean {
  return prefs.theme === 'auto' ? system : prefs.theme === 'dark';
}

/** Are animations off? */
export function calm(): boolean {
  return prefs.pace === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Are fights and the other side's turn shown step by step? */
export function staged(): boolean {
  return prefs.pace !== 'off';
}
