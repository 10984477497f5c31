// What happens at my other tables, wherever I am in the page.

import { maybe } from './i18n/ui.svelte';
import { api, token } from './net/api';
import { prefs, savePrefs } from './prefs.svelte';

export interface Shown {
  n: number;
  kind: string;
  game: string;
}

/** The newest notice that has not been put away, a count that rises with every piece of news, and the games that wait for me. */
export const notices = $state<{ shown: Shown | null; news: number; waiting: string[] }>({ shown: null, news: 0, waiting: [] });

/** How many games wait for me besides this one, as a tab's title begins. */
export function waitingElsewhere(here?: string): string {
  const n = notices.waiting.filter((game) => game !== here).length;
  return n ? `(${n}) ` : '';
}

const PAUSE = 8000;

/** A notice of the browser, for whoever wants them and looks elsewhere now. */
export function call(title: string, body: string): void {
  if (!prefs.notify || !document.hidden || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const notice = new Notification(title, { body, icon: '/icon-192.png', tag: title });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}

/** The browser asks whether it may. */
export async function wantNotices(on: boolean): Promise<void> {
  prefs.notify = on && typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted';
  savePrefs();
}

/** How many of my games wait for me, on the icon of the installed page. */
function badge(count: number): void {
  const set = (navigator as { setAppBadge?: (n: number) => Promise<void> }).setAppBadge;
  void set?.call(navigator, count).catch(() => undefined);
}

export function followNotices(elsewhere: (game: string) => boolean): () => void {
  let alive = true;
  let since: number | null = null;
  void (async () => {
    while (alive) {
      try {
        if (!token()) throw new Error('nobody yet');
        const reply = await api.notices(since ?? 0, since === null ? 0 : 25);
        if (!alive) return;
        if (since !== null && reply.next !== since) notices.news++;
        // What happened before this page was opened is in the lobby already.
        const last = since === null ? undefined : reply.notices.findLast((notice) => elsewhere(notice.game));
        if (last) notices.shown = { n: last.n, kind: last.kind, game: last.game };
        if (last) call(maybe('app.name') ?? '', maybe(`notice.${last.kind}`) ?? last.kind);
        notices.waiting = reply.awaiting.map((game) => game.id);
        badge(reply.awaiting.length);
        since = reply.next;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  })();
  return () => {
    alive = false;
  };
}
