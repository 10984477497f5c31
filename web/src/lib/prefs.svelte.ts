// What this browser remembers about its user.

export const LANGUAGES = ['en', 'ko', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Theme = 'auto' | 'light' | 'dark';

interface Stored {
  language: Language;
  theme: Theme;
  /** Ask before `done` while units could still act. */
  warnDone: boolean;
  /** Show moves and dice as they happen. */
  animate: boolean;
  left: boolean;
  right: boolean;
  tutorialDone: boolean;
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
    animate: true,
    left: wide,
    right: wide,
    tutorialDone: false,
  };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>;
    const all = { ...base, ...stored };
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

export function calm(): boolean {
  return !prefs.animate || matchMedia('(prefers-reduced-motion: reduce)').matches;
}
