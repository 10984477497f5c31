// What happens at my other tables, wherever I am in the page.

import { api, token } from './net/api';

export interface Shown {
  n: number;
  kind: string;
  game: string;
}

/** The newest notice that has not been put away, and a count that rises with every piece of news. */
export const notices = $state<{ shown: Shown | null; news: number }>({ shown: null, news: 0 });

const PAUSE = 8000;

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
