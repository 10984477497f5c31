// News of the user's other tables: in the page, its title, its icon, and as browser notifications.

import { t, type UiKey } from './i18n/ui.svelte';
import { gameWord, loadWords } from './lobby/words.svelte';
import { api, token } from './net/api';
import { prefs, savePrefs } from './prefs.svelte';
import type { Notice } from './protocol';
import { address } from './router.svelte';

export interface Shown {
  n: number;
  words: string;
  game: string;
}

/** The newest notice not yet dismissed, a counter of news, and the games that wait for the user. */
export const notices = $state<{ shown: Shown | null; news: number; waiting: string[] }>({ shown: null, news: 0, waiting: [] });

/** Prefix of the tab's title: how many other games wait for the user. */
export function waitingElsewhere(here?: string): string {
  const n = notices.waiting.filter((game) => game !== here).length;
  return n ? `(${n}) ` : '';
}

const PAUSE = 8000;
const allowed = (): boolean => typeof Notification !== 'undefined' && Notification.permission === 'granted';

/** On phones only a service worker may show notifications. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const known = await navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
  return known && navigator.serviceWorker.ready;
}

/** Show a browser notification about a table, if the user wants them and the page is hidden. */
export async function call(game: string, title: string, body: string): Promise<void> {
  if (!prefs.notify || !document.hidden || !allowed()) return;
  const options = { body, icon: '/icon-192.png', tag: game, data: { url: `/${address({ page: 'table', id: game })}` } };
  const shows = await worker();
  if (shows) return shows.showNotification(title, options).catch(() => undefined);
  const notice = new Notification(title, options);
  notice.onclick = () => {
    window.focus();
    location.href = options.data.url;
    notice.close();
  };
}

/** Ask for permission to show notifications; false if it is denied. */
export async function wantNotices(on: boolean): Promise<boolean> {
  const may = on && typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted';
  prefs.notify = may;
  savePrefs();
  if (may) void worker();
  return may || !on;
}

/** Badge of the installed page: how many games wait for the user. */
function badge(count: number): void {
  const set = (navigator as { setAppBadge?: (n: number) => Promise<void> }).setAppBadge;
  void set?.call(navigator, count).catch(() => undefined);
}

/** What a table is called: its own title, or the game's name. */
async function tableName(notice: Notice): Promise<string> {
  if (notice.title) return notice.title;
  const [game, catalogue] = await Promise.all([api.game(notice.game), api.catalogue()]);
  await loadWords(game.game);
  return gameWord(game.game, catalogue.find((item) => item.info.id === game.game)?.info.name ?? game.game);
}

async function tell(notice: Notice, elsewhere: (game: string) => boolean): Promise<void> {
  const game = await tableName(notice).catch(() => t('app.name'));
  const words = t(`notice.${notice.kind}` as UiKey, { game });
  // No notice about the table that is open, except that its clock runs out.
  if (elsewhere(notice.game) || notice.kind === 'clock_low') notices.shown = { n: notice.n, words, game: notice.game };
  await call(notice.game, t('app.name'), words);
}

export function followNotices(elsewhere: (game: string) => boolean): () => void {
  let alive = true;
  let since: number | null = null;
  // A tapped notification opens its table.
  const tapped = (event: MessageEvent<{ go?: string }>): void => {
    if (event.data?.go) location.href = event.data.go;
  };
  navigator.serviceWorker?.addEventListener('message', tapped);
  void (async () => {
    while (alive) {
      try {
        if (!token()) throw new Error('nobody yet');
        const reply = await api.notices(since ?? 0, since === null ? 0 : 25);
        if (!alive) return;
        if (since !== null && reply.next !== since) notices.news++;
        notices.waiting = reply.awaiting.map((game) => game.id);
        badge(reply.awaiting.length);
        // Skip news older than this page: the lobby shows it.
        const fresh = since === null ? [] : reply.notices;
        const last = fresh.findLast((notice) => elsewhere(notice.game)) ?? fresh.at(-1);
        since = reply.next;
        if (last) await tell(last, elsewhere);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  })();
  return () => {
    alive = false;
    navigator.serviceWorker?.removeEventListener('message', tapped);
  };
}
